//! What the tests of worlds share: worlds from drawings, and a judge that trusts nobody.

use blockstar::{Cell, Grid};
use blockstar_world::{Event, Order, Settings, Spawn, Stepping, UnitId, World};
use std::collections::BTreeMap;

/// A world on a drawing.
pub fn world(drawing: &str, settings: Settings) -> World {
    World::new(&Grid::from_ascii(drawing).unwrap(), settings).unwrap()
}

/// A world on an empty map.
pub fn open_world(width: u32, height: u32, settings: Settings) -> World {
    World::new(&Grid::new(width, height).unwrap(), settings).unwrap()
}

/// Units of the first class on these cells.
pub fn put(world: &mut World, cells: impl IntoIterator<Item = (u32, u32)>) -> Vec<UnitId> {
    cells.into_iter().map(|cell| world.spawn(Spawn::new(cell, 0)).unwrap()).collect()
}

/// Watches a world from outside and says what is wrong with a tick.
#[derive(Default)]
pub struct Judge {
    cells: BTreeMap<UnitId, Cell>,
    pub arrived: BTreeMap<UnitId, u64>,
    pub events: Vec<(u64, Event)>,
    pub most_spent: u64,
}

impl Judge {
    /// One tick, and everything that must hold after it.
    pub fn tick(&mut self, world: &mut World) {
        let events = world.tick().to_vec();
        let now = world.now();
        for event in &events {
            if let Event::Arrived(unit, ..) = event {
                self.arrived.insert(*unit, now);
            }
        }
        let displaced: Vec<UnitId> = events
            .iter()
            .filter_map(|event| match event {
                Event::Displaced(unit, _) => Some(*unit),
                _ => None,
            })
            .collect();
        self.events.extend(events.into_iter().map(|event| (now, event)));
        self.look(world, &displaced);
        assert!(
            world.stats().is_within(world.settings().budget),
            "tick {now}: {:?}",
            world.stats().spent
        );
        self.most_spent = self.most_spent.max(world.stats().spent.total());
    }

    /// Nobody in a wall, no two on one cell, none through another.
    pub fn look(&mut self, world: &World, displaced: &[UnitId]) {
        if world.settings().stepping == Stepping::Plane {
            return look_at_discs(world);
        }
        let ghosts = world.settings().stepping == Stepping::Ghost;
        let mut taken = BTreeMap::new();
        let mut now = BTreeMap::new();
        for unit in world.units() {
            let cell = unit.cell();
            let grid = world.grid(unit.class()).unwrap();
            assert!(grid.is_free(cell), "tick {}: {} in a wall at {cell}", world.now(), unit.id());
            for y in 0..u32::from(unit.size()) {
                for x in 0..u32::from(unit.size()) {
                    let other = taken.insert((cell.x + x, cell.y + y), unit.id());
                    assert!(
                        ghosts || other.is_none(),
                        "tick {}: {} and {other:?} at {cell}",
                        world.now(),
                        unit.id()
                    );
                }
            }
            now.insert(unit.id(), cell);
        }
        if !ghosts && world.settings().ticks_per_second >= 10 {
            for (unit, &to) in &now {
                let Some(&from) = self.cells.get(unit) else { continue };
                if from == to || displaced.contains(unit) {
                    continue;
                }
                let other = taken.get(&(from.x, from.y)).filter(|other| *other != unit);
                let swapped = other.is_some_and(|other| self.cells.get(other) == Some(&to));
                let sizes = [world.unit(*unit).unwrap().size()];
                assert!(!swapped || sizes != [1], "{unit} and {other:?} swapped at {from}");
            }
        }
        self.cells = now;
    }

    /// Ticks until all units have arrived, or so many have passed.
    pub fn run(&mut self, world: &mut World, units: &[UnitId], most: u64) -> bool {
        for _ in 0..most {
            if units.iter().all(|unit| self.arrived.contains_key(unit)) {
                return true;
            }
            self.tick(world);
        }
        units.iter().all(|unit| self.arrived.contains_key(unit))
    }

    pub fn count(&self, what: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|(_, event)| what(event)).count()
    }
}

/// How far discs may overlap, in cells: what the rounding of positions to 1/1024 does.
const TOLERANCE: f64 = 0.004;

/// No disc over another or over a wall.
fn look_at_discs(world: &World) {
    let units: Vec<_> = world.units().collect();
    let middle = |at: [f32; 2]| (f64::from(at[0]), f64::from(at[1]));
    let now = world.now();
    for (number, unit) in units.iter().enumerate() {
        let (x, y) = middle(unit.position(1.0));
        let radius = f64::from(unit.radius()) - TOLERANCE;
        for other in &units[..number] {
            let (ox, oy) = middle(other.position(1.0));
            let apart = (x - ox).hypot(y - oy);
            let touch = radius + f64::from(other.radius());
            let (a, b) = (unit.id(), other.id());
            assert!(apart >= touch, "tick {now}: {a} and {b} are {apart} apart, not {touch}");
        }
        // Every cell that it touches belongs to a place where its square can be.
        let (grid, size) = (world.grid(unit.class()).unwrap(), u32::from(unit.size()));
        let fits = |cx: i64, cy: i64| {
            let covers = |x: i64, y: i64| x >= 0 && y >= 0 && grid.is_free((x as u32, y as u32));
            let side = i64::from(size);
            (0..side).any(|i| (0..side).any(|j| covers(cx - i, cy - j)))
        };
        for cy in (y - radius).floor() as i64..=(y + radius).floor() as i64 {
            for cx in (x - radius).floor() as i64..=(x + radius).floor() as i64 {
                let gap = |v: f64, cell: i64| v.clamp(cell as f64, cell as f64 + 1.0) - v;
                let inside = gap(x, cx).hypot(gap(y, cy)) < radius;
                let id = unit.id();
                assert!(!inside || fits(cx, cy), "tick {now}: {id} at ({x}, {y}) in ({cx}, {cy})");
            }
        }
    }
}

/// Orders units to a cell and runs until they are there.
pub fn send(world: &mut World, units: &[UnitId], to: (u32, u32), most: u64) -> Judge {
    world.order(units, Order::go(to)).unwrap();
    let mut judge = Judge::default();
    judge.run(world, units, most);
    judge
}
