//! The Theta* family: a worked example, how long its paths are, and how often it looks.

use crate::support::plane::RULES;
use crate::support::{on, prepare, random_grid, random_point, rounds};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Error, Grid, Moves, Planner, Point, Query, Scratch, Slope, Status, generate,
};

const FAMILY: [&str; 5] = [
    "theta-star",
    "theta-star:reopen=off",
    "lazy-theta-star",
    "strict-theta-star",
    "strict-theta-star:reopen=on",
];

/// One blocked cell, C4 to D5, from B1 to E6 (letters are x from A = 0, numbers y). The optimum turns
/// at D4: √13 + √5 = 5.84. Theta* as published reaches E5 in sight of the start first and takes
/// B1-E5-E6 = 5 + 1, and expanding corners again does not help it. On the lattice it is 3√2 + 2.
#[test]
fn the_worked_example_of_one_blocked_cell() {
    let grid = Grid::from_fn(6, 7, |cell| cell != Cell::new(2, 4)).unwrap();
    let mut scratch = Scratch::new();
    let mut cost = |name: &str| {
        let query = Query::new(Point::new(1.0, 1.0), Point::new(4.0, 6.0));
        on(&grid, Moves::ANY_ANGLE_SQUEEZE).cost_by(name, &query, &mut scratch).unwrap()
    };
    let best = 13f64.sqrt() + 5f64.sqrt();
    assert!((cost("astar") - (3.0 * 2f64.sqrt() + 2.0)).abs() < 1e-9);
    assert!((cost("strict-theta-star") - best).abs() < 1e-9);
    assert_eq!(cost("theta-star"), 6.0);
    for name in FAMILY {
        let cost = cost(name);
        assert!((best - 1e-9..=6.0 + 1e-9).contains(&cost), "{name} {cost}");
    }
}

/// The shortest path by brute force: every pair of corners that see each other is joined.
/// Only for the rule that squeezes, where corners have no sides.
fn shortest(grid: &Grid, start: Point, goal: Point) -> f64 {
    let mut points = vec![start, goal];
    for y in 0..=grid.height() {
        for x in 0..=grid.width() {
            points.push(Cell::new(x, y).corner());
        }
    }
    let mut costs = vec![f64::INFINITY; points.len()];
    let mut done = vec![false; points.len()];
    costs[0] = 0.0;
    while let Some(at) = (0..points.len())
        .filter(|&i| !done[i] && costs[i].is_finite())
        .min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
    {
        if at == 1 {
            return costs[1];
        }
        done[at] = true;
        for next in 0..points.len() {
            let cost = costs[at] + points[at].distance(points[next]);
            if cost < costs[next]
                && grid.line_of_sight(points[at], points[next], Moves::ANY_ANGLE_SQUEEZE)
            {
                costs[next] = cost;
            }
        }
    }
    f64::INFINITY
}

/// Against brute force on small maps: never shorter than the optimum, and on average as much longer
/// as is known of each of them.
#[test]
fn lengths_against_the_optimum() {
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let mut scratch = Scratch::new();
    let (mut sums, mut count) = ([0.0; FAMILY.len()], 0);
    for mut round in rounds(2007, 600) {
        if round.grid.width() * round.grid.height() > 400 {
            continue;
        }
        let query = round.query(moves);
        let mut cost = |name| round.on(moves).cost_by(name, &query, &mut scratch);
        if cost("astar").is_none_or(|cost| cost == 0.0) {
            continue;
        }
        let best = shortest(&round.grid, query.start(), query.goal());
        count += 1;
        for (name, sum) in FAMILY.iter().zip(&mut sums) {
            let cost = cost(name).unwrap();
            assert!(cost >= best - 1e-9, "{name} {cost} < {best}");
            assert!(cost <= best * 1.1 + 1e-9, "{name} {cost} > {best}");
            *sum += cost / best;
        }
    }
    assert!(count > 300, "{count}");
    let means = sums.map(|sum| sum / f64::from(count));
    for (mean, limit) in means.into_iter().zip([1.003, 1.003, 1.003, 1.0004, 1.0004]) {
        assert!(mean < limit, "{means:?}");
    }
}

/// On average not longer than lattice A*; strict ones not longer than others; all of them legal.
#[test]
fn on_average_the_order_is_lattice_lazy_basic_strict() {
    let mut scratch = Scratch::new();
    for moves in RULES {
        let names = ["astar", "lazy-theta-star", "theta-star:reopen=off", "strict-theta-star"];
        let (mut sums, mut count) = ([0.0; 4], 0);
        for mut round in rounds(2010, 800) {
            let query = round.query(moves);
            let costs = names.map(|name| round.on(moves).cost_by(name, &query, &mut scratch));
            let Some(least) = costs[0].map(|_| query.start().distance(query.goal())) else {
                assert_eq!(costs, [None; 4]);
                continue;
            };
            for ((sum, cost), name) in sums.iter_mut().zip(costs).zip(names) {
                let cost = cost.unwrap();
                assert!(cost >= least - 1e-9, "{name}");
                *sum += cost;
            }
            count += u32::from(least > 0.0);
        }
        assert!(count > 400, "{count}");
        assert!(sums.is_sorted_by(|a, b| a >= b), "{moves} {sums:?}");
        assert!(sums[3] < sums[0] * 0.97, "{moves} {sums:?}");
    }
}

