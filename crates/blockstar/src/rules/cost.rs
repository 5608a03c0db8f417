//! Costs inside a search are exact integers.
//!
//! A straight step costs 5741 units and a diagonal one 8119. As 8119/5741 is a convergent of √2,
//! sums of steps order exactly like their true lengths as long as the numbers of diagonals differ
//! by less than 5741, and to 1 part in 10^8 beyond that. This is the *narrow* cost, `u32`, with
//! half the memory traffic of a wide one. A search that gets near the end of `u32` (a path of half
//! a million steps) starts over with *wide* costs (see [`Driver`](crate::engine::Driver)): nothing
//! ever overflows silently.
//!
//! The *wide* cost is `u64` with units 195025 and 275807. On weighted terrain a step costs its unit
//! times the *sum* of its two cells' factors in 1/256, so between cells of factor 1 it costs its
//! unit 512 times. The longest simple path has 2^28 cells, the largest factor sum is 2^17, and
//! 275807 < 2^18.1, so every sum of steps stays below 2^63.1.
//!
//! Both convergents lie *below* √2, so an integer cost never exceeds the true one.
//!
//! On [slopes](crate::Slope) costs are wide too, with the units of weighted terrain; planners
//! refuse maps whose longest path might not fit.
//!
//! Any-angle paths have no common unit; their cost is a [`Real`] number.

use crate::rules::slope::Incline;
use crate::{Diagonal, Grid, Moves};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, Sub};

/// A cost: an integer, `u32` or `u64`, or a [`Real`] number.
pub(crate) trait Cost:
    Copy + Ord + Default + Debug + Add<Output = Self> + Sub<Output = Self> + Send + Sync + 'static
{
    /// A node table entry. An array, so that a new table comes zeroed from the allocator and
    /// untouched pages cost nothing.
    type Slot: Copy + Debug + Send + Sync;

    /// Whether these are the wide costs. Terrain and slopes always use wide costs, so their code
    /// need not exist for narrow ones.
    const WIDE: bool;
    const MAX: Self;
    const ZERO_SLOT: Self::Slot;
    const ZERO: Self;
    /// The units of a straight step and of a diagonal one of length √2.
    const UNITS: (Self, Self);

    fn from_u64(value: u64) -> Self;
    fn to_u64(self) -> u64;
    fn times(self, factor: u32) -> Self;
    fn slot(g: Self, meta: u32) -> Self::Slot;
    fn slot_g(slot: Self::Slot) -> Self;
    fn slot_meta(slot: Self::Slot) -> u32;
    /// floor(sqrt(squared * distance_squared)).
    fn scaled_root(squared: u128, distance_squared: u64) -> Self;
}

/// An integer as a cost: whether it is the wide one, its units, and what the two do differently.
macro_rules! integer_cost {
    ($integer:ty, wide: $wide:literal, units: $units:expr, $($own:item)*) => {
        impl Cost for $integer {
            type Slot = [Self; 2];

            const WIDE: bool = $wide;
            const MAX: Self = Self::MAX;
            const ZERO: Self = 0;
            const ZERO_SLOT: Self::Slot = [0; 2];
            const UNITS: (Self, Self) = $units;

            #[inline]
            fn to_u64(self) -> u64 {
                self.into()
            }
            #[inline]
            fn times(self, factor: u32) -> Self {
                self * Self::from(factor)
            }
            #[inline]
            fn slot(g: Self, meta: u32) -> Self::Slot {
                [g, meta.into()]
            }
            #[inline]
            fn slot_g(slot: Self::Slot) -> Self {
                slot[0]
            }
            #[inline]
            fn slot_meta(slot: Self::Slot) -> u32 {
                slot[1] as u32
            }
            $($own)*
        }
    };
}

integer_cost! { u32, wide: false, units: (5741, 8119),
    fn from_u64(value: u64) -> Self {
        u32::try_from(value).unwrap_or(u32::MAX)
    }

    #[inline]
    fn scaled_root(squared: u128, distance_squared: u64) -> Self {
        // At most 5741² * 2 * 16384² < 2^54. The floating-point root is right or off by one;
        // integers decide.
        let product = squared as u64 * distance_squared;
        let mut root = (product as f64).sqrt() as u64;
        if root * root > product {
            root -= 1;
        } else if (root + 1) * (root + 1) <= product {
            root += 1;
        }
        root as u32
    }
}

integer_cost! { u64, wide: true, units: (195_025, 275_807),
    fn from_u64(value: u64) -> Self {
        value
    }

    // The 128-bit root is much code, and would be inlined twice in every loop.
    #[inline(never)]
    fn scaled_root(squared: u128, distance_squared: u64) -> Self {
        (squared * u128::from(distance_squared)).isqrt() as u64
    }
}

/// A cost that is a real number, for any-angle searches: lengths in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Real(pub f64);

impl Eq for Real {}

impl PartialOrd for Real {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    // One instruction each, where the total order takes several. The two agree, since no cost is
    // NaN or -0.
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.0 < other.0
    }

    #[inline]
    fn le(&self, other: &Self) -> bool {
        self.0 <= other.0
    }

    #[inline]
    fn gt(&self, other: &Self) -> bool {
        self.0 > other.0
    }

    #[inline]
    fn ge(&self, other: &Self) -> bool {
        self.0 >= other.0
    }
}

impl Ord for Real {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Add for Real {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Real {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Real {
    /// The unit of [`Cost::to_u64`]: 2^20 per cell.
    const GRAIN: f64 = 1_048_576.0;
}

impl Cost for Real {
    type Slot = [u64; 2];

