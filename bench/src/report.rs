//! Tables and JSON of what was measured.

use crate::measure::{Outcome, Run};
use crate::own::REFERENCE;
use blockstar::Moves;
use blockstar_reports::spread::{Spread, median};
use blockstar_reports::table::{Cells, Table};
use serde::Serialize;
use std::fmt::Write;

/// The name of the set that stands for all of them.
pub const ALL: &str = "all";

/// A path this much longer than a shortest one counts as longer: far above rounding, and below the
/// smallest detour.
const LONGER: f64 = 1.0 + 1e-6;

/// One contender on one set of maps under one movement rule.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The set, or [`ALL`].
    pub set: String,
    /// The contender.
    pub entry: String,
    /// The movement rule.
    pub moves: String,
    /// The number of queries.
    pub queries: usize,
    /// The number answered with a legal path.
    pub solved: usize,
    /// The number answered with no path although there is one.
    pub failed: usize,
    /// The number of illegal paths.
    pub wrong: usize,
    /// The number of paths longer than the shortest.
    pub longer: usize,
    /// The mean time of a query in microseconds.
    pub mean_us: f64,
    /// The median time of a query.
    pub median_us: f64,
    /// Its time for all queries divided by that of blockstar's A*: the median of the rounds.
    pub time_over_astar: f64,
    /// Where that median lies with a probability of 95 %; null with fewer than 6 rounds.
    pub time_over_astar_low: Option<f64>,
    /// The other end.
    pub time_over_astar_high: Option<f64>,
    /// The same time divided by that of the fastest of blockstar's planners that took part.
    pub time_over_fastest: f64,
    /// The mean ratio of its lengths to the shortest.
    pub cost_over_reference: f64,
    /// The largest of these.
    pub worst_cost: f64,
    /// The mean processor time to prepare for one map, in milliseconds.
    pub prepare_ms: f64,
}

/// The rows of each set, in the order in which they were measured, and of all sets together.
pub fn rows(runs: &[Run]) -> Vec<Row> {
    let mut sets: Vec<&str> = Vec::new();
    let mut rules: Vec<Moves> = Vec::new();
    for run in runs {
        if !sets.contains(&&*run.set) {
            sets.push(&run.set);
        }
        if !rules.contains(&run.moves) {
            rules.push(run.moves);
        }
    }
    if sets.len() > 1 {
        sets.push(ALL);
    }
    let mut rows = Vec::new();
    for &moves in &rules {
        for set in &sets {
            let chosen: Vec<_> = runs
                .iter()
                .filter(|run| run.moves == moves && (*set == ALL || run.set == *set))
                .collect();
            rows.extend(rows_of(set, moves, &chosen));
        }
    }
    rows
}

fn rows_of(set: &str, moves: Moves, runs: &[&Run]) -> Vec<Row> {
    let mut names: Vec<(&str, bool)> = Vec::new();
    for run in runs {
        if !names.contains(&(&*run.entry, run.own)) {
            names.push((&run.entry, run.own));
        }
    }
    let mut rows: Vec<_> = names.iter().map(|(name, _)| row(set, name, moves, runs)).collect();
    let totals: Vec<_> = names.iter().map(|(name, _)| totals(name, runs)).collect();
    let Some(astar) = names.iter().position(|(name, _)| *name == REFERENCE) else { return rows };
    let over = |who: usize, other: usize| {
        Spread::of(totals[who].iter().zip(&totals[other]).map(|(own, other)| own / other))
    };
    let median = |who: usize| over(who, astar).map_or(f64::NAN, |spread| spread.median);
    let own = (0..names.len()).filter(|&who| names[who].1);
    let fastest = own.min_by(|&a, &b| median(a).total_cmp(&median(b))).unwrap_or(astar);
    for (who, row) in rows.iter_mut().enumerate() {
        row.time_over_astar = median(who);
        (row.time_over_astar_low, row.time_over_astar_high) =
            over(who, astar).and_then(|spread| spread.interval).unzip();
        row.time_over_fastest = over(who, fastest).map_or(f64::NAN, |spread| spread.median);
    }
    rows
}

/// The time of an entry for all queries of all runs, in each round.
fn totals(entry: &str, runs: &[&Run]) -> Vec<f64> {
    let mut totals = Vec::new();
    for run in runs.iter().filter(|run| run.entry == entry) {
        totals.resize(run.rounds.len(), 0.0);
        totals.iter_mut().zip(&run.rounds).for_each(|(sum, round)| *sum += round);
    }
    totals
}

