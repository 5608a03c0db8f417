//! `blockstar reproduce`: the experiments of a published paper, run again.
//!
//! Each subject is a folder of its own; what they share is here: [`race`] measures planners side by
//! side, [`page`] writes a page that needs nothing but a browser, [`chart`] and [`board`] draw on it.

mod astar_mod;
mod block_astar;
mod board;
mod chart;
mod dba;
mod page;
mod race;

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
