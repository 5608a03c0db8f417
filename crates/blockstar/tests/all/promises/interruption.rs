//! Searches that are abandoned, outdated, refused or taken over leave nothing wrong behind.

use crate::support::{
    Case, all_moves, at_least, cases, cases_on, choices, expect_more, for_each_planner, grounds,
    record,
};
use blockstar::{Budget, Cell, Error, Grid, Heuristic, Query, Scratch, Status, Tile};
use std::collections::HashMap;

/// A map with a long way round, so that no planner is done at once: a drawing, four times as large.
pub fn detour() -> (Grid, Query) {
    let drawing = Grid::from_ascii(
        "..........
         .########.
         ........#.
         .######.#.
         ......#.#.
         ..........",
    )
    .unwrap();
    let grid = Grid::from_fn(4 * drawing.width(), 4 * drawing.height(), |cell| {
        drawing.is_free(Cell::new(cell.x / 4, cell.y / 4))
    });
    (grid.unwrap(), Query::new(Cell::new(10, 10), Cell::new(30, 22)))
}

pub fn is_stale<T>(answer: &Result<T, Error>, expected: &str) -> bool {
    matches!(answer, Err(Error::Stale { who, .. }) if *who == expected)
}

#[test]
fn an_edit_between_slices_is_noticed() {
    let (grid, query) = detour();
    for mut case in cases_on(&grid, &all_moves()) {
        let mut scratch = Scratch::new();
        case.note(&query);
        case.planner.begin(&case.grid, &query, &mut scratch).unwrap();
        let status = case.planner.resume(&case.grid, &mut scratch, Budget::expansions(1)).unwrap();
        assert_eq!(status, Status::Working);
        case.grid.set((39, 0), Tile::Blocked).unwrap();
        // The search is behind, and so is the planner.
        let stale = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
        assert!(is_stale(&stale, "the search"), "{stale:?}");
        let stale = case.planner.begin(&case.grid, &query, &mut scratch);
        assert!(is_stale(&stale, "the planner"), "{stale:?}");
        // A refused `begin` has forgotten the search before.
        let nothing = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
        assert_eq!(nothing, Err(Error::NotBegun));
        // An updated planner does not take up a search from before the edit.
        let old_version = case.grid.clone();
        case.planner.update(&old_version).unwrap();
        case.planner.begin(&old_version, &query, &mut scratch).unwrap();
        case.update();
        let stale = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
        assert!(is_stale(&stale, "the search"), "{stale:?}");
        // After all these errors the scratch memory is as good as new.
        let used = case.answer(&query, &mut scratch);
        assert_eq!(used, case.fresh_answer(&query));
        assert_eq!(used.status, Status::Found);
    }
}

#[test]
fn a_search_must_be_begun_by_the_same_planner() {
    let (grid, query) = detour();
    for moves in all_moves() {
        // One copy of the map for all of them: a search for another copy is outdated instead.
        let others: Vec<_> = choices(&grid, moves)
            .into_iter()
            .map(|spec| (spec.prepare(&grid, moves).unwrap(), spec))
            .collect();
        for (planner, name) in &others {
            let mut scratch = Scratch::new();
            let nothing = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(nothing, Err(Error::NotBegun), "{name}");
            for (other, other_name) in &others {
                if name.to_string() == other_name.to_string() {
                    continue;
                }
                other.begin(&grid, &query, &mut scratch).unwrap();
                let wrong = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
                assert_eq!(wrong, Err(Error::NotBegun), "{name} for {other_name}");
                // The other's search is still there.
                let status = other.resume(&grid, &mut scratch, Budget::UNLIMITED);
                assert_eq!(status, Ok(Status::Found), "{other_name} after {name}");
            }
            // A second planner of the same kind is another planner.
            let twin = name.prepare(&grid, moves).unwrap();
            twin.begin(&grid, &query, &mut scratch).unwrap();
            let wrong = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(wrong, Err(Error::NotBegun), "{name} for its twin");
            assert_eq!(twin.resume(&grid, &mut scratch, Budget::UNLIMITED), Ok(Status::Found));
        }
    }
}

