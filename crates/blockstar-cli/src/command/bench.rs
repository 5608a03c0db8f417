//! `blockstar bench`: planners side by side on the queries of scenario files.

mod contest;
mod judge;
mod measure;
mod pace;
mod tally;

use crate::{database_file, progress};
use blockstar::{Heuristic, Moves};
use blockstar_files::{Course, Suite, spread};
use blockstar_reports::table::{Table, bytes, decimals, ratio};
use contest::{Contest, Options};
use measure::Plan;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use tally::{Row, Tally};

/// How many wrong answers are described in detail.
const TOLD: usize = 10;

/// Measures planners on benchmark maps and checks every answer
///
/// Each query goes to every planner before the next one, and each time another planner begins, so
/// that noise affects all alike. The clock runs from the query to the finished
/// path; checks come after it. On each map every planner first answers up to 100 of the queries
/// untimed, so that its memory has grown.
#[derive(clap::Args)]
#[command(after_long_help = DETAILS)]
pub struct Arguments {
    /// Maps (their scenario NAME.map.scen beside them), scenarios (their map beside them), or
    /// folders, which are searched for maps with scenarios
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Planners, with parameters after colons; astar always runs, and anya under the any-angle
    /// rules [default: all that support the rule but ida-star, cpd and the lrta-star family, which
    /// may take forever]
    #[arg(long, alias = "planners", value_delimiter = ',', value_name = "NAME,…")]
    planner: Vec<String>,
    /// Tables for block-astar, from `build lddb` under the same rule
    #[arg(long, value_name = "FILE")]
    lddb: Option<PathBuf>,
    /// What a planner has prepared for the one map, from `build dba`, `build planner` …
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// The movement rule: four, eight, eight-cut-one, eight-cut-any, any-angle, any-angle-squeeze
    #[arg(long, default_value = "eight", value_name = "RULE")]
    moves: Moves,
    /// The heuristic: zero, manhattan, chebyshev, octile, euclidean [default: the best for the
    /// rule]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<Heuristic>,
    /// The weight of the heuristic, 1 to 1000, for planners that have one; others run without
    #[arg(long, value_name = "W")]
    weight: Option<f64>,
    /// Whether block-astar smooths its any-angle paths and pulls them taut, within its time: on or
    /// off
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    smooth: Switch,
    /// At most this many queries of each map, evenly spread over its file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Only every Nth query of each file, from the first
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    every: u32,
    /// Only the N longest queries of each file, by the lengths it lists
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    longest: Option<u32>,
    /// Repeats each query and counts its smallest time
    #[arg(
        long, value_name = "R", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    repeat: u32,
    /// Shares the queries of each map among threads: the same answers sooner, but noisier times
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    threads: u32,
    /// Ends each query after this many expansions; such queries are counted apart
    #[arg(long, value_name = "N")]
    max_expansions: Option<u64>,
    /// Toggles this many random cells before each query and back after it; a list gives one set of
    /// rows for each number
    #[arg(
        long, value_name = "K,…", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    edits: Vec<u64>,
    /// Asks each query before the edits too, untimed, and lets block-astar use that search again
    /// where the edits did not touch it
    #[arg(long, requires = "edits", conflicts_with = "repeat")]
    reuse: bool,
    /// The seed of the edits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Adds a table for each map
    #[arg(long)]
    by_map: bool,
    /// Prints JSON instead of tables
    #[arg(long)]
    json: bool,
}

const DETAILS: &str = "\
Which answers are wrong:
  A path that is not legal or does not lead from start to goal, a path where there is none, none
  where there is one, and a cost that breaks the planner's promise. The reference is, under the
  rule eight, the length that the scenario lists; under the other cell rules and with --edits,
  astar in the same run; under the any-angle rules (where queries lead from the top left corner of
  one cell to that of another) anya, which no path may undercut. While there is no anya, any-angle
  costs are not checked. If any answer is wrong, the exit code is 2.

