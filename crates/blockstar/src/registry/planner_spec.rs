//! An algorithm with values for its parameters, and how it becomes a planner.

use super::{Algorithm, list::STUDIED};
use crate::db::SharedBytes;
use crate::engine::parallel::Report;
use crate::error::nearest_name;
use crate::{DatabaseKind, Error, Grid, Lddb, Moves, Planner, Promise, Rule};
use std::str::FromStr;
use std::sync::Arc;

/// An [`Algorithm`] with values for its parameters: what [`Algorithm::named`] reads from text.
#[derive(Clone, Debug)]
pub struct PlannerSpec {
    algorithm: &'static Algorithm,
    /// The values given, all checked.
    given: Vec<(&'static str, String)>,
    lddb: Option<Lddb>,
    /// A file of prepared data.
    saved: Option<SharedBytes>,
    report: Report,
}

impl PlannerSpec {
    pub(super) fn new(algorithm: &'static Algorithm) -> Self {
        Self { algorithm, given: Vec::new(), lddb: None, saved: None, report: Report::default() }
    }

    /// Reads a name with parameters after colons.
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(algorithm) = Algorithm::all().iter().find(|row| row.name == name) else {
            if let Some(planner) = STUDIED.iter().find(|studied| **studied == name) {
                let remedy = "enable it in Cargo.toml".into();
                let what = "builds of blockstar without the feature `study`".into();
                return Err(Error::Unsupported { planner, what, remedy });
            }
            let known: Vec<_> = Algorithm::all().iter().map(|row| row.name).collect();
            return Err(Error::UnknownName { what: "planner", name: name.into(), known });
        };
        let mut spec = Self::new(algorithm);
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if let Some(first) = spec.given(name) {
                let reason = format!("{name} is given twice, first as {first}: name it once");
                return Err(spec.refuse(part, reason));
            }
            spec.set(name, value)?;
        }
        Ok(spec)
    }

    /// Sets a parameter, replacing an earlier value.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let parameters = self.algorithm.parameters;
        let given = || format!("{name}={value}");
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            let known: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            let reason = match (known.len(), nearest_name(name, &known)) {
                (0, _) => "it has no parameters".into(),
                (_, Some(meant)) => format!("did you mean `{meant}`?"),
                _ => format!("its parameters are {}", known.join(", ")),
            };
            return Err(self.refuse(&given(), reason));
        };
        parameter.check(value).map_err(|reason| self.refuse(&given(), reason))?;
        self.given.retain(|(given, _)| *given != name);
        self.given.push((parameter.name, value.into()));
        Ok(())
    }

    /// The same with progress reports: parts done and in all, each of about equal work. The
    /// function may be called from several threads. Planners that are prepared in a moment do not
    /// report.
    #[must_use]
    pub fn on_progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.report = Report::to(report);
        self
    }

    /// Reports the progress of the preparation to whoever wants to know.
    pub(crate) fn progress(&self) -> &(dyn Fn(usize, usize) + Sync) {
        self.report.progress()
    }

    /// The row of the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// What the planner promises under a movement rule with these parameters.
    pub fn promise_under(&self, rule: Rule) -> Promise {
        let own = self.algorithm.promise_with.map(|promise| promise(self, rule));
        own.unwrap_or_else(|| self.algorithm.promise_under(rule))
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.algorithm.name
    }

    /// The same with tables made beforehand, for planners with blocks. The database fixes the block
    /// size, and the movement rule must be the one it was made for.
    pub fn with_lddb(mut self, lddb: &Lddb) -> Result<Self, Error> {
        const BLOCK: &str = "block";
        if !self.algorithm.blocks {
            let remedy = "use `block-astar`";
            return Err(self.algorithm.unsupported("a local distance database", remedy));
        }
        let block = lddb.block().to_string();
        let square = format!("{block}x{block}");
        let differs = |value: &String| *value != block && *value != square;
        if let Some((_, other)) =
            self.given.iter().find(|(name, value)| *name == BLOCK && differs(value))
        {
            let reason =
                format!("the database is for blocks of {block} cells a side: leave it out");
            return Err(self.refuse(&format!("{BLOCK}={other}"), reason));
        }
        if !self.given.iter().any(|(name, _)| *name == BLOCK) {
            self.given.push((BLOCK, block));
        }
        self.lddb = Some(lddb.clone());
        Ok(self)
    }

    /// The same with a file that a planner of this kind has [saved](Planner::save):
    /// [`PlannerSpec::prepare`] then [opens](PlannerSpec::open) it, and refuses if
    /// [`PlannerSpec::with_lddb`] was given tables as well.
    ///
    /// The tables of `block-astar` and the moves of `cpd` are used where the bytes are; the others
    /// are copied. The bytes must stay as they are for as long as planners use them. A memory map
    /// guarantees that only if nobody writes to the file or truncates it: the system kills a
    /// process that reads beyond the new end. Bytes that were read into memory are safe.
    #[must_use]
    pub fn with_saved(mut self, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        self.saved = Some(SharedBytes(Arc::new(bytes)));
        self
    }

    /// Prepares the planner for a map and a movement rule.
    pub fn prepare(&self, grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        if let Some(bytes) = &self.saved {
            return self.open(bytes.as_ref(), grid, moves);
        }
        self.check(grid, moves)?;
        if let Some(lddb) = self.lddb.as_ref().filter(|lddb| lddb.moves() != moves) {
            return Err(DatabaseKind::Lddb
                .refuse(format!("it was made for the rule {}, not for {moves}", lddb.moves())));
        }
        (self.algorithm.make)(self, grid, moves)
    }

    /// Opens a file that a planner of this kind has [saved](Planner::save) for the same map and
    /// movement rule, instead of preparing the data. Everything else is refused: other files,
    /// damaged files, files for another map, for the same map before an edit, or for another rule.
    /// (`block-astar` saves an [`Lddb`], which fits every map; missing tables are made.)
    ///
    /// ```
    /// use blockstar::{Algorithm, Grid, Moves, Planner};
    /// let grid = Grid::new(20, 20)?;
    /// let spec = Algorithm::named("knn-lrta-star:records=50")?;
    /// let saved = spec.prepare(&grid, Moves::EIGHT)?.save().unwrap();
    /// let planner = spec.open(&saved, &grid, Moves::EIGHT)?;
    /// assert!(spec.open(&saved[..100], &grid, Moves::EIGHT).is_err());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn open(&self, bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        self.check(grid, moves)?;
        if self.lddb.is_some() {
            let reason = "it already has a local distance database: give it one of the two";
            return Err(self.refuse("what a planner has saved", reason.into()));
        }
        let Some(open) = self.algorithm.open else {
            return Err(self.algorithm.unsupported("a file of prepared data", "prepare it"));
        };
        open(self, bytes, grid, moves)
    }

    /// The bytes of a file to open, without a copy if they came from [`PlannerSpec::with_saved`].
    pub(crate) fn shared(&self, bytes: &[u8]) -> SharedBytes {
        match &self.saved {
            Some(saved) if std::ptr::eq(saved.as_ref(), bytes) => saved.clone(),
            _ => SharedBytes(Arc::new(bytes.to_vec())),
        }
    }

    /// Whether the planner can work on a map under a rule.
    fn check(&self, grid: &Grid, moves: Moves) -> Result<(), Error> {
        if !self.algorithm.supports(moves.rule()) {
            let known: Vec<_> = self.algorithm.rules.iter().map(|rule| rule.name()).collect();
            return Err(self.algorithm.unsupported(
                format!("the movement rule `{}`", moves.rule().name()),
                format!(
                    "it supports {}: {}",
                    known.join(", "),
                    Algorithm::advice(grid, moves, |_| true)
                ),
            ));
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

    /// The tables of [`PlannerSpec::with_lddb`].
    pub(crate) fn lddb(&self) -> Option<&Lddb> {
        self.lddb.as_ref()
    }

    /// The same without a file of prepared data.
    pub(crate) fn without_saved(&self) -> Self {
        Self { saved: None, ..self.clone() }
    }

    /// The value given for a parameter, if any. Parameters that were not given are taken from the
    /// file, if one is opened.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|given| given.0 == name).map(|given| &*given.1)
    }

    /// The value of a parameter: as given, or its default.
    pub(crate) fn word(&self, name: &str) -> &str {
        let default = || self.algorithm.parameters.iter().find(|p| p.name == name);
        self.given(name).unwrap_or_else(|| default().map_or("", |parameter| parameter.default))
    }

    /// A parameter that is a whole number. Its values were checked when it was given.
    pub(crate) fn number(&self, name: &str) -> u32 {
        self.word(name).parse().unwrap_or_default()
    }

    /// A whole number, or `None` for a word such as "auto".
    pub(crate) fn number_or_word(&self, name: &str) -> Option<u32> {
        self.word(name).parse().ok()
    }

    /// A number of metres, or `None` for "off".
    pub(crate) fn metres(&self, name: &str) -> Option<f64> {
        self.word(name).parse().ok()
    }

    /// A number of MiB, in bytes.
    pub(crate) fn mebibytes(&self, name: &str) -> usize {
        (self.number(name) as usize) << 20
    }

    /// Whether a parameter is "on".
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }

    /// A width and a height: `16` or `16x12`.
    pub(crate) fn sides(&self, name: &str) -> (u32, u32) {
        let value = self.word(name);
        let (width, height) = value.split_once('x').unwrap_or((value, value));
        (width.parse().unwrap_or_default(), height.parse().unwrap_or_default())
    }

    /// The error for a parameter that is not accepted.
    pub(crate) fn refuse(&self, given: &str, reason: String) -> Error {
        Error::Parameter { planner: self.name(), given: given.into(), reason }
    }
}

