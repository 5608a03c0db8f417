//! A framed quadtree: the nodes are the cells along the borders of leaves.
//!
//! A. Yahja, A. Stentz, S. Singh & B. Brumitt, *Framed-Quadtree Path Planning for Mobile Robots
//! Operating in Sparse Environments*, 1998: each leaf of a quadtree gets a frame of the smallest cells
//! along its border; a way crosses a leaf from any cell of its frame to any other in a straight line.
//! So it need not pass through the middles of leaves, and few nodes are left where the map is empty.
//!
//! Between cells with eight moves this loses nothing at all: whatever part of a shortest path lies
//! in a leaf begins and ends on its frame, and is no shorter than the octile way across the leaf,
//! which has no obstacles. (The paper's ways are straight lines between frame cells and therefore
//! nearly, but not quite, the shortest.) So this planner is optimal, under all rules between cells,
//! and on terrain, where the cells of a leaf cost the same.
//!
//! A cell that was reached across its leaf is not expanded across the leaf again: the other cells
//! were reached from where the leaf was entered, at no higher cost. Only cells that a step leads
//! out from are worth reaching. What is left is still many edges, up to four times the side of a
//! leaf from each cell that it is entered by: fewer expansions than A* on the grid, but more time.

use super::ground::Ground;
use super::leaves::Leaves;
use crate::engine::Problem;
use crate::engine::best_first::Space;
use crate::rules::cost::Cost;
use crate::rules::heuristic::Estimator;
use crate::{Cell, Point};

/// The cells on the frames of leaves, and the ways between them.
pub(super) struct Frames<'a, C> {
    ground: Ground<'a, C>,
    goal: Cell,
    estimator: Estimator<C>,
}

/// The tag of a cell that was reached by a step out of another leaf.
const ENTERED: u8 = 0;
/// The tag of a cell that was reached across its leaf.
const CROSSED: u8 = 1;

impl<'a, C: Cost> Frames<'a, C> {
    pub fn new(problem: &Problem<'a>, leaves: &'a Leaves) -> Self {
        let (ground, goal) = (Ground::new(problem, leaves), problem.goal_cell());
        let estimator = Estimator::new(problem.heuristic(), &ground.step_costs, (goal.x, goal.y));
        Self { ground, goal, estimator }
    }
}

impl<C: Cost> Space<C> for Frames<'_, C> {
    fn keeps_links(&self) -> bool {
        true
    }

    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        let (ground, from) = (&self.ground, self.ground.cell(node));
        let leaf = ground.leaves.around(from);
        for to in ground.exits(leaf, from) {
            reach(ground.node(to), ground.step(from, to), ENTERED);
        }
        if tag == CROSSED {
            return;
        }
        if leaf.contains(self.goal) {
            reach(ground.node(self.goal), ground.inside(from, self.goal), CROSSED);
        }
        for to in leaf.frame().filter(|to| *to != from) {
            if ground.exits(leaf, to).next().is_some() {
                reach(ground.node(to), ground.inside(from, to), CROSSED);
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        let cell = self.ground.cell(node);
        self.estimator.estimate(cell.x, cell.y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        self.ground.cell(node).centre()
    }

    fn bend(&self, from: u32, to: u32) -> Option<Point> {
        let bend = self.ground.bend(self.ground.cell(from), self.ground.cell(to));
        bend.map(Cell::centre)
    }
}
