//! The sparse visibility graph: shortest any-angle paths over prepared taut edges, on a map that
//! changes.
//!
//! S. Oh & H. W. Leong, *Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding
//! Using Hierarchical Taut Paths* (2017). A shortest path turns only at the corners of obstacles
//! ([`turning`]), and wraps around an obstacle at each turn. So the graph holds the pairs of
//! corners that see each other *and* from which a path can go on tautly at both ends ([`graph`]),
//! found by line-of-sight scans ([`scan`]). A query scans from the start and the goal and runs A* over
//! the graph ([`search`]), considering only taut turns. Its estimates are straight-line distances or
//! what landmarks know ([`lanes`]), whichever is more.
//!
//! What differs from the paper:
//! * edges carry no levels: the graph is the plain sparse one, because levels change all over the map
//!   with a single edit. Landmarks take their place;
//! * the taut continuations of an edge are the first ones of a sorted list;
//! * after an edit the graph is repaired around it ([`repair`]).
//!
//! Measured under the strict rule, 200 queries of each map, processor time, in brackets without
//! landmarks and scans from the goal: 27 µs (90) per query on ten large Dragon Age maps, 34 (76) on
//! StarCraft's, 22 (76) on maps of rooms, 12 (10) on Baldur's Gate's, where two scans are most of it.
//! Landmarks leave a tenth of the expansions (83 of 943 on Dragon Age). Preparing takes 24 ms and
//! 1.8 MB, 68 ms and 4.7 MB on StarCraft's, half of both for landmarks. To block or free a cell takes
//! 55 µs on average on Dragon Age, 89 on StarCraft's, 52 on Baldur's Gate's, 11 on rooms; one in a
//! hundred takes more than 270 µs. Where a tenth to four tenths of the cells are blocked at random,
//! preparing takes 0.75 s and 37 MB, a query 480 µs (930).

mod beam;
mod file;
mod graph;
mod lanes;
mod repair;
mod scan;
mod search;
#[cfg(test)]
mod tests;
mod turning;

use super::RULES;
use super::point_search::{self, PointSearch};
use crate::db::DatabaseKind;
use crate::engine::budget::Meter;
use crate::engine::frontier::Frontier;
use crate::engine::parallel;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, Update,
};
use crate::registry::{SavedFile, kind, parameters, settings};
use crate::rules::cost::Real;
use crate::{
    Algorithm, Budget, Error, Grid, Heuristic, Layer, Memory, Moves, PlannerSpec, Preparation,
    Promise, Query, Rule, Shapes, VisibilityGraph,
};
use beam::Corners;
use graph::Graph;
use lanes::Lanes;
use repair::Repair;
use search::{Ends, TautSearch};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "visibility-graph",
    summary: "Sparse visibility graph with landmarks, repaired after edits: shortest any-angle paths",
    source: "Oh & Leong 2017; Goldberg & Harrelson 2005",
    promise: Promise::Optimal,
    rules: RULES,
    free_points: true,
    preparation: Preparation::Wide,
    files: &[SavedFile {
        kind: DatabaseKind::VisibilityGraph,
        moves: |parameters| file::rule_of(parameters).map(Moves::new),
        maker: |_| None,
    }],
    parameters: &[THREADS],
    open: Some(|spec, bytes, grid, moves| {
        Ok(Box::new(Driver::<Visibility>::open(bytes, grid, moves, threads(spec))?))
    }),
    make: |spec, grid, moves| {
        check_moves(moves)?;
        let mut method = Visibility::new(Graph::default(), threads(spec));
        method.rebuild(grid, moves.rule(), spec.progress())?;
        Ok(Driver::boxed(method, grid, moves))
    },
    ..Algorithm::BASE
};

/// The method of a [`VisibilityGraph`]: the graph and the state of its labels.
#[derive(Clone, Debug)]
pub(crate) struct Visibility {
    graph: Graph,
    lanes: Lanes,
    /// Whether the map has terrain: every query is refused then, so no graph is needed.
    terrain: bool,
    /// How many threads build it.
    threads: usize,
}

