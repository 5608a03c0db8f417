//! The kinds of distance that tables hold, and who makes tables of them.

use super::{Content, Layout, Lddb, Table, cells, corners, rays::Rays, terrain, word};
use crate::rules::cost::{Cost, Tariff};
use crate::rules::slope::{Incline, Way};
use crate::{Grid, Moves, Rule};
use std::fmt::Debug;
use std::ops::Add;

/// A distance: an exact integer between cells, a real number between the corners of cells.
pub(crate) trait Measure:
    Copy + PartialOrd + Default + Debug + Add<Output = Self> + Send + Sync + 'static
{
    /// What queues are ordered by.
    type Key: Cost;

    /// Whether this measures between cells, and not between their corners.
    const CELLS: bool;
    /// Nothing.
    const ZERO: Self;
    /// The distance of what cannot be reached. Twice this is still a number above it.
    const FAR: Self;
    /// For corners: stands where a cost would, at a slot that is no way in or out of its block. It is
    /// below every cost, so that nothing improves on it.
    const CLOSED: Self;

    fn key(self) -> Self::Key;
    fn from_key(key: Self::Key) -> Self;
    fn times(self, factor: u32) -> Self;

    /// A distance times a weight; [`Measure::FAR`] if that does not fit.
    fn stretch(self, weight: f64) -> Self;

    /// What a straight and a diagonal step cost, per unit of the factor sum on weighted terrain.
    fn steps(moves: Moves) -> (Self, Self);

    /// Makes the table for the content of a block.
    fn make(
        layout: &Layout,
        pricing: &Pricing<Self>,
        content: &Content,
        workshop: &mut Workshop<Self>,
        table: &mut Table<Self>,
    );

    /// Distances inside a block from one of its cells to each of them, row by row. Only for cells.
    /// Backwards they are the distances from each to that cell: on slopes these differ.
    fn flood(
        content: &Content,
        pricing: &Pricing<Self>,
        from: (u32, u32),
        way: Way,
        distances: &mut Vec<Self>,
    );

    /// If the way between two cells of a block is one diagonal and one straight run, visits its cells
    /// in reverse, from the one before `to` to `from`. Only for cells.
    fn stride(
        content: &Content,
        pricing: &Pricing<Self>,
        from: (u32, u32),
        to: (u32, u32),
        visit: impl FnMut((u32, u32)),
    ) -> bool;

    /// Visits the cells of a cheapest way inside a block in reverse, from the one before `to` to the
    /// one that was flooded from. Only for cells.
    fn descend(
        content: &Content,
        pricing: &Pricing<Self>,
        distances: &[Self],
        to: (u32, u32),
        visit: impl FnMut((u32, u32)),
    );

    /// The distance for a length. Only for corners.
    fn from_length(length: f64) -> Self;

    /// The distance as a [word](word) of a file.
    fn to_word(self, pricing: &Pricing<Self>, content: &Content) -> u64;

    /// The distance of a word; `None` if it does not fit.
    fn from_word(word: u64, pricing: &Pricing<Self>, content: &Content) -> Option<Self>;

    #[inline]
    fn is_far(self) -> bool {
        self >= Self::FAR
    }

    /// Whether this is the cost of something reached.
    #[inline]
    fn is_cost(self) -> bool {
        self >= Self::ZERO && !self.is_far()
    }

    /// The smaller of two distances, in a form that becomes one vector instruction.
    #[inline]
    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

/// What a step costs in the units of a measure, and which rule steps follow.
#[derive(Clone, Debug)]
pub(crate) struct Pricing<D> {
    pub moves: Moves,
    /// A straight and a diagonal step, per unit of the factor sum on weighted terrain.
    pub straight: D,
    pub diagonal: D,
    /// Which cells the segments between corners cross; not for cells.
    pub rays: &'static Rays,
    /// Tables that were made before.
    pub source: Option<Lddb>,
    /// What steps cost on slopes.
    pub incline: Option<Incline>,
}

impl<D: Measure> Pricing<D> {
    pub fn new(moves: Moves, side: u32, source: Option<Lddb>) -> Self {
        let (straight, diagonal) = D::steps(moves);
        let rays = Rays::of(if D::CELLS { 0 } else { side });
        let incline = moves.slope().map(|slope| Incline::new(moves, slope));
        Self { moves, straight, diagonal, rays, source, incline }
    }

    /// Gets the table for the content of a block: from the source or, if it has none, by making it.
    pub fn provide(
        &self,
        layout: &Layout,
        content: &Content,
        workshop: &mut Workshop<D>,
        table: &mut Table<D>,
    ) {
        let fetched = self
            .source
            .as_ref()
            .is_some_and(|source| source.fetch(layout, self, content, workshop, table));
        if !fetched {
            D::make(layout, self, content, workshop, table);
        }
    }

    /// Reads the content of the block whose top left cell is (`left`, `top`): all that its table
    /// depends on.
    pub fn read(&self, content: &mut Content, grid: &Grid, side: u32, left: u32, top: u32) {
        content.read(grid, side, left, top);
        if self.incline.is_some() {
            content.read_heights(grid, left, top);
        }
    }

    pub fn rule(&self) -> Rule {
        self.moves.rule()
    }
}

/// Memory for the making of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workshop<D> {
    /// The distances of cells, one lane per slot.
    pub lanes: Vec<D>,
    /// Distances between the points of a block.
    pub real: Vec<f64>,
    pub next: Vec<u16>,
    pub turns: Vec<(u8, u8)>,
    /// What hides something in a block.
    pub obstacles: Vec<u16>,
    /// On terrain: the corners of a block.
    pub(super) places: Vec<terrain::Place>,
}

