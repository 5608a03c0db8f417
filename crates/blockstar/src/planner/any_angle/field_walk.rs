//! The way down a field of costs that was grown over corners: the path of
//! [Field D*](super::field_d_star).
//!
//! The walk goes from the goal to the start, over corners and points on edges. From where it stands
//! it may cross each cell it touches: to a corner, to the best point of an edge (by interpolated
//! costs), or to the start itself. The next place is the one with the least sum of the way there
//! and its cost. The cost of a point on an edge is not read off the field but comes from its own
//! best next place: *one step of look-ahead*, as in the paper. Interpolated costs are too low where
//! the ends of an edge are reached around different sides of a wall, and too high elsewhere.
//!
//! Points on edges are snapped to 1/1024 of a cell and stay on their edge, so a segment never
//! leaves the cell that it crosses, and every segment of the path is legal by construction. It is
//! also on the right side of every double corner: corners are nodes, and each has its own cells.
//!
//! The walk ends, because the cost *in the field* falls by a minimum with each step. From a corner
//! there always is such a step, since the corner's cost came from one. If there is none from a
//! point on an edge, the walk goes to the cheapest corner around, which costs no more.

use crate::engine::nodes::NodeTable;
use crate::rules::cost::Real;
use crate::space::corners::{Corners, NE, NW, SE, SW};
use crate::{Cell, Grid, Path, Point};

/// The costs of corners, and what lies between them.
pub(super) struct CostField<'a> {
    pub grid: &'a Grid,
    pub corners: &'a Corners<'a>,
    pub nodes: &'a NodeTable<Real>,
    pub start: Point,
}

/// A place on the way: a corner, a point on an edge or one of the ends.
#[derive(Clone, Copy, Debug)]
struct Spot {
    at: Point,
    /// Its node, if it is one.
    node: Option<u32>,
    /// The cost in the field.
    value: f64,
}

/// A step of the walk, across one cell.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: Spot,
    /// Where it leaves the edge that it follows at first, if it follows one.
    via: Option<Point>,
    cost: f64,
}

