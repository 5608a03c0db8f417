//! What the integration tests share: random maps, and an oracle so simple that it is unlikely to be
//! wrong.
#![allow(dead_code, reason = "each test file uses a part")]

mod case;
pub mod forgery;
pub mod hills;
pub mod maps;
mod place;
pub mod plane;
mod round;
mod shared;

#[allow(unused_imports, reason = "each test binary uses a part")]
pub use case::{
    Case, Fnv, Ground, Question, Stage, all_hills, any_angle_hills, can_work, cases,
    cases_of_every_kind, cases_on, cases_on_hills, cell_hills, cell_index, choices, for_each_path,
    for_each_planner, grounds, grounds_on, is_small_enough, random_cell_moves,
};
#[allow(unused_imports, reason = "each test binary uses a part")]
pub use place::{on, prepare};
#[allow(unused_imports, reason = "each test binary uses a part")]
pub use round::{Round, rounds, rounds_on, rounds_on_terrain};

use blockstar::random::Random;
use blockstar::{
    Cell, Diagonal, Error, Grid, Moves, Planner, Point, Query, Rect, Rule, Scratch, Stats, Status,
    Tile,
};
use std::collections::VecDeque;

/// The query with or without smoothing.
pub fn smoothed(query: Query, smooth: bool) -> Query {
    if smooth { query } else { query.without_smoothing() }
}

/// A step, its legality and its cost, spelled out from the definitions in words.
pub fn step_cost(grid: &Grid, moves: Moves, a: (i64, i64), b: (i64, i64)) -> Option<f64> {
    let free = |x: i64, y: i64| x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    if (dx, dy) == (0, 0) || !free(a.0, a.1) || !free(b.0, b.1) {
        return None;
    }
    let factor = |c: (i64, i64)| grid.cost(Cell::new(c.0 as u32, c.1 as u32));
    let mean = (factor(a) + factor(b)) / 2.0;
    if dx == 0 || dy == 0 {
        return Some(mean);
    }
    let beside = u8::from(free(a.0 + dx, a.1)) + u8::from(free(a.0, a.1 + dy));
    let legal = match moves.rule() {
        Rule::Four => false,
        Rule::Eight => beside == 2,
        Rule::EightCutOne => beside >= 1,
        Rule::EightCutAny => true,
        _ => unreachable!("cell rules only"),
    };
    let length = match moves.diagonal() {
        Diagonal::Sqrt2 => 2f64.sqrt(),
        Diagonal::OnePointFour => 1.4,
        other => unreachable!("{other:?} is new: say how long it is"),
    };
    legal.then_some(mean * length)
}

/// Costs from `start` to every cell.
pub fn all_costs(grid: &Grid, moves: Moves, start: Cell) -> Vec<f64> {
    flood(grid, start, |a, b| step_cost(grid, moves, a, b))
}

/// Costs from `start` to every cell, given the cost of a step. A cell whose cost fell waits in a
/// queue to pass it on to its neighbours: no order, no estimate, nothing to get wrong.
pub fn flood(
    grid: &Grid,
    start: Cell,
    step: impl Fn((i64, i64), (i64, i64)) -> Option<f64>,
) -> Vec<f64> {
    let (w, h) = (i64::from(grid.width()), i64::from(grid.height()));
    let mut costs = vec![f64::INFINITY; (w * h) as usize];
    if !grid.is_free(start) {
        return costs;
    }
    let at = |x: i64, y: i64| (y * w + x) as usize;
    let mut waiting = VecDeque::from([(i64::from(start.x), i64::from(start.y))]);
    let mut waits = vec![false; costs.len()];
    costs[at(i64::from(start.x), i64::from(start.y))] = 0.0;
    while let Some((x, y)) = waiting.pop_front() {
        waits[at(x, y)] = false;
        let here = costs[at(x, y)];
        for (nx, ny) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))) {
            let Some(step) = step((x, y), (nx, ny)) else { continue };
            let there = at(nx, ny);
            if here + step < costs[there] - 1e-12 {
                costs[there] = here + step;
                if !std::mem::replace(&mut waits[there], true) {
                    waiting.push_back((nx, ny));
                }
            }
        }
    }
    costs
}

