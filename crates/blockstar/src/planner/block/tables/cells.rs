//! Tables for the cell rules: the cheapest ways from cell to cell inside a block.
//!
//! All slots are sources at once, each in its own lane of a vector: alternating forward and
//! backward sweeps over the block lower a cell's lanes to those of its neighbours plus a step,
//! until nothing changes. A sweep looks only at the cells next to those that changed, marked in one
//! word per row. The integers are exact. On slopes tables are directed: there and back differ.
//!
//! (One vector of sources after another is slower: each cell then waits for the one before it.)

use super::{Content, Distance, MAX_SIDE, MakerMemory, Table, TableFor, TableRules};
use crate::Rule;
use crate::engine::vectors::{VectorLoop, with_widest};
use crate::rules::cost::Cost;
use crate::rules::moves::{Direction, step_table};
use crate::rules::slope::{Incline, Way};

/// The neighbours that a forward and a backward sweep visit before a cell: W, NW, N, NE and E, SE,
/// S, SW.
const BEFORE: [usize; 4] = [6, 7, 0, 1];
const AFTER: [usize; 4] = [2, 3, 4, 5];

pub(super) fn make<C: Cost + Distance>(
    subject: TableFor<'_, C>,
    memory: &mut MakerMemory<C>,
    table: &mut Table<C>,
) {
    let TableFor { layout, rules, content } = subject;
    let (slots, lanes, size) = (layout.slots(), layout.lanes(), layout.size());
    let distances = &mut memory.lanes;
    distances.clear();
    distances.resize(size.cells() * lanes, C::FAR);
    let priced = Priced::new(content, rules);
    let steps = priced.steps();
    let mut sweeps = Sweeps { content, rules, steps, distances, lanes, marked: Marks::default() };
    for slot in 0..slots {
        sweeps.begin(slot, layout.at(slot));
    }
    with_widest(sweeps);
    table.begin(slots, lanes, &[], C::FAR, false);
    for to in 0..slots {
        let (x, y) = layout.at(to);
        let column = &distances[size.index(x, y) * lanes..][..slots];
        for (from, &distance) in column.iter().enumerate() {
            table.set(from, to, distance);
        }
    }
}

/// Where a flood is to end: it leaves out what cannot be on a way there of this cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloodEnd<C> {
    pub cell: (u32, u32),
    pub cost: C,
}

/// Distances inside a block from one cell, or to it: one lane, and so no vectors. What changed is
/// passed on at once, by rows downwards and upwards in turn.
///
/// With an end, the cells on all cheapest ways there get their distances, and others may get none:
/// most of a block is then left out.
pub(super) fn flood<C: Cost + Distance>(
    content: &Content,
    rules: &TableRules<C>,
    source: (u32, u32),
    way: Way,
    end: Option<FloodEnd<C>>,
    distances: &mut Vec<C>,
) {
    let size = content.size();
    distances.clear();
    distances.resize(size.cells(), C::FAR);
    if !content.is_free(source.0, source.1) {
        return;
    }
    distances[size.index(source.0, source.1)] = <C as Cost>::ZERO;
    let mut flood = Flood { content, rules, way, end, distances, changed: Rows::default() };
    flood.changed[source.1 as usize] |= 1 << source.0;
    flood.run();
}

/// One bit for each cell of a block.
type Rows = [u16; MAX_SIDE as usize];

struct Flood<'a, C> {
    content: &'a Content,
    rules: &'a TableRules<C>,
    way: Way,
    end: Option<FloodEnd<C>>,
    distances: &'a mut [C],
    /// The cells with distances that their neighbours have not heard of.
    changed: Rows,
}

