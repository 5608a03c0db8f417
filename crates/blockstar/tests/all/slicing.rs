//! A search in slices is the same search, and a search that cannot go on says why.

use crate::support::{
    Record, all_moves, planners, random_edit, random_free_cell, random_grid, random_point, record,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Error, Grid, Moves, Planner, Promise, Query, Scratch, Status, Tile,
};
use std::time::Instant;

/// Answers a query slice by slice. Every slice makes progress: expansions or, in real time, moves, and
/// the agent never takes one back.
fn in_slices(
    algorithm: &Algorithm,
    planner: &dyn Planner,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
    mut slice: impl FnMut() -> Budget,
) -> Record {
    planner.begin(grid, query, scratch).unwrap();
    let real_time = algorithm.promise == Promise::RealTime;
    let mut walk = scratch.walk().to_vec();
    loop {
        let before = *scratch.stats();
        let status = planner.resume(grid, scratch, slice()).unwrap();
        assert!(scratch.walk().starts_with(&walk), "{}: a move taken back", algorithm.name);
        walk = scratch.walk().to_vec();
        if real_time {
            let moves = walk.len().saturating_sub(1) as u64;
            assert_eq!(scratch.stats().moves, moves, "{}", algorithm.name);
        }
        if status != Status::Working {
            if real_time && status.has_path() {
                assert_eq!(walk, scratch.path().points(), "{}", algorithm.name);
            }
            assert_eq!(planner.resume(grid, scratch, Budget::UNLIMITED), Ok(status));
            return record(status, scratch);
        }
        let (now, name) = (scratch.stats(), algorithm.name);
        if real_time {
            assert!(now.moves > before.moves, "{name}: a slice without a move");
        } else {
            assert!(now.expanded > before.expanded, "{name}: a slice without progress");
        }
        assert!(scratch.path().is_empty(), "a path before the end");
    }
}

/// Status, points, cost to the last bit and statistics, for slices of 1, 2, 7 and random numbers of
/// expansions and for deadlines that have passed.
#[test]
fn a_sliced_search_equals_an_unsliced_one_to_the_last_bit() {
    let mut random = Random::new(64);
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    let mut compared = 0;
    for round in 0..150 {
        let grid = random_grid(&mut random, round % 3 == 2);
        for moves in all_moves() {
            for (algorithm, planner) in planners(&grid, moves) {
                let free = algorithm.free_points;
                let start = random_point(&mut random, &grid, moves, free);
                let mut query = Query::new(start, random_point(&mut random, &grid, moves, free));
                match random.below(6) {
                    0 => query = query.nearest(),
                    1 => query = query.max_cost(random.below(30) as f64),
                    2 => query = query.max_expansions(random.below(100)),
                    _ => {}
                }
                let status = planner.find(&grid, &query, &mut whole).unwrap();
                let expected = record(status, &whole);
                let past = Instant::now();
                let some = 1 + random.below(100);
                for size in [1, 2, 7, some, 0, u64::MAX] {
                    let slice = || match size {
                        0 => Budget::expansions(1 + random.below(20)),
                        u64::MAX => Budget::until(past),
                        size => Budget::expansions(size).and_until(past),
                    };
                    let got = in_slices(algorithm, &*planner, &grid, &query, &mut sliced, slice);
                    compared += 1;
                    assert!(
                        got == expected,
                        "{} {moves} slices of {size}: {query:?}\n{expected:?}\n{got:?}\n{}",
                        algorithm.name,
                        blockstar::format::ascii::draw(&grid)
                    );
                }
            }
        }
    }
    assert!(compared > 30_000, "{compared}");
}

