//! Field D*: paths that cross the edges of cells anywhere, from costs interpolated between corners.
//!
//! D. Ferguson & A. Stentz, *Field D\*: An Interpolation-based Path Planner and Replanner*, 2005;
//! *Using Interpolation to Improve Path Planning: The Field D\* Algorithm*, 2006. As a search for a
//! single query it is known as Field A*.
//!
//! Corners have costs, and costs along the edge between two corners are interpolated linearly. A
//! corner is reached from a point of one of the up to eight edges that face it in its four cells,
//! and the best such point has a closed form ([`crossing`]). On weighted terrain the path may also
//! follow an edge part of the way, at the price of the cheaper of its two sides.
//!
//! The field of costs is grown from the start, in order of cost plus estimate, until the goal comes
//! up; the path is then walked down the field from the goal ([`field_walk`](super::field_walk)).
//!
//! What differs from the paper:
//!
//! * The search runs from the start. By symmetry that is the same, and the path comes out
//!   backwards.
//! * A corner may improve after it was expanded, because the cost of one end of an edge depends on
//!   the other, and the order of totals does not respect that. It takes the lower cost, but passes
//!   it on only if that is worth it ([`REOPEN`]). This makes up for most of what Field D* loses to
//!   Theta*.
//! * An edge may be used before both its ends have been expanded: the costs they have so far are
//!   those of paths, too.
//! * Start and goal may be any points; one that is not a corner gets its cost from the edges of its
//!   own cells.
//!
//! Interpolated costs are not the costs of paths. Usually they are a little too high (the true cost
//! sags along an edge); they are too low where the two ends are reached around different sides of a
//! wall. So they bound nothing, and a cost limit leaves out a corner only if its total exceeds the
//! limit by [`SLACK`].

use super::RULES;
use super::field_walk::CostField;
use super::point_search::{self, Expand, PointSearch};
use crate::engine::frontier::Frontier;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::rules::cost::Real;
use crate::rules::moves::Direction;
use crate::space::corners::{Corners, LINK, NE, NW, SE, SW};
use crate::{Algorithm, Grid, Heuristic, Point};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "field-d-star",
    summary: "Field D*: crosses edges anywhere, by costs interpolated between corners",
    source: "Ferguson & Stentz 2005, 2006",
    rules: RULES,
    terrain: true,
    free_points: true,
    make: |_, grid, moves| Ok(Driver::boxed(FieldDStar, grid, moves)),
    avoids: true,
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
pub(crate) struct FieldDStar;

/// How far a corner's total may exceed the cost limit, as a part of the limit and in cells of the
/// dearest kind. A cost in the field is at most that of a path over corners. On even ground such a
/// path is at most 8.24 % longer than any other, apart from the way to the corners of the cells
/// that the other one crosses.
const SLACK: (f64, f64) = (0.083, 4.0);

/// A corner is expanded again if it improves by more than this part of a cell. On 233 queries of
/// the map arena2 (where `ap-theta-star` has a mean length of 176.22): never again, 6,117
/// expansions and 176.70; from 0.02 on, 7,807 and 176.35; from 0.01 on, 8,900 and 176.34. With
/// every improvement there were a million expansions.
const REOPEN: f64 = 0.02;

/// For each of the four cells around a corner: its bit, then the directions to the two corners
/// beside and to the one opposite.
const CELLS: [(u32, usize, usize, usize); 4] =
    [(NE, 0, 2, 1), (SE, 2, 4, 3), (SW, 4, 6, 5), (NW, 6, 0, 7)];

/// The cost of a corner that is reached across a cell of factor `cell` from the best point of an
/// edge that faces it, or along the edge of factor `edge` (at most `cell`) that joins it to the
/// nearer end of the facing one. `beside` and `opposite` are the costs of the two ends.
///
/// With d = beside - opposite, coming from the point at the part y of the edge costs opposite +
/// (1-y)·d + cell·√(1+y²). That is least at y = d / √(cell² - d²), where it is beside + √(cell² -
/// d²). Where the edge that leads there is cheaper than d, the path follows its first part instead;
/// where both are cheap, all of it.
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
    /// The edges beyond: from the corner in direction 2i to the opposite one of cell i, and to that
    /// of the cell before.
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
        // There is always a cell beyond a free one, if only padding.
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
struct Growth<'a, const TERRAIN: bool> {
    grid: &'a Grid,
    corners: &'a Corners<'a>,
    search: PointSearch<'a>,
    heuristic: Heuristic,
    start: Point,
    goal: Point,
    /// The price of the cheapest cell.
    least: f64,
    /// Corners with a larger total, estimated by the straight line, are left out.
    max_estimate: f64,
}

