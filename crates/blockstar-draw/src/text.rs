//! Text and numbers for people, and for XML.

/// Escapes text for XML and HTML; control characters, which XML does not allow, become `?`.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            control if control.is_control() => escaped.push('?'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Rounds a number to two decimals.
pub fn short(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A whole number with commas between thousands.
pub fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with this many decimals, and never `-0`.
pub fn tidy(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_numbers_are_fit_for_pages() {
        assert_eq!(escaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot;?");
        assert_eq!(short(1.005_9), 1.01);
        assert_eq!(
            [0.4, 999.0, 1000.0, 1_234_567.0].map(thousands),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!([-0.3, -0.04, 0.0, -2.0].map(|v| tidy(v, 0)), ["0", "0", "0", "-2"]);
    }
}
