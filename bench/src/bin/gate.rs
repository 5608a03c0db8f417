//! Holds the hot loops to their recorded instruction counts.
//!
//! ```text
//! cargo build --release -p blockstar-bench --no-default-features --bins
//! target/release/gate            # compares with bench/instructions.json
//! target/release/gate --record   # writes it
//! ```
//!
//! Each case is a run of `instructions` under valgrind, on a map that is generated, so that it is
//! the same everywhere. Counts do not depend on how busy the machine is, but on the compiler and on
//! the vectors that the processor has (valgrind emulates the processor it runs on); both are
//! recorded, and if they differ, nothing is compared. Code that moves between codegen units changes
//! counts by a per cent or two, so a case fails beyond [`TOLERANCE`].

use blockstar_bench::maps::Problem;
use clap::Parser;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// By how much a count may exceed the recorded one.
const TOLERANCE: f64 = 0.03;

/// What is counted: planner, movement rule, map, queries, and whether edits are counted instead.
const CASES: &[Case] = &[
    Case::new("astar", "eight", "caves", 20),
    Case::new("jps", "eight", "caves", 200),
    Case::new("jps", "eight-cut-any", "random", 200),
    Case::new("rea-star", "eight", "rooms", 40),
    Case::new("bidirectional-astar", "eight", "rooms", 20),
    Case::new("block-astar", "eight", "caves", 100),
    Case::new("block-astar", "any-angle", "caves", 100),
    Case::new("block-astar", "any-angle", "random", 40),
    Case::new("anya", "any-angle", "caves", 40),
    Case::new("theta-star", "any-angle", "caves", 10),
    Case::new("visibility-graph", "any-angle", "rooms", 40),
    Case::new("dba-star", "eight", "caves", 200),
    Case::new("pra-star", "eight", "rooms", 100),
    Case::new("subgoal", "eight", "caves", 200),
    Case { edits: true, ..Case::new("visibility-graph", "any-angle", "caves", 40) },
    Case { edits: true, ..Case::new("subgoal", "eight", "caves", 200) },
    Case { edits: true, ..Case::new("block-astar", "eight", "caves", 100) },
    Case { edits: true, ..Case::new("dba-star", "eight", "rooms", 50) },
    Case { edits: true, ..Case::new("jps", "eight", "random", 400) },
];

struct Case {
    planner: &'static str,
    moves: &'static str,
    map: &'static str,
    queries: u32,
    edits: bool,
}

impl Case {
    const fn new(
        planner: &'static str,
        moves: &'static str,
        map: &'static str,
        queries: u32,
    ) -> Self {
        Self { planner, moves, map, queries, edits: false }
    }

    fn name(&self) -> String {
        let Self { planner, moves, map, queries, edits } = self;
        let what = if *edits { "edits" } else { "queries" };
        format!("{planner}, {moves}: {queries} {what} on {map}")
    }

    /// Runs the case under valgrind.
    fn count(&self, instructions: &Path) -> Result<u64, Problem> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--toggle-collect=*answer_all*"]);
        command.arg("--callgrind-out-file=/dev/null").arg(instructions);
        command.args(["--planner", self.planner, "--moves", self.moves]);
        command.args(["--generated", self.map, "--limit", &self.queries.to_string()]);
        if self.edits {
            command.arg("--edits");
        }
        let output = command.output().map_err(|error| Problem(format!("valgrind: {error}")))?;
        let text = String::from_utf8_lossy(&output.stderr);
        let collected = text.lines().find_map(|line| line.split_once("Collected : "));
        match collected.and_then(|(_, count)| count.trim().parse().ok()).filter(|&n: &u64| n > 0) {
            Some(count) if output.status.success() => Ok(count),
            _ => Err(Problem(format!("{}: valgrind counted nothing:\n{text}", self.name()))),
        }
    }
}

/// The recorded counts, and what they depend on.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
struct Counts {
    /// The compiler's version and its target.
    compiler: String,
    /// The vectors of the processor.
    vectors: String,
    instructions: BTreeMap<String, u64>,
}

/// Counts the instructions of the hot loops and fails if they take 3 % more than recorded.
#[derive(Debug, Parser)]
struct Arguments {
    /// Writes the counts down instead of comparing them
    #[arg(long)]
    record: bool,

