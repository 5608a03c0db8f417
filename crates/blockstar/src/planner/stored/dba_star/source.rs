//! What routes through the regions are made of.

use super::paths::{Hops, Paths};
use crate::Moves;
use crate::Rule;
use crate::grid::bits::Bits;
use crate::regions::sectors::{Sectors, units};

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
        let [(ax, ay), (bx, by)] = [a, b].map(|node| self.bits.coordinates(node));
        let (dx, dy) = (u64::from(ax.abs_diff(bx)), u64::from(ay.abs_diff(by)));
        let (straight, diagonal) = units(self.moves);
        if self.moves.rule() == Rule::Four {
            return u64::from(straight) * (dx + dy);
        }
        u64::from(straight) * dx.max(dy) + u64::from(diagonal - straight) * dx.min(dy)
    }
}
