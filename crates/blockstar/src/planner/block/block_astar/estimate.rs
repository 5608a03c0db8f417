//! Estimates of the remaining cost, for each kind of distance.

use crate::engine::Problem;
use crate::planner::block::tables::Distance;
use crate::rules::cost::{Cost, StepCosts};
use crate::rules::heuristic::Estimator;
use crate::{Grid, Heuristic, Moves};

/// A kind of distance with its estimates, for cells or corners by their coordinates.
pub(super) trait Estimate: Distance {
    type Estimator: Copy;

    /// Estimates for the goal of a problem, times a weight.
    fn estimator(problem: &Problem<'_>, weight: f64) -> Self::Estimator;

    fn estimate(estimator: &Self::Estimator, x: u32, y: u32) -> Self;

    /// The largest weight for which estimates fit. A search with a smaller weight than asked for
    /// keeps its promise, and above ten or so weights hardly change the order.
    fn largest_weight(grid: &Grid, moves: Moves) -> f64;

    /// The largest total of an entry for which all sums are sure to fit, in units of the key; blocks
    /// have this many cells.
    fn ceiling(grid: &Grid, moves: Moves, weight: f64, cells: u64) -> Self::Key;

    /// The largest cost not above a length in cells, with some allowance for rounding.
    fn limit(grid: &Grid, moves: Moves, length: f64) -> Self::Key;

    /// The width of the queue's buckets, in units of the key, times 16.
    fn queue_step(grid: &Grid, moves: Moves) -> Self::Key;

    /// The totals of a block's points, given their costs and places in the block. Only for corners.
    fn totals(
        estimator: &Self::Estimator,
        origin: (u32, u32),
        places: &Places<Self>,
        costs: &[Self],
        totals: &mut [Self],
    ) {
        let _ = (estimator, origin, places, costs, totals);
    }

    /// What a cost is in cells.
    fn length(self, grid: &Grid, moves: Moves) -> f64;
}

/// Where the slots of a block are in it, as distances. Only for corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Places<D> {
    pub x: Vec<D>,
    pub y: Vec<D>,
}

/// An estimate between cells.
#[derive(Clone, Copy)]
pub(super) struct CellEstimator<C> {
    unweighted: Estimator<C>,
    /// In 1/1024.
    weight: u64,
}

fn estimate_cell<C: Cost>(estimator: &CellEstimator<C>, x: u32, y: u32) -> C {
    let h = estimator.unweighted.estimate(x, y);
    if estimator.weight == 1024 {
        return h;
    }
    let h = h.to_u64();
    C::from_u64(h / 1024 * estimator.weight + h % 1024 * estimator.weight / 1024)
}

/// An estimate between points.
#[derive(Clone, Copy)]
pub(super) struct PointEstimator<D> {
    heuristic: Heuristic,
    x: D,
    y: D,
    scale: D,
}

macro_rules! estimate_cells {
    ($integer:ty) => {
        impl Estimate for $integer {
            type Estimator = CellEstimator<Self>;

            fn estimator(problem: &Problem<'_>, weight: f64) -> Self::Estimator {
                let step_costs = StepCosts::<Self>::new(problem.grid, problem.moves);
                let goal = problem.goal_cell();
                let unweighted = Estimator::new(problem.heuristic(), &step_costs, (goal.x, goal.y));
                CellEstimator { unweighted, weight: (weight * 1024.0) as u64 }
            }

            #[inline]
            fn estimate(estimator: &Self::Estimator, x: u32, y: u32) -> Self {
                estimate_cell(estimator, x, y)
            }

            fn largest_weight(grid: &Grid, moves: Moves) -> f64 {
                let largest = StepCosts::<Self>::new(grid, moves).largest_estimate(grid);
                (Self::FAR / 2) as f64 / largest as f64
            }

            fn ceiling(grid: &Grid, moves: Moves, weight: f64, cells: u64) -> Self {
                let step_costs = StepCosts::<Self>::new(grid, moves);
                let way = step_costs.dearest_step().saturating_mul(cells);
                let weight = weight as u64 + 1;
                let reserve = step_costs.largest_estimate(grid).saturating_mul(weight);
                let far = Self::FAR.to_u64();
                Self::from_u64(far.saturating_sub(way.saturating_add(reserve)))
            }

            fn limit(grid: &Grid, moves: Moves, length: f64) -> Self {
                StepCosts::<Self>::new(grid, moves).floor(length)
            }

            fn queue_step(grid: &Grid, moves: Moves) -> Self {
                StepCosts::<Self>::new(grid, moves).usual_step()
            }

            fn length(self, grid: &Grid, moves: Moves) -> f64 {
                StepCosts::<Self>::new(grid, moves).length(self)
            }
        }
    };
}

