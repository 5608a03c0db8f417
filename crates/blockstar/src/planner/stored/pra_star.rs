//! PRA* as in Dragon Age: A* over regions first, then from centre to centre on the map.
//!
//! N. Sturtevant, *Memory-Efficient Abstractions for Pathfinding* (2007), after N. Sturtevant & M. Buro,
//! *Partial Pathfinding Using Map Abstraction and Refinement* (2005); the texts were not at hand, what
//! is built here follows W. Lee & R. Lawrence (2013) and what is known of the published code. Nothing is
//! prepared but the [sectors](crate::regions::sectors) and their regions. A query searches the graph of regions,
//! where an edge costs what lies between the centres on a map without walls, and refines that route hop
//! by hop: a search on the map to the centre of the next region but for the first (the start's own
//! centre is skipped) and the last (the goal's is, too).
//!
//! *Trimming*: centres are off the way, so of each hop the last tenth (by default) is dropped and the next
//! one planned from there.
//!
//! A hop is searched within one sector of the two regions that it leads from and to. Of the hop before only
//! so much is dropped that its end still lies within one sector of the first of them, so such a way always
//! exists: back to the centre and on from there. The original searches the whole map.
//!
//! The path is known at the end, so this planner is complete and not one for real time; a search may be
//! sliced anywhere.

use crate::db::{self, Kind, Label};
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::scratch::Task;
use crate::engine::trace::Event;
use crate::regions::sectors::{
    self, Centre, Found, Labels, NONE, Quest, Reach, Routes, Searcher, Sectors, units,
};
use crate::{
    Budget, Cell, Error, Grid, Memory, Moves, Planner, Query, Rect, Scratch, Stats, Status,
};

/// The name in the registry.
const NAME: &str = "pra-star";

#[derive(Debug)]
pub(crate) struct PraStar {
    desk: Desk,
    settings: Settings,
    sectors: Sectors,
    /// The version of the grid that the sectors were made for.
    version: u64,
    /// The content hash of that grid.
    content: u64,
}

/// What the planner is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The size of a sector.
    pub side: (u32, u32),
    pub centre: Centre,
    /// How much of each hop is dropped, in hundredths.
    pub trim: u32,
}

impl Settings {
    pub const TRIMS: std::ops::RangeInclusive<u32> = 0..=90;
}

/// A query under way.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    phase: Phase,
    ends: (u32, u32),
    /// The regions on the way, the goal's first.
    route: Vec<u32>,
    /// The cells of the path so far.
    way: Vec<u32>,
    routes: Routes,
    labels: Labels,
    searcher: Searcher,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The graph of regions is being searched.
    #[default]
    Route,
    /// The hop to the last but one of the regions on the way is to be begun.
    Hop,
    /// It is being searched for.
    Search,
}

impl Refinement {
    pub fn bytes(&self) -> usize {
        (self.route.capacity() + self.way.capacity()) * 4
            + self.routes.bytes()
            + self.labels.bytes()
            + self.searcher.bytes()
    }
}

/// Why the search stopped.
enum Outcome {
    Goal,
    Nothing,
    Paused,
    Limit,
}

impl PraStar {
    pub fn new(grid: &Grid, moves: Moves, settings: Settings) -> Result<Self, Error> {
        Sectors::check_side(settings.side)?;
        let sectors = Sectors::new(grid, moves, settings.side, settings.centre);
        Ok(Self {
            desk: Desk::new(NAME, grid, moves),
            settings,
            sectors,
            version: grid.version(),
            content: grid.content_hash(),
        })
    }

