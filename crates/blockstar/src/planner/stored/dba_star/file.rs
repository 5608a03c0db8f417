//! The database as a file.
//!
//! After the [regions](crate::regions::sectors) come the base paths of each region, as a number of
//! words and the words themselves; then the matrix: the number of its runs (0 if there is none),
//! the ranks, where each row's runs start, and the runs, rank and hop in one word.
//!
//! What is saved after edits is what a new planner would save: regions are numbered by sector.
//!
//! Whatever a file says, walks are legal and end, before edits and after. Regions are found on the
//! map. There must be base paths between exactly those regions that the depth demands. Each path is
//! climbed once, to see that it arrives at the cost it claims without leaving the sectors whose
//! edits repair it. Every entry of the matrix must name a path, and an agent that the matrix leads
//! in circles searches for its way.

use super::matrix::Matrix;
use super::paths::{Hop, Hops, MOST_REGIONS, Paths, climb_within};
use super::{DbaSettings, DbaStar, Trim};
use crate::db::parameters::is_free_node;
use crate::db::{self, DatabaseKind, Label, take_u32};
use crate::regions::climb::Climber;
use crate::regions::sectors::{self, Centre, Lists, Sectors, units};
use crate::{Error, Grid, Moves};

/// The parameters of a database.
pub(super) fn parameters(moves: Moves, settings: &DbaSettings) -> u64 {
    sectors::parameters(moves, settings.side, settings.centre)
        | u64::from(settings.depth) << 40
        | u64::from(settings.matrix) << 44
}

fn read_parameters(parameters: u64) -> Option<((u32, u32), Centre, u32, bool)> {
    let (side, centre) = sectors::read_parameters(parameters)?;
    let depth = (parameters >> 40 & 15) as u32;
    DbaSettings::DEPTHS.contains(&depth).then_some((side, centre, depth, parameters >> 44 & 1 != 0))
}

/// The planner of a database, with its parameters.
pub(crate) fn maker(parameters: u64) -> Option<String> {
    let ((w, h), centre, depth, matrix) = read_parameters(parameters)?;
    let (centre, matrix) = (centre.name(), if matrix { "on" } else { "off" });
    Some(format!("dba-star:sector={w}x{h}:depth={depth}:centre={centre}:matrix={matrix}"))
}

fn describe(parameters: u64) -> String {
    let (depth, matrix) = (parameters >> 40 & 15, parameters >> 44 & 1 != 0);
    let matrix = if matrix { "" } else { ", no matrix" };
    format!("{}, depth {depth}{matrix}", sectors::describe(parameters))
}

/// The settings that were asked for; the file decides the rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub side: Option<(u32, u32)>,
    pub depth: Option<u32>,
    pub centre: Option<Centre>,
    pub matrix: Option<bool>,
}

impl DbaStar {
    /// The database as bytes.
    pub(super) fn to_bytes(&self, moves: Moves, map: u64) -> Vec<u8> {
        let mut payload = Vec::new();
        self.sectors.write(&mut payload);
        let mut add = |word: u32| payload.extend_from_slice(&word.to_le_bytes());
        let places = self.places();
        let mut words = Vec::new();
        for region in self.sectors.all() {
            words.clear();
            for hop in self.paths.hops(&self.sectors, region) {
                Hop { target: places[hop.target as usize], ..hop }.write(&mut words);
            }
            add(words.len() as u32);
            words.iter().for_each(|&word| add(word));
        }
        // As long as there is a matrix, regions still have their first numbers.
        let again = || self.settings.matrix.then(|| Matrix::new(&self.graph())).flatten();
        let matrix = self.matrix.clone().or_else(again);
        let settings = DbaSettings { matrix: matrix.is_some(), ..self.settings };
        let matrix = matrix.unwrap_or_default();
        add(matrix.hops.len() as u32);
        matrix.ranks.iter().for_each(|&rank| add(rank.into()));
        matrix.starts.iter().for_each(|&start| add(start));
        let runs = matrix.froms.iter().zip(&matrix.hops);
        runs.for_each(|(&from, &hop)| add(u32::from(from) << 8 | u32::from(hop)));
        let parameters = parameters(moves, &settings);
        db::seal(Label { kind: DatabaseKind::Dba, parameters, grid: map }, &payload)
    }

