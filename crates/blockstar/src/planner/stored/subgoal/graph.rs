//! The graph: subgoals, and edges between those that are directly reachable from each other.
//!
//! Edges are of these kinds: along a row or a column to the next subgoal, and within a quadrant
//! between two subgoals of its [slant](super::corners::Slant). That is enough.
//!
//! *Why.* Let P be a shortest path from a cell s, and x the last cell on it to which the way is as long
//! as on an empty map; say it consists of steps E and NE. Of all such ways from s to x take the one
//! that goes NE whenever it can. Where it turns from E to NE it could have gone NE one step earlier
//! were the cell NW of the turn not blocked: the turn is a rising subgoal. Likewise, where the way
//! that goes E whenever it can turns from NE to E, the cell SE of the turn is blocked. And where an
//! obstacle lies between the two ways, the one that hugs it closest turns at a rising subgoal too.
//! So either all ways from s to x are free and pass no rising subgoal, or one passes a rising subgoal
//! v; by induction one that is directly reachable. Beyond x the path goes on with a step that the
//! way cannot: N after a last step E (else the first way turned before) and then NW of x is blocked,
//! for otherwise there would be a short cut; or SE or S after NE, which a step E would cut short, so
//! that the second way has turned before. In each case a rising subgoal is on a shortest path, or
//! x is straight east of s, and beside x a corner is blocked. The rest is symmetry.
//!
//! *Taut turns* ([`continuations`]): the same short cuts tell which edges can follow which on a
//! shortest path. After steps E and NE come steps E and NE; or also N, if the cell NW of the turn is
//! blocked. Nothing else does.

use super::corners::{Corners, Ground};
use super::lanes;
use super::scan::{self, Class, Seen};
use crate::engine::parallel;
use crate::engine::pool::{Pool, Span};
use crate::sort;

/// The units of a straight and of a diagonal step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub straight: u32,
    pub diagonal: u32,
}

impl Units {
    #[inline]
    pub fn cost(self, seen: &Seen) -> u32 {
        self.diagonal * seen.diagonal_steps + self.straight * seen.straight_steps
    }
}

/// A subgoal: where it is, its corners and its edges. Its [labels](super::lanes::Lanes) are elsewhere:
/// what passes over the whole graph, as floods do, reads a sixth of the memory without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// x, y and corners: 14, 14 and 4 bits.
    place: u32,
    pub edges: Span,
}

impl Node {
    /// A number that stands for no subgoal.
    const NONE: Self = Self { place: 0, edges: Span::EMPTY };

    fn new((x, y): (u32, u32), corners: Corners) -> Self {
        Self { place: x << 18 | y << 4 | u32::from(corners.0), ..Self::NONE }
    }

    #[inline]
    pub fn cell(&self) -> (u32, u32) {
        (self.place >> 18, self.place >> 4 & 0x3fff)
    }

    #[inline]
    pub fn corners(&self) -> Corners {
        Corners((self.place & 15) as u8)
    }

    /// Whether it is a number that stands for no subgoal.
    pub fn is_none(&self) -> bool {
        self.corners().is_none()
    }

    /// For sorting by row and column.
    pub fn by_row(&self) -> u32 {
        let (x, y) = self.cell();
        y << 14 | x
    }
}

/// A way to another subgoal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    /// The number of the subgoal and, in the lowest four bits, the class.
    head: u32,
    pub cost: u32,
}

impl Edge {
    pub fn new(target: u32, class: Class, cost: u32) -> Self {
        Self { head: target << 4 | u32::from(class), cost }
    }

    #[inline]
    pub fn target(self) -> u32 {
        self.head >> 4
    }

    #[inline]
    pub fn class(self) -> Class {
        (self.head & 15) as u8
    }
}

/// Some of what a subgoal sees, one bit each: the four quadrants, and the rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts(u8);

impl Parts {
    pub const RAYS: Self = Self(1 << 4);
    pub const ALL: Self = Self(0b1_1111);

    pub const fn quadrant(quadrant: u8) -> Self {
        Self(1 << (quadrant & 3))
    }

    fn of_class(class: Class) -> Self {
        if class.is_multiple_of(4) { Self::RAYS } else { Self::quadrant(class / 4) }
    }

    fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub units: Units,
    pub nodes: Vec<Node>,
    pub edges: Pool<Edge>,
    /// Numbers that stand for no subgoal.
    unused: Vec<u32>,
    /// For each 64 positions the numbers of the subgoals there, in their order.
    blocks: Vec<Span>,
    numbers: Pool<u32>,
}