    /// Opens regions that were saved for the same map and movement rule. What was asked for must be
    /// what the file has.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        (side, centre): (Option<(u32, u32)>, Option<Centre>),
        trim: u32,
    ) -> Result<Self, Error> {
        let kind = Kind::Regions;
        let refuse = || kind.refuse("what is in it makes no sense for this map: make it anew");
        let whole = db::Whole::of(bytes, kind)?;
        let (had, centres) = sectors::read_parameters(whole.parameters).ok_or_else(refuse)?;
        let settings =
            Settings { side: side.unwrap_or(had), centre: centre.unwrap_or(centres), trim };
        let content = grid.content_hash();
        let parameters = sectors::parameters(moves, settings.side, settings.centre);
        let label = Label { kind, parameters, grid: content };
        let mut payload = db::unseal(bytes, label, sectors::describe)?;
        let sectors = Sectors::read(&mut payload, grid, moves, settings.side, settings.centre)
            .filter(|_| payload.is_empty())
            .ok_or_else(refuse)?;
        Ok(Self {
            desk: Desk::new(NAME, grid, moves),
            settings,
            sectors,
            version: grid.version(),
            content,
        })
    }

    fn search(
        &self,
        grid: &Grid,
        task: &Task,
        refinement: &mut Refinement,
        mut work: Work<'_>,
    ) -> Outcome {
        loop {
            let found = match refinement.phase {
                Phase::Route => self.find_route(grid, refinement, &mut work),
                Phase::Hop | Phase::Search => self.refine(grid, task, refinement, &mut work),
            };
            match found {
                Some(outcome) => return outcome,
                None => continue,
            }
        }
    }

    /// Searches the graph of regions.
    fn find_route(
        &self,
        grid: &Grid,
        refinement: &mut Refinement,
        work: &mut Work<'_>,
    ) -> Option<Outcome> {
        let Refinement { ends: (_, to), route, routes, phase, .. } = refinement;
        let quest = Quest { sectors: &self.sectors, grid, moves: self.desk.moves(), to: *to };
        let units = f64::from(units(self.desk.moves()).0);
        loop {
            if work.meter.is_spent() {
                return Some(Outcome::Paused);
            }
            let Some((region, g)) = routes.pop(u64::MAX) else { return Some(Outcome::Nothing) };
            if region == *to {
                route.clear();
                let mut at = region;
                while at != NONE {
                    route.push(at);
                    at = routes.before(at);
                }
                *phase = Phase::Hop;
                return None;
            }
            let h = quest.between(region, *to);
            let event = || {
                let (x, y) = grid.rows().coordinates(self.sectors.centre(region));
                let g = g as f64 / units;
                Event::Expanded { at: Cell::new(x, y).centre(), g, f: g + h as f64 / units }
            };
            if !work.permit(event) {
                return Some(Outcome::Limit);
            }
            for &next in self.sectors.neighbours(region) {
                routes.reach(&quest, next, g + quest.between(region, next), region);
            }
        }
    }

    /// Plans the next hop of the route.
    fn refine(
        &self,
        grid: &Grid,
        task: &Task,
        refinement: &mut Refinement,
        work: &mut Work<'_>,
    ) -> Option<Outcome> {
        let Refinement { phase, route, way, searcher, .. } = refinement;
        let goal = grid.rows().position(task.goal_cell.x, task.goal_cell.y);
        let (last, layout) = (route.len() <= 2, &self.sectors.layout);
        let area = |region: u32| layout.areas(self.sectors.sector(grid.rows(), region), 1);
        // The regions that the hop leads from and to: the same if start and goal are in one.
        let from = route[route.len() - 1];
        let next = if route.len() > 1 { route[route.len() - 2] } else { from };
        let areas = [area(from), area(next)];
        let reach = Reach::new(grid, self.desk.moves(), areas);
        let to = if last { goal } else { self.sectors.centre(next) };
        let at = *way.last()?;
        if *phase == Phase::Hop {
            reach.begin(searcher, at, to);
            *phase = Phase::Search;
        }
        let units = f64::from(units(self.desk.moves()).0);
        let mut limit = false;
        let found = reach.run(searcher, to, |(node, g, f)| {
            if work.meter.is_spent() {
                return false;
            }
            limit = !work.permit(|| {
                let (x, y) = grid.rows().coordinates(node);
                let at = Cell::new(x, y).centre();
                Event::Expanded { at, g: f64::from(g) / units, f: f64::from(f) / units }
            });
            !limit
        });
        match found {
            Found::Spent if limit => return Some(Outcome::Limit),
            Found::Spent => return Some(Outcome::Paused),
            Found::Nothing => return Some(Outcome::Nothing),
            Found::Path(_) => {}
        }
        let before = way.len();
        reach.trace_back(searcher, to, way);
        way.pop(); // the cell that it started from
        way[before..].reverse();
        if last {
            return Some(Outcome::Goal);
        }
        route.pop();
        *phase = Phase::Hop;
        // The last part is dropped, as far as it lies where the next hop may go.
        let hop = way.len() - before;
        let drop = (hop * self.settings.trim as usize).div_ceil(100).min(hop);
        let within = |node: u32| {
            let (x, y) = grid.rows().coordinates(node);
            areas[1].contains(x, y)
        };
        for _ in 0..drop {
            // What remains must end there, too.
            if !within(way[way.len() - 2]) {
                break;
            }
            way.pop();
        }
        None
    }
}

