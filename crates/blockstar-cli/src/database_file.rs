//! Databases from files, mapped into memory: only what is used is read.

use blockstar::{Database, Lddb};
use memmap2::Mmap;
use std::error::Error;
use std::fs::File;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub enum Bytes {
    /// Mapped by the system.
    Mapped(Mmap),
    /// A copy, because empty files and pipes cannot be mapped.
    Read(Vec<u8>),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

/// The content of a file.
pub fn bytes(path: &Path) -> Result<Bytes, Box<dyn Error>> {
    let fault = |error| format!("{} cannot be read: {error}", path.display());
    let file = File::open(path).map_err(fault)?;
    // SAFETY: the bytes must not change while they are mapped. A command maps them for a moment;
    // that nobody writes to the database meanwhile is the caller's part, as with any program that
    // maps files.
    #[allow(unsafe_code)]
    let map = unsafe { Mmap::map(&file) };
    match map {
        Ok(map) if !map.is_empty() => Ok(Bytes::Mapped(map)),
        _ => Ok(Bytes::Read(std::fs::read(path).map_err(fault)?)),
    }
}

/// Whether a file claims to have been prepared by this library, by the bytes that all such files
/// begin with; whether it is whole is another question.
pub fn is_likely(bytes: &[u8]) -> bool {
    bytes.starts_with(b"blockst*")
}

/// The local distance database in a file.
pub fn lddb(path: &Path) -> Result<Lddb, Box<dyn Error>> {
    Lddb::open(bytes(path)?).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// What a planner has saved in a file, with that planner's name.
pub fn saved(path: &Path) -> Result<(&'static str, Bytes), Box<dyn Error>> {
    let name = path.display();
    let bytes = bytes(path)?;
    let database = Database::inspect(bytes.as_ref()).map_err(|error| format!("{name}: {error}"))?;
    let planner = database
        .kind()
        .planner()
        .ok_or_else(|| format!("{name} is a {}: pass it as --lddb", database.kind().name()))?;
    Ok((planner, bytes))
}
