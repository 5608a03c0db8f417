//! Paths: every fault is refused, and what is made of a path is as good as the path.

use crate::support::{all_cell_moves, all_moves, close, random_grid, random_point, serpentine};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Grid, Moves, Path, Point, Promise, Query, Scratch, Status, Violation,
};

fn path(grid: &Grid, moves: Moves, points: &[(f64, f64)]) -> Path {
    Path::new(grid, moves, points.iter().copied())
}

#[test]
fn an_empty_path_is_refused() {
    let grid = Grid::new(3, 3).unwrap();
    for moves in all_moves() {
        let empty = Path::new(&grid, moves, Vec::<Point>::new());
        assert_eq!(empty.check(&grid, moves), Err(Violation::Empty));
        assert!(!empty.still_valid(&grid));
        assert!(empty.smoothed(&grid).is_empty() && empty.without_collinear().is_empty());
        assert_eq!(empty.cells().count(), 0);
    }
}

#[test]
fn points_in_walls_off_the_map_or_off_centre_are_refused() {
    let grid = Grid::from_ascii("...\n.#.\n...").unwrap();
    for moves in all_moves() {
        let any_angle = moves.rule().is_any_angle();
        for (point, legal) in [
            ((1.5, 1.5), false),
            ((3.5, 0.5), false),
            ((-0.5, 0.5), false),
            ((0.5, 0.25), any_angle),
            ((1.0, 1.0), any_angle), // at the corner of the wall
            ((1.5, 1.0), any_angle), // on its edge
            ((3.0, 3.0), any_angle), // at the corner of the map
            ((0.5, 0.5), true),
        ] {
            let fault = path(&grid, moves, &[point]).check(&grid, moves);
            let expected = Violation::Point { index: 0, point: point.into() };
            assert_eq!(fault, if legal { Ok(()) } else { Err(expected) }, "{moves} {point:?}");
        }
        let second = path(&grid, moves, &[(0.5, 0.5), (1.5, 1.5)]).check(&grid, moves);
        assert!(matches!(second, Err(Violation::Point { index: 1, .. })), "{moves}");
    }
}

#[test]
fn segments_through_walls_and_steps_against_the_rule_are_refused() {
    let grid = Grid::from_ascii("...\n.#.\n...").unwrap();
    for moves in all_moves() {
        let through = path(&grid, moves, &[(0.5, 0.5), (0.5, 1.5), (2.5, 1.5)]);
        let fault = through.check(&grid, moves);
        let (from, to) = (Point::new(0.5, 1.5), Point::new(2.5, 1.5));
        assert_eq!(fault, Err(Violation::Segment { index: 1, from, to }), "{moves}");
    }
    // Diagonally past one blocked cell.
    let past = |moves| path(&grid, moves, &[(0.5, 1.5), (1.5, 0.5)]).check(&grid, moves);
    for (moves, legal) in [
        (Moves::FOUR, false),
        (Moves::EIGHT, false),
        (Moves::EIGHT_CUT_ONE, true),
        (Moves::EIGHT_CUT_ANY, true),
        (Moves::ANY_ANGLE, true),
        (Moves::ANY_ANGLE_SQUEEZE, true),
    ] {
        assert_eq!(past(moves).is_ok(), legal, "{moves}");
    }
    // Diagonally between two.
    let pair = Grid::from_ascii(".#\n#.").unwrap();
    let between = |moves| path(&pair, moves, &[(0.5, 0.5), (1.5, 1.5)]).check(&pair, moves);
    for moves in all_moves() {
        assert_eq!(between(moves).is_ok(), moves.rule().squeezes(), "{moves}");
    }
    // Neither straight nor diagonal, and along the seam of two blocked cells.
    let open = Grid::new(4, 4).unwrap();
    for moves in all_cell_moves() {
        let knight = path(&open, moves, &[(0.5, 0.5), (1.5, 2.5)]).check(&open, moves);
        assert!(matches!(knight, Err(Violation::Segment { index: 0, .. })), "{moves}");
    }
    let seam = Grid::from_ascii("....\n.##.\n....").unwrap();
    for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        let along = path(&seam, moves, &[(2.0, 0.5), (2.0, 2.5)]).check(&seam, moves);
        assert!(matches!(along, Err(Violation::Segment { index: 0, .. })), "{moves}");
    }
}

