//! The maps of the DBA* paper and their longest problems; generated ones where these are not there.

use blockstar::format::movingai;
use blockstar::{Algorithm, Cell, Grid, Moves, Planner, Query, Scratch, Status, generate};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The ten maps of the paper. (It prints irz702 for orz702d.)
pub const TEN: [&str; 10] = [
    "hrt000d", "orz100d", "orz103d", "orz300d", "orz700d", "orz702d", "orz900d", "ost000a",
    "ost000t", "ost100d",
];

/// The movement rule of all experiments.
pub const MOVES: Moves = Moves::EIGHT;

/// A problem with its optimum.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub start: Cell,
    pub goal: Cell,
    pub optimum: f64,
}

impl Problem {
    pub fn query(&self) -> Query {
        Query::new(self.start, self.goal)
    }
}

/// A map with problems.
#[derive(Debug)]
pub struct Field {
    pub name: String,
    pub grid: Grid,
    /// The longest problems.
    pub longest: Vec<Problem>,
    /// As many, evenly over all that there are.
    pub evenly: Vec<Problem>,
    /// Some of about median length.
    pub median: Vec<Problem>,
}

/// The maps, and what is to be said about them.
pub fn load(
    folder: Option<&Path>,
    count: usize,
    seed: u64,
) -> Result<(Vec<Field>, Vec<String>), Box<dyn Error>> {
    let mut notes = Vec::new();
    let mut fields = Vec::new();
    if let Some(folder) = folder {
        let folder = if folder.join("dao").is_dir() { folder.join("dao") } else { folder.into() };
        for name in TEN {
            let map = folder.join(format!("{name}.map"));
            let scen = folder.join(format!("{name}.map.scen"));
            if !map.is_file() || !scen.is_file() {
                notes.push(format!("{name} is not in {}: it is left out", folder.display()));
                continue;
            }
            let fault = |error| format!("{}: {error}", map.display());
            let grid = movingai::parse_map(&fs::read(&map)?).map_err(fault)?;
            let scenarios = movingai::parse_scen(&fs::read(&scen)?).map_err(fault)?;
            let pairs =
                scenarios.iter().filter(|s| s.optimal > 0.0).map(|s| (s.start, s.goal, s.optimal));
            fields.push(field(name, grid, pairs.collect(), count)?);
        }
    }
    if fields.is_empty() {
        notes.push(
            "the ten maps of the paper are not there (--maps names their folder): generated caves \
             stand in for them, so no number is comparable with the paper's"
                .into(),
        );
        for index in 0..3 {
            let grid = generate::caves(320, 240, seed + index)?;
            let pairs = generate::queries(&grid, 10 * count, seed + index);
            let far = |a: Cell, b: Cell| f64::from(a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)));
            let pairs = pairs.into_iter().map(|(a, b)| (a, b, far(a, b)));
            let pairs = pairs.filter(|pair| pair.2 > 0.0).collect();
            fields.push(field(&format!("caves {}", index + 1), grid, pairs, count)?);
        }
    }
    Ok((fields, notes))
}

fn field(
    name: &str,
    grid: Grid,
    mut all: Vec<(Cell, Cell, f64)>,
    count: usize,
) -> Result<Field, Box<dyn Error>> {
    if all.is_empty() {
        return Err(format!("{name} has no problems").into());
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    let astar = Algorithm::named("astar")?.prepare(&grid, MOVES)?;
    let mut scratch = Scratch::new();
    let mut solve = |pairs: &[(Cell, Cell, f64)]| -> Result<Vec<Problem>, Box<dyn Error>> {
        let mut problems = Vec::new();
        for &(start, goal, _) in pairs {
            let status = astar.find(&grid, &Query::new(start, goal), &mut scratch)?;
            if status == Status::Found && scratch.path().cost() > 0.0 {
                problems.push(Problem { start, goal, optimum: scratch.path().cost() });
            }
        }
        Ok(problems)
    };
    let longest = solve(&all[..count.min(all.len())])?;
    let spread = crate::suite::spread(all.len(), 1, Some(count));
    let evenly = solve(&spread.into_iter().map(|index| all[index]).collect::<Vec<_>>())?;
    let middle = all.len() / 2;
    let median = solve(&all[middle.saturating_sub(5)..(middle + 5).min(all.len())])?;
    drop(astar);
    if longest.is_empty() || evenly.is_empty() || median.is_empty() {
        return Err(format!("{name} has no problems that can be solved").into());
    }
    Ok(Field { name: name.into(), grid, longest, evenly, median })
}
