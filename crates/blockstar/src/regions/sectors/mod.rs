//! Sectors and regions: the abstraction of Dragon Age, which PRA* and DBA* plan on.
//!
//! N. Sturtevant, *Memory-Efficient Abstractions for Pathfinding* (2007), and W. Lee & R. Lawrence,
//! *Fast Grid-based Path Finding for Video Games* (2013). (The text of the first was not at hand;
//! its content is taken from the second and from what is known about its published code.) The map
//! is cut into *sectors*, rectangles of equal size. A *region* is a set of cells of one sector that
//! reach each other without leaving it. One of its cells stands for it, its *centre*: the one
//! nearest to the mean of its cells. Regions of different sectors are *neighbours* if a single step
//! leads from one to the other.
//!
//! * Sectors need not be square, nor a power of two wide.
//! * The region of a cell is not stored. If its sector has only one region, it is that one;
//!   otherwise the sector is labelled again ([`labels`]), which looks at each of its runs of free
//!   cells, at most half as many as it has cells.
//! * The papers take the mean and, if that is a wall, some open cell next to it, which may lie in
//!   another region. Here it is the nearest cell *of the region*.
//! * Regions that touch only at a corner of their sectors are neighbours if the movement rule
//!   permits that diagonal step. Under every rule but the squeezing one, two cells of a sector
//!   joined by a diagonal step are also joined by straight steps inside it, so regions are
//!   4-connected; under that one they are 8-connected.
//!
//! Apart from the numbers of regions, everything here depends only on the cells and never on the
//! order of edits: lists are ordered by sector and by a region's first cell in it. After an edit
//! the sectors it touches are labelled again and their borders looked at.

mod area_search;
mod doors;
mod file;
mod labels;
mod layers;
mod layout;
mod lists;
mod onward;
mod repair;
mod space;
#[cfg(test)]
mod tests;
mod tuned;

use crate::grid::bits::Bits;
use crate::registry::parameters;
use crate::rules::moves::{Direction, step_table};
use crate::{Diagonal, Error, Grid, Moves, Parameter, PlannerSpec};
pub(crate) use area_search::{AreaMemory, AreaSearch, Found};
pub(crate) use file::{describe, maker, parameters, read_parameters};
use labels::Mean;
pub(crate) use labels::{Area, Labels};
pub(crate) use layout::Layout;
pub(crate) use lists::Lists;
pub(crate) use repair::Repair;
pub(crate) use space::{RegionSpace, between};

parameters! {
    pub(crate) SECTOR = "sector", "4-256|WxH", "16",
        "the cells along the side of a sector, or its width and height";
    pub(crate) CENTRE = "centre", "mean|tuned", "mean",
        "which cell stands for a region: next to the mean, or easy to get to from its neighbours";
}

/// The size of a sector and how centres are chosen.
pub(crate) fn chosen(spec: &PlannerSpec) -> ((u32, u32), Centre) {
    let centre = match spec.word(CENTRE.name) {
        "tuned" => Centre::Tuned,
        _ => Centre::Mean,
    };
    (spec.sides(SECTOR.name), centre)
}

/// The same, as far as they are given: a file decides the rest.
pub(crate) fn wanted(spec: &PlannerSpec) -> (Option<(u32, u32)>, Option<Centre>) {
    let (side, centre) = chosen(spec);
    let given = |parameter: Parameter| spec.given(parameter.name).is_some();
    (given(SECTOR).then_some(side), given(CENTRE).then_some(centre))
}

/// No region.
pub(crate) const NONE: u32 = u32::MAX;

/// The costs of a straight and a diagonal step at this level: coarser than elsewhere (577/408 is √2
/// to within 2 parts in a million), so that a way winding through all cells of the largest sectors
/// fits into 32 bits.
pub(crate) fn units(moves: Moves) -> (u32, u32) {
    match moves.diagonal() {
        Diagonal::Sqrt2 => (408, 577),
        Diagonal::OnePointFour => (5, 7),
    }
}

/// How the cell that stands for a region is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Centre {
    /// The cell nearest to the mean.
    #[default]
    Mean,
    /// The same, unless searches from there to the neighbours' centres and back expand much that is
    /// off the way: then the cell of the region for which they expand the least.
    Tuned,
}

