//! The surface over a grid: heights between the centres of cells, and how a straight segment rises
//! and falls on it.
//!
//! A segment is cut where it crosses the lines through the centres of cells, exactly, in integers.
//! Heights on these lines are interpolated between two centres, and the pieces between are chords.
//! Beyond the outermost centres the ground is level.

use crate::{Cell, Grid, Path, Point};

/// A piece of a segment between two lines through centres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chord {
    /// Its length in the plane, in cells.
    pub length: f64,
    /// The integral of the terrain factor along it; the length without terrain.
    pub weighted: f64,
    /// How much it rises, in metres.
    pub rise: f64,
}

/// A place of a path on the ground: see [`Path::profile_points`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfilePoint {
    /// How far to the right, in cells.
    pub x: f64,
    /// How far down, in cells.
    pub y: f64,
    /// The length of the path so far in the plane, in cells.
    pub walked: f64,
    /// The height of the ground, in metres.
    pub height: f64,
}

impl Path {
    /// The path as it runs on the ground: its points, and between them every place where it crosses
    /// a line through the centres of cells. From one place to the next it is straight in space;
    /// slopes, costs and [`Naturalness`](crate::Naturalness) are measured on these pieces. Heights
    /// are 0 on a map without them.
    ///
    /// ```
    /// use blockstar::{Cell, Grid, Moves, Path};
    /// let mut grid = Grid::new(2, 2)?;
    /// // Level from corner to corner, between two towers.
    /// grid.set_heights(&[0.0, 10.0, 10.0, 0.0])?;
    /// let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(1, 1)]);
    /// assert!(path.profile_points(&grid).iter().all(|place| place.height == 0.0));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn profile_points(&self, grid: &Grid) -> Vec<ProfilePoint> {
        let ground = |point| grid.height_at_point(point).unwrap_or(0.0);
        let mut places = Vec::new();
        let mut walked = 0.0;
        places.extend(self.points().first().map(|&at| {
            let (x, y) = (at.x(), at.y());
            ProfilePoint { x, y, walked, height: ground(at) }
        }));
        for pair in self.points().windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let distance = a.distance(b);
            let (mut along, mut height) = (0.0, ground(a));
            chords(grid, a, b, |chord| {
                along += chord.length;
                height += chord.rise;
                let part = along / distance;
                let (x, y) = (a.x() + (b.x() - a.x()) * part, a.y() + (b.y() - a.y()) * part);
                places.push(ProfilePoint { x, y, walked: walked + along, height });
            });
            walked += distance;
            // Without rounding errors.
            if let Some(last) = places.last_mut().filter(|_| distance > 0.0) {
                *last = ProfilePoint { x: b.x(), y: b.y(), walked, height: ground(b) };
            }
        }
        places
    }
}

const UNITS: i64 = Point::UNITS as i64;
const HALF: i64 = UNITS / 2;

impl Grid {
    /// The height of the ground at a point, in metres: bilinear between the centres of cells,
    /// blocked ones included, and level beyond the outermost. `None` if the map has no heights.
    pub fn height_at_point(&self, point: Point) -> Option<f64> {
        self.heights()?;
        Some(height(self, (i64::from(point.ux()), 1), (i64::from(point.uy()), 1)))
    }
}

/// The height at a place whose coordinates are fractions (numerator, denominator) of lattice units.
fn height(grid: &Grid, x: (i64, i64), y: (i64, i64)) -> f64 {
    let Some(heights) = grid.heights() else { return 0.0 };
    // The two centres that it lies between, and its distance from the first.
    let place = |(numerator, denominator): (i64, i64), count: u32| {
        let from_first = numerator - HALF * denominator;
        let step = UNITS * denominator;
        let (index, rest) = (from_first.div_euclid(step), from_first.rem_euclid(step));
        let last = i64::from(count) - 1;
        if index < 0 {
            (0, 0, 0.0)
        } else if index >= last {
            (last as u32, last as u32, 0.0)
        } else {
            (index as u32, index as u32 + 1, rest as f64 / step as f64)
        }
    };
    let (left, right, across) = place(x, grid.width());
    let (top, bottom, down) = place(y, grid.height());
    let at = |x: u32, y: u32| f64::from(heights[grid.rows().position(x, y) as usize]);
    // Written so that equal heights give exactly this height.
    let between = |a: f64, b: f64, part: f64| if part == 0.0 { a } else { a + part * (b - a) };
    let row = |y: u32| between(at(left, y), if across == 0.0 { 0.0 } else { at(right, y) }, across);
    between(row(top), if down == 0.0 { 0.0 } else { row(bottom) }, down)
}

