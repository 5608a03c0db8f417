//! The report as a page.

use super::Report;
use super::experiments::{SIDES, TEXTBOOK, Tables};
use super::suite::Suite;
use crate::chart::{Chart, Scale, Series};
use crate::frame::Labels;
use crate::noise::Repeats;
use crate::page::{Grid, Page};
use crate::race::{Distance, Row};
use crate::table::{Cells, bytes};
use blockstar_draw::{escaped, thousands};

/// The numbers that sum up the page.
pub fn cards(report: &Report) -> Vec<(String, String)> {
    let range = |of: &dyn Fn(&Suite) -> f64| {
        let values = || report.table_1.iter().map(of).filter(|value| value.is_finite());
        let low = values().fold(f64::INFINITY, f64::min);
        (low, values().fold(f64::NEG_INFINITY, f64::max))
    };
    let times = |rival: &str| {
        let (low, high) = range(&|suite| suite.speed("block", rival));
        if low <= high { format!("{} – {} ×", short(low), short(high)) } else { "–".into() }
    };
    let longer = range(&|suite| suite.excess("block", "theta"));
    let rivals = [
        ("astar-euclid", "as the paper's A*, with the Euclidean heuristic (printed: 1.8 – 4.7 ×)"),
        ("astar", "as A* with the octile heuristic, which the paper does not have"),
        (TEXTBOOK, "as Theta* as in the textbooks (printed: 2.6 – 22 ×)"),
        ("theta", "as our Theta*, which looks less often"),
    ];
    let fast = rivals.map(|(rival, text)| (times(rival), format!("as fast {text}")));
    let longer = (
        format!("{:.2} – {:.2} %", longer.0, longer.1),
        "longer than the paths of Theta* (printed: 0.34 – 0.56 %)".into(),
    );
    fast.into_iter().chain([longer]).collect()
}

/// The names of planners on charts, and the numbers of their colours.
const LINES: [(&str, &str, u8); 8] = [
    ("astar-euclid", "A*, Euclidean", 1),
    ("astar", "A*, octile", 4),
    ("theta", "Theta*", 2),
    (TEXTBOOK, "Theta*, always looking", 5),
    ("block", "Block A*", 3),
    ("block-smoothed", "Block A*, pulled taut", 5),
    ("block-default", "Block A*, 12 × 12, taut", 6),
    ("anya", "ANYA", 5),
];

pub fn charts(page: &mut Page, report: &Report) {
    page.section("charts", "Charts: over the density of obstacles");
    let random: Vec<_> = report
        .table_1
        .iter()
        .filter_map(|suite| Some((suite.name.strip_prefix("random-")?.parse::<f64>().ok()?, suite)))
        .collect();
    // One series for each of these planners that took part; what was printed is dashed.
    let series = |keys: &[&str], dashed: bool, of: &dyn Fn(&Suite, &str) -> f64| -> Vec<Series> {
        let chosen = LINES.iter().filter(|line| keys.contains(&line.0));
        let all = chosen.map(|&(key, name, colour)| {
            let label = format!("{name}{}", if dashed { ", the paper" } else { "" });
            let points = random.iter().map(|&(percent, suite)| (percent, of(suite, key))).collect();
            Series { label, colour, dashed, points }
        });
        all.filter(|series| series.points.iter().any(|point| point.1.is_finite())).collect()
    };
    let chart = |title: &str, y: &str, mark: Option<f64>, series: [Vec<Series>; 2]| {
        let labels = Labels::new(title, "blocked cells, %", y);
        let series = series.into_iter().flatten().collect();
        Chart { labels, scale: Scale::Logarithmic, mark, series }.html()
    };
    let of_row =
        |suite: &Suite, key: &str, of: &dyn Fn(&Row) -> f64| suite.row(key).map_or(f64::NAN, of);
    let printed =
        |suite: &Suite, key: &str| suite.printed(key).map_or(f64::NAN, |row| row.expansions);
    let in_table = ["astar-euclid", "theta", "block"];
    page.charts(&[
        chart(
            "How many times as fast is Block A* as …?",
            "times as fast",
            Some(1.0),
            [
                series(&["astar-euclid", "astar", "theta", TEXTBOOK], false, &|suite, key| {
                    suite.speed("block", key)
                }),
                series(&in_table[..2], true, &|suite, key| suite.printed_speed("block", key)),
            ],
        ),
        chart(
            "How much longer than the optimum are paths?",
            "longer than the optimum, %",
            None,
            [
                series(
                    &["astar", "theta", "block", "block-smoothed", "block-default"],
                    false,
                    &|suite, key| suite.excess(key, "anya"),
                ),
                Vec::new(),
            ],
        ),
        chart(
            "Expansions (of Block A*: blocks)",
            "expansions per problem",
            None,
            [
                series(&["astar-euclid", "astar", "theta", "block"], false, &|suite, key| {
                    of_row(suite, key, &|row| row.work.mean_expansions)
                }),
                series(&in_table, true, &printed),
            ],
        ),
        chart(
            "Time of a query",
            "microseconds",
            None,
            [
                series(
                    &["astar-euclid", "astar", "theta", "block", "block-default", "anya"],
                    false,
                    &|suite, key| of_row(suite, key, &|row| row.mean_us),
                ),
                Vec::new(),
            ],
        ),
    ]);
}

