//! Rectangle expansion A*: A* whose nodes are whole intervals of cells, each expanded over the free
//! rectangle in front of it.
//!
//! A. Zhang, C. Li & W. Bi, *Rectangle Expansion A\* Pathfinding for Grid Maps*, 2016. A node is a
//! free interval of a row or column with a direction of growth. To expand it, the interval is moved
//! in that direction as far as it stays free. Inside the rectangle swept this way, the distance
//! between two cells is known without a search, so the cells just outside its far wall and its two
//! side walls get their costs directly from the interval. Each free run of such cells in which a
//! cost fell is a new node. If the goal is in the rectangle, so is the rest of the path.
//!
//! What makes it exact under the rule [`Eight`](crate::Rule::Eight):
//!
//! * A step out of the rectangle may be diagonal where two neighbours outside are free; the corner
//!   cells of the far wall belong to it where the diagonal step to them is legal.
//! * The wall behind the interval is never looked at. The interval was entered from the line behind
//!   it, whose cells are free along the whole interval, so a path that goes back there would have
//!   been shorter along that line: two steps between the lines cost more than none. For the same
//!   reason a cell's cost has to be expanded only once in each direction in which it was reached,
//!   whichever interval it lies in: from then on it is *closed* until it improves.
//! * A cost is of no use if a neighbour on the same line, a straight step away, is known to be
//!   cheaper by more than that step: whatever is reached from the cell is reached more cheaply from
//!   the neighbour. Such costs are not stored, even if the cell has never been reached. That saves
//!   a quarter of the cost updates (3740 queries on Dragon Age maps: 31 million instead of 42), and
//!   of the cells reached at more than the least cost, 3.9 million of 10.4 are left.
//! * Only the part of a run between the first and the last cell that improved is queued, under the
//!   least total among them. When it is popped, cells no longer count if they have been closed
//!   since, reached more cheaply in another direction, or undercut by another cell of the interval:
//!   the interval is dropped, or queued again under the total of the others.
//!
//! Unlike in the paper, the search begins with the row of the start, which grows both ways, and
//! paths step from cell to cell like those of A*. The cells outside a wall are still touched one by
//! one, and on jagged maps there are many: 3400 queries on Dragon Age maps lower 26 million costs;
//! A* expands 41 million cells.
//!
//! What did not pay: queueing only cells with a free one in front of them, which saves a fifth of
//! the expansions and none of the time. Of the cells reached, 15 per cent have a total beyond the
//! optimum, so there is not much to gain by expanding intervals in parts.

mod rectangle;
mod walls;

use self::walls::estimate;
use crate::engine::budget::Meter;
use crate::engine::frontier::Frontier;
use crate::engine::memory_pool::SearchMemory;
use crate::engine::nodes::NodeTable;
use crate::engine::open_list::{Entry, Open};
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, by_width};
use crate::grid::bits::Bits;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::{Estimator, octile};
use crate::{Algorithm, Cell, Event, Grid, Heuristic, Path, Point, Promise, Rule, Stats, Trace};
use rectangle::{Line, Runs};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "rea-star",
    summary: "Rectangle expansion A*: intervals that grow over whole free rectangles",
    source: "Zhang, Li & Bi 2016",
    promise: Promise::Optimal,
    rules: &[Rule::Eight],
    make: |_, grid, moves| Ok(Driver::boxed(ReaStar, grid, moves)),
    avoids: true,
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
pub(crate) struct ReaStar;

impl ReaStar {
    fn search_on<C: Cost>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        memory: (&mut Frontier<C>, &mut Intervals<C>),
    ) -> Outcome {
        if problem.heuristic() == Heuristic::Octile {
            self.search_with::<C, true>(problem, slice, memory)
        } else {
            self.search_with::<C, false>(problem, slice, memory)
        }
    }

    fn search_with<C: Cost, const OCTILE: bool>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        (frontier, intervals): (&mut Frontier<C>, &mut Intervals<C>),
    ) -> Outcome {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<C>::new(grid, moves);
        let (goal, heuristic) = (problem.goal_cell(), problem.heuristic());
        let Slice { fresh, meter, stats, trace, path, .. } = slice;
        if *fresh {
            frontier.begin(grid.rows().positions(), step_costs.usual_step());
            intervals.clear();
        }
        let limit =
            problem.query().cost_limit().filter(|_| heuristic.is_admissible_for_steps(moves));
        let estimators = [(goal.x, goal.y), (goal.y, goal.x)]
            .map(|goal| Estimator::new(heuristic, &step_costs, goal));
        let mut search = Search::<C, OCTILE> {
            grid,
            step_costs,
            extra: step_costs.diagonal - step_costs.straight,
            estimators: &estimators,
            goal,
            goal_node: problem.goal_node(),
            max_total: limit.map_or(C::MAX, |limit| step_costs.floor(limit)),
            nodes: &mut frontier.nodes,
            open: &mut frontier.open,
            pruned: &mut frontier.pruned,
            intervals,
            stats,
            trace,
        };
        if *fresh {
            search.seed(problem.start_cell());
        }
        // Along the interval, over the rectangle, and the estimate from there.
        let reserve = step_costs.dearest_step() + 2 * step_costs.largest_estimate(grid);
        let ceiling = C::from_u64(C::MAX.to_u64().saturating_sub(reserve));
        let outcome = search.run(problem.max_expansions(), ceiling, meter);
        if outcome == Outcome::Goal {
            search.write(problem.start_cell(), path);
        }
        outcome
    }
}