/// Open ground is full of ties, and slicing must not change how they are broken.
#[test]
fn slices_do_not_change_how_ties_are_broken() {
    let mut random = Random::new(65);
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    for blocked in [0, 5, 15] {
        let grid = Grid::from_fn(40, 30, |_| !random.chance(blocked, 100)).unwrap();
        for moves in all_moves() {
            for (algorithm, planner) in planners(&grid, moves) {
                for _ in 0..20 {
                    let start = random_free_cell(&mut random, &grid);
                    let query = Query::new(start, random_free_cell(&mut random, &grid));
                    let status = planner.find(&grid, &query, &mut whole).unwrap();
                    let expected = record(status, &whole);
                    for size in [1, 3] {
                        let slice = || Budget::expansions(size);
                        let got =
                            in_slices(algorithm, &*planner, &grid, &query, &mut sliced, slice);
                        assert!(
                            got == expected,
                            "{} {moves} {query:?}\n{expected:?}\n{got:?}",
                            algorithm.name
                        );
                    }
                }
            }
        }
    }
}

/// A slice of n expansions makes at most n. In real time that holds for slices of two moves or more, a
/// move is never cut short, and a slice of one expansion is one move.
#[test]
fn a_slice_keeps_to_its_budget() {
    let mut random = Random::new(66);
    let mut scratch = Scratch::new();
    for round in 0..60 {
        let grid = random_grid(&mut random, round % 3 == 2);
        for moves in all_moves() {
            for (algorithm, planner) in planners(&grid, moves) {
                let start = random_free_cell(&mut random, &grid);
                let query = Query::new(start, random_free_cell(&mut random, &grid));
                let size = 1 + random.below(9);
                planner.begin(&grid, &query, &mut scratch).unwrap();
                let mut before = *scratch.stats();
                loop {
                    let slice = Budget::expansions(size);
                    let status = planner.resume(&grid, &mut scratch, slice).unwrap();
                    let now = *scratch.stats();
                    let moved = now.moves - before.moves;
                    let kept = now.expanded - before.expanded <= size && moved <= size;
                    let name = algorithm.name;
                    assert!(kept || moved == 1, "{name} {moves}: {before:?} {now:?}");
                    before = now;
                    if status != Status::Working {
                        break;
                    }
                }
            }
        }
    }
}

/// A map with a long way round, so that no planner is done at once: a drawing, four times as large.
fn detour() -> (Grid, Query) {
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

#[test]
fn an_edit_between_slices_is_noticed() {
    for moves in all_moves() {
        let (grid, query) = detour();
        for (algorithm, mut planner) in planners(&grid, moves) {
            let (mut grid, query) = (grid.clone(), query.clone());
            let name = algorithm.name;
            planner.update(&grid).unwrap();
            let mut scratch = Scratch::new();
            planner.begin(&grid, &query, &mut scratch).unwrap();
            let status = planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap();
            assert_eq!(status, Status::Working, "{name} {moves}");
            grid.set((39, 0), Tile::Blocked).unwrap();
            // The search is behind, and so is the planner.
            let stale = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert!(matches!(stale, Err(Error::Stale { who: "the search", .. })), "{name}");
            let stale = planner.begin(&grid, &query, &mut scratch);
            assert!(matches!(stale, Err(Error::Stale { who: "the planner", .. })), "{name}");
            // A refused `begin` has forgotten the search before.
            let nothing = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(nothing, Err(Error::NotBegun), "{name}");
            // An updated planner does not take up a search from before the edit.
            let old_version = grid.clone();
            planner.update(&old_version).unwrap();
            planner.begin(&old_version, &query, &mut scratch).unwrap();
            planner.update(&grid).unwrap();
            let stale = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert!(matches!(stale, Err(Error::Stale { who: "the search", .. })), "{name}");
            // After all these errors the scratch memory is as good as new.
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            let used = record(status, &scratch);
            let mut fresh = Scratch::new();
            let status = planner.find(&grid, &query, &mut fresh).unwrap();
            assert_eq!(used, record(status, &fresh), "{name} {moves}");
            assert_eq!(status, Status::Found);
        }
    }
}

#[test]
fn a_search_must_be_begun_by_the_same_planner() {
    let (grid, query) = detour();
    for moves in all_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            let name = algorithm.name;
            let mut scratch = Scratch::new();
            let nothing = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(nothing, Err(Error::NotBegun), "{name}");
            for (_, other) in planners(&grid, moves) {
                other.begin(&grid, &query, &mut scratch).unwrap();
                let wrong = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
                assert_eq!(wrong, Err(Error::NotBegun), "{name}");
                // The other's search is still there.
                let status = other.resume(&grid, &mut scratch, Budget::UNLIMITED);
                assert_eq!(status, Ok(Status::Found), "{name}");
            }
        }
    }
}

