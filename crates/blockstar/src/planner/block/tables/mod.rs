//! The local distance database: exact distances between the boundary points of a block of cells.
//!
//! P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\*: Database-Driven Search with Applications
//! in Any-Angle Path-Planning*, 2011. What a [`Table`] holds depends only on what is inside one
//! block, so it is keyed by that [`Content`]: equal blocks share a table, and a changed cell costs
//! one new key, not a rebuild.
//!
//! * [`Layout`]: the boundary points of a block, its *slots*, and how they meet the next blocks.
//! * [`Content`]: which cells of a block are free and, on weighted terrain, what they cost.
//! * [`Distance`]: the kinds of distance, integers between cells and real numbers between corners.
//! * [`TableRules`]: what a table depends on besides the content.
//! * [`Table`]: the distance from each slot to every other, by ways that stay inside the block.
//! * [`cells`], [`corners`], [`terrain`]: how tables are made for the cell rules and for the
//!   any-angle rules without and with terrain.
//! * [`rays`]: sight between the corners of a block.
//! * [`Store`]: the tables of a map, made when first needed and dropped when space runs out.
//! * [`Lddb`]: tables as a file, [all](complete) those of small blocks or [those](collected) of
//!   some maps; a store takes from it what it would otherwise have to make.
//! * [`proof`]: what a table from a file must hold.
//!
//! Rows are directed, from slot to slot: nothing here assumes that there and back cost the same.

mod builder;
mod cells;
mod collected;
mod complete;
mod content;
mod corners;
mod dictionary;
mod distance;
mod file;
mod layout;
mod proof;
mod rays;
mod store;
mod symmetry;
mod table;
mod terrain;
#[cfg(test)]
mod tests;
mod word;

pub use builder::LddbBuilder;
pub(crate) use cells::FloodEnd;
pub(crate) use content::Content;
pub(crate) use distance::{Distance, MakerMemory, TableFor, TableRules};
pub use file::Lddb;
pub(crate) use layout::{BlockSize, Layout, MAX_SIDE, MAX_SLOTS, MIN_SIDE};
pub(crate) use rays::is_double;
pub(crate) use store::{Store, TableId};
pub(crate) use table::Table;

/// The places inside a block where ways turn, in the order of its table.
fn turns<D: Distance>(rules: &TableRules<D>, content: &Content) -> impl Iterator<Item = (u8, u8)> {
    let squeeze = rules.rule().squeezes();
    let weighted = content.is_weighted();
    let plain = (!D::CELLS && !weighted).then(|| corners::turns(content, squeeze));
    let terrain = (!D::CELLS && weighted).then(|| terrain::turns(content, squeeze));
    plain.into_iter().flatten().chain(terrain.into_iter().flatten())
}
