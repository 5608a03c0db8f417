//! A [`Method`] becomes a [`Planner`]: everything that is the same for all algorithms. Every
//! planner of this crate is a driver, except `auto`, which passes calls on to one.
//!
//! * `begin` forgets the previous search and sends the query through the [gate](super::gate), which
//!   may answer it at once.
//! * `resume` runs the method on narrow costs and, if they overflow, starts over on wide ones; the
//!   narrow search's statistics and trace are forgotten. At the end it reduces the path to its
//!   turning points, prices it and checks the cost limit.
//! * If the prepared data came from a file, the path is proved before it is returned. A file may be
//!   forged: an illegal path, or no path where the map is connected, is an error that blames the
//!   file.
//! * `update` brings connectivity and then the method up to date. If that fails, queries answer
//!   that the planner is stale.

use crate::engine::budget::Meter;
use crate::engine::gate::{Gate, Task};
use crate::engine::memory_pool::MemoryPool;
use crate::engine::method::{Changes, Method, Outcome, Slice, Update};
use crate::engine::partial;
use crate::engine::problem::Problem;
use crate::grid::components::Components;
use crate::grid::shadow::Shadow;
use crate::rules::cost::StepCosts;
use crate::{
    Algorithm, Budget, Cell, DatabaseKind, Error, Grid, Layer, Memory, Moves, Path, Planner, Query,
    Scratch, Status,
};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A [`Method`] made into a [`Planner`].
#[derive(Clone)]
pub struct Driver<M> {
    method: M,
    state: DriverState,
}

impl<M: Method> fmt::Debug for Driver<M> {
    /// Not what was prepared: nobody reads thousands of tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} for {}, version {}",
            self.method.row().name,
            self.state.moves,
            self.state.version
        )
    }
}

/// What the driver keeps beside the method. Its code is not generic: a copy for each method would
/// be 2 % of the library.
#[derive(Debug)]
struct DriverState {
    identity: u64,
    moves: Moves,
    components: Components,
    /// The version of the map that everything was last updated for.
    version: u64,
    /// The [hash](Grid::content_hash) of that map.
    map: u64,
    /// Whether the last update succeeded.
    intact: bool,
    /// The kind of file that the prepared data came from, if any.
    file: Option<DatabaseKind>,
}

impl<M: Method> Driver<M> {
    /// The planner for a method that was prepared for this grid and movement rule.
    pub fn new(method: M, grid: &Grid, moves: Moves) -> Self {
        Self { method, state: DriverState::new(grid, moves) }
    }

    /// The same for a method that was read from a file: its paths are proved before they are
    /// returned.
    pub(crate) fn opened(method: M, grid: &Grid, moves: Moves, kind: DatabaseKind) -> Self {
        let state = DriverState { file: Some(kind), ..DriverState::new(grid, moves) };
        Self { method, state }
    }

    /// Replaces the method by one that was prepared for this grid.
    pub(crate) fn replace(&mut self, method: M, grid: &Grid) {
        self.method = method;
        self.state.components.update(grid);
        self.state.now_fits(grid);
        self.state.file = None;
    }

    /// The same as a planner of any kind.
    pub(crate) fn boxed(method: M, grid: &Grid, moves: Moves) -> Box<dyn Planner>
    where
        M: Clone,
    {
        Box::new(Self::new(method, grid, moves))
    }

    /// The algorithm with its prepared data.
    pub fn method(&self) -> &M {
        &self.method
    }

    /// The same, for changes that keep it valid for the map.
    pub(crate) fn method_mut(&mut self) -> &mut M {
        &mut self.method
    }

    /// Whether there is a way between two cells of a map, which must be the one that the planner
    /// was last updated for.
    pub(crate) fn connects(&self, grid: &Grid, a: Cell, b: Cell) -> Result<bool, Error> {
        self.state.check_current(grid)?;
        Ok(self.state.components.connected(a, b))
    }

    /// Refuses a map other than the one that the planner was last updated for.
    pub(crate) fn check_current(&self, grid: &Grid) -> Result<(), Error> {
        self.state.check_current(grid)
    }
}

impl<M: Method + Clone> Planner for Driver<M> {
    fn row(&self) -> &'static Algorithm {
        self.method.row()
    }

    fn moves(&self) -> Moves {
        self.state.moves
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.state.begin(&self.method, grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        self.state.resume(&self.method, grid, scratch, budget)
    }

    fn boxed_clone(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }

    fn update(&mut self, grid: &Grid) -> Result<Update, Error> {
        self.state.update(&mut self.method, grid)
    }

    fn memory_usage(&self) -> Memory {
        let connectivity = self.state.components.memory_usage();
        self.method.memory(Memory::default().with(Memory::CONNECTIVITY, connectivity))
    }

    fn layers(&self, grid: &Grid) -> Result<Vec<Layer>, Error> {
        self.state.check_current(grid)?;
        let mut layers = self.method.layers(grid);
        layers.insert(0, self.state.islands(grid));
        Ok(layers)
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.state.intact.then(|| self.method.save(self.state.moves, self.state.map)).flatten()
    }
}

