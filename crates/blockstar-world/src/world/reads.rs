//! What can be asked of a world. Nothing here changes it.

use super::World;
use crate::pack::Pack;
use crate::route::Spot;
use crate::{
    ClassId, Edit, Error, Event, GroupId, Kind, Order, OrderId, Settings, State, TickBudget, UnitId,
};
use blockstar::{Cell, Grid, Point, Query, Rect, Scratch, Status};
use std::collections::BTreeSet;

/// Where a unit is, in cells: its middle.
pub type Position = [f32; 2];

/// Cells on each side of a block of [`Columns`].
const SIDE: u32 = 16;

/// What is known of all units, by slot, as it was after the last tick.
#[derive(Clone, Debug)]
pub struct Columns {
    ids: Vec<Option<UnitId>>,
    cells: Vec<Cell>,
    positions: Vec<Position>,
    before: Vec<Position>,
    headings: Vec<[f32; 2]>,
    states: Vec<State>,
    /// Units by the block that they are in.
    blocks: BTreeSet<(u32, u32)>,
    block_of: Vec<u32>,
    columns: u32,
    rows: u32,
}

impl Columns {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            ids: Vec::new(),
            cells: Vec::new(),
            positions: Vec::new(),
            before: Vec::new(),
            headings: Vec::new(),
            states: Vec::new(),
            blocks: BTreeSet::new(),
            block_of: Vec::new(),
            columns: width.div_ceil(SIDE),
            rows: height.div_ceil(SIDE),
        }
    }

    /// Names; none where a slot is free. All other columns have something there too.
    pub fn ids(&self) -> &[Option<UnitId>] {
        &self.ids
    }

    /// The upper left cells that units have: where they stand or are going.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The middles of units.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The same, one tick earlier.
    pub fn last_positions(&self) -> &[Position] {
        &self.before
    }

    /// Where units look, as vectors of length 1 (x right, y down).
    pub fn headings(&self) -> &[[f32; 2]] {
        &self.headings
    }

    /// What units do.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    pub(crate) fn hide(&mut self, slot: u32) {
        if let Some(id) = self.ids.get_mut(slot as usize) {
            *id = None;
            self.blocks.remove(&(self.block_of[slot as usize], slot));
        }
    }

    /// Units whose upper left cell may be in the blocks of a rectangle.
    pub(crate) fn touching(&self, rect: Rect, found: &mut Vec<u32>) {
        if rect.width == 0 || rect.height == 0 {
            return;
        }
        let last = |first: u32, count: u32, most: u32| ((first + count - 1) / SIDE).min(most - 1);
        for row in rect.y / SIDE..=last(rect.y, rect.height, self.rows) {
            let first = row * self.columns + rect.x / SIDE;
            let end = row * self.columns + last(rect.x, rect.width, self.columns);
            found.extend(self.blocks.range((first, 0)..=(end, u32::MAX)).map(|&(_, slot)| slot));
        }
    }
}

/// What the last tick did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickStats {
    /// The tick.
    pub tick: u64,
    /// Expansions by purpose.
    pub spent: TickBudget,
    /// Searches that wait or are under way.
    pub queued: u32,
    /// For how many ticks the oldest of them has waited.
    pub oldest: u64,
    /// The most ticks that somebody waited for a quick path, this one included.
    pub quick_wait: u64,
    /// Quick paths found.
    pub quick_paths: u32,
    /// Searches that came to an end.
    pub plans: u32,
    /// Cut paths mended.
    pub repairs: u32,
    /// Units that arrived.
    pub arrived: u32,
    /// Units that gave up.
    pub gave_up: u32,
    /// Units that wanted to set off for another cell.
    pub movers: u32,
    /// Units that were made to wait before a choke.
    pub held: u32,
}

impl Default for TickStats {
    fn default() -> Self {
        Self {
            tick: 0,
            spent: TickBudget { quick: 0, full: 0, repair: 0, fields: 0, steps: 0 },
            queued: 0,
            oldest: 0,
            quick_wait: 0,
            quick_paths: 0,
            plans: 0,
            repairs: 0,
            arrived: 0,
            gave_up: 0,
            movers: 0,
            held: 0,
        }
    }
}

impl TickStats {
    /// Begins another tick.
    pub(crate) fn start(&mut self) {
        *self = Self { tick: self.tick, ..Self::default() };
    }

    /// Whether the tick kept to a budget, purpose by purpose.
    pub fn is_within(&self, budget: TickBudget) -> bool {
        let TickBudget { quick, full, repair, fields, steps } = self.spent;
        quick <= budget.quick
            && full <= budget.full
            && repair <= budget.repair
            && fields <= budget.fields
            && steps <= budget.steps
    }
}

/// A unit, to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    world: &'a World,
    unit: &'a crate::unit::Unit,
}

impl<'a> Unit<'a> {
    /// Its name.
    pub fn id(&self) -> UnitId {
        self.unit.id
    }

    /// Its class.
    pub fn class(&self) -> ClassId {
        self.unit.class
    }

    /// Whose it is.
    pub fn team(&self) -> u8 {
        self.unit.team
    }

