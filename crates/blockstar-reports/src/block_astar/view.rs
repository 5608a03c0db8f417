//! The report as a page.

use super::Report;
use super::experiments::{SIDES, Tables};
use super::suite::Suite;
use crate::chart::{Chart, Scale, Series};
use crate::claim::{self, Verdict};
use crate::page::{Grid, Page};
use crate::race::Row;
use crate::table::bytes;
use blockstar_draw::{escaped, thousands};

/// The text of `index.html`.
pub fn page(report: &Report) -> String {
    let lead = format!(
        "The experiments of <i>{}</i>, run again by blockstar {} at scale {} (1 is all {} problems of each \
         density) with seed {}. Every path was proved legal, and none was shorter than the optimum.",
        escaped(report.source),
        report.version,
        report.scale,
        thousands(50_000.0),
        report.seed
    );
    let mut page = Page::new("Block A*, reproduced", &lead);
    summary(&mut page, report);
    claims(&mut page, report);
    charts(&mut page, report);
    table_1(&mut page, report);
    table_2(&mut page, report);
    arena2(&mut page, report);
    block_sizes(&mut page, report);
    cell_rules(&mut page, report);
    database(&mut page, report);
    figures(&mut page, report);
    method(&mut page, report);
    page.finish()
}

fn summary(page: &mut Page, report: &Report) {
    let range = |of: &dyn Fn(&Suite) -> f64| {
        let values = || report.table_1.iter().map(of).filter(|value| value.is_finite());
        let low = values().fold(f64::INFINITY, f64::min);
        (low, values().fold(f64::NEG_INFINITY, f64::max))
    };
    let euclid = range(&|suite| suite.speed("block", "astar-euclid"));
    let octile = range(&|suite| suite.speed("block", "astar"));
    let theta = range(&|suite| suite.speed("block", "theta"));
    let longer = range(&|suite| suite.excess("block", "theta"));
    let count = |verdict| report.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let card = |number: String, text: &str| {
        format!("<div class=\"card\"><b>{number}</b><span>{text}</span></div>")
    };
    let cards = [
        card(
            format!("{} of {}", count(Verdict::Holds), report.claims.len()),
            &format!(
                "claims hold; {} do not, {} were not tested",
                count(Verdict::DoesNotHold),
                count(Verdict::NotTested)
            ),
        ),
        card(
            format!("{} – {} ×", short(euclid.0), short(euclid.1)),
            "as fast as the paper's A*, with the Euclidean heuristic (printed: 1.8 – 4.7 ×)",
        ),
        card(
            format!("{} – {} ×", short(octile.0), short(octile.1)),
            "as fast as A* with the octile heuristic, which the paper does not have",
        ),
        card(
            format!("{} – {} ×", short(theta.0), short(theta.1)),
            "as fast as Theta* (printed: 2.6 – 22 ×)",
        ),
        card(
            format!("{:.2} – {:.2} %", longer.0, longer.1),
            "longer than the paths of Theta* (printed: 0.34 – 0.56 %)",
        ),
    ];
    page.html(&format!("<div class=\"cards\">{}</div>", cards.concat()));
    for note in &report.notes {
        page.html(&format!("<p class=\"note\">{}</p>", escaped(note)));
    }
}

fn claims(page: &mut Page, report: &Report) {
    page.section("claims", "Claims");
    page.html(&claim::table(&report.claims));
}

