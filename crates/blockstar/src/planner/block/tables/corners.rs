//! Tables for the any-angle rules without terrain: shortest ways between the corners of a block's
//! cells that stay inside the block.
//!
//! A shortest way is a chain of straight segments that turns only where it wraps around an
//! obstacle: at a corner with one blocked cell or, if the rule squeezes, at a double corner. (Under
//! the strict rule a double corner leaves a way only the inside of one cell, and nothing turns
//! there.) Such corners inside the block are its *turns*. On the boundary there are none: what is
//! outside the block counts as blocked, and ways around it are the next block's business.
//!
//! Lengths are whole multiples of 2^-40, so that their sums are exact: there and back, and in the
//! mirror image of a block, a way has the same length to the last bit. Of equally short ways the
//! one with the lowest-numbered next turn is taken. So the ways follow from the distances, and a
//! file need not hold them ([`restore`]).
//!
//! All sums are over rows with one lane per slot, which the compiler turns into vector
//! instructions.

use super::rays::is_double;
use super::{Content, Distance, MakerMemory, Table, TableFor};
use crate::engine::vectors::{VectorLoop, with_widest};
use crate::grid::raster::raster;

/// The places where ways turn inside a block.
pub(super) fn turns(content: &Content, squeeze: bool) -> impl Iterator<Item = (u8, u8)> {
    let size = content.size();
    raster(1..size.width, 1..size.height).filter_map(move |(x, y)| {
        let quad = content.quad(x, y);
        let turns = quad.count_ones() == 3 || (squeeze && is_double(quad));
        turns.then_some((x as u8, y as u8))
    })
}

pub(super) fn make<D: Distance>(
    subject: TableFor<'_, D>,
    memory: &mut MakerMemory<D>,
    table: &mut Table<D>,
) {
    with_widest(Maker { subject, memory, table });
}

/// A table to make with the vector instructions of this machine; everything that uses them must be
/// inlined into it.
struct Maker<'a, D> {
    subject: TableFor<'a, D>,
    memory: &'a mut MakerMemory<D>,
    table: &'a mut Table<D>,
}

impl<D: Distance> VectorLoop for Maker<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDE: bool>(self) {
        let Self { subject: TableFor { layout, rules, content }, memory, table } = self;
        let (rays, squeeze) = (rules.rays, rules.rule().squeezes());
        let MakerMemory { real, turns, obstacles, .. } = memory;
        turns.clear();
        turns.extend(self::turns(content, squeeze));
        let doubles = rays.list(content, squeeze, obstacles);
        let mut ways = Ways::new(layout.slots(), turns.len(), real);
        ways.link_turns(turns, |a, b| {
            if rays.sees(content, !doubles, a, b) { rays.length(a, b) } else { f64::INFINITY }
        });
        let (lanes, slots) = (ways.lanes, ways.slots);
        for (&turn, seen) in turns.iter().zip(ways.seen.chunks_exact_mut(lanes)) {
            rays.look(content, obstacles, doubles, turn, &mut seen[..slots]);
        }
        for (slot, straight) in ways.straight.chunks_exact_mut(lanes).enumerate() {
            let (x, y) = layout.at(slot);
            if content.quad(x, y) != 0 {
                let from = (x as u8, y as u8);
                rays.look(content, obstacles, doubles, from, &mut straight[..slots]);
            }
        }
        ways.chain();
        ways.write(layout.lanes(), turns, table);
    }
}

