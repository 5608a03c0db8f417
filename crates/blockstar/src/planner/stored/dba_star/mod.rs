//! DBA*: a database of paths between neighbouring regions, walked by hill climbing.
//!
//! W. Lee & R. Lawrence, *Fast Grid-based Path Finding for Video Games* (2013). The map is cut into
//! [sectors](crate::regions::sectors) and regions. Two things are prepared: the base paths between
//! the centres of regions at most L steps apart ([`paths`]), as lists of subgoals that can be
//! climbed to one after the other, and for every pair of regions the base path that a shortest way
//! begins with ([`matrix`]). An agent finds its own region and the goal's, and walks to the centre
//! of its region, along base paths from centre to centre, and within the goal's sector to the goal.
//! It sets out after looking at no more cells than a sector has ([`journey`]).
//!
//! Centres lie off the way, so corners are cut (the paper's path trimming): from where it stands
//! the agent tries to climb to the subgoal after the next, and skips the next one if it can.
//!
//! What differs from the paper:
//! * The regions of a sector are found by rows of cells, and so is the region of a cell in a sector
//!   that has several; the centre is always a cell of its region.
//! * A base path is optimal within L sectors of its two regions, not on the whole map: that bounds
//!   what an edit can change, and have to repair.
//! * The matrix holds the next base path only, in compressed rows. An edit that changes the cost of
//!   a base path voids it; queries then search the graph of regions, which takes some tens of
//!   microseconds, until the planner is prepared again (or saved and opened, which also makes the
//!   matrix). The ways cost the same, but ties may be broken otherwise. If the search is more than a
//!   first response may take, the agent begins with steps towards the centre of its region. Walks
//!   are those of `matrix=off` then, and may cost more or less than those by the matrix.
//! * A map of many regions has no matrix: there tables by [tiles] of 16 x 16 sectors are searched,
//!   from gate to gate. An edit voids those of a few tiles, and the next query that looks at one
//!   makes it again.
//! * Corners are cut not only at centres and subgoals: halving finds an early cell on the way to
//!   the next subgoal from which the one after it can be climbed to. It is used only if that costs
//!   no more than the way over the subgoal.
//! * A goal in a neighbouring region is first looked for directly, with half of what a first
//!   response may take.
//!
//! An edit repairs base paths at once and not when they are next used: a way through the regions is
//! the shortest by their costs, so all costs must be right before the first of them can be chosen.
//! The repair is bounded (the paths whose ellipse contains the cell) and pays off soon. After a
//! change of many sectors base paths are [made when they are asked for](late): with a hundredth of
//! all cells changed, scattered, an update takes 1 to 4 % of preparing, and the first query makes
//! what it looks at. That is not counted as expansions, as it would make answers depend on who asked
//! before.
//!
//! PRA* prepares regions only. In processor time on the ten maps of the paper, adding and removing a
//! wall takes 0.29 ms with DBA* (0.064 ms with sectors of 32 and depth 1) and
//! 0.011 ms with PRA*; with five searches between, 0.62 (0.26) and 0.64 ms; with fourteen, 1.2
//! (0.61) and 2.0 ms.
//!
//! Measured on the 100 longest problems of each of these maps: with sectors of 16 and depth 2, the
//! default, walks are 0.66 % above the optimum (spread 0.44, most 2.8; 0.69 % for problems spread
//! evenly over the scenarios) and 74 times as fast as A*, with 226 KB a map, prepared in 80 ms.
//! With depth 1 they are 1.78 % above it (evenly 2.03 %), with 115 KB, prepared in 31 ms. Without a
//! matrix they are 0.77 % above it and 32 times as fast as A*, with 138 KB. An edit with its repair
//! takes 0.12 of an A* query of median length. `blockstar reproduce dba` measures all this.
//!
//! The first move takes at most as many expansions as a sector has cells. A look at a row of cells
//! while labelling a sector, a step of a climb that is tried, and a cell or region that a search
//! expands count as one each.

mod corners;
mod file;
mod journey;
mod jumps;
mod late;
mod leg;
mod matrix;
mod paths;
mod route;
mod source;
mod spare;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;

