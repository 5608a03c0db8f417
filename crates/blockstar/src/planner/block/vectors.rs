//! Loops that are compiled once for each width of vectors, and which of them runs.

/// Runs a loop with the widest vectors that this machine has.
#[inline]
pub(crate) fn with_widest<W: pulp::WithSimd>(work: W) -> W::Output {
    // A WebAssembly module has vectors throughout or not at all, as it was compiled: a copy for
    // machines without them would never run, and took 40 KB.
    #[cfg(target_family = "wasm")]
    return work.with_simd(pulp::Scalar);
    #[cfg(test)]
    if narrow::IS_WANTED.get() {
        return work.with_simd(pulp::Scalar);
    }
    #[cfg(not(target_family = "wasm"))]
    pulp::Arch::new().dispatch(work)
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
