//! PRA*(∞) over cliques: a path through a small abstract graph first, then through finer and finer ones,
//! each time only where the path before has been.
//!
//! N. Sturtevant & M. Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005), whose
//! text was not at hand; built from descriptions of it and of the author's published code. The
//! [clique abstraction](crate::regions::cliques) is prepared. A query climbs from start and goal to their first
//! common ancestor, takes the level half way up (but none with fewer than 2·√n nodes, n the free cells)
//! and finds a path there by A*, where an edge costs what lies between the middles of its nodes. Then,
//! level by level, A* searches among the children of the *corridor*: the nodes of the path above and
//! those at most `ring` steps from it. There always is a path, for the children of a node are connected.
//! Only whole paths are refined (K = ∞), so the answer is complete.
//!
//! What differs: corridors wind, so the straight distance to the goal says little in them. By default
//! the path above tells what is left to go. That is no lower bound, but expands less than half as many
//! nodes: on the ten large Dragon Age maps 2,713 instead of 6,440 (plain A*: 30,134) with paths 1.1 %
//! instead of 0.5 % above the optimum. `estimate=straight` does it as published.
//!
//! An edit may regroup nodes far from it, so the abstraction is made anew.

use crate::db::parameters::{check_moves, moves_code, unchanged};
use crate::db::{self, Kind, Label, Whole};
use crate::engine::best_first::{Orders, Outcome, Priority, Space, Work};
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::scratch::Task;
use crate::grid::bits::Bits;
use crate::regions::cliques::{Cliques, Level};
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{
    Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Point, Query, Rule, Scratch, Status,
};

/// The name in the registry.
const NAME: &str = "pra-star";

#[derive(Debug)]
pub(crate) struct PraCliques {
    desk: Desk,
    cliques: Cliques,
    /// How many steps to each side of a path the corridor is wide.
    ring: u32,
    estimate: Estimate,
    /// The version and the content hash of the grid that the abstraction was made for.
    version: u64,
    content: u64,
}

/// What a search inside the corridor takes for the way that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// What lies between a node and the goal.
    Straight,
    /// What lies between a node and a place [`AHEAD`] on the path above, and the path from there.
    Along,
}

/// How far ahead on the path above an estimate along it begins. With 1 paths keep to the middles of its
/// nodes: 1.8 % above the optimum on the ten large Dragon Age maps, 1.3 % with 2, 1.1 % with 3.
const AHEAD: usize = 3;

/// A query under way.
#[derive(Debug, Default)]
pub(crate) struct Corridor {
    /// The level that is being searched; 0 are the cells.
    level: usize,
    /// Whether the search on this level has begun.
    begun: bool,
    /// Whether only the children of the corridor are searched.
    restricted: bool,
    /// The nodes of the corridor: the path on the level above and what is around it.
    route: Vec<u32>,
    /// Nodes of the level above that are in the corridor have the present stamp, and the place on the
    /// path of the node that they are near to.
    marks: Vec<(u32, u32)>,
    stamp: u32,
    /// For each place on the path: its middle, and what is left to go from there, in half cells.
    guide: Vec<Post>,
}

/// A place on the path of the level above.
#[derive(Clone, Copy, Debug)]
struct Post {
    middle: (u16, u16),
    rest: u64,
}

impl Corridor {
    pub fn bytes(&self) -> usize {
        self.route.capacity() * 4
            + self.marks.capacity() * size_of::<(u32, u32)>()
            + self.guide.capacity() * size_of::<Post>()
    }

    fn guide(&self, metric: Metric, goal: (u16, u16), estimate: Estimate) -> Guide<'_> {
        let ahead = if estimate == Estimate::Along { AHEAD } else { usize::MAX };
        Guide { marks: &self.marks, stamp: self.stamp, posts: &self.guide, metric, goal, ahead }
    }

    /// Makes a corridor of the path in `route`, goal first, on a level.
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

/// What lies between two places on a map without walls, in half cells.
#[derive(Clone, Copy)]
struct Metric {
    straight: u64,
    diagonal: u64,
    four: bool,
}

impl Metric {
    fn new<C: Cost>(moves: Moves) -> Self {
        let (straight, diagonal) = Tariff::<C>::units(moves);
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

/// What the path of the level above tells a search.
#[derive(Clone, Copy)]
struct Guide<'a> {
    marks: &'a [(u32, u32)],
    stamp: u32,
    posts: &'a [Post],
    metric: Metric,
    goal: (u16, u16),
    /// How many places on the path ahead an estimate looks.
    ahead: usize,
}

impl Guide<'_> {
    /// Whether the children of a node of the level above are in the corridor.
    #[inline]
    fn permits(&self, parent: u32) -> bool {
        self.marks[parent as usize].0 == self.stamp
    }

    /// The way that is left from a place in a child of such a node, along the path above.
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
    /// None if every node may be used.
    guide: Option<Guide<'a>>,
}

