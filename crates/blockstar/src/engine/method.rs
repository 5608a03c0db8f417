//! What an algorithm *is*: its registry row, its prepared data, how it searches, how it repairs
//! itself.
//!
//! Everything else that a [`Planner`](crate::Planner) does (refusing bad queries, connectivity,
//! versions, slices, limits, restarts, statuses, prices) is done by the
//! [`Driver`](super::driver::Driver), once for all.

use crate::engine::budget::Meter;
use crate::engine::memory_pool::MemoryPool;
use crate::engine::partial::Closest;
use crate::engine::problem::Problem;
use crate::engine::walk::Walk;
use crate::{
    Algorithm, Error, Event, Grid, Layer, Memory, Moves, Path, Point, Query, Rect, Stats, Status,
    Trace,
};

/// An algorithm with the data it has prepared for a map and a movement rule.
///
/// Implement it and wrap it in a [`Driver`](super::Driver) to get a [`Planner`](crate::Planner)
/// that works wherever planners work: in slices, in a [`Batch`](crate::Batch), on maps that change.
/// `examples/own_planner.rs` is a complete one.
pub trait Method: Send + Sync + 'static {
    /// Whether the path keeps all points that the method writes. Otherwise the driver drops those
    /// in the middle of straight stretches.
    fn keeps_points(&self) -> bool {
        false
    }

    /// The planner's registry row: its name, and what it supports.
    fn row(&self) -> &'static Algorithm;

    /// Refuses queries that this method cannot answer, beyond what its row says.
    fn accept(&self, moves: Moves, query: &Query) -> Result<(), Error> {
        let _ = (moves, query);
        Ok(())
    }

    /// Whether the search must begin on wide costs, because narrow ones are known to overflow.
    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        let _ = problem;
        false
    }

    /// Searches until the goal is reached, nothing is left or the budget is spent. In a
    /// [fresh](Slice::is_fresh) slice it first sets up its memory; in later ones it continues from
    /// there. At the goal it writes the path into the slice.
    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched;

    /// Repairs what was prepared after the grid was edited. If it fails, the planner is stale until
    /// an update succeeds; that update gets no list of changes and must start from scratch.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        let _ = (grid, moves, changes);
        Ok(Update::default())
    }

    /// Adds the parts of the prepared data.
    fn memory(&self, memory: Memory) -> Memory {
        memory
    }

    /// The prepared data, as shapes on the map it was prepared for.
    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        let _ = grid;
        Vec::new()
    }

    /// The prepared data as the bytes of a file, if it is worth keeping. `map` is the
    /// [hash](Grid::content_hash) of the map it is for.
    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        let _ = (moves, map);
        None
    }
}

/// What [`Method::search`] returns: why it stopped, or an error, for instance because of forged
/// tables.
pub type Searched = Result<Outcome, Error>;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The goal was reached and the path was written.
    Goal,
    /// Everything that can be reached was searched.
    Exhausted,
    /// The budget is spent.
    Paused,
    /// A limit of the query was reached. If it [asks](Query::partial) for the best partial path,
    /// that was written; nothing written means the start alone.
    Limit,
    /// Costs get near the end of their type: the driver starts over with wide ones.
    Overflow,
}

impl Outcome {
    /// The status to answer; `success` at the goal.
    pub(crate) fn status(self, success: Status) -> Status {
        match self {
            Self::Goal => success,
            Self::Exhausted => Status::NoPath,
            Self::Limit => Status::LimitReached,
            Self::Paused => Status::Working,
            // Wide costs hold every path of every map that the gate lets in.
            Self::Overflow => Status::LimitReached,
        }
    }
}

/// One slice of a search: what it may spend, and where it writes what it finds.
#[derive(Debug)]
pub struct Slice<'a> {
    pub(crate) fresh: bool,
    pub(crate) meter: &'a mut Meter,
    pub(crate) stats: &'a mut Stats,
    pub(crate) trace: &'a mut Option<Trace>,
    pub(crate) path: &'a mut Path,
    pub(crate) walk: &'a mut Walk,
    pub(crate) closest: &'a mut Closest,
}

impl Slice<'_> {
    /// Whether this is the first slice of the search, or of a restart.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Whether the budget of this slice is spent. Ask before taking anything off an open list:
    /// putting it back could reorder equal entries, and slicing must not change an answer.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.meter.is_spent()
    }

    /// Counts an expansion against the budget and in the statistics.
    #[inline]
    pub fn expand(&mut self) {
        self.meter.pay();
        self.stats.expanded += 1;
    }

    /// The counters of this search.
    pub fn stats(&mut self) -> &mut Stats {
        self.stats
    }

    /// Adds an event to the trace, if one is kept; otherwise the event is not even created.
    #[inline]
    pub fn record(&mut self, event: impl FnOnce() -> Event) {
        if let Some(trace) = self.trace {
            trace.push(event());
        }
    }

    /// Writes the path, from start to goal: at least the points where it turns. The driver drops
    /// those in the middle of straight stretches and prices it.
    pub fn write_path(&mut self, points: impl IntoIterator<Item = impl Into<Point>>) {
        for point in points {
            self.path.push(point.into());
        }
    }
}

/// What an [update](crate::Planner::update) did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Update {
    /// Tables that were made, or fetched from an [`Lddb`](crate::Lddb), by planners that keep
    /// tables by content (`block-astar`). If it is 0, every table needed already existed.
    pub tables_made: u64,
    /// Cells whose distance a [`DistanceMap`](crate::DistanceMap) had to look at: those around the
    /// edits, and those whose distance changed or might have changed.
    pub cells_settled: u64,
}

/// What has changed since a planner was last up to date.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    grid: &'a Grid,
    since: Option<u64>,
}

impl<'a> Changes<'a> {
    pub(crate) fn new(grid: &'a Grid, since: Option<u64>) -> Self {
        Self { grid, since }
    }

    /// The changed rectangles, oldest first; some may be empty. `None` if they are no longer known,
    /// the grid is another one, or the last update failed: then prepare everything again.
    pub fn rects(&self) -> Option<impl Iterator<Item = Rect> + use<'a>> {
        self.since.and_then(|version| self.grid.changes_since(version))
    }

    /// Whether it is known that no cell has changed.
    pub fn is_empty(&self) -> bool {
        self.rects().is_some_and(|mut rects| rects.all(|rect| rect.width * rect.height == 0))
    }
}
