//! What the oracles of the any-angle rules share.

use blockstar::{Cell, Grid, Moves, Point};

/// The any-angle rules.
pub const RULES: [Moves; 2] = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE];

/// Whether a cell is on the map and free.
pub fn free(grid: &Grid, x: i64, y: i64) -> bool {
    x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32))
}

/// The two free cells if the point is a double corner.
pub fn double_corner(grid: &Grid, point: Point) -> Option<[(i64, i64); 2]> {
    let (x, y) = point.as_corner()?;
    let (x, y) = (i64::from(x), i64::from(y));
    let cells = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
    match cells.map(|(x, y)| free(grid, x, y)) {
        [true, false, false, true] => Some([cells[0], cells[3]]),
        [false, true, true, false] => Some([cells[1], cells[2]]),
        _ => None,
    }
}

/// Whether a segment from the corner of a cell towards a point begins in or along that cell.
pub fn begins_in(cell: (i64, i64), corner: Point, towards: Point) -> bool {
    let inside = |low: i64, at: f64, to: f64| if at == low as f64 { to >= at } else { to <= at };
    inside(cell.0, corner.x(), towards.x()) && inside(cell.1, corner.y(), towards.y())
}
