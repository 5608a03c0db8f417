//! Jams: units that stepping alone cannot part, as in a room with one free cell.
//!
//! Whoever has come to that rung of the ladder, and all units near it that stand still, are given to
//! a [search](crate::crowd) over all their places at once, of bounded work: what is left of the
//! tick's budget for steps. The way out is walked step by step, each when all of them are at rest;
//! until its end they take part in nothing else. As soon as somebody else or a wall is in the way,
//! it is dropped.

use super::World;
use crate::crowd::{Jam, JamPlan};
use crate::measure::may_step;
use crate::{Rung, Stepping};
use blockstar::Cell;

/// How far around the stuck unit a way out is looked for, the first time, and how often that doubles.
const REACH: u32 = 6;
const MOST_DOUBLINGS: u8 = 2;

impl World {
    /// Whether a unit is being led out of a jam.
    pub(super) fn is_led_out(&self, slot: u32) -> bool {
        self.jams.iter().any(|jam| jam.units.contains(&slot))
    }

    /// Looks for a way out for a unit that is stuck.
    pub(super) fn solve_jam(&mut self, slot: u32) {
        let budget = self.settings.budget.steps;
        // Half of the budget stays for ways around, and for joining paths.
        let mut work = u64::from((budget / 2).saturating_sub(self.stats.spent.steps));
        let Some(unit) = self.units.get(slot) else { return };
        let Some(errand) = &unit.errand else { return };
        let off = self.settings.stepping != Stepping::Cells || self.settings.most_jammed == 0;
        if off || work == 0 || self.is_led_out(slot) {
            return;
        }
        let (layer, rests) = (unit.layer, errand.ladder.rests);
        let first = (errand.born, slot);
        let guides: Vec<_> = (0..self.units.len()).map(|slot| self.guide(slot)).collect();
        let ground = self.view(&guides);
        let takes_part = |other: u32| {
            self.units.get(other).is_some_and(|unit| {
                unit.layer == layer && unit.body.is_at_rest() && !unit.is_holding()
            }) && !self.is_led_out(other)
        };
        let reach = REACH << rests.min(MOST_DOUBLINGS);
        let Some(jam) = Jam::around(&ground, &self.stepper, slot, reach, takes_part) else {
            return;
        };
        // Whoever waits for one that came before it is in a queue, not in a jam.
        let waits_for = |&other: &u32| {
            let errand = self.units.get(other).and_then(|unit| unit.errand.as_ref());
            errand.is_some_and(|errand| {
                (errand.born, other) < first && errand.ladder.rung >= Rung::Ask
            })
        };
        let queue = rests == 0 && jam.units.iter().any(waits_for);
        if queue || jam.units.len() > usize::from(self.settings.most_jammed) {
            return;
        }
        let goal_of = |other: u32| {
            let unit = self.units.get(other)?;
            let target = unit.errand.as_ref().map(|errand| errand.target);
            target.or(unit.home).or(Some(unit.body.cell))
        };
        let before = work;
        let plan = jam.solve(&ground, &self.stepper, goal_of, &mut work);
        self.stats.spent.steps += (before - work) as u32;
        // Half a way out would only stir a crowd that stands well.
        self.jams.extend(plan.filter(|&(_, solved)| solved).map(|(plan, _)| plan));
    }

    /// Where units of jams go in this step.
    pub(super) fn jam_steps(&mut self) -> Vec<(u32, Cell)> {
        let mut forced = Vec::new();
        let mut jams = std::mem::take(&mut self.jams);
        jams.retain_mut(|jam| {
            let units = || jam.units.iter().map(|&slot| self.units.get(slot));
            if units().any(|unit| unit.is_none_or(|unit| unit.is_holding())) {
                return false;
            }
            if units().flatten().any(|unit| !unit.body.is_at_rest()) {
                return true;
            }
            let Some(steps) = jam.next() else { return false };
            let clear = steps.iter().all(|&(slot, to)| self.may_be_led(jam, slot, to));
            if clear {
                forced.extend(steps);
            }
            clear
        });
        self.jams = jams;
        forced
    }

    /// Whether a step out of a jam is still possible.
    fn may_be_led(&self, jam: &JamPlan, slot: u32, to: Cell) -> bool {
        let Some(unit) = self.units.get(slot) else { return false };
        let layer = &self.layers[usize::from(unit.layer)];
        let from = unit.body.cell;
        let by = |a: u32, b: u32| (i64::from(b) - i64::from(a)) as i32;
        let step = (by(from.x, to.x), by(from.y, to.y));
        let near = step.0.abs().max(step.1.abs()) <= 1;
        let others = self.stepper.occupant(to).is_none_or(|other| jam.units.contains(&other));
        near && others && (step == (0, 0) || may_step(&layer.grid, layer.rule(), from, step))
    }
}
