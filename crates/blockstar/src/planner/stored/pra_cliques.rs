//! PRA*(∞) over cliques: first a path through a small abstract graph, then through finer and finer
//! ones, each time only near the previous path.
//!
//! N. Sturtevant & M. Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005). The
//! text was not at hand; this is built from descriptions of it and of the author's published code.
//! The [clique abstraction](crate::regions::cliques) is prepared. A query climbs from start and
//! goal to their first common ancestor, takes the level halfway up (but none with fewer than 2·√n
//! nodes, where n is the number of free cells) and finds a path there by A*; an edge costs the
//! distance between the middles of its nodes. Then, level by level, A* searches the children of the
//! *corridor*: the nodes of the path above and those at most `ring` steps from it. There is always
//! a path, because the children of a node are connected. Only whole paths are refined (K = ∞), so
//! the planner is complete.
//!
//! What differs: corridors wind, so the straight distance to the goal says little inside them. By
//! default the remaining cost is estimated along the path above. That is not a lower bound, but
//! expands less than half as many nodes: on the ten large Dragon Age maps 2,713 instead of 6,440
//! (plain A*: 30,134), with paths 1.1 % instead of 0.5 % above the optimum. `estimate=straight`
//! estimates as published.
//!
//! An edit may regroup nodes far away from it, so the abstraction is rebuilt after every edit.

use super::pra_star::ROW;
use crate::db::parameters::moves_code;
use crate::db::{self, DatabaseKind, IntactFile, Label};
use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::frontier::Frontier;
use crate::engine::{
    Changes, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice, by_width,
};
use crate::grid::bits::Bits;
use crate::regions::cliques::{Cliques, Level};
use crate::registry::parameters;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{
    Algorithm, Error, Event, Grid, Heuristic, Layer, Memory, Moves, PlannerSpec, Point, Rule,
    Update,
};

parameters! {
    pub(super) RING = "ring", "0-16", "1",
        "cliques: how many steps beside a path are searched one level below";
    pub(super) ESTIMATE = "estimate", "along|straight", "along",
        "cliques: what is left to go by the path one level above, or straight";
}

pub(super) fn settings(spec: &PlannerSpec) -> CorridorSettings {
    let estimate = match spec.word(ESTIMATE.name) {
        "straight" => Estimate::Straight,
        _ => Estimate::Along,
    };
    CorridorSettings { ring: spec.number(RING.name), estimate }
}

#[derive(Clone, Debug)]
pub(crate) struct PraCliques {
    cliques: Cliques,
    settings: CorridorSettings,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CorridorSettings {
    /// The width of the corridor on each side of a path, in steps.
    ring: u32,
    estimate: Estimate,
}

/// How a search inside the corridor estimates the remaining way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// Straight from a node to the goal.
    Straight,
    /// From a node to a place [`AHEAD`] on the path above, and along the path from there.
    Along,
}

/// How far ahead an estimate joins the path above. With 1, paths keep to the middles of its nodes:
/// 1.8 % above the optimum on the ten large Dragon Age maps; 1.3 % with 2, 1.1 % with 3.
const AHEAD: usize = 3;

/// A query in progress, and where it may search.
#[derive(Debug, Default)]
pub(crate) struct Corridor {
    /// The level being searched; the cells are level 0.
    level: usize,
    /// Whether the search on this level has begun.
    begun: bool,
    /// Whether only the children of the corridor are searched.
    restricted: bool,
    /// The nodes of the corridor: the path on the level above and what is around it.
    route: Vec<u32>,
    /// By node of the level above: the current stamp if it is in the corridor, and the place on the
    /// path of the node nearest to it.
    marks: Vec<(u32, u32)>,
    stamp: u32,
    /// The places on the path, the goal first.
    guide: Vec<Post>,
}

/// A place on the path of the level above.
#[derive(Clone, Copy, Debug)]
struct Post {
    middle: (u16, u16),
    /// The cost from here to the goal along the path, in half cells.
    rest: u64,
}

