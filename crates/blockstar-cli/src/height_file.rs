//! Height maps from files: pictures read as heights, SRTM tiles, ESRI ASCII grids and tables.

use crate::map_file::{self, extension};
use blockstar::Grid;
use blockstar::format::heights::{HeightMap, Voids};
use std::error::Error;
use std::path::Path;

/// How heights are read; the same for every command.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(
    next_help_heading = "How heights are read (.hgt, .asc, .csv, or a picture with --heights)"
)]
pub struct HeightOptions {
    /// Pictures: brightness is height, not walls
    #[arg(long)]
    pub heights: bool,

    /// Pictures: the height of white, in metres [default: the grey value is the height]
    #[arg(long, value_name = "METRES", value_parser = parse_finite, allow_hyphen_values = true)]
    pub highest: Option<f64>,

    /// Multiply all heights by this
    #[arg(long, value_name = "FACTOR", value_parser = parse_finite, allow_hyphen_values = true)]
    pub vertical_scale: Option<f64>,

    /// The distance between neighbouring cells in metres [default: what the file says, for SRTM tiles
    /// 90 or 30, else 1]
    #[arg(long, value_name = "METRES", value_parser = parse_finite, allow_hyphen_values = true)]
    pub cell_size: Option<f64>,

    /// What cells without a height become [default: blocked]
    #[arg(long, value_name = "WHAT")]
    pub voids: Option<VoidCells>,

    /// Resample to this many cells, as in 40x40 [default: one cell per height]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = crate::command::generate::parse_size)]
    pub resample: Option<(u32, u32)>,
}

/// What a cell without a height becomes.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidCells {
    /// A wall.
    Blocked,
    /// Free, as high as the cells around it.
    Filled,
}

/// What is known of the ground of a map with heights.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The distance between neighbouring cells in metres.
    pub cell_size: f64,
    /// What was done to the heights, a sentence each.
    pub notes: Vec<String>,
}

/// The kinds of height files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A grey picture.
    Picture,
    /// An SRTM tile.
    Srtm,
    /// An ESRI ASCII grid.
    Esri,
    /// A table of numbers.
    Table,
}

impl Kind {
    /// The kind that the name of a file asks for; pictures only with `--heights`.
    pub fn of_name(path: &Path, options: &HeightOptions) -> Option<Self> {
        match extension(path).as_str() {
            "hgt" => Some(Self::Srtm),
            "asc" => Some(Self::Esri),
            "csv" => Some(Self::Table),
            "png" | "pgm" | "pnm" | "bmp" | "jpg" | "jpeg" if options.heights => {
                Some(Self::Picture)
            }
            _ => None,
        }
    }
}

impl HeightOptions {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--heights", self.heights),
            ("--highest", self.highest.is_some()),
            ("--vertical-scale", self.vertical_scale.is_some()),
            ("--cell-size", self.cell_size.is_some()),
            ("--voids", self.voids.is_some()),
            ("--resample", self.resample.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Reads a height map.
    pub fn read(
        &self,
        kind: Kind,
        path: &Path,
        bytes: &[u8],
    ) -> Result<(Grid, Ground), Box<dyn Error>> {
        let in_file = |error: blockstar::Error| format!("{}: {error}", path.display());
        if kind != Kind::Picture && self.highest.is_some() {
            return Err(format!(
                "--highest is for pictures, but {} has heights of its own: use --vertical-scale, or \
                 leave it out",
                path.display()
            )
            .into());
        }
        let mut map = match kind {
            Kind::Srtm => HeightMap::parse_hgt(bytes).map_err(in_file)?,
            Kind::Esri => HeightMap::parse_esri(bytes).map_err(in_file)?,
            Kind::Table => HeightMap::parse_csv(bytes).map_err(in_file)?,
            Kind::Picture if bytes.starts_with(b"P2") || bytes.starts_with(b"P5") => {
                HeightMap::parse_pgm(bytes, self.highest).map_err(in_file)?
            }
            Kind::Picture => self.picture(path, bytes)?,
        };
        let mut notes = Vec::new();
        if let Some(factor) = self.vertical_scale {
            map = map.scaled(factor);
        }
        if let Some((width, height)) = self.resample {
            notes.push(format!("resampled from {} x {} heights", map.width(), map.height()));
            map = map.resampled(width, height).map_err(in_file)?;
        }
        let voids = match self.voids {
            Some(VoidCells::Filled) => Voids::Filled,
            Some(VoidCells::Blocked) | None => Voids::Blocked,
        };
        if map.voids() > 0 {
            let what = match voids {
                Voids::Blocked => "blocked (--voids filled fills them)",
                Voids::Filled => "filled from around",
            };
            notes.push(format!("{} cells without a height are {what}", map.voids()));
        }
        let grid = map.grid(voids).map_err(in_file)?;
        let cell_size = self.cell_size.or(map.cell_size()).unwrap_or(1.0);
        Ok((grid, Ground { cell_size, notes }))
    }

    fn picture(&self, path: &Path, bytes: &[u8]) -> Result<HeightMap, Box<dyn Error>> {
        let picture = map_file::decode_picture(path, bytes)?;
        let (width, height) = (picture.width(), picture.height());
        let colour = picture.color();
        if colour.has_color() {
            let rgb = picture.to_rgb8();
            if rgb.pixels().any(|pixel| pixel.0[0] != pixel.0[1] || pixel.0[1] != pixel.0[2]) {
                return Err(format!(
                    "{}: this picture has colours, but heights need shades of grey, of 8 or 16 bits",
                    path.display()
                )
                .into());
            }
        }
        let deep = colour.bytes_per_pixel() / colour.channel_count() == 2;
        let map = if deep {
            let pixels = picture.into_luma16().into_raw();
            HeightMap::from_luma16(width, height, &pixels, self.highest.unwrap_or(65535.0))
        } else {
            let pixels = picture.into_luma8().into_raw();
            HeightMap::from_luma8(width, height, &pixels, self.highest.unwrap_or(255.0))
        };
        map.map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

fn parse_finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{}` is no number: write it as in 1.5", text.escape_debug())),
    }
}
