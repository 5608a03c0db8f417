//! Steps from cell to cell: units between two cells go on, those at rest decide together.
//!
//! A unit has the cell that it goes to from the moment it sets off, so who follows it may set off
//! for the cell that it leaves. Units at different speeds are between cells at different times; to
//! the stepper such a unit is one that cannot move now.

use super::World;
use super::view::{Guide, Lead, View};
use crate::crowd::ROUNDS;
use crate::event::{Leg, State};
use crate::measure::{may_step, stepped, steps};
use crate::route::{Route, centre};
use crate::unit::Errand;
use crate::{Event, Rung};
use blockstar::{Cell, Rule};

/// How far around somebody who is held up others make room, in cells.
const ROOM: u32 = 6;

/// The most cells that a unit walks in a tick.
const MOST_STEPS: u32 = 64;

impl World {
    /// Moves all units for a tick.
    pub(crate) fn walk(&mut self) {
        for slot in 0..self.units.len() {
            let speed = self.speed(slot);
            if let Some(unit) = self.units.get_mut(slot) {
                unit.body.advance(speed);
            }
        }
        self.meter();
        let mut budget = self.settings.budget.fields - self.stats.spent.fields;
        let mut ready: Vec<u32> = self.units.iter().map(|(slot, _)| slot).collect();
        for round in 0..MOST_STEPS {
            ready.retain(|&slot| self.units.get(slot).is_some_and(|unit| unit.body.is_at_rest()));
            if ready.is_empty() {
                break;
            }
            let movers = self.movers(&ready, &mut budget, round == 0);
            ready = self.step(&movers, round == 0);
        }
        self.stats.spent.fields = self.settings.budget.fields - budget;
    }

    /// The speed of a class on plain ground.
    pub(crate) fn own_speed(&self, slot: u32) -> u32 {
        let class = self.units.get(slot).map_or(0, |unit| usize::from(unit.class));
        self.settings.classes[class].speed.units()
    }

    /// The speed of a unit: its own, or that of its group.
    pub(crate) fn speed(&self, slot: u32) -> u32 {
        let own = self.own_speed(slot);
        let front = self.units.get(slot).and_then(|unit| unit.orders.front());
        front.and_then(|given| given.limit).map_or(own, |limit| own.min(limit))
    }

    /// Units at rest that want to go somewhere, the most urgent first.
    fn movers(&mut self, ready: &[u32], budget: &mut u32, first: bool) -> Vec<u32> {
        let mut movers: Vec<(u64, u32)> = Vec::new();
        for &slot in ready {
            let Some(unit) = self.units.get(slot) else { continue };
            if unit.errand.is_none() {
                if unit.home.is_none_or(|home| home == unit.body.cell) || unit.is_holding() {
                    continue;
                }
                if unit.parked.is_none() {
                    movers.push((u64::MAX, slot));
                    continue;
                }
                self.change_homes(slot);
                if !self.send_home(slot) {
                    continue;
                }
            }
            if self.units.get(slot).and_then(|unit| unit.errand.as_ref()).is_some_and(|it| it.held)
            {
                if let Some(unit) = self.units.get_mut(slot) {
                    unit.state = State::Held;
                }
                continue;
            }
            if let Some(born) = self.prepare(slot, budget, first) {
                movers.push((born, slot));
            }
        }
        movers.sort_unstable();
        movers.into_iter().map(|(_, slot)| slot).collect()
    }

    /// Brings a unit's errand up to date; says since when it has wanted to go on, if it does.
    pub(super) fn prepare(&mut self, slot: u32, budget: &mut u32, first: bool) -> Option<u64> {
        self.pass_points(slot);
        if !self.update_leg(slot) {
            // Its quick path has ended, and nothing better is known yet: it may be there already.
            let unit = self.units.get(slot)?;
            if unit.errand.as_ref()?.target == unit.body.cell && self.arrives(slot, 0, budget) {
                return None;
            }
            let unit = self.units.get_mut(slot)?;
            let errand = unit.errand.as_mut()?;
            let ended = errand.next as usize >= errand.route.len();
            if errand.whole && ended && errand.target != unit.body.cell {
                // It was at the end of its way and has been pushed off: nobody looks for another.
                errand.whole = false;
                self.ask_quickly(slot);
            }
            self.show_waiting(slot);
            return None;
        }
        let left = self.left(slot);
        if self.arrives(slot, left, budget) {
            return None;
        }
        self.pass_points(slot);
        let left = self.left(slot);
        if first && self.climb(slot, left) {
            return None;
        }
        Some(self.units.get(slot)?.errand.as_ref()?.born)
    }

