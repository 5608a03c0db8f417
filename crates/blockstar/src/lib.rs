//! Grid path planning for maps that change.
#![forbid(unsafe_code)]

mod bits;
mod components;
mod error;
pub mod format;
pub mod generate;
mod grid;
mod moves;
mod point;
#[doc(hidden)]
pub mod random;
mod sight;

pub use error::Error;
pub use grid::{Grid, Tile};
pub use moves::{Diagonal, Moves, Rule};
pub use point::{Cell, Point, Rect};
