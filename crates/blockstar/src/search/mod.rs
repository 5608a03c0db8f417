//! One file per algorithm, and what they share.
//!
//! [`best_first`] is the loop; a [`Space`](best_first::Space) says what it runs over: [`cells`]
//! (steps from cell to cell), [`hills`] (the same over slopes), [`lattice`] (steps between corner points, for any-angle rules) or
//! jump points ([`jps`]). [`visibility`] is a folder: the planner, its graph and the scans behind it.

pub(crate) mod anya;
pub(crate) mod ap_theta;
pub(crate) mod astar;
pub(crate) mod astar_mod;
pub(crate) mod best_first;
pub(crate) mod bidirectional;
pub(crate) mod block_astar;
pub(crate) mod cells;
pub(crate) mod climb;
pub(crate) mod cliques;
pub(crate) mod corners;
pub(crate) mod cpd;
pub(crate) mod dba_star;
pub(crate) mod field_d_star;
mod field_walk;
pub(crate) mod flood;
pub(crate) mod guided;
pub(crate) mod hcdps;
pub(crate) mod hills;
pub(crate) mod ida_star;
pub(crate) mod jps;
pub(crate) mod lattice;
pub(crate) mod learned;
pub(crate) mod lrta;
pub(crate) mod pra_cliques;
pub(crate) mod pra_star;
pub(crate) mod prepared;
pub(crate) mod rea_star;
pub(crate) mod rectangle;
pub(crate) mod sectors;
pub(crate) mod tba_star;
#[cfg(test)]
mod tests;
pub(crate) mod theta;
pub(crate) mod visibility;
pub(crate) mod walk;
