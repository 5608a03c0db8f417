//! A sector: 64x64 cells, of which some may lie off the map and are blocked.
//!
//! Each row is one word, and its runs of free cells are joined with those of the next row into
//! regions. The regions from which other sectors can be reached are numbered first, in an order that
//! depends on nothing but the border cells and which of them are connected inside.

use super::forest::Forest;
use super::node::Sides;
use super::{SIDE, bytes};
use crate::Grid;
use crate::grid::bits::{ones, runs};

#[derive(Clone, Debug)]
pub(super) struct Sector {
    pub runs: Vec<Run>,
    /// Where each row's runs start.
    pub rows: [u16; SIDE + 1],
    /// Numbers from here on are unused.
    pub regions: u16,
}

/// A maximal row of free cells in a sector, by its first and last column there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub first: u8,
    pub last: u8,
    pub region: u16,
}

impl Sector {
    pub fn blocked() -> Self {
        Self { runs: Vec::new(), rows: [0; SIDE + 1], regions: 0 }
    }

    #[inline]
    pub fn row(&self, y: usize) -> &[Run] {
        &self.runs[usize::from(self.rows[y])..usize::from(self.rows[y + 1])]
    }

    /// The region of a cell, none if it is blocked.
    #[inline]
    pub fn region(&self, x: u8, y: u8) -> Option<u16> {
        let run = self.row(y.into()).iter().find(|run| run.last >= x)?;
        (run.first <= x).then_some(run.region)
    }

    /// The run that starts at the west border.
    pub fn at_west(&self, y: usize) -> Option<&Run> {
        self.row(y).first().filter(|run| run.first == 0)
    }

    /// The run that ends at the east border.
    pub fn at_east(&self, y: usize) -> Option<&Run> {
        self.row(y).last().filter(|run| usize::from(run.last) == SIDE - 1)
    }
}

/// Calls `found` with the indices of all runs of a row that touch runs of the row below it.
pub(super) fn touching(
    above: &[Run],
    below: &[Run],
    reach: u8,
    mut found: impl FnMut(usize, usize),
) {
    let (mut a, mut b) = (0, 0);
    while a < above.len() && b < below.len() {
        let (high, low) = (above[a], below[b]);
        if high.first <= low.last + reach && low.first <= high.last + reach {
            found(a, b);
        }
        // The run that ends first can touch no more runs: there is a gap after the other one.
        let next = high.last < low.last;
        a += usize::from(next);
        b += usize::from(!next);
    }
}

/// Turns cells into runs and regions, in buffers that are reused for the next sector.
#[derive(Clone, Debug, Default)]
pub(super) struct Labeller {
    runs: Vec<Run>,
    forest: Forest,
    /// The region of each root of the forest, if it has one yet.
    regions: Vec<Option<u16>>,
    sides: Vec<Sides>,
}

impl Labeller {
    /// Labels the sector whose top left cell is (`left`, `top`). Returns the sides that each of the
    /// regions touches which come first: those that touch one of the sides in `open`. At most every
    /// second one of the 252 border cells is a region of its own.
    pub fn label(
        &mut self,
        sector: &mut Sector,
        grid: &Grid,
        (left, top): (u32, u32),
        open: Sides,
        reach: u8,
    ) -> &[Sides] {
        let bits = grid.rows();
        let columns = ones((grid.width() - left).min(SIDE as u32));
        let height = ((grid.height() - top) as usize).min(SIDE);
        self.runs.clear();
        for y in 0..height {
            sector.rows[y] = self.runs.len() as u16;
            for (first, last) in runs(bits.from(bits.position(left, top + y as u32)) & columns) {
                self.runs.push(Run { first: first as u8, last: last as u8, region: 0 });
            }
        }
        sector.rows[height..].fill(self.runs.len() as u16);

        self.forest.reset(self.runs.len() as u32);
        for y in 1..height {
            let [start, middle, end] = [y - 1, y, y + 1].map(|y| usize::from(sector.rows[y]));
            let (above, below) = (&self.runs[start..middle], &self.runs[middle..end]);
            touching(above, below, reach, |a, b| {
                self.forest.join((start + a) as u32, (middle + b) as u32);
            });
        }
        self.forest.flatten();
        sector.regions = self.number(&sector.rows, open);
        sector.runs.clear();
        sector.runs.extend_from_slice(&self.runs);
        &self.sides
    }

    /// Numbers the regions, those at open sides first, and returns how many there are.
    fn number(&mut self, rows: &[u16; SIDE + 1], open: Sides) -> u16 {
        self.regions.clear();
        self.regions.resize(self.runs.len(), None);
        self.sides.clear();
        let mut count = 0;
        let mut number = |region: &mut Option<u16>| {
            *region.get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        };
        let (top, bottom) = (usize::from(rows[1]), usize::from(rows[SIDE - 1]));
        for (i, run) in self.runs.iter().enumerate() {
            let (west, east) = (run.first == 0, usize::from(run.last) == SIDE - 1);
            if top <= i && i < bottom && !west && !east {
                continue;
            }
            let sides = Sides::NORTH.only_if(i < top)
                | Sides::SOUTH.only_if(i >= bottom)
                | Sides::WEST.only_if(west)
                | Sides::EAST.only_if(east);
            let touched = sides & open;
            if touched != Sides::NONE {
                let root = self.forest.parents()[i] as usize;
                let region = usize::from(number(&mut self.regions[root]));
                if region == self.sides.len() {
                    self.sides.push(Sides::NONE);
                }
                self.sides[region] |= touched;
            }
        }
        for (i, run) in self.runs.iter_mut().enumerate() {
            run.region = number(&mut self.regions[self.forest.parents()[i] as usize]);
        }
        count
    }

    pub fn bytes(&self) -> usize {
        bytes(&self.runs) + self.forest.bytes() + bytes(&self.regions) + bytes(&self.sides)
    }
}
