//! The map: size, passability, and optional terrain costs and heights.
//!
//! Passability is stored twice, by rows and by columns, one bit per cell each, so that scans in all
//! four directions run over whole words. A passability-only grid therefore costs about a quarter of
//! a byte per cell, at worst (on a map one cell wide) one and a half, plus a few words. Terrain
//! costs add two bytes, heights four bytes per cell.
//!
//! Every edit that changes something takes a new [`Grid::version`] from one counter of the whole
//! process, so two grids never share a version, and is kept in a bounded list that planners read
//! with [`Grid::changes_since`] to repair themselves.

pub(crate) mod bits;
pub(crate) mod components;
mod edit_log;
mod heights;
pub(crate) mod mask;
mod patch;
pub(crate) mod point;
pub(crate) mod raster;
pub(crate) mod shadow;
mod terrain;

use crate::grid::bits::Bits;
#[cfg(feature = "serde")]
use crate::written::GridText;
use crate::{Cell, Error, Point, Rect};
use edit_log::EditLog;
use heights::Heights;
use mask::Mask;
use terrain::Terrain;
pub(crate) use terrain::fixed_factor;

/// Whether a cell can be walked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Tile {
    /// Walkable.
    Free,
    /// Not walkable.
    Blocked,
}

/// A rectangular map of cells, from 1 x 1 to 16384 x 16384.
///
/// Passability takes about a quarter of a byte per cell (two bits, by rows and by columns; at
/// worst, on a map one cell wide, one and a half bytes), terrain costs two bytes more, heights
/// four. The time of an edit is proportional to the cells it touches (except that the first terrain
/// factor and the first height add their layer). Every edit that changes something takes a new
/// [`Grid::version`].
///
/// ```
/// use blockstar::{Cell, Grid, Tile};
/// let mut grid = Grid::from_ascii(
///     "....#
///      .##..
///      .....",
/// )?;
/// assert_eq!((grid.width(), grid.height()), (5, 3));
/// let before = grid.version();
/// grid.set(Cell::new(4, 0), Tile::Free)?;
/// assert!(grid.is_free(Cell::new(4, 0)));
/// assert_eq!(grid.changes_since(before).unwrap().count(), 1);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "GridText", into = "GridText"))]
pub struct Grid {
    width: u32,
    height: u32,
    rows: Bits,
    columns: Bits,
    free: usize,
    /// The sum of all cells' contributions to the [hash](Grid::content_hash), kept up to date by
    /// edits.
    content: u64,
    terrain: Option<Terrain>,
    heights: Option<Heights>,
    log: EditLog,
}

impl Grid {
    /// The largest width and height.
    pub const MAX_SIDE: u32 = 16384;

    /// The fixed-point value of a terrain factor of 1.
    pub const FACTOR_ONE: u16 = 256;

    /// The largest terrain factor.
    pub const MAX_FACTOR: f64 = u16::MAX as f64 / Self::FACTOR_ONE as f64;

    /// A map whose cells are all free.
    pub fn new(width: u32, height: u32) -> Result<Self, Error> {
        let mut grid = Self::blocked(width, height)?;
        for y in 0..height {
            grid.rows.fill(0, y, width, true);
        }
        for x in 0..width {
            grid.columns.fill(0, x, height, true);
        }
        grid.free = width as usize * height as usize;
        grid.content = grid.content_of(grid.whole());
        Ok(grid)
    }

    fn blocked(width: u32, height: u32) -> Result<Self, Error> {
        check_size(width.into(), height.into())?;
        Ok(Self {
            width,
            height,
            rows: Bits::blocked(width, height),
            columns: Bits::blocked(height, width),
            free: 0,
            content: 0,
            terrain: None,
            heights: None,
            log: EditLog::new(),
        })
    }

