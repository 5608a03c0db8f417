//! `blockstar planners`: the registry as a table or as JSON.

use crate::{Outcome, output};
use blockstar::{Algorithm, Promise};
use blockstar_reports::table::Table;
use serde_json::json;
use std::fmt::Write;
use std::process::ExitCode;

/// List every planner with its promise and its parameters
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON for machines instead of a table
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        if self.json {
            let planners: Vec<_> = Algorithm::all().iter().map(as_json).collect();
            output::print_json(&json!({ "planners": planners }))?;
        } else {
            output::print(&table())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn as_json(algorithm: &Algorithm) -> serde_json::Value {
    let moves: Vec<_> = algorithm.rules.iter().map(|rule| rule.name()).collect();
    let parameters: Vec<_> = algorithm
        .parameters
        .iter()
        .map(|p| {
            json!({
                "name": p.name,
                "values": p.values,
                "default": p.default,
                "meaning": p.meaning,
            })
        })
        .collect();
    let any_angle = algorithm.rules.iter().find(|rule| rule.is_any_angle());
    let any_angle_promise = any_angle.map(|&rule| promise(algorithm.promise_under(rule)));
    json!({
        "name": algorithm.name,
        "summary": algorithm.summary,
        "source": algorithm.source,
        "promise": promise(algorithm.promise),
        "any_angle_promise": any_angle_promise,
        "moves": moves,
        "terrain": algorithm.terrain,
        "heights": algorithm.heights,
        "free_points": algorithm.free_points,
        "lattice": algorithm.lattice,
        "blocks": algorithm.blocks,
        "parameters": parameters,
    })
}

fn promise(promise: Promise) -> String {
    match promise {
        Promise::Within(factor) => format!("within {}", (factor * 1000.0).round() / 1000.0),
        promise => promise.to_string(),
    }
}

/// A table of what can be compared, and below it the text.
fn table() -> String {
    let yes = |answer: bool| if answer { "yes" } else { "-" };
    let mut table =
        Table::new(["name", "promise", "terrain", "heights", "points", "moves"]).of_words();
    for algorithm in Algorithm::all() {
        table.push(vec![
            algorithm.name.into(),
            promise(algorithm.promise),
            yes(algorithm.terrain).into(),
            yes(algorithm.heights).into(),
            yes(algorithm.free_points).into(),
            rules(algorithm),
        ]);
    }
    let mut text = output::Screen::of_stdout().fold(&table);
    let names = |of: fn(&&Algorithm) -> bool| {
        Algorithm::all().iter().filter(of).map(|a| a.name).collect::<Vec<_>>().join(", ")
    };
    text.push_str("\npoints: start and goal may be any points under the any-angle rules\n");
    text.push_str(&format!(
        "{}: under the any-angle rules they step between the corners of cells, and keep\n\
         their promise among such paths only\n\
         {}: under the any-angle rules its paths are straight only from one block boundary to\n\
         the next before they are smoothed; it is complete then, and optimal under the cell rules\n",
        names(|a| a.lattice),
        names(|a| a.blocks)
    ));
    for algorithm in Algorithm::all() {
        let _ = write!(text, "\n{}\n  {}\n", algorithm.name, algorithm.summary);
        let _ = writeln!(text, "  {}", algorithm.source);
        for p in algorithm.parameters {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {}:{}={}  {} (default {})",
                algorithm.name, p.name, p.values, p.meaning, p.default
            );
        }
    }
    text
}

/// The movement rules in short.
fn rules(algorithm: &Algorithm) -> String {
    use blockstar::Rule;
    if Rule::ALL.iter().all(|rule| algorithm.supports(*rule)) {
        return "all".into();
    }
    let names: Vec<_> = algorithm.rules.iter().map(|rule| rule.name()).collect();
    names.join(" ")
}
