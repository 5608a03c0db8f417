//! A file may claim anything. Even with the right checksum it is refused when it is opened, or by
//! the query that meets its fault, or the answer is legal.

use crate::support::forgery::forged;
use crate::support::{Case, Edit, all_costs, all_moves, at_least, cases_on, cell_index};
use blockstar::random::Random;
use blockstar::{Cell, Error, Grid, Lddb, Moves, Planner, Rule, Scratch, Status, generate};

/// The number of forgeries tried of each file: 60 times `BLOCKSTAR_FORGERIES`, if that is set (see
/// CONTRIBUTING.md).
fn rounds() -> u64 {
    let times = std::env::var("BLOCKSTAR_FORGERIES").ok();
    60 * times.map_or(1, |times| times.parse().expect("BLOCKSTAR_FORGERIES is a whole number"))
}

/// How often forged files were refused, and what became of the rest.
#[derive(Debug, Default)]
struct Tally {
    forged: u64,
    opened: u64,
    found: u64,
    refused: u64,
}

/// Whether a path leads from one cell to another, by definition.
fn reaches(grid: &Grid, moves: Moves, start: Cell, goal: Cell) -> bool {
    // Any-angle paths reach what steps reach that squeeze where they do.
    let steps = match moves.rule() {
        Rule::AnyAngle => Moves::FOUR,
        Rule::AnyAngleSqueeze => Moves::EIGHT_CUT_ANY,
        rule => Moves::new(rule),
    };
    all_costs(grid, steps, start)[cell_index(grid, goal)].is_finite()
}

/// Asks a planner with a forged file; the answer must be right about whether there is a path, and
/// the path legal, or the file is blamed.
fn ask(planner: &dyn Planner, grid: &Grid, moves: Moves, random: &mut Random, tally: &mut Tally) {
    let mut scratch = Scratch::new();
    for _ in 0..3 {
        let query = crate::support::random_query(random, grid);
        let (start, goal) = (query.start(), query.goal());
        match planner.find(grid, &query, &mut scratch) {
            Ok(status) => {
                let [from, to] = [start, goal].map(|point| point.as_centre().unwrap());
                let expected = match reaches(grid, moves, from, to) {
                    true => Status::Found,
                    false => Status::NoPath,
                };
                assert_eq!(status, expected, "{start} to {goal}");
                if status == Status::Found {
                    let path = scratch.path();
                    path.check(grid, moves).unwrap();
                    let ends = (path.points().first(), path.points().last());
                    assert_eq!(ends, (Some(&start), Some(&goal)));
                    tally.found += 1;
                }
            }
            Err(error) => {
                assert!(matches!(error, Error::Database { .. }), "{error}");
                assert!(scratch.path().is_empty());
                tally.refused += 1;
            }
        }
    }
}

/// Opens forgeries of what a planner has saved, asks, and asks again after an edit.
fn forge(case: &mut Case, file: &[u8], count: u64, tally: &mut Tally) {
    for _ in 0..count {
        tally.forged += 1;
        let bytes = forged(&mut case.random, file);
        let Ok(mut planner) = case.spec.open(&bytes, &case.grid, case.moves) else { continue };
        tally.opened += 1;
        ask(&*planner, &case.grid, case.moves, &mut case.random, tally);
        let mut grid = case.grid.clone();
        Edit::random(&mut case.random, &grid, false).apply(&mut grid);
        planner.update(&grid).unwrap();
        ask(&*planner, &grid, case.moves, &mut case.random, tally);
    }
}

fn maps() -> Vec<Grid> {
    let mut weighted = generate::random(10, 9, 20.0, 7).unwrap();
    for cell in [(1, 1), (3, 4), (4, 4), (5, 3), (8, 8)] {
        weighted.set_cost(cell, 2.5).unwrap();
    }
    let walls = Grid::from_ascii(
        "............
         .####.####..
         .#.......#..
         .#.##.##.#..
         ....#.#..#..
         .####.####..
         .........#.#
         ..########..",
    );
    vec![walls.unwrap(), generate::random(14, 12, 30.0, 3).unwrap(), weighted]
}

/// Thousands of forgeries of every kind of file that planners save: never a panic, never an illegal
/// path, never a wrong answer about whether there is one.
#[test]
fn a_forged_file_is_refused_or_its_paths_are_legal() {
    let mut tally = Tally::default();
    for grid in maps() {
        for mut case in cases_on(&grid, &all_moves()) {
            if let Some(file) = case.planner.save() {
                forge(&mut case, &file, rounds(), &mut tally);
            }
        }
    }
    at_least("forged files", tally.forged, 5_000);
    at_least("opened", tally.opened, 500);
    at_least("legal paths", tally.found, 1_000);
    eprintln!("{} queries blamed the file", tally.refused);
}

/// The same with local distance databases of small blocks, which hold the table of every content.
#[test]
fn a_forged_complete_database_is_refused_or_its_paths_are_legal() {
    let mut tally = Tally::default();
    let mut random = Random::new(57);
    for moves in all_moves() {
        for block in [2, 3] {
            let file = Lddb::complete(moves, block).unwrap().save();
            for round in 0..rounds() {
                tally.forged += 1;
                let Ok(lddb) = Lddb::open(forged(&mut random, &file)) else { continue };
                tally.opened += 1;
                let grid = &maps()[round as usize % 3];
                let Ok(planner) = lddb.planner(grid) else { continue };
                ask(&*planner, grid, moves, &mut random, &mut tally);
            }
        }
    }
    at_least("forged files", tally.forged, 1_000);
    at_least("opened", tally.opened, 50);
    at_least("legal paths", tally.found, 100);
    eprintln!("{} queries blamed the file", tally.refused);
}
