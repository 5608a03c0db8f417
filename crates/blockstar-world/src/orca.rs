//! Velocities that lead into nobody: optimal reciprocal collision avoidance, ORCA (J. van den Berg,
//! S. J. Guy, M. Lin & D. Manocha, *Reciprocal n-body collision avoidance*, 2011).
//!
//! What one disc has to heed of another is a half-plane of velocities: those with which the two do
//! not touch within a time, if the other does its share. A linear program finds the velocity nearest
//! to the one that a unit would like, among those that all half-planes permit. Where there is none,
//! those of walls are kept, and the others are violated as little as possible.
//!
//! Only sums, products, quotients and square roots are taken, which are the same bits on every
//! machine.

use std::ops::{Add, Mul, Sub};

/// Lines whose directions differ less than this are parallel.
const PARALLEL: f64 = 1e-9;

/// A vector of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vector {
    pub x: f64,
    pub y: f64,
}

impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f64> for Vector {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

impl Vector {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive if the other one points to the left of this one (where y is up).
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// A quarter turn against [`cross`](Self::cross): to its negative side.
    pub const fn turned(self) -> Self {
        Self { x: self.y, y: -self.x }
    }

    /// The same direction with length 1; of no direction, along x.
    fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { Self::new(1.0, 0.0) }
    }
}

/// A disc that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub at: Vector,
    pub velocity: Vector,
    pub radius: f64,
}

/// The velocities on the positive side of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfPlane {
    /// A point of the line.
    point: Vector,
    /// Along the line, of length 1.
    along: Vector,
}

impl HalfPlane {
    /// The velocities with at least this component in a direction of length 1.
    pub fn at_least(normal: Vector, component: f64) -> Self {
        Self { point: normal * component, along: normal.turned() }
    }

    /// The velocities with which a disc does not touch another one within `horizon` seconds, if it
    /// does this share of what the two have to do. Discs that overlap part within `step` seconds.
    pub fn avoiding(own: Disc, other: Disc, share: f64, horizon: f64, step: f64) -> Self {
        let way = other.at - own.at;
        let velocity = own.velocity - other.velocity;
        let (apart, radius) = (way.dot(way), own.radius + other.radius);
        let overlap = apart < radius * radius;
        // The velocities that lead to a collision are a cone with a rounded tip: the disc of those
        // that would be in the other at the end of the time, and what lies behind.
        let time = if overlap { step } else { horizon };
        let from_tip = velocity - way * (1.0 / time);
        let towards = from_tip.dot(way);
        let beside = towards * towards > radius * radius * from_tip.dot(from_tip);
        let (along, change) = if overlap || (towards < 0.0 && beside) {
            // The nearest way out is through the tip.
            let normal = from_tip.unit();
            (normal.turned(), normal * (radius / time - from_tip.length()))
        } else {
            // Or through one of the two sides.
            let tangent = (apart - radius * radius).sqrt();
            let along = if way.cross(from_tip) > 0.0 {
                Vector::new(way.x * tangent - way.y * radius, way.x * radius + way.y * tangent)
            } else {
                Vector::new(-way.x * tangent - way.y * radius, way.x * radius - way.y * tangent)
            };
            let along = along * (1.0 / apart);
            (along, along * velocity.dot(along) - velocity)
        };
        Self { point: own.velocity + change * share, along }
    }

    /// By how much a velocity violates it; negative if it does not.
    fn excess(&self, velocity: Vector) -> f64 {
        self.along.cross(self.point - velocity)
    }
}

/// What a velocity is to be.
#[derive(Clone, Copy)]
enum Wish {
    /// As near to this as possible.
    Near(Vector),
    /// As far in this direction as possible.
    Far(Vector),
}

/// The velocity nearest to `wish` that is no faster than `speed` and that all half-planes permit.
/// Where there is none, the first `hard` of them hold, and no other is violated by more than
/// necessary. `spare` is memory that is used again.
pub(crate) fn choose(
    planes: &[HalfPlane],
    hard: usize,
    speed: f64,
    wish: Vector,
    spare: &mut Vec<HalfPlane>,
) -> Vector {
    let (found, fits) = best(planes, speed, Wish::Near(wish));
    if fits == planes.len() {
        found
    } else {
        relax(planes, hard, fits.max(hard), speed, found, spare)
    }
}

/// The best velocity for the first half-planes, and how many of them it could heed.
fn best(planes: &[HalfPlane], speed: f64, wish: Wish) -> (Vector, usize) {
    let mut found = match wish {
        Wish::Far(direction) => direction * speed,
        Wish::Near(velocity) if velocity.dot(velocity) > speed * speed => velocity.unit() * speed,
        Wish::Near(velocity) => velocity,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.excess(found) > 0.0 {
            match best_on(plane, &planes[..index], speed, wish) {
                Some(better) => found = better,
                None => return (found, index),
            }
        }
    }
    (found, planes.len())
}

/// The best velocity on the line of a half-plane that the ones before it permit.
fn best_on(plane: &HalfPlane, before: &[HalfPlane], speed: f64, wish: Wish) -> Option<Vector> {
    let HalfPlane { point, along } = *plane;
    let middle = point.dot(along);
    let inside = middle * middle + speed * speed - point.dot(point);
    if inside < 0.0 {
        return None;
    }
    let reach = inside.sqrt();
    let (mut first, mut last) = (-middle - reach, -middle + reach);
    for other in before {
        let (slant, ahead) = (along.cross(other.along), other.along.cross(point - other.point));
        if slant.abs() <= PARALLEL {
            if ahead < 0.0 {
                return None;
            }
            continue;
        }
        let meets = ahead / slant;
        if slant > 0.0 {
            last = last.min(meets);
        } else {
            first = first.max(meets);
        }
        if first > last {
            return None;
        }
    }
    let at = match wish {
        Wish::Far(direction) if direction.dot(along) > 0.0 => last,
        Wish::Far(_) => first,
        Wish::Near(velocity) => along.dot(velocity - point).clamp(first, last),
    };
    Some(point + along * at)
}

