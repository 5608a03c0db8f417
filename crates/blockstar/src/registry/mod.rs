//! The registry: one row per planner. Tests, command line, benchmarks and explorer read it; a new
//! algorithm is one file in `search/` and one row in [`rows`].

mod rows;

use crate::{DatabaseKind, Error, Grid, Heuristic, Lddb, Moves, Planner, Rule};
use rows::ALGORITHMS;
use std::sync::Arc;

/// What a planner promises about the cost of its paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// No path costs less.
    Optimal,
    /// At most this many times the optimum (for planners with a weight: at their default).
    Within(f64),
    /// A path is found if there is one; its cost is not bounded.
    Complete,
    /// Moves come after a bounded amount of work each; the walk may be longer than need be.
    RealTime,
}

/// A parameter of a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as in `planner:name=value`.
    pub name: &'static str,
    /// The values it takes.
    pub values: &'static str,
    /// The value it has if none is given.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
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
    /// Whether it takes heights into account, as the [`Slope`](crate::Slope) of the movement rule says;
    /// if not, it refuses rules that have one.
    pub heights: bool,
    /// Whether start and goal may be any points under the any-angle rules.
    pub free_points: bool,
    /// Whether it steps between the corner points of cells under the any-angle rules, as published
    /// comparisons have their A* do: what it promises then holds among such paths only.
    pub lattice: bool,
    /// Whether its any-angle paths are straight only from one block boundary to the next: what it
    /// promises then holds among such paths only.
    pub blocks: bool,
    /// Whether it takes the [weight](crate::Query::weight) of a query.
    pub weight: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Opens what the planner has saved, if it can be.
    open: Option<Opener>,
    make: Constructor,
}

type Opener = fn(&Choice, &[u8], &Grid, Moves) -> Result<Box<dyn Planner>, Error>;
type Constructor = fn(&Choice, &Grid, Moves) -> Result<Box<dyn Planner>, Error>;

/// An [`Algorithm`] with values for its parameters: what [`Algorithm::named`] reads from text.
#[derive(Clone, Debug)]
pub struct Choice {
    algorithm: &'static Algorithm,
    given: Vec<(&'static str, String)>,
    lddb: Option<Lddb>,
    saved: Option<Saved>,
}

/// The bytes of a file of prepared data, wherever they are.
#[derive(Clone)]
struct Saved(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl std::fmt::Debug for Saved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", (*self.0).as_ref().len())
    }
}

impl Algorithm {
    /// Every planner.
    pub fn all() -> &'static [Self] {
        ALGORITHMS
    }

    /// The planner of a name, with parameters after colons: `ida-star:table=off`.
    pub fn named(text: &str) -> Result<Choice, Error> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(algorithm) = ALGORITHMS.iter().find(|algorithm| algorithm.name == name) else {
            let known: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
            return Err(Error::UnknownPlanner { name: name.into(), known: known.join(", ") });
        };
        let mut choice = Choice { algorithm, given: Vec::new(), lddb: None, saved: None };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let parameter = algorithm.parameters.iter().find(|p| p.name == name);
            let Some(parameter) = parameter else {
                let known: Vec<_> = algorithm.parameters.iter().map(|p| p.name).collect();
                let reason = match known.len() {
                    0 => "it has no parameters".into(),
                    _ => format!("its parameters are {}", known.join(", ")),
                };
                return Err(choice.refuse(part, reason));
            };
            if let Some((_, first)) = choice.given.iter().find(|given| given.0 == parameter.name) {
                let reason = format!("{name} is given twice, first as {first}: name it once");
                return Err(choice.refuse(part, reason));
            }
            choice.given.push((parameter.name, value.into()));
        }
        Ok(choice)
    }

    /// The planner with its default parameters.
    pub fn choose(&'static self) -> Choice {
        Choice { algorithm: self, given: Vec::new(), lddb: None, saved: None }
    }

    /// What the planner promises under a movement rule: see [`Algorithm::lattice`] and
    /// [`Algorithm::blocks`].
    pub fn promise_under(&self, rule: Rule) -> Promise {
        let relative = self.lattice || self.blocks;
        if relative && rule.is_any_angle() { Promise::Complete } else { self.promise }
    }

    /// The heuristic that the planner uses under a movement rule if the query names none. A path that
    /// may take any angle is not bound to the steps that the octile estimate counts.
    pub fn default_heuristic(&self, moves: Moves) -> Heuristic {
        if self.name.starts_with("astar-mod") {
            Heuristic::Chebyshev // the first of the paper's three changes
        } else if moves.rule().is_any_angle() && !self.lattice {
            Heuristic::Euclidean
        } else {
            Heuristic::default_for(moves)
        }
    }

    /// Whether the planner supports a movement rule.
    pub fn supports(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }
}

