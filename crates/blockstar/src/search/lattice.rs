//! The space of eight-way steps between the corner points of cells, for the any-angle rules.
//!
//! This is the lattice that published any-angle comparisons run their A* on. A step along a grid
//! line needs one of its two cells free, a diagonal step crosses one cell, which must be free.
//! Under the strict rule a double corner is *two* nodes, one for each of its free cells, and no
//! step leads from one to the other. Start and goal may be free points: they are linked to the
//! corners of the free cells they touch by straight segments inside those cells, and to each other
//! if one cell holds both.

use super::best_first::Space;
use crate::bits::Bits;
use crate::cost::{Cost, Tariff};
use crate::heuristic::Estimator;
use crate::moves::Direction;
use crate::{Cell, Grid, Heuristic, Point, Rule};

/// Steps between corner points.
pub(crate) struct Lattice<'a, C> {
    bits: &'a Bits,
    factors: Option<&'a [u16]>,
    tariff: Tariff<C>,
    estimator: Estimator<C>,
    offsets: [i32; 8],
    /// Added to a corner's position for the lower side of a double corner; 0 if corners are not
    /// split.
    lower: u32,
    goal: Links<C>,
    /// The node of a goal that is no corner.
    end: u32,
    end_point: Point,
}

/// A point's links to corners: node and cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links<C> {
    links: [(u32, C); 16],
    count: usize,
}

impl<C: Cost> Links<C> {
    fn none() -> Self {
        Self { links: [(u32::MAX, C::ZERO); 16], count: 0 }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, C)> + '_ {
        self.links[..self.count].iter().copied()
    }
}

/// The four cells around a corner as bits.
const NW: u32 = 1;
const NE: u32 = 2;
const SW: u32 = 4;
const SE: u32 = 8;

/// For each content of the four cells around a corner, the directions one can leave in.
const LEGAL: [u8; 16] = {
    let mut table = [0; 16];
    let mut quad = 0;
    while quad < 16 {
        // Each direction touches one or two of the four cells; one of them must be free.
        let touched = [NW | NE, NE, NE | SE, SE, SW | SE, SW, NW | SW, NW];
        let mut d = 0;
        while d < 8 {
            if quad as u32 & touched[d] != 0 {
                table[quad] |= 1 << d;
            }
            d += 1;
        }
        quad += 1;
    }
    table
};

impl<'a, C: Cost> Lattice<'a, C> {
    /// How many nodes there may be.
    pub fn nodes(grid: &Grid, rule: Rule) -> usize {
        let corners = grid.rows().positions();
        1 + if rule == Rule::AnyAngle { 2 * corners } else { corners }
    }

