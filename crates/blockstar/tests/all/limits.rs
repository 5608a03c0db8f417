//! Limits, refusals and substitutes: every query gets the answer that its words promise.

use crate::support::{
    CornerOracle, all_cell_moves, all_costs, all_moves, best_cost, close, planners,
    random_free_cell, random_grid, random_point,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Error, Grid, Moves, Point, Promise, Query, Scratch, Status, Tile,
};

/// A limit exactly at the cost of the path is kept; below it the answer is that a limit was
/// reached, not that there is no path; and where there is none, no limit changes that.
#[test]
fn a_cost_limit_is_reached_exactly_when_every_path_costs_more() {
    let mut random = Random::new(41);
    let mut scratch = Scratch::new();
    let mut counts = [0; 3];
    for round in 0..100 {
        let grid = random_grid(&mut random, round % 3 == 2);
        for moves in all_moves() {
            for (algorithm, planner) in planners(&grid, moves) {
                let free = algorithm.free_points;
                let start = random_point(&mut random, &grid, moves, free);
                let query = Query::new(start, random_point(&mut random, &grid, moves, free));
                let context = || {
                    let map = blockstar::format::ascii::draw(&grid);
                    format!("{} {moves} {query:?}\n{map}", algorithm.name)
                };
                let mut find = |query: Query| {
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    assert_eq!(status.has_path(), !scratch.path().is_empty(), "{}", context());
                    (status, scratch.path().cost())
                };
                let (status, cost) = find(query.clone());
                if status == Status::NoPath {
                    counts[0] += 1;
                    for limit in [0.0, 1.0, 1e6, f64::INFINITY] {
                        let limited = find(query.clone().max_cost(limit));
                        assert_eq!(limited.0, Status::NoPath, "limit {limit} {}", context());
                    }
                    continue;
                }
                assert_eq!(status, Status::Found, "{}", context());
                // How much more than the best path the planner may need.
                let slack = match algorithm.promise {
                    Promise::Optimal => 1.0,
                    Promise::Within(factor) => factor,
                    _ => f64::INFINITY,
                };
                for part in [0.0, 0.3, 0.9, 1.0 - 1e-6, 1.0, 1.0 + 1e-6, 1.3, 3.0] {
                    let limit = cost * part;
                    let (status, limited) = find(query.clone().max_cost(limit));
                    counts[if status == Status::Found { 1 } else { 2 }] += 1;
                    if status == Status::Found {
                        assert!(limited <= limit, "{limited} > {limit} {}", context());
                    } else {
                        assert_eq!(status, Status::LimitReached, "limit {limit} {}", context());
                    }
                    if slack == 1.0 {
                        let expected = limit >= cost;
                        // Free points are rounded to 1/195025 of a cell: no finer than that.
                        let near = (limit - cost).abs() < 1e-5 * cost.max(1.0) && part != 1.0;
                        if !near || !moves.rule().is_any_angle() {
                            assert_eq!(status == Status::Found, expected, "{part} {}", context());
                        }
                    } else if part >= slack {
                        assert_eq!(status, Status::Found, "limit {limit} {}", context());
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 800), "{counts:?}");
}

#[test]
fn an_expansion_limit_is_kept_and_changes_nothing_when_it_is_large_enough() {
    let mut random = Random::new(42);
    let mut scratch = Scratch::new();
    for round in 0..60 {
        let grid = random_grid(&mut random, round % 3 == 2);
        for moves in all_moves() {
            for (algorithm, planner) in planners(&grid, moves) {
                let start = random_free_cell(&mut random, &grid);
                let query = Query::new(start, random_free_cell(&mut random, &grid));
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let path = scratch.path().clone();
                let needed = scratch.stats().expanded;
                for limit in [0, 1, needed / 2, needed.saturating_sub(1), needed + 1, u64::MAX] {
                    let limited = query.clone().max_expansions(limit);
                    let got = planner.find(&grid, &limited, &mut scratch).unwrap();
                    let name = algorithm.name;
                    assert!(scratch.stats().expanded <= limit, "{name} {moves} {limit}");
                    if limit > needed {
                        assert_eq!((got, scratch.path()), (status, &path), "{name} {moves}");
                    } else if limit < needed {
                        assert_eq!(got, Status::LimitReached, "{name} {moves} {limit}");
                    }
                }
            }
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let grid = Grid::new(4, 4).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(3, 3));
    let mut scratch = Scratch::new();
    for moves in all_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            let name = algorithm.name;
            for weight in [f64::NAN, 0.0, 0.999, -1.0, 1000.001, f64::INFINITY] {
                let answer = planner.find(&grid, &query.clone().weight(weight), &mut scratch);
                // Planners without a weight may say so instead.
                let refused = matches!(
                    answer,
                    Err(Error::Range { what: "the weight", .. } | Error::Unsupported { .. })
                );
                assert!(refused, "{name} weight {weight}: {answer:?}");
            }
            for limit in [f64::NAN, -1.0, -1e-300, f64::NEG_INFINITY] {
                let answer = planner.find(&grid, &query.clone().max_cost(limit), &mut scratch);
                let refused = matches!(answer, Err(Error::Range { what: "the cost limit", .. }));
                assert!(refused, "{name} limit {limit}: {answer:?}");
            }
            // A weight of 1 is no weight.
            let answer = planner.find(&grid, &query.clone().weight(1.0), &mut scratch);
            assert_eq!(answer, Ok(Status::Found), "{name}");
        }
    }
    let weighted = Algorithm::named("weighted-astar").unwrap();
    let weighted = weighted.prepare(&grid, Moves::EIGHT).unwrap();
    for weight in [f64::NAN, 0.999, 1000.001] {
        let answer = weighted.find(&grid, &query.clone().weight(weight), &mut scratch);
        let text = answer.unwrap_err().to_string();
        assert!(text.contains("must be a number from 1 to 1000"), "{text}");
    }
    for weight in [1.0, 1000.0] {
        let answer = weighted.find(&grid, &query.clone().weight(weight), &mut scratch);
        assert_eq!(answer, Ok(Status::Found));
    }
}

#[test]
fn ends_outside_the_map_are_refused_and_blocked_ends_have_no_path() {
    let mut grid = Grid::new(5, 4).unwrap();
    grid.set((2, 1), Tile::Blocked).unwrap();
    let (free, blocked) = (Cell::new(0, 0), Cell::new(2, 1));
    let mut scratch = Scratch::new();
    for moves in all_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            let mut find =
                |start, goal| planner.find(&grid, &Query::new(start, goal), &mut scratch);
            let name = algorithm.name;
            for outside in [Cell::new(5, 0), Cell::new(0, 4), Cell::new(1000, 1000)] {
                let start = find(outside, free);
                let is_outside = |answer: &Result<Status, Error>, end: &str| match answer {
                    Err(Error::Outside { what, .. } | Error::OutsidePoint { what, .. }) => {
                        *what == end
                    }
                    _ => false,
                };
                assert!(is_outside(&start, "start"), "{name}");
                let goal = find(free, outside);
                assert!(is_outside(&goal, "goal"), "{name}");
            }
            assert_eq!(find(blocked, free), Ok(Status::NoPath), "{name}");
            assert_eq!(find(free, blocked), Ok(Status::NoPath), "{name}");
            assert_eq!(find(blocked, blocked), Ok(Status::NoPath), "{name}");
            assert_eq!(find(free, free), Ok(Status::Found), "{name}");
            assert_eq!(scratch.path().points(), [free.centre()], "{name}");
            assert_eq!(scratch.path().cost(), 0.0, "{name}");
            scratch.path().check(&grid, moves).unwrap();
            // A blocked start has no reachable cells, so there is no nearest one either.
            let query = Query::new(blocked, free).nearest();
            assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::NoPath), "{name}");
        }
    }
}