impl Method for ReaStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(by_width!(problem, C => self.search_on::<C>(problem, slice, pool.get_two())))
    }
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

/// Stored with a cell, next to the direction of growth, if it lies inside the rectangle rather than
/// one step outside.
const INSIDE: u8 = 1;

/// Queued intervals and the costs along one, for narrow or wide costs.
#[derive(Debug, Default)]
pub(crate) struct Intervals<C> {
    list: Vec<Interval>,
    unused: Vec<u32>,
    /// What was expanded, in that order, with the depth of the rectangle as `best`.
    log: Vec<Interval>,
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

    fn clear(&mut self) {
        self.list.clear();
        self.unused.clear();
        self.log.clear();
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        (self.list.capacity() + self.log.capacity()) * size_of::<Interval>()
            + self.unused.capacity() * 4
            + self.line.bytes()
    }
}

impl<C: Cost> SearchMemory for Intervals<C> {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// The plane, turned so that an interval lies along u and grows along v.
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
    step_costs: StepCosts<C>,
    extra: C,
    /// For the map as it is, and with rows and columns swapped.
    estimators: &'a [Estimator<C>; 2],
    goal: Cell,
    goal_node: u32,
    /// Totals beyond this are ignored.
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

    fn centre(&self, node: u32) -> Point {
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
            let g = self.step_costs.straight.times(x.abs_diff(start.x));
            let cell = rows.position(x, start.y);
            self.nodes.set(cell, g, SOUTH << 2 | INSIDE);
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
        line.read(interval.width(), self.step_costs.straight, self.extra, |i| {
            self.nodes.g(first.wrapping_add_signed(i as i32 * frame.step_u))
        });
    }

