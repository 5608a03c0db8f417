//! The sparse visibility graph: shortest any-angle paths over prepared taut edges.
//!
//! S. Oh & H. W. Leong, *Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding
//! Using Hierarchical Taut Paths* (2017). A shortest path turns only at the corners of obstacles
//! ([`turning`]), and wraps around an obstacle at each turn. So the graph holds the pairs of corners
//! that see each other *and* from which a path can go on tautly at both ends ([`graph`]), found by
//! line-of-sight scans ([`scan`]). A query scans from the start and runs A* over the graph with the
//! straight-line distance as estimate, considering only taut turns.
//!
//! What differs from the paper:
//! * edges carry no levels: the graph is the plain sparse one;
//! * the goal is not scanned from. A turning point that is expanded looks at the goal only if going
//!   there would be a taut turn, which few are, and a line of sight costs much less than a scan;
//! * the taut continuations of an edge are the first ones of a sorted list.
//!
//! Leaving out turns that are not taut loses nothing: A* takes a node off the list with its least
//! cost, and if an optimal path goes on from there, then also from whichever way that cost came, and
//! an optimal path is taut everywhere or goes on straight. A straight continuation from a to c past b
//! needs no turn at b either, for a sees c.
//!
//! **It is for maps that do not change.** A single edit can add and remove edges all over the map,
//! and [`update`](Planner::update) builds the whole graph anew.
//!
//! Measured on two busy cores, between corners: preparing takes 2 ms on Dragon Age's arena2 (578
//! corners, 3,272 edges, 60 KB), 40 ms on orz100d (3,676 and 33,952, 382 KB), 70 ms on StarCraft's
//! Turbo (768 x 768; 4,606 and 56,645, 760 KB), and an edit costs as much again, where plain A* needs
//! 10 µs. Queries take 1 to 6 % of the time of A* on the corner lattice on such maps. Where a tenth
//! of the cells is blocked at random (512 x 512: 76,173 corners, 1.7 million edges, 15 MB, 1 s) they
//! take two to five times as long as those of A*, whose paths are 5 % longer.

mod graph;
mod scan;
#[cfg(test)]
mod tests;
mod turning;

use crate::db::{self, Kind, Label};
use crate::engine::budget::Meter;
use crate::engine::desk::Desk;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::engine::scratch::Task;
use crate::engine::trace::Event;
use crate::geometry::sight;
use crate::rules::cost::{Cost, Real};
use crate::{
    Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Point, Query, Rule, Scratch, Status,
};
use graph::{Graph, Group, between, cross};
pub(crate) use scan::Cone;
use scan::Scan;
use turning::TurningPoints;

/// The name in the registry.
const NAME: &str = "visibility-graph";

/// A planner that prepares which corners see each other: the shortest any-angle paths, fast, on a
/// map that does not change. Free points, no terrain costs.
///
/// The registry makes it without further ado; made by hand it tells its progress and can be saved.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Planner, Query, Scratch, Status, VisibilityGraph};
/// let grid = Grid::from_ascii(
///     ".....
///      .###.
///      .....",
/// )?;
/// let graph = VisibilityGraph::build(&grid, Moves::ANY_ANGLE, &|done, of| {
///     eprintln!("{done} of {of} corners")
/// })?;
/// let bytes = graph.save();
///
/// let opened = VisibilityGraph::open(&bytes, &grid, Moves::ANY_ANGLE)?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 1), Cell::new(4, 1));
/// assert_eq!(opened.find(&grid, &query, &mut scratch)?, Status::Found);
/// assert_eq!(scratch.path().cost(), 3.0 + 2.0 * 0.5f64.sqrt());
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Debug)]
pub struct VisibilityGraph {
    desk: Desk,
    graph: Graph,
    /// The version and the content hash of the grid that the graph was made for.
    version: u64,
    content: u64,
    /// How many threads build it.
    threads: usize,
}

/// Why the search stopped.
enum Outcome {
    Goal,
    Exhausted,
    Paused,
    Limit,
}

impl VisibilityGraph {
    /// Prepares the graph, on all cores. `progress` is called on this thread with how many corners
    /// are done, and of how many.
    pub fn build(
        grid: &Grid,
        moves: Moves,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        Self::build_with_threads(grid, moves, threads, progress)
    }