impl<C: Cost + Distance> Flood<'_, C> {
    fn run(&mut self) {
        let height = self.content.size().height;
        let sum = match (self.content.least_factor(), &self.rules.incline) {
            (Some(least), _) => 2 * least,
            (None, Some(_)) => Incline::ONE,
            (None, None) => 1,
        };
        let [straight, diagonal] =
            [self.rules.straight, self.rules.diagonal].map(|unit| Cost::times(unit, sum));
        let least = [straight, if self.rules.rule() == Rule::Four { straight } else { diagonal }];
        while self.changed != Rows::default() {
            for y in 0..height {
                let mut ahead = u16::MAX;
                while self.changed[y as usize] & ahead != 0 {
                    let x = (self.changed[y as usize] & ahead).trailing_zeros();
                    ahead = (u32::from(u16::MAX) << (x + 1)) as u16;
                    self.pass_on(x, y, least);
                }
            }
            for y in (0..height).rev() {
                let mut ahead = u16::MAX;
                while self.changed[y as usize] & ahead != 0 {
                    let x = 15 - (self.changed[y as usize] & ahead).leading_zeros();
                    ahead = (1 << x) - 1;
                    self.pass_on(x, y, least);
                }
            }
        }
    }

    /// Lowers the distances of the cells around one; no step costs less than the `least` ones.
    #[inline(always)]
    fn pass_on(&mut self, x: u32, y: u32, least: [C; 2]) {
        let (content, size) = (self.content, self.content.size());
        self.changed[y as usize] &= !(1 << x);
        let known = self.distances[size.index(x, y)];
        let mut legal = step_table(self.rules.rule())[around(content, x, y)];
        while legal != 0 {
            let d = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let there =
                (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]));
            let index = size.index(there.0, there.1);
            if known + least[d & 1] >= self.distances[index] {
                continue;
            }
            let step = match &self.rules.incline {
                None => flat_cost(content, self.rules, d, (x, y), there),
                Some(incline) => {
                    let (from, to) = match self.way {
                        Way::Forward => ((x, y), there),
                        Way::Backward => (there, (x, y)),
                    };
                    let Some(step) = slope_cost(content, incline, d, from, to) else { continue };
                    step
                }
            };
            let distance = known + step;
            if distance < self.distances[index] && self.may_end(distance, there, least) {
                self.distances[index] = distance;
                self.changed[there.1 as usize] |= 1 << there.0;
            }
        }
    }

    /// Whether a way to a cell can go on to the end at its cost.
    #[inline(always)]
    fn may_end(&self, distance: C, cell: (u32, u32), [straight, diagonal]: [C; 2]) -> bool {
        self.end.is_none_or(|end| {
            let (dx, dy) = (cell.0.abs_diff(end.cell.0), cell.1.abs_diff(end.cell.1));
            let (long, short) = (dx.max(dy), dx.min(dy));
            let rest = Cost::times(straight, long - short) + Cost::times(diagonal, short);
            distance + rest <= end.cost
        })
    }
}

/// How many lanes are lowered at a time.
const CHUNK: usize = 8;

/// The cells that a forward and a backward sweep must look at, as bits of their rows. There is one
/// more row, outside the block, before the first and after the last.
type Marks = [[u16; MAX_SIDE as usize + 2]; 2];

/// Distances from some sources to all cells of a block, one lane per source, while they are
/// lowered.
struct Sweeps<'a, C> {
    content: &'a Content,
    rules: &'a TableRules<C>,
    /// On slopes: see [`Priced`].
    steps: Option<&'a [C; MAX_STEPS]>,
    distances: &'a mut [C],
    lanes: usize,
    /// The cells next to one that changed.
    marked: Marks,
}

impl<C: Cost + Distance> VectorLoop for Sweeps<'_, C> {
    type Output = ();

    /// Runs with the vector instructions of this machine; everything that uses them must be inlined
    /// into it.
    #[inline(always)]
    fn run<const WIDE: bool>(mut self) {
        self.sweep_all();
    }
}

