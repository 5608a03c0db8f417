//! The tables of a map: made when their content is first seen, shared by equal blocks.
//!
//! Each table counts the blocks that use it. One that is used no more is kept for a while, because
//! doors that open also close: until unused tables take an eighth of the memory limit, or until the
//! room is needed. When the tables in use alone reach the limit, further contents get none, and
//! queries make their tables as they go.

use super::{Content, Layout, Measure, Pricing, Table, Workshop};
use std::collections::{HashMap, VecDeque};

/// The number of a table in its store, or that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableId(u32);

impl TableId {
    /// For a block whose cells are all blocked: it is never entered.
    pub const BLOCKED: Self = Self(u32::MAX);
    /// For a block whose table would exceed the memory limit.
    pub const NO_ROOM: Self = Self(u32::MAX - 1);
}

#[derive(Debug)]
struct Shelf<D> {
    table: Table<D>,
    key: Box<[u16]>,
    uses: u32,
    /// Whether it is in the list of unused tables.
    idle: bool,
}

impl<D: Measure> Shelf<D> {
    fn bytes(&self) -> usize {
        // The key is held twice, once by the index.
        size_of::<Self>() + self.table.bytes() + 2 * (self.key.len() * 2 + 16)
    }
}

/// The tables of a map.
#[derive(Debug)]
pub(crate) struct Store<D> {
    index: HashMap<Box<[u16]>, u32>,
    shelves: Vec<Option<Shelf<D>>>,
    vacant: Vec<u32>,
    /// Unused tables, the longest unused first; some may have come into use again.
    idle: VecDeque<u32>,
    bytes: usize,
    idle_bytes: usize,
    limit: usize,
    made: u64,
    workshop: Workshop<D>,
}

impl<D: Measure> Store<D> {
    /// An empty store whose tables may take `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            index: HashMap::new(),
            shelves: Vec::new(),
            vacant: Vec::new(),
            idle: VecDeque::new(),
            bytes: 0,
            idle_bytes: 0,
            limit,
            made: 0,
            workshop: Workshop::default(),
        }
    }

    /// The table of a block in use.
    #[inline]
    pub fn get(&self, id: TableId) -> Option<&Table<D>> {
        self.shelves.get(id.0 as usize)?.as_ref().map(|shelf| &shelf.table)
    }

    /// A table for one more block of this content.
    pub fn acquire(&mut self, layout: &Layout, pricing: &Pricing<D>, content: &Content) -> TableId {
        if let Some(id) = self.acquire_known(content) {
            return id;
        }
        // It need not be made to see that there is no room for it.
        if layout.slots() * layout.lanes() * size_of::<D>() > self.room() {
            return TableId::NO_ROOM;
        }
        let mut table = Table::default();
        pricing.provide(layout, content, &mut self.workshop, &mut table);
        self.adopt(content.key(), table, 1)
    }

    /// The same if nothing has to be made.
    pub fn acquire_known(&mut self, content: &Content) -> Option<TableId> {
        if content.is_blocked() {
            return Some(TableId::BLOCKED);
        }
        let id = *self.index.get(content.key())?;
        let shelf = self.shelves[id as usize].as_mut()?;
        if shelf.uses == 0 {
            self.idle_bytes -= shelf.bytes();
        }
        shelf.uses += 1;
        Some(TableId(id))
    }

    /// Takes in a table that was made for `uses` blocks, if there is room.
    pub fn adopt(&mut self, key: &[u16], mut table: Table<D>, uses: u32) -> TableId {
        table.shrink();
        let shelf = Shelf { table, key: key.into(), uses, idle: false };
        let bytes = shelf.bytes();
        while self.bytes + bytes > self.limit && self.drop_idle() {}
        if self.bytes + bytes > self.limit {
            return TableId::NO_ROOM;
        }
        self.bytes += bytes;
        self.made += 1;
        let id = self.vacant.pop().unwrap_or(self.shelves.len() as u32);
        self.index.insert(shelf.key.clone(), id);
        if let Some(place) = self.shelves.get_mut(id as usize) {
            *place = Some(shelf);
        } else {
            self.shelves.push(Some(shelf));
        }
        TableId(id)
    }

    /// One block less uses the table.
    pub fn release(&mut self, id: TableId) {
        let Some(Some(shelf)) = self.shelves.get_mut(id.0 as usize) else { return };
        shelf.uses -= 1;
        if shelf.uses > 0 {
            return;
        }
        self.idle_bytes += shelf.bytes();
        if !shelf.idle {
            shelf.idle = true;
            self.idle.push_back(id.0);
        }
        while self.idle_bytes > self.limit / 8 && self.drop_idle() {}
    }

    /// Drops the table that has been unused for longest; false if all are in use.
    fn drop_idle(&mut self) -> bool {
        while let Some(id) = self.idle.pop_front() {
            let place = &mut self.shelves[id as usize];
            let Some(shelf) = place else { continue };
            shelf.idle = false;
            if shelf.uses == 0 {
                self.bytes -= shelf.bytes();
                self.idle_bytes -= shelf.bytes();
                self.index.remove(&shelf.key);
                *place = None;
                self.vacant.push(id);
                return true;
            }
        }
        false
    }

    /// The bytes that are left, counting those of unused tables.
    pub fn room(&self) -> usize {
        self.limit + self.idle_bytes - self.bytes
    }

    /// How many tables there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// How many tables have been made since the store is there.
    #[cfg(test)]
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Bytes of the tables and what finds them.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
