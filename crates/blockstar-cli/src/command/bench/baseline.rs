//! Comparing a run with an earlier one, its `--json` output.
//!
//! What is compared is the time over that of A* in the same run, with its interval: two machines, or
//! one machine on two days, agree on that far better than on microseconds. A change is beyond noise
//! if the two intervals have no point in common. What does not depend on the clock (answers, costs,
//! expansions) is compared as well, if both runs had the same number of queries.

use super::table::interval;
use super::tally::Row;
use blockstar_reports::table::ratio;
use serde::Serialize;
use serde_json::Value;
use std::error::Error;
use std::path::Path;

/// What became of one planner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The planner with its parameters.
    pub planner: String,
    /// How many edits a batch had; left out without edits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<u64>,
    /// Whether it is faster or slower.
    pub time: Change,
    /// A sentence about the time, and one about each other change.
    pub notes: Vec<String>,
}

/// How two times compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Beyond noise.
    Faster,
    /// Beyond noise.
    Slower,
    /// The intervals overlap.
    Same,
    /// One of the two runs has no interval, or the planner took part in one only.
    Unknown,
}

/// Reads the rows of an earlier run.
pub fn read(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let name = path.display();
    let text = std::fs::read(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let value: Result<Value, _> = serde_json::from_slice(&text);
    let rows = value.ok().and_then(|mut value| match value["results"].take() {
        Value::Array(rows) => Some(rows),
        _ => None,
    });
    rows.ok_or_else(|| {
        format!("{name} is not the output of `bench --json`: write one with --json > FILE").into()
    })
}

/// Compares every planner of either run.
pub fn compare(before: &[Value], now: &[Row]) -> Vec<Comparison> {
    let is_same = |old: &Value, row: &Row| {
        old["planner"] == row.planner.as_str()
            && old["moves"] == row.moves.as_str()
            && old["edits"].as_u64() == row.edits
    };
    let mut all: Vec<Comparison> = now
        .iter()
        .map(|row| match before.iter().find(|old| is_same(old, row)) {
            Some(old) => Comparison::of(old, row),
            None => Comparison::alone(&row.planner, row.edits, "was not in the baseline"),
        })
        .collect();
    for old in before.iter().filter(|old| !now.iter().any(|row| is_same(old, row))) {
        let name = old["planner"].as_str().unwrap_or("a planner without a name");
        let edits = old["edits"].as_u64();
        all.push(Comparison::alone(name, edits, "is only in the baseline"));
    }
    all
}

impl Comparison {
    fn alone(planner: &str, edits: Option<u64>, note: &str) -> Self {
        Self { planner: planner.into(), edits, time: Change::Unknown, notes: vec![note.into()] }
    }

    fn of(old: &Value, row: &Row) -> Self {
        let number = |field: &str| old[field].as_f64();
        let before = number("time_over_astar_low").zip(number("time_over_astar_high"));
        let now = row.time_over_astar_low.zip(row.time_over_astar_high);
        let time = match (before, now) {
            (Some((_, high)), Some((low, _))) if low > high => Change::Slower,
            (Some((low, _)), Some((_, high))) if high < low => Change::Faster,
            (Some(_), Some(_)) => Change::Same,
            _ => Change::Unknown,
        };
        let verdict = match time {
            Change::Faster => "faster",
            Change::Slower => "slower",
            Change::Same => "no change beyond noise",
            Change::Unknown => "not comparable, because a run has no interval (--repeat 6 or more)",
        };
        let mut notes = vec![format!(
            "{verdict}: time/astar {} ({}) before, {} ({}) now",
            ratio(number("time_over_astar")),
            interval(before),
            ratio(row.time_over_astar),
            interval(now)
        )];
        if old["queries"] != row.queries {
            notes.push(format!("{} queries before, {} now", old["queries"], row.queries));
        } else {
            for (what, field, now) in [
                ("solved", "solved", Some(row.solved as f64)),
                ("wrong", "wrong", Some(row.wrong as f64)),
                ("mean expansions", "mean_expansions", row.mean_expansions),
                ("mean cost", "mean_cost", row.mean_cost),
            ] {
                let before = number(field);
                let differs = match (before, now) {
                    // Sums in another order differ in the last digits.
                    (Some(a), Some(b)) => (a - b).abs() > 1e-9 * a.abs().max(b.abs()),
                    (a, b) => a.is_some() != b.is_some(),
                };
                let shown = |number: Option<f64>| number.map_or("-".into(), |n| n.to_string());
                if differs {
                    notes.push(format!("{what} {} before, {} now", shown(before), shown(now)));
                }
            }
        }
        Self { planner: row.planner.clone(), edits: row.edits, time, notes }
    }
}

/// The comparison as lines for people.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut text = String::from("\ncompared with the baseline:\n");
    for Comparison { planner, edits, notes, .. } in comparisons {
        let edits = edits.map_or_else(String::new, |edits| format!(", {edits} edits"));
        text += &format!("  {planner}{edits}: {}\n", notes.join("; "));
    }
    text
}
