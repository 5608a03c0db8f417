//! The same question again, on a map that has changed somewhere else.
//!
//! A search depends on nothing but the blocks it came to and what lies next to these. If no edit since
//! then is there, the same search on the new map would leave the same costs behind, so they are taken
//! as they are, and only the path is read from them and smoothed. There is nothing in between: an edit
//! where the search has been means a new search.
//!
//! Measured on ten large Dragon Age maps, 30 queries evenly spread over each scenario, each asked again after
//! k random cells changed: for k = 1 84 % of the searches are spared and all together takes 0.36 (`eight`)
//! or 0.35 (`any-angle`) of the time, for 10 29 % and 0.8 to 0.9, for 100 4 %. `blockstar bench MAP… --planner
//! block-astar --edits 1,10,100 --limit 30 --reuse` counts the searches spared and times the answers; without
//! `--reuse` it times the same answers by new searches.

use super::blocks::{Frame, every_block};
use super::field::Field;
use crate::engine::scratch::Task;
use crate::planner::block::tables::Measure;
use crate::{Grid, Rect};

/// A search that reached its goal, and is still in memory.
#[derive(Clone, Debug)]
pub(super) struct Last {
    task: Task,
    /// Whether there is terrain: it decides which memory is used.
    terrain: bool,
    least_factor: u16,
}

impl Last {
    pub fn new(task: &Task, grid: &Grid) -> Self {
        let (terrain, least_factor) = (grid.has_costs(), grid.least_factor());
        Self { task: task.clone(), terrain, least_factor }
    }

    /// Whether this is the same question to the same planner, so that only the map can make a
    /// difference, and by all that is not local it makes none.
    pub fn asks_the_same(&self, task: &Task, grid: &Grid) -> bool {
        let Self { task: last, terrain, least_factor } = self;
        last.planner == task.planner
            && last.query == task.query
            && (last.start, last.goal) == (task.start, task.goal)
            && (last.start_cell, last.goal_cell) == (task.start_cell, task.goal_cell)
            && last.success == task.success
            && *terrain == grid.has_costs()
            && *least_factor == grid.least_factor()
    }

    /// Whether the costs of the search were wide ones.
    pub fn is_wide(&self) -> bool {
        self.task.wide
    }

    /// Whether no edit since the search is where it has been.
    pub fn is_untouched<D: Measure>(
        &self,
        grid: &Grid,
        frame: &Frame<D>,
        field: &Field<D>,
    ) -> bool {
        let Some(mut changes) = grid.changes_since(self.task.version) else { return false };
        // A search looks at cells next to the blocks it comes to, so a block's neighbours count.
        let side = frame.layout.side();
        changes.all(|rect| {
            let (left, top) = (rect.x.saturating_sub(side), rect.y.saturating_sub(side));
            let right = (rect.x + rect.width + side).min(grid.width());
            let bottom = (rect.y + rect.height + side).min(grid.height());
            let around = Rect::new(left, top, right - left, bottom - top);
            every_block(frame, around).all(|block| field.known(block).is_none())
        })
    }
}
