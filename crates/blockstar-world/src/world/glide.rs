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

use super::World;
use crate::disc::{CELL, Glide, TOLERANCE, square, walls_near};
use crate::event::{Leg, State};
use crate::layer::{Layer, grown};
use crate::measure::{may_step, stepped, steps};
use crate::orca::{Disc, HalfPlane, Vector, choose};
use crate::unit::{MakesWay, Unit};
use crate::{Event, Rung, Stepping};
use blockstar::{Cell, Rect};

/// The longest way between two looks around: a quarter of a cell, less than any two discs are wide.
const STRIDE: i32 = CELL / 4;

/// The most looks around in a tick; who is so fast that it would take more is slower here.
const MOST_STRIDES: i32 = 64;

/// How far ahead collisions are avoided, in seconds, on the way and in the last cells of it, where
/// units have to come close to each other; and how far away.
const HORIZON: f64 = 1.5;
const HORIZON_NEAR: f64 = 0.25;
const REACH: i32 = 6 * CELL;

/// The most neighbours that a unit heeds, nearest first.
const NEIGHBOURS: usize = 16;

/// How much of its speed a unit leans to its right: one that gets on, and one that does not. Without
/// it, units that meet head on would wait for each other for ever.
const LEAN: [f64; 2] = [1.0 / 32.0, 1.0 / 3.0];

/// How long a unit makes way for another, in seconds, and how near that one must have come if it is
/// in front of it, or beside it.
const WAY: u64 = 3;
const CLOSE: i32 = 5 * CELL / 2;
const BESIDE: i32 = CELL / 2;

/// From how near units change places, in cells.
const TRADE: u32 = 3;

/// The points of a way that are looked at, and the cells of a field.
const POINTS: usize = 4;
const CELLS: usize = 12;

/// Cells on each side of a block of [`Near`].
const SIDE: i32 = 4 * CELL;

/// What a unit wants in a tick.
#[derive(Clone, Copy)]
struct Mover {
    slot: u32,
    glide: Glide,
    /// Where it was before the stride.
    before: (i32, i32),
    /// From its point to its middle.
    half: i32,
    /// Of the disc, and of what sticks out of the square of its point.
    radius: i32,
    margin: i32,
    /// Per second.
    speed: i32,
    aim: Option<(i32, i32)>,
    /// Whether it makes room for others.
    yields: bool,
    /// Whether it leans to its right: not where others make way for it.
    leans: bool,
}

impl Mover {
    fn middle(&self) -> (i32, i32) {
        (self.glide.x + self.half, self.glide.y + self.half)
    }

    fn touches(&self, other: &Self) -> bool {
        let (a, b) = (self.middle(), other.middle());
        let apart = i64::from(self.radius + other.radius - TOLERANCE);
        square(a.0 - b.0) + square(a.1 - b.1) < apart * apart
    }

    fn disc(&self) -> Disc {
        let (x, y) = self.middle();
        let velocity = Vector::new(self.glide.vx.into(), self.glide.vy.into());
        Disc { at: Vector::new(x.into(), y.into()), velocity, radius: self.radius.into() }
    }
}

/// Who is where: movers by block, in order.
struct Near {
    columns: i32,
    list: Vec<(u32, u32)>,
}

impl Near {
    fn new(width: u32, movers: &[Mover]) -> Self {
        // The middle of a large unit may lie beyond its point by eight cells.
        let columns = width as i32 / (SIDE / CELL) + 4;
        let block = |mover: &Mover| {
            let (x, y) = mover.middle();
            (y / SIDE * columns + x / SIDE) as u32
        };
        let mut list: Vec<(u32, u32)> = movers.iter().map(block).zip(0..).collect();
        list.sort_unstable();
        Self { columns, list }
    }

