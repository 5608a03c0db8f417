//! Iterative deepening A*: depth-first search below a limit on g + h, repeated with growing limits.
//!
//! R. Korf, *Depth-First Iterative-Deepening*, 1985. The game-programming course recommends it for
//! its low memory (nothing but the current path), for almost straight paths, and for searching
//! again while another agent stands in the way. On grids, plain IDA* drowns in transpositions:
//! thousands of equally long paths lead to the same cell. Three things help here, and none costs
//! optimality:
//!
//! * on unweighted maps with eight moves, successors are pruned to the canonical, diagonal-first
//!   ones of jump point search ([`jps`](super::jps)), so on open ground each cell is reached once;
//! * a transposition table (parameter `table`, on by default) holds the cost at which each cell was
//!   reached in this round, and a cell is entered again only at a lower cost. It takes 16 bytes per
//!   cell; without it, memory is proportional to the length of the path;
//! * the limit grows to the least total that exceeded it, as published, but at least by half of
//!   what it has grown so far: octile maps have hundreds of distinct totals, and a round for each
//!   would be wasteful. The first path found in a round may then not be the best, so the round goes
//!   on with the limit just below that path's cost until nothing is left below it.

use super::jps::SUCCESSORS;
use crate::engine::frontier::Frontier;
use crate::engine::memory_pool::SearchMemory;
use crate::engine::nodes::ROOT;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::registry::{kind, settings};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, step_table};
use crate::rules::slope::Incline;
use crate::{Algorithm, Cell, Event, Heuristic, Parameter, Point, Promise, Rule};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "ida-star",
    summary: "Iterative deepening A*: little memory, good on almost straight paths",
    source: "Korf 1985",
    promise: Promise::Optimal,
    terrain: true,
    heights: true,
    parameters: &[Parameter::new(
        "table",
        "on|off",
        "on",
        "keep a transposition table, 16 bytes per cell",
    )],
    make: |spec, grid, moves| {
        Ok(Driver::boxed(IdaStar { table: spec.is_on("table") }, grid, moves))
    },
    must_reach: true,
    ..Algorithm::BASE
};

settings! { kind::IdaStar:
    /// Keeps no transposition table: saves 16 bytes per cell, but a cell reached in many ways is
    /// searched as many times.
    without_table() = "table", "off";
}

#[derive(Clone, Debug)]
pub(crate) struct IdaStar {
    /// Whether to keep a transposition table.
    table: bool,
}

/// The search memory of iterative deepening: the current path.
#[derive(Debug, Default)]
pub(crate) struct Deepening {
    frames: Vec<Frame>,
    limit: u64,
    /// The least total that exceeded the limit in this round.
    next_limit: u64,
    first_limit: u64,
    /// The cost and the nodes of the best path found in this round.
    best: u64,
    best_path: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u32,
    /// The directions not yet tried.
    left: u8,
    g: u64,
}

impl Deepening {
    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.best_path.capacity() * 4
    }
}

