//! Edits of many cells at once: one new version, one entry in the list of edits, one update of
//! each planner.
//!
//! The edit covers the bounding box of the cells that really change: a patch that leaves its
//! corners as they are disturbs nobody there, and one that changes nothing is no edit at all.

use super::terrain::fixed_factor_or_blocked;
use super::{Grid, check_size};
use crate::{Cell, Error, Rect};

impl Grid {
    /// A map from one bit per cell, row by row: a set bit is a free cell. Every row begins with a
    /// new byte, the lowest bit first.
    ///
    /// ```
    /// use blockstar::Grid;
    /// let grid = Grid::from_bits(10, 2, &[0b1111_0111, 0b11, 0xff, 0b01])?;
    /// assert_eq!(grid, Grid::from_ascii("...#......\n.........#")?);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn from_bits(width: u32, height: u32, bits: &[u8]) -> Result<Self, Error> {
        check_size(width.into(), height.into())?;
        check_bits(width, height, bits)?;
        Self::from_fn(width, height, |cell| bit(bits, width, cell.x, cell.y))
    }

    /// Frees the cells of a rectangle for which a function returns true and blocks the others, as
    /// one edit. The rectangle must lie on the map.
    ///
    /// ```
    /// use blockstar::{Grid, Rect};
    /// let mut grid = Grid::new(12, 12)?;
    /// let before = grid.version();
    /// // A house with a door.
    /// let house = Rect::new(2, 3, 6, 5);
    /// let wall = |x, y| x == 2 || x == 7 || y == 3 || y == 7;
    /// grid.patch(house, |cell| !wall(cell.x, cell.y) || (cell.x, cell.y) == (4, 7))?;
    /// assert_eq!(grid.changes_since(before).unwrap().collect::<Vec<_>>(), [house]);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn patch(
        &mut self,
        rect: Rect,
        mut is_free: impl FnMut(Cell) -> bool,
    ) -> Result<(), Error> {
        self.check_rect(rect)?;
        self.patch_cells(rect, |grid, cell| {
            let free = is_free(cell);
            let changes = grid.is_free(cell) != free;
            if changes {
                grid.put(cell.x, cell.y, free);
            }
            changes
        });
        Ok(())
    }

    /// The same from one byte per cell, row by row: 0 is blocked, everything else is free.
    pub fn patch_bytes(&mut self, rect: Rect, bytes: &[u8]) -> Result<(), Error> {
        self.check_rect(rect)?;
        check_count(rect, bytes.len())?;
        self.patch(rect, |cell| bytes[index_in(rect, cell)] != 0)
    }

    /// The same from one bit per cell, laid out as for [`Grid::from_bits`].
    pub fn patch_bits(&mut self, rect: Rect, bits: &[u8]) -> Result<(), Error> {
        self.check_rect(rect)?;
        check_bits(rect.width, rect.height, bits)?;
        self.patch(rect, |cell| bit(bits, rect.width, cell.x - rect.x, cell.y - rect.y))
    }

    /// Gives the cells of a rectangle terrain factors, row by row, as one edit: 0 blocks a cell,
    /// every other factor frees it, as with [`Grid::set_cost`]. If one of them is out of range,
    /// nothing is changed.
    pub fn patch_costs<N: Copy + Into<f64>>(
        &mut self,
        rect: Rect,
        factors: &[N],
    ) -> Result<(), Error> {
        let check = |factor| fixed_factor_or_blocked(factor).map(|_| ());
        self.check_numbers(rect, factors, check)?;
        self.patch_cells(rect, |grid, cell| {
            let factor = factors[index_in(rect, cell)].into();
            grid.put_cost(cell, fixed_factor_or_blocked(factor).unwrap_or(0))
        });
        Ok(())
    }

    /// Changes the heights of a rectangle, row by row, as one edit; a map without heights first
    /// becomes flat at 0. If one of them is not finite, nothing is changed.
    pub fn patch_heights<N: Copy + Into<f64>>(
        &mut self,
        rect: Rect,
        heights: &[N],
    ) -> Result<(), Error> {
        self.check_numbers(rect, heights, Self::check_height)?;
        self.patch_cells(rect, |grid, cell| {
            grid.put_height(cell, heights[index_in(rect, cell)].into() as f32)
        });
        Ok(())
    }

    /// Writes every cell of a rectangle of the map and logs the cells that changed as one edit.
    fn patch_cells(&mut self, rect: Rect, mut write: impl FnMut(&mut Self, Cell) -> bool) {
        if rect.width == 0 || rect.height == 0 {
            return; // it may lie anywhere
        }
        let before = self.content_of(rect);
        let mut changed: Option<(Cell, Cell)> = None;
        for cell in rect.cells() {
            if write(self, cell) {
                let (low, high) = changed.unwrap_or((cell, cell));
                changed = Some((
                    Cell::new(low.x.min(cell.x), low.y),
                    Cell::new(high.x.max(cell.x), cell.y),
                ));
            }
        }
        if let Some((low, high)) = changed {
            self.note_content(rect, before);
            self.log.push(Rect::new(low.x, low.y, high.x - low.x + 1, high.y - low.y + 1));
        }
    }

    /// The error for a patch that cannot be: its rectangle, its count of numbers or one of them.
    fn check_numbers<N: Copy + Into<f64>>(
        &self,
        rect: Rect,
        numbers: &[N],
        check: impl Fn(f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check_rect(rect)?;
        check_count(rect, numbers.len())?;
        numbers.iter().try_for_each(|&number| check(number.into()))
    }

    /// The error for a rectangle that does not lie on the map; one without cells always does.
    pub(super) fn check_rect(&self, rect: Rect) -> Result<(), Error> {
        let Rect { x, y, width, height } = rect;
        if width == 0 || height == 0 {
            return Ok(());
        }
        self.check_cell("cell", Cell::new(x, y))?;
        let last = Cell::new(x.saturating_add(width - 1), y.saturating_add(height - 1));
        self.check_cell("cell", last)
    }
}

