//! The path, recovered from the costs that the search has left: no parents are kept.
//!
//! Costs only ever fall, and rounding preserves the order of sums, so every point reached has a
//! predecessor whose cost plus the way between them is at most the point's own cost; the least such
//! sum is followed back to the start.
//!
//! The walk ends if costs fall on every step, so no way may be so short that rounding swallows it:
//!
//! * Integers are exact.
//! * `f32`, without terrain and up to 4096 cells a side: no way is shorter than 1, and costs are
//!   below 2^24, where numbers are 1 apart at most.
//! * `f64`, on terrain: no way between corners costs less than 2^-8 (the least factor), and costs
//!   are below 2^37 (all of 2^28 cells, 256 times their diagonal), where numbers are 2^-16 apart at
//!   most. In `f32` they would be up to 2^13 apart: on terrain of 255 and 1/256 that sent the walk
//!   back and forth for ever.
//!
//! None of that holds for distances from a forged file, so a step is only taken to a lower cost. If
//! there is none, the walk is given up and the query answers with an error.

use super::estimate::Estimate;
use super::memory::{Arrival, BlockMemory};
use super::search::{BlockSearch, PathEnd};
use crate::planner::block::tables::{FloodEnd, Table};
use crate::rules::moves::step_table;
use crate::rules::slope::Way;
use crate::{Cell, Path, Point, Stats};

/// Where the walk back goes next.
#[derive(Clone, Copy)]
enum Back {
    /// To the start, of this index.
    Start(usize),
    /// To another slot of a block, along a way inside it that ends at slot `to`.
    Slot { block: u32, from: usize, to: usize },
    /// By a step to a cell of another block.
    Step { block: u32, slot: usize },
}

