//! The database as bytes.
//!
//! The payload is the number of cells, the number of runs in each row, and the runs, each a number.
//! The runs, nearly all of it, are not copied when a database is opened: they are read where they
//! are, in a memory map for instance.
//!
//! After edits the database is still that of the map it was built for, and a bit of the parameters
//! says that the payload begins with the edits: the number of cells and the cells, x and y in the
//! halves of a number, by row and column. The header has the hash of the edited map.

use super::order::Order;
use super::rows::{Rows, Shared};
use super::{Cpd, CpdPlanner, ROW, refuse_others};
use crate::db::parameters::{MOVES_BITS, memory_code, moves_code, read_memory};
use crate::db::{self, DatabaseKind, HEADER, IntactFile, Label, SharedBytes, take_u32};
use crate::engine::Changes;
use crate::engine::flood::Ground;
use crate::{Cell, Error, Grid, Moves, Tile};

/// The bit of a database's parameters that says that edits come first.
const EDITED: u64 = 1 << 63;

impl Cpd {
    pub(super) fn to_bytes(&self, moves: Moves, map: u64) -> Vec<u8> {
        let (starts, runs, edited) = (self.rows.starts(), self.rows.as_bytes(), self.edits.cells());
        let mut payload = Vec::with_capacity((starts.len() + edited.len() + 1) * 4 + runs.len());
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        let mut label = label(map, moves, self.memory);
        if !edited.is_empty() {
            label.parameters |= EDITED;
            add(edited.len() as u32);
            edited.iter().for_each(|cell| add(cell.y << 16 | cell.x));
        }
        add(self.order.cells.len() as u32);
        starts.windows(2).for_each(|pair| add(pair[1] - pair[0]));
        payload.extend_from_slice(runs);
        db::seal(label, &payload)
    }
}

impl CpdPlanner {
    /// Opens a database that was saved for the same map and movement rule, with the memory limit it
    /// was made with. Everything else is refused: other files, damaged or truncated files, files of
    /// another version, map or rule. Even with a forged file every path is legal, but it may not be
    /// a shortest one.
    pub fn open(bytes: &SharedBytes, grid: &Grid, moves: Moves) -> Result<Self, Error> {
        refuse_others(grid, moves)?;
        let kind = DatabaseKind::PathDatabase;
        let IntactFile { parameters, mut payload, .. } =
            IntactFile::for_map(bytes.as_ref(), kind, grid.content_hash(), moves)?;
        let refuse = || kind.refuse("its moves make no sense for this map: build it again");
        let base = match parameters & EDITED {
            0 => None,
            _ => Some(read_base(&mut payload, grid).ok_or_else(refuse)?),
        };
        let made_for = base.as_ref().unwrap_or(grid);
        let (ground, order) = (Ground::new(made_for, moves), Order::new(made_for));
        let before = bytes.as_ref().len() - HEADER - payload.len();
        let rows = read_starts(payload, &order).and_then(|starts| {
            let from = HEADER + before + 4 * starts.len();
            Rows::from_parts(starts, Shared { bytes: bytes.clone(), from }, &ground, &order)
        });
        let memory = read_memory(parameters >> MOVES_BITS);
        let mut method = Cpd::new(made_for, &ground, order, rows.ok_or_else(refuse)?, memory);
        if base.is_some() {
            method.edits.update(grid, &Changes::new(grid, None));
        }
        Ok(Self::opened(method, grid, moves, kind))
    }

    /// The same with another memory limit for [rebuilding](crate::PathDatabase::rebuild) it.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.method_mut().memory = bytes;
        self
    }
}

/// What identifies the database of a map and a rule.
pub(super) fn label(content: u64, moves: Moves, memory: usize) -> Label {
    let parameters = moves_code(moves) | memory_code(memory) << MOVES_BITS;
    Label { kind: DatabaseKind::PathDatabase, parameters, grid: content }
}

/// The planner that makes a database with these parameters, if it was not edited.
pub(crate) fn maker(parameters: u64) -> Option<String> {
    let memory = (read_memory(parameters >> MOVES_BITS) >> 20).min(1 << 20);
    (parameters & EDITED == 0).then(|| format!("{}:memory={memory}", ROW.name))
}

/// The map that a database was built for, from a map and the cells at the front of the payload that
/// differ.
fn read_base(payload: &mut &[u8], grid: &Grid) -> Option<Grid> {
    let count = take_u32(payload)? as usize;
    // Checked before anything is copied.
    let (cells, rest) = payload.split_at_checked(count.checked_mul(4)?)?;
    *payload = rest;
    let (cells, _) = cells.as_chunks();
    let ascending = |a: &[u8; 4], b: &[u8; 4]| u32::from_le_bytes(*a) < u32::from_le_bytes(*b);
    if count == 0 || !cells.is_sorted_by(ascending) {
        return None;
    }
    let mut base = grid.clone();
    for number in cells.iter().map(|cell| u32::from_le_bytes(*cell)) {
        let cell = Cell::new(number & 0xffff, number >> 16);
        let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
        base.set(cell, tile).ok()?;
    }
    Some(base)
}

/// Where the rows of a payload begin, if it has rows for these cells and all their runs.
fn read_starts(mut payload: &[u8], order: &Order) -> Option<Vec<u32>> {
    let count = take_u32(&mut payload)? as usize;
    // Checked before anything is allocated.
    if count != order.cells.len() || payload.len() < 4 * count || !payload.len().is_multiple_of(4) {
        return None;
    }
    let mut starts = Vec::with_capacity(count + 1);
    let mut start = 0u32;
    starts.push(start);
    for _ in 0..count {
        start = start.checked_add(take_u32(&mut payload)?)?;
        starts.push(start);
    }
    (payload.len() == 4 * start as usize).then_some(starts)
}
