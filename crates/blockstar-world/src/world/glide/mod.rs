//! Steps in the plane: units are discs, go at any angle, and keep clear of each other.
//!
//! Plans are those of cells: quick and whole paths, fields, a cell of one's own near the goal. A unit
//! goes straight to the farthest point of its way that its whole disc has a clear way to, so corners
//! are cut as far as there is room, and no farther. [ORCA](crate::orca) then finds the velocity that
//! leads into nobody.
//!
//! **Nobody ever overlaps another or a wall.** ORCA alone cannot promise that: in a crowd not all
//! half-planes can be heeded. So when all have moved, those who touch somebody go back, until nobody
//! does. That ends, because before the step nobody touched anybody.

mod mover;
mod stride;
mod trade;
mod way;

use super::World;
use crate::disc::{CELL, Glide, TOLERANCE, square};
use crate::event::{Leg, State};
use crate::layer::{Layer, grown};
use crate::unit::Unit;
use crate::{Event, Rung, Stepping};
use blockstar::{Cell, Rect};
use mover::Mover;

/// The longest way between two looks around: a quarter of a cell, less than any two discs are wide.
const STRIDE: i32 = CELL / 4;

/// The most looks around in a tick; a unit so fast that it would need more is slower here.
const MOST_STRIDES: i32 = 64;

/// How far away others are heeded.
const REACH: i32 = 6 * CELL;

/// The points of a way that are looked at, and the cells of a field.
const POINTS: usize = 4;
const CELLS: usize = 12;

impl World {
    /// Moves all units for a tick.
    pub(crate) fn glide(&mut self) {
        let mut budget = self.settings.budget.fields - self.stats.spent.fields;
        for slot in 0..self.units.len() {
            if self.units.get(slot).is_some_and(|unit| unit.errand.is_some())
                && self.prepare(slot, &mut budget, true).is_some()
            {
                self.stats.movers += 1;
            }
        }
        self.stats.spent.fields = self.settings.budget.fields - budget;
        self.trade_places();
        let mut movers = Vec::with_capacity(self.units.count());
        for slot in 0..self.units.len() {
            let aim = self.aim(slot);
            let Some(unit) = self.units.get(slot) else { continue };
            movers.extend(self.mover(unit, aim));
        }
        self.make_way(&mut movers);
        self.stride(&mut movers);
        for mover in &movers {
            self.put_at(mover);
        }
        self.bring_home();
    }

    /// The radius of a unit, and what of that sticks out of the square of its point.
    pub(crate) fn radii(&self, unit: &Unit) -> (i32, i32) {
        let radius = self.settings.classes[usize::from(unit.class)].radius_units();
        (radius, (radius - half(unit.size)).max(0))
    }

    fn mover(&self, unit: &Unit, aim: Option<(i32, i32)>) -> Option<Mover> {
        let glide = unit.body.glide?;
        let (radius, margin) = self.radii(unit);
        let factor = self.layers[usize::from(unit.layer)].factor(unit.body.cell).max(1);
        let fastest = i64::from(MOST_STRIDES * STRIDE) * i64::from(self.settings.ticks_per_second);
        let speed = i64::from(self.speed(unit.id.slot())) * 256 / i64::from(factor);
        Some(Mover {
            slot: unit.id.slot(),
            glide,
            before: (glide.x, glide.y),
            half: half(unit.size),
            radius,
            margin,
            speed: speed.min(fastest).max(1) as i32,
            aim,
            yields: !(unit.errand.is_none() && unit.is_holding()),
            leans: !asks(unit),
        })
    }

    /// The point that a unit goes straight to.
    fn aim(&mut self, slot: u32) -> Option<(i32, i32)> {
        let unit = self.units.get(slot)?;
        let glide = unit.body.glide?;
        let layer = &self.layers[usize::from(unit.layer)];
        let (_, margin) = self.radii(unit);
        let sees = |cell: &Cell| sees(layer, &glide, margin, *cell);
        let own = Glide::at(unit.body.cell);
        let Some(errand) = &unit.errand else {
            let home = unit.home.filter(|_| !unit.is_holding())?;
            if sees(&home) {
                return Some(middle(home));
            }
            if unit.parked.is_some() {
                self.send_home(slot);
            }
            return Some((own.x, own.y));
        };
        let ahead = errand.route.points().get(errand.next as usize..).unwrap_or(&[]);
        let found = if !ahead.is_empty() {
            let cells = ahead.iter().take(POINTS).map(|point| point.cell());
            cells.rev().find(sees)
        } else if self.leads_by_field(slot) {
            let field = self.places.get(errand.place).and_then(|place| place.field.as_ref())?;
            let next = |cell: &Cell| field.next(&layer.grid, layer.rule(), *cell);
            let cells = std::iter::successors(next(&unit.body.cell), next).take(CELLS);
            cells.take_while(sees).last()
        } else {
            Some(errand.target).filter(|_| errand.claimed).filter(sees)
        };
        // It was pushed off its way: back by the next cell, or if that does not help, by a new way
        // from the middle of its cell.
        let lost = errand.ladder.rung >= Rung::Ask && !ahead.is_empty();
        let near = || self.wish(slot).filter(|_| !lost).filter(sees);
        if let Some(found) = found.or_else(near) {
            return Some(middle(found));
        }
        let there = square(own.x - glide.x) + square(own.y - glide.y) < square(CELL / 16);
        if there && !ahead.is_empty() {
            self.find_back(slot);
        }
        Some((own.x, own.y))
    }

