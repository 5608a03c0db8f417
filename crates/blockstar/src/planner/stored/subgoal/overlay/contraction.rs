//! Leaving subgoals of a sector out, one after the other, for shortcuts between their neighbours.
//!
//! R. Geisberger, P. Sanders, D. Schultes & D. Delling, *Contraction Hierarchies* (2008). Only
//! subgoals all of whose edges stay in the sector are left out, and of them only those that need few
//! shortcuts: to leave out all would triple the number of edges on caves, level by level, and a
//! search would take longer for it. A shortcut is needed where a path over the subgoal could be a
//! shortest one: where its turn is [taut](super::super::graph::continuations), and no other way in
//! the sector is found that costs as little. Looking for that way may be given up early; the
//! shortcut is superfluous then, not wrong.

use super::shortcut::{DEAREST, Hop, Origin, Shortcuts, opposite};
use crate::planner::stored::subgoal::corners::Corners;
use crate::planner::stored::subgoal::graph::continuations;
use crate::planner::stored::subgoal::scan::Class;
use crate::sort;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// By how many a subgoal may raise the number of edges, counted once, when it is left out.
const MORE_EDGES: usize = 4;

/// A subgoal with more taut turns over it than this, less its edges, is not even tried.
const MOST_TURNS: i32 = 60;

/// How many subgoals are looked at to find another way.
const PATIENCE: usize = 60;

/// An edge or shortcut within the sector.
#[derive(Clone, Copy, Debug)]
struct Road {
    to: u32,
    cost: u32,
    first: Class,
    last: Class,
    way: Way,
}

/// What a road passes: a place in the list of [ways](Contraction::ways) and, in the lowest bit,
/// whether to read it backwards; or nothing, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way(u32);

impl Way {
    /// From here on they pass nothing.
    const SAME: u32 = !15;

    fn same(origin: Origin) -> Self {
        Self(Self::SAME | u32::from(origin))
    }

    fn origin(self) -> Option<Origin> {
        (self.0 >= Self::SAME).then_some(self.0 as Origin & 15)
    }

    fn back(self) -> Self {
        if self.0 >= Self::SAME { self } else { Self(self.0 ^ 1) }
    }
}

/// A sector at work, and memory for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Contraction {
    /// The numbers of the sector's subgoals, by row and column; what follows is by their ranks there.
    numbers: Vec<u32>,
    corners: Vec<Corners>,
    roads: Vec<Vec<Road>>,
    fates: Vec<Fate>,
    /// Numbers with their ranks, ascending.
    ranks: Vec<(u32, u32)>,
    /// What is passed before a subgoal, the subgoal, what is passed after it.
    ways: Vec<(Way, u32, Way)>,
    /// Subgoals that may be left out, with the taut turns over them less their edges; and what that
    /// is at present.
    queue: BinaryHeap<Reverse<(i32, u32)>>,
    turns: Vec<i32>,
    witness: Witness,
    added: Vec<(u32, Road)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It has an edge that leaves the sector.
    Border,
    Inner,
    LeftOut,
}

/// What has become of a sector: the subgoals that are left, with how many shortcuts each has.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub left: Vec<(u32, u32)>,
    pub shortcuts: Shortcuts,
}

impl Contraction {
    /// Begins with the subgoals of a sector, by row and column.
    pub fn begin(&mut self, subgoals: impl Iterator<Item = (u32, Corners)>) {
        self.numbers.clear();
        self.corners.clear();
        for (number, corners) in subgoals {
            self.numbers.push(number);
            self.corners.push(corners);
        }
        let count = self.numbers.len();
        self.ranks.clear();
        self.ranks.extend(self.numbers.iter().zip(0..).map(|(&number, rank)| (number, rank)));
        self.ranks.sort_unstable();
        self.roads.iter_mut().for_each(Vec::clear);
        self.roads.resize_with(count.max(self.roads.len()), Vec::new);
        self.fates.clear();
        self.fates.resize(count, Fate::Inner);
        self.turns.clear();
        self.turns.resize(count, i32::MIN);
        self.ways.clear();
        self.queue.clear();
        self.witness.begin(count);
    }

    /// The sector's subgoals by rank.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Adds where one can go from the subgoal of a rank.
    pub fn join(&mut self, rank: usize, hops: impl Iterator<Item = (Hop, Origin)>) {
        for (Hop { target, cost, first, last }, origin) in hops {
            match self.ranks.binary_search_by_key(&target, |entry| entry.0) {
                Ok(at) => {
                    let to = self.ranks[at].1;
                    let way = Way::same(origin);
                    self.roads[rank].push(Road { to, cost, first, last, way });
                }
                Err(_) => self.fates[rank] = Fate::Border,
            }
        }
        // Numbers depend on the edits that there were; what is left must not.
        sort::by_key(&mut self.roads[rank], |road| road.to);
    }

