//! The compressed path database: the first move of an optimal path for every pair of cells.
//!
//! A. Botea, *Ultra-Fast Optimal Pathfinding without Runtime Search* (2011), and B. Strasser,
//! D. Harabor & A. Botea, *Fast First-Move Queries through Run-Length Encoding* (2014); neither text
//! was at hand, only descriptions. One flood per source ([`flood`](crate::engine::flood)) finds all optimal first moves to
//! every target, a row of the database is these moves in an [order] of the targets that keeps
//! neighbours together, compressed into [runs](rows), and a query asks for one move after the other,
//! each a binary search in one row. No search, no estimate: the first move is there at once, and every
//! path is optimal.
//!
//! What differs: the order is a Hilbert curve; nothing is trimmed from the rows, and there are no
//! wildcards but for pairs that nobody asks for.
//!
//! **After an edit** the database stays that of the map before, and the planner knows which cells
//! differ ([`edits`]). An answer is still optimal, because
//! * blocking cells only makes ways dearer: a stored path that can still be walked is still the best;
//! * if it cannot be walked, A* searches with the stored distance as estimate, which is exact on the map
//!   before and therefore never too large; it is found by walking along the stored moves to the next
//!   cell whose distance is known, so each cell is asked for about once;
//! * a freed cell with two free cells around it may open a shorter way. A path past it costs at least the two octile distances to it,
//!   less what a new diagonal beside it saves; if the stored path costs no more than that for each freed
//!   cell, it is still the best. Else, and from or to a freed cell, plain A* searches.
//!
//! So an edit costs nothing to speak of, and queries near it cost a search. [`PathDatabase::rebuild`]
//! makes the database anew when the map has settled.

mod edits;
mod file;
mod order;
mod rows;
#[cfg(test)]
mod tests;

use crate::engine::best_first::{Orders, Outcome, Priority, Space, Work};
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::flood::Ground;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::Event;
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, step_table};
use crate::space::cells::Cells;
use crate::{
    Budget, Cell, Error, Grid, Heuristic, Memory, Moves, Planner, Point, Query, Scratch, Status,
};
use edits::Edits;
pub(crate) use file::maker;
use order::Order;
use rows::{Rows, TooLarge};
use std::cell::RefCell;

/// The name in the registry.
const NAME: &str = "cpd";

/// A planner that has the first move of an optimal path for every pair of cells.
///
/// The registry makes it without further ado; made by hand it tells its progress and can be saved.
/// Building takes a flood of the map for each free cell: seconds for 25,000 cells, minutes for
/// 100,000.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, PathDatabase, Planner, Query, Scratch, Status};
/// let grid = Grid::from_ascii(
///     ".....
///      .###.
///      .....",
/// )?;
/// let database = PathDatabase::build(&grid, Moves::EIGHT, PathDatabase::MEMORY, &|done, of| {
///     eprintln!("{done} of {of} cells")
/// })?;
/// assert_eq!(database.next(Cell::new(0, 1), Cell::new(4, 1)), Some(Cell::new(0, 0)));
///
/// let opened = PathDatabase::open(&database.save(), &grid, Moves::EIGHT)?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 1), Cell::new(4, 1));
/// assert_eq!(opened.find(&grid, &query, &mut scratch)?, Status::Found);
/// assert_eq!(scratch.path().cost(), 6.0);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct PathDatabase {
    desk: Desk,
    order: Order,
    rows: Rows,
    edits: Edits,
    /// What each direction adds to a position.
    offsets: [i32; 8],
    /// The content hash of the map that the database was made for.
    content: u64,
    /// The bytes that it may take.
    memory: usize,
}

/// The memory of a walk along stored moves, and of estimates by such walks.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    node: u32,
    /// The direction of the last step, [`ROOT`] before the first.
    direction: u8,
    steps: usize,
    /// Straight and diagonal steps so far.
    length: (u64, u64),
    points: Vec<Point>,
    /// Nodes whose distance is not known yet, with the direction of their step.
    trail: Vec<(u32, u8)>,
    mode: Mode,
}

/// How a query is being answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// By the stored moves.
    #[default]
    Walk,
    /// By A* with stored distances.
    Informed,
    /// By plain A*.
    Plain,
}

impl Walk {
    pub fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>() + self.trail.capacity() * size_of::<(u32, u8)>()
    }
}

