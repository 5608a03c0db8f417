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
//! higher label is *lowered* until it fits, and so on from edge to edge, as far as the short cut is
//! one. (To raise the lower one would do as well, but all the way to the landmark, and would leave
//! labels that say little. In the mean of 1,000 edits of a map of 512 x 512 cells, 0 to 150 subgoals
//! pass lowered labels on in caves and rooms, 500 to 3,500 in narrow mazes.) All lanes are lowered
//! together.
//!
//! An update does a limited part of that at once. What is left is done by the next ones. Until then
//! labels are *cut*: if all above some value are taken for that value, they fit the edges where the
//! higher one is above it.

use super::corners::Ground;
use super::graph::Graph;
use super::repair::Repair;
use super::ring::Ring;
use super::scan;
use crate::engine::vectors::{VectorLoop, with_widest};

pub(super) const LANES: usize = 16;

pub(super) type Labels = [u32; LANES];

/// Some lanes, one bit each.
pub(super) type LaneSet = u16;

/// Labels end here, 187,000 cells away, so that sums and differences of two fit 32 bits with a sign. To
/// cut them off widens no difference.
pub(super) const LARGEST: u32 = 1 << 30;

/// The labels of a subgoal, in one line of memory. (Side by side with the rest of a subgoal they would
/// take parts of two or three.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Line(pub Labels);

impl Line {
    pub const ZERO: Self = Self([0; LANES]);
}

/// The lanes: the labels of all subgoals, and how far they can be used.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    /// By number.
    pub labels: Vec<Line>,
    /// For each lane the value above which labels are cut: the largest if they fit every edge, 0 if
    /// there are none.
    pub cuts: Labels,
    /// Subgoals whose lowered labels have yet to be passed on, and whether a subgoal is among them.
    waves: Ring,
    waits: Vec<bool>,
    /// Counts how often the making of a lane's labels began or ended.
    pub generation: u64,
    /// What new subgoals see, and at what distance.
    sights: Vec<(u32, u32, u32)>,
}

/// What the labels say about the distance to one goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// For each lane the largest and the smallest label that the goal could have.
    high: [i32; LANES],
    low: [i32; LANES],
    /// Above which value labels are cut.
    cuts: [i32; LANES],
    /// What stands for the label of a subgoal that has none, in differences from the smallest.
    gone: [i32; LANES],
    /// Whether such a subgoal leads to the goal.
    blind: [i32; LANES],
}

impl Default for Bounds {
    fn default() -> Self {
        Self::OPEN
    }
}

impl Bounds {
    /// Before anything was [added](Self::add).
    pub const OPEN: Self = Self {
        high: [LARGEST as i32; LANES],
        low: [0; LANES],
        cuts: [LARGEST as i32; LANES],
        gone: [0; LANES],
        blind: [0; LANES],
    };

    /// Takes note of the labels of a subgoal at a distance from the goal.
    pub fn add(&mut self, labels: &Labels, cost: u32) {
        let cost = cost.min(LARGEST) as i32;
        for (lane, &label) in labels.iter().enumerate() {
            let label = label as i32;
            // No label is below 0 or above the largest, whatever the distance.
            self.high[lane] = self.high[lane].min(label.saturating_add(cost));
            let gone = label == LARGEST as i32;
            self.blind[lane] |= i32::from(gone);
            self.low[lane] = self.low[lane].max(if gone { 0 } else { label - cost });
        }
    }

