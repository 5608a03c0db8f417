//! What goes to standard output and to files.
//!
//! `println!` panics when the reader of a pipe is gone, as in `blockstar route ... | head`. Every
//! command writes through [`print()`] instead, for which a closed pipe is not an error.

use blockstar_draw::{Kind, Scene};
use std::error::Error;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes to standard output. A closed pipe is not an error.
pub fn print(text: &str) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
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
pub fn write_picture(kind: Kind, scene: &Scene<'_>, path: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = kind
        .encode(scene)
        .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
    write_file(path, &bytes)
}
