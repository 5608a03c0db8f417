//! What units are told to do.

use crate::pack::{packed, packed_enum};
use crate::{GroupId, UnitId};
use blockstar::{Cell, Rect};

/// Where to go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// This cell, or if others stand there, next to them.
    Cell(Cell),
    /// No farther than so many cells from this one, along the way.
    Near(Cell, u16),
    /// Whichever of these is nearest.
    Any(Vec<Cell>),
    /// Next to a building.
    Beside(Rect),
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

impl From<(u32, u32)> for Goal {
    fn from(cell: (u32, u32)) -> Self {
        Self::Cell(cell.into())
    }
}

/// How a group stands at its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formation {
    /// As many ranks as files.
    Square,
    /// Two ranks.
    Line,
    /// Two files.
    Column,
}

/// How fast a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pace {
    /// Each at its own speed.
    #[default]
    Own,
    /// All at the speed of the slowest.
    Slowest,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Nothing, from here on; yields to others.
    Stop,
    /// Nothing, and yields to nobody.
    Hold,
    /// Nothing for so many ticks.
    Wait(u32),
    /// Go somewhere.
    Move {
        /// Where.
        to: Goal,
        /// In which order to stand there, for more than one unit.
        formation: Option<Formation>,
        /// How fast.
        pace: Pace,
    },
    /// Keep at a distance of `min` to `max` cells from another unit.
    Follow {
        /// Whom.
        whom: UnitId,
        /// Nearer than this it stops.
        min: u16,
        /// Farther than this it goes on.
        max: u16,
    },
    /// Go from stop to stop.
    Patrol {
        /// Where to go, in this order.
        stops: Vec<Goal>,
        /// From the last to the first, instead of back the way it came.
        cycle: bool,
    },
    /// Get at least `range` cells away from another unit.
    Flee {
        /// From whom.
        from: UnitId,
        /// How far.
        range: u16,
    },
}

impl Order {
    /// Go somewhere, each for itself.
    pub fn go(to: impl Into<Goal>) -> Self {
        Self::Move { to: to.into(), formation: None, pace: Pace::Own }
    }
}

/// Who is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// One unit.
    Unit(UnitId),
    /// Several.
    Units(Vec<UnitId>),
    /// All units of a group.
    Group(GroupId),
}

impl From<UnitId> for Who {
    fn from(unit: UnitId) -> Self {
        Self::Unit(unit)
    }
}

impl From<&[UnitId]> for Who {
    fn from(units: &[UnitId]) -> Self {
        Self::Units(units.to_vec())
    }
}

impl From<Vec<UnitId>> for Who {
    fn from(units: Vec<UnitId>) -> Self {
        Self::Units(units)
    }
}

impl From<GroupId> for Who {
    fn from(group: GroupId) -> Self {
        Self::Group(group)
    }
}

/// A unit that is to be made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spawn {
    /// Its upper left cell.
    pub cell: Cell,
    /// Its class.
    pub class: u16,
    /// Whose it is.
    pub team: u8,
    /// Whatever the game wants to know of it.
    pub tag: u64,
}

impl Spawn {
    /// A unit of a class at a cell.
    pub fn new(cell: impl Into<Cell>, class: u16) -> Self {
        Self { cell: cell.into(), class, team: 0, tag: 0 }
    }

    /// The same of another team.
    #[must_use]
    pub fn team(self, team: u8) -> Self {
        Self { team, ..self }
    }

    /// The same with a tag.
    #[must_use]
    pub fn tag(self, tag: u64) -> Self {
        Self { tag, ..self }
    }
}

packed_enum!(Goal { 0 Cell(cell), 1 Near(cell, range), 2 Any(cells), 3 Beside(rect) });
packed_enum!(Formation { 0 Square, 1 Line, 2 Column });
packed_enum!(Pace { 0 Own, 1 Slowest });
packed_enum!(Order {
    0 Stop, 1 Hold, 2 Wait(ticks), 3 Move { to, formation, pace },
    4 Follow { whom, min, max }, 5 Patrol { stops, cycle }, 6 Flee { from, range }
});
packed_enum!(Who { 0 Unit(unit), 1 Units(units), 2 Group(group) });
packed!(Spawn { cell, class, team, tag });
