//! One bit per cell, packed so that a cell's *bit position is its node id*.
//!
//! Rows are separated by one to eight blocked columns which are both the right edge of one row and
//! the left edge of the next; a blocked row lies above and one below. So no neighbour of a cell
//! needs a bounds check, ids are almost dense (search tables waste a few entries per row), `id ± 1`
//! and `id ± stride` are the neighbours, and any 64 cells in a row are one unaligned load
//! ([`Bits::from`]); the hot loops make do with the 57 cells that a machine word loaded at a byte
//! boundary always holds ([`Bits::after`], [`Bits::rows_before`]).
//!
//! Position of (x, y): `64 + (y + 1) * stride + x`, where the stride is the width + 1 rounded up to
//! a multiple of 8: cells in one column then have the same position within their bytes, and three
//! rows are loaded with one shift (5 % of all instructions of jump point search). The 64 bits in
//! front and behind let a load start anywhere on the map, padding included. Bit p is bit p % 8 of
//! byte p / 8, on every machine.

use std::ops::Range;

/// A packed map of bits. A set bit is a free cell.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    height: u32,
    stride: u32,
    /// ceil(2^44 / stride): turns the division of [`Bits::coordinates`] into a multiplication.
    reciprocal: u64,
}

/// Bits in front of the padding row, so that [`Bits::rows_before`] may look back from anywhere.
const FRONT: u32 = 64;

impl Bits {
    /// An all-blocked map.
    pub fn blocked(width: u32, height: u32) -> Self {
        let stride = (width + 1).next_multiple_of(8);
        let bits = FRONT as usize + (height as usize + 2) * stride as usize + 1;
        // Nine bytes at the end: `from` reads that far.
        let bytes = vec![0; bits.div_ceil(8) + 9];
        Self { bytes, height, stride, reciprocal: (1 << 44) / u64::from(stride) + 1 }
    }

    /// Distance between a cell's position and that of the cell below it.
    #[inline]
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// One more than the largest position, padding included: the size of a table indexed by it.
    #[inline]
    pub fn positions(&self) -> usize {
        FRONT as usize + (self.height as usize + 2) * self.stride as usize + 1
    }

    /// The position of a cell; `x` may be `width` and `y` may be `height` (the padding).
    #[inline]
    pub fn position(&self, x: u32, y: u32) -> u32 {
        FRONT + (y + 1) * self.stride + x
    }

    /// The cell at a position of the map proper.
    #[inline]
    pub fn coordinates(&self, position: u32) -> (u32, u32) {
        // Exact because (position - FRONT) * stride < 2^28.1 * 2^14.1 < 2^44.
        let offset = position - FRONT;
        let row = ((u64::from(offset) * self.reciprocal) >> 44) as u32;
        (offset - row * self.stride, row.wrapping_sub(1))
    }

    /// Whether the bit at a position is set.
    #[inline]
    pub fn get(&self, position: u32) -> bool {
        self.bytes[(position >> 3) as usize] >> (position & 7) & 1 != 0
    }

    /// Sets or clears the bit at a position.
    #[inline]
    pub fn put(&mut self, position: u32, free: bool) {
        self.put_byte(position >> 3, 1 << (position & 7), free);
    }

    #[inline]
    fn put_byte(&mut self, at: u32, mask: u8, free: bool) {
        let byte = &mut self.bytes[at as usize];
        if free {
            *byte |= mask;
        } else {
            *byte &= !mask;
        }
    }

    /// The 64 bits from a byte on.
    #[inline]
    pub fn load(&self, at: u32) -> u64 {
        // `get` rather than an index: one comparison instead of two. No caller reads beyond the
        // end.
        let bytes = self.bytes.get(at as usize..at as usize + 8);
        bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
    }

    /// The 64 bits that start at `position`: bit i of the result is the cell i to the right.
    #[inline]
    pub fn from(&self, position: u32) -> u64 {
        let (at, shift) = (position >> 3, position & 7);
        let ninth = u64::from(self.bytes[at as usize + 8]);
        // The double shift keeps a shift of 64, which would be undefined, from occurring.
        self.load(at) >> shift | ninth << 1 << (63 - shift)
    }

    /// The 57 bits that start at `position`; the upper seven bits mean nothing.
    #[inline]
    pub fn after(&self, position: u32) -> u64 {
        self.load(position >> 3) >> (position & 7)
    }

    /// The 57 bits that end at `position`: bit 63 - i of the result is the cell i to the left; the
    /// lower seven bits mean nothing.
    #[inline]
    pub fn before(&self, position: u32) -> u64 {
        self.load((position >> 3) - 7) << (7 - (position & 7))
    }

    /// [`Bits::after`] for the row above, the row of `position` and the row below.
    #[inline]
    pub fn rows_after(&self, position: u32) -> [u64; 3] {
        let (at, row, shift) = (position >> 3, self.stride >> 3, position & 7);
        [self.load(at - row) >> shift, self.load(at) >> shift, self.load(at + row) >> shift]
    }

    /// [`Bits::before`] for the row above, the row of `position` and the row below.
    #[inline]
    pub fn rows_before(&self, position: u32) -> [u64; 3] {
        let (at, row, shift) = ((position >> 3) - 7, self.stride >> 3, 7 - (position & 7));
        [self.load(at - row) << shift, self.load(at) << shift, self.load(at + row) << shift]
    }

