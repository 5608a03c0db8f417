//! One planning episode of the LRTA* family: a bounded A* around the agent, what it teaches, and the
//! way to where it ends.

use crate::engine::best_first::Space;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::scratch::Frontier;
use crate::engine::trace::{Event, Trace};
use crate::engine::walk::Purse;
use crate::planner::real_time::learned::Learned;
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Grid, Heuristic, Moves, Scratch, Stats};

/// How far an agent looks and what it makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lookahead {
    /// The most expansions of one episode.
    pub work: u32,
    /// Whether to head for where the least has been learned, out of a depression of the heuristic,
    /// rather than for where the goal seems nearest.
    pub avoid: bool,
    /// Whether an episode ends after one expansion if that finds a neighbour to go to without learning
    /// anything: as long as the agent gets nearer, it need not look far.
    pub sparing: bool,
}

/// The memory of an episode, on one kind of costs.
pub(crate) struct Desktop<'a, C: Cost> {
    pub forward: &'a mut Frontier<C>,
    pub backward: &'a mut Frontier<C>,
    pub learned: &'a mut Learned<C>,
    /// The nodes reached in this episode.
    pub seen: &'a mut Vec<u32>,
    /// Where to go, last first.
    pub plan: &'a mut Vec<u32>,
    pub stats: &'a mut Stats,
    pub trace: &'a mut Option<Trace>,
}

impl Scratch {
    /// The memory for episodes on narrow costs.
    pub(crate) fn narrow_desktop(&mut self) -> Desktop<'_, u32> {
        let Self { narrow, narrow_back, learned, seen, walk, stats, trace, .. } = self;
        let plan = &mut walk.plan;
        Desktop { forward: narrow, backward: narrow_back, learned, seen, plan, stats, trace }
    }

    /// The memory for episodes on wide costs.
    pub(crate) fn wide_desktop(&mut self) -> Desktop<'_, u64> {
        let Self { wide, wide_back, wide_learned, seen, walk, stats, trace, .. } = self;
        let (plan, learned) = (&mut walk.plan, wide_learned);
        Desktop { forward: wide, backward: wide_back, learned, seen, plan, stats, trace }
    }
}

/// Whether costs on this map need wide numbers: an agent learns values up to the cost of the longest
/// path without a loop, and adds costs to them.
pub(crate) fn needs_wide(grid: &Grid, moves: Moves) -> bool {
    let tariff = Tariff::<u32>::new(grid, moves);
    let longest = 2 * grid.free_cells() as u64 * tariff.dearest_step();
    grid.has_costs() || longest + tariff.largest_estimate(grid) > u64::from(u32::MAX)
}

/// Where the agent is to go and how.
pub(crate) struct Episode<'a, C: Cost, const WEIGHTED: bool> {
    space: Cells<'a, C, WEIGHTED>,
    tariff: Tariff<C>,
    nodes: usize,
    goal: u32,
    lookahead: Lookahead,
}

impl<'a, C: Cost, const WEIGHTED: bool> Episode<'a, C, WEIGHTED> {
    /// An episode of an agent that heads for the node `goal`.
    pub fn new(
        grid: &'a Grid,
        moves: Moves,
        heuristic: Heuristic,
        goal: u32,
        lookahead: Lookahead,
    ) -> Self {
        let tariff = Tariff::new(grid, moves);
        let estimator = Estimator::new(heuristic, &tariff, grid.rows().coordinates(goal));
        let space = Cells::new(grid, moves, tariff, estimator);
        Self { space, tariff, nodes: grid.rows().positions(), goal, lookahead }
    }

    /// What the agent holds the cost from a node to the goal to be.
    #[inline]
    fn value(&self, learned: &Learned<C>, node: u32) -> C {
        learned.get(node).unwrap_or_else(|| self.space.estimate(node))
    }

    /// How good a place a node is to go to, at a cost of `g`, where its value is `h`: less is better.
    #[inline]
    fn rank(&self, node: u32, g: C, h: C) -> (C, C, C) {
        let learned = if self.lookahead.avoid { h - self.space.estimate(node) } else { C::ZERO };
        (learned, g + h, h)
    }

    /// Looks around, learns and makes a plan. `None` if the purse was empty.
    pub fn plan(&self, at: u32, desktop: &mut Desktop<'_, C>, purse: &mut Purse) -> Option<()> {
        desktop.plan.clear();
        let Lookahead { work, sparing, .. } = self.lookahead;
        if work == 1 {
            self.glance(at, desktop, purse)
        } else if !sparing {
            self.look(at, work, desktop, purse)
        } else {
            self.peek(at, desktop, purse)?;
            if desktop.plan.is_empty() { self.look(at, work - 1, desktop, purse) } else { Some(()) }
        }
    }

    /// Goes to a neighbour if nothing is to be learned from that.
    fn peek(&self, at: u32, desktop: &mut Desktop<'_, C>, purse: &mut Purse) -> Option<()> {
        if !purse.pay() {
            return None;
        }
        self.note(at, C::ZERO, desktop);
        let mut best = (C::MAX, C::MAX, at);
        self.space.expand(at, ROOT, |next, step, _| {
            let h = self.value(desktop.learned, next);
            best = best.min((step + h, h, next));
        });
        if best.0 <= self.value(desktop.learned, at) {
            desktop.plan.push(best.2);
        }
        Some(())
    }

