//! Where things are: [`Cell`] is what you index, [`Point`] is where you walk.
//!
//! The plane has x to the right, y down and (0, 0) at the top left corner of the map. The cell
//! (x, y) covers the square from (x, y) to (x+1, y+1): its corners are integer points, its centre
//! is +0.5.
//!
//! A [`Point`] is snapped to 1/1024 of a cell when it is made. All geometry (line of sight,
//! collinearity, path checks) is then done on integers, exactly: with coordinates up to 16384 cells
//! a product of two differences needs 48 bits and cannot overflow an `i64`.

use crate::Error;
use crate::grid::raster::raster;
#[cfg(feature = "serde")]
use crate::written::PointText;
use std::{fmt, str::FromStr};

/// A cell of the grid by column and row.
///
/// ```
/// use blockstar::{Cell, Point};
/// let cell = Cell::new(3, 1);
/// assert_eq!(cell.centre(), Point::new(3.5, 1.5));
/// assert_eq!(cell, (3, 1).into());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, from the left.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// The middle of the cell: where a unit on this cell stands.
    pub const fn centre(self) -> Point {
        let Point { x, y } = self.corner();
        Point::from_units(x + Point::UNITS / 2, y + Point::UNITS / 2)
    }

    /// The top left corner of the cell, which is the point that published any-angle figures start
    /// from.
    pub const fn corner(self) -> Point {
        // A coordinate beyond every map is clamped, as `Point::new` does.
        const FARTHEST: u32 = 1 << 15;
        let x = if self.x < FARTHEST { self.x } else { FARTHEST };
        let y = if self.y < FARTHEST { self.y } else { FARTHEST };
        Point::from_units(x as i32 * Point::UNITS, y as i32 * Point::UNITS)
    }
}

impl From<(u32, u32)> for Cell {
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y }
    }
}

impl From<&Self> for Cell {
    fn from(cell: &Self) -> Self {
        *cell
    }
}

impl From<[u32; 2]> for Cell {
    fn from([x, y]: [u32; 2]) -> Self {
        Self { x, y }
    }
}

/// Reads `3,4`, with or without brackets and spaces, as [`Display`](fmt::Display) writes it.
impl FromStr for Cell {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let pair = read_pair(text).ok_or_else(|| Error::Text {
            what: "a cell",
            text: text.into(),
            remedy: "write column and row as in 3,4",
        })?;
        Ok(pair.into())
    }
}

/// The two numbers of `3,4` or `(3, 4)`.
fn read_pair<N: FromStr>(text: &str) -> Option<(N, N)> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let (x, y) = inner.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A point of the plane, in cells, snapped to 1/1024 of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PointText", into = "PointText"))]
pub struct Point {
    x: i32,
    y: i32,
}

impl Point {
    /// Steps of the snapping lattice per cell.
    pub const UNITS: i32 = 1024;

    /// The point nearest to (`x`, `y`) on the snapping lattice. Values beyond ±32768 cells (and
    /// NaN, which becomes 0) are clamped; no map reaches that far.
    pub fn new(x: f64, y: f64) -> Self {
        let snap = |v: f64| (v.clamp(-32_768.0, 32_768.0) * f64::from(Self::UNITS)).round();
        Self { x: snap(x) as i32, y: snap(y) as i32 }
    }

