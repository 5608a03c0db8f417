//! Distances from one cell, with all optimal first moves: Dijkstra's algorithm with buckets instead
//! of a heap.
//!
//! A bucket is as wide as the cheapest step, so no cell of a bucket can improve another in it: they
//! are settled in any order, without comparisons. A step leads at most two buckets on, so three
//! lists suffice. A cell's word holds its cost and, in the lowest byte, the set of optimal first
//! moves to it: the union of those to its optimal predecessors.

use crate::rules::cost::StepCosts;
use crate::rules::moves::{Direction, step_table};
use crate::{Grid, Moves};

/// What a flood needs to know about the map.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// The legal steps at each position, one bit each.
    pub legal: Vec<u8>,
    pub offsets: [i32; 8],
    straight: u64,
    diagonal: u64,
}

impl Ground {
    pub fn new(grid: &Grid, moves: Moves) -> Self {
        let (bits, table) = (grid.rows(), step_table(moves.rule()));
        let mut legal = vec![0; bits.positions()];
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let position = bits.position(x, y);
                if bits.get(position) {
                    legal[position as usize] = table[bits.around(position)];
                }
            }
        }
        let stride = bits.stride() as i32;
        let offsets = std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride);
        let (straight, diagonal) = StepCosts::<u64>::units(moves);
        Self { legal, offsets, straight, diagonal }
    }
}

/// The memory of a flood.
#[derive(Debug, Default)]
pub(crate) struct Flood {
    /// Cost and first moves by position.
    words: Vec<u64>,
    lists: [Vec<u32>; 3],
}

const SET_BITS: u32 = 8;
const UNREACHED: u64 = u64::MAX << SET_BITS;

impl Flood {
    /// Finds the distances and optimal first moves from a free cell to all others, in order of
    /// buckets, until `settle`, called with each cell whose distance is final, returns true. It may
    /// be called twice for a cell.
    #[inline]
    pub fn run(&mut self, ground: &Ground, source: u32, mut settle: impl FnMut(u32) -> bool) {
        let Self { words, lists } = self;
        if words.len() == ground.legal.len() {
            words.fill(UNREACHED);
        } else {
            *words = vec![UNREACHED; ground.legal.len()];
        }
        let steps: [u64; 8] = std::array::from_fn(|d| {
            (if d & 1 != 0 { ground.diagonal } else { ground.straight }) << SET_BITS
        });
        let width = ground.straight << SET_BITS;
        let [mut now, mut next, mut later] = lists.each_mut().map(std::mem::take);
        words[source as usize] = 0;
        for d in (0..8).filter(|d| ground.legal[source as usize] >> d & 1 != 0) {
            let cell = source.wrapping_add_signed(ground.offsets[d]);
            words[cell as usize] = steps[d] | 1 << d;
            next.push(cell); // a diagonal costs less than two straight steps
        }
        let mut begin = width;
        let mut enough = settle(source);
        while !enough && (!next.is_empty() || !later.is_empty()) {
            now.clear();
            std::mem::swap(&mut now, &mut next);
            std::mem::swap(&mut next, &mut later);
            let after_next = begin + 2 * width;
            for &cell in &now {
                let word = words[cell as usize];
                if word < begin {
                    continue; // it was improved, and settled in a bucket before
                }
                enough |= settle(cell);
                let set = word & ((1 << SET_BITS) - 1);
                let cost = word - set;
                let mut legal = ground.legal[cell as usize];
                while legal != 0 {
                    let d = legal.trailing_zeros() as usize;
                    legal &= legal - 1;
                    let there = cell.wrapping_add_signed(ground.offsets[d]);
                    let known = &mut words[there as usize];
                    let reached = cost + steps[d];
                    if reached | ((1 << SET_BITS) - 1) < *known {
                        *known = reached | set;
                        if reached < after_next { next.push(there) } else { later.push(there) }
                    } else if *known >> SET_BITS == reached >> SET_BITS {
                        *known |= set;
                    }
                }
            }
            begin += width;
        }
        [&mut now, &mut next, &mut later].into_iter().for_each(Vec::clear);
        *lists = [now, next, later];
    }

    /// The cost of getting to a settled cell.
    pub fn cost(&self, cell: u32) -> u64 {
        self.words[cell as usize] >> SET_BITS
    }

    /// An optimal path from a settled cell back to the source, as a list of cells.
    pub fn way_back(&self, ground: &Ground, from: u32, path: &mut Vec<u32>) {
        path.clear();
        path.push(from);
        let mut at = from;
        while self.cost(at) > 0 {
            let legal = ground.legal[at as usize];
            let before = (0..8).filter(|d| legal >> d & 1 != 0).find_map(|d| {
                let next = at.wrapping_add_signed(ground.offsets[d]);
                let step = if d & 1 != 0 { ground.diagonal } else { ground.straight };
                (self.cost(next).checked_add(step) == Some(self.cost(at))).then_some(next)
            });
            // A settled cell has such a neighbour, and steps can be taken in both directions.
            let Some(before) = before else { return };
            path.push(before);
            at = before;
        }
    }

    /// The optimal first moves to a cell; none to the source itself and to cells without a path.
    #[inline]
    pub fn first_moves(&self, cell: u32) -> u8 {
        self.words[cell as usize] as u8
    }
}
