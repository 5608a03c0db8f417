//! Distances from one or more cells to all others: Dijkstra's algorithm run to the end.

use crate::engine::best_first::Space;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::{Entry, Open};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::rules::moves::Direction;
use crate::space::cells::Cells;
use crate::{Cell, Error, Grid, Heuristic, Moves, Path};

/// The cost of the cheapest path from the nearest source to every cell, and the way back.
///
/// Costs are symmetric, so this also tells every unit how far it is *to* the sources and which step
/// to take: a flow field for many units with one goal.
///
/// ```
/// use blockstar::{Cell, DistanceMap, Grid, Moves};
/// let grid = Grid::from_ascii("..#.\n..#.")?;
/// let map = DistanceMap::new(&grid, Moves::EIGHT, &[Cell::new(0, 0)])?;
/// assert_eq!(map.distance(Cell::new(0, 1)), Some(1.0));
/// assert_eq!(map.distance(Cell::new(3, 0)), None);
/// assert_eq!(map.next(Cell::new(1, 1)), Some(Cell::new(0, 0)));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceMap {
    moves: Moves,
    width: u32,
    height: u32,
    /// By row and column: the exact integer cost, `u64::MAX` where there is no path.
    costs: Vec<u64>,
    /// The direction of the last step from a source, [`ROOT`] at a source.
    arrivals: Vec<u8>,
    units_per_cell: f64,
    version: u64,
}

impl DistanceMap {
    /// Computes the distances from the nearest of the sources. Blocked sources count for nothing.
    pub fn new(grid: &Grid, moves: Moves, sources: &[Cell]) -> Result<Self, Error> {
        if moves.rule().is_any_angle() {
            return Err(Error::Unsupported {
                planner: "a distance map",
                what: format!("the movement rule `{moves}`"),
                remedy: "it steps from cell to cell: use `four`, `eight`, `eight-cut-one` or \
                         `eight-cut-any`"
                    .into(),
            });
        }
        if moves.slope().is_some() {
            // There and back differ on slopes, and a map tells both.
            return Err(Error::no_slopes("a distance map", moves));
        }
        for &source in sources {
            grid.check_cell("source", source)?;
        }
        Ok(if grid.has_costs() {
            Self::compute::<true>(grid, moves, sources)
        } else {
            Self::compute::<false>(grid, moves, sources)
        })
    }

    fn compute<const WEIGHTED: bool>(grid: &Grid, moves: Moves, sources: &[Cell]) -> Self {
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
        let space = Cells::<u64, WEIGHTED>::new(grid, moves, step_costs, estimator);
        let (rows, width, height) = (grid.rows(), grid.width(), grid.height());
        let index = |node: u32| {
            let (x, y) = rows.coordinates(node);
            y as usize * width as usize + x as usize
        };
        let cells = width as usize * height as usize;
        let (mut costs, mut arrivals) = (vec![u64::MAX; cells], vec![ROOT; cells]);
        let mut open = Open::<u64>::default();
        open.begin(step_costs.usual_step());
        for source in sources.iter().filter(|source| grid.is_free(**source)) {
            let node = rows.position(source.x, source.y);
            costs[index(node)] = 0;
            open.push(Entry { total: 0, g: 0, node });
        }
        while let Some(Entry { g, node, .. }) = open.pop() {
            let at = index(node);
            if g != costs[at] {
                continue;
            }
            space.expand(node, arrivals[at], |next, step, tag| {
                let (g, at) = (g + step, index(next));
                if g < costs[at] {
                    costs[at] = g;
                    arrivals[at] = tag;
                    open.push(Entry { total: g, g, node: next });
                }
            });
        }
        let units_per_cell = step_costs.units_per_cell();
        let version = grid.version();
        Self { moves, width, height, costs, arrivals, units_per_cell, version }
    }

    /// The cost of the cheapest path between a source and `cell`; none if there is no path.
    ///
    /// Exact to about 1 part in 10^10: the integer cost divided by its unit.
    pub fn distance(&self, cell: Cell) -> Option<f64> {
        let cost = self.costs[self.index(cell)?];
        (cost != u64::MAX).then(|| cost as f64 / self.units_per_cell)
    }

    /// The next cell on the way from `cell` to its nearest source; none at a source or without a
    /// path.
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        let index = self.index(cell)?;
        let tag = self.arrivals[index];
        if tag == ROOT || self.costs[index] == u64::MAX {
            return None;
        }
        let back = Direction((tag + 4) & 7);
        Some(Cell::new(
            cell.x.wrapping_add_signed(back.dx()),
            cell.y.wrapping_add_signed(back.dy()),
        ))
    }

    /// The cheapest path from a source to `cell`, if there is one. The grid must be the one the
    /// distances were computed on, unchanged.
    pub fn path_to(&self, grid: &Grid, cell: Cell) -> Result<Option<Path>, Error> {
        let now = grid.version();
        if now != self.version {
            return Err(Error::Stale { who: "the distance map", known: self.version, now });
        }
        if self.distance(cell).is_none() {
            return Ok(None);
        }
        let mut cells: Vec<_> =
            std::iter::successors(Some(cell), |cell| self.next(*cell)).collect();
        cells.reverse();
        Ok(Some(Path::new(grid, self.moves, cells)))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        (cell.x < self.width && cell.y < self.height)
            .then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
