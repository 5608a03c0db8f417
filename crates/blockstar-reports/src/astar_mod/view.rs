//! The page of the report.

use super::measure::Row;
use super::{Report, Trial};
use crate::chart::{Chart, Scale, Series};
use crate::claim::{self, Verdict};
use crate::page::{Grid, Page};
use blockstar_draw::tidy;
use blockstar_draw::{escaped, thousands};

/// The whole page.
pub fn page(report: &Report) -> String {
    let lead = format!(
        "{}, run again by blockstar {}: ten test cases rebuilt from their descriptions, the mean of {} \
         searches each.",
        escaped(report.source),
        report.version,
        thousands(report.runs.into())
    );
    let mut page = Page::new("A*MOD, reproduced", &lead);
    summary(&mut page, report);
    claims(&mut page, report);
    charts(&mut page, report);
    pictures(&mut page, report);
    tables(&mut page, report);
    tile(&mut page, report);
    method(&mut page, report);
    page.finish()
}

fn summary(page: &mut Page, report: &Report) {
    let holds = report.claims.iter().filter(|claim| claim.verdict == Verdict::Holds).count();
    let of = |key: &str, number: &dyn Fn(&Row) -> f64| -> f64 {
        report.cases.iter().filter_map(|case| case.row(key)).map(number).sum()
    };
    let turns = |row: &Row| row.heading_changes as f64;
    let looked = |row: &Row| row.expanded as f64;
    let cards = [
        (format!("{holds} of {}", report.claims.len()), "claims hold".to_string()),
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
    ];
    let cards: String = cards
        .iter()
        .map(|(value, text)| format!("<div class=\"card\"><b>{value}</b><span>{text}</span></div>"))
        .collect();
    page.html(&format!("<div class=\"cards\">{cards}</div>"));
}

fn claims(page: &mut Page, report: &Report) {
    page.section("claims", "Claims");
    page.html(&claim::table(&report.claims));
}

fn charts(page: &mut Page, report: &Report) {
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
        Chart { title: title.into(), x: "test case".into(), y: y.into(), scale, mark: None, series }
            .bars()
    };
    let figures = [
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
    ];
    page.html(&format!("<div class=\"charts\">{}</div>", figures.concat()));
    page.html(
        "<p class=\"note\">In Figure 12 all paths are post-processed alike, so that it shows what their \
         shape allows. In Figure 14 all times include the post-processing but that of the paper's A*, which \
         has none.</p>",
    );
}

fn pictures(page: &mut Page, report: &Report) {
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

fn tables(page: &mut Page, report: &Report) {
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
    let headings = [
        "",
        "vertices",
        "left",
        "left within 1",
        "turns",
        "turning",
        "cost",
        "eq. 3 printed",
        "eq. 3 absolute",
        "up",
        "down",
        "3-D length",
        "looked at",
        "µs",
    ];
    let mut grid = Grid::new(&headings);
    for case in &report.cases {
        let title = format!(
            "{} {} <small>{} x {}</small>",
            case.number,
            escaped(&case.name),
            case.width,
            case.height
        );
        grid.band(headings.len(), &title);
        for row in &case.rows {
            let number = |value: f64| tidy(value, 1);
            grid.row(
                if row.key == "astar-mod" { "strong" } else { "" },
                &[
                    escaped(row.label),
                    row.vertices.to_string(),
                    row.vertices_left.to_string(),
                    row.vertices_left_within.to_string(),
                    row.heading_changes.to_string(),
                    format!("{:.0}°", row.turning),
                    number(row.cost),
                    number(row.printed_cost),
                    number(row.absolute_cost),
                    number(row.gained),
                    number(row.lost),
                    number(row.spatial_length),
                    thousands(row.expanded as f64),
                    number(row.mean_us),
                ],
            );
        }
    }
    page.html(&grid.finish("wide"));
    page.html("<h3>What the order of equal entries does</h3>");
    page.paragraph(
        "Turns of the paths before post-processing, if the queue gives out the last of equal entries first, as \
         everywhere else on this page, and if it gives out the first. The paper does not say which.",
    );
    let mut grid = Grid::new(&[
        "",
        "A*, last first",
        "A*MOD, last first",
        "A*, first first",
        "A*MOD, first first",
    ]);
    for case in &report.cases {
        let turns = |key: &str| {
            case.row(key).map_or_else(String::new, |row| row.heading_changes.to_string())
        };
        grid.row(
            "",
            &[
                format!("{} {}", case.number, escaped(&case.name)),
                turns("astar-manhattan"),
                turns("astar-mod"),
                case.turns_first_in[0].to_string(),
                case.turns_first_in[1].to_string(),
            ],
        );
    }
    page.html(&grid.finish(""));
    page.html("<h3>What Wmax does</h3>");
    page.paragraph(
        "The paper does not state its highest height. On low hills A* with the Manhattan distance runs straight \
         for the goal while A*MOD looks around, as in test 1; on high ones both have to look at almost \
         everything. Vertices looked at by A*MOD over those of the paper's A*, mean of the five cases with \
         heights:",
    );
    let mut grid = Grid::new(&["Wmax", "A*MOD over A*"]);
    for (highest, ratio) in &report.overheads {
        grid.row("", &[format!("{highest}"), format!("{ratio:.2}")]);
    }
    page.html(&grid.finish(""));
}

fn tile(page: &mut Page, report: &Report) {
    let Some(tile) = &report.tile else { return };
    page.section("tile", "A real tile: across 1201 x 1201 heights with limits of slope");
    page.paragraph(&format!(
        "From the upper left to the lower right of an SRTM tile, under the rule {}. Times are \
         processor time, the least of {}, in one run, and over that of A*.",
        escaped(&tile.rule),
        tile.rounds
    ));
    let mut grid = Grid::new(&[
        "",
        "cost",
        "km",
        "m up",
        "m down",
        "turns",
        "expanded",
        "ms",
        "over A*",
        "prepared in ms",
        "tables MB",
    ]);
    for row in &tile.rows {
        grid.row(
            "",
            &[
                row.planner.into(),
                format!("{:.2}", row.cost),
                format!("{:.1}", row.kilometres),
                format!("{:.0}", row.gained),
                format!("{:.0}", row.lost),
                row.turns.to_string(),
                thousands(row.expanded as f64),
                format!("{:.1}", row.milliseconds),
                format!("{:.3}", row.over_astar),
                format!("{:.0}", row.prepare_milliseconds),
                format!("{:.0}", row.table_megabytes),
            ],
        );
    }
    page.html(&grid.finish(""));
    page.html(
        "<p><img src=\"tile.png\" alt=\"The tile with the paths\" style=\"max-width:100%\"></p>",
    );
}

fn method(page: &mut Page, report: &Report) {
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
    for note in &report.notes {
        page.html(&format!("<p class=\"note\">{}</p>", escaped(note)));
    }
}
