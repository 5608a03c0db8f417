//! The tables of a map: made when their content is first seen, shared by equal blocks.
//!
//! Each table counts the blocks that use it. One that is used no more is kept for a while, because
//! doors that open also close: until unused tables take an eighth of the memory limit, or until the
//! room is needed; those go first that have been unused for longest. When the tables in use alone reach
//! the limit, further contents get none, and queries make their tables as they go. What a table takes
//! is known from the content, before it is made.

use super::{Content, Layout, Measure, Pricing, Table, Workshop, turns};
use std::collections::{BTreeMap, HashMap};

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
    /// If it is unused: since which release.
    since: u64,
}

impl<D: Measure> Shelf<D> {
    fn bytes(&self) -> usize {
        Self::bytes_with(self.table.bytes(), &self.key)
    }

    fn bytes_with(table: usize, key: &[u16]) -> usize {
        // The key is held twice, once by the index.
        size_of::<Self>() + table + 2 * (size_of_val(key) + 16)
    }
}

/// The tables of a map.
#[derive(Debug)]
pub(crate) struct Store<D> {
    index: HashMap<Box<[u16]>, u32>,
    shelves: Vec<Option<Shelf<D>>>,
    vacant: Vec<u32>,
    /// Unused tables by the release that left them so, the longest unused first.
    idle: BTreeMap<u64, u32>,
    releases: u64,
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
            idle: BTreeMap::new(),
            releases: 0,
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
        if Self::bytes_of(layout, pricing, content) > self.room() {
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
            self.idle.remove(&shelf.since);
        }
        shelf.uses += 1;
        Some(TableId(id))
    }

    /// What the table of a content takes in a store.
    pub fn bytes_of(layout: &Layout, pricing: &Pricing<D>, content: &Content) -> usize {
        let turns = turns(pricing, content).count();
        let table = Table::<D>::bytes_with(layout.slots(), layout.lanes(), turns, !D::CELLS);
        Shelf::<D>::bytes_with(table, content.key())
    }

    /// Takes in a table that was made for `uses` blocks, if there is room.
    pub fn adopt(&mut self, key: &[u16], mut table: Table<D>, uses: u32) -> TableId {
        table.shrink();
        let shelf = Shelf { table, key: key.into(), uses, since: 0 };
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
        self.releases += 1;
        shelf.since = self.releases;
        self.idle_bytes += shelf.bytes();
        self.idle.insert(shelf.since, id.0);
        while self.idle_bytes > self.limit / 8 && self.drop_idle() {}
    }

    /// Drops the table that has been unused for longest; false if all are in use.
    fn drop_idle(&mut self) -> bool {
        let Some((_, id)) = self.idle.pop_first() else { return false };
        let Some(shelf) = self.shelves[id as usize].take() else { return false };
        self.bytes -= shelf.bytes();
        self.idle_bytes -= shelf.bytes();
        self.index.remove(&shelf.key);
        self.vacant.push(id);
        true
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

    /// How many tables have been taken in since the store is there.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The contents that there are tables for, used or not, by their keys.
    pub fn keys(&self) -> impl Iterator<Item = &[u16]> {
        self.index.keys().map(|key| &key[..])
    }

    /// Bytes of the tables and what finds them.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
