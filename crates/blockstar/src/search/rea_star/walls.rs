//! The expansion of one interval: the walls of its rectangle, and the runs beyond them.

use super::{
    EAST, FROM_HIGH, FROM_LOW, Frame, INSIDE, Interval, NORTH, SOUTH, STRAIGHT, Search, WEST,
};
use crate::cost::Cost;
use crate::heuristic::Estimator;
use crate::open::Entry;
use crate::search::rectangle::{Line, Runs, growth};
use crate::trace::Event;

/// The cells of a run that improved, as far as they are known: distances along the run.
struct Run<C> {
    first: u32,
    last: u32,
    /// The cell with the least total, its total and cost.
    best: u32,
    total: C,
    g: C,
    /// Whether it had been reached before.
    known: bool,
}

impl<C: Cost> Run<C> {
    const EMPTY: Self =
        Self { first: u32::MAX, last: 0, best: 0, total: C::MAX, g: C::MAX, known: false };

    /// Adds a cell that improved.
    #[inline]
    fn add(&mut self, at: u32, total: C, g: C, before: C) {
        if self.first == u32::MAX {
            self.first = at;
        }
        self.last = at;
        if total < self.total {
            (self.best, self.total, self.g, self.known) = (at, total, g, before != C::MAX);
        }
    }
}