impl<C: Cost> Space<C> for Above<'_> {
    const LINKS: bool = true;

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
    cells: Cells<'a, C, false>,
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
    pub fn new(grid: &Grid, moves: Moves, ring: u32, estimate: Estimate) -> Self {
        let desk = Desk::new(NAME, grid, moves);
        let cliques = Cliques::new(grid, moves.rule());
        let (version, content) = (grid.version(), grid.content_hash());
        Self { desk, cliques, ring, estimate, version, content }
    }

    /// Whether bytes are those of a saved abstraction, whatever else they are.
    pub fn is_saved(bytes: &[u8]) -> bool {
        Whole::of(bytes, Kind::Cliques).is_ok()
    }

    /// An abstraction that was saved, for the same map and movement rule.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        ring: u32,
        estimate: Estimate,
    ) -> Result<Self, Error> {
        let refuse = |problem: String| Kind::Cliques.refuse(problem);
        let whole = Whole::of(bytes, Kind::Cliques)?;
        check_moves(whole.parameters, moves).map_err(refuse)?;
        let (version, content) = (grid.version(), grid.content_hash());
        if whole.grid != content {
            return Err(refuse(
                "it was made for another map, or for this one before an edit".into(),
            ));
        }
        let cliques = Cliques::read(whole.payload, grid, moves.rule())
            .ok_or_else(|| refuse("its groups make no sense for this map: make it anew".into()))?;
        let desk = Desk::new(NAME, grid, moves);
        Ok(Self { desk, cliques, ring, estimate, version, content })
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
    fn search<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        corridor: &mut Corridor,
        work: &mut Work<'_, C>,
    ) -> Outcome {
        let rows = grid.rows();
        let [start, goal] =
            [task.start_cell, task.goal_cell].map(|cell| rows.position(cell.x, cell.y));
        if work.fresh {
            corridor.level = self.first_level(start, goal);
            (corridor.begun, corridor.restricted) = (false, false);
        }
        while corridor.level > 0 {
            let outcome = self.search_above(grid, task, (start, goal), corridor, work);
            if outcome != Outcome::Goal {
                return outcome;
            }
            let metric = Metric::new::<C>(self.desk.moves());
            corridor.mark(self.cliques.level(corridor.level), self.ring, metric);
            corridor.level -= 1;
            (corridor.begun, corridor.restricted) = (false, true);
        }
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = Heuristic::default_for(moves);
        let estimator = Estimator::new(heuristic, &tariff, rows.coordinates(goal));
        let cells = Cells::<C, false>::new(grid, moves, tariff, estimator);
        let unguided = !corridor.restricted;
        let orders = Orders::new(grid, task, tariff, Priority::AStar, goal, unguided);
        let mut work = work.again();
        let fresh = !std::mem::replace(&mut corridor.begun, true);
        if fresh {
            work.frontier.begin(rows.positions(), tariff.usual_step());
            work.seed(&cells, &orders, start, C::ZERO);
        }
        if unguided {
            return work.run(&cells, &orders);
        }
        let guide = corridor.guide(Metric::new::<C>(moves), middle(rows, goal), self.estimate);
        work.run(&Inside { cells, bits: rows, cliques: &self.cliques, guide }, &orders)
    }

    /// Searches the present level, which is not that of the cells, and leaves its path in the route.
    fn search_above<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        ends: (u32, u32),
        corridor: &mut Corridor,
        work: &mut Work<'_, C>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let level = self.cliques.level(corridor.level);
        let fresh = !std::mem::replace(&mut corridor.begun, true);
        let [start, goal] =
            [ends.0, ends.1].map(|cell| self.cliques.ancestor(cell, corridor.level));
        let metric = Metric::new::<C>(moves);
        let end = level.middle(goal);
        let guide = corridor.restricted.then(|| corridor.guide(metric, end, self.estimate));
        let space = Above { level, metric, goal: end, guide };
        let mut orders = Orders::new(grid, task, tariff, Priority::AStar, goal, false);
        // Middles lie up to a map apart, in half cells, and costs here have no limit.
        let ceiling = orders.ceiling.to_u64().saturating_sub(2 * tariff.largest_estimate(grid));
        (orders.max_cost, orders.ceiling) = (C::MAX, C::from_u64(ceiling));
        let mut level_work = work.again();
        if fresh {
            let step = tariff.straight.times(2 << corridor.level.min(12));
            level_work.frontier.begin(level.len(), step);
            level_work.seed(&space, &orders, start, C::ZERO);
        }
        let outcome = level_work.run(&space, &orders);
        if outcome == Outcome::Goal {
            work.path.clear(moves);
            corridor.route.clear();
            corridor.route.push(goal);
            let mut at = goal;
            // A node is reached before others are from there, so one pass finds all.
            for link in work.frontier.links.iter().rev() {
                if link.node == at {
                    at = link.parent;
                    corridor.route.push(at);
                }
            }
        }
        outcome
    }
}

impl Planner for PraCliques {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::new(budget);
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch { narrow, wide, corridor, stats, trace, path, .. } = &mut *scratch;
            let meter = &mut meter;
            let outcome = if task.wide {
                let mut work = Work { fresh, frontier: wide, meter, stats, trace, path };
                self.search(grid, &task, corridor, &mut work)
            } else {
                let mut work = Work { fresh, frontier: narrow, meter, stats, trace, path };
                self.search(grid, &task, corridor, &mut work)
            };
            if outcome != Outcome::Overflow {
                break outcome;
            }
            (task.wide, task.started) = (true, false);
            scratch.start_over();
        };
        let success = task.success;
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    /// Makes the abstraction anew if any cell has changed.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        if !unchanged(grid, self.version) {
            self.cliques = Cliques::new(grid, self.desk.moves().rule());
            self.content = grid.content_hash();
        }
        self.version = grid.version();
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        let parameters = moves_code(self.desk.moves());
        let label = Label { kind: Kind::Cliques, parameters, grid: self.content };
        Some(db::seal(label, &self.cliques.write()))
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory().with("cliques", self.cliques.bytes())
    }
}
