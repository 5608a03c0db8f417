//! The kinds of prepared data, each with its number in the header of a file.

use crate::{Error, Violation};

/// What a database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseKind {
    /// The taut edges of a [`VisibilityGraph`](crate::VisibilityGraph).
    VisibilityGraph = 1,
    /// The distances inside blocks: an [`Lddb`](crate::Lddb).
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
    /// The graph and the labels of the planner `subgoal`.
    SubgoalGraph = 22,
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
            Self::SubgoalGraph => "subgoal graph",
        }
    }

    pub(crate) fn of(number: u32) -> Option<Self> {
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
            Self::SubgoalGraph,
        ];
        known.into_iter().find(|&kind| kind as u32 == number)
    }

    /// The kind that the bytes claim to be.
    pub(crate) fn claimed(bytes: &[u8]) -> Option<Self> {
        let number = bytes.get(12..).and_then(|mut rest| super::take_u32(&mut rest))?;
        Self::of(number)
    }

    /// The error for a database whose fault only shows during a query.
    pub(crate) fn forged(self, problem: &str) -> Error {
        self.refuse(format!("{problem}, so it is damaged or forged: build it again"))
    }

    /// The same for one that led to an illegal path.
    pub(crate) fn misleads(self, violation: &Violation) -> Error {
        self.forged(&format!("a path made from it is not legal ({violation})"))
    }

    /// The error for an unusable database of this kind.
    pub(crate) fn refuse(self, problem: impl Into<String>) -> Error {
        Error::Database { kind: self.name(), problem: problem.into() }
    }
}
