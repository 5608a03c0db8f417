//! A planner prepared for a grid, which follows that grid's edits by itself.

use crate::error::{raise, refuse};
use crate::grid::Grid;
use crate::options::Options;
use crate::path::Path;
use crate::place::Axes;
use crate::search::Search;
use crate::shared::SharedGrid;
use crate::trace::Trace;
use blockstar::{Algorithm, Batch, Error, Moves, PlannerSpec, Scratch, Slope, Status};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// See `blockstar/planner.py`.
#[pyclass(frozen, subclass, module = "blockstar._blockstar", name = "Planner")]
pub struct Planner {
    pub grid: SharedGrid,
    pub moves: Moves,
    pub axes: Axes,
    spec: String,
    /// The planner and the version of the map that it was last updated to.
    prepared: RwLock<(Box<dyn blockstar::Planner>, u64)>,
    /// Held by who updates the planner. Who has waited for it may find nothing left to do, and so
    /// nobody waits to write while others search.
    updating: Mutex<()>,
    /// Search memory that nobody uses at the moment.
    scratches: Mutex<Vec<Scratch>>,
    /// The same for many queries, by the number of threads.
    batches: Mutex<Vec<(Option<usize>, Batch)>>,
}

/// What a lock guards. It is whole even after a panic elsewhere.
pub fn unlocked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers of a slope: cell size, climb, descent, steepest climb, steepest descent, planar.
type SlopeNumbers = (f64, f64, f64, f64, f64, bool);

/// A movement rule by its name, with what heights mean.
pub fn movement(name: &str, slope: Option<SlopeNumbers>) -> PyResult<Moves> {
    let moves: Moves = name.parse().map_err(raise)?;
    Ok(match slope {
        None => moves,
        Some((cell_size, climb, descent, max_climb, max_descent, planar)) => {
            let slope = Slope::new(cell_size).penalties(climb, descent);
            let slope = slope.limits(max_climb, max_descent);
            moves.with_slope(if planar { slope.planar() } else { slope })
        }
    })
}

impl Planner {
    /// Does something with the planner, which is right for the map as it is: whoever asks has the
    /// map, so it cannot change meanwhile.
    pub fn with<T>(
        &self,
        grid: &blockstar::Grid,
        act: impl FnOnce(&dyn blockstar::Planner) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let guard = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        if guard.1 == grid.version() {
            return act(&*guard.0);
        }
        drop(guard);
        {
            let _alone = unlocked(&self.updating);
            let known = self.prepared.read().unwrap_or_else(PoisonError::into_inner).1;
            if known != grid.version() {
                let mut guard = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
                guard.0.update(grid)?;
                guard.1 = grid.version();
            }
        }
        act(&*self.prepared.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Search memory for many queries.
    pub fn take_batch(&self, threads: Option<usize>) -> Batch {
        let mut batches = unlocked(&self.batches);
        match batches.iter().position(|(kept, _)| *kept == threads) {
            Some(index) => batches.swap_remove(index).1,
            None => threads.map_or_else(Batch::new, Batch::with_threads),
        }
    }

    /// Keeps it for the next.
    pub fn put_batch(&self, threads: Option<usize>, batch: Batch) {
        let mut batches = unlocked(&self.batches);
        if batches.len() < 4 {
            batches.push((threads, batch));
        }
    }
}

#[pymethods]
impl Planner {
    /// A planner that is prepared, or opened from what one has saved.
    #[new]
    #[pyo3(signature = (grid, spec, moves, slope, xy, saved=None))]
    fn new(
        py: Python<'_>,
        grid: &Grid,
        spec: &str,
        moves: &str,
        slope: Option<SlopeNumbers>,
        xy: bool,
        saved: Option<&[u8]>,
    ) -> PyResult<Self> {
        let spec: PlannerSpec = Algorithm::named(spec).map_err(raise)?;
        let moves = movement(moves, slope)?;
        let prepared = grid.shared.work(py, |grid| {
            let planner = match saved {
                Some(bytes) => spec.open(bytes, grid, moves),
                None => spec.prepare(grid, moves),
            };
            planner.map(|planner| (planner, grid.version()))
        })?;
        Ok(Self {
            grid: grid.shared.clone(),
            moves,
            axes: Axes::new(xy),
            spec: spec.to_string(),
            prepared: RwLock::new(prepared.map_err(raise)?),
            updating: Mutex::default(),
            scratches: Mutex::default(),
            batches: Mutex::default(),
        })
    }

    /// The planner's name with its settings, as the command line writes them.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The planner's name.
    #[getter]
    fn name(&self) -> &str {
        self.spec.split(':').next().unwrap_or_default()
    }

    /// The movement rule.
    #[getter(moves)]
    fn moves_name(&self) -> &'static str {
        self.moves.rule().name()
    }

    /// Bytes of memory of what was prepared.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> usize {
        py.detach(|| {
            let guard = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
            guard.0.memory_usage().total()
        })
    }