impl VisibilityGraph {
    /// Makes the lanes anew that edits have masked or made worse, for as long as the budget lasts, and
    /// at least one; returns whether all are as good as new. Nothing has to be, ever: queries are
    /// right without. But they are the faster the better the lanes are, so spend idle time on it. An
    /// expansion of the budget is a turning point that is given a label.
    ///
    /// ```
    /// use blockstar::{Budget, Grid, Moves, Planner, Tile, VisibilityGraph};
    ///
    /// let mut grid = Grid::new(64, 64)?;
    /// let mut planner = VisibilityGraph::new(&grid, Moves::ANY_ANGLE)?;
    /// grid.set((20, 30), Tile::Blocked)?;
    /// planner.update(&grid)?;
    /// while !planner.refresh(&grid, Budget::expansions(100))? {
    ///     // Do something else.
    /// }
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn refresh(&mut self, grid: &Grid, budget: Budget) -> Result<bool, Error> {
        self.inner::<Driver<Visibility>>().check_current(grid)?;
        let Visibility { graph, lanes, .. } = self.inner_mut::<Driver<Visibility>>().method_mut();
        let mut meter = Meter::new(budget);
        while !lanes.is_done() && !meter.is_spent() {
            lanes.make_one(graph);
            meter.pay_move(graph.len() as u64);
        }
        Ok(lanes.is_done())
    }

    /// How many of the sixteen lanes can be used: all, but for those masked by edits since they were
    /// last [made](Self::refresh).
    pub fn lanes(&self) -> usize {
        self.method().lanes.intact.count_ones() as usize
    }

    /// The number of turning points in the graph.
    pub fn corners(&self) -> usize {
        self.method().graph.len()
    }

    /// The number of taut edges in the graph, each counted once.
    pub fn edges(&self) -> usize {
        self.method().graph.edge_count() / 2
    }

    fn method(&self) -> &Visibility {
        self.inner::<Driver<Visibility>>().method()
    }
}

parameters! {
    THREADS = "threads", "1-1024|auto", "auto",
        "how many threads prepare the graph, which does not depend on it; one per core";
}

settings! { kind::VisibilityGraph:
    /// How many threads prepare the graph, now and whenever it is updated; by default one per core.
    /// The graph does not depend on it.
    threads(count: u32) = "threads", count;
}

fn threads(spec: &PlannerSpec) -> usize {
    spec.number_or_word(THREADS.name).map_or_else(parallel::cores, |count| count as usize)
}

/// Refuses movement rules that the graph does not support.
fn check_moves(moves: Moves) -> Result<(), Error> {
    if moves.slope().is_some() {
        return Err(Error::no_slopes(ROW.name, moves));
    }
    if !moves.rule().is_any_angle() {
        return Err(ROW.unsupported(
            format!("the movement rule `{}`", moves.rule().name()),
            "it supports any-angle, any-angle-squeeze",
        ));
    }
    Ok(())
}

impl Visibility {
    fn new(graph: Graph, threads: usize) -> Self {
        Self { graph, lanes: Lanes::default(), terrain: false, threads }
    }

    fn rebuild(
        &mut self,
        grid: &Grid,
        rule: Rule,
        progress: &dyn Fn(usize, usize),
    ) -> Result<(), Error> {
        self.graph = Graph::default();
        self.terrain = grid.has_costs();
        if !self.terrain {
            self.graph = Graph::build(grid, rule, self.threads, progress)?;
        }
        self.make_lanes();
        Ok(())
    }

    fn make_lanes(&mut self) {
        self.lanes.forget();
        while !self.lanes.is_done() {
            self.lanes.make_one(&mut self.graph);
        }
    }

