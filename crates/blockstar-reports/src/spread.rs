//! The median of repeated measurements, and how far it can be trusted.
//!
//! The interval is that of order statistics: of `n` sorted values, from the `k`-th smallest to the
//! `k`-th largest, with the largest `k` for which it holds the true median with a probability of at
//! least 95 %. It assumes nothing about the distribution of the values except that they are
//! independent. With fewer than 6 values there is no such interval.

/// The median of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median: of an even number of values the mean of the middle two.
    pub median: f64,
    /// Where it lies with a probability of 95 % or more.
    pub interval: Option<(f64, f64)>,
}

impl Spread {
    /// The spread of these values, if there are any.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let median = median(&sorted)?;
        let left_out = left_out(sorted.len());
        let interval = left_out.map(|k| (sorted[k], sorted[sorted.len() - 1 - k]));
        Some(Self { median, interval })
    }
}

/// How many of `n` sorted values lie outside the interval, on each side.
fn left_out(n: usize) -> Option<usize> {
    // The probability that at most this many values lie on one side of the true median: each does
    // with a probability of one half.
    let mut chance = 0.5_f64.powi(n as i32);
    let mut term = chance;
    let mut most = None;
    for k in 0..n {
        if 2.0 * chance > 0.05 {
            break;
        }
        most = Some(k);
        term *= (n - k) as f64 / (k + 1) as f64;
        chance += term;
    }
    most
}

/// The median of sorted numbers.
pub fn median(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((sorted[sorted.len() / 2 - 1] + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_counts() {
        let numbers = |count: usize| (1..=count).map(|n| n as f64).collect::<Vec<_>>();
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[1.0, 4.0]), Some(2.5));
        assert_eq!(median(&numbers(5)), Some(3.0));
        assert_eq!(median(&numbers(6)), Some(3.5));
    }

    /// The table found in every textbook on the sign test.
    #[test]
    fn intervals_hold_95_percent() {
        let outside = [5, 6, 8, 9, 11, 12, 15, 20, 25, 50].map(left_out);
        let want = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(3), Some(5), Some(7)];
        assert_eq!(outside[..9], want);
        assert_eq!(outside[9], Some(17));
        assert!(left_out(1000).is_some_and(|k| (460..480).contains(&k)));
        let nine = Spread::of((1..=9).rev().map(f64::from)).unwrap();
        assert_eq!(nine, Spread { median: 5.0, interval: Some((2.0, 8.0)) });
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([7.0]), Some(Spread { median: 7.0, interval: None }));
    }
}