impl PathDatabase {
    /// The bytes that a database may take unless told otherwise: 1 GiB.
    pub const MEMORY: usize = 1 << 30;

    /// What the database of a map will take, in bytes, by the rows of a few cells spread over it: what
    /// is kept, and what is needed for a while to build it.
    pub fn estimate(grid: &Grid, moves: Moves) -> Result<usize, Error> {
        refuse_others(grid, moves)?;
        let (ground, order) = (Ground::new(grid, moves), Order::new(grid));
        let rows = Rows::estimate(&ground, &order);
        Ok(rows.kept + rows.held + fixed_bytes(grid, &order))
    }

    /// Makes the database, on all cores, in at most `memory` bytes: a map that needs more is refused
    /// before the work begins. `progress` is called on this thread with how many cells are done, and of
    /// how many.
    pub fn build(
        grid: &Grid,
        moves: Moves,
        memory: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves, memory)?;
        planner.rebuild(grid, progress)?;
        Ok(planner)
    }

    /// Without rows.
    fn bare(grid: &Grid, moves: Moves, memory: usize) -> Result<Self, Error> {
        refuse_others(grid, moves)?;
        Ok(Self {
            desk: Desk::new(NAME, grid, moves),
            order: Order::default(),
            rows: Rows::default(),
            edits: Edits::none(grid),
            offsets: [0; 8],
            content: 0,
            memory,
        })
    }

    /// Makes the database anew for the grid as it is now: after this no query needs a search.
    pub fn rebuild(&mut self, grid: &Grid, progress: &dyn Fn(usize, usize)) -> Result<(), Error> {
        let moves = self.desk.moves();
        refuse_others(grid, moves)?;
        let (ground, order) = (Ground::new(grid, moves), Order::new(grid));
        let fixed = fixed_bytes(grid, &order);
        let expected = Rows::estimate(&ground, &order);
        let fixed = fixed + expected.held;
        let limit = self.memory.saturating_sub(fixed);
        let refuse = |bytes: usize| {
            let mib = |bytes: usize| bytes.div_ceil(1 << 20);
            Error::Parameter {
                planner: NAME,
                given: format!("memory={}", self.memory >> 20),
                reason: format!(
                    "the path database of this map, with {} free cells, takes about {} MiB and the \
                     limit is {} MiB: allow more, or use another planner",
                    order.cells.len(),
                    mib(fixed + bytes),
                    self.memory >> 20
                ),
            }
        };
        if expected.kept > limit {
            return Err(refuse(expected.kept));
        }
        let rows = Rows::build(&ground, &order, expected.kept, limit, progress)
            .map_err(|TooLarge { bytes }| refuse(bytes))?;
        self.desk.update(grid);
        self.adopt(grid, &ground, order, rows);
        Ok(())
    }

    fn adopt(&mut self, grid: &Grid, ground: &Ground, order: Order, rows: Rows) {
        (self.order, self.rows, self.offsets) = (order, rows, ground.offsets);
        (self.edits, self.content) = (Edits::none(grid), grid.content_hash());
    }

    /// How many runs all rows have together.
    pub fn runs(&self) -> usize {
        self.rows.runs()
    }

    /// How many cells differ from the map that the database was made for. Queries that such a cell
    /// could concern are searched; see [`PathDatabase::rebuild`].
    pub fn edited_cells(&self) -> usize {
        self.edits.len()
    }

    /// The cell after `from` on an optimal path to `to`: one look into the database, for agents that go
    /// one step at a time. None if they are the same, blocked or off the map, if there is no path, or
    /// if the map has been edited since the database was made; then [`Planner::find`] tells.
    pub fn next(&self, from: Cell, to: Cell) -> Option<Cell> {
        let number = |cell| {
            let position = self.edits.position(cell)?;
            Some(self.order.numbers[position as usize]).filter(known)
        };
        let (source, target) = (number(from)?, number(to)?);
        if source == target || self.edits.len() > 0 || !self.desk.connects(from, to) {
            return None;
        }
        let step = Direction(self.rows.first_move(source, target));
        let (x, y) = (from.x.wrapping_add_signed(step.dx()), from.y.wrapping_add_signed(step.dy()));
        Some(Cell::new(x, y))
    }

    /// How to answer, before the first step.
    fn first_mode(&self, grid: &Grid, task: &Task) -> Mode {
        let numbers = [task.start_cell, task.goal_cell].map(|cell| {
            let position = grid.rows().position(cell.x, cell.y);
            self.order.numbers[position as usize]
        });
        if numbers.iter().all(known) { Mode::Walk } else { Mode::Plain }
    }

    /// How to go on when the stored path cannot be walked.
    fn second_mode(&self) -> Mode {
        if self.edits.open().is_empty() { Mode::Informed } else { Mode::Plain }
    }

    /// Whether a path of a cost is not undercut by one past a freed cell.
    fn stands(&self, grid: &Grid, task: &Task, length: (u64, u64)) -> bool {
        if self.edits.open().is_empty() {
            return true;
        }
        let moves = self.desk.moves();
        let tariff = Tariff::<u64>::new(grid, moves);
        let cost = length.0 * tariff.straight + length.1 * tariff.diagonal;
        // A new diagonal beside the freed cell is the only way past it that does not enter it; both
        // its ends are one straight step away from it.
        let saved = (2 * tariff.straight).saturating_sub(tariff.diagonal);
        let heuristic = Heuristic::default_for(moves);
        let [from, to] = [task.start_cell, task.goal_cell]
            .map(|cell| Estimator::new(heuristic, &tariff, (cell.x, cell.y)));
        self.edits.open().iter().all(|&position| {
            let (x, y) = grid.rows().coordinates(position);
            from.estimate(x, y) + to.estimate(x, y) >= cost + saved
        })
    }

    /// Goes along the stored moves. Nothing if that is no answer.
    fn walk(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        meter: &mut Meter,
    ) -> Option<Outcome> {
        let Scratch { first_moves: walk, stats, trace, .. } = scratch;
        let rows = grid.rows();
        let goal = rows.position(task.goal_cell.x, task.goal_cell.y);
        let target = self.order.numbers[goal as usize];
        let steps = step_table(self.desk.moves().rule());
        let edited = self.edits.len() > 0;
        let limit = task.query.expansion_limit().unwrap_or(u64::MAX);
        while walk.node != goal {
            if meter.is_spent() {
                return Some(Outcome::Paused);
            }
            if stats.expanded >= limit {
                return Some(Outcome::Limit);
            }
            meter.pay();
            stats.expanded += 1;
            if let Some(trace) = trace {
                let (x, y) = rows.coordinates(walk.node);
                let at = Cell::new(x, y).centre();
                let moves = self.desk.moves();
                let g = walk.length.0 as f64 + walk.length.1 as f64 * moves.diagonal().length();
                let f = g + Heuristic::default_for(moves).length(at, task.goal);
                trace.push(Event::Expanded { at, g, f });
            }
            let source = self.order.numbers[walk.node as usize];
            // A cycle, which no database has that was made by this library.
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
        if !self.stands(grid, task, walk.length) {
            return None;
        }
        walk.points.push(task.goal);
        Some(Outcome::Goal)
    }

    /// A* on the map as it is.
    fn search<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        mode: Mode,
        mut work: Work<'_, C>,
        known: &mut Frontier<C>,
        trail: &mut Vec<(u32, u8)>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let (start, goal) = (task.start_cell, task.goal_cell);
        let estimator = Estimator::new(Heuristic::default_for(moves), &tariff, (goal.x, goal.y));
        let cells = Cells::<C, false>::new(grid, moves, tariff, estimator);
        let rows = grid.rows();
        let [start, goal] = [start, goal].map(|cell| rows.position(cell.x, cell.y));
        let orders = Orders::new(grid, task, tariff, Priority::AStar, goal, true);
        let fresh = work.fresh;
        if fresh {
            work.frontier.begin(rows.positions(), tariff.usual_step());
        }
        if mode == Mode::Plain {
            if fresh {
                work.seed(&cells, &orders, start, C::ZERO);
            }
            return work.run(&cells, &orders);
        }
        if fresh {
            known.nodes.begin(rows.positions());
            known.nodes.set(goal, C::ZERO, ROOT);
        }
        let target = self.order.numbers[goal as usize];
        let memory = RefCell::new(Known { distances: &mut known.nodes, trail });
        let space = Informed { cells, database: self, target, tariff, memory };
        if fresh {
            work.seed(&space, &orders, start, C::ZERO);
        }
        work.run(&space, &orders)
    }
}

