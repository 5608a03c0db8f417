//! Heuristics: estimates of the remaining cost.

use crate::rules::by_name;
use crate::rules::cost::{Cost, StepCosts};
use crate::{Moves, Point, Rule};

/// An estimate of the remaining cost.
///
/// An estimate that never exceeds the true remaining cost is *admissible*; with it, A* is optimal.
///
/// | heuristic | `FOUR` | eight-way rules and the corner lattice | any angle |
/// |---|---|---|---|
/// | zero | admissible | admissible | admissible |
/// | Chebyshev | admissible | admissible | admissible |
/// | Euclidean | admissible | admissible | admissible, **default** |
/// | octile | admissible | admissible, **default** | *not*: it counts steps |
/// | Manhattan | admissible, **default** | *not*: a diagonal step counts double | *not* |
///
/// All of them are scaled to the cheapest terrain factor on the map, and the Euclidean one also to
/// diagonals of 1.4, so that the table holds for every grid. All but Manhattan on eight moves are
/// also *consistent* to the last unit (no step changes the estimate by more than its cost), so A*
/// never expands a cell twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Heuristic {
    /// No estimate: A* becomes Dijkstra's algorithm.
    Zero,
    /// |dx| + |dy|.
    Manhattan,
    /// max(|dx|, |dy|).
    Chebyshev,
    /// The cost of a path on an empty map with eight moves.
    Octile,
    /// The straight-line distance.
    Euclidean,
}

impl Heuristic {
    /// Every heuristic.
    pub const ALL: &[Self] =
        &[Self::Zero, Self::Manhattan, Self::Chebyshev, Self::Octile, Self::Euclidean];

    /// The most informed admissible heuristic for a movement rule.
    pub const fn default_for(moves: Moves) -> Self {
        match moves.rule() {
            Rule::Four => Self::Manhattan,
            Rule::AnyAngle | Rule::AnyAngleSqueeze => Self::Euclidean,
            _ => Self::Octile,
        }
    }

    /// Whether the heuristic never overestimates under a movement rule. Under the any-angle rules
    /// these are only the heuristics that never exceed the straight line. Paths on the corner
    /// lattice, which [some planners](crate::Algorithm::lattice) are content with, are longer, and
    /// the octile estimate does not overestimate *those*.
    pub const fn is_admissible(self, moves: Moves) -> bool {
        match self {
            Self::Zero | Self::Chebyshev | Self::Euclidean => true,
            Self::Octile => !moves.rule().is_any_angle(),
            Self::Manhattan => matches!(moves.rule(), Rule::Four),
        }
    }

    /// Whether the heuristic never overestimates a path of steps, between cells or on the lattice of
    /// corner points.
    pub(crate) const fn is_admissible_for_steps(self, moves: Moves) -> bool {
        !matches!(self, Self::Manhattan) || matches!(moves.rule(), Rule::Four)
    }

    /// The estimated length of the way from one point to another.
    #[inline]
    pub(crate) fn length(self, a: Point, b: Point) -> f64 {
        if self == Self::Euclidean {
            return a.distance(b);
        }
        let (dx, dy) = ((a.x() - b.x()).abs(), (a.y() - b.y()).abs());
        match self {
            Self::Zero => 0.0,
            Self::Manhattan => dx + dy,
            Self::Chebyshev => dx.max(dy),
            _ => dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy),
        }
    }

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Manhattan => "manhattan",
            Self::Chebyshev => "chebyshev",
            Self::Octile => "octile",
            Self::Euclidean => "euclidean",
        }
    }
}

by_name! { Heuristic, "heuristic" }

/// A heuristic for one goal: a rectangle of lattice points, usually a single one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimator<C> {
    heuristic: Heuristic,
    low: (u32, u32),
    high: (u32, u32),
    straight: C,
    /// How much more a diagonal step costs than a straight one.
    extra: C,
    /// The square of the largest Euclidean scale at which no step is overestimated.
    squared: u128,
}

impl<C: Cost> Estimator<C> {
    pub fn new(heuristic: Heuristic, step_costs: &StepCosts<C>, goal: (u32, u32)) -> Self {
        Self::to_rectangle(heuristic, step_costs, goal, goal)
    }

