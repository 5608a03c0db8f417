//! Which cells are subgoals: free cells beside the corner of an obstacle, and the bit maps that the
//! [scans](super::scan) read.
//!
//! A free cell is a subgoal if a diagonal neighbour is blocked and the two cells between them are
//! free: a shortest path turns around an obstacle only there. Which of the four neighbours it is
//! matters. A path that heads north-east, in whatever mixture of steps, can only be bent by corners
//! to its left and right, so by subgoals whose north-western or south-eastern neighbour is blocked.
//! They, and for paths heading south-west too, are the *rising* ones; subgoals with a blocked
//! north-eastern or south-western neighbour are the *falling* ones and concern paths that head
//! north-west or south-east. Many subgoals are only one of the two, and half as many stops and edges
//! are left as if all concerned all.

use crate::grid::bits::{Bits, ones};
use crate::{Grid, Rect};

/// The two kinds of subgoals; a subgoal may be of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slant {
    /// For paths that head north-east or south-west.
    Rising,
    /// For paths that head south-east or north-west.
    Falling,
}

/// The blocked corners of a subgoal, one bit each: NE, SE, SW, NW from the lowest bit up; none for
/// all other cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Corners(pub u8);

impl Corners {
    /// The corners of a cell by the 3x3 cells [around](Bits::around) it.
    #[inline]
    pub fn of(around: usize) -> Self {
        Self(CORNERS[around])
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn has(self, slant: Slant) -> bool {
        self.0 & slant.mask() != 0
    }
}

impl Slant {
    pub const BOTH: [Self; 2] = [Self::Rising, Self::Falling];

    const fn mask(self) -> u8 {
        match self {
            Self::Rising => 0b1010,
            Self::Falling => 0b0101,
        }
    }
}

/// [`Corners::of`] for every pattern.
static CORNERS: [u8; 512] = {
    let mut table = [0; 512];
    let mut around = 0;
    while around < 512 {
        table[around] = corners(around);
        around += 1;
    }
    table
};

const fn corners(around: usize) -> u8 {
    // Bits of a corner and of the two cells beside it: NE, SE, SW, NW.
    const PLACES: [(u32, u32, u32); 4] = [(2, 1, 5), (8, 5, 7), (6, 7, 3), (0, 3, 1)];
    let mut found = 0;
    let mut i = 0;
    while i < 4 {
        let (corner, one, other) = PLACES[i];
        let convex = around >> corner & 1 == 0 && around >> one & around >> other & 1 != 0;
        if convex && around >> 4 & 1 != 0 {
            found |= 1 << i;
        }
        i += 1;
    }
    found
}

/// One bit per cell, by rows and by columns.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub rows: Bits,
    pub columns: Bits,
}

impl Layer {
    fn put(&mut self, (x, y): (u32, u32), set: bool) {
        self.rows.put(self.rows.position(x, y), set);
        self.columns.put(self.columns.position(y, x), set);
    }
}

/// The map as the scans see it. It is a copy, so that after edits both the map before and the map
/// after are known.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub free: Layer,
    /// Free cells that are no subgoals of a slant.
    plain: [Layer; 2],
    size: (u32, u32),
}

impl Ground {
    pub fn new(grid: &Grid) -> Self {
        let free = Layer { rows: grid.rows().clone(), columns: grid.columns().clone() };
        let plain = [free.clone(), free.clone()];
        let size = (grid.width(), grid.height());
        let mut ground = Self { free, plain, size };
        for ((x, y), corners) in ground.corners_by_row() {
            for slant in Slant::BOTH.into_iter().filter(|&slant| corners.has(slant)) {
                ground.plain[slant as usize].put((x, y), false);
            }
        }
        ground
    }

