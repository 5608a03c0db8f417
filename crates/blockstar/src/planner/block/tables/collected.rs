//! The tables of chosen contents, each as it was made, in the order of their keys: first those
//! without terrain, then those with it.
//!
//! | what | as |
//! |---|---|
//! | the dictionary | see [`Dictionary`] |
//! | how many contents there are without terrain, and with it | two `u32` |
//! | for each content its key | `u16` for each row of cells, or with terrain for each cell |
//! | its distances, row by row | entries of the dictionary |
//! | for corners, the row of the next place on each way | a byte, or two with more than 256 rows |
//!
//! Where ways turn, and so how many rows there are, follows from the content. Nothing here assumes
//! that there and back cost the same.

use super::dictionary::Dictionary;
use super::file::{Origin, Unread};
use super::proof::Proof;
use super::word;
use super::{
    BlockSize, Content, Distance, Layout, MakerMemory, Table, TableFor, TableRules, turns,
};
use crate::db::take_u32;
use crate::engine::parallel;
use crate::sort;

/// Tables by content, by where they are in the bytes of a file.
#[derive(Debug)]
pub(super) struct Collected {
    dictionary: Dictionary,
    plain: Vec<Place>,
    weighted: Vec<Place>,
}

/// Where a table is in the payload.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: usize,
    rows: u16,
}

/// A table on its way into a file.
#[derive(Debug, Default)]
struct Record {
    words: Vec<u64>,
    next: Vec<u16>,
}

/// How much memory collecting may take, in bytes.
pub(super) const MOST_BYTES: u64 = 1 << 30;

const fn next_width(rows: usize) -> usize {
    if rows <= 256 { 1 } else { 2 }
}

/// How many numbers a key has.
const fn key_length(size: BlockSize, weighted: bool) -> usize {
    if weighted { size.cells() } else { size.height as usize }
}

fn rows<D: Distance>(layout: &Layout, rules: &TableRules<D>, content: &Content) -> usize {
    layout.slots() + turns(rules, content).count()
}

/// Puts contents, which are all different, in the order of the file.
fn sort(contents: &mut [Content]) {
    sort::by(contents, |a, b| (a.is_weighted(), a.key()).cmp(&(b.is_weighted(), b.key())));
}

impl Collected {
    /// Makes the tables of different contents and returns them as the payload of a file; `None` if
    /// that takes too much memory.
    pub fn build<D: Distance>(
        layout: &Layout,
        rules: &TableRules<D>,
        mut contents: Vec<Content>,
        progress: &dyn Fn(usize, usize),
    ) -> Option<Vec<u8>> {
        sort(&mut contents);
        let slots = layout.slots();
        let entries = contents.iter().map(|content| rows(layout, rules, content) * slots);
        if entries.sum::<usize>() as u64 * 10 > MOST_BYTES {
            return None;
        }
        type Memory<D> = (MakerMemory<D>, Table<D>);
        let records = parallel::map(contents.len(), progress, |memory: &mut Memory<D>, index| {
            let ((memory, table), content) = (memory, &contents[index]);
            D::make(TableFor { layout, rules, content }, memory, table);
            let mut record = Record::default();
            for row in 0..slots + table.turns() {
                for (slot, distance) in table.row(row).iter().enumerate().take(slots) {
                    record.words.push(distance.to_word(rules, content));
                    if !D::CELLS {
                        record.next.push(table.next(row, slot) as u16);
                    }
                }
            }
            record
        });
        let dictionary = Dictionary::new(records.iter().map(|record| &record.words[..]));
        let plain = contents.iter().filter(|content| !content.is_weighted()).count();
        let mut payload = Vec::new();
        dictionary.write(&mut payload);
        for count in [plain, contents.len() - plain] {
            payload.extend_from_slice(&(count as u32).to_le_bytes());
        }
        for (content, record) in contents.iter().zip(&records) {
            content
                .key()
                .iter()
                .for_each(|number| payload.extend_from_slice(&number.to_le_bytes()));
            record.words.iter().for_each(|&word| dictionary.encode(word, &mut payload));
            let width = next_width(record.words.len() / slots);
            let next = record.next.iter().map(|next| next.to_le_bytes());
            next.for_each(|next| payload.extend_from_slice(&next[..width]));
        }
        Some(payload)
    }

    /// Reads a payload, or says what is wrong with it.
    pub fn read<D: Distance>(unread: &Unread<'_, D>) -> Result<Self, String> {
        let &Unread { layout, rules, payload, origin } = unread;
        let mut rest = payload;
        let dictionary =
            Dictionary::read(&mut rest).ok_or("its list of distances makes no sense")?;
        let counts = take_u32(&mut rest).zip(take_u32(&mut rest));
        let counts = counts.ok_or("it ends before its first table")?;
        let mut collected = Self { dictionary, plain: Vec::new(), weighted: Vec::new() };
        let mut proof = Proof::new(layout, rules);
        for (count, weighted) in [(counts.0, false), (counts.1, true)] {
            // Not reserved in advance: the count may lie, and each table must be there.
            let mut places: Vec<Place> = Vec::new();
            let mut before: Option<Content> = None;
            for _ in 0..count {
                let key = payload.len() - rest.len();
                let length = key_length(layout.size(), weighted);
                let content = read_key(&mut rest, length)
                    .and_then(|key| Content::from_key(layout.size(), weighted, &key))
                    .filter(|content| !content.is_blocked())
                    .ok_or("a block in it makes no sense")?;
                if before.is_some_and(|before| before.key() >= content.key()) {
                    return Err("its blocks are out of order".into());
                }
                let rows = rows(layout, rules, &content);
                let size = collected.table_bytes::<D>(rows, layout.slots());
                let Some((table, after)) = rest.split_at_checked(size) else {
                    return Err("it ends within a table".into());
                };
                if origin == Origin::File {
                    proof.begin(&content);
                    collected.check(table, rows, layout.slots(), &proof)?;
                }
                places.push(Place { key, rows: rows as u16 });
                (before, rest) = (Some(content), after);
            }
            if weighted {
                collected.weighted = places;
            } else {
                collected.plain = places;
            }
        }
        if !rest.is_empty() {
            return Err(format!("{} bytes follow its last table", rest.len()));
        }
        Ok(collected)
    }

