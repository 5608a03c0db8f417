//! Names of things that come and go.
//!
//! A name is a slot and a generation. Slots are used again, the lowest free one first, so columns
//! stay dense and do not depend on memory addresses; a generation never comes back, so an old name
//! is recognised as such and never names another thing.

use crate::pack::{Pack, Reader};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            slot: u32,
            generation: NonZeroU32,
        }

        impl $name {
            pub(crate) const fn new(slot: u32, generation: NonZeroU32) -> Self {
                Self { slot, generation }
            }

            /// The place in the columns.
            pub const fn slot(self) -> u32 {
                self.slot
            }

            /// How often the slot has been used, from 1.
            pub const fn generation(self) -> u32 {
                self.generation.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}.{}"), self.slot, self.generation)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                self.slot.pack(out);
                self.generation.get().pack(out);
            }

            fn unpack(from: &mut Reader<'_>) -> Option<Self> {
                let slot = u32::unpack(from)?;
                Some(Self { slot, generation: NonZeroU32::new(u32::unpack(from)?)? })
            }
        }
    };
}

id! {
    /// The name of a unit.
    UnitId, "unit"
}
id! {
    /// The name of a group of units.
    GroupId, "group"
}

/// The name of an order: later ones have larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub(crate) u64);

impl OrderId {
    /// The number of the order, from 1.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Pack for OrderId {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        u64::unpack(from).map(Self)
    }
}

/// Things by slot.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    entries: Vec<(NonZeroU32, Option<T>)>,
    free: BTreeSet<u32>,
}

impl<T> Slots<T> {
    pub const fn new() -> Self {
        Self { entries: Vec::new(), free: BTreeSet::new() }
    }

    /// The slot and generation that the next thing will have.
    pub fn next(&self) -> Option<(u32, NonZeroU32)> {
        match self.free.first() {
            Some(&slot) => Some((slot, self.entries[slot as usize].0)),
            None => Some((u32::try_from(self.entries.len()).ok()?, NonZeroU32::MIN)),
        }
    }

    /// Puts a thing where [`next`](Self::next) said.
    pub fn put(&mut self, item: T) {
        match self.free.pop_first() {
            Some(slot) => self.entries[slot as usize].1 = Some(item),
            None => self.entries.push((NonZeroU32::MIN, Some(item))),
        }
    }

    pub fn take(&mut self, slot: u32) -> Option<T> {
        let entry = self.entries.get_mut(slot as usize)?;
        let item = entry.1.take()?;
        // A slot whose generations are used up is never used again.
        if let Some(next) = entry.0.checked_add(1) {
            entry.0 = next;
            self.free.insert(slot);
        }
        Some(item)
    }

    #[inline]
    pub fn get(&self, slot: u32) -> Option<&T> {
        self.entries.get(slot as usize)?.1.as_ref()
    }

    #[inline]
    pub fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.entries.get_mut(slot as usize)?.1.as_mut()
    }

    pub fn generation(&self, slot: u32) -> Option<NonZeroU32> {
        self.entries.get(slot as usize).filter(|entry| entry.1.is_some()).map(|entry| entry.0)
    }

    /// How many slots there are, free ones included.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// How many things there are.
    pub fn count(&self) -> usize {
        self.entries.iter().filter(|entry| entry.1.is_some()).count()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let all = self.entries.iter().enumerate();
        all.filter_map(|(slot, entry)| Some((slot as u32, entry.1.as_ref()?)))
    }
}

impl<T: Pack> Pack for Slots<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        (self.entries.len() as u32).pack(out);
        for (generation, item) in &self.entries {
            generation.get().pack(out);
            item.pack(out);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.count(5)?;
        let mut slots = Self { entries: Vec::with_capacity(count), free: BTreeSet::new() };
        for slot in 0..count as u32 {
            let generation = NonZeroU32::new(u32::unpack(from)?)?;
            let item = Option::<T>::unpack(from)?;
            if item.is_none() && generation < NonZeroU32::MAX {
                slots.free.insert(slot);
            }
            slots.entries.push((generation, item));
        }
        Some(slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again_with_another_generation() {
        let mut slots = Slots::new();
        for name in ["a", "b", "c"] {
            slots.put(name);
        }
        slots.take(2);
        slots.take(0);
        assert_eq!(slots.next(), Some((0, NonZeroU32::new(2).unwrap())));
        slots.put("d");
        assert_eq!((slots.get(0), slots.get(2), slots.count()), (Some(&"d"), None, 2));
        assert_eq!(slots.take(7), None);
    }
}
