//! `routes-in-rust MAP QUERIES PLANNER THREADS`: processor time of the same queries as in Python.
//!
//! QUERIES is a file of little-endian 64-bit numbers, start row and column, goal row and column of
//! each query. Prints nanoseconds of processor time and of the clock for one query after the other,
//! each path kept, and for all of them as columns.

use blockstar::{Algorithm, Batch, Cell, Moves, Path, Query, Scratch, format::movingai};
use cpu_time::ProcessTime;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, map, queries, planner, threads] = arguments.as_slice() else {
        return Err("usage: routes-in-rust MAP QUERIES PLANNER THREADS".into());
    };
    let grid = movingai::parse_map(&std::fs::read(map)?)?;
    let planner = Algorithm::named(planner)?.prepare(&grid, Moves::EIGHT)?;
    let bytes = std::fs::read(queries)?;
    let numbers: Vec<u32> =
        bytes.as_chunks().0.iter().map(|&number| i64::from_le_bytes(number) as u32).collect();
    let queries: Vec<[Cell; 2]> = numbers
        .as_chunks()
        .0
        .iter()
        .map(|&[row, column, to_row, to_column]: &[u32; 4]| {
            [Cell::new(column, row), Cell::new(to_column, to_row)]
        })
        .collect();
    let query = |index: usize| Ok(Query::new(queries[index][0], queries[index][1]));

    let mut scratch = Scratch::new();
    let mut kept: Vec<Path> = Vec::with_capacity(queries.len());
    let singles = timed(|| {
        for index in 0..queries.len() {
            planner.find(&grid, &query(index)?, &mut scratch)?;
            kept.push(scratch.path().clone());
        }
        Ok(())
    })?;
    let mut sum = kept.iter().map(Path::cost).sum::<f64>();

    let mut batch = Batch::with_threads(threads.parse()?);
    let write = |path: &Path, points: &mut Vec<[i32; 2]>| {
        let cells = path.points().iter().map(|point| point.cell());
        points.extend(cells.map(|cell| [cell.y as i32, cell.x as i32]));
    };
    let many = timed(|| {
        let count = queries.len();
        let routes = batch.routes((&*planner, &grid), count, &query, &write, &mut |_| true);
        sum -= routes.ok_or("stopped")?.costs.iter().filter(|cost| cost.is_finite()).sum::<f64>();
        Ok(())
    })?;
    if sum.abs() > 1e-3 {
        return Err(format!("the two ways differ by {sum}").into());
    }
    println!("{} {} {} {}", singles.0, singles.1, many.0, many.1);
    Ok(())
}

/// Nanoseconds of processor time and of the clock.
fn timed(act: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<(u128, u128), Box<dyn Error>> {
    let (processor, clock) = (ProcessTime::now(), Instant::now());
    act()?;
    Ok((processor.elapsed().as_nanos(), clock.elapsed().as_nanos()))
}
