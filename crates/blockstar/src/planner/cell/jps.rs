//! Jump point search, bit-parallel, with intermediate pruning.
//!
//! D. Harabor & A. Grastien, *Online Graph Pruning for Pathfinding on Grid Maps* (2011) and
//! *Improving Jump Point Search* (2014). On a uniform grid most shortest paths differ only in the
//! order of their steps; JPS keeps those that go diagonally first and so only queues *jump points*,
//! cells where an obstacle forces a turn. Between them it scans: rows are strings of bits, 56 cells
//! are looked at in a few instructions, and columns are rows of the grid's transposed copy.
//!
//! A cell on the way is a jump point if it has a *forced neighbour*, one that cannot be reached as
//! cheaply without it. What forces depends on the corner rule; moving east at cell `c`, with `N`
//! its northern neighbour and so on (south likewise):
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
//! *Intermediate pruning*: a diagonal scan does not queue the cells from which a straight scan
//! finds a jump point, but at once the jump points found; half as many expansions. Paths therefore
//! go from node to node first diagonally, then straight.
//!
//! A goal [in sight](in_sight) is not searched for.
//!
//! Nothing is prepared but the component labels: the grid keeps both bit maps right under edits.

use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::frontier::Frontier;
use crate::engine::nodes::ROOT;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, by_width};
use crate::grid::bits::Bits;
use crate::planner::cell::in_sight;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, step_table};
use crate::{Algorithm, Cell, Point, Promise, Rule};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "jps",
    summary: "Jump point search: A* that skips over open ground, 56 cells at a time",
    source: "Harabor & Grastien 2011, 2014",
    promise: Promise::Optimal,
    rules: &[Rule::Eight, Rule::EightCutOne, Rule::EightCutAny],
    make: |_, grid, moves| Ok(Driver::boxed(Jps, grid, moves)),
    avoids: true,
    partial: true,
    scans: true,
    ..Algorithm::BASE
};

/// The three corner rules as constants, so that each gets its own scanning code.
pub(crate) const EIGHT: u8 = 0;
pub(crate) const CUT_ONE: u8 = 1;
pub(crate) const CUT_ANY: u8 = 2;

#[derive(Clone, Debug)]
pub(crate) struct Jps;

impl Method for Jps {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(by_width!(problem, C => search::<C>(problem, slice, pool.get())))
    }
}

fn search<C: Cost>(problem: &Problem, slice: &mut Slice, frontier: &mut Frontier<C>) -> Outcome {
    if let Some(outcome) = in_sight::search(problem, slice, frontier) {
        return outcome;
    }
    match problem.moves().rule() {
        Rule::EightCutOne => search_by_rule::<C, CUT_ONE>(problem, slice, frontier),
        Rule::EightCutAny => search_by_rule::<C, CUT_ANY>(problem, slice, frontier),
        _ => search_by_rule::<C, EIGHT>(problem, slice, frontier),
    }
}

fn search_by_rule<C: Cost, const RULE: u8>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<C>,
) -> Outcome {
    let step_costs = StepCosts::<C>::new(problem.grid, problem.moves);
    let space = JumpPoints::<C, RULE>::new(problem, step_costs);
    let heuristic = problem.heuristic();
    let orders =
        Orders::new(problem, step_costs, Priority::AStar, heuristic, space.scanner.goal_row);
    if slice.is_fresh() {
        frontier.begin(problem.grid.rows().positions(), step_costs.usual_step());
        frontier.seed(&space, &orders, problem.start_node(), C::ZERO);
    }
    best_first::search(&space, &orders, frontier, slice)
}

/// The space of jump points.
struct JumpPoints<'a, C, const RULE: u8> {
    scanner: Scanner<'a, RULE>,
    step_costs: StepCosts<C>,
    estimator: Estimator<C>,
}

impl<'a, C: Cost, const RULE: u8> JumpPoints<'a, C, RULE> {
    fn new(problem: &Problem<'a>, step_costs: StepCosts<C>) -> Self {
        let (rows, columns) = (problem.grid.rows(), problem.grid.columns());
        let goal = problem.goal_cell();
        let estimator = Estimator::new(problem.heuristic(), &step_costs, (goal.x, goal.y));
        let scanner = Scanner::new(rows, columns, goal);
        Self { scanner, step_costs, estimator }
    }

    /// What a straight and a diagonal step cost.
    #[inline]
    fn steps(&self) -> (C, C) {
        (self.step_costs.straight, self.step_costs.diagonal)
    }

