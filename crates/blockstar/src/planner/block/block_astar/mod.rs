//! Block A*: A* over blocks of cells, with the distances inside each block from a database.
//!
//! P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\*: Database-Driven Search with Applications
//! in Any-Angle Path-Planning*, 2011. The open list holds blocks. Expanding a block lowers the
//! costs of its boundary points, by way of those that have improved since its last expansion, with
//! the distances of its [table](super::tables); what improved is passed on to the neighbouring
//! blocks, which are queued by the least total among it. The tables decide what kind of path comes
//! out: under the cell rules a shortest one, under the any-angle rules a shortest one among those
//! that are straight from one block boundary to the next.
//!
//! What the paper leaves open or gets wrong, and what is done here:
//!
//! * A block's place in the queue is forgotten when it is popped; otherwise it could not be queued
//!   again.
//! * A boundary point that improves is marked in its block's mask as an entry for the next
//!   expansion; no second copy of the costs is kept for comparison.
//! * A point where four blocks meet is passed on to all of them. Steps between cells of different
//!   blocks are checked when they are taken: the corner rule needs cells of both blocks.
//! * Under the strict rule a double corner on a border is not a way in or out of a block.
//! * The paper orders the goal's block by the exact distance inside it, which is not a lower bound:
//!   the way may leave the block and come back. Here the estimate orders all blocks alike, and the
//!   exact distance only lowers the cost of the best known path. The same goes for a start and a
//!   goal in one block.
//! * Blocks that reach beyond the map's edge are filled up with blocked cells.
//!
//! On [slopes](crate::Slope), for the cell rules only, heights are part of a block's content and
//! tables are directed. Hardly any two blocks are equal then: across an SRTM tile of 1201 x 1201
//! heights a search takes 0.18 of the processor time of A*, but the tables take 185 MB and most of
//! a second to make.
//!
//! Under the any-angle rules the path is [smoothed](crate::Path::smoothed) and pulled
//! [taut](crate::Path::pulled_taut) unless the [query](crate::Query::smooth) says otherwise.

mod blocks;
mod ends;
mod estimate;
mod masked;
mod memory;
mod pass;
mod reuse;
mod search;
#[cfg(test)]
mod tests;
mod trail;

use self::blocks::{BlockGrid, BlockTables};
use self::estimate::Estimate;
use self::masked::MaskedBlocks;
use self::memory::BlockMemory;
use self::reuse::{FinishedSearch, LastSearch};
use self::search::{BlockSearch, PathEnd};
use crate::engine::frontier::Frontier;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, Update,
};
use crate::geometry::path::segment_cost;
use crate::geometry::taut::Puller;
use crate::planner::block::tables::{BlockSize, Content, TableRules};
use crate::registry::{SavedFile, kind, settings};
use crate::{
    Algorithm, DatabaseKind, Error, Grid, Layer, Lddb, Memory, Moves, Parameter, PlannerSpec,
    Promise, Rect, Rule, Shapes,
};
use std::sync::OnceLock;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "block-astar",
    summary: "Block A*: blocks of cells at a time, by tables of the distances inside them",
    source: "Yap, Burch, Holte & Schaeffer 2011",
    promise: Promise::Optimal,
    rules: Rule::ALL,
    terrain: true,
    heights: true,
    free_points: true,
    blocks: true,
    weight: true,
    parameters: &[
        Parameter::new(
            "block",
            "2-16|WxH|auto",
            "auto",
            "the cells along the sides of a block: 12, under any-angle rules on terrain 6",
        ),
        Parameter::new(
            "memory",
            "0-65536",
            "256",
            "the MiB that tables may take; what needs more is made by each query",
        ),
    ],
    files: &[SavedFile {
        kind: DatabaseKind::Lddb,
        moves: |parameters| Lddb::read_moves(parameters).ok(),
        maker: |_| None,
    }],
    open: Some(|spec, bytes, grid, moves| {
        if let Some(BlockSize { width, height }) = size(spec).filter(|size| !size.is_square()) {
            let what = format!("saved tables for blocks of {width} x {height} cells");
            return Err(ROW.unsupported(what, "use square blocks, or prepare it"));
        }
        let lddb = Lddb::open(spec.shared(bytes))?;
        spec.without_saved().with_lddb(&lddb)?.prepare(grid, moves)
    }),
    make: |spec, grid, moves| {
        if moves.slope().is_some() && moves.rule().is_any_angle() {
            return Err(Error::no_slopes(spec.name(), moves));
        }
        let method = BlockAStar::new(grid, moves, settings(spec));
        Ok(Box::new(match method.is_from_file() {
            true => Driver::opened(method, grid, moves, DatabaseKind::Lddb),
            false => Driver::new(method, grid, moves),
        }))
    },
    avoids: true,
    partial: true,
    ..Algorithm::BASE
};

