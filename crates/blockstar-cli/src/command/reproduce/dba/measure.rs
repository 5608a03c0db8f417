//! One planner after the other on all problems of all maps.
//!
//! Times are processor time (of the thread, of many queries at a stretch; when preparing, of all threads
//! together), and A* solves some of the same
//! problems just before: a busy machine then disturbs the ratio little.

use super::problems::{Field, MOVES, Problem};
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Grid, Memory, Planner, Query, Scratch, Status, Tile};
use cpu_time::{ProcessTime, ThreadTime};
use serde::Serialize;

/// What came of a planner, as a mean over the maps unless said otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The planner with its parameters.
    pub planner: String,
    /// What it belongs to on the charts.
    pub series: String,
    pub problems: usize,
    /// How much longer than the optimum the paths are, in percent: mean, spread and most.
    pub suboptimality: f64,
    pub spread: f64,
    pub worst: f64,
    /// The same of the problems evenly over each scenario.
    pub evenly: f64,
    pub evenly_worst: f64,
    /// Microseconds of a query, the whole path included, and of a move.
    pub mean_us: f64,
    pub move_us: f64,
    /// How many times as fast as A* on the same problems.
    pub speed: f64,
    pub prepare_ms: f64,
    pub slowest_prepare_ms: f64,
    /// Bytes of what is prepared, without the labels of what is connected, and by part.
    pub bytes: f64,
    pub parts: Vec<(String, f64)>,
    /// Bytes of search memory of one agent.
    pub agent_bytes: f64,
    /// The most expansions before the first move, for planners that walk.
    pub first_response: u64,
}

/// Measures a planner; a sentence instead if the registry does not have it or it refuses.
pub fn run(name: &str, series: &str, fields: &[Field]) -> Result<Row, String> {
    let choice = Algorithm::named(name).map_err(|error| error.to_string())?;
    let maps = fields.len() as f64;
    let mut row = Row {
        planner: name.into(),
        series: series.into(),
        problems: 0,
        suboptimality: 0.0,
        spread: 0.0,
        worst: 0.0,
        evenly: 0.0,
        evenly_worst: 0.0,
        mean_us: 0.0,
        move_us: 0.0,
        speed: 0.0,
        prepare_ms: 0.0,
        slowest_prepare_ms: 0.0,
        bytes: 0.0,
        parts: Vec::new(),
        agent_bytes: 0.0,
        first_response: 0,
    };
    let (mut excesses, mut others) = (Vec::new(), Vec::new());
    let (mut moves, mut total_us, mut astar_us) = (0, 0.0, 0.0);
    for field in fields {
        let text = |error: blockstar::Error| error.to_string();
        let some: Vec<Problem> = field.longest.iter().step_by(10).copied().collect();
        let astar = Algorithm::named("astar").map_err(text)?;
        let astar = astar.prepare(&field.grid, MOVES).map_err(text)?;
        let mut yardstick = Agent { planner: &*astar, grid: &field.grid, scratch: Scratch::new() };
        yardstick.time(&some[..1])?;
        let each = yardstick.time(&some)? / some.len() as f64;
        astar_us += each * field.longest.len() as f64;
        // Some planners are prepared on all cores: what counts is the work of all together.
        let clock = ProcessTime::now();
        let planner = choice.prepare(&field.grid, MOVES).map_err(text)?;
        let ms = clock.elapsed().as_secs_f64() * 1e3;
        row.prepare_ms += ms / maps;
        row.slowest_prepare_ms = row.slowest_prepare_ms.max(ms);
        let memory = planner.memory_usage();
        row.bytes += (memory.total() - memory.part(Memory::CONNECTIVITY)) as f64 / maps;
        for &(part, bytes) in memory.parts().iter().filter(|part| part.0 != Memory::CONNECTIVITY) {
            let share = bytes as f64 / maps;
            match row.parts.iter_mut().find(|known| known.0 == part) {
                Some(known) => known.1 += share,
                None => row.parts.push((part.into(), share)),
            }
        }
        let mut agent = Agent { planner: &*planner, grid: &field.grid, scratch: Scratch::new() };
        // Once to have all memory, then for the time.
        let walk = agent.walk(&field.longest, &mut excesses)?;
        total_us += agent.time(&field.longest)?;
        moves += walk.moves;
        row.first_response = row.first_response.max(walk.first_response);
        row.agent_bytes += agent.scratch.memory_usage() as f64 / maps;
        agent.walk(&field.evenly, &mut others)?;
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    row.problems = excesses.len();
    row.suboptimality = mean(&excesses);
    let square = |&excess: &f64| (excess - row.suboptimality).powi(2);
    row.spread = mean(&excesses.iter().map(square).collect::<Vec<_>>()).sqrt();
    (row.worst, row.evenly, row.evenly_worst) = (most(&excesses), mean(&others), most(&others));
    row.mean_us = total_us / excesses.len().max(1) as f64;
    row.move_us = total_us / moves.max(1) as f64;
    row.speed = astar_us / total_us;
    Ok(row)
}

struct Agent<'a> {
    planner: &'a dyn Planner,
    grid: &'a Grid,
    scratch: Scratch,
}

