//! HCDPS: hill climbing and dynamic programming search. All that is left to do on the way is climb.
//!
//! R. Lawrence & V. Bulitko, *Database-Driven Real-Time Heuristic Search in Video-Game Pathfinding*
//! (2013), whose text was not at hand; built from descriptions of it. The map is cut into
//! [regions] whose cells can all be climbed to from the region's representative and back, so every
//! cell belongs to one. Between the representatives of regions at most `depth` hops apart there are
//! optimal base paths, compressed to subgoals that are climbed to one after the other, and dynamic
//! programming tells for all pairs of regions which base path to take first ([`paths`]). An agent
//! looks up the regions of its start and its goal ([`region_map`]), climbs to its representative, along
//! the base paths and from the last representative to the goal. Nothing is searched, nothing learned,
//! and no cell is visited again and again.
//!
//! *Shortcuts*: before an agent sets out for a subgoal it looks whether it can climb straight to the
//! one after it, without moving. The paper does so at the start and at the end of the walk (`ends`);
//! here it is done at every subgoal and on the way there unless told otherwise (`all`).
//!
//! What differs, and why:
//! * A representative lies in the middle of the region that grows from the first cell without one, and
//!   the region is grown again from there.
//! * Climbing from the representative to a cell of its region and back stays inside the region. So the
//!   way back is known as soon as its first step is (climbing has no memory), which makes regions of
//!   97,000 cells in about 65 ms of a busy machine, and whether a region is sound depends on its own
//!   cells and those next to them.
//! * The paper stores the subgoals of whole paths for all pairs of regions. They are those of their
//!   base paths, so the next base path is all that is stored for a pair, in one byte.
//! * A step of hill climbing counts as an expansion, also when it is only tried for a shortcut. A move
//!   takes one, and up to [`LOOKS`] times the cut-off more where shortcuts are looked for.
//!
//! Published: total coverage, no cell visited again and again, a region map of about 10 % of the map. Measured
//! on the ten large Dragon Age maps: every problem solved, 2.8 % above the optimum over 1658 problems spread
//! evenly over the scenarios, at 4 expansions a move; the region map takes 3.5 % of two bytes a cell.
//!
//! **After an edit** only what it touched is made anew ([`repair`]), and the table of next hops is
//! dropped if base paths have changed: then a walk begins with a search over the regions ([`ways`]), which
//! adds at most one expansion for each region to the first move. Saving completes the table. Making everything
//! takes as long as 27 to 63 edits of free cells (hrt000d, orz100d, orz103d). Most of an edit goes into base paths
//! that ran through the cell, and a third into search memory of the map's size, which is not kept: it
//! would be twenty times what is prepared.

mod file;
mod paths;
mod region_map;
mod regions;
mod repair;
#[cfg(test)]
mod tests;
mod ways;

use crate::db::parameters::{
    MOVES_BITS, check_moves, memory_code, moves_code, read_memory, unchanged,
};
use crate::db::{self, Kind, Label};
use crate::engine::desk::Desk;
use crate::engine::flood::Ground;
use crate::engine::scratch::Task;
use crate::engine::walk::{self, Purse, Walker};
use crate::regions::climb::Climber;
use crate::rules::cost::Tariff;
use crate::rules::heuristic::Estimator;
use crate::{Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Query, Rect, Scratch, Status};
use paths::{Hops, Paths};
use region_map::RegionMap;
use regions::{NONE, Regions};
use repair::Links;
use ways::Ways;

/// The name in the registry.
const NAME: &str = "hcdps";

/// The most shortcuts that are looked for before a move, the straight way to the goal included.
const LOOKS: u32 = 4;

/// After how many moves an agent looks for shortcuts on its way to a subgoal. Mean suboptimality at
/// depth 2 on the ten large Dragon Age maps: 5.3 % without, 3.1 % with 16, 2.6 % with 8 and 2.4 % with
/// 4, at 1.6, 2.2 and 3.4 times the median time.
const LOOK_EVERY: u64 = 16;

