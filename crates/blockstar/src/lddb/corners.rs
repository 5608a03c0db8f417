//! Tables for the any-angle rules without terrain: shortest ways between the corners of a block's
//! cells that stay inside the block.
//!
//! A shortest way is a chain of straight segments that turns only where it wraps around an obstacle:
//! at a corner with one blocked cell or, if the rule squeezes, at a double corner. (Under the strict
//! rule a double corner leaves a way only the inside of one cell, and nothing turns there.) Such
//! corners inside the block are its *turns*. On the boundary there are none: what is outside the block
//! counts as blocked, and the way around it is the next block's business.
//!
//! Which cells a segment crosses depends only on how far it goes right and down, so [`Rays`] keeps
//! one span of cells per row for each vector, and sight is a few masks.
//!
//! Lengths are whole multiples of 2^-40, so that sums of them are exact: there and back, and in the
//! mirror image of a block, a way has the same length to the last bit. Of equally short ways the one
//! whose next turn comes first is taken. So the ways can be told from the distances, and a file need
//! not hold them ([`restore`]).

use super::{Content, Layout, Measure, Pricing, Table, Workshop};

/// The cells that segments between corners cross, row by row, for every vector in a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rays {
    side: i32,
    /// For the vector (dx, dy) with dy > 0: where its spans begin.
    first: Vec<u32>,
    /// The first cell and the one after the last, counted from the column the segment starts in.
    spans: Vec<(i8, i8)>,
    /// The length of each vector without signs.
    lengths: Vec<f64>,
}

impl Rays {
    pub fn new(side: u32) -> Self {
        let side = side as i32;
        let mut rays = Self { side, ..Self::default() };
        let points = 0..=side as u32;
        rays.lengths =
            points.clone().flat_map(|y| points.clone().map(move |x| length(x, y))).collect();
        for dx in -side..=side {
            for dy in 0..=side {
                rays.first.push(rays.spans.len() as u32);
                for row in 0..dy {
                    let ends = [dx * row, dx * (row + 1)];
                    let low = ends[0].min(ends[1]).div_euclid(dy);
                    let high = -(-ends[0].max(ends[1])).div_euclid(dy);
                    rays.spans.push((low as i8, high as i8));
                }
            }
        }
        rays
    }

    /// The straight distance between two corners of a block.
    #[inline]
    pub fn length(&self, a: (u8, u8), b: (u8, u8)) -> f64 {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        self.lengths[usize::from(dy) * (self.side as usize + 1) + usize::from(dx)]
    }

    /// Whether one can walk straight between two corners of a block without leaving it.
    #[inline]
    pub fn sees(&self, content: &Content, squeeze: bool, a: (u8, u8), b: (u8, u8)) -> bool {
        let (a, b) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let (dx, dy) = (i32::from(b.0) - i32::from(a.0), i32::from(b.1) - i32::from(a.1));
        let (x, y) = (u32::from(a.0), u32::from(a.1));
        if dy == 0 {
            let (low, high) = (a.0.min(b.0).into(), a.0.max(b.0).into());
            return along_row(content, squeeze, y, low, high);
        }
        if dx == 0 {
            return along_column(content, squeeze, x, y, b.1.into());
        }
        let first = self.first[((dx + self.side) * (self.side + 1) + dy) as usize] as usize;
        for (row, &(low, high)) in (y..).zip(&self.spans[first..first + dy as usize]) {
            let low = i32::from(low) + x as i32;
            let width = i32::from(high) + x as i32 - low;
            let mask = ((1u32 << width) - 1) << low;
            if u32::from(content.row(row)) & mask != mask {
                return false;
            }
        }
        squeeze || !passes_double_corner(content, (x, y), dx, dy)
    }
}

