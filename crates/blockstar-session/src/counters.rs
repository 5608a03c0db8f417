//! The counters of a search as JSON, for replies and for the command line.

use blockstar::Stats;
use serde_json::{Value, json};

/// Every counter of a search, by its name.
pub fn counters(stats: &Stats) -> Value {
    json!({
        "planner": stats.planner,
        "expanded": stats.expanded,
        "opened": stats.opened,
        "improved": stats.improved,
        "largest_open": stats.largest_open,
        "sight_checks": stats.sight_checks,
        "priced_cells": stats.priced_cells,
        "rounds": stats.rounds,
        "reexpanded": stats.reexpanded,
        "tables_made": stats.tables_made,
        "reused": stats.reused,
        "raw_cost": stats.raw_cost,
        "proved_factor": stats.proved_factor,
        "moves": stats.moves,
        "waits": stats.waits,
        "first_response": stats.first_response,
        "largest_move": stats.largest_move,
        "largest_bookkeeping": stats.largest_bookkeeping,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names are those that `Stats` shows itself with, so that a new counter is not forgotten.
    #[test]
    fn json_has_every_counter() {
        let shown = format!("{:?}", Stats::default());
        let fields = shown.trim_start_matches("Stats {").trim_end_matches('}').split(',');
        let names: Vec<_> = fields.filter_map(|field| field.split(':').next()).collect();
        let json = counters(&Stats::default());
        let told: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(told, names.iter().map(|name| name.trim()).collect::<Vec<_>>());
    }
}
