//! Output to standard output and to files.
//!
//! `println!` panics when the reader of a pipe is gone, as in `blockstar route ... | head`. Every
//! command writes through [`print()`] instead, for which a closed pipe is not an error.

use blockstar_draw::{PictureFormat, Scene};
use blockstar_reports::table::Table;
use std::error::Error;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes to standard output. A closed pipe is not an error.
pub fn print(text: &str) -> Result<(), Box<dyn Error>> {
    print_bytes(text.as_bytes())
}

/// The same for bytes of any kind.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output cannot be written: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Writes a value as one line of JSON to standard output.
pub fn print_json(value: &serde_json::Value) -> Result<(), Box<dyn Error>> {
    print(&format!("{value}\n"))
}

/// Writes a file, as a command reports it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    Ok(blockstar_files::write_file(path, bytes)?)
}

/// Draws a scene to a file.
pub fn write_picture(
    kind: PictureFormat,
    scene: &Scene<'_>,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let bytes = kind
        .encode(scene)
        .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
    write_file(path, &bytes)
}

/// The medium that tables are printed on.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// The columns of a terminal; `None` is wide enough for everything.
    columns: Option<usize>,
}

impl Screen {
    /// The width of a terminal comes from `COLUMNS` or the system; a file or a pipe is as wide as
    /// needed.
    pub fn of_stdout() -> Self {
        let said = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|&n: &usize| n > 0);
        let terminal = std::io::stdout().is_terminal();
        Self { columns: if terminal { said().or_else(system_columns) } else { None } }
    }

    /// The columns, if there is a limit.
    pub fn columns(self) -> Option<usize> {
        self.columns
    }

    /// A table, in several parts if it is too wide.
    pub fn fold(self, table: &Table) -> String {
        table.folded(self.columns.unwrap_or(usize::MAX))
    }
}

/// The columns of the terminal, if the system knows them.
#[cfg(unix)]
fn system_columns() -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: this request writes one `winsize`, which `size` is, and keeps no reference to it.
    #[allow(unsafe_code)]
    let answer = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size) };
    (answer == 0 && size.ws_col > 0).then_some(size.ws_col.into())
}

#[cfg(not(unix))]
fn system_columns() -> Option<usize> {
    None
}
