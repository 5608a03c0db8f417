//! The world: a map, the units on it, and everything that changes them.
//!
//! This file has what a world consists of and how it is changed from outside. A tick is in `tick.rs`,
//! and what it does in the files beside: orders (`orders.rs`), ways (`errands.rs`, `plans.rs`),
//! steps (`walk.rs`, `glide/`, `ghosts.rs`, `ladder.rs`, `chokes.rs`, `jams.rs`), edits (`edits.rs`),
//! groups (`groups.rs`). What can be asked is in `reads.rs`.

mod chokes;
mod edits;
mod errands;
mod ghosts;
mod glide;
mod groups;
mod jams;
mod ladder;
mod orders;
mod plans;
mod reads;
mod tick;
mod view;
mod walk;

use crate::choke::Choke;
use crate::claims::Claims;
use crate::crowd::{JamPlan, Stepper};
use crate::cuts::Cuts;
use crate::disc::Glide;
use crate::id::Slots;
use crate::layer::{Layer, cell_moves};
use crate::map::Map;
use crate::place::{Changes, Places};
use crate::queue::Queue;
use crate::recording::Recording;
use crate::unit::{Body, Unit};
use crate::{
    Command, Done, Edit, EditReport, Error, Event, GroupId, Order, OrderId, Settings, Spawn, State,
    Stepping, UnitId, Who,
};
use blockstar::{Cell, Grid, Rect, Scratch};
use groups::Group;
pub use reads::{Columns, Position, TickStats, Unit as UnitView};
use std::collections::{BTreeSet, VecDeque};
pub(crate) use view::Guide;

/// A map with units that live on it.
///
/// See the [crate](crate) for a game loop.
#[derive(Debug)]
pub struct World {
    pub(crate) settings: Settings,
    pub(crate) map: Map,
    pub(crate) layers: Vec<Layer>,
    /// By class.
    pub(crate) layer_of: Vec<u16>,
    pub(crate) units: Slots<Unit>,
    pub(crate) groups: Slots<Group>,
    pub(crate) places: Places,
    pub(crate) changes: Changes,
    pub(crate) claims: Claims,
    pub(crate) stepper: Stepper,
    pub(crate) cuts: Cuts,
    /// Who needs a quick path, with the number of the errand and since when.
    pub(crate) quick: VecDeque<(u32, u32, u64)>,
    pub(crate) full: Queue,
    pub(crate) repair: Queue,
    /// Where walls have opened: the number of the edit, the layer and where.
    pub(crate) openings: VecDeque<(u64, u16, Rect)>,
    /// The unit that is asked next whether a wall that opened is of use to it.
    pub(crate) sweep: u32,
    /// Who has come as near as possible to a goal out of reach.
    pub(crate) stranded: BTreeSet<u32>,
    /// The first of these to be looked at again, because that may have changed.
    pub(crate) recheck: Option<u32>,
    /// The place whose field is worked on first.
    pub(crate) turn: u32,
    pub(crate) tick: u64,
    pub(crate) edition: u64,
    pub(crate) last_order: u64,
    pub(crate) last_serial: u32,
    /// Ways out of jams, under way.
    pub(crate) jams: Vec<JamPlan>,
    /// Narrow passages where somebody was held up.
    pub(crate) chokes: Vec<Choke>,
    /// What happened between ticks.
    pub(crate) pending: Vec<Event>,

    // What follows is no part of the state: it can be found again from the rest.
    pub(crate) events: Vec<Event>,
    pub(crate) guides: Vec<Guide>,
    pub(crate) columns: Columns,
    pub(crate) stats: TickStats,
    pub(crate) scratch: Scratch,
    pub(crate) threads: usize,
    pub(crate) deadline: Option<std::time::Instant>,
    pub(crate) recording: Option<Recording>,
}

impl World {
    /// A world on a map, with no units yet. Free cells become [ground](crate::Kind::GROUND),
    /// blocked ones [walls](crate::Kind::WALL), and costs stay.
    pub fn new(grid: &Grid, settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        Self::on(Map::new(grid), settings)
    }