impl FromStr for PlannerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::read(text)
    }
}

/// Two are equal if they choose the same planner with the same values, given in any order, and the
/// same files.
impl PartialEq for PlannerSpec {
    fn eq(&self, other: &Self) -> bool {
        let same = |name| self.word(name) == other.word(name);
        self.name() == other.name()
            && self.algorithm.parameters.iter().all(|parameter| same(parameter.name))
            && self.lddb.as_ref().map(Lddb::as_bytes) == other.lddb.as_ref().map(Lddb::as_bytes)
            && self.saved.as_ref().map(AsRef::as_ref) == other.saved.as_ref().map(AsRef::as_ref)
    }
}

impl std::fmt::Display for PlannerSpec {
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
    fn saved_data_and_tables_together_are_refused() {
        let grid = Grid::new(6, 6).unwrap();
        let lddb = Lddb::complete(Moves::EIGHT, 3).unwrap();
        let spec = Algorithm::named("block-astar").unwrap();
        let saved = spec.prepare(&grid, Moves::EIGHT).unwrap().save().unwrap();
        let first = spec.clone().with_lddb(&lddb).unwrap().with_saved(saved.clone());
        let last = spec.clone().with_saved(saved.clone()).with_lddb(&lddb).unwrap();
        let opened = spec.with_lddb(&lddb).unwrap().open(&saved, &grid, Moves::EIGHT);
        for refused in
            [first.prepare(&grid, Moves::EIGHT), last.prepare(&grid, Moves::EIGHT), opened]
        {
            let message = refused.err().unwrap().to_string();
            assert!(message.contains("give it one of the two"), "{message}");
        }
    }

    #[test]
    fn names_and_parameters_are_read_and_refused_with_a_sentence() {
        let message = |text: &str| match Algorithm::named(text) {
            Err(error) => error.to_string(),
            Ok(spec) => match spec.prepare(&Grid::new(2, 2).unwrap(), Moves::EIGHT) {
                Err(error) => error.to_string(),
                Ok(_) => "fine".into(),
            },
        };
        assert_eq!(message("ida-star:table=off"), "fine");
        assert_eq!(message("a-star"), "there is no planner `a-star`: did you mean `astar`?");
        assert_eq!(message("jsp"), "there is no planner `jsp`: did you mean `jps`?");
        assert!(message("recast").contains("`recast`; there are auto, astar"));
        assert!(message("astar:speed=9").contains("no parameters"));
        assert!(message("ida-star:tabel=on").ends_with("did you mean `table`?"));
        assert!(message("ida-star:speed=9").contains("its parameters are table"));
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