fn charts(page: &mut Page, report: &Report) {
    page.section("charts", "Charts: over the density of obstacles");
    let random: Vec<_> = report
        .table_1
        .iter()
        .filter_map(|suite| Some((suite.name.strip_prefix("random-")?.parse::<f64>().ok()?, suite)))
        .collect();
    let series = |label: &str, colour: u8, dashed: bool, of: &dyn Fn(&Suite) -> f64| {
        let points = random.iter().map(|&(percent, suite)| (percent, of(suite))).collect();
        Series { label: label.into(), colour, dashed, points }
    };
    let optimum = |key: &'static str| move |suite: &Suite| suite.excess(key, "anya");
    let expansions = |key: &'static str| {
        move |suite: &Suite| suite.row(key).map_or(f64::NAN, |row| row.mean_expansions)
    };
    let printed = |key: &'static str| {
        move |suite: &Suite| suite.printed(key).map_or(f64::NAN, |row| row.expansions)
    };
    let chart = |title: &str, y: &str, mark: Option<f64>, series: Vec<Series>| {
        let x = "blocked cells, %".into();
        let scale = Scale::Logarithmic;
        Chart { title: title.into(), x, y: y.into(), scale, mark, series }.html()
    };
    let charts = [
        chart(
            "How many times as fast is Block A*?",
            "times as fast",
            Some(1.0),
            vec![
                series("as A*, Euclidean", 1, false, &|s| s.speed("block", "astar-euclid")),
                series("as A*, octile", 4, false, &|s| s.speed("block", "astar")),
                series("as Theta*", 2, false, &|s| s.speed("block", "theta")),
                series("as A*, the paper", 1, true, &|s| s.printed_speed("block", "astar-euclid")),
                series("as Theta*, the paper", 2, true, &|s| s.printed_speed("block", "theta")),
            ],
        ),
        chart(
            "How much longer than the optimum are paths?",
            "longer than the optimum, %",
            None,
            vec![
                series("A*", 1, false, &optimum("astar")),
                series("Theta*", 2, false, &optimum("theta")),
                series("Block A*", 3, false, &optimum("block")),
                series("Block A*, pulled taut", 5, false, &optimum("block-smoothed")),
                series("Block A*, 12 × 12, taut", 6, false, &optimum("block-default")),
            ],
        ),
        chart(
            "Expansions",
            "expansions per problem",
            None,
            vec![
                series("A*, Euclidean", 1, false, &expansions("astar-euclid")),
                series("A*, octile", 4, false, &expansions("astar")),
                series("Theta*", 2, false, &expansions("theta")),
                series("Block A* (blocks)", 3, false, &expansions("block")),
                series("A*, the paper", 1, true, &printed("astar-euclid")),
                series("Theta*, the paper", 2, true, &printed("theta")),
                series("Block A*, the paper", 3, true, &printed("block")),
            ],
        ),
        chart(
            "Time of a query",
            "microseconds",
            None,
            vec![
                series("A*, Euclidean", 1, false, &micros("astar-euclid")),
                series("A*, octile", 4, false, &micros("astar")),
                series("Theta*", 2, false, &micros("theta")),
                series("Block A*", 3, false, &micros("block")),
                series("Block A*, 12 × 12, taut", 5, false, &micros("block-default")),
                series("ANYA", 6, false, &micros("anya")),
            ],
        ),
    ];
    page.html(&format!("<div class=\"charts\">{}</div>", charts.concat()));
}

fn micros(key: &'static str) -> impl Fn(&Suite) -> f64 {
    move |suite| suite.row(key).map_or(f64::NAN, |row| row.mean_us)
}

const HEADINGS: [&str; 11] = [
    "",
    "length",
    "printed",
    "over optimum",
    "expansions",
    "printed",
    "µs",
    "printed ms",
    "× A* Euclid.",
    "× A* octile",
    "× Theta*",
];

/// The rows of a suite with what was printed.
fn comparison(grid: &mut Grid, suite: &Suite) {
    let maps = if suite.maps == 1 { "map" } else { "maps" };
    let note = format!(
        "{} <small>{} {maps}, {} problems</small>",
        escaped(&suite.title),
        suite.maps,
        thousands(suite.problems as f64)
    );
    grid.band(HEADINGS.len(), &note);
    for row in &suite.rows {
        let printed = suite.printed(&row.key);
        let class = if row.key == "block" { "strong" } else { "" };
        let faint =
            |text: Option<String>| text.map_or_else(String::new, |text| format!("<i>{text}</i>"));
        grid.row(
            class,
            &[
                escaped(&row.label),
                format!("{:.2}", row.mean_length),
                faint(printed.map(|row| row.length.to_string())),
                excess(row.length_over_optimum),
                thousands(row.mean_expansions),
                faint(printed.map(|row| thousands(row.expansions))),
                micro(row.mean_us),
                faint(printed.map(|row| row.ms.to_string())),
                times(suite.speed(&row.key, "astar-euclid")),
                times(suite.speed(&row.key, "astar")),
                times(suite.speed(&row.key, "theta")),
            ],
        );
        // Others smooth greedily, too; ours is made of the raw path after the clock has stopped.
        let smoothed = printed.and_then(|row| row.smoothed).zip(row.mean_smoothed_length);
        if let Some((printed, length)) = smoothed {
            let mut cells = vec![
                format!("{}, greedily smoothed", escaped(&row.label)),
                format!("{length:.2}"),
                faint(Some(printed.to_string())),
            ];
            cells.resize(HEADINGS.len(), String::new());
            grid.row("", &cells);
        }
    }
}

