//! Planners that step from cell to cell and prepare nothing but connectivity.

pub(crate) mod astar;
pub(crate) mod astar_mod;
pub(crate) mod bidirectional;
pub(crate) mod d_star_lite;
pub(crate) mod fringe;
pub(crate) mod ida_star;
pub(crate) mod jps;
pub(crate) mod rea_star;
