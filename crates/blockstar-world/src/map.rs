//! The map that all classes share: kinds of cells, costs and doors. What a class can walk on
//! follows from it, see [`Layer`](crate::layer::Layer).

use crate::class::{Keys, Terrain};
use crate::pack::packed;
use crate::{Edit, Error, Kind};
use blockstar::{Cell, Grid, Rect};

/// A closed door that a class can open costs this factor: opening takes time.
const OPENING: u32 = 4;

/// The most doors.
const MOST_DOORS: usize = 65_535;

/// A door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    pub rect: Rect,
    pub key: u8,
    pub open: bool,
}

packed!(Door { rect, key, open });

impl Door {
    fn covers(&self, Cell { x, y }: Cell) -> bool {
        let Rect { x: left, y: top, width, height } = self.rect;
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    }
}

/// Kinds, costs and doors.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub width: u32,
    pub height: u32,
    /// By cell, row by row.
    kinds: Vec<u8>,
    /// In 1/256; empty where all are 256.
    costs: Vec<u16>,
    doors: Vec<Door>,
    /// The number of the door on a cell, plus 1; empty without doors.
    door_at: Vec<u16>,
}

packed!(Map { width, height, kinds, costs, doors, door_at });

impl Map {
    /// Free cells become ground, blocked ones walls; costs stay.
    pub fn new(grid: &Grid) -> Self {
        let cells = || Rect::new(0, 0, grid.width(), grid.height()).cells();
        let kind = |cell: Cell| if grid.is_free(cell) { Kind::GROUND.0 } else { Kind::WALL.0 };
        let cost = |cell: Cell| (grid.cost(cell).max(1.0 / 256.0) * 256.0) as u16;
        Self {
            width: grid.width(),
            height: grid.height(),
            kinds: cells().map(kind).collect(),
            costs: if grid.has_costs() { cells().map(cost).collect() } else { Vec::new() },
            doors: Vec::new(),
            door_at: Vec::new(),
        }
    }

    /// Refuses what was read and cannot be.
    pub fn check(&self) -> Option<()> {
        let side = 1..=Grid::MAX_SIDE;
        let cells = self.width as usize * self.height as usize;
        let fits = |length: usize| length == 0 || length == cells;
        let good = side.contains(&self.width)
            && side.contains(&self.height)
            && self.kinds.len() == cells
            && self.kinds.iter().all(|&kind| kind < Kind::COUNT)
            && fits(self.costs.len())
            && self.costs.iter().all(|&cost| cost > 0)
            && fits(self.door_at.len())
            && self.door_at.iter().all(|&door| usize::from(door) <= self.doors.len())
            && self.doors.iter().all(|door| self.check_rect("door", door.rect).is_ok());
        good.then_some(())
    }

    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    #[inline]
    pub fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The kind of a cell on the map.
    pub fn kind(&self, cell: Cell) -> Kind {
        if self.contains(cell) { Kind(self.kinds[self.index(cell)]) } else { Kind::WALL }
    }

    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// What a cell costs a class, in 1/256; 0 if it cannot enter.
    #[inline]
    pub fn factor(&self, terrain: Terrain, keys: Keys, cell: Cell) -> u16 {
        let index = self.index(cell);
        let mut factor = u32::from(terrain.factor(Kind(self.kinds[index])));
        if factor > 0 && !self.costs.is_empty() {
            factor = (factor * u32::from(self.costs[index]) / 256).max(1);
        }
        if !self.door_at.is_empty() && self.door_at[index] > 0 {
            let door = &self.doors[usize::from(self.door_at[index]) - 1];
            if !door.open {
                factor *= if keys.opens(door.key) { OPENING } else { 0 };
            }
        }
        factor.min(u16::MAX.into()) as u16
    }

    /// Refuses an edit that goes beyond the map or names no door.
    pub fn check_edit(&self, edit: &Edit) -> Result<(), Error> {
        match edit {
            Edit::Rect(rect, kind) => {
                check_kind(*kind)?;
                self.check_rect("a rectangle", *rect)
            }
            Edit::Stamp(cells, kind) => {
                check_kind(*kind)?;
                cells.iter().try_for_each(|&cell| self.check_cell("a cell", cell))
            }
            Edit::Cost(rect, factor) => {
                if *factor == 0 {
                    let range = "1 to 65535 (in 1/256)";
                    return Err(Error::Range { what: "a cost", value: 0.0, range });
                }
                self.check_rect("a rectangle", *rect)
            }
            Edit::AddDoor(rect, key) => {
                if *key > 31 {
                    let value = f64::from(*key);
                    return Err(Error::Range { what: "a key", value, range: "0 to 31" });
                }
                if self.doors.len() >= MOST_DOORS {
                    let value = MOST_DOORS as f64 + 1.0;
                    return Err(Error::Range { what: "the doors", value, range: "at most 65535" });
                }
                self.check_rect("a door", *rect)
            }
            Edit::Door(door, _) => {
                let known = self.doors.get(usize::from(*door)).is_some();
                if known { Ok(()) } else { Err(Error::Door(*door)) }
            }
            Edit::RemoveDoor if self.doors.is_empty() => Err(Error::Door(0)),
            Edit::RemoveDoor => Ok(()),
        }
    }

