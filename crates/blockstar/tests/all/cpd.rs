//! The compressed path database: files, limits, edits, and a map of a game.

use crate::support::maps::dragon_age;
use crate::support::{
    Round, all_cell_moves, best_cost, close, random_edit, random_free_cell, random_query, record,
    refusal, rounds, rounds_on, with_one_cell_changed,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Database, DatabaseKind, DistanceMap, Error, Grid, Moves, PathDatabase,
    Planner, Query, Scratch, Status, Tile, generate,
};
use std::sync::Arc;

fn build(grid: &Grid, moves: Moves) -> PathDatabase {
    PathDatabase::new(grid, moves).unwrap()
}

#[test]
fn a_saved_database_answers_like_the_one_it_was() {
    for mut round in rounds(1, 40) {
        for moves in all_cell_moves() {
            let built = build(&round.grid, moves);
            let bytes = built.save().unwrap();
            let inspected = Database::inspect(&bytes).unwrap();
            assert_eq!((inspected.kind(), inspected.moves()), (DatabaseKind::PathDatabase, moves));
            assert_eq!(inspected.map(), Some(round.grid.content_hash()));
            let mut opened = PathDatabase::builder().open(&bytes, &round.grid, moves).unwrap();
            assert_eq!(opened.save().as_ref(), Some(&bytes));
            round.assert_same_answers(&built, &opened, 10);
            // After an edit the opened one works around it like any other; rebuilt, it is fresh.
            round.edit(&mut [&mut opened]);
            assert_eq!(opened.save().as_ref() == Some(&bytes), opened.edited_cells() == 0);
            opened.rebuild(&round.grid).unwrap();
            assert_eq!(opened.edited_cells(), 0);
            assert_eq!(opened.save(), build(&round.grid, moves).save());
        }
    }
}

/// A file saved after edits contains them and so opens on the edited map: it used to open only on
/// the map before.
#[test]
fn a_database_saved_after_edits_opens_on_the_edited_map() {
    let mut edited = 0;
    for mut round in rounds(9, 60) {
        let moves = round.cell_moves();
        let before = round.grid.clone();
        let mut built = build(&round.grid, moves);
        let fresh = built.save();
        for _ in 0..1 + round.random.below(5) {
            round.edit(&mut [&mut built]);
        }
        let bytes = built.save().unwrap();
        let database = Database::inspect(&bytes).unwrap();
        assert_eq!(database.map(), Some(round.grid.content_hash()));
        let mut opened = PathDatabase::builder().open(&bytes, &round.grid, moves).unwrap();
        assert_eq!(opened.edited_cells(), built.edited_cells());
        assert_eq!(opened.save().as_ref(), Some(&bytes));
        assert_eq!(database.maker().is_none(), built.edited_cells() > 0);
        round.assert_same_answers(&built, &opened, 10);
        if built.edited_cells() > 0 {
            edited += 1;
            assert!(PathDatabase::builder().open(&bytes, &before, moves).is_err());
        }
        // Back on the first map it is the database of that map again.
        opened.update(&before).unwrap();
        assert_eq!(opened.save(), fresh);
    }
    assert!(edited > 30, "{edited}");
}

#[test]
fn foreign_old_damaged_and_wrong_files_are_refused_with_a_sentence() {
    let grid = generate::random(14, 12, 25.0, 3).unwrap();
    let bytes = build(&grid, Moves::EIGHT).save().unwrap();
    let refused = |grid: &Grid, moves| refusal(PathDatabase::builder().open(&bytes, grid, moves));
    assert_eq!(
        refused(&grid, Moves::FOUR),
        "this compressed path database cannot be used: it was made for the rule eight, not for the \
         rule four"
    );
    let any_angle = PathDatabase::builder().open(&bytes, &grid, Moves::ANY_ANGLE);
    assert!(matches!(any_angle, Err(Error::Unsupported { .. })));
    assert!(refused(&with_one_cell_changed(&grid), Moves::EIGHT).contains("another map"));
}

