//! Maps to files, by what the name ends in, and what each kind of file cannot hold.

use crate::map_file::{Format, LoadedMap, extension};
use crate::output::write_file;
use blockstar::{Cell, Grid, format::movingai};
use image::{DynamicImage, GrayImage, ImageFormat, Luma};
use std::error::Error;
use std::io::Cursor;
use std::path::Path;

/// The kinds of file that maps are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A MovingAI map.
    MovingAi,
    /// A drawing in characters.
    Drawing,
    /// A grey picture.
    Picture(ImageFormat),
}

impl Target {
    /// The kind that the name of a file asks for.
    pub fn of(path: &Path) -> Result<Self, Box<dyn Error>> {
        match extension(path).as_str() {
            "map" => Ok(Self::MovingAi),
            "txt" => Ok(Self::Drawing),
            "png" => Ok(Self::Picture(ImageFormat::Png)),
            "pgm" => Ok(Self::Picture(ImageFormat::Pnm)),
            "bmp" => Ok(Self::Picture(ImageFormat::Bmp)),
            _ => Err(format!(
                "{}: a map is written to a name that ends in .map (MovingAI), .txt (drawing), .png, \
                 .pgm or .bmp (picture)",
                path.display()
            )
            .into()),
        }
    }

    /// Writes a map.
    pub fn save(self, path: &Path, grid: &Grid) -> Result<(), Box<dyn Error>> {
        match self {
            Self::MovingAi => write_file(path, movingai::write_map(grid).as_bytes()),
            Self::Drawing => write_file(path, drawing(grid).as_bytes()),
            Self::Picture(format) => {
                let picture = GrayImage::from_fn(grid.width(), grid.height(), |x, y| {
                    Luma([if grid.is_free(Cell::new(x, y)) { 255 } else { 0 }])
                });
                let mut bytes = Cursor::new(Vec::new());
                DynamicImage::ImageLuma8(picture)
                    .write_to(&mut bytes, format)
                    .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
                write_file(path, &bytes.into_inner())
            }
        }
    }

    /// What a map loses when it is written as this kind of file, a sentence each.
    pub fn losses(self, map: &LoadedMap) -> Vec<String> {
        let mut losses = Vec::new();
        let grid = &map.grid;
        if grid.has_costs() {
            match self {
                Self::MovingAi | Self::Picture(_) => {
                    losses.push("the terrain costs: every free cell costs 1".into());
                }
                Self::Drawing => {
                    let rounded = cells(grid).filter(|&cell| !is_digit(grid.cost(cell))).count();
                    if rounded > 0 {
                        losses.push(format!(
                            "the exact terrain costs of {rounded} cells: rounded to whole numbers \
                             from 1 to 9"
                        ));
                    }
                }
            }
        }
        if map.ros.is_some() {
            losses.push("scale, origin and unknown cells of the ROS map".into());
        }
        if map.format == Format::Picture && !matches!(self, Self::Picture(_)) {
            losses.push("colours and shades: cells are free or blocked".into());
        }
        losses
    }
}

/// The free cells of a map.
fn cells(grid: &Grid) -> impl Iterator<Item = Cell> + '_ {
    (0..grid.height())
        .flat_map(move |y| (0..grid.width()).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_free(cell))
}

/// Whether a drawing can hold this cost.
fn is_digit(cost: f64) -> bool {
    cost.fract() == 0.0 && (1.0..=9.0).contains(&cost)
}

/// A drawing with digits for terrain.
fn drawing(grid: &Grid) -> String {
    let mut text = String::with_capacity((grid.width() as usize + 1) * grid.height() as usize);
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let cost = grid.cost(Cell::new(x, y));
            text.push(match cost.round().clamp(1.0, 9.0) as u8 {
                _ if cost == 0.0 => '#',
                1 => '.',
                digit => char::from(b'0' + digit),
            });
        }
        text.push('\n');
    }
    text
}
