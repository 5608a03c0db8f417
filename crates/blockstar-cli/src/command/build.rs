//! `blockstar build`: prepares data once and writes it to a file.

mod cpd;
mod dba;

use super::info;
use crate::map_file::{self, MapOptions};
use crate::question::DiagonalLength;
use crate::{Outcome, argument, output, progress};
use blockstar::{Grid, Lddb, Moves, Rule};
use serde_json::json;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Prepare data once and keep it as a file
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Lddb(LddbArguments),
    Cpd(cpd::Arguments),
    Dba(dba::Arguments),
    Planner(dba::PlannerArguments),
}

/// A local distance database: the tables that block-astar searches with
///
/// Without --map it is complete: every block pattern of 2 x 2, 3 x 3 or 4 x 4 cells, for any
/// map without terrain costs. With --map it has the blocks of these maps, of 2 x 2 to 16 x 16 cells.
#[derive(clap::Args)]
struct LddbArguments {
    /// The places that distances are between
    #[arg(long)]
    kind: DistanceKind,

    /// The movement rule [default: four, eight or any-angle, depending on the kind]
    #[arg(long, value_name = "RULE", value_parser = argument::moves)]
    moves: Option<Moves>,

    /// octile: the length of a diagonal step: sqrt2 or 1.4 [default: sqrt2]
    #[arg(long, value_name = "LENGTH")]
    diagonal: Option<DiagonalLength>,

    /// The cells along the side of a block
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=16))]
    block: u32,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Maps whose blocks to take: .map, .txt, .png, .pgm, .bmp, .jpg, .yaml, or .csv and .asc with
    /// --as occupancy or costs; `-` is standard input
    #[arg(long, value_name = "MAP", num_args = 1..)]
    map: Vec<PathBuf>,

    /// Print JSON for machines
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: MapOptions,
}

/// A map to prepare something for, and the file to write.
#[derive(clap::Args)]
struct Job {
    /// The map: .map, .txt, .png, .pgm, .bmp, .jpg, .yaml, or .csv and .asc with --as occupancy or
    /// costs; `-` is standard input
    map: PathBuf,

    /// The movement rule: four, eight, eight-cut-one, eight-cut-any; for planners that know them
    /// also any-angle, any-angle-squeeze
    #[arg(long, value_name = "RULE", default_value = "eight", value_parser = argument::moves)]
    moves: Moves,

    /// The length of a diagonal step: sqrt2 or 1.4 [default: sqrt2]
    #[arg(long, value_name = "LENGTH")]
    diagonal: Option<DiagonalLength>,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Print JSON for machines
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: MapOptions,
}

impl Job {
    fn grid(&self) -> Result<Grid, Box<dyn Error>> {
        Ok(map_file::load(&self.map, &self.options)?.grid)
    }

    /// The movement rule with its diagonals.
    fn moves(&self) -> Moves {
        self.diagonal.map_or(self.moves, |diagonal| self.moves.with_diagonal(diagonal.into()))
    }
}

/// The kinds of distance.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum DistanceKind {
    /// Cells, four steps
    Tile,
    /// Cells, eight steps, by any corner rule
    Octile,
    /// The corners of cells, straight lines
    AnyAngle,
}

impl DistanceKind {
    /// The movement rules of the kind, its default first.
    const fn rules(self) -> &'static [Rule] {
        match self {
            Self::Tile => &[Rule::Four],
            Self::Octile => &[Rule::Eight, Rule::EightCutOne, Rule::EightCutAny],
            Self::AnyAngle => &[Rule::AnyAngle, Rule::AnyAngleSqueeze],
        }
    }
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        match self.what {
            What::Lddb(arguments) => arguments.run(),
            What::Cpd(arguments) => arguments.run(),
            What::Dba(arguments) => arguments.run(),
            What::Planner(arguments) => arguments.run(),
        }
    }
}

impl LddbArguments {
    fn run(self) -> Outcome {
        let moves = self.moves()?;
        if self.map.is_empty() && self.block > 4 {
            return Err(format!(
                "a block of {0} x {0} cells has 2^{1} contents, too many to keep them all: name the \
                 maps whose blocks to keep (--map), or use --block 4",
                self.block,
                self.block * self.block
            )
            .into());
        }
        let load = |path: &PathBuf| Ok(map_file::load(path, &self.options)?.grid);
        let maps: Result<Vec<Grid>, Box<dyn Error>> = self.map.iter().map(load).collect();
        let maps = maps?;
        let bar = Arc::new(progress::bar(0, "tables"));
        let clock = Instant::now();
        let reported = Arc::clone(&bar);
        let report = move |done: usize, of: usize| reported.set(done as u64, of as u64);
        let settings = Lddb::builder().block(self.block).on_progress(report);
        let lddb = match &maps[..] {
            [] => settings.complete(moves)?,
            maps => settings.collect(maps, moves)?,
        };
        let seconds = clock.elapsed().as_secs_f64();
        bar.clear();
        output::write_file(&self.output, lddb.as_bytes())?;
        let mut facts = vec![("file", json!(self.output.to_string_lossy()))];
        facts.extend(info::lddb(&lddb));
        facts.push(("seconds", json!(seconds)));
        info::print(facts, self.json)?;
        Ok(ExitCode::SUCCESS)
    }

    fn moves(&self) -> Result<Moves, Box<dyn Error>> {
        let rules = self.kind.rules();
        let moves = self.moves.unwrap_or(Moves::new(rules[0]));
        if !rules.contains(&moves.rule()) {
            let names: Vec<_> = rules.iter().map(|rule| rule.name()).collect();
            return Err(format!(
                "the rule `{moves}` does not belong to this kind: its rules are {}",
                names.join(", ")
            )
            .into());
        }
        match self.diagonal {
            None => Ok(moves),
            Some(diagonal) if self.kind == DistanceKind::Octile => {
                Ok(moves.with_diagonal(diagonal.into()))
            }
            Some(_) => Err("--diagonal belongs to the kind octile: leave it out".into()),
        }
    }
}