    /// A map from a function that says which cells are free.
    pub fn from_fn(
        width: u32,
        height: u32,
        mut is_free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, Error> {
        let mut grid = Self::blocked(width, height)?;
        for y in 0..height {
            for x in 0..width {
                if is_free(Cell::new(x, y)) {
                    grid.put(x, y, true);
                }
            }
        }
        grid.content = grid.content_of(grid.whole());
        Ok(grid)
    }

    /// A map from one byte per cell, row by row: 0 is blocked, everything else is free.
    pub fn from_bytes(width: u32, height: u32, bytes: &[u8]) -> Result<Self, Error> {
        check_length(width, height, bytes.len())?;
        Self::from_fn(width, height, |c| bytes[c.y as usize * width as usize + c.x as usize] != 0)
    }

    /// A map from a drawing, one line per row; see [`format::ascii`](crate::format::ascii).
    pub fn from_ascii(drawing: &str) -> Result<Self, Error> {
        crate::format::ascii::parse(drawing)
    }

    /// The number of columns.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of free cells.
    pub fn free_cells(&self) -> usize {
        self.free
    }

    /// Whether the cell lies on the map.
    #[inline]
    pub fn contains(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        cell.x < self.width && cell.y < self.height
    }

    /// Whether the cell lies on the map and is free.
    #[inline]
    pub fn is_free(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        self.contains(cell) && self.rows.get(self.rows.position(cell.x, cell.y))
    }

    /// Whether the cell with these coordinates, which may be negative, is free.
    #[inline]
    pub(crate) fn is_free_at(&self, x: i32, y: i32) -> bool {
        x >= 0 && y >= 0 && self.is_free(Cell::new(x as u32, y as u32))
    }

    /// The cell a point belongs to: a free one among those it touches, preferring the lower right,
    /// then lower left, upper right, upper left. If all are blocked, the lower right.
    pub fn cell_of(&self, point: Point) -> Option<Cell> {
        let (x, y) = (point.ux().div_euclid(Point::UNITS), point.uy().div_euclid(Point::UNITS));
        let on_column = point.ux().rem_euclid(Point::UNITS) == 0;
        let on_row = point.uy().rem_euclid(Point::UNITS) == 0;
        let touched = [
            Some((x, y)),
            on_column.then_some((x - 1, y)),
            on_row.then_some((x, y - 1)),
            (on_column && on_row).then_some((x - 1, y - 1)),
        ];
        let on_map =
            |&(x, y): &(i32, i32)| x >= 0 && y >= 0 && self.contains(Cell::new(x as u32, y as u32));
        let mut on_map = touched.into_iter().flatten().filter(on_map);
        let first = on_map.clone().next()?;
        let (x, y) = on_map.find(|&(x, y)| self.is_free_at(x, y)).unwrap_or(first);
        Some(Cell::new(x as u32, y as u32))
    }

    /// The version: changes with each edit, and is never shared by two grids.
    #[inline]
    pub fn version(&self) -> u64 {
        self.log.version()
    }

    /// The rectangles edited since the map had `version`, oldest first; `None` if the list no
    /// longer goes back that far (or it was another grid's version), and the whole map must be
    /// looked at.
    pub fn changes_since(&self, version: u64) -> Option<impl Iterator<Item = Rect> + '_> {
        self.log.since(version)
    }

    /// Frees or blocks one cell. A cell keeps its terrain factor while it is blocked.
    pub fn set(&mut self, cell: impl Into<Cell>, tile: Tile) -> Result<(), Error> {
        let cell = cell.into();
        self.check_cell("cell", cell)?;
        if self.is_free(cell) != (tile == Tile::Free) {
            let before = self.content_of(Rect::cell(cell));
            self.put(cell.x, cell.y, tile == Tile::Free);
            self.log_edit(Rect::cell(cell), before);
        }
        Ok(())
    }

    /// Frees or blocks all cells of a rectangle, which must lie on the map.
    pub fn set_rect(&mut self, rect: Rect, tile: Tile) -> Result<(), Error> {
        let Rect { x, y, width, height } = rect;
        if width == 0 || height == 0 {
            return Ok(());
        }
        self.check_rect(rect)?;
        let free: u32 = (y..y + height).map(|row| self.rows.count(x, row, width)).sum();
        let cells = width as usize * height as usize;
        let wanted = if tile == Tile::Free { cells } else { 0 };
        if free as usize == wanted {
            return Ok(());
        }
        let before = self.content_of(rect);
        for row in y..y + height {
            self.rows.fill(x, row, width, tile == Tile::Free);
        }
        for column in x..x + width {
            self.columns.fill(y, column, height, tile == Tile::Free);
        }
        self.free = self.free - free as usize + wanted;
        self.log_edit(rect, before);
        Ok(())
    }

