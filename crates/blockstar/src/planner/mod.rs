//! The planners, by what they step over and what they prepare. Each file or folder is one
//! algorithm.

pub(crate) mod any_angle;
pub(crate) mod auto;
pub(crate) mod block;
pub(crate) mod cell;
pub(crate) mod real_time;
pub(crate) mod stored;
