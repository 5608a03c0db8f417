//! Real-time planners: the goal is reached whenever there is a way, no move takes more work than it
//! may, and what was learned is kept exactly when it is still true.

use crate::support::{all_cell_moves, best_cost, on, prepare, rounds_on_terrain, serpentine};
use blockstar::{
    Algorithm, Budget, Cell, Grid, Moves, Planner, Query, Scratch, Status, Tile, generate,
};

/// Parameters beside the default ones, for the planners that have them, with the most work per move
/// that each permits.
const VARIANTS: &[(&str, &[&str])] = &[
    ("work", &["work=1", "work=2", "work=7", "work=100"]),
    ("avoid", &["work=1:avoid=off", "work=9:avoid=off"]),
    ("trace", &["work=1:trace=1", "work=3:trace=2", "work=20:trace=1"]),
];

/// Those that prepare something, which takes its time: they take part in fewer settings.
const PREPARED: [&str; 3] = ["knn-lrta-star", "subgoal-lrta-star", "d-lrta-star"];

/// Every real-time planner that keeps to a parameter `work`, in several settings, with that work.
fn walkers(rule: blockstar::Rule, weighted: bool) -> Vec<(String, u64)> {
    let able = |a: &&Algorithm| a.walks() && a.supports(rule) && (a.terrain || !weighted);
    let mut walkers = Vec::new();
    for row in Algorithm::all().iter().filter(able) {
        let prepared = PREPARED.contains(&row.name);
        let Some(work) = row.parameters.iter().find(|p| p.name == "work") else { continue };
        walkers.push((row.name.to_string(), work.default.parse().unwrap()));
        if prepared {
            walkers.push((format!("{}:work=1", row.name), 1));
            continue;
        }
        for (parameter, settings) in VARIANTS {
            if row.parameters.iter().any(|p| p.name == *parameter) {
                for setting in *settings {
                    let work = setting.split([':', '=']).nth(1).unwrap().parse().unwrap();
                    walkers.push((format!("{}:{setting}", row.name), work));
                }
            }
        }
    }
    walkers
}

/// The most cells that may be gone through for a move beside its expansions: TBA* traces back as
/// many as its parameter says, before its first move as many as it has expanded; LRTA* teaches
/// those that it has reached, at most eight from each expansion.
fn bookkeeping(name: &str, work: u64) -> u64 {
    if !name.starts_with("tba-star") {
        return 8 * work + 1;
    }
    let trace = name.split(':').find_map(|part| part.strip_prefix("trace="));
    trace.map_or(10 * work, |trace| trace.parse().unwrap()).max(work)
}

/// Thousands of random maps, every rule, terrain, edits: found if and only if there is a way, by
/// legal moves, none of which took more expansions than permitted.
#[test]
fn the_goal_is_reached_whenever_there_is_a_way() {
    let mut scratch = Scratch::new();
    let (mut found, mut detours) = (0, 0);
    for mut round in rounds_on_terrain(1990, 2000, 4) {
        let moves = round.pick(&all_cell_moves());
        let mut planners: Vec<_> = walkers(moves.rule(), round.grid.has_costs())
            .into_iter()
            .map(|(name, work)| (prepare(&name, &round.grid, moves), name, work))
            .collect();
        for edit in 0..4 {
            if edit > 0 {
                round.edit(&mut []);
            }
            let (query, grid) = (round.cell_query(), &round.grid);
            for (planner, name, work) in &mut planners {
                planner.update(grid).unwrap();
                let best = on(grid, moves).optimum_if_found(planner, &query, &mut scratch);
                let stats = scratch.stats();
                let context = || format!("{stats:?} of {name} {moves} {query:?}");
                assert!(stats.largest_move <= *work, "{}", context());
                let turns = stats.moves + stats.waits;
                assert!(stats.expanded <= turns * *work, "{}", context());
                let most = bookkeeping(name, *work);
                assert!(stats.largest_bookkeeping <= most, "{most} {}", context());
                if let Some(best) = best {
                    assert_eq!(stats.moves as usize + 1, scratch.path().cell_count());
                    found += 1;
                    detours += u32::from(scratch.path().cost() > best + 1e-6);
                }
            }
        }
    }
    assert!(found > 50_000 && detours > 5_000, "{found} {detours}");
}

