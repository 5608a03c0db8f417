//! How an experiment reports what it is doing.

use serde::Serialize;

/// Follows an experiment. `()` ignores everything.
pub trait Progress {
    /// The number of steps in all, before the first of them.
    fn total(&self, steps: u64);

    /// What is being done now.
    fn doing(&self, what: &str);

    /// A step is done.
    fn step(&self);

    /// Something that the user should know, such as maps that are missing.
    fn note(&self, note: &str);

    /// A part of the report is finished, or more of it than last time: what remains if the
    /// experiment is interrupted.
    fn part(&self, name: &str, numbers: serde_json::Value) {
        let _ = (name, numbers);
    }

    /// The width of the summary's tables, in columns.
    fn columns(&self) -> usize {
        usize::MAX
    }
}

/// Reports that a part is finished, and returns it.
pub(crate) fn told<T: Serialize>(progress: &dyn Progress, name: &str, part: T) -> T {
    // What cannot be written as JSON is reported when the report is written.
    if let Ok(numbers) = serde_json::to_value(&part) {
        progress.part(name, numbers);
    }
    part
}

impl Progress for () {
    fn total(&self, _: u64) {}
    fn doing(&self, _: &str) {}
    fn step(&self) {}
    fn note(&self, _: &str) {}
}