/// How a database is made and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many hops apart regions may be to have a base path: 1 to 4.
    pub depth: u32,
    /// The most steps of a climb: 1 to 10,000.
    pub cut_off: u32,
    /// Where shortcuts are looked for.
    pub shortcuts: Shortcuts,
    /// The bytes that the database may take.
    pub memory: usize,
}

/// Where an agent looks for shortcuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shortcuts {
    /// At the start and before the goal, as published.
    Ends,
    /// At every subgoal, and every 16 moves on the way there.
    #[default]
    All,
}

impl Default for Settings {
    fn default() -> Self {
        Self { depth: 2, cut_off: 64, shortcuts: Shortcuts::All, memory: 256 << 20 }
    }
}

/// A planner whose agents climb from subgoal to subgoal, with everything prepared.
///
/// The registry makes it without further ado; made by hand it can be saved.
///
/// ```
/// use blockstar::{Cell, Grid, Hcdps, HcdpsSettings, Moves, Planner, Query, Scratch, Status};
/// let grid = Grid::from_ascii(
///     ".....
///      .###.
///      .....",
/// )?;
/// let database = Hcdps::build(&grid, Moves::EIGHT, HcdpsSettings::default())?;
/// let bytes = database.save();
///
/// let opened = Hcdps::open(&bytes, &grid, Moves::EIGHT)?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 1), Cell::new(4, 1));
/// assert_eq!(opened.find(&grid, &query, &mut scratch)?, Status::Found);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct Hcdps {
    desk: Desk,
    settings: Settings,
    data: Data,
    links: Links,
    /// Whether it was repaired since everything was made.
    repaired: bool,
    /// The version and the content hash of the grid that the data is of.
    version: u64,
    content: u64,
}

/// What is prepared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Data {
    representatives: Vec<u32>,
    map: RegionMap,
    paths: Paths,
    hops: Hops,
}

/// The subgoals ahead of an agent.
#[derive(Debug, Default)]
pub(crate) struct Course {
    queue: Vec<u32>,
    head: usize,
    /// The region whose representative is the last of the queue, but for the goal.
    region: u32,
    goal_region: u32,
    /// Whether the goal is in the queue.
    closed: bool,
    /// The way over the regions where there is no table of hops.
    ways: Ways,
}

impl Course {
    pub fn bytes(&self) -> usize {
        self.queue.capacity() * 4 + self.ways.bytes()
    }

    fn next(&self) -> Option<u32> {
        self.queue.get(self.head).copied()
    }
}

