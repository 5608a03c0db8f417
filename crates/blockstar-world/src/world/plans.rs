//! Planning: quick paths at once, whole ones while units move, and the two joined.
//!
//! **Three steps** (D. Higgins, *Pathfinding design architecture*, 2002). A *quick* path of a few
//! cells gets a unit going in the tick in which it was ordered. The *full* one is searched from the
//! end of the quick one while the unit moves. When it is found, the unit *splices*: it goes to that
//! point of the two paths from which least is left, by a way that is known to be shorter. So it never
//! walks farther than quick and full path together, and where the quick one led into a dead end, it
//! turns around where it stands.
//!
//! Units with one goal do not search for themselves from some number on: they share a distance
//! field, which grows from the goal and is good for all.

use super::World;
use crate::Event;
use crate::event::{Leg, State, Why};
use crate::field::Field;
use crate::local;
use crate::measure::{NONE, STRAIGHT, apart, bend};
use crate::queue::{Answer, Purpose, Ticket};
use crate::route::{Route, centre};
use blockstar::{Cell, Status};

/// A search that edits make start over more often than this has a quick path instead.
const MOST_RESTARTS: u8 = 4;

/// A way around a cut that is longer than the part it replaces by more than this, in 1/256, makes
/// the unit look for a whole new path.
const DEAR: u64 = 333;

/// How much later than others a search for a shorter way is due, in ticks.
const LATER: u64 = 120;

/// How many units are asked in a tick whether a wall that opened is of use to them.
const ASKED: u32 = 64;

/// The most walls that opened which are remembered.
const MOST_OPENINGS: usize = 256;

/// The expansions of a splice.
const SPLICE: u32 = 48;

impl World {
    /// All planning of a tick.
    pub(crate) fn plan(&mut self) {
        self.plan_quickly();
        let (threads, deadline) = (self.threads, self.deadline);
        let units = &self.units;
        let wanted = |ticket: &Ticket| {
            let errand = units.get(ticket.unit).and_then(|unit| unit.errand.as_ref());
            errand.is_some_and(|errand| errand.serial == ticket.serial)
        };
        let budget = self.settings.budget;
        let (spent, repaired) =
            self.repair.serve(&self.layers, budget.repair, threads, deadline, wanted);
        self.stats.spent.repair = spent;
        let (spent, found) = self.full.serve(&self.layers, budget.full, threads, deadline, wanted);
        self.stats.spent.full = spent;
        for answer in repaired.into_iter().chain(found) {
            self.answer(answer);
        }
        self.grow_fields();
        self.offer_openings();
    }

    fn plan_quickly(&mut self) {
        let budget = self.settings.budget.quick;
        let most = self.settings.quick_expansions.min(budget);
        if most == 0 {
            return;
        }
        let mut left = budget;
        while left >= most {
            let Some((slot, serial, since)) = self.quick.pop_front() else { break };
            let current = |unit: &crate::unit::Unit| {
                unit.errand.as_ref().is_some_and(|errand| errand.serial == serial)
            };
            if self.units.get(slot).is_some_and(current) {
                self.stats.quick_wait = self.stats.quick_wait.max(1 + self.tick - since);
                left -= self.plan_first_cells(slot, most).clamp(1, most);
            }
        }
        self.stats.spent.quick = budget - left;
    }

