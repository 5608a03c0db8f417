//! A planner of your own, written outside the library: A* that keeps away from walls.
//!
//! It prepares something (how far each cell is from the nearest wall), repairs that after edits,
//! keeps its search memory in the scratch, and works wherever planners work: in slices, in a batch
//! over threads, on a map that changes. [`Roomy`] is all that it has to do itself; the driver takes
//! care of bad queries, unreachable goals, limits, statuses and versions.
//!
//! Run with `cargo run --release -p blockstar --example own_planner`.

use blockstar::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice, Update,
};
use blockstar::{
    Algorithm, Batch, Budget, Cell, Error, Event, Grid, Memory, Moves, Planner, Query, Rect,
    Scratch, Status, Tile, generate,
};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

static ROW: Algorithm = Algorithm::outside("roomy", "A* that keeps away from walls");

/// Walls farther away than this do not matter.
const REACH: u32 = 3;

/// The extra cost of a step on a cell, by its distance from the nearest wall.
const FACTORS: [f64; REACH as usize + 1] = [1.0, 3.0, 1.5, 1.1];

/// The algorithm with its prepared data.
#[derive(Clone, Debug)]
struct Roomy {
    width: u32,
    /// For each cell, the distance to the nearest wall in king's moves, 0 if there is none within
    /// reach.
    clearance: Vec<u8>,
}

impl Roomy {
    fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut roomy = Self { width, clearance: vec![0; (width * height) as usize] };
        roomy.measure(grid, Rect::new(0, 0, width, height));
        roomy
    }

    /// Measures the cells in and around a rectangle again.
    fn measure(&mut self, grid: &Grid, rect: Rect) {
        let right = (rect.x + rect.width + REACH).min(grid.width());
        let bottom = (rect.y + rect.height + REACH).min(grid.height());
        for y in rect.y.saturating_sub(REACH)..bottom {
            for x in rect.x.saturating_sub(REACH)..right {
                let ring = (1..=REACH).find(|&radius| has_wall(grid, x, y, radius));
                let cell = self.index(Cell::new(x, y));
                self.clearance[cell] = ring.unwrap_or(0) as u8;
            }
        }
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.y * self.width + cell.x) as usize
    }

    fn factor(&self, cell: Cell) -> f64 {
        FACTORS[self.clearance[self.index(cell)] as usize]
    }
}

/// Whether a cell within `radius` king's moves is blocked. The border of the map is not a wall.
fn has_wall(grid: &Grid, x: u32, y: u32, radius: u32) -> bool {
    let span = |at: u32, end: u32| at.saturating_sub(radius)..(at + radius + 1).min(end);
    let mut cells =
        span(y, grid.height()).flat_map(|y| span(x, grid.width()).map(move |x| Cell::new(x, y)));
    cells.any(|cell| !grid.is_free(cell))
}

/// The search memory: kept in the scratch from query to query.
#[derive(Debug, Default)]
struct RoomyMemory {
    /// Total, number of the entry (older entries first among equals) and cell.
    open: BinaryHeap<Reverse<(Total, u64, Cell)>>,
    entries: u64,
    /// The cost of each cell and where it was reached from.
    reached: Vec<Option<(f64, Cell)>>,
}

/// A cost as a key: never NaN, so the order is total.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Total(f64);

