//! The search with the overlay.

use super::{Hops, NEVER, Origin, Overlay};
use crate::Point;
use crate::engine::SearchMemory;
use crate::engine::best_first::Space;
use crate::planner::stored::subgoal::graph::{Edge, Graph, continuations};
use crate::planner::stored::subgoal::search::{Ends, Roads};
use std::hint::black_box;

/// Start and goal must be this many of the smallest sectors apart, in one direction, for a search to
/// use the overlay.
const APART: u32 = 2;

/// Which sectors a search may pass by shortcuts.
#[derive(Debug, Default)]
pub(in super::super) struct Passage {
    /// By sector: the search, by its stamp, that may not.
    closed: Vec<u32>,
    stamp: u32,
    /// Sectors made after this are none to it.
    clock: u32,
    /// Whether the overlay is used.
    pub in_use: bool,
}

impl SearchMemory for Passage {
    fn bytes(&self) -> usize {
        self.closed.capacity() * 4
    }
}

impl Passage {
    /// Decides whether the overlay is worth using between two cells.
    pub fn choose(&mut self, overlay: &Overlay, [start, goal]: [(u32, u32); 2]) {
        let apart = start.0.abs_diff(goal.0).max(start.1.abs_diff(goal.1));
        let smallest = overlay.levels.first();
        self.in_use = smallest.is_some_and(|level| apart >= APART << level.shift);
    }

    /// Begins a search between these ends: all that they are joined to might be left out.
    pub fn begin(&mut self, overlay: &Overlay, graph: &Graph, ends: &Ends) {
        if self.closed.len() < overlay.made.len() || self.stamp == u32::MAX {
            self.closed.clear();
            self.closed.resize(overlay.made.len(), 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.clock = overlay.clock;
        ends.each_joined(|number| {
            if let Some(node) = graph.nodes.get(number as usize) {
                for level in &overlay.levels {
                    self.closed[level.sector(node.cell()) as usize] = self.stamp;
                }
            }
        });
    }
}

/// The space of subgoals, with shortcuts.
pub(in super::super) struct Highways<'a> {
    pub roads: Roads<'a>,
    pub overlay: &'a Overlay,
    pub passage: &'a Passage,
    /// Whether there are lanes enough to estimate by them alone.
    pub by_lanes: bool,
}

impl Highways<'_> {
    /// The level of shortcuts to take from a subgoal.
    #[inline]
    fn level(&self, number: u32) -> Option<usize> {
        let (overlay, passage) = (self.overlay, self.passage);
        let cell = self.roads.graph.nodes.get(number as usize)?.cell();
        overlay.levels.iter().rposition(|level| {
            let sector = level.sector(cell) as usize;
            let made = overlay.made[sector];
            made != NEVER && made <= passage.clock && passage.closed[sector] != passage.stamp
        })
    }
}

impl Space<u32> for Highways<'_> {
    fn keeps_links(&self) -> bool {
        true
    }

    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, u32, u8)) {
        let (graph, ends) = (self.roads.graph, self.roads.ends);
        let (hops, taut) = if node == ends.start {
            (Hops::Edges(ends.departures()), 0xffff)
        } else {
            let hops = self.overlay.hops(graph, node, self.level(node));
            (hops, continuations(tag, graph.node(node).corners()))
        };
        let last = ends.to_goal(node).map(|cost| Edge::new(ends.goal, 0, cost).into());
        let taut = hops.iter().filter(|hop| taut >> hop.first & 1 != 0);
        // Memory is slow, but brings many lines at once to a processor that asks for all before it
        // looks at one: caves of 4096 x 4096 cells took a seventh less time in one comparison.
        let lines = taut.clone().filter_map(|hop| self.roads.lanes.labels.get(hop.target as usize));
        black_box(lines.fold(0, |sum, line| sum ^ line.0[0]));
        for hop in taut.chain(last) {
            reach(hop.target, hop.cost, hop.last);
        }
    }

    /// Without the octile distance, unless there are few lanes: over such distances it is less than
    /// what they say, and not to ask where a subgoal is saves a line of memory for each one reached.
    #[inline]
    fn estimate(&self, node: u32) -> u32 {
        if self.by_lanes { self.roads.label_estimate(node) } else { self.roads.estimate(node) }
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        self.roads.place(node)
    }

    fn way_back(&self, from: u32, to: u32, see: &mut dyn FnMut(Point)) {
        let level = if from == self.roads.ends.start { None } else { self.level(from) };
        let origin = level.map_or(0, |level| 1 + level as Origin);
        self.overlay.retrace(self.roads.graph, [from, to], origin, &mut |[here, there]| {
            if let Some(bend) = self.roads.bend(here, there) {
                see(bend);
            }
            see(self.place(here));
        });
    }
}