fn row(set: &str, entry: &str, moves: Moves, runs: &[&Run]) -> Row {
    let runs = || runs.iter().filter(|run| run.entry == entry);
    let samples = || runs().flat_map(|run| &run.samples);
    let mut times: Vec<_> = samples().map(|sample| sample.us).collect();
    times.sort_by(f64::total_cmp);
    let ratios: Vec<_> = samples()
        .filter_map(|sample| match sample.outcome {
            Outcome::Solved(ratio) => Some(ratio),
            _ => None,
        })
        .collect();
    let count = |outcome| samples().filter(|sample| sample.outcome == outcome).count();
    Row {
        set: set.into(),
        entry: entry.into(),
        moves: moves.to_string(),
        queries: times.len(),
        solved: ratios.len(),
        failed: count(Outcome::Failed),
        wrong: count(Outcome::Wrong),
        longer: ratios.iter().filter(|&&ratio| ratio > LONGER).count(),
        mean_us: mean(times.iter().copied()),
        median_us: median(&times).unwrap_or(f64::NAN),
        time_over_astar: f64::NAN,
        time_over_astar_low: None,
        time_over_astar_high: None,
        time_over_fastest: f64::NAN,
        cost_over_reference: mean(ratios.iter().copied()),
        worst_cost: ratios.iter().copied().fold(f64::NAN, f64::max),
        prepare_ms: mean(runs().map(|run| run.prepare_ms)),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// The interval of a row's ratio, or a dash.
fn interval(row: &Row) -> String {
    let ends = row.time_over_astar_low.zip(row.time_over_astar_high);
    ends.map_or("-".into(), |(low, high)| format!("{low:.3}…{high:.3}"))
}

/// The rows as tables, one for each set and movement rule.
pub fn table(rows: &[Row]) -> String {
    const HEAD: &str = "entry | queries | mean µs | median µs | / astar | 95 % interval | / our best | cost | worst | \
                        longer | failed | wrong | prepare ms";
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| (&a.set, &a.moves) == (&b.set, &b.moves)) {
        let mut table = Table::headed(HEAD);
        for row in group {
            let cells = Cells::of(&row.entry)
                .text(row.queries)
                .fixed(1, [row.mean_us, row.median_us])
                .fixed(3, [row.time_over_astar])
                .text(interval(row))
                .fixed(2, [row.time_over_fastest])
                .fixed(5, [row.cost_over_reference])
                .fixed(4, [row.worst_cost])
                .texts([row.longer, row.failed, row.wrong])
                .fixed(2, [row.prepare_ms]);
            table.row(cells);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}, {}", group[0].set, group[0].moves);
        for line in table.to_string().lines() {
            let _ = writeln!(text, "  {line}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Sample;

    fn run(set: &str, entry: &str, us: f64, outcome: Outcome) -> Run {
        Run {
            set: set.into(),
            entry: entry.into(),
            own: entry == REFERENCE,
            moves: Moves::EIGHT,
            prepare_ms: 1.0,
            samples: vec![Sample { us, outcome }],
            rounds: vec![us; 9],
        }
    }

    #[test]
    fn ratios_are_formed_with_the_reference_of_the_same_set() {
        let runs = [
            run("a", REFERENCE, 10.0, Outcome::Solved(1.0)),
            run("a", "peer", 20.0, Outcome::Solved(1.1)),
            run("b", REFERENCE, 30.0, Outcome::Solved(1.0)),
            run("b", "peer", 20.0, Outcome::Failed),
        ];
        let rows = rows(&runs);
        let peer = |set: &str| {
            rows.iter().find(|row| row.set == set && row.entry == "peer").cloned().unwrap()
        };
        assert_eq!(peer("a").time_over_astar, 2.0);
        assert_eq!((peer("b").failed, peer("b").solved), (1, 0));
        let all = peer(ALL);
        assert_eq!((all.queries, all.longer, all.time_over_astar), (2, 1, 1.0));
        assert_eq!(all.cost_over_reference, 1.1);
        assert_eq!((all.time_over_astar_low, all.time_over_astar_high), (Some(1.0), Some(1.0)));
        assert!(table(&rows).contains("all, eight"));
    }
}
