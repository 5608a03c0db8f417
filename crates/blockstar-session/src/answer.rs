//! A planner's answer to a question: searched, timed, checked, traced.

use crate::Session;
use crate::clock::Clock;
use crate::counters;
use crate::frame::{Fault, Reply, object};
use crate::kept::Readied;
use crate::question::Question;
use crate::session::no_map;
use blockstar::{
    Algorithm, Budget, Columns, CostColumns, Grid, Memory, Moves, Naturalness, Path, Planner,
    PlannerSpec, Preparation, Promise, Query, Scratch, Stats, Status, Trace, Violation, sort,
};
use serde_json::{Map, Value, json};

/// Everything that is known of an answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub spec: PlannerSpec,
    pub moves: Moves,
    pub status: Status,
    pub path: Path,
    stats: Stats,
    readied: Readied,
    /// The median of the timed runs and their number.
    timed: Option<(f64, u64)>,
    /// All that was spent on searching.
    search: f64,
    memory: Memory,
    scratch_bytes: usize,
}

/// The cheapest path that there is, by a planner that promises it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Optimum {
    planner: &'static str,
    cost: f64,
}

/// How many expansions a search makes before the clock is read.
const SLICE: u64 = 50_000;

/// Searches that must be over at some time.
struct Searches<'a> {
    planner: &'a dyn Planner,
    grid: &'a Grid,
    query: &'a Query,
    clock: &'a Clock,
    deadline: f64,
    limit: f64,
}

impl Searches<'_> {
    fn find(&self, scratch: &mut Scratch) -> Result<Status, Fault> {
        let fault = |error: blockstar::Error| error.to_string();
        self.planner.begin(self.grid, self.query, scratch).map_err(fault)?;
        loop {
            let budget = Budget::expansions(SLICE);
            let status = self.planner.resume(self.grid, scratch, budget).map_err(fault)?;
            if status != Status::Working {
                return Ok(status);
            }
            if self.clock.now() > self.deadline {
                return Err(format!(
                    "{} took longer than {} s, the limit of a request here: limit the search with \
                     `max_expansions`, or use another planner",
                    self.planner.name(),
                    self.limit / 1e6
                ));
            }
        }
    }

    /// The status, the median time of a warm search, and how many runs were made.
    fn measure(
        &self,
        question: &Question,
        scratch: &mut Scratch,
    ) -> Result<(Status, (f64, u64)), Fault> {
        let start = self.clock.now();
        let (first, found) = self.clock.time(|| self.find(scratch));
        let status = found?;
        if question.measure == 1 {
            return Ok((status, (first, 1)));
        }
        // Runs that the clock can hardly tell from nothing are timed together.
        let visible = self.clock.resolution() * 20.0;
        let together = (visible / first.max(0.1)).ceil().clamp(1.0, 1000.0) as u64;
        let (mut times, mut runs) = (Vec::new(), 0);
        while runs < question.measure {
            let repeats = together.min(question.measure - runs);
            let again = || (0..repeats).try_for_each(|_| self.find(scratch).map(drop));
            let (time, found) = self.clock.time(again);
            found?;
            times.push(time / repeats as f64);
            runs += repeats;
            if self.clock.now() - start > question.measure_time {
                break;
            }
        }
        sort::by(&mut times, f64::total_cmp);
        Ok((status, (times.get(times.len() / 2).copied().unwrap_or(first), runs)))
    }
}

impl Session {
    /// Asks a planner. The trace, if one is wanted, is left in `traced`.
    pub(crate) fn ask(&mut self, spec: &PlannerSpec, question: &Question) -> Result<Answer, Fault> {
        let Self { limits, clock, map, planners, scratch, traced, .. } = self;
        let grid = &map.as_ref().ok_or_else(no_map)?.grid;
        let (planner, readied) = planners.ready(spec, question.moves, grid, limits, clock)?;
        let (start, query) = (clock.now(), &question.query);
        let (deadline, limit) = (start + limits.time, limits.time);
        let searches = Searches { planner, grid, query, clock, deadline, limit };
        let mut status = None;
        let mut timed = None;
        if question.measure > 0 {
            let (found, time) = searches.measure(question, scratch)?;
            (status, timed) = (Some(found), Some(time));
        }
        let mut answered = &*scratch;
        if let Some(window) = question.trace {
            traced.record_after(window.skip, window.limit);
            status = Some(searches.find(traced)?);
            answered = traced;
        }
        let status = match status {
            Some(status) => status,
            None => {
                let status = searches.find(scratch)?;
                answered = scratch;
                status
            }
        };
        Ok(Answer {
            spec: spec.clone(),
            moves: question.moves,
            status,
            path: answered.path().clone(),
            stats: *answered.stats(),
            readied,
            timed,
            search: clock.now() - start,
            memory: planner.memory_usage(),
            scratch_bytes: scratch.memory_usage(),
        })
    }