impl Choice {
    /// The row of the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// What the planner promises under a movement rule with these parameters: what its row says, but for
    /// `astar-mod:base=0`, where level ground costs nothing and the estimate has nothing to do with costs.
    pub fn promise_under(&self, rule: Rule) -> Promise {
        match self.given.iter().any(|(name, value)| *name == "base" && value == "0") {
            true => Promise::Complete,
            false => self.algorithm.promise_under(rule),
        }
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.algorithm.name
    }

    /// The same with tables that were made before, for planners with blocks. The database decides the
    /// size of a block, and so must the movement rule be its own.
    pub fn with_lddb(mut self, lddb: &Lddb) -> Result<Self, Error> {
        const BLOCK: &str = "block";
        let Some(parameter) = self.algorithm.parameters.iter().find(|p| p.name == BLOCK) else {
            return Err(Error::Unsupported {
                planner: self.name(),
                what: "a local distance database".into(),
                remedy: "use `block-astar`".into(),
            });
        };
        let block = lddb.block().to_string();
        if let Some((_, other)) =
            self.given.iter().find(|(name, value)| *name == BLOCK && *value != block)
        {
            let reason =
                format!("the database is for blocks of {block} cells a side: leave it out");
            return Err(self.refuse(&format!("{BLOCK}={other}"), reason));
        }
        if !self.given.iter().any(|(name, _)| *name == BLOCK) {
            self.given.push((parameter.name, block));
        }
        self.lddb = Some(lddb.clone());
        Ok(self)
    }

    /// The same with what a planner of this choice has [saved](Planner::save): [`Choice::prepare`] then
    /// [opens](Choice::open) it. The bytes may be a memory map.
    #[must_use]
    pub fn with_saved(mut self, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        self.saved = Some(Saved(Arc::new(bytes)));
        self
    }

    /// Makes the planner for a map and a movement rule.
    pub fn prepare(&self, grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        if let Some(Saved(bytes)) = &self.saved {
            return self.open((**bytes).as_ref(), grid, moves);
        }
        self.check(grid, moves)?;
        if let Some(lddb) = self.lddb.as_ref().filter(|lddb| lddb.moves() != moves) {
            return Err(DatabaseKind::Lddb
                .refuse(format!("it was made for the rule {}, not for {moves}", lddb.moves())));
        }
        (self.algorithm.make)(self, grid, moves)
    }

