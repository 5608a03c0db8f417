//! A fixed set of queries for one planner, without a clock, for counting instructions.
//!
//! Times on a busy machine vary by several per cent; counts of instructions hardly do. Build it,
//! then let valgrind count inside the one function that answers the queries, so that reading the
//! map and preparing for it are not in the figure:
//!
//! ```text
//! cargo build --release -p blockstar-bench --bin instructions
//! valgrind --tool=callgrind --toggle-collect='*answer_all*' \
//!     target/release/instructions MAP --planner astar --limit 50
//! ```
//!
//! The program prints the expansions; valgrind prints `Collected : N`, the instructions. Divide the
//! two. `callgrind_annotate callgrind.out.PID` shows which functions they belong to.

use blockstar::{Algorithm, Error, Grid, Moves, Planner, Query, Scratch};
use blockstar_bench::maps::{self, Problem};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Answers queries with one planner and prints how many expansions that took.
#[derive(Debug, Parser)]
struct Arguments {
    /// A MovingAI map with NAME.map.scen beside NAME.map
    map: PathBuf,

    /// The planner, by its name in the registry
    #[arg(long, value_name = "NAME", default_value = "astar")]
    planner: String,

    /// The movement rule
    #[arg(long, value_name = "RULE", default_value = "eight")]
    moves: Moves,

    /// At most this many queries, evenly spread
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    let choice = Algorithm::named(&arguments.planner)?;
    let map = maps::read(&arguments.map, Some(arguments.limit))?;
    let planner = choice.prepare(&map.grid, arguments.moves)?;
    let queries: Vec<_> = map.tasks.iter().map(|task| Query::new(task.start, task.goal)).collect();
    let mut scratch = Scratch::new();
    // A first round grows the scratch memory, which should not be counted.
    for query in &queries {
        planner.find(&map.grid, query, &mut scratch)?;
    }
    let (expanded, cost) = answer_all(&*planner, &map.grid, &queries, &mut scratch)?;
    println!(
        "{choice} on {}, {}: {} queries, {expanded} expansions, total cost {cost:.3}",
        map.name,
        arguments.moves,
        queries.len()
    );
    Ok(())
}

/// What is counted: a separate function, so that valgrind can find it by name.
#[inline(never)]
fn answer_all(
    planner: &dyn Planner,
    grid: &Grid,
    queries: &[Query],
    scratch: &mut Scratch,
) -> Result<(u64, f64), Error> {
    let (mut expanded, mut cost) = (0, 0.0);
    for query in queries {
        planner.find(grid, query, scratch)?;
        expanded += scratch.stats().expanded;
        cost += scratch.path().cost();
    }
    Ok((expanded, cost))
}
