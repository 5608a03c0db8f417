//! Fringe search: iterative deepening that remembers where it stopped.
//!
//! Y. Björnsson, M. Enzenberger, R. Holte & J. Schaeffer, *Fringe Search: Beating A\* at
//! Pathfinding on Game Maps*, 2005. Like IDA* it works in rounds with a growing limit on g + h, but
//! a round continues from the *fringe*, the nodes that the last round left for later, instead of
//! from the start. The fringe is a linked list that is walked from front to back: nodes beyond the
//! limit stay, others are expanded and replaced by their successors. There is no open list to keep
//! sorted; the price is that every round looks at the whole fringe again.
//!
//! What differs from the paper: octile costs have hundreds of distinct totals, and a round for each
//! would be wasteful. The limit therefore grows to the least total beyond it plus a quarter of a
//! straight step. A path found within a round may then not be the best, so the round goes on with
//! the limit just below its cost; when it ends, every node left has a total of at least that cost,
//! so the path is optimal.

use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::ROOT;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, SearchMemory, Searched, Slice};
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Algorithm, Event, Promise};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "fringe",
    summary: "Fringe search: iterative deepening that goes on where the last round stopped",
    source: "Björnsson, Enzenberger, Holte & Schaeffer 2005",
    promise: Promise::Optimal,
    terrain: true,
    heights: true,
    make: |_, grid, moves| Ok(Driver::boxed(FringeSearch, grid, moves)),
    avoids: true,
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
struct FringeSearch;

/// The fringe as a linked list over nodes, and how far the round has come. Costs are always stored
/// as wide numbers. Node 0 belongs to no cell; it stands for both ends of the list.
#[derive(Debug, Default)]
struct Fringe {
    next: Vec<u32>,
    previous: Vec<u32>,
    len: u64,
    /// The node whose turn it is; 0 at the end of a round.
    at: u32,
    limit: u64,
    /// The least total beyond the limit in this round.
    least: u64,
    /// The cost of the best path found so far.
    best: u64,
}

const END: u32 = 0;

impl SearchMemory for Fringe {
    fn bytes(&self) -> usize {
        (self.next.capacity() + self.previous.capacity()) * 4
    }
}

impl Fringe {
    /// Begins with the start alone, whose total is `total`.
    fn begin(&mut self, count: usize, start: u32, total: u64) {
        if self.next.len() < count {
            (self.next, self.previous) = (vec![END; count], vec![END; count]);
        }
        (self.next[END as usize], self.previous[END as usize]) = (END, END);
        (self.len, self.at) = (0, start);
        (self.limit, self.least, self.best) = (total, u64::MAX, u64::MAX);
        self.insert(start, END);
    }

    fn insert(&mut self, node: u32, after: u32) {
        let next = self.next[after as usize];
        (self.next[node as usize], self.previous[node as usize]) = (next, after);
        (self.next[after as usize], self.previous[next as usize]) = (node, node);
        self.len += 1;
    }

    fn remove(&mut self, node: u32) {
        let (previous, next) = (self.previous[node as usize], self.next[node as usize]);
        (self.next[previous as usize], self.previous[next as usize]) = (next, previous);
        self.len -= 1;
    }

    /// Passes over the node whose turn it is; it stays for a later round.
    fn pass(&mut self, total: u64) {
        self.least = self.least.min(total);
        self.at = self.next[self.at as usize];
    }
}

impl Method for FringeSearch {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        problem.grid.has_costs() || problem.moves.slope().is_some()
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        Ok(if !problem.is_wide() {
            search_cells::<u32>(problem, slice, pool)
        } else if let Some(slope) = problem.moves.slope() {
            let step_costs = StepCosts::<u64>::new(problem.grid, problem.moves);
            let (rule, to) = ((problem.moves, slope), problem.goal_cell());
            let hills =
                Hills::new(problem.grid, rule, &step_costs, problem.heuristic(), to, Way::Forward);
            run(&hills, step_costs, problem, slice, pool)
        } else {
            search_cells::<u64>(problem, slice, pool)
        })
    }
}

