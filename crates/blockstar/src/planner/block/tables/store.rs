//! The tables of a map: made when their content is first seen, shared by equal blocks.
//!
//! Each table counts the blocks that use it. One that is no longer used is kept for a while,
//! because doors that open also close: until unused tables take an eighth of the memory limit, or
//! until the room is needed. The one unused for longest goes first. When the tables in use alone
//! reach the limit, further contents get none, and queries make those tables as they go. The
//! content tells how much memory a table takes before it is made.

use super::{Content, Distance, Layout, MakerMemory, Table, TableRules, turns};
use std::collections::{BTreeMap, HashMap};

/// The number of a table in its store, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableId(u32);

impl TableId {
    /// All cells of the block are blocked: it is never entered.
    pub const BLOCKED: Self = Self(u32::MAX);
    /// The table would exceed the memory limit.
    pub const NO_ROOM: Self = Self(u32::MAX - 1);

    pub const fn number(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Debug)]
struct StoredTable<D> {
    table: Table<D>,
    key: Box<[u16]>,
    uses: u32,
    /// If it is unused: the release that left it so.
    since: u64,
}

impl<D: Distance> StoredTable<D> {
    fn bytes(&self) -> usize {
        Self::bytes_with(self.table.bytes(), &self.key)
    }

    fn bytes_with(table: usize, key: &[u16]) -> usize {
        // The key is held twice: once more by the index.
        size_of::<Self>() + table + 2 * (size_of_val(key) + 16)
    }
}

/// The tables of a map.
#[derive(Clone, Debug)]
pub(crate) struct Store<D> {
    index: HashMap<Box<[u16]>, u32>,
    tables: Vec<Option<StoredTable<D>>>,
    vacant: Vec<u32>,
    /// Unused tables by the release that left them so, the longest unused first.
    idle: BTreeMap<u64, u32>,
    releases: u64,
    bytes: usize,
    idle_bytes: usize,
    limit: usize,
    made: u64,
    maker: MakerMemory<D>,
}

impl<D: Distance> Store<D> {
    /// An empty store whose tables may take `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            index: HashMap::new(),
            tables: Vec::new(),
            vacant: Vec::new(),
            idle: BTreeMap::new(),
            releases: 0,
            bytes: 0,
            idle_bytes: 0,
            limit,
            made: 0,
            maker: MakerMemory::default(),
        }
    }

    /// The table of a block in use.
    #[inline]
    pub fn get(&self, id: TableId) -> Option<&Table<D>> {
        self.tables.get(id.0 as usize)?.as_ref().map(|stored| &stored.table)
    }

    /// A table for one more block of this content.
    pub fn acquire(
        &mut self,
        layout: &Layout,
        rules: &TableRules<D>,
        content: &Content,
    ) -> TableId {
        if let Some(id) = self.acquire_known(content) {
            return id;
        }
        if Self::bytes_of(layout, rules, content) > self.room() {
            return TableId::NO_ROOM;
        }
        let mut table = Table::default();
        rules.provide(layout, content, &mut self.maker, &mut table);
        self.adopt(content.key(), table, 1)
    }

    /// The same, but only if nothing has to be made.
    pub fn acquire_known(&mut self, content: &Content) -> Option<TableId> {
        if content.is_blocked() {
            return Some(TableId::BLOCKED);
        }
        let id = *self.index.get(content.key())?;
        let stored = self.tables[id as usize].as_mut()?;
        if stored.uses == 0 {
            self.idle_bytes -= stored.bytes();
            self.idle.remove(&stored.since);
        }
        stored.uses += 1;
        Some(TableId(id))
    }

    /// The bytes that the table of a content takes in a store.
    pub fn bytes_of(layout: &Layout, rules: &TableRules<D>, content: &Content) -> usize {
        let turns = turns(rules, content).count();
        let table = Table::<D>::bytes_with(layout.slots(), layout.lanes(), turns, !D::CELLS);
        StoredTable::<D>::bytes_with(table, content.key())
    }

    /// Takes in a table made for `uses` blocks, if there is room.
    pub fn adopt(&mut self, key: &[u16], mut table: Table<D>, uses: u32) -> TableId {
        table.shrink();
        let stored = StoredTable { table, key: key.into(), uses, since: 0 };
        let bytes = stored.bytes();
        while self.bytes + bytes > self.limit && self.drop_idle() {}
        if self.bytes + bytes > self.limit {
            return TableId::NO_ROOM;
        }
        self.bytes += bytes;
        self.made += 1;
        let id = self.vacant.pop().unwrap_or(self.tables.len() as u32);
        self.index.insert(stored.key.clone(), id);
        if let Some(place) = self.tables.get_mut(id as usize) {
            *place = Some(stored);
        } else {
            self.tables.push(Some(stored));
        }
        TableId(id)
    }

    /// One block no longer uses the table.
    pub fn release(&mut self, id: TableId) {
        let Some(Some(stored)) = self.tables.get_mut(id.0 as usize) else { return };
        stored.uses -= 1;
        if stored.uses > 0 {
            return;
        }
        self.releases += 1;
        stored.since = self.releases;
        self.idle_bytes += stored.bytes();
        self.idle.insert(stored.since, id.0);
        while self.idle_bytes > self.limit / 8 && self.drop_idle() {}
    }

    /// Drops the table unused for longest; false if all are in use.
    fn drop_idle(&mut self) -> bool {
        let Some((_, id)) = self.idle.pop_first() else { return false };
        let Some(stored) = self.tables[id as usize].take() else { return false };
        self.bytes -= stored.bytes();
        self.idle_bytes -= stored.bytes();
        self.index.remove(&stored.key);
        self.vacant.push(id);
        true
    }

    /// The bytes that are free, unused tables included.
    pub fn room(&self) -> usize {
        self.limit + self.idle_bytes - self.bytes
    }

    /// How many tables there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// How many tables the store has ever taken in.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The keys of all contents that have a table, used or not.
    pub fn keys(&self) -> impl Iterator<Item = &[u16]> {
        self.index.keys().map(|key| &key[..])
    }

    /// Bytes of the tables and their index.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
