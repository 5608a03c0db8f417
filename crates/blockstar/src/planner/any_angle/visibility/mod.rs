//! The sparse visibility graph: shortest any-angle paths over prepared taut edges.
//!
//! S. Oh & H. W. Leong, *Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding
//! Using Hierarchical Taut Paths* (2017). A shortest path turns only at the corners of obstacles
//! ([`turning`]), and wraps around an obstacle at each turn. So the graph holds the pairs of
//! corners that see each other *and* from which a path can go on tautly at both ends ([`graph`]),
//! found by line-of-sight scans ([`scan`]). A query scans from the start and runs A* over the graph
//! with the straight-line distance as estimate, considering only taut turns.
//!
//! What differs from the paper:
//! * edges carry no levels: the graph is the plain sparse one;
//! * there is no scan from the goal. A turning point that is expanded looks at the goal only if
//!   going there would be a taut turn. Few do, and a line of sight costs much less than a scan;
//! * the taut continuations of an edge are the first ones of a sorted list.
//!
//! Leaving out turns that are not taut loses nothing. A* takes a node off the list with its least
//! cost, and if an optimal path goes on from there, then it does so whichever way that cost came
//! about, and an optimal path is taut everywhere or goes on straight. A straight continuation from
//! a to c past b needs no turn at b either, because a sees c.
//!
//! **It is for maps that do not change.** A single edit can add and remove edges all over the map,
//! and [`update`](crate::Planner::update) builds the whole graph again.
//!
//! Measured on two busy cores, between corners: preparing takes 2 ms on Dragon Age's arena2 (578
//! corners, 3,272 edges, 60 KB), 40 ms on orz100d (3,676 and 33,952, 382 KB), 70 ms on StarCraft's
//! Turbo (768 x 768; 4,606 and 56,645, 760 KB). An edit costs as much again, where plain A* needs
//! 10 µs. Queries take 1 to 6 % of the time of A* on the corner lattice on such maps. Where a tenth
//! of the cells is blocked at random (512 x 512: 76,173 corners, 1.7 million edges, 15 MB, 1 s)
//! they take two to five times as long as those of A*, whose paths are 5 % longer.

mod graph;
mod scan;
#[cfg(test)]
mod tests;
mod turning;

use super::RULES;
use super::point_search::{self, Expand, PointSearch};
use crate::db::{self, DatabaseKind, Label};
use crate::engine::frontier::Frontier;
use crate::engine::parallel;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice, Update,
};
use crate::geometry::sight;
use crate::registry::{SavedFile, kind, settings};
use crate::rules::cost::Real;
use crate::{
    Algorithm, Error, Grid, Heuristic, Layer, Memory, Moves, Parameter, PlannerSpec, Point,
    Promise, Query, Rule, Shapes, VisibilityGraph,
};
use graph::{Graph, Group, between, cross};
pub(crate) use scan::Cone;
use scan::Scan;
use turning::TurningPoints;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "visibility-graph",
    summary: "Sparse visibility graph: taut edges prepared, shortest any-angle paths",
    source: "Oh & Leong 2017",
    promise: Promise::Optimal,
    rules: RULES,
    free_points: true,
    files: &[SavedFile {
        kind: DatabaseKind::VisibilityGraph,
        moves: |parameters| rule_of(parameters).map(Moves::new),
        maker: |_| None,
    }],
    parameters: &[THREADS],
    open: Some(|spec, bytes, grid, moves| {
        Ok(Box::new(Driver::<Visibility>::open(bytes, grid, moves, threads(spec))?))
    }),
    make: |spec, grid, moves| {
        check_moves(moves)?;
        let mut method = Visibility { graph: Graph::default(), threads: threads(spec) };
        method.rebuild(grid, moves.rule(), spec.progress())?;
        Ok(Driver::boxed(method, grid, moves))
    },
    ..Algorithm::BASE
};

/// The method of a [`VisibilityGraph`]: the graph itself.
#[derive(Clone, Debug)]
pub(crate) struct Visibility {
    graph: Graph,
    /// How many threads build it.
    threads: usize,
}

