//! Landmark lanes: sixteen labels for each turning point, which tell more about distances than
//! coordinates do.
//!
//! A. Goldberg & C. Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory* (2005). A
//! label is the distance from a landmark, so the labels of two turning points cannot differ by more
//! than the distance between them: the difference is an estimate, and the largest of sixteen is a
//! good one.
//!
//! What matters after edits: the estimate is admissible and consistent as soon as on *every edge*
//! labels differ by no more than the edge is long, whatever they once meant. To block a cell only
//! lengthens ways and never breaks that. To free one may, where an edge is a short cut: then the
//! lower label is *raised* until it fits, and so on from edge to edge, towards the landmark. After so
//! many steps that is given up and the lane masked, until it is made anew.
//!
//! Labels are whole numbers of 2^-14 cells, and floods round the length of each edge down, so what
//! must hold holds exactly.

use super::graph::{Edge, Graph, Node};
use super::repair::Repair;
use crate::engine::open_list::{Entry, Open};

pub(super) const LANES: usize = 16;

pub(super) type Labels = [u32; LANES];

/// Some lanes, one bit each.
type LaneSet = u16;

/// Labels of one cell's length.
const UNIT: f64 = (1 << 14) as f64;

/// Labels end here, so that differences fit 32 bits with a sign. To cut them off widens no
/// difference.
const LARGEST: u32 = i32::MAX as u32;

/// How many turning points may pass raised labels on after one edit.
const PATIENCE: usize = 1000;

/// By how much labels may be raised. A longer short cut would spoil the lane: it would say little about
/// all that lies between the landmark and there.
const FAR: u32 = 8 << 14;

const NONE: u32 = u32::MAX;

/// The state of the lanes. The labels themselves are in the [nodes](super::graph::Node).
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    /// Which lanes may be used, one bit each.
    pub intact: LaneSet,
    /// Counts how often lanes were made.
    pub generation: u64,
    /// How many lanes are as good as new.
    fresh: usize,
    /// For each turning point the first of its component, while lanes are being made.
    roots: Vec<u32>,
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
        Self { high: [i32::MAX; LANES], low: [i32::MIN; LANES] }
    }
}

/// The length of an edge in units of labels, rounded down.
#[inline]
fn units(edge: Edge) -> u32 {
    (edge.length() * UNIT) as u32
}

