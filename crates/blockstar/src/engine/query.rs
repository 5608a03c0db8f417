//! One question to a planner.

#[cfg(feature = "serde")]
use crate::written::QueryText;
use crate::{Cell, Error, Heuristic, Mask, Place, Point};
use std::hash::{Hash, Hasher};

/// From where to where, with options that have sensible defaults.
///
/// The movement rule is not part of it: a planner is prepared for one rule, because all its
/// prepared data depends on it.
///
/// ```
/// use blockstar::Query;
/// let query = Query::new((0, 0), (9, 9)).nearest().max_cost(100.0);
/// assert_eq!(query.cost_limit(), Some(100.0));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "QueryText", into = "QueryText"))]
pub struct Query {
    start: Point,
    goal: Point,
    options: QueryOptions,
}

/// The options of a [`Query`] all at once, for those that come from elsewhere: a command line, a
/// file, another language. Without any they are those of [`Query::new`].
///
/// ```
/// use blockstar::{Query, QueryOptions};
/// let options = QueryOptions { nearest: true, max_cost: Some(100.0), ..QueryOptions::default() };
/// let query = Query::new((0, 0), (9, 9)).nearest().max_cost(100.0);
/// assert_eq!(Query::with_options((0, 0), (9, 9), options), query);
/// ```
#[derive(Clone, Debug, Default)]
pub struct QueryOptions {
    /// See [`Query::nearest`].
    pub nearest: bool,
    /// See [`Query::avoid`].
    pub avoid: Option<Mask>,
    /// See [`Query::reuse`].
    pub reuse: bool,
    /// See [`Query::max_cost`].
    pub max_cost: Option<f64>,
    /// See [`Query::partial`].
    pub partial: bool,
    /// See [`Query::max_expansions`].
    pub max_expansions: Option<u64>,
    /// See [`Query::heuristic`].
    pub heuristic: Option<Heuristic>,
    /// See [`Query::weight`].
    pub weight: Option<f64>,
    /// See [`Query::keep_learning`].
    pub keep_learning: bool,
    /// See [`Query::without_smoothing`].
    pub without_smoothing: bool,
}

impl Query {
    /// From `start` to `goal`: a [`Cell`] or a pair of whole numbers stands for the cell's centre;
    /// planners that take free points (see [`Algorithm`](crate::Algorithm)) take any [`Point`] or
    /// pair of floating-point numbers.
    pub fn new(start: impl Into<Place>, goal: impl Into<Place>) -> Self {
        Self::with_options(start, goal, QueryOptions::default())
    }

    /// The same with options.
    pub fn with_options(
        start: impl Into<Place>,
        goal: impl Into<Place>,
        options: QueryOptions,
    ) -> Self {
        let avoid = options.avoid.filter(|mask| !mask.is_empty());
        let options = QueryOptions { avoid, ..options };
        Self { start: start.into().point(), goal: goal.into().point(), options }
    }

    /// From the top left corner of one cell to that of another, as in published any-angle results.
    pub fn between_corners(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self::new(start.into().corner(), goal.into().corner())
    }

    /// Overrides the planner's default heuristic. With one that is not admissible, no planner keeps
    /// its promise of optimality.
    #[must_use]
    pub fn heuristic(self, heuristic: Heuristic) -> Self {
        Self { options: QueryOptions { heuristic: Some(heuristic), ..self.options }, ..self }
    }

    /// The weight of the heuristic for planners that have one: the path costs at most this many
    /// times the optimum.
    #[must_use]
    pub fn weight(self, weight: f64) -> Self {
        Self { options: QueryOptions { weight: Some(weight), ..self.options }, ..self }
    }

    /// Gives up, with [`Status::LimitReached`](crate::Status::LimitReached), when every path costs
    /// more than this. (Planners that do not promise the optimum may give up although a path within
    /// the limit exists: they only consider the paths they would have taken. Real-time planners
    /// have by then walked as far as the limit permits.)
    #[must_use]
    pub fn max_cost(self, limit: f64) -> Self {
        Self { options: QueryOptions { max_cost: Some(limit), ..self.options }, ..self }
    }

