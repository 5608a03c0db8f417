//! What a picture shows, and the kinds of picture.

use crate::{Colour, png, svg};
use blockstar::{Cell, Event, Grid, Point, Trace};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// What a picture shows.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// The heading of the legend.
    pub title: String,
    /// Expanded points in order, for the heat map; may be empty.
    pub expanded: &'a [Point],
    /// Whether `expanded` is complete, rather than cut off after the first points.
    pub all_expanded: bool,
    /// The paths, drawn in this order.
    pub routes: Vec<Route>,
    /// Where the paths start and end.
    pub ends: Option<(Point, Point)>,
}

/// A path in a picture.
#[derive(Debug)]
pub struct Route {
    /// Its points; empty if there is no path and only the label is shown.
    pub points: Vec<Point>,
    /// Its colour.
    pub colour: Colour,
    /// Its line in the legend.
    pub label: String,
}

impl Route {
    /// The only path of a picture; nothing if it has no points.
    pub fn alone(points: &[Point], label: &str) -> Vec<Self> {
        if points.is_empty() {
            return Vec::new();
        }
        vec![Self { points: points.to_vec(), colour: Colour::route(0), label: label.into() }]
    }
}

/// The points that a search expanded, in order; for a block, all free cells.
pub fn expanded(trace: &Trace, grid: &Grid) -> Vec<Point> {
    let mut expanded = Vec::new();
    for event in trace.events() {
        match event {
            Event::Expanded { at, .. } => expanded.push(at),
            Event::Block { rect, .. } => {
                let free = rect.cells().filter(|&cell| grid.is_free(cell));
                expanded.extend(free.map(Cell::centre));
            }
            _ => {}
        }
    }
    expanded
}

/// The kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Shapes.
    Svg,
}

impl PictureFormat {
    /// The kind that a file name asks for.
    ///
    /// # Errors
    /// If the name ends in neither `.png` nor `.svg`.
    pub fn of(path: &Path) -> Result<Self, String> {
        let ending = path.extension().map(OsStr::to_ascii_lowercase);
        match ending.as_deref().and_then(OsStr::to_str) {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            _ => Err(format!(
                "{}: a picture is written to a name that ends in .png or .svg",
                path.display()
            )),
        }
    }

    /// Draws a scene as the bytes of a file.
    ///
    /// # Errors
    /// If the picture is larger than a PNG file can hold.
    pub fn encode(self, scene: &Scene<'_>) -> io::Result<Vec<u8>> {
        match self {
            Self::Png => png::encode(scene),
            Self::Svg => Ok(svg::write(scene).into_bytes()),
        }
    }
}
