//! `blockstar info`: what a map or a file of prepared data contains.

use crate::map_file::{self, MapOptions, is_stdin};
use crate::{Outcome, database_file, map_facts, output};
use blockstar::{Database, DatabaseKind, Lddb};
use blockstar_draw::thousands;
use blockstar_reports::table;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what is in a map, or in a file that was prepared by this library
///
/// For a map: its size, the free cells, how many parts straight steps leave unconnected and how
/// many cells the largest has, and the ranges of costs and heights, if it has any.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file; `-` is a map on standard input
    file: PathBuf,

    /// Print JSON for machines
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: MapOptions,
}

/// The facts about a file, in order.
type Facts = Vec<(&'static str, Value)>;

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        if is_stdin(&self.file) {
            print(map_facts::of(&map_file::load(&self.file, &self.options)?), self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let bytes = database_file::bytes(&self.file)?;
        if !database_file::is_likely(bytes.as_ref()) {
            let map = map_file::decode(&self.file, bytes.as_ref(), &self.options)
                .map_err(|error| format!("{error}; and it is not a file of this library"))?;
            print(map_facts::of(&map), self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let database = Database::inspect(bytes.as_ref())
            .map_err(|error| format!("{}: {error}", self.file.display()))?;
        let mut facts = vec![
            ("file", json!(self.file.to_string_lossy())),
            ("holds", json!(database.kind().name())),
            ("format", json!(database.format())),
        ];
        if database.kind() == DatabaseKind::Lddb {
            facts.extend(lddb(&database_file::lddb(&self.file)?));
        } else {
            facts.push(("moves", json!(database.moves().rule().name())));
            if let Some(maker) = database.maker() {
                facts.push(("planner", json!(maker)));
            }
            facts.push(("bytes", json!(database.bytes())));
        }
        let map = database.map().map(|hash| format!("{hash:016x}"));
        facts.push(("map", map.map_or_else(|| json!("any"), Value::from)));
        print(facts, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The facts about a local distance database.
pub fn lddb(lddb: &Lddb) -> Facts {
    vec![
        ("kind", json!(lddb.kind())),
        ("moves", json!(lddb.moves().rule().name())),
        ("diagonal", json!(lddb.moves().diagonal().length())),
        ("block", json!(lddb.block())),
        ("complete", json!(lddb.is_complete())),
        ("patterns", json!(lddb.len())),
        ("distinct", json!(lddb.distinct())),
        ("entries", json!(lddb.entries())),
        ("costs", json!(lddb.costs())),
        ("bytes", json!(lddb.as_bytes().len())),
    ]
}

/// Prints facts as a table or as JSON.
pub fn print(facts: Facts, as_json: bool) -> Result<(), Box<dyn Error>> {
    if as_json {
        let (notes, facts): (Facts, Facts) = facts.into_iter().partition(|fact| fact.0 == "note");
        let mut object: Map<String, Value> =
            facts.into_iter().map(|(name, value)| (name.into(), value)).collect();
        if !notes.is_empty() {
            object.insert("notes".into(), notes.into_iter().map(|note| note.1).collect());
        }
        return output::print_json(&object.into());
    }
    let mut text = String::new();
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(9);
    for (name, value) in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<width$} {}", name.replace('_', " "), in_words(name, &value));
    }
    output::print(&text)
}

/// A fact as a person reads it.
fn in_words(name: &str, value: &Value) -> String {
    match (name, value) {
        ("block", Value::Number(side)) => format!("{side} x {side} cells"),
        ("complete", Value::Bool(true)) => "yes: every content without terrain".into(),
        ("complete", _) => "no: the contents of some maps".into(),
        ("distinct", Value::Number(count)) => {
            format!("{} up to rotation and reflection", grouped(count))
        }
        ("entries", Value::Number(count)) => {
            format!("{} distances from point to point", grouped(count))
        }
        ("costs", Value::Null) => "too many to count".into(),
        ("costs", Value::Number(count)) => format!("{} different ones", grouped(count)),
        (
            "bytes" | "estimated" | "memory" | "connectivity" | "regions" | "paths" | "matrix",
            Value::Number(count),
        ) => {
            let size = table::bytes(count.as_u64().unwrap_or(0) as usize);
            format!("{} ({size})", grouped(count))
        }
        ("seconds", Value::Number(seconds)) => {
            format!("{:.3}", seconds.as_f64().unwrap_or_default())
        }
        ("free_share", Value::Number(share)) => {
            format!("{:.1} %", 100.0 * share.as_f64().unwrap_or_default())
        }
        ("heights" | "costs", Value::Array(ends)) => {
            let ends: Vec<String> = ends.iter().map(ToString::to_string).collect();
            format!("{}{}", ends.join(" to "), if name == "heights" { " m" } else { "" })
        }
        ("cell_size" | "resolution", value) => format!("{value} m"),
        ("format", Value::Number(version)) => version.to_string(),
        ("diagonal", value) => value.to_string(),
        (_, Value::Number(count)) => grouped(count),
        (_, Value::String(text)) => text.clone(),
        (_, value) => value.to_string(),
    }
}

fn grouped(count: &serde_json::Number) -> String {
    thousands(count.as_u64().unwrap_or(0) as f64)
}
