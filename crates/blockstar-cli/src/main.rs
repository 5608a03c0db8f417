//! The command line of blockstar.
fn main() {}
