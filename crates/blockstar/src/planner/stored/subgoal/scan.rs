//! What is directly reachable from a cell: the subgoals to which all shortest paths, as long as on an
//! empty map, are free and pass no other subgoal of the slant.
//!
//! Such paths fill a parallelogram. A scan walks diagonally from the cell and looks along the row and
//! the column from every cell on the way, never farther than from the one before: so all lines of
//! the parallelogram are known to be free, 56 cells are looked at in a few instructions, and the
//! first subgoal met in a line is reached. Beyond it nothing is, in this line and all later ones.
//!
//! Straight rays end at the first subgoal of either slant.

use super::corners::{Corners, Ground, Layer, Slant};
use crate::grid::bits::Bits;
use std::cmp::Ordering;

/// One of 16 classes of displacements, clockwise: 0 is straight north, 2 straight north-east and so
/// on; odd classes are the mixtures of their two neighbours.
pub(super) type Class = u8;

/// A subgoal that a scan has reached: where it is, and how one gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub at: (u32, u32),
    pub class: Class,
    pub diagonal_steps: u32,
    pub straight_steps: u32,
}

impl Seen {
    /// How one gets from a cell to another one, if nothing is in the way.
    pub fn between(from: (u32, u32), to: (u32, u32)) -> Option<Self> {
        let (wide, tall) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        // The quadrant to the right of north, or of the direction that it is turned to; and how far
        // it is along and across.
        let (quadrant, along, across) = match (to.0 >= from.0, to.1 >= from.1) {
            (true, false) => (0, tall, wide),
            (true, true) if wide > 0 => (1, wide, tall),
            (false, south) if !south || tall == 0 => (3, wide, tall),
            _ => (2, tall, wide),
        };
        let turn = match along.cmp(&across) {
            _ if wide == 0 || tall == 0 => 0,
            Ordering::Greater => 1,
            Ordering::Equal => 2,
            Ordering::Less => 3,
        };
        let (diagonal_steps, straight_steps) = (wide.min(tall), wide.abs_diff(tall));
        (from != to).then_some(Self {
            at: to,
            class: 4 * quadrant + turn,
            diagonal_steps,
            straight_steps,
        })
    }
}

/// The four quadrants, clockwise from the north-eastern one.
pub(super) const QUADRANTS: [u8; 4] = [0, 1, 2, 3];

/// Of which slant the subgoals in a quadrant are.
pub(super) const fn slant_of(quadrant: u8) -> Slant {
    if quadrant & 1 == 0 { Slant::Rising } else { Slant::Falling }
}

/// Calls `reach` with everything directly reachable from a start or goal; if that is a subgoal with
/// `corners`, only with what it has no edge to.
pub(super) fn from_end(
    ground: &Ground,
    cell: (u32, u32),
    corners: Option<Corners>,
    mut reach: impl FnMut(Seen),
) {
    if corners.is_none() {
        rays(ground, cell, &mut reach);
    }
    for quadrant in QUADRANTS {
        if corners.is_none_or(|corners| !corners.has(slant_of(quadrant))) {
            look(ground, cell, quadrant, &mut reach);
        }
    }
}

/// Calls `reach` with the first subgoal in each of the four straight directions, if there is one
/// before a wall.
pub(super) fn rays(ground: &Ground, (x, y): (u32, u32), mut reach: impl FnMut(Seen)) {
    let layers = [ground.plain(Slant::Rising), ground.plain(Slant::Falling)];
    let rows = layers.map(|layer| &layer.rows);
    let columns = layers.map(|layer| &layer.columns);
    let (row, column) = (rows[0].position(x, y), columns[0].position(y, x));
    let mut hit = |at: (u32, u32), class, straight_steps| {
        if ground.free.rows.get(rows[0].position(at.0, at.1)) {
            reach(Seen { at, class, diagonal_steps: 0, straight_steps });
        }
    };
    // Beyond the map's northern and western edge positions are those of blocked cells too, but
    // coordinates are not.
    let north = ray::<false>(columns, column);
    if north <= y {
        hit((x, y - north), 0, north);
    }
    let east = ray::<true>(rows, row);
    hit((x + east, y), 4, east);
    let south = ray::<true>(columns, column);
    hit((x, y + south), 8, south);
    let west = ray::<false>(rows, row);
    if west <= x {
        hit((x - west, y), 12, west);
    }
}

