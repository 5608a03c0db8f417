//! Theta*, Lazy Theta* and Strict Theta*: A* over the corners of cells, except that the parent of a
//! corner may be any corner in sight and not only a neighbour.
//!
//! Information runs along the lattice of corners, as in A*; paths do not. When the corner s is
//! expanded and has t for a neighbour, t may be reached from s (*path 1*) or, if it can be seen from
//! there, straight from the parent of s (*path 2*), which is never longer. The three planners differ
//! in when they look:
//!
//! * [`basic`] looks from the parent at every neighbour;
//! * [`lazy`] takes it for granted and looks once, when the neighbour is itself expanded;
//! * [`strict`] looks only where the path would have slack, and goes on to the parent's parent.
//!
//! None of them is optimal: a parent is chosen among the ancestors that a corner's neighbours happen
//! to have. This file is what they share: the loop, limits, slices, traces and the way back.
//!
//! What differs from the papers:
//!
//! * Corners follow both rules for double corners, and start and goal may be any points
//!   ([`Corners`]).
//! * A corner may improve after it was expanded, because totals are not monotone. The authors expand
//!   none twice; here `theta-star` does unless told otherwise (`reopen=off`). On game maps that takes
//!   0.5 to 2.5 % more expansions, 3 to 9 % more time, and leaves a tenth of the excess or less (mean
//!   lengths under the permissive rule: DAO 551.99 to 551.52, BG2 226.792 to 226.714, SC1 524.28 to
//!   523.55); on a random map with 20 % blocked, 322.74 to 322.23 for a fifth more expansions.
//!   `strict-theta-star` gains 0.004 % on DAO from it and looks half as often again, so there it must
//!   be asked for.
//! * Ties are broken as the [open list](crate::engine::open_list) does it, last in first out. Preferring small or
//!   large costs so far changes lengths by less than 0.01 % (every third query of arena2: 176.080 and 176.090).
//! * What a parent sees is often known without looking, from what it sees of two neighbours
//!   ([`Corners::gate`]): that answers 45 % of the questions on SC1.
//! * On slopes `theta-star` prices a segment by what it does on the ground: it is walked along, cut at
//!   the lines through the centres of cells ([`relief`](crate::geometry::relief)), and no segment is taken that
//!   is too steep anywhere. With limits the centres of cells are nodes beside the corners, so that a
//!   path is found wherever steps from cell to cell find one; a goal to which neither steps over
//!   corners nor over centres lead counts as out of reach.
//! * Totals are lower bounds of no path, because a neighbour may lie nearer to the straight line
//!   than the corner that it was found from. So a cost limit leaves out corners only if their total
//!   exceeds it by [`SLACK`].

mod basic;
mod lazy;
mod strict;

use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::{Entry, Open};
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::{Event, Trace};
use crate::geometry::path::segment_cost;
use crate::rules::cost::Real;
use crate::rules::moves::Direction;
use crate::space::corners::{Corners, LINK};
use crate::{
    Budget, Error, Grid, Heuristic, Memory, Moves, Path, Planner, Point, Query, Scratch, Slope,
    Stats, Status,
};

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Basic,
    Lazy,
    Strict,
}

/// Whether corners that improve after they were expanded are expanded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reopen {
    Yes,
    No,
}

#[derive(Debug)]
pub(crate) struct Theta {
    kind: Kind,
    reopen: bool,
    desk: Desk,
}

/// How much a total may exceed the cost limit: the lattice leaves a straight line by less than a
/// cell, which makes a total larger by less than twice that.
const SLACK: f64 = 2.0;

/// By how much a node that has been expanded must improve to be expanded again: not for the sake of a
/// rounding error, which would pass from node to node.
const WORTH_REOPENING: f64 = 1e-6;

/// The tag of a node with nothing to remember about it.
const PLAIN: u8 = 0;

/// A node and where it is.
#[derive(Clone, Copy, Debug)]
struct Spot {
    node: u32,
    point: Point,
}

/// A node that is being expanded. The parent of the start is the start.
#[derive(Clone, Copy, Debug)]
struct Visit {
    at: Spot,
    g: f64,
    parent: Spot,
    parent_g: f64,
}

impl Visit {
    fn is_start(&self) -> bool {
        self.at.node == self.parent.node
    }
}

/// What the three differ in.
trait Variant {
    /// Whether the parents of nodes that have not been expanded are only assumed to see them.
    const ASSUMING: bool = false;