impl Graph {
    /// The subgoals of a map, without edges. Near ones have near numbers: a search then touches fewer
    /// lines of memory.
    pub fn without_edges(ground: &Ground, units: Units) -> Self {
        let blocks = ground.free.rows.positions().div_ceil(64);
        let mut graph = Self {
            units,
            nodes: Vec::new(),
            edges: Pool::default(),
            unused: Vec::new(),
            blocks: vec![Span::EMPTY; blocks],
            numbers: Pool::default(),
        };
        let subgoals = ground.corners_by_row();
        let all = 0..subgoals.len() as u32;
        let order = sort::numbers_by(all, |index| along_curve(subgoals[index as usize].0));
        let mut numbers = vec![0; subgoals.len()];
        for (number, &index) in order.iter().enumerate() {
            let (cell, corners) = subgoals[index as usize];
            graph.nodes.push(Node::new(cell, corners));
            numbers[index as usize] = number as u32;
        }
        let block = |index: usize| {
            let (x, y) = subgoals[index].0;
            ground.free.rows.position(x, y) as usize / 64
        };
        let mut first = 0;
        while first < subgoals.len() {
            let here = block(first);
            let last = (first..subgoals.len()).find(|&index| block(index) != here);
            let range = first..last.unwrap_or(subgoals.len());
            first = range.end;
            graph.numbers.set(&mut graph.blocks[here], &numbers[range]);
        }
        graph
    }

    /// The graph of a map.
    pub fn build(ground: &Ground, units: Units, threads: usize) -> Self {
        let mut graph = Self::without_edges(ground, units);
        let lists = parallel::map_on(threads, graph.nodes.len(), &|_, _| (), |list, index| {
            graph.scan(ground, &graph.nodes[index], Parts::ALL, list);
            list.clone()
        });
        for (node, list) in graph.nodes.iter_mut().zip(&lists) {
            graph.edges.set(&mut node.edges, list);
        }
        graph.make_room();
        graph
    }

    /// Makes room for what edits add.
    fn make_room(&mut self) {
        let subgoals = self.nodes.len();
        lanes::reserve(&mut self.nodes, subgoals);
        self.edges.make_room();
        self.numbers.make_room();
    }

    /// Gives all subgoals other numbers: those of their places in a list of the present ones.
    pub fn renumber(&mut self, order: &[u32]) {
        let mut numbers = vec![0; order.len()];
        for (number, &before) in order.iter().enumerate() {
            numbers[before as usize] = number as u32;
        }
        let (mut nodes, mut edges, mut list) = (Vec::new(), Pool::default(), Vec::new());
        for &before in order {
            let mut node = *self.node(before);
            list.clear();
            list.extend(
                self.edges(&node).iter().map(|edge| {
                    Edge::new(numbers[edge.target() as usize], edge.class(), edge.cost)
                }),
            );
            node.edges = Span::EMPTY;
            edges.set(&mut node.edges, &list);
            nodes.push(node);
        }
        (self.nodes, self.edges) = (nodes, edges);
        self.make_room();
        for &block in &self.blocks {
            let list = self.numbers.list_mut(block);
            list.iter_mut().for_each(|number| *number = numbers[*number as usize]);
        }
    }

