//! Slopes: the cost of going up and down, and how steep a step may be.
//!
//! Heights are those of the centres of cells ([`Grid::set_heights`]). A step from cell to cell
//! rises by the difference of their heights over the distance between their centres: its slope is
//! rise over run. A straight segment is cut where it crosses the lines through the centres of
//! cells; heights on these lines are interpolated between the two nearest centres, and the segment
//! is the chain of chords between the cuts. So a step of a cell rule is the same as the any-angle
//! segment between the two centres, and leaving out a point in the middle of a straight stretch
//! never makes it steeper. (Where a segment begins or ends between four centres, its height there
//! is bilinear.)
//!
//! A step costs, in cells:
//!
//! ```text
//! factor · length + climb · (metres up) / cell size + descent · (metres down) / cell size
//! ```
//!
//! where the length is that of the chord in space, or in the plane if the rule says so. Penalties
//! are never negative, so every estimate of the length in the plane stays admissible, and the
//! penalty for the net height to the goal can be added to it.
//!
//! **Integers.** Searches between cells use the units of weighted terrain ([`crate::rules::cost`]),
//! 99,852,800 per cell. The length of a step is the flat one times its stretch, rounded down, and
//! so never below the flat one. Each height is a whole number of units and penalties are
//! differences of heights, so they add up along every path and the estimate based on them is
//! consistent to the last unit.

use crate::geometry::relief;
use crate::rules::cost::StepCosts;
use crate::{Diagonal, Error, Grid, Moves, Point};
use std::hash::{Hash, Hasher};

/// What heights mean to movement; see the setters. It is part of [`Moves`]; without one, planners
/// ignore the heights of a map.
///
/// ```
/// use blockstar::{Algorithm, Cell, Grid, Moves, Query, Scratch, Slope, Status};
/// let mut grid = Grid::new(3, 3)?;
/// // A ridge of 5 m with a gap of 1 m at its lower end.
/// grid.set_heights(&[0.0, 5.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0, 0.0])?;
/// let slope = Slope::new(2.0).limits(0.6, 0.6);
/// let planner = Algorithm::named("astar")?.prepare(&grid, Moves::FOUR.with_slope(slope))?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 0), Cell::new(2, 0));
/// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
/// assert!(scratch.path().cells().any(|cell| cell == Cell::new(1, 2)));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slope {
    cell_size: f64,
    length: Length,
    climb: f64,
    descent: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::written::limit"))]
    max_climb: f64,
    #[cfg_attr(feature = "serde", serde(with = "crate::written::limit"))]
    max_descent: f64,
    rise: Rise,
}

/// Which length of a step counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum Length {
    Spatial,
    Planar,
}

/// How many times a metre of height counts on a diagonal step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum Rise {
    Once,
    TimesLength,
}

impl Slope {
    /// Steps cost their length in space and nothing more; no slope is too steep. `cell_size` is the
    /// distance between the centres of neighbouring cells in the unit of the heights, usually
    /// metres.
    pub const fn new(cell_size: f64) -> Self {
        Self {
            cell_size,
            length: Length::Spatial,
            climb: 0.0,
            descent: 0.0,
            max_climb: f64::INFINITY,
            max_descent: f64::INFINITY,
            rise: Rise::Once,
        }
    }

    /// Steps cost their length in the plane.
    #[must_use]
    pub const fn planar(self) -> Self {
        Self { length: Length::Planar, ..self }
    }

    /// A metre of height counts √2 times on a diagonal step, as in one of the papers.
    #[must_use]
    pub(crate) const fn rise_times_length(self) -> Self {
        Self { rise: Rise::TimesLength, ..self }
    }

    /// Each metre up costs as much as another `climb` metres of way, each metre down as much as
    /// another `descent` metres. (Naismith's rule for hikers is 8 up and nothing down.) Both from 0
    /// to 10^6.
    #[must_use]
    pub const fn penalties(self, climb: f64, descent: f64) -> Self {
        Self { climb, descent, ..self }
    }