    /// Finds a quick path for a unit, and asks for the rest; returns the expansions.
    fn plan_first_cells(&mut self, slot: u32, most: u32) -> u32 {
        let Some(unit) = self.units.get(slot) else { return 0 };
        let Some(errand) = &unit.errand else { return 0 };
        let (place, target, claimed) = (errand.place, errand.target, errand.claimed);
        let layer_id = unit.layer;
        let here = self.here(unit);
        if here == target {
            self.take_route(slot, Route::default(), Leg::Full, true);
            return 0;
        }
        let shares = !claimed && self.shares_field(place);
        let field = self.places.get(place).and_then(|place| place.field.as_ref());
        if shares && field.is_some_and(|field| field.knows(here)) {
            self.take_route(slot, Route::default(), Leg::Field, false);
            return 0;
        }
        let layer = &self.layers[usize::from(layer_id)];
        let Ok((status, spent)) = layer.quick_path(here, target, most, &mut self.scratch) else {
            self.plan_again(slot);
            return 1;
        };
        self.stats.quick_paths += 1;
        if status == Status::NoPath {
            // An edit has come between.
            self.plan_again(slot);
            return spent;
        }
        let whole = status == Status::Found && !self.settings.moves.rule().is_any_angle();
        let cells = if whole { u32::MAX } else { self.settings.quick_cells.into() };
        let route = Route::of(self.scratch.path(), cells);
        let end = route.last().map_or(here, |last| last.cell());
        let leg = if whole { Leg::Full } else { Leg::Quick };
        self.take_route(slot, route, leg, whole);
        if whole {
            return spent;
        }
        if shares {
            let field = self.places.get_mut(place).and_then(|place| place.field.as_mut());
            field.into_iter().for_each(|field| field.want(here));
        } else {
            self.ask_for(slot, Purpose::Full, end, target, u32::MAX);
        }
        spent
    }

    /// Whether a place has a field, which it gets if there is reason enough.
    fn shares_field(&mut self, number: u32) -> bool {
        if self.settings.moves.rule().is_any_angle() {
            return false;
        }
        let Some(place) = self.places.get(number) else { return false };
        if place.field.is_some() {
            return true;
        }
        if place.members < self.settings.share_from && place.sources.len() < 2 {
            return false;
        }
        if self.places.shared().len() >= self.settings.most_fields as usize {
            return false;
        }
        let grid = &self.layers[usize::from(place.layer)].grid;
        let field = Field::new(grid, &place.sources);
        self.places.share(number, field);
        true
    }

    /// Queues a search.
    fn ask_for(&mut self, slot: u32, purpose: Purpose, from: Cell, to: Cell, limit: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let ticket = Ticket {
            unit: slot,
            serial: errand.serial,
            purpose,
            layer: unit.layer,
            from,
            to,
            born: self.tick,
            limit,
            restarts: 0,
        };
        match purpose {
            Purpose::Repair => self.repair.push(ticket, 0),
            Purpose::Full => self.full.push(ticket, 0),
            Purpose::Refresh => self.full.push(ticket, LATER),
        }
    }

    /// Uses what a search has found.
    fn answer(&mut self, Answer { ticket, found }: Answer) {
        let slot = ticket.unit;
        let current = |unit: &crate::unit::Unit| {
            unit.errand.as_ref().is_some_and(|errand| errand.serial == ticket.serial)
        };
        if !self.units.get(slot).is_some_and(current) {
            return;
        }
        self.stats.plans += 1;
        let Some(found) = found else {
            return match ticket.purpose {
                // There is none shorter.
                Purpose::Refresh => {}
                _ if ticket.restarts > MOST_RESTARTS => self.ask_quickly(slot),
                Purpose::Full => self.plan_again(slot),
                // Not even around the cut.
                Purpose::Repair => self.ask_quickly(slot),
            };
        };
        match ticket.purpose {
            Purpose::Full => self.splice(slot, &found, ticket.from, Why::Full),
            Purpose::Repair => self.mend(slot, &found, &ticket),
            Purpose::Refresh => {
                let Some(unit) = self.units.get(slot) else { return };
                let here = self.here(unit);
                let left = self.left_of_route(slot);
                let rule = self.layers[usize::from(unit.layer)].rule();
                let offered = found.get(0).map_or(NONE, |first| first.to_go);
                if offered.saturating_add(apart(rule, here, ticket.from)) < left {
                    self.splice(slot, &found, ticket.from, Why::Shorter);
                }
            }
        }
    }

    /// Puts a unit on a path that begins at `from`, by the shortest known way there.
    fn splice(&mut self, slot: u32, found: &Route, from: Cell, why: Why) {
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let id = unit.id;
        let here = self.here(unit);
        // What is left of the quick path leads to where the full one begins.
        let leads_there = errand.route.last().is_some_and(|last| last.cell() == from);
        let rest = match leads_there && errand.cut.is_none() && !errand.route.is_empty() {
            true => errand.route.joined(errand.next as usize, found),
            false => found.clone(),
        };
        let any_angle = self.settings.moves.rule().is_any_angle();
        let route =
            if any_angle { self.begun_here(slot, &rest) } else { self.joined(slot, here, &rest) };
        self.take_route(slot, route, Leg::Full, true);
        self.events.push(Event::PathChanged(id, why));
    }

