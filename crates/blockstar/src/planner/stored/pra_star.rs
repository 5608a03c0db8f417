//! PRA* as in Dragon Age: A* over regions first, then from centre to centre on the map.
//!
//! N. Sturtevant, *Memory-Efficient Abstractions for Pathfinding* (2007), after N. Sturtevant & M.
//! Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005). The texts were not at
//! hand; this follows W. Lee & R. Lawrence (2013) and what is known about the published code. Only
//! the [sectors](crate::regions::sectors) and their regions are prepared. A query searches the
//! graph of regions, where an edge costs the distance between the two centres on a map without
//! walls, and refines that route hop by hop: a search on the map to the centre of the next region.
//! The first hop skips the centre of the start's region, the last one that of the goal's.
//!
//! *Trimming*: centres lie off the way, so the last part of each hop (a tenth by default) is
//! dropped and the next hop planned from there.
//!
//! A hop is searched within one sector of the two regions it connects. The hop before it is trimmed
//! only as far as its end still lies within one sector of the first of them, so a way always
//! exists: back to the centre and on from there. The original searches the whole map.
//!
//! The path is only known at the end, so this planner is complete but not real-time; a search may
//! be sliced anywhere.
//!
//! The registry row also covers [PRA*(∞)](super::pra_cliques), which searches cliques instead of
//! sectors.

use super::pra_cliques::{self, PraCliques};
use crate::db::parameters::read_moves;
use crate::db::{self, DatabaseKind, Label};
use crate::engine::trace::Event;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice,
};
use crate::regions::routes::Routes;
use crate::regions::sectors::{
    self, AreaMemory, AreaSearch, CENTRE, Centre, Found, Labels, RegionSpace, SECTOR, Sectors,
    units,
};
use crate::registry::{SavedFile, kind, parameters, settings};
use crate::{Algorithm, Cell, Error, Grid, Layer, Memory, Moves, PlannerSpec, Preparation, Update};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "pra-star",
    summary: "PRA*: A* over the regions of sectors, refined hop by hop, as in Dragon Age",
    source: "Sturtevant & Buro 2005, Sturtevant 2007",
    preparation: Preparation::Local,
    parameters: &[ABSTRACTION, pra_cliques::RING, pra_cliques::ESTIMATE, SECTOR, TRIM, CENTRE],
    files: &[
        SavedFile { kind: DatabaseKind::Regions, moves: read_moves, maker: sectors::maker },
        SavedFile {
            kind: DatabaseKind::Cliques,
            moves: read_moves,
            maker: |_| Some("pra-star:abstraction=cliques".into()),
        },
    ],
    open: Some(|spec, bytes, grid, moves| {
        // The file decides the abstraction, unless one is given.
        let cliques = match spec.given(ABSTRACTION.name) {
            Some(_) => is_cliques(spec),
            None => PraCliques::is_saved(bytes),
        };
        if cliques {
            let method = PraCliques::open(bytes, grid, moves, pra_cliques::settings(spec))?;
            return Ok(Box::new(Driver::opened(method, grid, moves, DatabaseKind::Cliques)));
        }
        let wanted = sectors::wanted(spec);
        let method = PraStar::open(bytes, grid, moves, wanted, spec.number(TRIM.name))?;
        Ok(Box::new(Driver::opened(method, grid, moves, DatabaseKind::Regions)))
    }),
    make: |spec, grid, moves| {
        if is_cliques(spec) {
            let method = PraCliques::new(grid, moves, pra_cliques::settings(spec));
            return Ok(Driver::boxed(method, grid, moves));
        }
        Ok(Driver::boxed(PraStar::new(grid, moves, settings(spec))?, grid, moves))
    },
    ..Algorithm::BASE
};

