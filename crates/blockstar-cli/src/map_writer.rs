//! Maps that commands write: to a file of any kind, or to standard output as text.

use crate::map_file::is_stdin;
use crate::{Outcome, losses, output, scenario};
use blockstar::Grid;
use blockstar_files::Target;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Where a map goes.
#[derive(Clone, Copy, Debug)]
pub struct MapWriter<'a> {
    path: &'a Path,
    target: Target,
}

/// Random queries to write beside a map.
#[derive(Clone, Copy, Debug)]
pub struct Queries {
    /// How many; with none, no file is written.
    pub count: Option<u64>,
    /// Their seed.
    pub seed: u64,
}

impl<'a> MapWriter<'a> {
    /// By the extension of a name. Standard output, `-`, gets a MovingAI map or, for heights, an
    /// ESRI grid.
    pub fn new(path: &'a Path, heights: bool) -> Result<Self, String> {
        let target = match is_stdin(path) {
            true if heights => Target::Esri,
            true => Target::MovingAi,
            false => Target::of(path)?,
        };
        Ok(Self { path, target })
    }

    /// What kind of file it is.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Writes a map of walls and terrain, and says what was lost.
    pub fn save(&self, grid: &Grid, queries: Queries, losses: &[String]) -> Outcome {
        if is_stdin(self.path) && queries.count.is_some() {
            return Err(
                "--queries go to a file beside the map, and standard output has none: name a \
                        file"
                    .into(),
            );
        }
        self.put(&self.target.encode(self.path, grid)?)?;
        let (width, height) = (grid.width(), grid.height());
        let mut text = format!("{width} x {height} cells, {} free\n", grid.free_cells());
        // Writing to a string cannot fail.
        for loss in losses {
            let _ = writeln!(text, "lost: {loss}");
        }
        if let Some(n) = queries.count {
            let path = scenario::write_beside(self.path, grid, n, queries.seed)?;
            let _ = writeln!(text, "{}: {n} queries", path.display());
        }
        self.tell(&text)
    }

    /// Writes a map of heights, and says `notes` and what was lost.
    pub fn save_heights(
        &self,
        grid: &Grid,
        queries: Queries,
        cell_size: f64,
        notes: &[String],
    ) -> Outcome {
        if queries.count.is_some() {
            return Err("--queries is for maps of walls, not for heights: leave it out".into());
        }
        let (bytes, white) = self.target.encode_heights(self.path, grid, cell_size)?;
        self.put(&bytes)?;
        let (low, high) = grid.height_range();
        let mut text =
            format!("{} x {} heights from {low} to {high} m\n", grid.width(), grid.height());
        // Writing to a string cannot fail.
        if let Some(white) = white {
            let _ = writeln!(text, "white is {white} m: read it with --heights --highest {white}");
        }
        if self.target == Target::Table {
            text.push_str("a table can be other things too: read it with --as heights\n");
        }
        for note in notes {
            let _ = writeln!(text, "{note}");
        }
        for loss in losses::of_heights(self.target, grid, cell_size) {
            let _ = writeln!(text, "lost: {loss}");
        }
        self.tell(&text)
    }

    fn put(&self, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        if is_stdin(self.path) {
            return output::print_bytes(bytes);
        }
        output::write_file(self.path, bytes)
    }

    /// Reports what was written, on standard output unless the map goes there.
    fn tell(&self, text: &str) -> Outcome {
        if is_stdin(self.path) {
            eprint!("{text}");
        } else {
            output::print(&format!("{}: {text}", self.path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