const HEADINGS: &str = " | length | printed | over optimum | expansions | printed | µs | printed ms | \
                        × A* Euclid. | × A* octile | × Theta* | × Theta*, always looking";

/// The rows of a suite with what was printed.
fn comparison(grid: &mut Grid, suite: &Suite) {
    let Distance { maps, problems } = suite.distance;
    let word = if maps == 1 { "map" } else { "maps" };
    let problems = thousands(problems as f64);
    let title = escaped(&suite.title);
    grid.band(&format!("{title} <small>{maps} {word}, {problems} problems</small>"));
    for row in &suite.rows {
        let printed = suite.printed(&row.key);
        let class = if row.key == "block" { "strong" } else { "" };
        let faint =
            |text: Option<String>| text.map_or_else(String::new, |text| format!("<i>{text}</i>"));
        let speeds = ["astar-euclid", "astar", "theta", TEXTBOOK];
        let cells = Cells::of(escaped(&row.label))
            .fixed(2, [row.path.mean_length])
            .text(faint(printed.map(|row| row.length.to_string())))
            .text(excess(row.path.length_over_optimum))
            .text(thousands(row.work.mean_expansions))
            .text(faint(printed.map(|row| thousands(row.expansions))))
            .text(micro(row.mean_us))
            .text(faint(printed.map(|row| row.ms.to_string())))
            .texts(speeds.map(|rival| times(suite.speed(&row.key, rival))));
        grid.row(class, cells);
        // Others smooth greedily too; ours is computed from the raw path after the clock has
        // stopped.
        let smoothed = printed.and_then(|row| row.smoothed).zip(row.path.mean_smoothed_length);
        if let Some((printed, length)) = smoothed {
            let label = format!("{}, greedily smoothed", escaped(&row.label));
            let cells = Cells::of(label).fixed(2, [length]);
            grid.row("", cells.text(faint(Some(printed.to_string()))));
        }
    }
}

pub fn table_1(page: &mut Page, report: &Report) {
    page.section("table-1", "Table 1");
    page.paragraph(
        "Random grids of 500 × 500 cells with problems between random connected vertices, and game maps. \
         <i>×</i> is how many times as fast a planner is as the one above the column. The A* of the paper has \
         the Euclidean heuristic; printed times are those of a Core 2 at 2.8 GHz.",
    );
    let mut grid = Grid::new(HEADINGS);
    for suite in &report.table_1 {
        comparison(&mut grid, suite);
    }
    page.html(&grid.finish(""));
    let mut grid = Grid::new(
        " | A* octile over Theta*, both greedily smoothed | Block A* over Theta*, both greedily smoothed | \
         Block A*, taut, over optimum | 12 × 12, taut, over optimum | blocks expanded again | \
         prepared, ms | tables",
    );
    for suite in report.table_1.iter().chain([&report.table_2]).chain(&report.arena2) {
        let Some(block) = suite.row("block") else { continue };
        let cells = Cells::of(escaped(&suite.title))
            .texts(["astar", "block"].map(|key| percent(suite.smoothed_excess(key, "theta"))))
            .texts(
                ["block-smoothed", "block-default"].map(|key| percent(suite.excess(key, "anya"))),
            )
            .fixed(3, [block.work.reexpansions_per_node])
            .fixed(1, [block.mean_prepare_ms])
            .bytes(block.table_bytes as f64);
        grid.row("", cells);
    }
    page.html(&grid.finish(""));
    page.html(
        "<p class=\"note\">Blocks expanded again: re-expansions per block that was expanded at all. Prepared: \
         processor time per map. Tables: of the map that needs most. Taut: what the planner hands out, \
         smoothed greedily and then pulled like a string, within its time. The last three columns are of \
         blocks of 4 × 4 cells.</p>",
    );
}

pub fn table_2(page: &mut Page, report: &Report) {
    page.section("table-2", "Table 2");
    page.paragraph(
        "A large empty map without a heuristic: every planner searches all around its start.",
    );
    let mut grid = Grid::new(HEADINGS);
    comparison(&mut grid, &report.table_2);
    page.html(&grid.finish(""));
}

pub fn arena2(page: &mut Page, report: &Report) {
    let Some(suite) = &report.arena2 else { return };
    page.section("arena2", "arena2: an independent check");
    page.paragraph(&format!(
        "The map arena2, for which others have published means over all 929 problems of its scenario: \
         <i>{}</i>.",
        escaped(report.second_source)
    ));
    let mut grid = Grid::new(HEADINGS);
    comparison(&mut grid, suite);
    page.html(&grid.finish(""));
}

