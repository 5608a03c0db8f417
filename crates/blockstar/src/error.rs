//! What can go wrong: misuse and bad input, each with a sentence that names the value, the limit
//! and what to do. "No path" is not here: it is an answer, see [`Status`](crate::Status).

use crate::{Cell, Moves, Point};

/// Every error of the library.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A grid of an impossible size was asked for.
    #[error("a grid of {width} x {height} cells is not possible: each side must be 1 to {max}")]
    Size {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
        /// The largest side.
        max: u32,
    },
    /// A slice does not hold one value for each cell.
    #[error("{got} values do not fit a grid of {width} x {height} cells: give exactly {want}")]
    Length {
        /// How many values came.
        got: usize,
        /// How many values are needed.
        want: usize,
        /// The width of the grid.
        width: u32,
        /// The height of the grid.
        height: u32,
    },
    /// A cell outside the map was named.
    #[error("{what} {cell} lies outside the map of {width} x {height} cells")]
    Outside {
        /// What the cell was to be: "start", "goal", "cell".
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// The width of the grid.
        width: u32,
        /// The height of the grid.
        height: u32,
    },
    /// A point outside the map was named.
    #[error("{what} {point} lies outside the map, which spans (0, 0) to ({width}, {height})")]
    OutsidePoint {
        /// What the point was to be: "start", "goal".
        what: &'static str,
        /// The point.
        point: Point,
        /// The width of the grid.
        width: u32,
        /// The height of the grid.
        height: u32,
    },
    /// A number is not in its range.
    #[error("{what} is {}, but must be {range}", plain(*value))]
    Range {
        /// The name of the quantity.
        what: &'static str,
        /// The value given.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// The map changed since the planner or the search last saw it.
    #[error(
        "the map has changed (version {now}, {who} knows {known}): call `update` on the planner and \
         `begin` again, or compute the distance map again"
    )]
    Stale {
        /// Who is behind: "the planner" or "the search".
        who: &'static str,
        /// The version it knows.
        known: u64,
        /// The version of the grid.
        now: u64,
    },
    /// The planner cannot do what was asked.
    #[error("{planner} does not support {what}; {remedy}")]
    Unsupported {
        /// The planner's registry name.
        planner: &'static str,
        /// What was asked for.
        what: String,
        /// What to do instead.
        remedy: String,
    },
    /// `resume` was called without a search of this planner under way.
    #[error("no search by this planner is under way in this scratch memory: call `begin` first")]
    NotBegun,
    /// There is no planner of that name.
    #[error("there is no planner `{name}`; the planners are {known}")]
    UnknownPlanner {
        /// The name asked for.
        name: String,
        /// All names.
        known: String,
    },
    /// A planner was given a parameter it does not have, or a value it cannot take.
    #[error("{planner} cannot take `{given}`: {reason}")]
    Parameter {
        /// The planner's registry name.
        planner: &'static str,
        /// What was given, as `name=value`.
        given: String,
        /// What is wrong and what is possible.
        reason: String,
    },
    /// A scenario belongs to a map of another size.
    #[error(
        "the scenario is for {map} with {want_width} x {want_height} cells, but this map has \
         {width} x {height}: use the map of that name and size"
    )]
    Misfit {
        /// The map that the scenario names, without folders.
        map: String,
        /// The width of the scenario's map.
        want_width: u32,
        /// The height of the scenario's map.
        want_height: u32,
        /// The width of the grid.
        width: u32,
        /// The height of the grid.
        height: u32,
    },
    /// A text or image file is not what it should be.
    #[error("{format}, line {line}, column {column}: {problem}")]
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
    #[error("this {kind} cannot be used: {problem}")]
    Database {
        /// What was to be opened.
        kind: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
}

impl Error {
    /// The error for a planner that cannot price terrain.
    pub(crate) fn no_terrain(planner: &'static str, moves: Moves) -> Self {
        let any_angle = moves.rule().is_any_angle();
        let remedy = if any_angle { "use `theta-star` or `field-d-star`" } else { "use `astar`" };
        Self::Unsupported { planner, what: "terrain costs".into(), remedy: remedy.into() }
    }

    /// The error for what cannot take slopes into account.
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

/// A number in a sentence: very small and very large ones with an exponent instead of hundreds of zeros.
pub(crate) fn plain(value: f64) -> String {
    match value.abs() {
        size if size != 0.0 && !(1e-9..1e15).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}