    /// The lattice with the estimates for a goal that touches `goal_cell`.
    pub fn new(
        grid: &'a Grid,
        rule: Rule,
        tariff: Tariff<C>,
        heuristic: Heuristic,
        goal: Point,
    ) -> Self {
        let bits = grid.rows();
        let stride = bits.stride() as i32;
        let floor = |v: i32| v.div_euclid(Point::UNITS) as u32;
        let ceil = |v: i32| (v + Point::UNITS - 1).div_euclid(Point::UNITS) as u32;
        let low = (floor(goal.ux()), floor(goal.uy()));
        let high = (ceil(goal.ux()), ceil(goal.uy()));
        Self {
            bits,
            factors: grid.factors(),
            tariff,
            estimator: Estimator::to_rectangle(heuristic, &tariff, low, high),
            offsets: std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride),
            lower: if rule == Rule::AnyAngle { bits.positions() as u32 } else { 0 },
            goal: Links::none(),
            end: Self::nodes(grid, rule) as u32 - 1,
            end_point: goal,
        }
    }

    /// Sets the goal: a corner is its own node, any other point gets a node that is linked to the
    /// corners of the free cells it touches. Returns the node to reach.
    pub fn aim(&mut self, goal: Point, cell: Cell) -> u32 {
        if let Some((x, y)) = goal.as_corner() {
            return self.corner_of_cell(x, y, cell);
        }
        self.goal = self.links(goal);
        self.end
    }

    /// The node of a corner, on the side of `cell` if it is a double corner.
    pub fn corner_of_cell(&self, x: u32, y: u32, cell: Cell) -> u32 {
        let node = self.bits.position(x, y);
        let below = cell.y >= y;
        if self.is_split(self.quad(node)) && below { node + self.lower } else { node }
    }

    /// The corners that a free point sees inside the free cells it touches.
    pub fn links(&self, point: Point) -> Links<C> {
        let mut links = Links::none();
        for cell in self.touched(point) {
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let corner = Cell::new(cell.x + x, cell.y + y);
                let node = self.corner_of_cell(corner.x, corner.y, cell);
                links.links[links.count] = (node, self.inside(cell, point, corner.corner()));
                links.count += 1;
            }
        }
        links
    }

    /// The cost of the straight segment between two free points that are no corners, if one free
    /// cell holds both.
    pub fn across(&self, a: Point, b: Point) -> Option<C> {
        if a.as_corner().is_some() || b.as_corner().is_some() {
            return None;
        }
        let shared = self.touched(a).filter(|cell| self.touched(b).any(|other| other == *cell));
        shared.map(|cell| self.inside(cell, a, b)).min()
    }

    /// The free cells that a point touches.
    fn touched(&self, point: Point) -> impl Iterator<Item = Cell> + '_ {
        let span = |v: i32| {
            let low = v.div_euclid(Point::UNITS);
            let before = i32::from(v.rem_euclid(Point::UNITS) == 0);
            ((low - before).max(0)..=low).map(|v| v as u32)
        };
        let columns = span(point.ux());
        let cells =
            span(point.uy()).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)));
        cells.filter(|cell| self.bits.get(self.bits.position(cell.x, cell.y)))
    }

    /// The cost of a straight segment inside a cell.
    fn inside(&self, cell: Cell, a: Point, b: Point) -> C {
        let factor = self.factors.map_or(1.0, |factors| {
            let at = self.bits.position(cell.x, cell.y) as usize;
            f64::from(factors[at]) / f64::from(Grid::FACTOR_ONE)
        });
        let cost = a.distance(b) * factor * self.tariff.units_per_cell();
        // Rounded down: an integer cost never exceeds the true one, so no path is lost to a cost
        // limit that it just meets.
        C::from_u64(cost as u64)
    }

    fn quad(&self, corner: u32) -> u32 {
        let stride = self.bits.stride();
        let two = |position: u32| self.bits.from(position) as u32 & 3;
        two(corner - stride - 1) | two(corner - 1) << 2
    }

    fn is_split(&self, quad: u32) -> bool {
        self.lower != 0 && (quad == NW | SE || quad == NE | SW)
    }

    /// The node reached by a step in direction `d` that ends at a corner.
    fn arrive(&self, corner: u32, d: usize) -> u32 {
        let quad = self.quad(corner);
        if !self.is_split(quad) {
            return corner;
        }
        // Whether the step came through or along the lower free cell of the double corner.
        let came_from_below = match d {
            7 | 0 | 1 => true,
            2 => quad & SW != 0,
            6 => quad & SE != 0,
            _ => false,
        };
        if came_from_below { corner + self.lower } else { corner }
    }

    fn corner(&self, node: u32) -> u32 {
        if self.lower != 0 && node >= self.lower { node - self.lower } else { node }
    }

    /// The cost of a step from a corner: on weighted terrain along a grid line the cheaper side.
    fn step(&self, corner: u32, d: usize, quad: u32) -> C {
        let unit = if d & 1 != 0 { self.tariff.diagonal } else { self.tariff.straight };
        let Some(factors) = self.factors else { return unit };
        let stride = self.bits.stride();
        let factor = |bit: u32| {
            let position = match bit {
                NW => corner - stride - 1,
                NE => corner - stride,
                SW => corner - 1,
                _ => corner,
            };
            if quad & bit != 0 { u32::from(factors[position as usize]) } else { u32::MAX }
        };
        let cheaper = match d {
            0 => factor(NW).min(factor(NE)),
            1 => factor(NE),
            2 => factor(NE).min(factor(SE)),
            3 => factor(SE),
            4 => factor(SW).min(factor(SE)),
            5 => factor(SW),
            6 => factor(NW).min(factor(SW)),
            _ => factor(NW),
        };
        unit.times(2 * cheaper)
    }
}

impl<C: Cost> Space<C> for Lattice<'_, C> {
    const PARENTS: bool = true;

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        let corner = self.corner(node);
        let quad = self.quad(corner);
        let mut legal = LEGAL[quad as usize];
        if self.is_split(quad) {
            // Only within the node's own free cell.
            let own = if node == corner { NW | NE } else { SW | SE };
            legal = LEGAL[(quad & own) as usize];
        }
        if tag < 8 {
            legal &= !(1 << ((tag + 4) & 7));
        }
        while legal != 0 {
            let d = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let next = self.arrive(corner.wrapping_add_signed(self.offsets[d]), d);
            reach(next, self.step(corner, d, quad), d as u8);
        }
        for (linked, cost) in self.goal.iter() {
            if linked == node {
                reach(self.end, cost, 0);
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        if node == self.end {
            return C::ZERO;
        }
        let (x, y) = self.bits.coordinates(self.corner(node));
        self.estimator.estimate(x, y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        if node == self.end {
            return self.end_point;
        }
        let (x, y) = self.bits.coordinates(self.corner(node));
        Cell::new(x, y).corner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_corner_has_eight_steps_and_a_walled_one_none() {
        assert_eq!(LEGAL[15], 0xff);
        assert_eq!(LEGAL[0], 0);
        assert_eq!(LEGAL[NE as usize], 0b0000_0111);
    }
}
