//! Planners side by side on the same problems, in one thread.
//!
//! Each problem goes to every planner before the next one, each time in a different order, so that
//! noise affects all alike and no planner always finds the caches warm. The time of a query is its
//! wall-clock time or the processor time of the thread, whichever is less: the clock also counts
//! other programs, and reading the processor time takes longer than the fastest queries. All
//! problems of a map are run several times, and each repeat is timed separately: the spread of the
//! repeats shows what is noise. In the first one every path is proved legal, and none may cost less
//! than the optimum: a wrong answer ends the race.

use crate::Progress;
use crate::noise::Repeats;
use blockstar::random::Random;
use blockstar::{
    Algorithm, Grid, Heuristic, Moves, Planner, PlannerSpec, Point, Query, Scratch, Status,
};
use cpu_time::{ProcessTime, ThreadTime};
use serde::Serialize;
use std::rc::Rc;
use std::time::Instant;

/// A map with problems.
#[derive(Debug)]
pub struct Course {
    /// Its name in messages.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// From where to where.
    pub pairs: Vec<(Point, Point)>,
}

/// A planner in a race.
#[derive(Clone, Debug)]
pub struct Runner {
    key: String,
    label: String,
    spec: PlannerSpec,
    heuristic: Option<Heuristic>,
    smooth: bool,
    equal_to: Option<&'static str>,
}

impl Runner {
    /// A planner of the registry under a key for the numbers and a label for people.
    pub fn new(key: &str, label: &str, planner: &str) -> Result<Self, blockstar::Error> {
        Ok(Self {
            key: key.into(),
            label: label.into(),
            spec: Algorithm::named(planner)?,
            heuristic: None,
            smooth: true,
            equal_to: None,
        })
    }

    /// Its key in the numbers.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The same with a heuristic other than the planner's own.
    pub fn heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic: Some(heuristic), ..self }
    }

    /// The same without smoothing.
    pub fn raw(self) -> Self {
        Self { smooth: false, ..self }
    }

    /// The same, requiring that its paths cost the same as those of another runner.
    pub fn equal_to(self, key: &'static str) -> Self {
        Self { equal_to: Some(key), ..self }
    }

    fn query(&self, (start, goal): (Point, Point)) -> Query {
        let query = Query::new(start, goal);
        let query = if self.smooth { query } else { query.without_smoothing() };
        match self.heuristic {
            Some(heuristic) => query.heuristic(heuristic),
            None => query,
        }
    }
}

/// Totals of a runner.
#[derive(Clone, Debug, Default)]
struct Tally {
    seconds: Repeats,
    prepare_seconds: f64,
    length: f64,
    smoothed: f64,
    turns: usize,
    expanded: u64,
    reexpanded: u64,
    sight_checks: u64,
    table_bytes: usize,
}

/// The means of a runner over a race.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The runner's key in the numbers.
    pub key: String,
    /// Its label for people.
    pub label: String,
    /// The planner with its parameters, as on the command line.
    pub planner: String,
    #[serde(flatten)]
    pub path: PathMeans,
    #[serde(flatten)]
    pub work: WorkMeans,
    /// The time of a query in microseconds, and the same in each repeat.
    pub mean_us: f64,
    pub repeats_us: Repeats,
    /// The processor time to prepare a map, of all threads together.
    pub mean_prepare_ms: f64,
    /// The tables of the map that needs the most.
    pub table_bytes: usize,
}

/// The paths that a runner found.
#[derive(Clone, Debug, Serialize)]
pub struct PathMeans {
    /// The length of the path.
    pub mean_length: f64,
    /// The same divided by that of the optimum, if it took part.
    pub length_over_optimum: Option<f64>,
    /// The length after smoothing; only under the any-angle rules.
    pub mean_smoothed_length: Option<f64>,
    /// How often a path changes its heading.
    pub mean_turns: f64,
}

/// What a runner did to find them.
#[derive(Clone, Debug, Serialize)]
pub struct WorkMeans {
    /// Nodes, blocks or intervals taken from the open list.
    pub mean_expansions: f64,
    /// Repeated expansions per expanded node.
    pub reexpansions_per_node: f64,
    /// Line-of-sight checks.
    pub mean_sight_checks: f64,
}

