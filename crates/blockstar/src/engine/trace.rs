//! An optional record of what a search did, in order, for pictures and replay.

use crate::{Point, Rect};

/// One step of a search. Costs are in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A node was reached for the first time and put on the open list.
    Opened {
        /// Where the node is.
        at: Point,
        /// The cost to it.
        g: f64,
        /// The priority it was queued with.
        f: f64,
    },
    /// A known node was reached at a lower cost and put on the open list again.
    Improved {
        /// Where the node is.
        at: Point,
        /// The lower cost.
        g: f64,
        /// The priority it was queued with.
        f: f64,
    },
    /// A block of cells was taken from the open list; the boundary points that it was entered by,
    /// or whose cost fell, follow as [`Event::Improved`].
    Block {
        /// The cells of the block.
        rect: Rect,
        /// The priority it had.
        f: f64,
    },
    /// The agent of a real-time planner made a move.
    Moved {
        /// Where it is now.
        at: Point,
    },
    /// A node was taken from the open list and its successors were looked at.
    Expanded {
        /// Where the node is.
        at: Point,
        /// The cost to it.
        g: f64,
        /// The priority it had.
        f: f64,
    },
}

/// A bounded list of [`Event`]s; see [`Scratch::record`](crate::Scratch::record).
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    limit: usize,
    dropped: u64,
}

impl Trace {
    pub(crate) fn with_limit(limit: usize) -> Self {
        Self { events: Vec::new(), limit, dropped: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }

    pub(crate) fn push(&mut self, event: Event) {
        if self.events.len() < self.limit {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }

    /// Gives back the memory that is not in use.
    pub(crate) fn shrink(&mut self) {
        self.events.shrink_to_fit();
    }

    /// Bytes of heap memory.
    pub(crate) fn bytes(&self) -> usize {
        self.events.capacity() * size_of::<Event>()
    }

    /// The events in the order they happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many events came after the list was full.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}