    /// The same on so many threads, now and whenever it is updated. The graph is the same for any
    /// number.
    pub fn build_with_threads(
        grid: &Grid,
        moves: Moves,
        threads: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves)?;
        planner.threads = threads;
        planner.rebuild(grid, progress)?;
        Ok(planner)
    }

    /// Without a graph.
    fn bare(grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let desk = Desk::new(NAME, grid, moves);
        if moves.slope().is_some() {
            return Err(Error::no_slopes(NAME, moves));
        }
        if !moves.rule().is_any_angle() {
            return Err(desk.unsupported(
                format!("the movement rule `{}`", moves.rule().name()),
                "it supports any-angle, any-angle-squeeze",
            ));
        }
        let (version, content) = (grid.version(), grid.content_hash());
        Ok(Self { desk, graph: Graph::default(), version, content, threads: 1 })
    }

    fn rebuild(&mut self, grid: &Grid, progress: &dyn Fn(usize, usize)) -> Result<(), Error> {
        self.graph = Graph::default();
        // Queries on terrain are refused, so it need not be looked at.
        if !grid.has_costs() {
            let rule = self.desk.moves().rule();
            self.graph = Graph::build(grid, rule, self.threads, progress)?;
        }
        (self.version, self.content) = (grid.version(), grid.content_hash());
        Ok(())
    }

    /// How many turning points the graph has.
    pub fn corners(&self) -> usize {
        self.graph.points.len()
    }

    /// How many taut edges the graph has, each counted once.
    pub fn edges(&self) -> usize {
        self.graph.edges.len() / 2
    }

    /// The graph as bytes for [`VisibilityGraph::open`]: a header, then for each corner how many
    /// edges it has in both quarters, then the edges. The corners themselves are read off the map.
    pub fn save(&self) -> Vec<u8> {
        let Graph { starts, edges, .. } = &self.graph;
        let mut payload = Vec::with_capacity((starts.len() + edges.len() + 1) * 4);
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(self.corners() as u32);
        add(edges.len() as u32);
        starts.windows(2).for_each(|pair| add(pair[1] - pair[0]));
        edges.iter().for_each(|&edge| add(edge));
        db::seal(label(self.content, self.desk.moves().rule()), &payload)
    }

    /// A graph that was [saved](VisibilityGraph::save), for the same map and movement rule.
    /// Everything else is refused: other files, damaged and truncated ones, those of another version,
    /// another map or another rule.
    pub fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let mut planner = Self::bare(grid, moves)?;
        planner.threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let payload = db::unseal(bytes, label(planner.content, moves.rule()), |rule| {
            let rule = Rule::ALL.into_iter().find(|&known| known as u64 == rule);
            format!("the rule `{}`", rule.map_or("unknown", |rule| rule.name()))
        })?;
        if grid.has_costs() {
            return Err(Error::no_terrain(NAME, moves));
        }
        let points = TurningPoints::new(grid, moves.rule());
        planner.graph = read_graph(payload, points).ok_or_else(|| {
            Kind::VisibilityGraph.refuse("its edges make no sense for this map: make it anew")
        })?;
        Ok(planner)
    }

    fn search(
        &self,
        grid: &Grid,
        task: &Task,
        scratch: &mut Scratch,
        meter: &mut Meter,
    ) -> Outcome {
        let ends = Ends::new(self, grid, task);
        let (start, goal) = (self.corners() as u32, self.corners() as u32 + 1);
        let Scratch { real, stats, trace, path, cones, .. } = scratch;
        let place = |node: u32| match node {
            _ if node == start => task.start,
            _ if node == goal => task.goal,
            _ => self.graph.points.place(node).point(),
        };
        let heuristic = task.query.chosen_heuristic();
        let estimate = |from: Point| match heuristic {
            Some(Heuristic::Zero) => 0.0,
            Some(Heuristic::Chebyshev) => {
                (from.x() - task.goal.x()).abs().max((from.y() - task.goal.y()).abs())
            }
            _ => from.distance(task.goal),
        };
        if !task.started {
            real.begin_with_parents(self.corners() + 2, Real(1.0));
            real.nodes.set(start, Real::ZERO, ROOT);
            let total = Real(estimate(task.start));
            real.open.push(Entry { total, g: Real::ZERO, node: start });
        }
        let max_cost = task.query.cost_limit().unwrap_or(f64::INFINITY);
        // Totals are rounded; whether the path itself keeps the limit is decided on its cost.
        let max_total = max_cost * (1.0 + 1e-12) + 1e-12;
        let max_expansions = task.query.expansion_limit().unwrap_or(u64::MAX);
        loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let Some(Entry { total, g, node }) = real.open.pop() else {
                return if real.pruned { Outcome::Limit } else { Outcome::Exhausted };
            };
            if total.0 > max_total {
                return Outcome::Limit;
            }
            if real.nodes.g(node) != g {
                continue; // an entry from before the node was improved
            }
            if node == goal {
                break;
            }
            if stats.expanded >= max_expansions {
                return Outcome::Limit;
            }
            meter.pay();
            stats.expanded += 1;
            let at = place(node);
            if let Some(trace) = trace {
                trace.push(Event::Expanded { at, g: g.0, f: total.0 });
            }
            let before = real.open.len();
            // For the start, which has no parent, this means nothing and is not looked at.
            let parent = real.nodes.parent(node);
            let (nodes, open, pruned) = (&mut real.nodes, &mut real.open, &mut real.pruned);
            let mut improved = 0;
            let mut reach = |next: u32| {
                let there = place(next);
                let next_g = Real(g.0 + at.distance(there));
                let known = nodes.g(next);
                if known <= next_g {
                    return;
                }
                if next_g.0 > max_cost {
                    *pruned = true;
                    return;
                }
                nodes.set(next, next_g, 0);
                nodes.set_parent(next, node);
                let total = Real(next_g.0 + estimate(there));
                open.push(Entry { total, g: next_g, node: next });
                improved += u64::from(known != Real::MAX);
                if let Some(trace) = trace {
                    let (g, f) = (next_g.0, total.0);
                    trace.push(if known == Real::MAX {
                        Event::Opened { at: there, g, f }
                    } else {
                        Event::Improved { at: there, g, f }
                    });
                }
            };
            if node == start {
                stats.sight_checks += 1;
                if ends.meet() {
                    reach(goal);
                } else {
                    let (rule, points) = (self.desk.moves().rule(), &self.graph.points);
                    let mut scan =
                        Scan::new(grid, rule, points, task.start, task.start_cell.y, cones);
                    scan.everywhere(&mut reach);
                }
            } else {
                self.expand(node, place(parent), &ends, &mut stats.sight_checks, goal, &mut reach);
            }
            stats.opened += (real.open.len() - before) as u64;
            stats.improved += improved;
            stats.largest_open = stats.largest_open.max(real.open.len() as u64);
        }
        let mut node = goal;
        path.push(task.goal);
        while node != start {
            node = real.nodes.parent(node);
            path.push(place(node));
        }
        path.reverse();
        Outcome::Goal
    }

    /// Calls `reach` with the taut continuations of a way to a turning point.
    #[inline]
    fn expand(
        &self,
        node: u32,
        came_from: Point,
        ends: &Ends<'_>,
        sight_checks: &mut u64,
        goal: u32,
        reach: &mut impl FnMut(u32),
    ) {
        let place = self.graph.points.place(node);
        let at = place.point();
        let group = Group::of(place, came_from).opposite();
        let turn = place.turn_into(group);
        let arrival = between(came_from, at);
        let is_taut = |to: Point| {
            let bend = cross(arrival, between(at, to));
            if turn == 0 { bend != 0 } else { turn * bend > 0 }
        };
        // In the group's quarter, be it on its edge, and turning the right way: so a direction that
        // is not taut at the goal's end alone.
        let goal_is_ahead = place.holds(group, ends.task.goal) && is_taut(ends.task.goal);
        if goal_is_ahead {
            *sight_checks += 1;
            if ends.goal_sees(at) {
                reach(goal);
            }
        }
        for &next in self.graph.group(node, group) {
            if is_taut(self.graph.points.place(next).point()) {
                reach(next);
            } else if turn != 0 {
                break; // they are sorted
            }
        }
    }
}

