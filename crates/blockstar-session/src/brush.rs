//! Shapes and paints: which cells an edit touches, and what becomes of them.

use crate::fields::{Fields, cell, shortened};
use crate::frame::{Fault, Frame};
use crate::history::{CellState, Change};
use blockstar::{Cell, Grid, Rect};
use serde_json::Value;

/// What becomes of the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Free,
    Blocked,
    Cost(f64),
    Height(f32),
    Raise(f32),
}

/// A part of an edit: cells, each with how much of the paint it gets.
#[derive(Debug)]
pub(crate) struct Stroke {
    pub cells: Vec<(Cell, f32)>,
    pub paint: Paint,
}

/// The largest radius of a brush, in cells.
const LARGEST_RADIUS: f64 = 256.0;

/// The most cells that one stroke looks at, and the most points that it has.
const MOST_LOOKS: f64 = 2e8;
const MOST_POINTS: usize = 10_000;

impl Stroke {
    /// Reads one of the `changes`.
    pub fn read(change: &Value, frame: &Frame<'_>, grid: &Grid) -> Result<Self, Fault> {
        let Some(fields) = change.as_object().map(Fields) else {
            return Err(format!("a change is {}, but must be an object", shortened(change)));
        };
        let paint = Paint::read(fields)?;
        let cells = match fields.need_text("shape")? {
            "rect" => on_map(fields.rect()?, grid).cells().map(|cell| (cell, 1.0)).collect(),
            "cells" => listed(frame, fields.text("column")?.unwrap_or("cells"), grid)?,
            "stroke" => brushed(fields, grid)?,
            other => {
                return Err(format!(
                    "`shape` is `{other}`, but must be `rect`, `stroke` or `cells`"
                ));
            }
        };
        Ok(Self { cells, paint })
    }
}

impl Paint {
    fn read(fields: Fields<'_>) -> Result<Self, Fault> {
        let height = |name: &str| {
            let number = fields.number(name)?;
            match number {
                Some(metres) if !(-1e9..=1e9).contains(&metres) => {
                    Err(format!("`{name}` is {metres}, but must be within 1000000000 metres"))
                }
                _ => Ok(number.map(|metres| metres as f32)),
            }
        };
        if let Some(tile) = fields.text("tile")? {
            return match tile {
                "free" => Ok(Self::Free),
                "blocked" => Ok(Self::Blocked),
                _ => Err(format!("`tile` is `{tile}`, but must be `free` or `blocked`")),
            };
        }
        if let Some(cost) = fields.number("cost")? {
            let most = Grid::MAX_FACTOR;
            if !(1.0 / 256.0..=most).contains(&cost) {
                return Err(format!("`cost` is {cost}, but must be 1/256 to {most}"));
            }
            return Ok(Self::Cost(cost));
        }
        if let Some(metres) = height("height")? {
            return Ok(Self::Height(metres));
        }
        if let Some(metres) = height("raise")? {
            return Ok(Self::Raise(metres));
        }
        Err("a change needs a paint: `tile`, `cost`, `height` or `raise`".into())
    }

    /// What a cell becomes.
    pub fn on(self, before: CellState, share: f32) -> CellState {
        match self {
            Self::Free => CellState { free: true, ..before },
            Self::Blocked => CellState { free: false, ..before },
            Self::Cost(cost) => {
                let factor = (cost * f64::from(Grid::FACTOR_ONE)).round() as u16;
                CellState { free: true, factor, ..before }
            }
            Self::Height(height) => CellState { height, ..before },
            Self::Raise(metres) => {
                let height = (before.height + metres * share).clamp(-1e9, 1e9);
                CellState { height, ..before }
            }
        }
    }

    /// Whether it changes heights.
    pub fn is_height(self) -> bool {
        matches!(self, Self::Height(_) | Self::Raise(_))
    }

    /// Paints the cells; what has changed.
    pub fn apply(self, cells: &[(Cell, f32)], grid: &mut Grid) -> Vec<Change> {
        let mut changes = Vec::with_capacity(cells.len());
        for &(cell, share) in cells {
            let before = CellState::of(grid, cell);
            let after = self.on(before, share);
            if after != before {
                after.put(grid, cell);
                changes.push(Change { cell, before, after });
            }
        }
        changes
    }
}

