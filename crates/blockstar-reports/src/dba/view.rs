//! The report as a page.

use super::Report;
use super::edits::{AUTHORS, MOST_SEARCHES};
use super::figure::{Example, SECTOR, name, printed, tenths};
use super::measure::{Row, setting};
use crate::board::Board;
use crate::chart;
use crate::frame::Labels;
use crate::page::{Grid, Page};
use crate::scatter::{Scatter, Series};
use crate::table::Cells;
use blockstar::Cell;
use blockstar::papers::Case;
use blockstar_draw::{Colour, PictureFormat, Route, Scene, escaped, short, thousands};
use blockstar_files::write_file;
use std::error::Error;
use std::path::Path;

/// The files of the picture that shows the walks of the running example.
const PICTURES: [(&str, PictureFormat); 2] =
    [("example.png", PictureFormat::Png), ("example.svg", PictureFormat::Svg)];

/// Draws the walks of the running example.
pub fn draw_example(example: &Example, folder: &Path) -> Result<(), Box<dyn Error>> {
    let Case { grid, start, goal, .. } = &example.case;
    let routes = example.walks.iter().skip(1).enumerate().map(|(number, (name, path))| Route {
        points: path.points().to_vec(),
        colour: Colour::route(number),
        label: format!("{name}: {:.1}", path.cost()),
    });
    let scene = Scene {
        grid,
        title: "DBA*, running example".into(),
        expanded: &[],
        all_expanded: true,
        routes: routes.collect(),
        ends: Some((start.centre(), goal.centre())),
    };
    for (file, kind) in PICTURES {
        write_file(&folder.join(file), &kind.encode(&scene)?)?;
    }
    Ok(())
}

pub fn example(page: &mut Page, report: &Report) {
    page.section("example", "The running example: Figures 1 to 5");
    page.paragraph(
        "The paper prints twelve costs between neighbouring regions, but the map is lost. This one agrees with all \
         twelve and with what is next to what, with diagonal steps of 1.4 as in the paper; centres at these distances \
         exist only in this position, up to a shift. Everything else follows from the map.",
    );
    let example = &report.worked;
    let excesses = example.excesses();
    let mut boards = figure_1(example);
    for ((label, path), excess) in example.walks.iter().skip(1).zip(excesses) {
        let mut board = map_board(example);
        let points: Vec<_> = path.points().iter().map(|point| (point.x(), point.y())).collect();
        board.line(&points, "route broad");
        let best: Vec<_> =
            example.walks[0].1.points().iter().map(|point| (point.x(), point.y())).collect();
        board.line(&best, "line s4 broad dashed");
        ends(&mut board, &example.case);
        boards += &figure_of(
            &board,
            label,
            &format!(
                "<b>{label}.</b> {:.1}, {excess:.0} % above the optimum (dashed).",
                path.cost()
            ),
        );
    }
    page.html(&format!("<div class=\"boards\">{boards}</div>"));
    page.html("<h3>Figure 2: the matrix</h3>");
    page.paragraph(
        "The next region on the way and the cost, from the row to the column. Between neighbours the cost is that of \
         the path on the map (bold); the rest follows. Where the paper prints something else, that is struck out.",
    );
    page.html(&matrix(example));
    page.paragraph(
        "The walks as pictures of their own: <a href=\"example.png\">example.png</a>, \
         <a href=\"example.svg\">example.svg</a>.",
    );
}

/// The map with its sectors and regions.
fn map_board(example: &Example) -> Board {
    const SHADES: [&str; 7] = ["visited", "now", "visited", "now", "new", "visited", "now"];
    let grid = &example.case.grid;
    let mut board = Board::plain(grid.width(), grid.height(), "wall");
    for (region, shade) in example.regions.iter().zip(SHADES) {
        // Consecutive cells of a row become one rectangle.
        let mut cells = region.cells.clone();
        cells.sort_by_key(|cell| (cell.y, cell.x));
        for run in cells.chunk_by(|a, b| a.y == b.y && a.x + 1 == b.x) {
            board.rect((run[0].x.into(), run[0].y.into(), run.len() as f64, 1.0), shade);
        }
    }
    let side = f64::from(SECTOR);
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0)] {
        board.rect((x * side, y * side, side, side), "border");
    }
    board
}

