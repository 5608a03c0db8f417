//! The command line of blockstar.
//!
//! It is a library with one function, so that it is compiled beside the libraries it uses: a program
//! has to wait until they are all finished. One file per command in `command/`. Exit codes: 0 found (or done), 1 no path, 2 error, 130
//! interrupted by Ctrl-C.

mod argument;
mod command;
mod database_file;
mod height_file;
mod interrupt;
mod losses;
mod map_facts;
mod map_file;
mod map_writer;
mod obj_file;
mod output;
mod progress;
mod question;
mod scenario;
mod slope_options;

use clap::Parser;
use serde_json::json;
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
    Explore(command::explore::Arguments),
    Generate(command::generate::Arguments),
    Info(command::info::Arguments),
    Planners(command::planners::Arguments),
    Render(command::render::Arguments),
    Reproduce(command::reproduce::Arguments),
    Route(command::route::Arguments),
    Simulate(command::simulate::Arguments),
    Verify(command::verify::Arguments),
}

/// The result of a command: its exit code, or a message about what went wrong.
type Outcome = Result<ExitCode, Box<dyn std::error::Error>>;

/// Runs the command that the arguments of this process name.
pub fn main() -> ExitCode {
    // Checked before the arguments are parsed, because they may be wrong.
    let json = std::env::args_os().any(|argument| argument == "--json");
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if json && error.use_stderr() => return complain(json, &bare(&error)),
        Err(error) => error.exit(),
    };
    let outcome = match arguments.command {
        Command::Bench(arguments) => arguments.run(),
        Command::Build(arguments) => arguments.run(),
        Command::Convert(arguments) => arguments.run(),
        Command::Explore(arguments) => arguments.run(),
        Command::Generate(arguments) => arguments.run(),
        Command::Info(arguments) => arguments.run(),
        Command::Planners(arguments) => arguments.run(),
        Command::Render(arguments) => arguments.run(),
        Command::Reproduce(arguments) => arguments.run(),
        Command::Route(arguments) => arguments.run(),
        Command::Simulate(arguments) => arguments.run(),
        Command::Verify(arguments) => arguments.run(),
    };
    outcome.unwrap_or_else(|error| complain(json, &error.to_string()))
}

/// Reports an error, as JSON to a program that asked for JSON.
fn complain(json: bool, error: &str) -> ExitCode {
    const EXIT_CODE: u8 = 2;
    let object = json!({ "error": error, "exit_code": EXIT_CODE });
    // If standard output cannot be written, the message may still reach someone.
    if !json || output::print_json(&object).is_err() {
        eprintln!("blockstar: {error}");
    }
    ExitCode::from(EXIT_CODE)
}

/// What is wrong with the arguments, without the usage that clap adds.
fn bare(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text.split("\n\nFor more information").next().unwrap_or_default();
    text.trim().trim_start_matches("error: ").into()
}
