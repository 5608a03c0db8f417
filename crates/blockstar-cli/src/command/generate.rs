//! `blockstar generate`: maps from a seed.

use crate::map_writer::{MapWriter, Queries};
use crate::{Outcome, scenario};
use blockstar::{Grid, generate};
use std::error::Error;
use std::path::PathBuf;

/// Make a map from a seed: the same arguments give the same map on every machine
#[derive(clap::Args)]
pub struct Arguments {
    /// What kind of map
    kind: MapKind,

    /// The size in cells, as in 128x96
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size)]
    size: (u32, u32),

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The file to write: .map, .txt, .png, .pgm or .bmp; terrain: .pgm, .png, .csv or .asc; `-` is
    /// standard output, as .map or, for terrain, as .asc
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Also write this many random queries, with their shortest lengths, to FILE.scen
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=scenario::MOST_QUERIES))]
    queries: Option<u64>,

    /// random: how many cells are blocked, in percent [default: 35]
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    blocked: Option<f64>,

    /// maze: the width of the corridors [default: 3]
    #[arg(long, value_name = "CELLS")]
    corridor: Option<u32>,

    /// terrain: how rough, from 0 (one smooth hill) to 1 (noise) [default: 0.5]
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    roughness: Option<f64>,

    /// terrain: the height of the highest cell, in metres [default: 1000]
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    highest: Option<f64>,

    /// rooms: the side of the rooms [default: 15]
    #[arg(long, value_name = "CELLS")]
    room: Option<u32>,
}

/// The kinds of map.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum MapKind {
    /// Cells blocked at random, independently of each other
    Random,
    /// Corridors with exactly one way from anywhere to anywhere
    Maze,
    /// Square rooms with doors
    Rooms,
    /// A cave with smooth walls
    Caves,
    /// Fractal hills: heights, and no walls
    Terrain,
}

impl MapKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Maze => "maze",
            Self::Rooms => "rooms",
            Self::Caves => "caves",
            Self::Terrain => "terrain",
        }
    }
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        self.refuse_strange_options()?;
        let terrain = self.kind == MapKind::Terrain;
        let writer = MapWriter::new(&self.output, terrain)?;
        let grid = self.make()?;
        let queries = Queries { count: self.queries, seed: self.seed };
        if terrain {
            return writer.save_heights(&grid, queries, 1.0, &[]);
        }
        writer.save(&grid, queries, &[])
    }

    fn make(&self) -> Result<Grid, blockstar::Error> {
        let (width, height) = self.size;
        match self.kind {
            MapKind::Random => {
                generate::random(width, height, self.blocked.unwrap_or(35.0), self.seed)
            }
            MapKind::Maze => generate::maze(width, height, self.corridor.unwrap_or(3), self.seed),
            MapKind::Rooms => generate::rooms(width, height, self.room.unwrap_or(15), self.seed),
            MapKind::Caves => generate::caves(width, height, self.seed),
            MapKind::Terrain => {
                let roughness = self.roughness.unwrap_or(0.5);
                let highest = self.highest.unwrap_or(1000.0);
                generate::terrain(width, height, roughness, highest, self.seed)
            }
        }
    }

    /// Refuses options of other kinds of map, which would have no effect.
    fn refuse_strange_options(&self) -> Result<(), Box<dyn Error>> {
        let options = [
            ("--blocked", self.blocked.is_some(), MapKind::Random),
            ("--corridor", self.corridor.is_some(), MapKind::Maze),
            ("--room", self.room.is_some(), MapKind::Rooms),
            ("--roughness", self.roughness.is_some(), MapKind::Terrain),
            ("--highest", self.highest.is_some(), MapKind::Terrain),
        ];
        match options.iter().find(|(_, given, kind)| *given && *kind != self.kind) {
            None => Ok(()),
            Some((option, _, kind)) => Err(format!(
                "{option} belongs to `{}`, but the map is `{}`: leave {option} out",
                kind.name(),
                self.kind.name()
            )
            .into()),
        }
    }
}

/// Reads a size in cells.
pub fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(['x', 'X']);
    let parsed =
        sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let possible = |&(width, height): &(u32, u32)| {
        let side = 1..=Grid::MAX_SIDE;
        side.contains(&width) && side.contains(&height)
    };
    parsed.filter(possible).ok_or_else(|| {
        format!(
            "`{}` is not a size: write WIDTHxHEIGHT with sides of 1 to {}, as in 128x96",
            text.escape_debug(),
            Grid::MAX_SIDE
        )
    })
}
