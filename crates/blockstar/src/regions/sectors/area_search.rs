//! A* between two cells that stays inside two rectangles.
//!
//! Its open list has a total order: by total, then by estimate, then by node. So its result depends
//! only on the cells that a path of that cost could touch, and not on what else was on the list:
//! cells farther away may change without changing the answer. That is why a database of paths can
//! be repaired in places and still equal a new one.

use super::labels::Area;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::grid::bits::Bits;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::{Grid, Moves, Rule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory for such searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct AreaMemory {
    nodes: NodeTable<u32>,
    /// Total and estimate in one word, and the node.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A path of this cost.
    Path(u32),
    /// There is no path in the areas.
    Nothing,
    /// It ran out of permitted expansions.
    Spent,
}

/// The first key of the open list: the total, then the estimate.
#[inline]
fn key(g: u32, h: u32) -> u64 {
    u64::from(g + h) << 32 | u64::from(h)
}

impl AreaMemory {
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.capacity() * size_of::<(u64, u32)>()
    }
}

/// A search inside two areas. Its nodes are places in the box around them, the row times a power of
/// two plus the column, so that the table of nodes is small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AreaSearch<'a> {
    bits: &'a Bits,
    steps: &'static StepTable,
    straight: u32,
    diagonal: u32,
    manhattan: bool,
    areas: [Area; 2],
    /// The corner of the box, its height and the power of two.
    left: u32,
    top: u32,
    height: u32,
    shift: u32,
}

impl<'a> AreaSearch<'a> {
    /// Searches within two areas, which may be the same.
    pub fn new(grid: &'a Grid, moves: Moves, areas: [Area; 2]) -> Self {
        let [a, b] = areas;
        let (left, top) = (a.left.min(b.left), a.top.min(b.top));
        let width = a.right.max(b.right) - left;
        let (straight, diagonal) = super::units(moves);
        Self {
            bits: grid.rows(),
            steps: step_table(moves.rule()),
            straight,
            diagonal,
            manhattan: moves.rule() == Rule::Four,
            areas,
            left,
            top,
            height: a.bottom.max(b.bottom) - top,
            shift: width.next_power_of_two().trailing_zeros(),
        }
    }

    #[inline]
    fn place(&self, node: u32) -> u32 {
        let (x, y) = self.bits.coordinates(node);
        (y - self.top) << self.shift | (x - self.left)
    }

    #[inline]
    fn coordinates(&self, place: u32) -> (u32, u32) {
        (self.left + (place & ((1 << self.shift) - 1)), self.top + (place >> self.shift))
    }

    fn node(&self, place: u32) -> u32 {
        let (x, y) = self.coordinates(place);
        self.bits.position(x, y)
    }

    #[inline]
    fn estimate(&self, from: (u32, u32), to: (u32, u32)) -> u32 {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        if self.manhattan {
            return self.straight * (dx + dy);
        }
        self.straight * dx.max(dy) + (self.diagonal - self.straight) * dx.min(dy)
    }

    /// Looks for a path between two nodes with at most `limit` expansions, and adds their number to
    /// `expanded`.
    pub fn search(
        &self,
        memory: &mut AreaMemory,
        from: u32,
        to: u32,
        limit: u64,
        expanded: &mut u64,
    ) -> Found {
        self.begin(memory, from, to);
        let mut left = limit;
        let found = self.run(memory, to, |_| {
            let permitted = left > 0;
            left -= u64::from(permitted);
            permitted
        });
        *expanded += limit - left;
        found
    }

    /// Begins a search.
    pub fn begin(&self, memory: &mut AreaMemory, from: u32, to: u32) {
        let AreaMemory { nodes, open } = memory;
        nodes.begin((self.height as usize) << self.shift);
        open.clear();
        let h = self.estimate(self.bits.coordinates(from), self.bits.coordinates(to));
        let from = self.place(from);
        nodes.set(from, 0, ROOT);
        open.push(Reverse((key(0, h), from)));
    }

    /// Continues a search as long as `permit` allows each expansion, given its node, cost so far
    /// and total.
    #[inline]
    pub fn run(
        &self,
        memory: &mut AreaMemory,
        to: u32,
        mut permit: impl FnMut((u32, u32, u32)) -> bool,
    ) -> Found {
        let AreaMemory { nodes, open } = memory;
        let goal = self.bits.coordinates(to);
        let to = self.place(to);
        while let Some(Reverse((total, place))) = open.pop() {
            let g = (total >> 32) as u32 - total as u32;
            let Some((known, tag)) = nodes.get(place) else { continue };
            if known != g {
                continue; // an entry from before the node was improved
            }
            if place == to {
                return Found::Path(g);
            }
            let (x, y) = self.coordinates(place);
            let node = self.bits.position(x, y);
            if !permit((node, g, (total >> 32) as u32)) {
                // Put back: the search may be resumed, or asked where it was heading.
                open.push(Reverse((total, place)));
                return Found::Spent;
            }
            let mut legal = self.steps[self.bits.around(node)];
            if tag < 8 {
                legal &= !(1 << ((tag + 4) & 7));
            }
            while legal != 0 {
                let d = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                let x = x.wrapping_add_signed(Direction::DX[d]);
                let y = y.wrapping_add_signed(Direction::DY[d]);
                if !self.areas.iter().any(|area| area.contains(x, y)) {
                    continue;
                }
                let next = (y - self.top) << self.shift | (x - self.left);
                let g = g + if d & 1 != 0 { self.diagonal } else { self.straight };
                if nodes.g(next) <= g {
                    continue;
                }
                nodes.set(next, g, d as u8);
                open.push(Reverse((key(g, self.estimate((x, y), goal)), next)));
            }
        }
        Found::Nothing
    }

    /// The node that a [spent](Found::Spent) search would have expanded next.
    pub fn best(&self, memory: &AreaMemory) -> Option<u32> {
        memory.open.peek().map(|entry| self.node(entry.0.1))
    }

    /// Appends the way from a node that was reached back to the start, both included.
    pub fn trace_back(&self, memory: &AreaMemory, node: u32, way: &mut Vec<u32>) {
        let mut place = self.place(node);
        way.push(node);
        while let Some((_, tag)) = memory.nodes.get(place).filter(|node| node.1 != ROOT) {
            let (x, y) = self.coordinates(place);
            let d = tag as usize & 7;
            let x = x.wrapping_add_signed(-Direction::DX[d]);
            let y = y.wrapping_add_signed(-Direction::DY[d]);
            place = (y - self.top) << self.shift | (x - self.left);
            way.push(self.bits.position(x, y));
        }
    }
}
