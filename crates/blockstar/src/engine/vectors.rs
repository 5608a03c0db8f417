//! Loops that are compiled once for machines with wide vectors and once for others.

pub(crate) use blockstar_vectors::VectorLoop;

/// Runs a loop with the widest vectors that this machine has.
#[inline]
pub(crate) fn with_widest<L: VectorLoop>(work: L) -> L::Output {
    #[cfg(test)]
    if narrow::IS_WANTED.get() {
        return work.run::<false>();
    }
    blockstar_vectors::with_widest(work)
}

/// For tests of what runs on machines without wide vectors.
#[cfg(test)]
pub(crate) mod narrow {
    use std::cell::Cell;

    thread_local! {
        /// Whether this thread does without wide vectors.
        pub static IS_WANTED: Cell<bool> = const { Cell::new(false) };
    }
}
