//! `blockstar build dba` and `blockstar build planner`: what a planner prepares for a map, as a file.

use crate::command::info;
use crate::map_file::{self, MapOptions};
use crate::question::DiagonalLength;
use crate::{Outcome, output, progress};
use blockstar::{Algorithm, Moves, Planner};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// A DBA* database: regions, the paths between neighbouring ones, and where to go next
#[derive(clap::Args)]
pub struct Arguments {
    /// The cells along the side of a sector, 4 to 256, or width and height as in 16x12
    #[arg(long, value_name = "N", default_value = "16")]
    sector: String,

    /// How many regions a path may span
    #[arg(long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    depth: u32,

    #[command(flatten)]
    common: Common,
}

/// What any planner prepares that can be saved
#[derive(clap::Args)]
pub struct PlannerArguments {
    /// The planner, with parameters as in dba-star:sector=32:depth=3; `blockstar planners` lists them
    planner: String,

    #[command(flatten)]
    common: Common,
}

/// The map and the file.
#[derive(clap::Args)]
struct Common {
    /// The map: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml
    map: PathBuf,

    /// The movement rule [default: eight]
    #[arg(long, value_name = "RULE", default_value = "eight")]
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

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        let planner = format!("dba-star:sector={}:depth={}", self.sector, self.depth);
        self.common.run(&planner)
    }
}

impl PlannerArguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        self.common.run(&self.planner)
    }
}

impl Common {
    fn run(&self, planner: &str) -> Outcome {
        let choice = Algorithm::named(planner)?;
        let moves = match self.diagonal {
            Some(diagonal) => self.moves.with_diagonal(diagonal.into()),
            None => self.moves,
        };
        let grid = map_file::load(&self.map, &self.options)?.grid;
        let clock = Instant::now();
        let spinner = progress::spinner(format!("preparing {choice}"));
        let planner = choice.prepare(&grid, moves);
        spinner.clear();
        let planner = planner?;
        let seconds = clock.elapsed().as_secs_f64();
        let Some(bytes) = planner.save() else {
            return Err(format!(
                "{} prepares nothing that can be saved: it needs no file",
                choice.name()
            )
            .into());
        };
        output::write_file(&self.output, &bytes)?;
        let mut facts = vec![
            ("file", json!(self.output.to_string_lossy())),
            ("planner", json!(choice.to_string())),
            ("moves", json!(moves.rule().name())),
            ("diagonal", json!(moves.diagonal().length())),
        ];
        let memory = planner.memory_usage();
        let parts = memory.parts().iter();
        facts.extend(parts.map(|&(part, bytes)| (part, json!(bytes))));
        facts.push(("bytes", json!(bytes.len())));
        facts.push(("seconds", json!(seconds)));
        info::print(facts, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}
