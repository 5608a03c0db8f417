//! Loops that are compiled twice, for machines with wide vectors and for others, and which of the two
//! runs.
//!
//! Programs are compiled for the least that processors of a kind have: on x86-64 vectors of 16
//! bytes, without an instruction for the smaller of two integers. What a machine has beyond that must
//! be found out when the program runs, and code that uses it must only run where it is there. That
//! takes one `unsafe` call, which is why it has a crate to itself: the library forbids them. (The
//! crate `pulp` does the same and much more. It and what it depends on took 8 of 139 seconds of the
//! first build.)

/// A loop for vectors. All that it calls must be inlined into [`run`](VectorLoop::run), or it is not
/// compiled for them.
pub trait VectorLoop {
    /// What comes out of it.
    type Output;

    /// Runs the loop. `WIDE` says whether it is compiled for vectors of 16 bytes and more with all
    /// their instructions; without them it may do with less code. Implementations are
    /// `#[inline(always)]`.
    fn run<const WIDE: bool>(self) -> Self::Output;
}

/// Runs a loop with the widest vectors that this machine has.
#[inline(always)]
pub fn with_widest<L: VectorLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    return x86::with_widest(work);
    // A WebAssembly module has vectors throughout or not at all, as it was compiled.
    #[cfg(not(target_arch = "x86_64"))]
    work.run::<{ cfg!(target_arch = "aarch64") }>()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::VectorLoop;
    use std::sync::OnceLock;

    #[inline(always)]
    pub fn with_widest<L: VectorLoop>(work: L) -> L::Output {
        if has_avx2() {
            // SAFETY: the machine has what `wide` is compiled for.
            unsafe { wide(work) }
        } else {
            work.run::<false>()
        }
    }

    /// Vectors of 32 bytes, and what all processors with these have besides.
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn wide<L: VectorLoop>(work: L) -> L::Output {
        work.run::<true>()
    }

    /// Whether this machine has what [`wide`] is compiled for.
    #[inline]
    fn has_avx2() -> bool {
        static FOUND: OnceLock<bool> = OnceLock::new();
        *FOUND.get_or_init(|| {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u32]);

    impl VectorLoop for Sum<'_> {
        type Output = (u32, bool);

        #[inline(always)]
        fn run<const WIDE: bool>(self) -> (u32, bool) {
            (self.0.iter().sum(), WIDE)
        }
    }

    #[test]
    fn loops_run_wide_where_the_machine_is() {
        let numbers: Vec<u32> = (0..1000).collect();
        let (sum, wide) = with_widest(Sum(&numbers));
        assert_eq!(sum, 499_500);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(wide, is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
        assert_eq!(Sum(&numbers).run::<false>(), (sum, false));
        let _ = wide;
    }
}
