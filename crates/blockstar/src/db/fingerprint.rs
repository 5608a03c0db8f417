//! A 64-bit hash that is the same on every machine and in every version, for checksums and for
//! recognising maps.
//!
//! Each word is mixed in by reversible steps (exclusive or, multiplication by an odd number, shift
//! and exclusive or), so two inputs that differ in one word always have different hashes. It
//! protects against accidents, not against forgery.

use crate::{Grid, Rect};

/// A hash in progress.
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

    /// Adds bytes, and their number.
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

/// The contribution of a word to a sum that depends on positions: two different words in the same
/// place never contribute the same.
const fn share(place: u64, word: u64) -> u64 {
    let mut hash = Fingerprint::new();
    hash.add(place);
    hash.add(word);
    hash.finish()
}

impl Grid {
    /// A hash of the content: size, passability, and the terrain factors of free cells, but not
    /// heights. It is the same on every machine and in every run, so it shows whether prepared data
    /// was made for this map, and machines that simulate the same world can compare theirs.
    ///
    /// It is a sum over words of cells that edits keep up to date, so asking for it costs nothing.
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
        share(u64::from(self.width()) << 32 | u64::from(self.height()), self.content())
    }

    /// The contribution of a rectangle to the sum: the words with cells in it, and the terrain
    /// factors of its free cells that are not 1.
    pub(crate) fn content_of(&self, rect: Rect) -> u64 {
        let bits = self.rows();
        let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
        let mut sum = 0_u64;
        for y in rect.y..bottom {
            for x in (rect.x & !63..right).step_by(64) {
                let count = (self.width() - x).min(64);
                let word = bits.from(bits.position(x, y)) & crate::grid::bits::ones(count);
                sum = sum.wrapping_add(share(u64::from(y) << 32 | u64::from(x), word));
            }
        }
        let Some(factors) = self.factors() else { return sum };
        for y in rect.y..bottom {
            for x in rect.x..right {
                let position = bits.position(x, y);
                let factor = factors[position as usize];
                if factor != Self::FACTOR_ONE && bits.get(position) {
                    let place = 1 << 63 | u64::from(y) << 32 | u64::from(x);
                    sum = sum.wrapping_add(share(place, factor.into()));
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Cell, Tile};

    /// If these numbers change, all saved data becomes unusable: raise the version of the format.
    #[test]
    fn hashes_are_the_same_on_every_machine() {
        assert_eq!(Fingerprint::new().finish(), 0xf7e2_7bea_df41_96a5);
        let grid = Grid::from_fn(100, 3, |cell| (cell.x + cell.y) % 7 != 0).unwrap();
        assert_eq!(grid.content_hash(), 0x0752_bc48_ab70_1597);
    }

    #[test]
    fn the_hash_of_an_edited_map_is_that_of_a_new_one() {
        for mut random in Random::rounds(5, 40) {
            let (width, height) = (1 + random.below(200) as u32, 1 + random.below(20) as u32);
            let mut grid = Grid::new(width, height).unwrap();
            for round in 0..60 {
                let (x, y) =
                    (random.below(width.into()) as u32, random.below(height.into()) as u32);
                let tile = if random.below(2) == 0 { Tile::Free } else { Tile::Blocked };
                match random.below(4) {
                    0 => grid.set((x, y), tile).unwrap(),
                    1 if round > 20 => grid.set_cost((x, y), random.below(4) as f64).unwrap(),
                    _ => {
                        let rect = Rect::new(x, y, width - x, 1 + (height - y) / 2);
                        grid.set_rect(rect, tile).unwrap();
                    }
                }
                let mut anew = Grid::from_fn(width, height, |cell| grid.is_free(cell)).unwrap();
                if grid.has_costs() {
                    let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
                    anew.set_costs(&cells.map(|cell| grid.cost(cell)).collect::<Vec<_>>()).unwrap();
                }
                assert_eq!(grid.content_hash(), anew.content_hash());
                assert_eq!(grid.clone().content_hash(), anew.content_hash());
            }
        }
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
        // A layer of ones counts as no terrain, and factors under walls do not count.
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
