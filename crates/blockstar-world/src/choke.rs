//! A choke: a narrow passage between wide ground, and whose turn it is to go through.
//!
//! A cell is narrow if few free cells lie in a row through it, across or down. A choke is a
//! connected set of narrow cells whose surroundings, cut off from the rest of the map, fall into
//! several sides: a gate, a bridge, a corridor; not the gap between two rocks that one can walk
//! around. It is found where somebody is held up, by a small search, and forgotten when it is no
//! longer used.
//!
//! As long as units come from one side only, nothing happens. Where crowds come from several sides,
//! each in its turn has the passage for itself, and the others wait before they get into its mouth.

use crate::layer::grown;
use crate::measure::{STEPS, stepped};
use blockstar::{Cell, Grid, Rect};
use std::collections::BTreeMap;

/// The most free cells in a row through a narrow cell.
const NARROW: u32 = 4;

/// How far from the passage others wait, in cells. Two crowds of 200 pass each other through a gate
/// of one cell in 7,564 ticks without metering, in 5,492 with 6 cells, in 3,704 with 12 and in 3,711
/// with 14; one after the other they would take 3,700.
pub(crate) const COURT: u32 = 12;

/// The most cells of a passage, and of the rectangle around it with its surroundings.
const MOST_CELLS: usize = 256;
const MOST_AROUND: u64 = 4096;

/// A turn lasts so many steps for each cell of the passage and its courts, from end to end.
const TURN: u64 = 6;

/// A choke that nobody came near for so many ticks is forgotten.
const FORGOTTEN: u64 = 1024;

/// What a cell is to a choke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Elsewhere,
    Passage,
    Side(u8),
}

/// The part of a choke that the map decides.
#[derive(Clone, Debug)]
struct Passage {
    around: Rect,
    parts: Vec<Part>,
    sides: u8,
    /// In cells.
    length: u32,
    width: u32,
}

/// A narrow passage.
#[derive(Clone, Debug)]
pub(crate) struct Choke {
    pub layer: u16,
    /// A cell of the passage: where it was found.
    pub seed: Cell,
    passage: Passage,
    pub turn: Turn,
}

/// Whose turn it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    side: u8,
    since: u64,
    /// When it was last of use.
    used: u64,
    /// From which side units came that are in it or near it.
    from: BTreeMap<u32, u8>,
}

crate::pack::packed!(Turn { side, since, used, from });

/// Who is at a choke, by the side from which they come.
#[derive(Default)]
struct Crowds {
    /// Before it, on the way in.
    waiting: Vec<Vec<u32>>,
    inside: Vec<Vec<u32>>,
}

impl Choke {
    /// The choke that a cell belongs to, if it does. What is looked at is counted off.
    pub fn find(grid: &Grid, layer: u16, seed: Cell, tick: u64, work: &mut u32) -> Option<Self> {
        let passage = Passage::find(grid, seed, work)?;
        let turn = Turn { since: tick, used: tick, ..Turn::default() };
        Some(Self { layer, seed, passage, turn })
    }

    /// Whether a change of the map may be one of the choke.
    pub fn is_touched(&self, rect: Rect) -> bool {
        let near = grown(self.passage.around, NARROW + 1, u32::MAX, u32::MAX);
        let apart = |a: u32, n: u32, b: u32, m: u32| a + n <= b || b + m <= a;
        !apart(near.x, near.width, rect.x, rect.width)
            && !apart(near.y, near.height, rect.y, rect.height)
    }

    /// The cells that are watched.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.passage.around.cells()
    }

    pub fn part(&self, cell: Cell) -> Part {
        self.passage.part(cell)
    }

    /// Whether a turn that was read makes sense.
    pub fn permits(&self, turn: &Turn, tick: u64) -> bool {
        let sides = self.passage.sides;
        turn.since.max(turn.used) <= tick
            && turn.side < sides
            && turn.from.values().all(|&side| side < sides)
    }

    /// Takes note of who is where, and tells who is to wait; `enters` tells whether a unit before
    /// the passage is on its way in, `period` the ticks of a step. None if it is no longer used.
    pub fn meter(
        &mut self,
        units: &[(u32, Cell)],
        enters: impl Fn(u32) -> bool,
        tick: u64,
        period: u64,
    ) -> Option<Vec<u32>> {
        let crowds = self.count(units, enters);
        let Turn { side, since, used, .. } = &mut self.turn;
        let all = || 0..crowds.waiting.len();
        let size = |side: usize| crowds.waiting[side].len() + crowds.inside[side].len();
        if all().any(|side| size(side) > 0) {
            *used = tick;
        } else if tick > *used + FORGOTTEN {
            return None;
        }
        // A few units pass each other where there is room for two.
        let few = 2 * (self.passage.width as usize - 1);
        let crowded = all().filter(|&side| size(side) > few).count();
        if crowded < 2 {
            *since = tick;
            return Some(Vec::new());
        }
        let turn = TURN * u64::from(self.passage.length + 2 * COURT) * period;
        let next = all().map(|by| (usize::from(*side) + 1 + by) % crowds.waiting.len());
        if (size(usize::from(*side)) == 0 || tick >= *since + turn)
            && let Some(next) = { next }.find(|&side| size(side) > 0)
        {
            (*side, *since) = (next as u8, tick);
        }
        let first = usize::from(*side);
        let mut held = Vec::new();
        for other in all().filter(|&other| other != first) {
            held.extend(&crowds.waiting[other]);
            // Two columns inside: one goes back. Otherwise the others are let out first.
            if !crowds.inside[first].is_empty() {
                held.extend(&crowds.inside[other]);
            }
        }
        let opposed = all().any(|other| other != first && !crowds.inside[other].is_empty());
        if opposed && crowds.inside[first].is_empty() && tick < *since + turn / 2 {
            held.extend(&crowds.waiting[first]);
        }
        Some(held)
    }

    fn count(&mut self, units: &[(u32, Cell)], enters: impl Fn(u32) -> bool) -> Crowds {
        let sides = usize::from(self.passage.sides);
        let mut crowds =
            Crowds { waiting: vec![Vec::new(); sides], inside: vec![Vec::new(); sides] };
        let before = std::mem::take(&mut self.turn.from);
        for &(unit, cell) in units {
            match self.passage.part(cell) {
                Part::Elsewhere => {}
                Part::Side(side) => {
                    self.turn.from.insert(unit, side);
                    if enters(unit) {
                        crowds.waiting[usize::from(side)].push(unit);
                    }
                }
                Part::Passage => {
                    if let Some(&side) = before.get(&unit) {
                        self.turn.from.insert(unit, side);
                        crowds.inside[usize::from(side)].push(unit);
                    }
                }
            }
        }
        crowds
    }
}