/// The clone is another planner: neither resumes the other's searches, since either may have been
/// updated.
impl Clone for DriverState {
    fn clone(&self) -> Self {
        Self { identity: next_identity(), components: self.components.clone(), ..*self }
    }
}

/// A number that no planner has had before.
fn next_identity() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl DriverState {
    fn new(grid: &Grid, moves: Moves) -> Self {
        Self {
            identity: next_identity(),
            moves,
            components: Components::new(grid, moves.rule()),
            version: grid.version(),
            map: grid.content_hash(),
            intact: true,
            file: None,
        }
    }

    /// Everything is up to date with a grid.
    fn now_fits(&mut self, grid: &Grid) {
        (self.version, self.map, self.intact) = (grid.version(), grid.content_hash(), true);
    }

    /// Refuses an answer that came from a file and cannot be right. Whether there is a path is
    /// known before the search, except on slopes, which have no files, and for queries that avoid
    /// cells.
    fn prove(&self, grid: &Grid, task: &Task, path: &Path) -> Result<(), Error> {
        let Some(kind) = self.file else { return Ok(()) };
        match task.status {
            Status::NoPath if task.query.avoided().is_none() => {
                Err(kind.forged("it finds no path where there is one"))
            }
            status if status.has_path() => {
                let ends = (path.points().first(), path.points().last());
                if ends != (Some(&task.start), Some(&task.goal)) {
                    return Err(kind.forged("a path made from it does not lead from start to goal"));
                }
                path.prove(grid, self.moves).map_err(|violation| kind.misleads(&violation))
            }
            _ => Ok(()),
        }
    }

    /// The problem of a task on a map; if the query avoids cells, the shadow has been cast.
    fn problem<'a>(&'a self, map: &'a Grid, shadow: &'a Shadow, task: &'a Task) -> Problem<'a> {
        let masked = task.query.avoided().and(shadow.grid());
        let grid = masked.unwrap_or(map);
        let masked = if masked.is_some() { shadow.blocked() } else { &[] };
        Problem { grid, map, masked, moves: self.moves, task, components: &self.components }
    }

    fn gate(&self, method: &dyn Method) -> Gate<'_> {
        Gate {
            row: method.row(),
            moves: self.moves,
            components: &self.components,
            version: self.version,
        }
    }

    /// Refuses a map that the planner was not updated for.
    fn check_current(&self, grid: &Grid) -> Result<(), Error> {
        self.check_intact(grid)?;
        let (known, now) = (self.version, grid.version());
        if known == now { Ok(()) } else { Err(Error::Stale { who: "the planner", known, now }) }
    }

    fn islands(&self, grid: &Grid) -> Layer {
        let meaning = "cells that are connected with each other";
        Layer::of_cells("islands", meaning, grid, |cell| self.components.component(cell))
    }

    /// After a failed update not even the previous map can be answered for.
    fn check_intact(&self, grid: &Grid) -> Result<(), Error> {
        let (known, now) = (self.version, grid.version());
        if self.intact { Ok(()) } else { Err(Error::Stale { who: "the planner", known, now }) }
    }

    fn begin(
        &self,
        method: &dyn Method,
        grid: &Grid,
        query: &Query,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        scratch.forget(self.moves);
        scratch.stats.planner = Some(method.row().name);
        self.check_intact(grid)?;
        let gate = self.gate(method);
        gate.check(grid, query)?;
        method.accept(self.moves, query)?;
        let mut task = gate.open(grid, query, &mut scratch.shadow, &mut scratch.pool)?;
        task.planner = self.identity;
        if task.status == Status::Working {
            task.wide = method.needs_wide(&self.problem(grid, &scratch.shadow, &task));
        }
        if task.status.has_path() {
            scratch.path.push(task.start);
        }
        if method.row().walks() && task.status != Status::NoPath {
            scratch.walk.begin(grid, task.start_cell);
        }
        scratch.task = Some(task);
        Ok(())
    }

    fn resume(
        &self,
        method: &dyn Method,
        grid: &Grid,
        scratch: &mut Scratch,
        budget: Budget,
    ) -> Result<Status, Error> {
        let Scratch { task: current, pool, shadow, path, stats, trace, walk, closest } = scratch;
        let Some(task) = current.as_mut().filter(|task| task.planner == self.identity) else {
            return Err(Error::NotBegun);
        };
        let (known, now) = (task.version, grid.version());
        if known != now {
            return Err(Error::Stale { who: "the search", known, now });
        }
        self.check_intact(grid)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let row = method.row();
        let scans = row.scans || row.walks();
        let meter = &mut if scans { Meter::for_scans(budget) } else { Meter::new(budget) };
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            if fresh {
                closest.begin(task, self.moves);
                if let Some(trace) = trace {
                    trace.count_in(match task.wide {
                        true => StepCosts::<u64>::new(grid, self.moves).units_per_cell(),
                        false => StepCosts::<u32>::new(grid, self.moves).units_per_cell(),
                    });
                }
            }
            let mut slice = Slice { fresh, meter, stats, trace, path, walk, closest };
            let found = method.search(&self.problem(grid, shadow, task), &mut slice, pool);
            let outcome = match found {
                Ok(outcome) => outcome,
                Err(error) => {
                    path.clear(self.moves);
                    *current = None;
                    return Err(error);
                }
            };
            if outcome == Outcome::Overflow && !task.wide {
                task.wide = true;
            } else if !self.redirects(method, grid, shadow, task, pool, outcome) {
                break outcome;
            }
            task.started = false;
            stats.start_over();
            trace.iter_mut().for_each(|trace| trace.clear());
            path.clear(self.moves);
            if task.start == task.goal {
                path.push(task.start);
                break Outcome::Goal;
            }
        };
        task.status = outcome.status(task.success);
        if let Err(error) = self.prove(self.problem(grid, shadow, task).grid, task, path) {
            path.clear(self.moves);
            *current = None;
            return Err(error);
        }
        if task.status.has_path() {
            if method.keeps_points() {
                path.price(grid, self.moves);
            } else {
                path.settle(grid, self.moves);
            }
            if task.query.cost_limit().is_some_and(|limit| path.cost() > limit) {
                task.status = Status::LimitReached;
            }
        }
        if task.status == Status::LimitReached && task.query.wants_partial() {
            partial::cut(path, task, grid, self.moves);
        } else if !task.status.has_path() {
            path.clear(self.moves);
        }
        Ok(task.status)
    }

    /// Whether a search that did not reach its goal should start over with another goal: the cells
    /// that the query avoids cut the goal off, and the nearest cell will do. Only a failed search
    /// is reason enough to flood the map for that.
    fn redirects(
        &self,
        method: &dyn Method,
        map: &Grid,
        shadow: &Shadow,
        task: &mut Task,
        pool: &mut MemoryPool,
        outcome: Outcome,
    ) -> bool {
        let cut_off = matches!(outcome, Outcome::Exhausted | Outcome::Limit)
            && task.success == Status::Found
            && task.query.wants_nearest()
            && task.query.avoided().is_some();
        let redirected =
            cut_off && self.gate(method).redirect(shadow.grid().unwrap_or(map), task, pool);
        if redirected {
            task.wide = method.needs_wide(&self.problem(map, shadow, task));
        }
        redirected
    }

    fn update(&mut self, method: &mut dyn Method, grid: &Grid) -> Result<Update, Error> {
        self.components.update(grid);
        let since = std::mem::take(&mut self.intact).then_some(self.version);
        let update = method.update(grid, self.moves, &Changes::new(grid, since))?;
        self.now_fits(grid);
        Ok(update)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Searched;
    use crate::{Tile, planner::cell::astar::ASTAR};

    /// Prepares nothing, and cannot be updated.
    #[derive(Clone, Debug)]
    struct Brittle;

    impl Method for Brittle {
        fn row(&self) -> &'static Algorithm {
            &ASTAR
        }

        fn update(&mut self, _: &Grid, _: Moves, changes: &Changes) -> Result<Update, Error> {
            if changes.rects().is_some() { Err(Error::NotBegun) } else { Ok(Update::default()) }
        }

        fn search(&self, _: &Problem, _: &mut Slice, _: &mut MemoryPool) -> Searched {
            Ok(Outcome::Paused)
        }
    }

    #[test]
    fn after_a_failed_update_the_map_from_before_is_refused_too() {
        let old = Grid::new(5, 5).unwrap();
        let mut new = old.clone();
        new.set((2, 2), Tile::Blocked).unwrap();
        let mut planner = Driver::new(Brittle, &old, Moves::EIGHT);
        let (query, mut scratch) = (Query::new(Cell::new(0, 0), Cell::new(4, 4)), Scratch::new());
        planner.begin(&old, &query, &mut scratch).unwrap();
        assert!(planner.update(&new).is_err());
        let stale = |result: Result<(), Error>| matches!(result, Err(Error::Stale { .. }));
        assert!(stale(planner.resume(&old, &mut scratch, Budget::UNLIMITED).map(drop)));
        assert!(stale(planner.begin(&old, &query, &mut scratch)));
        // The next update gets no list of changes, and succeeds.
        planner.update(&new).unwrap();
        planner.begin(&new, &query, &mut scratch).unwrap();
    }
}