    fn table_bytes<D: Distance>(&self, rows: usize, slots: usize) -> usize {
        rows * slots * (self.dictionary.width() + if D::CELLS { 0 } else { next_width(rows) })
    }

    /// Whether a table is safe to search with: distances are possible, and every way ends.
    fn check<D: Distance>(
        &self,
        table: &[u8],
        rows: usize,
        slots: usize,
        proof: &Proof<'_, D>,
    ) -> Result<(), &'static str> {
        let (words, next) = table.split_at(rows * slots * self.dictionary.width());
        let word = |row: usize, slot: usize| {
            self.dictionary.decode(words, row * slots + slot).unwrap_or(u64::MAX)
        };
        for row in 0..rows {
            for slot in 0..slots {
                let distance = word(row, slot);
                let back = row >= slots || word(slot, row) == distance;
                if !proof.holds(row, slot, distance) || !back {
                    return Err("it has distances that are not possible");
                }
                if D::CELLS || distance == word::FAR || row == slot {
                    continue;
                }
                let next = read_next(next, row * slots + slot, next_width(rows));
                let goes_on = next < rows && proof.goes_on(row, next, distance, word(next, slot));
                if !goes_on {
                    return Err("it has ways that are not as long as it says");
                }
            }
        }
        Ok(())
    }

    /// Fetches the table of a content, if it is there.
    pub fn fetch<D: Distance>(
        &self,
        payload: &[u8],
        subject: TableFor<'_, D>,
        memory: &mut MakerMemory<D>,
        table: &mut Table<D>,
    ) -> Option<()> {
        let TableFor { layout, rules, content } = subject;
        let slots = layout.slots();
        let places = if content.is_weighted() { &self.weighted } else { &self.plain };
        let numbers = |place: &Place| {
            let (keys, _) = payload.get(place.key..).unwrap_or_default().as_chunks();
            keys.iter().take(content.key().len()).map(|&number| u16::from_le_bytes(number))
        };
        let order = |place: &Place| numbers(place).cmp(content.key().iter().copied());
        let place = places[places.binary_search_by(order).ok()?];
        let rows = usize::from(place.rows);
        let bytes = payload.get(place.key + 2 * content.key().len()..)?;
        let bytes = bytes.get(..self.table_bytes::<D>(rows, slots))?;
        let (words, next) = bytes.split_at(rows * slots * self.dictionary.width());
        memory.turns.clear();
        memory.turns.extend(turns(rules, content));
        if slots + memory.turns.len() != rows {
            return None;
        }
        table.begin(slots, layout.lanes(), &memory.turns, D::FAR, !D::CELLS);
        for row in 0..rows {
            for slot in 0..slots {
                let entry = row * slots + slot;
                let word = self.dictionary.decode(words, entry)?;
                table.set(row, slot, D::from_word(word, rules, content)?);
                if !D::CELLS {
                    table.set_next(row, slot, read_next(next, entry, next_width(rows)));
                }
            }
        }
        Some(())
    }

    /// The contents in file order.
    pub fn contents(&self, payload: &[u8], size: BlockSize) -> Vec<Content> {
        let groups = [(&self.plain, false), (&self.weighted, true)];
        let each = groups.into_iter().flat_map(|(places, weighted)| {
            places.iter().filter_map(move |place| {
                let key = read_key(&mut payload.get(place.key..)?, key_length(size, weighted))?;
                Content::from_key(size, weighted, &key)
            })
        });
        each.collect()
    }

    pub fn len(&self) -> usize {
        self.plain.len() + self.weighted.len()
    }

    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let places = self.plain.capacity() + self.weighted.capacity();
        self.dictionary.bytes() + places * size_of::<Place>()
    }
}

/// Reads a key off the front of some bytes.
fn read_key(bytes: &mut &[u8], length: usize) -> Option<Vec<u16>> {
    let (key, rest) = bytes.split_at_checked(2 * length)?;
    *bytes = rest;
    Some(key.as_chunks().0.iter().map(|&number| u16::from_le_bytes(number)).collect())
}

/// The row of the next place on a way.
#[inline]
fn read_next(bytes: &[u8], entry: usize, width: usize) -> usize {
    match width {
        1 => bytes[entry].into(),
        _ => u16::from_le_bytes([bytes[2 * entry], bytes[2 * entry + 1]]).into(),
    }
}
