//! What a table from a file must hold before it is searched with.
//!
//! A file may be forged, and proving its distances shortest would take as long as making them. What
//! is proved is what a search rests on to end, to stay on the map and to reach whatever can be
//! reached:
//!
//! * there is a way between two places exactly if free cells connect them inside the block;
//! * no way costs less than the straight line (between cells, the fewest steps) over the cheapest
//!   cell of the block;
//! * there and back cost the same;
//! * between corners, a way is as long as its first segment and what is left of it, so it ends.
//!
//! Whether a segment is in sight is left to the planner, which proves the paths it makes.

use super::table::{LOWER, UPPER};
use super::word::{self, WordRange};
use super::{Content, Distance, Layout, MAX_SIDE, TableRules, turns};
use crate::rules::cost::StepCosts;
use crate::{Grid, Rule};

/// Proves tables, one content after the other.
pub(super) struct Proof<'a, D> {
    layout: &'a Layout,
    rules: &'a TableRules<D>,
    range: WordRange,
    /// The factor of the cheapest cell, 1 without terrain; twice that is the least factor sum.
    least: u32,
    weighted: bool,
    /// Where the place of each row is: first the slots, then the turns.
    places: Vec<(u8, u8)>,
    /// Which part of the free cells each place belongs to; none if they are blocked.
    parts: Vec<u8>,
}

/// The part of a place without free cells.
const NOWHERE: u8 = 0;

/// How much the sum of rounded costs may fall short.
const ROUNDING: f64 = 1.0 - 1e-9;

type Rows = [u16; MAX_SIDE as usize];

impl<'a, D: Distance> Proof<'a, D> {
    pub fn new(layout: &'a Layout, rules: &'a TableRules<D>) -> Self {
        let range = WordRange::new(rules.moves, false);
        let (places, parts) = Default::default();
        Self { layout, rules, range, least: 1, weighted: false, places, parts }
    }

    /// Turns to the table of a content. Returns how many rows it has.
    pub fn begin(&mut self, content: &Content) -> usize {
        let Self { layout, rules, places, parts, .. } = self;
        self.weighted = content.is_weighted();
        self.range = WordRange::new(rules.moves, self.weighted);
        let free = content.places().filter(|&(x, y)| content.is_free(x, y));
        self.least = free.map(|(x, y)| content.factor(x, y)).min().unwrap_or(1);
        places.clear();
        places.extend((0..layout.slots()).map(|slot| {
            let (x, y) = layout.at(slot);
            (x as u8, y as u8)
        }));
        places.extend(turns(*rules, content));
        parts.clear();
        parts.resize(places.len(), NOWHERE);
        let mut part = NOWHERE;
        for first in 0..places.len() {
            let Some(cell) = cell_at::<D>(content, places[first]) else { continue };
            if parts[first] != NOWHERE {
                continue;
            }
            part += 1;
            let rows = flood(content, rules.rule().squeezes(), cell);
            for (place, known) in places.iter().zip(&mut parts[..]).skip(first) {
                let cell = cell_at::<D>(content, *place);
                if cell.is_some_and(|(x, y)| rows[y as usize] >> x & 1 != 0) {
                    *known = part;
                }
            }
        }
        places.iter_mut().for_each(|place| place.0 &= !(UPPER | LOWER));
        places.len()
    }

    /// Whether a word may be the distance from the place of a row to a slot.
    pub fn holds(&self, row: usize, slot: usize, word: u64) -> bool {
        let joined = self.parts[row] != NOWHERE && self.parts[row] == self.parts[slot];
        if !joined || word == word::FAR {
            return !joined && word == word::FAR;
        }
        if row == slot {
            return word == 0;
        }
        self.range.holds(word) && self.is_long_enough(row, slot, word)
    }

    /// Whether a way of such a length may go to the place of another row first, from where the
    /// rest is as long as `rest` says.
    pub fn goes_on(&self, row: usize, next: usize, length: u64, rest: u64) -> bool {
        let [length, rest] = [length, rest].map(f64::from_bits);
        let (from, to) = (self.places[row], self.places[next]);
        let first = self.rules.rays.length(from, to);
        if self.weighted {
            rest < length && first * self.factor() + rest <= length / ROUNDING
        } else {
            first > 0.0 && first + rest == length
        }
    }

    fn is_long_enough(&self, row: usize, slot: usize, word: u64) -> bool {
        let (a, b) = (self.places[row], self.places[slot]);
        if !D::CELLS {
            let length = f64::from_bits(word);
            let least = self.rules.rays.length(a, b) * self.factor();
            return length >= if self.weighted { least * ROUNDING } else { least };
        }
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let (many, few) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        let (straight, diagonal) = StepCosts::<u64>::units(self.rules.moves);
        let steps = if self.rules.rule() == Rule::Four {
            (many + few) * straight
        } else {
            (many - few) * straight + few * diagonal
        };
        if self.weighted {
            return word >= steps * 2 * u64::from(self.least);
        }
        let (s, d) = word::steps(word);
        u64::from(s) * straight + u64::from(d) * diagonal >= steps
    }

    /// The least terrain factor, as a number.
    fn factor(&self) -> f64 {
        if self.weighted { f64::from(self.least) / f64::from(Grid::FACTOR_ONE) } else { 1.0 }
    }
}

/// A free cell of the block that a place belongs to: the cell itself, or one that the corner
/// touches, on its side if it has one.
fn cell_at<D: Distance>(content: &Content, (x, y): (u8, u8)) -> Option<(u32, u32)> {
    let (side, x, y) = (x & (UPPER | LOWER), u32::from(x & !(UPPER | LOWER)), u32::from(y));
    if D::CELLS {
        return content.is_free(x, y).then_some((x, y));
    }
    // NW, NE, SW, SE.
    let around = match side {
        UPPER => 0b0011,
        LOWER => 0b1100,
        _ => 0b1111,
    };
    let free = content.quad(x, y) & around;
    let first = free.trailing_zeros();
    (free != 0).then(|| (x + (first & 1) - 1, y + (first >> 1) - 1))
}

/// The free cells of a block that are connected with one of them, as bits of rows.
fn flood(content: &Content, squeeze: bool, (x, y): (u32, u32)) -> Rows {
    let height = content.size().height as usize;
    let mut rows: Rows = [0; MAX_SIDE as usize];
    rows[y as usize] = 1 << x;
    let beside = |row: u16| row | row << 1 | row >> 1;
    let spread = |row: u16| if squeeze { beside(row) } else { row };
    loop {
        let before = rows;
        // Down and up again: most parts are whole after one round.
        for y in (0..height).chain((0..height).rev()) {
            let above = if y > 0 { spread(rows[y - 1]) } else { 0 };
            let below = rows.get(y + 1).map_or(0, |&row| spread(row));
            let free = content.row(y as u32);
            let mut row = (rows[y] | above | below) & free;
            while beside(row) & free != row {
                row = beside(row) & free;
            }
            rows[y] = row;
        }
        if rows == before {
            return rows;
        }
    }
}
