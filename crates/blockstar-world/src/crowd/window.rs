//! Exact distances in a small square of cells round a unit, and estimates outside.
//!
//! Inside, a distance is that of the best way that joins the unit's trail within the square: a
//! search from all cells of the trail there, each beginning with what is left from it. So a unit is
//! held to its trail only as far as the side of the square where that leaves it; all the ways there
//! that are equally short are equally good, which is what a crowd needs to spread out.

use super::preference::{STEPS, permits_diagonal};
use super::trail::{Mark, Trail};
use blockstar::{Cell, Grid, Rule};

/// From the middle to the sides.
const RADIUS: u32 = 7;
const SIDE: usize = 2 * RADIUS as usize + 1;
const CELLS: usize = SIDE * SIDE;

/// How near to a side a unit may come before its window is made anew: whom it asks about, two steps
/// away, is still inside.
const MARGIN: u32 = 2;

/// How much of the trail is looked at: no way through the square is longer than its cells.
const AHEAD: u32 = CELLS as u32;

/// Not reached.
const FAR: u16 = u16::MAX;

/// What straight and diagonal steps count. Under a rule of four all steps are equal; under one of
/// eight a diagonal counts 7/5, so that units do not zigzag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepCost {
    pub straight: u32,
    pub diagonal: u32,
}

impl StepCost {
    pub const fn of(rule: Rule) -> Self {
        match rule {
            Rule::Four => Self { straight: 1, diagonal: 0 },
            _ => Self { straight: 5, diagonal: 7 },
        }
    }
}

/// Distances round a unit.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The upper left cell, which may lie outside the map.
    left: i32,
    top: i32,
    /// What is added to all of them.
    base: u32,
    near: [u16; CELLS],
}

/// Memory for making windows.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowScratch {
    /// Cells on the trail, the last of them first: (distance, index).
    seeds: Vec<(u32, u16)>,
    /// By distance, round and round.
    buckets: [Vec<u16>; 8],
}

impl Window {
    pub const NOWHERE: Self =
        Self { left: i32::MIN / 2, top: i32::MIN / 2, base: 0, near: [FAR; CELLS] };

    /// Whether a unit at this cell is well inside.
    pub fn serves(&self, cell: Cell) -> bool {
        let inside = |at: u32, start: i32| {
            let from = at as i32 - start;
            (MARGIN as i32..SIDE as i32 - MARGIN as i32).contains(&from)
        };
        inside(cell.x, self.left) && inside(cell.y, self.top)
    }

    /// How far it is from a cell; outside, as far as from the nearest cell of the window and on from
    /// there.
    pub fn distance(&self, cell: Cell) -> u32 {
        let last = SIDE as i32 - 1;
        let (x, y) = (cell.x as i32 - self.left, cell.y as i32 - self.top);
        let (inner_x, inner_y) = (x.clamp(0, last), y.clamp(0, last));
        let near = self.near[inner_y as usize * SIDE + inner_x as usize];
        let beyond = x.abs_diff(inner_x) + y.abs_diff(inner_y);
        if near == FAR && beyond == 0 {
            return u32::MAX - 1;
        }
        (self.base + u32::from(near)).saturating_add(beyond.saturating_mul(8)).min(u32::MAX - 1)
    }

