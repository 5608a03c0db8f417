//! J. Smołka, K. Miszta, M. Skublewska-Paszkowska & E. Łukasik, *A\*
//! pathfinding algorithm modification for a 3D engine*, 2019.
//!
//! The ten test cases of the paper, rebuilt from their descriptions, and what its Figures 10 to 14
//! show of them. [`measure`] runs the planners, [`claims`] judges, [`ties`] shows how much the
//! order of equal entries matters, [`tile`] crosses a real elevation tile and [`view`] writes the
//! page.

mod claims;
mod measure;
mod ties;
mod tile;
mod view;

use crate::claim::Claim;
use crate::noise::Interval;
use crate::progress::told;
use crate::report::{self, Section, make_folder, publish};
use crate::table::{Cells, Table};
use crate::{Progress, Published};
use blockstar::format::heights::{HeightMap, Voids};
use blockstar::papers::{Case, astar_mod_cases};
use blockstar_draw::thousands;
use measure::{Lab, Row};
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use tile::Tile;

/// The A*MOD paper (Smołka et al. 2019): its ten test cases, Figures 10 to 14 and claims.
///
/// Everything except the times depends only on the maps.
#[derive(Clone, Debug)]
pub struct AstarMod {
    /// The folder that has `heights/N44W072.hgt`, an SRTM tile. With it the tenth case is real
    /// terrain, and the tile is crossed with slope limits as well.
    pub maps: Option<PathBuf>,
    /// The number of searches that a time is the mean of; across the tile, the least of as many, at
    /// most 3.
    pub runs: u32,
    /// The height of white, the paper's Wmax, which it does not state.
    pub highest: f64,
}

/// All numbers.
#[derive(Debug, Serialize)]
struct Report {
    runs: u32,
    highest: f64,
    cases: Vec<Trial>,
    /// For some values of Wmax: the ratio of vertices visited by A*MOD to those of A*, mean of the
    /// cases with heights.
    overheads: Vec<(f64, f64)>,
    tile: Option<Tile>,
}

/// What was found in one test case.
#[derive(Debug, Serialize)]
struct Trial {
    number: u32,
    name: String,
    width: u32,
    height: u32,
    rows: Vec<Row>,
    /// The command that finds the path of A*MOD again, in the folder of the report.
    command: String,
    /// The turns of the paper's A* and of A*MOD, if their queue returns the first of equal entries.
    turns_first_in: [usize; 2],
    #[serde(skip)]
    picture: String,
}

impl Trial {
    fn row(&self, key: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == key)
    }

    /// The time of A*MOD divided by that of the paper's A*.
    fn time_ratio(&self) -> Interval {
        match (self.row("astar-mod"), self.row("astar-manhattan")) {
            (Some(modified), Some(plain)) => modified.repeats_us.over(&plain.repeats_us),
            _ => Interval::UNKNOWN,
        }
    }

    /// A number of one planner divided by that of another.
    fn ratio(&self, of: &str, over: &str, number: impl Fn(&Row) -> f64) -> f64 {
        match (self.row(of), self.row(over)) {
            (Some(of), Some(over)) => number(of) / number(over),
            _ => f64::NAN,
        }
    }
}

/// The SRTM tile, in the folder of maps.
const TILE: &str = "heights/N44W072.hgt";

impl AstarMod {
    /// What the folder of maps should have.
    pub const WANTED: &str = TILE;

