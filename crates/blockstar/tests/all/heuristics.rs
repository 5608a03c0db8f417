//! Heuristics: the admissible ones keep A* optimal, whatever the rule, the terrain and the length
//! of diagonals, and what the others cost.

use crate::support::{
    CornerOracle, all_cell_moves, all_moves, on, prepare, random_grid, random_point,
    rounds_on_terrain,
};
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Grid, Heuristic, Moves, Query, Scratch, Status};

/// The same on the corner lattice, where start and goal may be free points.
#[test]
fn admissible_heuristics_are_optimal_on_the_corner_lattice() {
    let mut random = Random::new(12);
    let mut scratch = Scratch::new();
    for round in 0..200 {
        let grid = random_grid(&mut random, round % 2 == 1);
        if grid.width() * grid.height() > 400 {
            continue;
        }
        for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
            let oracle = CornerOracle::new(&grid, moves);
            let astar = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
            for _ in 0..3 {
                let start = random_point(&mut random, &grid, moves, true);
                let goal = random_point(&mut random, &grid, moves, true);
                let [from, to] = [start, goal].map(|point| grid.cell_of(point).unwrap());
                let best = oracle.cost(start, from, goal, to);
                for &heuristic in Heuristic::ALL {
                    let query = Query::new(start, goal).heuristic(heuristic);
                    let status = astar.find(&grid, &query, &mut scratch).unwrap();
                    assert_eq!(status == Status::Found, best.is_finite(), "{moves} {heuristic}");
                    if status == Status::Found && astar.row().admits(heuristic, moves) {
                        let cost = scratch.path().cost();
                        let near = (cost - best).abs() <= 1e-5 * best.max(1.0);
                        assert!(near, "{cost} {best} {moves} {heuristic}");
                    }
                }
            }
        }
    }
}

/// The more an admissible heuristic knows, the fewer cells A* expands.
#[test]
fn better_estimates_expand_fewer_cells() {
    let grid = blockstar::generate::rooms(100, 100, 9, 13).unwrap();
    let astar = Algorithm::named("astar").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    let mut expanded = |heuristic| {
        let queries = blockstar::generate::queries(&grid, 50, 14).into_iter();
        queries
            .map(|(start, goal)| {
                let query = Query::new(start, goal).heuristic(heuristic);
                assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
                scratch.stats().expanded
            })
            .sum::<u64>()
    };
    let [zero, chebyshev, euclidean, octile] =
        [Heuristic::Zero, Heuristic::Chebyshev, Heuristic::Euclidean, Heuristic::Octile]
            .map(&mut expanded);
    assert!(octile < euclidean && euclidean < chebyshev && chebyshev < zero);
}

#[test]
fn manhattan_overestimates_with_eight_moves() {
    assert!(!Heuristic::Manhattan.is_admissible(Moves::EIGHT));
    assert!(Heuristic::Manhattan.is_admissible(Moves::FOUR));
    // The best way sets out to the right, away from the goal, and takes a diagonal step. To the
    // left each straight step seems to be without loss, g + h stays at most at 7, and so does A*.
    let drawing = "
        ...
        #..
        ...
        .#.
        ...";
    let mut scratch = Scratch::new();
    for (grid, start, goal) in turned(drawing, Cell::new(1, 4), Cell::new(0, 0)) {
        let astar = Algorithm::named("astar").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
        let mut cost = |heuristic| {
            let query = Query::new(start, goal).heuristic(heuristic);
            assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
            scratch.path().check(&grid, Moves::EIGHT).unwrap();

            scratch.path().cost()
        };
        assert_eq!(cost(Heuristic::Octile), 5.0 + 2f64.sqrt());
        assert_eq!(cost(Heuristic::Manhattan), 7.0);
    }
}

/// A drawing and two of its cells, turned and mirrored in all eight ways: no tie is broken the same
/// way in all of them.
fn turned(drawing: &str, start: Cell, goal: Cell) -> Vec<(Grid, Cell, Cell)> {
    let grid = Grid::from_ascii(drawing).unwrap();
    (0..8)
        .map(|way| {
            let (w, h) = (grid.width(), grid.height());
            let turn = |cell: Cell| {
                let x = if way & 1 != 0 { w - 1 - cell.x } else { cell.x };
                let y = if way & 2 != 0 { h - 1 - cell.y } else { cell.y };
                if way & 4 != 0 { Cell::new(y, x) } else { Cell::new(x, y) }
            };
            let back = |cell: Cell| {
                let cell = if way & 4 != 0 { Cell::new(cell.y, cell.x) } else { cell };
                let x = if way & 1 != 0 { w - 1 - cell.x } else { cell.x };
                Cell::new(x, if way & 2 != 0 { h - 1 - cell.y } else { cell.y })
            };
            let (wide, high) = if way & 4 != 0 { (h, w) } else { (w, h) };
            let other = Grid::from_fn(wide, high, |cell| grid.is_free(back(cell))).unwrap();
            (other, turn(start), turn(goal))
        })
        .collect()
}

/// Weighted A*: at most w times the optimum, and with w = 1 the optimum.
#[test]
fn weighted_paths_cost_at_most_the_weight_times_the_optimum() {
    let mut scratch = Scratch::new();
    let (mut answers, mut longer) = (0, 0);
    for mut round in rounds_on_terrain(15, 500, 3) {
        for moves in all_moves() {
            let any_angle = moves.rule().is_any_angle();
            let query = round.query(moves);
            let grid = &round.grid;
            let planner = prepare("weighted-astar", grid, moves);
            let Some(best) = on(grid, moves).cost_by("astar", &query, &mut scratch) else {
                continue;
            };
            for weight in [1.0, 1.2, 1.5, 3.0, 10.0, 1000.0] {
                for heuristic in [None, Some(Heuristic::Euclidean)] {
                    let mut query = query.clone().weight(weight);
                    if let Some(heuristic) = heuristic {
                        query = query.heuristic(heuristic);
                    }
                    assert!(on(grid, moves).has_path(&planner, &query, &mut scratch));
                    let cost = scratch.path().cost();
                    answers += 1;
                    longer += u32::from(cost > best + 1e-6);
                    let rounding = if any_angle { 2e-5 } else { 1e-7 } * best.max(1.0);
                    assert!(cost >= best - rounding, "{cost} {best} {moves}");
                    assert!(cost <= weight * best + rounding, "{cost} {best} {weight} {moves}");
                }
            }
        }
    }
    assert!(answers > 20_000 && longer > 500, "{answers} {longer}");
}

/// The goal next door is estimated as the step to it, and the goal itself as nothing: seen in the
/// number of expansions on open ground.
#[test]
fn on_open_ground_the_default_heuristic_runs_straight_to_the_goal() {
    let grid = Grid::new(64, 64).unwrap();
    let mut scratch = Scratch::new();
    for moves in all_cell_moves() {
        let astar = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
        for goal in [Cell::new(63, 63), Cell::new(63, 20), Cell::new(0, 40), Cell::new(1, 0)] {
            let query = Query::new(Cell::new(0, 0), goal);
            assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
            let steps = scratch.path().cells().count() as u64 - 1;
            assert_eq!(scratch.stats().expanded, steps, "{moves} {goal}");
        }
    }
}
