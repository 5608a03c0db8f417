//! The islands for one query: level by level, each with an estimate of the way onward.

use crate::Cell;
use crate::engine::Problem;
use crate::regions::sectors::{Labels, Sectors};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;

/// The most islands of a level that a search heads for.
pub(super) const MOST: usize = 8;

/// An island and the estimate of the way from there to the goal, over those that follow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Island {
    pub node: u32,
    pub onward: u64,
}

/// The levels of islands between a start and a goal.
#[derive(Debug, Default)]
pub(super) struct Chain {
    islands: Vec<Island>,
    /// Where each level ends in the list.
    ends: Vec<usize>,
}

impl Chain {
    pub fn clear(&mut self) {
        self.islands.clear();
        self.ends.clear();
    }

    pub fn levels(&self) -> usize {
        self.ends.len()
    }

    pub fn level(&self, index: usize) -> &[Island] {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.islands[first..self.ends[index]]
    }

    pub fn bytes(&self) -> usize {
        self.islands.capacity() * size_of::<Island>() + self.ends.capacity() * size_of::<usize>()
    }

    fn add(&mut self, node: u32) {
        self.islands.push(Island { node, onward: 0 });
    }

    /// Ends a level, keeping only every nth of its islands if there are too many; a level without
    /// islands is dropped.
    fn end_level(&mut self) {
        let first = self.ends.last().copied().unwrap_or(0);
        let step = (self.islands.len() - first).div_ceil(MOST).max(1);
        let kept = (self.islands.len() - first).div_ceil(step);
        for index in 0..kept {
            self.islands[first + index] = self.islands[first + index * step];
        }
        self.islands.truncate(first + kept);
        if kept > 0 {
            self.ends.push(self.islands.len());
        }
    }

    /// Takes the levels that the user named, forwards or backwards, with the islands that can be
    /// reached from the start.
    pub fn take_named(&mut self, levels: &[Vec<Cell>], backwards: bool, problem: &Problem<'_>) {
        self.clear();
        let (grid, start) = (problem.grid, problem.start_node());
        for index in 0..levels.len() {
            let index = if backwards { levels.len() - 1 - index } else { index };
            for cell in levels[index].iter().filter(|cell| grid.is_free(**cell)) {
                let node = grid.rows().position(cell.x, cell.y);
                if problem.connects(node, start) {
                    self.add(node);
                }
            }
            self.end_level();
        }
    }

    /// Takes the doors at regular intervals along a route of regions, which lists the goal's first.
    pub fn take_doors(
        &mut self,
        route: &[u32],
        every: usize,
        sectors: &Sectors,
        problem: &Problem<'_>,
        labels: &mut [Labels; 2],
    ) {
        self.clear();
        let doors = (1..route.len()).rev().map(|at| (route[at], route[at - 1]));
        for pair in doors.skip(every / 2).step_by(every) {
            sectors.doors(problem.map, pair, labels, |node| {
                if problem.grid.rows().get(node) {
                    self.add(node);
                }
            });
            self.end_level();
        }
    }

    /// Estimates the ways onward, from the last level back; returns that from the start.
    pub fn look_onward(&mut self, problem: &Problem<'_>, step_costs: &StepCosts<u64>) -> u64 {
        let rows = problem.grid.rows();
        let estimate = |from: u32, to: u32| {
            let ((x, y), to) = (rows.coordinates(from), rows.coordinates(to));
            let estimator = Estimator::new(problem.heuristic(), step_costs, to);
            estimator.estimate(x, y)
        };
        let goal = Island { node: problem.goal_node(), onward: 0 };
        let mut after = (self.islands.len(), self.islands.len());
        let best = |from: u32, next: &[Island]| {
            let next = if next.is_empty() { std::slice::from_ref(&goal) } else { next };
            next.iter().map(|to| estimate(from, to.node) + to.onward).min().unwrap_or(0)
        };
        for level in (0..self.levels()).rev() {
            let first = level.checked_sub(1).map_or(0, |before| self.ends[before]);
            let (these, next) = self.islands[first..after.1].split_at_mut(after.0 - first);
            these.iter_mut().for_each(|island| island.onward = best(island.node, next));
            after = (first, after.0);
        }
        best(problem.start_node(), &self.islands[after.0..after.1])
    }
}
