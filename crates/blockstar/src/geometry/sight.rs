//! Line of sight: the one routine that decides whether a straight segment is legal.
//!
//! Obstacles are the interiors of blocked cells, and everything outside the map is blocked. So a
//! segment may touch corners and slide along a wall or along the border, but it may not
//!
//! 1. enter the interior of a blocked cell;
//! 2. run between two blocked cells, not even along a part of their common edge;
//! 3. pass through a *double corner* (two blocked cells that touch diagonally, with the other two
//!    cells free) from one free cell to the other, unless the rule squeezes. It may start or end
//!    there: whether a path turns legally at a double corner is a question about two segments,
//!    which [`side`] answers.
//!
//! The idea: turn the plane so that the segment runs along the rows rather than across them (if
//! needed, the map by columns takes the place of the map by rows). In each row it then crosses a
//! run of neighbouring cells, which is tested 64 cells at a time. The place where it leaves a row
//! is an exact fraction, kept as whole cells and a remainder and advanced by additions only.
//!
//! What differs from the usual line walks (Bresenham, Amanatides and Woo): the work grows with the
//! number of rows instead of the number of cells, and nothing is rounded, so the answer is the same
//! in both directions and every planner agrees with the check of its path.

use crate::grid::bits::Bits;
use crate::grid::raster::raster;
use crate::{Cell, Grid, Moves, Point, Rule};
use std::hint::select_unpredictable;

/// Lattice steps per cell, in the type of coordinates known to lie on the map.
const UNITS: u32 = Point::UNITS as u32;

impl Grid {
    /// Whether one can walk straight from `a` to `b`.
    ///
    /// Touching corners and sliding along walls and along the map's border are legal; entering a
    /// blocked cell, leaving the map and running between two blocked cells that share an edge are
    /// not. Between two blocked cells that touch only diagonally, [`Moves::ANY_ANGLE`] does not let
    /// the segment through, and [`Moves::ANY_ANGLE_SQUEEZE`] does. Rules that step from cell to
    /// cell are treated as the any-angle rule that [`Moves::any_angle`] returns.
    ///
    /// The answer is exact and the same in both directions. A point sees itself unless it lies
    /// inside a wall or off the map.
    ///
    /// ```
    /// use blockstar::{Grid, Moves, Point};
    /// let grid = Grid::from_ascii(
    ///     "..#.
    ///      .#..
    ///      ....",
    /// )?;
    /// let sees = |a, b, moves| grid.line_of_sight(Point::from(a), Point::from(b), moves);
    /// // Down the left side of the wall, touching it.
    /// assert!(sees((1.0, 0.0), (1.0, 3.0), Moves::ANY_ANGLE));
    /// // Straight through the wall.
    /// assert!(!sees((0.5, 1.5), (3.5, 1.5), Moves::ANY_ANGLE));
    /// // Between the two blocked cells, where they touch at (2, 1).
    /// assert!(!sees((1.5, 0.5), (2.5, 1.5), Moves::ANY_ANGLE));
    /// assert!(sees((1.5, 0.5), (2.5, 1.5), Moves::ANY_ANGLE_SQUEEZE));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn line_of_sight(&self, a: Point, b: Point, moves: Moves) -> bool {
        visible(self, a, b, moves.rule())
    }
}

/// Whether the segment from `a` to `b` is legal; see the [module](self) for what that means.
pub(crate) fn visible(grid: &Grid, a: Point, b: Point, rule: Rule) -> bool {
    let (Some((ax, ay)), Some((bx, by))) = (on_map(grid, a), on_map(grid, b)) else {
        return false;
    };
    if a == b {
        return point_is_legal(grid, a);
    }
    // No branch predictor can guess which way the next segment goes.
    let flat = ax.abs_diff(bx) >= ay.abs_diff(by);
    let bits = select_unpredictable(flat, grid.rows(), grid.columns());
    let (ax, ay) = select_unpredictable(flat, (ax, ay), (ay, ax));
    let (bx, by) = select_unpredictable(flat, (bx, by), (by, bx));
    let strict = !rule.squeezes();
    if (ax | ay | bx | by).is_multiple_of(UNITS) {
        // Planners mostly ask about two corners. Then the lattice is the grid itself, and only
        // small numbers are divided.
        let corner = |x: u32, y: u32| (x / UNITS, y / UNITS);
        return Segment::<1>::between(corner(ax, ay), corner(bx, by)).is_legal(bits, strict);
    }
    Segment::<UNITS>::between((ax, ay), (bx, by)).is_legal(bits, strict)
}

