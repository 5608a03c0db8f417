//! A plain quadtree: the nodes are the leaves themselves.
//!
//! S. Kambhampati & L. Davis, *Multiresolution path planning for mobile robots*, 1986, over H.
//! Samet's region quadtree: a way leads from the middle of a leaf to the middle of the next, over
//! the border they share. There are few nodes, but a way through large leaves makes detours to
//! their middles.
//!
//! Here the way between two middles crosses the border where that costs least, and the start and
//! the goal stand for their leaves' middles. Adjacent leaves are linked, also over corners where
//! the movement rule permits, so a path is found whenever there is one.

use super::ground::Ground;
use super::leaves::{Leaf, Leaves};
use crate::engine::best_first::Space;
use crate::engine::{Problem, SearchMemory};
use crate::rules::cost::Cost;
use crate::rules::heuristic::Estimator;
use crate::{Cell, Path, Point};

/// The leaves, and the ways between their middles.
pub(super) struct Middles<'a, C> {
    ground: Ground<'a, C>,
    start: Cell,
    goal: Cell,
    estimator: Estimator<C>,
}

/// The middles that a path passes.
#[derive(Debug, Default)]
pub(super) struct MiddleList(Vec<Cell>);

impl SearchMemory for MiddleList {
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Cell>()
    }
}

/// A way from one leaf to the next: over which two cells, and what it costs.
#[derive(Clone, Copy)]
struct Crossing<C> {
    cost: C,
    last: Cell,
    first: Cell,
}

impl<'a, C: Cost> Middles<'a, C> {
    pub fn new(problem: &Problem<'a>, leaves: &'a Leaves) -> Self {
        let (ground, goal) = (Ground::new(problem, leaves), problem.goal_cell());
        let estimator = Estimator::new(problem.heuristic(), &ground.step_costs, (goal.x, goal.y));
        Self { ground, start: problem.start_cell(), goal, estimator }
    }

    /// The node of the leaf that a cell lies in.
    pub fn node_around(&self, cell: Cell) -> u32 {
        self.ground.node(self.ground.leaves.around(cell).name())
    }

    /// Where a way through a leaf passes: in its middle, or at the start or the goal.
    fn middle(&self, leaf: Leaf) -> Cell {
        let ends = [self.start, self.goal];
        ends.into_iter().find(|end| leaf.contains(*end)).unwrap_or(leaf.centre())
    }

    /// Calls `link` with each leaf next to one, and the way between their middles.
    fn for_each_neighbour(&self, leaf: Leaf, mut link: impl FnMut(Leaf, Crossing<C>)) {
        let (ground, middle, side) = (&self.ground, self.middle(leaf), leaf.side);
        let last = side - 1;
        // Along each side: what lies outside of it, and the cells inside next to that.
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let upright = dx != 0;
            let inside = |i: u32| match (dx, dy) {
                (1, _) => Cell::new(leaf.x + last, leaf.y + i),
                (-1, _) => Cell::new(leaf.x, leaf.y + i),
                (_, 1) => Cell::new(leaf.x + i, leaf.y + last),
                _ => Cell::new(leaf.x + i, leaf.y),
            };
            let outside = |i: u32| {
                let cell = inside(i);
                Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
            };
            let mut i = 0;
            while i < side {
                if !ground.grid.is_free(outside(i)) {
                    i += 1;
                    continue;
                }
                let next = ground.leaves.around(outside(i));
                let end = (i + next.side).min(side);
                let to = self.middle(next);
                let best = match end - i {
                    // Most leaves are small: by the walls.
                    1 => Some(self.cross((middle, to), inside(i), outside(i))),
                    _ => {
                        let place = |cell: Cell| match upright {
                            true => (cell.y, leaf.y, cell.x.abs_diff(inside(i).x)),
                            false => (cell.x, leaf.x, cell.y.abs_diff(inside(i).y)),
                        };
                        // The cost is convex along the border: the least is at one of its bends.
                        let bends = [middle, to].into_iter().flat_map(|cell| {
                            let (at, low, by) = place(cell);
                            let by = if cell == to { by.saturating_sub(1) } else { by };
                            let (at, by) = (i64::from(at) - i64::from(low), i64::from(by));
                            [at, at - by, at + by]
                        });
                        let bends = bends.map(|at| at.clamp(i.into(), i64::from(end) - 1) as u32);
                        bends
                            .map(|at| self.cross((middle, to), inside(at), outside(at)))
                            .min_by_key(|crossing| crossing.cost)
                    }
                };
                best.into_iter().for_each(|best| link(next, best));
                i = end;
            }
        }
        let corners = [(0, 0), (last, 0), (0, last), (last, last)];
        for (index, (x, y)) in corners.into_iter().enumerate() {
            let corner = Cell::new(leaf.x + x, leaf.y + y);
            // A leaf of one cell has four corners, but each way out once.
            let (right, down) = (index % 2 == 1, index / 2 == 1);
            let diagonal = |to: &Cell| (to.x > corner.x, to.y > corner.y) == (right, down);
            for to in ground.exits(leaf, corner) {
                if to.x != corner.x && to.y != corner.y && diagonal(&to) {
                    let next = ground.leaves.around(to);
                    link(next, self.cross((middle, self.middle(next)), corner, to));
                }
            }
        }
    }

    fn cross(&self, (from, to): (Cell, Cell), last: Cell, first: Cell) -> Crossing<C> {
        let ground = &self.ground;
        let cost = ground.inside(from, last) + ground.step(last, first) + ground.inside(first, to);
        Crossing { cost, last, first }
    }

    /// Turns a path through middles into one of steps.
    pub fn spell_out(&self, path: &mut Path, MiddleList(middles): &mut MiddleList) {
        middles.clear();
        middles.extend(path.points().iter().map(|point| point.cell()));
        path.points_mut().clear();
        let mut add = |from: Cell, to: Cell| {
            self.ground.bend(from, to).into_iter().for_each(|bend| path.push(bend.centre()));
            path.push(to.centre());
        };
        middles.first().into_iter().for_each(|&first| add(first, first));
        for pair in middles.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|cell| self.ground.leaves.around(cell));
            let mut best: Option<Crossing<C>> = None;
            self.for_each_neighbour(from, |next, crossing| {
                if next == to && best.is_none_or(|best| crossing.cost < best.cost) {
                    best = Some(crossing);
                }
            });
            if let Some(Crossing { last, first, .. }) = best {
                add(pair[0], last);
                add(last, first);
                add(first, pair[1]);
            } else {
                // Start and goal are in the same leaf.
                add(pair[0], pair[1]);
            }
        }
    }
}

impl<C: Cost> Space<C> for Middles<'_, C> {
    fn keeps_links(&self) -> bool {
        true
    }

    fn expand(&self, node: u32, _: u8, mut reach: impl FnMut(u32, C, u8)) {
        let leaf = self.ground.leaves.around(self.ground.cell(node));
        self.for_each_neighbour(leaf, |next, crossing| {
            reach(self.ground.node(next.name()), crossing.cost, 0);
        });
    }

    fn estimate(&self, node: u32) -> C {
        let middle = self.middle(self.ground.leaves.around(self.ground.cell(node)));
        self.estimator.estimate(middle.x, middle.y)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        self.middle(self.ground.leaves.around(self.ground.cell(node))).centre()
    }
}
