//! Writes maps to files, in the format given by the extension.

use crate::picture::encode_bmp;
use crate::{extension, write_file};
use blockstar::{Cell, Grid, format::movingai};
use blockstar_draw::Pixels;
use std::path::Path;

/// The kinds of file that maps are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A MovingAI map.
    MovingAi,
    /// A drawing in characters.
    Drawing,
    /// A grey picture.
    Picture(PictureFormat),
    /// A table of heights.
    Table,
    /// An ESRI ASCII grid of heights.
    Esri,
}

/// The kinds of picture that maps are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// PNG.
    Png,
    /// PGM, in bytes.
    Pgm,
    /// BMP, 8 bits.
    Bmp,
}

impl PictureFormat {
    /// An 8-bit picture as a file.
    fn encode8(self, width: u32, height: u32, pixels: &[u8]) -> std::io::Result<Vec<u8>> {
        Ok(match self {
            Self::Png => Pixels::Grey8(pixels).png(width, height)?,
            Self::Pgm => [format!("P5\n{width} {height}\n255\n").as_bytes(), pixels].concat(),
            Self::Bmp => encode_bmp(width, height, pixels),
        })
    }
}

impl Target {
    /// The kind that a file name asks for.
    ///
    /// # Errors
    /// If no kind has this extension.
    pub fn of(path: &Path) -> Result<Self, String> {
        match extension(path).as_str() {
            "map" => Ok(Self::MovingAi),
            "txt" => Ok(Self::Drawing),
            "png" => Ok(Self::Picture(PictureFormat::Png)),
            "pgm" => Ok(Self::Picture(PictureFormat::Pgm)),
            "bmp" => Ok(Self::Picture(PictureFormat::Bmp)),
            "csv" => Ok(Self::Table),
            "asc" => Ok(Self::Esri),
            _ => Err(format!(
                "{}: a map is written to a name that ends in .map (MovingAI), .txt (drawing), .png, \
                 .pgm or .bmp (picture), heights also to .csv or .asc",
                path.display()
            )),
        }
    }

    /// Writes a map.
    ///
    /// # Errors
    /// If this kind cannot hold walls or the file cannot be written.
    pub fn save(self, path: &Path, grid: &Grid) -> Result<(), String> {
        write_file(path, &self.encode(path, grid)?)
    }

    /// A map as the content of a file; the path is for errors only.
    ///
    /// # Errors
    /// If this kind cannot hold walls.
    pub fn encode(self, path: &Path, grid: &Grid) -> Result<Vec<u8>, String> {
        match self {
            Self::MovingAi => Ok(movingai::write_map(grid).into_bytes()),
            Self::Drawing => Ok(drawing(grid).into_bytes()),
            Self::Table | Self::Esri => Err(format!(
                "{}: this kind of file holds heights, and no walls: use .map, .txt, .png, .pgm or .bmp",
                path.display()
            )),
            Self::Picture(format) => {
                let shade = |cell: Cell| if grid.is_free(cell) { 255 } else { 0 };
                let pixels: Vec<u8> = cells(grid).map(shade).collect();
                format
                    .encode8(grid.width(), grid.height(), &pixels)
                    .map_err(|error| format!("{} cannot be made: {error}", path.display()))
            }
        }
    }

    /// Writes the heights of a map, and returns the height of white in a picture, in metres.
    ///
    /// # Errors
    /// If this kind cannot hold these heights or the file cannot be written.
    pub fn save_heights(
        self,
        path: &Path,
        grid: &Grid,
        cell_size: f64,
    ) -> Result<Option<f32>, String> {
        let (bytes, white) = self.encode_heights(path, grid, cell_size)?;
        write_file(path, &bytes).map(|()| white)
    }

    /// The heights of a map as the content of a file; blocked cells become voids if it can hold
    /// them. Also returns the height of white in a picture, in metres. The path is for errors only.
    ///
    /// # Errors
    /// If this kind cannot hold these heights.
    pub fn encode_heights(
        self,
        path: &Path,
        grid: &Grid,
        cell_size: f64,
    ) -> Result<(Vec<u8>, Option<f32>), String> {
        let (low, high) = grid.height_range();
        match self {
            Self::Picture(format) if format != PictureFormat::Bmp && low >= 0.0 => {
                let white = if high > 0.0 { high } else { 1.0 };
                let shade = |cell: Cell| {
                    let height = grid.height_at(cell).unwrap_or(0.0);
                    (f64::from(height) / f64::from(white) * 65535.0).round() as u16
                };
                let pixels: Vec<u16> = cells(grid).map(shade).collect();
                let bytes = if format == PictureFormat::Pgm {
                    let header = format!("P5 {} {} 65535\n", grid.width(), grid.height());
                    let samples = pixels.iter().flat_map(|pixel| pixel.to_be_bytes());
                    header.into_bytes().into_iter().chain(samples).collect()
                } else {
                    Pixels::Grey16(&pixels)
                        .png(grid.width(), grid.height())
                        .map_err(|error| format!("{} cannot be made: {error}", path.display()))?
                };
                Ok((bytes, Some(white)))
            }
            Self::Table => {
                let voids = grid.free_cells() < (grid.width() * grid.height()) as usize;
                if voids && grid.width() == 1 {
                    return Err(format!(
                        "{}: a table of one column cannot hold cells without a height: use .asc",
                        path.display()
                    ));
                }
                // With decimals if the first field is void: a line of whole numbers could be
                // mistaken for column numbers.
                let decimals = !grid.is_free(Cell::new(0, 0));
                let field = |cell: Cell| match grid.height_at(cell).filter(|_| grid.is_free(cell)) {
                    None => String::new(),
                    Some(height) if decimals => format!("{height:?}"),
                    Some(height) => height.to_string(),
                };
                Ok((rows(grid, ",", field).into_bytes(), None))
            }
            Self::Esri => {
                // Voids are marked by a number that is not a height of the map.
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
                Ok(((text + &rows(grid, " ", field)).into_bytes(), None))
            }
            _ => Err(format!(
                "{}: heights are written to a name that ends in .pgm, .png, .csv or .asc",
                path.display()
            )),
        }
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

/// The cells of a map, row by row.
fn cells(grid: &Grid) -> impl Iterator<Item = Cell> + '_ {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).map(move |x| Cell::new(x, y)))
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