    /// Looks for what may be left out, once all are [joined](Self::join).
    pub fn line_up(&mut self) {
        for rank in 0..self.numbers.len() as u32 {
            self.queue_up(rank);
        }
    }

    fn queue_up(&mut self, rank: u32) {
        if self.fates[rank as usize] == Fate::Inner {
            let (roads, corners) = (&self.roads[rank as usize], self.corners[rank as usize]);
            let turns: usize =
                (0..roads.len()).map(|at| taut(roads[at], corners, &roads[at + 1..]).count()).sum();
            let turns = turns as i32 - roads.len() as i32;
            let before = std::mem::replace(&mut self.turns[rank as usize], turns);
            // With as many as before it is in the queue already, or not worth another look.
            if turns != before && turns <= MOST_TURNS {
                self.queue.push(Reverse((turns, rank)));
            }
        }
    }

    /// Looks at the next subgoal; false if there is none.
    pub fn step(&mut self) -> bool {
        let Some(Reverse((turns, rank))) = self.queue.pop() else { return false };
        let at = rank as usize;
        if self.fates[at] == Fate::Inner && self.turns[at] == turns {
            let roads = std::mem::take(&mut self.roads[at]);
            if self.find_shortcuts(rank, &roads) {
                self.leave_out(rank, &roads);
            }
            // Its memory is for the next sector, or it stays what it was.
            self.roads[at] = roads;
        }
        true
    }

    /// Finds the shortcuts that would be needed without a subgoal; false if they are too many.
    fn find_shortcuts(&mut self, rank: u32, roads: &[Road]) -> bool {
        let (corners, ways) = (self.corners[rank as usize], self.ways.len());
        self.added.clear();
        for (at, &road) in roads.iter().enumerate() {
            let rest = &roads[at + 1..];
            let wanted = taut(road, corners, rest).map(|other| (road.cost + other.cost, other.to));
            let Some(far) = self.witness.want(wanted) else { continue };
            if far > DEAREST {
                return false;
            }
            self.witness.look(self.roads.as_slice(), &self.corners, [road.to, rank]);
            for other in taut(road, corners, rest) {
                let cost = road.cost + other.cost;
                if self.witness.costs[other.to as usize] <= cost {
                    continue;
                }
                let way = Way(2 * self.ways.len() as u32);
                self.ways.push((road.way.back(), rank, other.way));
                let (first, last) = (opposite(road.last), other.last);
                self.added.push((road.to, Road { to: other.to, cost, first, last, way }));
            }
            if self.added.len() > roads.len() + MORE_EDGES {
                self.ways.truncate(ways);
                return false;
            }
        }
        true
    }

    /// Leaves a subgoal out for the shortcuts that were found.
    fn leave_out(&mut self, rank: u32, roads: &[Road]) {
        self.fates[rank as usize] = Fate::LeftOut;
        for road in roads {
            self.roads[road.to as usize].retain(|back| back.to != rank);
        }
        for index in 0..self.added.len() {
            let (from, road) = self.added[index];
            let (first, last) = (opposite(road.last), opposite(road.first));
            put(&mut self.roads[from as usize], road);
            let back = Road { to: from, first, last, way: road.way.back(), ..road };
            put(&mut self.roads[road.to as usize], back);
        }
        for road in roads {
            self.queue_up(road.to);
        }
    }

    /// The lists of what is left, or none if that is hardly less than there was. `crossing` adds
    /// where one can go from a subgoal that is not in the sector; `place` tells equal ways apart.
    pub fn finish(
        &self,
        mut crossing: impl FnMut(u32, &mut Vec<(Hop, Origin)>),
        place: impl Fn(u32) -> u32,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let left = self.fates.iter().filter(|&&fate| fate != Fate::LeftOut).count();
        if 4 * left > 3 * self.numbers.len() {
            return outcome;
        }
        let (mut hops, mut all) = (Vec::new(), Vec::new());
        for (rank, &number) in self.numbers.iter().enumerate() {
            if self.fates[rank] == Fate::LeftOut {
                continue;
            }
            hops.clear();
            crossing(number, &mut hops);
            all.clear();
            all.extend(hops.iter().map(|&(hop, origin)| (hop, Way::same(origin))));
            all.extend(self.roads[rank].iter().map(|road| {
                let Road { to, cost, first, last, way } = *road;
                (Hop { target: self.numbers[to as usize], cost, first, last }, way)
            }));
            sort::by_key(&mut all, |(hop, _)| (hop.first, hop.cost, place(hop.target)));
            for &(hop, way) in &all {
                let origin = way.origin().unwrap_or_default();
                outcome.shortcuts.push(hop, origin, |passed| self.unroll(way, passed));
            }
            outcome.left.push((number, all.len() as u32));
        }
        outcome.shortcuts.shrink();
        outcome
    }

