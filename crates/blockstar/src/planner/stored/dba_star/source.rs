//! What routes through the regions are made of.

use super::paths::{Hops, Paths};
use crate::Moves;
use crate::grid::bits::Bits;
use crate::regions::sectors::{Sectors, between};

/// The map as its regions and the base paths between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub bits: &'a Bits,
    pub moves: Moves,
    pub sectors: &'a Sectors,
    pub paths: &'a Paths,
}

impl<'a> Source<'a> {
    /// The base paths of a region.
    #[inline]
    pub fn hops(&self, region: u32) -> Hops<'a> {
        self.paths.hops(self.sectors, region)
    }

    /// The cost between two nodes on a map without walls.
    #[inline]
    pub fn between(&self, a: u32, b: u32) -> u64 {
        between(self.bits, self.moves, a, b)
    }
}
