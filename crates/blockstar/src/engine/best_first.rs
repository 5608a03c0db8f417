//! The best-first loop, `run`: A*, Dijkstra, greedy and weighted A* are this loop with different
//! priorities, JPS is this loop over another space.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*,
//! 1968. Ties in priority are broken by the [open list](crate::engine::open_list): last in, first
//! out. There is no closed list: a node that improves is queued again, so the answer is optimal for
//! every admissible heuristic, consistent or not.

use crate::engine::budget::Meter;
use crate::engine::frontier::{Frontier, Link};
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::partial::Closest;
use crate::engine::{Outcome, Problem, Slice};
use crate::rules::cost::{Cost, StepCosts};
use crate::{Event, Heuristic, Path, Point, Stats, Trace};

/// What the loop runs over.
pub(crate) trait Space<C: Cost> {
    /// Whether to keep [`Frontier::links`]; if not, [`Space::back`] must know them.
    #[inline]
    fn keeps_links(&self) -> bool {
        false
    }

    /// Calls `reach` with each successor of a node: the node, the cost of getting there and a tag
    /// (0 to 15) to be stored with it. `tag` is the node's own: [`ROOT`] for a start.
    fn expand(&self, node: u32, tag: u8, reach: impl FnMut(u32, C, u8));

    /// The same for a search that is watched. A space with much code may share it here.
    fn expand_watched(&self, node: u32, tag: u8, reach: &mut dyn FnMut(u32, C, u8)) {
        self.expand(node, tag, reach);
    }

    /// The estimated cost to the goal.
    fn estimate(&self, node: u32) -> C;

    /// The node that reached `node` with this tag. Only called if links are not kept.
    fn back(&self, node: u32, tag: u8) -> u32;

    /// Where a node is.
    fn place(&self, node: u32) -> Point;

    /// For the trace: the lines along which expanding a node scans the map.
    fn rays(&self, _node: u32, _tag: u8, _see: &mut dyn FnMut(Point, Point)) {}

    /// Where the way from a node to its successor bends, if it does.
    fn bend(&self, _from: u32, _to: u32) -> Option<Point> {
        None
    }

    /// Calls `see` with the points of the way back to a node from its successor, which is not among
    /// them: at least where it bends, and the node itself.
    fn way_back(&self, from: u32, to: u32, see: &mut dyn FnMut(Point)) {
        if let Some(bend) = self.bend(from, to) {
            see(bend);
        }
        see(self.place(from));
    }
}

/// In which order nodes are expanded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Priority {
    /// g + h.
    AStar,
    /// g + w h, w in 1/1024; nodes are expanded once.
    Weighted(u32),
    /// h alone; nodes are expanded once.
    Greedy,
}

impl Priority {
    #[inline]
    fn total<C: Cost>(self, g: C, h: C) -> C {
        match self {
            Self::AStar => g + h,
            // Multiplied in two parts: on the most expensive terrain the product would not fit.
            Self::Weighted(weight) => {
                let (h, weight) = (h.to_u64(), u64::from(weight));
                g + C::from_u64(h / 1024 * weight + h % 1024 * weight / 1024)
            }
            Self::Greedy => h,
        }
    }
}

/// What one search should do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders<C> {
    pub priority: Priority,
    /// The node to reach.
    pub goal: u32,
    /// Nodes beyond this cost are ignored.
    pub max_cost: C,
    /// Whether a node's total is a lower bound on every path through it.
    pub admissible: bool,
    /// The largest cost whose successors' totals are guaranteed to fit.
    pub ceiling: C,
    pub max_expansions: u64,
    /// For the trace: converts costs to cells.
    pub step_costs: StepCosts<C>,
}