/// Calls `reach` with the first subgoal of a slant in each of the four straight directions, and with
/// the quadrant of that slant whose scan from there looks along the way back first.
pub(super) fn slanted_rays(
    ground: &Ground,
    (x, y): (u32, u32),
    slant: Slant,
    mut reach: impl FnMut((u32, u32), u8),
) {
    let Layer { rows, columns } = ground.plain(slant);
    let (row, column) = (rows.position(x, y), columns.position(y, x));
    let mut hit = |at: (u32, u32), quadrants: [u8; 2]| {
        if ground.is_free(at) {
            reach(at, quadrants[slant as usize]);
        }
    };
    let beyond = |run: u32| run + 1;
    hit((x, y.wrapping_sub(beyond(run::<false>(columns, column, u32::MAX)))), [2, 1]);
    hit((x + beyond(run::<true>(rows, row, u32::MAX)), y), [2, 3]);
    hit((x, y + beyond(run::<true>(columns, column, u32::MAX))), [0, 3]);
    hit((x.wrapping_sub(beyond(run::<false>(rows, row, u32::MAX))), y), [0, 1]);
}

/// The distance to the first cell that is blocked or a subgoal.
#[inline]
fn ray<const RIGHT: bool>([rising, falling]: [&Bits; 2], position: u32) -> u32 {
    let mut far = 0;
    loop {
        let stops = if RIGHT {
            let at = position + far;
            !(rising.after(at) & falling.after(at)) & AFTER
        } else {
            let at = position - far;
            (!(rising.before(at) & falling.before(at)) & BEFORE).reverse_bits()
        };
        if stops != 0 {
            return far + stops.trailing_zeros();
        }
        far += STRETCH;
    }
}

/// How many cells beyond its first a load decides, and which bits they are.
const STRETCH: u32 = 56;
const AFTER: u64 = ((1 << STRETCH) - 1) << 1;
const BEFORE: u64 = AFTER.reverse_bits();

/// The cells from a position on, in its direction.
#[inline]
fn line<const RIGHT: bool>(bits: &Bits, position: u32) -> u64 {
    if RIGHT { bits.after(position) } else { bits.before(position) }
}

/// Whether the first cell of a line is set.
#[inline]
fn first<const RIGHT: bool>(line: u64) -> bool {
    if RIGHT { line & 1 != 0 } else { line >> 63 != 0 }
}

/// How far away the first cell of a line is that is not set, other than the very first; 64 if it is
/// farther than [`STRETCH`].
#[inline]
fn end<const RIGHT: bool>(line: u64) -> u32 {
    if RIGHT { (!line & AFTER).trailing_zeros() } else { (!line & BEFORE).leading_zeros() }
}

/// How many plain cells follow a position, at most `limit`.
#[inline]
fn run<const RIGHT: bool>(plain: &Bits, position: u32, limit: u32) -> u32 {
    run_from::<RIGHT>(plain, position, line::<RIGHT>(plain, position), limit)
}

/// The same with the line at the position at hand.
#[inline]
fn run_from<const RIGHT: bool>(plain: &Bits, position: u32, word: u64, limit: u32) -> u32 {
    let stop = end::<RIGHT>(word);
    if stop < 64 {
        return limit.min(stop - 1);
    }
    long_run::<RIGHT>(plain, position, limit)
}

/// The same where the first line says nothing.
fn long_run<const RIGHT: bool>(plain: &Bits, position: u32, limit: u32) -> u32 {
    let mut far = STRETCH;
    while far < limit {
        let at = if RIGHT { position + far } else { position - far };
        let stop = end::<RIGHT>(line::<RIGHT>(plain, at));
        if stop < 64 {
            return limit.min(far + stop - 1);
        }
        far += STRETCH;
    }
    limit
}