    /// Steps steeper than this are impossible: `climb` upwards, `descent` downwards, as rise over
    /// run (0.5 is 50 % or 26.6°); infinity means no limit. With limits, a way there is not always
    /// a way back.
    #[must_use]
    pub const fn limits(self, climb: f64, descent: f64) -> Self {
        Self { max_climb: climb, max_descent: descent, ..self }
    }

    /// The distance between the centres of neighbouring cells, in the unit of the heights.
    pub const fn cell_size(self) -> f64 {
        self.cell_size
    }

    /// The steepest permitted climb, as rise over run.
    pub const fn max_climb(self) -> f64 {
        self.max_climb
    }

    /// The steepest permitted descent, as rise over run.
    pub const fn max_descent(self) -> f64 {
        self.max_descent
    }

    /// Whether some slopes are too steep.
    pub(crate) fn has_limits(self) -> bool {
        self.max_climb < f64::INFINITY || self.max_descent < f64::INFINITY
    }

    /// Whether going up or down costs more than its length.
    pub(crate) fn has_penalties(self) -> bool {
        self.climb > 0.0 || self.descent > 0.0
    }

    /// Whether a rise over a run, both in metres, is within the limits, with an allowance for the
    /// rounding of interpolated heights.
    #[inline]
    fn permits(self, rise: f64, run: f64) -> bool {
        let most = |limit: f64| limit * run * (1.0 + 1e-9) + 1e-9;
        rise <= most(self.max_climb) && -rise <= most(self.max_descent)
    }

    /// The least cost of getting from one height to another beyond its length, in cells.
    pub(crate) fn net_penalty(self, from: f64, to: f64) -> f64 {
        let rise = to - from;
        let penalty = if rise > 0.0 { self.climb } else { -self.descent };
        rise * penalty / self.cell_size
    }

    fn bits(self) -> [u64; 5] {
        let numbers = [self.cell_size, self.climb, self.descent, self.max_climb, self.max_descent];
        // Adding 0 makes -0 the same as 0.
        numbers.map(|number| (number + 0.0).to_bits())
    }

    /// Refuses numbers out of range, and maps on which costs might not fit.
    pub(crate) fn check(self, grid: &Grid, moves: Moves) -> Result<(), Error> {
        let range = |what, value, range, fits: bool| {
            if fits { Ok(()) } else { Err(Error::Range { what, value, range }) }
        };
        let size = self.cell_size;
        range("the cell size", size, "0.000001 to 1000000", (1e-6..=1e6).contains(&size))?;
        for penalty in [self.climb, self.descent] {
            let fits = (0.0..=1e6).contains(&penalty);
            range("a penalty for slopes", penalty, "0 to 1000000", fits)?;
        }
        for limit in [self.max_climb, self.max_descent] {
            range("the steepest slope", limit, "a number not below 0", limit >= 0.0)?;
        }
        let incline = Incline::new(moves, self);
        let (low, high) = grid.height_range();
        let largest = f64::from(low.abs().max(high.abs()));
        let units = largest * (incline.climb + incline.descent);
        let cells = f64::from(grid.width()) * f64::from(grid.height());
        let longest = cells * incline.dearest(grid);
        if units < 2f64.powi(51) && longest < 2f64.powi(61) {
            return Ok(());
        }
        Err(Error::Unsupported {
            planner: "this movement rule",
            what: format!(
                "heights from {low} to {high} on cells of {size} on a map of {} x {} cells: costs \
                 might not fit 64 bits",
                grid.width(),
                grid.height()
            ),
            remedy: "use a larger cell size, smaller penalties, slope limits or heights in a \
                     larger unit"
                .into(),
        })
    }
}

impl PartialEq for Slope {
    fn eq(&self, other: &Self) -> bool {
        (self.bits(), self.length, self.rise) == (other.bits(), other.length, other.rise)
    }
}

