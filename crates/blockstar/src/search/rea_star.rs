//! Rectangle expansion A*: A* whose nodes are whole intervals of cells, each expanded over the free
//! rectangle in front of it.
//!
//! A. Zhang, C. Li & W. Bi, *Rectangle Expansion A\* Pathfinding for Grid Maps*, 2016. A node is a
//! free interval of a row or column with a direction of growth. Expanding it, the interval is moved
//! in that direction as far as it stays free; inside the rectangle so swept the distance between two
//! cells is known without a search, so the cells just outside its far wall and its two side walls
//! get their costs from the interval directly. Each free run of such cells in which a cost fell is a
//! new node. If the goal is in the rectangle, so is the rest of the path.
//!
//! What makes it exact under the rule [`Eight`](crate::Rule::Eight):
//!
//! * A step out of the rectangle may be diagonal where two neighbours outside are free; the corner
//!   cells of the far wall are a part of it where the diagonal step to them is legal.
//! * The wall behind the interval is never looked at. The interval was entered from the line behind
//!   it, whose cells are free along the whole interval, so a path that goes back there would have
//!   been shorter along that line: two steps between the lines cost more than none. For the same
//!   reason a cell's cost has to be expanded only once in each direction it was reached in,
//!   whichever interval it lies in: it is then *closed* until it improves.
//! * Only the part of a run between the first and the last cell that improved is queued, under the
//!   least total among those. When it is popped, cells that were closed since, that were reached
//!   more cheaply in another direction, or that another cell of the interval undercuts no longer
//!   count: the interval is dropped or queued again under the total of the others.
//!
//! Differing from the paper, the search begins with the row of the start, which grows both ways, and
//! ends when the open list holds nothing better than the cost known for the goal, so it is optimal
//! and not only near it. Its paths step from cell to cell like those of A*.

use super::best_first::Outcome;
use super::rectangle::{Line, Runs, growth};
use crate::bits::Bits;
use crate::budget::Meter;
use crate::cost::{Cost, Tariff};
use crate::desk::Desk;
use crate::heuristic::Estimator;
use crate::nodes::NodeTable;
use crate::open::{Entry, Open};
use crate::scratch::{Frontier, Task};
use crate::trace::{Event, Trace};
use crate::{
    Budget, Cell, Error, Grid, Heuristic, Memory, Moves, Path, Planner, Query, Scratch, Stats,
    Status,
};

#[derive(Debug)]
pub(crate) struct ReaStar {
    desk: Desk,
}

/// A free interval of a row (if it grows north or south) or a column.
#[derive(Clone, Copy, Debug)]
struct Interval {
    /// The row or column.
    line: u16,
    /// Its first and last cell there.
    low: u16,
    high: u16,
    /// The cell with the least total, counted from the first.
    best: u16,
    /// The direction of growth, clockwise from north.
    growth: u8,
    /// Whether this is the row of the start, whose cells are expanded in both directions.
    seed: bool,
}

const NORTH: u8 = 0;
const EAST: u8 = 1;
const SOUTH: u8 = 2;
const WEST: u8 = 3;

/// How a cell was stepped on, which is stored with it next to the direction of growth: straight out
/// of the rectangle, diagonally from the neighbour below or above in the order of coordinates, or
/// not at all because it lies in the rectangle.
const STRAIGHT: u8 = 0;
const FROM_LOW: u8 = 1;
const FROM_HIGH: u8 = 2;
const INSIDE: u8 = 3;

/// Queued intervals and the costs along one, for narrow or wide costs.
#[derive(Debug, Default)]
pub(crate) struct Intervals<C> {
    list: Vec<Interval>,
    unused: Vec<u32>,
    line: Line<C>,
}

impl Interval {
    fn width(self) -> u32 {
        u32::from(self.high) - u32::from(self.low) + 1
    }
}