    /// A world on a map of kinds.
    pub(crate) fn on(map: Map, settings: Settings) -> Result<Self, Error> {
        let (mut layers, mut layer_of) = (Vec::<Layer>::new(), Vec::new());
        for class in &settings.classes {
            let known = layers.iter().position(|layer| layer.serves(class));
            if known.is_none() {
                layers.push(Layer::new(&map, class, settings.moves)?);
            }
            layer_of.push(known.unwrap_or(layers.len() - 1) as u16);
        }
        let (width, height) = (map.width, map.height);
        let rule = cell_moves(settings.moves).rule();
        Ok(Self {
            layers,
            layer_of,
            units: Slots::new(),
            groups: Slots::new(),
            places: Places::new(),
            changes: Changes::default(),
            claims: Claims::new(width, height),
            stepper: Stepper::new(width, height, rule),
            cuts: Cuts::new(width, height),
            quick: VecDeque::new(),
            full: Queue::new(settings.lanes),
            repair: Queue::new(settings.lanes),
            openings: VecDeque::new(),
            sweep: 0,
            stranded: BTreeSet::new(),
            recheck: None,
            turn: 0,
            tick: 0,
            edition: 0,
            last_order: 0,
            last_serial: 0,
            jams: Vec::new(),
            chokes: Vec::new(),
            pending: Vec::new(),
            events: Vec::new(),
            guides: Vec::new(),
            columns: Columns::new(width, height),
            stats: TickStats::default(),
            scratch: Scratch::new(),
            threads: 1,
            deadline: None,
            recording: None,
            map,
            settings,
        })
    }

    /// How many threads plan. It makes no difference to anything but the time.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Makes a unit.
    pub fn spawn(&mut self, unit: Spawn) -> Result<UnitId, Error> {
        match self.apply(&Command::Spawn(unit))? {
            Done::Spawned(unit) => Ok(unit),
            _ => Err(Error::Empty("the answer")),
        }
    }

    /// Takes a unit away; false if it is not there.
    pub fn despawn(&mut self, unit: UnitId) -> bool {
        self.apply(&Command::Despawn(unit)).is_ok()
    }

    /// Tells units to do something, instead of all that they were told before.
    ///
    /// The order that a unit is carrying out already is not begun again.
    pub fn order(&mut self, who: impl Into<Who>, order: Order) -> Result<OrderId, Error> {
        self.give(who.into(), order, false)
    }

    /// Tells units to do something when they have done all that they were told before.
    pub fn queue(&mut self, who: impl Into<Who>, order: Order) -> Result<OrderId, Error> {
        self.give(who.into(), order, true)
    }

    fn give(&mut self, who: Who, order: Order, queued: bool) -> Result<OrderId, Error> {
        match self.apply(&Command::Order { who, order, queued })? {
            Done::Ordered(order) => Ok(order),
            _ => Err(Error::Empty("the answer")),
        }
    }

    /// Makes a group of units; those of another group leave that one.
    pub fn group(&mut self, units: &[UnitId]) -> Result<GroupId, Error> {
        match self.apply(&Command::Group(units.to_vec()))? {
            Done::Grouped(group) => Ok(group),
            _ => Err(Error::Empty("the answer")),
        }
    }

    /// Forgets a group. Its units go on with what they do; false if it is not there.
    pub fn disband(&mut self, group: GroupId) -> bool {
        self.apply(&Command::Disband(group)).is_ok()
    }

    /// Changes the map. What it did is told at once, and what that means for units is in the next
    /// tick's events.
    pub fn edit(&mut self, edit: Edit) -> Result<EditReport, Error> {
        match self.apply(&Command::Edit(edit))? {
            Done::Edited(report) => Ok(report),
            _ => Err(Error::Empty("the answer")),
        }
    }

