//! `auto`: takes the planner that suits the map and the movement rule.
//!
//! It is a list of cases, first match first ([`CASES`]), each with its reason. All it ever takes is
//! optimal between cells, and on plain ground at any angle. The choice depends on the map and the
//! rule alone, so an updated planner is the one that would be made; what was prepared is thrown away
//! only when another case applies, as when a map gets its first terrain costs.
//!
//! Not taken: `visibility-graph`, which is faster than `anya` and repairs itself, but takes tens of
//! milliseconds and kilobytes per corner to prepare, on cluttered maps seconds. [`Stats::planner`](crate::Stats::planner) tells which
//! planner answered. Partial paths are refused, because not all of them can tell one.

use crate::engine::Update;
use crate::{
    Algorithm, Budget, Error, Grid, Layer, Memory, Moves, Planner, Promise, Query, Rule, Scratch,
    Status,
};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "auto",
    summary: "Takes the planner that suits the map, the rule and the edits",
    source: "this library's measurements",
    promise: Promise::Optimal,
    promise_with: Some(|_, rule| match rule.is_any_angle() {
        // On terrain no planner finds shortest any-angle paths.
        true => Promise::Complete,
        false => Promise::Optimal,
    }),
    rules: Rule::ALL,
    terrain: true,
    heights: true,
    free_points: true,
    avoids: true,
    make: |_, grid, moves| Ok(Box::new(Auto::new(grid, moves)?)),
    ..Algorithm::BASE
};

/// What the choice depends on.
struct Situation {
    moves: Moves,
    terrain: bool,
}

/// One row of the list: where it applies, what is taken there, and why.
struct Case {
    applies: fn(&Situation) -> bool,
    take: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation that a test reads"))]
    because: &'static str,
}

const CASES: &[Case] = &[
    Case {
        applies: |s| s.moves.slope().is_some() && s.moves.rule().is_any_angle(),
        take: "astar",
        because: "with slope limits any-angle steps need centres and corners; tables know corners",
    },
    Case {
        applies: |s| s.terrain || s.moves.slope().is_some(),
        take: "block-astar",
        because: "tables carry costs and climbs; a changed block costs one table",
    },
    Case {
        applies: |s| s.moves.rule() == Rule::Four,
        take: "block-astar",
        because: "the fastest optimal planner with four moves",
    },
    Case {
        applies: |s| !s.moves.rule().is_any_angle(),
        take: "jps",
        because: "the fastest optimal planner that prepares nothing",
    },
    Case {
        applies: |_| true,
        take: "anya",
        because: "the fastest optimal any-angle planner that prepares nothing",
    },
];

/// What to take. The last case always applies.
fn choice(grid: &Grid, moves: Moves) -> &'static str {
    let situation = Situation { moves, terrain: grid.has_costs() };
    CASES.iter().find(|case| (case.applies)(&situation)).map_or("astar", |case| case.take)
}

/// The planner taken.
#[derive(Clone, Debug)]
struct Auto {
    moves: Moves,
    taken: Box<dyn Planner>,
}

impl Auto {
    fn new(grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let taken = Algorithm::named(choice(grid, moves))?.prepare(grid, moves)?;
        Ok(Self { moves, taken })
    }
}

impl Planner for Auto {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn moves(&self) -> Moves {
        self.moves
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        if query.wants_partial() {
            scratch.forget(self.moves);
            return Err(ROW.unsupported("partial paths", "use `astar`"));
        }
        self.taken.begin(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        self.taken.resume(grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<Update, Error> {
        if choice(grid, self.moves) != self.taken.name() {
            *self = Self::new(grid, self.moves)?;
            return Ok(Update::default());
        }
        self.taken.update(grid)
    }

    fn memory_usage(&self) -> Memory {
        self.taken.memory_usage()
    }

    fn layers(&self, grid: &Grid) -> Result<Vec<Layer>, Error> {
        self.taken.layers(grid)
    }

    fn boxed_clone(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slope;

    #[test]
    fn every_case_can_be_taken_where_it_applies() {
        let plain = Grid::new(20, 20).unwrap();
        let mut rough = plain.clone();
        rough.set_cost((3, 3), 4.0).unwrap();
        let mut hilly = plain.clone();
        hilly.set_heights(&vec![1.0; 400]).unwrap();
        let mut taken = std::collections::BTreeSet::new();
        for &rule in Rule::ALL {
            let moves = Moves::new(rule);
            for (grid, moves) in
                [(&plain, moves), (&rough, moves), (&hilly, moves.with_slope(Slope::new(1.0)))]
            {
                let auto = Auto::new(grid, moves).unwrap();
                let row = auto.taken.row();
                assert!(rule.is_any_angle() || row.promise_under(rule) == Promise::Optimal);
                assert!(row.avoids);
                taken.insert(row.name);
            }
        }
        assert!(CASES.iter().all(|case| taken.contains(case.take) && !case.because.is_empty()));
    }

    #[test]
    fn it_changes_its_mind_with_the_map() {
        let mut grid = Grid::new(30, 30).unwrap();
        let mut auto = Auto::new(&grid, Moves::ANY_ANGLE).unwrap();
        let mut scratch = Scratch::new();
        let mut ask = |auto: &Auto, grid: &Grid, query: &Query| {
            assert_eq!(auto.find(grid, query, &mut scratch).unwrap(), Status::Found);
            scratch.stats().planner.unwrap()
        };
        let query = Query::new((0, 0), (29, 20));
        assert_eq!(ask(&auto, &grid, &query), "anya");
        grid.set_cost((1, 1), 3.0).unwrap();
        auto.update(&grid).unwrap();
        assert_eq!(ask(&auto, &grid, &query), "block-astar");
        grid.set_cost((1, 1), 1.0).unwrap();
        auto.update(&grid).unwrap();
        assert_eq!(ask(&auto, &grid, &query), "anya");
    }
}