settings! { kind::PraStar:
    /// The cells along the side of a square sector, 4 to 256; by default 16.
    sector(side: u32) = "sector", side;
    /// The size of a sector in cells, each side 4 to 256.
    sector_size(width: u32, height: u32) = "sector", format_args!("{width}x{height}");
    /// Represents a region by a cell that is easy to reach from its neighbours, instead of the one
    /// nearest the mean.
    tuned_centres() = "centre", "tuned";
    /// The part of each hop, in per cent, that is dropped before the next is planned; by default
    /// 10.
    trim(percent: u32) = "trim", percent;
    /// Searches cliques of cells, cliques of cliques and so on instead of sectors: PRA*(∞).
    cliques() = "abstraction", "cliques";
    /// With cliques: the number of cells searched on each side of the corridor.
    ring(cells: u32) = "ring", cells;
    /// With cliques: estimates in a straight line, not along the path of the level above.
    straight_estimate() = "estimate", "straight";
}

parameters! {
    ABSTRACTION = "abstraction", "sectors|cliques", "sectors",
        "regions of sectors, or cliques of cells, cliques of cliques and so on (PRA*(∞))";
    TRIM = "trim", "0-90", "10",
        "how much of each hop, in %, is dropped before the next is planned";
}

fn is_cliques(spec: &PlannerSpec) -> bool {
    spec.word(ABSTRACTION.name) == "cliques"
}

fn settings(spec: &PlannerSpec) -> PraSettings {
    let (side, centre) = sectors::chosen(spec);
    PraSettings { side, centre, trim: spec.number(TRIM.name) }
}

#[derive(Clone, Debug)]
pub(crate) struct PraStar {
    settings: PraSettings,
    sectors: Sectors,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PraSettings {
    /// The size of a sector.
    pub side: (u32, u32),
    pub centre: Centre,
    /// The part of each hop that is dropped, in hundredths.
    pub trim: u32,
}

/// A query in progress: the route over the regions, and the path as far as it is refined.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    phase: Phase,
    /// The goal's region.
    to: u32,
    /// The regions on the way, the goal's first.
    route: Vec<u32>,
    /// The nodes of the path so far.
    way: Vec<u32>,
    routes: Routes,
    labels: Labels,
    area: AreaMemory,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Searching the graph of regions.
    #[default]
    Route,
    /// About to start the hop to the last but one region of the route.
    Hop,
    /// Searching for that hop.
    Search,
}

impl SearchMemory for Refinement {
    fn bytes(&self) -> usize {
        (self.route.capacity() + self.way.capacity()) * 4
            + self.routes.bytes()
            + self.labels.bytes()
            + self.area.bytes()
    }
}

impl PraStar {
    pub fn new(grid: &Grid, moves: Moves, settings: PraSettings) -> Result<Self, Error> {
        Sectors::check_side(settings.side)?;
        let sectors = Sectors::new(grid, moves, settings.side, settings.centre);
        Ok(Self { settings, sectors })
    }