/// The cost from `start` to one cell.
pub fn best_cost(grid: &Grid, moves: Moves, start: Cell, goal: Cell) -> f64 {
    all_costs(grid, moves, start)[(goal.y * grid.width() + goal.x) as usize]
}

/// The corner lattice of the any-angle rules, spelled out: a node is a corner, or under the strict
/// rule one of the two sides of a double corner; an edge is a step of one cell that can be seen.
pub struct CornerOracle<'a> {
    grid: &'a Grid,
    moves: Moves,
    /// For each corner and side: where a step leads and what it costs.
    steps: Vec<Vec<(usize, f64)>>,
}

impl<'a> CornerOracle<'a> {
    pub fn new(grid: &'a Grid, moves: Moves) -> Self {
        let corners = (grid.width() as usize + 1) * (grid.height() as usize + 1);
        let mut oracle = Self { grid, moves, steps: vec![Vec::new(); 2 * corners] };
        for y in 0..=i64::from(grid.height()) {
            for x in 0..=i64::from(grid.width()) {
                for (nx, ny) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))) {
                    oracle.add_step((x, y), (nx, ny));
                }
            }
        }
        oracle
    }

    fn free(&self, (x, y): (i64, i64)) -> bool {
        x >= 0 && y >= 0 && self.grid.is_free(Cell::new(x as u32, y as u32))
    }

    fn factor(&self, (x, y): (i64, i64)) -> f64 {
        self.grid.cost(Cell::new(x as u32, y as u32))
    }

    fn add_step(&mut self, a: (i64, i64), b: (i64, i64)) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let point = |c: (i64, i64)| Point::new(c.0 as f64, c.1 as f64);
        if (dx, dy) == (0, 0) || !self.grid.line_of_sight(point(a), point(b), self.moves) {
            return;
        }
        // The cells that the step runs through or along.
        let (left, top) = (a.0.min(b.0), a.1.min(b.1));
        let beside = match (dx, dy) {
            (0, _) => vec![(left - 1, top), (left, top)],
            (_, 0) => vec![(left, top - 1), (left, top)],
            _ => vec![(left, top)],
        };
        let beside: Vec<_> = beside.into_iter().filter(|cell| self.free(*cell)).collect();
        let factor = beside.iter().map(|cell| self.factor(*cell)).fold(f64::INFINITY, f64::min);
        let length = if dx != 0 && dy != 0 { 2f64.sqrt() } else { 1.0 };
        let (from, to) = (self.node(a, beside[0]), self.node(b, beside[0]));
        self.steps[from].push((to, length * factor));
    }

    /// Whether two blocked cells touch diagonally at a corner and are the only ones there.
    fn is_split(&self, (x, y): (i64, i64)) -> bool {
        let [nw, ne, sw, se] =
            [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)].map(|cell| self.free(cell));
        self.moves.rule() == Rule::AnyAngle && nw == se && ne == sw && nw != ne
    }

    /// The node of a corner on the side of one of its free cells.
    fn node(&self, corner: (i64, i64), cell: (i64, i64)) -> usize {
        let lower = self.is_split(corner) && cell.1 >= corner.1;
        let index = corner.1 as usize * (self.grid.width() as usize + 1) + corner.0 as usize;
        2 * index + usize::from(lower)
    }

    /// The free cells that a point touches; of a double corner only the named one.
    fn touched(&self, point: Point, own: Cell) -> Vec<(i64, i64)> {
        let own = (i64::from(own.x), i64::from(own.y));
        if let Some((x, y)) = point.as_corner()
            && self.is_split((x.into(), y.into()))
        {
            return vec![own];
        }
        let (x, y) = (point.x().floor() as i64, point.y().floor() as i64);
        let mut cells = Vec::new();
        for cy in y - i64::from(point.y().fract() == 0.0)..=y {
            for cx in x - i64::from(point.x().fract() == 0.0)..=x {
                if self.free((cx, cy)) {
                    cells.push((cx, cy));
                }
            }
        }
        cells
    }

    /// What a point is linked to: nodes and costs.
    fn links(&self, point: Point, own: Cell) -> Vec<(usize, f64)> {
        if let Some((x, y)) = point.as_corner() {
            let own = (i64::from(own.x), i64::from(own.y));
            return vec![(self.node((x.into(), y.into()), own), 0.0)];
        }
        let mut links = Vec::new();
        for cell in self.touched(point, own) {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let corner = (cell.0 + dx, cell.1 + dy);
                let distance = point.distance(Point::new(corner.0 as f64, corner.1 as f64));
                links.push((self.node(corner, cell), distance * self.factor(cell)));
            }
        }
        links
    }

    /// The cost from a point in (or at the edge of) one cell to a point in another.
    pub fn cost(&self, start: Point, start_cell: Cell, goal: Point, goal_cell: Cell) -> f64 {
        let both_free = [start_cell, goal_cell].iter().all(|cell| self.grid.is_free(*cell));
        if !both_free {
            return f64::INFINITY;
        }
        let mut costs = vec![f64::INFINITY; self.steps.len()];
        let mut waiting = VecDeque::new();
        let mut waits = vec![false; costs.len()];
        for (node, cost) in self.links(start, start_cell) {
            costs[node] = costs[node].min(cost);
            waiting.push_back(node);
            waits[node] = true;
        }
        while let Some(node) = waiting.pop_front() {
            waits[node] = false;
            for &(next, step) in &self.steps[node] {
                if costs[node] + step < costs[next] - 1e-12 {
                    costs[next] = costs[node] + step;
                    if !std::mem::replace(&mut waits[next], true) {
                        waiting.push_back(next);
                    }
                }
            }
        }
        let last = self.links(goal, goal_cell).into_iter();
        let best = last.map(|(node, cost)| costs[node] + cost).fold(f64::INFINITY, f64::min);
        // Straight across a cell that both touch.
        let ends = self.touched(goal, goal_cell);
        let shared = self.touched(start, start_cell).into_iter().filter(|c| ends.contains(c));
        let direct = shared.map(|cell| start.distance(goal) * self.factor(cell));
        direct.fold(best, f64::min)
    }
}

