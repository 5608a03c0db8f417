//! Conversions between points and cells and those of the `mint` crate, which most maths crates
//! convert to their own.
//!
//! A point of whole numbers is a cell, one of floating-point numbers is a point, as everywhere.

use crate::{Cell, Place, Point};
use mint::Point2;

impl From<Point2<u32>> for Cell {
    fn from(cell: Point2<u32>) -> Self {
        Self::new(cell.x, cell.y)
    }
}

impl From<Cell> for Point2<u32> {
    fn from(cell: Cell) -> Self {
        Self { x: cell.x, y: cell.y }
    }
}

impl From<Point2<f64>> for Point {
    fn from(point: Point2<f64>) -> Self {
        Self::new(point.x, point.y)
    }
}

impl From<Point2<f32>> for Point {
    fn from(point: Point2<f32>) -> Self {
        Self::new(point.x.into(), point.y.into())
    }
}

impl From<Point> for Point2<f64> {
    fn from(point: Point) -> Self {
        Self { x: point.x(), y: point.y() }
    }
}

impl From<Point> for Point2<f32> {
    fn from(point: Point) -> Self {
        Self { x: point.x() as f32, y: point.y() as f32 }
    }
}

impl From<Point2<u32>> for Place {
    fn from(cell: Point2<u32>) -> Self {
        Cell::from(cell).into()
    }
}

impl From<Point2<f64>> for Place {
    fn from(point: Point2<f64>) -> Self {
        Point::from(point).into()
    }
}

impl From<Point2<f32>> for Place {
    fn from(point: Point2<f32>) -> Self {
        Point::from(point).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;

    #[test]
    fn whole_numbers_are_cells_and_others_points() {
        let query = Query::new(Point2 { x: 3, y: 4 }, Point2 { x: 1.0f32, y: 2.0 });
        assert_eq!(query, Query::new((3, 4), (1.0, 2.0)));
        assert_eq!(Point2::<u32>::from(Cell::new(3, 4)), Point2 { x: 3, y: 4 });
        assert_eq!(Point2::<f64>::from(Point::new(0.5, 2.0)), Point2 { x: 0.5, y: 2.0 });
    }
}
