//! What the stepper sees of units: where each may stand and how far it has to go from there.

use crate::crowd::Ground;
use crate::layer::Layer;
use crate::measure::{NONE, STRAIGHT, apart};
use crate::place::Places;
use blockstar::{Cell, Rule};

/// A distance beyond all that are known.
const FAR: u32 = 1 << 30;

/// What leads a unit, and where it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guide {
    pub lead: Lead,
    pub layer: u16,
    /// Where it is.
    pub cell: Cell,
    /// Whether it stays where it is: between two cells, or on hold.
    pub frozen: bool,
    /// Whether it goes back, not ahead, when it has to go: it is held at a choke.
    pub back: bool,
}

/// What leads a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Lead {
    /// It is not there.
    #[default]
    None,
    /// A cell, and how far it is from there.
    Cell(Cell, u32),
    /// The field of a place.
    Field(u32),
}

/// The units as the stepper sees them.
pub(crate) struct View<'a> {
    pub guides: &'a [Guide],
    pub layers: &'a [Layer],
    pub places: &'a Places,
    pub rule: Rule,
}

impl View<'_> {
    pub fn left(&self, guide: &Guide, cell: Cell) -> u32 {
        match guide.lead {
            Lead::None => 0,
            Lead::Cell(aim, rest) => apart(self.rule, cell, aim).saturating_add(rest).min(FAR),
            Lead::Field(place) => {
                let Some(place) = self.places.get(place) else { return 0 };
                let known = place.field.as_ref().map_or(NONE, |field| field.distance(cell));
                match known {
                    // Where nothing is known, towards the goal.
                    NONE => FAR + apart(self.rule, cell, place.sources[0]).min(FAR),
                    known => known.min(FAR - STRAIGHT),
                }
            }
        }
    }
}

impl Ground for View<'_> {
    #[inline]
    fn may_enter(&self, agent: u32, cell: Cell) -> bool {
        let Some(guide) = self.guides.get(agent as usize) else { return false };
        !guide.frozen
            && self
                .layers
                .get(usize::from(guide.layer))
                .is_some_and(|layer| layer.grid.is_free(cell))
    }

    #[inline]
    fn distance(&self, agent: u32, cell: Cell) -> u32 {
        // Where it makes no difference it stays: a crowd that waits is at rest, and can be moved.
        let guide = self.guides.get(agent as usize);
        guide.map_or(0, |guide| {
            let left = self.left(guide, cell);
            let left = if guide.back { (2 * FAR).saturating_sub(left) } else { left };
            left + u32::from(cell != guide.cell)
        })
    }
}
