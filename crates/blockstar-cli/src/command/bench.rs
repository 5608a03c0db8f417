//! `blockstar bench`: planners side by side on the queries of scenario files.

mod baseline;
mod clock;
mod contest;
mod csv;
mod judge;
mod measure;
mod pace;
mod sheet;
mod table;
mod tally;
mod times;

use crate::progress::{self, Bar};
use crate::{argument, database_file, interrupt, output};
use blockstar::{Heuristic, Moves};
use blockstar_files::{Course, Suite, spread};
use contest::{Contest, Options};
use measure::{Place, Plan, lock};
use serde::Serialize;
use sheet::Sheet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use table::Columns;
use tally::{Label, Row, Tally};

/// How many wrong answers are described in detail.
const TOLD: usize = 10;

/// Measures planners on benchmark maps and checks every answer
///
/// On each map every planner first answers all queries once, untimed; these answers are checked.
/// Then come the rounds that count (--repeat). In each, all queries go to every planner again; the
/// planners take turns every few queries, and each time another one begins, so that noise affects
/// all alike. Times are processor times, from the query to the finished path. Ctrl-C ends the run
/// with the results so far and exit code 130.
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
    #[arg(long, default_value = "eight", value_name = "RULE", value_parser = argument::moves)]
    moves: Moves,
    /// The heuristic: zero, manhattan, chebyshev, octile, euclidean [default: the best for the
    /// rule]
    #[arg(long, value_name = "NAME", value_parser = argument::heuristic)]
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
    /// How many rounds over all queries are timed. The interval of time/astar needs 6; from 9 on it
    /// leaves out the extremes
    #[arg(
        long, value_name = "R", default_value_t = 9,
        value_parser = clap::value_parser!(u32).range(1..=1000)
    )]
    repeat: u32,
    /// Shares the queries of each map among threads, each with processor times of its own: the same
    /// answers sooner, but noisier times
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    threads: u32,
    /// Ends each query after this many expansions; such queries are counted apart
    #[arg(long, value_name = "N")]
    max_expansions: Option<u64>,
    /// Inverts this many random cells before each query and back after it; a list gives one set of
    /// rows for each number
    #[arg(
        long, value_name = "K,…", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    edits: Vec<u64>,
    /// Each edit inverts a rectangle of cells, as one change, instead of a single cell
    #[arg(
        long, value_name = "WxH", default_value = "1x1", value_parser = argument::size,
        requires = "edits"
    )]
    patch: (u32, u32),
    /// Where edits are
    #[arg(long, value_name = "WHERE", default_value = "anywhere", requires = "edits")]
    edit_place: Place,
    /// Asks each query before the edits too, untimed, and lets block-astar use that search again
    /// where the edits did not touch it
    #[arg(long, requires = "edits")]
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
    /// Writes the results to a file as values separated by commas; `-` prints them instead of tables
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// An earlier output of --json to compare with: says for each planner whether its time over
    /// that of astar has changed beyond noise, which is if the two intervals do not overlap. The
    /// exit code does not depend on it
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

const DETAILS: &str = "\
Which answers are wrong:
  A path that is not legal or does not lead from start to goal, a path where there is none, none
  where there is one, and a cost that breaks the planner's promise. The reference is, under the
  rule eight, the length that the scenario lists; under the other cell rules and with --edits,
  astar in the same run; under the any-angle rules (where queries lead from the top left corner of
  one cell to that of another) anya, which no path may undercut. While there is no anya, any-angle
  costs are not checked. If any answer is wrong, the exit code is 2.

How time is measured:
  By the processor time of the thread: other programs slow it only through the caches. Reading
  that clock takes about as long as a query of a fast planner, so queries are timed in batches of at
  least a hundred times its cost, which is taken off. A batch's time is shared among its queries in
  proportion to what each took in the round before. With --edits every query is timed alone.
  Each round gives one ratio of total times, planner over astar. Their median is time_over_astar;
  its interval is that of order statistics (of 9 rounds the second smallest to the second largest
  ratio), which holds the true median with a probability of at least 95 %. It knows only of the
  noise within the run: a machine that is busy in another way the next time may give another ratio.

