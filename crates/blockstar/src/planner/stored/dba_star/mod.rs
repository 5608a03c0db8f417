//! DBA*: a database of paths between neighbouring regions, walked by hill climbing.
//!
//! W. Lee & R. Lawrence, *Fast Grid-based Path Finding for Video Games* (2013). The map is cut into
//! [sectors](crate::regions::sectors) and regions. Prepared are the base paths between the centres of regions at
//! most L steps apart ([`paths`]), as lists of subgoals that can be climbed to one after the other, and
//! for every two regions with which base path a shortest way begins ([`matrix`]). An agent finds its own
//! region and the goal's, and walks: to the centre of its region, along base paths from centre to
//! centre, and within the goal's sector to the goal. It is under way after looking at no more cells than
//! a sector has ([`journey`]).
//!
//! Centres are off the way, so corners are cut (the paper's path trimming): from where it stands the
//! agent tries to climb to the subgoal after the next, and skips the next if it can.
//!
//! What differs from the paper:
//! * Sector regions are found by rows of cells, and so is the region of a cell in a sector that has
//!   several; the centre is always a cell of its region.
//! * A base path is optimal within L sectors of its two regions, not on the whole map: what an edit can
//!   change is bounded, and repaired.
//! * The matrix holds the next base path only, in compressed rows. An edit that changes the cost of
//!   a base path makes it void; queries then search the graph of regions for the same ways, some tens of
//!   microseconds, until the planner is prepared again (or saved and opened, which makes it too). If that
//!   takes more than a first response may, the agent begins with steps towards the centre of its region.
//! * Corners are cut not only at centres and subgoals: the earliest cell on the way to the next subgoal
//!   from which the one after it can be climbed to is found by halving. And only if that costs no more
//!   than the way over the subgoal.
//! * A goal in a neighbouring region is first looked for directly, with half of what a first response
//!   may take.
//!
//! An edit repairs base paths at once and not when they are next used: a way through the regions is the
//! shortest by their costs, so all costs must be right before the first of them can be chosen. That is
//! bounded (the paths whose ellipse has the cell) and pays off soon. PRA* prepares regions only and is the
//! lazy one. In processor time on the ten maps of the paper a wall added and removed takes 0.29 ms with DBA*
//! (0.064 ms with sectors of 32 and depth 1) and 0.011 ms with PRA*; with five searches between 0.62
//! (0.26) and 0.64 ms, with fourteen 1.2 (0.61) and 2.0 ms.
//!
//! Measured there, the 100 longest problems of each map: with sectors of 16 and depth 2, the default, walks
//! are 0.63 % above the optimum (spread 0.44, most 2.8; problems evenly over the scenarios 0.70 %), 74 times
//! as fast as A*, with 226 KB a map, prepared in 80 ms; with depth 1 they are 1.77 % above it (evenly 1.89 %),
//! with 115 KB, prepared in 31 ms. Without a matrix they are 0.73 % above it, 32 times as fast as A*, with
//! 138 KB. An edit with its repair takes 0.12 of an A* query of median length. `blockstar reproduce dba`
//! measures all this.
//!
//! The first move takes at most as many expansions as a sector has cells. A look at a row of cells while
//! labelling a sector, a step of a climb that is tried, and a cell or region that a search expands count
//! as one each.

mod file;
mod journey;
mod matrix;
mod paths;
#[cfg(test)]
mod tests;

use crate::engine::desk::Desk;
use crate::engine::scratch::Task;
use crate::engine::walk::{self, Purse, Walker};
use crate::regions::sectors::{Centre, NONE, Sectors};
use crate::{Budget, Error, Grid, Memory, Moves, Planner, Query, Rect, Scratch, Status};
pub(crate) use file::{Wanted, maker};
pub(crate) use journey::Journey;
use journey::Leg;
use matrix::{Graph, Matrix};
use paths::{Hop, MOST_REGIONS, Paths};

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

/// What a database is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The size of a sector.
    pub side: (u32, u32),
    /// How many steps of the region graph a base path may span.
    pub depth: u32,
    pub centre: Centre,
    pub trim: Trim,
    /// Whether the matrix is made.
    pub matrix: bool,
}

impl Settings {
    pub const DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;
}

/// The name in the registry.
const NAME: &str = "dba-star";

#[derive(Debug)]
pub(crate) struct DbaStar {
    desk: Desk,
    settings: Settings,
    trim: Trim,
    sectors: Sectors,
    paths: Paths,
    matrix: Option<Matrix>,
    /// The version of the grid that all this was made for; none if an update has failed half way.
    version: Option<u64>,
    /// The content hash of that grid.
    content: u64,
    changes: Vec<Rect>,
    /// The number of regions that it can tell apart.
    most_regions: usize,
}

