//! Quadtrees: a map as squares of free cells, as large as possible, and two ways of searching them.
//!
//! The squares ([`leaves`]) are prepared, and repaired after an edit by looking at one square of each
//! size. [`plain`] searches the squares, [`framed`] the cells along their borders.
//!
//! Slopes are refused: heights differ from cell to cell, so a leaf would be a cell.

mod framed;
mod ground;
mod leaves;
mod plain;

use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::frontier::Frontier;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice, Update, by_width,
};
use crate::registry::{PlannerSpec, Prepared, kind, parameters, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::{Algorithm, Error, Grid, Memory, Moves, Promise};
use framed::Frames;
use leaves::Leaves;
use plain::{MiddleList, Middles};

/// What the two rows have in common.
const BASE: Algorithm =
    Algorithm { terrain: true, scans: true, parameters: &[LEAF], ..Algorithm::BASE };

pub(crate) const PLAIN: Algorithm = Algorithm {
    name: "quadtree",
    summary: "A* over the middles of a quadtree's leaves: few nodes, longer paths",
    source: "Kambhampati & Davis 1986",
    make: |choice, grid, moves| {
        Ok(Driver::boxed(Quadtree::new(Kind::Plain, choice, grid), grid, moves))
    },
    ..BASE
};

pub(crate) const FRAMED: Algorithm = Algorithm {
    name: "framed-quadtree",
    summary: "A* over the cells along the borders of a quadtree's leaves: optimal between cells",
    source: "Yahja, Stentz, Singh & Brumitt 1998",
    promise: Promise::Optimal,
    make: |choice, grid, moves| {
        Ok(Driver::boxed(Quadtree::new(Kind::Framed, choice, grid), grid, moves))
    },
    ..BASE
};

settings! { kind::Quadtree:
    /// The most cells a side of a leaf, by default 16384; the next lower power of two counts.
    leaf(side: u32) = "leaf", side;
}

settings! { kind::FramedQuadtree:
    /// The most cells a side of a leaf, by default 16384; the next lower power of two counts.
    leaf(side: u32) = "leaf", side;
}

parameters! {
    LEAF = "leaf", "1-16384", "16384",
        "the most cells a side of a leaf; the next lower power of two counts";
}

impl Prepared<kind::Quadtree> {
    /// The number of leaves that the free cells make up.
    pub fn leaves(&self, grid: &Grid) -> usize {
        self.inner::<Driver<Quadtree>>().method().leaves.count(grid)
    }
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Framed,
}

#[derive(Clone, Debug)]
struct Quadtree {
    kind: Kind,
    largest: u32,
    leaves: Leaves,
}

impl Quadtree {
    fn new(kind: Kind, choice: &PlannerSpec, grid: &Grid) -> Self {
        let largest = choice.number("leaf");
        Self { kind, largest, leaves: Leaves::new(grid, largest) }
    }

    fn search_on<C: Cost>(
        &self,
        problem: &Problem,
        slice: &mut Slice,
        pool: &mut MemoryPool,
    ) -> Outcome {
        let (frontier, list) = pool.get_two::<Frontier<C>, MiddleList>();
        if self.kind == Kind::Framed {
            let space = Frames::<C>::new(problem, &self.leaves);
            return run(
                &space,
                problem,
                (problem.start_node(), problem.goal_node()),
                slice,
                frontier,
            );
        }
        let space = Middles::<C>::new(problem, &self.leaves);
        let [start, goal] =
            [problem.start_cell(), problem.goal_cell()].map(|cell| space.node_around(cell));
        let outcome = match start == goal {
            true => {
                slice.write_path([problem.start(), problem.goal()]);
                Outcome::Goal
            }
            false => run(&space, problem, (start, goal), slice, frontier),
        };
        if outcome == Outcome::Goal {
            space.spell_out(slice.path, list);
        }
        outcome
    }
}

fn run<C: Cost, S: Space<C>>(
    space: &S,
    problem: &Problem<'_>,
    (start, goal): (u32, u32),
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<C>,
) -> Outcome {
    let step_costs = StepCosts::<C>::new(problem.grid, problem.moves);
    let orders = Orders::new(problem, step_costs, Priority::AStar, problem.heuristic(), goal);
    if slice.is_fresh() {
        frontier.begin(problem.grid.rows().positions(), step_costs.usual_step());
        frontier.seed(space, &orders, start, C::ZERO);
    }
    best_first::search(space, &orders, frontier, slice)
}

impl Method for Quadtree {
    /// An expansion looks at a whole border.
    fn row(&self) -> &'static Algorithm {
        if self.kind == Kind::Plain { &PLAIN } else { &FRAMED }
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        problem.grid.has_costs()
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(by_width!(problem, C => self.search_on::<C>(problem, slice, pool)))
    }

    fn update(&mut self, grid: &Grid, _: Moves, changes: &Changes) -> Result<Update, Error> {
        match changes.rects() {
            Some(rects) => rects.for_each(|rect| self.leaves.repair(grid, rect)),
            None => self.leaves = Leaves::new(grid, self.largest),
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory.with("leaves", self.leaves.bytes())
    }
}