    /// Opens regions saved for the same map and movement rule. The file must match the settings
    /// that were given.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        (side, centre): (Option<(u32, u32)>, Option<Centre>),
        trim: u32,
    ) -> Result<Self, Error> {
        let kind = DatabaseKind::Regions;
        let refuse = || kind.refuse("what is in it makes no sense for this map: build it again");
        let file = db::IntactFile::of(bytes, kind)?;
        let (had, centres) = sectors::read_parameters(file.parameters).ok_or_else(refuse)?;
        let settings =
            PraSettings { side: side.unwrap_or(had), centre: centre.unwrap_or(centres), trim };
        let parameters = sectors::parameters(moves, settings.side, settings.centre);
        let label = Label { kind, parameters, grid: grid.content_hash() };
        let mut payload = file.unseal(label, sectors::describe)?;
        let sectors = Sectors::read(&mut payload, grid, moves, settings.side, settings.centre)
            .filter(|_| payload.is_empty())
            .ok_or_else(refuse)?;
        Ok(Self { settings, sectors })
    }

    fn space<'a>(&'a self, problem: &Problem<'a>, to: u32) -> RegionSpace<'a> {
        RegionSpace { sectors: &self.sectors, grid: problem.grid, moves: problem.moves, to }
    }

    /// Finds the regions of start and goal, which takes at most a look at each row of two sectors.
    fn begin(&self, problem: &Problem<'_>, refinement: &mut Refinement) {
        let Refinement { phase, to, way, routes, labels, .. } = refinement;
        let mut region =
            |cell: Cell| self.sectors.region(problem.grid, cell.x, cell.y, labels, &mut 0);
        let from = region(problem.start_cell());
        *to = region(problem.goal_cell());
        *phase = Phase::Route;
        way.clear();
        way.push(problem.start_node());
        self.space(problem, *to).begin(routes, from);
    }

    /// Searches the graph of regions. Nothing once the route is found.
    fn find_route(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        refinement: &mut Refinement,
    ) -> Option<Outcome> {
        let Refinement { to, route, routes, phase, .. } = refinement;
        let space = self.space(problem, *to);
        let units = f64::from(units(problem.moves).0);
        loop {
            if slice.is_spent() {
                return Some(Outcome::Paused);
            }
            let Some((region, g)) = routes.pop(u64::MAX) else { return Some(Outcome::Exhausted) };
            if region == *to {
                route.clear();
                let mut next = Some(region);
                while let Some(region) = next {
                    route.push(region);
                    next = routes.over(region);
                }
                *phase = Phase::Hop;
                return None;
            }
            let h = space.between(region, *to);
            let event = || {
                let (x, y) = problem.grid.rows().coordinates(self.sectors.centre(region));
                let g = g as f64 / units;
                Event::Expanded {
                    at: Cell::new(x, y).centre(),
                    from: None,
                    g,
                    f: g + h as f64 / units,
                }
            };
            if !permit(problem, slice, event) {
                return Some(Outcome::Limit);
            }
            for &next in self.sectors.neighbours(region) {
                space.reach(routes, next, g + space.between(region, next), region);
            }
        }
    }

    /// Plans the next hop of the route. Nothing if more hops follow.
    fn refine(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        refinement: &mut Refinement,
    ) -> Option<Outcome> {
        let Refinement { phase, route, way, area: memory, .. } = refinement;
        let Problem { grid, moves, .. } = *problem;
        let (last, layout) = (route.len() <= 2, &self.sectors.layout);
        let area = |region: u32| layout.areas(self.sectors.sector(grid.rows(), region), 1);
        // The regions that the hop connects: the same if start and goal are in one.
        let from = route[route.len() - 1];
        let next = if route.len() > 1 { route[route.len() - 2] } else { from };
        let areas = [area(from), area(next)];
        let search = AreaSearch::new(grid.rows(), moves, areas);
        let to = if last { problem.goal_node() } else { self.sectors.centre(next) };
        let at = *way.last()?;
        if *phase == Phase::Hop {
            slice.record(|| Event::Level { level: 0 });
            search.begin(memory, at, to);
            *phase = Phase::Search;
        }
        let units = f64::from(units(moves).0);
        let mut limit = false;
        let found = search.run(memory, to, |(node, g, f)| {
            if slice.is_spent() {
                return false;
            }
            limit = !permit(problem, slice, || {
                let (x, y) = grid.rows().coordinates(node);
                let at = Cell::new(x, y).centre();
                Event::Expanded { at, from: None, g: f64::from(g) / units, f: f64::from(f) / units }
            });
            !limit
        });
        match found {
            Found::Spent if limit => return Some(Outcome::Limit),
            Found::Spent => return Some(Outcome::Paused),
            Found::Nothing => return Some(Outcome::Exhausted),
            Found::Path(_) => {}
        }
        let before = way.len();
        search.trace_back(memory, to, way);
        way.pop(); // the cell where the hop starts
        way[before..].reverse();
        if last {
            return Some(Outcome::Goal);
        }
        route.pop();
        *phase = Phase::Hop;
        // Drop the last part, as far as what remains ends where the next hop may go.
        let hop = way.len() - before;
        let drop = (hop * self.settings.trim as usize).div_ceil(100).min(hop);
        let within = |node: u32| {
            let (x, y) = grid.rows().coordinates(node);
            areas[1].contains(x, y)
        };
        for _ in 0..drop {
            if !within(way[way.len() - 2]) {
                break;
            }
            way.pop();
        }
        None
    }
}

