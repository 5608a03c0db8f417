//! How much one call of [`Planner::resume`](crate::Planner::resume) may do.

use std::time::{Duration, Instant};

/// A limit on expansions, on time, on both or on nothing.
///
/// Slicing never changes an answer: a search resumed in slices of any size finds the same path,
/// with the same statistics, as one that runs through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    expansions: Option<u64>,
    deadline: Option<Instant>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { expansions: None, deadline: None };

    /// At most this many expansions, but at least one.
    pub const fn expansions(count: u64) -> Self {
        Self { expansions: Some(count), deadline: None }
    }

    /// Until a moment. The clock is read every 64 expansions.
    pub const fn until(deadline: Instant) -> Self {
        Self { expansions: None, deadline: Some(deadline) }
    }

    /// For a while from now.
    pub fn time(span: Duration) -> Self {
        Self { expansions: None, deadline: Instant::now().checked_add(span) }
    }

    /// Adds a deadline to this budget.
    #[must_use]
    pub const fn and_until(self, deadline: Instant) -> Self {
        Self { expansions: self.expansions, deadline: Some(deadline) }
    }
}

/// A budget being spent.
#[derive(Debug)]
pub(crate) struct Meter {
    left: u64,
    deadline: Option<Instant>,
    until_clock: u32,
}

const CLOCK_EVERY: u32 = 64;

impl Meter {
    pub fn new(budget: Budget) -> Self {
        let left = budget.expansions.map_or(u64::MAX, |count| count.max(1));
        Self { left, deadline: budget.deadline, until_clock: CLOCK_EVERY }
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
                self.until_clock = CLOCK_EVERY;
                if Instant::now() >= deadline {
                    self.left = 0;
                }
            }
        }
    }
}
