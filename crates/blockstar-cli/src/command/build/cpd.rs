//! `blockstar build cpd`: the compressed path database of a map, as a file.

use crate::command::info;
use crate::map_file::{self, MapOptions};
use crate::question::DiagonalLength;
use crate::{Outcome, output, progress};
use blockstar::{Moves, PathDatabase, Planner};
use blockstar_reports::table;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// A compressed path database: the first move of an optimal path for every pair of cells
///
/// It takes a flood of the map for each free cell, on all cores: seconds for 25,000 cells, minutes
/// for 100,000. The memory it needs is printed first.
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

    /// The MiB that the database may take; a map that needs more is refused
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
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
        let estimate = PathDatabase::estimate(&grid, moves)?;
        eprintln!("about {} in memory", table::bytes(estimate));
        let bar = progress::bar(0, "cells");
        let clock = Instant::now();
        let report = |done: usize, of: usize| bar.set(done as u64, of as u64);
        let database = PathDatabase::build(&grid, moves, (self.memory as usize) << 20, &report)?;
        let seconds = clock.elapsed().as_secs_f64();
        bar.clear();
        let bytes = database.save();
        output::write_file(&self.output, &bytes)?;
        let facts = vec![
            ("file", json!(self.output.to_string_lossy())),
            ("moves", json!(moves.rule().name())),
            ("diagonal", json!(moves.diagonal().length())),
            ("cells", json!(grid.free_cells())),
            ("runs", json!(database.runs())),
            ("estimated", json!(estimate)),
            ("memory", json!(database.memory_usage().total())),
            ("bytes", json!(bytes.len())),
            ("seconds", json!(seconds)),
        ];
        info::print(facts, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}
