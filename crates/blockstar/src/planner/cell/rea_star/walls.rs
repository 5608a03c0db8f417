//! The expansion of one interval: the walls of its rectangle, and the runs beyond them.

use super::rectangle::{Line, Runs, growth};
use super::{EAST, Frame, INSIDE, Interval, NORTH, SOUTH, Search, WEST};
use crate::Event;
use crate::engine::open_list::Entry;
use crate::rules::cost::Cost;
use crate::rules::heuristic::{Estimator, octile};

/// A run of cells outside a rectangle, in the order of their nodes' `step`.
#[derive(Clone, Copy)]
struct WallRun {
    /// The row or column it lies on.
    line: u32,
    /// Its first cell there, and whether the others follow in ascending order.
    from: u32,
    forward: bool,
    /// The node of the first cell, and the step from one to the next.
    node: u32,
    step: i32,
    growth: u8,
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
            let g = g + octile(self.step_costs.straight, self.extra, beside, ahead);
            self.nodes.lower(self.goal_node, g, frame.growth << 2 | INSIDE);
        }
    }

    /// Passes costs on to the cells beside the rectangle, at the interval's high or low end.
    fn side<const HIGH: bool>(
        &mut self,
        interval: Interval,
        frame: &Frame<'_, C>,
        line: &mut Line<C>,
        first: u32,
        depth: u32,
    ) {
        let v = u32::from(interval.line);
        let (outside, node, u, growth) = if HIGH {
            let u = u32::from(interval.high) + 1;
            let node = first.wrapping_add_signed(line.g.len() as i32 * frame.step_u);
            let growth = if frame.step_u == 1 { EAST } else { SOUTH };
            (frame.across.position(v, u), node, u, growth)
        } else {
            let u = u32::from(interval.low);
            let node = first.wrapping_add_signed(-frame.step_u);
            let growth = if frame.step_u == 1 { WEST } else { NORTH };
            // One below 0 is padding, where there are no runs.
            (frame.across.position(v, u) - frame.across.stride(), node, u.wrapping_sub(1), growth)
        };
        let Frame { across, forward, step_v, .. } = *frame;
        let mut ready = false;
        for (start, end) in Runs::new(across, outside, forward, depth + 1) {
            if !std::mem::replace(&mut ready, true) {
                line.pass_aside::<HIGH>(depth, self.step_costs.straight, self.extra);
            }
            let costs = line.beside(start, end, self.extra);
            let run = WallRun {
                line: u,
                from: if forward { v + start } else { v - start },
                forward,
                node: node.wrapping_add_signed(start as i32 * step_v),
                step: step_v,
                growth,
            };
            self.reach(run, costs);
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
        let Frame { along, step_u, growth, .. } = *frame;
        let out = self.step_costs.straight.times(depth) + self.step_costs.straight;
        let mut crossed = false;
        // Distances are from the cell before the interval's first: 0 and width + 1 are corners.
        for (start, end) in Runs::new(along, beyond - 1, true, width + 2) {
            let (inner_start, inner_end) = (start.max(1), end.min(width + 1));
            if inner_start >= inner_end {
                continue;
            }
            if !std::mem::replace(&mut crossed, true) {
                line.cross(depth, self.extra);
            }
            let corners =
                [start == 0 && along.get(last - 1), end == width + 2 && along.get(last + width)];
            let costs = line.beyond(inner_start - 1, inner_end - 1, corners, out, self.extra);
            let start = inner_start - u32::from(corners[0]);
            let run = WallRun {
                line: v,
                from: low + start - 1,
                forward: true,
                node: base.wrapping_add_signed(start as i32 * step_u),
                step: step_u,
                growth,
            };
            self.reach(run, costs);
        }
    }

    /// Lowers the costs of a run's cells and queues the part where they improved.
    fn reach(&mut self, run: WallRun, costs: &mut [C]) {
        let WallRun { line, from, forward, node, step, growth } = run;
        let (straight, extra) = (self.step_costs.straight, self.extra);
        let lowered = self.nodes.lower_run(node, step, costs, straight, growth << 2);
        let Some((first, last, known)) = lowered else { return };
        let Frame { estimator, goal, .. } = self.frame(growth);
        let on = if forward { 1 } else { u32::MAX };
        let place = |i: usize| from.wrapping_add(on.wrapping_mul(i as u32));
        let (mut best, mut total, mut at) = (first, C::MAX, place(first));
        for (i, &g) in (first..).zip(&costs[first..=last]) {
            // Cells that did not improve have the largest cost; there are few between the two.
            if g != C::MAX {
                let f = g + estimate::<C, OCTILE>(estimator, straight, extra, goal, at, line);
                (best, total) = if f < total { (i, f) } else { (best, total) };
            }
            at = at.wrapping_add(on);
        }
        let (a, b) = (place(first) as u16, place(last) as u16);
        let low = a.min(b);
        let interval = Interval {
            line: line as u16,
            low,
            high: a.max(b),
            best: place(best) as u16 - low,
            growth,
            seed: false,
        };
        self.push(interval, total, costs[best], known);
    }

    /// Queues an interval; `known` says whether one of its cells had been reached before.
    #[inline]
    fn push(&mut self, interval: Interval, total: C, g: C, known: bool) {
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
            let (g, f) = (self.step_costs.length(g), self.step_costs.length(total));
            let event = if known {
                Event::Improved { at, from: None, g, f }
            } else {
                Event::Opened { at, from: None, g, f }
            };
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
    // The same as the estimator, but faster: this runs for every cell.
    octile(straight, extra, u.abs_diff(goal.0), v.abs_diff(goal.1))
}
