//! Following edits: the sectors they touch are labelled again, and their borders and corners looked
//! at.
//!
//! The result is what a new map would give, apart from the numbers of regions. A sector that gets
//! more regions gets new numbers at the end; once half of all numbers are unused, all regions are
//! renumbered.

use super::labels::Mean;
use super::{Centre, Labels, NONE, Sectors, Span, tuned};
use crate::grid::bits::Bits;
use crate::{Grid, Rect};

/// Memory for repairs, and what the last one changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repair {
    /// Sectors with edits.
    pub touched: Vec<u32>,
    /// Other sectors, past whose corners a step may now lead, or no longer.
    corners: Vec<u32>,
    /// Regions that are new or have another centre.
    pub moved: Vec<u32>,
    /// Numbers of regions that are gone.
    pub gone: Vec<u32>,
    /// Regions with another list of neighbours.
    pub relinked: Vec<u32>,
    here: Labels,
    there: Labels,
    means: Vec<Mean>,
    pairs: Vec<(u32, u32)>,
    list: Vec<u32>,
}

impl Sectors {
    /// Follows edits in some rectangles. False if all regions must be renumbered: then nothing has
    /// been done.
    pub fn update(&mut self, grid: &Grid, changes: impl Iterator<Item = Rect>) -> bool {
        let mut repair = std::mem::take(&mut self.repair);
        let Repair { touched, corners, moved, gone, relinked, .. } = &mut repair;
        [&mut *touched, corners, moved, gone, relinked].into_iter().for_each(|list| list.clear());
        let (layout, (w, h)) = (self.layout, self.layout.side);
        for rect in changes.filter(|rect| rect.width > 0 && rect.height > 0) {
            for row in rect.y / h..=(rect.y + rect.height - 1) / h {
                for column in rect.x / w..=(rect.x + rect.width - 1) / w {
                    let sector = row * layout.columns + column;
                    touched.push(sector);
                    // A diagonal step past a sector's corner joins the two sectors beside it.
                    let area = layout.area(sector);
                    let holds = |x: u32, y: u32| {
                        x.wrapping_sub(rect.x) < rect.width && y.wrapping_sub(rect.y) < rect.height
                    };
                    let at = |x: u32| holds(x, area.top) || holds(x, area.bottom - 1);
                    if column > 0 && at(area.left) {
                        corners.push(sector - 1);
                    }
                    if column + 1 < layout.columns && at(area.right - 1) {
                        corners.push(sector + 1);
                    }
                }
            }
        }
        for list in [&mut *touched, corners] {
            list.sort_unstable();
            list.dedup();
        }
        corners.retain(|sector| touched.binary_search(sector).is_err());
        let fits = self.centres.len() <= 2 * self.live + 64;
        if fits {
            for i in 0..repair.touched.len() {
                self.relabel(grid, repair.touched[i], &mut repair);
            }
            for i in 0..repair.touched.len() {
                self.relink(grid, repair.touched[i], &mut repair);
            }
            for i in 0..repair.corners.len() {
                self.relink(grid, repair.corners[i], &mut repair);
            }
            if self.centre == Centre::Tuned {
                tuned::retune(self, grid, &mut repair);
            }
            let tidy = |list: &mut Vec<u32>| {
                list.sort_unstable();
                list.dedup();
            };
            tidy(&mut repair.moved);
            tidy(&mut repair.relinked);
            repair.relinked.retain(|&region| self.centres[region as usize] != NONE);
            repair.moved.retain(|&region| self.centres[region as usize] != NONE);
        }
        self.repair = repair;
        fits
    }

    /// The sectors that the last update has touched, and those of regions that are new or moved.
    pub fn edited(&self, bits: &Bits) -> Vec<u32> {
        let moved = self.repair.moved.iter().map(|&region| self.sector(bits, region));
        let mut edited: Vec<u32> = self.repair.touched.iter().copied().chain(moved).collect();
        edited.sort_unstable();
        edited.dedup();
        edited
    }

    /// Finds the regions of a sector again.
    fn relabel(&mut self, grid: &Grid, sector: u32, repair: &mut Repair) {
        let Repair { here, means, moved, gone, .. } = repair;
        here.label(grid.rows(), self.layout.area(sector), self.corner_reach());
        here.means(means);
        let Span { first, count } = self.spans[sector as usize];
        if here.regions != count {
            gone.extend(first..first + count);
            self.centres[first as usize..(first + count) as usize].fill(NONE);
            self.live = self.live + here.regions as usize - count as usize;
            let mut new = first;
            if here.regions > count {
                new = self.centres.len() as u32;
                self.centres.resize(new as usize + here.regions as usize, NONE);
                self.neighbours.grow(self.centres.len());
            }
            self.spans[sector as usize] = Span { first: new, count: here.regions };
        }
        let Span { first, .. } = self.spans[sector as usize];
        for (region, mean) in (first..).zip(&*means) {
            let node = grid.rows().position(mean.cell.0, mean.cell.1);
            if self.centre == Centre::Mean && self.centres[region as usize] == node {
                continue;
            }
            self.centres[region as usize] = node;
            moved.push(region);
        }
    }

    /// Finds the neighbours of a sector's regions again, and updates the neighbours' lists too.
    fn relink(&mut self, grid: &Grid, sector: u32, repair: &mut Repair) {
        let Repair { here, there, relinked, pairs, list, .. } = repair;
        let layout = self.layout;
        if self.count(sector) > 1 {
            here.label(grid.rows(), layout.area(sector), self.corner_reach());
        }
        pairs.clear();
        for other in layout.around(sector, 1).filter(|&other| other != sector) {
            let first = pairs.len();
            if self.count(sector) > 0 && self.count(other) > 0 {
                if self.count(other) > 1 {
                    there.label(grid.rows(), layout.area(other), self.corner_reach());
                }
                self.scan(grid, (sector, here), (other, there), pairs);
            }
            // The other sector's regions keep their neighbours outside this sector.
            for region in self.regions(other) {
                list.clear();
                let own = self.regions(sector);
                let kept = self.neighbours(region).iter().copied();
                list.extend(kept.filter(|n| !own.contains(n) && self.centres[*n as usize] != NONE));
                let new = pairs[first..].iter().filter(|pair| pair.1 == region).map(|pair| pair.0);
                list.extend(new);
                self.put_neighbours(grid.rows(), region, list, relinked);
            }
        }
        for region in self.regions(sector) {
            list.clear();
            list.extend(pairs.iter().filter(|pair| pair.0 == region).map(|pair| pair.1));
            self.put_neighbours(grid.rows(), region, list, relinked);
        }
    }

    /// Sorts regions by their sectors, and within a sector by their numbers.
    pub fn sort(&self, bits: &Bits, list: &mut [u32]) {
        list.sort_unstable_by_key(|&region| (self.sector(bits, region), region));
    }

    fn put_neighbours(
        &mut self,
        bits: &Bits,
        region: u32,
        list: &mut [u32],
        relinked: &mut Vec<u32>,
    ) {
        self.sort(bits, list);
        if list != self.neighbours(region) {
            self.neighbours.set(region, list);
            relinked.push(region);
        }
    }
}
