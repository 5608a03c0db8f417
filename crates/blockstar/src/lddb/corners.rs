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

use super::{Content, Layout, Measure, Pricing, Table, Workshop};

/// The cells that segments between corners cross, row by row, for every vector in a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rays {
    side: i32,
    /// For the vector (dx, dy) with dy > 0: where its spans begin.
    first: Vec<u32>,
    /// The first cell and the one after the last, counted from the column the segment starts in.
    spans: Vec<(i8, i8)>,
}

impl Rays {
    pub fn new(side: u32) -> Self {
        let side = side as i32;
        let mut rays = Self { side, first: Vec::new(), spans: Vec::new() };
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

/// The straight distance between two corners.
#[inline]
fn straight(a: (u8, u8), b: (u8, u8)) -> f64 {
    let (dx, dy) = (f64::from(a.0) - f64::from(b.0), f64::from(a.1) - f64::from(b.1));
    (dx * dx + dy * dy).sqrt()
}

pub(super) fn make<D: Measure>(
    layout: &Layout,
    pricing: &Pricing<D>,
    content: &Content,
    workshop: &mut Workshop<D>,
    table: &mut Table<D>,
) {
    let squeeze = pricing.rule().squeezes();
    let (slots, side) = (layout.slots(), layout.side());
    let turns = &mut workshop.turns;
    turns.clear();
    for y in 1..side {
        for x in 1..side {
            let quad = content.quad(x, y);
            if quad.count_ones() == 3 || (squeeze && is_double(quad)) {
                turns.push((x as u8, y as u8));
            }
        }
    }
    let count = turns.len();
    table.begin(slots, layout.lanes(), turns, D::FAR, true);
    let at = |slot: usize| {
        let (x, y) = layout.at(slot);
        (x as u8, y as u8)
    };
    let link = |a: (u8, u8), b: (u8, u8)| {
        if pricing.rays.sees(content, squeeze, a, b) { straight(a, b) } else { f64::INFINITY }
    };

    // Between turns: sight, and then chains of it. `hop` is the first turn on the way.
    let Workshop { real, next: hop, .. } = workshop;
    real.clear();
    real.resize(count * (count + 2 * slots), f64::INFINITY);
    let (between, rest) = real.split_at_mut(count * count);
    hop.clear();
    hop.resize(count * count, 0);
    for a in 0..count {
        between[a * count + a] = 0.0;
        for b in 0..a {
            let length = link(turns[a], turns[b]);
            between[a * count + b] = length;
            between[b * count + a] = length;
            hop[a * count + b] = b as u16;
            hop[b * count + a] = a as u16;
        }
    }
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
                    hop[a * count + b] = hop[a * count + via];
                }
            }
        }
    }

    // From turns to slots: `seen` at the end of the way, `reached` over all.
    let (seen, reached) = rest.split_at_mut(count * slots);
    for slot in 0..slots {
        for turn in 0..count {
            seen[slot * count + turn] = link(at(slot), turns[turn]);
        }
    }
    for from in 0..count {
        for slot in 0..slots {
            let (mut best, mut last) = (f64::INFINITY, from);
            for turn in 0..count {
                let length = between[from * count + turn] + seen[slot * count + turn];
                if length < best {
                    (best, last) = (length, turn);
                }
            }
            reached[from * slots + slot] = best;
            let row = slots + from;
            table.set(row, slot, D::from_length(best));
            let next =
                if last == from { slot } else { slots + usize::from(hop[from * count + last]) };
            table.set_next(row, slot, next);
        }
    }

    for from in 0..slots {
        let (x, y) = layout.at(from);
        if content.quad(x, y) == 0 {
            continue;
        }
        table.set(from, from, D::ZERO);
        table.set_next(from, from, from);
        for to in 0..from {
            let mut best = link(at(from), at(to));
            // Where the way leads first from either end.
            let (mut there, mut back) = (to, from);
            if best == f64::INFINITY {
                for turn in 0..count {
                    let length = seen[from * count + turn] + reached[turn * slots + to];
                    if length < best {
                        (best, there) = (length, slots + turn);
                    }
                }
                if best == f64::INFINITY {
                    continue;
                }
                let mut least = f64::INFINITY;
                for turn in 0..count {
                    let length = seen[to * count + turn] + reached[turn * slots + from];
                    if length < least {
                        (least, back) = (length, slots + turn);
                    }
                }
            }
            for (from, to, next) in [(from, to, there), (to, from, back)] {
                table.set(from, to, D::from_length(best));
                table.set_next(from, to, next);
            }
        }
    }
}
