//! Distances as they are written to files: words of 64 bits, independent of the units of a search.
//!
//! | tables | a word |
//! |---|---|
//! | of cells | the straight steps of the way and, from bit 16 up, the diagonal ones |
//! | of cells on weighted terrain | the cost in wide units |
//! | of corners | the length, as the bits of an `f64` |
//!
//! The word for what cannot be reached is the same for all kinds, and above all others.

use super::layout::MAX_SIDE;
use crate::rules::cost::StepCosts;
use crate::{Grid, Moves, Rule};

/// The word for what cannot be reached: infinity as an `f64`.
pub(super) const FAR: u64 = 0x7ff0 << 48;

/// The steps of a way between cells, as a word.
pub(super) fn of_steps(cost: u64, (straight, diagonal): (u64, u64)) -> u64 {
    // A way has fewer than 256 cells, far too few for two different sums with √2 to be equal. With
    // diagonals of 1.4 they can be, and then either will do.
    for diagonals in 0..=cost / diagonal {
        let rest = cost - diagonals * diagonal;
        if rest.is_multiple_of(straight) {
            return (diagonals << 16) | (rest / straight);
        }
    }
    FAR
}

/// The straight and the diagonal steps in a word.
#[inline]
pub(super) const fn steps(word: u64) -> (u32, u32) {
    (word as u32 & 0xffff, (word >> 16) as u32 & 0xffff)
}

/// The words that a table may hold between different places. Nothing is nearer than one step on the
/// cheapest terrain, as searches must end, and nothing is farther than all cells of the largest
/// block on the dearest, as sums must fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordRange {
    least: u64,
    most: u64,
    /// Whether words are two numbers of steps, each of which must be in range.
    steps: bool,
    diagonals: bool,
}

impl WordRange {
    pub fn new(moves: Moves, weighted: bool) -> Self {
        let cells = u64::from(MAX_SIDE * MAX_SIDE);
        let dearest = u64::from(u16::MAX);
        let (least, most) = match (moves.rule().is_any_angle(), weighted) {
            (true, _) => {
                let one = f64::from(Grid::FACTOR_ONE);
                let (least, most) = if weighted { (1.0 / one, 256.0) } else { (1.0, 1.0) };
                // From corner to corner of a cell it is less than two.
                let longest = 2.0 * cells as f64 * most;
                (f64::to_bits(least), f64::to_bits(longest))
            }
            (false, false) => (1, (cells - 1) << 16 | (cells - 1)),
            (false, true) => {
                let (straight, diagonal) = StepCosts::<u64>::units(moves);
                (2 * straight, cells * diagonal * 2 * dearest)
            }
        };
        let steps = !moves.rule().is_any_angle() && !weighted;
        Self { least, most, steps, diagonals: moves.rule() != Rule::Four }
    }

    #[inline]
    pub fn holds(&self, word: u64) -> bool {
        let fits = |word| {
            let (straight, diagonal) = steps(word);
            let most = MAX_SIDE * MAX_SIDE;
            straight < most && diagonal < if self.diagonals { most } else { 1 }
        };
        word == FAR || (self.least <= word && word <= self.most && (!self.steps || fits(word)))
    }
}
