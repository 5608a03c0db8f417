//! PRA* over cliques: complete, near the optimum, and as good after edits as before.

mod support;

use blockstar::format::movingai::{Expected, parse_map, parse_scen};
use blockstar::random::Random;
use blockstar::{Algorithm, Grid, Moves, Planner, Query, Scratch, Status, generate};
use support::{all_cell_moves, best_cost, random_edit, random_free_cell, random_grid, record};

fn prepare(name: &str, grid: &Grid, moves: Moves) -> Box<dyn Planner> {
    Algorithm::named(name).unwrap().prepare(grid, moves).unwrap()
}

/// Thousands of maps and edits, every rule, several rings, both estimates: found exactly if there is a way, by legal
/// steps; and an updated planner answers like a fresh one.
#[test]
fn paths_are_found_whenever_there_are_some() {
    let mut random = Random::new(2005);
    let mut scratch = Scratch::new();
    let (mut found, mut longer) = (0, 0);
    for round in 0..2000 {
        let mut grid = random_grid(&mut random, false);
        let moves = all_cell_moves()[round % 8];
        let estimate = ["along", "straight"][random.below(2) as usize];
        let ring = random.below(3);
        let name = format!("pra-star:abstraction=cliques:ring={ring}:estimate={estimate}");
        let mut planner = prepare(&name, &grid, moves);
        for edit in 0..4 {
            if edit > 0 {
                random_edit(&mut random, &mut grid, false);
                planner.update(&grid).unwrap();
            }
            let start = random_free_cell(&mut random, &grid);
            let goal = random_free_cell(&mut random, &grid);
            let query = Query::new(start, goal);
            let best = best_cost(&grid, moves, start, goal);
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            let expected = if best.is_finite() { Status::Found } else { Status::NoPath };
            assert_eq!(status, expected, "{name} {moves} {start} -> {goal}");
            if status == Status::Found {
                scratch.path().check(&grid, moves).unwrap();
                assert!(scratch.path().cost() >= best - 1e-6);
                found += 1;
                longer += u32::from(scratch.path().cost() > best + 1e-6);
            }
            let answer = record(status, &scratch);
            let fresh = prepare(&name, &grid, moves);
            let status = fresh.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(answer, record(status, &scratch));
        }
    }
    assert!(found > 5000 && longer > 20, "{found} {longer}");
}

/// A wider corridor makes shorter paths, and all of them are near the optimum.
#[test]
fn a_wider_corridor_makes_shorter_paths() {
    let maps = [generate::rooms(200, 200, 12, 5).unwrap(), generate::caves(250, 250, 6).unwrap()];
    let mut scratch = Scratch::new();
    let mut over = |ring: u32| {
        let (mut sum, mut count, mut expanded) = (0.0, 0, 0);
        for grid in &maps {
            let name = format!("pra-star:abstraction=cliques:ring={ring}:estimate=straight");
            let planner = prepare(&name, grid, Moves::EIGHT);
            let astar = prepare("astar", grid, Moves::EIGHT);
            for (start, goal) in generate::queries(grid, 60, 7) {
                let query = Query::new(start, goal);
                assert_eq!(astar.find(grid, &query, &mut scratch), Ok(Status::Found));
                let best = scratch.path().cost();
                assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
                expanded += scratch.stats().expanded;
                if best > 0.0 {
                    sum += scratch.path().cost() / best - 1.0;
                    count += 1;
                }
            }
        }
        (100.0 * sum / f64::from(count), expanded)
    };
    let [none, one, two] = [0, 1, 2].map(&mut over);
    eprintln!("% above the optimum and expansions: {none:?} {one:?} {two:?}");
    assert!(none.0 > one.0 && one.0 > two.0 && none.1 < one.1 && one.1 < two.1);
    assert!(one.0 < 6.0, "{one:?}");
}

#[test]
fn other_abstractions_are_refused_with_a_sentence() {
    let grid = Grid::new(4, 4).unwrap();
    let choice = Algorithm::named("pra-star:abstraction=squares").unwrap();
    let error = choice.prepare(&grid, Moves::EIGHT).err().unwrap().to_string();
    assert!(error.contains("use sectors or cliques"), "{error}");
}

/// The published figure, about 1 % above the optimum, on Dragon Age's maps.
#[test]
fn about_one_per_cent_above_the_optimum_on_dragon_age_maps() {
    let Some(root) = std::env::var_os("BLOCKSTAR_MAPS") else {
        eprintln!("BLOCKSTAR_MAPS is not set: the Dragon Age maps are not tested");
        return;
    };
    let mut scratch = Scratch::new();
    let (mut sums, mut count, mut expanded) = ([0.0; 2], 0, [0; 3]);
    for name in ["hrt000d", "orz100d", "ost000t", "arena2"] {
        let read = |ending: &str| {
            std::fs::read(std::path::Path::new(&root).join("dao").join(format!("{name}.{ending}")))
        };
        let (Ok(map), Ok(scenarios)) = (read("map"), read("map.scen")) else { return };
        let (grid, scenarios) = (parse_map(&map).unwrap(), parse_scen(&scenarios).unwrap());
        let planners = ["", ":estimate=straight"]
            .map(|end| prepare(&format!("pra-star:abstraction=cliques{end}"), &grid, Moves::EIGHT));
        let astar = prepare("astar", &grid, Moves::EIGHT);
        for scenario in scenarios.iter().step_by(25) {
            let query = Query::new(scenario.start, scenario.goal);
            for (at, planner) in planners.iter().enumerate() {
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let Expected::Length(best) = scenario.expected() else {
                    assert_eq!(status, Status::NoPath, "{name}");
                    continue;
                };
                assert_eq!(status, Status::Found, "{name}");
                scratch.path().check(&grid, Moves::EIGHT).unwrap();
                expanded[at] += scratch.stats().expanded;
                if best > 0.0 {
                    sums[at] += scratch.path().cost() / best - 1.0;
                    count += 1;
                }
            }
            astar.find(&grid, &query, &mut scratch).unwrap();
            expanded[2] += scratch.stats().expanded;
        }
    }
    let means = sums.map(|sum| 200.0 * sum / f64::from(count));
    eprintln!("{} problems, % above the optimum {means:.2?}, expansions {expanded:?}", count / 2);
    assert!(count > 400 && means[0] < 2.0 && means[1] < 1.0, "{means:?}");
    assert!(8 * expanded[0] < expanded[2] && 3 * expanded[1] < expanded[2], "{expanded:?}");
}
