//! The best partial path of a search that a limit has ended, for [`Query::partial`](crate::Query::partial).
//!
//! Searches report what they expand, if someone wants to know, and write the path to the node that
//! seems closest to the goal. Which one that is, is decided here, once for all: by the heuristic
//! between points on flat, plain ground, so that all planners agree, even Dijkstra's algorithm.

use crate::engine::gate::Task;
use crate::{Grid, Heuristic, Moves, Path, Point};

/// The expanded node that seems closest to the goal.
#[derive(Debug, Default)]
pub(crate) struct Closest {
    target: Option<Target>,
    best: Option<Candidate>,
}

/// The goal to come close to, and the cost limit.
#[derive(Clone, Copy, Debug)]
struct Target {
    goal: Point,
    heuristic: Heuristic,
    max_cost: f64,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    estimate: f64,
    cost: f64,
    node: u64,
}

impl Target {
    fn new(task: &Task, moves: Moves) -> Self {
        let heuristic = match task.heuristic {
            Heuristic::Zero => Heuristic::default_for(moves),
            heuristic => heuristic,
        };
        let max_cost = task.query.cost_limit().unwrap_or(f64::INFINITY);
        Self { goal: task.goal, heuristic, max_cost }
    }

    fn estimate(&self, at: Point) -> f64 {
        self.heuristic.length(at, self.goal)
    }
}

impl Closest {
    /// Begins a search.
    pub fn begin(&mut self, task: &Task, moves: Moves) {
        self.best = None;
        self.target = task.query.wants_partial().then(|| Target::new(task, moves));
    }

    /// Whether anyone wants to know.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.target.is_some()
    }

    /// Notes an expanded node, where it is, and the cost of getting there.
    pub fn offer(&mut self, node: impl Into<u64>, at: Point, cost: f64) {
        let Some(target) = self.target.filter(|target| cost <= target.max_cost) else { return };
        let estimate = target.estimate(at);
        if self.best.is_none_or(|best| (estimate, cost) < (best.estimate, best.cost)) {
            self.best = Some(Candidate { estimate, cost, node: node.into() });
        }
    }

    /// The closest node so far; of equally close ones the cheapest.
    pub fn node(&self) -> Option<u64> {
        self.best.map(|best| best.node)
    }

    /// The same, as a 32-bit number.
    pub fn small_node(&self) -> Option<u32> {
        self.node().and_then(|node| node.try_into().ok())
    }
}

/// Turns the path of a search that met a limit, or a path that costs too much, into the answer:
/// from the start to the closest of its points within the limit.
pub(crate) fn cut(path: &mut Path, task: &Task, grid: &Grid, moves: Moves) {
    if path.is_empty() {
        path.push(task.start);
    }
    let target = Target::new(task, moves);
    path.price(grid, moves);
    while path.cost() > target.max_cost && path.points().len() > 1 {
        path.points_mut().pop();
        path.price(grid, moves);
    }
    let estimates = path.points().iter().map(|&at| target.estimate(at));
    let closest = estimates.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((index, _)) = closest.filter(|(index, _)| index + 1 < path.points().len()) {
        path.points_mut().truncate(index + 1);
        path.price(grid, moves);
    }
}
