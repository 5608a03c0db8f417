//! Steps that can be undone and redone.

use crate::map::factor;
use blockstar::{Cell, Grid, Rect, Tile};
use blockstar_world::Edit;
use std::collections::VecDeque;

/// What a cell is: all that an edit can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellState {
    pub free: bool,
    /// The terrain factor in 1/256, also of a blocked cell.
    pub factor: u16,
    pub height: f32,
}

/// One cell of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub cell: Cell,
    pub before: CellState,
    pub after: CellState,
}

/// What one edit did.
#[derive(Debug, Default)]
pub(crate) struct Step {
    pub changes: Vec<Change>,
    /// Whether the map had no heights before.
    pub first_heights: bool,
    /// What happened to a door, instead of to cells.
    pub door: Option<DoorStep>,
}

/// What happened to a door of the units' world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DoorStep {
    Made(Rect),
    /// A door opened, or closed.
    Set {
        door: u16,
        rect: Rect,
        open: bool,
    },
}

/// Where a step was undone or redone, and what must be done to a door.
#[derive(Debug)]
pub(crate) struct Travelled {
    pub area: Rect,
    pub door: Option<Edit>,
}

/// The steps, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    pub fn undoable(&self) -> usize {
        self.done.len()
    }

    pub fn redoable(&self) -> usize {
        self.undone.len()
    }

    pub fn bytes(&self) -> usize {
        self.done.iter().chain(&self.undone).map(Step::bytes).sum()
    }

    /// Forgets what happened to doors, which are gone with their world.
    pub fn forget_doors(&mut self) {
        self.done.retain(|step| step.door.is_none());
        self.undone.retain(|step| step.door.is_none());
    }

    /// Adds a step, or goes on with the one before; forgets the oldest ones beyond so many bytes.
    pub fn push(&mut self, step: Step, join: bool, most_bytes: usize) {
        self.undone.clear();
        match self.done.back_mut().filter(|last| join && last.door.is_none()) {
            Some(last) => {
                last.first_heights |= step.first_heights;
                last.changes.extend(step.changes);
            }
            None => self.done.push_back(step),
        }
        while self.bytes() > most_bytes && self.done.pop_front().is_some() {}
    }

    /// Undoes the last step.
    pub fn undo(&mut self, grid: &mut Grid) -> Option<Travelled> {
        let step = self.done.pop_back()?;
        for change in step.changes.iter().rev() {
            change.before.put(grid, change.cell);
        }
        if step.first_heights {
            *grid = without_heights(grid);
        }
        let travelled = Travelled { area: step.area(), door: step.door.map(DoorStep::back) };
        self.undone.push(step);
        Some(travelled)
    }

    /// Does the last undone step again.
    pub fn redo(&mut self, grid: &mut Grid) -> Option<Travelled> {
        let step = self.undone.pop()?;
        for change in &step.changes {
            change.after.put(grid, change.cell);
        }
        let travelled = Travelled { area: step.area(), door: step.door.map(DoorStep::forth) };
        self.done.push_back(step);
        Some(travelled)
    }
}

impl DoorStep {
    pub fn forth(self) -> Edit {
        match self {
            Self::Made(rect) => Edit::AddDoor(rect, 0),
            Self::Set { door, open, .. } => Edit::door(door, open),
        }
    }

    fn back(self) -> Edit {
        match self {
            // Steps are undone in order, so it is the last one.
            Self::Made(_) => Edit::RemoveDoor,
            Self::Set { door, open, .. } => Edit::door(door, !open),
        }
    }
}

impl Step {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.changes.capacity() * size_of::<Change>()
    }

    /// The rectangle around what changed.
    pub fn area(&self) -> Rect {
        if let Some(DoorStep::Made(rect) | DoorStep::Set { rect, .. }) = self.door {
            return rect;
        }
        let mut cells = self.changes.iter().map(|change| change.cell);
        let Some(first) = cells.next() else { return Rect::default() };
        let (mut low, mut high) = (first, first);
        for cell in cells {
            low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
            high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
        }
        Rect::new(low.x, low.y, high.x - low.x + 1, high.y - low.y + 1)
    }
}

impl CellState {
    /// What a cell of the map is. (The factor of a blocked cell can be seen only by freeing it.)
    pub fn of(grid: &mut Grid, cell: Cell) -> Self {
        let free = grid.is_free(cell);
        let height = grid.height_at(cell).unwrap_or(0.0);
        let factor = match (grid.has_costs(), free) {
            (false, _) => Grid::FACTOR_ONE,
            (true, true) => factor(grid, cell),
            (true, false) => {
                let seen = grid.set(cell, Tile::Free).map(|()| factor(grid, cell));
                let back = grid.set(cell, Tile::Blocked);
                seen.and_then(|seen| back.map(|()| seen)).unwrap_or(Grid::FACTOR_ONE)
            }
        };
        Self { free, factor, height }
    }

    /// Makes a cell so. The cell is on the map, and the state was one of a map, so nothing fails.
    pub fn put(self, grid: &mut Grid, cell: Cell) {
        if self.factor != Grid::FACTOR_ONE || grid.has_costs() {
            let _ = grid.set_cost(cell, f64::from(self.factor) / f64::from(Grid::FACTOR_ONE));
        }
        let tile = if self.free { Tile::Free } else { Tile::Blocked };
        let _ = grid.set(cell, tile);
        if (grid.has_heights() || self.height != 0.0) && grid.height_at(cell) != Some(self.height) {
            let _ = grid.set_height(cell, self.height);
        }
    }
}

/// The same map without its heights.
fn without_heights(grid: &mut Grid) -> Grid {
    let (width, height) = (grid.width(), grid.height());
    // The size is that of a map, so this does not fail.
    let Ok(mut flat) = Grid::from_fn(width, height, |cell| grid.is_free(cell)) else {
        return grid.clone();
    };
    if grid.has_costs() {
        for cell in Rect::new(0, 0, width, height).cells() {
            CellState { height: 0.0, ..CellState::of(grid, cell) }.put(&mut flat, cell);
        }
    }
    flat
}
