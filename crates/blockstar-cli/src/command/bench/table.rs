//! The results as tables for people.

use super::tally::Row;
use super::{Report, pace};
use crate::output::Screen;
use blockstar::Moves;
use blockstar_reports::table::{Table, bytes, decimals, ratio};

/// Which columns there are.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// The movement rule.
    pub moves: Moves,
    /// Whether the map was edited.
    pub edited: bool,
    /// Whether there was a limit of expansions.
    pub limited: bool,
    /// Whether searches may have been used again.
    pub reuse: bool,
}

impl Columns {
    /// The table of all maps, with `by_map` after one for each.
    pub fn tables(self, report: &Report, by_map: bool, screen: Screen) -> String {
        let mut text = String::new();
        let mut add = |heading: &str, rows: &[Row], gap: &str| {
            text += &format!("{heading}\n{}", screen.fold(&self.table(rows)));
            if let Some(table) = pace::table(rows) {
                text += &format!("\n{}", screen.fold(&table));
            }
            text += gap;
        };
        if by_map {
            for map in &report.maps {
                add(&map.map, &map.results, "\n");
            }
        }
        let maps = report.maps.len();
        let maps = if maps == 1 { "1 map".into() } else { format!("{maps} maps") };
        add(&format!("{maps}, moves {}", self.moves), &report.results, "");
        text
    }

    fn table(self, rows: &[Row]) -> Table {
        let any_angle = self.moves.rule().is_any_angle();
        let mut headings = vec!["planner", "queries", "solved", "wrong"];
        headings.extend(self.limited.then_some("at limit"));
        headings.extend(["mean µs", "median µs", "p99 µs", "max µs", "expansions", "cost"]);
        headings.push("cost/ref");
        if any_angle {
            headings.extend(["smoothed/ref", "turns"]);
        }
        headings.extend(["prepare ms", "memory", "scratch"]);
        if self.edited {
            headings.extend(["middle µs", "edits", "edit µs", "and back µs", "p99 of both µs"]);
            headings.extend(["edit + query µs", "table made"]);
            for what in ["edit/astar middle", "back/astar middle", "made/astar middle"] {
                headings.extend([what, "95 % interval"]);
            }
        }
        headings.extend(self.reuse.then_some("reused"));
        headings.extend(["time/astar", "95 % interval", "x faster than astar"]);
        let mut table = Table::new(headings);
        for row in rows {
            let mut cells = vec![row.planner.clone()];
            cells.extend([row.queries, row.solved, row.wrong].map(|count| count.to_string()));
            cells.extend(self.limited.then(|| row.limit_reached.to_string()));
            let times = [row.mean_us, row.median_us, row.p99_us, row.max_us];
            cells.extend(times.map(|time| decimals(time, 1)));
            // A block stands for many cells: its planner's counts cannot be held against others.
            let unit = if row.expansion_unit == "blocks" { " blocks" } else { "" };
            cells.push(decimals(row.mean_expansions, 0) + unit);
            cells.push(decimals(row.mean_cost, 2));
            cells.push(decimals(row.cost_over_reference, if any_angle { 5 } else { 4 }));
            if any_angle {
                cells.push(decimals(row.smoothed_over_reference, 5));
                cells.push(decimals(row.mean_turns, 1));
            }
            cells.push(decimals(Some(row.prepare_ms), 1));
            cells.extend([row.memory_bytes, row.scratch_bytes].map(bytes));
            if self.edited {
                cells.push(decimals(row.middle_us, 1));
                cells.push(row.edits.map_or("-".into(), |edits| edits.to_string()));
                let times = [row.edit_there_us, row.edit_back_us, row.edit_p99_us];
                cells.extend(times.map(|time| decimals(time, 2)));
                cells.push(decimals(row.edit_and_query_us, 1));
                let share = row.edit_made_share.map(|share| share * 100.0);
                cells.push(share.map_or("-".into(), |share| format!("{share:.0} %")));
                let ratios = [
                    row.edit_there_over_astar_middle,
                    row.edit_back_over_astar_middle,
                    row.edit_made_over_astar_middle,
                ];
                let ends = [
                    row.edit_there_over_astar_middle_low.zip(row.edit_there_over_astar_middle_high),
                    row.edit_back_over_astar_middle_low.zip(row.edit_back_over_astar_middle_high),
                    row.edit_made_over_astar_middle_low.zip(row.edit_made_over_astar_middle_high),
                ];
                for (ratio, ends) in ratios.into_iter().zip(ends) {
                    cells.extend([decimals(ratio, 4), interval(ends)]);
                }
            }
            cells.extend(self.reuse.then(|| row.reused.to_string()));
            cells.push(ratio(row.time_over_astar));
            cells.push(interval(row.time_over_astar_low.zip(row.time_over_astar_high)));
            cells.push(ratio(row.time_over_astar.map(|time| 1.0 / time)));
            table.push(cells);
        }
        table
    }
}

/// An interval, or a dash where there is none.
pub fn interval(ends: Option<(f64, f64)>) -> String {
    ends.map_or("-".into(), |(low, high)| format!("{}…{}", ratio(Some(low)), ratio(Some(high))))
}
