//! Who stands, or will stand, where: every unit at rest has a cell of its own, and nobody else gets
//! that as a place near its goal.

use blockstar::{Cell, Rect};

const NOBODY: u32 = u32::MAX;

/// Cells with owners.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    width: u32,
    height: u32,
    owners: Vec<u32>,
}

impl Claims {
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, owners: vec![NOBODY; width as usize * height as usize] }
    }

    /// Whether a unit of a size can have a cell: nobody else has any of the square.
    pub fn is_free(&self, cell: Cell, size: u8, unit: u32) -> bool {
        let side = u32::from(size);
        cell.x + side <= self.width
            && cell.y + side <= self.height
            && Rect::new(cell.x, cell.y, side, side).cells().all(|cell| {
                let owner = self.owners[self.index(cell)];
                owner == NOBODY || owner == unit
            })
    }

    /// Who has all cells of a square.
    pub fn owner(&self, cell: Cell, size: u8) -> Option<u32> {
        let owner = self.owners[self.index(cell)];
        let square = Rect::new(cell.x, cell.y, size.into(), size.into());
        (owner != NOBODY && square.cells().all(|cell| self.owners[self.index(cell)] == owner))
            .then_some(owner)
    }

    pub fn take(&mut self, cell: Cell, size: u8, unit: u32) {
        for cell in Rect::new(cell.x, cell.y, size.into(), size.into()).cells() {
            let index = self.index(cell);
            self.owners[index] = unit;
        }
    }

    /// Gives back what belongs to a unit there.
    pub fn give_back(&mut self, cell: Cell, size: u8, unit: u32) {
        for cell in Rect::new(cell.x, cell.y, size.into(), size.into()).cells() {
            let index = self.index(cell);
            if self.owners[index] == unit {
                self.owners[index] = NOBODY;
            }
        }
    }

    /// The owners of the cells of a rectangle, in order.
    pub fn within(&self, rect: Rect) -> Vec<u32> {
        let owners = rect.cells().map(|cell| self.owners[self.index(cell)]);
        let mut owners: Vec<u32> = owners.filter(|&owner| owner != NOBODY).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    pub fn bytes(&self) -> usize {
        self.owners.len() * 4
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }
}
