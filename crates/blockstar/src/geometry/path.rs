//! A path: points and cost, and the proof that it is legal.
//!
//! A path is where it turns. Planners write what their search gives them: every cell, every jump or
//! the ends of blocks. The driver drops the points in the middle of straight stretches
//! ([`Path::settle`]), so the same way is the same path whoever found it.

use crate::geometry::crossing::{Piece, Pieces, steps_between};
use crate::geometry::sight;
use crate::rules::moves::{Direction, step_table};
use crate::rules::slope::{self, Incline};
use crate::{Cell, Grid, Moves, Point, Rule};
use std::fmt;

/// Where to walk and what it costs.
///
/// Its [points](Path::points) are its turning points: the start, every change of direction and the
/// goal. Under the rules that step from cell to cell they are cell centres, and each segment runs
/// straight or exactly diagonally over one or more cells; [`Path::cells`] lists them all. Two
/// planners that walk the same way give equal paths. A unit follows one with a
/// [cursor](Path::cursor).
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Path};
/// let grid = Grid::new(4, 4)?;
/// let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(2, 2), Cell::new(3, 2)]);
/// assert!(path.check(&grid, Moves::EIGHT).is_ok());
/// assert_eq!((path.points().len(), path.cell_count()), (3, 4));
/// assert_eq!(path.cost(), 1.0 + 2.0 * 2f64.sqrt());
/// assert_eq!(path, Path::new(&grid, Moves::EIGHT, path.cells()));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    points: Vec<Point>,
    cost: f64,
    moves: Moves,
}

/// Why a path is not legal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Violation {
    /// The path has no points.
    Empty,
    /// A point is in a wall, or not where this movement rule can be.
    Point {
        /// The number of the point, from 0.
        index: usize,
        /// The point.
        point: Point,
    },
    /// A segment cannot be walked.
    Segment {
        /// The number of the segment's first point, from 0.
        index: usize,
        /// Where it starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// The path turns from one side of a double corner to the other.
    Squeeze {
        /// The number of the point, from 0.
        index: usize,
        /// The point.
        point: Point,
    },
    /// A segment is too steep.
    Steep {
        /// The number of the segment's first point, from 0.
        index: usize,
        /// Where it starts.
        from: Point,
        /// Where it ends.
        to: Point,
        /// The steepest part that exceeds the limits, as rise over run.
        slope: f64,
    },
    /// The cost is not that of the points.
    Cost {
        /// What the path says.
        said: f64,
        /// What its points cost.
        real: f64,
    },
}

impl std::error::Error for Violation {}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the path is empty"),
            Self::Point { index, point } => write!(
                f,
                "point {index}, {point}, is not the centre of a free cell or lies in a wall"
            ),
            Self::Segment { index, from, to } => {
                write!(f, "the segment from {from} to {to} (after point {index}) is not legal")
            }
            Self::Squeeze { index, point } => {
                write!(f, "the path squeezes through the double corner {point} (point {index})")
            }
            Self::Steep { index, from, to, slope } => write!(
                f,
                "the segment from {from} to {to} (after point {index}) is too steep: it has a slope \
                 of {slope:.4}"
            ),
            Self::Cost { said, real } => {
                write!(f, "the path says that it costs {said}, but it costs {real}")
            }
        }
    }
}

impl Path {
    /// A path through the given points, with its cost on this grid; points in the middle of
    /// straight stretches are left out. Under a cell rule the cost is NaN if the points are not
    /// cells of the map. Nothing else is checked; see [`Path::check`].
    pub fn new<P: Into<Point>>(
        grid: &Grid,
        moves: Moves,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        let mut path = Self::through(points.into_iter().map(Into::into).collect());
        path.settle(grid, moves);
        path
    }

    /// A path through all of the given points, without a rule and a price.
    pub(crate) fn through(points: Vec<Point>) -> Self {
        Self { points, ..Self::default() }
    }

    /// The turning points: the start, every point where the direction changes, and the goal.
    ///
    /// Other points are kept only where they matter: on slopes an any-angle path keeps those whose
    /// height counts, [`Path::simplified`] keeps those that hold the path to the ground, and
    /// `astar-mod` without its post-processing keeps all.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The cost in cells: the length; on weighted terrain, the length times the factors along it;
    /// on slopes, what the [`Slope`](crate::Slope) says. Infinite if a part of the path is too
    /// steep.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// The movement rule of the path.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The length of the path as a line in the plane, regardless of terrain and step costs.
    pub fn length(&self) -> f64 {
        self.points.windows(2).fold(0.0, |sum, pair| sum + pair[0].distance(pair[1]))
    }