/// A map that needs more than the limit is refused before the work starts, with both numbers.
#[test]
fn a_map_that_needs_too_much_memory_is_refused_at_once() {
    let grid = generate::random(400, 400, 20.0, 4).unwrap();
    let estimate = PathDatabase::estimate(&grid, Moves::EIGHT).unwrap();
    let message = |mebibytes: u32| {
        let at_work = |_, _| panic!("the work has begun");
        let settings = PathDatabase::builder().memory(mebibytes).on_progress(at_work);
        settings.build(&grid, Moves::EIGHT).unwrap_err().to_string()
    };
    let text = message(64);
    let mib = estimate.div_ceil(1 << 20);
    assert!(mib > 64, "{mib}");
    assert!(text.contains("cpd cannot take `memory=64`"), "{text}");
    assert!(text.contains(&format!("takes about {mib} MiB and the limit is 64 MiB")), "{text}");
    let named = Algorithm::named("cpd:memory=0").unwrap();
    let refused = named.prepare(&grid, Moves::EIGHT).err().unwrap().to_string();
    assert!(refused.contains("limit is 0 MiB"), "{refused}");
}

/// The estimate is not far off, in either direction. It counts the rows that are held twice for a
/// while, a third of those of these small maps.
#[test]
fn the_estimate_is_honest() {
    for (grid, name) in [
        (generate::random(60, 60, 10.0, 5).unwrap(), "random"),
        (generate::maze(61, 61, 1, 6).unwrap(), "maze"),
        (generate::rooms(70, 70, 9, 7).unwrap(), "rooms"),
        (generate::caves(80, 80, 8).unwrap(), "caves"),
        (Grid::new(50, 50).unwrap(), "open"),
    ] {
        let estimate = PathDatabase::estimate(&grid, Moves::EIGHT).unwrap() as f64;
        let taken = build(&grid, Moves::EIGHT).memory_usage().total() as f64;
        assert!((0.9..2.0).contains(&(estimate / taken)), "{name}: {estimate} {taken}");
    }
}

/// Thousands of edits of both kinds, one at a time, on maps of some size: every answer has the cost
/// of one made for the map as it is.
#[test]
fn answers_stay_optimal_whatever_is_edited() {
    let mut random = Random::new(9);
    let mut scratch = Scratch::new();
    let mut answers = 0;
    for round in 0..24u64 {
        let moves = all_cell_moves()[round as usize % 8];
        let mut grid = match round % 3 {
            0 => generate::caves(48, 40, round).unwrap(),
            1 => generate::rooms(45, 45, 8, round).unwrap(),
            _ => generate::random(40, 40, 20.0, round).unwrap(),
        };
        let mut planner = build(&grid, moves);
        let astar = Algorithm::named("astar").unwrap();
        for edit in 0..120 {
            // Some maps are only blocked, some only freed, some both; some edits are taken back.
            let cell = random_free_cell(&mut random, &grid);
            let any = Cell::new(random.below(40) as u32, random.below(40) as u32);
            match round % 4 {
                0 => grid.set(cell, Tile::Blocked).unwrap(),
                1 => grid.set(any, Tile::Free).unwrap(),
                2 => {
                    let tile = if grid.is_free(any) { Tile::Blocked } else { Tile::Free };
                    grid.set(any, tile).unwrap();
                }
                _ => random_edit(&mut random, &mut grid, false),
            }
            planner.update(&grid).unwrap();
            if edit % 2 == 1 {
                continue;
            }
            let mut exact = astar.prepare(&grid, moves).unwrap();
            exact.update(&grid).unwrap();
            for _ in 0..4 {
                let start = random_free_cell(&mut random, &grid);
                let query = Query::new(start, random_free_cell(&mut random, &grid));
                let expected = exact.find(&grid, &query, &mut scratch).unwrap();
                let best = scratch.path().cost();
                assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), expected);
                if expected == Status::Found {
                    scratch.path().check(&grid, moves).unwrap();
                    assert!(close(scratch.path().cost(), best), "{} {best}", scratch.path().cost());
                }
                answers += 1;
            }
        }
    }
    assert!(answers > 5000, "{answers}");
}

