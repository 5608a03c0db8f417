//! Field D*: paths that cross the edges of cells anywhere, from costs interpolated between corners.
//!
//! D. Ferguson & A. Stentz, *Field D\*: An Interpolation-based Path Planner and Replanner*, 2005;
//! *Using Interpolation to Improve Path Planning: The Field D\* Algorithm*, 2006. As a search for
//! one query it is known as Field A*.
//!
//! Corners have costs, and a point on the edge between two corners has the cost in proportion. A
//! corner is then reached from a point of one of the up to eight edges that face it in its four
//! cells, and the best such point has a closed form ([`crossing`]). On weighted terrain the way may
//! also follow an edge for a part, at the price of the cheaper of its two sides.
//!
//! The field of costs is grown from the start, in order of cost plus estimate, until the goal's
//! turn; the path is then walked down the field from the goal ([`field_walk`](super::field_walk)).
//!
//! What differs from the paper:
//!
//! * The search runs from the start. That is the same by symmetry, and the path comes out
//!   backwards.
//! * A corner that improves after it was expanded (the cost of one end of an edge depends on the
//!   other, which the order of totals does not respect) takes the lower cost, but passes it on only
//!   if that is worth it ([`REOPEN`]). This makes up for most of what Field D* loses to Theta*.
//! * An edge may be used before both its ends have been expanded; their costs so far are paths,
//!   too.
//! * Ends may be any points; one that is no corner gets its cost from the edges of its own cells.
//!
//! Interpolated costs are not the costs of paths: usually a little above (the true cost along an
//! edge is hollow), and below where the two ends are reached around different sides of a wall. So
//! there is no bound, and a cost limit leaves out corners only if their total exceeds it by
//! [`SLACK`].

use super::field_walk::Field;
use crate::engine::best_first::Outcome;
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::{Entry, Open};
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::{Event, Trace};
use crate::rules::cost::Real;
use crate::rules::moves::Direction;
use crate::space::corners::{Corners, LINK, NE, NW, SE, SW};
use crate::{
    Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Point, Query, Scratch, Stats, Status,
};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

#[derive(Debug)]
pub(crate) struct FieldDStar {
    desk: Desk,
}

/// By how much more than the cost limit a corner's total may be, as a part of the limit and in
/// cells of the dearest kind: a cost in the field is at most that of a path over corners, which on
/// even ground is at most 8.24 % longer than any other, but for the way to the corners of cells that
/// are crossed.
const SLACK: (f64, f64) = (0.083, 4.0);

/// A corner that was expanded is expanded again if it improves by more than this part of a cell. On
/// 233 queries of the map arena2 (where `ap-theta-star` has a mean length of 176.22): never again,
/// 6,117 expansions and 176.70; from 0.02 on, 7,807 and 176.35; from 0.01 on, 8,900 and 176.34. With
/// every improvement there were a million expansions.
const REOPEN: f64 = 0.02;

/// For each of the four cells around a corner: its bit, the directions to the two corners beside
/// and to the one opposite.
const CELLS: [(u32, usize, usize, usize); 4] =
    [(NE, 0, 2, 1), (SE, 2, 4, 3), (SW, 4, 6, 5), (NW, 6, 0, 7)];

/// The cost of a corner that is reached across a cell of factor `cell` from the best point of an
/// edge that faces it, or along the edge of factor `edge` (at most `cell`) that joins it to the
/// nearer end of the facing one. `beside` and `opposite` are the costs of the two ends.
///
/// With d = beside - opposite, a point at the part y of the edge costs opposite + (1-y)·d +
/// cell·√(1+y²), least at y = d / √(cell² - d²), where it is beside + √(cell² - d²). Where the edge
/// that leads there is cheaper than d, its first part is used instead; where both are cheap, all of
/// it.
#[inline]
fn crossing(beside: f64, opposite: f64, cell: f64, edge: f64) -> f64 {
    let gain = beside - opposite;
    if gain <= 0.0 {
        return beside + edge;
    }
    let gain = gain.min(edge);
    if gain >= cell * FRAC_1_SQRT_2 {
        return opposite + cell * SQRT_2;
    }
    (opposite + gain + (cell * cell - gain * gain).sqrt()).min(beside + edge)
}

/// The factors of the cells and edges around a corner.
struct Prices {
    /// In the order of [`CELLS`].
    cells: [f64; 4],
    /// The edges that end at the corner, by direction / 2.
    near: [f64; 4],
    /// The edges beyond: from the corner in direction 2i to the opposite one of cell i, and of the
    /// cell before.
    far: [[f64; 2]; 4],
}

impl Prices {
    const PLAIN: Self = Self { cells: [1.0; 4], near: [1.0; 4], far: [[1.0; 2]; 4] };

