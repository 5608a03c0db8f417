//! What an agent has learned: better estimates of the cost to the goal than the heuristic's.
//!
//! Learned values live in the scratch memory and are forgotten at `begin`, unless the query says
//! [`Query::keep_learning`](crate::Query::keep_learning) and they are still true: learned by the same
//! planner, on the same version of the map, for the same goal, from the same heuristic. Then an agent
//! that is asked to go to that goal again, from wherever it is now, knows what it learned on its way
//! before.

use crate::Heuristic;
use crate::engine::nodes::NodeTable;
use crate::rules::cost::Cost;

/// What learned values hold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// [`Task::planner`](crate::engine::scratch::Task::planner).
    pub planner: u64,
    /// The version of the map.
    pub version: u64,
    /// The node of the goal.
    pub goal: u32,
    pub heuristic: Heuristic,
}

/// Estimates that were learned, by node.
#[derive(Debug)]
pub(crate) struct Learned<C: Cost> {
    values: NodeTable<C>,
    subject: Option<Subject>,
}

impl<C: Cost> Default for Learned<C> {
    fn default() -> Self {
        Self { values: NodeTable::default(), subject: None }
    }
}

impl<C: Cost> Learned<C> {
    /// Makes ready for nodes below `count`, with what was learned about the same subject if it is to be
    /// kept.
    pub fn begin(&mut self, count: usize, subject: Subject, keep: bool) {
        if !keep || self.subject != Some(subject) {
            self.values.begin(count);
            self.subject = Some(subject);
        }
    }

    /// The learned value of a node.
    #[inline]
    pub fn get(&self, node: u32) -> Option<C> {
        self.values.get(node).map(|value| value.0)
    }

    /// Learns a value.
    #[inline]
    pub fn set(&mut self, node: u32, value: C) {
        self.values.set(node, value, 0);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.values.bytes()
    }
}
