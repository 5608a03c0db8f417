//! Who takes part in a benchmark, with which options, and what is promised of each.

use super::judge::{Answer, Expectation};
use crate::argument;
use crate::database_file::Bytes;
use blockstar::format::movingai::Scenario;
use blockstar::{
    Algorithm, Cell, Error, Grid, Heuristic, Lddb, Moves, Planner, PlannerSpec, Promise, Query,
    Scratch,
};
use std::sync::Arc;

/// The yardstick, which always runs.
const YARDSTICK: &str = "astar";

/// The planner whose any-angle paths are the shortest.
const ANY_ANGLE_OPTIMUM: &str = "anya";

/// Planners that run only when they are named: a single query, or the
/// preparation, may take them forever.
const ONLY_BY_NAME: [&str; 6] =
    ["ida-star", "cpd", "lrta-star", "knn-lrta-star", "subgoal-lrta-star", "d-lrta-star"];

/// A planner that takes part.
#[derive(Debug)]
pub struct Contestant {
    /// Its name with its parameters.
    pub name: String,
    /// What it is.
    pub choice: PlannerSpec,
    /// What it promises under the movement rule and the options of this run.
    pub promise: Promise,
    heuristic: Option<Heuristic>,
    weight: Option<f64>,
}

/// Everything that is the same for all maps.
#[derive(Debug)]
pub struct Contest {
    /// The movement rule.
    pub moves: Moves,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// The place of the yardstick among them.
    pub yardstick: usize,
    /// The most expansions of a query.
    pub max_expansions: Option<u64>,
    smooth: bool,
    /// Whether the last search may be used again.
    pub reuse: bool,
    /// What is to be said before the run.
    pub notes: Vec<String>,
    /// The planner that the others are compared with where scenario lengths do not apply.
    peer: usize,
    /// Whether the peer's costs are optima.
    peer_is_optimal: bool,
}

/// The options that planners may take or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The heuristic.
    pub heuristic: Option<Heuristic>,
    /// Whether block-astar smooths its paths.
    pub smooth: bool,
    /// Whether block-astar may use its last search again.
    pub reuse: bool,
    /// The weight of the heuristic.
    pub weight: Option<f64>,
    /// The most expansions of a query.
    pub max_expansions: Option<u64>,
}

impl Contest {
    /// Sets up the run: the planners named, or all that support the rule if none is.
    pub fn new(named: &[String], moves: Moves, options: Options) -> Result<Self, String> {
        let mut choices = if named.is_empty() {
            let suits =
                |a: &&Algorithm| a.supports(moves.rule()) && !ONLY_BY_NAME.contains(&a.name);
            Algorithm::all().iter().filter(suits).map(Algorithm::choose).collect()
        } else {
            named.iter().map(|name| argument::planner(name)).collect::<Result<Vec<_>, _>>()?
        };
        let any_angle = moves.rule().is_any_angle();
        let required = [(YARDSTICK, true), (ANY_ANGLE_OPTIMUM, any_angle)];
        for (name, _) in required.iter().rev().filter(|required| required.1) {
            let missing = !choices.iter().any(|choice| choice.to_string() == *name);
            let row = Algorithm::all().iter().find(|a| a.name == *name);
            if let Some(row) = row.filter(|row| missing && row.supports(moves.rule())) {
                choices.insert(0, row.choose());
            }
        }
        let mut contestants: Vec<Contestant> = Vec::new();
        for choice in choices {
            if !contestants.iter().any(|c| c.name == choice.to_string()) {
                let contestant = Contestant::new(choice, moves, options);
                contestants.push(contestant.map_err(|error| error.to_string())?);
            }
        }
        let place = |name: &str| contestants.iter().position(|c| c.name == name);
        let yardstick = place(YARDSTICK).unwrap_or(0);
        let peer = if any_angle { place(ANY_ANGLE_OPTIMUM) } else { Some(yardstick) };
        let peer_is_optimal =
            peer.is_some_and(|peer| contestants[peer].promise == Promise::Optimal);
        let mut contest = Self {
            moves,
            yardstick,
            max_expansions: options.max_expansions,
            smooth: options.smooth,
            reuse: options.reuse,
            notes: Vec::new(),
            peer: peer.unwrap_or(yardstick),
            peer_is_optimal,
            contestants,
        };
        contest.note(options);
        Ok(contest)
    }

