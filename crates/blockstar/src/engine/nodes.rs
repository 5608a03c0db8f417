//! The node table: best known cost and arrival of every node, reused between searches.
//!
//! An entry belongs to the current search only if it carries its stamp, so beginning a search is
//! one addition instead of clearing the table. With narrow costs an entry is 8 bytes: the cost, and
//! a word with a 27-bit stamp, a closed bit and a 4-bit tag (the direction of arrival).

use crate::rules::cost::Cost;

/// What a search knows about its nodes.
#[derive(Clone, Debug)]
pub(crate) struct NodeTable<C: Cost> {
    slots: Vec<C::Slot>,
    parents: Vec<u32>,
    stamp: u32,
}

impl<C: Cost> Default for NodeTable<C> {
    fn default() -> Self {
        Self { slots: Vec::new(), parents: Vec::new(), stamp: 0 }
    }
}

/// The tag of a node that was not reached from another: a start.
pub(crate) const ROOT: u8 = 8;

const TAG_BITS: u32 = 5;
const CLOSED: u32 = 1 << 4;
const LAST_STAMP: u32 = u32::MAX >> TAG_BITS;

impl<C: Cost> NodeTable<C> {
    /// Forgets everything and makes room for nodes below `count`.
    pub fn begin(&mut self, count: usize) {
        if self.slots.len() < count {
            // A new zeroed vector, not `resize`: the system provides its pages when they are
            // touched.
            self.slots = vec![C::ZERO_SLOT; count];
            self.stamp = 0;
        } else if self.stamp == LAST_STAMP {
            self.slots.fill(C::ZERO_SLOT);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Makes room for parents, for searches that ask for them as they go.
    pub fn make_parents(&mut self, count: usize) {
        if self.parents.len() < count {
            self.parents = vec![0; count];
        }
    }

    /// The cost of a node in this search, and its tag.
    #[inline]
    pub fn get(&self, node: u32) -> Option<(C, u8)> {
        let slot = self.slots[node as usize];
        let meta = C::slot_meta(slot);
        (meta >> TAG_BITS == self.stamp).then(|| (C::slot_g(slot), (meta & 15) as u8))
    }

    /// The cost of a node, or the largest one if it has not been reached.
    #[inline(always)]
    pub fn g(&self, node: u32) -> C {
        let slot = self.slots[node as usize];
        if C::slot_meta(slot) >> TAG_BITS == self.stamp { C::slot_g(slot) } else { C::MAX }
    }

    /// Whether the node has been reached in this search.
    #[inline]
    pub fn is_reached(&self, node: u32) -> bool {
        C::slot_meta(self.slots[node as usize]) >> TAG_BITS == self.stamp
    }

    /// Whether [`NodeTable::close`] was called for the node since it was last improved.
    #[inline]
    pub fn is_closed(&self, node: u32) -> bool {
        let meta = C::slot_meta(self.slots[node as usize]);
        meta >> TAG_BITS == self.stamp && meta & CLOSED != 0
    }

    /// Whether a node of this search is not closed and the upper two bits of its tag are `group`.
    #[inline]
    pub fn is_open(&self, node: u32, group: u8) -> bool {
        let meta = C::slot_meta(self.slots[node as usize]);
        meta & (CLOSED | 12) == u32::from(group) << 2 && meta >> TAG_BITS == self.stamp
    }

    /// Marks a node of this search as closed if the upper two bits of its tag are `group`.
    #[inline]
    pub fn close_if(&mut self, node: u32, group: u8) {
        let slot = &mut self.slots[node as usize];
        let (g, meta) = (C::slot_g(*slot), C::slot_meta(*slot));
        let closed = if meta & 12 == u32::from(group) << 2 { CLOSED } else { 0 };
        *slot = C::slot(g, meta | closed);
    }

    /// Notes a cost and tag for a node if that is less than its cost so far.
    #[inline]
    pub fn lower(&mut self, node: u32, g: C, tag: u8) {
        if g < self.g(node) {
            self.set(node, g, tag);
        }
    }

    /// Lowers the costs of a run of nodes, `step` apart from `node` on, to those given, and tags
    /// them. A cost that does not improve its node is replaced by the largest one.
    ///
    /// Neighbours of the run, the nodes before and after it included, are a `straight` step apart:
    /// a cost that exceeds a known one plus the steps from there is not worth noting.
    ///
    /// Returns the first and the last node that improved and were not undercut from either end, if
    /// there are any, and whether an improved one had been reached before.
    #[inline]
    pub fn lower_run(
        &mut self,
        mut node: u32,
        step: i32,
        costs: &mut [C],
        straight: C,
        tag: u8,
    ) -> Option<(usize, usize, bool)> {
        let (slots, stamp) = (&mut self.slots[..], self.stamp);
        let tagged = stamp << TAG_BITS | u32::from(tag);
        let known = |slot: C::Slot| {
            if C::slot_meta(slot) >> TAG_BITS == stamp { C::slot_g(slot) } else { C::MAX }
        };
        // The cost of coming along the run; a step from an unreached node costs too much.
        let passed = |cost: C| cost.min(C::MAX - straight) + straight;
        let mut along = passed(known(slots[node.wrapping_add_signed(-step) as usize]));
        let (mut last, mut again) = (None, false);
        for (i, cost) in costs.iter_mut().enumerate() {
            let (g, slot) = (*cost, &mut slots[node as usize]);
            let before = known(*slot);
            if g < before && g <= along {
                *slot = C::slot(g, tagged);
                (last, again) = (Some(i), again | (before != C::MAX));
            } else {
                *cost = C::MAX;
            }
            along = along.min(before).min(g) + straight;
            node = node.wrapping_add_signed(step);
        }
        let mut last = last?;
        let mut along = passed(known(slots[node as usize]));
        for _ in last + 1..costs.len() {
            node = node.wrapping_add_signed(-step);
            along = passed(along.min(known(slots[node as usize])));
        }
        while costs[last] > along {
            along = passed(along);
            last = last.checked_sub(1)?;
        }
        let first = costs[..=last].iter().position(|&cost| cost != C::MAX)?;
        Some((first, last, again))
    }

    /// Marks a node as closed.
    #[inline]
    pub fn close(&mut self, node: u32) {
        let slot = &mut self.slots[node as usize];
        *slot = C::slot(C::slot_g(*slot), C::slot_meta(*slot) | CLOSED);
    }

    /// Notes a cost and tag for a node.
    #[inline]
    pub fn set(&mut self, node: u32, g: C, tag: u8) {
        self.slots[node as usize] = C::slot(g, self.stamp << TAG_BITS | u32::from(tag));
    }

    #[inline]
    pub fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    #[inline]
    pub fn set_parent(&mut self, node: u32, parent: u32) {
        self.parents[node as usize] = parent;
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<C::Slot>() + self.parents.len() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_knows_nothing_of_the_last() {
        let mut nodes = NodeTable::<u32>::default();
        nodes.begin(10);
        nodes.set(3, 7, 2);
        nodes.close(3);
        assert_eq!(nodes.get(3), Some((7, 2)));
        assert!(nodes.is_closed(3) && !nodes.is_closed(4));
        nodes.begin(10);
        assert_eq!(nodes.get(3), None);
        assert_eq!(nodes.g(3), u32::MAX);
        assert!(!nodes.is_closed(3));
    }

    #[test]
    fn a_run_is_lowered_where_no_neighbour_undercuts_it() {
        let mut nodes = NodeTable::<u32>::default();
        nodes.begin(20);
        // Every second node is in the run 4, 6, … 14; 2 and 16 are its neighbours.
        for (node, g) in [(2, 5), (8, 60), (10, 49), (16, 31)] {
            nodes.set(node, g, 1);
        }
        let mut costs = [15, 26, 45, 50, 52, 52];
        // 6 is undercut by 4, 8 by 6 in turn, and 10 does not improve; 12 and 14 from behind.
        assert_eq!(nodes.lower_run(4, 2, &mut costs, 10, 8), Some((0, 0, false)));
        assert_eq!(nodes.get(4), Some((15, 8)));
        assert_eq!([nodes.g(6), nodes.g(8), nodes.g(10)], [u32::MAX, 60, 49]);
        assert_eq!(nodes.lower_run(4, 2, &mut [15, 15, 15], 10, 8), Some((1, 2, true)));
        assert_eq!(nodes.lower_run(4, 2, &mut [15, 15, 15], 10, 8), None);
    }

    #[test]
    fn the_stamp_may_wrap_around() {
        let mut nodes = NodeTable::<u64>::default();
        nodes.begin(4);
        nodes.set(1, 5, 0);
        nodes.stamp = LAST_STAMP;
        nodes.begin(4);
        assert_eq!(nodes.stamp, 1);
        assert_eq!(nodes.get(1), None);
    }
}
