//! Finding and loading benchmark maps together with their scenarios.

use blockstar::Grid;
use blockstar::format::movingai::{self, Scenario};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A map with its queries.
#[derive(Debug)]
pub struct Course {
    /// The name to report: the file's name, with its folders if two maps share one.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// The queries in the order of the file.
    pub scenarios: Vec<Scenario>,
}

/// All maps to run on.
#[derive(Debug)]
pub struct Suite {
    /// The maps, in the order of the paths and, inside a folder, of their names.
    pub courses: Vec<Course>,
    /// What was skipped or looks odd, one sentence each.
    pub notes: Vec<String>,
}

impl Course {
    /// Reads a map and the scenario beside it.
    ///
    /// # Errors
    /// If a file cannot be read or the scenario does not fit the map; the message says which.
    pub fn read(map: &Path) -> Result<Self, String> {
        Self::read_pair(file_name(map), map, &scenario_beside(map))
    }

    fn read_pair(name: String, map: &Path, scen: &Path) -> Result<Self, String> {
        let read = |path: &Path| fs::read(path).map_err(|error| unreadable(path, &error));
        let fault = |path: &Path, error: blockstar::Error| format!("{}: {error}", shown(path));
        let grid = movingai::parse_map(&read(map)?).map_err(|error| fault(map, error))?;
        let scenarios = movingai::parse_scen(&read(scen)?).map_err(|error| fault(scen, error))?;
        for scenario in &scenarios {
            scenario.check_fits(&grid).map_err(|error| fault(scen, error))?;
        }
        Ok(Self { name, grid, scenarios })
    }

    /// What looks odd about the scenario.
    fn notes(&self, map: &Path, scen: &Path) -> Vec<String> {
        let mut notes = Vec::new();
        // The folders in a scenario are those of its author; a different file name may just be a
        // renamed copy, and the size fits.
        let is_other = |scenario: &&Scenario| OsStr::new(scenario.base_name()) != file_of(map);
        if let Some(other) = self.scenarios.iter().find(is_other) {
            notes.push(format!(
                "{} names the map {:?}, but is used for {}, which has the same size",
                shown(scen),
                other.base_name(),
                shown(map)
            ));
        }
        if self.scenarios.is_empty() {
            notes.push(format!("{} holds no queries", shown(scen)));
        }
        notes
    }
}

impl Suite {
    /// Loads the maps behind the paths: maps, scenario files, and folders with both.
    ///
    /// Everything is read before anything is measured, so that a bad file does not end a long run.
    ///
    /// # Errors
    /// If a file cannot be read or no map has a scenario; the message says which.
    pub fn load(paths: &[PathBuf]) -> Result<Self, String> {
        let mut finder = Finder::default();
        for path in paths {
            finder.add(path)?;
        }
        let Finder { pairs, bare, .. } = finder;
        let mut notes = Vec::new();
        if !bare.is_empty() {
            notes.push(skipped(&bare));
        }
        if pairs.is_empty() {
            return Err(format!(
                "there is no map with a scenario in {}: a scenario lies beside its map and is \
                 called NAME.map.scen",
                listed(paths)
            ));
        }
        let mut courses = Vec::new();
        for (map, scen) in &pairs {
            let shared = pairs.iter().filter(|other| other.0.file_name() == map.file_name());
            let name = if shared.count() > 1 { shown(map) } else { file_name(map) };
            let course = Course::read_pair(name, map, scen)?;
            notes.extend(course.notes(map, scen));
            courses.push(course);
        }
        Ok(Self { courses, notes })
    }
}

/// Which of `count` queries to take: every `every`th, and of these at most `limit`, evenly spread,
/// the first and the last among them.
pub fn spread(count: usize, every: usize, limit: Option<usize>) -> Vec<usize> {
    let candidates: Vec<usize> = (0..count).step_by(every).collect();
    let count = candidates.len();
    match limit {
        Some(1) if count > 1 => vec![candidates[count / 2]],
        Some(limit) if limit < count => {
            (0..limit).map(|i| candidates[i * (count - 1) / (limit - 1).max(1)]).collect()
        }
        _ => candidates,
    }
}

#[derive(Default)]
struct Finder {
    /// Maps and their scenario files.
    pairs: Vec<(PathBuf, PathBuf)>,
    /// Maps in folders without a scenario file.
    bare: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
}

