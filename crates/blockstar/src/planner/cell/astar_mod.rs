//! A*MOD: A* for natural paths on height maps, as published and as corrected.
//!
//! J. Smołka, K. Miszta, M. Skublewska-Paszkowska & E. Łukasik, *A\* pathfinding algorithm
//! modification for a 3D engine*, 2019. It makes three changes to A*: the estimate is the Chebyshev
//! distance; a vertex reached by a diagonal step is queued with its estimate times √2, so that
//! paths do not zigzag; and vertices in the middle of straight stretches are removed at the end.
//!
//! `astar-mod` is the published listing. Its queue holds duplicates, and entries that have been
//! overtaken are expanded again like any other. What the listing leaves open or gets wrong:
//!
//! * Step 12, "the cost of path from SV to NV", is not defined anywhere, and the sum of signed
//!   differences in equation 3 falls along the way, so there would be no cheapest path at all. Here
//!   the movement rule decides what a step costs, as for every planner; under
//!   [`papers::astar_mod_slope`](crate::papers::astar_mod_slope) that is K · (1 + |difference of
//!   heights|) with the K of equation 3. `base=0` drops the 1: level ground then costs nothing, and
//!   nothing is promised. (`multiplier=off` drops the √2: with the Manhattan distance, that is the
//!   A* that the paper compares with.)
//! * The loop of step 11 must run over steps 12 to 18, and the post-processing as printed loses the
//!   last vertex of its list, which is the start. Both are corrected; otherwise there would be no
//!   path.
//! * Overtaken entries are not dropped, and the queue is not monotone: across an SRTM tile of 1201
//!   x 1201 heights, 28 million entries are taken off the queue; A* takes 0.83 million.
//! * The estimate depends on the step by which a vertex was reached. It can exceed the true
//!   remaining cost by a factor of up to √2, and the path can exceed the optimum by as much.
//! * The post-processing removes vertices in line with the last one kept and the next, as for all
//!   planners here (`post=off` keeps them); "P1 and P3 on one line" would cut corners. Step 26 also
//!   keeps a blocked vertex, but here there is none: the map does not change during a search. Its
//!   other caveat, the height between two vertices, is not part of the listing.
//!
//! `astar-mod-fixed` does correctly what the paper is after. Overtaken entries are dropped. Without
//! the multiplier, paths are optimal; among equally cheap ways back from the goal it takes the one
//! that stays straight longest, which was the purpose of the multiplier. The post-processing takes
//! the paper's two caveats seriously ([`Path::simplified`](crate::Path::simplified)): it keeps
//! blocked vertices and, with `deviation=METRES`, those without which the path would leave the
//! ground by more than that.

use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::{NodeTable, ROOT};
use crate::engine::open_list::Entry;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::registry::{kind, parameters, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Algorithm, Event, Grid, Heuristic, Moves, Parameter, Planner, PlannerSpec, Promise};
use std::f64::consts::SQRT_2;

/// What the two rows have in common.
const BASE: Algorithm = Algorithm {
    // The first of the paper's three changes.
    heuristic: Some(Heuristic::Chebyshev),
    terrain: true,
    heights: true,
    avoids: true,
    ..Algorithm::BASE
};

pub(crate) const PUBLISHED: Algorithm = Algorithm {
    name: "astar-mod",
    summary: "A*MOD as published: fewer bends, estimates of diagonal arrivals times √2",
    source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019",
    promise: Promise::Within(SQRT_2),
    // If level ground costs nothing, the estimate is unrelated to costs.
    promise_with: Some(|spec, _| match spec.word("base") {
        "0" => Promise::Complete,
        _ => Promise::Within(SQRT_2),
    }),
    parameters: &[
        POST,
        Parameter::new(
            "base",
            "0|1",
            "1",
            "whether the length of a step counts, or only its difference of heights",
        ),
        Parameter::new(
            "multiplier",
            "on|off",
            "on",
            "count the estimates of diagonal arrivals √2 times",
        ),
    ],
    make: |spec, grid, moves| {
        let base = spec.word("base") == "1";
        let kind = ModKind::Published { base, multiplier: spec.is_on("multiplier") };
        Ok(planner(spec, kind, grid, moves))
    },
    ..BASE
};

pub(crate) const FIXED: Algorithm = Algorithm {
    name: "astar-mod-fixed",
    summary: "A*MOD corrected: cheapest paths, of these the straightest, simplified with care",
    source: "Smołka, Miszta, Skublewska-Paszkowska & Łukasik 2019, corrected here",
    promise: Promise::Optimal,
    parameters: &[
        POST,
        Parameter::new(
            "deviation",
            "METRES|off",
            "off",
            "keep the points without which the path would leave the ground by more than this",
        ),
    ],
    make: |spec, grid, moves| {
        let kind = ModKind::Fixed { deviation: spec.metres("deviation") };
        Ok(planner(spec, kind, grid, moves))
    },
    ..BASE
};

settings! { kind::AstarMod:
    /// Counts only the differences of heights, not the lengths of steps.
    without_lengths() = "base", "0";
    /// Does not multiply the estimates of diagonal arrivals by √2.
    without_multiplier() = "multiplier", "off";
}

settings! { kind::AstarModFixed:
    /// How far, in metres, the simplified path may leave the ground.
    deviation(metres: f64) = "deviation", metres;
}

