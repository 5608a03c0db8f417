//! Who may see a rectangle: every turning point from which a straight way leads to it, and a few more.
//!
//! The way from a point to where it first touches the rectangle ends on one of its four sides. So
//! each side sends a beam outwards, line by line, as a [scan](super::scan) does from a point; but a
//! beam has a whole side for its source. What it may reach behind a wall to its left is bounded by the
//! line from the *right* end of the side past that wall, and the other way round. These are necessary
//! conditions, each for one wall: who is found may still not see the rectangle, which the one scan
//! that is made for each then tells. So nothing here has to be exact, only generous.
//!
//! What lies inside the rectangle does not matter.

use super::turning::TurningPoints;
use crate::Grid;
use crate::grid::bits::Bits;

/// The corners of a rectangle: from the upper left to the lower right one, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corners {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

/// A part of a beam that has reached a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    line: u32,
    /// How far it goes to the right on each line: to the left at most, from the right end of its
    /// source; to the right at most, from the left end.
    slopes: (f64, f64),
    /// Where it meets the line.
    low: f64,
    high: f64,
}

/// Positions are this generous.
const SLACK: f64 = 1e-6;

/// Calls `visit` with the turning points that may see a rectangle, except those on it; some more than
/// once.
pub(super) fn who_sees(
    grid: &Grid,
    points: &TurningPoints,
    target: Corners,
    waiting: &mut Vec<Ray>,
    visit: &mut impl FnMut(u32),
) {
    let Corners { left, top, right, bottom } = target;
    let (rows, columns) = (grid.rows(), grid.columns());
    let (width, height) = (grid.width(), grid.height());
    let sides = [
        (rows, (left, right), bottom, height, false),
        (rows, (left, right), top, 0, false),
        (columns, (top, bottom), right, width, true),
        (columns, (top, bottom), left, 0, true),
    ];
    for (bits, side, source, border, upright) in sides {
        Beam { bits, side, source, border, upright, points }.cast(waiting, visit);
    }
}

/// One side of the rectangle with what lies before it. In its own terms lines are rows, even where
/// they are columns of the map.
struct Beam<'a> {
    bits: &'a Bits,
    side: (u32, u32),
    /// The line of the side, and the one where the map ends.
    source: u32,
    border: u32,
    upright: bool,
    points: &'a TurningPoints,
}

impl Beam<'_> {
    fn cast(&self, waiting: &mut Vec<Ray>, visit: &mut impl FnMut(u32)) {
        let (low, high) = (f64::from(self.side.0) - SLACK, f64::from(self.side.1) + SLACK);
        let slopes = (f64::NEG_INFINITY, f64::INFINITY);
        waiting.clear();
        waiting.push(Ray { line: self.source, slopes, low, high });
        while let Some(ray) = waiting.pop() {
            if ray.line != self.border {
                self.advance(ray, waiting, visit);
            }
        }
    }

    /// A ray crosses a row.
    #[inline]
    fn advance(&self, ray: Ray, waiting: &mut Vec<Ray>, visit: &mut impl FnMut(u32)) {
        let down = self.border > self.source;
        let (row, next) =
            if down { (ray.line, ray.line + 1) } else { (ray.line - 1, ray.line - 1) };
        let near = f64::from(ray.line.abs_diff(self.source));
        let far = near + 1.0;
        let (a, b) = (f64::from(self.side.0), f64::from(self.side.1));
        let first = self.bits.position(0, row);
        // The cells that touch it, if only at a corner.
        let (mut cell, last) = (first + ray.low.max(0.0) as u32, first + ray.high as u32);
        while let Some((begin, end)) = run_touching(self.bits, cell, last) {
            let (start, stop) = (f64::from(begin - first), f64::from(end - first));
            // Of the wall to the left the far corner is in the way of those that go left, the near
            // one of those that go right; likewise to the right.
            let left = (start - b) / if start < b { far } else { near };
            let right = (stop - a) / if stop > a { far } else { near };
            // On the line of the source itself, a wall at its very end lets everything past.
            let left = if left.is_nan() { 0.0 } else { left };
            let right = if right.is_nan() { 0.0 } else { right };
            let slopes = (ray.slopes.0.max(left), ray.slopes.1.min(right));
            let low = (b + slopes.0 * far).max(start) - SLACK;
            let high = (a + slopes.1 * far).min(stop) + SLACK;
            if low <= high {
                let (from, to) = (low.max(0.0).ceil() as u32, high as u32);
                if from <= to {
                    self.see(next, from, to, visit);
                }
                waiting.push(Ray { line: next, slopes, low, high });
            }
            cell = end + 1;
            if cell > last {
                return;
            }
        }
    }

    #[inline]
    fn see(&self, line: u32, from: u32, to: u32, visit: &mut impl FnMut(u32)) {
        let points = self.points;
        if self.upright {
            points.along_column(line, from, to, &mut |y| visit_at(points, line, y, visit));
        } else {
            points.along_row(line, from, to, &mut |x| visit_at(points, x, line, visit));
        }
    }
}

#[inline]
fn visit_at(points: &TurningPoints, x: u32, y: u32, visit: &mut impl FnMut(u32)) {
    points.at(x, y).into_iter().for_each(visit);
}

/// The first run of free cells that reaches into those from `cell` to `last`: its first cell and the
/// one behind it.
#[inline]
fn run_touching(bits: &Bits, mut cell: u32, last: u32) -> Option<(u32, u32)> {
    if !bits.get(cell) {
        cell = super::scan::next_free(bits, cell, last);
        if cell > last {
            return None;
        }
        return Some((cell, super::scan::run_end(bits, cell)));
    }
    Some((super::scan::run_start(bits, cell), super::scan::run_end(bits, cell)))
}