impl<C: Cost> Intervals<C> {
    fn add(&mut self, interval: Interval) -> u32 {
        if let Some(index) = self.unused.pop() {
            self.list[index as usize] = interval;
            return index;
        }
        self.list.push(interval);
        self.list.len() as u32 - 1
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Interval>()
            + self.unused.capacity() * 4
            + self.line.bytes()
    }
}

/// The cells of a run that improved, as far as they are known: distances along the run.
struct Run<C> {
    first: u32,
    last: u32,
    /// The cell with the least total, its total and cost.
    best: u32,
    total: C,
    g: C,
    /// Whether it had been reached before.
    known: bool,
}

impl<C: Cost> Run<C> {
    const EMPTY: Self =
        Self { first: u32::MAX, last: 0, best: 0, total: C::MAX, g: C::MAX, known: false };

    /// Adds a cell that improved.
    #[inline]
    fn add(&mut self, at: u32, total: C, g: C, before: C) {
        if self.first == u32::MAX {
            self.first = at;
        }
        self.last = at;
        if total < self.total {
            (self.best, self.total, self.g, self.known) = (at, total, g, before != C::MAX);
        }
    }
}

/// The plane turned so that an interval lies along u and grows along v.
#[derive(Clone, Copy)]
struct Frame<'a, C> {
    along: &'a Bits,
    across: &'a Bits,
    estimator: &'a Estimator<C>,
    /// Whether growing means growing coordinates.
    forward: bool,
    /// From node to node along u, and in the direction of growth.
    step_u: i32,
    step_v: i32,
    growth: u8,
    goal: (u32, u32),
}

/// One search.
struct Search<'a, C: Cost, const OCTILE: bool> {
    grid: &'a Grid,
    tariff: Tariff<C>,
    extra: C,
    /// As it is, and with rows and columns exchanged.
    estimators: &'a [Estimator<C>; 2],
    goal: Cell,
    goal_node: u32,
    /// Totals beyond this are not wanted.
    max_total: C,
    nodes: &'a mut NodeTable<C>,
    open: &'a mut Open<C>,
    pruned: &'a mut bool,
    intervals: &'a mut Intervals<C>,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
}

