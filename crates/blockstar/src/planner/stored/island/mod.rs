//! Island search: a path over places that are likely to be on a good one.
//!
//! P. Chakrabarti, S. Ghose & S. DeSarkar, *Heuristic Search Through Islands*, 1986; J. Dillenburg
//! & P. Nelson, *Improving Search Efficiency Using Possible Subgoals*, 1995 (from descriptions; the
//! texts were not at hand). Islands are cells that good paths tend to pass: crossroads, doors,
//! fords. A search that has not reached an island yet estimates the way to the best island and from
//! there to the goal, so it heads for islands; between them it expands two small areas instead of a
//! large one. There may be several *levels*: a path passes one island of each, in their order.
//!
//! The islands are named by the user (`islands`), or found: the planner cuts the map into
//! [sectors](crate::regions::sectors) as PRA* does, searches their regions for a route, and takes the
//! doors between every `span` regions of it as a level.
//!
//! * **Level by level.** The papers search all levels at once, for a path that is the cheapest of
//!   all over one island of each. Here a search goes from island to island and commits to each one
//!   it reaches; memory does not grow with levels.
//! * **The loss is bounded**, by `bound`, and reported ([`Stats::proved_factor`](crate::Stats)).
//!   The way over the islands may be a detour. Once it is known, A* is run from the start, up to
//!   that way's cost divided by the bound: what it finds is the shortest path, and if it finds
//!   nothing, no path is shorter than that. If the estimate from start to goal is high enough
//!   already, as on open ground, that takes no expansion at all. With `bound=off` there is no such
//!   proof.
//! * Named islands far off the way, by estimates beyond the bound, are ignored, and levels are
//!   taken backwards if that is shorter.

mod chain;
mod shores;

use crate::engine::best_first::{self, Orders, Priority};
use crate::engine::frontier::Frontier;
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice, Update,
};
use crate::regions::routes::Routes;
use crate::regions::sectors::{Centre, Labels, RegionSpace, SECTOR, Sectors};
use crate::registry::{PlannerSpec, kind, parameters, settings};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::{Algorithm, Cell, Error, Grid, Memory, Moves, Point, Promise};
use chain::{Chain, Island};
use shores::Shores;
use std::fmt::Write;

pub(crate) const ROW: Algorithm = Algorithm {
    name: "island",
    summary: "Island search: heads for doors or places that are named, within a bound of the optimum",
    source: "Chakrabarti, Ghose & DeSarkar 1986; Dillenburg & Nelson 1995",
    promise: Promise::Within(1.5),
    terrain: true,
    parameters: &[ISLANDS, BOUND, SECTOR, SPAN],
    promise_with: Some(|spec, _| bound(spec).map_or(Promise::Complete, Promise::Within)),
    make: |choice, grid, moves| {
        Ok(Driver::boxed(IslandSearch::new(choice, grid, moves)?, grid, moves))
    },
    ..Algorithm::BASE
};

settings! { kind::IslandSearch:
    /// The islands, level by level: a path passes one of each, in this order or backwards. Without
    /// them, doors on the way are used.
    islands(levels: &[&[Cell]]) = "islands", written(levels);
    /// How many times the optimum a path may cost: 1.1, 1.25, 1.5 (the default), 2 or 3.
    bound(factor: f64) = "bound", factor;
    /// Does not prove how a path compares with the optimum.
    without_bound() = "bound", "off";
    /// The cells along the side of a square sector, 4 to 256; by default 16.
    sector(side: u32) = "sector", side;
    /// The number of regions between two levels of doors, by default 4.
    span(regions: u32) = "span", regions;
}

parameters! {
    ISLANDS = "islands", "doors|CELLS", "doors",
        "cells that good paths pass, as in 12x40+80x33 with / between levels; or doors that are found";
    BOUND = "bound", "1.1|1.25|1.5|2|3|off", "1.5", "how many times the optimum a path may cost";
    SPAN = "span", "1-64", "4", "how many regions lie between two levels of doors";
}

