//! Line-of-sight scans: every turning point that a point sees, without testing pairs.
//!
//! S. Oh & H. W. Leong, *Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding
//! Using Hierarchical Taut Paths* (2017), section "line of sight scans". What a point sees below it
//! is swept row by row: a *cone* of directions enters a row of cells and is cut by each run of free
//! cells to the directions that stay inside the run while they cross the row. What is left of it
//! meets the next grid line in an interval, and the turning points in this interval are visible. A
//! direction crosses each row in one run, so no point is met twice.
//!
//! Cones are bounded by two integer vectors, always from the eye to some corner, compared by cross
//! products. Where they meet a grid line is computed in floating point, with an error far below the
//! distance that a fraction of such integers can have from a whole number. So nothing is decided by
//! rounding, and a scan agrees with [`sight::visible`](crate::geometry::sight) about every pair, even
//! where a cone has shrunk to a single direction between two corners. Directions along grid lines
//! are scanned separately.
//!
//! What differs from the paper: turning points are looked up 64 at a time in a bit map of those
//! that can be taut when seen from this quarter of the plane, so nearly all the work is output; and
//! the strict rule ends a cone that would pass a double corner (only a single direction can do so,
//! at the point where two runs touch).

use super::turning::{Slope, TurningPoints};
use crate::geometry::sight;
use crate::grid::bits::Bits;
use crate::{Grid, Point, Rule};

/// Lattice steps per cell.
const UNITS: i64 = Point::UNITS as i64;

/// A direction: to the right, and away from the eye's line (always positive).
pub(super) type Vector = (i64, i64);

/// A direction that bounds a cone, and how far it goes to the right on one step away.
#[derive(Clone, Copy, Debug)]
struct Bound {
    along: Vector,
    slope: f64,
}

impl Bound {
    #[inline]
    fn new(along: Vector) -> Self {
        Self { along, slope: along.0 as f64 / along.1 as f64 }
    }
}

/// A part of a sweep that has yet to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    /// The grid line that it has reached.
    line: u32,
    left: Bound,
    right: Bound,
    /// Where its bounds meet the line.
    from: Meeting,
    to: Meeting,
}

/// Where a direction meets a line: the corner there or the next to the left, and whether it is exactly
/// there.
type Meeting = (u32, bool);

/// The directions that a sweep is about: not to the left of the first, not to the right of the second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits(pub Option<Vector>, pub Option<Vector>);

impl Limits {
    /// All directions.
    pub const NONE: Self = Self(None, None);
    /// Those to the left, and those to the right.
    pub const LEFT: Self = Self(None, Some((0, 1)));
    pub const RIGHT: Self = Self(Some((0, 1)), None);

    /// The directions within both limits.
    pub fn and(self, other: Self) -> Self {
        let rightmost = |a: Vector, b: Vector| if is_left_of(a, b) { b } else { a };
        let leftmost = |a: Vector, b: Vector| if is_left_of(a, b) { a } else { b };
        let both = |a: Option<Vector>, b: Option<Vector>, choose: fn(Vector, Vector) -> Vector| {
            a.zip(b).map(|(a, b)| choose(a, b)).or(a).or(b)
        };
        Self(both(self.0, other.0, rightmost), both(self.1, other.1, leftmost))
    }
}

/// A scan from one point.
pub(crate) struct Scan<'a> {
    grid: &'a Grid,
    points: &'a TurningPoints,
    strict: bool,
    eye: Point,
    /// If the eye is on a double corner under the strict rule: the row of the cell it belongs to.
    side: Option<u32>,
    /// The cones that have yet to go on.
    waiting: &'a mut Vec<Cone>,
}

/// Whether a direction is to the left of another.
#[inline]
fn is_left_of(a: Vector, b: Vector) -> bool {
    a.0 * b.1 < b.0 * a.1
}

impl<'a> Scan<'a> {
    /// A scan from `eye`. On a double corner, it is on the side of the cell in row `row`.
    pub fn new(
        grid: &'a Grid,
        rule: Rule,
        points: &'a TurningPoints,
        eye: Point,
        row: u32,
        waiting: &'a mut Vec<Cone>,
    ) -> Self {
        let strict = !rule.squeezes();
        let corner =
            eye.as_corner().filter(|&(x, y)| strict && sight::is_double_corner(grid, x, y));
        Self { grid, points, strict, eye, side: corner.map(|_| row), waiting }
    }

