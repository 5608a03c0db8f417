//! The best-first loop of Theta* and its relatives, Field D* and the visibility graph.
//!
//! The [loop of A*](crate::engine::best_first) runs over a space in which a step has a cost of its
//! own. That is not so here: under Theta* the cost of a node depends on the parent of the node it
//! is reached from, under Field D* on the costs of two corners, and in the visibility graph it
//! depends on how the path arrives whether it may go on at all. So each planner expands nodes
//! itself. The loop around that, limits, slices, counters, the trace and the way back are the same
//! for all and live here.

use crate::engine::budget::Meter;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::{Entry, Open};
use crate::engine::trace::{Event, Trace};
use crate::engine::{Outcome, Problem};
use crate::rules::cost::Real;
use crate::{Path, Point, Stats};

/// The memory of a search over points, and what it counts and records.
pub(super) struct PointSearch<'a> {
    pub nodes: &'a mut NodeTable<Real>,
    pub open: &'a mut Open<Real>,
    /// Whether a node was left out because it cost more than the query permits.
    pub pruned: &'a mut bool,
    pub stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

/// A planner whose nodes are points.
pub(super) trait Expand<'a> {
    /// A node as the planner needs it while expanding it.
    type Visit;

    fn search(&mut self) -> &mut PointSearch<'a>;

    /// The node to reach.
    fn goal(&self) -> u32;

    /// No total above this one leads to a path that the query permits.
    fn max_total(&self) -> f64 {
        f64::INFINITY
    }

    /// Puts right what was only assumed about a node that is now expanded or, if it is the goal,
    /// accepted.
    fn settle(&mut self, node: u32, g: f64, tag: u8) -> Self::Visit;

    /// Records the expansion of a node and [offers](PointSearch::offer) better ways to others.
    fn expand(&mut self, visit: Self::Visit, total: f64);
}

impl<'a> PointSearch<'a> {
    pub fn new(
        frontier: &'a mut Frontier<Real>,
        stats: &'a mut Stats,
        trace: &'a mut Option<Trace>,
    ) -> Self {
        let Frontier { nodes, open, pruned, .. } = frontier;
        Self { nodes, open, pruned, stats, trace }
    }

    /// Queues the start.
    pub fn seed(&mut self, node: u32, total: f64) {
        self.nodes.set(node, Real(0.0), ROOT);
        self.open.push(Entry { total: Real(total), g: Real(0.0), node });
    }

    /// The cost of a node, infinite if it has not been reached.
    #[inline]
    pub fn known(&self, node: u32) -> f64 {
        self.nodes.g(node).0
    }

    /// Lowers the cost of the node at a point and queues it. `from` tells the trace where its parent
    /// is.
    #[inline]
    pub fn offer(
        &mut self,
        (node, at): (u32, Point),
        g: f64,
        total: f64,
        tag: u8,
        from: impl FnOnce() -> Option<Point>,
    ) {
        let first = !self.nodes.is_reached(node);
        self.nodes.set(node, Real(g), tag);
        self.open.push(Entry { total: Real(total), g: Real(g), node });
        self.stats.opened += 1;
        self.stats.improved += u64::from(!first);
        if let Some(trace) = self.trace {
            let (f, from) = (total, from());
            trace.push(if first {
                Event::Opened { at, from, g, f }
            } else {
                Event::Improved { at, from, g, f }
            });
        }
    }

    /// Records the expansion of a node.
    #[inline]
    pub fn record_expansion(
        &mut self,
        at: Point,
        g: f64,
        f: f64,
        from: impl FnOnce() -> Option<Point>,
    ) {
        if let Some(trace) = self.trace {
            trace.push(Event::Expanded { at, from: from(), g, f });
        }
    }

    /// Counts a look from one point to another, and records it.
    #[inline]
    pub fn note_look(&mut self, from: Point, to: Point, clear: bool) {
        self.stats.sight_checks += 1;
        if let Some(trace) = self.trace {
            trace.push(Event::Sight { from, to, clear });
        }
    }

    /// Writes the path to `goal`, following the parents.
    pub fn write_path(&self, start: u32, goal: u32, place: impl Fn(u32) -> Point, path: &mut Path) {
        let mut node = goal;
        path.push(place(node));
        while node != start {
            node = self.nodes.parent(node);
            path.push(place(node));
        }
        path.reverse();
    }
}

/// Runs until the goal, the end or the budget.
pub(super) fn run<'a>(
    planner: &mut impl Expand<'a>,
    problem: &Problem<'_>,
    meter: &mut Meter,
) -> Outcome {
    let max_expansions = problem.max_expansions();
    let (goal, max_total) = (planner.goal(), planner.max_total());
    loop {
        // Before anything is taken off the list: putting it back could reorder equal entries.
        if meter.is_spent() {
            return Outcome::Paused;
        }
        let PointSearch { nodes, open, pruned, stats, .. } = planner.search();
        let Some(Entry { total, g, node }) = open.pop() else {
            return if **pruned { Outcome::Limit } else { Outcome::Exhausted };
        };
        if total.0 > max_total {
            return Outcome::Limit;
        }
        let Some((known, tag)) = nodes.get(node) else { continue };
        if known != g || nodes.is_closed(node) {
            continue; // an entry from before the node was improved
        }
        if node == goal {
            planner.settle(node, g.0, tag);
            return Outcome::Goal;
        }
        if stats.expanded >= max_expansions {
            return Outcome::Limit;
        }
        meter.pay();
        stats.expanded += 1;
        let visit = planner.settle(node, g.0, tag);
        planner.search().nodes.close(node);
        planner.expand(visit, total.0);
        let PointSearch { open, stats, .. } = planner.search();
        stats.largest_open = stats.largest_open.max(open.len() as u64);
    }
}
