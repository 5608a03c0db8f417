//! Steps of units that do not see each other: along their routes, by the length of the way.

use super::World;
use crate::event::{Leg, State};
use crate::route::{Spot, centre};
use crate::{Event, Rung};
use blockstar::Cell;

/// The most pieces that a unit walks in a tick.
const MOST_PIECES: u32 = 256;

impl World {
    /// Moves all units for a tick.
    pub(crate) fn drift(&mut self) {
        let mut budget = self.settings.budget.fields - self.stats.spent.fields;
        for slot in 0..self.units.len() {
            let speed = self.speed(slot);
            let Some(unit) = self.units.get_mut(slot) else { continue };
            unit.body.advance(speed);
            if !unit.body.is_at_rest() {
                continue;
            }
            // A unit that sets off in this tick walks from its beginning on.
            if unit.body.carry == 0 && unit.errand.as_ref().is_some_and(|errand| !errand.started) {
                unit.body.carry = speed.into();
            }
            for _ in 0..MOST_PIECES {
                if !self.drift_on(slot, &mut budget) {
                    break;
                }
            }
        }
        self.stats.spent.fields = self.settings.budget.fields - budget;
    }

    /// Sets a unit at rest off on its next piece; false when it stays or is on the way.
    fn drift_on(&mut self, slot: u32, budget: &mut u32) -> bool {
        let Some(unit) = self.units.get(slot) else { return false };
        if unit.errand.is_none() || !unit.body.is_at_rest() {
            return false;
        }
        self.pass_spots(slot);
        let led = self.update_leg(slot);
        let left = if led { self.left_in_all(slot) } else { 0 };
        let Some(unit) = self.units.get(slot) else { return false };
        let Some(errand) = &unit.errand else { return false };
        let at_target = errand.target == self.here(unit);
        if (led || at_target) && self.arrives(slot, left, budget) {
            return false;
        }
        let Some((to, cell, factor)) = self.next_piece(slot) else {
            if !led {
                self.show_waiting(slot);
            }
            return false;
        };
        let ticks = self.settings.ticks_per_second;
        let Some(unit) = self.units.get_mut(slot) else { return false };
        unit.body.start(to, cell, factor, ticks);
        unit.body.settle();
        if let Some(errand) = &mut unit.errand {
            let leg = if errand.route.is_empty() { Leg::Field } else { errand.leg };
            unit.state = State::Moving(leg);
            errand.ladder.rung = Rung::Wait;
            if !std::mem::replace(&mut errand.started, true)
                && let Some(order) = errand.order
            {
                self.events.push(Event::Started(unit.id, order));
            }
        }
        unit.body.is_at_rest()
    }

    fn pass_spots(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let (cell, spot) = (unit.body.cell, unit.body.spot());
        let any_angle = self.settings.moves.rule().is_any_angle();
        let Some(errand) = &mut unit.errand else { return };
        while let Some(point) = errand.route.get(errand.next as usize) {
            let passed = if any_angle { point.at == spot } else { point.cell() == cell };
            if !passed {
                break;
            }
            errand.next += 1;
        }
    }

    fn left_in_all(&self, slot: u32) -> u32 {
        let route = self.left_of_route(slot);
        if route != crate::measure::NONE { route } else { self.left(slot) }
    }

    /// Where a unit goes next, whose cell that is, and what the way there costs.
    fn next_piece(&self, slot: u32) -> Option<(Spot, Cell, u32)> {
        let unit = self.units.get(slot)?;
        let errand = unit.errand.as_ref()?;
        let layer = &self.layers[usize::from(unit.layer)];
        let cell = unit.body.cell;
        let Some(point) = errand.route.get(errand.next as usize) else {
            let place = self.places.get(errand.place)?;
            let field = place.field.as_ref().filter(|_| !errand.claimed)?;
            let next = field.next(&layer.grid, layer.rule(), cell)?;
            return Some((centre(next), next, (layer.factor(cell) + layer.factor(next)) / 2));
        };
        if self.settings.moves.rule().is_any_angle() {
            let end = errand.next as usize;
            if errand.cut.is_some()
                && !errand.route.piece_is_clear(&layer.grid, self.settings.moves, end)
            {
                return None;
            }
            let to = layer.grid.cell_of(point.at.point()).unwrap_or(cell);
            return Some((point.at, to, layer.factor(self.here(unit))));
        }
        let to = point.cell();
        let step = (
            (i64::from(to.x) - i64::from(cell.x)).signum() as i32,
            (i64::from(to.y) - i64::from(cell.y)).signum() as i32,
        );
        if !crate::measure::may_step(&layer.grid, layer.rule(), cell, step) {
            return None;
        }
        let next = crate::measure::stepped(cell, step)?;
        Some((centre(next), next, (layer.factor(cell) + layer.factor(next)) / 2))
    }
}
