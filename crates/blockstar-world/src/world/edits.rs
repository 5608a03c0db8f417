//! Edits of the map, and whom they concern.
//!
//! An edit looks at its own cells: who stands on them, whose place they were to be, and whose ways
//! lead over them, which the [cut index](crate::cuts) knows. Units elsewhere cost nothing.

use super::World;
use crate::disc::Glide;
use crate::event::Why;
use crate::layer::{Change, grown};
use crate::{Edit, EditReport, Error, Event, Stepping, UnderUnit, UnitId};
use blockstar::{Cell, Rect};

impl World {
    pub(crate) fn change_map(&mut self, edit: &Edit) -> Result<EditReport, Error> {
        self.map.check_edit(edit)?;
        let mut report = EditReport::default();
        // Costs and open doors take nobody's ground away, so they are never refused.
        let harmless = matches!(edit, Edit::Cost(..) | Edit::AddDoor(..) | Edit::Door(_, true));
        let before = match self.settings.under_unit {
            UnderUnit::Refuse if !harmless => Some(self.map.before(edit)),
            _ => None,
        };
        let rects = self.map.apply(edit);
        let under = self.under(&rects);
        report.under = under.iter().filter_map(|&slot| Some(self.units.get(slot)?.id)).collect();
        if let (Some(before), false) = (before, under.is_empty()) {
            self.map.restore(before);
            report.refused = true;
            return Ok(report);
        }
        self.edition += 1;
        let mut changes = Vec::with_capacity(self.layers.len());
        for layer in &mut self.layers {
            changes.push(layer.follow(&self.map, &rects)?);
        }
        for slot in under {
            match self.settings.under_unit {
                UnderUnit::Crush => self.crush(slot),
                _ => self.push_out(slot),
            }
        }
        for (number, change) in changes.iter().enumerate() {
            self.spread(number as u16, change, &mut report);
        }
        Ok(report)
    }

