//! Blocks with cells that a query avoids: the tables and doors in store are not theirs.
//!
//! Such a block's table is made by the query, as where there is no room for it in store. Doors are
//! also those of the blocks next to it, with which it shares corners, and are found once per query.

use super::blocks::{BlockGrid, every_block, wider};
use crate::engine::SearchMemory;
use crate::planner::block::tables::Distance;
use crate::{Cell, Grid, Rect};

/// The blocks that a mask changes.
#[derive(Debug, Default)]
pub(super) struct MaskedBlocks {
    /// The blocks with masked cells, in order.
    blocks: Vec<u32>,
    /// For corners: the doors of these and of those next to masked cells, in order of the blocks.
    doors: Vec<(u32, u64)>,
}

impl MaskedBlocks {
    /// Finds the blocks for a map and the cells that are missing on it.
    pub fn find<D: Distance>(&mut self, grid: &Grid, blocks: &BlockGrid<D>, masked: &[Cell]) {
        self.blocks.clear();
        self.blocks.extend(masked.iter().map(|cell| blocks.block_of(cell.x, cell.y)));
        self.blocks.sort_unstable();
        self.blocks.dedup();
        self.doors.clear();
        if D::CELLS {
            return;
        }
        for &cell in masked {
            let around = every_block(blocks, wider(Rect::cell(cell), grid));
            self.doors.extend(around.map(|block| (block, 0)));
        }
        self.doors.sort_unstable();
        self.doors.dedup();
        for (block, doors) in &mut self.doors {
            *doors = blocks.doors(grid, *block);
        }
    }

    /// Whether a block has masked cells.
    pub fn contains(&self, block: u32) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// The doors of a block, if masked cells may have closed some.
    pub fn doors(&self, block: u32) -> Option<u64> {
        let found = self.doors.binary_search_by_key(&block, |entry| entry.0);
        found.ok().map(|index| self.doors[index].1)
    }
}

impl SearchMemory for MaskedBlocks {
    fn bytes(&self) -> usize {
        self.blocks.capacity() * 4 + self.doors.capacity() * size_of::<(u32, u64)>()
    }
}