/// The place of a cell in a list of the cells of a rectangle.
fn index_in(rect: Rect, cell: Cell) -> usize {
    (cell.y - rect.y) as usize * rect.width as usize + (cell.x - rect.x) as usize
}

/// Whether a bit is set, where each row of `width` bits begins with a new byte.
fn bit(bits: &[u8], width: u32, x: u32, y: u32) -> bool {
    bits[y as usize * width.div_ceil(8) as usize + x as usize / 8] >> (x % 8) & 1 != 0
}

/// The error for a list that does not have one value for each cell of a rectangle.
fn check_count(rect: Rect, got: usize) -> Result<(), Error> {
    let want = rect.width as usize * rect.height as usize;
    let Rect { width, height, .. } = rect;
    if got == want { Ok(()) } else { Err(Error::Length { got, want, width, height }) }
}

/// The error for bits that do not have a row of whole bytes for each row of cells.
fn check_bits(width: u32, height: u32, bits: &[u8]) -> Result<(), Error> {
    let (got, want) = (bits.len(), width.div_ceil(8) as usize * height as usize);
    if got == want { Ok(()) } else { Err(Error::BitLength { got, want, width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tile;
    use crate::random::Random;

    fn rect_on(random: &mut Random, grid: &Grid) -> Rect {
        let (x, y) = (random.below(grid.width().into()), random.below(grid.height().into()));
        let width = random.below(u64::from(grid.width()) - x + 1);
        let height = random.below(u64::from(grid.height()) - y + 1);
        Rect::new(x as u32, y as u32, width as u32, height as u32)
    }

    /// A patch does the same as single edits, which only take more versions.
    #[test]
    fn a_patch_equals_its_cells_one_by_one() {
        let mut random = Random::new(17);
        for round in 0..400 {
            let (width, height) = (1 + random.below(150) as u32, 1 + random.below(20) as u32);
            let mut grid = Grid::from_fn(width, height, |_| random.chance(2, 3)).unwrap();
            let mut single = grid.clone();
            let rect = rect_on(&mut random, &grid);
            let cells: Vec<Cell> = rect.cells().collect();
            let values: Vec<u8> = cells.iter().map(|_| random.below(3) as u8).collect();
            let before = grid.version();
            match round % 4 {
                0 => {
                    grid.patch_bytes(rect, &values).unwrap();
                    for (&cell, &value) in cells.iter().zip(&values) {
                        single
                            .set(cell, if value == 0 { Tile::Blocked } else { Tile::Free })
                            .unwrap();
                    }
                }
                1 => {
                    let row = rect.width.div_ceil(8) as usize;
                    let bits: Vec<u8> =
                        (0..row * rect.height as usize).map(|_| random.below(256) as u8).collect();
                    grid.patch_bits(rect, &bits).unwrap();
                    for &cell in &cells {
                        let (x, y) = ((cell.x - rect.x) as usize, (cell.y - rect.y) as usize);
                        let free = bits[y * row + x / 8] >> (x % 8) & 1 != 0;
                        single.set(cell, if free { Tile::Free } else { Tile::Blocked }).unwrap();
                    }
                }
                2 => {
                    grid.patch_costs(rect, &values).unwrap();
                    for (&cell, &value) in cells.iter().zip(&values) {
                        single.set_cost(cell, value.into()).unwrap();
                    }
                }
                _ => {
                    grid.patch_heights(rect, &values).unwrap();
                    for (&cell, &value) in cells.iter().zip(&values) {
                        single.set_height(cell, value.into()).unwrap();
                    }
                }
            }
            assert_eq!(grid, single);
            assert_eq!(grid.content_hash(), single.content_hash());
            // One entry, around the cells that changed and no others.
            let noted: Vec<Rect> = grid.changes_since(before).unwrap().collect();
            assert!(noted.len() <= 1);
            if round % 4 < 3 {
                let whole = single.changes_since(before).unwrap().filter(|rect| rect.width > 0);
                let around = whole.reduce(|a, b| {
                    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
                    let right = (a.x + a.width).max(b.x + b.width);
                    let bottom = (a.y + a.height).max(b.y + b.height);
                    Rect::new(x, y, right - x, bottom - y)
                });
                assert_eq!(noted.first().copied(), around);
            }
        }
    }

    #[test]
    fn bits_make_the_map_that_bytes_make() {
        let mut random = Random::new(3);
        for width in [1_usize, 7, 8, 9, 64, 65] {
            let bytes: Vec<u8> = (0..width * 3).map(|_| random.below(2) as u8).collect();
            let mut bits = vec![0_u8; width.div_ceil(8) * 3];
            for (index, &byte) in bytes.iter().enumerate() {
                bits[index / width * width.div_ceil(8) + index % width / 8] |=
                    byte << (index % width % 8);
            }
            let from_bits = Grid::from_bits(width as u32, 3, &bits).unwrap();
            assert_eq!(from_bits, Grid::from_bytes(width as u32, 3, &bytes).unwrap());
        }
    }

    #[test]
    fn a_patch_that_does_not_fit_changes_nothing_and_says_why() {
        let mut grid = Grid::new(20, 5).unwrap();
        let (before, rect) = (grid.version(), Rect::new(15, 2, 5, 3));
        let off = Rect::new(15, 2, 6, 3);
        assert!(grid.patch(off, |_| false).is_err());
        assert!(grid.patch(Rect::new(1, 1, u32::MAX, u32::MAX), |_| false).is_err());
        let message = |error: Error| error.to_string();
        let text = message(grid.patch_bytes(rect, &[0; 14]).unwrap_err());
        assert!(text.contains("14") && text.contains("15"), "{text}");
        let text = message(grid.patch_bits(rect, &[0; 4]).unwrap_err());
        assert!(text.contains('4') && text.contains('3') && text.contains("byte"), "{text}");
        let mut factors = [0.0; 15];
        factors[14] = 1e9;
        let text = message(grid.patch_costs(rect, &factors).unwrap_err());
        assert!(text.contains("1000000000"), "{text}");
        factors[14] = f64::NAN;
        assert!(grid.patch_costs(rect, &factors).is_err());
        assert!(grid.patch_heights(rect, &factors).is_err());
        assert!(Grid::from_bits(9, 2, &[0; 3]).is_err());
        assert!(Grid::from_bits(u32::MAX, u32::MAX, &[]).is_err());
        assert!(grid.patch(Rect::new(99, 99, 0, 7), |_| false).is_ok());
        assert_eq!((grid.version(), grid.free_cells()), (before, 100));
    }
}
