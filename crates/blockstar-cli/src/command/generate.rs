//! `blockstar generate`: maps from a seed.

use crate::map_save::Target;
use crate::{Outcome, output, scenario};
use blockstar::{Grid, generate};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a map from a seed: the same arguments give the same map on every machine
#[derive(clap::Args)]
pub struct Arguments {
    /// What kind of map
    kind: Kind,

    /// The size in cells, as in 128x96
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size)]
    size: (u32, u32),

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The file to write: .map, .txt, .png, .pgm or .bmp
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

    /// rooms: the side of the rooms [default: 15]
    #[arg(long, value_name = "CELLS")]
    room: Option<u32>,
}

/// The kinds of map.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Cells blocked at random, independently of each other
    Random,
    /// Corridors with exactly one way from anywhere to anywhere
    Maze,
    /// Square rooms with doors
    Rooms,
    /// A cave with smooth walls
    Caves,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Maze => "maze",
            Self::Rooms => "rooms",
            Self::Caves => "caves",
        }
    }
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        self.refuse_strange_options()?;
        let target = Target::of(&self.output)?;
        let grid = self.make()?;
        target.save(&self.output, &grid)?;
        let mut text = format!(
            "{}: {} x {} cells, {} free\n",
            self.output.display(),
            grid.width(),
            grid.height(),
            grid.free_cells()
        );
        if let Some(n) = self.queries {
            let path = scenario::write_beside(&self.output, &grid, n, self.seed)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: {n} queries", path.display());
        }
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn make(&self) -> Result<Grid, blockstar::Error> {
        let (width, height) = self.size;
        match self.kind {
            Kind::Random => {
                generate::random(width, height, self.blocked.unwrap_or(35.0), self.seed)
            }
            Kind::Maze => generate::maze(width, height, self.corridor.unwrap_or(3), self.seed),
            Kind::Rooms => generate::rooms(width, height, self.room.unwrap_or(15), self.seed),
            Kind::Caves => generate::caves(width, height, self.seed),
        }
    }

    /// An option of another kind of map would change nothing: better to say so.
    fn refuse_strange_options(&self) -> Result<(), Box<dyn Error>> {
        let options = [
            ("--blocked", self.blocked.is_some(), Kind::Random),
            ("--corridor", self.corridor.is_some(), Kind::Maze),
            ("--room", self.room.is_some(), Kind::Rooms),
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

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(['x', 'X']);
    let parsed =
        sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let possible = |&(width, height): &(u32, u32)| {
        let side = 1..=Grid::MAX_SIDE;
        side.contains(&width) && side.contains(&height)
    };
    parsed.filter(possible).ok_or_else(|| {
        format!(
            "`{}` is no size: write WIDTHxHEIGHT with sides of 1 to {}, as in 128x96",
            text.escape_debug(),
            Grid::MAX_SIDE
        )
    })
}
