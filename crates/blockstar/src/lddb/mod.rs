//! The local distance database: exact distances between the boundary points of a block of cells.
//!
//! P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\*: Database-Driven Search with Applications in
//! Any-Angle Path-Planning*, 2011. What a [`Table`] holds depends only on what is inside one block,
//! so it is keyed by that [`Content`]: equal blocks share a table, and a changed cell costs one new
//! key, not a rebuild.
//!
//! * [`Layout`]: the boundary points of a block, its *slots*, and how they meet the next blocks.
//! * [`Content`]: which cells of a block are free and, on weighted terrain, what they cost.
//! * [`Table`]: the distance from each slot to each other, by ways that stay inside the block.
//! * [`cells`], [`corners`], [`terrain`]: the makers of tables for the cell rules and the any-angle
//!   rules, the latter without and with terrain.
//! * [`Store`]: the tables of a map, made on first sight and dropped when room is needed.
//!
//! Rows are directed, from a slot to a slot: nothing here assumes that there and back cost the same.

mod cells;
mod content;
mod corners;
mod layout;
mod measure;
mod store;
mod table;
mod terrain;
#[cfg(test)]
mod tests;

pub(crate) use content::Content;
pub(crate) use corners::{Rays, is_double};
pub(crate) use layout::{Layout, MAX_SIDE, MAX_SLOTS, MIN_SIDE};
pub(crate) use measure::{Measure, Pricing, Workshop};
pub(crate) use store::{Store, TableId};
pub(crate) use table::Table;
