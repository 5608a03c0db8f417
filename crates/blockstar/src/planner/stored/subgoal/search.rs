//! The search over the graph: the [best-first loop](crate::engine::best_first) with the start and
//! the goal joined to the graph by scans.
//!
//! Only taut turns are [considered](super::graph::continuations), which leaves about a sixth of the
//! edges. Estimates are the octile distance or what the [lanes](super::lanes) know, whichever is
//! more.

use super::corners::Ground;
use super::graph::{Graph, continuations};
use super::lanes::{Bounds, Lanes};
use super::scan;
use crate::engine::SearchMemory;
use crate::engine::best_first::Space;
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::{Cell, Heuristic, Point};

/// How start and goal are joined to the graph.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The numbers of start and goal: those of subgoals, if they are, or else beyond.
    pub start: u32,
    pub goal: u32,
    /// From where one can go directly to the goal, other than by an edge, and at what cost.
    to_goal: Shortlist,
    bounds: Bounds,
    /// The generation of labels that the bounds are for.
    generation: u64,
    /// The direct way from start to goal, if there is one, and where it bends.
    direct: Option<Option<Point>>,
    /// Whether jump point search answers.
    pub passed_on: bool,
}

impl SearchMemory for Ends {
    fn bytes(&self) -> usize {
        self.to_goal.bytes()
    }
}

/// The space of subgoals.
pub(super) struct Roads<'a> {
    pub ground: &'a Ground,
    pub graph: &'a Graph,
    pub ends: &'a Ends,
    pub start: (u32, u32),
    pub goal: (u32, u32),
    pub estimator: Estimator<u32>,
}

impl Ends {
    /// Joins the ends of a query to the graph.
    pub fn join(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        lanes: &Lanes,
        start: (u32, u32),
        goal: (u32, u32),
    ) {
        let beyond = graph.nodes.len() as u32;
        self.start = graph.find(ground, start).unwrap_or(beyond);
        self.goal = graph.find(ground, goal).unwrap_or(beyond + 1);
        self.direct = if scan::is_free_way(ground, start, goal) {
            Some(bend(start, goal))
        } else {
            scan::is_free_way(ground, goal, start).then(|| bend(goal, start))
        };
        self.to_goal.clear();
        if self.direct.is_none() {
            self.measure(ground, graph, lanes, goal);
        } else {
            self.bounds = Bounds::SILENT;
        }
    }

    /// Looks from the goal.
    fn measure(&mut self, ground: &Ground, graph: &Graph, lanes: &Lanes, goal: (u32, u32)) {
        self.bounds = Bounds::OPEN;
        self.generation = lanes.generation;
        self.to_goal.clear();
        let corners = graph.nodes.get(self.goal as usize).map(|node| node.corners());
        if let Some(node) = graph.nodes.get(self.goal as usize) {
            self.bounds.add(&node.labels, 0);
        }
        scan::from_end(ground, goal, corners, |seen| {
            let (number, cost) = (graph.number(ground, seen.at), graph.units.cost(&seen));
            self.to_goal.put(number, cost);
            self.bounds.add(&graph.node(number).labels, cost);
        });
        self.bounds.mask(lanes.intact);
    }

    /// Looks again if the labels are no longer those that the search began with.
    pub fn keep_up(&mut self, ground: &Ground, graph: &Graph, lanes: &Lanes, goal: (u32, u32)) {
        if self.generation != lanes.generation && self.direct.is_none() {
            self.measure(ground, graph, lanes, goal);
        }
    }
}

impl<'a> Roads<'a> {
    pub fn new(
        (ground, graph): (&'a Ground, &'a Graph),
        ends: &'a Ends,
        step_costs: &StepCosts<u32>,
        [start, goal]: [(u32, u32); 2],
    ) -> Self {
        let estimator = Estimator::new(Heuristic::Octile, step_costs, goal);
        Self { ground, graph, ends, start, goal, estimator }
    }

