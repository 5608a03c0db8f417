//! String pulling: a path made as short as it can be without being lifted over an obstacle.
//!
//! [`Path::smoothed`] only leaves out points, so the points of a lattice path stay where they are,
//! next to obstacles instead of at their corners. Here the path is a string: wherever it bends, the
//! bend is pulled towards the straight line until it lies on the corners of obstacles. The result
//! bends only around blocked cells (it is *taut*). That makes it the shortest path of its homotopy
//! class: of all paths that pass each obstacle on the same side.
//!
//! A bend a, b, c is pulled like this. The segments ab and bc are legal, so an obstacle can only
//! reach into the triangle abc across ac, or lie in it as an island. Pulled tight, the string lies
//! on the convex hull of a, c and all obstacles in the triangle, on the side of b. There is only
//! free ground between the old string and the new one, so the new one is legal and of the same
//! class; under the strict rule it also keeps to the same sides of double corners. The corners of
//! the hull are among the corners with one blocked cell and the double corners, which are found 64
//! at a time. On each grid line the leftmost and the rightmost suffice. All tests are exact.
//!
//! **It ends.** Each pull makes the string shorter, or removes a point from a straight stretch and
//! adds none. All points are corners or points of the given path, and every segment is at least
//! 1/1024 long, so only finitely many strings are no longer than the given one.
//!
//! The class of the given path need not be a good one, and leaving out points can lead to a better
//! one. So both are tried, pulling alone and smoothing first. The shorter result is kept, then
//! smoothed and pulled again while that helps. Hence the result is never longer than the smoothed
//! path, and pulling it again changes nothing. (Block A* smooths only from the points where its
//! path turns, to save query time: with all corners on the way its mean length on arena2 would be
//! the same to four digits.) On the 929 queries of the Dragon Age map arena2 (permissive rule,
//! between corners) lattice A* paths are 183.778 cells long on average, smoothed 178.530 (from the
//! turns alone), pulled 176.686, and the optimum is 176.215: the rest is the cost of the wrong
//! class.

use crate::engine::SearchMemory;
use crate::grid::bits::Bits;
use crate::{Grid, Path, Point};

/// Lattice steps per cell.
const UNITS: i64 = Point::UNITS as i64;

/// A point or direction in lattice steps.
type Vector = (i64, i64);

impl Path {
    /// The path as a string pulled taut: an any-angle path (see [`Path::moves`] for its rule) with
    /// the same ends that bends only around blocked cells. It is never longer than the path, the
    /// [smoothed](Path::smoothed) path or any path that passes the obstacles on the same sides, and
    /// pulling it again does not change it.
    ///
    /// On weighted terrain and slopes, where a detour may cost less, this is the smoothed path or
    /// the path itself, whichever is cheaper. A path that is not legal on this grid is only
    /// smoothed.
    ///
    /// ```
    /// use blockstar::{Algorithm, Cell, Grid, Moves, Query, Scratch};
    /// let grid = Grid::from_ascii(
    ///     "......
    ///      ..##..
    ///      ..##..
    ///      ......",
    /// )?;
    /// let planner = Algorithm::named("jps")?.prepare(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// planner.find(&grid, &Query::new(Cell::new(0, 1), Cell::new(5, 1)), &mut scratch)?;
    /// let taut = scratch.path().pulled_taut(&grid);
    /// assert_eq!(taut.to_string(), "(0.5, 1.5) (2, 1) (4, 1) (5.5, 1.5)");
    /// assert!(taut.cost() < scratch.path().smoothed(&grid).cost());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    #[must_use]
    pub fn pulled_taut(&self, grid: &Grid) -> Self {
        let moves = self.moves().any_angle();
        let mut best = Self::new(grid, moves, self.points().iter().copied());
        let mut smoothed = self.smoothed(grid);
        if grid.has_costs() || moves.slope().is_some() {
            return if smoothed.cost() < best.cost() { smoothed } else { best };
        }
        if !best.still_valid(grid) {
            return smoothed;
        }
        let mut puller = Puller::default();
        puller.pull(grid, &mut best);
        puller.pull(grid, &mut smoothed);
        best = if is_shorter(&smoothed, &best) { smoothed } else { best };
        puller.improve(grid, &mut best, |path| *path = path.smoothed(grid));
        best
    }
}

/// Whether the first path is shorter by more than a rounding error.
fn is_shorter(first: &Path, second: &Path) -> bool {
    first.cost() < second.cost() * (1.0 - 1e-12)
}