    /// Where they are written down
    #[arg(long, value_name = "FILE", default_value = "bench/instructions.json")]
    file: PathBuf,
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    let file = &arguments.file;
    let fault = |error: &dyn std::fmt::Display| Problem(format!("{}: {error}", file.display()));
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: no instructions are counted");
        return Ok(());
    }
    let here = Counts { compiler: compiler()?, vectors: vectors(), ..Counts::default() };
    let known = if arguments.record {
        Counts::default()
    } else {
        let text = std::fs::read(file).map_err(|error| fault(&error))?;
        let known: Counts = serde_json::from_slice(&text).map_err(|error| fault(&error))?;
        if let Some(difference) = difference(&known, &here) {
            println!("{difference}: nothing to compare");
            return Ok(());
        }
        known
    };
    let now = Counts { instructions: count_all()?, ..here };
    if arguments.record {
        let text = serde_json::to_string_pretty(&now).map_err(|error| fault(&error))?;
        return std::fs::write(file, text + "\n").map_err(|error| fault(&error));
    }
    let complaints = compare(&known.instructions, &now.instructions);
    if complaints.is_empty() {
        return Ok(());
    }
    Err(Problem(format!(
        "{}\nIf that is the price of something that is worth it, say so in the change and record the \
         counts: target/release/gate --record",
        complaints.join("\n")
    )))
}

/// All counts, by the name of the case.
fn count_all() -> Result<BTreeMap<String, u64>, Problem> {
    let own = std::env::current_exe().map_err(|error| Problem(error.to_string()))?;
    let instructions = own.with_file_name("instructions");
    let mut counts = BTreeMap::new();
    for case in CASES {
        let count = case.count(&instructions)?;
        println!("{count:>12}  {}", case.name());
        counts.insert(case.name(), count);
    }
    Ok(counts)
}

/// A message for each case that takes more than it may, or that only one of the two lists has.
fn compare(known: &BTreeMap<String, u64>, now: &BTreeMap<String, u64>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, &count) in now {
        let Some(&before) = known.get(name) else {
            complaints.push(format!("{name}: {count} instructions, and none are recorded"));
            continue;
        };
        let (now, then) = (count as f64, before as f64);
        let change = now / then - 1.0;
        if now > then * (1.0 + TOLERANCE) {
            complaints.push(format!(
                "{name}: {count} instructions, {:.1} % more than the recorded {before}",
                change * 100.0
            ));
        } else if now < then * (1.0 - TOLERANCE) {
            println!(
                "{name}: {:.1} % fewer instructions than recorded; keep that by `gate --record`",
                -change * 100.0
            );
        }
    }
    let gone = known.keys().filter(|name| !now.contains_key(*name));
    complaints.extend(gone.map(|name| format!("{name}: recorded, but no longer counted")));
    complaints
}

/// Why counts cannot be compared.
fn difference(known: &Counts, here: &Counts) -> Option<String> {
    let differ = |what: &str, known: &str, here: &str| {
        (known != here).then(|| {
            format!("the instructions were counted with {what} {known}, and here is {here}")
        })
    };
    differ("the compiler", &known.compiler, &here.compiler)
        .or_else(|| differ("the vectors", &known.vectors, &here.vectors))
}

/// The compiler's version and target.
fn compiler() -> Result<String, Problem> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output();
    let output = output.map_err(|error| Problem(format!("rustc -vV: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    Ok(format!("{} for {host}", text.lines().next().unwrap_or_default()))
}

/// The vectors of this processor that the library knows how to use.
fn vectors() -> String {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        return "256 bits".into();
    }
    "128 bits".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(list: &[(&str, u64)]) -> BTreeMap<String, u64> {
        list.iter().map(|(name, count)| (name.to_string(), *count)).collect()
    }

    #[test]
    fn a_loop_that_takes_more_than_3_percent_more_is_named_with_both_counts() {
        let known = counts(&[("a", 1000), ("b", 1000), ("c", 1000), ("gone", 5)]);
        let now = counts(&[("a", 1030), ("b", 1031), ("c", 500), ("new", 7)]);
        let complaints = compare(&known, &now);
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert_eq!(complaints[0], "b: 1031 instructions, 3.1 % more than the recorded 1000");
        assert!(complaints[1].contains("new: 7") && complaints[2].starts_with("gone"));
        assert!(compare(&known, &known).is_empty());
    }

    #[test]
    fn counts_of_another_compiler_or_processor_are_not_compared() {
        let known =
            Counts { compiler: "x".into(), vectors: "128 bits".into(), ..Counts::default() };
        assert_eq!(difference(&known, &known), None);
        let other = Counts { compiler: "y".into(), ..Counts::default() };
        assert!(difference(&known, &other).unwrap().contains("the compiler x, and here is y"));
        let other = Counts { compiler: "x".into(), vectors: "256 bits".into(), ..known };
        let known =
            Counts { compiler: "x".into(), vectors: "128 bits".into(), ..Counts::default() };
        assert!(difference(&known, &other).unwrap().contains("128 bits, and here is 256 bits"));
    }
}