fn table_1(page: &mut Page, report: &Report) {
    page.section("table-1", "Table 1");
    page.paragraph(
        "Random grids of 500 × 500 cells with problems between random connected vertices, and game maps. \
         <i>×</i> is how many times as fast a planner is as the one above the column. The A* of the paper has \
         the Euclidean heuristic; printed times are those of a Core 2 at 2.8 GHz.",
    );
    let mut grid = Grid::new(&HEADINGS);
    for suite in &report.table_1 {
        comparison(&mut grid, suite);
    }
    page.html(&grid.finish(""));
    let mut grid = Grid::new(&[
        "",
        "A* octile over Theta*, both greedily smoothed",
        "Block A* over Theta*, both greedily smoothed",
        "Block A*, taut, over optimum",
        "12 × 12, taut, over optimum",
        "blocks expanded again",
        "prepared, ms",
        "tables",
    ]);
    for suite in report.table_1.iter().chain([&report.table_2]).chain(&report.arena2) {
        let Some(block) = suite.row("block") else { continue };
        grid.row(
            "",
            &[
                escaped(&suite.title),
                percent(suite.smoothed_excess("astar", "theta")),
                percent(suite.smoothed_excess("block", "theta")),
                percent(suite.excess("block-smoothed", "anya")),
                percent(suite.excess("block-default", "anya")),
                format!("{:.3}", block.reexpansions_per_node),
                format!("{:.1}", block.mean_prepare_ms),
                bytes(block.table_bytes),
            ],
        );
    }
    page.html(&grid.finish(""));
    page.html(
        "<p class=\"note\">Blocks expanded again: re-expansions per block that was expanded at all. Prepared: \
         processor time per map. Tables: of the map that needs most. Taut: what the planner hands out, \
         smoothed greedily and then pulled like a string, within its time. The last three columns are of \
         blocks of 4 × 4 cells.</p>",
    );
}

fn table_2(page: &mut Page, report: &Report) {
    page.section("table-2", "Table 2");
    page.paragraph(
        "A large empty map without a heuristic: every planner searches all around its start.",
    );
    let mut grid = Grid::new(&HEADINGS);
    comparison(&mut grid, &report.table_2);
    page.html(&grid.finish(""));
}

fn arena2(page: &mut Page, report: &Report) {
    let Some(suite) = &report.arena2 else { return };
    page.section("arena2", "arena2: an independent check");
    page.paragraph(&format!(
        "The map arena2, for which others have published means over all 929 problems of its scenario: \
         <i>{}</i>.",
        escaped(report.second_source)
    ));
    let mut grid = Grid::new(&HEADINGS);
    comparison(&mut grid, suite);
    page.html(&grid.finish(""));
}

