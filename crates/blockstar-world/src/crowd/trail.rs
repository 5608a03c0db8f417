//! A path from cell to cell at two bits a step, or three where there are diagonals: a tenth of what
//! a list of cells takes, so ten thousand units can each keep a path across a large map.

use super::preference::STEPS;
use blockstar::{Cell, Path};

/// A path from cell to cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    start: Cell,
    words: Vec<u64>,
    steps: u32,
    /// Per step: two, or three.
    bits: u8,
}

/// A place on a trail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub cell: Cell,
    /// How many steps lie behind.
    pub index: u32,
}

impl Trail {
    /// The cells of a path; `diagonals` says whether there may be any.
    pub fn new(path: &Path, diagonals: bool) -> Self {
        let bits = if diagonals { 3 } else { 2 };
        let mut trail = Self { bits, ..Self::default() };
        let mut cells = path.cells();
        let Some(mut last) = cells.next() else { return trail };
        trail.start = last;
        let per_word = trail.per_word();
        for cell in cells {
            let step = (cell.x.wrapping_sub(last.x) as i32, cell.y.wrapping_sub(last.y) as i32);
            let code = STEPS.iter().position(|&known| known == step).unwrap_or_default() as u64;
            if trail.steps.is_multiple_of(per_word) {
                trail.words.push(0);
            }
            if let Some(word) = trail.words.last_mut() {
                *word |= code << (trail.steps % per_word * u32::from(bits));
            }
            trail.steps += 1;
            last = cell;
        }
        trail.words.shrink_to_fit();
        trail
    }

    fn per_word(&self) -> u32 {
        64 / u32::from(self.bits.max(1))
    }

    /// How many steps there are.
    pub fn len(&self) -> u32 {
        self.steps
    }

    /// Where it begins.
    pub fn first(&self) -> Mark {
        Mark { cell: self.start, index: 0 }
    }

    /// One step farther; none at the end.
    pub fn after(&self, mark: Mark) -> Option<Mark> {
        if mark.index >= self.steps {
            return None;
        }
        let (word, place) = (mark.index / self.per_word(), mark.index % self.per_word());
        let code = self.words[word as usize] >> (place * u32::from(self.bits));
        let (dx, dy) = STEPS[code as usize & ((1 << self.bits) - 1)];
        let cell =
            Cell::new(mark.cell.x.wrapping_add_signed(dx), mark.cell.y.wrapping_add_signed(dy));
        Some(Mark { cell, index: mark.index + 1 })
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