macro_rules! estimate_points {
    ($float:ty) => {
        impl Estimate for $float {
            type Estimator = PointEstimator<Self>;

            fn estimator(problem: &Problem<'_>, weight: f64) -> Self::Estimator {
                let (grid, goal) = (problem.grid, problem.goal());
                let least = if grid.has_costs() {
                    f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE)
                } else {
                    1.0
                };
                PointEstimator {
                    heuristic: problem.heuristic(),
                    x: goal.x() as Self,
                    y: goal.y() as Self,
                    scale: (least * weight) as Self,
                }
            }

            #[inline]
            fn estimate(estimator: &Self::Estimator, x: u32, y: u32) -> Self {
                let (dx, dy) = (x as Self - estimator.x, y as Self - estimator.y);
                length(estimator.heuristic, dx, dy) * estimator.scale
            }

            fn largest_weight(_: &Grid, _: Moves) -> f64 {
                f64::INFINITY
            }

            fn ceiling(_: &Grid, _: Moves, _: f64, _: u64) -> Self::Key {
                <Self::Key as Cost>::MAX
            }

            fn limit(_: &Grid, _: Moves, length: f64) -> Self::Key {
                ((length * (1.0 + 1e-5)) as Self).key()
            }

            fn queue_step(_: &Grid, _: Moves) -> Self::Key {
                // Keys are bits: at a total of 256 cells this is one cell.
                let cell = 257.0 as Self;
                cell.to_bits() - (256.0 as Self).to_bits()
            }

            #[inline(always)]
            fn totals(
                estimator: &Self::Estimator,
                origin: (u32, u32),
                places: &Places<Self>,
                costs: &[Self],
                totals: &mut [Self],
            ) {
                let goal = (estimator.x - origin.0 as Self, estimator.y - origin.1 as Self);
                let (scale, heuristic) = (estimator.scale, estimator.heuristic);
                let points = places.x.iter().zip(&places.y).zip(costs).zip(totals);
                if heuristic == Heuristic::Euclidean {
                    for (((x, y), cost), total) in points {
                        let (dx, dy) = (x - goal.0, y - goal.1);
                        *total = cost + (dx * dx + dy * dy).sqrt() * scale;
                    }
                } else {
                    for (((x, y), cost), total) in points {
                        *total = cost + length(heuristic, x - goal.0, y - goal.1) * scale;
                    }
                }
            }

            fn length(self, _: &Grid, _: Moves) -> f64 {
                self.into()
            }
        }
    };
}

/// The estimated length of a way that leads that far right and down.
#[inline]
fn length<F>(heuristic: Heuristic, dx: F, dy: F) -> F
where
    F: Copy + Into<f64> + Distance,
{
    let (dx, dy): (f64, f64) = (dx.into().abs(), dy.into().abs());
    F::from_length(match heuristic {
        Heuristic::Euclidean => (dx * dx + dy * dy).sqrt(),
        Heuristic::Zero => 0.0,
        Heuristic::Manhattan => dx + dy,
        Heuristic::Chebyshev => dx.max(dy),
        Heuristic::Octile => dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy),
    })
}

estimate_cells!(u32);
estimate_cells!(u64);
estimate_points!(f32);
estimate_points!(f64);