    /// Lists what a way passes: the origin of its first part, then subgoals with those of the next.
    fn unroll(&self, way: Way, passed: &mut Vec<u32>) {
        if way.origin().is_some() {
            return;
        }
        // Ways may be nested deeply, so not by recursion. On top is what comes next: the number of a
        // subgoal, and the way on from there.
        let mut stack = vec![(0, way)];
        while let Some((number, way)) = stack.pop() {
            if let Some(origin) = way.origin() {
                passed.push(number << 4 | u32::from(origin));
                continue;
            }
            let (before, rank, after) = self.ways[way.0 as usize / 2];
            let [before, after] =
                if way.0 & 1 == 0 { [before, after] } else { [after.back(), before.back()] };
            stack.push((self.numbers[rank as usize], after));
            stack.push((number, before));
        }
    }

    pub fn bytes(&self) -> usize {
        let roads: usize = self.roads.iter().map(|list| list.capacity()).sum();
        (roads + self.added.capacity()) * size_of::<Road>()
            + self.roads.capacity() * size_of::<Vec<Road>>()
            + self.ways.capacity() * size_of::<(Way, u32, Way)>()
            + (self.numbers.capacity() + self.turns.capacity() + 2 * self.ranks.capacity()) * 4
            + self.corners.capacity()
            + self.fates.capacity()
            + self.queue.capacity() * 8
            + self.witness.bytes()
    }
}

/// Those of some roads that may follow on one to a subgoal with these corners, given as it leads
/// there.
fn taut(from: Road, corners: Corners, roads: &[Road]) -> impl Iterator<Item = &Road> {
    let turns = continuations(opposite(from.first), corners);
    roads.iter().filter(move |road| turns >> road.first & 1 != 0)
}

/// Adds a road, unless there is one to the same subgoal that costs no more.
fn put(roads: &mut Vec<Road>, road: Road) {
    match roads.iter_mut().find(|known| known.to == road.to) {
        Some(known) if known.cost <= road.cost => {}
        Some(known) => *known = road,
        None => roads.push(road),
    }
}

/// A search for other ways.
#[derive(Clone, Debug, Default)]
struct Witness {
    costs: Vec<u32>,
    /// Which classes of roads may follow, by subgoals that were reached.
    turns: Vec<u16>,
    reached: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Costs and the subgoals that are looked for at these, ascending.
    wanted: Vec<(u32, u32)>,
}

impl Witness {
    fn begin(&mut self, count: usize) {
        self.costs.clear();
        self.costs.resize(count, u32::MAX);
        self.turns.resize(count.max(self.turns.len()), 0);
        self.reached.clear();
        self.open.clear();
    }

    /// Forgets the last search and notes what the next one looks for. Says at which cost it ends.
    fn want(&mut self, wanted: impl Iterator<Item = (u32, u32)>) -> Option<u32> {
        for rank in self.reached.drain(..) {
            self.costs[rank as usize] = u32::MAX;
        }
        self.open.clear();
        self.wanted.clear();
        self.wanted.extend(wanted);
        self.wanted.sort_unstable();
        self.far()
    }

    /// The highest cost of what is not found yet.
    fn far(&mut self) -> Option<u32> {
        while let Some(&(cost, rank)) = self.wanted.last() {
            if self.costs[rank as usize] > cost {
                return Some(cost);
            }
            self.wanted.pop();
        }
        None
    }

    /// Looks for what is wanted, from a subgoal on ways without another one, until all is found or
    /// nothing more can be.
    fn look(&mut self, roads: &[Vec<Road>], corners: &[Corners], [from, without]: [u32; 2]) {
        self.reach(from, 0, 0xffff);
        for _ in 0..PATIENCE {
            let next = std::iter::from_fn(|| self.open.pop())
                .find(|Reverse((cost, rank))| *cost <= self.costs[*rank as usize]);
            let (Some(Reverse((cost, rank))), Some(far)) = (next, self.far()) else { return };
            if cost > far {
                return;
            }
            let turns = self.turns[rank as usize];
            for road in roads[rank as usize].iter().filter(|road| turns >> road.first & 1 != 0) {
                let cost = cost + road.cost;
                if cost <= far && road.to != without && cost < self.costs[road.to as usize] {
                    let turns = continuations(road.last, corners[road.to as usize]);
                    self.reach(road.to, cost, turns);
                }
            }
        }
    }

    fn reach(&mut self, rank: u32, cost: u32, turns: u16) {
        if self.costs[rank as usize] == u32::MAX {
            self.reached.push(rank);
        }
        self.costs[rank as usize] = cost;
        self.turns[rank as usize] = turns;
        self.open.push(Reverse((cost, rank)));
    }

    fn bytes(&self) -> usize {
        (self.costs.capacity() + self.reached.capacity()) * 4
            + self.turns.capacity() * 2
            + (self.open.capacity() + self.wanted.capacity()) * 8
    }
}
