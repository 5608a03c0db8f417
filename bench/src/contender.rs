//! What takes part in the comparison.

use blockstar::{Cell, Error, Grid, Moves, Point, Rule};

/// The point of a cell where paths start and end: its centre, or under an any-angle rule its top
/// left corner, as in published any-angle figures.
pub fn end(moves: Moves, cell: Cell) -> Point {
    if moves.rule().is_any_angle() { cell.corner() } else { cell.centre() }
}

/// An algorithm of some crate, ready for one map and one movement rule.
///
/// The answer comes in two steps so that the clock stops before it is converted to a common form: a
/// peer pays for its own kind of path, not for ours.
pub trait Contender {
    /// Answers a query and keeps the answer. This is what is timed: everything up to the path in
    /// the form in which the crate hands it to its user. The path leads from [`end`] to [`end`].
    fn solve(&mut self, start: Cell, goal: Cell);

    /// Takes out the last answer: the points of the path, including start and goal, or `None` if
    /// the crate found no path. Not timed.
    fn route(&mut self) -> Option<Vec<Point>>;
}

/// Makes a contender for a map and a movement rule, with all that it can prepare.
pub type Prepare<'a> = dyn Fn(&'a Grid, Moves) -> Result<Box<dyn Contender + 'a>, Error> + 'a;

/// A contender before it has seen a map.
pub struct Entry<'a> {
    /// The name in reports; a setting follows a colon.
    pub name: String,
    /// The movement rules it supports.
    pub rules: Vec<Rule>,
    /// Whether it is one of blockstar's planners.
    pub own: bool,
    /// Makes it for a map.
    pub prepare: Box<Prepare<'a>>,
}

impl Entry<'_> {
    /// Whether a name given by the user means this entry: in full, or without the setting.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.name.split(':').next() == Some(name)
    }
}

impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("rules", &self.rules).finish()
    }
}
