//! When a limit ends the search, [`Query::partial`] leads as far as the search got.

use super::slicing::in_slices;
use crate::support::{
    Case, all_hills, all_moves, at_least, cases_of_every_kind, cases_on, expect_more, grounds,
};
use blockstar::{
    Algorithm, Budget, Error, Event, Grid, Heuristic, Mask, Planner, Point, Query, Scratch, Status,
};

/// What the planner estimates between two points on flat ground.
fn estimate(case: &Case, a: Point, b: Point) -> f64 {
    let (dx, dy) = ((a.x() - b.x()).abs(), (a.y() - b.y()).abs());
    match case.row.default_heuristic(case.moves) {
        Heuristic::Manhattan => dx + dy,
        Heuristic::Octile => dx.max(dy) + (2f64.sqrt() - 1.0) * dx.min(dy),
        _ => dx.hypot(dy),
    }
}

/// Asks for a partial path: legal, from the start, within the limit of cost, no farther from the
/// goal than the start or anything that was expanded; the same in slices and in fresh memory. Apart
/// from the path, the answer is that of the plain query. Returns the status, and how much closer
/// the path comes.
fn ask(case: &mut Case, query: &Query, scratch: &mut Scratch) -> (Status, f64) {
    let plain = case.answer(query, scratch);
    let wanted = query.clone().partial();
    let got = case.answer(&wanted, scratch);
    assert_eq!(got.status, plain.status);
    assert_eq!(case.fresh_answer(&wanted), got, "fresh memory");
    let size = 1 + case.random.below(5);
    let slices = in_slices(case, &wanted, scratch, || Budget::expansions(size));
    assert_eq!(slices, got, "slices of {size}");
    if got.status != Status::LimitReached {
        assert_eq!(got, plain);
        return (got.status, 0.0);
    }
    if query.cost_limit().is_none() {
        assert_eq!(got.stats.expanded, plain.stats.expanded);
    }
    let path = scratch.path();
    path.check(&case.grid, case.moves).unwrap();
    assert!(path.cost() <= query.cost_limit().unwrap_or(f64::INFINITY), "{path}");
    let (start, goal) = (query.start(), query.goal());
    assert_eq!(path.points()[0], start);
    let end = estimate(case, path.points()[path.points().len() - 1], goal);
    let before = estimate(case, start, goal);
    assert!(end <= before, "{end} from the goal, the start {before}: {path}");
    if !case.row.blocks {
        let mut traced = Scratch::new();
        traced.record(10_000);
        assert_eq!(case.answer(&wanted, &mut traced), got, "with a trace");
        let limit = query.cost_limit().unwrap_or(f64::INFINITY);
        for event in traced.trace().unwrap().events() {
            if let Event::Expanded { at, g, .. } = event
                && g < limit * (1.0 - 1e-9)
            {
                let there = estimate(case, at, goal);
                assert!(end <= there + 1e-9, "{at} is {there} from the goal, {path} {end}");
            }
        }
    }
    (got.status, before - end)
}

/// Limits from nothing to more than enough: the last answer is the one without them.
#[test]
fn a_partial_path_leads_as_far_as_the_search_came() {
    let mut scratch = Scratch::new();
    let [mut asked, mut partial, mut closer, mut found] = [0; 4];
    let rules = all_moves();
    let grounds = grounds(95, 18, &rules).chain(all_hills(95, 12));
    for mut case in grounds.flat_map(|ground| ground.into_cases_of(|row| row.partial)) {
        let query = case.query();
        let expected = case.answer(&query, &mut scratch);
        let mut count = |(status, gain): (Status, f64)| {
            asked += 1;
            partial += u64::from(status == Status::LimitReached);
            closer += u64::from(gain > 0.0);
            found += u64::from(status == Status::Found);
            status
        };
        let mut limit = 0;
        loop {
            let status = count(ask(&mut case, &query.clone().max_expansions(limit), &mut scratch));
            if status != Status::LimitReached {
                assert_eq!(status, expected.status);
                break;
            }
            limit = 2 * limit + 1;
        }
        for part in [0.0, 0.2, 0.5, 0.9, 0.999, 1.0] {
            let limit = f64::from_bits(expected.cost_bits) * part;
            count(ask(&mut case, &query.clone().max_cost(limit), &mut scratch));
        }
        // Other estimates, none at all, and real weights.
        let other = query.clone().heuristic(Heuristic::Zero).max_expansions(4).partial();
        case.find(&other, &mut scratch);
        assert!(scratch.path().is_empty() || scratch.path().check(&case.grid, case.moves).is_ok());
        if case.row.weight {
            ask(&mut case, &query.clone().weight(3.0).max_expansions(5), &mut scratch);
        }
    }
    expect_more!(asked > 5_000, partial > 1_500, closer > 700, found > 1_000);
}

