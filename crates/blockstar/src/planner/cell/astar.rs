//! A*, Dijkstra, greedy best-first and weighted A*: one planner with four priorities.
//!
//! Under the cell rules they step from cell to cell, under the any-angle rules over the lattice of
//! corner points ([`lattice`](crate::space::lattice)), which is what published any-angle planners are
//! compared with.
//!
//! * `astar` orders by g + h. Optimal.
//! * `dijkstra` is A* without an estimate (P. Hart et al. called it h = 0). Optimal.
//! * `weighted-astar` orders by g + w·h (I. Pohl, 1970) and expands no node twice; with a consistent
//!   heuristic the path costs at most w times the optimum. w = 1.5 unless the query says otherwise.
//! * `greedy` orders by h alone: fast, and no promise about the cost.
//!
//! On slopes they step over [`hills`](crate::space::hills); there the graph is directed, and a goal may be out
//! of reach although the map is connected. Under the any-angle rules with limits of slope the lattice
//! has the centres of cells too, so that they find a way wherever cell steps do.

use crate::engine::best_first::{self, Orders, Outcome, Priority, Search, Space, Work};
use crate::engine::gate::Desk;
use crate::engine::scratch::Task;
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::corners::Corners;
use crate::space::hills::Hills;
use crate::space::lattice::Lattice;
use crate::{Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Query, Scratch, Status};

/// Which of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
}

/// The weight of weighted A* unless the query names one.
pub(crate) const DEFAULT_WEIGHT: f64 = 1.5;

#[derive(Debug)]
pub(crate) struct AStar {
    kind: Kind,
    desk: Desk,
}

impl AStar {
    pub fn new(name: &'static str, kind: Kind, grid: &Grid, moves: Moves) -> Self {
        Self { kind, desk: Desk::new(name, grid, moves) }
    }

    fn heuristic(&self, query: &Query) -> Heuristic {
        if self.kind == Kind::Dijkstra { Heuristic::Zero } else { self.desk.heuristic(query) }
    }

    fn priority(&self, query: &Query) -> Priority {
        match self.kind {
            Kind::AStar | Kind::Dijkstra => Priority::AStar,
            Kind::Greedy => Priority::Greedy,
            Kind::Weighted => {
                let weight = query.chosen_weight().unwrap_or(DEFAULT_WEIGHT);
                // Rounded down: the promise is "at most w times".
                Priority::Weighted((weight * 1024.0) as u32)
            }
        }
    }

    /// Runs over steps between cells.
    fn run_cells<C: Cost, S: Space<C>>(
        &self,
        grid: &Grid,
        task: &Task,
        tariff: Tariff<C>,
        heuristic: Heuristic,
        space: &S,
        mut work: Work<'_, C>,
    ) -> Outcome {
        let (start, goal) = (task.start_cell, task.goal_cell);
        let goal = grid.rows().position(goal.x, goal.y);
        let orders = self.orders(grid, task, tariff, heuristic, goal);
        if work.fresh {
            work.frontier.begin(grid.rows().positions(), tariff.usual_step());
            work.seed(space, &orders, grid.rows().position(start.x, start.y), C::ZERO);
        }
        work.run(space, &orders)
    }

    fn search_cells<C: Cost, const WEIGHTED: bool>(
        &self,
        grid: &Grid,
        task: &Task,
        tariff: Tariff<C>,
        heuristic: Heuristic,
        work: Work<'_, C>,
    ) -> Outcome {
        let goal = task.goal_cell;
        let estimator = Estimator::new(heuristic, &tariff, (goal.x, goal.y));
        let space = Cells::<C, WEIGHTED>::new(grid, self.desk.moves(), tariff, estimator);
        self.run_cells(grid, task, tariff, heuristic, &space, work)
    }

    fn orders<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        tariff: Tariff<C>,
        heuristic: Heuristic,
        goal: u32,
    ) -> Orders<C> {
        let admissible = heuristic.is_admissible(self.desk.moves());
        Orders::new(grid, task, tariff, self.priority(&task.query), goal, admissible)
    }
}

impl Search for AStar {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn search<C: Cost>(&self, grid: &Grid, task: &Task, mut work: Work<'_, C>) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.heuristic(&task.query);
        if let Some(slope) = moves.slope()
            && !moves.rule().is_any_angle()
        {
            let end = task.goal_cell;
            let space = Hills::new(grid, (moves, slope), &tariff, heuristic, end, Way::Forward);
            return self.run_cells(grid, task, tariff, heuristic, &space, work);
        }
        if !moves.rule().is_any_angle() {
            return if grid.has_costs() {
                self.search_cells::<C, true>(grid, task, tariff, heuristic, work)
            } else {
                self.search_cells::<C, false>(grid, task, tariff, heuristic, work)
            };
        }
        let space = Lattice::new(grid, moves, tariff, heuristic, task);
        let orders = self.orders(grid, task, tariff, heuristic, space.corners().goal());
        if work.fresh {
            let nodes = Corners::count(grid, moves);
            work.frontier.begin(nodes, tariff.usual_step());
            work.seed(&space, &orders, space.corners().start(), C::ZERO);
        }
        work.run(&space, &orders)
    }
}

impl Planner for AStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)?;
        if let Some(task) = &mut scratch.task {
            // Terrain and slopes multiply units by 512, a free point must not be rounded to 1/5741,
            // and large weights make large totals.
            let off_lattice = self.desk.moves().rule().is_any_angle()
                && [task.start, task.goal].iter().any(|point| point.as_corner().is_none());
            let heavy = query.chosen_weight().is_some_and(|weight| weight > 8.0);
            let sloped = self.desk.moves().slope().is_some();
            task.wide = grid.has_costs() || sloped || off_lattice || heavy;
        }
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        best_first::resume(self, grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<(), Error> {
        self.desk.update(grid);
        Ok(())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
