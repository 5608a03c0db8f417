//! The map, shared by everything made from it.
//!
//! A thread that waits for the map lets other Python threads run: one of them may be about to give
//! the map back. And a thread that has the map and calls Python, to tell how far it is, may be asked
//! to edit that map: it would wait for itself, and is refused instead ([`SharedGrid::told`]).

use crate::error::refuse;
use blockstar::Grid;
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

/// A map that several Python objects hold.
#[derive(Clone)]
pub struct SharedGrid(Arc<RwLock<Grid>>);

thread_local! {
    /// Whether this thread has a map and has called Python.
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

impl SharedGrid {
    pub fn new(grid: Grid) -> Self {
        Self(Arc::new(RwLock::new(grid)))
    }

    /// Does something short with the map.
    pub fn read<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&Grid) -> T + Send,
    ) -> PyResult<T> {
        match self.0.try_read() {
            Ok(grid) => Ok(act(&grid)),
            Err(TryLockError::Poisoned(grid)) => Ok(act(&grid.into_inner())),
            Err(TryLockError::WouldBlock) => self.work(py, act),
        }
    }

    /// Does something with the map that may take its time, while other Python threads run.
    pub fn work<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&Grid) -> T + Send,
    ) -> PyResult<T> {
        if TELLING.get() {
            // Behind an edit that waits, a second look would wait for the end of the first.
            let Ok(grid) = self.0.try_read() else { return Err(busy()) };
            // The guard stays on this thread, which Python is not told.
            return Ok(act(&grid));
        }
        Ok(py.detach(|| act(&self.0.read().unwrap_or_else(PoisonError::into_inner))))
    }

    /// Changes the map.
    pub fn write<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Grid) -> T + Send,
    ) -> PyResult<T> {
        match self.0.try_write() {
            Ok(mut grid) => Ok(act(&mut grid)),
            Err(TryLockError::Poisoned(grid)) => Ok(act(&mut grid.into_inner())),
            Err(TryLockError::WouldBlock) if TELLING.get() => Err(busy()),
            Err(TryLockError::WouldBlock) => Ok(py.detach(|| {
                let mut grid = self.0.write().unwrap_or_else(PoisonError::into_inner);
                act(&mut grid)
            })),
        }
    }

    /// Calls Python from a thread that has a map.
    pub fn told<T>(call: impl FnOnce(Python<'_>) -> T) -> T {
        Python::attach(|py| {
            let before = TELLING.replace(true);
            let result = call(py);
            TELLING.set(before);
            result
        })
    }
}

fn busy() -> PyErr {
    refuse("the map is being planned on by the call that tells its progress: edit it afterwards")
}
