//! The same queries for all contenders, in turn, and a proof of each answer.
//!
//! There are rounds over all queries. In each, all contenders answer one query before any gets the
//! next, so that a machine that slows down for a while slows down all of them; they take turns at
//! being first. A round gives one ratio of times for each contender; their median counts, with its
//! 95 % interval.
//!
//! Right before the clock starts, a contender answers the query before this one again. So it is
//! timed as in a stream of its own queries: the caches hold its own data rather than that of the
//! previous contender, but the way to this goal is new to the processor. Repeating the same query
//! several times in a row would flatter fast contenders: a short search is then predicted branch by
//! branch.
//!
//! The time of a query is the processor time of the thread or the time on the clock, whichever is
//! less. On a busy machine long queries are interrupted, so the clock alone would favour fast
//! contenders; reading the processor time takes a while itself, so it alone would favour slow ones.
//!
//! The time to prepare is the processor time of all threads together, because some planners use
//! several: the time it would take on one.
//!
//! The path of each answer is walked cell by cell under the movement rule, and its length is
//! computed again from its points; no contender is trusted. Under an any-angle rule each straight
//! piece is checked against the blocked cells that it passes.

use crate::contender::{Contender, Entry, end};
use crate::maps::{Map, Problem};
use crate::own::{REFERENCE, shortest};
use blockstar::{Grid, Moves, Path, Point};
use blockstar_reports::spread::Spread;
use cpu_time::{ProcessTime, ThreadTime};
use std::time::Instant;

/// How an answer turned out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// A legal path; its length over that of a shortest one.
    Solved(f64),
    /// No path, though there is one.
    Failed,
    /// A path that breaks the rule, does not lead from start to goal, or is too short to be true.
    Wrong,
}

/// One query answered by one contender.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The time in microseconds: the median of the rounds.
    pub us: f64,
    /// How it turned out.
    pub outcome: Outcome,
}

/// What one contender did on one map.
#[derive(Clone, Debug)]
pub struct Run {
    /// The set of the map.
    pub set: String,
    /// The name of the contender.
    pub entry: String,
    /// Whether it is one of blockstar's planners.
    pub own: bool,
    /// The movement rule.
    pub moves: Moves,
    /// The processor time to prepare for the map, in milliseconds.
    pub prepare_ms: f64,
    /// Its answers, in the order of the queries.
    pub samples: Vec<Sample>,
    /// The time of all queries together in each round, in microseconds.
    pub rounds: Vec<f64>,
}

/// Asks all entries that know the movement rule all queries of a map.
///
/// The first entry must be the reference. The lengths of [`shortest`], which must take part, are
/// taken as optimal; if the scenario file lists lengths, they must agree.
pub fn measure<'a>(
    map: &'a Map,
    moves: Moves,
    entries: &[Entry<'a>],
    repeat: usize,
) -> Result<Vec<Run>, Problem> {
    let repeat = repeat.max(1);
    let mut runs = Vec::new();
    let mut contenders: Vec<Box<dyn Contender + 'a>> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.rules.contains(&moves.rule())) {
        let work = ProcessTime::now();
        let prepared = (entry.prepare)(&map.grid, moves)?;
        let prepare_ms = 1e3 * work.elapsed().as_secs_f64();
        contenders.push(prepared);
        runs.push(Run {
            set: map.set.clone(),
            entry: entry.name.clone(),
            own: entry.own,
            moves,
            prepare_ms,
            samples: Vec::with_capacity(map.tasks.len()),
            rounds: vec![0.0; repeat],
        });
    }
    debug_assert!(runs.first().is_some_and(|run| run.entry == REFERENCE));
    let exact = shortest(moves.rule());
    let judge_of_all = runs
        .iter()
        .position(|run| run.entry == exact)
        .ok_or_else(|| Problem(format!("under {moves}, `{exact}` has to take part")))?;

    // Warm-up: memory grows to what the queries need, and the system provides its pages, which
    // happens only when they are first touched.
    for contender in &mut contenders {
        for task in &map.tasks {
            contender.solve(task.start, task.goal);
            contender.route();
        }
    }

    // By contender, query and round.
    let mut times = vec![vec![Vec::with_capacity(repeat); map.tasks.len()]; contenders.len()];
    for round in 0..repeat {
        for (number, task) in map.tasks.iter().enumerate() {
            let before = map.tasks[number.checked_sub(1).unwrap_or(map.tasks.len() - 1)];
            for turn in 0..contenders.len() {
                let who = (turn + round + number) % contenders.len();
                contenders[who].solve(before.start, before.goal);
                contenders[who].route();
                let us = 1e6 * seconds(|| contenders[who].solve(task.start, task.goal));
                times[who][number].push(us);
                runs[who].rounds[round] += us;
            }
        }
    }
    for (number, task) in map.tasks.iter().enumerate() {
        let answers: Vec<_> = contenders
            .iter_mut()
            .map(|contender| {
                contender.solve(task.start, task.goal);
                contender.route()
            })
            .collect();
        let ends = [task.start, task.goal].map(|cell| end(moves, cell));
        let lengths: Vec<_> = answers
            .iter()
            .map(|route| proven_length(&map.grid, moves, ends, route.as_deref()))
            .collect();
        let optimum = match lengths[judge_of_all] {
            Ok(Some(length)) => length,
            _ => f64::INFINITY,
        };
        // Scenario files list lengths for the rule that cuts no corners.
        if let Some(listed) = task.listed.filter(|_| moves == Moves::EIGHT)
            && (optimum - listed).abs() > f64::max(0.0101, 1e-5 * listed)
        {
            return Err(Problem(format!(
                "{} {}: {exact} finds {optimum} from {} to {}, but {listed} is listed",
                map.set, map.name, task.start, task.goal
            )));
        }
        for ((run, length), times) in runs.iter_mut().zip(&lengths).zip(&times) {
            let us = Spread::of(times[number].iter().copied()).map_or(f64::NAN, |one| one.median);
            run.samples.push(Sample { us, outcome: judge(*length, optimum) });
        }
    }
    Ok(runs)
}

