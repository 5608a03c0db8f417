//! LRTA*: look around, learn, move.
//!
//! R. Korf, *Real-Time Heuristic Search*, 1990: the agent goes to the neighbour n with the least
//! c + h(n) and raises the estimate of the cell that it leaves to that value. Estimates only grow and
//! never exceed the true cost, so the agent cannot stay in a dead end for ever and reaches the goal
//! whenever there is one; but it may walk up and down there ("scrubbing") until it has been filled up.
//!
//! Here an episode may look farther (parameter `work`, the most expansions per move): S. Koenig &
//! X. Sun, *Comparing Real-Time and Incremental Heuristic Search*, 2009 (LSS-LRTA*). A bounded A* from
//! the agent, then Dijkstra's algorithm from its border teaches all expanded cells at once, then the
//! agent walks to the border; the moves after the first of an episode need no work. `work=1` is Korf's
//! LRTA*.
//!
//! With `avoid=on` (the default) the agent goes to the border cell whose estimate has grown least, among
//! these to the one with the least total: out of the depression that it has been filling, not back into
//! it. C. Hernández & J. Baier, *Avoiding and Escaping Depressions in Real-Time Heuristic Search*, 2012
//! (daLSS-LRTA*, with `work=1` daLRTA*).
//!
//! Work per move counts the expansions of the lookahead, as the literature does. Teaching settles each
//! cell at most once that these have reached, so no more than eight for each of them and one:
//! `Stats::largest_bookkeeping` tells, and a test holds it to that.
//!
//! Measured over ten problems each of the ten large Dragon Age maps, spread evenly over their scenarios: 27
//! times the optimum with 32 expansions a move, from 2.2 times on ost100d to 104 times on ost000a, and 104
//! times with one (`work=1`): large dead ends are where learning takes long.
//!
//! Written from descriptions of these algorithms; the texts themselves were not at hand. Different here:
//! an inadmissible heuristic is refused, because what is learned is consistent only if the heuristic is,
//! and the proof that the goal is reached needs that; terrain costs are taken into account like any
//! cost; an agent whose A* reaches the goal goes there, whatever it has learned.

pub(crate) mod local;

use super::learned::Subject;
use crate::engine::desk::Desk;
use crate::engine::scratch::Task;
use crate::engine::walk::{self, Purse, Walker};
use crate::rules::cost::Cost;
use crate::{Budget, Error, Grid, Memory, Moves, Planner, Query, Scratch, Status};
use local::{Desktop, Episode, Lookahead, needs_wide};

#[derive(Debug)]
pub(crate) struct LrtaStar {
    desk: Desk,
    lookahead: Lookahead,
}

impl LrtaStar {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves, lookahead: Lookahead) -> Self {
        Self { desk: Desk::new(name, grid, moves), lookahead }
    }
}

/// The next move of an agent that heads for the node `goal` as LRTA* does.
pub(crate) fn step_towards(
    desk: &Desk,
    lookahead: Lookahead,
    grid: &Grid,
    task: &Task,
    goal: u32,
    scratch: &mut Scratch,
    purse: &mut Purse,
) -> Option<u32> {
    if scratch.walk.plan.is_empty() {
        let at = scratch.walk.at();
        let heading = Heading { desk, lookahead, grid, task, goal };
        if grid.has_costs() {
            heading.plan::<u64, true>(at, scratch.wide_desktop(), purse)?;
        } else if task.wide {
            heading.plan::<u64, false>(at, scratch.wide_desktop(), purse)?;
        } else {
            heading.plan::<u32, false>(at, scratch.narrow_desktop(), purse)?;
        }
    }
    scratch.walk.plan.pop()
}

/// Where an agent is going, and how.
struct Heading<'a> {
    desk: &'a Desk,
    lookahead: Lookahead,
    grid: &'a Grid,
    task: &'a Task,
    goal: u32,
}

impl Heading<'_> {
    fn plan<C: Cost, const WEIGHTED: bool>(
        &self,
        at: u32,
        mut desktop: Desktop<'_, C>,
        purse: &mut Purse,
    ) -> Option<()> {
        let heuristic = self.desk.heuristic(&self.task.query);
        let (grid, moves) = (self.grid, self.desk.moves());
        let episode =
            Episode::<C, WEIGHTED>::new(grid, moves, heuristic, self.goal, self.lookahead);
        episode.plan(at, &mut desktop, purse)
    }
}

/// Makes the learned values ready for a task whose agent heads for `goal`.
pub(crate) fn begin_learning(desk: &Desk, grid: &Grid, task: &Task, scratch: &mut Scratch) {
    let subject = Subject {
        planner: task.planner,
        version: task.version,
        goal: grid.rows().position(task.goal_cell.x, task.goal_cell.y),
        heuristic: desk.heuristic(&task.query),
    };
    let (count, keep) = (grid.rows().positions(), task.query.wants_learning_kept());
    if task.wide {
        scratch.wide_learned.begin(count, subject, keep);
    } else {
        scratch.learned.begin(count, subject, keep);
    }
}

/// Refuses heuristics that overestimate.
pub(crate) fn check_heuristic(desk: &Desk, query: &Query) -> Result<(), Error> {
    let heuristic = desk.heuristic(query);
    if heuristic.is_admissible(desk.moves()) {
        return Ok(());
    }
    Err(desk.unsupported(
        format!("the heuristic `{heuristic}` under the rule `{}`", desk.moves()),
        "what it learns must never overestimate: use `octile`",
    ))
}

impl Walker for LrtaStar {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn most_work(&self, scratch: &Scratch) -> u64 {
        if scratch.walk.plan.is_empty() { self.lookahead.work.into() } else { 0 }
    }

    fn next_move(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<u32> {
        let goal = grid.rows().position(task.goal_cell.x, task.goal_cell.y);
        step_towards(&self.desk, self.lookahead, grid, task, goal, scratch, purse)
    }
}

impl Planner for LrtaStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        check_heuristic(&self.desk, query)?;
        let wide = needs_wide(grid, self.desk.moves());
        if let Some(task) = walk::begin(&self.desk, grid, query, scratch, wide)? {
            begin_learning(&self.desk, grid, &task, scratch);
        }
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
