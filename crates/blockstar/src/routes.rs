//! Many answers at once, in columns: the form that tables, files and arrays of other languages
//! want.
//!
//! Queries are made when a thread gets to them and answers are written one after the other, so a
//! million routes need neither a million queries in memory nor an allocation each: threads fill
//! pieces of 64 answers, which are joined at the end.

use crate::engine::parallel::{self, Queue};
use crate::{Batch, Budget, Error, Grid, Path, Planner, Query, Scratch, Status};
use std::sync::{Mutex, PoisonError};

/// The answers to many queries, one after the other; see [`Batch::routes`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Routes<T> {
    /// The result of each search; `None` where the query was refused, see [`Routes::errors`].
    pub statuses: Vec<Option<Status>>,
    /// The cost of each path, infinite where there is none.
    pub costs: Vec<f64>,
    /// Where the points of each path begin in [`Routes::points`], and at the end their number.
    pub offsets: Vec<usize>,
    /// What was written for all paths.
    pub points: Vec<T>,
    /// Why queries were refused, by their number, in order.
    pub errors: Vec<(usize, Error)>,
}

impl<T> Routes<T> {
    fn empty() -> Self {
        let (statuses, costs, points) = (Vec::new(), Vec::new(), Vec::new());
        Self { statuses, costs, offsets: vec![0], points, errors: Vec::new() }
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// What was written for one path; nothing if there is no path, or no such answer.
    pub fn points_of(&self, index: usize) -> &[T] {
        match self.offsets.get(index..index.saturating_add(2)) {
            Some(&[from, to]) => &self.points[from..to],
            _ => &[],
        }
    }

    fn push(&mut self, index: usize, found: Result<Status, Error>, path: &Path, write: Writer<T>) {
        let mut cost = f64::INFINITY;
        match found {
            Ok(status) => {
                if !path.is_empty() {
                    cost = path.cost();
                    write(path, &mut self.points);
                }
                self.statuses.push(Some(status));
            }
            Err(error) => {
                self.errors.push((index, error));
                self.statuses.push(None);
            }
        }
        self.costs.push(cost);
        self.offsets.push(self.points.len());
    }

    fn append(&mut self, mut piece: Self) {
        let first = self.points.len();
        self.statuses.append(&mut piece.statuses);
        self.costs.append(&mut piece.costs);
        self.offsets.extend(piece.offsets[1..].iter().map(|offset| first + offset));
        self.points.append(&mut piece.points);
        self.errors.append(&mut piece.errors);
    }
}

/// Writes what should be kept of a path.
type Writer<'a, T> = &'a (dyn Fn(&Path, &mut Vec<T>) + Sync);

/// The number of queries a thread takes at a time.
const PIECE: usize = 64;

/// The number of expansions after which a search checks whether it is still wanted: some
/// milliseconds.
const LOOK: u64 = 1 << 14;

impl Batch {
    /// Answers `count` queries, which a function gives by number, and keeps what `write` writes of
    /// each path. The answers do not depend on the number of threads.
    ///
    /// `go_on` is called with the number of answers so far, on this thread and at least twenty
    /// times a second. It stops everything by returning `false`; the result is then `None`.
    ///
    /// ```
    /// use blockstar::{Batch, Grid, Jps, Moves, Query};
    /// let grid = Grid::new(32, 32)?;
    /// let planner = Jps::new(&grid, Moves::EIGHT)?;
    /// let routes = Batch::new().routes(
    ///     (&planner, &grid),
    ///     1000,
    ///     &|number| Ok(Query::new((number as u32 % 32, 0), (5, 31))),
    ///     &|path, points| points.extend_from_slice(path.points()),
    ///     &mut |_done| true,
    /// );
    /// let routes = routes.expect("it was not stopped");
    /// assert_eq!((routes.len(), routes.costs[5]), (1000, 31.0));
    /// assert_eq!(routes.points_of(5).len(), 2);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn routes<T: Send>(
        &mut self,
        (planner, grid): (&dyn Planner, &Grid),
        count: usize,
        query: &(dyn Fn(usize) -> Result<Query, Error> + Sync),
        write: Writer<T>,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Routes<T>> {
        let search = |index: usize, scratch: &mut Scratch, queue: &Queue<'_>| {
            planner.begin(grid, &query(index)?, scratch)?;
            loop {
                let status = planner.resume(grid, scratch, Budget::expansions(LOOK))?;
                if status != Status::Working || queue.is_stopped() {
                    return Ok(status);
                }
            }
        };
        let scratches = Mutex::new(self.scratches_mut().iter_mut().collect::<Vec<_>>());
        let threads = unlocked(&scratches).len();
        let pieces: Vec<_> = (0..count.div_ceil(PIECE)).map(|_| Mutex::new(None)).collect();
        let whole = parallel::watch(threads, count, PIECE, go_on, &|queue| {
            let Some(scratch) = unlocked(&scratches).pop() else { return };
            while let Some(range) = queue.take() {
                let mut piece = Routes::empty();
                for index in range.clone() {
                    if queue.is_stopped() {
                        return;
                    }
                    let found = search(index, scratch, queue);
                    // A refused query leaves no path, whatever was there before it.
                    let path = if found.is_ok() { scratch.path() } else { &Path::default() };
                    piece.push(index, found, path, write);
                }
                *unlocked(&pieces[range.start / PIECE]) = Some(piece);
                queue.report(range.len());
            }
        });
        let mut routes = Routes::empty();
        for piece in pieces {
            routes.append(piece.into_inner().unwrap_or_else(PoisonError::into_inner)?);
        }
        whole.then_some(routes)
    }
}

