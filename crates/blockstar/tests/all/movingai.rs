//! Reads every benchmark map and scenario below the folder that `BLOCKSTAR_MAPS` names, if it is
//! set: these are files by others, in all the variants that are in use.

use crate::support::maps::{self, Course, courses_below, files};
use crate::support::smoothed;
use blockstar::format::movingai::{Expected, parse_map, parse_map_with, parse_scen};
use blockstar::{Algorithm, Grid, Moves, Planner, Query, Scratch, Status};
use std::fs;
use std::path::PathBuf;

fn planner(name: &str, grid: &Grid, moves: Moves) -> Box<dyn Planner> {
    Algorithm::named(name).unwrap().prepare(grid, moves).unwrap()
}

/// What the terrain letters of the weighted maps might cost.
fn price(letter: u8) -> Option<f64> {
    match letter {
        b'H' => Some(1.0),
        b'F' => Some(1.5),
        b'G' => Some(2.0),
        b'C' => Some(4.0),
        b'E' => Some(5.0),
        b'W' => Some(0.0),
        b'A'..=b'P' => Some(3.0),
        _ => None,
    }
}

#[test]
fn every_map_and_scenario_is_read_and_they_fit() {
    let Some(root) = maps::folder() else { return };
    let (mut maps, mut queries, mut unreachable) = (0, 0, 0);
    for path in files(&root) {
        if path.extension().is_none_or(|extension| extension != "map") {
            continue;
        }
        let name = path.display();
        let text = fs::read(&path).unwrap();
        maps += 1;
        if path.components().any(|part| part.as_os_str() == "weighted") {
            let error = parse_map(&text).unwrap_err().to_string();
            assert!(error.contains("needs a cost for each letter"), "{name}: {error}");
            let grid = parse_map_with(&text, price).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(grid.has_costs() && grid.free_cells() > 0, "{name}");
            continue;
        }
        let grid = parse_map(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let scenarios = PathBuf::from(format!("{name}.scen"));
        if !scenarios.exists() {
            continue;
        }
        let scenarios = parse_scen(&fs::read(scenarios).unwrap());
        let scenarios = scenarios.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!scenarios.is_empty(), "{name}");
        for scenario in scenarios {
            assert_eq!(Some(scenario.base_name()), path.file_name().unwrap().to_str());
            scenario.check_fits(&grid).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(grid.is_free(scenario.start) && grid.is_free(scenario.goal), "{name}");
            queries += 1;
            match scenario.expected() {
                Expected::NoPath => unreachable += 1,
                Expected::Length(length) => {
                    let (start, goal) = (scenario.start.centre(), scenario.goal.centre());
                    assert!(length + 0.0101 >= start.distance(goal), "{name}: {scenario:?}");
                }
            }
        }
    }
    assert!(maps > 0, "there is no map below BLOCKSTAR_MAPS");
    eprintln!("{maps} maps, {queries} queries, {unreachable} of them without a path");
}

/// A few queries of every map: the listed lengths, by every planner that is optimal for them.
#[test]
fn a_sample_of_every_scenario_has_the_listed_length() {
    let Some(root) = maps::folder() else { return };
    let (mut scratch, mut answers) = (Scratch::new(), 0);
    for Course { path, grid, scenarios } in courses_below(&root) {
        let names = [
            "astar",
            "jps",
            "bidirectional-astar",
            "dijkstra",
            "weighted-astar",
            "rea-star",
            "block-astar",
            "block-astar:block=5",
        ];
        for name in names {
            let planner = Algorithm::named(name).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
            // Other places of the file for each planner, so that together they see more of it.
            let first = name.len() * 7 % 29;
            for scenario in scenarios.iter().skip(first).step_by(scenarios.len() / 3 + 1) {
                let query = Query::new(scenario.start, scenario.goal);
                let query = if name == "weighted-astar" { query.weight(1.0) } else { query };
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let context = || format!("{name} on {}: {scenario:?}", path.display());
                match scenario.expected() {
                    Expected::NoPath => assert_eq!(status, Status::NoPath, "{}", context()),
                    Expected::Length(_) => {
                        assert_eq!(status, Status::Found, "{}", context());
                        let found = scratch.path();
                        assert!(scenario.agrees(found.cost()), "{}: {}", context(), found.cost());
                        assert_eq!(found.check(&grid, Moves::EIGHT), Ok(()), "{}", context());
                    }
                }
                answers += 1;
            }
        }
    }
    assert!(answers > 500, "only {answers} answers");
}