/// Undoing an edit brings the stored paths back.
#[test]
fn an_edit_that_is_taken_back_leaves_no_trace() {
    let mut grid = generate::caves(60, 50, 3).unwrap();
    let mut planner = build(&grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    let queries = generate::queries(&grid, 30, 4);
    let ask = |planner: &PathDatabase, grid: &Grid, scratch: &mut Scratch| -> Vec<_> {
        let answer = |&(start, goal): &(Cell, Cell)| {
            let status = planner.find(grid, &Query::new(start, goal), scratch).unwrap();
            record(status, scratch)
        };
        queries.iter().map(answer).collect()
    };
    let before = ask(&planner, &grid, &mut scratch);
    let mut random = Random::new(11);
    let cells: Vec<Cell> = (0..60).map(|_| random_free_cell(&mut random, &grid)).collect();
    cells.iter().for_each(|&cell| grid.set(cell, Tile::Blocked).unwrap());
    planner.update(&grid).unwrap();
    assert!(planner.edited_cells() > 0);
    assert_ne!(ask(&planner, &grid, &mut scratch), before);
    cells.iter().for_each(|&cell| grid.set(cell, Tile::Free).unwrap());
    planner.update(&grid).unwrap();
    assert_eq!(planner.edited_cells(), 0);
    assert_eq!(ask(&planner, &grid, &mut scratch), before);
}

/// Slices change nothing either when an edit makes the planner search.
#[test]
fn a_sliced_answer_after_edits_equals_an_unsliced_one() {
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    let mut searched = 0;
    let map = |number, _: &mut _| generate::random(24, 20, 20.0, number as u64).unwrap();
    for round in rounds_on(12, 60, map) {
        let moves = round.cell_moves();
        let Round { number, mut grid, mut random } = round;
        let mut planner = build(&grid, moves);
        for _ in 0..10 {
            match number % 2 {
                0 => grid.set(random_free_cell(&mut random, &grid), Tile::Blocked).unwrap(),
                _ => random_edit(&mut random, &mut grid, false),
            }
            planner.update(&grid).unwrap();
            let query = random_query(&mut random, &grid);
            let status = planner.find(&grid, &query, &mut whole).unwrap();
            let expected = record(status, &whole);
            searched += u32::from(expected.stats.opened > 0);
            for size in [1, 3, 20] {
                planner.begin(&grid, &query, &mut sliced).unwrap();
                let slice = Budget::expansions(size);
                let status = loop {
                    match planner.resume(&grid, &mut sliced, slice).unwrap() {
                        Status::Working => assert!(sliced.path().is_empty()),
                        status => break status,
                    }
                };
                assert_eq!(record(status, &sliced), expected, "{moves} {query:?}");
            }
        }
    }
    assert!(searched > 50, "{searched}");
}

/// A search with stored distances comes to a freed cell, which has none.
#[test]
fn a_freed_dead_end_is_no_trouble() {
    let mut grid = Grid::from_ascii(
        "#####
         .####
         .####
         .....
         .###.
         .....",
    )
    .unwrap();
    let mut planner = build(&grid, Moves::EIGHT);
    grid.set((0, 0), Tile::Free).unwrap();
    grid.set((2, 3), Tile::Blocked).unwrap();
    planner.update(&grid).unwrap();
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(0, 1), Cell::new(4, 3));
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 10.0);
    let query = Query::new(Cell::new(0, 0), Cell::new(4, 3));
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 11.0);
}

/// For a grid of another size the database is built again.
#[test]
fn another_map_altogether_is_no_trouble() {
    let mut scratch = Scratch::new();
    let mut planner = build(&Grid::new(9, 9).unwrap(), Moves::EIGHT);
    let grid = generate::rooms(21, 13, 5, 1).unwrap();
    planner.update(&grid).unwrap();
    for (start, goal) in generate::queries(&grid, 20, 2) {
        assert_eq!(planner.find(&grid, &Query::new(start, goal), &mut scratch), Ok(Status::Found));
        let best = best_cost(&grid, Moves::EIGHT, start, goal);
        assert!(close(scratch.path().cost(), best));
    }
}

/// Dragon Age's arena2: the first moves from everywhere to every 64th target are optimal, to every
/// target if `BLOCKSTAR_EVERY_MOVE` is set (see CONTRIBUTING.md), and so are the paths of its
/// scenario.
#[test]
fn first_moves_on_arena2_are_optimal() {
    let Some((grid, scenarios)) = dragon_age("arena2") else { return };
    let database = build(&grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    for scenario in &scenarios {
        let query = Query::new(scenario.start, scenario.goal);
        assert_eq!(database.find(&grid, &query, &mut scratch), Ok(Status::Found));
        assert!(scenario.agrees(scratch.path().cost()));
    }
    let every = if std::env::var_os("BLOCKSTAR_EVERY_MOVE").is_some() { 1 } else { 64 };
    let cells: Vec<Cell> = (0..grid.height())
        .flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_free(cell))
        .collect();
    let check = |half: usize| {
        let mut moves = 0u64;
        for &goal in cells.iter().step_by(every).skip(half).step_by(2) {
            let map = DistanceMap::new(&grid, Moves::EIGHT, [goal]).unwrap();
            for &from in &cells {
                let far = map.distance(&grid, from).unwrap();
                let Some(far) = far.filter(|&far| far > 0.0) else {
                    assert_eq!(database.next_step(&grid, from, goal), Ok(None));
                    continue;
                };
                let next = database.next_step(&grid, from, goal).unwrap().unwrap();
                let straight = next.x == from.x || next.y == from.y;
                let step = if straight { 1.0 } else { 2f64.sqrt() };
                let rest = map.distance(&grid, next).unwrap().unwrap();
                assert!((rest + step - far).abs() < 1e-6);
                moves += 1;
            }
        }
        moves
    };
    let moves: u64 = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || check(half)));
        halves.map(|half| half.join().unwrap()).iter().sum()
    });
    let all = cells.len() as u64 * (cells.len() as u64 - 1);
    eprintln!("{moves} first moves of {all} are optimal");
    assert!(moves > all / every as u64 * 9 / 10, "{moves} {all}");
}

