//! The search: A* over the graph, with start and goal joined to it by scans.
//!
//! Leaving out turns that are not taut loses nothing. A* takes a node off the list with its least
//! cost, and if an optimal path goes on from there, then it does so whichever way that cost came
//! about, and an optimal path is taut everywhere or goes on straight. A straight continuation from
//! a to c past b needs no turn at b either, because a sees c.

use super::super::point_search::{Expand, PointSearch};
use super::graph::{Graph, Group, between, cross};
use super::lanes::{Bounds, Lanes};
use super::scan::{Cone, Scan};
use crate::engine::{Problem, SearchMemory};
use crate::geometry::sight;
use crate::{Heuristic, Point};

/// How start and goal are joined to the graph, and the memory of scans.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// Cones that have yet to go on.
    waiting: Vec<Cone>,
    /// The turning points that the goal sees, and how far they are, and those that the start sees.
    to_goal: Vec<(u32, f64)>,
    from_start: Vec<(u32, f64)>,
    /// The length of the shortest path known so far.
    best: f64,
    /// For each turning point the last search whose goal saw it.
    seen: Vec<u32>,
    search: u32,
    bounds: Option<Bounds>,
    /// The generation of labels that the bounds are for.
    generation: u64,
}

impl SearchMemory for Ends {
    fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<Cone>()
            + (self.to_goal.capacity() + self.from_start.capacity()) * size_of::<(u32, f64)>()
            + self.seen.capacity() * 4
    }
}

impl Ends {
    /// Begins a search in a graph of so many nodes.
    pub fn begin(&mut self, count: usize) {
        self.to_goal.clear();
        self.from_start.clear();
        self.bounds = None;
        self.best = f64::INFINITY;
        if self.seen.len() < count || self.search == u32::MAX {
            self.seen = vec![0; count];
            self.search = 0;
        }
        self.search += 1;
    }

    /// Finds the turning points that the goal sees.
    fn scan_from_goal(&mut self, graph: &Graph, lanes: &Lanes, problem: &Problem) {
        let Self { waiting, to_goal, seen, search, .. } = self;
        let (goal, row) = (problem.goal(), problem.goal_cell().y);
        let rule = problem.moves().rule();
        let mut scan = Scan::new(problem.grid(), rule, &graph.points, goal, row, waiting);
        scan.everywhere(&mut |number| {
            to_goal.push((number, graph.place(number).point().distance(goal)));
            seen[number as usize] = *search;
        });
        if problem.heuristic() == Heuristic::Euclidean && lanes.intact != 0 {
            self.bound(graph, lanes);
        }
    }

    /// Finds the turning points that the start sees. Those that the goal sees too make a path.
    fn scan_from_start(&mut self, graph: &Graph, problem: &Problem) {
        let Self { waiting, from_start, seen, search, best, .. } = self;
        let (start, row) = (problem.start(), problem.start_cell().y);
        let rule = problem.moves().rule();
        let mut scan = Scan::new(problem.grid(), rule, &graph.points, start, row, waiting);
        scan.everywhere(&mut |number| {
            let at = graph.place(number).point();
            let length = start.distance(at);
            from_start.push((number, length));
            if seen[number as usize] == *search {
                *best = best.min(length + at.distance(problem.goal()));
            }
        });
    }

    fn bound(&mut self, graph: &Graph, lanes: &Lanes) {
        let mut bounds = Bounds::default();
        for &(number, distance) in &self.to_goal {
            bounds.add(&graph.nodes[number as usize], distance);
        }
        bounds.mask(lanes.intact);
        self.bounds = Some(bounds);
        self.generation = lanes.generation;
    }

    /// Takes note that lanes may have been made since the last slice.
    pub fn keep_up(&mut self, graph: &Graph, lanes: &Lanes) {
        if self.bounds.is_some() && self.generation != lanes.generation {
            self.bound(graph, lanes);
        }
    }
}

/// A search over the graph.
pub(super) struct TautSearch<'a> {
    pub graph: &'a Graph,
    pub lanes: &'a Lanes,
    pub problem: &'a Problem<'a>,
    pub search: PointSearch<'a>,
    pub ends: &'a mut Ends,
    /// The nodes behind those of the turning points.
    pub start: u32,
    pub goal: u32,
    pub heuristic: Heuristic,
    pub max_cost: f64,
}

