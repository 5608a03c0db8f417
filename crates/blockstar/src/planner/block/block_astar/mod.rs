//! Block A*: A* over blocks of cells, with the distances inside each block from a database.
//!
//! P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\*: Database-Driven Search with Applications in
//! Any-Angle Path-Planning*, 2011. The open list holds blocks. A block is expanded by lowering the
//! costs of its boundary points, by way of those that have improved since its last time, with the
//! distances of its [table](crate::planner::block::tables); what improved is passed on to the blocks around, which are
//! queued with the least total among it. The tables decide what kind of path comes out: under the cell
//! rules shortest ones, under the any-angle rules shortest ones among those that are straight from
//! one block boundary to the next.
//!
//! What the paper leaves open, or has wrong, and what is done here:
//!
//! * A block's place in the queue is forgotten when it is popped: else it could not be queued again.
//! * A boundary point that improves is remembered in a mask of its block, to be an entry at the next
//!   expansion; no second copy of the costs is kept to compare with.
//! * The point where four blocks meet is passed on to all of them. Steps between cells of different
//!   blocks are checked when they are taken: the corner rule needs cells of both blocks.
//! * Under the strict rule a double corner on a border is no way in or out of a block.
//! * The paper orders the goal's block by the exact distance inside it, which is no lower bound: the
//!   way may leave the block and come back. Here the estimate orders all blocks alike, and the exact
//!   distance only lowers the cost of the best path known. The same goes for a start and a goal in one
//!   block.
//! * Blocks that reach beyond the map's edge are filled up with blocked cells.
//!
//! On [slopes](crate::Slope) the content of a block is its heights and its tables are directed; that
//! is for the cell rules only. Hardly two blocks are equal then: across an SRTM tile of 1201 x 1201
//! heights a search takes 0.18 of the processor time of A*, but the tables take 185 MB and most of a
//! second to make.
//!
//! Under the any-angle rules the path is [smoothed](crate::Path::smoothed) and pulled
//! [taut](crate::Path::pulled_taut) unless the [query](crate::Query::smooth) says otherwise.

mod again;
mod blocks;
mod ends;
mod field;
mod guess;
mod pass;
mod run;
mod trail;

use self::again::Last;
use self::blocks::{Frame, Tables};
use self::field::Field;
use self::guess::Estimate;
use self::run::Run;
use crate::engine::best_first::Outcome;
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::open_list::Open;
use crate::engine::scratch::Task;
use crate::geometry::taut::Puller;
use crate::planner::block::tables::{Content, MAX_SIDE, MIN_SIDE};
use crate::{
    Budget, DatabaseKind, Error, Grid, Lddb, Memory, Moves, Path, Planner, Query, Scratch, Stats,
    Status, Trace,
};
use std::sync::OnceLock;

/// What to prepare.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The cells along a block's side; if none is given, see [`Settings::side_on`].
    pub side: Option<u32>,
    /// How many bytes the tables may take.
    pub memory: usize,
    /// Tables that were made before, for this side.
    pub source: Option<Lddb>,
}

impl Settings {
    pub const SIDES: std::ops::RangeInclusive<u32> = MIN_SIDE..=MAX_SIDE;

    /// The cells along a block's side. By measurement: on Dragon Age, Baldur's Gate and StarCraft maps
    /// blocks of 12 are 1.2 to 1.4 times as fast as blocks of 8, and their paths shorter. Blocks of 16
    /// are up to 1.4 times as fast again, but a table has 1.8 times the entries and takes longer to make,
    /// which is what an edit waits for (`blockstar bench --edits 1` tells how long). On terrain any corner
    /// may be a turn, and the work for a table goes with the sixth power of the side: there blocks are
    /// small.
    fn side_on(&self, grid: &Grid, moves: Moves) -> u32 {
        let small = moves.rule().is_any_angle() && grid.has_costs();
        self.side.unwrap_or(if small { 6 } else { 12 })
    }
}

#[derive(Debug)]
pub(crate) struct BlockAStar {
    desk: Desk,
    settings: Settings,
    version: u64,
    engine: Engine,
}

/// A map cut into blocks, with its tables.
#[derive(Debug)]
struct Prepared<D: Estimate> {
    frame: Frame<D>,
    tables: Tables<D>,
    /// Whether the tables are of weighted terrain.
    weighted: bool,
}

