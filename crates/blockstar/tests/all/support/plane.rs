//! What the oracles of the any-angle rules share.

use blockstar::{Cell, Grid, Moves, Point};

/// The any-angle rules.
pub const RULES: [Moves; 2] = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE];

/// Whether a cell is on the map and free.
pub fn free(grid: &Grid, x: i64, y: i64) -> bool {
    x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32))
}

/// The two free cells if the point is a double corner.
pub fn double_corner(grid: &Grid, point: Point) -> Option<[(i64, i64); 2]> {
    let (x, y) = point.as_corner()?;
    let (x, y) = (i64::from(x), i64::from(y));
    let cells = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
    match cells.map(|(x, y)| free(grid, x, y)) {
        [true, false, false, true] => Some([cells[0], cells[3]]),
        [false, true, true, false] => Some([cells[1], cells[2]]),
        _ => None,
    }
}

/// Whether a segment from the corner of a cell towards a point begins in or along that cell.
pub fn begins_in(cell: (i64, i64), corner: Point, towards: Point) -> bool {
    let inside = |low: i64, at: f64, to: f64| if at == low as f64 { to >= at } else { to <= at };
    inside(cell.0, corner.x(), towards.x()) && inside(cell.1, corner.y(), towards.y())
}

/// A place of the oracle's graph: a point and, at a double corner under the strict rule, the cell
/// on whose side it is.
type Place = (Point, Option<(i64, i64)>);

/// The shortest paths by definition: Dijkstra's algorithm, without a queue, on the graph of all
/// places at corners that see each other. Reused for several queries on one map.
pub struct Oracle<'a> {
    pub grid: &'a Grid,
    pub moves: Moves,
    places: Vec<Place>,
    /// Distances between all places, infinite where they do not see each other.
    lengths: Vec<Vec<f64>>,
}

impl<'a> Oracle<'a> {
    pub fn new(grid: &'a Grid, moves: Moves) -> Self {
        let mut places = Vec::new();
        for y in 0..=grid.height() {
            for x in 0..=grid.width() {
                let point = Cell::new(x, y).corner();
                let around = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
                let touched = around
                    .iter()
                    .filter(|d| free(grid, i64::from(x) + d.0, i64::from(y) + d.1))
                    .count();
                // Where no or all cells are free, no shortest path turns.
                if (1..4).contains(&touched) {
                    match double_corner(grid, point).filter(|_| moves == Moves::ANY_ANGLE) {
                        Some(cells) => places.extend(cells.map(|cell| (point, Some(cell)))),
                        None => places.push((point, None)),
                    }
                }
            }
        }
        let mut oracle = Self { grid, moves, places, lengths: Vec::new() };
        let row = |a: &Place| oracle.places.iter().map(|b| oracle.length(*a, *b)).collect();
        oracle.lengths = oracle.places.iter().map(row).collect();
        oracle
    }

    fn length(&self, a: Place, b: Place) -> f64 {
        let side = |at: Place, to: Place| at.1.is_none_or(|cell| begins_in(cell, at.0, to.0));
        let legal =
            side(a, b) && side(b, a) && a.0 != b.0 && self.grid.line_of_sight(a.0, b.0, self.moves);
        if legal { a.0.distance(b.0) } else { f64::INFINITY }
    }

    fn place(&self, point: Point) -> Place {
        let double = self.moves == Moves::ANY_ANGLE && double_corner(self.grid, point).is_some();
        let cell = self.grid.cell_of(point).unwrap();
        (point, double.then_some((i64::from(cell.x), i64::from(cell.y))))
    }

    /// The length of the shortest path; infinite if there is none.
    pub fn cost(&self, start: Point, goal: Point) -> f64 {
        if ![start, goal].iter().all(|end| self.grid.is_free(self.grid.cell_of(*end).unwrap())) {
            return f64::INFINITY;
        }
        if start == goal {
            return 0.0;
        }
        let (start, goal) = (self.place(start), self.place(goal));
        let mut costs: Vec<f64> = self
            .places
            .iter()
            .map(|&p| if p == start { 0.0 } else { self.length(start, p) })
            .collect();
        let mut done = vec![false; costs.len()];
        let mut best = self.length(start, goal);
        loop {
            let open = (0..costs.len()).filter(|&i| !done[i] && costs[i] < best);
            let Some(i) = open.min_by(|&i, &j| costs[i].total_cmp(&costs[j])) else { return best };
            done[i] = true;
            let last = if self.places[i] == goal { 0.0 } else { self.length(self.places[i], goal) };
            best = best.min(costs[i] + last);
            for j in 0..costs.len() {
                costs[j] = costs[j].min(costs[i] + self.lengths[i][j]);
            }
        }
    }
}
