//! The space of steps from cell to cell over slopes ([`Slope`](crate::Slope)).
//!
//! A step up and the same step down differ in cost, and one of them may be impossible, so the graph
//! is directed. A search from the goal takes every step backwards.
//!
//! The estimate is the one for flat ground plus the penalty for the net height to the goal. Both
//! are consistent to the last unit: no step is shorter than the flat one, and the penalties of
//! single steps add up to at least the penalty for the whole height.

use crate::engine::best_first::Space;
use crate::engine::memory_pool::SearchMemory;
use crate::engine::nodes::ROOT;
use crate::grid::bits::Bits;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::rules::slope::{Incline, Slope, Way};
use crate::{Cell, Grid, Heuristic, Moves, Point, Rule};

/// Steps between cells. Their cost depends on heights.
pub(crate) struct Hills<'a, C> {
    /// By position; empty on a map without heights.
    heights: &'a [f32],
    factors: Option<&'a [u16]>,
    bits: &'a Bits,
    steps: &'static StepTable,
    incline: Incline,
    estimator: Estimator<C>,
    /// Whether the estimate includes penalties.
    informed: bool,
    /// The height at the end of the estimated way.
    level: f32,
    way: Way,
    /// What each direction adds to a node.
    offsets: [i32; 8],
}

impl<'a, C: Cost> Hills<'a, C> {
    /// The steps under a slope rule, with estimates of the way to `end`, or from it if backwards.
    pub fn new(
        grid: &'a Grid,
        (moves, slope): (Moves, Slope),
        step_costs: &StepCosts<C>,
        heuristic: Heuristic,
        end: Cell,
        way: Way,
    ) -> Self {
        let bits = grid.rows();
        let stride = bits.stride() as i32;
        Self {
            heights: grid.heights().unwrap_or(&[]),
            factors: grid.factors(),
            bits,
            steps: step_table(moves.rule()),
            incline: Incline::new(moves, slope),
            estimator: Estimator::new(heuristic, step_costs, (end.x, end.y)),
            informed: heuristic != Heuristic::Zero && slope.has_penalties(),
            level: grid.height_at(end).unwrap_or(0.0),
            way,
            offsets: std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride),
        }
    }
}

impl<C> Hills<'_, C> {
    #[inline]
    fn height(&self, node: u32) -> f32 {
        self.heights.get(node as usize).copied().unwrap_or(0.0)
    }
}

impl<C: Cost> Space<C> for Hills<'_, C> {
    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        let mut legal = self.steps[self.bits.around(node)];
        // Never straight back to where it came from.
        if tag < 8 {
            legal &= !(1 << ((tag + 4) & 7));
        }
        let here = self.height(node);
        while legal != 0 {
            let d = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let next = node.wrapping_add_signed(self.offsets[d]);
            let (from, to) = match self.way {
                Way::Forward => (here, self.height(next)),
                Way::Backward => (self.height(next), here),
            };
            let sum = self.factors.map_or(Incline::ONE, |factors| {
                u32::from(factors[node as usize]) + u32::from(factors[next as usize])
            });
            if let Some(step) = self.incline.step(from, to, sum, d & 1 != 0) {
                reach(next, C::from_u64(step), d as u8);
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let (x, y) = self.bits.coordinates(node);
        let flat = self.estimator.estimate(x, y);
        if !self.informed {
            return flat;
        }
        let here = self.height(node);
        let penalty = match self.way {
            Way::Forward => self.incline.penalty(here, self.level),
            Way::Backward => self.incline.penalty(self.level, here),
        };
        flat + C::from_u64(penalty)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        node.wrapping_add_signed(-self.offsets[tag as usize & 7])
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.bits.coordinates(node);
        Cell::new(x, y).centre()
    }
}

/// A flood: the cells that can be reached from one cell, for cases that component labels cannot
/// decide.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    reached: Vec<u64>,
    waiting: Vec<u32>,
}

impl Reach {
    /// Floods from a free cell; `limits` are the slope limits, if any.
    pub fn flood(&mut self, grid: &Grid, moves: Moves, limits: Option<Slope>, start: Cell) {
        if let Some(slope) = limits {
            let step_costs = StepCosts::<u64>::new(grid, moves);
            let rule = (moves, slope);
            let space = Hills::new(grid, rule, &step_costs, Heuristic::Zero, start, Way::Forward);
            self.flood_by(grid, start, |node, enter| {
                space.expand(node, ROOT, |to, _, _| enter(to));
            });
            return;
        }
        // All rules connect the same cells as one of these two.
        let rule = if moves.rule().squeezes() { Rule::EightCutAny } else { Rule::Four };
        let (bits, steps) = (grid.rows(), step_table(rule));
        let stride = bits.stride() as i32;
        self.flood_by(grid, start, |node, enter| {
            let legal = steps[bits.around(node)];
            for d in (0..8).filter(|d| legal >> d & 1 != 0) {
                enter(node.wrapping_add_signed(Direction::DX[d] + Direction::DY[d] * stride));
            }
        });
    }

    fn flood_by(&mut self, grid: &Grid, start: Cell, expand: impl Fn(u32, &mut dyn FnMut(u32))) {
        let bits = grid.rows();
        let Self { reached, waiting } = self;
        reached.clear();
        reached.resize(bits.positions().div_ceil(64), 0);
        waiting.clear();
        let mut enter = |node: u32, waiting: &mut Vec<u32>| {
            let (word, bit) = (&mut reached[node as usize / 64], 1 << (node % 64));
            if *word & bit == 0 {
                *word |= bit;
                waiting.push(node);
            }
        };
        enter(bits.position(start.x, start.y), waiting);
        while let Some(node) = waiting.pop() {
            expand(node, &mut |next| enter(next, waiting));
        }
    }

    /// Whether a cell was reached. It must be on the map.
    pub fn has(&self, grid: &Grid, cell: Cell) -> bool {
        let node = grid.rows().position(cell.x, cell.y);
        self.reached[node as usize / 64] >> (node % 64) & 1 != 0
    }

    /// The reached cell whose centre is nearest to a point; of equally near ones the topmost, then
    /// the leftmost.
    pub fn nearest(&self, grid: &Grid, point: Point) -> Option<Cell> {
        let mut best: Option<(i64, Cell)> = None;
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let cell = Cell::new(x, y);
                if !self.has(grid, cell) {
                    continue;
                }
                let centre = cell.centre();
                let dx = i64::from(centre.ux()) - i64::from(point.ux());
                let dy = i64::from(centre.uy()) - i64::from(point.uy());
                let square = dx * dx + dy * dy;
                if best.is_none_or(|(least, _)| square < least) {
                    best = Some((square, cell));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.reached.capacity() * 8 + self.waiting.capacity() * 4
    }
}

impl SearchMemory for Reach {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}