/// Where not all half-planes can be heeded: makes the worst violation as small as possible, one
/// half-plane after the other. That is a program in three dimensions, of which the third is the
/// violation; on each plane it is one in two.
fn relax(
    planes: &[HalfPlane],
    hard: usize,
    from: usize,
    speed: f64,
    mut found: Vector,
    spare: &mut Vec<HalfPlane>,
) -> Vector {
    let mut worst = 0.0;
    for (index, plane) in planes.iter().enumerate().skip(from) {
        if plane.excess(found) <= worst {
            continue;
        }
        spare.clear();
        spare.extend(&planes[..hard]);
        for other in &planes[hard..index] {
            let slant = plane.along.cross(other.along);
            let point = if slant.abs() > PARALLEL {
                let meets = other.along.cross(plane.point - other.point) / slant;
                plane.point + plane.along * meets
            } else if plane.along.dot(other.along) > 0.0 {
                continue;
            } else {
                (plane.point + other.point) * 0.5
            };
            // Where both are violated alike.
            spare.push(HalfPlane { point, along: (other.along - plane.along).unit() });
        }
        let normal = plane.along.turned() * -1.0;
        let (better, fits) = best(spare, speed, Wish::Far(normal));
        // Only rounding can keep it from being found.
        if fits == spare.len() {
            found = better;
        }
        worst = plane.excess(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::random::Random;

    fn any(random: &mut Random, most: f64) -> Vector {
        let mut side = || (random.below(20_001) as f64 / 10_000.0 - 1.0) * most;
        Vector::new(side(), side())
    }

    #[test]
    fn two_discs_that_do_as_they_are_told_do_not_touch() {
        let mut random = Random::new(5);
        for round in 0..20_000 {
            let disc = |random: &mut Random| Disc {
                at: any(random, 4.0),
                velocity: any(random, 3.0),
                radius: 0.2 + random.below(100) as f64 / 200.0,
            };
            let (a, b) = (disc(&mut random), disc(&mut random));
            if (a.at - b.at).length() <= a.radius + b.radius {
                continue;
            }
            let horizon = 1.0 + random.below(3) as f64;
            let (for_a, for_b) = (
                HalfPlane::avoiding(a, b, 0.5, horizon, 0.1),
                HalfPlane::avoiding(b, a, 0.5, horizon, 0.1),
            );
            // Any velocities that are permitted, not only the nearest.
            for _ in 0..20 {
                let (va, vb) = (any(&mut random, 4.0), any(&mut random, 4.0));
                if for_a.excess(va) > 0.0 || for_b.excess(vb) > 0.0 {
                    continue;
                }
                for part in 0..=40 {
                    let time = horizon * f64::from(part) / 40.0;
                    let apart = ((a.at + va * time) - (b.at + vb * time)).length();
                    assert!(apart > a.radius + b.radius - 1e-6, "round {round}: {apart}");
                }
            }
        }
    }

    #[test]
    fn the_choice_is_the_nearest_that_is_permitted() {
        let mut random = Random::new(8);
        let mut spare = Vec::new();
        let (mut feasible, mut relaxed) = (0, 0);
        for round in 0..3000 {
            let count = random.below(7) as usize;
            let planes: Vec<HalfPlane> = (0..count)
                .map(|_| {
                    let normal = any(&mut random, 1.0).unit();
                    HalfPlane::at_least(normal, random.below(200) as f64 / 100.0 - 1.4)
                })
                .collect();
            let wish = any(&mut random, 2.0);
            let found = choose(&planes, 0, 1.5, wish, &mut spare);
            assert!(found.length() < 1.5 + 1e-6);
            let worst = |v: Vector| planes.iter().map(|plane| plane.excess(v)).fold(0.0, f64::max);
            // A lattice of velocities has none that is better.
            let mut nearest = f64::INFINITY;
            let mut least = f64::INFINITY;
            for i in -60..=60 {
                for j in -60..=60 {
                    let v = Vector::new(f64::from(i), f64::from(j)) * (1.5 / 60.0);
                    if v.length() <= 1.5 {
                        least = least.min(worst(v));
                        if worst(v) <= 0.0 {
                            nearest = nearest.min((v - wish).length());
                        }
                    }
                }
            }
            if nearest < f64::INFINITY {
                feasible += 1;
                assert!(worst(found) < 1e-6, "round {round}: {}", worst(found));
                assert!((found - wish).length() < nearest + 1e-6, "round {round}");
            } else {
                relaxed += 1;
                assert!(worst(found) < least + 1e-6, "round {round}: {} {least}", worst(found));
            }
        }
        assert!(feasible > 1000 && relaxed > 300, "{feasible} {relaxed}");
    }

    #[test]
    fn walls_hold_where_units_must_give_way() {
        let mut spare = Vec::new();
        let wall = HalfPlane::at_least(Vector::new(0.0, 1.0), 0.0);
        let pushed = HalfPlane::at_least(Vector::new(0.0, -1.0), 0.5);
        let found = choose(&[wall, pushed], 1, 1.0, Vector::new(0.3, 0.0), &mut spare);
        assert!(found.y >= -1e-9 && found.y < 1e-6, "{found:?}");
    }
}
