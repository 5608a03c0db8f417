//! Which steps are legal, what they cost, and how the rest of the way is estimated.

pub(crate) mod cost;
pub(crate) mod heuristic;
pub(crate) mod moves;
pub(crate) mod slope;
