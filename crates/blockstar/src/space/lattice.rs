//! The space of eight-way steps between the corner points of cells, for the any-angle rules.
//!
//! Published comparisons of any-angle planners run their A* on this lattice. Its nodes are those of
//! [`Corners`], which include centres where slopes are limited. Start and goal may be any points.

use super::corners::{Corners, LINK, NE, NW, SE, SW};
use crate::engine::best_first::Space;
use crate::engine::gate::Task;
use crate::geometry::path::segment_cost;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::{Cell, Grid, Heuristic, Moves, Point};

/// Steps between corner points.
pub(crate) struct Lattice<'a, C> {
    grid: &'a Grid,
    corners: Corners<'a>,
    step_costs: StepCosts<C>,
    /// In half cells if there are centres.
    estimator: Estimator<C>,
    moves: Moves,
}

impl<'a, C: Cost> Lattice<'a, C> {
    pub fn new(
        grid: &'a Grid,
        moves: Moves,
        step_costs: StepCosts<C>,
        heuristic: Heuristic,
        task: &Task,
    ) -> Self {
        // If the goal is not a corner, the estimate is that of the rectangle of the corners around
        // it: the last stretch is shorter than any octile estimate of it.
        let floor = |v: i32| v.div_euclid(Point::UNITS) as u32;
        let ceil = |v: i32| (v + Point::UNITS - 1).div_euclid(Point::UNITS) as u32;
        let low = (floor(task.goal.ux()), floor(task.goal.uy()));
        let high = (ceil(task.goal.ux()), ceil(task.goal.uy()));
        let estimator = Estimator::to_rectangle(heuristic, &step_costs, low, high);
        let corners = Corners::new(grid, moves, task);
        let estimator = if corners.has_centres() { estimator.in_halves() } else { estimator };
        Self { grid, corners, step_costs, estimator, moves }
    }

    pub fn corners(&self) -> &Corners<'a> {
        &self.corners
    }

    /// The cost of a straight segment inside a cell.
    fn inside(&self, cell: Cell, a: u32, b: u32) -> C {
        let length = self.corners.place(a).distance(self.corners.place(b));
        let cost = length * self.grid.cost(cell) * self.step_costs.units_per_cell();
        // Rounded down, so that an integer cost never exceeds the true one and a cost limit never
        // loses a path that just meets it.
        C::from_u64(cost as u64)
    }

    /// The cost of the link between an end that is not a corner and another node.
    fn link(&self, from: u32, to: u32) -> C {
        let (start, goal) = (self.corners.start(), self.corners.goal());
        let cheapest = if (from, to) == (start, goal) {
            self.corners.shared_cells().map(|cell| self.inside(cell, from, to)).min()
        } else {
            let (end, node) = if to == goal { (to, from) } else { (from, to) };
            self.corners.link_cells(node, end).map(|cell| self.inside(cell, from, to)).min()
        };
        cheapest.unwrap_or(C::MAX)
    }

    /// The cost of the segment to a neighbour on slopes, unless it is too steep.
    fn over_slope(&self, from: u32, to: u32) -> Option<C> {
        let (a, b) = (self.corners.place(from), self.corners.place(to));
        let cost = segment_cost(self.grid, self.moves, a, b);
        // Rounded down, as inside a cell.
        let units = cost * self.step_costs.units_per_cell();
        (cost < f64::INFINITY).then(|| C::from_u64(units as u64))
    }

    /// The cost of a step from a corner. On weighted terrain, the cheaper side of a grid line
    /// counts.
    #[inline]
    fn step(&self, node: u32, d: u8) -> C {
        let unit = if d & 1 != 0 { self.step_costs.diagonal } else { self.step_costs.straight };
        let Some(factors) = self.grid.factors() else { return unit };
        let corner = self.corners.corner(node);
        let quad = self.corners.own_quad(node);
        let stride = self.grid.rows().stride();
        let factor = |bit: u32| {
            let position = match bit {
                NW => corner - stride - 1,
                NE => corner - stride,
                SW => corner - 1,
                _ => corner,
            };
            if quad & bit != 0 { u32::from(factors[position as usize]) } else { u32::MAX }
        };
        let cheaper = match d {
            0 => factor(NW).min(factor(NE)),
            1 => factor(NE),
            2 => factor(NE).min(factor(SE)),
            3 => factor(SE),
            4 => factor(SW).min(factor(SE)),
            5 => factor(SW),
            6 => factor(NW).min(factor(SW)),
            _ => factor(NW),
        };
        unit.times(2 * cheaper)
    }
}

impl<C: Cost> Space<C> for Lattice<'_, C> {
    #[inline]
    fn keeps_links(&self) -> bool {
        true
    }

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        if self.moves.slope().is_some() {
            self.corners.neighbours(node, |next, d| {
                if let Some(step) = self.over_slope(node, next) {
                    reach(next, step, d);
                }
            });
            return;
        }
        self.corners.neighbours(node, |next, d| {
            if d == LINK {
                reach(next, self.link(node, next), LINK);
            } else if tag >= 8 || d != (tag + 4) & 7 {
                reach(next, self.step(node, d), d);
            }
        });
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        if self.corners.is_free_end(node) {
            return C::ZERO;
        }
        let (x, y) = match self.corners.has_centres() {
            true => self.corners.halves(node),
            false => self.corners.coordinates(node),
        };
        self.estimator.estimate(x, y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        self.corners.place(node)
    }
}