/// Whether a segment passes a double corner on its way.
#[inline]
fn passes_double_corner(content: &Content, (x, y): (u32, u32), dx: i32, dy: i32) -> bool {
    let steps = greatest_common_divisor(dx.unsigned_abs(), dy.unsigned_abs());
    if steps == 1 {
        return false;
    }
    let (dx, dy) = (dx / steps as i32, dy / steps as i32);
    (1..steps as i32).any(|i| {
        is_double(content.quad(x.wrapping_add_signed(i * dx), y.wrapping_add_signed(i * dy)))
    })
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether the four cells around a corner make it a double corner.
#[inline]
pub(crate) fn is_double(quad: u32) -> bool {
    quad == 0b0110 || quad == 0b1001
}

fn along_row(content: &Content, squeeze: bool, y: u32, low: u32, high: u32) -> bool {
    let row = |y: u32| if y < content.side() { u32::from(content.row(y)) } else { 0 };
    let mask = (1u32 << high) - (1u32 << low);
    (row(y) | row(y.wrapping_sub(1))) & mask == mask
        && (squeeze || !(low + 1..high).any(|x| is_double(content.quad(x, y))))
}

fn along_column(content: &Content, squeeze: bool, x: u32, low: u32, high: u32) -> bool {
    (low..high).all(|y| content.is_free(x, y) || content.is_free(x.wrapping_sub(1), y))
        && (squeeze || !(low + 1..high).any(|y| is_double(content.quad(x, y))))
}

/// The length of a vector: that of the shortest one in its direction, rounded to a multiple of 2^-40,
/// as often as it fits. So the parts of a segment add up to the whole.
fn length(dx: u32, dy: u32) -> f64 {
    const GRAIN: f64 = (1u64 << 40) as f64;
    let times = greatest_common_divisor(dx, dy).max(1);
    let (dx, dy) = (dx / times, dy / times);
    (f64::from(dx * dx + dy * dy).sqrt() * GRAIN).round() / GRAIN * f64::from(times)
}

/// The places where ways turn inside a block.
pub(super) fn turns(content: &Content, squeeze: bool) -> impl Iterator<Item = (u8, u8)> {
    let inner = 1..content.side();
    inner.clone().flat_map(move |y| inner.clone().map(move |x| (x, y))).filter_map(move |(x, y)| {
        let quad = content.quad(x, y);
        let turns = quad.count_ones() == 3 || (squeeze && is_double(quad));
        turns.then_some((x as u8, y as u8))
    })
}

pub(super) fn make<D: Measure>(
    layout: &Layout,
    pricing: &Pricing<D>,
    content: &Content,
    workshop: &mut Workshop<D>,
    table: &mut Table<D>,
) {
    let (rays, squeeze) = (&pricing.rays, pricing.rule().squeezes());
    let Workshop { real, turns, .. } = workshop;
    turns.clear();
    turns.extend(self::turns(content, squeeze));
    let mut lengths = Lengths::new(layout.slots(), turns.len(), real);
    let link = |a: (u8, u8), b: (u8, u8)| {
        if rays.sees(content, squeeze, a, b) { rays.length(a, b) } else { f64::INFINITY }
    };
    lengths.link_turns(turns, link);
    let (slots, count) = (lengths.slots, lengths.turns);
    let at = |slot: usize| {
        let (x, y) = layout.at(slot);
        (x as u8, y as u8)
    };
    for slot in 0..slots {
        for (seen, &turn) in lengths.seen_mut(slot).iter_mut().zip(&*turns) {
            *seen = link(at(slot), turn);
        }
    }

    // Between turns: sight, and then chains of it.
    lengths.between.copy_from_slice(lengths.direct);
    let between = &mut *lengths.between;
    for via in 0..count {
        for a in 0..count {
            let first = between[a * count + via];
            if a == via || first == f64::INFINITY {
                continue;
            }
            for b in 0..count {
                let length = first + between[via * count + b];
                if length < between[a * count + b] {
                    between[a * count + b] = length;
                }
            }
        }
    }

    // From turns to slots and, by way of these, from slot to slot.
    // Not `f64::min`, which looks out for NaN.
    let least = |a: &[f64], b: &[f64]| {
        let sums = a.iter().zip(b).map(|(a, b)| a + b);
        sums.fold(f64::INFINITY, |least, sum| if sum < least { sum } else { least })
    };
    for turn in 0..count {
        for slot in 0..slots {
            let seen = &lengths.seen[slot * count..][..count];
            let straight = seen[turn];
            lengths.reached[slot * count + turn] = if straight < f64::INFINITY {
                straight
            } else {
                least(&lengths.between[turn * count..][..count], seen)
            };
        }
    }
    for from in 0..slots {
        let (x, y) = layout.at(from);
        if content.quad(x, y) == 0 {
            continue;
        }
        lengths.pairs[from * slots + from] = 0.0;
        for to in 0..from {
            let mut length = link(at(from), at(to));
            if length == f64::INFINITY {
                let seen = &lengths.seen[from * count..][..count];
                length = least(seen, &lengths.reached[to * count..][..count]);
            }
            // Sums are exact, so this is the way back, too.
            lengths.pairs[from * slots + to] = length;
            lengths.pairs[to * slots + from] = length;
        }
    }
    let found = lengths.write(layout, rays, turns, table);
    debug_assert!(found);
}

/// Makes a table from its distances: `slot` gives those between slots, `turn` those from a turn to a
/// slot. False if there is a distance to which there is no way.
pub(super) fn restore<D: Measure>(
    layout: &Layout,
    pricing: &Pricing<D>,
    content: &Content,
    workshop: &mut Workshop<D>,
    table: &mut Table<D>,
    slot: impl Fn(usize, usize) -> f64,
    turn: impl Fn((u8, u8), usize) -> f64,
) -> bool {
    let (rays, squeeze) = (&pricing.rays, pricing.rule().squeezes());
    let Workshop { real, turns, .. } = workshop;
    turns.clear();
    turns.extend(self::turns(content, squeeze));
    let mut lengths = Lengths::new(layout.slots(), turns.len(), real);
    lengths.link_turns(turns, |a, b| {
        if rays.sees(content, squeeze, a, b) { rays.length(a, b) } else { f64::INFINITY }
    });
    let (slots, count) = (lengths.slots, lengths.turns);
    for to in 0..slots {
        let (x, y) = layout.at(to);
        for (index, &place) in turns.iter().enumerate() {
            let length = turn(place, to);
            lengths.reached[to * count + index] = length;
            // What is as far as the straight line is in sight: anything else is longer.
            if length == rays.length(place, (x as u8, y as u8)) {
                lengths.seen[to * count + index] = length;
            }
        }
        for from in 0..slots {
            lengths.pairs[from * slots + to] = slot(from, to);
        }
    }
    lengths.write(layout, rays, turns, table)
}

/// The lengths of the ways in a block, infinite where there is none.
struct Lengths<'a> {
    slots: usize,
    turns: usize,
    /// Straight from turn to turn.
    direct: &'a mut [f64],
    /// The shortest ways from turn to turn.
    between: &'a mut [f64],
    /// For each slot, straight to each turn.
    seen: &'a mut [f64],
    /// For each slot, the shortest way to it from each turn.
    reached: &'a mut [f64],
    /// The shortest ways from slot to slot.
    pairs: &'a mut [f64],
}

