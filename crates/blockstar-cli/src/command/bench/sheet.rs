//! What has been measured on one map so far. Threads add to it, and it can be read at any time: an
//! interrupted run reports what is there.

use super::contest::Contest;
use super::pace::Pace;
use super::tally::{End, Record, Tally, middle};
use super::times::{Edits, Times};
use blockstar_reports::spread::Spread;

/// The answers of all contestants to one query.
#[derive(Debug)]
pub struct QueryRow {
    /// Of each contestant.
    pub records: Vec<Record>,
    /// A sentence about each wrong answer.
    pub complaints: Vec<String>,
}

/// The measurements on one map.
#[derive(Debug)]
pub struct Sheet {
    queries: usize,
    contestants: usize,
    /// By query, once it was asked.
    rows: Vec<Option<QueryRow>>,
    rounds: Vec<Round>,
    /// What is known of each contestant besides its answers.
    setups: Vec<Tally>,
}

/// One round over all queries.
#[derive(Debug)]
struct Round {
    /// Microseconds by contestant and query; NaN until they are known.
    micros: Vec<Vec<f64>>,
    edits: Vec<Edits>,
}

impl Sheet {
    /// For this many queries and contestants.
    pub fn new(queries: usize, contestants: usize) -> Self {
        Self {
            queries,
            contestants,
            rows: (0..queries).map(|_| None).collect(),
            rounds: Vec::new(),
            setups: vec![Tally::default(); contestants],
        }
    }

    /// Preparation and memory of a contestant.
    pub fn setup(&mut self, who: usize) -> &mut Tally {
        &mut self.setups[who]
    }

    /// Sets the answers to a query.
    pub fn set_row(&mut self, query: usize, row: QueryRow) {
        self.rows[query] = Some(row);
    }

    /// Notes that an answer in a later round was wrong.
    pub fn object(&mut self, query: usize, who: usize, complaint: String) {
        if let Some(row) = &mut self.rows[query] {
            // A wrong answer that is given again and again is told once.
            if !std::mem::replace(&mut row.records[who].wrong, true) {
                row.complaints.push(complaint);
            }
        }
    }

    /// Adds a watched walk.
    pub fn add_pace(&mut self, query: usize, who: usize, pace: Pace) {
        if let Some(row) = &mut self.rows[query] {
            let known = &mut row.records[who].pace;
            *known = Some(pace.calmer(*known));
        }
    }

    /// Sets the time of an answer in a round.
    pub fn set_time(&mut self, round: usize, query: usize, who: usize, micros: f64) {
        self.round(round).micros[who][query] = micros;
    }

    /// The edits of a contestant in a round.
    pub fn edits(&mut self, round: usize, who: usize) -> &mut Edits {
        &mut self.round(round).edits[who]
    }

    fn round(&mut self, round: usize) -> &mut Round {
        while self.rounds.len() <= round {
            self.rounds.push(Round {
                micros: vec![vec![f64::NAN; self.queries]; self.contestants],
                edits: vec![Edits::default(); self.contestants],
            });
        }
        &mut self.rounds[round]
    }

    /// The sums of each contestant, and what is wrong.
    pub fn tallies(&self, contest: &Contest) -> (Vec<Tally>, Vec<String>) {
        let (rounds, timed) = self.comparable();
        let mut tallies = self.setups.clone();
        for (who, tally) in tallies.iter_mut().enumerate() {
            let mut times = Times {
                rounds: vec![0.0; rounds],
                queries: Vec::new(),
                edits: self.rounds[..rounds].iter().map(|round| round.edits[who].clone()).collect(),
            };
            for (query, row) in self.rows.iter().enumerate() {
                let micros = timed[query].then(|| {
                    let each = self.rounds[..rounds].iter().map(|round| round.micros[who][query]);
                    times.rounds.iter_mut().zip(each.clone()).for_each(|(sum, one)| *sum += one);
                    Spread::of(each).map_or(0.0, |spread| spread.median)
                });
                times.queries.extend(micros);
                if let Some(row) = row {
                    tally.add(&row.records[who], micros);
                }
            }
            if times.queries.is_empty() {
                times = Times::default();
            }
            tally.set_times(times);
        }
        let middles: Vec<_> = self.rounds[..rounds]
            .iter()
            .map(|round| self.middle(round, contest.yardstick))
            .collect();
        tallies.iter_mut().for_each(|tally| tally.weigh_edits(&middles));
        let rows = self.rows.iter().flatten();
        (tallies, rows.flat_map(|row| row.complaints.iter().cloned()).collect())
    }

    /// The mean time of a contestant for the solved queries of middle length, in one round.
    fn middle(&self, round: &Round, who: usize) -> Option<f64> {
        let answers = self.rows.iter().zip(&round.micros[who]).filter(|(_, us)| !us.is_nan());
        let solved = answers.filter_map(|(row, &us)| match row.as_ref()?.records[who].end {
            End::Solved(cost) => Some((cost, us)),
            _ => None,
        });
        middle(&solved.collect::<Vec<_>>())
    }

    /// How many rounds count, and which queries: all of them, unless not even the first round was
    /// finished.
    fn comparable(&self) -> (usize, Vec<bool>) {
        let timed =
            |round: &Round, query: usize| round.micros.iter().all(|micros| !micros[query].is_nan());
        let whole = |round: &&Round| (0..self.queries).all(|query| timed(round, query));
        match (self.rounds.iter().take_while(whole).count(), self.rounds.first()) {
            (0, None) => (0, vec![false; self.queries]),
            (0, Some(first)) => (1, (0..self.queries).map(|query| timed(first, query)).collect()),
            (rounds, _) => (rounds, vec![true; self.queries]),
        }
    }
}
