//! A*, Dijkstra, greedy best-first and weighted A*: one planner with four priorities.
//!
//! Under the cell rules they step from cell to cell, under the any-angle rules over the lattice of
//! corner points ([`lattice`](crate::space::lattice)), which published any-angle planners are
//! compared with.
//!
//! * `astar` orders by g + h. Optimal.
//! * `dijkstra` is A* without an estimate (P. Hart et al. called it h = 0). Optimal.
//! * `weighted-astar` orders by g + w·h (I. Pohl, 1970) and expands no node twice; with a
//!   consistent heuristic the path costs at most w times the optimum. w = 1.5 unless the query says
//!   otherwise.
//! * `greedy` orders by h alone: fast, without a promise about the cost.
//!
//! On slopes they step over [`hills`](crate::space::hills); there the graph is directed, and a goal
//! may be out of reach although the map is connected. Under the any-angle rules with slope limits,
//! the lattice also has the centres of cells, so that a way is found wherever cell steps find one.

use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::frontier::Frontier;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, by_width};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::corners::Corners;
use crate::space::hills::Hills;
use crate::space::lattice::Lattice;
use crate::{Algorithm, Heuristic, Promise, Query, Rule};

/// What the four rows have in common.
const BASE: Algorithm = Algorithm {
    promise: Promise::Optimal,
    rules: Rule::ALL,
    terrain: true,
    heights: true,
    free_points: true,
    lattice: true,
    avoids: true,
    partial: true,
    ..Algorithm::BASE
};

/// The rows, each with the kind of search, its name, a line about it, where it was published, and
/// what differs from [`BASE`].
macro_rules! rows {
    ($($row:ident = $kind:ident, $name:literal, $summary:literal, $source:literal $(, $field:ident: $value:expr)*;)*) => {
        $(
            pub(crate) const $row: Algorithm = Algorithm {
                name: $name,
                summary: $summary,
                source: $source,
                $($field: $value,)*
                make: |_, grid, moves| {
                    Ok(Driver::boxed(AStar { kind: AStarKind::$kind }, grid, moves))
                },
                ..BASE
            };
        )*
    };
}

rows! {
    ASTAR = AStar, "astar",
        "A*: the yardstick; expands in order of cost so far plus estimate",
        "Hart, Nilsson & Raphael 1968";
    DIJKSTRA = Dijkstra, "dijkstra",
        "Dijkstra's algorithm: A* without an estimate",
        "Dijkstra 1959";
    GREEDY = Greedy, "greedy",
        "Greedy best-first search: runs for the goal, whatever the detour",
        "Doran & Michie 1966",
        promise: Promise::Complete;
    WEIGHTED_ASTAR = Weighted, "weighted-astar",
        "Weighted A*: at most w times the optimum (query weight, default 1.5), sooner",
        "Pohl 1970",
        promise: Promise::Within(DEFAULT_WEIGHT), weight: true;
}

/// The weight of weighted A* unless the query names one.
const DEFAULT_WEIGHT: f64 = 1.5;

/// Which of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AStarKind {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
}

#[derive(Clone, Debug)]
pub(crate) struct AStar {
    pub kind: AStarKind,
}

impl AStar {
    fn heuristic(&self, problem: &Problem<'_>) -> Heuristic {
        if self.kind == AStarKind::Dijkstra { Heuristic::Zero } else { problem.heuristic() }
    }

    fn priority(&self, query: &Query) -> Priority {
        match self.kind {
            AStarKind::AStar | AStarKind::Dijkstra => Priority::AStar,
            AStarKind::Greedy => Priority::Greedy,
            AStarKind::Weighted => {
                let weight = query.chosen_weight().unwrap_or(DEFAULT_WEIGHT);
                // Rounded down: the promise is "at most w times".
                Priority::Weighted((weight * 1024.0) as u32)
            }
        }
    }

    /// Chooses the space to search.
    fn search_on<C: Cost>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        frontier: &mut Frontier<C>,
    ) -> Outcome {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<C>::new(grid, moves);
        let heuristic = self.heuristic(problem);
        let goal = problem.goal_cell();
        if moves.rule().is_any_angle() {
            let space = Lattice::new(grid, moves, step_costs, heuristic, problem.task);
            let (start, goal) = (space.corners().start(), space.corners().goal());
            let ends = (Corners::count(grid, moves), start, goal);
            return self.run(problem, step_costs, &space, ends, slice, frontier);
        }
        let ends = (grid.rows().positions(), problem.start_node(), problem.goal_node());
        if C::WIDE
            && let Some(slope) = moves.slope()
        {
            let space =
                Hills::new(grid, (moves, slope), &step_costs, heuristic, goal, Way::Forward);
            return self.run(problem, step_costs, &space, ends, slice, frontier);
        }
        let estimator = Estimator::new(heuristic, &step_costs, (goal.x, goal.y));
        let space = Cells::new(grid, moves, step_costs, estimator);
        self.run(problem, step_costs, &space, ends, slice, frontier)
    }

    /// Searches a space of `count` nodes from `start` to `goal`.
    fn run<C: Cost, S: Space<C>>(
        &self,
        problem: &Problem<'_>,
        step_costs: StepCosts<C>,
        space: &S,
        (count, start, goal): (usize, u32, u32),
        slice: &mut Slice<'_>,
        frontier: &mut Frontier<C>,
    ) -> Outcome {
        let priority = self.priority(problem.query());
        let orders = Orders::new(problem, step_costs, priority, self.heuristic(problem), goal);
        if slice.is_fresh() {
            frontier.begin(count, step_costs.usual_step());
            frontier.seed(space, &orders, start, C::ZERO);
        }
        best_first::search(space, &orders, frontier, slice)
    }
}

impl Method for AStar {
    fn row(&self) -> &'static Algorithm {
        match self.kind {
            AStarKind::AStar => &ASTAR,
            AStarKind::Dijkstra => &DIJKSTRA,
            AStarKind::Greedy => &GREEDY,
            AStarKind::Weighted => &WEIGHTED_ASTAR,
        }
    }

    /// Terrain and slopes multiply units by 512, a free point must not be rounded to 1/5741, and
    /// large weights make large totals.
    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        let moves = problem.moves();
        let off_lattice = moves.rule().is_any_angle()
            && [problem.start(), problem.goal()].iter().any(|point| point.as_corner().is_none());
        let heavy = problem.query().chosen_weight().is_some_and(|weight| weight > 8.0);
        problem.grid().has_costs() || moves.slope().is_some() || off_lattice || heavy
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(by_width!(problem, C => self.search_on::<C>(problem, slice, pool.get())))
    }
}