    /// Opens what a planner of this choice has [saved](Planner::save) for the same map and movement rule,
    /// instead of preparing it. Everything else is refused: other files, damaged ones, those of another
    /// map, of the same map before an edit, or of another rule. (`block-astar` saves an [`Lddb`], which
    /// fits every map; what it lacks is made.)
    ///
    /// ```
    /// use blockstar::{Algorithm, Grid, Moves, Planner};
    /// let grid = Grid::new(20, 20)?;
    /// let choice = Algorithm::named("knn-lrta-star:records=50")?;
    /// let saved = choice.prepare(&grid, Moves::EIGHT)?.save().unwrap();
    /// let planner = choice.open(&saved, &grid, Moves::EIGHT)?;
    /// assert!(choice.open(&saved[..100], &grid, Moves::EIGHT).is_err());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn open(&self, bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        self.check(grid, moves)?;
        let Some(open) = self.algorithm.open else {
            return Err(Error::Unsupported {
                planner: self.name(),
                what: "a file of prepared data".into(),
                remedy: "prepare it".into(),
            });
        };
        open(self, bytes, grid, moves)
    }

    /// Bytes that are to be opened, without a copy if they are those of [`Choice::with_saved`].
    fn shared(&self, bytes: &[u8]) -> Arc<dyn AsRef<[u8]> + Send + Sync> {
        match &self.saved {
            Some(Saved(saved)) if std::ptr::eq((**saved).as_ref(), bytes) => Arc::clone(saved),
            _ => Arc::new(bytes.to_vec()),
        }
    }

    /// Whether the planner can work on a map under a rule.
    fn check(&self, grid: &Grid, moves: Moves) -> Result<(), Error> {
        if !self.algorithm.supports(moves.rule()) {
            let known: Vec<_> = self.algorithm.rules.iter().map(|rule| rule.name()).collect();
            return Err(Error::Unsupported {
                planner: self.name(),
                what: format!("the movement rule `{}`", moves.rule().name()),
                remedy: format!("it supports {}", known.join(", ")),
            });
        }
        if grid.has_costs() && !self.algorithm.terrain {
            return Err(Error::no_terrain(self.name(), moves));
        }
        if let Some(slope) = moves.slope() {
            if !self.algorithm.heights {
                return Err(Error::no_slopes(self.name(), moves));
            }
            slope.check(grid, moves)?;
        }
        Ok(())
    }

    /// The value of a parameter: as given, or its default.
    fn value(&self, name: &str) -> &str {
        let given = self.given.iter().rev().find(|given| given.0 == name);
        let default = || self.algorithm.parameters.iter().find(|p| p.name == name);
        given.map_or_else(|| default().map_or("", |p| p.default), |given| &given.1)
    }

    fn switch(&self, name: &str) -> Result<bool, Error> {
        match self.value(name) {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(self.refuse(&format!("{name}={other}"), "use on or off".into())),
        }
    }

    fn number(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, Error> {
        let value = self.value(name);
        value.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let reason = format!("use a whole number from {} to {}", range.start(), range.end());
            self.refuse(&format!("{name}={value}"), reason)
        })
    }

    /// A number, or `None` for "auto".
    fn automatic(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, Error> {
        if self.value(name) == "auto" {
            return Ok(None);
        }
        self.number(name, range).map(Some)
    }

    /// A parameter, if a value was given for it: what was prepared before decides the others.
    fn given<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.given.iter().any(|given| given.0 == name).then(|| read(self)).transpose()
    }

    fn metres(&self, name: &str) -> Result<Option<f64>, Error> {
        let value = self.value(name);
        if value == "off" {
            return Ok(None);
        }
        let number = value.parse().ok().filter(|number| (0.0..1e9).contains(number));
        number.map(Some).ok_or_else(|| {
            let reason = "use a number of metres, or off".into();
            self.refuse(&format!("{name}={value}"), reason)
        })
    }

    fn refuse(&self, given: &str, reason: String) -> Error {
        Error::Parameter { planner: self.name(), given: given.into(), reason }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.algorithm.name)?;
        for (name, value) in &self.given {
            write!(f, ":{name}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_are_read_and_refused_with_a_sentence() {
        let message = |text: &str| match Algorithm::named(text) {
            Err(error) => error.to_string(),
            Ok(choice) => match choice.prepare(&Grid::new(2, 2).unwrap(), Moves::EIGHT) {
                Err(error) => error.to_string(),
                Ok(_) => "fine".into(),
            },
        };
        assert_eq!(message("ida-star:table=off"), "fine");
        assert!(message("a-star").contains("`a-star`; the planners are astar, dijkstra"));
        assert!(message("astar:speed=9").contains("no parameters"));
        assert!(message("ida-star:tabel=on").contains("its parameters are table"));
        assert!(message("ida-star:table=maybe").contains("use on or off"));
        let twice = message("block-astar:block=2:memory=1:block=3");
        assert_eq!(
            twice,
            "block-astar cannot take `block=3`: block is given twice, first as 2: name it once"
        );
        let four = Algorithm::named("jps").unwrap().prepare(&Grid::new(2, 2).unwrap(), Moves::FOUR);
        assert!(four.err().unwrap().to_string().contains("it supports eight, eight-cut-one"));
        assert_eq!(
            Algorithm::named("ida-star:table=off").unwrap().to_string(),
            "ida-star:table=off"
        );
    }
}
