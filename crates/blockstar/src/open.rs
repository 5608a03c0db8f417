//! The open list: a 4-ary heap of packed keys.
//!
//! Four children lie in one cache line and the tree is half as deep as a binary one. There is no
//! decrease-key: a node that improves is pushed again, and its old entry is recognised when popped
//! because its `g` no longer equals the node's.

use crate::cost::Cost;

/// A priority queue of nodes.
#[derive(Debug)]
pub(crate) struct Open<C: Cost> {
    entries: Vec<(C::Key, u32)>,
}

impl<C: Cost> Default for Open<C> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

const ARITY: usize = 4;

impl<C: Cost> Open<C> {
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The smallest key, without taking it.
    pub fn peek(&self) -> Option<C::Key> {
        self.entries.first().map(|entry| entry.0)
    }

    #[inline]
    pub fn push(&mut self, key: C::Key, node: u32) {
        let mut at = self.entries.len();
        self.entries.push((key, node));
        let entries = &mut self.entries[..];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if entries[parent].0 <= key {
                break;
            }
            entries[at] = entries[parent];
            at = parent;
        }
        entries[at] = (key, node);
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(C::Key, u32)> {
        let last = self.entries.pop()?;
        let entries = &mut self.entries[..];
        let Some(&first) = entries.first() else { return Some(last) };
        let mut at = 0;
        loop {
            let child = at * ARITY + 1;
            // The full-node case works on an array of known length: no bounds checks inside.
            let least = if let Some(four) = entries.get(child..child + ARITY) {
                let left = usize::from(four[1].0 < four[0].0);
                let right = 2 + usize::from(four[3].0 < four[2].0);
                child + if four[right].0 < four[left].0 { right } else { left }
            } else {
                let Some(some) = entries.get(child..) else { break };
                let Some(offset) = (0..some.len()).min_by_key(|&i| some[i].0) else { break };
                child + offset
            };
            if entries[least].0 >= last.0 {
                break;
            }
            entries[at] = entries[least];
            at = least;
        }
        entries[at] = last;
        Some(first)
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(C::Key, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_order_whatever_the_order_of_pushes() {
        let mut open = Open::<u32>::default();
        let mut state = 1u32;
        for size in 0..200 {
            let mut keys = Vec::new();
            for _ in 0..size {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                keys.push(u64::from(state >> 20));
                open.push(u64::from(state >> 20), state);
            }
            keys.sort_unstable();
            let popped: Vec<_> = std::iter::from_fn(|| open.pop()).map(|entry| entry.0).collect();
            assert_eq!(popped, keys);
            assert_eq!(open.len(), 0);
        }
    }
}
