//! Planners that step from cell to cell and prepare nothing but connectivity.

pub(crate) mod astar;
pub(crate) mod astar_mod;
#[cfg(feature = "study")]
pub(crate) mod bidirectional;
pub(crate) mod d_star_lite;
#[cfg(feature = "study")]
pub(crate) mod fringe;
#[cfg(feature = "study")]
pub(crate) mod ida_star;
pub(crate) mod in_sight;
pub(crate) mod jps;
#[cfg(feature = "study")]
pub(crate) mod rea_star;
