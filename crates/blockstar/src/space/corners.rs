//! The corner points of cells as nodes, for everything that plans under the any-angle rules.
//!
//! A corner's node is the position of the cell to its lower right. Under the strict rule a *double
//! corner* (two blocked cells touching diagonally) is **two** nodes, one for each of its free
//! cells, and nothing leads from one to the other: a path may come and go on either side, but not
//! pass.
//!
//! Start and goal may be any points. One that is not a corner gets a node of its own, linked by
//! straight segments to the corners of the free cells it touches.
//!
//! With slope limits, the centres of free cells are nodes as well, linked to their corners and, by
//! steps between cells, to each other. Heights are given at the centres, and the height of a corner
//! is the mean of four: beside a cliff there may be no possible step over corners even between two
//! level cells.

use crate::engine::gate::Task;
use crate::geometry::sight;
use crate::grid::bits::Bits;
use crate::grid::raster::raster;
use crate::rules::moves::{Direction, step_table};
use crate::{Cell, Grid, Moves, Point, Rule};
use std::hint::select_unpredictable;

/// The corners of a grid under one of the any-angle rules, with the ends of one task.
pub(crate) struct Corners<'a> {
    grid: &'a Grid,
    bits: &'a Bits,
    rule: Rule,
    /// What each direction adds to a corner's position.
    offsets: [i32; 8],
    /// Added to a corner's position for the lower side of a double corner; 0 if they are not split.
    lower: u32,
    /// Added to a cell's position for its centre; 0 if centres are not nodes.
    centres: u32,
    /// The node of a start that is neither a corner nor a centre; that of such a goal is the next.
    free: u32,
    start: End,
    goal: End,
}

/// Where a path begins or ends.
struct End {
    node: u32,
    point: Point,
    /// If the point has a node of its own: the nodes it is linked to, each with the cell between.
    links: [(u32, Cell); LINKS],
    count: usize,
}

/// A point inside an edge touches two cells with four corners and a centre each.
const LINKS: usize = 10;

/// The tag of a node that was reached by a link, not by a step in one of the eight directions.
pub(crate) const LINK: u8 = 9;