fn search_cells<C: Cost>(
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Outcome {
    let (step_costs, to) = (StepCosts::<C>::new(problem.grid, problem.moves), problem.goal_cell());
    let estimator = Estimator::new(problem.heuristic(), &step_costs, (to.x, to.y));
    let cells = Cells::<C>::new(problem.grid, problem.moves, step_costs, estimator);
    run(&cells, step_costs, problem, slice, pool)
}

fn run<C: Cost, S: Space<C>>(
    space: &S,
    step_costs: StepCosts<C>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    pool: &mut MemoryPool,
) -> Outcome {
    let (Frontier { nodes, pruned, .. }, fringe) = pool.get_two::<Frontier<C>, Fringe>();
    let (goal, count) = (problem.goal_node(), problem.grid.rows().positions());
    if slice.is_fresh() {
        let start = problem.start_node();
        nodes.begin(count);
        nodes.set(start, C::ZERO, ROOT);
        *pruned = false;
        fringe.begin(count, start, space.estimate(start).to_u64());
    }
    let max_cost = problem.query().cost_limit().map_or(C::MAX, |limit| step_costs.floor(limit));
    let admissible = problem.heuristic().is_admissible_for_steps(problem.moves);
    let reserve = step_costs.dearest_step() + step_costs.largest_estimate(problem.grid);
    let ceiling = C::from_u64(C::MAX.to_u64().saturating_sub(reserve));
    let slack = step_costs.usual_step().to_u64() / 4;
    loop {
        if slice.is_spent() {
            return Outcome::Paused;
        }
        let node = fringe.at;
        if node == END {
            // The round is over.
            if fringe.best != u64::MAX && (fringe.best <= fringe.least || fringe.len == 0) {
                break;
            }
            if fringe.len == 0 {
                return if *pruned { Outcome::Limit } else { Outcome::Exhausted };
            }
            if admissible && fringe.least > max_cost.to_u64() {
                return Outcome::Limit;
            }
            let limit = fringe.least.saturating_add(slack);
            let before = fringe.limit;
            fringe.limit = limit.min(fringe.best.saturating_sub(1));
            slice.record(|| {
                let length = |cost: u64| step_costs.length(C::from_u64(cost));
                let (at, before, bound) = (problem.start(), length(before), length(fringe.limit));
                Event::Round { at, before, bound }
            });
            (fringe.least, fringe.at) = (u64::MAX, fringe.next[END as usize]);
            slice.stats.rounds += 1;
            continue;
        }
        let Some((g, tag)) = nodes.get(node) else { return Outcome::Exhausted };
        let total = (g + space.estimate(node)).to_u64();
        if total > fringe.limit {
            fringe.pass(total);
            continue;
        }
        if node == goal {
            // Better paths may follow in this round, but only below this cost.
            fringe.best = g.to_u64();
            fringe.limit = fringe.best.saturating_sub(1);
            fringe.pass(u64::MAX);
            fringe.remove(goal);
            nodes.close(goal);
            continue;
        }
        if slice.stats.expanded >= problem.max_expansions() {
            return Outcome::Limit;
        }
        if g > ceiling {
            return Outcome::Overflow;
        }
        slice.expand();
        let lengths = |g: C, total: C| (step_costs.length(g), step_costs.length(total));
        slice.record(|| {
            let (g, f) = lengths(g, g + space.estimate(node));
            let from = (tag != ROOT).then(|| space.place(space.back(node, tag)));
            Event::Expanded { at: space.place(node), from, g, f }
        });
        space.expand(node, tag, |next, step, tag| {
            let g = g + step;
            let known = nodes.g(next);
            if known <= g {
                return;
            }
            if g > max_cost {
                *pruned = true;
                return;
            }
            // Closed nodes are those that have left the fringe.
            if known != C::MAX && !nodes.is_closed(next) {
                fringe.remove(next);
            }
            fringe.insert(next, node);
            nodes.set(next, g, tag);
            slice.stats.opened += 1;
            slice.stats.improved += u64::from(known != C::MAX);
            slice.record(|| {
                let (at, (g, f)) = (space.place(next), lengths(g, g + space.estimate(next)));
                let from = Some(space.place(node));
                match known == C::MAX {
                    true => Event::Opened { at, from, g, f },
                    false => Event::Improved { at, from, g, f },
                }
            });
        });
        fringe.at = fringe.next[node as usize];
        fringe.remove(node);
        nodes.close(node);
        slice.stats.largest_open = slice.stats.largest_open.max(fringe.len);
    }
    let mut node = goal;
    slice.path.push(space.place(node));
    while let Some((_, tag)) = nodes.get(node).filter(|node| node.1 != ROOT) {
        node = space.back(node, tag);
        slice.path.push(space.place(node));
    }
    slice.path.reverse();
    Outcome::Goal
}