/// The part of a rectangle that lies on the map.
pub(crate) fn on_map(rect: Rect, grid: &Grid) -> Rect {
    let (x, y) = (rect.x.min(grid.width()), rect.y.min(grid.height()));
    let right = rect.x.saturating_add(rect.width).min(grid.width());
    let lower = rect.y.saturating_add(rect.height).min(grid.height());
    Rect::new(x, y, right - x, lower - y)
}

/// The cells of a column of indices.
fn listed(frame: &Frame<'_>, column: &str, grid: &Grid) -> Result<Vec<(Cell, f32)>, Fault> {
    let bytes = frame.need_column(column, "u32")?;
    let count = u64::from(grid.width()) * u64::from(grid.height());
    let mut cells = Vec::with_capacity(bytes.len() / 4);
    for four in bytes.chunks_exact(4) {
        let index = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        if u64::from(index) >= count {
            return Err(format!("the cell {index} is not on the map, which has {count} cells"));
        }
        cells.push((Cell::new(index % grid.width(), index / grid.width()), 1.0));
    }
    Ok(cells)
}

/// The cells under a round brush that was drawn through some cells, row by row.
fn brushed(fields: Fields<'_>, grid: &Grid) -> Result<Vec<(Cell, f32)>, Fault> {
    let radius = fields.number("radius")?.unwrap_or(0.0);
    if !(0.0..=LARGEST_RADIUS).contains(&radius) {
        return Err(format!("`radius` is {radius}, but must be 0 to {LARGEST_RADIUS}"));
    }
    let mut points = Vec::new();
    let listed = fields.need_list("points")?;
    if listed.len() > MOST_POINTS {
        let count = listed.len();
        return Err(format!("the stroke has {count} points, but may have {MOST_POINTS} at most"));
    }
    for point in listed {
        let Some((x, y)) = cell(point) else {
            return Err(format!(
                "a point of the stroke is {}, but must be [x, y]",
                shortened(point)
            ));
        };
        // Far off the map, where a client's mouse may be, is as good as a little off it.
        let most = 2 * Grid::MAX_SIDE;
        points.push((f64::from(x.min(most)), f64::from(y.min(most))));
    }
    if points.len() == 1 {
        points.push(points[0]);
    }
    let reach = radius + 0.5;
    let mut looked_at = 0.0;
    let mut shares = std::collections::BTreeMap::new();
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        // A long line with a wide brush is looked for in a large box.
        let (dx, dy) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        looked_at += match radius {
            0.0 => 100.0 * dx.max(dy),
            _ => (dx + 2.0 * reach) * (dy + 2.0 * reach),
        };
        if looked_at > MOST_LOOKS {
            return Err(format!(
                "the stroke takes a look at more than {MOST_LOOKS} cells: send it in shorter pieces"
            ));
        }
        if radius == 0.0 {
            line(a, b, |x, y| {
                shares.insert((y, x), 1.0_f32);
            });
            continue;
        }
        let low = |a: f64, b: f64| (a.min(b) - reach).floor().max(0.0) as u32;
        let high = |a: f64, b: f64, side: u32| ((a.max(b) + reach).ceil() as u32 + 1).min(side);
        for y in low(a.1, b.1)..high(a.1, b.1, grid.height()) {
            for x in low(a.0, b.0)..high(a.0, b.0, grid.width()) {
                let away = distance((x.into(), y.into()), a, b);
                if away <= reach {
                    let fade = 1.0 - (away / reach).powi(2);
                    let share = shares.entry((y, x)).or_insert(0.0_f32);
                    *share = share.max((fade * fade) as f32);
                }
            }
        }
    }
    let cells = shares.into_iter().map(|((y, x), share)| (Cell::new(x, y), share));
    Ok(cells.filter(|(cell, _)| grid.contains(*cell)).collect())
}

/// How far a point is from a segment.
fn distance(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let along = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / if square > 0.0 { square } else { 1.0 };
    let along = along.clamp(0.0, 1.0);
    let (x, y) = (p.0 - a.0 - along * dx, p.1 - a.1 - along * dy);
    (x * x + y * y).sqrt()
}

/// The cells of a thin line: as many as the longer side of its box.
fn line(a: (f64, f64), b: (f64, f64), mut visit: impl FnMut(u32, u32)) {
    let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs());
    for step in 0..=steps as u32 {
        let part = if steps > 0.0 { f64::from(step) / steps } else { 0.0 };
        let at = |a: f64, b: f64| (a + (b - a) * part).round() as u32;
        visit(at(a.0, b.0), at(a.1, b.1));
    }
}