    /// Leads a unit back to its way from the middle of its cell.
    fn find_back(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let (here, leg, whole, ladder) = (unit.body.cell, errand.leg, errand.whole, errand.ladder);
        let rest = errand.route.tail(errand.next as usize);
        let route = self.joined(slot, here, &rest);
        if route.get(0).is_some_and(|first| first.cell() == here) {
            self.take_route(slot, route, leg, whole);
            // It is no nearer to its goal than before.
            if let Some(errand) = self.units.get_mut(slot).and_then(|unit| unit.errand.as_mut()) {
                errand.ladder = ladder;
            }
        } else {
            self.ask_quickly(slot);
        }
    }

    /// Notes where a unit is.
    fn put_at(&mut self, mover: &Mover) {
        let Some(unit) = self.units.get_mut(mover.slot) else { return };
        let moved =
            unit.body.glide.is_none_or(|was| (was.x, was.y) != (mover.glide.x, mover.glide.y));
        unit.body.put(mover.glide);
        if !moved {
            return;
        }
        unit.state = match &mut unit.errand {
            Some(errand) => {
                if !std::mem::replace(&mut errand.started, true)
                    && let Some(order) = errand.order
                {
                    self.events.push(Event::Started(unit.id, order));
                }
                match errand.ladder.rung {
                    Rung::Wait if errand.route.is_empty() => State::Moving(Leg::Field),
                    Rung::Wait => State::Moving(errand.leg),
                    rung => State::Stuck { since: errand.ladder.since, rung },
                }
            }
            // On the last bit of the way to the middle of its own cell.
            None if unit.home == Some(unit.body.cell) => unit.state,
            None => State::Yielding,
        };
    }

    /// Whom a unit of a class would touch somewhere.
    pub(crate) fn touched(&self, slot: u32, at: Glide, class: u16) -> Option<u32> {
        let class = &self.settings.classes[usize::from(class)];
        let (radius, own_half) = (class.radius_units(), half(class.size));
        let Glide { x, y, .. } = at;
        let mut found = Vec::new();
        // The largest units have their middle eight cells from their point.
        let around = grown(Rect::cell(at.cell()), 34, self.map.width, self.map.height);
        self.columns.touching(around, &mut found);
        found.sort_unstable();
        found.into_iter().filter(|&other| other != slot).find(|&other| {
            let Some(unit) = self.units.get(other) else { return false };
            let Some(glide) = unit.body.glide else { return false };
            let shift = half(unit.size) - own_half;
            let apart = i64::from(radius + self.radii(unit).0 - TOLERANCE);
            square(glide.x + shift - x) + square(glide.y + shift - y) < apart * apart
        })
    }

    /// Who stands on a cell: in the plane, who has come to rest there.
    pub(crate) fn standing(&self, cell: Cell) -> Option<u32> {
        if self.settings.stepping != Stepping::Plane {
            return self.stepper.occupant(cell);
        }
        let owner = self.claims.within(Rect::cell(cell)).pop()?;
        let rests = |unit: &Unit| unit.errand.is_none() && unit.home == Some(unit.body.cell);
        self.units.get(owner).filter(|&unit| rests(unit)).map(|_| owner)
    }
}

/// Whether others have to make way for a unit: avoiding them was no help for a while.
fn asks(unit: &Unit) -> bool {
    unit.errand.as_ref().is_some_and(|errand| errand.ladder.rung >= Rung::Splice)
}

/// From the point of a unit to its middle.
fn half(size: u8) -> i32 {
    (i32::from(size) - 1) * CELL / 2
}

fn middle(cell: Cell) -> (i32, i32) {
    let glide = Glide::at(cell);
    (glide.x, glide.y)
}

fn sees(layer: &Layer, from: &Glide, margin: i32, to: Cell) -> bool {
    from.sees(middle(to), margin, |cell| layer.grid.is_free(cell))
}
