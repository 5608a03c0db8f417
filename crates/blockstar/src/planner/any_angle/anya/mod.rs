//! ANYA: optimal any-angle paths without any preparation.
//!
//! D. Harabor, A. Grastien, D. Öz and V. Aksakalli, *Optimal Any-Angle Pathfinding In Practice*,
//! JAIR 56 (2016). A shortest path turns only at corners of obstacles. So instead of points the
//! search expands *cones*: an interval of a grid line, all of it seen from one *root*, which is the
//! start or the corner of the last turn. A cone is carried on from line to line; walls cut it, and
//! corners that it touches become roots of new cones, which see what lies behind them. The estimate
//! of a cone is the shortest way from the root through the interval to the goal (mirrored at the
//! line if it lies on the root's side), so that the first arrival at the goal is the optimum.
//!
//! What a corner can do depends on the four cells around it only (see [`cones`]); the scans for
//! walls and corners go over the bit rows, 57 cells at a time. A cone that neither splits nor turns
//! has one successor and is carried on at once, without the open list: dead ends, of which the paper
//! prunes some beforehand, end there too.
//!
//! What differs from the paper:
//!
//! * Exact without fractions. A cone is stored as its root and two directions, never as iterated
//!   projections; see [`cones`] for why `f64` then decides everything exactly.
//! * A corner is the root of one path only, the shortest so far: an arrival that is not strictly
//!   shorter is dropped, and cones of a root that was improved upon are skipped. (If the optimum
//!   continued from the dropped arrival, it would continue from the kept one as well, either just as
//!   long or with a turn away from the corner, which a shortcut would make shorter still.)
//! * Start and goal are any points. The start's first cones are what it sees on the lines above and
//!   below; the goal is looked for wherever a cone crosses its row.
//! * Both rules at double corners. Under the strict rule no shortest path turns there, as the free
//!   angle is a right one, and a cone simply ends; under the permissive rule a double corner is a
//!   root that sees all of the opposite cell.
//! * Flat nodes, intervals on the root's own line, are not queued: a scan finds the corners on the
//!   line and makes them roots at once.
//!
//! A heuristic that the query chooses is not used: a cone has an estimate of its own.
//!
//! Measured against A* on the lattice of corners, strict rule, 60 queries of each map: 5.0 times as
//! fast on Dragon Age maps (1,105 cones expanded per query, 12,414 corners), 14 times on Baldur's
//! Gate maps (156 and 6,849), 12 times on StarCraft maps (1,527 and 43,695); but 0.8 times on maps
//! with 10 to 40 % of the cells blocked at random, where every second cell has a corner and a cone
//! gets 1.3 rows far (14,018 and 19,652).

mod cones;
mod rows;

use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::open_list::Open;
use crate::engine::trace::Event;
use crate::rules::cost::Real;
use crate::{
    Budget, Error, Grid, Memory, Moves, Path, Planner, Point, Query, Scratch, Stats, Status, Trace,
};
use cones::{Cone, Field};

#[derive(Debug)]
pub(crate) struct Anya {
    desk: Desk,
}

/// The memory of one search.
#[derive(Debug, Default)]
pub(crate) struct Fans {
    open: Open<Real>,
    roots: Vec<Root>,
    cones: Vec<Cone>,
    /// The root at each corner, with the stamp of the search it belongs to.
    corners: Vec<[u32; 2]>,
    stamp: u32,
    /// The cost of the best path to the goal that is on the open list.
    best: f64,
    /// Whether something was left out because it cost more than the query permits.
    pruned: bool,
}

/// The start or a corner at which the path turns, in cells.
#[derive(Clone, Copy, Debug)]
struct Root {
    x: f64,
    y: f64,
    g: f64,
    /// The root before; its own number for the start.
    parent: u32,
    /// Whether no shorter way to the corner is known.
    live: bool,
}

