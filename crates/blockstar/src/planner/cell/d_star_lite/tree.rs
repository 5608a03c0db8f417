//! The search that D* Lite keeps: two costs for each cell, and the cells where they differ.

use crate::engine::best_first::Space;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::{Entry, Open};
use crate::engine::{Problem, SearchMemory};
use crate::rules::cost::StepCosts;
use crate::{Grid, Heuristic, Rect};

/// The cost of a cell that was not reached.
pub(super) const NONE: u64 = u64::MAX;

/// The steps of the search: `back` from a cell to those that a step leads from, with estimates of
/// the way from the start; `ahead` to those that a step leads to, with estimates of the way to the
/// start. They differ on slopes.
pub(super) struct Steps<'a, S> {
    pub back: &'a S,
    pub ahead: &'a S,
    pub step_costs: StepCosts<u64>,
}

/// Whether a queued cell's cost is too high or too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its offer is less than its cost: it will become cheaper.
    Cheaper,
    /// Its cost is less than its offer: it will become more expensive.
    Dearer,
}

/// The question of a tree. It serves another query only if all of this is the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Origin {
    planner: u64,
    goal: u32,
    heuristic: Heuristic,
    /// Terrain decides the unit of costs, and the cheapest terrain the scale of estimates.
    terrain: bool,
    least_factor: u16,
}

impl Origin {
    pub fn new(problem: &Problem<'_>) -> Self {
        Self {
            planner: problem.task.planner,
            goal: problem.goal_node(),
            heuristic: problem.heuristic(),
            terrain: problem.grid.has_costs(),
            least_factor: problem.grid.least_factor(),
        }
    }
}

/// The start of the last query, which the queued estimates refer to.
#[derive(Clone, Copy, Debug)]
struct Start {
    node: u32,
    height: Option<f32>,
    /// The version of the map then.
    version: u64,
}

/// A priority queue with a peek at the first entry.
#[derive(Debug, Default)]
struct Queue {
    open: Open<u64>,
    /// The first entry, if it has been looked at.
    first: Option<Entry<u64>>,
}

impl Queue {
    fn begin(&mut self, step: u64) {
        self.open.begin(step);
        self.first = None;
    }

    fn push(&mut self, entry: Entry<u64>) {
        self.first.take().into_iter().for_each(|first| self.open.push(first));
        self.open.push(entry);
    }

    /// The first entry that is still valid; those before it are dropped.
    fn first(&mut self, holds: impl Fn(&Entry<u64>) -> bool) -> Option<Entry<u64>> {
        while self.first.is_none_or(|entry| !holds(&entry)) {
            self.first = self.open.pop();
            self.first?;
        }
        self.first
    }

    fn len(&self) -> usize {
        self.open.len() + usize::from(self.first.is_some())
    }
}

/// The costs of cells to the goal, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Tree {
    origin: Option<Origin>,
    start: Option<Start>,
    /// By node, the cost and the offer, each as its complement: untouched pages stay zero and cost
    /// nothing.
    costs: Vec<[u64; 2]>,
    /// The nodes that may have others, some of them twice.
    touched: Vec<u32>,
    /// The cells that become cheaper: by offer and estimate.
    cheaper: Queue,
    /// The cells that become more expensive: by cost and estimate.
    dearer: Queue,
    /// The amount added to new entries because the start has moved.
    km: u64,
}

impl SearchMemory for Tree {
    fn bytes(&self) -> usize {
        let nodes = self.costs.capacity() * size_of::<[u64; 2]>() + self.touched.capacity() * 4;
        nodes + self.cheaper.open.bytes() + self.dearer.open.bytes()
    }
}

impl Tree {
    /// Forgets everything and begins at the goal.
    pub fn begin<S>(&mut self, problem: &Problem<'_>, steps: &Steps<'_, S>, origin: Origin)
    where
        S: Space<u64>,
    {
        let count = problem.grid.rows().positions();
        if self.costs.len() < count {
            self.costs = vec![[0; 2]; count];
        } else {
            self.touched.iter().for_each(|&node| self.costs[node as usize] = [0; 2]);
        }
        self.touched.clear();
        self.cheaper.begin(steps.step_costs.usual_step());
        self.dearer.begin(steps.step_costs.usual_step());
        self.km = 0;
        self.set(origin.goal, NONE, 0);
        self.queue(origin.goal, steps);
        // The next query may avoid other cells, so its map would be another one.
        self.origin = problem.query().avoided().is_none().then_some(origin);
        self.start = Some(Start::new(problem));
    }