use crate::db::DatabaseKind;
use crate::db::parameters::read_moves;
use crate::engine::layer::centre;
use crate::engine::walk::{self, Agent, AgentTurn};
use crate::engine::{Changes, Driver, MemoryPool, Method, Problem, Searched, Slice};
use crate::grid::bits::Bits;
use crate::regions::sectors::{self, CENTRE, Centre, NONE, SECTOR, Sectors};
use crate::registry::{SavedFile, kind, parameters, settings};
use crate::{
    Algorithm, Error, Grid, Layer, Memory, Moves, PlannerSpec, Preparation, Promise, Rect, Shapes,
    Update,
};
use file::Wanted;
pub(crate) use file::maker;
pub(crate) use journey::Journey;
use leg::Leg;
use matrix::{Graph, Matrix};
use paths::{Hop, MOST_REGIONS, Paths};
use source::Source;
use tiles::Tiles;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "dba-star",
    summary: "DBA*: paths between neighbouring regions prepared, walked by hill climbing",
    source: "Lee & Lawrence 2013",
    promise: Promise::RealTime,
    preparation: Preparation::Local,
    parameters: &[SECTOR, DEPTH, TRIM, CENTRE, MATRIX],
    files: &[SavedFile { kind: DatabaseKind::Dba, moves: read_moves, maker }],
    open: Some(|spec, bytes, grid, moves| {
        let (side, centre) = sectors::wanted(spec);
        let wanted = Wanted {
            side,
            depth: spec.given(DEPTH.name).map(|_| spec.number(DEPTH.name)),
            centre,
            matrix: spec.given(MATRIX.name).map(|_| spec.is_on(MATRIX.name)),
        };
        let method = DbaStar::open(bytes, grid, moves, wanted, trim(spec))?;
        Ok(Box::new(Driver::opened(method, grid, moves, DatabaseKind::Dba)))
    }),
    make: |spec, grid, moves| {
        Ok(Driver::boxed(DbaStar::new(grid, moves, settings(spec))?, grid, moves))
    },
    ..Algorithm::BASE
};

settings! { kind::DbaStar:
    /// The cells along the side of a square sector, 4 to 256; by default 16.
    sector(side: u32) = "sector", side;
    /// The size of a sector in cells, each side 4 to 256.
    sector_size(width: u32, height: u32) = "sector", format_args!("{width}x{height}");
    /// Lets a cell that is easy to get to from its neighbours stand for a region, instead of the one
    /// next to the mean.
    tuned_centres() = "centre", "tuned";
    /// How many regions away a prepared path may end, 1 to 4; by default 2.
    depth(regions: u32) = "depth", regions;
    /// Cuts corners at start and goal only, not wherever paths meet.
    trim_ends_only() = "trim", "ends";
    /// Cuts no corners: through every centre.
    without_trim() = "trim", "none";
    /// Searches for where to go next each time, instead of keeping it for every two regions.
    without_matrix() = "matrix", "off";
}

parameters! {
    DEPTH = "depth", "1-4", "2", "how many regions away a prepared path may end";
    TRIM = "trim", "none|ends|all", "all",
        "where corners are cut: nowhere, at start and goal, wherever paths meet";
    MATRIX = "matrix", "on|off", "on",
        "keep where to go next for every two regions; off: search for it each time";
}

fn settings(spec: &PlannerSpec) -> DbaSettings {
    let (side, centre) = sectors::chosen(spec);
    let (depth, matrix) = (spec.number(DEPTH.name), spec.is_on(MATRIX.name));
    DbaSettings { side, depth, centre, trim: trim(spec), matrix }
}

fn trim(spec: &PlannerSpec) -> Trim {
    match spec.word(TRIM.name) {
        "none" => Trim::None,
        "ends" => Trim::Ends,
        _ => Trim::All,
    }
}

/// Where corners are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trim {
    /// Nowhere: through every centre.
    None,
    /// At the start and at the end.
    Ends,
    /// There and wherever base paths meet.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DbaSettings {
    /// The size of a sector.
    pub side: (u32, u32),
    /// How many steps of the region graph a base path may span.
    pub depth: u32,
    pub centre: Centre,
    pub trim: Trim,
    /// Whether the matrix is made.
    pub matrix: bool,
}

