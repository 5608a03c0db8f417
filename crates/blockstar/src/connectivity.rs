//! Connectivity without a planner.

use crate::grid::components::Components;
use crate::{Cell, Grid, Moves};

/// Which cells of a map can reach which, kept up to date by edits: the labels that every planner
/// holds, for those who need them without a planner.
///
/// Slope limits are not considered: if a [`Slope`](crate::Slope) has some, two cells may be
/// connected here and still have no way between them.
///
/// ```
/// use blockstar::{Cell, Connectivity, Grid, Moves, Tile};
/// let mut grid = Grid::from_ascii(
///     "..#..
///      ..#..",
/// )?;
/// let mut connectivity = Connectivity::new(&grid, Moves::EIGHT);
/// assert!(!connectivity.connected((0, 0), (4, 0)));
/// assert_eq!(connectivity.nearest((0, 0), (4, 0)), Some(Cell::new(1, 0)));
/// grid.set((2, 1), Tile::Free)?;
/// connectivity.update(&grid);
/// assert!(connectivity.connected((0, 0), (4, 0)));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Connectivity(Components);

impl Connectivity {
    /// Labels the free cells of a map.
    pub fn new(grid: &Grid, moves: Moves) -> Self {
        Self(Components::new(grid, moves.rule()))
    }

    /// Follows the edits of the map. Until then the answers are those for the map before them.
    pub fn update(&mut self, grid: &Grid) {
        self.0.update(grid);
    }

    /// Whether two cells are free and reach each other.
    pub fn connected(&self, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
        self.0.connected(a.into(), b.into())
    }

    /// Of all cells that can be reached from one, the one whose centre is nearest to another cell,
    /// which may be a wall: the goal of [`Query::nearest`](crate::Query::nearest). None if the
    /// first is blocked or off the map.
    pub fn nearest(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Cell> {
        self.0.nearest(to.into().centre(), from.into())
    }

    /// Bytes of heap memory.
    pub fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }
}
