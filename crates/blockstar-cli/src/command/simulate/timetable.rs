//! A scenario made into a world, and what is done to that when.

use super::scenario::{EditSpec, OrderSpec, Scenario, Source, kind, rect};
use blockstar::random::Random;
use blockstar::{Cell, Rect, Tile};
use blockstar_world::{Edit, Order, Settings, Spawn, UnitId, World};
use std::collections::BTreeMap;
use std::error::Error;
use toml::Spanned;

/// A world and its timetable.
pub struct Timetable<'a> {
    source: &'a Source,
    scenario: &'a Scenario,
    /// Units by the name that orders call them.
    units: BTreeMap<String, Vec<UnitId>>,
    doors: BTreeMap<String, u16>,
    /// By edit: random numbers, and the walls that are to go again.
    scattered: BTreeMap<usize, (Random, Vec<Rect>)>,
}

impl<'a> Timetable<'a> {
    /// The world of a scenario, with its units, before the first tick.
    pub fn new(
        scenario: &'a Scenario,
        source: &'a Source,
        settings: Settings,
    ) -> Result<(World, Self), Box<dyn Error>> {
        let grid = scenario.grid(source)?;
        let mut world =
            World::new(&grid, settings).map_err(|error| source.at(&scenario.map, error))?;
        let mut table = Self {
            source,
            scenario,
            units: BTreeMap::new(),
            doors: BTreeMap::new(),
            scattered: BTreeMap::new(),
        };
        for spec in &scenario.terrain {
            let kind = kind(&spec.get_ref().kind).map_err(|problem| source.at(spec, problem))?;
            table.edit(&mut world, spec, Edit::Rect(rect(spec.get_ref().rect), kind))?;
        }
        for (number, spec) in scenario.door.iter().enumerate() {
            let door = spec.get_ref();
            table.edit(&mut world, spec, Edit::AddDoor(rect(door.rect), door.key))?;
            table.edit(&mut world, spec, Edit::door(number as u16, door.open))?;
            if table.doors.insert(door.name.clone(), number as u16).is_some() {
                return Err(source.at(spec, format!("there are two doors `{}`", door.name)).into());
            }
        }
        table.spawn(&mut world)?;
        for spec in &scenario.order {
            table.check(&world, spec)?;
        }
        for spec in &scenario.edit {
            table.check_edit(&world, spec)?;
        }
        Ok((world, table))
    }

    /// Who goes by a name.
    pub fn units(&self, name: &str) -> &[UnitId] {
        self.units.get(name).map_or(&[], Vec::as_slice)
    }

    fn spawn(&mut self, world: &mut World) -> Result<(), Box<dyn Error>> {
        for spec in &self.scenario.unit {
            let unit = spec.get_ref();
            let wrong =
                |problem: String| -> Box<dyn Error> { self.source.at(spec, problem).into() };
            let class = match &unit.class {
                None => 0,
                Some(name) => world
                    .settings()
                    .classes
                    .iter()
                    .position(|class| class.name == *name)
                    .ok_or_else(|| wrong(format!("there is no class `{name}`")))?
                    as u16,
            };
            let make = |cell: Cell| Spawn::new(cell, class).team(unit.team);
            let mut units = Vec::new();
            for &[x, y] in &unit.at {
                let made = world.spawn(make(Cell::new(x, y)));
                units.push(made.map_err(|error| self.source.at(spec, error))?);
            }
            match (unit.area, unit.count) {
                (None, None) => {}
                (Some(area), Some(count)) => {
                    let mut cells = rect(area).cells();
                    while units.len() < count as usize {
                        let Some(cell) = cells.next() else {
                            return Err(wrong(format!(
                                "there is room for {} of {count} units in this area",
                                units.len()
                            )));
                        };
                        units.extend(world.spawn(make(cell)).ok());
                    }
                }
                _ => return Err(wrong("`area` and `count` go together".into())),
            }
            if units.is_empty() {
                return Err(wrong(
                    "say where these units are, with `at`, or `area` and `count`".into(),
                ));
            }
            self.units.entry(unit.name.clone()).or_default().extend(units);
        }
        Ok(())
    }

    fn check(&self, world: &World, spec: &Spanned<OrderSpec>) -> Result<(), Box<dyn Error>> {
        let order = spec.get_ref();
        let names = [Some(&order.units), order.follow.as_ref(), order.flee.as_ref()];
        for name in names.into_iter().flatten() {
            if !self.units.contains_key(name) {
                return Err(self.source.at(spec, format!("there are no units `{name}`")).into());
            }
        }
        let meant = order.order().map_err(|problem| self.source.at(spec, problem))?;
        if let Some(meant) = meant {
            world.check(&meant).map_err(|error| self.source.at(spec, error))?;
        }
        if let Some(places) = &order.places {
            let units = self.units(&order.units).len();
            if places.len() != units {
                let problem = format!("{} `places` for {units} units: one each", places.len());
                return Err(self.source.at(spec, problem).into());
            }
            for &[x, y] in places {
                let check = world.check(&Order::go((x, y)));
                check.map_err(|error| self.source.at(spec, error))?;
            }
        }
        Ok(())
    }

