//! Many answers as columns.

use crate::error::{raise, refuse};
use crate::place;
use crate::planner::{Options, Planner};
use blockstar::{Batch, Cell, Path, Query, Status};
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

/// Where routes begin or end: whole numbers are cells, others points.
enum Places<'a> {
    Cells(ArrayView2<'a, i64>),
    Points(ArrayView2<'a, f64>),
}

impl Places<'_> {
    fn at(&self, what: &'static str, index: usize) -> Result<blockstar::Point, blockstar::Error> {
        let outside = |value: f64| blockstar::Error::Range {
            what,
            value,
            range: "a row and a column, both finite and from 0",
        };
        match self {
            Self::Cells(cells) => {
                let (row, column) = (cells[[index, 0]], cells[[index, 1]]);
                match (u32::try_from(column), u32::try_from(row)) {
                    (Ok(x), Ok(y)) => Ok(blockstar::Cell::new(x, y).centre()),
                    _ => Err(outside(row.min(column) as f64)),
                }
            }
            Self::Points(points) => {
                let (row, column) = (points[[index, 0]], points[[index, 1]]);
                if row.is_finite() && column.is_finite() {
                    Ok(blockstar::Point::new(column + 0.5, row + 0.5))
                } else {
                    Err(outside(if row.is_finite() { column } else { row }))
                }
            }
        }
    }
}

#[pymethods]
impl Routes {
    /// Answers many queries; see `Planner.find_many`.
    #[staticmethod]
    #[pyo3(signature = (planner, starts, goals, paths, threads, progress, options))]
    #[allow(clippy::too_many_arguments)]
    fn find(
        py: Python<'_>,
        planner: &Planner,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        paths: Option<&str>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let options = Options::read(Some(options), &planner.grid)?;
        let mut held = [None, None];
        let mut floats = [None, None];
        for (index, array) in [starts, goals].into_iter().enumerate() {
            if let Ok(cells) = array.extract::<PyReadonlyArray2<'_, i64>>() {
                held[index] = Some(cells);
            } else {
                floats[index] = Some(array.extract::<PyReadonlyArray2<'_, f64>>()?);
            }
        }
        let places = |index: usize| match (&held[index], &floats[index]) {
            (Some(cells), _) => Ok((Places::Cells(cells.as_array()), cells.shape()[0])),
            (_, Some(points)) => Ok((Places::Points(points.as_array()), points.shape()[0])),
            _ => Err(refuse("starts and goals must be arrays of numbers")),
        };
        let ((starts, count), (goals, others)) = (places(0)?, places(1)?);
        if count != others {
            return Err(refuse(format!(
                "{count} starts and {others} goals: give as many of one as of the other"
            )));
        }
        let paths = match paths {
            Some("turns") if planner.moves().rule().is_any_angle() => Paths::Points,
            Some("turns") => Paths::Turns,
            Some("cells") => Paths::Cells,
            None => Paths::Nothing,
            Some(other) => {
                return Err(refuse(format!(
                    "paths is \"{other}\": use \"turns\", \"cells\" or None"
                )));
            }
        };
        let query = |index: usize| -> Result<Query, blockstar::Error> {
            Ok(options.query(starts.at("a start", index)?, goals.at("a goal", index)?))
        };
        let threads = threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, usize::from)
        });
        let progress = progress.map(Bound::unbind);
        let found = py.detach(|| {
            let mut stop: Option<PyErr> = None;
            let mut looked = Instant::now();
            // Asks Python every now and then: for Ctrl-C, and to show how far it is.
            let mut go_on = |done: usize| {
                if done < count && looked.elapsed() < LOOK {
                    return true;
                }
                looked = Instant::now();
                let asked = Python::attach(|py| {
                    py.check_signals()?;
                    progress.as_ref().map_or(Ok(()), |tell| tell.call1(py, (done, count)).map(drop))
                });
                stop = asked.err();
                stop.is_none()
            };
            let grid = planner.grid.read();
            let mut batch = Batch::with_threads(threads);
            let answer = planner.with(&grid, |planner| {
                let asked = (planner, &*grid);
                Ok(match paths {
                    Paths::Points => {
                        Found::Points(batch.routes(asked, count, &query, &write_points, &mut go_on))
                    }
                    Paths::Turns => {
                        Found::Cells(batch.routes(asked, count, &query, &write_turns, &mut go_on))
                    }
                    Paths::Cells => {
                        Found::Cells(batch.routes(asked, count, &query, &write_cells, &mut go_on))
                    }
                    Paths::Nothing => {
                        Found::Cells(batch.routes(asked, count, &query, &|_, _| (), &mut go_on))
                    }
                })
            });
            match stop {
                Some(error) => Err(error),
                None => answer.map_err(raise),
            }
        })?;
        match found {
            Found::Cells(Some(routes)) => Self::columns(py, routes),
            Found::Points(Some(routes)) => Self::columns(py, routes),
            _ => Err(refuse("the search was stopped")),
        }
    }
}

/// How long Python's signals may wait.
const LOOK: Duration = Duration::from_millis(20);

/// What is kept of each path.
enum Paths {
    Points,
    Turns,
    Cells,
    Nothing,
}

enum Found {
    Cells(Option<blockstar::Routes<[i32; 2]>>),
    Points(Option<blockstar::Routes<[f64; 2]>>),
}

fn write_points(path: &Path, points: &mut Vec<[f64; 2]>) {
    points.extend(path.points().iter().map(|&point| place::row_column(point)));
}

fn write_turns(path: &Path, points: &mut Vec<[i32; 2]>) {
    points.extend(path.points().iter().map(|point| row_column(point.cell())));
}

fn write_cells(path: &Path, points: &mut Vec<[i32; 2]>) {
    points.extend(path.cells().map(row_column));
}

fn row_column(cell: Cell) -> [i32; 2] {
    [cell.y as i32, cell.x as i32]
}

impl Routes {
    fn columns<T: numpy::Element + Copy>(
        py: Python<'_>,
        routes: blockstar::Routes<[T; 2]>,
    ) -> PyResult<Self> {
        let errors = PyDict::new(py);
        for (index, error) in &routes.errors {
            errors.set_item(index, error.to_string())?;
        }
        let status: Vec<u8> = routes.statuses.iter().map(|&status| code(status)).collect();
        let offsets: Vec<i64> = routes.offsets.iter().map(|&offset| offset as i64).collect();
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
