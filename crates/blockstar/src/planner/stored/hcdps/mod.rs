//! HCDPS: hill climbing and dynamic programming search. An agent only has to climb.
//!
//! R. Lawrence & V. Bulitko, *Database-Driven Real-Time Heuristic Search in Video-Game Pathfinding*
//! (2013). The text was not at hand; this is built from descriptions of it. The map is cut into
//! [regions] whose cells can all be climbed to from the region's representative and back; every
//! cell belongs to one. The representatives of regions at most `depth` hops apart are joined by
//! optimal base paths, compressed to subgoals that are climbed to one after the other, and dynamic
//! programming finds for all pairs of regions which base path to take first ([`paths`]). An agent
//! looks up the regions of its start and its goal ([`region_map`]) and climbs to its
//! representative, along the base paths and from the last representative to the goal. Nothing is
//! searched, nothing is learned, and no cell is visited over and over.
//!
//! *Shortcuts*: before an agent sets off for a subgoal it checks, without moving, whether it can
//! climb straight to the one after it. The paper does so at the start and at the end of the walk
//! (`ends`); here the default is to do it at every subgoal and on the way there (`all`).
//!
//! What differs, and why:
//! * A representative is the middle of the region that grows from the first cell without one, and
//!   the region is grown again from there.
//! * Climbing from the representative to a cell of its region and back stays inside the region. So
//!   the way back is known once its first step is (climbing has no memory), which makes regions of
//!   97,000 cells in about 65 ms on a busy machine, and whether a region is sound depends only on
//!   its own cells and those next to them.
//! * The paper stores the subgoals of whole paths for all pairs of regions. Those are the subgoals
//!   of their base paths, so only the next base path is stored for a pair, in one byte.
//! * A step of hill climbing counts as an expansion, even when it is only tried for a shortcut. A
//!   move takes one, and where shortcuts are looked for up to [`LOOKS`] times the cut-off more.
//!
//! Published: total coverage, no cell visited over and over, a region map of about 10 % of the map.
//! Measured on the ten large Dragon Age maps: every problem solved, 2.8 % above the optimum over
//! 1658 problems spread evenly over the scenarios, at 4 expansions a move; the region map takes 3.5
//! % of two bytes a cell.
//!
//! **After an edit** only what it touched is recomputed ([`repair`]), and the table of next hops is
//! dropped if base paths have changed. Until everything is prepared again, a walk then begins with
//! a search over the regions ([`ways`]), which adds at most one expansion per region to the first
//! move. Saving fills in the table. Preparing everything takes as long as 27 to 63 edits of free
//! cells (hrt000d, orz100d, orz103d). Most of the time of an edit goes into base paths that ran
//! through the cell, and a third into search memory of the map's size, which is not kept: it would
//! be twenty times the size of the prepared data.

mod file;
mod paths;
mod region_map;
mod regions;
mod repair;
#[cfg(test)]
mod tests;
mod ways;

use crate::db::parameters::{MOVES_BITS, memory_code, moves_code, read_memory, read_moves};
use crate::db::{self, DatabaseKind, Label};
use crate::engine::flood::Ground;
use crate::engine::layer::centre;
use crate::engine::walk::{self, Agent, AgentTurn, Purse};
use crate::engine::{Changes, Driver, MemoryPool, Method, Problem, SearchMemory, Searched, Slice};
use crate::grid::components::Components;
use crate::regions::climb::Climber;
use crate::registry::{SavedFile, kind, parameters, settings};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::{
    Algorithm, Error, Grid, Hcdps, Heuristic, Layer, Memory, Moves, PlannerSpec, Preparation,
    Promise, Rect, Shapes, Update,
};
use paths::{Hops, Paths};
use region_map::RegionMap;
use regions::{NONE, Regions};
use repair::Links;
use ways::Ways;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "hcdps",
    summary: "HCDPS: climbs from subgoal to subgoal between hill-climbable regions",
    source: "Lawrence & Bulitko 2013",
    promise: Promise::RealTime,
    preparation: Preparation::Wide,
    parameters: &[DEPTH, CUT_OFF, SHORTCUTS, MEMORY],
    files: &[SavedFile { kind: DatabaseKind::Hcdps, moves: read_moves, maker }],
    open: Some(|spec, bytes, grid, moves| {
        let opened = HcdpsPlanner::open(bytes, grid, moves)?;
        let (wanted, made) = (settings(spec), opened.method().settings);
        for (name, wanted, made) in
            [(DEPTH.name, wanted.depth, made.depth), (CUT_OFF.name, wanted.cut_off, made.cut_off)]
        {
            if spec.given(name).is_some() && wanted != made {
                let reason = format!("the database was made with {made}: leave it out");
                return Err(spec.refuse(&format!("{name}={wanted}"), reason));
            }
        }
        let given = spec.given(MEMORY.name).is_some();
        let memory = if given { wanted.memory } else { made.memory };
        Ok(Box::new(opened.with_shortcuts(wanted.shortcuts).with_memory(memory)))
    }),
    make: |spec, grid, moves| Ok(Box::new(HcdpsPlanner::build(grid, moves, settings(spec))?)),
    ..Algorithm::BASE
};

