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
use crate::grid::bits::ones;
use crate::sort;
use contraction::{Contraction, Outcome};
pub(super) use shortcut::DEAREST;
use shortcut::{Course, Hop, Hops, Origin, Shortcuts};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::{BitXor, Range};
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
    /// By level and number where the shortcuts of a subgoal are, with empty lists where it was left
    /// out. Those of numbers that edits have brought to a level are apart, by number and level.
    lists: Vec<Vec<List>>,
    late: BTreeMap<(u32, usize), List>,
    /// By sector.
    shortcuts: Vec<Shortcuts>,
    /// Those that edits have undone. To give the memory of the largest sectors back takes longer than
    /// an edit, so that is left for when there is time.
    undone: Vec<Shortcuts>,
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

/// Where the shortcuts of a subgoal are among those of its sector, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    count: u32,
}

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
        overlay.shortcuts = vec![Shortcuts::default(); first as usize];
        overlay.lists = vec![Vec::new(); overlay.levels.len()];
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

    /// The numbers of all subgoals in an order in which those are side by side that a search meets
    /// far from its ends: what is left at a higher level comes first. On caves of 4096 x 4096 cells
    /// that is one subgoal out of 22, so their labels are in 4 MB instead of 85.
    pub fn order(&self) -> Vec<u32> {
        let numbers = 0..self.lists.first().map_or(0, Vec::len) as u32;
        sort::numbers_by(numbers, |number| u32::MAX - self.height(number) as u32)
    }

    /// How many levels there are up to the highest at which a subgoal is left.
    fn height(&self, number: u32) -> usize {
        let is_left = |lists: &Vec<List>| lists[number as usize].count > 0;
        self.lists.iter().rposition(is_left).map_or(0, |level| level + 1)
    }

    /// Numbers subgoals by their places in such an order.
    pub fn renumber(&mut self, order: &[u32]) {
        let mut numbers = vec![0; order.len()];
        for (number, &before) in order.iter().enumerate() {
            numbers[before as usize] = number as u32;
        }
        self.shortcuts.iter_mut().for_each(|shortcuts| shortcuts.renumber(&numbers));
        let heights: Vec<usize> = order.iter().map(|&before| self.height(before)).collect();
        for (level, lists) in self.lists.iter_mut().enumerate() {
            let left = order.iter().zip(&heights).take_while(|(_, height)| **height > level);
            *lists = left.map(|(&before, _)| lists[before as usize]).collect();
        }
    }

    /// Makes all sectors, on some threads. Subgoals should be [renumbered](Self::order) then.
    pub fn build(&mut self, ground: &Ground, graph: &Graph, threads: usize) {
        for level in 0..self.levels.len() {
            self.lists[level] = vec![List::default(); graph.nodes.len()];
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
                self.put(level, sector, outcome);
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
            self.undone.pop();
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
                self.forget(ground, graph, level, sector);
                self.put(level, sector, outcome);
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
            (0..self.levels.len()).for_each(|level| self.set_list(number, level, List::default()));
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
            self.undone.push(std::mem::take(&mut self.shortcuts[sector as usize]));
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
            contraction.join(rank, self.hops_with_origins(graph, number, below));
        }
        contraction.line_up();
    }

    fn finish(&self, graph: &Graph, level: usize, contraction: &Contraction) -> Outcome {
        let sector = |number: u32| self.levels[level].sector(graph.node(number).cell());
        let crossing = |number: u32, list: &mut Vec<(Hop, Origin)>| {
            let below = self.level_below(graph, number, level);
            let hops = self.hops_with_origins(graph, number, below);
            list.extend(hops.filter(|(hop, _)| sector(hop.target) != sector(number)));
        };
        contraction.finish(crossing, |number| graph.node(number).by_row())
    }

    /// Forgets the lists of a sector.
    fn forget(&mut self, ground: &Ground, graph: &Graph, level: usize, sector: u32) {
        let mut numbers = Vec::new();
        self.subgoals_in(ground, graph, level, sector, |number, _| numbers.push(number));
        numbers.iter().for_each(|&number| self.set_list(number, level, List::default()));
    }

    /// Takes the shortcuts of a sector without lists into use.
    fn put(&mut self, level: usize, sector: u32, Outcome { left, shortcuts }: Outcome) {
        let mut start = 0;
        for &(number, count) in &left {
            self.set_list(number, level, List { start, count });
            start += count;
        }
        self.is_due[sector as usize] = false;
        if !left.is_empty() {
            self.shortcuts[sector as usize] = shortcuts;
            self.clock += 1;
            self.made[sector as usize] = self.clock;
        }
    }

    fn set_list(&mut self, number: u32, level: usize, list: List) {
        match self.lists[level].get_mut(number as usize) {
            Some(place) => *place = list,
            None if list.count > 0 => drop(self.late.insert((number, level), list)),
            None => drop(self.late.remove(&(number, level))),
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
                let list = self.list(graph, number, level);
                Hops::Shortcuts(list.map_or(&[], |(shortcuts, range)| &shortcuts.hops[range]))
            }
        }
    }

    /// The same with the origins that they have for larger sectors.
    fn hops_with_origins<'a>(
        &'a self,
        graph: &'a Graph,
        number: u32,
        level: Option<usize>,
    ) -> impl Iterator<Item = (Hop, Origin)> + 'a {
        let own = level.map_or(0, |level| 1 + level as Origin);
        let list = level.and_then(|level| self.list(graph, number, level));
        let hops = self.hops(graph, number, level).iter().enumerate();
        hops.map(move |(index, hop)| {
            let course = list.as_ref().map(|(all, range)| all.course(range.start + index));
            match course {
                None => (hop, 0),
                Some(Course::Same(origin)) => (hop, origin),
                Some(Course::Passes(_)) => (hop, own),
            }
        })
    }

    /// The shortcuts of the sector of a subgoal at a level where it is made, and which of them are
    /// the subgoal's; nothing if that is left out there.
    #[inline]
    fn list(&self, graph: &Graph, number: u32, level: usize) -> Option<(&Shortcuts, Range<usize>)> {
        let List { start, count } = match self.lists[level].get(number as usize) {
            Some(list) => *list,
            None => *self.late.get(&(number, level))?,
        };
        let sector = self.levels[level].sector(graph.node(number).cell());
        let range = start as usize..(start + count) as usize;
        let shortcuts = &self.shortcuts[sector as usize];
        (count > 0 && range.end <= shortcuts.hops.len()).then_some((shortcuts, range))
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
        let course = list.and_then(|(shortcuts, range)| {
            let mut hops = shortcuts.hops[range.clone()].iter();
            let index = hops.position(|words| Hop::of_words(*words).target == to)?;
            Some(shortcuts.course(range.start + index))
        });
        match course {
            None => visit([from, to]),
            Some(Course::Same(origin)) => self.retrace(graph, [from, to], origin, visit),
            Some(Course::Passes(passed)) => {
                // As in a search.
                let places = passed.iter().map(|word| graph.node(word >> 4).cell().0);
                black_box(places.fold(0, BitXor::bitxor));
                let mut end = to;
                for (index, word) in passed.iter().enumerate().rev() {
                    let here = if index == 0 { from } else { word >> 4 };
                    self.retrace(graph, [here, end], (word & 15) as Origin, visit);
                    end = here;
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let due: usize = self.due.iter().map(|list| list.capacity() * 4).sum();
        let lists: usize = self.lists.iter().map(Vec::capacity).sum();
        lists * size_of::<List>()
            + self.late.len() * size_of::<((u32, usize), List)>()
            + self.shortcuts.iter().chain(&self.undone).map(Shortcuts::bytes).sum::<usize>()
            + (self.shortcuts.capacity() + self.undone.capacity()) * size_of::<Shortcuts>()
            + due
            + self.made.capacity() * 4
            + self.is_due.capacity()
            + self.contraction.bytes()
    }
}
