//! The totals of one planner, and its row in the report.

use super::pace::{Pace, PaceFields, Paces};
use serde::Serialize;

/// One answer, as it is counted.
#[derive(Clone, Debug)]
pub struct Record {
    /// The time of the search, in microseconds.
    pub micros: f64,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// What it counts as.
    pub end: End,
    /// The cost over that of the reference, where both are known and not 0.
    pub ratio: Option<f64>,
    /// The same for the path after greedy smoothing, under the any-angle rules.
    pub smoothed_ratio: Option<f64>,
    /// How often the path changes its heading.
    pub turns: usize,
    /// Whether the answer is wrong.
    pub wrong: bool,
    /// The pace of a walk.
    pub pace: Option<Pace>,
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

/// The times of batches of edits, there and back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edits {
    /// Microseconds of those that changed the map, and of those that changed it back.
    pub micros: [f64; 2],
    /// How many there were of each.
    pub batches: [usize; 2],
    /// Microseconds of those, there or back, for which the planner had to make a table.
    pub made_micros: f64,
    /// How many of each made one.
    pub made: [usize; 2],
}

impl Edits {
    /// Adds the times of others.
    pub fn add(&mut self, other: &Self) {
        for way in 0..2 {
            self.micros[way] += other.micros[way];
            self.batches[way] += other.batches[way];
            self.made[way] += other.made[way];
        }
        self.made_micros += other.made_micros;
    }

    /// The mean times of a batch: there, back, and with a table to be made.
    fn means(&self) -> [Option<f64>; 3] {
        [
            mean(self.micros[0], self.batches[0]),
            mean(self.micros[1], self.batches[1]),
            mean(self.made_micros, self.made.iter().sum()),
        ]
    }
}

/// The sums for one planner, on one map or on all.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    micros: Vec<f64>,
    solved: usize,
    wrong: usize,
    limit_reached: usize,
    expanded: u64,
    cost: f64,
    ratios: f64,
    with_ratio: usize,
    smoothed_ratios: f64,
    with_smoothed_ratio: usize,
    turns: usize,
    /// Cost and microseconds of each solved query.
    lengths: Vec<(f64, f64)>,
    edits: Edits,
    /// Of all maps the mean times of a batch of edits, summed, and those of A* for a query of
    /// middle length.
    weighed: [(f64, f64); 3],
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
    /// Adds an answer.
    pub fn add(&mut self, record: &Record) {
        self.micros.push(record.micros);
        self.expanded += record.expanded;
        self.wrong += usize::from(record.wrong);
        match record.end {
            End::Solved(cost) => {
                self.solved += 1;
                self.cost += cost;
                self.lengths.push((cost, record.micros));
            }
            End::Limit => self.limit_reached += 1,
            End::Unsolved => {}
        }
        if let Some(ratio) = record.ratio {
            self.ratios += ratio;
            self.with_ratio += 1;
        }
        if let Some(ratio) = record.smoothed_ratio {
            self.smoothed_ratios += ratio;
            self.with_smoothed_ratio += 1;
        }
        self.turns += record.turns;
        self.reused += usize::from(record.reused);
        if let Some(pace) = &record.pace {
            self.paces.add(pace);
        }
    }

    /// Adds the times of batches of edits.
    pub fn add_edits(&mut self, edits: &Edits) {
        self.edits.add(edits);
    }

    /// The mean time of the solved queries of middle length.
    pub fn middle_us(&self) -> Option<f64> {
        middle(&self.lengths)
    }

    /// Compares the edits of one map with the time of A* for a query of middle length there.
    pub fn weigh_edits(&mut self, astar_middle_us: Option<f64>) {
        for (sum, time) in self.weighed.iter_mut().zip(self.edits.means()) {
            if let Some((time, middle)) = time.zip(astar_middle_us) {
                *sum = (sum.0 + time, sum.1 + middle);
            }
        }
    }

    /// Adds another map: times add up, of memory the largest counts, because maps come one after
    /// the other.
    pub fn merge(&mut self, other: &Self) {
        self.micros.extend_from_slice(&other.micros);
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.limit_reached += other.limit_reached;
        self.expanded += other.expanded;
        self.cost += other.cost;
        self.ratios += other.ratios;
        self.with_ratio += other.with_ratio;
        self.smoothed_ratios += other.smoothed_ratios;
        self.with_smoothed_ratio += other.with_smoothed_ratio;
        self.turns += other.turns;
        self.lengths.extend_from_slice(&other.lengths);
        self.edits.add(&other.edits);
        for (sum, other) in self.weighed.iter_mut().zip(other.weighed) {
            *sum = (sum.0 + other.0, sum.1 + other.1);
        }
        self.reused += other.reused;
        self.paces.merge(&other.paces);
        self.prepare_ms += other.prepare_ms;
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
        self.connectivity_bytes = self.connectivity_bytes.max(other.connectivity_bytes);
        self.scratch_bytes = self.scratch_bytes.max(other.scratch_bytes);
    }

    /// The row to report, with `astar` as the yardstick of time.
    pub fn row(&self, planner: &str, moves: &str, edits: Option<u64>, astar: &Self) -> Row {
        let mut sorted = self.micros.clone();
        sorted.sort_by(f64::total_cmp);
        let queries = sorted.len();
        let total = |tally: &Self| tally.micros.iter().sum::<f64>();
        let [edit_there_us, edit_back_us, edit_made_us] = self.edits.means();
        let [there, back, made] =
            self.weighed.map(|(edits, middles)| (middles > 0.0).then(|| edits / middles));
        Row {
            planner: planner.into(),
            moves: moves.into(),
            queries,
            solved: self.solved,
            wrong: self.wrong,
            limit_reached: self.limit_reached,
            mean_us: mean(total(self), queries),
            median_us: median(&sorted),
            p99_us: percentile(&sorted, 99),
            max_us: sorted.last().copied(),
            mean_expansions: mean(self.expanded as f64, queries),
            mean_cost: mean(self.cost, self.solved),
            cost_over_reference: mean(self.ratios, self.with_ratio),
            smoothed_over_reference: mean(self.smoothed_ratios, self.with_smoothed_ratio),
            mean_turns: mean(self.turns as f64, self.solved),
            prepare_ms: self.prepare_ms,
            memory_bytes: self.memory_bytes,
            connectivity_bytes: self.connectivity_bytes,
            scratch_bytes: self.scratch_bytes,
            time_over_astar: Some(total(self) / total(astar)).filter(|ratio| ratio.is_finite()),
            middle_us: self.middle_us(),
            edit_us: mean(self.edits.micros.iter().sum(), self.edits.batches.iter().sum()),
            edit_there_us,
            edit_back_us,
            edit_made_us,
            edit_made_share: mean(self.edits.made[0] as f64, self.edits.batches[0]),
            edit_there_over_astar_middle: there,
            edit_back_over_astar_middle: back,
            edit_made_over_astar_middle: made,
            reused: self.reused,
            pace: self.paces.fields(),
            edits,
        }
    }
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
    pub mean_cost: Option<f64>,
    pub cost_over_reference: Option<f64>,
    pub smoothed_over_reference: Option<f64>,
    pub mean_turns: Option<f64>,
    pub prepare_ms: f64,
    pub memory_bytes: usize,
    pub connectivity_bytes: usize,
    pub scratch_bytes: usize,
    pub time_over_astar: Option<f64>,
    pub middle_us: Option<f64>,
    pub edit_us: Option<f64>,
    pub edit_there_us: Option<f64>,
    pub edit_back_us: Option<f64>,
    pub edit_made_us: Option<f64>,
    pub edit_made_share: Option<f64>,
    pub edit_there_over_astar_middle: Option<f64>,
    pub edit_back_over_astar_middle: Option<f64>,
    pub edit_made_over_astar_middle: Option<f64>,
    pub reused: usize,
    #[serde(flatten)]
    pub pace: PaceFields,
    /// How many edits a batch had; left out without edits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<u64>,
}

