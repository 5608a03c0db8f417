//! Landmark lanes: sixteen labels for each subgoal, which tell more about distances than coordinates
//! do.
//!
//! A. Goldberg & C. Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory* (2005). A
//! label is the distance from a landmark, so the labels of two subgoals cannot differ by more than
//! the distance between them: the difference is an estimate, and the largest of sixteen is a good one.
//! (With eight a search expands 1.2 to 1.7 times as many subgoals, and takes 1.0 to 1.4 times as
//! long, most on StarCraft's maps, least on Baldur's Gate's.)
//!
//! What matters after edits: the estimate is admissible and consistent as soon as on *every edge*
//! labels differ by no more than what the edge costs, whatever they once meant. To block a cell only
//! lengthens ways and never breaks that. To free one may, where an edge is a short cut: then the
//! lower label is *raised* until it fits, and so on from edge to edge, towards the landmark. (To
//! lower the higher one would do as well, but would go on through everything that lies behind it.
//! Only a narrow strip leads to the landmark.) After so many steps that is given up and the lane
//! masked, until it is [made anew](super::refresh).

use super::corners::Ground;
use super::graph::{Edge, Graph};
use super::repair::Repair;
use super::scan;

pub(super) const LANES: usize = 16;

pub(super) type Labels = [u32; LANES];

/// Some lanes, one bit each.
pub(super) type LaneSet = u16;

/// Labels end here, so that differences fit 32 bits with a sign. To cut them off widens no
/// difference.
pub(super) const LARGEST: u32 = i32::MAX as u32;

/// How many subgoals may pass raised labels on after one edit.
const PATIENCE: usize = 2000;

/// By how many cells labels may be raised. A longer short cut would spoil the lane: it would say
/// little about all that lies between the landmark and there.
const FAR: u32 = 8;

/// The state of the lanes. The labels themselves are in the [nodes](super::graph::Node).
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    /// Which lanes may be used, one bit each.
    pub intact: LaneSet,
    /// Counts how often lanes were made.
    pub generation: u64,
    /// Subgoals whose raised labels have yet to be passed on; empty between edits.
    waiting: Vec<u32>,
    /// What new subgoals see, and at what distance.
    sights: Vec<(u32, u32, u32)>,
}

/// What the labels say about the distance to one goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// For each lane the largest and the smallest label that the goal could have.
    high: [i32; LANES],
    low: [i32; LANES],
}

impl Default for Bounds {
    fn default() -> Self {
        Self::SILENT
    }
}

impl Bounds {
    /// Says nothing about any distance.
    pub const SILENT: Self = Self { high: [0; LANES], low: [i32::MAX; LANES] };

    /// Before anything was [added](Self::add).
    pub const OPEN: Self = Self { high: [i32::MAX; LANES], low: [i32::MIN; LANES] };

    /// Takes note of the labels of a subgoal at a distance from the goal.
    pub fn add(&mut self, labels: &Labels, cost: u32) {
        let cost = cost.min(LARGEST) as i32;
        for (lane, &label) in labels.iter().enumerate() {
            let label = label as i32;
            self.high[lane] = self.high[lane].min(label.saturating_add(cost));
            // No label is below 0, and differences must fit.
            self.low[lane] = self.low[lane].max((label - cost).max(0));
        }
    }

    /// Has lanes that are not to be used, or that nothing is known about, say nothing.
    pub fn mask(&mut self, intact: LaneSet) {
        for lane in 0..LANES {
            if intact >> lane & 1 == 0 || self.low[lane] == i32::MIN {
                (self.high[lane], self.low[lane]) = (0, i32::MAX);
            }
        }
    }

    /// A lower bound of the distance between the goal and a subgoal with these labels.
    ///
    /// With either bound as its label no edge to the goal would cost less than labels differ, so
    /// each gives an estimate.
    #[inline]
    pub fn estimate(&self, labels: &Labels) -> u32 {
        let mut most = 0;
        for (lane, &label) in labels.iter().enumerate() {
            let label = label as i32;
            most = most.max(self.high[lane] - label).max(label - self.low[lane]);
        }
        most as u32
    }
}