impl SearchMemory for Corridor {
    fn bytes(&self) -> usize {
        self.route.capacity() * 4
            + self.marks.capacity() * size_of::<(u32, u32)>()
            + self.guide.capacity() * size_of::<Post>()
    }
}

impl Corridor {
    fn guide(&self, metric: Metric, goal: (u16, u16), estimate: Estimate) -> Guide<'_> {
        let ahead = if estimate == Estimate::Along { AHEAD } else { usize::MAX };
        Guide { marks: &self.marks, stamp: self.stamp, posts: &self.guide, metric, goal, ahead }
    }

    /// Widens the path in `route`, goal first, into a corridor on its level.
    fn mark(&mut self, level: &Level, ring: u32, metric: Metric) {
        if self.marks.len() < level.len() || self.stamp == u32::MAX {
            self.marks = vec![(0, 0); level.len().max(self.marks.len())];
            self.stamp = 0;
        }
        self.stamp += 1;
        let Self { route, marks, stamp, guide, .. } = self;
        guide.clear();
        for (place, &node) in route.iter().enumerate() {
            marks[node as usize] = (*stamp, place as u32);
            let middle = level.middle(node);
            let rest = guide
                .last()
                .map_or(0, |last: &Post| last.rest + metric.between(last.middle, middle));
            guide.push(Post { middle, rest });
        }
        let mut first = 0;
        for _ in 0..ring {
            let last = route.len();
            for at in first..last {
                let (_, place) = marks[route[at] as usize];
                for &node in level.neighbours(route[at]) {
                    if marks[node as usize].0 != *stamp {
                        marks[node as usize] = (*stamp, place);
                        route.push(node);
                    }
                }
            }
            first = last;
        }
    }
}

/// The distance between two places on a map without walls, in half cells.
#[derive(Clone, Copy)]
struct Metric {
    straight: u64,
    diagonal: u64,
    four: bool,
}

impl Metric {
    fn new<C: Cost>(moves: Moves) -> Self {
        let (straight, diagonal) = StepCosts::<C>::units(moves);
        let four = moves.rule() == Rule::Four;
        Self { straight: straight.to_u64(), diagonal: diagonal.to_u64(), four }
    }

    #[inline]
    fn between(self, a: (u16, u16), b: (u16, u16)) -> u64 {
        let (dx, dy) = (u64::from(a.0.abs_diff(b.0)), u64::from(a.1.abs_diff(b.1)));
        if self.four {
            return self.straight * (dx + dy);
        }
        self.straight * (dx.max(dy) - dx.min(dy)) + self.diagonal * dx.min(dy)
    }
}

/// What a search knows from the path of the level above.
#[derive(Clone, Copy)]
struct Guide<'a> {
    marks: &'a [(u32, u32)],
    stamp: u32,
    posts: &'a [Post],
    metric: Metric,
    goal: (u16, u16),
    /// The number of places that an estimate looks ahead on the path.
    ahead: usize,
}

impl Guide<'_> {
    /// Whether the children of a node of the level above are in the corridor.
    #[inline]
    fn permits(&self, parent: u32) -> bool {
        self.marks[parent as usize].0 == self.stamp
    }

    /// The remaining cost from a place in a child of such a node, along the path above.
    #[inline]
    fn estimate(&self, at: (u16, u16), parent: u32) -> u64 {
        let place = self.marks[parent as usize].1 as usize;
        let direct = self.metric.between(at, self.goal);
        match place.checked_sub(self.ahead) {
            Some(place) => {
                let Post { middle, rest } = self.posts[place];
                direct.max(self.metric.between(at, middle) + rest)
            }
            None => direct,
        }
    }
}

/// The nodes of a level above the cells. Costs are in half cells.
struct Above<'a> {
    level: &'a Level,
    metric: Metric,
    goal: (u16, u16),
    /// `None` if every node may be used.
    guide: Option<Guide<'a>>,
}

