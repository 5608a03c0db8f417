//! Bidirectional A*: one search from the start, one from the goal, until neither can improve on the
//! best meeting.
//!
//! W. Pijls & H. Post, *Yet Another Bidirectional Algorithm for Finding the Shortest Path*, 2009
//! (NBA*). Each node is settled by one side only. The side whose open list is shorter takes its best
//! node u, and rejects it if no path through it can beat the best one known, of cost L: if
//! g(u) + h(u) ≥ L, or if g(u) + F' − h'(u) ≥ L, where F' is the smallest total on the other side and
//! h' the other side's estimate of u. The search is over when one side's totals have reached L, which
//! is then the optimum. That proof needs consistent heuristics, so an inadmissible one is refused.
//!
//! On slopes there and back differ: the search from the goal takes every step backwards.

use crate::engine::best_first::Space;
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::{Event, Trace};
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{
    Budget, Cell, Error, Grid, Memory, Moves, Path, Planner, Query, Scratch, Slope, Stats, Status,
};

#[derive(Debug)]
pub(crate) struct Bidirectional {
    desk: Desk,
}

/// The best meeting of the two searches so far. Kept as wide numbers whatever the costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meeting {
    cost: u64,
    node: u32,
    /// The smallest total that each side's open list can still hold.
    totals: [u64; 2],
}

enum Outcome {
    Met,
    Apart,
    Paused,
    Limit,
    Overflow,
}

impl Bidirectional {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves) }
    }

    fn search_cells<C: Cost, const WEIGHTED: bool>(
        &self,
        grid: &Grid,
        task: &Task,
        fresh: bool,
        work: Work<'_, C>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let space = |to: Cell| {
            let estimator = Estimator::new(heuristic, &tariff, (to.x, to.y));
            Cells::<C, WEIGHTED>::new(grid, moves, tariff, estimator)
        };
        let spaces = [space(task.goal_cell), space(task.start_cell)];
        self.search(grid, task, fresh, &spaces, work)
    }

    fn search_hills<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        fresh: bool,
        slope: Slope,
        work: Work<'_, C>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let space = |to, way| Hills::new(grid, (moves, slope), &tariff, heuristic, to, way);
        let spaces = [space(task.goal_cell, Way::Forward), space(task.start_cell, Way::Backward)];
        self.search(grid, task, fresh, &spaces, work)
    }

    fn search<C: Cost, S: Space<C>>(
        &self,
        grid: &Grid,
        task: &Task,
        fresh: bool,
        spaces: &[S; 2],
        work: Work<'_, C>,
    ) -> Outcome {
        let Work { mut sides, meeting, meter, stats, trace, path } = work;
        let (moves, rows) = (self.desk.moves(), grid.rows());
        let tariff = Tariff::<C>::new(grid, moves);
        let starts = [task.start_cell, task.goal_cell].map(|c| rows.position(c.x, c.y));
        if fresh {
            *meeting = Meeting { cost: u64::MAX, node: 0, totals: [0; 2] };
            for side in 0..2 {
                sides[side].begin(rows.positions(), tariff.usual_step());
                let total = spaces[side].estimate(starts[side]);
                sides[side].nodes.set(starts[side], C::ZERO, ROOT);
                sides[side].open.push(Entry { total, g: C::ZERO, node: starts[side] });
                meeting.totals[side] = total.to_u64();
            }
        }
        let max_cost = task.query.cost_limit().map_or(C::MAX, |limit| tariff.floor(limit));
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let reserve = tariff.dearest_step() + tariff.largest_estimate(grid);
        // Two costs are added at a meeting, hence half.
        let ceiling = C::from_u64(C::MAX.to_u64().saturating_sub(reserve) / 2);
        loop {
            // Before anything is taken off the list: putting it back could reorder equal keys.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let side = usize::from(sides[1].open.len() < sides[0].open.len());
            let Some(Entry { total, g, node }) = sides[side].open.pop() else { break };
            if total.to_u64() >= meeting.cost {
                break;
            }
            if total > max_cost {
                return Outcome::Limit;
            }
            let [here, there] = split(&mut sides, side);
            let Some((known, tag)) = here.nodes.get(node) else { continue };
            if known != g || here.nodes.is_closed(node) || there.nodes.is_closed(node) {
                continue;
            }
            if stats.expanded >= max_expansions {
                return Outcome::Limit;
            }
            meter.pay();
            if g > ceiling {
                return Outcome::Overflow;
            }
            meeting.totals[side] = total.to_u64();
            here.nodes.close(node);
            stats.expanded += 1;
            if let Some(trace) = trace {
                let (g, f) = (tariff.length(g), tariff.length(total));
                trace.push(Event::Expanded { at: spaces[side].place(node), g, f });
            }
            let other_estimate = spaces[1 - side].estimate(node).to_u64();
            if g.to_u64() + meeting.totals[1 - side] >= meeting.cost.saturating_add(other_estimate)
            {
                continue;
            }
            let Frontier { nodes, open, pruned, .. } = here;
            spaces[side].expand(node, tag, |next, step, tag| {
                let g = g + step;
                let known = nodes.g(next);
                if known <= g || there.nodes.is_closed(next) {
                    return;
                }
                if g > max_cost {
                    *pruned = true;
                    return;
                }
                nodes.set(next, g, tag);
                let total = g + spaces[side].estimate(next);
                open.push(Entry { total, g, node: next });
                stats.opened += 1;
                stats.improved += u64::from(known != C::MAX);
                if let Some(trace) = trace {
                    let (g, f) = (tariff.length(g), tariff.length(total));
                    let at = spaces[side].place(next);
                    trace.push(if known == C::MAX {
                        Event::Opened { at, g, f }
                    } else {
                        Event::Improved { at, g, f }
                    });
                }
                let met = there.nodes.g(next);
                if met != C::MAX && g.to_u64() + met.to_u64() < meeting.cost {
                    meeting.cost = g.to_u64() + met.to_u64();
                    meeting.node = next;
                }
            });
            let queued = (sides[0].open.len() + sides[1].open.len()) as u64;
            stats.largest_open = stats.largest_open.max(queued);
        }
        if meeting.cost == u64::MAX {
            let pruned = sides[0].pruned || sides[1].pruned;
            return if pruned { Outcome::Limit } else { Outcome::Apart };
        }
        write_path(spaces, &sides, meeting.node, path);
        Outcome::Met
    }
}

