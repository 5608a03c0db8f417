//! The report as a page.

use super::Report;
use super::edits::{AUTHORS, MOST_SEARCHES};
use super::measure::Row;
use crate::page::{Grid, Page};
use crate::scatter::{Scatter, Series};
use crate::table::bytes;
use crate::{chart, claim};
use blockstar_draw::{escaped, short, thousands};

/// The text of the page.
pub fn page(report: &Report) -> String {
    let lead = format!(
        "{}. Run with blockstar {} on {} {} and {} problems.",
        escaped(report.source),
        report.version,
        report.maps.len(),
        if report.real_maps {
            "maps, those of the paper,"
        } else {
            "maps, not those of the paper,"
        },
        report.problems
    );
    let mut page = Page::new("DBA*, run again", &lead);
    for note in &report.notes {
        page.paragraph(&format!("<strong>Note:</strong> {}.", escaped(note)));
    }
    page.section("claims", "Statements");
    page.html(&claim::table(&report.claims));
    page.section("figure-6", "Figure 6: suboptimality against move time");
    page.html(&figure(
        report,
        "Suboptimality against the time of a move",
        "µs per move",
        "% above the optimum",
        false,
        |row| (row.move_us, row.suboptimality),
    ));
    page.section("figure-7", "Figure 7: suboptimality against memory");
    page.html(&figure(
        report,
        "Suboptimality against memory",
        "KB",
        "% above the optimum",
        false,
        |row| ((row.bytes + row.agent_bytes) / 1000.0, row.suboptimality),
    ));
    page.paragraph("Fixed memory and that of one agent, without the connectivity labels.");
    page.section("figure-8", "Figure 8: database size against build time");
    page.html(&figure(
        report,
        "Size of the database against time to make it",
        "ms",
        "KB",
        true,
        |row| (row.prepare_ms, row.bytes / 1000.0),
    ));
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
    let mut grid = Grid::new(&["on an empty map of 3 x 2 sectors", "cost"]);
    for (label, cost) in &report.example {
        grid.row("", &[escaped(label), format!("{cost:.2}")]);
    }
    page.html(&grid.finish(""));
    page.section("edits", "Edits: searches per change");
    page.html(&edits(report));
    page.finish()
}

fn figure(
    report: &Report,
    title: &str,
    x: &str,
    y: &str,
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
    Scatter { title: title.into(), x: x.into(), y: y.into(), logarithmic, series }.html()
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
        let (x, y) = ("KB".into(), y.into());
        Scatter { title: title.into(), x, y, logarithmic: true, series }.html()
    };
    let mut grid = Grid::new(&["not beaten", "above the optimum %", "memory", "µs a query"]);
    for best in &report.frontier {
        grid.row(
            "",
            &[
                escaped(&best.planner),
                format!("{:.2}", best.suboptimality),
                bytes(best.bytes as usize),
                format!("{:.1}", best.mean_us),
            ],
        );
    }
    format!(
        "<div class=\"charts\">{}{}</div>{}",
        chart("Suboptimality against memory", "% above the optimum", true, &|row| row
            .suboptimality),
        chart("Time of a query against memory", "µs a query", false, &|row| row.mean_us),
        grid.finish("")
    )
}

/// A planner in few letters, for a chart.
fn brief(planner: &str) -> String {
    let value = |name: &str| {
        let rest = planner.split(&format!("{name}=")).nth(1)?;
        rest.split(':').next().map(str::to_string)
    };
    let name = planner.split(':').next().unwrap_or(planner);
    let short = match name {
        "dba-star" => "",
        "pra-star" => "PRA* ",
        "hcdps" => "HCDPS ",
        other => return other.into(),
    };
    let numbers: Vec<_> = [value("sector"), value("depth")].into_iter().flatten().collect();
    format!("{short}{}", numbers.join("/"))
}

/// Two tables: what walks are like, and what is prepared for them.
fn table(rows: &[Row]) -> String {
    let mut walks = Grid::new(&[
        "planner",
        "longest %",
        "spread",
        "most",
        "evenly %",
        "spread",
        "most",
        "µs a query",
        "µs a move",
        "x A*",
        "first move",
    ]);
    let mut prepared = Grid::new(&[
        "planner",
        "prepared in ms",
        "slowest map",
        "memory",
        "of which",
        "with labels",
        "per agent",
    ]);
    for row in rows {
        walks.row(
            "",
            &[
                escaped(&row.planner),
                format!("{:.2}", row.suboptimality),
                format!("{:.2}", row.spread),
                format!("{:.1}", row.worst),
                format!("{:.2}", row.evenly),
                format!("{:.2}", row.evenly_spread),
                format!("{:.1}", row.evenly_worst),
                format!("{:.1}", row.mean_us),
                format!("{:.3}", row.move_us),
                format!("{:.1}", row.speed),
                thousands(row.first_response as f64),
            ],
        );
        let part =
            |(name, size): &(String, f64)| format!("{} {}", escaped(name), bytes(*size as usize));
        prepared.row(
            "",
            &[
                escaped(&row.planner),
                format!("{:.1}", row.prepare_ms),
                format!("{:.1}", row.slowest_prepare_ms),
                bytes(row.bytes as usize),
                row.parts.iter().map(part).collect::<Vec<_>>().join(", "),
                bytes((row.bytes + row.label_bytes) as usize),
                bytes(row.agent_bytes as usize),
            ],
        );
    }
    walks.finish("") + &prepared.finish("")
}

fn edits(report: &Report) -> String {
    let mut headings = vec!["µs for a wall added and removed, k searches between".to_string()];
    headings.extend((0..=MOST_SEARCHES).map(|k| k.to_string()));
    headings.extend(
        ["walls a map", "µs an edit", "of an A* query", "before the first move", "same as new"]
            .map(String::from),
    );
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut grid = Grid::new(&headings);
    for edits in &report.edits {
        let mut cells = vec![escaped(&edits.planner)];
        cells.extend(edits.points.iter().map(|point| thousands(point.1)));
        cells.push(edits.changes.to_string());
        cells.push(format!("{}", short(edits.edit_us)));
        cells.push(format!("{:.4}", edits.edit_over_astar));
        cells.push(thousands(edits.first_response as f64));
        cells.push(if edits.equal_to_fresh {
            "yes".into()
        } else {
            format!("{:+.2} %", edits.longer_than_fresh)
        });
        grid.row("", &cells);
    }
    let mut band = vec!["<i>the authors, 2024, in Java, sectors of 32</i>".to_string()];
    band.resize(headings.len(), String::new());
    grid.row("", &band);
    for (name, points) in AUTHORS {
        let mut cells = vec![format!("<i>{}</i>", escaped(name))];
        cells.extend((0..=MOST_SEARCHES).map(|k| {
            let point = points.iter().find(|point| point.0 == k);
            point.map_or(String::new(), |point| format!("<i>{}</i>", thousands(point.1)))
        }));
        cells.resize(headings.len(), String::new());
        grid.row("", &cells);
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
        let (x, y) = ("searches per change".into(), "µs".into());
        let scale = chart::Scale::Logarithmic;
        chart::Chart { title: title.into(), x, y, scale, mark: None, series }.html()
    };
    format!(
        "<div class=\"charts\">{}{}</div>{}",
        draw("A wall added and removed, and searches", ours.collect()),
        draw("The same as the authors measured it in 2024, in Java", theirs.collect()),
        grid.finish("")
    )
}
