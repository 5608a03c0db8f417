//! Dijkstra's algorithm over a graph of regions: the first edge of a cheapest way to each region.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cheapest ways from one region to all others, in reused memory.
#[derive(Debug, Default)]
pub(crate) struct FirstEdges {
    /// The cost of getting to each region.
    pub costs: Vec<u64>,
    /// Which of the source's edges a cheapest way begins with, [`NO_EDGE`] if there is none.
    pub firsts: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The first edge to a region that cannot be reached, and to the source itself.
pub(crate) const NO_EDGE: u32 = u32::MAX;

impl FirstEdges {
    /// Searches a graph of `count` regions, whose `edges` are pairs of target and cost. Of two
    /// first edges with ways of equal cost the one found later is taken only if it is `preferred`
    /// to the other.
    #[inline]
    pub fn find<E: Iterator<Item = (u32, u64)>>(
        &mut self,
        count: usize,
        source: u32,
        edges: impl Fn(u32) -> E,
        preferred: impl Fn(u32, u32) -> bool,
    ) {
        let Self { costs, firsts, open } = self;
        costs.clear();
        costs.resize(count, u64::MAX);
        firsts.clear();
        firsts.resize(count, NO_EDGE);
        open.clear();
        costs[source as usize] = 0;
        open.push(Reverse((0, source)));
        while let Some(Reverse((cost, region))) = open.pop() {
            if cost != costs[region as usize] {
                continue; // an entry from before the region was improved
            }
            // All cheaper regions are settled, so no better first edge can turn up for this one.
            let first = firsts[region as usize];
            for (index, (next, step)) in (0..).zip(edges(region)) {
                let (cost, at) = (cost + step, next as usize);
                let first = if region == source { index } else { first };
                if cost < costs[at] {
                    (costs[at], firsts[at]) = (cost, first);
                    open.push(Reverse((cost, next)));
                } else if cost == costs[at] && next != source && preferred(first, firsts[at]) {
                    firsts[at] = first;
                }
            }
        }
    }
}