    /// [`Space::expand`] by the copy of the scanner that all but narrow, unwatched searches share.
    fn expand_shared(&self, node: u32, tag: u8, reach: &mut dyn FnMut(u32, C, u8)) {
        let (straight, diagonal) = self.steps();
        let reach: &mut dyn FnMut(u32, u64, u8) =
            &mut |next, step, tag| reach(next, C::from_u64(step), tag);
        self.scanner.reach(node, tag, (straight.to_u64(), diagonal.to_u64()), reach);
    }
}

/// Where jump points are, under any rule.
pub(crate) trait Scan {
    /// Calls `reach` with each jump point that succeeds a node, the cost of getting there, and the
    /// direction of the last step. `steps` is what a straight and a diagonal step cost.
    fn reach(&self, node: u32, tag: u8, steps: (u64, u64), reach: &mut dyn FnMut(u32, u64, u8));
}

impl<const RULE: u8> Scan for Scanner<'_, RULE> {
    fn reach(&self, node: u32, tag: u8, steps: (u64, u64), reach: &mut dyn FnMut(u32, u64, u8)) {
        self.successors(node, tag, steps, reach);
    }
}

/// Finds jump points.
pub(crate) struct Scanner<'a, const RULE: u8> {
    rows: &'a Bits,
    columns: &'a Bits,
    goal: Cell,
    /// The goal's position by rows and by columns.
    goal_row: u32,
    goal_column: u32,
}

impl<'a, const RULE: u8> Scanner<'a, RULE> {
    /// Scans a map, given by rows and by columns, for the way to a goal.
    pub fn new(rows: &'a Bits, columns: &'a Bits, goal: Cell) -> Self {
        let goal_row = rows.position(goal.x, goal.y);
        let goal_column = columns.position(goal.y, goal.x);
        Self { rows, columns, goal, goal_row, goal_column }
    }

    /// [`Scan::reach`] for costs and closures of any kind.
    #[inline]
    fn successors<C, R>(&self, node: u32, tag: u8, steps: (C, C), reach: &mut R)
    where
        C: Cost,
        R: FnMut(u32, C, u8) + ?Sized,
    {
        let Self { rows, columns, .. } = self;
        let (x, y) = rows.coordinates(node);
        let column = columns.position(y, x);
        let mut directions = SUCCESSORS[RULE as usize][tag as usize][rows.around(node)];
        while directions != 0 {
            let d = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            match d {
                1 => self.diagonal::<true, false, C, R>((x, y), (node, column), steps, reach),
                3 => self.diagonal::<true, true, C, R>((x, y), (node, column), steps, reach),
                5 => self.diagonal::<false, true, C, R>((x, y), (node, column), steps, reach),
                7 => self.diagonal::<false, false, C, R>((x, y), (node, column), steps, reach),
                _ => {
                    if let Some(far) = self.straight(node, column, d) {
                        let offset = Direction::DX[d] + Direction::DY[d] * rows.stride() as i32;
                        let next = node.wrapping_add_signed(offset * far as i32);
                        reach(next, steps.0.times(far), d as u8);
                    }
                }
            }
        }
    }

    /// Scans from a cell in one of the four straight directions.
    #[inline]
    fn straight(&self, row: u32, column: u32, d: usize) -> Option<u32> {
        match d {
            0 => scan::<RULE, false>(self.columns, column, column, self.goal_column),
            2 => scan::<RULE, true>(self.rows, row, row, self.goal_row),
            4 => scan::<RULE, true>(self.columns, column, column, self.goal_column),
            _ => scan::<RULE, false>(self.rows, row, row, self.goal_row),
        }
    }