    /// What is left of the way of a unit, by what leads it.
    pub(crate) fn left(&self, slot: u32) -> u32 {
        let Some(unit) = self.units.get(slot) else { return 0 };
        let guide = self.guide(slot);
        self.view(&[]).left(&guide, unit.body.cell)
    }

    pub(super) fn view<'a>(&'a self, guides: &'a [Guide]) -> View<'a> {
        View { guides, layers: &self.layers, places: &self.places, rule: self.rule() }
    }

    fn rule(&self) -> Rule {
        crate::layer::cell_moves(self.settings.moves).rule()
    }

    /// Goes on to the next point of the route where one has been passed.
    fn pass_points(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let layer = &self.layers[usize::from(unit.layer)];
        let cell = unit.body.cell;
        let Some(errand) = &mut unit.errand else { return };
        while let Some(point) = errand.route.get(errand.next as usize) {
            let passed = point.cell() == cell
                || errand.route.get(errand.next as usize + 1).is_some_and(|after| {
                    is_past(point.cell(), after.cell(), cell)
                        && crate::measure::bend(&layer.grid, layer.rule(), cell, after.cell())
                            .is_some()
                });
            if !passed {
                break;
            }
            errand.next += 1;
        }
        let ended = errand.next as usize >= errand.route.len() && !errand.route.is_empty();
        if ended && errand.detour {
            (errand.detour, errand.route) = (false, Route::default());
            errand.next = 0;
        }
    }

    /// What leads a unit now.
    pub(super) fn guide(&self, slot: u32) -> Guide {
        let Some(unit) = self.units.get(slot) else { return Guide::default() };
        let cell = unit.body.cell;
        let lead = match &unit.errand {
            None => Lead::Cell(unit.home.unwrap_or(cell), 0),
            Some(errand) => match errand.route.get(errand.next as usize) {
                Some(next) => Lead::Cell(next.cell(), next.to_go),
                None if self.leads_by_field(slot) => Lead::Field(errand.place),
                None if errand.claimed => Lead::Cell(errand.target, 0),
                None => Lead::Cell(cell, 0),
            },
        };
        // Whoever has arrived yields to those who do not get on, see `let_through`.
        let settled = unit.errand.is_none() && unit.parked.is_some() && unit.home == Some(cell);
        let frozen = !unit.body.is_at_rest()
            || (unit.errand.is_none() && unit.is_holding())
            || (settled && unit.state != State::Yielding)
            || self.is_led_out(slot);
        let back = unit.errand.as_ref().is_some_and(|errand| errand.held);
        Guide { lead, layer: unit.layer, cell, frozen, back }
    }

    /// Those who have arrived stand still, so that a crowd at a goal comes to rest. They
    /// step aside only near somebody on the way to another goal who asks for it.
    fn let_through(&mut self, movers: &[u32]) {
        for &slot in movers {
            let Some(unit) = self.units.get(slot) else { continue };
            let Some(errand) = &unit.errand else { continue };
            if errand.ladder.rung < Rung::Ask {
                continue;
            }
            let (cell, place) = (unit.body.cell, errand.place);
            let side = 2 * ROOM + u32::from(unit.size);
            let around = blockstar::Rect::new(
                cell.x.saturating_sub(ROOM),
                cell.y.saturating_sub(ROOM),
                side,
                side,
            );
            for cell in around.cells() {
                let other = self.stepper.occupant(cell);
                let Some(other) = other.and_then(|other| self.units.get_mut(other)) else {
                    continue;
                };
                if other.errand.is_none() && other.parked.is_some_and(|parked| parked != place) {
                    other.state = State::Yielding;
                }
            }
        }
    }

