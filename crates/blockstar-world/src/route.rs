//! The way that a unit follows: points, each with the distance that is left from there.
//!
//! Ways from cell to cell have a point at least every eight cells, so that a unit that was pushed
//! off its way finds back to it near by, and so that a piece lies in few blocks of the
//! [cut index](crate::cuts).

use crate::measure::{apart, length, may_walk};
use crate::pack::{Pack, Reader, packed};
use blockstar::{Cell, Grid, Moves, Path, Point, Rect, Rule};

/// The longest piece of a way from cell to cell.
pub(crate) const PIECE: u32 = 8;

/// A place on the 1/1024 lattice of [`Point`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub x: i32,
    pub y: i32,
}

impl Spot {
    pub fn of(point: Point) -> Self {
        let units = f64::from(Point::UNITS);
        Self { x: (point.x() * units) as i32, y: (point.y() * units) as i32 }
    }

    pub fn point(self) -> Point {
        let units = f64::from(Point::UNITS);
        Point::new(f64::from(self.x) / units, f64::from(self.y) / units)
    }

    pub fn cell(self) -> Cell {
        self.point().cell()
    }
}

packed!(Spot { x, y });

/// A point of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waypoint {
    pub at: Spot,
    /// The distance from here to the end.
    pub to_go: u32,
}

packed!(Waypoint { at, to_go });

impl Waypoint {
    pub fn cell(&self) -> Cell {
        self.at.cell()
    }
}

/// A way, its start included. An empty one is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    points: Vec<Waypoint>,
}

impl Pack for Route {
    fn pack(&self, out: &mut Vec<u8>) {
        self.points.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { points: Vec::unpack(from)? })
    }
}

impl Route {
    /// The way of a path of the library, or of its first so many cells.
    pub fn of(path: &Path, most_cells: u32) -> Self {
        if path.moves().rule().is_any_angle() {
            return Self::through(path.points().iter().map(|&point| Spot::of(point)).collect());
        }
        let turns: Vec<Cell> = path.points().iter().filter_map(|point| point.as_centre()).collect();
        Self::along(&turns, path.moves().rule(), most_cells)
    }

    /// The way over cells; where the next one is neither straight nor exactly diagonal ahead, with a
    /// turn between.
    pub fn along(turns: &[Cell], rule: Rule, most_cells: u32) -> Self {
        let turns = &with_bends(turns, rule);
        let mut spots: Vec<Spot> = turns.first().map(|&cell| centre(cell)).into_iter().collect();
        let mut left = most_cells;
        for pair in turns.windows(2) {
            let (dx, dy) =
                (pair[1].x as i32 - pair[0].x as i32, pair[1].y as i32 - pair[0].y as i32);
            let steps = dx.unsigned_abs().max(dy.unsigned_abs()).min(left);
            left -= steps;
            let mut done = 0;
            while done < steps {
                done = (done + PIECE).min(steps);
                let by = |d: i32| d.signum() * done as i32;
                let cell = Cell::new(
                    pair[0].x.wrapping_add_signed(by(dx)),
                    pair[0].y.wrapping_add_signed(by(dy)),
                );
                spots.push(centre(cell));
            }
        }
        let mut route = Self::through(spots);
        route.measure(Some(rule));
        route
    }

    fn through(spots: Vec<Spot>) -> Self {
        let points = spots.into_iter().map(|at| Waypoint { at, to_go: 0 }).collect();
        let mut route = Self { points };
        route.measure(None);
        route
    }