/// Lazy Theta* looks at most once for each expansion; all of them count.
#[test]
fn the_lazy_one_looks_at_most_once_per_expansion() {
    let mut scratch = Scratch::new();
    let (mut looks, mut expansions) = (0, 0);
    for mut round in rounds(2011, 400) {
        for moves in RULES {
            let query = round.query(moves);
            round.on(moves).cost_by("lazy-theta-star", &query, &mut scratch);
            let stats = scratch.stats();
            assert!(stats.sight_checks <= stats.expanded, "{stats:?}");
            looks += stats.sight_checks;
            expansions += stats.expanded;
        }
    }
    assert!(looks > 0 && looks < expansions, "{looks} {expansions}");
}

/// A limit that the path just keeps does not stop the search.
#[test]
fn a_limit_at_the_cost_of_the_path_is_kept() {
    let mut scratch = Scratch::new();
    for mut round in rounds(2012, 300) {
        for moves in RULES {
            let query = round.query(moves);
            for name in FAMILY {
                let planner = prepare(name, &round.grid, moves);
                round.on(moves).has_path_at_its_cost(&planner, &query, &mut scratch);
            }
        }
    }
}

/// Around a swamp and not through it; and the two that cannot price it say so.
#[test]
fn terrain_is_priced_or_refused() {
    let mut grid = Grid::new(9, 7).unwrap();
    for y in 1..7 {
        grid.set_cost((4, y), 50.0).unwrap();
    }
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(1, 3), Cell::new(7, 3));
    for moves in RULES {
        let planner = prepare("theta-star", &grid, moves);
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        scratch.path().check(&grid, moves).unwrap();
        // Over (4, 1) and (5, 1), the corners of the swamp.
        let around = 2.0 * 2.5f64.hypot(2.5) + 1.0;
        assert!((scratch.path().cost() - around).abs() < 1e-9, "{}", scratch.path());
        for name in ["lazy-theta-star", "strict-theta-star"] {
            let refused = Algorithm::named(name).unwrap().prepare(&grid, moves).err();
            assert!(matches!(refused, Some(Error::Unsupported { .. })), "{name}");
        }
    }
}

/// On terrain and slopes every successor was priced along the whole way from its parent: a line of
/// 16384 cells took 16 times as long as one of 4096, and over 13 s.
#[test]
fn long_lines_of_terrain_and_slopes_are_not_priced_again_for_each_successor() {
    let mut random = Random::new(16384);
    let mut scratch = Scratch::new();
    let slope = Slope::new(4.0).penalties(2.0, 0.5);
    let kinds = [None, Some(slope), Some(slope.limits(3.0, 3.0))];
    for kind in kinds {
        let mut work = |length: u32| {
            let mut grid = Grid::new(length, 1).unwrap();
            let mut numbers = || random.below(40) as f32 / 4.0;
            let moves = match kind {
                Some(slope) => {
                    grid.set_heights(&(0..length).map(|_| numbers()).collect::<Vec<_>>()).unwrap();
                    Moves::ANY_ANGLE.with_slope(slope)
                }
                None => {
                    for x in 0..length {
                        grid.set_cost((x, 0), 1.0 + f64::from(numbers())).unwrap();
                    }
                    Moves::ANY_ANGLE
                }
            };
            let query = Query::new(Cell::new(0, 0), Cell::new(length - 1, 0));
            let planner = prepare("theta-star", &grid, moves);
            assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
            scratch.path().check(&grid, moves).unwrap();
            // What the bound on links cuts is joined again: all of it is one straight line.
            assert_eq!(scratch.path().points().len(), 2, "{}", scratch.path());
            scratch.stats().priced_cells
        };
        let (short, long) = (work(1024), work(4096));
        assert!(long < 5 * short, "{kind:?}: {short} cells priced on 1024, {long} on 4096");
    }
}

/// Whether Theta* looks at every successor, as its authors do, or only where that can matter and
/// does not follow from what is known: the answer is the same.
#[test]
fn looking_at_every_successor_changes_no_answer() {
    let mut random = Random::new(2013);
    let mut scratch = Scratch::new();
    let slope = Slope::new(4.0).penalties(2.0, 0.5).limits(0.8, 1.1);
    let (mut gated, mut always) = (0, 0);
    for round in 0..300 {
        let (grid, slope) = match round % 10 {
            9 => (generate::terrain(24, 20, 0.6, 60.0, round).unwrap(), Some(slope)),
            kind => (random_grid(&mut random, kind == 8), None),
        };
        for moves in RULES {
            let moves = slope.map_or(moves, |slope| moves.with_slope(slope));
            let start = random_point(&mut random, &grid, moves, true);
            let query = Query::new(start, random_point(&mut random, &grid, moves, true));
            for reopen in ["on", "off"] {
                let mut answer = |sight: &str| {
                    let name = format!("theta-star:reopen={reopen}:sight={sight}");
                    let status = prepare(&name, &grid, moves).find(&grid, &query, &mut scratch);
                    let stats = *scratch.stats();
                    let counters = (stats.expanded, stats.opened, stats.improved);
                    ((status, scratch.path().clone(), counters), stats.sight_checks)
                };
                let (one, looks) = answer("gated");
                let (two, more) = answer("always");
                assert_eq!(one, two, "{moves} {query:?}");
                gated += looks;
                always += more;
            }
        }
    }
    assert!(3 * gated < 2 * always, "{gated} looks where they matter, {always} in all");
}
