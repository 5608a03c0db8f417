//! A search in slices is the same search.

use super::interruption::detour;
use crate::support::{
    Case, Record, all_moves, at_least, cases, cases_on_hills, for_each_planner, grounds_on, record,
};
use blockstar::random::Random;
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Query, Scratch, Stats, Status};
use std::time::Instant;

/// Answers a query slice by slice. Every slice makes progress: expansions or, in real time, moves,
/// and the agent never takes one back.
pub fn in_slices(
    case: &mut Case,
    query: &Query,
    scratch: &mut Scratch,
    mut slice: impl FnMut() -> Budget,
) -> Record {
    case.note(query);
    let (planner, grid, real_time) = (&case.planner, &case.grid, case.is_real_time());
    planner.begin(grid, query, scratch).unwrap();
    let mut walk = scratch.walk().to_vec();
    loop {
        let before = *scratch.stats();
        let status = planner.resume(grid, scratch, slice()).unwrap();
        let now = *scratch.stats();
        assert!(scratch.walk().starts_with(&walk), "a move taken back");
        walk.extend_from_slice(&scratch.walk()[walk.len()..]);
        if real_time {
            assert_eq!(now.moves, walk.len().saturating_sub(1) as u64);
        }
        if status != Status::Working {
            if real_time && status.has_path() {
                assert!(scratch.path().cells().map(Cell::centre).eq(walk.iter().copied()));
            }
            assert_eq!(planner.resume(grid, scratch, Budget::UNLIMITED), Ok(status));
            return record(status, scratch);
        }
        if real_time {
            let turns = |stats: Stats| stats.moves + stats.waits;
            assert!(turns(now) > turns(before), "a slice without a move");
        } else {
            // A masked search that has found nothing may start over, and counts from the beginning.
            let restarts = query.avoided().is_some();
            assert!(restarts || now.expanded > before.expanded, "a slice without progress");
        }
        assert!(scratch.path().is_empty(), "a path before the end");
    }
}

/// Status, points, cost to the last bit and statistics, for slices of 1, 2, 7 and random numbers of
/// expansions and for deadlines that have passed.
#[test]
fn a_sliced_search_equals_an_unsliced_one_to_the_last_bit() {
    let mut whole = Scratch::new();
    let mut compared = 0;
    for_each_planner(cases(64, 75, &all_moves()), |case, sliced| {
        for _ in 0..2 {
            let query = case.query_with_options();
            let expected = case.answer(&query, &mut whole);
            let past = Instant::now();
            let some = 1 + case.random.below(100);
            let mut sizes = case.random.clone();
            for size in [1, 2, 7, some, 0, u64::MAX] {
                let slice = || match size {
                    0 => Budget::expansions(1 + sizes.below(20)),
                    u64::MAX => Budget::until(past),
                    size => Budget::expansions(size).and_until(past),
                };
                let got = in_slices(case, &query, sliced, slice);
                assert_eq!(got, expected, "slices of {size}");
                compared += 1;
            }
        }
    });
    at_least("sliced searches", compared, 30_000);
}

/// Open ground is full of ties, and slicing must not change how they are broken.
#[test]
fn slices_do_not_change_how_ties_are_broken() {
    let mut random = Random::new(65);
    let mut whole = Scratch::new();
    let maps =
        [0, 5, 15].map(|blocked| Grid::from_fn(40, 30, |_| !random.chance(blocked, 100)).unwrap());
    let rules = all_moves();
    let cases = grounds_on(65, maps, &rules).flat_map(|ground| ground.into_cases());
    for_each_planner(cases, |case, sliced| {
        for _ in 0..20 {
            let query = case.cell_query();
            let expected = case.answer(&query, &mut whole);
            for size in [1, 3] {
                let slice = || Budget::expansions(size);
                let got = in_slices(case, &query, sliced, slice);
                assert_eq!(got, expected, "slices of {size}");
            }
        }
    });
}

/// A slice of n expansions makes at most n. In real time that holds for slices of two moves or
/// more, a move is never cut short, and a slice of one expansion is one move.
#[test]
fn a_slice_keeps_to_its_budget() {
    for_each_planner(cases(66, 60, &all_moves()), |case, scratch| {
        let query = case.cell_query();
        let size = 1 + case.random.below(9);
        case.note(&query);
        case.planner.begin(&case.grid, &query, scratch).unwrap();
        let mut before = *scratch.stats();
        loop {
            let slice = Budget::expansions(size);
            let status = case.planner.resume(&case.grid, scratch, slice).unwrap();
            let now = *scratch.stats();
            let moved = now.moves + now.waits - before.moves - before.waits;
            let kept = now.expanded - before.expanded <= size && moved <= size;
            assert!(kept || moved == 1, "slices of {size}: {before:?} {now:?}");
            before = now;
            if status != Status::Working {
                break;
            }
        }
    });
}

#[test]
fn slices_need_no_more_than_the_search_has_expansions() {
    let (grid, query) = detour();
    let planner = Algorithm::named("dijkstra").unwrap();
    let planner = planner.prepare(&grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    planner.begin(&grid, &query, &mut scratch).unwrap();
    let mut slices = 1;
    while planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap() == Status::Working {
        slices += 1;
    }
    assert!(slices <= scratch.stats().expanded + 1);
}

/// Slices and used memory change nothing on slopes either.
#[test]
fn sliced_and_reused_searches_agree_on_slopes() {
    let mut asked = 0;
    for_each_planner(cases_on_hills(63, 150), |case, used| {
        let query = case.cell_query();
        let expected = case.fresh_answer(&query);
        assert_eq!(case.answer(&query, used), expected);
        let mut sizes = case.random.clone();
        let slice = || Budget::expansions(1 + sizes.below(7));
        assert_eq!(in_slices(case, &query, used, slice), expected, "sliced");
        asked += 1;
    });
    at_least("queries", asked, 1_200);
}
