//! What a search did, as columns and as a picture.

use crate::error::refuse;
use crate::grid::picture;
use crate::place::Axes;
use crate::shared::SharedGrid;
use blockstar::{Columns, Event, Point};
use blockstar_draw::{PictureFormat, Scene, expanded};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// What a search did, in order, as arrays of one element per event: `kinds`, `at`, `origins`, `g`
/// and `f`. In a notebook it shows itself: the map, what was expanded from early to late, and the
/// path.
///
/// >>> import numpy as np, blockstar
/// >>> planner = blockstar.Planner(np.ones((20, 30), dtype=bool), "astar")
/// >>> trace = planner.find((2, 3), (15, 20), trace=True).trace
/// >>> expanded = trace.kinds == trace.KINDS.index("expanded")
/// >>> trace.at[expanded][0].tolist(), bool(expanded.sum() > 10)
/// ([2.0, 3.0], True)
#[pyclass(frozen, module = "blockstar._blockstar", name = "Trace")]
pub struct Trace {
    trace: Arc<blockstar::Trace>,
    points: Vec<Point>,
    grid: SharedGrid,
    axes: Axes,
}

impl Trace {
    /// The trace of a search that ended in a path.
    pub fn new(
        py: Python<'_>,
        trace: blockstar::Trace,
        path: &blockstar::Path,
        grid: &SharedGrid,
        axes: Axes,
    ) -> PyResult<Py<Self>> {
        let (trace, points) = (Arc::new(trace), path.points().to_vec());
        Py::new(py, Self { trace, points, grid: grid.clone(), axes })
    }

    /// A place per event, not a number where there is none.
    fn places<'py>(
        &self,
        py: Python<'py>,
        place: impl Fn(&Event) -> Option<Point>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers =
            |event: Event| place(&event).map_or([f64::NAN; 2], |point| self.axes.of_point(point));
        let values: Vec<f64> = self.trace.events().flat_map(numbers).collect();
        PyArray1::from_vec(py, values).reshape([self.trace.len(), 2])
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        number: impl Fn(&Event) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.trace.events().map(|event| number(&event)).collect())
    }

    fn draw(&self, py: Python<'_>, kind: PictureFormat) -> PyResult<Vec<u8>> {
        let drawn = self.grid.work(py, |grid| {
            let expanded = expanded(&self.trace, grid);
            let scene = Scene {
                grid,
                title: format!("{} events", self.trace.len()),
                expanded: &expanded,
                all_expanded: self.trace.dropped() == 0,
                routes: blockstar_draw::Route::alone(&self.points, "path"),
                ends: self.points.first().copied().zip(self.points.last().copied()),
            };
            picture(kind, &scene)
        })?;
        drawn.map_err(refuse)
    }
}

#[pymethods]
impl Trace {
    /// The names of the kinds of event, by their numbers in `kinds`.
    #[classattr]
    const KINDS: [&'static str; 12] = Columns::KINDS;

    /// What happened, as numbers of `KINDS`; 128 is added by the search from the goal, where a
    /// planner searches from both ends.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.trace.columns().kinds)
    }

    /// Where, as an (n, 2) array.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.places(py, Event::at)
    }

    /// Where it came from, as an (n, 2) array; not a number where the search does not know.
    #[getter]
    fn origins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.places(py, Event::origin)
    }

    /// The cost to it.
    #[getter]
    fn g<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |event| event.numbers().0)
    }

    /// Its priority.
    #[getter]
    fn f<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |event| event.numbers().1)
    }

    /// How many events there were beyond those that are kept.
    #[getter]
    fn dropped(&self) -> u64 {
        self.trace.dropped()
    }

    fn __len__(&self) -> usize {
        self.trace.len()
    }

    fn __repr__(&self) -> String {
        format!("<Trace of {} events>", self.trace.len())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let drawn = self.draw(py, PictureFormat::Svg)?;
        String::from_utf8(drawn).map_err(|error| refuse(error.to_string()))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.draw(py, PictureFormat::Png)?))
    }
}
