//! The database as bytes, and the proof that bytes are a database.
//!
//! The payload is a sequence of lists of numbers, each preceded by its length: the representatives,
//! the first run of each row of the region map and the runs, the base paths (first path of each
//! region, their ends, first subgoal of each path, the subgoals), and the hops, of one or two bytes
//! each.
//!
//! A file must not be trusted, since walks follow what it says. So everything that walking relies
//! on is tried on the map: climbs from each cell to its representative and back, climbs along each
//! base path, and whether the hops from every region to every other arrive. That takes a fraction
//! of the time of building.

use super::Data;
use super::paths::{Costs, Hops, Paths};
use super::region_map::RegionMap;
use super::regions::NONE;
use crate::db;
use crate::db::parameters::is_free_node;
use crate::regions::climb::Climber;
use crate::{Cell, Grid};

impl Data {
    /// As a payload.
    pub fn write(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        let mut add = |list: &[u32]| {
            payload.extend_from_slice(&(list.len() as u32).to_le_bytes());
            list.iter().for_each(|number| payload.extend_from_slice(&number.to_le_bytes()));
        };
        let Self { representatives, map, paths, hops } = self;
        let lists = [&representatives[..], &map.starts, &map.runs, &paths.starts, &paths.ends];
        lists.into_iter().for_each(&mut add);
        [&paths.subgoal_starts[..], &paths.subgoals].into_iter().for_each(&mut add);
        let width = if matches!(hops, Hops::Narrow(_)) { 1u32 } else { 2 };
        add(&[width]);
        match hops {
            Hops::Narrow(hops) => payload.extend_from_slice(hops),
            Hops::Wide(hops) => {
                hops.iter().for_each(|hop| payload.extend_from_slice(&hop.to_le_bytes()));
            }
        }
        payload
    }

    /// Repaired data as it is saved: without unused region numbers, and with the table.
    pub fn completed(&self, costs: &Costs) -> Self {
        let alive = |region: usize| self.representatives[region] != NONE;
        let mut next = 0..;
        let numbers: Vec<Option<u32>> = (0..self.representatives.len())
            .map(|region| next.by_ref().take(usize::from(alive(region))).next())
            .collect();
        let mut paths = Paths::none();
        for region in (0..numbers.len()).filter(|&region| alive(region)) {
            for path in self.paths.from(region as u32) {
                // A path never leads to a number without a region.
                let end = numbers[self.paths.ends[path] as usize].unwrap_or(0);
                paths.push(end, self.paths.subgoals(path));
            }
            paths.end_region();
        }
        Self {
            representatives: self
                .representatives
                .iter()
                .copied()
                .filter(|&it| it != NONE)
                .collect(),
            map: self.map.renumbered(&numbers),
            hops: Hops::new(&paths, costs),
            paths,
        }
    }

    /// From a payload, if it is sound for this map.
    pub fn read(
        mut payload: &[u8],
        grid: &Grid,
        climber: Climber<'_>,
        cut_off: u32,
        connected: impl Fn(Cell, Cell) -> bool,
    ) -> Option<Self> {
        let mut take = || {
            let count = db::take_u32(&mut payload)? as usize;
            // Nothing is allocated before this is known.
            let (list, rest) = payload.split_at_checked(count.checked_mul(4)?)?;
            payload = rest;
            let (list, _) = list.as_chunks();
            Some(list.iter().map(|number| u32::from_le_bytes(*number)).collect::<Vec<u32>>())
        };
        let representatives = take()?;
        let map = RegionMap { starts: take()?, runs: take()? };
        let paths =
            Paths { starts: take()?, ends: take()?, subgoal_starts: take()?, subgoals: take()? };
        let hops = match take()?[..] {
            [1] => Hops::Narrow(payload.to_vec()),
            [2] if payload.len().is_multiple_of(2) => {
                let (hops, _) = payload.as_chunks();
                Hops::Wide(hops.iter().map(|hop| u16::from_le_bytes(*hop)).collect())
            }
            _ => return None,
        };
        let data = Self { representatives, map, paths, hops };
        data.is_sound(grid, climber, cut_off, connected).then_some(data)
    }

    fn is_sound(
        &self,
        grid: &Grid,
        climber: Climber<'_>,
        cut_off: u32,
        connected: impl Fn(Cell, Cell) -> bool,
    ) -> bool {
        let Self { representatives, map, paths, hops } = self;
        let (count, rows) = (representatives.len(), grid.rows());
        let free = |node: &u32| is_free_node(grid, *node);
        let lists = |starts: &[u32], lists: usize, items: usize| {
            starts.len() == lists + 1
                && starts[0] == 0
                && starts.is_sorted()
                && starts[lists] as usize == items
        };
        let shapes = count < 1 << 16
            && map.is_sound(grid, count as u32)
            && representatives.iter().all(free)
            && lists(&paths.starts, count, paths.ends.len())
            && lists(&paths.subgoal_starts, paths.ends.len(), paths.subgoals.len())
            && paths.ends.iter().all(|&end| (end as usize) < count)
            && paths.subgoals.iter().all(free)
            && hops.len() == count * count;
        let climbs = |from: u32, to: u32| climber.reaches(from, to, cut_off).is_some();
        let cell = |node: u32| Cell::from(rows.coordinates(node));
        let own = |representative: &u32| {
            representatives[map.region(cell(*representative)) as usize] == *representative
        };
        shapes
            && representatives.iter().all(own)
            && (0..count).all(|region| {
                paths.from(region as u32).all(|path| {
                    let end = representatives[paths.ends[path] as usize];
                    let mut at = representatives[region];
                    paths
                        .subgoals(path)
                        .iter()
                        .chain([&end])
                        .all(|&subgoal| climbs(std::mem::replace(&mut at, subgoal), subgoal))
                })
            })
            && (0..grid.height()).all(|y| {
                (0..grid.width()).filter(|&x| grid.is_free(Cell::new(x, y))).all(|x| {
                    let cell = rows.position(x, y);
                    let own = representatives[map.region(Cell::new(x, y)) as usize];
                    climbs(cell, own) && climbs(own, cell)
                })
            })
            && self
                .hops_arrive(|a, b| connected(cell(representatives[a]), cell(representatives[b])))
    }

    /// Whether the hops between any two regions that are connected lead from one to the other.
    pub(super) fn hops_arrive(&self, connected: impl Fn(usize, usize) -> bool) -> bool {
        let count = self.representatives.len();
        // 0: not known, 1: on the way being followed, 2: arrives, 3: there is no way.
        let mut known = vec![0u8; count];
        let mut way = Vec::new();
        for target in 0..count {
            known.fill(0);
            known[target] = 2;
            for source in 0..count {
                let mut at = source;
                while known[at] == 0 {
                    known[at] = 1;
                    way.push(at);
                    let paths = self.paths.from(at as u32);
                    match self.hops.get(at * count + target) {
                        Some(hop) if hop < paths.len() => {
                            at = self.paths.ends[paths.start + hop] as usize;
                        }
                        Some(_) => return false,
                        None => known[at] = 3,
                    }
                }
                let fate = known[at];
                // A circle, a way that ends before its goal, or no way where there should be one.
                let ends = |region: &usize| *region == at && !connected(source, target);
                if fate == 1 || (fate == 3 && !way.iter().all(ends)) {
                    return false;
                }
                way.drain(..).for_each(|region| known[region] = fate);
            }
        }
        true
    }
}
