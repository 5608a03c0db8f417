//! LRTA* with subgoal trees: for some goals, the next subgoal from everywhere.
//!
//! C. Hernández & J. Baier, *Fast Subgoaling for Pathfinding via Real-Time Search*, 2011. Only
//! W. Lee & R. Lawrence's description of it was at hand: from each goal a tree of subgoals is prepared,
//! where a subgoal is the next target to head for in order to leave a depression of the heuristic; an
//! agent follows the tree from the first subgoal that applies to it. Almost optimal, but large.
//!
//! Here a tree is the answer to "where to next?" for every cell. Dijkstra's algorithm from the goal
//! visits the cells from near to far. A cell takes the subgoal of a neighbour on a shortest way if
//! climbing to that subgoal also follows a shortest way; if not, that neighbour becomes a subgoal itself:
//! it is where the depression ends. Climbing forgets where it came from, so one look at the first step
//! tells whether the whole climb is right. The cells of one subgoal lie together, and the tree is stored
//! as runs along the rows; so the first subgoal is found by a short bisection, and an agent on its way
//! to the goal of a tree walks a shortest path.
//!
//! The goals must be known. The parameter `goals` says how many, and they are laid over the map so
//! that as many cells as possible can be climbed to from one of them. For a goal without a tree the
//! nearest of eight goals with a tree is taken from which it can be climbed to, else the nearest one
//! that the agent can reach, from where it may have to go on as LRTA* does. At each subgoal the agent
//! tries in thought whether it can climb straight to its own goal.
//!
//! After an edit all trees are made anew: one cell can change the way from everywhere.
//!
//! Published: almost optimal, but large. Measured over ten problems each of the ten large Dragon Age maps,
//! spread evenly over their scenarios, whose goals have no tree of their own: 0.25 % above the optimum, 0.97 %
//! on the worst map, at 1.6 expansions a move and 3 to 27 MB a map.

use super::label::{Amount, label, open};
use super::nearest::Tree as Index;
use super::runs::Runs;
use super::{Bounds, Guide, Route, Thoughts};
use crate::db::parameters::{is_free_node, take_free, unchanged};
use crate::db::{self, Kind};
use crate::engine::best_first::Space;
use crate::engine::desk::Desk;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::parallel::share;
use crate::engine::scratch::{Frontier, Task};
use crate::engine::walk::Purse;
use crate::planner::real_time::lrta::local::needs_wide;
use crate::random::Random;
use crate::regions::climb::Climber;
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Query, Rule, Scratch, Status};

/// The name in the registry.
const NAME: &str = "subgoal-lrta-star";

/// How many of the nearest goals with a tree are tried.
const CANDIDATES: usize = 8;

/// How far around a goal cells are looked at when goals are laid over the map.
const REACH: u32 = 24;

/// No subgoal.
const NONE: u32 = u32::MAX;

/// What the trees are made and used with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// How many goals get a tree; `None`: one for 400 free cells, at most 256.
    pub goals: Option<u32>,
    pub bounds: Bounds,
}

/// LRTA* with its subgoal trees.
#[derive(Debug)]
pub(crate) struct Trees {
    desk: Desk,
    settings: Settings,
    /// The goals and, for each cell, the next subgoal on the way there.
    trees: Vec<(u32, Runs)>,
    index: Index,
    /// The version and the content hash of the map that the trees were made for.
    version: u64,
    content: u64,
}

impl Trees {
    pub fn build(grid: &Grid, moves: Moves, settings: Settings) -> Self {
        let mut planner = Self::bare(grid, moves, settings);
        planner.rebuild(grid);
        planner
    }

    fn bare(grid: &Grid, moves: Moves, settings: Settings) -> Self {
        Self {
            desk: Desk::new(NAME, grid, moves),
            settings,
            trees: Vec::new(),
            index: Index::default(),
            version: grid.version(),
            content: grid.content_hash(),
        }
    }

    fn rebuild(&mut self, grid: &Grid) {
        (self.version, self.content) = (grid.version(), grid.content_hash());
        self.trees.clear();
        // Queries on terrain are refused.
        if !grid.has_costs() {
            let moves = self.desk.moves();
            let goals = choose_goals(grid, moves, self.settings.goals);
            let wide = needs_wide(grid, moves);
            let runs = share(goals.len(), &|_, _| (), |memory: &mut Workshop, index| {
                if wide {
                    grow(grid, moves, goals[index], &mut memory.wide, &mut memory.subgoals)
                } else {
                    grow(grid, moves, goals[index], &mut memory.narrow, &mut memory.subgoals)
                }
            });
            self.trees = goals.into_iter().zip(runs).collect();
        }
        self.make_index(grid);
    }

    fn make_index(&mut self, grid: &Grid) {
        let moves = self.desk.moves();
        let (straight, diagonal) = Tariff::<u32>::units(moves);
        let diagonal = if moves.rule() == Rule::Four { 2 * straight } else { diagonal };
        let goals = self.trees.iter().map(|tree| {
            let (x, y) = grid.rows().coordinates(tree.0);
            [x as u16, y as u16, 0, 0]
        });
        self.index = Index::new(goals, (straight, diagonal));
    }

    /// The trees as a file for [`Trees::open`].
    fn bytes(&self) -> Vec<u8> {
        let mut payload = (self.trees.len() as u32).to_le_bytes().to_vec();
        for (goal, runs) in &self.trees {
            payload.extend_from_slice(&goal.to_le_bytes());
            runs.write(&mut payload);
        }
        let label = label(Kind::SubgoalTrees, self.content, self.desk.moves(), self.settings.goals);
        db::seal(label, &payload)
    }

