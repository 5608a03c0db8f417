//! Progress lines on standard error, only drawn on a terminal.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two drawings: often enough to look alive, seldom enough to cost nothing.
const PAUSE: Duration = Duration::from_millis(100);

/// The columns of a bar, and of a whole line: no terminal is narrower, and a line must not wrap.
const BAR: usize = 30;
const LINE: usize = 79;

/// Returns to the beginning of the line and clears it.
const CLEAR: &str = "\r\x1b[K";

/// A line that counts up to a number of things. Threads may share it.
#[derive(Debug)]
pub struct Bar {
    things: String,
    /// None if standard error is not a terminal.
    state: Option<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    start: Instant,
    drawn: Option<Instant>,
    message: String,
    done: u64,
    total: u64,
}

/// A bar that counts up to `total` things of a name.
pub fn bar(total: u64, things: &str) -> Bar {
    let state =
        State { start: Instant::now(), drawn: None, message: String::new(), done: 0, total };
    let state = std::io::stderr().is_terminal().then(|| Mutex::new(state));
    Bar { things: things.into(), state }
}

impl Bar {
    /// Adds to the number done.
    pub fn advance(&self, more: u64) {
        self.change(|state| state.done += more);
    }

    /// Sets the number done and the total.
    pub fn set(&self, done: u64, total: u64) {
        self.change(|state| (state.done, state.total) = (done, total));
    }

    /// Sets the total.
    pub fn set_total(&self, total: u64) {
        self.change(|state| state.total = total);
    }

    /// Shows what is being done.
    pub fn set_message(&self, message: &str) {
        self.change(|state| {
            state.message = message.into();
            state.drawn = None;
        });
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.state.is_some() {
            eprint!("{CLEAR}");
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let Some(state) = &self.state else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if state.drawn.is_none_or(|drawn| drawn.elapsed() >= PAUSE) {
            state.drawn = Some(Instant::now());
            show(&state.line(&self.things, state.start.elapsed()));
        }
    }
}

impl State {
    fn line(&self, things: &str, elapsed: Duration) -> String {
        let Self { message, done, total, .. } = self;
        let part = (*done as f64 / (*total).max(1) as f64).min(1.0);
        let full = (part * BAR as f64) as usize;
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(BAR - full));
        let left = if part > 0.0 {
            format!(", {} left", seconds(elapsed.mul_f64(1.0 / part - 1.0)))
        } else {
            String::new()
        };
        let counted = format!("{bar} {done}/{total} {things}{left}");
        let room = LINE.saturating_sub(counted.chars().count() + 1);
        let message: String = message.chars().take(room).collect();
        format!("{message} {counted}")
    }
}

/// Shows that work of unknown length is going on, and for how long.
#[derive(Debug)]
pub struct Spinner {
    /// Dropping the sender ends the thread.
    thread: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

/// Shows that something is going on until it is cleared.
pub fn spinner(message: String) -> Spinner {
    if !std::io::stderr().is_terminal() {
        return Spinner { thread: None };
    }
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let start = Instant::now();
        for sign in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".chars().cycle() {
            show(&format!("{sign} {message}, {}", seconds(start.elapsed())));
            if receiver.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        eprint!("{CLEAR}");
    });
    Spinner { thread: Some((sender, thread)) }
}

impl Spinner {
    /// Removes the line.
    pub fn clear(self) {
        if let Some((sender, thread)) = self.thread {
            drop(sender);
            // A thread that panicked has reported it itself.
            let _ = thread.join();
        }
    }
}

fn show(line: &str) {
    let mut out = std::io::stderr().lock();
    // The work continues even if progress cannot be shown.
    let _ = write!(out, "{CLEAR}{line}").and_then(|()| out.flush());
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        s if s < 60 => format!("{s}s"),
        s if s < 3600 => format!("{}m{:02}s", s / 60, s % 60),
        s => format!("{}h{:02}m", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_and_shows_the_time_left() {
        let state = State {
            start: Instant::now(),
            drawn: None,
            message: "planner".repeat(20),
            done: 25,
            total: 100,
        };
        let line = state.line("cells", Duration::from_secs(40));
        assert_eq!(line.chars().count(), LINE);
        assert!(line.ends_with("25/100 cells, 2m00s left"), "{line}");
        assert_eq!(line.matches('█').count(), BAR / 4);
        assert_eq!(
            [0, 59, 61, 3700].map(|s| seconds(Duration::from_secs(s))),
            ["0s", "59s", "1m01s", "1h01m"]
        );
    }
}
