//! Three-step path finding: a unit that sets off at once and improves its way while it walks.
//!
//! D. Higgins, *Pathfinding Design Architecture*, 2002, as described in H. Guesgen's lecture (the
//! text itself was not at hand). A player expects a unit to respond before a perfect path is
//! computed.
//!
//! 1. *Quick*: a high-speed path finder that searches 3 to 15 tiles towards the goal. The unit sets
//!    off.
//! 2. *Full*: a thorough search from the end of the quick path to the goal, while the unit walks.
//! 3. *Splice*: the high-speed path finder again, from where the unit is by now to a position on the
//!    full path, if that is better than the rest of the quick path.
//!
//! Each step has its own planner, any of the registry (`quick`, `full`, `splice`), and each move is
//! made after at most `work` expansions. What the text leaves open is decided like this:
//!
//! * A quick search ends after `work` expansions; the way to the most promising cell so far is cut
//!   to `tiles`. A planner that has not arrived by then and cannot return a partial path is
//!   replaced by greedy search; a real-time planner has already walked. If the start seems the most
//!   promising place of all, as in a dead end, the unit makes the one step that an LRTA* agent
//!   would make.
//! * A unit that gets to the end of its quick path before the full search is finished waits there
//!   (`Stats::waits`).
//! * Once the full path is known, a quick path into a dead end shows: the full path leads back over
//!   the same cells. First, the way between two visits of a cell is dropped. After that, one splice
//!   is tried for each move, to a cell four, two and one times `tiles` beyond the quick path's end,
//!   and taken if it costs less than what it replaces. So a unit that splices never walks farther
//!   than one that does not (`splice=off`); a test checks that.
//! * A goal that moves or a map that changes is another query, from where the unit is: it responds as
//!   quickly as to the first.

use super::lrta::{self, WORK};
use crate::engine::walk::{self, Agent, AgentTurn};
use crate::engine::{
    Changes, Driver, MemoryPool, Method, Problem, SearchMemory, Searched, Slice, Update,
};
use crate::registry::{Parameter, PlannerSpec, kind, parameters, settings};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::rules::moves::{Direction, step_table};
use crate::{Algorithm, Budget, Cell, Error, Grid, Memory, Moves, Planner, Query, Scratch, Status};

pub(crate) const ROW: Algorithm = Algorithm {
    name: "three-step",
    summary: "Quick, full, splice: sets off at once and improves its way while it walks",
    source: "Higgins 2002",
    parameters: &[WORK, TILES, QUICK, FULL, SPLICE],
    make: |choice, grid, moves| {
        Ok(Driver::boxed(ThreeStep::new(choice, grid, moves)?, grid, moves))
    },
    ..lrta::BASE
};

settings! { kind::ThreeStep:
    /// The most expansions for one move, by default 32.
    work(expansions: u32) = "work", expansions;
    /// The length of the quick path, 3 to 15 tiles; by default 8.
    tiles(count: u32) = "tiles", count;
    /// The planner of the quick path, by name; by default `greedy`.
    quick(planner: &str) = "quick", planner;
    /// The planner of the full path, by name; by default `astar`.
    full(planner: &str) = "full", planner;
    /// The planner of the splice, by name; by default `astar`.
    splice(planner: &str) = "splice", planner;
    /// Walks the quick path to its end and the full path from there.
    without_splice() = "splice", "off";
}

parameters! {
    TILES = "tiles", "3-15", "8", "the length of the quick path in cells";
    QUICK = "quick", "PLANNER", "greedy",
        "the planner of the quick path; one that tells partial paths is best";
    FULL = "full", "PLANNER", "astar", "the planner of the full path; not one that walks";
    SPLICE = "splice", "off|PLANNER", "astar",
        "the planner of the way from the quick path to the full one; not one that walks";
}

#[derive(Clone, Debug)]
struct ThreeStep {
    work: u64,
    tiles: usize,
    quick: Box<dyn Planner>,
    /// For quick planners that cannot return a partial path.
    fallback: Box<dyn Planner>,
    full: Box<dyn Planner>,
    splice: Option<Box<dyn Planner>>,
}

/// The progress of the three steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Quick,
    Full,
    /// Splices that were tried.
    Splice(u32),
    Done,
}

/// How many splices are tried: to four, two and one times the quick path's length.
const SPLICES: u32 = 3;

/// The searches of the three steps, and the plan.
#[derive(Debug, Default)]
struct StepMemory {
    phase: Phase,
    short: Scratch,
    full: Scratch,
    /// A way under construction, from where the agent is.
    way: Vec<u32>,
}

impl SearchMemory for StepMemory {
    fn bytes(&self) -> usize {
        self.short.memory_usage() + self.full.memory_usage() + self.way.capacity() * 4
    }
}