impl Centre {
    /// Its name in the registry and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Tuned => "tuned",
        }
    }
}

/// The regions of a sector: their numbers follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    first: u32,
    count: u32,
}

/// The regions of a map and which of them are neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Sectors {
    pub layout: Layout,
    moves: Moves,
    centre: Centre,
    spans: Vec<Span>,
    /// The node of each region's centre; [`NONE`] for numbers that are not in use.
    centres: Vec<u32>,
    /// How many numbers are in use.
    live: usize,
    /// The neighbours of each region, by sector and number.
    neighbours: Lists,
    /// How many cells were labelled to find the regions: each free cell once.
    #[cfg(test)]
    labelled: u64,
    repair: Repair,
}

impl Sectors {
    /// The largest side of a sector.
    pub const MAX_SIDE: u32 = 256;

    /// The smallest side of a sector.
    pub const MIN_SIDE: u32 = 4;

    pub fn new(grid: &Grid, moves: Moves, side: (u32, u32), centre: Centre) -> Self {
        let layout = Layout::new(grid, side);
        let mut sectors = Self {
            layout,
            moves,
            centre,
            spans: vec![Span::default(); layout.sectors() as usize],
            centres: Vec::new(),
            live: 0,
            neighbours: Lists::default(),
            #[cfg(test)]
            labelled: 0,
            repair: Repair::default(),
        };
        let reach = sectors.corner_reach();
        let mut labels = Vec::with_capacity(layout.sectors() as usize);
        let mut means = Vec::new();
        for sector in 0..layout.sectors() {
            let mut of = Labels::default();
            of.label(grid.rows(), layout.area(sector), reach);
            of.means(&mut means);
            let first = sectors.centres.len() as u32;
            sectors.spans[sector as usize] = Span { first, count: of.regions };
            let node = |mean: &Mean| grid.rows().position(mean.cell.0, mean.cell.1);
            sectors.centres.extend(means.iter().map(node));
            #[cfg(test)]
            {
                sectors.labelled += of.cells;
            }
            labels.push(of);
        }
        sectors.centres.shrink_to(sectors.centres.len() + sectors.centres.len() / 16 + 16);
        sectors.live = sectors.centres.len();
        sectors.link_all(grid, &labels);
        if centre == Centre::Tuned {
            tuned::tune_all(&mut sectors, grid);
        }
        sectors
    }

    /// Fills the lists of neighbours of a new map.
    fn link_all(&mut self, grid: &Grid, labels: &[Labels]) {
        let mut links = Vec::new();
        let mut pairs = Vec::new();
        for sector in 0..self.layout.sectors() {
            for other in self.layout.around(sector, 1).filter(|&other| other > sector) {
                if self.count(sector) == 0 || self.count(other) == 0 {
                    continue;
                }
                pairs.clear();
                let (a, b) = (&labels[sector as usize], &labels[other as usize]);
                self.scan(grid, (sector, a), (other, b), &mut pairs);
                for &(a, b) in &pairs {
                    links.extend([(a, b), (b, a)]);
                }
            }
        }
        // Numbers are still in the order of sectors.
        links.sort_unstable();
        self.neighbours = Lists::new(self.centres.len());
        let mut list = Vec::new();
        for chunk in links.chunk_by(|a, b| a.0 == b.0) {
            list.clear();
            list.extend(chunk.iter().map(|link| link.1));
            self.neighbours.set(chunk[0].0, &list);
        }
        self.neighbours.trim();
    }