/// Dijkstra's algorithm estimates nothing, and yet its partial path leads towards the goal.
#[test]
fn on_open_ground_a_partial_path_leads_towards_the_goal() {
    let grid = Grid::new(64, 64).unwrap();
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_moves()) {
        if !case.row.partial {
            continue;
        }
        let query = Query::new((1, 1), (60, 40)).max_expansions(40).partial();
        let status = case.find(&query, &mut scratch);
        if status == Status::LimitReached {
            let (path, goal) = (scratch.path(), query.goal());
            let end = path.points()[path.points().len() - 1];
            assert!(end.distance(goal) + 2.0 < query.start().distance(goal), "{path}");
        }
        let query = Query::new((1, 1), (60, 40)).max_cost(20.0).partial();
        let status = case.find(&query, &mut scratch);
        assert_eq!(status, Status::LimitReached);
        // Jump points and subgoals may be farther away than the limit permits to go.
        let leaps = ["jps", "subgoal"].contains(&case.row.name);
        assert!(scratch.path().cost() > 10.0 || leaps, "{}", scratch.path());
    }
}

/// With cells to be avoided and a substitute goal, too.
#[test]
fn a_partial_path_avoids_what_the_query_avoids() {
    let grid = Grid::new(40, 40).unwrap();
    let wall: Mask = (5..40).map(|y| (20, y)).collect();
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_moves()) {
        if !case.row.partial {
            continue;
        }
        let query = Query::new((10, 30), (30, 30)).avoid(&wall).max_cost(25.0).partial();
        assert_eq!(case.find(&query, &mut scratch), Status::LimitReached);
        assert!(scratch.path().cells().all(|cell| cell.x < 20 || cell.y < 5));
        assert!(scratch.path().cost() <= 25.0);
        let mut ring = wall.clone();
        ring.extend((29..32).flat_map(|x| (29..32).map(move |y| (x, y))));
        let query = query.avoid(&ring).nearest();
        assert_eq!(case.find(&query, &mut scratch), Status::LimitReached);
        scratch.path().check(&case.grid, case.moves).unwrap();
        let path = scratch.take_path();
        assert!(!path.is_empty() && scratch.path().is_empty());
        let again = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
        assert_eq!(again, Err(Error::NotBegun));
    }
}

#[test]
fn who_tells_no_partial_path_names_a_planner_that_does() {
    let (mut scratch, mut refused) = (Scratch::new(), 0);
    let query = Query::new((1, 4), (7, 4)).max_expansions(1).partial();
    for mut case in cases_of_every_kind() {
        if case.row.partial {
            case.find(&query, &mut scratch);
            continue;
        }
        refused += 1;
        let error = case.try_find(&query, &mut scratch).unwrap_err();
        let status = case.named_instead(&error).find(&case.grid, &query, &mut scratch);
        assert_eq!(status, Ok(Status::LimitReached), "{error}");
        assert!(!scratch.path().is_empty());
    }
    at_least("refusals", refused, 100);
    for name in ["astar", "dijkstra", "greedy", "weighted-astar", "jps", "block-astar"] {
        assert!(Algorithm::named(name).unwrap().algorithm().partial, "{name}");
    }
}

/// The option is part of the query.
#[test]
fn a_query_for_a_partial_path_is_another_query() {
    let query = Query::new((0, 0), (1, 1));
    assert!(!query.wants_partial() && query.clone().partial().wants_partial());
    assert_ne!(query.clone().partial(), query);
}