impl Bounds {
    /// Takes note of a turning point at a distance from the goal.
    pub fn add(&mut self, node: &Node, distance: f64) {
        if node.is_alone() {
            return; // its labels mean nothing to others
        }
        // Rounded down like everything else: an estimate may be too small.
        let distance = (distance * UNIT) as i32;
        for (lane, &label) in node.labels.iter().enumerate() {
            let label = label as i32;
            self.high[lane] = self.high[lane].min(label.saturating_add(distance));
            self.low[lane] = self.low[lane].max(label - distance);
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

    /// A lower bound of the distance between the goal and a turning point.
    ///
    /// With either bound as its label no edge to the goal would cost less than labels differ, so
    /// each gives an estimate.
    #[inline]
    pub fn estimate(&self, node: &Node) -> f64 {
        if node.is_alone() {
            return 0.0;
        }
        let mut most = 0;
        for (lane, &label) in node.labels.iter().enumerate() {
            let label = label as i32;
            most = most.max(self.high[lane] - label).max(label - self.low[lane]);
        }
        f64::from(most) / UNIT
    }
}

impl Lanes {
    /// All are to be made.
    pub fn forget(&mut self) {
        (self.intact, self.fresh) = (0, 0);
        self.roots.clear();
    }

    /// Whether all are as good as new.
    pub fn is_done(&self) -> bool {
        self.fresh == LANES
    }

    /// Makes a lane: one that is masked, or else the next one that is not as good as new.
    pub fn make_one(&mut self, graph: &mut Graph) {
        if self.is_done() {
            return;
        }
        let masked = (!self.intact).trailing_zeros() as usize;
        let lane = if masked < LANES { masked } else { self.fresh };
        if self.roots.is_empty() {
            self.tell_components_apart(graph);
        }
        // A lane in its turn goes by those before, one out of turn by all that can be used.
        let others = if lane == self.fresh { (1 << lane) - 1 } else { self.intact };
        let mut flood = Flood::default();
        let landmarks = if others == 0 {
            // From the first of each component to the farthest from there.
            let roots = self.choose(graph, |_| 0);
            flood.run(graph, &roots);
            self.choose(graph, |number| flood.labels[number])
        } else {
            // The farthest from all other landmarks.
            self.choose(graph, |number| {
                let labels = graph.nodes[number].labels.iter().enumerate();
                let others = labels.filter(|(lane, _)| others >> lane & 1 != 0);
                others.map(|(_, &label)| label).min().unwrap_or(0)
            })
        };
        flood.run(graph, &landmarks);
        for (node, &label) in graph.nodes.iter_mut().zip(&flood.labels) {
            node.labels[lane] = label;
        }
        self.intact |= 1 << lane;
        self.generation += 1;
        self.fresh += usize::from(lane == self.fresh);
        if self.is_done() {
            self.roots = Vec::new();
        }
    }

    fn tell_components_apart(&mut self, graph: &Graph) {
        self.roots.clear();
        self.roots.resize(graph.nodes.len(), NONE);
        let mut found = Vec::new();
        for root in graph.by_row() {
            if self.roots[root as usize] != NONE {
                continue;
            }
            self.roots[root as usize] = root;
            found.push(root);
            while let Some(number) = found.pop() {
                for edge in graph.edges_of(number) {
                    let there = &mut self.roots[edge.to as usize];
                    if *there == NONE {
                        *there = root;
                        found.push(edge.to);
                    }
                }
            }
        }
    }

    /// For each component the turning point with the highest score, of equal ones the first.
    fn choose(&self, graph: &Graph, score: impl Fn(usize) -> u32) -> Vec<u32> {
        let mut best = vec![((0, 0), NONE); graph.nodes.len()];
        for (number, &root) in self.roots.iter().enumerate().filter(|(_, root)| **root != NONE) {
            // By place, so that it does not depend on numbers.
            let rank = (score(number), !graph.place(number as u32).by_row());
            let chosen = &mut best[root as usize];
            if chosen.1 == NONE || rank > chosen.0 {
                *chosen = (rank, number as u32);
            }
        }
        best.into_iter().map(|(_, number)| number).filter(|&number| number != NONE).collect()
    }

    /// Makes labels fit the edges again after an edit.
    pub fn repair(&mut self, graph: &mut Graph, repair: &Repair) {
        self.fresh = 0;
        self.roots.clear();
        label_added(graph, &repair.added);
        let labels = |graph: &Graph, number: u32| graph.nodes[number as usize].labels;
        for &(from, edge) in &repair.edges {
            let (here, there) = (labels(graph, from), labels(graph, edge.to));
            let most = units(edge) + FAR;
            for lane in 0..LANES {
                self.intact &= !(LaneSet::from(here[lane].abs_diff(there[lane]) > most) << lane);
            }
        }
        let live: Labels =
            std::array::from_fn(|i| 0u32.wrapping_sub((self.intact >> i & 1).into()));
        let mut waiting = Vec::new();
        for &(from, edge) in &repair.edges {
            let (here, there) = (labels(graph, from), labels(graph, edge.to));
            for (number, others) in [(from, there), (edge.to, here)] {
                if raise(&mut graph.nodes[number as usize].labels, &others, edge, &live) {
                    waiting.push(number);
                }
            }
        }
        let mut at = 0;
        while at < waiting.len() && at < PATIENCE {
            let node = graph.nodes[waiting[at] as usize];
            let Graph { nodes, edges, .. } = graph;
            for &edge in node.groups.iter().flat_map(|&span| edges.list(span)) {
                if raise(&mut nodes[edge.to as usize].labels, &node.labels, edge, &live) {
                    waiting.push(edge.to);
                }
            }
            at += 1;
        }
        for number in waiting.drain(..).skip(at) {
            self.intact &= !misfits(graph, number, 0);
        }
    }

    /// Whether labels differ on no edge by more than it is long, in the lanes that may be used.
    #[cfg(test)]
    pub fn fit(&self, graph: &Graph) -> bool {
        let numbers = 0..graph.nodes.len() as u32;
        numbers.into_iter().all(|number| misfits(graph, number, 0) & self.intact == 0)
    }

    pub fn bytes(&self) -> usize {
        self.roots.capacity() * 4
    }
}

/// Gives new turning points the largest labels that their edges permit. They may see each other, so it
/// takes some rounds.
fn label_added(graph: &mut Graph, added: &[u32]) {
    for &number in added {
        graph.nodes[number as usize].labels = [LARGEST; LANES];
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &number in added {
            let mut labels = graph.nodes[number as usize].labels;
            for edge in graph.edges_of(number) {
                let there = &graph.nodes[edge.to as usize].labels;
                for (label, there) in labels.iter_mut().zip(there) {
                    *label = there.saturating_add(units(edge)).min(*label);
                }
            }
            changed |= labels != graph.nodes[number as usize].labels;
            graph.nodes[number as usize].labels = labels;
        }
    }
}

/// The lanes in which the labels of a turning point are too large for an edge, by more than some
/// slack.
fn misfits(graph: &Graph, number: u32, slack: u32) -> LaneSet {
    let labels = &graph.nodes[number as usize].labels;
    let mut found = 0;
    for edge in graph.edges_of(number) {
        let there = &graph.nodes[edge.to as usize].labels;
        let most = units(edge) + slack;
        for (lane, (&here, &there)) in labels.iter().zip(there).enumerate() {
            found |= LaneSet::from(here > there.saturating_add(most)) << lane;
        }
    }
    found
}

/// Raises labels to what an edge to other ones demands, in the lanes that are alive; whether that
/// changed any.
#[inline]
fn raise(labels: &mut Labels, others: &Labels, edge: Edge, live: &Labels) -> bool {
    let cost = units(edge);
    let mut changed = 0;
    for lane in 0..LANES {
        let least = others[lane].saturating_sub(cost) & live[lane];
        changed |= u32::from(least > labels[lane]);
        labels[lane] = labels[lane].max(least);
    }
    changed != 0
}

/// A flood of the graph.
#[derive(Default)]
struct Flood {
    labels: Vec<u32>,
    open: Open<u32>,
}

impl Flood {
    fn run(&mut self, graph: &Graph, sources: &[u32]) {
        self.labels.clear();
        self.labels.resize(graph.nodes.len(), LARGEST);
        self.open.begin(UNIT as u32);
        for &source in sources {
            self.reach(source, 0);
        }
        while let Some(Entry { g, node, .. }) = self.open.pop() {
            if self.labels[node as usize] == g {
                for edge in graph.edges_of(node) {
                    self.reach(edge.to, g.saturating_add(units(edge)));
                }
            }
        }
    }

    #[inline]
    fn reach(&mut self, number: u32, label: u32) {
        let known = &mut self.labels[number as usize];
        if label < *known {
            *known = label;
            self.open.push(Entry { total: label, g: label, node: number });
        }
    }
}
