//! The Pareto frontier of quality, memory and time: the configurations that no other beats in all
//! three.

use super::measure::Row;
use serde::Serialize;

/// A configuration that no other one dominates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    pub planner: String,
    /// Percent above the optimum, bytes of what is prepared, and microseconds of a query.
    pub suboptimality: f64,
    pub bytes: f64,
    pub mean_us: f64,
}

/// The frontier, the best paths first.
pub fn find(rows: &[Row]) -> Vec<Best> {
    let of = |row: &Row| [row.suboptimality, row.bytes, row.mean_us];
    let dominates = |a: [f64; 3], b: [f64; 3]| {
        a.iter().zip(&b).all(|(a, b)| a <= b) && a.iter().zip(&b).any(|(a, b)| a < b)
    };
    let beaten = |row: &Row| rows.iter().any(|other| dominates(of(other), of(row)));
    let mut best: Vec<Best> = rows
        .iter()
        .filter(|row| !beaten(row))
        .map(|row| Best {
            planner: row.planner.clone(),
            suboptimality: row.suboptimality,
            bytes: row.bytes,
            mean_us: row.mean_us,
        })
        .collect();
    best.sort_by(|a, b| a.suboptimality.total_cmp(&b.suboptimality));
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beaten_in_all_three_is_left_out() {
        let row = |name: &str, suboptimality: f64, bytes: f64, mean_us: f64| Row {
            planner: name.into(),
            suboptimality,
            bytes,
            mean_us,
            ..Row::default()
        };
        let rows = [
            row("cheap", 9.0, 10.0, 50.0),
            row("beaten by good", 3.0, 90.0, 20.0),
            row("good", 2.0, 90.0, 20.0),
            row("fast", 5.0, 200.0, 5.0),
            row("beaten by all", 10.0, 300.0, 60.0),
            row("twin of fast", 5.0, 200.0, 5.0),
        ];
        let names: Vec<_> = find(&rows).into_iter().map(|best| best.planner).collect();
        assert_eq!(names, ["good", "fast", "twin of fast", "cheap"]);
    }
}