settings! { kind::Hcdps:
    /// The maximum number of regions a base path may span, 1 to 4; by default 2.
    depth(regions: u32) = "depth", regions;
    /// The most steps of a climb, by default 64.
    cut_off(steps: u32) = "cut-off", steps;
    /// Looks for shortcuts only at both ends of the walk.
    shortcuts_at_ends() = "shortcuts", "ends";
    /// The largest database in MiB, by default 256; a map that needs more is refused.
    memory(mebibytes: u32) = "memory", mebibytes;
}

parameters! {
    DEPTH = "depth", "1-4", "2", "how many regions apart base paths may lead";
    CUT_OFF = "cut-off", "1-10000", "64", "the most steps of a climb";
    SHORTCUTS = "shortcuts", "all|ends", "all",
        "look for shortcuts everywhere or at both ends of the walk only";
    MEMORY = "memory", "0-1048576", "256",
        "the MiB that the database may take; a map that needs more is refused";
}

fn settings(spec: &PlannerSpec) -> HcdpsSettings {
    HcdpsSettings {
        depth: spec.number(DEPTH.name),
        cut_off: spec.number(CUT_OFF.name),
        shortcuts: match spec.word(SHORTCUTS.name) {
            "ends" => Shortcuts::Ends,
            _ => Shortcuts::All,
        },
        memory: spec.mebibytes(MEMORY.name),
    }
}

/// The most shortcuts that are looked for before a move, including the straight way to the goal.
const LOOKS: u32 = 4;

/// How many moves an agent makes between two looks for shortcuts on its way to a subgoal. Mean
/// suboptimality at depth 2 on the ten large Dragon Age maps: 5.3 % without, 3.1 % with 16, 2.6 %
/// with 8 and 2.4 % with 4, at 1.6, 2.2 and 3.4 times the median time.
const LOOK_EVERY: u64 = 16;

/// How a database is made and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HcdpsSettings {
    /// The most hops between regions joined by a base path: 1 to 4.
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
pub(crate) enum Shortcuts {
    /// At the start and before the goal, as published.
    Ends,
    /// At every subgoal, and every 16 moves on the way there.
    #[default]
    All,
}

impl Default for HcdpsSettings {
    fn default() -> Self {
        Self { depth: 2, cut_off: 64, shortcuts: Shortcuts::All, memory: 256 << 20 }
    }
}

/// The planner around the database.
type HcdpsPlanner = Driver<HcdpsDatabase>;

/// What an [`Hcdps`] has prepared for a map.
#[derive(Clone, Debug)]
pub(crate) struct HcdpsDatabase {
    settings: HcdpsSettings,
    data: Data,
    links: Links,
    /// Whether it was repaired since it was built.
    repaired: bool,
}

/// What walking relies on, and what is saved.
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
    /// The region whose representative is the last subgoal in the queue before the goal.
    region: u32,
    goal_region: u32,
    /// Whether the goal is in the queue.
    closed: bool,
    /// The way over the regions where there is no table of hops.
    ways: Ways,
}

impl SearchMemory for Course {
    fn bytes(&self) -> usize {
        self.queue.capacity() * 4 + self.ways.bytes()
    }
}

impl Course {
    fn next(&self) -> Option<u32> {
        self.queue.get(self.head).copied()
    }
}

impl Hcdps {
    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.data().regions()
    }

    /// How many base paths there are, counting each direction.
    pub fn base_paths(&self) -> usize {
        self.data().paths.ends.len()
    }

    /// How many subgoals all base paths have together.
    pub fn subgoals(&self) -> usize {
        self.data().paths.subgoals.len()
    }

    fn data(&self) -> &Data {
        &self.inner::<HcdpsPlanner>().method().data
    }
}

impl HcdpsPlanner {
    fn build(grid: &Grid, moves: Moves, settings: HcdpsSettings) -> Result<Self, Error> {
        let mut database = HcdpsDatabase::empty(grid, moves, settings)?;
        database.rebuild(grid, moves)?;
        Ok(Self::new(database, grid, moves))
    }