    /// The cheapest path, if some planner promises to find it on this map under this rule.
    pub(crate) fn optimum(&mut self, question: &Question) -> Result<Option<Optimum>, Fault> {
        let Self { limits, clock, map, planners, scratch, .. } = self;
        let grid = &map.as_ref().ok_or_else(no_map)?.grid;
        let (moves, asked) = (question.moves, &question.query);
        let able = |row: &&Algorithm| {
            row.preparation == Preparation::Light
                && row.supports(moves.rule())
                && row.promise_under(moves.rule()) == Promise::Optimal
                && (row.terrain || !grid.has_costs())
                && (row.heights || moves.slope().is_none())
                && (row.avoids || asked.avoided().is_none())
        };
        // Whoever knows nothing of terrain is faster where there is none.
        let row = Algorithm::all().iter().filter(able).min_by_key(|row| row.terrain);
        let Some(spec) = row.map(Algorithm::choose) else { return Ok(None) };
        let mut query = Query::new(asked.start(), asked.goal());
        if asked.wants_nearest() {
            query = query.nearest();
        }
        if let Some(mask) = asked.avoided() {
            query = query.avoid(mask);
        }
        let (planner, _) = planners.ready(&spec, moves, grid, limits, clock)?;
        let (deadline, limit) = (clock.now() + limits.time, limits.time);
        let searches = Searches { planner, grid, query: &query, clock, deadline, limit };
        let status = searches.find(scratch)?;
        let cost = scratch.path().cost();
        Ok(status.has_path().then_some(Optimum { planner: spec.name(), cost }))
    }
}

impl Answer {
    /// Writes it down; the path becomes a column of this name.
    pub fn describe(
        &self,
        grid: &Grid,
        clock: &Clock,
        optimum: Option<Optimum>,
        column: &str,
        reply: &mut Reply,
    ) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| {
            fields.insert(name.into(), value);
        };
        set("planner", self.spec.to_string().into());
        set("moves", self.moves.to_string().into());
        set("status", self.status.name().into());
        set("path", self.path(grid, column, reply));
        set("check", self.check(grid));
        let ratio = |optimum: Optimum| match optimum.cost {
            0.0 => 1.0,
            cost => self.path.cost() / cost,
        };
        set(
            "optimum",
            optimum.filter(|_| self.status.has_path()).map_or(Value::Null, |found| {
                json!({ "planner": found.planner, "cost": found.cost, "ratio": ratio(found) })
            }),
        );
        set("stats", counters(&self.stats));
        set(
            "times",
            object(vec![
                ("clock", clock.name().into()),
                ("prepare", self.readied.prepare.into()),
                ("update", self.readied.update.map(|update| update.0).into()),
                ("query", self.timed.map(|timed| timed.0).into()),
                ("runs", self.timed.map_or(0, |timed| timed.1).into()),
                ("search", self.search.into()),
            ]),
        );
        set(
            "repair",
            self.readied
                .update
                .map_or(Value::Null, |(_, update)| json!({ "tables_made": update.tables_made })),
        );
        set(
            "memory",
            json!({
                "planner": self.memory.total(),
                "parts": self.memory.parts(),
                "search": self.scratch_bytes,
            }),
        );
        fields
    }

    fn path(&self, grid: &Grid, column: &str, reply: &mut Reply) -> Value {
        let path = &self.path;
        if path.is_empty() {
            return Value::Null;
        }
        let points: Vec<f64> = path.points().iter().flat_map(|p| [p.x(), p.y()]).collect();
        reply.column(column, &points);
        let mut fields = object(vec![
            ("cost", path.cost().into()),
            ("length", path.length().into()),
            ("turns", path.turns().into()),
            ("cells", path.cell_count().into()),
            ("points", path.points().len().into()),
        ]);
        if grid.has_heights() {
            let cell_size = self.moves.slope().map_or(1.0, |slope| slope.cell_size());
            let natural = Naturalness::of(path, grid, cell_size);
            let places = path.profile_points(grid);
            let numbers = places.iter().flat_map(|p| [p.x, p.y, p.walked, p.height]);
            reply.column(column.replace("path", "profile"), &numbers.collect::<Vec<_>>());
            fields["climb"] = natural.gained.into();
            fields["descent"] = natural.lost.into();
        }
        fields
    }

    /// What [`Path::check`] says.
    fn check(&self, grid: &Grid) -> Value {
        if self.path.is_empty() {
            return Value::Null;
        }
        match self.path.check(grid, self.moves) {
            Ok(()) => json!({ "legal": true }),
            Err(violation) => {
                let index = match &violation {
                    Violation::Point { index, .. }
                    | Violation::Segment { index, .. }
                    | Violation::Squeeze { index, .. }
                    | Violation::Steep { index, .. } => Some(*index),
                    _ => None,
                };
                json!({ "legal": false, "error": violation.to_string(), "index": index })
            }
        }
    }
}

/// Writes a trace as columns; a brief one without costs.
pub(crate) fn describe_trace(trace: &Trace, brief: bool, reply: &mut Reply) {
    let columns = trace.columns();
    let mut counts = [0_u64; Columns::KINDS.len()];
    for kind in columns.kinds {
        if let Some(count) = counts.get_mut(usize::from(kind & !Columns::BACKWARD)) {
            *count += 1;
        }
    }
    let counted = Columns::KINDS.iter().zip(counts).filter(|(_, count)| *count > 0);
    let counted: Map<_, _> =
        counted.map(|(kind, count)| ((*kind).to_owned(), Value::from(count))).collect();
    let scale = match columns.costs {
        CostColumns::Whole { scale, .. } => scale,
        CostColumns::Real { .. } => 1.0,
    };
    match columns.costs {
        _ if brief => {}
        CostColumns::Whole { g, f, .. } => {
            reply.column("g", g);
            reply.column("f", f);
        }
        CostColumns::Real { g, f } => {
            reply.column("g", g);
            reply.column("f", f);
        }
    }
    reply.column("at", columns.at);
    reply.column("from", columns.from);
    reply.column("kind", columns.kinds);
    let points: Vec<f64> = columns.points.iter().flat_map(|p| [p.x(), p.y()]).collect();
    reply.column("points", &points);
    reply.set(
        "trace",
        json!({
            "events": trace.len(),
            "skipped": trace.skipped(),
            "dropped": trace.dropped(),
            "scale": scale,
            "counts": counted,
        }),
    );
}
