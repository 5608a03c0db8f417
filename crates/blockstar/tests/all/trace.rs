//! What a trace records is what the search did.

use crate::support::{Case, all_moves, cases, step_cost};
use blockstar::{Columns, Event, Grid, Point, Query, Scratch, Trace};

/// The events of a query, whose answer must be the same without a trace.
fn trace(case: &mut Case, query: &Query) -> (Vec<Event>, Scratch) {
    let plain = case.fresh_answer(query);
    let mut scratch = Scratch::new();
    scratch.record(usize::MAX);
    assert_eq!(case.answer(query, &mut scratch), plain, "{} with a trace", case.row.name);
    (scratch.trace().map(|trace| trace.events().collect()).unwrap_or_default(), scratch)
}

fn count(events: &[Event], is_it: impl Fn(&Event) -> bool) -> u64 {
    events.iter().filter(|event| is_it(event)).count() as u64
}

#[test]
fn every_planner_answers_the_same_with_a_trace_and_counts_what_it_records() {
    for mut case in cases(41, 12, &all_moves()) {
        let query = case.cell_query();
        let (events, scratch) = trace(&mut case, &query);
        let (name, stats) = (case.row.name, scratch.stats());
        let expanded = count(&events, |event| matches!(event, Event::Expanded { .. }));
        match name {
            _ if case.row.blocks || stats.planner == Some("block-astar") => assert_eq!(expanded, 0),
            // Its three planners search in memory of their own; islands are searched off the map.
            "three-step" | "island" => {}
            // They follow what was prepared, and learn as LRTA* where that fails.
            "dba-star" | "hcdps" | "knn-lrta-star" | "subgoal-lrta-star" | "d-lrta-star" => {}
            _ => assert_eq!(expanded, stats.expanded, "{name}"),
        }
        let rounds = count(&events, |event| matches!(event, Event::Round { .. }));
        assert_eq!(rounds, stats.rounds, "{name}");
        let looks = count(&events, |event| matches!(event, Event::Sight { .. }));
        if name.contains("theta") && !case.grid.has_costs() {
            assert_eq!(looks, stats.sight_checks, "{name}");
        }
        let moved = count(&events, |event| matches!(event, Event::Moved { .. }));
        assert_eq!(moved, stats.moves, "{name}");
    }
}

#[test]
fn parents_rays_looks_and_intervals_are_those_of_the_map() {
    let mut seen = std::collections::BTreeSet::new();
    for mut case in cases(42, 12, &all_moves()) {
        let query = case.cell_query();
        let (events, scratch) = trace(&mut case, &query);
        let name = case.row.name;
        let mut reached: Vec<(Point, f64)> = vec![(query.start(), 0.0)];
        let (mut place, mut last) = (query.start(), None);
        for event in &events {
            check(&case, event, &mut reached, &mut place, last);
            last = Some(*event);
            seen.insert(kind(event));
        }
        if scratch.stats().moves > 0 && scratch.path().points().len() > 1 {
            assert_eq!(Some(&place), scratch.path().points().last(), "{name}");
        }
    }
    // None of this may pass because nothing was recorded.
    let all = Columns::KINDS.iter().filter(|kind| !["blind"].contains(kind));
    assert!(
        all.clone().all(|kind| seen.contains(kind)),
        "{seen:?} of {:?}",
        all.collect::<Vec<_>>()
    );
}

