//! D* Lite: a reused search answers as well as a new one, whatever happened in between.

use crate::support::{
    Ground, all_cell_moves, at_least, cell_hills, close, grounds, prepare, random_free_cell,
};
use blockstar::{
    Algorithm, Budget, Cell, Error, Grid, Heuristic, Mask, Moves, Planner, Query, Scratch, Status,
    Tile, generate,
};

/// What the journeys of the test were like.
#[derive(Default)]
struct Seen {
    answers: u64,
    reused: u64,
    found: u64,
    abandoned: u64,
}

/// The agent walks, jumps or stays, the map is edited, and every answer costs what A* finds on the
/// map as it is. Now and then a search is abandoned halfway, another goal is asked for, a limit is
/// set, or cells are avoided.
fn journey(ground: &mut Ground, steps: usize, seen: &mut Seen) {
    let (mut grid, moves) = (ground.grid.clone(), ground.moves);
    let mut planner = prepare("d-star-lite", &grid, moves);
    let mut astar = prepare("astar", &grid, moves);
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    let mut start = random_free_cell(&mut ground.random, &grid);
    let mut goal = random_free_cell(&mut ground.random, &grid);
    let heuristics: Vec<_> =
        Heuristic::ALL.iter().copied().filter(|h| h.is_admissible(moves)).collect();
    let heuristic = heuristics[ground.random.below(heuristics.len() as u64) as usize];
    for step in 0..steps {
        for _ in 0..ground.random.below(3) {
            ground.random_edit(&mut grid);
        }
        planner.update(&grid).unwrap();
        astar.update(&grid).unwrap();
        let random = &mut ground.random;
        match random.below(10) {
            0 => start = random_free_cell(random, &grid),
            1 => goal = random_free_cell(random, &grid),
            2..8 => {
                let ahead = 1 + random.below(2) as usize;
                start = scratch.path().cells().nth(ahead).unwrap_or(start);
            }
            _ => {}
        }
        let mut query = Query::new(start, goal).heuristic(heuristic).reuse();
        match random.below(12) {
            0 => query = query.nearest(),
            1 => query = query.max_cost(random.below(30) as f64),
            2 => {
                query =
                    query.avoid(&[random_free_cell(random, &grid)].into_iter().collect::<Mask>());
            }
            3 => {
                planner.begin(&grid, &query, &mut scratch).unwrap();
                let slice = Budget::expansions(random.below(20));
                planner.resume(&grid, &mut scratch, slice).unwrap();
                seen.abandoned += 1;
                continue;
            }
            _ => {}
        }
        let status = planner.find(&grid, &query, &mut scratch).unwrap();
        let expected = astar.find(&grid, &query, &mut other).unwrap();
        let context = || format!("step {step} under {moves}: {query:?}");
        // If there is no path, a limit may be met before that is known.
        let none = |status| matches!(status, Status::NoPath | Status::LimitReached);
        let limited = query.cost_limit().is_some() && none(status) && none(expected);
        assert!(limited || status == expected, "{status} {expected}, {}", context());
        let (cost, best) = (scratch.path().cost(), other.path().cost());
        assert!(close(cost, best), "{cost} {best}, {}", context());
        if status.has_path() {
            scratch.path().check(&grid, moves).unwrap();
            seen.found += 1;
        }
        seen.answers += 1;
        seen.reused += u64::from(scratch.stats().reused);
    }
}

#[test]
fn every_answer_costs_what_a_star_finds_through_edits_and_moves() {
    let mut seen = Seen::default();
    grounds(301, 60, &all_cell_moves()).for_each(|mut ground| journey(&mut ground, 40, &mut seen));
    at_least("answers", seen.answers, 15_000);
    at_least("searches used again", seen.reused, 5_000);
    at_least("paths", seen.found, 5_000);
    at_least("searches given up", seen.abandoned, 500);
}

#[test]
fn every_answer_costs_what_a_star_finds_on_hills() {
    let mut seen = Seen::default();
    cell_hills(302, 300).for_each(|mut ground| journey(&mut ground, 30, &mut seen));
    at_least("answers", seen.answers, 6_000);
    at_least("searches used again", seen.reused, 2_000);
    at_least("paths", seen.found, 2_000);
}

