//! The boundary points of a square block of cells, and how they meet those of the next blocks.
//!
//! Two lattices are cut into blocks. Under the cell rules the points are cells; each belongs to one
//! block, and steps lead from the outermost cells of one block to those of the next. Under the
//! any-angle rules the points are corners of cells; those on the line between two blocks belong to
//! both (where four blocks meet, to all four), and no step is needed to be in the next block.

use crate::rules::moves::Direction;

/// The smallest and the largest side of a block, in cells.
pub(crate) const MIN_SIDE: u32 = 2;
pub(crate) const MAX_SIDE: u32 = 16;

/// The most slots a block can have.
pub(crate) const MAX_SLOTS: usize = 4 * MAX_SIDE as usize;

/// Where a slot continues in one of the eight neighbouring blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The block, clockwise from north.
    pub block: u8,
    /// The slot there.
    pub slot: u8,
    /// For cells: the direction of the step.
    pub step: u8,
}

/// The inner slots of one side of a block of corners (all but the two ends), which are consecutive
/// both here and in the block beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The block beyond, clockwise from north.
    pub block: u8,
    /// The first of the slots here, and in the block beyond.
    pub here: u8,
    pub there: u8,
}

/// The slots of a block.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    side: u32,
    cells: bool,
    slots: usize,
    lanes: usize,
    /// Where each slot is in the block.
    at: Vec<(u8, u8)>,
    /// The slot at each place in the block, row by row, or [`NO_SLOT`].
    slot_at: Vec<u8>,
    /// For cells: the slots of each side.
    edges: Vec<u8>,
    links: Vec<Link>,
    /// The first link of each slot, and the end.
    first: Vec<u16>,
}

const NO_SLOT: u8 = u8::MAX;

impl Layout {
    /// The layout of blocks of `side` x `side` cells: of the cells, or else of their corners.
    pub fn new(side: u32, cells: bool) -> Self {
        debug_assert!((MIN_SIDE..=MAX_SIDE).contains(&side));
        let last = if cells { side - 1 } else { side } as u8;
        // Four runs of equal length, each by ascending coordinates: the top without its right end,
        // the right without its lower end, the bottom without its left end and the left without its
        // upper end.
        let top = (0..last).map(|i| (i, 0));
        let right = (0..last).map(|i| (last, i));
        let bottom = (1..=last).map(|i| (i, last));
        let left = (1..=last).map(|i| (0, i));
        let at: Vec<(u8, u8)> = top.chain(right).chain(bottom).chain(left).collect();
        let points = u32::from(last) + 1;
        let mut slot_at = vec![NO_SLOT; (points * points) as usize];
        for (slot, &(x, y)) in at.iter().enumerate() {
            slot_at[(u32::from(y) * points + u32::from(x)) as usize] = slot as u8;
        }
        let slots = at.len();
        let mut layout = Self {
            side,
            cells,
            slots,
            lanes: slots.next_multiple_of(8),
            at,
            slot_at,
            edges: Vec::new(),
            links: Vec::new(),
            first: vec![0],
        };
        for slot in 0..slots {
            layout.link(slot);
            layout.first.push(layout.links.len() as u16);
        }
        if cells {
            let end = side - 1;
            let places = (0..side).map(|i| (i, 0)).chain((0..side).map(|i| (end, i)));
            let places = places.chain((0..side).map(|i| (i, end))).chain((0..side).map(|i| (0, i)));
            layout.edges = places.filter_map(|(x, y)| layout.slot(x, y)).collect();
        }
        layout
    }

    fn link(&mut self, slot: usize) {
        let (x, y) = self.at[slot];
        let (x, y, side) = (i32::from(x), i32::from(y), self.side as i32);
        for d in 0..8 {
            let (dx, dy) = (Direction::DX[d], Direction::DY[d]);
            let (block, place) = if self.cells {
                // The step in direction d, if it leaves the block.
                let (x, y) = (x + dx, y + dy);
                let out = |v: i32| i32::from(v >= side) - i32::from(v < 0);
                let Some(block) = Direction::of(out(x), out(y)) else { continue };
                (block.0, (x.rem_euclid(side), y.rem_euclid(side)))
            } else {
                // The block in direction d, if this corner is one of its corners too.
                let (x, y) = (x - dx * side, y - dy * side);
                if !(0..=side).contains(&x) || !(0..=side).contains(&y) {
                    continue;
                }
                (d as u8, (x, y))
            };
            let Some(slot) = self.slot(place.0 as u32, place.1 as u32) else { continue };
            self.links.push(Link { block, slot, step: d as u8 });
        }
    }

