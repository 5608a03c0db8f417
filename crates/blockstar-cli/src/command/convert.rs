//! `blockstar convert`: a map from one kind of file to another.

use crate::map_file::{self, MapOptions};
use crate::map_writer::{MapWriter, Queries};
use crate::{Outcome, losses, scenario};
use std::path::PathBuf;

/// Write a map as another kind of file, and say what is lost
#[derive(clap::Args)]
pub struct Arguments {
    /// The map to read: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml; heights: .hgt, .asc, or .csv
    /// and pictures with --as heights; `-` is standard input
    input: PathBuf,

    /// The file to write: .map, .txt, .png, .pgm or .bmp; heights: .pgm, .png, .csv or .asc; `-` is
    /// standard output, as .map or, for heights, as .asc
    output: PathBuf,

    /// Also write this many random queries, with their shortest lengths, to OUTPUT.scen
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=scenario::MOST_QUERIES))]
    queries: Option<u64>,

    /// The seed of the queries
    #[arg(long, default_value_t = 1, requires = "queries")]
    seed: u64,

    #[command(flatten)]
    map: MapOptions,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        // A wrong extension is reported before the map is read.
        MapWriter::new(&self.output, false)?;
        let map = map_file::load(&self.input, &self.map)?;
        let writer = MapWriter::new(&self.output, map.ground.is_some())?;
        if let (Ok(from), Ok(to)) = (self.input.canonicalize(), self.output.canonicalize())
            && from == to
        {
            let name = self.output.display();
            return Err(format!(
                "{name} would overwrite the map it is read from: name another file"
            )
            .into());
        }
        let queries = Queries { count: self.queries, seed: self.seed };
        if let Some(ground) = &map.ground {
            return writer.save_heights(&map.grid, queries, ground.cell_size, &ground.notes);
        }
        writer.save(&map.grid, queries, &losses::of_map(writer.target(), &map))
    }
}
