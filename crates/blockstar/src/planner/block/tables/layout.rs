//! The boundary points of a block of cells, and how they meet those of the next blocks.
//!
//! Two lattices are cut into blocks. Under the cell rules the points are cells; each belongs to one
//! block, and steps lead from the outermost cells of one block to those of the next. Under the
//! any-angle rules the points are corners of cells; those on the line between two blocks belong to
//! both (where four blocks meet, to all four), and no step is needed to be in the next block.

use crate::rules::moves::Direction;

/// The smallest and the largest side of a block, in cells.
pub(crate) const MIN_SIDE: u32 = 2;
pub(crate) const MAX_SIDE: u32 = 16;

/// How many cells a block has across and down. A number alone is a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockSize {
    pub width: u32,
    pub height: u32,
}

impl BlockSize {
    /// How many cells there are.
    #[inline]
    pub const fn cells(self) -> usize {
        (self.width * self.height) as usize
    }

    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// The longer of the two sides.
    pub fn longest(self) -> u32 {
        self.width.max(self.height)
    }

    /// The number of a cell, row by row.
    #[inline]
    pub const fn index(self, x: u32, y: u32) -> usize {
        (y * self.width + x) as usize
    }
}

impl From<u32> for BlockSize {
    fn from(side: u32) -> Self {
        Self { width: side, height: side }
    }
}

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
    /// How many there are.
    pub count: u8,
}

/// The slots of a block.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    size: BlockSize,
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
    /// The layout of blocks of a size: of the cells, or else of their corners.
    pub fn new(size: impl Into<BlockSize>, cells: bool) -> Self {
        let size = size.into();
        let BlockSize { width, height } = size;
        debug_assert!([width, height].iter().all(|side| (MIN_SIDE..=MAX_SIDE).contains(side)));
        let points = if cells { size } else { BlockSize { width: width + 1, height: height + 1 } };
        let (right, bottom) = (points.width as u8 - 1, points.height as u8 - 1);
        // Four runs, each by ascending coordinates: the top without its right end, the right
        // without its lower end, the bottom without its left end and the left without its upper
        // end.
        let above = (0..right).map(|i| (i, 0));
        let after = (0..bottom).map(|i| (right, i));
        let below = (1..=right).map(|i| (i, bottom));
        let before = (1..=bottom).map(|i| (0, i));
        let at: Vec<(u8, u8)> = above.chain(after).chain(below).chain(before).collect();
        let mut slot_at = vec![NO_SLOT; points.cells()];
        for (slot, &(x, y)) in at.iter().enumerate() {
            slot_at[points.index(x.into(), y.into())] = slot as u8;
        }
        let slots = at.len();
        let mut layout = Self {
            size,
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
            let (right, bottom) = (width - 1, height - 1);
            let places = (0..width).map(|i| (i, 0)).chain((0..height).map(|i| (right, i)));
            let places = places.chain((0..width).map(|i| (i, bottom)));
            let places = places.chain((0..height).map(|i| (0, i)));
            layout.edges = places.filter_map(|(x, y)| layout.slot(x, y)).collect();
        }
        layout
    }

    fn link(&mut self, slot: usize) {
        let (x, y) = self.at[slot];
        let (x, y) = (i32::from(x), i32::from(y));
        let (width, height) = (self.size.width as i32, self.size.height as i32);
        for d in 0..8 {
            let (dx, dy) = (Direction::DX[d], Direction::DY[d]);
            let (block, place) = if self.cells {
                // The step in direction d, if it leaves the block.
                let (x, y) = (x + dx, y + dy);
                let out = |v: i32, side: i32| i32::from(v >= side) - i32::from(v < 0);
                let Some(block) = Direction::of(out(x, width), out(y, height)) else { continue };
                (block.0, (x.rem_euclid(width), y.rem_euclid(height)))
            } else {
                // The block in direction d, if this corner is one of its corners too.
                let (x, y) = (x - dx * width, y - dy * height);
                if !(0..=width).contains(&x) || !(0..=height).contains(&y) {
                    continue;
                }
                (d as u8, (x, y))
            };
            let Some(slot) = self.slot(place.0 as u32, place.1 as u32) else { continue };
            self.links.push(Link { block, slot, step: d as u8 });
        }
    }

    /// The cells of a block, across and down.
    #[inline]
    pub fn size(&self) -> BlockSize {
        self.size
    }

    /// The points of a block across and down.
    #[inline]
    pub fn points(&self) -> BlockSize {
        let more = u32::from(!self.cells);
        BlockSize { width: self.size.width + more, height: self.size.height + more }
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
        let slot = self.slot_at[self.points().index(x, y)];
        (slot != NO_SLOT).then_some(slot)
    }

    /// The four sides of a block of corners without their ends: each has one slot fewer than the
    /// block has cells along it.
    pub fn sides(&self) -> [Side; 4] {
        let (width, height) = (self.size.width as u8, self.size.height as u8);
        let (top, right, bottom, left) = (1, width + 1, width + height, 2 * width + height);
        let (across, down) = (width - 1, height - 1);
        [
            Side { block: 0, here: top, there: bottom, count: across },
            Side { block: 2, here: right, there: left, count: down },
            Side { block: 4, here: bottom, there: top, count: across },
            Side { block: 6, here: left, there: right, count: down },
        ]
    }

    /// The slots of a side of a block of cells by ascending coordinates; sides are north, east,
    /// south, west.
    pub fn edge(&self, side: usize) -> &[u8] {
        let (width, height) = (self.size.width as usize, self.size.height as usize);
        let first = side / 2 * (width + height) + side % 2 * width;
        &self.edges[first..][..if side.is_multiple_of(2) { width } else { height }]
    }

    /// The slots at the four corners of the block.
    pub fn ends(&self) -> [usize; 4] {
        let across = self.points().width as usize - 1;
        [0, across, self.slots / 2 + across - 1, self.slots - 1]
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

    fn sizes() -> impl Iterator<Item = BlockSize> {
        let sides = MIN_SIDE..=MAX_SIDE;
        sides
            .clone()
            .flat_map(move |width| sides.clone().map(move |height| BlockSize { width, height }))
    }

    #[test]
    fn a_block_has_as_many_slots_as_its_boundary_has_points() {
        for size in sizes() {
            let around = 2 * (size.width + size.height) as usize;
            assert_eq!(Layout::new(size, true).slots(), around - 4);
            assert_eq!(Layout::new(size, false).slots(), around);
        }
    }

    #[test]
    fn links_lead_to_the_same_corner_or_to_the_next_cell() {
        for size in sizes() {
            for cells in [false, true] {
                let layout = Layout::new(size, cells);
                for slot in 0..layout.slots() {
                    let (x, y) = layout.at(slot);
                    assert_eq!(layout.slot(x, y), Some(slot as u8));
                    for link in layout.links(slot) {
                        let (tx, ty) = layout.at(link.slot.into());
                        let (b, s) = (usize::from(link.block), usize::from(link.step));
                        let dx = tx as i32 + Direction::DX[b] * size.width as i32 - x as i32;
                        let dy = ty as i32 + Direction::DY[b] * size.height as i32 - y as i32;
                        let want =
                            if cells { (Direction::DX[s], Direction::DY[s]) } else { (0, 0) };
                        assert_eq!((dx, dy), want);
                    }
                    let at_end = layout.ends().contains(&slot);
                    let BlockSize { width, height } = layout.points();
                    let at_corner = (x == 0 || x + 1 == width) && (y == 0 || y + 1 == height);
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
                        assert!(index < side.count);
                        assert_eq!(link.slot, side.there + index);
                    }
                }
            }
        }
    }
}
