//! The path, found again from the costs that the search has left: no parents are kept.
//!
//! Costs only ever fall, and rounding keeps the order of sums, so from every point reached there is a
//! predecessor whose cost plus the way between is at most the point's own; the least such sum is
//! followed back to the start.
//!
//! The walk ends if costs fall on every step, and for that ways must not be lost by rounding:
//!
//! * Integers are exact.
//! * `f32`, without terrain and up to 4096 cells a side: no way is shorter than 1, and costs are below
//!   2^24, where numbers are 1 apart at most.
//! * `f64`, on terrain: no way between corners costs less than 2^-8 (the least factor), and costs are
//!   below 2^37 (all of 2^28 cells, 256 times their diagonal), where numbers are 2^-16 apart at most.
//!   In `f32` they would be up to 2^13 apart: on terrain of 255 and 1/256 that made the walk
//!   go back and forth for ever.
//!
//! None of that holds for distances from a forged file, so a step to a cost that is not lower is never
//! taken. If no other is left, the walk is given up and the query answers with an error.

use super::field::{Arrival, Field};
use super::guess::Estimate;
use super::run::Run;
use crate::planner::block::tables::Table;
use crate::rules::moves::step_table;
use crate::rules::slope::Way;
use crate::{Cell, Path, Point, Stats};

/// Where the walk back goes next.
#[derive(Clone, Copy)]
enum Back {
    /// To the start, of this index.
    Start(usize),
    /// To another slot of a block, by a way inside it that ends at slot `to`.
    Slot { block: u32, from: usize, to: usize },
    /// By a step to a cell of another block.
    Step { block: u32, slot: usize },
}

