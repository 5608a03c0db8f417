//! The local distance database as a file: what is read equals what was made, and nothing else is
//! accepted.

use crate::support::forgery::sealed;
use crate::support::{prepare, random_edit, random_grid, random_query, rounds_on_terrain};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Database, DatabaseKind, Diagonal, Error, Grid, Lddb, Moves, Path, Planner,
    Query, Rule, Scratch, Stats, Status, VisibilityGraph,
};
use std::sync::{Arc, Mutex};

fn block_astar(block: u32, grid: &Grid, moves: Moves) -> Box<dyn Planner> {
    prepare(&format!("block-astar:block={block}"), grid, moves)
}

/// The complete answer.
fn answer(planner: &dyn Planner, grid: &Grid, query: &Query) -> (Status, Path, Stats) {
    let mut scratch = Scratch::new();
    let status = planner.find(grid, query, &mut scratch).unwrap();
    (status, scratch.path().clone(), *scratch.stats())
}

#[test]
fn the_counts_are_those_of_the_paper() {
    let tile = Lddb::complete(Moves::FOUR, 4).unwrap();
    assert_eq!((tile.kind(), tile.block(), tile.is_complete()), ("tile", 4, true));
    assert_eq!((tile.len(), tile.distinct()), (1 << 16, 8548));
    assert_eq!(tile.entries(), (1 << 16) * 12 * 11);
    assert_eq!(tile.entries(), 8_650_752);
    assert!(tile.as_bytes().len() < 600_000, "{}", tile.as_bytes().len());
    let any_angle = Lddb::complete(Moves::ANY_ANGLE, 4).unwrap();
    assert_eq!(any_angle.entries(), (1 << 16) * 16 * 15);
    assert_eq!(any_angle.kind(), "any-angle");
    assert!(any_angle.as_bytes().len() < 1_500_000, "{}", any_angle.as_bytes().len());
    assert!(any_angle.costs().unwrap() < 256);
    // As many as an independent program has counted under the rule of the paper.
    let squeeze = Lddb::complete(Moves::ANY_ANGLE_SQUEEZE, 4).unwrap();
    assert_eq!(squeeze.costs(), Some(80));
    assert_eq!(Lddb::complete(Moves::EIGHT, 2).unwrap().kind(), "octile");
    assert_eq!(Lddb::complete(Moves::EIGHT, 3).unwrap().distinct(), 102);
}

#[test]
fn a_complete_database_is_saved_opened_and_verified() {
    let short = Moves::EIGHT.with_diagonal(Diagonal::OnePointFour);
    for moves in Rule::ALL.iter().copied().map(Moves::new).chain([short]) {
        for block in 2..=3 {
            let lddb = Lddb::complete(moves, block).unwrap();
            let opened = Lddb::open(lddb.save()).unwrap();
            assert_eq!((opened.moves(), opened.block()), (moves, block));
            assert_eq!(opened.verify().unwrap(), 1 << (block * block));
            assert_eq!(opened.save(), lddb.save());
        }
    }
    assert_eq!(Lddb::complete(Moves::ANY_ANGLE, 4).unwrap().verify().unwrap(), 1 << 16);
}

#[test]
fn progress_reaches_the_end() {
    let last = Arc::new(Mutex::new((0, 0)));
    let told = last.clone();
    let report = move |done, of| {
        let mut last = told.lock().unwrap();
        assert!(done > last.0);
        *last = (done, of);
    };
    Lddb::builder().on_progress(report).complete(Moves::FOUR).unwrap();
    assert_eq!(*last.lock().unwrap(), (8548, 8548));
}

#[test]
fn planners_answer_the_same_from_a_complete_database() {
    for moves in Rule::ALL.iter().copied().map(Moves::new) {
        for block in [2, 4] {
            let lddb = Lddb::complete(moves, block).unwrap();
            for mut round in rounds_on_terrain(41, 30, 5) {
                let mut own = block_astar(block, &round.grid, moves);
                let mut given = lddb.planner(&round.grid).unwrap();
                round.assert_same_answers_through_edits(&mut own, &mut given, 4);
                assert_eq!(own.memory_usage(), given.memory_usage());
            }
        }
    }
}

