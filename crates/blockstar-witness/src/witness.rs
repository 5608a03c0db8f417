//! Somebody who watches a world from outside and counts: collisions, arrivals, waiting, work.

use crate::Summary;
use blockstar::{Cell, DistanceMap, Error, Grid, Moves, Path};
use blockstar_world::crowd::{Checker, Moved};
use blockstar_world::{Event, Goal, How, Order, Stepping, UnitId, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How far discs may overlap before they touch, in cells: positions are rounded to 1/1024.
const TOLERANCE: f32 = 0.004;

/// Where a disc is, and its radius.
type Disc = ([f32; 2], f32);

/// How many pairs of discs touch, and how many discs touch a wall. A disc lies in its cells if
/// those are in a square of its class that is free.
fn touching(world: &World) -> u64 {
    let mut blocks: BTreeMap<(i32, i32), Vec<Disc>> = BTreeMap::new();
    let mut found = 0;
    // No disc is wider than two blocks.
    const SIDE: f32 = 16.0;
    for unit in world.units() {
        let ([x, y], radius) = (unit.position(1.0), unit.radius());
        let block = ((x / SIDE) as i32, (y / SIDE) as i32);
        for by in -1..=1 {
            for bx in -1..=1 {
                let near = blocks.get(&(block.0 + bx, block.1 + by)).into_iter().flatten();
                let touches = |&&(at, other): &&Disc| {
                    (at[0] - x).hypot(at[1] - y) < radius + other - TOLERANCE
                };
                found += near.filter(touches).count() as u64;
            }
        }
        blocks.entry(block).or_default().push(([x, y], radius));
        let Some(grid) = world.grid(unit.class()) else { continue };
        let side = i64::from(unit.size());
        let fits = |x: i64, y: i64| {
            let free = |x: i64, y: i64| x >= 0 && y >= 0 && grid.is_free((x as u32, y as u32));
            (0..side).any(|i| (0..side).any(|j| free(x - i, y - j)))
        };
        let reach = radius - TOLERANCE;
        let range = |v: f32| (v - reach).floor() as i64..=(v + reach).floor() as i64;
        let gap = |v: f32, cell: i64| v.clamp(cell as f32, cell as f32 + 1.0) - v;
        let in_wall = range(y)
            .any(|cy| range(x).any(|cx| gap(x, cx).hypot(gap(y, cy)) < reach && !fits(cx, cy)));
        found += u64::from(in_wall);
    }
    found
}

/// What was seen.
pub struct Witness {
    times: Vec<f64>,
    places: BTreeMap<UnitId, Cell>,
    /// Judges pairs of units, on a map without walls: these are looked up by class.
    checker: Checker,
    open: Grid,
    /// When units that have not moved yet were first told to.
    waiting: BTreeMap<UnitId, u64>,
    /// The goal of each unit's last order, with the number of the order.
    goals: BTreeMap<UnitId, (u64, Cell)>,
    /// When units arrived for the last time.
    arrived: BTreeMap<UnitId, u64>,
    stranded: BTreeMap<UnitId, u64>,
    summary: Summary,
    spent: u64,
    most_spent: u64,
    longest_quick: u64,
    oldest: u64,
    gave_up: u32,
    displaced: u32,
    /// The cells of the map that are next to each other and full, at the worst.
    density: usize,
}

impl Witness {
    /// Begins to watch.
    pub fn new(world: &World) -> Result<Self, Error> {
        let open = Grid::new(world.width(), world.height())?;
        Ok(Self {
            times: Vec::new(),
            places: world.units().map(|unit| (unit.id(), unit.cell())).collect(),
            checker: Checker::new(&open),
            open,
            waiting: BTreeMap::new(),
            goals: BTreeMap::new(),
            arrived: BTreeMap::new(),
            stranded: BTreeMap::new(),
            summary: Summary::default(),
            spent: 0,
            most_spent: 0,
            longest_quick: 0,
            oldest: 0,
            gave_up: 0,
            displaced: 0,
            density: 0,
        })
    }

    /// Takes note of who was told to go somewhere.
    pub fn note_orders(&mut self, world: &World, units: &[UnitId]) {
        for &unit in units {
            let Some(view) = world.unit(unit) else { continue };
            let Some((order, Order::Move { to, .. })) = view.orders().last() else { continue };
            if !self.goals.contains_key(&unit) {
                self.waiting.insert(unit, world.now());
            }
            self.arrived.remove(&unit);
            self.stranded.remove(&unit);
            if let Goal::Cell(cell) | Goal::Near(cell, _) = to {
                self.goals.insert(unit, (order.number(), *cell));
            }
        }
    }

    /// How many units are at their goals.
    pub fn arrived(&self) -> u32 {
        self.arrived.len() as u32
    }

    /// The most ticks that somebody waited for a quick path.
    pub fn longest_quick_wait(&self) -> u64 {
        self.longest_quick
    }

    /// Looks at a world after a tick that took so long.
    pub fn look(&mut self, world: &World, seconds: f64) {
        self.times.push(seconds);
        let (now, stats) = (world.now(), world.stats());
        let mut moved_by_edit = Vec::new();
        for event in world.events() {
            match *event {
                Event::Arrived(unit, _, how) => {
                    self.arrived.insert(unit, now);
                    self.summary.tasks_finished += 1;
                    self.waiting.remove(&unit);
                    if how == How::Nearest {
                        self.stranded.insert(unit, now);
                    } else {
                        self.stranded.remove(&unit);
                    }
                }
                Event::Waypoint(..) => self.summary.tasks_finished += 1,
                Event::PathChanged(..) => self.summary.replans += 1,
                Event::Started(unit, _) => {
                    if let Some(since) = self.waiting.remove(&unit) {
                        let waited = (now - since) as u32;
                        let longest = &mut self.summary.first_step_ticks_max;
                        *longest = (*longest).max(waited);
                    }
                }
                Event::GaveUp(..) => self.gave_up += 1,
                Event::Displaced(unit, _) => {
                    self.displaced += 1;
                    moved_by_edit.push(unit);
                }
                _ => {}
            }
        }
        self.spent += stats.spent.total();
        self.most_spent = self.most_spent.max(stats.spent.total());
        self.longest_quick = self.longest_quick.max(stats.quick_wait);
        self.oldest = self.oldest.max(stats.oldest);
        self.summary.over_budget_ticks += u32::from(!stats.is_within(world.settings().budget));
        self.judge(world, &moved_by_edit);
        if now.is_multiple_of(60) {
            self.measure_density(world);
        }
    }

    /// Counts who is in a wall, who shares a cell, and who passed through another.
    fn judge(&mut self, world: &World, moved_by_edit: &[UnitId]) {
        let stepping = world.settings().stepping;
        let moves = world.settings().moves;
        let mut all = Vec::new();
        for unit in world.units() {
            let (id, to) = (unit.id(), unit.cell());
            let from = self.places.get(&id).copied().filter(|_| !moved_by_edit.contains(&id));
            let from = from.unwrap_or(to);
            let grid = world.grid(unit.class());
            let legal = grid.is_some_and(|grid| {
                grid.is_free(to)
                    && (from == to
                        || moves.rule().is_any_angle()
                        || stepping == Stepping::Plane
                        || !grid.is_free(from)
                        || Path::new(grid, moves, [from, to]).still_valid(grid))
            });
            self.summary.collisions += u64::from(!legal);
            all.push(Moved { from, to, size: unit.size() });
            self.places.insert(id, to);
        }
        match stepping {
            Stepping::Ghost => {}
            Stepping::Plane => self.summary.collisions += touching(world),
            Stepping::Cells => {
                let wrong = self.checker.check(&self.open, moves.rule(), &all);
                self.summary.collisions += wrong.len() as u64;
            }
        }
    }

    fn measure_density(&mut self, world: &World) {
        let mut blocks: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for cell in world.units().map(|unit| unit.cell()) {
            *blocks.entry((cell.x / 8, cell.y / 8)).or_default() += 1;
        }
        self.density = self.density.max(blocks.values().copied().max().unwrap_or(0));
    }

    /// A tick as a line of JSON.
    pub fn tick(&self, world: &World, seconds: f64) -> Value {
        let stats = world.stats();
        json!({
            "tick": world.now(),
            "units": world.len(),
            "us": (seconds * 1e6).round(),
            "expansions": stats.spent.total(),
            "quick": stats.spent.quick,
            "full": stats.spent.full,
            "repair": stats.spent.repair,
            "fields": stats.spent.fields,
            "steps": stats.spent.steps,
            "queued": stats.queued,
            "oldest": stats.oldest,
            "movers": stats.movers,
            "held": stats.held,
            "arrived": self.arrived.len(),
            "collisions": self.summary.collisions,
        })
    }

    /// What it comes to.
    pub fn summary(mut self, world: &World) -> Summary {
        let mut summary = std::mem::take(&mut self.summary);
        summary.ticks = world.now() as u32;
        summary.agents = world.len() as u32;
        summary.arrived = self.arrived.len() as u32;
        summary.unreachable = self.stranded.len() as u32;
        // Who has not set off by now has waited until now.
        for (unit, since) in &self.waiting {
            if world.unit(*unit).is_some() {
                let waited = (world.now() - since) as u32;
                summary.first_step_ticks_max = summary.first_step_ticks_max.max(waited);
            }
        }
        summary.set_times(&self.times);
        summary.sum_of_costs = self.arrived.values().sum();
        summary.makespan = self.arrived.values().max().copied().unwrap_or(0) as u32;
        let (bytes, all) = world.memory_usage();
        summary.bytes_per_unit = (bytes / world.len().max(1)) as u64;
        summary.state_hash = format!("{:016x}", world.hash().whole);
        let mut times: Vec<u64> = self.arrived.values().copied().collect();
        times.sort_unstable();
        let at = |percent: usize| times.get(times.len() * percent / 100).copied();
        let seconds: f64 = self.times.iter().sum();
        let more = [
            ("arrival_p50", json!(at(50))),
            ("arrival_p95", json!(at(95))),
            ("outside_radius", json!(self.outside(world))),
            ("gave_up", json!(self.gave_up)),
            ("displaced", json!(self.displaced)),
            ("quick_path_ticks_max", json!(self.longest_quick)),
            ("oldest_ticket_ticks", json!(self.oldest)),
            ("expansions_max", json!(self.most_spent)),
            ("expansions_total", json!(self.spent)),
            ("budget", json!(world.settings().budget.total())),
            ("peak_units_per_8x8", json!(self.density)),
            ("cpu_s", json!((seconds * 1e3).round() / 1e3)),
            ("memory_mb", json!((all as f64 / 1e5).round() / 10.0)),
        ];
        summary.more = more.into_iter().map(|(name, value)| (name.into(), value)).collect();
        summary
    }

    /// How many units that arrived stand farther from their goal than those of their order need to:
    /// the distance of as many cells as there are units, nearest first, and a fifth more.
    fn outside(&self, world: &World) -> u32 {
        let mut orders: BTreeMap<(u64, Cell, u16), Vec<UnitId>> = BTreeMap::new();
        for (unit, (order, goal)) in &self.goals {
            let there = self.arrived.contains_key(unit) && !self.stranded.contains_key(unit);
            if let Some(view) = world.unit(*unit).filter(|_| there) {
                orders.entry((*order, *goal, view.class())).or_default().push(*unit);
            }
        }
        // Units of several orders may have one goal.
        let mut members: BTreeMap<(Cell, u16), Vec<UnitId>> = BTreeMap::new();
        for ((_, goal, class), units) in orders {
            members.entry((goal, class)).or_default().extend(units);
        }
        let mut outside = 0;
        for ((goal, class), units) in members {
            let Some(grid) = world.grid(class) else { continue };
            let moves = match world.settings().moves.rule().is_any_angle() {
                true => Moves::EIGHT,
                false => world.settings().moves,
            };
            let Ok(map) = DistanceMap::new(grid, moves, [goal]) else { continue };
            let distance = |cell: Cell| map.distance(grid, cell).ok().flatten();
            let cells = blockstar::Rect::new(0, 0, grid.width(), grid.height()).cells();
            let mut near: Vec<f64> = cells.filter_map(distance).collect();
            near.sort_by(f64::total_cmp);
            let side = world.settings().classes[usize::from(class)].size;
            let needed = units.len() * usize::from(side) * usize::from(side);
            let radius = near.get(needed).or(near.last()).copied().unwrap_or(0.0);
            let bound = 1.2 * radius + 2.0 + f64::from(side);
            for unit in units {
                let cell = world.unit(unit).map_or(goal, |view| view.cell());
                outside += u32::from(distance(cell).is_none_or(|far| far > bound));
            }
        }
        outside
    }
}