/// Calls `reach` with everything directly reachable in a quadrant, without the rays that bound it.
#[inline]
pub(super) fn look(ground: &Ground, cell: (u32, u32), quadrant: u8, reach: &mut impl FnMut(Seen)) {
    match quadrant & 3 {
        0 => sweep::<true, false>(ground, cell, reach),
        1 => sweep::<true, true>(ground, cell, reach),
        2 => sweep::<false, true>(ground, cell, reach),
        _ => sweep::<false, false>(ground, cell, reach),
    }
}

fn sweep<const EAST: bool, const SOUTH: bool>(
    ground: &Ground,
    (x, y): (u32, u32),
    reach: &mut impl FnMut(Seen),
) {
    let slant = if EAST == SOUTH { Slant::Falling } else { Slant::Rising };
    // Of the diagonal, the mixtures with rows and those with columns.
    let (diagonal, along, across): (Class, Class, Class) = match (EAST, SOUTH) {
        (true, false) => (2, 3, 1),
        (true, true) => (6, 5, 7),
        (false, true) => (10, 11, 9),
        (false, false) => (14, 13, 15),
    };
    let (free, plain) = (&ground.free.rows, ground.plain(slant));
    let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
    let (mut row, mut column) = (free.position(x, y), plain.columns.position(y, x));
    let down = dy * free.stride() as i32;
    let right = dx * plain.columns.stride() as i32;
    let mut wide = run::<EAST>(&plain.rows, row, u32::MAX);
    let mut tall = run::<SOUTH>(&plain.columns, column, u32::MAX);
    let mut steps = 0;
    loop {
        // Cells that a line has reached are free.
        if (wide == 0 && !free.get(row.wrapping_add_signed(dx)))
            || (tall == 0 && !free.get(row.wrapping_add_signed(down)))
        {
            return;
        }
        row = row.wrapping_add_signed(dx + down);
        column = column.wrapping_add_signed(dy + right);
        steps += 1;
        let mut meet = |class, right: u32, down: u32| {
            let far_x = x.wrapping_add_signed(dx * (steps + right) as i32);
            let far_y = y.wrapping_add_signed(dy * (steps + down) as i32);
            let (at, straight_steps) = ((far_x, far_y), right + down);
            reach(Seen { at, class, diagonal_steps: steps, straight_steps });
        };
        let cells = line::<EAST>(&plain.rows, row);
        if !first::<EAST>(cells) {
            if free.get(row) {
                meet(diagonal, 0, 0);
            }
            return;
        }
        if wide > 0 {
            let far = run_from::<EAST>(&plain.rows, row, cells, wide);
            if far < wide {
                wide = far;
                if free.get(row.wrapping_add_signed(dx * (far as i32 + 1))) {
                    meet(along, far + 1, 0);
                }
            }
        }
        if tall > 0 {
            let far = run::<SOUTH>(&plain.columns, column, tall);
            if far < tall {
                tall = far;
                if free.get(row.wrapping_add_signed(down * (far as i32 + 1))) {
                    meet(across, 0, far + 1);
                }
            }
        }
    }
}

/// Calls `reach` with the first subgoal of the slant on a diagonal, the cell itself included.
pub(super) fn along_diagonal(
    ground: &Ground,
    (mut x, mut y): (u32, u32),
    quadrant: u8,
    reach: impl FnOnce((u32, u32)),
) {
    let (free, plain) = (&ground.free.rows, &ground.plain(slant_of(quadrant)).rows);
    let (dx, dy) = [(1, -1), (1, 1), (-1, 1), (-1, -1)][usize::from(quadrant & 3)];
    let down = dy * free.stride() as i32;
    let mut at = free.position(x, y);
    while plain.get(at) {
        let next = at.wrapping_add_signed(dx + down);
        let beside = free.get(at.wrapping_add_signed(dx)) & free.get(at.wrapping_add_signed(down));
        if !(beside & free.get(next)) {
            return;
        }
        (x, y, at) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy), next);
    }
    if free.get(at) {
        reach((x, y));
    }
}
