//! Three-step path finding: it sets off at once, arrives, and a splice never makes the walk longer.

use crate::support::{all_cell_moves, at_least, best_cost, on, prepare, rounds_on_terrain};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Error, Grid, Moves, Planner, Query, Scratch, Status, ThreeStep, Tile,
    generate,
};

/// A bay that opens towards the start, and the goal behind its back: the quick path runs into it.
fn bay() -> (Grid, Query) {
    let grid = Grid::from_fn(60, 41, |cell| {
        let wall = (10..=30).contains(&cell.y);
        let back = cell.x == 24 && wall;
        let arms = (8..=24).contains(&cell.x) && (cell.y == 10 || cell.y == 30);
        !(back || arms)
    });
    (grid.unwrap(), Query::new((14, 20), (50, 20)))
}

/// With a splice and without, on thousands of random maps and into dead ends.
#[test]
fn a_splice_never_makes_the_walk_longer() {
    let mut scratch = Scratch::new();
    let (mut compared, mut shorter) = (0, 0);
    let mut compare = |grid: &Grid, moves: Moves, query: &Query, setting: &str| {
        let mut walk = |splice: &str| {
            let planner = prepare(&format!("three-step:{setting}:splice={splice}"), grid, moves);
            on(grid, moves)
                .optimum_if_found(&planner, query, &mut scratch)
                .map(|best| (scratch.path().cost(), best))
        };
        let (Some(with), Some(without)) = (walk("astar"), walk("off")) else { return };
        assert!(with.0 <= without.0 + 1e-9, "{setting} {moves} {query:?}: {with:?} {without:?}");
        compared += 1;
        shorter += u64::from(with.0 < without.0 - 1e-9);
    };
    let settings = ["work=4:tiles=3", "work=16:tiles=15", "work=32", "work=200:tiles=5"];
    for mut round in rounds_on_terrain(2002, 1500, 3) {
        let (moves, query) = (round.pick(&all_cell_moves()), round.cell_query());
        compare(&round.grid, moves, &query, round.turn(&settings));
    }
    for seed in 0..6 {
        let grid = match seed % 3 {
            0 => generate::maze(41, 41, 1, seed).unwrap(),
            1 => generate::rooms(60, 50, 8, seed).unwrap(),
            _ => generate::caves(60, 60, seed).unwrap(),
        };
        for (start, goal) in generate::queries(&grid, 10, seed) {
            for setting in settings {
                compare(&grid, Moves::EIGHT, &Query::new(start, goal), setting);
            }
        }
    }
    let (grid, query) = bay();
    for setting in settings {
        compare(&grid, Moves::EIGHT, &query, setting);
    }
    at_least("walks compared", compared, 1_000);
    at_least("walks that a splice made shorter", shorter, 50);
}

/// In a dead end: the quick path leads in, the walk leads out again, and the splice saves a part.
#[test]
fn a_unit_gets_out_of_a_dead_end_that_its_quick_path_led_into() {
    let (grid, query) = bay();
    let mut scratch = Scratch::new();
    let mut cost = |choice: &str| {
        let cost = on(&grid, Moves::EIGHT).cost_by(choice, &query, &mut scratch).unwrap();
        (cost, *scratch.stats())
    };
    let best = best_cost(&grid, Moves::EIGHT, Cell::new(14, 20), Cell::new(50, 20));
    let (with, stats) = cost("three-step:tiles=10:work=100");
    let (without, _) = cost("three-step:tiles=10:work=100:splice=off");
    assert!(best < with && with < without - 2.0, "{best} {with} {without}");
    assert!(without < best + 25.0, "in and out of the bay: {without}");
    assert!(stats.first_response <= 100 && stats.waits == 0, "{stats:?}");
    // With less work for a move the full search ends after the quick path does: there is nothing
    // left to splice, and the unit has waited.
    let (slow, stats) = cost("three-step:tiles=10:work=10");
    assert!(slow <= without && stats.waits > 0 && stats.first_response <= 10, "{slow} {stats:?}");
}

/// The first move comes after at most `work` expansions, a small part of the full search.
#[test]
fn the_first_response_is_a_small_part_of_the_full_search() {
    let grid = generate::caves(300, 300, 8).unwrap();
    let (mut scratch, mut full) = (Scratch::new(), Scratch::new());
    let planner = prepare("three-step", &grid, Moves::EIGHT);
    let astar = prepare("astar", &grid, Moves::EIGHT);
    let (mut first, mut whole, mut walked, mut best) = (0, 0, 0.0, 0.0);
    for (start, goal) in generate::queries(&grid, 60, 3) {
        let query = Query::new(start, goal);
        astar.find(&grid, &query, &mut full).unwrap();
        planner.begin(&grid, &query, &mut scratch).unwrap();
        let status = planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap();
        assert!(status.has_path() || scratch.walk().len() == 2, "it has not moved");
        assert!(scratch.stats().expanded <= 32);
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        first += scratch.stats().first_response;
        whole += full.stats().expanded;
        walked += scratch.path().cost();
        best += full.path().cost();
    }
    eprintln!("{first} of {whole} expansions before the first moves; {:.3}", walked / best);
    assert!(first * 50 < whole, "{first} {whole}");
    assert!(walked < 1.1 * best, "{walked} {best}");
}

