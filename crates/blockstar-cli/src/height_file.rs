//! Height maps from files: pictures read as heights, SRTM tiles, ESRI ASCII grids and tables.

use crate::argument;
use crate::map_file::Format;
use blockstar::format::heights::{HeightMap, Voids};
use blockstar::{Cell, Grid, Tile};
use blockstar_files::{Grey, Picture};
use std::error::Error;
use std::path::{Path, PathBuf};

/// How heights are read; the same for every command.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(
    next_help_heading = "How heights are read (.hgt, .asc, or with --heights .csv and pictures)"
)]
pub struct HeightOptions {
    /// The same as --as heights: the brightness of a picture is height, not walls
    #[arg(long)]
    pub heights: bool,

    /// Pictures: the height of white, in metres [default: the grey value is the height]
    #[arg(long, value_name = "METRES", value_parser = argument::finite, allow_hyphen_values = true)]
    pub highest: Option<f64>,

    /// Multiply all heights by this
    #[arg(long, value_name = "FACTOR", value_parser = argument::finite, allow_hyphen_values = true)]
    pub vertical_scale: Option<f64>,

    /// Heights for a map of walls, from another file of the same size (.hgt, .asc, .csv or a
    /// picture; `-` is standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "heights")]
    pub heights_file: Option<PathBuf>,

    /// The distance between neighbouring heights of the file in metres; --resample changes it with
    /// their number [default: as in the file, for SRTM tiles 90 or 30, else 1]
    #[arg(long, value_name = "METRES", value_parser = argument::finite, allow_hyphen_values = true)]
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

/// What is known about the ground of a map with heights.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The distance between neighbouring cells in metres.
    pub cell_size: f64,
    /// What was done to the heights, a sentence each.
    pub notes: Vec<String>,
}

