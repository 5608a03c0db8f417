//! The experiment with edits: k searches between adding a wall and removing it.
//!
//! The authors of DBA* did it eleven years later (the logs of their repository, 2024); what they
//! measured is shown beside ours. Only updates and searches are timed; every path is checked
//! outside. The walls are taken in three parts by turns, and the spread of the parts counts as the
//! noise of the whole.

use super::measure::Agent;
use super::problems::{Field, MOVES};
use crate::noise::{Interval, Repeats};
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Grid, Planner, Query, Scratch, Status, Tile};
use cpu_time::ThreadTime;
use serde::Serialize;

/// The results of one planner.
#[derive(Clone, Debug, Serialize)]
pub struct Edits {
    pub planner: String,
    /// The number of walls added and removed on each map for each number of searches.
    pub changes: usize,
    /// The number of searches between adding and removing a wall, and the microseconds of the
    /// whole.
    pub points: Vec<(u32, f64)>,
    /// Microseconds of one edit with its repair.
    pub edit_us: f64,
    /// The same divided by the time of A* for a problem of median length on that map, mean of the
    /// maps.
    pub edit_over_astar: Interval,
    /// The numbers of `points` for each of the three parts of the walls.
    #[serde(skip)]
    pub parts: Vec<Repeats>,
    /// The most expansions before the first move, for planners that walk.
    pub first_response: u64,
    /// Whether paths after the edits cost as much as those of a new planner; how much more they
    /// cost in all, in percent.
    pub equal_to_fresh: bool,
    pub longer_than_fresh: f64,
}

/// The most searches that follow a change.
pub const MOST_SEARCHES: u32 = 14;

/// The planners of the experiment, each with the share of walls it gets: those that rebuild
/// everything are slow, and A* searches slowly.
pub const EDITED: [(&str, usize); 7] = [
    ("dba-star:sector=16:depth=2", 1),
    ("dba-star:sector=32:depth=1", 1),
    ("pra-star:sector=16", 1),
    ("pra-star:sector=32", 1),
    ("pra-star:abstraction=cliques", 100),
    ("hcdps:depth=1", 100),
    ("astar", 20),
];

/// What the authors measured: milliseconds of 1,000 walls added and removed, which are microseconds
/// of one, with sectors of 32 in Java, for k searches.
pub const AUTHORS: [(&str, [(u32, f64); 5]); 3] = [
    ("DBA*, repaired at once", [(0, 1829.0), (1, 1929.0), (5, 2176.0), (10, 2469.0), (14, 2758.0)]),
    ("PRA*", [(0, 120.0), (1, 396.0), (5, 1416.0), (10, 2711.0), (14, 3762.0)]),
    ("PRA* that keeps paths", [(0, 120.0), (1, 229.0), (5, 437.0), (10, 658.0), (14, 836.0)]),
];