/// The corners of a cell, clockwise from the upper left one.
const CORNERS: [(u32, u32); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

impl CostField<'_> {
    /// Walks from `goal` to the start and writes the points in that order.
    pub fn walk(&self, goal: Point, least: f64, path: &mut Path) {
        let node = self.corners.goal();
        let mut here = match self.corners.is_free_end(node) {
            true => Spot { at: goal, node: None, value: f64::INFINITY },
            false => Spot { at: goal, node: Some(node), value: self.nodes.g(node).0 },
        };
        let fall = least / 1024.0;
        path.push(goal);
        while here.at != self.start {
            let (mut best, mut least_total) = (None, f64::INFINITY);
            let mut fallback: Option<Step> = None;
            self.steps(&here, |step| {
                if step.to.value <= here.value - fall || here.value == f64::INFINITY {
                    let total = step.cost + self.look_ahead(&step.to);
                    if total < least_total {
                        (best, least_total) = (Some(step), total);
                    }
                }
                let lower = fallback.is_none_or(|other| step.to.value < other.to.value);
                if lower && step.to.node.is_some() {
                    fallback = Some(step);
                }
            });
            let Some(step) = best.or(fallback) else {
                debug_assert!(false, "a cost that came from nowhere");
                break;
            };
            if let Some(via) = step.via {
                path.push(via);
            }
            path.push(step.to.at);
            here = step.to;
        }
    }

    /// The least cost of a point that is not a corner, from the field around it.
    pub fn least_from(&self, at: Point) -> f64 {
        let mut least = f64::INFINITY;
        let here = Spot { at, node: None, value: f64::INFINITY };
        self.steps(&here, |step| least = least.min(step.cost + step.to.value));
        least
    }

    /// The price of the cell (the cheaper one, if there are two) between a start that is not a
    /// corner and a node next to it.
    pub fn inside_start_cell(&self, node: u32) -> f64 {
        let (start, goal) = (self.corners.start(), self.corners.goal());
        let price = |cell| self.grid.cost(cell);
        if node == goal && self.corners.is_free_end(goal) {
            self.corners.shared_cells().map(price).fold(f64::INFINITY, f64::min)
        } else {
            self.corners.link_cells(node, start).map(price).fold(f64::INFINITY, f64::min)
        }
    }

    /// The cost of a place: known for a corner, found from its own best next place for a point on
    /// an edge.
    fn look_ahead(&self, spot: &Spot) -> f64 {
        if spot.node.is_some() { spot.value } else { self.least_from(spot.at) }
    }

    /// Calls `visit` with each step from a place.
    fn steps(&self, here: &Spot, mut visit: impl FnMut(Step)) {
        match here.node {
            None => {
                for cell in self.corners.touched(here.at) {
                    self.across(here, cell, &mut visit);
                }
            }
            Some(node) => {
                let (x, y) = self.corners.coordinates(node);
                let quad = self.corners.own_quad(node);
                for (bit, left, up) in [(NW, 1, 1), (NE, 0, 1), (SW, 1, 0), (SE, 0, 0)] {
                    if quad & bit != 0 {
                        self.across(here, Cell::new(x - left, y - up), &mut visit);
                    }
                }
            }
        }
    }

    /// The steps across one free cell.
    fn across(&self, here: &Spot, cell: Cell, visit: &mut impl FnMut(Step)) {
        let price = self.grid.cost(cell);
        let corners = CORNERS.map(|(x, y)| {
            let node = self.corners.at(cell.x + x, cell.y + y, cell);
            let at = Cell::new(cell.x + x, cell.y + y).corner();
            Spot { at, node: Some(node), value: self.nodes.g(node).0 }
        });
        let start = self.corners.start();
        if self.corners.is_free_end(start) && is_inside(self.start, cell) {
            let to = Spot { at: self.start, node: Some(start), value: 0.0 };
            let cost = self.price_between(cell, here.at, to.at) * here.at.distance(to.at);
            visit(Step { to, via: None, cost });
        }
        for (index, &to) in corners.iter().enumerate() {
            if to.value == f64::INFINITY || to.at == here.at {
                continue;
            }
            let cost = self.price_between(cell, here.at, to.at) * here.at.distance(to.at);
            visit(Step { to, via: None, cost });
            let end = corners[(index + 1) & 3];
            if end.value < f64::INFINITY
                && let Some((at, part)) = best_on_edge(here.at, price, &to, &end)
            {
                let value = to.value + (end.value - to.value) * part;
                let to = Spot { at, node: None, value };
                visit(Step { to, via: None, cost: price * here.at.distance(at) });
            }
            // From a corner to the opposite one, first along a cheap edge.
            let opposite = &corners[(index + 2) & 3];
            if self.grid.has_costs() && opposite.at == here.at {
                for beside in [&corners[(index + 1) & 3], &corners[(index + 3) & 3]] {
                    let edge = self.price_between(cell, here.at, beside.at);
                    let across = edge / (price * price - edge * edge).max(0.0).sqrt();
                    if across < 1.0 {
                        let via = between(here.at, beside.at, 1.0 - across);
                        let cost = edge * here.at.distance(via) + price * via.distance(to.at);
                        visit(Step { to, via: Some(via), cost });
                    }
                }
            }
        }
    }

    /// What a segment inside a free cell costs per unit of length; along an edge, the cheaper of
    /// the two sides counts.
    fn price_between(&self, cell: Cell, a: Point, b: Point) -> f64 {
        let price = self.grid.cost(cell);
        if !self.grid.has_costs() {
            return price;
        }
        let (x, y) = (cell.x as i32, cell.y as i32);
        let corner = cell.corner();
        let beyond = |low: bool, coordinate: i32| if low { coordinate - 1 } else { coordinate + 1 };
        let other = if a.ux() == b.ux() && a.ux() % Point::UNITS == 0 {
            (beyond(a.ux() == corner.ux(), x), y)
        } else if a.uy() == b.uy() && a.uy() % Point::UNITS == 0 {
            (x, beyond(a.uy() == corner.uy(), y))
        } else {
            return price;
        };
        if !self.grid.is_free_at(other.0, other.1) {
            return price;
        }
        price.min(self.grid.cost(Cell::new(other.0 as u32, other.1 as u32)))
    }
}

/// Whether a point lies in a cell or on its edge.
fn is_inside(point: Point, cell: Cell) -> bool {
    let corner = cell.corner();
    let (x, y) = (point.ux() - corner.ux(), point.uy() - corner.uy());
    (0..=Point::UNITS).contains(&x) && (0..=Point::UNITS).contains(&y)
}

/// The point a part of the way from one end of an edge to the other, never beyond them.
fn between(a: Point, b: Point, part: f64) -> Point {
    let units = |a: i32, b: i32| (f64::from(b - a) * part.clamp(0.0, 1.0)).round() as i32;
    a.moved(units(a.ux(), b.ux()), units(a.uy(), b.uy()))
}

/// The best point to come to from `here` strictly inside the edge from `a` to `b`, and which part
/// of the edge lies before it; `None` if the best one is an end.
///
/// At the part t of the edge, with `here` at the distance d from its line opposite the part u, the
/// cost is price·√(d² + (t-u)²) - gain·t: least at t = u + d·gain / √(price² - gain²).
fn best_on_edge(here: Point, price: f64, a: &Spot, b: &Spot) -> Option<(Point, f64)> {
    let gain = a.value - b.value;
    let (along, across) = match a.at.uy() == b.at.uy() {
        true => ((here.ux() - a.at.ux()) * (b.at.ux() - a.at.ux()).signum(), here.uy() - a.at.uy()),
        false => {
            ((here.uy() - a.at.uy()) * (b.at.uy() - a.at.uy()).signum(), here.ux() - a.at.ux())
        }
    };
    if across == 0 || gain.abs() >= price {
        return None;
    }
    let units = f64::from(Point::UNITS);
    let shift = f64::from(across.abs()) * gain / (price * price - gain * gain).sqrt();
    let t = (f64::from(along) + shift).round();
    (t >= 1.0 && t <= units - 1.0).then(|| (between(a.at, b.at, t / units), t / units))
}
