//! Search memory: the costs of boundary points, block by block.

use super::blocks::each_bit;
use crate::Point;
use crate::engine::SearchMemory;
use crate::planner::block::tables::{Content, Distance, MAX_SIDE, MAX_SLOTS, MakerMemory, Table};
use crate::rules::cost::Cost;

/// What is known of a block in one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<K> {
    /// The search this belongs to.
    stamp: u32,
    /// Whether the block has been expanded.
    pub expanded: bool,
    /// Whether it holds costs straight from the start that have not been passed on yet.
    pub seeded: bool,
    /// The slots that have improved since the block was last expanded.
    pub entered: u64,
    /// Its key in the queue; the maximum if it is not queued.
    pub key: K,
}

/// The distances between an end of the path and the slots of a block it touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct End<D> {
    pub block: u32,
    pub distances: [D; MAX_SLOTS],
    /// For corners: the first place on the way to each slot, as a row of the block's table.
    pub via: [u16; MAX_SLOTS],
}

impl<D: Distance> End<D> {
    pub fn new(block: u32) -> Self {
        Self { block, distances: [D::FAR; MAX_SLOTS], via: [0; MAX_SLOTS] }
    }
}

/// How the best path so far arrives at the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arrival {
    /// Not at all.
    None,
    /// Inside one block, along the points in [`BlockMemory::inside`].
    Inside,
    /// From a slot of the goal's block with this index.
    From { goal: usize, slot: usize },
}

/// Search memory for one kind of distance.
#[derive(Debug)]
pub(super) struct BlockMemory<D: Distance> {
    stamp: u32,
    marks: Vec<Mark<D::Key>>,
    /// The costs of each block's slots, a row per block.
    costs: Vec<D>,
    lanes: usize,
    pub(super) best: D,
    pub(super) arrival: Arrival,
    /// Whether something was left out because it cost more than the query permits.
    pub(super) pruned: bool,
    pub(super) starts: Vec<End<D>>,
    pub(super) goals: Vec<End<D>>,
    pub(super) inside: Vec<Point>,
    pub(super) chain: Vec<Point>,
    /// For ways inside one block: each place's cost, whether it is final, and the place before.
    pub(super) places: Vec<(f64, bool, usize)>,
    pub(super) flood: Vec<D>,
    pub(super) content: Content,
    pub(super) maker: MakerMemory<D>,
    /// Where a table is made for a block that has none in store.
    pub(super) table: Table<D>,
}

impl<D: Distance> Default for BlockMemory<D> {
    fn default() -> Self {
        Self {
            stamp: 0,
            marks: Vec::new(),
            costs: Vec::new(),
            lanes: 0,
            best: D::FAR,
            arrival: Arrival::None,
            pruned: false,
            starts: Vec::new(),
            goals: Vec::new(),
            inside: Vec::new(),
            chain: Vec::new(),
            places: Vec::new(),
            flood: Vec::new(),
            content: Content::default(),
            maker: MakerMemory::default(),
            table: Table::default(),
        }
    }
}

impl<D: Distance> BlockMemory<D> {
    /// Forgets everything and makes room for `blocks` blocks.
    pub(super) fn begin(&mut self, blocks: usize, lanes: usize) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.clear();
            self.stamp = 1;
        }
        let unknown = Mark {
            stamp: 0,
            expanded: false,
            seeded: false,
            entered: 0,
            key: <D::Key as Cost>::MAX,
        };
        if self.marks.len() < blocks {
            self.marks.resize(blocks, unknown);
        }
        // The last side of the last block is read in whole vectors, too.
        let costs = blocks * lanes + MAX_SIDE as usize;
        if self.costs.len() < costs {
            // A new zeroed vector, not `resize`: the pages come from the system when touched.
            self.costs = vec![D::ZERO; costs];
        }
        self.lanes = lanes;
        self.best = D::FAR;
        self.arrival = Arrival::None;
        self.pruned = false;
        self.starts.clear();
        self.goals.clear();
        self.inside.clear();
    }

    /// A block's mark. On first use in a search nothing in the block is reached, and the slots
    /// outside `doors` are closed.
    #[inline(always)]
    pub(super) fn touch(&mut self, block: u32, doors: u64) -> &mut Mark<D::Key> {
        let mark = &mut self.marks[block as usize];
        if mark.stamp != self.stamp {
            *mark = Mark {
                stamp: self.stamp,
                expanded: false,
                seeded: false,
                entered: 0,
                key: <D::Key as Cost>::MAX,
            };
            let row = &mut self.costs[block as usize * self.lanes..][..self.lanes];
            row.fill(D::FAR);
            if !D::CELLS {
                // So is everything behind the last slot.
                let slots = u64::MAX >> (64 - self.lanes);
                each_bit(!doors & slots).for_each(|slot| row[slot] = D::CLOSED);
            }
        }
        mark
    }

    /// The mark of a block that has been touched.
    #[inline(always)]
    pub(super) fn mark(&mut self, block: u32) -> &mut Mark<D::Key> {
        &mut self.marks[block as usize]
    }

    /// The costs of a block's slots, if the search has got there.
    #[inline]
    pub(super) fn known(&self, block: u32) -> Option<&[D]> {
        (self.marks[block as usize].stamp == self.stamp).then(|| self.row(block))
    }

    #[inline]
    pub(super) fn row(&self, block: u32) -> &[D] {
        &self.costs[block as usize * self.lanes..][..self.lanes]
    }

    /// `COUNT` costs from a slot on; those beyond the block's own slots belong to other blocks.
    #[inline]
    pub(super) fn some<const COUNT: usize>(
        &mut self,
        block: u32,
        slot: usize,
    ) -> Option<&mut [D; COUNT]> {
        self.costs[block as usize * self.lanes + slot..].first_chunk_mut()
    }

    #[inline]
    pub(super) fn row_mut(&mut self, block: u32) -> &mut [D] {
        &mut self.costs[block as usize * self.lanes..][..self.lanes]
    }
}

impl<D: Distance> SearchMemory for BlockMemory<D> {
    fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<Mark<D::Key>>()
            + (self.costs.capacity() + self.flood.capacity()) * size_of::<D>()
            + (self.starts.capacity() + self.goals.capacity()) * size_of::<End<D>>()
            + (self.inside.capacity() + self.chain.capacity()) * size_of::<Point>()
            + self.places.capacity() * size_of::<(f64, bool, usize)>()
            + self.maker.bytes()
            + self.table.bytes()
    }
}