/// The middle of a cell.
fn middle(cell: Cell) -> (f64, f64) {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

fn ends(board: &mut Board, case: &Case) {
    for (cell, name) in [(case.start, "s"), (case.goal, "g")] {
        let (x, y) = middle(cell);
        board.disc(x, y, 0.5, "point s2", 1.0);
        board.text(x - 1.2, y + 1.3, name, "region");
    }
}

/// Sectors, regions, centres and the paths between neighbours, as straight lines.
fn figure_1(example: &Example) -> String {
    let mut board = map_board(example);
    let printed = printed();
    let (mut lines, mut costs) = (Vec::new(), Vec::new());
    for (a, row) in printed.iter().enumerate() {
        for (b, _) in row.iter().enumerate().filter(|(b, entry)| *b > a && entry.1 == *b) {
            let (from, to) = (middle(example.regions[a].centre), middle(example.regions[b].centre));
            lines.push([from, to]);
            let at = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
            costs.push((at, tenths(example.matrix[a][b].0)));
        }
    }
    lines.iter().for_each(|line| board.line(line, "line s4 broad"));
    for ((x, y), cost) in costs {
        board.text(x, y, &format!("{cost:.1}"), "cost halo");
    }
    for (number, region) in example.regions.iter().enumerate() {
        let (x, y) = middle(region.centre);
        board.disc(x, y, 0.85, "point s4", 1.0);
        board.text(x, y + 0.15, &name(number).to_string(), "letter");
    }
    figure_of(
        &board,
        "six sectors, seven regions and their centres",
        "<b>Figure 1.</b> Six sectors of 16 x 16 cells (framed), seven regions with their centres, and the twelve \
         costs between neighbours, whose paths are drawn straight. Sector 5 has two regions, E and F.",
    )
}

fn figure_of(board: &Board, description: &str, caption: &str) -> String {
    let svg = board.svg(11.0, description);
    format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>")
}

/// Figure 2 as computed, with the printed value where it differs.
fn matrix(example: &Example) -> String {
    let (printed, count) = (printed(), example.regions.len());
    let names: Vec<_> = (0..count).map(|number| name(number).to_string()).collect();
    let mut grid = Grid::new(&format!(" | {}", names.join(" | ")));
    for (from, row) in example.matrix.iter().enumerate() {
        let cell = |(to, &(cost, next)): (usize, &(u32, usize))| {
            let text = format!("{} {:.1}", name(next), tenths(cost));
            match printed[from][to] {
                _ if from == to => "–".into(),
                _ if next == to => format!("<b>{text}</b>"),
                (other, _) if other != cost => format!("{text} <s>{:.1}</s>", tenths(other)),
                _ => text,
            }
        };
        let cells = Cells::of(format!("<b>{}</b>", names[from]));
        grid.row("", cells.texts(row.iter().enumerate().map(cell)));
    }
    grid.finish("")
}

pub fn figures(page: &mut Page, report: &Report) {
    page.section("figure-6", "Figure 6: suboptimality against move time");
    let (suboptimality, above) = (|row: &Row| row.suboptimality, "% above the optimum");
    let labels = Labels::new("Suboptimality against the time of a move", "µs per move", above);
    page.html(&figure(report, labels, false, |row| (row.move_us, suboptimality(row))));
    page.section("figure-7", "Figure 7: suboptimality against memory");
    let labels = Labels::new("Suboptimality against memory", "KB", above);
    let memory = |row: &Row| (row.bytes + row.agent_bytes) / 1000.0;
    page.html(&figure(report, labels, false, |row| (memory(row), suboptimality(row))));
    page.paragraph("Fixed memory and that of one agent, without the connectivity labels.");
    page.section("figure-8", "Figure 8: database size against build time");
    let labels = Labels::new("Size of the database against time to make it", "ms", "KB");
    page.html(&figure(report, labels, true, |row| (row.prepare_ms, row.bytes / 1000.0)));
}

pub fn numbers(page: &mut Page, report: &Report) {
    page.section("frontier", "The frontier of quality, memory and time");
    page.html(&frontier(report));
    page.section("table", "All numbers");
    page.paragraph(
        "Percent above the optimum on the longest problems and on those evenly over each scenario; \
         the first move in expansions before it.",
    );
    page.html(&table(&report.rows));
    page.section("ablation", "Ablation: where corners are cut");
    page.html(&table(&report.ablation));
    page.section("edits", "Edits: searches per change");
    page.html(&edits(report));
}

fn figure(
    report: &Report,
    labels: Labels,
    logarithmic: bool,
    point: impl Fn(&Row) -> (f64, f64),
) -> String {
    let mut series: Vec<Series> = Vec::new();
    for row in &report.rows {
        let (x, y) = point(row);
        let point = (x, y, row.planner.clone());
        if let Some(known) = series.iter_mut().find(|series| series.label == row.series) {
            known.points.push(point);
            continue;
        }
        let number = series.len() as u8;
        series.push(Series {
            label: row.series.clone(),
            colour: number % 6 + 1,
            dashed: number >= 4,
            points: vec![point],
            ..Series::default()
        });
    }
    Scatter { labels, logarithmic, series }.html()
}

/// Which configurations no other one beats, among all.
fn frontier(report: &Report) -> String {
    let is_best = |row: &&Row| report.frontier.iter().any(|best| best.planner == row.planner);
    let point = |row: &Row, y: f64| (row.bytes / 1000.0, y, brief(&row.planner));
    let chart = |title: &str, y: &str, named: bool, of: &dyn Fn(&Row) -> f64| {
        let points = |best: bool| {
            let rows = report.rows.iter().filter(|row| is_best(row) == best);
            rows.map(|row| point(row, of(row))).collect()
        };
        let series = vec![
            Series {
                label: "beaten in all three by another".into(),
                colour: 6,
                loose: true,
                points: points(false),
                ..Series::default()
            },
            Series {
                label: if named { "not beaten: sector / depth" } else { "not beaten" }.into(),
                colour: 2,
                loose: true,
                named,
                points: points(true),
                ..Series::default()
            },
        ];
        Scatter { labels: Labels::new(title, "KB", y), logarithmic: true, series }.html()
    };
    let mut grid = Grid::new("not beaten | above the optimum % | memory | µs a query");
    for best in &report.frontier {
        let cells = Cells::of(escaped(&best.planner)).fixed(2, [best.suboptimality]);
        grid.row("", cells.bytes(best.bytes).fixed(1, [best.mean_us]));
    }
    format!(
        "<div class=\"charts\">{}{}</div>{}",
        chart("Suboptimality against memory", "% above the optimum", true, &|row| row
            .suboptimality),
        chart("Time of a query against memory", "µs a query", false, &|row| row.mean_us),
        grid.finish("")
    )
}

/// The short name of a planner, for a chart.
fn brief(planner: &str) -> String {
    let name = planner.split(':').next().unwrap_or(planner);
    let short = match name {
        "dba-star" => "",
        "pra-star" => "PRA* ",
        "hcdps" => "HCDPS ",
        other => return other.into(),
    };
    let numbers: Vec<_> =
        ["sector", "depth"].iter().filter_map(|name| setting(planner, name)).collect();
    format!("{short}{}", numbers.join("/"))
}

/// Two tables: one about the walks, one about the prepared data.
fn table(rows: &[Row]) -> String {
    let mut walks = Grid::new(
        "planner | longest % | spread | most | evenly % | spread | most | µs a query | µs a move | \
         x A* | first move",
    );
    let mut prepared = Grid::new(
        "planner | prepared in ms | slowest map | memory | of which | with labels | per agent",
    );
    for row in rows {
        let cells = Cells::of(escaped(&row.planner))
            .fixed(2, [row.suboptimality, row.spread])
            .fixed(1, [row.worst])
            .fixed(2, [row.evenly, row.evenly_spread])
            .fixed(1, [row.evenly_worst, row.mean_us])
            .fixed(3, [row.move_us])
            .fixed(1, [row.speed.mean])
            .text(thousands(row.first_response as f64));
        walks.row("", cells);
        let cells = Cells::of(escaped(&row.planner))
            .fixed(1, [row.prepare_ms, row.slowest_prepare_ms])
            .bytes(row.bytes)
            .text(escaped(&row.split()))
            .bytes(row.bytes + row.label_bytes)
            .bytes(row.agent_bytes);
        prepared.row("", cells);
    }
    walks.finish("") + &prepared.finish("")
}

fn edits(report: &Report) -> String {
    let searches: Vec<_> = (0..=MOST_SEARCHES).map(|k| k.to_string()).collect();
    let mut grid = Grid::new(&format!(
        "µs for a wall added and removed, k searches between | {} | walls a map | µs an edit | \
         of an A* query | before the first move | same as new",
        searches.join(" | ")
    ));
    for edits in &report.edits {
        let fresh = match edits.equal_to_fresh {
            true => "yes".into(),
            false => format!("{:+.2} %", edits.longer_than_fresh),
        };
        let cells = Cells::of(escaped(&edits.planner))
            .texts(edits.points.iter().map(|point| thousands(point.1)))
            .text(edits.changes)
            .text(short(edits.edit_us))
            .fixed(4, [edits.edit_over_astar.mean])
            .text(thousands(edits.first_response as f64));
        grid.row("", cells.text(fresh));
    }
    grid.row("", Cells::of("<i>the authors, 2024, in Java, sectors of 32</i>"));
    for (name, points) in AUTHORS {
        let at = |k: u32| {
            let point = points.iter().find(|point| point.0 == k);
            point.map_or(String::new(), |point| format!("<i>{}</i>", thousands(point.1)))
        };
        let cells = Cells::of(format!("<i>{}</i>", escaped(name)));
        grid.row("", cells.texts((0..=MOST_SEARCHES).map(at)));
    }
    let ours = report.edits.iter().zip(0..).map(|(edits, number)| chart::Series {
        label: edits.planner.clone(),
        colour: number % 6 + 1,
        dashed: number >= 6,
        points: edits.points.iter().map(|&(k, us)| (f64::from(k), us)).collect(),
    });
    let theirs = AUTHORS.iter().zip(1..).map(|((name, points), colour)| chart::Series {
        label: (*name).into(),
        colour,
        dashed: true,
        points: points.iter().map(|&(k, us)| (f64::from(k), us)).collect(),
    });
    let draw = |title: &str, series: Vec<chart::Series>| {
        let labels = Labels::new(title, "searches per change", "µs");
        let scale = chart::Scale::Logarithmic;
        chart::Chart { labels, scale, mark: None, series }.html()
    };
    format!(
        "<div class=\"charts\">{}{}</div>{}",
        draw("A wall added and removed, and searches", ours.collect()),
        draw("The same as the authors measured it in 2024, in Java", theirs.collect()),
        grid.finish("")
    )
}