    /// Finds the best cell of those of an interval that are still to be expanded in its direction,
    /// and notes it there. Returns its total and cost.
    fn find_best(
        &self,
        interval: &mut Interval,
        frame: &Frame<'_, C>,
        line: &mut Line<C>,
    ) -> (C, C) {
        let first = self.node(*interval);
        let node = |i: u32| first.wrapping_add_signed(i as i32 * frame.step_u);
        let mut best = (C::MAX, C::MAX);
        if !(0..interval.width()).any(|i| self.nodes.is_open(node(i), frame.growth)) {
            return best;
        }
        self.read(*interval, frame, line);
        for (i, &g) in (0..).zip(&line.g) {
            // A cell undercut by another one is not worth expanding.
            if self.nodes.is_open(node(i), frame.growth) && self.nodes.g(node(i)) == g {
                let u = u32::from(interval.low) + i;
                let (straight, extra, v) =
                    (self.step_costs.straight, self.extra, interval.line.into());
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

    fn record(&mut self, event: Event) {
        if let Some(trace) = self.trace {
            trace.push(event);
        }
    }

    /// Runs until the goal is reached, the queue is empty or the budget is spent.
    fn run(&mut self, max_expansions: u64, ceiling: C, meter: &mut Meter) -> Outcome {
        // Taken out during the search, so that both can be borrowed.
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
            let mut stands = interval.seed
                || self.nodes.is_open(node, interval.growth) && self.nodes.g(node) == g;
            if stands {
                self.read(interval, &frame, &mut line);
                stands = line.g[usize::from(interval.best)] == g;
            }
            if !stands {
                let (now, g) = self.find_best(&mut interval, &frame, &mut line);
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
                let (g, f) = (self.step_costs.length(g), self.step_costs.length(total));
                self.record(Event::Expanded {
                    at: self.centre(self.best_node(interval)),
                    from: None,
                    g,
                    f,
                });
            }
            self.intervals.unused.push(index);
            self.expand(interval, &frame, &mut line);
            self.stats.largest_open = self.stats.largest_open.max(self.open.len() as u64);
        };
        self.intervals.line = line;
        outcome
    }

    /// Writes the path from the start to the goal.
    ///
    /// Cells do not remember where they were reached from: writing a second table took 7 per cent
    /// more time (1.11 s against 1.04 s for 1439 queries on Dragon Age maps). The log of rectangles
    /// is used instead: a cell got its cost from an interval that was expanded before any interval
    /// that got its costs from the cell, so one pass backwards is enough.
    fn write(&self, start: Cell, path: &mut Path) {
        let rows = self.grid.rows();
        let mut node = self.goal_node;
        path.push(self.centre(node));
        let mut expanded = self.intervals.log.len();
        while let Some((g, tag)) = self.nodes.get(node).filter(|node| node.0 != C::ZERO) {
            let frame = self.frame(tag >> 2);
            let steps: &[_] = if tag & INSIDE != 0 {
                &[(0, C::ZERO)]
            } else {
                let (back, StepCosts { straight, diagonal, .. }) = (-frame.step_v, self.step_costs);
                &[
                    (back, straight),
                    (back - frame.step_u, diagonal),
                    (back + frame.step_u, diagonal),
                ]
            };
            let Some((parent, inside)) = self.parent(start, node, g, steps, &mut expanded) else {
                debug_assert!(false, "a cost from nowhere");
                break;
            };
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

    /// The cell of an interval from which `node` is reached at cost `g`, and the last cell of its
    /// rectangle on the way, one of `steps` from `node`. The log before `expanded` comes first.
    fn parent(
        &self,
        start: Cell,
        node: u32,
        g: C,
        steps: &[(i32, C)],
        expanded: &mut usize,
    ) -> Option<(u32, u32)> {
        let StepCosts { straight, .. } = self.step_costs;
        let rows = self.grid.rows();
        let (x, y) = rows.coordinates(node);
        if y == start.y && g == straight.times(x.abs_diff(start.x)) && steps.len() == 1 {
            return Some((rows.position(start.x, start.y), node));
        }
        let log = &self.intervals.log;
        // If an estimate was too high, a cell may have improved after it was expanded: it then has
        // its cost from a later rectangle.
        for at in (0..*expanded).rev().chain((*expanded..log.len()).rev()) {
            let interval = log[at];
            let (depth, width) = (u32::from(interval.best), interval.width());
            let (line, low) = (u32::from(interval.line), u32::from(interval.low));
            let across = interval.growth == EAST || interval.growth == WEST;
            let forward = interval.growth == EAST || interval.growth == SOUTH;
            // The distance of a cell from the low end of the interval, and ahead of it.
            let place = |node: u32| {
                let (x, y) = rows.coordinates(node);
                let (u, v) = if across { (y, x) } else { (x, y) };
                let ahead = if forward { v.wrapping_sub(line) } else { line.wrapping_sub(v) };
                (u.wrapping_sub(low), ahead)
            };
            let (u, ahead) = place(node);
            if u.wrapping_add(1) >= width + 2 || ahead > depth + 1 {
                continue;
            }
            let (first, frame) = (self.node(interval), self.frame(interval.growth));
            for &(back, step) in steps {
                let inside = node.wrapping_add_signed(back);
                let (u, ahead) = place(inside);
                if u >= width || ahead > depth || step > g || !self.is_legal(node, inside) {
                    continue;
                }
                let cost = g - step;
                let source = (0..width).find(|&i| {
                    let cell = first.wrapping_add_signed(i as i32 * frame.step_u);
                    let beside = u.abs_diff(i);
                    let way = octile(straight, self.extra, beside, ahead);
                    way <= cost && self.nodes.g(cell) <= cost - way && cell != node
                });
                if let Some(i) = source {
                    *expanded = at;
                    return Some((first.wrapping_add_signed(i as i32 * frame.step_u), inside));
                }
            }
        }
        None
    }

    /// Whether one may step between two neighbouring free cells.
    fn is_legal(&self, a: u32, b: u32) -> bool {
        let rows = self.grid.rows();
        let ((ax, ay), (bx, by)) = (rows.coordinates(a), rows.coordinates(b));
        rows.get(rows.position(ax, by)) && rows.get(rows.position(bx, ay))
    }
}