impl VisibilityGraph {
    /// The number of turning points in the graph.
    pub fn corners(&self) -> usize {
        self.graph().points.len()
    }

    /// The number of taut edges in the graph, each counted once.
    pub fn edges(&self) -> usize {
        self.graph().edges.len() / 2
    }

    fn graph(&self) -> &Graph {
        &self.inner::<Driver<Visibility>>().method().graph
    }
}

impl Driver<Visibility> {
    /// Opens a saved graph, for the same map and movement rule. Everything
    /// else is refused: other files, damaged and truncated ones, those of another version, another
    /// map or another rule. Of a forged file every path is legal, or the query says what is wrong;
    /// that a path is a shortest one rests on the file.
    fn open(bytes: &[u8], grid: &Grid, moves: Moves, threads: usize) -> Result<Self, Error> {
        check_moves(moves)?;
        let payload = db::unseal(bytes, label(grid.content_hash(), moves.rule()), |parameters| {
            let rule = rule_of(parameters);
            format!("the rule `{}`", rule.map_or("unknown", |rule| rule.name()))
        })?;
        if grid.has_costs() {
            return Err(Error::no_terrain(ROW.name, moves));
        }
        let points = TurningPoints::new(grid, moves.rule());
        let graph = read_graph(payload, points).ok_or_else(|| {
            DatabaseKind::VisibilityGraph
                .refuse("its edges make no sense for this map: build it again")
        })?;
        let method = Visibility { graph, threads };
        Ok(Self::opened(method, grid, moves, DatabaseKind::VisibilityGraph))
    }
}

const THREADS: Parameter = Parameter::new(
    "threads",
    "1-1024|auto",
    "auto",
    "how many threads prepare the graph, which does not depend on it; one per core",
);

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

/// The header of the file for a map and a rule.
fn label(map: u64, rule: Rule) -> Label {
    Label { kind: DatabaseKind::VisibilityGraph, parameters: rule as u64, grid: map }
}

/// The movement rule of a file with these parameters.
fn rule_of(parameters: u64) -> Option<Rule> {
    Rule::ALL.iter().copied().find(|&rule| rule as u64 == parameters)
}

/// The graph that a payload describes, if it describes one on these points.
fn read_graph(mut payload: &[u8], points: TurningPoints) -> Option<Graph> {
    let corners = db::take_u32(&mut payload)? as usize;
    let count = db::take_u32(&mut payload)?;
    // Nothing is allocated before this is checked.
    let numbers = 2 * corners as u64 + u64::from(count);
    if corners != points.len() || payload.len() as u64 != 4 * numbers {
        return None;
    }
    let mut starts = Vec::with_capacity(2 * corners + 1);
    let mut start = 0u32;
    starts.push(start);
    for _ in 0..2 * corners {
        start = start.checked_add(db::take_u32(&mut payload)?)?;
        starts.push(start);
    }
    if start != count {
        return None;
    }
    let (edges, _) = payload.as_chunks();
    let edges: Vec<u32> = edges.iter().map(|edge| u32::from_le_bytes(*edge)).collect();
    let on_map = edges.iter().all(|&edge| (edge as usize) < corners);
    let graph = on_map.then_some(Graph { points, starts, edges });
    graph.filter(Graph::is_plausible)
}

