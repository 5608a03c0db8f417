//! The counters of a search as JSON, for replies and for the command line.

use crate::frame::object;
use blockstar::Stats;
use serde_json::Value;

/// Every counter of a search, by its name.
pub fn counters(stats: &Stats) -> Value {
    object(vec![
        ("planner", stats.planner.into()),
        ("expanded", stats.expanded.into()),
        ("opened", stats.opened.into()),
        ("improved", stats.improved.into()),
        ("largest_open", stats.largest_open.into()),
        ("sight_checks", stats.sight_checks.into()),
        ("priced_cells", stats.priced_cells.into()),
        ("rounds", stats.rounds.into()),
        ("reexpanded", stats.reexpanded.into()),
        ("tables_made", stats.tables_made.into()),
        ("reused", stats.reused.into()),
        ("raw_cost", stats.raw_cost.into()),
        ("proved_factor", stats.proved_factor.into()),
        ("moves", stats.moves.into()),
        ("waits", stats.waits.into()),
        ("first_response", stats.first_response.into()),
        ("largest_move", stats.largest_move.into()),
        ("largest_bookkeeping", stats.largest_bookkeeping.into()),
    ])
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