impl SearchMemory for Deepening {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// Directions by how little they turn away from the first.
const BY_TURN: [u8; 8] = [0, 1, 7, 2, 6, 3, 5, 4];

impl Method for IdaStar {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let Problem { grid, moves, .. } = *problem;
        let (goal_cell, heuristic) = (problem.goal_cell(), problem.heuristic());
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let estimator = Estimator::new(heuristic, &step_costs, (goal_cell.x, goal_cell.y));
        let incline = moves.slope().map(|slope| Incline::new(moves, slope));
        let goal_height = grid.height_at(goal_cell).unwrap_or(0.0);
        let estimate = |node: u32, x: u32, y: u32| {
            let flat = estimator.estimate(x, y);
            match (&incline, grid.heights()) {
                (Some(incline), Some(heights)) if heuristic != Heuristic::Zero => {
                    flat + incline.penalty(heights[node as usize], goal_height)
                }
                _ => flat,
            }
        };
        let (start, goal) = (problem.start_node(), problem.goal_node());
        let max_cost =
            problem.query().cost_limit().map_or(u64::MAX, |limit| step_costs.floor(limit));
        let max_expansions = problem.max_expansions();
        let rows = grid.rows();
        let stride = rows.stride() as i32;
        let (Frontier { nodes, .. }, deepening) = pool.get_two::<Frontier<u64>, Deepening>();
        // Whether there has been a round.
        let mut begun = !slice.is_fresh();
        if !begun {
            deepening.frames.clear();
            deepening.first_limit = estimate(start, problem.start_cell().x, problem.start_cell().y);
            deepening.limit = deepening.first_limit;
        }
        let Slice { meter, stats, trace, path, .. } = slice;
        let outcome = 'search: loop {
            if deepening.frames.is_empty() {
                // A round is over, or none has begun.
                if begun {
                    if deepening.best != u64::MAX {
                        break Outcome::Goal;
                    }
                    if deepening.next_limit == u64::MAX {
                        break Outcome::Exhausted;
                    }
                    if deepening.next_limit > max_cost {
                        break Outcome::Limit;
                    }
                }
                // The start is expanded once in each round.
                if stats.expanded >= max_expansions {
                    break Outcome::Limit;
                }
                if meter.is_spent() {
                    break Outcome::Paused;
                }
                meter.pay();
                let before = if begun { deepening.limit } else { 0 };
                if begun {
                    let grown = deepening.limit - deepening.first_limit;
                    let least = deepening.first_limit + grown + grown / 2;
                    deepening.limit = deepening.next_limit.max(least);
                }
                begun = true;
                stats.rounds += 1;
                deepening.next_limit = u64::MAX;
                deepening.best = u64::MAX;
                if self.table {
                    nodes.begin(rows.positions());
                    nodes.set(start, 0, ROOT);
                }
                let left = directions(problem, start, ROOT);
                deepening.frames.push(Frame { node: start, left, g: 0 });
                stats.expanded += 1;
                if let Some(trace) = trace {
                    let at = problem.start();
                    let [before, bound, f] = [before, deepening.limit, deepening.first_limit]
                        .map(|cost| step_costs.length(cost));
                    trace.push(Event::Round { at, before, bound });
                    trace.push(Event::Expanded { at, from: None, g: 0.0, f });
                }
            }
            while let Some(frame) = deepening.frames.last_mut() {
                if frame.left == 0 {
                    deepening.frames.pop();
                    continue;
                }
                // The untried direction that turns least away from the goal.
                let (x, y) = rows.coordinates(frame.node);
                let toward = direction_to(x, y, goal_cell);
                let turn = BY_TURN.iter().find(|&&t| frame.left >> ((toward + t) & 7) & 1 != 0);
                let d = (toward + turn.copied().unwrap_or(0)) & 7;
                let (dx, dy) = (Direction::DX[d as usize], Direction::DY[d as usize]);
                let next = frame.node.wrapping_add_signed(dx + dy * stride);
                let step = if let Some(incline) = &incline {
                    let Some(step) = incline.between(grid, frame.node, next, d & 1 != 0) else {
                        frame.left &= !(1 << d);
                        continue;
                    };
                    step
                } else {
                    let unit = if d & 1 != 0 { step_costs.diagonal } else { step_costs.straight };
                    unit.times(grid.factors().map_or(1, |factors| {
                        u32::from(factors[frame.node as usize]) + u32::from(factors[next as usize])
                    }))
                };
                let g = frame.g + step;
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let total = g + estimate(next, x, y);
                let known = if self.table { nodes.g(next) } else { u64::MAX };
                let enters = total <= deepening.limit.min(max_cost) && g < known && next != goal;
                if enters {
                    if stats.expanded >= max_expansions {
                        break 'search Outcome::Limit;
                    }
                    if meter.is_spent() {
                        break 'search Outcome::Paused;
                    }
                    meter.pay();
                }
                frame.left &= !(1 << d);
                if total > deepening.limit.min(max_cost) {
                    // Totals between a found path and the limit it lowered do not matter.
                    deepening.next_limit = deepening.next_limit.min(total);
                    continue;
                }
                if g >= known {
                    continue;
                }
                if self.table {
                    nodes.set(next, g, d);
                }
                if next == goal {
                    deepening.best = g;
                    deepening.limit = g - 1;
                    deepening.best_path.clear();
                    deepening.best_path.extend(deepening.frames.iter().map(|frame| frame.node));
                    deepening.best_path.push(goal);
                    continue;
                }
                let left = directions(problem, next, d);
                deepening.frames.push(Frame { node: next, left, g });
                stats.expanded += 1;
                stats.opened += 1;
                stats.largest_open = stats.largest_open.max(deepening.frames.len() as u64);
                if let Some(trace) = trace {
                    let (g, f) = (step_costs.length(g), step_costs.length(total));
                    let (at, back) = (Cell::new(x, y).centre(), (-dx, -dy));
                    let from = Some(at.moved(back.0 * Point::UNITS, back.1 * Point::UNITS));
                    trace.push(Event::Expanded { at, from, g, f });
                }
            }
        };
        if outcome == Outcome::Goal {
            for &node in &deepening.best_path {
                let (x, y) = rows.coordinates(node);
                path.push(Cell::new(x, y).centre());
            }
        }
        Ok(outcome)
    }
}

/// The directions worth trying from a cell.
fn directions(problem: &Problem<'_>, node: u32, tag: u8) -> u8 {
    let Problem { grid, moves, .. } = *problem;
    let around = grid.rows().around(node);
    let rule = match moves.rule() {
        Rule::Eight => 0,
        Rule::EightCutOne => 1,
        Rule::EightCutAny => 2,
        _ => 3,
    };
    if rule < 3 && !grid.has_costs() && moves.slope().is_none() {
        return SUCCESSORS[rule][tag as usize][around];
    }
    let legal = step_table(moves.rule())[around];
    if tag == ROOT { legal } else { legal & !(1 << ((tag + 4) & 7)) }
}

/// The direction from (x, y) that points best to the goal.
fn direction_to(x: u32, y: u32, goal: Cell) -> u8 {
    let (dx, dy) = (goal.x as i32 - x as i32, goal.y as i32 - y as i32);
    let (sx, sy) = (dx.signum(), dy.signum());
    // Diagonal while both differ, as canonical paths go.
    (0..8)
        .find(|&d| Direction::DX[d as usize] == sx && Direction::DY[d as usize] == sy)
        .unwrap_or(0)
}
