//! What was published about real-time planners, on three of the ten large Dragon Age maps, below
//! the folder that `BLOCKSTAR_MAPS` names, if it is set: their longest problems, and some of all
//! lengths. The figures of all ten are in the opening comments of the planners; `blockstar bench
//! --planner … --longest 10` and `--limit 10` reproduce them in minutes, which is too long for a
//! test.

use crate::support::maps::dragon_age;
use blockstar::format::movingai::Scenario;
use blockstar::{Algorithm, Grid, Moves, Planner, Query, Scratch, Status};

/// Those that are prepared soonest.
const MAPS: [&str; 3] = ["orz103d", "orz702d", "orz700d"];

struct Map {
    name: &'static str,
    grid: Grid,
    /// The ten longest problems.
    longest: Vec<Scenario>,
    /// Ten of all lengths.
    even: Vec<Scenario>,
}

/// The first `count` maps; none if one of them is missing, which has then been reported.
fn maps(count: usize) -> Vec<Map> {
    let load = |name: &&'static str| {
        let (grid, mut scenarios) = dragon_age(name)?;
        let even = scenarios.iter().step_by(scenarios.len().div_ceil(10)).cloned().collect();
        scenarios.sort_by(|a, b| b.optimal.total_cmp(&a.optimal));
        scenarios.truncate(10);
        Some(Map { name, grid, longest: scenarios, even })
    };
    MAPS[..count].iter().map(load).collect::<Option<_>>().unwrap_or_default()
}

/// The results of some problems: the mean of cost over optimum, moves, expansions and the most
/// expansions for any move.
struct Outcome {
    ratio: f64,
    moves: u64,
    expanded: u64,
    largest_move: u64,
}

fn prepare(map: &Map, name: &str) -> Box<dyn Planner> {
    Algorithm::named(name).unwrap().prepare(&map.grid, Moves::EIGHT).unwrap()
}

fn walk(map: &Map, scenarios: &[Scenario], planner: &dyn Planner) -> Outcome {
    let mut scratch = Scratch::new();
    let mut outcome = Outcome { ratio: 0.0, moves: 0, expanded: 0, largest_move: 0 };
    let far: Vec<_> = scenarios.iter().filter(|scenario| scenario.optimal > 0.0).collect();
    for scenario in &far {
        let query = Query::new(scenario.start, scenario.goal);
        let status = planner.find(&map.grid, &query, &mut scratch).unwrap();
        assert_eq!(status, Status::Found, "{}", map.name);
        scratch.path().check(&map.grid, Moves::EIGHT).unwrap();
        outcome.ratio += scratch.path().cost() / scenario.optimal / far.len() as f64;
        outcome.moves += scratch.stats().moves;
        outcome.expanded += scratch.stats().expanded;
        outcome.largest_move = outcome.largest_move.max(scratch.stats().largest_move);
    }
    outcome
}

/// The same for a planner on the longest problems, and on those of all lengths, of every map.
fn walk_all(name: &str) -> Vec<(&'static str, Outcome)> {
    let walks = |map: Map| {
        let planner = prepare(&map, name);
        [&map.longest, &map.even].map(|scenarios| (map.name, walk(&map, scenarios, &*planner)))
    };
    maps(3).into_iter().flat_map(walks).collect()
}

/// TBA*: twenty times fewer moves than LRTA* at equal work per move (98, 51 and 19 times here), and
/// fewer at a sixteenth of the work.
#[test]
fn time_bounded_a_star_needs_far_less_than_lrta_star() {
    let maps = maps(3);
    let mut sum = 0.0;
    for map in &maps {
        let [lrta, same_work, little_work] =
            ["lrta-star:work=32:avoid=off", "tba-star:work=32", "tba-star:work=2"]
                .map(|name| walk(map, &map.longest, &*prepare(map, name)));
        let times = lrta.moves as f64 / same_work.moves as f64;
        eprintln!("{}: {times:.0} times fewer moves", map.name);
        assert!(lrta.largest_move <= 32 && same_work.largest_move <= 32);
        assert!(little_work.largest_move <= 2);
        assert!(times > 15.0, "{}: {times}", map.name);
        sum += times;
        assert!(little_work.moves < lrta.moves, "{} {}", little_work.moves, lrta.moves);
    }
    assert!(maps.is_empty() || sum / maps.len() as f64 > 20.0, "{sum}");
}

/// D LRTA*: within 7 % of the optimum at few expansions per move, on maps that suit it. It guards
/// against decay and does not show the published claim for all of them: see
/// `planner/real_time/guided/dynamic.rs`.
#[test]
fn dynamic_lrta_star_is_within_7_percent_on_maps_that_suit_it() {
    for (map, walked) in walk_all("d-lrta-star") {
        let per_move = walked.expanded as f64 / walked.moves as f64;
        eprintln!("{map}: {:.4}, {per_move:.2} expansions a move", walked.ratio);
        assert!(walked.ratio < 1.07, "{map}: {}", walked.ratio);
        assert!(per_move < 2.5, "{map}: {per_move}");
        assert!(walked.largest_move <= 512);
    }
}

/// Subgoal trees are almost optimal, though their goals are not the ones asked for.
#[test]
fn subgoal_trees_are_almost_optimal() {
    for (map, trees) in walk_all("subgoal-lrta-star:goals=100") {
        eprintln!("{map}: {:.4}", trees.ratio);
        assert!(trees.ratio < 1.1, "{map}: {}", trees.ratio);
        assert!(trees.largest_move <= 1000);
    }
}

/// Solved problems as guides are many times better than none.
#[test]
fn records_guide_well() {
    for map in maps(3) {
        let records = walk(&map, &map.longest, &*prepare(&map, "knn-lrta-star:records=3000"));
        let lrta = walk(&map, &map.longest, &*prepare(&map, "lrta-star"));
        eprintln!("{}: {:.3}, without {:.3}", map.name, records.ratio, lrta.ratio);
        assert!(4.0 * (records.ratio - 1.0) < lrta.ratio - 1.0, "{} {}", records.ratio, lrta.ratio);
        assert!(records.largest_move <= 1000);
    }
}
