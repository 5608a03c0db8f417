//! Databases from files. They are read, not mapped into memory: if another process truncates a
//! mapped file, the system kills the one that reads it, and since the checksum covers every byte,
//! nothing would be gained.

use blockstar::{Database, Lddb};
use std::error::Error;
use std::path::Path;

/// The bytes of a file.
pub type Bytes = Vec<u8>;

/// The content of a file.
pub fn bytes(path: &Path) -> Result<Bytes, Box<dyn Error>> {
    std::fs::read(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()).into())
}

/// Whether a file claims to be from this library, judging by its first bytes; it may still be
/// damaged.
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
    let database = Database::inspect(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let planner = database
        .kind()
        .planner()
        .ok_or_else(|| format!("{name} is a {}: pass it as --lddb", database.kind().name()))?;
    Ok((planner, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Grid, Moves, Planner, Query, Scratch, Status};

    /// With a mapped file, the first look at a table would have killed the process.
    #[test]
    fn a_file_that_is_cut_short_while_it_is_used_does_no_harm() {
        let path = std::env::temp_dir().join(format!("blockstar-cut-{}", std::process::id()));
        let lddb = Lddb::complete(Moves::EIGHT, 4).unwrap();
        std::fs::write(&path, lddb.as_bytes()).unwrap();
        let opened = super::lddb(&path).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let grid = Grid::new(20, 20).unwrap();
        let planner = opened.planner(&grid).unwrap();
        let query = Query::new(blockstar::Cell::new(0, 0), blockstar::Cell::new(19, 11));
        let mut scratch = Scratch::new();
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        assert_eq!(opened.as_bytes(), lddb.as_bytes());
        std::fs::remove_file(&path).unwrap();
    }
}