impl Hcdps {
    /// Prepares the database, on all cores.
    pub fn build(grid: &Grid, moves: Moves, settings: Settings) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves, settings)?;
        planner.rebuild(grid)?;
        Ok(planner)
    }

    fn bare(grid: &Grid, moves: Moves, settings: Settings) -> Result<Self, Error> {
        if moves.rule().is_any_angle() {
            return Err(Error::Unsupported {
                planner: NAME,
                what: format!("the movement rule `{}`", moves.rule().name()),
                remedy: "it supports four, eight, eight-cut-one, eight-cut-any".into(),
            });
        }
        if grid.has_costs() {
            return Err(Error::no_terrain(NAME, moves));
        }
        for (what, value, range, words) in [
            ("the depth", settings.depth, 1..=4, "from 1 to 4"),
            ("the cut-off", settings.cut_off, 1..=10_000, "from 1 to 10,000"),
        ] {
            if !range.contains(&value) {
                return Err(Error::Range { what, value: value.into(), range: words });
            }
        }
        let (version, content) = (grid.version(), grid.content_hash());
        let desk = Desk::new(NAME, grid, moves);
        Ok(Self {
            desk,
            settings,
            data: Data::default(),
            links: Links::default(),
            repaired: false,
            version,
            content,
        })
    }

    fn rebuild(&mut self, grid: &Grid) -> Result<(), Error> {
        // Queries on terrain are refused, so it need not be looked at.
        (self.data, self.links) = if grid.has_costs() {
            Default::default()
        } else {
            Data::new(grid, self.desk.moves(), self.settings)?
        };
        (self.version, self.content) = (grid.version(), grid.content_hash());
        self.repaired = false;
        Ok(())
    }

    /// Makes what is prepared right after an edit, without making everything anew. False if that would not
    /// be worth it.
    fn repair(&mut self, grid: &Grid) -> bool {
        let Some(changes) = grid.changes_since(self.version) else { return false };
        let changes: Vec<Rect> = changes.filter(|rect| rect.width * rect.height > 0).collect();
        let area = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        let edited: u64 = changes.iter().map(area).sum();
        let few = edited <= grid.free_cells() as u64 / 16 + 64;
        // Without a map of regions if there was terrain before.
        if grid.has_costs() || !few || self.data.map.starts.is_empty() {
            return false;
        }
        let (data, moves) = (&mut self.data, self.desk.moves());
        data.repair(&mut self.links, grid, moves, self.settings, &changes)
    }

    /// What it was made with.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.data.representatives.iter().filter(|&&node| node != NONE).count()
    }

    /// How many base paths there are, each direction counted.
    pub fn base_paths(&self) -> usize {
        self.data.paths.ends.len()
    }

    /// How many subgoals all base paths have together.
    pub fn subgoals(&self) -> usize {
        self.data.paths.subgoals.len()
    }

    /// The database as bytes for [`Hcdps::open`]. After a repair this makes the table of next hops.
    pub fn save(&self) -> Vec<u8> {
        let payload = if self.data.hops.is_dropped() {
            self.data.completed(&self.links.costs).write()
        } else {
            self.data.write()
        };
        let mut label = label(self.content, self.desk.moves(), self.settings);
        label.parameters |= if self.repaired { REPAIRED } else { 0 };
        db::seal(label, &payload)
    }

    /// A database that was [saved](Hcdps::save), for the same map and movement rule, with the depth, the
    /// cut-off and the limit of memory that it was made with. Everything else is refused: other files, damaged and truncated
    /// ones, those of another version, another map or another rule.
    pub fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let whole = db::Whole::of(bytes, Kind::Hcdps)?;
        check_moves(whole.parameters, moves).map_err(|problem| Kind::Hcdps.refuse(problem))?;
        let settings = read_settings(whole.parameters);
        let mut planner = Self::bare(grid, moves, settings)
            .map_err(|error| Kind::Hcdps.refuse(error.to_string()))?;
        if whole.grid != planner.content {
            return Err(
                Kind::Hcdps.refuse("it was made for another map, or for this one before an edit")
            );
        }
        let climber = Climber::new(grid, moves);
        planner.data = Data::read(whole.payload, grid, climber, settings.cut_off, |a, b| {
            planner.desk.connects(a, b)
        })
        .ok_or_else(|| Kind::Hcdps.refuse("its paths make no sense for this map: make it anew"))?;
        planner.repaired = whole.parameters & REPAIRED != 0;
        planner.links = Links::of(&planner.data, grid, moves);
        Ok(planner)
    }

    /// The same with shortcuts at other places.
    #[must_use]
    pub fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Self {
        self.settings.shortcuts = shortcuts;
        self
    }

    /// The same with another limit of memory for what is made after edits.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.settings.memory = bytes;
        self
    }

    /// Puts what comes after the queue's last subgoal behind it, until two are ahead.
    fn refill(&self, course: &mut Course, goal: u32) {
        while !course.closed && course.queue.len() < course.head + 2 {
            if course.region == course.goal_region {
                course.queue.push(goal);
                course.closed = true;
                return;
            }
            let Data { representatives, paths, hops, .. } = &self.data;
            let count = representatives.len();
            let index = course.region as usize * count + course.goal_region as usize;
            let next = if hops.is_dropped() {
                course.ways.legs.pop().map(|path| path as usize)
            } else {
                hops.get(index).map(|hop| paths.from(course.region).start + hop)
            };
            // The desk has seen that there is a way.
            let Some(path) = next else { return };
            course.region = paths.ends[path];
            course.queue.extend_from_slice(paths.subgoals(path));
            course.queue.push(representatives[course.region as usize]);
        }
    }

    /// Searches the regions for the way, as the table would have told it.
    fn seek(&self, grid: &Grid, course: &mut Course, purse: &mut Purse) -> Option<()> {
        let Data { representatives, paths, .. } = &self.data;
        let costs = &self.links.costs;
        let (rows, moves) = (grid.rows(), self.desk.moves());
        let place = |region: u32| rows.coordinates(representatives[region as usize]);
        let tariff = Tariff::<u64>::new(grid, moves);
        let to = place(course.goal_region);
        let estimator = Estimator::new(Heuristic::default_for(moves), &tariff, to);
        let estimate = |region: u32| {
            let (x, y) = place(region);
            estimator.estimate(x, y)
        };
        course.ways.find((course.region, course.goal_region), (paths, costs), estimate, purse)
    }

    /// Whether an agent looks for shortcuts before its next move: at a subgoal and now and then on the
    /// way there.
    fn looks(&self, course: &Course, at: u32, moves: u64) -> bool {
        let often = self.settings.shortcuts == Shortcuts::All && moves.is_multiple_of(LOOK_EVERY);
        often || course.next().is_none_or(|next| next == at)
    }

    /// Whether an agent can climb from one node to another; nothing if the purse is empty.
    fn look(&self, climber: &Climber<'_>, from: u32, to: u32, purse: &mut Purse) -> Option<bool> {
        let mut steps = 0;
        let arrives = climber.climb(from, to, self.settings.cut_off, |_| steps += 1).is_some();
        (0..steps).all(|_| purse.pay()).then_some(arrives)
    }

    /// Chooses the subgoal to climb to from here.
    fn aim(
        &self,
        climber: &Climber<'_>,
        course: &mut Course,
        at: u32,
        goal: u32,
        first: bool,
        purse: &mut Purse,
    ) -> Option<()> {
        self.refill(course, goal);
        while course.next() == Some(at) {
            course.head += 1;
            self.refill(course, goal);
        }
        let everywhere = first || self.settings.shortcuts == Shortcuts::All;
        for _ in usize::from(first)..LOOKS as usize {
            let Some(&beyond) = course.queue.get(course.head + 1) else { break };
            let wanted = everywhere || beyond == goal;
            if !wanted || !self.look(climber, at, beyond, purse)? {
                break;
            }
            course.head += 1;
            self.refill(course, goal);
        }
        Some(())
    }
}

