//! Basic Theta*: looks from the parent of the expanded corner at each of the corner's neighbours.
//!
//! A. Nash, K. Daniel, S. Koenig & A. Felner, *Theta\*: Any-Angle Path Planning on Grids*, 2007;
//! K. Daniel et al. in JAIR 39, 2010.
//!
//! On weighted terrain a segment costs the integral of the factor, so the straight line may cost
//! more than the detour: both paths are priced, and the cheaper one is taken (section "Non-uniform
//! cells" of the JAIR paper). The same goes for slopes, where a segment that is too steep has
//! infinite cost.

use super::{Edge, LONGEST_LINK, PLAIN, Sight, ThetaField, Variant};

pub(super) struct Basic {
    pub sight: Sight,
}

impl Variant for Basic {
    #[inline]
    fn relax<const TERRAIN: bool>(&mut self, field: &mut ThetaField<'_, TERRAIN>, edge: Edge) {
        let Edge { from, to, .. } = edge;
        // The paper looks at every successor, whether that matters or not.
        let looked = (self.sight == Sight::Always).then(|| field.look(from.parent, to));
        let known = field.to_beat(to.node);
        // Coming from the parent costs at least this much.
        let length = from.parent.point.distance(to.point);
        let least = from.parent_g + field.least * length;
        if TERRAIN {
            let step = from.g + field.cost(from.at.point, to.point);
            let mut best = (step, from.at.node);
            // On slopes it takes long to price a segment; its net height bounds the price from
            // below.
            let least = least + field.net_penalty(from.parent.point, to.point);
            if length <= LONGEST_LINK
                && least < known.min(step)
                && !from.is_start()
                && looked.unwrap_or_else(|| field.sees(from.parent, to))
            {
                let direct = from.parent_g + field.cost(from.parent.point, to.point);
                // If they cost the same, the straight line: the fewer parents, the farther they
                // see.
                if direct <= step {
                    best = (direct, from.parent.node);
                }
            }
            if best.0 < known {
                field.offer(to, best.1, best.0, PLAIN);
            }
            return;
        }
        // Path 1 is no shorter than path 2: if path 2 is no gain, there is no need to look.
        if least >= known {
            return;
        }
        if from.is_start() || looked.unwrap_or_else(|| field.sees(from.parent, to)) {
            field.offer(to, from.parent.node, least, PLAIN);
            return;
        }
        let step = from.g + from.at.point.distance(to.point);
        if step < known {
            field.offer(to, from.at.node, step, PLAIN);
        }
    }
}