    /// Who stands, or is about to, where it no longer can.
    fn under(&self, rects: &[Rect]) -> Vec<u32> {
        let mut found = Vec::new();
        for &rect in rects {
            self.columns.touching(grown(rect, 17, self.map.width, self.map.height), &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&slot| {
            self.units.get(slot).is_some_and(|unit| {
                let layer = &self.layers[usize::from(unit.layer)];
                let leaves = unit.body.from.cell();
                let stands = |cell| layer.could_stand(&self.map, cell);
                let clear = |glide: Glide| {
                    let stands = |cell: Cell| self.map.contains(cell) && stands(cell);
                    glide.is_clear(self.radii(unit).1, stands)
                };
                !stands(self.here(unit))
                    || (!stands(unit.body.cell))
                    || !self.map.contains(leaves)
                    || unit.body.glide.is_some_and(|glide| !clear(glide))
            })
        });
        found
    }

    fn crush(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        self.pending.push(Event::Crushed(unit.id));
        self.remove(slot);
    }

    /// Puts a unit on the nearest cell where it can stand.
    fn push_out(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let (id, from, size) = (unit.id, self.here(unit), unit.size);
        let Some(to) = self.refuge(slot, from) else { return self.crush(slot) };
        if self.settings.stepping == Stepping::Cells {
            self.stepper.remove(slot);
            if self.stepper.place(slot, to, size).is_err() {
                return self.crush(slot);
            }
        }
        let resting = self.units.get(slot).is_some_and(|unit| unit.errand.is_none());
        let parked = self.units.get_mut(slot).and_then(|unit| unit.parked.take());
        if resting
            && let Some(unit) = self.units.get_mut(slot)
            && let Some(home) = unit.home.take()
        {
            self.claims.give_back(home, size, slot);
        }
        if let Some(parked) = parked {
            self.places.leave(parked);
        }
        let body = self.body_at(to);
        if let Some(unit) = self.units.get_mut(slot) {
            unit.body = crate::unit::Body { facing: unit.body.facing, ..body };
        }
        self.pending.push(Event::Displaced(id, to));
        if resting {
            self.settle_down(slot);
        } else {
            self.plan_again(slot);
        }
        self.show(slot);
    }

    /// The nearest cell where a unit can stand and nobody does.
    fn refuge(&self, slot: u32, from: Cell) -> Option<Cell> {
        let unit = self.units.get(slot)?;
        let layer = &self.layers[usize::from(unit.layer)];
        let (width, height) = (self.map.width, self.map.height);
        let nobody = |cell: Cell| match self.settings.stepping {
            Stepping::Ghost => true,
            Stepping::Plane => self.touched(slot, Glide::at(cell), unit.class).is_none(),
            Stepping::Cells => unit
                .square(cell)
                .cells()
                .all(|cell| self.stepper.occupant(cell).is_none_or(|other| other == slot)),
        };
        let stands = |cell: Cell| layer.grid.is_free(cell) && nobody(cell);
        let farthest = width.max(height);
        for ring in 0..=farthest {
            let around = grown(Rect::cell(from), ring, width, height);
            let on_ring =
                |cell: &Cell| cell.x.abs_diff(from.x).max(cell.y.abs_diff(from.y)) == ring;
            let square = |cell: &Cell| {
                let (dx, dy) = (cell.x.abs_diff(from.x), cell.y.abs_diff(from.y));
                dx * dx + dy * dy
            };
            let rim = rim(around, ring, from).filter(on_ring).filter(|&cell| stands(cell));
            if let Some(best) = rim.min_by_key(square) {
                return Some(best);
            }
        }
        None
    }

    /// Tells all whom the changes of a layer concern.
    fn spread(&mut self, number: u16, change: &Change, report: &mut EditReport) {
        if change.rects.is_empty() {
            return;
        }
        self.full.restart(number);
        self.repair.restart(number);
        self.forget_chokes(number, &change.rects);
        let grid = &self.layers[usize::from(number)].grid;
        for &shared in &self.places.shared().clone() {
            let place = self.places.get_mut(shared).filter(|place| place.layer == number);
            if let Some(field) = place.and_then(|place| place.field.as_mut()) {
                change.rects.iter().for_each(|&rect| field.doubt(grid, rect));
            }
        }
        for &rect in &change.rects {
            self.changes.note(self.edition, number, rect);
        }
        if let Some(rect) = change.opened {
            self.note_opening(number, rect);
            self.recheck = Some(0);
        }
        if change.blocked.is_some() {
            self.free_lost_places(number, &change.rects);
            self.cut(number, &change.rects, report);
        }
    }

    /// Whoever was to stand on a cell that is a wall now gets another one.
    fn free_lost_places(&mut self, number: u16, rects: &[Rect]) {
        for &rect in rects {
            for slot in self.claims.within(rect) {
                let Some(unit) = self.units.get_mut(slot).filter(|unit| unit.layer == number)
                else {
                    continue;
                };
                let grid = &self.layers[usize::from(number)].grid;
                if let Some(home) = unit.home.filter(|&home| !grid.is_free(home)) {
                    unit.home = None;
                    self.claims.give_back(home, unit.size, slot);
                    self.settle_down(slot);
                } else if unit.errand.as_ref().is_some_and(|e| e.claimed && !grid.is_free(e.target))
                {
                    self.plan_again(slot);
                }
            }
        }
    }

    /// Finds the ways that an edit has cut.
    fn cut(&mut self, number: u16, rects: &[Rect], report: &mut EditReport) {
        let mut slots = Vec::new();
        rects.iter().for_each(|&rect| self.cuts.touching(rect, &mut slots));
        slots.sort_unstable();
        slots.dedup();
        let moves = self.settings.moves;
        for slot in slots {
            let Some(unit) = self.units.get(slot).filter(|unit| unit.layer == number) else {
                continue;
            };
            let Some(errand) = &unit.errand else { continue };
            report.looked_at += 1;
            let Some((_, last)) = self.broken(slot, rects) else { continue };
            report.cut += 1;
            let id = unit.id;
            let clear = errand.route.len() > last + 1;
            self.stats_cut(id);
            if clear || !moves.rule().is_any_angle() {
                self.ask_for_repair(slot, last as u32 + 1);
            } else {
                self.ask_quickly(slot);
            }
            if moves.rule().is_any_angle()
                && let Some(unit) = self.units.get_mut(slot)
            {
                // Between two corners it stops where it is: the wall may be on the way.
                unit.body.halt();
                if let Some(errand) = &mut unit.errand {
                    errand.cut = Some(u32::MAX);
                    errand.route = crate::route::Route::default();
                }
                let here = self.units.get(slot).map(|unit| self.here(unit));
                if let (Some(unit), Some(here)) = (self.units.get_mut(slot), here) {
                    unit.body.cell = here;
                }
            }
        }
    }

    /// The first and the last piece of a unit's way ahead, by their ends, that cannot be walked any
    /// more, looking only where something has changed.
    fn broken(&self, slot: u32, rects: &[Rect]) -> Option<(usize, usize)> {
        let unit = self.units.get(slot)?;
        let errand = unit.errand.as_ref()?;
        let layer = &self.layers[usize::from(unit.layer)];
        let moves = self.settings.moves;
        let (mut first, mut last) = (None, 0);
        let from = (errand.next as usize).max(1);
        for end in from..errand.route.len() {
            let Some(piece) = errand.route.piece_rect(end) else { continue };
            let piece = grown(piece, 1, self.map.width, self.map.height);
            if !rects.iter().any(|&rect| overlap(rect, piece)) {
                continue;
            }
            // On the piece under way only what is ahead counts.
            let clear = if end == from && !moves.rule().is_any_angle() {
                let to = errand.route.points()[end].cell();
                crate::measure::may_walk(&layer.grid, layer.rule(), unit.body.cell, to)
                    || errand.route.piece_is_clear(&layer.grid, moves, end)
            } else {
                errand.route.piece_is_clear(&layer.grid, moves, end)
            };
            if !clear {
                first = first.or(Some(end));
                last = end;
            }
        }
        first.map(|first| (first, last))
    }

    fn stats_cut(&mut self, id: UnitId) {
        self.pending.push(Event::PathChanged(id, Why::Cut));
    }
}

/// The cells of the border of a square around a cell, as far as they are on the map.
fn rim(square: Rect, ring: u32, from: Cell) -> impl Iterator<Item = Cell> {
    let rows = square.y..square.y + square.height;
    rows.flat_map(move |y| {
        let whole = y.abs_diff(from.y) == ring;
        let last = square.width.saturating_sub(1).max(1);
        let step = if whole { 1 } else { last };
        (square.x..square.x + square.width).step_by(step as usize).map(move |x| Cell::new(x, y))
    })
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