    /// Repairs what was prepared after edits. Queries do so by themselves; this is for choosing the
    /// moment.
    fn update(&self, py: Python<'_>) -> PyResult<()> {
        self.grid.work(py, |grid| self.with(grid, |_| Ok(())))?.map_err(raise)
    }

    /// What was prepared, as bytes, or None where that would not be worth keeping.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let saved = self.grid.work(py, |grid| self.with(grid, |planner| Ok(planner.save())))?;
        Ok(saved.map_err(raise)?.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The path from one place to another, both (row, column) unless the planner has `xy=True`.
    ///
    /// Options: `nearest=True` goes as near as possible where the goal cannot be reached, `weight`,
    /// `heuristic`, `max_cost`, `max_expansions`, `partial=True`, `reuse=True`, `avoid`, an array of
    /// the map's shape whose cells, where it is true, this query must not enter, and `trace=True`,
    /// which keeps what the search did in `path.trace`.
    ///
    /// >>> import numpy as np, blockstar
    /// >>> planner = blockstar.Planner(np.eye(4) == 0)
    /// >>> path = planner.find((0, 3), (3, 0))
    /// >>> bool(path), path.status, path.cost
    /// (False, 'no-path', inf)
    /// >>> planner.find((0, 3), (3, 0), nearest=True).points[-1].tolist()
    /// [1, 2]
    #[pyo3(signature = (start, goal, **options))]
    fn find(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Path> {
        let (start, goal) = (self.axes.read("start", start)?, self.axes.read("goal", goal)?);
        let options = Options::read(py, options, &self.grid)?;
        let query = options.query(start, goal);
        let found = self.grid.work(py, |grid| {
            let mut scratch = match options.trace {
                0 => unlocked(&self.scratches).pop().unwrap_or_default(),
                events => {
                    let mut scratch = Scratch::new();
                    scratch.record(events);
                    scratch
                }
            };
            let found = self.with(grid, |planner| planner.find(grid, &query, &mut scratch));
            let answer = found.map(|status| {
                (scratch.path().clone(), status, *scratch.stats(), scratch.trace().cloned())
            });
            if options.trace == 0 {
                unlocked(&self.scratches).push(scratch);
            }
            answer
        })?;
        let (path, status, stats, trace) = found.map_err(|error| self.axes.raise(error))?;
        let (grid, axes, moves) = (self.grid.clone(), self.axes, self.moves);
        let trace = trace.map(|trace| Trace::new(py, trace, &path, &grid, axes)).transpose()?;
        Ok(Path { path, status, stats, grid, moves, axes, trace })
    }

    /// Starts a search that is made in slices: `search.resume(expansions)` until it is done. It takes
    /// the options of `find`.
    ///
    /// >>> import numpy as np, blockstar
    /// >>> planner = blockstar.Planner(np.ones((50, 50), dtype=bool), "astar")
    /// >>> search = planner.begin((0, 0), (49, 20))
    /// >>> while not search.resume(10):
    /// ...     pass  # draw a frame
    /// >>> search.path.status
    /// 'found'
    #[pyo3(signature = (start, goal, **options))]
    fn begin(
        this: &Bound<'_, Self>,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Search> {
        let (py, planner) = (this.py(), this.get());
        let axes = planner.axes;
        let (start, goal) = (axes.read("start", start)?, axes.read("goal", goal)?);
        let options = Options::read(py, options, &planner.grid)?;
        let query = options.query(start, goal);
        let begun = planner.grid.work(py, |grid| {
            let mut scratch = Scratch::new();
            scratch.record(options.trace);
            let begun = planner.with(grid, |planner| planner.begin(grid, &query, &mut scratch));
            begun.map(|()| scratch)
        })?;
        let scratch = begun.map_err(|error| axes.raise(error))?;
        let state = Mutex::new((scratch, Status::Working));
        Ok(Search { planner: this.clone().unbind(), state })
    }
}

/// Every planner: name, summary, promise, rules, settings.
#[pyfunction]
pub fn planners(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for row in Algorithm::all() {
        let dict = PyDict::new(py);
        dict.set_item("name", row.name)?;
        dict.set_item("summary", row.summary)?;
        dict.set_item("source", row.source)?;
        dict.set_item("promise", row.promise.to_string())?;
        dict.set_item("moves", row.rules.iter().map(|rule| rule.name()).collect::<Vec<_>>())?;
        dict.set_item("costs", row.terrain)?;
        dict.set_item("heights", row.heights)?;
        dict.set_item("avoids", row.avoids)?;
        let parameters = PyDict::new(py);
        for parameter in row.parameters {
            let text = (parameter.values, parameter.default, parameter.meaning);
            parameters.set_item(parameter.name, text)?;
        }
        dict.set_item("settings", parameters)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// Refuses what is no number of threads.
pub fn check_threads(threads: Option<usize>) -> PyResult<()> {
    match threads {
        Some(threads @ (0 | 1025..)) => {
            Err(refuse(format!("threads is {threads}: give 1 to 1024, or None for all cores")))
        }
        _ => Ok(()),
    }
}
