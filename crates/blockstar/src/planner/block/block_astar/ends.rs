//! Start and goal: how far it is from them to the boundary of their blocks, and from one to the other
//! inside a block.

use super::field::{Arrival, End, Field};
use super::guess::Estimate;
use super::run::Run;
use crate::engine::open_list::Open;
use crate::geometry::path::segment_cost;
use crate::geometry::sight;
use crate::planner::block::tables::{MAX_SLOTS, Table};
use crate::rules::slope::Way;
use crate::{Cell, Point, Rule, Stats};

impl<D: Estimate> Run<'_, D> {
    /// Begins the search: seeds the blocks of the start and measures those of the goal.
    pub fn begin(&self, field: &mut Field<D>, open: &mut Open<D::Key>, stats: &mut Stats) {
        let task = self.task;
        field.begin(self.frame.count(), self.frame.layout.lanes());
        if D::CELLS {
            self.measure_cell(task.start_cell, Way::Forward, field);
            field.starts.push(self.end_at(task.start_cell, &field.flood));
            if self.frame.block_of(task.goal_cell.x, task.goal_cell.y) == field.starts[0].block {
                field.best = field.flood[self.local(task.goal_cell)];
                if !field.best.is_far() {
                    field.arrival = Arrival::Inside;
                }
            }
            self.measure_cell(task.goal_cell, Way::Backward, field);
            field.goals.push(self.end_at(task.goal_cell, &field.flood));
        } else {
            for (block, cell) in self.blocks_at(task.start, task.start_cell) {
                let end = self.measure_point(block, task.start, cell, field, stats);
                field.starts.push(end);
            }
            for (block, cell) in self.blocks_at(task.goal, task.goal_cell) {
                let end = self.measure_point(block, task.goal, cell, field, stats);
                field.goals.push(end);
                if field.starts.iter().any(|start| start.block == block) {
                    self.join_inside(block, field, stats);
                }
            }
        }
        for index in 0..field.starts.len() {
            let End { block, distances, .. } = field.starts[index];
            self.seed(block, &distances, field, open);
        }
    }

    /// Where a cell is in its block, row by row.
    fn local(&self, cell: Cell) -> usize {
        let side = self.frame.layout.side();
        (cell.y % side * side + cell.x % side) as usize
    }

    /// Measures from a cell to all others of its block; backwards, from them to the cell.
    pub fn measure_cell(&self, cell: Cell, way: Way, field: &mut Field<D>) {
        let side = self.frame.layout.side();
        let Field { content, flood, .. } = field;
        let (pricing, left, top) =
            (&self.frame.pricing, cell.x / side * side, cell.y / side * side);
        pricing.read(content, self.grid, side, left, top);
        D::flood(content, pricing, (cell.x - left, cell.y - top), way, flood);
    }

    fn end_at(&self, cell: Cell, flood: &[D]) -> End<D> {
        let side = self.frame.layout.side();
        let mut end = End::new(self.frame.block_of(cell.x, cell.y));
        for slot in 0..self.frame.layout.slots() {
            let (x, y) = self.frame.layout.at(slot);
            end.distances[slot] = flood[(y * side + x) as usize];
        }
        end
    }

    /// The blocks whose free cells a point touches, each with one such cell; of a double corner under
    /// the strict rule only the block on the side of `cell`.
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
                let block = self.frame.block_of(touched.x, touched.y);
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

    /// Whether a point is a double corner that has sides.
    fn is_one_sided(&self, point: Point) -> bool {
        self.frame.pricing.rule() == Rule::AnyAngle
            && point.as_corner().is_some_and(|(x, y)| sight::is_double_corner(self.grid, x, y))
    }

    /// Measures from a point to the slots of a block it touches: straight, or by way of a turn.
    fn measure_point(
        &self,
        block: u32,
        point: Point,
        cell: Cell,
        field: &mut Field<D>,
        stats: &mut Stats,
    ) -> End<D> {
        let layout = &self.frame.layout;
        let (left, top) = self.frame.origin(block);
        let mut end = End::new(block);
        let Field { content, workshop, table, .. } = field;
        let table = self.table(block, content, workshop, table, &mut stats.tables_made);
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
            View { run: self, table, block, point, cell, one_sided: self.is_one_sided(point) };
        content.read(self.grid, layout.side(), left, top);
        let inner = corner.filter(|_| !content.is_weighted() && !view.one_sided);
        let cost_to = |place: usize| match inner {
            // The quick way, on the block's own bits.
            Some((x, y)) => {
                let (px, py) = view.local(place);
                let squeeze = self.frame.pricing.rule().squeezes();
                let (a, b) = ((x as u8, y as u8), (px as u8, py as u8));
                if !self.frame.pricing.rays.sees(content, squeeze, a, b) {
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

    /// The double corners on a block's border that ways inside it may turn at: no doors, but on weighted
    /// terrain it can pay to walk along the edge of a cheap cell up to its corner and back.
    fn closed_turns(&self, block: u32, table: &Table<D>) -> impl Iterator<Item = usize> {
        let weighted = self.grid.has_costs();
        let closed = if weighted { !self.doors(block) } else { 0 };
        let slots = (0..self.frame.layout.slots()).filter(move |slot| closed >> slot & 1 != 0);
        slots.filter(|&slot| !table.row(slot)[slot].is_far())
    }

    /// Forgets the slots of an end that do not lead in or out of its block. (What a free point on the
    /// border sees along it may belong to the next block.)
    fn keep_doors(&self, end: &mut End<D>) {
        let doors = self.doors(end.block);
        for slot in 0..self.frame.layout.slots() {
            if doors >> slot & 1 == 0 {
                end.distances[slot] = D::FAR;
            }
        }
    }

    /// Looks for a way from the start to the goal inside one block: Dijkstra's algorithm over its
    /// slots and turns.
    fn join_inside(&self, block: u32, field: &mut Field<D>, stats: &mut Stats) {
        let task = self.task;
        let (rule, moves) = (self.frame.pricing.rule(), self.frame.pricing.moves);
        let Field { content, workshop, table, inside, best, arrival, places, .. } = field;
        let doors = self.doors(block);
        let table = self.table(block, content, workshop, table, &mut stats.tables_made);
        let view = |point: Point, cell: Cell| View {
            run: self,
            table,
            block,
            point,
            cell,
            one_sided: self.is_one_sided(point),
        };
        let start = view(task.start, task.start_cell);
        let goal = view(task.goal, task.goal_cell);
        stats.sight_checks += 1;
        let straight = sight::visible(self.grid, task.start, task.goal, rule)
            && start.leaves_towards(task.goal)
            && goal.leaves_towards(task.start);
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
        let count = self.frame.layout.slots() + table.turns();
        places.clear();
        let closed = self.closed_turns(block, table).fold(0, |all, slot| all | 1 << slot);
        places.extend((0..count).map(|place| {
            let open = place >= self.frame.layout.slots() || (doors | closed) >> place & 1 != 0;
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

/// What a point sees of the places of a block: its slots and turns.
struct View<'a, D: Estimate> {
    run: &'a Run<'a, D>,
    table: &'a Table<D>,
    block: u32,
    point: Point,
    /// If the point has sides, the cell on its own.
    cell: Cell,
    one_sided: bool,
}

impl<D: Estimate> View<'_, D> {
    /// Where a place is in the block.
    fn local(&self, place: usize) -> (u32, u32) {
        let slots = self.run.frame.layout.slots();
        if place < slots {
            return self.run.frame.layout.at(place);
        }
        let turn = self.table.turn(place - slots);
        (turn.x, turn.y)
    }

    fn point_of(&self, place: usize) -> Point {
        let ((left, top), (x, y)) = (self.run.frame.origin(self.block), self.local(place));
        Cell::new(left + x, top + y).corner()
    }

    /// The cost of the straight way from the point to a place, infinity if there is none.
    fn cost_to(&self, place: usize) -> f64 {
        let (to, grid) = (self.point_of(place), self.run.grid);
        if to == self.point {
            // The other side of a double corner is another place.
            let own_side = self
                .sides(place, to)
                .is_none_or(|(lower, corner)| (self.cell.y >= corner.1) == lower);
            return if own_side { 0.0 } else { f64::INFINITY };
        }
        let visible = sight::visible(grid, self.point, to, self.run.frame.pricing.rule())
            && self.leaves_towards(to)
            && self.arrives_at(place, to);
        if visible {
            segment_cost(grid, self.run.frame.pricing.moves, self.point, to)
        } else {
            f64::INFINITY
        }
    }

    /// Whether a segment towards another point begins on the point's own side.
    fn leaves_towards(&self, to: Point) -> bool {
        !self.one_sided
            || self.point.as_corner().is_none_or(|corner| {
                sight::side(self.run.grid, corner, to).is_none_or(|cell| cell == self.cell)
            })
    }

    /// Whether a segment from the point ends on a place's own side.
    fn arrives_at(&self, place: usize, to: Point) -> bool {
        let Some((lower, corner)) = self.sides(place, to) else { return true };
        sight::side(self.run.grid, corner, self.point)
            .is_none_or(|cell| (cell.y >= corner.1) == lower)
    }

    /// For a place that is one side of a double corner: whether it is the lower one, and the corner.
    fn sides(&self, place: usize, at: Point) -> Option<(bool, (u32, u32))> {
        let Some(turn) = place.checked_sub(self.run.frame.layout.slots()) else {
            return self.own_side(at);
        };
        self.table.turn(turn).lower.zip(at.as_corner())
    }

    /// The same for a corner on the block's border: its side is that of the block's own cell.
    fn own_side(&self, at: Point) -> Option<(bool, (u32, u32))> {
        let (x, y) = at.as_corner().filter(|_| self.run.is_one_sided(at))?;
        let own = |row: u32| {
            let mut cells = (x - 1..=x).map(|column| Cell::new(column, row));
            cells.any(|cell| {
                self.run.grid.is_free(cell) && self.run.frame.block_of(cell.x, cell.y) == self.block
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
            let left = self.run.grid.is_free_at(x as i32 - 1, row as i32);
            cell = Cell::new(if left { x - 1 } else { x }, row);
        }
        View { point, cell, one_sided: sides.is_some(), ..*self }
    }
}

const _: () = assert!(MAX_SLOTS <= 64, "slots are bits of a word");
