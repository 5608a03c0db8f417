//! HCDPS: coverage, files, limits, and what it claims on the maps of a game.

use crate::support::maps::{TEN_MAPS, dragon_age, excess};
use crate::support::{
    all_cell_moves, best_cost, on, random_free_cell, refusal, rounds, serpentine,
    with_one_cell_changed,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Builder, Cell, Database, DatabaseKind, Grid, Hcdps, Lddb, Moves, PathDatabase,
    Planner, Query, Scratch, Slope, Status, Tile, VisibilityGraph, generate, kind,
};
use std::time::Instant;

fn settings(depth: u32, cut_off: u32) -> Builder<kind::Hcdps> {
    Hcdps::builder().depth(depth).cut_off(cut_off)
}

/// Thousands of maps and edits, every rule, small and large cut-offs, both kinds of shortcuts: the
/// goal is reached exactly if there is a way, by legal moves, and no move takes more than it may.
#[test]
fn coverage_is_total() {
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for mut round in rounds(2013, 2500) {
        let moves = round.cell_moves();
        let cut_off = round.pick(&[1, 2, 5, 16, 64, 250]);
        let depth = 1 + round.random.below(4) as u32;
        let chosen = settings(depth, cut_off);
        let chosen = if round.random.chance(1, 2) { chosen } else { chosen.shortcuts_at_ends() };
        let mut planner = chosen.build(&round.grid, moves).unwrap();
        for edit in 0..3 {
            if edit > 0 {
                round.edit(&mut [&mut planner]);
            }
            for _ in 0..3 {
                let query = round.cell_query();
                if round.on(moves).optimum_if_found(&planner, &query, &mut scratch).is_some() {
                    // After an edit the first move may search the regions.
                    let searched = if edit > 0 { planner.regions() as u64 } else { 0 };
                    let most = u64::from(4 * cut_off) + 1 + searched;
                    assert!(scratch.stats().largest_move <= most);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 15_000, "{found}");
}

/// The agent begins on a subgoal of a path that it is to take later: it once found the shortcut to
/// where it was, and had no next move.
#[test]
fn an_agent_on_a_later_subgoal_walks_on() {
    let grid = Grid::from_ascii(
        "###...
         #.....
         .##...
         #.....
         .#....
         ...#.#
         .#...#
         ...#..
         ..##.#
         #..##.
         .#....
         .##.##
         #.###.
         .....#
         ..####
         ......
         ..#...",
    )
    .unwrap();
    let moves = Moves::EIGHT_CUT_ANY;
    let chosen = settings(2, 250).shortcuts_at_ends();
    let planner = chosen.build(&grid, moves).unwrap();
    let query = Query::new(Cell::new(0, 11), Cell::new(4, 16));
    assert!(on(&grid, moves).has_path(&planner, &query, &mut Scratch::new()));
}

#[test]
fn dead_ends_and_mazes_are_walked_without_going_round_in_circles() {
    let maps = [
        serpentine(60, 41),
        generate::maze(81, 81, 1, 1).unwrap(),
        generate::rooms(120, 90, 8, 2).unwrap(),
        generate::caves(150, 120, 3).unwrap(),
    ];
    let mut scratch = Scratch::new();
    for grid in &maps {
        for depth in [1, 3] {
            let planner = settings(depth, 64).build(grid, Moves::EIGHT).unwrap();
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
    for mut round in rounds(3, 40) {
        for moves in all_cell_moves() {
            let depth = round.turn(&[1, 2, 3, 4]);
            let chosen = settings(depth, 20).memory(7);
            let mut built = chosen.build(&round.grid, moves).unwrap();
            let bytes = built.save().unwrap();
            let inspected = Database::inspect(&bytes).unwrap();
            assert_eq!((inspected.kind(), inspected.moves()), (DatabaseKind::Hcdps, moves));
            let mut opened = Hcdps::builder().open(&bytes, &round.grid, moves).unwrap();
            assert_eq!(opened.save().as_ref(), Some(&bytes));
            let maker = format!("hcdps:depth={depth}:cut-off=20:memory=7");
            assert_eq!(inspected.maker(), Some(maker));
            round.assert_same_answers(&built, &opened, 5);
            round.edit(&mut [&mut built, &mut opened]);
            assert_eq!(opened.save(), built.save(), "repaired alike");
            let bytes = opened.save().unwrap();
            let again = Hcdps::builder().open(&bytes, &round.grid, moves).unwrap();
            assert_eq!(again.save(), Some(bytes));
        }
    }
}

/// Tens of thousands of edits, few planners: every walk is legal and arrives exactly if there is a
/// way, and the mean over all of them is within a percentage point of what fresh planners walk.
#[test]
fn repaired_walks_are_as_good_as_fresh_ones() {
    let maps = [
        generate::rooms(72, 60, 9, 2).unwrap(),
        generate::caves(70, 70, 3).unwrap(),
        generate::random(48, 48, 25.0, 4).unwrap(),
        generate::maze(41, 41, 1, 5).unwrap(),
    ];
    let mut random = Random::new(77);
    let mut scratch = Scratch::new();
    let (mut edits, mut sums, mut count) = (0, [0.0; 2], 0);
    for (at, mut grid) in maps.into_iter().enumerate() {
        let moves = [Moves::EIGHT, Moves::EIGHT, Moves::FOUR, Moves::EIGHT][at];
        let original = grid.clone();
        let mut planner = Hcdps::new(&grid, moves).unwrap();
        for round in 0..5500 {
            let cell = Cell::new(
                random.below(grid.width().into()) as u32,
                random.below(grid.height().into()) as u32,
            );
            // Doors, pillars and breaches, but the map stays much what it was.
            let changed = grid.is_free(cell) != original.is_free(cell);
            let free = if changed || random.chance(1, 2) {
                original.is_free(cell)
            } else {
                !original.is_free(cell)
            };
            let before = grid.version();
            grid.set(cell, if free { Tile::Free } else { Tile::Blocked }).unwrap();
            edits += u32::from(grid.version() != before);
            planner.update(&grid).unwrap();
            let fresh = (round % 100 == 99).then(|| Hcdps::new(&grid, moves).unwrap());
            for _ in 0..if fresh.is_some() { 40 } else { 1 } {
                let start = random_free_cell(&mut random, &grid);
                let goal = random_free_cell(&mut random, &grid);
                let query = Query::new(start, goal);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let repaired = scratch.path().cost();
                if status == Status::Found {
                    scratch.path().check(&grid, moves).unwrap();
                }
                let Some(fresh) = &fresh else {
                    if round % 8 == 0 {
                        let best = best_cost(&grid, moves, start, goal);
                        assert_eq!(status == Status::Found, best.is_finite());
                    }
                    continue;
                };
                assert_eq!(fresh.find(&grid, &query, &mut scratch), Ok(status));
                if status == Status::Found && repaired > 0.0 {
                    let best = best_cost(&grid, moves, start, goal);
                    sums[0] += repaired / best - 1.0;
                    sums[1] += scratch.path().cost() / best - 1.0;
                    count += 1;
                }
            }
        }
    }
    let [repaired, fresh] = sums.map(|sum| 100.0 * sum / f64::from(count));
    eprintln!("{edits} edits, {count} problems: {repaired:.2} % repaired, {fresh:.2} % fresh");
    assert!(edits > 10_000 && count > 5000, "{edits} {count}");
    assert!(repaired < fresh + 1.0, "{repaired} {fresh}");
}

#[test]
fn foreign_old_damaged_and_wrong_files_are_refused_with_a_sentence() {
    let grid = generate::random(20, 20, 25.0, 3).unwrap();
    let bytes = settings(1, 16).build(&grid, Moves::EIGHT).unwrap().save().unwrap();
    let refused = |grid: &Grid, moves| refusal(Hcdps::builder().open(&bytes, grid, moves));
    assert_eq!(
        refused(&grid, Moves::FOUR),
        "this HCDPS database cannot be used: it was made for the rule eight, not for the rule four"
    );
    assert!(refused(&with_one_cell_changed(&grid), Moves::EIGHT).contains("another map"));
}

#[test]
fn what_it_cannot_do_is_refused_with_a_sentence() {
    let grid = generate::random(150, 150, 35.0, 4).unwrap();
    let message = |text: &str, moves| {
        let made = Algorithm::named(text).and_then(|spec| spec.prepare(&grid, moves));
        made.err().unwrap().to_string()
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
    let out_of_range = settings(0, 16).build(&grid, Moves::EIGHT).err().unwrap();
    assert!(out_of_range.to_string().contains("`depth=0`: use a whole number from 1 to 4"));
}

/// More depth and more shortcuts make shorter walks, on maps with rooms and caves.
#[test]
fn depth_and_shortcuts_help() {
    let maps = [generate::rooms(200, 200, 12, 5).unwrap(), generate::caves(250, 250, 6).unwrap()];
    let mut scratch = Scratch::new();
    let mut over = |chosen: Builder<kind::Hcdps>| {
        let (mut sum, mut count) = (0.0, 0);
        for grid in &maps {
            let planner = chosen.clone().build(grid, Moves::EIGHT).unwrap();
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
    let ends = over(settings(1, 64).shortcuts_at_ends());
    let [one, two, four] = [1, 2, 4].map(|depth| over(settings(depth, 64)));
    eprintln!("ends {ends:.2} %, depth 1 {one:.2} %, 2 {two:.2} %, 4 {four:.2} %");
    assert!(one < ends && two < one && four < two, "{ends} {one} {two} {four}");
    assert!(two < 8.0, "{two}");
}

/// The published claims on Dragon Age's maps: every problem is solved, compression leaves less than
/// a tenth of the region map (two bytes a cell), and walks are a few per cent above the optimum.
#[test]
fn claims_on_dragon_age_maps() {
    let mut scratch = Scratch::new();
    let (mut sum, mut count, mut shares) = (0.0, 0, 0.0);
    for name in TEN_MAPS {
        let Some((grid, scenarios)) = dragon_age(name) else { return };
        let planner = Hcdps::new(&grid, Moves::EIGHT).unwrap();
        let share = planner.memory_usage().part("region map") as f64
            / (2.0 * f64::from(grid.width()) * f64::from(grid.height()));
        assert!(share < 0.1, "{name}: {share}");
        shares += share;
        for scenario in scenarios.iter().step_by(20) {
            if let Some(excess) = excess(&planner, &grid, scenario, &mut scratch) {
                sum += excess;
                count += 1;
            }
        }
    }
    // The cost of an edit compared with building everything: printed, not asserted, since machines
    // are noisy.
    let mut random = Random::new(5);
    for name in &TEN_MAPS[..3] {
        let Some((mut grid, _)) = dragon_age(name) else { return };
        let clock = Instant::now();
        let mut planner = Hcdps::new(&grid, Moves::EIGHT).unwrap();
        let (build, clock) = (clock.elapsed(), Instant::now());
        for _ in 0..200 {
            let cell = random_free_cell(&mut random, &grid);
            grid.set(cell, Tile::Blocked).unwrap();
            planner.update(&grid).unwrap();
            grid.set(cell, Tile::Free).unwrap();
            planner.update(&grid).unwrap();
        }
        let ratio = build.as_secs_f64() / (clock.elapsed().as_secs_f64() / 400.0);
        eprintln!("{name}: making takes as long as {ratio:.0} edits");
    }
    let mean = 100.0 * sum / f64::from(count);
    let share = 100.0 * shares / TEN_MAPS.len() as f64;
    eprintln!("{count} problems, {mean:.2} % above the optimum, region map {share:.1} %");
    assert!(count > 500 && mean < 5.0, "{count} {mean}");
}

/// There is nothing to save then: queries on terrain are refused. The list of rows was empty, and
/// one less than none underflowed.
#[test]
fn saving_after_terrain_was_set_does_not_underflow() {
    let mut grid = generate::caves(30, 20, 3).unwrap();
    let mut planner = Hcdps::new(&grid, Moves::EIGHT).unwrap();
    let before = planner.save();
    grid.set_cost((3, 3), 2.0).unwrap();
    planner.update(&grid).unwrap();
    assert_eq!(planner.save(), None);
    grid.set_cost((3, 3), 1.0).unwrap();
    planner.update(&grid).unwrap();
    let again = Hcdps::builder().open(&planner.save().unwrap(), &grid, Moves::EIGHT).unwrap();
    assert_eq!(again.regions(), Hcdps::new(&grid, Moves::EIGHT).unwrap().regions());
    assert!(before.is_some());
}

/// Built directly, these used to accept a rule with a slope and ignore it.
#[test]
fn databases_refuse_slopes() {
    let grid = Grid::new(5, 5).unwrap();
    let moves = Moves::EIGHT.with_slope(Slope::new(1.0));
    let refused = [
        Hcdps::new(&grid, moves).err(),
        PathDatabase::new(&grid, moves).err(),
        PathDatabase::estimate(&grid, moves).err(),
        VisibilityGraph::new(&grid, Moves::ANY_ANGLE.with_slope(Slope::new(1.0))).err(),
        Lddb::complete(moves, 2).err(),
        Lddb::collect([&grid], moves, 4).err(),
    ];
    for error in refused {
        let message = error.unwrap().to_string();
        assert!(message.contains("slopes"), "{message}");
    }
}
