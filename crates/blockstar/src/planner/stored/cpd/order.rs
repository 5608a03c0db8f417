//! The order of the targets in a row: cells that lie together follow each other.
//!
//! Targets with the same optimal first moves lie in a few connected areas of the map, so a row has
//! few runs if its order rarely enters and leaves such areas. Botea (2011) sorts by depth-first
//! search, Strasser, Harabor & Botea (2014) also by nested cuts; here the cells lie along a Hilbert
//! curve, which needs only their coordinates. Mean runs per row, by samples:
//!
//! | order | arena2 | brc202d | lak302d | orz100d | hrt000d |
//! |---|---|---|---|---|---|
//! | row by row | 246 | 270 | 199 | 385 | 369 |
//! | depth-first | 74 | 39 | 35 | 100 | 111 |
//! | nested cuts at the median, by connected parts | 82 | 34 | 39 | 92 | 66 |
//! | Z curve | 91 | 35 | 34 | 127 | 72 |
//! | Hilbert curve | 60 | 30 | 27 | 87 | 52 |

use crate::grid::raster::raster;
use crate::{Cell, Grid};

/// The numbering of the free cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// The positions of the free cells, in order.
    pub cells: Vec<u32>,
    /// The number of the cell at each position, [`Order::NONE`] where it is blocked.
    pub numbers: Vec<u32>,
}

impl Order {
    pub const NONE: u32 = u32::MAX;

    pub fn new(grid: &Grid) -> Self {
        let rows = grid.rows();
        let all = raster(0..grid.width(), 0..grid.height()).map(Cell::from);
        let free = all.filter(|&cell| grid.is_free(cell));
        let mut keyed: Vec<(u32, u32)> =
            free.map(|cell| (along_curve(cell), rows.position(cell.x, cell.y))).collect();
        keyed.sort_unstable();
        let mut numbers = vec![Self::NONE; rows.positions()];
        for (number, &(_, cell)) in keyed.iter().enumerate() {
            numbers[cell as usize] = number as u32;
        }
        Self { cells: keyed.into_iter().map(|pair| pair.1).collect(), numbers }
    }

    pub fn bytes(&self) -> usize {
        (self.cells.len() + self.numbers.len()) * 4
    }
}

/// How far along the Hilbert curve over the largest map a cell lies.
fn along_curve(cell: Cell) -> u32 {
    let (mut x, mut y) = (cell.x, cell.y);
    let mut distance = 0;
    let mut side = Grid::MAX_SIDE / 2;
    while side > 0 {
        let (right, lower) = (u32::from(x & side != 0), u32::from(y & side != 0));
        distance += side * side * ((3 * right) ^ lower);
        // Rotate the quarter so that it looks like the whole.
        if lower == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
        side /= 2;
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_on_the_map() {
        let mut cells: Vec<Cell> =
            (0..32).flat_map(|y| (0..32).map(move |x| Cell::new(x, y))).collect();
        cells.sort_by_key(|&cell| along_curve(cell));
        for pair in cells.windows(2) {
            assert_eq!(pair[0].x.abs_diff(pair[1].x) + pair[0].y.abs_diff(pair[1].y), 1);
        }
        let last = Grid::MAX_SIDE - 1;
        let corners = [(0, 0), (last, 0), (last, last), (0, last)].map(Cell::from);
        assert_eq!(corners.map(along_curve).iter().max(), Some(&(u32::MAX >> 4)));
    }
}
