//! The front desk of every planner: what is the same for all before and after the search proper.
//!
//! It refuses bad queries with a sentence, answers at once what needs no search (start is goal,
//! goal in another component), finds the substitute goal of [`Query::nearest`], and keeps the
//! component labels and versions.

use crate::engine::scratch::Task;
use crate::grid::components::Components;
use crate::{
    Algorithm, Cell, Error, Grid, Heuristic, Memory, Moves, Point, Query, Scratch, Status,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// What every planner has.
#[derive(Debug)]
pub(crate) struct Desk {
    name: &'static str,
    identity: u64,
    moves: Moves,
    components: Components,
    /// Whether a search would not end without a path.
    must_reach: bool,
}

impl Desk {
    pub fn new(name: &'static str, grid: &Grid, moves: Moves) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let identity = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let components = Components::new(grid, moves.rule());
        Self { name, identity, moves, components, must_reach: false }
    }

    /// For a search that does not end without a path: the desk makes sure that there is one.
    pub fn that_must_reach(self) -> Self {
        Self { must_reach: true, ..self }
    }

    pub fn moves(&self) -> Moves {
        self.moves
    }

    pub fn update(&mut self, grid: &Grid) {
        self.components.update(grid);
    }

    /// Whether there is a path between two cells of the map.
    pub fn connects(&self, a: Cell, b: Cell) -> bool {
        self.components.connected(a, b)
    }

    pub fn memory(&self) -> Memory {
        Memory::default().with(Memory::CONNECTIVITY, self.components.memory_usage())
    }

    /// Whether there is a way between the cells of two nodes.
    pub fn connected(&self, grid: &Grid, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|node| grid.rows().coordinates(node));
        self.components.connected(Cell::new(a.0, a.1), Cell::new(b.0, b.1))
    }

    /// The heuristic to use: the query's or the default one.
    pub fn heuristic(&self, query: &Query) -> Heuristic {
        let row = Algorithm::all().iter().find(|row| row.name == self.name);
        let default =
            row.map_or(Heuristic::default_for(self.moves), |row| row.default_heuristic(self.moves));
        query.chosen_heuristic().unwrap_or(default)
    }

    pub fn unsupported(&self, what: impl Into<String>, remedy: impl Into<String>) -> Error {
        Error::Unsupported { planner: self.name, what: what.into(), remedy: remedy.into() }
    }

    /// Forgets the search before: no old answer is left when the query is refused. [`Desk::open`]
    /// begins with it; a `begin` that refuses queries of its own must do so too.
    pub fn forget(&self, scratch: &mut Scratch) {
        scratch.task = None;
        scratch.path.clear(self.moves);
        scratch.walk.clear();
        scratch.start_over();
    }

    /// Opens a task for the query. It is answered already if its status is not `Working`.
    pub fn open(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.forget(scratch);
        let row = Algorithm::all().iter().find(|row| row.name == self.name);
        if grid.has_costs() && row.is_some_and(|row| !row.terrain) {
            return Err(Error::no_terrain(self.name, self.moves));
        }
        let weighted = query.chosen_weight().is_some_and(|weight| weight != 1.0);
        if weighted && row.is_some_and(|row| !row.weight) {
            return Err(self.unsupported("a weight", "use `weighted-astar` or `block-astar`"));
        }
        self.check_version(grid, "the planner", self.components.version())?;
        query.check()?;
        if let Some(slope) = self.moves.slope() {
            slope.check(grid, self.moves)?;
        }
        let start_cell = self.cell(grid, "start", query.start())?;
        let goal_cell = self.cell(grid, "goal", query.goal())?;
        let mut task = Task {
            planner: self.identity,
            version: grid.version(),
            query: query.clone(),
            status: Status::Working,
            start: query.start(),
            start_cell,
            goal: query.goal(),
            goal_cell,
            success: Status::Found,
            heuristic: self.heuristic(query),
            wide: false,
            started: false,
        };
        if !grid.is_free(start_cell) {
            task.status = Status::NoPath;
        } else if !self.components.connected(start_cell, goal_cell) {
            let nearest = query
                .wants_nearest()
                .then(|| self.components.nearest(task.goal, start_cell))
                .flatten();
            if let Some(cell) = nearest {
                task.success = Status::Nearest;
                task.goal_cell = cell;
                task.goal = if self.moves.rule().is_any_angle() {
                    nearest_point(cell, task.goal)
                } else {
                    cell.centre()
                };
            } else {
                task.status = Status::NoPath;
            }
        }
        if task.status == Status::Working {
            self.look_ahead(grid, &mut task, scratch)?;
        }
        if task.status == Status::Working && task.start == task.goal {
            scratch.path.push(task.start);
            task.status = task.success;
        }
        scratch.task = Some(task);
        Ok(())
    }

    /// With limits of slope being connected does not mean that there is a way. Most searches find out
    /// themselves; where the answer is needed before, the cells that can be reached are flooded.
    fn look_ahead(&self, grid: &Grid, task: &mut Task, scratch: &mut Scratch) -> Result<(), Error> {
        let Some(slope) = self.moves.slope().filter(|slope| slope.has_limits()) else {
            return Ok(());
        };
        let nearest = task.query.wants_nearest();
        if nearest && self.moves.rule().is_any_angle() {
            return Err(self.unsupported(
                "`nearest` with limits of slope under an any-angle rule",
                "ask under a rule that steps from cell to cell",
            ));
        }
        if !nearest && !self.must_reach {
            return Ok(());
        }
        let reach = &mut scratch.reach;
        reach.flood(grid, self.moves, slope, task.start_cell);
        let goal = task.query.goal();
        let asked = goal.as_centre().filter(|&cell| grid.contains(cell) && reach.has(grid, cell));
        if let Some(cell) = asked {
            (task.goal_cell, task.goal, task.success) = (cell, goal, Status::Found);
        } else if let Some(cell) = nearest.then(|| reach.nearest(grid, goal)).flatten() {
            (task.goal_cell, task.goal, task.success) = (cell, cell.centre(), Status::Nearest);
        } else {
            task.status = Status::NoPath;
        }
        Ok(())
    }

    /// The task to go on with.
    pub fn task(&self, grid: &Grid, scratch: &Scratch) -> Result<Task, Error> {
        let task = scratch.task.as_ref().filter(|task| task.planner == self.identity);
        let task = task.ok_or(Error::NotBegun)?;
        self.check_version(grid, "the search", task.version)?;
        Ok(task.clone())
    }

    /// Ends the task: prices the path that the planner has put into the scratch memory, if any,
    /// and holds it against the cost limit.
    pub fn close(&self, grid: &Grid, scratch: &mut Scratch, status: Status) -> Status {
        let Some(task) = &mut scratch.task else { return status };
        task.status = status;
        if status.has_path() {
            scratch.path.price(grid, self.moves);
            if task.query.cost_limit().is_some_and(|limit| scratch.path.cost() > limit) {
                task.status = Status::LimitReached;
            }
        }
        if !task.status.has_path() {
            scratch.path.clear(self.moves);
        }
        task.status
    }

    fn check_version(&self, grid: &Grid, who: &'static str, known: u64) -> Result<(), Error> {
        let now = grid.version();
        if known == now { Ok(()) } else { Err(Error::Stale { who, known, now }) }
    }

    fn cell(&self, grid: &Grid, what: &'static str, point: Point) -> Result<Cell, Error> {
        if self.moves.rule().is_any_angle() {
            let (width, height) = (grid.width(), grid.height());
            return grid.cell_of(point).ok_or(Error::OutsidePoint { what, point, width, height });
        }
        let Some(cell) = point.as_centre() else {
            return Err(self.unsupported(
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
