//! W. Lee & R. Lawrence, *Fast Grid-based Path Finding for Video Games*, 2013.
//!
//! Figures 6, 7 and 8 of the paper, an ablation of what its optimisations buy, and an experiment
//! with edits, which it names as future work. [`problems`] finds the maps, [`measure`] runs the
//! planners, [`figure`] works the running example, [`edits`] makes the edits, [`frontier`] finds the best trade-offs, [`claims`] judges
//! and [`view`] writes the page.

mod claims;
mod edits;
mod figure;
mod frontier;
mod measure;
pub(crate) mod problems;
mod view;

use crate::claim::Claim;
use crate::progress::told;
use crate::report::{self, Section, make_folder, publish};
use crate::table::{Cells, Table, decimals};
use crate::{Progress, Published};
use edits::{EDITED, Edits};
use figure::Example;
use frontier::Best;
use measure::Row;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The DBA* paper (Lee & Lawrence 2013): its figures and statements.
///
/// Every path is checked. Costs depend only on the maps; times depend on the machine.
#[derive(Clone, Debug)]
pub struct Dba {
    /// The folder with the ten maps of the paper and their scenarios, or one that has them in
    /// `dao`; without it generated maps stand in.
    pub maps: Option<PathBuf>,
    /// How many of the longest problems of each map to run.
    pub problems: u32,
    /// How many walls are added and removed on each map.
    pub changes: u32,
    /// The seed of the edits and of generated maps.
    pub seed: u64,
}

/// All numbers.
#[derive(Debug, Serialize)]
struct Report {
    /// Whether these are the maps of the paper.
    real_maps: bool,
    maps: Vec<String>,
    problems: usize,
    rows: Vec<Row>,
    /// The configurations that no other one beats in quality, memory and time.
    frontier: Vec<Best>,
    ablation: Vec<Row>,
    /// The costs of the walks of the running example.
    example: Vec<(String, f64)>,
    #[serde(skip)]
    worked: Example,
    edits: Vec<Edits>,
}

/// The planners of the figures, with the series that they belong to.
fn contestants() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for sector in [16, 32, 64, 128] {
        for depth in 1..=4 {
            let name = format!("dba-star:sector={sector}:depth={depth}");
            all.push((name, format!("DBA* {sector}")));
        }
    }
    let sectors = [16, 32, 64, 128].map(|sector| format!("pra-star:sector={sector}"));
    all.extend(sectors.map(|name| (name, "PRA*".into())));
    all.extend((1..=4).map(|depth| (format!("hcdps:depth={depth}"), "HCDPS".into())));
    all.push(("subgoal-lrta-star".into(), "LRTA* with subgoals".into()));
    all
}

/// The settings that are varied one at a time.
const ABLATION: [&str; 9] = [
    "dba-star:sector=16:depth=1:trim=none",
    "dba-star:sector=16:depth=1:trim=ends",
    "dba-star:sector=16:depth=1:trim=all",
    "dba-star:sector=16:depth=2:trim=none",
    "dba-star:sector=16:depth=2:trim=ends",
    "dba-star:sector=16:depth=2:trim=all",
    "dba-star:sector=16:depth=2:matrix=off",
    "pra-star:sector=16:trim=0",
    "pra-star:sector=16:trim=10",
];

impl Dba {
    /// What the folder of maps should have.
    pub const WANTED: &str = "the maps";

    /// Runs the experiments and writes the report to a folder.
    ///
    /// # Errors
    /// If a map cannot be read, a planner gives a wrong answer, or a file cannot be written.
    pub fn run(&self, output: &Path, progress: &dyn Progress) -> Result<Published, Box<dyn Error>> {
        make_folder(output)?;
        let (report, notes) = self.measure(progress)?;
        view::draw_example(&report.worked, output)?;
        publish(output, &report, &notes, progress)
    }