/// Steps from cell to cell with the stored distance as estimate.
struct Informed<'a, C: Cost> {
    cells: Cells<'a, C, false>,
    database: &'a PathDatabase,
    target: u32,
    tariff: Tariff<C>,
    memory: RefCell<Known<'a, C>>,
}

/// The distances that are known so far, and the nodes on the way to one.
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
        let PathDatabase { order, rows, offsets, .. } = self.database;
        // A freed cell that leads nowhere.
        if order.numbers[node as usize] == Order::NONE {
            return self.cells.estimate(node);
        }
        let mut at = node;
        trail.clear();
        while !known.is_reached(at) {
            if trail.len() > order.cells.len() {
                return self.cells.estimate(node); // a cycle: see above
            }
            let direction = rows.first_move(order.numbers[at as usize], self.target);
            trail.push((at, direction));
            at = at.wrapping_add_signed(offsets[direction as usize]);
        }
        let mut distance = known.g(at);
        for &(at, direction) in trail.iter().rev() {
            let diagonal = direction & 1 != 0;
            distance =
                distance + if diagonal { self.tariff.diagonal } else { self.tariff.straight };
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

/// Whether a number is that of a cell.
fn known(number: &u32) -> bool {
    *number != Order::NONE
}

fn refuse_others(grid: &Grid, moves: Moves) -> Result<(), Error> {
    if moves.rule().is_any_angle() {
        return Err(Error::Unsupported {
            planner: NAME,
            what: format!("the movement rule `{}`", moves.rule().name()),
            remedy: "it supports four, eight, eight-cut-one, eight-cut-any".into(),
        });
    }
    if grid.has_costs() { Err(Error::no_terrain(NAME, moves)) } else { Ok(()) }
}

/// What is needed besides the rows, while building.
fn fixed_bytes(grid: &Grid, order: &Order) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let positions = grid.rows().positions();
    order.bytes() + positions + threads * (positions * 8 + order.cells.len() * 4)
}

