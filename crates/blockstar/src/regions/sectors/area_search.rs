//! A* between two cells that stays inside two rectangles.
//!
//! Its open list has a total order: by total, then by estimate, then by node. So its result depends
//! only on the cells that a path of that cost could touch, and not on what else was on the list:
//! cells farther away may change without changing the answer. (DBA* relies on that under the four-way
//! rule: its database is repaired in places and still equals a new one.)
//!
//! Two things make it fast without changing what it finds. The best entry is kept outside the heap:
//! mostly it is a successor of the cell just expanded, and never enters it. And a step is left out
//! if the cell before this one leads there more cheaply past it, which the nine cells around tell:
//! in the open three of eight steps remain. The cost noted for such a step could never stand.

use super::labels::Area;
use super::onward::{OnwardTable, onward_table};
use crate::engine::nodes::{NodeTable, ROOT};
use crate::grid::bits::Bits;
use crate::rules::moves::Direction;
use crate::{Moves, Rule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory for such searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct AreaMemory {
    nodes: NodeTable<u32>,
    open: Open,
}

/// The open list: the entry to expand next, perhaps, and a heap of the others.
#[derive(Clone, Debug, Default)]
struct Open {
    hot: Option<u64>,
    heap: BinaryHeap<Reverse<u64>>,
}

impl Open {
    fn clear(&mut self) {
        self.hot = None;
        self.heap.clear();
    }

    #[inline]
    fn push(&mut self, entry: u64) {
        let colder = match self.hot {
            Some(hot) if hot <= entry => entry,
            _ => match self.hot.replace(entry) {
                Some(hot) => hot,
                None => return,
            },
        };
        self.heap.push(Reverse(colder));
    }

    #[inline]
    fn pop(&mut self) -> Option<u64> {
        match (self.hot, self.heap.peek()) {
            (Some(hot), Some(Reverse(top))) if top < &hot => {}
            (None, _) => {}
            _ => return self.hot.take(),
        }
        self.heap.pop().map(|entry| entry.0)
    }

    fn best(&self) -> Option<u64> {
        let top = self.heap.peek().map(|entry| entry.0);
        self.hot.into_iter().chain(top).min()
    }
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

impl AreaMemory {
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.heap.capacity() * size_of::<u64>()
    }
}

/// A search inside two areas. Its nodes are places in the box around them, the row times a power of
/// two plus the column, so that the table of nodes is small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AreaSearch<'a> {
    bits: &'a Bits,
    onward: &'static OnwardTable,
    straight: u32,
    diagonal: u32,
    manhattan: bool,
    areas: [Area; 2],
    /// The cells all of whose neighbours lie in the same area.
    inner: [Area; 2],
    /// The corner of the box, its height and the power of two.
    left: u32,
    top: u32,
    height: u32,
    shift: u32,
    /// The bits of a place in an entry of the open list, those of an estimate above it, and how many
    /// lower bits of estimates do not fit.
    place_bits: u32,
    estimate_bits: u32,
    coarse: u32,
}

impl<'a> AreaSearch<'a> {
    /// Searches within two areas, which may be the same.
    pub fn new(bits: &'a Bits, moves: Moves, areas: [Area; 2]) -> Self {
        let [a, b] = areas;
        let (left, top) = (a.left.min(b.left), a.top.min(b.top));
        let width = a.right.max(b.right) - left;
        let height = a.bottom.max(b.bottom) - top;
        let shift = width.next_power_of_two().trailing_zeros();
        let (straight, diagonal) = super::units(moves);
        // With sectors of up to some 60 cells all three numbers of an entry fit into a word. With
        // larger ones estimates that differ by a fraction of a step count as equal.
        let digits = |most: u64| 64 - most.leading_zeros();
        let cells = [a, b].map(|it| u64::from(it.right - it.left) * u64::from(it.bottom - it.top));
        let total_bits = digits(u64::from(diagonal) * (cells[0] + cells[1])).min(32);
        let place_bits = digits(u64::from(height) << shift);
        let whole = digits(u64::from(straight.max(diagonal)) * u64::from(width + height));
        let estimate_bits = whole.min(64 - total_bits - place_bits);
        Self {
            bits,
            onward: onward_table(moves.rule()),
            straight,
            diagonal,
            manhattan: moves.rule() == Rule::Four,
            areas,
            inner: areas.map(Area::inner),
            left,
            top,
            height,
            shift,
            place_bits,
            estimate_bits,
            coarse: whole - estimate_bits,
        }
    }

    /// An entry of the open list: the total, the estimate and the place.
    #[inline]
    fn entry(&self, total: u32, estimate: u32, place: u32) -> u64 {
        let estimate = u64::from(estimate >> self.coarse) << self.place_bits;
        u64::from(total) << (self.place_bits + self.estimate_bits) | estimate | u64::from(place)
    }

    /// The total and the place of an entry.
    #[inline]
    fn parts(&self, entry: u64) -> (u32, u32) {
        let total = entry >> (self.place_bits + self.estimate_bits);
        (total as u32, (entry & ((1 << self.place_bits) - 1)) as u32)
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
        open.push(self.entry(h, h, from));
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
        let offsets: [i32; 8] =
            std::array::from_fn(|d| Direction::DX[d] + (Direction::DY[d] << self.shift));
        while let Some(top) = open.pop() {
            let (total, place) = self.parts(top);
            let Some((g, tag)) = nodes.get(place) else { continue };
            let (x, y) = self.coordinates(place);
            if g + self.estimate((x, y), goal) != total {
                continue; // an entry from before the node was improved
            }
            if place == to {
                return Found::Path(g);
            }
            let node = self.bits.position(x, y);
            if !permit((node, g, total)) {
                // Put back: the search may be resumed, or asked where it was heading.
                open.push(top);
                return Found::Spent;
            }
            let inside = self.inner.iter().any(|area| area.contains(x, y));
            // At the rim the cheaper way past this cell may lie outside.
            let steps = &self.onward[if inside { tag as usize & 15 } else { usize::from(ROOT) }];
            let mut legal = steps[self.bits.around(node)];
            while legal != 0 {
                let d = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                let x = x.wrapping_add_signed(Direction::DX[d]);
                let y = y.wrapping_add_signed(Direction::DY[d]);
                if !inside && !self.areas.iter().any(|area| area.contains(x, y)) {
                    continue;
                }
                let next = place.wrapping_add_signed(offsets[d]);
                let g = g + if d & 1 != 0 { self.diagonal } else { self.straight };
                if nodes.g(next) <= g {
                    continue;
                }
                nodes.set(next, g, d as u8);
                let estimate = self.estimate((x, y), goal);
                open.push(self.entry(g + estimate, estimate, next));
            }
        }
        Found::Nothing
    }

    /// The node that a [spent](Found::Spent) search would have expanded next.
    pub fn best(&self, memory: &AreaMemory) -> Option<u32> {
        memory.open.best().map(|entry| self.node(self.parts(entry).1))
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
