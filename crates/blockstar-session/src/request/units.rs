//! `units.place`, `units.order`, `units.door`, `units.tick`, `units.remove`: the living map.

use crate::Session;
use crate::brush::on_map;
use crate::fields::{Fields, shortened};
use crate::frame::{Fault, Frame, Reply};
use crate::history::{DoorStep, Step};
use crate::living::{EVENTS, Effect, Living};
use crate::session::{Answered, no_map};
use blockstar::Rect;
use blockstar_world::{
    Edit, Formation, Goal, Leg, Order, Pace, State, Stepping, TickBudget, UnitId, World,
};
use serde_json::{Value, json};

/// The most ticks of one request.
const MOST_TICKS: u64 = 240;

/// The most units whose ways are told.
const MOST_WATCHED: usize = 64;

/// The names of the states by number.
pub(crate) const STATES: [&str; 11] = [
    "idle",
    "holding",
    "waiting",
    "on a quick path",
    "on a full path",
    "led by a field",
    "yielding",
    "held up",
    "arrived",
    "stranded",
    "waiting at a choke",
];

/// Puts units on the map.
pub(crate) fn place(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let limits = session.limits;
    let map = session.map.as_ref().ok_or_else(no_map)?;
    let area = match fields.get("x") {
        None => map.whole(),
        Some(_) => on_map(fields.rect()?, &map.grid),
    };
    let size = small(fields, "size", 1, 1..=2)?;
    let team = small(fields, "team", 0, 0..=255)?;
    let teams = small(fields, "teams", 1, 1..=255)?;
    let count = fields.whole("count")?.unwrap_or(1);
    let wander = fields.is_on("wander")?;
    let seed = fields.whole("seed")?.unwrap_or(1);
    let here = session.living.as_ref().map_or(0, |living| living.world.len()) as u64;
    if here.saturating_add(count) > limits.units {
        return Err(format!(
            "there are {here} units and {count} more are wanted, but there may be {} at most",
            limits.units
        ));
    }
    let stepping = stepping(fields, session.living.as_ref())?;
    // A world in which nobody is left may become one of the other kind.
    let suits = |living: &Living| living.world.settings().stepping == stepping;
    if !session.living.as_ref().is_some_and(suits) {
        let living = Living::new(&map.grid, stepping, seed, &limits)?;
        session.let_live(Some(living));
    }
    let Some(living) = session.living.as_mut() else { return Err(nobody()) };
    let mut placed = 0;
    // Cells are tried at random, and then, if there is little room, one after the other.
    let mut tries = if area.width == 0 || area.height == 0 { 0 } else { count * 8 };
    let mut rest = area.cells();
    while placed < count {
        let cell = match tries {
            0 => match rest.next() {
                Some(cell) => cell,
                None => break,
            },
            _ => living.any_cell(area),
        };
        tries = tries.saturating_sub(1);
        let team = (u64::from(team) + placed % u64::from(teams)) as u8;
        if let Some(unit) = living.place(cell, size, team) {
            placed += 1;
            if wander {
                living.let_wander(unit);
            }
        }
    }
    reply.set("placed", placed);
    describe(living, reply);
    if let Some(map) = &session.map {
        map.describe(None, reply);
    }
    keep_within(session)
}

/// How units step, as it was asked for, or as those step that are here.
fn stepping(fields: Fields<'_>, living: Option<&Living>) -> Result<Stepping, Fault> {
    let now = living.map_or(Stepping::Cells, |living| living.world.settings().stepping);
    let wanted = match fields.text("stepping")? {
        None => now,
        Some("cells") => Stepping::Cells,
        Some("plane") => Stepping::Plane,
        Some(other) => {
            let other = shortened(&other.into());
            return Err(format!("`stepping` is {other}, but must be cells or plane"));
        }
    };
    if wanted != now && living.is_some_and(|living| !living.world.is_empty()) {
        return Err("those who are here step otherwise: take them away first".into());
    }
    Ok(wanted)
}

/// Tells units what to do.
pub(crate) fn order(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let living = session.living.as_mut().ok_or_else(nobody)?;
    let units = meant(living, frame)?;
    let formation = match fields.text("formation")? {
        None => None,
        Some("square") => Some(Formation::Square),
        Some("line") => Some(Formation::Line),
        Some("column") => Some(Formation::Column),
        Some(other) => {
            let other = shortened(&other.into());
            return Err(format!("`formation` is {other}, but must be square, line or column"));
        }
    };
    let order = match fields.text("order")?.unwrap_or("go") {
        "go" => {
            let to = Goal::Cell(fields.need_cell("goal")?);
            Some(Order::Move { to, formation, pace: Pace::Own })
        }
        "stop" => Some(Order::Stop),
        "hold" => Some(Order::Hold),
        "wander" => None,
        other => {
            let other = shortened(&other.into());
            return Err(format!("`order` is {other}, but must be go, stop, hold or wander"));
        }
    };
    if let Some(order) = &order {
        living.world.check(order).map_err(|error| error.to_string())?;
    }
    let queued = fields.is_on("queue")?;
    reply.set("ordered", units.len());
    match order {
        None => units.into_iter().for_each(|unit| living.let_wander(unit)),
        Some(order) => {
            units.iter().for_each(|&unit| living.let_stay(unit));
            give(&mut living.world, &units, order, queued)?;
        }
    }
    keep_within(session)
}