impl Visibility {
    fn rebuild(
        &mut self,
        grid: &Grid,
        rule: Rule,
        progress: &dyn Fn(usize, usize),
    ) -> Result<(), Error> {
        self.graph = Graph::default();
        // On terrain every query is refused, so no graph is needed.
        if !grid.has_costs() {
            self.graph = Graph::build(grid, rule, self.threads, progress)?;
        }
        Ok(())
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
        let (frontier, Waiting(waiting)) = pool.get_two::<Frontier<Real>, Waiting>();
        let start = self.graph.points.len() as u32;
        if slice.is_fresh() {
            frontier.begin_with_parents(start as usize + 2, Real(1.0));
        }
        let mut taut = TautSearch {
            graph: &self.graph,
            problem,
            search: PointSearch::new(frontier, slice.stats, slice.trace),
            waiting,
            start,
            goal: start + 1,
            heuristic: problem.heuristic(),
            max_cost: problem.max_cost(),
        };
        if slice.fresh {
            let total = taut.estimate(problem.start());
            taut.search.seed(start, total);
            taut.search.nodes.set_parent(start, start);
        }
        let outcome = point_search::run(&mut taut, problem, slice.meter);
        if outcome == Outcome::Goal {
            taut.search.write_path(start, taut.goal, |node| taut.place(node), slice.path);
        }
        Ok(outcome)
    }

    /// Builds the whole graph again if any cell has changed: as costly as preparing it.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if !changes.is_empty() {
            self.rebuild(grid, moves.rule(), &|_, _| ())?;
        }
        Ok(Update::default())
    }

    /// Turning points, and the edges of a graph that has few enough to be looked at.
    fn layers(&self, _: &Grid) -> Vec<Layer> {
        const MOST_EDGES: usize = 200_000;
        let Graph { points, edges, .. } = &self.graph;
        let all = 0..points.len() as u32;
        let turns = all.clone().map(|point| (points.place(point).point(), Layer::NONE));
        let meaning = "corners at which a shortest path may turn";
        let mut layers =
            vec![Layer::new("turning points", meaning, Shapes::Points(turns.collect()))];
        if edges.len() <= MOST_EDGES {
            let links = all.flat_map(|point| {
                let groups = [Group::Upper, Group::Lower]
                    .into_iter()
                    .flat_map(move |g| self.graph.group(point, g));
                groups.filter(move |other| **other > point).map(move |&other| (point, other))
            });
            let at = |point: u32| points.place(point).point();
            let links = links.map(|(a, b)| (at(a), at(b))).collect();
            let meaning = "turning points that see each other along a taut line";
            layers.push(Layer::new("edges", meaning, Shapes::Links(links)));
        }
        layers
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("graph", self.graph.bytes())
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        let Graph { points, starts, edges } = &self.graph;
        let mut payload = Vec::with_capacity((starts.len() + edges.len() + 1) * 4);
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(points.len() as u32);
        add(edges.len() as u32);
        starts.windows(2).for_each(|pair| add(pair[1] - pair[0]));
        edges.iter().for_each(|&edge| add(edge));
        Some(db::seal(label(map, moves.rule()), &payload))
    }
}

/// The memory of a scan from the start: cones that have yet to go on.
#[derive(Debug, Default)]
struct Waiting(Vec<Cone>);

impl SearchMemory for Waiting {
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Cone>()
    }
}

/// A search over the graph.
struct TautSearch<'a> {
    graph: &'a Graph,
    problem: &'a Problem<'a>,
    search: PointSearch<'a>,
    waiting: &'a mut Vec<Cone>,
    /// The nodes behind those of the turning points.
    start: u32,
    goal: u32,
    heuristic: Heuristic,
    max_cost: f64,
}

/// A node that is being expanded.
#[derive(Clone, Copy, Debug)]
struct TautVisit {
    node: u32,
    at: Point,
    g: f64,
}

impl<'a> Expand<'a> for TautSearch<'a> {
    type Visit = TautVisit;

    #[inline]
    fn search(&mut self) -> &mut PointSearch<'a> {
        &mut self.search
    }

    fn goal(&self) -> u32 {
        self.goal
    }

    fn max_total(&self) -> f64 {
        // Totals are rounded; whether the path itself keeps the limit is decided by its cost.
        self.max_cost * (1.0 + 1e-12) + 1e-12
    }

    #[inline]
    fn settle(&mut self, node: u32, g: f64, _: u8) -> TautVisit {
        TautVisit { node, at: self.place(node), g }
    }

    #[inline]
    fn expand(&mut self, visit: TautVisit, total: f64) {
        self.search.record_expansion(visit.at, visit.g, total, || None);
        if visit.node == self.start {
            self.expand_start(&visit);
        } else {
            self.go_on(&visit);
        }
    }
}

