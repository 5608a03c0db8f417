//! Errands: a goal becomes a place, a place a cell of the unit's own, and there it settles down.

use super::World;
use crate::event::{Leg, State};
use crate::measure::{STRAIGHT, apart};
use crate::route::Route;
use crate::unit::{Errand, Ladder, Unit};
use crate::{Event, Goal, How, OrderId, Rung};
use blockstar::Cell;

/// From how near a unit looks for a cell of its own, beyond those that are taken.
const NEAR: u32 = 4 * STRAIGHT;

impl World {
    /// Sends a unit to a goal, or as near as possible.
    pub(crate) fn set_errand(
        &mut self,
        slot: u32,
        goal: &Goal,
        order: Option<OrderId>,
        post: Option<Cell>,
    ) {
        self.abandon(slot);
        let Some(unit) = self.units.get(slot) else { return };
        let (id, layer_id, group) = (unit.id, unit.layer, unit.group);
        let layer = &self.layers[usize::from(layer_id)];
        let rule = layer.rule();
        let here = self.here(unit);
        let mut sources = match post {
            Some(post) => vec![post],
            None => self.sources(goal, layer_id),
        };
        let nearest_to = |cells: &[Cell]| {
            cells.iter().copied().min_by_key(|&cell| apart(rule, here, cell)).unwrap_or(here)
        };
        let wanted = nearest_to(&sources);
        sources.retain(|&cell| layer.connectivity.connected(here, cell));
        let nearest = sources.is_empty();
        if nearest {
            let cell = layer.connectivity.nearest(here, wanted).unwrap_or(here);
            sources.push(cell);
            self.events.push(Event::Unreachable(id, cell));
            if let (Some(group), Some(order)) = (group, order) {
                self.note_split(group, order);
            }
        }
        let target = nearest_to(&sources);
        let near = match goal {
            Goal::Near(_, cells) if !nearest => u32::from(*cells) * STRAIGHT,
            _ => 0,
        };
        self.leave_home(slot);
        let place = self.places.enter(layer_id, sources, self.edition);
        self.last_serial = self.last_serial.wrapping_add(1);
        let serial = self.last_serial;
        let tick = self.tick;
        let edition = self.edition;
        if let Some(unit) = self.units.get_mut(slot) {
            unit.errand = Some(Errand {
                order,
                place,
                target,
                claimed: false,
                near,
                nearest,
                post,
                route: Route::default(),
                next: 0,
                leg: Leg::Quick,
                whole: false,
                detour: false,
                serial,
                born: tick,
                started: false,
                cut: None,
                edition,
                held: false,
                ladder: Ladder::new(tick),
            });
            unit.state = State::Waiting;
        }
        self.quick.push_back((slot, serial, tick));
    }

