//! Units that live on the session's map: a [`World`] beside the planners, which follows every edit.

use crate::clock::Clock;
use crate::frame::Fault;
use crate::limits::Limits;
use blockstar::random::Random;
use blockstar::{Cell, Grid, Rect, Tile};
use blockstar_world::{
    Class, Edit, EditReport, Event, Order, Settings, Spawn, Speed, State, Stepping, TickStats,
    UnitId, Why, World,
};

/// The squares of the heat map: no side of it is longer.
const HEAT_SIDE: u32 = 256;

/// What is left of the heat after a tick: half of it after 46 ticks, a second and a half.
const COOLING: f32 = 0.985;

/// A world with units, and what is told of it beyond what it tells itself.
#[derive(Debug)]
pub(crate) struct Living {
    pub world: World,
    random: Random,
    /// By slot: who goes somewhere else whenever it has arrived.
    wanderers: Vec<Option<UnitId>>,
    heat: Heat,
}

/// What some ticks did.
#[derive(Debug, Default)]
pub(crate) struct Ticks {
    /// Microseconds of each.
    pub times: Vec<f64>,
    pub stats: Vec<TickStats>,
    /// Units whose ways were cut, by slot.
    pub cut: Vec<u32>,
    /// How often each kind of event came, by the names of [`EVENTS`].
    pub counts: [u64; EVENTS.len()],
}

/// The kinds of events that are counted.
pub(crate) const EVENTS: [&str; 9] = [
    "started",
    "path_changed",
    "arrived",
    "blocked",
    "freed",
    "unreachable",
    "gave_up",
    "displaced",
    "crushed",
];

/// What an edit meant to the units.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    pub cut: u32,
    pub looked_at: u32,
    pub displaced: usize,
    pub time: f64,
}

impl Living {
    /// A world on a map, with nobody in it yet.
    pub fn new(grid: &Grid, stepping: Stepping, seed: u64, limits: &Limits) -> Result<Self, Fault> {
        let (width, height) = (grid.width(), grid.height());
        let cells = u64::from(width) * u64::from(height);
        // Two classes with their maps and planners, claims, steps and a few distance fields.
        let most = limits.units_memory as u64 / 100;
        if cells > most {
            return Err(format!(
                "units live here on maps of up to {most} cells, and this one has {cells}: use a \
                 smaller map, or the command `simulate`"
            ));
        }
        let fields = (limits.units_memory as u64 / 4 / (cells * 5)).clamp(1, 32) as u32;
        let speed = |cells| Speed::cells_per_second(cells).map_err(text);
        let classes = [
            Class::new("walker").speed(speed(6.0)?),
            Class::new("wagon").size(2).speed(speed(4.0)?),
        ];
        let settings = Settings::new().classes(classes).stepping(stepping);
        let settings = Settings { most_fields: fields, ..settings };
        Ok(Self {
            world: World::new(grid, settings).map_err(text)?,
            random: Random::new(seed),
            wanderers: Vec::new(),
            heat: Heat::new(width, height),
        })
    }

    /// Puts a unit of n x n cells on a cell; none if there is no room.
    pub fn place(&mut self, cell: Cell, size: u8, team: u8) -> Option<UnitId> {
        let class = u16::from(size > 1);
        self.world.spawn(Spawn::new(cell, class).team(team)).ok()
    }

    /// A cell of a rectangle, any of them.
    pub fn any_cell(&mut self, area: Rect) -> Cell {
        let mut along = |first, count: u32| first + self.random.below(count.into()) as u32;
        Cell::new(along(area.x, area.width), along(area.y, area.height))
    }

    /// From now on the unit goes somewhere else whenever it has arrived.
    pub fn let_wander(&mut self, unit: UnitId) {
        let slot = unit.slot() as usize;
        if self.wanderers.len() <= slot {
            self.wanderers.resize(slot + 1, None);
        }
        self.wanderers[slot] = Some(unit);
        self.send_somewhere(unit);
    }

    /// The unit stays where it is sent.
    pub fn let_stay(&mut self, unit: UnitId) {
        if let Some(wanderer) = self.wanderers.get_mut(unit.slot() as usize) {
            *wanderer = None;
        }
    }

    fn send_somewhere(&mut self, unit: UnitId) {
        let Some(view) = self.world.unit(unit) else { return };
        let (class, here) = (view.class(), view.cell());
        let whole = Rect::new(0, 0, self.world.width(), self.world.height());
        // On a map of islands most cells are out of reach; whoever finds none tries again later.
        for _ in 0..24 {
            let goal = self.any_cell(whole);
            if goal != here && self.world.reachable(class, here, goal) {
                let _ = self.world.order(unit, Order::go(goal));
                return;
            }
        }
        let _ = self.world.order(unit, Order::Wait(30));
    }

