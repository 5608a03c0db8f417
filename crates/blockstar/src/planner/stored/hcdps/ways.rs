//! Where to go without the table of hops: A* over regions and base paths.
//!
//! The same ways as those of the table, the cheapest, of equally cheap ones one with the fewest paths.

use super::paths::{Costs, Paths};
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::walk::Purse;
use crate::rules::cost::Cost;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a path adds to a cost, so that fewer are better: costs are multiplied by this.
const SCALE: u64 = 1 << 10;

/// The memory of such a search, and what it has found.
#[derive(Debug, Default)]
pub(super) struct Ways {
    nodes: NodeTable<u64>,
    /// Total, estimate and region.
    open: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// The numbers of the paths to take, last first.
    pub legs: Vec<u32>,
}

impl Ways {
    /// Finds the paths to take from one region to another; `estimate` is the least cost from a region.
    /// Each region that is looked around from is an expansion. Nothing if the purse was empty.
    pub fn find(
        &mut self,
        (from, to): (u32, u32),
        (paths, costs): (&Paths, &Costs),
        estimate: impl Fn(u32) -> u64,
        purse: &mut Purse,
    ) -> Option<()> {
        let Self { nodes, open, legs } = self;
        nodes.begin(paths.regions());
        nodes.make_parents(paths.regions());
        open.clear();
        legs.clear();
        nodes.set(from, 0, ROOT);
        open.push(Reverse((0, 0, from)));
        while let Some(Reverse((total, h, region))) = open.pop() {
            if nodes.g(region) != total - h {
                continue;
            }
            if region == to {
                break;
            }
            if !purse.pay() {
                return None;
            }
            for path in paths.from(region) {
                let end = paths.ends[path];
                let g = total - h + costs[path] * SCALE + 1;
                if g < nodes.g(end) {
                    nodes.set(end, g, 0);
                    nodes.set_parent(end, path as u32);
                    let h = estimate(end) * SCALE;
                    open.push(Reverse((g + h, h, end)));
                }
            }
        }
        let mut region = to;
        while region != from && nodes.g(region) != <u64 as Cost>::MAX {
            let path = nodes.parent(region);
            legs.push(path);
            region = paths.starts.partition_point(|&start| start <= path) as u32 - 1;
        }
        Some(())
    }

    pub fn bytes(&self) -> usize {
        let entry = size_of::<(u64, u64, u32)>();
        self.nodes.bytes() + self.open.capacity() * entry + self.legs.capacity() * 4
    }
}
