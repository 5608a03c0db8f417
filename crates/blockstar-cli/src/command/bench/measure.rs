//! Running the planners over the queries of a map and timing them.
//!
//! Noise must affect all planners alike: each query goes to every planner before the
//! next one, and each time another planner begins. Paths are checked after the clock has stopped.
//!
//! Times are those of a warm query. Search memory has grown before, and its pages have been
//! touched: the system hands them out on first touch, which takes longer than many queries of a
//! fast planner.

use super::contest::Contest;
use super::judge::{Answer, objection};
use super::pace::{Pace, watch};
use super::tally::{Edits, End, Record, Tally};
use crate::progress::Bar;
use blockstar::random::Random;
use blockstar::{Cell, Error, Grid, Memory, Planner, Query, Scratch, Status, Tile};
use blockstar_files::{Course, spread};
use cpu_time::ProcessTime;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How many queries of a map, at most, every planner answers before the clock runs.
const WARM_UP: usize = 100;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often each query is repeated; the smallest time counts.
    pub repeat: u32,
    /// How many threads share the queries of a map.
    pub threads: usize,
    /// How many cells change before each query; `None` leaves the map alone.
    pub edits: Option<u64>,
    /// The seed of the changes.
    pub seed: u64,
}

/// The results on one map.
#[derive(Debug)]
pub struct Outcome {
    /// One tally per contestant.
    pub tallies: Vec<Tally>,
    /// A sentence about each wrong answer, in the order of the queries.
    pub complaints: Vec<String>,
}

type Team = Vec<Box<dyn Planner>>;

/// Runs all contestants over the queries `picks` of a map.
pub fn run(
    contest: &Contest,
    course: &Course,
    picks: &[usize],
    plan: Plan,
    progress: &Bar,
) -> Result<Outcome, String> {
    let explain = |who: usize, error: &Error| {
        format!("{} on {}: {error}", contest.contestants[who].name, course.name)
    };
    let mut tallies = vec![Tally::default(); contest.contestants.len()];
    let mut teams: Vec<(Grid, Team)> = Vec::new();
    let threads = plan.threads.min(picks.len()).max(1);
    // Planners are shared between threads unless the map changes under them.
    for _ in 0..if plan.edits.is_some() { threads } else { 1 } {
        let grid = course.grid.clone();
        let mut team = Team::new();
        for (who, contestant) in contest.contestants.iter().enumerate() {
            let clock = Instant::now();
            let planner = contestant
                .choice
                .prepare(&grid, contest.moves)
                .map_err(|error| explain(who, &error))?;
            if teams.is_empty() {
                tallies[who].prepare_ms = clock.elapsed().as_secs_f64() * 1e3;
            }
            team.push(planner);
        }
        teams.push((grid, team));
    }
    let next = AtomicUsize::new(0);
    let lane = || Lane {
        contest,
        course,
        picks,
        plan,
        next: &next,
        progress,
        scratches: contest.contestants.iter().map(|_| Scratch::new()).collect(),
        harvest: Harvest::new(contest.contestants.len()),
    };
    let (failed, lanes): (Vec<_>, Vec<_>) = std::thread::scope(|scope| {
        let handles: Vec<_> = if let Some(edits) = plan.edits {
            let own = teams.iter_mut();
            own.map(|(grid, team)| scope.spawn(move || lane().run_edited(grid, team, edits)))
                .collect()
        } else {
            let (grid, team) = &teams[0];
            (0..threads).map(|_| scope.spawn(move || lane().run(grid, team))).collect()
        };
        let joined = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.partition(Result::is_err)
    });
    if let Some((who, error)) = failed.into_iter().find_map(Result::err) {
        return Err(explain(who, &error));
    }
    let mut rows = Vec::new();
    for harvest in lanes.into_iter().flatten() {
        rows.extend(harvest.rows);
        for (tally, bytes) in tallies.iter_mut().zip(harvest.scratch_bytes) {
            tally.scratch_bytes = tally.scratch_bytes.max(bytes);
        }
        for (tally, edits) in tallies.iter_mut().zip(&harvest.edits) {
            tally.add_edits(edits);
        }
    }
    // The result must not depend on which thread took which query.
    rows.sort_by_key(|row| row.turn);
    let mut complaints = Vec::new();
    for row in rows {
        for (tally, record) in tallies.iter_mut().zip(&row.records) {
            tally.add(record);
        }
        complaints.extend(row.complaints);
    }
    for (tally, planner) in tallies.iter_mut().zip(&teams[0].1) {
        let memory = planner.memory_usage();
        tally.memory_bytes = memory.total();
        tally.connectivity_bytes = memory.part(Memory::CONNECTIVITY);
    }
    let middle = tallies[contest.yardstick].middle_us();
    tallies.iter_mut().for_each(|tally| tally.weigh_edits(middle));
    Ok(Outcome { tallies, complaints })
}

