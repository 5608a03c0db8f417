//! The map cut into blocks, and the table of each block.

use super::BlockSettings;
use super::estimate::Places;
use crate::engine::parallel;
use crate::grid::raster::raster;
use crate::planner::block::tables::{
    BlockSize, Content, Distance, Layout, MakerMemory, Store, Table, TableId, TableRules, is_double,
};
use crate::rules::moves::Direction;
use crate::{Cell, Grid, Layer, Moves, Rect};
use std::collections::{BTreeSet, HashMap};

/// How the map is cut: rows of blocks, with a margin of one block all around that is never entered.
#[derive(Clone, Debug)]
pub(super) struct BlockGrid<D> {
    pub layout: Layout,
    pub places: Places<D>,
    pub rules: TableRules<D>,
    /// The size of the map, in cells.
    size: (u32, u32),
    /// Blocks per row and rows of blocks, the margin included.
    columns: u32,
    rows: u32,
    /// What each direction adds to the number of a block.
    offsets: [i32; 8],
}

impl<D: Distance> BlockGrid<D> {
    pub fn new(grid: &Grid, moves: Moves, settings: &BlockSettings) -> Self {
        let size = settings.size_on(grid, moves);
        let columns = grid.width().div_ceil(size.width) + 2;
        let rows = grid.height().div_ceil(size.height) + 2;
        let layout = Layout::new(size, D::CELLS);
        let places = if D::CELLS { Places::default() } else { place(&layout) };
        Self {
            layout,
            places,
            rules: TableRules::new(moves, size, settings.source.clone()),
            size: (grid.width(), grid.height()),
            columns,
            rows,
            offsets: std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * columns as i32),
        }
    }

    /// Whether a grid has the size of the map.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.size == (grid.width(), grid.height())
    }

    /// How many blocks there are, the margin included.
    pub fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The block of a cell.
    #[inline]
    pub fn block_of(&self, x: u32, y: u32) -> u32 {
        let BlockSize { width, height } = self.layout.size();
        (y / height + 1) * self.columns + x / width + 1
    }

    /// The top left cell (or corner) of a block on the map.
    #[inline]
    pub fn origin(&self, block: u32) -> (u32, u32) {
        let BlockSize { width, height } = self.layout.size();
        ((block % self.columns - 1) * width, (block / self.columns - 1) * height)
    }

    /// The same for the block of a cell.
    #[inline]
    pub fn origin_at(&self, cell: Cell) -> (u32, u32) {
        let BlockSize { width, height } = self.layout.size();
        (cell.x / width * width, cell.y / height * height)
    }

    #[inline]
    pub fn neighbour(&self, block: u32, direction: u8) -> u32 {
        block.wrapping_add_signed(self.offsets[direction as usize])
    }

    /// The cells of a block.
    pub fn rect(&self, grid: &Grid, block: u32) -> Rect {
        let ((x, y), size) = (self.origin(block), self.layout.size());
        Rect::new(x, y, size.width.min(grid.width() - x), size.height.min(grid.height() - y))
    }

    /// The corners (as slots) through which a block can be entered and left: those that touch one
    /// of its free cells and, under the strict rule, are not double corners.
    pub fn doors(&self, grid: &Grid, block: u32) -> u64 {
        let (left, top) = self.origin(block);
        let (bits, strict) = (grid.rows(), !self.rules.rule().squeezes());
        let mut doors = 0;
        for slot in 0..self.layout.slots() {
            let (x, y) = self.layout.at(slot);
            if left + x > grid.width() || top + y > grid.height() {
                continue;
            }
            let corner = bits.position(left + x, top + y);
            let two = |position: u32| bits.after(position) as u32 & 3;
            let quad = two(corner - bits.stride() - 1) | two(corner - 1) << 2;
            // Which of the four cells are the block's own.
            let BlockSize { width, height } = self.layout.size();
            let columns = u32::from(x > 0) | u32::from(x < width) << 1;
            let own =
                (if y > 0 { columns } else { 0 }) | (if y < height { columns << 2 } else { 0 });
            if quad & own != 0 && !(strict && is_double(quad)) {
                doors |= 1 << slot;
            }
        }
        doors
    }
}