/// Pays for an expansion and records it; false if the query does not permit it.
#[inline]
fn permit(problem: &Problem<'_>, slice: &mut Slice<'_>, event: impl FnOnce() -> Event) -> bool {
    if slice.stats.expanded >= problem.max_expansions() {
        return false;
    }
    slice.expand();
    if let Some(trace) = slice.trace {
        trace.push(event());
    }
    true
}

impl Method for PraStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let refinement = pool.get::<Refinement>();
        if slice.is_fresh() {
            slice.record(|| Event::Level { level: 1 });
            self.begin(problem, refinement);
        }
        let outcome = loop {
            let ended = match refinement.phase {
                Phase::Route => self.find_route(problem, slice, refinement),
                Phase::Hop | Phase::Search => self.refine(problem, slice, refinement),
            };
            if let Some(outcome) = ended {
                break outcome;
            }
        };
        if outcome == Outcome::Goal {
            let cell = |&node: &u32| Cell::from(problem.grid.rows().coordinates(node)).centre();
            slice.write_path(refinement.way.iter().map(cell));
        }
        Ok(outcome)
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        let repaired = changes.rects().is_some_and(|rects| self.sectors.update(grid, rects));
        if !repaired {
            let PraSettings { side, centre, .. } = self.settings;
            self.sectors = Sectors::new(grid, moves, side, centre);
        }
        Ok(Update::default())
    }

    fn layers(&self, grid: &Grid) -> Vec<Layer> {
        self.sectors.layers(grid)
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("regions", self.sectors.bytes())
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        let PraSettings { side, centre, .. } = self.settings;
        let mut payload = Vec::new();
        self.sectors.write(&mut payload);
        let parameters = sectors::parameters(moves, side, centre);
        Some(db::seal(Label { kind: DatabaseKind::Regions, parameters, grid: map }, &payload))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Planner, Query, Scratch, Status, Tile, generate};

    fn made(grid: &Grid, moves: Moves, centre: Centre) -> Driver<PraStar> {
        let settings = PraSettings { side: (7, 9), centre, trim: 10 };
        Driver::new(PraStar::new(grid, moves, settings).unwrap(), grid, moves)
    }

    fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Driver<PraStar>, String> {
        let opened = PraStar::open(bytes, grid, moves, (None, None), 10);
        opened.map(|it| Driver::new(it, grid, moves)).map_err(|error| error.to_string())
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

    /// Files with a correct checksum and wrong numbers are refused, or harmless even when the map
    /// is edited afterwards.
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
            let file = db::IntactFile::of(&bytes, DatabaseKind::Regions).unwrap();
            let label = Label {
                kind: DatabaseKind::Regions,
                parameters: file.parameters,
                grid: grid.content_hash(),
            };
            let mut payload = file.payload.to_vec();
            let at = 4 * random.below(payload.len() as u64 / 4) as usize;
            match round % 5 {
                // A centre elsewhere nearby, which is fine if it is tuned and in its region.
                0..3 => {
                    payload[at] = payload[at].wrapping_add(random.below(5) as u8).wrapping_sub(2);
                }
                3 => payload[at + random.below(4) as usize] = random.next_u64() as u8,
                _ if round % 2 == 0 => payload.truncate(at + random.below(4) as usize),
                _ => payload.extend_from_slice(&[0; 4]),
            }
            let changed = payload != file.payload;
            // A copy of the map, to be edited.
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
