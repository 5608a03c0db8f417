//! What a file of prepared data says about itself.

use super::{VERSION, Whole};
use crate::db::parameters::read_moves;
use crate::planner::real_time::guided;
use crate::planner::stored::cpd;
use crate::planner::stored::dba_star::maker as database_maker;
use crate::planner::stored::hcdps;
use crate::regions::sectors::maker as regions_maker;
use crate::{Error, Lddb, Moves, Rule};

/// What a database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseKind {
    /// The taut edges of a [`VisibilityGraph`](crate::VisibilityGraph).
    VisibilityGraph = 1,
    /// The distances inside blocks: an [`Lddb`].
    Lddb = 2,
    /// The solved problems of `knn-lrta-star`.
    KnnRecords = 10,
    /// The subgoal trees of `subgoal-lrta-star`.
    SubgoalTrees = 11,
    /// The subgoals of `d-lrta-star`.
    PairSubgoals = 12,
    /// The regions of `pra-star`.
    Regions = 30,
    /// The regions, paths and next hops of `dba-star`.
    Dba = 31,
    /// The cliques of `pra-star:abstraction=cliques`.
    Cliques = 32,
    /// The first moves of a [`PathDatabase`](crate::PathDatabase).
    PathDatabase = 20,
    /// The regions and paths of [`Hcdps`](crate::Hcdps).
    Hcdps = 21,
}

impl DatabaseKind {
    /// The name in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VisibilityGraph => "visibility graph",
            Self::Lddb => "local distance database",
            Self::KnnRecords => "database of solved problems",
            Self::SubgoalTrees => "database of subgoal trees",
            Self::PairSubgoals => "database of subgoals by pairs",
            Self::Regions => "file of regions",
            Self::Dba => "DBA* database",
            Self::Cliques => "file of cliques",
            Self::PathDatabase => "compressed path database",
            Self::Hcdps => "HCDPS database",
        }
    }

    /// The planner that opens it, by its name in the registry; none for tables that fit any map.
    pub const fn planner(self) -> Option<&'static str> {
        match self {
            Self::VisibilityGraph => Some("visibility-graph"),
            Self::Lddb => None,
            Self::KnnRecords => Some("knn-lrta-star"),
            Self::SubgoalTrees => Some("subgoal-lrta-star"),
            Self::PairSubgoals => Some("d-lrta-star"),
            Self::PathDatabase => Some("cpd"),
            Self::Hcdps => Some("hcdps"),
            Self::Regions | Self::Cliques => Some("pra-star"),
            Self::Dba => Some("dba-star"),
        }
    }

    pub(super) fn of(number: u32) -> Option<Self> {
        let known = [
            Self::VisibilityGraph,
            Self::Lddb,
            Self::KnnRecords,
            Self::SubgoalTrees,
            Self::PairSubgoals,
            Self::Regions,
            Self::Dba,
            Self::Cliques,
            Self::PathDatabase,
            Self::Hcdps,
        ];
        known.into_iter().find(|&kind| kind as u32 == number)
    }

    /// The error for an unusable database of this kind.
    pub(crate) fn refuse(self, problem: impl Into<String>) -> Error {
        Error::Database { kind: self.name(), problem: problem.into() }
    }
}

/// The header of a database of any kind.
///
/// ```
/// use blockstar::{Database, DatabaseKind, Lddb, Moves};
/// let bytes = Lddb::complete(Moves::FOUR, 2, &|_, _| ())?.save();
/// let database = Database::inspect(&bytes)?;
/// assert_eq!(database.kind(), DatabaseKind::Lddb);
/// assert_eq!(database.moves(), Moves::FOUR);
/// assert_eq!(database.map(), None);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Database {
    kind: DatabaseKind,
    moves: Moves,
    map: Option<u64>,
    parameters: u64,
    bytes: usize,
}

impl Database {
    /// Reads the header of a database, and checks that the rest is complete and undamaged.
    pub fn inspect(bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |problem| Error::Database { kind: "file", problem };
        let whole = Whole::read(bytes, refuse)?;
        let Some(kind) = DatabaseKind::of(whole.kind) else {
            return Err(refuse(format!("it holds something of the unknown kind {}", whole.kind)));
        };
        let moves = match kind {
            DatabaseKind::VisibilityGraph => Rule::ALL
                .into_iter()
                .find(|&rule| rule as u64 == whole.parameters)
                .map(Moves::new)
                .ok_or_else(|| kind.refuse("it was made for an unknown movement rule"))?,
            DatabaseKind::Lddb => Lddb::read_moves(whole.parameters)?,
            _ => read_moves(whole.parameters)
                .ok_or_else(|| kind.refuse("it was made for an unknown movement rule"))?,
        };
        let map = Some(whole.grid).filter(|_| kind != DatabaseKind::Lddb);
        Ok(Self { kind, moves, map, parameters: whole.parameters, bytes: bytes.len() })
    }

    /// What it holds.
    pub const fn kind(&self) -> DatabaseKind {
        self.kind
    }

    /// The movement rule it was made for.
    pub const fn moves(&self) -> Moves {
        self.moves
    }

    /// The [hash](crate::Grid::content_hash) of the map it was made for; none if it fits any map.
    pub const fn map(&self) -> Option<u64> {
        self.map
    }

    /// The planner that made it, with all its parameters, if the file says so. Read by
    /// [`Algorithm::named`](crate::Algorithm::named) and prepared for the map, it makes the same
    /// file.
    pub fn maker(&self) -> Option<String> {
        match self.kind {
            DatabaseKind::Regions => regions_maker(self.parameters),
            DatabaseKind::Dba => database_maker(self.parameters),
            DatabaseKind::PathDatabase => Some(cpd::maker(self.parameters)),
            DatabaseKind::Hcdps => hcdps::maker(self.parameters),
            DatabaseKind::KnnRecords | DatabaseKind::SubgoalTrees | DatabaseKind::PairSubgoals => {
                guided::maker(self.kind, self.parameters)
            }
            DatabaseKind::Cliques => Some("pra-star:abstraction=cliques".into()),
            DatabaseKind::VisibilityGraph | DatabaseKind::Lddb => None,
        }
    }

    /// Its size in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The version of the format: this library reads only one.
    pub const fn format(&self) -> u32 {
        VERSION
    }
}
