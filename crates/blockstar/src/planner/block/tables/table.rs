//! The distances inside one block.

/// Distances to each slot of a block, from each slot and from each place inside where ways turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table<D> {
    lanes: usize,
    /// Row by row, first those of the slots, then those of the turns. Rows are padded with the
    /// distance to what cannot be reached.
    rows: Vec<D>,
    /// Where ways turn inside the block: x and y, with [`UPPER`] or [`LOWER`] added to x for one
    /// side of a double corner.
    turns: Vec<(u8, u8)>,
    /// For each entry of `rows`, the row of the next place on the way; empty where ways are found
    /// again when needed.
    next: Vec<u16>,
}

/// Marks a turn as the upper or the lower side of a double corner.
pub(crate) const UPPER: u8 = 0x40;
pub(crate) const LOWER: u8 = 0x80;

/// A place inside a block where ways turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub x: u32,
    pub y: u32,
    /// For one side of a double corner: whether it is the lower one.
    pub lower: Option<bool>,
}

impl<D> Default for Table<D> {
    fn default() -> Self {
        Self { lanes: 0, rows: Vec::new(), turns: Vec::new(), next: Vec::new() }
    }
}

impl<D: Copy> Table<D> {
    /// Makes room for the rows of `slots` slots and the given turns, all set to `far`.
    pub fn begin(&mut self, slots: usize, lanes: usize, turns: &[(u8, u8)], far: D, ways: bool) {
        self.lanes = lanes;
        self.turns.clear();
        self.turns.extend_from_slice(turns);
        let entries = (slots + turns.len()) * lanes;
        self.rows.clear();
        self.rows.resize(entries, far);
        self.next.clear();
        if ways {
            self.next.resize(entries, 0);
        }
    }

    /// The distances from the slot or, after the slots, the turn `row` to each slot.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[D] {
        &self.rows[row * self.lanes..][..self.lanes]
    }

    #[inline]
    pub fn set(&mut self, row: usize, slot: usize, distance: D) {
        self.rows[row * self.lanes + slot] = distance;
    }

    /// The row of the next place on the way from the place of `row` to a slot.
    #[inline]
    pub fn next(&self, row: usize, slot: usize) -> usize {
        self.next[row * self.lanes + slot].into()
    }

    #[inline]
    pub fn set_next(&mut self, row: usize, slot: usize, next: usize) {
        self.next[row * self.lanes + slot] = next as u16;
    }

    /// Sets the distances from `row` to the slots from `slot` on, and the next places on the ways.
    #[inline(always)]
    pub fn set_lanes<const LANES: usize>(
        &mut self,
        row: usize,
        slot: usize,
        distances: &[D; LANES],
        next: &[u16; LANES],
    ) {
        let first = row * self.lanes + slot;
        self.rows[first..first + LANES].copy_from_slice(distances);
        self.next[first..first + LANES].copy_from_slice(next);
    }

    /// How many places to turn there are; their rows come after those of the slots.
    pub fn turns(&self) -> usize {
        self.turns.len()
    }

    pub fn turn(&self, index: usize) -> Turn {
        let (x, y) = self.turns[index];
        let lower = (x & (UPPER | LOWER) != 0).then_some(x & LOWER != 0);
        Turn { x: u32::from(x & !(UPPER | LOWER)), y: y.into(), lower }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<D>() + self.turns.capacity() * 2 + self.next.capacity() * 2
    }

    /// The bytes of a table of these sizes once it is [shrunk](Self::shrink).
    pub fn bytes_with(slots: usize, lanes: usize, turns: usize, ways: bool) -> usize {
        let entry = size_of::<D>() + if ways { 2 } else { 0 };
        (slots + turns) * lanes * entry + turns * 2
    }

    /// Gives back what was reserved but not used.
    pub fn shrink(&mut self) {
        self.rows.shrink_to_fit();
        self.turns.shrink_to_fit();
        self.next.shrink_to_fit();
    }
}