    /// Walks diagonally from a cell and scans straight from every cell on the way.
    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool, C, R>(
        &self,
        (x, y): (u32, u32),
        (mut row, mut column): (u32, u32),
        (straight, diagonal): (C, C),
        reach: &mut R,
    ) where
        C: Cost,
        R: FnMut(u32, C, u8) + ?Sized,
    {
        let (d, along, across) = match (EAST, SOUTH) {
            (true, false) => (1, 2, 0),
            (true, true) => (3, 2, 4),
            (false, true) => (5, 6, 4),
            (false, false) => (7, 6, 0),
        };
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let down = dy * self.rows.stride() as i32;
        let right = dx * self.columns.stride() as i32;
        // After how many steps the walk comes to the goal's row and column; never if not positive.
        let to_row = ((self.goal.y as i32 - y as i32) * dy) as u32;
        let to_column = ((self.goal.x as i32 - x as i32) * dx) as u32;
        let (mut g, mut steps) = (C::ZERO, 0);
        loop {
            let mut in_row = Sweep::<RULE, EAST, SOUTH>::new(self.rows, row);
            let mut in_column = Sweep::<RULE, SOUTH, EAST>::new(self.columns, column);
            for _ in 0..SWEEP {
                let [beside, below, beyond] = in_row.corner();
                let legal = match RULE {
                    EIGHT => beside & below,
                    CUT_ONE => beside | below,
                    _ => true,
                };
                if !(legal & beyond) {
                    return;
                }
                row = row.wrapping_add_signed(dx + down);
                column = column.wrapping_add_signed(dy + right);
                g = g + diagonal;
                steps += 1;
                // Forced: the cell behind to a side is blocked, the one beyond it can be stepped
                // on.
                if RULE != EIGHT && !(beside & below) {
                    let forced = 1 << ((d + 2) & 7) | 1 << ((d + 6) & 7);
                    let around = self.rows.around(row);
                    if SUCCESSORS[RULE as usize][d as usize][around] & forced != 0 {
                        return reach(row, g, d);
                    }
                }
                // A scan that could meet the goal is not left to the sweep.
                if !in_row.advance() | (steps == to_row) {
                    let found = if steps != to_row {
                        in_row.find(row, self.goal_row)
                    } else if steps == to_column {
                        return reach(row, g, d);
                    } else {
                        scan::<RULE, EAST>(self.rows, row, row, self.goal_row)
                    };
                    if let Some(far) = found {
                        let next = row.wrapping_add_signed(dx * far as i32);
                        reach(next, g + straight.times(far), along);
                    }
                }
                if !in_column.advance() | (steps == to_column) {
                    let found = if steps != to_column {
                        in_column.find(column, self.goal_column)
                    } else {
                        scan::<RULE, SOUTH>(self.columns, column, column, self.goal_column)
                    };
                    if let Some(far) = found {
                        let next = row.wrapping_add_signed(down * far as i32);
                        reach(next, g + straight.times(far), across);
                    }
                }
            }
        }
    }
}

/// How many diagonal steps are taken before the words of a [`Sweep`] are loaded again.
const SWEEP: u32 = 16;

/// Straight scans from the cells along a diagonal: to the right if `RIGHT`, and going on from one
/// line to the next below it if `DOWN`, else above.
///
/// A scan looks at three lines, but neighbouring scans share two of them. So words stay where they
/// were loaded, the cell moves through them, and each step loads one line. Most scans end at a wall
/// within the word; that is found out with a single branch. Together a tenth of the time of a
/// query.
struct Sweep<'a, const RULE: u8, const RIGHT: bool, const DOWN: bool> {
    bits: &'a Bits,
    /// The byte from which the line in front was loaded.
    at: u32,
    /// The bit of the present cell.
    cell: u64,
    /// The lines behind the cell, of the cell, and in front of it.
    behind: u64,
    line: u64,
    front: u64,
    /// What would stop a scan from the cell: jump points and walls.
    stops: u64,
}

impl<'a, const RULE: u8, const RIGHT: bool, const DOWN: bool> Sweep<'a, RULE, RIGHT, DOWN> {
    #[inline]
    fn new(bits: &'a Bits, position: u32) -> Self {
        let (byte, bit) = (position >> 3, position & 7);
        let (at, cell) = if RIGHT { (byte, 1 << bit) } else { (byte - 7, 1 << (56 + bit)) };
        let next = Self::next(bits, at);
        let (line, front) = (bits.load(at), bits.load(next));
        Self { bits, at: next, cell, behind: 0, line, front, stops: 0 }
    }

    #[inline]
    fn next(bits: &Bits, at: u32) -> u32 {
        let line = bits.stride() >> 3;
        if DOWN { at + line } else { at - line }
    }

    #[inline]
    fn ahead(&self) -> u64 {
        if RIGHT { self.cell << 1 } else { self.cell >> 1 }
    }

    /// Whether the cells ahead, in front and diagonally in front are free.
    #[inline]
    fn corner(&self) -> [bool; 3] {
        let ahead = self.ahead();
        [self.line & ahead != 0, self.front & self.cell != 0, self.front & ahead != 0]
    }

    /// Goes one step diagonally; whether a scan from there ends at a wall within the word.
    #[inline]
    fn advance(&mut self) -> bool {
        self.cell = self.ahead();
        self.at = Self::next(self.bits, self.at);
        (self.behind, self.line) = (self.line, self.front);
        self.front = self.bits.load(self.at);
        let to_come = if RIGHT { (self.cell << 1).wrapping_neg() } else { self.cell - 1 };
        let forced = forced::<RULE, RIGHT>([self.behind, self.line, self.front]);
        self.stops = (forced | !self.line) & to_come;
        // The first stop, which is the lowest or the highest bit, is a wall.
        let (walls, others) = (self.stops & !self.line, self.stops & self.line);
        if RIGHT { self.stops & self.stops.wrapping_neg() & walls != 0 } else { walls > others }
    }

