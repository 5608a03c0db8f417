//! The tables of all patterns of a block of at most 4 x 4 cells: the database of the paper.
//!
//! Of patterns that are rotated or mirrored images of each other only one is kept ([`Orbits`]):
//! 8,548 out of 65,536. Under the existing rules a way costs the same in both directions, so each
//! pair of slots is kept once; a kind for which that does not hold would have to keep both, as
//! [`Collected`](super::collected::Collected) does. For corners, the pairs are followed by the
//! distances from each turn to each slot. The ways themselves follow from the distances.

use super::dictionary::Dictionary;
use super::file::{Origin, Unread};
use super::proof::Proof;
use super::symmetry::{Orbits, Symmetry};
use super::word;
use super::{Content, Distance, Layout, MakerMemory, Table, TableFor, TableRules, corners, turns};
use crate::engine::parallel;
use crate::grid::raster::raster;

/// The tables of all patterns, by where they are in the bytes of a file.
#[derive(Debug)]
pub(super) struct Complete {
    orbits: Orbits,
    dictionary: Dictionary,
    /// Where the entries of each orbit begin in the payload, and where the last ones end.
    starts: Vec<usize>,
}

/// How many entries a table has in the file.
fn entries<D: Distance>(layout: &Layout, rules: &TableRules<D>, pattern: u32) -> usize {
    let (slots, content) = (layout.slots(), Content::from_pattern(layout.size(), pattern));
    slots * (slots - 1) / 2 + turns(rules, &content).count() * slots
}

/// The rows and slots of a table's entries, in the order of the file.
fn places(slots: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = raster(0..slots as u32, 0..rows as u32).map(|(b, a)| (a as usize, b as usize));
    all.filter(move |&(a, b)| a >= slots || a < b)
}

/// The entry of a pair of slots.
#[inline]
fn pair(slots: usize, a: usize, b: usize) -> usize {
    let (a, b) = (a.min(b), a.max(b));
    a * (2 * slots - a - 1) / 2 + (b - a - 1)
}

impl Complete {
    /// Makes all tables and returns them as the payload of a file.
    pub fn build<D: Distance>(
        layout: &Layout,
        rules: &TableRules<D>,
        progress: &dyn Fn(usize, usize),
    ) -> Vec<u8> {
        let orbits = Orbits::new(layout.size().width);
        let slots = layout.slots();
        let patterns = orbits.representatives();
        type Memory<D> = (MakerMemory<D>, Table<D>);
        let tables = parallel::map(patterns.len(), progress, |memory: &mut Memory<D>, orbit| {
            let (memory, table) = memory;
            let content = Content::from_pattern(layout.size(), patterns[orbit].into());
            D::make(TableFor { layout, rules, content: &content }, memory, table);
            let word = |(row, slot): (usize, usize)| table.row(row)[slot].to_word(rules, &content);
            places(slots, slots + table.turns()).map(word).collect::<Vec<u64>>()
        });
        let dictionary = Dictionary::new(tables.iter().map(Vec::as_slice));
        let mut payload = Vec::new();
        dictionary.write(&mut payload);
        tables.iter().flatten().for_each(|&word| dictionary.encode(word, &mut payload));
        payload
    }

    /// Reads a payload, or says what is wrong with it.
    pub fn read<D: Distance>(unread: &Unread<'_, D>) -> Result<Self, String> {
        let &Unread { layout, rules, payload, origin } = unread;
        let mut rest = payload;
        let dictionary =
            Dictionary::read(&mut rest).ok_or("its list of distances makes no sense")?;
        let orbits = Orbits::new(layout.size().width);
        let mut start = payload.len() - rest.len();
        let mut starts = vec![start];
        for &pattern in orbits.representatives() {
            start += entries(layout, rules, pattern.into()) * dictionary.width();
            starts.push(start);
        }
        if start != payload.len() {
            return Err(format!(
                "it should hold {start} bytes of tables and holds {}",
                payload.len()
            ));
        }
        let complete = Self { orbits, dictionary, starts };
        if origin == Origin::File && !complete.is_sound(layout, rules, payload) {
            return Err("it has distances that are not possible".into());
        }
        Ok(complete)
    }

    /// Whether every table is one that can be searched with.
    fn is_sound<D: Distance>(
        &self,
        layout: &Layout,
        rules: &TableRules<D>,
        payload: &[u8],
    ) -> bool {
        let (slots, mut proof) = (layout.slots(), Proof::new(layout, rules));
        let mut tables = self.orbits.representatives().iter().zip(self.starts.windows(2));
        tables.all(|(&pattern, bounds)| {
            let content = Content::from_pattern(layout.size(), pattern.into());
            let rows = proof.begin(&content);
            let entries = &payload[bounds[0]..bounds[1]];
            places(slots, rows).enumerate().all(|(index, (row, slot))| {
                let word = self.dictionary.decode(entries, index);
                word.is_some_and(|word| proof.holds(row, slot, word))
            })
        })
    }

