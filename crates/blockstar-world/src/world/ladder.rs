//! The ladder of a blocked unit: what it tries, one thing after the other, when it gets no nearer.
//!
//! Waiting, asking others to yield, swapping in cycles and stepping aside is the stepper's work in
//! each tick. What follows after some steps' time without progress is here: a way around those who
//! stand still, a longer one, a way out for all who are in the jam (`jams.rs`), then rests without
//! searches, each twice as long as the one before, and at last giving up. Whoever rests still yields,
//! and still goes on as soon as the cell ahead is free. All of it is shown:
//! [`State::Stuck`](crate::State::Stuck) has the rung, and [`Event::Blocked`] and [`Event::Freed`]
//! frame it. Whoever is held at a choke (`chokes.rs`) does not climb.

use super::World;
use super::plans::turns;
use crate::local;
use crate::measure::{STRAIGHT, apart};
use crate::route::Route;
use crate::{Event, Rung, State, Why};
use blockstar::Cell;

/// The expansions of a way around, and of a longer one.
const SHORT: u32 = 64;
const LONG: u32 = 512;

/// After so many rests they grow no longer: 128 steps.
const MOST_RESTS: u8 = 5;

/// How much longer than what is left a way around may be, in cells and in 1/256.
const CAP: (u32, u32) = (16, 64);

impl World {
    /// Measures the progress of a unit, and lets it try what is next; true if it has given up.
    pub(crate) fn climb(&mut self, slot: u32, left: u32) -> bool {
        let (tick, period) = (self.tick, self.period(slot));
        let patience = self.settings.patience;
        let Some(unit) = self.units.get_mut(slot) else { return true };
        let Some(errand) = &mut unit.errand else { return true };
        let ladder = &mut errand.ladder;
        if left < ladder.best {
            (ladder.best, ladder.since) = (left, tick);
            if ladder.rung > Rung::Wait {
                ladder.rests = 0;
                ladder.rung = Rung::Wait;
                self.events.push(Event::Freed(unit.id));
            }
            return false;
        }
        let steps = (tick - ladder.since) / period;
        let reached = |rung: u16| steps >= u64::from(rung);
        if reached(patience.give_up) {
            self.give_up(slot);
            return true;
        }
        let rung = match steps {
            _ if reached(patience.back_off) => Rung::BackOff,
            _ if reached(patience.jam) => Rung::Jam,
            _ if reached(patience.around) => Rung::Around,
            _ if reached(patience.splice) => Rung::Splice,
            _ if reached(patience.ask) => Rung::Ask,
            _ => Rung::Wait,
        };
        let climbed = rung > ladder.rung;
        if climbed {
            ladder.rung = rung;
            self.events.push(Event::Blocked(unit.id, rung));
        }
        if rung > Rung::Wait {
            unit.state = State::Stuck { since: ladder.since, rung };
        }
        match rung {
            Rung::Ask if climbed => self.look_for_choke(slot),
            Rung::Splice if climbed => self.go_around(slot, SHORT),
            Rung::Around if climbed => self.go_around(slot, LONG),
            Rung::Jam if climbed => self.solve_jam(slot),
            Rung::BackOff if tick >= ladder.until => {
                // Each rest is twice as long as the one before; after it comes another search.
                ladder.rests = (ladder.rests + 1).min(MOST_RESTS);
                ladder.until = tick + (period << (ladder.rests + 2));
                // First the way around: a jam may take all that is left of the budget.
                self.go_around(slot, LONG);
                self.solve_jam(slot);
            }
            _ => {}
        }
        false
    }

    fn give_up(&mut self, slot: u32) {
        let silent = self
            .units
            .get(slot)
            .and_then(|unit| unit.errand.as_ref())
            .is_some_and(|errand| errand.order.is_none());
        if silent {
            self.abandon(slot);
            self.settle_down(slot);
            return;
        }
        self.fail(slot, Event::GaveUp);
        self.stats.gave_up += 1;
    }

    /// Looks for a way around those who stand still, to a point farther on.
    fn go_around(&mut self, slot: u32, most: u32) {
        let Some(ahead) = self.ahead(slot) else { return };
        let Some(unit) = self.units.get(slot) else { return };
        let layer = &self.layers[usize::from(unit.layer)];
        let (from, size, rule) = (unit.body.cell, unit.size, layer.rule());
        let budget = self.settings.budget.steps;
        let mut left = budget - self.stats.spent.steps.min(budget);
        let before = left;
        let taken = |cell: Cell| {
            let square = blockstar::Rect::new(cell.x, cell.y, size.into(), size.into());
            square.cells().any(|cell| {
                let other = self.standing(cell).filter(|&other| other != slot);
                other.and_then(|other| self.units.get(other)).is_some_and(|other| {
                    // Movers get out of the way by themselves.
                    other.body.is_at_rest()
                        && matches!(
                            other.state,
                            State::Stuck { .. }
                                | State::Held
                                | State::Idle
                                | State::Arrived
                                | State::Holding
                                | State::Stranded
                        )
                })
            })
        };
        let found = local::search(layer, from, ahead.0, &mut left, most, taken);
        self.stats.spent.steps += before - left;
        let Some(found) = found else { return };
        let direct = apart(rule, from, ahead.0);
        if found.cost > direct + direct / 256 * CAP.1 + CAP.0 * STRAIGHT {
            return;
        }
        let route = Route::along(&turns(&found.cells), rule, u32::MAX);
        let moves = self.settings.moves;
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(errand) = &mut unit.errand else { return };
        let by_field = errand.route.is_empty();
        let route = match ahead.1 {
            Some(index) => route.joined(0, &errand.route.tail(index)),
            None => route,
        };
        self.cuts.list(slot, &route, moves);
        // Progress is what is made on the new way; the ladder stands where it stood.
        errand.ladder.best = route.get(0).map_or(u32::MAX, |first| first.to_go);
        (errand.next, errand.route) = (1, route);
        errand.detour |= by_field;
        self.events.push(Event::PathChanged(unit.id, Why::Around));
    }

    /// A cell farther on that nobody stands on, and its place in the route if it is on one.
    fn ahead(&self, slot: u32) -> Option<(Cell, Option<usize>)> {
        let unit = self.units.get(slot)?;
        let errand = unit.errand.as_ref()?;
        let free = |cell: Cell| {
            unit.square(cell).cells().all(|cell| {
                self.standing(cell).is_none_or(|other| {
                    self.units.get(other).is_some_and(|other| !other.body.is_at_rest())
                })
            })
        };
        let first = errand.next as usize;
        if first < errand.route.len() {
            let points = errand.route.points().iter().enumerate().skip(first).take(4);
            return points
                .rev()
                .find(|(_, point)| free(point.cell()))
                .map(|(index, point)| (point.cell(), Some(index)));
        }
        let layer = &self.layers[usize::from(unit.layer)];
        let field = self.places.get(errand.place)?.field.as_ref()?;
        let mut cell = unit.body.cell;
        let mut found = None;
        for _ in 0..16 {
            let Some(next) = field.next(&layer.grid, layer.rule(), cell) else { break };
            cell = next;
            if free(cell) {
                found = Some((cell, None));
            }
        }
        found
    }
}
