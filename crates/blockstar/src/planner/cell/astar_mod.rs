//! A*MOD: A* for natural paths on height maps, as published and put right.
//!
//! J. Smołka, K. Miszta, M. Skublewska-Paszkowska & E. Łukasik, *A\* pathfinding algorithm modification
//! for a 3D engine*, 2019. Three changes to A*: the estimate is the Chebyshev distance; a vertex that is
//! reached by a diagonal step is queued with its estimate times √2, so that paths do not zigzag; and the
//! vertices in the middle of straight stretches are removed in the end.
//!
//! `astar-mod` is the published listing. Its queue holds duplicates, and entries that have been
//! overtaken are expanded again like any other. What the listing leaves open or has wrong:
//!
//! * Step 12, "the cost of path from SV to NV", is nowhere defined, and the sum of signed differences of
//!   equation 3 falls along the way, so that there would be no cheapest path at all. A step costs here
//!   what the movement rule says, as for every planner; under [`Slope::published`](crate::Slope) that is
//!   K · (1 + |difference of heights|) with the K of equation 3. `base=0` leaves out the 1: then
//!   level ground costs nothing, and nothing is promised. (`multiplier=off` leaves out the √2: with the
//!   Manhattan distance that is the A* which the paper compares with.)
//! * The loop of step 11 must run over steps 12 to 18, and the post-processing as printed loses the last
//!   vertex of its list, which is the start. Both are done right: else there would be no path.
//! * Entries that have been overtaken are not dropped, and the queue is not monotone: across an SRTM
//!   tile of 1201 x 1201 heights it takes 28 million entries off the queue, where A* takes 0.83 million.
//! * The estimate depends on the step by which a vertex was reached. It exceeds the true remaining cost
//!   by up to √2, and so may the path exceed the optimum.
//! * The vertices that the post-processing removes are those on one line with the last one kept and the
//!   next; "P1 and P3 on one line" would cut corners. Step 26 also keeps a vertex that is blocked, which
//!   no vertex is here: the map does not change during a search. Its other caveat, the height between
//!   two vertices, is no part of the listing.
//!
//! `astar-mod-fixed` is what the paper is after, put right. Entries that were overtaken are dropped.
//! The multiplier is gone, so paths are cheapest ones; of equally cheap ways back from the goal the one
//! that goes straight farthest is taken, which is what the multiplier was for. The post-processing takes the
//! paper's two caveats seriously ([`Path::simplified`](crate::Path::simplified)): it keeps vertices that
//! are blocked, and with `deviation=METRES` those without which the path would leave the ground by more.

use crate::engine::best_first::{Outcome, Space};
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::Entry;
use crate::engine::scratch::{Frontier, Task};
use crate::engine::trace::{Event, Trace};
use crate::rules::cost::{Cost, Tariff};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Budget, Error, Grid, Memory, Moves, Path, Planner, Query, Scratch, Stats, Status};

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The listing; whether the length of a step counts, and whether diagonal arrivals count √2.
    Published { base: bool, multiplier: bool },
    /// The corrected one; how far in metres the path may leave the ground.
    Fixed { deviation: Option<f64> },
}

#[derive(Debug)]
pub(crate) struct AStarMod {
    desk: Desk,
    kind: Kind,
    /// Whether vertices in the middle of straight stretches are removed.
    post: bool,
}

/// The memory of one search and what it may spend.
struct Work<'a> {
    fresh: bool,
    frontier: &'a mut Frontier<u64>,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    path: &'a mut Path,
}

impl AStarMod {
    pub fn new(name: &'static str, kind: Kind, post: bool, grid: &Grid, moves: Moves) -> Self {
        Self { desk: Desk::new(name, grid, moves), kind, post }
    }

    fn search(&self, grid: &Grid, task: &Task, work: Work<'_>) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<u64>::new(grid, moves);
        let heuristic = self.desk.heuristic(&task.query);
        let goal = task.goal_cell;
        let estimator = Estimator::new(heuristic, &tariff, (goal.x, goal.y));
        if let Some(slope) = moves.slope() {
            let space = |way| Hills::new(grid, (moves, slope), &tariff, heuristic, goal, way);
            let spaces = (&space(Way::Forward), &space(Way::Backward));
            self.run(grid, task, &tariff, &estimator, spaces, work)
        } else if grid.has_costs() {
            let space = Cells::<u64, true>::new(grid, moves, tariff, estimator);
            self.run(grid, task, &tariff, &estimator, (&space, &space), work)
        } else {
            let space = Cells::<u64, false>::new(grid, moves, tariff, estimator);
            self.run(grid, task, &tariff, &estimator, (&space, &space), work)
        }
    }