    /// How often the path changes its heading.
    pub fn turns(&self) -> usize {
        let turn = |w: &&[Point]| !continues_straight(w[0], w[1], w[2]);
        self.points.windows(3).filter(turn).count()
    }

    /// Proves the path legal under a movement rule: every point, every segment, every turn at a
    /// double corner, and the cost.
    pub fn check(&self, grid: &Grid, moves: Moves) -> Result<(), Violation> {
        self.prove(grid, moves)?;
        let real = price(grid, moves, &self.points);
        if (self.cost - real).abs() > 1e-9 * real.max(1.0) || real.is_nan() {
            return Err(Violation::Cost { said: self.cost, real });
        }
        Ok(())
    }

    /// Whether the path can still be walked after the grid was edited. (Its cost may have changed.)
    pub fn still_valid(&self, grid: &Grid) -> bool {
        self.prove(grid, self.moves).is_ok()
    }

    /// The same path without the points in the middle of straight stretches, if it
    /// [has](Path::points) some. (On slopes an any-angle path keeps those whose height matters;
    /// [`Path::simplified`] drops them and prices the path again.)
    #[must_use]
    pub fn without_collinear(&self) -> Self {
        let mut path = self.clone();
        path.leave_turns();
        path
    }

    /// The path with a point in every cell, for post-processing that starts from there; any-angle
    /// paths stay as they are.
    pub(crate) fn with_every_cell(&self) -> Self {
        let is_cells = !self.moves.rule().is_any_angle()
            && self.points.windows(2).all(|pair| steps_between(pair[0], pair[1]).is_some());
        if !is_cells || self.points.len() < 2 {
            return self.clone();
        }
        let points = self.cells().map(Cell::centre).collect();
        Self { points, ..*self }
    }

    pub(crate) fn clear(&mut self, moves: Moves) {
        self.points.clear();
        self.cost = 0.0;
        self.moves = moves;
    }

    /// Makes this a copy of another path, reusing its memory.
    pub(crate) fn assign(&mut self, other: &Self) {
        self.clear(other.moves);
        self.points.extend_from_slice(&other.points);
        self.cost = other.cost;
    }

    pub(crate) fn push(&mut self, point: Point) {
        self.points.push(point);
    }

    pub(crate) fn reverse(&mut self) {
        self.points.reverse();
    }

    /// Reduces the path to its turning points and prices it. The cost stays the same, except for
    /// the rounding of sums under any-angle rules: no point is dropped whose height counts.
    pub(crate) fn settle(&mut self, grid: &Grid, moves: Moves) {
        self.moves = moves;
        self.leave_turns();
        self.cost = price(grid, moves, &self.points);
    }

    fn leave_turns(&mut self) {
        if !self.moves.rule().is_any_angle() {
            // A point that is not a centre is a fault that must not be hidden.
            self.remove_collinear_if(|point| point.as_centre().is_some());
        } else if self.moves.slope().is_some() {
            self.remove_collinear_if(is_on_a_centre_line);
        } else {
            self.remove_collinear();
        }
    }

    /// Prices the path with all points that it has.
    pub(crate) fn price(&mut self, grid: &Grid, moves: Moves) {
        self.moves = moves;
        self.cost = price(grid, moves, &self.points);
    }

    pub(crate) fn points_mut(&mut self) -> &mut Vec<Point> {
        &mut self.points
    }

