//! The report as a page.

use super::contest::Row;
use super::ground::{FAMILIES, Family};
use super::{FRONTIER, Report, SCALE, numbers as cells};
use crate::frame::Labels;
use crate::page::{Grid, Page};
use crate::scatter::{Scatter, Series};
use crate::table::Cells;
use blockstar_draw::escaped;
use blockstar_files::write_file;
use std::error::Error;
use std::path::Path;

/// Draws the frontiers, and how queries grow, as pictures of their own.
pub fn draw(report: &Report, folder: &Path) -> Result<(), Box<dyn Error>> {
    for rule in rules() {
        let file = folder.join(format!("frontier-{rule}.svg"));
        write_file(&file, frontier_chart(report, &rule).picture().as_bytes())?;
    }
    for family in FAMILIES {
        let file = folder.join(format!("scale-{}.svg", family.name()));
        write_file(&file, scale_chart(report, family, "queries").picture().as_bytes())?;
    }
    Ok(())
}

fn rules() -> impl Iterator<Item = String> {
    FRONTIER.iter().map(|(moves, _)| moves.to_string())
}

pub fn frontier(page: &mut Page, report: &Report) {
    page.section("frontier", "Frontier: what a query costs, and what an edit");
    page.paragraph(
        "Further left, an edit costs less; further down, a query. The line joins the planners that no other one beats \
         in both. Mean processor times; an edit is a cell changed and the planner's update.",
    );
    let charts: Vec<String> = rules().map(|rule| frontier_chart(report, &rule).html()).collect();
    page.charts(&charts);
}

/// The planners by what they promise, and those that are not beaten.
fn frontier_chart(report: &Report, rule: &str) -> Scatter {
    let rows: Vec<&Row> = report.frontier.iter().filter(|row| row.rule == rule).collect();
    let point = |row: &&Row| (row.edit_us, row.query_us, row.planner.clone());
    let mut series = vec![Series {
        label: "not beaten".into(),
        colour: 6,
        dashed: true,
        points: unbeaten(&rows).iter().map(point).collect(),
        ..Series::default()
    }];
    series.extend([("optimal", 4), ("real-time", 3), ("other", 1)].map(|(label, colour)| Series {
        label: label.into(),
        colour,
        loose: true,
        named: true,
        points: rows.iter().filter(|row| kind(row) == label).map(point).collect(),
        ..Series::default()
    }));
    series.retain(|series| !series.points.is_empty());
    let title = format!("moves {rule}");
    let labels = Labels::new(&title, "µs of an edit", "µs of a query");
    Scatter { labels, logarithmic: true, series }
}

/// What a planner promises, in the words of the legend.
fn kind(row: &Row) -> &str {
    match row.promise.as_str() {
        promise @ ("optimal" | "real-time") => promise,
        _ => "other",
    }
}

/// The rows that no other one beats in both times, the cheapest edit first.
fn unbeaten<'a>(rows: &[&'a Row]) -> Vec<&'a Row> {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| a.edit_us.total_cmp(&b.edit_us));
    let mut best = f64::INFINITY;
    sorted.retain(|row| {
        let better = row.query_us < best;
        best = best.min(row.query_us);
        better
    });
    sorted
}

pub fn scale(page: &mut Page, report: &Report) {
    page.section("scale", "Scale: maps that grow");
    page.paragraph("The same kind of map, twice the side each time. Both axes are logarithmic.");
    for family in FAMILIES {
        let charts = ["queries", "edits", "preparation", "memory"];
        page.charts(&charts.map(|title| scale_chart(report, family, title).html()));
    }
}

/// How something grows with the maps of a family: queries with the length of their paths, all else
/// with the side.
fn scale_chart(report: &Report, family: Family, title: &str) -> Scatter {
    type Of = fn(&Row) -> f64;
    let side: (&str, Of) = ("side of the map", |row| f64::from(row.side.unwrap_or(0)));
    let (x, y): ((&str, Of), (&str, Of)) = match title {
        "queries" => (("length of the path", |row| row.length), ("µs", |row| row.query_us)),
        "edits" => (side, ("µs", |row| row.edit_us)),
        "memory" => (side, ("bytes per cell", |row| row.bytes_per_cell)),
        _ => (side, ("ms", |row| row.prepare_ms)),
    };
    let series = SCALE.iter().zip(1..).map(|(planner, colour)| {
        let of_planner = |row: &&Row| row.planner == *planner && row.is_of(family);
        let rows = report.scale.iter().filter(of_planner);
        let points = rows.map(|row| (x.1(row), y.1(row), row.ground.clone()));
        Series { label: planner.to_string(), colour, points: points.collect(), ..Series::default() }
    });
    let labels = Labels::new(&format!("{}: {title}", family.name()), x.0, y.0);
    Scatter { labels, logarithmic: true, series: series.collect() }
}

pub fn numbers(page: &mut Page, report: &Report) {
    page.section("numbers", "Numbers");
    let mut grid = Grid::new(
        "planner | promise | µs | ÷ A* | length | ÷ optimum | edit µs | p99 | edit + query | prepare ms | bytes per cell",
    );
    let rows = || report.frontier.iter().chain(&report.scale);
    let mut last = None;
    for row in rows() {
        let band = (&row.ground, &row.rule);
        if last != Some(band) {
            grid.band(&format!("{}, moves {}", escaped(&row.ground), escaped(&row.rule)));
            last = Some(band);
        }
        grid.row("", cells(row, Cells::of(escaped(&row.planner)).text(escaped(&row.promise))));
    }
    page.html(&grid.finish("wide"));
    page.paragraph(
        "Each planner answers all queries of a map at a stretch, three times, in turns with the others. p99 is the time that 99 of 100 edits \
         stay below; \"edit + query\" is an edit with the query after it, since what an update puts off is paid there.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planner_that_is_slower_in_both_is_beaten() {
        let row = |planner: &str, edit_us: f64, query_us: f64| Row {
            planner: planner.into(),
            edit_us,
            query_us,
            ..Row::default()
        };
        let rows = [
            row("slow", 50.0, 90.0),
            row("index", 40.0, 20.0),
            row("bare", 1.0, 300.0),
            row("beaten", 41.0, 20.0),
        ];
        let best = unbeaten(&rows.iter().collect::<Vec<_>>());
        let names: Vec<_> = best.iter().map(|row| row.planner.as_str()).collect();
        assert_eq!(names, ["bare", "index"]);
    }
}