    /// Makes an edit that was checked, and tells where something may have changed.
    pub fn apply(&mut self, edit: &Edit) -> Vec<Rect> {
        match edit {
            Edit::Rect(rect, kind) => {
                for cell in rect.cells() {
                    let index = self.index(cell);
                    self.kinds[index] = kind.0;
                }
                vec![*rect]
            }
            Edit::Stamp(cells, kind) => {
                let mut rects: Vec<Rect> = Vec::new();
                for &cell in cells {
                    let index = self.index(cell);
                    self.kinds[index] = kind.0;
                    match rects.last_mut() {
                        Some(last) if last.y == cell.y && last.x + last.width == cell.x => {
                            last.width += 1;
                        }
                        _ => rects.push(Rect::cell(cell)),
                    }
                }
                rects
            }
            Edit::Cost(rect, factor) => {
                if self.costs.is_empty() {
                    self.costs = vec![Terrain::PLAIN; self.kinds.len()];
                }
                for cell in rect.cells() {
                    let index = self.index(cell);
                    self.costs[index] = *factor;
                }
                vec![*rect]
            }
            Edit::AddDoor(rect, key) => {
                self.put_door(Door { rect: *rect, key: *key, open: true });
                vec![*rect]
            }
            Edit::Door(door, open) => {
                let door = &mut self.doors[usize::from(*door)];
                let changes = std::mem::replace(&mut door.open, *open) != *open;
                if changes { vec![door.rect] } else { Vec::new() }
            }
            Edit::RemoveDoor => {
                let Some(Door { rect, .. }) = self.doors.pop() else { return Vec::new() };
                for cell in rect.cells() {
                    // Doors that were made later lie above earlier ones.
                    let index = self.index(cell);
                    let below = self.doors.iter().rposition(|door| door.covers(cell));
                    self.door_at[index] = below.map_or(0, |door| door as u16 + 1);
                }
                vec![rect]
            }
        }
    }

    /// Puts a door above those that are there.
    fn put_door(&mut self, door: Door) {
        if self.door_at.is_empty() {
            self.door_at = vec![0; self.kinds.len()];
        }
        let rect = door.rect;
        self.doors.push(door);
        let number = self.doors.len() as u16;
        for cell in rect.cells() {
            let index = self.index(cell);
            self.door_at[index] = number;
        }
    }

    pub fn check_cell(&self, what: &'static str, cell: Cell) -> Result<(), Error> {
        if self.contains(cell) {
            return Ok(());
        }
        Err(Error::Outside { what, cell, width: self.width, height: self.height })
    }

    pub fn check_rect(&self, what: &'static str, rect: Rect) -> Result<(), Error> {
        if rect.width == 0 || rect.height == 0 {
            return Err(Error::Empty("a rectangle"));
        }
        let far = |first: u32, count: u32| first.saturating_add(count - 1);
        self.check_cell(what, Cell::new(rect.x, rect.y))?;
        self.check_cell(what, Cell::new(far(rect.x, rect.width), far(rect.y, rect.height)))
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.kinds.len() + 2 * (self.costs.len() + self.door_at.len())
    }
}

fn check_kind(kind: Kind) -> Result<(), Error> {
    if kind.0 < Kind::COUNT {
        return Ok(());
    }
    Err(Error::Range { what: "a kind of cell", value: kind.0.into(), range: "0 to 15" })
}

/// What an edit has overwritten: kinds by cell. Only edits of kinds, doors that close and doors that are
/// taken off closed ones can put a wall on somebody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    kinds: Vec<(usize, u8)>,
    closed: Option<u16>,
    removed: Option<Door>,
}

impl Map {
    /// What is needed to take an edit back that was checked.
    pub fn before(&self, edit: &Edit) -> Before {
        let kinds = |cells: &mut dyn Iterator<Item = Cell>| {
            cells.map(|cell| (self.index(cell), self.kinds[self.index(cell)])).collect()
        };
        match edit {
            Edit::Rect(rect, _) => Before { kinds: kinds(&mut rect.cells()), ..Before::default() },
            Edit::Stamp(cells, _) => {
                Before { kinds: kinds(&mut cells.iter().copied()), ..Before::default() }
            }
            Edit::Door(door, false) => Before { closed: Some(*door), ..Before::default() },
            Edit::RemoveDoor => Before { removed: self.doors.last().cloned(), ..Before::default() },
            _ => Before::default(),
        }
    }

    /// Takes an edit back.
    pub fn restore(&mut self, before: Before) {
        // A cell that a stamp names twice had its old kind the first time.
        for (index, kind) in before.kinds.into_iter().rev() {
            self.kinds[index] = kind;
        }
        if let Some(door) = before.closed {
            self.doors[usize::from(door)].open = true;
        }
        if let Some(door) = before.removed {
            self.put_door(door);
        }
    }
}
