//! What can go wrong: misuse and bad input, each with a sentence that names the value and the remedy.

use crate::{GroupId, UnitId};
use blockstar::Cell;
use std::fmt;

/// Every error of this crate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The unit is gone, or belongs to another world.
    Gone(UnitId),
    /// The group is gone, or belongs to another world.
    GroupGone(GroupId),
    /// There is no class of that number.
    Class {
        /// The number.
        class: u16,
        /// How many classes there are.
        classes: usize,
    },
    /// A cell or rectangle lies outside the map.
    Outside {
        /// What was to be there.
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// The width of the map.
        width: u32,
        /// The height of the map.
        height: u32,
    },
    /// A unit cannot stand there: a wall is in the way.
    Wall {
        /// The upper left cell.
        cell: Cell,
        /// The side of the unit.
        size: u8,
    },
    /// A unit cannot stand there: another does.
    Taken {
        /// The upper left cell.
        cell: Cell,
        /// Who stands there.
        by: UnitId,
    },
    /// There is no such door.
    Door(u16),
    /// A number is not in its range.
    Range {
        /// The name of the quantity.
        what: &'static str,
        /// The value given.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// Something is empty that must not be.
    Empty(&'static str),
    /// The settings do not go together.
    Settings(String),
    /// A saved world or a recording cannot be used.
    File(String),
    /// The library refused something.
    Planner(blockstar::Error),
}

impl std::error::Error for Error {}

impl From<blockstar::Error> for Error {
    fn from(error: blockstar::Error) -> Self {
        Self::Planner(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(unit) => write!(f, "{unit} is not there (any more): forget its name"),
            Self::GroupGone(group) => write!(f, "{group} is not there (any more): make a new one"),
            Self::Class { class, classes } => {
                write!(f, "there is no class {class}: the settings have {classes}, numbered from 0")
            }
            Self::Outside { what, cell, width, height } => {
                write!(f, "{what} {cell} lies outside the map of {width} x {height} cells")
            }
            Self::Wall { cell, size } => write!(
                f,
                "a unit of {size} x {size} cells cannot stand at {cell}: a wall is in the way"
            ),
            Self::Taken { cell, by } => write!(f, "{by} stands at {cell} already"),
            Self::Door(door) => write!(f, "there is no door {door}: `Edit::AddDoor` makes one"),
            Self::Range { what, value, range } => {
                write!(f, "{what} is {value}, but must be {range}")
            }
            Self::Empty(what) => write!(f, "{what} is empty: give at least one"),
            Self::Settings(problem) => write!(f, "these settings cannot be used: {problem}"),
            Self::File(problem) => write!(f, "this saved world cannot be used: {problem}"),
            Self::Planner(error) => error.fmt(f),
        }
    }
}
