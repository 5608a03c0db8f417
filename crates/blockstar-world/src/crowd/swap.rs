//! Two units that want to pass each other where there is no room: the swap rule (K. Okumura,
//! *Improving LaCAM for scalable eventually optimal multi-agent pathfinding*, IJCAI 2023).
//!
//! In a corridor the one who pushes would drive the other before it for ever, or stand before one
//! that has reached its goal. The rule looks along the corridor: if the two would have to change
//! places, and if behind the pusher there is a place with a third way, the pusher walks backwards
//! and pulls the other along, until both are where there is room. All that is said by reversing the
//! order of the pusher's choices, and by giving its place to the other when it leaves.
//!
//! Not as in the paper, the place is given to the other before the pusher asks anybody else to make
//! way. Otherwise whom it asks may come around and take the place, and the two dance for ever (there
//! is a test: `nobody_starves_and_the_same_run_is_the_same`).
//!
//! The walk along the corridor is made by single cells only; large units do not swap.

use super::preference::{STEPS, permits_diagonal};
use super::stepper::{NONE, Unit};
use super::{Ground, Stepper};
use blockstar::Rule;

/// The most cells that are looked at along a corridor.
const LONGEST_LOOK: u32 = 128;

impl Stepper {
    /// Whom a unit has to change places with, if it has to and can, where `best` is the place it
    /// would like to step to.
    pub(super) fn swap_partner(
        &self,
        ground: &(impl Ground + ?Sized),
        agent: u32,
        best: u32,
    ) -> Option<u32> {
        let Unit { at, size, .. } = self.units[agent as usize];
        if size != 1 || best == at || !ground.may_swap(agent) {
            return None;
        }
        let corridor = Corridor { stepper: self, ground, agent };
        let single = |other: u32| other != NONE && self.units[other as usize].size == 1;
        let other = self.occupied[best as usize];
        if single(other)
            && self.units[other as usize].next == NONE
            && corridor.must_swap(agent, other, at, best)
            && corridor.can_swap(best, at)
        {
            return Some(other);
        }
        // Somebody behind may need this one to move out of its way backwards.
        corridor.neighbours(at).filter(|&place| place != best).find_map(|place| {
            let other = self.occupied[place as usize];
            let asks = single(other)
                && corridor.must_swap(other, agent, at, best)
                && corridor.can_swap(best, at);
            asks.then_some(other)
        })
    }
}

/// The places along a corridor, as a unit sees them.
struct Corridor<'a, G: ?Sized> {
    stepper: &'a Stepper,
    ground: &'a G,
    agent: u32,
}

impl<G: Ground + ?Sized> Corridor<'_, G> {
    /// The places a step away.
    fn neighbours(&self, place: u32) -> impl Iterator<Item = u32> {
        let cell = self.stepper.cell_of(place);
        let directions = if self.stepper.rule == Rule::Four { 4 } else { 8 };
        let may = STEPS.map(|step| {
            let next = self.stepper.stepped(cell, step, 1);
            next.filter(|&next| self.ground.may_enter(self.agent, next))
        });
        (0..directions).filter_map(move |direction| {
            let next = may[direction]?;
            if direction >= 4 {
                let (a, b) = (may[direction - 4].is_some(), may[(direction - 3) % 4].is_some());
                if !permits_diagonal(self.stepper.rule, a, b) {
                    return None;
                }
            }
            Some(self.stepper.number(next))
        })
    }

    /// The only way on from `place` for one who came from `behind`; none if there are several, or
    /// none at all. Dead ends whose units have arrived do not count.
    fn way_on(&self, place: u32, behind: u32) -> Result<u32, usize> {
        let (mut ways, mut way) = (0, NONE);
        for next in self.neighbours(place).filter(|&next| next != behind) {
            let other = self.stepper.occupied[next as usize];
            let settled = other != NONE
                && self.neighbours(next).count() == 1
                && self.ground.distance(other, self.stepper.cell_of(next)) == 0;
            if !settled {
                ways += 1;
                way = next;
            }
        }
        if ways == 1 { Ok(way) } else { Err(ways) }
    }

    /// Whether the pusher, at one place, and the puller, at the next, will have to change places.
    fn must_swap(&self, pusher: u32, puller: u32, pusher_at: u32, puller_at: u32) -> bool {
        let distance =
            |who: u32, place: u32| self.ground.distance(who, self.stepper.cell_of(place));
        let (mut behind, mut front) = (pusher_at, puller_at);
        for _ in 0..LONGEST_LOOK {
            if distance(pusher, front) >= distance(pusher, behind) {
                break;
            }
            match self.way_on(front, behind) {
                Ok(next) => (behind, front) = (front, next),
                Err(0) => break,
                Err(_) => return false, // there is room
            }
        }
        // Two that want to be at the same place come there one after the other.
        let same_goal = distance(puller, behind) == 0 && distance(pusher, behind) == 0;
        !same_goal
            && distance(puller, behind) < distance(puller, front)
            && (distance(pusher, behind) == 0 || distance(pusher, front) < distance(pusher, behind))
    }

    /// Whether there is room for two to pass each other when the one at `puller_at` walks away from
    /// `pusher_at`.
    fn can_swap(&self, pusher_at: u32, puller_at: u32) -> bool {
        let (mut behind, mut front) = (pusher_at, puller_at);
        for _ in 0..LONGEST_LOOK {
            if front == pusher_at {
                return false;
            }
            match self.way_on(front, behind) {
                Ok(next) => (behind, front) = (front, next),
                Err(ways) => return ways > 1,
            }
        }
        false
    }
}
