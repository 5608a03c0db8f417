//! Planners on the same maps: the queries of all in turns, then the edits of each.

use super::edits::EditTimes;
use super::ground::Ground;
use crate::Progress;
use crate::noise::{Interval, Repeats};
use crate::race::{Race, Runner};
use blockstar::{Algorithm, Memory, Moves};
use serde::Serialize;

/// The means of a planner on some maps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    pub planner: String,
    pub rule: String,
    /// What the planner promises under that rule.
    pub promise: String,
    /// What kind of map, or which one.
    pub ground: String,
    /// The side of a generated map.
    pub side: Option<u32>,
    /// Microseconds of a query, and over those of A* on the same maps.
    pub query_us: f64,
    pub over_astar: Interval,
    #[serde(skip)]
    pub repeats: Repeats,
    /// The mean length of a path, and over that of a shortest one.
    pub length: f64,
    pub over_optimum: f64,
    /// Microseconds of a one-cell edit with the planner's update: mean, and what 99 of 100 stay below.
    pub edit_us: f64,
    pub edit_p99_us: f64,
    /// The mean of an edit and the query after it.
    pub edit_and_query_us: f64,
    /// Processor time to prepare one map.
    pub prepare_ms: f64,
    /// Bytes of what is prepared, without the labels of what is connected, per cell of the maps.
    pub bytes_per_cell: f64,
}

/// The planner whose paths are the shortest.
fn reference(moves: Moves) -> &'static str {
    if moves.rule().is_any_angle() { "anya" } else { "jps" }
}

/// Measures planners; those that the registry does not have are an error.
pub fn run(
    planners: &[&str],
    moves: Moves,
    grounds: &[Ground],
    changes: u32,
    progress: &dyn Progress,
) -> Result<Vec<Row>, String> {
    let text = |error: blockstar::Error| error.to_string();
    let runners =
        planners.iter().map(|name| Runner::new(name, name, name)).collect::<Result<_, _>>();
    let mut race = Race::new(moves, runners.map_err(text)?, reference(moves));
    for ground in grounds {
        progress.doing(&format!("{}, {moves}", ground.course.name));
        race.run(&ground.course, &())?;
    }
    let raced = race.rows();
    let astar = raced.iter().find(|row| row.key == "astar").ok_or("A* did not take part")?;
    let name = match grounds {
        [ground] => &ground.course.name,
        _ => &grounds[0].family,
    };
    let mut rows = Vec::new();
    for row in &raced {
        progress.doing(&format!("{}, {moves}: edits on {name}", row.planner));
        let spec = Algorithm::named(&row.planner).map_err(text)?;
        let mut times = EditTimes::default();
        let (mut bytes, mut cells) = (0, 0.0);
        for (seed, ground) in (1..).zip(grounds) {
            let grid = &ground.course.grid;
            let mut planner = spec.prepare(grid, moves).map_err(text)?;
            let memory = planner.memory_usage();
            bytes += memory.total() - memory.part(Memory::CONNECTIVITY);
            cells += f64::from(grid.width()) * f64::from(grid.height());
            times.add(&spec, &mut *planner, &ground.course, (changes, seed))?;
        }
        let [edit_us, edit_p99_us, edit_and_query_us] = times.summary();
        rows.push(Row {
            planner: row.planner.clone(),
            rule: moves.to_string(),
            promise: spec.promise_under(moves.rule()).to_string(),
            ground: name.clone(),
            side: grounds[0].side,
            query_us: row.mean_us,
            over_astar: row.repeats_us.over(&astar.repeats_us),
            repeats: row.repeats_us.clone(),
            length: row.path.mean_length,
            over_optimum: row.path.length_over_optimum.unwrap_or(f64::NAN),
            edit_us,
            edit_p99_us,
            edit_and_query_us,
            prepare_ms: row.mean_prepare_ms,
            bytes_per_cell: bytes as f64 / cells,
        });
        progress.step();
    }
    Ok(rows)
}
