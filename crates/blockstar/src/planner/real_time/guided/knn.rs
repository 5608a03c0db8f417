//! kNN LRTA*: walks that were solved beforehand, and the most similar one as a guide.
//!
//! V. Bulitko, Y. Björnsson & R. Lawrence, *Case-Based Subgoaling in Real-Time Heuristic Search for
//! Video Game Pathfinding*, 2010. Offline, N random problems are solved optimally, and each path is
//! compressed into subgoals, each climbable from the one before. Online the agent looks at the k
//! records that are most similar to its problem, by the sum of the estimates between the starts and
//! between the goals, and takes the first one whose start it can climb to and from whose goal it can
//! climb to its own. Then it walks to the record's start, from subgoal to subgoal, and on to its goal.
//! Without such a record it walks as LRTA* does: there is no guarantee that the records cover the map.
//!
//! The text of the paper was not at hand; built from descriptions of it. What is decided here:
//! * An agent without a record asks again from where LRTA* has taken it. (A record that was once found
//!   leads to the goal, so that cannot go on for ever.)
//! * An agent that can climb straight to its goal does so.
//! * The climbs that are tried before the first move count as work of that move, one per step, and
//!   end where its work ends (`work`).
//! * Records are found in a k-d tree over the four coordinates, not by looking at all of them.
//! * Paths are found by jump point search (with four moves by A*), on all cores. Which problems are
//!   solved depends on the map alone.
//! * After an edit all records are made anew: a freed cell may make any of them longer than need be.
//!
//! Published: paths many times better than those of the real-time searches before it, without a guarantee
//! that records cover the map; the ends of a record can be climbed to, which is so here by choice of the
//! record. Measured over ten problems each of the ten large Dragon Age maps, spread evenly over their
//! scenarios: 9.4 % above the optimum, from 4.0 % on orz702d to 19 % on orz103d, at 4.0 expansions a move in
//! the mean; LRTA* without a guide walks 27 times the optimum.

use super::label::{Amount, label, open};
use super::nearest::{Pair, Tree};
use super::{Bounds, Guide, Route, Thoughts};
use crate::db::parameters::{take_free, unchanged};
use crate::db::{self, Kind};
use crate::engine::Driver;
use crate::engine::desk::Desk;
use crate::engine::parallel::share;
use crate::engine::scratch::Task;
use crate::engine::walk::Purse;
use crate::planner::cell::astar::{AStar, Kind as AStarKind};
use crate::planner::cell::jps::Jps;
use crate::random::Random;
use crate::regions::climb::{Climber, Notion};
use crate::rules::cost::Tariff;
use crate::{Budget, Cell, Error, Grid, Memory, Moves, Planner, Query, Rule, Scratch, Status};

/// The name in the registry.
const NAME: &str = "knn-lrta-star";

/// More steps than any climb has.
const NO_CUT_OFF: u32 = u32::MAX;

/// What the records are made and used with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// How many problems are solved; `None`: one for 16 free cells, at most 10,000.
    pub records: Option<u32>,
    /// How many of them are looked at.
    pub nearest: u32,
    pub bounds: Bounds,
}

/// Solved problems: the start, the goal and the end of the subgoals of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Records {
    ends: Vec<(u32, u32, u32)>,
    subgoals: Vec<u32>,
}

impl Records {
    /// Start, goal and the subgoals between them.
    fn get(&self, index: u32) -> Option<(u32, u32, &[u32])> {
        let index = index as usize;
        let &(start, goal, end) = self.ends.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before].2);
        Some((start, goal, self.subgoals.get(begin as usize..end as usize)?))
    }
}

/// kNN LRTA* with its records.
#[derive(Debug)]
pub(crate) struct Knn {
    desk: Desk,
    settings: Settings,
    records: Records,
    tree: Tree,
    /// The version and the content hash of the map that the records were made for.
    version: u64,
    content: u64,
}

impl Knn {
    pub fn build(grid: &Grid, moves: Moves, settings: Settings) -> Self {
        let mut planner = Self::bare(grid, moves, settings);
        planner.rebuild(grid);
        planner
    }

    fn bare(grid: &Grid, moves: Moves, settings: Settings) -> Self {
        Self {
            desk: Desk::new(NAME, grid, moves),
            settings,
            records: Records::default(),
            tree: Tree::default(),
            version: grid.version(),
            content: grid.content_hash(),
        }
    }

    fn rebuild(&mut self, grid: &Grid) {
        (self.version, self.content) = (grid.version(), grid.content_hash());
        self.records = Records::default();
        // Queries on terrain are refused.
        if !grid.has_costs() {
            self.records = solve(grid, self.desk.moves(), self.settings.records);
        }
        self.index(grid);
    }

    fn index(&mut self, grid: &Grid) {
        let moves = self.desk.moves();
        let (straight, diagonal) = Tariff::<u32>::units(moves);
        let diagonal = if moves.rule() == Rule::Four { 2 * straight } else { diagonal };
        let pairs = self.records.ends.iter().map(|ends| pair(grid, ends.0, ends.1));
        self.tree = Tree::new(pairs, (straight, diagonal));
    }