impl<D: Estimate> BlockSearch<'_, D> {
    /// Writes the path from the start to where it is to end; false if the costs contradict each
    /// other.
    #[must_use]
    pub fn write(
        &self,
        end: PathEnd,
        memory: &mut BlockMemory<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) -> bool {
        let whole = match end {
            PathEnd::Goal => self.write_to_goal(memory, path, stats),
            PathEnd::Slot { block, slot } => {
                let at = self.slot_cell(block, slot);
                let at = self.place(at.x, at.y);
                path.push(at);
                at == self.task.start || self.walk_back(block, slot, memory, path, stats)
            }
        };
        path.reverse();
        path.remove_collinear();
        whole
    }

    /// The same for the goal, in reverse.
    fn write_to_goal(
        &self,
        memory: &mut BlockMemory<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) -> bool {
        path.push(self.task.goal);
        match memory.arrival {
            Arrival::None => {}
            Arrival::Inside if D::CELLS => {
                let (from, to) = (self.task.start_cell, self.task.goal_cell);
                self.push_cells(from, to, memory.best, memory, path);
            }
            Arrival::Inside => {
                memory.inside.iter().for_each(|&point| path.push(point));
                path.push(self.task.start);
            }
            Arrival::From { goal, slot } => {
                let block = memory.goals[goal].block;
                if D::CELLS {
                    let from = self.slot_cell(block, slot);
                    let way = memory.goals[goal].distances[slot];
                    self.push_cells(from, self.task.goal_cell, way, memory, path);
                } else {
                    let via = memory.goals[goal].via[slot].into();
                    self.push_end(block, via, slot, memory, path, stats);
                }
                return self.walk_back(block, slot, memory, path, stats);
            }
        }
        true
    }

    fn slot_cell(&self, block: u32, slot: usize) -> Cell {
        let ((left, top), (x, y)) = (self.blocks.origin(block), self.blocks.layout.at(slot));
        Cell::new(left + x, top + y)
    }

    /// Pushes the way from a slot, itself already pushed, back to the start; false if there is
    /// none.
    fn walk_back(
        &self,
        mut block: u32,
        mut slot: usize,
        memory: &mut BlockMemory<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) -> bool {
        let mut cost = memory.row(block)[slot];
        loop {
            let Some((back, before, way)) = self.back(block, slot, cost, memory, stats) else {
                return false;
            };
            cost = before;
            match back {
                Back::Start(index) => {
                    let start = memory.starts[index].block;
                    if D::CELLS {
                        let to = self.slot_cell(block, slot);
                        self.push_cells(self.task.start_cell, to, way, memory, path);
                    } else {
                        let to = self.slot_in(block, slot, start);
                        let via = memory.starts[index].via[to].into();
                        memory.chain.clear();
                        self.chain(start, via, to, memory, stats);
                        memory.chain.iter().rev().skip(1).for_each(|&point| path.push(point));
                        path.push(self.task.start);
                    }
                    return true;
                }
                Back::Step { block: from, slot: there } => {
                    path.push(self.slot_cell(from, there).centre());
                    (block, slot) = (from, there);
                }
                Back::Slot { block: from, from: there, to } => {
                    if D::CELLS {
                        let (from, to) = (self.slot_cell(from, there), self.slot_cell(from, to));
                        self.push_cells(from, to, way, memory, path);
                    } else {
                        memory.chain.clear();
                        self.chain(from, there, to, memory, stats);
                        memory.chain.iter().rev().skip(1).for_each(|&point| path.push(point));
                    }
                    (block, slot) = (from, there);
                }
            }
        }
    }

    /// The way back from a slot of this cost, the lower cost of where it leads, and that of the way.
    fn back(
        &self,
        block: u32,
        slot: usize,
        cost: D,
        memory: &mut BlockMemory<D>,
        stats: &mut Stats,
    ) -> Option<(Back, D, D)> {
        let (mut least, mut back) = (D::FAR, None);
        let mut consider = |before: D, way: D, to: Back| {
            let progress = before < cost || matches!(to, Back::Start(_));
            if before + way < least && progress {
                (least, back) = (before + way, Some((to, before, way)));
            }
        };
        // The blocks that have this point; up to four for corners.
        let mut homes = [(block, slot); 4];
        let mut count = 1;
        if D::CELLS {
            let cell = self.slot_cell(block, slot);
            let bits = self.grid.rows();
            let legal =
                step_table(self.blocks.rules.rule())[bits.around(bits.position(cell.x, cell.y))];
            for link in self.blocks.layout.links(slot) {
                if legal >> link.step & 1 == 0 {
                    continue;
                }
                let from = self.blocks.neighbour(block, link.block);
                let there = usize::from(link.slot);
                let Some(&before) = memory.known(from).map(|costs| &costs[there]) else { continue };
                let step = self.step(cell.x, cell.y, link.step, Way::Backward).0;
                consider(before, step, Back::Step { block: from, slot: there });
            }
        } else if self.doors(block) >> slot & 1 != 0 {
            for link in self.blocks.layout.links(slot) {
                let home = self.blocks.neighbour(block, link.block);
                if self.doors(home) >> link.slot & 1 != 0 {
                    homes[count] = (home, link.slot.into());
                    count += 1;
                }
            }
        }
        for &(home, to) in &homes[..count] {
            for (index, start) in memory.starts.iter().enumerate() {
                if start.block == home {
                    consider(D::ZERO, start.distances[to], Back::Start(index));
                }
            }
            if memory.known(home).is_none() {
                continue;
            }
            let BlockMemory { content, maker, table, .. } = &mut *memory;
            let mut spare = std::mem::take(table);
            let table = self.table(home, content, maker, &mut spare, &mut stats.tables_made);
            let costs = memory.row(home);
            for (from, &before) in costs.iter().enumerate().take(self.blocks.layout.slots()) {
                if from != to && before.is_cost() {
                    consider(before, table.row(from)[to], Back::Slot { block: home, from, to });
                }
            }
            memory.table = spare;
        }
        back
    }

    /// The slot of a corner in another of its blocks.
    fn slot_in(&self, block: u32, slot: usize, other: u32) -> usize {
        let links = self.blocks.layout.links(slot);
        let link = links.iter().find(|link| self.blocks.neighbour(block, link.block) == other);
        link.map_or(slot, |link| link.slot.into())
    }

    /// Pushes the cells of the way of this cost between two cells of a block, in reverse and without
    /// the last.
    fn push_cells(
        &self,
        from: Cell,
        to: Cell,
        cost: D,
        memory: &mut BlockMemory<D>,
        path: &mut Path,
    ) {
        let (size, rules) = (self.blocks.layout.size(), &self.blocks.rules);
        let (left, top) = self.blocks.origin_at(to);
        let local = |cell: Cell| (cell.x - left, cell.y - top);
        let mut push = |(x, y)| path.push(Cell::new(left + x, top + y).centre());
        rules.read(&mut memory.content, self.grid, size, left, top);
        if !D::stride(&memory.content, rules, local(from), local(to), &mut push) {
            let BlockMemory { content, flood, .. } = memory;
            let (from, to) = (local(from), local(to));
            D::flood(content, rules, from, Way::Forward, Some(FloodEnd { cell: to, cost }), flood);
            if flood[size.index(to.0, to.1)].is_far() {
                // A file that says less than it costs.
                D::flood(content, rules, from, Way::Forward, None, flood);
            }
            D::descend(content, rules, flood, to, push);
        }
    }

    /// Pushes the places from `via` to `slot`.
    fn push_end(
        &self,
        block: u32,
        via: usize,
        slot: usize,
        memory: &mut BlockMemory<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) {
        memory.chain.clear();
        self.chain(block, via, slot, memory, stats);
        memory.chain.iter().for_each(|&point| path.push(point));
    }

    /// The places on the way from `row` to `slot`, both included.
    fn chain(
        &self,
        block: u32,
        mut row: usize,
        slot: usize,
        memory: &mut BlockMemory<D>,
        stats: &mut Stats,
    ) {
        let BlockMemory { content, maker, table, chain, .. } = memory;
        let table = self.table(block, content, maker, table, &mut stats.tables_made);
        chain.push(self.row_point(block, table, row));
        while row != slot {
            row = table.next(row, slot);
            chain.push(self.row_point(block, table, row));
        }
    }

    fn row_point(&self, block: u32, table: &Table<D>, row: usize) -> Point {
        let (left, top) = self.blocks.origin(block);
        let slots = self.blocks.layout.slots();
        let (x, y) = if row < slots {
            self.blocks.layout.at(row)
        } else {
            let turn = table.turn(row - slots);
            (turn.x, turn.y)
        };
        Cell::new(left + x, top + y).corner()
    }
}
