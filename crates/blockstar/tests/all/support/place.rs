//! Where a planner is asked, and what every answer must be.

use super::best_cost;
use blockstar::{Algorithm, Grid, Moves, Planner, Query, Scratch, Status};

/// A map under a movement rule.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    grid: &'a Grid,
    moves: Moves,
}

pub fn on(grid: &Grid, moves: Moves) -> Place<'_> {
    Place { grid, moves }
}

/// The planner with this name.
pub fn prepare(name: &str, grid: &Grid, moves: Moves) -> Box<dyn Planner> {
    Algorithm::named(name).unwrap().prepare(grid, moves).unwrap()
}

impl Place<'_> {
    /// Asks a planner: whether there is a path, which is then legal and leads from end to end.
    pub fn has_path(self, planner: &dyn Planner, query: &Query, scratch: &mut Scratch) -> bool {
        let Self { grid, moves } = self;
        let status = planner.find(grid, query, scratch).unwrap();
        let path = scratch.path();
        let context = || {
            let map = blockstar::format::ascii::draw(grid);
            format!("{moves} {query:?}: {path} on\n{map}")
        };
        if status == Status::NoPath {
            assert!(path.is_empty(), "{}", context());
            return false;
        }
        assert_eq!(status, Status::Found, "{}", context());
        path.check(grid, moves).unwrap_or_else(|fault| panic!("{fault}: {}", context()));
        let ends = (path.points().first(), path.points().last());
        assert_eq!(ends, (Some(&query.start()), Some(&query.goal())), "{}", context());
        true
    }

    /// The same; and a limit of exactly the path's cost changes nothing.
    pub fn has_path_at_its_cost(
        self,
        planner: &dyn Planner,
        query: &Query,
        scratch: &mut Scratch,
    ) -> bool {
        if !self.has_path(planner, query, scratch) {
            return false;
        }
        let path = scratch.path().clone();
        let limited = query.clone().max_cost(path.cost());
        assert!(self.has_path(planner, &limited, scratch), "{limited:?}");
        assert_eq!(scratch.path(), &path, "{limited:?}");
        true
    }

    /// The cost of the path of the planner with this name, if there is a path.
    pub fn cost_by(self, name: &str, query: &Query, scratch: &mut Scratch) -> Option<f64> {
        let planner = prepare(name, self.grid, self.moves);
        self.has_path(&planner, query, scratch).then(|| scratch.path().cost())
    }

    /// Asks for a path between cells. It is found exactly if the oracle finds one, and costs no
    /// less; returns the cost of the cheapest.
    pub fn optimum_if_found(
        self,
        planner: &dyn Planner,
        query: &Query,
        scratch: &mut Scratch,
    ) -> Option<f64> {
        let [start, goal] = [query.start(), query.goal()].map(|end| end.as_centre().unwrap());
        let best = best_cost(self.grid, self.moves, start, goal);
        let found = self.has_path(planner, query, scratch);
        assert_eq!(found, best.is_finite(), "{} {start} -> {goal}", self.moves);
        let cost = scratch.path().cost();
        assert!(!found || cost >= best - 1e-6, "{} {start} -> {goal}: {cost} < {best}", self.moves);
        found.then_some(best)
    }
}