    /// Bytes of heap memory that the map holds, including its list of edits (at most 96 KiB).
    pub fn memory_usage(&self) -> usize {
        self.rows.bytes()
            + self.columns.bytes()
            + self.factor_bytes()
            + self.height_bytes()
            + self.log.bytes()
    }

    /// The rectangle of all cells.
    pub(crate) fn whole(&self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }

    /// The passability by rows: position = node id of a cell.
    #[inline]
    pub(crate) fn rows(&self) -> &Bits {
        &self.rows
    }

    /// The passability by columns: the same with x and y swapped.
    #[inline]
    pub(crate) fn columns(&self) -> &Bits {
        &self.columns
    }

    /// The sum of all cells' contributions to the content hash.
    pub(crate) fn content(&self) -> u64 {
        self.content
    }

    /// The error for a cell off the map.
    pub(crate) fn check_cell(&self, what: &'static str, cell: Cell) -> Result<(), Error> {
        if self.contains(cell) {
            return Ok(());
        }
        Err(Error::Outside { what, cell, width: self.width, height: self.height })
    }

    /// Notes an edit of passability or terrain in a rectangle whose cells contributed `before` to
    /// the content hash.
    fn log_edit(&mut self, rect: Rect, before: u64) {
        self.note_content(rect, before);
        self.log.push(rect);
    }

    /// The same without an entry in the list of edits.
    fn note_content(&mut self, rect: Rect, before: u64) {
        let after = self.content_of(rect);
        self.content = self.content.wrapping_sub(before).wrapping_add(after);
    }

    fn put(&mut self, x: u32, y: u32, free: bool) {
        let position = self.rows.position(x, y);
        let was = self.rows.get(position);
        self.rows.put(position, free);
        self.columns.put(self.columns.position(y, x), free);
        self.free = self.free + usize::from(free) - usize::from(was);
    }
}

/// Two grids are equal if they have the same size and every cell has the same tile, terrain factor
/// and height, whatever their versions.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        let cells = |grid: &Self| Rect::new(0, 0, grid.width, grid.height).cells();
        (self.width, self.height, self.free) == (other.width, other.height, other.free)
            && self.content == other.content
            && self.has_heights() == other.has_heights()
            && cells(self).all(|cell| {
                self.cost(cell) == other.cost(cell) && self.height_at(cell) == other.height_at(cell)
            })
    }
}

impl Clone for Grid {
    /// The clone gets a new version; `changes_since` of the original's reports no changes.
    fn clone(&self) -> Self {
        let mut log = self.log.clone();
        log.push(Rect::default());
        Self {
            width: self.width,
            height: self.height,
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            free: self.free,
            content: self.content,
            terrain: self.terrain.clone(),
            heights: self.heights.clone(),
            log,
        }
    }
}

/// The error for a size beyond the limits; called before anything of that size is allocated.
pub(crate) fn check_size(width: u64, height: u64) -> Result<(), Error> {
    let possible = 1..=u64::from(Grid::MAX_SIDE);
    if possible.contains(&width) && possible.contains(&height) {
        return Ok(());
    }
    Err(Error::Size { width, height, max: Grid::MAX_SIDE })
}

/// The error for a slice that does not hold one value for each cell, or a size beyond the limits.
pub(crate) fn check_length(width: u32, height: u32, got: usize) -> Result<(), Error> {
    check_size(width.into(), height.into())?;
    let want = width as usize * height as usize;
    if got == want { Ok(()) } else { Err(Error::Length { got, want, width, height }) }
}

#[cfg(test)]
mod tests {
    use super::edit_log::KEPT_EDITS;
    use super::*;

    #[test]
    fn rows_and_columns_stay_the_same_map() {
        let mut grid = Grid::new(70, 9).unwrap();
        grid.set_rect(Rect::new(5, 2, 60, 3), Tile::Blocked).unwrap();
        grid.set((10, 3), Tile::Free).unwrap();
        for y in 0..9 {
            for x in 0..70 {
                let want = !((5..65).contains(&x) && (2..5).contains(&y)) || (x, y) == (10, 3);
                assert_eq!(grid.is_free(Cell::new(x, y)), want);
                assert_eq!(grid.columns.get(grid.columns.position(y, x)), want);
            }
        }
        assert_eq!(grid.free_cells(), 70 * 9 - 180 + 1);
    }

