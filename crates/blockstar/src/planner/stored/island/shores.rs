//! The space of steps from cell to cell, with one node beyond the map that means an island has been
//! reached.
//!
//! An island leads there at the estimate of the way onward. So the search ends at the island where
//! the sum of cost and estimate is least, not at the first one it reaches.

use super::chain::{Island, MOST};
use crate::engine::best_first::Space;
use crate::grid::bits::Bits;
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Grid, Heuristic, Moves, Point};

/// Cells, and islands to come to.
pub(super) struct Shores<'a> {
    cells: Cells<'a, u64>,
    bits: &'a Bits,
    /// The islands; the first repeated where there are fewer.
    targets: [Target; MOST],
    count: usize,
    /// The node beyond the map.
    pub end: u32,
}

#[derive(Clone, Copy)]
struct Target {
    estimator: Estimator<u64>,
    node: u32,
    onward: u64,
}

impl<'a> Shores<'a> {
    /// The way to one of some islands, at least one and at most [`MOST`].
    pub fn new(
        (grid, moves): (&'a Grid, Moves),
        step_costs: StepCosts<u64>,
        heuristic: Heuristic,
        islands: &[Island],
    ) -> Self {
        let bits = grid.rows();
        let target = |index: usize| {
            let Island { node, onward } = islands[if index < islands.len() { index } else { 0 }];
            let estimator = Estimator::new(heuristic, &step_costs, bits.coordinates(node));
            Target { estimator, node, onward }
        };
        let targets = std::array::from_fn(target);
        let cells = Cells::new(grid, moves, step_costs, targets[0].estimator);
        let (count, end) = (islands.len().min(MOST), bits.positions() as u32);
        Self { cells, bits, targets, count, end }
    }
}

impl Space<u64> for Shores<'_> {
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, u64, u8)) {
        self.cells.expand(node, tag, &mut reach);
        for (index, target) in self.targets[..self.count].iter().enumerate() {
            if target.node == node {
                reach(self.end, target.onward, index as u8);
            }
        }
    }

    fn estimate(&self, node: u32) -> u64 {
        if node == self.end {
            return 0;
        }
        let (x, y) = self.bits.coordinates(node);
        let ways = self.targets[..self.count].iter();
        ways.map(|to| to.estimator.estimate(x, y) + to.onward).min().unwrap_or(0)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        match node == self.end {
            true => self.targets[usize::from(tag) % MOST].node,
            false => self.cells.back(node, tag),
        }
    }

    fn place(&self, node: u32) -> Point {
        self.cells.place(if node == self.end { self.targets[0].node } else { node })
    }
}
