//! A search that is made in slices.

use crate::error::raise;
use crate::grid::SharedGrid;
use crate::path::Path;
use crate::planner::Planner;
use blockstar::{Budget, Scratch, Status};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A search under way: call `resume` until it is done, then take its `path`.
#[pyclass(frozen, module = "blockstar._blockstar", name = "Search")]
pub struct Search {
    pub planner: Py<Planner>,
    pub grid: SharedGrid,
    pub state: Mutex<(Scratch, Status)>,
}

#[pymethods]
impl Search {
    /// Goes on for at most this many expansions; whether the search is done.
    fn resume(&self, py: Python<'_>, expansions: u64) -> PyResult<bool> {
        let planner = self.planner.get();
        py.detach(|| {
            let grid = self.grid.read();
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let (scratch, status) = &mut *state;
            if *status == Status::Working {
                *status = planner
                    .with(&grid, |planner| planner.resume(&grid, scratch, Budget::expansions(expansions)))
                    .map_err(raise)?;
            }
            Ok(*status != Status::Working)
        })
    }

    #[getter]
    fn status(&self) -> &'static str {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1.name()
    }

    /// What was found; an empty path while the search is under way.
    #[getter]
    fn path(&self) -> Path {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, stats) = (state.0.path().clone(), *state.0.stats());
        let moves = self.planner.get().moves();
        Path { path, status: state.1, stats, grid: self.grid.clone(), moves }
    }
}