    /// Gives up, with [`Status::LimitReached`](crate::Status::LimitReached), when more than this
    /// many expansions are needed. To spread a search over frames, use a [`Budget`](crate::Budget).
    #[must_use]
    pub fn max_expansions(self, limit: u64) -> Self {
        Self { options: QueryOptions { max_expansions: Some(limit), ..self.options }, ..self }
    }

    /// When the goal is blocked or cannot be reached, plans to the reachable cell nearest to it (by
    /// straight-line distance between centre and goal; of equally near cells the topmost, then the
    /// leftmost) and answers [`Status::Nearest`](crate::Status::Nearest). Under the any-angle rules
    /// the path ends at the point of that cell's square that is nearest to the goal. A blocked
    /// start is still [`Status::NoPath`](crate::Status::NoPath).
    ///
    /// On slopes with limits, a cell counts as reachable if there is a way *to* it; these cells are
    /// flooded before the search, and any-angle planners refuse such a query.
    #[must_use]
    pub fn nearest(self) -> Self {
        Self { options: QueryOptions { nearest: true, ..self.options }, ..self }
    }

    /// When a limit on cost or expansions ends the search, the answer is still
    /// [`Status::LimitReached`](crate::Status::LimitReached), but
    /// [`Scratch::path`](crate::Scratch::path) holds the way to where the search came closest to
    /// the goal: to the expanded node with the least estimate on flat, plain ground, of several the
    /// one that costs least to get to, within the cost limit. If nothing was any closer, it is the
    /// start alone. With a cost limit, the search ends not when no path can meet it, but when
    /// everything within it has been expanded. (`jps` knows only the points at which paths may
    /// turn, and may know none within the limit.)
    ///
    /// Planners that cannot provide such a path refuse: see
    /// [`Algorithm::partial`](crate::Algorithm::partial). (Real-time planners have a walk instead:
    /// [`Scratch::walk`](crate::Scratch::walk).)
    ///
    /// ```
    /// use blockstar::{Astar, Grid, Moves, Planner, Query, Scratch, Status};
    ///
    /// let grid = Grid::new(100, 100)?;
    /// let planner = Astar::new(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// let query = Query::new((0, 0), (99, 0)).max_cost(10.0).partial();
    /// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::LimitReached);
    /// assert_eq!(scratch.path().cost(), 10.0);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    #[must_use]
    pub fn partial(self) -> Self {
        Self { options: QueryOptions { partial: true, ..self.options }, ..self }
    }

    /// Cells that this query must not enter: where other units stand, a danger zone. The path is
    /// the one that the planner would find if they were blocked; nothing is prepared for that, and
    /// the map stays as it is. This replaces the mask of an earlier call; an empty mask is the same
    /// as none.
    ///
    /// The cell of the start is not avoided, because the unit itself stands there. (A start between
    /// cells counts as in one that is not avoided, if there is one.) A goal in the mask is out of
    /// reach: [`Status::NoPath`](crate::Status::NoPath), or the [nearest](Query::nearest) cell that
    /// can be reached.
    ///
    /// The first such query in a [`Scratch`](crate::Scratch) copies the map there, a quarter of a
    /// byte per cell plus terrain and heights; later ones copy what has been edited since, and
    /// otherwise cost a few nanoseconds per cell of the mask, or nothing if the last masked query
    /// had the same mask or a clone of it. Whether a mask cuts the goal off is found out by
    /// searching everything that can be reached (if a limit is met on the way, that is the answer),
    /// and with [`Query::nearest`] these cells are then flooded.
    ///
    /// Planners that rely on prepared data refuse, and name one that does not: see
    /// [`Algorithm::avoids`](crate::Algorithm::avoids). `block-astar` makes the tables of blocks
    /// with cells of the mask as it goes ([`Stats::tables_made`](crate::Stats::tables_made)).
    #[must_use]
    pub fn avoid(self, mask: &Mask) -> Self {
        let avoid = (!mask.is_empty()).then(|| mask.clone());
        Self { options: QueryOptions { avoid, ..self.options }, ..self }
    }

    /// Leaves the any-angle paths of Block A* as they are, with bends where blocks meet. Otherwise
    /// they are smoothed and pulled taut; the cost before that is in
    /// [`Stats::raw_cost`](crate::Stats::raw_cost).
    #[must_use]
    pub fn without_smoothing(self) -> Self {
        Self { options: QueryOptions { without_smoothing: true, ..self.options }, ..self }
    }

