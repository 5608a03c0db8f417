//! Where units are going: a goal, the distances to it that they share, and the cells around it that
//! they will stand on.
//!
//! Cells are given out in the order of their distance from the goal, along ways that can be walked,
//! to units as they come near. So those who come first stand in the middle, and the crowd is as
//! round as the ground permits. Of the cells in the present ring a unit gets the one nearest to it.

use crate::claims::Claims;
use crate::field::Field;
use crate::id::Slots;
use crate::layer::Layer;
use crate::measure::{DIAGONAL, STRAIGHT, apart, may_step, stepped, steps};
use crate::pack::{Pack, Reader, packed};
use blockstar::{Cell, Rect, sort};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

/// The width of a ring: cells within it are as good as each other.
const RING: u32 = STRAIGHT * 3 / 2;

/// The cells around a goal, by distance.
#[derive(Clone, Debug, Default)]
struct Flood {
    /// Those found, nearest first.
    order: Vec<(u32, Cell)>,
    /// The first that may be free.
    first: u32,
    open: BinaryHeap<Reverse<(u32, Cell)>>,
    seen: BTreeMap<Cell, u32>,
}

impl Pack for BinaryHeap<Reverse<(u32, Cell)>> {
    fn pack(&self, out: &mut Vec<u8>) {
        let mut entries: Vec<(u32, Cell)> = self.iter().map(|&Reverse(entry)| entry).collect();
        sort::ascending(&mut entries);
        entries.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some(Vec::<(u32, Cell)>::unpack(from)?.into_iter().map(Reverse).collect())
    }
}

packed!(Flood { order, first, open, seen });

impl Flood {
    fn new(sources: &[Cell]) -> Self {
        let mut flood = Self::default();
        for &source in sources {
            flood.seen.insert(source, 0);
            flood.open.push(Reverse((0, source)));
        }
        flood
    }

    /// Finds the next cell; false if there are no more.
    fn grow(&mut self, layer: &Layer) -> bool {
        let rule = layer.rule();
        while let Some(Reverse((distance, cell))) = self.open.pop() {
            if self.seen.get(&cell) != Some(&distance) {
                continue;
            }
            if layer.grid.is_free(cell) {
                self.order.push((distance, cell));
            }
            for &step in steps(rule) {
                if !may_step(&layer.grid, rule, cell, step) {
                    continue;
                }
                let cost = if step.0 != 0 && step.1 != 0 { DIAGONAL } else { STRAIGHT };
                let Some(next) = stepped(cell, step) else { continue };
                let sum = distance.saturating_add(cost);
                let known = self.seen.entry(next).or_insert(u32::MAX);
                if sum < *known {
                    *known = sum;
                    self.open.push(Reverse((sum, next)));
                }
            }
            return true;
        }
        false
    }
}

/// A goal that units go to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub layer: u16,
    /// Sorted.
    pub sources: Vec<Cell>,
    /// Who is on the way there or stands there.
    pub members: u32,
    pub field: Option<Field>,
    /// The distance of the nearest free cell, as far as it is known.
    pub ring: u32,
    /// The number of the last edit that the cells around the goal are right for.
    edition: u64,
    flood: Flood,
}

packed!(Place { layer, sources, members, field, ring, edition, flood });

impl Place {
    /// The cell that a unit gets, if there is one and the budget suffices to find it.
    pub fn choose(
        &mut self,
        layer: &Layer,
        claims: &Claims,
        unit: u32,
        from: Cell,
        budget: &mut u32,
    ) -> Option<Cell> {
        let size = layer.size;
        let rule = layer.rule();
        loop {
            let Some(&(distance, cell)) = self.flood.order.get(self.flood.first as usize) else {
                if *budget == 0 {
                    return None;
                }
                *budget -= 1;
                if self.flood.grow(layer) {
                    continue;
                }
                return None;
            };
            if claims.is_free(cell, size, unit) && layer.grid.is_free(cell) {
                self.ring = distance;
                break;
            }
            self.flood.first += 1;
        }
        // The goal itself is better than what is next to it.
        let end = if self.ring == 0 { 0 } else { self.ring.saturating_add(RING) };
        while self.flood.order.last().is_some_and(|&(distance, _)| distance <= end) {
            if *budget == 0 {
                break;
            }
            *budget -= 1;
            if !self.flood.grow(layer) {
                break;
            }
        }
        let ring = self.flood.order[self.flood.first as usize..].iter();
        let ring = ring.take_while(|&&(distance, _)| distance <= end).map(|&(_, cell)| cell);
        let free =
            ring.filter(|&cell| claims.is_free(cell, size, unit) && layer.grid.is_free(cell));
        free.min_by_key(|&cell| apart(rule, from, cell))
    }

    /// Somebody has left: cells near the goal may be free again.
    pub fn look_again(&mut self) {
        self.flood.first = 0;
        self.ring = 0;
    }

