//! From block to block: passing the costs of boundary points on to the neighbours.

use super::blocks::each_bit;
use super::estimate::Estimate;
use super::memory::BlockMemory;
use super::search::{BlockSearch, Ground, ROW_LANES};
use crate::engine::open_list::{Entry, Open};
use crate::rules::cost::Cost;
use crate::rules::moves::step_table;
use crate::rules::slope::Way;
use crate::{Rule, Stats};

impl<D: Estimate> BlockSearch<'_, D> {
    /// Passes the costs of slots on to the neighbours and queues those where something improved.
    /// Short sides have code of their own only where there are wide vectors.
    #[inline(always)]
    pub fn pass_on<const WIDE: bool>(
        &self,
        block: u32,
        (entered, seeded): (u64, bool),
        costs: &[D; ROW_LANES],
        memory: &mut BlockMemory<D>,
        open: &mut Open<D::Key>,
        stats: &mut Stats,
    ) {
        let mut least = [D::FAR; 8];
        if D::CELLS {
            // From a cell that was entered, steps may lead into a third block.
            let mut leaving = entered;
            for (slot, (&cost, &before)) in costs.iter().zip(memory.row(block)).enumerate() {
                leaving |= u64::from(cost < before) << slot;
            }
            let short = WIDE && self.blocks.layout.size().longest() <= 8;
            // Narrow costs have no terrain and no slopes: what they need is not compiled for them.
            match self.ground {
                Ground::Hills if D::ON_HILLS => {
                    self.step_over(block, leaving, costs, memory, &mut least);
                }
                Ground::Weighted if D::ON_HILLS && short => {
                    self.cross::<8, true>(block, leaving, costs, memory, &mut least);
                }
                Ground::Weighted if D::ON_HILLS => {
                    self.cross::<16, true>(block, leaving, costs, memory, &mut least);
                }
                _ if short => self.cross::<8, false>(block, leaving, costs, memory, &mut least),
                _ => self.cross::<16, false>(block, leaving, costs, memory, &mut least),
            }
        } else {
            match self.blocks.layout.size().longest() {
                _ if !WIDE => self.share::<16>(block, seeded, costs, memory, &mut least),
                2..=5 => self.share::<4>(block, seeded, costs, memory, &mut least),
                6..=9 => self.share::<8>(block, seeded, costs, memory, &mut least),
                _ => self.share::<16>(block, seeded, costs, memory, &mut least),
            }
        }
        for (direction, least) in least.into_iter().enumerate() {
            if least.is_far() {
                continue;
            }
            let next = self.blocks.neighbour(block, direction as u8);
            let mark = memory.mark(next);
            if least.key() < mark.key {
                stats.improved += u64::from(mark.key != D::Key::MAX);
                stats.opened += 1;
                mark.key = least.key();
                open.push(Entry { total: mark.key, g: mark.key, node: next });
            }
        }
    }

    /// Shares corners with the neighbours. An entered corner has already been passed on to all its
    /// blocks, so only costs that fell are new to them.
    ///
    /// On each side all inner corners are shared at once, in `LANES` lanes. What has not improved
    /// here is already known there, so there is no need to tell them apart. What is lower only by a
    /// rounding error is not worth another expansion.
    #[inline(always)]
    fn share<const LANES: usize>(
        &self,
        block: u32,
        seeded: bool,
        costs: &[D; ROW_LANES],
        memory: &mut BlockMemory<D>,
        least: &mut [D; 8],
    ) {
        let layout = &self.blocks.layout;
        let mut totals = [D::FAR; ROW_LANES];
        let origin = self.blocks.origin(block);
        D::totals(&self.estimator, origin, &self.blocks.places, costs, &mut totals);
        for slot in layout.ends() {
            if !costs[slot].is_cost() || !(seeded || costs[slot] < memory.row(block)[slot]) {
                continue;
            }
            for link in layout.links(slot) {
                let next = self.blocks.neighbour(block, link.block);
                let doors = self.doors(next);
                if doors >> link.slot & 1 == 0 {
                    continue;
                }
                memory.touch(next, doors);
                let known = &mut memory.row_mut(next)[usize::from(link.slot)];
                if costs[slot].rounded_up() < *known {
                    *known = costs[slot];
                    memory.mark(next).entered |= 1 << link.slot;
                    let least = &mut least[usize::from(link.block)];
                    *least = least.least(totals[slot]);
                }
            }
        }
        for side in layout.sides() {
            let next = self.blocks.neighbour(block, side.block);
            let doors = self.doors(next);
            if doors == 0 {
                continue;
            }
            memory.touch(next, doors);
            let (here, there) = (usize::from(side.here), usize::from(side.there));
            let (Some(costs), Some(totals)) =
                (costs[here..].first_chunk::<LANES>(), totals[here..].first_chunk::<LANES>())
            else {
                return;
            };
            let Some(known) = memory.some::<LANES>(next, there) else { return };
            // Plain loops: `array::from_fn` would be a call, compiled without wide vectors.
            let mut wins = [false; LANES];
            for lane in 0..LANES {
                wins[lane] = (costs[lane].rounded_up() < known[lane])
                    & (costs[lane] >= D::ZERO)
                    & (lane < usize::from(side.count));
            }
            let won = pack(&wins);
            if won == 0 {
                continue;
            }
            let mut best = D::FAR;
            for lane in 0..LANES {
                known[lane] = if wins[lane] { costs[lane] } else { known[lane] };
                best = best.least(if wins[lane] { totals[lane] } else { D::FAR });
            }
            memory.mark(next).entered |= won << there;
            let least = &mut least[usize::from(side.block)];
            *least = least.least(best);
        }
    }

    /// Steps from cells into the neighbours, along each whole side at once. Cells that did not
    /// improve have already taken their steps.
    #[inline(always)]
    fn cross<const LANES: usize, const WEIGHTED: bool>(
        &self,
        block: u32,
        leaving: u64,
        costs: &[D; ROW_LANES],
        memory: &mut BlockMemory<D>,
        least: &mut [D; 8],
    ) {
        let (layout, rules) = (&self.blocks.layout, &self.blocks.rules);
        let (left, top) = self.blocks.origin(block);
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let (right, bottom) = (layout.size().width - 1, layout.size().height - 1);
        for side in 0..4 {
            // The cells along the side, here and beyond, and where the latter begin.
            let (bits, line, x, y) = match side {
                0 => (rows, rows.position(left, top), left, top.wrapping_sub(1)),
                1 => (columns, columns.position(top, left + right), left + right + 1, top),
                2 => (rows, rows.position(left, top + bottom), left, top + bottom + 1),
                _ => (columns, columns.position(top, left), left.wrapping_sub(1), top),
            };
            let away =
                if side == 1 || side == 2 { line + bits.stride() } else { line - bits.stride() };
            let edge = layout.edge(side);
            let side_mask = (1u64 << edge.len()) - 1;
            let free = bits.after(line) & side_mask;
            let beyond = bits.after(away) & side_mask;
            let leaves = edge.iter().any(|&slot| leaving >> slot & 1 != 0);
            if free & beyond == 0 && rules.rule() != Rule::EightCutAny || !leaves {
                continue;
            }
            let next = self.blocks.neighbour(block, 2 * side as u8);
            memory.touch(next, u64::MAX);
            let opposite = layout.edge((side + 2) % 4);
            let mut here = [D::FAR; 32];
            let mut known = [D::ZERO; LANES];
            {
                let row = memory.row(next);
                for (i, (&from, &to)) in edge.iter().zip(opposite).enumerate() {
                    here[i + 1] = costs[usize::from(from)];
                    known[i] = row[usize::from(to)];
                }
            }
            let [ahead, rising, falling] = legal_crossings(rules.rule(), free, beyond);
            let (straight, diagonal) = (rules.straight, rules.diagonal);
            // On terrain the factors along both lines; those here from the second lane on.
            let (mut near, mut far) = ([0; 32], [0; LANES]);
            if WEIGHTED && let Some(factors) = self.grid.factors() {
                let along = if side % 2 == 0 { 1 } else { rows.stride() };
                let (dx, dy) = [(0, 0), (right, 0), (0, bottom), (0, 0)][side];
                let here = rows.position(left + dx, top + dy);
                let there = match side {
                    0 => here - rows.stride(),
                    1 => here + 1,
                    2 => here + rows.stride(),
                    _ => here - 1,
                };
                for lane in 0..edge.len() {
                    let factor = |at: u32| {
                        let at = at + lane as u32 * along;
                        factors.get(at as usize).map_or(0, |&factor| u32::from(factor))
                    };
                    near[lane + 1] = factor(here);
                    far[lane] = factor(there);
                }
            }
            // See `relax_reluctantly`; zero unless the search is weighted.
            let slack = straight.stretch(self.weight - 1.0);
            let mut arriving = [D::FAR; LANES];
            let mut wins = [false; LANES];
            for lane in 0..LANES {
                let step = |legal: u64, from: usize, unit: D| {
                    let price = if WEIGHTED { unit.times(near[from] + far[lane]) } else { unit };
                    if legal >> lane & 1 != 0 { here[from] + price } else { D::FAR }
                };
                arriving[lane] = step(ahead, lane + 1, straight)
                    .least(step(rising, lane, diagonal))
                    .least(step(falling, lane + 2, diagonal));
                wins[lane] = arriving[lane] + slack < known[lane];
            }
            let mut best = D::FAR;
            let mut entered = 0;
            for lane in each_bit(pack(&wins)) {
                let slot = usize::from(opposite[lane]);
                let (dx, dy) = if side % 2 == 0 { (lane as u32, 0) } else { (0, lane as u32) };
                memory.row_mut(next)[slot] = arriving[lane];
                entered |= 1 << slot;
                best = best.least(arriving[lane] + self.estimate(x + dx, y + dy));
            }
            memory.mark(next).entered |= entered;
            least[2 * side] = best;
        }
        // The steps over the corners of the block.
        let steps = step_table(rules.rule());
        let ends = layout.ends();
        for (slot, (direction, end)) in ends.into_iter().zip([(7, 2), (1, 3), (3, 0), (5, 1)]) {
            if leaving >> slot & 1 == 0 {
                continue;
            }
            let (x, y) = layout.at(slot);
            let (x, y) = (left + x, top + y);
            if steps[rows.around(rows.position(x, y))] >> direction & 1 == 0 {
                continue;
            }
            let next = self.blocks.neighbour(block, direction);
            let (step, x, y) = self.step(x, y, direction, Way::Forward);
            let to = ends[end];
            memory.touch(next, u64::MAX);
            let known = &mut memory.row_mut(next)[to];
            let cost = costs[slot] + step;
            if cost + step.stretch(self.weight - 1.0) < *known {
                *known = cost;
                memory.mark(next).entered |= 1 << to;
                least[usize::from(direction)] = cost + self.estimate(x, y);
            }
        }
    }

    /// Steps from cells into the neighbours one by one, on slopes and in weighted searches on
    /// weighted terrain.
    #[inline(always)]
    fn step_over(
        &self,
        block: u32,
        leaving: u64,
        costs: &[D; ROW_LANES],
        memory: &mut BlockMemory<D>,
        least: &mut [D; 8],
    ) {
        let (left, top) = self.blocks.origin(block);
        let (layout, bits) = (&self.blocks.layout, self.grid.rows());
        let steps = step_table(self.blocks.rules.rule());
        for slot in each_bit(leaving) {
            let (x, y) = layout.at(slot);
            let (x, y) = (left + x, top + y);
            let legal = steps[bits.around(bits.position(x, y))];
            for link in layout.links(slot) {
                if legal >> link.step & 1 == 0 {
                    continue;
                }
                let next = self.blocks.neighbour(block, link.block);
                memory.touch(next, u64::MAX);
                let known = &mut memory.row_mut(next)[usize::from(link.slot)];
                // Most steps lead where a better way is known and need not be priced.
                if costs[slot] + self.least_steps[usize::from(link.step & 1)] >= *known {
                    continue;
                }
                let (step, x, y) = self.step(x, y, link.step, Way::Forward);
                if step.is_far() {
                    continue; // too steep
                }
                let cost = costs[slot] + step;
                if cost + step.stretch(self.weight - 1.0) < *known {
                    *known = cost;
                    memory.mark(next).entered |= 1 << link.slot;
                    let least = &mut least[usize::from(link.block)];
                    *least = least.least(cost + self.estimate(x, y));
                }
            }
        }
    }
}

/// Which steps between two lines of cells are legal, as bits of the cells they lead to: straight
/// ahead, from the cell before, and from the cell after.
#[inline(always)]
fn legal_crossings(rule: Rule, free: u64, beyond: u64) -> [u64; 3] {
    let diagonal = |free_beside: u64, beyond_beside: u64| match rule {
        Rule::Four => 0,
        Rule::Eight => free & free_beside & beyond & beyond_beside,
        Rule::EightCutOne => free_beside & beyond & (free | beyond_beside),
        _ => free_beside & beyond,
    };
    [free & beyond, diagonal(free << 1, beyond << 1), diagonal(free >> 1, beyond >> 1)]
}

/// Lanes as bits, eight at a time: a multiplication gathers the lowest bits of eight bytes.
#[inline(always)]
fn pack<const LANES: usize>(lanes: &[bool; LANES]) -> u64 {
    let mut bits = 0;
    for (index, eight) in lanes.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        for (byte, &lane) in bytes.iter_mut().zip(eight) {
            *byte = u8::from(lane);
        }
        let word = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= word << (8 * index);
    }
    bits
}
