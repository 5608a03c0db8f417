//! Places as Python has them: (row, column), or (x, y) for those who ask for it; the centre of the
//! first cell of an array is at (0, 0).
//!
//! The library has x to the right and y down, and cell centres at +0.5. Whole numbers are cells
//! either way; for any-angle paths a corner of cells is at a half.

use crate::error::refuse;
use blockstar::{Cell, Error, Point};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The order of the two numbers of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    RowColumn,
    XY,
}

impl Axes {
    pub fn new(xy: bool) -> Self {
        if xy { Self::XY } else { Self::RowColumn }
    }

    /// How a place is written.
    fn names(self) -> &'static str {
        match self {
            Self::RowColumn => "(row, column)",
            Self::XY => "(x, y)",
        }
    }

    /// Two numbers in the order of the library, x and y, or back.
    pub fn turned<T>(self, [first, second]: [T; 2]) -> [T; 2] {
        match self {
            Self::RowColumn => [second, first],
            Self::XY => [first, second],
        }
    }

    /// A start or goal.
    pub fn read(self, what: &'static str, place: &Bound<'_, PyAny>) -> PyResult<Point> {
        if let Ok(pair) = place.cast_exact::<PyTuple>()
            && let Ok((first, second)) = pair.extract::<(i64, i64)>()
        {
            return Ok(self.cell(what, [first, second])?.centre());
        }
        let [first, second] = self.pair(what, place)?;
        if let (Ok(first), Ok(second)) = (first.extract::<i64>(), second.extract::<i64>()) {
            return Ok(self.cell(what, [first, second])?.centre());
        }
        match (first.extract::<f64>(), second.extract::<f64>()) {
            (Ok(first), Ok(second)) => {
                self.point(what, [first, second]).map_err(|error| self.raise(error))
            }
            _ => Err(self.not_a_place(what, place)),
        }
    }

    /// A cell.
    pub fn read_cell(self, what: &'static str, place: &Bound<'_, PyAny>) -> PyResult<Cell> {
        let [first, second] = self.pair(what, place)?;
        match (first.extract::<i64>(), second.extract::<i64>()) {
            (Ok(first), Ok(second)) => self.cell(what, [first, second]),
            _ => Err(self.not_a_place(what, place)),
        }
    }

    fn pair<'py>(
        self,
        what: &'static str,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let wrong = |_| self.not_a_place(what, place);
        if place.len().map_err(wrong)? != 2 {
            return Err(self.not_a_place(what, place));
        }
        Ok([place.get_item(0).map_err(wrong)?, place.get_item(1).map_err(wrong)?])
    }

    fn cell(self, what: &'static str, pair: [i64; 2]) -> PyResult<Cell> {
        self.cell_of(what, pair).map_err(|error| self.raise(error))
    }

    /// A cell by its two numbers.
    pub fn cell_of(self, what: &'static str, pair: [i64; 2]) -> Result<Cell, Error> {
        let [x, y] = self.turned(pair);
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
            _ => Err(Error::Range { what, value: x.min(y) as f64, range: "two numbers from 0" }),
        }
    }

    /// A point by its two numbers.
    pub fn point(self, what: &'static str, pair: [f64; 2]) -> Result<Point, Error> {
        let [x, y] = self.turned(pair);
        if x.is_finite() && y.is_finite() {
            return Ok(Point::new(x + 0.5, y + 0.5));
        }
        let value = if x.is_finite() { y } else { x };
        Err(Error::Range { what, value, range: "two finite numbers" })
    }

    /// The two numbers of a point.
    pub fn of_point(self, point: Point) -> [f64; 2] {
        self.turned([point.x() - 0.5, point.y() - 0.5])
    }

    /// The two numbers of a cell.
    pub fn of_cell(self, cell: Cell) -> [i32; 2] {
        // Maps have at most 16384 rows and columns.
        self.turned([cell.x as i32, cell.y as i32])
    }

    /// The exception of an error, which names places as the caller does.
    pub fn raise(self, error: Error) -> PyErr {
        crate::error::raise_with(&error, self.sentence(&error))
    }

    /// What an error says.
    pub fn sentence(self, error: &Error) -> String {
        let size = |width: &u32, height: &u32| format!("{height} rows and {width} columns");
        let names = self.names();
        match error {
            Error::Outside { what, cell, width, height } => {
                let [first, second] = self.of_cell(*cell);
                let size = size(width, height);
                format!("{what} ({first}, {second}), {names}, lies outside the map of {size}")
            }
            Error::OutsidePoint { what, point, width, height } => {
                let [first, second] = self.of_point(*point);
                let size = size(width, height);
                format!("{what} ({first}, {second}), {names}, lies outside the map of {size}")
            }
            _ => error.to_string(),
        }
    }

    fn not_a_place(self, what: &str, place: &Bound<'_, PyAny>) -> PyErr {
        let mut shown = place.repr().map_or_else(|_| "this".into(), |text| text.to_string());
        if let Some((end, _)) = shown.char_indices().nth(60) {
            shown.truncate(end);
            shown.push('…');
        }
        refuse(format!("{what} is {shown}: give a pair of numbers, {}", self.names()))
    }
}
