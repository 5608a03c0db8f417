//! Jump point search, bit-parallel, with intermediate pruning.
//!
//! D. Harabor & A. Grastien, *Online Graph Pruning for Pathfinding on Grid Maps* (2011) and
//! *Improving Jump Point Search* (2014). On a uniform grid most shortest paths differ only in the
//! order of their steps; JPS keeps those that go diagonally first and so only queues *jump points*,
//! cells where an obstacle forces a turn. Between them it scans: rows are strings of bits, 56 cells
//! are looked at in a few instructions, and columns are rows of the grid's transposed copy.
//!
//! A cell on the way is a jump point if it has a *forced neighbour*, one that cannot be reached as
//! cheaply without it. What forces depends on the corner rule; moving east at cell `c`, with `N` its
//! northern neighbour and so on (south likewise):
//!
//! | rule | forced when | then also look |
//! |---|---|---|
//! | `Eight` | NW blocked, N free | N, NE |
//! | `EightCutOne` | N blocked, NE and E free | NE |
//! | `EightCutAny` | N blocked, NE free | NE |
//!
//! Moving diagonally (north-east), the two cutting rules also force NW if W is blocked and SE if S
//! is blocked; under `Eight` nothing is forced, as both cells beside a diagonal step are free.
//!
//! *Intermediate pruning*: a diagonal scan does not queue the cells from which a straight scan finds
//! a jump point, but at once the jump points found; half as many expansions. Paths therefore go from
//! node to node first diagonally, then straight.
//!
//! Nothing is prepared but the component labels: the grid keeps both bit maps right under edits.

use super::best_first::{self, Orders, Outcome, Priority, Search, Space, Work};
use crate::bits::Bits;
use crate::budget::Meter;
use crate::cost::{Cost, Tariff};
use crate::desk::Desk;
use crate::heuristic::Estimator;
use crate::moves::{Direction, step_table};
use crate::nodes::ROOT;
use crate::scratch::Task;
use crate::{
    Budget, Cell, Error, Grid, Memory, Moves, Planner, Point, Query, Rule, Scratch, Status,
};

/// The three corner rules as constants, so that each gets its own scanning code.
const EIGHT: u8 = 0;
const CUT_ONE: u8 = 1;
const CUT_ANY: u8 = 2;

#[derive(Debug)]
pub(crate) struct Jps {
    desk: Desk,
}

impl Jps {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves) }
    }

    fn search_rule<C: Cost, const RULE: u8>(
        &self,
        grid: &Grid,
        task: &Task,
        mut work: Work<'_, C>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let space = JumpPoints::<C, RULE>::new(grid, tariff, task, heuristic);
        let admissible = heuristic.is_admissible(moves);
        let orders = Orders::new(grid, task, tariff, Priority::AStar, space.goal_row, admissible);
        if work.fresh {
            work.frontier.begin(grid.rows().positions(), tariff.usual_step());
            let start = grid.rows().position(task.start_cell.x, task.start_cell.y);
            work.seed(&space, &orders, start, C::ZERO);
        }
        work.run(&space, &orders)
    }
}

impl Search for Jps {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn meter(&self, budget: Budget) -> Meter {
        Meter::for_scans(budget)
    }

    fn search<C: Cost>(&self, grid: &Grid, task: &Task, work: Work<'_, C>) -> Outcome {
        match self.desk.moves().rule() {
            Rule::EightCutOne => self.search_rule::<C, CUT_ONE>(grid, task, work),
            Rule::EightCutAny => self.search_rule::<C, CUT_ANY>(grid, task, work),
            _ => self.search_rule::<C, EIGHT>(grid, task, work),
        }
    }
}

impl Planner for Jps {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        best_first::resume(self, grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<(), Error> {
        self.desk.update(grid);
        Ok(())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}

/// The space of jump points.
struct JumpPoints<'a, C, const RULE: u8> {
    rows: &'a Bits,
    columns: &'a Bits,
    tariff: Tariff<C>,
    estimator: Estimator<C>,
    /// The goal's position by rows and by columns.
    goal_row: u32,
    goal_column: u32,
}

impl<'a, C: Cost, const RULE: u8> JumpPoints<'a, C, RULE> {
    fn new(grid: &'a Grid, tariff: Tariff<C>, task: &Task, heuristic: crate::Heuristic) -> Self {
        let (rows, columns, goal) = (grid.rows(), grid.columns(), task.goal_cell);
        Self {
            rows,
            columns,
            tariff,
            estimator: Estimator::new(heuristic, &tariff, (goal.x, goal.y)),
            goal_row: rows.position(goal.x, goal.y),
            goal_column: columns.position(goal.y, goal.x),
        }
    }

