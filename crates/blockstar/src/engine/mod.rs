//! What every search shares: the question, the gate before the search, the loops, the memory.
//!
//! A planner is a [`Method`] in a [`Driver`]. Both are public, so that planners can be written
//! outside this crate: `examples/own_planner.rs` is one.

pub(crate) mod best_first;
pub(crate) mod budget;
pub(crate) mod driver;
pub(crate) mod flood;
pub(crate) mod frontier;
pub(crate) mod gate;
pub(crate) mod layer;
pub(crate) mod memory_pool;
pub(crate) mod method;
pub(crate) mod nodes;
pub(crate) mod open_list;
pub(crate) mod parallel;
pub(crate) mod partial;
pub(crate) mod planner;
pub(crate) mod pool;
pub(crate) mod problem;
pub(crate) mod query;
pub(crate) mod scratch;
pub(crate) mod stats;
#[cfg(test)]
mod tests;
pub(crate) mod trace;
pub(crate) mod vectors;
pub(crate) mod walk;

pub use driver::Driver;
pub use memory_pool::{MemoryPool, SearchMemory};
pub use method::{Changes, Method, Outcome, Searched, Slice, Update};
pub use problem::Problem;
pub(crate) use problem::by_width;