    /// Everything that is visible and can be taut there.
    pub fn everywhere(&mut self, visit: &mut impl FnMut(u32)) {
        self.sweep::<true>(Limits::NONE, visit);
        self.sweep::<false>(Limits::NONE, visit);
        for along in Along::ALL {
            self.slide(along, false, visit);
        }
    }

    /// The turning points above or below, except those straight above or below.
    pub fn sweep<const DOWN: bool>(&mut self, limits: Limits, visit: &mut impl FnMut(u32)) {
        let (x, y) = (i64::from(self.eye.ux()), i64::from(self.eye.uy()));
        // The row that the sweep begins in.
        let row = if DOWN { y.div_euclid(UNITS) } else { (y - 1).div_euclid(UNITS) };
        if row < 0 || row >= i64::from(self.grid.height()) {
            return;
        }
        let (row, bits) = (row as u32, self.grid.rows());
        if self.side.is_some_and(|side| side != row) {
            return;
        }
        // The run of free cells that touches the eye: there is at most one.
        let column = x.div_euclid(UNITS) as u32;
        let mut cell = bits.position(column, row);
        if !bits.get(cell) {
            cell -= 1;
            if x % UNITS != 0 || !bits.get(cell) {
                return;
            }
        }
        let first = bits.position(0, row);
        let (begin, end) = (run_start(bits, cell) - first, run_end(bits, cell) - first);
        let line = if DOWN { row + 1 } else { row };
        let depth = self.depth::<DOWN>(line);
        let run = Limits(
            Some((i64::from(begin) * UNITS - x, depth)),
            Some((i64::from(end) * UNITS - x, depth)),
        );
        let Limits(Some(left), Some(right)) = run.and(limits) else { return };
        if is_left_of(right, left) {
            return;
        }
        let (left, right) = (Bound::new(left), Bound::new(right));
        self.waiting.clear();
        self.reach::<DOWN>(line, left, right, visit);
        while let Some(cone) = self.waiting.pop() {
            if let Some(cone) = self.glide::<DOWN>(cone, visit) {
                self.advance::<DOWN>(cone, visit);
            }
        }
    }

    /// How far a line is from the eye.
    #[inline]
    fn depth<const DOWN: bool>(&self, line: u32) -> i64 {
        let below = i64::from(line) * UNITS - i64::from(self.eye.uy());
        if DOWN { below } else { -below }
    }

    /// Where a bound meets a line at some depth: the corner there or the next to the left, and
    /// whether it is exactly there.
    ///
    /// In lattice steps that is a fraction whose denominator is less than 2^25, computed with an
    /// error of less than 2^-27: if it is nearer than 2^-26 to a whole number, it is one.
    #[inline]
    fn meet(&self, bound: Bound, depth: i64) -> Meeting {
        const CELL: f64 = 1.0 / UNITS as f64;
        const NEAR: f64 = CELL / (1 << 26) as f64;
        // A number of this size has no room for fractions: what is added to it is rounded to a whole
        // number, which its lower bits then hold. A cast would take three times as many instructions.
        const ROUNDING: f64 = (3_u64 << 51) as f64;
        let x = (f64::from(self.eye.ux()) + bound.slope * depth as f64) * CELL + NEAR;
        // Off the map to the left it is the padding there, which is blocked, or what lies before it.
        let rounded = (x - 0.5) + ROUNDING;
        (rounded.to_bits() as u32, x - (rounded - ROUNDING) < 2.0 * NEAR)
    }

    /// A cone reaches a line: it sees the turning points there, and waits to go on.
    #[inline]
    fn reach<const DOWN: bool>(
        &mut self,
        line: u32,
        left: Bound,
        right: Bound,
        visit: &mut impl FnMut(u32),
    ) {
        // There are no turning points on the border, and nothing behind it.
        if line == 0 || line == self.grid.height() {
            return;
        }
        let depth = self.depth::<DOWN>(line);
        let (from, to) = (self.meet(left, depth), self.meet(right, depth));
        self.see::<DOWN>(line, from, to, visit);
        self.waiting.push(Cone { line, left, right, from, to });
    }

