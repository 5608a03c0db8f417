//! Classes of units: how large and fast they are, and what the map is to them.

use crate::Error;
use crate::pack::{Pack, Reader, packed};

/// What a cell is made of: walls, ground, and whatever else a game has (water, rubble, rails).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

impl Kind {
    /// Nobody enters, unless its class says so.
    pub const WALL: Self = Self(0);
    /// Where everybody walks.
    pub const GROUND: Self = Self(1);
    /// A third kind, by custom: ships go here, others do not.
    pub const WATER: Self = Self(2);
    /// How many kinds there can be.
    pub const COUNT: u8 = 16;
}

impl Pack for Kind {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        u8::unpack(from).map(Self).filter(|kind| kind.0 < Self::COUNT)
    }
}

/// What each [`Kind`] of cell means to a class: a factor of time and cost in 1/256, 0 for a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terrain([u16; Kind::COUNT as usize]);

impl Terrain {
    /// Walks on [`Kind::GROUND`] only.
    pub const GROUND: Self = Self::only(Kind::GROUND);
    /// Swims in [`Kind::WATER`] only.
    pub const WATER: Self = Self::only(Kind::WATER);
    /// The factor of plain ground.
    pub const PLAIN: u16 = 256;

    /// Goes on one kind of cell, at its full speed.
    pub const fn only(kind: Kind) -> Self {
        Self([0; Kind::COUNT as usize]).with(kind, Self::PLAIN)
    }

    /// The same, where a kind costs this factor in 1/256: 256 is plain, 512 takes twice the time, 0
    /// cannot be entered.
    #[must_use]
    pub const fn with(mut self, kind: Kind, factor: u16) -> Self {
        self.0[(kind.0 % Kind::COUNT) as usize] = factor;
        self
    }

    /// The factor of a kind, 0 if it cannot be entered.
    pub const fn factor(self, kind: Kind) -> u16 {
        self.0[(kind.0 % Kind::COUNT) as usize]
    }

    /// Whether everything that can be entered is plain.
    pub(crate) fn is_plain(self) -> bool {
        self.0.iter().all(|&factor| factor == 0 || factor == Self::PLAIN)
    }
}

impl Pack for Terrain {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|factor| factor.pack(out));
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let mut terrain = Self([0; Kind::COUNT as usize]);
        for factor in &mut terrain.0 {
            *factor = u16::unpack(from)?;
        }
        Some(terrain)
    }
}

/// Which doors a class can open: one bit for each of 32 keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Keys(pub u32);

impl Keys {
    /// No key: a closed door is a wall.
    pub const NONE: Self = Self(0);

    /// Whether it opens doors with this key.
    pub const fn opens(self, key: u8) -> bool {
        key < 32 && self.0 >> key & 1 != 0
    }
}

impl Pack for Keys {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        u32::unpack(from).map(Self)
    }
}

/// A speed in 1/65536 cells per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Speed(u32);

impl Speed {
    /// The fastest: 1000 cells per second.
    pub const MOST: Self = Self(1000 << 16);

    /// So many cells per second, more than 0 and at most 1000.
    pub fn cells_per_second(cells: f64) -> Result<Self, Error> {
        let value = (cells * 65536.0).round();
        if value >= 1.0 && value <= f64::from(Self::MOST.0) {
            return Ok(Self(value as u32));
        }
        let range = "more than 0 and at most 1000 cells per second";
        Err(Error::Range { what: "a speed", value: cells, range })
    }

    /// The speed in cells per second.
    pub fn in_cells(self) -> f64 {
        f64::from(self.0) / 65536.0
    }

    /// The speed in 1/65536 cells per second.
    pub const fn units(self) -> u32 {
        self.0
    }
}

impl Pack for Speed {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        u32::unpack(from).map(Self).filter(|speed| (1..=Self::MOST.0).contains(&speed.0))
    }
}

/// The number of a class in [`Settings::classes`](crate::Settings::classes).
pub type ClassId = u16;

/// What all units of a kind have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// For people.
    pub name: String,
    /// The side of its square, in cells: 1 to 16.
    pub size: u8,
    /// What the map is to it.
    pub terrain: Terrain,
    /// Which doors it opens.
    pub keys: Keys,
    /// How fast it is on plain ground.
    pub speed: Speed,
    /// The radius of its disc where units move in the plane, in 1/256 cells: 0.2 cells to
    /// 0.45 times its side (one that fills a corridor exactly would never find its way in); 0 is 0.4
    /// times its side.
    pub radius: u16,
    /// The planner of whole paths, as on the command line; empty for the one that suits: `jps` on
    /// plain ground with diagonals, `block-astar` elsewhere, `anya` where paths run at any angle.
    pub planner: String,
}

impl Class {
    /// Units of one cell on the ground, at 4 cells per second.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            size: 1,
            terrain: Terrain::GROUND,
            keys: Keys::NONE,
            speed: Speed(4 << 16),
            radius: 0,
            planner: String::new(),
        }
    }

    /// The same of another size.
    #[must_use]
    pub fn size(self, size: u8) -> Self {
        Self { size, ..self }
    }

    /// The same on other terrain.
    #[must_use]
    pub fn terrain(self, terrain: Terrain) -> Self {
        Self { terrain, ..self }
    }

    /// The same with keys.
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        Self { keys, ..self }
    }

    /// The same at another speed.
    #[must_use]
    pub fn speed(self, speed: Speed) -> Self {
        Self { speed, ..self }
    }

    /// The same with another radius in the plane, in cells.
    #[must_use]
    pub fn radius(self, cells: f64) -> Self {
        Self { radius: (cells * 256.0).max(1.0) as u16, ..self }
    }

    /// The radius in 1/65536 cells.
    pub(crate) fn radius_units(&self) -> i32 {
        match self.radius {
            0 => i32::from(self.size) * 65536 * 2 / 5,
            radius => i32::from(radius) * 256,
        }
    }

    /// Refuses a size or a radius that units cannot have.
    pub fn check(&self) -> Result<(), Error> {
        if !(1..=16).contains(&self.size) {
            let value = f64::from(self.size);
            return Err(Error::Range {
                what: "the size of a class",
                value,
                range: "1 to 16 cells",
            });
        }
        if self.radius == 0 || (51..=u16::from(self.size) * 115).contains(&self.radius) {
            return Ok(());
        }
        let value = f64::from(self.radius) / 256.0;
        let range = "0.2 cells to 0.45 times the side of the class";
        Err(Error::Range { what: "the radius of a class", value, range })
    }

    /// The same with another planner.
    #[must_use]
    pub fn planner(self, planner: impl Into<String>) -> Self {
        Self { planner: planner.into(), ..self }
    }
}

packed!(Class { name, size, terrain, keys, speed, radius, planner });