/// So few sectors with edits are always followed by repairing base paths at once.
const FEW: usize = 8;

/// More of them never are: that would take more than ten milliseconds. In between, base paths are
/// put off if more than one in forty sectors was edited, which takes a tenth of preparing.
const MOST: usize = 64;

impl DbaSettings {
    pub const DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;
}

#[derive(Clone, Debug)]
pub(crate) struct DbaStar {
    settings: DbaSettings,
    sectors: Sectors,
    paths: Paths,
    /// None if it was not wanted, would take too long, or an edit has voided it.
    matrix: Option<Matrix>,
    /// What queries without a matrix search on a map that had many regions when it was prepared.
    tiles: Option<Tiles>,
    /// Region numbers must stay below this.
    most_regions: usize,
}

impl DbaStar {
    pub fn new(grid: &Grid, moves: Moves, settings: DbaSettings) -> Result<Self, Error> {
        Sectors::check_side(settings.side)?;
        let sectors = Sectors::new(grid, moves, settings.side, settings.centre);
        check_count(&sectors, MOST_REGIONS)?;
        let paths = Paths::new(grid, moves, &sectors, settings.depth);
        Ok(Self::of(grid, moves, settings, (sectors, paths)))
    }

    /// The planner with these regions and base paths, and what is derived from them.
    fn of(
        grid: &Grid,
        moves: Moves,
        settings: DbaSettings,
        (sectors, paths): (Sectors, Paths),
    ) -> Self {
        let (matrix, tiles, most_regions) = (None, None, MOST_REGIONS);
        let mut planner = Self { settings, sectors, paths, matrix, tiles, most_regions };
        planner.make_tiles(grid.rows(), moves);
        planner.make_matrix();
        planner
    }

    /// Makes the tables that a map of many regions has.
    fn make_tiles(&mut self, bits: &Bits, moves: Moves) {
        self.tiles = self.divided(bits, moves);
        if let Some(tiles) = &self.tiles {
            tiles.make_all(&self.source(bits, moves));
        }
    }

    /// The tiles that a map of many regions has, without tables.
    fn divided(&self, bits: &Bits, moves: Moves) -> Option<Tiles> {
        (self.sectors.live() > Tiles::MANY).then(|| Tiles::new(&self.source(bits, moves)))
    }

    fn source<'a>(&'a self, bits: &'a Bits, moves: Moves) -> Source<'a> {
        Source { bits, moves, sectors: &self.sectors, paths: &self.paths }
    }

    fn make_matrix(&mut self) {
        self.matrix = None;
        if self.settings.matrix {
            self.matrix = Matrix::new(&self.graph());
        }
    }

    /// The graph of regions, in their order by sector: on a new map that of their numbers.
    fn graph(&self) -> Graph {
        let places = self.places();
        let mut graph = Graph { starts: vec![0], edges: Vec::new() };
        for region in self.sectors.all() {
            let edge = |hop: Hop<'_>| (places[hop.target as usize], hop.cost);
            graph.edges.extend(self.paths.hops(&self.sectors, region).map(edge));
            graph.starts.push(graph.edges.len() as u32);
        }
        graph
    }

    /// The place of each region in their order by sector, by number. Edits change numbers; the
    /// order depends on the map alone.
    fn places(&self) -> Vec<u32> {
        let mut places = vec![NONE; self.sectors.numbers()];
        for (place, region) in (0..).zip(self.sectors.all()) {
            places[region as usize] = place;
        }
        places
    }

    /// The most regions that the search for a way can expand: each once, and where there are tiles
    /// those nearby once more, because the search over gates begins anew.
    fn search_work(&self) -> u64 {
        self.sectors.live() as u64 + self.tiles.as_ref().map_or(0, |_| route::NEARBY)
    }

    /// The most expansions that planning a leg after the first can take, not counting a search of
    /// the regions that the first response had no time for.
    fn work(&self) -> u64 {
        self.sectors.layout.cells() * (u64::from(self.settings.depth) + 1) + 1
    }
}

