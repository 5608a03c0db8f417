//! The strips of cells between grid lines, scanned by whole words, and rounding to cells.

use crate::grid::bits::Bits;

/// The bits of [`Bits::after`] that mean something.
pub const LOADED: u64 = (1 << 57) - 1;

/// Some cells of a run of free ones, `cells[0]..cells[1]`, and whether it is known to end there.
#[derive(Clone, Copy, Debug)]
pub struct FreeRun {
    pub cells: [i32; 2],
    pub closed: [bool; 2],
}

impl FreeRun {
    /// A single cell of a run.
    pub fn cell(x: i32) -> Self {
        Self { cells: [x, x + 1], closed: [false; 2] }
    }
}

/// How a cone crosses a strip to the line beyond it. `row` is the position of the strip's first
/// cell.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub row: u32,
    pub strip: i32,
    /// The line to be reached.
    pub line: i32,
    pub down: bool,
}

impl Way {
    /// The line that it starts from.
    #[inline]
    pub fn near(self) -> i32 {
        self.strip + i32::from(!self.down)
    }
}

/// The rows of the map.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub bits: &'a Bits,
}

impl Rows<'_> {
    /// The way from a line across the strip below or above it.
    #[inline]
    pub fn way(&self, line: i32, down: bool) -> Way {
        let row = self.bits.position(0, line as u32);
        if down {
            Way { row, strip: line, line: line + 1, down }
        } else {
            Way { row: row - self.bits.stride(), strip: line - 1, line: line - 1, down }
        }
    }

    /// The same one strip further on.
    #[inline]
    pub fn onward(&self, way: Way) -> Way {
        let Way { row, strip, line, down } = way;
        if down {
            Way { row: row + self.bits.stride(), strip: strip + 1, line: line + 1, down }
        } else {
            // Above the topmost line there is one strip of padding, and nothing goes beyond it.
            Way {
                row: row.wrapping_sub(self.bits.stride()),
                strip: strip - 1,
                line: line - 1,
                down,
            }
        }
    }

    /// Whether a cell of the strip is free; the first one off the map on either side is not.
    #[inline]
    pub fn free(&self, way: Way, x: i32) -> bool {
        self.bits.get(way.row.wrapping_add_signed(x))
    }

    /// The first blocked cell from `x` on, or some cell not before `limit`.
    #[inline]
    pub fn run_end(&self, way: Way, mut x: i32, limit: i32) -> i32 {
        loop {
            let blocked = !self.bits.after(way.row.wrapping_add_signed(x)) << 7;
            if blocked != 0 {
                return x + (blocked.trailing_zeros() as i32 - 7);
            }
            x += 57;
            if x >= limit {
                return x;
            }
        }
    }

    /// The first free cell from `x` on, or some cell not before `limit`.
    pub fn run_start_after(&self, way: Way, mut x: i32, limit: i32) -> i32 {
        loop {
            let free = self.bits.after(way.row.wrapping_add_signed(x)) << 7;
            if free != 0 {
                return x + (free.trailing_zeros() as i32 - 7);
            }
            x += 57;
            if x >= limit {
                return x;
            }
        }
    }

    /// The first cell of the run that ends with `x` (`x + 1` if that is blocked), or some cell of
    /// it not after `limit`.
    #[inline]
    pub fn run_start(&self, way: Way, mut x: i32, limit: i32) -> i32 {
        loop {
            let blocked = !self.bits.before(way.row.wrapping_add_signed(x)) >> 7;
            if blocked != 0 {
                return x + 1 - (blocked.leading_zeros() as i32 - 7);
            }
            x -= 57;
            if x < limit {
                return x + 1;
            }
        }
    }
}

/// Added to a small number, this leaves the nearest integer in the low bits. The default target has
/// no instruction for rounding, and converting an arbitrary `f64` takes many.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// Rounded down; the number is below 2^31.
#[inline]
pub fn floor(x: f64) -> i32 {
    let shifted = x + SHIFTER;
    shifted.to_bits() as i32 - i32::from(shifted - SHIFTER > x)
}

/// Rounded up.
#[inline]
pub fn ceil(x: f64) -> i32 {
    let shifted = x + SHIFTER;
    shifted.to_bits() as i32 + i32::from(shifted - SHIFTER < x)
}
