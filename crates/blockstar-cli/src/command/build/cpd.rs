//! `blockstar build cpd`: the compressed path database of a map, as a file.

use super::Job;
use crate::command::info;
use crate::{Outcome, output, progress};
use blockstar::{PathDatabase, Planner};
use blockstar_reports::table;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// A compressed path database: the first move of an optimal path for every pair of cells
///
/// It floods the map from each free cell, on all cores: seconds for 25,000 cells, minutes for
/// 100,000. The memory it needs is printed first.
#[derive(clap::Args)]
pub struct Arguments {
    /// The largest database in MiB; a map that needs more is refused
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u32,

    #[command(flatten)]
    job: Job,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        let (grid, moves) = (self.job.grid()?, self.job.moves());
        let estimate = PathDatabase::estimate(&grid, moves)?;
        eprintln!("about {} in memory", table::bytes(estimate));
        let bar = Arc::new(progress::bar(0, "cells"));
        let clock = Instant::now();
        let reported = Arc::clone(&bar);
        let report = move |done: usize, of: usize| reported.set(done as u64, of as u64);
        let settings = PathDatabase::builder().memory(self.memory).on_progress(report);
        let database = settings.build(&grid, moves)?;
        let seconds = clock.elapsed().as_secs_f64();
        bar.clear();
        let bytes = database.save().unwrap_or_default();
        output::write_file(&self.job.output, &bytes)?;
        let facts = vec![
            ("file", json!(self.job.output.to_string_lossy())),
            ("moves", json!(moves.rule().name())),
            ("diagonal", json!(moves.diagonal().length())),
            ("cells", json!(grid.free_cells())),
            ("runs", json!(database.runs())),
            ("estimated", json!(estimate)),
            ("memory", json!(database.memory_usage().total())),
            ("bytes", json!(bytes.len())),
            ("seconds", json!(seconds)),
        ];
        info::print(facts, self.job.json)?;
        Ok(ExitCode::SUCCESS)
    }
}