    /// Scans from a cell in one of the four straight directions.
    #[inline]
    fn straight(&self, row: u32, column: u32, d: usize) -> Option<u32> {
        match d {
            0 => scan::<RULE, false>(self.columns, column, self.goal_column),
            2 => scan::<RULE, true>(self.rows, row, self.goal_row),
            4 => scan::<RULE, true>(self.columns, column, self.goal_column),
            _ => scan::<RULE, false>(self.rows, row, self.goal_row),
        }
    }

    /// Walks diagonally and scans straight from every cell on the way.
    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        &self,
        mut row: u32,
        mut column: u32,
        reach: &mut impl FnMut(u32, C, u8),
    ) {
        let d: u8 = match (EAST, SOUTH) {
            (true, false) => 1,
            (true, true) => 3,
            (false, true) => 5,
            (false, false) => 7,
        };
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let down = dy * self.rows.stride() as i32;
        let right = dx * self.columns.stride() as i32;
        let mut g = C::ZERO;
        loop {
            let beside = self.rows.get(row.wrapping_add_signed(dx));
            let below = self.rows.get(row.wrapping_add_signed(down));
            row = row.wrapping_add_signed(dx + down);
            let legal = match RULE {
                EIGHT => beside & below,
                CUT_ONE => beside | below,
                _ => true,
            };
            if !(legal & self.rows.get(row)) {
                return;
            }
            column = column.wrapping_add_signed(dy + right);
            g = g + self.tariff.diagonal;
            if row == self.goal_row {
                reach(row, g, d);
                return;
            }
            // Forced: the cell behind to a side is blocked, the one beyond it can be stepped on.
            if RULE != EIGHT && !(beside & below) {
                let forced = 1 << ((d + 2) & 7) | 1 << ((d + 6) & 7);
                if SUCCESSORS[RULE as usize][d as usize][self.rows.around(row)] & forced != 0 {
                    reach(row, g, d);
                    return;
                }
            }
            if let Some(steps) = scan::<RULE, EAST>(self.rows, row, self.goal_row) {
                let next = row.wrapping_add_signed(dx * steps as i32);
                reach(next, g + self.tariff.straight.times(steps), if EAST { 2 } else { 6 });
            }
            if let Some(steps) = scan::<RULE, SOUTH>(self.columns, column, self.goal_column) {
                let next = row.wrapping_add_signed(down * steps as i32);
                reach(next, g + self.tariff.straight.times(steps), if SOUTH { 4 } else { 0 });
            }
        }
    }
}

/// Scans from `start` along a row, to the right if `RIGHT`: the distance to the first jump point or
/// the goal, or nothing if a wall comes first.
#[inline]
fn scan<const RULE: u8, const RIGHT: bool>(bits: &Bits, start: u32, goal: u32) -> Option<u32> {
    // A load decides the cells from 1 to this many steps away: of its 57 bits the first is the cell
    // scanned from, and where forcing looks ahead, the last is only looked at.
    let stretch = if RULE == EIGHT { 56 } else { 55 };
    let decided =
        if RIGHT { ((1 << stretch) - 1) << 1 } else { ((1 << stretch) - 1) << (63 - stretch) };
    // The bits of each cell's neighbour one step on, or one step back.
    let ahead = |word: u64| if RIGHT { word >> 1 } else { word << 1 };
    let back = |word: u64| if RIGHT { word << 1 } else { word >> 1 };
    let mut at = start;
    loop {
        let [above, middle, below] = if RIGHT { bits.rows_after(at) } else { bits.rows_before(at) };
        let forced = match RULE {
            EIGHT => (!back(above) & above) | (!back(below) & below),
            CUT_ONE => ((!above & ahead(above)) | (!below & ahead(below))) & ahead(middle),
            _ => (!above & ahead(above)) | (!below & ahead(below)),
        };
        let stop = (forced | !middle) & decided;
        if stop == 0 {
            at = if RIGHT { at + stretch } else { at - stretch };
            continue;
        }
        let (steps, wall) = if RIGHT {
            let steps = stop.trailing_zeros();
            (steps, middle >> steps & 1 == 0)
        } else {
            let steps = stop.leading_zeros();
            (steps, middle << steps >> 63 == 0)
        };
        let distance = if RIGHT { at - start + steps } else { start - at + steps };
        // All cells up to here are free and in one row, so positions tell whether the goal is
        // among them.
        let to_goal = if RIGHT { goal.wrapping_sub(start) } else { start.wrapping_sub(goal) };
        if to_goal.wrapping_sub(1) < distance {
            return Some(to_goal);
        }
        return if wall { None } else { Some(distance) };
    }
}

