//! The eight symmetries of the square, applied to the patterns of a small block.
//!
//! A rotated or mirrored block has the distances of the original, only between other slots. So one
//! table is enough for all patterns that are images of each other, their *orbit*.

/// One of the eight ways to lay a square onto itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

impl Symmetry {
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Where it takes a point of a square whose largest coordinate is `last`.
    #[inline]
    pub fn apply(self, (x, y): (u32, u32), last: u32) -> (u32, u32) {
        let (x, y) = if self.0 & 1 != 0 { (y, x) } else { (x, y) };
        let x = if self.0 & 2 != 0 { last - x } else { x };
        let y = if self.0 & 4 != 0 { last - y } else { y };
        (x, y)
    }

    /// The one that undoes it.
    pub fn inverse(self) -> Self {
        // Only quarter turns do not undo themselves.
        match self.0 {
            3 => Self(5),
            5 => Self(3),
            _ => self,
        }
    }

    /// The image of a pattern: cells are the bits of a number, row by row.
    fn image(self, pattern: u32, side: u32) -> u32 {
        let mut image = 0;
        for y in 0..side {
            for x in 0..side {
                let (to_x, to_y) = self.apply((x, y), side - 1);
                image |= (pattern >> (y * side + x) & 1) << (to_y * side + to_x);
            }
        }
        image
    }
}

/// The orbits of all patterns of a block of at most 4 x 4 cells, each with its least pattern as
/// representative.
#[derive(Debug)]
pub(super) struct Orbits {
    /// For each pattern, the number of its orbit and the symmetry that takes it to the
    /// representative.
    of: Vec<(u16, Symmetry)>,
    representatives: Vec<u16>,
}

/// The largest block whose patterns can all be listed.
pub(super) const LARGEST: u32 = 4;

impl Orbits {
    pub fn new(side: u32) -> Self {
        debug_assert!(side <= LARGEST);
        const UNKNOWN: u16 = u16::MAX;
        let mut of = vec![(UNKNOWN, Symmetry(0)); 1 << (side * side)];
        let mut representatives = Vec::new();
        for pattern in 0..of.len() as u32 {
            if of[pattern as usize].0 != UNKNOWN {
                continue;
            }
            for symmetry in Symmetry::ALL {
                let image = &mut of[symmetry.image(pattern, side) as usize];
                if image.0 == UNKNOWN {
                    *image = (representatives.len() as u16, symmetry.inverse());
                }
            }
            representatives.push(pattern as u16);
        }
        Self { of, representatives }
    }

    /// How many patterns there are.
    pub fn patterns(&self) -> usize {
        self.of.len()
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<(u16, Symmetry)>() + self.representatives.capacity() * 2
    }

    /// The least pattern of each orbit, in order.
    pub fn representatives(&self) -> &[u16] {
        &self.representatives
    }

    /// The orbit of a pattern, and the symmetry that takes it to the representative.
    #[inline]
    pub fn find(&self, pattern: u32) -> Option<(usize, Symmetry)> {
        self.of.get(pattern as usize).map(|&(orbit, symmetry)| (orbit.into(), symmetry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_undone_by_its_inverse() {
        for symmetry in Symmetry::ALL {
            let there = symmetry.apply((0, 1), 3);
            assert_eq!(symmetry.inverse().apply(there, 3), (0, 1));
            assert_eq!(Symmetry::ALL.iter().filter(|s| s.apply((0, 1), 3) == there).count(), 1);
        }
    }

    /// The numbers are those of OEIS A054247.
    #[test]
    fn orbits_are_as_many_as_are_known() {
        for (side, count) in [(2, 6), (3, 102), (4, 8548)] {
            let orbits = Orbits::new(side);
            assert_eq!(
                (orbits.patterns(), orbits.representatives().len()),
                (1 << (side * side), count)
            );
            for pattern in 0..orbits.patterns() as u32 {
                let (orbit, symmetry) = orbits.find(pattern).unwrap();
                let representative = u32::from(orbits.representatives()[orbit]);
                assert_eq!(symmetry.image(pattern, side), representative);
                assert!(representative <= pattern);
            }
        }
    }
}
