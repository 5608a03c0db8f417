//! Start and goal: the distances from them to the boundaries of their blocks, and between the two
//! if a block has both.

use super::estimate::Estimate;
use super::memory::{Arrival, BlockMemory, End};
use super::search::BlockSearch;
use crate::engine::gate::Task;
use crate::engine::open_list::Open;
use crate::geometry::path::segment_cost;
use crate::geometry::sight;
use crate::planner::block::tables::{MAX_SLOTS, Table};
use crate::rules::slope::Way;
use crate::{Cell, Grid, Point, Rule, Stats};

impl<D: Estimate> BlockSearch<'_, D> {
    /// Begins the search: seeds the blocks of the start and measures those of the goal.
    pub fn begin(&self, memory: &mut BlockMemory<D>, open: &mut Open<D::Key>, stats: &mut Stats) {
        let task = self.task;
        memory.begin(self.blocks.count(), self.blocks.layout.lanes());
        if D::CELLS {
            self.measure_cell(task.start_cell, Way::Forward, memory);
            memory.starts.push(self.end_at(task.start_cell, &memory.flood));
            if self.blocks.block_of(task.goal_cell.x, task.goal_cell.y) == memory.starts[0].block {
                memory.best = memory.flood[self.local(task.goal_cell)];
                if !memory.best.is_far() {
                    memory.arrival = Arrival::Inside;
                }
            }
            self.measure_cell(task.goal_cell, Way::Backward, memory);
            memory.goals.push(self.end_at(task.goal_cell, &memory.flood));
        } else {
            for (block, cell) in self.blocks_at(task.start, task.start_cell) {
                let end = self.measure_point(block, task.start, cell, memory, stats);
                memory.starts.push(end);
            }
            for (block, cell) in self.blocks_at(task.goal, task.goal_cell) {
                let end = self.measure_point(block, task.goal, cell, memory, stats);
                memory.goals.push(end);
                if memory.starts.iter().any(|start| start.block == block) {
                    self.join_inside(block, memory, stats);
                }
            }
        }
        for index in 0..memory.starts.len() {
            let End { block, distances, .. } = memory.starts[index];
            self.seed(block, &distances, memory, open);
        }
    }

    /// The index of a cell in its block, row by row.
    fn local(&self, cell: Cell) -> usize {
        let size = self.blocks.layout.size();
        size.index(cell.x % size.width, cell.y % size.height)
    }

    /// Measures from a cell to all others of its block or, backwards, from them to the cell.
    pub fn measure_cell(&self, cell: Cell, way: Way, memory: &mut BlockMemory<D>) {
        let BlockMemory { content, flood, .. } = memory;
        let (rules, (left, top)) = (&self.blocks.rules, self.blocks.origin_at(cell));
        rules.read(content, self.grid, self.blocks.layout.size(), left, top);
        D::flood(content, rules, (cell.x - left, cell.y - top), way, None, flood);
    }

    fn end_at(&self, cell: Cell, flood: &[D]) -> End<D> {
        let size = self.blocks.layout.size();
        let mut end = End::new(self.blocks.block_of(cell.x, cell.y));
        for slot in 0..self.blocks.layout.slots() {
            let (x, y) = self.blocks.layout.at(slot);
            end.distances[slot] = flood[size.index(x, y)];
        }
        end
    }

    /// The blocks with free cells that a point touches, each with one such cell; for a double
    /// corner under the strict rule only the block on the side of `cell`.
    fn blocks_at(&self, point: Point, cell: Cell) -> impl Iterator<Item = (u32, Cell)> {
        let mut found = [(u32::MAX, cell); 4];
        let mut count = 0;
        let one_sided = self.is_one_sided(point);
        let span = |v: i32| {
            let low = v.div_euclid(Point::UNITS);
            let before = i32::from(v.rem_euclid(Point::UNITS) == 0);
            (low - before)..=low
        };
        for y in span(point.uy()) {
            for x in span(point.ux()) {
                if !self.grid.is_free_at(x, y) {
                    continue;
                }
                let touched = Cell::new(x as u32, y as u32);
                let block = self.blocks.block_of(touched.x, touched.y);
                if (one_sided && touched != cell)
                    || found[..count].iter().any(|known| known.0 == block)
                {
                    continue;
                }
                found[count] = (block, touched);
                count += 1;
            }
        }
        found.into_iter().take(count)
    }

    fn is_one_sided(&self, point: Point) -> bool {
        is_one_sided(self.grid, self.blocks.rules.rule(), point)
    }

    /// Measures from a point to the slots of a block it touches: straight or by way of a turn.
    fn measure_point(
        &self,
        block: u32,
        point: Point,
        cell: Cell,
        memory: &mut BlockMemory<D>,
        stats: &mut Stats,
    ) -> End<D> {
        let layout = &self.blocks.layout;
        let (left, top) = self.blocks.origin(block);
        let mut end = End::new(block);
        let BlockMemory { content, maker, table, .. } = memory;
        let table = self.table(block, content, maker, table, &mut stats.tables_made);
        let corner = point.as_corner().map(|(x, y)| (x - left, y - top));
        if let Some(slot) = corner.and_then(|(x, y)| layout.slot(x, y)) {
            let row = usize::from(slot);
            end.distances[..layout.lanes()].copy_from_slice(table.row(row));
            for to in 0..layout.slots() {
                end.via[to] = table.next(row, to) as u16;
            }
            self.keep_doors(&mut end);
            return end;
        }
        let view =
            View { search: self, table, block, point, cell, one_sided: self.is_one_sided(point) };
        content.read(self.grid, layout.size(), left, top);
        let inner = corner.filter(|_| !content.is_weighted() && !view.one_sided);
        let cost_to = |place: usize| match inner {
            // Quicker, on the block's own bits.
            Some((x, y)) => {
                let (px, py) = view.local(place);
                let squeeze = self.blocks.rules.rule().squeezes();
                let (a, b) = ((x as u8, y as u8), (px as u8, py as u8));
                if !self.blocks.rules.rays.sees(content, squeeze, a, b) {
                    return f64::INFINITY;
                }
                let (dx, dy) = (f64::from(px) - f64::from(x), f64::from(py) - f64::from(y));
                (dx * dx + dy * dy).sqrt()
            }
            None => view.cost_to(place),
        };
        stats.sight_checks += (layout.slots() + table.turns()) as u64;
        for slot in 0..layout.slots() {
            end.distances[slot] = D::from_length(cost_to(slot));
            end.via[slot] = slot as u16;
        }
        let turns = layout.slots()..layout.slots() + table.turns();
        for turn in self.closed_turns(block, table).chain(turns) {
            let first = cost_to(turn);
            if first == f64::INFINITY {
                continue;
            }
            let first = D::from_length(first);
            for (slot, &rest) in table.row(turn).iter().enumerate() {
                if first + rest < end.distances[slot] {
                    end.distances[slot] = first + rest;
                    end.via[slot] = turn as u16;
                }
            }
        }
        self.keep_doors(&mut end);
        end
    }

    /// The double corners on a block's border at which ways inside it may turn: they are not doors,
    /// but on weighted terrain it can pay to walk along the edge of a cheap cell to its corner and
    /// back.
    fn closed_turns(&self, block: u32, table: &Table<D>) -> impl Iterator<Item = usize> {
        let weighted = self.grid.has_costs();
        let closed = if weighted { !self.doors(block) } else { 0 };
        let slots = (0..self.blocks.layout.slots()).filter(move |slot| closed >> slot & 1 != 0);
        slots.filter(|&slot| !table.row(slot)[slot].is_far())
    }

    /// Forgets the slots of an end that lead neither in nor out of its block. (What a free point on
    /// the border sees along the border may belong to the next block.)
    fn keep_doors(&self, end: &mut End<D>) {
        let doors = self.doors(end.block);
        for slot in 0..self.blocks.layout.slots() {
            if doors >> slot & 1 == 0 {
                end.distances[slot] = D::FAR;
            }
        }
    }

    /// Looks for a way from start to goal inside one block: Dijkstra's algorithm over its slots and
    /// turns.
    fn join_inside(&self, block: u32, memory: &mut BlockMemory<D>, stats: &mut Stats) {
        let task = self.task;
        let moves = self.blocks.rules.moves;
        let straight = is_straight(self.grid, moves.rule(), task, stats);
        let BlockMemory { content, maker, table, inside, best, arrival, places, .. } = memory;
        let doors = self.doors(block);
        let table = self.table(block, content, maker, table, &mut stats.tables_made);
        let view = |point: Point, cell: Cell| View {
            search: self,
            table,
            block,
            point,
            cell,
            one_sided: self.is_one_sided(point),
        };
        let start = view(task.start, task.start_cell);
        let goal = view(task.goal, task.goal_cell);
        let mut shortest = f64::INFINITY;
        if straight {
            shortest = segment_cost(self.grid, moves, task.start, task.goal);
            if D::from_length(shortest) < *best {
                *best = D::from_length(shortest);
                *arrival = Arrival::Inside;
                inside.clear();
            }
            if !self.grid.has_costs() {
                return;
            }
        }
        // Costs, whether they are final, and the place before.
        let count = self.blocks.layout.slots() + table.turns();
        places.clear();
        let closed = self.closed_turns(block, table).fold(0, |all, slot| all | 1 << slot);
        places.extend((0..count).map(|place| {
            let open = place >= self.blocks.layout.slots() || (doors | closed) >> place & 1 != 0;
            (if open { start.cost_to(place) } else { f64::INFINITY }, !open, usize::MAX)
        }));
        stats.sight_checks += count as u64;
        let mut last = usize::MAX;
        loop {
            let open = (0..count).filter(|&place| !places[place].1);
            let nearest = open.min_by(|&a, &b| places[a].0.total_cmp(&places[b].0));
            let Some(nearest) = nearest.filter(|&place| places[place].0 < shortest) else { break };
            places[nearest].1 = true;
            let g = places[nearest].0;
            stats.sight_checks += 1;
            let arrived = g + goal.cost_to(nearest);
            if arrived < shortest {
                (shortest, last) = (arrived, nearest);
            }
            let from = start.at_place(nearest);
            for (place, (known, done, before)) in places.iter_mut().enumerate() {
                if *done {
                    continue;
                }
                stats.sight_checks += 1;
                let cost = g + from.cost_to(place);
                if cost < *known {
                    (*known, *before) = (cost, nearest);
                }
            }
        }
        if last != usize::MAX && D::from_length(shortest) < *best {
            *best = D::from_length(shortest);
            *arrival = Arrival::Inside;
            inside.clear();
            while last != usize::MAX {
                inside.push(start.point_of(last));
                last = places[last].2;
            }
        }
    }
}

