//! The maps and problems of the paper: random grids from a seed, and game maps from a folder.

use crate::race::Course;
use blockstar::format::movingai::Expected;
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Error, Grid, Moves, Point, Query, Scratch, Status, generate};
use blockstar_files::{Suite, spread};
use std::path::{Path, PathBuf};

/// How much of the paper's work to do, and the seed of its random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The share of the paper's number of problems.
    pub scale: f64,
    /// The seed of the random maps and problems.
    pub seed: u64,
}

impl Extent {
    /// This share of a number, but at least 1.
    pub fn share(&self, of: usize) -> usize {
        ((of as f64 * self.scale).round() as usize).max(1)
    }

    /// A seed for one purpose, unrelated to those of others.
    fn stream(&self, purpose: &str, number: usize) -> u64 {
        let mix = |seed: u64, byte: u8| Random::new(seed ^ u64::from(byte)).next_u64();
        purpose.bytes().fold(self.seed, mix).wrapping_add(number as u64)
    }

    /// Square random grids with problems between random vertices, at most `per_map` on each.
    pub fn random_courses(
        &self,
        side: u32,
        percent: u32,
        problems: usize,
        per_map: usize,
    ) -> impl Iterator<Item = Result<Course, Error>> + use<> {
        let extent = *self;
        (0..problems.div_ceil(per_map)).map(move |number| {
            let seed = extent.stream("random maps", number * 101 + percent as usize);
            let grid = generate::random(side, side, percent.into(), seed)?;
            let count = per_map.min(problems - number * per_map);
            let pairs = vertex_pairs(&grid, count, seed)?;
            Ok(Course { name: format!("random {percent} % number {number}"), grid, pairs })
        })
    }

    /// The same between the centres of cells, for the cell rules.
    pub fn random_cell_course(&self, percent: u32, problems: usize) -> Result<Course, Error> {
        let seed = self.stream("random cell maps", percent as usize);
        let grid = generate::random(SIDE, SIDE, percent.into(), seed)?;
        let pairs = centres(generate::queries(&grid, problems, seed));
        Ok(Course { name: format!("random {percent} %"), grid, pairs })
    }

    /// Small grids full of walls, where a path often leaves a block and returns.
    pub fn small_courses(
        &self,
        count: usize,
    ) -> impl Iterator<Item = Result<Course, Error>> + use<> {
        let extent = *self;
        (0..count).map(move |number| {
            let seed = extent.stream("small maps", number);
            let side = 9 + number as u32 % 16;
            let grid =
                generate::random(side, side, 20.0 + f64::from(number as u32 % 4) * 8.0, seed)?;
            let pairs = centres(generate::queries(&grid, 5, seed));
            Ok(Course { name: format!("small random grid {number}"), grid, pairs })
        })
    }

    /// The empty map of Table 2.
    pub fn empty_course(&self, side: u32, problems: usize) -> Result<Course, Error> {
        let grid = Grid::new(side, side)?;
        let pairs = vertex_pairs(&grid, problems, self.stream("empty map", 0))?;
        Ok(Course { name: format!("empty {side} x {side}"), grid, pairs })
    }

    /// A share of the problems of game maps: between random vertices, as in the paper for
    /// StarCraft, or between the top left corners of the scenario's cells.
    pub fn game_courses(&self, games: &Games, scale: f64) -> Result<Vec<Course>, Error> {
        let part = Self { scale: self.scale * scale, ..*self };
        let mut courses = Vec::new();
        for (number, map) in games.maps.iter().enumerate() {
            let pairs = if games.name == STARCRAFT {
                let problems = part.share(STARCRAFT_PROBLEMS / games.maps.len());
                vertex_pairs(&map.grid, problems, self.stream("starcraft", number))?
            } else {
                let cells = part.scenario_cells(map);
                cells.iter().map(|(start, goal)| (start.corner(), goal.corner())).collect()
            };
            courses.push(Course { name: map.name.clone(), grid: map.grid.clone(), pairs });
        }
        Ok(courses)
    }