    #[test]
    fn an_edit_takes_a_new_version_and_is_remembered() {
        let mut grid = Grid::new(8, 8).unwrap();
        let mut other = grid.clone();
        assert_ne!(grid.version(), other.version());
        let v0 = grid.version();
        assert_eq!(other.changes_since(v0).unwrap().collect::<Vec<_>>(), [Rect::default()]);
        grid.set((1, 1), Tile::Free).unwrap();
        assert_eq!(grid.version(), v0, "an edit that changes nothing is none");
        grid.set((1, 1), Tile::Blocked).unwrap();
        grid.set_cost((2, 1), 3.0).unwrap();
        other.set((1, 1), Tile::Blocked).unwrap();
        assert!(grid.changes_since(other.version()).is_none(), "another grid's version");
        let rects: Vec<_> = grid.changes_since(v0).unwrap().collect();
        assert_eq!(rects, [Rect::new(1, 1, 1, 1), Rect::new(2, 1, 1, 1)]);
        let v2 = grid.version();
        for i in 0..KEPT_EDITS as u32 + 1 {
            let tile = if i % 2 == 0 { Tile::Blocked } else { Tile::Free };
            grid.set((3, 3), tile).unwrap();
        }
        assert!(grid.changes_since(v2).is_none(), "too old");
        assert_eq!(grid.changes_since(grid.version()).unwrap().count(), 0);
    }

    #[test]
    fn terrain_factors_are_fixed_point_and_know_their_minimum() {
        let mut grid = Grid::new(3, 2).unwrap();
        assert!(!grid.has_costs());
        grid.set_costs(&[2.0, 2.0, 3.5, 0.0, 250.0, 2.0]).unwrap();
        assert_eq!(grid.cost(Cell::new(2, 0)), 3.5);
        assert_eq!(grid.cost(Cell::new(0, 1)), 0.0);
        assert!(!grid.is_free(Cell::new(0, 1)));
        assert_eq!(grid.least_factor(), 256, "the cell under the wall keeps factor 1");
        grid.set_cost((0, 1), 4.0).unwrap();
        assert_eq!(grid.least_factor(), 512);
        assert!(grid.set_cost((0, 0), 256.0).is_err());
        assert!(grid.set_cost((0, 0), f64::NAN).is_err());
        assert!(grid.set_cost((0, 0), -1.0).is_err());
        assert!(grid.set_cost((3, 0), 1.0).is_err());
        let message = grid.set_cost((0, 0), 1e9).unwrap_err().to_string();
        assert!(message.contains("1000000000") && message.contains("255.99"), "{message}");
    }

    #[test]
    fn sizes_are_checked_before_anything_is_allocated() {
        assert!(Grid::new(0, 5).is_err());
        assert!(Grid::new(16385, 1).is_err());
        assert!(Grid::new(u32::MAX, u32::MAX).is_err());
        assert!(Grid::from_bytes(2, 2, &[1, 1, 1]).is_err());
        let grid = Grid::new(16384, 3).unwrap();
        assert!(grid.memory_usage() <= 2 * 16384 * 3);
    }

    #[test]
    fn a_rectangle_off_the_map_is_refused() {
        let mut grid = Grid::new(4, 4).unwrap();
        assert!(grid.set_rect(Rect::new(2, 2, 3, 1), Tile::Blocked).is_err());
        assert!(grid.set_rect(Rect::new(2, 2, u32::MAX, 1), Tile::Blocked).is_err());
        assert!(grid.set_rect(Rect::new(9, 9, 0, 4), Tile::Blocked).is_ok());
        assert_eq!(grid.free_cells(), 16);
    }

    #[test]
    fn a_point_belongs_to_a_free_cell_that_it_touches() {
        let grid = Grid::from_ascii("#.\n.#").unwrap();
        assert_eq!(grid.cell_of(Point::new(1.0, 1.0)), Some(Cell::new(0, 1)));
        assert_eq!(grid.cell_of(Point::new(0.5, 0.5)), Some(Cell::new(0, 0)));
        assert_eq!(grid.cell_of(Point::new(2.0, 0.0)), Some(Cell::new(1, 0)));
        assert_eq!(grid.cell_of(Point::new(2.5, 0.0)), None);
        assert_eq!(grid.cell_of(Point::new(-0.5, 0.0)), None);
    }
}