impl<C: Cost> Space<C> for Above<'_> {
    #[inline]
    fn keeps_links(&self) -> bool {
        true
    }

    #[inline]
    fn expand(&self, node: u32, _: u8, mut reach: impl FnMut(u32, C, u8)) {
        let here = self.level.middle(node);
        for &next in self.level.neighbours(node) {
            if self.guide.is_none_or(|guide| guide.permits(self.level.parent(next))) {
                reach(next, C::from_u64(self.metric.between(here, self.level.middle(next))), 0);
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let here = self.level.middle(node);
        C::from_u64(match self.guide {
            Some(guide) => guide.estimate(here, self.level.parent(node)),
            None => self.metric.between(here, self.goal),
        })
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.level.middle(node);
        Point::new(f64::from(x) / 2.0, f64::from(y) / 2.0)
    }
}

/// The cells of the corridor.
struct Inside<'a, C> {
    cells: Cells<'a, C>,
    bits: &'a Bits,
    cliques: &'a Cliques,
    guide: Guide<'a>,
}

impl<C: Cost> Space<C> for Inside<'_, C> {
    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        self.cells.expand(node, tag, |next, step, tag| {
            if self.guide.permits(self.cliques.parent_of_cell(next)) {
                reach(next, step, tag);
            }
        });
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let at = middle(self.bits, node);
        C::from_u64(self.guide.estimate(at, self.cliques.parent_of_cell(node)) / 2)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        self.cells.back(node, tag)
    }

    fn place(&self, node: u32) -> Point {
        self.cells.place(node)
    }
}

/// The middle of a cell, in half cells.
#[inline]
fn middle(bits: &Bits, node: u32) -> (u16, u16) {
    let (x, y) = bits.coordinates(node);
    (2 * x as u16 + 1, 2 * y as u16 + 1)
}

impl PraCliques {
    pub fn new(grid: &Grid, moves: Moves, settings: CorridorSettings) -> Self {
        Self { cliques: Cliques::new(grid, moves.rule()), settings }
    }

    /// Whether bytes are those of a saved abstraction, for whatever map.
    pub fn is_saved(bytes: &[u8]) -> bool {
        DatabaseKind::claimed(bytes) == Some(DatabaseKind::Cliques)
    }