    /// The number of subgoals.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.unused.len()
    }

    /// The numbers of all subgoals, ascending by row and column.
    pub fn by_row(&self) -> Vec<u32> {
        let all = (0..self.nodes.len() as u32).filter(|&number| !self.node(number).is_none());
        sort::numbers_by(all, |number| self.node(number).by_row())
    }

    /// The number of edges, each counted once.
    pub fn edge_count(&self) -> usize {
        self.nodes.iter().map(|node| node.edges.len()).sum::<usize>() / 2
    }

    #[inline]
    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    #[inline]
    pub fn edges(&self, node: &Node) -> &[Edge] {
        self.edges.list(node.edges)
    }

    pub fn set_edges(&mut self, number: u32, edges: &[Edge]) {
        self.edges.set(&mut self.nodes[number as usize].edges, edges);
    }

    /// The number of the subgoal at a cell, which must be one.
    #[inline]
    pub fn number(&self, ground: &Ground, cell: (u32, u32)) -> u32 {
        let (block, rank) = self.rank(ground, cell);
        self.numbers.list(self.blocks[block])[rank]
    }

    /// The number of the subgoal at a cell, if it is one.
    pub fn find(&self, ground: &Ground, cell: (u32, u32)) -> Option<u32> {
        let position = ground.free.rows.position(cell.0, cell.1);
        let is_one = ground.subgoals(position / 64) >> (position % 64) & 1 != 0;
        is_one.then(|| self.number(ground, cell))
    }

    /// Makes a cell a subgoal that was none and gives it a number. `ground` knows of it already.
    pub fn add(&mut self, ground: &Ground, cell: (u32, u32), corners: Corners) -> u32 {
        let node = Node::new(cell, corners);
        let number = match self.unused.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        let (block, rank) = self.rank(ground, cell);
        self.numbers.insert(&mut self.blocks[block], rank, number);
        number
    }

    /// Makes a subgoal none. `ground` knows nothing of it any more.
    pub fn remove(&mut self, ground: &Ground, cell: (u32, u32)) {
        let (block, rank) = self.rank(ground, cell);
        let number = self.numbers.list(self.blocks[block])[rank];
        self.numbers.remove(&mut self.blocks[block], rank);
        self.set_edges(number, &[]);
        self.nodes[number as usize] = Node::NONE;
        self.unused.push(number);
    }

    /// Changes the corners of a subgoal.
    pub fn set_corners(&mut self, number: u32, corners: Corners) {
        let node = &mut self.nodes[number as usize];
        node.place = node.place & !15 | u32::from(corners.0);
    }

    /// In which block a cell is, and how many subgoals there come before it.
    #[inline]
    fn rank(&self, ground: &Ground, (x, y): (u32, u32)) -> (usize, usize) {
        let position = ground.free.rows.position(x, y);
        let before = ground.subgoals(position / 64) & ((1 << (position % 64)) - 1);
        (position as usize / 64, before.count_ones() as usize)
    }

    #[inline]
    pub fn edge(&self, ground: &Ground, seen: &Seen) -> Edge {
        Edge::new(self.number(ground, seen.at), seen.class, self.units.cost(seen))
    }

    /// Lists the edges of a subgoal: those of some [parts](Parts) by scanning the map, the others as
    /// they are. They are sorted by class and cost.
    pub fn scan(&self, ground: &Ground, node: &Node, parts: Parts, list: &mut Vec<Edge>) {
        list.clear();
        let (cell, corners) = (node.cell(), node.corners());
        let known = self.edges(node).iter();
        list.extend(known.filter(|edge| !parts.has(Parts::of_class(edge.class()))));
        let mut reach = |seen: Seen| list.push(self.edge(ground, &seen));
        if parts.has(Parts::RAYS) {
            scan::rays(ground, cell, &mut reach);
        }
        for quadrant in scan::QUADRANTS {
            if parts.has(Parts::quadrant(quadrant)) && corners.has(scan::slant_of(quadrant)) {
                scan::look(ground, cell, quadrant, &mut reach);
            }
        }
        Self::sort(list);
    }

    /// Puts the edges of a subgoal in order.
    #[inline(never)]
    pub fn sort(list: &mut [Edge]) {
        list.sort_unstable_by_key(|edge| (edge.class(), edge.cost));
    }

    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.unused.capacity() * 4;
        let numbers = self.blocks.capacity() * size_of::<Span>() + self.numbers.bytes();
        nodes + self.edges.bytes() + numbers
    }
}

/// For sorting cells so that near ones are near: the bits of x and y in turn.
fn along_curve((x, y): (u32, u32)) -> u32 {
    let spread = |number: u32| {
        let number = (number | number << 8) & 0x00ff_00ff;
        let number = (number | number << 4) & 0x0f0f_0f0f;
        let number = (number | number << 2) & 0x3333_3333;
        (number | number << 1) & 0x5555_5555
    };
    spread(x) | spread(y) << 1
}

/// The classes of edges that may follow one of a class at a subgoal, one bit each.
#[inline]
pub(super) fn continuations(arrival: Class, corners: Corners) -> u16 {
    CONTINUATIONS[usize::from(arrival & 15)][usize::from(corners.0 & 15)]
}

static CONTINUATIONS: [[u16; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut class = 0;
    while class < 16 {
        let mut corners = 0;
        while corners < 16 {
            table[class][corners] = turns(class as u32, corners);
            corners += 1;
        }
        class += 1;
    }
    table
};

const fn turns(class: u32, corners: usize) -> u16 {
    // Classes relative to that of arrival: bit i is i sixteenths further round to the right, bit
    // 16 - i to the left.
    let turns = match class % 4 {
        // Straight: eighths to both sides; a right angle around a corner that lies behind.
        0 => {
            // Corners are at classes 2, 6, 10 and 14: behind to the right, behind to the left.
            let right = corners >> ((class / 4 + 1) % 4) & 1 != 0;
            let left = corners >> ((class / 4 + 2) % 4) & 1 != 0;
            0b1100_0000_0000_0111
                | if right { 0b1_1000 } else { 0 }
                | if left { 0b0011_0000_0000_0000 } else { 0 }
        }
        // Diagonal: eighths to both sides.
        2 => 0b1100_0000_0000_0111,
        // Mixtures: what they are made of; and beyond the diagonal, around a corner beside it.
        1 => {
            // The straight part is to the left, the diagonal to the right.
            let corner = corners >> ((class / 4 + 1) % 4) & 1 != 0;
            0b1000_0000_0000_0011 | if corner { 0b1100 } else { 0 }
        }
        _ => {
            let corner = corners >> ((class / 4 + 3) % 4) & 1 != 0;
            0b1000_0000_0000_0011 | if corner { 0b0110_0000_0000_0000 } else { 0 }
        }
    };
    (turns as u16).rotate_left(class)
}
