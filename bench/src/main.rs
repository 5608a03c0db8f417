//! Comparison with other crates.
fn main() {}
