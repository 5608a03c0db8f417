//! Slopes under the any-angle rules: what is found is legal and nowhere too steep, and something is
//! found wherever steps from cell to cell find a way.

use crate::support::hills::{Numbers, assert_not_too_steep, hills, steepest};
use crate::support::{planners, random_free_cell};
use blockstar::random::Random;
use blockstar::{Cell, Fault, Grid, Moves, Path, Query, Scratch, Slope, Status};

/// Any-angle paths on slopes are legal, never steeper than permitted, and cost what they say.
#[test]
fn any_angle_paths_respect_slopes() {
    let mut random = Random::new(64);
    let mut scratch = Scratch::new();
    let (mut found, mut steep) = (0, 0);
    for round in 0..400 {
        let grid = hills(&mut random, round % 3 == 2);
        let numbers = Numbers::random(&mut random);
        let moves =
            [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][round % 2].with_slope(numbers.slope());
        for (algorithm, planner) in planners(&grid, moves) {
            for _ in 0..3 {
                let start = crate::support::random_point(&mut random, &grid, moves, true);
                let goal = crate::support::random_point(&mut random, &grid, moves, true);
                let query = Query::new(start, goal);
                if planner.find(&grid, &query, &mut scratch).unwrap() == Status::Found {
                    let path = scratch.path();
                    path.check(&grid, moves).unwrap_or_else(|e| panic!("{} {e}", algorithm.name));
                    let smooth = path.smoothed(&grid);
                    smooth.check(&grid, moves).unwrap();
                    let slope = numbers.slope();
                    for points in [path.points(), smooth.points()] {
                        assert_not_too_steep(&grid, slope, points, algorithm.name);
                    }
                    assert!(smooth.cost() <= path.cost() * (1.0 + 1e-9) + 1e-9);
                    found += 1;
                    let flat = path.points().to_vec();
                    let tight = moves.with_slope(numbers.slope().limits(0.05, 0.05));
                    let flat = Path::new(&grid, tight, flat);
                    steep +=
                        u32::from(matches!(flat.check(&grid, tight), Err(Fault::Steep { .. })));
                }
            }
        }
    }
    assert!(found > 2000 && steep > 200, "{found} {steep}");
}

/// Two level cells beside two others, 10 m off: the corner between them lies half way, and no step
/// over corners is flat enough.
#[test]
fn a_level_way_beside_a_cliff_is_found_under_any_angle_rules() {
    let mut grid = Grid::new(2, 2).unwrap();
    grid.set_heights(vec![0.0, 10.0, 10.0, 0.0]).unwrap();
    let slope = Slope::new(1.0).limits(0.5, 0.5);
    let query = Query::new(Cell::new(0, 0), Cell::new(1, 1));
    let mut scratch = Scratch::new();
    for moves in [Moves::EIGHT, Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        let moves = moves.with_slope(slope);
        for (row, planner) in planners(&grid, moves) {
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(status, Status::Found, "{} {moves}", row.name);
            assert!((scratch.path().cost() - 2f64.sqrt()).abs() < 1e-9, "{}", row.name);
        }
    }
}

/// Whenever cell steps find a way, so do the planners under the any-angle rules; those that promise the
/// cheapest way over their lattice find none dearer.
#[test]
fn any_angle_planners_find_a_way_wherever_cell_steps_do() {
    let mut random = Random::new(71);
    let mut scratch = Scratch::new();
    let (mut asked, mut found) = (0, 0);
    for round in 0..2500 {
        let grid = hills(&mut random, round % 4 == 3);
        let numbers = Numbers::random(&mut random);
        let slope = numbers.slope();
        if slope.max_climb().is_infinite() && slope.max_descent().is_infinite() {
            continue;
        }
        let squeeze = round % 2 == 1;
        let (cells, angles) = match squeeze {
            false => {
                ([Moves::FOUR, Moves::EIGHT, Moves::EIGHT_CUT_ONE][round % 3], Moves::ANY_ANGLE)
            }
            true => (Moves::EIGHT_CUT_ANY, Moves::ANY_ANGLE_SQUEEZE),
        };
        let (cells, angles) = (cells.with_slope(slope), angles.with_slope(slope));
        let start = random_free_cell(&mut random, &grid);
        let query = Query::new(start, random_free_cell(&mut random, &grid));
        let oracle = numbers.all_costs(&grid, cells, start);
        let goal = query.goal().as_centre().unwrap();
        let best = oracle[(goal.y * grid.width() + goal.x) as usize];
        for (row, planner) in planners(&grid, angles) {
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            asked += 1;
            if status == Status::Found {
                scratch.path().check(&grid, angles).unwrap();
                assert_not_too_steep(&grid, slope, scratch.path().points(), row.name);
            }
            if best.is_finite() {
                assert_eq!(status, Status::Found, "{} {angles} {query:?}", row.name);
                found += 1;
                if matches!(row.name, "astar" | "dijkstra") {
                    let cost = scratch.path().cost();
                    assert!(cost <= best * (1.0 + 1e-6) + 1e-6, "{} {cost} {best}", row.name);
                }
            }
        }
    }
    assert!(asked > 5000 && found > 2000, "{asked} {found}");
}

/// The check of a path and the definition of steepness agree on random segments, legal and not.
#[test]
fn the_check_of_slopes_agrees_with_the_definition() {
    let mut random = Random::new(72);
    let (mut steep, mut fine) = (0, 0);
    for round in 0..1500 {
        let grid = hills(&mut random, false);
        let size = [0.5, 1.0, 30.0][round % 3];
        for _ in 0..4 {
            let [a, b] = [0, 1]
                .map(|_| crate::support::random_point(&mut random, &grid, Moves::ANY_ANGLE, true));
            let (climb, descent) = steepest(&grid, size, a, b);
            // A little more than needed, a little less, and limits of any kind.
            for part in [0.999, 1.001] {
                let slope = Slope::new(size).limits(climb * part, descent * part);
                let moves = Moves::ANY_ANGLE_SQUEEZE.with_slope(slope);
                let path = Path::new(&grid, moves, [a, b]);
                match path.check(&grid, moves) {
                    Err(Fault::Steep { .. }) => {
                        assert!(part < 1.0, "{a} {b} {climb} {descent}");
                        steep += 1;
                    }
                    Ok(()) => {
                        let level = climb.max(descent) < 1e-5;
                        assert!(part > 1.0 || level, "{a} {b} {climb} {descent}");
                        fine += 1;
                    }
                    Err(_) => {}
                }
            }
        }
    }
    assert!(steep > 1000 && fine > 1000, "{steep} {fine}");
}
