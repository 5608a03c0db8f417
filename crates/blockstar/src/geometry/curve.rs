//! Curves for engines: a path rounded off into many short segments, each of them proved legal.
//!
//! A path has sharp bends; the motion of a unit in a game should not. There are two curves:
//!
//! * [`Curve::CatmullRom`] runs through all points of the path (E. Catmull & R. Rom, 1974; the
//!   centripetal kind, which has no loops or cusps).
//! * [`Curve::Bezier`] cuts every corner by a quadratic Bézier curve whose middle control point is
//!   the corner: it stays inside the triangle there.
//!
//! Either may run into a wall or up a slope that is too steep. There the curve is pulled towards
//! the path, halfway each time, and in the end it is the path itself, which is legal. So the result
//! is legal wherever the path is.

use crate::geometry::path::segment_is_legal;
use crate::{Grid, Moves, Path, Point, Violation};

/// Kinds of curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Curve {
    /// Through all points of the path.
    CatmullRom,
    /// Around the corners of the path.
    Bezier,
}

/// How often a curve is pulled halfway to the path before the path itself is used.
const PULLS: u32 = 5;

impl Path {
    /// The path as a curve of short segments, `pieces` (2 to 64) for each of its bends or
    /// stretches: an any-angle path (see [`Path::moves`] for its rule) with the same ends, legal if
    /// the path is. It enters no wall and exceeds no slope limit; it may be a little longer than
    /// the path.
    ///
    /// Curves look best after [`Path::smoothed`], because every point is a bend.
    ///
    /// ```
    /// use blockstar::{Cell, Curve, Grid, Moves, Path};
    /// let grid = Grid::new(9, 9)?;
    /// let corner = [Cell::new(0, 0), Cell::new(8, 0), Cell::new(8, 8)];
    /// let path = Path::new(&grid, Moves::EIGHT, corner);
    /// let curve = path.curved(&grid, Curve::Bezier, 8);
    /// assert!(curve.points().len() > 8 && curve.length() < path.length());
    /// assert!(curve.check(&grid, Moves::ANY_ANGLE).is_ok());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    #[must_use]
    pub fn curved(&self, grid: &Grid, curve: Curve, pieces: u32) -> Self {
        let moves = self.moves().any_angle();
        let thin = self.without_collinear();
        let pieces = pieces.clamp(2, 64);
        let path = thin.points();
        let mut straight = vec![false; path.len()];
        loop {
            let drawn = match curve {
                Curve::CatmullRom => catmull_rom(grid, moves, path, &straight, pieces),
                Curve::Bezier => bezier(grid, moves, path, &straight, pieces),
            };
            let (points, owners) = drawn.into_iter().unzip::<_, _, Vec<_>, Vec<usize>>();
            let mut made = Self::through(points);
            made.price(grid, moves);
            // Every segment is legal by itself, but the sides of double corners are a matter of two
            // segments. There the path stays as it is, and the rest is curved.
            let turn = match made.check(grid, moves) {
                Err(Violation::Squeeze { index, .. }) => owners[index],
                Ok(()) => {
                    made.settle(grid, moves);
                    return made;
                }
                Err(_) => return Self::new(grid, moves, self.points().iter().copied()),
            };
            let near = turn.saturating_sub(1)..(turn + 2).min(straight.len());
            if straight[near.clone()].iter().all(|&straight| straight) {
                return Self::new(grid, moves, self.points().iter().copied());
            }
            straight[near].fill(true);
        }
    }
}

/// A point of a curve and the point of the path that it belongs to.
type Drawn = (Point, usize);

fn is_legal(grid: &Grid, moves: Moves, points: &[Point]) -> bool {
    points.windows(2).all(|pair| segment_is_legal(grid, moves, pair[0], pair[1]))
}