/// What was run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Distance {
    /// How many maps.
    pub maps: usize,
    /// How many problems on them together.
    pub problems: usize,
}

/// Planners under one movement rule.
#[derive(Debug)]
pub struct Race {
    moves: Moves,
    runners: Vec<Runner>,
    optimum: Option<usize>,
    scratches: Vec<Scratch>,
    tallies: Vec<Tally>,
    repeats: usize,
    distance: Distance,
}

/// Costs added up in a different order may differ by this much.
const SLACK: f64 = 1e-6;

impl Race {
    /// A race; no runner may beat the one with the key `optimum`, if there is one.
    pub fn new(moves: Moves, runners: Vec<Runner>, optimum: &str) -> Self {
        Self {
            moves,
            optimum: runners.iter().position(|runner| runner.key == optimum),
            scratches: runners.iter().map(|_| Scratch::new()).collect(),
            tallies: vec![Tally::default(); runners.len()],
            runners,
            repeats: Repeats::COUNT,
            distance: Distance::default(),
        }
    }

    /// The same without repeats, where only the answers count.
    pub fn untimed(self) -> Self {
        Self { repeats: 1, ..self }
    }

    /// Runs all problems of a map. Returns what each runner has prepared for it.
    pub fn run(
        &mut self,
        course: &Course,
        progress: &dyn Progress,
    ) -> Result<Vec<Rc<dyn Planner>>, String> {
        let (grid, moves) = (&course.grid, self.moves);
        // Runners with the same planner, asked in different ways, share it.
        let mut prepared: Vec<(String, Rc<dyn Planner>, f64)> = Vec::new();
        let mut team = Vec::new();
        for (runner, tally) in self.runners.iter().zip(&mut self.tallies) {
            let name = runner.spec.to_string();
            let known = prepared.iter().position(|planner| planner.0 == name);
            let index = match known {
                Some(index) => index,
                None => {
                    let clock = ProcessTime::now();
                    let planner = runner.spec.prepare(grid, moves);
                    let planner = planner.map_err(|error| format!("{name}: {error}"))?;
                    prepared.push((name, planner.into(), clock.elapsed().as_secs_f64()));
                    prepared.len() - 1
                }
            };
            let (_, planner, seconds) = &prepared[index];
            tally.prepare_seconds += seconds;
            tally.table_bytes = tally.table_bytes.max(planner.memory_usage().part("tables"));
            team.push(Rc::clone(planner));
        }
        let far = |pair: &&(Point, Point)| (pair.0.distance(pair.1) * 1024.0) as u64;
        if let Some(&longest) = course.pairs.iter().max_by_key(far) {
            // Grows the search memory, untimed.
            for ((runner, planner), scratch) in
                self.runners.iter().zip(&team).zip(&mut self.scratches)
            {
                let found = planner.find(grid, &runner.query(longest), scratch);
                found.map_err(|error| format!("{}: {error}", runner.spec))?;
            }
        }
        for repeat in 0..self.repeats {
            for (turn, &pair) in course.pairs.iter().enumerate() {
                self.ask(course, &team, (turn, repeat), pair)?;
                if repeat == 0 {
                    self.judge(course, pair)?;
                }
                progress.step();
            }
        }
        self.distance.maps += 1;
        self.distance.problems += course.pairs.len();
        Ok(team)
    }

