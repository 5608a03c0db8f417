//! The open list: a stack in front of a small 4-ary heap in front of buckets.
//!
//! Entries are ordered by their total. Among equals on the stack the last comes first: a
//! depth-first search towards the goal, which expands as few cells as the usual preference for a
//! larger cost so far (28,287 against 28,280 per query on the ten large Dragon Age maps) and needs
//! no second comparison.
//!
//! * An entry that is as good as the best goes on the *stack* and is popped next: no sifting.
//! * Other entries of the lowest *bucket* of totals are in the *heap*.
//! * All others lie in one unsorted list per bucket, which becomes the heap when its turn comes.
//!
//! Most entries are pushed in a few instructions and sifted only through the few dozen of their own
//! bucket: A* on those maps takes about half as long as with one big heap.
//!
//! There is no decrease-key: a node that improves is pushed again, and its old entry is recognised
//! when popped because its `g` no longer equals the node's.

use crate::rules::cost::Cost;

/// A queued node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry<C> {
    /// The priority: cost so far plus estimate.
    pub total: C,
    /// The cost so far.
    pub g: C,
    pub node: u32,
}

/// A priority queue of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Open<C: Cost> {
    stack: Vec<Entry<C>>,
    heap: Vec<Entry<C>>,
    /// The entries of the buckets above the current one, linked into lists.
    pool: Vec<(Entry<C>, u32)>,
    /// The first unused link of the pool.
    unused: u32,
    /// The first link of each bucket's list, if it has one; the last bucket is for everything
    /// beyond the others.
    heads: Vec<u32>,
    /// Which lists are not empty, one bit each: all that has to be cleared for a new search.
    occupied: [u64; BUCKETS / 64],
    /// The smallest total of bucket 0, and log2 of the width of a bucket.
    base: C,
    shift: u32,
    current: usize,
    len: usize,
}

const BUCKETS: usize = 4096;
const FAR: usize = BUCKETS - 1;
const NONE: u32 = u32::MAX;
const ARITY: usize = 4;

impl<C: Cost> Default for Open<C> {
    fn default() -> Self {
        Self {
            stack: Vec::new(),
            heap: Vec::new(),
            pool: Vec::new(),
            unused: NONE,
            heads: Vec::new(),
            occupied: [0; BUCKETS / 64],
            base: C::ZERO,
            shift: 0,
            current: 0,
            len: 0,
        }
    }
}

impl<C: Cost> Open<C> {
    /// Empties the list for a search whose straight steps cost `step`: a bucket is between 1/32 and
    /// 1/16 of that wide, about the distance between the totals of an octile search.
    pub fn begin(&mut self, step: C) {
        self.stack.clear();
        self.heap.clear();
        self.pool.clear();
        self.unused = NONE;
        self.heads.resize(BUCKETS, NONE);
        self.occupied = [0; BUCKETS / 64];
        self.shift = (step.to_u64() / 16).checked_ilog2().unwrap_or(0);
        self.current = 0;
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, entry: Entry<C>) {
        if self.len == 0 {
            (self.base, self.current) = (entry.total, 0);
        }
        self.len += 1;
        self.deal(entry);
    }