    /// Estimates the cost to the nearest point of the rectangle from `low` to `high`.
    pub fn to_rectangle(
        heuristic: Heuristic,
        step_costs: &StepCosts<C>,
        low: (u32, u32),
        high: (u32, u32),
    ) -> Self {
        let straight = step_costs.straight.times(step_costs.least_sum);
        let diagonal = step_costs.diagonal.times(step_costs.least_sum);
        let square = |cost: C| u128::from(cost.to_u64()).pow(2);
        let squared = square(straight).min(square(diagonal) / 2);
        Self { heuristic, low, high, straight, extra: diagonal - straight, squared }
    }

    /// The same in half cells. Exact on weighted terrain and on slopes, where costs are even.
    pub fn in_halves(self) -> Self {
        let half = |cost: C| C::from_u64(cost.to_u64() / 2);
        Self {
            low: (2 * self.low.0, 2 * self.low.1),
            high: (2 * self.high.0, 2 * self.high.1),
            straight: half(self.straight),
            extra: half(self.extra),
            squared: self.squared / 4,
            ..self
        }
    }

    /// The estimate for the lattice point (`x`, `y`).
    #[inline]
    pub fn estimate(&self, x: u32, y: u32) -> C {
        let beyond = |v: u32, low: u32, high: u32| low.saturating_sub(v) + v.saturating_sub(high);
        let dx = beyond(x, self.low.0, self.high.0);
        let dy = beyond(y, self.low.1, self.high.1);
        match self.heuristic {
            Heuristic::Octile => octile(self.straight, self.extra, dx, dy),
            Heuristic::Zero => C::ZERO,
            Heuristic::Manhattan => self.straight.times(dx + dy),
            Heuristic::Chebyshev => self.straight.times(dx.max(dy)),
            Heuristic::Euclidean => {
                let distance_squared =
                    u64::from(dx) * u64::from(dx) + u64::from(dy) * u64::from(dy);
                C::scaled_root(self.squared, distance_squared)
            }
        }
    }
}

/// The octile distance: the cost of a path to a cell `dx` columns and `dy` rows away, on open
/// ground with eight moves. `extra` is how much more a diagonal step costs than a straight one.
#[inline]
pub(crate) fn octile<C: Cost>(straight: C, extra: C, dx: u32, dy: u32) -> C {
    straight.times(dx.max(dy)) + extra.times(dx.min(dy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagonal, Grid};

    /// No step changes an admissible estimate by more than its cost: for every vector up to 40 x 40
    /// and some far ones, with both diagonal lengths, narrow and wide.
    #[test]
    fn estimates_are_consistent_to_the_last_unit() {
        fn check<C: Cost>(grid: &Grid, moves: Moves) {
            let step_costs = StepCosts::<C>::new(grid, moves);
            let [straight, diagonal] =
                [step_costs.straight, step_costs.diagonal].map(|c| c.times(step_costs.least_sum));
            for &heuristic in Heuristic::ALL.iter().filter(|h| h.is_admissible(moves)) {
                let estimator = Estimator::new(heuristic, &step_costs, (0, 0));
                let h = |x, y| estimator.estimate(x, y);
                assert_eq!(h(0, 0), C::ZERO);
                for base in [0, 977, 16_000] {
                    for x in base..base + 40 {
                        for y in 0..40 {
                            assert!(h(x + 1, y) <= h(x, y) + straight, "{heuristic} {x},{y}");
                            assert!(h(x, y) <= h(x + 1, y) + straight);
                            if moves.rule() != Rule::Four {
                                assert!(h(x + 1, y + 1) <= h(x, y) + diagonal);
                                assert!(h(x, y) <= h(x + 1, y + 1) + diagonal);
                                assert!(h(x + 1, y) <= h(x, y + 1) + diagonal);
                            }
                        }
                    }
                }
            }
        }
        let plain = Grid::new(2, 2).unwrap();
        let mut weighted = plain.clone();
        weighted.set_costs(&[3.0, 2.5, 9.0, 250.0]).unwrap();
        for moves in [Moves::FOUR, Moves::EIGHT, Moves::EIGHT.with_diagonal(Diagonal::OnePointFour)]
        {
            check::<u32>(&plain, moves);
            check::<u64>(&plain, moves);
            check::<u64>(&weighted, moves);
        }
    }
}
