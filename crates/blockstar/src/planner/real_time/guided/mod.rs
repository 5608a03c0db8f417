//! Agents that are guided by subgoals made beforehand: kNN LRTA* ([`knn`]), LRTA* with subgoal trees
//! ([`trees`]) and D LRTA* ([`dynamic`]).
//!
//! What they share: a subgoal is near enough for the agent to walk there by [climbing](crate::regions::climb),
//! one look around per move. An agent whose guide has nothing to say, or whose climb gets stuck, is
//! *lost* and goes on as LRTA* does, which always arrives. Wherever the guide leads, moves are legal,
//! because each is chosen on the map as it is; so no database, however wrong, can lead an agent
//! through a wall or keep it from its goal.
//!
//! Work is counted in cells looked around from: one per climbing move, one per step of a climb that
//! is tried in thought, one per expansion of LRTA*. Parameter `work` bounds their sum for a move, and
//! `lookahead` the expansions of LRTA* among them.

pub(crate) mod dynamic;
pub(crate) mod knn;
mod label;
mod nearest;
mod runs;
#[cfg(test)]
mod tests;
pub(crate) mod trees;

use super::lrta::{self, local::Lookahead};
pub(crate) use crate::db::parameters::read_moves;
use crate::engine::desk::Desk;
use crate::engine::nodes::NodeTable;
use crate::engine::scratch::Task;
use crate::engine::walk::{self, Purse, Walker};
use crate::regions::climb::Climber;
use crate::{Budget, Error, Grid, Query, Scratch, Status};
pub(crate) use label::maker;
use nearest::Neighbour;

/// What bounds an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The most work for one move.
    pub work: u32,
    /// How LRTA* goes on when the agent is lost.
    pub lookahead: Lookahead,
}

impl Bounds {
    /// With the lookahead cut down to the work.
    pub fn new(work: u32, lookahead: Lookahead) -> Self {
        Self { work, lookahead: Lookahead { work: lookahead.work.min(work), ..lookahead } }
    }

    /// How much may be spent on thoughts before a move.
    fn thoughts(self) -> u32 {
        self.work - self.lookahead.work
    }
}

/// Where a guided agent is heading.
#[derive(Debug, Default)]
pub(crate) struct Route {
    /// The subgoals to come, last first.
    pub subgoals: Vec<u32>,
    /// The subgoal that the agent heads for, if it is not one of the list.
    pub target: Option<u32>,
    pub lost: bool,
    /// Whether the guide has led the agent where it got stuck, as only a forged one does.
    pub misled: bool,
    /// Whether the guide has been asked.
    pub asked: bool,
    /// How many subgoals the agent was given.
    pub hops: u32,
    /// What the guide is made of: a tree or a record.
    pub guide: u32,
    /// The most similar records, or nearest goals.
    pub nearest: Vec<Neighbour>,
    /// Which subgoals were visited.
    pub visited: NodeTable<u32>,
}

impl Route {
    pub fn begin(&mut self) {
        self.subgoals.clear();
        self.nearest.clear();
        (self.target, self.lost, self.asked, self.misled) = (None, false, false, false);
        (self.hops, self.guide) = (0, 0);
    }

    pub fn bytes(&self) -> usize {
        self.subgoals.capacity() * 4
            + self.nearest.capacity() * size_of::<Neighbour>()
            + self.visited.bytes()
    }
}

/// Climbs that are tried in thought, within what a move may cost.
struct Thoughts<'a> {
    climber: Climber<'a>,
    left: u32,
    purse: &'a mut Purse,
    /// Whether the query's limit did not permit a step.
    refused: bool,
}

impl Thoughts<'_> {
    /// Whether climbing arrives. What cannot be thought to the end does not.
    fn climbable(&mut self, from: u32, to: u32) -> bool {
        let mut steps = 0;
        let arrives = self.climber.climb(from, to, self.left, |_| steps += 1).is_some();
        self.left -= steps;
        self.refused |= !self.purse.pay_for(steps.into());
        arrives && !self.refused
    }
}

