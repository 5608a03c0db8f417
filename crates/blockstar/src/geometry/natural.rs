//! How natural a path looks, in numbers, and the post-processing that makes it look natural.
//!
//! The A*MOD paper (J. Smołka et al., 2019) removes the vertices of a path that lie in the middle
//! of straight stretches, because an engine makes its own transitions between the remaining ones.
//! It warns of two things: vertices may have been blocked since, and the ground may rise or fall
//! between two vertices. Its listing tests for the first (step 26: "if P2 is blocked", for each
//! vertex) and leaves the second to the reader; the paper says that its own engine needs neither.
//! Here both are implemented.

use crate::geometry::path::{continues_straight, segment_is_legal};
use crate::geometry::relief;
use crate::{Grid, Moves, Path, Point};

/// Measures of how natural a path looks.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Naturalness, Path};
/// let mut grid = Grid::new(3, 3)?;
/// grid.set_heights(&[0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0])?;
/// let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 2)]);
/// let natural = Naturalness::of(&path, &grid, 1.0);
/// assert_eq!((natural.gained, natural.lost), (3.0, 2.0));
/// assert!((natural.length - 2.0 * 2f64.sqrt()).abs() < 1e-9);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Naturalness {
    /// The number of points: what an engine has to walk to, one after the other.
    pub vertices: usize,
    /// The number of cells walked on (for any-angle paths, crossed).
    pub cells: usize,
    /// How often the heading changes.
    pub heading_changes: usize,
    /// The sum of all turns, in radians.
    pub turning: f64,
    /// Metres up.
    pub gained: f64,
    /// Metres down.
    pub lost: f64,
    /// The length in the plane, in cells.
    pub length: f64,
    /// The length in space, in metres.
    pub spatial_length: f64,
}

impl Naturalness {
    /// Measures a path. `cell_size` is the distance between neighbouring centres, in the unit of
    /// the heights.
    pub fn of(path: &Path, grid: &Grid, cell_size: f64) -> Self {
        let points = path.points();
        let mut found = Self {
            vertices: points.len(),
            cells: path.cell_count(),
            heading_changes: path.turns(),
            length: path.length(),
            ..Self::default()
        };
        for corner in points.windows(3) {
            found.turning += turn(corner[0], corner[1], corner[2]);
        }
        for pair in points.windows(2) {
            relief::chords(grid, pair[0], pair[1], |chord| {
                found.gained += chord.rise.max(0.0);
                found.lost += (-chord.rise).max(0.0);
                found.spatial_length += (chord.length * cell_size).hypot(chord.rise);
            });
        }
        found
    }
}

/// The angle by which a path turns at b, from 0 to π.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    let vector = |p: Point, q: Point| (q.x() - p.x(), q.y() - p.y());
    let ((ux, uy), (vx, vy)) = (vector(a, b), vector(b, c));
    let (cross, dot) = (ux * vy - uy * vx, ux * vx + uy * vy);
    if cross == 0.0 && dot >= 0.0 { 0.0 } else { cross.abs().atan2(dot) }
}

impl Path {
    /// The path with as few points in the middle of straight stretches as the two caveats of the
    /// A*MOD paper permit. It starts from every cell (any-angle paths from their points) and leaves
    /// points out. A point stays if it lies on a blocked cell or the stretch without it can no
    /// longer be walked (so an edit cannot hide in a stretch). It also stays if the straight line
    /// in space between its neighbours would leave the ground by more than `deviation` metres. With an infinite deviation, or on a map without heights, no point stays
    /// for that reason; NaN and negative numbers count as 0.
    ///
    /// The paths of all planners that go the same way are simplified to the same points.
    ///
    /// ```
    /// use blockstar::{Cell, Grid, Moves, Path};
    /// let mut grid = Grid::new(5, 1)?;
    /// grid.set_heights(&[0.0, 1.0, 4.0, 1.0, 0.0])?;
    /// let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(4, 0)]);
    /// assert_eq!(path.simplified(&grid, f64::INFINITY).points().len(), 2);
    /// // Only the summit has to stay.
    /// assert_eq!(path.simplified(&grid, 1.5).points().len(), 3);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    #[must_use]
    pub fn simplified(&self, grid: &Grid, deviation: f64) -> Self {
        let moves = self.moves();
        let mut path = self.with_every_cell();
        // NaN must not be taken for "no bound".
        let deviation = if deviation.is_nan() { 0.0 } else { deviation.max(0.0) };
        path.simplify(grid, moves, (deviation < f64::INFINITY).then_some(deviation));
        path.price(grid, moves);
        path
    }