impl<'a, C: Cost, const OCTILE: bool> Search<'a, C, OCTILE> {
    #[inline]
    fn frame(&self, growth: u8) -> Frame<'a, C> {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let (stride, goal) = (rows.stride() as i32, self.goal);
        let forward = growth == EAST || growth == SOUTH;
        let sign = if forward { 1 } else { -1 };
        if growth == NORTH || growth == SOUTH {
            Frame {
                along: rows,
                across: columns,
                estimator: &self.estimators[0],
                forward,
                step_u: 1,
                step_v: sign * stride,
                growth,
                goal: (goal.x, goal.y),
            }
        } else {
            Frame {
                along: columns,
                across: rows,
                estimator: &self.estimators[1],
                forward,
                step_u: stride,
                step_v: sign,
                growth,
                goal: (goal.y, goal.x),
            }
        }
    }

    /// The node of an interval's first cell.
    #[inline]
    fn node(&self, interval: Interval) -> u32 {
        let (line, low) = (interval.line.into(), interval.low.into());
        let rows = self.grid.rows();
        if interval.growth == NORTH || interval.growth == SOUTH {
            rows.position(low, line)
        } else {
            rows.position(line, low)
        }
    }

    /// The node of its best cell.
    #[inline]
    fn best_node(&self, interval: Interval) -> u32 {
        let across = interval.growth == EAST || interval.growth == WEST;
        let step = if across { self.grid.rows().stride() } else { 1 };
        self.node(interval) + u32::from(interval.best) * step
    }

    fn centre(&self, node: u32) -> crate::Point {
        let (x, y) = self.grid.rows().coordinates(node);
        Cell::new(x, y).centre()
    }

    /// Queues the row of the start, to grow both ways.
    fn seed(&mut self, start: Cell) {
        let rows = self.grid.rows();
        let node = rows.position(start.x, start.y);
        let run = |forward: bool, longest: u32| {
            Runs::new(rows, node, forward, longest).next().map_or(0, |run| run.1 - 1)
        };
        let low = start.x - run(false, start.x + 1);
        let high = start.x + run(true, self.grid.width() - start.x);
        for x in low..=high {
            let g = self.tariff.straight.times(x.abs_diff(start.x));
            let cell = rows.position(x, start.y);
            self.nodes.set(cell, g, SOUTH << 2 | INSIDE);
            self.nodes.set_parent(cell, node);
        }
        let total = self.estimators[0].estimate(start.x, start.y);
        for growth in [NORTH, SOUTH] {
            let (line, low, high) = (start.y as u16, low as u16, high as u16);
            let interval =
                Interval { line, low, high, best: start.x as u16 - low, growth, seed: true };
            let index = self.intervals.add(interval);
            self.open.push(Entry { total, g: C::ZERO, node: index });
        }
    }

    /// Reads the costs of an interval's cells.
    #[inline]
    fn read(&self, interval: Interval, frame: &Frame<'_, C>, line: &mut Line<C>) {
        let first = self.node(interval);
        line.read(interval.width(), self.tariff.straight, self.extra, |i| {
            self.nodes.g(first.wrapping_add_signed(i as i32 * frame.step_u))
        });
    }

    /// Finds the best cell of those of an interval that are still to be expanded in its direction,
    /// and notes it there. Returns its total and cost.
    fn find_best(&self, interval: &mut Interval, frame: &Frame<'_, C>, line: &Line<C>) -> (C, C) {
        let first = self.node(*interval);
        let mut best = (C::MAX, C::MAX);
        for i in 0..interval.width() {
            let node = first.wrapping_add_signed(i as i32 * frame.step_u);
            // A cell that has its cost from another one is not worth it.
            if line.source(i) == i && self.nodes.is_open(node, frame.growth) {
                let g = line.g[i as usize];
                let u = u32::from(interval.low) + i;
                let (straight, extra, v) = (self.tariff.straight, self.extra, interval.line.into());
                let Frame { estimator, goal, .. } = frame;
                let total = g + estimate::<C, OCTILE>(estimator, straight, extra, *goal, u, v);
                if total < best.0 {
                    best = (total, g);
                    interval.best = i as u16;
                }
            }
        }
        best
    }

    /// Expands an interval whose costs are in `line`.
    fn expand(&mut self, interval: Interval, frame: &Frame<'_, C>, line: &mut Line<C>) {
        let first = self.node(interval);
        let width = interval.width();
        for i in 0..width {
            self.nodes.close_if(first.wrapping_add_signed(i as i32 * frame.step_u), frame.growth);
        }
        let (v, low) = (u32::from(interval.line), u32::from(interval.low));
        let position = frame.along.position(low, v);
        let across = frame.across.position(v, low);
        let depth = growth(frame.along, position, frame.across, across, width, frame.forward);
        let (goal_u, goal_v) = frame.goal;
        let ahead = if frame.forward { goal_v.wrapping_sub(v) } else { v.wrapping_sub(goal_v) };
        if ahead <= depth && goal_u.wrapping_sub(low) < width {
            self.reach_goal(frame, line, first, goal_u - low, ahead);
            return;
        }
        self.side::<false>(interval, frame, line, first, depth);
        self.side::<true>(interval, frame, line, first, depth);
        self.far_wall(interval, frame, line, first, depth);
    }

    /// The goal is in the rectangle, `across` cells from the interval's first and `ahead` of it.
    fn reach_goal(
        &mut self,
        frame: &Frame<'_, C>,
        line: &Line<C>,
        first: u32,
        across: u32,
        ahead: u32,
    ) {
        for (i, &g) in line.g.iter().enumerate() {
            let beside = across.abs_diff(i as u32);
            let g = g
                + self.tariff.straight.times(beside.max(ahead))
                + self.extra.times(beside.min(ahead));
            if g < self.nodes.g(self.goal_node) {
                self.nodes.set(self.goal_node, g, frame.growth << 2 | INSIDE);
                let source = line.source(i as u32) as i32;
                let parent = first.wrapping_add_signed(source * frame.step_u);
                self.nodes.set_parent(self.goal_node, parent);
            }
        }
    }

    /// Passes costs on to the cells beside the rectangle, at the high or the low end of the interval.
    ///
    /// The cell of the rectangle in row r of that side is best reached from one of the last r + 1
    /// cells of the interval: r straight steps, of which as many are diagonal as the cell is away
    /// from the side. Outside, the first cell of a run is stepped on straight, the others are
    /// reached no later by a diagonal step from the row before.
    fn side<const HIGH: bool>(
        &mut self,
        interval: Interval,
        frame: &Frame<'_, C>,
        line: &Line<C>,
        first: u32,
        depth: u32,
    ) {
        let v = u32::from(interval.line);
        let width = line.g.len() as u32;
        let (outside, node, u, growth) = if HIGH {
            let u = u32::from(interval.high) + 1;
            let node = first.wrapping_add_signed(width as i32 * frame.step_u);
            let growth = if frame.step_u == 1 { EAST } else { SOUTH };
            (frame.across.position(v, u), node, u, growth)
        } else {
            let u = u32::from(interval.low);
            let node = first.wrapping_add_signed(-frame.step_u);
            let growth = if frame.step_u == 1 { WEST } else { NORTH };
            // One less than 0 is the padding, where there are no runs.
            (frame.across.position(v, u) - frame.across.stride(), node, u.wrapping_sub(1), growth)
        };
        let Frame { across, forward, step_u, step_v, goal, estimator, .. } = *frame;
        let (straight, diagonal, extra) = (self.tariff.straight, self.tariff.diagonal, self.extra);
        let estimate = |v: u32| estimate::<C, OCTILE>(estimator, straight, extra, goal, u, v);
        let place = |at: u32| if forward { v + at } else { v - at };
        let costs = &line.g[..];
        let edge = |row: u32| if HIGH { width - 1 - row } else { row };
        let parent = |i: u32| first.wrapping_add_signed(line.source(i) as i32 * step_u);
        let [out, slanted] =
            [STRAIGHT, if forward { FROM_LOW } else { FROM_HIGH }].map(|step| growth << 2 | step);
        // The least cost for the present row, less its straight steps, and where it is from.
        let (mut least, mut from, mut row) = (costs[edge(0) as usize], parent(edge(0)), 0);
        for (start, end) in Runs::new(across, outside, forward, depth + 1) {
            let nodes = &mut *self.nodes;
            let mut run = Run::EMPTY;
            // As if the first cell were reached by a straight step from the row before.
            let mut tag = out;
            let mut steps = straight.times(start) + straight;
            let mut inside = start;
            let mut node = node.wrapping_add_signed(start as i32 * step_v);
            for at in start..end {
                while row < inside && row + 1 < width {
                    row += 1;
                    let cost = costs[edge(row) as usize] + extra.times(row);
                    if cost < least {
                        (least, from) = (cost, parent(edge(row)));
                    }
                }
                let g = least + steps;
                if let Some(before) = nodes.lower(node, g, tag) {
                    nodes.set_parent(node, from);
                    run.add(at, g + estimate(place(at)), g, before);
                }
                tag = slanted;
                steps = straight.times(at) + diagonal;
                inside = at;
                node = node.wrapping_add_signed(step_v);
            }
            if run.first != u32::MAX {
                let (a, b) = (place(run.first) as u16, place(run.last) as u16);
                let (low, high) = (a.min(b), a.max(b));
                let best = place(run.best) as u16 - low;
                self.push(&run, Interval { line: u as u16, low, high, best, growth, seed: false });
            }
        }
    }

    /// Passes costs on to the cells beyond the far side of the rectangle and to its far corners.
    fn far_wall(
        &mut self,
        interval: Interval,
        frame: &Frame<'_, C>,
        line: &mut Line<C>,
        first: u32,
        depth: u32,
    ) {
        let (low, width) = (u32::from(interval.low), line.g.len() as u32);
        let stride = frame.along.stride();
        let position = frame.along.position(low, interval.line.into());
        let (last, beyond) = if frame.forward {
            (position + depth * stride, position + (depth + 1) * stride)
        } else {
            (position - depth * stride, position - (depth + 1) * stride)
        };
        let v = if frame.forward {
            u32::from(interval.line) + depth + 1
        } else {
            u32::from(interval.line).wrapping_sub(depth + 1)
        };
        let base = first.wrapping_add_signed((depth as i32 + 1) * frame.step_v - frame.step_u);
        let Frame { along, step_u, goal, estimator, growth, .. } = *frame;
        let (straight, extra) = (self.tariff.straight, self.extra);
        let estimate = |u: u32| estimate::<C, OCTILE>(estimator, straight, extra, goal, u, v);
        let out = straight.times(depth) + straight;
        let mut crossed = false;
        // Distances are from the cell before the interval's first: 0 and width + 1 are corners.
        for (start, end) in Runs::new(along, beyond - 1, true, width + 2) {
            let (inner_start, inner_end) = (start.max(1), end.min(width + 1));
            if inner_start >= inner_end {
                continue;
            }
            if !std::mem::replace(&mut crossed, true) {
                line.cross(depth, extra);
            }
            let nodes = &mut *self.nodes;
            let mut run = Run::EMPTY;
            let mut reach = |at: u32, g: C, from: u32, step: u8| {
                let node = base.wrapping_add_signed(at as i32 * step_u);
                if let Some(before) = nodes.lower(node, g, growth << 2 | step) {
                    let source = line.source(from) as i32;
                    nodes.set_parent(node, first.wrapping_add_signed(source * step_u));
                    run.add(at, g + estimate(low + at - 1), g, before);
                }
            };
            let far = &line.far[inner_start as usize - 1..inner_end as usize - 1];
            // Up to here `out` and `far` make straight steps; a diagonal one costs `extra` more.
            if start == 0 && along.get(last - 1) {
                reach(0, far[0].0 + out + extra, far[0].1, FROM_HIGH);
            }
            if line.is_flat() {
                for (at, &(cost, from)) in (inner_start..).zip(far) {
                    reach(at, cost + out, from, STRAIGHT);
                }
            } else {
                for (i, at) in (inner_start..inner_end).enumerate() {
                    let (mut best, mut step) = (far[i], STRAIGHT);
                    if i > 0 && far[i - 1].0 + extra < best.0 {
                        (best, step) = ((far[i - 1].0 + extra, far[i - 1].1), FROM_LOW);
                    }
                    if let Some(next) = far.get(i + 1)
                        && next.0 + extra < best.0
                    {
                        (best, step) = ((next.0 + extra, next.1), FROM_HIGH);
                    }
                    reach(at, best.0 + out, best.1, step);
                }
            }
            if end == width + 2 && along.get(last + width) {
                let &(cost, from) = &far[far.len() - 1];
                reach(width + 1, cost + out + extra, from, FROM_LOW);
            }
            if run.first != u32::MAX {
                let place = |at: u32| (low + at - 1) as u16;
                let interval = Interval {
                    line: v as u16,
                    low: place(run.first),
                    high: place(run.last),
                    best: (run.best - run.first) as u16,
                    growth,
                    seed: false,
                };
                self.push(&run, interval);
            }
        }
    }

    /// Queues an interval.
    #[inline]
    fn push(&mut self, run: &Run<C>, interval: Interval) {
        let Run { total, g, known, .. } = *run;
        if total > self.max_total {
            *self.pruned = true;
            return;
        }
        if total >= self.nodes.g(self.goal_node) {
            return;
        }
        let index = self.intervals.add(interval);
        self.open.push(Entry { total, g, node: index });
        self.stats.opened += 1;
        self.stats.improved += u64::from(known);
        if self.trace.is_some() {
            let at = self.centre(self.best_node(interval));
            let (g, f) = (self.tariff.length(g), self.tariff.length(total));
            let event =
                if known { Event::Improved { at, g, f } } else { Event::Opened { at, g, f } };
            self.record(event);
        }
    }

    fn record(&mut self, event: Event) {
        if let Some(trace) = self.trace {
            trace.push(event);
        }
    }

    /// Runs until the goal, the end or the budget.
    fn run(&mut self, max_expansions: u64, ceiling: C, meter: &mut Meter) -> Outcome {
        // Taken out for the time of the search, so that both can be borrowed.
        let mut line = std::mem::take(&mut self.intervals.line);
        let outcome = loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                break Outcome::Paused;
            }
            let best_known = self.nodes.g(self.goal_node);
            let Some(Entry { total, g, node: index }) = self.open.pop() else {
                break match best_known {
                    known if known != C::MAX => Outcome::Goal,
                    _ if *self.pruned => Outcome::Limit,
                    _ => Outcome::Exhausted,
                };
            };
            if total >= best_known {
                break Outcome::Goal;
            }
            if total > self.max_total {
                break Outcome::Limit;
            }
            let mut interval = self.intervals.list[index as usize];
            let frame = self.frame(interval.growth);
            let node = self.best_node(interval);
            self.read(interval, &frame, &mut line);
            let stands = line.source(interval.best.into()) == u32::from(interval.best)
                && line.g[usize::from(interval.best)] == g
                && self.nodes.is_open(node, interval.growth);
            if !stands && !interval.seed {
                let (now, g) = self.find_best(&mut interval, &frame, &line);
                if now >= best_known {
                    self.intervals.unused.push(index);
                    continue;
                }
                self.intervals.list[index as usize] = interval;
                if now > total {
                    self.open.push(Entry { total: now, g, node: index });
                    continue;
                }
            }
            if self.stats.expanded >= max_expansions {
                break Outcome::Limit;
            }
            if g > ceiling {
                break Outcome::Overflow;
            }
            meter.pay();
            self.stats.expanded += 1;
            if self.trace.is_some() {
                let (g, f) = (self.tariff.length(g), self.tariff.length(total));
                self.record(Event::Expanded { at: self.centre(self.best_node(interval)), g, f });
            }
            self.intervals.unused.push(index);
            self.expand(interval, &frame, &mut line);
            self.stats.largest_open = self.stats.largest_open.max(self.open.len() as u64);
        };
        self.intervals.line = line;
        outcome
    }

    /// Writes the path from the start to the goal.
    fn write(&self, path: &mut Path) {
        let rows = self.grid.rows();
        let mut node = self.goal_node;
        path.push(self.centre(node));
        while let Some((_, tag)) = self.nodes.get(node) {
            let parent = self.nodes.parent(node);
            if parent == node {
                break;
            }
            let frame = self.frame(tag >> 2);
            let back = match tag & 3 {
                INSIDE => 0,
                STRAIGHT => -frame.step_v,
                FROM_LOW => -frame.step_v - frame.step_u,
                _ => -frame.step_v + frame.step_u,
            };
            let inside = node.wrapping_add_signed(back);
            if inside != node {
                path.push(self.centre(inside));
            }
            // Diagonally first, then straight.
            let ((ax, ay), (bx, by)) = (rows.coordinates(parent), rows.coordinates(inside));
            let steps = ax.abs_diff(bx).min(ay.abs_diff(by));
            if steps > 0 && ax.abs_diff(bx) != ay.abs_diff(by) {
                let toward = |a: u32, b: u32| if b > a { a + steps } else { a - steps };
                path.push(Cell::new(toward(ax, bx), toward(ay, by)).centre());
            }
            if parent != inside {
                path.push(self.centre(parent));
            }
            node = parent;
        }
        path.reverse();
    }
}

