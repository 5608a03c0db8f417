//! What change and size cost: this library's own experiment, which belongs to no paper.
//!
//! A planner that prepares much answers quickly, and pays when the map changes; one that prepares
//! nothing pays at every query. The first part puts all planners on one chart, the time of a query
//! against that of an edit. The second lets maps grow and watches what grows with them. [`ground`]
//! has the maps, [`contest`] asks the planners, [`edits`] changes the maps under them, [`claims`]
//! judges what the library promises and [`view`] writes the page.

mod claims;
mod contest;
mod edits;
mod ground;
mod view;

use crate::claim::Claim;
use crate::progress::told;
use crate::report::{self, Section, VERSION, make_folder, publish};
use crate::table::{Cells, Table};
use crate::{Progress, Published};
use blockstar::Moves;
use contest::Row;
pub use edits::ground_cell;
use ground::Ground;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};

/// What change and size cost each planner.
///
/// Every path is checked. Costs depend on the maps and the seed; times are those of the machine.
#[derive(Clone, Debug)]
pub struct Change {
    /// The folder with the ten maps of the DBA* paper and their scenarios, or one that has them in
    /// `dao`; without it generated maps stand in.
    pub maps: Option<PathBuf>,
    /// How many queries each map is asked.
    pub queries: u32,
    /// How many cells of each map are changed and changed back.
    pub changes: u32,
    /// The side of the largest generated map.
    pub largest: u32,
    /// Decides the edits and the queries on generated maps.
    pub seed: u64,
}

/// All numbers.
#[derive(Debug, Serialize)]
struct Report {
    maps: Vec<String>,
    queries: u32,
    changes: u32,
    seed: u64,
    /// Every planner, on the same maps.
    frontier: Vec<Row>,
    /// Some of them, on maps that grow.
    scale: Vec<Row>,
}

/// The planners of the first part. Left out are those that need hours to prepare maps of this size
/// (`cpd`), to search them (`ida-star`) or to learn them (`lrta-star` and what is built on it), and
/// those that differ from another one in their settings only.
const FRONTIER: [(Moves, &[&str]); 2] = [
    (
        Moves::EIGHT,
        &[
            "astar",
            "bidirectional-astar",
            "jps",
            "subgoal",
            "block-astar",
            "rea-star",
            "dba-star",
            "pra-star",
            "hcdps",
            "island",
            "quadtree",
        ],
    ),
    (
        Moves::ANY_ANGLE,
        &["astar", "anya", "visibility-graph", "block-astar", "theta-star", "lazy-theta-star"],
    ),
];

/// The planners of the second part.
const SCALE: &[&str] = &["astar", "jps", "subgoal", "dba-star", "pra-star"];

/// The side of the smallest generated map.
pub(crate) const SMALLEST: u32 = 512;

impl Change {
    /// What the folder of maps should have.
    pub const WANTED: &str = "the maps";

    /// Runs the experiments and writes the report to a folder.
    ///
    /// # Errors
    /// If a map cannot be read, a planner gives a wrong answer, or a file cannot be written.
    pub fn run(&self, output: &Path, progress: &dyn Progress) -> Result<Published, Box<dyn Error>> {
        make_folder(output)?;
        let (report, notes) = self.measure(progress)?;
        view::draw(&report, output)?;
        publish(output, &report, &notes, progress)
    }

    fn measure(&self, progress: &dyn Progress) -> Result<(Report, Vec<String>), Box<dyn Error>> {
        let (grounds, notes) = Ground::real(self.maps.as_deref(), self.queries, self.seed)?;
        notes.iter().for_each(|note| progress.note(note));
        let sides: Vec<u32> = std::iter::successors(Some(SMALLEST), |side| side.checked_mul(2))
            .take_while(|&side| side <= self.largest)
            .collect();
        let planners: usize = FRONTIER.iter().map(|(_, planners)| planners.len()).sum();
        let grown = sides.len() * ground::FAMILIES.len() * SCALE.len();
        progress.total((planners + grown) as u64);

        let mut frontier = Vec::new();
        for (moves, planners) in FRONTIER {
            frontier.extend(contest::run(planners, moves, &grounds, self.changes, progress)?);
            told(progress, "frontier", &frontier);
        }
        let mut scale = Vec::new();
        for family in ground::FAMILIES {
            for &side in &sides {
                let ground = Ground::generated(family, side, self.queries, self.seed)?;
                let changes = self.changes;
                scale.extend(contest::run(SCALE, Moves::EIGHT, &[ground], changes, progress)?);
                told(progress, "scale", &scale);
            }
        }
        let report = Report {
            maps: grounds.iter().map(|ground| ground.course.name.clone()).collect(),
            queries: self.queries,
            changes: self.changes,
            seed: self.seed,
            frontier,
            scale,
        };
        Ok((report, notes))
    }
}

impl report::Report for Report {
    const SUBJECT: &'static str = "change";
    const SOURCE: &'static str = "blockstar: what change and size cost";
    const TITLE: &'static str = "Maps that change, maps that grow";
    const SECTIONS: &'static [Section<Self>] = &[view::frontier, view::scale, view::numbers];

    fn extent(&self) -> String {
        format!(
            "on {} maps and on generated ones, with {} queries and {} edits each.",
            self.maps.len(),
            self.queries,
            2 * self.changes
        )
    }

    fn lead(&self) -> String {
        format!("What change and size cost each planner of blockstar {VERSION}, {}", self.extent())
    }

    fn judge(&self) -> Vec<Claim> {
        claims::judge(self)
    }

    fn tables(&self, columns: usize) -> String {
        let mut table = Table::headed(
            "planner | moves | map | µs | ÷ A* | length | ÷ optimum | edit µs | p99 | edit + query | prepare ms | bytes/cell",
        );
        for row in self.frontier.iter().chain(&self.scale) {
            table.row(numbers(row, Cells::of(&row.planner).text(&row.rule).text(&row.ground)));
        }
        table.folded(columns)
    }
}

/// The numbers of a row, behind its names.
fn numbers(row: &Row, names: Cells) -> Cells {
    names
        .fixed(1, [row.query_us])
        .fixed(4, [row.over_astar.mean])
        .fixed(0, [row.length])
        .fixed(4, [row.over_optimum])
        .fixed(1, [row.edit_us, row.edit_p99_us, row.edit_and_query_us, row.prepare_ms])
        .fixed(2, [row.bytes_per_cell])
}