/// Makes a table from its distances: `slot` returns those between slots, `turn` those from a turn
/// to a slot. False if no way has one of the distances.
pub(super) fn restore<D: Distance>(
    subject: TableFor<'_, D>,
    memory: &mut MakerMemory<D>,
    table: &mut Table<D>,
    slot: impl Fn(usize, usize) -> f64,
    turn: impl Fn((u8, u8), usize) -> f64,
) -> bool {
    let TableFor { layout, rules, content } = subject;
    let (rays, squeeze) = (rules.rays, rules.rule().squeezes());
    let MakerMemory { real, turns, .. } = memory;
    turns.clear();
    turns.extend(self::turns(content, squeeze));
    let mut ways = Ways::new(layout.slots(), turns.len(), real);
    ways.link_turns(turns, |a, b| {
        if rays.sees(content, squeeze, a, b) { rays.length(a, b) } else { f64::INFINITY }
    });
    let lanes = ways.lanes;
    let at = |slot: usize| {
        let (x, y) = layout.at(slot);
        (x as u8, y as u8)
    };
    // What is as near as the straight line is in sight: anything else is longer.
    let straight = |length: f64, a: (u8, u8), b: (u8, u8)| {
        if length == rays.length(a, b) { length } else { f64::INFINITY }
    };
    for to in 0..ways.slots {
        for (index, &place) in turns.iter().enumerate() {
            let length = turn(place, to);
            ways.reached[index * lanes + to] = length;
            ways.seen[index * lanes + to] = straight(length, place, at(to));
        }
        for from in 0..ways.slots {
            ways.straight[from * lanes + to] = straight(slot(from, to), at(from), at(to));
        }
    }
    ways.write(layout.lanes(), turns, table);
    let told = |row: usize, to: usize| match row.checked_sub(layout.slots()) {
        None => slot(row, to),
        Some(index) => turn(turns[index], to),
    };
    (0..layout.slots() + turns.len()).all(|row| {
        (0..layout.slots()).all(|to| table.row(row)[to] == D::from_length(told(row, to)))
    })
}

/// The lengths of the ways in a block, infinite where there is none.
struct Ways<'a> {
    slots: usize,
    /// The slots rounded up to whole vectors.
    lanes: usize,
    turns: usize,
    /// Straight from turn to turn.
    direct: &'a mut [f64],
    /// The shortest ways from turn to turn.
    between: &'a mut [f64],
    /// For each turn, straight to each slot.
    seen: &'a mut [f64],
    /// For each turn, the shortest way to each slot.
    reached: &'a mut [f64],
    /// For each slot, straight to each slot.
    straight: &'a mut [f64],
}

/// How many lanes are summed at a time: more do not fit the registers.
const CHUNK: usize = 8;

impl<'a> Ways<'a> {
    fn new(slots: usize, turns: usize, memory: &'a mut Vec<f64>) -> Self {
        let lanes = slots.next_multiple_of(CHUNK);
        memory.clear();
        memory.resize(2 * turns * turns + (2 * turns + slots) * lanes, f64::INFINITY);
        let (direct, rest) = memory.split_at_mut(turns * turns);
        let (between, rest) = rest.split_at_mut(turns * turns);
        let (seen, rest) = rest.split_at_mut(turns * lanes);
        let (reached, straight) = rest.split_at_mut(turns * lanes);
        Self { slots, lanes, turns, direct, between, seen, reached, straight }
    }

    #[inline(always)]
    fn link_turns(&mut self, turns: &[(u8, u8)], link: impl Fn((u8, u8), (u8, u8)) -> f64) {
        for (a, &from) in turns.iter().enumerate() {
            for (b, &to) in turns.iter().enumerate().take(a) {
                let length = link(from, to);
                self.direct[a * self.turns + b] = length;
                self.direct[b * self.turns + a] = length;
            }
        }
    }

    /// Finds the shortest ways from turn to turn, and from turns to slots.
    #[inline(always)]
    fn chain(&mut self) {
        let count = self.turns;
        self.between.copy_from_slice(self.direct);
        for via in 0..count {
            let (before, rest) = self.between.split_at_mut(via * count);
            let (beyond, after) = rest.split_at_mut(count);
            for row in before.chunks_exact_mut(count).chain(after.chunks_exact_mut(count)) {
                let first = row[via];
                if first == f64::INFINITY {
                    continue;
                }
                for (length, &rest) in row.iter_mut().zip(&*beyond) {
                    let sum = first + rest;
                    *length = if sum < *length { sum } else { *length };
                }
            }
        }
        for turn in 0..count {
            let first = &self.between[turn * count..][..count];
            for chunk in (0..self.lanes).step_by(CHUNK) {
                let from = turn * self.lanes + chunk;
                let mut best = lanes(self.seen, from);
                for (via, &first) in first.iter().enumerate() {
                    if first < f64::INFINITY && via != turn {
                        let rest = lanes(self.seen, via * self.lanes + chunk);
                        for (best, rest) in best.iter_mut().zip(rest) {
                            let sum = first + rest;
                            *best = if sum < *best { sum } else { *best };
                        }
                    }
                }
                self.reached[from..from + CHUNK].copy_from_slice(&best);
            }
        }
    }