The columns, and the fields of --json and --csv:
  queries            how many were asked
  solved             queries answered with a path
  wrong              queries with a wrong answer in any round
  limit_reached      queries ended by --max-expansions
  mean_us            time of a query in microseconds: that of the median round over its queries
  median_us …        of the times of the queries, each the median of its rounds; p99_us: 99 % took
                     no longer
  mean_expansions    what was taken from the open list, in the unit that expansion_unit names:
                     a block has many cells, so blocks are not to be compared with nodes. Nodes are
                     cells for most planners, but intervals for anya and rectangles for rea-star
  mean_cost          over the solved queries
  cost_over_reference  mean of cost / reference over solved queries of length above 0
  smoothed_over_reference  the same after greedy smoothing; only under the any-angle rules
  mean_turns         how often a path changes its heading, over the solved queries
  prepare_ms         processor time of all threads to prepare the planner, summed over the maps
  memory_bytes       what the planner has prepared; of several maps the largest
  connectivity_bytes the part of it that records what is connected
  scratch_bytes      search memory after the run; of several maps or threads the largest
  time_over_astar    total time over that of astar on the same queries: the median of the rounds
  time_over_astar_low, time_over_astar_high
                     its 95 % interval; null with fewer than 6 rounds
  rounds             how many rounds were timed
  middle_us          mean time of the tenth of the solved queries in the middle by cost
  edit_us            mean time of a batch of K edits, on the grid and in the planner: the median of
                     the rounds, each of which has edits of its own. It is the processor time of
                     all threads or, with --threads, of the planner's own
  edit_p99_us        99 % of all batches, there and back, in all rounds took no longer
  edit_and_query_us  edit_there_us and mean_us: what it takes to follow a change and answer
  edit_there_us      the same of the batches that change the map: to what was not there before
  edit_back_us       the same of those that change it back: to what was there before
  edit_made_us       the same of those for which block-astar had to make a table
  edit_made_share    how many of those that change the map made one; 0 for planners without tables
  edit_there_over_astar_middle, edit_back_over_astar_middle, edit_made_over_astar_middle
                     the time of such a batch over astar's time for the tenth of the solved queries in
                     the middle by cost, on the same map in the same round: the median of the rounds.
                     Of several maps the sums of both are compared
  edit_there_over_astar_middle_low, edit_there_over_astar_middle_high …
                     the 95 % interval of each of the three; null with fewer than 6 rounds
  reused             queries answered from the search before the edits; only with --reuse above 0
  mean_moves …       only for real-time planners, null for others: moves of a walk
  first_response_us  time to the first move: `begin` and a `resume` for one move; mean of the queries,
                     of each the least of its rounds
  mean_move_us       total time of the walks, each at a stretch, over their moves
  max_move_us        the slowest of all moves, when walking move by move; of each query's slowest
                     moves, one in each round, the fastest counts
  first_response_expansions, max_first_response_expansions
                     expansions before the first move: mean and most
  max_move_expansions  the most expansions for any move
  edits              K; only with --edits
  interrupted        true if Ctrl-C ended the run; then a map may lack queries or rounds, and one
                     that lacks rounds does not count in the times over all maps
  baseline           with --baseline, for each planner: time (faster, slower, same or unknown) and
                     notes. A faster astar makes every other planner slower

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
    /// Left out unless true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    /// Left out without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Vec<baseline::Comparison>>,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> crate::Outcome {
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            return Err(
                "a benchmark needs a map with its scenario beside it, and standard input has \
                        none: write the map to a file"
                    .into(),
            );
        }
        if self.json && self.csv.as_ref().is_some_and(|file| file.as_os_str() == "-") {
            return Err(
                "--json and --csv - both print to standard output: name a file for --csv".into()
            );
        }
        let baseline = self.baseline.as_deref().map(baseline::read).transpose()?;
        let run = Arc::new(self.prepare()?);
        let worker = run.clone();
        let outcome = interrupt::watch(move || worker.measure())?;
        run.progress.clear();
        let interrupted = outcome.is_none();
        outcome.transpose()?;
        let (mut report, complaints) = run.report();
        report.interrupted = interrupted;
        report.baseline = baseline.map(|before| baseline::compare(&before, &report.results));
        for complaint in complaints.iter().take(TOLD) {
            eprintln!("wrong: {complaint}");
        }
        if complaints.len() > TOLD {
            eprintln!("wrong: … and {} more answers", complaints.len() - TOLD);
        }
        if interrupted {
            eprintln!("interrupted: these are the results up to here");
        }
        self.publish(&report)?;
        Ok(match (interrupted, complaints.is_empty()) {
            (true, _) => ExitCode::from(interrupt::EXIT_CODE),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::from(2),
        })
    }

    /// Finds maps and planners.
    fn prepare(&self) -> Result<Run, Box<dyn std::error::Error>> {
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
            contest.use_saved(planner, &Arc::new(bytes))?;
        }
        let suite = Suite::load(&self.paths)?;
        let notes = suite.notes.iter().chain(&contest.notes);
        notes.for_each(|note| eprintln!("note: {note}"));
        if self.threads > 1 {
            eprintln!(
                "note: {} threads share caches and memory: the times are noisier",
                self.threads
            );
        }
        let limit = self.limit.map(|limit| limit as usize);
        let every = self.every as usize;
        let pick = |course: &Course| match self.longest {
            None => spread(course.scenarios.len(), every, limit),
            Some(count) => {
                let picks = longest(course, count as usize);
                spread(picks.len(), every, limit).into_iter().map(|index| picks[index]).collect()
            }
        };
        let picks: Vec<Vec<usize>> = suite.courses.iter().map(pick).collect();
        let edits: Vec<Option<u64>> = match &self.edits[..] {
            [] => vec![None],
            edits => edits.iter().map(|&edits| Some(edits)).collect(),
        };
        let queries = picks.iter().map(Vec::len).sum::<usize>() * edits.len();
        let plan = Plan {
            repeat: self.repeat as usize,
            threads: self.threads as usize,
            edits: None,
            patch: self.patch,
            place: self.edit_place,
            seed: self.seed,
        };
        let totals = vec![vec![Tally::default(); contest.contestants.len()]; edits.len()];
        Ok(Run {
            // Every query is asked once before it is timed.
            progress: progress::bar((queries * (plan.repeat + 1)) as u64, "answers"),
            ledger: Mutex::new(Ledger { totals, ..Ledger::default() }),
            contest,
            courses: suite.courses,
            picks,
            edits,
            plan,
        })
    }

    /// Prints and writes the results.
    fn publish(&self, report: &Report) -> Result<(), Box<dyn std::error::Error>> {
        let to_stdout = self.csv.as_ref().is_some_and(|file| file.as_os_str() == "-");
        if let Some(file) = self.csv.as_ref().filter(|_| !to_stdout) {
            output::write_file(file, csv::text(report)?.as_bytes())?;
        }
        if to_stdout {
            return output::print(&csv::text(report)?);
        }
        if self.json {
            return output::print(&(serde_json::to_string_pretty(report)? + "\n"));
        }
        let columns = Columns {
            moves: self.moves,
            edited: !self.edits.is_empty(),
            limited: self.max_expansions.is_some(),
            reuse: self.reuse,
        };
        let mut text = columns.tables(report, self.by_map, output::Screen::of_stdout());
        if let Some(comparisons) = &report.baseline {
            text += &baseline::text(comparisons);
        }
        output::print(&text)
    }
}