impl<C: Cost> Orders<C> {
    /// The orders for reaching `goal` with a heuristic.
    pub fn new(
        problem: &Problem<'_>,
        step_costs: StepCosts<C>,
        priority: Priority,
        heuristic: Heuristic,
        goal: u32,
    ) -> Self {
        let weight = if let Priority::Weighted(w) = priority { u64::from(w) / 1024 + 1 } else { 1 };
        let largest_estimate = step_costs.largest_estimate(problem.grid).saturating_mul(weight);
        let reserve = step_costs.dearest_step() + largest_estimate;
        Self {
            priority,
            goal,
            max_cost: problem.query().cost_limit().map_or(C::MAX, |limit| step_costs.floor(limit)),
            admissible: heuristic.is_admissible_for_steps(problem.moves)
                && priority == Priority::AStar,
            ceiling: C::from_u64(C::MAX.to_u64().saturating_sub(reserve)),
            max_expansions: problem.max_expansions(),
            step_costs,
        }
    }
}

/// What the loop asks of a space, behind a pointer. A watched search need not be the fastest, so
/// all spaces share one loop for it.
trait AnySpace<C> {
    fn expand(&self, node: u32, tag: u8, reach: &mut dyn FnMut(u32, C, u8));
    fn estimate(&self, node: u32) -> C;
    fn back(&self, node: u32, tag: u8) -> u32;
    fn place(&self, node: u32) -> Point;
    fn keeps_links(&self) -> bool;
    fn rays(&self, node: u32, tag: u8, ray: &mut dyn FnMut(Point, Point));
}

impl<C: Cost, S: Space<C>> AnySpace<C> for S {
    fn expand(&self, node: u32, tag: u8, reach: &mut dyn FnMut(u32, C, u8)) {
        self.expand_watched(node, tag, reach);
    }

    fn estimate(&self, node: u32) -> C {
        Space::estimate(self, node)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        Space::back(self, node, tag)
    }

    fn place(&self, node: u32) -> Point {
        Space::place(self, node)
    }

    fn keeps_links(&self) -> bool {
        Space::keeps_links(self)
    }

    fn rays(&self, node: u32, tag: u8, ray: &mut dyn FnMut(Point, Point)) {
        Space::rays(self, node, tag, ray);
    }
}

impl<C: Cost> Space<C> for &dyn AnySpace<C> {
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        (**self).expand(node, tag, &mut reach);
    }

    fn estimate(&self, node: u32) -> C {
        (**self).estimate(node)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        (**self).back(node, tag)
    }

    fn place(&self, node: u32) -> Point {
        (**self).place(node)
    }

    fn keeps_links(&self) -> bool {
        (**self).keeps_links()
    }

    fn rays(&self, node: u32, tag: u8, ray: &mut dyn FnMut(Point, Point)) {
        (**self).rays(node, tag, ray);
    }
}

