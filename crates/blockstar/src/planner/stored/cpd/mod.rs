//! The compressed path database: the first move of an optimal path for every pair of cells.
//!
//! A. Botea, *Ultra-Fast Optimal Pathfinding without Runtime Search* (2011), and B. Strasser, D.
//! Harabor & A. Botea, *Fast First-Move Queries through Run-Length Encoding* (2014); neither text
//! was at hand, only descriptions. One [flood](crate::engine::flood) per source finds all optimal
//! first moves to every target. A row of the database is these moves in an [order] of the targets
//! that keeps neighbours together, compressed into [runs](rows). A query looks up one move after
//! the other, each by binary search in one row. No search, no estimate: the first move is there at
//! once, and every path is optimal.
//!
//! What differs: the order is a Hilbert curve, nothing is trimmed from the rows, and the only
//! wildcards are for pairs that are never asked for.
//!
//! **After an edit** the database remains that of the original map, and the planner knows which
//! cells differ ([`edits`]). Answers are still optimal, because
//! * blocking cells only makes ways more expensive: a stored path that can still be walked is still
//!   the best;
//! * if it cannot be walked, A* searches with the stored distance as its estimate, which is exact
//!   on the original map and therefore never too large; it is found by following the stored moves
//!   to the next cell whose distance is known, so each cell is looked up about once;
//! * a freed cell with two free cells around it may open a shorter way. A path past it costs at
//!   least the two octile distances to it, minus what a new diagonal beside it saves; if the stored
//!   path costs no more than that for each freed cell, it is still the best. Otherwise, and from or
//!   to a freed cell, plain A* searches.
//!
//! So an edit costs next to nothing, and queries near it cost a search. [`PathDatabase::rebuild`]
//! builds the database again once the map has settled.

mod edits;
mod file;
mod order;
mod rows;
#[cfg(test)]
mod tests;

use crate::db::parameters::read_moves;
use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::flood::Ground;
use crate::engine::frontier::{Backward, Frontier};
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice, Update,
    by_width,
};
use crate::registry::{SavedFile, kind, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, step_table};
use crate::space::cells::Cells;
use crate::{
    Algorithm, Cell, DatabaseKind, Error, Event, Grid, Heuristic, Memory, Moves, Parameter,
    PathDatabase, Planner, Point, Preparation, Promise,
};
use edits::Edits;
pub(crate) use file::maker;
use order::Order;
use rows::{Rows, TooLarge};
use std::cell::RefCell;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "cpd",
    summary: "Compressed path database: every first move stored, no search at all",
    source: "Botea 2011; Strasser, Harabor & Botea 2014",
    promise: Promise::Optimal,
    preparation: Preparation::AllPairs,
    parameters: &[Parameter::new(
        "memory",
        "0-1048576",
        "1024",
        "the MiB that the database may take; a map that needs more is refused",
    )],
    files: &[SavedFile { kind: DatabaseKind::PathDatabase, moves: read_moves, maker }],
    open: Some(|spec, bytes, grid, moves| {
        let opened = CpdPlanner::open(&spec.shared(bytes), grid, moves)?;
        Ok(Box::new(match spec.given("memory") {
            Some(_) => opened.with_memory(spec.mebibytes("memory")),
            None => opened,
        }))
    }),
    make: |spec, grid, moves| {
        let method = Cpd::build(grid, moves, spec.mebibytes("memory"), spec.progress())?;
        Ok(Driver::boxed(method, grid, moves))
    },
    ..Algorithm::BASE
};

settings! { kind::PathDatabase:
    /// The largest database in MiB, by default 1024; a map that needs more is refused.
    memory(mebibytes: u32) = "memory", mebibytes;
}

/// The planner around the database.
pub(super) type CpdPlanner = Driver<Cpd>;

/// The database with the edits since it was built: what the driver of a [`PathDatabase`] holds.
#[derive(Clone, Debug)]
pub(crate) struct Cpd {
    order: Order,
    rows: Rows,
    edits: Edits,
    /// What each direction adds to a position.
    offsets: [i32; 8],
    /// The bytes that it may take.
    memory: usize,
}

/// The memory of a walk along stored moves, and of estimates by such walks.
#[derive(Debug, Default)]
struct CpdMemory {
    phase: Phase,
    node: u32,
    /// The direction of the last step, [`ROOT`] before the first.
    direction: u8,
    steps: usize,
    /// Straight and diagonal steps so far.
    length: (u64, u64),
    points: Vec<Point>,
    /// Nodes whose distance is not known yet, each with the direction of its step.
    trail: Vec<(u32, u8)>,
}

