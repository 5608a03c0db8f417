//! LRTA* with subgoal trees: for some goals, the next subgoal from every cell.
//!
//! C. Hernández & J. Baier, *Fast Subgoaling for Pathfinding via Real-Time Search*, 2011. Only W.
//! Lee & R. Lawrence's description of it was at hand: for each goal a tree of subgoals is prepared,
//! where a subgoal is the next target to head for in order to leave a depression of the heuristic;
//! an agent follows the tree from the first subgoal that applies to it. Almost optimal, but large.
//!
//! Here a tree answers "where to next?" for every cell. Dijkstra's algorithm from the goal visits
//! the cells from near to far. A cell takes over the subgoal of a neighbour on a shortest way if
//! climbing to that subgoal also follows a shortest way; if not, that neighbour becomes a subgoal
//! itself: it is where the depression ends. Climbing has no memory, so the first step decides
//! whether the whole climb is right. The cells with the same subgoal lie together, and a tree is
//! stored as runs along the rows; so the first subgoal is found by a short bisection, and an agent
//! on its way to the goal of a tree walks a shortest path.
//!
//! The goals must be known. The parameter `goals` says how many there are, and they are spread over
//! the map so that as many cells as possible can be climbed to from one of them. For a goal without
//! a tree, the agent takes the tree of the nearest of eight goals from which it can be climbed to;
//! if there is none, the nearest that it can reach, from where it may have to go on as LRTA* does.
//! At each subgoal the agent checks whether it can climb straight to its own goal.
//!
//! After an edit all trees are grown again: one cell can change the way from every other.
//!
//! Published: almost optimal, but large. Measured over ten problems on each of the ten large Dragon
//! Age maps, spread evenly over their scenarios, with goals that have no tree of their own: 0.25 %
//! above the optimum, 0.97 % on the worst map, at 1.6 expansions per move and 3 to 27 MB per map.

use super::climbing::{
    self, ClimbingGuide, SubgoalRoute, TrialClimbs, WorkBounds, climb_step, climbing_settings,
};
use super::file::Amount;
use super::nearest::{Pair, PairIndex};
use super::runs::CellRuns;
use super::{Guide, Guided};
use crate::db;
use crate::db::parameters::{is_free_node, take_free};
use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::parallel;
use crate::engine::{MemoryPool, Problem};
use crate::planner::real_time::lrta::{AVOID, local::needs_wide};
use crate::random::Random;
use crate::regions::climb::Climber;
use crate::registry::{kind, parameters};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Algorithm, DatabaseKind, Grid, Heuristic, Memory, Moves, PlannerSpec};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "subgoal-lrta-star",
    summary: "LRTA* with subgoal trees: for some goals, the next subgoal from everywhere",
    source: "Hernández & Baier 2011",
    parameters: &[GOALS, climbing::WORK, climbing::LOOKAHEAD, AVOID],
    ..Guided::<SubgoalTrees>::BASE
};

parameters! {
    GOALS = "goals", "0-100000|auto", "auto",
        "how many goals get a tree: one for 400 free cells, at most 256";
}

climbing_settings! { kind::SubgoalLrtaStar:
    /// The number of goals that get a tree; by default one per 400 free cells, at most 256.
    goals(count: u32) = "goals", count;
}

/// The number of nearest goals with a tree to try.
const CANDIDATES: usize = 8;

/// The radius around a goal that is looked at when goals are spread over the map.
const REACH: u32 = 24;

/// No subgoal.
const NONE: u32 = u32::MAX;

/// Some goals, and the way to each from every cell.
#[derive(Clone, Debug, Default)]
pub(super) struct SubgoalTrees {
    /// The goals and, for each cell, the next subgoal on the way there.
    trees: Vec<(u32, CellRuns)>,
    /// The goals as pairs whose second cell is always the same.
    index: PairIndex,
}

impl SubgoalTrees {
    /// Trees with an index.
    fn indexed(trees: Vec<(u32, CellRuns)>, grid: &Grid, moves: Moves) -> Self {
        let index = PairIndex::new(trees.iter().map(|tree| place(grid, tree.0)), moves);
        Self { trees, index }
    }

    /// The goals that have a tree.
    #[cfg(test)]
    pub fn goals(&self) -> Vec<u32> {
        self.trees.iter().map(|tree| tree.0).collect()
    }