/// Where slots are; beyond the last it does not matter.
fn place<D: Distance>(layout: &Layout) -> Places<D> {
    let at = |slot: usize| if slot < layout.slots() { layout.at(slot) } else { (0, 0) };
    Places {
        x: (0..layout.lanes()).map(|slot| D::from_length(at(slot).0.into())).collect(),
        y: (0..layout.lanes()).map(|slot| D::from_length(at(slot).1.into())).collect(),
    }
}

/// The tables of a map's blocks.
#[derive(Clone, Debug)]
pub(super) struct BlockTables<D> {
    ids: Vec<TableId>,
    /// For corners: see [`BlockGrid::doors`].
    doors: Vec<u64>,
    store: Store<D>,
    content: Content,
    /// Blocks that found no room for their table.
    waiting: BTreeSet<u32>,
    /// Which of them was tried again last.
    tried: u32,
}

/// How many of the waiting blocks one update tries again: it must stay cheap.
const SECOND_TRIES: usize = 2;

impl<D: Distance> BlockTables<D> {
    /// Makes the tables of a map, on all cores, within `limit` bytes.
    pub fn new(grid: &Grid, blocks: &BlockGrid<D>, limit: usize) -> Self {
        let mut tables = Self {
            ids: vec![TableId::BLOCKED; blocks.count()],
            doors: vec![0; if D::CELLS { 0 } else { blocks.count() }],
            store: Store::new(limit),
            content: Content::default(),
            waiting: BTreeSet::new(),
            tried: 0,
        };
        tables.fill(grid, blocks);
        tables
    }

    /// Prepares all blocks from scratch, keeping the tables that are still of use. If there is no
    /// room for all, contents that come first on the map take precedence.
    fn fill(&mut self, grid: &Grid, blocks: &BlockGrid<D>) {
        let old = std::mem::replace(&mut self.ids, vec![TableId::BLOCKED; blocks.count()]);
        self.waiting.clear();
        // Contents without a table, each with the blocks that have it.
        let mut wanted: Vec<(Content, Vec<u32>)> = Vec::new();
        let mut known = HashMap::<Box<[u16]>, usize>::new();
        for block in every_block(blocks, grid.whole()) {
            self.read(grid, blocks, block);
            if let Some(id) = self.store.acquire_known(&self.content) {
                self.ids[block as usize] = id;
            } else if let Some(&index) = known.get(self.content.key()) {
                wanted[index].1.push(block);
            } else {
                known.insert(self.content.key().into(), wanted.len());
                wanted.push((self.content.clone(), vec![block]));
            }
            if !D::CELLS {
                self.doors[block as usize] = blocks.doors(grid, block);
            }
        }
        old.into_iter().for_each(|id| self.store.release(id));
        let mut room = self.store.room();
        let (fitting, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(content, _)| {
            let bytes = Store::bytes_of(&blocks.layout, &blocks.rules, content);
            let fits = bytes <= room;
            room -= if fits { bytes } else { 0 };
            fits
        });
        let made = parallel::map(fitting.len(), &|_, _| (), |maker: &mut MakerMemory<D>, index| {
            let mut table = Table::default();
            blocks.rules.provide(&blocks.layout, &fitting[index].0, maker, &mut table);
            table.shrink();
            table
        });
        for (table, (content, users)) in made.into_iter().zip(&fitting) {
            let id = self.store.adopt(content.key(), table, users.len() as u32);
            for &block in users {
                self.assign(block, id);
            }
        }
        for &block in others.iter().flat_map(|(_, users)| users) {
            self.assign(block, TableId::NO_ROOM);
        }
    }

