//! The versions of a map, and the edits between them.
//!
//! Versions come from one counter of the whole process, so two grids never share one. The list of
//! edits is bounded; a planner that is further behind looks at the whole map.

use crate::Rect;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// The edits kept for [`Grid::changes_since`].
#[derive(Clone, Debug)]
pub(super) struct EditLog {
    /// The version before the oldest kept edit.
    base: u64,
    edits: VecDeque<(u64, Rect)>,
}

/// How many edits are kept. A planner that is further behind looks at the whole map.
pub(super) const KEPT_EDITS: usize = 4096;

fn next_version() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl EditLog {
    pub fn new() -> Self {
        Self { base: next_version(), edits: VecDeque::new() }
    }

    pub fn version(&self) -> u64 {
        self.edits.back().map_or(self.base, |edit| edit.0)
    }

    pub fn push(&mut self, rect: Rect) {
        if self.edits.len() == KEPT_EDITS {
            self.base = self.edits.pop_front().map_or(self.base, |edit| edit.0);
        }
        self.edits.push_back((next_version(), rect));
    }

    pub fn since(&self, version: u64) -> Option<impl Iterator<Item = Rect> + '_> {
        let first = if version == self.base {
            0
        } else {
            self.edits.binary_search_by_key(&version, |edit| edit.0).ok()? + 1
        };
        Some(self.edits.range(first..).map(|edit| edit.1))
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.edits.capacity() * size_of::<(u64, Rect)>()
    }
}
