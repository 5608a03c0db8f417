//! One planner after the other on all problems of all maps.
//!
//! Times are processor time (of the thread, of many queries at a stretch; when preparing, of all
//! threads together), each measured several times. Speed relative to A* comes from every fifth
//! problem, which A* solves just before the planner does: noise then hardly disturbs the ratio.

use super::problems::{Field, MOVES, Problem};
use crate::noise::{Interval, Repeats};
use crate::table::bytes;
use blockstar::{Algorithm, Grid, Memory, Planner, Scratch, Status};
use cpu_time::{ProcessTime, ThreadTime};
use serde::Serialize;

/// The results of a planner, as means over the maps unless stated otherwise.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// The planner with its parameters.
    pub planner: String,
    /// What it belongs to on the charts.
    pub series: String,
    pub problems: usize,
    /// The length of paths above the optimum, in percent: mean, spread and maximum.
    pub suboptimality: f64,
    pub spread: f64,
    pub worst: f64,
    /// The same for problems spread evenly over each scenario.
    pub evenly: f64,
    pub evenly_spread: f64,
    pub evenly_worst: f64,
    /// Microseconds of a query, including the whole path, and of a move.
    pub mean_us: f64,
    pub move_us: f64,
    /// The latter and the time to prepare, in each repeat.
    pub repeated_move_us: Repeats,
    pub repeated_prepare_ms: Repeats,
    /// How many times as fast as A* on the same problems: some of the longest.
    pub speed: Interval,
    pub prepare_ms: f64,
    pub slowest_prepare_ms: f64,
    /// Bytes of prepared data without the connectivity labels, and by part.
    pub bytes: f64,
    pub parts: Vec<(String, f64)>,
    /// Bytes of these labels, which every planner has.
    pub label_bytes: f64,
    /// Bytes of search memory of one agent.
    pub agent_bytes: f64,
    /// The most expansions before the first move, for planners that walk.
    pub first_response: u64,
}

/// The value of a setting in the name of a planner.
pub fn setting<'a>(planner: &'a str, name: &str) -> Option<&'a str> {
    let mut settings = planner.split(':').skip(1).filter_map(|setting| setting.split_once('='));
    settings.find(|pair| pair.0 == name).map(|pair| pair.1)
}

impl Row {
    /// The value of a setting of the planner.
    pub fn setting(&self, name: &str) -> Option<&str> {
        setting(&self.planner, name)
    }

