//! All places of a rectangle, row by row.
//!
//! `flat_map` over two ranges would do, but every use of it is a separate type, and together these
//! were 5 % of the code that the library hands to LLVM. This is one type.

use std::ops::Range;

/// An iterator over places (x, y), x first.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    next: (u32, u32),
    columns: Range<u32>,
    bottom: u32,
}

/// The places with x and y in these ranges.
#[inline]
pub(crate) fn raster(columns: Range<u32>, rows: Range<u32>) -> Raster {
    let bottom = if columns.is_empty() { rows.start } else { rows.end };
    Raster { next: (columns.start, rows.start), columns, bottom }
}

impl Iterator for Raster {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        let (x, y) = self.next;
        if y >= self.bottom {
            return None;
        }
        self.next =
            if x + 1 == self.columns.end { (self.columns.start, y + 1) } else { (x + 1, y) };
        Some((x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raster_is_two_nested_loops() {
        for (left, right, top, bottom) in [(2, 5, 1, 3), (0, 0, 0, 9), (0, 9, 4, 4), (7, 3, 0, 2)] {
            let mut wanted = Vec::new();
            for y in top..bottom {
                wanted.extend((left..right).map(|x| (x, y)));
            }
            assert_eq!(raster(left..right, top..bottom).collect::<Vec<_>>(), wanted);
        }
    }
}