/// A benchmark under way.
struct Run {
    contest: Contest,
    courses: Vec<Course>,
    /// The queries of each map.
    picks: Vec<Vec<usize>>,
    /// How many cells change before each query, one set of rows for each.
    edits: Vec<Option<u64>>,
    plan: Plan,
    progress: Bar,
    ledger: Mutex<Ledger>,
}

/// What has been found so far.
#[derive(Default)]
struct Ledger {
    /// By number of edits and contestant.
    totals: Vec<Vec<Tally>>,
    maps: Vec<MapReport>,
    complaints: Vec<String>,
    /// The map that is being measured, with the index of its number of edits.
    open: Option<(String, usize, Arc<Mutex<Sheet>>)>,
}

impl Run {
    /// Measures everything.
    fn measure(&self) -> Result<(), String> {
        for (number, (course, picks)) in self.courses.iter().zip(&self.picks).enumerate() {
            self.progress.set_message(&format!(
                "map {} of {}, {}",
                number + 1,
                self.courses.len(),
                course.name
            ));
            for (index, &edits) in self.edits.iter().enumerate() {
                let sheet = Sheet::new(picks.len(), self.contest.contestants.len());
                let sheet = Arc::new(Mutex::new(sheet));
                self.ledger().open = Some((course.name.clone(), index, sheet.clone()));
                let plan = Plan { edits, ..self.plan };
                measure::run(&self.contest, course, picks, plan, &self.progress, &sheet)?;
                self.close(&mut self.ledger());
            }
        }
        Ok(())
    }

    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds up what the open map has.
    fn close(&self, ledger: &mut Ledger) {
        let Some((name, index, sheet)) = ledger.open.take() else { return };
        let (tallies, complaints) = lock(&sheet).tallies(&self.contest);
        let rows = self.rows(&tallies, self.edits[index]);
        match ledger.maps.last_mut().filter(|_| index > 0) {
            Some(map) => map.results.extend(rows),
            None => ledger.maps.push(MapReport { map: name, results: rows }),
        }
        ledger.totals[index].iter_mut().zip(&tallies).for_each(|(all, one)| all.merge(one));
        ledger.complaints.extend(complaints);
    }

    /// The results so far, and a sentence about each wrong answer.
    fn report(&self) -> (Report, Vec<String>) {
        let mut ledger = self.ledger();
        self.close(&mut ledger);
        let Ledger { totals, maps, complaints, .. } = std::mem::take(&mut *ledger);
        let results =
            self.edits.iter().zip(&totals).flat_map(|(&k, tallies)| self.rows(tallies, k));
        let results = results.collect();
        (Report { results, maps, interrupted: false, baseline: None }, complaints)
    }

    fn rows(&self, tallies: &[Tally], edits: Option<u64>) -> Vec<Row> {
        let moves = self.contest.moves.to_string();
        let astar = &tallies[self.contest.yardstick];
        let contestants = self.contest.contestants.iter().zip(tallies);
        contestants
            .map(|(contestant, tally)| {
                let blocks = contestant.choice.algorithm().blocks;
                let label = Label {
                    planner: &contestant.name,
                    moves: &moves,
                    expands: if blocks { "blocks" } else { "nodes" },
                    edits,
                };
                tally.row(&label, astar)
            })
            .collect()
    }
}