/// Dead ends, mazes, rooms and caves of some size.
#[test]
fn agents_get_out_of_dead_ends_on_larger_maps() {
    let maps = [
        generate::maze(61, 61, 1, 1).unwrap(),
        generate::rooms(90, 70, 8, 2).unwrap(),
        generate::caves(100, 80, 3).unwrap(),
        generate::random(80, 80, 35.0, 4).unwrap(),
        serpentine(60, 21),
    ];
    let mut scratch = Scratch::new();
    for grid in &maps {
        for moves in [Moves::FOUR, Moves::EIGHT, Moves::EIGHT_CUT_ANY] {
            let queries = generate::queries(grid, 4, 5);
            for (name, work) in walkers(moves.rule(), false) {
                let planner = prepare(&name, grid, moves);
                for &(start, goal) in &queries {
                    let query = Query::new(start, goal);
                    on(grid, moves).optimum_if_found(&planner, &query, &mut scratch);
                    assert!(scratch.stats().largest_move <= work, "{name} {moves}");
                }
            }
        }
    }
}

/// One expansion of budget is one move, or one turn of waiting, and the agent can be watched.
#[test]
fn a_budget_of_one_expansion_is_one_move() {
    let grid = generate::rooms(40, 30, 7, 6).unwrap();
    let mut scratch = Scratch::new();
    for row in Algorithm::all().iter().filter(|row| row.walks()) {
        let planner = row.choose().prepare(&grid, Moves::EIGHT).unwrap();
        for (start, goal) in generate::queries(&grid, 5, 7) {
            planner.begin(&grid, &Query::new(start, goal), &mut scratch).unwrap();
            assert_eq!(scratch.walk(), [start.centre()], "{}", row.name);
            let mut turns = 0;
            loop {
                let status = planner.resume(&grid, &mut scratch, Budget::expansions(1)).unwrap();
                turns += 1;
                let stats = scratch.stats();
                assert_eq!(stats.moves + stats.waits, turns, "{}", row.name);
                assert!(stats.waits == 0 || row.name == "three-step", "{}", row.name);
                assert_eq!(scratch.walk().len() as u64, stats.moves + 1, "{}", row.name);
                if status != Status::Working {
                    break;
                }
            }
            assert_eq!(scratch.walk().last(), Some(&goal.centre()), "{}", row.name);
        }
    }
}

/// A cost limit ends the walk, but it has been walked.
#[test]
fn the_walk_up_to_a_limit_can_be_read() {
    let grid = Grid::new(30, 3).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(29, 0));
    let mut scratch = Scratch::new();
    for row in Algorithm::all().iter().filter(|row| row.walks()) {
        let planner = row
            .choose()
            .prepare(&grid, Moves::FOUR)
            .unwrap_or_else(|_| row.choose().prepare(&grid, Moves::EIGHT).unwrap());
        let status = planner.find(&grid, &query.clone().max_cost(10.0), &mut scratch).unwrap();
        assert_eq!(status, Status::LimitReached, "{}", row.name);
        assert!(scratch.path().is_empty());
        assert!(scratch.walk().len() > 1 && scratch.walk().len() <= 11, "{}", row.name);
        assert_eq!(scratch.stats().moves as usize, scratch.walk().len() - 1);
    }
}

/// A pocket that opens away from the goal: on the second visit an agent that remembers goes around.
fn pocket() -> (Grid, Query) {
    let grid = Grid::from_ascii(
        "...................
         ...................
         ..............#....
         ..............#....
         ....###########....
         ..............#....
         ..............#....
         ....###########....
         ...................
         ...................",
    )
    .unwrap();
    (grid, Query::new(Cell::new(6, 5), Cell::new(18, 5)))
}

