//! `auto`: takes the planner that suits the map and the movement rule.
//!
//! It is a list of cases, first match first ([`CASES`]), each with its reason. All it ever takes is
//! optimal between cells, and on plain ground at any angle. The choice depends on the map, the rule
//! and the settings, and on one thing that updates tell: whether the map is made anew again and again.
//! What was prepared is thrown away only when another case applies, as when a map gets its first
//! terrain costs.
//!
//! Not taken: `visibility-graph`, which is faster than `anya` and repairs itself, but takes tens of
//! milliseconds and kilobytes per corner to prepare, on cluttered maps seconds.
//! [`Stats::planner`](crate::Stats::planner) tells which planner answered. Partial paths are refused,
//! because not all of them can tell one.

use crate::engine::Update;
use crate::registry::{kind, settings};
use crate::{
    Algorithm, Budget, Error, Grid, Layer, Memory, Moves, Parameter, Planner, Preparation, Promise,
    Query, Rect, Rule, Scratch, Status,
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
    preparation: Preparation::Local,
    parameters: &[
        Parameter::new(
            "prepare",
            "on|off",
            "on",
            "whether to take planners that prepare a map, worth it from some tens of queries on",
        ),
        Parameter::new("memory", "0-65536", "256", "the MiB that what is prepared may take"),
    ],
    make: |spec, grid, moves| {
        let settings =
            Settings { prepare: spec.is_on("prepare"), memory: spec.mebibytes("memory") };
        Ok(Box::new(Auto::new(grid, moves, settings, 0)?))
    },
    ..Algorithm::BASE
};

settings! { kind::Auto:
    /// Takes only planners that prepare next to nothing: for a few queries.
    for_few_queries() = "prepare", "off";
    /// The MiB that what is prepared may take, by default 256.
    memory(mebibytes: u32) = "memory", mebibytes;
}

/// What the caller has said.
#[derive(Clone, Copy, Debug)]
struct Settings {
    prepare: bool,
    /// In bytes.
    memory: usize,
}

/// From how many cells on preparing takes too long to be done unasked: seconds.
const LARGE: u64 = 4096 * 4096;

/// How many updates in a row must have made the map anew to be taken for a habit.
const HABIT: u32 = 2;

/// What the choice depends on.
struct Situation {
    moves: Moves,
    terrain: bool,
    /// Whether to prepare anything: it is wanted, fits the memory, and the map lasts.
    prepare: bool,
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
        applies: |s| s.moves.rule() == Rule::Eight && s.prepare,
        take: "subgoal",
        because: "several times as fast as jps, and repaired after edits in microseconds",
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
fn choice(situation: &Situation) -> &'static str {
    CASES.iter().find(|case| (case.applies)(situation)).map_or("astar", |case| case.take)
}

/// The planner taken.
#[derive(Clone, Debug)]
struct Auto {
    moves: Moves,
    settings: Settings,
    taken: Box<dyn Planner>,
    /// Whether what is best would take too much memory.
    is_poor: bool,
    version: u64,
    /// How many of the last updates made the map anew, in a row.
    remade: u32,
}

impl Auto {
    fn new(grid: &Grid, moves: Moves, settings: Settings, remade: u32) -> Result<Self, Error> {
        let mut situation = Situation::new(grid, moves, settings, remade);
        let mut taken = Algorithm::named(choice(&situation))?.prepare(grid, moves)?;
        let is_poor = situation.prepare && taken.memory_usage().total() > settings.memory;
        if is_poor {
            situation.prepare = false;
            if choice(&situation) != taken.name() {
                taken = Algorithm::named(choice(&situation))?.prepare(grid, moves)?;
            }
        }
        Ok(Self { moves, settings, taken, is_poor, version: grid.version(), remade })
    }

    /// Whether an update concerns more than an eighth of the map, or nobody knows how much.
    fn is_remade(&self, grid: &Grid) -> bool {
        let area = |rect: Rect| u64::from(rect.width) * u64::from(rect.height);
        let changes = grid.changes_since(self.version);
        changes.is_none_or(|rects| rects.map(area).sum::<u64>() > cells(grid) / 8)
    }
}

impl Situation {
    fn new(grid: &Grid, moves: Moves, settings: Settings, remade: u32) -> Self {
        let prepare = settings.prepare && remade < HABIT && cells(grid) <= LARGE;
        Self { moves, terrain: grid.has_costs(), prepare }
    }
}

