//! ANYA against an oracle: Dijkstra's algorithm on the graph of all corner points that see each
//! other.

mod support;

use blockstar::random::Random;
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Planner, Point, Query, Scratch, Status};
use std::collections::VecDeque;

const RULES: [Moves; 2] = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE];

fn free(grid: &Grid, x: i64, y: i64) -> bool {
    x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32))
}

/// The two free cells if the point is a double corner.
fn double_corner(grid: &Grid, point: Point) -> Option<[(i64, i64); 2]> {
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
fn begins_in(cell: (i64, i64), corner: Point, towards: Point) -> bool {
    let inside = |low: i64, at: f64, to: f64| {
        if at == low as f64 { to >= at } else { to <= at }
    };
    inside(cell.0, corner.x(), towards.x()) && inside(cell.1, corner.y(), towards.y())
}

/// A place of the oracle's graph: a point and, at a double corner under the strict rule, the cell on
/// whose side it is.
type Place = (Point, Option<(i64, i64)>);

/// All places at corners, and which see each other; reused for several queries on one map.
struct Oracle<'a> {
    grid: &'a Grid,
    moves: Moves,
    places: Vec<Place>,
    lengths: Vec<Vec<f64>>,
}

impl<'a> Oracle<'a> {
    fn new(grid: &'a Grid, moves: Moves) -> Self {
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

    fn cost(&self, start: Point, goal: Point) -> f64 {
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

/// Whether two cells are connected: by edges, and by corners too under the permissive rule.
fn connected(grid: &Grid, moves: Moves, from: Cell, to: Cell) -> bool {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut seen = vec![false; width * height];
    let mut queue = VecDeque::from([(i64::from(from.x), i64::from(from.y))]);
    while let Some((x, y)) = queue.pop_front() {
        if !free(grid, x, y) || std::mem::replace(&mut seen[y as usize * width + x as usize], true)
        {
            continue;
        }
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            if moves == Moves::ANY_ANGLE_SQUEEZE || dx == 0 || dy == 0 {
                queue.push_back((x + dx, y + dy));
            }
        }
    }
    seen[to.y as usize * width + to.x as usize]
}

/// A corner, a centre, a point on a grid line or any point; mostly one that touches a free cell.
fn random_point(random: &mut Random, grid: &Grid) -> Point {
    let mut point = Point::default();
    for _ in 0..30 {
        let kind = random.below(8);
        let mut coordinate = |size: u32, kind: u64| {
            let whole = random.below(u64::from(size) + u64::from(kind == 0)) as f64;
            whole
                + match kind {
                    0 => 0.0,
                    1 => 0.5,
                    2 => random.below(5) as f64 / 4.0,
                    _ => random.below(1025) as f64 / 1024.0,
                }
        };
        let kinds = [(0, 0), (0, 0), (1, 1), (0, 3), (3, 0), (2, 2), (3, 3), (0, 2)][kind as usize];
        point = Point::new(coordinate(grid.width(), kinds.0), coordinate(grid.height(), kinds.1));
        if grid.line_of_sight(point, point, Moves::ANY_ANGLE) {
            break;
        }
    }
    point
}

struct Bench {
    scratch: Scratch,
    sliced: Scratch,
    found: usize,
}

impl Bench {
    fn new() -> Self {
        Self { scratch: Scratch::new(), sliced: Scratch::new(), found: 0 }
    }

    /// One query, held against the oracle, run through and in slices.
    fn check(
        &mut self,
        oracle: &Oracle<'_>,
        planner: &dyn Planner,
        start: Point,
        goal: Point,
        slice: u64,
    ) {
        let (grid, moves) = (oracle.grid, oracle.moves);
        let context = || {
            let map = blockstar::format::ascii::draw(grid);
            format!("{moves} {start} -> {goal} on\n{map}")
        };
        let query = Query::new(start, goal);
        let status = planner.find(grid, &query, &mut self.scratch).unwrap();
        let (from, to) = (grid.cell_of(start).unwrap(), grid.cell_of(goal).unwrap());
        let exists = grid.is_free(from) && grid.is_free(to) && connected(grid, moves, from, to);
        let best = oracle.cost(start, goal);
        let expected = if exists { Status::Found } else { Status::NoPath };
        assert_eq!(status, expected, "{}", context());
        if exists {
            let path = self.scratch.path();
            if let Err(fault) = path.check(grid, moves) {
                panic!("{fault}: {path}\n{}", context());
            }
            let ends = (path.points().first(), path.points().last());
            assert_eq!(ends, (Some(&start), Some(&goal)), "{}", context());
            let cost = path.cost();
            assert!(
                (cost - best).abs() <= 1e-9 * best.max(1e-3),
                "cost {cost} by {path}, optimum {best}: {}",
                context()
            );
            self.found += 1;
        }
        planner.begin(grid, &query, &mut self.sliced).unwrap();
        let status = loop {
            let budget = Budget::expansions(slice);
            let status = planner.resume(grid, &mut self.sliced, budget).unwrap();
            if status != Status::Working {
                break status;
            }
        };
        assert_eq!(status, expected, "{}", context());
        assert_eq!(self.sliced.path(), self.scratch.path(), "{}", context());
        assert_eq!(self.sliced.stats(), self.scratch.stats(), "{}", context());
    }
}

fn compare(seed: u64, rounds: usize, queries: usize, side: impl Fn(&mut Random) -> u32) -> usize {
    let mut random = Random::new(seed);
    let mut bench = Bench::new();
    for _ in 0..rounds {
        let (width, height) = (side(&mut random), side(&mut random));
        let blocked = random.below(61);
        let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
        for moves in RULES {
            let planner = Algorithm::named("anya").unwrap().prepare(&grid, moves).unwrap();
            let oracle = Oracle::new(&grid, moves);
            for _ in 0..queries {
                let start = random_point(&mut random, &grid);
                let goal = random_point(&mut random, &grid);
                let slice = 1 + random.below(7);
                bench.check(&oracle, &*planner, start, goal, slice);
            }
        }
    }
    bench.found
}

#[test]
fn paths_are_shortest_on_small_maps() {
    let found = compare(1, 20_000, 2, |random| 1 + random.below(12) as u32);
    assert!(found > 30_000, "only {found} paths");
}

#[test]
fn paths_are_shortest_on_medium_maps() {
    let found = compare(2, 40, 20, |_| 30);
    assert!(found > 600, "only {found} paths");
}