    #[inline]
    fn cell(&self, node: u32) -> (u32, u32) {
        match self.graph.nodes.get(node as usize) {
            Some(node) => node.cell(),
            None if node == self.ends.start => self.start,
            None => self.goal,
        }
    }
}

impl Space<u32> for Roads<'_> {
    fn keeps_links(&self) -> bool {
        true
    }

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, u32, u8)) {
        let (graph, ends) = (self.graph, self.ends);
        let mut taut = 0xffff;
        if node == ends.start {
            if ends.direct.is_some() {
                reach(ends.goal, self.estimator.estimate(self.start.0, self.start.1), 0);
                return;
            }
            let corners = graph.nodes.get(node as usize).map(|node| node.corners());
            scan::from_end(self.ground, self.start, corners, |seen| {
                let number = graph.number(self.ground, seen.at);
                reach(number, graph.units.cost(&seen), seen.class);
            });
            if corners.is_none() {
                return;
            }
        } else {
            taut = continuations(tag, graph.node(node).corners());
        }
        for edge in graph.edges(graph.node(node)) {
            if taut >> edge.class() & 1 != 0 {
                reach(edge.target(), edge.cost, edge.class());
            }
        }
        if let Some(cost) = ends.to_goal.get(node) {
            reach(ends.goal, cost, 0);
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> u32 {
        if node == self.ends.goal {
            return 0;
        }
        match self.graph.nodes.get(node as usize) {
            Some(node) => {
                let (x, y) = node.cell();
                self.estimator.estimate(x, y).max(self.ends.bounds.estimate(&node.labels))
            }
            None => self.estimator.estimate(self.start.0, self.start.1),
        }
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.cell(node);
        Cell::new(x, y).centre()
    }

    fn bend(&self, from: u32, to: u32) -> Option<Point> {
        match self.ends.direct {
            Some(bend) => bend,
            None => bend(self.cell(from), self.cell(to)),
        }
    }
}

/// Where the way between two cells that are directly reachable from each other bends: first it is
/// diagonal, then straight.
fn bend(from: (u32, u32), to: (u32, u32)) -> Option<Point> {
    let (wide, tall) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    let steps = wide.min(tall);
    let towards = |from: u32, to: u32| if from < to { from + steps } else { from - steps };
    let bends = steps > 0 && wide != tall;
    bends.then(|| Cell::new(towards(from.0, to.0), towards(from.1, to.1)).centre())
}

/// A short list of numbers with their costs: a hash table with open addressing, small enough to stay
/// in the cache nearest to the processor, where a table by number would not.
#[derive(Debug, Default)]
struct Shortlist {
    /// Pairs of a number + 1, or 0, and a cost; a power of two of them, at most half in use.
    slots: Vec<(u32, u32)>,
    len: usize,
}

impl Shortlist {
    const LEAST: usize = 64;

    fn clear(&mut self) {
        if self.len > 0 || self.slots.is_empty() {
            self.len = 0;
            let room = self.slots.len().max(Self::LEAST);
            self.slots.clear();
            self.slots.resize(room, (0, 0));
        }
    }

    /// Where a number is, or would be.
    #[inline]
    fn place(&self, number: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (number.wrapping_mul(0x9e37_79b1) >> 16) as usize & mask;
        while self.slots[at].0 != 0 && self.slots[at].0 != number + 1 {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn get(&self, number: u32) -> Option<u32> {
        let (key, cost) = self.slots[self.place(number)];
        (key != 0).then_some(cost)
    }

    fn put(&mut self, number: u32, cost: u32) {
        if self.len * 2 >= self.slots.len() {
            let doubled = vec![(0, 0); self.slots.len() * 2];
            let before = std::mem::replace(&mut self.slots, doubled);
            for slot in before.into_iter().filter(|slot| slot.0 != 0) {
                let at = self.place(slot.0 - 1);
                self.slots[at] = slot;
            }
        }
        let at = self.place(number);
        self.len += usize::from(self.slots[at].0 == 0);
        self.slots[at] = (number + 1, cost);
    }

    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u32, u32)>()
    }
}
