//! Maps from files, by the extension and the first bytes.
//!
//! Some files, tables above all, hold numbers that can mean several things: `--as` says whether
//! they are walls, heights or costs; nothing is guessed. `-` is standard input.
//!
//! Nothing in a file is trusted: the size of a picture is checked before it is
//! decoded, text is read up to the length of the largest possible map, and the picture that a ROS
//! map names must lie beside it.

use crate::height_file::{Ground, HeightOptions};
use blockstar::format::{ascii, heights::HeightMap, image as luma, movingai, ros::RosMap};
use blockstar::{Grid, Tile};
use blockstar_files::{Picture, extension};
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// How maps are read; the same for every command.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "How the map is read")]
pub struct MapOptions {
    /// Pictures: a pixel at least this bright (0 to 255) is free [default: 128]
    #[arg(long, value_name = "BRIGHTNESS")]
    pub threshold: Option<u8>,

    /// ROS maps and tables of occupancy: what cells of unknown occupancy become
    /// [default: blocked]
    #[arg(long, value_name = "TILE")]
    pub unknown: Option<Unknown>,

    /// What the numbers of a file stand for; needed for .csv, which can be any of these
    /// [default: for pictures occupancy, for .asc and .hgt heights]
    #[arg(long = "as", value_name = "WHAT", conflicts_with = "heights")]
    pub meaning: Option<Meaning>,

    /// MovingAI maps with terrain: what each letter costs, as in `H=1,F=1.5,G=2`; 0 is blocked.
    /// Not listed, `.` costs 1 and `@`, `T`, `W` are blocked; every other letter must be listed
    #[arg(long, value_name = "LETTER=COST,...", value_parser = parse_terrain)]
    pub terrain: Option<Terrain>,

    #[command(flatten)]
    pub relief: HeightOptions,
}

/// What the numbers of a file stand for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Walls: in tables 0 is free, 1 or 100 blocked, -1 or nothing unknown
    Occupancy,
    /// Metres
    Heights,
    /// What a step costs: 0 or nothing is blocked, 1 is plain ground
    Costs,
}

/// What an unknown cell becomes.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Unknown cells can be walked on.
    Free,
    /// Unknown cells are walls.
    Blocked,
}

/// The cost of each letter of a map with terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    prices: Vec<(u8, f64)>,
}

/// The kind of file a map came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A map of the MovingAI benchmarks.
    MovingAi,
    /// A drawing in characters.
    Drawing,
    /// A picture.
    Picture,
    /// A YAML file of the ROS map server with its picture.
    Ros,
    /// An SRTM tile.
    Srtm,
    /// An ESRI ASCII grid.
    Esri,
    /// A table of numbers.
    Table,
}

/// A map and where it came from.
#[derive(Debug)]
pub struct LoadedMap {
    /// The map.
    pub grid: Grid,
    /// The file as it was named.
    pub path: PathBuf,
    /// What kind of file it was.
    pub format: Format,
    /// What its numbers stand for.
    pub meaning: Meaning,
    /// Scale and origin, if it was a ROS map.
    pub ros: Option<RosMap>,
    /// What is known about the ground, if the map has heights.
    pub ground: Option<Ground>,
}