    /// Makes the window round a unit. Of the trail, what follows `mark` counts; the mark moves on to
    /// where the trail enters the window. If there is no way from the unit to the trail inside,
    /// nothing is changed.
    pub fn centre(
        &mut self,
        grid: &Grid,
        rule: Rule,
        at: Cell,
        trail: &Trail,
        mark: &mut Mark,
        scratch: &mut WindowScratch,
    ) -> bool {
        let cost = StepCost::of(rule);
        let (left, top) = (at.x as i32 - RADIUS as i32, at.y as i32 - RADIUS as i32);
        let index = |cell: Cell| {
            let (x, y) = (cell.x as i32 - left, cell.y as i32 - top);
            let inside = (0..SIDE as i32).contains(&x) && (0..SIDE as i32).contains(&y);
            inside.then(|| y as usize * SIDE + x as usize)
        };
        scratch.seeds.clear();
        let mut entered = None;
        let (mut last, mut walked) = (*mark, 0);
        loop {
            if let Some(index) = index(last.cell) {
                entered.get_or_insert(last);
                scratch.seeds.push((walked, index as u16));
            }
            let next = trail.after(last).filter(|next| next.index <= mark.index + AHEAD);
            let Some(next) = next else { break };
            let diagonal = next.cell.x != last.cell.x && next.cell.y != last.cell.y;
            walked += if diagonal { cost.diagonal } else { cost.straight };
            last = next;
        }
        // What is left from there, in place of what was walked.
        let left_after = (trail.len() - last.index) * cost.straight;
        for (distance, _) in &mut scratch.seeds {
            *distance = walked - *distance + left_after;
        }
        let (Some(entered), Some(&(base, _))) = (entered, scratch.seeds.last()) else {
            return false;
        };
        let near = spread(grid, rule, (left, top), base, scratch);
        if near[RADIUS as usize * SIDE + RADIUS as usize] == FAR {
            return false;
        }
        *mark = entered;
        *self = Self { left, top, base, near };
        true
    }
}

/// The distances from the seeds over the square, less the least of them.
fn spread(
    grid: &Grid,
    rule: Rule,
    (left, top): (i32, i32),
    base: u32,
    scratch: &mut WindowScratch,
) -> [u16; CELLS] {
    let cost = StepCost::of(rule);
    let WindowScratch { seeds, buckets } = scratch;
    // One bit per cell, with a blocked rim.
    let mut free = [0_u32; SIDE + 2];
    for (row, bits) in free[1..=SIDE].iter_mut().enumerate() {
        let y = top + row as i32;
        for column in 0..SIDE {
            let x = left + column as i32;
            if x >= 0 && y >= 0 && grid.is_free((x as u32, y as u32)) {
                *bits |= 2 << column;
            }
        }
    }
    let is_free = |x: usize, y: usize| free[y] >> x & 1 != 0;
    let mut near = [FAR; CELLS];
    buckets.iter_mut().for_each(Vec::clear);
    let mut waiting = 0;
    let mut level = 0_u32;
    loop {
        while let Some(&(distance, index)) = seeds.last() {
            if distance - base > level {
                break;
            }
            seeds.pop();
            let known = &mut near[usize::from(index)];
            if level < u32::from(*known) {
                *known = level as u16;
                buckets[level as usize % 8].push(index);
                waiting += 1;
            }
        }
        while let Some(index) = buckets[level as usize % 8].pop() {
            waiting -= 1;
            if u32::from(near[usize::from(index)]) != level {
                continue;
            }
            let (x, y) = (usize::from(index) % SIDE + 1, usize::from(index) / SIDE + 1);
            for (direction, &(dx, dy)) in STEPS.iter().enumerate() {
                let (to_x, to_y) =
                    (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
                let step = if direction < 4 { cost.straight } else { cost.diagonal };
                if direction >= 4 {
                    let (a, b) = (is_free(to_x, y), is_free(x, to_y));
                    if !permits_diagonal(rule, a, b) {
                        continue;
                    }
                }
                if !is_free(to_x, to_y) {
                    continue;
                }
                let to = (to_y - 1) * SIDE + to_x - 1;
                let distance = level + step;
                if distance < u32::from(near[to]) {
                    near[to] = distance as u16;
                    buckets[distance as usize % 8].push(to as u16);
                    waiting += 1;
                }
            }
        }
        if waiting == 0 {
            match seeds.last() {
                Some(&(distance, _)) => level = distance - base,
                None => return near,
            }
        } else {
            level += 1;
        }
    }
}