    /// Gives tables to the contestants that can use them; an error if none can.
    pub fn use_lddb(&mut self, lddb: &Lddb) -> Result<(), Error> {
        let mut outcome = Algorithm::named(YARDSTICK)?.with_lddb(lddb);
        for contestant in self.contestants.iter_mut().filter(|c| c.choice.algorithm().blocks) {
            let choice = contestant.choice.clone().with_lddb(lddb);
            if let Ok(choice) = &choice {
                contestant.name = choice.to_string();
                contestant.choice = choice.clone();
            }
            outcome = if outcome.is_ok() { outcome } else { choice };
        }
        outcome.map(|_| ())
    }

    /// Gives prepared data to the contestants with this name; an error if there are none.
    pub fn use_saved(&mut self, planner: &str, bytes: &Arc<Bytes>) -> Result<(), String> {
        let mut used = false;
        for contestant in self.contestants.iter_mut().filter(|c| c.choice.name() == planner) {
            contestant.choice = contestant.choice.clone().with_saved(SharedBytes(bytes.clone()));
            used = true;
        }
        let missing = || format!("the file is for {planner}, which takes no part: name it");
        used.then_some(()).ok_or_else(missing)
    }

    /// The query of a scenario for one contestant.
    pub fn query(&self, contestant: &Contestant, scenario: &Scenario) -> Query {
        let query = place(self.moves, scenario.start, scenario.goal);
        let query = if self.smooth { query } else { query.without_smoothing() };
        let query = if self.reuse { query.reuse() } else { query };
        let query = with(query, contestant.heuristic, Query::heuristic);
        let query = with(query, contestant.weight, Query::weight);
        with(query, self.max_expansions, Query::max_expansions)
    }

    /// What the answers to a scenario are compared with.
    pub fn expectation<'a>(
        &'a self,
        scenario: &'a Scenario,
        answers: &'a [Answer],
        edited: bool,
    ) -> Expectation<'a> {
        if self.moves == Moves::EIGHT && !edited {
            return Expectation::Listed(scenario);
        }
        Expectation::Peer {
            name: &self.contestants[self.peer].name,
            answer: &answers[self.peer],
            optimal: self.peer_is_optimal,
        }
    }

    fn note(&mut self, options: Options) {
        if let Some(weight) = options.weight
            && self.contestants.iter().all(|c| c.weight.is_none())
        {
            self.notes.push(format!(
                "none of the planners takes the weight {weight}: name weighted-astar to use it"
            ));
        }
        let Some(heuristic) = options.heuristic else { return };
        let own = self.contestants.iter().filter(|c| c.heuristic.is_none());
        let own: Vec<_> = own.map(|c| c.name.as_str()).collect();
        if !own.is_empty() {
            self.notes.push(format!(
                "the heuristic {heuristic} is not for {}, which run with their own",
                own.join(", ")
            ));
        }
        if !self.contestants.iter().all(|c| c.choice.algorithm().admits(heuristic, self.moves)) {
            self.notes.push(format!(
                "{heuristic} is not admissible under {}: costs are not held against the optimum",
                self.moves
            ));
        }
    }
}