    /// Opens a database that was saved for the same map and movement rule, with the depth, the
    /// cut-off and the memory limit it was made with. Everything else is refused: other files,
    /// damaged or truncated files, files of another version, map or rule.
    fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let kind = DatabaseKind::Hcdps;
        let file = db::IntactFile::for_map(bytes, kind, grid.content_hash(), moves)?;
        let settings = read_settings(file.parameters);
        let mut database = HcdpsDatabase::empty(grid, moves, settings)
            .map_err(|error| kind.refuse(error.to_string()))?;
        let climber = Climber::new(grid, moves);
        let components = Components::new(grid, moves.rule());
        let connected = |a, b| components.connected(a, b);
        database.data = Data::read(file.payload, grid, climber, settings.cut_off, connected)
            .ok_or_else(|| kind.refuse("its paths make no sense for this map: build it again"))?;
        database.repaired = file.parameters & REPAIRED != 0;
        database.links = Links::of(&database.data, grid, moves);
        Ok(Self::opened(database, grid, moves, kind))
    }

    /// The same with shortcuts at other places.
    #[must_use]
    fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Self {
        self.method_mut().settings.shortcuts = shortcuts;
        self
    }

    /// The same with another memory limit for repairs after edits.
    #[must_use]
    fn with_memory(mut self, bytes: usize) -> Self {
        self.method_mut().settings.memory = bytes;
        self
    }
}

impl HcdpsDatabase {
    /// Nothing prepared yet.
    fn empty(grid: &Grid, moves: Moves, settings: HcdpsSettings) -> Result<Self, Error> {
        if moves.rule().is_any_angle() {
            return Err(ROW.unsupported(
                format!("the movement rule `{}`", moves.rule().name()),
                "it supports four, eight, eight-cut-one, eight-cut-any",
            ));
        }
        if moves.slope().is_some() {
            return Err(Error::no_slopes(ROW.name, moves));
        }
        if grid.has_costs() {
            return Err(Error::no_terrain(ROW.name, moves));
        }
        for (what, value, range, words) in [
            ("the depth", settings.depth, 1..=4, "from 1 to 4"),
            ("the cut-off", settings.cut_off, 1..=10_000, "from 1 to 10,000"),
        ] {
            if !range.contains(&value) {
                return Err(Error::Range { what, value: value.into(), range: words });
            }
        }
        let (data, links) = Default::default();
        Ok(Self { settings, data, links, repaired: false })
    }

    fn rebuild(&mut self, grid: &Grid, moves: Moves) -> Result<(), Error> {
        // Queries on terrain are refused, so nothing is prepared for it.
        (self.data, self.links) = if grid.has_costs() {
            Default::default()
        } else {
            Data::new(grid, moves, self.settings)?
        };
        self.repaired = false;
        Ok(())
    }

    /// Follows an edit without rebuilding everything. False if that is not worthwhile; the data is
    /// then unusable.
    fn repair(&mut self, grid: &Grid, moves: Moves, changes: &Changes<'_>) -> bool {
        let Some(changes) = changes.rects() else { return false };
        let changes: Vec<Rect> = changes.filter(|rect| rect.width * rect.height > 0).collect();
        let area = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        let edited: u64 = changes.iter().map(area).sum();
        let few = edited <= grid.free_cells() as u64 / 16 + 64;
        // There is no region map if there was terrain before.
        if grid.has_costs() || !few || self.data.map.starts.is_empty() {
            return false;
        }
        self.data.repair(&mut self.links, grid, moves, self.settings, &changes)
    }

    /// Appends what comes after the queue's last subgoal, until two are ahead.
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
            // There is one: start and goal are connected.
            let Some(path) = next else { return };
            course.region = paths.ends[path];
            course.queue.extend_from_slice(paths.subgoals(path));
            course.queue.push(representatives[course.region as usize]);
        }
    }

    /// Lets the agent pass the subgoals that it is on.
    fn pass(&self, course: &mut Course, at: u32, goal: u32) {
        self.refill(course, goal);
        while course.next() == Some(at) {
            course.head += 1;
            self.refill(course, goal);
        }
    }

    /// Searches the regions for the way that the table would have given.
    fn seek(&self, problem: &Problem<'_>, course: &mut Course, purse: &mut Purse) -> Option<()> {
        let Data { representatives, paths, .. } = &self.data;
        let costs = &self.links.costs;
        let Problem { grid, moves, .. } = *problem;
        let rows = grid.rows();
        let place = |region: u32| rows.coordinates(representatives[region as usize]);
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let to = place(course.goal_region);
        let estimator = Estimator::new(Heuristic::default_for(moves), &step_costs, to);
        let estimate = |region: u32| {
            let (x, y) = place(region);
            estimator.estimate(x, y)
        };
        course.ways.find((course.region, course.goal_region), (paths, costs), estimate, purse)
    }

    /// Whether an agent looks for shortcuts before its next move: at a subgoal, and now and then on
    /// the way there.
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
        self.pass(course, at, goal);
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
        // The last shortcut may have been to a later subgoal that the agent is on.
        self.pass(course, at, goal);
        Some(())
    }
}