impl<D> Workshop<D> {
    pub fn bytes(&self) -> usize {
        self.lanes.capacity() * size_of::<D>()
            + self.real.capacity() * 8
            + self.next.capacity() * 2
            + self.turns.capacity() * 2
            + self.obstacles.capacity() * 2
            + self.places.capacity() * size_of::<terrain::Place>()
    }
}

macro_rules! measure_cells {
    ($integer:ty) => {
        impl Measure for $integer {
            type Key = Self;

            const CELLS: bool = true;
            const ZERO: Self = 0;
            const FAR: Self = Self::MAX / 2;
            const CLOSED: Self = Self::FAR;

            #[inline]
            fn key(self) -> Self {
                self
            }

            #[inline]
            fn from_key(key: Self) -> Self {
                key
            }

            #[inline]
            fn times(self, factor: u32) -> Self {
                Cost::times(self, factor)
            }

            #[inline]
            fn stretch(self, weight: f64) -> Self {
                ((self as f64 * weight) as Self).min(Self::FAR)
            }

            fn steps(moves: Moves) -> (Self, Self) {
                Tariff::<Self>::units(moves)
            }

            fn make(
                layout: &Layout,
                pricing: &Pricing<Self>,
                content: &Content,
                workshop: &mut Workshop<Self>,
                table: &mut Table<Self>,
            ) {
                cells::make(layout, pricing, content, workshop, table);
            }

            fn flood(
                content: &Content,
                pricing: &Pricing<Self>,
                from: (u32, u32),
                way: Way,
                distances: &mut Vec<Self>,
            ) {
                cells::flood(content, pricing, from, way, distances);
            }

            fn stride(
                content: &Content,
                pricing: &Pricing<Self>,
                from: (u32, u32),
                to: (u32, u32),
                visit: impl FnMut((u32, u32)),
            ) -> bool {
                cells::stride(content, pricing, from, to, visit)
            }

            fn descend(
                content: &Content,
                pricing: &Pricing<Self>,
                distances: &[Self],
                to: (u32, u32),
                visit: impl FnMut((u32, u32)),
            ) {
                cells::descend(content, pricing, distances, to, visit);
            }

            fn from_length(_: f64) -> Self {
                Self::FAR
            }

            fn to_word(self, pricing: &Pricing<Self>, content: &Content) -> u64 {
                let cost = Cost::to_u64(self);
                if Measure::is_far(self) {
                    word::FAR
                } else if content.is_weighted() {
                    cost
                } else {
                    let units = (Cost::to_u64(pricing.straight), Cost::to_u64(pricing.diagonal));
                    word::of_steps(cost, units)
                }
            }

            #[inline]
            fn from_word(word: u64, pricing: &Pricing<Self>, content: &Content) -> Option<Self> {
                if word == word::FAR {
                    return Some(Self::FAR);
                }
                if content.is_weighted() {
                    return Self::try_from(word).ok();
                }
                let (straight, diagonal) = word::steps(word);
                let straight = Cost::times(pricing.straight, straight);
                Some(straight + Cost::times(pricing.diagonal, diagonal))
            }
        }
    };
}

// Keys of real numbers are their bits, which order like them as no cost is negative.
macro_rules! measure_corners {
    ($float:ty, $bits:ty) => {
        impl Measure for $float {
            type Key = $bits;

            const CELLS: bool = false;
            const ZERO: Self = 0.0;
            const FAR: Self = Self::INFINITY;
            const CLOSED: Self = -1.0;

            #[inline]
            fn key(self) -> $bits {
                self.to_bits()
            }

            #[inline]
            fn from_key(key: $bits) -> Self {
                Self::from_bits(key)
            }

            #[inline]
            fn times(self, factor: u32) -> Self {
                self * factor as Self
            }

            #[inline]
            fn stretch(self, weight: f64) -> Self {
                self * weight as Self
            }

            fn steps(_: Moves) -> (Self, Self) {
                (1.0, std::f64::consts::SQRT_2 as Self)
            }

            fn make(
                layout: &Layout,
                pricing: &Pricing<Self>,
                content: &Content,
                workshop: &mut Workshop<Self>,
                table: &mut Table<Self>,
            ) {
                if content.is_weighted() {
                    terrain::make(layout, pricing, content, workshop, table);
                } else {
                    corners::make(layout, pricing, content, workshop, table);
                }
            }

            fn flood(_: &Content, _: &Pricing<Self>, _: (u32, u32), _: Way, _: &mut Vec<Self>) {}

            fn stride(
                _: &Content,
                _: &Pricing<Self>,
                _: (u32, u32),
                _: (u32, u32),
                _: impl FnMut((u32, u32)),
            ) -> bool {
                false
            }

            fn descend(
                _: &Content,
                _: &Pricing<Self>,
                _: &[Self],
                _: (u32, u32),
                _: impl FnMut((u32, u32)),
            ) {
            }

            #[inline]
            fn from_length(length: f64) -> Self {
                length as Self
            }

            fn to_word(self, _: &Pricing<Self>, _: &Content) -> u64 {
                f64::from(self).to_bits()
            }

            #[inline]
            fn from_word(word: u64, _: &Pricing<Self>, _: &Content) -> Option<Self> {
                Some(Self::from_length(f64::from_bits(word)))
            }
        }
    };
}

measure_cells!(u32);
measure_cells!(u64);
measure_corners!(f32, u32);
measure_corners!(f64, u64);