    /// Opens a database saved for the same map and movement rule.
    pub(super) fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        wanted: Wanted,
        trim: Trim,
    ) -> Result<Self, Error> {
        let file = db::IntactFile::of(bytes, DatabaseKind::Dba)?;
        let refuse = || {
            DatabaseKind::Dba.refuse("what is in it makes no sense for this map: build it again")
        };
        let (side, centre, depth, matrix) = read_parameters(file.parameters).ok_or_else(refuse)?;
        let settings = DbaSettings {
            side: wanted.side.unwrap_or(side),
            centre: wanted.centre.unwrap_or(centre),
            depth: wanted.depth.unwrap_or(depth),
            matrix: wanted.matrix.unwrap_or(matrix),
            trim,
        };
        let parameters = parameters(moves, &settings);
        let label = Label { kind: DatabaseKind::Dba, parameters, grid: grid.content_hash() };
        let mut payload = file.unseal(label, describe)?;
        let sectors = Sectors::read(&mut payload, grid, moves, side, centre).ok_or_else(refuse)?;
        if sectors.numbers() >= MOST_REGIONS {
            return Err(refuse());
        }
        let paths = read_paths(&mut payload, grid, moves, &sectors, depth).ok_or_else(refuse)?;
        let read = read_matrix(payload, &paths, &sectors).ok_or_else(refuse)?;
        if read.is_some() != matrix {
            return Err(refuse());
        }
        let (tiles, most_regions) = (None, MOST_REGIONS);
        let mut planner = Self { settings, sectors, paths, matrix: read, tiles, most_regions };
        planner.make_tiles(grid.rows(), moves);
        Ok(planner)
    }
}

/// The base paths of a payload, if they lead where they must and each can be climbed at the cost it
/// claims.
fn read_paths(
    payload: &mut &[u8],
    grid: &Grid,
    moves: Moves,
    sectors: &Sectors,
    depth: u32,
) -> Option<Paths> {
    let count = sectors.live();
    let mut paths = Paths::from_lists(Lists::new(count), depth);
    let climber = Climber::new(grid, moves).with_units(units(moves));
    let rows = grid.rows();
    let mut words = Vec::new();
    for region in 0..count as u32 {
        let length = take_u32(payload)? as usize;
        if payload.len() / 4 < length {
            return None;
        }
        words.clear();
        for _ in 0..length {
            words.push(take_u32(payload)?);
        }
        // A repair relies on there being a path to each of these and to no other.
        let targets = paths.find_targets(rows, sectors, region);
        if !Hops(&words).map(|hop| hop.target).eq(targets.iter().copied()) {
            return None;
        }
        let mut used = 0;
        for Hop { target, cost, subgoals } in Hops(&words) {
            used += 2 + subgoals.len() + usize::from(subgoals.len() >= 255);
            let areas = paths.areas(rows, sectors, region, target);
            let (mut at, mut sum) = (sectors.centre(region), 0u32);
            for &next in subgoals.iter().chain([&sectors.centre(target)]) {
                if !is_free_node(grid, next) {
                    return None;
                }
                sum = sum.checked_add(climb_within(&climber, rows, areas, at, next)?)?;
                at = next;
            }
            if sum != cost {
                return None;
            }
        }
        if used != length {
            return None;
        }
        paths.lists.set(region, &words);
    }
    paths.lists.trim();
    let back = |from: u32, to: u32| paths.hops(sectors, from).find(|hop| hop.target == to);
    let both = |region: u32| {
        paths
            .hops(sectors, region)
            .all(|hop| back(hop.target, region).is_some_and(|b| b.cost == hop.cost))
    };
    (0..count as u32).all(both).then_some(paths)
}

