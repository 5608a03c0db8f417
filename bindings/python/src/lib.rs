//! The native half of the Python package: the library's types behind Python's conventions.
//!
//! Arrays are maps, so places are (row, column) here, converted once on the way in and once on the
//! way out ([`place`]). Threads may share everything ([`shared`]). Nothing is planned or decided in this crate.

mod arrow;
mod distance_map;
mod error;
mod grid;
mod options;
mod path;
mod place;
mod planner;
mod routes;
mod search;
mod shared;
mod trace;
mod world;

use pyo3::prelude::*;

#[pymodule(name = "_blockstar")]
mod native {
    use super::*;

    #[pymodule_export]
    use super::arrow::route_stream;
    #[pymodule_export]
    use super::distance_map::DistanceMap;
    #[pymodule_export]
    use super::grid::{Grid, parse_heights};
    #[pymodule_export]
    use super::path::Path;
    #[pymodule_export]
    use super::planner::{Planner, planners};
    #[pymodule_export]
    use super::routes::Routes;
    #[pymodule_export]
    use super::search::Search;
    #[pymodule_export]
    use super::trace::Trace;
    #[pymodule_export]
    use super::world::World;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