    /// Writes all distances and the next place on each way.
    #[inline(always)]
    fn write<D: Distance>(&self, table_lanes: usize, turns: &[(u8, u8)], table: &mut Table<D>) {
        table.begin(self.slots, table_lanes, turns, D::FAR, true);
        for slot in 0..self.slots {
            // Ways from a slot begin with a turn that it sees.
            let first = |turn: usize| self.seen[turn * self.lanes + slot];
            self.write_row(slot, &self.straight[slot * self.lanes..][..self.lanes], first, table);
        }
        for turn in 0..self.turns {
            let first = |via: usize| self.direct[turn * self.turns + via];
            let straight = &self.seen[turn * self.lanes..][..self.lanes];
            self.write_row(self.slots + turn, straight, first, table);
        }
    }

    /// Writes a row of the table: ways that are straight, or go to a turn first.
    #[inline(always)]
    fn write_row<D: Distance>(
        &self,
        row: usize,
        straight: &[f64],
        first: impl Fn(usize) -> f64,
        table: &mut Table<D>,
    ) {
        for chunk in (0..self.slots).step_by(CHUNK) {
            let mut best = lanes(straight, chunk);
            // As wide as the lengths, so that one comparison serves both.
            let mut next: [i64; CHUNK] = std::array::from_fn(|lane| (chunk + lane) as i64);
            let used = CHUNK.min(self.slots - chunk);
            if best[..used].contains(&f64::INFINITY) {
                for turn in 0..self.turns {
                    let first = first(turn);
                    if first == f64::INFINITY {
                        continue;
                    }
                    let rest = lanes(self.reached, turn * self.lanes + chunk);
                    for lane in 0..CHUNK {
                        let sum = first + rest[lane];
                        let shorter = sum < best[lane];
                        best[lane] = if shorter { sum } else { best[lane] };
                        next[lane] = if shorter { (self.slots + turn) as i64 } else { next[lane] };
                    }
                }
            }
            // Whole vectors: rows are padded, and what is behind the slots is out of reach.
            let (mut distances, mut ways) = ([D::FAR; CHUNK], [0; CHUNK]);
            for lane in 0..CHUNK {
                distances[lane] = D::from_length(best[lane]);
                ways[lane] = if lane < used { next[lane] as u16 } else { 0 };
            }
            table.set_lanes(row, chunk, &distances, &ways);
        }
    }
}

#[inline(always)]
fn lanes(rows: &[f64], first: usize) -> [f64; CHUNK] {
    let mut lanes = [0.0; CHUNK];
    lanes.copy_from_slice(&rows[first..first + CHUNK]);
    lanes
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, TableRules};
    use super::*;
    use crate::Moves;
    use crate::random::Random;

    #[test]
    fn every_way_is_in_sight_from_turn_to_turn_and_as_long_as_it_says() {
        for (round, mut random) in Random::rounds(8, 300).enumerate() {
            let side = 2 + round as u32 % 15;
            let moves = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][round / 15 % 2];
            let squeeze = moves.rule().squeezes();
            let layout = Layout::new(side, false);
            let rules = TableRules::<f64>::new(moves, side, None);
            let blocked = random.below(60);
            let mut content = Content::default();
            let map = crate::Grid::from_fn(side, side, |_| !random.chance(blocked, 100)).unwrap();
            content.read(&map, side, 0, 0);
            let (mut memory, mut table) = (MakerMemory::default(), Table::default());
            let subject = TableFor { layout: &layout, rules: &rules, content: &content };
            make(subject, &mut memory, &mut table);
            let at = |row: usize| {
                let (x, y) = match row.checked_sub(layout.slots()) {
                    None => layout.at(row),
                    Some(turn) => (table.turn(turn).x, table.turn(turn).y),
                };
                (x as u8, y as u8)
            };
            for from in 0..layout.slots() + table.turns() {
                for to in 0..layout.slots() {
                    let distance = table.row(from)[to];
                    let (mut row, mut length) = (from, 0.0);
                    while row != to && distance < f64::INFINITY {
                        let next = table.next(row, to);
                        assert!(rules.rays.sees(&content, squeeze, at(row), at(next)));
                        length += rules.rays.length(at(row), at(next));
                        row = next;
                    }
                    assert!(length == distance || distance == f64::INFINITY);
                    if from < layout.slots() {
                        assert_eq!(distance, table.row(to)[from]);
                    }
                }
            }
        }
    }
}