/// Whether the straight line from start to goal can be walked. Without terrain nothing is shorter.
pub(super) fn is_straight(grid: &Grid, rule: Rule, task: &Task, stats: &mut Stats) -> bool {
    let Task { start, goal, start_cell, goal_cell, .. } = *task;
    stats.sight_checks += 1;
    sight::visible(grid, start, goal, rule)
        && (!is_one_sided(grid, rule, start) || leaves_from(grid, start, start_cell, goal))
        && (!is_one_sided(grid, rule, goal) || leaves_from(grid, goal, goal_cell, start))
}

/// Whether a point is a double corner whose sides matter.
fn is_one_sided(grid: &Grid, rule: Rule, point: Point) -> bool {
    rule == Rule::AnyAngle
        && point.as_corner().is_some_and(|(x, y)| sight::is_double_corner(grid, x, y))
}

/// Whether a segment from a double corner towards another point starts on the side of `cell`.
fn leaves_from(grid: &Grid, point: Point, cell: Cell, to: Point) -> bool {
    let side = point.as_corner().and_then(|corner| sight::side(grid, corner, to));
    side.is_none_or(|side| side == cell)
}

/// What a point sees of a block's places: its slots and turns.
struct View<'a, D: Estimate> {
    search: &'a BlockSearch<'a, D>,
    table: &'a Table<D>,
    block: u32,
    point: Point,
    /// If the point has sides, the cell on its side.
    cell: Cell,
    one_sided: bool,
}

