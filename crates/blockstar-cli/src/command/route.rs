//! `blockstar route`: one path on one map.

use crate::map_file::{self, LoadedMap, MapOptions};
use crate::question::{
    Answer, Place, QuestionOptions, Recording, Turn, ask, exact_text, expanded_text, point_text,
};
use crate::{Outcome, argument, database_file, obj_file, output};
use blockstar::{
    Cell, Curve, Grid, Heuristic, Moves, Naturalness, Path, Point, Query, Status, papers,
};
use blockstar_draw::{Colour, PictureFormat, Profile, Route, Scene, terminal, tidy};
use blockstar_session::counters;
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
    /// The map: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml; heights: .hgt, .asc, or .csv and
    /// pictures with --as heights; `-` is standard input
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
    /// [default: auto:prepare=off, at any angle on slopes theta-star, with --weight weighted-astar, with --heuristic astar]
    #[arg(long, value_name = "NAME")]
    planner: Option<String>,

    /// Tables for block-astar, from `build lddb` under the same rule; selects that planner unless
    /// one is named
    #[arg(long, value_name = "FILE")]
    lddb: Option<PathBuf>,

    /// A file prepared for this map and rule by `build dba`, `build planner` …; selects its planner
    /// unless it is named
    #[arg(long, value_name = "FILE", conflicts_with = "lddb")]
    database: Option<PathBuf>,

    #[command(flatten)]
    question: QuestionOptions,

    /// Ask twice and show the second answer, for which block-astar reuses its first search
    #[arg(long, help_heading = "What is asked")]
    reuse: bool,

    /// Straighten the path: the result is an any-angle path [default: off, but block-astar pulls
    /// its any-angle paths taut by itself unless set to `off`]
    #[arg(
        long, value_name = "HOW", num_args = 0..=1, default_missing_value = "on",
        help_heading = "What is shown"
    )]
    smooth: Option<Smooth>,

    /// Draw map, search and path to a file: .png or .svg. Heights are shaded, with contour lines
    #[arg(long, value_name = "FILE", help_heading = "What is shown")]
    image: Option<PathBuf>,

    /// Write terrain and path as a Wavefront OBJ file for 3-D tools
    #[arg(long, value_name = "FILE", help_heading = "What is shown")]
    obj: Option<PathBuf>,

    /// Draw the heights along the path, in the terminal or to an .svg file
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "What is shown")]
    profile: Option<Option<PathBuf>>,

    /// Turn the path into a curve of short segments that hits no wall and exceeds no slope limit
    #[arg(long, value_name = "KIND", help_heading = "What is shown")]
    curve: Option<CurveKind>,

    /// Leave out points in the middle of straight stretches only where the path stays this near to
    /// the ground, in metres
    #[arg(long, value_name = "METRES", value_parser = parse_deviation, help_heading = "What is shown")]
    deviation: Option<f64>,

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

/// The curves that a path may be turned into.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum CurveKind {
    /// Through all points of the path
    CatmullRom,
    /// Around its corners
    Bezier,
}

fn parse_deviation(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| *number >= 0.0);
    number.ok_or_else(|| {
        format!("`{}` is not a distance: write metres, as in 2.5", text.escape_debug())
    })
}

/// Post-processing of a path before it is shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Smooth {
    /// Nothing
    Off,
    /// Go straight to the farthest point of the path in sight
    On,
    /// Pull it tight around the obstacles, like a string
    Taut,
}