impl Eq for Slope {}

impl Hash for Slope {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.bits(), self.length, self.rise).hash(state);
    }
}

impl std::fmt::Display for Slope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |number: f64| (number * 1e4).round() / 1e4;
        write!(f, "slopes on cells of {} m", short(self.cell_size))?;
        if self.length == Length::Planar {
            f.write_str(", planar")?;
        }
        if self.climb != 0.0 || self.descent != 0.0 {
            let (up, down) = (short(self.climb), short(self.descent));
            write!(f, ", penalties {up} up and {down} down")?;
        }
        if self.rise == Rise::TimesLength {
            f.write_str(" times the length of the step")?;
        }
        if self.has_limits() {
            let (up, down) = (short(self.max_climb), short(self.max_descent));
            write!(f, ", at most {up} up and {down} down")?;
        }
        Ok(())
    }
}

/// In which direction steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From the start to the goal.
    Forward,
    /// From the goal to the start, against the steps of the path.
    Backward,
}

/// The cost of steps between cells under a slope rule, in units of wide costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incline {
    slope: Slope,
    /// The flat cost of a straight and of a diagonal step per unit of the factor sum.
    flat: [u64; 2],
    /// The run of each in metres, for the length of the chord.
    run: [f64; 2],
    /// The true run of each in metres, for the limits.
    true_run: [f64; 2],
    /// The length of each in cells, where penalties are multiplied by it.
    times: [f64; 2],
    /// Units per metre up and per metre down.
    climb: f64,
    descent: f64,
}

impl Incline {
    pub fn new(moves: Moves, slope: Slope) -> Self {
        let (straight, diagonal) = StepCosts::<u64>::units(moves);
        let size = slope.cell_size;
        let unit = (straight * 2 * u64::from(Grid::FACTOR_ONE)) as f64 / size;
        let length = moves.diagonal().length();
        let times = if slope.rise == Rise::TimesLength { length } else { 1.0 };
        Self {
            slope,
            flat: [straight, diagonal],
            run: [size, size * length],
            true_run: [size, size * Diagonal::Sqrt2.length()],
            times: [1.0, times],
            climb: slope.climb * unit,
            descent: slope.descent * unit,
        }
    }

    /// The cost of a step from one height to another, if it is possible. `sum` is the sum of the
    /// two cells' terrain factors, 512 without terrain.
    #[inline]
    pub fn step(&self, from: f32, to: f32, sum: u32, diagonal: bool) -> Option<u64> {
        let kind = usize::from(diagonal);
        let flat = self.flat[kind] * u64::from(sum);
        let rise = f64::from(to) - f64::from(from);
        if rise == 0.0 {
            return Some(flat);
        }
        if !self.slope.permits(rise, self.true_run[kind]) {
            return None;
        }
        let length = match self.slope.length {
            Length::Planar => flat,
            Length::Spatial => {
                let grade = rise / self.run[kind];
                (flat as f64 * (1.0 + grade * grade).sqrt()) as u64
            }
        };
        let penalty = self.penalty(from, to);
        let penalty = match diagonal && self.slope.rise == Rise::TimesLength {
            true => (penalty as f64 * self.times[1]) as u64,
            false => penalty,
        };
        Some(length + penalty)
    }

    /// The least penalty for getting from one height to another, by any way.
    #[inline]
    pub fn penalty(&self, from: f32, to: f32) -> u64 {
        let units = |height: f32, scale: f64| (f64::from(height) * scale).floor() as i64;
        let up = units(to, self.climb) - units(from, self.climb);
        let down = units(from, self.descent) - units(to, self.descent);
        up.max(0) as u64 + down.max(0) as u64
    }

