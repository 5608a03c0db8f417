//! The report as a page.

use super::Report;
use super::measure::Row;
use super::scatter::{Scatter, Series};
use crate::command::reproduce::page::{Grid, Page, escaped, short, thousands};
use crate::table::bytes;

/// The text of the page.
pub fn page(report: &Report) -> String {
    let lead = format!(
        "{}. Run with blockstar {} on {} {} and {} problems.",
        escaped(report.source),
        report.version,
        report.maps.len(),
        if report.real_maps { "of the ten maps" } else { "generated maps" },
        report.problems
    );
    let mut page = Page::new("DBA*, run again", &lead);
    for note in &report.notes {
        page.paragraph(&format!("<strong>Note:</strong> {}.", escaped(note)));
    }
    page.section("claims", "Statements");
    page.html(&claims(report));
    page.section("figure-6", "Figure 6: suboptimality against move time");
    page.html(&chart(
        report,
        "Suboptimality against the time of a move",
        "µs per move",
        "% above the optimum",
        false,
        |row| (row.move_us, row.suboptimality),
    ));
    page.section("figure-7", "Figure 7: suboptimality against memory");
    page.html(&chart(
        report,
        "Suboptimality against memory",
        "KB",
        "% above the optimum",
        false,
        |row| ((row.bytes + row.agent_bytes) / 1000.0, row.suboptimality),
    ));
    page.paragraph(
        "Fixed memory and that of one agent, without the labels that tell what is connected.",
    );
    page.section("figure-8", "Figure 8: database size against build time");
    page.html(&chart(
        report,
        "Size of the database against time to make it",
        "ms",
        "KB",
        true,
        |row| (row.prepare_ms, row.bytes / 1000.0),
    ));
    page.section("table", "All numbers");
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

fn claims(report: &Report) -> String {
    let mut grid = Grid::new(&["", "statement", "the paper", "here", ""]);
    for claim in &report.claims {
        let name = claim.verdict.name();
        let remark = match claim.remark.as_str() {
            "" => String::new(),
            remark => format!("<small>{}</small>", escaped(remark)),
        };
        grid.row(
            "",
            &[
                claim.id.into(),
                escaped(claim.claim),
                escaped(&claim.paper),
                escaped(&claim.ours) + &remark,
                format!("<span class=\"verdict {}\">{name}</span>", name.replace(' ', "-")),
            ],
        );
    }
    grid.finish("claims")
}

fn chart(
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
        });
    }
    Scatter { title: title.into(), x: x.into(), y: y.into(), logarithmic, series }.html()
}

fn table(rows: &[Row]) -> String {
    let mut grid = Grid::new(&[
        "planner",
        "above the optimum %",
        "spread",
        "most",
        "evenly %",
        "most",
        "µs a query",
        "µs a move",
        "x A*",
        "prepared in ms",
        "memory",
        "of which",
        "per agent",
        "before the first move",
    ]);
    for row in rows {
        let parts: Vec<_> = row
            .parts
            .iter()
            .map(|(name, size)| format!("{} {}", escaped(name), bytes(*size as usize)))
            .collect();
        grid.row(
            "",
            &[
                escaped(&row.planner),
                format!("{:.2}", row.suboptimality),
                format!("{:.2}", row.spread),
                format!("{:.1}", row.worst),
                format!("{:.2}", row.evenly),
                format!("{:.1}", row.evenly_worst),
                format!("{:.1}", row.mean_us),
                format!("{:.3}", row.move_us),
                format!("{:.1}", row.speed),
                format!("{:.1}", row.prepare_ms),
                bytes(row.bytes as usize),
                parts.join("<br>"),
                bytes(row.agent_bytes as usize),
                thousands(row.first_response as f64),
            ],
        );
    }
    grid.finish("")
}

fn edits(report: &Report) -> String {
    let mut headings =
        vec!["µs for a wall added and removed, with so many searches between".to_string()];
    headings.extend(super::measure::SEARCHES.iter().map(u32::to_string));
    headings.extend(["µs an edit", "of an A* query", "as made anew"].map(String::from));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut grid = Grid::new(&headings);
    for edits in &report.edits {
        let mut cells = vec![escaped(&edits.planner)];
        cells.extend(edits.points.iter().map(|point| thousands(point.1)));
        cells.push(format!("{}", short(edits.edit_us)));
        cells.push(format!("{:.4}", edits.edit_over_astar));
        cells.push(if edits.equal_to_fresh { "yes" } else { "no" }.into());
        grid.row("", &cells);
    }
    let series = report.edits.iter().zip(1..).map(|(edits, colour)| {
        crate::command::reproduce::chart::Series {
            label: edits.planner.clone(),
            colour,
            dashed: false,
            points: edits.points.iter().map(|&(k, us)| (f64::from(k), us)).collect(),
        }
    });
    let chart = crate::command::reproduce::chart::Chart {
        title: "A wall added and removed, and searches".into(),
        x: "searches per change".into(),
        y: "µs".into(),
        scale: crate::command::reproduce::chart::Scale::Logarithmic,
        mark: None,
        series: series.collect(),
    };
    chart.html() + &grid.finish("")
}
