//! Running the planners over the queries of a map and timing them.
//!
//! First every planner answers every query once, untimed: its search memory grows, the system hands
//! out its pages, and the answers are judged. Then come the rounds that count. In each, every query
//! goes to every planner again. Noise must affect all planners alike: they take turns every few
//! queries, and each time another planner begins.
//!
//! Times are those of the processor ([`Clock`]). So many queries are timed together that the clock
//! itself does not matter; the time of a batch is shared out by what its queries took in the round
//! before. If all queries together are too short, a planner answers them several times in a row.
//! With edits the map changes before each query: there every query is timed alone.

use super::clock::{Clock, Span, cut};
use super::contest::Contest;
use super::judge::{Answer, objection};
use super::pace::watch;
use super::sheet::{QueryRow, Sheet};
use super::tally::{End, Record};
use super::times::Edits;
use crate::progress::Bar;
use blockstar::random::Random;
use blockstar::{Cell, Error, Grid, Memory, Planner, Query, Rect, Scratch, Status, Tile};
use blockstar_files::Course;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The shortest time of a query in microseconds that is believed: a share must not be 0.
const SHORTEST: f64 = 0.01;

/// How often queries that are too short for the clock are repeated at the most.
const MOST_PASSES: f64 = 1e6;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many rounds count.
    pub repeat: usize,
    /// How many threads share the queries of a map.
    pub threads: usize,
    /// How many cells change before each query; `None` leaves the map alone.
    pub edits: Option<u64>,
    /// The width and height of each such change.
    pub patch: (u32, u32),
    /// Where on the map changes are.
    pub place: Place,
    /// The seed of the changes.
    pub seed: u64,
}

/// Where edits are.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere, every cell as likely as any other, cells amid walls included
    Anywhere,
    /// On free cells and cells beside them
    Ground,
}

type Team = Vec<Box<dyn Planner>>;

/// Runs all contestants over the queries `picks` of a map, and fills the sheet.
pub fn run(
    contest: &Contest,
    course: &Course,
    picks: &[usize],
    plan: Plan,
    progress: &Bar,
    sheet: &Mutex<Sheet>,
) -> Result<(), String> {
    let explain = |(who, error): Failure| {
        format!("{} on {}: {error}", contest.contestants[who].name, course.name)
    };
    let clock = Clock::new(Span::Process);
    let mut teams: Vec<(Grid, Team)> = Vec::new();
    let threads = plan.threads.min(picks.len()).max(1);
    // Planners are shared between threads unless the map changes under them.
    for _ in 0..if plan.edits.is_some() { threads } else { 1 } {
        let grid = course.grid.clone();
        let mut team = Team::new();
        for (who, contestant) in contest.contestants.iter().enumerate() {
            let start = clock.start();
            let planner = contestant
                .choice
                .prepare(&grid, contest.moves)
                .map_err(|error| explain((who, error)))?;
            if teams.is_empty() {
                lock(sheet).setup(who).prepare_ms = clock.since(start) / 1e3;
            }
            team.push(planner);
        }
        teams.push((grid, team));
    }
    let lane = |number: usize| Lane {
        contest,
        course,
        picks,
        // Every thread has the same queries in all rounds, for which its memory is warm.
        turns: (number..picks.len()).step_by(threads).collect(),
        plan,
        clock: Clock::new(Span::Thread),
        // Updates may hand work to other threads. Their time counts as well, but that of the other
        // lanes does not.
        edit_clock: Clock::new(if threads == 1 { Span::Process } else { Span::Thread }),
        progress,
        sheet,
        scratches: contest.contestants.iter().map(|_| Scratch::new()).collect(),
        estimates: vec![Vec::new(); contest.contestants.len()],
        statuses: vec![Vec::new(); contest.contestants.len()],
    };
    let outcomes: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let lane = &lane;
        let handles: Vec<_> = if let Some(edits) = plan.edits {
            let own = teams.iter_mut().enumerate();
            own.map(|(number, (grid, team))| {
                scope.spawn(move || lane(number).run_edited(grid, team, edits))
            })
            .collect()
        } else {
            let (grid, team) = &teams[0];
            (0..threads).map(|number| scope.spawn(move || lane(number).run(grid, team))).collect()
        };
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    outcomes.into_iter().collect::<Result<(), _>>().map_err(explain)?;
    for (who, planner) in teams[0].1.iter().enumerate() {
        let memory = planner.memory_usage();
        let mut sheet = lock(sheet);
        let setup = sheet.setup(who);
        setup.memory_bytes = memory.total();
        setup.connectivity_bytes = memory.part(Memory::CONNECTIVITY);
    }
    Ok(())
}