/// Many go as a group, which shares what leads it to the goal.
fn give(world: &mut World, units: &[UnitId], order: Order, queued: bool) -> Result<(), Fault> {
    let given = match units {
        [] => return Ok(()),
        [unit] => match queued {
            true => world.queue(*unit, order),
            false => world.order(*unit, order),
        },
        _ => {
            let group = world.group(units).map_err(|error| error.to_string())?;
            match queued {
                true => world.queue(group, order),
                false => world.order(group, order),
            }
        }
    };
    given.map(drop).map_err(|error| error.to_string())
}

/// Makes a door, opens it, closes it.
pub(crate) fn door(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let map = session.map.as_ref().ok_or_else(no_map)?;
    let living = session.living.as_ref().ok_or_else(nobody)?;
    let mut is_news = true;
    let door = match fields.small("door")? {
        None => DoorStep::Made(on_map(fields.rect()?, &map.grid)),
        Some(door) => {
            let open = fields.is_on("open")?;
            let Some((rect, was_open)) = living.world.doors().nth(door as usize) else {
                let doors = living.world.doors().count();
                return Err(format!("there is no door {door}: there are {doors}, from 0 on"));
            };
            is_news = open != was_open;
            // There are at most as many doors as the type has numbers.
            DoorStep::Set { door: door as u16, rect, open }
        }
    };
    session.edit_door(door.forth(), reply)?;
    let Some(map) = &mut session.map else { return Err(no_map()) };
    if is_news {
        let step = Step { door: Some(door), ..Step::default() };
        map.history.push(step, false, session.limits.history);
        map.revision += 1;
    }
    map.describe(None, reply);
    Ok(())
}

/// Lets time pass.
pub(crate) fn tick(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let Session { living, clock, limits, .. } = session;
    let living = living.as_mut().ok_or_else(nobody)?;
    let ticks = fields.whole("ticks")?.unwrap_or(1);
    if ticks > MOST_TICKS {
        return Err(format!("`ticks` is {ticks}, but may be {MOST_TICKS} at most"));
    }
    let watched = watched(fields, living)?;
    let done = living.tick(ticks, clock, limits.time);
    reply.set("ticks", done.times.len());
    let counts = EVENTS.iter().zip(done.counts).filter(|(_, count)| *count > 0);
    let counts = counts.map(|(name, count)| ((*name).to_owned(), Value::from(count)));
    reply.set("events", counts.collect::<serde_json::Map<_, _>>());
    reply.column("times", &done.times);
    let spent = done.stats.iter().flat_map(|stats| purposes(stats.spent));
    reply.column_of("spent", done.stats.len() * 5, spent);
    reply.column_of("queued", done.stats.len(), done.stats.iter().map(|stats| stats.queued));
    reply.column("cut", &done.cut);
    if fields.is_on("heat")? {
        let (side, columns, values) = living.heat();
        let values: Vec<u8> = values.collect();
        let rows = values.len() as u32 / columns.max(1);
        reply.set("heat", json!({ "side": side, "columns": columns, "rows": rows }));
        reply.column("heat", &values);
    }
    ways(&watched, &living.world, reply);
    describe(living, reply);
    keep_within(session)
}

/// Takes units away.
pub(crate) fn remove(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let living = session.living.as_mut().ok_or_else(nobody)?;
    let units = meant(living, frame)?;
    reply.set("removed", units.len());
    for unit in units {
        living.world.despawn(unit);
    }
    describe(living, reply);
    Ok(())
}

impl Session {
    /// Puts another world, or none, in place of the one before, whose doors are gone.
    pub(crate) fn let_live(&mut self, living: Option<Living>) {
        self.living = living;
        if let Some(map) = &mut self.map {
            map.history.forget_doors();
        }
    }

    /// Makes a door, takes it away, opens or closes it.
    pub(crate) fn edit_door(&mut self, edit: Edit, reply: &mut Reply) -> Result<(), Fault> {
        let living = self.living.as_mut().ok_or_else(nobody)?;
        let effect = living.door(edit, &self.clock)?;
        reply.set("units", told(&effect));
        describe(living, reply);
        keep_within(self)
    }

    /// Tells the units what was changed in a rectangle of the map.
    pub(crate) fn tell_units(&mut self, area: Rect, reply: &mut Reply) {
        let (Some(living), Some(map)) = (&mut self.living, &self.map) else { return };
        match living.follow(&map.grid, area, &self.clock) {
            Ok(effect) => reply.set("units", told(&effect)),
            Err(fault) => {
                // Units on another map than this one are of no use.
                self.let_live(None);
                reply.set("units", json!({ "gone": fault }));
            }
        }
    }
}

fn told(effect: &Effect) -> Value {
    json!({
        "cut": effect.cut, "looked_at": effect.looked_at, "displaced": effect.displaced,
        "time": effect.time,
    })
}

