//! An agent that replans at every step while the map changes: when does it pay to keep the search?
//!
//! Run with `cargo run --release -p blockstar --example replanning MAP…` (MovingAI maps; without
//! any, a cave is generated). For each kind of change it walks the same ways with every planner and
//! prints the processor time and the expansions of a step: the update and the answer.

use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Error, Grid, Moves, Path, Planner, Query, Scratch, Tile, format, generate,
};
use cpu_time::ProcessTime;
use std::time::Duration;

/// The planners, and whether each may reuse its last search.
const PLANNERS: [(&str, bool); 4] =
    [("astar", false), ("jps", false), ("block-astar", true), ("d-star-lite", true)];

/// Steps of one walk, and walks on each map.
const STEPS: usize = 30;
const WALKS: usize = 10;

/// What happens between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    /// A cell of the path this far ahead is blocked; it is free again one step later.
    Ahead(usize),
    /// The same, counted from the goal.
    BeforeGoal(usize),
    /// This many cells anywhere change.
    Anywhere(u32),
    /// The goal makes a step too.
    Goal,
}

const CHANGES: [(&str, Change); 7] = [
    ("nothing changes", Change::Nothing),
    ("a cell 2 steps ahead", Change::Ahead(2)),
    ("a cell 20 steps ahead", Change::Ahead(20)),
    ("a cell 5 steps before the goal", Change::BeforeGoal(5)),
    ("1 cell anywhere", Change::Anywhere(1)),
    ("20 cells anywhere", Change::Anywhere(20)),
    ("the goal moves", Change::Goal),
];

#[derive(Clone, Copy, Default)]
struct Effort {
    time: Duration,
    steps: u32,
    expanded: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut maps = Vec::new();
    for file in std::env::args().skip(1) {
        maps.push(format::movingai::parse_map(&std::fs::read(file)?)?);
    }
    if maps.is_empty() {
        maps.push(generate::caves(300, 300, 7)?);
    }
    for (ground, rough) in [("plain ground", false), ("terrain that costs 1 to 4", true)] {
        println!("\n{ground}: µs of processor time (expansions) per step");
        print!("{:32}", "");
        PLANNERS.iter().for_each(|(name, _)| print!("{name:>24}"));
        println!();
        for (name, change) in CHANGES {
            let mut efforts = [Effort::default(); PLANNERS.len()];
            for (seed, map) in maps.iter().enumerate() {
                let grid = if rough { roughen(map, seed as u64)? } else { map.clone() };
                walk_all(&grid, change, &mut efforts)?;
            }
            print!("{name:32}");
            for Effort { time, steps, expanded } in efforts {
                if steps == 0 {
                    print!("{:>24}", "-");
                    continue;
                }
                let micros = time.as_secs_f64() * 1e6 / f64::from(steps);
                print!("{:>24}", format!("{micros:.0} ({})", expanded / u64::from(steps)));
            }
            println!();
        }
    }
    Ok(())
}

/// Gives the map terrain in patches.
fn roughen(map: &Grid, seed: u64) -> Result<Grid, Error> {
    let (mut grid, mut random) = (map.clone(), Random::new(seed));
    let patches = grid.width().div_ceil(8) * grid.height().div_ceil(8);
    let factors: Vec<u64> = (0..patches).map(|_| 4 + random.below(13)).collect();
    let costs: Vec<f64> = (0..grid.height())
        .flat_map(|y| (0..grid.width()).map(move |x| (x, y)))
        .map(|(x, y)| factors[(y / 8 * grid.width().div_ceil(8) + x / 8) as usize] as f64 / 4.0)
        .collect();
    grid.set_costs(&costs)?;
    Ok(grid)
}

/// Walks the same ways with every planner that can, in turn.
fn walk_all(grid: &Grid, change: Change, efforts: &mut [Effort]) -> Result<(), Error> {
    for (walk, (start, goal)) in generate::queries(grid, WALKS, 9).into_iter().enumerate() {
        for ((name, reuse), effort) in PLANNERS.iter().zip(&mut *efforts) {
            let row = Algorithm::named(name)?;
            if !grid.has_costs() || row.algorithm().terrain {
                let planner = row.prepare(grid, Moves::EIGHT)?;
                let mut random = Random::new(walk as u64);
                let walk = Walk { grid: grid.clone(), planner, reuse: *reuse, change };
                walk.run((start, goal), &mut random, effort)?;
            }
        }
    }
    Ok(())
}

struct Walk {
    grid: Grid,
    planner: Box<dyn Planner>,
    reuse: bool,
    change: Change,
}

impl Walk {
    fn run(
        mut self,
        (mut at, mut goal): (Cell, Cell),
        random: &mut Random,
        effort: &mut Effort,
    ) -> Result<(), Error> {
        let mut scratch = Scratch::new();
        let mut closed = None;
        for step in 0..=STEPS {
            let query = Query::new(at, goal);
            let query = if self.reuse { query.reuse() } else { query };
            let clock = ProcessTime::now();
            self.planner.update(&self.grid)?;
            self.planner.find(&self.grid, &query, &mut scratch)?;
            if step > 0 {
                effort.time += clock.elapsed();
                effort.steps += 1;
                effort.expanded += scratch.stats().expanded;
            }
            let cells = scratch.path().cells();
            let Some(next) = cells.clone().nth(1).filter(|_| cells.count() > 30) else { break };
            at = next;
            self.edit(scratch.path(), at, &mut goal, &mut closed, random)?;
        }
        Ok(())
    }

    fn edit(
        &mut self,
        path: &Path,
        at: Cell,
        goal: &mut Cell,
        closed: &mut Option<Cell>,
        random: &mut Random,
    ) -> Result<(), Error> {
        let count = path.cell_count();
        closed.take().map_or(Ok(()), |cell| self.grid.set(cell, Tile::Free))?;
        match self.change {
            Change::Nothing => {}
            Change::Ahead(steps) => *closed = path.cells().nth(steps + 1),
            Change::BeforeGoal(steps) => *closed = path.cells().nth(count - 1 - steps),
            Change::Goal => *goal = path.cells().nth(count - 2).unwrap_or(*goal),
            Change::Anywhere(cells) => {
                for _ in 0..cells {
                    let (width, height) = (self.grid.width().into(), self.grid.height().into());
                    let cell = Cell::new(random.below(width) as u32, random.below(height) as u32);
                    let tile = if self.grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                    if cell != at && cell != *goal {
                        self.grid.set(cell, tile)?;
                    }
                }
            }
        }
        closed.map_or(Ok(()), |cell| self.grid.set(cell, Tile::Blocked))
    }
}
