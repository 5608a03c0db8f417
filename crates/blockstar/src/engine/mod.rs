//! What every search shares: the question, the gate before the search, the loops, the memory.

pub(crate) mod best_first;
pub(crate) mod budget;
pub(crate) mod flood;
pub(crate) mod gate;
pub(crate) mod nodes;
pub(crate) mod open_list;
pub(crate) mod parallel;
pub(crate) mod planner;
pub(crate) mod query;
pub(crate) mod scratch;
pub(crate) mod stats;
#[cfg(test)]
mod tests;
pub(crate) mod trace;
pub(crate) mod walk;
