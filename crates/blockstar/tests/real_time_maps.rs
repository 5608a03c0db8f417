//! What was published about real-time planners, on a Dragon Age map below the folder that
//! `BLOCKSTAR_MAPS` names, if it is set: its ten longest problems. All ten maps of the literature are
//! for `blockstar bench --longest`; preparing them takes longer than a test may.

use blockstar::format::movingai::{Scenario, parse_map, parse_scen};
use blockstar::{Algorithm, Grid, Moves, Query, Scratch, Status};
use std::path::Path;
use std::{env, fs};

const MAP: &str = "dao/orz103d.map";

fn longest_problems() -> Option<(Grid, Vec<Scenario>)> {
    let Some(root) = env::var_os("BLOCKSTAR_MAPS") else {
        eprintln!("BLOCKSTAR_MAPS is not set: {MAP} is not tested");
        return None;
    };
    let map = Path::new(&root).join(MAP);
    let (Ok(text), Ok(scenarios)) = (fs::read(&map), fs::read(map.with_extension("map.scen")))
    else {
        eprintln!("{MAP} is not below BLOCKSTAR_MAPS: it is not tested");
        return None;
    };
    let mut scenarios = parse_scen(&scenarios).unwrap();
    scenarios.sort_by(|a, b| b.optimal.total_cmp(&a.optimal));
    scenarios.truncate(10);
    Some((parse_map(&text).unwrap(), scenarios))
}

/// What came of the problems: mean of cost over optimum, moves, expansions and most expansions for any
/// move.
struct Outcome {
    ratio: f64,
    moves: u64,
    expanded: u64,
    largest_move: u64,
}

fn walk(grid: &Grid, scenarios: &[Scenario], name: &str) -> Outcome {
    let planner = Algorithm::named(name).unwrap().prepare(grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    let mut outcome = Outcome { ratio: 0.0, moves: 0, expanded: 0, largest_move: 0 };
    for scenario in scenarios {
        let query = Query::new(scenario.start, scenario.goal);
        let status = planner.find(grid, &query, &mut scratch).unwrap();
        assert_eq!(status, Status::Found, "{name}");
        scratch.path().check(grid, Moves::EIGHT).unwrap();
        outcome.ratio += scratch.path().cost() / scenario.optimal / scenarios.len() as f64;
        outcome.moves += scratch.stats().moves;
        outcome.expanded += scratch.stats().expanded;
        outcome.largest_move = outcome.largest_move.max(scratch.stats().largest_move);
    }
    outcome
}

/// TBA*: twenty times fewer moves than LRTA* at equal work per move, and equal quality at a fraction of
/// the work.
#[test]
fn time_bounded_a_star_needs_far_less_than_lrta_star() {
    let Some((grid, scenarios)) = longest_problems() else { return };
    let lrta = walk(&grid, &scenarios, "lrta-star:work=32:avoid=off");
    let same_work = walk(&grid, &scenarios, "tba-star:work=32");
    let little_work = walk(&grid, &scenarios, "tba-star:work=2");
    assert!(lrta.largest_move <= 32 && same_work.largest_move <= 32);
    assert!(little_work.largest_move <= 2);
    assert!(20 * same_work.moves < lrta.moves, "{} {}", same_work.moves, lrta.moves);
    assert!(little_work.moves < lrta.moves, "{} {}", little_work.moves, lrta.moves);
}

/// D LRTA*: within 7 % of the optimum at about one expansion per move.
#[test]
fn dynamic_lrta_star_is_within_7_percent() {
    let Some((grid, scenarios)) = longest_problems() else { return };
    let walked = walk(&grid, &scenarios, "d-lrta-star");
    let per_move = walked.expanded as f64 / walked.moves as f64;
    assert!(walked.ratio < 1.07 && per_move < 2.0, "{} {per_move}", walked.ratio);
    assert!(walked.largest_move <= 512);
}

/// Subgoal trees are almost optimal; solved problems as guides are much better than none.
#[test]
fn trees_and_records_guide_well() {
    let Some((grid, scenarios)) = longest_problems() else { return };
    let trees = walk(&grid, &scenarios, "subgoal-lrta-star:goals=64");
    let records = walk(&grid, &scenarios, "knn-lrta-star");
    let lrta = walk(&grid, &scenarios, "lrta-star");
    assert!(trees.ratio < 1.05, "{}", trees.ratio);
    assert!(8.0 * records.ratio < lrta.ratio, "{} {}", records.ratio, lrta.ratio);
    assert!(trees.largest_move <= 1000 && records.largest_move <= 1000);
}