impl HeightOptions {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--heights", self.heights),
            ("--heights-file", self.heights_file.is_some()),
            ("--highest", self.highest.is_some()),
            ("--vertical-scale", self.vertical_scale.is_some()),
            ("--cell-size", self.cell_size.is_some()),
            ("--voids", self.voids.is_some()),
            ("--resample", self.resample.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Gives a map of walls the heights of another file.
    pub fn add(
        &self,
        file: &Path,
        bytes: &[u8],
        grid: &mut Grid,
    ) -> Result<Ground, Box<dyn Error>> {
        let format = Format::of_name(file).or_else(|| Format::of_content(bytes));
        let format = format.ok_or_else(|| unfit(file))?;
        let (heights, mut ground) = self.read(format, file, bytes)?;
        let (width, height) = (grid.width(), grid.height());
        if (heights.width(), heights.height()) != (width, height) {
            return Err(format!(
                "{} has {} x {} heights, but the map has {width} x {height} cells: add --resample \
                 {width}x{height}",
                file.display(),
                heights.width(),
                heights.height()
            )
            .into());
        }
        let cells = || (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        grid.set_heights(
            &cells().map(|cell| heights.height_at(cell).unwrap_or(0.0)).collect::<Vec<_>>(),
        )?;
        for cell in cells().filter(|&cell| !heights.is_free(cell)) {
            grid.set(cell, Tile::Blocked)?;
        }
        ground.notes.insert(0, format!("heights from {}", file.display()));
        Ok(ground)
    }

    /// Reads a height map.
    pub fn read(
        &self,
        format: Format,
        path: &Path,
        bytes: &[u8],
    ) -> Result<(Grid, Ground), Box<dyn Error>> {
        let in_file = |error: blockstar::Error| format!("{}: {error}", path.display());
        if format != Format::Picture && self.highest.is_some() {
            return Err(format!(
                "--highest is for pictures, but {} has heights of its own: use --vertical-scale, or \
                 leave it out",
                path.display()
            )
            .into());
        }
        let map = match format {
            Format::Srtm => HeightMap::parse_hgt(bytes).map_err(in_file)?,
            Format::Esri => HeightMap::parse_esri(bytes).map_err(in_file)?,
            Format::Table => HeightMap::parse_csv(bytes).map_err(in_file)?,
            Format::Picture if bytes.starts_with(b"P2") || bytes.starts_with(b"P5") => {
                HeightMap::parse_pgm(bytes, self.highest).map_err(in_file)?
            }
            Format::Picture => self.picture(path, bytes)?,
            Format::MovingAi | Format::Drawing | Format::Ros => return Err(unfit(path)),
        };
        let size = self.cell_size.or(map.cell_size()).unwrap_or(1.0);
        let mut map = map.with_cell_size(size);
        let mut notes = map.notes().to_vec();
        if let Some(factor) = self.vertical_scale {
            map = map.scaled(factor);
        }
        if let Some((width, height)) = self.resample {
            let (before, across) = ((map.width(), map.height()), f64::from(map.width()));
            map = map.resampled(width, height).map_err(in_file)?;
            let size = map.cell_size().unwrap_or(size);
            notes.push(format!(
                "resampled from {} x {} heights, to cells of {} m",
                before.0,
                before.1,
                (size * 1000.0).round() / 1000.0
            ));
            let (wide, high) = (across / f64::from(width), f64::from(before.1) / f64::from(height));
            if wide != high {
                notes.push(format!(
                    "{width} x {height} is another shape than {} x {}: the ground is stretched by {:.1} \
                     % from north to south against east to west, and so are its slopes",
                    before.0,
                    before.1,
                    (wide / high - 1.0) * 100.0
                ));
            }
        }
        let (voids, what) = match self.voids {
            Some(VoidCells::Filled) => (Voids::Filled, "filled from around"),
            Some(VoidCells::Blocked) | None => {
                (Voids::Blocked, "blocked (--voids filled fills them)")
            }
        };
        if map.voids() > 0 {
            notes.push(format!("{} cells without a height are {what}", map.voids()));
        }
        let grid = map.grid(voids).map_err(in_file)?;
        Ok((grid, Ground { cell_size: map.cell_size().unwrap_or(size), notes }))
    }

    fn picture(&self, path: &Path, bytes: &[u8]) -> Result<HeightMap, Box<dyn Error>> {
        let refused = |what: &str| {
            let name = path.display();
            format!("{name}: {what}, but heights need shades of grey, of 8 or 16 bits")
        };
        check_depth(bytes).map_err(|what| refused(&what))?;
        let picture = Picture::decode(path, bytes)?;
        let (width, height) = (picture.width(), picture.height());
        let map = match picture.into_grey().map_err(|what| refused(&what))? {
            Grey::Sixteen(pixels) => {
                HeightMap::from_luma16(width, height, &pixels, self.highest.unwrap_or(65535.0))
            }
            Grey::Eight(pixels) => {
                HeightMap::from_luma8(width, height, &pixels, self.highest.unwrap_or(255.0))
            }
        };
        map.map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// The error for a file that cannot hold heights.
fn unfit(path: &Path) -> Box<dyn Error> {
    let name = path.display();
    format!("{name}: heights are read from .hgt, .asc, .csv, .png, .pgm, .bmp or .jpg").into()
}

/// Refuses pictures whose pixels are changed by decoding: pixels with fewer bits are stretched to
/// eight, and those of a palette are indices of colours.
fn check_depth(bytes: &[u8]) -> Result<(), String> {
    if bytes.starts_with(b"P1") || bytes.starts_with(b"P4") {
        return Err("this picture has pixels of 1 bit".into());
    }
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Ok(());
    }
    // The first chunk of a PNG file: after the size, the bits per channel and the kind of channels.
    match (bytes.get(24), bytes.get(25)) {
        (_, Some(3)) => Err("the pixels of this picture are indices of a palette".into()),
        (Some(bits @ (1 | 2 | 4)), _) => {
            let plural = if *bits == 1 { "" } else { "s" };
            Err(format!("this picture has pixels of {bits} bit{plural}"))
        }
        _ => Ok(()),
    }
}