/// Whether two points see each other that belong to cells, as the ends of a query do: under the strict
/// rule, a point on a double corner is on the side of its cell alone.
pub(crate) fn ends_meet(grid: &Grid, a: (Point, Cell), b: (Point, Cell), rule: Rule) -> bool {
    let leaves = |(from, cell): (Point, Cell), to: Point| {
        let corner = from.as_corner().filter(|_| !rule.squeezes());
        corner.is_none_or(|corner| side(grid, corner, to).is_none_or(|side| side == cell))
    };
    leaves(a, b.0) && leaves(b, a.0) && visible(grid, a.0, b.0, rule)
}

/// Whether the point touches a free cell: inside it, on its edge or at its corner.
pub(crate) fn point_is_legal(grid: &Grid, p: Point) -> bool {
    let Some((x, y)) = on_map(grid, p) else { return false };
    let bits = grid.rows();
    let at = bits.position(x / UNITS, y / UNITS);
    // A point on a grid line also touches the cell before it; off the map, that is padding.
    let left = u32::from(x.is_multiple_of(UNITS));
    let up = if y.is_multiple_of(UNITS) { bits.stride() } else { 0 };
    bits.get(at) || bits.get(at - left) || bits.get(at - up) || bits.get(at - up - left)
}

/// Whether two blocked cells touch diagonally at the vertex (`x`, `y`), from (0, 0) to (width,
/// height), with the other two cells free. Never true on the border.
pub(crate) fn is_double_corner(grid: &Grid, x: u32, y: u32) -> bool {
    let bits = grid.rows();
    let lower_right = bits.position(x, y);
    let upper_right = lower_right - bits.stride();
    let pair = |position: u32| bits.from(position - 1) & 3;
    // One of the two cells above is free, and the other one of the two below.
    matches!((pair(upper_right), pair(lower_right)), (0b01, 0b10) | (0b10, 0b01))
}

/// Which of the two free cells at the double corner (`x`, `y`) contains a segment that leaves the
/// corner towards a point (or arrives from there). `None` if the vertex is not a double corner, if
/// the point is the vertex itself, or if the segment would start inside a blocked cell.
///
/// If a path turns at a double corner, it is legal under the strict rule only if the points before
/// and after give the same side.
pub(crate) fn side(grid: &Grid, (x, y): (u32, u32), towards: Point) -> Option<Cell> {
    if !is_double_corner(grid, x, y) {
        return None;
    }
    // A segment along a grid line has a free cell on one side and a blocked one on the other; any
    // other segment has a single cell.
    let cells = |vertex: u32, target: i32| {
        let offset = i64::from(target) - i64::from(vertex) * i64::from(UNITS);
        (vertex - u32::from(offset <= 0))..(vertex + u32::from(offset >= 0))
    };
    let (columns, rows) = (cells(x, towards.ux()), cells(y, towards.uy()));
    if columns.len() == 2 && rows.len() == 2 {
        return None;
    }
    let mut touched = raster(columns, rows).map(Cell::from);
    touched.find(|&cell| grid.is_free(cell))
}

/// The coordinates of a point if it lies on the map or its border.
#[inline]
fn on_map(grid: &Grid, p: Point) -> Option<(u32, u32)> {
    // A negative coordinate becomes one that is too large.
    let (x, y) = (p.ux() as u32, p.uy() as u32);
    (x <= grid.width() * UNITS && y <= grid.height() * UNITS).then_some((x, y))
}