    /// Trees that were saved, for the same map and movement rule and, if one is wanted, made with
    /// the same `goals`; else that of the file is kept.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        settings: Settings,
        wanted: Option<Amount>,
    ) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves, settings);
        let (payload, made) = open(bytes, Kind::SubgoalTrees, planner.content, moves, wanted)?;
        planner.settings.goals = made;
        planner.trees = read(payload, grid).ok_or_else(|| {
            Kind::SubgoalTrees.refuse("its trees make no sense for this map: make it anew")
        })?;
        planner.make_index(grid);
        Ok(planner)
    }

    /// The goals that have a tree.
    #[cfg(test)]
    pub fn goals(&self) -> Vec<u32> {
        self.trees.iter().map(|tree| tree.0).collect()
    }

    /// The subgoal that a tree has for a node, if it has one.
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
        route: &mut Route,
        thoughts: &mut Thoughts<'_>,
    ) -> Option<u32> {
        let (x, y) = grid.rows().coordinates(goal);
        let place = [x as u16, y as u16, 0, 0];
        self.index.nearest(place, CANDIDATES, &mut route.nearest);
        let reachable = |tree: u32| self.subgoal(grid, tree, at).is_some();
        let near = route.nearest.iter().map(|neighbour| neighbour.index);
        let goal_of = |tree: u32| self.trees.get(tree as usize).map(|tree| tree.0);
        near.clone()
            .filter(|&tree| reachable(tree))
            .find(|&tree| goal_of(tree).is_some_and(|from| thoughts.climbable(from, goal)))
            .or_else(|| near.clone().find(|&tree| reachable(tree)))
    }
}

fn read(mut payload: &[u8], grid: &Grid) -> Option<Vec<(u32, Runs)>> {
    let count = db::take_u32(&mut payload)?;
    let mut trees = Vec::new();
    for _ in 0..count {
        let goal = take_free(&mut payload, grid)?;
        let runs = Runs::read(&mut payload, grid.height())?;
        let sound = |&subgoal: &u32| subgoal == NONE || is_free_node(grid, subgoal);
        if !runs.values().iter().all(sound) {
            return None;
        }
        trees.push((goal, runs));
    }
    payload.is_empty().then_some(trees)
}

/// Lays goals over the map: in a random order that depends on the map's size alone, each free cell that
/// cannot be climbed to from a goal chosen before becomes one, until there are enough.
fn choose_goals(grid: &Grid, moves: Moves, count: Option<u32>) -> Vec<u32> {
    let count = count.map_or((grid.free_cells() / 400).clamp(1, 256), |count| count as usize);
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
struct Workshop {
    narrow: Frontier<u32>,
    wide: Frontier<u64>,
    subgoals: Vec<u32>,
}

/// The tree of a goal.
fn grow<C: Cost>(
    grid: &Grid,
    moves: Moves,
    goal: u32,
    frontier: &mut Frontier<C>,
    subgoals: &mut Vec<u32>,
) -> Runs {
    let rows = grid.rows();
    let tariff = Tariff::<C>::new(grid, moves);
    let estimator = Estimator::new(Heuristic::Zero, &tariff, (0, 0));
    let space = Cells::<C, false>::new(grid, moves, tariff, estimator);
    let climber = Climber::new(grid, moves);
    frontier.begin(rows.positions(), tariff.usual_step());
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
        // and whatever comes then is known.
        let follows = |subgoal: u32, subgoals: &[u32]| {
            let Some(next) = super::climb_step(grid, &climber, node, subgoal) else { return false };
            let diagonal = climber.is_diagonal(node, next);
            let step = if diagonal { tariff.diagonal } else { tariff.straight };
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
    Runs::new(grid, |node| subgoals[node as usize])
}

impl Guide for Trees {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn bounds(&self) -> Bounds {
        self.settings.bounds
    }

    fn ask(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<()> {
        let (rows, at) = (grid.rows(), scratch.walk.at());
        let goal = rows.position(task.goal_cell.x, task.goal_cell.y);
        let route = &mut scratch.route;
        let climber = Climber::new(grid, self.desk.moves());
        let left = self.settings.bounds.thoughts();
        let mut thoughts = Thoughts { climber, left, purse, refused: false };
        let mut tree = Some(route.guide).filter(|_| route.asked);
        if !std::mem::replace(&mut route.asked, true) {
            let own = self.trees.iter().position(|tree| tree.0 == goal).map(|tree| tree as u32);
            tree = own.or_else(|| self.choose(grid, at, goal, route, &mut thoughts));
            route.guide = tree.unwrap_or(NONE);
        }
        let end = tree.and_then(|tree| self.trees.get(tree as usize)).map(|tree| tree.0);
        route.hops += 1;
        // Only a forged tree leads in circles.
        if route.hops as usize > grid.free_cells() {
            return Some(());
        }
        if end == Some(at) || (end != Some(goal) && thoughts.climbable(at, goal)) {
            route.subgoals.push(goal);
        } else if let Some(next) = tree.and_then(|tree| self.subgoal(grid, tree, at)) {
            route.subgoals.push(next);
        }
        (!thoughts.refused).then_some(())
    }
}

impl Planner for Trees {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        super::begin(self, grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        super::resume(self, grid, scratch, budget)
    }

    /// Grows all trees anew if any cell has changed: as costly as preparing them.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        if unchanged(grid, self.version) {
            self.version = grid.version();
        } else {
            self.rebuild(grid);
        }
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.bytes())
    }

    fn memory_usage(&self) -> Memory {
        let trees = self.trees.iter().map(|tree| tree.1.bytes() + size_of::<(u32, Runs)>()).sum();
        self.desk.memory().with("trees", trees).with("index", self.index.bytes())
    }
}
