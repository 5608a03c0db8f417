//! `blockstar bench`.

use crate::Outcome;
use std::process::ExitCode;

/// Not written yet.
#[derive(clap::Args)]
pub struct Arguments {}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        Ok(ExitCode::SUCCESS)
    }
}
