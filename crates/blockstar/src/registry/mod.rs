//! The registry: one row per planner, read by tests, command line, explorer and benchmarks. Each
//! row is a constant in its planner's own file; a new algorithm is one file and one line in the
//! [list].

mod database;
mod list;
mod parameter;
mod planner_spec;
mod prepared;

use crate::{DatabaseKind, Error, Grid, Heuristic, Moves, Planner, Rule};
pub use database::Database;
use list::ALGORITHMS;
pub use list::*;
pub use parameter::Parameter;
pub(crate) use parameter::parameters;
pub use planner_spec::PlannerSpec;
pub(crate) use prepared::settings;
pub use prepared::{Builder, PlannerKind, Prepared};

/// What a planner promises about the cost of its paths.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Promise {
    /// No path costs less.
    Optimal,
    /// At most this many times the optimum (for planners with a weight: at their default).
    Within(f64),
    /// A path is found if there is one; its cost is not bounded.
    Complete,
    /// Each move comes after a bounded amount of work; the walk may be longer than necessary.
    RealTime,
}

impl std::fmt::Display for Promise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Within(factor) => write!(f, "within {factor} times the optimum"),
            Self::Complete => f.write_str("complete"),
            Self::RealTime => f.write_str("real-time"),
        }
    }
}

/// How the work of preparing a planner grows with the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preparation {
    /// A look at every cell at most: prepared without asking.
    Light,
    /// Short searches from every region or corner: a second or so for a large map.
    Local,
    /// Long searches or views from many places: seconds, and minutes for a large map.
    Wide,
    /// A search of the whole map from every cell: for small maps, or for whoever can wait.
    AllPairs,
}

/// A planner in the registry.
///
/// ```
/// use blockstar::{Algorithm, Grid, Moves};
/// for algorithm in Algorithm::all() {
///     println!("{}: {}", algorithm.name, algorithm.summary);
/// }
/// let grid = Grid::new(8, 8)?;
/// let planner = Algorithm::named("ida-star:table=off")?.prepare(&grid, Moves::FOUR)?;
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct Algorithm {
    /// The name, as on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What it promises.
    pub promise: Promise,
    /// The movement rules it supports.
    pub rules: &'static [Rule],
    /// Whether it takes terrain costs into account; if not, it refuses grids that have them.
    pub terrain: bool,
    /// Whether it takes heights into account, as the [`Slope`](crate::Slope) of the movement rule
    /// says; if not, it refuses rules that have one.
    pub heights: bool,
    /// Whether start and goal may be any points under the any-angle rules.
    pub free_points: bool,
    /// Whether it steps between the corner points of cells under the any-angle rules, as the A* of
    /// published comparisons does: its promise then holds only among such paths.
    pub lattice: bool,
    /// Whether it searches blocks by tables, which an [`Lddb`](crate::Lddb) may provide. Its
    /// any-angle paths are then straight only from one block boundary to the next, and its promise
    /// holds only among such paths.
    pub blocks: bool,
    /// Whether it uses the [weight](crate::Query::weight) of a query.
    pub weight: bool,
    /// Whether it supports queries that [avoid](crate::Query::avoid) cells; if not, it refuses
    /// them.
    pub avoids: bool,
    /// Whether it can return the best [partial](crate::Query::partial) path when a limit ends its
    /// search; if not, it refuses such queries.
    pub partial: bool,
    /// Whether expansions scan the map and may take long: the clock is then read after each of them
    /// instead of every 64. Planners that [walk](Algorithm::walks) always do that.
    pub scans: bool,
    /// Whether the search runs forever if there is no path. The driver then makes sure that there
    /// is one where connectivity alone cannot decide, as with slope limits.
    pub must_reach: bool,
    /// How much work it is to prepare.
    pub preparation: Preparation,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The heuristic it uses if the query names none; by default the best one for the movement
    /// rule.
    pub(crate) heuristic: Option<Heuristic>,
    /// Why it refuses heuristics that overestimate, and which one to use, if it does.
    pub(crate) must_admit: Option<&'static str>,
    /// What it promises with these parameters under a rule, if that depends on them.
    pub(crate) promise_with: Option<fn(&PlannerSpec, Rule) -> Promise>,
    /// The kinds of file it saves.
    pub(crate) files: &'static [SavedFile],
    /// Opens what the planner has saved.
    pub(crate) open: Option<Opener>,
    pub(crate) make: Maker,
}