impl TautSearch<'_> {
    #[inline]
    fn place(&self, node: u32) -> Point {
        match node {
            _ if node == self.start => self.problem.start(),
            _ if node == self.goal => self.problem.goal(),
            _ => self.graph.points.place(node).point(),
        }
    }

    #[inline]
    fn estimate(&self, at: Point) -> f64 {
        self.heuristic.length(at, self.problem.goal())
    }

    /// Offers the straight way from a node to another one.
    #[inline]
    fn reach(&mut self, from: &TautVisit, next: u32) {
        let there = self.place(next);
        let g = from.g + from.at.distance(there);
        if self.search.known(next) <= g {
            return;
        }
        if g > self.max_cost {
            *self.search.pruned = true;
            return;
        }
        let total = g + self.estimate(there);
        self.search.nodes.set_parent(next, from.node);
        self.search.offer((next, there), g, total, 0, || Some(from.at));
    }

    /// Goes straight to the goal if the start sees it, else to all that the start sees.
    fn expand_start(&mut self, visit: &TautVisit) {
        let clear = self.ends_meet();
        self.search.note_look(visit.at, self.problem.goal(), clear);
        if clear {
            self.reach(visit, self.goal);
            return;
        }
        let (problem, points) = (self.problem, &self.graph.points);
        let (rule, row) = (problem.moves().rule(), problem.start_cell().y);
        // Taken out, so that the scan can hold it while nodes are reached.
        let mut waiting = std::mem::take(self.waiting);
        let mut scan = Scan::new(problem.grid(), rule, points, visit.at, row, &mut waiting);
        scan.everywhere(&mut |next| self.reach(visit, next));
        *self.waiting = waiting;
    }

    /// Reaches the taut continuations of the way to a turning point.
    #[inline]
    fn go_on(&mut self, visit: &TautVisit) {
        let graph = self.graph;
        let place = graph.points.place(visit.node);
        let came_from = self.place(self.search.nodes.parent(visit.node));
        let group = Group::of(place, came_from).opposite();
        let turn = place.turn_into(group);
        let arrival = between(came_from, visit.at);
        let is_taut = |to: Point| {
            let bend = cross(arrival, between(visit.at, to));
            if turn == 0 { bend != 0 } else { turn * bend > 0 }
        };
        // The goal is no turning point, so only this end of the way to it has to be taut: in the
        // group's quarter or on its edge, and turning the right way.
        let goal = self.problem.goal();
        if place.holds(group, goal) && is_taut(goal) {
            let clear = self.goal_sees(visit.at);
            self.search.note_look(visit.at, goal, clear);
            if clear {
                self.reach(visit, self.goal);
            }
        }
        for &next in graph.group(visit.node, group) {
            if is_taut(graph.points.place(next).point()) {
                self.reach(visit, next);
            } else if turn != 0 {
                break; // they are sorted
            }
        }
    }

    /// Whether start and goal see each other. Under the strict rule either may lie on one side of a
    /// double corner.
    fn ends_meet(&self) -> bool {
        let (start, cell) = (self.problem.start(), self.problem.start_cell());
        let strict = !self.problem.moves().rule().squeezes();
        let leaves = start.as_corner().filter(|_| strict).is_none_or(|corner| {
            sight::side(self.problem.grid(), corner, self.problem.goal())
                .is_none_or(|side| side == cell)
        });
        leaves && self.goal_sees(start)
    }

    /// Whether the goal sees a point.
    fn goal_sees(&self, point: Point) -> bool {
        let (grid, rule) = (self.problem.grid(), self.problem.moves().rule());
        let (goal, cell) = (self.problem.goal(), self.problem.goal_cell());
        let arrives = goal
            .as_corner()
            .filter(|_| !rule.squeezes())
            .is_none_or(|corner| sight::side(grid, corner, point).is_none_or(|side| side == cell));
        arrives && sight::visible(grid, point, goal, rule)
    }
}