    /// Looks whether the ground around the goal has changed since this was asked last: places are
    /// many, so an edit does not look for those that it concerns.
    pub fn follow(&mut self, changes: &Changes) {
        let since = std::mem::replace(&mut self.edition, changes.edition);
        if since < changes.edition && changes.touch(since, self.layer, &self.flood.seen) {
            self.flood = Flood::new(&self.sources);
            self.ring = 0;
        }
    }

    /// Refuses what was read and does not belong to a map.
    pub fn check(&self, grid: &blockstar::Grid) -> Option<()> {
        let inside = |cell: Cell| grid.contains(cell);
        let flood = &self.flood;
        let good = flood.order.iter().all(|&(_, cell)| inside(cell))
            && flood.open.iter().all(|Reverse((_, cell))| inside(*cell))
            && flood.seen.keys().all(|&cell| inside(cell))
            && flood.first as usize <= flood.order.len();
        good.then_some(())
    }

    pub fn bytes(&self) -> usize {
        self.field.as_ref().map_or(0, Field::bytes) + self.flood.order.len() * 48
    }
}

/// Where layers have changed lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// The number of the last edit.
    edition: u64,
    /// The number of the last edit that is not remembered any more.
    forgotten: u64,
    /// The numbers of edits, layers, and where.
    list: VecDeque<(u64, u16, Rect)>,
}

packed!(Changes { edition, forgotten, list });

/// The most changes that are remembered.
const MOST_CHANGES: usize = 512;

impl Changes {
    pub fn note(&mut self, edition: u64, layer: u16, rect: Rect) {
        self.edition = edition;
        if self.list.len() == MOST_CHANGES {
            self.forgotten = self.list.pop_front().map_or(edition, |change| change.0);
        }
        self.list.push_back((edition, layer, rect));
    }

    /// Where something has changed.
    pub fn rects(&self) -> impl Iterator<Item = Rect> {
        self.list.iter().map(|change| change.2)
    }

    /// Whether something has changed in or beside some cells since an edit.
    fn touch(&self, since: u64, layer: u16, cells: &BTreeMap<Cell, u32>) -> bool {
        let news = self.list.iter().rev().take_while(|change| change.0 > since);
        since < self.forgotten
            || news.filter(|change| change.1 == layer).any(|&(_, _, rect)| {
                let around = crate::layer::grown(rect, 1, u32::MAX, u32::MAX);
                around.cells().any(|cell| cells.contains_key(&cell))
            })
    }
}

/// All places that units are going to.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    slots: Slots<Place>,
    index: BTreeMap<(u16, Vec<Cell>), u32>,
    /// Those with a field.
    shared: BTreeSet<u32>,
}

impl Places {
    pub const fn new() -> Self {
        Self { slots: Slots::new(), index: BTreeMap::new(), shared: BTreeSet::new() }
    }

    /// Gives a place a field.
    pub fn share(&mut self, number: u32, field: Field) {
        if let Some(place) = self.slots.get_mut(number) {
            place.field = Some(field);
            self.shared.insert(number);
        }
    }

    /// The places that have a field.
    pub const fn shared(&self) -> &BTreeSet<u32> {
        &self.shared
    }

    /// The place of a goal, which gets one more member.
    pub fn enter(&mut self, layer: u16, sources: Vec<Cell>, edition: u64) -> u32 {
        let key = (layer, sources);
        let number = match self.index.get(&key) {
            Some(&number) => number,
            None => {
                let number = self.slots.next().map_or(u32::MAX, |next| next.0);
                let sources = key.1.clone();
                let flood = Flood::new(&sources);
                self.slots.put(Place {
                    layer,
                    sources,
                    members: 0,
                    field: None,
                    ring: 0,
                    edition,
                    flood,
                });
                self.index.insert(key, number);
                number
            }
        };
        if let Some(place) = self.slots.get_mut(number) {
            place.members += 1;
        }
        number
    }

    /// A member leaves; a place without members is forgotten.
    pub fn leave(&mut self, number: u32) {
        let Some(place) = self.slots.get_mut(number) else { return };
        place.members = place.members.saturating_sub(1);
        if place.members == 0
            && let Some(place) = self.slots.take(number)
        {
            self.index.remove(&(place.layer, place.sources));
            self.shared.remove(&number);
        }
    }

    #[inline]
    pub fn get(&self, number: u32) -> Option<&Place> {
        self.slots.get(number)
    }

    pub fn get_mut(&mut self, number: u32) -> Option<&mut Place> {
        self.slots.get_mut(number)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Place)> {
        self.slots.iter()
    }
}

impl Pack for Places {
    fn pack(&self, out: &mut Vec<u8>) {
        self.slots.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let slots = Slots::<Place>::unpack(from)?;
        let (mut index, mut shared) = (BTreeMap::new(), BTreeSet::new());
        for (number, place) in slots.iter() {
            index.insert((place.layer, place.sources.clone()), number);
            if place.field.is_some() {
                shared.insert(number);
            }
        }
        Some(Self { slots, index, shared })
    }
}
