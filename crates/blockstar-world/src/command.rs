//! Everything that changes a world, as plain data: what recordings and networks carry.

use crate::pack::{packed, packed_enum};
use crate::{GroupId, Kind, Order, OrderId, Spawn, UnitId, Who};
use blockstar::{Cell, Rect, Tile};

/// A change of the map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// A rectangle becomes this kind.
    Rect(Rect, Kind),
    /// Some cells become this kind.
    Stamp(Vec<Cell>, Kind),
    /// A rectangle gets a cost, in 1/256, for all classes.
    Cost(Rect, u16),
    /// A door, open, over a rectangle; those with the key pass it when it is closed, too.
    AddDoor(Rect, u8),
    /// A door opens or closes. Doors are numbered from 0.
    Door(u16, bool),
    /// The door that was made last is gone, and what it covered is as before.
    RemoveDoor,
}

impl Edit {
    /// Frees or blocks a rectangle.
    pub fn rect(rect: Rect, tile: Tile) -> Self {
        Self::Rect(rect, if tile == Tile::Free { Kind::GROUND } else { Kind::WALL })
    }

    /// Opens or closes a door.
    pub const fn door(door: u16, open: bool) -> Self {
        Self::Door(door, open)
    }

    /// Frees or blocks some cells.
    pub fn stamp(cells: impl IntoIterator<Item = impl Into<Cell>>, tile: Tile) -> Self {
        let kind = if tile == Tile::Free { Kind::GROUND } else { Kind::WALL };
        Self::Stamp(cells.into_iter().map(Into::into).collect(), kind)
    }
}

/// What an edit did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// Whether it was refused because units stand there; nothing has changed then.
    pub refused: bool,
    /// Who stood there.
    pub under: Vec<UnitId>,
    /// How many units have to go another way, as their way is cut. They are told with the next
    /// tick's events.
    pub cut: u32,
    /// How many units' ways were looked at to find these.
    pub looked_at: u32,
}

/// A change of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// [`World::spawn`](crate::World::spawn)
    Spawn(Spawn),
    /// [`World::despawn`](crate::World::despawn)
    Despawn(UnitId),
    /// [`World::order`](crate::World::order), or if `queued`, [`World::queue`](crate::World::queue)
    Order {
        /// Who.
        who: Who,
        /// What.
        order: Order,
        /// After what they are doing, instead of at once.
        queued: bool,
    },
    /// [`World::group`](crate::World::group)
    Group(Vec<UnitId>),
    /// [`World::disband`](crate::World::disband)
    Disband(GroupId),
    /// [`World::edit`](crate::World::edit)
    Edit(Edit),
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A unit was made.
    Spawned(UnitId),
    /// An order was given.
    Ordered(OrderId),
    /// A group was made.
    Grouped(GroupId),
    /// The map was edited, or not.
    Edited(EditReport),
    /// Something is gone.
    Gone,
}

packed_enum!(Edit { 0 Rect(rect, kind), 1 Stamp(cells, kind), 2 Cost(rect, factor), 3 AddDoor(rect, key), 4 Door(door, open), 5 RemoveDoor });
packed_enum!(Command {
    0 Spawn(unit), 1 Despawn(unit), 2 Order { who, order, queued }, 3 Group(units), 4 Disband(group), 5 Edit(edit)
});
packed!(crate::recording::Given { tick, command });
