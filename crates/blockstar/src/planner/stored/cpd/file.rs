//! The database as bytes.
//!
//! The payload is the number of cells, the number of runs in each row, and the runs, each a number.
//! The runs, nearly all of it, are not copied when a database is opened: they are read where they
//! are, in a memory map for instance.

use super::order::Order;
use super::rows::{Rows, Shared};
use super::{Cpd, PathDatabase, ROW, refuse_others};
use crate::db::parameters::{MOVES_BITS, check_moves, memory_code, moves_code, read_memory};
use crate::db::{self, HEADER, Kind, Label, Whole};
use crate::engine::flood::Ground;
use crate::{Error, Grid, Moves, Planner};
use std::sync::Arc;

impl Cpd {
    pub(super) fn to_bytes(&self, moves: Moves) -> Vec<u8> {
        let (starts, runs) = (self.rows.starts(), self.rows.as_bytes());
        let mut payload = Vec::with_capacity(starts.len() * 4 + runs.len());
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(self.order.cells.len() as u32);
        starts.windows(2).for_each(|pair| add(pair[1] - pair[0]));
        payload.extend_from_slice(runs);
        db::seal(label(self.base_map, moves, self.memory), &payload)
    }
}

impl PathDatabase {
    /// The database as bytes for [`PathDatabase::open`]: that of the map it was made for, whatever
    /// was edited since.
    pub fn save(&self) -> Vec<u8> {
        self.method().to_bytes(Planner::moves(self))
    }

    /// Opens a database that was [saved](PathDatabase::save) for the same map and movement rule,
    /// with the memory limit it was made with. Everything else is refused: other files, damaged or
    /// truncated ones, those of another version, map or rule. The bytes are copied; see
    /// [`PathDatabase::open_shared`].
    pub fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Self, Error> {
        Self::open_shared(Arc::new(bytes.to_vec()), grid, moves)
    }

    /// The same without a copy: the bytes stay where they are, in a memory map for instance. They
    /// must not change: a memory map needs a file that nobody writes to.
    pub fn open_shared(
        bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
        grid: &Grid,
        moves: Moves,
    ) -> Result<Self, Error> {
        refuse_others(grid, moves)?;
        let refuse = |problem: String| Kind::PathDatabase.refuse(problem);
        let whole = Whole::of((*bytes).as_ref(), Kind::PathDatabase)?;
        check_moves(whole.parameters, moves).map_err(refuse)?;
        let memory = read_memory(whole.parameters >> MOVES_BITS);
        if whole.grid != grid.content_hash() {
            return Err(refuse(
                "it was made for another map, or for this one before an edit".into(),
            ));
        }
        let (ground, order) = (Ground::new(grid, moves), Order::new(grid));
        let starts = read_starts(whole.payload, &order);
        let rows = starts.and_then(|starts| {
            let from = HEADER + 4 * starts.len();
            Rows::from_parts(starts, Shared { bytes, from }, &ground, &order)
        });
        let rows = rows
            .ok_or_else(|| refuse("its moves make no sense for this map: build it again".into()))?;
        Ok(Self::new(Cpd::new(grid, &ground, order, rows, memory), grid, moves))
    }

    /// The same with another memory limit for [rebuilding](PathDatabase::rebuild) it.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.method_mut().memory = bytes;
        self
    }
}

/// What identifies the database of a map and a rule.
pub(super) fn label(content: u64, moves: Moves, memory: usize) -> Label {
    let parameters = moves_code(moves) | memory_code(memory) << MOVES_BITS;
    Label { kind: Kind::PathDatabase, parameters, grid: content }
}

/// The planner that makes a database with these parameters.
pub(crate) fn maker(parameters: u64) -> String {
    format!("{}:memory={}", ROW.name, (read_memory(parameters >> MOVES_BITS) >> 20).min(1 << 20))
}

/// Where the rows of a payload begin, if it has rows for these cells and all their runs.
fn read_starts(mut payload: &[u8], order: &Order) -> Option<Vec<u32>> {
    let count = db::take_u32(&mut payload)? as usize;
    // Checked before anything is allocated.
    if count != order.cells.len() || payload.len() < 4 * count || !payload.len().is_multiple_of(4) {
        return None;
    }
    let mut starts = Vec::with_capacity(count + 1);
    let mut start = 0u32;
    starts.push(start);
    for _ in 0..count {
        start = start.checked_add(db::take_u32(&mut payload)?)?;
        starts.push(start);
    }
    (payload.len() == 4 * start as usize).then_some(starts)
}
