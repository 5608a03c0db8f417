//! blockstar measured against the crates that a user would pick today.
//!
//! - [`maps`] finds maps and their queries: MovingAI files, or generated ones.
//! - [`contender`] is what takes part: a name, the movement rules it supports, and how to make it
//!   for a map. blockstar's own planners are in [`own`], each other crate in a file of [`peers`].
//! - [`measure`] asks all of them the same queries in turn, in one thread, and proves each answer.
//! - [`report`] turns the results into tables and JSON.
//!
//! A new peer is one file in `peers/` and one line in [`peers::all`].
#![forbid(unsafe_code)]

pub mod contender;
pub mod maps;
pub mod measure;
pub mod own;
#[cfg(feature = "peers")]
pub mod peers;
pub mod report;

use maps::Problem;
use std::process::ExitCode;

/// How a program ends: a problem is printed to standard error.
pub fn exit(outcome: Result<(), Problem>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Problem(problem)) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
