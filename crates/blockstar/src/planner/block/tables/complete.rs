//! The tables of all patterns of a block of at most 4 x 4 cells: the database of the paper.
//!
//! Of patterns that are turned or mirrored images of each other one is kept ([`Orbits`]), of 65,536
//! patterns 8,548. Under the rules there are a way costs the same in both directions, so each pair of
//! slots is kept once; a kind for which that does not hold would keep both, as
//! [`Collected`](super::collected::Collected) does. After the pairs come, for corners, the distances
//! from each turn to each slot. The ways themselves are told from the distances.

use super::palette::Palette;
use super::symmetry::{Orbits, Symmetry};
use super::word::{self, Range};
use super::{Content, Layout, Measure, Pricing, Table, Workshop, corners, turns};
use crate::engine::parallel;

/// The tables of all patterns; where they are is in the bytes of a file.
#[derive(Debug)]
pub(super) struct Complete {
    orbits: Orbits,
    palette: Palette,
    /// Where the entries of each orbit begin in the payload, and their end.
    starts: Vec<usize>,
}

/// How many entries a table has in the file.
fn entries<D: Measure>(layout: &Layout, pricing: &Pricing<D>, pattern: u32) -> usize {
    let (slots, content) = (layout.slots(), Content::from_pattern(layout.side(), pattern));
    slots * (slots - 1) / 2 + turns(pricing, &content).count() * slots
}

/// The entry of a pair of slots.
#[inline]
fn pair(slots: usize, a: usize, b: usize) -> usize {
    let (a, b) = (a.min(b), a.max(b));
    a * (2 * slots - a - 1) / 2 + (b - a - 1)
}

impl Complete {
    /// Makes all tables and gives them as the payload of a file.
    pub fn build<D: Measure>(
        layout: &Layout,
        pricing: &Pricing<D>,
        progress: &dyn Fn(usize, usize),
    ) -> Vec<u8> {
        let orbits = Orbits::new(layout.side());
        let slots = layout.slots();
        let patterns = orbits.representatives();
        type Memory<D> = (Workshop<D>, Table<D>);
        let tables = parallel::share(patterns.len(), progress, |memory: &mut Memory<D>, orbit| {
            let (workshop, table) = memory;
            let content = Content::from_pattern(layout.side(), patterns[orbit].into());
            D::make(layout, pricing, &content, workshop, table);
            let pairs = (0..slots).flat_map(|a| (a + 1..slots).map(move |b| (a, b)));
            let turns =
                (slots..slots + table.turns()).flat_map(|t| (0..slots).map(move |b| (t, b)));
            let word =
                |(row, slot): (usize, usize)| table.row(row)[slot].to_word(pricing, &content);
            pairs.chain(turns).map(word).collect::<Vec<u64>>()
        });
        let palette = Palette::new(tables.iter().map(Vec::as_slice));
        let mut payload = Vec::new();
        palette.write(&mut payload);
        tables.iter().flatten().for_each(|&word| palette.encode(word, &mut payload));
        payload
    }

    /// What a payload holds, if it holds that.
    pub fn read<D: Measure>(
        layout: &Layout,
        pricing: &Pricing<D>,
        payload: &[u8],
    ) -> Result<Self, String> {
        let mut rest = payload;
        let palette = Palette::read(&mut rest).ok_or("its list of distances makes no sense")?;
        let orbits = Orbits::new(layout.side());
        let mut start = payload.len() - rest.len();
        let mut starts = vec![start];
        for &pattern in orbits.representatives() {
            start += entries(layout, pricing, pattern.into()) * palette.width();
            starts.push(start);
        }
        if start != payload.len() {
            return Err(format!(
                "it should hold {start} bytes of tables and holds {}",
                payload.len()
            ));
        }
        let range = Range::new(pricing.moves, false);
        let sound = (0..rest.len() / palette.width())
            .all(|index| palette.decode(rest, index).is_some_and(|word| range.holds(word)));
        if !sound {
            return Err("it has distances that are not possible".into());
        }
        Ok(Self { orbits, palette, starts })
    }

    /// Gets the table for a content; false if it is not there.
    pub fn fetch<D: Measure>(
        &self,
        payload: &[u8],
        layout: &Layout,
        pricing: &Pricing<D>,
        content: &Content,
        workshop: &mut Workshop<D>,
        table: &mut Table<D>,
    ) -> bool {
        if content.is_weighted() {
            return false;
        }
        let Some((orbit, symmetry)) = self.orbits.find(content.pattern()) else { return false };
        let Some(entries) = payload.get(self.starts[orbit]..self.starts[orbit + 1]) else {
            return false;
        };
        let picture = Picture { complete: self, entries, layout, symmetry };
        if D::CELLS {
            picture.cells(pricing, content, table).is_some()
        } else {
            picture.corners(orbit, pricing, content, workshop, table)
        }
    }

    pub fn patterns(&self) -> usize {
        self.orbits.patterns()
    }

    pub fn distinct(&self) -> usize {
        self.orbits.representatives().len()
    }

    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.orbits.bytes() + self.palette.bytes() + self.starts.capacity() * 8
    }
}

/// A table in the file, seen by way of the symmetry that takes a content to its representative.
struct Picture<'a> {
    complete: &'a Complete,
    entries: &'a [u8],
    layout: &'a Layout,
    symmetry: Symmetry,
}

impl Picture<'_> {
    /// The slot of the representative that a slot of the content becomes.
    fn slots(&self) -> impl Fn(usize) -> usize {
        let last = self.layout.points() - 1;
        let mut images = [0u8; 4 * super::symmetry::LARGEST as usize];
        for (slot, image) in images.iter_mut().enumerate().take(self.layout.slots()) {
            let (x, y) = self.symmetry.apply(self.layout.at(slot), last);
            *image = self.layout.slot(x, y).unwrap_or(0);
        }
        move |slot| images[slot].into()
    }

    fn word(&self, index: usize) -> Option<u64> {
        self.complete.palette.decode(self.entries, index)
    }

    fn cells<D: Measure>(
        &self,
        pricing: &Pricing<D>,
        content: &Content,
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
                table.set(from, to, D::from_word(word, pricing, content)?);
            }
        }
        Some(())
    }

    fn corners<D: Measure>(
        &self,
        orbit: usize,
        pricing: &Pricing<D>,
        content: &Content,
        workshop: &mut Workshop<D>,
        table: &mut Table<D>,
    ) -> bool {
        let (layout, image) = (self.layout, self.slots());
        let (slots, last) = (layout.slots(), layout.side());
        // The number of the turn at each point of the representative.
        const POINTS: usize = super::symmetry::LARGEST as usize + 1;
        let mut numbers = [[None; POINTS]; POINTS];
        let pattern = self.complete.orbits.representatives()[orbit];
        let original = Content::from_pattern(layout.side(), pattern.into());
        for (number, (x, y)) in turns(pricing, &original).enumerate() {
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
        corners::restore(layout, pricing, content, workshop, table, slot, turn)
    }
}