    /// Reuses the tree for a query from another start, after edits; false if it cannot be used.
    pub fn follow<S: Space<u64>>(
        &mut self,
        problem: &Problem<'_>,
        steps: &Steps<'_, S>,
        origin: Origin,
    ) -> bool {
        let grid = problem.grid;
        let known = self.start.filter(|start| start.still_stands(grid));
        let known = known.filter(|_| self.origin == Some(origin) && !self.is_worn(grid));
        let (Some(last), None) = (known, problem.query().avoided()) else { return false };
        let Some(edits) = grid.changes_since(last.version) else { return false };
        let area = |rect: Rect| u64::from(rect.width) * u64::from(rect.height);
        if edits.map(area).sum::<u64>() > area(grid.whole()) / 2 {
            return false;
        }
        self.km += steps.ahead.estimate(last.node) + 1;
        for rect in grid.changes_since(last.version).into_iter().flatten() {
            self.note_edit(rect, grid, steps, origin.goal);
        }
        self.start = Some(Start::new(problem));
        true
    }

    /// Whether so much has piled up that a new search is better.
    fn is_worn(&self, grid: &Grid) -> bool {
        let piled = self.touched.len() + self.cheaper.len() + self.dearer.len();
        piled > 4 * grid.rows().positions() || self.km > NONE / 8
    }

    /// Makes new offers to the cells whose steps an edit has changed.
    fn note_edit<S: Space<u64>>(
        &mut self,
        rect: Rect,
        grid: &Grid,
        steps: &Steps<'_, S>,
        goal: u32,
    ) {
        let (left, top) = (rect.x.saturating_sub(1), rect.y.saturating_sub(1));
        let right = (rect.x + rect.width + 1).min(grid.width());
        let bottom = (rect.y + rect.height + 1).min(grid.height());
        for cell in Rect::new(left, top, right - left, bottom - top).cells() {
            let node = grid.rows().position(cell.x, cell.y);
            if !grid.rows().get(node) {
                // Nothing leads there any more, so no cell needs a new offer.
                self.set(node, NONE, NONE);
            } else if node != goal {
                let offer = self.best_offer(node, steps);
                self.set(node, self.cost(node), offer);
                self.queue(node, steps);
            } else {
                self.set(node, self.cost(node), 0);
                self.queue(node, steps);
            }
        }
    }

    /// The next cell to be expanded, unless no cell can matter to the start any more.
    pub fn first(&mut self, start: u32) -> Option<(Kind, Entry<u64>)> {
        let Self { costs, cheaper, dearer, .. } = self;
        let of = |entry: &Entry<u64>| costs[entry.node as usize].map(|cost| !cost);
        let dearer = dearer.first(|entry| {
            let [cost, offer] = of(entry);
            cost == entry.g && cost < offer
        });
        let cheaper = cheaper.first(|entry| {
            let [cost, offer] = of(entry);
            offer == entry.g && offer < cost
        });
        let [cost, offer] = costs[start as usize].map(|cost| !cost);
        let bound = cost.min(offer).saturating_add(self.km);
        match (dearer, cheaper) {
            (Some(entry), other) if other.is_none_or(|other| entry.total <= other.total) => {
                (entry.total <= bound).then_some((Kind::Dearer, entry))
            }
            (_, Some(entry)) => (entry.total < bound).then_some((Kind::Cheaper, entry)),
            _ => None,
        }
    }

    /// Queues the first entry of a queue by a later key.
    pub fn put_right(&mut self, kind: Kind, total: u64) {
        let queue = self.queue_of(kind);
        if let Some(entry) = queue.first.take() {
            queue.open.push(Entry { total, ..entry });
        }
    }

