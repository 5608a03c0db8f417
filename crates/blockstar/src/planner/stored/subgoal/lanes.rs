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
//! Only a narrow strip leads to the landmark.) Where that would take too many steps, or raise labels by
//! so much that they say little any more, the lane is masked as long as there is an edge that its
//! labels do not fit: a door that was opened and is closed again gives all lanes back. Lanes with too
//! many such edges wait until they are [made anew](super::refresh).

use super::corners::Ground;
use super::graph::{Edge, Graph};
use super::repair::Repair;
use super::scan;
use crate::planner::block::vectors::with_widest;

pub(super) const LANES: usize = 16;

pub(super) type Labels = [u32; LANES];

/// Some lanes, one bit each.
pub(super) type LaneSet = u16;

/// Labels end here, 187,000 cells away, so that sums and differences of two fit 32 bits with a sign. To
/// cut them off widens no difference.
pub(super) const LARGEST: u32 = 1 << 30;

/// How many subgoals may pass raised labels on after one edit.
const PATIENCE: usize = 2000;

/// How many subgoals with edges that do not fit are kept in mind.
const TORN: usize = 64;

/// By how many cells labels may be raised. A longer short cut would spoil the lane: it would say
/// little about all that lies between the landmark and there.
const FAR: u32 = 8;

/// The state of the lanes. The labels themselves are in the [nodes](super::graph::Node).
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    /// Which lanes may be used, one bit each.
    pub intact: LaneSet,
    /// Those that could be, were it not for edges of the subgoals in `misfits`.
    torn: LaneSet,
    misfits: Vec<u32>,
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
        Self::OPEN
    }
}

impl Bounds {
    /// Before anything was [added](Self::add).
    pub const OPEN: Self = Self { high: [LARGEST as i32; LANES], low: [0; LANES] };

    /// Takes note of the labels of a subgoal at a distance from the goal.
    pub fn add(&mut self, labels: &Labels, cost: u32) {
        let cost = cost.min(LARGEST) as i32;
        for (lane, &label) in labels.iter().enumerate() {
            let label = label as i32;
            // No label is below 0 or above the largest, whatever the distance.
            self.high[lane] = self.high[lane].min(label.saturating_add(cost));
            self.low[lane] = self.low[lane].max(label - cost);
        }
    }

    /// Has lanes that are not to be used, or whose labels were cut off, say nothing.
    pub fn mask(&mut self, intact: LaneSet) {
        for lane in 0..LANES {
            if intact >> lane & 1 == 0 || self.high[lane] == LARGEST as i32 {
                (self.high[lane], self.low[lane]) = (0, LARGEST as i32);
            }
        }
    }

    /// A lower bound of the distance between the goal and a subgoal with these labels.
    ///
    /// With either bound as its label no edge to the goal would cost less than labels differ, so
    /// each gives an estimate.
    #[inline]
    pub fn estimate(&self, labels: &Labels) -> u32 {
        with_widest(Estimate { bounds: self, labels })
    }
}

/// The largest of all differences. Not every processor of the kind that programs are compiled for has
/// an instruction for the larger of two integers in vectors: those that have it take a third of the
/// instructions.
struct Estimate<'a> {
    bounds: &'a Bounds,
    labels: &'a Labels,
}

impl pulp::WithSimd for Estimate<'_> {
    type Output = u32;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> u32 {
        let Bounds { high, low } = self.bounds;
        let mut most = 0;
        for (lane, &label) in self.labels.iter().enumerate() {
            let label = label as i32;
            most = most.max(high[lane].wrapping_sub(label)).max(label.wrapping_sub(low[lane]));
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
        self.torn &= !(1 << lane);
        self.generation += 1;
    }

    /// Makes labels fit the edges again after an edit, or masks those that do not.
    pub fn repair(&mut self, ground: &Ground, graph: &mut Graph, repair: &Repair) {
        self.label_added(ground, graph, &repair.added);
        for &number in &repair.touched {
            self.tear(misfits(graph, number, FAR * graph.units.straight));
        }
        for &number in &repair.touched {
            if misfits(graph, number, 0) & self.torn != 0 {
                self.misfits.push(number);
            }
        }
        self.raise_labels(graph, &repair.touched);
        self.mend(graph);
    }

    /// Masks lanes.
    fn tear(&mut self, lanes: LaneSet) {
        self.torn |= lanes & self.intact;
        self.intact &= !lanes;
    }

    /// Raises the labels of touched subgoals and of others from there on, in the lanes in use.
    fn raise_labels(&mut self, graph: &mut Graph, touched: &[u32]) {
        let Graph { nodes, edges, .. } = graph;
        let live: Labels =
            std::array::from_fn(|i| 0u32.wrapping_sub((self.intact >> i & 1).into()));
        let mut waiting = std::mem::take(&mut self.waiting);
        for &number in touched {
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
            let lanes = misfits(graph, number, 0);
            self.tear(lanes);
            if lanes & self.torn != 0 {
                self.misfits.push(number);
            }
        }
        self.waiting = waiting;
    }

    /// Takes lanes into use again whose labels fit all edges, and gives up those with too many that
    /// they do not fit.
    fn mend(&mut self, graph: &Graph) {
        if self.torn == 0 {
            self.misfits.clear();
            return;
        }
        self.misfits.sort_unstable();
        self.misfits.dedup();
        let (torn, mut found) = (self.torn, 0);
        self.misfits.retain(|&number| {
            let lanes = misfits(graph, number, 0) & torn;
            found |= lanes;
            lanes != 0
        });
        self.intact |= torn & !found;
        self.torn &= found;
        if self.misfits.len() > TORN {
            self.misfits.clear();
            self.torn = 0;
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
        self.sights.capacity() * size_of::<(u32, u32, u32)>()
            + (self.waiting.capacity() + self.misfits.capacity()) * 4
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The estimate against what is said of it, in plain integers.
    #[test]
    fn estimates_are_the_largest_differences() {
        let mut random = Random::new(12);
        let mut label = |most: u32| random.below(u64::from(most) + 1) as u32;
        for round in 0..20_000 {
            let most = [9, 1 << 15, 1 << 24, LARGEST][round % 4];
            let mut bounds = Bounds::OPEN;
            let (mut high, mut low) = ([LARGEST; LANES], [0; LANES]);
            for _ in 0..round % 3 {
                let (labels, cost) = (std::array::from_fn(|_| label(most)), label(most));
                bounds.add(&labels, cost);
                for lane in 0..LANES {
                    high[lane] = high[lane].min(labels[lane] + cost);
                    low[lane] = low[lane].max(labels[lane].saturating_sub(cost));
                }
            }
            let intact = label(u32::from(LaneSet::MAX)) as LaneSet;
            bounds.mask(intact);
            let labels: Labels = std::array::from_fn(|_| label(most));
            let expected = (0..LANES)
                .filter(|lane| intact >> lane & 1 != 0 && high[*lane] < LARGEST)
                .map(|lane| {
                    let label = labels[lane];
                    high[lane].saturating_sub(label).max(label.saturating_sub(low[lane]))
                });
            assert_eq!(bounds.estimate(&labels), expected.max().unwrap_or(0));
        }
    }
}
