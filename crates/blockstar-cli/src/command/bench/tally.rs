//! The totals of one planner, and its row in the report.

use super::pace::{Pace, PaceFields, Paces};
use super::times::{Edits, Sum, Times, Weighed};
use blockstar_reports::spread::{Spread, median};
use serde::Serialize;

/// One answer, as it is counted.
#[derive(Clone, Debug)]
pub struct Record {
    /// What it counts as.
    pub end: End,
    /// The cost over that of the reference, where both are known and not 0.
    pub ratio: Option<f64>,
    /// The same for the path after greedy smoothing, under the any-angle rules.
    pub smoothed_ratio: Option<f64>,
    /// Whether the answer is wrong.
    pub wrong: bool,
    /// How often the path changes its heading.
    pub turns: usize,
    /// The pace of a walk.
    pub pace: Option<Pace>,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// Whether the last search was used again.
    pub reused: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// With a path of this cost.
    Solved(f64),
    /// Without a path.
    Unsolved,
    /// At the limit that the caller set.
    Limit,
}

/// The sums for one planner, on one map or on all.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    queries: usize,
    solved: usize,
    wrong: usize,
    limit_reached: usize,
    expanded: Sum,
    cost: Sum,
    ratio: Sum,
    smoothed_ratio: Sum,
    turns: Sum,
    times: Times,
    /// Cost and microseconds of each solved query.
    lengths: Vec<(f64, f64)>,
    weighed: Weighed,
    reused: usize,
    paces: Paces,
    /// Milliseconds of preparation.
    pub prepare_ms: f64,
    /// Bytes prepared.
    pub memory_bytes: usize,
    /// The part of them that records connectivity.
    pub connectivity_bytes: usize,
    /// Bytes of search memory.
    pub scratch_bytes: usize,
}

impl Tally {
    /// Adds an answer, and its time if it was timed.
    pub fn add(&mut self, record: &Record, micros: Option<f64>) {
        self.queries += 1;
        self.expanded.add(record.expanded as f64);
        self.wrong += usize::from(record.wrong);
        match record.end {
            End::Solved(cost) => {
                self.solved += 1;
                self.cost.add(cost);
                self.turns.add(record.turns as f64);
                self.lengths.extend(micros.map(|micros| (cost, micros)));
            }
            End::Limit => self.limit_reached += 1,
            End::Unsolved => {}
        }
        record.ratio.into_iter().for_each(|ratio| self.ratio.add(ratio));
        record.smoothed_ratio.into_iter().for_each(|ratio| self.smoothed_ratio.add(ratio));
        self.reused += usize::from(record.reused);
        if let Some((pace, walk_us)) = record.pace.zip(micros) {
            self.paces.add(&Pace { walk_us, ..pace });
        }
    }

    /// Sets the times of a map.
    pub fn set_times(&mut self, times: Times) {
        self.times = times;
    }

    /// The mean time of the solved queries of middle length.
    pub fn middle_us(&self) -> Option<f64> {
        middle(&self.lengths)
    }

    /// Compares the edits of one map with the time of A* for a query of middle length there, in
    /// each round.
    pub fn weigh_edits(&mut self, astar_middles_us: &[Option<f64>]) {
        self.weighed = Weighed::new(&self.times.edits, astar_middles_us);
    }

    /// Adds another map: times add up, of memory the largest counts, because maps come one after
    /// the other.
    pub fn merge(&mut self, other: &Self) {
        self.queries += other.queries;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.limit_reached += other.limit_reached;
        self.expanded.merge(other.expanded);
        self.cost.merge(other.cost);
        self.ratio.merge(other.ratio);
        self.smoothed_ratio.merge(other.smoothed_ratio);
        self.turns.merge(other.turns);
        self.times.merge(&other.times);
        self.lengths.extend_from_slice(&other.lengths);
        self.weighed.merge(&other.weighed);
        self.reused += other.reused;
        self.paces.merge(&other.paces);
        self.prepare_ms += other.prepare_ms;
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
        self.connectivity_bytes = self.connectivity_bytes.max(other.connectivity_bytes);
        self.scratch_bytes = self.scratch_bytes.max(other.scratch_bytes);
    }

