//! The experiments: which planners run on which problems.

use super::problems::{Extent, Games, SIDE};
use super::published::{self, ARENA2, TABLE_2};
use super::suite::Suite;
use crate::Progress;
use crate::noise::Repeats;
use crate::race::{Course, Race, Runner};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Error, Heuristic, Lddb, Moves, Planner, Query, Scratch, Tile, generate,
};
use cpu_time::{ProcessTime, ThreadTime};
use serde::Serialize;

/// The rule of the paper: paths may pass between two walls that touch.
pub const MOVES: Moves = Moves::ANY_ANGLE_SQUEEZE;

/// The paper's 5 x 5 vertices are 4 x 4 cells.
const BLOCK: &str = "block-astar:block=4";

/// As published: it never reopens an expanded vertex.
const THETA: &str = "theta-star:reopen=off";

/// The same without skipping any line-of-sight check, and its key in the numbers.
const TEXTBOOK_THETA: &str = "theta-star:reopen=off:sight=always";
pub const TEXTBOOK: &str = "theta-textbook";

/// The block size that users get, 12 x 12 cells.
const DEFAULT: &str = "block-astar";

/// The block sizes that are compared under the cell rules.
pub const CELL_SIDES: [u32; 4] = [2, 4, 8, 12];

/// The block sizes that are compared, in cells.
pub const SIDES: [u32; 7] = [2, 3, 4, 6, 8, 12, 16];

/// The context of the experiments.
pub struct Lab<'a> {
    /// How much of them to run.
    pub extent: Extent,
    /// The game maps found.
    pub games: &'a [Games],
    /// Follows their progress.
    pub progress: &'a dyn Progress,
}

