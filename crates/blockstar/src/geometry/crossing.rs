//! The cells that a line runs through: a segment cut at the grid lines, and the cells of a path.
//!
//! The cuts are found in order and compared exactly, in integers, one addition each: a cell costs
//! the same however long the path is, and nothing is allocated.

use crate::{Cell, Path, Point};
use std::cmp::Ordering;
use std::iter::FusedIterator;

/// A part of a segment between two grid lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Where it begins and ends, as fractions of the segment.
    pub from: f64,
    pub to: f64,
    /// The cell it lies in.
    pub cell: (i32, i32),
    /// The other cell it touches, if it runs along the grid line between two.
    pub other: Option<(i32, i32)>,
}

/// The pieces of a segment, in order; none of a segment without length.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// The extent of the segment along each axis, in lattice units.
    wide: i64,
    high: i64,
    /// In which direction.
    right: i32,
    down: i32,
    /// The next cut along each axis, from the beginning, in lattice units. Cuts are at the
    /// fractions `p / wide` and `q / high`.
    p: i64,
    q: i64,
    /// The cell of the next piece, and where it begins.
    cell: (i32, i32),
    from: f64,
    /// The offset of the other cell, if the segment runs along a grid line.
    beside: Option<(i32, i32)>,
    done: bool,
}

impl Pieces {
    pub fn new(a: Point, b: Point) -> Self {
        let units = i64::from(Point::UNITS);
        let (ax, ay) = (i64::from(a.ux()), i64::from(a.uy()));
        let (dx, dy) = (i64::from(b.ux()) - ax, i64::from(b.uy()) - ay);
        let first_cut = |v: i64, d: i64| match d.signum() {
            1 => units - v.rem_euclid(units),
            -1 => match v.rem_euclid(units) {
                0 => units,
                rest => rest,
            },
            _ => i64::MAX,
        };
        // The cell ahead of a coordinate on a grid line.
        let ahead = |v: i64, d: i64| (if d < 0 { v - 1 } else { v }).div_euclid(units) as i32;
        let on_line = |v: i64, d: i64| d == 0 && v.rem_euclid(units) == 0;
        Self {
            wide: dx.abs(),
            high: dy.abs(),
            right: dx.signum() as i32,
            down: dy.signum() as i32,
            p: first_cut(ax, dx),
            q: first_cut(ay, dy),
            cell: (ahead(ax, dx), ahead(ay, dy)),
            from: 0.0,
            beside: (on_line(ax, dx).then_some((-1, 0))).or(on_line(ay, dy).then_some((0, -1))),
            done: (dx, dy) == (0, 0),
        }
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        if self.done {
            return None;
        }
        let Self { wide, high, p, q, from, cell: (x, y), .. } = *self;
        let in_x = wide > 0 && p < wide;
        let in_y = high > 0 && q < high;
        let (cut_x, cut_y) = match (in_x, in_y) {
            (true, true) => match (p * high).cmp(&(q * wide)) {
                Ordering::Less => (true, false),
                Ordering::Greater => (false, true),
                Ordering::Equal => (true, true),
            },
            one => one,
        };
        let to = match (cut_x, cut_y) {
            (true, _) => p as f64 / wide as f64,
            (false, true) => q as f64 / high as f64,
            (false, false) => 1.0,
        };
        self.done = !cut_x && !cut_y;
        self.from = to;
        if cut_x {
            self.p += i64::from(Point::UNITS);
            self.cell.0 += self.right;
        }
        if cut_y {
            self.q += i64::from(Point::UNITS);
            self.cell.1 += self.down;
        }
        let other = self.beside.map(|(left, up)| (x + left, y + up));
        Some(Piece { from, to, cell: (x, y), other })
    }
}

/// The cells of a path, in order: see [`Path::cells`].
#[derive(Clone, Debug)]
pub struct PathCells<'a> {
    /// The cell of the start, until it has been returned.
    first: Option<Cell>,
    /// The points from the end of the current segment on.
    points: &'a [Point],
    pieces: Option<Pieces>,
    last: Option<Cell>,
}

impl<'a> PathCells<'a> {
    pub(crate) fn new(points: &'a [Point]) -> Self {
        let first = points.first().and_then(|start| {
            let inside = |v: i32| v >= 0 && v % Point::UNITS != 0;
            let cell = |v: i32| (v / Point::UNITS) as u32;
            let (x, y) = (start.ux(), start.uy());
            (inside(x) && inside(y)).then(|| Cell::new(cell(x), cell(y)))
        });
        Self { first, points, pieces: None, last: None }
    }
}

impl Iterator for PathCells<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if let Some(first) = self.first.take() {
            self.last = Some(first);
            return self.last;
        }
        loop {
            for Piece { cell: (x, y), other, .. } in self.pieces.iter_mut().flatten() {
                let cell = Some(Cell::new(x as u32, y as u32));
                if other.is_none() && x >= 0 && y >= 0 && cell != self.last {
                    self.last = cell;
                    return cell;
                }
            }
            let [a, b, ..] = *self.points else { return None };
            self.pieces = Some(Pieces::new(a, b));
            self.points = &self.points[1..];
        }
    }
}

impl FusedIterator for PathCells<'_> {}

impl Path {
    /// Every cell walked on, in order, including the start's; a cell that is visited twice is
    /// listed twice. Any-angle paths walk on the cells whose interior the line crosses, the ones
    /// that must be free: a cell that is only touched at a corner or an edge does not count, so a
    /// stretch along a grid line, such as beside a wall, has none.
    ///
    /// Each cell takes the same time, whatever the length of the path. Under the any-angle rules
    /// their number is not known beforehand; [`Path::cell_count`] counts them.
    ///
    /// ```
    /// use blockstar::{Cell, Grid, Moves, Path};
    /// let grid = Grid::new(4, 4)?;
    /// let path = Path::new(&grid, Moves::FOUR, [(0, 0), (2, 0), (2, 1)].map(Cell::from));
    /// assert!(path.cells().eq([(0, 0), (1, 0), (2, 0), (2, 1)].map(Cell::from)));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn cells(&self) -> PathCells<'_> {
        PathCells::new(self.points())
    }

    /// How many cells the path walks on: [`Path::cells`], counted one by one only where the path is
    /// neither straight nor diagonal.
    pub fn cell_count(&self) -> usize {
        let points = self.points();
        let steps = points
            .windows(2)
            .try_fold(1, |sum, pair| Some(sum + steps_between(pair[0], pair[1])? as usize));
        match steps {
            Some(cells) if points.first().is_some_and(|at| at.as_centre().is_some()) => cells,
            _ => self.cells().count(),
        }
    }
}

/// The number of straight or diagonal steps from one cell centre to another; `None` if they are not
/// centres or lie in another direction.
pub(crate) fn steps_between(a: Point, b: Point) -> Option<u32> {
    let (from, to) = (a.as_centre()?, b.as_centre()?);
    let (wide, high) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    (wide == 0 || high == 0 || wide == high).then_some(wide.max(high))
}
