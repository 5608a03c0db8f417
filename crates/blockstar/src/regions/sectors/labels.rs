//! The regions of one sector: its runs of free cells, joined where they touch.
//!
//! The papers flood a sector cell by cell. A run, a maximal row of free cells, is found in a few
//! instructions (64 cells are one word) and costs no more than a single cell would; a sector has at
//! most half as many runs as cells. Each cell lies in one run, and each run is looked at once.
//!
//! Regions are numbered by their first run, row by row, so the numbers depend only on the cells.

use crate::grid::bits::{Bits, ones, runs};

/// A rectangle of cells: its first column and row, and those just past its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

impl Area {
    #[inline]
    pub fn contains(&self, x: u32, y: u32) -> bool {
        x.wrapping_sub(self.left) < self.right - self.left
            && y.wrapping_sub(self.top) < self.bottom - self.top
    }

    /// The area without its outermost cells.
    pub fn inner(self) -> Self {
        let Self { left, top, right, bottom } = self;
        let (left, top) = (left + 1, top + 1);
        Self { left, top, right: (right - 1).max(left), bottom: (bottom - 1).max(top) }
    }
}

/// A maximal row of free cells in the sector, by its first and last column on the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub first: u32,
    pub last: u32,
    pub row: u32,
    /// While labelling, the number of an earlier run of the same region or its own; then the
    /// region.
    pub region: u32,
}

/// The regions of one sector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(super) runs: Vec<Run>,
    /// Where the runs of each row start, and where those of the last row end.
    rows: Vec<u32>,
    top: u32,
    /// The number of regions.
    pub regions: u32,
    /// The number of cells looked at.
    #[cfg(test)]
    pub cells: u64,
}

impl Labels {
    /// Labels the cells of an area. `reach` is 1 if cells that touch at a corner belong together,
    /// otherwise 0.
    pub fn label(&mut self, bits: &Bits, area: Area, reach: u32) {
        self.runs.clear();
        self.rows.clear();
        self.top = area.top;
        #[cfg(test)]
        {
            self.cells = 0;
        }
        let mut above = 0;
        for y in area.top..area.bottom {
            let start = self.runs.len();
            self.rows.push(start as u32);
            self.find_runs(bits, area, y);
            self.join(above, start, reach);
            above = start;
        }
        self.rows.push(self.runs.len() as u32);
        // Every run points to an earlier one of its region or is the first.
        self.regions = 0;
        for i in 0..self.runs.len() {
            let root = self.runs[i].region as usize;
            self.runs[i].region = if root == i {
                self.regions += 1;
                self.regions - 1
            } else {
                self.runs[root].region
            };
        }
    }

    /// Appends the runs of a row.
    fn find_runs(&mut self, bits: &Bits, area: Area, y: u32) {
        let start = self.runs.len();
        for x in (area.left..area.right).step_by(64) {
            let word = bits.from(bits.position(x, y)) & ones((area.right - x).min(64));
            for (first, last) in runs(word) {
                #[cfg(test)]
                {
                    self.cells += u64::from(last - first + 1);
                }
                // A run may go on from the word before.
                match self.runs[start..].last_mut() {
                    Some(run) if run.last + 1 == x + first => run.last = x + last,
                    _ => {
                        let region = self.runs.len() as u32;
                        self.runs.push(Run { first: x + first, last: x + last, row: y, region });
                    }
                }
            }
        }
    }

    /// Joins the runs from `start` on with those of the row above, which begin at `above`.
    fn join(&mut self, above: usize, start: usize, reach: u32) {
        let mut from = above;
        for i in start..self.runs.len() {
            let Run { first, last, .. } = self.runs[i];
            while from < start && self.runs[from].last + reach < first {
                from += 1;
            }
            let mut other = from;
            while other < start && self.runs[other].first <= last + reach {
                self.unite(other as u32, i as u32);
                other += 1;
            }
        }
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The earlier one is the root: it is the first run of the region.
        self.runs[a.max(b) as usize].region = a.min(b);
    }

    fn root(&mut self, mut run: u32) -> u32 {
        while self.runs[run as usize].region != run {
            let next = self.runs[run as usize].region;
            self.runs[run as usize].region = self.runs[next as usize].region;
            run = next;
        }
        run
    }

    pub fn bytes(&self) -> usize {
        self.runs.capacity() * size_of::<Run>() + self.rows.capacity() * 4
    }

    /// The region of a free cell of the area.
    pub fn region(&self, x: u32, y: u32) -> u32 {
        let row = (y - self.top) as usize;
        let runs = &self.runs[self.rows[row] as usize..self.rows[row + 1] as usize];
        runs[runs.partition_point(|run| run.last < x)].region
    }
}

/// The mean of a region's cells, and the cell nearest to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    count: i64,
    sum: (i64, i64),
    /// The square of the distance from the cell to the mean, times the square of the count.
    least: i64,
    pub cell: (u32, u32),
}

impl Labels {
    /// Finds for each region the cell nearest to the mean of its cells; of equally near ones the
    /// topmost, of these the leftmost.
    pub(super) fn means(&self, means: &mut Vec<Mean>) {
        means.clear();
        means.resize(self.regions as usize, Mean { least: i64::MAX, ..Mean::default() });
        for run in &self.runs {
            let mean = &mut means[run.region as usize];
            let (first, last) = (i64::from(run.first), i64::from(run.last));
            let count = last - first + 1;
            mean.count += count;
            mean.sum.0 += (first + last) * count / 2;
            mean.sum.1 += i64::from(run.row) * count;
        }
        for run in &self.runs {
            let mean = &mut means[run.region as usize];
            let below = mean.sum.0 / mean.count;
            let dy = i64::from(run.row) * mean.count - mean.sum.1;
            for x in [below, below + 1] {
                let x = x.clamp(run.first.into(), run.last.into());
                let dx = x * mean.count - mean.sum.0;
                let distance = dx * dx + dy * dy;
                if distance < mean.least {
                    (mean.least, mean.cell) = (distance, (x as u32, run.row));
                }
            }
        }
    }
}
