//! A search spread over frames: a little work each, the same path in the end.
//!
//! Run with `cargo run --release -p blockstar --example frames`.

use blockstar::{Algorithm, Budget, Error, Moves, Query, Scratch, Status, generate};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let grid = generate::caves(1024, 1024, 3)?;
    let planner = Algorithm::named("astar")?.prepare(&grid, Moves::EIGHT)?;
    let mut scratch = Scratch::new();
    let far_apart = generate::queries(&grid, 200, 5)
        .into_iter()
        .max_by_key(|(a, b)| a.x.abs_diff(b.x) + a.y.abs_diff(b.y));
    let Some((start, goal)) = far_apart else { return Ok(()) };
    let query = Query::new(start, goal);

    planner.find(&grid, &query, &mut scratch)?;
    let whole = scratch.path().clone();

    planner.begin(&grid, &query, &mut scratch)?;
    let mut frames = 1;
    let frame = Duration::from_micros(500);
    while planner.resume(&grid, &mut scratch, Budget::time(frame))? == Status::Working {
        frames += 1; // the game draws a frame here
    }
    println!(
        "{start} to {goal}: cost {:.1}, half a millisecond in each of {frames} frames",
        whole.cost()
    );
    assert_eq!(scratch.path(), &whole, "slicing changes nothing");
    Ok(())
}
