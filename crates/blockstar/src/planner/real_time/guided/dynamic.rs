//! D LRTA*: subgoals by where the agent is and where its goal is, on an abstract map.
//!
//! V. Bulitko, M. Luštrek, J. Schaeffer, Y. Björnsson & S. Sigmundarson, *Dynamic Control in
//! Real-Time Heuristic Search*, 2008. Offline, the map is abstracted by cliques, and for every
//! ordered pair of nodes of one level a cell on the way from one to the other is stored. Online,
//! the agent looks up the cell for its own node and the goal's and goes there as LRTA* does,
//! learning from scratch for each subgoal. Published: within 7 % of the optimum at about one
//! expansion per move, at the price of much memory and preparation.
//!
//! Built from descriptions; the text of the paper was not at hand. What is decided here:
//! * The way from one node to another is a shortest path between their representatives. The subgoal
//!   is the farthest cell on it that the representative can climb to at no extra cost, among those
//!   in nodes whose representatives are nearer to the goal, and from which the next subgoal can be
//!   climbed to in turn; if there is none, the first such cell. So an agent climbs from subgoal to
//!   subgoal.
//! * A subgoal is stored as its offset from the representative, two bytes per pair, so it lies
//!   within 127 cells in both coordinates. The default level is the lowest with at most 400 nodes
//!   (320 KB), on small maps with at most one per hundred cells.
//! * The lookahead adapts as well: one expansion per move as long as the agent gets nearer to its
//!   subgoal without learning, and `work` expansions where that fails, mostly near the ends of its
//!   way. Depressions are not avoided by default: subgoals are near, and an agent that flees from a
//!   small depression goes far astray.
//! * The next subgoal is looked up when the last one is reached, not on the way. So the nodes in
//!   which the agent asks get ever nearer to the goal's. If no such subgoal is within reach, it may
//!   ask in the same node twice; then it heads for its goal as LRTA* does, until it comes to a node
//!   where it has not asked yet. The number of nodes is finite, so it always arrives.
//! * After an edit everything is prepared again, because cliques may regroup far away from it.
//!
//! Measured on the ten large Dragon Age maps: 6.3 % above the optimum over ten of the 100 longest
//! problems of each, 0.25 to 6 % on eight maps but 20 % on orz300d and 25 % on orz100d; 8.4 % over
//! 20 problems of each, spread evenly over the scenarios. So the published 7 % is missed on
//! problems of all lengths; the settings were chosen on the longest ones. A move takes 2.5 to 2.8
//! expansions on average, not one. A finer level keeps the published promise at its price: with
//! `level=4` it is 3.3 % over 20 problems on each of the ten maps, at 1.4 expansions per move, with
//! up to 18 MB of subgoals and ten times the preparation, ten seconds per map on two cores
//! (`blockstar bench MAP… --planner d-lrta-star:level=4 --limit 20`).

use super::file::Amount;
use super::runs::CellRuns;
use super::{Guide, Guided};
use crate::db;
use crate::db::parameters::take_free;
use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::Entry;
use crate::engine::parallel;
use crate::engine::walk::{Agent, AgentTurn};
use crate::engine::{MemoryPool, Problem, SearchMemory, Slice};
use crate::planner::real_time::lrta::local::{Lookahead, needs_wide};
use crate::planner::real_time::lrta::{self, AVOID, WORK};
use crate::regions::climb::Climber;
use crate::regions::cliques::{Cliques, NONE};
use crate::registry::{kind, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{
    Algorithm, DatabaseKind, Grid, Heuristic, Memory, Moves, Parameter, PlannerSpec, sort,
};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "d-lrta-star",
    summary: "D LRTA*: subgoals by where agent and goal are on an abstract map",
    source: "Bulitko, Luštrek, Schaeffer, Björnsson & Sigmundarson 2008",
    parameters: &[
        Parameter::new(
            "level",
            "1-30|auto",
            "auto",
            "the level of the clique abstraction: the lowest with at most 400 nodes, each for 100 cells",
        ),
        Parameter { default: "512", ..WORK },
        Parameter { default: "off", ..AVOID },
    ],
    ..Guided::<PairSubgoals>::BASE
};