impl ThreeStep {
    fn new(choice: &PlannerSpec, grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let planner = |parameter: Parameter| {
            let name = choice.word(parameter.name);
            let row = Algorithm::named(name)?;
            if name == ROW.name || row.algorithm().walks() && parameter != QUICK {
                let reason = "it walks itself: name one that finds whole paths, such as `astar`";
                return Err(choice.refuse(&format!("{}={name}", parameter.name), reason.into()));
            }
            row.prepare(grid, moves)
        };
        let off = choice.word(SPLICE.name) == "off";
        Ok(Self {
            work: choice.number(WORK.name).into(),
            tiles: choice.number(TILES.name) as usize,
            quick: planner(QUICK)?,
            fallback: Algorithm::named("greedy")?.prepare(grid, moves)?,
            full: planner(FULL)?,
            splice: if off { None } else { Some(planner(SPLICE)?) },
        })
    }
}

impl Method for ThreeStep {
    fn row(&self) -> &'static Algorithm {
        &ROW
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        if slice.is_fresh() {
            pool.get::<StepMemory>().phase = Phase::Quick;
        }
        Ok(walk::walk(self, problem, slice, pool))
    }

    fn update(&mut self, grid: &Grid, moves: Moves, _: &Changes) -> Result<Update, Error> {
        let planners = [&mut self.quick, &mut self.fallback, &mut self.full].into_iter();
        for planner in planners.chain(&mut self.splice) {
            if grid.has_costs() && !planner.row().terrain {
                return Err(Error::no_terrain(planner.name(), moves));
            }
            planner.update(grid)?;
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        let planners = [&self.quick, &self.fallback, &self.full].into_iter().chain(&self.splice);
        memory.with("planners", planners.map(|planner| planner.memory_usage().total()).sum())
    }
}

impl Agent for ThreeStep {
    fn most_work(&self, _: &Slice<'_>, pool: &mut MemoryPool) -> u64 {
        if pool.get::<StepMemory>().phase == Phase::Done { 0 } else { self.work }
    }

    fn next_move(&self, turn: &mut AgentTurn<'_, '_>) -> Option<u32> {
        let phase = turn.pool.get::<StepMemory>().phase;
        let next = match phase {
            Phase::Quick => self.set_off(turn)?,
            Phase::Full => self.search_on(turn)?,
            Phase::Splice(tried) => self.try_splice(tried, turn)?,
            Phase::Done => Phase::Done,
        };
        turn.pool.get::<StepMemory>().phase = next;
        // With nothing to walk on, the agent waits where it is.
        let at = turn.slice.walk.at();
        Some(turn.slice.walk.plan.pop().unwrap_or(at))
    }
}

