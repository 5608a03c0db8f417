//! The parameters of a file of subgoals: the movement rule, and the one number that decides its
//! amount.

use crate::db::parameters::{MOVES_BITS, moves_code};
use crate::db::{self, IntactFile, Label};
use crate::{DatabaseKind, Error, Moves};

/// A number of records or goals, or a level; `None` for the default.
pub(super) type Amount = Option<u32>;

/// The name of the planner's parameter that sets the amount.
pub(super) fn parameter(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::KnnRecords => "records",
        DatabaseKind::SubgoalTrees => "goals",
        _ => "level",
    }
}

/// What a file holds, in the plural.
pub(super) fn content(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::KnnRecords => "records",
        DatabaseKind::SubgoalTrees => "trees",
        _ => "subgoals",
    }
}

/// The amount in the parameters of a file.
fn read_amount(parameters: u64) -> Amount {
    u32::try_from(parameters >> MOVES_BITS).ok().and_then(|amount| amount.checked_sub(1))
}

/// An amount in the words of the registry.
fn setting(kind: DatabaseKind, amount: Amount) -> String {
    let value = amount.map_or("auto".into(), |amount| amount.to_string());
    format!("{}={value}", parameter(kind))
}

/// The planner that makes a file with these parameters.
pub(crate) fn maker(kind: DatabaseKind, parameters: u64) -> Option<String> {
    Some(format!("{}:{}", kind.planner()?, setting(kind, read_amount(parameters))))
}

/// A file for the map with the content hash `map`.
pub(super) fn seal(
    payload: &[u8],
    kind: DatabaseKind,
    map: u64,
    moves: Moves,
    amount: Amount,
) -> Vec<u8> {
    let amount = amount.map_or(0, |amount| u64::from(amount) + 1);
    let parameters = moves_code(moves) | amount << MOVES_BITS;
    db::seal(Label { kind, parameters, grid: map }, payload)
}

/// The payload of a file for a map and a movement rule, and the amount it was made with. If an
/// amount is asked for, the file must have it.
pub(super) fn open(
    bytes: &[u8],
    kind: DatabaseKind,
    map: u64,
    moves: Moves,
    wanted: Option<Amount>,
) -> Result<(&[u8], Amount), Error> {
    let file = IntactFile::for_map(bytes, kind, map, moves)?;
    let made = read_amount(file.parameters);
    if let Some(wanted) = wanted.filter(|&wanted| wanted != made) {
        return Err(kind.refuse(format!(
            "it was made with {}, not with {}: leave it out, or make another",
            setting(kind, made),
            setting(kind, wanted)
        )));
    }
    Ok((file.payload, made))
}