    /// Puts an entry where it belongs.
    #[inline]
    fn deal(&mut self, entry: Entry<C>) {
        // A total below the base (the heuristic was not consistent) belongs to the lowest bucket.
        let above = entry.total.max(self.base) - self.base;
        let bucket = (above.to_u64() >> self.shift).min(FAR as u64) as usize;
        if bucket > self.current {
            self.put_aside(bucket, entry);
            return;
        }
        let best = self.stack.last().or(self.heap.first());
        if best.is_none_or(|best| entry.total <= best.total) {
            self.stack.push(entry);
        } else {
            self.heap.push(entry);
            sift_up(&mut self.heap);
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Entry<C>> {
        if let Some(&top) = self.stack.last()
            && self.heap.first().is_none_or(|first| top.total <= first.total)
        {
            self.stack.pop();
            self.len -= 1;
            return Some(top);
        }
        if self.heap.is_empty() {
            return if self.advance() { self.pop() } else { None };
        }
        self.len -= 1;
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first_mut() else { return Some(last) };
        let least = std::mem::replace(first, last);
        sift_down(&mut self.heap, 0);
        Some(least)
    }

    #[inline]
    fn put_aside(&mut self, bucket: usize, entry: Entry<C>) {
        let head = &mut self.heads[bucket];
        let (word, bit) = (&mut self.occupied[bucket / 64], 1 << (bucket % 64));
        let link = (entry, if *word & bit != 0 { *head } else { NONE });
        *word |= bit;
        if let Some(slot) = self.pool.get_mut(self.unused as usize) {
            *head = self.unused;
            self.unused = slot.1;
            *slot = link;
        } else {
            *head = self.pool.len() as u32;
            self.pool.push(link);
        }
    }

    /// Turns the lowest non-empty list into the heap; false if there is none.
    // Not inlined, for the same reason as `sift_down`.
    #[inline(never)]
    fn advance(&mut self) -> bool {
        // All lists below the current one are empty.
        let first = self.current / 64;
        let occupied = self.occupied[first..].iter().position(|&word| word != 0);
        let Some(word) = occupied.map(|word| first + word) else { return false };
        let bucket = word * 64 + self.occupied[word].trailing_zeros() as usize;
        self.occupied[word] &= self.occupied[word] - 1;
        let mut at = self.heads[bucket];
        self.current = bucket;
        if bucket == FAR {
            return self.rebase(at);
        }
        while let Some((entry, next)) = self.pool.get_mut(at as usize) {
            self.heap.push(*entry);
            let next = std::mem::replace(next, self.unused);
            self.unused = std::mem::replace(&mut at, next);
        }
        // In jump point search most lists hold one entry, and there is nothing to sift.
        for parent in (0..(self.heap.len() - 1).div_ceil(ARITY)).rev() {
            sift_down(&mut self.heap, parent);
        }
        true
    }

    /// Moves the buckets up to where the entries beyond the last one begin, and redistributes
    /// these.
    #[cold]
    fn rebase(&mut self, far: u32) -> bool {
        self.base = C::MAX;
        let mut at = far;
        while let Some(&(entry, next)) = self.pool.get(at as usize) {
            self.base = self.base.min(entry.total);
            at = next;
        }
        self.current = 0;
        at = far;
        while let Some(&mut (entry, ref mut link)) = self.pool.get_mut(at as usize) {
            let next = std::mem::replace(link, self.unused);
            self.unused = std::mem::replace(&mut at, next);
            self.deal(entry);
        }
        true
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        (self.stack.capacity() + self.heap.capacity()) * size_of::<Entry<C>>()
            + self.pool.capacity() * size_of::<(Entry<C>, u32)>()
            + self.heads.capacity() * 4
    }
}

/// Moves the last entry up to its place.
#[inline]
fn sift_up<C: Cost>(heap: &mut [Entry<C>]) {
    let Some(&entry) = heap.last() else { return };
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / ARITY;
        if heap[parent].total <= entry.total {
            break;
        }
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = entry;
}

/// Moves the entry at `at` down to its place.
/// Not inlined: [`Open::pop`] would then be too large to be inlined itself, which costs A* 5 %.
#[inline(never)]
fn sift_down<C: Cost>(heap: &mut [Entry<C>], mut at: usize) {
    let Some(&entry) = heap.get(at) else { return };
    loop {
        let child = at * ARITY + 1;
        let least = if let Some(four) = heap.get(child..child + ARITY) {
            let left = usize::from(four[1].total < four[0].total);
            let right = 2 + usize::from(four[3].total < four[2].total);
            child + if four[right].total < four[left].total { right } else { left }
        } else {
            let Some(some) = heap.get(child..) else { break };
            let Some(offset) = (0..some.len()).min_by_key(|&i| some[i].total) else { break };
            child + offset
        };
        if heap[least].total >= entry.total {
            break;
        }
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = entry;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn pops_totals_in_order_whatever_the_order_of_pushes() {
        let mut open = Open::<u32>::default();
        let mut random = Random::new(7);
        for round in 0..300 {
            open.begin([1, 5, 5741, 100_000][round % 4]);
            let spread = [10, 1_000, 1_000_000, 4_000_000_000][random.below(4) as usize];
            let mut totals = Vec::new();
            for _ in 0..random.below(2000) {
                if random.chance(1, 3) && !totals.is_empty() {
                    totals.sort_unstable();
                    assert_eq!(open.pop().map(|entry| entry.total), Some(totals.remove(0)));
                } else {
                    let total = random.below(spread) as u32;
                    totals.push(total);
                    open.push(Entry { total, g: 0, node: 0 });
                }
                assert_eq!(open.len(), totals.len());
            }
            totals.sort_unstable();
            let popped: Vec<_> = std::iter::from_fn(|| open.pop()).map(|e| e.total).collect();
            assert_eq!(popped, totals);
        }
    }

    #[test]
    fn of_equally_good_entries_the_last_comes_first() {
        let mut open = Open::<u32>::default();
        open.begin(5741);
        for node in 0..5 {
            open.push(Entry { total: 100, g: 0, node });
        }
        open.push(Entry { total: 101, g: 0, node: 9 });
        let nodes: Vec<_> = std::iter::from_fn(|| open.pop()).map(|e| e.node).collect();
        assert_eq!(nodes, [4, 3, 2, 1, 0, 9]);
    }
}