impl<D: Estimate> View<'_, D> {
    /// Where a place is in the block.
    fn local(&self, place: usize) -> (u32, u32) {
        let slots = self.search.blocks.layout.slots();
        if place < slots {
            return self.search.blocks.layout.at(place);
        }
        let turn = self.table.turn(place - slots);
        (turn.x, turn.y)
    }

    fn point_of(&self, place: usize) -> Point {
        let ((left, top), (x, y)) = (self.search.blocks.origin(self.block), self.local(place));
        Cell::new(left + x, top + y).corner()
    }

    /// The cost of the straight way from the point to a place; infinity if there is none.
    fn cost_to(&self, place: usize) -> f64 {
        let (to, grid) = (self.point_of(place), self.search.grid);
        if to == self.point {
            // The other side of a double corner is a different place.
            let own_side = self
                .sides(place, to)
                .is_none_or(|(lower, corner)| (self.cell.y >= corner.1) == lower);
            return if own_side { 0.0 } else { f64::INFINITY };
        }
        let visible = sight::visible(grid, self.point, to, self.search.blocks.rules.rule())
            && self.leaves_towards(to)
            && self.arrives_at(place, to);
        if visible {
            segment_cost(grid, self.search.blocks.rules.moves, self.point, to)
        } else {
            f64::INFINITY
        }
    }

    /// Whether a segment towards another point starts on the point's own side.
    fn leaves_towards(&self, to: Point) -> bool {
        !self.one_sided || leaves_from(self.search.grid, self.point, self.cell, to)
    }

    /// Whether a segment from the point ends on a place's own side.
    fn arrives_at(&self, place: usize, to: Point) -> bool {
        let Some((lower, corner)) = self.sides(place, to) else { return true };
        sight::side(self.search.grid, corner, self.point)
            .is_none_or(|cell| (cell.y >= corner.1) == lower)
    }

    /// If a place is one side of a double corner: whether it is the lower one, and the corner.
    fn sides(&self, place: usize, at: Point) -> Option<(bool, (u32, u32))> {
        let Some(turn) = place.checked_sub(self.search.blocks.layout.slots()) else {
            return self.own_side(at);
        };
        self.table.turn(turn).lower.zip(at.as_corner())
    }

    /// The same for a corner on the block's border: its side is that of the block's own cell.
    fn own_side(&self, at: Point) -> Option<(bool, (u32, u32))> {
        let (x, y) = at.as_corner().filter(|_| self.search.is_one_sided(at))?;
        let own = |row: u32| {
            let mut cells = (x - 1..=x).map(|column| Cell::new(column, row));
            cells.any(|cell| {
                self.search.grid.is_free(cell)
                    && self.search.blocks.block_of(cell.x, cell.y) == self.block
            })
        };
        Some((own(y), (x, y)))
    }

    /// The view from one of the places.
    fn at_place(&self, place: usize) -> View<'_, D> {
        let point = self.point_of(place);
        let sides = self.sides(place, point);
        let mut cell = self.cell;
        if let Some((lower, (x, y))) = sides {
            let row = if lower { y } else { y - 1 };
            let left = self.search.grid.is_free_at(x as i32 - 1, row as i32);
            cell = Cell::new(if left { x - 1 } else { x }, row);
        }
        View { point, cell, one_sided: sides.is_some(), ..*self }
    }
}

const _: () = assert!(MAX_SLOTS <= 64, "slots are bits of a word");