    /// Fetches the table of a content, if it is there.
    pub fn fetch<D: Distance>(
        &self,
        payload: &[u8],
        subject: TableFor<'_, D>,
        memory: &mut MakerMemory<D>,
        table: &mut Table<D>,
    ) -> Option<()> {
        let TableFor { layout, content, .. } = subject;
        if content.is_weighted() {
            return None;
        }
        let (orbit, symmetry) = self.orbits.find(content.pattern())?;
        let entries = payload.get(self.starts[orbit]..self.starts[orbit + 1])?;
        let picture = Picture { complete: self, entries, layout, symmetry };
        if D::CELLS {
            picture.cells(subject, table)
        } else {
            picture.corners(orbit, subject, memory, table).then_some(())
        }
    }

    pub fn patterns(&self) -> usize {
        self.orbits.patterns()
    }

    pub fn distinct(&self) -> usize {
        self.orbits.representatives().len()
    }

    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.orbits.bytes() + self.dictionary.bytes() + self.starts.capacity() * 8
    }
}

/// A table in the file, seen through the symmetry that takes a content to its representative.
struct Picture<'a> {
    complete: &'a Complete,
    entries: &'a [u8],
    layout: &'a Layout,
    symmetry: Symmetry,
}

impl Picture<'_> {
    /// The slot of the representative that a slot of the content becomes.
    fn slots(&self) -> impl Fn(usize) -> usize {
        let last = self.layout.points().width - 1;
        let mut images = [0u8; 4 * super::symmetry::LARGEST as usize];
        for (slot, image) in images.iter_mut().enumerate().take(self.layout.slots()) {
            let (x, y) = self.symmetry.apply(self.layout.at(slot), last);
            *image = self.layout.slot(x, y).unwrap_or(0);
        }
        move |slot| images[slot].into()
    }

    fn word(&self, index: usize) -> Option<u64> {
        self.complete.dictionary.decode(self.entries, index)
    }

    fn cells<D: Distance>(
        &self,
        TableFor { rules, content, .. }: TableFor<'_, D>,
        table: &mut Table<D>,
    ) -> Option<()> {
        let (slots, image) = (self.layout.slots(), self.slots());
        table.begin(slots, self.layout.lanes(), &[], D::FAR, false);
        for from in 0..slots {
            let (x, y) = self.layout.at(from);
            if !content.is_free(x, y) {
                continue;
            }
            table.set(from, from, D::ZERO);
            for to in (0..slots).filter(|&to| to != from) {
                let word = self.word(pair(slots, image(from), image(to)))?;
                table.set(from, to, D::from_word(word, rules, content)?);
            }
        }
        Some(())
    }

    fn corners<D: Distance>(
        &self,
        orbit: usize,
        subject: TableFor<'_, D>,
        memory: &mut MakerMemory<D>,
        table: &mut Table<D>,
    ) -> bool {
        let TableFor { rules, content, .. } = subject;
        let (layout, image) = (self.layout, self.slots());
        let (slots, last) = (layout.slots(), layout.size().width);
        // The number of the turn at each point of the representative.
        const POINTS: usize = super::symmetry::LARGEST as usize + 1;
        let mut numbers = [[None; POINTS]; POINTS];
        let pattern = self.complete.orbits.representatives()[orbit];
        let original = Content::from_pattern(layout.size(), pattern.into());
        for (number, (x, y)) in turns(rules, &original).enumerate() {
            numbers[usize::from(y)][usize::from(x)] = Some(number);
        }
        let length = |index| f64::from_bits(self.word(index).unwrap_or(word::FAR));
        let slot = |from: usize, to: usize| {
            if from != to {
                return length(pair(slots, image(from), image(to)));
            }
            let (x, y) = layout.at(from);
            if content.quad(x, y) == 0 { f64::INFINITY } else { 0.0 }
        };
        let turn = |(x, y): (u8, u8), to: usize| {
            let (x, y) = self.symmetry.apply((x.into(), y.into()), last);
            let first = slots * (slots - 1) / 2;
            numbers[y as usize][x as usize]
                .map_or(f64::INFINITY, |turn| length(first + turn * slots + image(to)))
        };
        corners::restore(subject, memory, table, slot, turn)
    }
}