    /// An upper bound on the cost of any step on a map.
    pub fn dearest(&self, grid: &Grid) -> f64 {
        let (low, high) = grid.height_range();
        let span = f64::from(high) - f64::from(low);
        let run = self.true_run[1];
        let steepest = self.slope.max_climb.max(self.slope.max_descent) * run * 1.001;
        let rise = span.min(steepest);
        let sum = 2.0 * f64::from(grid.largest_factor());
        let flat = self.flat[0].max(self.flat[1]) as f64 * sum;
        let stretch = (1.0 + (rise / self.run[0]).powi(2)).sqrt();
        flat * stretch + rise * self.climb.max(self.descent) * self.times[1] + 8.0
    }

    /// An upper bound on the [penalty](Self::penalty) between any two cells of a map.
    pub fn largest_penalty(&self, grid: &Grid) -> f64 {
        let (low, high) = grid.height_range();
        (f64::from(high) - f64::from(low)) * (self.climb + self.descent) + 4.0
    }

    /// The cost of a step from a cell of a map to its neighbour, both given by position.
    #[inline]
    pub fn between(&self, grid: &Grid, from: u32, to: u32, diagonal: bool) -> Option<u64> {
        let (from, to) = (from as usize, to as usize);
        let heights = grid.heights().map_or((0.0, 0.0), |heights| (heights[from], heights[to]));
        let sum = grid
            .factors()
            .map_or(Self::ONE, |factors| u32::from(factors[from]) + u32::from(factors[to]));
        self.step(heights.0, heights.1, sum, diagonal)
    }

    /// The factor sum of a step between cells of factor 1.
    pub const ONE: u32 = 2 * Grid::FACTOR_ONE as u32;

    /// Units per cell of flat way.
    pub fn units_per_cell(&self) -> f64 {
        (self.flat[0] * u64::from(Self::ONE)) as f64
    }
}

/// The cost of a straight segment under a slope rule, in cells; infinity if any part of it is too
/// steep.
pub(crate) fn segment_cost(grid: &Grid, slope: Slope, a: Point, b: Point) -> f64 {
    let size = slope.cell_size;
    let (wide, high) = ((b.ux() - a.ux()).abs(), (b.uy() - a.uy()).abs());
    let times = match slope.rise {
        Rise::Once => 1.0,
        // The length of a step in this direction that goes one cell along its longer side.
        Rise::TimesLength => {
            a.distance(b) * f64::from(Point::UNITS) / f64::from(wide.max(high).max(1))
        }
    };
    let mut cost = 0.0;
    relief::chords(grid, a, b, |chord| {
        if !slope.permits(chord.rise, chord.length * size) {
            cost = f64::INFINITY;
        }
        let stretch = match slope.length {
            Length::Planar => 1.0,
            Length::Spatial => {
                let grade = chord.rise / (chord.length * size);
                (1.0 + grade * grade).sqrt()
            }
        };
        let penalty = if chord.rise > 0.0 { slope.climb } else { -slope.descent };
        cost += chord.weighted * stretch + chord.rise * penalty * times / size;
    });
    cost
}

/// The slope of the steepest part of a segment, as rise over run, if it is too steep.
pub(crate) fn too_steep(grid: &Grid, slope: Slope, a: Point, b: Point) -> Option<f64> {
    too_steep_after(grid, slope, (a, b), 0.0)
}

/// The same for the part of a segment that is left after walking some cells of it.
pub(crate) fn too_steep_after(
    grid: &Grid,
    slope: Slope,
    (a, b): (Point, Point),
    walked: f64,
) -> Option<f64> {
    let mut worst: Option<f64> = None;
    let mut end = 0.0;
    relief::chords(grid, a, b, |chord| {
        let run = chord.length * slope.cell_size;
        end += chord.length;
        if end > walked && !slope.permits(chord.rise, run) {
            let grade = chord.rise / run;
            if worst.is_none_or(|known| known.abs() < grade.abs()) {
                worst = Some(grade);
            }
        }
    });
    worst
}
