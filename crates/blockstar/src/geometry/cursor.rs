//! Where a unit is on its path.
//!
//! A cursor is a small value that knows how far the unit has come, but not the path: a game's unit
//! keeps both in one struct, which would be impossible with a borrowed path. So its methods take
//! the path; given the wrong path, it stops at that path's end at the latest, and nothing worse
//! happens.
//!
//! The distance walked is the truth, and the current stretch follows from it: the lengths of the
//! stretches are always summed from the start, and the rounding error of each step of the unit is
//! carried to the next. So the position does not depend on how many steps led there.

use crate::geometry::path::{continues_straight, point_is_walkable, sides_agree, steps_are_legal};
use crate::geometry::sight;
use crate::rules::slope;
use crate::{Grid, Path, Point, Rule};
use std::iter;

/// A place on a path, for a unit that follows it: made by [`Path::cursor`], moved by
/// [`PathCursor::advance`].
///
/// It is a plain value without a borrow, to be kept beside the path, which every method takes.
/// Distances are lengths in the plane, in cells; on terrain or slopes a game slows its units down
/// as it likes.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Path, PathCursor, Point, Tile};
///
/// struct Unit {
///     path: Path,
///     cursor: PathCursor,
/// }
///
/// let mut grid = Grid::new(9, 9)?;
/// let corner = [Cell::new(0, 0), Cell::new(4, 0), Cell::new(4, 4)];
/// let path = Path::new(&grid, Moves::EIGHT, corner);
/// let mut unit = Unit { cursor: path.cursor(), path };
/// unit.cursor.advance(&unit.path, 5.5);
/// assert_eq!(unit.cursor.position(&unit.path), Some(Point::new(4.5, 2.0)));
/// assert_eq!(unit.cursor.heading(&unit.path), Some((0.0, 1.0)));
/// assert_eq!(unit.cursor.remaining(&unit.path), 2.5);
/// // A wall behind the unit is of no interest, one ahead is.
/// grid.set((2, 0), Tile::Blocked)?;
/// assert!(unit.cursor.still_valid(&unit.path, &grid) && !unit.path.still_valid(&grid));
/// grid.set((4, 3), Tile::Blocked)?;
/// assert!(!unit.cursor.still_valid(&unit.path, &grid));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathCursor {
    /// The distance from the start, and its accumulated rounding error.
    walked: f64,
    excess: f64,
    /// The number of the stretch, and the length of those before it.
    stretch: usize,
    before: f64,
}

impl Path {
    /// A cursor at the start of the path.
    pub fn cursor(&self) -> PathCursor {
        PathCursor::default()
    }
}

impl PathCursor {
    /// Moves on along the path, or back if the distance is negative, and stops at its ends. Returns
    /// the part of the distance left over at the end: 0 along the way.
    ///
    /// Steps of any size lead to the same places: ten a second or sixty.
    pub fn advance(&mut self, path: &Path, distance: f64) -> f64 {
        // NaN is no step, and infinity is a step to the end.
        let distance = if distance.is_nan() { 0.0 } else { distance.clamp(-1e9, 1e9) };
        let step = distance - self.excess;
        let walked = self.walked + step;
        self.excess = (walked - self.walked) - step;
        self.walked = walked;
        if walked < self.before {
            (self.stretch, self.before) = (0, 0.0);
        }
        if walked <= 0.0 {
            *self = Self::default();
            return 0.0;
        }
        loop {
            let length = self.length(path);
            let end = self.before + length;
            if walked < end {
                return 0.0;
            }
            if self.stretch + 2 >= path.points().len() {
                (self.walked, self.excess) = (end, 0.0);
                return walked - end;
            }
            (self.stretch, self.before) = (self.stretch + 1, end);
        }
    }

    /// How far the unit has come from the start, in cells.
    pub fn walked(&self) -> f64 {
        self.walked
    }

    /// Where the unit is; none on an empty path.
    pub fn position(&self, path: &Path) -> Option<Point> {
        let Some((a, b)) = self.ends(path) else { return path.points().last().copied() };
        let length = a.distance(b);
        let part = if length > 0.0 { ((self.walked - self.before) / length).min(1.0) } else { 1.0 };
        Some(if part == 1.0 {
            b
        } else {
            Point::new(a.x() + (b.x() - a.x()) * part, a.y() + (b.y() - a.y()) * part)
        })
    }

    /// The direction that the unit walks in, as a vector of length 1 (x right, y down): at a turn
    /// the one after it, at the end the one it arrived in. None on a path without length.
    pub fn heading(&self, path: &Path) -> Option<(f64, f64)> {
        let (a, b) = self.ends(path)?;
        let length = a.distance(b);
        (length > 0.0).then(|| ((b.x() - a.x()) / length, (b.y() - a.y()) / length))
    }

    /// The length of the way that is left, in cells.
    pub fn remaining(&self, path: &Path) -> f64 {
        (path.length() - self.walked).max(0.0)
    }

