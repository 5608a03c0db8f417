//! `blockstar build dba` and `blockstar build planner`: a planner's prepared data for a map, as a
//! file.

use super::Job;
use crate::command::info;
use crate::{Outcome, argument, output, progress};
use blockstar::Planner;
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// A DBA* database: regions, the paths between neighbouring ones, and where to go next
#[derive(clap::Args)]
pub struct Arguments {
    /// The cells along the side of a sector, 4 to 256, or width and height as in 16x12
    #[arg(long, value_name = "N", default_value = "16")]
    sector: String,

    /// The number of regions a path may span
    #[arg(long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    depth: u32,

    #[command(flatten)]
    job: Job,
}

/// The prepared data of any planner that can save it
#[derive(clap::Args)]
pub struct PlannerArguments {
    /// The planner, with parameters as in dba-star:sector=32:depth=3; `blockstar planners` lists
    /// them
    planner: String,

    #[command(flatten)]
    job: Job,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        let planner = format!("dba-star:sector={}:depth={}", self.sector, self.depth);
        build(&self.job, &planner)
    }
}

impl PlannerArguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        build(&self.job, &self.planner)
    }
}

fn build(job: &Job, planner: &str) -> Outcome {
    let spec = argument::planner(planner)?;
    let (grid, moves) = (job.grid()?, job.moves());
    let clock = Instant::now();
    let spinner = progress::spinner(format!("preparing {spec}"));
    let planner = spec.prepare(&grid, moves);
    spinner.clear();
    let planner = planner?;
    let seconds = clock.elapsed().as_secs_f64();
    let Some(bytes) = planner.save() else {
        return Err(format!(
            "{} prepares nothing that can be saved: it needs no file",
            spec.name()
        )
        .into());
    };
    output::write_file(&job.output, &bytes)?;
    let mut facts = vec![
        ("file", json!(job.output.to_string_lossy())),
        ("planner", json!(spec.to_string())),
        ("moves", json!(moves.rule().name())),
        ("diagonal", json!(moves.diagonal().length())),
    ];
    let memory = planner.memory_usage();
    let parts = memory.parts().iter();
    facts.extend(parts.map(|&(part, bytes)| (part, json!(bytes))));
    facts.push(("bytes", json!(bytes.len())));
    facts.push(("seconds", json!(seconds)));
    info::print(facts, job.json)?;
    Ok(ExitCode::SUCCESS)
}
