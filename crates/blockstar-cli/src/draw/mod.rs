//! Pictures of maps, searches and paths: in the terminal, as PNG and as SVG.
//!
//! A [`Scene`] says what is to be seen, `Layout` where it goes; [`png`] and [`svg`] draw the same
//! layout with their own means.

mod canvas;
mod colour;
mod font;
mod heat;
pub mod hills;
mod layout;
mod png;
pub mod profile;
mod svg;
pub mod terminal;

pub use colour::Colour;

use crate::map_file::extension;
use crate::output::write_file;
use blockstar::{Grid, Point};
use std::error::Error;
use std::path::Path;

/// What is to be seen.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// The heading of the legend.
    pub title: String,
    /// Expanded points in order, for the heat map; may be empty.
    pub expanded: &'a [Point],
    /// Whether these are all, and not only the first.
    pub all_expanded: bool,
    /// The paths, drawn in this order.
    pub routes: Vec<Route>,
    /// Where the paths start and end.
    pub ends: Option<(Point, Point)>,
}

/// A path in a picture.
#[derive(Debug)]
pub struct Route {
    /// Its points; none if there is no path and only the label is shown.
    pub points: Vec<Point>,
    /// Its colour.
    pub colour: Colour,
    /// Its line in the legend.
    pub label: String,
}

/// The kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pixels.
    Png,
    /// Shapes.
    Svg,
}

impl Kind {
    /// The kind that the name of a file asks for.
    pub fn of(path: &Path) -> Result<Self, Box<dyn Error>> {
        match extension(path).as_str() {
            "png" => Ok(Self::Png),
            "svg" => Ok(Self::Svg),
            _ => Err(format!(
                "{}: a picture is written to a name that ends in .png or .svg",
                path.display()
            )
            .into()),
        }
    }

    /// Draws a scene to a file.
    pub fn write(self, scene: &Scene<'_>, path: &Path) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Png => {
                let bytes = png::encode(scene)
                    .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
                write_file(path, &bytes)
            }
            Self::Svg => write_file(path, svg::write(scene).as_bytes()),
        }
    }
}