    /// The prices around a corner; those of blocked cells and edges are infinite.
    fn around(grid: &Grid, corner: u32) -> Self {
        let stride = grid.rows().stride() as i32;
        let price = |x: i32, y: i32| {
            let position = corner.wrapping_add_signed(x + y * stride);
            match grid.factors() {
                Some(factors) if grid.rows().get(position) => {
                    f64::from(factors[position as usize]) / f64::from(Grid::FACTOR_ONE)
                }
                _ => f64::INFINITY,
            }
        };
        // The corner is the upper left one of the cell (0, 0).
        let cells = [price(0, -1), price(0, 0), price(-1, 0), price(-1, -1)];
        let [ne, se, sw, nw] = cells;
        // Beyond a free cell there is always a cell, be it padding.
        let far = |cell: f64, x, y| if cell < f64::INFINITY { cell.min(price(x, y)) } else { cell };
        Self {
            cells,
            near: [nw.min(ne), ne.min(se), se.min(sw), sw.min(nw)],
            far: [
                [far(ne, 0, -2), far(nw, -1, -2)],
                [far(se, 1, 0), far(ne, 1, -1)],
                [far(sw, -1, 1), far(se, 0, 1)],
                [far(nw, -2, -1), far(sw, -2, 0)],
            ],
        }
    }
}

/// The field while it grows.
struct Growth<'a> {
    grid: &'a Grid,
    corners: &'a Corners<'a>,
    nodes: &'a mut NodeTable<Real>,
    open: &'a mut Open<Real>,
    pruned: &'a mut bool,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    heuristic: Heuristic,
    start: Point,
    goal: Point,
    /// The price of the cheapest cell.
    least: f64,
    /// Corners with a larger total are not wanted.
    max_total: f64,
}

impl Growth<'_> {
    #[inline]
    fn known(&self, node: u32) -> f64 {
        self.nodes.g(node).0
    }

    fn estimate(&self, at: Point) -> f64 {
        self.least * self.heuristic.length(at, self.goal)
    }

    /// The field as it is now.
    fn field(&self) -> Field<'_> {
        Field { grid: self.grid, corners: self.corners, nodes: self.nodes, start: self.start }
    }

    /// Offers a cost to a node, from across a cell of a price, and returns its cost.
    #[inline]
    fn offer(&mut self, node: u32, at: Point, known: f64, cost: f64, price: f64) -> f64 {
        if cost >= known {
            return known;
        }
        if cost + self.least * at.distance(self.goal) > self.max_total {
            *self.pruned = true;
            return known;
        }
        let again = self.nodes.is_closed(node);
        self.nodes.set(node, Real(cost), 0);
        if again && cost > known - REOPEN * price {
            self.nodes.close(node);
            return cost;
        }
        let total = cost + self.estimate(at);
        self.open.push(Entry { total: Real(total), g: Real(cost), node });
        let first = known == f64::INFINITY;
        self.stats.opened += 1;
        self.stats.improved += u64::from(!first);
        if let Some(trace) = self.trace {
            let (g, f) = (cost, total);
            trace.push(if first {
                Event::Opened { at, g, f }
            } else {
                Event::Improved { at, g, f }
            });
        }
        cost
    }

    /// Expands a start that is no corner: straight to the corners of its cells.
    fn expand_free_start(&mut self, node: u32) {
        let (corners, place) = (self.corners, self.start);
        corners.neighbours(node, |next, _| {
            let price = self.field().inside_start_cell(next);
            let there = corners.place(next);
            self.offer(next, there, self.known(next), price * place.distance(there), price);
        });
    }

    /// Expands a corner: every edge that ends here is looked at from the corners that it faces.
    fn expand<const TERRAIN: bool>(&mut self, node: u32, place: Point, g: f64) {
        // The neighbours, by direction, with their costs.
        let mut around = [(node, f64::INFINITY); 8];
        let mut linked = false;
        self.corners.neighbours(node, |next, d| {
            if d == LINK {
                linked = true;
            } else {
                around[d as usize & 7] = (next, self.nodes.g(next).0);
            }
        });
        let quad = self.corners.own_quad(node);
        let prices = match TERRAIN {
            true => Prices::around(self.grid, self.corners.corner(node)),
            false => Prices::PLAIN,
        };
        for (index, &(bit, one, other, opposite)) in CELLS.iter().enumerate() {
            if quad & bit == 0 {
                continue;
            }
            let cell = prices.cells[index];
            let next_index = (index + 1) & 3;
            for (to, from, edge) in
                [(one, other, prices.near[index]), (other, one, prices.near[next_index])]
            {
                let (next, known) = around[to];
                // No way across the cell or along its edge costs less.
                if known > g + edge.min(cell * FRAC_1_SQRT_2) {
                    let cost = crossing(g, around[from].1, cell, edge);
                    around[to].1 = self.offer(next, step(place, to), known, cost, cell);
                }
            }
            let (next, known) = around[opposite];
            if known > g + cell {
                let by_one = crossing(around[one].1, g, cell, prices.far[index][0]);
                let by_other = crossing(around[other].1, g, cell, prices.far[next_index][1]);
                let cost = by_one.min(by_other);
                around[opposite].1 = self.offer(next, step(place, opposite), known, cost, cell);
            }
        }
        if linked {
            // The goal, across the cells that it shares with this corner.
            let cost = self.field().least_from(self.goal);
            let goal = self.corners.goal();
            self.offer(goal, self.goal, self.known(goal), cost, 0.0);
        }
    }

    /// Runs until the goal, the end or the budget.
    fn run<const TERRAIN: bool>(&mut self, max_expansions: u64, meter: &mut Meter) -> Outcome {
        loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let Some(Entry { total, g, node }) = self.open.pop() else {
                return if *self.pruned { Outcome::Limit } else { Outcome::Exhausted };
            };
            if self.nodes.g(node) != g {
                continue; // an entry from before the node was improved
            }
            if node == self.corners.goal() {
                return Outcome::Goal;
            }
            if self.stats.expanded >= max_expansions {
                return Outcome::Limit;
            }
            meter.pay();
            self.stats.expanded += 1;
            self.nodes.close(node);
            let place = self.corners.place(node);
            if let Some(trace) = self.trace {
                trace.push(Event::Expanded { at: place, g: g.0, f: total.0 });
            }
            if self.corners.is_free_end(node) {
                self.expand_free_start(node);
            } else {
                self.expand::<TERRAIN>(node, place, g.0);
            }
            self.stats.largest_open = self.stats.largest_open.max(self.open.len() as u64);
        }
    }
}