/// The time of a piece of work; see the [module](self) for the two clocks.
fn seconds(work: impl FnOnce()) -> f64 {
    let processor = ThreadTime::now();
    let clock = Instant::now();
    work();
    clock.elapsed().min(processor.elapsed()).as_secs_f64()
}

/// The length of a route, computed from its points, if it is legal from end to end; `None` for no
/// route.
fn proven_length(
    grid: &Grid,
    moves: Moves,
    ends: [Point; 2],
    route: Option<&[Point]>,
) -> Result<Option<f64>, ()> {
    let Some(points) = route else { return Ok(None) };
    if points.first() != Some(&ends[0]) || points.last() != Some(&ends[1]) {
        return Err(());
    }
    let path = Path::new(grid, moves, points.iter().copied());
    path.check(grid, moves).map(|()| Some(path.cost())).map_err(|_| ())
}

fn judge(length: Result<Option<f64>, ()>, optimum: f64) -> Outcome {
    match length {
        Ok(None) => Outcome::Failed,
        Ok(Some(length)) if length >= optimum * (1.0 - 1e-9) => Outcome::Solved(length / optimum),
        _ => Outcome::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Task;
    #[cfg(feature = "peers")]
    use crate::{own, peers};
    use blockstar::{Cell, generate};

    #[test]
    fn lengths_are_computed_from_the_points_and_illegal_routes_refused() {
        let grid = Grid::from_ascii("..#\n...").unwrap();
        let points = |cells: &[(u32, u32)]| -> Vec<Point> {
            cells.iter().map(|&(x, y)| Cell::new(x, y).into()).collect()
        };
        let ends = [Cell::new(0, 0), Cell::new(2, 1)].map(Point::from);
        let length = |moves, cells| proven_length(&grid, moves, ends, Some(&points(cells)));
        let turning = [(0, 0), (1, 1), (2, 1)];
        assert_eq!(length(Moves::EIGHT, &turning), Ok(Some(1.0 + 2f64.sqrt())));
        let cutting = [(0, 0), (1, 0), (2, 1)];
        assert_eq!(length(Moves::EIGHT, &cutting), Err(()));
        assert_eq!(length(Moves::EIGHT_CUT_ANY, &cutting), Ok(Some(1.0 + 2f64.sqrt())));
        assert_eq!(length(Moves::EIGHT, &[(0, 0), (1, 1)]), Err(()), "stops too early");
        assert_eq!(proven_length(&grid, Moves::EIGHT, ends, None), Ok(None));
    }

    #[test]
    fn a_path_shorter_than_the_shortest_is_wrong() {
        assert_eq!(judge(Ok(Some(9.0)), 10.0), Outcome::Wrong);
        assert_eq!(judge(Ok(Some(15.0)), 10.0), Outcome::Solved(1.5));
        assert_eq!(judge(Ok(None), 10.0), Outcome::Failed);
    }

    #[cfg(feature = "peers")]
    #[test]
    fn peers_that_promise_shortest_paths_find_them() {
        let grid = generate::random(48, 40, 25.0, 7).unwrap();
        let task = |(start, goal)| Task { start, goal, listed: None };
        let tasks = generate::queries(&grid, 40, 3).into_iter().map(task).collect();
        let map = Map { set: "test".into(), name: "random".into(), grid, tasks };
        for moves in [Moves::EIGHT, Moves::EIGHT_CUT_ANY, Moves::ANY_ANGLE] {
            let names = ["astar", "jps", "anya", "visibility-graph"];
            let mut entries: Vec<_> = names.map(|name| own::planner(name).unwrap()).into();
            entries.extend(peers::all());
            for run in measure(&map, moves, &entries, 1).unwrap() {
                // Under the any-angle rule, A* steps from corner to corner.
                let exact = (run.own && (run.entry != REFERENCE || moves != Moves::ANY_ANGLE))
                    || run.entry.starts_with("petgraph")
                    || run.entry.starts_with("pathfinding")
                    || run.entry.starts_with("polyanya");
                for sample in run.samples {
                    let Outcome::Solved(ratio) = sample.outcome else {
                        panic!("{} under {moves}: {:?}", run.entry, sample.outcome)
                    };
                    assert!(ratio < if exact { 1.0 + 1e-9 } else { 2.0 }, "{}: {ratio}", run.entry);
                }
            }
        }
    }
}
