//! Making lanes: one flood of the graph for each, in slices of any size.
//!
//! Each component of the graph has landmarks of its own. The first is the subgoal farthest from the
//! northernmost one, each further one that which is farthest from all landmarks before. (A round on a
//! map that is being edited keeps those that there are.) Only pockets
//! have none, and no labels: when an edit opens one, the labels of what surrounds it flow in. Labels
//! from landmarks of its own would flow out instead, and spoil all others.
//!
//! A flood that is interrupted by edits goes on with what it has: where an edge has come that is a
//! short cut, the label behind it is lowered and passed on again. So lanes get done on a map that
//! never stays the same for long; once it does, another round makes them what they would be if made
//! for this map. Until a lane is done, its labels from before stay in use.
//!
//! A flood along edges finds the distances of paths that go on from their last subgoal, not all
//! distances between subgoals: a subgoal of one slant has no edges into the quadrants of the other,
//! though it may be seen from there. So what subgoals see *aside* of their edges counts too: it
//! is where a flood begins, and what lowers labels at its end (but for rounds on a map that is being
//! edited: to look aside takes as long as half of the floods). Labels that are true distances fit
//! every edge that an edit can bring, as long as it brings no short cut. What is lowered is passed on
//! along edges as well: rarely does that change anything, but where two subgoals of the other slant
//! see each other, a label may be more than the distance, and must fit all the same.

use super::corners::Ground;
use super::graph::Graph;
use super::lanes::{LANES, LARGEST, Lanes};
use super::repair::Repair;
use super::scan;
use crate::Budget;
use crate::engine::budget::Meter;
use crate::engine::open_list::{Entry, Open};

/// Lanes being made.
#[derive(Clone, Debug, Default)]
pub(super) struct Refresh {
    stage: Stage,
    /// For each subgoal one of its component, the northernmost in the end.
    roots: Vec<u32>,
    /// The labels of the flood under way.
    labels: Vec<u32>,
    open: Open<u32>,
    /// Subgoals of a component that were found and not yet looked at, and where to look for the
    /// next component.
    found: Vec<u32>,
    next: usize,
    /// Whether there were edits since the round began.
    edited: bool,
    /// From which subgoal which other one is seen other than by an edge, and at what distance.
    asides: Vec<(u32, u32, u32)>,
}

/// What is being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing: all lanes are as they should be.
    #[default]
    Done,
    /// Nothing yet, but there is something to do.
    Due,
    /// Telling components apart.
    Components,
    /// The flood from the roots of components, to find the first landmarks.
    Roots,
    /// The flood from the landmarks of a lane.
    Lane(usize),
    /// Passing on what was seen aside in that lane.
    Aside(usize),
}

/// A component is a pocket if this many are no larger than the largest, in subgoals.
const POCKET: u32 = 64;

const NONE: u32 = u32::MAX;

impl Refresh {
    /// All is to be made.
    pub fn due() -> Self {
        Self { stage: Stage::Due, ..Self::default() }
    }

    /// Whether all lanes are what they would be if made for this map.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Takes note of an edit.
    pub fn repair(&mut self, graph: &Graph, repair: &Repair) {
        self.edited = true;
        match self.stage {
            Stage::Done | Stage::Due => self.stage = Stage::Due,
            // That components may be split or joined meanwhile only makes for worse landmarks.
            Stage::Components => {
                self.roots.resize(graph.nodes.len(), NONE);
                for &number in &repair.added {
                    self.roots[number as usize] = NONE;
                    self.next = self.next.min(number as usize);
                }
            }
            Stage::Roots | Stage::Lane(_) | Stage::Aside(_) => {
                self.labels.resize(graph.nodes.len(), LARGEST);
                self.roots.resize(graph.nodes.len(), NONE);
                for &number in &repair.added {
                    let edges = graph.edges(graph.node(number)).iter();
                    let root = edges.map(|edge| self.roots[edge.target() as usize]).min();
                    self.roots[number as usize] =
                        root.filter(|&root| root != NONE).unwrap_or(number);
                    self.labels[number as usize] = LARGEST;
                }
                for &number in &repair.touched {
                    self.pass_on(graph, number);
                    for &edge in graph.edges(graph.node(number)) {
                        let label = self.labels[edge.target() as usize].saturating_add(edge.cost);
                        self.reach(number, label);
                    }
                }
            }
        }
    }