impl Format {
    /// The name in sentences, with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MovingAi => "a MovingAI map",
            Self::Drawing => "a drawing",
            Self::Picture => "a picture",
            Self::Ros => "a ROS map",
            Self::Srtm => "an SRTM tile",
            Self::Esri => "an ESRI grid",
            Self::Table => "a table",
        }
    }

    /// The format by file name.
    pub fn of_name(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "map" => Some(Self::MovingAi),
            "txt" => Some(Self::Drawing),
            "png" | "pgm" | "pbm" | "ppm" | "pnm" | "bmp" | "jpg" | "jpeg" => Some(Self::Picture),
            "yaml" | "yml" => Some(Self::Ros),
            "hgt" => Some(Self::Srtm),
            "asc" => Some(Self::Esri),
            "csv" => Some(Self::Table),
            _ => None,
        }
    }

    /// The format by the first bytes.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        // No drawing begins with these letters, nor with the `P5` of a PGM file.
        let text = bytes.trim_ascii_start();
        let starts = |keys: &[&[u8]]| keys.iter().any(|key| text.starts_with(key));
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if starts(&[b"type", b"height", b"width"]) {
            Some(Self::MovingAi)
        } else if Picture::is_likely(bytes) {
            Some(Self::Picture)
        } else if starts(&[b"ncols", b"NCOLS", b"nrows", b"NROWS"]) {
            Some(Self::Esri)
        } else if line.is_ascii() && line.iter().any(|byte| b",;\t".contains(byte)) {
            Some(Self::Table)
        } else if matches!(text.first(), Some(b'.' | b'#' | b'@' | b'1'..=b'9')) {
            Some(Self::Drawing)
        } else {
            None
        }
    }

    /// What the numbers of such a file stand for, if the user has to say it.
    fn meaning(self, given: Option<Meaning>, path: &Path) -> Result<Meaning, Box<dyn Error>> {
        let name = path.display();
        let possible: &[Meaning] = match self {
            Self::MovingAi | Self::Drawing => &[],
            Self::Ros => &[Meaning::Occupancy],
            Self::Picture => &[Meaning::Occupancy, Meaning::Heights],
            Self::Srtm => &[Meaning::Heights],
            Self::Esri => &[Meaning::Heights, Meaning::Occupancy, Meaning::Costs],
            Self::Table => {
                return given.ok_or_else(|| {
                    format!(
                        "{name} is a table of numbers, which can be walls, heights or costs: say \
                         which with --as occupancy, --as heights or --as costs"
                    )
                    .into()
                });
            }
        };
        match given {
            None => Ok(*possible.first().unwrap_or(&Meaning::Occupancy)),
            Some(given) if possible.contains(&given) => Ok(given),
            Some(_) if possible.is_empty() => Err(format!(
                "--as is for files of numbers, but {name} is {}, which says itself what it means: \
                 leave --as out",
                self.name()
            )
            .into()),
            Some(_) => Err(format!(
                "{name} is {}, which cannot be read like this: costs are read from .csv and .asc, \
                 heights from .hgt, .asc, .csv and pictures",
                self.name()
            )
            .into()),
        }
    }
}

/// The largest map as text, with room for a header, two-byte line ends and some blanks.
const MOST_BYTES: u64 = Grid::MAX_SIDE as u64 * (Grid::MAX_SIDE as u64 + 8) + 65_536;

/// Reads a map.
pub fn load(path: &Path, options: &MapOptions) -> Result<LoadedMap, Box<dyn Error>> {
    if is_stdin(path) && options.relief.heights_file.as_deref().is_some_and(is_stdin) {
        return Err(
            "standard input cannot be both the map and its heights: name a file for one".into()
        );
    }
    let bytes = read(path, MOST_BYTES)?;
    let path = if is_stdin(path) { Path::new("standard input") } else { path };
    decode(path, &bytes, options)
}

/// Reads a map from the content of a file.
pub fn decode(
    path: &Path,
    bytes: &[u8],
    options: &MapOptions,
) -> Result<LoadedMap, Box<dyn Error>> {
    let in_file = |error: &dyn Error| format!("{}: {error}", path.display());
    // Text that claims to be a MovingAI map is read as one, whatever its name.
    let by_name = Format::of_name(path).filter(|format| *format != Format::Drawing);
    let format = by_name.or_else(|| Format::of_content(bytes)).or_else(|| Format::of_name(path));
    let Some(format) = format else {
        return Err(format!(
            "{}: neither the name nor the content says what kind of map this is: use .map for \
             MovingAI maps, .txt for drawings, .png, .pgm, .bmp or .jpg for pictures, .yaml for \
             ROS maps, .hgt, .asc or .csv for heights",
            path.display()
        )
        .into());
    };
    let given = options.relief.heights.then_some(Meaning::Heights).or(options.meaning);
    let meaning = format.meaning(given, path)?;
    options.check_for(format, meaning, path)?;
    let (mut ros, mut ground) = (None, None);
    let mut grid = match (meaning, format) {
        (Meaning::Heights, _) => {
            let (grid, found) = options.relief.read(format, path, bytes)?;
            ground = Some(found);
            grid
        }
        (_, Format::Table | Format::Esri | Format::Srtm) => {
            let numbers = match format {
                Format::Esri => HeightMap::parse_esri(bytes),
                _ => HeightMap::parse_csv(bytes),
            };
            options.tiles(&numbers.map_err(|error| in_file(&error))?, meaning, path)?
        }
        (_, Format::MovingAi) => match &options.terrain {
            None => movingai::parse_map(bytes).map_err(|error| {
                let hint = if error.to_string().contains("needs a cost") {
                    " (option --terrain, as in --terrain 'H=1,F=1.5')"
                } else {
                    ""
                };
                format!("{}{hint}", in_file(&error))
            })?,
            Some(terrain) => movingai::parse_map_with(bytes, |letter| terrain.price(letter))
                .map_err(|error| in_file(&error))?,
        },
        (_, Format::Drawing) => {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
                format!("{}: line {line} is not UTF-8, so this is not a drawing", path.display())
            })?;
            ascii::parse(text).map_err(|error| in_file(&error))?
        }
        (_, Format::Picture) => {
            let picture = Picture::decode(path, bytes)?;
            let (width, height, pixels) = (picture.width(), picture.height(), picture.brightness());
            luma::from_luma(width, height, &pixels, options.threshold.unwrap_or(128))
                .map_err(|error| in_file(&error))?
        }
        (_, Format::Ros) => {
            let map = RosMap::parse(bytes).map_err(|error| in_file(&error))?;
            let file = picture_beside(path, &map.image)?;
            let picture = Picture::decode(&file, &read(&file, MOST_BYTES)?)?;
            let unknown = options.unknown_tile();
            let grid = map
                .grid(picture.width(), picture.height(), &picture.brightness(), unknown)
                .map_err(|error| in_file(&error))?;
            ros = Some(map);
            grid
        }
    };
    if let Some(file) = &options.relief.heights_file {
        ground = Some(options.relief.add(file, &read(file, MOST_BYTES)?, &mut grid)?);
    }
    Ok(LoadedMap { grid, path: path.into(), format, meaning, ros, ground })
}

