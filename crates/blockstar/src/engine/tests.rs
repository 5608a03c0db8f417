//! Tests of the best-first loop over spaces of their own.

use crate::engine::best_first::{self, Orders, Priority, Space};
use crate::engine::budget::Meter;
use crate::engine::frontier::Frontier;
use crate::engine::gate::Gate;
use crate::engine::{MemoryPool, Outcome, Problem, Slice};
use crate::grid::components::Components;
use crate::grid::shadow::Shadow;
use crate::random::Random;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Budget, Cell, Grid, Heuristic, Moves, Point, Query, Rule, Scratch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps from cell to cell with an estimate from a list.
struct Estimated<'a> {
    cells: Cells<'a, u64>,
    estimates: &'a [u64],
}

impl Space<u64> for Estimated<'_> {
    fn expand(&self, node: u32, tag: u8, reach: impl FnMut(u32, u64, u8)) {
        self.cells.expand(node, tag, reach);
    }

    fn estimate(&self, node: u32) -> u64 {
        self.estimates[node as usize]
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        self.cells.back(node, tag)
    }

    fn place(&self, node: u32) -> Point {
        self.cells.place(node)
    }
}

/// The course's fact: if the estimate exceeds the true remaining cost by at most δ, the path found
/// costs at most δ more than the best one. Exact distances plus random noise, on many maps.
#[test]
fn overestimating_by_at_most_delta_costs_at_most_delta() {
    let mut random = Random::new(3);
    let mut pool = MemoryPool::default();
    let (mut searches, mut worse, mut worst) = (0, 0, 0.0f64);
    for round in 0..3000 {
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let (width, height) = (2 + random.below(14) as u32, 2 + random.below(14) as u32);
        let blocked = random.below(40);
        let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
        let mut cell =
            || Cell::new(random.below(width.into()) as u32, random.below(height.into()) as u32);
        let (start, goal) = (cell(), cell());
        let rows = grid.rows();
        let [from, to] = [start, goal].map(|cell| rows.position(cell.x, cell.y));
        let step_costs = StepCosts::<u64>::new(&grid, moves);
        let estimator = Estimator::new(Heuristic::Zero, &step_costs, (0, 0));
        let cells = Cells::<u64>::new(&grid, moves, step_costs, estimator);
        let mut exact = vec![u64::MAX; rows.positions()];
        let mut waiting = BinaryHeap::from([Reverse((0, to))]);
        while let Some(Reverse((g, node))) = waiting.pop() {
            if g < exact[node as usize] {
                exact[node as usize] = g;
                cells.expand(node, crate::engine::nodes::ROOT, |next, step, _| {
                    waiting.push(Reverse((g + step, next)));
                });
            }
        }
        let best = exact[from as usize];
        if start == goal || !grid.is_free(start) || !grid.is_free(goal) || best == u64::MAX {
            continue;
        }
        let delta = [0, 1, 3][random.below(3) as usize] * step_costs.straight.to_u64() / 2
            + random.below(2 * step_costs.straight.to_u64());
        let noisy = |&h: &u64| if h == u64::MAX { 0 } else { h + random.below(delta + 1) };
        let estimates: Vec<u64> = exact.iter().map(noisy).collect();
        let space = Estimated { cells, estimates: &estimates };

        let components = &Components::new(&grid, moves.rule());
        let row = &crate::planner::cell::astar::ASTAR;
        let gate = Gate { row, moves, components, version: grid.version() };
        let query = Query::new(start, goal);
        let task = &gate.open(&grid, &query, &mut Shadow::default(), &mut pool).unwrap();
        let problem = Problem { grid: &grid, map: &grid, masked: &[], moves, task, components };
        let mut orders = Orders::new(&problem, step_costs, Priority::AStar, Heuristic::Zero, to);
        orders.admissible = false;
        let Scratch { stats, trace, path, walk, closest, .. } = &mut Scratch::new();
        let meter = &mut Meter::new(Budget::UNLIMITED);
        let mut slice = Slice { fresh: true, meter, stats, trace, path, walk, closest };
        let frontier = pool.get::<Frontier<u64>>();
        frontier.begin(rows.positions(), step_costs.usual_step());
        frontier.seed(&space, &orders, from, 0);
        let outcome = best_first::search(&space, &orders, frontier, &mut slice);
        assert_eq!(outcome, Outcome::Goal);
        let cost = frontier.nodes.g(to);
        assert!(best <= cost && cost <= best + delta, "{best} {delta} {cost}");
        searches += 1;
        worse += u32::from(cost > best);
        if delta > 0 {
            worst = worst.max((cost - best) as f64 / delta as f64);
        }
    }
    // The bound was really tested.
    assert!(searches > 1500 && worse > 50 && worst > 0.3, "{searches} {worse} {worst}");
}