impl Data {
    fn new(grid: &Grid, moves: Moves, settings: Settings) -> Result<(Self, Links), Error> {
        let Settings { depth, cut_off, memory, .. } = settings;
        let ground = Ground::new(grid, moves);
        let climber = Climber::new(grid, moves);
        let regions = Regions::new(grid, climber, cut_off);
        let count = regions.representatives.len();
        let refuse = |bytes: usize| Error::Parameter {
            planner: NAME,
            given: format!("memory={}", memory >> 20),
            reason: format!(
                "this map has {count} hill-climbable regions, whose table takes {} MiB and more, and \
                 the limit is {} MiB: allow more, or use another planner",
                bytes.div_ceil(1 << 20),
                memory >> 20
            ),
        };
        let least = Hops::size(count, 0);
        if least > memory || count >= 1 << 16 {
            return Err(refuse(least));
        }
        let map = RegionMap::new(grid, &regions);
        let (paths, costs, neighbours) = Paths::new(&ground, climber, &regions, depth, cut_off);
        let bytes = Hops::size(count, Hops::most(&paths)) + paths.bytes() + map.bytes();
        if bytes > memory {
            return Err(refuse(bytes));
        }
        let hops = Hops::new(&paths, &costs);
        let data = Self { representatives: regions.representatives, map, paths, hops };
        Ok((data, Links::new(neighbours, costs)))
    }
}

