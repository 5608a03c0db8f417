//! A question to a planner on the command line, and its answer; shared by `route` and `render`.

use crate::argument;
use crate::map_file::LoadedMap;
use crate::slope_options::SlopeOptions;
use blockstar::{
    Algorithm, Cell, Diagonal, Error as PlanError, Grid, Heuristic, Moves, Path, PlannerSpec,
    Point, Query, QueryOptions, Scratch, Stats, Status,
};
use blockstar_draw::thousands;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

/// Where a path starts or ends, as written: `3,4` is a cell and `3.0,4.5` is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A cell: its centre or, with `--corners`, its top left corner.
    Cell(u64, u64),
    /// A point of the plane.
    Point(f64, f64),
}

/// The rule and the limits of a query.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "What is asked")]
pub struct QuestionOptions {
    /// The movement rule: four, eight, eight-cut-one, eight-cut-any, any-angle, any-angle-squeeze
    #[arg(long, value_name = "RULE", default_value = "eight", value_parser = argument::moves)]
    pub moves: Moves,

    /// The length of a diagonal step: sqrt2 or 1.4 [default: sqrt2]
    #[arg(long, value_name = "LENGTH")]
    pub diagonal: Option<DiagonalLength>,

    /// The estimate of the remaining cost: zero, manhattan, chebyshev, octile, euclidean
    /// [default: the best that is admissible under the rule]
    #[arg(long, value_name = "NAME", value_parser = argument::heuristic)]
    pub heuristic: Option<Heuristic>,

    /// The weight of the estimate, 1 to 1000, for planners that have one
    #[arg(long, value_name = "W", value_parser = argument::number, allow_hyphen_values = true)]
    pub weight: Option<f64>,

    /// Give up when every path costs more than this
    #[arg(long, value_name = "COST", value_parser = argument::number, allow_hyphen_values = true)]
    pub max_cost: Option<f64>,

    /// Give up after this many expansions
    #[arg(long, value_name = "N")]
    pub max_expansions: Option<u64>,

    /// When the goal cannot be reached, go to the reachable cell nearest to it
    #[arg(long)]
    pub nearest: bool,

    /// Cells stand for their top left corners instead of their centres, as in published any-angle
    /// figures; needs an any-angle rule
    #[arg(long)]
    pub corners: bool,

    #[command(flatten)]
    pub slopes: SlopeOptions,
}

/// The length of a diagonal step as written.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum DiagonalLength {
    /// The true length.
    #[value(name = "sqrt2")]
    Sqrt2,
    /// As in Dragon Age and the DBA* paper.
    #[value(name = "1.4")]
    OnePointFour,
}

impl From<DiagonalLength> for Diagonal {
    fn from(length: DiagonalLength) -> Self {
        match length {
            DiagonalLength::Sqrt2 => Self::Sqrt2,
            DiagonalLength::OnePointFour => Self::OnePointFour,
        }
    }
}

/// Whether the search is run again to record the order of its expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Keep the expanded points.
    On,
    /// Answer only.
    Off,
}

/// Whether a question is asked for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The first.
    First,
    /// The second, with the search memory of the first.
    Again,
}

/// What a planner answered.
#[derive(Debug)]
pub struct Answer {
    /// The planner with its parameters.
    pub spec: PlannerSpec,
    /// How the search ended.
    pub status: Status,
    /// The path without the points in the middle of straight stretches; empty if there is none.
    pub path: Path,
    /// What the search did.
    pub stats: Stats,
    /// How long the search took, in microseconds; the first one also allocates.
    pub microseconds: f64,
    /// How long the preparation took.
    pub prepare_microseconds: f64,
    /// What the planner has prepared, in bytes.
    pub planner_bytes: usize,
    /// The search memory, in bytes.
    pub scratch_bytes: usize,
    /// The expanded points in order, if they were recorded.
    pub expanded: Vec<Point>,
    /// Whether these are all, rather than the beginning of a very long search.
    pub all_expanded: bool,
}

impl Answer {
    /// The planner with its parameters; where `auto` was asked, the one that it took.
    pub fn planner(&self) -> String {
        let taken = self.stats.planner.filter(|_| self.spec.name() == "auto");
        taken.map_or_else(|| self.spec.to_string(), String::from)
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = |problem: &str| {
            format!(
                "`{}` {problem}: write a cell as X,Y (3,4) or a point with decimals (3.0,4.5)",
                text.escape_debug()
            )
        };
        let (x, y) = text.split_once(',').ok_or_else(|| fault("is not a place"))?;
        let (x, y) = (x.trim(), y.trim());
        if let (Ok(x), Ok(y)) = (x.parse(), y.parse()) {
            return Ok(Self::Cell(x, y));
        }
        match (x.parse::<f64>(), y.parse::<f64>()) {
            (Ok(x), Ok(y)) if x.is_finite() && y.is_finite() => Ok(Self::Point(x, y)),
            (Ok(_), Ok(_)) => Err(fault("is not finite")),
            _ => Err(fault("is not a place")),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(x, y) => write!(f, "{x},{y}"),
            Self::Point(x, y) => write!(f, "{x:?},{y:?}"),
        }
    }
}