/// Block A* under the any-angle rules on a few queries of every map: its paths are no shorter than
/// the shortest and no longer than those on the lattice of corners, smoothed ones no longer than
/// they were.
#[test]
fn block_paths_lie_between_the_shortest_and_those_on_the_lattice() {
    let Some(root) = maps::folder() else { return };
    let (mut scratch, mut answers) = (Scratch::new(), 0);
    for (index, Course { path, grid, scenarios }) in courses_below(&root).enumerate() {
        let moves = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][index % 2];
        let side = [4, 8, 5, 16][index / 2 % 4];
        let names = [&format!("block-astar:block={side}"), "anya", "astar"];
        let planners = names.map(|name| planner(name, &grid, moves));
        for scenario in scenarios.iter().skip(index % 7).step_by(scenarios.len() / 2 + 1) {
            let query = Query::between_corners(scenario.start, scenario.goal);
            let mut cost = |planner: usize| {
                let status = planners[planner].find(&grid, &query, &mut scratch).unwrap();
                if status == Status::Found {
                    assert_eq!(scratch.path().check(&grid, moves), Ok(()));
                }
                (status, scratch.path().cost(), scratch.stats().raw_cost)
            };
            let [(status, smooth, raw), shortest, lattice] = [0, 1, 2].map(&mut cost);
            let context = || format!("block={side} {moves} on {}: {scenario:?}", path.display());
            assert_eq!([shortest.0, lattice.0], [status, status], "{}", context());
            let raw = raw.unwrap_or(smooth);
            let order = [shortest.1, smooth, raw, lattice.1];
            let sorted = order.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-5));
            assert!(sorted, "{order:?} {}", context());
            answers += 1;
        }
    }
    assert!(answers > 100, "only {answers} answers");
}

/// How long the any-angle paths of Block A* are on the game maps: the sum of the lengths over a
/// sample, for each game and rule, over that of the same queries by another planner. (A mean of
/// ratios would count short queries as much as long ones.) Blocks of 4 x 4 cells, raw, against
/// Theta* as published; the same smoothed, and the default size smoothed, against the optimum.
#[test]
fn block_paths_are_as_short_as_promised_on_the_game_maps() {
    let Some(root) = maps::folder() else { return };
    let mut scratch = Scratch::new();
    for game in ["dao", "bg512", "sc1"] {
        let Some(folder) = maps::below(&root, game) else { continue };
        let mut sums = [[0.0; 5]; 2];
        for (index, course) in courses_below(&folder).enumerate() {
            let Course { grid, scenarios, .. } = course;
            let moves = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][index % 2];
            let four = planner("block-astar:block=4", &grid, moves);
            let default = planner("block-astar", &grid, moves);
            let theta = planner("theta-star:reopen=off", &grid, moves);
            let anya = planner("anya", &grid, moves);
            for scenario in scenarios.iter().skip(index % 5).step_by(scenarios.len() / 6 + 1) {
                let query = Query::between_corners(scenario.start, scenario.goal);
                let mut length = |planner: &dyn Planner, smooth: bool| {
                    let query = smoothed(query.clone(), smooth);
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    (status == Status::Found).then(|| scratch.path().length())
                };
                let lengths = [
                    length(&four, false),
                    length(&four, true),
                    length(&default, true),
                    length(&theta, true),
                    length(&anya, true),
                ];
                assert!(lengths.iter().all(|length| length.is_some() == lengths[0].is_some()));
                for (sum, length) in sums[index % 2].iter_mut().zip(lengths) {
                    *sum += length.unwrap_or(0.0);
                }
            }
        }
        for ([raw, smoothed, default, theta, best], rule) in
            sums.into_iter().zip(["strict", "permissive"])
        {
            eprintln!(
                "{game}, {rule}: raw 4 x 4 {:.5} of Theta*, smoothed {:.5}, default {:.6} of the optimum",
                raw / theta,
                smoothed / best,
                default / best
            );
            assert!(best > 1_000.0, "too small a sample");
            assert!(raw / theta <= 1.005, "{game} {rule}: {raw} {theta}");
            assert!(smoothed / best <= 1.001, "{game} {rule}: {smoothed} {best}");
            assert!(default / best <= 1.0003, "{game} {rule}: {default} {best}");
        }
    }
}

/// The cell rules that scenarios say nothing about, on a few queries of every map: what A* finds.
#[test]
fn block_paths_cost_what_those_of_astar_do_under_every_cell_rule() {
    let Some(root) = maps::folder() else { return };
    let (mut scratch, mut answers) = (Scratch::new(), 0);
    for (index, Course { path, grid, scenarios }) in courses_below(&root).enumerate() {
        let rules = [Moves::FOUR, Moves::EIGHT_CUT_ONE, Moves::EIGHT_CUT_ANY];
        for (turn, moves) in rules.into_iter().enumerate() {
            let name = ["block-astar", "block-astar:block=5"][(index + turn) % 2];
            let planners = [name, "astar"].map(|name| planner(name, &grid, moves));
            let first = (5 * turn + index) % 13;
            for scenario in scenarios.iter().skip(first).step_by(scenarios.len() / 2 + 1) {
                let query = Query::new(scenario.start, scenario.goal);
                let [block, astar] = [0, 1].map(|who: usize| {
                    let status = planners[who].find(&grid, &query, &mut scratch).unwrap();
                    if status == Status::Found {
                        assert_eq!(scratch.path().check(&grid, moves), Ok(()));
                    }
                    (status, scratch.path().cost())
                });
                assert_eq!(block, astar, "{name} {moves} on {}: {scenario:?}", path.display());
                answers += 1;
            }
        }
    }
    assert!(answers > 300, "only {answers} answers");
}