struct Walk {
    moves: usize,
    first_response: u64,
}

impl Agent<'_> {
    /// The microseconds of solving all problems.
    fn time(&mut self, problems: &[Problem]) -> Result<f64, String> {
        let clock = ThreadTime::now();
        for problem in problems {
            let answer = self.planner.find(self.grid, &problem.query(), &mut self.scratch);
            answer.map_err(|error| error.to_string())?;
        }
        Ok(clock.elapsed().as_secs_f64() * 1e6)
    }

    /// Solves problems; the excess of each is noted, and each path is checked.
    fn walk(&mut self, problems: &[Problem], excesses: &mut Vec<f64>) -> Result<Walk, String> {
        let mut walk = Walk { moves: 0, first_response: 0 };
        for problem in problems {
            let status = self.planner.find(self.grid, &problem.query(), &mut self.scratch);
            let path = self.scratch.path();
            let checked = path.check(self.grid, MOVES);
            if status != Ok(Status::Found) || checked.is_err() {
                return Err(format!(
                    "a wrong answer from {} to {}: {status:?}, {checked:?}",
                    problem.start, problem.goal
                ));
            }
            walk.moves += path.cells().count() - 1;
            walk.first_response = walk.first_response.max(self.scratch.stats().first_response);
            excesses.push((path.cost() / problem.optimum - 1.0).max(0.0) * 100.0);
        }
        Ok(walk)
    }
}

/// The edit experiment for one planner.
#[derive(Clone, Debug, Serialize)]
pub struct Edits {
    pub planner: String,
    /// How many searches between adding and removing a wall, and microseconds of all that.
    pub points: Vec<(u32, f64)>,
    /// Microseconds of one edit with its repair.
    pub edit_us: f64,
    /// The same over the time of A* for a problem of median length on that map, mean of the maps.
    pub edit_over_astar: f64,
    /// Whether paths after the edits cost what those of a planner made anew cost.
    pub equal_to_fresh: bool,
}

/// How many searches follow a change.
pub const SEARCHES: [u32; 5] = [0, 1, 5, 10, 14];

/// Adds and removes walls, with searches between.
pub fn edit(name: &str, fields: &[Field], changes: usize, seed: u64) -> Result<Edits, String> {
    let text = |error: blockstar::Error| error.to_string();
    let choice = Algorithm::named(name).map_err(text)?;
    let mut edits = Edits {
        planner: name.into(),
        points: SEARCHES.map(|k| (k, 0.0)).into(),
        edit_us: 0.0,
        edit_over_astar: 0.0,
        equal_to_fresh: true,
    };
    for field in fields {
        let mut random = Random::new(seed);
        let mut grid = field.grid.clone();
        let mut planner = choice.prepare(&grid, MOVES).map_err(text)?;
        let mut scratch = Scratch::new();
        let astar = Algorithm::named("astar").map_err(text)?.prepare(&grid, MOVES).map_err(text)?;
        let mut yardstick = Agent { planner: &*astar, grid: &grid, scratch: Scratch::new() };
        yardstick.time(&field.median)?;
        let astar_us = yardstick.time(&field.median)? / field.median.len() as f64;
        let cells: Vec<Cell> = (0..changes).map(|_| free_cell(&grid, &mut random)).collect();
        for (k, micros) in &mut edits.points {
            let mut problem = 0;
            let clock = ThreadTime::now();
            for &cell in &cells {
                grid.set(cell, Tile::Blocked).map_err(text)?;
                planner.update(&grid).map_err(text)?;
                for _ in 0..*k {
                    problem = (problem + 1) % field.evenly.len();
                    let query = field.evenly[problem].query();
                    planner.find(&grid, &query, &mut scratch).map_err(text)?;
                }
                grid.set(cell, Tile::Free).map_err(text)?;
                planner.update(&grid).map_err(text)?;
            }
            let each = clock.elapsed().as_secs_f64() * 1e6 / changes as f64;
            *micros += each / fields.len() as f64;
            if *k == 0 {
                edits.edit_us += each / 2.0 / fields.len() as f64;
                edits.edit_over_astar += each / 2.0 / astar_us / fields.len() as f64;
            }
        }
        // Leave some walls, and compare with a planner that knows nothing else.
        for &cell in &cells {
            grid.set(cell, Tile::Blocked).map_err(text)?;
            planner.update(&grid).map_err(text)?;
        }
        let fresh = choice.prepare(&grid, MOVES).map_err(text)?;
        for problem in &field.evenly {
            let query: Query = problem.query();
            let repaired = planner.find(&grid, &query, &mut scratch).map_err(text)?;
            let cost = scratch.path().cost();
            let anew = fresh.find(&grid, &query, &mut scratch).map_err(text)?;
            edits.equal_to_fresh &= repaired == anew && cost == scratch.path().cost();
        }
    }
    Ok(edits)
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
