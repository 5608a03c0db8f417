//! Paths between the representatives of regions that are near each other, and which of them to take
//! to get anywhere.

use super::regions::{NONE, Regions};
use crate::lddb::crew;
use crate::search::climb::{Climber, Notion};
use crate::search::flood::{Flood, Ground};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Base paths: from each representative to those of the regions at most some hops away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// The first path of each region.
    pub starts: Vec<u32>,
    /// The region that each path leads to, ascending among those of a region.
    pub ends: Vec<u32>,
    /// The first subgoal of each path.
    pub subgoal_starts: Vec<u32>,
    /// What to climb to between the representatives, one after the other.
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

/// One path while it is made.
struct Made {
    end: u32,
    cost: u64,
    subgoals: Vec<u32>,
}

#[derive(Default)]
struct Memory {
    flood: Flood,
    path: Vec<u32>,
    found: Vec<bool>,
}

/// What a path between two regions costs, in the order of the paths.
pub(super) type Costs = Vec<u64>;

impl Paths {
    pub fn new(
        ground: &Ground,
        climber: Climber<'_>,
        regions: &Regions,
        depth: u32,
        cut_off: u32,
    ) -> (Self, Costs) {
        let wanted = within(&neighbours(ground, regions), depth);
        let made = crew::share(wanted.len(), &|_, _| (), |memory: &mut Memory, region| {
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
        let mut paths = Self { starts: vec![0], subgoal_starts: vec![0], ..Self::default() };
        let mut costs = Vec::new();
        for region in made {
            for Made { end, cost, subgoals } in region {
                paths.ends.push(end);
                costs.push(cost);
                paths.subgoals.extend_from_slice(&subgoals);
                paths.subgoal_starts.push(paths.subgoals.len() as u32);
            }
            paths.starts.push(paths.ends.len() as u32);
        }
        (paths, costs)
    }

    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.starts.len() - 1
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
fn neighbours(ground: &Ground, regions: &Regions) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); regions.representatives.len()];
    for (position, &region) in regions.of.iter().enumerate() {
        let legal = if region == NONE { 0 } else { ground.legal[position] };
        for d in (0..8).filter(|d| legal >> d & 1 != 0) {
            let other = regions.of[position.wrapping_add_signed(ground.offsets[d] as isize)];
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

/// The regions at most `depth` hops from each region, ascending, itself not among them.
fn within(neighbours: &[Vec<u32>], depth: u32) -> Vec<Vec<u32>> {
    let mut stamps = vec![NONE; neighbours.len()];
    let reach = |region: u32| {
        let mut reached = vec![region];
        stamps[region as usize] = region;
        let mut first = 0;
        for _ in 0..depth {
            let ring = first..reached.len();
            first = reached.len();
            for at in ring {
                for &other in &neighbours[reached[at] as usize] {
                    if std::mem::replace(&mut stamps[other as usize], region) != region {
                        reached.push(other);
                    }
                }
            }
        }
        reached.remove(0);
        reached.sort_unstable();
        reached
    };
    (0..neighbours.len() as u32).map(reach).collect()
}

#[derive(Default)]
struct Row {
    best: Vec<(u64, u32)>,
    first: Vec<u16>,
    open: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl Hops {
    /// The bytes that the hops between so many regions take, of which none has more than `most` paths.
    pub fn size(regions: usize, most: usize) -> usize {
        regions * regions * if most < u8::MAX as usize { 1 } else { 2 }
    }

    /// The most paths that a region has.
    pub fn most(paths: &Paths) -> usize {
        (0..paths.regions() as u32).map(|region| paths.from(region).len()).max().unwrap_or(0)
    }

    /// Dynamic programming over the base paths: the cheapest way, of equally cheap ones that with the
    /// fewest paths.
    pub fn new(paths: &Paths, costs: &Costs) -> Self {
        let count = paths.regions();
        let narrow = Self::size(1, Self::most(paths)) == 1;
        let rows = crew::share(count, &|_, _| (), |row: &mut Row, source| {
            let Row { best, first, open } = row;
            best.clear();
            best.resize(count, (u64::MAX, 0));
            first.clear();
            first.resize(count, u16::MAX);
            best[source] = (0, 0);
            open.push(Reverse((0, 0, source as u32)));
            while let Some(Reverse((cost, hops, region))) = open.pop() {
                if best[region as usize] != (cost, hops) {
                    continue;
                }
                for path in paths.from(region) {
                    let end = paths.ends[path] as usize;
                    let reached = (cost + costs[path], hops + 1);
                    if reached < best[end] {
                        best[end] = reached;
                        first[end] = if region as usize == source {
                            (path - paths.from(region).start) as u16
                        } else {
                            first[region as usize]
                        };
                        open.push(Reverse((reached.0, reached.1, end as u32)));
                    }
                }
            }
            first.clone()
        });
        if narrow {
            Self::Narrow(rows.into_iter().flatten().map(|slot| slot.min(255) as u8).collect())
        } else {
            Self::Wide(rows.into_iter().flatten().collect())
        }
    }

    /// The number of the path, among those of the first region, to take to the second; none if there is
    /// no way or they are the same.
    #[inline]
    pub fn get(&self, index: usize) -> Option<usize> {
        match self {
            Self::Narrow(hops) => Some(hops[index]).filter(|&hop| hop != u8::MAX).map(usize::from),
            Self::Wide(hops) => Some(hops[index]).filter(|&hop| hop != u16::MAX).map(usize::from),
        }
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
