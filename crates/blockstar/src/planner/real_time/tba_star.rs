//! Time-bounded A*: one A* from the start, spread over the moves of an agent that cannot wait for
//! it.
//!
//! Y. Björnsson, V. Bulitko & N. Sturtevant, *TBA\*: Time-Bounded A\**, 2009. For each move the
//! search makes `work` expansions; then the way to the most promising node is traced back through
//! the search tree, `trace` steps per move, until it meets the agent or the start. If the agent is
//! on the way that was traced last, it follows it; if not, it steps back through the tree until it
//! is. If it gets back to the start before there is a way to follow, it returns to where it just
//! came from. Once the search has reached the goal, only tracing and walking remain, so the agent
//! arrives whenever there is a way. Nothing is prepared and nothing is learned.
//!
//! Written from descriptions of the algorithm; the paper itself was not at hand. Differences: an
//! agent is never idle, so before its first move tracing may take as many steps as it needs (no
//! more than there were expansions); a way that is being traced is followed as soon as it meets the
//! agent. Costs grow along a way, so the agent's place on it is found by bisection, without a table
//! of marked cells. That requires costs that do not change, so an inadmissible heuristic is
//! refused.
//!
//! `Stats::largest_bookkeeping` is the most steps traced for one move; a test holds it to `trace`.
//!
//! Published: the quality of LRTA* at a hundredth of the work per move, or 20 times fewer moves at
//! equal work. Measured over ten problems on each of the ten large Dragon Age maps, spread evenly
//! over their scenarios, at 32 expansions per move: walks of 2.0 times the optimum, compared with
//! 27 times for LRTA* (with depression avoidance), and on average 14 times fewer moves; on the
//! longest problems of orz103d, orz702d and orz700d 98, 51 and 19 times fewer than LRTA* without
//! depression avoidance.

use super::lrta::local::needs_wide;
use super::lrta::{self, WORK};
use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::trace::{Event, Trace};
use crate::engine::walk::{self, Agent, AgentTurn, Purse};
use crate::engine::{Driver, MemoryPool, Method, Problem, SearchMemory, Searched, Slice, by_width};
use crate::registry::{kind, parameters, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Algorithm, Stats};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "tba-star",
    summary: "Time-bounded A*: one A* spread over the moves of an agent that follows its best path",
    source: "Björnsson, Bulitko & Sturtevant 2009",
    parameters: &[WORK, TRACE],
    make: |spec, grid, moves| {
        let work = spec.number(WORK.name);
        let trace = spec.number_or_word(TRACE.name).unwrap_or(10 * work);
        Ok(Driver::boxed(TbaStar { work, trace }, grid, moves))
    },
    ..lrta::BASE
};

settings! { kind::TbaStar:
    /// The most expansions for one move, by default 32.
    work(expansions: u32) = "work", expansions;
    /// The most cells traced back for one move, by default ten times the work.
    trace(cells: u32) = "trace", cells;
}

parameters! {
    TRACE = "trace", "1-10000000|auto", "auto",
        "the most cells traced back for one move: ten times the work";
}

#[derive(Clone, Debug)]
pub(crate) struct TbaStar {
    /// The most expansions for one move.
    work: u32,
    /// The most steps traced for one move.
    trace: u32,
}

impl Method for TbaStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        needs_wide(problem.grid, problem.moves)
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(walk::walk(self, problem, slice, pool))
    }
}

impl Agent for TbaStar {
    fn most_work(&self, _: &Slice<'_>, pool: &mut MemoryPool) -> u64 {
        if pool.get::<TracedWays>().arrived { 0 } else { self.work.into() }
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        by_width!(turn.problem, C => self.advance::<C>(turn))
    }
}

impl TbaStar {
    /// Searches, traces and steps, each as far as one move permits.
    fn advance<C: Cost>(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let Problem { grid, moves, .. } = **problem;
        let (start, goal) = (problem.start_node(), problem.goal_node());
        let step_costs = StepCosts::<C>::new(grid, moves);
        let target = grid.rows().coordinates(goal);
        let estimator = Estimator::new(problem.heuristic(), &step_costs, target);
        let space = Cells::<C>::new(grid, moves, step_costs, estimator);
        let (frontier, ways) = pool.get_two::<Frontier<C>, TracedWays>();
        let (at, first) = (slice.walk.at(), slice.stats.moves == 0);
        if first {
            frontier.begin(grid.rows().positions(), step_costs.usual_step());
            frontier.nodes.set(start, C::ZERO, ROOT);
            let total = space.estimate(start);
            frontier.open.push(Entry { total, g: C::ZERO, node: start });
            ways.begin(start);
        }
        let Slice { stats, trace, .. } = slice;
        let mut search = TbaSearch { space, step_costs, start, goal, frontier, ways, stats, trace };
        if !search.ways.arrived && !search.expand(self.work, purse) {
            return None;
        }
        search.trace_back(at, if first { usize::MAX } else { self.trace as usize });
        Some(search.step(at))
    }
}

/// A node and the cost to it, on wide costs.
type Mark = (u32, u64);

/// The way that the agent follows and the one being traced, each from its end backwards.
#[derive(Debug, Default)]
struct TracedWays {
    follow: Vec<Mark>,
    /// Whether the agent is on the way it follows; `follow` is then the rest of it.
    on_it: bool,
    traced: Vec<Mark>,
    tracing: bool,
    /// Whether the search has reached the goal.
    arrived: bool,
    /// Where the agent was before its last move.
    last: u32,
}

