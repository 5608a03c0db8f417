//! The map of a session: the grid, what it is called, and what was done to it.

use crate::frame::{Fault, Reply, object};
use crate::history::History;
use crate::limits::Limits;
use blockstar::{Cell, Grid, Rect};
use serde_json::Value;

/// A map that is looked at and edited.
#[derive(Debug)]
pub(crate) struct SessionMap {
    pub grid: Grid,
    pub name: String,
    /// The distance between the centres of neighbouring cells, in metres.
    pub cell_size: f64,
    pub history: History,
    /// Another number after each change, for clients.
    pub revision: u64,
}

impl SessionMap {
    pub fn new(grid: Grid, name: impl Into<String>, revision: u64) -> Self {
        Self { grid, name: name.into(), cell_size: 1.0, history: History::default(), revision }
    }

    /// The rectangle of all cells.
    pub fn whole(&self) -> Rect {
        Rect::new(0, 0, self.grid.width(), self.grid.height())
    }

    /// Writes what the map is, and the columns of an area that lies on it.
    pub fn describe(&self, area: Option<Rect>, reply: &mut Reply) {
        let grid = &self.grid;
        let (lowest, highest) = grid.height_range();
        reply.set(
            "map",
            object(vec![
                ("name", self.name.as_str().into()),
                ("width", grid.width().into()),
                ("height", grid.height().into()),
                ("revision", self.revision.into()),
                ("free_cells", grid.free_cells().into()),
                ("has_costs", grid.has_costs().into()),
                ("has_heights", grid.has_heights().into()),
                ("cell_size", self.cell_size.into()),
                ("lowest", lowest.into()),
                ("highest", highest.into()),
                ("undo", self.history.undoable().into()),
                ("redo", self.history.redoable().into()),
                ("area", area.map(corners).into()),
            ]),
        );
        let Some(area) = area else { return };
        let count = area.width as usize * area.height as usize;
        reply.column_of("free", count, area.cells().map(|cell| u8::from(grid.is_free(cell))));
        if grid.has_costs() {
            reply.column_of("costs", count, area.cells().map(|cell| factor(grid, cell)));
        }
        if grid.has_heights() {
            let heights = area.cells().map(|cell| grid.height_at(cell).unwrap_or(0.0));
            reply.column_of("heights", count, heights);
        }
    }
}

/// A rectangle as an object.
fn corners(Rect { x, y, width, height }: Rect) -> Value {
    object(vec![
        ("x", x.into()),
        ("y", y.into()),
        ("width", width.into()),
        ("height", height.into()),
    ])
}

/// A terrain factor in 1/256; 0 where the cell is blocked.
pub(crate) fn factor(grid: &Grid, cell: Cell) -> u16 {
    (grid.cost(cell) * f64::from(Grid::FACTOR_ONE)) as u16
}

/// Refuses sizes beyond the limits, before anything of that size is made.
pub(crate) fn check_size(width: u32, height: u32, limits: &Limits) -> Result<(), Fault> {
    let cells = u64::from(width) * u64::from(height);
    if cells > limits.cells {
        return Err(format!(
            "the map would have {width} x {height} = {cells} cells, but this session takes {} at \
             most: use a smaller one, or a server of your own with higher limits",
            limits.cells
        ));
    }
    Ok(())
}