/// The units that a request names: those of the column `units`, or everybody.
fn meant(living: &Living, frame: &Frame<'_>) -> Result<Vec<UnitId>, Fault> {
    let Some(bytes) = frame.column("units", "u32")? else {
        return Ok(living.world.units().map(|unit| unit.id()).collect());
    };
    let mut slots: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    // One that is gone meanwhile is nobody's fault.
    Ok(slots.into_iter().filter_map(|slot| living.unit(slot)).collect())
}

/// The units of `watch`.
fn watched(fields: Fields<'_>, living: &Living) -> Result<Vec<UnitId>, Fault> {
    let list = fields.list("watch")?.unwrap_or_default();
    if list.len() > MOST_WATCHED {
        return Err(format!("`watch` has {}, but may have {MOST_WATCHED} at most", list.len()));
    }
    let slot = |value: &Value| {
        let slot = value.as_u64().and_then(|slot| u32::try_from(slot).ok());
        slot.ok_or_else(|| format!("one of `watch` is {}, but must be a slot", shortened(value)))
    };
    let slots = list.iter().map(slot).collect::<Result<Vec<_>, _>>()?;
    Ok(slots.into_iter().filter_map(|slot| living.unit(slot)).collect())
}

/// The ways ahead of some units: all points behind each other, and how many belong to each.
fn ways(watched: &[UnitId], world: &World, reply: &mut Reply) {
    let (mut points, mut facts) = (Vec::new(), Vec::new());
    for unit in watched.iter().filter_map(|&unit| world.unit(unit)) {
        let before = points.len();
        points.extend(unit.path().flat_map(|point| [point.x() as f32, point.y() as f32]));
        facts.push(json!({
            "unit": unit.id().slot(), "state": STATES[state(unit.state())], "size": unit.size(),
            "left": unit.distance_left(), "orders": unit.orders().count(),
            "points": (points.len() - before) / 2,
        }));
    }
    reply.set("watched", facts);
    reply.column("ways", &points);
}

/// Where everybody is and what they do.
fn describe(living: &Living, reply: &mut Reply) {
    let world = &living.world;
    let columns = world.columns();
    let slots = columns.ids().len();
    reply.set("tick", world.now());
    reply.set("living", world.len());
    reply.set("states", STATES.to_vec());
    reply.set("rate", world.settings().ticks_per_second);
    reply.set("budget", purposes(world.settings().budget).to_vec());
    reply.set("memory", living.bytes());
    let positions = columns.positions().iter().flat_map(|position| *position);
    reply.column_of("positions", slots * 2, positions);
    let told = columns.ids().iter().zip(columns.states()).map(|(id, now)| match id {
        Some(_) => state(*now) as u8,
        None => 255,
    });
    reply.column_of("state", slots, told);
    let mut kinds = vec![0_u8; slots];
    let mut sizes = vec![0_u8; slots];
    for unit in world.units() {
        let slot = unit.id().slot() as usize;
        (kinds[slot], sizes[slot]) = (unit.team(), unit.size());
    }
    reply.column("team", &kinds);
    reply.column("size", &sizes);
    let doors = world.doors().flat_map(|(r, open)| [r.x, r.y, r.width, r.height, open.into()]);
    reply.column("doors", &doors.collect::<Vec<u32>>());
}

fn purposes(budget: TickBudget) -> [u32; 5] {
    let TickBudget { quick, full, repair, fields, steps } = budget;
    [quick, full, repair, fields, steps]
}

/// The number of a state in [`STATES`].
fn state(state: State) -> usize {
    match state {
        State::Idle => 0,
        State::Holding => 1,
        State::Waiting => 2,
        State::Moving(Leg::Quick) => 3,
        State::Moving(Leg::Full) => 4,
        State::Moving(Leg::Field) => 5,
        State::Yielding => 6,
        State::Stuck { .. } => 7,
        State::Arrived => 8,
        State::Stranded => 9,
        State::Held => 10,
    }
}

/// A small number within a range.
fn small(
    fields: Fields<'_>,
    name: &str,
    default: u8,
    range: std::ops::RangeInclusive<u8>,
) -> Result<u8, Fault> {
    let value = fields.whole(name)?.unwrap_or(default.into());
    u8::try_from(value).ok().filter(|value| range.contains(value)).ok_or_else(|| {
        format!("`{name}` is {value}, but must be from {} to {}", range.start(), range.end())
    })
}

/// Ends a world that has grown beyond the limit.
fn keep_within(session: &mut Session) -> Result<(), Fault> {
    let Some(bytes) = session.living.as_ref().map(Living::bytes) else { return Ok(()) };
    let most = session.limits.units_memory;
    if bytes <= most {
        return Ok(());
    }
    session.let_live(None);
    Err(format!(
        "the units take {bytes} bytes, but may take {most} at most, so they are gone: place fewer, \
         or use a smaller map"
    ))
}

fn nobody() -> Fault {
    "there are no units yet: ask for `units.place` first".into()
}
