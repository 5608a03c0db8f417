//! Shortcuts: ways between two subgoals of a sector over others that are left out.
//!
//! A list of shortcuts is one list of words: three for each, then what they pass. What a search reads
//! is side by side, and a list takes one place in memory.
//!
//! What a shortcut passes are subgoals with the [origin](Origin) of the way on from there; the first
//! word is for the subgoal where it begins. Most ways are those of a smaller sector, or of one in it,
//! where they were no single edge any more: a path is taken apart directly there, which takes a
//! tenth of the look-ups.

use super::super::graph::Edge;
use super::super::scan::Class;

/// Words per shortcut.
pub(super) const WORDS: usize = 3;

/// No shortcut costs more, 46,000 cells, so that a search can go on from every cost below its
/// ceiling.
pub(in super::super) const DEAREST: u32 = 1 << 28;

/// Where a way is that is used as it was found: 0 for an edge, or 1 + the level whose shortcut it is.
pub(super) type Origin = u8;

/// How many words a shortcut may take for what it passes, and all those of a list before it: 12 and
/// 16 bits.
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
    /// As words, with where what it passes begins, and its length; or its origin, and 0.
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

/// What a shortcut consists of.
pub(super) enum Course {
    /// It is used as it was found.
    Same(Origin),
    /// What it passes is here in its list.
    Passes(std::ops::Range<usize>),
}

impl Course {
    pub fn of_words(words: [u32; WORDS]) -> Self {
        let (start, len) = ((words[2] >> 16) as usize, (words[2] >> 4) as usize & MOST_PASSED);
        if len == 0 { Self::Same(start as Origin & 15) } else { Self::Passes(start..start + len) }
    }
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
        (0..self.len()).map(move |index| match self {
            Hops::Edges(list) => list[index].into(),
            Hops::Shortcuts(list) => Hop::of_words(list[index]),
        })
    }

    #[inline]
    fn len(self) -> usize {
        match self {
            Hops::Edges(list) => list.len(),
            Hops::Shortcuts(list) => list.len(),
        }
    }

    /// The same with the origins that they have for larger sectors.
    pub(super) fn with_origins(
        self,
        level: Option<usize>,
    ) -> impl Iterator<Item = (Hop, Origin)> + 'a {
        let own = level.map_or(0, |level| 1 + level as Origin);
        self.iter().enumerate().map(move |(index, hop)| match self {
            Hops::Edges(_) => (hop, 0),
            Hops::Shortcuts(list) => match Course::of_words(list[index]) {
                Course::Same(origin) => (hop, origin),
                Course::Passes(_) => (hop, own),
            },
        })
    }
}

/// The class of the way back.
#[inline]
pub(super) const fn opposite(class: Class) -> Class {
    (class + 8) & 15
}
