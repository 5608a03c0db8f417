//! `blockstar reproduce`: the experiments of a published paper, run again.
//!
//! Each subject is a folder of its own; what they share is here: [`race`] measures planners side by
//! side, [`claim`] is what a paper says and what was found, [`page`] writes a page that needs nothing but a
//! browser, [`chart`] and [`board`] draw on it.

mod astar_mod;
mod axis;
mod block_astar;
mod board;
mod chart;
mod claim;
mod dba;
mod page;
mod race;

use crate::output::{print, write_file};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the experiments of a paper again and writes a report
///
/// The report is a folder with a page for people, index.html, and all numbers, report.json.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(clap::Subcommand)]
enum Subject {
    AstarMod(astar_mod::Arguments),
    BlockAstar(block_astar::Arguments),
    Dba(dba::Arguments),
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> crate::Outcome {
        match self.subject {
            Subject::AstarMod(arguments) => arguments.run(),
            Subject::BlockAstar(arguments) => arguments.run(),
            Subject::Dba(arguments) => arguments.run(),
        }
    }
}

/// The folder of maps that the user names, or that the environment does; `wanted` is what it should
/// have.
fn maps_folder(named: Option<&Path>, wanted: &str) -> Result<Option<PathBuf>, String> {
    let (folder, by) = match named {
        Some(folder) => (folder.to_path_buf(), "--maps"),
        None => match std::env::var_os("BLOCKSTAR_MAPS").filter(|value| !value.is_empty()) {
            Some(folder) => (folder.into(), "BLOCKSTAR_MAPS"),
            None => return Ok(None),
        },
    };
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    Err(format!(
        "{by} names {}, which is no folder: name the one that has {wanted}",
        folder.display()
    ))
}

/// Makes the folder of a report: before the work, not after it.
fn make_folder(output: &Path) -> Result<(), String> {
    std::fs::create_dir_all(output)
        .map_err(|error| format!("{} cannot be made: {error}", output.display()))
}

/// Writes a report and its page into the folder, and prints the numbers: all of them as JSON, or a
/// summary that is told where the page is.
fn publish<R: Serialize>(
    (output, as_json): (&Path, bool),
    report: &R,
    page: &str,
    summary: impl FnOnce(&R, &Path) -> String,
) -> crate::Outcome {
    let json = serde_json::to_string_pretty(report)? + "\n";
    let index = output.join("index.html");
    write_file(&output.join("report.json"), json.as_bytes())?;
    write_file(&index, page.as_bytes())?;
    print(&if as_json { json } else { summary(report, &index) })?;
    Ok(ExitCode::SUCCESS)
}
