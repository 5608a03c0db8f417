//! The way over the regions without the table of hops: A* over regions and base paths.
//!
//! It finds the same ways as the table: the cheapest, of equally cheap ones one with the fewest
//! paths.

use super::paths::{Costs, Paths, key};
use crate::engine::walk::Purse;
use crate::regions::routes::{Rank, Routes};

/// The memory of such a search, and what it has found.
#[derive(Debug, Default)]
pub(super) struct Ways {
    routes: Routes,
    /// The numbers of the paths to take, last first.
    pub legs: Vec<u32>,
}

impl Ways {
    /// Finds the paths to take from one region to another; `estimate` is the least cost from a
    /// region. Every region expanded is paid for. Nothing if the purse was empty.
    pub fn find(
        &mut self,
        (from, to): (u32, u32),
        (paths, costs): (&Paths, &Costs),
        estimate: impl Fn(u32) -> u64,
        purse: &mut Purse,
    ) -> Option<()> {
        let Self { routes, legs } = self;
        let rank = |region: u32| Rank { estimate: key(estimate(region), 0), tie: region };
        legs.clear();
        routes.begin(paths.regions(), from, rank(from));
        while let Some((region, g)) = routes.pop(u64::MAX) {
            if region == to {
                break;
            }
            if !purse.pay() {
                return None;
            }
            for path in paths.from(region) {
                let end = paths.ends[path];
                let g = g.saturating_add(key(costs[path], 1));
                routes.reach(end, g, path as u32, || rank(end));
            }
        }
        let mut region = to;
        while let Some(path) = routes.over(region) {
            legs.push(path);
            region = paths.starts.partition_point(|&start| start <= path) as u32 - 1;
        }
        Some(())
    }

    pub fn bytes(&self) -> usize {
        self.routes.bytes() + self.legs.capacity() * 4
    }
}