    /// For agents that check whether their path is still the best: Block A* may reuse its last
    /// search in the same [`Scratch`](crate::Scratch) if the query is the same and the map has
    /// changed only where that search did not reach. The path is the same either way.
    /// [`Stats::reused`](crate::Stats::reused) says whether the search was reused: then nothing is
    /// expanded or opened, while reading and smoothing the path (sight checks, tables made) counts
    /// as usual. Traced searches are never reused.
    ///
    /// D* Lite keeps more: as long as the goal is the same, its last search is repaired, wherever
    /// the start and the edits are. The path costs the same as that of a new search, but may be
    /// another of equally short ones; `reused` then means that the old search was continued.
    #[must_use]
    pub fn reuse(self) -> Self {
        Self { options: QueryOptions { reuse: true, ..self.options }, ..self }
    }

    /// Lets a real-time planner keep what it has learned about the way to this goal: an agent that
    /// was sent there before takes fewer detours. It keeps estimates that the same planner learned
    /// in the same [`Scratch`](crate::Scratch), on the same version of the map, for the same goal
    /// and heuristic; anything else is forgotten as usual. No effect on planners that do not learn.
    #[must_use]
    pub fn keep_learning(self) -> Self {
        Self { options: QueryOptions { keep_learning: true, ..self.options }, ..self }
    }

    /// Where the path starts.
    pub fn start(&self) -> Point {
        self.start
    }

    /// Where the path should end.
    pub fn goal(&self) -> Point {
        self.goal
    }

    /// The [heuristic](Query::heuristic) asked for; `None` is the planner's own.
    pub fn chosen_heuristic(&self) -> Option<Heuristic> {
        self.options.heuristic
    }

    /// The [weight](Query::weight) asked for; `None` is the planner's own.
    pub fn chosen_weight(&self) -> Option<f64> {
        self.options.weight
    }

    /// The limit of [`Query::max_cost`].
    pub fn cost_limit(&self) -> Option<f64> {
        self.options.max_cost
    }

    /// The limit of [`Query::max_expansions`].
    pub fn expansion_limit(&self) -> Option<u64> {
        self.options.max_expansions
    }

    /// Whether the last search may be [reused](Query::reuse).
    pub fn wants_reuse(&self) -> bool {
        self.options.reuse
    }

    /// Whether paths that bend where blocks meet are smoothed.
    pub fn wants_smoothing(&self) -> bool {
        !self.options.without_smoothing
    }

    /// Whether learned estimates are [kept](Query::keep_learning).
    pub fn wants_learning_kept(&self) -> bool {
        self.options.keep_learning
    }

    /// The cells to be [avoided](Query::avoid); `None` if there are none.
    pub fn avoided(&self) -> Option<&Mask> {
        self.options.avoid.as_ref()
    }

    /// Whether the [nearest](Query::nearest) reachable cell will do.
    pub fn wants_nearest(&self) -> bool {
        self.options.nearest
    }

    /// Whether the [best partial path](Query::partial) is wanted if a limit is reached.
    pub fn wants_partial(&self) -> bool {
        self.options.partial
    }

    /// Everything that makes two queries the same question, in a form that can be hashed.
    fn identity(&self) -> impl Hash + Eq + '_ {
        let number = |number: f64| if number == 0.0 { 0 } else { number.to_bits() };
        let own = &self.options;
        let ends = (self.start, self.goal, own.heuristic, &own.avoid);
        let limits = (own.weight.map(number), own.max_cost.map(number), own.max_expansions);
        let wishes =
            [own.nearest, own.partial, own.without_smoothing, own.reuse, own.keep_learning];
        (ends, limits, wishes)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if let Some(weight) = self.options.weight
            && !(1.0..=1000.0).contains(&weight)
        {
            let range = "a number from 1 to 1000";
            return Err(Error::Range { what: "the weight", value: weight, range });
        }
        match self.options.max_cost {
            Some(limit) if limit.is_nan() || limit < 0.0 => {
                let range = "a number not below 0";
                Err(Error::Range { what: "the cost limit", value: limit, range })
            }
            _ => Ok(()),
        }
    }
}

/// Two queries are equal if they ask the same question with the same options. NaN limits, which
/// every planner refuses, equal themselves.
impl PartialEq for Query {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Query {}

impl Hash for Query {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}
