//! Every planner in the registry keeps its promise, on thousands of random maps, against an oracle.

use crate::support::{
    CornerOracle, all_cell_moves, best_cost, close, planners, random_edit, random_free_cell,
    random_grid, random_point,
};
use blockstar::random::Random;
use blockstar::{Algorithm, Grid, Moves, Promise, Query, Scratch, Status};

/// Every planner, cell rule and kind of terrain: legal paths, the promised cost, the right answer
/// about existence; after edits and `update` too, with one scratch memory for everything.
#[test]
fn every_planner_keeps_its_promise_on_random_maps_under_edits() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(2026);
    let mut answers = 0;
    for round in 0..450 {
        let weighted = round % 3 == 2;
        let mut grid = random_grid(&mut random, weighted);
        for moves in all_cell_moves() {
            let mut planners = planners(&grid, moves);
            for edit in 0..3 {
                if edit > 0 {
                    for _ in 0..1 + random.below(4) {
                        random_edit(&mut random, &mut grid, weighted);
                    }
                }
                let start = random_free_cell(&mut random, &grid);
                let goal = random_free_cell(&mut random, &grid);
                let best = best_cost(&grid, moves, start, goal);
                for (algorithm, planner) in &mut planners {
                    if grid.has_costs() && !algorithm.terrain {
                        continue;
                    }
                    let context = || {
                        let map = blockstar::format::ascii::draw(&grid);
                        format!("{} {moves} {start} -> {goal} on\n{map}", algorithm.name)
                    };
                    planner.update(&grid).unwrap();
                    let query = Query::new(start, goal);
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    answers += 1;
                    if best.is_infinite() {
                        assert_eq!(status, Status::NoPath, "{}", context());
                        assert!(scratch.path().is_empty());
                        continue;
                    }
                    assert_eq!(status, Status::Found, "{}", context());
                    let path = scratch.path();
                    if let Err(fault) = path.check(&grid, moves) {
                        panic!("{fault}: {path}\n{}", context());
                    }
                    assert_eq!(path.points().first(), Some(&start.centre()), "{}", context());
                    assert_eq!(path.points().last(), Some(&goal.centre()), "{}", context());
                    let cost = path.cost();
                    let kept = match algorithm.promise_under(moves.rule()) {
                        Promise::Optimal => close(cost, best),
                        Promise::Within(factor) => cost <= best * factor + 1e-9,
                        _ => true,
                    };
                    assert!(kept, "cost {cost}, optimum {best}: {}", context());
                }
            }
        }
    }
    assert!(answers > 45_000, "only {answers} answers");
}

/// The same for the any-angle rules: between centres, corners, points on edges and any points.
#[test]
fn every_planner_keeps_its_promise_under_the_any_angle_rules() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(1968);
    let mut answers = 0;
    for round in 0..1200 {
        let weighted = round % 3 == 2;
        let mut grid = random_grid(&mut random, weighted);
        if grid.width() * grid.height() > 600 {
            continue;
        }
        for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
            let mut planners = planners(&grid, moves);
            for edit in 0..2 {
                if edit > 0 {
                    for _ in 0..1 + random.below(4) {
                        random_edit(&mut random, &mut grid, weighted);
                    }
                }
                planners.retain(|(algorithm, _)| algorithm.terrain || !grid.has_costs());
                for (_, planner) in &mut planners {
                    planner.update(&grid).unwrap();
                }
                let oracle = CornerOracle::new(&grid, moves);
                for query in 0..3 {
                    let free = query > 0;
                    let start = random_point(&mut random, &grid, moves, free);
                    let goal = random_point(&mut random, &grid, moves, free);
                    let cells = [start, goal].map(|point| grid.cell_of(point).unwrap());
                    let best = oracle.cost(start, cells[0], goal, cells[1]);
                    // A path exists exactly if cells are connected by edges or, squeezing, corners.
                    let stepping =
                        if moves.rule().squeezes() { Moves::EIGHT_CUT_ANY } else { Moves::FOUR };
                    let connected = best_cost(&grid, stepping, cells[0], cells[1]).is_finite();
                    assert_eq!(best.is_finite(), connected, "{start} -> {goal}");
                    for (algorithm, planner) in &mut planners {
                        if free && !algorithm.free_points {
                            continue;
                        }
                        let context = || {
                            let map = blockstar::format::ascii::draw(&grid);
                            format!("{} {moves} {start} -> {goal} on\n{map}", algorithm.name)
                        };
                        let query = Query::new(start, goal);
                        let status = planner.find(&grid, &query, &mut scratch).unwrap();
                        answers += 1;
                        if best.is_infinite() {
                            assert_eq!(status, Status::NoPath, "{}", context());
                            continue;
                        }
                        assert_eq!(status, Status::Found, "{}", context());
                        let path = scratch.path();
                        if let Err(fault) = path.check(&grid, moves) {
                            panic!("{fault}: {path}\n{}", context());
                        }
                        assert_eq!(path.points().first(), Some(&start), "{}", context());
                        assert_eq!(path.points().last(), Some(&goal), "{}", context());
                        let cost = path.cost();
                        // Links of free points are rounded to 1/195025 of a cell.
                        let rounding = 1e-5 * best.max(1.0);
                        let kept = match algorithm.promise {
                            // Held against an oracle of their own, in `block_any_angle.rs`.
                            Promise::Optimal if algorithm.blocks => true,
                            Promise::Optimal if algorithm.lattice => {
                                (cost - best).abs() <= rounding
                            }
                            Promise::Optimal => cost <= best + rounding,
                            Promise::Within(factor) => cost <= best * factor + rounding,
                            _ => true,
                        };
                        assert!(kept, "cost {cost}, optimum {best}: {path}\n{}", context());
                        assert!(grid.has_costs() || cost >= start.distance(goal) - 1e-9);
                    }
                }
            }
        }
    }
    assert!(answers > 40_000, "only {answers} answers");
}

/// Two free points in one cell, or on its edge, see each other: no detour over its corners.
#[test]
fn free_points_in_one_cell_are_joined_by_a_straight_segment() {
    let grid = Grid::from_ascii("..#\n.9.\n...").unwrap();
    let mut scratch = Scratch::new();
    for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        for (algorithm, planner) in planners(&grid, moves) {
            if !algorithm.free_points {
                continue;
            }
            let mut cost = |start: (f64, f64), goal: (f64, f64)| {
                let query = Query::new(start, goal);
                assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), Status::Found);
                scratch.path().check(&grid, moves).unwrap();
                (scratch.path().points().len(), scratch.path().cost())
            };
            let name = algorithm.name;
            assert_eq!(cost((0.25, 0.25), (0.75, 0.25)), (2, 0.5), "{name}");
            assert_eq!(cost((0.25, 1.0), (0.75, 1.0)), (2, 0.5), "{name}");
            assert_eq!(cost((1.5, 1.25), (1.5, 1.5)), (2, 0.25 * 9.0), "{name}");
            assert_eq!(cost((1.5, 1.5), (1.5, 1.5)), (1, 0.0), "{name}");
        }
    }
}

#[test]
fn moves_have_the_right_registry_rows() {
    assert!(Algorithm::all().iter().all(|a| !a.rules.is_empty()));
    assert!(Algorithm::named("jps").unwrap().algorithm().supports(Moves::EIGHT.rule()));
}
