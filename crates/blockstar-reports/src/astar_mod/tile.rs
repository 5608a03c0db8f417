//! A real elevation tile, crossed with slope limits.

use crate::table::{Cells, Table};
use blockstar::format::heights::{HeightMap, Voids};
use blockstar::{Algorithm, Cell, Moves, Naturalness, Query, Scratch, Slope};
use blockstar_draw::{Colour, PictureFormat, Route, Scene, thousands};
use blockstar_files::write_file;
use cpu_time::ThreadTime;
use serde::Serialize;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// The tile and what each planner did on it.
#[derive(Debug, Serialize)]
pub struct Tile {
    width: u32,
    height: u32,
    cell_size: f64,
    pub rule: String,
    /// How often each planner was asked.
    pub rounds: u32,
    pub rows: Vec<Crossing>,
}

/// What one planner did.
#[derive(Debug, Serialize)]
pub struct Crossing {
    pub planner: &'static str,
    pub cost: f64,
    pub kilometres: f64,
    pub gained: f64,
    pub lost: f64,
    pub turns: usize,
    pub expanded: u64,
    pub milliseconds: f64,
    pub over_astar: f64,
    pub prepare_milliseconds: f64,
    pub table_megabytes: f64,
}

/// A step up may rise by 15 %, a step down fall by 20 %, and a metre up costs as much as eight
/// along (Naismith's rule).
const CLIMB: f64 = 0.15;
const DESCENT: f64 = 0.2;

const PLANNERS: [&str; 6] = [
    "astar",
    "astar-mod",
    "astar-mod-fixed",
    "bidirectional-astar",
    "block-astar",
    "block-astar:block=8",
];

/// Crosses the tile from the upper left to the lower right and draws what A*, A*MOD and Block A*
/// found. Each planner is asked `rounds` times, the least processor time counts.
pub fn cross(map: &HeightMap, folder: &Path, rounds: u32) -> Result<Tile, Box<dyn Error>> {
    let cell_size = map.cell_size().unwrap_or(90.0);
    let grid = map.grid(Voids::Blocked)?;
    let slope = Slope::new(cell_size).penalties(8.0, 0.0).limits(CLIMB, DESCENT);
    let moves = Moves::EIGHT.with_slope(slope);
    let (start, goal) = (Cell::new(10, 10), Cell::new(grid.width() - 11, grid.height() - 11));
    // The goal may lie on a slope that is too steep: then as near as possible. That takes a flood
    // of the whole map, so it is done once and untimed.
    let goal = {
        let planner = Algorithm::named("astar")?.prepare(&grid, moves)?;
        let mut scratch = Scratch::new();
        planner.find(&grid, &Query::new(start, goal).nearest(), &mut scratch)?;
        let end = scratch.path().points().last().and_then(|point| point.as_centre());
        end.ok_or("no path crosses the tile")?
    };
    let query = Query::new(start, goal);
    let mut rows: Vec<Crossing> = Vec::new();
    let mut team = Vec::new();
    for name in PLANNERS {
        let clock = Instant::now();
        let planner = Algorithm::named(name)?.prepare(&grid, moves)?;
        team.push((
            name,
            planner,
            clock.elapsed().as_secs_f64() * 1e3,
            Scratch::new(),
            f64::INFINITY,
        ));
    }
    // Memory is slow on first touch; a single round is only a rough measure.
    if rounds > 1 {
        for (_, planner, _, scratch, _) in &mut team {
            planner.find(&grid, &query, scratch)?;
        }
    }
    for _ in 0..rounds {
        for (_, planner, _, scratch, least) in &mut team {
            let processor = ThreadTime::now();
            planner.find(&grid, &query, scratch)?;
            *least = least.min(processor.elapsed().as_secs_f64() * 1e3);
        }
    }
    let astar = team[0].4;
    let mut routes = Vec::new();
    for (name, planner, prepare_milliseconds, scratch, milliseconds) in &team {
        let path = scratch.path();
        if path.is_empty() {
            return Err(format!("{name} found no path across the tile").into());
        }
        path.check(&grid, moves)?;
        let natural = Naturalness::of(path, &grid, cell_size);
        rows.push(Crossing {
            planner: name,
            cost: path.cost(),
            kilometres: natural.spatial_length / 1e3,
            gained: natural.gained,
            lost: natural.lost,
            turns: natural.heading_changes,
            expanded: scratch.stats().expanded,
            milliseconds: *milliseconds,
            over_astar: milliseconds / astar,
            prepare_milliseconds: *prepare_milliseconds,
            table_megabytes: planner.memory_usage().part("tables") as f64 / 1e6,
        });
        if ["astar", "astar-mod", "block-astar"].contains(name) {
            routes.push(Route {
                points: path.points().to_vec(),
                colour: Colour::route(routes.len()),
                label: format!("{name}  cost {:.2}  {:.0} m up", path.cost(), natural.gained),
            });
        }
    }
    let ends = team[0].3.path().points();
    let ends = ends.first().copied().zip(ends.last().copied());
    let scene = Scene {
        grid: &grid,
        title: format!("N44W072  cells of {cell_size} m  at most {CLIMB} up and {DESCENT} down"),
        expanded: &[],
        all_expanded: true,
        routes,
        ends,
    };
    write_file(&folder.join("tile.png"), &PictureFormat::Png.encode(&scene)?)?;
    Ok(Tile {
        width: grid.width(),
        height: grid.height(),
        cell_size,
        rule: moves.to_string(),
        rounds,
        rows,
    })
}

impl Crossing {
    /// Its row in the table.
    pub fn cells(&self) -> Cells {
        Cells::of(self.planner)
            .fixed(2, [self.cost])
            .fixed(1, [self.kilometres])
            .fixed(0, [self.gained, self.lost])
            .text(self.turns)
            .text(thousands(self.expanded as f64))
            .fixed(1, [self.milliseconds])
            .fixed(3, [self.over_astar])
            .fixed(0, [self.prepare_milliseconds, self.table_megabytes])
    }
}

impl Tile {
    /// The headings of the table.
    pub const HEADINGS: &str = "across the tile | cost | km | m up | m down | turns | expanded | ms | x A* | prepared in ms | tables MB";

    /// A table for a terminal of this width.
    pub fn summary(&self, columns: usize) -> String {
        let mut table = Table::headed(Self::HEADINGS);
        self.rows.iter().for_each(|row| table.row(row.cells()));
        table.folded(columns) + "\n"
    }
}
