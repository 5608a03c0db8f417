//! The graph of regions as something to search.
//!
//! Ties are broken by the node of the centre: regions get other numbers when edits split or merge
//! them, and what a search finds must not depend on those.

use super::{Sectors, units};
use crate::grid::bits::Bits;
use crate::regions::routes::{Rank, Routes};
use crate::{Grid, Moves, Rule};

/// The graph of regions, with one to get to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionSpace<'a> {
    pub sectors: &'a Sectors,
    pub grid: &'a Grid,
    pub moves: Moves,
    /// The region to reach.
    pub to: u32,
}

/// The cost between two nodes on a map without walls.
#[inline]
pub(crate) fn between(bits: &Bits, moves: Moves, a: u32, b: u32) -> u64 {
    let [(ax, ay), (bx, by)] = [a, b].map(|node| bits.coordinates(node));
    let (dx, dy) = (u64::from(ax.abs_diff(bx)), u64::from(ay.abs_diff(by)));
    let (straight, diagonal) = units(moves);
    if moves.rule() == Rule::Four {
        return u64::from(straight) * (dx + dy);
    }
    u64::from(straight) * dx.max(dy) + u64::from(diagonal - straight) * dx.min(dy)
}

impl RegionSpace<'_> {
    /// The cost between the centres of two regions on a map without walls.
    pub fn between(&self, a: u32, b: u32) -> u64 {
        let [a, b] = [a, b].map(|region| self.sectors.centre(region));
        between(self.grid.rows(), self.moves, a, b)
    }

    fn rank(&self, region: u32) -> Rank {
        Rank { estimate: self.between(region, self.to), tie: self.sectors.centre(region) }
    }

    /// Begins a search at a region.
    pub fn begin(&self, routes: &mut Routes, from: u32) {
        routes.begin(self.sectors.numbers(), from, self.rank(from));
    }

    /// Notes a way to a region over another one.
    pub fn reach(&self, routes: &mut Routes, region: u32, g: u64, over: u32) {
        routes.reach(region, g, over, || self.rank(region));
    }
}
