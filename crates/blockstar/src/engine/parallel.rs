//! Work that is shared by all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The results of `work` for 0, 1, … `count` - 1, in this order. Each thread has memory of its own.
/// `progress` is called on this thread with how many are done, and of how many. A panic of `work` is
/// passed on.
pub(crate) fn share<M: Default, T: Send>(
    count: usize,
    progress: &dyn Fn(usize, usize),
    work: impl Fn(&mut M, usize) -> T + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    share_among(threads, count, progress, work)
}

/// The same on at most this many threads. The results do not depend on the number.
pub(crate) fn share_among<M: Default, T: Send>(
    threads: usize,
    count: usize,
    progress: &dyn Fn(usize, usize),
    work: impl Fn(&mut M, usize) -> T + Sync,
) -> Vec<T> {
    const BATCH: usize = 64;
    let threads = threads.min(count.div_ceil(BATCH));
    if threads < 2 {
        // A thread of its own would take longer to start than a small map takes.
        let mut memory = M::default();
        let mut results = Vec::with_capacity(count);
        while results.len() < count {
            let batch = results.len()..count.min(results.len() + BATCH);
            results.extend(batch.map(|index| work(&mut memory, index)));
            progress(results.len(), count);
        }
        return results;
    }
    let (next, work) = (&AtomicUsize::new(0), &work);
    let mut batches: Vec<Vec<T>> = (0..count.div_ceil(BATCH)).map(|_| Vec::new()).collect();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut memory = M::default();
                loop {
                    let batch = next.fetch_add(1, Ordering::Relaxed);
                    let first = batch * BATCH;
                    if first >= count {
                        return;
                    }
                    let indices = first..count.min(first + BATCH);
                    let results: Vec<T> = indices.map(|i| work(&mut memory, i)).collect();
                    if sender.send((batch, results)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut done = 0;
        for (batch, results) in receiver {
            done += results.len();
            batches[batch] = results;
            progress(done, count);
        }
    });
    batches.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn results_come_in_order_and_progress_reaches_the_end() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let last = Cell::new(0);
            let progress = |done, of| {
                assert!(done > last.get() && of == count);
                last.set(done);
            };
            let squares = share(count, &progress, |_: &mut (), i| i * i);
            assert!(squares.into_iter().eq((0..count).map(|i| i * i)));
            assert_eq!(last.get(), count);
            for threads in [0, 1, 3] {
                last.set(0);
                let squares = share_among(threads, count, &progress, |_: &mut (), i| i * i);
                assert!(squares.into_iter().eq((0..count).map(|i| i * i)));
                assert_eq!(last.get(), count);
            }
        }
    }
}
