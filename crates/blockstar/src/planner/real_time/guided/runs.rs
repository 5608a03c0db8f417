//! A number for each free cell of a map, as runs along its rows.
//!
//! Neighbouring cells mostly have the same number. The number of a blocked cell is never needed, so
//! blocked cells belong to the run before them.

use crate::Grid;
use crate::db::take_u32;

/// The numbers of cells, run by run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CellRuns {
    /// The first run of each row, and where the last row ends.
    rows: Vec<u32>,
    /// The column where each run starts.
    columns: Vec<u16>,
    values: Vec<u32>,
}

impl CellRuns {
    /// The numbers that `value` gives to the nodes of free cells.
    pub fn new(grid: &Grid, value: impl Fn(u32) -> u32) -> Self {
        let mut runs = Self::default();
        for y in 0..grid.height() {
            let first = runs.values.len();
            runs.rows.push(first as u32);
            for x in 0..grid.width() {
                let node = grid.rows().position(x, y);
                if !grid.rows().get(node) {
                    continue;
                }
                let value = value(node);
                if runs.values.len() == first || runs.values.last() != Some(&value) {
                    runs.columns.push(x as u16);
                    runs.values.push(value);
                }
            }
        }
        runs.rows.push(runs.values.len() as u32);
        runs
    }

    /// The number of the cell (`x`, `y`), if its row has runs up to there.
    pub fn get(&self, x: u32, y: u32) -> Option<u32> {
        let (from, to) = (*self.rows.get(y as usize)?, *self.rows.get(y as usize + 1)?);
        let row = self.columns.get(from as usize..to as usize)?;
        let run = row.partition_point(|&column| u32::from(column) <= x).checked_sub(1)?;
        self.values.get(from as usize + run).copied()
    }

    pub fn values(&self) -> &[u32] {
        &self.values
    }

    pub fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.columns.capacity() * 2 + self.values.capacity() * 4
    }

    /// Appends the runs to a payload.
    pub fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&(self.values.len() as u32).to_le_bytes());
        for pair in self.rows.windows(2) {
            payload.extend_from_slice(&(pair[1] - pair[0]).to_le_bytes());
        }
        self.columns.iter().for_each(|column| payload.extend_from_slice(&column.to_le_bytes()));
        self.values.iter().for_each(|value| payload.extend_from_slice(&value.to_le_bytes()));
    }

    /// Reads runs for a map of this height.
    pub fn read(payload: &mut &[u8], height: u32) -> Option<Self> {
        let count = take_u32(payload)? as usize;
        let needed = (height as usize).checked_mul(4)?.checked_add(count.checked_mul(6)?)?;
        // Nothing is allocated before this holds.
        if payload.len() < needed {
            return None;
        }
        let mut rows = Vec::with_capacity(height as usize + 1);
        let mut end = 0u32;
        rows.push(end);
        for _ in 0..height {
            end = end.checked_add(take_u32(payload)?)?;
            rows.push(end);
        }
        if end as usize != count {
            return None;
        }
        let (columns, rest) = payload.split_at_checked(2 * count)?;
        let (values, rest) = rest.split_at_checked(4 * count)?;
        *payload = rest;
        let columns = columns.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        let values = values.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        Some(Self { rows, columns: columns.collect(), values: values.collect() })
    }
}