#[test]
fn free_points_under_the_cell_rules_are_refused() {
    let grid = Grid::new(5, 4).unwrap();
    let mut scratch = Scratch::new();
    for moves in all_cell_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            for point in [Point::new(1.0, 1.0), Point::new(1.5, 1.25), Point::new(-0.5, 0.5)] {
                for query in
                    [Query::new(point, Cell::new(0, 0)), Query::new(Cell::new(0, 0), point)]
                {
                    let answer = planner.find(&grid, &query, &mut scratch);
                    let refused = matches!(answer, Err(Error::Unsupported { .. }));
                    assert!(refused, "{} {answer:?}", algorithm.name);
                }
            }
        }
    }
}

/// The reachable cell whose centre is nearest to the goal, of several the topmost, then leftmost.
fn nearest_cell(grid: &Grid, reachable: impl Fn(Cell) -> bool, goal: Point) -> Cell {
    let mut best: Option<(i64, Cell)> = None;
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let cell = Cell::new(x, y);
            if !reachable(cell) {
                continue;
            }
            // In units of 1/1024: exact.
            let units = |v: f64| (v * 1024.0) as i64;
            let dx = units(cell.centre().x()) - units(goal.x());
            let dy = units(cell.centre().y()) - units(goal.y());
            let square = dx * dx + dy * dy;
            if best.is_none_or(|(least, _)| square < least) {
                best = Some((square, cell));
            }
        }
    }
    best.unwrap().1
}