/// Any planner of the registry for each step; those that walk are refused where paths are needed.
#[test]
fn any_planner_serves_any_step() {
    let grid = generate::rooms(50, 40, 7, 5).unwrap();
    let mut scratch = Scratch::new();
    let queries = generate::queries(&grid, 5, 6);
    let mut served = 0;
    for row in Algorithm::all() {
        if row.name == "three-step" || !row.supports(Moves::EIGHT.rule()) {
            continue;
        }
        for step in ["quick", "full", "splice"] {
            let choice = Algorithm::named(&format!("three-step:{step}={}", row.name)).unwrap();
            let planner = match choice.prepare(&grid, Moves::EIGHT) {
                Err(Error::Parameter { given, reason, .. }) => {
                    assert_eq!(row.promise, blockstar::Promise::RealTime, "{given}: {reason}");
                    assert!(step != "quick" && reason.contains("walks itself"), "{reason}");
                    continue;
                }
                planner => planner.unwrap(),
            };
            for &(start, goal) in &queries {
                let query = Query::new(start, goal);
                on(&grid, Moves::EIGHT).optimum_if_found(&planner, &query, &mut scratch);
                assert!(scratch.stats().largest_move <= 32, "{choice} {:?}", scratch.stats());
                served += 1;
            }
        }
    }
    at_least("walks", served, 250);
    for refused in ["three-step:full=jsp", "three-step:quick=", "three-step:tiles=2"] {
        assert!(Algorithm::named(refused).is_err(), "{refused}");
    }
    let itself = Algorithm::named("three-step:quick=three-step").unwrap();
    assert!(itself.prepare(&grid, Moves::EIGHT).is_err());
    let typed = ThreeStep::builder().quick("jps").full("block-astar").without_splice();
    assert_eq!(
        typed.spec().unwrap().to_string(),
        "three-step:quick=jps:full=block-astar:splice=off"
    );
}

/// The goal moves and walls come and go while the unit is under way: each is a new query from where it
/// is, answered as quickly, and it arrives in the end.
#[test]
fn a_unit_follows_a_moving_goal_on_a_changing_map() {
    let mut scratch = Scratch::new();
    let mut arrived = 0;
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut grid = generate::caves(70, 60, seed).unwrap();
        let mut planner = prepare("three-step:full=jps:work=8", &grid, Moves::EIGHT);
        let (mut at, mut goal) = generate::queries(&grid, 1, seed)[0];
        for turn in 0..600 {
            if turn % 5 == 0 && turn < 300 {
                let (x, y) = (random.below(70) as u32, random.below(60) as u32);
                if (Cell::new(x, y)) != at && Cell::new(x, y) != goal {
                    let tile = if random.chance(1, 2) { Tile::Free } else { Tile::Blocked };
                    grid.set((x, y), tile).unwrap();
                }
                let around = Cell::new(goal.x + 1, goal.y);
                goal = if grid.is_free(around) && around != at { around } else { goal };
                planner.update(&grid).unwrap();
                planner.begin(&grid, &Query::new(at, goal).nearest(), &mut scratch).unwrap();
            }
            let status = planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap();
            at = scratch.walk().last().map_or(at, |point| point.cell());
            assert!(grid.is_free(at) && scratch.stats().largest_move <= 8, "turn {turn}");
            if turn >= 300 && status != Status::Working {
                assert!(status.has_path(), "{status}");
                assert!(status != Status::Found || at == goal);
                arrived += 1;
                break;
            }
        }
    }
    assert_eq!(arrived, 8);
}

/// Terrain that comes later is refused by name if a step's planner does not take it.
#[test]
fn terrain_is_refused_if_one_of_the_planners_refuses_it() {
    let mut grid = Grid::new(20, 20).unwrap();
    let mut planner = prepare("three-step:full=jps", &grid, Moves::EIGHT);
    grid.set_cost((3, 3), 2.0).unwrap();
    let error = planner.update(&grid).unwrap_err();
    assert!(error.to_string().contains("jps"), "{error}");
}
