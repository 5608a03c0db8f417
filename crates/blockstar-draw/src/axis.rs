//! Round numbers for axes.

/// The smallest step, 1, 2, 2.5, 5 or 10 times a power of ten, that divides a range into at most
/// six parts.
pub fn round_step(range: f64) -> f64 {
    let unit = 10_f64.powf((range / 4.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * unit);
    steps.into_iter().find(|step| range / step <= 6.0).unwrap_or(10.0 * unit)
}