    /// Lets units at rest decide and set off; returns those who have already got where they were
    /// going and have some of the tick left.
    fn step(&mut self, movers: &[u32], first: bool) -> Vec<u32> {
        for &slot in movers {
            self.exchange(slot);
        }
        self.let_through(movers);
        let forced = if first { self.jam_steps() } else { Vec::new() };
        let mut guides = std::mem::take(&mut self.guides);
        guides.clear();
        guides.extend((0..self.units.len()).map(|slot| self.guide(slot)));
        let mut stepper =
            std::mem::replace(&mut self.stepper, crate::crowd::Stepper::new(1, 1, Rule::Four));
        if !stepper.step_with(&self.view(&guides), movers, &forced, ROUNDS) {
            // Two ways out cross: each finds another one later.
            self.jams.clear();
            stepper.step(&self.view(&guides), movers);
        }
        self.stepper = stepper;
        self.guides = guides;
        if first {
            self.stats.movers = movers.len() as u32;
        }
        let ticks = self.settings.ticks_per_second;
        let mut early = Vec::new();
        for slot in 0..self.units.len() {
            let Some(to) = self.stepper.cell(slot) else { continue };
            let Some(unit) = self.units.get_mut(slot) else { continue };
            if to == unit.body.cell {
                continue;
            }
            let layer = &self.layers[usize::from(unit.layer)];
            let factor = (layer.factor(unit.body.cell) + layer.factor(to)) / 2;
            unit.body.start(centre(to), to, factor, ticks);
            unit.body.settle();
            let led = |errand: &Errand| !errand.route.is_empty();
            unit.state = match &mut unit.errand {
                Some(errand) => {
                    if !std::mem::replace(&mut errand.started, true)
                        && let Some(order) = errand.order
                    {
                        self.events.push(Event::Started(unit.id, order));
                    }
                    match errand.ladder.rung {
                        Rung::Wait => {
                            State::Moving(if led(errand) { errand.leg } else { Leg::Field })
                        }
                        rung => State::Stuck { since: errand.ladder.since, rung },
                    }
                }
                None => State::Yielding,
            };
            if unit.body.is_at_rest() {
                early.push(slot);
            }
        }
        if first {
            self.bring_home();
        }
        early
    }

    /// Units that have made room and do not get back for long stay where they are.
    pub(super) fn bring_home(&mut self) {
        let patience = u64::from(self.settings.patience.jam);
        for slot in 0..self.units.len() {
            let Some(unit) = self.units.get_mut(slot) else { continue };
            if unit.errand.is_some() || !unit.body.is_at_rest() {
                continue;
            }
            if unit.home == Some(unit.body.cell) {
                unit.away = self.tick;
                if unit.state == State::Yielding {
                    let parked = unit.parked.is_some();
                    unit.state = if parked { State::Arrived } else { State::Idle };
                }
                continue;
            }
            let period = self.period(slot);
            let Some(unit) = self.units.get(slot) else { continue };
            if self.tick - unit.away > patience * period
                && self.claims.is_free(unit.body.cell, unit.size, slot)
            {
                let parked = unit.parked;
                let Some(unit) = self.units.get_mut(slot) else { continue };
                if let Some(home) = unit.home.replace(unit.body.cell) {
                    self.claims.give_back(home, unit.size, slot);
                }
                self.claims.take(unit.body.cell, unit.size, slot);
                if let Some(place) = parked.and_then(|place| self.places.get_mut(place)) {
                    place.look_again();
                }
            }
        }
    }

    /// The ticks of a step.
    pub(crate) fn period(&self, slot: u32) -> u64 {
        let ticks = u64::from(self.settings.ticks_per_second) << 16;
        ticks.div_ceil(u64::from(self.speed(slot).max(1))).max(1)
    }