    fn check_edit(&self, world: &World, spec: &Spanned<EditSpec>) -> Result<(), Box<dyn Error>> {
        let edit = spec.get_ref();
        for area in [edit.block, edit.free].into_iter().flatten() {
            let meant = Edit::rect(rect(area), Tile::Free);
            world.check_edit(&meant).map_err(|error| self.source.at(spec, error))?;
        }
        for name in [&edit.open, &edit.close].into_iter().flatten() {
            if !self.doors.contains_key(name) {
                return Err(self.source.at(spec, format!("there is no door `{name}`")).into());
            }
        }
        if edit.every == Some(0) {
            return Err(self.source.at(spec, "`every` must be at least 1 tick").into());
        }
        let count = usize::from(edit.block.is_some())
            + usize::from(edit.free.is_some())
            + usize::from(edit.open.is_some())
            + usize::from(edit.close.is_some())
            + usize::from(edit.scatter.is_some());
        if count != 1 {
            let problem = "an edit is one of `block`, `free`, `open`, `close` and `scatter`";
            return Err(self.source.at(spec, problem).into());
        }
        Ok(())
    }

    /// Does what is due before the next tick; tells whose orders these are.
    pub fn apply(&mut self, world: &mut World) -> Result<Vec<UnitId>, Box<dyn Error>> {
        let now = world.now();
        for (number, spec) in self.scenario.edit.iter().enumerate() {
            if is_due(spec.get_ref(), now) {
                for edit in self.edits(world, number, spec.get_ref()) {
                    self.edit(world, spec, edit)?;
                }
            }
        }
        let mut ordered = Vec::new();
        for spec in &self.scenario.order {
            let order = spec.get_ref();
            if order.tick != now {
                continue;
            }
            let units: Vec<UnitId> = self
                .units(&order.units)
                .iter()
                .copied()
                .filter(|&unit| world.unit(unit).is_some())
                .collect();
            if units.is_empty() {
                continue;
            }
            ordered.extend(units.iter().copied());
            self.give(world, spec, &units)?;
        }
        Ok(ordered)
    }

    fn give(
        &self,
        world: &mut World,
        spec: &Spanned<OrderSpec>,
        units: &[UnitId],
    ) -> Result<(), Box<dyn Error>> {
        let order = spec.get_ref();
        let wrong = |error: &dyn std::fmt::Display| self.source.at(spec, error);
        let meant = order.order().map_err(|problem| wrong(&problem))?;
        if let Some(places) = &order.places {
            for (&unit, &[x, y]) in self.units(&order.units).iter().zip(places) {
                // Who is gone by now need not go.
                let go = Order::go((x, y));
                let given = match order.queue {
                    true => world.queue(unit, go),
                    false => world.order(unit, go),
                };
                match given {
                    Ok(_) | Err(blockstar_world::Error::Gone(_)) => {}
                    Err(error) => return Err(wrong(&error).into()),
                }
            }
            return Ok(());
        }
        let other =
            |name: &str| self.units(name).iter().copied().find(|&unit| world.unit(unit).is_some());
        let meant = match (meant, &order.follow, &order.flee) {
            (Some(meant), ..) => meant,
            (None, Some(name), _) => match other(name) {
                Some(whom) => Order::Follow { whom, min: 1, max: order.range() },
                None => return Ok(()),
            },
            (None, None, Some(name)) => match other(name) {
                Some(from) => Order::Flee { from, range: order.range() },
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let mut give = |who: blockstar_world::Who| {
            let given = match order.queue {
                true => world.queue(who, meant.clone()),
                false => world.order(who, meant.clone()),
            };
            given.map(drop).map_err(|error| wrong(&error))
        };
        if order.each || units.len() == 1 {
            units.iter().try_for_each(|&unit| give(unit.into()))?;
        } else {
            let group = world.group(units).map_err(|error| wrong(&error))?;
            let given = match order.queue {
                true => world.queue(group, meant),
                false => world.order(group, meant),
            };
            given.map_err(|error| wrong(&error))?;
        }
        Ok(())
    }

    fn edits(&mut self, world: &World, number: usize, spec: &EditSpec) -> Vec<Edit> {
        let door = |name: &Option<String>, open: bool| {
            let door = name.as_ref().and_then(|name| self.doors.get(name));
            door.map(|&door| Edit::door(door, open))
        };
        let mut edits: Vec<Edit> = Vec::new();
        edits.extend(spec.block.map(|area| Edit::rect(rect(area), Tile::Blocked)));
        edits.extend(spec.free.map(|area| Edit::rect(rect(area), Tile::Free)));
        edits.extend(door(&spec.open, true));
        edits.extend(door(&spec.close, false));
        if let Some(scatter) = &spec.scatter {
            let (random, walls) = self
                .scattered
                .entry(number)
                .or_insert_with(|| (Random::new(scatter.seed), Vec::new()));
            edits.extend(walls.drain(..).map(|wall| Edit::rect(wall, Tile::Free)));
            let (width, height) = scatter.size;
            for _ in 0..scatter.count {
                let place = |random: &mut Random, side: u32, part: u32| {
                    random.below(u64::from(side.saturating_sub(part)) + 1) as u32
                };
                let (x, y) =
                    (place(random, world.width(), width), place(random, world.height(), height));
                let wall = Rect::new(x, y, width.min(world.width()), height.min(world.height()));
                // Only where the ground is open, so that it can be opened again.
                if wall.cells().all(|cell| world.kind(cell) == blockstar_world::Kind::GROUND) {
                    edits.push(Edit::rect(wall, Tile::Blocked));
                    walls.push(wall);
                }
            }
        }
        edits
    }

    fn edit<T>(
        &self,
        world: &mut World,
        spec: &Spanned<T>,
        edit: Edit,
    ) -> Result<(), Box<dyn Error>> {
        world.edit(edit).map_err(|error| self.source.at(spec, error))?;
        Ok(())
    }
}

fn is_due(edit: &EditSpec, now: u64) -> bool {
    let Some(since) = now.checked_sub(edit.tick) else { return false };
    let in_time = edit.until.is_none_or(|until| now <= until);
    in_time && edit.every.map_or(since == 0, |every| since.is_multiple_of(every))
}
