//! The comparison with other crates: `cargo run --release -p blockstar-bench -- MAPS…`
//!
//! The same queries go through blockstar and through the crates that a user would pick today, query
//! by query in one thread; each answer is proven. See the modules of the library for how.

use blockstar::{Moves, Rule};
use blockstar_bench::contender::Entry;
use blockstar_bench::maps::{self, Map, Problem};
use blockstar_bench::{measure, own, peers, report};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Compares blockstar with other crates on the same queries.
#[derive(Debug, Parser)]
#[command(name = "blockstar-bench")]
struct Arguments {
    /// MovingAI maps (with NAME.map.scen beside NAME.map) or folders of them; without any, ten
    /// maps of the folder `dao` in BLOCKSTAR_MAPS, or generated maps if that is not set
    maps: Vec<PathBuf>,

    /// Take only the ten maps of the DBA* paper from each folder
    #[arg(long)]
    ten: bool,

    /// At most this many queries of each map, evenly spread
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Rounds over all queries; the interval of the ratios needs 6
    #[arg(long, value_name = "R", default_value_t = 9)]
    repeat: usize,

    /// The movement rules
    #[arg(long, value_enum, default_value_t = Rules::Both)]
    moves: Rules,

    /// Only these entries (and astar, by which they are measured, and under any-angle anya, whose
    /// lengths are the shortest): `grid_pathfinding` or `grid_pathfinding:plain`
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// The planners of blockstar that take part, by their names in its registry, each under the
    /// rules that it knows; without any, astar, jps, block-astar and, under eight, subgoal; under any-angle astar, anya,
    /// block-astar, theta-star, lazy-theta-star, field-d-star and visibility-graph
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,

    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Movement rules by which crates can be compared.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rules {
    /// Eight neighbours, corners are not cut
    Eight,
    /// Eight neighbours, all corners may be cut: what some peers always do
    EightCutAny,
    /// Straight lines between corners of cells, not through double corners
    AnyAngle,
    /// The two rules of eight neighbours, one after the other
    #[value(alias = "any")]
    Both,
    /// All three, one after the other
    All,
}

impl Rules {
    fn list(self) -> &'static [Moves] {
        match self {
            Self::Eight => &[Moves::EIGHT],
            Self::EightCutAny => &[Moves::EIGHT_CUT_ANY],
            Self::AnyAngle => &[Moves::ANY_ANGLE],
            Self::Both => &[Moves::EIGHT, Moves::EIGHT_CUT_ANY],
            Self::All => &[Moves::EIGHT, Moves::EIGHT_CUT_ANY, Moves::ANY_ANGLE],
        }
    }
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    // Names are checked before any map is read.
    check_names(arguments)?;
    let files = maps::files(&arguments.maps, arguments.ten)?;
    let mut runs = Vec::new();
    let mut take = |map: &Map| -> Result<(), Problem> {
        if map.tasks.is_empty() {
            eprintln!("{} {} has no queries with a path: left out", map.set, map.name);
            return Ok(());
        }
        // One rule after the other, so that only one set of prepared data is in memory.
        for &moves in arguments.moves.list() {
            eprintln!("{} {}, {} queries, {moves}", map.set, map.name, map.tasks.len());
            let entries = entries(arguments, moves.rule())?;
            runs.extend(measure::measure(map, moves, &entries, arguments.repeat)?);
        }
        Ok(())
    };
    if files.is_empty() {
        eprintln!("No maps were named and BLOCKSTAR_MAPS is not set: using generated maps.");
        for map in maps::generated(arguments.limit)? {
            take(&map)?;
        }
    }
    for file in files {
        take(&maps::read(&file, arguments.limit)?)?;
    }
    let rows = report::rows(&runs);
    if rows.is_empty() {
        return Err(Problem("none of the maps has queries with a path".into()));
    }
    if arguments.json {
        println!("{}", serde_json::json!({ "results": rows }));
    } else {
        print!("{}", report::table(&rows));
    }
    Ok(())
}

/// Refuses names that match no entry under any of the rules.
fn check_names(arguments: &Arguments) -> Result<(), Problem> {
    let mut known: Vec<Entry<'_>> = Vec::new();
    for moves in arguments.moves.list() {
        for entry in everybody(arguments, moves.rule())? {
            if !known.iter().any(|other| other.name == entry.name) {
                known.push(entry);
            }
        }
    }
    match arguments.only.iter().find(|name| !known.iter().any(|entry| entry.is_named(name))) {
        None => Ok(()),
        Some(strange) => {
            let known: Vec<_> = known.iter().map(|entry| &*entry.name).collect();
            Err(Problem(format!(
                "there is no entry `{strange}`; the entries are {}",
                known.join(", ")
            )))
        }
    }
}

/// The entries under a rule, the reference first.
fn entries<'a>(arguments: &Arguments, rule: Rule) -> Result<Vec<Entry<'a>>, Problem> {
    let mut all = everybody(arguments, rule)?;
    if !arguments.only.is_empty() {
        all.retain(|entry| {
            [own::REFERENCE, own::shortest(rule)].contains(&&*entry.name)
                || arguments.only.iter().any(|name| entry.is_named(name))
        });
    }
    Ok(all)
}

/// All possible entries under a rule: the reference, the planner of the shortest paths, the planners
/// that were named or else the usual ones, and the peers.
fn everybody<'a>(arguments: &Arguments, rule: Rule) -> Result<Vec<Entry<'a>>, Problem> {
    let usual = || own::usual(rule).iter().copied();
    let named = || arguments.planner.iter().map(String::as_str);
    let mut names = vec![own::REFERENCE, own::shortest(rule)];
    if arguments.planner.is_empty() {
        names.extend(usual());
    } else {
        names.extend(named());
    }
    let mut all: Vec<Entry<'a>> = Vec::new();
    for name in names {
        if !all.iter().any(|entry| entry.name == name) {
            all.push(own::planner(name)?);
        }
    }
    all.extend(peers::all());
    Ok(all)
}
