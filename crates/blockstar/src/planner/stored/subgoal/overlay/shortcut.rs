//! Shortcuts: ways between two subgoals of a sector over others that are left out.
//!
//! What a search reads of those that begin at a subgoal, or in a sector, is side by side; what they
//! pass is apart from it.
//!
//! What a shortcut passes are subgoals with the [origin](Origin) of the way on from there; the first
//! word is for the subgoal where it begins. Most ways are those of a smaller sector, or of one in it,
//! where they were no single edge any more: a path is taken apart directly there, which takes a
//! tenth of the look-ups.

use super::super::graph::Edge;
use super::super::scan::Class;

/// No shortcut costs more, 46,000 cells, so that costs fit 28 bits, and a search can go on from every
/// cost below its ceiling.
pub(in super::super) const DEAREST: u32 = (1 << 28) - 1;

/// Where a way is that is used as it was found: 0 for an edge, or 1 + the level whose shortcut it is.
pub(super) type Origin = u8;

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
    fn to_words(self) -> Words {
        let Self { target, cost, first, last } = self;
        [target << 4 | u32::from(first), cost << 4 | u32::from(last)]
    }

    #[inline]
    pub(super) fn of_words(words: Words) -> Self {
        let ([target, cost], [first, last]) =
            (words.map(|word| word >> 4), words.map(|word| (word & 15) as u8));
        Self { target, cost, first, last }
    }
}

/// A way as words: its target and first class, its cost and last class.
pub(super) type Words = [u32; 2];

/// What a shortcut consists of.
pub(super) enum Course<'a> {
    /// It is used as it was found.
    Same(Origin),
    /// It passes these.
    Passes(&'a [u32]),
}

/// The shortcuts of a sector, those of one subgoal after those of another.
#[derive(Clone, Debug, Default)]
pub(super) struct Shortcuts {
    pub hops: Vec<Words>,
    /// For each where in the list of what they pass it begins and, in the lowest four bits, its
    /// origin, if it passes nothing.
    starts: Vec<u32>,
    passed: Vec<u32>,
}

impl Shortcuts {
    /// Adds a shortcut. `list` adds what it passes, unless it is used as it was found.
    pub fn push(&mut self, hop: Hop, origin: Origin, list: impl FnOnce(&mut Vec<u32>)) {
        self.hops.push(hop.to_words());
        self.starts.push((self.passed.len() as u32) << 4 | u32::from(origin));
        list(&mut self.passed);
    }

    pub fn course(&self, index: usize) -> Course<'_> {
        let start = |index: usize| self.starts.get(index).map(|word| (word >> 4) as usize);
        let from = start(index).unwrap_or(self.passed.len());
        let to = start(index + 1).unwrap_or(self.passed.len());
        match &self.passed[from..to] {
            [] => Course::Same(self.starts[index] as Origin & 15),
            passed => Course::Passes(passed),
        }
    }

    /// Gives subgoals other numbers.
    pub fn renumber(&mut self, numbers: &[u32]) {
        for word in self.hops.iter_mut().map(|words| &mut words[0]).chain(&mut self.passed) {
            *word = numbers[(*word >> 4) as usize] << 4 | (*word & 15);
        }
    }

    pub fn shrink(&mut self) {
        self.hops.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.passed.shrink_to_fit();
    }

    pub fn bytes(&self) -> usize {
        self.hops.capacity() * size_of::<Words>()
            + (self.starts.capacity() + self.passed.capacity()) * 4
    }
}

/// Where one can go from a subgoal.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Hops<'a> {
    Edges(&'a [Edge]),
    Shortcuts(&'a [Words]),
}

impl<'a> Hops<'a> {
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Hop> + Clone + 'a {
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
}

/// The class of the way back.
#[inline]
pub(super) const fn opposite(class: Class) -> Class {
    (class + 8) & 15
}