    /// [`Path::simplified`] in place, without the price.
    pub(crate) fn simplify(&mut self, grid: &Grid, moves: Moves, deviation: Option<f64>) {
        let ground = Ground { grid, moves, deviation: deviation.filter(|_| grid.has_heights()) };
        simplify(self.points_mut(), &ground, |a, b| segment_is_legal(grid, moves, a, b));
    }
}

/// Leaves out the points that a straight stretch does not need. `is_legal` says whether a segment
/// can be walked.
fn simplify(
    points: &mut Vec<Point>,
    ground: &Ground<'_>,
    mut is_legal: impl FnMut(Point, Point) -> bool,
) {
    let mut kept = 0;
    // From the second last point kept to the last one.
    let mut last = Stretch::default();
    for i in 0..points.len() {
        let c = points[i];
        if kept >= 1 {
            let b = points[kept - 1];
            // It may go if it lies on the line from the point before it to this one.
            let in_line = kept >= 2 && continues_straight(points[kept - 2], b, c);
            let known =
                if ground.is_cut_at_points() { last } else { Stretch::at(ground, last.begin) };
            let joined =
                in_line.then(|| known.to(ground, c, &mut is_legal)).filter(Stretch::is_fine);
            kept -= usize::from(joined.is_some());
            last = joined.unwrap_or_else(|| Stretch::at(ground, b).to(ground, c, &mut is_legal));
        }
        points[kept] = c;
        kept += 1;
    }
    points.truncate(kept);
}

/// The conditions on a simplified path.
struct Ground<'a> {
    grid: &'a Grid,
    moves: Moves,
    /// How far a stretch may leave the ground, in metres.
    deviation: Option<f64>,
}

impl Ground<'_> {
    /// Whether two segments in line can be judged one by one. They can where they meet at the
    /// centre of a cell: steps and the chords of slopes end there anyway.
    fn is_cut_at_points(&self) -> bool {
        !self.moves.rule().is_any_angle()
    }
}

/// A straight stretch of a path that grows at its end, so that a long one is walked only once.
#[derive(Clone, Copy, Default)]
struct Stretch {
    is_legal: bool,
    begin: Point,
    end: Point,
    /// The heights of the ground at both.
    heights: (f64, f64),
    /// Its length in the plane.
    walked: f64,
    /// The range of gradients of lines in space from its start that stay close enough to the
    /// ground.
    gradients: (f64, f64),
}

impl Stretch {
    /// A stretch that begins and ends at one point.
    fn at(ground: &Ground<'_>, point: Point) -> Self {
        let height = ground.grid.height_at_point(point).unwrap_or(0.0);
        Self {
            is_legal: true,
            begin: point,
            end: point,
            heights: (height, height),
            walked: 0.0,
            gradients: (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The stretch up to a point in line with it.
    fn to(
        mut self,
        ground: &Ground<'_>,
        end: Point,
        is_legal: &mut impl FnMut(Point, Point) -> bool,
    ) -> Self {
        self.is_legal = self.is_legal && is_legal(self.end, end);
        if let Some(most) = ground.deviation {
            relief::chords(ground.grid, self.end, end, |chord| {
                self.walked += chord.length;
                self.heights.1 += chord.rise;
                let (gained, (low, high)) = (self.heights.1 - self.heights.0, self.gradients);
                self.gradients = (
                    low.max((gained - most) / self.walked),
                    high.min((gained + most) / self.walked),
                );
            });
        }
        Self { end, ..self }
    }

    /// Whether it can be walked as one segment.
    fn is_fine(&self) -> bool {
        let gradient = (self.heights.1 - self.heights.0) / self.walked;
        // Without a bound on the deviation it has not been walked yet.
        self.is_legal
            && (self.walked == 0.0 || (self.gradients.0..=self.gradients.1).contains(&gradient))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    /// Each point of a straight stretch used to walk the stretch again from its start: 16384 cells
    /// in a row took seconds.
    #[test]
    fn a_long_stretch_is_not_walked_again_for_each_of_its_points() {
        let length = 2048;
        let mut grid = Grid::new(length, 1).unwrap();
        let heights: Vec<_> = (0..length).map(|x| (x % 2) as f32).collect();
        grid.set_heights(&heights).unwrap();
        let moves = Moves::EIGHT;
        for deviation in [None, Some(1.0)] {
            let mut points: Vec<_> = (0..length).map(|x| Cell::new(x, 0).centre()).collect();
            let ground = Ground { grid: &grid, moves, deviation };
            let mut walked = 0.0;
            simplify(&mut points, &ground, |a, b| {
                walked += a.distance(b);
                segment_is_legal(&grid, moves, a, b)
            });
            assert_eq!(points.len(), 2);
            assert!(walked <= 2.0 * f64::from(length), "{walked} cells walked");
        }
    }
}