fn block_sizes(page: &mut Page, report: &Report) {
    page.section("block-sizes", "Block sizes");
    page.paragraph(
        "The paper has blocks of 5 × 5 vertices, 4 × 4 cells, because its database holds all patterns. Here a \
         table is made for each pattern of the map, so blocks may be larger. Blocks of 2 × 2 vertices, a single \
         cell, do not exist here: there is nothing to look up in them.",
    );
    let chart = |title: &str, y: &str, of: &dyn Fn(&Suite, &Row) -> [f64; 2], names: [&str; 2]| {
        let mut series = Vec::new();
        for (suite, colours) in report.block_sizes.iter().zip([[3, 5], [2, 1]]) {
            for (index, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let point = |side: &u32| {
                    let row = suite.row(&format!("block-{side}"))?;
                    Some((f64::from(*side), of(suite, row)[index]))
                };
                series.push(Series {
                    label: format!("{}, {name}", suite.title),
                    colour: colours[index],
                    dashed: false,
                    points: SIDES.iter().filter_map(point).collect(),
                });
            }
        }
        let scale = Scale::Linear;
        let x = "cells along the side of a block".into();
        Chart { title: title.into(), x, y: y.into(), scale, mark: None, series }.html()
    };
    let longer = |length: f64, suite: &Suite| {
        let best = suite.row("anya").map_or(f64::NAN, |row| row.mean_length);
        (length / best - 1.0) * 100.0
    };
    let charts = [
        chart(
            "Time of a query by block size",
            "microseconds",
            &|_, row| [row.mean_us, f64::NAN],
            ["raw", ""],
        ),
        chart(
            "Length by block size",
            "longer than the optimum, %",
            &|suite, row| {
                let smoothed = row.mean_smoothed_length.unwrap_or(f64::NAN);
                [longer(row.mean_length, suite), longer(smoothed, suite)]
            },
            ["raw", "greedily smoothed"],
        ),
    ];
    page.html(&format!("<div class=\"charts\">{}</div>", charts.concat()));
    let mut grid = Grid::new(&[
        "",
        "over optimum",
        "greedily smoothed",
        "expansions",
        "expanded again",
        "µs",
        "× A* Euclid.",
        "× A* octile",
        "× Theta*",
        "prepared, ms",
        "tables",
    ]);
    for suite in &report.block_sizes {
        grid.band(
            11,
            &format!("{} <small>{} problems</small>", escaped(&suite.title), suite.problems),
        );
        for row in &suite.rows {
            let block = row.key.starts_with("block");
            let only = |text: String| if block { text } else { String::new() };
            let smoothed =
                row.mean_smoothed_length.map_or(f64::NAN, |length| longer(length, suite));
            grid.row(
                if row.key == "block-4" { "strong" } else { "" },
                &[
                    escaped(&row.label),
                    excess(row.length_over_optimum),
                    percent(smoothed),
                    thousands(row.mean_expansions),
                    only(format!("{:.3}", row.reexpansions_per_node)),
                    micro(row.mean_us),
                    times(suite.speed(&row.key, "astar-euclid")),
                    times(suite.speed(&row.key, "astar")),
                    times(suite.speed(&row.key, "theta")),
                    only(format!("{:.1}", row.mean_prepare_ms)),
                    only(bytes(row.table_bytes)),
                ],
            );
        }
    }
    page.html(&grid.finish(""));
}

fn cell_rules(page: &mut Page, report: &Report) {
    page.section("cell-rules", "Tile, octile: Block A* from cell to cell");
    page.paragraph(
        "Block A* with tables of four-way and eight-way distances. The paper reports 2 to 3 times the speed of \
         A* on game maps, without a table. Every path costs what that of A* costs.",
    );
    let mut grid = Grid::new(&[
        "",
        "length",
        "expansions",
        "expanded again",
        "µs",
        "× A* Euclid.",
        "× A* best",
    ]);
    for suite in &report.cell_rules {
        grid.band(
            7,
            &format!("{} <small>{} problems</small>", escaped(&suite.title), suite.problems),
        );
        for row in &suite.rows {
            let block = row.key.starts_with("block");
            grid.row(
                if row.key == "block-4" { "strong" } else { "" },
                &[
                    escaped(&row.label),
                    format!("{:.2}", row.mean_length),
                    thousands(row.mean_expansions),
                    if block { format!("{:.3}", row.reexpansions_per_node) } else { String::new() },
                    micro(row.mean_us),
                    times(suite.speed(&row.key, "astar-euclid")),
                    times(suite.speed(&row.key, "astar")),
                ],
            );
        }
    }
    page.html(&grid.finish(""));
}