    /// Goes on a little on a map that is being edited.
    pub fn spare(&mut self, ground: &Ground, graph: &Graph, lanes: &mut Lanes, most: u64) {
        if self.stage == Stage::Due {
            self.begin_round(graph);
            // There will be another edit before it is done. To look aside would be in vain.
            self.edited = true;
        }
        self.run(ground, graph, lanes, &mut Meter::new(Budget::expansions(most)));
    }

    /// Goes on until all is done, which is told, or the budget is spent.
    pub fn run(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        lanes: &mut Lanes,
        meter: &mut Meter,
    ) -> bool {
        loop {
            match self.stage {
                Stage::Done => return true,
                Stage::Due => self.begin_round(graph),
                Stage::Components => {
                    if !self.tell_components_apart(ground, graph, meter) {
                        return false;
                    }
                    if self.edited {
                        self.begin_lane(ground, graph, lanes, 0);
                        continue;
                    }
                    self.begin_flood(ground, graph, Stage::Roots, |refresh, number| {
                        refresh.roots[number as usize] == number
                    });
                }
                Stage::Roots => {
                    if !self.flood(graph, meter) {
                        return false;
                    }
                    self.begin_lane(ground, graph, lanes, 0);
                }
                Stage::Lane(lane) => {
                    if !self.flood(graph, meter) {
                        return false;
                    }
                    self.stage = Stage::Aside(lane);
                    self.look_aside();
                }
                Stage::Aside(lane) => {
                    if !self.flood(graph, meter) {
                        return false;
                    }
                    // An edit may have cut the landmark off. The old labels are better then.
                    let found = self.labels.iter().filter(|&&label| label < LARGEST).count();
                    if !self.edited || 2 * found > graph.len() || lanes.cuts[lane] == 0 {
                        lanes.put(lane, &self.labels);
                    }
                    if lane + 1 < LANES {
                        self.begin_lane(ground, graph, lanes, lane + 1);
                    } else if self.edited {
                        self.stage = Stage::Due;
                    } else {
                        *self = Self::default();
                    }
                }
            }
        }
    }

    fn begin_round(&mut self, graph: &Graph) {
        self.stage = Stage::Components;
        self.edited = false;
        self.roots.clear();
        self.roots.resize(graph.nodes.len(), NONE);
        self.found.clear();
        self.asides.clear();
        self.next = 0;
    }

    fn tell_components_apart(&mut self, ground: &Ground, graph: &Graph, meter: &mut Meter) -> bool {
        loop {
            if meter.is_spent() {
                return false;
            }
            let Some(number) = self.found.pop() else {
                let next = self.roots[self.next..].iter().position(|&root| root == NONE);
                let Some(next) = next.map(|next| next + self.next) else { break };
                self.roots[next] = next as u32;
                self.found.push(next as u32);
                self.next = next;
                continue;
            };
            meter.pay();
            // It may be another one since it was found.
            let root = match self.roots[number as usize] {
                NONE => number,
                root => root,
            };
            self.roots[number as usize] = root;
            let node = graph.node(number);
            if !self.edited && !node.is_none() {
                scan::from_end(ground, node.cell(), Some(node.corners()), |seen| {
                    let there = graph.number(ground, seen.at);
                    self.asides.push((number, there, graph.units.cost(&seen)));
                });
            }
            for edge in graph.edges(graph.node(number)) {
                let there = &mut self.roots[edge.target() as usize];
                if *there == NONE {
                    *there = root;
                    self.found.push(edge.target());
                } else if *there != root {
                    // Edits made it seem another component.
                    self.asides.push((number, edge.target(), edge.cost));
                }
            }
        }
        self.join_asides();
        // The northernmost and then westernmost of each component stands for it.
        let norths = self.choose(graph, |_, _| 0);
        // Numbers that stand for no subgoal belong to none.
        self.roots.iter_mut().for_each(|root| *root = norths[*root as usize]);
        true
    }

