//! The times of one planner, round by round: of its queries and of its edits.

use blockstar_reports::spread::Spread;

/// A sum of numbers that counts them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    total: f64,
    count: usize,
}

impl Sum {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.merge(Self { total: number, count: 1 });
    }

    /// Adds the numbers of another sum.
    pub fn merge(&mut self, other: Self) {
        self.total += other.total;
        self.count += other.count;
    }

    /// Their mean, if there are any.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.total / self.count as f64)
    }
}

/// The times of batches of edits in one round, in microseconds.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Of those that changed the map, and of those that changed it back.
    ways: [Sum; 2],
    /// Of those, there or back, for which the planner had to make a table.
    made: Sum,
    /// How many of those that changed the map made one.
    made_there: usize,
    /// Of each.
    each: Vec<f64>,
}

impl Edits {
    /// The first of the two ways: to what was not there before.
    pub const THERE: usize = 0;
    /// The second: to what was there before.
    pub const BACK: usize = 1;

    /// Adds a batch.
    pub fn add(&mut self, way: usize, micros: f64, made: bool) {
        self.ways[way].add(micros);
        self.each.push(micros);
        if made {
            self.made.add(micros);
            self.made_there += usize::from(way == Self::THERE);
        }
    }

    /// Adds the batches of another thread or map.
    pub fn merge(&mut self, other: &Self) {
        for (way, other) in self.ways.iter_mut().zip(other.ways) {
            way.merge(other);
        }
        self.made.merge(other.made);
        self.made_there += other.made_there;
        self.each.extend_from_slice(&other.each);
    }

    /// The mean time of a batch, there or back.
    pub fn mean(&self) -> Option<f64> {
        let mut sum = self.ways[0];
        sum.merge(self.ways[1]);
        sum.mean()
    }

    /// The mean times of a batch: there, back, and with a table to be made.
    fn batches(&self) -> [Option<f64>; 3] {
        [self.ways[Self::THERE], self.ways[Self::BACK], self.made].map(Sum::mean)
    }

    /// How many of the batches that changed the map made a table.
    pub fn made_share(&self) -> Option<f64> {
        let there = self.ways[Self::THERE].count;
        (there > 0).then(|| self.made_there as f64 / there as f64)
    }
}

/// The times of one planner: the same queries, round after round.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Microseconds of all queries together in each round.
    pub rounds: Vec<f64>,
    /// Microseconds of each query: the median of its rounds.
    pub queries: Vec<f64>,
    /// The edits of each round.
    pub edits: Vec<Edits>,
}

impl Times {
    /// Adds another map. One that was interrupted before it had as many rounds is left out: its
    /// rounds cannot be compared.
    pub fn merge(&mut self, other: &Self) {
        if self.rounds.is_empty() {
            self.clone_from(other);
        } else if other.rounds.len() >= self.rounds.len() {
            self.rounds.iter_mut().zip(&other.rounds).for_each(|(sum, round)| *sum += round);
            self.queries.extend_from_slice(&other.queries);
            self.edits.iter_mut().zip(&other.edits).for_each(|(all, one)| all.merge(one));
        }
    }

    /// The median over the rounds of what is read from the edits of each.
    pub fn of_edits(&self, read: impl Fn(&Edits) -> Option<f64>) -> Option<f64> {
        Spread::of(self.edits.iter().filter_map(read)).map(|spread| spread.median)
    }

    /// The times of all batches of all rounds, ascending.
    pub fn sorted_edits(&self) -> Vec<f64> {
        let mut sorted: Vec<f64> =
            self.edits.iter().flat_map(|edits| &edits.each).copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// The times of a batch: there, back, and with a table to be made.
    pub fn batches(&self) -> [Option<f64>; 3] {
        [0, 1, 2].map(|kind| self.of_edits(|edits| edits.batches()[kind]))
    }
}

/// Edits held against A*: in each round and for each kind of batch the time of a batch and that of
/// A* for a query of middle length, summed over the maps. So small maps, where A* takes next to no
/// time, do not count more than others.
#[derive(Clone, Debug, Default)]
pub struct Weighed(Vec<[(f64, f64); 3]>);

impl Weighed {
    /// Of one map: the edits of each round, and A*'s times.
    pub fn new(edits: &[Edits], astar_middles_us: &[Option<f64>]) -> Self {
        let round = |(edits, middle): (&Edits, &Option<f64>)| {
            edits.batches().map(|batch| batch.zip(*middle).unwrap_or_default())
        };
        Self(edits.iter().zip(astar_middles_us).map(round).collect())
    }

    /// Adds another map, unless it was interrupted before it had as many rounds.
    pub fn merge(&mut self, other: &Self) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        } else if other.0.len() >= self.0.len() {
            for (sums, others) in self.0.iter_mut().zip(&other.0) {
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum = (sum.0 + other.0, sum.1 + other.1);
                }
            }
        }
    }

    /// The ratios of a kind of batch: there, back, and with a table to be made.
    pub fn ratios(&self) -> [Option<Spread>; 3] {
        let ratio = |(edits, middles): (f64, f64)| (middles > 0.0).then(|| edits / middles);
        [0, 1, 2].map(|kind| Spread::of(self.0.iter().filter_map(|round| ratio(round[kind]))))
    }
}