/// A segment on the map, longer than 0, that goes right at least as far as it goes up or down. Its
/// ends lie on a lattice of `UNITS` steps per cell.
struct Segment<const UNITS: u32> {
    /// The left end.
    x: u32,
    y: u32,
    /// Its extent to the right.
    run: u32,
    /// Its extent up or down.
    rise: u32,
    down: bool,
}

impl<const UNITS: u32> Segment<UNITS> {
    #[inline]
    fn between(a: (u32, u32), b: (u32, u32)) -> Self {
        let right = a.0 <= b.0;
        Self {
            x: a.0.min(b.0),
            y: select_unpredictable(right, a.1, b.1),
            run: a.0.abs_diff(b.0),
            rise: a.1.abs_diff(b.1),
            down: right == (a.1 < b.1),
        }
    }

    /// Whether it is legal; `bits` are rows along its longer axis.
    #[inline]
    fn is_legal(&self, bits: &Bits, strict: bool) -> bool {
        if self.rise != 0 {
            return self.oblique(bits, strict);
        }
        let first = self.x / UNITS;
        let count = (self.x + self.run).div_ceil(UNITS) - first;
        let position = bits.position(first, self.y / UNITS);
        if self.y.is_multiple_of(UNITS) {
            edges_are_legal(bits, position, count, strict)
        } else {
            all_free(bits, position, count)
        }
    }

    fn oblique(&self, bits: &Bits, strict: bool) -> bool {
        let &Self { x, y, run, rise, down } = self;
        let row = (y - u32::from(!down)) / UNITS;
        // How far down or up it goes before it leaves its first row.
        let reach = select_unpredictable(down, (row + 1) * UNITS - y, y - row * UNITS);
        let mut enter = bits.position(x / UNITS, row);
        let mut last = bits.position((x + run - 1) / UNITS, row);
        if reach < rise {
            let crossings = (rise - reach).div_ceil(UNITS);
            let next_row = select_unpredictable(down, bits.stride(), bits.stride().wrapping_neg());
            last = last.wrapping_add(next_row.wrapping_mul(crossings));
            // From row to row it goes `run / rise` cells to the right: `cells` and `part / whole`.
            let whole = u64::from(rise) * u64::from(UNITS);
            let (cells, part) = (run / rise, u64::from(run % rise) * u64::from(UNITS));
            // It leaves the first row in the cell `leave`, at `rest / whole` from that cell's left
            // edge.
            let offset = u64::from(x % UNITS) * u64::from(rise) + u64::from(reach) * u64::from(run);
            let mut leave = enter + (offset / whole) as u32;
            let mut rest = offset % whole;
            for _ in 0..crossings {
                if !all_free(bits, enter, leave - enter + u32::from(rest != 0)) {
                    return false;
                }
                enter = leave.wrapping_add(next_row);
                // Through a vertex, from the cell left of `leave` to `enter`: the other two cells
                // there make the double corner.
                if rest == 0 && strict && !bits.get(leave) && !bits.get(enter - 1) {
                    return false;
                }
                // Advance by `cells` and `part`. Both outcomes are computed, so one of them may
                // wrap around.
                let carry = rest >= whole - part;
                leave = enter + cells + u32::from(carry);
                rest = select_unpredictable(carry, rest.wrapping_sub(whole - part), rest + part);
            }
        }
        all_free(bits, enter, last + 1 - enter)
    }
}

/// Whether `count` (at least 1) cells from a position on are all free.
#[inline]
fn all_free(bits: &Bits, mut position: u32, mut count: u32) -> bool {
    while count > 64 {
        if bits.from(position) != u64::MAX {
            return false;
        }
        position += 64;
        count -= 64;
    }
    !bits.from(position) << (64 - count) == 0
}

