//! Grid path planning for maps that change.
//!
//! A [`Grid`] is the map. A [`Planner`] is an algorithm prepared for a grid and a movement rule
//! ([`Moves`]). A [`Query`] asks for a path, a [`Scratch`] holds the memory of the search, and the
//! answer is a [`Status`] and a [`Path`].
//!
//! ```
//! use blockstar::{Cell, Grid, Jps, Moves, Planner, Query, Scratch, Status, Tile};
//!
//! let mut grid = Grid::from_ascii(
//!     "........
//!      .######.
//!      .#....#.
//!      .#.####.
//!      ........",
//! )?;
//! let mut planner = Jps::new(&grid, Moves::EIGHT)?;
//! let mut scratch = Scratch::new();
//!
//! // Into the room by its door.
//! let query = Query::new((0, 0), (5, 2));
//! assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
//! assert!(scratch.path().check(&grid, Moves::EIGHT).is_ok());
//!
//! // The door closes: the goal is out of reach, and that is known without a search.
//! grid.set((2, 3), Tile::Blocked)?;
//! planner.update(&grid)?;
//! assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::NoPath);
//! assert_eq!(scratch.stats().expanded, 0);
//!
//! // As near as possible, then.
//! assert_eq!(planner.find(&grid, &query.nearest(), &mut scratch)?, Status::Nearest);
//! assert_eq!(scratch.path().points().last(), Some(&Cell::new(5, 0).centre()));
//! # Ok::<(), blockstar::Error>(())
//! ```
//!
//! # What do I need?
//!
//! | you want | use |
//! |---|---|
//! | a path, optimal, on a map that changes | [`Jps`], or prepared and several times as fast [`Subgoal`] |
//! | to change many cells at once | [`Grid::patch`] |
//! | terrain that costs more | [`Grid::set_cost`] and [`Astar`] or [`BlockAstar`] |
//! | straight lines instead of steps | [`Moves::ANY_ANGLE`] and [`Anya`], or [`Path::smoothed`] |
//! | the path pulled taut around corners | [`Path::pulled_taut`] |
//! | shortest any-angle paths, prepared | [`VisibilityGraph`] |
//! | optimal moves at once, without a search | [`PathDatabase`] |
//! | tables for `block-astar`, made once and kept as a file | [`Lddb`] |
//! | hills: slopes that cost more or are too steep | [`Grid::set_heights`] and a [`Slope`] in the [`Moves`] |
//! | paths that look natural | [`AstarModFixed`], [`Path::simplified`], [`Path::curved`], measured by [`Naturalness`] |
//! | to spread a search over frames | [`Planner::begin`], then [`Planner::resume`] with a [`Budget`] |
//! | many paths at once | [`Batch::find_all`] |
//! | millions of routes as columns, for tables and other languages | [`Batch::routes`] |
//! | many units, one goal | [`DistanceMap`] |
//! | the nearest place when the goal is walled in | [`Query::nearest`] |
//! | to follow a path, tick by tick | [`Path::cursor`] |
//! | to know whether a path survived an edit | [`Path::still_valid`]; for the rest of the way, [`PathCursor::still_valid`] |
//! | a way around other units or a danger zone, for one query | [`Query::avoid`] and a [`Mask`] |
//! | as much of the way as a limit allows | [`Query::partial`] |
//! | to watch the search | [`Scratch::record`] |
//! | maps from files | [`format`](mod@format); from nothing: [`generate`] |
//!
//! # Promises
//!
//! * Same input, same path: on every run, machine and number of threads, sliced or not.
//! * Every planner keeps the [`Promise`] of its registry row; costs are exact integers inside.
//! * A warm query does not allocate. An unreachable goal is known without a search (unless slope
//!   limits are all that is in the way).
//! * Nothing panics on bad input: it gets an [`Error`] that says what to do.
#![forbid(unsafe_code)]
// What only planners for study use is there without them, too: it costs nothing.
#![cfg_attr(not(feature = "study"), allow(dead_code))]

mod batch;
mod connectivity;
mod db;
mod distance_map;
pub mod engine;
mod error;
pub mod format;
pub mod generate;
mod geometry;
mod grid;
pub mod guide;
#[cfg(feature = "mint")]
mod mint_points;
pub mod papers;
mod planner;
#[doc(hidden)]
pub mod random;
mod regions;
mod registry;
mod routes;
mod rules;
#[doc(hidden)]
pub mod sort;
mod space;
#[cfg(feature = "serde")]
mod written;

pub use batch::{Answer, Batch};
pub use connectivity::Connectivity;
pub use db::DatabaseKind;
pub use distance_map::DistanceMap;
pub use engine::Update;
pub use engine::budget::Budget;
pub use engine::layer::{Layer, Shapes};
pub use engine::planner::{Memory, Planner, Status};
pub use engine::query::{Query, QueryOptions};
pub use engine::scratch::Scratch;
pub use engine::stats::Stats;
pub use engine::trace::{Columns, CostColumns, Event, Trace};
pub use error::Error;
pub use geometry::crossing::PathCells;
pub use geometry::cursor::PathCursor;
pub use geometry::curve::Curve;
pub use geometry::natural::Naturalness;
pub use geometry::path::{Path, Violation};
pub use geometry::relief::ProfilePoint;
pub use grid::mask::Mask;
pub use grid::point::{Cell, Place, Point, Rect};
pub use grid::{Grid, Tile};
pub use planner::block::tables::{Lddb, LddbBuilder};
pub use registry::*;
pub use routes::Routes;
pub use rules::heuristic::Heuristic;
pub use rules::moves::{Diagonal, Moves, Rule};
pub use rules::slope::Slope;

/// The README's example must keep working.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
