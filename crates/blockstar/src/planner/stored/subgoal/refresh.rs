//! Making lanes: one flood of the graph for each, in slices of any size.
//!
//! Each component of the graph has landmarks of its own. The first is the subgoal farthest from the
//! northernmost one, each further one that which is farthest from all landmarks before. (A round on a
//! map that is being edited keeps those that there are.) Only pockets
//! have none, and no labels: when an edit opens one, the labels of what surrounds it flow in. Labels
//! from landmarks of its own would flow out instead, and spoil all others.
//!
//! A flood passes labels on from its [front](super::front), nearest first. One that is interrupted by
//! edits goes on with what it has: where an edge has come that is a short cut, the label behind it
//! is lowered and passed on again. So lanes get done on a map that never stays the same for long; once
//! it does, another round makes them what they would be if made for this map. Until a lane is done,
//! its labels from before stay in use.
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
use super::front::Front;
use super::graph::Graph;
use super::lanes::{self, LANES, LARGEST, Lanes};
use super::repair::Repair;
use super::scan;
use crate::Budget;
use crate::engine::budget::Meter;
use std::hint::black_box;

/// Lanes being made.
#[derive(Clone, Debug, Default)]
pub(super) struct Refresh {
    stage: Stage,
    /// For each subgoal one of its component, the northernmost in the end.
    roots: Vec<u32>,
    /// For the root of each component the subgoal that is chosen, and how many subgoals there are; and
    /// how many there are in the largest.
    chosen: Vec<u32>,
    sizes: Vec<u32>,
    largest: u32,
    /// The labels of the flood under way, and how many it has found.
    labels: Vec<u32>,
    reached: usize,
    front: Front,
    /// Subgoals of a component that were found and not yet looked at.
    found: Vec<u32>,
    /// Where to look for the next component, or to go on with a [pass](Self::pass).
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
    /// Forgetting the round before.
    Blank,
    /// Telling components apart.
    Components,
    /// Making one component of those that see each other aside.
    Join,
    /// Choosing the northernmost and then westernmost of each component,
    Norths,
    /// which stands for it.
    Roots,
    /// A flood for a lane, or from the roots of components, to find the first landmarks.
    Flood(Option<usize>, Step),
}

/// The steps of a flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Forgetting the landmarks of the flood before.
    Forget,
    /// Choosing landmarks.
    Choose,
    /// Forgetting the labels of the flood before.
    Blank,
    /// Giving landmarks their labels.
    Begin,
    Spread,
    /// Lowering labels to what those permit that are seen aside, and passing that on.
    Aside,
    Settle,
    /// Putting labels into the lane.
    Put,
}

/// A component is a pocket if this many are no larger than the largest, in subgoals.
const POCKET: u32 = 64;