The columns, and the fields of --json:
  solved             queries answered with a path
  limit_reached      queries ended by --max-expansions
  mean_us …          time of a query in microseconds; p99_us: 99 % took no longer
  mean_cost          over the solved queries
  cost_over_reference  mean of cost / reference over solved queries of length above 0
  smoothed_over_reference  the same after greedy smoothing; only under the any-angle rules
  mean_turns         how often a path changes its heading, over the solved queries
  prepare_ms         time to prepare the planner, summed over the maps
  memory_bytes       what the planner has prepared; of several maps the largest
  connectivity_bytes the part of it that records what is connected
  scratch_bytes      search memory after the run; of several maps or threads the largest
  time_over_astar    total time over that of astar on the same queries
  middle_us          mean time of the tenth of the solved queries in the middle by cost
  edit_us            mean time of a batch of K edits: on the grid and in the planner, by the clock or by
                     the processor time of the process, whichever is less
  edit_there_us      the same of the batches that change the map: to what was not there before
  edit_back_us       the same of those that change it back: to what was there before
  edit_made_us       the same of those for which block-astar had to make a table
  edit_made_share    how many of those that change the map made one; 0 for planners without tables
  edit_there_over_astar_middle, edit_back_over_astar_middle, edit_made_over_astar_middle
                     edit_there_us, edit_back_us, edit_made_us over astar's middle_us on the same map;
                     of several maps the sums of both are compared. The cells that change are drawn
                     from all of the map, walls included
  reused             queries answered from the search before the edits; only with --reuse above 0
  mean_moves …       only for real-time planners, null for others: moves of a walk
  first_response_us  time to the first move: `begin` and a `resume` for one move; mean of the queries
  mean_move_us       total time of the walks, each at a stretch, over their moves
  max_move_us        the slowest of all moves, when walking move by move; with --repeat, of each
                     query's slowest moves the fastest
  first_response_expansions, max_first_response_expansions
                     expansions before the first move: mean and most
  max_move_expansions  the most expansions for any move
  edits              K; only with --edits

Maps without a scenario (such as the weighted ones) are skipped.";

/// The longest queries of a map in the order of its file; of equally long ones the first.
fn longest(course: &Course, count: usize) -> Vec<usize> {
    let mut picks: Vec<usize> = (0..course.scenarios.len()).collect();
    let length = |index: usize| course.scenarios[index].optimal;
    picks.sort_by(|&a, &b| length(b).total_cmp(&length(a)));
    picks.truncate(count);
    picks.sort_unstable();
    picks
}

/// On or off, as written.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// The rows of one map.
#[derive(Serialize)]
struct MapReport {
    map: String,
    results: Vec<Row>,
}

