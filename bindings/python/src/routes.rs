//! Many answers as columns.

use crate::error::{raise, refuse};
use crate::options::Options;
use crate::place::Axes;
use crate::planner::{Planner, check_threads};
use crate::shared::SharedGrid;
use blockstar::{Batch, Error, Path, Query, Status};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::{Duration, Instant};

/// See `blockstar/routes.py`.
#[pyclass(frozen, module = "blockstar._blockstar", name = "Routes", get_all)]
pub struct Routes {
    status: Py<PyAny>,
    cost: Py<PyAny>,
    offsets: Py<PyAny>,
    points: Py<PyAny>,
    errors: Py<PyDict>,
}

/// The numbers of the statuses in the column; 255 is a query that was refused.
fn code(status: Option<Status>) -> u8 {
    match status {
        Some(Status::Found) => 0,
        Some(Status::Nearest) => 1,
        Some(Status::NoPath) => 2,
        Some(Status::LimitReached) => 3,
        _ => 255,
    }
}

/// An array of starts or goals: whole numbers are cells, others points.
enum Places<'py> {
    Cells(PyReadonlyArray2<'py, i64>),
    Points(PyReadonlyArray2<'py, f64>),
}

/// What searches see of it.
#[derive(Clone, Copy)]
enum View<'a> {
    Cells(ArrayView2<'a, i64>),
    Points(ArrayView2<'a, f64>),
}

impl<'py> Places<'py> {
    fn read(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(match array.extract() {
            Ok(cells) => Self::Cells(cells),
            Err(_) => Self::Points(array.extract()?),
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.shape()[0],
            Self::Points(points) => points.shape()[0],
        }
    }

    fn view(&self) -> View<'_> {
        match self {
            Self::Cells(cells) => View::Cells(cells.as_array()),
            Self::Points(points) => View::Points(points.as_array()),
        }
    }
}

impl View<'_> {
    fn at(self, axes: Axes, what: &'static str, row: usize) -> Result<blockstar::Point, Error> {
        match self {
            Self::Cells(cells) => {
                Ok(axes.cell_of(what, [cells[[row, 0]], cells[[row, 1]]])?.centre())
            }
            Self::Points(points) => axes.point(what, [points[[row, 0]], points[[row, 1]]]),
        }
    }
}

#[pymethods]
impl Routes {
    /// Answers many queries; see `Planner.find_many`.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn find(
        py: Python<'_>,
        planner: &Planner,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        paths: Option<&str>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        check_threads(threads)?;
        let axes = planner.axes;
        let options = Options::read(py, Some(options), &planner.grid)?;
        if options.trace > 0 {
            return Err(refuse("traces are of single searches: use find(…, trace=True)"));
        }
        let (starts, goals) = (Places::read(starts)?, Places::read(goals)?);
        let (count, others) = (starts.len(), goals.len());
        if count != others {
            return Err(refuse(format!(
                "{count} starts and {others} goals: give as many of one as of the other"
            )));
        }
        let any_angle = planner.moves.rule().is_any_angle();
        let (starts, goals) = (starts.view(), goals.view());
        let query = |row: usize| -> Result<Query, Error> {
            Ok(options.query(starts.at(axes, "start", row)?, goals.at(axes, "goal", row)?))
        };
        let job = Job { planner, count, query: &query, threads, progress };
        match paths {
            Some("turns") if any_angle => job.run(py, &|path, points: &mut Vec<[f64; 2]>| {
                points.extend(path.points().iter().map(|&point| axes.of_point(point)));
            }),
            Some("turns") => job.run(py, &|path, points: &mut Vec<[i32; 2]>| {
                points.extend(path.points().iter().map(|point| axes.of_cell(point.cell())));
            }),
            Some("cells") => job.run(py, &|path, points: &mut Vec<[i32; 2]>| {
                points.extend(path.cells().map(|cell| axes.of_cell(cell)));
            }),
            None => job.run(py, &|_, _: &mut Vec<[i32; 2]>| ()),
            Some(other) => {
                Err(refuse(format!("paths is \"{other}\": use \"turns\", \"cells\" or None")))
            }
        }
    }
}

/// How long Python's signals may wait.
const LOOK: Duration = Duration::from_millis(20);

/// Many queries.
struct Job<'a> {
    planner: &'a Planner,
    count: usize,
    query: &'a (dyn Fn(usize) -> Result<Query, Error> + Sync),
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

impl Job<'_> {
    /// Answers them and keeps of each path what `write` makes of it.
    fn run<T: numpy::Element + Copy + Send>(
        &self,
        py: Python<'_>,
        write: &(dyn Fn(&Path, &mut Vec<[T; 2]>) + Sync),
    ) -> PyResult<Routes> {
        let (planner, count) = (self.planner, self.count);
        let (found, stopped) = planner.grid.work(py, |grid| {
            let mut stopped: Option<PyErr> = None;
            let mut looked = Instant::now();
            // Asks Python every now and then: for Ctrl-C, and to show how far it is.
            let mut go_on = |done: usize| {
                if stopped.is_some() {
                    return false;
                }
                if done < count && looked.elapsed() < LOOK {
                    return true;
                }
                looked = Instant::now();
                let asked = SharedGrid::told(|py| {
                    py.check_signals()?;
                    let tell = self.progress.as_ref();
                    tell.map_or(Ok(()), |tell| tell.call1(py, (done, count)).map(drop))
                });
                stopped = asked.err();
                stopped.is_none()
            };
            let mut batch: Batch = planner.take_batch(self.threads);
            let found = planner.with(grid, |planner| {
                Ok(batch.routes((planner, grid), count, self.query, write, &mut go_on))
            });
            planner.put_batch(self.threads, batch);
            (found, stopped)
        })?;
        if let Some(error) = stopped {
            return Err(error);
        }
        match found.map_err(raise)? {
            Some(routes) => Routes::columns(py, routes, planner.axes),
            None => Err(refuse("the search was stopped")),
        }
    }
}

impl Routes {
    fn columns<T: numpy::Element + Copy>(
        py: Python<'_>,
        routes: blockstar::Routes<[T; 2]>,
        axes: Axes,
    ) -> PyResult<Self> {
        let errors = PyDict::new(py);
        for (index, error) in &routes.errors {
            errors.set_item(index, axes.sentence(error))?;
        }
        let status: Vec<u8> = routes.statuses.iter().map(|&status| code(status)).collect();
        let offsets: Vec<i64> = routes.offsets.into_iter().map(|offset| offset as i64).collect();
        let rows = routes.points.len();
        let flat = routes.points.into_flattened();
        let points = PyArray1::from_vec(py, flat).reshape([rows, 2])?;
        Ok(Self {
            status: PyArray1::from_vec(py, status).into_any().unbind(),
            cost: PyArray1::from_vec(py, routes.costs).into_any().unbind(),
            offsets: PyArray1::from_vec(py, offsets).into_any().unbind(),
            points: points.into_any().unbind(),
            errors: errors.unbind(),
        })
    }
}
