//! Maps on disk: pictures of every common kind in and out, maps written by file name, and suites of
//! benchmark maps with their scenarios.
//!
//! The formats themselves are in `blockstar::format` and in [`picture`](Picture), which work on
//! bytes; this crate adds the file system and error messages that name the file. A file is written
//! completely or not at all ([`write_file`]).

#![forbid(unsafe_code)]

mod picture;
mod suite;
mod target;
mod write;

pub use picture::{Grey, Picture};
pub use suite::{Course, Suite, scenario_beside, spread};
pub use target::{PictureFormat, Target};
pub use write::{replace_file, write_file};

use std::path::Path;

/// The extension of a file name, in lower case and without the dot.
pub fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |end| end.to_string_lossy().to_ascii_lowercase())
}
