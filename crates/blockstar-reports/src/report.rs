//! A report on disk: a folder with a page for people, `index.html`, and all numbers, `report.json`.

use crate::Progress;
use blockstar_files::write_file;
use serde::Serialize;
use std::error::Error;
use std::path::Path;

/// A finished report, beside its files.
#[derive(Clone, Debug)]
pub struct Published {
    /// All numbers as JSON; the content of `report.json`.
    pub json: String,
    /// The numbers in short, for a terminal.
    pub summary: String,
}

/// Creates the folder of a report: before the work, not after it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))
}

/// Writes a report and its page to the folder. The summary is given the path of the page, and how
/// many columns its tables may have.
pub(crate) fn publish<R: Serialize>(
    folder: &Path,
    report: &R,
    page: &str,
    progress: &dyn Progress,
    summary: impl FnOnce(&R, &Path, usize) -> String,
) -> Result<Published, Box<dyn Error>> {
    let json = serde_json::to_string_pretty(report)? + "\n";
    let index = folder.join("index.html");
    write_file(&folder.join("report.json"), json.as_bytes())?;
    write_file(&index, page.as_bytes())?;
    Ok(Published { json, summary: summary(report, &index, progress.columns()) })
}
