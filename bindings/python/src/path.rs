//! A path, its cost and what the search said.

use crate::error::refuse;
use crate::grid::{Grid, picture};
use crate::place::Axes;
use crate::shared::SharedGrid;
use crate::trace::Trace;
use blockstar::{Moves, Stats, Status};
use blockstar_draw::{PictureFormat, Route, Scene};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A path: an array of (row, column) places, with its cost and what came of the search.
///
/// It is false where there is none, and says why in `status`: "found", "nearest", "no-path",
/// "limit-reached".
#[pyclass(frozen, module = "blockstar._blockstar", name = "Path", weakref)]
pub struct Path {
    pub path: blockstar::Path,
    pub status: Status,
    pub stats: Stats,
    pub grid: SharedGrid,
    pub moves: Moves,
    pub axes: Axes,
    pub trace: Option<Py<Trace>>,
}

impl Path {
    fn with(&self, py: Python<'_>, path: blockstar::Path) -> Self {
        let (moves, grid) = (path.moves(), self.grid.clone());
        let trace = self.trace.as_ref().map(|trace| trace.clone_ref(py));
        Self { path, moves, grid, trace, ..*self }
    }

    fn draw(&self, py: Python<'_>, kind: PictureFormat) -> PyResult<Vec<u8>> {
        let (points, cost) = (self.path.points(), self.path.cost());
        let (title, status) = (self.status.to_string(), self.status);
        let drawn = self.grid.work(py, |grid| {
            let label = format!("cost {cost:.3}");
            let routes = if status.has_path() { Route::alone(points, &label) } else { Vec::new() };
            let ends = points.first().copied().zip(points.last().copied());
            picture(kind, &Scene { grid, title, expanded: &[], all_expanded: true, routes, ends })
        })?;
        drawn.map_err(refuse)
    }
}

#[pymethods]
impl Path {
    /// What came of the search: "found", "nearest", "no-path" or "limit-reached".
    #[getter]
    fn status(&self) -> &'static str {
        self.status.name()
    }

    /// The cost, infinite where there is no path.
    #[getter]
    fn cost(&self) -> f64 {
        if self.path.is_empty() { f64::INFINITY } else { self.path.cost() }
    }

    /// The length in cells, whatever the ground costs.
    #[getter]
    fn length(&self) -> f64 {
        self.path.length()
    }

    /// How often it changes direction.
    #[getter]
    fn turns(&self) -> usize {
        self.path.turns()
    }

    /// Where it turns, with both ends, as an (n, 2) array of rows and columns: int32 between cells,
    /// float64 for any-angle paths.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let points = self.path.points().iter();
        let shape = [self.path.points().len(), 2];
        if self.moves.rule().is_any_angle() {
            let values = points.flat_map(|&point| self.axes.of_point(point)).collect();
            return Ok(PyArray1::<f64>::from_vec(py, values).reshape(shape)?.into_any());
        }
        let values = points.flat_map(|point| self.axes.of_cell(point.cell())).collect();
        Ok(PyArray1::<i32>::from_vec(py, values).reshape(shape)?.into_any())
    }

    /// Every cell it goes through, in order, as an (n, 2) int32 array of rows and columns: use
    /// `array[tuple(path.cells.T)]` to read or paint them.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let cells = self.path.cells();
        let values: Vec<i32> = cells.flat_map(|cell| self.axes.of_cell(cell)).collect();
        let rows = values.len() / 2;
        PyArray1::from_vec(py, values).reshape([rows, 2])
    }

    /// What the search did, if it was asked for with `trace=True`.
    #[getter]
    fn trace(&self, py: Python<'_>) -> Option<Py<Trace>> {
        self.trace.as_ref().map(|trace| trace.clone_ref(py))
    }

    /// What the search did, as a dictionary.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Stats { expanded, opened, improved, largest_open, sight_checks, rounds, moves, .. } =
            self.stats;
        let dict = PyDict::new(py);
        let counters = [
            ("expanded", expanded),
            ("opened", opened),
            ("improved", improved),
            ("largest_open", largest_open),
            ("sight_checks", sight_checks),
            ("rounds", rounds),
            ("reexpanded", self.stats.reexpanded),
            ("tables_made", self.stats.tables_made),
            ("moves", moves),
            ("first_response", self.stats.first_response),
            ("largest_move", self.stats.largest_move),
        ];
        for (name, value) in counters {
            dict.set_item(name, value)?;
        }
        dict.set_item("planner", self.stats.planner)?;
        dict.set_item("reused", self.stats.reused)?;
        dict.set_item("raw_cost", self.stats.raw_cost)?;
        Ok(dict)
    }

    fn __len__(&self) -> usize {
        self.path.points().len()
    }

    fn __bool__(&self) -> bool {
        !self.path.is_empty()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy; // it is always one
        let points = self.points(py)?;
        match dtype {
            Some(dtype) => points.call_method1("astype", (dtype,)),
            None => Ok(points),
        }
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.points(py)?.get_item(key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.points(py)?.call_method0("__iter__")
    }

    /// The place after walking some distance from the start, as (row, column); the end if that is
    /// farther than the path is long.
    fn position_at(&self, distance: f64) -> PyResult<Option<(f64, f64)>> {
        if distance.is_nan() || distance < 0.0 {
            return Err(refuse(format!("a distance is {distance}: give a number from 0")));
        }
        let mut cursor = self.path.cursor();
        cursor.advance(&self.path, distance);
        Ok(cursor.position(&self.path).map(|point| self.axes.of_point(point).into()))
    }

    /// The path with detours between its points cut wherever a straight line is free: any-angle.
    fn smoothed(&self, py: Python<'_>) -> PyResult<Self> {
        let path = &self.path;
        Ok(self.with(py, self.grid.work(py, |grid| path.smoothed(grid))?))
    }

    /// The shortest any-angle path that passes the obstacles on the same sides.
    fn pulled_taut(&self, py: Python<'_>) -> PyResult<Self> {
        let path = &self.path;
        Ok(self.with(py, self.grid.work(py, |grid| path.pulled_taut(grid))?))
    }

    /// Raises `blockstar.Error` with the first illegal step unless the path is legal on a grid, by
    /// default the one it was planned on, as that is now.
    #[pyo3(signature = (grid=None))]
    fn check(&self, py: Python<'_>, grid: Option<&Grid>) -> PyResult<()> {
        let (path, moves) = (&self.path, self.moves);
        let grid = grid.map_or(&self.grid, |grid| &grid.shared);
        let checked = grid.read(py, |grid| path.check(grid, moves))?;
        checked.map_err(|violation| refuse(violation.to_string()))
    }

    /// Whether the path can still be walked on the grid as it is now.
    fn still_valid(&self, py: Python<'_>) -> PyResult<bool> {
        let path = &self.path;
        self.grid.read(py, |grid| path.still_valid(grid))
    }

    fn __repr__(&self) -> String {
        if self.path.is_empty() {
            return format!("<Path {}>", self.status);
        }
        let [first, last] = [self.path.points().first(), self.path.points().last()]
            .map(|point| point.map_or([0.0; 2], |&point| self.axes.of_point(point)));
        format!(
            "<Path {}: ({}, {}) to ({}, {}), cost {:.4}, {} points>",
            self.status,
            first[0],
            first[1],
            last[0],
            last[1],
            self.path.cost(),
            self.path.points().len()
        )
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        String::from_utf8(self.draw(py, PictureFormat::Svg)?)
            .map_err(|error| refuse(error.to_string()))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.draw(py, PictureFormat::Png)?))
    }
}
