//! What a search has to solve: a map, a movement rule, and a question that passed the
//! [gate](super::gate).

use crate::engine::gate::Task;
use crate::grid::components::Components;
use crate::rules::moves::{Direction, step_table};
use crate::{Cell, Grid, Heuristic, Moves, Point, Query};

/// Does something with costs of the width that a problem needs: `by_width!(problem, C => search::<C>(..))`.
macro_rules! by_width {
    ($problem:expr, $cost:ident => $act:expr) => {
        if $problem.is_wide() {
            type $cost = u64;
            $act
        } else {
            type $cost = u32;
            $act
        }
    };
}
pub(crate) use by_width;

/// A map, a movement rule, and a question with a start and a goal that are connected, unless the
/// cells that the query avoids, or slope limits, come between them.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    pub(crate) grid: &'a Grid,
    /// The map with all its cells.
    pub(crate) map: &'a Grid,
    /// The cells in which the two differ, and perhaps one more.
    pub(crate) masked: &'a [Cell],
    pub(crate) moves: Moves,
    pub(crate) task: &'a Task,
    pub(crate) components: &'a Components,
}

impl<'a> Problem<'a> {
    /// The map: without the cells that the query [avoids](Query::avoid), if it does.
    pub fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// The movement rule.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// The question as it was asked.
    pub fn query(&self) -> &'a Query {
        &self.task.query
    }

    /// Where the search starts.
    pub fn start(&self) -> Point {
        self.task.start
    }

    /// Where it should end: the goal of the query, or the reachable point nearest to it if the
    /// query [asks](Query::nearest) for that.
    pub fn goal(&self) -> Point {
        self.task.goal
    }

    /// The cell of the start.
    pub fn start_cell(&self) -> Cell {
        self.task.start_cell
    }

    /// The cell of the goal.
    pub fn goal_cell(&self) -> Cell {
        self.task.goal_cell
    }

    /// The heuristic to use: the query's, or the planner's default.
    pub fn heuristic(&self) -> Heuristic {
        self.task.heuristic
    }

    /// The most expansions that the query permits.
    pub fn max_expansions(&self) -> u64 {
        self.task.query.expansion_limit().unwrap_or(u64::MAX)
    }

    /// The highest cost that the query permits.
    pub fn max_cost(&self) -> f64 {
        self.task.query.cost_limit().unwrap_or(f64::INFINITY)
    }

    /// Whether the search runs on wide costs: because the method [said
    /// so](super::Method::needs_wide), or because narrow ones overflowed.
    pub fn is_wide(&self) -> bool {
        self.task.wide
    }

    /// The cells one step away from a cell, with the cost of the step: under a rule that steps from
    /// cell to cell, and without slopes.
    pub fn steps(&self, from: Cell) -> impl Iterator<Item = (Cell, f64)> + use<'a> {
        let (grid, diagonal) = (self.grid, self.moves.diagonal().length());
        let legal = match grid.is_free(from) {
            true => {
                let node = grid.rows().position(from.x, from.y);
                step_table(self.moves.rule())[grid.rows().around(node)]
            }
            false => 0,
        };
        (0..8).map(Direction).filter(move |d| legal >> d.0 & 1 != 0).map(move |d| {
            let (x, y) = (from.x.wrapping_add_signed(d.dx()), from.y.wrapping_add_signed(d.dy()));
            let to = Cell::new(x, y);
            let length = if d.is_diagonal() { diagonal } else { 1.0 };
            (to, length * (grid.cost(from) + grid.cost(to)) / 2.0)
        })
    }

    /// The node of the start's cell.
    pub(crate) fn start_node(&self) -> u32 {
        self.grid.rows().position(self.task.start_cell.x, self.task.start_cell.y)
    }

    /// The node of the goal's cell.
    pub(crate) fn goal_node(&self) -> u32 {
        self.grid.rows().position(self.task.goal_cell.x, self.task.goal_cell.y)
    }

    /// Whether there is a way between the cells of two nodes.
    pub(crate) fn connects(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|node| self.grid.rows().coordinates(node));
        self.components.connected(Cell::new(a.0, a.1), Cell::new(b.0, b.1))
    }
}