/// A node that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct TautVisit {
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
    pub fn place(&self, node: u32) -> Point {
        match node {
            _ if node == self.start => self.problem.start(),
            _ if node == self.goal => self.problem.goal(),
            _ => self.graph.place(node).point(),
        }
    }

    /// A lower bound of the distance from a turning point to the goal.
    #[inline]
    fn estimate(&self, node: u32, at: Point) -> f64 {
        let straight = self.heuristic.length(at, self.problem.goal());
        match &self.ends.bounds {
            Some(bounds) => bounds.estimate(&self.graph.nodes[node as usize]).max(straight),
            None => straight,
        }
    }

    /// Offers the straight way from a node to a turning point, if a path can go on from there.
    #[inline]
    fn reach(&mut self, from: &TautVisit, along: (i64, i64), next: u32, g: f64) {
        if self.search.known(next) <= g || !self.goes_on(next, along) {
            return;
        }
        if g > self.max_cost {
            *self.search.pruned = true;
            return;
        }
        let there = self.graph.place(next).point();
        let total = g + self.estimate(next, there);
        // Totals are rounded.
        if total > self.ends.best * (1.0 + 1e-12) {
            return;
        }
        self.search.nodes.set_parent(next, from.node);
        self.search.offer((next, there), g, total, 0, || Some(from.at));
    }

    /// Whether a path that arrives at a turning point in some direction can go on tautly, or at the
    /// goal. A third of the nodes need never be queued.
    #[inline]
    fn goes_on(&self, node: u32, along: (i64, i64)) -> bool {
        if self.ends.seen[node as usize] == self.ends.search {
            return true;
        }
        let place = self.graph.place(node);
        let group = Group::towards(place, (-along.0, -along.1)).opposite();
        let turn = place.turn_into(group);
        // They are sorted: if the first is not taut, none is.
        let first = self.graph.group(node, group).first();
        first.is_some_and(|edge| turn == 0 || turn * cross(along, edge.along()) > 0)
    }

    /// Offers the straight way from a node to the goal.
    fn reach_goal(&mut self, from: &TautVisit) {
        let goal = self.problem.goal();
        let g = from.g + from.at.distance(goal);
        if self.search.known(self.goal) <= g {
            return;
        }
        if g > self.max_cost {
            *self.search.pruned = true;
            return;
        }
        self.ends.best = self.ends.best.min(g);
        self.search.nodes.set_parent(self.goal, from.node);
        self.search.offer((self.goal, goal), g, g, 0, || Some(from.at));
    }

    /// Goes straight to the goal if the start sees it, else to all that the start sees.
    fn expand_start(&mut self, visit: &TautVisit) {
        let problem = self.problem;
        let (grid, moves) = (problem.grid(), problem.moves());
        let clear = sight::ends_meet(
            grid,
            (visit.at, problem.start_cell()),
            (problem.goal(), problem.goal_cell()),
            moves.rule(),
        );
        self.search.note_look(visit.at, problem.goal(), clear);
        if clear {
            self.reach_goal(visit);
            return;
        }
        self.ends.scan_from_goal(self.graph, self.lanes, problem);
        self.ends.scan_from_start(self.graph, problem);
        for index in 0..self.ends.from_start.len() {
            let (next, length) = self.ends.from_start[index];
            let along = between(visit.at, self.graph.place(next).point());
            self.reach(visit, along, next, length);
        }
    }

    /// Reaches the taut continuations of the way to a turning point.
    #[inline]
    fn go_on(&mut self, visit: &TautVisit) {
        let graph = self.graph;
        let place = graph.place(visit.node);
        let came_from = self.place(self.search.nodes.parent(visit.node));
        let group = Group::of(place, came_from).opposite();
        let turn = place.turn_into(group);
        let arrival = between(came_from, visit.at);
        let is_taut = |along: (i64, i64)| {
            let bend = cross(arrival, along);
            if turn == 0 { bend != 0 } else { turn * bend > 0 }
        };
        // The goal is no turning point, so only this end of the way to it has to be taut: in the
        // group's quarter or on its edge, and turning the right way.
        if self.ends.seen[visit.node as usize] == self.ends.search {
            let goal = self.problem.goal();
            if place.holds(group, goal) && is_taut(between(visit.at, goal)) {
                self.reach_goal(visit);
            }
        }
        for &edge in graph.group(visit.node, group) {
            if is_taut(edge.along()) {
                self.reach(visit, edge.along(), edge.to, visit.g + edge.length());
            } else if turn != 0 {
                break; // they are sorted
            }
        }
    }
}