    fn run<S: Space<u64>>(
        &self,
        grid: &Grid,
        task: &Task,
        tariff: &Tariff<u64>,
        estimator: &Estimator<u64>,
        (space, back): (&S, &S),
        work: Work<'_>,
    ) -> Outcome {
        let Work { fresh, frontier, meter, stats, trace, path } = work;
        let rows = grid.rows();
        let [start, goal] = [task.start_cell, task.goal_cell].map(|c| rows.position(c.x, c.y));
        let published = matches!(self.kind, Kind::Published { .. });
        let multiplied = matches!(self.kind, Kind::Published { multiplier: true, .. });
        let priority = |node: u32, g: u64, d: u8| {
            if !published {
                return g + space.estimate(node);
            }
            let (x, y) = rows.coordinates(node);
            let h = estimator.estimate(x, y);
            let diagonal = multiplied && d < 8 && d & 1 != 0;
            g + if diagonal { (h as f64 * std::f64::consts::SQRT_2) as u64 } else { h }
        };
        // What of a step does not count.
        let free_part = |d: u8| match self.kind {
            Kind::Published { base: false, .. } => {
                let unit = if d & 1 != 0 { tariff.diagonal } else { tariff.straight };
                unit.times(tariff.one_sum)
            }
            _ => 0,
        };
        if fresh {
            frontier.begin(rows.positions(), tariff.usual_step());
            frontier.nodes.set(start, 0, ROOT);
            // "Add SV to the queue with priority equal to 0."
            let total = if published { 0 } else { priority(start, 0, ROOT) };
            frontier.open.push(Entry { total, g: 0, node: start });
        }
        let Frontier { nodes, open, pruned, .. } = frontier;
        let max_cost = task.query.cost_limit().map_or(u64::MAX, |limit| tariff.floor(limit));
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let Some(Entry { total, g: queued, node }) = open.pop() else {
                return if *pruned { Outcome::Limit } else { Outcome::Exhausted };
            };
            let Some((g, tag)) = nodes.get(node) else { continue };
            if !published && g != queued {
                continue; // an entry from before the node was improved
            }
            if node == goal {
                break;
            }
            if stats.expanded >= max_expansions {
                return Outcome::Limit;
            }
            meter.pay();
            stats.expanded += 1;
            stats.reexpanded += u64::from(nodes.is_closed(node));
            nodes.close(node);
            if let Some(trace) = trace {
                let (g, f) = (tariff.length(g), tariff.length(total));
                trace.push(Event::Expanded { at: space.place(node), g, f });
            }
            space.expand(node, tag, |next, step, d| {
                let g = g + step.saturating_sub(free_part(d));
                let known = nodes.get(next);
                if known.is_some_and(|known| known.0 <= g) {
                    return;
                }
                if g > max_cost {
                    *pruned = true;
                    return;
                }
                nodes.set(next, g, d);
                let total = priority(next, g, d);
                open.push(Entry { total, g, node: next });
                stats.opened += 1;
                stats.improved += u64::from(known.is_some());
                if let Some(trace) = trace {
                    let (at, g, f) = (space.place(next), tariff.length(g), tariff.length(total));
                    trace.push(if known.is_none() {
                        Event::Opened { at, g, f }
                    } else {
                        Event::Improved { at, g, f }
                    });
                }
            });
            stats.largest_open = stats.largest_open.max(open.len() as u64);
        }
        let mut node = goal;
        path.push(space.place(node));
        let mut heading = ROOT;
        while let Some((_, tag)) = nodes.get(node).filter(|node| node.1 != ROOT) {
            heading = if published { tag } else { straightest(back, nodes, node, tag, heading) };
            node = space.back(node, heading);
            path.push(space.place(node));
        }
        path.reverse();
        match self.kind {
            _ if !self.post => {}
            Kind::Published { .. } => path.remove_collinear(),
            Kind::Fixed { deviation } => path.simplify(grid, self.desk.moves(), deviation),
        }
        Outcome::Goal
    }
}

/// The step by which a way back from a node goes on: straight if that is as cheap, else in the
/// direction that stays straight for longest. `back` takes steps backwards, `heading` is the step taken
/// last, and `tag` the one that the search found.
fn straightest<S: Space<u64>>(
    back: &S,
    nodes: &NodeTable<u64>,
    node: u32,
    tag: u8,
    heading: u8,
) -> u8 {
    // The directions of the last steps of cheapest ways to a node, as bits.
    let last_steps = |node: u32| {
        let mut found = 0u8;
        let cost = nodes.g(node);
        back.expand(node, ROOT, |before, step, d| {
            let tight =
                nodes.get(before).is_some_and(|known| known.0.checked_add(step) == Some(cost));
            found |= u8::from(tight) << ((d + 4) & 7);
        });
        found
    };
    let choices = last_steps(node);
    if heading < 8 && choices >> heading & 1 != 0 {
        return heading;
    }
    let straight = |d: u8| {
        let (mut length, mut at) = (0, node);
        while last_steps(at) >> d & 1 != 0 {
            (length, at) = (length + 1, back.back(at, d));
        }
        length
    };
    let mut best = (0, tag);
    for d in (0..8).filter(|&d| choices >> d & 1 != 0) {
        let length = straight(d);
        if length > best.0 {
            best = (length, d);
        }
    }
    best.1
}

impl Planner for AStarMod {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let fresh = !std::mem::replace(&mut task.started, true);
        let Scratch { wide: frontier, stats, trace, path, .. } = &mut *scratch;
        let meter = &mut Meter::new(budget);
        let work = Work { fresh, frontier, meter, stats, trace, path };
        let outcome = self.search(grid, &task, work);
        let success = task.success;
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        Ok(Default::default())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory()
    }
}
