//! The map, shared by everything made from it.

use crate::error::{raise, refuse};
use crate::place;
use blockstar::{Cell, Error, Rect, format};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// See `blockstar/grid.py`, which adds arrays and slices.
#[pyclass(frozen, subclass, module = "blockstar._blockstar", name = "Grid")]
pub struct Grid {
    pub shared: SharedGrid,
}

/// A map that several Python objects hold.
#[derive(Clone)]
pub struct SharedGrid(Arc<RwLock<blockstar::Grid>>);

impl SharedGrid {
    fn new(grid: blockstar::Grid) -> Self {
        Self(Arc::new(RwLock::new(grid)))
    }

    pub fn read(&self) -> RwLockReadGuard<'_, blockstar::Grid> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, blockstar::Grid> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The values of an array in the order of its rows.
fn values<'a, T: numpy::Element>(array: &'a PyReadonlyArray2<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| refuse("the array must be contiguous, row by row"))
}

/// The rectangle that an array covers from a cell on.
fn rect(row: u32, column: u32, shape: &[usize]) -> Rect {
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    Rect::new(column, row, side(shape[1]), side(shape[0]))
}

fn size(shape: &[usize]) -> (u32, u32) {
    let Rect { width, height, .. } = rect(0, 0, shape);
    (width, height)
}

#[pymethods]
impl Grid {
    #[new]
    #[pyo3(signature = (free))]
    fn new(free: PyReadonlyArray2<'_, u8>) -> PyResult<Self> {
        let (width, height) = size(free.shape());
        let grid = blockstar::Grid::from_bytes(width, height, values(&free)?).map_err(raise)?;
        Ok(Self { shared: SharedGrid::new(grid) })
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        let grid = self.shared.read();
        (grid.height(), grid.width())
    }

    #[getter]
    fn free_cells(&self) -> usize {
        self.shared.read().free_cells()
    }

    #[getter]
    fn version(&self) -> u64 {
        self.shared.read().version()
    }

    #[getter]
    fn content_hash(&self) -> u64 {
        self.shared.read().content_hash()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.shared.read().memory_usage()
    }

    #[getter]
    fn has_costs(&self) -> bool {
        self.shared.read().has_costs()
    }

    #[getter]
    fn has_heights(&self) -> bool {
        self.shared.read().has_heights()
    }

    fn is_free(&self, row: i64, column: i64) -> PyResult<bool> {
        Ok(self.shared.read().is_free(place::cell("cell", row, column)?))
    }

    /// One byte per cell: 1 where it is free.
    fn free_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.array(py, |grid, cell| u8::from(grid.is_free(cell)))
    }

    /// The cost factor of each cell, 0 where it is blocked.
    fn cost_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.array(py, |grid, cell| grid.cost(cell))
    }

    fn height_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.array(py, |grid, cell| grid.height_at(cell).unwrap_or(0.0))
    }

    fn patch(&self, row: u32, column: u32, free: PyReadonlyArray2<'_, u8>) -> PyResult<()> {
        let rect = rect(row, column, free.shape());
        self.shared.write().patch_bytes(rect, values(&free)?).map_err(raise)
    }

    fn patch_costs(&self, row: u32, column: u32, costs: PyReadonlyArray2<'_, f64>) -> PyResult<()> {
        let rect = rect(row, column, costs.shape());
        self.shared.write().patch_costs(rect, values(&costs)?).map_err(raise)
    }

    fn patch_heights(
        &self,
        row: u32,
        column: u32,
        heights: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let rect = rect(row, column, heights.shape());
        self.shared.write().patch_heights(rect, values(&heights)?).map_err(raise)
    }

    fn copy_native(&self) -> Self {
        Self { shared: SharedGrid::new(self.shared.read().clone()) }
    }

    /// The map as text in MovingAI's format.
    fn movingai_text(&self) -> String {
        format::movingai::write_map(&self.shared.read())
    }

    #[staticmethod]
    fn parse_movingai(text: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Self::of(format::movingai::parse_map(text.as_bytes()))
    }

    #[staticmethod]
    fn parse_ascii(text: &str) -> PyResult<Self> {
        Self::of(format::ascii::parse(text))
    }

    fn same_as(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || {
            let copy = other.shared.read().clone();
            *self.shared.read() == copy
        }
    }
}

impl Grid {
    fn of(grid: Result<blockstar::Grid, Error>) -> PyResult<Self> {
        Ok(Self { shared: SharedGrid::new(grid.map_err(raise)?) })
    }

    fn array<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        value: impl Fn(&blockstar::Grid, Cell) -> T,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let grid = self.shared.read();
        let (width, height) = (grid.width(), grid.height());
        let cells = Rect::new(0, 0, width, height).cells();
        let values = cells.map(|cell| value(&grid, cell)).collect::<Vec<T>>();
        numpy::PyArray1::from_vec(py, values).reshape([height as usize, width as usize])
    }
}