/// Visits the chords of a segment in order.
pub(crate) fn chords(grid: &Grid, a: Point, b: Point, mut visit: impl FnMut(Chord)) {
    let (ax, ay) = (i64::from(a.ux()), i64::from(a.uy()));
    let (dx, dy) = (i64::from(b.ux()) - ax, i64::from(b.uy()) - ay);
    if (dx, dy) == (0, 0) {
        return;
    }
    let distance = a.distance(b);
    let (wide, high) = (dx.abs(), dy.abs());
    // The distance along an axis from the start to the first line; lines are half a cell apart.
    let first_cut = |v: i64, d: i64| match d.signum() {
        1 => HALF - v.rem_euclid(HALF),
        -1 if v.rem_euclid(HALF) == 0 => HALF,
        -1 => v.rem_euclid(HALF),
        _ => i64::MAX,
    };
    let (mut p, mut q) = (first_cut(ax, dx), first_cut(ay, dy));
    let half_of =
        |v: i64, d: i64| if d < 0 { (v - 1).div_euclid(HALF) } else { v.div_euclid(HALF) };
    let (mut x, mut y) = (half_of(ax, dx), half_of(ay, dy));
    let beside_column = dx == 0 && ax.rem_euclid(UNITS) == 0;
    let beside_row = dy == 0 && ay.rem_euclid(UNITS) == 0;
    let factor = |x: i64, y: i64| {
        let (x, y) = (x.div_euclid(2) as i32, y.div_euclid(2) as i32);
        let of = |x: i32, y: i32| {
            let free = grid.is_free_at(x, y);
            let cost = if free { grid.cost(Cell::new(x as u32, y as u32)) } else { 0.0 };
            if cost == 0.0 { f64::INFINITY } else { cost }
        };
        match (beside_column, beside_row) {
            (true, _) => of(x, y).min(of(x - 1, y)),
            (_, true) => of(x, y).min(of(x, y - 1)),
            _ => of(x, y),
        }
    };
    let weighted = grid.has_costs();
    let (mut from, mut begun, mut sum) = (0.0, 0.0, 0.0);
    let mut level = height(grid, (ax, 1), (ay, 1));
    loop {
        let in_x = wide > 0 && p < wide;
        let in_y = high > 0 && q < high;
        let (cut_x, cut_y) = match (in_x, in_y) {
            (true, true) => (p * high <= q * wide, q * wide <= p * high),
            other => other,
        };
        let to = match (cut_x, cut_y) {
            (true, _) => p as f64 / wide as f64,
            (false, true) => q as f64 / high as f64,
            (false, false) => 1.0,
        };
        sum += (to - from) * if weighted { factor(x, y) } else { 1.0 };
        from = to;
        // Every second line runs through centres.
        let column = ax + dx.signum() * p;
        let row = ay + dy.signum() * q;
        let through_x = cut_x && column.rem_euclid(UNITS) == HALF;
        let through_y = cut_y && row.rem_euclid(UNITS) == HALF;
        let end = !cut_x && !cut_y;
        if end || through_x || through_y {
            let next = if end {
                height(grid, (ax + dx, 1), (ay + dy, 1))
            } else if through_x {
                height(grid, (column, 1), (ay * wide + dy * p, wide))
            } else {
                height(grid, (ax * high + dx * q, high), (row, 1))
            };
            let length = (to - begun) * distance;
            visit(Chord { length, weighted: sum * distance, rise: next - level });
            (begun, sum, level) = (to, 0.0, next);
        }
        if end {
            return;
        }
        if cut_x {
            p += HALF;
            x += dx.signum();
        }
        if cut_y {
            q += HALF;
            y += dy.signum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn chords_add_up_to_their_segment() {
        for mut random in Random::rounds(5, 3000) {
            let (width, height) = (1 + random.below(9) as u32, 1 + random.below(9) as u32);
            let mut grid = Grid::new(width, height).unwrap();
            let heights: Vec<_> =
                (0..width * height).map(|_| random.below(1000) as f32 / 8.0).collect();
            grid.set_heights(&heights).unwrap();
            let mut point = || {
                let mut part = |side: u32| match random.below(3) {
                    0 => random.below(u64::from(side) + 1) as i32 * 1024,
                    1 => random.below(u64::from(side)) as i32 * 1024 + 512,
                    _ => random.below(u64::from(side) * 1024 + 1) as i32,
                };
                Point::from_units(part(width), part(height))
            };
            let (a, b) = (point(), point());
            let (mut length, mut rise) = (0.0, 0.0);
            chords(&grid, a, b, |chord| {
                assert!(chord.length > 0.0);
                assert!((chord.length - chord.weighted).abs() < 1e-12);
                length += chord.length;
                rise += chord.rise;
            });
            assert!((length - a.distance(b)).abs() < 1e-9);
            let ends = [a, b].map(|point| grid.height_at_point(point).unwrap());
            assert!((rise - (ends[1] - ends[0])).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn a_step_between_centres_is_one_chord() {
        let mut grid = Grid::new(3, 3).unwrap();
        grid.set_heights(&(0..9).map(|i| (i * i) as f32 / 3.0).collect::<Vec<_>>()).unwrap();
        let middle = Cell::new(1, 1);
        for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))).filter(|&c| c != (1, 1)) {
            let mut found = Vec::new();
            let to = Cell::new(x, y);
            chords(&grid, middle.centre(), to.centre(), |chord| found.push(chord.rise));
            let rise =
                f64::from(grid.height_at(to).unwrap()) - f64::from(grid.height_at(middle).unwrap());
            assert_eq!(found, [rise]);
        }
    }

    #[test]
    fn heights_are_bilinear_and_level_at_the_edge() {
        let mut grid = Grid::new(2, 2).unwrap();
        grid.set_heights(&[0.0, 4.0, 8.0, 20.0]).unwrap();
        let at = |x, y| grid.height_at_point(Point::new(x, y)).unwrap();
        assert_eq!(at(0.5, 0.5), 0.0);
        assert_eq!(at(1.0, 0.5), 2.0);
        assert_eq!(at(1.0, 1.0), 8.0);
        assert_eq!(at(0.0, 0.0), 0.0);
        assert_eq!(at(2.0, 2.0), 20.0);
        assert_eq!(at(2.0, 1.0), 12.0);
    }
}