/// Runs until the goal is reached, the open list is empty or the budget is spent.
///
/// `WATCHED` is whether a trace or the node closest to the goal is kept: the unwatched loop must
/// not spend registers on these checks. Not inlined, because it would then share its registers with
/// the caller.
#[inline(never)]
fn run<C: Cost, S: Space<C>, const WATCHED: bool>(
    space: &S,
    frontier: &mut Frontier<C>,
    orders: &Orders<C>,
    meter: &mut Meter,
    stats: &mut Stats,
    trace: &mut Option<Trace>,
    closest: &mut Closest,
) -> Outcome {
    let Frontier { nodes, open, links, pruned } = frontier;
    let Orders { priority, goal, max_cost, step_costs, .. } = *orders;
    let once = priority != Priority::AStar;
    let mut record = |event: Event| {
        if let Some(trace) = trace {
            trace.push(event);
        }
    };
    loop {
        // Before anything is taken off the list: putting it back could reorder equal entries.
        if meter.is_spent() {
            break Outcome::Paused;
        }
        let Some(Entry { total, g, node }) = open.pop() else {
            break if *pruned { Outcome::Limit } else { Outcome::Exhausted };
        };
        if orders.admissible && total > max_cost {
            if !(WATCHED && closest.is_wanted()) {
                break Outcome::Limit;
            }
            // No path within the limit is left, but nodes to expand are.
            *pruned = true;
        }
        let Some((known, tag)) = nodes.get(node) else { continue };
        if known != g || (once && nodes.is_closed(node)) {
            continue; // an entry from before the node was improved
        }
        if node == goal {
            break Outcome::Goal;
        }
        if stats.expanded >= orders.max_expansions {
            break Outcome::Limit;
        }
        if g > orders.ceiling {
            break Outcome::Overflow;
        }
        meter.pay();
        stats.expanded += 1;
        if once {
            nodes.close(node);
        }
        if WATCHED {
            let (at, g, f) = (space.place(node), step_costs.length(g), step_costs.length(total));
            closest.offer(node, at, g);
            let known = tag != ROOT && !space.keeps_links();
            let from = known.then(|| space.place(space.back(node, tag)));
            record(Event::Expanded { at, from, g, f });
            space.rays(node, tag, &mut |from, to| record(Event::Ray { from, to }));
        }
        let before = open.len();
        let mut improved = 0;
        space.expand(node, tag, |next, step, tag| {
            let g = g + step;
            let known = nodes.g(next);
            if known <= g {
                return;
            }
            if g > max_cost {
                *pruned = true;
                return;
            }
            if once && nodes.is_closed(next) {
                return;
            }
            nodes.set(next, g, tag);
            if space.keeps_links() {
                links.push(Link { node: next, parent: node });
            }
            let total = priority.total(g, space.estimate(next));
            open.push(Entry { total, g, node: next });
            improved += u64::from(known != C::MAX);
            if WATCHED {
                let (at, g, f) =
                    (space.place(next), step_costs.length(g), step_costs.length(total));
                let from = Some(space.place(node));
                record(if known == C::MAX {
                    Event::Opened { at, from, g, f }
                } else {
                    Event::Improved { at, from, g, f }
                });
            }
        });
        stats.opened += (open.len() - before) as u64;
        stats.improved += improved;
        stats.largest_open = stats.largest_open.max(open.len() as u64);
    }
}

impl<C: Cost> Frontier<C> {
    /// Puts a start on the open list.
    pub fn seed<S: Space<C>>(&mut self, space: &S, orders: &Orders<C>, node: u32, g: C) {
        if self.nodes.g(node) > g {
            let total = orders.priority.total(g, space.estimate(node));
            self.nodes.set(node, g, ROOT);
            self.open.push(Entry { total, g, node });
        }
    }
}

/// Runs the loop over a seeded frontier and, at the goal, writes the path; at a limit, if wanted,
/// the path to the node closest to the goal.
pub(crate) fn search<C: Cost, S: Space<C>>(
    space: &S,
    orders: &Orders<C>,
    frontier: &mut Frontier<C>,
    slice: &mut Slice<'_>,
) -> Outcome {
    let Slice { meter, stats, trace, path, closest, .. } = slice;
    let outcome = if trace.is_some() || closest.is_wanted() {
        let space: &dyn AnySpace<C> = space;
        run::<_, _, true>(&space, frontier, orders, meter, stats, trace, closest)
    } else {
        run::<_, _, false>(space, frontier, orders, meter, stats, trace, closest)
    };
    let end = match outcome {
        Outcome::Goal => Some(orders.goal),
        Outcome::Limit => closest.small_node(),
        _ => None,
    };
    if let Some(end) = end {
        write_path(space, frontier, end, path);
    }
    outcome
}

/// Writes the path to a node that was reached.
fn write_path<C: Cost, S: Space<C>>(space: &S, frontier: &Frontier<C>, goal: u32, path: &mut Path) {
    path.push(space.place(goal));
    let mut step_back = |from: u32, to: u32| {
        space.way_back(from, to, &mut |point| path.push(point));
    };
    let mut node = goal;
    if space.keeps_links() {
        // A node is reached before its successors, so one pass finds all.
        for link in frontier.links.iter().rev() {
            if link.node == node {
                step_back(link.parent, node);
                node = link.parent;
            }
        }
    } else {
        while let Some((_, tag)) = frontier.nodes.get(node).filter(|node| node.1 != ROOT) {
            let from = space.back(node, tag);
            step_back(from, node);
            node = from;
        }
    }
    path.reverse();
}