impl Lab<'_> {
    /// How many problems will be run in all, for the progress bar.
    pub fn size(&self) -> Result<u64, String> {
        let share = |of| self.extent.share(of);
        let mut size = 6 * share(50_000) + self.table_2_problems() + 3 * share(SIDE_PROBLEMS);
        for games in self.games {
            let count = |courses: Vec<Course>| courses.iter().map(|c| c.pairs.len()).sum::<usize>();
            let corners = |scale| self.extent.game_courses(games, scale).map_err(text).map(count);
            size += corners(1.0)?;
            if games.name == "dao" {
                size += corners(SIDE_PART)? + self.arena2_course().map_or(0, |c| c.pairs.len());
            }
            size += 2 * count(self.extent.game_cell_courses(games, SIDE_PART));
        }
        Ok((Repeats::COUNT * size + 2 * 2 * 5 * share(SMALL_MAPS)) as u64)
    }

    /// Table 1: random grids of all densities, then the game maps.
    pub fn table_1(&self) -> Result<Vec<Suite>, String> {
        let mut suites = Vec::new();
        for percent in (0..=50).step_by(10) {
            let title = format!("Random {percent} %");
            let name = format!("random-{percent}");
            self.progress.doing(&title);
            let mut runners = contestants()?;
            // Where the paper compares with visibility graphs.
            if percent == 40 {
                runners.push(visibility_graph()?);
            }
            let mut race = Race::new(MOVES, runners, "anya");
            for course in self.extent.random_courses(SIDE, percent, self.extent.share(50_000), 100)
            {
                race.run(&course.map_err(text)?, self.progress)?;
            }
            suites.push(Suite::of(&race, &name, &title, published::table_1(&name)));
        }
        for games in self.games {
            self.progress.doing(games.title);
            let mut runners = contestants()?;
            runners.push(visibility_graph()?);
            let mut race = Race::new(MOVES, runners, "anya");
            for course in self.extent.game_courses(games, 1.0).map_err(text)? {
                race.run(&course, self.progress)?;
            }
            let printed = published::table_1(games.name);
            suites.push(Suite::of(&race, games.name, games.title, printed));
        }
        Ok(suites)
    }

    /// A mean of few problems says little on an empty map; the smallest scales only show that the
    /// experiment runs.
    fn table_2_problems(&self) -> usize {
        let least = if self.extent.scale < 0.001 { 1 } else { 5 };
        self.extent.share(100).max(least)
    }

    /// Table 2: a large empty map without a heuristic.
    pub fn table_2(&self) -> Result<Suite, String> {
        self.progress.doing("Table 2");
        let zero = |key, label, planner| {
            Ok::<_, String>(runner(key, label, planner)?.heuristic(Heuristic::Zero))
        };
        let mut runners = vec![
            zero("astar", "A*, zero", "astar")?,
            zero("theta", "Theta*, zero", THETA)?,
            zero("block", "Block A*, zero", BLOCK)?.raw(),
            zero("block-smoothed", "Block A*, zero, pulled taut", BLOCK)?,
            zero("block-default", "Block A*, zero, 12 x 12, pulled taut", DEFAULT)?,
            runner("anya", "ANYA (optimum)", "anya")?,
        ];
        runners.extend(textbook_theta().map(|rival| rival.heuristic(Heuristic::Zero)));
        let mut race = Race::new(MOVES, runners, "anya");
        let course = self.extent.empty_course(1000, self.table_2_problems()).map_err(text)?;
        race.run(&course, self.progress)?;
        Ok(Suite::of(&race, "empty-1000", "Empty 1000 x 1000, zero heuristic", &TABLE_2))
    }

    /// The map that others have published means for, all of its problems from a scale of 0.01 on.
    pub fn arena2(&self) -> Result<Option<Suite>, String> {
        let Some(course) = self.arena2_course() else { return Ok(None) };
        self.progress.doing("arena2");
        let mut race = Race::new(MOVES, contestants()?, "anya");
        race.run(&course, self.progress)?;
        Ok(Some(Suite::of(&race, "arena2", "Dragon Age map arena2", &ARENA2)))
    }

    fn arena2_course(&self) -> Option<Course> {
        let games = self.games.iter().find(|games| games.name == "dao")?;
        let courses = self.extent.game_courses(games, 100.0).ok()?;
        courses.into_iter().find(|course| course.name == "arena2.map")
    }

    /// Block sizes on a random grid and on Dragon Age maps.
    pub fn block_sizes(&self) -> Result<Vec<Suite>, String> {
        let runners = || -> Result<Vec<Runner>, String> {
            let mut runners = contestants()?;
            runners.retain(|runner| {
                ["astar-euclid", "astar", "theta", "anya"].contains(&runner.key())
            });
            for side in SIDES {
                let (key, label) = (format!("block-{side}"), format!("Block A*, {side} x {side}"));
                runners.push(runner(&key, &label, &format!("block-astar:block={side}"))?.raw());
            }
            runners.push(default_size()?);
            Ok(runners)
        };
        self.progress.doing("block sizes");
        let mut race = Race::new(MOVES, runners()?, "anya");
        // On random grids hardly any two large blocks are alike, and making a table for each takes
        // seconds on those of Table 1.
        let (side, problems) = (SIDE / 2, self.extent.share(SIDE_PROBLEMS));
        for course in self.extent.random_courses(side, 20, problems, 100) {
            race.run(&course.map_err(text)?, self.progress)?;
        }
        let mut suites = vec![Suite::of(&race, "sizes-random-20", "Random 20 %, 250 x 250", &[])];
        if let Some(games) = self.games.iter().find(|games| games.name == "dao") {
            let mut race = Race::new(MOVES, runners()?, "anya");
            for course in self.extent.game_courses(games, SIDE_PART).map_err(text)? {
                race.run(&course, self.progress)?;
            }
            suites.push(Suite::of(&race, "sizes-dao", "Dragon Age: Origins", &[]));
        }
        Ok(suites)
    }

    /// The rules that step from cell to cell: four ways (tile) and eight ways (octile).
    pub fn cell_rules(&self) -> Result<Vec<Suite>, String> {
        let mut suites = Vec::new();
        let random = self.extent.random_cell_course(20, self.extent.share(SIDE_PROBLEMS));
        let random = random.map_err(text)?;
        for (moves, kind) in [(Moves::FOUR, "tile"), (Moves::EIGHT, "octile")] {
            self.progress.doing(kind);
            let mut race = Race::new(moves, cell_runners(&CELL_SIDES)?, "astar");
            race.run(&random, self.progress)?;
            let name = format!("{kind}-random-20");
            suites.push(Suite::of(&race, &name, &format!("Random 20 %, {kind}"), &[]));
            for games in self.games {
                let mut race = Race::new(moves, cell_runners(&CELL_SIDES)?, "astar");
                for course in self.extent.game_cell_courses(games, SIDE_PART) {
                    race.run(&course, self.progress)?;
                }
                let title = games.title.split(',').next().unwrap_or(games.title);
                let (name, title) = (format!("{kind}-{}", games.name), format!("{title}, {kind}"));
                suites.push(Suite::of(&race, &name, &title, &[]));
            }
        }
        Ok(suites)
    }

    /// Whether Block A* finds shortest paths under the cell rules: on many small grids, where a
    /// wrong answer would end the race. Returns the number of paths compared.
    pub fn exactness(&self) -> Result<usize, String> {
        self.progress.doing("small grids");
        let mut compared = 0;
        for moves in [Moves::FOUR, Moves::EIGHT] {
            let sides = [2, 4, 5];
            let mut race = Race::new(moves, cell_runners(&sides)?, "astar").untimed();
            for course in self.extent.small_courses(2 * self.extent.share(SMALL_MAPS)) {
                race.run(&course.map_err(text)?, self.progress)?;
            }
            compared += race.distance().problems * sides.len();
        }
        Ok(compared)
    }

    /// The database of all patterns of 4 x 4 cells.
    pub fn database(&self) -> Result<Database, String> {
        self.progress.doing("all patterns");
        let complete = |moves: Moves| -> Result<Tables, String> {
            let mut repeats = Repeats::default();
            let mut make = |repeat: usize| {
                let clock = ProcessTime::now();
                let lddb = Lddb::complete(moves, 4).map_err(text)?;
                repeats.add(repeat, clock.elapsed().as_secs_f64());
                Ok::<_, String>(lddb)
            };
            let lddb = make(0)?;
            (1..Repeats::COUNT).try_for_each(|repeat| make(repeat).map(drop))?;
            Ok(Tables {
                patterns: lddb.len(),
                distinct: lddb.distinct(),
                entries: lddb.entries(),
                seconds: repeats.mean(),
                repeats,
                bytes: lddb.as_bytes().len(),
            })
        };
        Ok(Database { any_angle: complete(MOVES)?, tile: complete(Moves::FOUR)? })
    }

    /// Edits of a map: the repaired planner against a new one.
    pub fn edits(&self) -> Result<Edits, String> {
        self.progress.doing("edits");
        let seed = self.extent.seed;
        let mut grid = generate::random(SIDE, SIDE, 20.0, seed).map_err(text)?;
        let spec = Algorithm::named(BLOCK).map_err(text)?;
        let mut planner = spec.prepare(&grid, MOVES).map_err(text)?;
        let (mut scratch, mut random) = (Scratch::new(), Random::new(seed));
        let count = self.extent.share(10_000).max(20);
        let (mut seconds, mut fresh_seconds, mut compared) = (0.0, 0.0, 0);
        for number in 0..count {
            let mut below = || random.below(SIDE.into()) as u32;
            let cell = Cell::new(below(), below());
            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
            grid.set(cell, tile).map_err(text)?;
            let clock = ThreadTime::now();
            planner.update(&grid).map_err(text)?;
            seconds += clock.elapsed().as_secs_f64();
            // A new planner each time would take longer than everything else.
            if number % count.div_ceil(10) != 0 {
                continue;
            }
            let clock = ProcessTime::now();
            let fresh = spec.prepare(&grid, MOVES).map_err(text)?;
            fresh_seconds += clock.elapsed().as_secs_f64();
            let (start, goal) = generate::queries(&grid, 1, number as u64)[0];
            let query = Query::between_corners(start, goal);
            let mut answer = |planner: &dyn Planner| -> Result<_, Error> {
                let status = planner.find(&grid, &query, &mut scratch)?;
                Ok((status, scratch.path().points().to_vec(), scratch.stats().expanded))
            };
            if answer(&*planner).map_err(text)? != answer(&*fresh).map_err(text)? {
                return Err(format!(
                    "a wrong answer: after {} edits {spec} is not what a new one is from {start} to \
                     {goal}",
                    number + 1
                ));
            }
            compared += 1;
        }
        Ok(Edits {
            edits: count,
            compared,
            update_us: seconds * 1e6 / count as f64,
            prepare_ms: fresh_seconds * 1e3 / f64::from(compared),
        })
    }
}