    /// The time over that of another planner, round by round.
    fn time_over(&self, astar: &Self) -> Option<Spread> {
        let pairs = self.times.rounds.iter().zip(&astar.times.rounds);
        Spread::of(pairs.map(|(own, other)| own / other).filter(|ratio| ratio.is_finite()))
    }

    /// The row to report, with `astar` as the yardstick of time.
    pub fn row(&self, label: &Label<'_>, astar: &Self) -> Row {
        let mut sorted = self.times.queries.clone();
        sorted.sort_by(f64::total_cmp);
        let round = Spread::of(self.times.rounds.iter().copied());
        let over_astar = self.time_over(astar);
        let interval = over_astar.and_then(|spread| spread.interval);
        let mean_us = round.map(|round| round.median / sorted.len() as f64);
        let [edit_there_us, edit_back_us, edit_made_us] = self.times.batches();
        let ratios = self.weighed.ratios();
        let [there, back, made] = ratios.map(|ratio| ratio.map(|spread| spread.median));
        let [there_ends, back_ends, made_ends] =
            ratios.map(|ratio| ratio.and_then(|spread| spread.interval).unzip());
        Row {
            planner: label.planner.into(),
            moves: label.moves.into(),
            queries: self.queries,
            solved: self.solved,
            wrong: self.wrong,
            limit_reached: self.limit_reached,
            mean_us,
            median_us: median(&sorted),
            p99_us: percentile(&sorted, 99),
            max_us: sorted.last().copied(),
            mean_expansions: self.expanded.mean(),
            expansion_unit: label.expands.into(),
            mean_cost: self.cost.mean(),
            cost_over_reference: self.ratio.mean(),
            smoothed_over_reference: self.smoothed_ratio.mean(),
            mean_turns: self.turns.mean(),
            prepare_ms: self.prepare_ms,
            memory_bytes: self.memory_bytes,
            connectivity_bytes: self.connectivity_bytes,
            scratch_bytes: self.scratch_bytes,
            time_over_astar: over_astar.map(|spread| spread.median),
            time_over_astar_low: interval.map(|interval| interval.0),
            time_over_astar_high: interval.map(|interval| interval.1),
            rounds: self.times.rounds.len(),
            middle_us: self.middle_us(),
            edit_us: self.times.of_edits(Edits::mean),
            edit_p99_us: percentile(&self.times.sorted_edits(), 99),
            edit_and_query_us: edit_there_us.zip(mean_us).map(|(edit, query)| edit + query),
            edit_there_us,
            edit_back_us,
            edit_made_us,
            edit_made_share: self.times.of_edits(Edits::made_share),
            edit_there_over_astar_middle: there,
            edit_back_over_astar_middle: back,
            edit_made_over_astar_middle: made,
            edit_there_over_astar_middle_low: there_ends.0,
            edit_there_over_astar_middle_high: there_ends.1,
            edit_back_over_astar_middle_low: back_ends.0,
            edit_back_over_astar_middle_high: back_ends.1,
            edit_made_over_astar_middle_low: made_ends.0,
            edit_made_over_astar_middle_high: made_ends.1,
            reused: self.reused,
            pace: self.paces.fields(),
            edits: label.edits,
        }
    }
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// The planner with its parameters.
    pub planner: &'a str,
    /// The movement rule.
    pub moves: &'a str,
    /// What the planner expands.
    pub expands: &'a str,
    /// How many edits a batch had.
    pub edits: Option<u64>,
}

