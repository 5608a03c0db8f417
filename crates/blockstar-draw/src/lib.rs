//! Pictures of maps, searches and paths: PNG, SVG and text for terminals. No files, no I/O.
//!
//! A [`Scene`] says what to show and `Layout` where it goes; the PNG and SVG writers draw the same
//! layout, each in its own way. [`Hills`] shades the ground of maps with heights, and [`Profile`]
//! shows the heights along a path.
//!
//! ```
//! use blockstar::{Algorithm, Cell, Grid, Moves, Query, Scratch};
//! use blockstar_draw::{Colour, PictureFormat, Route, Scene};
//!
//! let grid = Grid::new(16, 9)?;
//! let planner = Algorithm::named("astar")?.prepare(&grid, Moves::EIGHT)?;
//! let mut scratch = Scratch::new();
//! planner.find(&grid, &Query::new(Cell::new(0, 0), Cell::new(15, 8)), &mut scratch)?;
//! let route = Route {
//!     points: scratch.path().points().to_vec(),
//!     colour: Colour::route(0),
//!     label: "astar".into(),
//! };
//! let scene = Scene {
//!     grid: &grid,
//!     title: "an empty map".into(),
//!     expanded: &[],
//!     all_expanded: true,
//!     routes: vec![route],
//!     ends: None,
//! };
//! assert!(PictureFormat::Png.encode(&scene)?.starts_with(b"\x89PNG"));
//! assert!(PictureFormat::Svg.encode(&scene)?.starts_with(b"<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod axis;
mod canvas;
mod colour;
mod font;
mod heat;
mod hills;
mod layout;
mod movie;
mod pixels;
mod png;
mod profile;
mod scene;
mod svg;
pub mod terminal;
mod text;

pub use axis::round_step;
pub use colour::Colour;
pub use hills::Hills;
pub use movie::Movie;
pub use pixels::Pixels;
pub use profile::Profile;
pub use scene::{PictureFormat, Route, Scene, expanded};
pub use text::{escaped, short, thousands, tidy};
