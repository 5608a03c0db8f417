//! A goal that can be reached as directly as on an empty map: the path has one bend at the most, and
//! to find it takes less than the first expansion of any search.
//!
//! Two ways are tried, first diagonal and then straight, and the other way round. Which of them is
//! free depends on the map and the two cells alone, so a search in slices asks again in each.

use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::frontier::Frontier;
use crate::engine::{Outcome, Problem, Slice};
use crate::grid::bits::{Bits, ones};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::{Cell, Grid, Point, Rule};

/// The answer to a query whose goal is in sight: that of a search over two nodes, which keeps limits
/// and tells of itself like any other.
pub(crate) fn search<C: Cost>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<C>,
) -> Option<Outcome> {
    let cells = [problem.start_cell(), problem.goal_cell()];
    let bend = way(problem.grid, problem.moves.rule(), cells[0], cells[1])?;
    let step_costs = StepCosts::<C>::new(problem.grid, problem.moves);
    let heuristic = problem.heuristic();
    let estimator = Estimator::new(heuristic, &step_costs, (cells[1].x, cells[1].y));
    let estimate = estimator.estimate(cells[0].x, cells[0].y);
    let (wide, tall) = (cells[0].x.abs_diff(cells[1].x), cells[0].y.abs_diff(cells[1].y));
    let cost =
        step_costs.diagonal.times(wide.min(tall)) + step_costs.straight.times(wide.abs_diff(tall));
    let space = InSight { cells, bend, cost, estimate };
    let orders = Orders::new(problem, step_costs, Priority::AStar, heuristic, InSight::<C>::GOAL);
    if slice.is_fresh() {
        frontier.begin(2, step_costs.usual_step());
        frontier.seed(&space, &orders, InSight::<C>::START, C::ZERO);
    }
    Some(best_first::search(&space, &orders, frontier, slice))
}

/// The space of start and goal.
struct InSight<C> {
    cells: [Cell; 2],
    bend: Option<Point>,
    cost: C,
    estimate: C,
}

impl<C> InSight<C> {
    const START: u32 = 0;
    const GOAL: u32 = 1;
}

impl<C: Cost> Space<C> for InSight<C> {
    fn keeps_links(&self) -> bool {
        true
    }

    fn expand(&self, _: u32, _: u8, mut reach: impl FnMut(u32, C, u8)) {
        reach(Self::GOAL, self.cost, 0);
    }

    fn estimate(&self, node: u32) -> C {
        if node == Self::GOAL { C::ZERO } else { self.estimate }
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        self.cells[node as usize].centre()
    }

    fn bend(&self, _: u32, _: u32) -> Option<Point> {
        self.bend
    }

    fn rays(&self, _: u32, _: u8, see: &mut dyn FnMut(Point, Point)) {
        let [start, goal] = self.cells.map(Cell::centre);
        match self.bend {
            Some(bend) => {
                see(start, bend);
                see(bend, goal);
            }
            None => see(start, goal),
        }
    }
}

/// Where the direct way from a cell to another one bends, if it does; nothing if there is none.
fn way(grid: &Grid, rule: Rule, from: Cell, to: Cell) -> Option<Option<Point>> {
    if is_free(grid, rule, from, to) {
        Some(bend(from, to))
    } else {
        is_free(grid, rule, to, from).then(|| bend(to, from))
    }
}

/// Whether the way from one cell to another, first diagonal and then straight, is free.
fn is_free(grid: &Grid, rule: Rule, from: Cell, to: Cell) -> bool {
    let (rows, columns) = (grid.rows(), grid.columns());
    let (wide, tall) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (dx, dy) = (if from.x <= to.x { 1 } else { -1 }, if from.y <= to.y { 1 } else { -1 });
    let down = dy * rows.stride() as i32;
    // How many of the two cells beside a diagonal step must be free.
    let needed = match rule {
        Rule::EightCutAny => 0,
        Rule::EightCutOne => 1,
        _ => 2,
    };
    let mut at = rows.position(from.x, from.y);
    for _ in 0..wide.min(tall) {
        let beside = [dx, down].map(|step| u32::from(rows.get(at.wrapping_add_signed(step))));
        at = at.wrapping_add_signed(dx + down);
        if beside[0] + beside[1] < needed || !rows.get(at) {
            return false;
        }
    }
    let (x, y) = rows.coordinates(at);
    if wide >= tall {
        all_free(rows, rows.position(x.min(to.x), y), wide - tall + 1)
    } else {
        all_free(columns, columns.position(y.min(to.y), x), tall - wide + 1)
    }
}

/// Whether a number of cells from a position on, at least one, are free.
fn all_free(bits: &Bits, mut position: u32, mut count: u32) -> bool {
    while count > 64 {
        if bits.from(position) != u64::MAX {
            return false;
        }
        (position, count) = (position + 64, count - 64);
    }
    !bits.from(position) & ones(count) == 0
}

/// Where the way between two cells bends that is first diagonal and then straight.
pub(crate) fn bend(from: Cell, to: Cell) -> Option<Point> {
    let (wide, tall) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let steps = wide.min(tall);
    let towards = |from: u32, to: u32| if from < to { from + steps } else { from - steps };
    let bends = steps > 0 && wide != tall;
    bends.then(|| Cell::new(towards(from.x, to.x), towards(from.y, to.y)).centre())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Moves, Path};

    /// Against the proof of the path; and if none is found, no way with one bend is legal.
    #[test]
    fn a_way_is_found_exactly_if_one_of_the_two_is_legal() {
        let mut random = Random::new(6);
        let [mut found, mut none] = [0; 2];
        for round in 0..3000 {
            let grid = Grid::from_fn(90, 12, |_| !random.chance(round % 12, 100)).unwrap();
            let mut cell = || Cell::new(random.below(90) as u32, random.below(12) as u32);
            let (from, to) = (cell(), cell());
            if from == to || !grid.is_free(from) || !grid.is_free(to) {
                continue;
            }
            for moves in [Moves::EIGHT, Moves::EIGHT_CUT_ONE, Moves::EIGHT_CUT_ANY] {
                let legal = |bend: Option<Point>| {
                    let points = [Some(from.centre()), bend, Some(to.centre())];
                    let path = Path::new(&grid, moves, points.into_iter().flatten());
                    path.check(&grid, moves).is_ok()
                };
                match way(&grid, moves.rule(), from, to) {
                    Some(bend) => assert!(legal(bend), "{from} {to} {bend:?}"),
                    None => assert!(!legal(bend(from, to)) && !legal(bend(to, from))),
                }
                let count = if way(&grid, moves.rule(), from, to).is_some() {
                    &mut found
                } else {
                    &mut none
                };
                *count += 1;
            }
        }
        assert!(found > 1000 && none > 1000, "{found} {none}");
    }
}
