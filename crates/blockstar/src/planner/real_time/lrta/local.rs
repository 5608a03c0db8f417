//! One planning episode of the LRTA* family: a bounded A* around the agent, learning from it, and
//! the way to the best cell found.

use crate::engine::best_first::Space;
use crate::engine::frontier::{Backward, Frontier};
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::trace::{Event, Trace};
use crate::engine::walk::{Purse, Walk};
use crate::engine::{MemoryPool, Problem, SearchMemory, Slice};
use crate::planner::real_time::learned::Learned;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Grid, Moves, Stats};

/// How far an agent looks and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lookahead {
    /// The most expansions of one episode.
    pub work: u32,
    /// Whether to head for where the least has been learned, out of a depression of the heuristic,
    /// rather than for where the goal seems nearest.
    pub avoid: bool,
    /// Whether an episode ends after one expansion if that finds a neighbour to go to without
    /// learning anything: as long as the agent gets nearer, it need not look far.
    pub sparing: bool,
}

impl Lookahead {
    /// The most expansions that the next move of an agent can take: none if it is planned already.
    pub fn most_work(self, walk: &Walk) -> u64 {
        if walk.plan.is_empty() { self.work.into() } else { 0 }
    }
}

/// What agents of the LRTA* family keep from episode to episode.
#[derive(Debug)]
pub(crate) struct LrtaMemory<C: Cost> {
    pub learned: Learned<C>,
    /// The nodes reached in the last episode.
    seen: Vec<u32>,
}

impl<C: Cost> Default for LrtaMemory<C> {
    fn default() -> Self {
        Self { learned: Learned::default(), seen: Vec::new() }
    }
}

impl<C: Cost> SearchMemory for LrtaMemory<C> {
    fn bytes(&self) -> usize {
        self.learned.bytes() + self.seen.capacity() * 4
    }
}

/// Everything an episode writes to.
pub(crate) struct EpisodeMemory<'a, C: Cost> {
    forward: &'a mut Frontier<C>,
    backward: &'a mut Frontier<C>,
    learned: &'a mut Learned<C>,
    /// The nodes reached in this episode.
    seen: &'a mut Vec<u32>,
    /// Where to go, last first.
    plan: &'a mut Vec<u32>,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

impl<'a, C: Cost> EpisodeMemory<'a, C> {
    pub fn of(slice: &'a mut Slice<'_>, pool: &'a mut MemoryPool) -> Self {
        let (forward, Backward(backward), LrtaMemory { learned, seen }) = pool.get_three();
        let Slice { walk, stats, trace, .. } = slice;
        Self { forward, backward, learned, seen, plan: &mut walk.plan, stats, trace }
    }
}

/// Whether costs on this map need wide numbers: an agent learns values up to the cost of the
/// longest path without a loop, and adds costs to them.
pub(crate) fn needs_wide(grid: &Grid, moves: Moves) -> bool {
    let step_costs = StepCosts::<u32>::new(grid, moves);
    let longest = 2 * grid.free_cells() as u64 * step_costs.dearest_step();
    grid.has_costs() || longest + step_costs.largest_estimate(grid) > u64::from(u32::MAX)
}

/// Where the agent is going, and how.
pub(crate) struct Episode<'a, C: Cost> {
    space: Cells<'a, C>,
    step_costs: StepCosts<C>,
    nodes: usize,
    goal: u32,
    lookahead: Lookahead,
}

impl<'a, C: Cost> Episode<'a, C> {
    /// An episode of an agent that heads for the node `goal`.
    pub fn new(problem: &Problem<'a>, goal: u32, lookahead: Lookahead) -> Self {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::new(grid, moves);
        let target = grid.rows().coordinates(goal);
        let estimator = Estimator::new(problem.heuristic(), &step_costs, target);
        let space = Cells::new(grid, moves, step_costs, estimator);
        Self { space, step_costs, nodes: grid.rows().positions(), goal, lookahead }
    }

    /// The agent's estimate of the cost from a node to the goal.
    #[inline]
    fn value(&self, learned: &Learned<C>, node: u32) -> C {
        learned.get(node).unwrap_or_else(|| self.space.estimate(node))
    }

    /// How good it is to go to a node at a cost of `g` if its value is `h`: less is better.
    #[inline]
    fn rank(&self, node: u32, g: C, h: C) -> (C, C, C) {
        let learned = if self.lookahead.avoid { h - self.space.estimate(node) } else { C::ZERO };
        (learned, g + h, h)
    }

    /// Looks around, learns and plans the next moves. `None` if the purse was empty.
    pub fn plan(
        &self,
        at: u32,
        memory: &mut EpisodeMemory<'_, C>,
        purse: &mut Purse,
    ) -> Option<()> {
        memory.plan.clear();
        let Lookahead { work, sparing, .. } = self.lookahead;
        if work == 1 {
            self.glance(at, memory, purse)
        } else if !sparing {
            self.look(at, work, memory, purse)
        } else {
            self.peek(at, memory, purse)?;
            if memory.plan.is_empty() { self.look(at, work - 1, memory, purse) } else { Some(()) }
        }
    }