    /// A share of the problems of game maps, between the centres of cells.
    pub fn game_cell_courses(&self, games: &Games, scale: f64) -> Vec<Course> {
        let part = Self { scale: self.scale * scale, ..*self };
        let course = |map: &blockstar_files::Course| Course {
            name: map.name.clone(),
            grid: map.grid.clone(),
            pairs: centres(part.scenario_cells(map)),
        };
        games.maps.iter().map(course).collect()
    }

    /// A share of the scenario's problems that have a path, evenly spread.
    fn scenario_cells(&self, map: &blockstar_files::Course) -> Vec<(Cell, Cell)> {
        let possible: Vec<_> = map
            .scenarios
            .iter()
            .filter(|s| s.expected() != Expected::NoPath && s.start != s.goal)
            .map(|s| (s.start, s.goal))
            .collect();
        let most = Extent { scale: self.scale.min(1.0), ..*self }.share(possible.len());
        spread(possible.len(), 1, Some(most)).into_iter().map(|index| possible[index]).collect()
    }
}

/// The side of the random grids in cells.
pub const SIDE: u32 = 500;

/// The folder of the StarCraft maps.
pub const STARCRAFT: &str = "sc1";

const STARCRAFT_PROBLEMS: usize = 50_000;

/// The maps of one game.
#[derive(Debug)]
pub struct Games {
    /// The name of their folder.
    pub name: &'static str,
    /// Their name for people.
    pub title: &'static str,
    /// The maps with their scenarios.
    pub maps: Vec<blockstar_files::Course>,
}

/// The folders of game maps and what is in them.
const FOLDERS: [(&str, &str); 3] = [
    (STARCRAFT, "StarCraft, random pairs"),
    ("bg512", "Baldur's Gate 2, scenarios"),
    ("dao", "Dragon Age: Origins, scenarios"),
];

/// Reads the game maps of a folder before anything is measured. Also returns a note about each game
/// that is missing.
pub fn load_games(folder: Option<&Path>) -> Result<(Vec<Games>, Vec<String>), String> {
    let Some(folder) = folder else {
        let note = "the game maps are left out: --maps or BLOCKSTAR_MAPS names the folder that has \
                    sc1, bg512 and dao";
        return Ok((Vec::new(), vec![note.into()]));
    };
    let (mut games, mut notes) = (Vec::new(), Vec::new());
    for (name, title) in FOLDERS {
        let path: PathBuf = folder.join(name);
        if path.is_dir() {
            let maps = Suite::load(&[path])?.courses;
            games.push(Games { name, title, maps });
        } else {
            notes.push(format!("{title}: left out, there is no folder {name} among the maps"));
        }
    }
    if games.is_empty() {
        return Err(format!(
            "{} has none of the folders sc1, bg512 and dao: name the folder that holds them, or leave \
             the game maps out",
            folder.display()
        ));
    }
    Ok((games, notes))
}

fn centres(cells: Vec<(Cell, Cell)>) -> Vec<(Point, Point)> {
    let different = cells.into_iter().filter(|(start, goal)| start != goal);
    different.map(|(start, goal)| (start.centre(), goal.centre())).collect()
}

/// Pairs of random vertices with a path between them; fewer than asked for if they are hard to
/// find.
fn vertex_pairs(grid: &Grid, count: usize, seed: u64) -> Result<Vec<(Point, Point)>, Error> {
    let planner = Algorithm::named("anya")?.prepare(grid, Moves::ANY_ANGLE_SQUEEZE)?;
    let (mut scratch, mut random) = (Scratch::new(), Random::new(seed));
    let mut vertex = || {
        let mut below = |side: u32| random.below(u64::from(side) + 1) as f64;
        Point::new(below(grid.width()), below(grid.height()))
    };
    let (mut pairs, mut tries) = (Vec::new(), 1000 * count);
    while pairs.len() < count && tries > 0 {
        tries -= 1;
        let (start, goal) = (vertex(), vertex());
        // An unreachable goal is known without a search.
        let query = Query::new(start, goal).max_expansions(0);
        if start != goal && planner.find(grid, &query, &mut scratch)? != Status::NoPath {
            pairs.push((start, goal));
        }
    }
    Ok(pairs)
}