    /// Lets ticks pass, until there have been so many or the time is over.
    pub fn tick(&mut self, ticks: u64, clock: &Clock, most_time: f64) -> Ticks {
        let mut done = Ticks::default();
        let mut restless = Vec::new();
        while (done.times.len() as u64) < ticks && done.times.iter().sum::<f64>() <= most_time {
            let (time, ()) = clock.time(|| {
                self.world.tick();
            });
            done.times.push(time);
            done.stats.push(*self.world.stats());
            for event in self.world.events() {
                done.note(event);
                if let Event::Arrived(unit, ..)
                | Event::GaveUp(unit, _)
                | Event::Unreachable(unit, _) = *event
                {
                    restless.push(unit);
                }
            }
            for unit in restless.drain(..) {
                let wanders = self.wanderers.get(unit.slot() as usize).copied().flatten();
                if wanders == Some(unit) {
                    self.send_somewhere(unit);
                }
            }
            self.heat.pass(&self.world);
        }
        done
    }

    /// Follows what was changed in a rectangle of the map.
    pub fn follow(&mut self, grid: &Grid, area: Rect, clock: &Clock) -> Result<Effect, Fault> {
        let mut edits = Vec::new();
        for tile in [Tile::Blocked, Tile::Free] {
            let free = tile == Tile::Free;
            let differs = |cell: &Cell| {
                let was_free = self.world.kind(*cell) != blockstar_world::Kind::WALL;
                grid.is_free(*cell) == free && was_free != free
            };
            let cells: Vec<Cell> = area.cells().filter(differs).collect();
            if !cells.is_empty() {
                edits.push(Edit::stamp(cells, tile));
            }
        }
        if grid.has_costs() {
            edits.extend(costs(grid, area));
        }
        let mut effect = Effect::default();
        for edit in edits {
            let (time, report) = clock.time(|| self.world.edit(edit));
            effect.add(time, &report.map_err(text)?);
        }
        Ok(effect)
    }

    /// Makes a door, or opens or closes one.
    pub fn door(&mut self, edit: Edit, clock: &Clock) -> Result<Effect, Fault> {
        let mut effect = Effect::default();
        let (time, report) = clock.time(|| self.world.edit(edit));
        effect.add(time, &report.map_err(text)?);
        Ok(effect)
    }

    /// The unit of a slot.
    pub fn unit(&self, slot: u32) -> Option<UnitId> {
        self.world.columns().ids().get(slot as usize).copied().flatten()
    }

    /// Where units are held up: squares of so many cells a side, from 0 to 255.
    pub fn heat(&self) -> (u32, u32, impl Iterator<Item = u8> + '_) {
        let Heat { side, columns, ref values } = self.heat;
        (side, columns, values.iter().map(|value| (value * 10.0).min(255.0) as u8))
    }

    pub fn bytes(&self) -> usize {
        self.world.memory_usage().1 + self.heat.values.len() * 4 + self.wanderers.len() * 12
    }
}

/// The costs of a rectangle as edits, run by run.
fn costs(grid: &Grid, area: Rect) -> Vec<Edit> {
    let factor = |cell: Cell| match grid.is_free(cell) {
        true => crate::map::factor(grid, cell),
        false => Grid::FACTOR_ONE,
    };
    let mut runs: Vec<(Rect, u16)> = Vec::new();
    for cell in area.cells() {
        let factor = factor(cell).max(1);
        match runs.last_mut() {
            Some((run, same))
                if *same == factor && run.y == cell.y && run.x + run.width == cell.x =>
            {
                run.width += 1;
            }
            _ => runs.push((Rect::cell(cell), factor)),
        }
    }
    runs.into_iter().map(|(run, factor)| Edit::Cost(run, factor)).collect()
}

impl Effect {
    fn add(&mut self, time: f64, report: &EditReport) {
        self.time += time;
        self.cut += report.cut;
        self.looked_at += report.looked_at;
        self.displaced += report.under.len();
    }
}

impl Ticks {
    fn note(&mut self, event: &Event) {
        let kind = match event {
            Event::Started(..) => 0,
            Event::PathChanged(unit, why) => {
                if *why == Why::Cut {
                    self.cut.push(unit.slot());
                }
                1
            }
            Event::Arrived(..) => 2,
            Event::Blocked(..) => 3,
            Event::Freed(_) => 4,
            Event::Unreachable(..) => 5,
            Event::GaveUp(..) => 6,
            Event::Displaced(..) => 7,
            Event::Crushed(_) => 8,
            _ => return,
        };
        self.counts[kind] += 1;
    }
}

/// Where units want to move and cannot: it adds up tick by tick, and cools.
#[derive(Debug)]
struct Heat {
    /// Cells on each side of a square.
    side: u32,
    columns: u32,
    values: Vec<f32>,
}

impl Heat {
    fn new(width: u32, height: u32) -> Self {
        let side = width.max(height).div_ceil(HEAT_SIDE);
        let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
        Self { side, columns, values: vec![0.0; columns as usize * rows as usize] }
    }

    fn pass(&mut self, world: &World) {
        for value in &mut self.values {
            *value *= COOLING;
        }
        for unit in world.units() {
            if matches!(unit.state(), State::Stuck { .. } | State::Yielding) {
                let Cell { x, y } = unit.cell();
                let square = (y / self.side * self.columns + x / self.side) as usize;
                if let Some(value) = self.values.get_mut(square) {
                    *value += 1.0;
                }
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn text(error: blockstar_world::Error) -> Fault {
    error.to_string()
}
