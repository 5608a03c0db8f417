//! Distances between one or more cells and all others: Dijkstra's algorithm run to the end, and
//! repaired after edits.
//!
//! Only costs are kept. The next step from a cell is the first one, in a fixed order of directions,
//! that leads to a cell cheaper by exactly the cost of the step; so a repaired map equals one
//! computed from scratch, bit for bit, whatever the edits were.
//!
//! **Repair** (G. Ramalingam & T. Reps, *An incremental algorithm for a generalization of the
//! shortest-path problem*, 1996, for any number of edits at once). An edit of a cell changes steps
//! between the 3 x 3 cells around it and no others.
//!
//! 1. *Raise*: in the order of their old costs, cells around edits and those behind them are
//!    checked for a neighbour that still supports their cost. Those without support lose their
//!    cost. Since every step costs something, whatever could support a cell is settled before the
//!    cell is checked.
//! 2. *Lower*: raised cells, and the cells around edits, get the best cost that their neighbours
//!    offer; from there Dijkstra's algorithm goes on.
//!
//! So the time of an update is proportional to the edits and the cells whose distance changes.

use crate::engine::best_first::Space;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::{Entry, Open};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::rules::moves::Direction;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Cell, Error, Grid, Heuristic, Moves, Path, Rect, Update, sort};

/// The cheapest ways between every cell and the nearest of some sources: a flow field for many
/// units with one goal.
///
/// It gives the way *to* the sources ([`distance`](Self::distance), [`next_step`](Self::next_step),
/// [`path_from`](Self::path_from)) and the way *from* them ([`distance_to`](Self::distance_to),
/// [`path_to`](Self::path_to)). On slopes these differ, and both are kept; otherwise they are the
/// same.
///
/// Like a planner it is valid for one version of the map, takes the map with every question, and
/// answers [`Error::Stale`] after an edit until it is [updated](Self::update).
///
/// ```
/// use blockstar::{Cell, DistanceMap, Grid, Moves, Tile};
/// let mut grid = Grid::from_ascii(
///     "..#.
///      ..#.",
/// )?;
/// let mut map = DistanceMap::new(&grid, Moves::EIGHT, [(0, 0)])?;
/// assert_eq!(map.distance(&grid, (0, 1))?, Some(1.0));
/// assert_eq!(map.distance(&grid, (3, 0))?, None);
/// assert_eq!(map.next_step(&grid, (1, 1))?, Some(Cell::new(0, 0)));
/// // A door opens.
/// grid.set((2, 0), Tile::Free)?;
/// assert!(map.next_step(&grid, (3, 0)).is_err());
/// map.update(&grid)?;
/// assert_eq!(map.next_step(&grid, (3, 0))?, Some(Cell::new(2, 0)));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceMap {
    moves: Moves,
    /// Sorted.
    sources: Vec<Cell>,
    /// By position: the exact integer cost of the way to a source, [`NONE`] where there is none.
    to_source: Vec<u64>,
    /// The same for the way from a source, where it differs: on slopes.
    from_source: Option<Vec<u64>>,
    units_per_cell: f64,
    version: u64,
}

/// The cost where there is no way.
const NONE: u64 = u64::MAX;

impl DistanceMap {
    /// Computes the distances to and from the nearest of the sources. Blocked sources are ignored
    /// until they are free.
    pub fn new(
        grid: &Grid,
        moves: Moves,
        sources: impl IntoIterator<Item = impl Into<Cell>>,
    ) -> Result<Self, Error> {
        let sources: Vec<Cell> = sources.into_iter().map(Into::into).collect();
        Self::of(grid, moves, sources)
    }

    fn of(grid: &Grid, moves: Moves, mut sources: Vec<Cell>) -> Result<Self, Error> {
        if moves.rule().is_any_angle() {
            return Err(Error::Unsupported {
                planner: "a distance map",
                what: format!("the movement rule `{moves}`"),
                remedy: "it steps from cell to cell: use `four`, `eight`, `eight-cut-one` or \
                         `eight-cut-any`"
                    .into(),
            });
        }
        for &source in &sources {
            grid.check_cell("source", source)?;
        }
        sort::ascending(&mut sources);
        let mut map = Self {
            moves,
            sources,
            to_source: Vec::new(),
            from_source: None,
            units_per_cell: 0.0,
            version: 0,
        };
        map.compute(grid)?;
        Ok(map)
    }