    /// The cells along each side of a block.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// The points along each side of a block.
    #[inline]
    pub fn points(&self) -> u32 {
        if self.cells { self.side } else { self.side + 1 }
    }

    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The slots rounded up to whole vectors: the length of a row of distances.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Where a slot is in its block.
    #[inline]
    pub fn at(&self, slot: usize) -> (u32, u32) {
        let (x, y) = self.at[slot];
        (x.into(), y.into())
    }

    /// The slot at a place in the block, if that is on its boundary.
    #[inline]
    pub fn slot(&self, x: u32, y: u32) -> Option<u8> {
        let slot = self.slot_at[(y * self.points() + x) as usize];
        (slot != NO_SLOT).then_some(slot)
    }

    /// The four sides of a block of corners without their ends: each has one slot fewer than the
    /// block has cells along it.
    pub fn sides(&self) -> [Side; 4] {
        let run = self.side as u8;
        let (top, right, bottom, left) = (1, run + 1, 2 * run, 3 * run);
        [
            Side { block: 0, here: top, there: bottom },
            Side { block: 2, here: right, there: left },
            Side { block: 4, here: bottom, there: top },
            Side { block: 6, here: left, there: right },
        ]
    }

    /// The slots of a side of a block of cells by ascending coordinates; sides are north, east,
    /// south, west.
    pub fn edge(&self, side: usize) -> &[u8] {
        let count = self.side as usize;
        &self.edges[side * count..][..count]
    }

    /// The slots at the four corners of the block.
    pub fn ends(&self) -> [usize; 4] {
        let run = self.slots / 4;
        [0, run, 3 * run - 1, 4 * run - 1]
    }

    /// Where a slot continues.
    #[inline]
    pub fn links(&self, slot: usize) -> &[Link] {
        &self.links[self.first[slot].into()..self.first[slot + 1].into()]
    }

    pub fn bytes(&self) -> usize {
        self.at.len() * 2
            + self.slot_at.len()
            + self.edges.len()
            + self.links.len() * size_of::<Link>()
            + self.first.len() * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_as_many_slots_as_its_boundary_has_points() {
        for side in MIN_SIDE..=MAX_SIDE {
            assert_eq!(Layout::new(side, true).slots(), 4 * (side as usize - 1));
            assert_eq!(Layout::new(side, false).slots(), 4 * side as usize);
        }
    }

    #[test]
    fn links_lead_to_the_same_corner_or_to_the_next_cell() {
        for side in MIN_SIDE..=MAX_SIDE {
            for cells in [false, true] {
                let layout = Layout::new(side, cells);
                for slot in 0..layout.slots() {
                    let (x, y) = layout.at(slot);
                    assert_eq!(layout.slot(x, y), Some(slot as u8));
                    for link in layout.links(slot) {
                        let (tx, ty) = layout.at(link.slot.into());
                        let (b, s) = (usize::from(link.block), usize::from(link.step));
                        let dx = tx as i32 + Direction::DX[b] * side as i32 - x as i32;
                        let dy = ty as i32 + Direction::DY[b] * side as i32 - y as i32;
                        let want =
                            if cells { (Direction::DX[s], Direction::DY[s]) } else { (0, 0) };
                        assert_eq!((dx, dy), want);
                    }
                    let at_end = layout.ends().contains(&slot);
                    let at_corner = (x == 0 || x + 1 == layout.points())
                        && (y == 0 || y + 1 == layout.points());
                    let want = if at_corner {
                        if cells { 5 } else { 3 }
                    } else if cells {
                        3
                    } else {
                        1
                    };
                    assert_eq!(layout.links(slot).len(), want);
                    assert_eq!(at_end, at_corner);
                    if let ([link], false) = (layout.links(slot), cells) {
                        let sides = layout.sides();
                        let side = sides.iter().find(|side| side.block == link.block).unwrap();
                        let index = slot as u8 - side.here;
                        assert!(u32::from(index) < layout.side() - 1);
                        assert_eq!(link.slot, side.there + index);
                    }
                }
            }
        }
    }
}
