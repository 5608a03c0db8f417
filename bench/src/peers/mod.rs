//! The other crates, one file each, and the code that their users would write around them.

mod grid_pathfinding;
mod hierarchical_pathfinding;
mod pathfinding;
mod petgraph;
mod polyanya;

use crate::contender::Entry;
use blockstar::{Cell, Grid, Moves, Point, Rule};

/// Every peer with every setting that is compared.
pub fn all<'a>() -> Vec<Entry<'a>> {
    let mut entries = vec![pathfinding::entry(), petgraph::entry()];
    entries.extend(grid_pathfinding::entries());
    entries.extend(hierarchical_pathfinding::entries());
    entries.push(polyanya::entry());
    entries
}

/// The length of a straight step in integers, the same as blockstar's: peers that take costs from
/// their user get the same ones, so that none gains from coarser numbers.
const STRAIGHT: u32 = 5741;
/// The length of a diagonal step: the next best fraction for √2 would need larger numbers.
const DIAGONAL: u32 = 8119;

const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The map as a game that uses such a crate would hold it: one `bool` per cell.
struct Field {
    width: u32,
    height: u32,
    free: Vec<bool>,
    cuts_corners: bool,
}

impl Field {
    fn new(grid: &Grid, moves: Moves) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        let free = cells.map(|cell| grid.is_free(cell)).collect();
        Self { width, height, free, cuts_corners: moves.rule() == Rule::EightCutAny }
    }

    #[inline]
    fn is_free(&self, x: u32, y: u32) -> bool {
        x < self.width && y < self.height && self.free[self.index(x, y) as usize]
    }

    #[inline]
    fn index(&self, x: u32, y: u32) -> u32 {
        y * self.width + x
    }

    #[inline]
    fn place(&self, index: u32) -> (u32, u32) {
        (index % self.width, index / self.width)
    }

    /// The steps from a cell, with their costs. Nothing is allocated: the closure that a careful
    /// user would write.
    #[inline]
    fn steps(&self, (x, y): (u32, u32)) -> impl Iterator<Item = ((u32, u32), u32)> + '_ {
        STEPS.iter().filter_map(move |&(dx, dy)| {
            // A step off the left or upper border wraps to a huge number, which is not free.
            let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if !self.is_free(to_x, to_y) {
                return None;
            }
            if dx == 0 || dy == 0 {
                return Some(((to_x, to_y), STRAIGHT));
            }
            let legal = self.cuts_corners || (self.is_free(to_x, y) && self.is_free(x, to_y));
            legal.then_some(((to_x, to_y), DIAGONAL))
        })
    }
}

/// The octile distance: the remaining length if nothing is in the way.
#[inline]
fn octile((x, y): (u32, u32), goal: (u32, u32)) -> u32 {
    let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
    STRAIGHT * (dx.max(dy) - dx.min(dy)) + DIAGONAL * dx.min(dy)
}

fn centre((x, y): (u32, u32)) -> Point {
    Cell::new(x, y).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_field_are_those_of_the_rule() {
        let grid = Grid::from_ascii(".#\n..").unwrap();
        let count = |moves| Field::new(&grid, moves).steps((0, 0)).count();
        assert_eq!((count(Moves::EIGHT), count(Moves::EIGHT_CUT_ANY)), (1, 2));
    }

    #[test]
    fn the_estimate_is_the_cost_of_an_open_field() {
        assert_eq!(octile((0, 0), (3, 1)), 2 * STRAIGHT + DIAGONAL);
        assert_eq!(octile((3, 1), (0, 0)), 2 * STRAIGHT + DIAGONAL);
    }
}
