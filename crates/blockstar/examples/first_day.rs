//! A first day with the library: two hundred units, doors that close, a rally point, a file.
//!
//! `cargo run --release --example first_day`

use blockstar::{
    Batch, Cell, DbaStar, DistanceMap, Error, Grid, Jps, Mask, Moves, Path, PathCursor, Planner,
    Query, Scratch, Status, Tile, generate,
};

/// The first day.
pub fn main() -> Result<(), Error> {
    let mut grid = generate::rooms(256, 256, 16, 7)?;
    let mut planner = Jps::new(&grid, Moves::EIGHT)?;

    // Two hundred units get their paths at once, as near to their goals as they can get.
    let pairs = generate::queries(&grid, 200, 1);
    let queries: Vec<_> = pairs.iter().map(|&(from, to)| Query::new(from, to).nearest()).collect();
    let mut batch = Batch::new();
    let mut units = Vec::new();
    for answer in batch.find_all(&planner, &grid, &queries) {
        let path = answer?.path;
        units.push((path.cursor(), path));
    }

    // They walk; now and then a cell on somebody's way is blocked.
    let mut replanned = 0;
    for tick in 0..300 {
        if tick % 10 == 0 {
            let wall = units[tick % units.len()].1.cells().nth(20);
            grid.set(wall.unwrap_or_default(), Tile::Blocked)?;
            planner.update(&grid)?;
            replanned += replan(&planner, &grid, &mut units)?;
        }
        for (cursor, path) in &mut units {
            cursor.advance(path, 0.2);
        }
    }
    println!("{replanned} times a unit had to find another way");

    // All of them to one place: one map of distances, kept up to date, instead of two hundred paths.
    let rally = pairs[0].1;
    let mut distances = DistanceMap::new(&grid, Moves::EIGHT, [rally])?;
    grid.set(pairs[1].0, Tile::Free)?;
    distances.update(&grid)?;
    let here = units.iter().filter_map(|(cursor, path)| cursor.position(path));
    let steps: Result<Vec<_>, _> = here.map(|at| distances.next_step(&grid, at.cell())).collect();
    println!("{} units know their next step to {rally}", steps?.iter().flatten().count());

    // Each move within a bounded time, from a database that was prepared once and saved.
    let settings = DbaStar::builder().sector(16).depth(2);
    let saved = settings.clone().build(&grid, Moves::EIGHT)?.save().unwrap_or_default();
    let quick = settings.open(&saved, &grid, Moves::EIGHT)?;
    let mut scratch = Scratch::new();
    let status = quick.find(&grid, &Query::new(pairs[2].0, rally), &mut scratch)?;
    println!("{status}: {} moves, {} bytes kept", scratch.stats().moves, saved.len());
    Ok(())
}

/// New paths for those whose way ahead is blocked, around all others.
fn replan(planner: &Jps, grid: &Grid, units: &mut [(PathCursor, Path)]) -> Result<usize, Error> {
    let at = |(cursor, path): &(PathCursor, _)| cursor.position(path).map(|point| point.cell());
    let others: Mask = units.iter().filter_map(at).collect();
    let (mut scratch, mut replanned) = (Scratch::new(), 0);
    for unit in units.iter_mut().filter(|(cursor, path)| !cursor.still_valid(path, grid)) {
        let from = at(unit).unwrap_or_default();
        let to = unit.1.points().last().map_or(Cell::default(), |point| point.cell());
        let query = Query::new(from, to).nearest().avoid(&others);
        if planner.find(grid, &query, &mut scratch)? != Status::NoPath {
            let path = scratch.take_path();
            *unit = (path.cursor(), path);
            replanned += 1;
        }
    }
    Ok(replanned)
}