/// The matrix of a payload, if its numbers are in their ranges and nothing follows.
fn read_matrix(mut payload: &[u8], paths: &Paths, sectors: &Sectors) -> Option<Option<Matrix>> {
    let count = sectors.live();
    let payload = &mut payload;
    let runs = take_u32(payload)? as usize;
    if runs == 0 && payload.is_empty() {
        return Some(None);
    }
    if payload.len() as u64 != 4 * (2 * count as u64 + 1 + runs as u64) || count > Matrix::MOST {
        return None;
    }
    // The file is known to have these sizes.
    let mut matrix = Matrix {
        ranks: Vec::with_capacity(count),
        starts: Vec::with_capacity(count + 1),
        froms: Vec::with_capacity(runs),
        hops: Vec::with_capacity(runs),
    };
    for _ in 0..count {
        let rank = take_u32(payload)?;
        matrix.ranks.push(u16::try_from(rank).ok().filter(|&rank| usize::from(rank) < count)?);
    }
    for _ in 0..=count {
        let start = take_u32(payload)?;
        let last = matrix.starts.last().copied().unwrap_or(0);
        matrix.starts.push(Some(start).filter(|&s| s >= last && s as usize <= runs)?);
    }
    for _ in 0..runs {
        let word = take_u32(payload)?;
        matrix.froms.push(u16::try_from(word >> 8).ok()?);
        matrix.hops.push(word as u8);
    }
    // Every lookup finds a hop, if the region has any.
    for region in 0..count as u32 {
        let row = matrix.row(region);
        let hops = paths.hops(sectors, region).count();
        let first = matrix.froms[row.clone()].first();
        let known = matrix.hops[row].iter().all(|&hop| usize::from(hop) < hops);
        if !known || (hops > 0 && first != Some(&0)) {
            return None;
        }
    }
    Some(Some(matrix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Driver;
    use crate::random::Random;
    use crate::{Planner, Query, Scratch, Status, Tile, generate};

    fn made(grid: &Grid, moves: Moves, depth: u32, matrix: bool) -> Driver<DbaStar> {
        let settings =
            DbaSettings { side: (8, 9), depth, centre: Centre::Mean, trim: Trim::All, matrix };
        Driver::new(DbaStar::new(grid, moves, settings).unwrap(), grid, moves)
    }

    fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Driver<DbaStar>, String> {
        let opened = DbaStar::open(bytes, grid, moves, Wanted::default(), Trim::All);
        opened.map(|it| Driver::new(it, grid, moves)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_was_saved_is_opened() {
        let mut scratch = Scratch::new();
        for seed in 0..8 {
            let grid = generate::caves(70, 60, seed).unwrap();
            let moves = [Moves::EIGHT, Moves::FOUR, Moves::EIGHT_CUT_ANY][seed as usize % 3];
            let planner = made(&grid, moves, 1 + seed as u32 % 4, seed % 2 == 0);
            let bytes = planner.save().unwrap();
            let opened = open(&bytes, &grid, moves).unwrap();
            assert_eq!(opened.save().unwrap(), bytes);
            assert_eq!(opened.memory_usage(), planner.memory_usage());
            for (start, goal) in generate::queries(&grid, 30, seed) {
                let query = Query::new(start, goal);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let (path, stats) = (scratch.path().clone(), *scratch.stats());
                assert_eq!(opened.find(&grid, &query, &mut scratch).unwrap(), status);
                assert_eq!((scratch.path(), *scratch.stats()), (&path, stats));
            }
        }
    }

    #[test]
    fn other_maps_rules_and_sizes_are_refused_with_a_sentence() {
        let mut grid = generate::caves(60, 50, 1).unwrap();
        let mut planner = made(&grid, Moves::EIGHT, 2, true);
        let bytes = planner.save().unwrap();
        let refused = |message: Option<String>, words: &str| {
            let message = message.unwrap();
            assert!(message.contains(words), "{message}");
        };
        refused(
            open(&bytes, &grid, Moves::FOUR).err(),
            "made for the rule `eight`, sectors of 8 x 9",
        );
        let wanted = |wanted: Wanted| {
            let opened = DbaStar::open(&bytes, &grid, Moves::EIGHT, wanted, Trim::All);
            opened.err().map(|error| error.to_string())
        };
        refused(wanted(Wanted { depth: Some(3), ..Wanted::default() }), "depth 2, not for");
        refused(wanted(Wanted { side: Some((16, 16)), ..Wanted::default() }), "8 x 9 cells");
        assert_eq!(wanted(Wanted { depth: Some(2), ..Wanted::default() }), None);
        refused(open(&bytes[..99], &grid, Moves::EIGHT).err(), "fetch it again");
        let cell = generate::queries(&grid, 1, 5)[0].0;
        grid.set(cell, Tile::Blocked).unwrap();
        refused(open(&bytes, &grid, Moves::EIGHT).err(), "another map");
        planner.update(&grid).unwrap();
        assert!(open(&planner.save().unwrap(), &grid, Moves::EIGHT).is_ok(), "repaired and saved");
    }

    /// After many edits the file has the bytes that a new planner would save; opened, it walks like
    /// that one.
    #[test]
    fn what_was_saved_after_edits_is_opened() {
        let mut random = Random::new(78);
        let mut scratch = Scratch::new();
        let mut void = 0;
        for round in 0..30 {
            let mut grid = generate::caves(60, 50, round).unwrap();
            let moves = [Moves::EIGHT, Moves::FOUR, Moves::EIGHT_CUT_ANY][round as usize % 3];
            let (depth, matrix) = (1 + round as u32 % 4, round % 5 != 0);
            let mut planner = made(&grid, moves, depth, matrix);
            for _ in 0..20 {
                let cell = (random.below(60) as u32, random.below(50) as u32);
                let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
                grid.set(cell, tile).unwrap();
                planner.update(&grid).unwrap();
            }
            void += usize::from(matrix && planner.method().matrix.is_none());
            let bytes = planner.save().unwrap();
            let fresh = made(&grid, moves, depth, matrix);
            assert_eq!(bytes, fresh.save().unwrap());
            let opened = open(&bytes, &grid, moves).unwrap();
            assert_eq!(opened.method().matrix, fresh.method().matrix, "the matrix is back");
            for (start, goal) in generate::queries(&grid, 10, round) {
                let query = Query::new(start, goal);
                let status = fresh.find(&grid, &query, &mut scratch).unwrap();
                let (path, stats) = (scratch.path().clone(), *scratch.stats());
                assert_eq!(opened.find(&grid, &query, &mut scratch).unwrap(), status);
                assert_eq!((scratch.path(), *scratch.stats()), (&path, stats));
            }
        }
        assert!(void > 15, "{void}");
    }

    /// Files with a correct checksum and wrong numbers are refused, or harmless even when the map
    /// is edited afterwards.
    #[test]
    fn hostile_files_do_no_harm() {
        let mut random = Random::new(77);
        let mut scratch = Scratch::new();
        let grid = generate::caves(50, 40, 3).unwrap();
        let moves = Moves::EIGHT;
        let bytes = made(&grid, moves, 2, true).save().unwrap();
        let file = db::IntactFile::of(&bytes, DatabaseKind::Dba).unwrap();
        let label = Label {
            kind: DatabaseKind::Dba,
            parameters: file.parameters,
            grid: grid.content_hash(),
        };
        let (mut refused, mut harmless) = (0, 0);
        for round in 0..3000 {
            let mut payload = file.payload.to_vec();
            for _ in 0..1 + random.below(3) {
                // Mostly in the matrix, at the end, where not every error can be seen.
                let from = if round % 2 == 0 { payload.len() * 2 / 3 } else { 0 };
                let at = from + random.below((payload.len() - from) as u64) as usize;
                // A small number may make sense.
                payload[at] =
                    if round % 4 == 0 { random.below(6) } else { random.next_u64() } as u8;
            }
            if round % 50 == 49 {
                payload.truncate(random.below(payload.len() as u64) as usize);
            }
            // A copy of the map, to be edited.
            let mut grid = grid.clone();
            match open(&db::seal(label, &payload), &grid, moves) {
                Err(message) => {
                    refused += 1;
                    assert!(message.contains("no sense"), "{message}");
                }
                Ok(mut planner) => {
                    harmless += 1;
                    for edits in [0, 1, 12] {
                        for _ in 0..edits {
                            let cell = (random.below(50) as u32, random.below(40) as u32);
                            let tile = if random.chance(2, 3) { Tile::Blocked } else { Tile::Free };
                            grid.set(cell, tile).unwrap();
                            planner.update(&grid).unwrap();
                        }
                        for (start, goal) in generate::queries(&grid, 5, round) {
                            let query = Query::new(start, goal);
                            let status = planner.find(&grid, &query, &mut scratch).unwrap();
                            assert_eq!(status, Status::Found);
                            scratch.path().check(&grid, moves).unwrap();
                            assert!(scratch.stats().first_response <= 72);
                        }
                    }
                }
            }
        }
        assert!(refused > 500 && harmless > 300, "{refused} {harmless}");
        for _ in 0..3000 {
            let damaged = random.damage(&bytes);
            assert_eq!(open(&damaged, &grid, moves).is_ok(), damaged == bytes);
        }
    }

    /// The file of a deep database with the parameters of a shallow one: its far paths are right,
    /// but nothing would repair them.
    #[test]
    fn paths_that_the_depth_does_not_ask_for_are_refused() {
        let grid = generate::caves(60, 50, 4).unwrap();
        let settings = |depth, matrix| DbaSettings {
            side: (8, 9),
            depth,
            centre: Centre::Mean,
            trim: Trim::All,
            matrix,
        };
        let grid_hash = grid.content_hash();
        for (has, claims) in [(2, 1), (4, 3), (1, 2), (3, 4)] {
            let bytes = made(&grid, Moves::EIGHT, has, false).save().unwrap();
            let file = db::IntactFile::of(&bytes, DatabaseKind::Dba).unwrap();
            let parameters = parameters(Moves::EIGHT, &settings(claims, false));
            let label = Label { kind: DatabaseKind::Dba, parameters, grid: grid_hash };
            let forged = db::seal(label, file.payload);
            assert!(open(&forged, &grid, Moves::EIGHT).unwrap_err().contains("no sense"));
        }
    }

    /// A base path over a cell so far away that an edit there would not be noticed.
    #[test]
    fn paths_that_leave_their_sectors_are_refused() {
        let grid = Grid::new(60, 9).unwrap();
        let climber = Climber::new(&grid, Moves::EIGHT).with_units(units(Moves::EIGHT));
        for (x, accepted) in [(23, true), (24, false), (57, false)] {
            let mut driver = made(&grid, Moves::EIGHT, 1, false);
            let planner = driver.method_mut();
            let over = grid.rows().position(x, 4);
            let [a, b] = [0, 1].map(|region| planner.sectors.centre(region));
            let cost = climber.estimate(a, over) + climber.estimate(over, b);
            // There and back at the same price.
            for (from, to) in [(0, 1), (1, 0)] {
                let mut words = Vec::new();
                for hop in planner.paths.hops(&planner.sectors, from) {
                    let forged = Hop { cost, subgoals: &[over], ..hop };
                    if hop.target == to { forged } else { hop }.write(&mut words);
                }
                planner.paths.lists.set(from, &words);
            }
            let opened = open(&driver.save().unwrap(), &grid, Moves::EIGHT);
            assert_eq!(opened.is_ok(), accepted, "over column {x}");
        }
    }
}