impl ThreeStep {
    /// Searches the quick path, plans to walk it, and begins the full search at its end.
    fn set_off(&self, turn: &mut AgentTurn<'_, '_>) -> Option<Phase> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let StepMemory { short, full, way, .. } = pool.get::<StepMemory>();
        let rows = problem.grid.rows();
        let ends = (problem.start_cell(), problem.goal_cell());
        way.clear();
        let mut spent = 0;
        for planner in [&self.quick, &self.fallback] {
            if way.len() > 1 || spent == self.work {
                break;
            }
            if purse.left() == 0 {
                return None;
            }
            let query = self.ask(problem, ends).max_expansions(self.work - spent);
            let query = if planner.row().partial { query.partial() } else { query };
            if !run(planner.as_ref(), problem.grid, &query, short, purse)? {
                return None;
            }
            spent += short.stats().expanded;
            way.clear();
            let cells = short.path().cells().map(|cell| rows.position(cell.x, cell.y));
            way.extend(cells.take(self.tiles + 1));
            if way.len() < 2 {
                let walked = short.walk().iter().map(|point| point.cell());
                way.clear();
                way.extend(walked.map(|cell| rows.position(cell.x, cell.y)).take(self.tiles + 1));
            }
        }
        if way.len() < 2 {
            way.clear();
            way.extend([problem.start_node(), least_step(problem)?]);
        }
        let end = *way.last()?;
        slice.walk.plan.clear();
        slice.walk.plan.extend(way[1..].iter().rev());
        if end == problem.goal_node() {
            return Some(Phase::Done);
        }
        let (x, y) = rows.coordinates(end);
        let query = self.ask(problem, (Cell::new(x, y), problem.goal_cell()));
        self.full.begin(problem.grid, &query, full).ok()?;
        Some(Phase::Full)
    }

    /// Continues the full search; once it has its path, the agent plans to walk it.
    fn search_on(&self, turn: &mut AgentTurn<'_, '_>) -> Option<Phase> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let StepMemory { full, way, .. } = pool.get::<StepMemory>();
        let before = full.stats().expanded;
        if purse.left() == 0 {
            return None;
        }
        let most = self.work.min(purse.left());
        let status = self.full.resume(problem.grid, full, Budget::expansions(most)).ok()?;
        // A search that starts over on wide costs counts from the beginning.
        let expanded = full.stats().expanded;
        if !purse.pay_for(expanded.checked_sub(before).unwrap_or(expanded)) {
            return None;
        }
        if status == Status::Working {
            return if purse.left() == 0 { None } else { Some(Phase::Full) };
        }
        // From where the agent is: the rest of the quick path, then the full one.
        way.clear();
        way.push(slice.walk.at());
        let plan = &mut slice.walk.plan;
        way.extend(plan.iter().rev());
        let quick = way.len();
        let rows = problem.grid.rows();
        way.extend(full.path().cells().skip(1).map(|cell| rows.position(cell.x, cell.y)));
        if self.splice.is_some() {
            drop_loop(way, quick);
        }
        plan.clear();
        plan.extend(way[1..].iter().rev());
        Some(if self.splice.is_some() { Phase::Splice(0) } else { Phase::Done })
    }

    /// Looks for a better way to a cell of the plan.
    fn try_splice(&self, tried: u32, turn: &mut AgentTurn<'_, '_>) -> Option<Phase> {
        let AgentTurn { problem, slice, pool, purse } = turn;
        let Problem { grid, moves, .. } = **problem;
        let StepMemory { short, way, .. } = pool.get::<StepMemory>();
        let next = if tried + 1 < SPLICES { Phase::Splice(tried + 1) } else { Phase::Done };
        let at = slice.walk.at();
        let plan = &mut slice.walk.plan;
        let ahead = ((self.tiles << (SPLICES - 1)) >> tried).min(plan.len());
        let Some(splice) = self.splice.as_ref().filter(|_| ahead > 1) else { return Some(next) };
        if purse.left() == 0 {
            return None;
        }
        let step_costs = StepCosts::<u64>::new(grid, moves);
        let price = |from: u32, nodes: &mut dyn Iterator<Item = u32>| {
            let step =
                |(at, sum), to| (to, sum + walk::step_cost(grid, moves, &step_costs, at, to));
            nodes.fold((from, 0), step).1
        };
        let target = plan[plan.len() - ahead];
        let kept = price(at, &mut plan[plan.len() - ahead..].iter().rev().copied());
        let [from, to] = [at, target].map(|node| {
            let (x, y) = grid.rows().coordinates(node);
            Cell::new(x, y)
        });
        let query = self.ask(problem, (from, to)).max_expansions(self.work);
        let query = query.max_cost(step_costs.length(kept));
        if !run(splice.as_ref(), grid, &query, short, purse)? {
            return None;
        }
        way.clear();
        way.extend(short.path().cells().map(|cell| grid.rows().position(cell.x, cell.y)));
        if way.len() > 1 && price(at, &mut way[1..].iter().copied()) < kept {
            plan.truncate(plan.len() - ahead);
            plan.extend(way[1..].iter().rev());
        }
        Some(next)
    }

    /// The question for one of the steps.
    fn ask(&self, problem: &Problem<'_>, (from, to): (Cell, Cell)) -> Query {
        let query = Query::new(from, to);
        problem.query().chosen_heuristic().map_or(query.clone(), |chosen| query.heuristic(chosen))
    }
}

/// Asks a planner and pays for it. False if the purse ran out before the answer; none if there was
/// an error.
fn run(
    planner: &dyn Planner,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
    purse: &mut walk::Purse,
) -> Option<bool> {
    planner.begin(grid, query, scratch).ok()?;
    let status = planner.resume(grid, scratch, Budget::expansions(purse.left())).ok()?;
    Some(purse.pay_for(scratch.stats().expanded) && status != Status::Working)
}

/// The step that costs least together with the estimate from there.
fn least_step(problem: &Problem<'_>) -> Option<u32> {
    let Problem { grid, moves, .. } = *problem;
    let (rows, goal) = (grid.rows(), problem.goal_cell());
    let step_costs = StepCosts::<u64>::new(grid, moves);
    let estimator = Estimator::new(problem.heuristic(), &step_costs, (goal.x, goal.y));
    let at = problem.start_node();
    let legal = step_table(moves.rule())[rows.around(at)];
    let stride = rows.stride() as i32;
    let steps = (0..8).filter(|d| legal >> d & 1 != 0);
    let steps = steps.map(|d| at.wrapping_add_signed(Direction::DX[d] + Direction::DY[d] * stride));
    steps.min_by_key(|&to| {
        let (x, y) = rows.coordinates(to);
        walk::step_cost(grid, moves, &step_costs, at, to) + estimator.estimate(x, y)
    })
}

/// Drops the way between two visits of a cell, the first of which is on the quick path.
fn drop_loop(way: &mut Vec<u32>, quick: usize) {
    for first in 0..quick {
        let again = way[first + 1..].iter().rposition(|&node| node == way[first]);
        if let Some(again) = again {
            way.drain(first + 1..first + 2 + again);
            return;
        }
    }
}
