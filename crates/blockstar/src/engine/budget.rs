//! How much one call of [`Planner::resume`](crate::Planner::resume) may do.

use std::time::{Duration, Instant};

/// A limit on expansions, on time, on both or on nothing.
///
/// Slicing never changes an answer: a search resumed in slices of any size finds the same path,
/// with the same statistics, as one that runs through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    expansions: Option<u64>,
    deadline: Option<Instant>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { expansions: None, deadline: None };

    /// At most this many expansions, but at least one. Real-time planners make whole moves, at
    /// least one and as many as are guaranteed to fit, each of which counts as at least one
    /// expansion.
    pub const fn expansions(count: u64) -> Self {
        Self { expansions: Some(count), deadline: None }
    }

    /// Until a deadline. The clock is read every 64 expansions, or after each one by planners whose
    /// expansions scan the map (jump point search, ANYA); an expansion is never cut short.
    pub const fn until(deadline: Instant) -> Self {
        Self { expansions: None, deadline: Some(deadline) }
    }

    /// For some time from now. Where there is no clock (`wasm32-unknown-unknown`) this is no limit:
    /// use [expansions](Self::expansions) there.
    pub fn time(span: Duration) -> Self {
        Self { expansions: None, deadline: now().and_then(|now| now.checked_add(span)) }
    }

    /// The most expansions, if they are limited.
    pub const fn expansion_limit(self) -> Option<u64> {
        self.expansions
    }

    /// The deadline, if there is one.
    pub const fn deadline(self) -> Option<Instant> {
        self.deadline
    }

    /// Adds a deadline to this budget.
    #[must_use]
    pub const fn and_until(self, deadline: Instant) -> Self {
        Self { expansions: self.expansions, deadline: Some(deadline) }
    }
}

/// The time, if there is a clock; without one, asking would panic.
fn now() -> Option<Instant> {
    (!cfg!(all(target_arch = "wasm32", target_os = "unknown"))).then(Instant::now)
}

/// A budget being spent.
#[derive(Debug)]
pub(crate) struct Meter {
    left: u64,
    deadline: Option<Instant>,
    clock_every: u32,
    until_clock: u32,
}

impl Meter {
    /// A budget for expansions that take about the same, short time.
    pub fn new(budget: Budget) -> Self {
        Self::with_clock_every(budget, 64)
    }

    /// A budget for expansions that may each take long.
    pub fn for_scans(budget: Budget) -> Self {
        Self::with_clock_every(budget, 1)
    }

    fn with_clock_every(budget: Budget, clock_every: u32) -> Self {
        let left = budget.expansions.map_or(u64::MAX, |count| count.max(1));
        Self { left, deadline: budget.deadline, clock_every, until_clock: clock_every }
    }

    /// Pays for a move of a real-time planner: its expansions, and at least one. Reads the clock.
    pub fn pay_move(&mut self, expansions: u64) {
        self.left = self.left.saturating_sub(expansions.max(1));
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.left = 0;
        }
    }

    /// Whether at least this many expansions, and at least one, are left.
    pub fn holds(&self, expansions: u64) -> bool {
        self.left >= expansions.max(1)
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Pays for one expansion.
    #[inline]
    pub fn pay(&mut self) {
        self.left -= 1;
        if let Some(deadline) = self.deadline {
            self.until_clock -= 1;
            if self.until_clock == 0 {
                self.until_clock = self.clock_every;
                if Instant::now() >= deadline {
                    self.left = 0;
                }
            }
        }
    }
}
