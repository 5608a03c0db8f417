//! The planners on one test case.

use super::{Trial, ties};
use crate::noise::Repeats;
use blockstar::papers::{self, Case};
use blockstar::{
    Algorithm, Cell, Heuristic, Moves, Naturalness, Path, Planner, Query, Scratch, Status,
};
use blockstar_draw::Hills;
use blockstar_files::{Target, write_file};
use cpu_time::ThreadTime;
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

/// The results of one planner in one test case.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its key in the numbers.
    pub key: &'static str,
    /// Its label for people.
    pub label: &'static str,
    /// The vertices of the path (Figure 10).
    pub vertices: usize,
    /// Equation 3 as printed (Figure 11).
    pub printed_cost: f64,
    /// Equation 3 with absolute differences.
    pub absolute_cost: f64,
    /// What the search minimises: K (1 + |difference of heights|).
    pub cost: f64,
    /// The vertices left by the post-processing (Figure 12).
    pub vertices_left: usize,
    /// The vertices left if the path may leave the ground by at most one unit of height.
    pub vertices_left_within: usize,
    /// Vertices taken from the queue (Figure 13).
    pub expanded: u64,
    /// The mean time of a search including post-processing, in microseconds (Figure 14).
    pub mean_us: f64,
    /// The same in each third of the searches.
    pub repeats_us: Repeats,
    /// How often the path changes its heading.
    pub heading_changes: usize,
    /// All turns together, in degrees.
    pub turning: f64,
    /// Heights gained and lost.
    pub gained: f64,
    /// See above.
    pub lost: f64,
    /// The length in space.
    pub spatial_length: f64,
}

/// How cases are run.
pub struct Lab<'a> {
    /// The number of searches that a time is the mean of.
    pub runs: u32,
    /// Where pictures go.
    pub folder: &'a std::path::Path,
}

/// A planner in the test.
struct Runner {
    key: &'static str,
    label: &'static str,
    planner: &'static str,
    moves: Moves,
    heuristic: Option<Heuristic>,
}

impl Runner {
    /// Whether the post-processing is added to the planner rather than part of it.
    fn is_joined(&self) -> bool {
        !self.planner.starts_with("astar-mod")
    }
}

/// The paper has no rule about corners: a diagonal step only needs its target to be free.
const MOVES: Moves = Moves::EIGHT_CUT_ANY.with_slope(papers::astar_mod_slope(1.0));

const RUNNERS: [Runner; 7] = [
    Runner {
        key: "astar-manhattan",
        label: "A* (Manhattan, the paper's)",
        // The same listing without its changes, so that nothing else makes a difference.
        planner: "astar-mod:multiplier=off:post=off",
        moves: MOVES,
        heuristic: Some(Heuristic::Manhattan),
    },
    Runner {
        key: "astar-mod",
        label: "A*MOD",
        planner: "astar-mod",
        moves: MOVES,
        heuristic: None,
    },
    Runner {
        key: "astar-mod-fixed",
        label: "A*MOD corrected",
        planner: "astar-mod-fixed",
        moves: MOVES,
        heuristic: None,
    },
    Runner {
        key: "astar",
        label: "A* (octile, ours)",
        planner: "astar",
        moves: MOVES,
        heuristic: None,
    },
    // The paper's closing remark. Neither can price heights: they see only walls. JPS has the same
    // rule as all others; REA* knows only `eight`, so an A* under that rule is run beside it.
    Runner {
        key: "jps",
        label: "JPS, walls only",
        planner: "jps",
        moves: Moves::EIGHT_CUT_ANY,
        heuristic: None,
    },
    Runner {
        key: "rea-star",
        label: "REA*, walls only, rule eight",
        planner: "rea-star",
        moves: Moves::EIGHT,
        heuristic: None,
    },
    Runner {
        key: "astar-eight",
        label: "A* (ours), walls only, rule eight",
        planner: "astar",
        moves: Moves::EIGHT,
        heuristic: None,
    },
];

/// How far a simplified path may leave the ground.
const DEVIATION: f64 = 1.0;