/// One climbing move towards a node: `None` if the agent is stuck.
fn climb_step(grid: &Grid, climber: &Climber<'_>, at: u32, to: u32) -> Option<u32> {
    let rows = grid.rows();
    let ((x, y), (tx, ty)) = (rows.coordinates(at), rows.coordinates(to));
    let direction = climber.step(at, tx as i32 - x as i32, ty as i32 - y as i32)?;
    Some(climber.neighbour(at, direction))
}

/// A planner whose agents are guided.
pub(crate) trait Guide {
    fn desk(&self) -> &Desk;
    fn bounds(&self) -> Bounds;

    /// Whether an agent that is lost asks again before each look around: not where the answer could
    /// be the same for ever.
    fn helps_again(&self) -> bool {
        false
    }

    /// Gives an agent that has arrived at its last subgoal the next one, in `scratch.route`. Without one
    /// the agent is lost. `None` if the purse was empty.
    fn ask(&self, grid: &Grid, task: &Task, scratch: &mut Scratch, purse: &mut Purse)
    -> Option<()>;
}

/// Whether the agent is lost and asks again.
fn asks_again(guide: &impl Guide, scratch: &Scratch) -> bool {
    scratch.route.lost && !scratch.route.misled && guide.helps_again()
}

/// The next move of an agent that climbs from subgoal to subgoal.
fn next_move(
    guide: &impl Guide,
    grid: &Grid,
    task: &Task,
    scratch: &mut Scratch,
    purse: &mut Purse,
) -> Option<u32> {
    let (desk, bounds) = (guide.desk(), guide.bounds());
    let at = scratch.walk.at();
    if asks_again(guide, scratch) && scratch.walk.plan.is_empty() {
        (scratch.route.lost, scratch.route.asked) = (false, false);
    }
    if !scratch.route.lost {
        let route = &mut scratch.route;
        while route.subgoals.last() == Some(&at) {
            route.subgoals.pop();
        }
        if route.subgoals.is_empty() {
            guide.ask(grid, task, scratch, purse)?;
            while scratch.route.subgoals.last() == Some(&at) {
                scratch.route.subgoals.pop();
            }
        }
        let climber = Climber::new(grid, desk.moves());
        let target = scratch.route.subgoals.last();
        if let Some(next) = target.and_then(|&to| climb_step(grid, &climber, at, to)) {
            return purse.pay().then_some(next);
        }
        scratch.route.misled = target.is_some();
        scratch.route.lost = true;
    }
    let goal = grid.rows().position(task.goal_cell.x, task.goal_cell.y);
    lrta::step_towards(desk, bounds.lookahead, grid, task, goal, scratch, purse)
}

/// A guide as a walker.
struct Guided<'a, G>(&'a G);

impl<G: Guide> Walker for Guided<'_, G> {
    fn desk(&self) -> &Desk {
        self.0.desk()
    }

    fn most_work(&self, scratch: &Scratch) -> u64 {
        let (bounds, route) = (self.0.bounds(), &scratch.route);
        let work = match scratch.walk.plan.is_empty() {
            _ if !route.lost => bounds.work,
            true if asks_again(self.0, scratch) => bounds.work,
            true => bounds.lookahead.work,
            false => 0,
        };
        work.into()
    }

    fn next_move(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<u32> {
        next_move(self.0, grid, task, scratch, purse)
    }
}

/// Begins a guided walk.
fn begin(
    guide: &impl Guide,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let desk = guide.desk();
    desk.forget(scratch);
    lrta::check_heuristic(desk, query)?;
    let wide = lrta::local::needs_wide(grid, desk.moves());
    if let Some(task) = walk::begin(desk, grid, query, scratch, wide)? {
        lrta::begin_learning(desk, grid, &task, scratch);
        scratch.route.begin();
    }
    Ok(())
}

/// Goes on with a guided walk.
fn resume(
    guide: &impl Guide,
    grid: &Grid,
    scratch: &mut Scratch,
    budget: Budget,
) -> Result<Status, Error> {
    walk::resume(&Guided(guide), grid, scratch, budget)
}
