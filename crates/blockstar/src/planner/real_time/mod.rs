//! Planners that move while they think, and learn on the way.

#[cfg(feature = "study")]
pub(crate) mod guided;
pub(crate) mod learned;
pub(crate) mod lrta;
#[cfg(feature = "study")]
pub(crate) mod tba_star;
pub(crate) mod three_step;
