//! A small random number generator with the same sequence on every machine, for generated maps,
//! tests and measurements. It is not part of the library's interface, and not for secrets.
//!
//! It is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
//! 2014): one word of state, integers only, and every seed is as good as any other.

/// The generator.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A generator for each of `count` rounds of a test.
    pub fn rounds(seed: u64, count: usize) -> impl Iterator<Item = Self> {
        let mut seeds = Self::new(seed);
        (0..count).map(move |_| Self::new(seeds.next_u64()))
    }

    /// The next number: 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, all equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // Lemire's method: the high word of a product is the number. The few products whose low
        // words would favour some numbers are drawn again.
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u64) < unfair {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// True with a probability of `hits` in `of`.
    pub fn chance(&mut self, hits: u64, of: u64) -> bool {
        self.below(of) < hits
    }

    /// Puts the items in a random order, all orders equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// A map of at most so many cells across and down, fewer than `blocked` percent of them walls.
    #[cfg(test)]
    pub(crate) fn map(&mut self, most: (u64, u64), blocked: u64) -> crate::Grid {
        let (width, height) = (1 + self.below(most.0) as u32, 1 + self.below(most.1) as u32);
        let blocked = self.below(blocked);
        crate::Grid::from_fn(width, height, |_| !self.chance(blocked, 100)).unwrap()
    }

    /// A damaged copy of a file, for testing readers: some bytes are changed, removed, inserted or
    /// repeated, and sometimes the end is missing.
    pub fn damage(&mut self, file: &[u8]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() as u64 + 1) as usize;
            let end = (at + 1 + self.below(8) as usize).min(bytes.len());
            // Half of the new bytes come from the file itself, since those are likely to mean
            // something.
            let byte = match self.below(2) {
                0 => file.get(self.below(file.len() as u64) as usize).copied().unwrap_or(0),
                _ => self.next_u64() as u8,
            };
            match self.below(8) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 => drop(bytes.drain(at..end)),
                3 => bytes.extend_from_within(at..end),
                _ if at < bytes.len() => bytes[at] = byte,
                _ => bytes.push(byte),
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn numbers_stay_below_and_are_evenly_spread() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        assert!(random.below(u64::MAX) < u64::MAX);
        assert!(random.chance(1, 1) && !random.chance(0, 1));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(2).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
        Random::new(2).shuffle::<u32>(&mut []);
    }
}
