//! Tables for the cell rules: the cheapest ways from cell to cell inside a block.
//!
//! All slots are sources at once, one lane of a vector each: sweeps over the block, forwards and
//! backwards in turns, lower every cell's lanes to those of its neighbours plus a step until nothing
//! changes. Open blocks are done after two sweeps each way, and the integers are exact. On slopes the
//! tables are directed: there and back differ.

use super::{Content, Layout, Measure, Pricing, Table, Workshop};
use crate::Rule;
use crate::cost::Cost;
use crate::moves::{Direction, step_table};
use crate::slope::{Incline, Way};

/// The neighbours that a sweep forwards and one backwards has visited before: W, NW, N, NE and
/// E, SE, S, SW.
const BEFORE: [usize; 4] = [6, 7, 0, 1];
const AFTER: [usize; 4] = [2, 3, 4, 5];

pub(super) fn make<C: Cost + Measure>(
    layout: &Layout,
    pricing: &Pricing<C>,
    content: &Content,
    workshop: &mut Workshop<C>,
    table: &mut Table<C>,
) {
    let (slots, lanes, side) = (layout.slots(), layout.lanes(), layout.side());
    let distances = &mut workshop.lanes;
    distances.clear();
    distances.resize((side * side) as usize * lanes, C::FAR);
    for slot in 0..slots {
        let (x, y) = layout.at(slot);
        if content.is_free(x, y) {
            distances[(y * side + x) as usize * lanes + slot] = <C as Cost>::ZERO;
        }
    }
    sweep(content, pricing, distances, lanes, Way::Forward);
    table.begin(slots, lanes, &[], C::FAR, false);
    for to in 0..slots {
        let (x, y) = layout.at(to);
        let column = &distances[(y * side + x) as usize * lanes..][..slots];
        for (from, &distance) in column.iter().enumerate() {
            table.set(from, to, distance);
        }
    }
}

pub(super) fn flood<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    (x, y): (u32, u32),
    way: Way,
    distances: &mut Vec<C>,
) {
    let side = content.side();
    distances.clear();
    distances.resize((side * side) as usize, C::FAR);
    distances[(y * side + x) as usize] = <C as Cost>::ZERO;
    sweep(content, pricing, distances, 1, way);
}

/// Sweeps until nothing changes. On slopes a step takes a square root: once, not in every sweep.
fn sweep<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    distances: &mut [C],
    lanes: usize,
    way: Way,
) {
    if pricing.incline.is_none() {
        return sweep_with(content, pricing, distances, lanes, None);
    }
    let mut steps = [C::FAR; MAX_STEPS];
    price_steps(content, pricing, &mut steps, way);
    sweep_with(content, pricing, distances, lanes, Some(&steps));
}

fn sweep_with<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    distances: &mut [C],
    lanes: usize,
    steps: Option<&[C; MAX_STEPS]>,
) {
    let side = content.side();
    let mut quiet = 0;
    let mut forwards = true;
    // A sweep that changes nothing, right after one the other way that changed nothing.
    while quiet < 2 {
        let mut changed = false;
        for i in 0..side * side {
            let i = if forwards { i } else { side * side - 1 - i };
            let (x, y) = (i % side, i / side);
            if content.is_free(x, y) {
                let neighbours = if forwards { BEFORE } else { AFTER };
                changed |= lower(content, pricing, (distances, lanes), (x, y), neighbours, steps);
            }
        }
        quiet = if changed { 0 } else { quiet + 1 };
        forwards = !forwards;
    }
}

/// The most steps that cells of a block can take.
const MAX_STEPS: usize = 8 * (super::MAX_SIDE * super::MAX_SIDE) as usize;

/// For each cell and direction, the cost of the step from there to the cell (backwards, of the step to
/// there); far if it is too steep.
fn price_steps<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    steps: &mut [C; MAX_STEPS],
    way: Way,
) {
    let side = content.side();
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        for d in 0..8 {
            let beside =
                (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]));
            if !content.is_free(x, y) || !content.is_free(beside.0, beside.1) {
                continue;
            }
            let (from, to) = match way {
                Way::Forward => (beside, (x, y)),
                Way::Backward => ((x, y), beside),
            };
            if let Some(step) = step_cost(content, pricing, d, from, to) {
                steps[(y * side + x) as usize * 8 + d] = step;
            }
        }
    }
}

