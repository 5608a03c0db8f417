//! 1,600 units on a map whose doors open and close: how many must plan again, and how long that
//! takes.
//!
//! Run with `cargo run --release -p blockstar --example doors`.

use blockstar::random::Random;
use blockstar::{Algorithm, Batch, Cell, Error, Grid, Moves, Path, Query, Tile, generate};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let mut grid = generate::rooms(256, 256, 15, 2026)?;
    let mut planner = Algorithm::named("jps")?.prepare(&grid, Moves::EIGHT)?;
    let mut batch = Batch::new();
    let orders: Vec<Query> = generate::queries(&grid, 1600, 7)
        .into_iter()
        .map(|(start, goal)| Query::new(start, goal).nearest())
        .collect();

    let clock = Instant::now();
    let mut paths: Vec<Path> = Vec::new();
    for answer in batch.find_all(&planner, &grid, &orders) {
        paths.push(answer?.path);
    }
    println!("{} first paths in {:.1} ms", paths.len(), clock.elapsed().as_secs_f64() * 1e3);

    let doors: Vec<Cell> = (0..256)
        .flat_map(|y| (0..256).map(move |x| Cell::new(x, y)))
        .filter(|&cell| is_door(&grid, cell))
        .collect();
    let mut random = Random::new(1);
    println!("{} doors; eight of them change every second", doors.len());
    println!("second  edits and update  paths broken  planned again");
    for second in 1..=10 {
        let clock = Instant::now();
        for _ in 0..8 {
            let door = doors[random.below(doors.len() as u64) as usize];
            let tile = if grid.is_free(door) { Tile::Blocked } else { Tile::Free };
            grid.set(door, tile)?;
        }
        planner.update(&grid)?;
        let edited = clock.elapsed();

        let clock = Instant::now();
        let broken: Vec<usize> =
            (0..paths.len()).filter(|&i| !paths[i].still_valid(&grid)).collect();
        let queries: Vec<Query> = broken.iter().map(|&i| orders[i].clone()).collect();
        let answers = batch.find_all(&planner, &grid, &queries);
        for (&unit, answer) in broken.iter().zip(answers) {
            paths[unit] = answer?.path;
        }
        let planned = clock.elapsed();
        println!(
            "{second:6}  {:13.1} µs  {:12}  {:10.2} ms",
            edited.as_secs_f64() * 1e6,
            broken.len(),
            planned.as_secs_f64() * 1e3
        );
    }
    Ok(())
}

/// A free cell between two walls with open ground before and behind it.
fn is_door(grid: &Grid, cell: Cell) -> bool {
    let free = |dx: i32, dy: i32| {
        grid.is_free(Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy)))
    };
    let across = free(-1, 0) && free(1, 0) && !free(0, -1) && !free(0, 1);
    let down = free(0, -1) && free(0, 1) && !free(-1, 0) && !free(1, 0);
    grid.is_free(cell) && (across || down)
}
