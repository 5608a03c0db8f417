//! The space of single steps from cell to cell.

use crate::engine::best_first::Space;
use crate::grid::bits::Bits;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::{Cell, Grid, Moves, Point};

/// Steps between cells. With wide costs they depend on the terrain, if there is any.
pub(crate) struct Cells<'a, C> {
    bits: &'a Bits,
    steps: &'static StepTable,
    /// Terrain factors; empty without terrain.
    factors: &'a [u16],
    step_costs: StepCosts<C>,
    estimator: Estimator<C>,
    /// What each direction adds to a node.
    offsets: [i32; 8],
}

impl<'a, C: Cost> Cells<'a, C> {
    pub fn new(
        grid: &'a Grid,
        moves: Moves,
        step_costs: StepCosts<C>,
        estimator: Estimator<C>,
    ) -> Self {
        let bits = grid.rows();
        let stride = bits.stride() as i32;
        let offsets = std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride);
        let factors = grid.factors().unwrap_or(&[]);
        Self { bits, steps: step_table(moves.rule()), factors, step_costs, estimator, offsets }
    }
}

impl<C: Cost> Space<C> for Cells<'_, C> {
    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        let mut legal = self.steps[self.bits.around(node)];
        // Never straight back to where it came from.
        if tag < 8 {
            legal &= !(1 << ((tag + 4) & 7));
        }
        while legal != 0 {
            let d = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let next = node.wrapping_add_signed(self.offsets[d]);
            let unit = if d & 1 != 0 { self.step_costs.diagonal } else { self.step_costs.straight };
            let step = if C::WIDE && !self.factors.is_empty() {
                let sum =
                    u32::from(self.factors[node as usize]) + u32::from(self.factors[next as usize]);
                unit.times(sum)
            } else {
                unit
            };
            reach(next, step, d as u8);
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let (x, y) = self.bits.coordinates(node);
        self.estimator.estimate(x, y)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        node.wrapping_add_signed(-self.offsets[tag as usize & 7])
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.bits.coordinates(node);
        Cell::new(x, y).centre()
    }
}