#[test]
fn planners_answer_the_same_from_collected_tables_of_any_block_and_terrain() {
    for mut round in rounds_on_terrain(42, 90, 3) {
        let moves = Moves::new(Rule::ALL[round.number / 3 % 6]);
        let block = 2 + round.random.below(15) as u32;
        // Terrain makes large tables; a mixture is collected together.
        let plain = random_grid(&mut round.random, false);
        let lddb = Lddb::collect([&round.grid, &plain], moves, block).unwrap();
        assert!(!lddb.is_complete() && lddb.distinct() <= lddb.len());
        let lddb = Lddb::open(lddb.save()).unwrap();
        assert_eq!(lddb.verify().unwrap(), lddb.len());
        let mut own = block_astar(block, &round.grid, moves);
        let mut given = lddb.planner(&round.grid).unwrap();
        round.assert_same_answers_through_edits(&mut own, &mut given, 3);
    }
}

#[test]
fn a_map_without_free_cells_has_no_tables() {
    let grid = Grid::from_fn(9, 9, |_| false).unwrap();
    let lddb = Lddb::collect([&grid], Moves::EIGHT, 8).unwrap();
    assert!(lddb.is_empty());
    let lddb = Lddb::open(lddb.save()).unwrap();
    assert_eq!((lddb.len(), lddb.verify().unwrap()), (0, 0));
    assert!(Lddb::collect([], Moves::EIGHT, 8).unwrap().is_empty());
}

#[test]
fn large_maps_are_measured_in_double_precision_from_the_same_database() {
    let grid = Grid::from_fn(5000, 5, |cell| (cell.x * 7 + cell.y * 3) % 5 != 0).unwrap();
    for lddb in [
        Lddb::complete(Moves::ANY_ANGLE, 4).unwrap(),
        Lddb::collect([&grid], Moves::ANY_ANGLE, 4).unwrap(),
    ] {
        let (own, given) = (block_astar(4, &grid, Moves::ANY_ANGLE), lddb.planner(&grid).unwrap());
        let query = Query::new(Cell::new(1, 0), Cell::new(4991, 4));
        assert_eq!(answer(&own, &grid, &query), answer(&given, &grid, &query));
    }
}

#[test]
fn what_does_not_fit_is_refused_with_a_sentence() {
    let refused = |error: Error, words: &str| {
        assert!(error.to_string().contains(words), "{error}");
    };
    let lddb = Lddb::complete(Moves::EIGHT, 3).unwrap();
    let grid = Grid::new(9, 9).unwrap();
    for block in [0, 1, 5, 8] {
        refused(Lddb::complete(Moves::FOUR, block).unwrap_err(), "must be 2 to 4");
    }
    refused(Lddb::collect([&grid], Moves::FOUR, 17).unwrap_err(), "must be 2 to 16");
    let named = |name| Algorithm::named(name).unwrap().with_lddb(&lddb);
    refused(named("astar").unwrap_err(), "use `block-astar`");
    refused(named("block-astar:block=4").unwrap_err(), "blocks of 3 cells");
    let spec = named("block-astar:memory=1").unwrap();
    assert_eq!(spec.to_string(), "block-astar:memory=1:block=3");
    assert!(spec.prepare(&grid, Moves::EIGHT).is_ok());
    refused(spec.prepare(&grid, Moves::FOUR).err().unwrap(), "the rule eight, not for four");

    let bytes = lddb.save();
    let open = |bytes: Vec<u8>| Lddb::open(bytes).unwrap_err();
    refused(open(Vec::new()), "not a file of this library");
    refused(open(b"\x7fELF and so on".to_vec()), "not a file of this library");
    refused(open(bytes[..30].to_vec()), "ends after 30 bytes");
    refused(open(bytes[..300].to_vec()), "bytes after its header and has 252");
    let mut old = bytes.clone();
    old[8] = 0;
    refused(open(old), "format 0");
    let mut damaged = bytes.clone();
    damaged[99] ^= 4;
    refused(open(damaged), "checksum");
    let graph = VisibilityGraph::new(&grid, Moves::ANY_ANGLE).unwrap().save().unwrap();
    refused(open(graph.clone()), "it is a visibility graph");
    let graph_of = VisibilityGraph::builder().open(&bytes, &grid, Moves::ANY_ANGLE).unwrap_err();
    refused(graph_of, "it is a local distance database");

    let database = Database::inspect(&graph).unwrap();
    assert_eq!(database.kind(), DatabaseKind::VisibilityGraph);
    assert_eq!((database.moves(), database.bytes()), (Moves::ANY_ANGLE, graph.len()));
    assert_eq!(database.map(), Some(grid.content_hash()));
    refused(Database::inspect(b"?").unwrap_err(), "this file cannot be used");
    let strange = sealed(&[&bytes[..12], &[77], &bytes[13..]].concat());
    refused(Database::inspect(&strange).unwrap_err(), "the unknown kind 77");
    let strange = sealed(&[&bytes[..16], &[200], &bytes[17..]].concat());
    refused(Database::inspect(&strange).unwrap_err(), "an unknown movement rule");
    refused(open(strange), "something unknown");
}

