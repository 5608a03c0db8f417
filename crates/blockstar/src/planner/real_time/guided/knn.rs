//! kNN LRTA*: problems solved beforehand, and the most similar one as a guide.
//!
//! V. Bulitko, Y. Björnsson & R. Lawrence, *Case-Based Subgoaling in Real-Time Heuristic Search for
//! Video Game Pathfinding*, 2010. Offline, N random problems are solved optimally, and each path is
//! compressed into subgoals, each climbable from the one before. Online, the agent looks at the k
//! records most similar to its problem, by the sum of the estimates between the starts and between
//! the goals, and takes the first whose start it can climb to and from whose goal it can climb to
//! its own. Then it walks to the record's start, from subgoal to subgoal, and on to its goal.
//! Without such a record it walks as LRTA* does: nothing guarantees that the records cover the map.
//!
//! Built from descriptions; the text of the paper was not at hand. What is decided here:
//! * An agent without a record asks again from where LRTA* has taken it. (A record, once found,
//!   leads to the goal, so that cannot go on for ever.)
//! * An agent that can climb straight to its goal does so.
//! * Climbs that are tried before the first move count as work of that move, one per step, and end
//!   when its work (`work`) is used up.
//! * Records are found in a k-d tree over the four coordinates, not by looking at all of them.
//! * Paths are found by jump point search (by A* with four moves), on all cores. The problems
//!   depend only on the map.
//! * After an edit all records are prepared again: a freed cell may make any of them longer than
//!   necessary.
//!
//! Published: paths many times better than those of earlier real-time searches, without a guarantee
//! that records cover the map; the ends of a record can be climbed to, which holds here because
//! records are chosen that way. Measured over ten problems on each of the ten large Dragon Age
//! maps, spread evenly over their scenarios: 9.4 % above the optimum, from 4.0 % on orz702d to 19 %
//! on orz103d, at 4.0 expansions per move on average; LRTA* without a guide walks 27 times the
//! optimum.

use super::climbing::{
    self, ClimbingGuide, SubgoalRoute, TrialClimbs, WorkBounds, climbing_settings,
};
use super::file::Amount;
use super::nearest::{Pair, PairIndex};
use super::{Guide, Guided};
use crate::db;
use crate::db::parameters::take_free;
use crate::engine::parallel;
use crate::engine::{Driver, MemoryPool, Problem};
use crate::planner::cell::astar::{AStar, AStarKind};
use crate::planner::cell::jps::Jps;
use crate::planner::real_time::lrta::AVOID;
use crate::random::Random;
use crate::regions::climb::{Climber, Notion};
use crate::registry::{kind, parameters};
use crate::{
    Algorithm, Cell, DatabaseKind, Grid, Memory, Moves, Planner, PlannerSpec, Query, Rule, Scratch,
    Status,
};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "knn-lrta-star",
    summary: "kNN LRTA*: follows the most similar of many problems solved beforehand",
    source: "Bulitko, Björnsson & Lawrence 2010",
    parameters: &[RECORDS, NEAREST, climbing::WORK, climbing::LOOKAHEAD, AVOID],
    ..Guided::<KnnRecords>::BASE
};

parameters! {
    RECORDS = "records", "0-1000000|auto", "auto",
        "how many problems are solved beforehand: one for 16 free cells, at most 10,000";
    NEAREST = "nearest", "0-1000", "10", "how many of the most similar ones are looked at";
}

climbing_settings! { kind::KnnLrtaStar:
    /// The number of problems solved beforehand; by default one per 16 free cells, at most 10,000.
    records(count: u32) = "records", count;
    /// The number of most similar ones to try.
    nearest(count: u32) = "nearest", count;
}

/// More steps than any climb has.
const NO_CUT_OFF: u32 = u32::MAX;

/// How records are used.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnnSettings {
    /// The number of most similar ones looked at.
    pub nearest: u32,
    pub bounds: WorkBounds,
}

/// Solved problems, and where to find similar ones.
#[derive(Clone, Debug, Default)]
pub(super) struct KnnRecords {
    /// The start and the goal of each, and where its subgoals end.
    ends: Vec<(u32, u32, u32)>,
    subgoals: Vec<u32>,
    index: PairIndex,
}

impl KnnRecords {
    /// Start, goal and the subgoals between them.
    fn get(&self, index: u32) -> Option<(u32, u32, &[u32])> {
        let index = index as usize;
        let &(start, goal, end) = self.ends.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before].2);
        Some((start, goal, self.subgoals.get(begin as usize..end as usize)?))
    }

    /// The same with an index.
    fn indexed(mut self, grid: &Grid, moves: Moves) -> Self {
        self.index = PairIndex::new(self.ends.iter().map(|ends| pair(grid, ends.0, ends.1)), moves);
        self
    }
}

impl Guide for KnnRecords {
    const ROW: &'static Algorithm = &ROW;
    const KIND: DatabaseKind = DatabaseKind::KnnRecords;

    type Settings = KnnSettings;

    fn settings(spec: &PlannerSpec) -> KnnSettings {
        KnnSettings { nearest: spec.number(NEAREST.name), bounds: WorkBounds::of(spec) }
    }

