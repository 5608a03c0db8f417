//! The subgoal graph: optimal paths several times faster than jump point search, on a map that
//! changes.
//!
//! T. Uras, S. Koenig & C. Hernández, *Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor
//! Grids* (2013); only descriptions of it were at hand. A shortest path turns at the corners of
//! obstacles. The free cells beside them, the [subgoals](corners), are the nodes of a graph, with
//! edges between those that are [directly reachable](scan) from each other. A query joins its start
//! and goal to the [graph] and [searches](search) that instead of the map.

mod corners;
mod file;
mod front;
mod graph;
mod lanes;
mod overlay;
mod refresh;
mod repair;
mod ring;
mod scan;
mod search;
#[cfg(test)]
mod tests;

use crate::db::parameters::read_moves;
use crate::engine::best_first::{self, Orders, Priority};
use crate::engine::budget::Meter;
use crate::engine::frontier::Frontier;
use crate::engine::parallel;
use crate::engine::{Changes, Driver, MemoryPool, Method, Problem, Searched, Slice, Update};
use crate::planner::cell::{in_sight, jps::Jps};
use crate::registry::SavedFile;
use crate::rules::cost::StepCosts;
use crate::{
    Algorithm, Budget, DatabaseKind, Error, Grid, Heuristic, Memory, Moves, Preparation, Promise,
    Rule, Subgoal,
};
use corners::Ground;
use graph::{Graph, Units};
use lanes::Lanes;
use overlay::Overlay;
use overlay::space::{Highways, Passage};
use refresh::Refresh;
use repair::Repair;
use search::{Ends, Roads};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "subgoal",
    summary: "Subgoal graph with landmarks, repaired after edits: the fastest optimal steps",
    source: "Uras, Koenig & Hernández 2013; Goldberg & Harrelson 2005",
    promise: Promise::Optimal,
    rules: &[Rule::Eight],
    preparation: Preparation::Local,
    files: &[SavedFile { kind: DatabaseKind::SubgoalGraph, moves: read_moves, maker: file::maker }],
    open: Some(|_, bytes, grid, moves| Ok(Box::new(Driver::<Subgoals>::open(bytes, grid, moves)?))),
    make: |_, grid, moves| Ok(Driver::boxed(Subgoals::build(grid, moves), grid, moves)),
    avoids: true,
    partial: true,
    ..Algorithm::BASE
};

/// Along how many edges an update passes lowered labels on, at most: 40 to 150 µs.
const LOWERED: usize = 15_000;

/// How much an update spends on making lanes anew, in subgoals that pass their label on along up to
/// eight edges: 10 to 20 µs.
const SPARED: u64 = 400;

/// With fewer lanes in full use than this, far subgoals are estimated by their coordinates too.
const FEW: u32 = 8;

/// The graph of a map with its labels.
#[derive(Clone, Debug)]
pub(crate) struct Subgoals {
    ground: Ground,
    graph: Graph,
    lanes: Lanes,
    refresh: Refresh,
    overlay: Overlay,
}

impl Subgoal {
    /// Makes lanes what they would be if made for this map, and on large maps the sectors that edits
    /// have undone, for as long as the budget lasts; returns whether all are. An expansion of the
    /// budget is a subgoal that passes its label on along up to eight edges, or is looked at in its
    /// sector.
    ///
    /// Nothing has to be done, ever: queries are right without. An update makes the labels that are
    /// too large for the edited map fit, and where that takes long leaves the rest to the updates
    /// after it. It does not raise those that have become too small, which are right but say less.
    /// But it spends 10 to 20 µs on making lanes anew, one after the other, so that after 1,000
    /// edits of a map of 512 x 512 cells queries take 1.0 to 1.2 times as long as those of a new
    /// planner; in random clutter 1.5 times on average, and 4 times where two fifths are blocked.
    /// Larger maps have more to be made; spend idle time on it there, and after large changes.
    ///
    /// ```
    /// use blockstar::{Budget, Grid, Moves, Planner, Subgoal, Tile};
    ///
    /// let mut grid = Grid::new(64, 64)?;
    /// let mut planner = Subgoal::new(&grid, Moves::EIGHT)?;
    /// grid.set((20, 30), Tile::Blocked)?;
    /// planner.update(&grid)?;
    /// while !planner.refresh(&grid, Budget::expansions(100))? {
    ///     // Do something else.
    /// }
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn refresh(&mut self, grid: &Grid, budget: Budget) -> Result<bool, Error> {
        self.inner::<Driver<Subgoals>>().check_current(grid)?;
        let Subgoals { ground, graph, lanes, refresh, overlay } =
            self.inner_mut::<Driver<Subgoals>>().method_mut();
        let mut meter = Meter::new(budget);
        while !lanes.lower(graph, LOWERED) {
            for _ in 0..LOWERED / 8 {
                if meter.is_spent() {
                    return Ok(false);
                }
                meter.pay();
            }
        }
        Ok(refresh.run(ground, graph, lanes, &mut meter)
            && overlay.refresh(ground, graph, &mut meter))
    }

    /// How many of the sixteen lanes can be used to the full: all, but for those that updates have
    /// yet to make fit the edited map, of which a part can be used, and one that is just being
    /// replaced.
    pub fn lanes(&self) -> usize {
        self.method().lanes.intact().count_ones() as usize
    }

    /// The number of subgoals in the graph.
    pub fn subgoals(&self) -> usize {
        self.method().graph.len()
    }

    /// The number of edges in the graph, each counted once.
    pub fn edges(&self) -> usize {
        self.method().graph.edge_count()
    }

    fn method(&self) -> &Subgoals {
        self.inner::<Driver<Subgoals>>().method()
    }
}