/// The number of problems, at the paper's scale, for comparing block sizes and for the cell rules;
/// the share of the game maps' problems; the number of small grids for the cell rules.
const SIDE_PROBLEMS: usize = 5_000;
const SIDE_PART: f64 = 0.2;
const SMALL_MAPS: usize = 10_000;

/// The databases of all patterns.
#[derive(Debug, Serialize)]
pub struct Database {
    /// Between the vertices of blocks of 4 x 4 cells.
    pub any_angle: Tables,
    /// Between the cells, by four moves.
    pub tile: Tables,
}

/// One of them.
#[derive(Debug, Serialize)]
pub struct Tables {
    /// The number of patterns.
    pub patterns: usize,
    /// The number of different ones after merging rotations and reflections.
    pub distinct: usize,
    /// The number of distances they hold.
    pub entries: usize,
    /// The processor time to make them, of all threads together.
    pub seconds: f64,
    #[serde(skip)]
    pub repeats: Repeats,
    /// Their size.
    pub bytes: usize,
}

/// The cost of edits.
#[derive(Debug, Serialize)]
pub struct Edits {
    /// The number of cells changed, one at a time.
    pub edits: usize,
    /// After how many of them the answer was compared with that of a new planner.
    pub compared: u32,
    /// The mean time to repair the planner.
    pub update_us: f64,
    /// The mean time to make a new one.
    pub prepare_ms: f64,
}