/// What is reported of one planner. The names are those of the JSON output; `--help` explains them.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub planner: String,
    pub moves: String,
    pub queries: usize,
    pub solved: usize,
    pub wrong: usize,
    pub limit_reached: usize,
    pub mean_us: Option<f64>,
    pub median_us: Option<f64>,
    pub p99_us: Option<f64>,
    pub max_us: Option<f64>,
    pub mean_expansions: Option<f64>,
    pub expansion_unit: String,
    pub mean_cost: Option<f64>,
    pub cost_over_reference: Option<f64>,
    pub smoothed_over_reference: Option<f64>,
    pub mean_turns: Option<f64>,
    pub prepare_ms: f64,
    pub memory_bytes: usize,
    pub connectivity_bytes: usize,
    pub scratch_bytes: usize,
    pub time_over_astar: Option<f64>,
    pub time_over_astar_low: Option<f64>,
    pub time_over_astar_high: Option<f64>,
    pub rounds: usize,
    pub middle_us: Option<f64>,
    pub edit_us: Option<f64>,
    pub edit_p99_us: Option<f64>,
    pub edit_and_query_us: Option<f64>,
    pub edit_there_us: Option<f64>,
    pub edit_back_us: Option<f64>,
    pub edit_made_us: Option<f64>,
    pub edit_made_share: Option<f64>,
    pub edit_there_over_astar_middle: Option<f64>,
    pub edit_back_over_astar_middle: Option<f64>,
    pub edit_made_over_astar_middle: Option<f64>,
    pub edit_there_over_astar_middle_low: Option<f64>,
    pub edit_there_over_astar_middle_high: Option<f64>,
    pub edit_back_over_astar_middle_low: Option<f64>,
    pub edit_back_over_astar_middle_high: Option<f64>,
    pub edit_made_over_astar_middle_low: Option<f64>,
    pub edit_made_over_astar_middle_high: Option<f64>,
    pub reused: usize,
    #[serde(flatten)]
    pub pace: PaceFields,
    /// How many edits a batch had; left out without edits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<u64>,
}

/// The mean time of the tenth of queries (costs and times) that is in the middle by cost.
pub fn middle(queries: &[(f64, f64)]) -> Option<f64> {
    let mut sorted = queries.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tenth = sorted.len().div_ceil(10);
    let first = (sorted.len() - tenth) / 2;
    let mut sum = Sum::default();
    sorted[first..first + tenth].iter().for_each(|query| sum.add(query.1));
    sum.mean()
}