    /// Makes one component of those that see each other aside.
    fn join_asides(&mut self) {
        let roots = &mut self.roots;
        let top = |roots: &mut Vec<u32>, mut number: u32| {
            while roots[number as usize] != number {
                let next = roots[number as usize];
                roots[number as usize] = roots[next as usize];
                number = next;
            }
            number
        };
        for &(number, there, _) in &self.asides {
            let [one, other] = [number, there].map(|number| top(roots, number));
            roots[one.max(other) as usize] = one.min(other);
        }
        for number in 0..roots.len() as u32 {
            roots[number as usize] = top(roots, number);
        }
    }

    /// For the root of each component the subgoal with the highest score, of equal ones the
    /// northernmost and westernmost.
    fn choose(&self, graph: &Graph, score: impl Fn(&Self, usize) -> u32) -> Vec<u32> {
        let mut best = vec![NONE; graph.nodes.len()];
        for (number, &root) in self.roots.iter().enumerate() {
            if root == NONE || graph.nodes[number].is_none() {
                continue;
            }
            // What was cut off by edits meanwhile is not far, but out of reach.
            let rank = |number: usize| {
                let score = Some(score(self, number)).filter(|&score| score < LARGEST);
                (score, std::cmp::Reverse(graph.nodes[number].by_row()))
            };
            let chosen = &mut best[root as usize];
            if *chosen == NONE || rank(number) > rank(*chosen as usize) {
                *chosen = number as u32;
            }
        }
        best
    }

    fn begin_lane(&mut self, ground: &Ground, graph: &Graph, lanes: &Lanes, lane: usize) {
        let landmarks = self.choose(graph, |refresh, number| {
            let labels = lanes.labels(number as u32);
            if refresh.edited {
                // The landmark that the lane has, or what has been nearest to it.
                return LARGEST - 1 - labels[lane].min(LARGEST - 1);
            }
            labels[..lane].iter().copied().min().unwrap_or_else(|| refresh.labels[number])
        });
        let mut sizes = vec![0u32; graph.nodes.len()];
        for &root in self.roots.iter().filter(|&&root| root != NONE) {
            sizes[root as usize] += 1;
        }
        let least = sizes.iter().copied().max().unwrap_or(0) / POCKET;
        self.begin_flood(ground, graph, Stage::Lane(lane), |refresh, number| {
            let root = refresh.roots[number as usize];
            root != NONE && landmarks[root as usize] == number && sizes[root as usize] > least
        });
    }

    /// Begins a flood from some subgoals and what they see, aside of their edges too.
    fn begin_flood(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        stage: Stage,
        is_source: impl Fn(&Self, u32) -> bool,
    ) {
        self.stage = stage;
        self.labels.clear();
        self.labels.resize(graph.nodes.len(), LARGEST);
        self.open.begin(graph.units.straight);
        for number in 0..graph.nodes.len() as u32 {
            let node = graph.node(number);
            if is_source(self, number) && !node.is_none() {
                self.reach(number, 0);
                scan::from_end(ground, node.cell(), Some(node.corners()), |seen| {
                    self.reach(graph.number(ground, seen.at), graph.units.cost(&seen));
                });
            }
        }
    }

    /// What is seen aside, unless that is no longer known.
    fn asides(&self) -> &[(u32, u32, u32)] {
        if self.edited { &[] } else { &self.asides }
    }

    /// Lowers the labels of subgoals to what those permit that they see aside.
    fn look_aside(&mut self) {
        for index in 0..self.asides().len() {
            let (number, there, cost) = self.asides[index];
            self.reach(number, self.labels[there as usize].saturating_add(cost));
        }
    }

    fn flood(&mut self, graph: &Graph, meter: &mut Meter) -> bool {
        while !meter.is_spent() {
            let Some(Entry { g, node, .. }) = self.open.pop() else { return true };
            if self.labels[node as usize] == g {
                for _ in 0..graph.node(node).edges.len().div_ceil(8) {
                    if !meter.is_spent() {
                        meter.pay();
                    }
                }
                self.pass_on(graph, node);
            }
        }
        false
    }

    #[inline]
    fn pass_on(&mut self, graph: &Graph, number: u32) {
        let label = self.labels[number as usize];
        for &edge in graph.edges(graph.node(number)) {
            self.reach(edge.target(), label.saturating_add(edge.cost));
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

    pub fn bytes(&self) -> usize {
        (self.roots.capacity() + self.labels.capacity() + self.found.capacity()) * 4
            + self.asides.capacity() * size_of::<(u32, u32, u32)>()
            + self.open.bytes()
    }
}
