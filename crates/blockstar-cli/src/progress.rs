//! Progress bars on stderr, if a person looks at them.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A bar that counts up to `count` things of a name.
pub fn bar(count: u64, things: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left");
    let bar = ProgressBar::new(count);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