/// Everything that is printed with `--json`.
#[derive(Serialize)]
struct Report {
    results: Vec<Row>,
    maps: Vec<MapReport>,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> crate::Outcome {
        let options = Options {
            heuristic: self.heuristic,
            weight: self.weight,
            max_expansions: self.max_expansions,
            smooth: self.smooth == Switch::On,
            reuse: self.reuse,
        };
        let mut contest = Contest::new(&self.planner, self.moves, options)?;
        if let Some(file) = &self.lddb {
            contest.use_lddb(&database_file::lddb(file)?)?;
        }
        if let Some(file) = &self.database {
            let (planner, bytes) = database_file::saved(file)?;
            contest.use_saved(planner, &std::sync::Arc::new(bytes))?;
        }
        let suite = Suite::load(&self.paths)?;
        let notes = suite.notes.iter().chain(&contest.notes);
        notes.for_each(|note| eprintln!("note: {note}"));
        if self.threads > 1 {
            eprintln!("note: {} threads disturb each other: the times are noisier", self.threads);
        }
        let (report, complaints) = self.measure(&contest, &suite.courses)?;
        for complaint in complaints.iter().take(TOLD) {
            eprintln!("wrong: {complaint}");
        }
        if complaints.len() > TOLD {
            eprintln!("wrong: … and {} more answers", complaints.len() - TOLD);
        }
        let text = if self.json {
            serde_json::to_string_pretty(&report)? + "\n"
        } else {
            self.tables(&report, &suite.courses)
        };
        // Whoever closes the pipe early has read enough.
        let _ = std::io::stdout().write_all(text.as_bytes());
        Ok(if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }

    /// Runs everything; also gives a sentence about each wrong answer.
    fn measure(
        &self,
        contest: &Contest,
        courses: &[Course],
    ) -> Result<(Report, Vec<String>), String> {
        let limit = self.limit.map(|limit| limit as usize);
        let every = self.every as usize;
        let pick = |course: &Course| match self.longest {
            None => spread(course.scenarios.len(), every, limit),
            Some(count) => {
                let picks = longest(course, count as usize);
                spread(picks.len(), every, limit).into_iter().map(|index| picks[index]).collect()
            }
        };
        let picks: Vec<_> = courses.iter().map(pick).collect();
        let rounds: Vec<Option<u64>> = match &self.edits[..] {
            [] => vec![None],
            edits => edits.iter().map(|&edits| Some(edits)).collect(),
        };
        let queries = picks.iter().map(Vec::len).sum::<usize>() * rounds.len();
        let progress = progress::bar(queries as u64, "queries");
        let rows = |tallies: &[Tally], edits| -> Vec<Row> {
            let moves = contest.moves.to_string();
            let names = contest.contestants.iter().map(|c| &c.name);
            let astar = &tallies[contest.yardstick];
            names.zip(tallies).map(|(name, tally)| tally.row(name, &moves, edits, astar)).collect()
        };
        let mut totals = vec![vec![Tally::default(); contest.contestants.len()]; rounds.len()];
        let (mut maps, mut complaints) = (Vec::new(), Vec::new());
        for (number, (course, picks)) in courses.iter().zip(&picks).enumerate() {
            progress.set_message(&format!(
                "map {} of {}, {}",
                number + 1,
                courses.len(),
                course.name
            ));
            let mut results = Vec::new();
            for (&edits, totals) in rounds.iter().zip(&mut totals) {
                let plan = Plan {
                    repeat: self.repeat,
                    threads: self.threads as usize,
                    edits,
                    seed: self.seed,
                };
                let outcome = measure::run(contest, course, picks, plan, &progress)?;
                results.extend(rows(&outcome.tallies, edits));
                totals.iter_mut().zip(&outcome.tallies).for_each(|(all, one)| all.merge(one));
                complaints.extend(outcome.complaints);
            }
            maps.push(MapReport { map: course.name.clone(), results });
        }
        progress.clear();
        let results = rounds.iter().zip(&totals).flat_map(|(&k, tallies)| rows(tallies, k));
        Ok((Report { results: results.collect(), maps }, complaints))
    }

    fn tables(&self, report: &Report, courses: &[Course]) -> String {
        let mut text = String::new();
        if self.by_map {
            for map in &report.maps {
                text += &format!("{}\n{}\n", map.map, self.table(&map.results));
                if let Some(table) = pace::table(&map.results) {
                    text += &format!("{table}\n");
                }
            }
        }
        let maps =
            if courses.len() == 1 { "1 map".into() } else { format!("{} maps", courses.len()) };
        text += &format!("{maps}, moves {}\n{}", self.moves, self.table(&report.results));
        if let Some(table) = pace::table(&report.results) {
            text += &format!("\n{table}");
        }
        text
    }

    fn table(&self, rows: &[Row]) -> Table {
        let (edited, limited) = (!self.edits.is_empty(), self.max_expansions.is_some());
        let any_angle = self.moves.rule().is_any_angle();
        let mut headings = vec!["planner", "queries", "solved", "wrong"];
        headings.extend(limited.then_some("at limit"));
        headings.extend(["mean µs", "median µs", "p99 µs", "max µs", "expansions", "cost"]);
        headings.push("cost/ref");
        headings.extend(any_angle.then_some(["smoothed/ref", "turns"]).into_iter().flatten());
        headings.extend(["prepare ms", "memory", "scratch"]);
        headings.extend(
            edited
                .then_some(["middle µs", "edits", "edit µs", "and back µs", "table made"])
                .into_iter()
                .flatten(),
        );
        headings.extend(
            edited
                .then_some(["edit/astar middle", "back/astar middle", "made/astar middle"])
                .into_iter()
                .flatten(),
        );
        headings.extend(self.reuse.then_some("reused"));
        headings.extend(["time/astar", "x faster than astar"]);
        let mut table = Table::new(headings);
        for row in rows {
            let mut cells = vec![row.planner.clone()];
            cells.extend([row.queries, row.solved, row.wrong].map(|count| count.to_string()));
            cells.extend(limited.then(|| row.limit_reached.to_string()));
            let times = [row.mean_us, row.median_us, row.p99_us, row.max_us];
            cells.extend(times.map(|time| decimals(time, 1)));
            cells.push(decimals(row.mean_expansions, 0));
            cells.push(decimals(row.mean_cost, 2));
            cells.push(decimals(row.cost_over_reference, if any_angle { 5 } else { 4 }));
            if any_angle {
                cells.push(decimals(row.smoothed_over_reference, 5));
                cells.push(decimals(row.mean_turns, 1));
            }
            cells.push(decimals(Some(row.prepare_ms), 1));
            cells.extend([row.memory_bytes, row.scratch_bytes].map(bytes));
            if edited {
                cells.push(decimals(row.middle_us, 1));
                cells.push(row.edits.map_or("-".into(), |edits| edits.to_string()));
                cells.extend([row.edit_there_us, row.edit_back_us].map(|time| decimals(time, 2)));
                let share = row.edit_made_share.map(|share| share * 100.0);
                cells.push(share.map_or("-".into(), |share| format!("{share:.0} %")));
                cells.extend(
                    [
                        row.edit_there_over_astar_middle,
                        row.edit_back_over_astar_middle,
                        row.edit_made_over_astar_middle,
                    ]
                    .map(|ratio| decimals(ratio, 4)),
                );
            }
            cells.extend(self.reuse.then(|| row.reused.to_string()));
            cells.push(ratio(row.time_over_astar));
            cells.push(ratio(row.time_over_astar.map(|time| 1.0 / time)));
            table.push(cells);
        }
        table
    }
}