/// Every rule, the cell rules with both diagonal lengths.
pub fn all_moves() -> Vec<Moves> {
    let mut all = all_cell_moves();
    all.extend([Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE]);
    all
}

/// A point for a query: under the cell rules (or without free points) a cell's centre, else also a
/// corner, a point on an edge or any point.
pub fn random_point(random: &mut Random, grid: &Grid, moves: Moves, free: bool) -> Point {
    let cell = random_free_cell(random, grid);
    if !moves.rule().is_any_angle() || !free {
        return cell.centre();
    }
    let part = |random: &mut Random| random.below(1025) as f64 / 1024.0;
    let (x, y) = (f64::from(cell.x), f64::from(cell.y));
    match random.below(5) {
        0 => cell.centre(),
        1 => Point::new(x + random.below(2) as f64, y + random.below(2) as f64),
        2 => Point::new(x + random.below(2) as f64, y + part(random)),
        3 => Point::new(x + part(random), y + random.below(2) as f64),
        _ => Point::new(x + part(random), y + part(random)),
    }
}

/// Everything about an answer that must not differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub status: Status,
    pub points: Vec<Point>,
    pub cost_bits: u64,
    pub stats: Stats,
}

/// The answer that the scratch memory holds.
pub fn record(status: Status, scratch: &Scratch) -> Record {
    Record {
        status,
        points: scratch.path().points().to_vec(),
        cost_bits: scratch.path().cost().to_bits(),
        stats: *scratch.stats(),
    }
}