/// By what kind of distance: integers between cells, wide ones on terrain; real numbers between
/// corners, of double precision where single rounds too much: on terrain, where a way may cost 65,535
/// times as much as another of the same length, and on large maps.
#[derive(Debug)]
enum Engine {
    /// With how the map is cut for costs that do not fit, once a query has had such.
    Narrow(Prepared<u32>, OnceLock<Box<Frame<u64>>>),
    Wide(Prepared<u64>),
    Single(Prepared<f32>),
    Double(Prepared<f64>),
}

/// Maps with a longer side are measured in double precision.
const LONGEST_SINGLE: u32 = 4096;

impl Engine {
    fn new(grid: &Grid, moves: Moves, settings: &Settings) -> Self {
        let large = grid.width().max(grid.height()) > LONGEST_SINGLE;
        match (moves.rule().is_any_angle(), grid.has_costs() || moves.slope().is_some()) {
            (true, weighted) if weighted || large => {
                Self::Double(Prepared::new(grid, moves, settings))
            }
            (true, _) => Self::Single(Prepared::new(grid, moves, settings)),
            (false, true) => Self::Wide(Prepared::new(grid, moves, settings)),
            (false, false) => Self::Narrow(Prepared::new(grid, moves, settings), OnceLock::new()),
        }
    }
}

impl<D: Estimate> Prepared<D> {
    fn new(grid: &Grid, moves: Moves, settings: &Settings) -> Self {
        let frame = Frame::new(grid, moves, settings);
        let tables = Tables::new(grid, &frame, settings.memory);
        Self { frame, tables, weighted: grid.has_costs() }
    }

    fn update(&mut self, grid: &Grid, version: u64) {
        self.tables.update(grid, &self.frame, grid.changes_since(version));
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory
            .with("tables", self.tables.store().bytes())
            .with("blocks", self.tables.index_bytes() + self.frame.layout.bytes())
    }

    /// The contents that there are tables for.
    fn contents(&self) -> Vec<Content> {
        let side = self.frame.layout.side();
        let keys = self.tables.store().keys();
        keys.filter_map(|key| Content::from_key(side, self.weighted, key)).collect()
    }
}

impl BlockAStar {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves, settings: Settings) -> Self {
        Self {
            desk: Desk::new(name, grid, moves),
            version: grid.version(),
            engine: Engine::new(grid, moves, &settings),
            settings,
        }
    }

    fn search<D: Estimate>(
        &self,
        (frame, tables): (&Frame<D>, Option<&Tables<D>>),
        grid: &Grid,
        task: &Task,
        mut work: Work<'_, D>,
    ) -> Result<Outcome, Error> {
        let weight = task.query.chosen_weight().unwrap_or(1.0);
        let heuristic = self.desk.heuristic(&task.query);
        let run = Run::new(grid, frame, tables, task, heuristic, weight);
        if work.fresh && work.again.is_some_and(|last| last.is_untouched(grid, frame, work.field)) {
            work.stats.reused = true;
            self.finish(&run, &mut work)?;
            return Ok(Outcome::Goal);
        }
        if work.fresh {
            work.open.begin(D::queue_step(grid, self.desk.moves()));
            run.begin(work.field, work.open, work.stats);
        }
        let outcome = run.run(work.field, work.open, work.meter, work.stats, work.trace);
        if outcome == Outcome::Goal {
            self.finish(&run, &mut work)?;
        }
        Ok(outcome)
    }

    /// Writes the path down, smooths it and pulls it taut, if it is to be.
    fn finish<D: Estimate>(&self, run: &Run<'_, D>, work: &mut Work<'_, D>) -> Result<(), Error> {
        if !run.write(work.field, work.path, work.stats) {
            work.path.clear(self.desk.moves());
            return Err(DatabaseKind::Lddb.refuse(
                "the distances in it contradict each other, so no path can be told: make it anew",
            ));
        }
        if D::CELLS {
            return Ok(());
        }
        work.path.price(run.grid, self.desk.moves());
        work.stats.raw_cost = Some(work.path.cost());
        if run.task.query.wants_smooth() {
            work.stats.sight_checks += work.puller.tighten(run.grid, work.path);
        }
        Ok(())
    }
}

