//! The gate before every search: it refuses bad queries with an explanation, answers at once what
//! needs no search (the start is the goal, the goal is in another component), removes the cells
//! that the query avoids from the map, and finds the substitute goal of [`Query::nearest`].

use crate::engine::memory_pool::MemoryPool;
use crate::grid::components::Components;
use crate::grid::shadow::Shadow;
use crate::space::hills::Reach;
use crate::{Algorithm, Cell, Error, Grid, Heuristic, Moves, Point, Query, Status};

/// The search under way: what was asked, by which planner, on which version of the map.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub planner: u64,
    pub version: u64,
    pub query: Query,
    pub status: Status,
    pub start: Point,
    pub start_cell: Cell,
    /// The goal of the query, or the reachable point nearest to it.
    pub goal: Point,
    pub goal_cell: Cell,
    /// What to answer when `goal` is reached.
    pub success: Status,
    /// The query's heuristic, or the planner's default.
    pub heuristic: Heuristic,
    /// Whether the search runs on wide costs.
    pub wide: bool,
    /// Whether the search has been set up.
    pub started: bool,
}

/// What the gate needs to know about the planner behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate<'a> {
    pub row: &'static Algorithm,
    pub moves: Moves,
    pub components: &'a Components,
    /// The version of the map that the planner was updated for.
    pub version: u64,
}

