//! What a file of prepared data says about itself. The rows of the registry know which kinds they
//! save and how to read the parameters of each.

use super::{Algorithm, SavedFile};
use crate::db::{IntactFile, VERSION};
use crate::{DatabaseKind, Error, Moves};

impl DatabaseKind {
    /// The planner that opens it, by its name in the registry; none for tables, which fit any map.
    pub fn planner(self) -> Option<&'static str> {
        self.file().map(|(row, _)| row.name).filter(|_| self != Self::Lddb)
    }

    /// The row whose planner saves this kind of file, and how.
    fn file(self) -> Option<(&'static Algorithm, &'static SavedFile)> {
        Algorithm::all()
            .iter()
            .find_map(|row| row.files.iter().find(|file| file.kind == self).map(|file| (row, file)))
    }
}

/// The header of a database of any kind.
///
/// ```
/// use blockstar::{Database, DatabaseKind, Lddb, Moves};
/// let bytes = Lddb::complete(Moves::FOUR, 2)?.save();
/// let database = Database::inspect(&bytes)?;
/// assert_eq!(database.kind(), DatabaseKind::Lddb);
/// assert_eq!(database.moves(), Moves::FOUR);
/// assert_eq!(database.map(), None);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Database {
    kind: DatabaseKind,
    moves: Moves,
    map: Option<u64>,
    parameters: u64,
    bytes: usize,
}

impl Database {
    /// Reads the header of a database, and checks that the rest is complete and undamaged.
    pub fn inspect(bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |problem| Error::Database { kind: "file", problem };
        let file = IntactFile::read(bytes, refuse)?;
        let Some(kind) = DatabaseKind::of(file.kind) else {
            return Err(refuse(format!("it is of the unknown kind {}", file.kind)));
        };
        let moves = kind
            .file()
            .and_then(|(_, saved)| (saved.moves)(file.parameters))
            .ok_or_else(|| kind.refuse("it was made for an unknown movement rule"))?;
        let map = Some(file.grid).filter(|_| kind != DatabaseKind::Lddb);
        Ok(Self { kind, moves, map, parameters: file.parameters, bytes: bytes.len() })
    }

    /// What it holds.
    pub const fn kind(&self) -> DatabaseKind {
        self.kind
    }

    /// The movement rule it was made for.
    pub const fn moves(&self) -> Moves {
        self.moves
    }

    /// The [hash](crate::Grid::content_hash) of the map it was made for; none if it fits any map.
    pub const fn map(&self) -> Option<u64> {
        self.map
    }

    /// The planner that made it, with all its parameters, if the file says so. Read by
    /// [`Algorithm::named`](crate::Algorithm::named) and prepared for the map, it saves the same
    /// file.
    pub fn maker(&self) -> Option<String> {
        self.kind.file().and_then(|(_, file)| (file.maker)(self.parameters))
    }

    /// Its size in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The version of the format: this library reads only one.
    pub const fn format(&self) -> u32 {
        VERSION
    }
}
