//! How an experiment reports what it is doing.

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
}

impl Progress for () {
    fn total(&self, _: u64) {}
    fn doing(&self, _: &str) {}
    fn step(&self) {}
    fn note(&self, _: &str) {}
}