    const WIDE: bool = true;
    const MAX: Self = Self(f64::INFINITY);
    const ZERO: Self = Self(0.0);
    const ZERO_SLOT: [u64; 2] = [0; 2];
    const UNITS: (Self, Self) = (Self(1.0), Self(std::f64::consts::SQRT_2));

    fn from_u64(value: u64) -> Self {
        Self(value as f64 / Self::GRAIN)
    }
    #[inline]
    fn to_u64(self) -> u64 {
        (self.0 * Self::GRAIN) as u64
    }
    #[inline]
    fn times(self, factor: u32) -> Self {
        Self(self.0 * f64::from(factor))
    }
    #[inline]
    fn slot(g: Self, meta: u32) -> [u64; 2] {
        [g.0.to_bits(), meta.into()]
    }
    #[inline]
    fn slot_g(slot: [u64; 2]) -> Self {
        Self(f64::from_bits(slot[0]))
    }
    #[inline]
    fn slot_meta(slot: [u64; 2]) -> u32 {
        slot[1] as u32
    }
    #[inline]
    fn scaled_root(squared: u128, distance_squared: u64) -> Self {
        Self((squared as f64 * distance_squared as f64).sqrt() / Self::GRAIN)
    }
}

/// What steps cost on one grid under one movement rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepCosts<C> {
    /// A straight step, per unit of the factor sum on weighted terrain.
    pub straight: C,
    /// A diagonal step, likewise.
    pub diagonal: C,
    /// The factor sum of the cheapest step: 1 without terrain.
    pub least_sum: u32,
    /// The factor sum of a step between cells of factor 1: 1 without terrain and slopes, else 512.
    pub one_sum: u32,
    /// On slopes, upper bounds on the cost of a step and on the penalty between any two cells.
    steepest: Option<(u64, u64)>,
}

impl<C: Cost> StepCosts<C> {
    /// The units of a straight and of a diagonal step.
    pub fn units(moves: Moves) -> (C, C) {
        match moves.diagonal() {
            Diagonal::Sqrt2 => C::UNITS,
            // On slopes a step is not a multiple of these, so they must be fine-grained.
            Diagonal::OnePointFour if moves.slope().is_some() => {
                (C::from_u64(5 << 15), C::from_u64(7 << 15))
            }
            Diagonal::OnePointFour => (C::from_u64(5), C::from_u64(7)),
        }
    }

    pub fn new(grid: &Grid, moves: Moves) -> Self {
        let (straight, diagonal) = Self::units(moves);
        let (least_sum, one_sum) = if grid.has_costs() || moves.slope().is_some() {
            (2 * u32::from(grid.least_factor()), 2 * u32::from(Grid::FACTOR_ONE))
        } else {
            (1, 1)
        };
        let steepest = moves.slope().map(|slope| {
            let incline = Incline::new(moves, slope);
            (incline.dearest(grid) as u64, incline.largest_penalty(grid) as u64)
        });
        Self { straight, diagonal, least_sum, one_sum, steepest }
    }

    /// The cost of a straight step on the cheapest terrain.
    pub fn usual_step(&self) -> C {
        self.straight.times(self.least_sum)
    }

    /// Units per cell of length on terrain of factor 1.
    pub fn units_per_cell(&self) -> f64 {
        self.straight.to_u64() as f64 * f64::from(self.one_sum)
    }

    /// A cost in cells.
    pub fn length(&self, cost: C) -> f64 {
        cost.to_u64() as f64 / self.units_per_cell()
    }

    /// The largest integer cost not above a length in cells.
    pub fn floor(&self, length: f64) -> C {
        // A rounding error must not lose a path of exactly this length; the exact cost is compared
        // again once the path is known.
        C::from_u64((length * self.units_per_cell() * (1.0 + 1e-9)).min(1.8e19) as u64)
    }

    /// An upper bound on every estimate on a map, plus a jump over open ground as long as the map.
    pub fn largest_estimate(&self, grid: &Grid) -> u64 {
        let step = self.straight.max(self.diagonal).to_u64() * u64::from(self.least_sum);
        let penalty = self.steepest.map_or(0, |steepest| steepest.1);
        2 * step * u64::from(grid.width() + grid.height()) + penalty
    }

    /// An upper bound on the cost of a step.
    pub fn dearest_step(&self) -> u64 {
        if let Some((dearest, _)) = self.steepest {
            return dearest;
        }
        let largest_sum = if self.one_sum == 1 { 1 } else { 2 * u64::from(u16::MAX) };
        self.straight.max(self.diagonal).to_u64() * largest_sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_lie_just_below_the_true_lengths() {
        for (straight, diagonal) in [(5741u64, 8119u64), <u64 as Cost>::UNITS] {
            assert!(diagonal * diagonal < 2 * straight * straight);
            assert!((diagonal + 1) * (diagonal + 1) > 2 * straight * straight);
        }
    }

    #[test]
    fn the_longest_weighted_path_fits_wide_costs() {
        let longest = (1u128 << 28) * 2 * u128::from(u16::MAX) * 275_807;
        let estimate = 2 * 16384u128 * 2 * u128::from(u16::MAX) * 275_807;
        assert!(longest + estimate < u128::from(u64::MAX));
    }

    #[test]
    fn scaled_roots_are_exact() {
        for squared in [1u64, 5741 * 5741, 32_959_080] {
            for d2 in [0u64, 1, 2, 3, 4, 99, 10_000, 536_870_912] {
                let product = u128::from(squared * d2);
                let root = u128::from(u32::scaled_root(squared.into(), d2));
                assert!(root * root <= product && (root + 1) * (root + 1) > product);
                assert_eq!(u64::scaled_root(squared.into(), d2) as u128, root);
            }
        }
    }
}
