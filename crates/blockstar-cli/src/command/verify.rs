//! `blockstar verify`: checks a file of prepared data.

use crate::map_file::{self, MapOptions};
use crate::{Outcome, database_file, output};
use blockstar::{Algorithm, Database, DatabaseKind, Planner};
use blockstar_draw::thousands;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Check a file prepared by this library by recomputing everything in it
///
/// Exit codes: 0 if it is correct, 2 with an explanation if it is not. Data for a map can only be
/// recomputed with that map (--map); without it, only the checksum is checked.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file
    file: PathBuf,

    /// The map that it was made for; `-` is standard input
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,

    #[command(flatten)]
    options: MapOptions,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        let name = self.file.display();
        let clock = Instant::now();
        let bytes = database_file::bytes(&self.file)?;
        let database =
            Database::inspect(bytes.as_ref()).map_err(|error| format!("{name}: {error}"))?;
        let verdict = if database.kind() == DatabaseKind::Lddb {
            let lddb = database_file::lddb(&self.file)?;
            let tables = lddb.verify().map_err(|error| format!("{name}: {error}"))?;
            let tables = thousands(tables as f64);
            format!("all {tables} tables are right, {:.2} s", clock.elapsed().as_secs_f64())
        } else if let (Some(map), Some(planner)) = (&self.map, database.kind().planner()) {
            let grid = map_file::load(map, &self.options)?.grid;
            let moves = database.moves();
            let spec = Algorithm::named(planner)?;
            let opened = spec.open(bytes.as_ref(), &grid, moves);
            let opened = opened.map_err(|error| format!("{name}: {error}"))?;
            let fresh =
                database.maker().map(|maker| Algorithm::named(&maker)?.prepare(&grid, moves));
            let same =
                fresh.transpose()?.map(|fresh| fresh.save().as_deref() == Some(bytes.as_ref()));
            drop(opened);
            let words = match same {
                Some(true) => "all of it is right",
                Some(false) => {
                    return Err(format!(
                        "{name}: this library makes a different file for the map: build it again"
                    )
                    .into());
                }
                None => "it fits the map; how it was made is not known",
            };
            format!("{words}, {:.2} s", clock.elapsed().as_secs_f64())
        } else {
            format!(
                "an undamaged {}; its content can only be checked with its map (--map)",
                database.kind().name()
            )
        };
        output::print(&format!("{name}: {verdict}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