    /// Runs the experiments and writes the report, with pictures, to a folder.
    ///
    /// # Errors
    /// If the tile cannot be read, a planner gives a wrong answer, or a file cannot be written.
    pub fn run(&self, output: &Path, progress: &dyn Progress) -> Result<Published, Box<dyn Error>> {
        make_folder(output)?;
        let mut notes = Vec::new();
        let tile = match self
            .maps
            .as_ref()
            .map(|maps| maps.join(TILE))
            .filter(|file| file.is_file())
        {
            Some(file) => {
                let bytes = std::fs::read(&file)
                    .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
                let map = HeightMap::parse_hgt(&bytes)
                    .map_err(|error| format!("{}: {error}", file.display()))?;
                Some(map)
            }
            None => {
                notes.push(format!(
                    "no {TILE} was found: the tenth case is fractal terrain, and no tile was crossed"
                ));
                None
            }
        };
        notes.iter().for_each(|note: &String| progress.note(note));

        progress.total(11);
        let mut cases = Vec::new();
        let mut overheads = Vec::new();
        for highest in [1.0, 5.0, 10.0, 20.0, 40.0, 80.0, 255.0] {
            overheads.push((highest, measure::overhead(&self.cases(tile.as_ref(), highest)?)?));
        }
        for case in self.cases(tile.as_ref(), self.highest)? {
            cases.push(Lab { runs: self.runs, folder: output }.run(&case)?);
            told(progress, "cases", &cases);
            progress.step();
        }
        let crossed = tile.map(|map| tile::cross(&map, output, self.runs.min(3))).transpose()?;
        let report =
            Report { runs: self.runs, highest: self.highest, cases, overheads, tile: crossed };
        publish(output, &report, &notes, progress)
    }

    /// The ten cases; the tenth is the tile if there is one.
    fn cases(&self, tile: Option<&HeightMap>, highest: f64) -> Result<Vec<Case>, Box<dyn Error>> {
        let mut cases = astar_mod_cases()?;
        if let (Some(map), Some(last)) = (tile, cases.last_mut()) {
            // Grey values from 0 to 255, as the paper's photograph had.
            let small = map.resampled(40, 40)?;
            let low = small.values().iter().copied().fold(f32::MAX, f32::min);
            let high = small.values().iter().copied().fold(f32::MIN, f32::max);
            let grey = |metres: &f32| (metres - low) / (high - low).max(1.0) * 255.0;
            let values = small.values().iter().map(grey).collect();
            last.grid = HeightMap::from_values(40, 40, values)?.grid(Voids::Filled)?;
        }
        // Equation 1 of the paper.
        for case in &mut cases {
            let (width, height) = (case.grid.width(), case.grid.height());
            let cells = (0..width * height).map(|i| blockstar::Cell::new(i % width, i / width));
            let weight = |cell| case.grid.height_at(cell).unwrap_or(0.0) * highest as f32 / 255.0;
            let weights: Vec<_> = cells.map(weight).collect();
            case.grid.set_heights(&weights)?;
        }
        Ok(cases)
    }
}

impl report::Report for Report {
    const SUBJECT: &'static str = "astar-mod";
    const SOURCE: &'static str = "J. Smołka, K. Miszta, M. Skublewska-Paszkowska & E. Łukasik, A* pathfinding \
                      algorithm modification for a 3D engine, 2019";
    const TITLE: &'static str = "A*MOD, reproduced";
    const SECTIONS: &'static [Section<Self>] =
        &[view::charts, view::pictures, view::tables, view::tile, view::method];

    fn judge(&self) -> Vec<Claim> {
        claims::judge(self)
    }

    fn extent(&self) -> String {
        format!(
            "on its ten test cases, rebuilt from their descriptions, the mean of {} searches each.",
            thousands(self.runs.into())
        )
    }

    fn cards(&self) -> Vec<(String, String)> {
        view::cards(self)
    }

    fn tables(&self, columns: usize) -> String {
        let mut table = Table::headed(
            "case | vertices A* | A*MOD | left | turns A* | A*MOD | cost A* | A*MOD | looked at A* | \
             A*MOD | x | time x",
        );
        for trial in &self.cases {
            let (Some(plain), Some(modified)) =
                (trial.row("astar-manhattan"), trial.row("astar-mod"))
            else {
                continue;
            };
            let cells = Cells::of(format!("{} {}", trial.number, trial.name))
                .texts([plain.vertices, modified.vertices, modified.vertices_left])
                .texts([plain, modified].map(|row| row.heading_changes))
                .fixed(1, [plain, modified].map(|row| row.absolute_cost))
                .texts([plain, modified].map(|row| row.expanded))
                .fixed(2, [modified.expanded as f64 / plain.expanded as f64])
                .fixed(2, [modified.mean_us / plain.mean_us]);
            table.row(cells);
        }
        let tile = self.tile.as_ref().map_or_else(String::new, |tile| tile.summary(columns));
        format!("{}\n{tile}Times are means of {} searches.\n", table.folded(columns), self.runs)
    }
}
