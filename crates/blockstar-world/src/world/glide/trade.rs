//! Two units near one goal change their places there.

use crate::World;
use crate::layer::grown;
use crate::unit::Unit;
use blockstar::{Cell, Rect};

/// From how near units change places, in cells.
const TRADE: u32 = 3;

impl World {
    /// Lets two units of one goal change their places near it where that makes their ways shorter:
    /// then nobody has to get through a crowd that is there before it. The sum of the squares of the
    /// ways falls each time, so it comes to an end.
    pub(super) fn trade_places(&mut self) {
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
}
