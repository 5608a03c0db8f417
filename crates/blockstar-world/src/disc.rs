//! Units as discs in the plane: where they are to 1/65536 of a cell, and what they touch.
//!
//! A unit of n x n cells is seen from its upper left cell, as everywhere: its point lies in that cell,
//! and the map is the layer of its size. What sticks out of the n x n squares around that point is a
//! disc of radius r - (n - 1) / 2, at most half a cell. If that touches free cells of the layer only,
//! the whole disc touches free cells of the map only. So plans, steps and checks go by one clearance.

use crate::pack::packed;
use crate::route::Spot;
use blockstar::{Cell, Point};

/// A cell, in the units of [`Glide`].
pub(crate) const CELL: i32 = 65536;

/// How far discs may overlap each other or a wall: what rounding does.
pub(crate) const TOLERANCE: i32 = 8;

/// Where a unit in the plane is, and how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glide {
    /// The point of its upper left cell, in 1/65536 cells.
    pub x: i32,
    pub y: i32,
    /// In 1/65536 cells per second.
    pub vx: i32,
    pub vy: i32,
}

packed!(Glide { x, y, vx, vy });

impl Glide {
    /// At rest in the middle of a cell.
    pub fn at(cell: Cell) -> Self {
        let middle = |side: u32| side as i32 * CELL + CELL / 2;
        Self { x: middle(cell.x), y: middle(cell.y), vx: 0, vy: 0 }
    }

    /// The cell that its point lies in.
    pub fn cell(&self) -> Cell {
        let side = |v: i32| v.max(0) as u32 / CELL as u32;
        Cell::new(side(self.x), side(self.y))
    }

    pub fn spot(&self) -> Spot {
        let scale = CELL / Point::UNITS;
        Spot { x: self.x / scale, y: self.y / scale }
    }

    /// Whether a disc around its point touches free cells only.
    pub fn is_clear(&self, radius: i32, free: impl Fn(Cell) -> bool) -> bool {
        let radius = i64::from((radius - TOLERANCE).max(0));
        walls_near(self.x, self.y, radius as i32, free)
            .all(|(dx, dy)| square(dx) + square(dy) >= radius * radius)
    }

    /// Whether the same holds on the straight way to another point, a little more strictly: the way
    /// is cut into the rows of cells that it touches, and each is as wide as its ends.
    pub fn sees(&self, to: (i32, i32), radius: i32, free: impl Fn(Cell) -> bool) -> bool {
        let radius = i64::from((radius - TOLERANCE).max(1));
        let (cell, margin) = (i64::from(CELL), radius);
        let (a, b) = ((i64::from(self.x), i64::from(self.y)), (i64::from(to.0), i64::from(to.1)));
        let (top, bottom) = (a.1.min(b.1) - margin, a.1.max(b.1) + margin);
        let x_at = |y: i64| a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1);
        for row in top.div_euclid(cell)..=(bottom - 1).div_euclid(cell) {
            let (mut left, mut right) = (a.0, b.0);
            if a.1 != b.1 {
                // Where the way enters and leaves what a disc in this row touches.
                let (low, high) = (a.1.min(b.1), a.1.max(b.1));
                let clip = |y: i64| x_at(y.clamp(low, high));
                (left, right) = (clip(row * cell - margin), clip((row + 1) * cell + margin));
            }
            let first = (left.min(right) - margin).div_euclid(cell);
            let last = (left.max(right) + margin - 1).div_euclid(cell);
            for column in first..=last {
                if !is_free(column, row, &free) {
                    return false;
                }
            }
        }
        true
    }
}

/// From a point to the nearest points of blocked cells within a distance, as differences.
pub(crate) fn walls_near(
    x: i32,
    y: i32,
    distance: i32,
    free: impl Fn(Cell) -> bool,
) -> impl Iterator<Item = (i32, i32)> {
    let range = |v: i32| (v - distance).div_euclid(CELL)..=(v + distance).div_euclid(CELL);
    let columns = range(x);
    range(y).flat_map(move |row| columns.clone().map(move |column| (column, row))).filter_map(
        move |(column, row)| {
            if is_free(column.into(), row.into(), &free) {
                return None;
            }
            // To the nearest edge, or none if it is level with the cell.
            let to = |v: i32, cell: i32| v.clamp(cell * CELL, cell * CELL + CELL) - v;
            Some((to(x, column), to(y, row)))
        },
    )
}