    /// Cuts labels above some values.
    ///
    /// Subgoals without a label in a lane (in pockets, or seen only aside) have no edges to others
    /// that have one. So the lane can be silent about them and is right about all others; but not
    /// if it is cut, for then some may be about to get their labels.
    pub fn cut(&mut self, cuts: &Labels) {
        for (lane, &cut) in cuts.iter().enumerate() {
            let cut = if self.high[lane] == LARGEST as i32 { 0 } else { cut as i32 };
            let is_cut = cut < LARGEST as i32;
            self.cuts[lane] = cut;
            self.high[lane] = self.high[lane].min(cut);
            self.low[lane] =
                if is_cut && self.blind[lane] != 0 { cut } else { self.low[lane].min(cut) };
            self.gone[lane] = if is_cut { cut } else { self.low[lane] };
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

impl VectorLoop for Estimate<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<const WIDE: bool>(self) -> u32 {
        let Bounds { high, low, cuts, gone, .. } = self.bounds;
        let mut most = 0;
        for (lane, &label) in self.labels.iter().enumerate() {
            let label = label as i32;
            let known = if label == LARGEST as i32 { gone[lane] } else { label.min(cuts[lane]) };
            most = most.max(high[lane].wrapping_sub(label)).max(known.wrapping_sub(low[lane]));
        }
        most as u32
    }
}

impl Lanes {
    /// Lanes of so many subgoals, none of which may be used.
    pub fn new(subgoals: usize) -> Self {
        Self::with(vec![Line::ZERO; subgoals], 0)
    }

    /// The same with labels, of which those of some lanes may be used.
    pub fn with(labels: Vec<Line>, intact: LaneSet) -> Self {
        let whole = |lane: usize| if intact >> lane & 1 != 0 { LARGEST } else { 0 };
        let (cuts, waits) = (std::array::from_fn(whole), vec![false; labels.len()]);
        let mut lanes = Self { labels, cuts, waits, ..Self::default() };
        reserve(&mut lanes.labels, lanes.waits.len());
        reserve(&mut lanes.waits, lanes.labels.len());
        lanes
    }

    #[inline]
    pub fn labels(&self, number: u32) -> &Labels {
        &self.labels[number as usize].0
    }

    /// Whether labels differ on no edge by more than it costs, in the lanes that may be used.
    pub fn fit(&self, graph: &Graph) -> bool {
        let live = self.live();
        (0..graph.nodes.len() as u32).all(|number| {
            graph.edges(graph.node(number)).iter().all(|edge| {
                let ends = self.labels(number).iter().zip(self.labels(edge.target()));
                ends.zip(live)
                    .fold(true, |fit, ((a, b), live)| fit & (a.abs_diff(*b) & live <= edge.cost))
            })
        })
    }

    /// Gives all subgoals other numbers: those of their places in a list of the present ones.
    pub fn renumber(&mut self, order: &[u32]) {
        self.labels = order.iter().map(|&before| self.labels[before as usize]).collect();
        reserve(&mut self.labels, order.len());
    }

    /// The lanes whose labels fit every edge.
    pub fn intact(&self) -> LaneSet {
        let bit = |lane: usize| LaneSet::from(self.cuts[lane] == LARGEST) << lane;
        (0..LANES).fold(0, |lanes, lane| lanes | bit(lane))
    }

    /// Cuts a lane whose labels are about to change, or are made.
    pub fn set_cut(&mut self, lane: usize, cut: u32) {
        self.cuts[lane] = cut;
        self.generation += 1;
    }

    /// Takes note of an edit: lowers the labels of the subgoals whose edges have changed, where they
    /// do not fit. [`lower`](Self::lower) has to pass that on.
    pub fn repair(&mut self, ground: &Ground, graph: &Graph, repair: &Repair) {
        self.labels.resize(graph.nodes.len(), Line::ZERO);
        self.waits.resize(graph.nodes.len(), false);
        self.label_added(ground, graph, &repair.added);
        let live = self.live();
        for &number in &repair.touched {
            let mut labels = *self.labels(number);
            let mut lowered = false;
            for &edge in graph.edges(graph.node(number)) {
                lowered |= lower(&mut labels, self.labels(edge.target()), edge.cost, &live);
            }
            if lowered {
                self.labels[number as usize] = Line(labels);
                self.wait(number, 0);
            }
        }
    }

    /// Has a subgoal wait until its lowered labels are passed on.
    #[inline(always)]
    fn wait(&mut self, number: u32, beyond: u32) {
        if !std::mem::replace(&mut self.waits[number as usize], true) {
            self.waves.push(number, beyond);
        }
    }

    /// All bits of the lanes that have labels.
    fn live(&self) -> Labels {
        self.cuts.map(|cut| if cut == 0 { 0 } else { u32::MAX })
    }

    /// Passes lowered labels on until they fit, which is told, or along some number of edges.
    pub fn lower(&mut self, graph: &Graph, most: usize) -> bool {
        with_widest(Lower { lanes: self, graph, most });
        for cut in self.cuts.iter_mut().filter(|cut| **cut > 0) {
            *cut = LARGEST;
        }
        for number in self.waves.iter() {
            for edge in graph.edges(graph.node(number)) {
                let [here, there] =
                    [number, edge.target()].map(|number| &self.labels[number as usize].0);
                let labels = here.iter().zip(there);
                for (cut, (here, &there)) in self.cuts.iter_mut().zip(labels) {
                    let most = here + edge.cost;
                    *cut = if there > most { most.min(*cut) } else { *cut };
                }
            }
        }
        self.waves.is_empty()
    }

    /// Gives new subgoals the largest labels that what they see permits. They may see each other, so
    /// it takes some rounds.
    fn label_added(&mut self, ground: &Ground, graph: &Graph, added: &[u32]) {
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
            self.labels[number as usize] = Line([LARGEST; LANES]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(number, there, cost) in &*sights {
                let there = self.labels[there as usize].0;
                let labels = &mut self.labels[number as usize].0;
                for (label, there) in labels.iter_mut().zip(there) {
                    let most = there.saturating_add(cost);
                    changed |= most < *label;
                    *label = most.min(*label);
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.labels.capacity() * size_of::<Line>()
            + self.sights.capacity() * size_of::<(u32, u32, u32)>()
            + self.waits.capacity()
            + self.waves.bytes()
    }
}

/// Makes room in a list for so many subgoals and for some to come. It takes very many edits then until
/// one of them has to move the whole list to where there is more.
pub(super) fn reserve<T>(list: &mut Vec<T>, subgoals: usize) {
    if list.capacity() <= subgoals {
        list.reserve_exact((subgoals + subgoals / 16 + 64).saturating_sub(list.len()));
    }
}

/// Lowers labels to what an edge from others permits, in the lanes that are alive; whether that
/// changed any.
#[inline(always)]
fn lower(labels: &mut Labels, others: &Labels, cost: u32, live: &Labels) -> bool {
    let mut changed = false;
    for lane in 0..LANES {
        let most = (others[lane] + cost) | !live[lane];
        changed |= most < labels[lane];
        labels[lane] = labels[lane].min(most);
    }
    changed
}

/// The loop that passes lowered labels on, for [vectors](with_widest).
struct Lower<'a> {
    lanes: &'a mut Lanes,
    graph: &'a Graph,
    most: usize,
}

impl VectorLoop for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDE: bool>(self) {
        let Self { lanes, graph, mut most } = self;
        let live = lanes.live();
        while most > 0
            && let Some(number) = lanes.waves.pop()
        {
            lanes.waits[number as usize] = false;
            let labels = *lanes.labels(number);
            let edges = graph.edges(graph.node(number));
            most = most.saturating_sub(1 + edges.len());
            for &edge in edges {
                let there = &mut lanes.labels[edge.target() as usize].0;
                if lower(there, &labels, edge.cost, &live) {
                    lanes.wait(edge.target(), edge.cost);
                }
            }
        }
    }
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
            let mut blind = [false; LANES];
            let mut labelled = || -> Labels {
                std::array::from_fn(|_| match label(9) {
                    0 => LARGEST,
                    _ => label(most),
                })
            };
            for _ in 0..round % 3 {
                let (labels, cost) = (labelled(), labelled()[0]);
                bounds.add(&labels, cost);
                for lane in 0..LANES {
                    high[lane] = high[lane].min(labels[lane] + cost);
                    if labels[lane] < LARGEST {
                        low[lane] = low[lane].max(labels[lane].saturating_sub(cost));
                    }
                    blind[lane] |= labels[lane] == LARGEST;
                }
            }
            let (labels, values) = (labelled(), labelled());
            let cuts: Labels = std::array::from_fn(|lane| match (round + lane) % 3 {
                0 => 0,
                1 => values[lane],
                _ => LARGEST,
            });
            bounds.cut(&cuts);
            let expected = (0..LANES).filter(|lane| high[*lane] < LARGEST).map(|lane| {
                let (cut, label) = (cuts[lane], labels[lane]);
                if cut == LARGEST && label == LARGEST {
                    return 0;
                }
                let low = if cut < LARGEST && blind[lane] { cut } else { low[lane].min(cut) };
                let (label, high) = (label.min(cut), high[lane].min(cut));
                high.saturating_sub(label).max(label.saturating_sub(low))
            });
            assert_eq!(bounds.estimate(&labels), expected.max().unwrap_or(0));
        }
    }
}
