//! `blockstar route`: one path on one map.

use crate::draw::{self, Colour, Scene, terminal};
use crate::map_file::{self, LoadedMap, MapOptions};
use crate::question::{Answer, Place, QuestionOptions, Recording, ask, point_text, status_name};
use crate::{Outcome, database_file, output};
use blockstar::{Algorithm, Cell, Grid, Heuristic, Moves, Path, Point, Query, Status};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Find a path on a map, and show it
///
/// Exit codes: 0 if there is a path (with --nearest also one to the nearest cell), 1 if there is
/// none or a limit was reached, 2 for errors.
#[derive(clap::Args)]
pub struct Arguments {
    /// The map: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml
    map: PathBuf,

    /// Where to start: a cell as X,Y from the top left (3,4), which stands for its centre; or,
    /// under the any-angle rules, a point with decimals (3.0,4.5; the centre of the cell 3,4 is
    /// the point 3.5,4.5)
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Place,

    /// Where to go, written like --from
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Place,

    /// The planner, with parameters as in ida-star:table=off; `blockstar planners` lists them.
    /// [default: jps, under the any-angle rules anya, where the map permits it; with terrain astar or theta-star, with --weight weighted-astar, with --heuristic astar]
    #[arg(long, value_name = "NAME")]
    planner: Option<String>,

    /// Tables for block-astar, from `build lddb` under the same rule; takes that planner unless one
    /// is named
    #[arg(long, value_name = "FILE")]
    lddb: Option<PathBuf>,

    /// What a planner has prepared for this map and rule, from `build dba`, `build planner` …; takes
    /// that planner unless it is named
    #[arg(long, value_name = "FILE", conflicts_with = "lddb")]
    database: Option<PathBuf>,

    #[command(flatten)]
    question: QuestionOptions,

    /// Straighten the path: the result is an any-angle path [default: off, but block-astar smooths
    /// its any-angle paths by itself unless told `off`]
    #[arg(
        long, value_name = "HOW", num_args = 0..=1, default_missing_value = "on",
        help_heading = "What is shown"
    )]
    smooth: Option<Smooth>,

    /// Draw map, search and path to a file: .png or .svg
    #[arg(long, value_name = "FILE", help_heading = "What is shown")]
    image: Option<PathBuf>,

    /// List every cell of the path
    #[arg(long, help_heading = "What is shown")]
    cells: bool,

    /// Print JSON for machines
    #[arg(long, help_heading = "What is shown")]
    json: bool,

    /// Leave out the drawing in the terminal
    #[arg(long, help_heading = "What is shown")]
    no_drawing: bool,

    #[command(flatten)]
    options: MapOptions,
}

/// What becomes of a path before it is shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Smooth {
    /// Nothing
    Off,
    /// Walk straight to the farthest point of the path in sight
    On,
    /// Pull it tight around the obstacles, like a string
    Taut,
}