impl<C: Cost + Distance> Sweeps<'_, C> {
    /// Makes a cell the source of a lane.
    fn begin(&mut self, lane: usize, (x, y): (u32, u32)) {
        if self.content.is_free(x, y) {
            let cell = self.content.size().index(x, y);
            self.distances[cell * self.lanes + lane] = <C as Cost>::ZERO;
            self.mark(x, y);
        }
    }

    /// Sweeps until nothing changes.
    #[inline(always)]
    fn sweep_all(&mut self) {
        let height = self.content.size().height;
        while self.marked != Marks::default() {
            (self.marked[0][height as usize + 1], self.marked[1][0]) = (0, 0);
            for y in 0..height {
                // New marks are set along the way.
                while let Some(x) = self.take::<0>(y, u16::trailing_zeros) {
                    self.lower(x, y, BEFORE);
                }
            }
            for y in (0..height).rev() {
                while let Some(x) = self.take::<1>(y, |marks| 15 - marks.leading_zeros()) {
                    self.lower(x, y, AFTER);
                }
            }
        }
    }

    /// Takes a mark off a row and returns its column.
    #[inline(always)]
    fn take<const WAY: usize>(&mut self, y: u32, first: impl Fn(u16) -> u32) -> Option<u32> {
        let marks = self.marked[WAY][y as usize + 1] & self.content.row(y);
        let x = (marks != 0).then(|| first(marks));
        self.marked[WAY][y as usize + 1] = x.map_or(0, |x| marks & !(1 << x));
        x
    }

    /// Marks the cells around one that changed.
    #[inline(always)]
    fn mark(&mut self, x: u32, y: u32) {
        let (row, three) = (y as usize + 1, (0b111u32 << x >> 1) as u16);
        self.marked[0][row] |= 2 << x;
        self.marked[0][row + 1] |= three;
        self.marked[1][row] |= 1 << x >> 1;
        self.marked[1][row - 1] |= three;
    }

    /// Lowers the lanes of a cell to those of some of its neighbours plus a step.
    #[inline(always)]
    fn lower(&mut self, x: u32, y: u32, neighbours: [usize; 4]) {
        let (content, lanes) = (self.content, self.lanes);
        let size = content.size();
        let legal = step_table(self.rules.rule())[around(content, x, y)];
        let here = size.index(x, y) * lanes;
        // In place of a neighbour that no step leads to, the cell itself.
        let sources = neighbours.map(|d| {
            if legal >> d & 1 == 0 {
                return (here, <C as Cost>::ZERO);
            }
            let (nx, ny) =
                (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]));
            let step = match self.steps {
                Some(steps) => steps[size.index(x, y) * 8 + d],
                None => flat_cost(content, self.rules, d, (x, y), (nx, ny)),
            };
            if step.is_far() {
                return (here, <C as Cost>::ZERO);
            }
            (size.index(nx, ny) * lanes, step)
        });
        let mut changed = false;
        for chunk in (0..lanes).step_by(CHUNK) {
            let old = vector(self.distances, here + chunk);
            let mut best = old;
            for (there, step) in sources {
                let from = vector(self.distances, there + chunk);
                for lane in 0..CHUNK {
                    best[lane] = best[lane].least(from[lane] + step);
                }
            }
            self.distances[here + chunk..][..CHUNK].copy_from_slice(&best);
            for lane in 0..CHUNK {
                changed |= best[lane] < old[lane];
            }
        }
        if changed {
            self.mark(x, y);
        }
    }
}

#[inline(always)]
fn vector<C: Cost>(rows: &[C], first: usize) -> [C; CHUNK] {
    let mut vector = [C::ZERO; CHUNK];
    vector.copy_from_slice(&rows[first..first + CHUNK]);
    vector
}

/// The most steps there can be in a block.
const MAX_STEPS: usize = 8 * (MAX_SIDE * MAX_SIDE) as usize;

/// What the steps of a block on slopes cost. Each takes a square root, so they are priced once, not
/// in every sweep.
enum Priced<C> {
    /// Not on slopes.
    Flat,
    /// For each cell and direction, the cost of the step from there to the cell; far if it is too
    /// steep.
    Sloped([C; MAX_STEPS]),
}

impl<C: Cost + Distance> Priced<C> {
    #[inline]
    fn new(content: &Content, rules: &TableRules<C>) -> Self {
        match &rules.incline {
            Some(incline) if C::ON_HILLS => Self::sloped(content, incline),
            _ => Self::Flat,
        }
    }

    fn sloped(content: &Content, incline: &Incline) -> Self {
        let size = content.size();
        let mut steps = [C::FAR; MAX_STEPS];
        for (x, y) in content.places() {
            for d in 0..8 {
                let beside = (
                    x.wrapping_add_signed(Direction::DX[d]),
                    y.wrapping_add_signed(Direction::DY[d]),
                );
                if !content.is_free(x, y) || !content.is_free(beside.0, beside.1) {
                    continue;
                }
                if let Some(step) = slope_cost(content, incline, d, beside, (x, y)) {
                    steps[size.index(x, y) * 8 + d] = step;
                }
            }
        }
        Self::Sloped(steps)
    }

    fn steps(&self) -> Option<&[C; MAX_STEPS]> {
        match self {
            Self::Flat => None,
            Self::Sloped(steps) => Some(steps),
        }
    }
}

