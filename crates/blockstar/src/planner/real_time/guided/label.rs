//! What a file of subgoals says about how it was made: the movement rule, and the one number that
//! decides how much there is of it.

use crate::Error;
use crate::Moves;
use crate::db::parameters::{MOVES_BITS, check_moves, moves_code};
use crate::db::{Kind, Label, Whole};

/// A number of records, goals or a level; `None` for the usual one.
pub(crate) type Amount = Option<u32>;

/// The parameter of the planner that makes a kind of file.
fn parameter(kind: Kind) -> &'static str {
    match kind {
        Kind::KnnRecords => "records",
        Kind::SubgoalTrees => "goals",
        _ => "level",
    }
}

/// What marks a file.
pub(super) fn label(kind: Kind, content: u64, moves: Moves, amount: Amount) -> Label {
    let amount = amount.map_or(0, |amount| u64::from(amount) + 1);
    Label { kind, parameters: moves_code(moves) | amount << MOVES_BITS, grid: content }
}

fn amount(parameters: u64) -> Amount {
    u32::try_from(parameters >> MOVES_BITS).ok().and_then(|amount| amount.checked_sub(1))
}

/// The setting that made a file, in the words of the registry.
fn setting(kind: Kind, amount: Amount) -> String {
    let value = amount.map_or("auto".into(), |amount| amount.to_string());
    format!("{}={value}", parameter(kind))
}

/// The planner that makes a file with these parameters.
pub(crate) fn maker(kind: Kind, parameters: u64) -> Option<String> {
    Some(format!("{}:{}", kind.planner()?, setting(kind, amount(parameters))))
}

/// The payload of a file for a map and a rule, and the amount that it was made with, which must be the one
/// that is wanted, if one is.
pub(super) fn open(
    bytes: &[u8],
    kind: Kind,
    content: u64,
    moves: Moves,
    wanted: Option<Amount>,
) -> Result<(&[u8], Amount), Error> {
    let whole = Whole::of(bytes, kind)?;
    check_moves(whole.parameters, moves).map_err(|problem| kind.refuse(problem))?;
    let made = amount(whole.parameters);
    if let Some(wanted) = wanted.filter(|&wanted| wanted != made) {
        return Err(kind.refuse(format!(
            "it was made with {}, not with {}: leave it out, or make another",
            setting(kind, made),
            setting(kind, wanted)
        )));
    }
    if whole.grid != content {
        return Err(kind.refuse("it was made for another map, or for this one before an edit"));
    }
    Ok((whole.payload, made))
}
