//! The open list: buckets of the total cost in front of a small 4-ary heap.
//!
//! Keys are packed integers, total first. Entries whose total lies in the lowest bucket are in the
//! heap, all others in one unsorted list per bucket, which is turned into the heap when its time
//! comes. The order of pops is exactly that of one big heap, but most entries are pushed in a few
//! instructions and sifted only through the few dozen entries of their own bucket.
//!
//! There is no decrease-key: a node that improves is pushed again, and its old entry is recognised
//! when popped because its `g` no longer equals the node's.

use crate::cost::Cost;

/// A priority queue of nodes.
#[derive(Debug)]
pub(crate) struct Open<C: Cost> {
    /// The entries up to the end of the bucket `current`.
    heap: Vec<(C::Key, u32)>,
    /// All other entries, linked into lists.
    pool: Vec<Link<C>>,
    /// The first unused entry of the pool.
    unused: u32,
    /// The first entry of each bucket's list; the last one is for everything beyond the others.
    heads: Vec<u32>,
    /// Which lists are not empty, one bit each.
    occupied: [u64; BUCKETS / 64],
    /// The smallest total of bucket 0, and log2 of the width of a bucket.
    base: u64,
    shift: u32,
    current: usize,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Link<C: Cost> {
    key: C::Key,
    node: u32,
    next: u32,
}

const BUCKETS: usize = 1024;
const FAR: usize = BUCKETS - 1;
const NONE: u32 = u32::MAX;
const ARITY: usize = 4;

impl<C: Cost> Default for Open<C> {
    fn default() -> Self {
        Self {
            heap: Vec::new(),
            pool: Vec::new(),
            unused: NONE,
            heads: Vec::new(),
            occupied: [0; BUCKETS / 64],
            base: u64::MAX,
            shift: 0,
            current: 0,
            len: 0,
        }
    }
}

impl<C: Cost> Open<C> {
    /// Empties the list for a search whose straight steps cost `step`: a bucket is an eighth to a
    /// quarter of that wide.
    pub fn begin(&mut self, step: u64) {
        self.heap.clear();
        self.pool.clear();
        self.unused = NONE;
        self.heads.clear();
        self.heads.resize(BUCKETS, NONE);
        self.occupied = [0; BUCKETS / 64];
        self.base = u64::MAX;
        self.shift = (step / 4).checked_ilog2().unwrap_or(0);
        self.current = 0;
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, key: C::Key, node: u32) {
        self.len += 1;
        let total = C::total_of(key).to_u64();
        if self.base == u64::MAX {
            self.base = total;
        }
        // A total below the base (the heuristic was not consistent) belongs to the heap too.
        let bucket = (total.saturating_sub(self.base) >> self.shift).min(FAR as u64) as usize;
        if bucket <= self.current {
            self.heap.push((key, node));
            sift_up::<C>(&mut self.heap);
        } else {
            self.put_aside(bucket, key, node);
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(C::Key, u32)> {
        if self.heap.is_empty() && !self.advance() {
            return None;
        }
        self.len -= 1;
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first_mut() else { return Some(last) };
        let least = std::mem::replace(first, last);
        sift_down::<C>(&mut self.heap, 0);
        Some(least)
    }

    #[inline]
    fn put_aside(&mut self, bucket: usize, key: C::Key, node: u32) {
        let head = &mut self.heads[bucket];
        let link = Link { key, node, next: *head };
        if let Some(slot) = self.pool.get_mut(self.unused as usize) {
            *head = self.unused;
            self.unused = slot.next;
            *slot = link;
        } else {
            *head = self.pool.len() as u32;
            self.pool.push(link);
        }
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
    }

    /// Makes the lowest list that is not empty the heap; false if there is none.
    fn advance(&mut self) -> bool {
        let Some(word) = self.occupied.iter().position(|&word| word != 0) else { return false };
        let bucket = word * 64 + self.occupied[word].trailing_zeros() as usize;
        self.occupied[word] &= self.occupied[word] - 1;
        let mut at = std::mem::replace(&mut self.heads[bucket], NONE);
        self.current = bucket;
        if bucket == FAR {
            self.rebase(at);
            return true;
        }
        while let Some(link) = self.pool.get_mut(at as usize) {
            self.heap.push((link.key, link.node));
            let next = std::mem::replace(&mut link.next, self.unused);
            self.unused = std::mem::replace(&mut at, next);
        }
        for parent in (0..(self.heap.len() + ARITY - 2) / ARITY).rev() {
            sift_down::<C>(&mut self.heap, parent);
        }
        true
    }

    /// Deals the entries that were beyond the last bucket out anew.
    #[cold]
    fn rebase(&mut self, far: u32) {
        let total = |link: &Link<C>| C::total_of(link.key).to_u64();
        let mut at = far;
        self.base = u64::MAX;
        while let Some(link) = self.pool.get(at as usize) {
            self.base = self.base.min(total(link));
            at = link.next;
        }
        self.current = 0;
        at = far;
        while let Some(link) = self.pool.get_mut(at as usize) {
            let Link { key, node, next } = *link;
            link.next = std::mem::replace(&mut self.unused, at);
            self.len -= 1;
            self.push(key, node);
            at = next;
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<(C::Key, u32)>()
            + self.pool.capacity() * size_of::<Link<C>>()
            + self.heads.capacity() * 4
    }
}

/// Moves the last entry up to its place.
#[inline]
fn sift_up<C: Cost>(heap: &mut [(C::Key, u32)]) {
    let Some(&entry) = heap.last() else { return };
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / ARITY;
        if heap[parent].0 <= entry.0 {
            break;
        }
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = entry;
}

/// Moves the entry at `at` down to its place.
#[inline]
fn sift_down<C: Cost>(heap: &mut [(C::Key, u32)], mut at: usize) {
    let entry = heap[at];
    loop {
        let child = at * ARITY + 1;
        // Four children have a known length: no bounds checks inside.
        let least = if let Some(four) = heap.get(child..child + ARITY) {
            let left = usize::from(four[1].0 < four[0].0);
            let right = 2 + usize::from(four[3].0 < four[2].0);
            child + if four[right].0 < four[left].0 { right } else { left }
        } else {
            let Some(some) = heap.get(child..) else { break };
            let Some(offset) = (0..some.len()).min_by_key(|&i| some[i].0) else { break };
            child + offset
        };
        if heap[least].0 >= entry.0 {
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
    fn pops_in_order_whatever_the_order_of_pushes() {
        let mut open = Open::<u32>::default();
        let mut random = Random::new(7);
        for round in 0..300 {
            open.begin([1, 5, 5741, 100_000][round % 4]);
            let spread = [10, 1_000, 1_000_000, 4_000_000_000][random.below(4) as usize];
            let mut keys = Vec::new();
            for _ in 0..random.below(2000) {
                if random.chance(1, 3) && !keys.is_empty() {
                    keys.sort_unstable();
                    assert_eq!(open.pop().map(|entry| entry.0), Some(keys.remove(0)));
                } else {
                    let key = u32::key(random.below(spread) as u32, random.below(9) as u32);
                    keys.push(key);
                    open.push(key, 0);
                }
                assert_eq!(open.len(), keys.len());
            }
            keys.sort_unstable();
            let popped: Vec<_> = std::iter::from_fn(|| open.pop()).map(|entry| entry.0).collect();
            assert_eq!(popped, keys);
        }
    }
}