/// The sheet; after a panic in another thread, which is told elsewhere, it is still of use.
pub fn lock(sheet: &Mutex<Sheet>) -> MutexGuard<'_, Sheet> {
    sheet.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread does.
struct Lane<'a> {
    contest: &'a Contest,
    course: &'a Course,
    picks: &'a [usize],
    /// Its queries, as places in `picks`.
    turns: Vec<usize>,
    plan: Plan,
    clock: Clock,
    edit_clock: Clock,
    progress: &'a Bar,
    sheet: &'a Mutex<Sheet>,
    scratches: Vec<Scratch>,
    /// The last known time of each of its queries, by contestant.
    estimates: Vec<Vec<f64>>,
    /// How each of them ended, by contestant.
    statuses: Vec<Vec<Status>>,
}

/// An error with the number of the contestant that gave it.
type Failure = (usize, Error);

impl Lane<'_> {
    fn run(mut self, grid: &Grid, team: &Team) -> Result<(), Failure> {
        for place in 0..self.turns.len() {
            let answers = self.ask(grid, team, place, 0)?;
            for (who, (status, micros)) in answers.into_iter().enumerate() {
                self.statuses[who].push(status);
                self.estimates[who].push(micros.max(SHORTEST));
            }
        }
        for round in 0..self.plan.repeat {
            let estimates: Vec<&[f64]> = self.estimates.iter().map(Vec::as_slice).collect();
            let mut first = 0;
            for (number, end) in cut(&estimates, self.clock.least()).into_iter().enumerate() {
                for who in self.order(number + round) {
                    self.race(grid, &*team[who], who, round, first, end)?;
                }
                self.progress.advance((end - first) as u64);
                first = end;
            }
        }
        self.finish();
        Ok(())
    }

    /// The same on a separate map that is edited before each query. After the query the edits
    /// are undone, so that a query's map does not depend on the queries before it; undoing is as
    /// much work as editing and is timed as well. Every round has edits of its own, because a
    /// planner may keep what it has made for those of the last, and all its answers are judged.
    fn run_edited(mut self, grid: &mut Grid, team: &mut Team, edits: u64) -> Result<(), Failure> {
        let mut undo = Vec::new();
        let mut before = 0;
        for round in 0..=self.plan.repeat {
            for place in 0..self.turns.len() {
                if !undo.is_empty() {
                    self.edit(grid, team, &undo, (before, round), Edits::BACK)?;
                }
                if self.contest.reuse {
                    self.ask_before(grid, team, place)?;
                }
                undo = self.what_to_invert(place, round, edits);
                self.edit(grid, team, &undo, (place, round), Edits::THERE)?;
                before = place;
                let answers = self.ask(grid, team, place, round)?;
                if let Some(round) = round.checked_sub(1) {
                    let mut sheet = lock(self.sheet);
                    for (who, (_, micros)) in answers.into_iter().enumerate() {
                        sheet.set_time(round, self.turns[place], who, micros);
                    }
                }
            }
        }
        self.finish();
        Ok(())
    }

    fn finish(&self) {
        let mut sheet = lock(self.sheet);
        for (who, scratch) in self.scratches.iter().enumerate() {
            let setup = sheet.setup(who);
            setup.scratch_bytes = setup.scratch_bytes.max(scratch.memory_usage());
        }
    }

    /// The contestants, each time from another one on.
    fn order(&self, first: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.contest.contestants.len();
        (0..count).map(move |step| (first + step) % count)
    }

    fn query(&self, who: usize, place: usize) -> Query {
        let scenario = &self.course.scenarios[self.picks[self.turns[place]]];
        self.contest.query(&self.contest.contestants[who], scenario)
    }

    /// Times a contestant on the queries `first..end`.
    fn race(
        &mut self,
        grid: &Grid,
        planner: &dyn Planner,
        who: usize,
        round: usize,
        first: usize,
        end: usize,
    ) -> Result<(), Failure> {
        let least = self.clock.least();
        let queries: Vec<Query> = (first..end).map(|place| self.query(who, place)).collect();
        let mut seen = vec![Status::Working; queries.len()];
        let scratch = &mut self.scratches[who];
        let mut begin = 0;
        for stop in cut(&[&self.estimates[who][first..end]], least) {
            let estimates = &mut self.estimates[who][first + begin..first + stop];
            let estimate: f64 = estimates.iter().sum();
            let passes = (least / estimate).ceil().clamp(1.0, MOST_PASSES) as u32;
            let (queries, seen) = (&queries[begin..stop], &mut seen[begin..stop]);
            let start = self.clock.start();
            for _ in 0..passes {
                for (query, status) in queries.iter().zip(&mut *seen) {
                    *status = planner.find(grid, query, scratch).map_err(|error| (who, error))?;
                }
            }
            let factor = self.clock.since(start) / f64::from(passes) / estimate;
            let mut sheet = lock(self.sheet);
            for (index, time) in estimates.iter_mut().enumerate() {
                let micros = *time * factor;
                sheet.set_time(round, self.turns[first + begin + index], who, micros);
                *time = micros.max(SHORTEST);
            }
            begin = stop;
        }
        let promise = self.contest.contestants[who].promise;
        for (index, query) in queries.iter().enumerate() {
            let (place, turn) = (first + index, self.turns[first + index]);
            let before = self.statuses[who][place];
            if seen[index] != before {
                let what = format!("it ended with {:?}, but with {before:?} before", seen[index]);
                lock(self.sheet).object(turn, who, self.complaint(place, who, &what));
            }
            let pace = watch(promise, &self.clock, planner, grid, query, &mut self.scratches[who])
                .map_err(|error| (who, error))?;
            if let Some(pace) = pace {
                lock(self.sheet).add_pace(turn, who, pace);
            }
        }
        Ok(())
    }

    /// Asks every contestant once, untimed, on the map before its edits.
    fn ask_before(&mut self, grid: &Grid, team: &Team, place: usize) -> Result<(), Failure> {
        for (who, planner) in team.iter().enumerate() {
            let query = self.query(who, place);
            let answer = planner.find(grid, &query, &mut self.scratches[who]);
            answer.map_err(|error| (who, error))?;
        }
        Ok(())
    }

    /// Asks every contestant and judges the answers; returns how each ended, and its time.
    fn ask(
        &mut self,
        grid: &Grid,
        team: &Team,
        place: usize,
        round: usize,
    ) -> Result<Vec<(Status, f64)>, Failure> {
        let contest = self.contest;
        let queries: Vec<Query> = (0..team.len()).map(|who| self.query(who, place)).collect();
        let mut answered = vec![(Status::Working, 0.0); team.len()];
        for who in self.order(place + round) {
            let (planner, scratch) = (&*team[who], &mut self.scratches[who]);
            let start = self.clock.start();
            let status = planner.find(grid, &queries[who], scratch);
            let micros = self.clock.since(start);
            answered[who] = (status.map_err(|error| (who, error))?, micros);
        }
        let mut row = self.judge(grid, place, &queries, &answered);
        let turn = self.turns[place];
        if round == 0 {
            lock(self.sheet).set_row(turn, row);
        } else {
            let mut complaints = row.complaints.into_iter();
            for (who, record) in row.records.iter_mut().enumerate() {
                if let Some(complaint) = record.wrong.then(|| complaints.next()).flatten() {
                    lock(self.sheet).object(turn, who, complaint);
                }
            }
        }
        // Walks are watched here only where they are not while racing.
        for (who, planner) in team.iter().enumerate().filter(|_| self.plan.edits.is_some()) {
            let promise = contest.contestants[who].promise;
            let scratch = &mut self.scratches[who];
            let pace = watch(promise, &self.clock, &**planner, grid, &queries[who], scratch);
            if let Some(pace) = pace.map_err(|error| (who, error))? {
                lock(self.sheet).add_pace(turn, who, pace);
            }
        }
        self.progress.advance(1);
        Ok(answered)
    }

    /// What the answers to a query count as.
    fn judge(
        &self,
        grid: &Grid,
        place: usize,
        queries: &[Query],
        answered: &[(Status, f64)],
    ) -> QueryRow {
        let contest = self.contest;
        let scenario = &self.course.scenarios[self.picks[self.turns[place]]];
        let answers: Vec<Answer> = (0..queries.len())
            .map(|who| {
                let scratch = &self.scratches[who];
                Answer::read(answered[who].0, scratch, grid, contest.moves, &queries[who])
            })
            .collect();
        let expectation = contest.expectation(scenario, &answers, self.plan.edits.is_some());
        let limited = contest.max_expansions.is_some();
        let any_angle = contest.moves.rule().is_any_angle();
        let mut row = QueryRow { records: Vec::new(), complaints: Vec::new() };
        for (who, contestant) in contest.contestants.iter().enumerate() {
            let answer = &answers[who];
            let objection = objection(answer, contestant.promise, expectation, limited);
            let end = match answer.status {
                Status::Found => End::Solved(answer.cost),
                Status::LimitReached => End::Limit,
                _ => End::Unsolved,
            };
            let found = answer.status == Status::Found;
            let best = expectation.cost().filter(|&best| best > 0.0 && found);
            let (path, stats) = (self.scratches[who].path(), self.scratches[who].stats());
            row.records.push(Record {
                expanded: stats.expanded,
                end,
                ratio: best.map(|best| answer.cost / best),
                smoothed_ratio: best
                    .filter(|_| any_angle)
                    .map(|best| path.smoothed(grid).cost() / best),
                turns: path.turns(),
                wrong: objection.is_some(),
                pace: None,
                reused: stats.reused,
            });
            row.complaints.extend(objection.map(|what| self.complaint(place, who, &what)));
        }
        row
    }

    fn complaint(&self, place: usize, who: usize, what: &str) -> String {
        let pick = self.picks[self.turns[place]];
        let scenario = &self.course.scenarios[pick];
        format!(
            "{}, query {} from {} to {}, {}: {what}",
            self.course.name,
            pick + 1,
            scenario.start,
            scenario.goal,
            self.contest.contestants[who].name
        )
    }

    /// Inverts the cells of rectangles, but for the ends of the query, and lets every planner repair
    /// itself.
    fn edit(
        &mut self,
        grid: &mut Grid,
        team: &mut Team,
        rects: &[Rect],
        (place, round): (usize, usize),
        way: usize,
    ) -> Result<(), Failure> {
        let clock = self.edit_clock;
        let failed = |error| (self.contest.yardstick, error);
        let mut shared = 0.0;
        for &rect in rects {
            if (rect.width, rect.height) == (1, 1) {
                let cell = Cell::new(rect.x, rect.y);
                let start = clock.start();
                let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                grid.set(cell, tile).map_err(failed)?;
                shared += clock.since(start);
                continue;
            }
            let scenario = &self.course.scenarios[self.picks[self.turns[place]]];
            let spared = |cell: Cell| cell == scenario.start || cell == scenario.goal;
            let cells: Vec<u8> =
                rect.cells().map(|cell| u8::from(grid.is_free(cell) == spared(cell))).collect();
            let start = clock.start();
            grid.patch_bytes(rect, &cells).map_err(failed)?;
            shared += clock.since(start);
        }
        for who in self.order(place + round) {
            let start = clock.start();
            let update = team[who].update(grid).map_err(|error| (who, error))?;
            let micros = shared + clock.since(start);
            if let Some(round) = round.checked_sub(1) {
                let made = update.tables_made > 0;
                lock(self.sheet).edits(round, who).add(way, micros, made);
            }
        }
        Ok(())
    }

    /// What changes before a query: that depends on the seed, the map's name, the query's place in
    /// its file and the round, and on nothing else.
    fn what_to_invert(&self, place: usize, round: usize, edits: u64) -> Vec<Rect> {
        let pick = self.picks[self.turns[place]];
        let scenario = &self.course.scenarios[pick];
        let grid = &self.course.grid;
        let (width, height) = (grid.width(), grid.height());
        if width * height <= 2 {
            return Vec::new();
        }
        let name = self.course.name.bytes();
        let mixed = name
            .fold(self.plan.seed, |mixed, byte| Random::new(mixed ^ u64::from(byte)).next_u64());
        let rounds = (round as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Random::new(mixed.wrapping_add(pick as u64).wrapping_add(rounds));
        let (wide, tall) = (self.plan.patch.0.min(width), self.plan.patch.1.min(height));
        let single = (wide, tall) == (1, 1);
        let near = |cell: Cell| {
            let (x, y) = (cell.x.saturating_sub(1), cell.y.saturating_sub(1));
            let around = (x..cell.x + 2).flat_map(|x| (y..cell.y + 2).map(move |y| (x, y)));
            around.into_iter().any(|cell| grid.is_free(cell))
        };
        let suits = |cell: Cell| {
            let is_end = cell == scenario.start || cell == scenario.goal;
            !(single && is_end) && (self.plan.place == Place::Anywhere || near(cell))
        };
        let mut rects = Vec::new();
        // A map may have no ground at all; none is so poor in it that this is not enough.
        for _ in 0..1000 * edits {
            let x = random.below((width - wide + 1).into()) as u32;
            let y = random.below((height - tall + 1).into()) as u32;
            if suits(Cell::new(x + wide / 2, y + tall / 2)) {
                rects.push(Rect::new(x, y, wide, tall));
            }
            if rects.len() as u64 == edits {
                break;
            }
        }
        rects
    }
}