    /// A route at any angle, from the middle of the cell that a unit is in.
    fn begun_here(&self, slot: u32, rest: &Route) -> Route {
        let Some(unit) = self.units.get(slot) else { return rest.clone() };
        let layer = &self.layers[usize::from(unit.layer)];
        let (moves, at) = (self.settings.moves, unit.body.spot());
        let visible = |index: &usize| {
            let points = [at.point(), rest.points()[*index].at.point()];
            blockstar::Path::new(&layer.grid, moves, points).still_valid(&layer.grid)
        };
        let first = (0..rest.len().min(4)).rev().find(visible);
        let start = match first {
            Some(_) => vec![at.point()],
            // Its own cell is free and convex.
            None => vec![at.point(), centre(self.here(unit)).point()],
        };
        let tail = rest.points()[first.unwrap_or(0)..].iter().map(|waypoint| waypoint.at.point());
        let points: Vec<blockstar::Point> = start.into_iter().chain(tail).collect();
        let path = blockstar::Path::new(&layer.grid, moves, points);
        Route::of(&path, u32::MAX)
    }

    /// The shortest known way from a cell onto a route and along it: straight to one of its points,
    /// or by a small search to a farther one.
    pub(super) fn joined(&mut self, slot: u32, here: Cell, rest: &Route) -> Route {
        let Some(unit) = self.units.get(slot) else { return rest.clone() };
        let layer = &self.layers[usize::from(unit.layer)];
        let rule = layer.rule();
        let mut best: (u32, Option<(Vec<Cell>, usize)>) = (NONE, None);
        for (index, point) in rest.points().iter().enumerate().take(16) {
            let cell = point.cell();
            let total = apart(rule, here, cell).saturating_add(point.to_go);
            if total < best.0
                && let Some(turn) = bend(&layer.grid, rule, here, cell)
            {
                best = (total, Some((vec![here, turn, cell], index)));
            }
        }
        let budget = self.settings.budget.steps;
        let mut left = budget - self.stats.spent.steps.min(budget);
        let ahead = rest
            .points()
            .iter()
            .take(16)
            .rposition(|point| apart(rule, here, point.cell()) <= 16 * STRAIGHT);
        if let Some(index) = ahead {
            let to = rest.points()[index];
            // Only if a perfect way could be better.
            if apart(rule, here, to.cell()).saturating_add(to.to_go) < best.0 {
                let before = left;
                let found = local::search(layer, here, to.cell(), &mut left, SPLICE, |_| false);
                self.stats.spent.steps += before - left;
                if let Some(found) = found
                    && found.cost.saturating_add(to.to_go) < best.0
                {
                    best = (found.cost + to.to_go, Some((turns(&found.cells), index)));
                }
            }
        }
        match best.1 {
            Some((cells, index)) => {
                Route::along(&cells, rule, u32::MAX).joined(0, &rest.tail(index))
            }
            None => rest.clone(),
        }
    }