    /// Carries out a command: what all methods that change a world do. The same commands between
    /// the same ticks lead to the same world.
    pub fn apply(&mut self, command: &Command) -> Result<Done, Error> {
        let tick = self.tick;
        if let Some(recording) = &mut self.recording {
            recording.note(tick, command);
        }
        match command {
            Command::Spawn(spawn) => self.put(spawn).map(Done::Spawned),
            Command::Despawn(unit) => {
                let slot = self.slot(*unit)?;
                self.remove(slot);
                Ok(Done::Gone)
            }
            Command::Order { who, order, queued } => {
                self.take_order(who, order, *queued).map(Done::Ordered)
            }
            Command::Group(units) => self.make_group(units).map(Done::Grouped),
            Command::Disband(group) => self.forget_group(*group).map(|()| Done::Gone),
            Command::Edit(edit) => self.change_map(edit).map(Done::Edited),
        }
    }

    /// The slot of a unit that is there.
    pub(crate) fn slot(&self, unit: UnitId) -> Result<u32, Error> {
        let there = self.units.generation(unit.slot()).map(u32::from) == Some(unit.generation());
        if there { Ok(unit.slot()) } else { Err(Error::Gone(unit)) }
    }

    fn put(&mut self, spawn: &Spawn) -> Result<UnitId, Error> {
        let Spawn { cell, class, team, tag } = *spawn;
        let classes = self.settings.classes.len();
        let layer =
            *self.layer_of.get(usize::from(class)).ok_or(Error::Class { class, classes })?;
        let size = self.settings.classes[usize::from(class)].size;
        self.map.check_cell("a unit at", cell)?;
        if !self.layers[usize::from(layer)].grid.is_free(cell) {
            return Err(Error::Wall { cell, size });
        }
        let (slot, generation) = self.units.next().ok_or(Error::Empty("the list of free slots"))?;
        let id = UnitId::new(slot, generation);
        if self.settings.stepping == Stepping::Cells
            && let Err(crate::crowd::PlaceError::Taken { by, .. }) =
                self.stepper.place(slot, cell, size)
        {
            let by = self.units.get(by).map_or(id, |unit| unit.id);
            return Err(Error::Taken { cell, by });
        }
        if self.settings.stepping == Stepping::Plane
            && let Some(by) = self.touched(slot, Glide::at(cell), class)
        {
            let by = self.units.get(by).map_or(id, |unit| unit.id);
            return Err(Error::Taken { cell, by });
        }
        let home = self.claims.is_free(cell, size, slot).then_some(cell);
        if home.is_some() {
            self.claims.take(cell, size, slot);
        }
        self.units.put(Unit {
            id,
            class,
            layer,
            size,
            team,
            tag,
            body: self.body_at(cell),
            orders: VecDeque::new(),
            errand: None,
            home,
            parked: None,
            group: None,
            state: State::Idle,
            away: self.tick,
            makes_way: None,
        });
        self.show(slot);
        Ok(id)
    }

    /// A unit at rest in the middle of a cell.
    pub(crate) fn body_at(&self, cell: Cell) -> Body {
        let glide = (self.settings.stepping == Stepping::Plane).then(|| Glide::at(cell));
        Body { glide, ..Body::at(cell) }
    }

    /// Takes a unit out of everything.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.abandon(slot);
        self.leave_home(slot);
        self.leave_group(slot);
        self.stepper.remove(slot);
        self.cuts.drop(slot);
        self.stranded.remove(&slot);
        self.units.take(slot);
        self.columns.hide(slot);
    }

    /// The upper left cell that a unit is on: the one that it has claimed, or at any angle the one
    /// that it is in.
    pub(crate) fn here(&self, unit: &Unit) -> Cell {
        if !self.settings.moves.rule().is_any_angle() {
            return unit.body.cell;
        }
        let grid = &self.layers[usize::from(unit.layer)].grid;
        let under = grid.cell_of(unit.body.spot().point());
        // Positions are rounded, so past the corner of a wall it may seem to be in it.
        under.filter(|&cell| grid.is_free(cell)).unwrap_or(unit.body.cell)
    }
}
