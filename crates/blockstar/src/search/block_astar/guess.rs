//! Estimates of the remaining cost, for each kind of distance.

use crate::cost::{Cost, Tariff};
use crate::heuristic::Estimator;
use crate::lddb::Measure;
use crate::scratch::Task;
use crate::{Grid, Heuristic, Moves};

/// A measure with its estimates: of cells by their coordinates, of corners likewise.
pub(super) trait Estimate: Measure {
    type Guess: Copy;

    /// The estimates for the goal of a task, times a weight.
    fn guess(
        grid: &Grid,
        moves: Moves,
        task: &Task,
        heuristic: Heuristic,
        weight: f64,
    ) -> Self::Guess;

    fn estimate(guess: &Self::Guess, x: u32, y: u32) -> Self;

    /// The largest total of an entry from which on sums might not fit, in the units of the key.
    fn ceiling(grid: &Grid, moves: Moves, weight: f64, block: u32) -> Self::Key;

    /// The largest cost not above a length in cells, with some allowance for rounding.
    fn limit(grid: &Grid, moves: Moves, length: f64) -> Self::Key;

    /// What a cost is in cells.
    fn length(self, grid: &Grid, moves: Moves) -> f64;
}

/// An estimate between cells.
#[derive(Clone, Copy)]
pub(super) struct CellGuess<C> {
    estimator: Estimator<C>,
    /// In 1/1024.
    weight: u64,
}

fn estimate_cell<C: Cost>(guess: &CellGuess<C>, x: u32, y: u32) -> C {
    let h = guess.estimator.estimate(x, y);
    if guess.weight == 1024 {
        return h;
    }
    let h = h.to_u64();
    C::from_u64(h / 1024 * guess.weight + h % 1024 * guess.weight / 1024)
}

/// An estimate between points.
#[derive(Clone, Copy)]
pub(super) struct PointGuess<D> {
    heuristic: Heuristic,
    x: D,
    y: D,
    scale: D,
}

macro_rules! estimate_cells {
    ($integer:ty) => {
        impl Estimate for $integer {
            type Guess = CellGuess<Self>;

            fn guess(
                grid: &Grid,
                moves: Moves,
                task: &Task,
                heuristic: Heuristic,
                weight: f64,
            ) -> Self::Guess {
                let tariff = Tariff::<Self>::new(grid, moves);
                let goal = (task.goal_cell.x, task.goal_cell.y);
                let estimator = Estimator::new(heuristic, &tariff, goal);
                CellGuess { estimator, weight: (weight * 1024.0) as u64 }
            }

            #[inline]
            fn estimate(guess: &Self::Guess, x: u32, y: u32) -> Self {
                estimate_cell(guess, x, y)
            }

            fn ceiling(grid: &Grid, moves: Moves, weight: f64, side: u32) -> Self {
                let tariff = Tariff::<Self>::new(grid, moves);
                let way = tariff.dearest_step().saturating_mul(u64::from(side * side));
                let weight = weight as u64 + 1;
                let reserve = tariff.largest_estimate(grid).saturating_mul(weight);
                let far = Self::FAR.to_u64();
                Self::from_u64(far.saturating_sub(way.saturating_add(reserve)))
            }

            fn limit(grid: &Grid, moves: Moves, length: f64) -> Self {
                Tariff::<Self>::new(grid, moves).floor(length)
            }

            fn length(self, grid: &Grid, moves: Moves) -> f64 {
                Tariff::<Self>::new(grid, moves).length(self)
            }
        }
    };
}

macro_rules! estimate_points {
    ($float:ty) => {
        impl Estimate for $float {
            type Guess = PointGuess<Self>;

            fn guess(
                grid: &Grid,
                _: Moves,
                task: &Task,
                heuristic: Heuristic,
                weight: f64,
            ) -> Self::Guess {
                let least = if grid.has_costs() {
                    f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE)
                } else {
                    1.0
                };
                PointGuess {
                    heuristic,
                    x: task.goal.x() as Self,
                    y: task.goal.y() as Self,
                    scale: (least * weight) as Self,
                }
            }

            #[inline]
            fn estimate(guess: &Self::Guess, x: u32, y: u32) -> Self {
                let dx = (x as Self - guess.x).abs();
                let dy = (y as Self - guess.y).abs();
                let length = match guess.heuristic {
                    Heuristic::Euclidean => (dx * dx + dy * dy).sqrt(),
                    Heuristic::Zero => 0.0,
                    Heuristic::Manhattan => dx + dy,
                    Heuristic::Chebyshev => dx.max(dy),
                    Heuristic::Octile => {
                        let extra = std::f64::consts::SQRT_2 as Self - 1.0;
                        dx.max(dy) + extra * dx.min(dy)
                    }
                };
                length * guess.scale
            }

            fn ceiling(_: &Grid, _: Moves, _: f64, _: u32) -> Self::Key {
                <Self::Key as Cost>::MAX
            }

            fn limit(_: &Grid, _: Moves, length: f64) -> Self::Key {
                crate::cost::Real(length * (1.0 + 1e-5))
            }

            fn length(self, _: &Grid, _: Moves) -> f64 {
                self.into()
            }
        }
    };
}

estimate_cells!(u32);
estimate_cells!(u64);
estimate_points!(f32);
estimate_points!(f64);