impl Finder {
    fn add(&mut self, path: &Path) -> Result<(), String> {
        let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if kind.is_dir() {
            return self.add_folder(path);
        }
        if has_extension(path, "scen") {
            let map = map_beside(path)?;
            self.take(map, path.to_path_buf());
        } else if has_extension(path, "map") {
            let scen = scenario_beside(path);
            if !scen.is_file() {
                return Err(format!(
                    "{} has no scenario: put its queries into {}, or generate some",
                    shown(path),
                    shown(&scen)
                ));
            }
            self.take(path.to_path_buf(), scen);
        } else {
            return Err(format!(
                "{} is neither a folder nor a `.map` or `.scen` file: name one of these",
                shown(path)
            ));
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), String> {
        let fault = |error| unreadable(folder, &error);
        let mut entries: Vec<_> =
            fs::read_dir(folder).and_then(|entries| entries.collect()).map_err(fault)?;
        entries.sort_by_key(|entry: &fs::DirEntry| entry.file_name());
        for entry in entries {
            let path = entry.path();
            // Links to folders are not followed: they may form a cycle.
            if entry.file_type().map_err(fault)?.is_dir() {
                self.add_folder(&path)?;
            } else if has_extension(&path, "map") && path.is_file() {
                let scen = scenario_beside(&path);
                if scen.is_file() {
                    self.take(path, scen);
                } else {
                    self.bare.push(path);
                }
            }
        }
        Ok(())
    }

    /// Keeps a pair once, however often it is named.
    fn take(&mut self, map: PathBuf, scen: PathBuf) {
        if self.seen.insert(fs::canonicalize(&scen).unwrap_or_else(|_| scen.clone())) {
            self.pairs.push((map, scen));
        }
    }
}

/// Where the scenario of a map is: `NAME.map.scen` beside `NAME.map`.
pub fn scenario_beside(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".scen");
    name.into()
}

/// The map of a scenario file: of the same base name, in the same folder.
fn map_beside(scen: &Path) -> Result<PathBuf, String> {
    let bare = scen.with_extension("");
    let map = if has_extension(&bare, "map") { bare } else { scen.with_extension("map") };
    if map.is_file() {
        return Ok(map);
    }
    Err(format!("the map of {} is missing: put it beside it as {}", shown(scen), shown(&map)))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn file_of(path: &Path) -> &OsStr {
    path.file_name().unwrap_or(path.as_os_str())
}

fn file_name(path: &Path) -> String {
    file_of(path).to_string_lossy().into_owned()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be read: {error}", shown(path))
}

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths.iter().map(|path| shown(path)).collect();
    names.join(", ")
}

fn skipped(maps: &[PathBuf]) -> String {
    let most = 5;
    let count = if maps.len() == 1 { "1 map".into() } else { format!("{} maps", maps.len()) };
    let first = listed(&maps[..maps.len().min(most)]);
    let mut text = format!("skipped {count} because they have no scenario: {first}");
    if maps.len() > most {
        text += &format!(" and {} more", maps.len() - most);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_takes_queries_from_the_whole_file() {
        assert_eq!(spread(5, 1, None), [0, 1, 2, 3, 4]);
        assert_eq!(spread(5, 1, Some(9)), [0, 1, 2, 3, 4]);
        assert_eq!(spread(5, 1, Some(5)), [0, 1, 2, 3, 4]);
        assert_eq!(spread(9, 1, Some(3)), [0, 4, 8]);
        assert_eq!(spread(9, 1, Some(2)), [0, 8]);
        assert_eq!(spread(9, 1, Some(1)), [4]);
        assert_eq!(spread(1, 1, Some(1)), [0]);
        assert_eq!(spread(0, 1, Some(3)), [0; 0]);
        assert_eq!(spread(9, 4, None), [0, 4, 8]);
        assert_eq!(spread(9, 2, Some(2)), [0, 8]);
        let many = spread(1000, 1, Some(70));
        assert_eq!(many.len(), 70);
        assert!(many.windows(2).all(|pair| (14..=15).contains(&(pair[1] - pair[0]))));
    }

    #[test]
    fn scenarios_and_maps_find_each_other_by_name() {
        assert_eq!(scenario_beside(Path::new("a/b.map")), Path::new("a/b.map.scen"));
        assert!(has_extension(Path::new("a/B.MAP"), "map"));
        let missing = map_beside(Path::new("no-such/b.scen")).unwrap_err();
        assert!(missing.contains("b.map"), "{missing}");
    }
}