parameters! {
    POST = "post", "on|off", "on",
        "leave out the points in the middle of straight stretches; `off` keeps one in every cell";
}

fn planner(spec: &PlannerSpec, kind: ModKind, grid: &Grid, moves: Moves) -> Box<dyn Planner> {
    Driver::boxed(AStarMod { kind, post: spec.is_on(POST.name) }, grid, moves)
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ModKind {
    /// The listing; whether the length of a step counts, and whether diagonal arrivals count √2.
    Published { base: bool, multiplier: bool },
    /// The corrected one; how far in metres the path may leave the ground.
    Fixed { deviation: Option<f64> },
}

#[derive(Clone, Debug)]
struct AStarMod {
    kind: ModKind,
    /// Whether vertices in the middle of straight stretches are removed.
    post: bool,
}

impl Method for AStarMod {
    fn row(&self) -> &'static Algorithm {
        match self.kind {
            ModKind::Published { .. } => &PUBLISHED,
            ModKind::Fixed { .. } => &FIXED,
        }
    }

    /// All points without post-processing, and those that hold the path to the ground. Otherwise
    /// the driver does the listing's post-processing.
    fn keeps_points(&self) -> bool {
        !self.post || self.deviation().is_some()
    }

    /// Always on wide costs.
    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let (goal, heuristic) = (problem.goal_cell(), problem.heuristic());
        let estimator = Estimator::new(heuristic, &step_costs, (goal.x, goal.y));
        let frontier = pool.get();
        Ok(if let Some(slope) = moves.slope() {
            let space = |way| Hills::new(grid, (moves, slope), &step_costs, heuristic, goal, way);
            let spaces = (&space(Way::Forward), &space(Way::Backward));
            self.run(problem, (&step_costs, &estimator), spaces, slice, frontier)
        } else {
            let space = &Cells::new(grid, moves, step_costs, estimator);
            self.run(problem, (&step_costs, &estimator), (space, space), slice, frontier)
        })
    }
}

impl AStarMod {
    /// How far in metres a simplified path may leave the ground, if that is bounded.
    fn deviation(&self) -> Option<f64> {
        match self.kind {
            ModKind::Published { .. } => None,
            ModKind::Fixed { deviation } => deviation,
        }
    }

    /// Runs until the goal is reached, the queue is empty or the budget is spent. `back` takes
    /// steps backwards.
    fn run<S: Space<u64>>(
        &self,
        problem: &Problem<'_>,
        (step_costs, estimator): (&StepCosts<u64>, &Estimator<u64>),
        (space, back): (&S, &S),
        slice: &mut Slice<'_>,
        frontier: &mut Frontier<u64>,
    ) -> Outcome {
        let rows = problem.grid.rows();
        let (start, goal) = (problem.start_node(), problem.goal_node());
        let published = matches!(self.kind, ModKind::Published { .. });
        let multiplied = matches!(self.kind, ModKind::Published { multiplier: true, .. });
        let priority = |node: u32, g: u64, d: u8| {
            if !published {
                return g + space.estimate(node);
            }
            let (x, y) = rows.coordinates(node);
            let h = estimator.estimate(x, y);
            let diagonal = multiplied && d < 8 && d & 1 != 0;
            g + if diagonal { (h as f64 * SQRT_2) as u64 } else { h }
        };
        // The part of a step that does not count.
        let free_part = |d: u8| match self.kind {
            ModKind::Published { base: false, .. } => {
                let unit = if d & 1 != 0 { step_costs.diagonal } else { step_costs.straight };
                unit.times(step_costs.one_sum)
            }
            _ => 0,
        };
        if slice.is_fresh() {
            frontier.begin(rows.positions(), step_costs.usual_step());
            frontier.nodes.set(start, 0, ROOT);
            // "Add SV to the queue with priority equal to 0."
            let total = if published { 0 } else { priority(start, 0, ROOT) };
            frontier.open.push(Entry { total, g: 0, node: start });
        }
        let Frontier { nodes, open, pruned, .. } = frontier;
        let Slice { meter, stats, trace, path, .. } = slice;
        let max_cost =
            problem.query().cost_limit().map_or(u64::MAX, |limit| step_costs.floor(limit));
        let max_expansions = problem.max_expansions();
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
                let (g, f) = (step_costs.length(g), step_costs.length(total));
                let from = (tag != ROOT).then(|| space.place(space.back(node, tag)));
                trace.push(Event::Expanded { at: space.place(node), from, g, f });
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
                    let (at, g, f) =
                        (space.place(next), step_costs.length(g), step_costs.length(total));
                    let from = Some(space.place(node));
                    trace.push(if known.is_none() {
                        Event::Opened { at, from, g, f }
                    } else {
                        Event::Improved { at, from, g, f }
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
        if let Some(deviation) = self.deviation().filter(|_| self.post) {
            path.simplify(problem.grid, problem.moves, Some(deviation));
        }
        Outcome::Goal
    }
}

/// The next step on the way back from a node: straight ahead if that is as cheap, otherwise in the
/// direction that stays straight longest. `back` takes steps backwards, `heading` is the last step
/// taken, and `tag` the one that the search found.
fn straightest<S: Space<u64>>(
    back: &S,
    nodes: &NodeTable<u64>,
    node: u32,
    tag: u8,
    heading: u8,
) -> u8 {
    // The last steps of the cheapest ways to a node: directions as bits.
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