/// The memory of one search.
struct Work<'a, C: Cost> {
    sides: [&'a mut Frontier<C>; 2],
    meeting: &'a mut Meeting,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    path: &'a mut Path,
}

/// The two frontiers with that of `side` first.
fn split<'s, C: Cost>(
    sides: &'s mut [&mut Frontier<C>; 2],
    side: usize,
) -> [&'s mut Frontier<C>; 2] {
    let [forward, backward] = sides;
    if side == 0 { [forward, backward] } else { [backward, forward] }
}

fn write_path<C: Cost, S: Space<C>>(
    spaces: &[S; 2],
    sides: &[&mut Frontier<C>; 2],
    meeting: u32,
    path: &mut Path,
) {
    for side in 0..2 {
        let mut node = meeting;
        if side == 0 {
            path.push(spaces[0].place(node));
        }
        while let Some((_, tag)) = sides[side].nodes.get(node).filter(|node| node.1 != ROOT) {
            node = spaces[side].back(node, tag);
            path.push(spaces[side].place(node));
        }
        if side == 0 {
            path.reverse();
        }
    }
}

impl Planner for Bidirectional {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        let heuristic = self.desk.heuristic(query);
        if !heuristic.is_admissible(self.desk.moves()) {
            return Err(self.desk.unsupported(
                format!("the heuristic `{heuristic}` under the rule `{}`", self.desk.moves()),
                "its stopping rule needs a heuristic that never overestimates: use `octile`",
            ));
        }
        self.desk.open(grid, query, scratch)?;
        if let Some(task) = &mut scratch.task {
            task.wide = grid.has_costs() || self.desk.moves().slope().is_some();
        }
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::new(budget);
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch {
                narrow, narrow_back, wide, wide_back, meeting, stats, trace, path, ..
            } = &mut *scratch;
            let meter = &mut meter;
            let outcome = if task.wide {
                let work = Work { sides: [wide, wide_back], meeting, meter, stats, trace, path };
                if let Some(slope) = self.desk.moves().slope() {
                    self.search_hills::<u64>(grid, &task, fresh, slope, work)
                } else if grid.has_costs() {
                    self.search_cells::<u64, true>(grid, &task, fresh, work)
                } else {
                    self.search_cells::<u64, false>(grid, &task, fresh, work)
                }
            } else {
                let sides = [narrow, narrow_back];
                let work = Work { sides, meeting, meter, stats, trace, path };
                self.search_cells::<u32, false>(grid, &task, fresh, work)
            };
            if !matches!(outcome, Outcome::Overflow) {
                break outcome;
            }
            (task.wide, task.started) = (true, false);
            scratch.start_over();
        };
        let success = task.success;
        scratch.task = Some(task);
        let status = match outcome {
            Outcome::Met => success,
            Outcome::Apart => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused | Outcome::Overflow => return Ok(Status::Working),
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