impl DbaStar {
    pub fn new(grid: &Grid, moves: Moves, settings: Settings) -> Result<Self, Error> {
        Sectors::check_side(settings.side)?;
        let desk = Desk::new(NAME, grid, moves);
        let sectors = Sectors::new(grid, moves, settings.side, settings.centre);
        check_count(&sectors, MOST_REGIONS)?;
        let paths = Paths::new(grid, moves, &sectors, settings.depth);
        let mut planner = Self {
            desk,
            settings,
            trim: settings.trim,
            sectors,
            paths,
            matrix: None,
            version: Some(grid.version()),
            content: grid.content_hash(),
            changes: Vec::new(),
            most_regions: MOST_REGIONS,
        };
        planner.make_matrix();
        Ok(planner)
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
            graph.edges.extend(self.paths.hops(region).map(edge));
            graph.starts.push(graph.edges.len() as u32);
        }
        graph
    }

    /// The place of each region in their order by sector, by number. Edits give new numbers; the
    /// order depends on the map alone.
    fn places(&self) -> Vec<u32> {
        let mut places = vec![NONE; self.sectors.numbers()];
        for (place, region) in (0..).zip(self.sectors.all()) {
            places[region as usize] = place;
        }
        places
    }

    /// The most expansions that planning a leg after the first can take, but for a search of the regions
    /// that the first response had no time for: at most one for each of them.
    fn work(&self) -> u64 {
        self.sectors.layout.cells() * (u64::from(self.settings.depth) + 1) + 1
    }
}

impl Walker for DbaStar {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn most_work(&self, scratch: &Scratch) -> u64 {
        if !scratch.walk.plan.is_empty() {
            return 0;
        }
        let search = if scratch.journey.is_searching() { self.sectors.live() } else { 0 };
        self.work() + search as u64
    }

    fn next_move(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<u32> {
        let Scratch { walk, journey, .. } = scratch;
        if let Some(next) = walk.plan.pop() {
            return Some(next);
        }
        let cells = self.sectors.layout.cells();
        // Of every leg one expansion is kept for a step when nothing else is left; of those after the
        // first also one sector's cells, for a search inside the goal's sector.
        let first = journey.is_fresh();
        let limit = if first { cells - 1 } else { self.work() - cells - 1 };
        let mut leg = Leg::new(self, grid, task, walk.at(), first, limit);
        leg.plan(journey, &mut walk.plan);
        if !purse.pay_for(leg.spent) {
            return None;
        }
        walk.plan.pop()
    }
}

impl Planner for DbaStar {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        walk::begin(&self.desk, grid, query, scratch, false)?;
        scratch.journey.begin();
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        walk::resume(self, grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.changes.clear();
        let changes = self.version.and_then(|version| grid.changes_since(version));
        let known = changes.map(|changes| self.changes.extend(changes));
        let cells = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        // With half of the map changed there is nothing to be gained by looking at what has.
        let much = self.changes.iter().map(cells).sum::<u64>()
            > u64::from(grid.width()) * u64::from(grid.height()) / 2;
        let moves = self.desk.moves();
        // Until all is done, queries are told that the planner is stale.
        self.version = None;
        let anew =
            known.is_none() || much || !self.sectors.update(grid, self.changes.iter().copied());
        if anew || check_count(&self.sectors, self.most_regions).is_err() {
            let Settings { side, centre, depth, .. } = self.settings;
            self.sectors = Sectors::new(grid, moves, side, centre);
            check_count(&self.sectors, self.most_regions)?;
            self.paths = Paths::new(grid, moves, &self.sectors, depth);
            self.make_matrix();
            self.content = grid.content_hash();
        } else if !self.sectors.repair().touched.is_empty() {
            if self.paths.repair(grid, moves, &self.sectors, &self.changes) {
                self.matrix = None;
            }
            self.content = grid.content_hash();
        }
        self.desk.update(grid);
        self.version = Some(grid.version());
        Ok(Default::default())
    }

    /// What a planner made anew for the map as it is would save: regions are in order, and a matrix
    /// that edits have made void is made again for the file.
    fn save(&self) -> Option<Vec<u8>> {
        self.version.map(|_| self.to_bytes())
    }

    fn memory_usage(&self) -> Memory {
        let (places, words) = self.paths.bytes();
        self.desk
            .memory()
            .with("regions", self.sectors.bytes() + places)
            .with("paths", words)
            .with("matrix", self.matrix.as_ref().map_or(0, Matrix::bytes))
    }
}

/// Refuses more regions than a base path can name.
fn check_count(sectors: &Sectors, most: usize) -> Result<(), Error> {
    if sectors.numbers() < most {
        return Ok(());
    }
    Err(Error::Unsupported {
        planner: NAME,
        what: format!("a map of {} regions", sectors.live()),
        remedy: "choose larger sectors, as in `dba-star:sector=32`".into(),
    })
}