impl Lanes {
    /// Lanes of which some may be used.
    pub fn with(intact: LaneSet) -> Self {
        Self { intact, ..Self::default() }
    }

    /// Puts labels into a lane, which may be used from then on.
    pub fn put(&mut self, graph: &mut Graph, lane: usize, labels: &[u32]) {
        for (node, &label) in graph.nodes.iter_mut().zip(labels) {
            node.labels[lane] = label.min(LARGEST);
        }
        self.intact |= 1 << lane;
        self.generation += 1;
    }

    /// Makes labels fit the edges again after an edit.
    pub fn repair(&mut self, ground: &Ground, graph: &mut Graph, repair: &Repair) {
        self.label_added(ground, graph, &repair.added);
        for &number in &repair.touched {
            self.intact &= !misfits(graph, number, FAR * graph.units.straight);
        }
        let Graph { nodes, edges, .. } = graph;
        let live: Labels =
            std::array::from_fn(|i| 0u32.wrapping_sub((self.intact >> i & 1).into()));
        let waiting = &mut self.waiting;
        for &number in &repair.touched {
            let mut labels = nodes[number as usize].labels;
            let mut raised = false;
            for &edge in edges.list(nodes[number as usize].edges) {
                raised |= raise(&mut labels, &nodes[edge.target() as usize].labels, edge, &live);
            }
            if raised {
                nodes[number as usize].labels = labels;
                waiting.push(number);
            }
        }
        let mut at = 0;
        while at < waiting.len() && at < PATIENCE {
            let node = nodes[waiting[at] as usize];
            for &edge in edges.list(node.edges) {
                if raise(&mut nodes[edge.target() as usize].labels, &node.labels, edge, &live) {
                    waiting.push(edge.target());
                }
            }
            at += 1;
        }
        for number in waiting.drain(..).skip(at) {
            self.intact &= !misfits(graph, number, 0);
        }
    }

    /// Gives new subgoals the largest labels that what they see permits. They may see each other, so
    /// it takes some rounds.
    fn label_added(&mut self, ground: &Ground, graph: &mut Graph, added: &[u32]) {
        let sights = &mut self.sights;
        sights.clear();
        for &number in added {
            let (cell, node) = (graph.node(number).cell(), graph.node(number));
            let edges = graph.edges(node).iter();
            sights.extend(edges.map(|edge| (number, edge.target(), edge.cost)));
            scan::from_end(ground, cell, Some(node.corners()), |seen| {
                sights.push((number, graph.number(ground, seen.at), graph.units.cost(&seen)));
            });
        }
        for &number in added {
            graph.nodes[number as usize].labels = [LARGEST; LANES];
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(number, there, cost) in &*sights {
                let there = graph.nodes[there as usize].labels;
                let labels = &mut graph.nodes[number as usize].labels;
                for (label, there) in labels.iter_mut().zip(there) {
                    let most = there.saturating_add(cost);
                    changed |= most < *label;
                    *label = most.min(*label);
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.sights.capacity() * size_of::<(u32, u32, u32)>() + self.waiting.capacity() * 4
    }
}

/// The lanes in which the labels of a subgoal are too large for an edge, by more than some slack.
fn misfits(graph: &Graph, number: u32, slack: u32) -> LaneSet {
    let node = graph.node(number);
    let mut found = 0;
    for &edge in graph.edges(node) {
        let there = &graph.node(edge.target()).labels;
        for (lane, (&here, &there)) in node.labels.iter().zip(there).enumerate() {
            found |= LaneSet::from(here > there.saturating_add(edge.cost + slack)) << lane;
        }
    }
    found
}

/// Raises labels to what an edge to other ones demands, in the lanes that are alive; whether that
/// changed any.
#[inline]
fn raise(labels: &mut Labels, others: &Labels, edge: Edge, live: &Labels) -> bool {
    let mut changed = 0;
    for lane in 0..LANES {
        let least = others[lane].saturating_sub(edge.cost) & live[lane];
        changed |= u32::from(least > labels[lane]);
        labels[lane] = labels[lane].max(least);
    }
    changed != 0
}