impl Subgoals {
    fn build(grid: &Grid, moves: Moves) -> Self {
        let mut method = Self::without_lanes(grid, moves);
        let Self { ground, graph, lanes, refresh, overlay } = &mut method;
        let (ground, graph, threads) = (&*ground, &*graph, parallel::cores());
        let mut make_lanes = || {
            refresh.run(ground, graph, lanes, &mut Meter::new(Budget::UNLIMITED));
        };
        if threads < 2 || overlay.is_empty() {
            make_lanes();
            overlay.build(ground, graph, threads);
        } else {
            // Floods wait for each other. Meanwhile the other cores make sectors.
            std::thread::scope(|scope| {
                scope.spawn(|| overlay.build(ground, graph, threads));
                make_lanes();
            });
        }
        method.renumber();
        method
    }

    /// Numbers subgoals as suits the overlay.
    fn renumber(&mut self) {
        if !self.overlay.is_empty() {
            let order = self.overlay.order();
            self.graph.renumber(&order);
            self.lanes.renumber(&order);
            self.overlay.renumber(&order);
        }
    }

    fn without_lanes(grid: &Grid, moves: Moves) -> Self {
        let (straight, diagonal) = StepCosts::<u32>::units(moves);
        let ground = Ground::new(grid);
        let graph = Graph::build(&ground, Units { straight, diagonal }, parallel::cores());
        let overlay = Overlay::due(&ground, &graph);
        let lanes = Lanes::new(graph.nodes.len());
        Self { ground, graph, lanes, refresh: Refresh::due(), overlay }
    }

    /// Repairs what was prepared, unless so much has changed that building it is quicker.
    fn keep_up(&mut self, grid: &Grid, changes: &Changes) -> Option<()> {
        let most = 32 + self.graph.len() / 16;
        let cells = self.ground.differences(grid, changes.rects()?, most)?;
        let mut repair = Repair::default();
        for cell in cells {
            self.toggle(cell, grid.is_free(cell), &mut repair);
            self.lanes.repair(&self.ground, &self.graph, &repair);
            self.refresh.repair(&self.graph, &mut self.lanes, &repair);
            self.overlay.repair(&self.graph, cell, &repair);
        }
        let Self { ground, graph, lanes, refresh, .. } = self;
        if lanes.lower(graph, LOWERED) {
            refresh.spare(ground, graph, lanes, SPARED);
        }
        Some(())
    }

    /// Whether a query is for jump point search.
    ///
    /// Without lanes the graph takes up to 1.24 times as long as that (StarCraft, Baldur's Gate),
    /// with a single lane no longer on any set of maps. A lane that is cut below the distance on
    /// an empty map says nothing that this distance does not. (On maps with an overlay the graph is
    /// faster all the same.)
    fn passes_on(&self, problem: &Problem<'_>) -> bool {
        let distance = || {
            let (start, goal) = (problem.start_cell(), problem.goal_cell());
            let (wide, tall) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
            let Units { straight, diagonal } = self.graph.units;
            wide.abs_diff(tall) * straight + wide.min(tall) * diagonal
        };
        problem.is_wide()
            || problem.query().avoided().is_some()
            || problem.heuristic() != Heuristic::Octile
            || self.lanes.cuts == [0; lanes::LANES]
            || self.overlay.is_empty() && self.lanes.cuts.iter().all(|&cut| cut < distance())
    }
}

impl Method for Subgoals {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let (frontier, ends, passage) = pool.get_three::<Frontier<u32>, Ends, Passage>();
        if slice.is_fresh() {
            ends.passed_on = self.passes_on(problem);
        }
        if ends.passed_on {
            return Jps.search(problem, slice, pool);
        }
        if let Some(outcome) = in_sight::search(problem, slice, frontier) {
            return Ok(outcome);
        }
        let Self { ground, graph, lanes, overlay, .. } = self;
        let cells = [problem.start_cell(), problem.goal_cell()].map(|cell| (cell.x, cell.y));
        if slice.is_fresh() {
            ends.join(ground, graph, lanes, cells[0], cells[1]);
            passage.choose(overlay, cells);
            // What comes closest to the goal is sought among all subgoals.
            passage.in_use &= !slice.closest.is_wanted();
            if passage.in_use {
                passage.begin(overlay, graph, ends);
            }
        } else {
            ends.keep_up(ground, graph, lanes, cells[1]);
        }
        let step_costs = StepCosts::<u32>::new(problem.grid, problem.moves);
        let mut orders =
            Orders::new(problem, step_costs, Priority::AStar, Heuristic::Octile, ends.goal);
        // Estimates may be as large as labels.
        orders.ceiling = orders.ceiling.saturating_sub(lanes::LARGEST);
        let roads = Roads::new(graph, lanes, ends, &step_costs, cells);
        if slice.is_fresh() {
            // With room for what edits add, so that not every one of them makes for new memory.
            let room = (graph.nodes.len() + 2).next_multiple_of(4096);
            frontier.begin(room, step_costs.usual_step());
            frontier.seed(&roads, &orders, roads.ends.start, 0);
        }
        if passage.in_use {
            orders.ceiling = orders.ceiling.saturating_sub(overlay::DEAREST);
            let by_lanes = lanes.intact().count_ones() >= FEW;
            let highways = Highways { roads, overlay, passage, by_lanes };
            return Ok(best_first::search(&highways, &orders, frontier, slice));
        }
        Ok(best_first::search(&roads, &orders, frontier, slice))
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if self.keep_up(grid, changes).is_none() {
            *self = Self::build(grid, moves);
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory
            .with("bit maps", self.ground.bytes())
            .with("graph", self.graph.bytes())
            .with("lanes", self.lanes.bytes() + self.refresh.bytes())
            .with("overlay", self.overlay.bytes())
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        Some(self.to_bytes(moves, map))
    }
}