    /// A unit on the way to its own cell does not push those aside who have arrived at the same
    /// goal: it takes the cell of the first of them, and that one goes on in its stead, along the
    /// rest of its route. (H. Ma & S. Koenig's target assignment by exchange, as in TSWAP.)
    fn exchange(&mut self, first: u32) {
        let mut slot = first;
        for _ in 0..self.units.len() {
            let Some(unit) = self.units.get(slot) else { return };
            let Some(errand) = unit.errand.as_ref().filter(|errand| errand.claimed) else { return };
            let Some(next) = self.wish(slot) else { return };
            let Some(other_slot) = self.stepper.occupant(next) else { return };
            let Some(other) = self.units.get(other_slot) else { return };
            let same = other.errand.is_none()
                && other.parked == Some(errand.place)
                && other.home == Some(other.body.cell)
                && other.body.cell == next
                && other.body.is_at_rest()
                && other.size == unit.size
                && !other.is_holding();
            if !same {
                return;
            }
            let rest = errand.clone();
            let (here, rule) = (unit.body.cell, self.rule());
            let place = errand.place;
            let target = errand.target;
            let size = unit.size;
            let (tick, moves) = (self.tick, self.settings.moves);
            self.claims.give_back(target, size, slot);
            self.claims.give_back(next, size, other_slot);
            self.claims.take(next, size, slot);
            self.claims.take(target, size, other_slot);
            let step = Route::along(&[here, next], rule, u32::MAX);
            self.cuts.list(slot, &step, moves);
            if let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) {
                (errand.target, errand.route, errand.next) = (next, step, 1);
                (errand.whole, errand.detour, errand.cut) = (true, false, None);
            }
            self.last_serial = self.last_serial.wrapping_add(1);
            let serial = self.last_serial;
            // The route from the other's cell on: it is the next one of the first unit's way.
            let from = rest.route.points().get(rest.next as usize).map_or(target, |p| p.cell());
            let ahead = if from == next { rest.next as usize + 1 } else { rest.next as usize };
            let tail = rest.route.tail(ahead.min(rest.route.len().saturating_sub(1)));
            let route =
                Route::along(&[next, tail.get(0).map_or(target, |p| p.cell())], rule, u32::MAX)
                    .joined(0, &tail);
            self.cuts.list(other_slot, &route, moves);
            if let Some(other) = self.units.get_mut(other_slot) {
                (other.home, other.parked) = (None, None);
                let silent = Errand::silent(place, target, serial, tick);
                other.errand = Some(Errand { route, next: 1, whole: true, ..silent });
            }
            slot = other_slot;
        }
    }

    /// A unit that has been pushed off its cell goes back there; false if it is there.
    pub(super) fn send_home(&mut self, slot: u32) -> bool {
        let Some(unit) = self.units.get_mut(slot) else { return false };
        let (Some(home), Some(place)) = (unit.home, unit.parked) else { return false };
        if home == unit.body.cell {
            return false;
        }
        self.last_serial = self.last_serial.wrapping_add(1);
        let tick = self.tick;
        (unit.home, unit.parked) = (None, None);
        unit.errand = Some(Errand::silent(place, home, self.last_serial, tick));
        self.lead_home(slot, home);
        true
    }

    /// A unit that was pushed onto the cell of another that has arrived at the same goal, or is about
    /// to, stays there: it is all the same who stands where.
    fn change_homes(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let (Some(home), Some(place), cell, size) =
            (unit.home, unit.parked, unit.body.cell, unit.size)
        else {
            return;
        };
        let Some(owner) = self.claims.owner(cell, size).filter(|&owner| owner != slot) else {
            return;
        };
        let Some(other) = self.units.get_mut(owner).filter(|other| other.size == size) else {
            return;
        };
        match &mut other.errand {
            None if other.parked == Some(place) && other.home == Some(cell) => {
                other.home = Some(home);
            }
            Some(errand) if errand.place == place && errand.claimed && errand.target == cell => {
                errand.target = home;
            }
            _ => return,
        }
        let moves_on = other.errand.is_some();
        self.claims.give_back(home, size, slot);
        self.claims.give_back(cell, size, owner);
        self.claims.take(home, size, owner);
        self.claims.take(cell, size, slot);
        if let Some(unit) = self.units.get_mut(slot) {
            unit.home = Some(cell);
        }
        if moves_on {
            self.lead_home(owner, home);
        }
    }

    /// The neighbour that a unit would go to if nobody was there.
    pub(super) fn wish(&self, slot: u32) -> Option<Cell> {
        let unit = self.units.get(slot)?;
        let layer = &self.layers[usize::from(unit.layer)];
        let (rule, cell, guide) = (layer.rule(), unit.body.cell, self.guide(slot));
        let view = self.view(&[]);
        let here = view.left(&guide, cell);
        steps(rule)
            .iter()
            .filter(|&&step| may_step(&layer.grid, rule, cell, step))
            .filter_map(|&step| stepped(cell, step))
            .map(|next| (view.left(&guide, next), next))
            .min()
            .filter(|&(left, _)| left < here)
            .map(|(_, next)| next)
    }
}

/// Whether a cell lies beyond a point of a route, on the side of the one after it.
fn is_past(point: Cell, after: Cell, cell: Cell) -> bool {
    let way = |a: Cell, b: Cell| (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (along, to) = (way(point, after), way(point, cell));
    along.0 * to.0 + along.1 * to.1 > 0
}