/// Whether a name stands for standard input or standard output.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl MapOptions {
    /// Refuses options that do not apply to this kind of file, instead of ignoring them.
    fn check_for(
        &self,
        format: Format,
        meaning: Meaning,
        path: &Path,
    ) -> Result<(), Box<dyn Error>> {
        let high = meaning == Meaning::Heights;
        let is = if high { "a height map" } else { format.name() };
        let walls = meaning == Meaning::Occupancy;
        let table = matches!(format, Format::Table | Format::Esri);
        let strange = [
            (
                "--threshold",
                self.threshold.is_some(),
                walls && format == Format::Picture,
                "pictures",
            ),
            (
                "--unknown",
                self.unknown.is_some(),
                walls && (table || format == Format::Ros),
                "ROS maps and tables of occupancy",
            ),
            ("--terrain", self.terrain.is_some(), format == Format::MovingAi, "MovingAI maps"),
        ];
        let with_heights = self.relief.heights_file.is_some();
        if with_heights && high {
            return Err(format!(
                "--heights-file gives heights to a map of walls, but {} has heights itself: leave it \
                 out",
                path.display()
            )
            .into());
        }
        if let Some(option) = self.relief.given().filter(|_| !high && !with_heights) {
            let how = if format == Format::Picture {
                "add --heights to read its brightness as heights"
            } else {
                "leave it out"
            };
            return Err(format!(
                "{option} is for heights, but {} is read as {is}: {how}",
                path.display()
            )
            .into());
        }
        match strange.iter().find(|(_, given, belongs, _)| *given && !*belongs) {
            None => Ok(()),
            Some((option, _, _, owners)) => Err(format!(
                "{option} is for {owners}, but {} is {is}: leave {option} out",
                path.display()
            )
            .into()),
        }
    }

    fn unknown_tile(&self) -> Tile {
        match self.unknown {
            Some(Unknown::Free) => Tile::Free,
            Some(Unknown::Blocked) | None => Tile::Blocked,
        }
    }

    /// Walls or costs from a table of numbers.
    fn tiles(
        &self,
        numbers: &HeightMap,
        meaning: Meaning,
        path: &Path,
    ) -> Result<Grid, Box<dyn Error>> {
        let (width, height) = (numbers.width(), numbers.height());
        let place = |index: usize| {
            let (row, column) = (index / width as usize + 1, index % width as usize + 1);
            format!("{}: row {row}, column {column}", path.display())
        };
        let values = numbers.values().iter().enumerate();
        if meaning == Meaning::Costs {
            let most = Grid::MAX_FACTOR;
            let mut costs = Vec::with_capacity(numbers.values().len());
            for (index, &value) in values {
                let cost = if value.is_nan() { 0.0 } else { f64::from(value) };
                if cost != 0.0 && !(1.0 / 256.0..=most).contains(&cost) {
                    let place = place(index);
                    return Err(format!(
                        "{place}: the cost is {value}, but must be 0 (blocked) or 0.00390625 to {most}"
                    )
                    .into());
                }
                costs.push(cost);
            }
            let mut grid = Grid::new(width, height)?;
            grid.set_costs(&costs)?;
            return Ok(grid);
        }
        let unknown = u8::from(self.unknown_tile() == Tile::Free);
        let mut tiles = Vec::with_capacity(numbers.values().len());
        for (index, &value) in values {
            tiles.push(match value {
                0.0 => 1,
                1.0 | 100.0 => 0,
                v if v == -1.0 || v.is_nan() => unknown,
                _ => {
                    let place = place(index);
                    return Err(format!(
                        "{place}: {value} is not an occupancy: 0 is free, 1 or 100 blocked, -1 or \
                         nothing unknown"
                    )
                    .into());
                }
            });
        }
        Ok(Grid::from_bytes(width, height, &tiles)?)
    }
}

