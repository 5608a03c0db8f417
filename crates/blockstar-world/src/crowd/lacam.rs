//! A search over the places of several units at once: LaCAM (K. Okumura, *LaCAM: search-based
//! algorithm for quick multi-agent pathfinding*, AAAI 2023).
//!
//! A node says where all units are. Its successors come from the stepper, one each time the node is
//! looked at, under more and more constraints: the first unit must go here, then there, then the
//! second as well. So the search is depth first where stepping does well, and complete all the same:
//! what the stepper would never do is done in the end because a constraint says so.
//!
//! The work is counted in decisions of single units. If it runs out, the best node is the answer:
//! that with the least sum of distances.

use super::{Ground, Stepper};
use blockstar::Cell;
use std::collections::BTreeMap;

/// Where all units are, with what the search knows of it.
struct Node {
    places: Box<[u16]>,
    parent: u32,
    /// By unit: for how long it has not been where it wants to be.
    waited: Box<[u16]>,
    /// The order in which units are constrained: those who wait longest first.
    order: Box<[u16]>,
    /// What is still to be tried: constraints, each a list of (unit, place), oldest first.
    constraints: Vec<Constraint>,
    tried: usize,
}

/// Some units and where they must go. Each continues another one.
#[derive(Clone, Copy)]
struct Constraint {
    /// The constraint it continues, of the same node; none for the empty one.
    of: u32,
    depth: u16,
    unit: u16,
    place: u16,
}

const NONE: u32 = u32::MAX;

/// A small map on which units are to be led out of each other's way.
pub(super) trait Room: Ground {
    /// The places a step away from one, and itself.
    fn around(&self, place: u16) -> Vec<u16>;
    /// The cell of a place.
    fn cell(&self, place: u16) -> Cell;
    /// The place of a cell.
    fn place(&self, cell: Cell) -> u16;
    /// Whether a unit wants nothing more than this place.
    fn is_content(&self, unit: u32, place: u16) -> bool;
    /// Whether the units that must be content are.
    fn is_solved(&self, places: &[u16]) -> bool;
}

/// Leads units from where the stepper has them, with at most so many decisions of single units, which
/// are counted off: where all of them are after each step. No steps if nothing better than the
/// beginning was found.
pub(super) fn solve(
    room: &impl Room,
    stepper: &mut Stepper,
    units: u32,
    work: &mut u64,
) -> Vec<Box<[u16]>> {
    let start: Box<[u16]> =
        (0..units).map(|unit| stepper.cell(unit).map_or(0, |cell| room.place(cell))).collect();
    let mut nodes = vec![node(room, start.clone(), NONE, None)];
    let mut known = BTreeMap::from([(start.clone(), 0_u32)]);
    let mut open = vec![0_u32];
    let sum = |places: &[u16]| -> u64 {
        let distance = |(unit, &place)| room.distance(unit as u32, room.cell(place)).min(1 << 20);
        places.iter().enumerate().map(distance).map(u64::from).sum()
    };
    let (mut best, mut least) = (0, sum(&start));
    let mut forced = Vec::new();
    while let Some(&top) = open.last() {
        if room.is_solved(&nodes[top as usize].places) {
            best = top;
            break;
        }
        if *work < u64::from(units) {
            break;
        }
        *work -= u64::from(units);
        let current = &mut nodes[top as usize];
        let Some(&constraint) = current.constraints.get(current.tried) else {
            open.pop();
            continue;
        };
        current.tried += 1;
        if u32::from(constraint.depth) < units {
            let unit = current.order[usize::from(constraint.depth)];
            let of = current.tried as u32 - 1;
            for place in room.around(current.places[usize::from(unit)]) {
                let depth = constraint.depth + 1;
                current.constraints.push(Constraint { of, depth, unit, place });
            }
        }
        forced.clear();
        let mut link = constraint;
        while link.of != NONE {
            forced.push((u32::from(link.unit), room.cell(link.place)));
            link = current.constraints[link.of as usize];
        }
        let order: Vec<u32> = current.order.iter().map(|&unit| unit.into()).collect();
        (0..units).for_each(|unit| stepper.remove(unit));
        for (unit, &place) in (0..units).zip(&current.places) {
            // All places of a node differ.
            let _ = stepper.place(unit, room.cell(place), 1);
        }
        if !stepper.step_with(room, &order, &forced, 1) {
            continue;
        }
        let places: Box<[u16]> =
            (0..units).map(|unit| stepper.cell(unit).map_or(0, |cell| room.place(cell))).collect();
        if let Some(&seen) = known.get(&places) {
            // Another look at it brings another successor.
            if open.last() != Some(&seen) {
                open.push(seen);
            }
            continue;
        }
        let number = nodes.len() as u32;
        let next = node(room, places.clone(), top, Some(&nodes[top as usize]));
        let total = sum(&places);
        if total < least {
            (best, least) = (number, total);
        }
        nodes.push(next);
        known.insert(places, number);
        open.push(number);
    }
    let mut steps = Vec::new();
    while nodes[best as usize].parent != NONE {
        steps.push(nodes[best as usize].places.clone());
        best = nodes[best as usize].parent;
    }
    steps.reverse();
    steps
}

fn node(room: &impl Room, places: Box<[u16]>, parent: u32, before: Option<&Node>) -> Node {
    let waited: Box<[u16]> = (0..places.len())
        .map(|unit| {
            let waited = before.map_or(0, |before| before.waited[unit]);
            if room.is_content(unit as u32, places[unit]) { 0 } else { waited.saturating_add(1) }
        })
        .collect();
    // Who has waited longest comes first, and of those the first unit.
    let keyed = |(waited, unit): (&u16, u32)| u32::from(!waited) << 16 | unit;
    let mut order: Vec<u32> = waited.iter().zip(0..).map(keyed).collect();
    order.sort_unstable();
    let order = order.into_iter().map(|keyed| keyed as u16).collect();
    let constraints = vec![Constraint { of: NONE, depth: 0, unit: 0, place: 0 }];
    Node { places, parent, waited, order, constraints, tried: 0 }
}
