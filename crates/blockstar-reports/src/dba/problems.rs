//! The maps of the DBA* paper and their longest problems, or generated ones without them.

use blockstar::{Algorithm, Cell, Grid, Moves, Planner, Query, Scratch, Status, generate};
use blockstar_files::{Course, scenario_beside, spread};
use std::error::Error;
use std::path::Path;

/// The ten maps of the paper (it prints irz702 for orz702d), with width, height and free cells.
const TEN: [(&str, u32, u32, usize); 10] = [
    ("hrt000d", 408, 876, 106_608),
    ("orz100d", 412, 395, 99_626),
    ("orz103d", 463, 456, 40_392),
    ("orz300d", 649, 386, 83_672),
    ("orz700d", 1104, 1260, 95_600),
    ("orz702d", 718, 939, 71_328),
    ("orz900d", 1491, 656, 96_603),
    ("ost000a", 487, 969, 130_478),
    ("ost000t", 487, 971, 105_707),
    ("ost100d", 1024, 1025, 137_375),
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
    /// Whether it is one of the ten maps of the paper.
    pub real: bool,
    pub grid: Grid,
    /// The longest problems, as many spread evenly over all of them, and some of about median
    /// length.
    pub longest: Vec<Problem>,
    pub evenly: Vec<Problem>,
    pub median: Vec<Problem>,
}

/// Whether these are all ten maps of the paper.
pub fn are_the_ten(fields: &[Field]) -> bool {
    fields.len() == TEN.len() && fields.iter().all(|field| field.real)
}

/// The maps, and notes about them.
pub fn load(
    folder: Option<&Path>,
    count: usize,
    seed: u64,
) -> Result<(Vec<Field>, Vec<String>), Box<dyn Error>> {
    let mut notes = Vec::new();
    let mut fields = Vec::new();
    if let Some(folder) = folder {
        let folder = if folder.join("dao").is_dir() { folder.join("dao") } else { folder.into() };
        for (name, width, height, free) in TEN {
            let map = folder.join(format!("{name}.map"));
            if !map.is_file() || !scenario_beside(&map).is_file() {
                notes.push(format!("{name} is not in {}: it is left out", folder.display()));
                continue;
            }
            let Course { grid, scenarios, .. } = Course::read(&map)?;
            let pairs =
                scenarios.iter().filter(|s| s.optimal > 0.0).map(|s| (s.start, s.goal, s.optimal));
            let real = (grid.width(), grid.height(), grid.free_cells()) == (width, height, free);
            let mut label = name.to_string();
            if !real {
                label += " (another map)";
                notes.push(format!(
                    "{} is not the map of that name in the paper: it has {} x {} cells, {} of them free, \
                     instead of {width} x {height} and {free}",
                    map.display(),
                    grid.width(),
                    grid.height(),
                    grid.free_cells()
                ));
            }
            fields.push(Field { real, ..field(&label, grid, pairs.collect(), count)? });
        }
    }
    if fields.is_empty() {
        notes.push(
            "the ten maps of the paper are missing (--maps names their folder): generated caves \
             stand in for them, so no number is comparable with the paper's"
                .into(),
        );
        for index in 0..3 {
            let grid = generate::caves(320, 240, seed + index)?;
            // Only a search can say how far apart their ends are.
            let astar = Algorithm::named("astar")?.prepare(&grid, MOVES)?;
            let mut scratch = Scratch::new();
            let mut pairs = Vec::new();
            for (start, goal) in generate::queries(&grid, 10 * count, seed + index) {
                let status = astar.find(&grid, &Query::new(start, goal), &mut scratch)?;
                if status == Status::Found && start != goal {
                    pairs.push((start, goal, scratch.path().cost()));
                }
            }
            drop(astar);
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
    let spread = spread(all.len(), 1, Some(count));
    let evenly = solve(&spread.into_iter().map(|index| all[index]).collect::<Vec<_>>())?;
    let middle = all.len() / 2;
    let median = solve(&all[middle.saturating_sub(5)..(middle + 5).min(all.len())])?;
    drop(astar);
    if longest.is_empty() || evenly.is_empty() || median.is_empty() {
        return Err(format!("{name} has no problems that can be solved").into());
    }
    Ok(Field { name: name.into(), real: false, grid, longest, evenly, median })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of generated problems, those with the longest paths are taken, not those whose ends lie
    /// farthest apart.
    #[test]
    fn generated_problems_are_chosen_by_the_length_of_their_paths() {
        let (fields, notes) = load(None, 4, 3).unwrap();
        assert!(notes[0].contains("stand in") && !are_the_ten(&fields));
        for field in fields {
            let least = field.longest.iter().map(|p| p.optimum).fold(f64::MAX, f64::min);
            assert_eq!(field.longest.len(), 4);
            let longer = field.evenly.iter().filter(|p| p.optimum > least).count();
            assert!(longer < 4 && field.median.iter().all(|p| p.optimum <= least));
        }
    }
}