settings! { kind::BlockAstar:
    /// The cells along the side of a block, 2 to 16; by default 12, under any-angle rules on terrain
    /// 6.
    block(side: u32) = "block", side;
    /// Blocks that are not square: the cells across and down, 2 to 16 each. Their tables cannot be
    /// saved.
    oblong_block(width: u32, height: u32) = "block", format_args!("{width}x{height}");
    /// The MiB that tables may take; what needs more is made by each query. By default 256.
    memory(mebibytes: u32) = "memory", mebibytes;
}

fn settings(spec: &PlannerSpec) -> BlockSettings {
    BlockSettings {
        size: size(spec),
        memory: spec.mebibytes("memory"),
        source: spec.lddb().cloned(),
    }
}

/// The size of blocks, unless it is left to the planner.
fn size(spec: &PlannerSpec) -> Option<BlockSize> {
    let (width, height) = spec.sides("block");
    (spec.word("block") != "auto").then_some(BlockSize { width, height })
}

/// What to prepare.
#[derive(Clone, Debug)]
struct BlockSettings {
    /// The cells along a block's sides; if `None`, see [`BlockSettings::size_on`].
    size: Option<BlockSize>,
    /// How many bytes the tables may take.
    memory: usize,
    /// Ready-made tables for this size.
    source: Option<Lddb>,
}

impl BlockSettings {
    /// The cells along a block's sides. By measurement: on Dragon Age, Baldur's Gate and StarCraft
    /// maps blocks of 12 are 1.2 to 1.4 times as fast as blocks of 8, and their paths are shorter.
    /// Blocks of 16 are up to 1.4 times as fast again, but a table has 1.8 times the entries and
    /// takes longer to make, and that is what an edit waits for (`blockstar bench --edits 1` shows
    /// how long). On terrain any corner may be a turn, and the work for a table grows with the
    /// sixth power of the side, so blocks are small there.
    fn size_on(&self, grid: &Grid, moves: Moves) -> BlockSize {
        let small = moves.rule().is_any_angle() && grid.has_costs();
        self.size.unwrap_or(BlockSize::from(if small { 6 } else { 12 }))
    }
}

#[derive(Clone, Debug)]
struct BlockAStar {
    settings: BlockSettings,
    prepared: Prepared,
}

/// The map cut into blocks with tables, by kind of distance: integers between cells, wide ones on
/// terrain; real numbers between corners, in double precision where single precision rounds too
/// much: on terrain, where one way may cost 65,535 times as much as another of the same length, and
/// on large maps.
#[derive(Clone, Debug)]
enum Prepared {
    /// With the blocks for wide costs, once a query has needed them.
    Narrow(CutMap<u32>, OnceLock<Box<BlockGrid<u64>>>),
    Wide(CutMap<u64>),
    Single(CutMap<f32>),
    Double(CutMap<f64>),
}

/// Evaluates an expression for the map of any kind of distance.
macro_rules! with_map {
    ($prepared:expr, |$map:ident| $body:expr) => {
        match $prepared {
            Prepared::Narrow($map, _) => $body,
            Prepared::Wide($map) => $body,
            Prepared::Single($map) => $body,
            Prepared::Double($map) => $body,
        }
    };
}

/// Maps with a longer side are measured in double precision.
const LONGEST_SINGLE: u32 = 4096;

impl Prepared {
    fn new(grid: &Grid, moves: Moves, settings: &BlockSettings) -> Self {
        let large = grid.width().max(grid.height()) > LONGEST_SINGLE;
        match (moves.rule().is_any_angle(), grid.has_costs() || moves.slope().is_some()) {
            (true, weighted) if weighted || large => {
                Self::Double(CutMap::new(grid, moves, settings))
            }
            (true, _) => Self::Single(CutMap::new(grid, moves, settings)),
            (false, true) => Self::Wide(CutMap::new(grid, moves, settings)),
            (false, false) => Self::Narrow(CutMap::new(grid, moves, settings), OnceLock::new()),
        }
    }

    /// How many tables have been made or fetched so far.
    fn made(&self) -> u64 {
        with_map!(self, |map| map.tables.store().made())
    }
}

/// A map cut into blocks, with their tables.
#[derive(Clone, Debug)]
struct CutMap<D: Estimate> {
    blocks: BlockGrid<D>,
    tables: BlockTables<D>,
    /// Whether the tables are for weighted terrain.
    weighted: bool,
}

