//! The overlay: on large maps a search passes whole sectors in a few steps.
//!
//! After D. Delling, A. Goldberg, T. Pajor & R. Werneck, *Customizable Route Planning* (2011). The map
//! is divided into square sectors, these into four smaller ones and so on. In each sector subgoals
//! are [left out](contraction) for shortcuts, which keep the distances between those that stay, as
//! far as paths stay in the sector; subgoals with edges that leave it always stay. Larger sectors
//! begin with what the smaller ones have left. A [search](space) takes, wherever it is, the largest
//! sector that neither its start nor its goal has to do with, so far from both it meets few
//! subgoals. Answers are the shortest paths as without: shortcuts consist of edges.
//!
//! What is in a sector depends on the edges within it and on nothing else. So an edit undoes the few
//! sectors that it touched, of each size, and they are [made anew](Overlay::refresh) when there is
//! time; meanwhile searches take the smaller ones there, or the edges.

mod contraction;
mod shortcut;
pub(super) mod space;
#[cfg(test)]
mod tests;

use super::corners::{Corners, Ground};
use super::graph::Graph;
use super::repair::Repair;
use crate::engine::budget::Meter;
use crate::engine::parallel;
use crate::engine::pool::{Pool, Span};
use crate::grid::bits::ones;
use crate::sort;
use contraction::{Contraction, Outcome};
pub(super) use shortcut::DEAREST;
use shortcut::{Course, Hop, Hops, Origin, WORDS};
use std::sync::{Mutex, PoisonError};

/// Maps with fewer subgoals have no overlay.
const FEWEST: usize = 120_000;

/// The binary logarithm of the side of the smallest sectors.
const SMALLEST: u32 = 6;

/// The sectors of each size, and the shortcuts in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    /// From the smallest sectors up.
    levels: Vec<Level>,
    /// For each sector of all levels when it was made, or [`NEVER`].
    made: Vec<u32>,
    /// Counts how many were.
    clock: u32,
    /// The sectors that have yet to be made, also by level, and whether a sector is among them. If
    /// one is, those are that it lies in.
    due: Vec<Vec<u32>>,
    is_due: Vec<bool>,
    /// The lists of each subgoal by level, with empty ones where it was left out.
    subgoals: Vec<Span>,
    lists: Pool<List>,
    /// The words of these lists by sector.
    words: Vec<Vec<u32>>,
    /// The level and sector being made.
    under_way: Option<(usize, u32)>,
    contraction: Contraction,
}

/// A sector that is not made, or not worth it.
const NEVER: u32 = u32::MAX;

/// The sectors of one size.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The binary logarithm of a sector's side.
    shift: u32,
    /// The number of its first sector, how many are in a row, and how many there are.
    first: u32,
    columns: u32,
    count: u32,
}

impl Level {
    #[inline]
    fn sector(&self, (x, y): (u32, u32)) -> u32 {
        self.first + (y >> self.shift) * self.columns + (x >> self.shift)
    }
}

/// Where the shortcuts of a subgoal are among the words of its sector, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    count: u32,
}

/// There can be no more levels: sides of maps have 14 bits.
const MOST_LEVELS: usize = 16;

impl Overlay {
    /// The overlay for a map, all of which has yet to be made; nothing for maps that are better off
    /// without.
    pub fn due(ground: &Ground, graph: &Graph) -> Self {
        if graph.len() < FEWEST { Self::default() } else { Self::with_sectors(ground, SMALLEST) }
    }