impl Agent for DbaStar {
    fn most_work(&self, slice: &Slice<'_>, pool: &mut MemoryPool) -> u64 {
        if !slice.walk.plan.is_empty() {
            return 0;
        }
        let searching = pool.get::<Journey>().is_searching();
        self.work() + if searching { self.search_work() } else { 0 }
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let walk = &mut *slice.walk;
        if let Some(next) = walk.plan.pop() {
            return Some(next);
        }
        let journey = pool.get::<Journey>();
        let cells = self.sectors.layout.cells();
        // Every leg keeps one expansion for a step when nothing else is left; legs after the first
        // also keep one sector's cells, for a search inside the goal's sector.
        let first = journey.is_fresh();
        let limit = if first { cells - 1 } else { self.work() - cells - 1 };
        let mut leg = Leg::new(self, problem, walk.at(), first, limit);
        leg.plan(journey, &mut walk.plan);
        if !purse.pay_for(leg.spent) {
            return None;
        }
        walk.plan.pop()
    }
}

impl Method for DbaStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        if slice.is_fresh() {
            pool.get::<Journey>().begin();
        }
        Ok(walk::walk(self, problem, slice, pool))
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        let changes: Option<Vec<Rect>> = changes.rects().map(Iterator::collect);
        let layout = self.sectors.layout;
        let followed = changes.filter(|changes| {
            // With much of the map changed there is nothing to gain by looking at what has.
            layout.touched(changes) <= FEW.max(layout.sectors() as usize / 8)
                && self.sectors.update(grid, changes.iter().copied())
                && check_count(&self.sectors, self.most_regions).is_ok()
        });
        if let Some(changes) = followed {
            let touched = self.sectors.repair().touched.len();
            if touched == 0 {
                return Ok(Update::default());
            }
            let Self { sectors, paths, .. } = self;
            if touched > FEW.max(layout.sectors() as usize / 40).min(MOST) {
                paths.put_off(grid, moves, sectors, &changes);
                self.matrix = None;
            } else if paths.repair(grid, moves, sectors, &changes) {
                self.matrix = None;
            }
            if let Some(tiles) = &mut self.tiles {
                let source = Source { bits: grid.rows(), moves, sectors, paths };
                tiles.repair(&source, paths.relisted().iter().copied());
            }
        } else {
            let DbaSettings { side, centre, depth, .. } = self.settings;
            self.sectors = Sectors::new(grid, moves, side, centre);
            check_count(&self.sectors, self.most_regions)?;
            self.paths = Paths::late(grid, moves, &self.sectors, depth);
            (self.tiles, self.matrix) = (self.divided(grid.rows(), moves), None);
        }
        Ok(Update::default())
    }

    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        let mut layers = self.sectors.layers(grid);
        let mut links = Vec::new();
        for region in self.sectors.all() {
            for hop in self.paths.hops(&self.sectors, region).filter(|hop| hop.target > region) {
                let ends = [self.sectors.centre(region), self.sectors.centre(hop.target)];
                let way = [&ends[..1], hop.subgoals, &ends[1..]].concat();
                links.extend(way.windows(2).map(|w| (centre(grid, w[0]), centre(grid, w[1]))));
            }
        }
        let meaning = "prepared paths between the centres of regions, by their subgoals";
        layers.push(Layer::new("base paths", meaning, Shapes::Links(links)));
        layers
    }

    fn memory(&self, memory: Memory) -> Memory {
        let (places, words) = self.paths.bytes();
        memory
            .with("regions", self.sectors.bytes() + places)
            .with("paths", words)
            .with("tiles", self.tiles.as_ref().map_or(0, Tiles::bytes))
            .with("matrix", self.matrix.as_ref().map_or(0, Matrix::bytes))
    }

    /// What a planner prepared for the map as it is now would save: regions are in order, and a
    /// matrix voided by edits is made again for the file.
    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        Some(self.to_bytes(moves, map))
    }
}

/// Refuses more regions than a base path can name.
fn check_count(sectors: &Sectors, most: usize) -> Result<(), Error> {
    if sectors.numbers() < most {
        return Ok(());
    }
    Err(ROW.unsupported(
        format!("a map of {} regions", sectors.live()),
        "choose larger sectors, as in `dba-star:sector=32`",
    ))
}