impl<C: Cost, const OCTILE: bool> Search<'_, C, OCTILE> {
    /// Expands an interval whose costs are in `line`.
    pub(super) fn expand(&mut self, interval: Interval, frame: &Frame<'_, C>, line: &mut Line<C>) {
        let first = self.node(interval);
        let width = interval.width();
        for i in 0..width {
            self.nodes.close_if(first.wrapping_add_signed(i as i32 * frame.step_u), frame.growth);
        }
        let (v, low) = (u32::from(interval.line), u32::from(interval.low));
        let position = frame.along.position(low, v);
        let across = frame.across.position(v, low);
        let depth = growth(frame.along, position, frame.across, across, width, frame.forward);
        self.intervals.log.push(Interval { best: depth as u16, ..interval });
        let (goal_u, goal_v) = frame.goal;
        let ahead = if frame.forward { goal_v.wrapping_sub(v) } else { v.wrapping_sub(goal_v) };
        if ahead <= depth && goal_u.wrapping_sub(low) < width {
            self.reach_goal(frame, line, goal_u - low, ahead);
            return;
        }
        self.side::<false>(interval, frame, line, first, depth);
        self.side::<true>(interval, frame, line, first, depth);
        self.far_wall(interval, frame, line, first, depth);
    }

    /// The goal is in the rectangle, `across` cells from the interval's first and `ahead` of it.
    fn reach_goal(&mut self, frame: &Frame<'_, C>, line: &Line<C>, across: u32, ahead: u32) {
        for (i, &g) in line.g.iter().enumerate() {
            let beside = across.abs_diff(i as u32);
            let g = g
                + self.tariff.straight.times(beside.max(ahead))
                + self.extra.times(beside.min(ahead));
            self.nodes.lower(self.goal_node, g, frame.growth << 2 | INSIDE);
        }
    }

    /// Passes costs on to the cells beside the rectangle, at the high or the low end of the interval.
    ///
    /// The cell of the rectangle in row r of that side is best reached from one of the last r + 1
    /// cells of the interval: r straight steps, of which as many are diagonal as the cell is away
    /// from the side. Outside, the first cell of a run is stepped on straight, the others are
    /// reached no later by a diagonal step from the row before.
    fn side<const HIGH: bool>(
        &mut self,
        interval: Interval,
        frame: &Frame<'_, C>,
        line: &Line<C>,
        first: u32,
        depth: u32,
    ) {
        let v = u32::from(interval.line);
        let width = line.g.len() as u32;
        let (outside, node, u, growth) = if HIGH {
            let u = u32::from(interval.high) + 1;
            let node = first.wrapping_add_signed(width as i32 * frame.step_u);
            let growth = if frame.step_u == 1 { EAST } else { SOUTH };
            (frame.across.position(v, u), node, u, growth)
        } else {
            let u = u32::from(interval.low);
            let node = first.wrapping_add_signed(-frame.step_u);
            let growth = if frame.step_u == 1 { WEST } else { NORTH };
            // One less than 0 is the padding, where there are no runs.
            (frame.across.position(v, u) - frame.across.stride(), node, u.wrapping_sub(1), growth)
        };
        let Frame { across, forward, step_v, goal, estimator, .. } = *frame;
        let (straight, diagonal, extra) = (self.tariff.straight, self.tariff.diagonal, self.extra);
        let estimate = |v: u32| estimate::<C, OCTILE>(estimator, straight, extra, goal, u, v);
        let place = |at: u32| if forward { v + at } else { v - at };
        let costs = &line.g[..];
        let edge = |row: u32| if HIGH { width - 1 - row } else { row };
        let [out, slanted] =
            [STRAIGHT, if forward { FROM_LOW } else { FROM_HIGH }].map(|step| growth << 2 | step);
        // The least cost for the present row, less its straight steps.
        let (mut least, mut row) = (costs[edge(0) as usize], 0);
        for (start, end) in Runs::new(across, outside, forward, depth + 1) {
            let nodes = &mut *self.nodes;
            let mut run = Run::EMPTY;
            // As if the first cell were reached by a straight step from the row before.
            let mut tag = out;
            let mut steps = straight.times(start) + straight;
            let mut inside = start;
            let mut node = node.wrapping_add_signed(start as i32 * step_v);
            for at in start..end {
                while row < inside && row + 1 < width {
                    row += 1;
                    least = least.min(costs[edge(row) as usize] + extra.times(row));
                }
                let g = least + steps;
                if let Some(before) = nodes.lower(node, g, tag) {
                    run.add(at, g + estimate(place(at)), g, before);
                }
                tag = slanted;
                steps = straight.times(at) + diagonal;
                inside = at;
                node = node.wrapping_add_signed(step_v);
            }
            if run.first != u32::MAX {
                let (a, b) = (place(run.first) as u16, place(run.last) as u16);
                let (low, high) = (a.min(b), a.max(b));
                let best = place(run.best) as u16 - low;
                self.push(&run, Interval { line: u as u16, low, high, best, growth, seed: false });
            }
        }
    }

    /// Passes costs on to the cells beyond the far side of the rectangle and to its far corners.
    fn far_wall(
        &mut self,
        interval: Interval,
        frame: &Frame<'_, C>,
        line: &mut Line<C>,
        first: u32,
        depth: u32,
    ) {
        let (low, width) = (u32::from(interval.low), line.g.len() as u32);
        let stride = frame.along.stride();
        let position = frame.along.position(low, interval.line.into());
        let (last, beyond) = if frame.forward {
            (position + depth * stride, position + (depth + 1) * stride)
        } else {
            (position - depth * stride, position - (depth + 1) * stride)
        };
        let v = if frame.forward {
            u32::from(interval.line) + depth + 1
        } else {
            u32::from(interval.line).wrapping_sub(depth + 1)
        };
        let base = first.wrapping_add_signed((depth as i32 + 1) * frame.step_v - frame.step_u);
        let Frame { along, step_u, goal, estimator, growth, .. } = *frame;
        let (straight, extra) = (self.tariff.straight, self.extra);
        let estimate = |u: u32| estimate::<C, OCTILE>(estimator, straight, extra, goal, u, v);
        let out = straight.times(depth) + straight;
        let mut crossed = false;
        // Distances are from the cell before the interval's first: 0 and width + 1 are corners.
        for (start, end) in Runs::new(along, beyond - 1, true, width + 2) {
            let (inner_start, inner_end) = (start.max(1), end.min(width + 1));
            if inner_start >= inner_end {
                continue;
            }
            if !std::mem::replace(&mut crossed, true) {
                line.cross(depth, extra);
            }
            let nodes = &mut *self.nodes;
            let mut run = Run::EMPTY;
            let mut reach = |at: u32, g: C, step: u8| {
                let node = base.wrapping_add_signed(at as i32 * step_u);
                if let Some(before) = nodes.lower(node, g, growth << 2 | step) {
                    run.add(at, g + estimate(low + at - 1), g, before);
                }
            };
            let far = &line.far()[inner_start as usize - 1..inner_end as usize - 1];
            // Up to here `out` and `far` make straight steps; a diagonal one costs `extra` more.
            if start == 0 && along.get(last - 1) {
                reach(0, far[0] + out + extra, FROM_HIGH);
            }
            if line.is_flat() {
                for (at, &cost) in (inner_start..).zip(far) {
                    reach(at, cost + out, STRAIGHT);
                }
            } else {
                for (i, at) in (inner_start..inner_end).enumerate() {
                    let (mut best, mut step) = (far[i], STRAIGHT);
                    if i > 0 && far[i - 1] + extra < best {
                        (best, step) = (far[i - 1] + extra, FROM_LOW);
                    }
                    if let Some(&next) = far.get(i + 1)
                        && next + extra < best
                    {
                        (best, step) = (next + extra, FROM_HIGH);
                    }
                    reach(at, best + out, step);
                }
            }
            if end == width + 2 && along.get(last + width) {
                reach(width + 1, far[far.len() - 1] + out + extra, FROM_LOW);
            }
            if run.first != u32::MAX {
                let place = |at: u32| (low + at - 1) as u16;
                let interval = Interval {
                    line: v as u16,
                    low: place(run.first),
                    high: place(run.last),
                    best: (run.best - run.first) as u16,
                    growth,
                    seed: false,
                };
                self.push(&run, interval);
            }
        }
    }

    /// Queues an interval.
    #[inline]
    fn push(&mut self, run: &Run<C>, interval: Interval) {
        let Run { total, g, known, .. } = *run;
        if total > self.max_total {
            *self.pruned = true;
            return;
        }
        if total >= self.nodes.g(self.goal_node) {
            return;
        }
        let index = self.intervals.add(interval);
        self.open.push(Entry { total, g, node: index });
        self.stats.opened += 1;
        self.stats.improved += u64::from(known);
        if self.trace.is_some() {
            let at = self.centre(self.best_node(interval));
            let (g, f) = (self.tariff.length(g), self.tariff.length(total));
            let event =
                if known { Event::Improved { at, g, f } } else { Event::Opened { at, g, f } };
            self.record(event);
        }
    }
}

/// The estimate for a cell in the coordinates of a frame.
#[inline]
pub(super) fn estimate<C: Cost, const OCTILE: bool>(
    estimator: &Estimator<C>,
    straight: C,
    extra: C,
    goal: (u32, u32),
    u: u32,
    v: u32,
) -> C {
    if !OCTILE {
        return estimator.estimate(u, v);
    }
    // The estimator would do the same, but not as fast: this is asked for every cell.
    let (du, dv) = (u.abs_diff(goal.0), v.abs_diff(goal.1));
    straight.times(du.max(dv)) + extra.times(du.min(dv))
}