    /// Joins the way around a cut with the rest of the old path.
    fn mend(&mut self, slot: u32, found: &Route, ticket: &Ticket) {
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let Some(clear) = errand.cut else { return };
        let Some(tail) = errand.route.get(clear as usize) else { return };
        if tail.cell() != ticket.to {
            return self.ask_quickly(slot);
        }
        let old = self.left_of_route(slot).saturating_sub(tail.to_go);
        let new = found.get(0).map_or(NONE, |first| first.to_go);
        let whole = found.joined(0, &errand.route.tail(clear as usize));
        let (target, was_whole, leg) = (errand.target, errand.whole, errand.leg);
        self.splice(slot, &whole, ticket.from, Why::Spliced);
        if let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) {
            (errand.whole, errand.leg) = (was_whole, leg);
        }
        self.stats.repairs += 1;
        if was_whole && u64::from(new) * 256 > u64::from(old) * DEAR + 8 * 256 * u64::from(STRAIGHT)
        {
            self.ask_for(slot, Purpose::Full, ticket.from, target, u32::MAX);
        }
    }

    /// What is left of the way of a unit along its route.
    pub(crate) fn left_of_route(&self, slot: u32) -> u32 {
        let Some(unit) = self.units.get(slot) else { return NONE };
        let Some(errand) = &unit.errand else { return 0 };
        let rule = self.layers[usize::from(unit.layer)].rule();
        match errand.route.get(errand.next as usize) {
            Some(next) => next.to_go.saturating_add(apart(rule, self.here(unit), next.cell())),
            None => NONE,
        }
    }

    /// Asks for a way around a cut.
    pub(crate) fn ask_for_repair(&mut self, slot: u32, clear: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(errand) = &mut unit.errand else { return };
        errand.cut = Some(clear);
        let to = errand.route.get(clear as usize).map(|point| point.cell());
        self.last_serial = self.last_serial.wrapping_add(1);
        errand.serial = self.last_serial;
        let Some(unit) = self.units.get(slot) else { return };
        let here = self.here(unit);
        match to {
            Some(to) if !self.settings.moves.rule().is_any_angle() => {
                self.ask_for(slot, Purpose::Repair, here, to, u32::MAX);
                let whole = self.units.get(slot).and_then(|unit| unit.errand.as_ref());
                let Some(errand) = whole.filter(|errand| !errand.whole) else { return };
                // The search for the rest, which the cut has made worthless, must begin again.
                let from = errand.route.last().map_or(here, |last| last.cell());
                let target = errand.target;
                if !self.leads_by_field(slot) {
                    self.ask_for(slot, Purpose::Full, from, target, u32::MAX);
                }
            }
            _ => self.ask_quickly(slot),
        }
    }

    /// Whether a unit is led by the field of its place.
    pub(crate) fn leads_by_field(&self, slot: u32) -> bool {
        let errand = self.units.get(slot).and_then(|unit| unit.errand.as_ref());
        errand.is_some_and(|errand| {
            let place = self.places.get(errand.place);
            !errand.claimed && place.is_some_and(|place| place.field.is_some())
        })
    }

    /// Lets fields grow, and units go by them.
    fn grow_fields(&mut self) {
        let budget = self.settings.budget.fields;
        let mut left = budget;
        // Whose turn it is first goes round.
        let shared = self.places.shared();
        let busy = |number: &&u32| {
            let field = self.places.get(**number).and_then(|place| place.field.as_ref());
            field.is_some_and(Field::is_busy)
        };
        let (late, early) = (shared.range(self.turn..), shared.range(..self.turn));
        let busy: Vec<u32> = late.chain(early).filter(busy).copied().collect();
        self.turn = busy.first().map_or(0, |first| first + 1);
        for (index, &number) in busy.iter().enumerate() {
            let share = left / (busy.len() - index) as u32;
            let Some(place) = self.places.get_mut(number) else { continue };
            let layer = &self.layers[usize::from(place.layer)];
            if let Some(field) = &mut place.field {
                left -= field.work(layer, share).min(left);
            }
        }
        self.stats.spent.fields = budget - left;
    }

    /// Asks some units whether a wall that opened since they last looked could be of use to them.
    fn offer_openings(&mut self) {
        if self.openings.is_empty() {
            return;
        }
        let count = self.units.len();
        for _ in 0..ASKED.min(count) {
            let slot = self.sweep;
            self.sweep = (self.sweep + 1) % count.max(1);
            if self.sweep == 0 {
                // Everybody has been asked about what was there when the round began.
                let oldest = self
                    .units
                    .iter()
                    .filter_map(|(_, unit)| unit.errand.as_ref().map(|errand| errand.edition));
                let oldest = oldest.min().unwrap_or(self.edition);
                while self.openings.front().is_some_and(|opening| opening.0 <= oldest) {
                    self.openings.pop_front();
                }
            }
            self.offer_opening(slot);
        }
    }

    fn offer_opening(&mut self, slot: u32) {
        let edition = self.edition;
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        if errand.edition == edition {
            return;
        }
        let layer = &self.layers[usize::from(unit.layer)];
        if errand.nearest {
            // Its goal was out of reach; perhaps it is not any more.
            let goal = unit.orders.front().and_then(|given| match &given.order {
                crate::Order::Move { to, .. } => Some(to),
                _ => None,
            });
            let sources = goal.map_or_else(Vec::new, |goal| self.sources(goal, unit.layer));
            let here = self.here(unit);
            if sources.iter().any(|&cell| layer.connectivity.connected(here, cell)) {
                return self.plan_again(slot);
            }
        }
        let rule = layer.rule();
        let (here, target) = (self.here(unit), errand.target);
        let left = self.left_of_route(slot);
        let useful = errand.whole && errand.cut.is_none() && left != NONE && {
            let news = self.openings.iter().rev().take_while(|opening| opening.0 > errand.edition);
            news.filter(|opening| opening.1 == unit.layer).any(|&(_, _, rect)| {
                let near = |cell: Cell| {
                    let clamp =
                        |at: u32, first: u32, count: u32| at.clamp(first, first + count - 1);
                    let (x, y) =
                        (clamp(cell.x, rect.x, rect.width), clamp(cell.y, rect.y, rect.height));
                    apart(rule, cell, Cell::new(x, y))
                };
                near(here).saturating_add(near(target)).saturating_add(STRAIGHT) < left
            })
        };
        if let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) {
            errand.edition = edition;
        }
        if useful {
            self.ask_for(slot, Purpose::Refresh, here, target, left);
        }
    }

    /// Notes that a wall opened.
    pub(crate) fn note_opening(&mut self, layer: u16, rect: blockstar::Rect) {
        if self.openings.len() == MOST_OPENINGS {
            self.openings.pop_front();
        }
        self.openings.push_back((self.edition, layer, rect));
    }

    /// Brings a unit onto the field of its place if that knows the way by now; false if it has
    /// nothing to go by.
    pub(crate) fn update_leg(&mut self, slot: u32) -> bool {
        if !self.leads_by_field(slot) {
            let errand = self.units.get(slot).and_then(|unit| unit.errand.as_ref());
            return errand.is_some_and(|errand| (errand.next as usize) < errand.route.len());
        }
        let Some(unit) = self.units.get(slot) else { return false };
        let here = self.here(unit);
        let Some(errand) = &unit.errand else { return false };
        let (on_route, detour) = ((errand.next as usize) < errand.route.len(), errand.detour);
        let (leg, place, id) = (errand.leg, errand.place, unit.id);
        if on_route && detour {
            return true;
        }
        let Some(field) = self.places.get_mut(place).and_then(|place| place.field.as_mut()) else {
            return on_route;
        };
        if field.knows(here) || (leg == Leg::Field && field.distance(here) != NONE) {
            if leg != Leg::Field || !errand.route.is_empty() {
                let first = leg == Leg::Quick;
                self.take_route(slot, Route::default(), Leg::Field, false);
                if first {
                    self.events.push(Event::PathChanged(id, Why::Full));
                }
            }
            return true;
        }
        if field.is_busy() {
            field.want(here);
            return on_route;
        }
        field.want(here);
        if !field.is_busy() {
            // It has been everywhere: there is no way.
            self.plan_again(slot);
            return false;
        }
        on_route
    }

    /// What a waiting unit is shown as.
    pub(crate) fn show_waiting(&mut self, slot: u32) {
        if let Some(unit) = self.units.get_mut(slot) {
            unit.state = State::Waiting;
        }
    }
}

/// The cells at which a way turns, with its ends.
pub(crate) fn turns(cells: &[Cell]) -> Vec<Cell> {
    let step = |a: Cell, b: Cell| (b.x as i32 - a.x as i32, b.y as i32 - a.y as i32);
    let mut turns: Vec<Cell> = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        let inner = index > 0 && index + 1 < cells.len();
        let straight = inner && step(cells[index - 1], cell) == step(cell, cells[index + 1]);
        if !straight {
            turns.push(cell);
        }
    }
    turns
}