    /// Opens an abstraction saved for the same map and movement rule.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        settings: CorridorSettings,
    ) -> Result<Self, Error> {
        let file = IntactFile::for_map(bytes, DatabaseKind::Cliques, grid.content_hash(), moves)?;
        let cliques = Cliques::read(file.payload, grid, moves.rule()).ok_or_else(|| {
            DatabaseKind::Cliques.refuse("its groups make no sense for this map: build it again")
        })?;
        Ok(Self { cliques, settings })
    }

    /// The level to begin with.
    fn first_level(&self, start: u32, goal: u32) -> usize {
        let common = (1..=self.cliques.height()).find(|&level| {
            self.cliques.ancestor(start, level) == self.cliques.ancestor(goal, level)
        });
        let mut level = common.unwrap_or(self.cliques.height()) / 2;
        let cells = self.cliques.cells() as u64;
        // Nodes² < (2√n)².
        while level > 0 && (self.cliques.level(level).len() as u64).pow(2) < 4 * cells {
            level -= 1;
        }
        level
    }

    /// Searches one level after the other.
    fn search_on<C: Cost>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        (corridor, frontier): (&mut Corridor, &mut Frontier<C>),
    ) -> Outcome {
        let Problem { grid, moves, .. } = *problem;
        let (rows, start, goal) = (grid.rows(), problem.start_node(), problem.goal_node());
        if slice.is_fresh() {
            corridor.level = self.first_level(start, goal);
            (corridor.begun, corridor.restricted) = (false, false);
        }
        let metric = Metric::new::<C>(moves);
        while corridor.level > 0 {
            let outcome = self.search_above(problem, slice, corridor, frontier);
            if outcome != Outcome::Goal {
                return outcome;
            }
            corridor.mark(self.cliques.level(corridor.level), self.settings.ring, metric);
            corridor.level -= 1;
            (corridor.begun, corridor.restricted) = (false, true);
        }
        let step_costs = StepCosts::<C>::new(grid, moves);
        let heuristic = Heuristic::default_for(moves);
        let estimator = Estimator::new(heuristic, &step_costs, rows.coordinates(goal));
        let cells = Cells::<C>::new(grid, moves, step_costs, estimator);
        let unguided = !corridor.restricted;
        let mut orders = Orders::new(problem, step_costs, Priority::AStar, heuristic, goal);
        orders.admissible = unguided;
        if !std::mem::replace(&mut corridor.begun, true) {
            slice.record(|| Event::Level { level: 0 });
            frontier.begin(rows.positions(), step_costs.usual_step());
            frontier.seed(&cells, &orders, start, C::ZERO);
        }
        if unguided {
            return best_first::search(&cells, &orders, frontier, slice);
        }
        let guide = corridor.guide(metric, middle(rows, goal), self.settings.estimate);
        let inside = Inside { cells, bits: rows, cliques: &self.cliques, guide };
        best_first::search(&inside, &orders, frontier, slice)
    }

    /// Searches the current level, which is above the cells, and leaves its path in the route.
    fn search_above<C: Cost>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        corridor: &mut Corridor,
        frontier: &mut Frontier<C>,
    ) -> Outcome {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<C>::new(grid, moves);
        let level = self.cliques.level(corridor.level);
        let [start, goal] = [problem.start_node(), problem.goal_node()]
            .map(|cell| self.cliques.ancestor(cell, corridor.level));
        let fresh = !std::mem::replace(&mut corridor.begun, true);
        let metric = Metric::new::<C>(moves);
        let end = level.middle(goal);
        let estimate = self.settings.estimate;
        let guide = corridor.restricted.then(|| corridor.guide(metric, end, estimate));
        let space = Above { level, metric, goal: end, guide };
        let mut orders = Orders::new(problem, step_costs, Priority::AStar, Heuristic::Zero, goal);
        orders.admissible = false;
        // Middles lie up to a map apart, in half cells, and costs have no limit here.
        let ceiling = orders.ceiling.to_u64().saturating_sub(2 * step_costs.largest_estimate(grid));
        (orders.max_cost, orders.ceiling) = (C::MAX, C::from_u64(ceiling));
        if fresh {
            slice.record(|| Event::Level { level: corridor.level as u32 });
            let step = step_costs.straight.times(2 << corridor.level.min(12));
            frontier.begin(level.len(), step);
            frontier.seed(&space, &orders, start, C::ZERO);
        }
        let outcome = best_first::search(&space, &orders, frontier, slice);
        if outcome == Outcome::Goal {
            // The path of an abstract level is not the answer.
            slice.path.clear(moves);
            corridor.route.clear();
            corridor.route.push(goal);
            let mut at = goal;
            // A node is reached before others are reached from it, so one pass finds all.
            for link in frontier.links.iter().rev() {
                if link.node == at {
                    at = link.parent;
                    corridor.route.push(at);
                }
            }
        }
        outcome
    }
}

impl Method for PraCliques {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(by_width!(problem, C => self.search_on::<C>(problem, slice, pool.get_two())))
    }

    /// Rebuilds the abstraction if any cell has changed.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if !changes.is_empty() {
            self.cliques = Cliques::new(grid, moves.rule());
        }
        Ok(Update::default())
    }

    /// Only the lower levels, whose groups are small enough to be interesting.
    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        const NAMES: [&str; 5] = ["level 1", "level 2", "level 3", "level 4", "level 5"];
        let levels = (1..=self.cliques.height()).zip(NAMES);
        let layer = |(level, name)| {
            let meaning = "cells that are one node of this level";
            Layer::of_cells(name, meaning, grid, |cell| {
                let position = grid.rows().position(cell.x, cell.y);
                grid.is_free(cell).then(|| self.cliques.ancestor(position, level))
            })
        };
        levels.map(layer).collect()
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("cliques", self.cliques.bytes())
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        let label = Label { kind: DatabaseKind::Cliques, parameters: moves_code(moves), grid: map };
        Some(db::seal(label, &self.cliques.write()))
    }
}
