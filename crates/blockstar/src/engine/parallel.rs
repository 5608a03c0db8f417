//! Work shared by all cores, with results in order.
//!
//! The threads and the channel are in one function that is not generic: every payload type would
//! otherwise bring its own copy of them, which was 11 % of the library's code for LLVM.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// Called with the number of pieces of work done, and of all.
pub(crate) type Progress<'a> = &'a dyn Fn(usize, usize);

/// Whom to report to, for as long as the settings live.
#[derive(Clone, Default)]
pub(crate) struct Report(Option<Arc<dyn Fn(usize, usize) + Send + Sync>>);

impl Report {
    pub fn to(report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(report)))
    }

    /// Reports to whoever wants to know.
    pub fn progress(&self) -> &(dyn Fn(usize, usize) + Sync) {
        match &self.0 {
            Some(report) => &**report,
            None => &|_, _| (),
        }
    }
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "reported" } else { "not reported" })
    }
}

/// The number of pieces of work that [`map`] gives to a thread at a time.
const BATCH: usize = 64;

/// The results of `work` for 0, 1, … `count` - 1, in this order. Each thread has memory of its own.
/// `progress` is called on this thread. A panic in `work` is passed on.
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
    let mut results = Vec::with_capacity(count);
    for batch in batches {
        results.append(&mut batch.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    results
}

/// The number of threads that can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What is left to do, as a worker sees it.
pub(crate) struct Queue<'a> {
    next: &'a AtomicUsize,
    stopped: &'a AtomicBool,
    count: usize,
    batch: usize,
    report: &'a dyn Fn(usize),
}

impl Queue<'_> {
    /// The next batch.
    pub fn take(&self) -> Option<Range<usize>> {
        if self.is_stopped() {
            return None;
        }
        let first = self.next.fetch_add(self.batch, Ordering::Relaxed);
        (first < self.count).then(|| first..self.count.min(first + self.batch))
    }

    /// Whether the rest is no longer wanted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Reports some pieces of work as done.
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
    let done = Cell::new(0);
    let add = |pieces: usize| {
        done.set(done.get() + pieces);
        progress(done.get(), count);
    };
    if threads.min(count.div_ceil(batch)) < 2 {
        let (next, stopped) = (&AtomicUsize::new(0), &AtomicBool::new(false));
        worker(&Queue { next, stopped, count, batch, report: &add });
        return;
    }
    let mut tell = |now: usize| {
        if now > done.get() {
            add(now - done.get());
        }
        true
    };
    watch(threads, count, batch, &mut tell, worker);
}

/// The longest time between two checks whether the work is still wanted.
const WATCH: Duration = Duration::from_millis(50);

/// Runs workers on threads of their own, while this one reports progress at least twenty times a
/// second and asks whether to go on. False if it was stopped.
pub(crate) fn watch(
    threads: usize,
    count: usize,
    batch: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
    worker: &(dyn Fn(&Queue<'_>) + Sync),
) -> bool {
    let (next, stopped) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count.div_ceil(batch)) {
            let sender = sender.clone();
            scope.spawn(move || {
                // The receiver waits until every sender is gone.
                let report = |pieces: usize| sender.send(pieces).unwrap_or_default();
                worker(&Queue { next, stopped, count, batch, report: &report });
            });
        }
        drop(sender);
        let mut done = 0;
        loop {
            match receiver.recv_timeout(WATCH) {
                Ok(pieces) => done += pieces,
                Err(mpsc::RecvTimeoutError::Timeout) => (),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if !go_on(done) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    !stopped.load(Ordering::Relaxed)
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