    /// Finds the pairs of regions of two adjoining sectors that a step leads between.
    fn scan(
        &self,
        grid: &Grid,
        (sector, here): (u32, &Labels),
        (other, there): (u32, &Labels),
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let (rows, steps) = (grid.rows(), step_table(self.moves.rule()));
        let (area, beyond) = (self.layout.area(sector), self.layout.area(other));
        // The cells of this sector that are next to the other one.
        let columns = near(area.left, area.right, beyond.left, beyond.right);
        let first = pairs.len();
        for y in near(area.top, area.bottom, beyond.top, beyond.bottom) {
            for x in columns.clone() {
                let node = rows.position(x, y);
                if !rows.get(node) {
                    continue;
                }
                let legal = steps[rows.around(node)];
                for d in (0..8).filter(|d| legal >> d & 1 != 0) {
                    let to_x = x.wrapping_add_signed(Direction::DX[d]);
                    let to_y = y.wrapping_add_signed(Direction::DY[d]);
                    if !beyond.contains(to_x, to_y) {
                        continue;
                    }
                    let number = |sector: u32, labels: &Labels, x: u32, y: u32| {
                        let Span { first, count } = self.spans[sector as usize];
                        if count == 1 { first } else { first + labels.region(x, y) }
                    };
                    let pair = (number(sector, here, x, y), number(other, there, to_x, to_y));
                    if pairs.last() != Some(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        pairs[first..].sort_unstable();
        let mut kept = first;
        for i in first..pairs.len() {
            if i == first || pairs[i] != pairs[i - 1] {
                pairs[kept] = pairs[i];
                kept += 1;
            }
        }
        pairs.truncate(kept);
    }

    fn corner_reach(&self) -> u32 {
        u32::from(self.moves.rule().squeezes())
    }

    /// How many regions a sector has.
    #[inline]
    pub fn count(&self, sector: u32) -> u32 {
        self.spans[sector as usize].count
    }

    /// The regions of a sector.
    pub fn regions(&self, sector: u32) -> std::ops::Range<u32> {
        let Span { first, count } = self.spans[sector as usize];
        first..first + count
    }

    /// One more than the largest number of a region.
    pub fn numbers(&self) -> usize {
        self.centres.len()
    }

    /// How many regions there are.
    pub fn live(&self) -> usize {
        self.live
    }

    /// How many cells were labelled to find the regions.
    #[cfg(test)]
    pub fn labelled(&self) -> u64 {
        self.labelled
    }

    /// All regions, by sector.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().flat_map(|span| span.first..span.first + span.count)
    }

    /// The node that stands for a region.
    #[inline]
    pub fn centre(&self, region: u32) -> u32 {
        self.centres[region as usize]
    }

    pub fn set_centre(&mut self, region: u32, node: u32) {
        self.centres[region as usize] = node;
    }

    /// The sector of a region in use.
    #[inline]
    pub fn sector(&self, bits: &Bits, region: u32) -> u32 {
        let (x, y) = bits.coordinates(self.centre(region));
        self.layout.sector(x, y)
    }

    #[inline]
    pub fn neighbours(&self, region: u32) -> &[u32] {
        self.neighbours.get(region)
    }

    /// The region of a free cell. If its sector has several, it is labelled, and the number of its
    /// runs is added to `work`.
    pub fn region(&self, grid: &Grid, x: u32, y: u32, labels: &mut Labels, work: &mut u64) -> u32 {
        let sector = self.layout.sector(x, y);
        let Span { first, count } = self.spans[sector as usize];
        if count == 1 {
            return first;
        }
        labels.label(grid.rows(), self.layout.area(sector), self.corner_reach());
        *work += labels.runs.len() as u64;
        first + labels.region(x, y)
    }

    /// The changes of the last update.
    pub fn repair(&self) -> &Repair {
        &self.repair
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let (places, lists) = self.neighbours.bytes();
        self.spans.capacity() * size_of::<Span>() + self.centres.capacity() * 4 + places + lists
    }

    /// The error for a side that a sector cannot have.
    pub fn check_side(side: (u32, u32)) -> Result<(), Error> {
        for side in [side.0, side.1] {
            if !(Self::MIN_SIDE..=Self::MAX_SIDE).contains(&side) {
                let range = "a whole number from 4 to 256";
                return Err(Error::Range {
                    what: "the side of a sector",
                    value: side.into(),
                    range,
                });
            }
        }
        Ok(())
    }
}

/// The rows or columns from `low` to `high` that are next to others, or all if they are the same.
fn near(low: u32, high: u32, other_low: u32, other_high: u32) -> std::ops::Range<u32> {
    if other_low == high {
        high - 1..high
    } else if other_high == low {
        low..low + 1
    } else {
        low..high
    }
}
