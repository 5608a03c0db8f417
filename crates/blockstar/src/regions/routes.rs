//! A* over a graph of regions, and its result.
//!
//! The open list has a total order: by total, estimate, and the caller's tie-break. So the result
//! depends only on the graph and not on the order of its edges.

use crate::engine::nodes::{NodeTable, ROOT};
use crate::rules::cost::Cost;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The memory of such searches.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    nodes: NodeTable<u64>,
    /// Total, estimate, tie-break and region.
    open: BinaryHeap<Reverse<(u64, u64, u32, u32)>>,
}

/// The order of a region's entries among those of equal cost so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub estimate: u64,
    /// The lower one goes first if totals and estimates are equal.
    pub tie: u32,
}

impl Routes {
    /// Begins a search at a region, of regions numbered below `count`.
    pub fn begin(&mut self, count: usize, from: u32, rank: Rank) {
        self.nodes.begin(count);
        self.nodes.make_parents(count);
        self.open.clear();
        self.nodes.set(from, 0, ROOT);
        self.push(from, 0, rank);
    }

    fn push(&mut self, region: u32, g: u64, Rank { estimate, tie }: Rank) {
        self.open.push(Reverse((g + estimate, estimate, tie, region)));
    }

    /// The next region to expand and the cost of getting there; nothing if all remaining totals are
    /// above `most`.
    pub fn pop(&mut self, most: u64) -> Option<(u32, u64)> {
        while let Some(&Reverse((total, h, _, region))) = self.open.peek() {
            if total > most {
                return None;
            }
            self.open.pop();
            if self.nodes.g(region) == total - h {
                return Some((region, total - h));
            }
        }
        None
    }

    /// Notes a way to a region if it is the cheapest so far. `over` is what [`Routes::over`] will
    /// say: the region before it or the edge from there.
    pub fn reach(&mut self, region: u32, g: u64, over: u32, rank: impl FnOnce() -> Rank) {
        if g < self.nodes.g(region) {
            self.nodes.set(region, g, 0);
            self.nodes.set_parent(region, over);
            self.push(region, g, rank());
        }
    }

    /// Notes that a region is not to be reached again, although estimates may be too large.
    pub fn close(&mut self, region: u32) {
        self.nodes.close(region);
    }

    /// Whether [`Routes::close`] was called for a region.
    #[inline]
    pub fn is_closed(&self, region: u32) -> bool {
        self.nodes.is_closed(region)
    }

    /// The least known cost of getting to a region.
    pub fn cost(&self, region: u32) -> Option<u64> {
        Some(self.nodes.g(region)).filter(|&g| g != <u64 as Cost>::MAX)
    }

    /// What a region was last reached over; nothing for the start and for regions not reached.
    pub fn over(&self, region: u32) -> Option<u32> {
        let (_, tag) = self.nodes.get(region)?;
        (tag != ROOT).then(|| self.nodes.parent(region))
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.capacity() * size_of::<(u64, u64, u32, u32)>()
    }
}
