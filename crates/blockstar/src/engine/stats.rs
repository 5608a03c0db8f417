//! Counters of one search, always on.

/// What a search did. Counters do not depend on how the search was sliced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Stats {
    /// The name of the planner that answered; with `auto`, the one it chose.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub planner: Option<&'static str>,
    /// Nodes taken from the open list and expanded.
    pub expanded: u64,
    /// Nodes put on the open list, again or for the first time.
    pub opened: u64,
    /// How many of these were known already and got a better cost.
    pub improved: u64,
    /// The most entries the open list ever held (for IDA*: the deepest path).
    pub largest_open: u64,
    /// Line-of-sight checks made.
    pub sight_checks: u64,
    /// Cells along segments that were priced piece by piece (Theta* on terrain and slopes).
    pub priced_cells: u64,
    /// Rounds of iterative deepening.
    pub rounds: u64,
    /// Expansions of nodes that had been expanded before (Block A*).
    pub reexpanded: u64,
    /// Tables that the search had to make because the planner had no room for them (Block A*).
    pub tables_made: u64,
    /// Whether the last search was reused, as [`Query::reuse`](crate::Query::reuse) allows.
    pub reused: bool,
    /// The cost before smoothing, where a planner smooths its path.
    pub raw_cost: Option<f64>,
    /// An upper bound on the path's cost as a multiple of the optimum, if the planner knows one
    /// (`island`).
    pub proved_factor: Option<f64>,
    /// Moves made by a real-time planner.
    pub moves: u64,
    /// How often it used a move's work to wait instead of moving.
    pub waits: u64,
    /// Expansions before the first of these moves.
    pub first_response: u64,
    /// The most expansions between two of them, or before the first.
    pub largest_move: u64,
    /// The most cells visited between two moves besides these expansions: updated by the LRTA*
    /// family after a lookahead, or traced back by TBA*.
    pub largest_bookkeeping: u64,
}

impl Stats {
    /// Resets the counters for a restart.
    pub(crate) fn start_over(&mut self) {
        *self = Self { planner: self.planner, ..Self::default() };
    }
}
