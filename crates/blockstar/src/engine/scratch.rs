//! All memory that a search needs, reused from query to query.

use crate::engine::gate::Task;
use crate::engine::memory_pool::MemoryPool;
use crate::engine::partial::Closest;
use crate::engine::walk::Walk;
use crate::grid::shadow::Shadow;
use crate::{Moves, Path, Point, Stats, Status, Trace};

/// Search memory: no allocation once it has grown to the map. One per thread.
///
/// One scratch serves every planner and every map, one after the other.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The search under way, or the last one.
    pub(crate) task: Option<Task>,
    pub(crate) pool: MemoryPool,
    /// The map without the cells that the query avoids. Only masked queries touch it.
    pub(crate) shadow: Shadow,
    pub(crate) walk: Walk,
    pub(crate) path: Path,
    pub(crate) stats: Stats,
    pub(crate) trace: Option<Trace>,
    pub(crate) closest: Closest,
}

impl Scratch {
    /// Empty search memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path of the last search; empty unless its status [has one](Status::has_path) or the query
    /// asked for a [partial](crate::Query::partial) one and a limit was reached.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The walk of a real-time planner so far, cell by cell including the start (the path has only
    /// its turns). It can be read while the status is [`Status::Working`], and after a limit has
    /// ended the walk. Empty for other planners.
    ///
    /// ```
    /// use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Planner, Query, Scratch, Status};
    ///
    /// let grid = Grid::new(20, 20)?;
    /// let planner = Algorithm::named("lrta-star:work=8")?.prepare(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// planner.begin(&grid, &Query::new(Cell::new(0, 0), Cell::new(9, 3)), &mut scratch)?;
    /// // A budget of one expansion is one move, whatever the planner's work per move.
    /// while planner.resume(&grid, &mut scratch, Budget::expansions(1))? == Status::Working {
    ///     let here = scratch.walk().last();
    ///     assert!(here.is_some());
    /// }
    /// assert!(scratch.path().cells().map(Cell::centre).eq(scratch.walk().iter().copied()));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn walk(&self) -> &[Point] {
        self.walk.points()
    }

    /// Takes the path out, leaving an empty one; the search it came from is over.
    pub fn take_path(&mut self) -> Path {
        if !self.path.is_empty() {
            self.task = None;
        }
        std::mem::take(&mut self.path)
    }

    /// What the last search did.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Keeps a [`Trace`] of at most `limit` events of each search from now on; 0 switches it off.
    pub fn record(&mut self, limit: usize) {
        self.record_after(0, limit);
    }

    /// The same without the first `skip` events: a search is deterministic, so a long one can be
    /// viewed window by window.
    pub fn record_after(&mut self, skip: u64, limit: usize) {
        self.trace = (limit > 0).then(|| Trace::new(skip, limit));
    }

    /// The trace of the last search, if it was recorded.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Forgets the search before: no old answer is left when the next query is refused.
    pub(crate) fn forget(&mut self, moves: Moves) {
        self.task = None;
        self.path.clear(moves);
        self.walk.clear();
        self.stats.start_over();
        if let Some(trace) = &mut self.trace {
            trace.clear();
        }
    }

    /// Frees the search memory. The last answer stays; a search under way is abandoned.
    pub fn shrink(&mut self) {
        if self.task.as_ref().is_some_and(|task| task.status == Status::Working) {
            self.task = None;
        }
        self.pool.clear();
        self.shadow = Shadow::default();
        if let Some(trace) = &mut self.trace {
            trace.shrink();
        }
    }

    /// Bytes of heap memory held, including the trace.
    pub fn memory_usage(&self) -> usize {
        let trace = self.trace.as_ref().map_or(0, Trace::bytes);
        let answer = self.walk.bytes() + self.path.bytes();
        self.pool.bytes() + self.shadow.bytes() + answer + trace
    }
}