    /// The memory by part.
    pub fn split(&self) -> String {
        let part = |(name, size): &(String, f64)| format!("{name} {}", bytes(*size as usize));
        self.parts.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}

/// A preparation of more milliseconds than this is measured once.
const LONG_MS: f64 = 1000.0;

/// Measures a planner; an error if the registry does not have it or it refuses the maps.
pub fn run(name: &str, series: &str, fields: &[Field]) -> Result<Row, String> {
    let spec = Algorithm::named(name).map_err(|error| error.to_string())?;
    let maps = fields.len() as f64;
    let mut row = Row { planner: name.into(), series: series.into(), ..Row::default() };
    let (mut excesses, mut others) = (Vec::new(), Vec::new());
    let mut moves = 0;
    let [mut total_us, mut some_us, mut astar_us] = [(); 3].map(|()| Repeats::default());
    for field in fields {
        let text = |error: blockstar::Error| error.to_string();
        let some: Vec<Problem> = field.longest.iter().step_by(5).copied().collect();
        let astar = Algorithm::named("astar").map_err(text)?;
        let astar = astar.prepare(&field.grid, MOVES).map_err(text)?;
        let mut yardstick = Agent { planner: &*astar, grid: &field.grid, scratch: Scratch::new() };
        yardstick.time(&some[..1])?;
        // Some planners prepare on all cores: the work of all cores counts.
        let prepare = || {
            let clock = ProcessTime::now();
            let planner = spec.prepare(&field.grid, MOVES).map_err(text)?;
            Ok::<_, String>((planner, clock.elapsed().as_secs_f64() * 1e3))
        };
        let (planner, ms) = prepare()?;
        // Long preparations are disturbed little, and would take long again.
        let again =
            |repeat: usize| if repeat == 0 || ms > LONG_MS { Ok(ms) } else { Ok(prepare()?.1) };
        let repeats: Vec<f64> = (0..Repeats::COUNT).map(again).collect::<Result<_, String>>()?;
        for (repeat, ms) in repeats.iter().enumerate() {
            row.repeated_prepare_ms.add(repeat, ms / maps);
        }
        let ms = repeats.iter().sum::<f64>() / repeats.len() as f64;
        row.prepare_ms += ms / maps;
        row.slowest_prepare_ms = row.slowest_prepare_ms.max(ms);
        let memory = planner.memory_usage();
        row.bytes += (memory.total() - memory.part(Memory::CONNECTIVITY)) as f64 / maps;
        row.label_bytes += memory.part(Memory::CONNECTIVITY) as f64 / maps;
        for &(part, bytes) in memory.parts().iter().filter(|part| part.0 != Memory::CONNECTIVITY) {
            let share = bytes as f64 / maps;
            match row.parts.iter_mut().find(|known| known.0 == part) {
                Some(known) => known.1 += share,
                None => row.parts.push((part.into(), share)),
            }
        }
        let mut agent = Agent { planner: &*planner, grid: &field.grid, scratch: Scratch::new() };
        // Once to allocate, then once more to be timed.
        let walk = agent.walk(&field.longest, &mut excesses)?;
        for repeat in 0..Repeats::COUNT {
            astar_us.add(repeat, yardstick.time(&some)?);
            some_us.add(repeat, agent.time(&some)?);
            total_us.add(repeat, agent.time(&field.longest)?);
        }
        moves += walk.moves;
        row.first_response = row.first_response.max(walk.first_response);
        row.agent_bytes += agent.scratch.memory_usage() as f64 / maps;
        let walk = agent.walk(&field.evenly, &mut others)?;
        row.first_response = row.first_response.max(walk.first_response);
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    row.problems = excesses.len();
    let spread = |list: &[f64]| {
        let middle = mean(list);
        mean(&list.iter().map(|excess| (excess - middle).powi(2)).collect::<Vec<_>>()).sqrt()
    };
    (row.suboptimality, row.spread, row.worst) =
        (mean(&excesses), spread(&excesses), most(&excesses));
    (row.evenly, row.evenly_spread, row.evenly_worst) =
        (mean(&others), spread(&others), most(&others));
    row.mean_us = total_us.mean() / excesses.len().max(1) as f64;
    row.repeated_move_us = total_us.times(1.0 / moves.max(1) as f64);
    row.move_us = row.repeated_move_us.mean();
    row.speed = astar_us.over(&some_us);
    Ok(row)
}

/// A planner on its map.
pub struct Agent<'a> {
    pub planner: &'a dyn Planner,
    pub grid: &'a Grid,
    pub scratch: Scratch,
}

struct Walk {
    moves: usize,
    first_response: u64,
}

impl Agent<'_> {
    /// The microseconds of solving all problems.
    pub fn time(&mut self, problems: &[Problem]) -> Result<f64, String> {
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
            if path.cost() < problem.optimum * (1.0 - 1e-7) {
                return Err(format!(
                    "a wrong answer from {} to {}: {} is less than the optimum, {}",
                    problem.start,
                    problem.goal,
                    path.cost(),
                    problem.optimum
                ));
            }
            walk.moves += path.cell_count() - 1;
            walk.first_response = walk.first_response.max(self.scratch.stats().first_response);
            excesses.push((path.cost() / problem.optimum - 1.0).max(0.0) * 100.0);
        }
        Ok(walk)
    }
}
