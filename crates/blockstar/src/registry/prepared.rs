//! Planners by type: `Jps::new(&grid, moves)`, `DbaStar::builder().sector(16).build(&grid, moves)`.
//!
//! Every planner of the registry has a type, [`Prepared`] of a [`PlannerKind`] of its own, and a
//! [`Builder`] with a method for each of its settings. Both are thin: a builder writes the
//! [`PlannerSpec`] that the command line would read, so there is one way to check settings and one
//! way to make a planner.

use super::{Algorithm, PlannerSpec};
use crate::engine::Update;
use crate::{Budget, Error, Grid, Layer, Memory, Moves, Planner, Query, Scratch, Status};
use std::any::Any;
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;

/// Gives a [`Builder`] its methods, each with the parameter of the registry row that it sets, and
/// the value.
macro_rules! settings {
    ($kind:ty: $($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) = $parameter:literal, $value:expr;)*) => {
        impl crate::registry::Builder<$kind> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self, $($arg: $type),*) -> Self {
                    self.set($parameter, $value)
                }
            )*
        }
    };
}
pub(crate) use settings;

/// Which planner of the registry a [`Prepared`] is. Implemented by the types in
/// [`kind`](crate::kind).
pub trait PlannerKind: 'static {
    /// The registry row.
    fn row() -> &'static Algorithm;
}

/// A planner of a known kind, prepared for a map and a movement rule.
///
/// You use it under the names of the planners: [`Jps`](crate::Jps), [`DbaStar`](crate::DbaStar) and
/// all others are this type. Where any planner will do, take `&dyn Planner`, or box it: a
/// `Prepared` turns [into](From) a `Box<dyn Planner>` at no cost.
///
/// ```
/// use blockstar::{Grid, Jps, Moves, Planner, Query, Scratch, Status};
///
/// let grid = Grid::new(32, 32)?;
/// let planner = Jps::new(&grid, Moves::EIGHT)?;
/// let mut scratch = Scratch::new();
/// assert_eq!(planner.find(&grid, &Query::new((0, 0), (31, 9)), &mut scratch)?, Status::Found);
/// assert_eq!(planner.name(), "jps");
/// # Ok::<(), blockstar::Error>(())
/// ```
pub struct Prepared<K> {
    planner: Box<dyn Planner>,
    kind: PhantomData<fn() -> K>,
}

impl<K: PlannerKind> Prepared<K> {
    /// Prepares the planner with its default settings.
    pub fn new(grid: &Grid, moves: Moves) -> Result<Self, Error> {
        Self::builder().build(grid, moves)
    }

    /// The planner's settings, to be changed and then [built](Builder::build) or used to
    /// [open](Builder::open) a file.
    pub fn builder() -> Builder<K> {
        Builder { spec: K::row().choose(), refusal: None, kind: PhantomData }
    }

    /// The planner itself, for kinds with methods of their own. Every planner of a kind has one
    /// type, the one that its row makes.
    pub(crate) fn inner<P: Planner>(&self) -> &P {
        let planner: &dyn Any = &*self.planner;
        planner.downcast_ref().expect("the row makes another planner")
    }

    /// The same, for changes that keep it valid for the map.
    pub(crate) fn inner_mut<P: Planner>(&mut self) -> &mut P {
        let planner: &mut dyn Any = &mut *self.planner;
        planner.downcast_mut().expect("the row makes another planner")
    }
}

impl<K> Clone for Prepared<K> {
    fn clone(&self) -> Self {
        Self { planner: self.planner.clone(), kind: PhantomData }
    }
}

impl<K> Debug for Prepared<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.planner.fmt(f)
    }
}

impl<K: PlannerKind> From<Prepared<K>> for Box<dyn Planner> {
    fn from(prepared: Prepared<K>) -> Self {
        prepared.planner
    }
}

impl<K: PlannerKind> Planner for Prepared<K> {
    fn row(&self) -> &'static Algorithm {
        self.planner.row()
    }

    fn moves(&self) -> Moves {
        self.planner.moves()
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.planner.begin(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        self.planner.resume(grid, scratch, budget)
    }

    fn update(&mut self, grid: &Grid) -> Result<Update, Error> {
        self.planner.update(grid)
    }

    fn memory_usage(&self) -> Memory {
        self.planner.memory_usage()
    }

    fn layers(&self, grid: &Grid) -> Result<Vec<Layer>, Error> {
        self.planner.layers(grid)
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.planner.save()
    }

    fn boxed_clone(&self) -> Box<dyn Planner> {
        self.planner.clone()
    }
}

/// The settings of a planner of a known kind.
///
/// Settings are checked when the planner is built; the first that is out of range is named.
///
/// ```
/// use blockstar::{DbaStar, Grid, Moves};
///
/// let grid = Grid::new(64, 64)?;
/// let planner = DbaStar::builder().sector(16).depth(2).build(&grid, Moves::EIGHT)?;
/// let refused = DbaStar::builder().depth(9).build(&grid, Moves::EIGHT).unwrap_err();
/// assert!(refused.to_string().contains("depth=9"));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub struct Builder<K> {
    spec: PlannerSpec,
    /// The first setting that was refused.
    refusal: Option<Error>,
    kind: PhantomData<fn() -> K>,
}

impl<K: PlannerKind> Builder<K> {
    /// Prepares the planner for a map and a movement rule.
    pub fn build(self, grid: &Grid, moves: Moves) -> Result<Prepared<K>, Error> {
        let planner = self.spec()?.prepare(grid, moves)?;
        Ok(Prepared { planner, kind: PhantomData })
    }

    /// Opens a file that such a planner has [saved](Planner::save) for the same map and movement
    /// rule, instead of preparing the data; see [`PlannerSpec::open`].
    pub fn open(self, bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Prepared<K>, Error> {
        let planner = self.spec()?.open(bytes, grid, moves)?;
        Ok(Prepared { planner, kind: PhantomData })
    }

    /// The same without a copy, if the planner can do without: the bytes stay where they are, and
    /// must not change. A memory map guarantees that only if nobody writes to the file or truncates
    /// it: the system kills a process that reads beyond the new end. Bytes that were read into
    /// memory are safe.
    pub fn open_shared(
        self,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        grid: &Grid,
        moves: Moves,
    ) -> Result<Prepared<K>, Error> {
        let planner = self.spec()?.with_saved(bytes).prepare(grid, moves)?;
        Ok(Prepared { planner, kind: PhantomData })
    }

    /// The settings as the command line writes them.
    pub fn spec(self) -> Result<PlannerSpec, Error> {
        self.refusal.map_or(Ok(self.spec), Err)
    }

    /// Reports progress: parts done and in all, each of about equal work. The function may be
    /// called from several threads. Planners that are prepared in a moment do not report.
    #[must_use]
    pub fn on_progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.spec = self.spec.on_progress(report);
        self
    }

    /// Changes a setting; used by the methods of each kind.
    #[must_use]
    pub(crate) fn set(mut self, parameter: &'static str, value: impl Display) -> Self {
        if let Err(error) = self.spec.set(parameter, &value.to_string()) {
            self.refusal.get_or_insert(error);
        }
        self
    }
}

impl<K> Clone for Builder<K> {
    fn clone(&self) -> Self {
        Self { spec: self.spec.clone(), refusal: self.refusal.clone(), kind: PhantomData }
    }
}

impl<K> Debug for Builder<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.spec, f)
    }
}