/// How a query is being answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// By the stored moves.
    #[default]
    Walk,
    /// By A* with stored distances.
    Informed,
    /// By plain A*.
    Plain,
}

impl SearchMemory for CpdMemory {
    fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>() + self.trail.capacity() * size_of::<(u32, u8)>()
    }
}

impl CpdMemory {
    /// Puts the walk on its start.
    fn begin(&mut self, phase: Phase, start: u32) {
        (self.phase, self.node, self.direction) = (phase, start, ROOT);
        (self.steps, self.length) = (0, (0, 0));
        self.points.clear();
    }
}

impl PathDatabase {
    /// The estimated size of the database of a map in bytes, judging by the rows of a few cells
    /// spread over it: what is kept, and what is needed temporarily to build it.
    pub fn estimate(grid: &Grid, moves: Moves) -> Result<usize, Error> {
        refuse_others(grid, moves)?;
        let (ground, order) = (Ground::new(grid, moves), Order::new(grid));
        let rows = Rows::estimate(&ground, &order);
        Ok(rows.kept + rows.held + fixed_bytes(grid, &order))
    }

    /// Builds the database again for the current grid: after this no query needs a search.
    pub fn rebuild(&mut self, grid: &Grid) -> Result<(), Error> {
        let (moves, memory) = (self.moves(), self.database().memory);
        let rebuilt = Cpd::build(grid, moves, memory, &|_, _| ())?;
        self.inner_mut::<CpdPlanner>().replace(rebuilt, grid);
        Ok(())
    }

    /// The number of runs in all rows.
    pub fn runs(&self) -> usize {
        self.database().rows.runs()
    }

    /// How many cells differ from the map that the database was made for. Queries that such a cell
    /// might concern are searched; see [`PathDatabase::rebuild`].
    pub fn edited_cells(&self) -> usize {
        self.database().edits.len()
    }

    /// The cell after `from` on an optimal path to `to`: one lookup, for agents that go one step at
    /// a time. `None` if they are the same, blocked or off the map, if there is no path, or if the
    /// map has been edited since the database was built; then use [`Planner::find`]. A grid that
    /// has changed since the last [update](Planner::update) is refused.
    pub fn next_step(
        &self,
        grid: &Grid,
        from: impl Into<Cell>,
        to: impl Into<Cell>,
    ) -> Result<Option<Cell>, Error> {
        let (from, to) = (from.into(), to.into());
        let connected = self.inner::<CpdPlanner>().connects(grid, from, to)?;
        Ok(if connected { self.first_step(from, to) } else { None })
    }

    /// The same on a map that was checked, between cells that are connected.
    fn first_step(&self, from: Cell, to: Cell) -> Option<Cell> {
        let Cpd { order, rows, edits, .. } = self.database();
        let number = |cell| {
            let position = edits.position(cell)?;
            Some(order.numbers[position as usize]).filter(known)
        };
        let (source, target) = (number(from)?, number(to)?);
        if source == target || edits.len() > 0 {
            return None;
        }
        let step = Direction(rows.first_move(source, target));
        let (x, y) = (from.x.wrapping_add_signed(step.dx()), from.y.wrapping_add_signed(step.dy()));
        Some(Cell::new(x, y))
    }

    fn database(&self) -> &Cpd {
        self.inner::<CpdPlanner>().method()
    }
}

impl Cpd {
    fn new(grid: &Grid, ground: &Ground, order: Order, rows: Rows, memory: usize) -> Self {
        Self { order, rows, edits: Edits::none(grid), offsets: ground.offsets, memory }
    }

    fn build(
        grid: &Grid,
        moves: Moves,
        memory: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        refuse_others(grid, moves)?;
        let (ground, order) = (Ground::new(grid, moves), Order::new(grid));
        let expected = Rows::estimate(&ground, &order);
        let fixed = fixed_bytes(grid, &order) + expected.held;
        let limit = memory.saturating_sub(fixed);
        let refuse = |bytes: usize| {
            let mib = |bytes: usize| bytes.div_ceil(1 << 20);
            Error::Parameter {
                planner: ROW.name,
                given: format!("memory={}", memory >> 20),
                reason: format!(
                    "the path database of this map, with {} free cells, takes about {} MiB and the \
                     limit is {} MiB: allow more, or use another planner",
                    order.cells.len(),
                    mib(fixed + bytes),
                    memory >> 20
                ),
            }
        };
        if expected.kept > limit {
            return Err(refuse(expected.kept));
        }
        let rows = Rows::build(&ground, &order, expected.kept, limit, progress)
            .map_err(|TooLarge { bytes }| refuse(bytes))?;
        Ok(Self::new(grid, &ground, order, rows, memory))
    }

