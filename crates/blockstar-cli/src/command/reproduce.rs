//! `blockstar reproduce`: the experiments of published papers, run again by `blockstar-reports`.

use crate::progress::{self, Bar};
use crate::{Outcome, interrupt, output};
use blockstar_reports::{AstarMod, BlockAstar, Change, Dba, Progress, Published};
use serde_json::{Map, Value};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the experiments of a paper again and writes a report
///
/// The report is a folder with a page for people, index.html, and all numbers, report.json. Ctrl-C
/// ends the run with exit code 130; the parts that were finished are written to partial.json there.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(clap::Subcommand)]
enum Subject {
    AstarMod(AstarModArguments),
    BlockAstar(BlockAstarArguments),
    Change(ChangeArguments),
    Dba(DbaArguments),
}

/// The A*MOD paper (Smołka et al. 2019): its ten test cases, Figures 10 to 14 and claims
///
/// Everything except the times depends only on the maps and --highest. With the folder `heights` of
/// the map collection, which has the SRTM tile N44W072.hgt, the tenth case is real terrain, and the
/// tile is crossed with slope limits as well.
#[derive(clap::Args)]
struct AstarModArguments {
    /// The folder that has heights/N44W072.hgt [default: BLOCKSTAR_MAPS]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// The number of searches that a time is the mean of; across the tile, the least of as many, at
    /// most 3
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,

    /// The height of white, the paper's Wmax, which it does not state
    #[arg(long, value_name = "W", default_value_t = 40.0, value_parser = parse_highest, allow_hyphen_values = true)]
    highest: f64,

    #[command(flatten)]
    report: ReportOptions,
}

/// The Block A* paper (Yap, Burch, Holte & Schaeffer 2011): its tables, figures and claims
///
/// Random grids come from the seed, game maps from a folder with the subfolders sc1, bg512 and dao.
/// Every path is checked; a wrong answer ends the run with exit code 2. Lengths and expansions
/// depend only on the seed, the scale and the maps; times are those of this machine.
#[derive(clap::Args)]
struct BlockAstarArguments {
    /// The folder with the game maps sc1, bg512 and dao [default: BLOCKSTAR_MAPS]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// The share of the paper's problems to run, above 0 and up to 1: 1 is 50,000 for each density
    #[arg(long, value_name = "S", default_value_t = 0.01, value_parser = parse_scale, allow_hyphen_values = true)]
    scale: f64,

    /// The seed of the random maps and problems
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    report: ReportOptions,
}

/// What change and size cost: the time of a query against that of an edit, and maps that grow
///
/// An experiment of our own. The maps of the first part are those of the DBA* paper; without them
/// generated maps are used. Every path is checked; times are those of this machine. Charts are also
/// written as pictures: frontier-eight.svg, frontier-any-angle.svg, scale-caves.svg, scale-rooms.svg.
#[derive(clap::Args)]
struct ChangeArguments {
    /// The folder with the maps, or one that has them in `dao` [default: BLOCKSTAR_MAPS]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// How many queries each map is asked
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    queries: u32,

    /// How many cells of each map are changed and changed back
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    changes: u32,

    /// The side of the largest generated map; each one is twice as large as the one before
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(512..=16_384))]
    largest: u32,

    /// The seed of the edits and of generated maps
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,

    #[command(flatten)]
    report: ReportOptions,
}

/// The DBA* paper (Lee & Lawrence 2013): its figures and statements
///
/// The ten maps of the paper are read from a folder with their scenarios; without them generated
/// maps are used. Every path is checked. Costs depend only on the maps and the seed; times are those
/// of this machine.
#[derive(clap::Args)]
struct DbaArguments {
    /// The folder with the maps, or one that has them in `dao` [default: BLOCKSTAR_MAPS]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// How many of the longest problems of each map to run
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    problems: u32,

    /// How many walls are added and removed on each map
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    changes: u32,

    /// The seed of the edits and of generated maps
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    report: ReportOptions,
}

/// Where the numbers go.
#[derive(clap::Args)]
struct ReportOptions {
    /// The folder for index.html, report.json and any pictures; created if missing
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,