/// Everything that is shown about a route.
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
        // Faults in the arguments are reported before any work is done.
        let picture = self.image.as_deref().map(|path| Ok((PictureFormat::of(path)?, path)));
        let picture = picture.transpose().map_err(|error: Box<dyn std::error::Error>| error)?;
        if let Some(Some(file)) = &self.profile
            && blockstar_files::extension(file) != "svg"
        {
            let name = file.display();
            return Err(format!("{name}: a profile is written to a name that ends in .svg").into());
        }
        let lddb = self.lddb.as_deref().map(database_file::lddb).transpose()?;
        let saved = self.database.as_deref().map(database_file::saved).transpose()?;
        let by_file = saved.as_ref().map(|saved| saved.0).or(lddb.as_ref().map(|_| "block-astar"));
        let named = self.planner.as_deref().or(by_file);
        let mut named = named.map(argument::planner).transpose()?;
        if let Some((_, bytes)) = saved {
            named = named.map(|spec| spec.with_saved(bytes));
        }
        if let Some(lddb) = &lddb {
            named = named.map(|spec| spec.with_lddb(lddb)).transpose()?;
        }
        self.question.moves()?;
        let map = map_file::load(&self.map, &self.options)?;
        if self.profile.is_some() && !map.grid.has_heights() {
            return Err(
                "--profile is for maps with heights, and this one has none: read a picture or a .csv \
                        file with --as heights, or a .hgt or .asc file"
                    .into(),
            );
        }
        let moves = self.question.moves_on(&map)?;
        let grid = &map.grid;
        let query = self.question.query(grid, self.from, self.to)?;
        let rough = self.smooth == Some(Smooth::Off);
        let query = if rough { query.without_smoothing() } else { query };
        let spec = named.map_or_else(|| self.question.default_planner(moves), Ok)?;
        let heuristic = self.question.heuristic_of(&spec, moves);
        let shown = picture.is_some() || !(self.json || self.no_drawing);
        let recording = if shown { Recording::On } else { Recording::Off };
        let (query, turn) =
            if self.reuse { (query.reuse(), Turn::Again) } else { (query, Turn::First) };
        let answer = ask(grid, spec, moves, &query, recording, turn)?;
        let path = match self.smooth {
            Some(Smooth::On) => answer.path.smoothed(grid),
            Some(Smooth::Taut) => answer.path.pulled_taut(grid),
            Some(Smooth::Off) | None => answer.path.clone(),
        };
        let path = match self.deviation {
            Some(metres) => path.simplified(grid, metres),
            None => path,
        };
        let path = match self.curve {
            Some(CurveKind::CatmullRom) => path.curved(grid, Curve::CatmullRom, 12),
            Some(CurveKind::Bezier) => path.curved(grid, Curve::Bezier, 12),
            None => path,
        };
        let report =
            Report { map: &map, query: &query, answer: &answer, path: &path, moves, heuristic };
        if let Some((kind, file)) = picture {
            output::write_picture(kind, &report.scene(), file)?;
        }
        if let Some(file) = &self.obj {
            let text = obj_file::write(grid, &path, report.cell_size(), &report.heading());
            output::write_file(file, text.as_bytes())?;
        }
        let profile =
            self.profile.as_ref().map(|file| report.profile(file.as_deref())).transpose()?;
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
            if let Some(drawing) = &profile {
                text += drawing;
            }
            if let Some(file) = &self.obj {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "terrain   {}", file.display());
            }
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
    /// The distance between neighbouring cells in metres.
    fn cell_size(&self) -> f64 {
        self.map.ground.as_ref().map_or(1.0, |ground| ground.cell_size)
    }

    /// The question in one line.
    fn heading(&self) -> String {
        title(&self.map.path, &self.map.grid, Some(self.moves))
    }

    /// Draws the profile to a file, or returns it as text.
    fn profile(
        &self,
        file: Option<&std::path::Path>,
    ) -> Result<String, Box<dyn std::error::Error>> {
        let Some(profile) = Profile::of(self.path, &self.map.grid, self.cell_size()) else {
            return Ok("profile   there is no path to draw\n".into());
        };
        let Some(file) = file else { return Ok(profile.text()) };
        output::write_file(file, profile.svg(&self.heading()).as_bytes())?;
        Ok(format!("profile   {}\n", file.display()))
    }

    /// How the path runs over the ground.
    fn natural(&self) -> Option<Naturalness> {
        let high = self.map.grid.has_heights() && !self.path.is_empty();
        high.then(|| Naturalness::of(self.path, &self.map.grid, self.cell_size()))
    }

    /// The outcome, in one sentence.
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
            _ => {
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
        if let Some(natural) = self.natural() {
            let height = |at: Option<&Point>| {
                at.and_then(|&at| self.map.grid.height_at_point(at)).unwrap_or_default()
            };
            let points = path.points();
            rows.push((
                "heights",
                format!(
                    "{} m to {} m, {} m up, {} m down",
                    tidy(height(points.first()), 1),
                    tidy(height(points.last()), 1),
                    tidy(natural.gained, 1),
                    tidy(natural.lost, 1)
                ),
            ));
            rows.push((
                "in space",
                format!(
                    "{:.1} m, turning {:.0}° in all",
                    natural.spatial_length,
                    natural.turning.to_degrees()
                ),
            ));
        }
        for note in self.map.ground.iter().flat_map(|ground| &ground.notes) {
            rows.push(("ground", note.clone()));
        }
        rows.push((
            "planner",
            format!("{}, moves {}, heuristic {}", answer.planner(), self.moves, self.heuristic),
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
        if stats.reused {
            work.push_str("; the previous search was reused");
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
            let points = self.path.points();
            // Cells only if all points are centres: 4,4 beside 4.25,4.75 would be read as a corner.
            let centres = points.iter().all(|point| point.as_centre().is_some());
            let text = |point: &Point| match centres {
                true => point_text(*point),
                false => exact_text(*point),
            };
            ("path", points.iter().map(text).collect())
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
        let number = |number: f64| if path.is_empty() { Value::Null } else { json!(number) };
        let points: Vec<_> = path.points().iter().map(|point| [point.x(), point.y()]).collect();
        let mut value = json!({
            "status": answer.status.name(),
            "cost": number(path.cost()),
            "length": number(path.length()),
            "turns": path.turns(),
            "points": points,
        });
        if let Some(natural) = self.natural() {
            let costs = papers::astar_mod_costs(path, &self.map.grid);
            value["natural"] = json!({
                "vertices": natural.vertices,
                "cells": natural.cells,
                "heading_changes": natural.heading_changes,
                "turning": natural.turning,
                "gained": natural.gained,
                "lost": natural.lost,
                "spatial_length": natural.spatial_length,
                "printed_cost": costs.printed,
                "absolute_cost": costs.absolute,
            });
        }
        if let Some(ground) = &self.map.ground {
            value["ground"] = json!({ "cell_size": ground.cell_size, "notes": ground.notes });
        }
        if cells {
            let cells: Vec<_> = path.cells().map(|cell: Cell| [cell.x, cell.y]).collect();
            value["cells"] = json!(cells);
        }
        let rest = json!({
            "planner": answer.planner(),
            "moves": self.moves.rule().name(),
            "diagonal": self.moves.diagonal().length(),
            "slope": self.moves.slope().map(|slope| slope.to_string()),
            "heuristic": self.heuristic.name(),
            "stats": counters(&answer.stats),
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
        let name = answer.spec.to_string();
        let expanded = expanded_text(&answer.spec, &answer.stats);
        let label = match answer.status {
            Status::Found => format!("{name}  cost {:.2}  {expanded}", path.cost()),
            Status::Nearest => {
                format!("{name}  to the nearest cell  cost {:.2}  {expanded}", path.cost())
            }
            Status::LimitReached => format!("{name}  limit reached  {expanded}"),
            _ => format!("{name}  no path  {expanded}"),
        };
        let route = Route { points: path.points().to_vec(), colour: Colour::route(0), label };
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
    let moves = moves.map_or_else(String::new, |moves| {
        let limits = moves.slope().map(|slope| (slope.max_climb(), slope.max_descent()));
        let slopes = match limits {
            Some((up, down)) if up.is_finite() || down.is_finite() => {
                format!("  slopes to {up:.3} up, {down:.3} down")
            }
            Some(_) => "  on slopes".into(),
            None => String::new(),
        };
        format!("  moves {}{slopes}", moves.without_slope())
    });
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