/// The two ways of [`Edits`].
const THERE: usize = 0;
const BACK: usize = 1;

/// What one thread does.
struct Lane<'a> {
    contest: &'a Contest,
    course: &'a Course,
    picks: &'a [usize],
    plan: Plan,
    next: &'a AtomicUsize,
    progress: &'a Bar,
    scratches: Vec<Scratch>,
    harvest: Harvest,
}

/// The results of one thread.
struct Harvest {
    rows: Vec<QueryRow>,
    scratch_bytes: Vec<usize>,
    /// Per contestant.
    edits: Vec<Edits>,
}

impl Harvest {
    fn new(contestants: usize) -> Self {
        Self {
            rows: Vec::new(),
            scratch_bytes: Vec::new(),
            edits: vec![Edits::default(); contestants],
        }
    }
}

/// The answers of all contestants to one query.
struct QueryRow {
    turn: usize,
    records: Vec<Record>,
    complaints: Vec<String>,
}

/// An error with the number of the contestant that gave it.
type Failure = (usize, Error);

impl Lane<'_> {
    /// Takes queries until none is left.
    fn run(mut self, grid: &Grid, team: &Team) -> Result<Harvest, Failure> {
        self.warm_up(grid, team)?;
        while let Some(turn) = self.take() {
            self.ask(grid, team, turn)?;
        }
        Ok(self.finish())
    }

    /// The same on a separate map that is edited before each query. After the query the edits
    /// are undone, so that a query's map does not depend on the queries before it; undoing is as
    /// much work as editing and is timed as well.
    fn run_edited(
        mut self,
        grid: &mut Grid,
        team: &mut Team,
        edits: u64,
    ) -> Result<Harvest, Failure> {
        self.warm_up(grid, team)?;
        let mut undo = Vec::new();
        while let Some(turn) = self.take() {
            if !undo.is_empty() {
                self.edit(grid, team, &undo, turn, BACK)?;
            }
            if self.contest.reuse {
                self.ask_before(grid, team, turn)?;
            }
            undo = self.cells_to_toggle(turn, edits);
            self.edit(grid, team, &undo, turn, THERE)?;
            self.ask(grid, team, turn)?;
        }
        Ok(self.finish())
    }

    fn take(&self) -> Option<usize> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        (turn < self.picks.len()).then_some(turn)
    }

    fn finish(mut self) -> Harvest {
        self.harvest.scratch_bytes = self.scratches.iter().map(Scratch::memory_usage).collect();
        self.harvest
    }

    /// Lets every contestant answer a sample of the queries, untimed.
    fn warm_up(&mut self, grid: &Grid, team: &Team) -> Result<(), Failure> {
        let sample = spread(self.picks.len(), 1, Some(WARM_UP));
        for (who, contestant) in self.contest.contestants.iter().enumerate() {
            for &turn in &sample {
                let scenario = &self.course.scenarios[self.picks[turn]];
                let query = self.contest.query(contestant, scenario);
                let scratch = &mut self.scratches[who];
                team[who].find(grid, &query, scratch).map_err(|error| (who, error))?;
            }
        }
        Ok(())
    }

    /// Asks every contestant once, untimed, on the map before its edits.
    fn ask_before(&mut self, grid: &Grid, team: &Team, turn: usize) -> Result<(), Failure> {
        let scenario = &self.course.scenarios[self.picks[turn]];
        for (who, contestant) in self.contest.contestants.iter().enumerate() {
            let query = self.contest.query(contestant, scenario);
            let answer = team[who].find(grid, &query, &mut self.scratches[who]);
            answer.map_err(|error| (who, error))?;
        }
        Ok(())
    }

    /// Asks every contestant, as often as planned, and judges the answers.
    fn ask(&mut self, grid: &Grid, team: &Team, turn: usize) -> Result<(), Failure> {
        let contest = self.contest;
        let pick = self.picks[turn];
        let scenario = &self.course.scenarios[pick];
        let count = team.len();
        let queries: Vec<Query> =
            contest.contestants.iter().map(|c| contest.query(c, scenario)).collect();
        let mut timed = vec![(f64::INFINITY, Status::Working); count];
        let mut paces: Vec<Option<Pace>> = vec![None; count];
        for _ in 0..self.plan.repeat {
            for who in (0..count).map(|step| (turn + step) % count) {
                let scratch = &mut self.scratches[who];
                let promise = contest.contestants[who].promise;
                let pace = watch(promise, &*team[who], grid, &queries[who], scratch);
                let pace = pace.map_err(|error| (who, error))?;
                paces[who] = pace.map(|pace| pace.calmer(paces[who]));
                let clock = Instant::now();
                let status = team[who].find(grid, &queries[who], scratch);
                let micros = clock.elapsed().as_secs_f64() * 1e6;
                timed[who] = (timed[who].0.min(micros), status.map_err(|error| (who, error))?);
            }
        }
        let answers: Vec<Answer> = (0..count)
            .map(|who| {
                let scratch = &self.scratches[who];
                Answer::read(timed[who].1, scratch, grid, contest.moves, &queries[who])
            })
            .collect();
        let expectation = contest.expectation(scenario, &answers, self.plan.edits.is_some());
        let limited = contest.max_expansions.is_some();
        let mut row = QueryRow { turn, records: Vec::new(), complaints: Vec::new() };
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
            let path = self.scratches[who].path();
            let any_angle = contest.moves.rule().is_any_angle();
            row.records.push(Record {
                micros: timed[who].0,
                expanded: self.scratches[who].stats().expanded,
                end,
                ratio: best.map(|best| answer.cost / best),
                smoothed_ratio: best
                    .filter(|_| any_angle)
                    .map(|best| path.smoothed(grid).cost() / best),
                turns: path.turns(),
                wrong: objection.is_some(),
                pace: paces[who].map(|pace| Pace { walk_us: timed[who].0, ..pace }),
                reused: self.scratches[who].stats().reused,
            });
            if let Some(objection) = objection {
                let (start, goal) = (scenario.start, scenario.goal);
                row.complaints.push(format!(
                    "{}, query {} from {start} to {goal}, {}: {objection}",
                    self.course.name,
                    pick + 1,
                    contestant.name
                ));
            }
        }
        self.harvest.rows.push(row);
        self.progress.inc();
        Ok(())
    }

    /// Toggles the cells and lets every planner repair itself.
    fn edit(
        &mut self,
        grid: &mut Grid,
        team: &mut Team,
        cells: &[Cell],
        turn: usize,
        way: usize,
    ) -> Result<(), Failure> {
        let (processor, clock) = (ProcessTime::now(), Instant::now());
        for &cell in cells {
            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
            grid.set(cell, tile).map_err(|error| (self.contest.yardstick, error))?;
        }
        let shared = clock.elapsed().min(processor.elapsed()).as_secs_f64();
        let count = team.len();
        for who in (0..count).map(|step| (turn + step) % count) {
            // An edit is so short that a single interruption by another program outweighs a
            // thousand undisturbed ones. Processor time leaves that out; it covers all threads, so
            // that work handed to other threads counts.
            let (processor, clock) = (ProcessTime::now(), Instant::now());
            let update = team[who].update(grid).map_err(|error| (who, error))?;
            let passed = clock.elapsed().min(processor.elapsed());
            let micros = (shared + passed.as_secs_f64()) * 1e6;
            let edits = &mut self.harvest.edits[who];
            edits.micros[way] += micros;
            edits.batches[way] += 1;
            if update.tables_made > 0 {
                edits.made[way] += 1;
                edits.made_micros += micros;
            }
        }
        Ok(())
    }

    /// The cells that change before a query: they depend on the seed, the map's name and the
    /// query's place in its file, and on nothing else. Every cell of the map is as likely as any
    /// other, including cells amid walls, where an edit is cheap: real edits may be worse, but this
    /// is simple to state and to repeat.
    fn cells_to_toggle(&self, turn: usize, edits: u64) -> Vec<Cell> {
        let pick = self.picks[turn];
        let scenario = &self.course.scenarios[pick];
        let (width, height) = (self.course.grid.width(), self.course.grid.height());
        let spared = |cell: &Cell| *cell == scenario.start || *cell == scenario.goal;
        if width * height <= 2 {
            return Vec::new();
        }
        let name = self.course.name.bytes();
        let mixed = name
            .fold(self.plan.seed, |mixed, byte| Random::new(mixed ^ u64::from(byte)).next_u64());
        let mut random = Random::new(mixed.wrapping_add(pick as u64));
        let mut cells = Vec::new();
        while (cells.len() as u64) < edits {
            let x = random.below(width.into()) as u32;
            let y = random.below(height.into()) as u32;
            let cell = Cell::new(x, y);
            if !spared(&cell) {
                cells.push(cell);
            }
        }
        cells
    }
}