/// The memory of one search and what it may spend.
struct Work<'a, D: Estimate> {
    fresh: bool,
    /// The last search, if it was for the same.
    again: Option<&'a Last>,
    field: &'a mut Field<D>,
    open: &'a mut Open<D::Key>,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    path: &'a mut Path,
    puller: &'a mut Puller,
}

impl Planner for BlockAStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let meter = &mut Meter::new(budget);
        let last = scratch.blocks.last.take();
        let again = last.filter(|last| task.query.wants_reuse() && last.asks_the_same(&task, grid));
        if !task.started && scratch.trace.is_none() {
            task.wide |= again.as_ref().is_some_and(Last::is_wide);
        }
        let again = again.as_ref().filter(|_| scratch.trace.is_none());
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch { blocks, narrow, wide, stats, trace, path, puller, .. } = &mut *scratch;
            macro_rules! search {
                ($frame:expr, $tables:expr, $field:ident, $frontier:ident) => {{
                    let (field, open) = (&mut blocks.$field, &mut $frontier.open);
                    let work =
                        Work { fresh, again, field, open, meter, stats, trace, path, puller };
                    self.search(($frame, $tables), grid, &task, work)
                }};
            }
            let outcome = match &self.engine {
                Engine::Narrow(_, frame) if task.wide => {
                    // Costs beyond what the tables are made for: none of them is used.
                    let new = || Box::new(Frame::new(grid, self.desk.moves(), &self.settings));
                    search!(frame.get_or_init(new), None, wide, wide)
                }
                // The desk knows that there is a path: what came to an end is the numbers.
                Engine::Narrow(p, _) => match search!(&p.frame, Some(&p.tables), narrow, narrow) {
                    Ok(Outcome::Exhausted) => Ok(Outcome::Overflow),
                    outcome => outcome,
                },
                Engine::Wide(p) => search!(&p.frame, Some(&p.tables), wide, wide),
                Engine::Single(p) => search!(&p.frame, Some(&p.tables), single, narrow),
                Engine::Double(p) => search!(&p.frame, Some(&p.tables), double, wide),
            };
            let outcome = outcome.inspect_err(|_| scratch.task = None)?;
            if outcome != Outcome::Overflow || task.wide {
                break outcome;
            }
            (task.wide, task.started) = (true, false);
            scratch.start_over();
        };
        let success = task.success;
        if outcome == Outcome::Goal {
            scratch.blocks.last = Some(Last::new(&task, grid));
        }
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        let version = std::mem::replace(&mut self.version, grid.version());
        match &mut self.engine {
            Engine::Narrow(p, _) if !grid.has_costs() => p.update(grid, version),
            Engine::Wide(p) if grid.has_costs() || self.desk.moves().slope().is_some() => {
                p.update(grid, version);
            }
            Engine::Single(p) if !grid.has_costs() => p.update(grid, version),
            Engine::Double(p) if p.weighted == grid.has_costs() => p.update(grid, version),
            _ => self.engine = Engine::new(grid, self.desk.moves(), &self.settings),
        }
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        let memory = self.desk.memory();
        match &self.engine {
            Engine::Narrow(p, _) => p.memory(memory),
            Engine::Wide(p) => p.memory(memory),
            Engine::Single(p) => p.memory(memory),
            Engine::Double(p) => p.memory(memory),
        }
    }

    /// The tables that there are now, for any map: those of blocks that were edited and of some that
    /// were edited back, too. On slopes nothing is saved: hardly two blocks are equal there.
    fn save(&self) -> Option<Vec<u8>> {
        let moves = self.desk.moves();
        let (side, contents) = match &self.engine {
            Engine::Narrow(p, _) => (p.frame.layout.side(), p.contents()),
            Engine::Wide(p) => (p.frame.layout.side(), p.contents()),
            Engine::Single(p) => (p.frame.layout.side(), p.contents()),
            Engine::Double(p) => (p.frame.layout.side(), p.contents()),
        };
        Lddb::of(contents, moves, side, &|_, _| ()).ok().map(|lddb| lddb.save())
    }
}

/// Search memory for each kind of distance.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    last: Option<Last>,
    narrow: Field<u32>,
    wide: Field<u64>,
    single: Field<f32>,
    double: Field<f64>,
}

impl Fields {
    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.narrow.bytes() + self.wide.bytes() + self.single.bytes() + self.double.bytes()
    }
}