pub fn block_sizes(page: &mut Page, report: &Report) {
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
        let labels = Labels::new(title, "cells along the side of a block", y);
        Chart { labels, scale: Scale::Linear, mark: None, series }.html()
    };
    let longer = |length: f64, suite: &Suite| {
        let best = suite.row("anya").map_or(f64::NAN, |row| row.path.mean_length);
        (length / best - 1.0) * 100.0
    };
    page.charts(&[
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
                let smoothed = row.path.mean_smoothed_length.unwrap_or(f64::NAN);
                [longer(row.path.mean_length, suite), longer(smoothed, suite)]
            },
            ["raw", "greedily smoothed"],
        ),
    ]);
    let mut grid = Grid::new(
        " | over optimum | greedily smoothed | expansions | expanded again | µs | × A* Euclid. | \
         × A* octile | × Theta* | prepared, ms | tables",
    );
    for suite in &report.block_sizes {
        grid.band(&problems(suite));
        for row in &suite.rows {
            let only = |text: String| if is_block(row) { text } else { String::new() };
            let smoothed = row.path.mean_smoothed_length;
            let cells = Cells::of(escaped(&row.label))
                .text(excess(row.path.length_over_optimum))
                .text(smoothed.map_or_else(String::new, |length| percent(longer(length, suite))))
                .text(thousands(row.work.mean_expansions))
                .text(expanded_again(row))
                .text(micro(row.mean_us))
                .texts(
                    ["astar-euclid", "astar", "theta"].map(|key| times(suite.speed(&row.key, key))),
                )
                .text(only(format!("{:.1}", row.mean_prepare_ms)))
                .text(only(bytes(row.table_bytes)));
            grid.row(emphasis(row), cells);
        }
    }
    page.html(&grid.finish(""));
}

/// What a part of a table is about.
fn problems(suite: &Suite) -> String {
    format!("{} <small>{} problems</small>", escaped(&suite.title), suite.distance.problems)
}

fn is_block(row: &Row) -> bool {
    row.key.starts_with("block")
}

/// The blocks of the paper's size stand out.
fn emphasis(row: &Row) -> &'static str {
    if row.key == "block-4" { "strong" } else { "" }
}

fn expanded_again(row: &Row) -> String {
    if is_block(row) { format!("{:.3}", row.work.reexpansions_per_node) } else { String::new() }
}

pub fn cell_rules(page: &mut Page, report: &Report) {
    page.section("cell-rules", "Tile, octile: Block A* from cell to cell");
    page.paragraph(
        "Block A* with tables of four-way and eight-way distances. The paper reports 2 to 3 times the speed of \
         A* on game maps, without a table. Every path costs what that of A* costs.",
    );
    let mut grid =
        Grid::new(" | length | expansions | expanded again | µs | × A* Euclid. | × A* best");
    for suite in &report.cell_rules {
        grid.band(&problems(suite));
        for row in &suite.rows {
            let cells = Cells::of(escaped(&row.label))
                .fixed(2, [row.path.mean_length])
                .text(thousands(row.work.mean_expansions))
                .text(expanded_again(row))
                .text(micro(row.mean_us))
                .texts(["astar-euclid", "astar"].map(|key| times(suite.speed(&row.key, key))));
            grid.row(emphasis(row), cells);
        }
    }
    page.html(&grid.finish(""));
}

pub fn database(page: &mut Page, report: &Report) {
    page.section("database", "Database: all patterns, and edits");
    let (database, edits) = (&report.database, &report.edits);
    let tables = |of: &Tables| format!("{:.2} s, {} as a file", of.seconds, bytes(of.bytes));
    let mut grid = Grid::new(" | | the paper");
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
        grid.row("", Cells::of(name).text(ours).text(format!("<i>{paper}</i>")));
    }
    page.html(&grid.finish(""));
}

pub fn figures(page: &mut Page, report: &Report) {
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

pub fn method(page: &mut Page, report: &Report) {
    page.section("method", "Method: how it was measured");
    page.paragraph(&format!(
        "One thread. Each problem goes to every planner before the next one, each time in another order, \
         after an untimed query that grows the memory. The time of a query is that on the clock or the \
         processor time of the thread, whichever is less. All problems of a map are run {} times; beside a \
         mean ratio stand the least and the largest of these repeats, and a claim that lies between them is \
         called within noise. Rule: <code>any-angle-squeeze</code>, under which \
         paths may pass between two walls that touch, as in the paper. Theta* never expands a vertex twice \
         (<code>theta-star:reopen=off</code>); A* steps between vertices in eight directions and prefers the \
         larger g of equal entries; ANYA gives the optimum. StarCraft problems are random, as in the paper; \
         those of the other games are spread evenly over the scenario files found. To repeat: \
         <code>blockstar reproduce block-astar --scale {} --seed {}</code>; lengths and expansions will be the \
         same, times will not.",
        Repeats::COUNT, report.scale, report.seed
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
