//! A planner's prepared data as shapes on the map, for pictures.

use crate::{Cell, Grid, Point, Rect};

/// Shapes of one kind that a planner has prepared; see [`Planner::layers`](crate::Planner::layers).
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Their name: "blocks", "regions".
    pub name: &'static str,
    /// One line about them.
    pub meaning: &'static str,
    /// The shapes.
    pub shapes: Shapes,
}

/// Shapes on a map. Shapes with the same number belong together: blocks with the same table, cells
/// of the same region. [`Layer::NONE`] is no number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shapes {
    /// Rectangles of cells.
    Rects(Vec<(Rect, u32)>),
    /// A number for each cell of the map, row by row.
    Cells(Vec<u32>),
    /// Points.
    Points(Vec<(Point, u32)>),
    /// Straight lines.
    Links(Vec<(Point, Point)>),
}

impl Layer {
    /// The number of shapes that belong to nothing.
    pub const NONE: u32 = u32::MAX;

    pub(crate) fn new(name: &'static str, meaning: &'static str, shapes: Shapes) -> Self {
        Self { name, meaning, shapes }
    }

    /// A layer of numbered cells.
    pub(crate) fn of_cells(
        name: &'static str,
        meaning: &'static str,
        grid: &Grid,
        mut number: impl FnMut(Cell) -> Option<u32>,
    ) -> Self {
        let numbers = grid.whole().cells().map(|cell| number(cell).unwrap_or(Self::NONE));
        Self::new(name, meaning, Shapes::Cells(numbers.collect()))
    }
}

/// The centre of the cell at a position.
pub(crate) fn centre(grid: &Grid, position: u32) -> Point {
    let (x, y) = grid.rows().coordinates(position);
    Cell::new(x, y).centre()
}
