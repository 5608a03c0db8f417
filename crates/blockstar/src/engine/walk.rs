//! The walk of a real-time planner: the agent moves while it plans.
//!
//! A complete planner has nothing to show until its path is found. A real-time planner does a
//! bounded amount of work, makes a move, does some more work, and so on: its answer is the walk
//! itself, with all its detours. What they all share is here: a planner is an [`Agent`] that says
//! where to go next, and [`walk`] makes its moves.
//!
//! * The walk so far is kept in the scratch memory ([`Scratch::walk`]); at the goal it becomes the
//!   path.
//! * A slice makes whole moves: at least one, and as many as are guaranteed to fit the budget. A
//!   move takes the expansions made for it from the budget, but at least one; the next one begins
//!   only if the budget covers the most it can take. So the walk does not depend on slices, and a
//!   budget of one expansion is always exactly one move. The clock is read after each move.
//! * An agent may also wait where it is while it thinks: that takes from the budget like a move,
//!   but does not count as one, and the walk does not show it.
//! * The query's limits: the walk ends with `LimitReached` when the next move would need more
//!   expansions than are left, or would make the walk cost more than permitted. The walk so far can
//!   still be read from [`Scratch::walk`].

use crate::engine::memory_pool::MemoryPool;
use crate::engine::method::{Outcome, Slice};
use crate::engine::problem::Problem;
use crate::engine::trace::Event;
use crate::rules::cost::StepCosts;
use crate::rules::moves::{Direction, step_table};
use crate::{Cell, Grid, Moves, Point, Stats};

/// Where the agent has been.
#[derive(Debug, Default)]
pub struct Walk {
    points: Vec<Point>,
    /// The nodes that the planner has decided to go to next, last first. Cleared at `begin`; the
    /// rest is up to the planner.
    pub plan: Vec<u32>,
    /// The node (bit position) of the cell that the agent is on.
    at: u32,
    /// The cost of the walk, in wide units.
    cost: u64,
}

impl Walk {
    /// Puts the agent on its start.
    pub(crate) fn begin(&mut self, grid: &Grid, start: Cell) {
        self.points.push(start.centre());
        self.at = grid.rows().position(start.x, start.y);
    }

    /// Forgets the previous walk.
    pub fn clear(&mut self) {
        self.points.clear();
        self.plan.clear();
        self.cost = 0;
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The node of the cell that the agent is on.
    pub fn at(&self) -> u32 {
        self.at
    }

    pub fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>() + self.plan.capacity() * 4
    }
}

/// The expansions that may be made for a move.
#[derive(Debug)]
pub(crate) struct Purse {
    spent: u64,
    left: u64,
}

impl Purse {
    /// Pays for one expansion; false if the query's limit does not permit it, and then there is no
    /// next move.
    #[must_use]
    #[inline]
    pub fn pay(&mut self) -> bool {
        let permitted = self.left > 0;
        if permitted {
            self.left -= 1;
            self.spent += 1;
        }
        permitted
    }

    /// How many expansions the query's limit still permits.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Pays for several; false if the query's limit does not permit them all.
    #[must_use]
    pub fn pay_for(&mut self, expansions: u64) -> bool {
        let paid = expansions.min(self.left);
        self.left -= paid;
        self.spent += paid;
        paid == expansions
    }
}

#[inline]
fn count_move(stats: &mut Stats, spent: u64) {
    if stats.moves == 0 {
        stats.first_response = stats.expanded;
    }
    stats.moves += 1;
    stats.largest_move = stats.largest_move.max(spent);
}

/// The cost of a step to a neighbour.
#[inline]
pub(crate) fn step_cost(
    grid: &Grid,
    moves: Moves,
    step_costs: &StepCosts<u64>,
    from: u32,
    to: u32,
) -> u64 {
    let apart = from.abs_diff(to);
    let diagonal = apart != 1 && apart != grid.rows().stride();
    debug_assert!(is_legal(grid, moves, from, to), "an illegal move from {from} to {to}");
    let sum = grid
        .factors()
        .map_or(1, |factors| u64::from(factors[from as usize]) + u64::from(factors[to as usize]));
    sum * if diagonal { step_costs.diagonal } else { step_costs.straight }
}

fn is_legal(grid: &Grid, moves: Moves, from: u32, to: u32) -> bool {
    let rows = grid.rows();
    let ((x, y), (tx, ty)) = (rows.coordinates(from), rows.coordinates(to));
    Direction::of(tx as i32 - x as i32, ty as i32 - y as i32).is_some_and(|direction| {
        x.abs_diff(tx).max(y.abs_diff(ty)) == 1
            && step_table(moves.rule())[rows.around(from)] >> direction.0 & 1 != 0
    })
}

/// The agent's turn: what it may look at, write to and spend for its next move.
pub(crate) struct AgentTurn<'t, 's> {
    pub problem: &'t Problem<'t>,
    pub slice: &'t mut Slice<'s>,
    pub pool: &'t mut MemoryPool,
    pub purse: Purse,
}

/// A planner whose agent moves while it plans.
pub(crate) trait Agent {
    /// The most expansions that the next move can take: never more than the planner's work per
    /// move.
    fn most_work(&self, slice: &Slice<'_>, pool: &mut MemoryPool) -> u64;

    /// Plans the next move of the agent, which is at `slice.walk.at()` and not at the goal, and
    /// returns the neighbour it goes to, or its own cell if it waits. `None` if the purse did not
    /// permit an expansion.
    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32>;
}

/// Walks on as long as the budget lasts; at the goal, the walk becomes the path.
pub(crate) fn walk(
    agent: &impl Agent,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Outcome {
    let Problem { grid, moves, .. } = *problem;
    let (rows, goal) = (grid.rows(), problem.goal_node());
    let step_costs = StepCosts::<u64>::new(grid, moves);
    let max_cost = problem.query().cost_limit().map_or(u64::MAX, |limit| step_costs.floor(limit));
    loop {
        let left = problem.max_expansions() - slice.stats.expanded;
        let mut turn = AgentTurn { problem, slice, pool, purse: Purse { spent: 0, left } };
        let next = agent.next_move(&mut turn);
        let purse = turn.purse;
        slice.stats.expanded += purse.spent;
        let Some(next) = next else {
            // The purse is empty. If it is not, the agent has no way on, and no limit is to blame.
            debug_assert!(purse.left == 0, "no move, although there is no limit");
            return if purse.left == 0 { Outcome::Limit } else { Outcome::Exhausted };
        };
        let walk = &mut *slice.walk;
        if next == walk.at {
            slice.stats.waits += 1;
            slice.stats.largest_move = slice.stats.largest_move.max(purse.spent);
            slice.meter.pay_move(purse.spent);
            if slice.meter.holds(agent.most_work(slice, pool)) {
                continue;
            }
            return Outcome::Paused;
        }
        let step = step_cost(grid, moves, &step_costs, walk.at, next);
        let cost = walk.cost.saturating_add(step);
        if cost > max_cost {
            return Outcome::Limit;
        }
        let (x, y) = rows.coordinates(next);
        let point = Cell::new(x, y).centre();
        let from = walk.points.last().copied();
        walk.points.push(point);
        (walk.at, walk.cost) = (next, cost);
        count_move(slice.stats, purse.spent);
        slice.record(|| Event::Moved { at: point, from });
        if next == goal {
            for &point in slice.walk.points() {
                slice.path.push(point);
            }
            return Outcome::Goal;
        }
        slice.meter.pay_move(purse.spent);
        if !slice.meter.holds(agent.most_work(slice, pool)) {
            return Outcome::Paused;
        }
    }
}