fn cells(grid: &Grid) -> u64 {
    u64::from(grid.width()) * u64::from(grid.height())
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
        if grid.version() != self.version {
            self.remade = if self.is_remade(grid) { self.remade + 1 } else { 0 };
            self.version = grid.version();
        }
        let mut situation = Situation::new(grid, self.moves, self.settings, self.remade);
        situation.prepare &= !self.is_poor;
        if choice(&situation) != self.taken.name() {
            *self = Self::new(grid, self.moves, self.settings, self.remade)?;
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
    use crate::{Cell, Slope, Tile, generate};
    use std::time::{Duration, Instant};

    const MANY: Settings = Settings { prepare: true, memory: 256 << 20 };
    const FEW: Settings = Settings { prepare: false, ..MANY };

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
                for settings in [MANY, FEW] {
                    let auto = Auto::new(grid, moves, settings, 0).unwrap();
                    let row = auto.taken.row();
                    assert!(rule.is_any_angle() || row.promise_under(rule) == Promise::Optimal);
                    assert!(row.avoids);
                    taken.insert(row.name);
                }
            }
        }
        assert!(CASES.iter().all(|case| taken.contains(case.take) && !case.because.is_empty()));
    }

    fn ask(auto: &dyn Planner, grid: &Grid, query: &Query) -> &'static str {
        let mut scratch = Scratch::new();
        assert_eq!(auto.find(grid, query, &mut scratch).unwrap(), Status::Found);
        scratch.stats().planner.unwrap()
    }

    #[test]
    fn it_changes_its_mind_with_the_map() {
        let mut grid = Grid::new(30, 30).unwrap();
        let query = Query::new((0, 0), (29, 20));
        for (moves, usual) in [(Moves::ANY_ANGLE, "anya"), (Moves::EIGHT, "subgoal")] {
            let mut auto = Auto::new(&grid, moves, MANY, 0).unwrap();
            assert_eq!(ask(&auto, &grid, &query), usual);
            grid.set_cost((1, 1), 3.0).unwrap();
            auto.update(&grid).unwrap();
            assert_eq!(ask(&auto, &grid, &query), "block-astar");
            grid.set_cost((1, 1), 1.0).unwrap();
            auto.update(&grid).unwrap();
            assert_eq!(ask(&auto, &grid, &query), usual);
        }
    }

    #[test]
    fn a_map_that_never_lasts_is_not_prepared_for() {
        let mut grid = Grid::new(40, 40).unwrap();
        let query = Query::new((0, 0), (39, 20));
        let mut auto = Auto::new(&grid, Moves::EIGHT, MANY, 0).unwrap();
        let mut steps = Vec::new();
        for step in 0..6 {
            let tile = if step % 2 == 0 { Tile::Blocked } else { Tile::Free };
            // Three times a large part, then single cells.
            let (width, height) = if step < 3 { (20, 30) } else { (1, 1) };
            grid.set_rect(Rect::new(5, 5, width, height), tile).unwrap();
            auto.update(&grid).unwrap();
            steps.push(ask(&auto, &grid, &query));
        }
        assert_eq!(steps, ["subgoal", "jps", "jps", "subgoal", "subgoal", "subgoal"]);
    }

    #[test]
    fn memory_that_is_too_small_is_not_exceeded() {
        let grid = generate::random(100, 100, 20.0, 3).unwrap();
        let auto =
            |memory: u32| crate::Auto::builder().memory(memory).build(&grid, Moves::EIGHT).unwrap();
        let goal = Cell::new(99, 99);
        let query = Query::new((50, 50), goal).nearest();
        let mut scratch = Scratch::new();
        for (memory, planner) in [(0, "jps"), (256, "subgoal")] {
            auto(memory).find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(scratch.stats().planner, Some(planner));
        }
    }

    /// The reasons, measured: where what is prepared is taken, it answers faster than what is taken
    /// without.
    #[test]
    fn what_is_prepared_is_worth_it() {
        for grid in
            [generate::caves(400, 400, 7).unwrap(), generate::rooms(400, 400, 9, 7).unwrap()]
        {
            let planners =
                [MANY, FEW].map(|settings| Auto::new(&grid, Moves::EIGHT, settings, 0).unwrap());
            assert_eq!(planners.each_ref().map(|auto| auto.taken.name()), ["subgoal", "jps"]);
            let queries = generate::queries(&grid, 60, 5);
            let queries = queries.into_iter().map(|(start, goal)| Query::new(start, goal));
            let queries: Vec<Query> = queries.collect();
            let mut scratch = Scratch::new();
            let mut best = [Duration::MAX; 2];
            for _ in 0..7 {
                for (auto, best) in planners.iter().zip(&mut best) {
                    let clock = Instant::now();
                    for query in &queries {
                        auto.find(&grid, query, &mut scratch).unwrap();
                    }
                    *best = clock.elapsed().min(*best);
                }
            }
            assert!(best[0] < best[1], "{best:?}");
        }
    }
}
