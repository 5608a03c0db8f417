//! Where sectors lie: arithmetic on rows and columns.

use super::Area;
use crate::grid::raster::raster;
use crate::{Grid, Rect};

/// How a map is cut into sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The size of the map.
    map: (u32, u32),
    /// The size of a sector.
    pub side: (u32, u32),
    pub columns: u32,
    pub rows: u32,
}

impl Layout {
    pub fn new(grid: &Grid, side: (u32, u32)) -> Self {
        let map = (grid.width(), grid.height());
        Self { map, side, columns: map.0.div_ceil(side.0), rows: map.1.div_ceil(side.1) }
    }

    /// The sector of a cell: floor(y / h) * ceil(width / w) + floor(x / w).
    #[inline]
    pub fn sector(&self, x: u32, y: u32) -> u32 {
        y / self.side.1 * self.columns + x / self.side.0
    }

    pub fn sectors(&self) -> u32 {
        self.columns * self.rows
    }

    /// The cells of a sector.
    pub fn area(&self, sector: u32) -> Area {
        self.areas(sector, 0)
    }

    /// The cells of all sectors at most `within` sectors away from one.
    pub fn areas(&self, sector: u32, within: u32) -> Area {
        let (column, row) = (sector % self.columns, sector / self.columns);
        let (w, h) = self.side;
        Area {
            left: column.saturating_sub(within) * w,
            top: row.saturating_sub(within) * h,
            right: ((column + within + 1) * w).min(self.map.0),
            bottom: ((row + within + 1) * h).min(self.map.1),
        }
    }

    /// The sectors at most `within` sectors away from one, in order.
    pub fn around(&self, sector: u32, within: u32) -> impl Iterator<Item = u32> + use<> {
        let (column, row, columns) = (sector % self.columns, sector / self.columns, self.columns);
        let columns_around = column.saturating_sub(within)..(column + within + 1).min(self.columns);
        let rows_around = row.saturating_sub(within)..(row + within + 1).min(self.rows);
        raster(columns_around, rows_around).map(move |(x, y)| y * columns + x)
    }

    /// Calls `piece` with each sector that a rectangle, which is not empty, has a piece of.
    pub fn split(&self, rect: Rect, mut piece: impl FnMut(u32, Rect)) {
        let (w, h) = self.side;
        for row in rect.y / h..=(rect.y + rect.height - 1) / h {
            for column in rect.x / w..=(rect.x + rect.width - 1) / w {
                let (x, y) = (rect.x.max(column * w), rect.y.max(row * h));
                let right = (rect.x + rect.width).min((column + 1) * w);
                let bottom = (rect.y + rect.height).min((row + 1) * h);
                piece(row * self.columns + column, Rect::new(x, y, right - x, bottom - y));
            }
        }
    }

    /// How many sectors some rectangles have a piece of.
    pub fn touched(&self, changes: &[Rect]) -> usize {
        let mut touched = Vec::new();
        for &rect in changes.iter().filter(|rect| rect.width > 0 && rect.height > 0) {
            self.split(rect, |sector, _| touched.push(sector));
        }
        touched.sort_unstable();
        touched.dedup();
        touched.len()
    }

    /// How many sectors apart two sectors are: the larger of their differences in columns and rows.
    pub fn apart(&self, a: u32, b: u32) -> u32 {
        let columns = (a % self.columns).abs_diff(b % self.columns);
        columns.max((a / self.columns).abs_diff(b / self.columns))
    }

    /// The most cells that a sector can have.
    pub fn cells(&self) -> u64 {
        u64::from(self.side.0) * u64::from(self.side.1)
    }
}
