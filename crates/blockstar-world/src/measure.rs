//! Lengths and steps between cells.
//!
//! Distances are integers: 408 a straight step, 577 a diagonal one. 577/408 is a convergent of √2,
//! good to one part in 330,000, and a path over every cell of a map of 2,600 x 2,600 still fits.

use blockstar::{Cell, Grid, Point, Rule};

/// A straight step.
pub(crate) const STRAIGHT: u32 = 408;
/// A diagonal one.
pub(crate) const DIAGONAL: u32 = 577;
/// No way.
pub(crate) const NONE: u32 = u32::MAX;

/// The eight steps, straight ones first.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// The steps of a rule.
pub(crate) const fn steps(rule: Rule) -> &'static [(i32, i32)] {
    if matches!(rule, Rule::Four) { STEPS.split_at(4).0 } else { &STEPS }
}

/// The distance on an empty map.
pub(crate) fn apart(rule: Rule, a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    if rule == Rule::Four {
        return (dx + dy) * STRAIGHT;
    }
    let (long, short) = (dx.max(dy), dx.min(dy));
    short * DIAGONAL + (long - short) * STRAIGHT
}

/// The length of a straight line.
pub(crate) fn length(a: Point, b: Point) -> u32 {
    (a.distance(b) * f64::from(STRAIGHT)) as u32
}

/// The cell a step away, if its coordinates are not negative.
#[inline]
pub(crate) fn stepped(cell: Cell, (dx, dy): (i32, i32)) -> Option<Cell> {
    Some(Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?))
}

/// Whether a step from a cell is legal.
#[inline]
pub(crate) fn may_step(grid: &Grid, rule: Rule, from: Cell, step: (i32, i32)) -> bool {
    let free = |dx, dy| stepped(from, (dx, dy)).is_some_and(|cell| grid.is_free(cell));
    if !free(step.0, step.1) {
        return false;
    }
    if step.0 == 0 || step.1 == 0 {
        return true;
    }
    match rule {
        Rule::Four => false,
        Rule::EightCutOne => free(step.0, 0) || free(0, step.1),
        Rule::EightCutAny => true,
        _ => free(step.0, 0) && free(0, step.1),
    }
}

/// Whether the straight or exactly diagonal way between two cells can be walked.
pub(crate) fn may_walk(grid: &Grid, rule: Rule, from: Cell, to: Cell) -> bool {
    let (dx, dy) = (to.x as i32 - from.x as i32, to.y as i32 - from.y as i32);
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return false;
    }
    let step = (dx.signum(), dy.signum());
    let mut at = from;
    while at != to {
        if !may_step(grid, rule, at, step) {
            return false;
        }
        at = Cell::new(at.x.wrapping_add_signed(step.0), at.y.wrapping_add_signed(step.1));
    }
    true
}

/// The cell at which a shortest way on open ground turns, if one of its two simple forms can be
/// walked: first diagonally, or first straight.
pub(crate) fn bend(grid: &Grid, rule: Rule, from: Cell, to: Cell) -> Option<Cell> {
    let (dx, dy) = (to.x as i32 - from.x as i32, to.y as i32 - from.y as i32);
    let short = dx.abs().min(dy.abs());
    let shift = |cell: Cell, x: i32, y: i32| {
        Cell::new(cell.x.wrapping_add_signed(x), cell.y.wrapping_add_signed(y))
    };
    let turns = if rule == Rule::Four {
        [shift(from, dx, 0), shift(from, 0, dy)]
    } else {
        let diagonal = (dx.signum() * short, dy.signum() * short);
        [shift(from, diagonal.0, diagonal.1), shift(to, -diagonal.0, -diagonal.1)]
    };
    let walkable =
        |&turn: &Cell| may_walk(grid, rule, from, turn) && may_walk(grid, rule, turn, to);
    turns.into_iter().find(walkable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::Moves;

    #[test]
    fn steps_are_those_of_the_library() {
        let mut random = blockstar::random::Random::new(3);
        for _ in 0..300 {
            let grid = Grid::from_fn(3, 3, |cell| cell == Cell::new(1, 1) || random.chance(2, 3));
            let grid = grid.unwrap();
            for &rule in Rule::CELLS {
                for step in STEPS {
                    let to = stepped(Cell::new(1, 1), step).unwrap();
                    let path = blockstar::Path::new(&grid, Moves::new(rule), [Cell::new(1, 1), to]);
                    let legal = path.still_valid(&grid);
                    assert_eq!(
                        may_step(&grid, rule, Cell::new(1, 1), step),
                        legal,
                        "{rule} {step:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bend_goes_around_a_corner() {
        let grid = Grid::from_ascii("....\n.#..\n....").unwrap();
        assert_eq!(
            bend(&grid, Rule::Eight, Cell::new(0, 0), Cell::new(3, 1)),
            Some(Cell::new(2, 0))
        );
        assert_eq!(bend(&grid, Rule::Eight, Cell::new(0, 1), Cell::new(2, 1)), None);
        assert_eq!(
            bend(&grid, Rule::Four, Cell::new(0, 0), Cell::new(3, 2)),
            Some(Cell::new(3, 0))
        );
    }
}