impl<D: Estimate> CutMap<D> {
    fn new(grid: &Grid, moves: Moves, settings: &BlockSettings) -> Self {
        let blocks = BlockGrid::new(grid, moves, settings);
        let tables = BlockTables::new(grid, &blocks, settings.memory);
        Self { blocks, tables, weighted: grid.has_costs() }
    }

    /// Whether an update will do for a grid; if not, everything must be prepared again.
    fn suits(&self, grid: &Grid, moves: Moves) -> bool {
        // On slopes costs are wide with and without terrain.
        let same_distance = self.weighted == grid.has_costs() || moves.slope().is_some();
        same_distance && self.blocks.fits(grid)
    }

    fn update(&mut self, grid: &Grid, changes: &Changes<'_>) {
        self.tables.update(grid, &self.blocks, changes.rects());
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory
            .with("tables", self.tables.store().bytes())
            .with("blocks", self.tables.index_bytes() + self.blocks.layout.bytes())
    }

    /// Every block with the number of its table.
    fn numbered(&self, grid: &Grid) -> Vec<(Rect, u32)> {
        let blocks = blocks::every_block(&self.blocks, grid.whole());
        blocks.map(|b| (self.blocks.rect(grid, b), self.tables.number(b))).collect()
    }

    /// The contents that have a table.
    fn contents(&self) -> Vec<Content> {
        let size = self.blocks.layout.size();
        let keys = self.tables.store().keys();
        keys.filter_map(|key| Content::from_key(size, self.weighted, key)).collect()
    }
}

impl BlockAStar {
    fn new(grid: &Grid, moves: Moves, settings: BlockSettings) -> Self {
        Self { prepared: Prepared::new(grid, moves, &settings), settings }
    }

    /// Whether tables come from a database that was not made in this process.
    fn is_from_file(&self) -> bool {
        self.settings.source.as_ref().is_some_and(Lddb::is_from_file)
    }
}

impl Method for BlockAStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        match &self.prepared {
            Prepared::Narrow(_, blocks) if problem.is_wide() => {
                // Costs beyond what the tables were made for: none of them is used.
                let cut = || BlockGrid::new(problem.grid, problem.moves, &self.settings);
                let blocks = blocks.get_or_init(|| Box::new(cut()));
                search_blocks(blocks, None, problem, slice, pool)
            }
            // The gate knows that there is a path: it is the numbers that ran out. It does not know
            // if cells are to be avoided, but only weights can use up the numbers unnoticed.
            Prepared::Narrow(map, _) => match search_map(map, problem, slice, pool)? {
                Outcome::Exhausted if problem.masked.is_empty() || is_weighted(problem) => {
                    Ok(Outcome::Overflow)
                }
                outcome => Ok(outcome),
            },
            Prepared::Wide(map) => search_map(map, problem, slice, pool),
            Prepared::Single(map) => search_map(map, problem, slice, pool),
            Prepared::Double(map) => search_map(map, problem, slice, pool),
        }
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        // Heights whose costs do not fit have no tables, and queries are refused with this too.
        moves.slope().map_or(Ok(()), |slope| slope.check(grid, moves))?;
        let mut before = self.prepared.made();
        if with_map!(&self.prepared, |map| map.suits(grid, moves)) {
            with_map!(&mut self.prepared, |map| map.update(grid, changes));
        } else {
            before = 0;
            self.prepared = Prepared::new(grid, moves, &self.settings);
        }
        Ok(Update { tables_made: self.prepared.made() - before, ..Update::default() })
    }

    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        let rects = with_map!(&self.prepared, |map| map.numbered(grid));
        let meaning = "blocks of cells; those with the same content have the same table";
        vec![Layer::new("blocks", meaning, Shapes::Rects(rects))]
    }

    fn memory(&self, memory: Memory) -> Memory {
        with_map!(&self.prepared, |map| map.memory(memory))
    }

    /// The tables there are now, which are of use on any map: including those of edited blocks, and
    /// of some whose edits were undone. On slopes nothing is saved: hardly any two blocks are equal
    /// there. Nor is it where blocks are not square: what is in a file has eight images.
    fn save(&self, moves: Moves, _: u64) -> Option<Vec<u8>> {
        let (size, contents) =
            with_map!(&self.prepared, |map| (map.blocks.layout.size(), map.contents()));
        if !size.is_square() {
            return None;
        }
        Lddb::builder().block(size.width).of(contents, moves).ok().map(|lddb| lddb.save())
    }
}

fn is_weighted(problem: &Problem<'_>) -> bool {
    problem.query().chosen_weight().is_some_and(|weight| weight != 1.0)
}