/// Damaged files with a right checksum are refused, or they are databases that can be used: a
/// search comes to its end, with a legal path or an error that blames the file.
#[test]
fn damaged_files_never_cause_a_panic() {
    let mut random = Random::new(43);
    let grid = random_grid(&mut random, false);
    let weighted = random_grid(&mut random, true);
    let mut files = Vec::new();
    for moves in [Moves::FOUR, Moves::EIGHT_CUT_ONE, Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        files.push(Lddb::complete(moves, 2).unwrap().save());
        files.push(Lddb::complete(moves, 3).unwrap().save());
        files.push(Lddb::collect([&grid], moves, 4).unwrap().save());
        let corner = |map: &Grid| {
            Grid::from_fn(9, 9, |cell| map.is_free(cell)).map(|mut corner| {
                for cell in [(3, 3), (4, 4), (5, 3)] {
                    corner.set_cost(cell, 2.5).unwrap();
                }
                corner
            })
        };
        let corner = corner(&weighted).unwrap();
        files.push(Lddb::collect([&grid, &corner], moves, 3).unwrap().save());
        files.push(Lddb::collect([&corner], moves, 9).unwrap().save());
    }
    let mut scratch = Scratch::new();
    let (mut refused, mut wrong, mut used) = (0, 0, 0);
    for round in 0..30_000 {
        let file = &files[round % files.len()];
        assert_eq!(&sealed(file), file);
        let damaged = random.damage(file);
        if damaged != *file {
            assert!(Lddb::open(damaged.clone()).is_err());
        }
        let Ok(lddb) = Lddb::open(sealed(&damaged)) else {
            refused += 1;
            continue;
        };
        assert!(lddb.distinct() <= lddb.len());
        // Searching takes its time.
        if round % 16 != 0 {
            continue;
        }
        wrong += u32::from(lddb.verify().is_err());
        for grid in [&grid, &weighted] {
            let planner = lddb.planner(grid).unwrap();
            for _ in 0..3 {
                let query = random_query(&mut random, grid);
                match planner.find(grid, &query, &mut scratch) {
                    Ok(Status::Found) => scratch.path().check(grid, lddb.moves()).unwrap(),
                    Ok(_) => {}
                    Err(error) => assert!(matches!(error, Error::Database { .. }), "{error}"),
                }
            }
        }
        used += 1;
    }
    assert!(refused > 5_000 && used > 50 && wrong > 5, "{refused} {wrong} {used}");
}

#[test]
fn a_wrong_table_is_found() {
    for (moves, block) in [(Moves::EIGHT, 3), (Moves::ANY_ANGLE, 3)] {
        let bytes = Lddb::complete(moves, block).unwrap().save();
        // The last byte is a distance; another one of the palette is not right there.
        let mut changed = bytes.clone();
        let last = changed.len() - 1;
        changed[last] = u8::from(changed[last] == 0);
        let error = Lddb::open(sealed(&changed)).unwrap().verify().unwrap_err();
        assert!(error.to_string().contains("its table for the block"), "{error}");
    }
}

/// Between cells that are connected inside a block there is a way, and between others there is none.
#[test]
fn distances_that_lead_nowhere_or_into_walls_are_refused() {
    let bytes = Lddb::complete(Moves::FOUR, 3).unwrap().save();
    // Every entry becomes the last one of the palette, or the first: nothing leads anywhere, or
    // everything everywhere.
    let count = usize::from(bytes[48]);
    for entry in [count as u8 - 1, 0] {
        let mut changed = bytes.clone();
        changed[52 + 8 * count..].fill(entry);
        let error = Lddb::open(sealed(&changed)).unwrap_err();
        assert!(error.to_string().contains("distances that are not possible"), "{error}");
    }
}

