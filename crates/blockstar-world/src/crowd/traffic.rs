//! Where a crowd stands still, and ways around that.
//!
//! The map is counted in squares of 8 x 8 cells. Where units that come no nearer to their goals fill
//! more than a part of a square, its cells cost more, until less than half of that is left; below
//! that density nothing costs anything. A unit whose shortest way leads through such a square asks
//! for the cheapest way instead and takes it if it is not much longer: the cost spreads a crowd over
//! two bridges, the limit keeps an army from marching round the world.
//!
//! On maps whose chokes have no second way this gains nothing (on orz900d with 1,800 units the tasks
//! finished in 1,500 ticks stayed within 0.1 %), so a crowd has to be asked to do it.

use super::trail::Trail;
use blockstar::{Cell, Error, Grid, Moves, Planner, PlannerSpec, Query, Rule, Scratch, Status};

/// The side of a square.
const SIDE: u32 = 8;

/// A square is busy if so many percent of its cells are taken by units that wait, and at least so
/// many units wait there.
const BUSY_PERCENT: u32 = 15;
const FEWEST: u32 = 4;

/// What a step costs there.
const FACTOR: f64 = 4.0;

/// How many steps longer than the shortest a way around may be: so many percent of that, or so many
/// for those who are almost there.
const DETOUR_PERCENT: u32 = 50;
const DETOUR_STEPS: u32 = 32;

/// The map with the prices of traffic.
pub(super) struct Traffic {
    rule: Rule,
    columns: u32,
    /// By square: free cells, units that wait, and whether it costs more.
    free: Vec<u32>,
    waiting: Vec<u32>,
    busy: Vec<bool>,
    priced: Grid,
    planner: Box<dyn Planner>,
    scratch: Scratch,
    pub detours: u64,
}

impl Traffic {
    pub fn new(grid: &Grid, rule: Rule) -> Result<Self, Error> {
        let priced = Grid::from_fn(grid.width(), grid.height(), |cell| grid.is_free(cell))?;
        let (columns, rows) = (grid.width().div_ceil(SIDE), grid.height().div_ceil(SIDE));
        let squares = (columns * rows) as usize;
        let planner = "block-astar".parse::<PlannerSpec>()?.prepare(&priced, Moves::new(rule))?;
        let mut traffic = Self {
            rule,
            columns,
            free: vec![0; squares],
            waiting: vec![0; squares],
            busy: vec![false; squares],
            priced,
            planner,
            scratch: Scratch::new(),
            detours: 0,
        };
        for square in 0..squares {
            traffic.free[square] = traffic.cells(square).count() as u32;
        }
        Ok(traffic)
    }

    fn square(&self, cell: Cell) -> usize {
        (cell.y / SIDE * self.columns + cell.x / SIDE) as usize
    }

    /// The free cells of a square.
    fn cells(&self, square: usize) -> impl Iterator<Item = Cell> + '_ {
        let (x, y) = (square as u32 % self.columns * SIDE, square as u32 / self.columns * SIDE);
        (y..y + SIDE)
            .flat_map(move |y| (x..x + SIDE).map(move |x| Cell::new(x, y)))
            .filter(|&cell| self.priced.is_free(cell))
    }

    /// Counts who waits where, and sets the prices. Whether anything costs more.
    pub fn count(&mut self, waiting: impl Iterator<Item = Cell>) -> Result<bool, Error> {
        self.waiting.fill(0);
        for cell in waiting {
            let square = self.square(cell);
            self.waiting[square] += 1;
        }
        for square in 0..self.busy.len() {
            let (waiting, free) = (self.waiting[square], self.free[square]);
            let percent = if self.busy[square] { BUSY_PERCENT / 2 } else { BUSY_PERCENT };
            let fewest = if self.busy[square] { FEWEST / 2 } else { FEWEST };
            let busy = waiting >= fewest && waiting * 100 >= free * percent;
            if busy != self.busy[square] {
                self.busy[square] = busy;
                let factor = if busy { FACTOR } else { 1.0 };
                for cell in self.cells(square).collect::<Vec<_>>() {
                    self.priced.set_cost(cell, factor)?;
                }
            }
        }
        self.planner.update(&self.priced)?;
        Ok(self.busy.contains(&true))
    }

    /// A way around what is busy, if a path leads through that and the way is not much longer; and
    /// the expansions that it took.
    pub fn way_around(
        &mut self,
        path: &blockstar::Path,
        at: Cell,
        goal: Cell,
    ) -> Result<(Option<Trail>, u64), Error> {
        let here = self.square(at);
        if !path.cells().any(|cell| self.busy[self.square(cell)] && self.square(cell) != here) {
            return Ok((None, 0));
        }
        let shortest = Trail::new(path, self.rule != Rule::Four);
        let query = Query::new(at, goal);
        if self.planner.find(&self.priced, &query, &mut self.scratch)? != Status::Found {
            return Ok((None, self.scratch.stats().expanded));
        }
        let around = Trail::new(self.scratch.path(), self.rule != Rule::Four);
        let most = (shortest.len() / 100 * DETOUR_PERCENT).max(DETOUR_STEPS);
        let taken = around.len() > shortest.len() && around.len() - shortest.len() <= most;
        self.detours += u64::from(taken);
        Ok((taken.then_some(around), self.scratch.stats().expanded))
    }
}