/// Opened from shared bytes nothing of the runs is copied: the bytes are held as long as the
/// planner is.
#[test]
fn shared_bytes_are_looked_up_where_they_are() {
    let grid = generate::caves(40, 30, 2).unwrap();
    let built = build(&grid, Moves::EIGHT);
    let bytes: Arc<Vec<u8>> = Arc::new(built.save().unwrap());
    let shared = Held(bytes.clone());
    let opened = PathDatabase::builder().open_shared(shared, &grid, Moves::EIGHT).unwrap();
    assert_eq!(Arc::strong_count(&bytes), 2);
    let spec = Algorithm::named("cpd").unwrap().with_saved(Held(bytes.clone()));
    let before = Arc::strong_count(&bytes);
    let prepared = spec.prepare(&grid, Moves::EIGHT).unwrap();
    drop(spec);
    assert_eq!(Arc::strong_count(&bytes), before, "the planner holds them on");
    let mut scratch = Scratch::new();
    for (start, goal) in generate::queries(&grid, 50, 3) {
        let query = Query::new(start, goal);
        let status = built.find(&grid, &query, &mut scratch).unwrap();
        let expected = record(status, &scratch);
        for planner in [&opened as &dyn Planner, &prepared] {
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(record(status, &scratch), expected);
        }
    }
    assert_eq!(opened.save().as_ref(), Some(&*bytes));
    drop((opened, prepared));
    assert_eq!(Arc::strong_count(&bytes), 1);
}

/// Bytes that are somewhere else, as those of a memory map.
struct Held(Arc<Vec<u8>>);

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A database larger than the default limit, built with a higher one, opens with that and can be
/// rebuilt from its own parameters.
#[test]
fn the_limit_of_memory_is_kept_in_the_file() {
    let grid = generate::caves(40, 30, 2).unwrap();
    let made = PathDatabase::builder().memory(3000).build(&grid, Moves::EIGHT).unwrap();
    let bytes = made.save().unwrap();
    let maker = Database::inspect(&bytes).unwrap().maker().unwrap();
    assert_eq!(maker, "cpd:memory=3000");
    let anew = Algorithm::named(&maker).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    assert_eq!(anew.save().unwrap(), bytes);
    let settings = PathDatabase::builder().memory(0);
    let mut opened = settings.open(&bytes, &grid, Moves::EIGHT).unwrap();
    let refused = opened.rebuild(&grid).unwrap_err().to_string();
    assert!(refused.contains("the limit is 0 MiB"), "{refused}");
    // The registry passes it on.
    let little = Algorithm::named("cpd:memory=0").unwrap();
    let mut opened = little.open(&bytes, &grid, Moves::EIGHT).unwrap();
    assert!(opened.update(&generate::caves(41, 30, 2).unwrap()).is_err());
}

/// The next step used to be answered for a map that had changed, and units walked into its walls.
#[test]
fn a_path_database_of_a_changed_grid_sends_nobody_into_walls() {
    let mut grid = Grid::new(5, 5).unwrap();
    let mut database = build(&grid, Moves::EIGHT);
    let ends = (Cell::new(4, 4), Cell::new(0, 0));
    let next = |database: &PathDatabase, grid: &Grid| database.next_step(grid, ends.0, ends.1);
    assert_eq!(next(&database, &grid), Ok(Some(Cell::new(3, 3))));
    grid.set((3, 3), Tile::Blocked).unwrap();
    assert!(matches!(next(&database, &grid), Err(Error::Stale { .. })));
    database.update(&grid).unwrap();
    assert_eq!(next(&database, &grid), Ok(None), "the database is that of the map before");
    database.rebuild(&grid).unwrap();
    assert!(grid.is_free(next(&database, &grid).unwrap().unwrap()));
}