impl Data {
    /// How many regions there are.
    fn regions(&self) -> usize {
        self.representatives.iter().filter(|&&node| node != NONE).count()
    }

    fn new(grid: &Grid, moves: Moves, settings: HcdpsSettings) -> Result<(Self, Links), Error> {
        let HcdpsSettings { depth, cut_off, memory, .. } = settings;
        let ground = Ground::new(grid, moves);
        let climber = Climber::new(grid, moves);
        let regions = Regions::new(grid, climber, cut_off);
        let count = regions.representatives.len();
        let refuse = |bytes: usize| Error::Parameter {
            planner: ROW.name,
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

/// The bit of a database's parameters that says it was repaired: preparing it again gives a
/// different one.
const REPAIRED: u64 = 1 << 63;

/// The label of the database of a map, a rule and settings.
fn label(map: u64, moves: Moves, settings: HcdpsSettings) -> Label {
    let HcdpsSettings { depth, cut_off, memory, .. } = settings;
    let settings = u64::from(depth) | u64::from(cut_off) << 8 | memory_code(memory) << 24;
    let parameters = moves_code(moves) | settings << MOVES_BITS;
    Label { kind: DatabaseKind::Hcdps, parameters, grid: map }
}

/// The settings that the parameters of a database name.
fn read_settings(parameters: u64) -> HcdpsSettings {
    let code = parameters >> MOVES_BITS;
    let (depth, cut_off) = (code as u32 & 0xff, (code >> 8) as u32 & 0xffff);
    HcdpsSettings { depth, cut_off, memory: read_memory(code >> 24), ..HcdpsSettings::default() }
}

/// The planner that makes a database with these parameters, if it was made and not repaired.
pub(crate) fn maker(parameters: u64) -> Option<String> {
    let HcdpsSettings { depth, cut_off, memory, .. } = read_settings(parameters);
    let memory = (memory >> 20).min(1 << 20);
    (parameters & REPAIRED == 0)
        .then(|| format!("{}:depth={depth}:cut-off={cut_off}:memory={memory}", ROW.name))
}

impl Agent for HcdpsDatabase {
    fn most_work(&self, slice: &Slice<'_>, pool: &mut MemoryPool) -> u64 {
        let looks = self.looks(pool.get(), slice.walk.at(), slice.stats.moves);
        1 + if looks { u64::from(LOOKS * self.settings.cut_off) } else { 0 }
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let course = pool.get::<Course>();
        let climber = Climber::new(problem.grid, problem.moves);
        let (at, goal, moves) = (slice.walk.at(), problem.goal_node(), slice.stats.moves);
        if moves == 0 {
            course.queue.clear();
            (course.head, course.closed) = (0, false);
            course.region = self.data.map.region(problem.start_cell());
            course.goal_region = self.data.map.region(problem.goal_cell());
            if self.look(&climber, at, goal, purse)? {
                course.queue.push(goal);
                course.closed = true;
            } else {
                course.queue.push(self.data.representatives[course.region as usize]);
                if self.data.hops.is_dropped() {
                    self.seek(problem, course, purse)?;
                }
                self.aim(&climber, course, at, goal, true, purse)?;
            }
        } else if self.looks(course, at, moves) {
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

impl Method for HcdpsDatabase {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(walk::walk(self, problem, slice, pool))
    }

    /// Recomputes what the edit touched, or everything if that is a large part of the map or if
    /// there are many more regions than before.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if changes.is_empty() {
            return Ok(Update::default());
        }
        if self.repair(grid, moves, changes) {
            self.repaired = true;
        } else {
            self.rebuild(grid, moves)?;
        }
        Ok(Update::default())
    }

    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        let Data { representatives, map, .. } = &self.data;
        let points = representatives.iter().zip(0..).map(|(&at, i)| (centre(grid, at), i));
        vec![
            Layer::of_cells(
                "regions",
                "cells between which climbing towards the representative works",
                grid,
                |cell| map.get(cell).filter(|_| grid.is_free(cell)),
            ),
            Layer::new(
                "representatives",
                "the cell that stands for each region",
                Shapes::Points(points.collect()),
            ),
        ]
    }

    fn memory(&self, memory: Memory) -> Memory {
        let Data { representatives, map, paths, hops } = &self.data;
        memory
            .with("region map", map.bytes())
            .with("paths", paths.bytes() + representatives.len() * 4)
            .with("next hops", hops.bytes())
            .with("repairs", self.links.bytes())
    }

    /// On terrain there is nothing to save.
    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        if self.data.map.starts.is_empty() {
            return None;
        }
        let payload = if self.data.hops.is_dropped() {
            self.data.completed(&self.links.costs).write()
        } else {
            self.data.write()
        };
        let mut label = label(map, moves, self.settings);
        label.parameters |= if self.repaired { REPAIRED } else { 0 };
        Some(db::seal(label, &payload))
    }
}