/// The promised factor.
fn bound(choice: &PlannerSpec) -> Option<f64> {
    choice.word(BOUND.name).parse().ok()
}

/// Islands as the command line writes them.
fn written(levels: &[&[Cell]]) -> String {
    let mut text = String::new();
    for (index, level) in levels.iter().enumerate() {
        for (at, cell) in level.iter().enumerate() {
            let before = ["+", "/", ""][usize::from(at == 0) + usize::from(at == 0 && index == 0)];
            let _ = write!(text, "{before}{}x{}", cell.x, cell.y);
        }
    }
    text
}

/// What to head for.
#[derive(Clone, Debug)]
enum Source {
    Named(Vec<Vec<Cell>>),
    Doors { sectors: Box<Sectors>, span: usize },
}

#[derive(Clone, Debug)]
struct IslandSearch {
    source: Source,
    bound: Option<f64>,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Searching the regions for a route.
    #[default]
    Route,
    /// About to search for an island of this level, or beyond the last for the goal.
    Depart(usize),
    /// Searching for it.
    Sail(usize),
    /// About to prove that the way found is good enough.
    Doubt,
    /// Proving it.
    Prove,
}

/// A search in progress.
#[derive(Debug, Default)]
struct Voyage {
    phase: Phase,
    chain: Chain,
    routes: Routes,
    labels: [Labels; 2],
    /// The goal's region, and the regions on the way, the goal's first.
    to: u32,
    route: Vec<u32>,
    /// Where the next search starts.
    at: u32,
    /// The way so far, and what it costs.
    way: Vec<Point>,
    cost: u64,
}

impl SearchMemory for Voyage {
    fn bytes(&self) -> usize {
        let labels: usize = self.labels.iter().map(Labels::bytes).sum();
        self.chain.bytes()
            + self.routes.bytes()
            + labels
            + self.route.capacity() * 4
            + self.way.capacity() * size_of::<Point>()
    }
}

impl IslandSearch {
    fn new(choice: &PlannerSpec, grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let source = match choice.word(ISLANDS.name) {
            "doors" => {
                let side = choice.sides(SECTOR.name);
                let sectors = Box::new(Sectors::new(grid, moves, side, Centre::Mean));
                Source::Doors { sectors, span: choice.number(SPAN.name) as usize }
            }
            text => Source::Named(read(text, grid)?),
        };
        Ok(Self { source, bound: bound(choice) })
    }