/// The bit of a database's parameters that tells that it was repaired: nobody makes the same one anew.
const REPAIRED: u64 = 1 << 63;

/// What marks the database of a map, a rule and settings.
fn label(content: u64, moves: Moves, settings: Settings) -> Label {
    let Settings { depth, cut_off, memory, .. } = settings;
    let settings = u64::from(depth) | u64::from(cut_off) << 8 | memory_code(memory) << 24;
    let parameters = moves_code(moves) | settings << MOVES_BITS;
    Label { kind: Kind::Hcdps, parameters, grid: content }
}

/// The settings that the parameters of a database name.
fn read_settings(parameters: u64) -> Settings {
    let code = parameters >> MOVES_BITS;
    let (depth, cut_off) = (code as u32 & 0xff, (code >> 8) as u32 & 0xffff);
    Settings { depth, cut_off, memory: read_memory(code >> 24), ..Settings::default() }
}

/// The planner that makes a database with these parameters, if it was made and not repaired.
pub(crate) fn maker(parameters: u64) -> Option<String> {
    let Settings { depth, cut_off, memory, .. } = read_settings(parameters);
    let memory = (memory >> 20).min(1 << 20);
    (parameters & REPAIRED == 0)
        .then(|| format!("{NAME}:depth={depth}:cut-off={cut_off}:memory={memory}"))
}

impl Walker for Hcdps {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn most_work(&self, scratch: &Scratch) -> u64 {
        let looks = self.looks(&scratch.course, scratch.walk.at(), scratch.stats.moves);
        1 + if looks { u64::from(LOOKS * self.settings.cut_off) } else { 0 }
    }

    fn next_move(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<u32> {
        let Scratch { walk, course, stats, .. } = scratch;
        let climber = Climber::new(grid, self.desk.moves());
        let (at, first) = (walk.at(), stats.moves == 0);
        let goal = grid.rows().position(task.goal_cell.x, task.goal_cell.y);
        if first {
            course.queue.clear();
            (course.head, course.closed) = (0, false);
            course.region = self.data.map.region(task.start_cell);
            course.goal_region = self.data.map.region(task.goal_cell);
            if self.look(&climber, at, goal, purse)? {
                course.queue.push(goal);
                course.closed = true;
            } else {
                course.queue.push(self.data.representatives[course.region as usize]);
                if self.data.hops.is_dropped() {
                    self.seek(grid, course, purse)?;
                }
                self.aim(&climber, course, at, goal, true, purse)?;
            }
        } else if self.looks(course, at, stats.moves) {
            self.aim(&climber, course, at, goal, false, purse)?;
        }
        if !purse.pay() {
            return None;
        }
        let mut next = None;
        climber.climb(at, course.next()?, 1, |node| next = Some(node));
        next
    }
}

impl Planner for Hcdps {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        // Behind the rest of the planner only if an update has failed.
        if self.version != grid.version() {
            let (known, now) = (self.version, grid.version());
            return Err(Error::Stale { who: "the planner", known, now });
        }
        walk::begin(&self.desk, grid, query, scratch, false)?;
        scratch.course.queue.clear();
        scratch.course.head = 0;
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        walk::resume(self, grid, scratch, budget)
    }

    /// Makes anew what the edit touched; everything if that is a large part of the map, or if the regions
    /// have become many more than they were.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        if unchanged(grid, self.version) {
            self.version = grid.version();
            return Ok(Default::default());
        }
        if !self.repair(grid) {
            return self.rebuild(grid).map(|()| Default::default());
        }
        self.repaired = true;
        (self.version, self.content) = (grid.version(), grid.content_hash());
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.save())
    }

    fn memory_usage(&self) -> Memory {
        let Data { representatives, map, paths, hops } = &self.data;
        self.desk
            .memory()
            .with("region map", map.bytes())
            .with("paths", paths.bytes() + representatives.len() * 4)
            .with("next hops", hops.bytes())
            .with("repairs", self.links.bytes())
    }
}