/// The smallest of sorted numbers that at least `percent` of them do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<f64> {
        (1..=count).map(|n| n as f64).collect()
    }

    #[test]
    fn the_99th_percentile_is_one_of_the_numbers() {
        assert_eq!(percentile(&[], 99), None);
        assert_eq!(percentile(&[3.0], 99), Some(3.0));
        assert_eq!(percentile(&numbers(50), 99), Some(50.0));
        assert_eq!(percentile(&numbers(100), 99), Some(99.0));
        assert_eq!(percentile(&numbers(200), 99), Some(198.0));
        assert_eq!(percentile(&numbers(1000), 99), Some(990.0));
    }

    #[test]
    fn the_middle_is_by_cost() {
        assert_eq!(middle(&[]), None);
        assert_eq!(middle(&[(7.0, 3.0)]), Some(3.0));
        let queries: Vec<(f64, f64)> = (0..30).rev().map(|n| (n.into(), (2 * n).into())).collect();
        assert_eq!(middle(&queries), Some(28.0));
    }

    #[test]
    fn maps_add_up_and_the_largest_memory_counts() {
        let record = |end| Record {
            expanded: 10,
            end,
            ratio: None,
            smoothed_ratio: None,
            turns: 0,
            wrong: false,
            pace: None,
            reused: false,
        };
        let edits = |there: f64, back: f64, made: bool| {
            let mut edits = Edits::default();
            edits.add(Edits::THERE, there, made);
            edits.add(Edits::BACK, back, false);
            vec![edits]
        };
        let times = |queries: &[f64], edits| Times {
            rounds: vec![queries.iter().sum()],
            queries: queries.to_vec(),
            edits,
        };
        let mut a = Tally { memory_bytes: 5, prepare_ms: 1.0, ..Tally::default() };
        a.add(&Record { ratio: Some(1.5), ..record(End::Solved(30.0)) }, Some(1.0));
        a.add(&record(End::Unsolved), Some(2.0));
        a.set_times(times(&[1.0, 2.0], edits(1.0, 3.0, false)));
        let mut b = Tally { memory_bytes: 3, prepare_ms: 2.0, ..Tally::default() };
        b.add(&Record { wrong: true, ..record(End::Limit) }, Some(9.0));
        b.set_times(times(&[9.0], edits(6.0, 2.0, true)));
        // Small maps, where A* takes almost no time, do not count more than others.
        a.weigh_edits(&[Some(10.0)]);
        b.weigh_edits(&[Some(1.0)]);
        a.merge(&b);
        let label = Label { planner: "x", moves: "eight", expands: "nodes", edits: None };
        let row = a.row(&label, &b);
        assert_eq!((row.queries, row.solved, row.wrong, row.limit_reached), (3, 1, 1, 1));
        assert_eq!((row.mean_us, row.median_us), (Some(4.0), Some(2.0)));
        assert_eq!((row.mean_cost, row.cost_over_reference), (Some(30.0), Some(1.5)));
        assert_eq!((row.memory_bytes, row.prepare_ms, row.edit_us), (5, 3.0, Some(3.0)));
        assert_eq!((row.edit_p99_us, row.edit_and_query_us), (Some(6.0), Some(3.5 + 4.0)));
        assert_eq!((row.edit_made_us, row.edit_made_share), (Some(6.0), Some(0.5)));
        assert_eq!(row.edit_there_over_astar_middle, Some((1.0 + 6.0) / (10.0 + 1.0)));
        assert_eq!(row.edit_back_over_astar_middle, Some((3.0 + 2.0) / (10.0 + 1.0)));
        assert_eq!(row.edit_made_over_astar_middle, Some(6.0));
        assert_eq!((row.mean_expansions, row.time_over_astar), (Some(10.0), Some(12.0 / 9.0)));
        assert_eq!((row.time_over_astar_low, row.rounds), (None, 1));
        let nothing = Tally::default();
        assert_eq!(nothing.row(&label, &nothing).time_over_astar, None);
    }

    /// The same of edits: the ratio of each round, their median and its interval.
    #[test]
    fn ratios_of_edits_have_an_interval() {
        let mut tally = Tally::default();
        let edits = |round: u32| {
            let mut edits = Edits::default();
            edits.add(Edits::THERE, f64::from(round), false);
            edits
        };
        let times = Times { edits: (1..=9).map(edits).collect(), ..Times::default() };
        tally.set_times(times);
        tally.weigh_edits(&[Some(10.0); 9]);
        let label = Label { planner: "x", moves: "eight", expands: "nodes", edits: Some(1) };
        let row = tally.row(&label, &tally);
        assert_eq!(row.edit_there_over_astar_middle, Some(0.5));
        assert_eq!(row.edit_there_over_astar_middle_low, Some(0.2));
        assert_eq!(row.edit_there_over_astar_middle_high, Some(0.8));
        assert_eq!(row.edit_back_over_astar_middle_low, None);
    }

    /// Ratios are taken round by round: what disturbs a whole round disturbs both planners.
    #[test]
    fn ratios_are_medians_of_rounds_with_an_interval() {
        let tally = |rounds: &[f64]| {
            let mut tally = Tally::default();
            tally.set_times(Times { rounds: rounds.to_vec(), ..Times::default() });
            tally
        };
        let astar = tally(&[10.0, 10.0, 10.0, 100.0, 10.0, 10.0, 10.0, 10.0, 10.0]);
        let other = tally(&[1.0, 1.1, 0.9, 10.0, 1.0, 5.0, 1.2, 1.0, 0.1]);
        let spread = other.time_over(&astar).unwrap();
        assert!((spread.median - 0.1).abs() < 1e-12, "{spread:?}");
        let (low, high) = spread.interval.unwrap();
        assert!((low - 0.09).abs() < 1e-12 && (high - 0.12).abs() < 1e-12, "{spread:?}");
        // A map that was interrupted changes nothing; a whole one adds up.
        let mut sum = astar.clone();
        sum.merge(&tally(&[7.0]));
        assert_eq!(sum.times.rounds, astar.times.rounds);
        sum.merge(&other);
        assert_eq!(sum.times.rounds[..3], [11.0, 11.1, 10.9]);
    }
}
