//! The page of the report.

use super::measure::Row;
use super::tile::Tile;
use super::{Report, Trial};
use crate::chart::{Chart, Scale, Series};
use crate::frame::Labels;
use crate::page::{Grid, Page};
use crate::table::Cells;
use blockstar_draw::tidy;
use blockstar_draw::{escaped, thousands};

/// The numbers that sum up the page.
pub fn cards(report: &Report) -> Vec<(String, String)> {
    let of = |key: &str, number: &dyn Fn(&Row) -> f64| -> f64 {
        report.cases.iter().filter_map(|case| case.row(key)).map(number).sum()
    };
    let turns = |row: &Row| row.heading_changes as f64;
    let looked = |row: &Row| row.expanded as f64;
    vec![
        (
            format!("{:.0} : {:.0}", of("astar-mod", &turns), of("astar-manhattan", &turns)),
            "turns of A*MOD and of the paper's A* in all ten cases".into(),
        ),
        (
            format!("{:.2} x", of("astar-mod", &looked) / of("astar-manhattan", &looked)),
            "the vertices that A*MOD looks at, over those of A*".into(),
        ),
        (
            format!("{:.0} : {:.0}", of("astar-mod-fixed", &turns), of("astar", &turns)),
            "turns of the corrected A*MOD and of our A*: both find cheapest paths".into(),
        ),
    ]
}

pub fn charts(page: &mut Page, report: &Report) {
    page.section("charts", "Figures 10 to 14");
    let series = |key: &str, colour: u8, number: &dyn Fn(&Row) -> f64| {
        let row = |case: &Trial| case.row(key).map_or(f64::NAN, number);
        let label = report.cases[0].row(key).map_or("", |row| row.label).into();
        let points = report.cases.iter().map(|case| (f64::from(case.number), row(case))).collect();
        Series { label, colour, dashed: false, points }
    };
    let chart = |title: &str, y: &str, scale: Scale, number: &dyn Fn(&Row) -> f64| {
        let keys = [("astar-manhattan", 4), ("astar-mod", 2), ("astar", 3), ("astar-mod-fixed", 5)];
        let series = keys.iter().map(|(key, colour)| series(key, *colour, number)).collect();
        Chart { labels: Labels::new(title, "test case", y), scale, mark: None, series }.bars()
    };
    page.charts(&[
        chart("Figure 10: lengths of paths", "vertices", Scale::Linear, &|row| row.vertices as f64),
        chart(
            "Figure 11: path costs (absolute differences)",
            "equation 3",
            Scale::Linear,
            &|row| row.absolute_cost,
        ),
        chart("Figure 12: vertices after post-processing", "vertices", Scale::Linear, &|row| {
            row.vertices_left as f64
        }),
        chart("Figure 13: vertices looked at", "expansions", Scale::Logarithmic, &|row| {
            row.expanded as f64
        }),
        chart("Figure 14: mean time of a search", "µs", Scale::Logarithmic, &|row| row.mean_us),
        chart("Beyond the paper: turns", "heading changes", Scale::Linear, &|row| {
            row.heading_changes as f64
        }),
    ]);
    page.html(
        "<p class=\"note\">In Figure 12 all paths are post-processed alike, so that it shows what their \
         shape allows. In Figure 14 all times include the post-processing but that of the paper's A*, which \
         has none.</p>",
    );
}

pub fn pictures(page: &mut Page, report: &Report) {
    page.section("cases", "The ten cases");
    page.paragraph(
        "As in the paper's Figure 2: the grid in green, blocked vertices as white dots. Red is the path of \
         A*MOD with the vertices that its post-processing leaves, blue that of the paper's A*.",
    );
    let figures: String = report
        .cases
        .iter()
        .map(|case| {
            let picture = case.picture.replacen(
                "<svg ",
                "<svg class=\"board\" style=\"width:340px;height:auto\" ",
                1,
            );
            format!(
                "<figure>{picture}<figcaption><b>{} {}</b>, {} x {}</figcaption></figure>",
                case.number,
                escaped(&case.name),
                case.width,
                case.height
            )
        })
        .collect();
    page.html(&format!("<div class=\"boards\">{figures}</div>"));
    let commands: String =
        report.cases.iter().map(|case| escaped(&case.command) + "<br>").collect();
    page.html(&format!(
        "<details><summary>Routes for the files of this folder</summary><p style=\"max-width:none\">\
         <code>{commands}</code></p></details>"
    ));
}

