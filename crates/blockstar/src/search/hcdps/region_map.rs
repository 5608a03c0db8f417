//! Which region a cell belongs to, compressed: runs of cells of the same region along the rows of the
//! map. Blocked cells have no region, so a run goes on across them.

use super::regions::{NONE, Regions};
use crate::{Cell, Grid};

/// Runs of one row after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RegionMap {
    /// The first run of each row.
    pub starts: Vec<u32>,
    /// The column where a run begins, and the region in the lower half.
    pub runs: Vec<u32>,
}

impl RegionMap {
    /// The regions, of which there must be less than 2^16.
    pub fn new(grid: &Grid, regions: &Regions) -> Self {
        let mut map = Self { starts: vec![0], runs: Vec::new() };
        for y in 0..grid.height() {
            let mut last = NONE;
            for x in 0..grid.width() {
                let region = regions.of[grid.rows().position(x, y) as usize];
                if region != NONE && region != last {
                    // What comes before the first free cell belongs to its run.
                    let begin = if last == NONE { 0 } else { x };
                    map.runs.push(begin << 16 | region);
                    last = region;
                }
            }
            map.starts.push(map.runs.len() as u32);
        }
        map.runs.shrink_to_fit();
        map
    }

    /// The region of a free cell.
    #[inline]
    pub fn region(&self, cell: Cell) -> u32 {
        let y = cell.y as usize;
        let row = &self.runs[self.starts[y] as usize..self.starts[y + 1] as usize];
        let after = row.partition_point(|run| run >> 16 <= cell.x);
        row[after - 1] & 0xffff
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