    /// An episode of one expansion needs no queue.
    fn glance(&self, at: u32, desktop: &mut Desktop<'_, C>, purse: &mut Purse) -> Option<()> {
        if !purse.pay() {
            return None;
        }
        self.note(at, C::ZERO, desktop);
        let (mut least, mut best) = (C::MAX, None);
        self.space.expand(at, ROOT, |next, step, _| {
            let h = self.value(desktop.learned, next);
            least = least.min(step + h);
            let rank = self.rank(next, step, h);
            if best.is_none_or(|(other, _)| rank < other) || next == self.goal {
                best = Some((
                    if next == self.goal { (C::ZERO, C::ZERO, C::ZERO) } else { rank },
                    next,
                ));
            }
        });
        let (_, next) = best?;
        if least > self.value(desktop.learned, at) {
            desktop.learned.set(at, least);
        }
        desktop.plan.push(next);
        Some(())
    }

    fn look(
        &self,
        at: u32,
        work: u32,
        desktop: &mut Desktop<'_, C>,
        purse: &mut Purse,
    ) -> Option<()> {
        let target = self.search(at, work, desktop, purse)?;
        self.learn(desktop);
        let mut node = target;
        while node != at {
            desktop.plan.push(node);
            let (_, tag) = desktop.forward.nodes.get(node)?;
            node = self.space.back(node, tag);
        }
        Some(())
    }

    /// A* from where the agent is, until the work is done or the goal is the best node left. Returns
    /// where to go.
    fn search(
        &self,
        at: u32,
        work: u32,
        desktop: &mut Desktop<'_, C>,
        purse: &mut Purse,
    ) -> Option<u32> {
        desktop.forward.begin(self.nodes, self.tariff.usual_step());
        desktop.seen.clear();
        let first = self.value(desktop.learned, at);
        desktop.forward.nodes.set(at, C::ZERO, ROOT);
        desktop.forward.open.push(Entry { total: first, g: C::ZERO, node: at });
        desktop.seen.push(at);
        let mut expansions = 0;
        while expansions < work {
            let Some(Entry { g, node, .. }) = desktop.forward.open.pop() else { break };
            let Some((known, tag)) = desktop.forward.nodes.get(node) else { continue };
            if known != g || desktop.forward.nodes.is_closed(node) {
                continue;
            }
            if node == self.goal {
                return Some(node);
            }
            if !purse.pay() {
                return None;
            }
            expansions += 1;
            self.note(node, g, desktop);
            let Desktop { forward: Frontier { nodes, open, .. }, learned, seen, stats, .. } =
                desktop;
            nodes.close(node);
            self.space.expand(node, tag, |next, step, tag| {
                let g = g + step;
                let known = nodes.g(next);
                if known <= g {
                    return;
                }
                if known == C::MAX {
                    seen.push(next);
                }
                nodes.set(next, g, tag);
                open.push(Entry { total: g + self.value(learned, next), g, node: next });
                stats.opened += 1;
                stats.improved += u64::from(known != C::MAX);
            });
            stats.largest_open = stats.largest_open.max(open.len() as u64);
        }
        // The best of the nodes that were reached and not expanded.
        let nodes = &desktop.forward.nodes;
        let border = desktop.seen.iter().filter(|&&node| !nodes.is_closed(node));
        border
            .copied()
            .min_by_key(|&node| self.rank(node, nodes.g(node), self.value(desktop.learned, node)))
    }

    /// Dijkstra's algorithm from the nodes that were reached and not expanded: the value of an expanded
    /// node becomes the least cost of leaving the expanded nodes plus the value of where it leaves them.
    /// No cell is settled twice and only those that were reached are, so these are at most eight for each
    /// expansion, and one.
    fn learn(&self, desktop: &mut Desktop<'_, C>) {
        let Desktop { forward, backward, learned, seen, stats, .. } = desktop;
        let mut settled = 0;
        backward.begin(self.nodes, self.tariff.usual_step());
        let mut left = 0;
        for &node in seen.iter() {
            if forward.nodes.is_closed(node) {
                left += 1;
            } else {
                let h = self.value(learned, node);
                backward.nodes.set(node, h, ROOT);
                backward.open.push(Entry { total: h, g: h, node });
            }
        }
        while left > 0 {
            let Some(Entry { g, node, .. }) = backward.open.pop() else { break };
            if backward.nodes.g(node) != g || backward.nodes.is_closed(node) {
                continue;
            }
            backward.nodes.close(node);
            settled += 1;
            if forward.nodes.is_closed(node) {
                left -= 1;
                if g > self.value(learned, node) {
                    learned.set(node, g);
                }
            }
            self.space.expand(node, ROOT, |next, step, _| {
                let h = g + step;
                if forward.nodes.is_closed(next) && h < backward.nodes.g(next) {
                    backward.nodes.set(next, h, ROOT);
                    backward.open.push(Entry { total: h, g: h, node: next });
                }
            });
        }
        stats.largest_bookkeeping = stats.largest_bookkeeping.max(settled);
    }

    fn note(&self, node: u32, g: C, desktop: &mut Desktop<'_, C>) {
        if let Some(trace) = desktop.trace {
            let f = self.tariff.length(g + self.value(desktop.learned, node));
            trace.push(Event::Expanded { at: self.space.place(node), g: self.tariff.length(g), f });
        }
    }
}
