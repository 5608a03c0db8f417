//! The one trait, [`Planner`], and what its calls return.

use crate::engine::Update;
use crate::{Algorithm, Budget, Error, Grid, Layer, Moves, Query, Scratch};
use std::any::Any;
use std::fmt::{self, Debug};

/// The result of a search so far: five different things, never one empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Status {
    /// The budget is spent; call `resume` again.
    Working,
    /// The path leads from the start to the goal.
    Found,
    /// The goal cannot be reached; the path leads to the nearest cell that can, as the query asked.
    Nearest,
    /// There is no path.
    NoPath,
    /// A limit of the query was reached before a path was found. If the query asked for a
    /// [partial](Query::partial) one, the path leads as far as the search got.
    LimitReached,
}

impl Status {
    /// The name that scripts see: `found`, `no-path`, `limit-reached` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Found => "found",
            Self::Nearest => "nearest",
            Self::NoPath => "no-path",
            Self::LimitReached => "limit-reached",
        }
    }

    /// Whether the scratch memory now holds a path to the goal, or to its substitute. (After
    /// [`Status::LimitReached`] it may hold a [partial](Query::partial) one, if the query asked for
    /// that, and only then.)
    pub const fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Nearest)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bytes of memory by purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    parts: Vec<(&'static str, usize)>,
}

impl Memory {
    /// The name of the part that every planner has: the labels that say what is connected.
    pub const CONNECTIVITY: &'static str = "connectivity";

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: &'static str, bytes: usize) -> Self {
        self.parts.push((part, bytes));
        self
    }

    /// The parts with their bytes.
    pub fn parts(&self) -> &[(&'static str, usize)] {
        &self.parts
    }

    /// The bytes of one part, 0 if there is no such part.
    pub fn part(&self, name: &str) -> usize {
        self.parts.iter().filter(|part| part.0 == name).map(|part| part.1).sum()
    }

    /// All bytes.
    pub fn total(&self) -> usize {
        self.parts.iter().map(|part| part.1).sum()
    }
}

/// An algorithm together with the data it has prepared for a map and a movement rule.
///
/// A planner is immutable while it answers, so threads share one and bring a [`Scratch`] each. The
/// grid is passed, never stored: change it whenever you like, then call [`Planner::update`].
///
/// ```
/// use blockstar::{Grid, Jps, Moves, Planner, Query, Scratch, Status, Tile};
///
/// let mut grid = Grid::from_ascii(
///     ".....
///      .###.
///      .....",
/// )?;
/// let mut planner = Jps::new(&grid, Moves::EIGHT)?;
/// let mut scratch = Scratch::new();
/// let query = Query::new((0, 1), (4, 1));
/// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
/// assert_eq!(scratch.path().cost(), 6.0);
///
/// grid.set((2, 1), Tile::Free)?;
/// planner.update(&grid)?;
/// # Ok::<(), blockstar::Error>(())
/// ```
///
/// The planners of this crate are [`Driver`](crate::engine::Driver)s around a
/// [`Method`](crate::engine::Method), the algorithm itself (`auto` holds one of them); your own can
/// be too (see [`engine`](crate::engine)).
pub trait Planner: Any + Debug + Send + Sync {
    /// The registry row: what the algorithm is called, supports and promises.
    fn row(&self) -> &'static Algorithm;

    /// The movement rule it was prepared for.
    fn moves(&self) -> Moves;

    /// The name of the algorithm, as on the command line.
    fn name(&self) -> &'static str {
        self.row().name
    }

    /// Starts a search in `scratch`, forgetting the one before.
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error>;

    /// Continues the search. When the status is not [`Status::Working`], the search is over and the
    /// answer is in [`Scratch::path`] and [`Scratch::stats`].
    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error>;

    /// Repairs what was prepared after the grid was edited. Searches under way end with
    /// [`Error::Stale`].
    fn update(&mut self, grid: &Grid) -> Result<Update, Error>;

    /// The memory of the prepared data. Search memory belongs to the [`Scratch`].
    fn memory_usage(&self) -> Memory;

    /// The prepared data as shapes on the map, for pictures: first the islands of connected cells,
    /// which every planner knows.
    ///
    /// # Errors
    /// If the planner is not up to date with the map.
    fn layers(&self, grid: &Grid) -> Result<Vec<Layer>, Error> {
        let _ = grid;
        Ok(Vec::new())
    }

    /// The prepared data as the bytes of a file that
    /// [`PlannerSpec::open`](crate::PlannerSpec::open) reads. `None` if the planner prepares
    /// nothing worth keeping.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// A copy of the planner, to be updated on its own.
    fn boxed_clone(&self) -> Box<dyn Planner>;

    /// `begin` and one unlimited `resume`.
    fn find(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<Status, Error> {
        self.begin(grid, query, scratch)?;
        self.resume(grid, scratch, Budget::UNLIMITED)
    }
}

impl Clone for Box<dyn Planner> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl<P: Planner + ?Sized> Planner for Box<P> {
    fn row(&self) -> &'static Algorithm {
        (**self).row()
    }

    fn moves(&self) -> Moves {
        (**self).moves()
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        (**self).begin(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        (**self).resume(grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<Update, Error> {
        (**self).update(grid)
    }

    fn memory_usage(&self) -> Memory {
        (**self).memory_usage()
    }

    fn boxed_clone(&self) -> Box<dyn Planner> {
        (**self).boxed_clone()
    }

    fn layers(&self, grid: &Grid) -> Result<Vec<Layer>, Error> {
        (**self).layers(grid)
    }

    fn save(&self) -> Option<Vec<u8>> {
        (**self).save()
    }
}