impl<'a> Lengths<'a> {
    fn new(slots: usize, turns: usize, memory: &'a mut Vec<f64>) -> Self {
        memory.clear();
        memory.resize(2 * turns * turns + 2 * slots * turns + slots * slots, f64::INFINITY);
        let (direct, rest) = memory.split_at_mut(turns * turns);
        let (between, rest) = rest.split_at_mut(turns * turns);
        let (seen, rest) = rest.split_at_mut(slots * turns);
        let (reached, pairs) = rest.split_at_mut(slots * turns);
        Self { slots, turns, direct, between, seen, reached, pairs }
    }

    fn link_turns(&mut self, turns: &[(u8, u8)], link: impl Fn((u8, u8), (u8, u8)) -> f64) {
        for (a, &from) in turns.iter().enumerate() {
            for (b, &to) in turns.iter().enumerate().take(a) {
                let length = link(from, to);
                self.direct[a * self.turns + b] = length;
                self.direct[b * self.turns + a] = length;
            }
        }
    }

    fn seen_mut(&mut self, slot: usize) -> &mut [f64] {
        &mut self.seen[slot * self.turns..][..self.turns]
    }

    /// Writes down all distances, and where each way leads next. False if some way leads nowhere.
    fn write<D: Measure>(
        &self,
        layout: &Layout,
        rays: &Rays,
        turns: &[(u8, u8)],
        table: &mut Table<D>,
    ) -> bool {
        let (slots, count) = (self.slots, self.turns);
        table.begin(slots, layout.lanes(), turns, D::FAR, true);
        let at = |slot: usize| {
            let (x, y) = layout.at(slot);
            (x as u8, y as u8)
        };
        let mut found = true;
        let mut set = |row: usize, to: usize, total: f64, straight: f64, first: &[f64]| {
            table.set(row, to, D::from_length(total));
            let mut next = to;
            if total != straight && total < f64::INFINITY {
                let rest = &self.reached[to * count..][..count];
                let turn = first.iter().zip(rest).position(|(a, b)| a + b == total);
                found &= turn.is_some();
                next = turn.map_or(to, |turn| slots + turn);
            }
            table.set_next(row, to, next);
        };
        for from in 0..slots {
            let first = &self.seen[from * count..][..count];
            for to in 0..slots {
                set(from, to, self.pairs[from * slots + to], rays.length(at(from), at(to)), first);
            }
        }
        for (turn, &place) in turns.iter().enumerate() {
            let first = &self.direct[turn * count..][..count];
            for to in 0..slots {
                let total = self.reached[to * count + turn];
                set(slots + turn, to, total, rays.length(place, at(to)), first);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;
    use crate::random::Random;

    #[test]
    fn every_way_is_in_sight_from_turn_to_turn_and_as_long_as_it_says() {
        let mut random = Random::new(8);
        for round in 0..300 {
            let side = 2 + round % 15;
            let moves = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][round as usize / 15 % 2];
            let squeeze = moves.rule().squeezes();
            let layout = Layout::new(side, false);
            let pricing = Pricing::<f64>::new(moves, side, None);
            let blocked = random.below(60);
            let mut content = Content::default();
            let map = crate::Grid::from_fn(side, side, |_| !random.chance(blocked, 100)).unwrap();
            content.read(&map, side, 0, 0);
            let (mut workshop, mut table) = (Workshop::default(), Table::default());
            make(&layout, &pricing, &content, &mut workshop, &mut table);
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
                        assert!(pricing.rays.sees(&content, squeeze, at(row), at(next)));
                        length += pricing.rays.length(at(row), at(next));
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
