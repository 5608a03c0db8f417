//! One-cell edits under a prepared planner, each followed by a query.
//!
//! A cell is taken at random from the free ones and those beside them, changed, and changed back:
//! two edits, after which the map is what it was. The next query counts as well: what a planner puts
//! off in `update` it pays there.

use crate::race::Course;
use blockstar::random::Random;
use blockstar::{Cell, Grid, Planner, Query, Scratch, Status, Tile};
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// The times of the edits on some maps, in microseconds.
#[derive(Debug, Default)]
pub struct EditTimes {
    /// Of each edit with the planner's update.
    edits: Vec<f64>,
    /// Of all of them with the queries that follow.
    with_queries: f64,
}

impl EditTimes {
    /// Changes the map of a course under a planner and notes the times.
    pub fn add(
        &mut self,
        planner: &mut dyn Planner,
        course: &Course,
        (changes, seed): (u32, u64),
    ) -> Result<(), String> {
        let name = planner.name();
        let text = |error: blockstar::Error| format!("{name}: {error}");
        let mut grid = course.grid.clone();
        let mut random = Random::new(seed);
        let mut scratch = Scratch::new();
        // The clone has a version of its own.
        planner.update(&grid).map_err(text)?;
        for number in 0..changes as usize {
            let cell = ground_cell(&grid, &mut random);
            let (start, goal) = course.pairs[number % course.pairs.len()];
            let query = Query::new(start, goal);
            let tiles = [Tile::Blocked, Tile::Free];
            let tiles = if grid.is_free(cell) { tiles } else { [tiles[1], tiles[0]] };
            for tile in tiles {
                let update = timed(|| {
                    grid.set(cell, tile)?;
                    planner.update(&grid)
                });
                let us = update.1 * 1e6;
                update.0.map_err(text)?;
                self.edits.push(us);
                let (status, seconds) = timed(|| planner.find(&grid, &query, &mut scratch));
                self.with_queries += us + seconds * 1e6;
                check(status.map_err(text)?, &grid, planner, &scratch).map_err(|what| {
                    format!(
                        "a wrong answer: {name} on {} after {cell} was changed: {what}",
                        course.name
                    )
                })?;
            }
        }
        Ok(())
    }

    /// The mean of the edits, the time that 99 of 100 of them do not exceed, and the mean of an edit
    /// with the query after it.
    pub fn summary(mut self) -> [f64; 3] {
        self.edits.sort_by(f64::total_cmp);
        let count = self.edits.len();
        if count == 0 {
            return [f64::NAN; 3];
        }
        let mean = self.edits.iter().sum::<f64>() / count as f64;
        [mean, self.edits[(count * 99).div_ceil(100) - 1], self.with_queries / count as f64]
    }
}

/// A random cell that is free or beside a free one. There must be one.
pub fn ground_cell(grid: &Grid, random: &mut Random) -> Cell {
    loop {
        let x = random.below(grid.width().into()) as u32;
        let y = random.below(grid.height().into()) as u32;
        let beside = (y.saturating_sub(1)..=y + 1)
            .flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| Cell::new(x, y)));
        if beside.into_iter().any(|cell| grid.is_free(cell)) {
            return Cell::new(x, y);
        }
    }
}

fn check(
    status: Status,
    grid: &Grid,
    planner: &dyn Planner,
    scratch: &Scratch,
) -> Result<(), String> {
    match status {
        Status::Found => {
            scratch.path().check(grid, planner.moves()).map_err(|error| error.to_string())
        }
        // A wall can cut a goal off.
        Status::NoPath => Ok(()),
        other => Err(format!("it ended with {other:?}")),
    }
}

/// What it returns and the seconds that takes: on the clock or of the processor, whichever is less,
/// since the first counts other programs and the second the time to read it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (clock, processor) = (Instant::now(), ThreadTime::now());
    let result = work();
    let time: Duration = clock.elapsed().min(processor.elapsed());
    (result, time.as_secs_f64())
}