    /// Plans again for the goal that a unit has.
    pub(crate) fn plan_again(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let front = unit.orders.front();
        let goal = match front.map(|given| &given.order) {
            Some(crate::Order::Move { to, .. }) if errand.order.is_some() => to.clone(),
            Some(crate::Order::Patrol { stops, .. }) if errand.order.is_some() => {
                let at = front.map_or(0, |given| given.count as usize);
                stops[at.min(stops.len() - 1)].clone()
            }
            _ => match self.places.get(errand.place) {
                Some(place) => Goal::Any(place.sources.clone()),
                None => return,
            },
        };
        let (order, post, born) = (errand.order, errand.post, errand.born);
        let (started, ladder) = (errand.started, errand.ladder);
        self.set_errand(slot, &goal, order, post);
        if let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) {
            (errand.born, errand.started) = (born, started);
            errand.ladder = Ladder { best: u32::MAX, ..ladder };
        }
    }

    /// Gives an errand up, with the cell that was to be the unit's.
    pub(crate) fn abandon(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(errand) = unit.errand.take() else { return };
        if errand.claimed {
            self.claims.give_back(errand.target, unit.size, slot);
            if let Some(place) = self.places.get_mut(errand.place) {
                place.look_again();
            }
        }
        self.places.leave(errand.place);
        self.cuts.drop(slot);
    }

    /// Gives the cell back that a unit stands on, as it goes elsewhere.
    pub(crate) fn leave_home(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        if let Some(home) = unit.home.take() {
            self.claims.give_back(home, unit.size, slot);
        }
        if let Some(place) = unit.parked.take() {
            if let Some(place) = self.places.get_mut(place) {
                place.look_again();
            }
            self.places.leave(place);
        }
    }

    /// Makes the cell that a unit without an errand stands on its own, if nobody else has it.
    pub(crate) fn settle_down(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let cell = self.here(unit);
        let Some(unit) = self.units.get_mut(slot) else { return };
        unit.away = self.tick;
        if unit.errand.is_some() || unit.home.is_some() {
            return;
        }
        if self.claims.is_free(cell, unit.size, slot) {
            self.claims.take(cell, unit.size, slot);
            unit.home = Some(cell);
        }
    }

    /// Looks whether a unit at rest has arrived, or is near enough for a cell of its own; true if it
    /// has arrived. `left` is what is left of its way as it knows it.
    pub(crate) fn arrives(&mut self, slot: u32, left: u32, budget: &mut u32) -> bool {
        let Some(unit) = self.units.get(slot) else { return true };
        let Some(errand) = &unit.errand else { return true };
        // A quick path ends somewhere on the way: how far it is from there nobody knows.
        let known = errand.whole || errand.route.is_empty() || errand.detour;
        let distance = if known { left } else { u32::MAX };
        let (cell, size) = (self.here(unit), unit.size);
        if errand.claimed {
            if cell == errand.target {
                self.arrive(slot);
                return true;
            }
            return false;
        }
        let at_crowd = errand.ladder.rung >= Rung::Ask && self.is_behind_the_crowd(slot);
        let Some(place) = self.places.get_mut(errand.place) else { return false };
        let within = errand.near > 0 && distance <= errand.near;
        if within && self.claims.is_free(cell, size, slot) {
            self.own(slot, cell);
            self.arrive(slot);
            return true;
        }
        let reach = place.ring.saturating_add(errand.near).saturating_add(NEAR);
        if !within && !at_crowd && distance > reach {
            return false;
        }
        let layer = &self.layers[usize::from(unit.layer)];
        if *budget == 0 {
            return false;
        }
        place.follow(&self.changes);
        let Some(target) = place.choose(layer, &self.claims, slot, cell, budget) else {
            return false;
        };
        self.own(slot, target);
        if target == cell {
            self.arrive(slot);
            return true;
        }
        self.lead_home(slot, target);
        false
    }

    /// Whether a unit comes no farther because those who have arrived before it stand there. They
    /// stay where they are, even if a cell in their midst is free again and by that measure the unit
    /// is still far away.
    fn is_behind_the_crowd(&self, slot: u32) -> bool {
        let place = |unit: &Unit| unit.errand.as_ref().map(|errand| errand.place);
        let Some(unit) = self.units.get(slot) else { return false };
        let ahead = self.wish(slot).and_then(|cell| self.stepper.occupant(cell));
        let other = ahead.and_then(|ahead| self.units.get(ahead));
        other.is_some_and(|other| other.parked.is_some() && other.parked == place(unit))
    }

    /// Makes a cell the target of a unit and its own.
    fn own(&mut self, slot: u32, cell: Cell) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        self.claims.take(cell, unit.size, slot);
        if let Some(errand) = &mut unit.errand {
            (errand.target, errand.claimed) = (cell, true);
        }
    }

    /// Leads a unit to its own cell, by a simple way if there is one.
    pub(crate) fn lead_home(&mut self, slot: u32, target: Cell) {
        let Some(unit) = self.units.get(slot) else { return };
        let layer = &self.layers[usize::from(unit.layer)];
        let here = self.here(unit);
        let ends_there = |errand: &Errand| {
            errand.whole && errand.route.last().is_some_and(|last| last.cell() == target)
        };
        if unit.errand.as_ref().is_some_and(ends_there) {
            return;
        }
        let rule = layer.rule();
        match crate::measure::bend(&layer.grid, rule, here, target) {
            Some(turn) => {
                let route = Route::along(&[here, turn, target], rule, u32::MAX);
                self.take_route(slot, route, Leg::Full, true);
            }
            None => self.ask_quickly(slot),
        }
    }

    /// Asks for a quick path to where the errand leads now.
    pub(crate) fn ask_quickly(&mut self, slot: u32) {
        let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) else {
            return;
        };
        self.last_serial = self.last_serial.wrapping_add(1);
        errand.serial = self.last_serial;
        self.quick.push_back((slot, self.last_serial, self.tick));
    }

    /// A unit is where it was to go.
    pub(crate) fn arrive(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(errand) = unit.errand.take() else { return };
        let place = self.places.get(errand.place);
        let exact = place.is_some_and(|place| place.sources.binary_search(&errand.target).is_ok());
        let how = match (errand.nearest, exact, errand.near > 0) {
            (true, ..) => How::Nearest,
            (_, true, _) => How::Exact,
            (_, _, true) => How::Near,
            _ => How::Crowded,
        };
        unit.home = Some(errand.target);
        unit.parked = Some(errand.place);
        unit.away = self.tick;
        unit.state = State::Arrived;
        self.cuts.drop(slot);
        if errand.order.is_some() {
            self.finish(slot, how);
        }
    }

    /// Puts a unit on a way.
    pub(crate) fn take_route(&mut self, slot: u32, route: Route, leg: Leg, whole: bool) {
        let moves = self.settings.moves;
        let edition = self.edition;
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(errand) = &mut unit.errand else { return };
        self.cuts.list(slot, &route, moves);
        errand.next = u32::from(route.len() > 1);
        (errand.route, errand.leg, errand.whole) = (route, leg, whole);
        (errand.cut, errand.detour, errand.edition) = (None, false, edition);
        errand.ladder.best = u32::MAX;
    }
}
