//! Scenario files for maps: random queries with the lengths of their shortest paths.

use crate::output::write_file;
use blockstar::format::movingai::{Scenario, write_scen};
use blockstar::{Algorithm, Batch, Grid, Moves, Query, generate};
use blockstar_files::scenario_beside;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The most queries to generate at once.
pub const MOST_QUERIES: u64 = 1_000_000;

/// Writes `n` random queries beside a map, to its name with `.scen` appended, and returns that
/// name.
///
/// Lengths are those of `eight`, as in the MovingAI files, found by A*; lines are sorted by length.
pub fn write_beside(map: &Path, grid: &Grid, n: u64, seed: u64) -> Result<PathBuf, Box<dyn Error>> {
    let name = map.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let pairs = generate::queries(grid, n as usize, seed);
    if pairs.is_empty() {
        return Err(
            "this map has no free cell, so there are no queries: leave --queries out".into()
        );
    }
    let queries: Vec<_> = pairs.iter().map(|&(start, goal)| Query::new(start, goal)).collect();
    let planner = Algorithm::named("astar")?.prepare(grid, Moves::EIGHT)?;
    let answers = Batch::new().find_all(&planner, grid, &queries);
    let mut scenarios = Vec::with_capacity(pairs.len());
    for ((start, goal), answer) in pairs.into_iter().zip(answers) {
        let cost = answer?.path.cost();
        scenarios.push(Scenario {
            map: name.clone(),
            width: grid.width(),
            height: grid.height(),
            start,
            goal,
            // The published files have at most eight decimals.
            optimal: (cost * 1e8).round() / 1e8,
            bucket: (cost / 4.0) as u32,
        });
    }
    scenarios.sort_by(|a, b| a.optimal.total_cmp(&b.optimal));
    let path = scenario_beside(map);
    write_file(&path, write_scen(&name, grid, &scenarios).as_bytes())?;
    Ok(path)
}