    fn search_on(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Outcome {
        let (frontier, voyage) = pool.get_two::<Frontier<u64>, Voyage>();
        let step_costs = StepCosts::<u64>::new(problem.grid, problem.moves);
        if slice.is_fresh() {
            self.begin(problem, &step_costs, voyage);
        }
        loop {
            let stopped = match voyage.phase {
                Phase::Route => self.find_route(problem, &step_costs, slice, voyage),
                Phase::Depart(_) | Phase::Sail(_) => {
                    sail(problem, step_costs, slice, frontier, voyage)
                }
                Phase::Doubt | Phase::Prove => {
                    return self.prove(problem, step_costs, slice, frontier, voyage);
                }
            };
            if let Some(outcome) = stopped {
                return outcome;
            }
        }
    }

    /// Gets ready to search for a route, or for the islands that were named.
    fn begin(&self, problem: &Problem<'_>, step_costs: &StepCosts<u64>, voyage: &mut Voyage) {
        (voyage.at, voyage.cost) = (problem.start_node(), 0);
        voyage.way.clear();
        voyage.chain.clear();
        match &self.source {
            Source::Named(levels) => {
                let chain = &mut voyage.chain;
                let length = |chain: &mut Chain, backwards| {
                    chain.take_named(levels, backwards, problem);
                    chain.look_onward(problem, step_costs)
                };
                let backwards = length(chain, true);
                if length(chain, false) > backwards {
                    length(chain, true);
                }
                let through = chain.look_onward(problem, step_costs) as f64;
                let straight = straight(problem, step_costs) as f64;
                if self.bound.is_some_and(|bound| through > bound * straight) {
                    chain.clear();
                }
                voyage.phase = Phase::Depart(0);
            }
            Source::Doors { sectors, .. } => {
                let labels = &mut voyage.labels[0];
                let mut region =
                    |cell: Cell| sectors.region(problem.map, cell.x, cell.y, labels, &mut 0);
                let from = region(problem.start_cell());
                voyage.to = region(problem.goal_cell());
                region_space(sectors, problem, voyage.to).begin(&mut voyage.routes, from);
                voyage.phase = Phase::Route;
            }
        }
    }

    /// Searches the regions. Nothing once the route is found.
    fn find_route(
        &self,
        problem: &Problem<'_>,
        step_costs: &StepCosts<u64>,
        slice: &mut Slice<'_>,
        voyage: &mut Voyage,
    ) -> Option<Outcome> {
        let Voyage { phase, chain, routes, labels, to, route, .. } = voyage;
        let Source::Doors { sectors, span } = &self.source else { return Some(Outcome::Exhausted) };
        let space = region_space(sectors, problem, *to);
        route.clear();
        loop {
            if slice.is_spent() {
                return Some(Outcome::Paused);
            }
            let Some((region, g)) = routes.pop(u64::MAX) else { break };
            if region == *to {
                route.extend(std::iter::successors(Some(region), |region| routes.over(*region)));
                break;
            }
            if slice.stats.expanded >= problem.max_expansions() {
                return Some(Outcome::Limit);
            }
            slice.expand();
            for &next in sectors.neighbours(region) {
                space.reach(routes, next, g + space.between(region, next), region);
            }
        }
        chain.take_doors(route, *span, sectors, problem, labels);
        chain.look_onward(problem, step_costs);
        *phase = Phase::Depart(0);
        None
    }

    /// Proves the way over the islands, or finds a better one.
    fn prove(
        &self,
        problem: &Problem<'_>,
        step_costs: StepCosts<u64>,
        slice: &mut Slice<'_>,
        frontier: &mut Frontier<u64>,
        voyage: &mut Voyage,
    ) -> Outcome {
        let goal = Island { node: problem.goal_node(), onward: 0 };
        let place = (problem.grid, problem.moves);
        let space = Shores::new(place, step_costs, problem.heuristic(), &[goal]);
        let heuristic = problem.heuristic();
        let mut orders =
            Orders::new(problem, step_costs, Priority::AStar, heuristic, problem.goal_node());
        let usable = !voyage.way.is_empty() && voyage.cost <= orders.max_cost;
        let least = straight(problem, &step_costs).max(1);
        let found = usable.then(|| match self.bound {
            Some(bound) => (voyage.cost as f64 / bound) as u64,
            None => 0,
        });
        if let Some(limit) = found {
            orders.max_cost = limit;
        }
        if voyage.phase == Phase::Doubt {
            voyage.phase = Phase::Prove;
            frontier.begin(problem.grid.rows().positions() + 1, step_costs.usual_step());
            frontier.seed(&space, &orders, problem.start_node(), 0);
        }
        let idle = found.is_some_and(|limit| limit < least);
        let outcome = match idle {
            true => Outcome::Limit,
            false => best_first::search(&space, &orders, frontier, slice),
        };
        let spent = slice.stats.expanded >= problem.max_expansions();
        match (outcome, found) {
            (Outcome::Goal, _) => slice.stats.proved_factor = Some(1.0),
            (Outcome::Limit | Outcome::Exhausted, Some(limit)) if idle || !spent => {
                let least = least.max(limit + 1);
                slice.stats.proved_factor = Some((voyage.cost as f64 / least as f64).max(1.0));
                slice.write_path(voyage.way.iter().copied());
                return Outcome::Goal;
            }
            _ => {}
        }
        outcome
    }
}

/// The regions of a map as something to search.
fn region_space<'a>(sectors: &'a Sectors, problem: &Problem<'a>, to: u32) -> RegionSpace<'a> {
    RegionSpace { sectors, grid: problem.map, moves: problem.moves, to }
}

/// The estimate of the way from the start to the goal.
fn straight(problem: &Problem<'_>, step_costs: &StepCosts<u64>) -> u64 {
    let (start, goal) = (problem.start_cell(), problem.goal_cell());
    let estimator = Estimator::new(problem.heuristic(), step_costs, (goal.x, goal.y));
    estimator.estimate(start.x, start.y)
}

/// Searches on for an island of the next level, or for the goal. Nothing once it is found.
fn sail(
    problem: &Problem<'_>,
    step_costs: StepCosts<u64>,
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<u64>,
    voyage: &mut Voyage,
) -> Option<Outcome> {
    let Voyage { phase, chain, at, way, cost, .. } = voyage;
    let (Phase::Depart(level) | Phase::Sail(level)) = *phase else { return None };
    let goal = [Island { node: problem.goal_node(), onward: 0 }];
    let last = level == chain.levels();
    let islands = if last { &goal } else { chain.level(level) };
    let place = (problem.grid, problem.moves);
    let space = Shores::new(place, step_costs, problem.heuristic(), islands);
    let mut orders =
        Orders::new(problem, step_costs, Priority::AStar, problem.heuristic(), space.end);
    // A cost limit applies to the whole way.
    orders.max_cost = u64::MAX;
    if level == 0 && last {
        // No islands: the proof is the search.
        *phase = Phase::Doubt;
        return None;
    }
    if *phase == Phase::Depart(level) {
        *phase = Phase::Sail(level);
        frontier.begin(problem.grid.rows().positions() + 1, step_costs.usual_step());
        frontier.seed(&space, &orders, *at, 0);
    }
    match best_first::search(&space, &orders, frontier, slice) {
        Outcome::Goal => {
            let points = slice.path.points_mut();
            // The node beyond the map.
            points.pop();
            let skipped = usize::from(!way.is_empty());
            way.extend(points.drain(..).skip(skipped));
            let cell = way.last().map_or(problem.start_cell(), |point| point.cell());
            *at = problem.grid.rows().position(cell.x, cell.y);
            *cost += frontier.nodes.g(*at);
            *phase = if last { Phase::Doubt } else { Phase::Depart(level + 1) };
            None
        }
        // An island that cannot be reached: go without.
        Outcome::Exhausted => {
            way.clear();
            *phase = Phase::Doubt;
            None
        }
        outcome => Some(outcome),
    }
}

/// Reads islands: `12x40+80x33`, with `/` between levels.
fn read(text: &str, grid: &Grid) -> Result<Vec<Vec<Cell>>, Error> {
    let cell = |text: &str| {
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        let (x, y) = text.split_once('x').map_or((u32::MAX, 0), |(x, y)| (number(x), number(y)));
        let cell = Cell::new(x, y);
        grid.check_cell("island", cell)?;
        Ok(cell)
    };
    text.split('/').map(|level| level.split('+').map(cell).collect()).collect()
}

impl Method for IslandSearch {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    /// Estimates over many islands may be larger than 32 bits hold.
    fn needs_wide(&self, _: &Problem<'_>) -> bool {
        true
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(self.search_on(problem, slice, pool))
    }

    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if let Source::Doors { sectors, .. } = &mut self.source {
            let repaired = changes.rects().is_some_and(|rects| sectors.update(grid, rects));
            if !repaired {
                **sectors = Sectors::new(grid, moves, sectors.layout.side, Centre::Mean);
            }
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        match &self.source {
            Source::Doors { sectors, .. } => memory.with("regions", sectors.bytes()),
            Source::Named(levels) => {
                let cells: usize = levels.iter().map(|level| level.capacity()).sum();
                memory.with("islands", cells * size_of::<Cell>())
            }
        }
    }
}