    /// Puts right what was only assumed of a node that is now expanded or, for the goal, accepted.
    fn settle<const TERRAIN: bool>(field: &mut Field<'_, TERRAIN>, visit: &mut Visit, tag: u8);

    /// Offers a better way to a neighbour, if there is one.
    fn relax<const TERRAIN: bool>(field: &mut Field<'_, TERRAIN>, from: &Visit, to: Spot);
}

/// What a search works on.
struct Field<'a, const TERRAIN: bool> {
    grid: &'a Grid,
    moves: Moves,
    corners: &'a Corners<'a>,
    nodes: &'a mut NodeTable<Real>,
    open: &'a mut Open<Real>,
    pruned: &'a mut bool,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    heuristic: Heuristic,
    goal: Point,
    /// What a cell of length costs at least.
    least: f64,
    /// On slopes with penalties and an estimate: the rule and the height of the goal.
    hill: Option<(Slope, f64)>,
    /// Whether nodes that improve after they were expanded are expanded again.
    reopen: bool,
    /// [`Variant::ASSUMING`].
    assuming: bool,
    /// Beyond this cost, nodes are not wanted.
    max_cost: f64,
}

enum Outcome {
    Goal,
    Exhausted,
    Paused,
    Limit,
}

impl<const TERRAIN: bool> Field<'_, TERRAIN> {
    fn spot(&self, node: u32) -> Spot {
        Spot { node, point: self.corners.place(node) }
    }

    /// The cost of a node, infinite if it has not been reached.
    #[inline]
    fn known(&self, node: u32) -> f64 {
        self.nodes.g(node).0
    }

    /// Whether a node has been reached and has this parent.
    #[inline]
    fn is_child(&self, node: u32, parent: u32) -> bool {
        self.nodes.is_reached(node) && self.nodes.parent(node) == parent
    }

    /// The cost below which a new way to a node is a gain.
    #[inline]
    fn to_beat(&self, node: u32) -> f64 {
        let closed = self.reopen && self.nodes.is_closed(node);
        self.known(node) - if closed { WORTH_REOPENING } else { 0.0 }
    }

    /// Looks from a node to a corner; not if that is known from the corner's neighbours.
    #[inline]
    fn sees(&mut self, from: Spot, to: Spot) -> bool {
        if let Some((one, two)) = self.corners.gate(from.point, to.node, to.point)
            && self.is_seen_from(one, from.node)
            && self.is_seen_from(two, from.node)
        {
            debug_assert!(self.corners.sees(from.node, to.node));
            return true;
        }
        self.stats.sight_checks += 1;
        self.corners.sees_between((from.node, from.point), (to.node, to.point))
    }

    /// Whether a node has this parent and has been looked at from there.
    #[inline]
    fn is_seen_from(&self, node: u32, parent: u32) -> bool {
        self.is_child(node, parent) && (!self.assuming || self.nodes.is_closed(node))
    }

    /// The cost of a straight segment that is known to be legal.
    #[inline]
    fn cost(&self, a: Point, b: Point) -> f64 {
        if TERRAIN { segment_cost(self.grid, self.moves, a, b) } else { a.distance(b) }
    }

    #[inline]
    fn estimate(&self, at: Point) -> f64 {
        let flat = self.least * estimate(self.heuristic, at, self.goal);
        let Some((slope, level)) = self.hill else { return flat };
        flat + slope.net_penalty(self.grid.height_at_point(at).unwrap_or(0.0), level)
    }

    /// What the net height between two points costs at least.
    fn net_penalty(&self, a: Point, b: Point) -> f64 {
        let Some((slope, _)) = self.hill else { return 0.0 };
        let height = |point| self.grid.height_at_point(point).unwrap_or(0.0);
        slope.net_penalty(height(a), height(b))
    }

    /// Whether every path through a node is likely to cost more than the query permits.
    #[cold]
    fn is_too_far(&self, at: Point, g: f64) -> bool {
        g + self.least * at.distance(self.goal) > self.max_cost + SLACK * self.least
    }

    /// Gives a node a parent and the cost of coming from there, and queues it.
    #[inline]
    fn offer(&mut self, to: Spot, parent: u32, g: f64, tag: u8) {
        if self.max_cost < f64::INFINITY && self.is_too_far(to.point, g) {
            *self.pruned = true;
            return;
        }
        let total = g + self.estimate(to.point);
        let first = self.known(to.node) == f64::INFINITY;
        self.nodes.set(to.node, Real(g), tag);
        self.nodes.set_parent(to.node, parent);
        self.open.push(Entry { total: Real(total), g: Real(g), node: to.node });
        self.stats.opened += 1;
        self.stats.improved += u64::from(!first);
        if let Some(trace) = self.trace {
            let (at, f) = (to.point, total);
            trace.push(if first {
                Event::Opened { at, g, f }
            } else {
                Event::Improved { at, g, f }
            });
        }
    }