    /// The records as a file for [`Knn::open`].
    fn bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(self.records.ends.len() as u32);
        add(self.records.subgoals.len() as u32);
        for &(start, goal, end) in &self.records.ends {
            [start, goal, end].into_iter().for_each(&mut add);
        }
        self.records.subgoals.iter().for_each(|&subgoal| add(subgoal));
        let label = label(Kind::KnnRecords, self.content, self.desk.moves(), self.settings.records);
        db::seal(label, &payload)
    }

    /// Records that were saved, for the same map and movement rule and, if one is wanted, made with
    /// the same `records`; else that of the file is kept.
    pub fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        settings: Settings,
        wanted: Option<Amount>,
    ) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves, settings);
        let (payload, made) = open(bytes, Kind::KnnRecords, planner.content, moves, wanted)?;
        planner.settings.records = made;
        planner.records = read(payload, grid).ok_or_else(|| {
            Kind::KnnRecords.refuse("its records make no sense for this map: make it anew")
        })?;
        planner.index(grid);
        Ok(planner)
    }
}

fn read(mut payload: &[u8], grid: &Grid) -> Option<Records> {
    let count = db::take_u32(&mut payload)?;
    let subgoals = db::take_u32(&mut payload)?;
    // Nothing is allocated before this holds.
    if payload.len() as u64 != 12 * u64::from(count) + 4 * u64::from(subgoals) {
        return None;
    }
    let mut records = Records::default();
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
    Some(records)
}

fn pair(grid: &Grid, start: u32, goal: u32) -> Pair {
    let ((a, b), (c, d)) = (grid.rows().coordinates(start), grid.rows().coordinates(goal));
    [a as u16, b as u16, c as u16, d as u16]
}

/// Solves the problems of a map and compresses their paths.
fn solve(grid: &Grid, moves: Moves, records: Option<u32>) -> Records {
    let free = grid.free_cells();
    let count = records.map_or((free / 16).clamp(1, 10_000), |count| count as usize);
    if free < 2 {
        return Records::default();
    }
    let solver: Box<dyn Planner> = if moves.rule() == Rule::Four {
        Driver::boxed(AStar { kind: AStarKind::AStar }, grid, moves)
    } else {
        Driver::boxed(Jps, grid, moves)
    };
    let climber = Climber::new(grid, moves);
    let solved = share(count, &|_, _| (), |scratch: &mut Scratch, index| {
        let mut random = Random::new(0x6b4e_4e00 + index as u64);
        // Some tries until both cells are free and connected.
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
    let mut records = Records::default();
    for (start, goal, subgoals) in solved.into_iter().flatten() {
        records.subgoals.extend(subgoals);
        records.ends.push((start, goal, records.subgoals.len() as u32));
    }
    records
}

impl Guide for Knn {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn bounds(&self) -> Bounds {
        self.settings.bounds
    }

    fn helps_again(&self) -> bool {
        true
    }

    fn ask(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        purse: &mut Purse,
    ) -> Option<()> {
        let Route { subgoals, asked, nearest, .. } = &mut scratch.route;
        if std::mem::replace(asked, true) {
            return Some(());
        }
        let (rows, at) = (grid.rows(), scratch.walk.at());
        let goal = rows.position(task.goal_cell.x, task.goal_cell.y);
        let climber = Climber::new(grid, self.desk.moves());
        let left = self.settings.bounds.thoughts();
        let mut thoughts = Thoughts { climber, left, purse, refused: false };
        if thoughts.climbable(at, goal) {
            subgoals.push(goal);
            return Some(());
        }
        let count = self.settings.nearest as usize;
        self.tree.nearest(pair(grid, at, goal), count, nearest);
        for neighbour in nearest.iter() {
            let Some((start, end, between)) = self.records.get(neighbour.index) else { continue };
            if thoughts.climbable(at, start) && thoughts.climbable(end, goal) {
                subgoals.extend([goal, end]);
                subgoals.extend(between.iter().rev());
                subgoals.push(start);
                break;
            }
        }
        (!thoughts.refused).then_some(())
    }
}

impl Planner for Knn {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        super::begin(self, grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        super::resume(self, grid, scratch, budget)
    }

    /// Makes all records anew if any cell has changed: as costly as preparing them.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        if unchanged(grid, self.version) {
            self.version = grid.version();
        } else {
            self.rebuild(grid);
        }
        Ok(Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.bytes())
    }

    fn memory_usage(&self) -> Memory {
        let records = self.records.ends.capacity() * size_of::<(u32, u32, u32)>();
        let subgoals = self.records.subgoals.capacity() * 4;
        let memory = self.desk.memory().with("records", records).with("subgoals", subgoals);
        memory.with("index", self.tree.bytes())
    }
}