    /// Calls with the numbers of all whose middle may be within a distance of a point.
    fn around(&self, (x, y): (i32, i32), distance: i32, mut found: impl FnMut(u32)) {
        let first = |v: i32| v.saturating_sub(distance).max(0) / SIDE;
        let last = |v: i32| v.saturating_add(distance) / SIDE;
        for row in first(y)..=last(y) {
            let begin = (row * self.columns + first(x)) as u32;
            let end = (row * self.columns + last(x).min(self.columns - 1)) as u32;
            let at = self.list.partition_point(|entry| entry.0 < begin);
            let row = self.list[at..].iter().take_while(|entry| entry.0 <= end);
            row.for_each(|&(_, number)| found(number));
        }
    }
}

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

    /// Lets two units of one goal change their places near it where that makes their ways shorter:
    /// then nobody has to get through a crowd that is there before it. The sum of the squares of the
    /// ways falls each time, so it comes to an end.
    fn trade_places(&mut self) {
        let mut found = Vec::new();
        for slot in 0..self.units.len() {
            let Some(unit) = self.units.get(slot) else { continue };
            let settled = unit.errand.is_none() && unit.home == Some(unit.body.cell);
            if settled || self.own_place(unit).is_none() {
                continue;
            }
            found.clear();
            let around = grown(Rect::cell(unit.body.cell), TRADE, self.map.width, self.map.height);
            self.columns.touching(around, &mut found);
            found.sort_unstable();
            for &other in found.iter().filter(|&&other| other != slot) {
                self.trade(slot, other);
            }
        }
    }

    /// The goal of a unit and the cell near it that is its own, if that can be changed.
    fn own_place(&self, unit: &Unit) -> Option<(u32, Cell)> {
        if unit.is_holding() {
            return None;
        }
        match &unit.errand {
            Some(errand) => errand.claimed.then_some((errand.place, errand.target)),
            None => unit.parked.zip(unit.home),
        }
    }

    fn trade(&mut self, a: u32, b: u32) {
        let (Some(first), Some(second)) = (self.units.get(a), self.units.get(b)) else { return };
        let (Some(from), Some(with)) = (self.own_place(first), self.own_place(second)) else {
            return;
        };
        let size = first.size;
        let far = |unit: &Unit, cell: Cell| {
            let (at, to) = (unit.body.cell, cell);
            let side = |a: u32, b: u32| u64::from(a.abs_diff(b)) * u64::from(a.abs_diff(b));
            side(at.x, to.x) + side(at.y, to.y)
        };
        let now = far(first, from.1) + far(second, with.1);
        let then = far(first, with.1) + far(second, from.1);
        if from.0 != with.0 || size != second.size || first.layer != second.layer || then >= now {
            return;
        }
        self.claims.give_back(from.1, size, a);
        self.claims.give_back(with.1, size, b);
        for (slot, cell) in [(a, with.1), (b, from.1)] {
            self.claims.take(cell, size, slot);
            let Some(unit) = self.units.get_mut(slot) else { continue };
            match &mut unit.errand {
                Some(errand) => {
                    errand.target = cell;
                    self.lead_home(slot, cell);
                }
                None => unit.home = Some(cell),
            }
        }
    }

    /// Lets units make way for those who are held up and came before them: avoiding each other does
    /// not help where there is no room to pass. The one in front goes ahead, and asks others in its
    /// turn; those beside it go back, so that they do not all push into one gate. So the first of all
    /// gets through, as on cells.
    fn make_way(&mut self, movers: &mut [Mover]) {
        let tick = self.tick;
        let until = tick + WAY * u64::from(self.settings.ticks_per_second);
        let born = |unit: &Unit| unit.errand.as_ref().map_or(u64::MAX, |errand| errand.born);
        let mut first: Vec<(u64, u32)> = Vec::new();
        for (mover, number) in movers.iter().zip(0..) {
            let Some(unit) = self.units.get(mover.slot) else { continue };
            if asks(unit) && unit.makes_way.is_none_or(|way| tick >= way.until) {
                first.push((born(unit), number));
            }
        }
        first.sort_unstable();
        let near = Near::new(self.map.width, movers);
        let widest = movers.iter().map(|mover| mover.radius).max().unwrap_or(0);
        let mut asked = vec![false; movers.len()];
        for (born_first, number) in first {
            if std::mem::replace(&mut asked[number as usize], true) {
                continue;
            }
            let first = movers[number as usize].slot;
            let mut next = Some(number);
            while let Some(number) = next {
                let own = movers[number as usize];
                let mut close: Vec<(i64, u32)> = Vec::new();
                near.around(own.middle(), CLOSE + own.radius + widest, |other| {
                    let there = &movers[other as usize];
                    let Some(unit) = self.units.get(there.slot) else { return };
                    let later = (born(unit), there.slot) > (born_first, first);
                    if !asked[other as usize] && later && there.yields {
                        let (a, b) = (own.middle(), there.middle());
                        close.push((square(a.0 - b.0) + square(a.1 - b.1), other));
                    }
                });
                close.sort_unstable();
                let ahead = |&&(_, other): &&(i64, u32)| is_ahead(&own, &movers[other as usize]);
                next = close.iter().find(ahead).map(|&(_, other)| other);
                for (apart, other) in close {
                    let mover = &movers[other as usize];
                    let beside = i64::from(own.radius + mover.radius + BESIDE);
                    let back = next != Some(other);
                    if back && apart > beside * beside {
                        continue;
                    }
                    asked[other as usize] = true;
                    if let Some(unit) = self.units.get_mut(mover.slot) {
                        unit.makes_way = Some(MakesWay { first, until, back });
                    }
                }
            }
        }
        for mover in movers {
            let Some(unit) = self.units.get(mover.slot) else { continue };
            let Some(way) = unit.makes_way else { continue };
            let aim = match tick < way.until {
                true if way.back => self.way_back(way.first, mover),
                true => self.way_of(way.first, mover),
                false => None,
            };
            if let Some(unit) = self.units.get_mut(mover.slot).filter(|_| aim.is_none()) {
                unit.makes_way = None;
            }
            mover.aim = aim.or(mover.aim);
        }
    }

    /// The cell next to a unit that is farthest from another one's next point; none if that is far
    /// enough away.
    fn way_back(&self, first: u32, mover: &Mover) -> Option<(i32, i32)> {
        let (unit, own) = (self.units.get(first)?, self.units.get(mover.slot)?);
        let errand = unit.errand.as_ref()?;
        let to = errand.route.get(errand.next as usize).map_or(unit.body.cell, |next| next.cell());
        let layer = &self.layers[usize::from(own.layer)];
        let here = own.body.cell;
        let far = |cell: Cell| {
            let (dx, dy) = (cell.x.abs_diff(to.x), cell.y.abs_diff(to.y));
            u64::from(dx) * u64::from(dx) + u64::from(dy) * u64::from(dy)
        };
        let near = unit.body.cell.x.abs_diff(here.x).max(unit.body.cell.y.abs_diff(here.y)) <= 4;
        let free = steps(layer.rule())
            .iter()
            .filter(|&&step| may_step(&layer.grid, layer.rule(), here, step));
        let cells = free.filter_map(|&step| stepped(here, step));
        let cells = cells.filter(|&cell| sees(layer, &mover.glide, mover.margin, cell));
        cells.max_by_key(|&cell| far(cell)).filter(|_| near).map(middle)
    }

    /// Where somebody ahead of a unit is on that one's way; none if it is not ahead any more.
    fn way_of(&self, first: u32, mover: &Mover) -> Option<(i32, i32)> {
        let (unit, own) = (self.units.get(first)?, self.units.get(mover.slot)?);
        let errand = unit.errand.as_ref()?;
        let glide = unit.body.glide?;
        let (dx, dy) = (mover.glide.x - glide.x, mover.glide.y - glide.y);
        if dx.abs().max(dy.abs()) > REACH {
            return None;
        }
        let layer = &self.layers[usize::from(own.layer)];
        let sees = |cell: &Cell| sees(layer, &mover.glide, mover.margin, *cell);
        let ahead = errand.route.points().get(errand.next as usize..).unwrap_or(&[]);
        let found = if !ahead.is_empty() {
            // Behind it when it is nearer to the next point than the one that is ahead of it.
            let next = middle(ahead[0].cell());
            let from_next = |glide: &Glide| square(next.0 - glide.x) + square(next.1 - glide.y);
            let cells = ahead.iter().take(POINTS).map(|point| point.cell());
            let passed = ahead.len() == 1 && from_next(&glide) < from_next(&mover.glide);
            cells.rev().find(sees).filter(|_| !passed)
        } else {
            let field = self.places.get(errand.place).and_then(|place| place.field.as_ref())?;
            if field.distance(mover.glide.cell()) > field.distance(unit.body.cell) {
                return None;
            }
            let next = |cell: &Cell| field.next(&layer.grid, layer.rule(), *cell);
            let cells = std::iter::successors(next(&mover.glide.cell()), next).take(CELLS);
            cells.take_while(sees).last()
        };
        found.map(middle)
    }

    /// Lets all units move for a tick.
    fn stride(&self, movers: &mut [Mover]) {
        let ticks = i32::from(self.settings.ticks_per_second);
        let fastest = movers.iter().map(|mover| mover.speed / ticks).max().unwrap_or(0);
        let strides = (fastest / STRIDE + 1).min(MOST_STRIDES);
        let seconds = 1.0 / f64::from(ticks * strides);
        let mut velocities = Vec::with_capacity(movers.len());
        let (mut planes, mut spare) = (Vec::new(), Vec::new());
        for _ in 0..strides {
            let near = Near::new(self.map.width, movers);
            velocities.clear();
            for number in 0..movers.len() as u32 {
                let velocity =
                    self.velocity(movers, &near, number, seconds, &mut planes, &mut spare);
                velocities.push(velocity);
            }
            for (mover, velocity) in movers.iter_mut().zip(&velocities) {
                self.advance(mover, *velocity, seconds);
            }
            self.part(movers);
        }
    }

    fn layer_of(&self, mover: &Mover) -> Option<&Layer> {
        let unit = self.units.get(mover.slot)?;
        self.layers.get(usize::from(unit.layer))
    }

    /// The velocity that a unit chooses.
    fn velocity(
        &self,
        movers: &[Mover],
        near: &Near,
        number: u32,
        seconds: f64,
        planes: &mut Vec<HalfPlane>,
        spare: &mut Vec<HalfPlane>,
    ) -> Vector {
        let own = &movers[number as usize];
        let Some(layer) = self.layer_of(own).filter(|_| own.yields) else {
            return Vector::default();
        };
        planes.clear();
        let speed = f64::from(own.speed);
        // Walls: not nearer than the disc is wide, at the end of this stride.
        let stride = (speed * seconds) as i32 + 1;
        let free = |cell: Cell| layer.grid.is_free(cell);
        for (dx, dy) in walls_near(own.glide.x, own.glide.y, own.margin + stride, free) {
            let to = Vector::new(dx.into(), dy.into());
            let distance = to.length();
            if distance > 0.0 && distance <= f64::from(own.margin + stride) {
                let room = distance - f64::from(own.margin);
                planes.push(HalfPlane::at_least(to * (-1.0 / distance), -room / seconds));
            }
        }
        let walls = planes.len();
        let mut others: Vec<(i64, u32)> = Vec::new();
        let middle = own.middle();
        near.around(middle, REACH, |other| {
            let there = movers[other as usize].middle();
            let (dx, dy) = (there.0 - middle.0, there.1 - middle.1);
            if other != number && dx.abs() <= REACH && dy.abs() <= REACH {
                others.push((square(dx) + square(dy), other));
            }
        });
        if others.len() > NEIGHBOURS {
            others.select_nth_unstable(NEIGHBOURS);
            others.truncate(NEIGHBOURS);
        }
        others.sort_unstable();
        let disc = own.disc();
        let near_aim = own
            .aim
            .is_none_or(|(x, y)| (x - own.glide.x).abs().max((y - own.glide.y).abs()) < 2 * CELL);
        let horizon = if near_aim { HORIZON_NEAR } else { HORIZON };
        for &(_, other) in &others {
            let other = &movers[other as usize];
            // Who does not move leaves all of it to the others.
            let share = if other.yields { 0.5 } else { 1.0 };
            planes.push(HalfPlane::avoiding(disc, other.disc(), share, horizon, seconds));
        }
        let mut wish = wish(own, seconds);
        if own.leans && !others.is_empty() {
            wish = wish + lean(own, wish);
        }
        choose(planes, walls, speed, wish, spare)
    }

    /// Moves a unit for a stride, as far as walls permit.
    fn advance(&self, mover: &mut Mover, velocity: Vector, seconds: f64) {
        mover.before = (mover.glide.x, mover.glide.y);
        (mover.glide.vx, mover.glide.vy) = (velocity.x as i32, velocity.y as i32);
        let Some(layer) = self.layer_of(mover) else { return };
        for part in [1.0, 0.5] {
            let by = velocity * (seconds * part);
            let (x, y) = (mover.before.0 + by.x as i32, mover.before.1 + by.y as i32);
            let there = Glide { x, y, ..mover.glide };
            let free = |cell: Cell| layer.grid.is_free(cell);
            if x >= 0 && y >= 0 && free(there.cell()) && there.is_clear(mover.margin, free) {
                mover.glide = there;
                return;
            }
        }
    }

    /// Takes back the strides of those who touch somebody, until nobody does.
    fn part(&self, movers: &mut [Mover]) {
        let near = Near::new(self.map.width, movers);
        let widest = movers.iter().map(|mover| mover.radius).max().unwrap_or(0);
        let mut open: Vec<u32> = (0..movers.len() as u32).rev().collect();
        while let Some(number) = open.pop() {
            let own = movers[number as usize];
            // Some are listed where they were a stride later.
            let distance = own.radius + widest + 2 * STRIDE;
            let mut touched = Vec::new();
            near.around(own.middle(), distance, |other| {
                if other != number && own.touches(&movers[other as usize]) {
                    touched.push(other);
                }
            });
            if touched.is_empty() {
                continue;
            }
            let moved = |mover: &Mover| (mover.glide.x, mover.glide.y) != mover.before;
            // It goes back itself, or if it has not moved, the others do.
            let back = if moved(&own) { vec![number] } else { touched };
            for number in back {
                let mover = &mut movers[number as usize];
                (mover.glide.x, mover.glide.y) = mover.before;
                (mover.glide.vx, mover.glide.vy) = (0, 0);
                open.push(number);
            }
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
}

impl World {
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

/// Whether somebody close to a unit is in the direction that it wants to go.
fn is_ahead(own: &Mover, other: &Mover) -> bool {
    let Some((x, y)) = own.aim else { return false };
    let way = Vector::new((x - own.glide.x).into(), (y - own.glide.y).into());
    let (a, b) = (own.middle(), other.middle());
    let to = Vector::new((b.0 - a.0).into(), (b.1 - a.1).into());
    let close = f64::from(own.radius + other.radius + CLOSE);
    let along = way.dot(to);
    to.dot(to) < close * close && along > 0.0 && along * along * 2.0 > way.dot(way) * to.dot(to)
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

/// The velocity that a unit would have if it was alone.
fn wish(mover: &Mover, seconds: f64) -> Vector {
    let Some((x, y)) = mover.aim else { return Vector::default() };
    let way = Vector::new((x - mover.glide.x).into(), (y - mover.glide.y).into());
    let distance = way.length();
    if distance < 1.0 {
        return Vector::default();
    }
    let speed = f64::from(mover.speed).min(distance / seconds);
    way * (speed / distance)
}

/// How a unit leans to its right; not on its last cell.
fn lean(mover: &Mover, wish: Vector) -> Vector {
    let Some((x, y)) = mover.aim else { return Vector::default() };
    if (x - mover.glide.x).abs().max((y - mover.glide.y).abs()) < CELL {
        return Vector::default();
    }
    let velocity = Vector::new(mover.glide.vx.into(), mover.glide.vy.into());
    let held = velocity.dot(wish) * 4.0 < wish.dot(wish);
    wish.turned() * -LEAN[usize::from(held)]
}