/// The cost of a step between two cells of a block on slopes, if it is possible.
fn slope_cost<C: Cost>(
    content: &Content,
    incline: &Incline,
    d: usize,
    from: (u32, u32),
    to: (u32, u32),
) -> Option<C> {
    let (low, high) = (content.height(from.0, from.1), content.height(to.0, to.1));
    let sum = if content.is_weighted() {
        content.factor(from.0, from.1) + content.factor(to.0, to.1)
    } else {
        Incline::ONE
    };
    incline.step(low, high, sum, !d.is_multiple_of(2)).map(C::from_u64)
}

/// The cost of a step between two cells of a block without slopes.
#[inline]
fn flat_cost<C: Cost + Distance>(
    content: &Content,
    rules: &TableRules<C>,
    d: usize,
    from: (u32, u32),
    to: (u32, u32),
) -> C {
    let unit = if d.is_multiple_of(2) { rules.straight } else { rules.diagonal };
    if content.is_weighted() {
        Cost::times(unit, content.factor(from.0, from.1) + content.factor(to.0, to.1))
    } else {
        unit
    }
}

/// The 3x3 cells around a cell of the block as nine bits, in the order of [`Bits::around`]; cells
/// outside the block are blocked.
///
/// [`Bits::around`]: crate::grid::bits::Bits::around
#[inline]
fn around(content: &Content, x: u32, y: u32) -> usize {
    let three = |y: u32| {
        if y >= content.size().height { 0 } else { (usize::from(content.row(y)) << 1) >> x & 7 }
    };
    three(y.wrapping_sub(1)) | three(y) << 3 | three(y + 1) << 6
}

/// If the way between two cells can be one diagonal and one straight run (under the rule `four`,
/// two straight ones), in either order, visits its cells in reverse, from the one before `to` back
/// to `from`. Most ways are like that and need no flood.
pub(super) fn stride<C: Cost + Distance>(
    content: &Content,
    rules: &TableRules<C>,
    from: (u32, u32),
    to: (u32, u32),
    mut visit: impl FnMut((u32, u32)),
) -> bool {
    if content.is_weighted() || rules.incline.is_some() {
        return false;
    }
    let (dx, dy) = (from.0 as i32 - to.0 as i32, from.1 as i32 - to.1 as i32);
    let (mut long, mut short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
    let mut slant = (dx.signum(), dy.signum());
    let mut straight = if dx.abs() > dy.abs() { (slant.0, 0) } else { (0, slant.1) };
    if rules.rule() == Rule::Four {
        // Two straight runs, the vertical or the horizontal one first.
        (long, short) = (dx.abs() + dy.abs(), dy.abs());
        (slant, straight) = ((0, slant.1), (slant.0, 0));
    }
    let table = step_table(rules.rule());
    let step = |at: (u32, u32), by: (i32, i32)| {
        (at.0.wrapping_add_signed(by.0), at.1.wrapping_add_signed(by.1))
    };
    for slant_first in [true, false] {
        let by = |i: i32| {
            let slants = if slant_first { i < short } else { i >= long - short };
            if slants { slant } else { straight }
        };
        let mut at = to;
        let legal = (0..long).all(|i| {
            let by = by(i);
            let legal = Direction::of(by.0, by.1)
                .is_some_and(|d| table[around(content, at.0, at.1)] >> d.0 & 1 != 0);
            at = step(at, by);
            legal
        });
        if legal {
            at = to;
            for i in 0..long {
                at = step(at, by(i));
                visit(at);
            }
            return true;
        }
    }
    false
}

/// Visits the cells of a cheapest way inside a block in reverse, by descending the flooded
/// distances from `at` to their source.
pub(super) fn descend<C: Cost + Distance>(
    content: &Content,
    rules: &TableRules<C>,
    distances: &[C],
    mut at: (u32, u32),
    mut visit: impl FnMut((u32, u32)),
) {
    let size = content.size();
    let distance = |(x, y): (u32, u32)| distances[size.index(x, y)];
    while distance(at) > <C as Cost>::ZERO {
        let legal = step_table(rules.rule())[around(content, at.0, at.1)];
        let before = (0..8).filter(|d| legal >> d & 1 != 0).find_map(|d| {
            let from = (
                at.0.wrapping_add_signed(Direction::DX[d]),
                at.1.wrapping_add_signed(Direction::DY[d]),
            );
            let step = match &rules.incline {
                Some(incline) => slope_cost(content, incline, d, from, at)?,
                None => flat_cost(content, rules, d, from, at),
            };
            (distance(from) + step == distance(at)).then_some(from)
        });
        let Some(before) = before else { return };
        visit(before);
        at = before;
    }
}