/// Whatever a query is refused for, nothing of the search before can be taken for its answer.
#[test]
fn a_refused_query_leaves_no_answer_behind() {
    let (grid, query) = detour();
    let bad = [
        Query::new(Cell::new(0, 0), Cell::new(99, 0)),
        Query::new(Cell::new(99, 0), Cell::new(0, 0)),
        query.clone().weight(0.5),
        query.clone().max_cost(-1.0),
        query.clone().weight(2.0),
        query.clone().heuristic(blockstar::Heuristic::Manhattan),
    ];
    let mut refused = 0;
    for moves in all_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            for bad in &bad {
                let mut scratch = Scratch::new();
                let found = planner.find(&grid, &query, &mut scratch).unwrap();
                assert_eq!(found, Status::Found);
                if planner.begin(&grid, bad, &mut scratch).is_ok() {
                    continue;
                }
                refused += 1;
                assert!(scratch.path().is_empty(), "{} {bad:?}", algorithm.name);
                let nothing = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
                assert_eq!(nothing, Err(Error::NotBegun), "{} {bad:?}", algorithm.name);
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Edits in the middle of many searches: each is noticed, none spoils what comes after.
#[test]
fn searches_given_up_half_way_spoil_nothing() {
    let mut random = Random::new(67);
    let (mut used, mut fresh) = (Scratch::new(), Scratch::new());
    for round in 0..80 {
        let weighted = round % 3 == 2;
        let mut grid = random_grid(&mut random, weighted);
        for moves in all_moves() {
            for (algorithm, mut planner) in planners(&grid, moves) {
                for _ in 0..3 {
                    planner.update(&grid).unwrap();
                    let start = random_free_cell(&mut random, &grid);
                    let query = Query::new(start, random_free_cell(&mut random, &grid));
                    planner.begin(&grid, &query, &mut used).unwrap();
                    let some = Budget::expansions(random.below(30));
                    planner.resume(&grid, &mut used, some).unwrap();
                    if algorithm.terrain {
                        random_edit(&mut random, &mut grid, weighted);
                        planner.update(&grid).unwrap();
                    }
                    let status = planner.find(&grid, &query, &mut used).unwrap();
                    let got = record(status, &used);
                    let status = planner.find(&grid, &query, &mut fresh).unwrap();
                    assert_eq!(got, record(status, &fresh), "{}", algorithm.name);
                    fresh = Scratch::new();
                }
            }
        }
    }
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

/// A path taken out of the scratch memory half way leaves the search its movement rule; one taken
/// at the end ends the search.
#[test]
fn taking_the_path_does_not_change_the_answer() {
    let grid = Grid::new(20, 20).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(10, 7));
    for moves in all_moves() {
        for (algorithm, planner) in planners(&grid, moves) {
            let mut scratch = Scratch::new();
            planner.find(&grid, &query, &mut scratch).unwrap();
            let whole = scratch.path().clone();
            planner.begin(&grid, &query, &mut scratch).unwrap();
            let mut status = planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap();
            if status == Status::Working {
                assert!(scratch.take_path().is_empty(), "{}", algorithm.name);
                status = planner.resume(&grid, &mut scratch, Budget::UNLIMITED).unwrap();
            }
            assert_eq!(status, Status::Found, "{}", algorithm.name);
            assert_eq!(scratch.path(), &whole, "{}", algorithm.name);
            assert_eq!(scratch.path().moves(), moves, "{}", algorithm.name);
            assert_eq!(scratch.take_path(), whole, "{}", algorithm.name);
            let again = planner.resume(&grid, &mut scratch, Budget::UNLIMITED);
            assert_eq!(again, Err(Error::NotBegun), "{}", algorithm.name);
        }
    }
}