pub fn tables(page: &mut Page, report: &Report) {
    page.section("numbers", "All numbers");
    page.paragraph(
        "Cost is what the searches minimise, K (1 + |difference of heights|); the two columns of equation \
         3 are the sum as printed and with absolute differences. JPS and REA* see walls only: the paper names \
         them as searches that its post-processing can be joined with. Their paths are post-processed and priced \
         like all others; with heights neither is exact. JPS has the rule of all others \
         (<code>eight-cut-any</code>); REA* knows <code>eight</code> alone, which cuts no corners, and is to be \
         compared with the A* below it under the same rule. Times include the post-processing, except for the \
         paper's A*, which has none.",
    );
    let mut grid = Grid::new(
        " | vertices | left | left within 1 | turns | turning | cost | eq. 3 printed | eq. 3 absolute | \
         up | down | 3-D length | looked at | µs",
    );
    for case in &report.cases {
        let Trial { number, name, width, height, .. } = case;
        grid.band(&format!("{number} {} <small>{width} x {height}</small>", escaped(name)));
        for row in &case.rows {
            let costs = [row.cost, row.printed_cost, row.absolute_cost];
            let cells = Cells::of(escaped(row.label))
                .texts([row.vertices, row.vertices_left, row.vertices_left_within])
                .text(row.heading_changes)
                .text(format!("{:.0}°", row.turning))
                .texts(costs.map(|value| tidy(value, 1)))
                .texts([row.gained, row.lost, row.spatial_length].map(|value| tidy(value, 1)))
                .text(thousands(row.expanded as f64))
                .text(tidy(row.mean_us, 1));
            grid.row(if row.key == "astar-mod" { "strong" } else { "" }, cells);
        }
    }
    page.html(&grid.finish("wide"));
    page.html("<h3>The effect of the order of equal entries</h3>");
    page.paragraph(
        "Turns of the paths before post-processing, if the queue gives out the last of equal entries first, as \
         everywhere else on this page, and if it gives out the first. The paper does not say which.",
    );
    let mut grid =
        Grid::new(" | A*, last first | A*MOD, last first | A*, first first | A*MOD, first first");
    for case in &report.cases {
        let turns = |key: &str| {
            case.row(key).map_or_else(String::new, |row| row.heading_changes.to_string())
        };
        let cells = Cells::of(format!("{} {}", case.number, escaped(&case.name)))
            .texts(["astar-manhattan", "astar-mod"].map(turns));
        grid.row("", cells.texts(case.turns_first_in));
    }
    page.html(&grid.finish(""));
    page.html("<h3>What Wmax does</h3>");
    page.paragraph(
        "The paper does not state its highest height. On low hills A* with the Manhattan distance runs straight \
         for the goal while A*MOD looks around, as in test 1; on high ones both have to look at almost \
         everything. Vertices looked at by A*MOD over those of the paper's A*, mean of the five cases with \
         heights:",
    );
    let mut grid = Grid::new("Wmax | A*MOD over A*");
    for (highest, ratio) in &report.overheads {
        grid.row("", Cells::of(highest.to_string()).fixed(2, [*ratio]));
    }
    page.html(&grid.finish(""));
}

pub fn tile(page: &mut Page, report: &Report) {
    let Some(tile) = &report.tile else { return };
    page.section("tile", "A real tile: across 1201 x 1201 heights with slope limits");
    page.paragraph(&format!(
        "From the upper left to the lower right of an SRTM tile, under the rule {}. Times are \
         processor time, the least of {}, in one run, and over that of A*.",
        escaped(&tile.rule),
        tile.rounds
    ));
    let mut grid = Grid::new(Tile::HEADINGS);
    tile.rows.iter().for_each(|row| grid.row("", row.cells()));
    page.html(&grid.finish(""));
    page.html(
        "<p><img src=\"tile.png\" alt=\"The tile with the paths\" style=\"max-width:100%\"></p>",
    );
}

pub fn method(page: &mut Page, report: &Report) {
    page.section("method", "Method");
    page.paragraph(
        "The pictures of the paper are not in its text, so the maps are others of the same description and \
         size. Blocked vertices are walls; a diagonal step needs nothing but its target. A step costs K (1 + \
         |difference of heights|) for all planners, because the paper defines no cost for the search and \
         equation 3 as printed is not a cost that a search could minimise. The paper's A* has the Manhattan \
         distance, which overestimates diagonal steps; it is the same listing without the changes. Grey values are \
         scaled to heights from 0 to Wmax, which the paper does not state.",
    );
    page.html(&format!("<p class=\"note\">Wmax here is {}.</p>", report.highest));
}
