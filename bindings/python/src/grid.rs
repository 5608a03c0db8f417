//! Maps from arrays and back.

use crate::error::{raise, refuse};
use crate::place::Axes;
use crate::shared::SharedGrid;
use blockstar::format::heights::HeightMap;
use blockstar::{Cell, Error, Rect, format};
use blockstar_draw::{PictureFormat, Scene};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// See `blockstar/grid.py`, which adds arrays and slices.
#[pyclass(frozen, subclass, module = "blockstar._blockstar", name = "Grid")]
pub struct Grid {
    pub shared: SharedGrid,
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

/// A picture of a scene as bytes.
pub fn picture(kind: PictureFormat, scene: &Scene<'_>) -> Result<Vec<u8>, String> {
    kind.encode(scene).map_err(|error| error.to_string())
}

#[pymethods]
impl Grid {
    #[new]
    fn new(free: PyReadonlyArray2<'_, u8>) -> PyResult<Self> {
        let Rect { width, height, .. } = rect(0, 0, free.shape());
        Self::of(blockstar::Grid::from_bytes(width, height, values(&free)?))
    }

    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<(u32, u32)> {
        self.shared.read(py, |grid| (grid.height(), grid.width()))
    }

    #[getter]
    fn free_cells(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, blockstar::Grid::free_cells)
    }

    #[getter]
    fn version(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.read(py, blockstar::Grid::version)
    }

    #[getter]
    fn content_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.read(py, blockstar::Grid::content_hash)
    }

    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, blockstar::Grid::memory_usage)
    }

    #[getter]
    fn has_costs(&self, py: Python<'_>) -> PyResult<bool> {
        self.shared.read(py, blockstar::Grid::has_costs)
    }

    #[getter]
    fn has_heights(&self, py: Python<'_>) -> PyResult<bool> {
        self.shared.read(py, blockstar::Grid::has_heights)
    }

    fn is_free(&self, py: Python<'_>, row: u32, column: u32) -> PyResult<bool> {
        self.shared.read(py, |grid| grid.is_free(Cell::new(column, row)))
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

    fn patch(
        &self,
        py: Python<'_>,
        row: u32,
        column: u32,
        free: PyReadonlyArray2<'_, u8>,
    ) -> PyResult<()> {
        let (rect, values) = (rect(row, column, free.shape()), values(&free)?);
        self.edit(py, |grid| grid.patch_bytes(rect, values))
    }

    fn patch_costs(
        &self,
        py: Python<'_>,
        row: u32,
        column: u32,
        costs: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let (rect, values) = (rect(row, column, costs.shape()), values(&costs)?);
        self.edit(py, |grid| grid.patch_costs(rect, values))
    }

    fn patch_heights(
        &self,
        py: Python<'_>,
        row: u32,
        column: u32,
        heights: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let (rect, values) = (rect(row, column, heights.shape()), values(&heights)?);
        self.edit(py, |grid| grid.patch_heights(rect, values))
    }

    /// The map as text in MovingAI's format.
    fn movingai_text(&self, py: Python<'_>) -> PyResult<String> {
        self.shared.read(py, format::movingai::write_map)
    }

    #[staticmethod]
    fn parse_movingai(text: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Self::of(format::movingai::parse_map(text.as_bytes()))
    }

    #[staticmethod]
    fn parse_ascii(text: &str) -> PyResult<Self> {
        Self::of(format::ascii::parse(text))
    }

    fn same_as(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        let copy = other.shared.read(py, blockstar::Grid::clone)?;
        self.shared.read(py, |grid| *grid == copy)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let drawn = self.draw(py, PictureFormat::Svg)?;
        String::from_utf8(drawn).map_err(|error| refuse(error.to_string()))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.draw(py, PictureFormat::Png)?))
    }
}

/// The heights in the bytes of an ESRI grid or an SRTM tile, not a number where there is none, and
/// the distance between neighbouring cells, if the file tells it.
#[pyfunction]
pub fn parse_heights<'py>(
    py: Python<'py>,
    bytes: &Bound<'_, PyBytes>,
    kind: &str,
) -> PyResult<(Bound<'py, PyArray2<f32>>, Option<f64>)> {
    let map = match kind {
        "hgt" => HeightMap::parse_hgt(bytes.as_bytes()),
        _ => HeightMap::parse_esri(bytes.as_bytes()),
    };
    let map = map.map_err(raise)?;
    let shape = [map.height() as usize, map.width() as usize];
    Ok((PyArray1::from_slice(py, map.values()).reshape(shape)?, map.cell_size()))
}

impl Grid {
    fn of(grid: Result<blockstar::Grid, Error>) -> PyResult<Self> {
        Ok(Self { shared: SharedGrid::new(grid.map_err(raise)?) })
    }

    fn edit(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut blockstar::Grid) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        self.shared.write(py, act)?.map_err(|error| Axes::RowColumn.raise(error))
    }

    fn array<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        value: impl Fn(&blockstar::Grid, Cell) -> T + Sync,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let (width, height, values) = self.shared.read(py, |grid| {
            let (width, height) = (grid.width(), grid.height());
            let cells = Rect::new(0, 0, width, height).cells();
            (width, height, cells.map(|cell| value(grid, cell)).collect::<Vec<T>>())
        })?;
        PyArray1::from_vec(py, values).reshape([height as usize, width as usize])
    }

    fn draw(&self, py: Python<'_>, kind: PictureFormat) -> PyResult<Vec<u8>> {
        let drawn = self.shared.work(py, |grid| {
            let title = format!("{} rows, {} columns", grid.height(), grid.width());
            let routes = Vec::new();
            let scene =
                Scene { grid, title, expanded: &[], all_expanded: true, routes, ends: None };
            picture(kind, &scene)
        })?;
        drawn.map_err(refuse)
    }
}
