//! The experiments of published papers, run again: each as a page for people and a file of numbers.
//!
//! Each paper has its own folder: [`AstarMod`], [`BlockAstar`] and [`Dba`]; [`Change`] is an
//! experiment of our own. What they share is here: `race` measures planners side by side, `claim`
//! compares what a paper says with what was found, `noise` says how certain repeated measurements
//! are, `report` publishes, `page` writes a page that needs nothing but a browser, `chart`,
//! `scatter` and `board` draw on it. [`table`] formats tables for terminals, [`spread`] is the
//! median of measurements with its interval.

#![forbid(unsafe_code)]

mod astar_mod;
mod axis;
mod block_astar;
mod board;
mod change;
mod chart;
mod claim;
mod dba;
mod frame;
mod noise;
mod page;
mod progress;
mod race;
mod report;
mod scatter;
pub mod spread;
pub mod table;

pub use astar_mod::AstarMod;
pub use block_astar::BlockAstar;
pub use change::{Change, ground_cell};
pub use dba::Dba;
pub use progress::Progress;
pub use report::Published;