/// Holds an event against the map and against the events before it.
fn check(
    case: &Case,
    event: &Event,
    reached: &mut Vec<(Point, f64)>,
    place: &mut Point,
    last: Option<Event>,
) {
    let (grid, moves, name) = (&case.grid, case.moves, case.row.name);
    match *event {
        Event::Opened { at, from, g, f } | Event::Improved { at, from, g, f } => {
            assert!(f >= g - 1e-9 || name == "greedy" || name.starts_with("astar-mod"), "{name}");
            if ["astar", "dijkstra"].contains(&name) && !moves.rule().is_any_angle() {
                let from = from.expect("a parent");
                let known = reached.iter().rfind(|node| node.0 == from).expect("a known parent");
                let step = step(grid, case, from, at);
                assert!((known.1 + step - g).abs() < 1e-6, "{name}: {from} to {at}");
            }
            if name == "jps" {
                // Diagonally first, then straight.
                let from = from.expect("a parent");
                let (dx, dy) = ((at.x() - from.x()).abs(), (at.y() - from.y()).abs());
                let length = dx.max(dy) + (moves.diagonal().length() - 1.0) * dx.min(dy);
                let known = reached.iter().rfind(|node| node.0 == from).expect("a known parent");
                assert!((known.1 + length - g).abs() < 1e-6, "{from} to {at}");
            }
            reached.push((at, g));
        }
        Event::Expanded { at, from: Some(from), .. } if name == "astar" => {
            let step = step_of(grid, case, from, at);
            assert!(step.is_some(), "{from} is not next to {at}");
        }
        Event::Ray { from, to } => {
            let steps = (to.x() - from.x()).abs().max((to.y() - from.y()).abs());
            for i in 0..=steps as u32 {
                let part = if steps > 0.0 { f64::from(i) / steps } else { 0.0 };
                let at = |a: f64, b: f64| a + (b - a) * part;
                let cell = Point::new(at(from.x(), to.x()), at(from.y(), to.y())).as_centre();
                assert!(grid.is_free(cell.expect("a centre")), "{from} to {to}");
            }
        }
        Event::Sight { from, to, clear } => {
            // At the ends of a query it also matters on which side of a double corner they lie.
            let sees = grid.line_of_sight(from, to, moves);
            assert!(sees || !clear, "{name}: {from} does not see {to}");
        }
        Event::Interval { left, right } => {
            assert!(left.x() <= right.x() && left.y() == right.y());
            let node = matches!(last, Some(Event::Opened { .. } | Event::Expanded { .. }));
            assert!(node, "after {last:?}");
        }
        Event::Raised { before, after, .. } => assert!(after > before),
        Event::Round { before, bound, .. } => assert!(bound > before || bound == 0.0, "{name}"),
        Event::Moved { at, from } => {
            assert_eq!(from, Some(*place), "{name}");
            *place = at;
        }
        _ => {}
    }
}

fn step_of(grid: &Grid, case: &Case, from: Point, at: Point) -> Option<f64> {
    let Some((a, b)) = from.as_centre().zip(at.as_centre()) else { return Some(0.0) };
    let cell = |cell: blockstar::Cell| (i64::from(cell.x), i64::from(cell.y));
    step_cost(grid, case.moves, cell(a), cell(b))
}

fn step(grid: &Grid, case: &Case, from: Point, at: Point) -> f64 {
    step_of(grid, case, from, at).unwrap_or_else(|| panic!("{from} is not next to {at}"))
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Opened { .. } => "opened",
        Event::Improved { .. } => "improved",
        Event::Expanded { .. } => "expanded",
        Event::Block { .. } => "block",
        Event::Moved { .. } => "moved",
        Event::Interval { .. } => "interval",
        Event::Ray { .. } => "ray",
        Event::Sight { .. } => "sight",
        Event::Raised { .. } => "raised",
        Event::Round { .. } => "round",
        Event::Level { .. } => "level",
        _ => "unknown",
    }
}

#[test]
fn windows_of_a_long_search_are_parts_of_the_whole() {
    let grid = blockstar::generate::random(60, 60, 25.0, 3).unwrap();
    let (start, goal) = blockstar::generate::queries(&grid, 1, 1)[0];
    let planner = blockstar::Algorithm::named("bidirectional-astar").unwrap();
    let planner = planner.prepare(&grid, blockstar::Moves::EIGHT).unwrap();
    let query = Query::new(start, goal);
    let mut scratch = Scratch::new();
    let mut run = |skip: u64, limit: usize| -> Trace {
        scratch.record_after(skip, limit);
        planner.find(&grid, &query, &mut scratch).unwrap();
        scratch.trace().unwrap().clone()
    };
    let whole = run(0, usize::MAX);
    assert!(whole.columns().kinds.iter().any(|kind| kind & Columns::BACKWARD != 0));
    let part = run(100, 50);
    assert_eq!(part.columns().at, &whole.columns().at[100..150]);
    assert_eq!(part.columns().kinds, &whole.columns().kinds[100..150]);
    assert_eq!(part.skipped() + part.len() as u64 + part.dropped(), whole.len() as u64);
    let beyond = run(whole.len() as u64 + 5, 50);
    assert_eq!((beyond.len(), beyond.skipped()), (0, whole.len() as u64));
}
