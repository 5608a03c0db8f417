//! Hills, and what slopes on them are and cost, spelled out from the definitions.

use super::random_grid;
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Point, Slope, papers};

/// The numbers of a slope rule, which the rule itself does not give away.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    pub size: f64,
    planar: bool,
    penalties: (f64, f64),
    pub limits: (f64, f64),
    published: bool,
}

impl Numbers {
    pub fn random(random: &mut Random) -> Self {
        let pick =
            |random: &mut Random, list: &[f64]| list[random.below(list.len() as u64) as usize];
        let limit =
            |random: &mut Random| pick(random, &[f64::INFINITY, f64::INFINITY, 0.31, 0.7, 1.9]);
        if random.chance(1, 8) {
            let limits = (limit(random), limit(random));
            return Self {
                size: 1.0,
                planar: true,
                penalties: (1.0, 1.0),
                limits,
                published: true,
            };
        }
        let penalties = [0.0, 0.0, 0.3, 1.0, 7.7, 40.0];
        Self {
            size: pick(random, &[0.5, 1.0, 2.7, 30.0]),
            planar: random.chance(1, 3),
            penalties: (pick(random, &penalties), pick(random, &penalties)),
            limits: (limit(random), limit(random)),
            published: false,
        }
    }

    pub fn slope(self) -> Slope {
        let slope = match (self.published, self.planar) {
            (true, _) => papers::astar_mod_slope(1.0),
            (false, true) => Slope::new(self.size).planar(),
            (false, false) => Slope::new(self.size),
        };
        let slope = if self.published {
            slope
        } else {
            slope.penalties(self.penalties.0, self.penalties.1)
        };
        slope.limits(self.limits.0, self.limits.1)
    }

    /// The cost of a step, if passability and slope permit it.
    pub fn step(self, grid: &Grid, moves: Moves, a: (i64, i64), b: (i64, i64)) -> Option<f64> {
        let flat = super::step_cost(grid, moves.without_slope(), a, b)?;
        let height = |c: (i64, i64)| {
            f64::from(grid.height_at(Cell::new(c.0 as u32, c.1 as u32)).unwrap_or(0.0))
        };
        let rise = height(b) - height(a);
        let diagonal = a.0 != b.0 && a.1 != b.1;
        let true_run = self.size * if diagonal { 2f64.sqrt() } else { 1.0 };
        let grade = rise / true_run;
        if grade > self.limits.0 + 1e-9 || -grade > self.limits.1 + 1e-9 {
            return None;
        }
        let length = if diagonal { moves.diagonal().length() } else { 1.0 };
        let stretch = if self.planar { 1.0 } else { (rise / (self.size * length)).hypot(1.0) };
        let penalty = if rise > 0.0 { rise * self.penalties.0 } else { -rise * self.penalties.1 };
        let times = if self.published { length } else { 1.0 };
        Some(flat * stretch + penalty * times / self.size)
    }

    pub fn all_costs(self, grid: &Grid, moves: Moves, start: Cell) -> Vec<f64> {
        super::flood(grid, start, |a, b| self.step(grid, moves, a, b))
    }
}

/// Hills on a random map: smooth ones, terraces or noise.
pub fn hills(random: &mut Random, weighted: bool) -> Grid {
    let mut grid = random_grid(random, weighted);
    let (w, h) = (grid.width(), grid.height());
    let kind = random.below(4);
    let steepness = [0.1, 0.5, 2.0, 20.0][random.below(4) as usize];
    let heights: Vec<_> = (0..w * h)
        .map(|i| {
            let (x, y) = (f64::from(i % w), f64::from(i / w));
            let height = match kind {
                0 => (x * 0.7).sin() + (y * 0.9).cos(),
                1 => random.below(4) as f64,
                2 => random.below(10_000) as f64 / 5000.0 - 300.0,
                _ => ((x + y) / 3.0).floor(),
            };
            (height * steepness) as f32
        })
        .collect();
    if random.chance(19, 20) {
        grid.set_heights(&heights).unwrap();
    }
    grid
}

/// The height of the ground at a place: bilinear between the four centres around it, level beyond
/// the outermost.
fn ground(grid: &Grid, x: f64, y: f64) -> f64 {
    let inside = |v: f64, count: u32| (v - 0.5).clamp(0.0, f64::from(count - 1));
    let (x, y) = (inside(x, grid.width()), inside(y, grid.height()));
    let weight = |v: f64, at: u32| (1.0 - (v - f64::from(at)).abs()).max(0.0);
    let near = |v: f64, count: u32| [v as u32, (v as u32 + 1).min(count - 1)];
    let (mut sum, mut weights) = (0.0, 0.0);
    for row in near(y, grid.height()) {
        for column in near(x, grid.width()) {
            let part = weight(x, column) * weight(y, row);
            sum += part * f64::from(grid.height_at(Cell::new(column, row)).unwrap_or(0.0));
            weights += part;
        }
    }
    sum / weights
}

/// The steepest climb and the steepest descent of a segment, as rise over run: it is cut at the
/// lines through the centres of cells, in floating point, and each piece is straight in space.
pub fn steepest(grid: &Grid, cell_size: f64, a: Point, b: Point) -> (f64, f64) {
    let mut cuts = vec![0.0, 1.0];
    for (from, to, count) in [(a.x(), b.x(), grid.width()), (a.y(), b.y(), grid.height())] {
        let lines = (0..count).map(|line| (f64::from(line) + 0.5 - from) / (to - from));
        cuts.extend(lines.filter(|part| *part > 0.0 && *part < 1.0));
    }
    cuts.sort_by(f64::total_cmp);
    let place = |part: f64| (a.x() + (b.x() - a.x()) * part, a.y() + (b.y() - a.y()) * part);
    let (mut climb, mut descent) = (0.0_f64, 0.0_f64);
    for pair in cuts.windows(2) {
        let run = (pair[1] - pair[0]) * a.distance(b) * cell_size;
        if run < 1e-9 * cell_size {
            continue; // two lines cut at one point, but for rounding
        }
        let [before, after] = [place(pair[0]), place(pair[1])].map(|(x, y)| ground(grid, x, y));
        let grade = (after - before) / run;
        (climb, descent) = (climb.max(grade), descent.max(-grade));
    }
    (climb, descent)
}

/// Fails if a path is anywhere steeper than a rule permits.
pub fn assert_not_too_steep(grid: &Grid, slope: Slope, points: &[Point], context: &str) {
    for pair in points.windows(2) {
        let (climb, descent) = steepest(grid, slope.cell_size(), pair[0], pair[1]);
        let most = |limit: f64| limit * (1.0 + 1e-6) + 1e-6 / slope.cell_size();
        assert!(
            climb <= most(slope.max_climb()) && descent <= most(slope.max_descent()),
            "{context}: from {} to {} it climbs {climb} and falls {descent}: {slope}",
            pair[0],
            pair[1]
        );
    }
}
