//! The cost of an edit on a large map: repairing the component labels compared with computing them
//! again, and an answer about an unreachable goal.
//!
//! Run with `cargo run --release -p blockstar --example connectivity`.

use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Error, Grid, Moves, Query, Rect, Scratch, Status, Tile, generate,
};
use std::time::Instant;

const SIDE: u32 = 4096;
const EDITS: u32 = 1000;

fn main() -> Result<(), Error> {
    println!("map {SIDE} x {SIDE}    labels made  edit + update + query  ratio");
    measure("open", Grid::new(SIDE, SIDE)?)?;
    measure("40 % blocked", generate::random(SIDE, SIDE, 40.0, 1)?)
}

fn measure(name: &str, mut grid: Grid) -> Result<(), Error> {
    // A cell in a closed ring, which cannot be reached.
    grid.set_rect(Rect::new(2000, 2000, 5, 5), Tile::Blocked)?;
    grid.set((2002, 2002), Tile::Free)?;
    grid.set((0, 0), Tile::Free)?;
    let clock = Instant::now();
    let mut planner = Algorithm::named("jps")?.prepare(&grid, Moves::EIGHT)?;
    let made = clock.elapsed().as_secs_f64();

    let walled_in = Query::new(Cell::new(0, 0), Cell::new(2002, 2002));
    let mut scratch = Scratch::new();
    let mut random = Random::new(2);
    let clock = Instant::now();
    for _ in 0..EDITS {
        let mut coordinate = || 8 + random.below(u64::from(SIDE) / 4) as u32;
        let cell = Cell::new(coordinate(), coordinate());
        let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
        grid.set(cell, tile)?;
        planner.update(&grid)?;
        let status = planner.find(&grid, &walled_in, &mut scratch)?;
        assert_eq!(status, Status::NoPath);
    }
    let edited = clock.elapsed().as_secs_f64() / f64::from(EDITS);
    println!("{name:14} {:11.2} ms  {:18.2} µs  1/{:.0}", made * 1e3, edited * 1e6, made / edited);
    Ok(())
}