    /// Sees the turning points on a line between two places.
    #[inline]
    fn see<const DOWN: bool>(
        &self,
        line: u32,
        from: Meeting,
        to: Meeting,
        visit: &mut impl FnMut(u32),
    ) {
        let first = from.0 + u32::from(!from.1);
        if !self.points.any_on_line(line, first, to.0) {
            return;
        }
        let eye = self.eye.ux() as u32;
        let (falling, rising) =
            if DOWN { (Slope::Falling, Slope::Rising) } else { (Slope::Rising, Slope::Falling) };
        // Down to the right a path goes on through points of falling slope, to the left through
        // those of rising slope; upwards the other way round.
        let beyond = (eye / Point::UNITS as u32 + 1).max(first);
        if beyond <= to.0 {
            self.points.on_line(line, beyond, to.0, falling, visit);
        }
        let before = eye.div_ceil(Point::UNITS as u32).min(to.0 + 1);
        if first < before {
            self.points.on_line(line, first, before - 1, rising, visit);
        }
    }

    /// A cone crosses rows as long as no wall touches it. Returns it as it enters a row where one
    /// does, if it does.
    #[inline]
    fn glide<const DOWN: bool>(
        &mut self,
        mut cone: Cone,
        visit: &mut impl FnMut(u32),
    ) -> Option<Cone> {
        let bits = self.grid.rows();
        let border = if DOWN { self.grid.height() } else { 0 };
        loop {
            let (row, next) =
                if DOWN { (cone.line, cone.line + 1) } else { (cone.line - 1, cone.line - 1) };
            let depth = self.depth::<DOWN>(next);
            let (from, to) = (self.meet(cone.left, depth), self.meet(cone.right, depth));
            // What lies off the map to the left has become a large number.
            if from.0.max(to.0) > self.grid.width() {
                return Some(cone);
            }
            // The cells that touch it on the near line, and those that it crosses.
            let start = bits.position(0, row);
            let near = cone.from.0 + start - u32::from(cone.from.1);
            let (first, last) = (near.min(start + from.0), start + cone.to.0.max(to.0));
            if !are_free(bits, first, last + 1 - first) {
                return Some(cone);
            }
            if next == border {
                return None;
            }
            self.see::<DOWN>(next, from, to, visit);
            cone = Cone { line: next, from, to, ..cone };
        }
    }

    /// A cone crosses a row.
    #[inline]
    fn advance<const DOWN: bool>(&mut self, cone: Cone, visit: &mut impl FnMut(u32)) {
        let Cone { line, left, right, from, to } = cone;
        let bits = self.grid.rows();
        let (row, next) = if DOWN { (line, line + 1) } else { (line - 1, line - 1) };
        let (near, far) = (self.depth::<DOWN>(line), self.depth::<DOWN>(next));
        let first = bits.position(0, row);
        // The cells that touch the interval, if only at a corner.
        let (mut cell, last) = (first + from.0 - u32::from(from.1), first + to.0);
        let mut is_first = true;
        loop {
            let begin;
            if bits.get(cell) {
                begin = if is_first { run_start(bits, cell) } else { cell };
            } else {
                cell = next_free(bits, cell, last);
                if cell > last {
                    return;
                }
                begin = cell;
            }
            is_first = false;
            let end = run_end(bits, cell);
            let offset = |cell: u32| {
                i64::from(cell) * UNITS - i64::from(first) * UNITS - i64::from(self.eye.ux())
            };
            let (a, b) = (offset(begin), offset(end));
            // To the right, the near corner of the left wall is in the way; to the left, its far
            // one. At the right wall it is the other way round.
            let wall = (a, if a >= 0 { near } else { far });
            let l = if is_left_of(left.along, wall) { Bound::new(wall) } else { left };
            let wall = (b, if b >= 0 { far } else { near });
            let r = if is_left_of(wall, right.along) { Bound::new(wall) } else { right };
            let touch = if from.1 && end == first + from.0 {
                Some(from.0)
            } else if to.1 && begin == first + to.0 {
                Some(to.0)
            } else {
                None
            };
            let squeezed =
                self.strict && touch.is_some_and(|x| sight::is_double_corner(self.grid, x, line));
            // What is straight above or below belongs to `slide`.
            let upright = l.along.0 == 0 && r.along.0 == 0;
            if !is_left_of(r.along, l.along) && !upright && !squeezed {
                self.reach::<DOWN>(next, l, r, visit);
            }
            // The cell at `end` is blocked.
            cell = end + 1;
            if cell > last {
                return;
            }
        }
    }