fn search_map<D: Estimate>(
    map: &CutMap<D>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Result<Outcome, Error> {
    search_blocks(&map.blocks, Some(&map.tables), problem, slice, pool)
}

/// Searches with the tables of a map or, without them, makes each table when it is needed.
fn search_blocks<D: Estimate>(
    blocks: &BlockGrid<D>,
    tables: Option<&BlockTables<D>>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Result<Outcome, Error> {
    if slice.is_fresh() && answer_in_sight(problem, slice) {
        return Ok(Outcome::Goal);
    }
    let last = pool.get::<LastSearch>();
    if slice.is_fresh() && last.needs_wide(problem, slice) {
        return Ok(Outcome::Overflow);
    }
    let last = if slice.is_fresh() { last.take(problem, slice) } else { None };
    // Out of the pool while the search borrows it.
    let mut masked = std::mem::take(pool.get::<MaskedBlocks>());
    let masks = !problem.masked.is_empty();
    if masks && slice.is_fresh() {
        masked.find(problem.grid, blocks, problem.masked);
    }
    let search = BlockSearch::new(problem, blocks, tables, masks.then_some(&masked));
    let outcome = search_from(&search, last, problem, slice, pool);
    *pool.get::<MaskedBlocks>() = masked;
    if outcome == Ok(Outcome::Goal) {
        pool.get::<LastSearch>().keep(problem);
    }
    outcome
}

/// Answers a query whose goal is in sight by the straight line, if that is what a search would come
/// to: a path that is not to be smoothed is what the blocks make of it, on terrain the straight line
/// need not be the cheapest, and of one that costs too much a part may be wanted.
fn answer_in_sight(problem: &Problem<'_>, slice: &mut Slice<'_>) -> bool {
    let Problem { grid, task, moves, .. } = *problem;
    let Slice { stats, path, .. } = slice;
    let rule = moves.rule();
    if !rule.is_any_angle() || grid.has_costs() || !task.query.wants_smoothing() {
        return false;
    }
    let cost = segment_cost(grid, moves, task.start, task.goal);
    if task.query.cost_limit().is_some_and(|limit| cost > limit)
        || !ends::is_straight(grid, rule, task, stats)
    {
        return false;
    }
    path.push(task.start);
    path.push(task.goal);
    stats.raw_cost = Some(cost);
    true
}

/// Runs a search, or takes the last one if that will do, and writes the path.
fn search_from<D: Estimate>(
    search: &BlockSearch<'_, D>,
    last: Option<FinishedSearch>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Result<Outcome, Error> {
    let (memory, frontier, puller) = pool.get_three::<BlockMemory<D>, Frontier<D::Key>, Puller>();
    let reused = last.is_some_and(|last| last.is_untouched(problem.map, search.blocks, memory));
    let outcome = if reused {
        slice.stats.reused = true;
        Outcome::Goal
    } else {
        let open = &mut frontier.open;
        if slice.is_fresh() {
            open.begin(D::queue_step(problem.grid, problem.moves));
            search.begin(memory, open, slice.stats);
        }
        search.run(memory, open, slice)
    };
    let end = match outcome {
        Outcome::Goal => Some(PathEnd::Goal),
        Outcome::Limit => search.partial_end(memory, slice.closest),
        _ => None,
    };
    if let Some(end) = end {
        write_path(search, end, slice, memory, puller)?;
    }
    Ok(outcome)
}

/// Writes the path, smoothed and pulled taut unless the query says otherwise.
fn write_path<D: Estimate>(
    search: &BlockSearch<'_, D>,
    end: PathEnd,
    slice: &mut Slice<'_>,
    memory: &mut BlockMemory<D>,
    puller: &mut Puller,
) -> Result<(), Error> {
    let Slice { stats, path, .. } = slice;
    if !search.write(end, memory, path, stats) {
        return Err(DatabaseKind::Lddb.forged("the distances in it contradict each other"));
    }
    if D::CELLS {
        return Ok(());
    }
    let TableRules { moves, source, .. } = &search.blocks.rules;
    if source.as_ref().is_some_and(Lddb::is_from_file) {
        // What is pulled taut must be legal to begin with; the driver proves what comes out.
        let proved = path.prove(search.grid, *moves);
        proved.map_err(|violation| DatabaseKind::Lddb.misleads(&violation))?;
    }
    path.price(search.grid, *moves);
    stats.raw_cost = Some(path.cost());
    if search.task.query.wants_smoothing() {
        stats.sight_checks += puller.tighten(search.grid, path);
    }
    Ok(())
}
