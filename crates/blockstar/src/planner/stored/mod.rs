//! Planners that prepare regions, paths or first moves, and keep them.

pub(crate) mod cpd;
pub(crate) mod dba_star;
#[cfg(feature = "study")]
pub(crate) mod hcdps;
#[cfg(feature = "study")]
pub(crate) mod island;
pub(crate) mod pra_cliques;
pub(crate) mod pra_star;
#[cfg(feature = "study")]
pub(crate) mod quadtree;
pub(crate) mod subgoal;
