//! Planners on the same maps: the queries of all in turns, then the edits of each.

use super::edits::{EditTimes, timed};
use super::ground::Ground;
use crate::Progress;
use crate::noise::{Interval, Repeats};
use crate::race::{Course, Race, Row as Raced, Runner};
use blockstar::{Algorithm, Memory, Moves, Planner, Query, Scratch};
use serde::Serialize;
use std::rc::Rc;

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

/// A planner prepared for a map, with its search memory.
type Contestant = (Rc<dyn Planner>, Scratch);

/// What was measured of a contestant on all maps.
#[derive(Default)]
struct Measured {
    seconds: Repeats,
    edits: EditTimes,
    bytes: usize,
}

/// A pass over all queries that takes more seconds than this is not repeated.
const LONG: f64 = 2.0;

/// Measures planners, map by map. First all answers are checked; then each planner answers all
/// queries at a stretch, in turns with the others, as a game would ask it; then the map is edited.
pub fn run(
    planners: &[&str],
    moves: Moves,
    grounds: &[Ground],
    changes: u32,
    progress: &dyn Progress,
) -> Result<Vec<Row>, String> {
    let text = |error: blockstar::Error| error.to_string();
    let runners = planners.iter().map(|name| Runner::new(name, name, name));
    let runners = runners.collect::<Result<_, _>>().map_err(text)?;
    let mut race = Race::new(moves, runners, reference(moves)).untimed();
    let mut measured: Vec<Measured> = planners.iter().map(|_| Measured::default()).collect();
    let (mut cells, mut queries) = (0.0, 0);
    for (seed, ground) in (1..).zip(grounds) {
        let (course, grid) = (&ground.course, &ground.course.grid);
        progress.doing(&format!("{}, {moves}", course.name));
        let prepared = race.run(course, &())?;
        let mut team: Vec<_> =
            prepared.into_iter().map(|planner| (planner, Scratch::new())).collect();
        time_queries(&mut team, &mut measured, course)?;
        for ((mut planner, _), measured) in team.into_iter().zip(&mut measured) {
            let planner = Rc::get_mut(&mut planner).ok_or("a planner runs twice")?;
            progress.doing(&format!("{}, {moves}: edits on {}", planner.name(), course.name));
            let memory = planner.memory_usage();
            measured.bytes += memory.total() - memory.part(Memory::CONNECTIVITY);
            measured.edits.add(planner, course, (changes, seed))?;
            if seed == grounds.len() as u64 {
                progress.step();
            }
        }
        cells += f64::from(grid.width()) * f64::from(grid.height());
        queries += course.pairs.len();
    }
    let raced = race.rows();
    let astar = raced.iter().position(|row| row.key == "astar").ok_or("A* did not take part")?;
    let astar = measured[astar].seconds.clone();
    let ground = match grounds {
        [ground] => &ground.course.name,
        _ => &grounds[0].family,
    };
    let row = |(row, Measured { seconds, edits, bytes }): (&Raced, Measured)| {
        let [edit_us, edit_p99_us, edit_and_query_us] = edits.summary();
        Row {
            planner: row.planner.clone(),
            rule: moves.to_string(),
            promise: Algorithm::named(&row.planner)
                .map_or_else(text, |spec| spec.promise_under(moves.rule()).to_string()),
            ground: ground.clone(),
            side: grounds[0].side,
            query_us: seconds.mean() * 1e6 / queries as f64,
            over_astar: seconds.over(&astar),
            repeats: seconds,
            length: row.path.mean_length,
            over_optimum: row.path.length_over_optimum.unwrap_or(f64::NAN),
            edit_us,
            edit_p99_us,
            edit_and_query_us,
            prepare_ms: row.mean_prepare_ms,
            bytes_per_cell: bytes as f64 / cells,
        }
    };
    Ok(raced.iter().zip(measured).map(row).collect())
}

/// All queries of a course, to each planner at a stretch, several times by turns.
fn time_queries(
    team: &mut [Contestant],
    measured: &mut [Measured],
    course: &Course,
) -> Result<(), String> {
    let mut first: Vec<f64> = Vec::new();
    for repeat in 0..=Repeats::COUNT {
        for (who, (planner, scratch)) in team.iter_mut().enumerate() {
            let slow = first.get(who).copied().filter(|&seconds| seconds > LONG);
            let seconds = match slow {
                Some(seconds) => seconds,
                None => {
                    let (result, seconds) = timed(|| {
                        course.pairs.iter().try_for_each(|&(start, goal)| {
                            planner
                                .find(&course.grid, &Query::new(start, goal), scratch)
                                .map(|_| ())
                        })
                    });
                    result.map_err(|error| format!("{}: {error}", planner.name()))?;
                    seconds
                }
            };
            // The first pass warms the memory up.
            match repeat.checked_sub(1) {
                None => first.push(seconds),
                Some(repeat) => measured[who].seconds.add(repeat, seconds),
            }
        }
    }
    Ok(())
}
