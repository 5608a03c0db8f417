//! Where the goal cannot be reached, [`Query::nearest`] leads to the nearest cell that can.

use crate::support::{
    CornerOracle, Ground, all_costs, all_moves, cell_index, expect_more, grounds, random_cell,
    random_free_cell, random_point,
};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Point, Query, Scratch, Status};

/// The reachable cell whose centre is nearest to the goal, of several the topmost, then leftmost.
pub fn nearest_cell(grid: &Grid, reachable: impl Fn(Cell) -> bool, goal: Point) -> Cell {
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
    let square = |cell: &Cell| {
        // In units of 1/1024: exact.
        let units = |v: f64| (v * 1024.0) as i64;
        let dx = units(cell.centre().x()) - units(goal.x());
        let dy = units(cell.centre().y()) - units(goal.y());
        dx * dx + dy * dy
    };
    cells.filter(|cell| reachable(*cell)).min_by_key(square).unwrap()
}

/// A goal in reach or anywhere, in walls too.
fn random_goal(random: &mut Random, grid: &Grid, moves: Moves) -> Point {
    if random.chance(1, 2) {
        return random_point(random, grid, moves, true);
    }
    let cell = random_cell(random, grid);
    if !moves.rule().is_any_angle() {
        return cell.centre();
    }
    let part = |random: &mut Random| random.below(1025) as f64 / 1024.0;
    Point::new(f64::from(cell.x) + part(random), f64::from(cell.y) + part(random))
}

/// A question, where its path must end, and what it may cost.
struct Target {
    start: Cell,
    goal: Point,
    end: Point,
    best: f64,
    substitute: bool,
}

/// A random question with its oracle's answer, unless no free start was found.
fn target(ground: &mut Ground) -> Option<Target> {
    let (grid, moves) = (&ground.grid, ground.moves);
    let any_angle = moves.rule().is_any_angle();
    let start = random_free_cell(&mut ground.random, grid);
    if !grid.is_free(start) {
        return None;
    }
    let goal = random_goal(&mut ground.random, grid, moves);
    let goal_cell = grid.cell_of(goal).unwrap();
    let stepping = match (any_angle, moves.rule().squeezes()) {
        (false, _) => moves,
        (true, true) => Moves::EIGHT_CUT_ANY,
        (true, false) => Moves::FOUR,
    };
    let costs = all_costs(grid, stepping, start);
    let reachable = |cell: Cell| costs[cell_index(grid, cell)].is_finite();
    let substitute = !reachable(goal_cell);
    let cell = if substitute { nearest_cell(grid, reachable, goal) } else { goal_cell };
    let end = match (substitute, any_angle) {
        (false, _) => goal,
        (true, false) => cell.centre(),
        (true, true) => Point::new(
            goal.x().clamp(f64::from(cell.x), f64::from(cell.x) + 1.0),
            goal.y().clamp(f64::from(cell.y), f64::from(cell.y) + 1.0),
        ),
    };
    let best = match any_angle {
        _ if start.centre() == end => 0.0,
        true => CornerOracle::new(grid, moves).cost(start.centre(), start, end, cell),
        false => costs[cell_index(grid, cell)],
    };
    Some(Target { start, goal, end, best, substitute })
}

#[test]
fn the_nearest_reachable_cell_is_found_when_the_goal_is_not() {
    let mut scratch = Scratch::new();
    let (mut substitutes, mut answers) = (0, 0);
    for mut ground in grounds(43, 125, &all_moves()) {
        let moves = ground.moves;
        if moves.rule().is_any_angle() && ground.grid.width() * ground.grid.height() > 400 {
            continue;
        }
        let targets: Vec<_> = (0..2).filter_map(|_| target(&mut ground)).collect();
        substitutes += targets.iter().filter(|target| target.substitute).count() as u64;
        for mut case in ground.cases() {
            for &Target { start, goal, end, best, substitute } in &targets {
                if goal.as_centre().is_none() && !case.row.free_points {
                    continue;
                }
                let query = Query::new(start, goal).nearest();
                let status = case.find(&query, &mut scratch);
                answers += 1;
                assert_eq!(status, if substitute { Status::Nearest } else { Status::Found });
                case.check_ends(scratch.path(), start.centre(), end);
                case.check_cost(case.row.promise, &scratch, best);
                let cost = scratch.path().cost();
                // The same with limits: the substitute is subject to them as the goal would be.
                // (Any-angle paths may be shorter than those on the lattice.)
                let limit = best.min(cost) * 0.99;
                if limit > 0.0 {
                    let tight = query.clone().max_cost(limit);
                    assert_eq!(case.find(&tight, &mut scratch), Status::LimitReached);
                }
            }
        }
    }
    expect_more!(substitutes > 500, answers > 20_000);
}