impl Place {
    /// The place on the map; an error if it is not on the map.
    fn point(self, what: &str, grid: &Grid, corners: bool) -> Result<Point, Box<dyn Error>> {
        let (width, height) = (grid.width(), grid.height());
        match self {
            Self::Cell(x, y) if x < width.into() && y < height.into() => {
                let cell = Cell::new(x as u32, y as u32);
                Ok(if corners { cell.corner() } else { cell.centre() })
            }
            Self::Point(x, y)
                if (0.0..=width.into()).contains(&x) && (0.0..=height.into()).contains(&y) =>
            {
                Ok(Point::new(x, y))
            }
            Self::Cell(..) => Err(format!(
                "the {what} {self} lies outside the map of {width} x {height} cells: x must be 0 \
                 to {} and y 0 to {}",
                width - 1,
                height - 1
            )
            .into()),
            Self::Point(..) => Err(format!(
                "the {what} {self} lies outside the map of {width} x {height} cells: x must be 0 \
                 to {width} and y 0 to {height}"
            )
            .into()),
        }
    }
}

impl QuestionOptions {
    /// The movement rule with its diagonals.
    pub fn moves(&self) -> Result<Moves, Box<dyn Error>> {
        let Some(diagonal) = self.diagonal else { return Ok(self.moves) };
        if self.moves.rule().is_any_angle() {
            return Err(format!(
                "--diagonal is for rules that step from cell to cell, but the rule is `{}`: leave \
                 it out",
                self.moves
            )
            .into());
        }
        Ok(self.moves.with_diagonal(diagonal.into()))
    }

    /// The movement rule on a map, with slopes if it has heights.
    pub fn moves_on(&self, map: &LoadedMap) -> Result<Moves, Box<dyn Error>> {
        let moves = self.moves()?;
        let slope = self.slopes.slope(map.ground.as_ref())?;
        Ok(slope.map_or(moves, |slope| moves.with_slope(slope)))
    }

    /// The query between two places of a map.
    pub fn query(&self, grid: &Grid, from: Place, to: Place) -> Result<Query, Box<dyn Error>> {
        if self.corners && !self.moves.rule().is_any_angle() {
            return Err(format!(
                "--corners needs an any-angle rule, but the rule is `{}`: add --moves any-angle",
                self.moves
            )
            .into());
        }
        let start = from.point("start", grid, self.corners)?;
        let goal = to.point("goal", grid, self.corners)?;
        let &Self { heuristic, weight, max_cost, max_expansions, nearest, .. } = self;
        let more = QueryOptions::default();
        let options = QueryOptions { heuristic, weight, max_cost, max_expansions, nearest, ..more };
        Ok(Query::with_options(start, goal, options))
    }

    /// The planner to use when none is named: one that has a weight if there is a weight, one that
    /// takes every heuristic if there is one, else what suits the map and the rule for a single query.
    /// At any angle on slopes that is Theta*, which `auto` cannot take, since it is not optimal among
    /// any paths: those of A* between corners are, and longer.
    pub fn default_planner(&self, moves: Moves) -> Result<PlannerSpec, PlanError> {
        let slanted = moves.slope().is_some() && moves.rule().is_any_angle();
        Algorithm::named(match (self.weight, self.heuristic) {
            (Some(_), _) => "weighted-astar",
            (None, Some(_)) => "astar",
            (None, None) if slanted => "theta-star",
            (None, None) => "auto:prepare=off",
        })
    }

    /// The heuristic that a planner uses.
    pub fn heuristic_of(&self, spec: &PlannerSpec, moves: Moves) -> Heuristic {
        match spec.name() {
            "dijkstra" => Heuristic::Zero,
            _ => self.heuristic.unwrap_or(spec.algorithm().default_heuristic(moves)),
        }
    }
}

/// Prepares a planner and asks it.
pub fn ask(
    grid: &Grid,
    spec: PlannerSpec,
    moves: Moves,
    query: &Query,
    recording: Recording,
    turn: Turn,
) -> Result<Answer, Box<dyn Error>> {
    let clock = Instant::now();
    let planner = spec.prepare(grid, moves)?;
    let prepare_microseconds = micros(clock);
    let mut scratch = Scratch::new();
    if turn == Turn::Again {
        planner.find(grid, query, &mut scratch)?;
    }
    let clock = Instant::now();
    let status = planner.find(grid, query, &mut scratch)?;
    let microseconds = micros(clock);
    let scratch_bytes = scratch.memory_usage();
    let (path, stats) = (scratch.path().clone(), *scratch.stats());
    let (mut expanded, mut all_expanded) = (Vec::new(), true);
    if recording == Recording::On {
        // A second run, so that the time above is that of a search without a trace.
        const MOST_EVENTS: usize = 20_000_000;
        scratch.record(MOST_EVENTS);
        planner.find(grid, query, &mut scratch)?;
        if let Some(trace) = scratch.trace() {
            all_expanded = trace.dropped() == 0;
            expanded = blockstar_draw::expanded(trace, grid);
        }
    }
    let planner_bytes = planner.memory_usage().total();
    Ok(Answer {
        spec,
        status,
        path,
        stats,
        microseconds,
        prepare_microseconds,
        planner_bytes,
        scratch_bytes,
        expanded,
        all_expanded,
    })
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_nanos() as f64 / 1000.0
}

/// How much was expanded, in words. A block has many cells: its count must not be compared with
/// that of another planner without saying so.
pub fn expanded_text(spec: &PlannerSpec, stats: &Stats) -> String {
    let unit = if spec.algorithm().blocks { " blocks" } else { "" };
    format!("{}{unit} expanded", thousands(stats.expanded as f64))
}

/// A point as it may be written on the command line: `3,4` for the centre of a cell, else decimals.
pub fn point_text(point: Point) -> String {
    match point.as_centre() {
        Some(cell) => format!("{},{}", cell.x, cell.y),
        None => exact_text(point),
    }
}

/// A point with decimals, also the centre of a cell.
pub fn exact_text(point: Point) -> String {
    format!("{:?},{:?}", point.x(), point.y())
}
