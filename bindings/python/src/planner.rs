//! A planner prepared for a grid, which follows that grid's edits by itself.

use crate::error::{raise, refuse};
use crate::grid::{Grid, SharedGrid};
use crate::path::Path;
use crate::place;
use crate::search::Search;
use blockstar::{
    Algorithm, Error, Heuristic, Mask, Moves, PlannerSpec, Point, Query, Scratch, Status,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::{Mutex, PoisonError, RwLock};

/// See `blockstar/planner.py`.
#[pyclass(frozen, subclass, module = "blockstar._blockstar", name = "Planner")]
pub struct Planner {
    pub grid: SharedGrid,
    moves: Moves,
    spec: String,
    /// The planner and the version of the map that it was last updated to.
    prepared: RwLock<(Box<dyn blockstar::Planner>, u64)>,
    /// Search memory that nobody uses at the moment.
    scratches: Mutex<Vec<Scratch>>,
}

/// Options of a query other than where from and where to.
#[derive(Clone, Default)]
pub struct Options {
    nearest: bool,
    weight: Option<f64>,
    heuristic: Option<Heuristic>,
    max_cost: Option<f64>,
    max_expansions: Option<u64>,
    partial: bool,
    reuse: bool,
    avoid: Option<Mask>,
}

impl Options {
    /// The options of a query on a map.
    pub fn read(options: Option<&Bound<'_, PyDict>>, grid: &SharedGrid) -> PyResult<Self> {
        let mut read = Self::default();
        let Some(options) = options else { return Ok(read) };
        for (key, value) in options {
            let name: String = key.extract()?;
            match name.as_str() {
                "nearest" => read.nearest = value.extract()?,
                "weight" => read.weight = value.extract()?,
                "heuristic" => {
                    let name = value.extract::<Option<String>>()?;
                    read.heuristic = name.map(|name| name.parse()).transpose().map_err(raise)?;
                }
                "max_cost" => read.max_cost = value.extract()?,
                "max_expansions" => read.max_expansions = value.extract()?,
                "partial" => read.partial = value.extract()?,
                "reuse" => read.reuse = value.extract()?,
                "avoid" => read.avoid = mask(&value, grid)?,
                _ => {
                    return Err(refuse(format!(
                        "there is no option `{name}`: use nearest, weight, heuristic, max_cost, \
                         max_expansions, partial, reuse or avoid"
                    )));
                }
            }
        }
        Ok(read)
    }

    pub fn query(&self, start: Point, goal: Point) -> Query {
        let mut query = Query::new(start, goal);
        if self.nearest {
            query = query.nearest();
        }
        if self.partial {
            query = query.partial();
        }
        if self.reuse {
            query = query.reuse();
        }
        if let Some(weight) = self.weight {
            query = query.weight(weight);
        }
        if let Some(heuristic) = self.heuristic {
            query = query.heuristic(heuristic);
        }
        if let Some(limit) = self.max_cost {
            query = query.max_cost(limit);
        }
        if let Some(limit) = self.max_expansions {
            query = query.max_expansions(limit);
        }
        match &self.avoid {
            Some(mask) => query.avoid(mask),
            None => query,
        }
    }
}

/// The cells to avoid: whatever `_arrays.mask` makes an array of the map's shape.
fn mask(value: &Bound<'_, PyAny>, grid: &SharedGrid) -> PyResult<Option<Mask>> {
    if value.is_none() {
        return Ok(None);
    }
    let shape = {
        let grid = grid.read();
        (grid.height(), grid.width())
    };
    let arrays = value.py().import("blockstar._arrays")?;
    let array: PyReadonlyArray2<'_, u8> =
        arrays.call_method1("mask", (value, shape))?.extract()?;
    let array = array.as_array();
    let set = array.indexed_iter().filter(|&(_, &value)| value != 0);
    Ok(Some(set.map(|((row, column), _)| (column as u32, row as u32)).collect()))
}

impl Planner {
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// Does something with the planner, which is right for the map as it is.
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
            let mut guard = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
            if guard.1 != grid.version() {
                guard.0.update(grid)?;
                guard.1 = grid.version();
            }
        }
        // The map cannot change meanwhile: whoever asks holds it.
        act(&*self.prepared.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    fn take_scratch(&self) -> Scratch {
        let kept = self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_default()
    }

    fn put_scratch(&self, scratch: Scratch) {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    fn of(
        grid: &Grid,
        moves: Moves,
        spec: &PlannerSpec,
        make: impl FnOnce(&blockstar::Grid) -> Result<Box<dyn blockstar::Planner>, Error>,
    ) -> Result<Self, Error> {
        let map = grid.shared.read();
        let prepared = RwLock::new((make(&map)?, map.version()));
        let (grid, spec) = (grid.shared.clone(), spec.to_string());
        Ok(Self { grid, moves, spec, prepared, scratches: Mutex::default() })
    }
}

#[pymethods]
impl Planner {
    /// A planner that is prepared, or opened from what one has saved.
    #[new]
    #[pyo3(signature = (grid, spec, moves, saved=None))]
    fn new(
        py: Python<'_>,
        grid: &Grid,
        spec: &str,
        moves: &str,
        saved: Option<&Bound<'_, PyBytes>>,
    ) -> PyResult<Self> {
        let spec = Algorithm::named(spec).map_err(raise)?;
        let moves: Moves = moves.parse().map_err(raise)?;
        let saved = saved.map(|bytes| bytes.as_bytes().to_vec());
        let make = |map: &blockstar::Grid| match &saved {
            Some(bytes) => spec.open(bytes, map, moves),
            None => spec.prepare(map, moves),
        };
        py.detach(|| Self::of(grid, moves, &spec, make)).map_err(raise)
    }

    /// The planner's name with its settings.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    #[getter]
    fn name(&self) -> String {
        let guard = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        guard.0.name().into()
    }

    #[getter(moves)]
    fn moves_name(&self) -> String {
        self.moves.to_string()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        let guard = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        guard.0.memory_usage().total()
    }

    fn grid_native(&self) -> Grid {
        Grid { shared: self.grid.clone() }
    }

    /// Repairs what was prepared after edits. Queries do so by themselves; this is for choosing the
    /// moment.
    fn update(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.with(&self.grid.read(), |_| Ok(()))).map_err(raise)
    }

    /// What was prepared, as bytes, or None where that would not be worth keeping.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let saved = py.detach(|| self.with(&self.grid.read(), |planner| Ok(planner.save())));
        Ok(saved.map_err(raise)?.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The path from one place to another, both (row, column).
    ///
    /// Options: `nearest=True` goes as near as possible where the goal cannot be reached, `weight`,
    /// `heuristic`, `max_cost`, `max_expansions`, `partial=True`, `reuse=True`, and `avoid`, an array
    /// of the map's shape whose cells, where it is true, this query must not enter.
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
        let (start, goal) = (place::read("start", start)?, place::read("goal", goal)?);
        let query = Options::read(options, &self.grid)?.query(start, goal);
        py.detach(|| {
            let mut scratch = self.take_scratch();
            let grid = self.grid.read();
            let found = self.with(&grid, |planner| planner.find(&grid, &query, &mut scratch));
            let answer = found.map(|status| Path {
                path: scratch.path().clone(),
                status,
                stats: *scratch.stats(),
                grid: self.grid.clone(),
                moves: self.moves,
            });
            self.put_scratch(scratch);
            answer
        })
        .map_err(raise)
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
        let (start, goal) = (place::read("start", start)?, place::read("goal", goal)?);
        let (planner, mut scratch) = (this.get(), Scratch::new());
        let query = Options::read(options, &planner.grid)?.query(start, goal);
        let begun = this.py().detach(|| {
            let grid = planner.grid.read();
            planner.with(&grid, |planner| planner.begin(&grid, &query, &mut scratch))
        });
        begun.map_err(raise)?;
        let state = Mutex::new((scratch, Status::Working));
        Ok(Search { planner: this.clone().unbind(), grid: planner.grid.clone(), state })
    }
}

/// Every planner: name, summary, promise, rules, parameters.
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
