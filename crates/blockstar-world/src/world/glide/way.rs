//! Units make way for those who are held up.

use super::mover::{Mover, Near};
use super::{CELLS, POINTS, REACH, asks, middle, sees};
use crate::World;
use crate::disc::{CELL, Glide, square};
use crate::measure::{may_step, stepped, steps};
use crate::orca::Vector;
use crate::unit::{MakesWay, Unit};
use blockstar::Cell;

/// How long a unit makes way for another, in seconds, and how near that one must have come if it is
/// in front of it, or beside it.
const WAY: u64 = 3;
const CLOSE: i32 = 5 * CELL / 2;
const BESIDE: i32 = CELL / 2;

impl World {
    /// Lets units make way for those who are held up and came before them: avoiding each other does
    /// not help where there is no room to pass. The one in front goes ahead, and asks others in its
    /// turn; those beside it go back, so that they do not all push into one gate. So the first of all
    /// gets through, as on cells.
    pub(super) fn make_way(&mut self, movers: &mut [Mover]) {
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