    /// Reads the content of a block.
    fn read(&mut self, grid: &Grid, blocks: &BlockGrid<D>, block: u32) {
        let (left, top) = blocks.origin(block);
        blocks.rules.read(&mut self.content, grid, blocks.layout.size(), left, top);
    }

    /// Gives a block a table, or none, and returns the one it had.
    fn assign(&mut self, block: u32, id: TableId) -> TableId {
        let old = std::mem::replace(&mut self.ids[block as usize], id);
        if id == TableId::NO_ROOM {
            self.waiting.insert(block);
        } else if old == TableId::NO_ROOM {
            self.waiting.remove(&block);
        }
        old
    }

    /// Gives a block the table of its content.
    fn renew(&mut self, grid: &Grid, blocks: &BlockGrid<D>, block: u32) {
        self.read(grid, blocks, block);
        let id = self.store.acquire(&blocks.layout, &blocks.rules, &self.content);
        let old = self.assign(block, id);
        self.store.release(old);
    }

    /// Repairs the tables after edits in these rectangles, or anywhere if `None`. A few of the
    /// blocks that found no room before are tried again.
    pub fn update(
        &mut self,
        grid: &Grid,
        blocks: &BlockGrid<D>,
        changes: Option<impl Iterator<Item = Rect>>,
    ) {
        let Some(changes) = changes else { return self.fill(grid, blocks) };
        for rect in changes.filter(|rect| rect.width * rect.height > 0) {
            for block in every_block(blocks, rect) {
                self.renew(grid, blocks, block);
            }
            if !D::CELLS {
                for block in every_block(blocks, wider(rect, grid)) {
                    self.doors[block as usize] = blocks.doors(grid, block);
                }
            }
        }
        for _ in 0..SECOND_TRIES {
            let after = self.waiting.range(self.tried + 1..).next().or(self.waiting.first());
            let Some(&block) = after else { return };
            self.tried = block;
            self.renew(grid, blocks, block);
        }
    }

    /// The table of a block, if it has one.
    #[inline]
    pub fn get(&self, block: u32) -> Option<&Table<D>> {
        self.store.get(self.ids[block as usize])
    }

    /// The number of a block's table, [`Layer::NONE`] if it has none.
    pub fn number(&self, block: u32) -> u32 {
        let id = self.ids[block as usize];
        self.store.get(id).map_or(Layer::NONE, |_| id.number())
    }

    /// See [`BlockGrid::doors`].
    #[inline]
    pub fn doors(&self, block: u32) -> u64 {
        self.doors[block as usize]
    }

    pub fn store(&self) -> &Store<D> {
        &self.store
    }

    /// Bytes of the index from blocks to tables.
    pub fn index_bytes(&self) -> usize {
        self.ids.len() * size_of::<TableId>() + self.doors.len() * 8 + self.waiting.len() * 4
    }
}

/// A rectangle with the cells around it: a cell also touches corners of neighbouring blocks.
pub(super) fn wider(rect: Rect, grid: &Grid) -> Rect {
    let (x, y) = (rect.x.saturating_sub(1), rect.y.saturating_sub(1));
    let width = (rect.width + 2).min(grid.width() - x);
    Rect::new(x, y, width, (rect.height + 2).min(grid.height() - y))
}

/// The blocks with cells in a rectangle of the map.
pub(super) fn every_block<D: Distance>(
    blocks: &BlockGrid<D>,
    rect: Rect,
) -> impl Iterator<Item = u32> {
    let BlockSize { width, height } = blocks.layout.size();
    let columns = blocks.columns;
    // Blocks are numbered with a rim of one around the map.
    let across = rect.x / width + 1..(rect.x + rect.width - 1) / width + 2;
    let down = rect.y / height + 1..(rect.y + rect.height - 1) / height + 2;
    raster(across, down).map(move |(x, y)| y * columns + x)
}

/// The set bits of a mask, from the lowest.
pub(super) fn each_bit(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests;
