//! Processor time: what a thread, or the whole process, has computed. Other programs on the machine
//! do not add to it, apart from what they take from the caches.
//!
//! Reading it is a call of the system, of the order of a microsecond: as much as a query of a fast
//! planner. The cost of a pair of readings is measured first and taken off each time, and queries
//! are timed in batches of at least a hundred times that cost ([`Clock::least`]), so that what the
//! subtraction misses is far below 1 %.

use cpu_time::{ProcessTime, ThreadTime};
use std::time::Duration;

/// A batch takes at least this many times what the clock takes.
const TIMES: f64 = 100.0;

/// Whose time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// That of the thread that asks.
    Thread,
    /// That of all threads, for work that is handed to others.
    Process,
}

/// A clock that knows its own cost. Times are in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    span: Span,
    cost: f64,
    least: f64,
}

impl Clock {
    /// A clock, after a few milliseconds of trying it.
    pub fn new(span: Span) -> Self {
        let mut pairs: Vec<f64> = (0..1001)
            .map(|_| {
                let start = now(span);
                micros(now(span).saturating_sub(start))
            })
            .collect();
        pairs.sort_by(f64::total_cmp);
        let cost = pairs[pairs.len() / 2];
        // Some systems count in ticks of milliseconds.
        let start = now(span);
        let step = loop {
            let step = micros(now(span).saturating_sub(start));
            if step > 0.0 {
                break step;
            }
        };
        Self { span, cost, least: TIMES * cost.max(step) }
    }

    /// How long a batch must take for the clock not to matter.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// Begins to count.
    pub fn start(&self) -> Start {
        Start(now(self.span))
    }

    /// The time since then.
    pub fn since(&self, start: Start) -> f64 {
        (micros(now(self.span).saturating_sub(start.0)) - self.cost).max(0.0)
    }
}

/// When counting began.
#[derive(Clone, Copy, Debug)]
pub struct Start(Duration);

fn now(span: Span) -> Duration {
    match span {
        Span::Thread => ThreadTime::now().as_duration(),
        Span::Process => ProcessTime::now().as_duration(),
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Cuts a row of times into pieces that each take at least `least`, by the times of all of `rows`;
/// returns where the pieces end. What is left over joins the last piece.
pub fn cut(rows: &[&[f64]], least: f64) -> Vec<usize> {
    let length = rows.first().map_or(0, |row| row.len());
    let mut ends = Vec::new();
    let mut sums = vec![0.0; rows.len()];
    for index in 0..length {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum += row[index];
        }
        if sums.iter().all(|sum| *sum >= least) {
            ends.push(index + 1);
            sums.fill(0.0);
        }
    }
    ends.pop();
    if length > 0 {
        ends.push(length);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_long_enough_for_everyone() {
        assert_eq!(cut(&[&[1.0; 7]], 2.0), [2, 4, 7]);
        assert_eq!(cut(&[&[1.0; 8]], 2.0), [2, 4, 6, 8]);
        assert_eq!(cut(&[&[1.0; 6], &[9.0, 0.0, 0.0, 0.0, 9.0, 9.0]], 2.0), [2, 6]);
        assert_eq!(cut(&[&[0.5]], 2.0), [1]);
        assert_eq!(cut(&[&[]], 2.0), [0; 0]);
        assert_eq!(cut(&[], 2.0), [0; 0]);
    }

    #[test]
    fn work_takes_time_and_nothing_takes_none() {
        for span in [Span::Thread, Span::Process] {
            let clock = Clock::new(span);
            assert!(clock.least() > 0.0);
            let start = clock.start();
            let mut random = blockstar::random::Random::new(1);
            let sum = (0..200_000).fold(0, |sum: u64, _| sum ^ random.next_u64());
            assert!(std::hint::black_box(sum) != 0 && clock.since(start) > 0.0);
        }
    }
}
