//! The benchmark maps below the folder that `BLOCKSTAR_MAPS` names. Where they are not, this says
//! that they are not tested.

use blockstar::Grid;
use blockstar::format::movingai::{Scenario, parse_map, parse_scen};
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

/// The folder of all maps.
pub fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("BLOCKSTAR_MAPS").map(PathBuf::from);
    if root.is_none() {
        eprintln!("BLOCKSTAR_MAPS is not set: the benchmark maps are not tested");
    }
    root
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

/// A Dragon Age map with its problems.
pub fn dragon_age(name: &str) -> Option<(Grid, Vec<Scenario>)> {
    let course = read(folder()?.join("dao").join(format!("{name}.map")));
    if course.is_none() {
        eprintln!("dao/{name}.map is not below BLOCKSTAR_MAPS: it is skipped");
    }
    course.map(|course| (course.grid, course.scenarios))
}
