//! `blockstar convert`: a map from one kind of file to another.

use crate::map_file::{self, LoadedMap, MapOptions};
use crate::{Outcome, losses, output, scenario};
use blockstar_files::Target;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a map as another kind of file, and say what is lost
#[derive(clap::Args)]
pub struct Arguments {
    /// The map to read: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml; heights: .hgt, .asc, .csv, or
    /// a picture with --heights
    input: PathBuf,

    /// The file to write: .map, .txt, .png, .pgm or .bmp; heights: .pgm, .png, .csv or .asc
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
        let target = Target::of(&self.output)?;
        let map = map_file::load(&self.input, &self.map)?;
        if let (Ok(from), Ok(to)) = (self.input.canonicalize(), self.output.canonicalize())
            && from == to
        {
            let name = self.output.display();
            return Err(format!(
                "{name} would overwrite the map it is made from: name another file"
            )
            .into());
        }
        if map.ground.is_some() {
            return self.save_heights(target, &map);
        }
        target.save(&self.output, &map.grid)?;
        let grid = &map.grid;
        let (width, height) = (grid.width(), grid.height());
        let mut text = format!(
            "{}: {width} x {height} cells, {} free\n",
            self.output.display(),
            grid.free_cells()
        );
        // Writing to a string cannot fail.
        for loss in losses::of_map(target, &map) {
            let _ = writeln!(text, "lost: {loss}");
        }
        if let Some(n) = self.queries {
            let path = scenario::write_beside(&self.output, grid, n, self.seed)?;
            let _ = writeln!(text, "{}: {n} queries", path.display());
        }
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// A height map stays one.
    fn save_heights(&self, target: Target, map: &LoadedMap) -> Outcome {
        if self.queries.is_some() {
            return Err("--queries is for maps of walls, not for heights: leave it out".into());
        }
        let grid = &map.grid;
        let cell_size = map.ground.as_ref().map_or(1.0, |ground| ground.cell_size);
        let white = target.save_heights(&self.output, grid, cell_size)?;
        let (width, height) = (grid.width(), grid.height());
        let mut text = format!("{}: {width} x {height} heights\n", self.output.display());
        // Writing to a string cannot fail.
        if let Some(white) = white {
            let _ = writeln!(text, "white is {white} m: read it with --heights --highest {white}");
        }
        for note in map.ground.iter().flat_map(|ground| &ground.notes) {
            let _ = writeln!(text, "{note}");
        }
        for loss in losses::of_heights(target, grid, cell_size) {
            let _ = writeln!(text, "lost: {loss}");
        }
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