    /// The turning points straight along the eye's grid line. With `only_taut` the eye is a turning
    /// point, and nothing is visited if a path cannot leave it tautly: if the way does not begin at
    /// a wall.
    pub fn slide(&mut self, along: Along, only_taut: bool, visit: &mut impl FnMut(u32)) {
        let upright = matches!(along, Along::Up | Along::Down);
        let forward = matches!(along, Along::Right | Along::Down);
        let (x, y) = (self.eye.ux(), self.eye.uy());
        let (at, across, bits) =
            if upright { (y, x, self.grid.columns()) } else { (x, y, self.grid.rows()) };
        if across % Point::UNITS != 0 {
            return;
        }
        let line = (across / Point::UNITS) as u32;
        // Edges of cells, each between the cells `before` and `after` the line.
        let edge = if forward { at / Point::UNITS } else { (at - 1).div_euclid(Point::UNITS) };
        let step = if forward { 1 } else { -1 };
        let free = |edge: i32| {
            let after = bits.position(0, line).wrapping_add_signed(edge);
            (bits.get(after - bits.stride()), bits.get(after))
        };
        let length = if upright { self.grid.height() } else { self.grid.width() } as i32;
        let mut edge = edge;
        if edge < 0 || edge >= length {
            return;
        }
        let mut beside = free(edge);
        if only_taut && beside == (true, true) {
            return;
        }
        if let Some(side) = self.side {
            // Only one of the cells beside the way from a double corner is free.
            let own = if upright { edge as u32 } else { line - u32::from(beside.0) };
            if own != side {
                return;
            }
        }
        while beside != (false, false) {
            let corner = (edge + i32::from(forward)) as u32;
            let (x, y) = if upright { (line, corner) } else { (corner, line) };
            if beside != (true, true)
                && let Some(point) = self.points.at(x, y)
            {
                visit(point);
            }
            edge += step;
            if edge < 0 || edge >= length {
                return;
            }
            let next = free(edge);
            if self.strict && beside.0 != beside.1 && next == (beside.1, beside.0) {
                return;
            }
            beside = next;
        }
    }
}

/// A direction along a grid line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Along {
    Up,
    Right,
    Down,
    Left,
}

impl Along {
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];
}

/// Whether `count` cells, at least one, from a position on are all free.
#[inline]
fn are_free(bits: &Bits, mut position: u32, mut count: u32) -> bool {
    while count > 57 {
        if bits.after(position) << 7 != u64::MAX << 7 {
            return false;
        }
        position += 57;
        count -= 57;
    }
    !bits.after(position) << (64 - count) == 0
}

/// The first cell of the run of free cells that holds `cell`, which is free.
#[inline]
pub(super) fn run_start(bits: &Bits, mut cell: u32) -> u32 {
    loop {
        let blocked = !bits.before(cell) >> 7 << 7;
        if blocked != 0 {
            return cell + 1 - blocked.leading_zeros();
        }
        cell -= 57;
    }
}

/// The cell behind the run of free cells that holds `cell`, which is free.
#[inline]
pub(super) fn run_end(bits: &Bits, mut cell: u32) -> u32 {
    loop {
        let blocked = !bits.from(cell);
        if blocked != 0 {
            return cell + blocked.trailing_zeros();
        }
        cell += 64;
    }
}

/// The first free cell behind `cell`, or some cell behind `last`.
#[inline]
pub(super) fn next_free(bits: &Bits, mut cell: u32, last: u32) -> u32 {
    loop {
        let free = bits.from(cell);
        if free != 0 {
            return cell + free.trailing_zeros();
        }
        cell += 64;
        if cell > last {
            return cell;
        }
    }
}