/// Marks an entry of the open list that is the goal, seen from the root with the other bits.
const GOAL: u32 = 1 << 31;

enum Outcome {
    Goal,
    Exhausted,
    Paused,
    Limit,
}

impl Fans {
    fn begin(&mut self, corners: usize) {
        self.open.begin(Real(0.25));
        self.roots.clear();
        self.cones.clear();
        self.best = f64::INFINITY;
        self.pruned = false;
        if self.corners.len() < corners {
            self.corners = vec![[0; 2]; corners];
            self.stamp = 0;
        } else if self.stamp == u32::MAX {
            self.corners.fill([0; 2]);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Counts and records the cones from the number `first` on as opened.
    fn count(&self, first: usize, stats: &mut Stats, trace: &mut Option<Trace>) {
        stats.opened += (self.cones.len() - first) as u64;
        stats.largest_open = stats.largest_open.max(self.open.len() as u64);
        if let Some(trace) = trace {
            for cone in &self.cones[first..] {
                let (g, f) = (self.roots[cone.root()].g, cone.total());
                trace.push(Event::Opened { at: cone.middle(), g, f });
            }
        }
    }

    /// Writes down the path to the goal, seen from a root.
    fn write_path(&self, mut root: u32, goal: Point, path: &mut Path) {
        path.push(goal);
        loop {
            let Root { x, y, parent, .. } = self.roots[root as usize];
            // A goal on a corner may have been reached as a corner.
            if path.points().last() != Some(&Point::new(x, y)) {
                path.push(Point::new(x, y));
            }
            if parent == root {
                break;
            }
            root = parent;
        }
        path.reverse();
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.open.bytes()
            + self.roots.capacity() * size_of::<Root>()
            + self.cones.capacity() * size_of::<Cone>()
            + self.corners.capacity() * 8
    }
}

impl Anya {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves) }
    }
}

fn search(
    field: &mut Field<'_>,
    max_expansions: u64,
    meter: &mut Meter,
    stats: &mut Stats,
    trace: &mut Option<Trace>,
) -> (Outcome, u32) {
    loop {
        // Before anything is taken off the list: putting it back could reorder equal entries.
        if stats.expanded >= max_expansions {
            return (Outcome::Limit, 0);
        }
        if meter.is_spent() {
            return (Outcome::Paused, 0);
        }
        let Some(entry) = field.fans.open.pop() else {
            let limited = field.fans.pruned;
            return (if limited { Outcome::Limit } else { Outcome::Exhausted }, 0);
        };
        if entry.node & GOAL != 0 {
            return (Outcome::Goal, entry.node & !GOAL);
        }
        let cone = field.fans.cones[entry.node as usize];
        if !field.fans.roots[cone.root()].live {
            continue;
        }
        meter.pay();
        stats.expanded += 1;
        let before = field.fans.cones.len();
        if let Some(trace) = trace {
            trace.push(Event::Expanded { at: cone.middle(), g: entry.g.0, f: entry.total.0 });
        }
        field.expand(&cone);
        field.fans.count(before, stats, trace);
    }
}

impl Planner for Anya {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::for_scans(budget);
        let Scratch { anya, stats, trace, path, .. } = &mut *scratch;
        let fresh = !std::mem::replace(&mut task.started, true);
        if fresh {
            anya.begin(grid.rows().positions());
        }
        let mut field = Field::new(grid, self.desk.moves().rule(), &task, anya);
        if fresh {
            field.seed(&task);
            field.fans.count(0, stats, trace);
        }
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let (outcome, root) = search(&mut field, max_expansions, &mut meter, stats, trace);
        let status = match outcome {
            Outcome::Goal => {
                anya.write_path(root, task.goal, path);
                task.success
            }
            Outcome::Exhausted => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused => Status::Working,
        };
        scratch.task = Some(task);
        Ok(if status == Status::Working { status } else { self.desk.close(grid, scratch, status) })
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