/// Adds and removes walls, with searches between.
pub fn run(name: &str, fields: &[Field], changes: usize, seed: u64) -> Result<Edits, String> {
    let text = |error: blockstar::Error| error.to_string();
    let spec = Algorithm::named(name).map_err(text)?;
    let mut edits = Edits {
        planner: name.into(),
        changes,
        points: (0..=MOST_SEARCHES).map(|k| (k, 0.0)).collect(),
        edit_us: 0.0,
        edit_over_astar: Interval::UNKNOWN,
        parts: vec![Repeats::default(); MOST_SEARCHES as usize + 1],
        first_response: 0,
        equal_to_fresh: true,
        longer_than_fresh: 0.0,
    };
    let maps = fields.len() as f64;
    let (mut repaired_cost, mut fresh_cost) = (0.0, 0.0);
    let mut over_astar = Repeats::default();
    for field in fields {
        let mut random = Random::new(seed);
        let mut grid = field.grid.clone();
        let mut planner = spec.prepare(&grid, MOVES).map_err(text)?;
        let mut scratch = Scratch::new();
        let astar = Algorithm::named("astar").map_err(text)?.prepare(&grid, MOVES).map_err(text)?;
        let mut yardstick = Agent { planner: &*astar, grid: &grid, scratch: Scratch::new() };
        yardstick.time(&field.median)?;
        let astar_us = yardstick.time(&field.median)? / field.median.len() as f64;
        let cells: Vec<Cell> = (0..changes).map(|_| free_cell(&grid, &mut random)).collect();
        for ((k, micros), parts) in edits.points.iter_mut().zip(&mut edits.parts) {
            let (mut problem, mut all) = (0, 0.0);
            let mut by_part = Repeats::default();
            for (number, &cell) in cells.iter().enumerate() {
                let part = number % Repeats::COUNT;
                let size = (changes - part).div_ceil(Repeats::COUNT);
                let mut us = 0.0;
                for tile in [Tile::Blocked, Tile::Free] {
                    let clock = ThreadTime::now();
                    grid.set(cell, tile).map_err(text)?;
                    planner.update(&grid).map_err(text)?;
                    us += clock.elapsed().as_secs_f64() * 1e6;
                    if tile == Tile::Free {
                        break;
                    }
                    for _ in 0..*k {
                        problem = (problem + 1) % field.evenly.len();
                        let query = field.evenly[problem].query();
                        let clock = ThreadTime::now();
                        let status = planner.find(&grid, &query, &mut scratch).map_err(text)?;
                        us += clock.elapsed().as_secs_f64() * 1e6;
                        check(&grid, &query, status, &scratch)?;
                        let first = scratch.stats().first_response;
                        edits.first_response = edits.first_response.max(first);
                    }
                }
                all += us;
                by_part.add(part, us / size as f64);
            }
            let each = all / changes as f64;
            *micros += each / maps;
            parts.add_all(&by_part, 1.0 / maps);
            if *k == 0 {
                edits.edit_us += each / 2.0 / maps;
                over_astar.add_all(&by_part, 0.5 / astar_us / maps);
            }
        }
        // Leaves some walls, and compares with a planner that was prepared with them. One that has
        // lost its matrix equals one without.
        for &cell in &cells {
            grid.set(cell, Tile::Blocked).map_err(text)?;
            planner.update(&grid).map_err(text)?;
        }
        let void = name.starts_with("dba-star") && planner.memory_usage().part("matrix") == 0;
        let like = if void { format!("{name}:matrix=off") } else { name.into() };
        let fresh = Algorithm::named(&like).map_err(text)?.prepare(&grid, MOVES).map_err(text)?;
        for problem in &field.evenly {
            let query = problem.query();
            let repaired = planner.find(&grid, &query, &mut scratch).map_err(text)?;
            check(&grid, &query, repaired, &scratch)?;
            let cost = scratch.path().cost();
            let expected = fresh.find(&grid, &query, &mut scratch).map_err(text)?;
            edits.equal_to_fresh &= repaired == expected && cost == scratch.path().cost();
            (repaired_cost, fresh_cost) =
                (repaired_cost + cost, fresh_cost + scratch.path().cost());
        }
    }
    edits.edit_over_astar = over_astar.interval();
    if fresh_cost > 0.0 {
        edits.longer_than_fresh = (repaired_cost / fresh_cost - 1.0) * 100.0;
    }
    Ok(edits)
}

/// A path must be legal and lead from the start to the goal; if there is none, a wall has cut off
/// the start or the goal.
fn check(grid: &Grid, query: &Query, status: Status, scratch: &Scratch) -> Result<(), String> {
    let points = scratch.path().points();
    let legal = match status {
        Status::Found => {
            scratch.path().check(grid, MOVES).is_ok()
                && points.first() == Some(&query.start())
                && points.last() == Some(&query.goal())
        }
        Status::NoPath => points.is_empty(),
        _ => false,
    };
    if legal {
        return Ok(());
    }
    Err(format!(
        "a wrong answer from {} to {} after an edit: {status:?}",
        query.start(),
        query.goal()
    ))
}

fn free_cell(grid: &Grid, random: &mut Random) -> Cell {
    loop {
        let x = random.below(grid.width().into()) as u32;
        let y = random.below(grid.height().into()) as u32;
        if grid.is_free(Cell::new(x, y)) {
            return Cell::new(x, y);
        }
    }
}
