//! Distances between all cells and some sources, as an array.

use crate::path::Path;
use crate::place::Axes;
use crate::planner::{Planner, unlocked};
use crate::shared::SharedGrid;
use blockstar::{Cell, Error, Rect, Stats, Status};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Mutex;

/// The cheapest ways between every cell and the nearest of some sources; it follows edits of the
/// grid by itself.
///
/// `to_array` and `distance`, `next_step` and `path_from` tell the way to the sources; with
/// `back=True` the first two tell the way from them, which differs on slopes alone. Places are (row,
/// column), or (x, y) if the planner has `xy=True`.
#[pyclass(frozen, module = "blockstar._blockstar", name = "DistanceMap")]
pub struct DistanceMap {
    grid: SharedGrid,
    axes: Axes,
    map: Mutex<blockstar::DistanceMap>,
}

impl DistanceMap {
    /// Does something with the distances, up to date.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&blockstar::DistanceMap, &blockstar::Grid) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let done = self.grid.work(py, |grid| {
            let mut map = unlocked(&self.map);
            map.update(grid)?;
            act(&map, grid)
        })?;
        done.map_err(|error| self.axes.raise(error))
    }
}

/// A distance, to the source or back.
fn price(
    map: &blockstar::DistanceMap,
    grid: &blockstar::Grid,
    cell: Cell,
    back: bool,
) -> Result<f64, Error> {
    let price = if back { map.distance_to(grid, cell) } else { map.distance(grid, cell) };
    Ok(price?.unwrap_or(f64::INFINITY))
}

#[pymethods]
impl DistanceMap {
    #[new]
    fn new(py: Python<'_>, planner: &Planner, sources: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let axes = planner.axes;
        let cells = sources.iter().map(|source| axes.read_cell("source", source));
        let cells = cells.collect::<PyResult<Vec<Cell>>>()?;
        let moves = planner.moves;
        let map = planner.grid.work(py, |grid| blockstar::DistanceMap::new(grid, moves, cells))?;
        let map = Mutex::new(map.map_err(|error| axes.raise(error))?);
        Ok(Self { grid: planner.grid.clone(), axes, map })
    }

    /// The cost of the cheapest way from each cell to a source, infinite where there is none, as a
    /// float64 array of the map's shape.
    #[pyo3(signature = (*, back=false))]
    fn to_array<'py>(&self, py: Python<'py>, back: bool) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (shape, values) = self.with(py, |map, grid| {
            let (width, height) = (grid.width(), grid.height());
            let cells = Rect::new(0, 0, width, height).cells();
            let values = cells.map(|cell| price(map, grid, cell, back));
            let values = values.collect::<Result<Vec<f64>, Error>>()?;
            Ok(([height as usize, width as usize], values))
        })?;
        PyArray1::from_vec(py, values).reshape(shape)
    }

    /// The cost from a cell to the nearest source, infinite where there is no way.
    #[pyo3(signature = (cell, *, back=false))]
    fn distance(&self, py: Python<'_>, cell: &Bound<'_, PyAny>, back: bool) -> PyResult<f64> {
        let cell = self.axes.read_cell("cell", cell)?;
        self.with(py, |map, grid| price(map, grid, cell, back))
    }

    /// The next cell on the way from a cell to the nearest source; None at a source or without a
    /// way.
    fn next_step(&self, py: Python<'_>, cell: &Bound<'_, PyAny>) -> PyResult<Option<(i32, i32)>> {
        let cell = self.axes.read_cell("cell", cell)?;
        let next = self.with(py, |map, grid| map.next_step(grid, cell))?;
        Ok(next.map(|next| self.axes.of_cell(next).into()))
    }

    /// The cheapest path from a cell to the nearest source.
    fn path_from(&self, py: Python<'_>, cell: &Bound<'_, PyAny>) -> PyResult<Path> {
        let cell = self.axes.read_cell("cell", cell)?;
        let (path, moves) =
            self.with(py, |map, grid| Ok((map.path_from(grid, cell)?, map.moves())))?;
        let status = if path.is_some() { Status::Found } else { Status::NoPath };
        let (path, stats, axes) = (path.unwrap_or_default(), Stats::default(), self.axes);
        Ok(Path { path, status, stats, grid: self.grid.clone(), moves, axes, trace: None })
    }

    /// The costs from some sources (rows) to some targets (columns), each by a distance map of its
    /// source: see `blockstar.distributed.cost_matrix`.
    #[staticmethod]
    fn matrix<'py>(
        py: Python<'py>,
        planner: &Planner,
        sources: Vec<Bound<'_, PyAny>>,
        targets: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let axes = planner.axes;
        let read = |what, places: &[Bound<'_, PyAny>]| {
            places.iter().map(|place| axes.read_cell(what, place)).collect::<PyResult<Vec<Cell>>>()
        };
        let (sources, targets) = (read("source", &sources)?, read("target", &targets)?);
        let moves = planner.moves;
        let mut values = Vec::with_capacity(sources.len() * targets.len());
        for source in &sources {
            // One map at a time, so that Ctrl-C is heard in between.
            py.check_signals()?;
            let row = planner.grid.work(py, |grid| {
                let map = blockstar::DistanceMap::new(grid, moves, [*source])?;
                let row = targets.iter().map(|&cell| price(&map, grid, cell, true));
                row.collect::<Result<Vec<f64>, Error>>()
            })?;
            values.extend(row.map_err(|error| axes.raise(error))?);
        }
        PyArray1::from_vec(py, values).reshape([sources.len(), targets.len()])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let sources = py.detach(|| unlocked(&self.map).sources().len());
        let noun = if sources == 1 { "source" } else { "sources" };
        Ok(format!("<DistanceMap of {sources} {noun}>"))
    }
}
