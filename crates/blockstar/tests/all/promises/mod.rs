//! Every row of the registry keeps every promise: a new planner is tested by being listed.
//!
//! One file per promise. Known exceptions are tables of names with reasons; every other planner is
//! held to the promise.

mod avoid;
mod cost;
mod forgery;
mod golden;
mod heuristic;
mod interruption;
mod limits;
mod nearest;
mod partial;
mod path;
mod refusal;
mod save;
mod scratch;
mod slicing;
mod slopes;
mod update;
mod wide;
