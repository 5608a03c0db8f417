//! Many queries at once.

use crate::{Error, Grid, Path, Planner, Query, Scratch, Stats, Status};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The answer to one query of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What came of the search.
    pub status: Status,
    /// The path; empty unless the status has one.
    pub path: Path,
    /// What the search did.
    pub stats: Stats,
}

/// Answers many queries over threads; the answers come in the order of the queries and do not
/// depend on the number of threads. Keeps its search memory from batch to batch.
///
/// ```
/// use blockstar::{Algorithm, Batch, Cell, Grid, Moves, Query};
/// let grid = Grid::new(32, 32)?;
/// let planner = Algorithm::named("jps")?.prepare(&grid, Moves::EIGHT)?;
/// let queries: Vec<_> = (0..32).map(|x| Query::new(Cell::new(x, 0), Cell::new(0, 31))).collect();
/// let answers = Batch::new().find_all(&planner, &grid, &queries);
/// assert_eq!(answers[0].as_ref().unwrap().path.cost(), 31.0);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    scratches: Vec<Scratch>,
}

impl Batch {
    /// A batch runner with one thread per core.
    pub fn new() -> Self {
        Self::with_threads(std::thread::available_parallelism().map_or(1, |count| count.get()))
    }

    /// A batch runner with a given number of threads, at least one.
    pub fn with_threads(threads: usize) -> Self {
        Self { scratches: (0..threads.max(1)).map(|_| Scratch::new()).collect() }
    }

    /// Answers all queries.
    pub fn find_all(
        &mut self,
        planner: &impl Planner,
        grid: &Grid,
        queries: &[Query],
    ) -> Vec<Result<Answer, Error>> {
        let answer = |query: &Query, scratch: &mut Scratch| {
            let status = planner.find(grid, query, scratch)?;
            Ok(Answer { status, path: scratch.path().clone(), stats: *scratch.stats() })
        };
        let threads = self.scratches.len().min(queries.len());
        if threads <= 1 {
            let scratch = &mut self.scratches[0];
            return queries.iter().map(|query| answer(query, scratch)).collect();
        }
        // Threads take one query at a time: queries differ too much in length to be dealt out.
        let next = AtomicUsize::new(0);
        let mut answers: Vec<_> = queries.iter().map(|_| Err(Error::NotBegun)).collect();
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for scratch in &mut self.scratches[..threads] {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(query) = queries.get(index) else { return };
                        if sender.send((index, answer(query, scratch))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, answer) in receiver {
                answers[index] = answer;
            }
        });
        answers
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}
