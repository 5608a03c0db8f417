//! Loops that are compiled once for each width of vectors, and which of them runs.

/// Runs a loop with the widest vectors that this machine has.
#[inline]
pub(crate) fn with_widest<W: pulp::WithSimd>(work: W) -> W::Output {
    // A WebAssembly module has vectors throughout or not at all, as it was compiled: a copy for
    // machines without them would never run, and took 40 KB.
    #[cfg(target_family = "wasm")]
    return work.with_simd(pulp::Scalar);
    #[cfg(not(target_family = "wasm"))]
    pulp::Arch::new().dispatch(work)
}
