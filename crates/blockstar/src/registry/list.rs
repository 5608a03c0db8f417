//! The list of all planners: for each its type and its row, which is a constant in the planner's
//! own file. Those for comparison and study are built only with the feature `study`.

use super::{Algorithm, PlannerKind, Prepared};
use crate::planner::{any_angle, auto, block, cell, real_time, stored};

/// Makes the registry, and a type for each planner that has one.
macro_rules! planners {
    ($($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:ident = $row:path,)*) => {
        /// All planners, in the order in which they are listed.
        pub(super) static ALGORITHMS: &[Algorithm] = &[
            $($(#[cfg($cfg)])? $row,)*
        ];

        /// Whether each planner needs a feature, in the same order.
        #[cfg(test)]
        const FEATURED: &[bool] = &[$(!concat!("", $(stringify!($cfg))?).is_empty(),)*];

        /// What kind of planner a [`Prepared`] is. You will rarely name these: use the types of the
        /// same names at the top of the crate.
        pub mod kind {
            $(
                $(#[cfg($cfg)])?
                #[doc = concat!("See [`", stringify!($name), "`](crate::", stringify!($name), ").")]
                #[derive(Debug)]
                pub enum $name {}
            )*
        }

        $(
            $(#[doc = $doc])*
            $(#[cfg($cfg)])?
            pub type $name = Prepared<kind::$name>;

            $(#[cfg($cfg)])?
            impl PlannerKind for kind::$name {
                fn row() -> &'static Algorithm {
                    &$row
                }
            }
        )*
    };
}

planners! {
    /// Chooses the planner that suits the map and the movement rule.
    Auto = auto::ROW,
    /// A*: optimal, on terrain and slopes too.
    Astar = cell::astar::ASTAR,
    /// Dijkstra's algorithm: A* without an estimate.
    Dijkstra = cell::astar::DIJKSTRA,
    /// Greedy best-first search: follows only the estimate.
    Greedy = cell::astar::GREEDY,
    /// Weighted A*: fewer expansions, a bounded loss; see [`Query::weight`](crate::Query::weight).
    WeightedAstar = cell::astar::WEIGHTED_ASTAR,
    /// A* from both ends.
    #[cfg(feature = "study")]
    BidirectionalAstar = cell::bidirectional::ROW,
    /// IDA*: rounds of depth-first search.
    #[cfg(feature = "study")]
    IdaStar = cell::ida_star::ROW,
    /// Jump point search: optimal and fast without preparation.
    Jps = cell::jps::ROW,
    /// Block A*: searches blocks by tables of their distances.
    BlockAstar = block::block_astar::ROW,
    /// ANYA: shortest any-angle paths without preparation.
    Anya = any_angle::anya::ROW,
    /// Theta*: short any-angle paths.
    ThetaStar = any_angle::theta::THETA,
    /// Lazy Theta*: looks once per expansion.
    LazyThetaStar = any_angle::theta::LAZY_THETA,
    /// Strict Theta*: restricts itself to taut paths.
    StrictThetaStar = any_angle::theta::STRICT_THETA,
    /// A graph of the corners that see each other: the fastest shortest any-angle paths, repaired
    /// after edits. Start and goal may be any points; it does not support terrain costs.
    ///
    /// ```
    /// use blockstar::{Grid, Moves, Planner, Query, Scratch, Status, VisibilityGraph};
    /// let grid = Grid::from_ascii(
    ///     ".....
    ///      .###.
    ///      .....",
    /// )?;
    /// let report = |done, of| eprintln!("{done} of {of} corners");
    /// let graph = VisibilityGraph::builder().on_progress(report).build(&grid, Moves::ANY_ANGLE)?;
    /// let bytes = graph.save().unwrap();
    ///
    /// let opened = VisibilityGraph::builder().open(&bytes, &grid, Moves::ANY_ANGLE)?;
    /// let mut scratch = Scratch::new();
    /// let query = Query::new((0, 1), (4, 1));
    /// assert_eq!(opened.find(&grid, &query, &mut scratch)?, Status::Found);
    /// assert_eq!(scratch.path().cost(), 3.0 + 2.0 * 0.5f64.sqrt());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    VisibilityGraph = any_angle::visibility::ROW,
    /// REA*: searches rectangles.
    #[cfg(feature = "study")]
    ReaStar = cell::rea_star::ROW,
    /// Fringe search: rounds over a list instead of an open list.
    #[cfg(feature = "study")]
    FringeSearch = cell::fringe::ROW,
    /// D* Lite: optimal, and keeps its search while the start moves and the map changes.
    ///
    /// ```
    /// use blockstar::{DStarLite, Grid, Moves, Planner, Query, Scratch, Tile};
    /// let mut grid = Grid::new(40, 40)?;
    /// let mut planner = DStarLite::new(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// let goal = (39, 20);
    /// planner.find(&grid, &Query::new((0, 20), goal).reuse(), &mut scratch)?;
    /// let all = scratch.stats().expanded;
    /// // The agent makes a step, and a wall appears before it.
    /// grid.set((3, 20), Tile::Blocked)?;
    /// planner.update(&grid)?;
    /// planner.find(&grid, &Query::new((1, 20), goal).reuse(), &mut scratch)?;
    /// assert!(scratch.stats().reused && scratch.stats().expanded < all);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    DStarLite = cell::d_star_lite::ROW,
    /// Angle-propagation Theta*.
    #[cfg(feature = "study")]
    ApThetaStar = any_angle::ap_theta::ROW,
    /// Field D*: any-angle paths by interpolation, on terrain too.
    #[cfg(feature = "study")]
    FieldDStar = any_angle::field_d_star::ROW,
    /// LRTA*: real-time search that learns.
    LrtaStar = real_time::lrta::ROW,
    /// TBA*: time-bounded A*.
    #[cfg(feature = "study")]
    TbaStar = real_time::tba_star::ROW,
    /// Three-step path finding: a quick path at once, a full one while the agent walks, a splice between
    /// the two.
    ///
    /// ```
    /// use blockstar::{Budget, Grid, Moves, Planner, Query, Scratch, Status, ThreeStep};
    /// let grid = Grid::new(64, 64)?;
    /// let planner = ThreeStep::builder().full("jps").tiles(5).build(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// planner.begin(&grid, &Query::new((0, 0), (60, 20)), &mut scratch)?;
    /// // A budget of one expansion is one turn: the agent moves in the first.
    /// planner.resume(&grid, &mut scratch, Budget::expansions(1))?;
    /// assert_eq!(scratch.walk().len(), 2);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    ThreeStep = real_time::three_step::ROW,
    /// kNN LRTA*: guided by the most similar problem solved beforehand.
    #[cfg(feature = "study")]
    KnnLrtaStar = real_time::guided::knn::ROW,
    /// LRTA* with subgoal trees.
    #[cfg(feature = "study")]
    SubgoalLrtaStar = real_time::guided::trees::ROW,
    /// D LRTA*: guided by subgoals for pairs of abstract nodes.
    #[cfg(feature = "study")]
    DLrtaStar = real_time::guided::dynamic::ROW,
    /// PRA*: searches regions and refines.
    PraStar = stored::pra_star::ROW,
    /// DBA*: walks along prepared paths between regions, in real time.
    DbaStar = stored::dba_star::ROW,
    /// The subgoal graph: optimal paths of steps several times faster than [`Jps`], on a map that
    /// changes. An edit is repaired in microseconds; [`refresh`](Subgoal::refresh) spends idle time on
    /// making its estimates as good as new.
    ///
    /// ```
    /// use blockstar::{Grid, Moves, Planner, Query, Scratch, Status, Subgoal, Tile};
    /// let mut grid = Grid::from_ascii(
    ///     ".....
    ///      .###.
    ///      .....",
    /// )?;
    /// let mut planner = Subgoal::new(&grid, Moves::EIGHT)?;
    /// assert_eq!((planner.subgoals(), planner.edges()), (4, 4));
    /// grid.set((2, 1), Tile::Free)?;
    /// planner.update(&grid)?;
    /// assert_eq!(planner.subgoals(), 6);
    /// let mut scratch = Scratch::new();
    /// let query = Query::new((0, 1), (4, 1));
    /// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    Subgoal = stored::subgoal::ROW,
    /// A compressed path database: the first move of an optimal path for every pair of cells.
    ///
    /// Building floods the map from each free cell: seconds for 25,000 cells, minutes for 100,000.
    ///
    /// ```
    /// use blockstar::{Cell, Grid, Moves, PathDatabase, Planner};
    /// let grid = Grid::from_ascii(
    ///     ".....
    ///      .###.
    ///      .....",
    /// )?;
    /// let report = |done, of| eprintln!("{done} of {of} cells");
    /// let database = PathDatabase::builder().on_progress(report).build(&grid, Moves::EIGHT)?;
    /// assert_eq!(database.next_step(&grid, (0, 1), (4, 1))?, Some(Cell::new(0, 0)));
    /// let bytes = database.save().unwrap();
    /// let opened = PathDatabase::builder().open(&bytes, &grid, Moves::EIGHT)?;
    /// assert_eq!(opened.runs(), database.runs());
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    PathDatabase = stored::cpd::ROW,
    /// HCDPS: climbs from subgoal to subgoal.
    #[cfg(feature = "study")]
    Hcdps = stored::hcdps::ROW,
    /// Island search: heads for doors, or for places you name; a bounded loss.
    ///
    /// ```
    /// use blockstar::{Cell, Grid, IslandSearch, Moves, Planner, Query, Scratch, Status};
    /// let grid = Grid::from_ascii(
    ///     ".....#.....
    ///      ...........
    ///      .....#.....",
    /// )?;
    /// let ford: &[Cell] = &[Cell::new(5, 1)];
    /// let planner = IslandSearch::builder().islands(&[ford]).build(&grid, Moves::EIGHT)?;
    /// let mut scratch = Scratch::new();
    /// assert_eq!(planner.find(&grid, &Query::new((0, 0), (10, 2)), &mut scratch)?, Status::Found);
    /// assert!(scratch.stats().proved_factor.is_some_and(|factor| factor <= 1.5));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    #[cfg(feature = "study")]
    IslandSearch = stored::island::ROW,
    /// A search over the squares of a quadtree: few nodes, longer paths.
    #[cfg(feature = "study")]
    Quadtree = stored::quadtree::PLAIN,
    /// A search over the borders of a quadtree's squares: shortest paths.
    #[cfg(feature = "study")]
    FramedQuadtree = stored::quadtree::FRAMED,
    /// A*MOD as published: natural paths on height maps.
    AstarMod = cell::astar_mod::PUBLISHED,
    /// A*MOD corrected.
    AstarModFixed = cell::astar_mod::FIXED,
}

/// The names of the planners that are not there without the feature `study`.
pub(super) const STUDIED: &[&str] = &[
    "bidirectional-astar",
    "ida-star",
    "rea-star",
    "fringe",
    "ap-theta-star",
    "field-d-star",
    "tba-star",
    "knn-lrta-star",
    "subgoal-lrta-star",
    "d-lrta-star",
    "hcdps",
    "island",
    "quadtree",
    "framed-quadtree",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planners_for_study_are_named() {
        let featured = ALGORITHMS.iter().zip(FEATURED).filter(|(_, featured)| **featured);
        assert!(featured.map(|(row, _)| &row.name).eq(STUDIED));
    }
}
