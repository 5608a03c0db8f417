//! How much time opening a file saves: the processor time to prepare a planner, and to open its
//! saved file with all the checks that a file must pass.
//!
//! ```text
//! cargo run --release -p blockstar-bench --no-default-features --bin opening -- MAP
//! ```

use blockstar::{Algorithm, Lddb, Moves, Planner};
use blockstar_bench::maps::{self, Generated, Problem};
use blockstar_reports::table::{Table, bytes};
use clap::Parser;
use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::process::ExitCode;

/// Prepares every planner that can be saved, saves it, and opens it again.
#[derive(Debug, Parser)]
struct Arguments {
    /// A MovingAI map with NAME.map.scen beside NAME.map; without one, generated caves
    map: Option<PathBuf>,

    /// Only these planners, with parameters after colons
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,

    /// How often each file is opened; the median counts
    #[arg(long, value_name = "R", default_value_t = 9)]
    repeat: usize,
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    let map = match &arguments.map {
        Some(file) => maps::read(file, Some(1))?,
        None => Generated::Caves.map(256, 1)?,
    };
    let grid = &map.grid;
    println!("{}, {} free cells; processor time of all threads", map.name, grid.free_cells());
    let mut table =
        Table::new(["planner", "moves", "file", "prepare ms", "open ms", "open/prepare"]);
    let mut add = |name: String, moves: Moves, file: usize, prepare: f64, open: f64| {
        let times =
            [format!("{prepare:.2}"), format!("{open:.3}"), format!("{:.4}", open / prepare)];
        let mut cells = vec![name, moves.to_string(), bytes(file)];
        cells.extend(times);
        table.push(cells);
    };
    for row in Algorithm::all() {
        let named = |name: &String| name.split(':').next() == Some(row.name);
        let mut specs: Vec<_> =
            arguments.planner.iter().filter(|name| named(name)).cloned().collect();
        if arguments.planner.is_empty() {
            specs.push(row.name.into());
        }
        for name in specs {
            let moves = Moves::new(row.rules[row.rules.len().min(2) - 1]);
            let spec = Algorithm::named(&name)?;
            // Planners that save nothing are not prepared for the whole map.
            let sample = Generated::Caves.map(16, 1)?;
            if spec.prepare(&sample.grid, moves)?.save().is_none() {
                continue;
            }
            let (planner, prepare) = timed(|| spec.prepare(grid, moves))?;
            let Some(file) = planner.save() else { continue };
            let open = median(arguments.repeat, || spec.open(&file, grid, moves))?;
            add(name, moves, file.len(), prepare, open);
        }
    }
    if arguments.planner.is_empty() {
        for moves in [Moves::EIGHT, Moves::ANY_ANGLE] {
            let (lddb, prepare) = timed(|| Lddb::complete(moves, 4))?;
            let file = lddb.save();
            let open = median(arguments.repeat, || Lddb::open(file.clone()))?;
            add("Lddb::complete of 4 x 4".into(), moves, file.len(), prepare, open);
        }
    }
    print!("{table}");
    Ok(())
}

/// The result, and the milliseconds it took.
fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let clock = ProcessTime::now();
    let made = work()?;
    Ok((made, clock.elapsed().as_secs_f64() * 1e3))
}

/// The median of some tries, in milliseconds.
fn median<T, E>(tries: usize, work: impl Fn() -> Result<T, E>) -> Result<f64, E> {
    let tries = (0..tries.max(1)).map(|_| timed(&work).map(|(_, time)| time));
    let mut times = tries.collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
