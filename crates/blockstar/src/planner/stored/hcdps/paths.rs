//! Paths between the representatives of nearby regions, and which of them to take to get anywhere.

use super::regions::{NONE, Regions};
use crate::engine::flood::{Flood, Ground};
use crate::engine::parallel;
use crate::regions::climb::{Climber, Notion};
use crate::regions::first_edges::FirstEdges;

/// Base paths: from each representative to those of the regions at most some hops away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// The first path of each region.
    pub starts: Vec<u32>,
    /// The region that each path leads to, ascending among those of a region.
    pub ends: Vec<u32>,
    /// The first subgoal of each path.
    pub subgoal_starts: Vec<u32>,
    /// The nodes to climb to between the representatives, one after the other.
    pub subgoals: Vec<u32>,
}

/// For each pair of regions: which of the first one's base paths to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hops {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Default for Hops {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// A path being made.
struct Made {
    end: u32,
    cost: u64,
    subgoals: Vec<u32>,
}

/// Memory that is reused for the paths of the next region.
#[derive(Default)]
struct PathMemory {
    flood: Flood,
    path: Vec<u32>,
    found: Vec<bool>,
}

/// The cost of each path, in the order of the paths.
pub(super) type Costs = Vec<u64>;

impl Paths {
    pub fn new(
        ground: &Ground,
        climber: Climber<'_>,
        regions: &Regions,
        depth: u32,
        cut_off: u32,
    ) -> (Self, Costs, Vec<Vec<u32>>) {
        let neighbours = neighbours(climber, regions);
        let mut rings = Rings::default();
        let wanted: Vec<Vec<u32>> = (0..neighbours.len() as u32)
            .map(|region| rings.around(&neighbours, region, depth))
            .collect();
        let made = parallel::map(wanted.len(), &|_, _| (), |memory: &mut PathMemory, region| {
            let targets = &wanted[region];
            let source = regions.representatives[region];
            let mut left = targets.len();
            memory.found.clear();
            memory.found.resize(left, false);
            memory.flood.run(ground, source, |cell| {
                let region = regions.of[cell as usize];
                if regions.representatives[region as usize] == cell
                    && let Ok(at) = targets.binary_search(&region)
                {
                    left -= usize::from(!std::mem::replace(&mut memory.found[at], true));
                }
                left == 0
            });
            let made = targets.iter().map(|&end| {
                let representative = regions.representatives[end as usize];
                memory.flood.way_back(ground, representative, &mut memory.path);
                memory.path.reverse();
                let mut subgoals = Vec::new();
                climber.compress(&memory.path, Notion::CostsNoMore, cut_off, &mut subgoals);
                Made { end, cost: memory.flood.cost(representative), subgoals }
            });
            made.collect::<Vec<Made>>()
        });
        let mut paths = Self::none();
        let mut costs = Vec::new();
        for region in made {
            for Made { end, cost, subgoals } in region {
                paths.push(end, &subgoals);
                costs.push(cost);
            }
            paths.end_region();
        }
        (paths, costs, neighbours)
    }

    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds a path of the region whose paths are being listed.
    pub fn push(&mut self, end: u32, subgoals: &[u32]) {
        self.ends.push(end);
        self.subgoals.extend_from_slice(subgoals);
        self.subgoal_starts.push(self.subgoals.len() as u32);
    }

    /// Ends the list of a region's paths.
    pub fn end_region(&mut self) {
        self.starts.push(self.ends.len() as u32);
    }

    /// The paths of no regions.
    pub fn none() -> Self {
        Self { starts: vec![0], subgoal_starts: vec![0], ..Self::default() }
    }

    /// The number of a region's path to another one.
    pub fn find(&self, region: u32, end: u32) -> Option<usize> {
        let paths = self.from(region);
        self.ends[paths.clone()].binary_search(&end).ok().map(|at| paths.start + at)
    }

    /// The base paths of a region.
    #[inline]
    pub fn from(&self, region: u32) -> std::ops::Range<usize> {
        self.starts[region as usize] as usize..self.starts[region as usize + 1] as usize
    }

    /// The subgoals of a path, without the representatives at its ends.
    #[inline]
    pub fn subgoals(&self, path: usize) -> &[u32] {
        let [first, end] = [path, path + 1].map(|at| self.subgoal_starts[at] as usize);
        &self.subgoals[first..end]
    }

    pub fn bytes(&self) -> usize {
        let numbers = self.starts.len() + self.ends.len();
        (numbers + self.subgoal_starts.len() + self.subgoals.len()) * 4
    }
}

