//! The outcome of one race, beside what was published about it.

use super::published::Published;
use crate::noise::Interval;
use crate::race::{Distance, Race, Row};
use serde::Serialize;

/// The rows of a race.
#[derive(Debug, Serialize)]
pub struct Suite {
    /// Its key in the numbers.
    pub name: String,
    /// Its label for people.
    pub title: String,
    /// The movement rule.
    pub moves: String,
    #[serde(flatten)]
    pub distance: Distance,
    /// One row per planner.
    pub rows: Vec<Row>,
    /// What was published.
    pub published: Vec<Published>,
}

impl Suite {
    /// The outcome of a race.
    pub fn of(race: &Race, name: &str, title: &str, published: &[Published]) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            moves: race.moves().to_string(),
            distance: race.distance(),
            rows: race.rows(),
            published: published.to_vec(),
        }
    }

    /// The row of a planner.
    pub fn row(&self, key: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == key)
    }

    /// What was published about a planner.
    pub fn printed(&self, key: &str) -> Option<&Published> {
        self.published.iter().find(|row| row.key == key)
    }

    fn over(&self, of: impl Fn(&Row) -> Option<f64>, a: &str, b: &str) -> f64 {
        let value = |key| self.row(key).and_then(&of).unwrap_or(f64::NAN);
        value(a) / value(b)
    }

    fn printed_over(&self, of: impl Fn(&Published) -> f64, a: &str, b: &str) -> f64 {
        let value = |key| self.printed(key).map_or(f64::NAN, &of);
        value(a) / value(b)
    }

    /// How many times as fast `fast` is as `slow`; NaN if one is missing, as below.
    pub fn speed(&self, fast: &str, slow: &str) -> f64 {
        self.over(|row| Some(row.mean_us), slow, fast)
    }

    /// The same with the interval of the repeats.
    pub fn speeds(&self, fast: &str, slow: &str) -> Interval {
        match (self.row(fast), self.row(slow)) {
            (Some(fast), Some(slow)) => slow.repeats_us.over(&fast.repeats_us),
            _ => Interval::UNKNOWN,
        }
    }

    /// The same as printed.
    pub fn printed_speed(&self, fast: &str, slow: &str) -> f64 {
        self.printed_over(|row| row.ms, slow, fast)
    }

    /// How much longer the paths of `a` are than those of `b`, in percent.
    pub fn excess(&self, a: &str, b: &str) -> f64 {
        (self.over(|row| Some(row.path.mean_length), a, b) - 1.0) * 100.0
    }

    /// The same as printed.
    pub fn printed_excess(&self, a: &str, b: &str) -> f64 {
        (self.printed_over(|row| row.length, a, b) - 1.0) * 100.0
    }

    /// The same after the paths of both were smoothed.
    pub fn smoothed_excess(&self, a: &str, b: &str) -> f64 {
        (self.over(|row| row.path.mean_smoothed_length, a, b) - 1.0) * 100.0
    }

    /// How many times as many nodes `a` expands as `b`.
    pub fn expansions(&self, a: &str, b: &str) -> f64 {
        self.over(|row| Some(row.work.mean_expansions), a, b)
    }

    /// The same as printed.
    pub fn printed_expansions(&self, a: &str, b: &str) -> f64 {
        self.printed_over(|row| row.expansions, a, b)
    }
}
