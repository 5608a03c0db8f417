//! The ground of a picture: terrain in shades and the search as a heat map.

use crate::Colour;
use blockstar::{Cell, Grid, Point, sort};
use std::collections::HashMap;

/// The number of steps of the heat map: enough to look smooth, few enough to merge in an SVG.
pub const LEVELS: usize = 48;

/// Each expanded point once, with the level of its last expansion, sorted by level, row and column.
pub fn levels(expanded: &[Point]) -> Vec<(usize, Point)> {
    let last: HashMap<Point, usize> =
        expanded.iter().enumerate().map(|(order, &point)| (point, order)).collect();
    let of = |order: usize| order * LEVELS / expanded.len().max(1);
    let mut levels: Vec<_> = last.into_iter().map(|(point, order)| (of(order), point)).collect();
    sort::by(&mut levels, |(a, p), (b, q)| {
        a.cmp(b).then(p.y().total_cmp(&q.y())).then(p.x().total_cmp(&q.x()))
    });
    levels
}

/// The colour of a level.
pub fn colour(level: usize) -> Colour {
    Colour::heat((level as f64 + 0.5) / LEVELS as f64)
}

/// How much of the ground the heat map covers: terrain and hills shine through.
pub fn cover(grid: &Grid) -> f64 {
    match (grid.has_heights(), grid.has_costs()) {
        (true, _) => 0.3,
        (false, true) => 0.6,
        (false, false) => 1.0,
    }
}

/// The colours of free cells by their terrain, on a logarithmic scale.
pub struct Shades {
    least: f64,
    range: f64,
}

impl Shades {
    /// The scale for a map, none if it has no terrain.
    pub fn of(grid: &Grid) -> Option<Self> {
        if !grid.has_costs() {
            return None;
        }
        let costs = (0..grid.height())
            .flat_map(|y| (0..grid.width()).map(move |x| grid.cost(Cell::new(x, y))))
            .filter(|cost| *cost > 0.0);
        let (least, most) =
            costs.fold((f64::INFINITY, 0.0_f64), |(least, most), c| (least.min(c), most.max(c)));
        (most > least).then(|| Self { least: least.ln(), range: most.ln() - least.ln() })
    }

    /// The step of a cost, from 0 for the cheapest to 15 for the most expensive.
    pub fn step(&self, cost: f64) -> u8 {
        ((cost.ln() - self.least) / self.range * 15.0).round() as u8
    }

    /// The colour of a step.
    pub fn colour(step: u8) -> Colour {
        Colour::terrain(f64::from(step) / 15.0)
    }
}