    /// Plans to go to a neighbour, if that teaches nothing.
    fn peek(&self, at: u32, memory: &mut EpisodeMemory<'_, C>, purse: &mut Purse) -> Option<()> {
        if !purse.pay() {
            return None;
        }
        self.note((at, ROOT), C::ZERO, memory);
        let mut best = (C::MAX, C::MAX, at);
        self.space.expand(at, ROOT, |next, step, _| {
            let h = self.value(memory.learned, next);
            best = best.min((step + h, h, next));
        });
        if best.0 <= self.value(memory.learned, at) {
            memory.plan.push(best.2);
        }
        Some(())
    }

    /// An episode of one expansion needs no queue.
    fn glance(&self, at: u32, memory: &mut EpisodeMemory<'_, C>, purse: &mut Purse) -> Option<()> {
        if !purse.pay() {
            return None;
        }
        self.note((at, ROOT), C::ZERO, memory);
        let (mut least, mut best) = (C::MAX, None);
        self.space.expand(at, ROOT, |next, step, _| {
            let h = self.value(memory.learned, next);
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
        let before = self.value(memory.learned, at);
        if least > before {
            memory.learned.set(at, least);
            self.note_raise(at, before, least, memory.trace);
        }
        memory.plan.push(next);
        Some(())
    }

    /// Searches, learns, and plans the way to the best node found.
    fn look(
        &self,
        at: u32,
        work: u32,
        memory: &mut EpisodeMemory<'_, C>,
        purse: &mut Purse,
    ) -> Option<()> {
        let target = self.search(at, work, memory, purse)?;
        self.learn(memory);
        let mut node = target;
        while node != at {
            memory.plan.push(node);
            let (_, tag) = memory.forward.nodes.get(node)?;
            node = self.space.back(node, tag);
        }
        Some(())
    }

    /// A* from where the agent is, until the work is done or the goal is the best node left.
    /// Returns where to go.
    fn search(
        &self,
        at: u32,
        work: u32,
        memory: &mut EpisodeMemory<'_, C>,
        purse: &mut Purse,
    ) -> Option<u32> {
        memory.forward.begin(self.nodes, self.step_costs.usual_step());
        memory.seen.clear();
        let first = self.value(memory.learned, at);
        memory.forward.nodes.set(at, C::ZERO, ROOT);
        memory.forward.open.push(Entry { total: first, g: C::ZERO, node: at });
        memory.seen.push(at);
        let mut expansions = 0;
        while expansions < work {
            let Some(Entry { g, node, .. }) = memory.forward.open.pop() else { break };
            let Some((known, tag)) = memory.forward.nodes.get(node) else { continue };
            if known != g || memory.forward.nodes.is_closed(node) {
                continue;
            }
            if node == self.goal {
                return Some(node);
            }
            if !purse.pay() {
                return None;
            }
            expansions += 1;
            self.note((node, tag), g, memory);
            let EpisodeMemory {
                forward: Frontier { nodes, open, .. }, learned, seen, stats, ..
            } = memory;
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
        // The best of the nodes that were reached but not expanded.
        let nodes = &memory.forward.nodes;
        let border = memory.seen.iter().filter(|&&node| !nodes.is_closed(node));
        border
            .copied()
            .min_by_key(|&node| self.rank(node, nodes.g(node), self.value(memory.learned, node)))
    }

    /// Dijkstra's algorithm from the nodes that were reached but not expanded: the value of an
    /// expanded node becomes the least cost of leaving the expanded nodes, plus the value of the
    /// node outside. Only nodes that were reached are settled, each once: at most eight per
    /// expansion, plus one.
    fn learn(&self, memory: &mut EpisodeMemory<'_, C>) {
        let EpisodeMemory { forward, backward, learned, seen, stats, trace, .. } = memory;
        let mut settled = 0;
        backward.begin(self.nodes, self.step_costs.usual_step());
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
                let before = self.value(learned, node);
                if g > before {
                    learned.set(node, g);
                    self.note_raise(node, before, g, trace);
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

    fn note(&self, (node, tag): (u32, u8), g: C, memory: &mut EpisodeMemory<'_, C>) {
        if let Some(trace) = memory.trace {
            let f = self.step_costs.length(g + self.value(memory.learned, node));
            let from = (tag != ROOT).then(|| self.space.place(self.space.back(node, tag)));
            let (at, g) = (self.space.place(node), self.step_costs.length(g));
            trace.push(Event::Expanded { at, from, g, f });
        }
    }

    fn note_raise(&self, node: u32, before: C, after: C, trace: &mut Option<Trace>) {
        if let Some(trace) = trace {
            let [before, after] = [before, after].map(|cost| self.step_costs.length(cost));
            trace.push(Event::Raised { at: self.space.place(node), before, after });
        }
    }
}
