//! Distances between all cells and some sources, as an array.

use crate::error::raise;
use crate::grid::{Grid, SharedGrid};
use crate::path::Path;
use crate::place;
use blockstar::{Cell, Rect, Stats, Status};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The cheapest ways between every cell and the nearest of some sources; it follows edits of the
/// grid by itself.
#[pyclass(frozen, module = "blockstar._blockstar", name = "DistanceMap")]
pub struct DistanceMap {
    grid: SharedGrid,
    map: Mutex<blockstar::DistanceMap>,
}

impl DistanceMap {
    /// The distances, up to date.
    fn current(&self, grid: &blockstar::Grid) -> PyResult<MutexGuard<'_, blockstar::DistanceMap>> {
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        map.update(grid).map_err(raise)?;
        Ok(map)
    }
}

#[pymethods]
impl DistanceMap {
    #[new]
    fn new(grid: &Grid, sources: Vec<(i64, i64)>, moves: &str) -> PyResult<Self> {
        let cells = sources.into_iter().map(|(row, column)| place::cell("source", row, column));
        let cells = cells.collect::<PyResult<Vec<Cell>>>()?;
        let moves = moves.parse().map_err(raise)?;
        let map = blockstar::DistanceMap::new(&grid.shared.read(), moves, cells).map_err(raise)?;
        Ok(Self { grid: grid.shared.clone(), map: Mutex::new(map) })
    }

    /// The cost of the cheapest way from each cell to a source, infinite where there is none, as a
    /// float64 array of the map's shape.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let grid = self.grid.read();
        let map = self.current(&grid)?;
        let (width, height) = (grid.width(), grid.height());
        let mut values = Vec::with_capacity(width as usize * height as usize);
        for cell in Rect::new(0, 0, width, height).cells() {
            values.push(map.distance(&grid, cell).map_err(raise)?.unwrap_or(f64::INFINITY));
        }
        PyArray1::from_vec(py, values).reshape([height as usize, width as usize])
    }

    /// The cost from a cell to the nearest source, infinite where there is no way.
    fn distance(&self, cell: (i64, i64)) -> PyResult<f64> {
        let grid = self.grid.read();
        let cell = place::cell("cell", cell.0, cell.1)?;
        let distance = self.current(&grid)?.distance(&grid, cell).map_err(raise)?;
        Ok(distance.unwrap_or(f64::INFINITY))
    }

    /// The next cell on the way from a cell to the nearest source; None at a source or without a
    /// way.
    fn next_step(&self, cell: (i64, i64)) -> PyResult<Option<(u32, u32)>> {
        let grid = self.grid.read();
        let cell = place::cell("cell", cell.0, cell.1)?;
        let next = self.current(&grid)?.next_step(&grid, cell).map_err(raise)?;
        Ok(next.map(|next| (next.y, next.x)))
    }

    /// The cheapest path from a cell to the nearest source.
    fn path_from(&self, cell: (i64, i64)) -> PyResult<Path> {
        let grid = self.grid.read();
        let cell = place::cell("cell", cell.0, cell.1)?;
        let map = self.current(&grid)?;
        let path = map.path_from(&grid, cell).map_err(raise)?;
        let status = if path.is_some() { Status::Found } else { Status::NoPath };
        let (path, moves) = (path.unwrap_or_default(), map.moves());
        Ok(Path { path, status, stats: Stats::default(), grid: self.grid.clone(), moves })
    }
}
