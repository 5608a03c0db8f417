//! Units are metered at chokes: where crowds come from several sides, one of them goes through at a
//! time, and the others wait at a distance, so that those who come out have room.

use super::World;
use crate::Event;
use crate::choke::{COURT, Choke, Part, is_narrow};
use crate::measure::stepped;
use crate::pack::{Pack, Reader};
use blockstar::{Cell, Rect};
use std::collections::BTreeSet;

/// The most chokes that are metered.
const MOST_CHOKES: usize = 64;

impl World {
    /// Decides who waits in this tick.
    pub(super) fn meter(&mut self) {
        if !self.settings.meter_chokes {
            return;
        }
        let mut held = BTreeSet::<u32>::new();
        let mut chokes = std::mem::take(&mut self.chokes);
        chokes.retain_mut(|choke| {
            let units: Vec<(u32, Cell)> =
                choke.cells().filter_map(|cell| self.walker(cell)).collect();
            let period = units.iter().map(|&(slot, _)| self.period(slot)).max().unwrap_or(1);
            let passage = &choke.clone();
            let enters = |slot| {
                self.cells_ahead(slot, COURT + 2).any(|cell| passage.part(cell) == Part::Passage)
            };
            let waits = choke.meter(&units, enters, self.tick, period);
            held.extend(waits.iter().flatten());
            waits.is_some()
        });
        self.chokes = chokes;
        for slot in 0..self.units.len() {
            let Some(unit) = self.units.get_mut(slot) else { continue };
            let Some(errand) = &mut unit.errand else { continue };
            let now = held.contains(&slot);
            if now == errand.held {
                continue;
            }
            errand.held = now;
            // Whoever was made to wait was not stuck.
            errand.ladder.since = self.tick;
            self.events.push(if now { Event::Held(unit.id) } else { Event::Freed(unit.id) });
        }
        self.stats.held = held.len() as u32;
    }

    /// The unit on the way somewhere whose upper left cell this is.
    fn walker(&self, cell: Cell) -> Option<(u32, Cell)> {
        let slot = self.stepper.occupant(cell)?;
        let unit = self.units.get(slot)?;
        (unit.errand.is_some() && unit.body.cell == cell).then_some((slot, cell))
    }

    /// The next cells of a unit's way, as far as it knows it.
    fn cells_ahead(&self, slot: u32, most: u32) -> impl Iterator<Item = Cell> + '_ {
        let unit = self.units.get(slot);
        let mut next =
            unit.and_then(|unit| unit.errand.as_ref()).map_or(0, |errand| errand.next as usize);
        let mut cell = unit.map(|unit| unit.body.cell);
        (0..most).map_while(move |_| {
            let (unit, at) = (unit?, cell?);
            let errand = unit.errand.as_ref()?;
            let layer = &self.layers[usize::from(unit.layer)];
            cell = if errand.route.is_empty() {
                let field = self.places.get(errand.place)?.field.as_ref()?;
                field.next(&layer.grid, layer.rule(), at)
            } else {
                if errand.route.get(next)?.cell() == at {
                    next += 1;
                }
                let to = errand.route.get(next)?.cell();
                let by = |a: u32, b: u32| (i64::from(b) - i64::from(a)).signum() as i32;
                stepped(at, (by(at.x, to.x), by(at.y, to.y)))
            };
            cell
        })
    }

    /// Looks whether a unit that is held up has a choke before it.
    pub(super) fn look_for_choke(&mut self, slot: u32) {
        if !self.settings.meter_chokes || self.chokes.len() >= MOST_CHOKES {
            return;
        }
        let Some(unit) = self.units.get(slot) else { return };
        let number = unit.layer;
        let grid = &self.layers[usize::from(number)].grid;
        let here = std::iter::once(unit.body.cell);
        let seed = here.chain(self.cells_ahead(slot, COURT)).find(|&cell| is_narrow(grid, cell));
        let Some(seed) = seed else { return };
        let known = |choke: &Choke| choke.layer == number && choke.part(seed) == Part::Passage;
        if self.chokes.iter().any(known) {
            return;
        }
        let budget = self.settings.budget.steps;
        let mut work = (budget / 2).saturating_sub(self.stats.spent.steps);
        let before = work;
        let found = Choke::find(grid, number, seed, self.tick, &mut work);
        self.stats.spent.steps += before - work;
        self.chokes.extend(found);
    }

    /// Forgets the chokes that an edit may have changed.
    pub(super) fn forget_chokes(&mut self, layer: u16, rects: &[Rect]) {
        self.chokes.retain(|choke| {
            choke.layer != layer || !rects.iter().any(|&rect| choke.is_touched(rect))
        });
    }

    pub(crate) fn pack_chokes(&self, out: &mut Vec<u8>) {
        (self.chokes.len() as u32).pack(out);
        for choke in &self.chokes {
            (choke.layer, choke.seed).pack(out);
            choke.turn.pack(out);
        }
    }

    /// Chokes are saved by a cell of theirs, and found again.
    pub(crate) fn unpack_chokes(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let count = u32::unpack(from)?;
        for _ in 0..count.min(MOST_CHOKES as u32) {
            let (layer, seed) = <(u16, Cell)>::unpack(from)?;
            let turn = Pack::unpack(from)?;
            let grid = &self.layers.get(usize::from(layer))?.grid;
            let mut choke = Choke::find(grid, layer, seed, 0, &mut u32::MAX.clone())?;
            choke.permits(&turn, self.tick).then_some(())?;
            choke.turn = turn;
            self.chokes.push(choke);
        }
        (count as usize <= MOST_CHOKES).then_some(())
    }
}