/// What marks the database of a map and a rule.
fn label(content: u64, rule: Rule) -> Label {
    Label { kind: Kind::VisibilityGraph, parameters: rule as u64, grid: content }
}

/// The graph that a payload describes, if it describes one on these points.
fn read_graph(mut payload: &[u8], points: TurningPoints) -> Option<Graph> {
    let corners = db::take_u32(&mut payload)? as usize;
    let count = db::take_u32(&mut payload)?;
    // Nothing is allocated before this holds.
    let numbers = 2 * corners as u64 + u64::from(count);
    if corners != points.len() || payload.len() as u64 != 4 * numbers {
        return None;
    }
    let mut starts = Vec::with_capacity(2 * corners + 1);
    let mut start = 0u32;
    starts.push(start);
    for _ in 0..2 * corners {
        start = start.checked_add(db::take_u32(&mut payload)?)?;
        starts.push(start);
    }
    if start != count {
        return None;
    }
    let (edges, _) = payload.as_chunks();
    let edges: Vec<u32> = edges.iter().map(|edge| u32::from_le_bytes(*edge)).collect();
    let on_map = edges.iter().all(|&edge| (edge as usize) < corners);
    on_map.then_some(Graph { points, starts, edges })
}

/// Start and goal, which under the strict rule may lie on one side of a double corner.
struct Ends<'a> {
    grid: &'a Grid,
    rule: Rule,
    task: &'a Task,
}

