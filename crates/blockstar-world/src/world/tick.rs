//! One tick: orders, plans, steps, and what is told of it.

use super::World;
use crate::{Event, Stepping};
use blockstar::sort;
use std::time::Instant;

/// Searches that wait longer than this are worth a word.
const LONG: u64 = 120;

impl World {
    /// Lets a tick pass, and tells what happened: valid until the next one.
    ///
    /// It spends at most its [budget](crate::TickBudget), whatever is asked of it.
    pub fn tick(&mut self) -> &[Event] {
        self.deadline = None;
        self.pass()
    }

    /// The same, with planning that ends at a deadline if the budget lasts longer. What comes of it
    /// depends on the clock: not for games in lockstep.
    pub fn tick_until(&mut self, deadline: Instant) -> &[Event] {
        self.deadline = Some(deadline);
        self.pass()
    }

    fn pass(&mut self) -> &[Event] {
        self.tick += 1;
        self.stats.start();
        self.events.clear();
        self.events.append(&mut self.pending);
        self.attend();
        self.plan();
        match self.settings.stepping {
            Stepping::Cells => self.walk(),
            Stepping::Plane => self.glide(),
            Stepping::Ghost => self.drift(),
        }
        self.attend_groups();
        for slot in 0..self.units.len() {
            self.show(slot);
        }
        let oldest = [self.full.oldest(), self.repair.oldest()].into_iter().flatten().min();
        self.stats.queued = (self.full.len() + self.repair.len() + self.quick.len()) as u32;
        self.stats.oldest = oldest.map_or(0, |born| self.tick - born);
        self.stats.tick = self.tick;
        // A word every so often.
        if self.stats.oldest > 0 && self.stats.oldest.is_multiple_of(LONG) {
            let (queued, oldest) = (self.stats.queued, self.stats.oldest as u32);
            self.events.push(Event::Overloaded { queued, oldest });
        }
        sort::by_key(&mut self.events, |event| event.unit().map_or(u32::MAX, |unit| unit.slot()));
        &self.events
    }
}
