//! Numbers as arguments.

/// A number, infinities included; the library knows the ranges.
pub fn number(text: &str) -> Result<f64, String> {
    parse(text, |number| !number.is_nan())
}

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    parse(text, f64::is_finite)
}

fn parse(text: &str, is_valid: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|&number| is_valid(number));
    number.ok_or_else(|| format!("`{}` is not a number: write it as in 1.5", text.escape_debug()))
}
