//! blockstar's planners, with search memory that is kept from query to query, as users would.

use crate::contender::{Contender, Entry, end};
use blockstar::{
    Algorithm, Cell, Error, Grid, Moves, Planner, Point, Query, Rule, Scratch, Status,
};

/// The planner that all others are measured by.
pub const REFERENCE: &str = "astar";

/// The planner whose lengths are taken as the shortest: under the any-angle rules A* only walks
/// from corner to corner, so its time is still the reference there, but not its length.
pub fn shortest(rule: Rule) -> &'static str {
    if rule.is_any_angle() { "anya" } else { REFERENCE }
}

/// The planners that take part if none are named.
pub fn usual(rule: Rule) -> &'static [&'static str] {
    if rule == Rule::Eight {
        &["astar", "jps", "subgoal", "block-astar"]
    } else if rule.is_any_angle() {
        &[
            "astar",
            "anya",
            "block-astar",
            "theta-star",
            "lazy-theta-star",
            "field-d-star",
            "visibility-graph",
        ]
    } else {
        &["astar", "jps", "block-astar"]
    }
}

struct Own<'a> {
    grid: &'a Grid,
    moves: Moves,
    planner: Box<dyn Planner>,
    scratch: Scratch,
    status: Result<Status, Error>,
}

impl Contender for Own<'_> {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let query = Query::new(end(self.moves, start), end(self.moves, goal));
        self.status = self.planner.find(self.grid, &query, &mut self.scratch);
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        match self.status {
            Ok(Status::Found) => Some(self.scratch.path().points().to_vec()),
            _ => None,
        }
    }
}

/// The planner with this registry name, with parameters as in `name:parameter=value`.
pub fn planner<'a>(name: &str) -> Result<Entry<'a>, Error> {
    let spec = Algorithm::named(name)?;
    Ok(Entry {
        name: spec.to_string(),
        rules: spec.algorithm().rules.to_vec(),
        own: true,
        prepare: Box::new(move |grid: &Grid, moves: Moves| {
            let planner = spec.prepare(grid, moves)?;
            let status = Err(Error::NotBegun);
            Ok(Box::new(Own { grid, moves, planner, scratch: Scratch::new(), status }))
        }),
    })
}