/// The mean of `count` numbers, if there are any.
fn mean(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The mean time of the tenth of queries (costs and times) that is in the middle by cost.
fn middle(queries: &[(f64, f64)]) -> Option<f64> {
    let mut sorted = queries.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tenth = sorted.len().div_ceil(10);
    let first = (sorted.len() - tenth) / 2;
    mean(sorted[first..first + tenth].iter().map(|query| query.1).sum(), tenth)
}

/// The median of sorted numbers: of an even number of them the mean of the middle two.
fn median(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((sorted[sorted.len() / 2 - 1] + upper) / 2.0)
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
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[1.0, 4.0]), Some(2.5));
        assert_eq!(median(&numbers(5)), Some(3.0));
        assert_eq!(median(&numbers(6)), Some(3.5));
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
        let record = |micros, end| Record {
            micros,
            expanded: 10,
            end,
            ratio: None,
            smoothed_ratio: None,
            turns: 0,
            wrong: false,
            pace: None,
            reused: false,
        };
        let mut a = Tally { memory_bytes: 5, prepare_ms: 1.0, ..Tally::default() };
        a.add(&Record { ratio: Some(1.5), ..record(1.0, End::Solved(30.0)) });
        a.add(&record(2.0, End::Unsolved));
        let mut b = Tally { memory_bytes: 3, prepare_ms: 2.0, ..Tally::default() };
        b.add(&Record { wrong: true, ..record(9.0, End::Limit) });
        let edits = Edits { micros: [6.0, 2.0], batches: [1, 1], made_micros: 6.0, made: [1, 0] };
        b.add_edits(&edits);
        a.add_edits(&Edits { micros: [1.0, 3.0], batches: [1, 1], ..Edits::default() });
        // Small maps, where A* takes almost no time, do not count more than others.
        a.weigh_edits(Some(10.0));
        b.weigh_edits(Some(1.0));
        a.merge(&b);
        let row = a.row("x", "eight", None, &b);
        assert_eq!((row.queries, row.solved, row.wrong, row.limit_reached), (3, 1, 1, 1));
        assert_eq!((row.mean_us, row.median_us), (Some(4.0), Some(2.0)));
        assert_eq!((row.mean_cost, row.cost_over_reference), (Some(30.0), Some(1.5)));
        assert_eq!((row.memory_bytes, row.prepare_ms, row.edit_us), (5, 3.0, Some(3.0)));
        assert_eq!((row.edit_made_us, row.edit_made_share), (Some(6.0), Some(0.5)));
        assert_eq!(row.edit_there_over_astar_middle, Some((1.0 + 6.0) / (10.0 + 1.0)));
        assert_eq!(row.edit_back_over_astar_middle, Some((3.0 + 2.0) / (10.0 + 1.0)));
        assert_eq!(row.edit_made_over_astar_middle, Some(6.0));
        assert_eq!((row.mean_expansions, row.time_over_astar), (Some(10.0), Some(12.0 / 9.0)));
        let nothing = Tally::default();
        assert_eq!(nothing.row("x", "eight", None, &nothing).time_over_astar, None);
    }
}
