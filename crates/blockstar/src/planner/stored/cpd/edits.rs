//! What has changed since the database was built.

use crate::engine::Changes;
use crate::grid::bits::Bits;
use crate::{Cell, Grid, Rect};

/// The cells that differ between the database's map and the current map.
#[derive(Clone, Debug)]
pub(super) struct Edits {
    /// The map that the database was made for.
    base: Bits,
    size: (u32, u32),
    /// Positions of cells that were free and are now blocked, and vice versa, ascending.
    blocked: Vec<u32>,
    freed: Vec<u32>,
    /// Freed cells that a way can lead past: at least two cells around them are free, which is rare
    /// inside rock.
    open: Vec<u32>,
}

impl Edits {
    pub fn none(grid: &Grid) -> Self {
        Self {
            base: grid.rows().clone(),
            size: (grid.width(), grid.height()),
            blocked: Vec::new(),
            freed: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Whether a grid has the size of the database's map.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.size == (grid.width(), grid.height())
    }

    /// The position of a cell, if it lies on the map.
    pub fn position(&self, cell: Cell) -> Option<u32> {
        let on_map = cell.x < self.size.0 && cell.y < self.size.1;
        on_map.then(|| self.base.position(cell.x, cell.y))
    }

    /// Freed cells that a way can lead past.
    pub fn open(&self) -> &[u32] {
        &self.open
    }

    /// How many cells differ.
    pub fn len(&self) -> usize {
        self.blocked.len() + self.freed.len()
    }

    /// The cells that differ, ascending by row and column.
    pub fn cells(&self) -> Vec<Cell> {
        let mut all: Vec<u32> = self.blocked.iter().chain(&self.freed).copied().collect();
        all.sort_unstable();
        all.into_iter().map(|position| Cell::from(self.base.coordinates(position))).collect()
    }

    /// Notes what was edited in the grid, which must fit.
    pub fn update(&mut self, grid: &Grid, changes: &Changes<'_>) {
        let cells = u64::from(self.size.0) * u64::from(self.size.1);
        let area = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        let few = changes
            .rects()
            .map(|rects| rects.fold(0, |sum: u64, rect| sum.saturating_add(area(&rect))))
            .is_some_and(|sum| sum < cells / 16 + 64);
        match changes.rects().filter(|_| few) {
            Some(rects) => rects.for_each(|rect| self.look(grid, rect)),
            None => {
                self.blocked.clear();
                self.freed.clear();
                self.look(grid, Rect::new(0, 0, self.size.0, self.size.1));
            }
        }
        let rows = grid.rows();
        let Self { freed, open, .. } = self;
        open.clear();
        // The count includes the cell itself.
        open.extend(freed.iter().filter(|&&cell| rows.around(cell).count_ones() > 2));
    }

    fn look(&mut self, grid: &Grid, rect: Rect) {
        let rows = grid.rows();
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                let position = rows.position(x, y);
                let (was, is) = (self.base.get(position), rows.get(position));
                put(&mut self.blocked, position, was && !is);
                put(&mut self.freed, position, !was && is);
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.base.bytes()
            + (self.blocked.capacity() + self.freed.capacity() + self.open.capacity()) * 4
    }
}

/// Adds a number to a sorted list or removes it.
fn put(list: &mut Vec<u32>, number: u32, wanted: bool) {
    if list.last().is_none_or(|&last| last < number) {
        if wanted {
            list.push(number);
        }
        return;
    }
    match list.binary_search(&number) {
        Ok(at) if !wanted => {
            list.remove(at);
        }
        Err(at) if wanted => list.insert(at, number),
        _ => {}
    }
}