    /// The goal of a tree.
    fn goal(&self, tree: u32) -> Option<u32> {
        self.trees.get(tree as usize).map(|tree| tree.0)
    }

    /// The subgoal that a tree has for a node, if any.
    pub fn subgoal(&self, grid: &Grid, tree: u32, node: u32) -> Option<u32> {
        let (x, y) = grid.rows().coordinates(node);
        self.trees.get(tree as usize)?.1.get(x, y).filter(|&subgoal| subgoal != NONE)
    }

    /// The tree to follow from a node to a goal.
    fn choose(
        &self,
        grid: &Grid,
        at: u32,
        goal: u32,
        route: &mut SubgoalRoute,
        trials: &mut TrialClimbs<'_>,
    ) -> Option<u32> {
        if let Some(own) = self.trees.iter().position(|tree| tree.0 == goal) {
            return Some(own as u32);
        }
        self.index.nearest(place(grid, goal), CANDIDATES, &mut route.nearest);
        let reachable = |tree: u32| self.subgoal(grid, tree, at).is_some();
        let near = route.nearest.iter().map(|neighbour| neighbour.index);
        near.clone()
            .filter(|&tree| reachable(tree))
            .find(|&tree| self.goal(tree).is_some_and(|from| trials.arrives(from, goal)))
            .or_else(|| near.clone().find(|&tree| reachable(tree)))
    }
}

impl Guide for SubgoalTrees {
    const ROW: &'static Algorithm = &ROW;
    const KIND: DatabaseKind = DatabaseKind::SubgoalTrees;

    type Settings = WorkBounds;

    fn settings(spec: &PlannerSpec) -> WorkBounds {
        WorkBounds::of(spec)
    }

    /// Grows a tree for `amount` goals, by default one per 400 free cells, at most 256.
    fn prepare(grid: &Grid, moves: Moves, amount: Amount) -> Self {
        let usual = || (grid.free_cells() / 400).clamp(1, 256);
        let goals = choose_goals(grid, moves, amount.map_or_else(usual, |count| count as usize));
        let wide = needs_wide(grid, moves);
        let runs = parallel::map(goals.len(), &|_, _| (), |memory: &mut TreeMemory, index| {
            let TreeMemory { narrow, wide: wider, subgoals } = memory;
            if wide {
                grow(grid, moves, goals[index], wider, subgoals)
            } else {
                grow(grid, moves, goals[index], narrow, subgoals)
            }
        });
        Self::indexed(goals.into_iter().zip(runs).collect(), grid, moves)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&(self.trees.len() as u32).to_le_bytes());
        for (goal, runs) in &self.trees {
            payload.extend_from_slice(&goal.to_le_bytes());
            runs.write(payload);
        }
    }

    fn read(mut payload: &[u8], grid: &Grid, moves: Moves) -> Option<Self> {
        let count = db::take_u32(&mut payload)?;
        let mut trees = Vec::new();
        for _ in 0..count {
            let goal = take_free(&mut payload, grid)?;
            let runs = CellRuns::read(&mut payload, grid.height())?;
            let sound = |&subgoal: &u32| subgoal == NONE || is_free_node(grid, subgoal);
            if !runs.values().iter().all(sound) {
                return None;
            }
            trees.push((goal, runs));
        }
        payload.is_empty().then(|| Self::indexed(trees, grid, moves))
    }

    fn memory(&self, memory: Memory) -> Memory {
        let tree = |tree: &(u32, CellRuns)| tree.1.bytes() + size_of::<(u32, CellRuns)>();
        memory.with("trees", self.trees.iter().map(tree).sum()).with("index", self.index.bytes())
    }

    fn begin(&self, problem: &Problem<'_>, pool: &mut MemoryPool) {
        climbing::begin(problem, pool);
    }
}

impl ClimbingGuide for SubgoalTrees {
    fn bounds(settings: &WorkBounds) -> WorkBounds {
        *settings
    }

