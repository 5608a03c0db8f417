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
    /// A table of heights.
    Table,
    /// An ESRI ASCII grid of heights.
    Esri,
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
            "csv" => Ok(Self::Table),
            "asc" => Ok(Self::Esri),
            _ => Err(format!(
                "{}: a map is written to a name that ends in .map (MovingAI), .txt (drawing), .png, \
                 .pgm or .bmp (picture), heights also to .csv or .asc",
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
            Self::Table | Self::Esri => Err(format!(
                "{}: this kind of file holds heights, and no walls: use .map, .txt, .png, .pgm or .bmp",
                path.display()
            )
            .into()),
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

    /// What white stands for when the heights of a map are written as a picture, in metres.
    pub fn save_heights(self, path: &Path, grid: &Grid) -> Result<Option<f32>, Box<dyn Error>> {
        let height = |x: u32, y: u32| grid.height_at(Cell::new(x, y)).unwrap_or(0.0);
        let (low, high) = grid.height_range();
        match self {
            Self::Picture(format) if format != ImageFormat::Bmp && low >= 0.0 => {
                let white = if high > 0.0 { high } else { 1.0 };
                let picture = image::ImageBuffer::from_fn(grid.width(), grid.height(), |x, y| {
                    let part = f64::from(height(x, y)) / f64::from(white);
                    Luma([(part * 65535.0).round() as u16])
                });
                let mut bytes = Cursor::new(Vec::new());
                if format == ImageFormat::Pnm {
                    // Written by hand: a plain header and two bytes for each pixel.
                    let mut pgm =
                        format!("P5 {} {} 65535\n", grid.width(), grid.height()).into_bytes();
                    pgm.extend(picture.as_raw().iter().flat_map(|value: &u16| value.to_be_bytes()));
                    bytes = Cursor::new(pgm);
                } else {
                    DynamicImage::ImageLuma16(picture)
                        .write_to(&mut bytes, format)
                        .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
                }
                write_file(path, &bytes.into_inner())?;
                Ok(Some(white))
            }
            Self::Table => {
                let mut text = String::new();
                for y in 0..grid.height() {
                    let row: Vec<String> =
                        (0..grid.width()).map(|x| height(x, y).to_string()).collect();
                    text += &row.join(",");
                    text.push('\n');
                }
                write_file(path, text.as_bytes())?;
                Ok(None)
            }
            Self::Esri => {
                let mut text = format!(
                    "ncols {}\nnrows {}\nxllcorner 0\nyllcorner 0\ncellsize 1\n",
                    grid.width(),
                    grid.height()
                );
                for y in 0..grid.height() {
                    let row: Vec<String> =
                        (0..grid.width()).map(|x| height(x, y).to_string()).collect();
                    text += &row.join(" ");
                    text.push('\n');
                }
                write_file(path, text.as_bytes())?;
                Ok(None)
            }
            _ => Err(format!(
                "{}: heights are written to a name that ends in .pgm, .png, .csv or .asc",
                path.display()
            )
            .into()),
        }
    }

    /// What a map loses when it is written as this kind of file, a sentence each.
    pub fn losses(self, map: &LoadedMap) -> Vec<String> {
        let mut losses = Vec::new();
        let grid = &map.grid;
        if grid.has_costs() {
            match self {
                Self::MovingAi | Self::Picture(_) | Self::Table | Self::Esri => {
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
        if grid.has_heights() {
            losses.push("the heights".into());
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
