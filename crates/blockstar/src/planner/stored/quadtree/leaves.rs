//! A region quadtree without pointers: for each size of square, which ones are uniform.
//!
//! Squares have sides of 1, 2, 4 … cells and begin at multiples of their side. A square is *even*
//! if all its cells are free and cost the same, which it is if its four quarters are even and cost
//! the same. The *leaf* of a cell is the largest even square around it, found by going up level by
//! level. Only a third of a bit per cell is kept, and after an edit the squares above it are looked
//! at again, one per level; so a repaired tree equals a new one, bit for bit.

use crate::{Cell, Grid, Rect};

/// Which squares of each size are even.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaves {
    /// Squares of 2, 4, 8 … cells a side.
    levels: Vec<Level>,
}

/// The even squares of one size, as bits, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    /// In squares.
    width: u32,
    height: u32,
    even: Vec<u64>,
}

impl Level {
    fn new(width: u32, height: u32) -> Self {
        let squares = width as usize * height as usize;
        Self { width, height, even: vec![0; squares.div_ceil(64)] }
    }

    #[inline]
    fn get(&self, x: u32, y: u32) -> bool {
        let index = y as usize * self.width as usize + x as usize;
        x < self.width && y < self.height && self.even[index / 64] >> (index % 64) & 1 != 0
    }

    fn put(&mut self, x: u32, y: u32, even: bool) {
        let index = y as usize * self.width as usize + x as usize;
        let word = &mut self.even[index / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(even) << (index % 64);
    }
}

impl Leaves {
    /// The quadtree of a map, with leaves up to this many cells a side.
    pub fn new(grid: &Grid, largest: u32) -> Self {
        let mut levels = Vec::new();
        let (mut side, mut width, mut height) = (2, grid.width() / 2, grid.height() / 2);
        // A square that reaches beyond the map is not even.
        while side <= largest && width > 0 && height > 0 {
            levels.push(Level::new(width, height));
            (side, width, height) = (side * 2, width / 2, height / 2);
        }
        let mut leaves = Self { levels };
        leaves.repair(grid, Rect::new(0, 0, grid.width(), grid.height()));
        leaves
    }

    /// Repairs the squares around changed cells.
    pub fn repair(&mut self, grid: &Grid, rect: Rect) {
        if rect.width == 0 || rect.height == 0 {
            return;
        }
        let (right, bottom) = (rect.x + rect.width - 1, rect.y + rect.height - 1);
        for level in 0..self.levels.len() {
            let shift = level + 1;
            let Level { width, height, .. } = self.levels[level];
            for y in rect.y >> shift..((bottom >> shift) + 1).min(height) {
                for x in rect.x >> shift..((right >> shift) + 1).min(width) {
                    let even = self.is_even(grid, level, x, y);
                    self.levels[level].put(x, y, even);
                }
            }
        }
    }

    /// Whether a square is even, by its quarters.
    fn is_even(&self, grid: &Grid, level: usize, x: u32, y: u32) -> bool {
        let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (2 * x + dx, 2 * y + dy));
        let whole = quarters.iter().all(|&(x, y)| match level {
            0 => grid.is_free((x, y)),
            _ => self.levels[level - 1].get(x, y),
        });
        let Some(factors) = grid.factors().filter(|_| whole) else { return whole };
        let [first, rest @ ..] =
            quarters.map(|(x, y)| factors[grid.rows().position(x << level, y << level) as usize]);
        rest.iter().all(|factor| *factor == first)
    }

    /// The leaf that a free cell lies in.
    #[inline]
    pub fn around(&self, cell: Cell) -> Leaf {
        let above = self.levels.iter().zip(1..);
        let even = above.take_while(|(level, shift)| level.get(cell.x >> shift, cell.y >> shift));
        let shift = even.count();
        Leaf { x: cell.x >> shift << shift, y: cell.y >> shift << shift, side: 1 << shift }
    }

    /// How many leaves of free cells there are.
    pub fn count(&self, grid: &Grid) -> usize {
        let rows = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
        let first = |cell: &Cell| {
            let Leaf { x, y, .. } = self.around(*cell);
            (x, y) == (cell.x, cell.y)
        };
        rows.filter(|cell| grid.is_free(*cell)).filter(first).count()
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.even.capacity() * 8).sum()
    }
}