impl Contestant {
    /// Finds out, on a map of one cell, which of the options the planner takes, so that the others
    /// run without them instead of not at all.
    fn new(choice: PlannerSpec, moves: Moves, options: Options) -> Result<Self, Error> {
        let grid = Grid::new(1, 1)?;
        let planner = choice.prepare(&grid, moves)?;
        let cell = Cell::new(0, 0);
        let probe = place(moves, cell, cell);
        let heuristic = match options.heuristic {
            Some(h) => takes(&*planner, &grid, &probe.clone().heuristic(h))?.then_some(h),
            None => None,
        };
        let weight = match options.weight {
            Some(w) => takes(&*planner, &grid, &probe.weight(w))?.then_some(w),
            None => None,
        };
        let admissible = heuristic.is_none_or(|h| choice.algorithm().admits(h, moves));
        let promise = match (choice.promise_under(moves.rule()), weight) {
            (Promise::Optimal | Promise::Within(_), _) if !admissible => Promise::Complete,
            (Promise::Optimal | Promise::Within(_), Some(weight)) if weight > 1.0 => {
                Promise::Within(weight)
            }
            (Promise::Within(_), Some(_)) => Promise::Optimal,
            (promise, _) => promise,
        };
        Ok(Self { name: choice.to_string(), choice, promise, heuristic, weight })
    }
}

/// Whether a planner takes a query, as far as it supports the query's options.
fn takes(planner: &dyn Planner, grid: &Grid, query: &Query) -> Result<bool, Error> {
    match planner.begin(grid, query, &mut Scratch::new()) {
        Ok(()) => Ok(true),
        Err(Error::Unsupported { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where a query starts and ends: published any-angle figures go from corner to corner.
fn place(moves: Moves, start: Cell, goal: Cell) -> Query {
    if moves.rule().is_any_angle() {
        Query::between_corners(start, goal)
    } else {
        Query::new(start, goal)
    }
}

fn with<T>(query: Query, value: Option<T>, set: impl Fn(Query, T) -> Query) -> Query {
    match value {
        Some(value) => set(query, value),
        None => query,
    }
}

/// Bytes that several planners look at.
struct SharedBytes(Arc<Bytes>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(contest: &Contest) -> Vec<&str> {
        contest.contestants.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn the_yardstick_always_runs_and_slow_planners_only_by_name() {
        let all = Contest::new(&[], Moves::EIGHT, Options::default()).unwrap();
        assert!(names(&all).contains(&"jps") && !names(&all).contains(&"ida-star"));
        let named = ["ida-star:table=off", "jps", "jps"].map(String::from);
        let few = Contest::new(&named, Moves::EIGHT, Options::default()).unwrap();
        assert_eq!(names(&few), ["astar", "ida-star:table=off", "jps"]);
        let four = Contest::new(&["jps".into()], Moves::FOUR, Options::default());
        assert!(four.unwrap_err().contains("`four`"));
    }

    #[test]
    fn options_go_to_those_who_take_them_and_change_what_is_promised() {
        let options = Options { weight: Some(2.0), ..Options::default() };
        let contest = Contest::new(&[], Moves::EIGHT, options).unwrap();
        for contestant in &contest.contestants {
            let weighted = ["weighted-astar", "block-astar"].contains(&&*contestant.name);
            assert_eq!(contestant.weight.is_some(), weighted, "{}", contestant.name);
            assert_eq!(contestant.promise == Promise::Within(2.0), weighted);
        }
        let options = Options { heuristic: Some(Heuristic::Manhattan), ..Options::default() };
        let contest = Contest::new(&[], Moves::EIGHT, options).unwrap();
        assert_eq!(contest.contestants[contest.yardstick].promise, Promise::Complete);
        assert!(contest.notes.iter().any(|note| note.contains("not admissible")));
        let heavy = Options { weight: Some(0.5), ..Options::default() };
        let refused = Contest::new(&["weighted-astar".into()], Moves::EIGHT, heavy);
        assert!(refused.unwrap_err().contains("0.5"));
    }

    #[test]
    fn on_the_corner_lattice_nothing_is_promised_about_any_angle_costs() {
        let contest = Contest::new(&[], Moves::ANY_ANGLE, Options::default()).unwrap();
        assert_eq!(contest.contestants[contest.yardstick].promise, Promise::Complete);
    }
}
