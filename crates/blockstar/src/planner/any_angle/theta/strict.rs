//! Strict Theta*, in its recursive form: prefers *taut* paths, those that cannot be pulled tighter.
//!
//! S. Oh & H. W. Leong, *Strict Theta\*: Shorter Motion Path Planning Using Taut Paths*, 2016.
//!
//! A shortest path turns only at corners of walls, and around them. Theta* takes any parent in
//! sight, so it turns in the open wherever the parent's parent happens to be out of sight, and
//! passes these turns on. Here a path that would turn with slack is pulled tight: while the turn at
//! the last corner is not taut and the corner before sees the end, that corner is tried instead. A
//! path that still has slack is not thrown away, because taut ones may grow from it, but queued
//! with a [`PENALTY`] that it loses when it is expanded. By then most have been replaced by a taut
//! one.
//!
//! What differs from the authors' program: the test for tautness looks at the four cells around the
//! turn ([`is_taut`]), so the rule for double corners needs no special case.

use super::{Edge, PLAIN, ThetaField, Variant, Visit};
use crate::Point;
use crate::rules::cost::Real;

pub(super) struct Strict;

/// Added to the cost of a path with slack while it waits: the authors' value. Anything larger gives
/// the same paths, smaller values give longer ones (every third query of arena2: 176.0305 with 0.1,
/// 176.0237 with 0.42 and with 100).
const PENALTY: f64 = 0.42;

/// The tag of a node whose cost includes the penalty.
const PENALISED: u8 = 1;

impl Variant for Strict {
    fn settle<const TERRAIN: bool>(
        &mut self,
        field: &mut ThetaField<'_, TERRAIN>,
        visit: &mut Visit,
        tag: u8,
    ) {
        if tag == PENALISED {
            visit.g = visit.parent_g + field.cost(visit.parent.point, visit.at.point);
            field.search.nodes.set(visit.at.node, Real(visit.g), PLAIN);
        }
    }

    fn relax<const TERRAIN: bool>(&mut self, field: &mut ThetaField<'_, TERRAIN>, edge: Edge) {
        let Edge { from, to, .. } = edge;
        // With the same parent, the way through here is no shorter.
        if field.is_child(to.node, from.parent.node) {
            return;
        }
        let known = field.to_beat(to.node);
        // `last` is where the path would turn, `before` where it comes from.
        let (mut last, mut last_g) = (from.at, from.g);
        let (mut before, mut before_g) = (from.parent, from.parent_g);
        let mut slack = false;
        while last.node != before.node
            && !is_taut(field.corners.quad_at(last.point), before.point, last.point, to.point)
        {
            slack = !field.sees(before, to);
            if slack {
                break;
            }
            (last, last_g) = (before, before_g);
            before = field.spot(field.search.nodes.parent(last.node));
            before_g = field.known(before.node);
        }
        let g = last_g + field.cost(last.point, to.point);
        if slack {
            if g + PENALTY < known {
                field.offer(to, last.node, g + PENALTY, PENALISED);
            }
        } else if g < known {
            // Straight on past a corner where no taut path could turn: keeping it would only make
            // the chain of parents longer.
            let passed = !can_turn(field.corners.quad_at(last.point));
            let parent = if passed { before } else { last };
            field.offer(to, parent.node, g, PLAIN);
        }
    }
}

/// Whether a taut path may turn at a corner with these free cells around it: it must be the corner
/// of a wall or a double corner.
fn can_turn(quad: u32) -> bool {
    matches!(quad, 7 | 11 | 13 | 14 | 6 | 9)
}

/// Whether the path from `a` over the corner `b` to `c` is straight or wraps around a blocked cell
/// of the four around `b` (`quad` has a bit for each free one).
///
/// A blocked cell keeps the path from being pulled tighter if it lies inside the turn. Neither leg
/// runs through it, so its diagonal then lies inside as well.
fn is_taut(quad: u32, a: Point, b: Point, c: Point) -> bool {
    let leg = |p: Point| (i64::from(p.ux() - b.ux()), i64::from(p.uy() - b.uy()));
    let cross = |u: (i64, i64), v: (i64, i64)| u.0 * v.1 - u.1 * v.0;
    let (back, on) = (leg(a), leg(c));
    let turn = cross(back, on);
    if turn == 0 {
        return back.0 * on.0 + back.1 * on.1 <= 0;
    }
    let mut blocked = !quad & 15;
    while blocked != 0 {
        let bit = blocked.trailing_zeros();
        blocked &= blocked - 1;
        let diagonal = [(-1, -1), (1, -1), (-1, 1), (1, 1)][bit as usize];
        let (one, two) = (cross(back, diagonal), cross(diagonal, on));
        if one.signum() == turn.signum() && two.signum() == turn.signum() {
            return true;
        }
    }
    false
}