    /// What the game wanted to know of it.
    pub fn tag(&self) -> u64 {
        self.unit.tag
    }

    /// Its group.
    pub fn group(&self) -> Option<GroupId> {
        self.unit.group
    }

    /// The upper left cell where it stands or is going; in the plane, where it is.
    pub fn cell(&self) -> Cell {
        self.unit.body.cell
    }

    /// The side of its square.
    pub fn size(&self) -> u8 {
        self.unit.size
    }

    /// The radius of its disc, in cells, where units move in the plane.
    pub fn radius(&self) -> f32 {
        self.world.radii(self.unit).0 as f32 / crate::disc::CELL as f32
    }

    /// What it does.
    pub fn state(&self) -> State {
        self.unit.state
    }

    /// What it was told, with all that comes after.
    pub fn orders(&self) -> impl Iterator<Item = (OrderId, &'a Order)> + use<'a> {
        self.unit.orders.iter().map(|given| (given.id, &given.order))
    }

    /// Its middle: a part of the way (0 to 1) from the last tick to this one.
    pub fn position(&self, alpha: f32) -> Position {
        let slot = self.unit.id.slot() as usize;
        let (a, b) = (self.world.columns.before[slot], self.world.columns.positions[slot]);
        [a[0] + (b[0] - a[0]) * alpha, a[1] + (b[1] - a[1]) * alpha]
    }

    /// The points of the way ahead, as far as it is known: none if a distance field leads it.
    pub fn path(&self) -> impl Iterator<Item = Point> + use<'a> {
        let errand = self.unit.errand.as_ref();
        let ahead = errand.map_or(&[][..], |errand| {
            errand.route.points().get(errand.next as usize..).unwrap_or(&[])
        });
        ahead.iter().map(|waypoint| waypoint.at.point())
    }

    /// How far it has to go, in cells, if that is known.
    pub fn distance_left(&self) -> Option<f64> {
        self.unit.errand.as_ref()?;
        let left = match self.world.left_of_route(self.unit.id.slot()) {
            u32::MAX => self.world.left(self.unit.id.slot()),
            left => left,
        };
        (left < 1 << 29).then(|| f64::from(left) / f64::from(crate::measure::STRAIGHT))
    }

    /// The cell near its goal that nobody else gets, once it has one.
    pub fn own_cell(&self) -> Option<Cell> {
        let errand = self.unit.errand.as_ref();
        errand.filter(|errand| errand.claimed).map(|errand| errand.target).or(self.unit.home)
    }
}

impl World {
    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many ticks have passed.
    pub fn now(&self) -> u64 {
        self.tick
    }

    /// The events of the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The width of the map.
    pub fn width(&self) -> u32 {
        self.map.width
    }

    /// The height of the map.
    pub fn height(&self) -> u32 {
        self.map.height
    }

    /// The kind of a cell; a wall off the map.
    pub fn kind(&self, cell: impl Into<Cell>) -> Kind {
        self.map.kind(cell.into())
    }

