//! Orders: who gets them, when they begin, and what keeps them going.

use super::World;
use crate::measure::{STRAIGHT, apart};
use crate::unit::Given;
use crate::{Error, Event, Goal, How, Order, OrderId, Pace, State, UnitId, Who};
use blockstar::{Cell, Rect, sort};

/// A unit that follows or flees plans again after this many ticks at the earliest.
const PAUSE: u64 = 30;

/// The most goals of an order, and the most cells of one.
const MOST_STOPS: usize = 4096;

/// Sixteen directions to flee to.
const WINDS: [(i32, i32); 16] = [
    (0, -4),
    (2, -4),
    (3, -3),
    (4, -2),
    (4, 0),
    (4, 2),
    (3, 3),
    (2, 4),
    (0, 4),
    (-2, 4),
    (-3, 3),
    (-4, 2),
    (-4, 0),
    (-4, -2),
    (-3, -3),
    (-2, -4),
];

impl World {
    /// Gives an order to some units.
    pub(crate) fn take_order(
        &mut self,
        who: &Who,
        order: &Order,
        queued: bool,
    ) -> Result<OrderId, Error> {
        self.check_order(order)?;
        let (units, group) = match who {
            Who::Unit(unit) => (vec![*unit], None),
            Who::Units(units) => (units.clone(), None),
            Who::Group(group) => (self.members(*group)?.to_vec(), Some(*group)),
        };
        // Nobody gets it if somebody is gone.
        let slots: Vec<u32> =
            units.iter().map(|&unit| self.slot(unit)).collect::<Result<_, _>>()?;
        self.last_order += 1;
        let id = OrderId(self.last_order);
        let mut given = Given::new(id, order.clone());
        let mut posts = Vec::new();
        if let Order::Move { to, formation, pace } = order {
            if *pace == Pace::Slowest {
                given.limit = slots.iter().map(|&slot| self.own_speed(slot)).min();
            }
            if let Some(formation) = formation
                && slots.len() > 1
            {
                posts = self.posts(&slots, to, *formation);
            }
        }
        for (index, &slot) in slots.iter().enumerate() {
            let post = posts.get(index).copied().flatten();
            self.hand_out(slot, Given { post, ..given.clone() }, queued);
        }
        if let Some(group) = group {
            self.note_group_order(group, id);
        }
        Ok(id)
    }

