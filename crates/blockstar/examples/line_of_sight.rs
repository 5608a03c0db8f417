//! How much faster it is to test whole rows of bits than to walk from cell to cell.
//!
//! `cargo run --release --example line_of_sight` builds a map of 1024 x 1024 cells with random
//! boxes, gives the same random segments to [`Grid::line_of_sight`] and to a plain walk through
//! every cell that the segment meets, checks that the answers are equal and prints the time for
//! each. The walk is exact too, with additions only; it differs in looking at one cell at a time.

use blockstar::{Cell, Error, Grid, Moves, Point, Rect, Tile};
use std::time::Instant;

const SIDE: u32 = 1024;
const UNITS: i64 = 1024;

fn main() -> Result<(), Error> {
    let mut random = Random(7);
    let boxes = boxes(&mut random)?;
    let empty = Grid::new(SIDE, SIDE)?;
    println!(
        "{:<22} {:>8} {:>7} {:>12} {:>12} {:>6}",
        "segments", "count", "seen", "cells, ns", "rows, ns", "ratio"
    );
    // The extent of the segments along one axis and along the other.
    const ALL: i64 = SIDE as i64;
    let reaches = [(3, 3), (10, 10), (30, 30), (100, 100), (ALL, ALL), (ALL, 30), (ALL, 0)];
    let in_boxes = [400_000, 400_000, 400_000, 200_000, 200_000];
    let in_the_open = [400_000, 400_000, 200_000, 100_000, 20_000, 20_000, 20_000];
    for (name, grid, counts) in [("boxes", &boxes, &in_boxes[..]), ("empty", &empty, &in_the_open)]
    {
        for (&reach, &count) in reaches.iter().zip(counts) {
            let name = match reach {
                (ALL, ALL) => format!("{name}, any"),
                (ALL, across) => format!("{name}, any by {across}"),
                (most, _) => format!("{name}, up to {most}"),
            };
            let segments: Vec<_> = (0..count).map(|_| random.segment(grid, reach)).collect();
            measure(&name, grid, &segments);
        }
    }
    Ok(())
}

/// Prints one row of the table; of five rounds the fastest counts.
fn measure(name: &str, grid: &Grid, segments: &[(Spot, Spot)]) {
    let points: Vec<_> = segments.iter().map(|&(a, b)| (point(a), point(b))).collect();
    let (mut rows, mut cells) = (f64::INFINITY, f64::INFINITY);
    let mut seen = 0;
    for _ in 0..5 {
        let begun = Instant::now();
        let by_rows: Vec<bool> =
            points.iter().map(|&(a, b)| grid.line_of_sight(a, b, Moves::ANY_ANGLE)).collect();
        rows = rows.min(begun.elapsed().as_nanos() as f64 / segments.len() as f64);
        let begun = Instant::now();
        let by_cells: Vec<bool> = segments.iter().map(|&(a, b)| walk(grid, a, b)).collect();
        cells = cells.min(begun.elapsed().as_nanos() as f64 / segments.len() as f64);
        assert_eq!(by_rows, by_cells);
        seen = by_rows.iter().filter(|&&sees| sees).count();
    }
    let share = 100.0 * seen as f64 / segments.len() as f64;
    let ratio = cells / rows;
    let count = segments.len();
    println!("{name:<22} {count:>8} {share:>6.1}% {cells:>12.1} {rows:>12.1} {ratio:>6.1}");
}

/// A point in lattice steps of 1/1024 cell.
type Spot = (i64, i64);

fn point((x, y): Spot) -> Point {
    Point::new(x as f64 / UNITS as f64, y as f64 / UNITS as f64)
}

fn free(grid: &Grid, x: i64, y: i64) -> bool {
    x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32))
}