    /// The same with sectors of any size, for any map. The largest are at most a quarter as large as
    /// the map.
    fn with_sectors(ground: &Ground, smallest: u32) -> Self {
        let (width, height) = ground.size();
        let mut overlay = Self::default();
        let mut first = 0;
        for shift in smallest..14 {
            if width.max(height) >> shift < 4 {
                break;
            }
            let [columns, rows] = [width, height].map(|side| side.div_ceil(1 << shift));
            overlay.levels.push(Level { shift, first, columns, count: columns * rows });
            overlay.due.push((first..first + columns * rows).collect());
            first += columns * rows;
        }
        overlay.made = vec![NEVER; first as usize];
        overlay.is_due = vec![true; first as usize];
        overlay.words = vec![Vec::new(); first as usize];
        overlay
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Whether all sectors are made that should be.
    #[cfg(test)]
    fn is_done(&self) -> bool {
        self.due.iter().all(Vec::is_empty)
    }

    /// Numbers subgoals so that those are side by side that a search meets far from its ends: the
    /// larger the sectors that a subgoal's edges leave, the lower its number. (Four times as many of
    /// them share a page of memory then; on caves of 4096 x 4096 cells queries take half the time.)
    pub fn renumber(&self, graph: &mut Graph) {
        if self.is_empty() {
            return;
        }
        let leaves = |number: u32| {
            let (x, y) = graph.node(number).cell();
            let edges = graph.edges(graph.node(number)).iter();
            let differ = edges.fold(0, |bits, edge| {
                let there = graph.node(edge.target()).cell();
                bits | (x ^ there.0) | (y ^ there.1)
            });
            self.levels.iter().filter(|level| differ >> level.shift != 0).count()
        };
        let numbers = 0..graph.nodes.len() as u32;
        let order = sort::numbers_by(numbers, |number| u32::MAX - leaves(number) as u32);
        graph.renumber(&order);
    }

    /// Makes all sectors, on some threads.
    pub fn build(&mut self, ground: &Ground, graph: &Graph, threads: usize) {
        for level in 0..self.levels.len() {
            let due = std::mem::take(&mut self.due[level]);
            let outcomes: Vec<Mutex<Outcome>> = due.iter().map(|_| Mutex::default()).collect();
            parallel::run(threads, due.len(), 1, &|_, _| (), &|queue| {
                let mut contraction = Contraction::default();
                while let Some(range) = queue.take() {
                    for index in range {
                        self.begin(ground, graph, level, due[index], &mut contraction);
                        while contraction.step() {}
                        let outcome = self.finish(graph, level, &contraction);
                        let place = outcomes[index].lock();
                        *place.unwrap_or_else(PoisonError::into_inner) = outcome;
                    }
                }
            });
            for (sector, outcome) in due.into_iter().zip(outcomes) {
                let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
                self.put(ground, graph, level, sector, outcome);
            }
        }
    }

    /// Makes sectors that are due until none is left, which is told, or the budget is spent. An
    /// expansion of the budget is a subgoal that is looked at whether it can be left out.
    pub fn refresh(&mut self, ground: &Ground, graph: &Graph, meter: &mut Meter) -> bool {
        let mut contraction = std::mem::take(&mut self.contraction);
        let done = loop {
            if meter.is_spent() {
                break false;
            }
            meter.pay();
            let Some((level, sector)) = self.under_way else {
                let Some(level) = self.due.iter().position(|due| !due.is_empty()) else {
                    break true;
                };
                let sector = *self.due[level].last().expect("it is not empty");
                self.begin(ground, graph, level, sector, &mut contraction);
                self.under_way = Some((level, sector));
                continue;
            };
            if !contraction.step() {
                let outcome = self.finish(graph, level, &contraction);
                self.under_way = None;
                self.due[level].retain(|&due| due != sector);
                self.put(ground, graph, level, sector, outcome);
            }
        };
        // Its memory is not worth keeping once all is done.
        self.contraction = if done { Contraction::default() } else { contraction };
        done
    }

    /// Undoes the sectors in which an edit has changed edges.
    pub fn repair(&mut self, graph: &Graph, edited: (u32, u32), repair: &Repair) {
        if self.is_empty() {
            return;
        }
        // Subgoals that are gone were next to the edited cell.
        for dx in 0..3 {
            for dy in 0..3 {
                let side =
                    |at: u32, shift: u32, most: u32| (at + shift).saturating_sub(1).min(most);
                let Level { shift, columns, count, .. } = self.levels[0];
                let [wide, tall] = [columns, count / columns].map(|side| (side << shift) - 1);
                self.undo((side(edited.0, dx, wide), side(edited.1, dy, tall)));
            }
        }
        for &number in &repair.added {
            self.clear(number);
        }
        for &number in &repair.touched {
            self.undo(graph.node(number).cell());
        }
    }

    /// Undoes the sectors around a cell.
    fn undo(&mut self, cell: (u32, u32)) {
        if self.under_way.is_some_and(|(level, sector)| self.levels[level].sector(cell) == sector) {
            self.under_way = None;
        }
        for (level, due) in self.levels.iter().zip(&mut self.due) {
            let sector = level.sector(cell);
            if std::mem::replace(&mut self.is_due[sector as usize], true) {
                // So are the larger ones.
                return;
            }
            self.made[sector as usize] = NEVER;
            self.words[sector as usize] = Vec::new();
            due.push(sector);
        }
    }

    /// Begins to make a sector of what the smaller ones in it have left.
    fn begin(
        &self,
        ground: &Ground,
        graph: &Graph,
        level: usize,
        sector: u32,
        contraction: &mut Contraction,
    ) {
        let mut subgoals = Vec::new();
        self.subgoals_in(ground, graph, level, sector, |number, corners| {
            let below = self.level_below(graph, number, level);
            if below.is_none_or(|below| self.list(graph, number, below).is_some()) {
                subgoals.push((number, corners));
            }
        });
        contraction.begin(subgoals.into_iter());
        for rank in 0..contraction.numbers().len() {
            let number = contraction.numbers()[rank];
            let below = self.level_below(graph, number, level);
            contraction.join(rank, self.hops(graph, number, below).with_origins(below));
        }
        contraction.line_up();
    }

    fn finish(&self, graph: &Graph, level: usize, contraction: &Contraction) -> Outcome {
        let sector = |number: u32| self.levels[level].sector(graph.node(number).cell());
        let crossing = |number: u32, list: &mut Vec<(Hop, Origin)>| {
            let below = self.level_below(graph, number, level);
            let hops = self.hops(graph, number, below).with_origins(below);
            list.extend(hops.filter(|(hop, _)| sector(hop.target) != sector(number)));
        };
        contraction.finish(crossing, |number| graph.node(number).by_row())
    }

    /// Takes the lists of a sector into use.
    fn put(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        level: usize,
        sector: u32,
        Outcome { lists, words }: Outcome,
    ) {
        let mut before = Vec::new();
        self.subgoals_in(ground, graph, level, sector, |number, _| {
            if self.lists_of(number).len() > level {
                before.push(number);
            }
        });
        before.iter().for_each(|&number| self.set_list(number, level, List::default()));
        let mut start = 0;
        for &(number, count, len) in &lists {
            self.set_list(number, level, List { start, count });
            start += len;
        }
        self.is_due[sector as usize] = false;
        if !lists.is_empty() {
            self.words[sector as usize] = words;
            self.clock += 1;
            self.made[sector as usize] = self.clock;
        }
    }

    fn set_list(&mut self, number: u32, level: usize, list: List) {
        if self.subgoals.len() <= number as usize {
            self.subgoals.resize(number as usize + 1, Span::EMPTY);
        }
        let span = &mut self.subgoals[number as usize];
        let mut lists = [List::default(); MOST_LEVELS];
        let len = span.len();
        lists[..len].copy_from_slice(self.lists.list(*span));
        lists[level] = list;
        let mut len = len.max(level + 1);
        while len > 0 && lists[len - 1].count == 0 {
            len -= 1;
        }
        self.lists.set(span, &lists[..len]);
    }

    /// The lists of a subgoal by level, as far as there are any.
    #[inline]
    fn lists_of(&self, number: u32) -> &[List] {
        self.subgoals.get(number as usize).map_or(&[], |&span| self.lists.list(span))
    }

    /// Forgets the lists of a number, which is another subgoal's now.
    fn clear(&mut self, number: u32) {
        if let Some(span) = self.subgoals.get_mut(number as usize) {
            self.lists.set(span, &[]);
        }
    }

    /// Calls `visit` with the subgoals in a sector, by row and column.
    fn subgoals_in(
        &self,
        ground: &Ground,
        graph: &Graph,
        level: usize,
        sector: u32,
        mut visit: impl FnMut(u32, Corners),
    ) {
        let Level { shift, first, columns, .. } = self.levels[level];
        let (width, height) = ground.size();
        let [left, top] = [(sector - first) % columns, (sector - first) / columns];
        let [left, top] = [left << shift, top << shift];
        let (right, bottom) = (width.min(left + (1 << shift)), height.min(top + (1 << shift)));
        for y in top..bottom {
            for x in (left..right).step_by(64) {
                let mut subgoals = ground.subgoals_from((x, y)) & ones((right - x).min(64));
                while subgoals != 0 {
                    let cell = (x + subgoals.trailing_zeros(), y);
                    subgoals &= subgoals - 1;
                    let number = graph.number(ground, cell);
                    visit(number, graph.node(number).corners());
                }
            }
        }
    }

    /// The highest level below another one at which the sector of a subgoal is made.
    fn level_below(&self, graph: &Graph, number: u32, level: usize) -> Option<usize> {
        let cell = graph.node(number).cell();
        let made = |level: &Level| self.made[level.sector(cell) as usize] != NEVER;
        self.levels[..level].iter().rposition(made)
    }

    /// Where one can go from a subgoal at a level, or without.
    #[inline]
    fn hops<'a>(&'a self, graph: &'a Graph, number: u32, level: Option<usize>) -> Hops<'a> {
        match level {
            None => Hops::Edges(graph.edges(graph.node(number))),
            Some(level) => {
                Hops::Shortcuts(self.list(graph, number, level).map_or(&[], |list| list.0))
            }
        }
    }

    /// The shortcuts of a subgoal at a level where its sector is made, and what they pass; nothing
    /// if it is left out there.
    #[inline]
    fn list(&self, graph: &Graph, number: u32, level: usize) -> Option<(&[[u32; WORDS]], &[u32])> {
        let List { start, count } = *self.lists_of(number).get(level)?;
        let sector = self.levels[level].sector(graph.node(number).cell());
        let words = self.words[sector as usize].get(start as usize..)?;
        let (shortcuts, passed) = words.split_at_checked(WORDS * count as usize)?;
        (count > 0).then_some((shortcuts.as_chunks().0, passed))
    }

    /// Calls `visit` with the edges that a way from one subgoal to another consists of, from the last
    /// to the first.
    fn retrace(
        &self,
        graph: &Graph,
        [from, to]: [u32; 2],
        origin: Origin,
        visit: &mut dyn FnMut([u32; 2]),
    ) {
        let level = usize::from(origin).checked_sub(1);
        let list = level.and_then(|level| self.list(graph, from, level));
        let found = list.and_then(|(shortcuts, all)| {
            let words = shortcuts.iter().find(|words| Hop::of_words(**words).target == to)?;
            Some((Course::of_words(*words), all))
        });
        match found {
            None => visit([from, to]),
            Some((Course::Same(origin), _)) => self.retrace(graph, [from, to], origin, visit),
            Some((Course::Passes(range), all)) => {
                let mut end = to;
                for (index, word) in all[range].iter().enumerate().rev() {
                    let here = if index == 0 { from } else { word >> 4 };
                    self.retrace(graph, [here, end], (word & 15) as Origin, visit);
                    end = here;
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let due: usize = self.due.iter().map(|list| list.capacity() * 4).sum();
        self.subgoals.capacity() * size_of::<Span>()
            + self.lists.bytes()
            + self.words.iter().map(|words| words.capacity() * 4).sum::<usize>()
            + self.words.capacity() * size_of::<Vec<u32>>()
            + due
            + self.made.capacity() * 4
            + self.is_due.capacity()
            + self.contraction.bytes()
    }
}
