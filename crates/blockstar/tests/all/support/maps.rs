//! The benchmark maps below the folder that `BLOCKSTAR_MAPS` names.

use super::place::on;
use super::shared;
use blockstar::format::movingai::{Expected, Scenario, parse_map, parse_scen};
use blockstar::{Grid, Moves, Planner, Query, Scratch};
use std::fs;
use std::path::{Path, PathBuf};

/// The ten large Dragon Age maps of the literature.
pub const TEN_MAPS: [&str; 10] = [
    "hrt000d", "orz100d", "orz103d", "orz300d", "orz700d", "orz702d", "orz900d", "ost000a",
    "ost000t", "ost100d",
];

/// A map with its problems.
pub struct Course {
    pub path: PathBuf,
    pub grid: Grid,
    pub scenarios: Vec<Scenario>,
}

const VARIABLE: &str = "BLOCKSTAR_MAPS";

/// The folder of all maps.
pub fn folder() -> Option<PathBuf> {
    shared::folder(VARIABLE)
}

/// What is in it under a name: the maps of a game, a file.
pub fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    shared::below(VARIABLE, folder, name)
}

/// All files below a folder, in the order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.into_iter().flat_map(below).collect()
}

fn read(path: PathBuf) -> Option<Course> {
    let scen = PathBuf::from(format!("{}.scen", path.display()));
    if path.extension()? != "map" || !scen.exists() {
        return None;
    }
    let grid = parse_map(&fs::read(&path).unwrap()).unwrap();
    let scenarios = parse_scen(&fs::read(&scen).unwrap()).unwrap();
    Some(Course { path, grid, scenarios })
}

/// The maps below a folder that have scenarios.
pub fn courses_below(folder: &Path) -> impl Iterator<Item = Course> + use<> {
    files(folder).into_iter().filter_map(read)
}

/// Solves a listed problem under the rule of the lists: how far the path's cost is above the listed
/// length, as a share of it. Nothing where there is no path, which must then be listed so, or the
/// start is the goal.
pub fn excess(
    planner: &dyn Planner,
    grid: &Grid,
    scenario: &Scenario,
    scratch: &mut Scratch,
) -> Option<f64> {
    let query = Query::new(scenario.start, scenario.goal);
    let found = on(grid, Moves::EIGHT).has_path(planner, &query, scratch);
    let Expected::Length(best) = scenario.expected() else {
        assert!(!found, "{scenario:?}");
        return None;
    };
    assert!(found, "{scenario:?}");
    (best > 0.0).then(|| scratch.path().cost() / best - 1.0)
}

/// A Dragon Age map with its problems.
pub fn dragon_age(name: &str) -> Option<(Grid, Vec<Scenario>)> {
    let [map, _] = ["map", "map.scen"].map(|end| below(&folder()?, &format!("dao/{name}.{end}")));
    let course = read(map?)?;
    Some((course.grid, course.scenarios))
}
