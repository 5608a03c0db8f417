//! Progress bars on stderr, if a person looks at them.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

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

/// A sign that work of unknown length goes on, with the time it has taken.
pub fn spinner(message: String) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner();
    let spinner = match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        Ok(style) => spinner.with_style(style),
        Err(_) => spinner,
    };
    spinner.set_message(message);
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}
