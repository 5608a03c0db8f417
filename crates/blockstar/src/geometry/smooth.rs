//! Greedy smoothing: a path goes straight wherever that is legal and costs no more.
//!
//! From each point that is kept, the following points are tried one after the other. On plain
//! ground a try is one line-of-sight check. On terrain and slopes the straight line must be priced
//! cell by cell, and trying every point of a long stretch would price the stretch once for each of
//! them: for 16384 cells in a row, 134 million cells were priced. There, distant points are tried
//! in strides that grow with the distance; where a stride fails, the last point in between is found
//! by bisection. A stretch of n points is then priced about 64 + 16 + log n times, and up to 64
//! points away the result is as if every point had been tried.

use crate::geometry::path::{segment_cost, sides_agree};
use crate::geometry::sight;
use crate::{Grid, Moves, Path, Point};

/// Up to this many points from the one that is kept, every point is tried.
const NEAR: usize = 64;

/// Beyond that, a stride is this share of the points passed.
const STRIDE: usize = 16;

impl Path {
    /// Greedy smoothing: from each point that is kept, walks along the path as long as its points
    /// (under a cell rule, its cells; without terrain and slopes, the corners that it passes) stay
    /// visible and the straight line costs no more than the detour, and goes straight to the last
    /// of them. (On terrain and slopes, where a straight line is priced cell by cell, not every
    /// distant point is tried.) The result is an any-angle path (see [`Path::moves`] for its rule)
    /// that is never longer than the original and costs no more on weighted terrain. (A path with
    /// diagonals of 1.4 claims less than its length; its smoothed cost is the true one.)
    #[must_use]
    pub fn smoothed(&self, grid: &Grid) -> Self {
        let mut path = self.with_every_cell().with_every_corner(grid);
        path.smooth(grid);
        path.settle(grid, path.moves());
        path
    }

    /// [`Path::smoothed`] in place; returns the number of line-of-sight checks.
    pub(crate) fn smooth(&mut self, grid: &Grid) -> u64 {
        let moves = self.moves().any_angle();
        let is_priced = grid.has_costs() || moves.slope().is_some() && grid.has_heights();
        let mut looks = 0;
        let (mut kept, mut anchor) = (1, 0);
        while anchor + 1 < self.points().len() {
            // Kept points move to the front, never beyond `anchor`; points before that are not
            // needed again.
            let stretch = Stretch {
                anchor,
                last: self.points().len() - 1,
                step: |a| segment_cost(grid, moves, self.points()[a], self.points()[a + 1]),
                shortcut: |to| {
                    looks += 1;
                    self.shortcut(grid, moves, anchor, to)
                },
            };
            anchor = if is_priced { stretch.farthest_priced() } else { stretch.farthest() };
            let point = self.points()[anchor];
            self.points_mut()[kept] = point;
            kept += 1;
        }
        self.points_mut().truncate(kept);
        self.price(grid, moves);
        looks
    }

    /// The cost of the straight segment between two points of the path, if it is legal. If it
    /// begins or ends at a double corner, it must be on the right side.
    pub(crate) fn shortcut(
        &self,
        grid: &Grid,
        moves: Moves,
        from: usize,
        to: usize,
    ) -> Option<f64> {
        let points = self.points();
        let (a, b) = (points[from], points[to]);
        if !sight::visible(grid, a, b, moves.rule()) {
            return None;
        }
        // The path leaves `a` and arrives at `b` on certain sides; the shortcut must use the same.
        let same_side = |at: Point, other: Point, neighbour: Point| {
            moves.rule().squeezes() || sides_agree(grid, at, other, neighbour)
        };
        if to > from + 1 && !(same_side(a, b, points[from + 1]) && same_side(b, a, points[to - 1]))
        {
            return None;
        }
        Some(segment_cost(grid, moves, a, b))
    }
}

/// What follows a point that is kept.
struct Stretch<S, D> {
    /// The point.
    anchor: usize,
    /// The last point of the path.
    last: usize,
    /// The cost from a point to the next.
    step: S,
    /// The cost of the straight line from the anchor to a point, if it is legal.
    shortcut: D,
}

impl<S: Fn(usize) -> f64, D: FnMut(usize) -> Option<f64>> Stretch<S, D> {
    /// The last point before the first that cannot be reached in one segment.
    fn farthest(mut self) -> usize {
        let mut known = (self.anchor + 1, (self.step)(self.anchor));
        while known.0 < self.last {
            match self.attempt(known, known.0 + 1) {
                Some(next) => known = next,
                None => break,
            }
        }
        known.0
    }

    /// The same, without trying every distant point.
    fn farthest_priced(mut self) -> usize {
        let mut known = (self.anchor + 1, (self.step)(self.anchor));
        while known.0 < self.last {
            let passed = known.0 - self.anchor;
            let stride = if passed < NEAR { 1 } else { passed / STRIDE };
            let mut beyond = (known.0 + stride).min(self.last);
            match self.attempt(known, beyond) {
                Some(next) => known = next,
                None => {
                    while beyond - known.0 > 1 {
                        let middle = known.0.midpoint(beyond);
                        match self.attempt(known, middle) {
                            Some(next) => known = next,
                            None => beyond = middle,
                        }
                    }
                    break;
                }
            }
        }
        known.0
    }

    /// The point `to` and the cost of the path up to it, if it can be reached in one segment at no
    /// more than that cost, which is known up to an earlier point.
    fn attempt(&mut self, (end, walked): (usize, f64), to: usize) -> Option<(usize, f64)> {
        let walked = (end..to).map(&self.step).fold(walked, |sum, step| sum + step);
        let direct = (self.shortcut)(to)?;
        (direct <= walked * (1.0 + 1e-12)).then_some((to, walked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    /// Each candidate used to price its segment from the start: a path of 16384 cells in a row was
    /// walked 8192 times.
    #[test]
    fn a_long_path_over_terrain_is_not_priced_again_for_each_of_its_points() {
        let length = 16_384;
        // Whatever the ground, straight lines over up to `most` points are as good as the path.
        for most in [1, 3, 63, 64, 65, 1000, length] {
            let (mut anchor, mut priced) = (0, 0);
            while anchor < length {
                let shortcut = |to| {
                    priced += to - anchor;
                    (to - anchor <= most).then_some(1.0)
                };
                let stretch = Stretch { anchor, last: length, step: |_| 1.0, shortcut };
                let end = stretch.farthest_priced();
                assert_eq!(end, (anchor + most).min(length), "the farthest of {most}");
                anchor = end;
            }
            assert!(priced <= 64 * length, "{} times the path for {most}", priced / length);
        }
    }

    /// On real ground: level terrain with costs, up and down between two rows.
    #[test]
    fn long_paths_over_terrain_are_smoothed_to_the_same_line() {
        let length = 3000;
        let mut grid = Grid::new(length, 2).unwrap();
        grid.set_costs(&vec![2.5; 2 * length as usize]).unwrap();
        let cells: Vec<_> = (0..length).map(|x| Cell::new(x, x / 2 % 2)).collect();
        let path = Path::new(&grid, Moves::EIGHT, cells);
        let smooth = path.smoothed(&grid);
        smooth.check(&grid, smooth.moves()).unwrap();
        assert_eq!(smooth.points().len(), 2);
        assert!(smooth.cost() < path.cost());
    }
}
