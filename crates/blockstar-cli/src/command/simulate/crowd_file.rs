//! Crowds from files: competition instances, and scenarios of the MovingAI multi-agent benchmarks.

use crate::map_file;
use blockstar::format::movingai;
use blockstar::{Cell, Grid};
use blockstar_world::crowd::instance::{parse_agents, parse_tasks};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Component, Path, PathBuf};

/// A crowd before it moves.
pub struct Instance {
    pub grid: Grid,
    pub starts: Vec<Cell>,
    pub errands: Errands,
}

/// What the units are to do.
pub enum Errands {
    /// A goal for each.
    Goals(Vec<Cell>),
    /// Tasks for whoever is free, and how many are known at a time.
    Tasks(Vec<Vec<Cell>>, usize),
}

/// The largest text file that is read: ten locations a task, ten digits a location.
const MOST_BYTES: u64 = 1 << 28;

/// The fields of a competition instance that count here. The others describe how its robots turn
/// and stall, which units here do not.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    map_file: String,
    agent_file: String,
    task_file: String,
    team_size: u32,
    #[serde(default = "one")]
    num_tasks_reveal: f64,
}

fn one() -> f64 {
    1.0
}

/// Reads a competition instance; `agents` makes the team smaller.
pub fn competition(file: &Path, agents: Option<u32>) -> Result<Instance, Box<dyn Error>> {
    let name = file.display();
    let text = read(file)?;
    // The error says line and column.
    let listing: Listing = serde_json::from_slice(&text)
        .map_err(|error| format!("{name}: this is not a competition instance: {error}"))?;
    let line_of = |field: &str| line_of(&text, field);
    let beside = |field: &str, named: &str| {
        beside(file, named).ok_or_else(|| {
            format!(
                "{name}, line {}: `{}` leads out of the instance's folder: name a file inside it",
                line_of(field),
                named.escape_debug()
            )
        })
    };
    let team = agents.unwrap_or(listing.team_size);
    if team > listing.team_size || team == 0 {
        let (line, size) = (line_of("teamSize"), listing.team_size);
        return Err(format!(
            "{name}, line {line}: a team of {team} is not possible, the instance has {size} agents"
        )
        .into());
    }
    let reveal = listing.num_tasks_reveal;
    if !(reveal > 0.0 && reveal <= 1000.0) {
        let line = line_of("numTasksReveal");
        return Err(format!(
            "{name}, line {line}: numTasksReveal is {reveal}, but must be above 0 and at most 1000"
        )
        .into());
    }
    let map = beside("mapFile", &listing.map_file)?;
    let bytes = read(&map)?;
    // The competition's letters, where stations are free.
    let grid = movingai::parse_map_with(&bytes, |letter| match letter {
        b'.' | b'E' | b'S' | b'G' => Some(1.0),
        b'@' | b'T' | b'O' | b'W' => Some(0.0),
        _ => None,
    })
    .map_err(|error| format!("{}: {error}", map.display()))?;
    let path = beside("agentFile", &listing.agent_file)?;
    let starts = parse_agents(&read(&path)?, &grid, team as usize)
        .map_err(|error| format!("{}, {error}", path.display()))?;
    let path = beside("taskFile", &listing.task_file)?;
    let tasks = parse_tasks(&read(&path)?, &grid)
        .map_err(|error| format!("{}, {error}", path.display()))?;
    if tasks.is_empty() {
        return Err(format!("{}: there are no tasks", path.display()).into());
    }
    let reveal = (reveal * f64::from(team)).ceil() as usize;
    Ok(Instance { grid, starts, errands: Errands::Tasks(tasks, reveal) })
}

/// Reads a scenario of one start and one goal for each unit.
pub fn scenario(map: &Path, scen: &Path, agents: Option<u32>) -> Result<Instance, Box<dyn Error>> {
    let grid = map_file::load(map, &map_file::MapOptions::default())?.grid;
    let name = scen.display();
    let text = read(scen)?;
    let lines = movingai::parse_scen(&text).map_err(|error| format!("{name}: {error}"))?;
    let count = agents.map_or(lines.len(), |agents| agents as usize);
    if count == 0 || count > lines.len() {
        return Err(format!(
            "{name}: {count} agents are not possible, the file has {}",
            lines.len()
        )
        .into());
    }
    // The number of each line that is one: behind the header, blank ones left out.
    let filled = text.split(|&byte| byte == b'\n').enumerate();
    let mut numbers = filled
        .filter(|(_, line)| !line.trim_ascii().is_empty() && !line.starts_with(b"version"))
        .map(|(index, _)| index + 1);
    let (mut starts, mut goals) = (BTreeMap::new(), BTreeMap::new());
    let mut instance = (Vec::new(), Vec::new());
    for line in &lines[..count] {
        let number = numbers.next().unwrap_or_default();
        line.check_fits(&grid).map_err(|error| format!("{name}, line {number}: {error}"))?;
        for (what, cell, taken, list) in [
            ("start", line.start, &mut starts, &mut instance.0),
            ("goal", line.goal, &mut goals, &mut instance.1),
        ] {
            if !grid.is_free(cell) {
                return Err(format!("{name}, line {number}: the {what} {cell} is blocked").into());
            }
            if let Some(other) = taken.insert(cell, number) {
                return Err(format!(
                    "{name}, line {number}: the {what} {cell} is that of line {other} as well"
                )
                .into());
            }
            list.push(cell);
        }
    }
    let (starts, goals) = instance;
    Ok(Instance { grid, starts, errands: Errands::Goals(goals) })
}

fn read(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    map_file::read(path, MOST_BYTES)
}

/// A file that another one names, which must lie in its folder or below.
fn beside(file: &Path, named: &str) -> Option<PathBuf> {
    let named = Path::new(named);
    let inside = named.components().all(|part| matches!(part, Component::Normal(_)));
    (inside && named.components().next().is_some())
        .then(|| file.parent().unwrap_or(Path::new("")).join(named))
}

/// The line of a JSON text in which a field is named, from 1.
fn line_of(text: &[u8], field: &str) -> usize {
    let quoted = format!("\"{field}\"");
    let at = text.windows(quoted.len()).position(|window| window == quoted.as_bytes());
    text[..at.unwrap_or(0)].iter().filter(|&&byte| byte == b'\n').count() + 1
}
