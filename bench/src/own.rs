//! blockstar's planners, with search memory that is kept from query to query as its users do.

use crate::contender::{Contender, Entry};
use blockstar::{Algorithm, Cell, Error, Grid, Moves, Planner, Point, Query, Scratch, Status};

/// The planner that all others are measured by.
pub const REFERENCE: &str = "astar";

struct Own<'a> {
    grid: &'a Grid,
    planner: Box<dyn Planner>,
    scratch: Scratch,
    status: Result<Status, Error>,
}

impl Contender for Own<'_> {
    fn solve(&mut self, start: Cell, goal: Cell) {
        self.status = self.planner.find(self.grid, &Query::new(start, goal), &mut self.scratch);
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        match self.status {
            Ok(Status::Found) => Some(self.scratch.path().points().to_vec()),
            _ => None,
        }
    }
}

/// The planner of a registry name, with parameters as in `name:parameter=value`.
pub fn planner<'a>(name: &str) -> Result<Entry<'a>, Error> {
    let choice = Algorithm::named(name)?;
    Ok(Entry {
        name: choice.to_string(),
        rules: choice.algorithm().rules.to_vec(),
        own: true,
        prepare: Box::new(move |grid: &Grid, moves: Moves| {
            let planner = choice.prepare(grid, moves)?;
            let status = Err(Error::NotBegun);
            Ok(Box::new(Own { grid, planner, scratch: Scratch::new(), status }))
        }),
    })
}