settings! { kind::DLrtaStar:
    /// The level of the clique abstraction; by default the lowest with at most 400 nodes, and at
    /// most one per 100 cells.
    level(level: u32) = "level", level;
    /// The most expansions for one move, by default 512.
    work(expansions: u32) = "work", expansions;
    /// Leaves dead ends by going where the least has been learned.
    with_avoidance() = "avoid", "on";
}

/// The default level has at most one node for this many free cells.
const USUAL_CELLS: usize = 100;

/// The most nodes of the default level.
const USUAL_NODES: usize = 400;

/// The most nodes of any level that is used: 32 MB of subgoals.
const MOST_NODES: usize = 4096;

/// How far a subgoal may lie from the representative, in each coordinate.
const REACH: usize = 127;

/// The nodes of one level, and a subgoal for each ordered pair of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PairSubgoals {
    /// The node of each cell.
    nodes: CellRuns,
    representatives: Vec<u32>,
    /// By the goal's node and the agent's: the offset of the subgoal from the representative of the
    /// latter; (0, 0) if there is none.
    subgoals: Vec<[i8; 2]>,
}

impl PairSubgoals {
    /// The node that a cell belongs to.
    fn node(&self, grid: &Grid, position: u32) -> Option<u32> {
        let (x, y) = grid.rows().coordinates(position);
        self.nodes.get(x, y)
    }

    /// The subgoal for an agent in one node with its goal in another.
    fn subgoal(&self, grid: &Grid, from: u32, to: u32) -> Option<u32> {
        let Self { representatives, subgoals, .. } = self;
        let &representative = representatives.get(from as usize)?;
        let [dx, dy] = *subgoals.get(to as usize * representatives.len() + from as usize)?;
        if (dx, dy) == (0, 0) {
            return None;
        }
        let (x, y) = grid.rows().coordinates(representative);
        let (x, y) = (x.checked_add_signed(dx.into())?, y.checked_add_signed(dy.into())?);
        (x < grid.width() && y < grid.height()).then(|| grid.rows().position(x, y))
    }

    /// Where an agent at the node `at` heads now. `None` if it is lost: then only a node where it
    /// has not asked yet helps.
    fn target(&self, problem: &Problem<'_>, at: u32, route: &mut PairRoute) -> Option<u32> {
        let (grid, goal) = (problem.grid, problem.goal_node());
        if let Some(target) = route.target.filter(|&target| target != at && !route.lost) {
            return Some(target);
        }
        let (from, to) = (self.node(grid, at)?, self.node(grid, goal)?);
        if from == to {
            return Some(goal);
        }
        if route.asked.is_reached(from) {
            return None;
        }
        route.asked.set(from, 0, 0);
        // A forged subgoal may lie in a wall or out of reach.
        self.subgoal(grid, from, to)
            .filter(|&cell| cell != at && grid.rows().get(cell))
            .filter(|&cell| problem.connects(at, cell))
    }
}

impl Guide for PairSubgoals {
    const ROW: &'static Algorithm = &ROW;
    const KIND: DatabaseKind = DatabaseKind::PairSubgoals;

    type Settings = Lookahead;

    fn settings(spec: &PlannerSpec) -> Lookahead {
        Lookahead { sparing: true, ..lrta::lookahead(spec) }
    }