/// Whether few free cells lie in a row through a free cell.
pub(crate) fn is_narrow(grid: &Grid, cell: Cell) -> bool {
    let run = |step: (i32, i32)| {
        let mut at = cell;
        let mut count = 0;
        while let Some(next) = stepped(at, step).filter(|&next| grid.is_free(next)) {
            (at, count) = (next, count + 1);
            if count == NARROW {
                break;
            }
        }
        count
    };
    let across = 1 + run((1, 0)) + run((-1, 0));
    grid.is_free(cell) && (across <= NARROW || 1 + run((0, 1)) + run((0, -1)) <= NARROW)
}

impl Passage {
    fn find(grid: &Grid, seed: Cell, work: &mut u32) -> Option<Self> {
        if !is_narrow(grid, seed) {
            return None;
        }
        let mut cells = vec![seed];
        let mut seen = std::collections::BTreeSet::from([seed]);
        let mut next = 0;
        while let Some(&cell) = cells.get(next) {
            next += 1;
            *work = work.checked_sub(1)?;
            for near in straight(cell) {
                if is_narrow(grid, near) && seen.insert(near) {
                    cells.push(near);
                }
            }
            if cells.len() > MOST_CELLS {
                return None;
            }
        }
        let (mut left, mut top, mut right, mut bottom) = (seed.x, seed.y, seed.x, seed.y);
        for cell in &cells {
            (left, right) = (left.min(cell.x), right.max(cell.x));
            (top, bottom) = (top.min(cell.y), bottom.max(cell.y));
        }
        let bounds = Rect::new(left, top, right - left + 1, bottom - top + 1);
        let around = grown(bounds, COURT, grid.width(), grid.height());
        if u64::from(around.width) * u64::from(around.height) > MOST_AROUND {
            return None;
        }
        let length = bounds.width.max(bounds.height);
        let width = (cells.len() as u32).div_ceil(length);
        let count = around.width as usize * around.height as usize;
        let parts = vec![Part::Elsewhere; count];
        let mut passage = Self { around, parts, sides: 0, length, width };
        for &cell in &cells {
            passage.set(cell, Part::Passage);
        }
        // In the order of the cells' coordinates, so that the number of a side does not depend on
        // where the search began.
        for &cell in &seen {
            for near in straight(cell) {
                if passage.flood(grid, near, work)? {
                    passage.sides = passage.sides.checked_add(1)?;
                }
            }
        }
        (passage.sides >= 2).then_some(passage)
    }

    /// Gives the next number to the side that a cell is on; false if it has one or is no ground.
    fn flood(&mut self, grid: &Grid, cell: Cell, work: &mut u32) -> Option<bool> {
        let side = Part::Side(self.sides);
        let is_new = |passage: &Self, cell: Cell| {
            grid.is_free(cell) && passage.contains(cell) && passage.part(cell) == Part::Elsewhere
        };
        if !is_new(self, cell) {
            return Some(false);
        }
        self.set(cell, side);
        let mut open = vec![cell];
        while let Some(cell) = open.pop() {
            *work = work.checked_sub(1)?;
            for near in straight(cell) {
                if is_new(self, near) {
                    self.set(near, side);
                    open.push(near);
                }
            }
        }
        Some(true)
    }

    fn contains(&self, cell: Cell) -> bool {
        cell.x.wrapping_sub(self.around.x) < self.around.width
            && cell.y.wrapping_sub(self.around.y) < self.around.height
    }

    fn index(&self, cell: Cell) -> usize {
        ((cell.y - self.around.y) * self.around.width + cell.x - self.around.x) as usize
    }

    fn part(&self, cell: Cell) -> Part {
        if self.contains(cell) { self.parts[self.index(cell)] } else { Part::Elsewhere }
    }

    fn set(&mut self, cell: Cell, part: Part) {
        let index = self.index(cell);
        self.parts[index] = part;
    }
}

fn straight(cell: Cell) -> impl Iterator<Item = Cell> {
    STEPS[..4].iter().filter_map(move |&step| stepped(cell, step))
}