    /// How to begin: from or to a freed cell there are no stored moves.
    fn first_phase(&self, problem: &Problem<'_>) -> Phase {
        let numbers = [problem.start_node(), problem.goal_node()]
            .map(|position| self.order.numbers[position as usize]);
        if numbers.iter().all(known) { Phase::Walk } else { Phase::Plain }
    }

    /// How to go on if the stored path is not an answer.
    fn second_phase(&self) -> Phase {
        if self.edits.open().is_empty() { Phase::Informed } else { Phase::Plain }
    }

    /// Whether no way past a freed cell can undercut a path of this length.
    fn stands(&self, problem: &Problem<'_>, length: (u64, u64)) -> bool {
        if self.edits.open().is_empty() {
            return true;
        }
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let cost = length.0 * step_costs.straight + length.1 * step_costs.diagonal;
        // The only way past a freed cell that does not enter it is a new diagonal beside it, and
        // both its ends are one straight step away from the cell.
        let saved = (2 * step_costs.straight).saturating_sub(step_costs.diagonal);
        let heuristic = Heuristic::default_for(moves);
        let [from, to] = [problem.start_cell(), problem.goal_cell()]
            .map(|cell| Estimator::new(heuristic, &step_costs, (cell.x, cell.y)));
        self.edits.open().iter().all(|&position| {
            let (x, y) = grid.rows().coordinates(position);
            from.estimate(x, y) + to.estimate(x, y) >= cost + saved
        })
    }

    /// Follows the stored moves. `None` if that gives no answer.
    fn walk(&self, problem: &Problem, slice: &mut Slice, walk: &mut CpdMemory) -> Option<Outcome> {
        let Problem { grid, moves, .. } = *problem;
        let rows = grid.rows();
        let goal = problem.goal_node();
        let target = self.order.numbers[goal as usize];
        let steps = step_table(moves.rule());
        let edited = self.edits.len() > 0;
        let limit = problem.max_expansions();
        while walk.node != goal {
            if slice.is_spent() {
                return Some(Outcome::Paused);
            }
            if slice.stats.expanded >= limit {
                return Some(Outcome::Limit);
            }
            slice.expand();
            if let Some(trace) = slice.trace {
                let (x, y) = rows.coordinates(walk.node);
                let at = Cell::new(x, y).centre();
                let g = walk.length.0 as f64 + walk.length.1 as f64 * moves.diagonal().length();
                let f = g + Heuristic::default_for(moves).length(at, problem.goal());
                trace.push(Event::Expanded { at, from: None, g, f });
            }
            let source = self.order.numbers[walk.node as usize];
            // A cycle: no database made by this library has one.
            let lost = walk.steps == self.order.cells.len();
            if !known(&source) || lost {
                return None;
            }
            let direction = self.rows.first_move(source, target);
            if edited && steps[rows.around(walk.node)] >> direction & 1 == 0 {
                return None;
            }
            if direction != walk.direction {
                let (x, y) = rows.coordinates(walk.node);
                walk.points.push(Cell::new(x, y).centre());
                walk.direction = direction;
            }
            walk.node = walk.node.wrapping_add_signed(self.offsets[direction as usize]);
            walk.steps += 1;
            if direction & 1 == 0 {
                walk.length.0 += 1;
            } else {
                walk.length.1 += 1;
            }
        }
        if !self.stands(problem, walk.length) {
            return None;
        }
        slice.write_path(walk.points.iter().copied());
        slice.write_path([problem.goal()]);
        Some(Outcome::Goal)
    }

    /// A* on the map as it is; `fresh` is whether it has yet to begin.
    fn search_on<C: Cost>(
        &self,
        problem: &Problem<'_>,
        slice: &mut Slice<'_>,
        pool: &mut MemoryPool,
        fresh: bool,
    ) -> Outcome {
        let (memory, frontier, Backward(known)) =
            pool.get_three::<CpdMemory, Frontier<C>, Backward<C>>();
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<C>::new(grid, moves);
        let heuristic = Heuristic::default_for(moves);
        let (start, goal) = (problem.start_node(), problem.goal_node());
        let goal_cell = problem.goal_cell();
        let estimator = Estimator::new(heuristic, &step_costs, (goal_cell.x, goal_cell.y));
        let cells = Cells::<C>::new(grid, moves, step_costs, estimator);
        let orders = Orders::new(problem, step_costs, Priority::AStar, heuristic, goal);
        let positions = grid.rows().positions();
        if fresh {
            frontier.begin(positions, step_costs.usual_step());
        }
        if memory.phase == Phase::Plain {
            if fresh {
                frontier.seed(&cells, &orders, start, C::ZERO);
            }
            return best_first::search(&cells, &orders, frontier, slice);
        }
        if fresh {
            known.nodes.begin(positions);
            known.nodes.set(goal, C::ZERO, ROOT);
        }
        let target = self.order.numbers[goal as usize];
        let memory = RefCell::new(Known { distances: &mut known.nodes, trail: &mut memory.trail });
        let space = Informed { cells, database: self, target, step_costs, memory };
        if fresh {
            frontier.seed(&space, &orders, start, C::ZERO);
        }
        best_first::search(&space, &orders, frontier, slice)
    }
}

