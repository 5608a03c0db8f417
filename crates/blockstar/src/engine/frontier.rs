//! The open list and the node table of one direction of a search.

use crate::engine::memory_pool::SearchMemory;
use crate::engine::nodes::NodeTable;
use crate::engine::open_list::Open;
use crate::rules::cost::Cost;

/// What a best-first search knows and what it has yet to expand.
#[derive(Debug)]
pub(crate) struct Frontier<C: Cost> {
    pub nodes: NodeTable<C>,
    pub open: Open<C>,
    /// Which nodes were reached from which, in this order, if steps are not one cell long. Not a
    /// table by node: that would be one more cache miss per node, a seventh of the time of jump
    /// point search.
    pub links: Vec<Link>,
    /// Whether a successor was left out because it cost more than the query permits.
    pub pruned: bool,
}

/// A node and the one that it was reached from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub node: u32,
    pub parent: u32,
}

/// A second frontier, for searches that run from both ends or look back from where they have got
/// to.
#[derive(Debug, Default)]
pub(crate) struct Backward<C: Cost>(pub Frontier<C>);

impl<C: Cost> Default for Frontier<C> {
    fn default() -> Self {
        Self {
            nodes: NodeTable::default(),
            open: Open::default(),
            links: Vec::new(),
            pruned: false,
        }
    }
}

impl<C: Cost> Frontier<C> {
    /// Forgets everything and makes room for nodes below `count`; `step` is the cost of a straight
    /// step.
    pub fn begin(&mut self, count: usize, step: C) {
        self.nodes.begin(count);
        self.open.begin(step);
        self.links.clear();
        self.pruned = false;
    }

    /// The same for a search that asks for the parents of nodes as it goes.
    pub fn begin_with_parents(&mut self, count: usize, step: C) {
        self.begin(count, step);
        self.nodes.make_parents(count);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.bytes() + self.links.capacity() * size_of::<Link>()
    }
}

impl<C: Cost> SearchMemory for Frontier<C> {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl<C: Cost> SearchMemory for Backward<C> {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