/// Whatever the reason for a refusal, nothing of the previous search can be mistaken for the
/// answer.
#[test]
fn a_refused_query_leaves_no_answer_behind() {
    let (grid, query) = detour();
    let bad = [
        Query::new(Cell::new(0, 0), Cell::new(99, 0)),
        Query::new(Cell::new(99, 0), Cell::new(0, 0)),
        query.clone().weight(0.5),
        query.clone().max_cost(-1.0),
        query.clone().weight(2.0),
        query.clone().heuristic(Heuristic::Manhattan),
    ];
    let mut refused = 0;
    for mut case in cases_on(&grid, &all_moves()) {
        for bad in &bad {
            let mut scratch = Scratch::new();
            assert_eq!(case.find(&query, &mut scratch), Status::Found);
            case.note(bad);
            if case.planner.begin(&case.grid, bad, &mut scratch).is_ok() {
                continue;
            }
            refused += 1;
            assert!(scratch.path().is_empty());
            let nothing = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(nothing, Err(Error::NotBegun));
        }
    }
    at_least("refusals", refused, 100);
}

/// Begins a search and continues it for a little while.
fn give_up_half_way(case: &mut Case, scratch: &mut Scratch) -> (Query, Status) {
    let query = case.cell_query();
    case.note(&query);
    case.planner.begin(&case.grid, &query, scratch).unwrap();
    let some = Budget::expansions(case.random.below(30));
    (query, case.planner.resume(&case.grid, scratch, some).unwrap())
}

/// Edits in the middle of many searches: each is noticed, none spoils what comes after. Every
/// planner has random numbers and memory of its own, so one that fails fails for its own faults.
#[test]
fn searches_given_up_half_way_spoil_nothing() {
    let mut memory: HashMap<String, Scratch> = HashMap::new();
    let (mut asked, mut outdated) = (0, 0);
    for_each_planner(cases(67, 80, &all_moves()), |case, _| {
        let own = memory.entry(case.spec.to_string()).or_default();
        for _ in 0..3 {
            let (query, status) = give_up_half_way(case, own);
            let before = case.grid.version();
            case.edit();
            if status == Status::Working && case.grid.version() != before {
                let stale = case.planner.resume(&case.grid, own, Budget::UNLIMITED);
                assert!(is_stale(&stale, "the search"), "{stale:?}");
                outdated += 1;
            }
            case.update();
            assert_eq!(case.answer(&query, own), case.fresh_answer(&query));
            asked += 1;
        }
    });
    expect_more!(asked > 20_000, outdated > 1_000);
}

/// One memory for all planners: a search that one abandons does not spoil the answer of the next;
/// if it does, the failure names both planners.
#[test]
fn searches_given_up_by_one_planner_do_not_spoil_those_of_another() {
    let mut shared = Scratch::new();
    let mut half_way = 0;
    for ground in grounds(69, 12, &all_moves()) {
        for (mut first, mut second) in ground.cases().zip(ground.cases().skip(1)) {
            let (_, status) = give_up_half_way(&mut first, &mut shared);
            half_way += u64::from(status == Status::Working);
            let query = second.cell_query();
            let got = second.answer(&query, &mut shared);
            let context = format!("{} after {} gave up", second.spec, first.spec);
            assert_eq!(got, second.fresh_answer(&query), "{context}");
        }
    }
    at_least("searches given up", half_way, 500);
}

/// Taking the path out of the scratch memory halfway leaves the search its movement rule; taking it
/// at the end ends the search.
#[test]
fn taking_the_path_does_not_change_the_answer() {
    let grid = Grid::new(20, 20).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(10, 7));
    for mut case in cases_on(&grid, &all_moves()) {
        let mut scratch = Scratch::new();
        let whole = case.answer(&query, &mut scratch);
        case.planner.begin(&case.grid, &query, &mut scratch).unwrap();
        let some = Budget::expansions(1);
        let mut status = case.planner.resume(&case.grid, &mut scratch, some).unwrap();
        if status == Status::Working {
            assert!(scratch.take_path().is_empty());
            status = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED).unwrap();
        }
        assert_eq!(status, Status::Found);
        assert_eq!(record(status, &scratch), whole);
        assert_eq!(scratch.path().moves(), case.moves);
        let path = scratch.path().clone();
        assert_eq!(scratch.take_path(), path);
        let again = case.planner.resume(&case.grid, &mut scratch, Budget::UNLIMITED);
        assert_eq!(again, Err(Error::NotBegun));
    }
}