    /// Brings the distances up to date after edits of the map, in time that depends on the edits
    /// and on how many distances they change; [`Update::cells_settled`] is the number. After very
    /// many edits, on another map, and when a map gets its first terrain costs, everything is
    /// computed again. Either way the result is the same as that of a new one.
    ///
    /// It fails on a map that is too small for the sources or whose heights do not fit the movement
    /// rule; the distances then stay those of the old map, and the new one is still refused.
    pub fn update(&mut self, grid: &Grid) -> Result<Update, Error> {
        let step_costs = self.check(grid)?;
        let area = |rect: &Rect| u64::from(rect.width) * u64::from(rect.height);
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        let edits: Option<Vec<Rect>> = grid
            .changes_since(self.version)
            .map(|edits| edits.filter(|rect| area(rect) > 0).collect())
            .filter(|edits: &Vec<Rect>| edits.iter().map(area).sum::<u64>() < cells / 2)
            .filter(|_| step_costs.units_per_cell() == self.units_per_cell);
        let Some(edits) = edits else { return self.compute(grid) };
        // The cells whose steps may have changed, each once.
        let mut around: Vec<u32> = Vec::new();
        for Rect { x, y, width, height } in edits {
            let (left, top) = (x.saturating_sub(1), y.saturating_sub(1));
            let right = (x + width + 1).min(grid.width());
            let bottom = (y + height + 1).min(grid.height());
            let ring = Rect::new(left, top, right - left, bottom - top);
            around.extend(ring.cells().map(|cell| grid.rows().position(cell.x, cell.y)));
        }
        around.sort_unstable();
        around.dedup();
        self.settle(grid, step_costs, Some(&around))
    }

    /// Computes everything from scratch.
    fn compute(&mut self, grid: &Grid) -> Result<Update, Error> {
        let step_costs = self.check(grid)?;
        self.units_per_cell = step_costs.units_per_cell();
        let costs = || vec![NONE; grid.rows().positions()];
        self.to_source = costs();
        self.from_source = self.moves.slope().map(|_| costs());
        self.settle(grid, step_costs, None)
    }

    /// Refuses maps that the distances cannot be computed on.
    fn check(&self, grid: &Grid) -> Result<StepCosts<u64>, Error> {
        for &source in &self.sources {
            grid.check_cell("source", source)?;
        }
        if let Some(slope) = self.moves.slope() {
            slope.check(grid, self.moves)?;
        }
        Ok(StepCosts::new(grid, self.moves))
    }

    /// Repairs all costs, if only steps between the cells `around` edits have changed; without
    /// these, computes them from scratch.
    fn settle(
        &mut self,
        grid: &Grid,
        step_costs: StepCosts<u64>,
        around: Option<&[u32]>,
    ) -> Result<Update, Error> {
        let Self { moves, sources, to_source, from_source, .. } = self;
        let (moves, repair) = (*moves, Repair { grid, sources, around });
        let mut cells_settled = 0;
        if let Some(slope) = moves.slope() {
            let space = |way| {
                Hills::new(grid, (moves, slope), &step_costs, Heuristic::Zero, Cell::default(), way)
            };
            let (there, back) = (space(Way::Forward), space(Way::Backward));
            // A way to a source is searched from there, against its steps.
            cells_settled += repair.run(&step_costs, (&back, &there), to_source);
            if let Some(from_source) = from_source {
                cells_settled += repair.run(&step_costs, (&there, &back), from_source);
            }
        } else {
            let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
            let space = Cells::new(grid, moves, step_costs, estimator);
            cells_settled += repair.run(&step_costs, (&space, &space), to_source);
        }
        self.version = grid.version();
        Ok(Update { cells_settled, ..Update::default() })
    }

    /// The movement rule.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// The sources, in order.
    pub fn sources(&self) -> &[Cell] {
        &self.sources
    }