/// The regions that can be stepped to from each region, ascending.
fn neighbours(climber: Climber<'_>, regions: &Regions) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); regions.representatives.len()];
    for (position, &region) in (0..).zip(&regions.of).filter(|cell| *cell.1 != NONE) {
        for other in climber.around(position).map(|cell| regions.of[cell as usize]) {
            let list: &mut Vec<u32> = &mut lists[region as usize];
            if other != region && list.last() != Some(&other) {
                list.push(other);
            }
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

/// Finds the regions that are few hops away.
#[derive(Debug, Default)]
pub(super) struct Rings {
    /// For each region, the last search that reached it.
    stamps: Vec<u32>,
    search: u32,
}

impl Rings {
    /// The regions at most `depth` hops from those of a list, which come first.
    pub fn of(&mut self, neighbours: &[Vec<u32>], from: &[u32], depth: u32) -> Vec<u32> {
        self.stamps.resize(neighbours.len().max(self.stamps.len()), 0);
        self.search += 1;
        let mut reached = from.to_vec();
        from.iter().for_each(|&region| self.stamps[region as usize] = self.search);
        let mut first = 0;
        for _ in 0..depth {
            let ring = first..reached.len();
            first = reached.len();
            for at in ring {
                for &other in &neighbours[reached[at] as usize] {
                    let stamp = &mut self.stamps[other as usize];
                    if std::mem::replace(stamp, self.search) != self.search {
                        reached.push(other);
                    }
                }
            }
        }
        reached
    }

    /// The regions at most `depth` hops from a region, ascending, without the region itself.
    pub fn around(&mut self, neighbours: &[Vec<u32>], region: u32, depth: u32) -> Vec<u32> {
        let mut reached = self.of(neighbours, &[region], depth);
        reached.remove(0);
        reached.sort_unstable();
        reached
    }
}

/// How many rows of hops are made before they are copied into the table.
const SEGMENT: usize = 512;

/// A cost and a number of base paths in one number: cheaper ways are smaller, and among equally
/// cheap ways those with fewer paths. A way over the regions has fewer than 2^16 paths and costs
/// less than 2^47.
pub(super) fn key(cost: u64, paths: u64) -> u64 {
    cost << 16 | paths
}

impl Hops {
    /// The bytes of the hops between this many regions, none of them with more than `most` paths.
    pub fn size(regions: usize, most: usize) -> usize {
        regions * regions * if most < u8::MAX as usize { 1 } else { 2 }
    }

    /// The most paths that a region has.
    pub fn most(paths: &Paths) -> usize {
        (0..paths.regions() as u32).map(|region| paths.from(region).len()).max().unwrap_or(0)
    }

    /// Dynamic programming over the base paths: finds the cheapest ways, of equally cheap ones
    /// those with the fewest paths.
    pub fn new(paths: &Paths, costs: &Costs) -> Self {
        let count = paths.regions();
        let narrow = Self::size(1, Self::most(paths)) == 1;
        let edges =
            |region: u32| paths.from(region).map(|path| (paths.ends[path], key(costs[path], 1)));
        let find = |row: &mut FirstEdges, source: usize| {
            row.find(count, source as u32, edges, |_, _| false);
        };
        // A few rows at a time, so that few are held twice.
        let mut table = if narrow {
            Self::Narrow(Vec::with_capacity(count * count))
        } else {
            Self::Wide(Vec::with_capacity(count * count))
        };
        for begin in (0..count).step_by(SEGMENT) {
            let rows = SEGMENT.min(count - begin);
            match &mut table {
                Self::Narrow(hops) => {
                    let made = parallel::map(rows, &|_, _| (), |row: &mut FirstEdges, at| {
                        find(row, begin + at);
                        row.firsts.iter().map(|&hop| hop.min(0xff) as u8).collect::<Box<[u8]>>()
                    });
                    made.iter().for_each(|row| hops.extend_from_slice(row));
                }
                Self::Wide(hops) => {
                    let made = parallel::map(rows, &|_, _| (), |row: &mut FirstEdges, at| {
                        find(row, begin + at);
                        row.firsts.iter().map(|&hop| hop.min(0xffff) as u16).collect::<Box<[u16]>>()
                    });
                    made.iter().for_each(|row| hops.extend_from_slice(row));
                }
            }
        }
        table
    }

    /// Which of the first region's paths to take to the second; none if there is no way or they are
    /// the same.
    #[inline]
    pub fn get(&self, index: usize) -> Option<usize> {
        match self {
            Self::Narrow(hops) => Some(hops[index]).filter(|&hop| hop != u8::MAX).map(usize::from),
            Self::Wide(hops) => Some(hops[index]).filter(|&hop| hop != u16::MAX).map(usize::from),
        }
    }

    /// Whether there is no table, because base paths have changed since it was made.
    pub fn is_dropped(&self) -> bool {
        self.len() == 0
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(hops) => hops.len(),
            Self::Wide(hops) => hops.len(),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::Narrow(hops) => hops.len(),
            Self::Wide(hops) => 2 * hops.len(),
        }
    }
}