    /// Prints the numbers as JSON instead of tables
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        match self.subject {
            Subject::AstarMod(AstarModArguments { maps, runs, highest, report }) => {
                let maps = maps_folder(maps, AstarMod::WANTED)?;
                let subject = AstarMod { maps, runs, highest };
                report.publish("cases", move |folder, progress| subject.run(folder, progress))
            }
            Subject::BlockAstar(BlockAstarArguments { maps, scale, seed, report }) => {
                let maps = maps_folder(maps, BlockAstar::WANTED)?;
                let subject = BlockAstar { maps, scale, seed };
                report.publish("problems", move |folder, progress| subject.run(folder, progress))
            }
            Subject::Change(ChangeArguments { maps, queries, changes, largest, seed, report }) => {
                let maps = maps_folder(maps, Change::WANTED)?;
                let subject = Change { maps, queries, changes, largest, seed };
                report.publish("planners", move |folder, progress| subject.run(folder, progress))
            }
            Subject::Dba(DbaArguments { maps, problems, changes, seed, report }) => {
                let maps = maps_folder(maps, Dba::WANTED)?;
                let subject = Dba { maps, problems, changes, seed };
                report.publish("planners", move |folder, progress| subject.run(folder, progress))
            }
        }
    }
}

impl ReportOptions {
    /// Runs an experiment with a progress bar of `steps`, and prints its numbers.
    fn publish(
        &self,
        steps: &str,
        run: impl FnOnce(&Path, &dyn Progress) -> Result<Published, Box<dyn Error>> + Send + 'static,
    ) -> Outcome {
        let log = Arc::new(Log { bar: progress::bar(0, steps), parts: Mutex::default() });
        let (worker, folder) = (log.clone(), self.output.clone());
        let work = move || run(&folder, &*worker).map_err(|error| error.to_string());
        let published = interrupt::watch(work)?;
        log.bar.clear();
        let partial = self.output.join("partial.json");
        let Some(published) = published else { return self.keep(&partial, log.parts().clone()) };
        let published = published?;
        // Left by an earlier run that was interrupted; usually there is none.
        let _ = std::fs::remove_file(partial);
        output::print(if self.json { &published.json } else { &published.summary })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the parts of a report that were finished before an interruption.
    fn keep(&self, file: &Path, parts: Map<String, Value>) -> Outcome {
        let names: Vec<String> = parts.keys().cloned().collect();
        let mut report = Map::from_iter([("interrupted".to_string(), Value::from(true))]);
        report.extend(parts);
        let text = serde_json::to_string_pretty(&report)? + "\n";
        if names.is_empty() {
            eprintln!("interrupted before any part of the report was finished");
        } else {
            output::write_file(file, text.as_bytes())?;
            eprintln!("interrupted: what was finished is in {}", file.display());
        }
        let summary: String = names.iter().map(|name| format!("finished: {name}\n")).collect();
        output::print(if self.json { &text } else { &summary })?;
        Ok(ExitCode::from(interrupt::EXIT_CODE))
    }
}

/// Follows an experiment: shows it on a bar and keeps the parts that are finished.
struct Log {
    bar: Bar,
    parts: Mutex<Map<String, Value>>,
}

impl Log {
    fn parts(&self) -> std::sync::MutexGuard<'_, Map<String, Value>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Log {
    fn total(&self, steps: u64) {
        self.bar.set_total(steps);
    }

    fn doing(&self, what: &str) {
        self.bar.set_message(what);
    }

    fn step(&self) {
        self.bar.advance(1);
    }

    fn note(&self, note: &str) {
        self.bar.clear();
        eprintln!("note: {note}");
    }

    fn part(&self, name: &str, numbers: Value) {
        self.parts().insert(name.into(), numbers);
    }

    fn columns(&self) -> usize {
        output::Screen::of_stdout().columns().unwrap_or(usize::MAX)
    }
}

/// The folder of maps named by the user or the environment; `wanted` is what it should contain.
fn maps_folder(named: Option<PathBuf>, wanted: &str) -> Result<Option<PathBuf>, String> {
    let (folder, by) = match named {
        Some(folder) => (folder, "--maps"),
        None => match std::env::var_os("BLOCKSTAR_MAPS").filter(|value| !value.is_empty()) {
            Some(folder) => (folder.into(), "BLOCKSTAR_MAPS"),
            None => return Ok(None),
        },
    };
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    Err(format!(
        "{by} names {}, which is not a folder: name the one that has {wanted}",
        folder.display()
    ))
}

fn parse_highest(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.ok_or_else(|| {
        format!("`{}` is not a height: write a number up to 1000000", text.escape_debug())
    })
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| *scale > 0.0 && *scale <= 1.0);
    scale.ok_or_else(|| {
        format!("`{}` is not a scale: write a number above 0 and up to 1", text.escape_debug())
    })
}