impl<C: Cost, const RULE: u8> Space<C> for JumpPoints<'_, C, RULE> {
    const LINKS: bool = true;

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        let (x, y) = self.rows.coordinates(node);
        let column = self.columns.position(y, x);
        let mut directions = SUCCESSORS[RULE as usize][tag as usize][self.rows.around(node)];
        while directions != 0 {
            let d = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            match d {
                1 => self.diagonal::<true, false>(node, column, &mut reach),
                3 => self.diagonal::<true, true>(node, column, &mut reach),
                5 => self.diagonal::<false, true>(node, column, &mut reach),
                7 => self.diagonal::<false, false>(node, column, &mut reach),
                _ => {
                    if let Some(steps) = self.straight(node, column, d) {
                        let offset =
                            Direction::DX[d] + Direction::DY[d] * self.rows.stride() as i32;
                        let next = node.wrapping_add_signed(offset * steps as i32);
                        reach(next, self.tariff.straight.times(steps), d as u8);
                    }
                }
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let (x, y) = self.rows.coordinates(node);
        self.estimator.estimate(x, y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.rows.coordinates(node);
        Cell::new(x, y).centre()
    }

    fn bend(&self, from: u32, to: u32) -> Option<Point> {
        let (ax, ay) = self.rows.coordinates(from);
        let (bx, by) = self.rows.coordinates(to);
        let (dx, dy) = (bx as i32 - ax as i32, by as i32 - ay as i32);
        let steps = dx.abs().min(dy.abs());
        (steps > 0 && dx.abs() != dy.abs()).then(|| {
            let x = ax.wrapping_add_signed(dx.signum() * steps);
            let y = ay.wrapping_add_signed(dy.signum() * steps);
            Cell::new(x, y).centre()
        })
    }
}

/// The directions to look in from a cell, by rule, direction of arrival and surroundings.
pub(crate) static SUCCESSORS: [[[u8; 512]; 9]; 3] = {
    let mut table = [[[0; 512]; 9]; 3];
    let mut rule = 0;
    while rule < 3 {
        let mut tag = 0;
        while tag < 9 {
            let mut around = 0;
            while around < 512 {
                table[rule][tag][around] = successors(rule as u8, tag as u8, around);
                around += 1;
            }
            tag += 1;
        }
        rule += 1;
    }
    table
};

const fn successors(rule: u8, tag: u8, around: usize) -> u8 {
    let legal = match rule {
        EIGHT => step_table(Rule::Eight)[around],
        CUT_ONE => step_table(Rule::EightCutOne)[around],
        _ => step_table(Rule::EightCutAny)[around],
    };
    if tag == ROOT {
        return legal;
    }
    // Whether the cell `turn` eighths clockwise from the direction of arrival is free.
    let free = [
        is_free(around, tag),
        is_free(around, tag + 1),
        is_free(around, tag + 2),
        is_free(around, tag + 3),
        is_free(around, tag + 4),
        is_free(around, tag + 5),
        is_free(around, tag + 6),
        is_free(around, tag + 7),
    ];
    let mut turns: u8 = 1;
    if tag.is_multiple_of(2) {
        if rule == EIGHT {
            if !free[5] && free[6] {
                turns |= 1 << 6 | 1 << 7;
            }
            if !free[3] && free[2] {
                turns |= 1 << 2 | 1 << 1;
            }
        } else {
            if !free[6] {
                turns |= 1 << 7;
            }
            if !free[2] {
                turns |= 1 << 1;
            }
        }
    } else {
        turns |= 1 << 7 | 1 << 1;
        if rule != EIGHT {
            if !free[5] {
                turns |= 1 << 6;
            }
            if !free[3] {
                turns |= 1 << 2;
            }
        }
    }
    turns.rotate_left(tag as u32) & legal
}

const fn is_free(around: usize, direction: u8) -> bool {
    let d = (direction & 7) as usize;
    around >> (4 + Direction::DX[d] + 3 * Direction::DY[d]) & 1 != 0
}
