//! Lazy Theta*: takes it for granted that the parent of the expanded corner sees each neighbour,
//! and looks only when the neighbour is expanded: at most once per expansion.
//!
//! A. Nash, S. Koenig & C. Tovey, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis
//! in 3D*, 2010.
//!
//! If the neighbour cannot be seen after all, its cost was too low. It then becomes that of the
//! best single step from a neighbour that has been expanded (the costs of others may be too low as
//! well); there is at least one, the corner it was found from. It is expanded all the same, as in
//! the paper.
//!
//! There is no version for weighted terrain: of a segment nobody has looked at the length is known,
//! but not the price.

use super::{Edge, PLAIN, ThetaField, Variant, Visit};
use crate::engine::nodes::ROOT;
use crate::rules::cost::Real;

pub(super) struct Lazy;

impl Variant for Lazy {
    const ASSUMING: bool = true;

    fn settle<const TERRAIN: bool>(
        &mut self,
        field: &mut ThetaField<'_, TERRAIN>,
        visit: &mut Visit,
        tag: u8,
    ) {
        if tag == ROOT || field.sees(visit.parent, visit.at) {
            return;
        }
        let mut best = (f64::INFINITY, visit.parent);
        field.corners.neighbours(visit.at.node, |next, _| {
            if field.search.nodes.is_closed(next) {
                let from = field.spot(next);
                let g = field.known(next) + field.cost(from.point, visit.at.point);
                if g < best.0 {
                    best = (g, from);
                }
            }
        });
        (visit.g, visit.parent) = best;
        visit.parent_g = field.known(visit.parent.node);
        field.search.nodes.set(visit.at.node, Real(visit.g), PLAIN);
        field.search.nodes.set_parent(visit.at.node, visit.parent.node);
    }

    #[inline]
    fn relax<const TERRAIN: bool>(&mut self, field: &mut ThetaField<'_, TERRAIN>, edge: Edge) {
        let Edge { from, to, .. } = edge;
        // With the same parent the cost is the same: a load saves a square root.
        if field.is_child(to.node, from.parent.node) {
            return;
        }
        let g = from.parent_g + field.cost(from.parent.point, to.point);
        if g < field.known(to.node) {
            field.offer(to, from.parent.node, g, PLAIN);
        }
    }
}