    /// Expands the first entry of a queue; returns the number of cells queued.
    pub fn expand<S: Space<u64>>(&mut self, kind: Kind, steps: &Steps<'_, S>) -> u64 {
        let before = self.open_len();
        let Some(Entry { node, g, .. }) = self.queue_of(kind).first.take() else { return 0 };
        let offer = self.offer(node);
        match kind {
            Kind::Cheaper => {
                self.set(node, offer, offer);
                steps.back.expand(node, ROOT, |next, step, _| {
                    let better = offer + step;
                    let [cost, known] = [self.cost(next), self.offer(next)];
                    if better < known {
                        self.set(next, cost, better);
                        // If it will become more expensive, it is queued already.
                        if better < cost {
                            self.queue(next, steps);
                        }
                    }
                });
            }
            Kind::Dearer => {
                self.set(node, NONE, offer);
                self.queue(node, steps);
                steps.back.expand(node, ROOT, |next, step, _| {
                    // The goal's offer is 0 and never comes from a neighbour.
                    if self.offer(next) == g + step {
                        let offer = self.best_offer(next, steps);
                        self.set(next, self.cost(next), offer);
                        self.queue(next, steps);
                    }
                });
            }
        }
        (self.open_len() + 1).saturating_sub(before)
    }

    /// The cells from one to the goal. Only for the start of a search that has ended.
    pub fn way<S: Space<u64>>(
        &self,
        start: u32,
        steps: &Steps<'_, S>,
    ) -> impl Iterator<Item = u32> {
        let next = |&node: &u32| {
            let mut best = (NONE, node);
            steps.ahead.expand(node, ROOT, |next, step, _| {
                let cost = self.cost(next).saturating_add(step);
                if cost < best.0 {
                    best = (cost, next);
                }
            });
            (self.offer(node) != 0).then_some(best.1)
        };
        std::iter::successors(Some(start), next)
    }

    /// The total that an entry would have if it were queued now.
    pub fn key<S: Space<u64>>(&self, steps: &Steps<'_, S>, entry: Entry<u64>) -> u64 {
        entry.g + steps.back.estimate(entry.node) + self.km
    }

    /// The amount added to new entries because the start has moved.
    pub fn km(&self) -> u64 {
        self.km
    }

    /// How many entries are queued.
    pub fn open_len(&self) -> u64 {
        (self.cheaper.len() + self.dearer.len()) as u64
    }

    /// The offer of a cell's neighbours.
    pub fn offer(&self, node: u32) -> u64 {
        !self.costs[node as usize][1]
    }

    /// The cost that a cell was last expanded with.
    fn cost(&self, node: u32) -> u64 {
        !self.costs[node as usize][0]
    }

    fn set(&mut self, node: u32, cost: u64, offer: u64) {
        let known = &mut self.costs[node as usize];
        if *known == [0; 2] && offer != NONE {
            self.touched.push(node);
        }
        *known = [!cost, !offer];
    }

    /// The least that the neighbours of a cell offer it.
    fn best_offer<S: Space<u64>>(&self, node: u32, steps: &Steps<'_, S>) -> u64 {
        let mut best = NONE;
        steps.ahead.expand(node, ROOT, |next, step, _| {
            best = best.min(self.cost(next).saturating_add(step));
        });
        best
    }

    /// Queues a cell if its cost and its offer differ.
    fn queue<S: Space<u64>>(&mut self, node: u32, steps: &Steps<'_, S>) {
        let (cost, offer) = (self.cost(node), self.offer(node));
        let (kind, g) = match cost.cmp(&offer) {
            std::cmp::Ordering::Greater => (Kind::Cheaper, offer),
            std::cmp::Ordering::Less => (Kind::Dearer, cost),
            std::cmp::Ordering::Equal => return,
        };
        let entry = Entry { total: 0, g, node };
        let total = self.key(steps, entry);
        self.queue_of(kind).push(Entry { total, ..entry });
    }

    fn queue_of(&mut self, kind: Kind) -> &mut Queue {
        match kind {
            Kind::Cheaper => &mut self.cheaper,
            Kind::Dearer => &mut self.dearer,
        }
    }
}

impl Start {
    fn new(problem: &Problem<'_>) -> Self {
        let height = problem.grid.height_at(problem.start_cell());
        Self { node: problem.start_node(), height, version: problem.grid.version() }
    }

    /// Whether estimates from there are still the same.
    fn still_stands(&self, grid: &Grid) -> bool {
        let (x, y) = grid.rows().coordinates(self.node);
        grid.height_at((x, y)) == self.height
    }
}
