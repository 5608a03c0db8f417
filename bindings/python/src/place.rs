//! Places as Python has them: (row, column), the centre of the first cell of an array at (0, 0).
//!
//! The library has x to the right and y down, and cell centres at +0.5. Whole numbers are cells
//! either way; for any-angle paths a corner of cells is at a half.

use crate::error::refuse;
use blockstar::{Cell, Point};
use pyo3::prelude::*;

/// A start or goal.
pub fn read(what: &str, place: &Bound<'_, PyAny>) -> PyResult<Point> {
    if let Ok((row, column)) = place.extract::<(i64, i64)>() {
        return Ok(cell(what, row, column)?.centre());
    }
    let (row, column) = place.extract::<(f64, f64)>().map_err(|_| not_a_place(what, place))?;
    point(what, row, column)
}

/// A cell by row and column.
pub fn cell(what: &str, row: i64, column: i64) -> PyResult<Cell> {
    match (u32::try_from(column), u32::try_from(row)) {
        (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
        _ => Err(refuse(format!(
            "{what} ({row}, {column}) is not a cell: give (row, column), both from 0"
        ))),
    }
}

/// A point by row and column.
pub fn point(what: &str, row: f64, column: f64) -> PyResult<Point> {
    if !row.is_finite() || !column.is_finite() {
        return Err(refuse(format!("{what} ({row}, {column}) is not a place: give finite numbers")));
    }
    Ok(Point::new(column + 0.5, row + 0.5))
}

/// Row and column of a point.
pub fn row_column(point: Point) -> [f64; 2] {
    [point.y() - 0.5, point.x() - 0.5]
}

fn not_a_place(what: &str, place: &Bound<'_, PyAny>) -> PyErr {
    let shown = place.repr().map_or_else(|_| "this".into(), |text| text.to_string());
    refuse(format!("{what} is {shown}: give a pair of numbers, (row, column)"))
}