/// Whether a segment may run along the upper edges of `count` cells from a position on. Each edge
/// needs a free cell above or below, and under the strict rule a single free side must not change
/// from one edge to the next.
fn edges_are_legal(bits: &Bits, mut position: u32, mut count: u32, strict: bool) -> bool {
    loop {
        // Shifted up, so that the cells behind the last one fall off the top.
        let unused = 64 - count.min(64);
        let above = !bits.from(position - bits.stride()) << unused;
        let below = !bits.from(position) << unused;
        let flips = (above << 1 & below) | (below << 1 & above);
        if above & below != 0 || (strict && flips != 0) {
            return false;
        }
        if count <= 64 {
            return true;
        }
        // The last cell is looked at again, for the change between it and the next one.
        position += 63;
        count -= 63;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(drawing: &str) -> Grid {
        Grid::from_ascii(drawing).unwrap()
    }

    /// The answers of the strict and the permissive rule, checked in both directions.
    fn sees(grid: &Grid, a: (f64, f64), b: (f64, f64)) -> (bool, bool) {
        let answer = |rule| {
            let answer = visible(grid, a.into(), b.into(), rule);
            assert_eq!(visible(grid, b.into(), a.into(), rule), answer, "{a:?} and {b:?}");
            answer
        };
        (answer(Rule::AnyAngle), answer(Rule::AnyAngleSqueeze))
    }

    /// Two points, whether they see each other under the two rules, and in words where they lie.
    type Sight = ((f64, f64), (f64, f64), (bool, bool), &'static str);

    fn expect(grid: &Grid, sights: &[Sight]) {
        for &(a, b, seen, place) in sights {
            assert_eq!(sees(grid, a, b), seen, "{place}");
        }
    }

    const YES: (bool, bool) = (true, true);
    const NO: (bool, bool) = (false, false);
    const SQUEEZING: (bool, bool) = (false, true);

    #[test]
    fn slides_along_walls_but_not_between_them() {
        let map = grid(
            ".....
             .###.
             .....
             ..#..
             ..#..",
        );
        let sights = [
            ((0.0, 1.0), (5.0, 1.0), YES, "above the wall"),
            ((1.0, 0.5), (1.0, 5.0), YES, "beside the wall"),
            ((1.5, 1.0), (1.75, 1.0), YES, "on a part of an edge"),
            ((2.0, 0.0), (2.0, 2.0), NO, "between two cells of the wall"),
            ((2.0, 1.0), (2.0, 1.25), NO, "a part of the way between them"),
            ((2.25, 4.0), (2.75, 4.0), NO, "between two cells, upright wall"),
            ((0.5, 1.5), (4.5, 1.5), NO, "through the wall"),
            ((0.0, 2.0), (2.0, 0.0), YES, "past the corner at (1, 1)"),
            ((0.0, 1.999), (2.0, 0.0), YES, "nearly"),
            ((0.0, 2.001), (2.0, 0.0), NO, "the corner is cut by a hair"),
        ];
        expect(&map, &sights);
    }

    #[test]
    fn double_corners_part_the_two_rules() {
        let map = grid(
            "..#.
             .#..
             ....",
        );
        let sights = [
            ((1.5, 0.5), (2.5, 1.5), SQUEEZING, "obliquely"),
            ((1.0, 0.5), (3.0, 1.5), SQUEEZING, "less steep"),
            ((1.5, 0.0), (2.5, 2.0), SQUEEZING, "steeper"),
            ((1.5, 1.0), (2.5, 1.0), SQUEEZING, "from above to below"),
            ((2.0, 0.5), (2.0, 1.5), SQUEEZING, "from left to right"),
            ((1.5, 0.5), (2.0, 1.0), YES, "up to the vertex"),
            ((2.0, 1.0), (2.5, 1.0), YES, "from the vertex on"),
            ((1.5, 1.5), (2.5, 0.5), NO, "through the blocked cells"),
        ];
        expect(&map, &sights);
    }

    #[test]
    fn the_border_may_be_followed_but_not_left() {
        let map = grid(
            "...
             ...
             ..#",
        );
        let sights = [
            ((0.0, 0.0), (3.0, 0.0), YES, "the upper border"),
            ((3.0, 0.0), (3.0, 2.0), YES, "the right border"),
            ((3.0, 0.0), (3.0, 2.25), NO, "blocked inside and outside"),
            ((0.0, 3.0), (2.0, 3.0), YES, "the lower border"),
            ((0.0, 3.0), (3.0, 3.0), NO, "the lower border, along the wall"),
            ((0.0, 3.0), (3.0, 0.0), YES, "from corner to corner"),
            ((1.0, 1.0), (1.0, -0.25), NO, "beyond the upper border"),
            ((1.0, 1.0), (3.25, 1.0), NO, "beyond the right border"),
            ((-1.0, -1.0), (-1.0, -1.0), NO, "off the map"),
        ];
        expect(&map, &sights);
    }

    #[test]
    fn a_point_sees_itself_if_it_touches_a_free_cell() {
        let map = grid(
            ".##
             ###
             ###",
        );
        for (point, legal) in [
            ((0.5, 0.5), true),
            ((0.0, 0.0), true),
            ((1.0, 0.5), true),
            ((0.5, 1.0), true),
            ((1.0, 1.0), true),
            ((1.001, 1.0), false),
            ((1.5, 0.5), false),
            ((2.0, 2.0), false),
            ((3.0, 3.0), false),
            ((-0.001, 0.5), false),
        ] {
            assert_eq!(point_is_legal(&map, point.into()), legal, "{point:?}");
            assert_eq!(sees(&map, point, point), (legal, legal), "{point:?}");
        }
        assert_eq!(sees(&map, (1.0, 1.0), (0.5, 0.5)), YES);
        assert_eq!(sees(&map, (1.0, 1.0), (1.5, 1.5)), NO, "into the wall");
    }

    #[test]
    fn the_largest_map_is_seen_across() {
        let map = Grid::new(Grid::MAX_SIDE, Grid::MAX_SIDE).unwrap();
        let end = f64::from(Grid::MAX_SIDE);
        assert_eq!(sees(&map, (0.0, 0.0), (end, end)), YES);
        assert_eq!(sees(&map, (0.0, end), (end, 0.0)), YES);
        assert_eq!(sees(&map, (0.0, 0.0), (end, end - 1.0 / 1024.0)), YES);
        assert_eq!(sees(&map, (end, 0.0), (end, end)), YES);
    }

    #[test]
    fn cell_rules_see_like_their_any_angle_rule() {
        let map = grid(
            ".#
             #.",
        );
        let (a, b) = (Point::new(0.5, 0.5), Point::new(1.5, 1.5));
        for &rule in Rule::ALL {
            assert_eq!(visible(&map, a, b, rule), rule.squeezes(), "{rule:?}");
        }
    }

    #[test]
    fn double_corners_have_two_sides() {
        let map = grid(
            "..#.
             .#..
             ....",
        );
        let double: Vec<_> = (0..=3)
            .flat_map(|y| (0..=4).map(move |x| (x, y)))
            .filter(|&(x, y)| is_double_corner(&map, x, y))
            .collect();
        assert_eq!(double, [(2, 1)]);
        let (left, right) = (Some(Cell::new(1, 0)), Some(Cell::new(2, 1)));
        for (towards, want) in [
            ((1.5, 0.5), left),
            ((1.0, 1.0), left),
            ((2.0, 0.0), left),
            ((2.5, 1.5), right),
            ((3.0, 1.0), right),
            ((2.0, 2.0), right),
            ((1.5, 1.5), None),
            ((3.0, 0.0), None),
            ((2.0, 1.0), None),
        ] {
            assert_eq!(side(&map, (2, 1), towards.into()), want, "{towards:?}");
        }
        assert_eq!(side(&map, (1, 1), Point::new(0.0, 0.0)), None, "a plain corner");
        assert_eq!(side(&map, (0, 0), Point::new(1.0, 1.0)), None, "the map's corner");
        // Turned by a quarter, the free cells are the other two.
        let turned = grid(
            "#.
             .#",
        );
        assert_eq!(side(&turned, (1, 1), Point::new(1.0, 0.0)), Some(Cell::new(1, 0)));
        assert_eq!(side(&turned, (1, 1), Point::new(0.0, 1.0)), Some(Cell::new(0, 1)));
    }
}
