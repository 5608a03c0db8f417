//! Centres that are easy to get to: the optimisation of Dragon Age.
//!
//! From the mean of a winding region to that of the next, a search may look at many cells that are
//! off the way. So for each region we take the worst of the searches to its neighbours and back,
//! counting expansions minus the cells of the path. Where that is more than one and a half times the
//! side of a sector, every cell of the region is tried as its centre, and the one with the least is
//! taken.
//!
//! The original goes through the regions twice and tunes one after the other, each against the
//! centres its neighbours have by then. Here each is tuned against the *means* of its neighbours,
//! so a centre depends only on the sectors around it, and not on the order or on what happens far
//! away.

use super::labels::{Labels, Mean};
use super::{AreaMemory, AreaSearch, NONE, Repair, Sectors};
use crate::Grid;

/// Memory that is reused for the next region.
#[derive(Default)]
struct Tuner {
    labels: Labels,
    means: Vec<Mean>,
    memory: AreaMemory,
}

/// Tunes all regions of a new map, whose centres are the means.
pub(super) fn tune_all(sectors: &mut Sectors, grid: &Grid) {
    let mut tuner = Tuner::default();
    let means = sectors.centres.clone();
    let regions: Vec<u32> = sectors.all().collect();
    for region in regions {
        let centre = tuner.tune(sectors, grid, &means, region);
        sectors.set_centre(region, centre);
    }
}

/// Tunes the regions that may have another centre after edits: those within two sectors. `repair`
/// lists the regions of touched sectors as moved.
pub(super) fn retune(sectors: &mut Sectors, grid: &Grid, repair: &mut Repair) {
    let mut tuner = Tuner::default();
    let mut near: Vec<u32> = Vec::new();
    for &sector in &repair.touched {
        near.extend(sectors.layout.around(sector, 3));
    }
    near.sort_unstable();
    near.dedup();
    // The means of all regions nearby and of their neighbours.
    let mut means = vec![NONE; sectors.centres.len()];
    for &sector in &near {
        tuner.labels.label(grid.rows(), sectors.layout.area(sector), sectors.corner_reach());
        tuner.labels.means(&mut tuner.means);
        for (region, mean) in sectors.regions(sector).zip(&tuner.means) {
            means[region as usize] = grid.rows().position(mean.cell.0, mean.cell.1);
        }
    }
    for &sector in &near {
        let touched = repair.touched.iter();
        if touched.map(|&touched| sectors.layout.apart(touched, sector)).min() > Some(2) {
            continue;
        }
        for region in sectors.regions(sector) {
            let centre = tuner.tune(sectors, grid, &means, region);
            if centre != sectors.centre(region) {
                sectors.set_centre(region, centre);
                repair.moved.push(region);
            }
        }
    }
}

impl Tuner {
    /// The best centre of a region.
    fn tune(&mut self, sectors: &Sectors, grid: &Grid, means: &[u32], region: u32) -> u32 {
        let mean = means[region as usize];
        let (x, y) = grid.rows().coordinates(mean);
        let sector = sectors.layout.sector(x, y);
        let side = u64::from(sectors.layout.side.0.max(sectors.layout.side.1));
        let mut least = self.worst(sectors, grid, means, region, mean, u64::MAX);
        let mut best = mean;
        if least <= side + side / 2 {
            return best;
        }
        let mut labels = std::mem::take(&mut self.labels);
        labels.label(grid.rows(), sectors.layout.area(sector), sectors.corner_reach());
        let number = region - sectors.regions(sector).start;
        for run in labels.runs.iter().filter(|run| run.region == number) {
            for x in run.first..=run.last {
                let node = grid.rows().position(x, run.row);
                let worst = self.worst(sectors, grid, means, region, node, least);
                if worst < least {
                    (least, best) = (worst, node);
                }
            }
        }
        self.labels = labels;
        best
    }

    /// The most cells off the way in searches between a centre and those of the neighbours; gives
    /// up as soon as there are `enough`.
    fn worst(
        &mut self,
        sectors: &Sectors,
        grid: &Grid,
        means: &[u32],
        region: u32,
        centre: u32,
        enough: u64,
    ) -> u64 {
        let layout = &sectors.layout;
        let sector_of = |node: u32| {
            let (x, y) = grid.rows().coordinates(node);
            layout.sector(x, y)
        };
        let own = layout.areas(sector_of(centre), 1);
        let mut worst = 0;
        let mut way = Vec::new();
        for &neighbour in sectors.neighbours(region) {
            let other = means[neighbour as usize];
            let search = AreaSearch::new(
                grid.rows(),
                sectors.moves,
                [own, layout.areas(sector_of(other), 1)],
            );
            for (from, to) in [(centre, other), (other, centre)] {
                let mut expanded = 0;
                search.search(&mut self.memory, from, to, u64::MAX, &mut expanded);
                way.clear();
                search.trace_back(&self.memory, to, &mut way);
                worst = worst.max(expanded.saturating_sub(way.len() as u64 - 1));
                if worst >= enough {
                    return worst;
                }
            }
        }
        worst
    }
}
