//! A fixed set of queries for one planner, without a clock, for counting instructions.
//!
//! Times on a busy machine vary by several per cent; instruction counts hardly do. Build it, then
//! let valgrind count inside the one function that answers the queries, so that reading the map and
//! preparing for it are not counted:
//!
//! ```text
//! cargo build --release -p blockstar-bench --bin instructions
//! valgrind --tool=callgrind --toggle-collect='*answer_all*' \
//!     target/release/instructions MAP --planner astar --limit 50
//! ```
//!
//! The program prints the expansions; valgrind prints `Collected : N`, the instructions. Divide the
//! two. `callgrind_annotate callgrind.out.PID` shows which functions they belong to. `gate` does
//! all that for the planners whose counts are recorded.

use blockstar::{Algorithm, Cell, Error, Grid, Moves, Planner, Query, Scratch, Tile};
use blockstar_bench::maps::{self, Generated, Problem};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Answers queries with one planner and prints how many expansions that took.
#[derive(Debug, Parser)]
struct Arguments {
    /// A MovingAI map with NAME.map.scen beside NAME.map
    #[arg(required_unless_present = "generated")]
    map: Option<PathBuf>,

    /// A generated map of 256 x 256 cells instead
    #[arg(long, value_name = "KIND", conflicts_with = "map")]
    generated: Option<Generated>,

    /// The planner, by its name in the registry
    #[arg(long, value_name = "NAME", default_value = "astar")]
    planner: String,

    /// The movement rule
    #[arg(long, value_name = "RULE", default_value = "eight")]
    moves: Moves,

    /// At most this many queries, evenly spread
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,

    /// Count the instructions of edits instead of queries: the start cell of each query is blocked
    /// and freed again
    #[arg(long)]
    edits: bool,
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    let spec = Algorithm::named(&arguments.planner)?;
    let mut map = match (&arguments.map, arguments.generated) {
        (Some(file), _) => maps::read(file, Some(arguments.limit))?,
        (None, Some(kind)) => kind.map(256, arguments.limit)?,
        (None, None) => return Err(Problem("no map was named".into())),
    };
    let mut planner = spec.prepare(&map.grid, arguments.moves)?;
    let queries: Vec<_> = map.tasks.iter().map(|task| Query::new(task.start, task.goal)).collect();
    if arguments.edits {
        let cells: Vec<_> = map.tasks.iter().map(|task| task.start).collect();
        let edits = answer_all_edits(&mut *planner, &mut map.grid, &cells)?;
        println!("{spec} on {}, {}: {edits} edits", map.name, arguments.moves);
        return Ok(());
    }
    let mut scratch = Scratch::new();
    // A first round grows the scratch memory, which should not be counted.
    for query in &queries {
        planner.find(&map.grid, query, &mut scratch)?;
    }
    let (expanded, cost) = answer_all(&*planner, &map.grid, &queries, &mut scratch)?;
    println!(
        "{spec} on {}, {}: {} queries, {expanded} expansions, total cost {cost:.3}",
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

/// The same for edits. (valgrind finds it by the same name.)
#[inline(never)]
fn answer_all_edits(
    planner: &mut dyn Planner,
    grid: &mut Grid,
    cells: &[Cell],
) -> Result<usize, Error> {
    for &cell in cells {
        for tile in [Tile::Blocked, Tile::Free] {
            grid.set(cell, tile)?;
            planner.update(grid)?;
        }
    }
    Ok(2 * cells.len())
}
