//! A stride: everybody chooses a velocity, goes, and goes back where two would touch.

use super::mover::{Mover, Near};
use super::{MOST_STRIDES, REACH, STRIDE};
use crate::World;
use crate::disc::{CELL, Glide, square, walls_near};
use crate::layer::Layer;
use crate::orca::{HalfPlane, Vector, choose};
use blockstar::Cell;

/// How far ahead collisions are avoided, in seconds, on the way and in the last cells of it, where
/// units have to come close to each other.
const HORIZON: f64 = 1.5;
const HORIZON_NEAR: f64 = 0.25;

/// The most neighbours that a unit heeds, nearest first.
const NEIGHBOURS: usize = 16;

/// How much of its speed a unit leans to its right: one that gets on, and one that does not. Without
/// it, units that meet head on would wait for each other for ever.
const LEAN: [f64; 2] = [1.0 / 32.0, 1.0 / 3.0];

impl World {
    /// Lets all units move for a tick.
    pub(super) fn stride(&self, movers: &mut [Mover]) {
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
            // Whoever does not move leaves all of it to the others.
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