impl FieldDStar {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves) }
    }

    fn search(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        meter: &mut Meter,
    ) -> Outcome {
        let Scratch { real: Frontier { nodes, open, pruned, .. }, stats, trace, path, .. } =
            scratch;
        let corners = &Corners::new(grid, self.desk.moves(), task);
        let least = f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE);
        let largest = f64::from(grid.largest_factor()) / f64::from(Grid::FACTOR_ONE);
        let max_cost = task.query.cost_limit().unwrap_or(f64::INFINITY);
        let mut growth = Growth {
            grid,
            corners,
            nodes,
            open,
            pruned,
            stats,
            trace,
            heuristic: self.desk.heuristic(&task.query),
            start: task.start,
            goal: task.goal,
            least,
            max_total: max_cost * (1.0 + SLACK.0) + SLACK.1 * largest,
        };
        if !task.started {
            let (total, node) = (Real(growth.estimate(task.start)), corners.start());
            growth.nodes.set(node, Real(0.0), ROOT);
            growth.open.push(Entry { total, g: Real(0.0), node });
        }
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let outcome = if grid.has_costs() {
            growth.run::<true>(max_expansions, meter)
        } else {
            growth.run::<false>(max_expansions, meter)
        };
        if outcome == Outcome::Goal {
            growth.field().walk(task.goal, least, path);
            path.reverse();
            path.remove_collinear();
        }
        outcome
    }
}

impl Planner for FieldDStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        if !task.started {
            let count = Corners::count(grid, self.desk.moves());
            let least = f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE);
            scratch.real.begin(count, Real(least / 16.0));
        }
        let outcome = self.search(grid, &task, scratch, &mut Meter::new(budget));
        let success = task.success;
        task.started = true;
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}

/// The corner next to another one.
#[inline]
fn step(from: Point, d: usize) -> Point {
    from.moved(Direction::DX[d] * Point::UNITS, Direction::DY[d] * Point::UNITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form against a search over where the way leaves the near edge and where it meets
    /// the facing one.
    #[test]
    fn the_closed_form_is_the_best_crossing() {
        let mut random = crate::random::Random::new(5);
        for _ in 0..2000 {
            let mut part = || random.below(1001) as f64 / 1000.0;
            let cell = 0.1 + 4.0 * part();
            let edge = cell.min(0.1 + 4.0 * part());
            let opposite = 10.0 * part();
            // Along the facing edge one can walk at no more than the price of the cell.
            let beside = opposite + cell * (2.0 * part() - 1.0);
            let mut best = f64::INFINITY;
            for i in 0..=200 {
                let left = f64::from(i) / 200.0;
                for j in 0..=200 {
                    let met = f64::from(j) / 200.0;
                    let length = ((1.0 - left).powi(2) + met * met).sqrt();
                    let there = beside + (opposite - beside) * met;
                    best = best.min(edge * left + cell * length + there);
                }
            }
            let got = crossing(beside, opposite, cell, edge);
            assert!(got <= best + 1e-9 && got >= best - 0.01 * cell, "{got} {best}");
        }
    }
}