    /// `amount` is the level of the abstraction; by default its number of nodes decides.
    fn prepare(grid: &Grid, moves: Moves, amount: Amount) -> Self {
        find_subgoals(grid, moves, amount)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&(self.representatives.len() as u32).to_le_bytes());
        for representative in &self.representatives {
            payload.extend_from_slice(&representative.to_le_bytes());
        }
        if !self.representatives.is_empty() {
            self.nodes.write(payload);
        }
        payload.extend(self.subgoals.iter().flatten().map(|&offset| offset as u8));
    }

    fn read(mut payload: &[u8], grid: &Grid, _: Moves) -> Option<Self> {
        let count = db::take_u32(&mut payload)? as usize;
        if count > MOST_NODES || payload.len() < 4 * count + 2 * count * count {
            return None;
        }
        let mut pairs = Self::default();
        for _ in 0..count {
            pairs.representatives.push(take_free(&mut payload, grid)?);
        }
        if count > 0 {
            pairs.nodes = CellRuns::read(&mut payload, grid.height())?;
        }
        let sound = pairs.nodes.values().iter().all(|&node| (node as usize) < count);
        if !sound || payload.len() != 2 * count * count {
            return None;
        }
        pairs.subgoals = payload.as_chunks().0.iter().map(|&[x, y]| [x as i8, y as i8]).collect();
        Some(pairs)
    }

    fn memory(&self, memory: Memory) -> Memory {
        let subgoals = 4 * self.representatives.capacity() + 2 * self.subgoals.capacity();
        memory.with("abstraction", self.nodes.bytes()).with("subgoals", subgoals)
    }

    fn begin(&self, _: &Problem<'_>, pool: &mut MemoryPool) {
        pool.get::<PairRoute>().begin(self.representatives.len());
    }
}

/// Where an agent is heading, and where it has asked.
#[derive(Debug, Default)]
struct PairRoute {
    /// The subgoal or goal that the agent heads for.
    target: Option<u32>,
    /// Whether it heads for its goal because there was no subgoal.
    lost: bool,
    /// The abstract nodes in which it has asked.
    asked: NodeTable<u32>,
}

impl PairRoute {
    fn begin(&mut self, nodes: usize) {
        (self.target, self.lost) = (None, false);
        self.asked.begin(nodes);
    }
}

impl SearchMemory for PairRoute {
    fn bytes(&self) -> usize {
        self.asked.bytes()
    }
}

impl Agent for Guided<PairSubgoals> {
    fn most_work(&self, slice: &Slice<'_>, _: &mut MemoryPool) -> u64 {
        self.settings.most_work(slice.walk)
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let AgentTurn { problem, slice, pool, .. } = turn;
        // A move that is planned already needs no target.
        let mut target = problem.goal_node();
        if slice.walk.plan.is_empty() {
            let route = pool.get::<PairRoute>();
            let subgoal = self.guide.target(problem, slice.walk.at(), route);
            route.lost = subgoal.is_none();
            target = subgoal.unwrap_or(target);
            if route.target.replace(target) != Some(target) {
                lrta::learn_about(target, false, problem, pool);
            }
        }
        lrta::step_towards(target, self.settings, turn)
    }
}

/// Abstracts a map and finds the subgoals.
fn find_subgoals(grid: &Grid, moves: Moves, level: Option<u32>) -> PairSubgoals {
    let cliques = Cliques::new(grid, moves.rule());
    let usual = (grid.free_cells() / USUAL_CELLS).clamp(1, USUAL_NODES);
    let most = if level.is_some() { MOST_NODES } else { usual };
    let lowest = level.map_or(1, |level| level as usize).min(cliques.height());
    let fits = |level: &usize| cliques.level(*level).len() <= most;
    // The highest level has a node for each connected part of the map, which may be too many.
    let highest = Some(cliques.height()).filter(|&top| top > 0 && fits(&top));
    let level = (lowest.max(1)..=cliques.height()).find(fits).or(highest);
    let Some(level) = level else { return PairSubgoals::default() };
    let wide = needs_wide(grid, moves);
    let nodes = cliques.level(level);
    let count = nodes.len();
    let columns =
        parallel::map(count, &|_, _| (), |memory: &mut (Frontier<u32>, Frontier<u64>), to| {
            let to = to as u32;
            if wide {
                column(grid, moves, &cliques, level, to, &mut memory.1)
            } else {
                column(grid, moves, &cliques, level, to, &mut memory.0)
            }
        });
    PairSubgoals {
        nodes: CellRuns::new(grid, |position| cliques.ancestor(position, level)),
        representatives: (0..count as u32).map(|node| nodes.representative(node)).collect(),
        subgoals: columns.into_iter().flatten().collect(),
    }
}