    /// Whether the unit is at the end of the path.
    pub fn is_at_end(&self, path: &Path) -> bool {
        self.points_ahead(path).is_empty()
    }

    /// The points of the way that is left: where the unit is, the turns to come, and the end.
    pub fn ahead<'a>(&self, path: &'a Path) -> impl Iterator<Item = Point> + use<'a> {
        let here = self.position(path);
        let turns = self.points_ahead(path).iter().copied();
        // A unit that has all but reached a point stands on it.
        here.into_iter().chain(turns.skip_while(move |&turn| Some(turn) == here))
    }

    /// Where the path turns next, or ends; none at its end.
    pub fn next_turn(&self, path: &Path) -> Option<Point> {
        let ahead = self.points_ahead(path);
        let (mut before, last) = (self.ends(path)?.0, ahead.last()?);
        let turn = ahead.windows(2).find(|pair| {
            let straight = continues_straight(before, pair[0], pair[1]);
            before = pair[0];
            !straight
        });
        Some(turn.map_or(*last, |pair| pair[0]))
    }

    /// Whether the way that is left can be walked on the grid as it is now: [`Path::still_valid`]
    /// for the rest of the path, with the path's own [movement rule](Path::moves) and slope.
    ///
    /// Between two cells, the step under way belongs to the rest, but the cell it began on does
    /// not. Where an any-angle path has an end that is neither a corner nor a centre, a wall just
    /// behind the unit may count as well.
    pub fn still_valid(&self, path: &Path, grid: &Grid) -> bool {
        let (rule, moves) = (path.moves().rule(), path.moves());
        let ahead = self.points_ahead(path);
        let (Some((start, end)), false) = (self.ends(path), ahead.is_empty()) else {
            return path.points().last().is_some_and(|&at| point_is_walkable(grid, rule, at));
        };
        let stretch = (start, end);
        let walked = self.walked - self.before;
        let from = last_point_on_the_way(stretch, walked, rule);
        // Points first: what is checked between them must be on the map.
        let begins = match walked > 0.0 && !rule.is_any_angle() {
            true => from.as_centre().is_some_and(|cell| grid.contains(cell)),
            false => point_is_walkable(grid, rule, from),
        };
        if !begins || !ahead.iter().all(|&at| point_is_walkable(grid, rule, at)) {
            return false;
        }
        let mut pairs = iter::once((from, end)).chain(ahead.windows(2).map(|w| (w[0], w[1])));
        let walkable = pairs.all(|(a, b)| match rule.is_any_angle() {
            true => sight::visible(grid, a, b, rule),
            false => steps_are_legal(grid, rule, a, b),
        });
        let steep = moves.slope().is_some_and(|slope| {
            slope::too_steep_after(grid, slope, stretch, walked).is_some()
                || ahead.windows(2).any(|w| slope::too_steep(grid, slope, w[0], w[1]).is_some())
        });
        let mut turns = path.points().get(self.stretch..).unwrap_or(&[]).windows(3);
        let squeezes =
            rule == Rule::AnyAngle && turns.any(|w| !sides_agree(grid, w[1], w[0], w[2]));
        walkable && !steep && !squeezes
    }

    /// The ends of the stretch that the unit is on.
    fn ends(&self, path: &Path) -> Option<(Point, Point)> {
        let [a, b, ..] = *path.points().get(self.stretch..)? else { return None };
        Some((a, b))
    }

    /// The length of the stretch that the unit is on.
    fn length(&self, path: &Path) -> f64 {
        self.ends(path).map_or(0.0, |(a, b)| a.distance(b))
    }

    /// The points that the unit has yet to reach.
    fn points_ahead<'a>(&self, path: &'a Path) -> &'a [Point] {
        let ahead = path.points().get(self.stretch + 1..).unwrap_or(&[]);
        let reached = self.walked >= self.before + self.length(path);
        if reached { &[] } else { ahead }
    }
}

/// The last point of a stretch that a unit has passed and that lies on it exactly: a centre under a
/// rule of steps, a point of the lattice otherwise.
///
/// The place of the unit itself is rounded to the lattice, and may be inside the wall whose corner
/// the path touches.
fn last_point_on_the_way((a, b): (Point, Point), walked: f64, rule: Rule) -> Point {
    let (dx, dy) = (b.ux() - a.ux(), b.uy() - a.uy());
    let parts = match rule.is_any_angle() {
        true => greatest_common_divisor(dx.unsigned_abs(), dy.unsigned_abs()) as i32,
        false => dx.abs().max(dy.abs()) / Point::UNITS,
    };
    if parts == 0 {
        return a;
    }
    let passed = (walked / a.distance(b) * f64::from(parts)).floor() as i32;
    let passed = passed.clamp(0, parts);
    a.moved(dx / parts * passed, dy / parts * passed)
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