/// The planners of Table 1, the better A* and the optimum.
fn contestants() -> Result<Vec<Runner>, String> {
    let mut runners = vec![
        runner("astar-euclid", "A*, Euclidean", "astar")?.heuristic(Heuristic::Euclidean),
        runner("astar", "A*, octile", "astar")?.equal_to("astar-euclid"),
        runner("theta", "Theta*", THETA)?,
        runner("block", "Block A*", BLOCK)?.raw(),
        runner("block-smoothed", "Block A*, pulled taut", BLOCK)?,
        default_size()?,
        runner("anya", "ANYA (optimum)", "anya")?,
    ];
    runners.extend(textbook_theta());
    Ok(runners)
}

/// Textbook Theta*, which looks at every neighbour of every vertex, if there is one. Ours skips
/// checks that follow from others; the paths are the same.
fn textbook_theta() -> Option<Runner> {
    let rival = Runner::new(TEXTBOOK, "Theta*, always looking", TEXTBOOK_THETA).ok()?;
    Some(rival.equal_to("theta"))
}

/// A note if it is missing.
pub fn missing_rival() -> Option<String> {
    let missing = textbook_theta().is_none();
    missing.then(|| {
        format!(
            "{TEXTBOOK_THETA} is not among the planners: Theta* as in the textbooks was not run"
        )
    })
}

/// What users get: the default block size, with paths that are smoothed and pulled taut.
fn default_size() -> Result<Runner, String> {
    runner("block-default", "Block A*, 12 x 12, pulled taut", DEFAULT)
}

fn visibility_graph() -> Result<Runner, String> {
    Ok(runner("visibility", "Visibility graph", "visibility-graph")?.equal_to("anya"))
}

fn cell_runners(sides: &[u32]) -> Result<Vec<Runner>, String> {
    let mut runners = vec![
        runner("astar-euclid", "A*, Euclidean", "astar")?.heuristic(Heuristic::Euclidean),
        runner("astar", "A*, best heuristic", "astar")?.equal_to("astar-euclid"),
    ];
    for side in sides {
        let (key, label) = (format!("block-{side}"), format!("Block A*, {side} x {side}"));
        let block = runner(&key, &label, &format!("block-astar:block={side}"))?;
        runners.push(block.equal_to("astar"));
    }
    Ok(runners)
}

fn runner(key: &str, label: &str, planner: &str) -> Result<Runner, String> {
    Runner::new(key, label, planner).map_err(text)
}

/// An error of the library as text. By value for `map_err`.
#[allow(clippy::needless_pass_by_value)]
fn text(error: Error) -> String {
    error.to_string()
}