/// From a cell's upper left corner to its four corners.
const FOUR_CORNERS: [(u32, u32); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

/// The four cells around a corner as bits.
pub(crate) const NW: u32 = 1;
pub(crate) const NE: u32 = 2;
pub(crate) const SW: u32 = 4;
pub(crate) const SE: u32 = 8;

/// The cells that a step in each direction runs through or between.
const TOUCHED: [u32; 8] = [NW | NE, NE, NE | SE, SE, SW | SE, SW, NW | SW, NW];

/// For each state of the four cells around a corner, the directions in which one can leave it:
/// along a grid line, one of the two cells beside it must be free; a diagonal step needs its one
/// cell.
const LEGAL: [u8; 16] = {
    let mut table = [0; 16];
    let mut quad = 0;
    while quad < 16 {
        let mut d = 0;
        while d < 8 {
            if quad as u32 & TOUCHED[d] != 0 {
                table[quad] |= 1 << d;
            }
            d += 1;
        }
        quad += 1;
    }
    table
};

/// Whether the centres of cells are nodes under a rule.
fn needs_centres(moves: Moves) -> bool {
    moves.slope().is_some_and(|slope| slope.has_limits())
}

impl<'a> Corners<'a> {
    /// The largest number of nodes possible.
    pub fn count(grid: &Grid, moves: Moves) -> usize {
        let positions = grid.rows().positions();
        let sides = if moves.rule() == Rule::AnyAngle { 2 } else { 1 };
        2 + positions * (sides + usize::from(needs_centres(moves)))
    }

    pub fn new(grid: &'a Grid, moves: Moves, task: &Task) -> Self {
        let (bits, rule) = (grid.rows(), moves.rule());
        let stride = bits.stride() as i32;
        let free = Self::count(grid, moves) as u32 - 2;
        let end = |node, point| End {
            node,
            point,
            links: [(u32::MAX, Cell::new(0, 0)); LINKS],
            count: 0,
        };
        let positions = bits.positions() as u32;
        let mut corners = Self {
            grid,
            bits,
            rule,
            offsets: std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride),
            lower: if rule == Rule::AnyAngle { positions } else { 0 },
            centres: if needs_centres(moves) { free - positions } else { 0 },
            free,
            start: end(free, task.start),
            goal: end(free + 1, task.goal),
        };
        corners.start = corners.tie(task.start, task.start_cell, free);
        corners.goal = corners.tie(task.goal, task.goal_cell, free + 1);
        corners
    }

    /// An end of the task: a corner or centre has its node already, any other point gets `node` and
    /// its links.
    fn tie(&self, point: Point, cell: Cell, node: u32) -> End {
        let mut end = End { node, point, links: [(u32::MAX, cell); LINKS], count: 0 };
        if let Some((x, y)) = point.as_corner() {
            end.node = self.at(x, y, cell);
            return end;
        }
        if let Some(cell) = point.as_centre().filter(|_| self.centres != 0) {
            end.node = self.centre(cell);
            return end;
        }
        // A point that is not a corner touches one or two cells.
        for cell in self.touched(point) {
            let mut link = |node: u32| {
                end.links[end.count] = (node, cell);
                end.count += 1;
            };
            for (dx, dy) in FOUR_CORNERS {
                link(self.at(cell.x + dx, cell.y + dy, cell));
            }
            if self.centres != 0 {
                link(self.centre(cell));
            }
        }
        end
    }

    /// The node that the path starts from.
    pub fn start(&self) -> u32 {
        self.start.node
    }

    /// The node that the path must reach.
    pub fn goal(&self) -> u32 {
        self.goal.node
    }

    /// The node of a cell's centre.
    fn centre(&self, cell: Cell) -> u32 {
        self.centres + self.bits.position(cell.x, cell.y)
    }

    /// The position of the cell with this node as its centre, if the node is a centre.
    #[inline]
    fn centre_of(&self, node: u32) -> Option<u32> {
        (self.centres != 0 && node >= self.centres && node < self.free).then(|| node - self.centres)
    }

    /// Whether the centres of cells are nodes.
    pub fn has_centres(&self) -> bool {
        self.centres != 0
    }

    /// Where a corner or centre is, in half cells.
    #[inline]
    pub fn halves(&self, node: u32) -> (u32, u32) {
        if let Some(cell) = self.centre_of(node) {
            let (x, y) = self.bits.coordinates(cell);
            return (2 * x + 1, 2 * y + 1);
        }
        let (x, y) = self.coordinates(node);
        (2 * x, 2 * y)
    }

    /// The node of a corner; of a double corner, the one on the side of `cell`.
    pub fn at(&self, x: u32, y: u32, cell: Cell) -> u32 {
        let corner = self.bits.position(x, y);
        let below = cell.y >= y;
        if self.is_split(self.quad(corner)) && below { corner + self.lower } else { corner }
    }

    /// The position of a node's corner; only for corners.
    #[inline]
    pub fn corner(&self, node: u32) -> u32 {
        if self.lower != 0 && node >= self.lower { node - self.lower } else { node }
    }

    /// The coordinates of a node's corner; only for corners.
    #[inline]
    pub fn coordinates(&self, node: u32) -> (u32, u32) {
        self.bits.coordinates(self.corner(node))
    }

    /// Whether a node is a start or goal that is neither a corner nor a centre.
    #[inline]
    pub fn is_free_end(&self, node: u32) -> bool {
        self.free_end(node).is_some()
    }

    /// The start or goal with this node, if it is neither a corner nor a centre.
    #[inline]
    fn free_end(&self, node: u32) -> Option<&End> {
        if node < self.free {
            return None;
        }
        Some(if node == self.free { &self.start } else { &self.goal })
    }

    /// Whether a node is a corner.
    #[inline]
    fn is_corner(&self, node: u32) -> bool {
        node < if self.centres != 0 { self.centres } else { self.free }
    }

    /// Where a node is.
    #[inline]
    pub fn place(&self, node: u32) -> Point {
        if let Some(end) = self.free_end(node) {
            return end.point;
        }
        if let Some(cell) = self.centre_of(node) {
            let (x, y) = self.bits.coordinates(cell);
            return Cell::new(x, y).centre();
        }
        let (x, y) = self.coordinates(node);
        Cell::new(x, y).corner()
    }

    /// The four cells around a corner, one bit each; set if free.
    #[inline]
    pub fn quad(&self, corner: u32) -> u32 {
        let two = |position: u32| self.bits.after(position) as u32 & 3;
        two(corner - self.bits.stride() - 1) | two(corner - 1) << 2
    }

    /// The same for the corner at a point; 15, as on open ground, if the point is not a corner.
    #[inline]
    pub fn quad_at(&self, point: Point) -> u32 {
        point.as_corner().map_or(15, |(x, y)| self.quad(self.bits.position(x, y)))
    }

    /// The free cells around a node's corner that belong to the node: under the strict rule those
    /// on its own side.
    #[inline]
    pub fn own_quad(&self, node: u32) -> u32 {
        let corner = self.corner(node);
        let quad = self.quad(corner);
        match self.is_split(quad) {
            false => quad,
            true if node == corner => quad & (NW | NE),
            true => quad & (SW | SE),
        }
    }

    #[inline]
    fn is_split(&self, quad: u32) -> bool {
        self.lower != 0 && (quad == NW | SE || quad == NE | SW)
    }

    /// The node reached by a step in direction `d` that ends at a corner.
    #[inline]
    fn arrive(&self, corner: u32, d: usize) -> u32 {
        let quad = self.quad(corner);
        if !self.is_split(quad) {
            return corner;
        }
        // The free cell that the step came through or along; of two cells only one is free.
        let came_by = quad & TOUCHED[(d + 4) & 7];
        if came_by & (SW | SE) != 0 { corner + self.lower } else { corner }
    }

    /// Calls `visit` with each neighbour of a node and how it is reached: a direction or [`LINK`].
    #[inline]
    pub fn neighbours(&self, node: u32, mut visit: impl FnMut(u32, u8)) {
        if let Some(end) = self.free_end(node) {
            end.links[..end.count].iter().for_each(|link| visit(link.0, LINK));
            if node == self.start.node && self.ends_share_a_cell() {
                visit(self.goal.node, LINK);
            }
            return;
        }
        if let Some(cell) = self.centre_of(node) {
            let mut legal = step_table(self.rule)[self.bits.around(cell)];
            while legal != 0 {
                let d = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                visit(node.wrapping_add_signed(self.offsets[d]), d as u8);
            }
            let (x, y) = self.bits.coordinates(cell);
            for (dx, dy) in FOUR_CORNERS {
                visit(self.at(x + dx, y + dy, Cell::new(x, y)), LINK);
            }
        } else {
            let corner = self.corner(node);
            let quad = self.own_quad(node);
            let mut legal = LEGAL[quad as usize];
            while legal != 0 {
                let d = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                visit(self.arrive(corner.wrapping_add_signed(self.offsets[d]), d), d as u8);
            }
            if self.centres != 0 {
                let stride = self.bits.stride();
                let cells = [(NW, stride + 1), (NE, stride), (SW, 1), (SE, 0)]
                    .map(|(bit, back)| (quad & bit != 0).then(|| self.centres + corner - back));
                cells.into_iter().flatten().for_each(|centre| visit(centre, LINK));
            }
        }
        for link in &self.goal.links[..self.goal.count] {
            if link.0 == node {
                visit(self.goal.node, LINK);
            }
        }
    }

    /// Whether a straight segment joins two nodes, taking the sides of double corners into account.
    pub fn sees(&self, a: u32, b: u32) -> bool {
        self.sees_between((a, self.place(a)), (b, self.place(b)))
    }

    /// The same for nodes whose places are known.
    #[inline]
    pub fn sees_between(&self, (a, from): (u32, Point), (b, to): (u32, Point)) -> bool {
        sight::visible(self.grid, from, to, self.rule)
            && self.leaves_by_own_side(a, to)
            && self.leaves_by_own_side(b, from)
    }

    /// The two corners between which the straight way from a point to the corner `node` passes
    /// last, if **a point that sees both is sure to see `node` too.**
    ///
    /// The two are the ends of an edge of a cell, and `node` is another corner of that cell. If the
    /// cell is free, only what lies before the edge could be in the way. There the way runs inside
    /// the triangle of the point and the edge, whose other two sides are free. A blocked cell that
    /// reached into the triangle would have to lie inside it (it can cross neither a free side nor
    /// the edge), but the triangle is less than a cell wide on any line parallel to the edge.
    /// `None` for ways along grid lines and diagonals, from less than a cell away, through a
    /// blocked cell, or to a double corner with sides.
    #[inline]
    pub fn gate(&self, from: Point, node: u32, to: Point) -> Option<(u32, u32)> {
        let (dx, dy) = (to.ux() - from.ux(), to.uy() - from.uy());
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        if wide == high || dx == 0 || dy == 0 || wide.max(high) < Point::UNITS as u32 {
            return None;
        }
        if !self.is_corner(node) {
            return None;
        }
        let corner = self.corner(node);
        let stride = self.bits.stride();
        let cell = corner - u32::from(dx > 0) - if dy > 0 { stride } else { 0 };
        if !self.bits.get(cell) || (self.lower != 0 && self.is_split(self.quad(corner))) {
            return None;
        }
        let column = if dx > 0 { corner - 1 } else { corner + 1 };
        let back = |corner: u32| if dy > 0 { corner - stride } else { corner + stride };
        // Both lie one step back along the longer axis, one of them also along the other.
        Some((select_unpredictable(wide > high, column, back(corner)), back(column)))
    }

    /// Whether a segment from a node towards a point begins on the node's own side, if the node is
    /// one of the two of a double corner.
    pub fn leaves_by_own_side(&self, node: u32, towards: Point) -> bool {
        if self.lower == 0 || !self.is_corner(node) {
            return true;
        }
        let (x, y) = self.coordinates(node);
        let below = node != self.corner(node);
        sight::side(self.grid, (x, y), towards).is_none_or(|cell| (cell.y >= y) == below)
    }

    /// The cells through which a link leads from an end that is not a corner to `node`.
    pub fn link_cells(&self, node: u32, end: u32) -> impl Iterator<Item = Cell> + '_ {
        let end = self.free_end(end);
        let links = end.map_or(&[][..], |end| &end.links[..end.count]);
        links.iter().filter(move |link| link.0 == node).map(|link| link.1)
    }

    /// The free cells that both ends touch.
    pub fn shared_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let of = |end: &End, cell: Cell| self.touched(end.point).any(|other| other == cell);
        self.touched(self.start.point).filter(move |&cell| of(&self.goal, cell))
    }

    /// Whether both ends lie in one cell and the goal is not a corner. (Only asked if the start is
    /// not one either.)
    fn ends_share_a_cell(&self) -> bool {
        self.goal.count > 0 && self.shared_cells().next().is_some()
    }

    /// The free cells that a point touches.
    pub fn touched(&self, point: Point) -> impl Iterator<Item = Cell> + use<'a> {
        let span = |v: i32| {
            let low = v.div_euclid(Point::UNITS);
            let before = i32::from(v.rem_euclid(Point::UNITS) == 0);
            (low - before).max(0) as u32..(low + 1).max(0) as u32
        };
        let bits = self.bits;
        let cells = raster(span(point.ux()), span(point.uy())).map(Cell::from);
        cells.filter(move |cell| bits.get(bits.position(cell.x, cell.y)))
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