    /// What a scan from the cell, which is at `position`, finds if it is not a wall in the word.
    #[inline]
    fn find(&self, position: u32, goal: u32) -> Option<u32> {
        let (cell, stops) = (self.cell, self.stops);
        if stops != 0 {
            return Some(if RIGHT {
                stops.trailing_zeros() - cell.trailing_zeros()
            } else {
                stops.leading_zeros() - cell.leading_zeros()
            });
        }
        // Where forcing looks ahead, the word does not tell about its last cell.
        let unknown = if RULE == EIGHT { 0 } else { 1 };
        let at = if RIGHT {
            position + cell.leading_zeros() - unknown
        } else {
            position - cell.trailing_zeros() + unknown
        };
        scan::<RULE, RIGHT>(self.bits, position, at, goal)
    }
}

/// Of the cells of a row, those that are jump points for a scan to the right, if `RIGHT`, or else
/// to the left. Meaningless for blocked cells, and at the ends of the words.
#[inline]
fn forced<const RULE: u8, const RIGHT: bool>([above, middle, below]: [u64; 3]) -> u64 {
    // The bits of each cell's neighbour one step on, or one step back.
    let ahead = |word: u64| if RIGHT { word >> 1 } else { word << 1 };
    let back = |word: u64| if RIGHT { word << 1 } else { word >> 1 };
    match RULE {
        EIGHT => (!back(above) & above) | (!back(below) & below),
        CUT_ONE => ((!above & ahead(above)) | (!below & ahead(below))) & ahead(middle),
        _ => (!above & ahead(above)) | (!below & ahead(below)),
    }
}

/// Scans from `start` along a row, to the right if `RIGHT`: the distance to the first jump point or
/// the goal, or nothing if a wall comes first. Nothing but the goal is looked for up to `at`.
///
/// Not inlined: eight copies would take their registers from the loop around them.
#[inline(never)]
fn scan<const RULE: u8, const RIGHT: bool>(
    bits: &Bits,
    start: u32,
    mut at: u32,
    goal: u32,
) -> Option<u32> {
    // A load decides the cells from 1 to this many steps away: of its 57 bits the first is the cell
    // scanned from, and where forcing looks ahead, the last is only looked at.
    let stretch = if RULE == EIGHT { 56 } else { 55 };
    let decided =
        if RIGHT { ((1 << stretch) - 1) << 1 } else { ((1 << stretch) - 1) << (63 - stretch) };
    loop {
        let rows = if RIGHT { bits.rows_after(at) } else { bits.rows_before(at) };
        let middle = rows[1];
        let stop = (forced::<RULE, RIGHT>(rows) | !middle) & decided;
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
    #[inline]
    fn keeps_links(&self) -> bool {
        true
    }

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        // In WebAssembly one copy does: queries take as long, and the others would take 2 KB.
        if C::WIDE || cfg!(target_family = "wasm") {
            self.expand_shared(node, tag, &mut reach);
        } else {
            self.scanner.successors(node, tag, self.steps(), &mut reach);
        }
    }

    fn expand_watched(&self, node: u32, tag: u8, reach: &mut dyn FnMut(u32, C, u8)) {
        self.expand_shared(node, tag, reach);
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let (x, y) = self.scanner.rows.coordinates(node);
        self.estimator.estimate(x, y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.scanner.rows.coordinates(node);
        Cell::new(x, y).centre()
    }

    /// One line for each direction that is looked in. What a diagonal one finds to its sides is
    /// recorded as nodes; that it finds nothing from most of its cells is not.
    fn rays(&self, node: u32, tag: u8, see: &mut dyn FnMut(Point, Point)) {
        let rule = [Rule::Eight, Rule::EightCutOne, Rule::EightCutAny][RULE as usize];
        let directions = SUCCESSORS[RULE as usize][tag as usize][self.scanner.rows.around(node)];
        for d in (0..8).filter(|d| directions >> d & 1 != 0) {
            let offset = Direction::DX[d] + Direction::DY[d] * self.scanner.rows.stride() as i32;
            let mut at = node;
            while step_table(rule)[self.scanner.rows.around(at)] >> d & 1 != 0 {
                at = at.wrapping_add_signed(offset);
                // Whatever is not straight ahead, or beside a diagonal, is forced.
                let natural: u8 = if d % 2 == 0 { 1 } else { 0b1000_0011 };
                let seen = SUCCESSORS[RULE as usize][d][self.scanner.rows.around(at)];
                if seen & !natural.rotate_left(d as u32) != 0 || at == self.scanner.goal_row {
                    break;
                }
            }
            see(self.place(node), self.place(at));
        }
    }

    fn bend(&self, from: u32, to: u32) -> Option<Point> {
        let (ax, ay) = self.scanner.rows.coordinates(from);
        let (bx, by) = self.scanner.rows.coordinates(to);
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
