//! The region of each cell, compressed: runs of cells of the same region along the rows of the map.
//! Blocked cells have no region, so runs go on across them.

use super::regions::{NONE, Regions};
use crate::{Cell, Grid};
use std::ops::Range;

/// Runs of one row after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RegionMap {
    /// The first run of each row.
    pub starts: Vec<u32>,
    /// The column where a run begins, and the region in the lower half.
    pub runs: Vec<u32>,
}

impl RegionMap {
    /// The map of fewer than 2^16 regions.
    pub fn new(grid: &Grid, regions: &Regions) -> Self {
        let mut map = Self { starts: vec![0], runs: Vec::new() };
        for y in 0..grid.height() {
            let first = map.runs.len();
            for x in 0..grid.width() {
                let region = regions.of[grid.rows().position(x, y) as usize];
                if region != NONE {
                    map.push(first, x, region);
                }
            }
            map.starts.push(map.runs.len() as u32);
        }
        map.runs.shrink_to_fit();
        map
    }

    /// Goes on with a row at a column where a region begins; `first` is the row's first run.
    fn push(&mut self, first: usize, x: u32, region: u32) {
        if self.runs.len() == first {
            // The run of the first free cell begins at the edge of the map.
            self.runs.push(region);
        } else if self.runs.last().is_some_and(|run| run & 0xffff != region) {
            self.runs.push(x << 16 | region);
        }
    }

    fn row(&self, y: u32) -> &[u32] {
        let y = y as usize;
        &self.runs[self.starts[y] as usize..self.starts[y + 1] as usize]
    }

    /// The region of a free cell.
    #[inline]
    pub fn region(&self, cell: Cell) -> u32 {
        let row = self.row(cell.y);
        let after = row.partition_point(|run| run >> 16 <= cell.x);
        row[after - 1] & 0xffff
    }

    /// The region of the run that a cell lies in: the cell's own if it is free.
    pub fn get(&self, cell: Cell) -> Option<u32> {
        let row = self.row(cell.y);
        let after = row.partition_point(|run| run >> 16 <= cell.x);
        after.checked_sub(1).map(|run| row[run] & 0xffff)
    }

    /// The columns of a row, among those given, that lie in runs of a region.
    pub fn columns(
        &self,
        y: u32,
        among: Range<u32>,
        region: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        let row = self.row(y);
        let first = row.partition_point(|run| run >> 16 <= among.start).saturating_sub(1);
        let runs = (first..row.len()).take_while({
            let end = among.end;
            move |&run| row[run] >> 16 < end
        });
        runs.filter(move |&run| row[run] & 0xffff == region).flat_map(move |run| {
            let end = row.get(run + 1).map_or(among.end, |next| among.end.min(next >> 16));
            (row[run] >> 16).max(among.start)..end
        })
    }

    /// Gives cells other regions: `changes` are free cells with their regions, by row and column.
    pub fn change(&mut self, grid: &Grid, changes: &[(Cell, u32)]) {
        let old = std::mem::take(self);
        self.runs.reserve(old.runs.len() + changes.len());
        self.starts.push(0);
        let mut changes = changes;
        for y in 0..grid.height() {
            let here = changes.iter().take_while(|change| change.0.y == y).count();
            let (row, rest) = changes.split_at(here);
            changes = rest;
            self.change_row(grid, &old, y, row);
            self.starts.push(self.runs.len() as u32);
        }
    }

    fn change_row(&mut self, grid: &Grid, old: &Self, y: u32, changes: &[(Cell, u32)]) {
        let (row, first) = (old.row(y), self.runs.len());
        if changes.is_empty() {
            self.runs.extend_from_slice(row);
            return;
        }
        // From run to run; where cells change, from cell to cell.
        let mut changes = changes;
        let mut known = row.iter().map(|run| (run >> 16, run & 0xffff)).peekable();
        let mut region = NONE;
        let mut x = 0;
        while x < grid.width() {
            while let Some(run) = known.next_if(|run| run.0 <= x) {
                region = run.1;
            }
            if let [(cell, wanted), rest @ ..] = changes
                && cell.x == x
            {
                self.push(first, x, *wanted);
                (x, changes) = (x + 1, rest);
                continue;
            }
            // The cell that begins a stretch may be blocked, which does no harm.
            if region != NONE && (self.runs.len() > first || grid.is_free(Cell::new(x, y))) {
                self.push(first, x, region);
            }
            let next = changes.first().map_or(grid.width(), |change| change.0.x);
            let step = known.peek().map_or(next, |run| next.min(run.0));
            // The first free cell of a row is looked for cell by cell.
            x = if self.runs.len() == first { x + 1 } else { step };
        }
    }

    /// The same with other numbers for the regions; those without one are gone.
    pub fn renumbered(&self, numbers: &[Option<u32>]) -> Self {
        let mut map = Self { starts: vec![0], runs: Vec::new() };
        for y in 0..self.starts.len() as u32 - 1 {
            let first = map.runs.len();
            for run in self.row(y) {
                if let Some(region) = numbers[(run & 0xffff) as usize] {
                    map.push(first, run >> 16, region);
                }
            }
            map.starts.push(map.runs.len() as u32);
        }
        map
    }

    /// Whether every free cell of a map has one of `count` regions.
    pub fn is_sound(&self, grid: &Grid, count: u32) -> bool {
        let rows = grid.height() as usize;
        self.starts.len() == rows + 1
            && self.starts[0] == 0
            && self.starts.is_sorted()
            && self.starts[rows] as usize == self.runs.len()
            && self.runs.iter().all(|run| run & 0xffff < count)
            && (0..rows).all(|y| {
                let row = &self.runs[self.starts[y] as usize..self.starts[y + 1] as usize];
                let empty = || grid.rows().count(0, y as u32, grid.width()) == 0;
                row.windows(2).all(|pair| pair[0] >> 16 < pair[1] >> 16)
                    && row.first().map_or_else(empty, |run| run >> 16 == 0)
            })
    }

    pub fn bytes(&self) -> usize {
        (self.starts.len() + self.runs.len()) * 4
    }
}
