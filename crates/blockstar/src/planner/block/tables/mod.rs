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
//! * [`rays`]: sight between the corners of a block.
//! * [`Store`]: the tables of a map, made on first sight and dropped when room is needed.
//! * [`Lddb`]: tables as a file, [all](complete) of small blocks or [those](collected) of some maps;
//!   a store takes from there what it would else have to make.
//!
//! Rows are directed, from a slot to a slot: nothing here assumes that there and back cost the same.

mod cells;
mod collected;
mod complete;
mod content;
mod corners;
mod file;
mod layout;
mod measure;
mod palette;
mod rays;
mod store;
mod symmetry;
mod table;
mod terrain;
#[cfg(test)]
mod tests;
mod word;

pub(crate) use content::Content;
pub use file::Lddb;
pub(crate) use layout::{Layout, MAX_SIDE, MAX_SLOTS, MIN_SIDE};
pub(crate) use measure::{Measure, Pricing, Workshop};
pub(crate) use rays::is_double;
pub(crate) use store::{Store, TableId};
pub(crate) use table::Table;

/// The places inside a block where ways turn, as the block's table has them.
fn turns<D: Measure>(pricing: &Pricing<D>, content: &Content) -> impl Iterator<Item = (u8, u8)> {
    let squeeze = pricing.rule().squeezes();
    let weighted = content.is_weighted();
    let plain = (!D::CELLS && !weighted).then(|| corners::turns(content, squeeze));
    let terrain = (!D::CELLS && weighted).then(|| terrain::turns(content, squeeze));
    plain.into_iter().flatten().chain(terrain.into_iter().flatten())
}