    pub(crate) fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }

    pub(crate) fn remove_collinear(&mut self) {
        self.remove_collinear_if(|_| true);
    }

    fn remove_collinear_if(&mut self, may_go: impl Fn(Point) -> bool) {
        let points = &mut self.points;
        let mut kept = 0;
        // The last step. A step equal to it goes straight on, and paths from cell to cell consist
        // mostly of such steps: with this test a walk of DBA* takes 8 % fewer instructions.
        let mut last = (0, 0);
        for i in 0..points.len() {
            let point = points[i];
            if kept >= 1 {
                let end = points[kept - 1];
                let step = (point.ux() - end.ux(), point.uy() - end.uy());
                if step == (0, 0) {
                    continue;
                }
                let goes_on =
                    kept >= 2 && (step == last || continues_straight(points[kept - 2], end, point));
                kept -= usize::from(goes_on && may_go(end));
                last = step;
            }
            points[kept] = point;
            kept += 1;
        }
        points.truncate(kept);
    }

    /// Proves that every point, segment and turn is legal: [`Path::check`] without the cost.
    pub(crate) fn prove(&self, grid: &Grid, moves: Moves) -> Result<(), Violation> {
        let rule = moves.rule();
        if self.points.is_empty() {
            return Err(Violation::Empty);
        }
        for (index, &point) in self.points.iter().enumerate() {
            if !point_is_walkable(grid, rule, point) {
                return Err(Violation::Point { index, point });
            }
        }
        for (index, pair) in self.points.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let legal = if rule.is_any_angle() {
                sight::visible(grid, from, to, rule)
            } else {
                steps_are_legal(grid, rule, from, to)
            };
            if !legal {
                return Err(Violation::Segment { index, from, to });
            }
        }
        if let Some(slope) = moves.slope() {
            for (index, pair) in self.points.windows(2).enumerate() {
                let (from, to) = (pair[0], pair[1]);
                if let Some(slope) = slope::too_steep(grid, slope, from, to) {
                    return Err(Violation::Steep { index, from, to, slope });
                }
            }
        }
        if rule == Rule::AnyAngle {
            for (index, w) in self.points.windows(3).enumerate() {
                if !sides_agree(grid, w[1], w[0], w[2]) {
                    return Err(Violation::Squeeze { index: index + 1, point: w[1] });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, point) in self.points.iter().enumerate() {
            write!(f, "{}{point}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Whether a path may have this point: under a cell rule, the centre of a free cell.
pub(crate) fn point_is_walkable(grid: &Grid, rule: Rule, point: Point) -> bool {
    match rule.is_any_angle() {
        true => sight::point_is_legal(grid, point),
        false => point.as_centre().is_some_and(|cell| grid.is_free(cell)),
    }
}

/// Whether segments from `at` to `a` and to `b` begin on the same side of `at`, if `at` is a double
/// corner.
pub(crate) fn sides_agree(grid: &Grid, at: Point, a: Point, b: Point) -> bool {
    let Some((x, y)) = at.as_corner() else { return true };
    sight::side(grid, (x, y), a) == sight::side(grid, (x, y), b)
}

/// Whether a segment over slopes is cut at this point anyway.
fn is_on_a_centre_line(point: Point) -> bool {
    [point.ux(), point.uy()].iter().any(|v| v.rem_euclid(Point::UNITS) == Point::UNITS / 2)
}

/// Whether b lies on the straight way from a to c.
pub(crate) fn continues_straight(a: Point, b: Point, c: Point) -> bool {
    let (ux, uy) = (i64::from(b.ux() - a.ux()), i64::from(b.uy() - a.uy()));
    let (vx, vy) = (i64::from(c.ux() - b.ux()), i64::from(c.uy() - b.uy()));
    ux * vy == uy * vx && ux * vx + uy * vy >= 0
}

/// Whether a segment can be walked: there is no wall in the way, and it is nowhere too steep.
pub(crate) fn segment_is_legal(grid: &Grid, moves: Moves, a: Point, b: Point) -> bool {
    let walkable = if moves.rule().is_any_angle() {
        sight::visible(grid, a, b, moves.rule())
    } else {
        a.as_centre().is_some_and(|cell| grid.is_free(cell))
            && steps_are_legal(grid, moves.rule(), a, b)
    };
    walkable && moves.slope().is_none_or(|slope| slope::too_steep(grid, slope, a, b).is_none())
}

/// Whether each step of a straight or diagonal segment between cell centres is legal.
pub(crate) fn steps_are_legal(grid: &Grid, rule: Rule, from: Point, to: Point) -> bool {
    let (Some(a), Some(b)) = (from.as_centre(), to.as_centre()) else { return false };
    let (dx, dy) = (b.x as i32 - a.x as i32, b.y as i32 - a.y as i32);
    if (dx, dy) == (0, 0) {
        return true;
    }
    let Some(direction) = Direction::of(dx, dy) else { return false };
    let rows = grid.rows();
    (0..dx.abs().max(dy.abs())).all(|i| {
        let x = a.x.wrapping_add_signed(i * direction.dx());
        let y = a.y.wrapping_add_signed(i * direction.dy());
        step_table(rule)[rows.around(rows.position(x, y))] >> direction.0 & 1 != 0
    })
}

/// The cost of walking the points in order.
fn price(grid: &Grid, moves: Moves, points: &[Point]) -> f64 {
    if moves.rule().is_any_angle() {
        let cost = |pair: &[Point]| segment_cost(grid, moves, pair[0], pair[1]);
        return points.windows(2).fold(0.0, |sum, pair| sum + cost(pair));
    }
    if moves.slope().is_some() {
        return slope_price(grid, moves, points);
    }
    // Cell paths are summed as integers and converted once: the result is the same on every
    // machine.
    let (mut straight, mut diagonal) = (0u64, 0u64);
    let factors = grid.factors();
    for pair in points.windows(2) {
        let cell = |point: Point| point.as_centre().filter(|&cell| grid.contains(cell));
        let (Some(a), Some(b)) = (cell(pair[0]), cell(pair[1])) else { return f64::NAN };
        if a == b {
            continue;
        }
        let (dx, dy) = (b.x as i32 - a.x as i32, b.y as i32 - a.y as i32);
        let steps = dx.abs().max(dy.abs());
        let is_diagonal = dx != 0 && dy != 0;
        if is_diagonal && dx.abs() != dy.abs() {
            return f64::NAN;
        }
        let sum: u64 = match factors {
            None => 2 * u64::from(Grid::FACTOR_ONE) * steps as u64,
            Some(factors) => {
                let Some(direction) = Direction::of(dx, dy) else { return f64::NAN };
                let rows = grid.rows();
                let factor = |i: i32| {
                    let x = a.x.wrapping_add_signed(i * direction.dx());
                    let y = a.y.wrapping_add_signed(i * direction.dy());
                    u64::from(factors[rows.position(x, y) as usize])
                };
                (0..steps).map(|i| factor(i) + factor(i + 1)).sum()
            }
        };
        *(if is_diagonal { &mut diagonal } else { &mut straight }) += sum;
    }
    let one = 2.0 * f64::from(Grid::FACTOR_ONE);
    straight as f64 / one + diagonal as f64 / one * moves.diagonal().length()
}

/// The cost of a cell path on slopes, summed in the units of the searches; infinite if a step is
/// too steep.
fn slope_price(grid: &Grid, moves: Moves, points: &[Point]) -> f64 {
    let Some(slope) = moves.slope() else { return f64::NAN };
    let incline = Incline::new(moves, slope);
    let mut units = 0;
    for pair in points.windows(2) {
        let cell = |point: Point| point.as_centre().filter(|&cell| grid.contains(cell));
        let (Some(a), Some(b)) = (cell(pair[0]), cell(pair[1])) else { return f64::NAN };
        let (dx, dy) = (b.x as i32 - a.x as i32, b.y as i32 - a.y as i32);
        if (dx, dy) == (0, 0) {
            continue;
        }
        let Some(direction) = Direction::of(dx, dy) else { return f64::NAN };
        let node = |i: i32| {
            let x = a.x.wrapping_add_signed(i * direction.dx());
            grid.rows().position(x, a.y.wrapping_add_signed(i * direction.dy()))
        };
        for i in 0..dx.abs().max(dy.abs()) {
            match incline.between(grid, node(i), node(i + 1), direction.is_diagonal()) {
                Some(step) => units += step,
                None => return f64::INFINITY,
            }
        }
    }
    units as f64 / incline.units_per_cell()
}

/// The cost of a straight segment: its length, or on weighted terrain the integral of the factor.
pub(crate) fn segment_cost(grid: &Grid, moves: Moves, a: Point, b: Point) -> f64 {
    if let Some(slope) = moves.slope()
        && grid.has_heights()
    {
        return slope::segment_cost(grid, slope, a, b);
    }
    match (grid.factors(), Direction::of(b.ux() - a.ux(), b.uy() - a.uy())) {
        (None, Some(direction)) if !moves.rule().is_any_angle() => {
            let longest = (b.ux() - a.ux()).abs().max((b.uy() - a.uy()).abs());
            let length = if direction.is_diagonal() { moves.diagonal().length() } else { 1.0 };
            f64::from(longest) / f64::from(Point::UNITS) * length
        }
        (None, _) => a.distance(b),
        (Some(_), _) => weighted_length(grid, a, b),
    }
}

/// The integral of the terrain factor along a segment; along a grid line the smaller factor of the
/// two sides counts.
fn weighted_length(grid: &Grid, a: Point, b: Point) -> f64 {
    let of = |(x, y): (i32, i32)| {
        let free = grid.is_free_at(x, y);
        let cost = if free { grid.cost(Cell::new(x as u32, y as u32)) } else { 0.0 };
        if cost == 0.0 { f64::INFINITY } else { cost }
    };
    let mut total = 0.0;
    for Piece { from, to, cell, other } in Pieces::new(a, b) {
        let factor = other.map_or(of(cell), |other| of(cell).min(of(other)));
        total += (to - from) * factor;
    }
    total * a.distance(b)
}
