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

    /// Writes the heights of a map; blocked cells are voids where the file can hold them. Returns what
    /// white stands for in a picture, in metres.
    pub fn save_heights(
        self,
        path: &Path,
        grid: &Grid,
        cell_size: f64,
    ) -> Result<Option<f32>, Box<dyn Error>> {
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
                let voids = grid.free_cells() < (grid.width() * grid.height()) as usize;
                if voids && grid.width() == 1 {
                    return Err(format!(
                        "{}: a table of one column cannot hold cells without a height: use .asc",
                        path.display()
                    )
                    .into());
                }
                // With decimals where the first field is void: a line of whole numbers could be taken for
                // numbers of columns.
                let decimals = !grid.is_free(Cell::new(0, 0));
                let field = |cell: Cell| match grid.height_at(cell).filter(|_| grid.is_free(cell)) {
                    None => String::new(),
                    Some(height) if decimals => format!("{height:?}"),
                    Some(height) => height.to_string(),
                };
                write_file(path, rows(grid, ",", field).as_bytes())?;
                Ok(None)
            }
            Self::Esri => {
                // A number that is no height marks voids.
                let mut void = -9999.0_f32;
                while void >= low {
                    void = void * 10.0 - 9.0;
                }
                let text = format!(
                    "ncols {}\nnrows {}\nxllcorner 0\nyllcorner 0\ncellsize {cell_size}\nNODATA_value \
                     {void}\n",
                    grid.width(),
                    grid.height()
                );
                let field = |cell: Cell| {
                    grid.height_at(cell).filter(|_| grid.is_free(cell)).unwrap_or(void).to_string()
                };
                write_file(path, (text + &rows(grid, " ", field)).as_bytes())?;
                Ok(None)
            }
            _ => Err(format!(
                "{}: heights are written to a name that ends in .pgm, .png, .csv or .asc",
                path.display()
            )
            .into()),
        }
    }

    /// What heights lose when they are written as this kind of file, a sentence each.
    pub fn lost_of_heights(self, grid: &Grid, cell_size: f64) -> Vec<String> {
        let mut losses = Vec::new();
        let blocked = grid.free_cells() < (grid.width() * grid.height()) as usize;
        if blocked && matches!(self, Self::Picture(_)) {
            losses.push("which cells are blocked or have no height: they are filled".into());
        }
        if cell_size != 1.0 && self != Self::Esri {
            losses.push(format!("the cell size: read it with --cell-size {cell_size}"));
        }
        losses
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

/// A line for each row of a map, with a field for each cell.
fn rows(grid: &Grid, separator: &str, field: impl Fn(Cell) -> String) -> String {
    let mut text = String::new();
    for y in 0..grid.height() {
        let row: Vec<String> = (0..grid.width()).map(|x| field(Cell::new(x, y))).collect();
        text += &row.join(separator);
        text.push('\n');
    }
    text
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
