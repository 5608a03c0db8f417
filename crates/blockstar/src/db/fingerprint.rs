//! A hash of 64 bits that is the same on every machine and in every version: for checksums and to
//! recognise a map.
//!
//! Each word is mixed in by steps that can be undone (exclusive or, multiplication by an odd number,
//! shift and exclusive or), so two inputs that differ in one word always differ in their hash. It
//! protects from accidents, not from forgers.

use crate::Grid;

/// A hash under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint {
    state: u64,
}

impl Fingerprint {
    pub const fn new() -> Self {
        Self { state: 0x243f_6a88_85a3_08d3 }
    }

    #[inline]
    pub const fn add(&mut self, word: u64) {
        self.state = (self.state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state ^= self.state >> 32;
    }

    /// Adds bytes and how many there are.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last));
    }

    pub const fn finish(mut self) -> u64 {
        self.add(0);
        self.state
    }
}

impl Grid {
    /// A hash of the content: size, passability and, where some free cell's terrain factor is not 1,
    /// the terrain factors of free cells. Heights are left out. It is the same on every machine and
    /// run, so prepared data can be recognised as made for this map.
    ///
    /// ```
    /// use blockstar::{Grid, Tile};
    /// let mut grid = Grid::new(20, 10)?;
    /// let before = grid.content_hash();
    /// grid.set((3, 4), Tile::Blocked)?;
    /// assert_ne!(grid.content_hash(), before);
    /// grid.set((3, 4), Tile::Free)?;
    /// assert_eq!(grid.content_hash(), before);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn content_hash(&self) -> u64 {
        let mut hash = Fingerprint::new();
        hash.add(u64::from(self.width()) << 32 | u64::from(self.height()));
        let bits = self.rows();
        for y in 0..self.height() {
            for x in (0..self.width()).step_by(64) {
                let count = (self.width() - x).min(64);
                hash.add(bits.from(bits.position(x, y)) & crate::bits::ones(count));
            }
        }
        if let Some(factors) = self.factors() {
            let factor = |x: u32, y: u32| {
                let position = bits.position(x, y);
                if bits.get(position) { u64::from(factors[position as usize]) } else { 0 }
            };
            let cells = || (0..self.height()).flat_map(|y| (0..self.width()).map(move |x| (x, y)));
            let one = u64::from(Self::FACTOR_ONE);
            if cells().map(|(x, y)| factor(x, y)).any(|factor| factor != 0 && factor != one) {
                cells().for_each(|(x, y)| hash.add(factor(x, y)));
            }
        }
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Tile};

    /// Prepared data is worthless once these numbers change: then raise the format's version.
    #[test]
    fn hashes_are_the_same_on_every_machine() {
        assert_eq!(Fingerprint::new().finish(), 0xf7e2_7bea_df41_96a5);
        let grid = Grid::from_fn(100, 3, |cell| (cell.x + cell.y) % 7 != 0).unwrap();
        assert_eq!(grid.content_hash(), 0x095d_f227_ed17_17ad);
    }

    #[test]
    fn every_cell_and_factor_counts() {
        let mut grid = Grid::new(70, 5).unwrap();
        let mut seen = std::collections::BTreeSet::from([grid.content_hash()]);
        for y in 0..5 {
            for x in 0..70 {
                grid.set((x, y), Tile::Blocked).unwrap();
                assert!(seen.insert(grid.content_hash()));
                grid.set((x, y), Tile::Free).unwrap();
                grid.set_cost((x, y), 2.0).unwrap();
                assert!(seen.insert(grid.content_hash()));
                grid.set_cost((x, y), 1.0).unwrap();
            }
        }
        // A layer of ones is no terrain, and nobody sees what is under a wall.
        assert!(!grid.has_costs() && seen.contains(&grid.content_hash()));
        grid.set((9, 2), Tile::Blocked).unwrap();
        let before = grid.content_hash();
        grid.set_cost((9, 2), 5.0).unwrap();
        grid.set((9, 2), Tile::Blocked).unwrap();
        assert_eq!(grid.content_hash(), before);
        // The same cells in another shape.
        let wide = Grid::from_fn(6, 2, |_| true).unwrap();
        assert_ne!(wide.content_hash(), Grid::from_fn(2, 6, |_| true).unwrap().content_hash());
        assert!(grid.is_free(Cell::new(0, 0)));
    }
}
