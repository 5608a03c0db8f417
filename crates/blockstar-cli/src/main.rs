//! The command line of blockstar.
//!
//! One file per command in `command/`. Exit codes: 0 found (or done), 1 no path, 2 error.

mod argument;
mod command;
mod database_file;
mod height_file;
mod losses;
mod map_file;
mod obj_file;
mod output;
mod progress;
mod question;
mod scenario;
mod slope_options;

use clap::Parser;
use std::process::ExitCode;

/// Grid path planning for maps that change.
#[derive(Parser)]
#[command(name = "blockstar", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Bench(command::bench::Arguments),
    Build(command::build::Arguments),
    Convert(command::convert::Arguments),
    Generate(command::generate::Arguments),
    Info(command::info::Arguments),
    Planners(command::planners::Arguments),
    Render(command::render::Arguments),
    Reproduce(command::reproduce::Arguments),
    Route(command::route::Arguments),
    Verify(command::verify::Arguments),
}

/// What a command answers: its exit code, or a sentence about what went wrong.
type Outcome = Result<ExitCode, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(arguments) => arguments.run(),
        Command::Build(arguments) => arguments.run(),
        Command::Convert(arguments) => arguments.run(),
        Command::Generate(arguments) => arguments.run(),
        Command::Info(arguments) => arguments.run(),
        Command::Planners(arguments) => arguments.run(),
        Command::Render(arguments) => arguments.run(),
        Command::Reproduce(arguments) => arguments.run(),
        Command::Route(arguments) => arguments.run(),
        Command::Verify(arguments) => arguments.run(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("blockstar: {error}");
        ExitCode::from(2)
    })
}
