//! A set of cells that one query should [avoid](crate::Query::avoid).
//!
//! Stored as words of 64 cells of a row, in order, without empty ones: a rectangle costs little,
//! single cells anywhere not much more, and equal sets are equal values.

use crate::{Cell, Grid, Rect};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A set of cells that a query must not enter: where other units stand, a danger zone.
///
/// It does not belong to a map: cells outside the map of a query are ignored, and cells that no map
/// can have (see [`Grid::MAX_SIDE`]) are not even stored. A clone shares the cells until one of the
/// two is changed.
///
/// ```
/// use blockstar::{Grid, Jps, Mask, Moves, Planner, Query, Rect, Scratch, Status};
///
/// let grid = Grid::new(9, 9)?;
/// let planner = Jps::new(&grid, Moves::EIGHT)?;
/// let mut others: Mask = [(4, 3), (4, 4), (4, 5)].into_iter().collect();
/// others.insert_rect(Rect::new(3, 0, 3, 3));
///
/// let query = Query::new((0, 4), (8, 4)).avoid(&others);
/// let mut scratch = Scratch::new();
/// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
/// assert!(scratch.path().cells().all(|cell| !others.contains(cell)));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Mask(Arc<Cells>);

/// The cells themselves.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Cells {
    /// Words that are not 0, by [`word_of`].
    words: BTreeMap<u32, u64>,
    len: usize,
}

/// Words of a row of the largest map.
const WORDS: u32 = Grid::MAX_SIDE / 64;

/// The word of a cell and its bit there, if a map can have the cell.
fn word_of(cell: Cell) -> Option<(u32, u32)> {
    let possible = cell.x < Grid::MAX_SIDE && cell.y < Grid::MAX_SIDE;
    possible.then(|| (cell.y * WORDS + cell.x / 64, cell.x % 64))
}

impl Mask {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cell; returns false if it was there already, or if no map can have it.
    pub fn insert(&mut self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        let before = self.len();
        self.insert_rect(Rect::cell(cell));
        self.len() > before
    }

    /// Adds all cells of a rectangle.
    pub fn insert_rect(&mut self, rect: Rect) {
        let clip = |first: u32, count: u32| {
            first.min(Grid::MAX_SIDE)..first.saturating_add(count).min(Grid::MAX_SIDE)
        };
        let (columns, rows) = (clip(rect.x, rect.width), clip(rect.y, rect.height));
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let cells = Arc::make_mut(&mut self.0);
        for y in rows {
            let mut x = columns.start;
            while x < columns.end {
                let count = (64 - x % 64).min(columns.end - x);
                let bits = super::bits::ones(count) << (x % 64);
                let word = cells.words.entry(y * WORDS + x / 64).or_default();
                cells.len += (bits & !*word).count_ones() as usize;
                *word |= bits;
                x += count;
            }
        }
    }

    /// Whether a cell is in the set.
    pub fn contains(&self, cell: impl Into<Cell>) -> bool {
        word_of(cell.into()).is_some_and(|(word, bit)| {
            self.0.words.get(&word).is_some_and(|bits| bits >> bit & 1 != 0)
        })
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.words.iter().flat_map(|(&word, &bits)| {
            let (x, y) = (word % WORDS * 64, word / WORDS);
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(Cell::new(x + bit, y))
            })
        })
    }

    /// Whether both are clones of one set: faster than comparing the cells.
    pub(crate) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.cells()).finish()
    }
}

impl<C: Into<Cell>> Extend<C> for Mask {
    fn extend<I: IntoIterator<Item = C>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

impl<C: Into<Cell>> FromIterator<C> for Mask {
    fn from_iter<I: IntoIterator<Item = C>>(cells: I) -> Self {
        let mut mask = Self::new();
        mask.extend(cells);
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn a_mask_is_a_set_of_cells() {
        for mut random in Random::rounds(5, 100) {
            let (mut mask, mut set) = (Mask::new(), BTreeSet::new());
            for _ in 0..random.below(30) {
                let cell = Cell::new(random.below(200) as u32, random.below(9) as u32);
                if random.chance(1, 3) {
                    let (width, height) = (random.below(140) as u32, random.below(4) as u32);
                    let rect = Rect::new(cell.x, cell.y, width, height);
                    mask.insert_rect(rect);
                    set.extend(rect.cells().map(|cell| (cell.y, cell.x)));
                } else {
                    assert_eq!(mask.insert(cell), set.insert((cell.y, cell.x)));
                }
            }
            assert_eq!((mask.len(), mask.is_empty()), (set.len(), set.is_empty()));
            assert!(mask.cells().eq(set.iter().map(|&(y, x)| Cell::new(x, y))));
            assert!(
                Rect::new(0, 0, 400, 20)
                    .cells()
                    .all(|cell| mask.contains(cell) == set.contains(&(cell.y, cell.x)))
            );
            let again: Mask = set.iter().rev().map(|&(y, x)| (x, y)).collect();
            assert_eq!(mask, again);
            assert_eq!(format!("{:?}", mask.clone()), format!("{again:?}"));
        }
    }

    #[test]
    fn cells_beyond_every_map_are_not_kept() {
        let mut mask = Mask::new();
        assert!(!mask.insert((u32::MAX, 0)) && !mask.insert((0, Grid::MAX_SIDE)));
        mask.insert_rect(Rect::new(u32::MAX, 1, u32::MAX, u32::MAX));
        mask.insert_rect(Rect::new(3, 3, 0, 7));
        assert_eq!((mask.len(), mask.contains((u32::MAX, 0))), (0, false));
        assert_eq!(mask, Mask::new());
        mask.insert_rect(Rect::new(Grid::MAX_SIDE - 2, 5, u32::MAX, 1));
        assert_eq!(mask.len(), 2);
    }

    #[test]
    fn a_changed_clone_leaves_the_original_alone() {
        let mask: Mask = [(1, 1)].into_iter().collect();
        let mut other = mask.clone();
        assert!(other.is_clone_of(&mask));
        other.insert((2, 2));
        assert_eq!((mask.len(), other.len()), (1, 2));
        assert!(mask != other && !other.is_clone_of(&mask));
    }
}