/// Asks two planners the same; their answers must be the same to the last bit.
pub fn assert_same_answers(a: &dyn Planner, b: &dyn Planner, grid: &Grid, queries: &[Query]) {
    let mut scratch = Scratch::new();
    for query in queries {
        let mut ask = |planner: &dyn Planner| {
            let status = planner.find(grid, query, &mut scratch).unwrap();
            record(status, &scratch)
        };
        assert_eq!(ask(a), ask(b), "{query:?}");
    }
}

/// Why a file is refused: the message of a database error.
#[track_caller]
pub fn refusal<T>(opened: Result<T, Error>) -> String {
    let error = opened.err().expect("the file was opened");
    assert!(matches!(error, Error::Database { .. }), "{error:?}");
    error.to_string()
}

/// A map that differs in one cell.
pub fn with_one_cell_changed(grid: &Grid) -> Grid {
    let mut other = grid.clone();
    let free = grid.is_free(Cell::new(7, 7));
    other.set((7, 7), if free { Tile::Blocked } else { Tile::Free }).unwrap();
    other
}

/// Fails unless enough was tested. `--nocapture` shows the counts.
pub fn at_least(what: &str, count: u64, least: u64) {
    let test = std::thread::current().name().unwrap_or_default().to_string();
    eprintln!("{test}: {count} {what}");
    assert!(count > least, "{count} {what}, not more than {least}");
}

/// The same for several counts, each by the name of its variable.
#[allow(unused_macros)]
macro_rules! expect_more {
    ($($count:ident > $least:literal),+) => {
        $(crate::support::at_least(stringify!($count), $count, $least);)+
    };
}
#[allow(unused_imports)]
pub(crate) use expect_more;

/// Numbers that agree except for rounding.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * b.max(1.0)
}

/// A corridor that winds through the map, row by row: its free cells, one after the other, are
/// `width * rows + rows - 1` where `rows` is `height.div_ceil(2)`.
pub fn serpentine(width: u32, height: u32) -> Grid {
    Grid::from_fn(width, height, |cell| {
        let turn = if cell.y % 4 == 1 { width - 1 } else { 0 };
        cell.y % 2 == 0 || cell.x == turn
    })
    .unwrap()
}

/// A corridor that winds up and down through strips of 11 rows, one strip after the other: it
/// enters each block of 12 x 12 cells once, where a serpentine enters it six times. `width` is 1
/// more than a multiple of
/// 4. Its ends are the first cell of the first strip and the last cell of the last.
pub fn zigzag(width: u32, strips: u32) -> Grid {
    assert_eq!(width % 4, 1);
    Grid::from_fn(width, 12 * strips - 1, |cell| {
        let (strip, row) = (cell.y / 12, cell.y % 12);
        let x = if strip % 2 == 0 { cell.x } else { width - 1 - cell.x };
        match row {
            11 => x == width - 1,
            _ if x % 2 == 0 => true,
            0 => x % 4 == 3,
            10 => x % 4 == 1,
            _ => false,
        }
    })
    .unwrap()
}

/// A small random map: size, density and terrain drawn from the seed.
pub fn random_grid(random: &mut Random, weighted: bool) -> Grid {
    let side = |random: &mut Random| match random.below(10) {
        0 => 1 + random.below(3),
        1 => 60 + random.below(80),
        _ => 2 + random.below(18),
    };
    let (width, height) = (side(random) as u32, side(random) as u32);
    let (width, height) = if width * height > 2500 { (width, 12) } else { (width, height) };
    let blocked = [0, 10, 20, 30, 40, 50][random.below(6) as usize];
    let mut grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
    if weighted {
        let dearest = [3, 20, 250][random.below(3) as usize];
        for y in 0..height {
            for x in 0..width {
                if grid.is_free(Cell::new(x, y)) && random.chance(1, 2) {
                    let factor = 0.25 + random.below(dearest * 4 - 1) as f64 / 4.0;
                    grid.set_cost((x, y), factor).unwrap();
                }
            }
        }
    }
    grid
}

