//! What has changed since the database was made.

use crate::grid::bits::Bits;
use crate::{Cell, Grid, Rect};

/// The cells that differ between the map of the database and the map as it is.
#[derive(Clone, Debug)]
pub(super) struct Edits {
    /// The map that the database was made for.
    base: Bits,
    size: (u32, u32),
    /// The version of the grid that was last looked at.
    version: u64,
    /// Positions of cells that were free and are blocked, and the other way round; in order.
    blocked: Vec<u32>,
    freed: Vec<u32>,
    /// Freed cells that a way can lead past: at least two cells around them are free. Most cells of a
    /// map's rock are not.
    open: Vec<u32>,
}

impl Edits {
    pub fn none(grid: &Grid) -> Self {
        Self {
            base: grid.rows().clone(),
            size: (grid.width(), grid.height()),
            version: grid.version(),
            blocked: Vec::new(),
            freed: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Whether a grid has the size of the map of the database.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.size == (grid.width(), grid.height())
    }

    /// The position of a cell, if it lies on the map.
    pub fn position(&self, cell: Cell) -> Option<u32> {
        let on_map = cell.x < self.size.0 && cell.y < self.size.1;
        on_map.then(|| self.base.position(cell.x, cell.y))
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// Cells that have been freed since and that a way can lead past.
    pub fn open(&self) -> &[u32] {
        &self.open
    }

    /// How many cells differ.
    pub fn len(&self) -> usize {
        self.blocked.len() + self.freed.len()
    }

    /// Looks at what was edited in the grid, which must fit.
    pub fn update(&mut self, grid: &Grid) {
        let cells = u64::from(self.size.0) * u64::from(self.size.1);
        let area = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        let few = grid
            .changes_since(self.version)
            .map(|changes| changes.fold(0, |sum: u64, rect| sum.saturating_add(area(&rect))))
            .is_some_and(|sum| sum < cells / 16 + 64);
        let changes = grid.changes_since(self.version).filter(|_| few);
        match changes {
            Some(changes) => changes.for_each(|rect| self.look(grid, rect)),
            None => {
                self.blocked.clear();
                self.freed.clear();
                self.look(grid, Rect::new(0, 0, self.size.0, self.size.1));
            }
        }
        let rows = grid.rows();
        let Self { freed, open, .. } = self;
        open.clear();
        // The cell itself is one of those that are counted.
        open.extend(freed.iter().filter(|&&cell| rows.around(cell).count_ones() > 2));
        self.version = grid.version();
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

/// Adds a number to a sorted list or takes it out.
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
