//! A search that is made in slices.

use crate::path::Path;
use crate::planner::{Planner, unlocked};
use crate::trace::Trace;
use blockstar::{Budget, Scratch, Status};
use pyo3::prelude::*;
use std::sync::Mutex;

/// A search under way: call `resume` until it is done, then take its `path`.
#[pyclass(frozen, module = "blockstar._blockstar", name = "Search")]
pub struct Search {
    pub planner: Py<Planner>,
    pub state: Mutex<(Scratch, Status)>,
}

#[pymethods]
impl Search {
    /// Goes on for at most this many expansions; whether the search is done.
    fn resume(&self, py: Python<'_>, expansions: u64) -> PyResult<bool> {
        let planner = self.planner.get();
        let status = planner.grid.work(py, |grid| {
            let mut state = unlocked(&self.state);
            let (scratch, status) = &mut *state;
            if *status == Status::Working {
                let budget = Budget::expansions(expansions);
                *status = planner.with(grid, |planner| planner.resume(grid, scratch, budget))?;
            }
            Ok(*status)
        })?;
        let status = status.map_err(|error| planner.axes.raise(error))?;
        Ok(status != Status::Working)
    }

    /// "working", and at the end what came of it.
    #[getter]
    fn status(&self, py: Python<'_>) -> &'static str {
        py.detach(|| unlocked(&self.state).1.name())
    }

    /// What was found; an empty path while the search is under way.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<Path> {
        let (path, status, stats, trace) = py.detach(|| {
            let state = unlocked(&self.state);
            let scratch = &state.0;
            (scratch.path().clone(), state.1, *scratch.stats(), scratch.trace().cloned())
        });
        let Planner { grid, axes, moves, .. } = self.planner.get();
        let trace = trace.map(|trace| Trace::new(py, trace, &path, grid, *axes)).transpose()?;
        Ok(Path { path, status, stats, grid: grid.clone(), moves: *moves, axes: *axes, trace })
    }
}