impl Planner for PathDatabase {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        // Behind the rest of the planner only if an update has failed.
        if self.edits.version() != grid.version() {
            let (known, now) = (self.edits.version(), grid.version());
            return Err(Error::Stale { who: "the planner", known, now });
        }
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::new(budget);
        if !task.started {
            let walk = &mut scratch.first_moves;
            walk.mode = self.first_mode(grid, &task);
            walk.node = grid.rows().position(task.start_cell.x, task.start_cell.y);
            (walk.direction, walk.steps, walk.length) = (ROOT, 0, (0, 0));
            walk.points.clear();
            task.started = walk.mode == Mode::Walk;
        }
        let mut outcome = Outcome::Overflow;
        if scratch.first_moves.mode == Mode::Walk {
            match self.walk(grid, &task, scratch, &mut meter) {
                Some(answer) => outcome = answer,
                None => {
                    scratch.first_moves.mode = self.second_mode();
                    task.started = false;
                }
            }
            if outcome == Outcome::Goal {
                let Scratch { first_moves: walk, path, .. } = &mut *scratch;
                walk.points.iter().for_each(|&point| path.push(point));
            }
        }
        // Again only with wide costs.
        while scratch.first_moves.mode != Mode::Walk && outcome == Outcome::Overflow {
            let mode = scratch.first_moves.mode;
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch {
                narrow,
                wide,
                narrow_back,
                wide_back,
                first_moves: walk,
                stats,
                trace,
                path,
                ..
            } = &mut *scratch;
            let meter = &mut meter;
            outcome = if task.wide {
                let work = Work { fresh, frontier: wide, meter, stats, trace, path };
                self.search(grid, &task, mode, work, wide_back, &mut walk.trail)
            } else {
                let work = Work { fresh, frontier: narrow, meter, stats, trace, path };
                self.search(grid, &task, mode, work, narrow_back, &mut walk.trail)
            };
            if outcome == Outcome::Overflow {
                (task.wide, task.started) = (true, false);
                scratch.start_over();
            }
        }
        let success = task.success;
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    /// Notes which cells differ from the map that the database was made for; see the notes on
    /// [`PathDatabase`]. Only a grid of another size has it made anew.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        if !self.edits.fits(grid) {
            return self.rebuild(grid, &|_, _| ()).map(|()| Default::default());
        }
        self.desk.update(grid);
        self.edits.update(grid);
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.save())
    }

    fn memory_usage(&self) -> Memory {
        self.desk
            .memory()
            .with("first moves", self.rows.bytes())
            .with("order", self.order.bytes())
            .with("edits", self.edits.bytes())
    }
}