    /// A point given in units of 1/1024 cell.
    pub(crate) const fn from_units(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The horizontal coordinate in units of 1/1024 cell.
    pub(crate) const fn ux(self) -> i32 {
        self.x
    }

    /// The vertical coordinate in units of 1/1024 cell.
    pub(crate) const fn uy(self) -> i32 {
        self.y
    }

    /// The horizontal coordinate in cells.
    pub fn x(self) -> f64 {
        f64::from(self.x) / f64::from(Self::UNITS)
    }

    /// The vertical coordinate in cells.
    pub fn y(self) -> f64 {
        f64::from(self.y) / f64::from(Self::UNITS)
    }

    /// The straight-line distance to `other`, in cells.
    pub fn distance(self, other: Self) -> f64 {
        let dx = f64::from(self.x - other.x) / f64::from(Self::UNITS);
        let dy = f64::from(self.y - other.y) / f64::from(Self::UNITS);
        (dx * dx + dy * dy).sqrt()
    }

    /// The point moved to the right and down by units of 1/1024 cell.
    pub(crate) const fn moved(self, x: i32, y: i32) -> Self {
        Self { x: self.x + x, y: self.y + y }
    }

    /// The cell that the point lies in; on an edge, the one to its right or below. Points to the
    /// left of the map or above it count as on its border. ([`Grid::cell_of`](crate::Grid::cell_of)
    /// knows the map's size and which of its cells are free.)
    pub fn cell(self) -> Cell {
        let cell = |v: i32| (v.max(0) / Self::UNITS) as u32;
        Cell::new(cell(self.x), cell(self.y))
    }

    /// The cell whose centre this is, if any.
    pub fn as_centre(self) -> Option<Cell> {
        let half = Self::UNITS / 2;
        let middle = |v: i32| v >= 0 && v % Self::UNITS == half;
        (middle(self.x) && middle(self.y))
            .then(|| Cell::new((self.x / Self::UNITS) as u32, (self.y / Self::UNITS) as u32))
    }

    /// The corner point that this is (column and row of the cell to its lower right), if any.
    pub fn as_corner(self) -> Option<(u32, u32)> {
        let whole = |v: i32| v >= 0 && v % Self::UNITS == 0;
        (whole(self.x) && whole(self.y))
            .then_some(((self.x / Self::UNITS) as u32, (self.y / Self::UNITS) as u32))
    }
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Self {
        cell.centre()
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self::new(x, y)
    }
}

/// Reads `3.5,4`, with or without brackets and spaces, as [`Display`](fmt::Display) writes it.
impl FromStr for Point {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (x, y) = read_pair::<f64>(text)
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .ok_or_else(|| Error::Text {
                what: "a point",
                text: text.into(),
                remedy: "write x and y as in 3.5,4",
            })?;
        Ok(Self::new(x, y))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

/// Where a path starts or ends: a cell, which stands for its centre, or any point.
///
/// You rarely need to name this type: a [`Cell`], a pair of *whole* numbers (a cell), a [`Point`]
/// and a pair of *floating-point* numbers (a point) all become one.
///
/// ```
/// use blockstar::{Cell, Place, Point};
/// assert_eq!(Place::from((3, 4)), Place::from(Cell::new(3, 4)));
/// assert_eq!(Place::from((3, 4)).point(), Point::new(3.5, 4.5));
/// assert_eq!(Place::from((3.0, 4.0)).point(), Point::new(3.0, 4.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(Point);

impl Place {
    /// The point itself, or the centre of the cell.
    pub const fn point(self) -> Point {
        self.0
    }
}

impl From<Point> for Place {
    fn from(point: Point) -> Self {
        Self(point)
    }
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Self {
        Self(cell.centre())
    }
}

impl From<(u32, u32)> for Place {
    fn from(cell: (u32, u32)) -> Self {
        Cell::from(cell).into()
    }
}

impl From<(f64, f64)> for Place {
    fn from(point: (f64, f64)) -> Self {
        Point::from(point).into()
    }
}

/// A rectangle of cells: `x..x+width`, `y..y+height`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// Leftmost column.
    pub x: u32,
    /// Topmost row.
    pub y: u32,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl Rect {
    /// The rectangle with its top left cell at (`x`, `y`).
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// The rectangle of one cell.
    pub const fn cell(cell: Cell) -> Self {
        Self { x: cell.x, y: cell.y, width: 1, height: 1 }
    }

    /// Its cells, row by row. Cells beyond the largest coordinate are left out.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { x, y, width, height } = self;
        let on = |first: u32, count: u32| 0..count.min((u32::MAX - first).saturating_add(1));
        raster(on(x, width), on(y, height)).map(move |(dx, dy)| Cell::new(x + dx, y + dy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_beyond_the_largest_coordinate_does_not_overflow() {
        let last = u32::MAX;
        let cells: Vec<Cell> = Rect::new(last - 1, last, 9, u32::MAX).cells().collect();
        assert_eq!(cells, [Cell::new(last - 1, last), Cell::new(last, last)]);
        assert_eq!(Rect::new(last, last, 0, 5).cells().count(), 0);
        assert_eq!(Rect::new(2, 3, 4, 5).cells().count(), 20);
    }

    #[test]
    fn points_snap_to_the_lattice_and_back() {
        let p = Point::new(1.0 / 3.0, 2.0);
        assert_eq!(p.ux(), 341);
        assert_eq!(p.y(), 2.0);
        assert_eq!(Point::new(f64::NAN, f64::INFINITY).ux(), 0);
        assert_eq!(Cell::new(7, 9).centre().as_centre(), Some(Cell::new(7, 9)));
        assert_eq!(Cell::new(7, 9).corner().as_corner(), Some((7, 9)));
        assert_eq!(Cell::new(7, 9).corner().as_centre(), None);
        assert_eq!(Point::new(-0.5, 0.5).as_centre(), None);
        assert_eq!(Cell::new(u32::MAX, 0).centre(), Cell::new(1 << 15, 0).centre());
        assert_eq!(Point::new(3.0, 4.999).cell(), Cell::new(3, 4));
        assert_eq!(Point::new(-3.0, 0.5).cell(), Cell::new(0, 0));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (cell, point) = (Cell::new(3, 4), Point::new(-1.5, 4.0));
        assert_eq!(cell.to_string().parse(), Ok(cell));
        assert_eq!(point.to_string().parse(), Ok(point));
        assert_eq!(" 3 ,4".parse(), Ok(cell));
        for text in ["", "3", "3,", "3,4,5", "-1,2", "(3,4", "1e9,0", "4294967296,0"] {
            let error = text.parse::<Cell>().unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("3,4"), "{error}");
        }
        assert!("NaN,1".parse::<Point>().is_err());
    }
}
