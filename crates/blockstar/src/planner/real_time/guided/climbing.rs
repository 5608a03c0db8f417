//! Agents that walk from subgoal to subgoal by [climbing](crate::regions::climb).
//!
//! Subgoals are near enough to climb to, which takes one expansion per move. An agent whose guide
//! has no answer, or whose climb gets stuck, is *lost* and goes on as LRTA* does.
//!
//! Work is counted in expansions: one per climbing move, one per step of a climb that is only
//! tried, one per expansion of LRTA*. The parameter `work` bounds their sum for a move, and
//! `lookahead` the expansions of LRTA* among them.

use super::nearest::Neighbour;
use super::{Guide, Guided};
use crate::engine::walk::{Agent, AgentTurn, Purse};
use crate::engine::{MemoryPool, Problem, SearchMemory, Slice};
use crate::planner::real_time::lrta::{self, AVOID, local::Lookahead};
use crate::regions::climb::Climber;
use crate::registry::parameters;
use crate::{Grid, PlannerSpec};

parameters! {
    pub(super) WORK = "work", "1-1000000", "1000",
        "the most cells looked around from for one move, in thought or to search";
    pub(super) LOOKAHEAD = "lookahead", "1-1000000", "32",
        "the most expansions among them, for an agent without a guide";
}

/// Gives the [`Builder`](crate::Builder) of an agent that climbs its methods: those for its guide,
/// and those for the parameters [`WORK`], [`LOOKAHEAD`] and [`AVOID`].
macro_rules! climbing_settings {
    ($kind:ty: $($own:tt)*) => {
        crate::registry::settings! { $kind:
            $($own)*
            /// Maximum expansions per move, simulated or searched; by default 1000.
            work(cells: u32) = "work", cells;
            /// Maximum search expansions per move for an agent without a guide; by default 32.
            lookahead(expansions: u32) = "lookahead", expansions;
            /// Does not leave dead ends by going where the least has been learned.
            without_avoidance() = "avoid", "off";
        }
    };
}
pub(super) use climbing_settings;

/// The work permitted for one move of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkBounds {
    /// The most work of all kinds.
    pub work: u32,
    /// How LRTA* takes over when the agent is lost, within the same limit.
    pub lookahead: Lookahead,
}

impl WorkBounds {
    /// Reads the parameters [`WORK`], [`LOOKAHEAD`] and [`AVOID`].
    pub fn of(spec: &PlannerSpec) -> Self {
        let (work, lookahead) = (spec.number(WORK.name), spec.number(LOOKAHEAD.name));
        let avoid = spec.is_on(AVOID.name);
        Self { work, lookahead: Lookahead { work: lookahead.min(work), avoid, sparing: false } }
    }
}

/// A guide whose subgoals can be climbed to.
pub(super) trait ClimbingGuide: Guide {
    /// Whether a lost agent asks again before each LRTA* search. Not for guides whose answer could
    /// stay the same for ever.
    const ANSWERS_AGAIN: bool = false;

    fn bounds(settings: &Self::Settings) -> WorkBounds;

    /// Gives an agent at the node `at` its next subgoals. Without any it is lost.
    fn ask(
        &self,
        settings: &Self::Settings,
        problem: &Problem<'_>,
        at: u32,
        route: &mut SubgoalRoute,
        trials: &mut TrialClimbs<'_>,
    );
}

/// The subgoals of an agent, and the state of its guide.
#[derive(Debug, Default)]
pub(super) struct SubgoalRoute {
    /// The subgoals to come, last first.
    pub subgoals: Vec<u32>,
    /// Whether the agent walks without the guide.
    pub lost: bool,
    /// Whether the agent got stuck on the way to a subgoal. That only happens with a forged guide.
    pub misled: bool,
    /// Whether the guide has been asked.
    pub asked: bool,
    /// How many times the guide was asked for the next subgoal.
    pub hops: u32,
    /// The tree that the agent follows.
    pub tree: Option<u32>,
    /// The most similar records, or the nearest goals that have a tree.
    pub nearest: Vec<Neighbour>,
}

