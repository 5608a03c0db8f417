//! Grid path planning for maps that change.
#![forbid(unsafe_code)]

mod algorithm;
mod batch;
mod bits;
mod budget;
mod components;
mod cost;
mod desk;
mod distance_map;
mod error;
pub mod format;
pub mod generate;
mod grid;
mod heuristic;
mod moves;
mod nodes;
mod open;
mod path;
mod planner;
mod point;
mod query;
#[doc(hidden)]
pub mod random;
mod scratch;
mod search;
mod sight;
mod stats;
mod trace;

pub use algorithm::{Algorithm, Choice, Parameter, Promise};
pub use batch::{Answer, Batch};
pub use budget::Budget;
pub use distance_map::DistanceMap;
pub use error::Error;
pub use grid::{Grid, Tile};
pub use heuristic::Heuristic;
pub use moves::{Diagonal, Moves, Rule};
pub use path::{Fault, Path};
pub use planner::{Memory, Planner, Status};
pub use point::{Cell, Point, Rect};
pub use query::Query;
pub use scratch::Scratch;
pub use stats::Stats;
pub use trace::{Event, Trace};