/// Pulls paths taut, in memory that is reused from path to path.
#[derive(Debug, Default)]
pub(crate) struct Puller {
    string: Vec<Vector>,
    triangle: Triangle,
    spare: Path,
}

impl Puller {
    /// Smooths a legal path and pulls it taut, in place; on weighted terrain and slopes it is only
    /// smoothed. Returns the number of line-of-sight checks.
    pub fn tighten(&mut self, grid: &Grid, path: &mut Path) -> u64 {
        let mut looks = path.smooth(grid);
        if grid.has_costs() || path.moves().slope().is_some() {
            return looks;
        }
        self.pull(grid, path);
        self.improve(grid, path, |path| looks += path.smooth(grid));
        looks
    }

    /// Smooths and pulls a taut path while that helps: leaving out points can change its class.
    /// Pulling a taut path again would change nothing, so only smoothing can help.
    fn improve(&mut self, grid: &Grid, path: &mut Path, mut smooth: impl FnMut(&mut Path)) {
        let mut spare = std::mem::take(&mut self.spare);
        loop {
            spare.assign(path);
            smooth(&mut spare);
            if spare.points() == path.points() {
                break;
            }
            self.pull(grid, &mut spare);
            if !is_shorter(&spare, path) {
                break;
            }
            std::mem::swap(&mut spare, path);
        }
        self.spare = spare;
    }

    /// Makes a path the shortest one of its homotopy class.
    fn pull(&mut self, grid: &Grid, path: &mut Path) {
        let Self { string, triangle, .. } = self;
        // Otherwise each point of a straight stretch would be a triangle of its own after the next
        // bend (1.7 times the time on the lattice paths of arena2).
        path.remove_collinear();
        string.clear();
        string.extend(path.points().iter().map(|point| (i64::from(point.ux()), point.uy().into())));
        string.dedup();
        // All bends before this one are taut.
        let mut at = 1;
        while at + 1 < string.len() {
            let (a, b, c) = (string[at - 1], string[at], string[at + 1]);
            if a == c {
                // There and back again.
                string.drain(at..at + 2);
                at = (at - 1).max(1);
                continue;
            }
            triangle.pull(grid.rows(), a, b, c);
            if triangle.bends == [b] {
                at += 1;
            } else {
                string.splice(at..=at, triangle.bends.iter().copied());
                // The path goes on differently from the bend before.
                at = (at - 1).max(1);
            }
        }
        let moves = path.moves();
        path.clear(moves);
        string.iter().for_each(|&(x, y)| path.push(Point::from_units(x as i32, y as i32)));
        path.price(grid, moves);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let vectors = self.string.capacity()
            + self.triangle.corners.capacity()
            + self.triangle.bends.capacity();
        vectors * size_of::<Vector>() + self.spare.bytes()
    }
}

impl SearchMemory for Puller {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

fn minus(a: Vector, b: Vector) -> Vector {
    (a.0 - b.0, a.1 - b.1)
}

fn cross(a: Vector, b: Vector) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

/// One bend of the string.
#[derive(Debug, Default)]
struct Triangle {
    a: Vector,
    b: Vector,
    c: Vector,
    /// The sign of the turn at b: points inside are on this side of ab and bc.
    sign: i64,
    /// The outermost obstacle corners on each grid line.
    corners: Vec<Vector>,
    /// Where the string bends between a and c once pulled.
    bends: Vec<Vector>,
}

impl Triangle {
    fn pull(&mut self, bits: &Bits, a: Vector, b: Vector, c: Vector) {
        (self.a, self.b, self.c) = (a, b, c);
        self.sign = cross(minus(b, a), minus(c, b)).signum();
        self.bends.clear();
        self.corners.clear();
        // On a straight line nothing can be in the way from a to c.
        if self.sign != 0 {
            self.find_corners(bits);
            self.wrap();
        }
    }