/// A square of free cells that all cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub x: u32,
    pub y: u32,
    pub side: u32,
}

impl Leaf {
    /// The first cell, which names it.
    pub fn name(self) -> Cell {
        Cell::new(self.x, self.y)
    }

    /// The cell in the middle; of four the upper left one.
    pub fn centre(self) -> Cell {
        Cell::new(self.x + (self.side - 1) / 2, self.y + (self.side - 1) / 2)
    }

    pub fn contains(self, cell: Cell) -> bool {
        let inside = |v: u32, low: u32| (low..low + self.side).contains(&v);
        inside(cell.x, self.x) && inside(cell.y, self.y)
    }

    /// The cells along its border, each once, clockwise.
    pub fn frame(self) -> impl Iterator<Item = Cell> {
        let Self { x, y, side } = self;
        let last = side - 1;
        let corner = (side == 1).then_some(Cell::new(x, y));
        let round = (0..last).map(move |i| Cell::new(x + i, y));
        let round = round.chain((0..last).map(move |i| Cell::new(x + last, y + i)));
        let round = round.chain((0..last).map(move |i| Cell::new(x + last - i, y + last)));
        round.chain((0..last).map(move |i| Cell::new(x, y + last - i))).chain(corner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Tile, generate};

    /// The largest uniform square, by looking at all its cells.
    fn by_definition(grid: &Grid, cell: Cell, largest: u32) -> Leaf {
        let leaf = |shift: u32| Leaf {
            x: cell.x >> shift << shift,
            y: cell.y >> shift << shift,
            side: 1 << shift,
        };
        let even = |shift: &u32| {
            let Leaf { x, y, side } = leaf(*shift);
            let mut cells = Rect::new(x, y, side, side).cells();
            cells.all(|at| grid.is_free(at) && grid.cost(at) == grid.cost(cell))
        };
        leaf((0..=largest.ilog2()).rev().find(even).unwrap())
    }

    #[test]
    fn leaves_are_the_largest_even_squares_through_edits() {
        let mut random = Random::new(5);
        for round in 0..40 {
            let (width, height) = (1 + random.below(70) as u32, 1 + random.below(70) as u32);
            let mut grid = generate::random(width, height, (round % 4 * 5) as f64, round).unwrap();
            let largest = [1, 4, 16, 1 << 14][round as usize % 4];
            let mut leaves = Leaves::new(&grid, largest);
            for _ in 0..30 {
                let mut side = |most: u32| random.below(most.into()) as u32;
                let (x, y) = (side(width), side(height));
                let rect = Rect::new(x, y, 1 + side(width - x), 1 + side((height - y).min(3)));
                match random.below(3) {
                    0 => grid.set_rect(rect, Tile::Free).unwrap(),
                    1 => grid.set_rect(rect, Tile::Blocked).unwrap(),
                    _ if round % 2 == 0 => grid.set_cost((x, y), 2.0).unwrap(),
                    _ => grid.set((x, y), Tile::Free).unwrap(),
                }
                leaves.repair(&grid, rect);
                assert_eq!(leaves, Leaves::new(&grid, largest), "round {round}");
            }
            let mut count = 0;
            for cell in grid.whole().cells().filter(|cell| grid.is_free(*cell)) {
                let leaf = leaves.around(cell);
                assert_eq!(leaf, by_definition(&grid, cell, largest.min(64)), "{cell}");
                count += usize::from(leaf.name() == cell);
                assert!(leaf.contains(cell) && leaf.contains(leaf.centre()));
            }
            assert_eq!(leaves.count(&grid), count);
        }
    }

    #[test]
    fn a_frame_is_the_border_once() {
        for side in [1, 2, 4, 8] {
            let leaf = Leaf { x: 16, y: 8, side };
            let mut frame: Vec<_> = leaf.frame().collect();
            let inner = |cell: &Cell| {
                let inside = |v: u32, low: u32| v > low && v + 1 < low + side;
                inside(cell.x, 16) && inside(cell.y, 8)
            };
            let mut border: Vec<_> =
                Rect::new(16, 8, side, side).cells().filter(|cell| !inner(cell)).collect();
            frame.sort_unstable();
            border.sort_unstable();
            assert_eq!(frame, border);
        }
    }
}
