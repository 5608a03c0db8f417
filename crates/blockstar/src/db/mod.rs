//! Prepared data as bytes: written once, opened from a file, a memory map or `include_bytes!`.
//!
//! Every database begins with the same 48 bytes, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | [`MAGIC`] |
//! | 8..12 | the version of the format |
//! | 12..16 | the [`DatabaseKind`] of data |
//! | 16..24 | the parameters it was made with, as the kind defines them |
//! | 24..32 | [`Grid::content_hash`](crate::Grid::content_hash) of the map it was made for |
//! | 32..40 | how many bytes follow the header |
//! | 40..48 | the [`Fingerprint`] of all other bytes |
//!
//! Anything but exactly what was asked for is an error that says what is wrong. Sizes that a
//! database claims are checked against its actual bytes before anything is allocated.

mod fingerprint;
mod kind;
pub(crate) mod parameters;

use crate::{Error, Moves};
pub(crate) use fingerprint::Fingerprint;
pub use kind::DatabaseKind;
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"blockst*";
pub(crate) const VERSION: u32 = 2;
pub(crate) const HEADER: usize = 48;

/// What a database must match, and what a new one is marked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub kind: DatabaseKind,
    pub parameters: u64,
    /// The content hash of the map.
    pub grid: u64,
}

/// Puts a header in front of a payload.
pub(crate) fn seal(label: Label, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(label.kind as u32).to_le_bytes());
    bytes.extend_from_slice(&label.parameters.to_le_bytes());
    bytes.extend_from_slice(&label.grid.to_le_bytes());
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    let checksum = checksum(&bytes, payload);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// An undamaged database of any kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntactFile<'a> {
    /// The number of its [`DatabaseKind`].
    pub kind: u32,
    pub parameters: u64,
    pub grid: u64,
    pub payload: &'a [u8],
}

impl<'a> IntactFile<'a> {
    /// Reads the header of a database of any kind. `refuse` turns a problem into an error.
    pub fn read(bytes: &'a [u8], refuse: impl Fn(String) -> Error) -> Result<Self, Error> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(refuse("it is not a file of this library (its first bytes say so)".into()));
        }
        if let Some(version) = bytes.get(8..).and_then(|mut rest| take_u32(&mut rest))
            && version != VERSION
        {
            return Err(refuse(format!(
                "it has format {version} and this library reads format {VERSION}: build it again"
            )));
        }
        let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
            return Err(refuse(format!(
                "it ends after {} bytes, within its header: fetch it again",
                bytes.len()
            )));
        };
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i]));
        let length = number(32);
        if length != payload.len() as u64 {
            return Err(refuse(format!(
                "it should have {length} bytes after its header and has {}: fetch it again",
                payload.len()
            )));
        }
        if number(40) != checksum(&header[..40], payload) {
            return Err(refuse("its checksum is wrong, so it is damaged: fetch it again".into()));
        }
        let kind = (number(8) >> 32) as u32;
        Ok(Self { kind, parameters: number(16), grid: number(24), payload })
    }

    /// The same for a database of a certain kind.
    pub fn of(bytes: &'a [u8], kind: DatabaseKind) -> Result<Self, Error> {
        let file = Self::read(bytes, |problem| kind.refuse(problem))?;
        if file.kind != kind as u32 {
            let other = DatabaseKind::of(file.kind).map_or_else(
                || format!("something of kind {}", file.kind),
                |other| format!("a {}", other.name()),
            );
            return Err(kind.refuse(format!("it is {other}")));
        }
        Ok(file)
    }

    /// The same for a database of a certain map and movement rule; the other parameters are its
    /// own.
    pub fn for_map(
        bytes: &'a [u8],
        kind: DatabaseKind,
        map: u64,
        moves: Moves,
    ) -> Result<Self, Error> {
        let file = Self::of(bytes, kind)?;
        parameters::check_moves(file.parameters, moves).map_err(|problem| kind.refuse(problem))?;
        file.check_map(kind, map)?;
        Ok(file)
    }

    /// The payload, if the database has this label. `describe` puts parameters into words.
    pub fn unseal(self, label: Label, describe: impl Fn(u64) -> String) -> Result<&'a [u8], Error> {
        let Label { kind, parameters, grid } = label;
        if self.parameters != parameters {
            return Err(kind.refuse(format!(
                "it was made for {}, not for {}",
                describe(self.parameters),
                describe(parameters)
            )));
        }
        self.check_map(kind, grid)?;
        Ok(self.payload)
    }

    fn check_map(&self, kind: DatabaseKind, map: u64) -> Result<(), Error> {
        if self.grid == map {
            return Ok(());
        }
        Err(kind.refuse("it was made for another map, or for this one before an edit"))
    }
}

