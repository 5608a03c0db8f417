//! `blockstar reproduce block-astar`: P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\**, 2011.
//!
//! Their Tables 1 and 2, the worked examples of Figures 1 to 4 and the claims of the text, run here
//! and put beside the printed numbers. [`problems`] makes the maps, [`experiments`] runs the planners,
//! [`figures`] the examples, [`claims`] judges and [`view`] writes the page.

mod claims;
mod experiments;
mod figures;
mod problems;
mod published;
mod suite;
mod view;

use super::claim::{Claim, Verdict};
use super::{make_folder, maps_folder, publish};
use crate::progress;
use crate::table::{Table, decimals};
use experiments::{Database, Edits, Lab};
use figures::Figures;
use problems::Extent;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use suite::Suite;

/// The Block A* paper (Yap, Burch, Holte & Schaeffer 2011): its tables, figures and claims
///
/// Random grids come from the seed, game maps from a folder with the subfolders sc1, bg512 and dao.
/// Every path is checked; a wrong answer ends the run with exit code 2. Lengths and expansions depend
/// on nothing but the seed, the scale and the maps; times are those of this machine.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the game maps sc1, bg512 and dao [default: BLOCKSTAR_MAPS]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,

    /// The part of the paper's problems to run, above 0 and up to 1: 1 is 50,000 for each density
    #[arg(long, value_name = "S", default_value_t = 0.01, value_parser = parse_scale, allow_hyphen_values = true)]
    scale: f64,

    /// What the random maps and problems depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The folder for index.html and report.json; it is made if it is not there
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,

    /// Prints the numbers as JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// All numbers.
#[derive(Debug, Serialize)]
struct Report {
    subject: &'static str,
    source: &'static str,
    second_source: &'static str,
    version: &'static str,
    scale: f64,
    seed: u64,
    notes: Vec<String>,
    table_1: Vec<Suite>,
    table_2: Suite,
    arena2: Option<Suite>,
    block_sizes: Vec<Suite>,
    cell_rules: Vec<Suite>,
    paths_compared: usize,
    database: Database,
    edits: Edits,
    figures: Figures,
    claims: Vec<Claim>,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> crate::Outcome {
        let folder = maps_folder(self.maps.as_deref(), "sc1, bg512 or dao")?;
        let (games, notes) = problems::load_games(folder.as_deref())?;
        make_folder(&self.output)?;
        notes.iter().for_each(|note| eprintln!("note: {note}"));

        let extent = Extent { scale: self.scale, seed: self.seed };
        let progress = progress::bar(0, "problems");
        let lab = Lab { extent, games: &games, progress: &progress };
        progress.set_length(lab.size()?);
        let report = self.measure(&lab, notes);
        progress.finish_and_clear();
        let report = report?;

        publish((&self.output, self.json), &report, &view::page(&report), summary)
    }

    fn measure(&self, lab: &Lab<'_>, notes: Vec<String>) -> Result<Report, Box<dyn Error>> {
        let small = lab.exactness()?;
        let mut report = Report {
            subject: "block-astar",
            source: published::SOURCE,
            second_source: published::SECOND_SOURCE,
            version: env!("CARGO_PKG_VERSION"),
            scale: self.scale,
            seed: self.seed,
            notes,
            figures: Figures::make()?,
            database: lab.database()?,
            edits: lab.edits()?,
            table_1: lab.table_1()?,
            table_2: lab.table_2()?,
            arena2: lab.arena2()?,
            block_sizes: lab.block_sizes()?,
            cell_rules: lab.cell_rules()?,
            paths_compared: small,
            claims: Vec::new(),
        };
        // Each path under the cell rules, of every block size, was compared with that of A*.
        report.paths_compared += experiments::CELL_SIDES.len()
            * report.cell_rules.iter().map(|s| s.problems).sum::<usize>();
        report.claims = claims::judge(&report);
        Ok(report)
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| *scale > 0.0 && *scale <= 1.0);
    scale.ok_or_else(|| {
        format!("`{}` is no scale: write a number above 0 and up to 1", text.escape_debug())
    })
}

/// What is told in the terminal.
fn summary(report: &Report, page: &Path) -> String {
    let mut table = Table::new([
        "",
        "problems",
        "Block A* µs",
        "x A* Euclidean",
        "paper",
        "x A* octile",
        "x Theta*",
        "paper",
        "longer than Theta*",
        "paper",
        "both greedily smoothed",
        "12 x 12, taut: x A* octile",
        "over optimum",
    ]);
    let percent = |value: f64| match value {
        v if v.is_nan() => "-".into(),
        v if v.abs() < 0.005 => "0.00 %".into(),
        v => format!("{v:.2} %"),
    };
    let number = |value: f64| decimals(Some(value).filter(|value| value.is_finite()), 2);
    for suite in report.table_1.iter().chain([&report.table_2]) {
        let euclid = if suite.row("astar-euclid").is_some() { "astar-euclid" } else { "astar" };
        table.push(vec![
            suite.title.clone(),
            suite.problems.to_string(),
            decimals(suite.row("block").map(|row| row.mean_us), 1),
            number(suite.speed("block", euclid)),
            number(suite.printed_speed("block", euclid)),
            number(suite.speed("block", "astar")),
            number(suite.speed("block", "theta")),
            number(suite.printed_speed("block", "theta")),
            percent(suite.excess("block", "theta")),
            percent(suite.printed_excess("block", "theta")),
            percent(suite.smoothed_excess("block", "theta")),
            number(suite.speed("block-default", "astar")),
            percent(suite.excess("block-default", "anya")),
        ]);
    }
    let count = |verdict| report.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let failed: Vec<_> = report
        .claims
        .iter()
        .filter(|claim| claim.verdict == Verdict::DoesNotHold)
        .map(|claim| format!("  {} {}: {}\n", claim.id, claim.claim, claim.ours))
        .collect();
    format!(
        "{table}\n{} claims hold, {} do not, {} were not tested (scale {}, seed {})\n{}\nreport: {}\n",
        count(Verdict::Holds),
        count(Verdict::DoesNotHold),
        count(Verdict::NotTested),
        report.scale,
        report.seed,
        failed.concat(),
        page.display()
    )
}
