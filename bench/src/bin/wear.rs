//! What edits leave behind: queries of the subgoal graph on an edited map, as it was repaired, after
//! a refresh, and as it would be built.
//!
//! On each map a thousand cells on or beside free ground are toggled, one after the other, with an
//! update after each and no refresh. Then all answer the same queries in turns. Each is a copy, so
//! that all lie in memory alike.

use blockstar::random::Random;
use blockstar::{Budget, Error, Jps, Moves, Planner, Query, Scratch, Subgoal, Tile};
use blockstar_bench::maps::{self, Problem};
use blockstar_reports::ground_cell;
use clap::Parser;
use cpu_time::ThreadTime;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures how far edits slow the subgoal graph down.
#[derive(Debug, Parser)]
struct Arguments {
    /// MovingAI maps with NAME.map.scen beside NAME.map, or folders of them
    #[arg(required = true)]
    maps: Vec<PathBuf>,

    /// Of folders, only the ten maps of the DBA* paper
    #[arg(long)]
    ten: bool,

    /// At most this many queries of each map, evenly spread
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// How many cells of each map are toggled
    #[arg(long, value_name = "K", default_value_t = 1000)]
    edits: usize,

    /// How many rounds over all queries are timed; the fastest counts
    #[arg(long, value_name = "R", default_value_t = 5)]
    repeat: usize,

    /// The seed of the edits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    blockstar_bench::exit(run(&Arguments::parse()))
}

/// The planners that are compared.
const TEAM: [&str; 4] = ["built", "worn", "refreshed", "jps"];

/// What was measured on a map, or on all of them.
#[derive(Default)]
struct Figures {
    /// Microseconds of each edit.
    edits: Vec<f64>,
    refresh_ms: f64,
    /// Microseconds and expansions of all queries, by planner.
    us: [f64; TEAM.len()],
    expansions: [u64; TEAM.len()],
}

fn run(arguments: &Arguments) -> Result<(), Problem> {
    println!(
        "                         edit µs    p99  refresh ms  built µs |  worn refreshed   jps"
    );
    let mut all = Figures::default();
    for file in maps::files(&arguments.maps, arguments.ten)? {
        let map = maps::read(&file, Some(arguments.limit))?;
        let name = map.name.clone();
        let figures = measure(map, arguments)?;
        figures.print(&name);
        all.add(figures);
    }
    all.print("all");
    Ok(())
}

fn measure(map: maps::Map, arguments: &Arguments) -> Result<Figures, Error> {
    let maps::Map { mut grid, tasks, .. } = map;
    let mut figures = Figures::default();
    let mut planner = Subgoal::new(&grid, Moves::EIGHT)?;
    let mut random = Random::new(arguments.seed);
    for _ in 0..arguments.edits {
        let cell = ground_cell(&grid, &mut random);
        let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
        let clock = ThreadTime::now();
        grid.set(cell, tile)?;
        planner.update(&grid)?;
        figures.edits.push(clock.elapsed().as_secs_f64() * 1e6);
    }
    let worn = planner.clone();
    let clock = ThreadTime::now();
    planner.refresh(&grid, Budget::UNLIMITED)?;
    figures.refresh_ms = clock.elapsed().as_secs_f64() * 1e3;
    let built = Subgoal::new(&grid, Moves::EIGHT)?;
    let jps = Jps::new(&grid, Moves::EIGHT)?;
    let (built, worn, refreshed) = (built, worn, planner.clone());
    let team: [&dyn Planner; TEAM.len()] = [&built, &worn, &refreshed, &jps];
    let ends = tasks.iter().map(|task| (task.start, task.goal));
    let free = ends.filter(|&(start, goal)| grid.is_free(start) && grid.is_free(goal));
    let queries: Vec<_> = free.map(|(start, goal)| Query::new(start, goal)).collect();
    let mut scratch = Scratch::new();
    figures.us = [f64::MAX; TEAM.len()];
    // The first round warms the memory up.
    for round in 0..=arguments.repeat {
        for (who, planner) in team.iter().enumerate() {
            let clock = ThreadTime::now();
            let mut expansions = 0;
            for query in &queries {
                planner.find(&grid, query, &mut scratch)?;
                expansions += scratch.stats().expanded;
            }
            if round > 0 {
                figures.us[who] = figures.us[who].min(clock.elapsed().as_secs_f64() * 1e6);
            }
            figures.expansions[who] = expansions;
        }
    }
    Ok(figures)
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.edits.extend(other.edits);
        self.refresh_ms += other.refresh_ms;
        for who in 0..TEAM.len() {
            self.us[who] += other.us[who];
            self.expansions[who] += other.expansions[who];
        }
    }

    /// A line: times over those of what was built, and expansions in brackets.
    fn print(&self, name: &str) {
        let mut edits = self.edits.clone();
        edits.sort_by(f64::total_cmp);
        let count = edits.len().max(1);
        let mean = edits.iter().sum::<f64>() / count as f64;
        let p99 = edits.get((count * 99).div_ceil(100) - 1).copied().unwrap_or(0.0);
        print!("{name:24} {mean:7.1} {p99:6.1} {:11.1} {:9.0} |", self.refresh_ms, self.us[0]);
        for who in 1..TEAM.len() {
            let expansions = self.expansions[who] as f64 / self.expansions[0].max(1) as f64;
            print!(" {:.2} ({expansions:.2})", self.us[who] / self.us[0]);
        }
        println!();
    }
}