impl Gate<'_> {
    /// Refuses what the planner's row does not promise to answer, and planners that missed an edit.
    pub fn check(&self, grid: &Grid, query: &Query) -> Result<(), Error> {
        let row = self.row;
        if grid.has_costs() && !row.terrain {
            return Err(Error::no_terrain(row.name, self.moves));
        }
        if query.chosen_weight().is_some_and(|weight| weight != 1.0) && !row.weight {
            return Err(row.unsupported("a weight", "use `weighted-astar` or `block-astar`"));
        }
        if query.avoided().is_some() && !row.avoids {
            let remedy = Algorithm::advice(grid, self.moves, |row| row.avoids);
            return Err(row.unsupported("cells to avoid", remedy));
        }
        if query.wants_partial() && !row.partial {
            return Err(row.unsupported("partial paths", "use `astar`"));
        }
        let (known, now) = (self.version, grid.version());
        if known != now {
            return Err(Error::Stale { who: "the planner", known, now });
        }
        query.check()?;
        self.moves.slope().map_or(Ok(()), |slope| slope.check(grid, self.moves))?;
        match (row.must_admit, query.chosen_heuristic()) {
            (Some(why), Some(heuristic)) if !row.admits(heuristic, self.moves) => {
                let what = format!("the heuristic `{heuristic}` under the rule `{}`", self.moves);
                Err(row.unsupported(what, why))
            }
            _ => Ok(()),
        }
    }

    /// Begins a task for a query that passed the check. If its status is not `Working`, it is
    /// already answered.
    pub fn open(
        &self,
        map: &Grid,
        query: &Query,
        shadow: &mut Shadow,
        pool: &mut MemoryPool,
    ) -> Result<Task, Error> {
        let grid = self.mask(map, query, shadow)?;
        let start_cell = self.cell(grid, "start", query.start())?;
        let goal_cell = self.cell(grid, "goal", query.goal())?;
        let default = || self.row.default_heuristic(self.moves);
        let mut task = Task {
            planner: 0,
            version: map.version(),
            query: query.clone(),
            status: Status::Working,
            start: query.start(),
            start_cell,
            goal: query.goal(),
            goal_cell,
            success: Status::Found,
            heuristic: query.chosen_heuristic().unwrap_or_else(default),
            wide: false,
            started: false,
        };
        if !grid.is_free(start_cell) {
            task.status = Status::NoPath;
        } else if !grid.is_free(goal_cell) || !self.components.connected(start_cell, goal_cell) {
            self.find_substitute(grid, &mut task, pool);
        }
        if task.status == Status::Working {
            self.look_ahead(grid, &mut task, pool)?;
        }
        if task.status == Status::Working && task.start == task.goal {
            task.status = task.success;
        }
        Ok(task)
    }

    /// The map of a query: without the cells that it avoids, except the one that the start is in.
    fn mask<'a>(
        &self,
        map: &'a Grid,
        query: &Query,
        shadow: &'a mut Shadow,
    ) -> Result<&'a Grid, Error> {
        let Some(mask) = query.avoided() else { return Ok(map) };
        let own = self.cell(map, "start", query.start())?;
        shadow.cast(map, mask);
        let Some(grid) = shadow.grid() else { return Ok(map) };
        let start = self.cell(grid, "start", query.start())?;
        if !grid.is_free(start) && map.is_free(own) {
            shadow.spare(own);
        }
        Ok(shadow.grid().unwrap_or(map))
    }

    /// Puts the nearest point that can be reached in place of the goal, if the query asks for it.
    fn find_substitute(&self, grid: &Grid, task: &mut Task, pool: &mut MemoryPool) {
        let wanted = task.query.wants_nearest();
        if wanted && task.query.avoided().is_some() {
            self.redirect(grid, task, pool);
            return;
        }
        let nearest = wanted.then(|| self.components.nearest(task.goal, task.start_cell));
        match nearest.flatten() {
            Some(cell) => self.substitute(cell, task),
            None => task.status = Status::NoPath,
        }
    }

    /// Puts a cell in place of the goal.
    fn substitute(&self, cell: Cell, task: &mut Task) {
        let (goal, any_angle) = (task.query.goal(), self.moves.rule().is_any_angle());
        task.goal = if any_angle { nearest_point(cell, goal) } else { cell.centre() };
        (task.goal_cell, task.success) = (cell, Status::Nearest);
    }

    /// For a query with [`Query::nearest`] and cells to avoid, which may cut the goal off: floods
    /// what can be reached and, if the goal is not part of that, puts the nearest cell in its
    /// place. Returns whether it did.
    pub fn redirect(&self, grid: &Grid, task: &mut Task, pool: &mut MemoryPool) -> bool {
        let reach = pool.get::<Reach>();
        reach.flood(grid, self.moves, None, task.start_cell);
        if reach.has(grid, task.goal_cell) {
            return false;
        }
        let nearest = reach.nearest(grid, task.query.goal());
        nearest.into_iter().for_each(|cell| self.substitute(cell, task));
        nearest.is_some()
    }

    /// With slope limits, cells may be connected and yet out of reach. Most searches find that out
    /// themselves; if the answer is needed before, the cells that can be reached are flooded.
    fn look_ahead(&self, grid: &Grid, task: &mut Task, pool: &mut MemoryPool) -> Result<(), Error> {
        let Some(slope) = self.moves.slope().filter(|slope| slope.has_limits()) else {
            return Ok(());
        };
        let nearest = task.query.wants_nearest();
        if nearest && self.moves.rule().is_any_angle() {
            return Err(self.row.unsupported(
                "`nearest` with slope limits under an any-angle rule",
                "ask under a rule that steps from cell to cell",
            ));
        }
        if !nearest && !self.row.must_reach {
            return Ok(());
        }
        let reach = pool.get::<Reach>();
        reach.flood(grid, self.moves, Some(slope), task.start_cell);
        let goal = task.query.goal();
        let asked = goal.as_centre().filter(|&cell| grid.contains(cell) && reach.has(grid, cell));
        if let Some(cell) = asked {
            (task.goal_cell, task.goal, task.success) = (cell, goal, Status::Found);
        } else if let Some(cell) = nearest.then(|| reach.nearest(grid, goal)).flatten() {
            self.substitute(cell, task);
        } else {
            task.status = Status::NoPath;
        }
        Ok(())
    }

    /// The cell of a start or goal.
    fn cell(&self, grid: &Grid, what: &'static str, point: Point) -> Result<Cell, Error> {
        if self.moves.rule().is_any_angle() {
            let (width, height) = (grid.width(), grid.height());
            return grid.cell_of(point).ok_or(Error::OutsidePoint { what, point, width, height });
        }
        let Some(cell) = point.as_centre() else {
            return Err(self.row.unsupported(
                format!("the free {what} {point} under the rule `{}`", self.moves),
                "name a cell, or choose an any-angle rule",
            ));
        };
        grid.check_cell(what, cell)?;
        Ok(cell)
    }
}

/// The point of a cell's closed square that is nearest to `point`.
fn nearest_point(cell: Cell, point: Point) -> Point {
    let clamp = |v: i32, low: u32| {
        let low = low as i32 * Point::UNITS;
        v.clamp(low, low + Point::UNITS)
    };
    Point::from_units(clamp(point.ux(), cell.x), clamp(point.uy(), cell.y))
}
