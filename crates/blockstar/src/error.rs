//! What can go wrong: misuse and bad input, each with a sentence that names the value, the limit
//! and what to do. "No path" is not here: it is an answer, see [`Status`](crate::Status).

use crate::{Cell, Moves, Point};

/// Every error of the library.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A grid of an impossible size was asked for.
    Size {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
        /// The largest side.
        max: u32,
    },
    /// A slice does not hold one value for each cell.
    Length {
        /// How many values came.
        got: usize,
        /// How many values are needed.
        want: usize,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// Bits do not have a row of whole bytes for each row of cells.
    BitLength {
        /// How many bytes came.
        got: usize,
        /// How many bytes are needed.
        want: usize,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// A cell outside the map was named.
    Outside {
        /// The role of the cell: "start", "goal", "cell".
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// A point outside the map was named.
    OutsidePoint {
        /// The role of the point: "start", "goal".
        what: &'static str,
        /// The point.
        point: Point,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// A number is not in its range.
    Range {
        /// The name of the quantity.
        what: &'static str,
        /// The value given.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// The map changed since the planner or the search last saw it.
    Stale {
        /// Who is behind: "the planner" or "the search".
        who: &'static str,
        /// The version it knows.
        known: u64,
        /// The version of the grid.
        now: u64,
    },
    /// The planner cannot do what was asked.
    Unsupported {
        /// The planner's registry name.
        planner: &'static str,
        /// What was asked for.
        what: String,
        /// What to do instead.
        remedy: String,
    },
    /// `resume` was called without a search of this planner under way.
    NotBegun,
    /// There is nothing with that name.
    UnknownName {
        /// What was named: "planner", "movement rule", "heuristic".
        what: &'static str,
        /// The name.
        name: String,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// A text cannot be read.
    Text {
        /// What it should have been: "a cell", "a point".
        what: &'static str,
        /// The text.
        text: String,
        /// How it is written.
        remedy: &'static str,
    },
    /// A planner was given a parameter it does not have, or a value it cannot take.
    Parameter {
        /// The planner's registry name.
        planner: &'static str,
        /// What was given, as `name=value`.
        given: String,
        /// What is wrong and what is possible.
        reason: String,
    },
    /// A scenario belongs to a map of another size.
    Misfit {
        /// The map that the scenario names, without folders.
        map: String,
        /// The width of the scenario's map.
        want_width: u32,
        /// The height of the scenario's map.
        want_height: u32,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// A text or image file is not what it should be.
    Format {
        /// What was being read.
        format: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// Prepared data cannot be used.
    Database {
        /// What should have been opened.
        kind: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
}

impl std::error::Error for Error {}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size { width, height, max } => write!(
                f,
                "a grid of {width} x {height} cells is not possible: each side must be 1 to {max}"
            ),
            Self::Length { got, want, width, height } => {
                write!(f, "{got} values do not fit {width} x {height} cells: give exactly {want}")
            }
            Self::BitLength { got, want, width, height } => write!(
                f,
                "{got} bytes of bits do not fit {width} x {height} cells: give exactly {want}, as \
                 every row begins with a new byte"
            ),
            Self::Outside { what, cell, width, height } => {
                write!(f, "{what} {cell} lies outside the map of {width} x {height} cells")
            }
            Self::OutsidePoint { what, point, width, height } => write!(
                f,
                "{what} {point} lies outside the map, which spans (0, 0) to ({width}, {height})"
            ),
            Self::Range { what, value, range } => {
                write!(f, "{what} is {}, but must be {range}", plain(*value))
            }
            Self::Stale { who, known, now } => write!(
                f,
                "the map has changed (version {now}, {who} knows {known}): call `update` on the \
                 planner and `begin` again, or compute the distance map again"
            ),
            Self::Unsupported { planner, what, remedy } => {
                write!(f, "{planner} does not support {what}; {remedy}")
            }
            Self::NotBegun => f.write_str(
                "no search by this planner is under way in this scratch memory: call `begin` first",
            ),
            Self::UnknownName { what, name, known } => {
                write!(f, "there is no {what} `{}`", name.escape_debug())?;
                match self.suggestion() {
                    Some(meant) => write!(f, ": did you mean `{meant}`?"),
                    None => write!(f, "; there are {}", known.join(", ")),
                }
            }
            Self::Text { what, text, remedy } => write!(f, "`{text}` is not {what}: {remedy}"),
            Self::Parameter { planner, given, reason } => {
                write!(f, "{planner} cannot take `{given}`: {reason}")
            }
            Self::Misfit { map, want_width, want_height, width, height } => write!(
                f,
                "the scenario is for {map} with {want_width} x {want_height} cells, but this map \
                 has {width} x {height}: use the map of that name and size"
            ),
            Self::Format { format, line, column, problem } => {
                write!(f, "{format}, line {line}, column {column}: {problem}")
            }
            Self::Database { kind, problem } => write!(f, "this {kind} cannot be used: {problem}"),
        }
    }
}

/// The name that was probably meant: the one with the fewest typos, unless there are so many that
/// it is another word; or one that begins like this, since often only the beginning is remembered.
pub(crate) fn nearest_name(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let slips = known.iter().map(|&candidate| (slips_between(&name, candidate), candidate));
    let (slips, nearest) = slips.min()?;
    let few = 1.max(nearest.len().max(name.len()) / 3);
    let begins = |candidate: &&&str| name.len() >= 3 && candidate.starts_with(&name);
    let begun = || known.iter().find(begins).copied();
    if slips <= few { Some(nearest) } else { begun() }
}

/// The least number of letters to insert, delete, replace or swap with a neighbour.
fn slips_between(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let (mut before_last, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<_>>());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before_last[j - 2] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

impl Error {
    /// The name that was probably meant, if the error is an unknown name similar to a known one.
    pub fn suggestion(&self) -> Option<&'static str> {
        match self {
            Self::UnknownName { name, known, .. } => nearest_name(name, known),
            _ => None,
        }
    }

    /// The error for a planner that cannot price terrain.
    pub(crate) fn no_terrain(planner: &'static str, moves: Moves) -> Self {
        let any_angle = moves.rule().is_any_angle();
        let remedy = if any_angle { "use `theta-star` or `field-d-star`" } else { "use `astar`" };
        Self::Unsupported { planner, what: "terrain costs".into(), remedy: remedy.into() }
    }

    /// The error for a planner that cannot take slopes into account.
    pub(crate) fn no_slopes(planner: &'static str, moves: Moves) -> Self {
        let any_angle = moves.rule().is_any_angle();
        let remedy = if any_angle { "`theta-star`" } else { "`astar`" };
        Self::Unsupported {
            planner,
            what: "slopes".into(),
            remedy: format!("use {remedy}, or a movement rule without slopes"),
        }
    }
}

/// A number in a sentence: very small and very large ones with an exponent instead of hundreds of
/// zeros.
pub(crate) fn plain(value: f64) -> String {
    match value.abs() {
        size if size != 0.0 && !(1e-9..1e15).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}