#[test]
fn turning_through_a_double_corner_is_refused_under_the_strict_rule() {
    let grid = Grid::from_ascii(".#.\n#..\n...").unwrap();
    // From the upper left cell to the double corner (1, 1) and on below: the other side.
    let across = [(0.25, 0.5), (1.0, 1.0), (1.5, 1.75)];
    let strict = path(&grid, Moves::ANY_ANGLE, &across).check(&grid, Moves::ANY_ANGLE);
    assert_eq!(strict, Err(Violation::Squeeze { index: 1, point: Point::new(1.0, 1.0) }));
    let squeeze = path(&grid, Moves::ANY_ANGLE_SQUEEZE, &across);
    squeeze.check(&grid, Moves::ANY_ANGLE_SQUEEZE).unwrap();
    // Turning there on one side is legal, along the walls too.
    for turn in [[(0.25, 0.5), (1.0, 1.0), (0.5, 0.25)], [(1.0, 2.0), (1.0, 1.0), (2.0, 1.0)]] {
        path(&grid, Moves::ANY_ANGLE, &turn).check(&grid, Moves::ANY_ANGLE).unwrap();
    }
    // Along the walls from one side to the other is not.
    let along = path(&grid, Moves::ANY_ANGLE, &[(1.0, 0.0), (1.0, 1.0), (2.0, 1.0)]);
    assert!(matches!(
        along.check(&grid, Moves::ANY_ANGLE),
        Err(Violation::Squeeze { index: 1, .. })
    ));
}

#[test]
fn a_cost_that_is_not_that_of_the_points_is_refused() {
    let mut grid = Grid::new(4, 1).unwrap();
    for moves in all_moves() {
        let mut grid = grid.clone();
        let path = path(&grid, moves, &[(0.5, 0.5), (3.5, 0.5)]);
        path.check(&grid, moves).unwrap();
        grid.set_cost((1, 0), 5.0).unwrap();
        assert_eq!(
            path.check(&grid, moves),
            Err(Violation::Cost { said: 3.0, real: 7.0 }),
            "{moves}"
        );
        assert!(path.still_valid(&grid), "{moves}");
    }
    // The length of a diagonal is a part of the rule.
    grid = Grid::new(4, 4).unwrap();
    let short = Moves::EIGHT.with_diagonal(blockstar::Diagonal::OnePointFour);
    let diagonal = path(&grid, short, &[(0.5, 0.5), (1.5, 1.5)]);
    diagonal.check(&grid, short).unwrap();
    assert!(matches!(diagonal.check(&grid, Moves::EIGHT), Err(Violation::Cost { .. })));
}

/// What the same points cost as an any-angle path.
pub fn any_angle_cost(grid: &Grid, path: &Path) -> f64 {
    Path::new(grid, path.moves().any_angle(), path.points().iter().copied()).cost()
}