impl Lab<'_> {
    pub fn run(&self, case: &Case) -> Result<Trial, Box<dyn Error>> {
        let grid = &case.grid;
        let mut planners: Vec<Box<dyn Planner>> = Vec::new();
        for runner in &RUNNERS {
            planners.push(Algorithm::named(runner.planner)?.prepare(grid, runner.moves)?);
        }
        let query = |runner: &Runner| {
            let query = Query::new(case.start, case.goal);
            runner.heuristic.map_or(query.clone(), |heuristic| query.heuristic(heuristic))
        };
        let mut scratches: Vec<Scratch> = RUNNERS.iter().map(|_| Scratch::new()).collect();
        let mut seconds = vec![Repeats::default(); RUNNERS.len()];
        let mut searches = [0; Repeats::COUNT];
        let mut paths = Vec::new();
        let mut stats = Vec::new();
        for ((runner, planner), scratch) in RUNNERS.iter().zip(&planners).zip(&mut scratches) {
            let status = planner.find(grid, &query(runner), scratch)?;
            if status != Status::Found {
                return Err(
                    format!("{} on case {}: {status:?}", runner.planner, case.number).into()
                );
            }
            scratch.path().check(grid, runner.moves)?;
            paths.push(scratch.path().clone());
            stats.push(*scratch.stats());
        }
        // In small batches by turns, so that noise affects all alike. The time includes
        // post-processing, except for the paper's A*, which has none.
        const BATCH: u32 = 8;
        let mut done = 0;
        while done < self.runs {
            let batch = BATCH.min(self.runs - done);
            let repeat = (u64::from(done) * Repeats::COUNT as u64 / u64::from(self.runs)) as usize;
            searches[repeat] += batch;
            for (index, runner) in RUNNERS.iter().enumerate() {
                let query = query(runner);
                let (clock, processor) = (Instant::now(), ThreadTime::now());
                for _ in 0..batch {
                    planners[index].find(grid, &query, &mut scratches[index])?;
                    if runner.is_joined() {
                        let path = scratches[index].path().simplified(grid, f64::INFINITY);
                        std::hint::black_box(path.points().len());
                    }
                }
                let time = clock.elapsed().min(processor.elapsed());
                seconds[index].add(repeat, time.as_secs_f64() * 1e6);
            }
            done += batch;
        }
        let rows = RUNNERS.iter().enumerate().map(|(index, runner)| {
            let path = &paths[index];
            let natural = Naturalness::of(path, grid, 1.0);
            let costs = papers::astar_mod_costs(path, grid);
            Row {
                key: runner.key,
                label: runner.label,
                // Post-processing is a separate step here: every cell is a vertex before it.
                vertices: path.cell_count(),
                printed_cost: costs.printed,
                absolute_cost: costs.absolute,
                cost: Path::new(grid, MOVES, path.points().iter().copied()).cost(),
                vertices_left: path.simplified(grid, f64::INFINITY).points().len(),
                vertices_left_within: path.simplified(grid, DEVIATION).points().len(),
                expanded: stats[index].expanded,
                mean_us: seconds[index].sum() / f64::from(self.runs),
                repeats_us: seconds[index].each_over(&searches),
                heading_changes: natural.heading_changes,
                turning: natural.turning.to_degrees(),
                gained: natural.gained,
                lost: natural.lost,
                spatial_length: natural.spatial_length,
            }
        });
        let rows = rows.collect();
        let picture = picture(case, &paths[0], &paths[1]);
        let file = self.folder.join(format!("case-{}.svg", case.number));
        write_file(&file, picture.as_bytes())?;
        // The case itself, for `route --heights` and others: its heights as grey, its walls as a
        // map.
        let heights = self.folder.join(format!("case-{}-heights.png", case.number));
        let white = Target::of(&heights)?.save_heights(&heights, grid, 1.0)?.unwrap_or_default();
        let walled = grid.free_cells() < (grid.width() * grid.height()) as usize;
        if walled {
            let walls = self.folder.join(format!("case-{}-walls.map", case.number));
            Target::of(&walls)?.save(&walls, grid)?;
        }
        let image = Hills::of(grid).map(|hills| hills.png(8)).transpose()?;
        if let Some(bytes) = image {
            write_file(&self.folder.join(format!("case-{}-ground.png", case.number)), &bytes)?;
        }
        let number = case.number;
        let map = match walled {
            true => format!("case-{number}-walls.map --heights-file case-{number}-heights.png"),
            false => format!("case-{number}-heights.png --heights"),
        };
        let ends = (case.start, case.goal);
        Ok(Trial {
            command: format!(
                "blockstar route {map} --highest {white} --published-costs --moves eight-cut-any \
                 --planner astar-mod --from {},{} --to {},{}",
                ends.0.x, ends.0.y, ends.1.x, ends.1.y
            ),
            number,
            name: case.name.into(),
            width: grid.width(),
            height: grid.height(),
            rows,
            turns_first_in: [ties::Listing::AStar, ties::Listing::Modified]
                .map(|kind| ties::turns(case, kind)),
            picture,
        })
    }
}