    /// The doors: where they are and whether they are open.
    pub fn doors(&self) -> impl Iterator<Item = (Rect, bool)> + '_ {
        self.map.doors().iter().map(|door| (door.rect, door.open))
    }

    /// The map as a class sees it: where the upper left cell of its units can be.
    pub fn grid(&self, class: ClassId) -> Option<&Grid> {
        let layer = *self.layer_of.get(usize::from(class))?;
        Some(&self.layers[usize::from(layer)].grid)
    }

    /// A unit, if it is there.
    pub fn unit(&self, unit: UnitId) -> Option<Unit<'_>> {
        let slot = self.slot(unit).ok()?;
        Some(Unit { world: self, unit: self.units.get(slot)? })
    }

    /// All units, by slot.
    pub fn units(&self) -> impl Iterator<Item = Unit<'_>> + '_ {
        self.units.iter().map(|(_, unit)| Unit { world: self, unit })
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.count()
    }

    /// Whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The units of a group.
    pub fn group_members(&self, group: GroupId) -> Option<&[UnitId]> {
        self.members(group).ok()
    }

    /// What is known of all units.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Units whose middle is within a circle, by slot.
    pub fn near(&self, at: Point, radius: f64) -> impl Iterator<Item = UnitId> + '_ {
        let reach = radius.clamp(0.0, 40_000.0);
        let side = |v: f64| v.clamp(0.0, 32_767.0) as u32;
        // A large unit's middle lies up to eight cells from its upper left cell.
        let (x, y) = (side(at.x() - reach - 9.0), side(at.y() - reach - 9.0));
        let rect = Rect::new(
            x.min(self.map.width - 1),
            y.min(self.map.height - 1),
            side(at.x() + reach + 2.0).saturating_sub(x) + 1,
            side(at.y() + reach + 2.0).saturating_sub(y) + 1,
        );
        let mut found = Vec::new();
        self.columns.touching(rect, &mut found);
        found.sort_unstable();
        found.into_iter().filter_map(move |slot| {
            let [x, y] = self.columns.positions[slot as usize];
            let (dx, dy) = (f64::from(x) - at.x(), f64::from(y) - at.y());
            (dx * dx + dy * dy <= radius * radius).then(|| self.columns.ids[slot as usize])?
        })
    }

    /// Who stands on a cell or is on the way there, where units
    /// [step on cells](crate::Stepping::Cells); elsewhere nobody has a cell to itself, and
    /// [`near`](Self::near) tells who is there.
    pub fn occupant(&self, cell: impl Into<Cell>) -> Option<UnitId> {
        Some(self.units.get(self.stepper.occupant(cell.into())?)?.id)
    }

    /// Whether units of a class get from one cell to another. No search is made for that.
    pub fn reachable(&self, class: ClassId, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.layer_of
            .get(usize::from(class))
            .is_some_and(|&layer| self.layers[usize::from(layer)].connectivity.connected(from, to))
    }

    /// The path that a unit of a class would take, or the way to the nearest cell: the line under
    /// the cursor. It is in [`Scratch::path`].
    pub fn preview(
        &self,
        class: ClassId,
        from: impl Into<Cell>,
        to: impl Into<Cell>,
        scratch: &mut Scratch,
    ) -> Result<Status, Error> {
        let classes = self.settings.classes.len();
        let layer =
            *self.layer_of.get(usize::from(class)).ok_or(Error::Class { class, classes })?;
        let layer = &self.layers[usize::from(layer)];
        let query = Query::new(from.into(), to.into()).nearest();
        Ok(layer.full.find(&layer.grid, &query, scratch)?)
    }

    /// Whether an order could be given: refuses goals off the map and units that are gone.
    pub fn check(&self, order: &Order) -> Result<(), Error> {
        self.check_order(order)
    }

    /// Whether an edit could be made: refuses what lies off the map, and doors that do not exist.
    pub fn check_edit(&self, edit: &Edit) -> Result<(), Error> {
        self.map.check_edit(edit)
    }

    /// What the last tick did.
    pub fn stats(&self) -> &TickStats {
        &self.stats
    }

    /// Bytes of heap memory: what belongs to units, and everything.
    pub fn memory_usage(&self) -> (usize, usize) {
        let unit = |unit: &crate::unit::Unit| {
            let route = unit.errand.as_ref().map_or(0, |errand| errand.route.bytes());
            size_of::<crate::unit::Unit>() + route + unit.orders.len() * 64
        };
        let units = self.units.iter().map(|(_, it)| unit(it)).sum::<usize>() + self.cuts.bytes();
        let places = self.places.iter().map(|(_, place)| place.bytes()).sum::<usize>();
        let layers = self.layers.iter().map(|layer| layer.bytes()).sum::<usize>();
        let cells = self.map.width as usize * self.map.height as usize;
        let queues = self.full.bytes() + self.repair.bytes() + self.scratch.memory_usage();
        let rest = self.map.bytes() + self.claims.bytes() + 8 * cells + layers + places + queues;
        (units, units + rest)
    }

    /// Brings the columns of a unit up to date.
    pub(crate) fn show(&mut self, slot: u32) {
        let Some(unit) = self.units.get(slot) else { return };
        let spot: Spot = unit.body.spot();
        let half = (f32::from(unit.size) - 1.0) / 2.0;
        let units = Point::UNITS as f32;
        let position = [spot.x as f32 / units + half, spot.y as f32 / units + half];
        let cell = unit.body.cell;
        let (fx, fy) = (unit.body.facing.0 as f32, unit.body.facing.1 as f32);
        let length = (fx * fx + fy * fy).sqrt().max(1.0);
        let columns = &mut self.columns;
        let index = slot as usize;
        if columns.ids.len() <= index {
            columns.ids.resize(index + 1, None);
            columns.cells.resize(index + 1, Cell::default());
            columns.positions.resize(index + 1, [0.0; 2]);
            columns.before.resize(index + 1, [0.0; 2]);
            columns.headings.resize(index + 1, [0.0, 1.0]);
            columns.states.resize(index + 1, State::Idle);
            columns.block_of.resize(index + 1, 0);
        }
        let is_new = columns.ids[index] != Some(unit.id);
        columns.before[index] = if is_new { position } else { columns.positions[index] };
        let block = cell.y / SIDE * columns.columns + cell.x / SIDE;
        if is_new || columns.block_of[index] != block {
            columns.blocks.remove(&(columns.block_of[index], slot));
            columns.blocks.insert((block, slot));
            columns.block_of[index] = block;
        }
        columns.ids[index] = Some(unit.id);
        columns.cells[index] = cell;
        columns.positions[index] = position;
        columns.headings[index] = [fx / length, fy / length];
        columns.states[index] = unit.state;
    }

    /// A hash of the state, in parts: where two worlds differ, it names the part.
    pub fn hash(&self) -> crate::StateHash {
        crate::hash::of(self)
    }

    pub(crate) fn packed(&self, part: impl Fn(&Self, &mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        part(self, &mut bytes);
        bytes
    }

    pub(crate) fn pack_settings(&self, out: &mut Vec<u8>) {
        self.settings.pack(out);
    }
}