    /// Bytes of heap memory.
    pub fn memory_usage(&self) -> usize {
        let costs = self.to_source.capacity() + self.from_source.as_ref().map_or(0, Vec::capacity);
        costs * size_of::<u64>() + self.sources.capacity() * size_of::<Cell>()
    }

    /// The cost of the cheapest path from a cell to a source; none if there is no path.
    ///
    /// Exact to about 1 part in 10^10: the integer cost divided by its unit.
    pub fn distance(&self, grid: &Grid, cell: impl Into<Cell>) -> Result<Option<f64>, Error> {
        let cell = cell.into();
        self.price(grid, cell, &self.to_source)
    }

    /// The cost of the cheapest path from a source to a cell; none if there is no path.
    pub fn distance_to(&self, grid: &Grid, cell: impl Into<Cell>) -> Result<Option<f64>, Error> {
        let cell = cell.into();
        self.price(grid, cell, self.outward())
    }

    /// The next cell on the way from a cell to a source; none at a source or without a path.
    pub fn next_step(&self, grid: &Grid, cell: impl Into<Cell>) -> Result<Option<Cell>, Error> {
        let cell = cell.into();
        self.check_version(grid)?;
        Ok(self.tight_step(grid, cell, &self.to_source, Way::Forward))
    }

    /// The cheapest path from a cell to a source, if there is one: the way of
    /// [`next_step`](Self::next_step).
    pub fn path_from(&self, grid: &Grid, cell: impl Into<Cell>) -> Result<Option<Path>, Error> {
        let cell = cell.into();
        let way = self.way(grid, cell, &self.to_source, Way::Forward)?;
        Ok(way.map(|cells| Path::new(grid, self.moves, cells)))
    }

    /// The cheapest path from a source to a cell, if there is one.
    pub fn path_to(&self, grid: &Grid, cell: impl Into<Cell>) -> Result<Option<Path>, Error> {
        let cell = cell.into();
        let way = self.way(grid, cell, self.outward(), Way::Backward)?;
        Ok(way.map(|cells| Path::new(grid, self.moves, cells.into_iter().rev())))
    }

    /// The costs of the ways from the sources.
    fn outward(&self) -> &[u64] {
        self.from_source.as_ref().unwrap_or(&self.to_source)
    }

    fn check_version(&self, grid: &Grid) -> Result<(), Error> {
        let (known, now) = (self.version, grid.version());
        if known == now {
            Ok(())
        } else {
            Err(Error::Stale { who: "the distance map", known, now })
        }
    }

    fn price(&self, grid: &Grid, cell: Cell, costs: &[u64]) -> Result<Option<f64>, Error> {
        self.check_version(grid)?;
        let cost = cost_at(grid, cell, costs);
        Ok((cost != NONE).then(|| cost as f64 / self.units_per_cell))
    }

    /// The cells from one to a source, each one tight step from the one before.
    fn way(
        &self,
        grid: &Grid,
        cell: Cell,
        costs: &[u64],
        way: Way,
    ) -> Result<Option<Vec<Cell>>, Error> {
        self.check_version(grid)?;
        let next = |cell: &Cell| self.tight_step(grid, *cell, costs, way);
        let reached = cost_at(grid, cell, costs) != NONE;
        Ok(reached.then(|| std::iter::successors(Some(cell), next).collect()))
    }

    /// The neighbour of a cell that is cheaper by the cost of the step there, or, backwards, of the
    /// step from there.
    fn tight_step(&self, grid: &Grid, cell: Cell, costs: &[u64], way: Way) -> Option<Cell> {
        let cost = cost_at(grid, cell, costs);
        if cost == NONE || cost == 0 {
            return None;
        }
        let step_costs = StepCosts::new(grid, self.moves);
        let node = grid.rows().position(cell.x, cell.y);
        let mut found = None;
        let mut reach = |next: u32, step: u64, d: u8| {
            let tight = costs[next as usize].checked_add(step) == Some(cost);
            if tight && found.is_none() {
                found = Some(Direction(d));
            }
        };
        if let Some(slope) = self.moves.slope() {
            let end = Cell::default();
            let rule = (self.moves, slope);
            Hills::new(grid, rule, &step_costs, Heuristic::Zero, end, way)
                .expand(node, ROOT, &mut reach);
        } else {
            let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
            Cells::new(grid, self.moves, step_costs, estimator).expand(node, ROOT, &mut reach);
        }
        found.map(|d| {
            Cell::new(cell.x.wrapping_add_signed(d.dx()), cell.y.wrapping_add_signed(d.dy()))
        })
    }
}