/// The estimate for a cell in the coordinates of a frame.
#[inline]
fn estimate<C: Cost, const OCTILE: bool>(
    estimator: &Estimator<C>,
    straight: C,
    extra: C,
    goal: (u32, u32),
    u: u32,
    v: u32,
) -> C {
    if !OCTILE {
        return estimator.estimate(u, v);
    }
    // The estimator would do the same, but not as fast: this is asked for every cell.
    let (du, dv) = (u.abs_diff(goal.0), v.abs_diff(goal.1));
    straight.times(du.max(dv)) + extra.times(du.min(dv))
}

/// The memory of one search.
struct Work<'a, C: Cost> {
    frontier: &'a mut Frontier<C>,
    intervals: &'a mut Intervals<C>,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    path: &'a mut Path,
}

impl ReaStar {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves) }
    }

    fn search<C: Cost>(&self, grid: &Grid, task: &Task, fresh: bool, work: Work<'_, C>) -> Outcome {
        if self.desk.heuristic(&task.query) == Heuristic::Octile {
            self.search_with::<C, true>(grid, task, fresh, work)
        } else {
            self.search_with::<C, false>(grid, task, fresh, work)
        }
    }

    fn search_with<C: Cost, const OCTILE: bool>(
        &self,
        grid: &Grid,
        task: &Task,
        fresh: bool,
        work: Work<'_, C>,
    ) -> Outcome {
        let Work { frontier, intervals, meter, stats, trace, path } = work;
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let (goal, positions) = (task.goal_cell, grid.rows().positions());
        if fresh {
            frontier.begin_with_parents(positions, tariff.usual_step());
            intervals.list.clear();
            intervals.unused.clear();
        }
        let limit = task.query.cost_limit().filter(|_| heuristic.is_admissible(moves));
        let estimators = [(goal.x, goal.y), (goal.y, goal.x)]
            .map(|goal| Estimator::new(heuristic, &tariff, goal));
        let mut search = Search::<C, OCTILE> {
            grid,
            tariff,
            extra: tariff.diagonal - tariff.straight,
            estimators: &estimators,
            goal,
            goal_node: grid.rows().position(goal.x, goal.y),
            max_total: limit.map_or(C::MAX, |limit| tariff.floor(limit)),
            nodes: &mut frontier.nodes,
            open: &mut frontier.open,
            pruned: &mut frontier.pruned,
            intervals,
            stats,
            trace,
        };
        if fresh {
            search.seed(task.start_cell);
        }
        // Along the interval, over the rectangle, and the estimate from there.
        let reserve = tariff.dearest_step() + 2 * tariff.largest_estimate(grid);
        let ceiling = C::from_u64(C::MAX.to_u64().saturating_sub(reserve));
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let outcome = search.run(max_expansions, ceiling, meter);
        if outcome == Outcome::Goal {
            search.write(path);
        }
        outcome
    }
}

