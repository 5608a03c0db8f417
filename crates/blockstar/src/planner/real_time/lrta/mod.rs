//! LRTA*: look around, learn, move.
//!
//! R. Korf, *Real-Time Heuristic Search*, 1990: the agent moves to the neighbour n with the least
//! c + h(n) and raises the estimate of the cell it leaves to that value. Estimates only grow and
//! never exceed the true cost, so the agent cannot stay in a dead end for ever and reaches the goal
//! whenever there is a way; but it may walk back and forth in there ("scrubbing") until it has
//! filled it.
//!
//! Here an episode may look farther (parameter `work`, the most expansions per move): S. Koenig &
//! X. Sun, *Comparing Real-Time and Incremental Heuristic Search*, 2009 (LSS-LRTA*). A bounded A*
//! runs from the agent, Dijkstra's algorithm from its border updates all expanded cells at once,
//! and the agent walks to the border; all moves of an episode except the first are free. `work=1`
//! is Korf's LRTA*.
//!
//! With `avoid=on` (the default) the agent heads for the border cell whose estimate has grown
//! least, and among those for the one with the least total: out of the depression it has been
//! filling, not back into it. C. Hernández & J. Baier, *Avoiding and Escaping Depressions in
//! Real-Time Heuristic Search*, 2012 (daLSS-LRTA*, with `work=1` daLRTA*).
//!
//! Work per move counts the expansions of the lookahead, as in the literature. Learning settles
//! each cell that these reached at most once, so at most eight per expansion, plus one:
//! `Stats::largest_bookkeeping` counts them, and a test checks the bound.
//!
//! Measured over ten problems on each of the ten large Dragon Age maps, spread evenly over their
//! scenarios: walks of 27 times the optimum with 32 expansions per move, from 2.2 times on ost100d
//! to 104 times on ost000a, and of 104 times with one (`work=1`): learning takes long in large dead
//! ends.
//!
//! Written from descriptions of these algorithms; the papers themselves were not at hand.
//! Differences: an inadmissible heuristic is refused, because learned values are consistent only if
//! the heuristic is, which the proof that the goal is reached requires; terrain costs count like
//! any cost; an agent whose A* reaches the goal goes there, whatever it has learned.

pub(crate) mod local;

use crate::engine::walk::{self, Agent, AgentTurn};
use crate::engine::{Driver, MemoryPool, Method, Problem, Searched, Slice, by_width};
use crate::registry::{PlannerSpec, parameters};
use crate::registry::{kind, settings};
use crate::rules::cost::Cost;
use crate::{Algorithm, Promise};
use local::{Episode, EpisodeMemory, Lookahead, LrtaMemory};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "lrta-star",
    summary: "LRTA*: moves after a bounded look around, and learns from where it has been",
    source: "Korf 1990; Koenig & Sun 2009; Hernández & Baier 2012",
    parameters: &[WORK, AVOID],
    make: |spec, grid, moves| Ok(Driver::boxed(LrtaStar(lookahead(spec)), grid, moves)),
    ..BASE
};

/// What the rows of planners that learn while they walk have in common.
pub(crate) const BASE: Algorithm = Algorithm {
    promise: Promise::RealTime,
    terrain: true,
    must_admit: Some("what it learns must never overestimate: use `octile`"),
    ..Algorithm::BASE
};

settings! { kind::LrtaStar:
    /// The most expansions for one move, by default 32.
    work(expansions: u32) = "work", expansions;
    /// Does not leave dead ends by going where the least has been learned.
    without_avoidance() = "avoid", "off";
}

parameters! {
    pub(crate) WORK = "work", "1-1000000", "32", "the most expansions for one move";
    pub(crate) AVOID = "avoid", "on|off", "on",
        "leave dead ends by going where the least has been learned";
}

/// The lookahead that the parameters [`WORK`] and [`AVOID`] ask for.
pub(crate) fn lookahead(spec: &PlannerSpec) -> Lookahead {
    let (work, avoid) = (spec.number(WORK.name), spec.is_on(AVOID.name));
    Lookahead { work, avoid, sparing: false }
}

#[derive(Clone, Debug)]
pub(crate) struct LrtaStar(Lookahead);

impl Method for LrtaStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        local::needs_wide(problem.grid, problem.moves)
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        if slice.is_fresh() {
            begin_learning(problem, pool);
        }
        Ok(walk::walk(self, problem, slice, pool))
    }
}

impl Agent for LrtaStar {
    fn most_work(&self, slice: &Slice<'_>, _: &mut MemoryPool) -> u64 {
        self.0.most_work(slice.walk)
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        step_towards(turn.problem.goal_node(), self.0, turn)
    }
}

/// Gets ready to learn about the way to the goal of the query, keeping what is known about it if
/// the query says so.
pub(crate) fn begin_learning(problem: &Problem<'_>, pool: &mut MemoryPool) {
    learn_about(problem.goal_node(), problem.query().wants_learning_kept(), problem, pool);
}

/// Gets ready to learn about the way to the node `goal`.
pub(crate) fn learn_about(goal: u32, keep: bool, problem: &Problem<'_>, pool: &mut MemoryPool) {
    by_width!(problem, C => pool.get::<LrtaMemory<C>>().learned.begin(problem, goal, keep));
}

/// The next move of an agent that heads for the node `goal` as LRTA* does.
pub(crate) fn step_towards(
    goal: u32,
    lookahead: Lookahead,
    turn: &mut AgentTurn<'_, '_>,
) -> Option<u32> {
    if turn.slice.walk.plan.is_empty() {
        by_width!(turn.problem, C => plan::<C>(goal, lookahead, turn)?);
    }
    turn.slice.walk.plan.pop()
}

/// Plans the next moves towards the node `goal`. `None` if the purse was empty.
fn plan<C: Cost>(goal: u32, lookahead: Lookahead, turn: &mut AgentTurn<'_, '_>) -> Option<()> {
    let at = turn.slice.walk.at();
    let episode = Episode::<C>::new(turn.problem, goal, lookahead);
    episode.plan(at, &mut EpisodeMemory::of(turn.slice, turn.pool), &mut turn.purse)
}
