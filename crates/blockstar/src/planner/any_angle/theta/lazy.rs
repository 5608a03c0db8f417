//! Lazy Theta*: takes it for granted that the parent of the expanded corner sees each neighbour, and
//! looks when the neighbour is expanded: at most once per expansion.
//!
//! A. Nash, S. Koenig & C. Tovey, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis in
//! 3D*, 2010.
//!
//! If it cannot be seen after all, the corner was queued too low. Its cost is then the best way by a
//! single step from a neighbour that has been expanded (others may themselves have costs that are too
//! low), of which there is one: the corner that it was found from. It is expanded all the same,
//! as in the paper.
//!
//! There is no version for weighted terrain: what may be taken for granted of a path that has not
//! been looked at is its length, not its price.

use super::{Field, PLAIN, Spot, Variant, Visit};
use crate::engine::nodes::ROOT;
use crate::rules::cost::Real;

pub(super) struct Lazy;

impl Variant for Lazy {
    const ASSUMING: bool = true;

    fn settle<const TERRAIN: bool>(field: &mut Field<'_, TERRAIN>, visit: &mut Visit, tag: u8) {
        if tag == ROOT || field.sees(visit.parent, visit.at) {
            return;
        }
        let mut best = (f64::INFINITY, visit.parent);
        field.corners.neighbours(visit.at.node, |next, _| {
            if field.nodes.is_closed(next) {
                let from = field.spot(next);
                let g = field.known(next) + field.cost(from.point, visit.at.point);
                if g < best.0 {
                    best = (g, from);
                }
            }
        });
        (visit.g, visit.parent) = best;
        visit.parent_g = field.known(visit.parent.node);
        field.nodes.set(visit.at.node, Real(visit.g), PLAIN);
        field.nodes.set_parent(visit.at.node, visit.parent.node);
    }

    #[inline]
    fn relax<const TERRAIN: bool>(field: &mut Field<'_, TERRAIN>, from: &Visit, to: Spot) {
        // Of the same parent it costs the same: a load instead of a square root.
        if field.is_child(to.node, from.parent.node) {
            return;
        }
        let g = from.parent_g + field.cost(from.parent.point, to.point);
        if g < field.known(to.node) {
            field.offer(to, from.parent.node, g, PLAIN);
        }
    }
}
