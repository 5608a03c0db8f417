//! The same question again, on a map that has changed somewhere else.
//!
//! A search depends only on the blocks it entered and on what lies next to them. If no edit since
//! then is there, the same search on the new map would leave the same costs behind, so these are
//! taken as they are, and only the path is read from them and smoothed. There is nothing in
//! between: an edit where the search has been means a new search.
//!
//! Measured on ten large Dragon Age maps, with 30 queries evenly spread over each scenario, each
//! asked again after k random cells changed: with k = 1, 84 % of the searches are saved and
//! everything together takes 0.36 (`eight`) or 0.35 (`any-angle`) of the time; with 10, 29 % and
//! 0.8 to 0.9; with 100, 4 %. `blockstar bench MAP… --planner block-astar --edits 1,10,100 --limit
//! 30 --reuse` counts the searches saved and times the answers; without `--reuse` it times the same
//! answers by new searches.

use super::blocks::{BlockGrid, every_block};
use super::memory::BlockMemory;
use crate::engine::gate::Task;
use crate::engine::{Problem, SearchMemory, Slice};
use crate::planner::block::tables::{BlockSize, Distance};
use crate::{Grid, Rect};

/// The last search that reached its goal, as long as its costs are in memory: any other search of
/// this planner, on any kind of distance, takes it out.
#[derive(Debug, Default)]
pub(super) struct LastSearch(Option<FinishedSearch>);

/// A search that reached its goal.
#[derive(Clone, Debug)]
pub(super) struct FinishedSearch {
    task: Task,
    /// Whether there was terrain, which decides the kind of distance.
    terrain: bool,
    least_factor: u16,
}

impl SearchMemory for LastSearch {
    fn bytes(&self) -> usize {
        0
    }
}

impl LastSearch {
    /// Keeps a search that has reached its goal.
    pub fn keep(&mut self, problem: &Problem<'_>) {
        let Problem { grid, task, .. } = *problem;
        let (terrain, least_factor) = (grid.has_costs(), grid.least_factor());
        self.0 = Some(FinishedSearch { task: task.clone(), terrain, least_factor });
    }

    /// Whether the search to be used again ran on wide costs, and this one does not yet.
    pub fn needs_wide(&self, problem: &Problem<'_>, slice: &Slice<'_>) -> bool {
        let last = self.0.as_ref().filter(|last| last.may_serve(problem, slice));
        last.is_some_and(|last| last.task.wide && !problem.is_wide())
    }

    /// Takes the search out; it is returned if it answered the same question on the same kind of
    /// cost.
    pub fn take(&mut self, problem: &Problem<'_>, slice: &Slice<'_>) -> Option<FinishedSearch> {
        let last = self.0.take().filter(|last| last.may_serve(problem, slice));
        last.filter(|last| last.task.wide == problem.is_wide())
    }
}

impl FinishedSearch {
    /// Whether it may be used again as far as the question goes. A trace needs a search of its own.
    fn may_serve(&self, problem: &Problem<'_>, slice: &Slice<'_>) -> bool {
        problem.query().wants_reuse() && slice.trace.is_none() && self.asks_the_same(problem)
    }

    /// Whether the same planner was asked the same question, and nothing that concerns the whole
    /// map has changed: only local edits can then make a difference.
    fn asks_the_same(&self, problem: &Problem<'_>) -> bool {
        let (last, task, grid) = (&self.task, problem.task, problem.grid);
        last.planner == task.planner
            && last.query == task.query
            && (last.start, last.goal) == (task.start, task.goal)
            && (last.start_cell, last.goal_cell) == (task.start_cell, task.goal_cell)
            && last.success == task.success
            && self.terrain == grid.has_costs()
            && self.least_factor == grid.least_factor()
    }

    /// Whether no edit since then is where the search has been. What the query avoids is the same,
    /// so that only edits of the map itself count.
    pub fn is_untouched<D: Distance>(
        &self,
        map: &Grid,
        blocks: &BlockGrid<D>,
        memory: &BlockMemory<D>,
    ) -> bool {
        let Some(mut changes) = map.changes_since(self.task.version) else { return false };
        // A search looks at cells next to the blocks it enters, so a block's neighbours count.
        let BlockSize { width, height } = blocks.layout.size();
        changes.all(|rect| {
            let (left, top) = (rect.x.saturating_sub(width), rect.y.saturating_sub(height));
            let right = (rect.x + rect.width + width).min(map.width());
            let bottom = (rect.y + rect.height + height).min(map.height());
            let around = Rect::new(left, top, right - left, bottom - top);
            every_block(blocks, around).all(|block| memory.known(block).is_none())
        })
    }
}