fn sort_by_cost(nodes: &mut [u32], costs: &[u64]) {
    sort::by_key(nodes, |&node| costs[node as usize]);
}

/// The cost of a cell; none off the map.
fn cost_at(grid: &Grid, cell: Cell, costs: &[u64]) -> u64 {
    let on_map = grid.contains(cell);
    if on_map { costs[grid.rows().position(cell.x, cell.y) as usize] } else { NONE }
}

/// A repair of costs: see the [module](self).
struct Repair<'a> {
    grid: &'a Grid,
    sources: &'a [Cell],
    /// The cells whose steps may have changed; without these, all costs are unknown.
    around: Option<&'a [u32]>,
}

impl Repair<'_> {
    /// Repairs costs and returns how many cells it looked at. `spread` takes the steps of the
    /// search, from the sources; `back` takes them backwards.
    fn run<S: Space<u64>>(
        &self,
        step_costs: &StepCosts<u64>,
        (spread, back): (&S, &S),
        costs: &mut [u64],
    ) -> u64 {
        let (grid, rows) = (self.grid, self.grid.rows());
        let is_source = |node: u32| {
            let (x, y) = rows.coordinates(node);
            self.sources.binary_search(&Cell::new(x, y)).is_ok()
        };
        // The least cost that a cell's neighbours offer it, if it can be walked on.
        let offer = |costs: &[u64], node: u32| {
            if !rows.get(node) {
                return NONE;
            }
            let mut best = if is_source(node) { 0 } else { NONE };
            back.expand(node, ROOT, |before, step, _| {
                best = best.min(costs[before as usize].saturating_add(step));
            });
            best
        };
        let mut settled = 0;
        let mut open = Open::<u64>::default();
        let entry = |cost: u64, node: u32| Entry { total: cost, g: cost, node };
        let mut improve: Vec<u32> = Vec::new();
        if let Some(around) = self.around {
            open.begin(step_costs.usual_step());
            // The open list must get the least first, as the base of its buckets.
            improve.extend(around);
            sort_by_cost(&mut improve, costs);
            let known = improve.iter().take_while(|&&node| costs[node as usize] != NONE);
            known.for_each(|&node| open.push(entry(costs[node as usize], node)));
            while let Some(Entry { g, node, .. }) = open.pop() {
                if costs[node as usize] != g {
                    continue; // raised before
                }
                settled += 1;
                if offer(costs, node) <= g {
                    continue;
                }
                costs[node as usize] = NONE;
                improve.push(node);
                spread.expand(node, ROOT, |next, step, _| {
                    if g.checked_add(step) == Some(costs[next as usize]) {
                        open.push(entry(costs[next as usize], next));
                    }
                });
            }
        } else {
            let free = self.sources.iter().filter(|&&source| grid.is_free(source));
            improve.extend(free.map(|source| rows.position(source.x, source.y)));
        }
        // First all offers, then the search: no offer improves by what the search finds.
        let mut offers: Vec<_> = improve
            .iter()
            .map(|&node| (offer(costs, node), node))
            .filter(|&(cost, node)| cost < costs[node as usize])
            .collect();
        sort::ascending(&mut offers);
        offers.dedup();
        open.begin(step_costs.usual_step());
        for &(cost, node) in &offers {
            costs[node as usize] = cost;
            open.push(entry(cost, node));
        }
        while let Some(Entry { g, node, .. }) = open.pop() {
            if costs[node as usize] != g {
                continue; // improved since
            }
            settled += 1;
            spread.expand(node, ROOT, |next, step, _| {
                let cost = g + step;
                if cost < costs[next as usize] {
                    costs[next as usize] = cost;
                    open.push(entry(cost, next));
                }
            });
        }
        settled
    }
}