    fn find_corners(&mut self, bits: &Bits) {
        let Self { a, b, c, .. } = *self;
        let (top, bottom) = (a.1.min(b.1).min(c.1), a.1.max(b.1).max(c.1));
        // The grid lines that the triangle touches.
        for line in -(-top).div_euclid(UNITS)..=bottom.div_euclid(UNITS) {
            let y = line * UNITS;
            let (mut low, mut high) = (i64::MAX, i64::MIN);
            for (p, q) in [(a, b), (b, c), (c, a)] {
                if y < p.1.min(q.1) || y > p.1.max(q.1) {
                    continue;
                }
                let across = (q.0 - p.0) * (y - p.1);
                for x in if p.1 == q.1 {
                    [p.0, q.0]
                } else {
                    let x = p.0 + across.div_euclid(q.1 - p.1);
                    [x, x + 1]
                } {
                    low = low.min(x);
                    high = high.max(x);
                }
            }
            // A little wide, but each corner is tested exactly.
            self.scan(bits, line, low.div_euclid(UNITS).max(0), high.div_euclid(UNITS));
        }
    }

    /// Finds the outermost corners on a line.
    fn scan(&mut self, bits: &Bits, line: i64, low: i64, high: i64) {
        let first = bits.position(0, line as u32);
        let width = i64::from(bits.stride()) - 1;
        let high = high.min(width);
        let mut leftmost = None;
        let mut x = low;
        while x <= high && leftmost.is_none() {
            let mut found = candidates(bits, first + x as u32);
            while found != 0 && leftmost.is_none() {
                let at = x + i64::from(found.trailing_zeros());
                leftmost = (at <= high && self.holds(bits, at, line)).then_some(at);
                found &= found - 1;
            }
            x += 64;
        }
        let Some(leftmost) = leftmost else { return };
        self.corners.push((leftmost * UNITS, line * UNITS));
        let mut end = high;
        while end > leftmost {
            // The 64 corners up to `end`, except those up to the leftmost.
            let x = (end - 63).max(leftmost + 1);
            let mut found = candidates(bits, first + x as u32) & (u64::MAX >> (63 - (end - x)));
            while found != 0 {
                let at = 63 - found.leading_zeros();
                if self.holds(bits, x + i64::from(at), line) {
                    self.corners.push(((x + i64::from(at)) * UNITS, line * UNITS));
                    return;
                }
                found ^= 1 << at;
            }
            end = x - 1;
        }
    }

    /// Whether the string can catch on a corner: the corner lies in the triangle but not on ac, and
    /// so does a blocked cell at this corner.
    fn holds(&self, bits: &Bits, x: i64, line: i64) -> bool {
        let Self { a, b, c, sign, .. } = *self;
        let corner = (x * UNITS, line * UNITS);
        // The distance inside each side.
        let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| {
            (cross(minus(to, from), minus(corner, from)) * sign, minus(to, from))
        });
        if sides[0].0 < 0 || sides[1].0 < 0 || sides[2].0 <= 0 {
            return false;
        }
        let position = bits.position(x as u32, line as u32);
        let above = position - bits.stride();
        let cells =
            [((-1, -1), above - 1), ((1, -1), above), ((-1, 1), position - 1), ((1, 1), position)];
        // If the corner lies on ab or bc, a cell lies entirely on one side of it.
        cells.into_iter().any(|(diagonal, cell)| {
            let inside =
                |&(depth, side): &(i64, Vector)| depth > 0 || cross(side, diagonal) * sign > 0;
            !bits.get(cell) && sides[..2].iter().all(inside)
        })
    }

    /// Wraps the string around the corners found, from a to c: each bend is the corner with no
    /// other beyond it, on the side of b.
    fn wrap(&mut self) {
        let mut at = self.a;
        // No corner is met twice.
        for _ in 0..=self.corners.len() {
            let mut next = self.c;
            for &corner in &self.corners {
                let (step, other) = (minus(next, at), minus(corner, at));
                let turn = cross(step, other) * self.sign;
                let farther = other.0.abs() + other.1.abs() > step.0.abs() + step.1.abs();
                // In line, but backwards: it has been passed.
                let behind = step.0 * other.0 + step.1 * other.1 <= 0 && turn == 0;
                if corner != at && (turn < 0 || (turn == 0 && farther && !behind)) {
                    next = corner;
                }
            }
            if next == self.c {
                return;
            }
            self.bends.push(next);
            at = next;
        }
    }
}

/// Which of the 64 corners from a position on have one blocked cell or are double corners.
fn candidates(bits: &Bits, position: u32) -> u64 {
    let above = position - bits.stride();
    let (nw, ne) = (!bits.from(above - 1), !bits.from(above));
    let (sw, se) = (!bits.from(position - 1), !bits.from(position));
    ((nw | se) & !ne & !sw) | ((ne | sw) & !nw & !se)
}
