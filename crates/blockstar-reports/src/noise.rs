//! Repeats of a measurement, and what can be said despite the noise.

use crate::claim::Verdict;
use serde::Serialize;
use std::fmt;

/// What was measured in each repeat, in the order of the repeats.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Repeats(Vec<f64>);

impl Repeats {
    /// The number of measurements of a time that a claim rests on.
    pub const COUNT: usize = 3;

    /// Adds to the value of one repeat.
    pub fn add(&mut self, repeat: usize, value: f64) {
        if self.0.len() <= repeat {
            self.0.resize(repeat + 1, 0.0);
        }
        self.0[repeat] += value;
    }

    /// Adds the values of another measurement, repeat by repeat, multiplied by `share`.
    pub fn add_all(&mut self, other: &Self, share: f64) {
        for (repeat, value) in other.0.iter().enumerate() {
            self.add(repeat, value * share);
        }
    }

    /// The same in another unit.
    pub fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|value| value * factor).collect())
    }

    /// The same per item, for the number of items counted in each repeat.
    pub fn each_over(&self, counts: &[u32]) -> Self {
        let pairs = self.0.iter().zip(counts).filter(|(_, count)| **count > 0);
        Self(pairs.map(|(value, &count)| value / f64::from(count)).collect())
    }

    /// All repeats together.
    pub fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The mean of all repeats.
    pub fn mean(&self) -> f64 {
        self.sum() / self.0.len() as f64
    }

    /// The ratio of this to another, repeat by repeat: what disturbs a repeat disturbs both.
    pub fn over(&self, other: &Self) -> Interval {
        let ratios = self.0.iter().zip(&other.0).map(|(a, b)| a / b);
        Interval { mean: self.mean() / other.mean(), ..Interval::around(ratios) }
    }

    /// From the smallest to the largest repeat.
    pub fn interval(&self) -> Interval {
        Interval { mean: self.mean(), ..Interval::around(self.0.iter().copied()) }
    }
}

/// A measured value and the spread of its repeats.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Interval {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Default for Interval {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

impl Interval {
    /// An unknown value.
    pub const UNKNOWN: Self = Self { mean: f64::NAN, low: f64::NAN, high: f64::NAN };

    fn around(values: impl Iterator<Item = f64>) -> Self {
        values.fold(Self::UNKNOWN, |all, value| Self {
            low: all.low.min(value),
            high: all.high.max(value),
            ..all
        })
    }

    /// Whether the claim holds that the value is at least this: only if every repeat says so. It is
    /// within noise if the repeats disagree.
    pub fn at_least(&self, claimed: f64) -> Verdict {
        match self {
            Self { mean, .. } if mean.is_nan() => Verdict::NotTested,
            Self { low, .. } if *low >= claimed => Verdict::Holds,
            Self { high, .. } if *high < claimed => Verdict::DoesNotHold,
            _ => Verdict::WithinNoise,
        }
    }

    /// The same for a claim that the value is below this.
    pub fn below(&self, claimed: f64) -> Verdict {
        match self.at_least(claimed) {
            Verdict::Holds => Verdict::DoesNotHold,
            Verdict::DoesNotHold => Verdict::Holds,
            open => open,
        }
    }

    /// The same for a claim that the value lies between two others, without tolerance.
    pub fn between(&self, low: f64, high: f64) -> Verdict {
        self.at_least(low).and(self.below(high))
    }
}

/// The mean with the smallest and the largest, `-` if nothing was measured; all with the same
/// precision.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, low, high } = self;
        if mean.is_nan() {
            return f.write_str("-");
        }
        let decimals = f.precision().unwrap_or(2);
        write!(f, "{mean:.decimals$} ({low:.decimals$} to {high:.decimals$})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(values: &[f64]) -> Repeats {
        let mut repeats = Repeats::default();
        values.iter().enumerate().for_each(|(index, &value)| repeats.add(index, value));
        repeats
    }

    #[test]
    fn a_claim_inside_the_interval_is_within_noise() {
        let ratio = repeats(&[18.0, 21.0, 24.0]).over(&repeats(&[10.0, 10.0, 10.0]));
        assert_eq!(ratio.to_string(), "2.10 (1.80 to 2.40)");
        let verdicts = [1.8, 2.0, 2.5].map(|claimed| ratio.at_least(claimed));
        assert_eq!(verdicts, [Verdict::Holds, Verdict::WithinNoise, Verdict::DoesNotHold]);
        let verdicts = [1.8, 2.0, 2.5].map(|claimed| ratio.below(claimed));
        assert_eq!(verdicts, [Verdict::DoesNotHold, Verdict::WithinNoise, Verdict::Holds]);
        assert_eq!(ratio.between(1.5, 2.5), Verdict::Holds);
        assert_eq!(Interval::UNKNOWN.below(1.0), Verdict::NotTested);
        assert_eq!(Interval::UNKNOWN.to_string(), "-");
    }

    /// A slow repeat slows both sides of a ratio.
    #[test]
    fn ratios_are_formed_repeat_by_repeat() {
        let ratio = repeats(&[10.0, 20.0]).over(&repeats(&[5.0, 10.0]));
        assert_eq!((ratio.low, ratio.mean, ratio.high), (2.0, 2.0, 2.0));
        let mut sum = repeats(&[1.0, 2.0]);
        sum.add_all(&repeats(&[4.0, 4.0]), 0.5);
        assert_eq!(sum.interval().to_string(), "3.50 (3.00 to 4.00)");
        assert_eq!(sum.times(2.0).mean(), 7.0);
    }
}