/// The payload of a database, if it is undamaged and has this label.
pub(crate) fn unseal(
    bytes: &[u8],
    label: Label,
    describe: impl Fn(u64) -> String,
) -> Result<&[u8], Error> {
    IntactFile::of(bytes, label.kind)?.unseal(label, describe)
}

/// The next 32-bit number of a payload.
pub(crate) fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number))
}

/// The next 64-bit number of a payload.
pub(crate) fn take_u64(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

/// Bytes with shared ownership, wherever they are.
#[derive(Clone)]
pub(crate) struct SharedBytes(pub Arc<dyn AsRef<[u8]> + Send + Sync>);

impl AsRef<[u8]> for SharedBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl std::fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.as_ref().len())
    }
}

fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    #[cfg(test)]
    tests::CHECKSUMS.set(tests::CHECKSUMS.get() + 1);
    let mut fingerprint = Fingerprint::new();
    fingerprint.add_bytes(header);
    fingerprint.add_bytes(payload);
    fingerprint.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    thread_local! {
        /// How many checksums this thread has computed.
        pub(super) static CHECKSUMS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    /// DBA* and PRA* once computed the checksum of a file twice, which for some files is most of
    /// the opening time.
    #[test]
    fn every_planner_checks_the_sum_of_a_file_once() {
        let grid = crate::generate::caves(24, 20, 3).unwrap();
        let mut files = 0;
        for row in crate::Algorithm::all() {
            let moves = if row.rules.contains(&crate::Rule::Eight) {
                Moves::EIGHT
            } else {
                Moves::ANY_ANGLE
            };
            let planner = row.choose().prepare(&grid, moves).unwrap();
            let Some(bytes) = planner.save() else { continue };
            let before = CHECKSUMS.get();
            row.choose().open(&bytes, &grid, moves).unwrap();
            assert_eq!(CHECKSUMS.get() - before, 1, "{}", row.name);
            files += 1;
        }
        assert!(files > 7, "{files}");
    }

    const LABEL: Label = Label { kind: DatabaseKind::VisibilityGraph, parameters: 7, grid: 99 };

    fn open(bytes: &[u8], label: Label) -> Result<&[u8], String> {
        unseal(bytes, label, |p| format!("parameter {p}")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_was_sealed_is_opened() {
        for length in [0, 1, 7, 8, 9, 1000] {
            let payload: Vec<u8> = (0..length).map(|i| i as u8).collect();
            assert_eq!(open(&seal(LABEL, &payload), LABEL), Ok(&payload[..]));
        }
    }

    #[test]
    fn everything_else_is_refused_with_a_sentence() {
        let bytes = seal(LABEL, b"some payload");
        let refused = |bytes: &[u8], label: Label, words: &str| {
            let message = open(bytes, label).unwrap_err();
            assert!(message.contains(words), "{message}");
        };
        refused(b"", LABEL, "not a file of this library");
        refused(b"MZ, an executable file of some sort", LABEL, "not a file of this library");
        refused(&bytes[..20], LABEL, "ends after 20 bytes");
        refused(&bytes[..55], LABEL, "should have 12 bytes after its header and has 7");
        refused(&[&bytes[..], &[0]].concat(), LABEL, "and has 13");
        refused(
            &bytes,
            Label { parameters: 8, ..LABEL },
            "made for parameter 7, not for parameter 8",
        );
        refused(&bytes, Label { grid: 98, ..LABEL }, "another map");
        let mut old = bytes.clone();
        old[8] = 0;
        refused(&old, LABEL, &format!("format 0 and this library reads format {VERSION}"));
        for at in 12..bytes.len() {
            for flip in [1, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                assert!(open(&bytes, LABEL).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn damage_is_noticed() {
        let mut random = Random::new(5);
        let payload: Vec<u8> = (0..200).map(|_| random.next_u64() as u8).collect();
        let bytes = seal(LABEL, &payload);
        for _ in 0..20_000 {
            let damaged = random.damage(&bytes);
            assert_eq!(open(&damaged, LABEL).is_ok(), damaged == bytes);
        }
    }
}