/// A random walk with detours, turns back and repeats, which no planner would make.
#[test]
fn smoothed_random_walks_are_legal_and_never_longer() {
    let mut random = Random::new(62);
    for round in 0..4000 {
        let grid = random_grid(&mut random, round % 3 == 2);
        let any_angle = random.chance(1, 2);
        let moves = match (any_angle, random.below(2)) {
            (true, 0) => Moves::ANY_ANGLE,
            (true, _) => Moves::ANY_ANGLE_SQUEEZE,
            _ => all_cell_moves()[random.below(8) as usize],
        };
        let mut points = vec![random_point(&mut random, &grid, moves, true)];
        let legal = |points: &[Point]| {
            Path::new(&grid, moves, points.iter().copied()).check(&grid, moves).is_ok()
        };
        if !legal(&points) {
            continue;
        }
        for _ in 0..random.below(60) {
            let last = points[points.len() - 1];
            let mut step = || random.below(3) as f64 - 1.0;
            let (dx, dy) = (step(), step());
            let next = match random.below(4) {
                0 if any_angle => random_point(&mut random, &grid, moves, true),
                1 if any_angle => Point::new((last.x() + dx).round(), (last.y() + dy).round()),
                _ => Point::new(last.x() + dx, last.y() + dy),
            };
            if next == last {
                continue;
            }
            points.push(next);
            if !legal(&points) {
                points.pop();
            }
        }
        let walk = Path::new(&grid, moves, points);
        let smooth = walk.smoothed(&grid);
        let context = || {
            let map = blockstar::format::ascii::draw(&grid);
            format!("{smooth} from {moves}: {walk}\n{map}")
        };
        if let Err(fault) = smooth.check(&grid, smooth.moves()) {
            panic!("{fault}: {}", context());
        }
        assert!(smooth.cost() <= any_angle_cost(&grid, &walk) * (1.0 + 1e-9), "{}", context());
        assert_eq!(smooth.points().first(), walk.points().first());
        assert_eq!(smooth.points().last(), walk.points().last());
        let thin = walk.without_collinear();
        thin.check(&grid, moves).unwrap_or_else(|fault| panic!("{fault}: {thin} {}", context()));
        assert!(close(thin.cost(), walk.cost()), "{thin} {}", context());
    }
}

/// Paths that lead off the map have no cost, and points at the end of the world do not overflow.
#[test]
fn paths_off_the_map_have_no_cost() {
    let mut grid = Grid::new(4, 4).unwrap();
    for _ in 0..2 {
        for end in [Cell::new(0, 1000), Cell::new(6, 0), Cell::new(u32::MAX, u32::MAX)] {
            let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), end]);
            assert!(path.cost().is_nan(), "{end}");
            assert!(path.check(&grid, Moves::EIGHT).is_err(), "{end}");
            assert!(path.check(&grid, Moves::ANY_ANGLE).is_err(), "{end}");
        }
        grid.set_cost((1, 1), 3.0).unwrap();
    }
    let (far, farther) = (Point::new(1e9, -1e9), Point::new(-1e9, 1e9));
    assert!(far.distance(farther) > 90_000.0);
    let path = Path::new(&grid, Moves::ANY_ANGLE, [far, farther, far]);
    assert_eq!(path.turns(), 1);
    assert!(path.check(&grid, Moves::ANY_ANGLE).is_err());
}

/// A map whose factors are all 1 again is plain ground again, and jump point search takes it.
#[test]
fn terrain_of_ones_is_plain_ground() {
    let mut grid = Grid::new(6, 6).unwrap();
    let mut planner = Algorithm::named("jps").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(5, 2));
    let mut scratch = Scratch::new();
    grid.set_cost((2, 2), 7.0).unwrap();
    planner.update(&grid).unwrap();
    assert!(planner.find(&grid, &query, &mut scratch).is_err());
    grid.set_cost((2, 2), 1.0).unwrap();
    planner.update(&grid).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
}

/// The same way had 42 points from one planner, 25 from another and 11 from a third.
#[test]
fn the_same_way_is_the_same_path_whoever_found_it() {
    let grid = serpentine(9, 11);
    let ends = (Cell::new(0, 0), Cell::new(8, 10));
    let mut scratch = Scratch::new();
    for moves in [Moves::FOUR, Moves::EIGHT] {
        let mut first: Option<Path> = None;
        let mut asked = 0;
        for row in Algorithm::all().iter().filter(|row| row.supports(moves.rule())) {
            let planner = row.choose().prepare(&grid, moves).unwrap();
            let query = Query::new(ends.0, ends.1);
            assert_eq!(
                planner.find(&grid, &query, &mut scratch),
                Ok(Status::Found),
                "{}",
                row.name
            );
            if row.promise != Promise::Optimal {
                continue;
            }
            let path = first.get_or_insert_with(|| scratch.path().clone());
            assert_eq!(scratch.path(), path, "{}", row.name);
            assert_eq!(path.points().len(), path.turns() + 2);
            asked += 1;
        }
        assert!(asked >= 8, "{asked}");
    }
}