/// Everything that is told about a route.
struct Report<'a> {
    map: &'a LoadedMap,
    query: &'a Query,
    answer: &'a Answer,
    path: &'a Path,
    moves: Moves,
    heuristic: Heuristic,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        // What is wrong with the arguments is said before any work is done.
        let picture = self.image.as_deref().map(|path| Ok((draw::Kind::of(path)?, path)));
        let picture = picture.transpose().map_err(|error: Box<dyn std::error::Error>| error)?;
        let lddb = self.lddb.as_deref().map(database_file::lddb).transpose()?;
        let saved = self.database.as_deref().map(database_file::saved).transpose()?;
        let by_file = saved.as_ref().map(|saved| saved.0).or(lddb.as_ref().map(|_| "block-astar"));
        let named = self.planner.as_deref().or(by_file);
        let mut named = named.map(Algorithm::named).transpose()?;
        if let Some((_, bytes)) = saved {
            named = named.map(|choice| choice.with_saved(bytes));
        }
        if let Some(lddb) = &lddb {
            named = named.map(|choice| choice.with_lddb(lddb)).transpose()?;
        }
        let moves = self.question.moves()?;
        let map = map_file::load(&self.map, &self.options)?;
        let grid = &map.grid;
        let query = self.question.query(grid, self.from, self.to)?;
        let query = query.smooth(self.smooth != Some(Smooth::Off));
        let choice = named.map_or_else(|| self.question.default_planner(grid), Ok)?;
        let heuristic = self.question.heuristic_of(&choice, moves);
        let shown = picture.is_some() || !(self.json || self.no_drawing);
        let recording = if shown { Recording::On } else { Recording::Off };
        let answer = ask(grid, choice, moves, &query, recording)?;
        let path = match self.smooth {
            Some(Smooth::On) => answer.path.smoothed(grid),
            Some(Smooth::Taut) => answer.path.pulled_taut(grid),
            Some(Smooth::Off) | None => answer.path.clone(),
        };
        let report =
            Report { map: &map, query: &query, answer: &answer, path: &path, moves, heuristic };
        if let Some((kind, file)) = picture {
            kind.write(&report.scene(), file)?;
        }
        if self.json {
            output::print_json(&report.json(self.cells))?;
        } else {
            let mut text = String::new();
            if !self.no_drawing {
                let ends = (query.start(), query.goal());
                let ink = terminal::Ink::for_stdout();
                text += &terminal::draw(grid, &answer.expanded, &path, ends, ink);
            }
            text += &report.table(self.smooth);
            text += &report.list(self.cells);
            if let Some((_, file)) = picture {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "picture   {}", file.display());
            }
            output::print(&text)?;
        }
        Ok(if answer.status.has_path() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl Report<'_> {
    /// What came of it, in a sentence.
    fn verdict(&self) -> String {
        let (start, goal) = (self.query.start(), self.query.goal());
        let ends = format!("from {} to {}", point_text(start), point_text(goal));
        match self.answer.status {
            Status::Found => format!("found a path {ends}"),
            Status::Nearest => {
                let end = self.path.points().last().copied().unwrap_or(start);
                format!(
                    "no path {ends}; this one leads to {}, the nearest place that can be reached",
                    point_text(end)
                )
            }
            Status::LimitReached => {
                format!("gave up {ends}: a limit was reached before a path was found")
            }
            Status::NoPath | Status::Working => {
                let blocked = |point: Point| {
                    !self.map.grid.cell_of(point).is_some_and(|cell| self.map.grid.is_free(cell))
                };
                let why = if blocked(start) {
                    "the start is blocked"
                } else if blocked(goal) {
                    "the goal is blocked (--nearest goes as near as possible)"
                } else {
                    "no way connects them (--nearest goes as near as possible)"
                };
                format!("no path {ends}: {why}")
            }
        }
    }

    fn table(&self, smooth: Option<Smooth>) -> String {
        let (answer, path, stats) = (self.answer, self.path, self.answer.stats);
        let mut rows: Vec<(&str, String)> = Vec::new();
        if !path.is_empty() {
            let before = match smooth {
                Some(Smooth::On | Smooth::Taut) => Some(answer.path.cost()),
                _ => stats.raw_cost.filter(|_| smooth.is_none()),
            };
            let before =
                before.map_or_else(String::new, |cost| format!(" ({cost:.6} before smoothing)"));
            rows.push(("cost", format!("{:.6}{before}", path.cost())));
            rows.push(("length", format!("{:.6}", path.length())));
            rows.push(("turns", path.turns().to_string()));
            rows.push(("points", path.points().len().to_string()));
        }
        rows.push((
            "planner",
            format!("{}, moves {}, heuristic {}", answer.choice, self.moves, self.heuristic),
        ));
        let mut work = format!(
            "{} expanded, {} opened, {} improved, largest open list {}",
            stats.expanded, stats.opened, stats.improved, stats.largest_open
        );
        // Writing to a string cannot fail.
        if stats.rounds > 0 {
            let _ = write!(work, ", {} rounds", stats.rounds);
        }
        if stats.reexpanded > 0 {
            let _ = write!(work, ", {} expanded again", stats.reexpanded);
        }
        if stats.tables_made > 0 {
            let _ = write!(work, ", {} tables made for lack of memory", stats.tables_made);
        }
        if stats.sight_checks > 0 {
            let _ = write!(work, ", {} sight checks", stats.sight_checks);
        }
        rows.push(("search", work));
        rows.push((
            "time",
            format!(
                "{} (prepared in {})",
                time(answer.microseconds),
                time(answer.prepare_microseconds)
            ),
        ));
        rows.push((
            "memory",
            format!(
                "planner {}, search {}",
                bytes(answer.planner_bytes),
                bytes(answer.scratch_bytes)
            ),
        ));
        let mut text = format!("{}\n", self.verdict());
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<10}{value}");
        }
        text
    }

    /// The points, or every cell, in lines of at most 100 columns.
    fn list(&self, cells: bool) -> String {
        let (name, places): (_, Vec<String>) = if cells {
            ("cells", self.path.cells().map(|cell| format!("{},{}", cell.x, cell.y)).collect())
        } else {
            ("path", self.path.points().iter().map(|&point| point_text(point)).collect())
        };
        if places.is_empty() {
            return String::new();
        }
        let mut text = format!("{name:<9}");
        let mut column = text.len();
        for place in places {
            if column + 1 + place.len() > 100 {
                text.push_str("\n         ");
                column = 9;
            }
            // Writing to a string cannot fail.
            let _ = write!(text, " {place}");
            column += 1 + place.len();
        }
        text.push('\n');
        text
    }

    fn json(&self, cells: bool) -> Value {
        let (answer, path, grid) = (self.answer, self.path, &self.map.grid);
        let stats = answer.stats;
        let number = |number: f64| if path.is_empty() { Value::Null } else { json!(number) };
        let points: Vec<_> = path.points().iter().map(|point| [point.x(), point.y()]).collect();
        let mut value = json!({
            "status": status_name(answer.status),
            "cost": number(path.cost()),
            "length": number(path.length()),
            "turns": path.turns(),
            "points": points,
        });
        if cells {
            let cells: Vec<_> = path.cells().map(|cell: Cell| [cell.x, cell.y]).collect();
            value["cells"] = json!(cells);
        }
        let rest = json!({
            "planner": answer.choice.to_string(),
            "moves": self.moves.rule().name(),
            "diagonal": self.moves.diagonal().length(),
            "heuristic": self.heuristic.name(),
            "stats": {
                "expanded": stats.expanded,
                "opened": stats.opened,
                "improved": stats.improved,
                "largest_open": stats.largest_open,
                "sight_checks": stats.sight_checks,
                "rounds": stats.rounds,
                "reexpanded": stats.reexpanded,
                "tables_made": stats.tables_made,
                "raw_cost": stats.raw_cost,
            },
            "microseconds": answer.microseconds,
            "prepare_microseconds": answer.prepare_microseconds,
            "planner_bytes": answer.planner_bytes,
            "scratch_bytes": answer.scratch_bytes,
            "map": {
                "file": self.map.path.to_string_lossy(),
                "width": grid.width(),
                "height": grid.height(),
                "free_cells": grid.free_cells(),
            },
        });
        if let (Value::Object(value), Value::Object(rest)) = (&mut value, rest) {
            value.extend(rest);
        }
        value
    }

    fn scene(&self) -> Scene<'_> {
        let (answer, path) = (self.answer, self.path);
        let name = answer.choice.to_string();
        let expanded = thousands(answer.stats.expanded);
        let label = match answer.status {
            Status::Found => format!("{name}  cost {:.2}  {expanded} expanded", path.cost()),
            Status::Nearest => {
                format!("{name}  to the nearest cell  cost {:.2}  {expanded} expanded", path.cost())
            }
            Status::LimitReached => format!("{name}  limit reached  {expanded} expanded"),
            Status::NoPath | Status::Working => format!("{name}  no path  {expanded} expanded"),
        };
        let route = draw::Route { points: path.points().to_vec(), colour: Colour::route(0), label };
        Scene {
            grid: &self.map.grid,
            title: title(&self.map.path, &self.map.grid, Some(self.moves)),
            expanded: &answer.expanded,
            all_expanded: answer.all_expanded,
            routes: vec![route],
            ends: Some((self.query.start(), self.query.goal())),
        }
    }
}

/// The heading of a picture.
pub fn title(path: &std::path::Path, grid: &Grid, moves: Option<Moves>) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let moves = moves.map_or_else(String::new, |moves| format!("  moves {moves}"));
    format!("{name}  {} x {} cells{moves}", grid.width(), grid.height())
}

fn time(microseconds: f64) -> String {
    match microseconds {
        us if us < 1e3 => format!("{us:.1} µs"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

fn bytes(count: usize) -> String {
    match count as f64 {
        b if b < 1024.0 => format!("{count} bytes"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b => format!("{:.1} MiB", b / 1024.0 / 1024.0),
    }
}

/// A count with its digits in groups of three.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
