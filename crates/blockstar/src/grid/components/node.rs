//! What others see of a sector, or of a group of them: the regions that touch its border, and where
//! these are linked with each other.

use std::ops::{BitAnd, BitOr, BitOrAssign};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// The regions that touch an open side, by number.
    pub borders: Vec<Border>,
    /// Links between these and those of the nodes to the east and south, sorted.
    pub links: Vec<Link>,
}

/// A region from which other nodes can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    /// The region of the group above that it is part of.
    pub up: u32,
    pub sides: Sides,
}

/// Some of the four sides of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides(u8);

impl Sides {
    pub const NONE: Self = Self(0);
    pub const NORTH: Self = Self(1);
    pub const EAST: Self = Self(2);
    pub const SOUTH: Self = Self(4);
    pub const WEST: Self = Self(8);

    /// These sides, or none.
    #[inline]
    pub fn only_if(self, condition: bool) -> Self {
        Self(self.0 * u8::from(condition))
    }
}

impl BitOr for Sides {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Sides {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Sides {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Two regions of different nodes that touch. It is kept by the upper left one of the four nodes
/// around their common corner or the north or west end of their common side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub pair: Pair,
    pub from: u16,
    pub to: u16,
}

/// Which two nodes, seen from the one that keeps the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// The node and the one to its east,
    East,
    /// south,
    South,
    /// or south-east.
    SouthEast,
    /// The one to its east and the one to its south.
    Across,
}

/// How far a node lies to the east and to the south of another one.
pub(super) type Offset = (usize, usize);

impl Pair {
    /// Where the two nodes are.
    #[inline]
    pub fn ends(self) -> [Offset; 2] {
        match self {
            Self::East => [(0, 0), (1, 0)],
            Self::South => [(0, 0), (0, 1)],
            Self::SouthEast => [(0, 0), (1, 1)],
            Self::Across => [(1, 0), (0, 1)],
        }
    }
}

impl Link {
    /// A link between nodes at two places, in either order; none if it is the same place.
    pub fn between(one: (Offset, u16), other: (Offset, u16)) -> Option<Self> {
        let pairs = [Pair::East, Pair::South, Pair::SouthEast, Pair::Across];
        pairs.into_iter().find_map(|pair| {
            let [first, second] = pair.ends();
            if (one.0, other.0) == (first, second) {
                Some(Self { pair, from: one.1, to: other.1 })
            } else if (one.0, other.0) == (second, first) {
                Some(Self { pair, from: other.1, to: one.1 })
            } else {
                None
            }
        })
    }
}