/// The subgoals from every node of a level to one.
fn column<C: Cost>(
    grid: &Grid,
    moves: Moves,
    cliques: &Cliques,
    level: usize,
    to: u32,
    frontier: &mut Frontier<C>,
) -> Vec<[i8; 2]> {
    let (rows, nodes) = (grid.rows(), cliques.level(level));
    let step_costs = StepCosts::<C>::new(grid, moves);
    let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
    let space = Cells::<C>::new(grid, moves, step_costs, estimator);
    let climber = Climber::new(grid, moves);
    let goal = nodes.representative(to);
    frontier.begin(rows.positions(), step_costs.usual_step());
    frontier.nodes.set(goal, C::ZERO, ROOT);
    frontier.open.push(Entry { total: C::ZERO, g: C::ZERO, node: goal });
    let Frontier { nodes: costs, open, .. } = frontier;
    while let Some(Entry { g, node, .. }) = open.pop() {
        let Some((_, tag)) = costs.get(node).filter(|known| known.0 == g) else { continue };
        space.expand(node, tag, |next, step, tag| {
            let g = g + step;
            if g < costs.g(next) {
                costs.set(next, g, tag);
                open.push(Entry { total: g, g, node: next });
            }
        });
    }
    // From near to far, so that it is known how an agent goes on from a subgoal.
    let mut order: Vec<(u64, u32)> = Vec::new();
    for from in (0..nodes.len() as u32).filter(|&from| from != to) {
        let cost = costs.g(nodes.representative(from));
        if cost != C::MAX {
            order.push((cost.to_u64(), from));
        }
    }
    sort::ascending(&mut order);
    let mut subgoals = vec![NONE; nodes.len()];
    let mut path = Vec::with_capacity(REACH + 1);
    for (_, from) in order {
        let start = nodes.representative(from);
        // The way to the goal, as far as a subgoal may lie.
        path.clear();
        path.push(start);
        let mut node = start;
        while let Some((_, tag)) = costs.get(node).filter(|known| known.1 != ROOT)
            && path.len() <= REACH
        {
            node = space.back(node, tag);
            path.push(node);
        }
        let leaves = path.iter().position(|&cell| cliques.ancestor(cell, level) != from);
        let Some(leaves) = leaves else {
            // The way may leave a node that curls around its representative only after that.
            subgoals[from as usize] = node;
            continue;
        };
        let climbable = |index: usize| {
            let cost: u32 = path[..=index].windows(2).map(|w| climber.apart(w[0], w[1])).sum();
            climber.reaches(start, path[index], index as u32).is_some_and(|it| it <= cost)
        };
        let (mut reached, mut beyond) = (leaves, path.len());
        while beyond - reached > 1 {
            let middle = reached + (beyond - reached) / 2;
            if climbable(middle) { reached = middle } else { beyond = middle }
        }
        // At a subgoal the agent continues as from the representative of that node, so that
        // representative must be nearer to the goal than this one, or the agent might go in
        // circles. It is better still if the next subgoal can be climbed to from here, and not only
        // from there.
        let here = costs.g(start);
        let nearer = |cell: &&u32| {
            let node = cliques.ancestor(**cell, level);
            costs.g(nodes.representative(node)) < here
        };
        let goes_on = |cell: &&u32| {
            let node = cliques.ancestor(**cell, level);
            let next = subgoals[node as usize];
            node == to
                || (next != NONE && climber.reaches(**cell, next, 2 * REACH as u32).is_some())
        };
        let back = || path[leaves..=reached].iter().rev().filter(nearer);
        let ahead = || path[reached..].iter().filter(nearer);
        let best = back().find(goes_on).or_else(|| ahead().find(goes_on));
        let some = best.or_else(|| back().next()).or_else(|| ahead().next());
        subgoals[from as usize] = *some.unwrap_or(&path[reached]);
    }
    let offset_of = |(from, &subgoal): (u32, &u32)| match subgoal {
        NONE => [0, 0],
        _ => offset(grid, nodes.representative(from), subgoal),
    };
    (0..).zip(&subgoals).map(offset_of).collect()
}

/// The offset from one node to another, which must be within [`REACH`].
fn offset(grid: &Grid, from: u32, to: u32) -> [i8; 2] {
    let ((x, y), (tx, ty)) = (grid.rows().coordinates(from), grid.rows().coordinates(to));
    [(tx as i32 - x as i32) as i8, (ty as i32 - y as i32) as i8]
}