impl Planner for ReaStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        if grid.has_costs() {
            return Err(self.desk.unsupported("terrain costs", "use `astar`"));
        }
        if query.chosen_weight().is_some_and(|weight| weight != 1.0) {
            return Err(self.desk.unsupported("a weight", "use `weighted-astar`"));
        }
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::new(budget);
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch { narrow, wide, intervals, wide_intervals, stats, trace, path, .. } =
                &mut *scratch;
            let meter = &mut meter;
            let outcome = if task.wide {
                let (frontier, intervals) = (wide, wide_intervals);
                let work = Work { frontier, intervals, meter, stats, trace, path };
                self.search(grid, &task, fresh, work)
            } else {
                let work = Work { frontier: narrow, intervals, meter, stats, trace, path };
                self.search(grid, &task, fresh, work)
            };
            if outcome != Outcome::Overflow {
                break outcome;
            }
            (task.wide, task.started) = (true, false);
        };
        let success = task.success;
        scratch.task = Some(task);
        let status = match outcome {
            Outcome::Goal => success,
            Outcome::Exhausted => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused | Outcome::Overflow => return Ok(Status::Working),
        };
        Ok(self.desk.close(grid, scratch, status))
    }

    fn update(&mut self, grid: &Grid) -> Result<(), Error> {
        self.desk.update(grid);
        Ok(())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