fn database(page: &mut Page, report: &Report) {
    page.section("database", "Database: all patterns, and edits");
    let (database, edits) = (&report.database, &report.edits);
    let tables = |of: &Tables| format!("{:.2} s, {} as a file", of.seconds, bytes(of.bytes));
    let mut grid = Grid::new(&["", "", "the paper"]);
    let rows = [
        ("All 65,536 patterns of 4 × 4 cells, any angle", tables(&database.any_angle), "1.2 s"),
        ("The same for four moves", tables(&database.tile), "under 3 MB"),
        (
            "Repair after one edited cell, 500 × 500",
            format!("{:.1} µs", edits.update_us),
            "none needed",
        ),
        ("Prepare the same map from scratch", format!("{:.1} ms", edits.prepare_ms), "none needed"),
        (
            "Answers of the repaired planner against a new one",
            format!("{} compared, all equal", edits.compared),
            "",
        ),
    ];
    for (name, ours, paper) in rows {
        grid.row("", &[name.into(), ours, format!("<i>{paper}</i>")]);
    }
    page.html(&grid.finish(""));
}

fn figures(page: &mut Page, report: &Report) {
    let html = &report.figures.html;
    let parts = [
        (
            "figure-1",
            "Figure 1: expanding a block",
            "Four moves of cost 1, blocks of 5 × 5 cells. The costs are those of our search.",
        ),
        (
            "figure-2",
            "Figure 2: a search, block by block",
            "From the trace of our search. Yellow is the block being expanded, green are those before it; the \
             queue is recomputed from the costs as in Algorithm 1 and agrees with the keys of the search.",
        ),
        (
            "figure-3",
            "Figure 3: any-angle paths on vertices",
            "From B1 to E6 around the obstacle between C4 and D5.",
        ),
        (
            "figure-4",
            "Figure 4: where the work is",
            "13 × 13 vertices, nothing blocked, zero heuristic; the stronger the colour, the more computations at a vertex \
             (one logarithmic scale for all three). For Theta* the steps of a line of sight that is walked from vertex to \
             vertex are counted, as in the paper; ours takes many at a time.",
        ),
    ];
    for ((id, title, text), html) in parts.into_iter().zip(html) {
        page.section(id, title);
        page.paragraph(text);
        page.html(&format!("<div class=\"boards\">{html}</div>"));
    }
}

fn method(page: &mut Page, report: &Report) {
    page.section("method", "Method: how it was measured");
    page.paragraph(&format!(
        "One thread. Each problem goes to every planner before the next one, each time in another order, \
         after an untimed query that grows the memory. The time of a query is that on the clock or the \
         processor time of the thread, whichever is less. Rule: <code>any-angle-squeeze</code>, under which \
         paths may pass between two walls that touch, as in the paper. Theta* never expands a vertex twice \
         (<code>theta-star:reopen=off</code>); A* steps between vertices in eight directions and prefers the \
         larger g of equal entries; ANYA gives the optimum. StarCraft problems are random, as in the paper; \
         those of the other games are spread evenly over the scenario files found. To repeat: \
         <code>blockstar reproduce block-astar --scale {} --seed {}</code>; lengths and expansions will be the \
         same, times will not.",
        report.scale, report.seed
    ));
}

fn excess(ratio: Option<f64>) -> String {
    ratio.map_or_else(String::new, |ratio| percent((ratio - 1.0) * 100.0))
}

fn percent(value: f64) -> String {
    match value {
        v if !v.is_finite() => String::new(),
        v if v.abs() < 0.000_5 => "0.000 %".into(),
        v => format!("{v:.3} %"),
    }
}

fn times(value: f64) -> String {
    if value.is_finite() { short(value) } else { String::new() }
}

/// Two or three digits.
fn short(value: f64) -> String {
    match value {
        v if v >= 99.5 => format!("{v:.0}"),
        v if v >= 9.95 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

fn micro(value: f64) -> String {
    if value >= 100.0 { thousands(value) } else { format!("{value:.1}") }
}