#[test]
fn learning_is_kept_if_it_is_asked_for_and_still_true() {
    let (mut grid, query) = pocket();
    for setting in ["work=1", "work=4", "work=1:avoid=off", "work=4:avoid=off"] {
        let name = format!("lrta-star:{setting}");
        let planner = prepare(&name, &grid, Moves::EIGHT);
        let mut scratch = Scratch::new();
        let mut cost = |query: &Query, grid: &Grid, planner: &dyn Planner| {
            assert_eq!(planner.find(grid, query, &mut scratch).unwrap(), Status::Found);
            scratch.path().check(grid, Moves::EIGHT).unwrap();
            scratch.path().cost()
        };
        let first = cost(&query, &grid, &*planner);
        assert_eq!(cost(&query, &grid, &*planner), first, "{name}: afresh unless told");
        let keep = query.clone().keep_learning();
        // The same agent on its way for the second, third … time: in the end its walk is a shortest
        // one.
        let best = best_cost(&grid, Moves::EIGHT, Cell::new(6, 5), Cell::new(18, 5));
        let mut costs: Vec<_> = (0..60).map(|_| cost(&keep, &grid, &*planner)).collect();
        if setting.ends_with("off") {
            assert!((costs.pop().unwrap() - best).abs() < 1e-9, "{name}: {best} {costs:?}");
        }
        assert!(costs.iter().sum::<f64>() < 0.9 * first * costs.len() as f64, "{name} {costs:?}");
        // Another goal, another heuristic, another planner or another version of the map: afresh.
        let other = Query::new(Cell::new(6, 5), Cell::new(18, 6));
        let fresh = cost(&other, &grid, &*planner);
        assert_eq!(cost(&keep, &grid, &*planner), first, "{name}: another goal came between");
        assert_eq!(cost(&other.keep_learning(), &grid, &*planner), fresh, "{name}");
        cost(&keep, &grid, &*planner);
        let twin = prepare(&name, &grid, Moves::EIGHT);
        assert_eq!(cost(&keep, &grid, &*twin), first, "{name}: another planner");
        cost(&keep, &grid, &*planner);
        let heuristic = keep.clone().heuristic(blockstar::Heuristic::Chebyshev);
        let plain = query.clone().heuristic(blockstar::Heuristic::Chebyshev);
        let learned = cost(&heuristic, &grid, &*planner);
        assert_eq!(learned, cost(&plain, &grid, &*planner), "{name}: another heuristic");
        grid.set((0, 0), Tile::Blocked).unwrap();
        let mut planner = planner;
        planner.update(&grid).unwrap();
        let edited = cost(&query, &grid, &*planner);
        grid.set((0, 0), Tile::Free).unwrap();
        planner.update(&grid).unwrap();
        cost(&keep, &grid, &*planner);
        grid.set((0, 0), Tile::Blocked).unwrap();
        planner.update(&grid).unwrap();
        assert_eq!(cost(&keep, &grid, &*planner), edited, "{name}: another version");
        grid.set((0, 0), Tile::Free).unwrap();
    }
}

/// In a pocket an agent that leaves depressions walks less than one that fills them up, and so does
/// one that looks farther.
#[test]
fn depression_avoidance_walks_less() {
    let (grid, query) = pocket();
    let mut scratch = Scratch::new();
    let mut walked = |name: &str| {
        on(&grid, Moves::EIGHT).cost_by(name, &query, &mut scratch).unwrap();
        scratch.stats().moves
    };
    let (plain, avoiding) =
        (walked("lrta-star:work=1:avoid=off"), walked("lrta-star:work=1:avoid=on"));
    assert!(avoiding < plain, "{avoiding} {plain}");
    assert!(walked("lrta-star:work=64:avoid=off") < plain);
}
