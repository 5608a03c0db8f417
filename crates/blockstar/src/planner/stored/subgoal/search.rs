//! The search over the graph: the [best-first loop](crate::engine::best_first) with the start and
//! the goal joined to the graph by scans.
//!
//! Only taut turns are [considered](super::graph::continuations), which leaves about a sixth of the
//! edges. Estimates are the octile distance or what the [lanes](super::lanes) know, whichever is
//! more.

use super::corners::Ground;
use super::graph::{Edge, Graph, continuations};
use super::lanes::{Bounds, Lanes};
use super::scan;
use crate::engine::SearchMemory;
use crate::engine::best_first::Space;
use crate::planner::cell::in_sight;
use crate::rules::cost::StepCosts;
use crate::{Cell, Point};

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
    /// What is directly reachable from the start, by edges or otherwise.
    from_start: Vec<Edge>,
    /// Whether jump point search answers.
    pub passed_on: bool,
}

impl SearchMemory for Ends {
    fn bytes(&self) -> usize {
        self.to_goal.bytes() + self.from_start.capacity() * size_of::<Edge>()
    }
}

/// The space of subgoals.
pub(super) struct Roads<'a> {
    pub graph: &'a Graph,
    pub lanes: &'a Lanes,
    pub ends: &'a Ends,
    start: (u32, u32),
    goal: (u32, u32),
    /// What a straight step costs, and how much more a diagonal one does.
    straight: u32,
    extra: u32,
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
        self.from_start.clear();
        let node = graph.nodes.get(self.start as usize);
        self.from_start.extend(node.into_iter().flat_map(|node| graph.edges(node)));
        scan::from_end(ground, start, node.map(|node| node.corners()), |seen| {
            self.from_start.push(graph.edge(ground, &seen));
        });
        self.measure(ground, graph, lanes, goal);
    }

    /// Looks from the goal.
    fn measure(&mut self, ground: &Ground, graph: &Graph, lanes: &Lanes, goal: (u32, u32)) {
        self.bounds = Bounds::OPEN;
        self.generation = lanes.generation;
        self.to_goal.clear();
        let corners = graph.nodes.get(self.goal as usize).map(|node| node.corners());
        if let Some(line) = lanes.labels.get(self.goal as usize) {
            self.bounds.add(&line.0, 0);
        }
        scan::from_end(ground, goal, corners, |seen| {
            let (number, cost) = (graph.number(ground, seen.at), graph.units.cost(&seen));
            self.to_goal.put(number, cost);
            self.bounds.add(lanes.labels(number), cost);
        });
        self.bounds.cut(&lanes.cuts);
    }

    /// What is directly reachable from the start.
    pub fn departures(&self) -> &[Edge] {
        &self.from_start
    }

    /// What it costs to go from a subgoal directly to the goal, other than by an edge.
    #[inline]
    pub fn to_goal(&self, number: u32) -> Option<u32> {
        self.to_goal.get(number)
    }

    /// Calls `visit` with the numbers of start and goal and of what they are joined to.
    pub fn each_joined(&self, mut visit: impl FnMut(u32)) {
        let from_start = self.from_start.iter().map(|edge| edge.target());
        let ends = [self.start, self.goal].into_iter();
        ends.chain(from_start).chain(self.to_goal.numbers()).for_each(&mut visit);
    }

    /// Looks again if the labels are no longer those that the search began with.
    pub fn keep_up(&mut self, ground: &Ground, graph: &Graph, lanes: &Lanes, goal: (u32, u32)) {
        if self.generation != lanes.generation {
            self.measure(ground, graph, lanes, goal);
        }
    }
}

impl<'a> Roads<'a> {
    pub fn new(
        graph: &'a Graph,
        lanes: &'a Lanes,
        ends: &'a Ends,
        step_costs: &StepCosts<u32>,
        [start, goal]: [(u32, u32); 2],
    ) -> Self {
        let StepCosts { straight, diagonal, .. } = *step_costs;
        Self { graph, lanes, ends, start, goal, straight, extra: diagonal - straight }
    }

    /// What it would cost to get from a cell to the goal on an empty map.
    #[inline]
    fn octile(&self, (x, y): (u32, u32)) -> u32 {
        let (wide, tall) = (x.abs_diff(self.goal.0), y.abs_diff(self.goal.1));
        wide.max(tall) * self.straight + wide.min(tall) * self.extra
    }

    /// What the lanes say about the distance from a node to the goal.
    #[inline]
    pub fn label_estimate(&self, node: u32) -> u32 {
        match self.lanes.labels.get(node as usize) {
            Some(line) if node != self.ends.goal => self.ends.bounds.estimate(&line.0),
            _ => 0,
        }
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
        let (list, taut) = if node == ends.start {
            (&ends.from_start[..], 0xffff)
        } else {
            let node = graph.node(node);
            (graph.edges(node), continuations(tag, node.corners()))
        };
        let last = ends.to_goal.get(node).map(|cost| Edge::new(ends.goal, 0, cost));
        let taut = list.iter().copied().filter(|edge| taut >> edge.class() & 1 != 0);
        // One loop with one call, which is inlined then.
        for edge in taut.chain(last) {
            reach(edge.target(), edge.cost, edge.class());
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> u32 {
        if node == self.ends.goal {
            return 0;
        }
        match self.graph.nodes.get(node as usize) {
            Some(subgoal) => {
                let by_lanes = self.ends.bounds.estimate(self.lanes.labels(node));
                self.octile(subgoal.cell()).max(by_lanes)
            }
            None => self.octile(self.start),
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
        in_sight::bend(self.cell(from).into(), self.cell(to).into())
    }
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

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().filter(|slot| slot.0 != 0).map(|slot| slot.0 - 1)
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
