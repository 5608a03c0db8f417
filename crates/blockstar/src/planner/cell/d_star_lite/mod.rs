//! D* Lite: one goal, a start that moves, a map that changes; the search is kept and repaired.
//!
//! S. Koenig & M. Likhachev, *D\* Lite*, 2002, the optimised version. A search from the goal keeps
//! two costs for each cell: `g`, the one it was last expanded with, and the *offer*, the least that
//! its neighbours' `g` promise it (the paper's rhs). Where the two agree, nothing needs to be done.
//! An edit changes the offers of the cells around it; cells whose offer and `g` differ are expanded
//! in the order of an estimate, until none of them can matter to the start. When the start moves,
//! every estimate in the queue changes by at most the estimate between the two starts. Instead of
//! changing them all, that amount is added to whatever is queued from then on (`km`), and an
//! outdated entry is corrected when its turn comes.
//!
//! Like Block A*'s, the search is kept in the scratch memory and reused only if the query [says
//! so](crate::Query::reuse), the planner, the goal and the heuristic are the same, and the map's
//! list of edits reaches back far enough; otherwise the planner starts a new search, which is A*
//! from the goal. A search that was abandoned halfway is as good as a finished one. The path of a
//! reused search costs the same as that of a new one, but may be another of equally short ones.
//!
//! **What differs from the paper.** It orders by estimate and then by cost, the least first, so
//! that of equally promising cells those far from the start come first: on open ground with eight
//! moves nearly all cells between start and goal tie, and all would be expanded. Here, cells that
//! become cheaper and cells that become more expensive are in two queues ([`tree`]); at a tie the
//! latter go first, and among the former the last one goes first, as in A*. That is enough. When
//! the search ends, every cell left in the queue of more expensive cells has an estimate above the
//! start's cost, and no cell in the other queue has one below it. So on the way that the offers
//! describe from the start, no cell's `g` is less than its offer: the way can be walked at its
//! price. And on a cheaper way, the cell nearest the goal whose `g` is too high would be in the
//! queue of cheaper cells with an estimate below the start's cost. (`km` grows by one unit more
//! than the estimate, because Euclidean estimates are rounded down.)
//!
//! The cells around an edit get their offers from all their neighbours, as in the paper's first
//! version: the costs of steps before the edit are no longer known.

mod tree;

use crate::engine::best_first::Space;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::rules::slope::Way;
use crate::space::cells::Cells;
use crate::space::hills::Hills;
use crate::{Algorithm, Event, Promise};
use tree::{NONE, Origin, Steps, Tree};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "d-star-lite",
    summary: "D* Lite: keeps its search while the start moves and the map changes (query reuse)",
    source: "Koenig & Likhachev 2002",
    promise: Promise::Optimal,
    terrain: true,
    heights: true,
    avoids: true,
    must_admit: Some("cells are expanded again only for edits: use `octile`"),
    make: |_, grid, moves| Ok(Driver::boxed(DStarLite, grid, moves)),
    ..Algorithm::BASE
};

#[derive(Clone, Debug)]
struct DStarLite;

impl Method for DStarLite {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let Problem { grid, moves, .. } = *problem;
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let (start, heuristic) = (problem.start_cell(), problem.heuristic());
        let tree = pool.get::<Tree>();
        if let Some(slope) = moves.slope() {
            let hills = |way| Hills::new(grid, (moves, slope), &step_costs, heuristic, start, way);
            let (back, ahead) = (hills(Way::Backward), hills(Way::Forward));
            return Ok(run(
                tree,
                &Steps { back: &back, ahead: &ahead, step_costs },
                problem,
                slice,
            ));
        }
        let estimator = Estimator::new(heuristic, &step_costs, (start.x, start.y));
        let cells = Cells::new(grid, moves, step_costs, estimator);
        Ok(run(tree, &Steps { back: &cells, ahead: &cells, step_costs }, problem, slice))
    }
}

fn run<S: Space<u64>>(
    tree: &mut Tree,
    steps: &Steps<'_, S>,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
) -> Outcome {
    let start = problem.start_node();
    if slice.is_fresh() {
        let origin = Origin::new(problem);
        let kept = problem.query().wants_reuse() && tree.follow(problem, steps, origin);
        if !kept {
            tree.begin(problem, steps, origin);
        }
        slice.stats().reused = kept;
    }
    let length = |cost: u64| steps.step_costs.length(cost);
    let limit = problem.query().cost_limit().map_or(NONE, |limit| steps.step_costs.floor(limit));
    loop {
        if slice.is_spent() {
            return Outcome::Paused;
        }
        let Some((kind, entry)) = tree.first(start) else { break };
        if entry.total.saturating_sub(tree.km()) > limit {
            return Outcome::Limit;
        }
        let current = tree.key(steps, entry);
        if entry.total < current {
            tree.put_right(kind, current);
            continue;
        }
        if slice.stats.expanded >= problem.max_expansions() {
            return Outcome::Limit;
        }
        slice.expand();
        let (g, f) = (length(entry.g), length(entry.total - tree.km()));
        slice.record(|| Event::Expanded { at: steps.back.place(entry.node), from: None, g, f });
        slice.stats.opened += tree.expand(kind, steps);
        slice.stats.largest_open = slice.stats.largest_open.max(tree.open_len());
    }
    if tree.offer(start) == NONE {
        return Outcome::Exhausted;
    }
    slice.write_path(tree.way(start, steps).map(|node| steps.back.place(node)));
    Outcome::Goal
}
