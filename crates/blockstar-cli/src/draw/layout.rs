//! Where things go in a picture: the map, and below it a legend that flows in lines.

use super::{Colour, Route, Scene};

/// The room around the map and between it and the legend, in pixels.
pub const MARGIN: f64 = 28.0;

/// The size of a character of the legend, with the space after it.
pub const CHARACTER: f64 = 12.0;

/// From one line of the legend to the next.
pub const LINE: f64 = 30.0;

/// The width of a swatch.
pub const SWATCH: f64 = 40.0;

/// What stands before a text in the legend.
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
    /// What stands before the text.
    pub swatch: Swatch,
    /// The text.
    pub text: String,
    /// The left end.
    pub x: f64,
    /// The middle line.
    pub y: f64,
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
    /// The legend.
    pub legend: Vec<Entry>,
}

impl Layout {
    /// Lays out a scene: cells as large as the picture stays below about 1500 pixels, but at
    /// least one pixel each.
    pub fn of(scene: &Scene<'_>) -> Self {
        let (columns, rows) = (scene.grid.width(), scene.grid.height());
        let scale = (1440 / columns).min(1440 / rows).clamp(1, 160);
        let entries = entries(scene);
        let longest = entries.iter().map(|(swatch, text)| width_of(*swatch, text));
        let inner = longest.fold(f64::from(columns * scale), f64::max);
        let mut legend = Vec::new();
        let (mut x, mut y) = (MARGIN, MARGIN * 1.9 + f64::from(rows * scale));
        for (swatch, text) in entries {
            let width = width_of(swatch, &text);
            if x > MARGIN && x + width > MARGIN + inner {
                (x, y) = (MARGIN, y + LINE);
            }
            legend.push(Entry { swatch, text, x, y });
            x += width + 2.5 * CHARACTER;
            if swatch == Swatch::None {
                (x, y) = (MARGIN, y + LINE);
            }
        }
        let bottom = legend.last().map_or(0.0, |entry| entry.y);
        Self {
            scale,
            width: (inner + 2.0 * MARGIN) as u32,
            height: (bottom + 1.1 * MARGIN) as u32,
            map_x: (MARGIN + (inner - f64::from(columns * scale)) / 2.0) as u32,
            map_y: MARGIN as u32,
            legend,
        }
    }

    /// The width of the line of a path: paths are nested, so that one below another is still seen.
    pub fn line_width(&self, scene: &Scene<'_>, route: usize) -> f64 {
        let base = (f64::from(self.scale) * 0.3).clamp(2.6, 9.0);
        base * (1.0 + 0.8 * (scene.routes.len() - 1 - route) as f64)
    }

    /// The radius of the marks at start and goal.
    pub fn mark_radius(&self) -> f64 {
        (f64::from(self.scale) * 0.55).clamp(5.5, 16.0)
    }
}

fn entries(scene: &Scene<'_>) -> Vec<(Swatch, String)> {
    // A file name may be long: the picture need not be.
    const MOST: usize = 90;
    let cut = |text: &str| match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    };
    let mut entries = vec![(Swatch::None, cut(&scene.title))];
    for Route { colour, label, .. } in &scene.routes {
        entries.push((Swatch::Line(*colour), cut(label)));
    }
    if scene.ends.is_some() {
        entries.push((Swatch::Start, "start".into()));
        entries.push((Swatch::Goal, "goal".into()));
    }
    if !scene.expanded.is_empty() {
        entries.push((Swatch::Heat, "expanded, first to last".into()));
    }
    entries
}

fn width_of(swatch: Swatch, text: &str) -> f64 {
    let text = text.chars().count() as f64 * CHARACTER;
    match swatch {
        Swatch::None => text,
        Swatch::Line(_) | Swatch::Heat => SWATCH + CHARACTER + text,
        Swatch::Start | Swatch::Goal => 2.0 * CHARACTER + text,
    }
}

impl Entry {
    /// The left end of the text.
    pub fn text_x(&self) -> f64 {
        self.x + width_of(self.swatch, "")
    }
}