impl<const TERRAIN: bool> Growth<'_, TERRAIN> {
    fn estimate(&self, at: Point) -> f64 {
        self.least * self.heuristic.length(at, self.goal)
    }

    /// The field as it is now.
    fn field(&self) -> CostField<'_> {
        let nodes = &*self.search.nodes;
        CostField { grid: self.grid, corners: self.corners, nodes, start: self.start }
    }

    /// Offers a cost to a node, from across a cell of a price, and returns the cost the node has
    /// then.
    #[inline]
    fn offer(&mut self, node: u32, at: Point, known: f64, cost: f64, price: f64) -> f64 {
        if cost >= known {
            return known;
        }
        if cost + self.least * at.distance(self.goal) > self.max_estimate {
            *self.search.pruned = true;
            return known;
        }
        let expanded = self.search.nodes.is_closed(node);
        if expanded && cost > known - REOPEN * price {
            self.search.nodes.set(node, Real(cost), 0);
            self.search.nodes.close(node);
        } else {
            self.search.offer((node, at), cost, cost + self.estimate(at), 0, || None);
        }
        cost
    }

    /// Expands a start that is not a corner: straight to the corners of its cells.
    fn expand_free_start(&mut self, node: u32) {
        let (corners, place) = (self.corners, self.start);
        corners.neighbours(node, |next, _| {
            let price = self.field().inside_start_cell(next);
            let there = corners.place(next);
            self.offer(next, there, self.search.known(next), price * place.distance(there), price);
        });
    }

    /// Expands a corner: every edge that ends here may lower the costs of the corners it faces.
    fn expand_corner(&mut self, node: u32, place: Point, g: f64) {
        // The neighbours, by direction, with their costs.
        let mut around = [(node, f64::INFINITY); 8];
        let mut linked = false;
        self.corners.neighbours(node, |next, d| {
            if d == LINK {
                linked = true;
            } else {
                around[d as usize & 7] = (next, self.search.known(next));
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
                // Nothing across the cell or along its edge costs less.
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
            self.offer(goal, self.goal, self.search.known(goal), cost, 0.0);
        }
    }
}

impl<'a, const TERRAIN: bool> Expand<'a> for Growth<'a, TERRAIN> {
    type Visit = (u32, f64);

    #[inline]
    fn search(&mut self) -> &mut PointSearch<'a> {
        &mut self.search
    }

    fn goal(&self) -> u32 {
        self.corners.goal()
    }

    #[inline]
    fn settle(&mut self, node: u32, g: f64, _: u8) -> (u32, f64) {
        (node, g)
    }

    #[inline]
    fn expand(&mut self, (node, g): (u32, f64), total: f64) {
        let place = self.corners.place(node);
        self.search.record_expansion(place, g, total, || None);
        if self.corners.is_free_end(node) {
            self.expand_free_start(node);
        } else {
            self.expand_corner(node, place, g);
        }
    }
}

fn search<const TERRAIN: bool>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<Real>,
) -> Outcome {
    let Problem { grid, moves, .. } = *problem;
    let corners = &Corners::new(grid, moves, problem.task);
    let least = f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE);
    let largest = f64::from(grid.largest_factor()) / f64::from(Grid::FACTOR_ONE);
    if slice.is_fresh() {
        frontier.begin(Corners::count(grid, moves), Real(least / 16.0));
    }
    let mut growth = Growth::<TERRAIN> {
        grid,
        corners,
        search: PointSearch::new(frontier, slice.stats, slice.trace),
        heuristic: problem.heuristic(),
        start: problem.start(),
        goal: problem.goal(),
        least,
        max_estimate: problem.max_cost() * (1.0 + SLACK.0) + SLACK.1 * largest,
    };
    if slice.fresh {
        let total = growth.estimate(problem.start());
        growth.search.seed(corners.start(), total);
    }
    let outcome = point_search::run(&mut growth, problem, slice.meter);
    if outcome == Outcome::Goal {
        growth.field().walk(problem.goal(), least, slice.path);
        slice.path.reverse();
    }
    outcome
}

impl Method for FieldDStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(if problem.grid.has_costs() {
            search::<true>(problem, slice, pool.get())
        } else {
            search::<false>(problem, slice, pool.get())
        })
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
        let mut part = || random.below(1001) as f64 / 1000.0;
        for _ in 0..2000 {
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