    /// Computes the distances from the end.
    fn measure(&mut self, rule: Option<Rule>) {
        let mut to_go = 0_u32;
        let mut after: Option<Spot> = None;
        for point in self.points.iter_mut().rev() {
            if let Some(after) = after {
                to_go = to_go.saturating_add(piece_length(point.at, after, rule));
            }
            point.to_go = to_go;
            after = Some(point.at);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    pub fn points(&self) -> &[Waypoint] {
        &self.points
    }

    pub fn get(&self, index: usize) -> Option<&Waypoint> {
        self.points.get(index)
    }

    pub fn last(&self) -> Option<&Waypoint> {
        self.points.last()
    }

    /// The points from `first` on, and then another way that begins where this one ends.
    pub fn joined(&self, first: usize, tail: &Self) -> Self {
        let extra = tail.points.first().map_or(0, |point| point.to_go);
        let mut points: Vec<Waypoint> = self.points.get(first..).unwrap_or(&[]).to_vec();
        for point in &mut points {
            point.to_go = point.to_go.saturating_add(extra);
        }
        let skip = usize::from(
            points.last().map(|point| point.at) == tail.points.first().map(|point| point.at),
        );
        points.extend(tail.points.iter().skip(skip));
        Self { points }
    }

    /// The points from `first` on.
    pub fn tail(&self, first: usize) -> Self {
        Self { points: self.points.get(first..).unwrap_or(&[]).to_vec() }
    }

    /// Whether the piece that ends at a point can be walked on a map.
    pub fn piece_is_clear(&self, grid: &Grid, moves: Moves, end: usize) -> bool {
        let (Some(a), Some(b)) = (end.checked_sub(1).and_then(|i| self.get(i)), self.get(end))
        else {
            return true;
        };
        if moves.rule().is_any_angle() {
            return Path::new(grid, moves, [a.at.point(), b.at.point()]).still_valid(grid);
        }
        may_walk(grid, moves.rule(), a.cell(), b.cell())
    }

    /// The cells that the piece that ends at a point lies in, as a rectangle.
    pub fn piece_rect(&self, end: usize) -> Option<Rect> {
        let a = self.get(end.checked_sub(1)?)?.cell();
        let b = self.get(end)?.cell();
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Some(Rect::new(x, y, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1))
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Waypoint>()
    }

    /// Refuses what was read and does not lie on a map.
    pub fn check(&self, grid: &Grid, moves: Moves) -> Option<()> {
        let on_map = |point: &Waypoint| {
            let units = Point::UNITS;
            let inside = |v: i32, side: u32| (0..=side as i32 * units).contains(&v);
            let centre = moves.rule().is_any_angle()
                || (point.at.x.rem_euclid(units), point.at.y.rem_euclid(units))
                    == (units / 2, units / 2)
                    && grid.contains(point.cell());
            inside(point.at.x, grid.width()) && inside(point.at.y, grid.height()) && centre
        };
        let straight = |pair: &[Waypoint]| {
            let (dx, dy) = (pair[1].at.x - pair[0].at.x, pair[1].at.y - pair[0].at.y);
            moves.rule().is_any_angle() || dx == 0 || dy == 0 || dx.abs() == dy.abs()
        };
        (self.points.iter().all(on_map) && self.points.windows(2).all(straight)).then_some(())
    }
}

fn piece_length(a: Spot, b: Spot, rule: Option<Rule>) -> u32 {
    match rule {
        Some(rule) => apart(rule, a.cell(), b.cell()),
        None => length(a.point(), b.point()),
    }
}

/// The cells with a turn between two that are not in one line.
fn with_bends(turns: &[Cell], rule: Rule) -> Vec<Cell> {
    let mut cells: Vec<Cell> = turns.first().copied().into_iter().collect();
    for pair in turns.windows(2) {
        let (dx, dy) = (pair[1].x as i32 - pair[0].x as i32, pair[1].y as i32 - pair[0].y as i32);
        let aligned = dx == 0 || dy == 0 || (dx.abs() == dy.abs() && rule != Rule::Four);
        if !aligned {
            let short = dx.abs().min(dy.abs());
            let by = match rule {
                Rule::Four => (dx, 0),
                _ => (dx.signum() * short, dy.signum() * short),
            };
            cells.push(Cell::new(
                pair[0].x.wrapping_add_signed(by.0),
                pair[0].y.wrapping_add_signed(by.1),
            ));
        }
        cells.push(pair[1]);
    }
    cells
}

/// The middle of a cell.
pub(crate) fn centre(cell: Cell) -> Spot {
    Spot::of(cell.centre())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{DIAGONAL, STRAIGHT};

    #[test]
    fn long_pieces_are_cut_and_distances_count_down() {
        let turns = [Cell::new(0, 0), Cell::new(20, 0), Cell::new(23, 3)];
        let route = Route::along(&turns, Rule::Eight, u32::MAX);
        let cells: Vec<Cell> = route.points().iter().map(Waypoint::cell).collect();
        assert_eq!(cells.iter().map(|cell| cell.x).collect::<Vec<_>>(), [0, 8, 16, 20, 23]);
        assert_eq!(route.get(0).unwrap().to_go, 20 * STRAIGHT + 3 * DIAGONAL);
        assert_eq!(route.last().unwrap().to_go, 0);
        let short = Route::along(&turns, Rule::Eight, 10);
        assert_eq!(short.last().unwrap().cell(), Cell::new(10, 0));
        let rest =
            Route::along(&[Cell::new(10, 0), Cell::new(20, 0), Cell::new(23, 3)], Rule::Eight, 99);
        let whole = short.joined(0, &rest);
        assert_eq!(whole.get(0).unwrap().to_go, route.get(0).unwrap().to_go);
        assert_eq!(whole.last().unwrap().cell(), Cell::new(23, 3));
    }
}
