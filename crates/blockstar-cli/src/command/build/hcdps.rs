//! `blockstar build hcdps`: hill-climbable regions and the paths between them, as a file.

use crate::command::info;
use crate::map_file::{self, MapOptions};
use crate::question::DiagonalLength;
use crate::{Outcome, output};
use blockstar::{Hcdps, HcdpsSettings, Moves, Planner};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// A database for hcdps: hill-climbable regions and the paths between them
#[derive(clap::Args)]
pub struct Arguments {
    /// The map: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml
    map: PathBuf,

    /// The movement rule: four, eight, eight-cut-one, eight-cut-any
    #[arg(long, value_name = "RULE", default_value = "eight")]
    moves: Moves,

    /// The length of a diagonal step: sqrt2 or 1.4 [default: sqrt2]
    #[arg(long, value_name = "LENGTH")]
    diagonal: Option<DiagonalLength>,

    /// How many regions apart base paths may lead
    #[arg(long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    depth: u32,

    /// The most steps of a climb
    #[arg(long, value_name = "STEPS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cut_off: u32,

    /// The MiB that the database may take; a map that needs more is refused
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u32,

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
        let grid = map_file::load(&self.map, &self.options)?.grid;
        let moves = match self.diagonal {
            Some(diagonal) => self.moves.with_diagonal(diagonal.into()),
            None => self.moves,
        };
        let settings = HcdpsSettings {
            depth: self.depth,
            cut_off: self.cut_off,
            memory: (self.memory as usize) << 20,
            ..HcdpsSettings::default()
        };
        let clock = Instant::now();
        let database = Hcdps::build(&grid, moves, settings)?;
        let seconds = clock.elapsed().as_secs_f64();
        let bytes = database.save();
        output::write_file(&self.output, &bytes)?;
        let memory = database.memory_usage();
        let facts = vec![
            ("file", json!(self.output.to_string_lossy())),
            ("moves", json!(moves.rule().name())),
            ("diagonal", json!(moves.diagonal().length())),
            ("depth", json!(self.depth)),
            ("cut-off", json!(self.cut_off)),
            ("regions", json!(database.regions())),
            ("paths", json!(database.base_paths())),
            ("subgoals", json!(database.subgoals())),
            ("memory", json!(memory.total())),
            ("bytes", json!(bytes.len())),
            ("seconds", json!(seconds)),
        ];
        info::print(facts, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}