    /// Solves `amount` problems, by default one per 16 free cells, at most 10,000.
    fn prepare(grid: &Grid, moves: Moves, amount: Amount) -> Self {
        let usual = || (grid.free_cells() / 16).clamp(1, 10_000);
        let count = amount.map_or_else(usual, |count| count as usize);
        solve(grid, moves, count).indexed(grid, moves)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(self.ends.len() as u32);
        add(self.subgoals.len() as u32);
        for &(start, goal, end) in &self.ends {
            [start, goal, end].into_iter().for_each(&mut add);
        }
        self.subgoals.iter().for_each(|&subgoal| add(subgoal));
    }

    fn read(mut payload: &[u8], grid: &Grid, moves: Moves) -> Option<Self> {
        let count = db::take_u32(&mut payload)?;
        let subgoals = db::take_u32(&mut payload)?;
        // Nothing is allocated before this holds.
        if payload.len() as u64 != 12 * u64::from(count) + 4 * u64::from(subgoals) {
            return None;
        }
        let mut records = Self::default();
        let mut last = 0;
        for _ in 0..count {
            let (start, goal) = (take_free(&mut payload, grid)?, take_free(&mut payload, grid)?);
            let end = db::take_u32(&mut payload).filter(|&end| end >= last && end <= subgoals)?;
            last = end;
            records.ends.push((start, goal, end));
        }
        if last != subgoals {
            return None;
        }
        for _ in 0..subgoals {
            records.subgoals.push(take_free(&mut payload, grid)?);
        }
        Some(records.indexed(grid, moves))
    }

    fn memory(&self, memory: Memory) -> Memory {
        memory
            .with("records", self.ends.capacity() * size_of::<(u32, u32, u32)>())
            .with("subgoals", self.subgoals.capacity() * 4)
            .with("index", self.index.bytes())
    }

    fn begin(&self, problem: &Problem<'_>, pool: &mut MemoryPool) {
        climbing::begin(problem, pool);
    }
}

impl ClimbingGuide for KnnRecords {
    const ANSWERS_AGAIN: bool = true;

    fn bounds(settings: &KnnSettings) -> WorkBounds {
        settings.bounds
    }

    fn ask(
        &self,
        settings: &KnnSettings,
        problem: &Problem<'_>,
        at: u32,
        route: &mut SubgoalRoute,
        trials: &mut TrialClimbs<'_>,
    ) {
        let SubgoalRoute { subgoals, asked, nearest, .. } = route;
        if std::mem::replace(asked, true) {
            return;
        }
        let goal = problem.goal_node();
        if trials.arrives(at, goal) {
            subgoals.push(goal);
            return;
        }
        self.index.nearest(pair(problem.grid, at, goal), settings.nearest as usize, nearest);
        for neighbour in nearest.iter() {
            let Some((start, end, between)) = self.get(neighbour.index) else { continue };
            if trials.arrives(at, start) && trials.arrives(end, goal) {
                subgoals.extend([goal, end]);
                subgoals.extend(between.iter().rev());
                subgoals.push(start);
                break;
            }
        }
    }
}

/// A problem as stored in the index.
fn pair(grid: &Grid, start: u32, goal: u32) -> Pair {
    let ((a, b), (c, d)) = (grid.rows().coordinates(start), grid.rows().coordinates(goal));
    [a as u16, b as u16, c as u16, d as u16]
}

/// Solves `count` problems of a map and compresses their paths. Without an index.
fn solve(grid: &Grid, moves: Moves, count: usize) -> KnnRecords {
    if grid.free_cells() < 2 {
        return KnnRecords::default();
    }
    let solver: Box<dyn Planner> = if moves.rule() == Rule::Four {
        Driver::boxed(AStar { kind: AStarKind::AStar }, grid, moves)
    } else {
        Driver::boxed(Jps, grid, moves)
    };
    let climber = Climber::new(grid, moves);
    let solved = parallel::map(count, &|_, _| (), |scratch: &mut Scratch, index| {
        let mut random = Random::new(0x6b4e_4e00 + index as u64);
        // Retries until both cells are free and connected, up to a limit.
        (0..200).find_map(|_| {
            let mut cell = || {
                let x = random.below(grid.width().into()) as u32;
                Cell::new(x, random.below(grid.height().into()) as u32)
            };
            let (start, goal) = (cell(), cell());
            if start == goal || !grid.is_free(start) || !grid.is_free(goal) {
                return None;
            }
            let status = solver.find(grid, &Query::new(start, goal), scratch);
            if status != Ok(Status::Found) {
                return None;
            }
            let node = |cell: Cell| grid.rows().position(cell.x, cell.y);
            let path: Vec<u32> = scratch.path().cells().map(node).collect();
            let mut subgoals = Vec::new();
            climber.compress(&path, Notion::CostsNoMore, NO_CUT_OFF, &mut subgoals);
            Some((node(start), node(goal), subgoals))
        })
    });
    let mut records = KnnRecords::default();
    for (start, goal, subgoals) in solved.into_iter().flatten() {
        records.subgoals.extend(subgoals);
        records.ends.push((start, goal, records.subgoals.len() as u32));
    }
    records
}