    /// The 3x3 cells around a position as nine bits, row by row: NW is bit 0, the cell itself
    /// bit 4, SE bit 8.
    #[inline]
    pub fn around(&self, position: u32) -> usize {
        let [above, middle, below] = self.rows_after(position - 1);
        ((above & 7) | (middle & 7) << 3 | (below & 7) << 6) as usize
    }

    /// How many of the `count` cells from (`x`, `y`) to the right are free.
    pub fn count(&self, x: u32, y: u32, count: u32) -> u32 {
        let mut position = self.position(x, y);
        let end = position + count;
        let mut free = 0;
        while position < end {
            let take = (end - position).min(64);
            free += (self.from(position) & ones(take)).count_ones();
            position += take;
        }
        free
    }

    /// Sets `count` cells from (`x`, `y`) to the right.
    pub fn fill(&mut self, x: u32, y: u32, count: u32, free: bool) {
        let mut position = self.position(x, y);
        let end = position + count;
        while position < end {
            let take = (8 - (position & 7)).min(end - position);
            let mask = (ones(take) as u8) << (position & 7);
            self.put_byte(position >> 3, mask, free);
            position += take;
        }
    }

    /// Makes this a copy of part of another map, which must fit: the cell (`left`, `top`) there is
    /// (0, 0) here, `left` being a multiple of 8. Of each row from there on the columns in its span
    /// are taken, and nothing else.
    pub fn copy_part(
        &mut self,
        map: &Self,
        (left, top): (u32, u32),
        spans: impl Iterator<Item = Range<u32>>,
    ) {
        debug_assert_eq!(left % 8, 0);
        self.bytes.fill(0);
        let (mut here, mut there) = (self.position(0, 0) >> 3, map.position(left, top) >> 3);
        for span in spans {
            let (first, end) = (span.start.max(left) - left, span.end.max(left) - left);
            for x in (first & !63..end).step_by(64) {
                let taken = ones((end - x).min(64)) & u64::MAX << first.saturating_sub(x);
                // Whatever the word holds of the next row is not there yet.
                if let Some(bytes) = self.bytes.get_mut((here + x / 8) as usize..)
                    && let Some(bytes) = bytes.first_chunk_mut()
                {
                    *bytes = (map.load(there + x / 8) & taken).to_le_bytes();
                }
            }
            (here, there) = (here + (self.stride >> 3), there + (map.stride >> 3));
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// A word whose `count` (1 to 64) lowest bits are set.
#[inline]
pub(crate) fn ones(count: u32) -> u64 {
    u64::MAX >> (64 - count)
}

/// The runs of set bits of a word, lowest first: the first and the last bit of each.
#[inline]
pub(crate) fn runs(mut word: u64) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || {
        let first = (word != 0).then(|| word.trailing_zeros())?;
        let last = first + (word >> first).trailing_ones() - 1;
        // Adding its lowest bit carries through the run and clears it.
        word &= word.wrapping_add(1 << first);
        Some((first, last))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_see_the_same_bits_as_get() {
        for width in [1, 2, 63, 64, 65, 200] {
            let height = 5;
            let mut bits = Bits::blocked(width, height);
            for y in 0..height {
                for x in 0..width {
                    bits.put(bits.position(x, y), (x * 7 + y * 13) % 5 < 3);
                }
            }
            for y in 0..height {
                for x in 0..width {
                    let p = bits.position(x, y);
                    assert_eq!(bits.coordinates(p), (x, y));
                    let (from, after, before) = (bits.from(p), bits.after(p), bits.before(p));
                    assert_eq!(bits.rows_after(p)[1], after);
                    assert_eq!(bits.rows_before(p)[1], before);
                    for i in 0..64 {
                        if p + i < bits.positions() as u32 {
                            assert_eq!(from >> i & 1 != 0, bits.get(p + i));
                        }
                        if i < 57 {
                            assert_eq!(before >> (63 - i) & 1 != 0, bits.get(p - i));
                            assert_eq!(after >> i & 1, from >> i & 1);
                        }
                    }
                }
                assert!(!bits.get(bits.position(width, y)), "the edge is blocked");
            }
        }
    }

    #[test]
    fn coordinates_are_exact_at_the_largest_size() {
        let bits = Bits::blocked(16384, 16384);
        for y in [0, 1, 777, 8191, 16382, 16383] {
            for x in [0, 1, 4095, 16382, 16383] {
                assert_eq!(bits.coordinates(bits.position(x, y)), (x, y));
            }
        }
    }

    #[test]
    fn runs_of_set_bits() {
        let of = |word| runs(word).collect::<Vec<_>>();
        assert_eq!(of(0), []);
        assert_eq!(of(u64::MAX), [(0, 63)]);
        assert_eq!(of(1 << 63 | 0b1101), [(0, 0), (2, 3), (63, 63)]);
    }

    #[test]
    fn fill_and_count_agree_with_single_bits() {
        let mut bits = Bits::blocked(150, 3);
        bits.fill(3, 1, 140, true);
        bits.fill(60, 1, 10, false);
        assert_eq!(bits.count(0, 1, 150), 130);
        assert_eq!(bits.count(0, 0, 150) + bits.count(0, 2, 150), 0);
        for x in 0..150 {
            let want = (3..143).contains(&x) && !(60..70).contains(&x);
            assert_eq!(bits.get(bits.position(x, 1)), want, "x = {x}");
        }
    }
}