#[test]
fn the_nearest_reachable_cell_is_found_when_the_goal_is_not() {
    let mut random = Random::new(43);
    let mut scratch = Scratch::new();
    let mut substitutes = 0;
    for round in 0..250 {
        let grid = random_grid(&mut random, round % 3 == 2);
        for moves in all_moves() {
            let any_angle = moves.rule().is_any_angle();
            if any_angle && grid.width() * grid.height() > 400 {
                continue;
            }
            let oracle = any_angle.then(|| CornerOracle::new(&grid, moves));
            let start = random_free_cell(&mut random, &grid);
            if !grid.is_free(start) {
                continue;
            }
            let mut goal = random_point(&mut random, &grid, moves, true);
            if random.chance(1, 2) {
                // Anywhere, in walls too.
                let cell = crate::support::random_cell(&mut random, &grid);
                goal = cell.centre();
                if any_angle {
                    let part = |random: &mut Random| random.below(1025) as f64 / 1024.0;
                    let (x, y) = (f64::from(cell.x), f64::from(cell.y));
                    goal = Point::new(x + part(&mut random), y + part(&mut random));
                }
            }
            let goal_cell = grid.cell_of(goal).unwrap();
            let stepping = match (any_angle, moves.rule().squeezes()) {
                (false, _) => moves,
                (true, true) => Moves::EIGHT_CUT_ANY,
                (true, false) => Moves::FOUR,
            };
            let costs = all_costs(&grid, stepping, start);
            let reachable = |c: Cell| costs[(c.y * grid.width() + c.x) as usize].is_finite();
            let substitute = !reachable(goal_cell);
            substitutes += u32::from(substitute);
            let (end, end_cell) = if !substitute {
                (goal, goal_cell)
            } else {
                let cell = nearest_cell(&grid, reachable, goal);
                let inside = Point::new(
                    goal.x().clamp(f64::from(cell.x), f64::from(cell.x) + 1.0),
                    goal.y().clamp(f64::from(cell.y), f64::from(cell.y) + 1.0),
                );
                (if any_angle { inside } else { cell.centre() }, cell)
            };
            let best = match &oracle {
                _ if start.centre() == end => 0.0,
                Some(oracle) => oracle.cost(start.centre(), start, end, end_cell),
                None => best_cost(&grid, moves, start, end_cell),
            };
            for (algorithm, planner) in planners(&grid, moves) {
                if goal.as_centre().is_none() && !algorithm.free_points {
                    continue;
                }
                let context = || {
                    let map = blockstar::format::ascii::draw(&grid);
                    format!("{} {moves} {start} -> {goal}\n{map}", algorithm.name)
                };
                let query = Query::new(start, goal).nearest();
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let expected = if substitute { Status::Nearest } else { Status::Found };
                assert_eq!(status, expected, "{}", context());
                let path = scratch.path();
                path.check(&grid, moves).unwrap();
                assert_eq!(path.points()[0], start.centre(), "{}", context());
                assert_eq!(path.points().last(), Some(&end), "{}", context());
                let kept = match algorithm.promise {
                    Promise::Optimal if any_angle => path.cost() <= best * (1.0 + 1e-5) + 1e-5,
                    Promise::Optimal => close(path.cost(), best),
                    Promise::Within(factor) => path.cost() <= best * factor + 1e-5,
                    _ => true,
                };
                assert!(kept, "{} not {best}: {path} {}", path.cost(), context());
                // The same with limits: the substitute is subject to them as the goal would be.
                // (Any-angle paths may be shorter than those on the lattice.)
                let limit = best.min(path.cost()) * 0.99;
                if limit > 0.0 {
                    let tight = query.clone().max_cost(limit);
                    let status = planner.find(&grid, &tight, &mut scratch).unwrap();
                    assert_eq!(status, Status::LimitReached, "{}", context());
                }
            }
        }
    }
    assert!(substitutes > 500, "{substitutes}");
}
