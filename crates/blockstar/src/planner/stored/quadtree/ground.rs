//! What both quadtree planners know about the map: leaves, and the cost of ways inside a leaf and
//! of steps out of it.

use super::leaves::{Leaf, Leaves};
use crate::engine::Problem;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::octile;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::{Cell, Grid, Rule};

/// A map, its leaves, and the costs of ways over it.
pub(super) struct Ground<'a, C> {
    pub grid: &'a Grid,
    pub leaves: &'a Leaves,
    pub step_costs: StepCosts<C>,
    steps: &'static StepTable,
    factors: Option<&'a [u16]>,
    diagonals: bool,
}

impl<'a, C: Cost> Ground<'a, C> {
    pub fn new(problem: &Problem<'a>, leaves: &'a Leaves) -> Self {
        let Problem { grid, moves, .. } = *problem;
        Self {
            grid,
            leaves,
            step_costs: StepCosts::new(grid, moves),
            steps: step_table(moves.rule()),
            factors: grid.factors(),
            diagonals: moves.rule() != Rule::Four,
        }
    }

    #[inline]
    pub fn node(&self, cell: Cell) -> u32 {
        self.grid.rows().position(cell.x, cell.y)
    }

    #[inline]
    pub fn cell(&self, node: u32) -> Cell {
        let (x, y) = self.grid.rows().coordinates(node);
        Cell::new(x, y)
    }

    /// The sum of the factors of two cells; 1 without terrain.
    #[inline]
    fn sum(&self, a: Cell, b: Cell) -> u32 {
        let factor = |factors: &[u16], cell| u32::from(factors[self.node(cell) as usize]);
        self.factors.map_or(1, |factors| factor(factors, a) + factor(factors, b))
    }

    /// The cost of the way between two cells of one leaf. There are no obstacles in between.
    #[inline]
    pub fn inside(&self, a: Cell, b: Cell) -> C {
        let StepCosts { straight, diagonal, .. } = self.step_costs;
        let (sum, dx, dy) = (self.sum(a, b), a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        match self.diagonals {
            true => octile(straight.times(sum), (diagonal - straight).times(sum), dx, dy),
            false => straight.times(sum).times(dx + dy),
        }
    }

    /// The cost of a step from a cell to its neighbour.
    #[inline]
    pub fn step(&self, a: Cell, b: Cell) -> C {
        let diagonal = a.x != b.x && a.y != b.y;
        let StepCosts { straight, diagonal: dear, .. } = self.step_costs;
        (if diagonal { dear } else { straight }).times(self.sum(a, b))
    }

    /// Where the way between two cells of one leaf bends, if it does: diagonally first, then
    /// straight; under the rule without diagonals along the row first.
    pub fn bend(&self, a: Cell, b: Cell) -> Option<Cell> {
        let towards = |from: u32, to: u32, by: u32| if to < from { from - by } else { from + by };
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        let bend = match self.diagonals {
            true => {
                let by = dx.min(dy);
                Cell::new(towards(a.x, b.x, by), towards(a.y, b.y, by))
            }
            false => Cell::new(b.x, a.y),
        };
        (bend != a && bend != b).then_some(bend)
    }

    /// The cells outside a leaf that a step leads to from a cell of it.
    #[inline]
    pub fn exits(&self, leaf: Leaf, from: Cell) -> impl Iterator<Item = Cell> {
        let legal = self.steps[self.grid.rows().around(self.node(from))];
        (0..8).filter(move |d| legal >> d & 1 != 0).map(Direction).filter_map(move |d| {
            let to =
                Cell::new(from.x.wrapping_add_signed(d.dx()), from.y.wrapping_add_signed(d.dy()));
            (!leaf.contains(to)).then_some(to)
        })
    }
}
