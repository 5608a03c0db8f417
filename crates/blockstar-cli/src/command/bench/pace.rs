//! The pace of real-time planners: how soon the agent moves, and how long each move takes.

use super::clock::Clock;
use super::tally::Row;
use blockstar::{Budget, Error, Grid, Planner, Promise, Query, Scratch, Status};
use blockstar_reports::table::{Table, bytes, decimals};
use serde::Serialize;

/// The pace of one walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Microseconds from the query to the first move: `begin` and a `resume` for one move.
    pub first_us: f64,
    /// Microseconds of the slowest move.
    pub slowest_us: f64,
    /// Microseconds of the whole walk, taken at a stretch; known later.
    pub walk_us: f64,
    /// How many moves were made.
    pub moves: u64,
    /// Expansions before the first move.
    pub first_expansions: u64,
    /// The most expansions for one move.
    pub most_expansions: u64,
}

/// Walks move by move with a watch in hand; `None` for planners that do not walk.
pub fn watch(
    promise: Promise,
    clock: &Clock,
    planner: &dyn Planner,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<Option<Pace>, Error> {
    if promise != Promise::RealTime {
        return Ok(None);
    }
    let mut start = clock.start();
    planner.begin(grid, query, scratch)?;
    let (mut first_us, mut slowest_us) = (None, 0f64);
    loop {
        let status = planner.resume(grid, scratch, Budget::expansions(1))?;
        let micros = clock.since(start);
        start = clock.start();
        first_us.get_or_insert(micros);
        slowest_us = slowest_us.max(micros);
        if status != Status::Working {
            break;
        }
    }
    let stats = scratch.stats();
    Ok((stats.moves > 0).then_some(Pace {
        first_us: first_us.unwrap_or(0.0),
        slowest_us,
        walk_us: 0.0,
        moves: stats.moves,
        first_expansions: stats.first_response,
        most_expansions: stats.largest_move,
    }))
}

impl Pace {
    /// The calmer of two watched walks: noise only ever adds time.
    pub fn calmer(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        Self {
            first_us: self.first_us.min(other.first_us),
            slowest_us: self.slowest_us.min(other.slowest_us),
            ..self
        }
    }
}

/// The sums over many walks.
#[derive(Clone, Debug, Default)]
pub struct Paces {
    walks: usize,
    first_us: f64,
    slowest_us: f64,
    walk_us: f64,
    moves: u64,
    first_expansions: u64,
    most_first_expansions: u64,
    most_expansions: u64,
}

impl Paces {
    /// Adds a walk.
    pub fn add(&mut self, pace: &Pace) {
        self.merge(&Self {
            walks: 1,
            first_us: pace.first_us,
            slowest_us: pace.slowest_us,
            walk_us: pace.walk_us,
            moves: pace.moves,
            first_expansions: pace.first_expansions,
            most_first_expansions: pace.first_expansions,
            most_expansions: pace.most_expansions,
        });
    }

    /// Adds the walks of another map.
    pub fn merge(&mut self, other: &Self) {
        self.walks += other.walks;
        self.first_us += other.first_us;
        self.slowest_us = self.slowest_us.max(other.slowest_us);
        self.walk_us += other.walk_us;
        self.moves += other.moves;
        self.first_expansions += other.first_expansions;
        self.most_first_expansions = self.most_first_expansions.max(other.most_first_expansions);
        self.most_expansions = self.most_expansions.max(other.most_expansions);
    }

    /// What is reported of them.
    pub fn fields(&self) -> PaceFields {
        let walks = |sum: f64| (self.walks > 0).then(|| sum / self.walks as f64);
        let some = self.walks > 0;
        PaceFields {
            mean_moves: walks(self.moves as f64),
            first_response_us: walks(self.first_us),
            mean_move_us: some.then(|| self.walk_us / self.moves as f64),
            max_move_us: some.then_some(self.slowest_us),
            first_response_expansions: walks(self.first_expansions as f64),
            max_first_response_expansions: some.then_some(self.most_first_expansions),
            max_move_expansions: some.then_some(self.most_expansions),
        }
    }
}

/// The fields of the JSON output that are about moves: null for planners that do not walk.
#[derive(Clone, Debug, Serialize)]
pub struct PaceFields {
    pub mean_moves: Option<f64>,
    pub first_response_us: Option<f64>,
    pub mean_move_us: Option<f64>,
    pub max_move_us: Option<f64>,
    pub first_response_expansions: Option<f64>,
    pub max_first_response_expansions: Option<u64>,
    pub max_move_expansions: Option<u64>,
}

/// The table of the planners that walk, if there are any.
pub fn table(rows: &[Row]) -> Option<Table> {
    let mut table = Table::new([
        "real time",
        "moves",
        "first move µs",
        "µs/move",
        "slowest move µs",
        "expansions before first",
        "at most",
        "for any move",
        "suboptimal %",
        "memory fixed",
        "per agent",
    ]);
    let mut any = false;
    for row in rows {
        let Some(moves) = row.pace.mean_moves else { continue };
        any = true;
        let pace = &row.pace;
        let count = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
        table.push(vec![
            row.planner.clone(),
            decimals(Some(moves), 1),
            decimals(pace.first_response_us, 2),
            decimals(pace.mean_move_us, 3),
            decimals(pace.max_move_us, 1),
            decimals(pace.first_response_expansions, 1),
            count(pace.max_first_response_expansions),
            count(pace.max_move_expansions),
            decimals(row.cost_over_reference.map(|ratio| (ratio - 1.0) * 100.0), 2),
            bytes(row.memory_bytes),
            bytes(row.scratch_bytes),
        ]);
    }
    any.then_some(table)
}