    /// The cells within some rectangles in which a grid differs from this map, ascending by row and
    /// column; nothing if it has another size or there are more than `most`.
    pub fn differences(
        &self,
        grid: &Grid,
        rects: impl Iterator<Item = Rect>,
        most: usize,
    ) -> Option<Vec<(u32, u32)>> {
        if self.size != (grid.width(), grid.height()) {
            return None;
        }
        let (was, is) = (&self.free.rows, grid.rows());
        let mut found = Vec::new();
        for rect in rects {
            for y in rect.y..rect.y + rect.height {
                for x in (rect.x..rect.x + rect.width).step_by(64) {
                    let at = was.position(x, y);
                    let here = ones((rect.x + rect.width - x).min(64));
                    let mut differ = (was.from(at) ^ is.from(at)) & here;
                    while differ != 0 {
                        found.push((y, x + differ.trailing_zeros()));
                        differ &= differ - 1;
                    }
                }
                if found.len() > most {
                    found.sort_unstable();
                    found.dedup();
                }
                if found.len() > most {
                    return None;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found.into_iter().map(|(y, x)| (x, y)).collect())
    }

    #[inline]
    pub fn plain(&self, slant: Slant) -> &Layer {
        &self.plain[slant as usize]
    }

    /// The cells that are subgoals, as a word of the 64 positions that begin at `64 * block`.
    #[inline]
    pub fn subgoals(&self, block: u32) -> u64 {
        let [rising, falling] = self.plain.each_ref().map(|layer| layer.rows.load(8 * block));
        self.free.rows.load(8 * block) & !(rising & falling)
    }

    /// The cells that are subgoals among the 64 that begin at a cell of the map, the rest of its row
    /// and what follows.
    pub fn subgoals_from(&self, (x, y): (u32, u32)) -> u64 {
        let at = self.free.rows.position(x, y);
        let [rising, falling] = self.plain.each_ref().map(|layer| layer.rows.from(at));
        self.free.rows.from(at) & !(rising & falling)
    }

    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Whether a cell is on the map and free.
    pub fn is_free(&self, (x, y): (u32, u32)) -> bool {
        let on_map = x < self.size.0 && y < self.size.1;
        on_map && self.free.rows.get(self.free.rows.position(x, y))
    }

    /// The corners of a cell of the map.
    pub fn corners(&self, (x, y): (u32, u32)) -> Corners {
        let rows = &self.free.rows;
        Corners::of(rows.around(rows.position(x, y)))
    }

    /// All subgoals, ascending by row and column.
    pub fn corners_by_row(&self) -> Vec<((u32, u32), Corners)> {
        let rows = &self.free.rows;
        let mut found = Vec::new();
        for y in 0..self.size.1 {
            // 55 cells at a time: those of a load that have a neighbour on either side in it.
            for x in (0..self.size.0).step_by(55) {
                let [above, middle, below] = rows.rows_after(rows.position(x, y) - 1);
                // The corner is beside the cell's neighbour in the line above or below.
                let convex = |line: u64| {
                    line & ((!(line << 1) & middle << 1) | (!(line >> 1) & middle >> 1))
                };
                let here = ones((self.size.0 - x).min(55)) << 1;
                let mut subgoals = middle & (convex(above) | convex(below)) & here;
                while subgoals != 0 {
                    let cell = x + subgoals.trailing_zeros() - 1;
                    subgoals &= subgoals - 1;
                    found.push(((cell, y), self.corners((cell, y))));
                }
            }
        }
        found
    }

    /// Blocks or frees a cell. The corners around it have to be [marked](Self::mark) again.
    pub fn put(&mut self, cell: (u32, u32), free: bool) {
        self.free.put(cell, free);
    }

    /// Takes note of the corners of a cell.
    pub fn mark(&mut self, cell: (u32, u32), corners: Corners) {
        let free = self.free.rows.get(self.free.rows.position(cell.0, cell.1));
        for slant in Slant::BOTH {
            self.plain[slant as usize].put(cell, free && !corners.has(slant));
        }
    }

    pub fn bytes(&self) -> usize {
        let layers = [&self.free, &self.plain[0], &self.plain[1]];
        layers.iter().map(|layer| layer.rows.bytes() + layer.columns.bytes()).sum()
    }
}