/// What a search may spend, and where it is written down.
struct Work<'a> {
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<crate::Trace>,
    max_expansions: u64,
}

impl Work<'_> {
    /// Pays for an expansion; false if the query does not permit it.
    #[inline]
    fn permit(&mut self, event: impl FnOnce() -> Event) -> bool {
        if self.stats.expanded >= self.max_expansions {
            return false;
        }
        self.meter.pay();
        self.stats.expanded += 1;
        if let Some(trace) = self.trace {
            trace.push(event());
        }
        true
    }
}

impl Planner for PraStar {
    /// Also finds the regions of start and goal: at most a look at each row of two sectors.
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)?;
        let Some(task) = scratch.task.as_ref().filter(|task| task.status == Status::Working) else {
            return Ok(());
        };
        let Refinement { phase, ends, way, routes, labels, .. } = &mut scratch.refinement;
        let mut region = |cell: Cell| self.sectors.region(grid, cell.x, cell.y, labels, &mut 0);
        *ends = (region(task.start_cell), region(task.goal_cell));
        *phase = Phase::Route;
        way.clear();
        way.push(grid.rows().position(task.start_cell.x, task.start_cell.y));
        let moves = self.desk.moves();
        let quest = Quest { sectors: &self.sectors, grid, moves, to: ends.1 };
        routes.begin(&quest, ends.0);
        Ok(())
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let Scratch { refinement, stats, trace, path, .. } = &mut *scratch;
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        let meter = &mut Meter::new(budget);
        let work = Work { meter, stats, trace, max_expansions };
        let status = match self.search(grid, &task, refinement, work) {
            Outcome::Goal => task.success,
            Outcome::Nothing => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused => return Ok(Status::Working),
        };
        if status.has_path() {
            for &node in &refinement.way {
                let (x, y) = grid.rows().coordinates(node);
                path.push(Cell::new(x, y).centre());
            }
        }
        Ok(self.desk.close(grid, scratch, status))
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        let mut changes = grid.changes_since(self.version);
        let mut none = std::iter::empty();
        let known = changes.is_some();
        let changes: &mut dyn Iterator<Item = Rect> = match &mut changes {
            Some(changes) => changes,
            None => &mut none,
        };
        if !known || !self.sectors.update(grid, changes) {
            let Settings { side, centre, .. } = self.settings;
            self.sectors = Sectors::new(grid, self.desk.moves(), side, centre);
            self.content = grid.content_hash();
        } else if !self.sectors.repair().touched.is_empty() {
            // It cannot be made good when saving, where there is no map to look at.
            self.content = grid.content_hash();
        }
        self.version = grid.version();
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        let Settings { side, centre, .. } = self.settings;
        let mut payload = Vec::new();
        self.sectors.write(&mut payload);
        let parameters = sectors::parameters(self.desk.moves(), side, centre);
        Some(db::seal(Label { kind: Kind::Regions, parameters, grid: self.content }, &payload))
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory().with("regions", self.sectors.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Tile, generate};

    fn made(grid: &Grid, moves: Moves, centre: Centre) -> PraStar {
        PraStar::new(grid, moves, Settings { side: (7, 9), centre, trim: 10 }).unwrap()
    }

    fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<PraStar, String> {
        PraStar::open(bytes, grid, moves, (None, None), 10).map_err(|error| error.to_string())
    }

    fn edit(grid: &mut Grid, random: &mut Random) {
        let x = random.below(grid.width().into()) as u32;
        let y = random.below(grid.height().into()) as u32;
        grid.set((x, y), if random.chance(1, 2) { Tile::Blocked } else { Tile::Free }).unwrap();
    }

    #[test]
    fn what_was_saved_after_edits_is_opened() {
        let mut random = Random::new(31);
        let mut scratch = Scratch::new();
        for round in 0..20 {
            let mut grid = generate::caves(60, 50, round).unwrap();
            let moves = [Moves::EIGHT, Moves::FOUR, Moves::EIGHT_CUT_ANY][round as usize % 3];
            let centre = if round % 4 == 0 { Centre::Tuned } else { Centre::Mean };
            let mut planner = made(&grid, moves, centre);
            for _ in 0..20 {
                edit(&mut grid, &mut random);
                planner.update(&grid).unwrap();
            }
            let bytes = planner.save().unwrap();
            assert_eq!(bytes, made(&grid, moves, centre).save().unwrap());
            let opened = open(&bytes, &grid, moves).unwrap();
            for (start, goal) in generate::queries(&grid, 10, round) {
                let query = Query::new(start, goal);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let path = scratch.path().clone();
                assert_eq!(opened.find(&grid, &query, &mut scratch).unwrap(), status);
                assert_eq!(scratch.path(), &path);
            }
        }
    }

    /// Files with a right checksum and wrong numbers: refused, or harmless, also when the map is edited
    /// afterwards.
    #[test]
    fn hostile_files_do_no_harm() {
        let mut random = Random::new(32);
        let mut scratch = Scratch::new();
        let grid = generate::caves(50, 40, 3).unwrap();
        let moves = Moves::EIGHT;
        let (mut refused, mut harmless) = (0, 0);
        for round in 0..600 {
            let centre = if round % 3 == 0 { Centre::Mean } else { Centre::Tuned };
            let bytes = made(&grid, moves, centre).save().unwrap();
            let whole = db::Whole::of(&bytes, Kind::Regions).unwrap();
            let label = Label {
                kind: Kind::Regions,
                parameters: whole.parameters,
                grid: grid.content_hash(),
            };
            let mut payload = whole.payload.to_vec();
            let at = 4 * random.below(payload.len() as u64 / 4) as usize;
            match round % 5 {
                // A centre elsewhere nearby, which is allowed if it is in the region and tuned.
                0..3 => {
                    payload[at] = payload[at].wrapping_add(random.below(5) as u8).wrapping_sub(2);
                }
                3 => payload[at + random.below(4) as usize] = random.next_u64() as u8,
                _ if round % 2 == 0 => payload.truncate(at + random.below(4) as usize),
                _ => payload.extend_from_slice(&[0; 4]),
            }
            let changed = payload != whole.payload;
            // A map of its own, to be edited.
            let mut grid = grid.clone();
            match open(&db::seal(label, &payload), &grid, moves) {
                Err(message) => {
                    assert!(changed && message.contains("no sense"), "{message}");
                    refused += 1;
                }
                Ok(mut planner) => {
                    assert!(!changed || centre == Centre::Tuned, "the means are known");
                    harmless += usize::from(changed);
                    for edits in [0, 8] {
                        for _ in 0..edits {
                            edit(&mut grid, &mut random);
                        }
                        planner.update(&grid).unwrap();
                        for (start, goal) in generate::queries(&grid, 5, round) {
                            let query = Query::new(start, goal);
                            let status = planner.find(&grid, &query, &mut scratch).unwrap();
                            assert_eq!(status, Status::Found);
                            scratch.path().check(&grid, moves).unwrap();
                        }
                    }
                }
            }
        }
        assert!(refused > 200 && harmless > 50, "{refused} {harmless}");
        let bytes = made(&grid, moves, Centre::Tuned).save().unwrap();
        for _ in 0..1000 {
            let damaged = random.damage(&bytes);
            assert_eq!(open(&damaged, &grid, moves).is_ok(), damaged == bytes);
        }
    }
}
