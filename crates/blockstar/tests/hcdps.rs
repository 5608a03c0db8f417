//! HCDPS: coverage, files, limits, and what it claims on the maps of a game.

mod support;

use blockstar::format::movingai::{Expected, parse_map, parse_scen};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Database, DatabaseKind, Error, Grid, Hcdps, HcdpsSettings, Moves, Planner,
    Query, Scratch, Shortcuts, Status, Tile, generate,
};
use support::{
    all_cell_moves, best_cost, random_edit, random_free_cell, random_grid, record, serpentine,
};

fn settings(depth: u32, cut_off: u32) -> HcdpsSettings {
    HcdpsSettings { depth, cut_off, ..HcdpsSettings::default() }
}

/// Thousands of maps and edits, every rule, small and large cut-offs, both kinds of shortcuts: the goal
/// is reached exactly if there is a way, by legal moves, and no move takes more than it may.
#[test]
fn coverage_is_total() {
    let mut random = Random::new(2013);
    let mut scratch = Scratch::new();
    let mut found = 0;
    for round in 0..2500 {
        let mut grid = random_grid(&mut random, false);
        let moves = all_cell_moves()[round % 8];
        let cut_off = [1, 2, 5, 16, 64, 250][random.below(6) as usize];
        let depth = 1 + random.below(4) as u32;
        let shortcuts = [Shortcuts::All, Shortcuts::Ends][random.below(2) as usize];
        let chosen = HcdpsSettings { shortcuts, ..settings(depth, cut_off) };
        let mut planner = Hcdps::build(&grid, moves, chosen).unwrap();
        for edit in 0..3 {
            if edit > 0 {
                random_edit(&mut random, &mut grid, false);
                planner.update(&grid).unwrap();
            }
            for _ in 0..3 {
                let start = random_free_cell(&mut random, &grid);
                let goal = random_free_cell(&mut random, &grid);
                let best = best_cost(&grid, moves, start, goal);
                let status = planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
                let expected = if best.is_finite() { Status::Found } else { Status::NoPath };
                assert_eq!(status, expected, "{moves} {start} -> {goal}");
                if status == Status::Found {
                    scratch.path().check(&grid, moves).unwrap();
                    assert!(scratch.path().cost() >= best - 1e-6);
                    assert!(scratch.stats().largest_move <= u64::from(4 * cut_off) + 1);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 15_000, "{found}");
}

#[test]
fn dead_ends_and_mazes_are_walked_without_going_round_in_circles() {
    let maps = [
        generate::maze(81, 81, 1, 1).unwrap(),
        generate::rooms(120, 90, 8, 2).unwrap(),
        generate::caves(150, 120, 3).unwrap(),
        serpentine(60, 41),
    ];
    let mut scratch = Scratch::new();
    for grid in &maps {
        for depth in [1, 3] {
            let planner = Hcdps::build(grid, Moves::EIGHT, settings(depth, 64)).unwrap();
            for (start, goal) in generate::queries(grid, 40, 4) {
                let query = Query::new(start, goal);
                assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
                let (cost, best) =
                    (scratch.path().cost(), best_cost(grid, Moves::EIGHT, start, goal));
                assert!(cost <= 2.0 * best + 64.0, "{cost} {best}");
            }
        }
    }
}

#[test]
fn a_saved_database_answers_like_the_one_it_was() {
    let mut random = Random::new(3);
    let mut scratch = Scratch::new();
    for round in 0..40 {
        let mut grid = random_grid(&mut random, false);
        for moves in all_cell_moves() {
            let built = Hcdps::build(&grid, moves, settings(1 + round % 4, 20)).unwrap();
            let bytes = built.save();
            let inspected = Database::inspect(&bytes).unwrap();
            assert_eq!((inspected.kind(), inspected.moves()), (DatabaseKind::Hcdps, moves));
            let mut opened = Hcdps::open(&bytes, &grid, moves).unwrap();
            assert_eq!(opened.save(), bytes);
            for _ in 0..5 {
                let start = random_free_cell(&mut random, &grid);
                let query = Query::new(start, random_free_cell(&mut random, &grid));
                let status = built.find(&grid, &query, &mut scratch).unwrap();
                let expected = record(status, &scratch);
                let status = opened.find(&grid, &query, &mut scratch).unwrap();
                assert_eq!(record(status, &scratch), expected);
            }
            random_edit(&mut random, &mut grid, false);
            opened.update(&grid).unwrap();
            let fresh = Hcdps::build(&grid, moves, settings(1 + round % 4, 20)).unwrap();
            assert_eq!(opened.save(), fresh.save());
        }
    }
}

#[test]
fn foreign_old_damaged_and_wrong_files_are_refused_with_a_sentence() {
    let mut grid = generate::random(20, 20, 25.0, 3).unwrap();
    let bytes = Hcdps::build(&grid, Moves::EIGHT, settings(1, 16)).unwrap().save();
    let message = |bytes: &[u8], grid: &Grid, moves| {
        let refused = Hcdps::open(bytes, grid, moves).map(|_| ());
        assert!(matches!(refused, Err(Error::Database { .. })), "{refused:?}");
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        message(&bytes, &grid, Moves::FOUR),
        "this HCDPS database cannot be used: it was made for the rule eight, not for the rule four"
    );
    assert!(message(b"#!/bin/sh", &grid, Moves::EIGHT).contains("no file of this library"));
    for length in 0..bytes.len() {
        message(&bytes[..length], &grid, Moves::EIGHT);
    }
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let damaged = random.damage(&bytes);
        if damaged != bytes {
            message(&damaged, &grid, Moves::EIGHT);
        }
    }
    grid.set((7, 7), if grid.is_free(Cell::new(7, 7)) { Tile::Blocked } else { Tile::Free })
        .unwrap();
    assert!(message(&bytes, &grid, Moves::EIGHT).contains("another map"));
}

#[test]
fn what_it_cannot_do_is_refused_with_a_sentence() {
    let grid = generate::random(150, 150, 35.0, 4).unwrap();
    let message = |text: &str, moves| {
        Algorithm::named(text).unwrap().prepare(&grid, moves).err().unwrap().to_string()
    };
    let text = message("hcdps:memory=1", Moves::EIGHT);
    assert!(
        text.contains("hill-climbable regions") && text.contains("the limit is 1 MiB"),
        "{text}"
    );
    assert!(message("hcdps:depth=5", Moves::EIGHT).contains("from 1 to 4"));
    assert!(message("hcdps:cut-off=0", Moves::EIGHT).contains("from 1 to 10000"));
    assert!(message("hcdps:shortcuts=none", Moves::EIGHT).contains("use all or ends"));
    assert!(message("hcdps", Moves::ANY_ANGLE).contains("it supports four"));
    let out_of_range = Hcdps::build(&grid, Moves::EIGHT, settings(0, 16)).err().unwrap();
    assert!(out_of_range.to_string().contains("the depth is 0, but must be from 1 to 4"));
}

/// More depth and more shortcuts make shorter walks, on maps with rooms and caves.
#[test]
fn depth_and_shortcuts_help() {
    let maps = [generate::rooms(200, 200, 12, 5).unwrap(), generate::caves(250, 250, 6).unwrap()];
    let mut scratch = Scratch::new();
    let mut over = |chosen: HcdpsSettings| {
        let (mut sum, mut count) = (0.0, 0);
        for grid in &maps {
            let planner = Hcdps::build(grid, Moves::EIGHT, chosen).unwrap();
            let astar = Algorithm::named("astar").unwrap().prepare(grid, Moves::EIGHT).unwrap();
            for (start, goal) in generate::queries(grid, 100, 7) {
                let query = Query::new(start, goal);
                assert_eq!(astar.find(grid, &query, &mut scratch), Ok(Status::Found));
                let best = scratch.path().cost();
                assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
                if best > 0.0 {
                    sum += scratch.path().cost() / best - 1.0;
                    count += 1;
                }
            }
        }
        100.0 * sum / f64::from(count)
    };
    let ends = over(HcdpsSettings { shortcuts: Shortcuts::Ends, ..settings(1, 64) });
    let [one, two, four] = [1, 2, 4].map(|depth| over(settings(depth, 64)));
    eprintln!("ends {ends:.2} %, depth 1 {one:.2} %, 2 {two:.2} %, 4 {four:.2} %");
    assert!(one < ends && two < one && four < two, "{ends} {one} {two} {four}");
    assert!(two < 8.0, "{two}");
}

/// The published claims on Dragon Age's maps: every problem is solved, compression leaves less than a
/// tenth of the region map (two bytes a cell), and walks are a few per cent above the optimum.
#[test]
fn claims_on_dragon_age_maps() {
    let Some(root) = std::env::var_os("BLOCKSTAR_MAPS") else {
        eprintln!("BLOCKSTAR_MAPS is not set: the Dragon Age maps are not tested");
        return;
    };
    let names = [
        "hrt000d", "orz100d", "orz103d", "orz300d", "orz700d", "orz702d", "orz900d", "ost000a",
        "ost000t", "ost100d",
    ];
    let mut scratch = Scratch::new();
    let (mut sum, mut count, mut shares) = (0.0, 0, 0.0);
    for name in names {
        let read = |ending: &str| {
            std::fs::read(std::path::Path::new(&root).join("dao").join(format!("{name}.{ending}")))
        };
        let (Ok(map), Ok(scenarios)) = (read("map"), read("map.scen")) else { return };
        let grid = parse_map(&map).unwrap();
        let scenarios = parse_scen(&scenarios).unwrap();
        let planner = Hcdps::build(&grid, Moves::EIGHT, HcdpsSettings::default()).unwrap();
        let share = planner.memory_usage().part("region map") as f64
            / (2.0 * f64::from(grid.width()) * f64::from(grid.height()));
        assert!(share < 0.1, "{name}: {share}");
        shares += share;
        for scenario in scenarios.iter().step_by(20) {
            let query = Query::new(scenario.start, scenario.goal);
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            let Expected::Length(best) = scenario.expected() else {
                assert_eq!(status, Status::NoPath, "{name}");
                continue;
            };
            assert_eq!(status, Status::Found, "{name}");
            scratch.path().check(&grid, Moves::EIGHT).unwrap();
            if best > 0.0 {
                sum += scratch.path().cost() / best - 1.0;
                count += 1;
            }
        }
    }
    let mean = 100.0 * sum / f64::from(count);
    let share = 100.0 * shares / names.len() as f64;
    eprintln!("{count} problems, {mean:.2} % above the optimum, region map {share:.1} %");
    assert!(count > 500 && mean < 5.0, "{count} {mean}");
}
