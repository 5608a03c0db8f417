//! Long work that Ctrl-C ends without losing its results so far.
//!
//! The work runs on a thread of its own and leaves its results where others can see them; this
//! thread waits for its end or for the signal. After the signal it does not wait for the work: a
//! single preparation may take minutes. The process ends with the results so far and code 130; a
//! second Ctrl-C ends it at once.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
pub const EXIT_CODE: u8 = 130;

/// How often to check for the signal: fast enough for a person, and too rarely to disturb a
/// measurement.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs the work; `None` if it was interrupted, in which case it goes on until the process ends.
pub fn watch<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>, String> {
    let interrupted = Arc::new(AtomicBool::new(false));
    // In this order, so that only a second signal finds the flag set.
    flag::register_conditional_shutdown(SIGINT, EXIT_CODE.into(), interrupted.clone())
        .and_then(|_| flag::register(SIGINT, interrupted.clone()))
        .map_err(|error| format!("Ctrl-C cannot be watched for: {error}"))?;
    let (sender, receiver) = mpsc::channel();
    // After an interruption nobody is listening any more.
    let worker = std::thread::spawn(move || drop(sender.send(work())));
    loop {
        match receiver.recv_timeout(PAUSE) {
            Ok(result) => return Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                return Ok(None);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err("the work ended without a result".into()),
            },
        }
    }
}