impl Terrain {
    fn price(&self, letter: u8) -> Option<f64> {
        let listed = self.prices.iter().find(|price| price.0 == letter).map(|price| price.1);
        listed.or(match letter {
            b'.' => Some(1.0),
            b'@' | b'T' | b'W' => Some(0.0),
            _ => None,
        })
    }
}

/// Reads the argument of `--terrain`.
fn parse_terrain(text: &str) -> Result<Terrain, String> {
    let mut prices: Vec<(u8, f64)> = Vec::new();
    for part in text.split(',') {
        let (letter, cost) = part.split_once('=').unwrap_or((part, ""));
        let [letter] = letter.trim().as_bytes() else {
            return Err(format!(
                "`{part}` is not the cost of a letter: write LETTER=COST,LETTER=COST, as in `H=1,F=1.5`"
            ));
        };
        let shown = letter.escape_ascii();
        let most = Grid::MAX_FACTOR;
        let number = cost.trim().parse().ok();
        let possible = |cost: &f64| *cost == 0.0 || (1.0 / 256.0..=most).contains(cost);
        let Some(cost) = number.filter(possible) else {
            return Err(format!(
                "the cost of `{shown}` is `{cost}`, but must be 0 (blocked) or 0.00390625 to {most}"
            ));
        };
        if prices.iter().any(|price| price.0 == *letter) {
            return Err(format!("the letter `{shown}` has two costs: remove one of them"));
        }
        prices.push((*letter, cost));
    }
    Ok(Terrain { prices })
}

/// The bytes of a file, or of standard input, if there are at most `most`.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Box<dyn Error>> {
    let name = if is_stdin(path) { "standard input".into() } else { path.display().to_string() };
    let cannot = |problem: &dyn std::fmt::Display| format!("{name} cannot be read: {problem}");
    let source: Box<dyn Read> = if is_stdin(path) {
        Box::new(std::io::stdin())
    } else {
        let file = File::open(path).map_err(|error| cannot(&error))?;
        if file.metadata().map_err(|error| cannot(&error))?.is_dir() {
            return Err(cannot(&"it is a directory, name a file in it").into());
        }
        Box::new(file)
    };
    let mut bytes = Vec::new();
    // Counts what arrives instead of asking for the size of the file: a pipe has none.
    source.take(most + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > most {
        return Err(
            cannot(&format!("it is larger than {most} bytes, more than any map needs")).into()
        );
    }
    Ok(bytes)
}

/// The picture that a YAML file names. The name is untrusted, so it may only lead to a file in the
/// folder of the YAML file or below.
fn picture_beside(yaml: &Path, name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let shown = name.escape_debug();
    let outside = || {
        format!(
            "{}: the image `{shown}` lies outside the folder of this file: put it beside the YAML \
             file and name it by its relative path, without `..`",
            yaml.display()
        )
    };
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(inside) {
        return Err(outside().into());
    }
    let folder = yaml.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let picture = folder.join(name);
    // A link in the folder may lead out of it.
    let real = |path: &Path| {
        path.canonicalize().map_err(|error| {
            format!("{}: the image `{shown}` cannot be read: {error}", yaml.display())
        })
    };
    if !real(&picture)?.starts_with(real(folder)?) {
        return Err(outside().into());
    }
    Ok(picture)
}