/// Larger maps, where open ground ties and corridors are long, and the agent goes all the way.
#[test]
fn a_walk_through_changing_rooms_stays_on_shortest_paths() {
    let mut replans = 0;
    for seed in 0..6 {
        let mut grid = match seed % 3 {
            0 => generate::rooms(96, 80, 9, seed).unwrap(),
            1 => generate::caves(90, 90, seed).unwrap(),
            _ => generate::random(80, 96, 15.0, seed).unwrap(),
        };
        let mut random = blockstar::random::Random::new(seed);
        let mut planner = prepare("d-star-lite", &grid, Moves::EIGHT);
        let mut jps = prepare("jps", &grid, Moves::EIGHT);
        let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
        for (mut at, goal) in generate::queries(&grid, 4, seed) {
            for _ in 0..400 {
                let query = Query::new(at, goal).reuse();
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                assert_eq!(status, jps.find(&grid, &query, &mut other).unwrap());
                assert!(close(scratch.path().cost(), other.path().cost()));
                replans += u64::from(scratch.stats().reused);
                let Some(next) = scratch.path().cells().nth(1) else { break };
                at = next;
                let near = |v: u32, by: u64| (v + by as u32).saturating_sub(4);
                let cell = Cell::new(near(at.x, random.below(9)), near(at.y, random.below(9)));
                if grid.contains(cell) && cell != at && cell != goal {
                    let tile = if random.chance(1, 2) { Tile::Free } else { Tile::Blocked };
                    grid.set(cell, tile).unwrap();
                }
                planner.update(&grid).unwrap();
                jps.update(&grid).unwrap();
            }
        }
    }
    at_least("plans again", replans, 500);
}

/// The point of it all: a wall before the agent costs a few expansions, not a search.
#[test]
fn a_small_edit_near_the_agent_takes_a_small_part_of_a_search() {
    let mut grid = generate::caves(200, 200, 3).unwrap();
    let mut planner = prepare("d-star-lite", &grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    let (mut anew, mut again) = (0, 0);
    for (start, goal) in generate::queries(&grid, 20, 4) {
        let query = Query::new(start, goal).reuse();
        planner.find(&grid, &query, &mut scratch).unwrap();
        let Some(ahead) = scratch.path().cells().nth(3).filter(|&cell| cell != goal) else {
            continue;
        };
        grid.set(ahead, Tile::Blocked).unwrap();
        planner.update(&grid).unwrap();
        planner.find(&grid, &query, &mut scratch).unwrap();
        if scratch.stats().reused {
            again += scratch.stats().expanded;
            planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
            anew += scratch.stats().expanded;
        }
        grid.set(ahead, Tile::Free).unwrap();
        planner.update(&grid).unwrap();
    }
    assert!(anew > 10_000 && again * 10 < anew, "{again} expansions again, {anew} anew");
}

#[test]
fn nothing_is_used_again_unless_asked_for_or_if_something_else_changed() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut planner = prepare("d-star-lite", &grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    let plain = Query::new((1, 1), (40, 20));
    let query = plain.clone().reuse();
    let mut ask = |planner: &dyn Planner, grid: &Grid, query: &Query| {
        assert_eq!(planner.find(grid, query, &mut scratch), Ok(Status::Found));
        scratch.stats().reused
    };
    assert!(!ask(&planner, &grid, &query), "there was none");
    assert!(ask(&planner, &grid, &query));
    assert!(ask(&planner, &grid, &Query::new((9, 3), (40, 20)).reuse()), "another start");
    assert!(!ask(&planner, &grid, &plain), "not asked for");
    assert!(ask(&planner, &grid, &query), "a search that did not use one may be used");
    assert!(!ask(&planner, &grid, &Query::new((1, 1), (40, 21)).reuse()), "another goal");
    assert!(!ask(&planner, &grid, &query), "another goal before");
    assert!(!ask(&planner, &grid, &query.clone().heuristic(Heuristic::Euclidean)));
    assert!(!ask(&planner.clone(), &grid, &query), "another planner");
    assert!(!ask(&planner, &grid, &query));
    let mask: Mask = [(5, 5)].into_iter().collect();
    assert!(!ask(&planner, &grid, &query.clone().avoid(&mask)), "another map");
    assert!(!ask(&planner, &grid, &query), "another map before");
    for index in 0..5_000 {
        let tile = if index % 2 == 0 { Tile::Blocked } else { Tile::Free };
        grid.set((60, 60), tile).unwrap();
    }
    planner.update(&grid).unwrap();
    assert!(!ask(&planner, &grid, &query), "nobody knows what has changed");
    grid.set_cost((60, 60), 3.0).unwrap();
    planner.update(&grid).unwrap();
    assert!(!ask(&planner, &grid, &query), "terrain where there was none");
    grid.set_cost((61, 60), 0.5).unwrap();
    planner.update(&grid).unwrap();
    assert!(!ask(&planner, &grid, &query), "a new cheapest cell");
    grid.set_cost((62, 60), 9.0).unwrap();
    planner.update(&grid).unwrap();
    assert!(ask(&planner, &grid, &query));
}

#[test]
fn a_heuristic_that_overestimates_is_refused() {
    let grid = Grid::new(9, 9).unwrap();
    let planner = Algorithm::named("d-star-lite").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let query = Query::new((0, 0), (8, 8)).heuristic(Heuristic::Manhattan);
    let refused = planner.find(&grid, &query, &mut Scratch::new());
    assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
}