/// Line of sight under the strict rule, one cell at a time.
fn walk(grid: &Grid, a: Spot, b: Spot) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    if dx == 0 || dy == 0 {
        return straight(grid, a, b);
    }
    // The cell that the segment starts in, the number of grid lines it crosses, and how far the
    // first one is.
    let axis = |from: i64, to: i64| {
        if from < to {
            let cell = from / UNITS;
            (cell, (to - 1) / UNITS - cell, (cell + 1) * UNITS - from)
        } else {
            let cell = (from - 1) / UNITS;
            (cell, cell - to / UNITS, from - cell * UNITS)
        }
    };
    let ((mut x, mut columns, near_x), (mut y, mut rows, near_y)) =
        (axis(a.0, b.0), axis(a.1, b.1));
    // Negative if the next column comes before the next row, 0 if they meet at a vertex.
    let mut lead = near_x * dy.abs() - near_y * dx.abs();
    loop {
        if !free(grid, x, y) {
            return false;
        }
        if columns == 0 && rows == 0 {
            return true;
        }
        if lead == 0 && columns > 0 && rows > 0 {
            if !free(grid, x + dx.signum(), y) && !free(grid, x, y + dy.signum()) {
                return false;
            }
            (x, y) = (x + dx.signum(), y + dy.signum());
            (columns, rows) = (columns - 1, rows - 1);
            lead += UNITS * (dy.abs() - dx.abs());
        } else if lead < 0 {
            x += dx.signum();
            columns -= 1;
            lead += UNITS * dy.abs();
        } else {
            y += dy.signum();
            rows -= 1;
            lead -= UNITS * dx.abs();
        }
    }
}

/// The same for a segment along one of the axes.
fn straight(grid: &Grid, a: Spot, b: Spot) -> bool {
    let upright = a.0 == b.0;
    let turn = |p: Spot| if upright { (p.1, p.0) } else { p };
    let is_free = |x, y| if upright { free(grid, y, x) } else { free(grid, x, y) };
    let ((ax, y), (bx, _)) = (turn(a), turn(b));
    let on_line = y % UNITS == 0;
    let y = y / UNITS;
    if ax == bx {
        let xs = if ax % UNITS == 0 { ax / UNITS - 1 } else { ax / UNITS }..=ax / UNITS;
        return xs.into_iter().any(|x| is_free(x, y) || on_line && is_free(x, y - 1));
    }
    let mut before = (true, true);
    for x in ax.min(bx) / UNITS..=(ax.max(bx) - 1) / UNITS {
        let sides = (is_free(x, y), on_line && is_free(x, y - 1));
        let flips = !before.0 && !sides.1 || !before.1 && !sides.0;
        if !sides.0 && !sides.1 || on_line && flips {
            return false;
        }
        before = sides;
    }
    true
}

/// A map about a fifth of which is blocked by random boxes.
fn boxes(random: &mut Random) -> Result<Grid, Error> {
    let mut grid = Grid::new(SIDE, SIDE)?;
    for _ in 0..2_000 {
        let (width, height) = (random.within(2, 20) as u32, random.within(2, 20) as u32);
        let x = random.within(0, i64::from(SIDE - width)) as u32;
        let y = random.within(0, i64::from(SIDE - height)) as u32;
        grid.set_rect(Rect::new(x, y, width, height), Tile::Blocked)?;
    }
    Ok(grid)
}

/// A small random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// A segment from a free cell to one within these distances along the two axes: half of them
    /// between cell corners, a quarter between centres, a quarter between any points.
    fn segment(&mut self, grid: &Grid, reach: (i64, i64)) -> (Spot, Spot) {
        let side = i64::from(SIDE);
        let cell = loop {
            let cell = (self.within(0, side - 1), self.within(0, side - 1));
            if free(grid, cell.0, cell.1) {
                break cell;
            }
        };
        let kind = self.within(0, 3);
        let mut within_cell = || match kind {
            0 | 1 => 0,
            2 => UNITS / 2,
            _ => self.within(0, UNITS - 1),
        };
        let start = (within_cell(), within_cell());
        let end = (within_cell(), within_cell());
        let reach = if self.within(0, 1) == 0 { reach } else { (reach.1, reach.0) };
        let mut near =
            |at: i64, reach: i64| self.within((at - reach).max(0), (at + reach).min(side - 1));
        let other = (near(cell.0, reach.0), near(cell.1, reach.1));
        let spot =
            |cell: Spot, offset: Spot| (cell.0 * UNITS + offset.0, cell.1 * UNITS + offset.1);
        (spot(cell, start), spot(other, end))
    }
}