fn is_free(x: i64, y: i64, free: &impl Fn(Cell) -> bool) -> bool {
    match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => free(Cell::new(x, y)),
        _ => false,
    }
}

pub(crate) fn square(v: i32) -> i64 {
    i64::from(v) * i64::from(v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::Grid;
    use blockstar::random::Random;

    /// A point anywhere in a free cell whose disc touches no wall.
    fn any_place(random: &mut Random, grid: &Grid, radius: i32) -> Glide {
        loop {
            let side =
                |random: &mut Random, cells: u32| random.below(u64::from(cells) << 16) as i32;
            let (x, y) = (side(random, grid.width()), side(random, grid.height()));
            let place = Glide { x, y, vx: 0, vy: 0 };
            if grid.is_free(place.cell()) && place.is_clear(radius, |cell| grid.is_free(cell)) {
                return place;
            }
        }
    }

    #[test]
    fn what_is_seen_can_be_walked() {
        let mut random = Random::new(4);
        let mut seen = 0;
        for _ in 0..2000 {
            let grid = Grid::from_fn(9, 9, |_| random.chance(5, 6)).unwrap();
            let free = |cell| grid.is_free(cell);
            let radius = random.below(u64::from(CELL as u32 / 2) + 1) as i32;
            let (a, b) =
                (any_place(&mut random, &grid, radius), any_place(&mut random, &grid, radius));
            if !a.sees((b.x, b.y), radius, free) {
                continue;
            }
            seen += 1;
            for part in 0..=64 {
                let on = |a: i32, b: i32| a + ((i64::from(b) - i64::from(a)) * part / 64) as i32;
                let glide = Glide { x: on(a.x, b.x), y: on(a.y, b.y), vx: 0, vy: 0 };
                assert!(glide.is_clear(radius - TOLERANCE, free), "{a:?} {b:?} {part}");
            }
        }
        assert!(seen > 300, "{seen}");
    }

    #[test]
    fn the_middle_of_ones_cell_is_always_seen_and_steps_from_there_too() {
        let mut random = Random::new(6);
        for _ in 0..3000 {
            let grid = Grid::from_fn(5, 5, |_| random.chance(2, 3)).unwrap();
            if (0..25).all(|i| !grid.is_free((i % 5, i / 5))) {
                continue;
            }
            let free = |cell| grid.is_free(cell);
            let radius = CELL / 2;
            let from = any_place_or_centre(&mut random, &grid, radius);
            let centre = Glide::at(from.cell());
            for part in 0..=32 {
                let on = |a: i32, b: i32| a + (b - a) / 32 * part;
                let glide = Glide { x: on(from.x, centre.x), y: on(from.y, centre.y), ..from };
                assert!(glide.is_clear(radius - 64, free), "{from:?}");
            }
            for step in crate::measure::STEPS {
                let rule = blockstar::Rule::Eight;
                if crate::measure::may_step(&grid, rule, from.cell(), step) {
                    let next = crate::measure::stepped(from.cell(), step).unwrap();
                    let next = Glide::at(next);
                    assert!(centre.sees((next.x, next.y), radius, free));
                }
            }
        }
    }

    fn any_place_or_centre(random: &mut Random, grid: &Grid, radius: i32) -> Glide {
        for _ in 0..20 {
            let side = |random: &mut Random| random.below(5 << 16) as i32;
            let place = Glide { x: side(random), y: side(random), vx: 0, vy: 0 };
            if grid.is_free(place.cell()) && place.is_clear(radius, |cell| grid.is_free(cell)) {
                return place;
            }
        }
        let cells = (0..25).map(|i| Cell::new(i % 5, i / 5));
        let free: Vec<Cell> = cells.filter(|&cell| grid.is_free(cell)).collect();
        Glide::at(free[random.below(free.len() as u64) as usize])
    }
}