    /// Gives a problem to all runners, timed.
    fn ask(
        &mut self,
        course: &Course,
        team: &[Rc<dyn Planner>],
        (turn, repeat): (usize, usize),
        pair: (Point, Point),
    ) -> Result<(), String> {
        let grid = &course.grid;
        let mut order: Vec<usize> = (0..team.len()).collect();
        Random::new((turn * Repeats::COUNT + repeat) as u64).shuffle(&mut order);
        for who in order {
            let (runner, scratch) = (&self.runners[who], &mut self.scratches[who]);
            let query = runner.query(pair);
            let (clock, processor) = (Instant::now(), ThreadTime::now());
            let status = team[who].find(grid, &query, scratch);
            let time = clock.elapsed().min(processor.elapsed());
            self.tallies[who].seconds.add(repeat, time.as_secs_f64());
            match status {
                Ok(Status::Found) => {}
                Ok(other) => {
                    return Err(fault(runner, course, pair, &format!("it ended with {other:?}")));
                }
                Err(error) => return Err(fault(runner, course, pair, &error.to_string())),
            }
        }
        Ok(())
    }

    /// Checks the answers of all runners to a problem and adds them up.
    fn judge(&mut self, course: &Course, pair: (Point, Point)) -> Result<(), String> {
        let grid = &course.grid;
        let fault = |runner: &Runner, what: String| fault(runner, course, pair, &what);
        let optimum = self.optimum.map(|who| self.scratches[who].path().cost());
        for (who, runner) in self.runners.iter().enumerate() {
            let (path, stats) = (self.scratches[who].path(), self.scratches[who].stats());
            path.check(grid, self.moves).map_err(|error| fault(runner, error.to_string()))?;
            if (path.points().first(), path.points().last()) != (Some(&pair.0), Some(&pair.1)) {
                return Err(fault(runner, "its path leads elsewhere".into()));
            }
            let cost = path.cost();
            if let Some(best) = optimum.filter(|best| cost < best - SLACK) {
                return Err(fault(runner, format!("{cost} is less than the optimum, {best}")));
            }
            if let Some(peer) = runner.equal_to.and_then(|key| self.position(key)) {
                let other = self.scratches[peer].path().cost();
                if (cost - other).abs() > SLACK {
                    let peer = &self.runners[peer].spec;
                    return Err(fault(runner, format!("it costs {cost}, but {other} by {peer}")));
                }
            }
            let tally = &mut self.tallies[who];
            tally.length += cost;
            if self.moves.rule().is_any_angle() {
                tally.smoothed += path.smoothed(grid).cost();
            }
            tally.turns += path.turns();
            tally.expanded += stats.expanded;
            tally.reexpanded += stats.reexpanded;
            tally.sight_checks += stats.sight_checks;
        }
        Ok(())
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.runners.iter().position(|runner| runner.key == key)
    }

    /// The movement rule.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// What it was run on.
    pub fn distance(&self) -> Distance {
        self.distance
    }

    /// The means.
    pub fn rows(&self) -> Vec<Row> {
        let Distance { maps, problems } = self.distance;
        let problems = problems.max(1) as f64;
        let any_angle = self.moves.rule().is_any_angle();
        let best = self.optimum.map(|who| self.tallies[who].length);
        let row = |(runner, tally): (&Runner, &Tally)| {
            let repeats_us = tally.seconds.times(1e6 / problems);
            let path = PathMeans {
                mean_length: tally.length / problems,
                length_over_optimum: best.map(|best| tally.length / best),
                mean_smoothed_length: any_angle.then_some(tally.smoothed / problems),
                mean_turns: tally.turns as f64 / problems,
            };
            let work = WorkMeans {
                mean_expansions: tally.expanded as f64 / problems,
                reexpansions_per_node: tally.reexpanded as f64
                    / (tally.expanded - tally.reexpanded).max(1) as f64,
                mean_sight_checks: tally.sight_checks as f64 / problems,
            };
            Row {
                key: runner.key.clone(),
                label: runner.label.clone(),
                planner: runner.spec.to_string(),
                path,
                work,
                mean_us: repeats_us.mean(),
                repeats_us,
                mean_prepare_ms: tally.prepare_seconds * 1e3 / maps.max(1) as f64,
                table_bytes: tally.table_bytes,
            }
        };
        self.runners.iter().zip(&self.tallies).map(row).collect()
    }
}

fn fault(runner: &Runner, course: &Course, (from, to): (Point, Point), what: &str) -> String {
    format!("a wrong answer: {} on {} from {from} to {to}: {what}", runner.spec, course.name)
}