impl<D: Estimate> Run<'_, D> {
    /// Writes down the path from start to goal; false if the costs contradict each other.
    #[must_use]
    pub fn write(&self, field: &mut Field<D>, path: &mut Path, stats: &mut Stats) -> bool {
        let mut whole = true;
        path.push(self.task.goal);
        match field.arrival {
            Arrival::None => {}
            Arrival::Inside if D::CELLS => {
                self.push_cells(self.task.start_cell, self.task.goal_cell, field, path);
            }
            Arrival::Inside => {
                field.inside.iter().for_each(|&point| path.push(point));
                path.push(self.task.start);
            }
            Arrival::From { goal, slot } => {
                let block = field.goals[goal].block;
                if D::CELLS {
                    let from = self.slot_cell(block, slot);
                    self.push_cells(from, self.task.goal_cell, field, path);
                } else {
                    let via = field.goals[goal].via[slot].into();
                    self.push_end(block, via, slot, field, path, stats);
                }
                whole = self.walk_back(block, slot, field, path, stats);
            }
        }
        path.reverse();
        path.remove_collinear();
        whole
    }

    fn slot_cell(&self, block: u32, slot: usize) -> Cell {
        let ((left, top), (x, y)) = (self.frame.origin(block), self.frame.layout.at(slot));
        Cell::new(left + x, top + y)
    }

    /// Pushes the way from a slot, which has been pushed, back to the start; false if there is none.
    fn walk_back(
        &self,
        mut block: u32,
        mut slot: usize,
        field: &mut Field<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) -> bool {
        let mut cost = field.row(block)[slot];
        loop {
            let Some((back, before)) = self.back(block, slot, cost, field, stats) else {
                return false;
            };
            cost = before;
            match back {
                Back::Start(index) => {
                    let start = field.starts[index].block;
                    if D::CELLS {
                        let to = self.slot_cell(block, slot);
                        self.push_cells(self.task.start_cell, to, field, path);
                    } else {
                        let to = self.slot_in(block, slot, start);
                        let via = field.starts[index].via[to].into();
                        field.chain.clear();
                        self.chain(start, via, to, field, stats);
                        field.chain.iter().rev().skip(1).for_each(|&point| path.push(point));
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
                        self.push_cells(from, to, field, path);
                    } else {
                        field.chain.clear();
                        self.chain(from, there, to, field, stats);
                        field.chain.iter().rev().skip(1).for_each(|&point| path.push(point));
                    }
                    (block, slot) = (from, there);
                }
            }
        }
    }

    /// The way back from a slot of this cost, and the cost where it leads, which is lower.
    fn back(
        &self,
        block: u32,
        slot: usize,
        cost: D,
        field: &mut Field<D>,
        stats: &mut Stats,
    ) -> Option<(Back, D)> {
        let (mut least, mut back) = (D::FAR, None);
        let mut consider = |before: D, way: D, to: Back| {
            let progress = before < cost || matches!(to, Back::Start(_));
            if before + way < least && progress {
                (least, back) = (before + way, Some((to, before)));
            }
        };
        // The blocks that have this point: for corners up to four.
        let mut homes = [(block, slot); 4];
        let mut count = 1;
        if D::CELLS {
            let cell = self.slot_cell(block, slot);
            let bits = self.grid.rows();
            let legal =
                step_table(self.frame.pricing.rule())[bits.around(bits.position(cell.x, cell.y))];
            for link in self.frame.layout.links(slot) {
                if legal >> link.step & 1 == 0 {
                    continue;
                }
                let from = self.frame.neighbour(block, link.block);
                let there = usize::from(link.slot);
                let Some(&before) = field.known(from).map(|costs| &costs[there]) else { continue };
                let step = self.step(cell.x, cell.y, link.step, Way::Backward).0;
                consider(before, step, Back::Step { block: from, slot: there });
            }
        } else if self.doors(block) >> slot & 1 != 0 {
            for link in self.frame.layout.links(slot) {
                let home = self.frame.neighbour(block, link.block);
                if self.doors(home) >> link.slot & 1 != 0 {
                    homes[count] = (home, link.slot.into());
                    count += 1;
                }
            }
        }
        for &(home, to) in &homes[..count] {
            for (index, start) in field.starts.iter().enumerate() {
                if start.block == home {
                    consider(D::ZERO, start.distances[to], Back::Start(index));
                }
            }
            if field.known(home).is_none() {
                continue;
            }
            let Field { content, workshop, table, .. } = &mut *field;
            let mut spare = std::mem::take(table);
            let table = self.table(home, content, workshop, &mut spare, &mut stats.tables_made);
            let costs = field.row(home);
            for (from, &before) in costs.iter().enumerate().take(self.frame.layout.slots()) {
                if from != to && before.is_cost() {
                    consider(before, table.row(from)[to], Back::Slot { block: home, from, to });
                }
            }
            field.table = spare;
        }
        back
    }

    /// The slot that a corner has in another of its blocks.
    fn slot_in(&self, block: u32, slot: usize, other: u32) -> usize {
        let links = self.frame.layout.links(slot);
        let link = links.iter().find(|link| self.frame.neighbour(block, link.block) == other);
        link.map_or(slot, |link| link.slot.into())
    }

    /// Pushes the cells of the way between two cells of a block: backwards, without the last.
    fn push_cells(&self, from: Cell, to: Cell, field: &mut Field<D>, path: &mut Path) {
        let (side, pricing) = (self.frame.layout.side(), &self.frame.pricing);
        let (left, top) = (to.x / side * side, to.y / side * side);
        let local = |cell: Cell| (cell.x - left, cell.y - top);
        let mut push = |(x, y)| path.push(Cell::new(left + x, top + y).centre());
        pricing.read(&mut field.content, self.grid, side, left, top);
        if !D::stride(&field.content, pricing, local(from), local(to), &mut push) {
            D::flood(&field.content, pricing, local(from), Way::Forward, &mut field.flood);
            D::descend(&field.content, pricing, &field.flood, local(to), push);
        }
    }

    /// Pushes the places from `via` to `slot`.
    fn push_end(
        &self,
        block: u32,
        via: usize,
        slot: usize,
        field: &mut Field<D>,
        path: &mut Path,
        stats: &mut Stats,
    ) {
        field.chain.clear();
        self.chain(block, via, slot, field, stats);
        field.chain.iter().for_each(|&point| path.push(point));
    }

    /// The places on the way from `row` to `slot`, both included.
    fn chain(
        &self,
        block: u32,
        mut row: usize,
        slot: usize,
        field: &mut Field<D>,
        stats: &mut Stats,
    ) {
        let Field { content, workshop, table, chain, .. } = field;
        let table = self.table(block, content, workshop, table, &mut stats.tables_made);
        chain.push(self.row_point(block, table, row));
        while row != slot {
            row = table.next(row, slot);
            chain.push(self.row_point(block, table, row));
        }
    }

    fn row_point(&self, block: u32, table: &Table<D>, row: usize) -> Point {
        let (left, top) = self.frame.origin(block);
        let slots = self.frame.layout.slots();
        let (x, y) = if row < slots {
            self.frame.layout.at(row)
        } else {
            let turn = table.turn(row - slots);
            (turn.x, turn.y)
        };
        Cell::new(left + x, top + y).corner()
    }
}