/// A map with fewer than `blocked` percent of walls; with terrain, of fewer than `kinds` kinds.
pub fn strewn_map(
    random: &mut Random,
    (width, height): (u32, u32),
    blocked: u64,
    kinds: Option<u64>,
) -> Grid {
    let blocked = random.below(blocked);
    let mut grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
    if let Some(kinds) = kinds {
        let kinds = 1 + random.below(kinds);
        for cell in (0..width * height).map(|i| Cell::new(i % width, i / width)) {
            if grid.is_free(cell) && random.chance(2, 3) {
                grid.set_cost(cell, 0.25 + random.below(kinds) as f64 / 4.0).unwrap();
            }
        }
    }
    grid
}

/// An edit of a map.
#[derive(Clone, Debug)]
pub enum Edit {
    Cell(Cell, Tile),
    Rect(Rect, Tile),
    Cost(Cell, f64),
    Height(Cell, f32),
}

impl Edit {
    /// A cell, a rectangle or, with `weighted`, a cost.
    pub fn random(random: &mut Random, grid: &Grid, weighted: bool) -> Self {
        let cell = random_cell(random, grid);
        let tile = if random.chance(1, 2) { Tile::Free } else { Tile::Blocked };
        match random.below(if weighted { 4 } else { 3 }) {
            0 | 1 => Self::Cell(cell, tile),
            2 => {
                let width = 1 + random.below(u64::from((grid.width() - cell.x).min(4))) as u32;
                let height = 1 + random.below(u64::from((grid.height() - cell.y).min(4))) as u32;
                Self::Rect(Rect::new(cell.x, cell.y, width, height), tile)
            }
            _ => Self::Cost(cell, 1.0 + random.below(40) as f64 / 4.0),
        }
    }

    pub fn random_height(random: &mut Random, grid: &Grid) -> Self {
        Self::Height(random_cell(random, grid), random.below(400) as f32 / 100.0)
    }

    pub fn apply(&self, grid: &mut Grid) {
        match *self {
            Self::Cell(cell, tile) => grid.set(cell, tile),
            Self::Rect(rect, tile) => grid.set_rect(rect, tile),
            Self::Cost(cell, factor) => grid.set_cost(cell, factor),
            Self::Height(cell, height) => grid.set_height(cell, height),
        }
        .unwrap();
    }
}

/// Makes a random edit.
pub fn random_edit(random: &mut Random, grid: &mut Grid, weighted: bool) {
    Edit::random(random, grid, weighted).apply(grid);
}

/// Any cell of the map.
pub fn random_cell(random: &mut Random, grid: &Grid) -> Cell {
    Cell::new(
        random.below(u64::from(grid.width())) as u32,
        random.below(u64::from(grid.height())) as u32,
    )
}

/// A free cell if a few tries find one.
pub fn random_free_cell(random: &mut Random, grid: &Grid) -> Cell {
    let mut cell = random_cell(random, grid);
    for _ in 0..20 {
        if grid.is_free(cell) {
            break;
        }
        cell = random_cell(random, grid);
    }
    cell
}

/// A query between two such cells.
pub fn random_query(random: &mut Random, grid: &Grid) -> Query {
    let start = random_free_cell(random, grid);
    Query::new(start, random_free_cell(random, grid))
}

/// All cell rules with both diagonal lengths.
pub fn all_cell_moves() -> Vec<Moves> {
    Rule::CELLS
        .iter()
        .copied()
        .flat_map(|rule| [Moves::new(rule), Moves::new(rule).with_diagonal(Diagonal::OnePointFour)])
        .collect()
}
