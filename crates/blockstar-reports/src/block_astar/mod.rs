//! P. Yap, N. Burch, R. Holte & J. Schaeffer, *Block A\**, 2011.
//!
//! Their Tables 1 and 2, the worked examples of Figures 1 to 4 and the claims of the text, run here
//! and put beside the printed numbers. [`problems`] makes the maps, [`experiments`] runs the
//! planners, [`figures`] the examples, [`claims`] judges and [`view`] writes the page.

mod claims;
mod experiments;
mod figures;
mod problems;
mod published;
mod suite;
mod view;

use crate::claim::Claim;
use crate::progress::told;
use crate::report::{self, Section, make_folder, publish};
use crate::table::{Cells, Table, decimals};
use crate::{Progress, Published};
use blockstar_draw::thousands;
use experiments::{Database, Edits, Lab};
use figures::Figures;
use problems::Extent;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use suite::Suite;

/// The Block A* paper (Yap, Burch, Holte & Schaeffer 2011): its tables, figures and claims.
///
/// Every path is checked. Lengths and expansions depend only on the seed, the scale and the maps;
/// times depend on the machine.
#[derive(Clone, Debug)]
pub struct BlockAstar {
    /// The folder with the game maps, in `sc1`, `bg512` and `dao`; without it they are left out.
    pub maps: Option<PathBuf>,
    /// The part of the paper's problems to run, above 0 and up to 1: 1 is 50,000 for each density.
    pub scale: f64,
    /// The seed of the random maps and problems.
    pub seed: u64,
}

/// All numbers.
#[derive(Debug, Serialize)]
struct Report {
    second_source: &'static str,
    scale: f64,
    seed: u64,
    table_1: Vec<Suite>,
    table_2: Suite,
    arena2: Option<Suite>,
    block_sizes: Vec<Suite>,
    cell_rules: Vec<Suite>,
    paths_compared: usize,
    database: Database,
    edits: Edits,
    figures: Figures,
}

impl BlockAstar {
    /// What the folder of maps should have.
    pub const WANTED: &str = "sc1, bg512 or dao";

    /// Runs the experiments and writes the report to a folder.
    ///
    /// # Errors
    /// If a map cannot be read, a planner gives a wrong answer, or a file cannot be written.
    pub fn run(&self, output: &Path, progress: &dyn Progress) -> Result<Published, Box<dyn Error>> {
        let (games, mut notes) = problems::load_games(self.maps.as_deref())?;
        make_folder(output)?;
        notes.extend(experiments::missing_rival());
        notes.iter().for_each(|note| progress.note(note));

        let extent = Extent { scale: self.scale, seed: self.seed };
        let lab = Lab { extent, games: &games, progress };
        progress.total(lab.size()?);
        publish(output, &self.measure(&lab)?, &notes, progress)
    }

    fn measure(&self, lab: &Lab<'_>) -> Result<Report, Box<dyn Error>> {
        let small = lab.exactness()?;
        let mut report = Report {
            second_source: published::SECOND_SOURCE,
            scale: self.scale,
            seed: self.seed,
            figures: told(lab.progress, "figures", Figures::make()?),
            database: told(lab.progress, "database", lab.database()?),
            edits: told(lab.progress, "edits", lab.edits()?),
            table_1: told(lab.progress, "table_1", lab.table_1()?),
            table_2: told(lab.progress, "table_2", lab.table_2()?),
            arena2: told(lab.progress, "arena2", lab.arena2()?),
            block_sizes: told(lab.progress, "block_sizes", lab.block_sizes()?),
            cell_rules: told(lab.progress, "cell_rules", lab.cell_rules()?),
            paths_compared: small,
        };
        // Each path under the cell rules, for every block size, was compared with that of A*.
        report.paths_compared += experiments::CELL_SIDES.len()
            * report.cell_rules.iter().map(|s| s.distance.problems).sum::<usize>();
        Ok(report)
    }
}

impl report::Report for Report {
    const SUBJECT: &'static str = "block-astar";
    const SOURCE: &'static str = published::SOURCE;
    const TITLE: &'static str = "Block A*, reproduced";
    const SECTIONS: &'static [Section<Self>] = &[
        view::charts,
        view::table_1,
        view::table_2,
        view::arena2,
        view::block_sizes,
        view::cell_rules,
        view::database,
        view::figures,
        view::method,
    ];

    fn judge(&self) -> Vec<Claim> {
        claims::judge(self)
    }

    fn extent(&self) -> String {
        format!(
            "at scale {} (1 is all {} problems of each density) with seed {}. Every path was proved legal, and \
             none was shorter than the optimum.",
            self.scale,
            thousands(50_000.0),
            self.seed
        )
    }

    fn cards(&self) -> Vec<(String, String)> {
        view::cards(self)
    }

    fn tables(&self, columns: usize) -> String {
        let mut table = Table::headed(
            " | problems | Block A* µs | x A* Euclidean | paper | x A* octile | x Theta* | paper | \
             longer than Theta* | paper | both greedily smoothed | 12 x 12, taut: x A* octile | over optimum",
        );
        let percent = |value: f64| match value {
            v if v.is_nan() => "-".into(),
            v if v.abs() < 0.005 => "0.00 %".into(),
            v => format!("{v:.2} %"),
        };
        for suite in self.table_1.iter().chain([&self.table_2]) {
            let euclid = if suite.row("astar-euclid").is_some() { "astar-euclid" } else { "astar" };
            let cells = Cells::of(&suite.title)
                .text(suite.distance.problems)
                .text(decimals(suite.row("block").map(|row| row.mean_us), 1))
                .fixed(2, [suite.speed("block", euclid), suite.printed_speed("block", euclid)])
                .fixed(2, ["astar", "theta"].map(|rival| suite.speed("block", rival)))
                .fixed(2, [suite.printed_speed("block", "theta")])
                .text(percent(suite.excess("block", "theta")))
                .text(percent(suite.printed_excess("block", "theta")))
                .text(percent(suite.smoothed_excess("block", "theta")))
                .fixed(2, [suite.speed("block-default", "astar")])
                .text(percent(suite.excess("block-default", "anya")));
            table.row(cells);
        }
        format!("{}scale {}, seed {}\n", table.folded(columns), self.scale, self.seed)
    }
}