/// The point at a fraction of the way from one point to another.
fn between(a: (f64, f64), b: (f64, f64), part: f64) -> (f64, f64) {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

fn pair(point: Point) -> (f64, f64) {
    (point.x(), point.y())
}

fn snap((x, y): (f64, f64)) -> Point {
    Point::new(x, y)
}

/// Stretch by stretch: its curve, pulled towards the straight segment until it is legal. A stretch
/// belongs to the point it leads to.
fn catmull_rom(
    grid: &Grid,
    moves: Moves,
    path: &[Point],
    straight: &[bool],
    pieces: u32,
) -> Vec<Drawn> {
    let mut points: Vec<Drawn> = path.first().map(|&point| (point, 0)).into_iter().collect();
    let mut stretch = Vec::new();
    for i in 1..path.len() {
        let (b, c) = (pair(path[i - 1]), pair(path[i]));
        // Beyond its ends the path is assumed to go straight on.
        let mirror = |p: (f64, f64), q: (f64, f64)| (2.0 * p.0 - q.0, 2.0 * p.1 - q.1);
        let a = if i >= 2 { pair(path[i - 2]) } else { mirror(b, c) };
        let d = path.get(i + 1).map_or_else(|| mirror(c, b), |&point| pair(point));
        let knot = |p: (f64, f64), q: (f64, f64)| (p.0 - q.0).hypot(p.1 - q.1).sqrt().max(1e-9);
        let (t1, t2) = (knot(a, b), knot(a, b) + knot(b, c));
        let t3 = t2 + knot(c, d);
        let at = |t: f64| {
            let lerp = |p, q, from: f64, to: f64| between(p, q, (t - from) / (to - from));
            let (ab, bc, cd) = (lerp(a, b, 0.0, t1), lerp(b, c, t1, t2), lerp(c, d, t2, t3));
            lerp(lerp(ab, bc, 0.0, t2), lerp(bc, cd, t1, t3), t1, t2)
        };
        let mut pull = 1.0;
        let legal = !straight[i]
            && (0..=PULLS).any(|_| {
                stretch.clear();
                stretch.push(path[i - 1]);
                for k in 1..pieces {
                    let part = f64::from(k) / f64::from(pieces);
                    let on_curve = at(t1 + (t2 - t1) * part);
                    stretch.push(snap(between(between(b, c, part), on_curve, pull)));
                }
                stretch.push(path[i]);
                pull /= 2.0;
                is_legal(grid, moves, &stretch)
            });
        if legal {
            points.extend(stretch[1..].iter().map(|&point| (point, i)));
        } else {
            points.push((path[i], i));
        }
    }
    points.dedup_by_key(|drawn| drawn.0);
    points
}

/// Cuts each corner as far back as half of its shorter stretch; less where the curve or a stretch
/// beside it is not legal.
fn bezier(grid: &Grid, moves: Moves, path: &[Point], straight: &[bool], pieces: u32) -> Vec<Drawn> {
    let mut cuts: Vec<_> =
        straight.iter().map(|&straight| if straight { 0.0 } else { 0.5 }).collect();
    let mut points: Vec<Drawn> = Vec::new();
    loop {
        points.clear();
        for (i, &corner) in path.iter().enumerate() {
            let ends = i == 0 || i + 1 == path.len();
            if ends || cuts[i] == 0.0 {
                points.push((corner, i));
                continue;
            }
            let (a, b, c) = (pair(path[i - 1]), pair(corner), pair(path[i + 1]));
            let length = |p: (f64, f64)| (p.0 - b.0).hypot(p.1 - b.1).max(1e-9);
            let reach = length(a).min(length(c)) * cuts[i];
            let (from, to) = (between(b, a, reach / length(a)), between(b, c, reach / length(c)));
            for k in 0..=pieces {
                let t = f64::from(k) / f64::from(pieces);
                points.push((snap(between(between(from, b, t), between(b, to, t), t)), i));
            }
        }
        let mut again = false;
        for i in 1..points.len() {
            let ((a, before), (b, after)) = (points[i - 1], points[i]);
            if a == b || segment_is_legal(grid, moves, a, b) {
                continue;
            }
            for owner in [before, after] {
                if cuts[owner] > 0.0 && owner > 0 && owner + 1 < path.len() {
                    cuts[owner] = if cuts[owner] < 0.5 / f64::from(1 << PULLS) {
                        0.0
                    } else {
                        cuts[owner] / 2.0
                    };
                    again = true;
                }
            }
        }
        if !again {
            points.dedup_by_key(|drawn| drawn.0);
            return points;
        }
    }
}