    /// The numbers, and notes about them.
    fn measure(&self, progress: &dyn Progress) -> Result<(Report, Vec<String>), Box<dyn Error>> {
        let contestants = contestants();
        let folder = self.maps.as_deref();
        let (fields, mut notes) = problems::load(folder, self.problems as usize, self.seed)?;
        notes.iter().for_each(|note| progress.note(note));
        progress.total((contestants.len() + ABLATION.len() + EDITED.len()) as u64);
        let real_maps = problems::are_the_ten(&fields);
        let mut run = |name: &str, series: &str| -> Result<Option<Row>, Box<dyn Error>> {
            progress.doing(name);
            let row = measure::run(name, series, &fields);
            progress.step();
            match row {
                Ok(row) => Ok(Some(row)),
                Err(problem) if problem.starts_with("a wrong answer") => {
                    Err(format!("{name}: {problem}").into())
                }
                // Not in the registry, or it refuses such maps: go on with the others.
                Err(problem) => {
                    notes.push(format!("{name} is left out: {problem}"));
                    Ok(None)
                }
            }
        };
        let mut rows = Vec::new();
        for (name, series) in &contestants {
            rows.extend(run(name, series)?);
            told(progress, "rows", &rows);
        }
        let mut ablation = Vec::new();
        for name in ABLATION {
            ablation.extend(run(name, "ablation")?);
            told(progress, "ablation", &ablation);
        }
        let mut edits = Vec::new();
        for (name, share) in EDITED {
            progress.doing(&format!("{name}, edits"));
            let changes = (self.changes as usize).div_ceil(share);
            edits.push(edits::run(name, &fields, changes, self.seed)?);
            told(progress, "edits", &edits);
            progress.step();
        }
        let worked = Example::work()?;
        let report = Report {
            real_maps,
            maps: fields.iter().map(|field| field.name.clone()).collect(),
            problems: fields.iter().map(|field| field.longest.len()).sum(),
            frontier: frontier::find(&rows),
            rows,
            ablation,
            example: worked
                .walks
                .iter()
                .map(|(name, path)| (name.to_string(), path.cost()))
                .collect(),
            worked,
            edits,
        };
        Ok((report, notes))
    }
}

impl report::Report for Report {
    const SUBJECT: &'static str = "dba";
    const SOURCE: &'static str =
        "W. Lee & R. Lawrence, Fast Grid-based Path Finding for Video Games (2013)";
    const TITLE: &'static str = "DBA*, run again";
    const SECTIONS: &'static [Section<Self>] = &[view::example, view::figures, view::numbers];

    fn judge(&self) -> Vec<Claim> {
        claims::judge(self)
    }

    fn extent(&self) -> String {
        format!(
            "on {} maps, {}those of the paper, and {} problems.",
            self.maps.len(),
            if self.real_maps { "" } else { "not " },
            self.problems
        )
    }

    fn tables(&self, columns: usize) -> String {
        let mut table = Table::headed(
            "planner | subopt % | spread | most | evenly % | µs | µs/move | x A* | prepare ms | memory",
        );
        for row in self.rows.iter().chain(&self.ablation) {
            let cells = Cells::of(&row.planner)
                .fixed(2, [row.suboptimality, row.spread])
                .fixed(1, [row.worst])
                .fixed(2, [row.evenly])
                .fixed(1, [row.mean_us])
                .fixed(3, [row.move_us])
                .fixed(1, [row.speed.mean, row.prepare_ms]);
            table.row(cells.bytes(row.bytes));
        }
        let mut best = Table::headed("not beaten | subopt % | memory | µs");
        for row in &self.frontier {
            let cells = Cells::of(&row.planner).fixed(2, [row.suboptimality]).bytes(row.bytes);
            best.row(cells.fixed(1, [row.mean_us]));
        }
        let mut changed =
            Table::headed("wall added and removed | k=0 µs | k=1 | k=5 | k=14 | edit / A*");
        for edits in &self.edits {
            let at = |k: u32| edits.points.iter().find(|point| point.0 == k).map(|point| point.1);
            let cells = Cells::of(&edits.planner).texts([0, 1, 5, 14].map(|k| decimals(at(k), 0)));
            changed.row(cells.fixed(4, [edits.edit_over_astar.mean]));
        }
        [table, best, changed].map(|table| table.folded(columns)).join("\n")
    }
}
