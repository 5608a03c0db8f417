//! ANYA: optimal any-angle paths without any preparation.
//!
//! D. Harabor, A. Grastien, D. Öz and V. Aksakalli, *Optimal Any-Angle Pathfinding In Practice*,
//! JAIR 56 (2016). A shortest path turns only at corners of obstacles. So instead of points the
//! search expands *cones*: an interval of a grid line, all of it seen from one *root*, which is the
//! start or the corner of the last turn. A cone is carried from line to line; walls cut it, and
//! corners that it touches become roots of new cones, which see what lies behind them. The estimate
//! of a cone is the shortest way from the root through the interval to the goal (mirrored at the
//! line if it lies on the root's side), so the first arrival at the goal is optimal.
//!
//! What a corner can do depends only on the four cells around it (see [`cones`]); the scans for
//! walls and corners go over the bit rows, 57 cells at a time. A cone that neither splits nor turns
//! has one successor and is carried on at once, without the open list. Dead ends, some of which the
//! paper prunes beforehand, end there too.
//!
//! What differs from the paper:
//!
//! * Exact without fractions. A cone is stored as its root and two directions, never as iterated
//!   projections; [`cones`] explains why `f64` then decides everything exactly.
//! * A corner is the root of one path only, the shortest so far: an arrival that is not strictly
//!   shorter is dropped, and cones of a root that was improved upon are skipped. (If the optimum
//!   continued from the dropped arrival, it would continue from the kept one as well, either just
//!   as long or with a turn away from the corner, which a shortcut would make shorter still.)
//! * Start and goal are any points. The first cones are what the start sees on the lines above and
//!   below; the goal is looked for wherever a cone crosses its row.
//! * Both rules at double corners. Under the strict rule no shortest path turns there, because the
//!   free angle is a right one, and a cone simply ends; under the permissive rule a double corner
//!   is a root that sees all of the opposite cell.
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

use super::RULES;
use crate::engine::open_list::Open;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice};
use crate::rules::cost::Real;
use crate::{Algorithm, Event, Path, Point, Promise};
use cones::{Cone, ConeField};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "anya",
    summary: "ANYA: shortest any-angle paths, by searching intervals instead of points",
    source: "Harabor, Grastien, Öz & Aksakalli 2016",
    promise: Promise::Optimal,
    rules: RULES,
    free_points: true,
    make: |_, grid, moves| Ok(Driver::boxed(Anya, grid, moves)),
    avoids: true,
    scans: true,
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
pub(crate) struct Anya;

/// The memory of one search.
#[derive(Debug, Default)]
pub(crate) struct Fans {
    open: Open<Real>,
    roots: Vec<Root>,
    cones: Vec<Cone>,
    /// The root at each corner, with the stamp of the search it belongs to.
    corners: Vec<[u32; 2]>,
    stamp: u32,
    /// The cost of the best path to the goal on the open list.
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

/// Marks an entry of the open list that is the goal; the other bits are the root that sees it.
const GOAL: u32 = 1 << 31;

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

    /// Counts and records the cones from number `first` on as opened.
    fn count(&self, first: usize, slice: &mut Slice<'_>) {
        let stats = slice.stats();
        stats.opened += (self.cones.len() - first) as u64;
        stats.largest_open = stats.largest_open.max(self.open.len() as u64);
        if let Some(trace) = slice.trace {
            for cone in &self.cones[first..] {
                let (Root { x, y, g, .. }, f) = (self.roots[cone.root()], cone.total());
                let from = Some(Point::new(x, y));
                trace.push(Event::Opened { at: cone.middle(), from, g, f });
                trace.push(cone.interval());
            }
        }
    }

    /// Writes the path to the goal, which a root sees.
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
}

impl SearchMemory for Fans {
    fn bytes(&self) -> usize {
        self.open.bytes()
            + self.roots.capacity() * size_of::<Root>()
            + self.cones.capacity() * size_of::<Cone>()
            + self.corners.capacity() * 8
    }
}

/// Runs until the goal, the end or the budget. At the goal it also returns the root that sees it.
fn search(
    field: &mut ConeField<'_>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
) -> (Outcome, u32) {
    let max_expansions = problem.max_expansions();
    loop {
        // Before anything is taken off the list: putting it back could reorder equal entries.
        if slice.stats.expanded >= max_expansions {
            return (Outcome::Limit, 0);
        }
        if slice.is_spent() {
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
        slice.expand();
        let before = field.fans.cones.len();
        let (g, f) = (entry.g.0, entry.total.0);
        if let Some(trace) = slice.trace {
            let Root { x, y, .. } = field.fans.roots[cone.root()];
            let from = Some(Point::new(x, y));
            trace.push(Event::Expanded { at: cone.middle(), from, g, f });
            trace.push(cone.interval());
        }
        field.expand(&cone);
        field.fans.count(before, slice);
    }
}

impl Method for Anya {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let fans = pool.get::<Fans>();
        if slice.is_fresh() {
            fans.begin(problem.grid.rows().positions());
        }
        let mut field = ConeField::new(problem, fans);
        if slice.is_fresh() {
            field.seed(problem);
            field.fans.count(0, slice);
        }
        let (outcome, root) = search(&mut field, problem, slice);
        if outcome == Outcome::Goal {
            fans.write_path(root, problem.goal(), slice.path);
        }
        Ok(outcome)
    }
}