/// The value behind a lock. It is intact even after a panic elsewhere, which is passed on anyway.
fn unlocked<T>(lock: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Cell, Jps, Moves};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    #[test]
    fn columns_hold_what_single_queries_answer() {
        let mut random = Random::new(11);
        let grid = Grid::from_fn(60, 40, |_| random.chance(3, 4)).unwrap();
        let planner = Jps::new(&grid, Moves::EIGHT).unwrap();
        // Some lie off the map.
        let cells: Vec<[Cell; 2]> = (0..500)
            .map(|_| [(); 2].map(|_| Cell::new(random.below(62) as u32, random.below(40) as u32)))
            .collect();
        let query = |index: usize| Ok(Query::new(cells[index][0], cells[index][1]));
        let write = |path: &Path, points: &mut Vec<Cell>| points.extend(path.cells());
        let ask = |threads| {
            let mut batch = Batch::with_threads(threads);
            batch.routes((&planner, &grid), 500, &query, &write, &mut |_| true).unwrap()
        };
        let routes = ask(1);
        assert_eq!(routes, ask(3));
        let mut scratch = Scratch::new();
        for index in 0..500 {
            let found = planner.find(&grid, &query(index).unwrap(), &mut scratch);
            assert_eq!(routes.statuses[index], found.as_ref().ok().copied());
            let refused = routes.errors.iter().find(|(number, _)| *number == index);
            assert_eq!(refused.map(|(_, error)| error), found.as_ref().err());
            if found.is_ok_and(Status::has_path) {
                assert_eq!(routes.costs[index], scratch.path().cost());
                assert!(scratch.path().cells().eq(routes.points_of(index).iter().copied()));
            } else {
                assert_eq!(
                    (routes.costs[index], routes.points_of(index)),
                    (f64::INFINITY, &[][..])
                );
            }
        }
        assert!(!routes.errors.is_empty() && routes.points_of(500).is_empty());
    }

    /// Asks for so many routes on an open map, each after a pause, as long as a function of how many
    /// are done and how many were asked says so. What became of it, and how many were asked.
    fn ask(
        side: u32,
        count: usize,
        pause: Duration,
        go_on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> (Option<Routes<Cell>>, usize) {
        let grid = Grid::new(side, side).unwrap();
        let planner = Jps::new(&grid, Moves::EIGHT).unwrap();
        let asked = AtomicUsize::new(0);
        let query = |_| {
            asked.fetch_add(1, Relaxed);
            std::thread::sleep(pause);
            Ok(Query::new((0, 0), (side - 1, side / 2)))
        };
        let mut go_on = |done| go_on(done, asked.load(Relaxed));
        let write = |_: &Path, _: &mut Vec<Cell>| ();
        let routes =
            Batch::with_threads(2).routes((&planner, &grid), count, &query, &write, &mut go_on);
        (routes, asked.into_inner())
    }

    #[test]
    fn who_says_stop_is_not_kept_waiting() {
        let (routes, asked) = ask(64, 100_000_000, Duration::ZERO, &mut |done, _| done < 1000);
        assert!(routes.is_none() && asked < 10_000_000);
    }

    #[test]
    fn a_piece_of_slow_queries_is_not_finished_after_a_stop() {
        let mut at_stop = None;
        let (routes, asked) = ask(8, 1000, Duration::from_millis(5), &mut |_, asked| {
            at_stop.get_or_insert(asked);
            false
        });
        // Each thread may begin one more before it hears of it; a piece has 64.
        let more = asked - at_stop.unwrap();
        assert!(routes.is_none() && more <= 8, "{more} queries were asked after the stop");
    }
}