/// A forged file could make ways so expensive that single precision loses the short ones: 508 for 4
/// cells and more, 1 for 1. Beyond 2^25 two corners that are 1 apart would then cost the same, each
/// a way back to the other. Ways must be as long as their segments.
#[test]
fn forged_distances_do_not_trap_the_walk_back() {
    let grid = Grid::from_fn(40, 40, |cell| cell.y % 4 == 1).unwrap();
    let bytes = Lddb::collect([&grid], Moves::ANY_ANGLE, 4).unwrap().save();
    let count = usize::from(bytes[48]);
    let mut forged = bytes.clone();
    let mut dear = 508.0f64;
    for word in forged[52..][..8 * count].chunks_exact_mut(8) {
        let length = f64::from_bits(u64::from_le_bytes(word.try_into().unwrap()));
        if length > 1.0 && length.is_finite() {
            word.copy_from_slice(&dear.to_bits().to_le_bytes());
            dear += 1.0 / 64.0;
        }
    }
    assert!(Lddb::open(bytes).is_ok());
    let error = Lddb::open(sealed(&forged)).unwrap_err();
    assert!(error.to_string().contains("not as long as it says"), "{error}");
}

/// What a planner saves is the tables it has, those of edits included; a planner that opens them
/// has nothing left to make and answers the same.
#[test]
fn a_planner_is_saved_with_the_tables_of_its_edits() {
    let mut random = Random::new(45);
    for round in 0..24 {
        let mut grid = random_grid(&mut random, round % 3 == 2);
        let moves = Moves::new(Rule::ALL[round % Rule::ALL.len()]);
        let name = ["block-astar", "block-astar:block=4", "block-astar:block=7"][round % 3];
        let spec = Algorithm::named(name).unwrap();
        let mut planner = spec.prepare(&grid, moves).unwrap();
        for _ in 0..10 {
            random_edit(&mut random, &mut grid, round % 3 == 2);
            planner.update(&grid).unwrap();
        }
        let saved = planner.save().unwrap();
        let lddb = Lddb::open(saved.clone()).unwrap();
        assert_eq!(lddb.verify().unwrap(), lddb.len());
        let now = Lddb::collect([&grid], moves, lddb.block()).unwrap();
        assert!(lddb.len() >= now.len(), "{} {}", lddb.len(), now.len());

        let opened = spec.open(&saved, &grid, moves).unwrap();
        let with = spec.clone().with_saved(saved.clone()).prepare(&grid, moves).unwrap();
        for other in [&opened, &with] {
            for _ in 0..5 {
                let query = random_query(&mut random, &grid);
                assert_eq!(answer(other, &grid, &query), answer(&planner, &grid, &query));
            }
        }
        // It has the tables of the map as it is now; of these, all.
        assert_eq!(opened.save().unwrap(), now.save());
        assert!(spec.open(&saved[..saved.len() - 1], &grid, moves).is_err());
        let other = if moves == Moves::FOUR { Moves::EIGHT } else { Moves::FOUR };
        let error = spec.open(&saved, &grid, other).err().unwrap();
        assert!(error.to_string().contains("it was made for the rule"), "{error}");
    }
}

/// Opened by the registry from shared bytes, tables are read in place. They used to be copied.
#[test]
fn saved_tables_are_used_where_their_bytes_are() {
    let grid = Grid::from_fn(20, 20, |cell| (cell.x * 5 + cell.y) % 7 != 0).unwrap();
    let spec = Algorithm::named("block-astar").unwrap();
    let bytes: Arc<[u8]> = spec.prepare(&grid, Moves::EIGHT).unwrap().save().unwrap().into();
    let planner = spec.with_saved(bytes.clone()).prepare(&grid, Moves::EIGHT).unwrap();
    assert_eq!(Arc::strong_count(&bytes), 2, "the planner holds them on");
    let query = Query::new(Cell::new(1, 1), Cell::new(18, 17));
    assert_eq!(answer(&planner, &grid, &query).0, Status::Found);
    drop(planner);
    assert_eq!(Arc::strong_count(&bytes), 1);
}

/// Tables of blocks that are not square are neither saved nor opened, and that is said.
#[test]
fn blocks_that_are_not_square_have_no_file() {
    let grid = Grid::new(40, 30).unwrap();
    let oblong = Algorithm::named("block-astar:block=8x16").unwrap();
    assert!(oblong.prepare(&grid, Moves::EIGHT).unwrap().save().is_none());
    let square = Algorithm::named("block-astar:block=8x8").unwrap();
    let saved = square.prepare(&grid, Moves::EIGHT).unwrap().save().unwrap();
    square.open(&saved, &grid, Moves::EIGHT).unwrap();
    let refused = oblong.open(&saved, &grid, Moves::EIGHT).err().unwrap().to_string();
    assert!(refused.contains("8 x 16") && refused.contains("square"), "{refused}");
    let lddb = Lddb::open(saved).unwrap();
    let refused = oblong.with_lddb(&lddb).err().unwrap().to_string();
    assert!(refused.contains("block=8x16") && refused.contains("8 cells a side"), "{refused}");
}
