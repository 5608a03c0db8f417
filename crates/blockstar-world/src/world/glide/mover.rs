//! Units in the plane during a tick, and who of them is near whom.

use crate::disc::{CELL, Glide, TOLERANCE, square};
use crate::orca::{Disc, Vector};

/// Cells on each side of a block of [`Near`].
const SIDE: i32 = 4 * CELL;

/// What a unit wants in a tick.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub slot: u32,
    pub glide: Glide,
    /// Where it was before the stride.
    pub before: (i32, i32),
    /// From its point to its middle.
    pub half: i32,
    /// Of the disc, and of what sticks out of the square of its point.
    pub radius: i32,
    pub margin: i32,
    /// Per second.
    pub speed: i32,
    pub aim: Option<(i32, i32)>,
    /// Whether it makes room for others.
    pub yields: bool,
    /// Whether it leans to its right: not where others make way for it.
    pub leans: bool,
}

impl Mover {
    pub(super) fn middle(&self) -> (i32, i32) {
        (self.glide.x + self.half, self.glide.y + self.half)
    }

    pub(super) fn touches(&self, other: &Self) -> bool {
        let (a, b) = (self.middle(), other.middle());
        let apart = i64::from(self.radius + other.radius - TOLERANCE);
        square(a.0 - b.0) + square(a.1 - b.1) < apart * apart
    }

    pub(super) fn disc(&self) -> Disc {
        let (x, y) = self.middle();
        let velocity = Vector::new(self.glide.vx.into(), self.glide.vy.into());
        Disc { at: Vector::new(x.into(), y.into()), velocity, radius: self.radius.into() }
    }
}

/// Who is where: movers by block, in order.
pub(super) struct Near {
    columns: i32,
    list: Vec<(u32, u32)>,
}

impl Near {
    pub(super) fn new(width: u32, movers: &[Mover]) -> Self {
        // The middle of a large unit may lie beyond its point by eight cells.
        let columns = width as i32 / (SIDE / CELL) + 4;
        let block = |mover: &Mover| {
            let (x, y) = mover.middle();
            (y / SIDE * columns + x / SIDE) as u32
        };
        let mut list: Vec<(u32, u32)> = movers.iter().map(block).zip(0..).collect();
        list.sort_unstable();
        Self { columns, list }
    }

    /// Calls with the numbers of all whose middle may be within a distance of a point.
    pub(super) fn around(&self, (x, y): (i32, i32), distance: i32, mut found: impl FnMut(u32)) {
        let first = |v: i32| v.saturating_sub(distance).max(0) / SIDE;
        let last = |v: i32| v.saturating_add(distance) / SIDE;
        for row in first(y)..=last(y) {
            let begin = (row * self.columns + first(x)) as u32;
            let end = (row * self.columns + last(x).min(self.columns - 1)) as u32;
            let at = self.list.partition_point(|entry| entry.0 < begin);
            let row = self.list[at..].iter().take_while(|entry| entry.0 <= end);
            row.for_each(|&(_, number)| found(number));
        }
    }
}
