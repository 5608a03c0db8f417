//! Work shared by all cores, with results in order.
//!
//! The threads and the channel are in one function that is not generic: every payload type would
//! otherwise bring its own copy of them, which was 11 % of the library's code for LLVM.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Told how many pieces of work are done, and of how many.
pub(crate) type Progress<'a> = &'a dyn Fn(usize, usize);

/// How many pieces of work [`map`] gives to a thread at a time.
const BATCH: usize = 64;

/// The results of `work` for 0, 1, … `count` - 1, in this order. Each thread has memory of its own.
/// `progress` is called on this thread. A panic of `work` is passed on.
pub(crate) fn map<M: Default, T: Send>(
    count: usize,
    progress: Progress<'_>,
    work: impl Fn(&mut M, usize) -> T + Sync,
) -> Vec<T> {
    map_on(cores(), count, progress, work)
}

/// The same on at most this many threads. The results do not depend on the number.
pub(crate) fn map_on<M: Default, T: Send>(
    threads: usize,
    count: usize,
    progress: Progress<'_>,
    work: impl Fn(&mut M, usize) -> T + Sync,
) -> Vec<T> {
    let batches: Vec<_> = (0..count.div_ceil(BATCH)).map(|_| Mutex::new(Vec::new())).collect();
    run(threads, count, BATCH, progress, &|queue| {
        let mut memory = M::default();
        while let Some(range) = queue.take() {
            let batch = &batches[range.start / BATCH];
            let results = range.clone().map(|index| work(&mut memory, index)).collect();
            *batch.lock().unwrap_or_else(PoisonError::into_inner) = results;
            queue.report(range.len());
        }
    });
    let results = |batch: Mutex<Vec<T>>| batch.into_inner().unwrap_or_else(PoisonError::into_inner);
    batches.into_iter().flat_map(results).collect()
}

/// How many threads can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What is left to do, as a worker sees it.
pub(crate) struct Queue<'a> {
    next: &'a AtomicUsize,
    count: usize,
    batch: usize,
    report: &'a dyn Fn(usize),
}

impl Queue<'_> {
    /// The next batch.
    pub fn take(&self) -> Option<Range<usize>> {
        let first = self.next.fetch_add(self.batch, Ordering::Relaxed);
        (first < self.count).then(|| first..self.count.min(first + self.batch))
    }

    /// Tells that some pieces of work are done.
    pub fn report(&self, pieces: usize) {
        (self.report)(pieces);
    }
}

/// Runs one worker per thread until all batches of `count` pieces of work are done; on this thread
/// if there is only one batch, because starting a thread takes longer than the work for a small
/// map.
pub(crate) fn run(
    threads: usize,
    count: usize,
    batch: usize,
    progress: Progress<'_>,
    worker: &(dyn Fn(&Queue<'_>) + Sync),
) {
    let next = &AtomicUsize::new(0);
    let done = Cell::new(0);
    let add = |pieces: usize| {
        done.set(done.get() + pieces);
        progress(done.get(), count);
    };
    let threads = threads.min(count.div_ceil(batch));
    if threads < 2 {
        worker(&Queue { next, count, batch, report: &add });
        return;
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                // The receiver waits until every sender is gone.
                let report = |pieces: usize| sender.send(pieces).unwrap_or_default();
                worker(&Queue { next, count, batch, report: &report });
            });
        }
        drop(sender);
        receiver.into_iter().for_each(add);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_progress_reaches_the_end() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let last = Cell::new(0);
            let progress = |done, of| {
                assert!(done > last.get() && of == count);
                last.set(done);
            };
            let squares = map(count, &progress, |_: &mut (), i| i * i);
            assert!(squares.into_iter().eq((0..count).map(|i| i * i)));
            assert_eq!(last.get(), count);
            for threads in [0, 1, 3] {
                last.set(0);
                let squares = map_on(threads, count, &progress, |_: &mut (), i| i * i);
                assert!(squares.into_iter().eq((0..count).map(|i| i * i)));
                assert_eq!(last.get(), count);
            }
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        run(2, 200, 1, &|_, _| (), &|queue| {
            while let Some(range) = queue.take() {
                assert!(range.start != 150, "work that fails");
            }
        });
    }
}
