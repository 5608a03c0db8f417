//! What the integration tests share: random maps, and an oracle so simple that it is unlikely to be
//! wrong.
#![allow(dead_code, reason = "each test file uses a part")]

use blockstar::random::Random;
use blockstar::{Cell, Diagonal, Grid, Moves, Query, Rect, Rule, Tile};

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
    };
    legal.then_some(mean * length)
}

/// Costs from `start` to every cell by Bellman-Ford: relax everything until nothing changes.
pub fn all_costs(grid: &Grid, moves: Moves, start: Cell) -> Vec<f64> {
    let (w, h) = (i64::from(grid.width()), i64::from(grid.height()));
    let mut costs = vec![f64::INFINITY; (w * h) as usize];
    if !grid.is_free(start) {
        return costs;
    }
    costs[(i64::from(start.y) * w + i64::from(start.x)) as usize] = 0.0;
    loop {
        let mut changed = false;
        for y in 0..h {
            for x in 0..w {
                let here = costs[(y * w + x) as usize];
                if here.is_infinite() {
                    continue;
                }
                for (nx, ny) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))) {
                    if let Some(step) = step_cost(grid, moves, (x, y), (nx, ny)) {
                        let there = &mut costs[(ny * w + nx) as usize];
                        if here + step < *there - 1e-12 {
                            *there = here + step;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return costs;
        }
    }
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

/// A random edit: a cell, a rectangle or a cost.
pub fn random_edit(random: &mut Random, grid: &mut Grid, weighted: bool) {
    let cell = random_cell(random, grid);
    let tile = if random.chance(1, 2) { Tile::Free } else { Tile::Blocked };
    match random.below(if weighted { 4 } else { 3 }) {
        0 | 1 => grid.set(cell, tile).unwrap(),
        2 => {
            let width = 1 + random.below(u64::from((grid.width() - cell.x).min(4))) as u32;
            let height = 1 + random.below(u64::from((grid.height() - cell.y).min(4))) as u32;
            grid.set_rect(Rect::new(cell.x, cell.y, width, height), tile).unwrap();
        }
        _ => grid.set_cost(cell, 1.0 + random.below(40) as f64 / 4.0).unwrap(),
    }
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
        .into_iter()
        .flat_map(|rule| [Moves::new(rule), Moves::new(rule).with_diagonal(Diagonal::OnePointFour)])
        .collect()
}
