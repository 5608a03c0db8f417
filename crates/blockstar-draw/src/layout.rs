//! Where things go in a picture: the map, and below it a legend that flows in lines.

use crate::hills::Hills;
use crate::{Colour, Route, Scene};

/// The width of a character with the space after it, in units.
const CHARACTER: f64 = 6.0;

/// The width of a swatch, in units.
const SWATCH: f64 = 20.0;

/// The symbol before a text in the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swatch {
    /// Nothing: a heading.
    None,
    /// A piece of a path.
    Line(Colour),
    /// The heat map from first to last.
    Heat,
    /// The mark of the start.
    Start,
    /// The mark of the goal.
    Goal,
}

/// An entry of the legend and its left end on its middle line.
#[derive(Debug)]
pub struct Entry {
    /// The symbol before the text.
    pub swatch: Swatch,
    /// The text.
    pub text: String,
    /// The left end.
    pub x: f64,
    /// The middle line.
    pub y: f64,
    /// The left end of the text.
    pub text_x: f64,
}

/// Sizes and places, in pixels.
#[derive(Debug)]
pub struct Layout {
    /// The side of a cell.
    pub scale: u32,
    /// The width of the picture.
    pub width: u32,
    /// The height of the picture.
    pub height: u32,
    /// The left edge of the map.
    pub map_x: u32,
    /// The upper edge of the map.
    pub map_y: u32,
    /// The side of a pixel of the font: text, marks and margins grow with the picture.
    pub unit: f64,
    /// The legend.
    pub legend: Vec<Entry>,
}

impl Layout {
    /// Lays out a scene: cells are as large as possible in a picture of about 1500 pixels, but at
    /// least one pixel each.
    pub fn of(scene: &Scene<'_>) -> Self {
        let (columns, rows) = (scene.grid.width(), scene.grid.height());
        let scale = (1440 / columns).min(1440 / rows).clamp(1, 96);
        let unit = f64::from((columns * scale / 640).max(2));
        let (margin, line) = (14.0 * unit, 15.0 * unit);
        let entries = entries(scene);
        let widths = entries.iter().map(|(swatch, text)| unit * width_of(*swatch, text));
        let inner = widths.fold(f64::from(columns * scale), f64::max);
        let mut legend = Vec::new();
        let (mut x, mut y) = (margin, margin * 1.9 + f64::from(rows * scale));
        for (swatch, text) in entries {
            let width = unit * width_of(swatch, &text);
            if x > margin && x + width > margin + inner {
                (x, y) = (margin, y + line);
            }
            legend.push(Entry { swatch, text, x, y, text_x: x + unit * width_of(swatch, "") });
            x += width + line;
            if swatch == Swatch::None {
                (x, y) = (margin, y + line);
            }
        }
        let bottom = legend.last().map_or(0.0, |entry| entry.y);
        Self {
            scale,
            width: (inner + 2.0 * margin) as u32,
            height: (bottom + 1.1 * margin) as u32,
            map_x: (margin + (inner - f64::from(columns * scale)) / 2.0) as u32,
            map_y: margin as u32,
            unit,
            legend,
        }
    }

    /// The width of a swatch of the legend.
    pub fn swatch(&self) -> f64 {
        SWATCH * self.unit
    }

    /// The width of the line of a path: paths are nested, so that one below another can still be
    /// seen.
    pub fn line_width(&self, scene: &Scene<'_>, route: usize) -> f64 {
        let base =
            (f64::from(self.scale) * 0.3).clamp(1.3 * self.unit, 9.0_f64.max(2.0 * self.unit));
        base * (1.0 + 0.5 * (scene.routes.len() - 1 - route) as f64)
    }

    /// The radius of the marks at start and goal.
    pub fn mark_radius(&self) -> f64 {
        (f64::from(self.scale) * 0.55).clamp(2.75 * self.unit, 16.0_f64.max(3.0 * self.unit))
    }
}

fn entries(scene: &Scene<'_>) -> Vec<(Swatch, String)> {
    // A long file name must not widen the picture.
    const MOST: usize = 90;
    let cut = |text: &str| match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    };
    let mut entries = vec![(Swatch::None, cut(&scene.title))];
    for Route { colour, label, .. } in &scene.routes {
        entries.push((Swatch::Line(*colour), cut(label)));
    }
    if let Some(interval) = Hills::of(scene.grid).and_then(|hills| hills.interval()) {
        entries[0].1 += &format!("  contour lines every {interval} m");
    }
    if scene.ends.is_some() {
        entries.push((Swatch::Start, "start".into()));
        entries.push((Swatch::Goal, "goal".into()));
    }
    if !scene.expanded.is_empty() {
        let text = if scene.all_expanded {
            "expanded, first to last".into()
        } else {
            format!("the first {} expanded", scene.expanded.len())
        };
        entries.push((Swatch::Heat, text));
    }
    entries
}

/// The width of an entry, in units.
fn width_of(swatch: Swatch, text: &str) -> f64 {
    let text = text.chars().count() as f64 * CHARACTER;
    match swatch {
        Swatch::None => text,
        Swatch::Line(_) | Swatch::Heat => SWATCH + CHARACTER + text,
        Swatch::Start | Swatch::Goal => 2.0 * CHARACTER + text,
    }
}
