//! Many queries at once.

use crate::engine::parallel;
use crate::{Error, Grid, Path, Planner, Query, Scratch, Stats, Status};
use std::sync::{LockResult, Mutex, PoisonError};

/// The answer to one query of a batch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The result of the search.
    pub status: Status,
    /// The path; empty unless the status has one.
    pub path: Path,
    /// What the search did.
    pub stats: Stats,
}

/// Answers many queries on several threads. The answers come in the order of the queries and do not
/// depend on the number of threads. Search memory is kept from batch to batch.
///
/// ```
/// use blockstar::{Batch, Grid, Jps, Moves, Query};
/// let grid = Grid::new(32, 32)?;
/// let planner = Jps::new(&grid, Moves::EIGHT)?;
/// let queries: Vec<_> = (0..32).map(|x| Query::new((x, 0), (0, 31))).collect();
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
        Self::with_threads(parallel::cores())
    }

    /// A batch runner with a given number of threads, at least one.
    pub fn with_threads(threads: usize) -> Self {
        Self { scratches: (0..threads.max(1)).map(|_| Scratch::new()).collect() }
    }

    /// The search memory of each thread.
    pub(crate) fn scratches_mut(&mut self) -> &mut [Scratch] {
        &mut self.scratches
    }

    /// Answers all queries.
    pub fn find_all(
        &mut self,
        planner: &dyn Planner,
        grid: &Grid,
        queries: &[Query],
    ) -> Vec<Result<Answer, Error>> {
        let answer = |query: &Query, scratch: &mut Scratch| {
            let status = planner.find(grid, query, scratch)?;
            Ok(Answer { status, path: scratch.path().clone(), stats: *scratch.stats() })
        };
        // Threads take one query at a time: queries differ too much in length to be dealt out
        // beforehand.
        let threads = self.scratches.len();
        let scratches = Mutex::new(self.scratches.iter_mut().collect::<Vec<_>>());
        let answers: Vec<_> = queries.iter().map(|_| Mutex::new(Err(Error::NotBegun))).collect();
        parallel::run(threads, queries.len(), 1, &|_, _| (), &|queue| {
            let Some(scratch) = unlock(scratches.lock()).pop() else { return };
            while let Some(range) = queue.take() {
                for index in range {
                    *unlock(answers[index].lock()) = answer(&queries[index], scratch);
                }
            }
        });
        answers.into_iter().map(|answer| unlock(answer.into_inner())).collect()
    }
}

/// The value behind a lock. It is intact even after a panic elsewhere, which is passed on anyway.
fn unlock<T>(guarded: LockResult<T>) -> T {
    guarded.unwrap_or_else(PoisonError::into_inner)
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}
