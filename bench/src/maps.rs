//! Maps and their queries: MovingAI files that the user names, or generated ones.

use blockstar::format::movingai::Expected;
use blockstar::{Cell, Error, Grid, generate};
use blockstar_files::{Course, scenario_beside};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// The ten maps of Dragon Age: Origins that the DBA* paper uses.
pub const TEN: [&str; 10] = [
    "hrt000d", "orz100d", "orz103d", "orz300d", "orz700d", "orz702d", "orz900d", "ost000a",
    "ost000t", "ost100d",
];

/// A query: start, goal and, where known, the length of a shortest path under the rule `eight`.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The length that the scenario file lists.
    pub listed: Option<f64>,
}

/// A map with its queries.
#[derive(Debug)]
pub struct Map {
    /// The set it belongs to: the name of its folder.
    pub set: String,
    /// Its own name.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// Its queries.
    pub tasks: Vec<Task>,
}

/// A message about what cannot be read.
#[derive(Debug)]
pub struct Problem(pub String);

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The map files that the arguments stand for.
///
/// A folder stands for all maps in it that have queries, or for [`TEN`] of them. Without arguments
/// the ten maps come from the folder `dao` in `BLOCKSTAR_MAPS`; without that the list is empty, and
/// maps must be [`generated`].
pub fn files(arguments: &[PathBuf], ten: bool) -> Result<Vec<PathBuf>, Problem> {
    if arguments.is_empty() {
        let Some(root) = std::env::var_os("BLOCKSTAR_MAPS").filter(|root| !root.is_empty()) else {
            return Ok(Vec::new());
        };
        return the_ten(&Path::new(&root).join("dao"));
    }
    let mut files = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            files.push(argument.clone());
        } else if ten {
            files.extend(the_ten(argument)?);
        } else {
            files.extend(folder(argument)?);
        }
    }
    Ok(files)
}

fn the_ten(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let files: Vec<_> = TEN.iter().map(|name| folder.join(format!("{name}.map"))).collect();
    match files.iter().find(|file| !file.is_file()) {
        None => Ok(files),
        Some(missing) => Err(Problem(format!(
            "{} is missing: the ten maps need a folder that holds Dragon Age: Origins",
            missing.display()
        ))),
    }
}

/// The maps of a folder, sorted by name.
fn folder(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error| Problem(format!("cannot read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder).map_err(unreadable)? {
        let file = item.map_err(unreadable)?.path();
        if file.extension().is_some_and(|end| end == "map") && scenario_beside(&file).is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(Problem(format!(
            "{} holds no NAME.map with a NAME.map.scen beside it",
            folder.display()
        )));
    }
    files.sort();
    Ok(files)
}

/// Reads a map and, from the file beside it, at most `limit` of its queries.
///
/// Queries without a path, and those that end where they start, are left out: blockstar knows the
/// answer without a search, so they would say nothing about searches.
pub fn read(file: &Path, limit: Option<usize>) -> Result<Map, Problem> {
    let Course { grid, scenarios, .. } = Course::read(file).map_err(Problem)?;
    let mut tasks = Vec::new();
    for scenario in scenarios {
        if let Expected::Length(listed) = scenario.expected()
            && listed > 0.0
        {
            let (start, goal) = (scenario.start, scenario.goal);
            tasks.push(Task { start, goal, listed: Some(listed) });
        }
    }
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(|| "maps".into(), |part| part.to_string_lossy().into_owned())
    };
    Ok(Map {
        set: text(file.parent().and_then(Path::file_name)),
        name: text(file.file_stem()),
        grid,
        tasks: spread(tasks, limit),
    })
}

/// At most `limit` items, evenly spread over the list.
fn spread<T: Copy>(all: Vec<T>, limit: Option<usize>) -> Vec<T> {
    match limit {
        Some(limit) if limit < all.len() => {
            // The middle of each of `limit` equal parts.
            (0..limit).map(|part| all[(2 * part + 1) * all.len() / (2 * limit)]).collect()
        }
        _ => all,
    }
}

/// Generated maps for those who have none: always the same, each its own set.
pub fn generated(limit: Option<usize>) -> Result<Vec<Map>, Problem> {
    Generated::ALL.iter().map(|kind| kind.map(512, limit.unwrap_or(100))).collect()
}

/// A kind of map that can be generated.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Generated {
    /// Rooms with doors
    Rooms,
    /// A quarter of the cells blocked at random
    Random,
    /// Caves
    Caves,
    /// Caves where the ground costs 1 to 8, in patches
    Ground,
}

impl Generated {
    const ALL: &[Self] = &[Self::Rooms, Self::Random, Self::Caves];

    /// The square map of this size, with queries; always the same.
    pub fn map(self, side: u32, queries: usize) -> Result<Map, Problem> {
        let (name, grid) = match self {
            Self::Rooms => ("rooms", generate::rooms(side, side, 16, 1)?),
            Self::Random => ("random", generate::random(side, side, 25.0, 1)?),
            Self::Caves => ("caves", generate::caves(side, side, 1)?),
            Self::Ground => ("ground", ground(side)?),
        };
        let queries = generate::queries(&grid, queries, 1);
        let task = |(start, goal)| Task { start, goal, listed: None };
        // On a map of many pieces a query may end where it starts.
        let tasks = queries.into_iter().filter(|(start, goal)| start != goal).map(task).collect();
        let size = format!("{} x {}", grid.width(), grid.height());
        Ok(Map { set: format!("generated {name}"), name: size, grid, tasks })
    }
}

/// Caves on weighted terrain: what hills would be as high as is what the ground costs.
fn ground(side: u32) -> Result<Grid, Error> {
    let mut caves = generate::caves(side, side, 1)?;
    let hills = generate::terrain(side, side, 0.5, 7.0, 1)?;
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| Cell::new(x, y)));
    let cost = |cell| match hills.height_at(cell) {
        Some(height) if caves.is_free(cell) => 1.0 + f64::from(height.round()),
        _ => 0.0,
    };
    let costs: Vec<f64> = cells.map(cost).collect();
    caves.set_costs(&costs)?;
    Ok(caves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_spreads_evenly_and_never_repeats() {
        assert_eq!(spread((0..10).collect(), Some(2)), [2, 7]);
        assert_eq!(spread((0..10).collect(), Some(9)).len(), 9);
        assert_eq!(spread(vec![1, 2], Some(5)), [1, 2]);
        assert_eq!(spread(vec![1, 2], None), [1, 2]);
    }

    #[test]
    fn what_is_missing_is_said_in_a_sentence() {
        let message = files(&["Cargo.toml".into()], false)
            .and_then(|files| read(&files[0], None).map(|_| ()))
            .unwrap_err()
            .to_string();
        assert!(message.contains("Cargo.toml"), "{message}");
        let message = files(&["src".into()], false).unwrap_err().to_string();
        assert!(message.contains("NAME.map.scen"), "{message}");
        let message = files(&["src".into()], true).unwrap_err().to_string();
        assert!(message.contains("hrt000d.map is missing"), "{message}");
    }
}