/// The ratio of vertices visited by A*MOD to those of the paper's A*: the mean of the cases with
/// heights.
pub fn overhead(cases: &[Case]) -> Result<f64, Box<dyn Error>> {
    let (mut sum, mut count) = (0.0, 0.0);
    for case in cases.iter().filter(|case| (5..=8).contains(&case.number) || case.number == 10) {
        let mut looked = [0.0; 2];
        for (looked, runner) in looked.iter_mut().zip(&RUNNERS) {
            let planner = Algorithm::named(runner.planner)?.prepare(&case.grid, runner.moves)?;
            let query = Query::new(case.start, case.goal);
            let query = runner.heuristic.map_or(query.clone(), |h| query.heuristic(h));
            let mut scratch = Scratch::new();
            planner.find(&case.grid, &query, &mut scratch)?;
            *looked = scratch.stats().expanded as f64;
        }
        sum += looked[1] / looked[0];
        count += 1.0;
    }
    Ok(sum / count)
}

/// A case as in the paper's Figure 2: the ground, the grid in green, blocked vertices as white
/// dots, and the paths: red for A*MOD after its post-processing, blue for A*.
fn picture(case: &Case, plain: &Path, modified: &Path) -> String {
    let grid = &case.grid;
    let (width, height) = (grid.width(), grid.height());
    let scale = 640 / width.max(height);
    let unit = f64::from(scale);
    let (w, h) = (width * scale, height * scale);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
         height=\"{h}\"><title>case {}: {}</title>",
        case.number, case.name
    );
    if let Some(hills) = Hills::of(grid) {
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            "<image width=\"{w}\" height=\"{h}\" href=\"{}\"/>",
            hills.data_url(scale)
        );
    }
    // Vertices are the centres of cells, edges run between them.
    let centre = |i: u32| (f64::from(i) + 0.5) * unit;
    let mut edges = String::new();
    for x in 0..width {
        let _ = write!(edges, "M{} {}V{}", centre(x), centre(0), centre(height - 1));
    }
    for y in 0..height {
        let _ = write!(edges, "M{} {}H{}", centre(0), centre(y), centre(width - 1));
    }
    let _ = write!(
        text,
        "<path d=\"{edges}\" stroke=\"#1d7a3c\" stroke-opacity=\".45\" stroke-width=\"{}\" fill=\"none\"/>",
        (unit * 0.05).max(0.6)
    );
    for y in 0..height {
        for x in 0..width {
            if !grid.is_free(Cell::new(x, y)) {
                let _ = write!(
                    text,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#fff\" stroke=\"#555\" stroke-width=\".6\"/>",
                    centre(x),
                    centre(y),
                    unit * 0.3
                );
            }
        }
    }
    for (path, colour, line) in [(plain, "#2563d9", 0.34), (modified, "#e0241b", 0.2)] {
        let path = path.simplified(grid, f64::INFINITY);
        let points: Vec<_> =
            path.points().iter().map(|p| format!("{},{}", p.x() * unit, p.y() * unit)).collect();
        let _ = write!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
            points.join(" "),
            unit * line
        );
        if colour == "#e0241b" {
            for point in path.points() {
                let _ = write!(
                    text,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#ffd84d\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
                    point.x() * unit,
                    point.y() * unit,
                    unit * 0.2,
                    unit * 0.07
                );
            }
        }
    }
    text + "</svg>\n"
}
