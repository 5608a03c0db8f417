//! Bidirectional A*: one search from the start and one from the goal, until neither can improve on
//! the best meeting.
//!
//! W. Pijls & H. Post, *Yet Another Bidirectional Algorithm for Finding the Shortest Path*, 2009
//! (NBA*). Each node is settled by one side only. The side with the shorter open list takes its
//! best node u and rejects it if no path through it can beat the best one known, of cost L: if
//! g(u) + h(u) ≥ L, or if g(u) + F' − h'(u) ≥ L, where F' is the smallest total on the other side
//! and h' the other side's estimate of u. The search ends when one side's totals reach L, which is
//! then the optimum. The proof needs consistent heuristics, so inadmissible ones are refused.
//!
//! On slopes, the two directions differ: the search from the goal takes every step backwards.

use crate::engine::best_first::Space;
use crate::engine::frontier::{Backward, Frontier};
use crate::engine::memory_pool::SearchMemory;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Algorithm, Cell, Event, Path, Promise, Slope};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "bidirectional-astar",
    summary: "Bidirectional A*: from both ends, stops by a proven bound (NBA*)",
    source: "Pijls & Post 2009",
    promise: Promise::Optimal,
    terrain: true,
    heights: true,
    make: |_, grid, moves| Ok(Driver::boxed(Bidirectional, grid, moves)),
    avoids: true,
    must_admit: Some("its stopping rule needs a heuristic that never overestimates: use `octile`"),
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
pub(crate) struct Bidirectional;

/// The best meeting of the two searches so far, in wide numbers whatever the costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meeting {
    cost: u64,
    node: u32,
    /// A lower bound on the totals left on each side's open list.
    totals: [u64; 2],
}

impl SearchMemory for Meeting {
    fn bytes(&self) -> usize {
        0
    }
}

/// The frontiers of both sides, the one from the start first, and where they meet.
struct Sides<'a, C: Cost> {
    frontiers: [&'a mut Frontier<C>; 2],
    meeting: &'a mut Meeting,
}

impl<'a, C: Cost> Sides<'a, C> {
    fn of(pool: &'a mut MemoryPool) -> Self {
        let (forward, backward, meeting) = pool.get_three::<_, Backward<C>, _>();
        Self { frontiers: [forward, &mut backward.0], meeting }
    }
}

impl Method for Bidirectional {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        problem.grid().has_costs() || problem.moves().slope().is_some()
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(if !problem.is_wide() {
            search_cells::<u32>(problem, slice, Sides::of(pool))
        } else if let Some(slope) = problem.moves().slope() {
            search_hills(problem, slope, slice, Sides::of(pool))
        } else {
            search_cells::<u64>(problem, slice, Sides::of(pool))
        })
    }
}

fn search_cells<C: Cost>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    sides: Sides<'_, C>,
) -> Outcome {
    let Problem { grid, moves, .. } = *problem;
    let step_costs = StepCosts::<C>::new(grid, moves);
    let space = |to: Cell| {
        let estimator = Estimator::new(problem.heuristic(), &step_costs, (to.x, to.y));
        Cells::<C>::new(grid, moves, step_costs, estimator)
    };
    let spaces = [space(problem.goal_cell()), space(problem.start_cell())];
    run(problem, slice, &spaces, sides)
}

fn search_hills(
    problem: &Problem<'_>,
    slope: Slope,
    slice: &mut Slice<'_>,
    sides: Sides<'_, u64>,
) -> Outcome {
    let Problem { grid, moves, .. } = *problem;
    let (step_costs, heuristic) = (StepCosts::new(grid, moves), problem.heuristic());
    let space = |to, way| Hills::new(grid, (moves, slope), &step_costs, heuristic, to, way);
    let ends = [(problem.goal_cell(), Way::Forward), (problem.start_cell(), Way::Backward)];
    run(problem, slice, &ends.map(|(to, way)| space(to, way)), sides)
}

/// Runs until the searches cannot meet at a lower cost, a queue is empty or the budget is spent.
fn run<C: Cost, S: Space<C>>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    spaces: &[S; 2],
    sides: Sides<'_, C>,
) -> Outcome {
    let Sides { frontiers: mut sides, meeting } = sides;
    let grid = problem.grid;
    let step_costs = StepCosts::<C>::new(grid, problem.moves);
    if slice.is_fresh() {
        *meeting = Meeting { cost: u64::MAX, node: 0, totals: [0; 2] };
        for (side, start) in [problem.start_node(), problem.goal_node()].into_iter().enumerate() {
            let total = spaces[side].estimate(start);
            let frontier = &mut *sides[side];
            frontier.begin(grid.rows().positions(), step_costs.usual_step());
            frontier.nodes.set(start, C::ZERO, ROOT);
            frontier.open.push(Entry { total, g: C::ZERO, node: start });
            meeting.totals[side] = total.to_u64();
        }
    }
    let Slice { meter, stats, trace, path, .. } = slice;
    let max_cost = problem.query().cost_limit().map_or(C::MAX, |limit| step_costs.floor(limit));
    let max_expansions = problem.max_expansions();
    let reserve = step_costs.dearest_step() + step_costs.largest_estimate(grid);
    // Halved, because two costs are added at a meeting.
    let ceiling = C::from_u64(C::MAX.to_u64().saturating_sub(reserve) / 2);
    loop {
        // Before anything is taken off the list: putting it back could reorder equal entries.
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
            let (g, f) = (step_costs.length(g), step_costs.length(total));
            let space = &spaces[side];
            let from = (tag != ROOT).then(|| space.place(space.back(node, tag)));
            trace.push_side(Event::Expanded { at: space.place(node), from, g, f }, side == 1);
        }
        let other_estimate = spaces[1 - side].estimate(node).to_u64();
        if g.to_u64() + meeting.totals[1 - side] >= meeting.cost.saturating_add(other_estimate) {
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
                let (g, f) = (step_costs.length(g), step_costs.length(total));
                let at = spaces[side].place(next);
                let from = Some(spaces[side].place(node));
                let event = if known == C::MAX {
                    Event::Opened { at, from, g, f }
                } else {
                    Event::Improved { at, from, g, f }
                };
                trace.push_side(event, side == 1);
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
        return if pruned { Outcome::Limit } else { Outcome::Exhausted };
    }
    write_path(spaces, &sides, meeting.node, path);
    Outcome::Goal
}

/// The two frontiers, that of `side` first.
fn split<'s, C: Cost>(
    sides: &'s mut [&mut Frontier<C>; 2],
    side: usize,
) -> [&'s mut Frontier<C>; 2] {
    let [forward, backward] = sides;
    if side == 0 { [forward, backward] } else { [backward, forward] }
}

/// Writes the path: back from the meeting to the start, and on to the goal.
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