impl Method for Cpd {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let memory = pool.get::<CpdMemory>();
        let mut fresh = slice.is_fresh();
        // Only A* needs wide costs: it then starts over, and the walk before it does not.
        if fresh && !problem.is_wide() {
            memory.begin(self.first_phase(problem), problem.start_node());
        }
        if memory.phase == Phase::Walk {
            if let Some(outcome) = self.walk(problem, slice, memory) {
                return Ok(outcome);
            }
            memory.phase = self.second_phase();
            fresh = true;
        }
        Ok(by_width!(problem, C => self.search_on::<C>(problem, slice, pool, fresh)))
    }

    /// Notes which cells differ from the map that the database was made for; see the notes on
    /// [`PathDatabase`]. It is built again only for a grid of another size.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if self.edits.fits(grid) {
            self.edits.update(grid, changes);
        } else {
            *self = Self::build(grid, moves, self.memory, &|_, _| ())?;
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory
            .with("first moves", self.rows.bytes())
            .with("order", self.order.bytes())
            .with("edits", self.edits.bytes())
    }

    /// The database of the map it was built for, and the edits since.
    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        Some(self.to_bytes(moves, map))
    }
}

/// Steps from cell to cell with the stored distance as estimate.
struct Informed<'a, C: Cost> {
    cells: Cells<'a, C>,
    database: &'a Cpd,
    target: u32,
    step_costs: StepCosts<C>,
    memory: RefCell<Known<'a, C>>,
}

/// The distances known so far, and the nodes on the way to one.
struct Known<'a, C: Cost> {
    distances: &'a mut NodeTable<C>,
    trail: &'a mut Vec<(u32, u8)>,
}

impl<C: Cost> Space<C> for Informed<'_, C> {
    #[inline]
    fn expand(&self, node: u32, tag: u8, reach: impl FnMut(u32, C, u8)) {
        self.cells.expand(node, tag, reach);
    }

    fn estimate(&self, node: u32) -> C {
        let mut memory = self.memory.borrow_mut();
        let Known { distances: known, trail } = &mut *memory;
        let Cpd { order, rows, offsets, .. } = self.database;
        // A freed dead end: no way leads past it.
        if order.numbers[node as usize] == Order::NONE {
            return self.cells.estimate(node);
        }
        let mut at = node;
        trail.clear();
        while !known.is_reached(at) {
            if trail.len() > order.cells.len() {
                return self.cells.estimate(node); // a cycle: see `Cpd::walk`
            }
            let direction = rows.first_move(order.numbers[at as usize], self.target);
            trail.push((at, direction));
            at = at.wrapping_add_signed(offsets[direction as usize]);
        }
        let mut distance = known.g(at);
        for &(at, direction) in trail.iter().rev() {
            let diagonal = direction & 1 != 0;
            distance = distance
                + if diagonal { self.step_costs.diagonal } else { self.step_costs.straight };
            known.set(at, distance, ROOT);
        }
        distance
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        self.cells.back(node, tag)
    }

    fn place(&self, node: u32) -> Point {
        self.cells.place(node)
    }
}

/// Whether a number is that of a free cell.
fn known(number: &u32) -> bool {
    *number != Order::NONE
}

fn refuse_others(grid: &Grid, moves: Moves) -> Result<(), Error> {
    if moves.rule().is_any_angle() {
        let what = format!("the movement rule `{}`", moves.rule().name());
        return Err(ROW.unsupported(what, "it supports four, eight, eight-cut-one, eight-cut-any"));
    }
    if moves.slope().is_some() {
        return Err(Error::no_slopes(ROW.name, moves));
    }
    if grid.has_costs() { Err(Error::no_terrain(ROW.name, moves)) } else { Ok(()) }
}

/// The bytes needed besides the rows, while building.
fn fixed_bytes(grid: &Grid, order: &Order) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let positions = grid.rows().positions();
    order.bytes() + positions + threads * (positions * 8 + order.cells.len() * 4)
}