impl Eq for Total {}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Total {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl SearchMemory for RoomyMemory {
    fn bytes(&self) -> usize {
        self.open.capacity() * size_of::<Reverse<(Total, u64, Cell)>>()
            + self.reached.capacity() * size_of::<Option<(f64, Cell)>>()
    }
}

impl RoomyMemory {
    fn push(&mut self, total: f64, cell: Cell) {
        self.entries += 1;
        self.open.push(Reverse((Total(total), self.entries, cell)));
    }
}

impl Method for Roomy {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let memory = pool.get::<RoomyMemory>();
        let goal = problem.goal_cell();
        // Steps cost at least their length, so a straight line never overestimates.
        let estimate = |cell: Cell| cell.centre().distance(goal.centre());
        if slice.is_fresh() {
            let start = problem.start_cell();
            memory.open.clear();
            memory.entries = 0;
            memory.reached.clear();
            memory.reached.resize(self.clearance.len(), None);
            memory.reached[self.index(start)] = Some((0.0, start));
            memory.push(estimate(start), start);
        }
        loop {
            if slice.is_spent() {
                return Ok(Outcome::Paused);
            }
            let Some(Reverse((Total(total), _, cell))) = memory.open.pop() else {
                return Ok(Outcome::Exhausted);
            };
            let Some((g, _)) = memory.reached[self.index(cell)] else { continue };
            if total > g + estimate(cell) {
                continue; // an entry from before the cell was improved
            }
            if cell == goal {
                break;
            }
            if slice.stats().expanded >= problem.max_expansions() {
                return Ok(Outcome::Limit);
            }
            slice.expand();
            slice.record(|| Event::Expanded { at: cell.centre(), from: None, g, f: total });
            for (next, length) in problem.steps(cell) {
                let g = g + length * self.factor(next);
                if memory.reached[self.index(next)].is_none_or(|(known, _)| g < known) {
                    memory.reached[self.index(next)] = Some((g, cell));
                    memory.push(g + estimate(next), next);
                }
            }
        }
        let before = |cell: &Cell| memory.reached[self.index(*cell)].map(|(_, from)| from);
        let mut cells: Vec<_> =
            std::iter::successors(Some(goal), |cell| before(cell).filter(|from| from != cell))
                .collect();
        cells.reverse();
        slice.write_path(cells);
        Ok(Outcome::Goal)
    }

    fn update(&mut self, grid: &Grid, _: Moves, changes: &Changes<'_>) -> Result<Update, Error> {
        match changes.rects() {
            Some(rects) => rects.for_each(|rect| self.measure(grid, rect)),
            None => *self = Self::new(grid),
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("clearance", self.clearance.len())
    }
}

/// Runs it; also called by the tests.
pub fn main() -> Result<(), Error> {
    let mut grid = generate::rooms(96, 64, 9, 5)?;
    let mut planner = Driver::new(Roomy::new(&grid), &grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    let queries: Vec<_> = generate::queries(&grid, 100, 3)
        .into_iter()
        .map(|(start, goal)| Query::new(start, goal).nearest())
        .collect();

    // In slices of five expansions, and in one go: the same path.
    planner.find(&grid, &queries[0], &mut scratch)?;
    let whole = scratch.path().clone();
    planner.begin(&grid, &queries[0], &mut scratch)?;
    let mut slices = 1;
    while planner.resume(&grid, &mut scratch, Budget::expansions(5))? == Status::Working {
        slices += 1;
    }
    assert_eq!(scratch.path(), &whole, "slicing changes nothing");
    println!("a path of {:.1} in {slices} slices", whole.cost());

    // A hundred queries over threads.
    let answers = Batch::with_threads(2).find_all(&planner, &grid, &queries);
    for (query, answer) in queries.iter().zip(answers) {
        let answer = answer?;
        assert_eq!(planner.find(&grid, query, &mut scratch)?, answer.status);
        assert_eq!(scratch.path(), &answer.path);
        answer.path.check(&grid, Moves::EIGHT).expect("a legal path");
    }

    // A wall appears across the path. A planner that missed it says so; an updated one equals a new
    // one.
    let middle = whole.cells().nth(whole.cells().count() / 2).unwrap_or_default();
    grid.set(middle, Tile::Blocked)?;
    let missed = planner.find(&grid, &queries[0], &mut scratch);
    assert!(matches!(missed, Err(Error::Stale { .. })));
    planner.update(&grid)?;
    let fresh = Driver::new(Roomy::new(&grid), &grid, Moves::EIGHT);
    for query in &queries {
        let status = planner.find(&grid, query, &mut scratch)?;
        let path = scratch.take_path();
        assert_eq!(fresh.find(&grid, query, &mut scratch)?, status);
        assert_eq!(scratch.path(), &path, "updated equals fresh");
    }
    println!("repaired after an edit; {} bytes of search memory", scratch.memory_usage());
    Ok(())
}
