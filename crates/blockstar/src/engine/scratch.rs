//! All memory that a search needs, reused from query to query.

pub(crate) use crate::engine::frontier::{Frontier, Link};
pub(crate) use crate::engine::gate::Task;
use crate::engine::memory_pool::{MemoryPool, SearchMemory};
use crate::engine::walk::Walk;
use crate::geometry::taut::Puller;
use crate::planner::any_angle::anya::Fans;
use crate::planner::any_angle::ap_theta;
use crate::planner::any_angle::visibility::Cone;
use crate::planner::block::block_astar;
use crate::planner::cell::bidirectional::Meeting;
use crate::planner::cell::ida_star::Deepening;
use crate::planner::cell::rea_star::Intervals;
use crate::planner::real_time::guided::Route;
use crate::planner::real_time::learned::Learned;
use crate::planner::real_time::tba_star::Trails;
use crate::planner::stored::cpd;
use crate::planner::stored::dba_star::Journey;
use crate::planner::stored::hcdps;
use crate::planner::stored::pra_cliques::Corridor;
use crate::planner::stored::pra_star::Refinement;
use crate::rules::cost::Real;
use crate::space::hills::Reach;
use crate::{Moves, Path, Point, Stats, Status, Trace};

/// Search memory: no allocation once it has grown to the map. One per thread.
///
/// One scratch serves every planner and every map, one after the other.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) task: Option<Task>,
    pub(crate) pool: MemoryPool,
    pub(crate) narrow: Frontier<u32>,
    pub(crate) wide: Frontier<u64>,
    pub(crate) narrow_back: Frontier<u32>,
    pub(crate) wide_back: Frontier<u64>,
    pub(crate) real: Frontier<Real>,
    pub(crate) angles: ap_theta::Intervals,
    pub(crate) meeting: Meeting,
    pub(crate) deepening: Deepening,
    pub(crate) blocks: block_astar::Fields,
    pub(crate) anya: Fans,
    pub(crate) cones: Vec<Cone>,
    pub(crate) intervals: Intervals<u32>,
    pub(crate) wide_intervals: Intervals<u64>,
    pub(crate) reach: Reach,
    pub(crate) puller: Puller,
    pub(crate) first_moves: cpd::Walk,
    pub(crate) course: hcdps::Course,
    pub(crate) corridor: Corridor,
    pub(crate) walk: Walk,
    pub(crate) learned: Learned<u32>,
    pub(crate) wide_learned: Learned<u64>,
    /// The nodes that the lookahead of a real-time planner has reached.
    pub(crate) seen: Vec<u32>,
    pub(crate) journey: Journey,
    pub(crate) refinement: Refinement,
    pub(crate) trails: Trails,
    pub(crate) route: Route,
    pub(crate) path: Path,
    pub(crate) stats: Stats,
    pub(crate) trace: Option<Trace>,
}

impl Scratch {
    /// Empty search memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path of the last search; empty unless its status [has one](Status::has_path).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The walk of a real-time planner so far, the start included: where the agent has been while the
    /// status is [`Status::Working`], and also when a limit ended the walk. Empty for other planners.
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
    /// assert_eq!(scratch.walk(), scratch.path().points());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn walk(&self) -> &[Point] {
        self.walk.points()
    }

    /// Takes the path out, leaving an empty one; the search it came from is over.
    pub fn take_path(&mut self) -> Path {
        if self.task.as_ref().is_some_and(|task| task.status.has_path()) {
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
        self.trace = (limit > 0).then(|| Trace::with_limit(limit));
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
        self.start_over();
    }

    /// Gives the search memory back. The last answer stays; a search under way is given up.
    pub fn shrink(&mut self) {
        if self.task.as_ref().is_some_and(|task| task.status == Status::Working) {
            self.task = None;
        }
        self.pool.clear();
        if let Some(trace) = &mut self.trace {
            trace.shrink();
        }
    }

    /// Forgets what the search under way has counted and recorded.
    pub(crate) fn start_over(&mut self) {
        self.stats.start_over();
        if let Some(trace) = &mut self.trace {
            trace.clear();
        }
    }

    /// Bytes of heap memory held.
    pub fn memory_usage(&self) -> usize {
        self.pool.bytes()
            + self.trace.as_ref().map_or(0, Trace::bytes)
            + self.narrow.bytes()
            + self.wide.bytes()
            + self.narrow_back.bytes()
            + self.wide_back.bytes()
            + self.real.bytes()
            + self.angles.bytes()
            + self.deepening.bytes()
            + self.blocks.bytes()
            + self.anya.bytes()
            + self.cones.capacity() * size_of::<Cone>()
            + self.intervals.bytes()
            + self.wide_intervals.bytes()
            + self.reach.bytes()
            + self.puller.bytes()
            + self.first_moves.bytes()
            + self.course.bytes()
            + self.corridor.bytes()
            + self.walk.bytes()
            + self.learned.bytes()
            + self.wide_learned.bytes()
            + self.seen.capacity() * 4
            + self.journey.bytes()
            + self.refinement.bytes()
            + self.trails.bytes()
            + self.route.bytes()
            + self.path.bytes()
    }
}