/// How many subgoals a pass over all of them looks at for one expansion of the budget.
const STRIDE: usize = 16;

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
    pub fn repair(&mut self, graph: &Graph, lanes: &mut Lanes, repair: &Repair) {
        self.edited = true;
        // That components may be split or joined meanwhile only makes for worse landmarks.
        match self.stage {
            Stage::Done | Stage::Due => self.stage = Stage::Due,
            Stage::Blank => {}
            Stage::Components => {
                self.make_room(graph);
                for &number in &repair.added {
                    self.roots[number as usize] = NONE;
                    self.next = self.next.min(number as usize);
                }
            }
            Stage::Join | Stage::Norths | Stage::Roots => {
                self.make_room(graph);
                for &number in &repair.added {
                    self.roots[number as usize] = number;
                    self.chosen[number as usize] = number;
                }
            }
            Stage::Flood(lane, step) => {
                self.make_room(graph);
                for &number in &repair.added {
                    let edges = graph.edges(graph.node(number)).iter();
                    let root = edges.map(|edge| self.roots[edge.target() as usize]).min();
                    self.roots[number as usize] =
                        root.filter(|&root| root != NONE).unwrap_or(number);
                    self.labels[number as usize] = LARGEST;
                    if let (Some(lane), Step::Put) = (lane, step) {
                        lanes.labels[number as usize].0[lane] = LARGEST;
                    }
                }
                if matches!(step, Step::Forget | Step::Choose | Step::Blank) {
                    return;
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

    /// Makes room for the numbers that an edit has brought.
    fn make_room(&mut self, graph: &Graph) {
        let count = graph.nodes.len();
        self.roots.resize(count, NONE);
        self.chosen.resize(count, NONE);
        self.sizes.resize(count, 0);
        self.labels.resize(count, LARGEST);
    }

    /// Goes on a little on a map that is being edited.
    pub fn spare(&mut self, ground: &Ground, graph: &Graph, lanes: &mut Lanes, most: u64) {
        if self.stage == Stage::Due {
            self.begin_round();
            // There will be another edit before it is done. To look aside would be in vain.
            self.edited = true;
        }
        self.run(ground, graph, lanes, &mut Meter::new(Budget::expansions(most)));
    }

    /// Goes on until all is done, which is told, or the budget is spent. Nothing here looks at all
    /// subgoals at once: an update on a large map takes no longer than on a small one.
    pub fn run(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        lanes: &mut Lanes,
        meter: &mut Meter,
    ) -> bool {
        let count = graph.nodes.len();
        loop {
            let next = match self.stage {
                Stage::Done => return true,
                Stage::Due => {
                    self.begin_round();
                    continue;
                }
                Stage::Blank => {
                    let Self { roots, chosen, sizes, labels, .. } = self;
                    let lists = [roots, chosen, sizes, labels];
                    // They are not filled before their turn comes.
                    lists.into_iter().for_each(|list| lanes::reserve(list, count));
                    self.pass(count, meter, |refresh, at| {
                        put(&mut refresh.roots, at, NONE);
                        put(&mut refresh.chosen, at, NONE);
                        put(&mut refresh.sizes, at, 0);
                        put(&mut refresh.labels, at, LARGEST);
                    })
                    .then_some(Stage::Components)
                }
                Stage::Components => {
                    self.tell_components_apart(ground, graph, meter).then_some(Stage::Join)
                }
                Stage::Join => {
                    let join = |refresh: &mut Self, at: usize| {
                        let (number, there, _) = refresh.asides[at];
                        let [one, other] = [number, there].map(|number| refresh.top(number));
                        refresh.roots[one.max(other) as usize] = one.min(other);
                    };
                    self.pass(self.asides.len(), meter, join).then_some(Stage::Norths)
                }
                Stage::Norths => {
                    let choose = |refresh: &mut Self, at: usize| {
                        refresh.roots[at] = refresh.top(at as u32);
                        refresh.choose(graph, at, |_, _| 0);
                    };
                    self.pass(count, meter, choose).then_some(Stage::Roots)
                }
                Stage::Roots => {
                    let root = |refresh: &mut Self, at: usize| {
                        // Numbers that stand for no subgoal belong to none.
                        let root = refresh.chosen[refresh.roots[at] as usize];
                        refresh.roots[at] = root;
                        if let Some(size) = refresh.sizes.get_mut(root as usize) {
                            *size += 1;
                            refresh.largest = refresh.largest.max(*size);
                        }
                    };
                    let first = if self.edited {
                        Stage::Flood(Some(0), Step::Forget)
                    } else {
                        Stage::Flood(None, Step::Blank)
                    };
                    self.pass(count, meter, root).then_some(first)
                }
                Stage::Flood(lane, step) => self.flood(ground, graph, lanes, (lane, step), meter),
            };
            let Some(next) = next else { return false };
            self.stage = next;
            if next == Stage::Done {
                *self = Self::default();
            }
        }
    }

    fn begin_round(&mut self) {
        self.stage = Stage::Blank;
        self.edited = false;
        self.found.clear();
        self.asides.clear();
        self.largest = 0;
        self.next = 0;
    }

    /// Calls `visit` with all indices below a count, from where the last slice has ended; whether it
    /// got through.
    fn pass(
        &mut self,
        count: usize,
        meter: &mut Meter,
        mut visit: impl FnMut(&mut Self, usize),
    ) -> bool {
        while self.next < count {
            if meter.is_spent() {
                return false;
            }
            meter.pay();
            for at in self.next..count.min(self.next + STRIDE) {
                visit(self, at);
            }
            self.next += STRIDE;
        }
        self.next = 0;
        true
    }

    fn tell_components_apart(&mut self, ground: &Ground, graph: &Graph, meter: &mut Meter) -> bool {
        loop {
            if meter.is_spent() {
                return false;
            }
            meter.pay();
            let Some(number) = self.found.pop() else {
                let rest = self.roots.get(self.next..).unwrap_or_default();
                if rest.is_empty() {
                    self.next = 0;
                    return true;
                }
                let ahead = rest.iter().take(STRIDE).position(|&root| root == NONE);
                self.next += ahead.unwrap_or(STRIDE);
                if ahead.is_some() {
                    self.roots[self.next] = self.next as u32;
                    self.found.push(self.next as u32);
                }
                continue;
            };
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
    }

    /// What stands for a component that may have become part of others.
    fn top(&mut self, mut number: u32) -> u32 {
        let roots = &mut self.roots;
        while roots[number as usize] != number {
            let next = roots[number as usize];
            roots[number as usize] = roots[next as usize];
            number = next;
        }
        number
    }

    /// Chooses a subgoal for its component if its score is the highest so far, of equal ones the
    /// northernmost and westernmost.
    fn choose(&mut self, graph: &Graph, number: usize, score: impl Fn(&Self, usize) -> u32) {
        let root = self.roots[number];
        if root == NONE || graph.nodes[number].is_none() {
            return;
        }
        // What was cut off by edits meanwhile is not far, but out of reach.
        let rank = |number: usize| {
            let score = Some(score(self, number)).filter(|&score| score < LARGEST);
            (score, std::cmp::Reverse(graph.nodes[number].by_row()))
        };
        let chosen = self.chosen[root as usize];
        if chosen == NONE || rank(number) > rank(chosen as usize) {
            self.chosen[root as usize] = number as u32;
        }
    }

    /// Goes on with a step of a flood, and tells what comes after it once it is done.
    fn flood(
        &mut self,
        ground: &Ground,
        graph: &Graph,
        lanes: &mut Lanes,
        (lane, step): (Option<usize>, Step),
        meter: &mut Meter,
    ) -> Option<Stage> {
        let count = graph.nodes.len();
        let then = |step: Step| Stage::Flood(lane, step);
        let after = match lane.map_or(0, |lane| lane + 1) {
            lane @ ..LANES => Stage::Flood(Some(lane), Step::Forget),
            _ if self.edited => Stage::Due,
            _ => Stage::Done,
        };
        match step {
            Step::Forget => {
                let forget = |refresh: &mut Self, at: usize| refresh.chosen[at] = NONE;
                self.pass(count, meter, forget).then(|| then(Step::Choose))
            }
            Step::Choose => {
                let (lanes, lane) = (&*lanes, lane.unwrap_or_default());
                let score = |refresh: &Self, number: usize| {
                    let labels = lanes.labels(number as u32);
                    if refresh.edited {
                        // The landmark that the lane has, or what has been nearest to it.
                        return LARGEST - 1 - labels[lane].min(LARGEST - 1);
                    }
                    labels[..lane].iter().copied().min().unwrap_or_else(|| refresh.labels[number])
                };
                let choose = |refresh: &mut Self, at: usize| refresh.choose(graph, at, score);
                self.pass(count, meter, choose).then(|| then(Step::Blank))
            }
            Step::Blank => {
                let blank = |refresh: &mut Self, at: usize| refresh.labels[at] = LARGEST;
                self.pass(count, meter, blank).then(|| {
                    self.front.begin(graph.units.straight);
                    self.reached = 0;
                    then(Step::Begin)
                })
            }
            Step::Begin => {
                let begin = |refresh: &mut Self, at: usize| {
                    if refresh.is_source(lane, at) && !graph.nodes[at].is_none() {
                        refresh.begin_at(ground, graph, at as u32);
                    }
                };
                self.pass(count, meter, begin).then(|| then(Step::Spread))
            }
            Step::Spread => {
                let next = if lane.is_some() { then(Step::Aside) } else { after };
                self.spread(graph, meter, None).then_some(next)
            }
            Step::Aside => {
                let look = |refresh: &mut Self, at: usize| {
                    let (number, there, cost) = refresh.asides[at];
                    let label = refresh.labels[there as usize].saturating_add(cost);
                    refresh.reach(number, label);
                };
                // After an edit it is no longer known what is seen aside.
                let known = if self.edited { 0 } else { self.asides.len() };
                self.pass(known, meter, look).then(|| then(Step::Settle))
            }
            Step::Settle => self.spread(graph, meter, None).then(|| {
                let lane = lane.unwrap_or_default();
                // An edit may have cut the landmark off. The old labels are better then.
                if self.edited && 2 * self.reached <= graph.len() && lanes.cuts[lane] > 0 {
                    return after;
                }
                lanes.set_cut(lane, 0);
                then(Step::Put)
            }),
            Step::Put => {
                let lane = lane.unwrap_or_default();
                // What edits have lowered meanwhile comes first.
                let settled = self.spread(graph, meter, Some((&mut *lanes, lane)));
                let put = |refresh: &mut Self, at: usize| {
                    lanes.labels[at].0[lane] = refresh.labels[at].min(LARGEST);
                };
                (settled && self.pass(count, meter, put)).then(|| {
                    lanes.set_cut(lane, LARGEST);
                    after
                })
            }
        }
    }

    /// Whether a flood begins at a subgoal: at roots, or at the landmarks of all that are no pockets.
    fn is_source(&self, lane: Option<usize>, number: usize) -> bool {
        let root = self.roots[number] as usize;
        match lane {
            None => root == number,
            Some(_) => self.chosen.get(root).is_some_and(|&chosen| {
                chosen as usize == number && self.sizes[root] > self.largest / POCKET
            }),
        }
    }

    /// Begins a flood from a subgoal and what it sees, aside of its edges too.
    fn begin_at(&mut self, ground: &Ground, graph: &Graph, number: u32) {
        let node = graph.node(number);
        self.reach(number, 0);
        scan::from_end(ground, node.cell(), Some(node.corners()), |seen| {
            self.reach(graph.number(ground, seen.at), graph.units.cost(&seen));
        });
    }

    /// Passes labels on until they fit, and puts them into a lane as well.
    fn spread(
        &mut self,
        graph: &Graph,
        meter: &mut Meter,
        mut into: Option<(&mut Lanes, usize)>,
    ) -> bool {
        while !meter.is_spent() {
            self.look_ahead(graph);
            let Some((label, node)) = self.front.pop() else { return true };
            if self.labels[node as usize] == label {
                for _ in 0..graph.node(node).edges.len().div_ceil(8) {
                    if !meter.is_spent() {
                        meter.pay();
                    }
                }
                if let Some((lanes, lane)) = &mut into {
                    lanes.labels[node as usize].0[*lane] = label;
                }
                self.pass_on(graph, node);
            }
        }
        false
    }

    /// Asks for what the next subgoals take from memory, all at once.
    #[inline]
    fn look_ahead(&self, graph: &Graph) {
        let next = self.front.upcoming();
        if !next.is_empty() {
            let sum = next.iter().fold(0, |sum, &(_, number)| {
                let edges = graph.edges(graph.node(number));
                sum ^ edges.first().map_or(0, |edge| edge.cost)
                    ^ edges.last().map_or(0, |edge| edge.cost)
            });
            black_box(sum);
        }
    }

    #[inline]
    fn pass_on(&mut self, graph: &Graph, number: u32) {
        let label = self.labels[number as usize];
        for &edge in graph.edges(graph.node(number)) {
            self.reach(edge.target(), label.saturating_add(edge.cost));
        }
    }

    #[inline(always)]
    fn reach(&mut self, number: u32, label: u32) {
        let known = &mut self.labels[number as usize];
        if label < *known {
            self.reached += usize::from(*known == LARGEST);
            *known = label;
            self.front.push((label, number));
        }
    }

    pub fn bytes(&self) -> usize {
        let lists = [&self.roots, &self.chosen, &self.sizes, &self.labels, &self.found];
        lists.map(Vec::capacity).iter().sum::<usize>() * 4
            + self.asides.capacity() * size_of::<(u32, u32, u32)>()
            + self.front.bytes()
    }
}

/// Puts a number at a place of a list, or at its end.
fn put(list: &mut Vec<u32>, at: usize, number: u32) {
    match list.get_mut(at) {
        Some(place) => *place = number,
        None => list.push(number),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Subgoals;
    use super::*;
    use crate::engine::Driver;
    use crate::random::Random;
    use crate::{Cell, Moves, Planner, Tile};

    /// How many entries of two lists differ.
    fn differences<T: PartialEq>(one: &[T], other: &[T]) -> usize {
        let common = one.iter().zip(other).filter(|(one, other)| one != other).count();
        common + one.len().abs_diff(other.len())
    }

    /// In a slice as many entries change on a large map as on a small one.
    #[test]
    fn the_work_of_a_slice_does_not_depend_on_the_size_of_the_map() {
        const MOST: u64 = 20;
        for side in [48, 192] {
            let mut grid = crate::generate::caves(side, side, 3).unwrap();
            let mut planner =
                Driver::new(Subgoals::build(&grid, Moves::EIGHT), &grid, Moves::EIGHT);
            let mut random = Random::new(8);
            let mut most = 0;
            let mut steps = 0;
            // Two for each lane.
            while steps < 80 {
                let cell = Cell::new(random.below(side.into()) as u32, 5);
                if planner.method().refresh.is_done() || random.chance(1, 50) {
                    let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                    grid.set(cell, tile).unwrap();
                    planner.update(&grid).unwrap();
                }
                let Subgoals { ground, graph, lanes, refresh, .. } = planner.method_mut();
                let before = (refresh.clone(), lanes.labels.clone(), lanes.generation);
                refresh.spare(ground, graph, lanes, MOST);
                let lists = |refresh: &Refresh| {
                    let Refresh { roots, chosen, sizes, labels, .. } = refresh;
                    [roots, chosen, sizes, labels].map(Clone::clone)
                };
                let changed = lists(&before.0)
                    .iter()
                    .zip(&lists(refresh))
                    .fold(differences(&before.1, &lanes.labels), |sum, (one, other)| {
                        sum + differences(one, other)
                    });
                most = most.max(changed);
                steps += lanes.generation - before.2;
            }
            // A pass changes up to four entries for each subgoal that it looks at.
            assert!(most <= MOST as usize * STRIDE * 4, "{side}: {most}");
        }
    }
}
