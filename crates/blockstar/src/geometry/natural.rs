//! How natural a path looks, in numbers, and the post-processing that makes it look natural.
//!
//! The A*MOD paper (J. Smołka et al., 2019) removes the vertices of a path that lie in the middle
//! of straight stretches, because an engine makes its own transitions between those that are left.
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
/// // Equation 3 as printed only tells the ends apart: √2 (3 - 2).
/// assert!((natural.printed_cost - 2f64.sqrt()).abs() < 1e-9);
/// assert!((natural.absolute_cost - 5.0 * 2f64.sqrt()).abs() < 1e-9);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    /// Equation 3 of the paper as printed: the sum of the differences in height, times √2 for
    /// diagonal steps. Straight steps telescope, so only their ends count.
    pub printed_cost: f64,
    /// The same with absolute differences.
    pub absolute_cost: f64,
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
            let (a, b) = (pair[0], pair[1]);
            let longest = (b.ux() - a.ux()).abs().max((b.uy() - a.uy()).abs()).max(1);
            // The length of a step in this direction: 1 straight, √2 diagonal.
            let times = a.distance(b) * f64::from(Point::UNITS) / f64::from(longest);
            relief::chords(grid, a, b, |chord| {
                found.gained += chord.rise.max(0.0);
                found.lost += (-chord.rise).max(0.0);
                found.spatial_length += (chord.length * cell_size).hypot(chord.rise);
                found.printed_cost += chord.rise * times;
                found.absolute_cost += chord.rise.abs() * times;
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
        let points = self.points_mut();
        let deviation = deviation.filter(|_| grid.has_heights());
        let mut kept = 0;
        for i in 0..points.len() {
            // The last point kept may go if it lies on the line from the one before it to this one.
            if kept >= 2 {
                let (a, b, c) = (points[kept - 2], points[kept - 1], points[i]);
                let goes = continues_straight(a, b, c)
                    && segment_is_legal(grid, moves, a, c)
                    && deviation.is_none_or(|most| leaves_ground(grid, a, c) <= most);
                if goes {
                    kept -= 1;
                }
            }
            points[kept] = points[i];
            kept += 1;
        }
        points.truncate(kept);
    }
}

/// How far the straight line in space between two points on the ground strays from it, in metres.
fn leaves_ground(grid: &Grid, a: Point, b: Point) -> f64 {
    let (Some(from), Some(to)) = (grid.height_at_point(a), grid.height_at_point(b)) else {
        return 0.0;
    };
    let distance = a.distance(b);
    let (mut walked, mut level, mut most) = (0.0, from, 0.0_f64);
    relief::chords(grid, a, b, |chord| {
        walked += chord.length;
        level += chord.rise;
        most = most.max((from + (to - from) * walked / distance - level).abs());
    });
    most
}
