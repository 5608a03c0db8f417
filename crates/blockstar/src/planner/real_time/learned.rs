//! What an agent has learned: estimates of the cost to the goal that are better than the
//! heuristic's.
//!
//! Learned values are kept with the search memory. A new query forgets them, unless it asks for
//! [`Query::keep_learning`](crate::Query::keep_learning) and they still hold: same planner, same
//! version of the map, same goal, same heuristic. An agent sent to the same goal again, from
//! wherever it is now, then remembers what it learned before.

use crate::Heuristic;
use crate::engine::Problem;
use crate::engine::nodes::NodeTable;
use crate::rules::cost::Cost;

/// What learned values hold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subject {
    planner: u64,
    /// The version of the map.
    version: u64,
    /// The node of the goal.
    goal: u32,
    heuristic: Heuristic,
}

/// Learned estimates by node.
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
    /// Gets ready to learn about the way to the node `goal`. With `keep`, values that were learned
    /// about it before stay.
    pub fn begin(&mut self, problem: &Problem<'_>, goal: u32, keep: bool) {
        let (planner, version) = (problem.task.planner, problem.task.version);
        let subject = Subject { planner, version, goal, heuristic: problem.heuristic() };
        if !keep || self.subject != Some(subject) {
            self.values.begin(problem.grid.rows().positions());
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