/// A kind of file that a planner saves and opens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedFile {
    pub kind: DatabaseKind,
    /// The movement rule of a file with these parameters.
    pub moves: fn(u64) -> Option<Moves>,
    /// The planner that made a file with these parameters, as [`Algorithm::named`] reads it.
    pub maker: fn(u64) -> Option<String>,
}

pub(crate) type Opener = fn(&PlannerSpec, &[u8], &Grid, Moves) -> Result<Box<dyn Planner>, Error>;
pub(crate) type Maker = fn(&PlannerSpec, &Grid, Moves) -> Result<Box<dyn Planner>, Error>;

impl Algorithm {
    /// What most rows have in common: under all rules between cells, without terrain or slopes,
    /// with no parameters and nothing to save.
    pub(crate) const BASE: Self = Self {
        name: "",
        summary: "",
        source: "",
        promise: Promise::Complete,
        rules: Rule::CELLS,
        terrain: false,
        heights: false,
        free_points: false,
        lattice: false,
        blocks: false,
        weight: false,
        avoids: false,
        partial: false,
        scans: false,
        must_reach: false,
        preparation: Preparation::Light,
        parameters: &[],
        heuristic: None,
        must_admit: None,
        promise_with: None,
        files: &[],
        open: None,
        make: |spec, _, _| Err(spec.algorithm().unsupported("the registry", "make it yourself")),
    };

    /// A row for a planner outside this crate: under all rules between cells, without terrain or
    /// slopes. Change its public fields as needed.
    pub const fn outside(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, ..Self::BASE }
    }

    /// Every planner.
    pub fn all() -> &'static [Self] {
        ALGORITHMS
    }

    /// The planner with this name, with parameters after colons: `ida-star:table=off`.
    pub fn named(text: &str) -> Result<PlannerSpec, Error> {
        PlannerSpec::read(text)
    }

    /// The planner with its default parameters.
    pub fn choose(&'static self) -> PlannerSpec {
        PlannerSpec::new(self)
    }

    /// What the planner promises under a movement rule: see [`Algorithm::lattice`] and
    /// [`Algorithm::blocks`].
    pub fn promise_under(&self, rule: Rule) -> Promise {
        let relative = self.lattice || self.blocks;
        if relative && rule.is_any_angle() { Promise::Complete } else { self.promise }
    }

    /// The heuristic that the planner uses under a movement rule if the query names none. An
    /// any-angle path is not bound to the steps that the octile estimate counts.
    pub fn default_heuristic(&self, moves: Moves) -> Heuristic {
        let steps = moves.rule().is_any_angle() && self.lattice;
        let usual = if steps { Heuristic::Octile } else { Heuristic::default_for(moves) };
        self.heuristic.unwrap_or(usual)
    }

    /// Whether a heuristic never overestimates the paths of this planner under a movement rule:
    /// with it, the planner keeps its promise.
    pub fn admits(&self, heuristic: Heuristic, moves: Moves) -> bool {
        match self.lattice {
            true => heuristic.is_admissible_for_steps(moves),
            false => heuristic.is_admissible(moves),
        }
    }

    /// Whether the answer is a walk made while planning: a real-time planner.
    pub fn walks(&self) -> bool {
        self.promise == Promise::RealTime
    }

    /// Whether the planner supports a movement rule.
    pub fn supports(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Advice to use another planner, one that can do what this one cannot, on this map under this
    /// rule.
    pub(crate) fn advice(grid: &Grid, moves: Moves, can: fn(&Self) -> bool) -> String {
        let fits = |row: &&Self| {
            can(row)
                && row.supports(moves.rule())
                && (row.terrain || !grid.has_costs())
                && (row.heights || moves.slope().is_none())
        };
        let listed = ["jps", "anya", "theta-star", "astar"];
        let mut rows =
            listed.iter().filter_map(|name| Self::all().iter().find(|r| r.name == *name));
        rows.find(fits).map_or("ask without".into(), |row| format!("use `{}`", row.name))
    }

    /// The error for something the planner cannot do.
    pub(crate) fn unsupported(&self, what: impl Into<String>, remedy: impl Into<String>) -> Error {
        Error::Unsupported { planner: self.name, what: what.into(), remedy: remedy.into() }
    }
}