/// Lowers the lanes of a cell to those of some of its neighbours plus a step.
#[inline]
fn lower<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    (distances, lanes): (&mut [C], usize),
    (x, y): (u32, u32),
    neighbours: [usize; 4],
    steps: Option<&[C; MAX_STEPS]>,
) -> bool {
    let side = content.side();
    let legal = step_table(pricing.rule())[around(content, x, y)];
    let here = (y * side + x) as usize * lanes;
    let mut best = [C::FAR; super::MAX_SLOTS];
    let best = &mut best[..lanes];
    best.copy_from_slice(&distances[here..here + lanes]);
    for d in neighbours {
        if legal >> d & 1 == 0 {
            continue;
        }
        let (nx, ny) =
            (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]));
        let step = match steps {
            Some(steps) => {
                Some(steps[(y * side + x) as usize * 8 + d]).filter(|step| !step.is_far())
            }
            None => step_cost(content, pricing, d, (x, y), (nx, ny)),
        };
        let Some(step) = step else { continue };
        let there = (ny * side + nx) as usize * lanes;
        for (best, &from) in best.iter_mut().zip(&distances[there..there + lanes]) {
            *best = best.least(from + step);
        }
    }
    let here = &mut distances[here..here + lanes];
    let mut changed = false;
    for (old, &mut new) in here.iter_mut().zip(best) {
        changed |= new < *old;
        *old = new;
    }
    changed
}

/// What a step between two cells of a block costs, if it is possible.
#[inline]
fn step_cost<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    d: usize,
    from: (u32, u32),
    to: (u32, u32),
) -> Option<C> {
    let sum = || content.factor(from.0, from.1) + content.factor(to.0, to.1);
    if let Some(incline) = &pricing.incline {
        let (low, high) = (content.height(from.0, from.1), content.height(to.0, to.1));
        let sum = if content.is_weighted() { sum() } else { Incline::ONE };
        return incline.step(low, high, sum, d % 2 != 0).map(C::from_u64);
    }
    let unit = if d.is_multiple_of(2) { pricing.straight } else { pricing.diagonal };
    Some(if content.is_weighted() { Cost::times(unit, sum()) } else { unit })
}

/// The 3x3 cells around a cell of the block as nine bits, as [`Bits::around`] has them; cells
/// outside the block are blocked.
///
/// [`Bits::around`]: crate::bits::Bits::around
#[inline]
fn around(content: &Content, x: u32, y: u32) -> usize {
    let three = |y: u32| {
        if y >= content.side() { 0 } else { (usize::from(content.row(y)) << 1) >> x & 7 }
    };
    three(y.wrapping_sub(1)) | three(y) << 3 | three(y + 1) << 6
}

/// If the way between two cells can be one diagonal and one straight run (under the rule `four` two
/// straight ones), in either order, visits its
/// cells in reverse, from the one before `to` to `from`: most ways are such, and need no flood.
pub(super) fn stride<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    from: (u32, u32),
    to: (u32, u32),
    mut visit: impl FnMut((u32, u32)),
) -> bool {
    if content.is_weighted() || pricing.incline.is_some() {
        return false;
    }
    let (dx, dy) = (from.0 as i32 - to.0 as i32, from.1 as i32 - to.1 as i32);
    let (mut long, mut short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
    let mut slant = (dx.signum(), dy.signum());
    let mut straight = if dx.abs() > dy.abs() { (slant.0, 0) } else { (0, slant.1) };
    if pricing.rule() == Rule::Four {
        // Two straight runs: down first, or along first.
        (long, short) = (dx.abs() + dy.abs(), dy.abs());
        (slant, straight) = ((0, slant.1), (slant.0, 0));
    }
    let table = step_table(pricing.rule());
    let step = |at: (u32, u32), by: (i32, i32)| {
        (at.0.wrapping_add_signed(by.0), at.1.wrapping_add_signed(by.1))
    };
    for slant_first in [true, false] {
        let by = |i: i32| {
            let slants = if slant_first { i < short } else { i >= long - short };
            if slants { slant } else { straight }
        };
        let mut at = to;
        let legal = (0..long).all(|i| {
            let by = by(i);
            let legal = Direction::of(by.0, by.1)
                .is_some_and(|d| table[around(content, at.0, at.1)] >> d.0 & 1 != 0);
            at = step(at, by);
            legal
        });
        if legal {
            at = to;
            for i in 0..long {
                at = step(at, by(i));
                visit(at);
            }
            return true;
        }
    }
    false
}

/// The cells of a cheapest way inside a block, from the one before `to` back to `from`, by
/// descending from `to` the distances that were flooded from `from`.
pub(super) fn descend<C: Cost + Measure>(
    content: &Content,
    pricing: &Pricing<C>,
    distances: &[C],
    mut at: (u32, u32),
    mut visit: impl FnMut((u32, u32)),
) {
    let side = content.side();
    let distance = |(x, y): (u32, u32)| distances[(y * side + x) as usize];
    while distance(at) > <C as Cost>::ZERO {
        let legal = step_table(pricing.rule())[around(content, at.0, at.1)];
        let before = (0..8).filter(|d| legal >> d & 1 != 0).find_map(|d| {
            let from = (
                at.0.wrapping_add_signed(Direction::DX[d]),
                at.1.wrapping_add_signed(Direction::DY[d]),
            );
            let step = step_cost(content, pricing, d, from, at)?;
            (distance(from) + step == distance(at)).then_some(from)
        });
        let Some(before) = before else { return };
        visit(before);
        at = before;
    }
}