    /// Runs until the goal, the end or the budget.
    fn run<V: Variant>(&mut self, max_expansions: u64, meter: &mut Meter) -> Outcome {
        let corners = self.corners;
        loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let Some(Entry { total, g, node }) = self.open.pop() else {
                return if *self.pruned { Outcome::Limit } else { Outcome::Exhausted };
            };
            let Some((known, tag)) = self.nodes.get(node) else { continue };
            if known != g || self.nodes.is_closed(node) {
                continue; // an entry from before the node was improved
            }
            let at_goal = node == corners.goal();
            if !at_goal {
                if self.stats.expanded >= max_expansions {
                    return Outcome::Limit;
                }
                meter.pay();
                self.stats.expanded += 1;
            }
            let parent = self.spot(self.nodes.parent(node));
            let parent_g = self.known(parent.node);
            let mut visit = Visit { at: self.spot(node), g: g.0, parent, parent_g };
            V::settle(self, &mut visit, tag);
            if at_goal {
                return Outcome::Goal;
            }
            self.nodes.close(node);
            if let Some(trace) = self.trace {
                trace.push(Event::Expanded { at: visit.at.point, g: visit.g, f: total.0 });
            }
            let (x, y) = (visit.at.point.ux(), visit.at.point.uy());
            corners.neighbours(node, |next, d| {
                if !self.reopen && self.nodes.is_closed(next) {
                    return;
                }
                let point = if d == LINK {
                    corners.place(next)
                } else {
                    let (dx, dy) = (Direction::DX[d as usize & 7], Direction::DY[d as usize & 7]);
                    Point::from_units(x + dx * Point::UNITS, y + dy * Point::UNITS)
                };
                V::relax(self, &visit, Spot { node: next, point });
            });
            self.stats.largest_open = self.stats.largest_open.max(self.open.len() as u64);
        }
    }
}

/// The estimated length from a point to another.
#[inline]
fn estimate(heuristic: Heuristic, a: Point, b: Point) -> f64 {
    let (dx, dy) = ((a.x() - b.x()).abs(), (a.y() - b.y()).abs());
    match heuristic {
        Heuristic::Zero => 0.0,
        Heuristic::Manhattan => dx + dy,
        Heuristic::Chebyshev => dx.max(dy),
        Heuristic::Octile => dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy),
        Heuristic::Euclidean => (dx * dx + dy * dy).sqrt(),
    }
}

/// The memory of one search and what it may spend.
struct Work<'a> {
    fresh: bool,
    frontier: &'a mut Frontier<Real>,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    path: &'a mut Path,
}

impl Theta {
    /// `reopen` is for the basic and the strict kind: the lazy one relies on what was expanded.
    pub fn new(name: &'static str, kind: Kind, reopen: Reopen, grid: &Grid, moves: Moves) -> Self {
        let reopen = reopen == Reopen::Yes && kind != Kind::Lazy;
        Self { kind, reopen, desk: Desk::new(name, grid, moves) }
    }

    fn search<V: Variant, const TERRAIN: bool>(
        &self,
        grid: &Grid,
        task: &Task,
        work: Work<'_>,
    ) -> Outcome {
        let Work { fresh, frontier, meter, stats, trace, path } = work;
        let moves = self.desk.moves();
        let corners = Corners::new(grid, moves, task);
        let least = f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE);
        let start = corners.start();
        let informed = self.desk.heuristic(&task.query) != Heuristic::Zero;
        let hill = moves.slope().filter(|slope| informed && slope.has_penalties());
        let hill = hill.zip(grid.height_at_point(task.goal));
        if fresh {
            // Hardly two totals are equal, so buckets are narrower than those of octile searches.
            // (On SC1 a width of four times as much or a quarter made no difference beyond noise.)
            frontier.begin_with_parents(Corners::count(grid, moves), Real(least / 16.0));
        }
        let Frontier { nodes, open, pruned, .. } = frontier;
        let mut field = Field::<TERRAIN> {
            grid,
            moves,
            corners: &corners,
            nodes,
            open,
            pruned,
            stats,
            trace,
            heuristic: self.desk.heuristic(&task.query),
            goal: task.goal,
            least,
            hill,
            reopen: self.reopen,
            assuming: V::ASSUMING,
            max_cost: task.query.cost_limit().unwrap_or(f64::INFINITY),
        };
        if fresh {
            let total = field.estimate(task.start);
            field.nodes.set(start, Real(0.0), ROOT);
            field.nodes.set_parent(start, start);
            field.open.push(Entry { total: Real(total), g: Real(0.0), node: start });
        }
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let outcome = field.run::<V>(max_expansions, meter);
        if matches!(outcome, Outcome::Goal) {
            let mut node = corners.goal();
            path.push(corners.place(node));
            while node != start {
                let parent = field.nodes.parent(node);
                debug_assert!(corners.sees(parent, node));
                node = parent;
                path.push(corners.place(node));
            }
            path.reverse();
            path.remove_collinear();
        }
        outcome
    }
}

impl Planner for Theta {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let fresh = !std::mem::replace(&mut task.started, true);
        let Scratch { real: frontier, stats, trace, path, .. } = &mut *scratch;
        let meter = &mut Meter::new(budget);
        let work = Work { fresh, frontier, meter, stats, trace, path };
        let outcome = match self.kind {
            Kind::Basic if grid.has_costs() || self.desk.moves().slope().is_some() => {
                self.search::<basic::Basic, true>(grid, &task, work)
            }
            Kind::Basic => self.search::<basic::Basic, false>(grid, &task, work),
            Kind::Lazy => self.search::<lazy::Lazy, false>(grid, &task, work),
            Kind::Strict => self.search::<strict::Strict, false>(grid, &task, work),
        };
        let success = task.success;
        scratch.task = Some(task);
        let status = match outcome {
            Outcome::Goal => success,
            Outcome::Exhausted => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused => return Ok(Status::Working),
        };
        Ok(self.desk.close(grid, scratch, status))
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
