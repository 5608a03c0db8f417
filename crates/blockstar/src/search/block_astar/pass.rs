//! From block to block: the costs of boundary points are passed on to the blocks around.

use super::blocks::each_bit;
use super::field::Field;
use super::guess::Estimate;
use super::run::{ROW, Run};
use crate::Stats;
use crate::cost::Cost;
use crate::moves::step_table;
use crate::open::{Entry, Open};

impl<D: Estimate> Run<'_, D> {
    /// Passes the costs of slots on to the blocks around and queues those where something improved.
    #[inline(always)]
    pub fn pass_on(
        &self,
        block: u32,
        leaving: u64,
        costs: &[D; ROW],
        field: &mut Field<D>,
        open: &mut Open<D::Key>,
        stats: &mut Stats,
    ) {
        let mut least = [D::FAR; 8];
        if D::CELLS {
            self.step_over(block, leaving, costs, field, &mut least);
        } else {
            match self.frame.layout.side() {
                ..=5 => self.share::<4>(block, costs, field, &mut least),
                ..=9 => self.share::<8>(block, costs, field, &mut least),
                _ => self.share::<16>(block, costs, field, &mut least),
            }
        }
        for (direction, least) in least.into_iter().enumerate() {
            if least.is_far() {
                continue;
            }
            let next = self.frame.neighbour(block, direction as u8);
            let mark = field.mark(next);
            if least.key() < mark.key {
                stats.improved += u64::from(mark.key != D::Key::MAX);
                stats.opened += 1;
                mark.key = least.key();
                open.push(Entry { total: mark.key, g: mark.key, node: next });
            }
        }
    }

    /// Shares corners with the blocks around: on each side all inner ones at once, `LANES` at least.
    ///
    /// What has not improved here is known there already, so nothing tells them apart.
    #[inline(always)]
    fn share<const LANES: usize>(
        &self,
        block: u32,
        costs: &[D; ROW],
        field: &mut Field<D>,
        least: &mut [D; 8],
    ) {
        let (layout, Some(tables)) = (&self.frame.layout, self.tables) else { return };
        let mut totals = [D::FAR; ROW];
        let origin = self.frame.origin(block);
        D::totals(&self.guess, origin, &self.frame.places, costs, &mut totals);
        let inner = (1u64 << (layout.side() - 1)) - 1;
        for side in layout.sides() {
            let next = self.frame.neighbour(block, side.block);
            let open = tables.doors(next) >> side.there & inner;
            if open == 0 {
                continue;
            }
            field.mark(next);
            let (here, there) = (usize::from(side.here), usize::from(side.there));
            let (Some(costs), Some(totals)) =
                (costs[here..].first_chunk::<LANES>(), totals[here..].first_chunk::<LANES>())
            else {
                return;
            };
            let Some(known) = field.some::<LANES>(next, there) else { return };
            let mut better = 0;
            for lane in 0..LANES {
                better |= u64::from(costs[lane] < known[lane]) << lane;
            }
            better &= open;
            if better == 0 {
                continue;
            }
            let mut best = D::FAR;
            for lane in 0..LANES {
                let improves = better >> lane & 1 != 0;
                known[lane] = if improves { costs[lane] } else { known[lane] };
                best = best.least(if improves { totals[lane] } else { D::FAR });
            }
            field.mark(next).entered |= better << there;
            least[usize::from(side.block)] = best;
        }
        for slot in layout.ends() {
            for link in layout.links(slot) {
                let next = self.frame.neighbour(block, link.block);
                if tables.doors(next) >> link.slot & 1 == 0 {
                    continue;
                }
                field.mark(next);
                let known = &mut field.row_mut(next)[usize::from(link.slot)];
                if costs[slot] < *known {
                    *known = costs[slot];
                    field.mark(next).entered |= 1 << link.slot;
                    let least = &mut least[usize::from(link.block)];
                    *least = least.least(totals[slot]);
                }
            }
        }
    }

    /// Steps from cells into the blocks around.
    #[inline(always)]
    fn step_over(
        &self,
        block: u32,
        leaving: u64,
        costs: &[D; ROW],
        field: &mut Field<D>,
        least: &mut [D; 8],
    ) {
        let (left, top) = self.frame.origin(block);
        let (layout, bits) = (&self.frame.layout, self.grid.rows());
        let steps = step_table(self.frame.pricing.rule());
        for slot in each_bit(leaving) {
            let (x, y) = layout.at(slot);
            let (x, y) = (left + x, top + y);
            let legal = steps[bits.around(bits.position(x, y))];
            for link in layout.links(slot) {
                if legal >> link.step & 1 == 0 {
                    continue;
                }
                let next = self.frame.neighbour(block, link.block);
                let (step, x, y) = self.step(x, y, link.step);
                let cost = costs[slot] + step;
                field.mark(next);
                let known = &mut field.row_mut(next)[usize::from(link.slot)];
                if cost < *known {
                    *known = cost;
                    field.mark(next).entered |= 1 << link.slot;
                    let least = &mut least[usize::from(link.block)];
                    *least = least.least(cost + self.estimate(x, y));
                }
            }
        }
    }
}