    pub(crate) fn check_order(&self, order: &Order) -> Result<(), Error> {
        let check = |goal: &Goal| match goal {
            Goal::Cell(cell) | Goal::Near(cell, _) => self.map.check_cell("goal", *cell),
            Goal::Any(cells) if cells.is_empty() => Err(Error::Empty("a list of goals")),
            Goal::Any(cells) if cells.len() > MOST_STOPS => Err(Error::Range {
                what: "the number of goals",
                value: cells.len() as f64,
                range: "at most 4096",
            }),
            Goal::Any(cells) => {
                cells.iter().try_for_each(|&cell| self.map.check_cell("goal", cell))
            }
            Goal::Beside(rect) => self.map.check_rect("a building at", *rect),
        };
        match order {
            Order::Move { to, .. } => check(to),
            Order::Patrol { stops, .. } if stops.is_empty() => Err(Error::Empty("a patrol")),
            Order::Patrol { stops, .. } => stops.iter().try_for_each(check),
            Order::Follow { whom: other, .. } | Order::Flee { from: other, .. } => {
                self.slot(*other).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn hand_out(&mut self, slot: u32, given: Given, queued: bool) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        if queued {
            unit.orders.push_back(given);
            return;
        }
        let same =
            |front: &Given| front.begun && front.order == given.order && front.post == given.post;
        let under_way =
            unit.errand.is_some() || matches!(given.order, Order::Hold | Order::Follow { .. });
        if under_way && unit.orders.front().is_some_and(same) {
            // What it is doing already goes on, under the new name.
            unit.orders.truncate(1);
            unit.orders[0].id = given.id;
            if let Some(errand) = &mut unit.errand {
                errand.order = errand.order.map(|_| given.id);
            }
            return;
        }
        unit.orders.clear();
        unit.orders.push_back(given);
        self.stranded.remove(&slot);
        self.abandon(slot);
        self.settle_down(slot);
    }

    /// Begins the orders that come next, and keeps those going that need it.
    pub(crate) fn attend(&mut self) {
        self.recheck_stranded();
        for slot in 0..self.units.len() {
            let Some(unit) = self.units.get_mut(slot) else { continue };
            let Some(front) = unit.orders.front_mut() else { continue };
            if front.begun {
                match front.order {
                    Order::Wait(_) if self.tick >= front.count => self.finish(slot, How::Exact),
                    Order::Follow { whom, min, max } => self.follow(slot, whom, min, max),
                    Order::Flee { from, range } => self.flee(slot, from, range),
                    _ => {}
                }
            } else {
                front.begun = true;
                self.begin(slot);
            }
        }
    }

    /// Begins the first order of a unit.
    fn begin(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(front) = unit.orders.front_mut() else { return };
        match front.order.clone() {
            Order::Stop => {
                unit.orders.pop_front();
                unit.state = State::Idle;
            }
            Order::Hold => unit.state = State::Holding,
            Order::Wait(ticks) => {
                front.count = self.tick + u64::from(ticks);
                unit.state = State::Waiting;
            }
            Order::Move { to, .. } => {
                let (id, post) = (front.id, front.post);
                self.set_errand(slot, &to, Some(id), post);
            }
            Order::Patrol { stops, .. } => {
                let id = front.id;
                self.set_errand(slot, &stops[0], Some(id), None);
            }
            Order::Follow { whom, min, max } => {
                front.count = 0;
                self.follow(slot, whom, min, max);
            }
            Order::Flee { from, range } => {
                front.count = 0;
                self.flee(slot, from, range);
            }
        }
    }

    /// An order is done: the next one begins with the next tick.
    pub(crate) fn finish(&mut self, slot: u32, how: How) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let Some(front) = unit.orders.front_mut() else { return };
        let (unit_id, order) = (unit.id, front.id);
        if let Order::Patrol { stops, cycle } = &front.order {
            let last = stops.len() as u64 - 1;
            (front.count, front.back) = match (front.count, front.back, *cycle) {
                (at, _, true) => (if at == last { 0 } else { at + 1 }, false),
                (at, false, false) if at < last => (at + 1, false),
                (at, true, false) if at > 0 => (at - 1, true),
                (at, back, false) if last > 0 => (if back { at + 1 } else { at - 1 }, !back),
                (at, back, false) => (at, back),
            };
            let goal = stops[front.count as usize].clone();
            self.events.push(Event::Waypoint(unit_id, order));
            if last > 0 {
                self.set_errand(slot, &goal, Some(order), None);
            }
            return;
        }
        if matches!(front.order, Order::Follow { .. }) {
            unit.state = State::Waiting;
            return;
        }
        // Out of reach: it stays with the order, unless there is something else to do.
        if how == How::Nearest && unit.orders.len() == 1 {
            unit.state = State::Stranded;
            self.stranded.insert(slot);
            // A wall may have opened while it was on the way.
            self.recheck = Some(self.recheck.map_or(slot, |first| first.min(slot)));
        } else {
            unit.orders.pop_front();
            unit.state = State::Arrived;
        }
        self.events.push(Event::Arrived(unit_id, order, how));
        self.stats.arrived += 1;
    }

    /// An order comes to nothing.
    pub(crate) fn fail(&mut self, slot: u32, event: impl Fn(UnitId, OrderId) -> Event) {
        self.abandon(slot);
        self.settle_down(slot);
        let Some(unit) = self.units.get_mut(slot) else { return };
        if let Some(given) = unit.orders.pop_front() {
            self.events.push(event(unit.id, given.id));
        }
        unit.state = State::Idle;
    }

    /// Goes on for those whose goal can be reached again.
    fn recheck_stranded(&mut self) {
        let Some(first) = self.recheck else { return };
        let some: Vec<u32> = self.stranded.range(first..).take(1024).copied().collect();
        self.recheck = some.last().map(|last| last + 1);
        for slot in some {
            let Some(unit) = self.units.get(slot) else { continue };
            let Some(front) = unit.orders.front() else { continue };
            let Order::Move { to, .. } = &front.order else { continue };
            let (to, id, post) = (to.clone(), front.id, front.post);
            let layer = &self.layers[usize::from(unit.layer)];
            let here = self.here(unit);
            let sources = post.map_or_else(|| self.sources(&to, unit.layer), |post| vec![post]);
            if sources.iter().any(|&cell| layer.connectivity.connected(here, cell)) {
                self.stranded.remove(&slot);
                self.set_errand(slot, &to, Some(id), post);
            }
        }
    }

    fn follow(&mut self, slot: u32, whom: UnitId, min: u16, max: u16) {
        let Ok(other) = self.slot(whom) else {
            return self.fail(slot, Event::TargetLost);
        };
        let rule = self.layers[0].rule();
        let (Some(unit), Some(other)) = (self.units.get(slot), self.units.get(other)) else {
            return;
        };
        let Some(front) = unit.orders.front() else { return };
        let (here, there) = (self.here(unit), self.here(other));
        let (id, last) = (front.id, front.count);
        let far = u32::from(max.max(min).max(1)) * STRAIGHT;
        // It may fall behind a little before it plans again.
        let slack = far / 2 + STRAIGHT;
        let due = last == 0 || self.tick >= last + PAUSE;
        let stale = match &unit.errand {
            None => apart(rule, here, there) > far,
            Some(errand) => apart(rule, errand.target, there) > slack,
        };
        if due && stale {
            if let Some(front) = self.units.get_mut(slot).and_then(|unit| unit.orders.front_mut()) {
                front.count = self.tick.max(1);
            }
            self.set_errand(slot, &Goal::Near(there, min.max(1)), Some(id), None);
        } else if let Some(unit) = self.units.get_mut(slot)
            && unit.errand.is_none()
        {
            unit.state = State::Waiting;
        }
    }

    fn flee(&mut self, slot: u32, from: UnitId, range: u16) {
        let Ok(other) = self.slot(from) else {
            return self.fail(slot, Event::TargetLost);
        };
        let (Some(unit), Some(other)) = (self.units.get(slot), self.units.get(other)) else {
            return;
        };
        let Some(front) = unit.orders.front() else { return };
        let layer = &self.layers[usize::from(unit.layer)];
        let rule = layer.rule();
        let (here, there) = (self.here(unit), self.here(other));
        let (id, last) = (front.id, front.count);
        if apart(rule, here, there) >= u32::from(range) * STRAIGHT {
            self.abandon(slot);
            self.settle_down(slot);
            return self.finish(slot, How::Near);
        }
        if last != 0 && self.tick < last + PAUSE {
            return;
        }
        let reach = i32::from(range.min(4096)) + 4;
        let side = |at: u32, by: i32, most: u32| {
            (at as i32 + by * reach / 4).clamp(0, most as i32 - 1) as u32
        };
        let cell = |(dx, dy): (i32, i32)| {
            let cell =
                Cell::new(side(here.x, dx, self.map.width), side(here.y, dy, self.map.height));
            layer.connectivity.nearest(here, cell).unwrap_or(here)
        };
        let best = WINDS.into_iter().map(cell).max_by_key(|&cell| {
            apart(rule, cell, there).min(u32::from(range) * STRAIGHT) as i64 * 4
                - i64::from(apart(rule, cell, here))
        });
        if let Some(front) = self.units.get_mut(slot).and_then(|unit| unit.orders.front_mut()) {
            front.count = self.tick.max(1);
        }
        if let Some(best) = best {
            self.set_errand(slot, &Goal::Cell(best), Some(id), None);
        }
    }

    /// The cells that a goal means for a layer.
    pub(crate) fn sources(&self, goal: &Goal, layer: u16) -> Vec<Cell> {
        let grid = &self.layers[usize::from(layer)].grid;
        let size = u32::from(self.layers[usize::from(layer)].size);
        let mut cells = match goal {
            Goal::Cell(cell) | Goal::Near(cell, _) => vec![*cell],
            Goal::Any(cells) => cells.clone(),
            Goal::Beside(rect) => {
                // A unit of n cells stands beside it with its upper left cell n cells before it.
                let (left, top) = (rect.x.saturating_sub(size), rect.y.saturating_sub(size));
                let around = Rect::new(
                    left,
                    top,
                    (rect.x + rect.width + 1).saturating_sub(left),
                    (rect.y + rect.height + 1).saturating_sub(top),
                );
                let touches = |cell: &Cell| {
                    let apart =
                        |at: u32, first: u32, count: u32| at + size <= first || at >= first + count;
                    apart(cell.x, rect.x, rect.width) || apart(cell.y, rect.y, rect.height)
                };
                around.cells().filter(|&cell| grid.is_free(cell)).filter(touches).collect()
            }
        };
        if cells.is_empty()
            && let Goal::Beside(rect) = goal
        {
            cells.push(Cell::new(rect.x, rect.y));
        }
        sort::ascending(&mut cells);
        cells.dedup();
        cells
    }
}