impl<'a> Ends<'a> {
    fn new(planner: &VisibilityGraph, grid: &'a Grid, task: &'a Task) -> Self {
        Self { grid, rule: planner.desk.moves().rule(), task }
    }

    /// Whether start and goal see each other.
    fn meet(&self) -> bool {
        let strict = !self.rule.squeezes();
        let leaves = self.task.start.as_corner().filter(|_| strict).is_none_or(|corner| {
            sight::side(self.grid, corner, self.task.goal)
                .is_none_or(|cell| cell == self.task.start_cell)
        });
        leaves && self.goal_sees(self.task.start)
    }

    /// Whether the goal sees a point.
    fn goal_sees(&self, point: Point) -> bool {
        let goal = self.task.goal;
        let strict = !self.rule.squeezes();
        let arrives = goal.as_corner().filter(|_| strict).is_none_or(|corner| {
            sight::side(self.grid, corner, point).is_none_or(|cell| cell == self.task.goal_cell)
        });
        arrives && sight::visible(self.grid, point, goal, self.rule)
    }
}

impl Planner for VisibilityGraph {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.forget(scratch);
        if let Some(heuristic @ (Heuristic::Octile | Heuristic::Manhattan)) =
            query.chosen_heuristic()
        {
            return Err(self.desk.unsupported(
                format!("the heuristic `{heuristic}`"),
                "it overestimates straight lines: use `euclidean`, the default here",
            ));
        }
        // Behind the rest of the planner only if an update has failed.
        if self.version != grid.version() {
            let (known, now) = (self.version, grid.version());
            return Err(Error::Stale { who: "the planner", known, now });
        }
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let outcome = self.search(grid, &task, scratch, &mut Meter::new(budget));
        let success = task.success;
        scratch.task = Some(Task { started: true, ..task });
        let status = match outcome {
            Outcome::Goal => success,
            Outcome::Exhausted => Status::NoPath,
            Outcome::Limit => Status::LimitReached,
            Outcome::Paused => return Ok(Status::Working),
        };
        Ok(self.desk.close(grid, scratch, status))
    }

    /// Builds the graph anew if any cell has changed: as costly as preparing it.
    fn update(&mut self, grid: &Grid) -> Result<crate::Update, Error> {
        self.desk.update(grid);
        let unchanged = grid
            .changes_since(self.version)
            .is_some_and(|mut changes| changes.all(|rect| rect.width * rect.height == 0));
        if unchanged {
            self.version = grid.version();
            return Ok(Default::default());
        }
        self.rebuild(grid, &|_, _| ()).map(|()| Default::default())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.save())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory().with("graph", self.graph.bytes())
    }
}
