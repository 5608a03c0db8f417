//! Whether a step was legal, judged from where units were and where they are: nothing of how the
//! step was found is used here.

use blockstar::{Cell, Grid, Rule};
use std::fmt;

/// A unit of `size` x `size` cells, before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its upper left cell before.
    pub from: Cell,
    /// Its upper left cell after.
    pub to: Cell,
    /// Its side.
    pub size: u8,
}

/// What is wrong with a step. Units are named by their place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A unit stands, in part, on a blocked cell or outside the map.
    Wall(usize, Cell),
    /// A unit went farther than one step, or cut a corner that the rule forbids.
    Step(usize, Cell, Cell),
    /// Two units stand on one cell.
    Shared(usize, usize, Cell),
    /// Two units passed through each other.
    Passed(usize, usize),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wall(unit, cell) => write!(f, "unit {unit} stands in a wall at {cell}"),
            Self::Step(unit, from, to) => write!(f, "unit {unit} jumped from {from} to {to}"),
            Self::Shared(a, b, cell) => write!(f, "units {a} and {b} both stand on {cell}"),
            Self::Passed(a, b) => write!(f, "units {a} and {b} passed through each other"),
        }
    }
}

/// Checks the steps of a crowd.
///
/// ```
/// use blockstar::{Cell, Grid, Rule};
/// use blockstar_world::crowd::{Checker, Moved, Wrong};
/// let grid = Grid::new(2, 1)?;
/// let (left, right) = (Cell::new(0, 0), Cell::new(1, 0));
/// let swap =
///     [Moved { from: left, to: right, size: 1 }, Moved { from: right, to: left, size: 1 }];
/// assert_eq!(Checker::new(&grid).check(&grid, Rule::Four, &swap), [Wrong::Passed(0, 1)]);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    width: u32,
    height: u32,
    /// By cell: who was there, and who is there, counted from 1.
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Checker {
    /// For maps of this size.
    pub fn new(grid: &Grid) -> Self {
        let cells = grid.width() as usize * grid.height() as usize;
        let (before, after) = (vec![0; cells], vec![0; cells]);
        Self { width: grid.width(), height: grid.height(), before, after }
    }

    /// Everything that is wrong with a step of these units.
    pub fn check(&mut self, grid: &Grid, rule: Rule, moves: &[Moved]) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        for (unit, &Moved { from, to, size }) in moves.iter().enumerate() {
            for cell in covered(from, size) {
                if let Some(number) = self.number(cell) {
                    self.before[number] = unit as u32 + 1;
                }
            }
            let wall = covered(to, size).find(|&cell| !grid.is_free(cell));
            wrong.extend(wall.map(|cell| Wrong::Wall(unit, cell)));
            if !is_step(from, to, size, rule, grid) {
                wrong.push(Wrong::Step(unit, from, to));
            }
            let mut met = None;
            for cell in covered(to, size) {
                let Some(number) = self.number(cell) else { continue };
                let other = std::mem::replace(&mut self.after[number], unit as u32 + 1);
                if other != 0 && met.is_none() {
                    met = Some(Wrong::Shared(other as usize - 1, unit, cell));
                }
            }
            wrong.extend(met);
        }
        for (unit, moved) in moves.iter().enumerate().filter(|(_, moved)| moved.from != moved.to) {
            let size = u32::from(moved.size);
            let columns = moved.from.x.min(moved.to.x)..moved.from.x.max(moved.to.x) + size;
            let rows = moved.from.y.min(moved.to.y)..moved.from.y.max(moved.to.y) + size;
            let mut met: Vec<usize> = rows
                .flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
                .filter_map(|cell| (self.before[self.number(cell)?] as usize).checked_sub(1))
                .filter(|&other| other < unit && moves[other].from != moves[other].to)
                .filter(|&other| deep(moved, &moves[other]))
                .collect();
            met.sort_unstable();
            met.dedup();
            wrong.extend(met.into_iter().map(|other| Wrong::Passed(other, unit)));
        }
        for &Moved { from, to, size } in moves {
            for cell in covered(from, size).chain(covered(to, size)) {
                if let Some(number) = self.number(cell) {
                    (self.before[number], self.after[number]) = (0, 0);
                }
            }
        }
        wrong
    }

    fn number(&self, cell: Cell) -> Option<usize> {
        (cell.x < self.width && cell.y < self.height)
            .then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}

fn covered(at: Cell, size: u8) -> impl Iterator<Item = Cell> {
    let size = u32::from(size);
    (at.y..at.y.saturating_add(size))
        .flat_map(move |y| (at.x..at.x.saturating_add(size)).map(move |x| Cell::new(x, y)))
}

/// Whether the rule permits the step.
fn is_step(from: Cell, to: Cell, size: u8, rule: Rule, grid: &Grid) -> bool {
    let stands = |x: u32, y: u32| covered(Cell::new(x, y), size).all(|cell| grid.is_free(cell));
    match (from.x.abs_diff(to.x), from.y.abs_diff(to.y)) {
        (0 | 1, 0) | (0, 1) => true,
        (1, 1) => {
            let sides = [stands(to.x, from.y), stands(from.x, to.y)];
            match rule {
                Rule::Four => false,
                Rule::EightCutOne => sides[0] || sides[1],
                Rule::EightCutAny => true,
                _ => sides[0] && sides[1],
            }
        }
        _ => false,
    }
}

/// Whether two units that were apart overlap by more than half a cell in both directions, half way
/// through the step.
fn deep(a: &Moved, b: &Moved) -> bool {
    let overlap = |a_from: u32, a_to: u32, b_from: u32, b_to: u32| {
        // In half cells.
        let (a_at, b_at) = (a_from + a_to, b_from + b_to);
        let end = (a_at + 2 * u32::from(a.size)).min(b_at + 2 * u32::from(b.size));
        end > a_at.max(b_at) + 1
    };
    overlap(a.from.x, a.to.x, b.from.x, b.to.x) && overlap(a.from.y, a.to.y, b.from.y, b.to.y)
}