    fn ask(
        &self,
        _: &WorkBounds,
        problem: &Problem<'_>,
        at: u32,
        route: &mut SubgoalRoute,
        trials: &mut TrialClimbs<'_>,
    ) {
        let (grid, goal) = (problem.grid, problem.goal_node());
        if !std::mem::replace(&mut route.asked, true) {
            route.tree = self.choose(grid, at, goal, route, trials);
        }
        let end = route.tree.and_then(|tree| self.goal(tree));
        route.hops += 1;
        // Only a forged tree leads in circles.
        if route.hops as usize > grid.free_cells() {
            return;
        }
        if end == Some(at) || (end != Some(goal) && trials.arrives(at, goal)) {
            route.subgoals.push(goal);
        } else if let Some(next) = route.tree.and_then(|tree| self.subgoal(grid, tree, at)) {
            route.subgoals.push(next);
        }
    }
}

/// A goal as stored in the index.
fn place(grid: &Grid, goal: u32) -> Pair {
    let (x, y) = grid.rows().coordinates(goal);
    [x as u16, y as u16, 0, 0]
}

/// Spreads `count` goals over the map: in a random order that depends only on its size, each free
/// cell that cannot be climbed to from an earlier goal becomes one, until there are enough.
fn choose_goals(grid: &Grid, moves: Moves, count: usize) -> Vec<u32> {
    let (rows, climber) = (grid.rows(), Climber::new(grid, moves));
    let mut cells: Vec<u32> = (0..grid.width() * grid.height()).collect();
    Random::new(0x7472_6565).shuffle(&mut cells);
    let mut covered = vec![false; rows.positions()];
    let mut goals = Vec::new();
    for index in cells {
        let (x, y) = (index % grid.width(), index / grid.width());
        let goal = rows.position(x, y);
        if !rows.get(goal) || covered[goal as usize] {
            continue;
        }
        goals.push(goal);
        if goals.len() == count {
            break;
        }
        for ny in y.saturating_sub(REACH)..(y + REACH + 1).min(grid.height()) {
            for nx in x.saturating_sub(REACH)..(x + REACH + 1).min(grid.width()) {
                let node = rows.position(nx, ny);
                if rows.get(node) && !covered[node as usize] {
                    let arrives = climber.reaches(goal, node, 2 * REACH).is_some();
                    covered[node as usize] = arrives;
                }
            }
        }
    }
    goals
}

/// The memory of a thread that grows trees.
#[derive(Debug, Default)]
struct TreeMemory {
    narrow: Frontier<u32>,
    wide: Frontier<u64>,
    subgoals: Vec<u32>,
}

/// Grows the tree of a goal.
fn grow<C: Cost>(
    grid: &Grid,
    moves: Moves,
    goal: u32,
    frontier: &mut Frontier<C>,
    subgoals: &mut Vec<u32>,
) -> CellRuns {
    let rows = grid.rows();
    let step_costs = StepCosts::<C>::new(grid, moves);
    let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
    let space = Cells::<C>::new(grid, moves, step_costs, estimator);
    let climber = Climber::new(grid, moves);
    frontier.begin(rows.positions(), step_costs.usual_step());
    frontier.nodes.set(goal, C::ZERO, ROOT);
    frontier.open.push(Entry { total: C::ZERO, g: C::ZERO, node: goal });
    subgoals.clear();
    subgoals.resize(rows.positions(), NONE);
    let Frontier { nodes, open, .. } = frontier;
    while let Some(Entry { g, node, .. }) = open.pop() {
        let Some((known, tag)) = nodes.get(node) else { continue };
        if known != g {
            continue;
        }
        // Whether climbing from this node to a subgoal follows a shortest way: its first step must,
        // and what comes after that is known.
        let follows = |subgoal: u32, subgoals: &[u32]| {
            let Some(next) = climb_step(grid, &climber, node, subgoal) else { return false };
            let diagonal = climber.is_diagonal(node, next);
            let step = if diagonal { step_costs.diagonal } else { step_costs.straight };
            let here = nodes.g(next);
            here < g && here + step == g && (next == subgoal || subgoals[next as usize] == subgoal)
        };
        subgoals[node as usize] = if tag == ROOT {
            goal
        } else {
            let parent = space.back(node, tag);
            let known = subgoals[parent as usize];
            if follows(known, subgoals) { known } else { parent }
        };
        space.expand(node, tag, |next, step, tag| {
            let g = g + step;
            if g < nodes.g(next) {
                nodes.set(next, g, tag);
                open.push(Entry { total: g, g, node: next });
            }
        });
    }
    CellRuns::new(grid, |node| subgoals[node as usize])
}