impl TracedWays {
    fn begin(&mut self, start: u32) {
        self.follow.clear();
        self.traced.clear();
        (self.on_it, self.tracing, self.arrived) = (false, false, false);
        self.last = start;
    }
}

impl SearchMemory for TracedWays {
    fn bytes(&self) -> usize {
        (self.follow.capacity() + self.traced.capacity()) * size_of::<Mark>()
    }
}

/// The place of a node on a way, whose costs fall from mark to mark.
fn place(way: &[Mark], (node, g): Mark) -> Option<usize> {
    let index = way.partition_point(|mark| mark.1 > g);
    way.get(index).is_some_and(|mark| mark.0 == node).then_some(index)
}

/// The search and the way, on one kind of costs.
struct TbaSearch<'a, C: Cost> {
    space: Cells<'a, C>,
    step_costs: StepCosts<C>,
    start: u32,
    goal: u32,
    frontier: &'a mut Frontier<C>,
    ways: &'a mut TracedWays,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

impl<C: Cost> TbaSearch<'_, C> {
    /// Continues the search. False if the purse was empty.
    fn expand(&mut self, work: u32, purse: &mut Purse) -> bool {
        let Frontier { nodes, open, .. } = &mut *self.frontier;
        let mut done = 0;
        while done < work {
            let Some(Entry { total, g, node }) = open.pop() else { break };
            let Some((known, tag)) = nodes.get(node) else { continue };
            if known != g {
                continue;
            }
            if node == self.goal {
                self.ways.arrived = true;
                break;
            }
            if !purse.pay() {
                return false;
            }
            done += 1;
            if let Some(trace) = self.trace {
                let (g, f) = (self.step_costs.length(g), self.step_costs.length(total));
                let space = &self.space;
                let from = (tag != ROOT).then(|| space.place(space.back(node, tag)));
                trace.push(Event::Expanded { at: space.place(node), from, g, f });
            }
            self.space.expand(node, tag, |next, step, tag| {
                let g = g + step;
                let known = nodes.g(next);
                if known <= g {
                    return;
                }
                nodes.set(next, g, tag);
                open.push(Entry { total: g + self.space.estimate(next), g, node: next });
                self.stats.opened += 1;
                self.stats.improved += u64::from(known != C::MAX);
            });
            self.stats.largest_open = self.stats.largest_open.max(open.len() as u64);
        }
        true
    }

    fn mark(&self, node: u32) -> Mark {
        (node, self.frontier.nodes.g(node).to_u64())
    }

    /// The node that the search would expand next, or the goal once it is reached.
    fn promising(&mut self) -> Option<u32> {
        if self.ways.arrived {
            return Some(self.goal);
        }
        let Frontier { nodes, open, .. } = &mut *self.frontier;
        loop {
            let entry = open.pop()?;
            if nodes.g(entry.node) == entry.g {
                // It goes back to the top.
                open.push(entry);
                return Some(entry.node);
            }
        }
    }

    /// Continues tracing, by at most `steps`.
    fn trace_back(&mut self, at: u32, steps: usize) {
        let TracedWays { follow, on_it, arrived, .. } = &*self.ways;
        if !self.ways.tracing {
            // Nothing to trace: the agent is on its way to the goal.
            if *arrived && *on_it && follow.first().is_some_and(|mark| mark.0 == self.goal) {
                return;
            }
            let Some(end) = self.promising() else { return };
            let end = self.mark(end);
            self.ways.traced.clear();
            self.ways.traced.push(end);
            self.ways.tracing = true;
        }
        let mut gone = 0;
        for _ in 0..steps {
            let Some(&(node, _)) = self.ways.traced.last() else { return };
            if node == at || node == self.start {
                break;
            }
            gone += 1;
            self.stats.largest_bookkeeping = self.stats.largest_bookkeeping.max(gone);
            let Some((_, tag)) = self.frontier.nodes.get(node) else { return };
            let before = self.mark(self.space.back(node, tag));
            self.ways.traced.push(before);
        }
        let agent = self.mark(at);
        let TracedWays { follow, traced, tracing, on_it, .. } = &mut *self.ways;
        let found = place(traced, agent);
        let at_start = traced.last().is_some_and(|mark| mark.0 == self.start);
        if found.is_some() || at_start {
            std::mem::swap(follow, traced);
            (*tracing, *on_it) = (false, found.is_some());
            if let Some(index) = found {
                follow.truncate(index);
            }
        }
    }

    /// Where the agent goes.
    fn step(&mut self, at: u32) -> u32 {
        let agent = self.mark(at);
        let ways = &mut *self.ways;
        if !ways.on_it
            && let Some(index) = place(&ways.follow, agent)
        {
            ways.follow.truncate(index);
            ways.on_it = true;
        }
        let next = if ways.on_it { ways.follow.pop() } else { None };
        let next = match next {
            Some(mark) => mark.0,
            None => {
                ways.on_it = false;
                match self.frontier.nodes.get(at) {
                    Some((_, tag)) if tag != ROOT => self.space.back(at, tag),
                    _ => ways.last,
                }
            }
        };
        ways.last = at;
        next
    }
}
