//! Options of a query other than where from and where to.

use crate::error::{raise, refuse};
use crate::shared::SharedGrid;
use blockstar::{Mask, Point, Query, QueryOptions};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What keywords say.
#[derive(Clone, Default)]
pub struct Options {
    query: QueryOptions,
    /// How many events of the search are kept.
    pub trace: usize,
}

/// The most events of a trace: 17 bytes each.
const EVENTS: usize = 20_000_000;

/// What a keyword holds, or a sentence about it.
fn value<'a, 'py, T: FromPyObject<'a, 'py>>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| {
        let kind = value.get_type().name().map_or_else(|_| "odd".into(), |name| name.to_string());
        refuse(format!("{name} is a {kind}: give {wanted}"))
    })
}

impl Options {
    /// The options of a query on a map.
    pub fn read(
        py: Python<'_>,
        options: Option<&Bound<'_, PyDict>>,
        grid: &SharedGrid,
    ) -> PyResult<Self> {
        let Some(options) = options else { return Ok(Self::default()) };
        let Self { query: mut read, mut trace } = Self::default();
        let flag = "True or False";
        for (key, given) in options {
            let name: String = key.extract()?;
            let name = name.as_str();
            match name {
                "nearest" => read.nearest = value(name, &given, flag)?,
                "weight" => read.weight = value(name, &given, "a number or None")?,
                "heuristic" => {
                    let name: Option<String> = value(name, &given, "its name or None")?;
                    read.heuristic = name.map(|name| name.parse()).transpose().map_err(raise)?;
                }
                "max_cost" => read.max_cost = value(name, &given, "a number or None")?,
                "max_expansions" => {
                    read.max_expansions = value(name, &given, "a whole number from 0 or None")?;
                }
                "partial" => read.partial = value(name, &given, flag)?,
                "reuse" => read.reuse = value(name, &given, flag)?,
                "avoid" => read.avoid = mask(py, &given, grid)?,
                "trace" => trace = if value(name, &given, flag)? { EVENTS } else { 0 },
                _ => {
                    return Err(refuse(format!(
                        "there is no option `{name}`: use nearest, weight, heuristic, max_cost, \
                         max_expansions, partial, reuse, avoid or trace"
                    )));
                }
            }
        }
        Ok(Self { query: read, trace })
    }

    /// A query with these options.
    pub fn query(&self, start: Point, goal: Point) -> Query {
        Query::with_options(start, goal, self.query.clone())
    }
}

/// The cells to avoid: whatever `_arrays.mask` makes an array of the map's shape.
fn mask(py: Python<'_>, value: &Bound<'_, PyAny>, grid: &SharedGrid) -> PyResult<Option<Mask>> {
    if value.is_none() {
        return Ok(None);
    }
    let shape = grid.read(py, |grid| (grid.height(), grid.width()))?;
    let arrays = py.import("blockstar._arrays")?;
    let array: PyReadonlyArray2<'_, u8> = arrays.call_method1("mask", (value, shape))?.extract()?;
    let array = array.as_array();
    let set = array.indexed_iter().filter(|&(_, &value)| value != 0);
    Ok(Some(set.map(|((row, column), _)| (column as u32, row as u32)).collect()))
}
