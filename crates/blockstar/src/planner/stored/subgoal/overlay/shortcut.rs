//! Shortcuts: ways between two subgoals of a sector over others that are left out.
//!
//! A list of shortcuts is one list of words: three for each, then the subgoals that they pass. What
//! a search reads is side by side, and a list takes one place in memory.

use super::super::graph::Edge;
use super::super::scan::Class;

/// Words per shortcut.
pub(super) const WORDS: usize = 3;

/// No shortcut costs more, 46,000 cells, so that a search can go on from every cost below its
/// ceiling.
pub(in super::super) const DEAREST: u32 = 1 << 28;

/// How many subgoals a shortcut may pass, and all those of a list before it: 12 and 16 bits.
pub(super) const MOST_PASSED: usize = 0xfff;
pub(super) const MOST_BEFORE: usize = 0xffff;

/// A way to another subgoal: an edge, or several that are passed without a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Hop {
    pub target: u32,
    pub cost: u32,
    /// The classes of its first and of its last edge.
    pub first: Class,
    pub last: Class,
}

impl From<Edge> for Hop {
    #[inline]
    fn from(edge: Edge) -> Self {
        let (target, cost, class) = (edge.target(), edge.cost, edge.class());
        Self { target, cost, first: class, last: class }
    }
}

impl Hop {
    /// As words, with where the subgoals that it passes begin, and their number.
    pub(super) fn to_words(self, start: usize, len: usize) -> [u32; WORDS] {
        let tail = u32::from(self.last) | (len as u32) << 4 | (start as u32) << 16;
        [self.target << 4 | u32::from(self.first), self.cost, tail]
    }

    #[inline]
    pub(super) fn of_words([head, cost, tail]: [u32; WORDS]) -> Self {
        let [first, last] = [head, tail].map(|word| (word & 15) as u8);
        Self { target: head >> 4, cost, first, last }
    }
}

/// Where the subgoals that a shortcut passes are among those of its list.
pub(super) fn passed(words: [u32; WORDS]) -> std::ops::Range<usize> {
    let (start, len) = ((words[2] >> 16) as usize, (words[2] >> 4) as usize & MOST_PASSED);
    start..start + len
}

/// Where one can go from a subgoal.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Hops<'a> {
    Edges(&'a [Edge]),
    Shortcuts(&'a [[u32; WORDS]]),
}

impl<'a> Hops<'a> {
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Hop> + 'a {
        let len = match self {
            Hops::Edges(list) => list.len(),
            Hops::Shortcuts(list) => list.len(),
        };
        (0..len).map(move |index| match self {
            Hops::Edges(list) => list[index].into(),
            Hops::Shortcuts(list) => Hop::of_words(list[index]),
        })
    }
}

/// The class of the way back.
#[inline]
pub(super) const fn opposite(class: Class) -> Class {
    (class + 8) & 15
}