    /// Repairs what was prepared, unless so much has changed that building it is quicker.
    fn keep_up(&mut self, grid: &Grid, rule: Rule, changes: &Changes) -> Option<()> {
        if grid.has_costs() || self.terrain {
            return None;
        }
        let mut targets = Vec::new();
        for rect in changes.rects()?.filter(|rect| rect.width * rect.height > 0) {
            let target = Corners::of(rect);
            if !targets.contains(&target) {
                targets.push(target);
            }
            if targets.len() > self.graph.len() {
                return None;
            }
        }
        repair::merge(&mut targets);
        // A rectangle costs about as many scans as are made for a cell, one for each turning point on
        // it, and those of the points that see more of it.
        let scans = |target: &Corners| 24 + self.graph.count_on(*target) + target.outline();
        if targets.iter().map(scans).sum::<usize>() > self.graph.len() {
            return None;
        }
        let mut repair = Repair::default();
        self.graph.repair(grid, rule, &targets, &mut repair);
        self.lanes.repair(&mut self.graph, &repair);
        Some(())
    }
}

impl Method for Visibility {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn accept(&self, _: Moves, query: &Query) -> Result<(), Error> {
        match query.chosen_heuristic() {
            Some(heuristic @ (Heuristic::Octile | Heuristic::Manhattan)) => Err(ROW.unsupported(
                format!("the heuristic `{heuristic}`"),
                "it overestimates straight lines: use `euclidean`, the default here",
            )),
            _ => Ok(()),
        }
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let (frontier, ends) = pool.get_two::<Frontier<Real>, Ends>();
        let start = self.graph.nodes.len() as u32;
        if slice.is_fresh() {
            frontier.begin_with_parents(start as usize + 2, Real(1.0));
            ends.begin(start as usize);
        } else {
            ends.keep_up(&self.graph, &self.lanes);
        }
        let mut taut = TautSearch {
            graph: &self.graph,
            lanes: &self.lanes,
            problem,
            search: PointSearch::new(frontier, slice.stats, slice.trace),
            ends,
            start,
            goal: start + 1,
            heuristic: problem.heuristic(),
            max_cost: problem.max_cost(),
        };
        if slice.fresh {
            let total = problem.heuristic().length(problem.start(), problem.goal());
            taut.search.seed(start, total);
            taut.search.nodes.set_parent(start, start);
        }
        let outcome = point_search::run(&mut taut, problem, slice.meter);
        if outcome == Outcome::Goal {
            taut.search.write_path(start, taut.goal, |node| taut.place(node), slice.path);
        }
        Ok(outcome)
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if self.keep_up(grid, moves.rule(), changes).is_none() {
            self.rebuild(grid, moves.rule(), &|_, _| ())?;
        }
        Ok(Update::default())
    }

    /// Turning points, and the edges of a graph that has few enough to be looked at.
    fn layers(&self, _: &Grid) -> Vec<Layer> {
        const MOST_EDGES: usize = 200_000;
        let graph = &self.graph;
        let all = graph.by_row();
        let at = |point: u32| graph.place(point).point();
        let turns = all.iter().map(|&point| (at(point), Layer::NONE));
        let meaning = "corners at which a shortest path may turn";
        let mut layers =
            vec![Layer::new("turning points", meaning, Shapes::Points(turns.collect()))];
        if graph.edge_count() <= MOST_EDGES {
            let links = all.iter().flat_map(|&point| {
                let row = graph.place(point).by_row();
                let later = move |other: &u32| graph.place(*other).by_row() > row;
                let others = graph.edges_of(point).map(|edge| edge.to).filter(later);
                others.map(move |other| (at(point), at(other)))
            });
            let meaning = "turning points that see each other along a taut line";
            layers.push(Layer::new("edges", meaning, Shapes::Links(links.collect())));
        }
        layers
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("graph", self.graph.bytes() + self.lanes.bytes())
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        Some(self.graph.to_bytes(moves.rule(), map))
    }
}