impl SubgoalRoute {
    fn begin(&mut self) {
        self.subgoals.clear();
        self.nearest.clear();
        (self.lost, self.misled, self.asked) = (false, false, false);
        (self.hops, self.tree) = (0, None);
    }

    /// Removes the next subgoals if the agent is there.
    fn pass(&mut self, at: u32) {
        while self.subgoals.last() == Some(&at) {
            self.subgoals.pop();
        }
    }

    /// Whether the agent is lost and asks its guide again.
    fn asks_again<G: ClimbingGuide>(&self) -> bool {
        G::ANSWERS_AGAIN && self.lost && !self.misled
    }
}

impl SearchMemory for SubgoalRoute {
    fn bytes(&self) -> usize {
        self.subgoals.capacity() * 4 + self.nearest.capacity() * size_of::<Neighbour>()
    }
}

/// Climbs that are tried before a move, within its limit.
pub(super) struct TrialClimbs<'a> {
    climber: Climber<'a>,
    /// How many steps may still be tried.
    left: u32,
    purse: &'a mut Purse,
    /// Whether the query's limit did not permit a step.
    refused: bool,
}

impl TrialClimbs<'_> {
    /// Whether climbing arrives; false if too little work is left to find out.
    pub fn arrives(&mut self, from: u32, to: u32) -> bool {
        let mut steps = 0;
        let arrives = self.climber.climb(from, to, self.left, |_| steps += 1).is_some();
        self.left -= steps;
        self.refused |= !self.purse.pay_for(steps.into());
        arrives && !self.refused
    }
}

/// One climbing step towards a node: `None` if the agent is stuck.
pub(super) fn climb_step(grid: &Grid, climber: &Climber<'_>, at: u32, to: u32) -> Option<u32> {
    let rows = grid.rows();
    let ((x, y), (tx, ty)) = (rows.coordinates(at), rows.coordinates(to));
    let direction = climber.step(at, tx as i32 - x as i32, ty as i32 - y as i32)?;
    Some(climber.neighbour(at, direction))
}

/// Sets up the search memory of an agent that climbs.
pub(super) fn begin(problem: &Problem<'_>, pool: &mut MemoryPool) {
    pool.get::<SubgoalRoute>().begin();
    lrta::begin_learning(problem, pool);
}

impl<G: ClimbingGuide> Agent for Guided<G> {
    fn most_work(&self, slice: &Slice<'_>, pool: &mut MemoryPool) -> u64 {
        let (bounds, route) = (G::bounds(&self.settings), pool.get::<SubgoalRoute>());
        let asks = !route.lost || (route.asks_again::<G>() && slice.walk.plan.is_empty());
        if asks { bounds.work.into() } else { bounds.lookahead.most_work(slice.walk) }
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let bounds = G::bounds(&self.settings);
        let (route, at) = (pool.get::<SubgoalRoute>(), slice.walk.at());
        if route.asks_again::<G>() && slice.walk.plan.is_empty() {
            (route.lost, route.asked) = (false, false);
        }
        if !route.lost {
            let climber = Climber::new(problem.grid, problem.moves);
            route.pass(at);
            if route.subgoals.is_empty() {
                let left = bounds.work - bounds.lookahead.work;
                let mut trials = TrialClimbs { climber, left, purse, refused: false };
                self.guide.ask(&self.settings, problem, at, route, &mut trials);
                if trials.refused {
                    return None;
                }
                route.pass(at);
            }
            let target = route.subgoals.last();
            if let Some(next) = target.and_then(|&to| climb_step(problem.grid, &climber, at, to)) {
                return purse.pay().then_some(next);
            }
            route.misled = target.is_some();
            route.lost = true;
        }
        lrta::step_towards(problem.goal_node(), bounds.lookahead, turn)
    }
}
