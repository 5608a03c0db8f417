//! What a tick tells.

use crate::pack::packed_enum;
use crate::{GroupId, OrderId, UnitId};
use blockstar::Cell;

/// Why a unit goes another way than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The whole path is known, where before there was a quick one.
    Full,
    /// An edit has cut the path; a way around is being looked for.
    Cut,
    /// The way around is found, and joins the rest of the old path.
    Spliced,
    /// A wall opened, and there is a shorter way.
    Shorter,
    /// Others stand in the way.
    Around,
}

/// How a unit arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// On the goal itself.
    Exact,
    /// Within the distance that was asked for.
    Near,
    /// Next to others that were there before.
    Crowded,
    /// As near as possible: the goal is out of reach.
    Nearest,
}

/// What a unit that is held up tries, in this order. The stepper does everything up to and including
/// [`Rung::Ask`] in each tick; [`Patience`](crate::Patience) says when the others follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// Waits for the cell ahead.
    Wait,
    /// Asks whoever stands there to go on or to step aside; steps aside itself.
    Ask,
    /// Looks for a short way around those who stand still.
    Splice,
    /// Looks for a longer one.
    Around,
    /// Looks for a way out for all units of the jam, of one cell each, and waits until they have
    /// walked it.
    Jam,
    /// Tries nothing for a while, but still yields to others.
    BackOff,
}

/// What leads a unit on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leg {
    /// The quick path.
    Quick,
    /// The whole path.
    Full,
    /// The distance field that its group shares.
    Field,
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing.
    Idle,
    /// Nothing, and nobody moves it.
    Holding,
    /// It waits: for a path, for a time, or for the one that it follows to move.
    Waiting,
    /// It is held before a choke, while others come through.
    Held,
    /// It is on its way.
    Moving(Leg),
    /// It steps aside for another, or back to its place.
    Yielding,
    /// It has been held up since a tick, and has come to this rung of the ladder.
    Stuck {
        /// The tick in which it came nearer for the last time.
        since: u64,
        /// What it tries.
        rung: Rung,
    },
    /// It has arrived.
    Arrived,
    /// It has come as near as possible to a goal that is out of reach, and goes on once it is not.
    Stranded,
}

/// What happened. Those of units come in the order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A unit made its first step for an order.
    Started(UnitId, OrderId),
    /// A unit goes another way than before.
    PathChanged(UnitId, Why),
    /// A unit has come to a stop of its patrol.
    Waypoint(UnitId, OrderId),
    /// A unit has done what it was ordered to.
    Arrived(UnitId, OrderId, How),
    /// A unit is held up.
    Blocked(UnitId, Rung),
    /// A unit is made to wait before a choke, while others come through.
    Held(UnitId),
    /// A unit is not held up any more.
    Freed(UnitId),
    /// A unit's goal is out of reach; it goes to the nearest cell instead.
    Unreachable(UnitId, Cell),
    /// A unit has given up an order.
    GaveUp(UnitId, OrderId),
    /// The unit that another follows or flees from is gone.
    TargetLost(UnitId, OrderId),
    /// A wall was built on a unit, and it was put elsewhere.
    Displaced(UnitId, Cell),
    /// A wall was built on a unit, and it is gone.
    Crushed(UnitId),
    /// All units of a group have arrived.
    GroupArrived(GroupId),
    /// So many units of a group cannot get to its goal.
    GroupSplit(GroupId, u32),
    /// So many searches wait, the oldest for so many ticks.
    Overloaded {
        /// How many.
        queued: u32,
        /// For how long.
        oldest: u32,
    },
}

impl Event {
    /// The unit that it is about, if it is about one.
    pub const fn unit(&self) -> Option<UnitId> {
        match *self {
            Self::Started(unit, _)
            | Self::PathChanged(unit, _)
            | Self::Waypoint(unit, _)
            | Self::Arrived(unit, ..)
            | Self::Blocked(unit, _)
            | Self::Held(unit)
            | Self::Freed(unit)
            | Self::Unreachable(unit, _)
            | Self::GaveUp(unit, _)
            | Self::TargetLost(unit, _)
            | Self::Displaced(unit, _)
            | Self::Crushed(unit) => Some(unit),
            Self::GroupArrived(_) | Self::GroupSplit(..) | Self::Overloaded { .. } => None,
        }
    }
}

packed_enum!(Why { 0 Full, 1 Cut, 2 Spliced, 3 Shorter, 4 Around });
packed_enum!(How { 0 Exact, 1 Near, 2 Crowded, 3 Nearest });
packed_enum!(Rung { 0 Wait, 1 Ask, 2 Splice, 3 Around, 4 Jam, 5 BackOff });
packed_enum!(Leg { 0 Quick, 1 Full, 2 Field });
packed_enum!(State { 0 Idle, 1 Holding, 2 Waiting, 3 Moving(leg), 4 Yielding, 5 Stuck { since, rung }, 6 Arrived, 7 Stranded, 8 Held });
packed_enum!(Event {
    0 Started(unit, order), 1 PathChanged(unit, why), 2 Waypoint(unit, order), 3 Arrived(unit, order, how),
    4 Blocked(unit, rung), 5 Freed(unit), 6 Unreachable(unit, cell), 7 GaveUp(unit, order), 8 TargetLost(unit, order),
    9 Displaced(unit, cell), 10 Crushed(unit), 11 GroupArrived(group), 12 GroupSplit(group, count), 13 Overloaded { queued, oldest },
    14 Held(unit)
});
