//! The ticks of axes and the numbers beside them.

use blockstar_draw::{round_step, short};

/// From 0 to at least `high` in four to eight round steps.
pub fn linear_ticks(high: f64) -> Vec<f64> {
    let high = if high > 0.0 { high } else { 1.0 };
    let step = round_step(high);
    (0..=(high / step).ceil() as u32).map(|index| f64::from(index) * step).collect()
}

/// Values such as 1, 2, 5, 10 from at most `low` to at least `high`, two or more; only powers of
/// ten if there would be many. A `low` above `high` means no values at all.
pub fn logarithmic_ticks(low: f64, high: f64) -> Vec<f64> {
    let (low, high) = match () {
        () if low < high => (low, high),
        () if low == high => (low / 1.5, low * 1.5),
        () => (0.5, 2.0),
    };
    let parts: &[f64] = if high / low > 300.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let all: Vec<f64> = decades
        .flat_map(|decade| parts.iter().map(move |part| part * 10_f64.powi(decade)))
        .collect();
    let first = all.iter().rposition(|&tick| tick <= low).unwrap_or(0);
    let last = all.iter().position(|&tick| tick >= high).unwrap_or(all.len() - 1);
    all[first..=last.max(first + 1).min(all.len() - 1)].to_vec()
}

/// A number for an axis.
pub fn amount(value: f64) -> String {
    match value {
        v if v >= 10_000.0 => format!("{}k", short(v / 1000.0)),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 0.1 => format!("{}", short(v)),
        v => format!("{}", (v * 100_000.0).round() / 100_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        assert_eq!(linear_ticks(5.3), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(linear_ticks(0.0).last(), Some(&1.0));
        assert_eq!(logarithmic_ticks(0.7, 13.0), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(logarithmic_ticks(240.0, 480_000.0).first(), Some(&100.0));
        assert_eq!(logarithmic_ticks(3.0, 3.0), [2.0, 5.0]);
        assert_eq!(logarithmic_ticks(f64::MAX, 0.0), [0.5, 1.0, 2.0]);
    }
}
