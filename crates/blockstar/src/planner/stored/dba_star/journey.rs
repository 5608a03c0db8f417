//! An agent under way: from subgoal to subgoal, cutting corners where it can.
//!
//! The walk is planned leg by leg. A leg is a list of cells, and the work to plan one is bounded:
//! for the first leg by the cells of a sector, so that the agent sets out after that, for others by
//! the cells of as many sectors as base paths are deep, plus one for the search for the goal.
//!
//! Without a matrix the way through the regions must be searched for, which may take more than
//! that. Then the search is put off again and again, and each time the agent makes a step inside
//! its sector, from the second on towards the centre of its region. Only once it gets there is the
//! rest of the search done at once: at most one expansion for each region. If the first response
//! has time for the whole search, the walk is the one that the matrix gives.
//!
//! On maps of many regions it is the gates of [tiles](super::tiles) that are searched, unless the
//! goal is near.

use super::paths::Hop;
use super::tiles::{Crossing, Tiles};
use super::{DbaStar, Trim};
use crate::engine::{Problem, SearchMemory};
use crate::regions::climb::Climber;
use crate::regions::routes::{Rank, Routes};
use crate::regions::sectors::{AreaMemory, AreaSearch, Found, Labels, NONE, RegionSpace, units};
use crate::rules::moves::{Direction, step_table};
use crate::{Grid, Moves};

/// How often the way ahead is halved to find a cell to cut a corner from. Each halving makes walks
/// a little shorter and takes about a fifth more time. On the 100 longest problems of each of the
/// paper's ten maps, with sectors of 16, none, one, two and three halvings give walks 2.1, 1.8, 1.5
/// and 1.3 % above the optimum with base paths one region deep, and 0.72, 0.63, 0.58 and 0.52 %
/// with two.
const HALVINGS: u32 = 1;

/// The share of the first leg's work kept for its first steps while searching for the way: a
/// quarter.
const STEP_SHARE: u64 = 4;

/// How many regions a way between adjoining tiles may take to be found among the regions. What is
/// farther away than that is looked for over the gates of tiles.
pub(super) const NEARBY: u64 = 256;

/// The search over gates takes estimates to be larger by one in this many: ways are bound to gates
/// anyhow, and hardly longer for it, but far fewer of them are looked at.
const GREED: u64 = 8;

/// The state of an agent between two legs.
#[derive(Debug, Default)]
pub(crate) struct Journey {
    phase: Phase,
    /// The subgoals ahead, the last one first.
    targets: Vec<u32>,
    /// The region whose centre is the last of them; while there are none, that of the start.
    region: u32,
    /// [`NONE`] while it is not known.
    goal_region: u32,
    /// How many hops were looked up.
    hops: usize,
    /// Whether the search for a way has begun.
    begun: bool,
    /// The cost of a shortest way, once it is known.
    most: u64,
    /// Whether all shortest ways are known: then they are taken from `routes` instead of the
    /// matrix.
    searched: bool,
    /// How many regions may still be expanded before the search goes over to the gates of tiles.
    nearby: u64,
    /// Whether it has: then `routes` holds gates.
    tiled: bool,
    /// The gate, or the goal's region, that is ahead in the present tile.
    gate: u32,
    /// The next regions, the last one first, where the tables know the way from there only.
    stretch: Vec<u32>,
    /// The cells from the agent to the first subgoal, which is included.
    ahead: Vec<u32>,
    /// The cells of the climb tried last.
    trial: Vec<u32>,
    /// The way on from the end of `ahead`, if cutting a corner has found it.
    best: Vec<u32>,
    labels: Labels,
    area: AreaMemory,
    routes: Routes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Nothing is known yet.
    #[default]
    Start,
    /// Moving in the start's region, while the goal's region or the way there is not known.
    Search,
    /// On the way to the centre of the start's region, which could not be planned all at once.
    Regain,
    /// On the way from subgoal to subgoal.
    Walk,
    /// In the goal's region, with the goal next.
    Final,
}

impl Journey {
    pub fn begin(&mut self) {
        self.phase = Phase::Start;
        self.targets.clear();
        self.goal_region = NONE;
        (self.hops, self.begun, self.searched) = (0, false, false);
        self.stretch.clear();
        // These three swap places, so each must have room for what the largest has held.
        let lists = [&mut self.ahead, &mut self.trial, &mut self.best];
        let most = lists.iter().map(|list| list.capacity()).max().unwrap_or(0);
        for list in lists {
            list.clear();
            list.reserve_exact(most);
        }
    }

    pub fn is_fresh(&self) -> bool {
        self.phase == Phase::Start
    }

    /// Whether the next leg may have to find the whole way through the regions.
    pub fn is_searching(&self) -> bool {
        self.phase == Phase::Search
    }
}

impl SearchMemory for Journey {
    fn bytes(&self) -> usize {
        let words = [&self.targets, &self.stretch, &self.ahead, &self.trial, &self.best];
        words.iter().map(|list| list.capacity() * 4).sum::<usize>()
            + self.labels.bytes()
            + self.area.bytes()
            + self.routes.bytes()
    }
}

/// One leg being planned.
pub(super) struct Leg<'a> {
    planner: &'a DbaStar,
    grid: &'a Grid,
    moves: Moves,
    climber: Climber<'a>,
    at: u32,
    start: (u32, u32),
    goal: (u32, u32),
    /// Whether this is the first leg.
    first: bool,
    /// How much may still be spent on this leg.
    left: u64,
    /// How much was spent.
    pub spent: u64,
}

impl<'a> Leg<'a> {
    pub fn new(
        planner: &'a DbaStar,
        problem: &Problem<'a>,
        at: u32,
        first: bool,
        left: u64,
    ) -> Self {
        let Problem { grid, moves, .. } = *problem;
        let [start, goal] =
            [problem.start_cell(), problem.goal_cell()].map(|cell| (cell.x, cell.y));
        let climber = Climber::new(grid, moves).with_units(units(moves));
        Self { planner, grid, moves, climber, at, start, goal, first, left, spent: 0 }
    }

    fn goal_node(&self) -> u32 {
        self.grid.rows().position(self.goal.0, self.goal.1)
    }

    fn pay(&mut self, work: u64) {
        self.spent += work;
        self.left = self.left.saturating_sub(work);
    }

    /// Puts the cells of the next leg on the plan, the last one first: at least one.
    pub fn plan(&mut self, journey: &mut Journey, plan: &mut Vec<u32>) {
        match journey.phase {
            Phase::Start => self.start(journey),
            Phase::Search => self.seek(journey),
            Phase::Regain => self.regain(journey),
            Phase::Walk => {}
            Phase::Final => self.finish(journey),
        }
        let emitted = match journey.phase {
            Phase::Walk => self.walk(journey),
            _ => journey.ahead.len(),
        };
        plan.extend(journey.ahead[..emitted].iter().rev());
        journey.ahead.drain(..emitted);
        if !journey.best.is_empty() {
            // Planning this leg has also found the way on from its end.
            std::mem::swap(&mut journey.ahead, &mut journey.best);
            journey.best.clear();
        }
    }

    /// Finds out where the agent is.
    fn start(&mut self, journey: &mut Journey) {
        let sectors = &self.planner.sectors;
        let mut work = 0;
        let (x, y) = self.start;
        journey.region = sectors.region(self.grid, x, y, &mut journey.labels, &mut work);
        self.pay(work);
        self.seek(journey);
    }

    /// Finds out where to go, or at least how to set out.
    fn seek(&mut self, journey: &mut Journey) {
        let planner = self.planner;
        let from = journey.region;
        if journey.goal_region == NONE {
            if !self.find_goal(journey) {
                return self.bide_time(journey);
            }
            if from == journey.goal_region {
                journey.phase = Phase::Final;
                return self.finish(journey);
            }
            let near = planner.paths.hops(from).any(|hop| hop.target == journey.goal_region);
            if near && planner.settings.trim != Trim::None && self.look_nearby(journey, from) {
                journey.phase = Phase::Final;
                return;
            }
        }
        let centre = planner.sectors.centre(from);
        if planner.matrix.is_none() && !journey.searched {
            if self.first {
                let before = self.spent;
                self.search_route(journey, self.left - self.left / STEP_SHARE);
                self.left -= self.spent - before;
            } else {
                // On top of the leg's own work: cutting corners must not suffer.
                self.search_route(journey, self.left);
            }
            if !journey.searched && !self.first && self.at == centre {
                // It cannot be put off any longer.
                self.search_route(journey, u64::MAX);
            }
            if !journey.searched {
                return self.bide_time(journey);
            }
        }
        journey.phase = Phase::Walk;
        journey.targets.push(centre);
        self.extend(journey);
        if planner.settings.trim != Trim::None && self.skip_first(journey) {
            return;
        }
        self.regain(journey);
    }

    /// Finds the region of the goal, if what is left is enough in the worst case.
    fn find_goal(&mut self, journey: &mut Journey) -> bool {
        let sectors = &self.planner.sectors;
        let layout = &sectors.layout;
        let (x, y) = self.goal;
        let sector = layout.sector(x, y);
        if self.first && layout.sector(self.start.0, self.start.1) == sector {
            // It has just been labelled, if it has several regions.
            journey.goal_region = sectors.regions(sector).start;
            if sectors.count(sector) > 1 {
                journey.goal_region += journey.labels.region(x, y);
            }
            return true;
        }
        let area = layout.area(sector);
        let runs = (area.right - area.left).div_ceil(2) * (area.bottom - area.top);
        if sectors.count(sector) > 1 && u64::from(runs) > self.left {
            return false;
        }
        let mut work = 0;
        journey.goal_region = sectors.region(self.grid, x, y, &mut journey.labels, &mut work);
        self.pay(work);
        true
    }

    /// Makes a step while it is not known where to go. The first one leads towards the goal, if
    /// that is possible inside the sector, because it costs less in the end (such walks are 0.48 %
    /// longer than those that know their way, against 0.57 %); the others lead to the centre of the
    /// agent's region, the paper's first response.
    fn bide_time(&mut self, journey: &mut Journey) {
        journey.phase = Phase::Search;
        journey.ahead.clear();
        let (planner, rows) = (self.planner, self.grid.rows());
        let centre = planner.sectors.centre(journey.region);
        let (x, y) = rows.coordinates(self.at);
        let area = planner.sectors.layout.area(planner.sectors.layout.sector(x, y));
        let inside = |&d: &u8| {
            let (dx, dy) = (Direction::DX[d as usize & 7], Direction::DY[d as usize & 7]);
            area.contains(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
        };
        let mut step = None;
        if self.first {
            let (dx, dy) = (self.goal.0 as i32 - x as i32, self.goal.1 as i32 - y as i32);
            step = self.climber.step(self.at, dx, dy).filter(inside);
            if self.at == centre {
                // Any step then. If the cell is all of its region, the next step leads back.
                let legal = step_table(self.moves.rule())[rows.around(self.at)];
                let steps = || (0..8u8).filter(|d| legal >> d & 1 != 0);
                step = step.or_else(|| steps().find(inside)).or_else(|| steps().next());
            }
        }
        if let Some(step) = step {
            self.pay(1);
            journey.ahead.push(self.climber.neighbour(self.at, step));
        } else {
            self.head_for(journey, centre);
            journey.ahead.truncate(1);
        }
    }

    /// Looks for the goal directly, in case it is that near.
    fn look_nearby(&mut self, journey: &mut Journey, from: u32) -> bool {
        let (planner, rows) = (self.planner, self.grid.rows());
        let areas = [from, journey.goal_region]
            .map(|region| planner.sectors.layout.areas(planner.sectors.sector(rows, region), 1));
        let within = AreaSearch::new(self.grid, self.moves, areas);
        let (goal, limit) = (self.goal_node(), self.left / 2);
        matches!(self.search(journey, &within, goal, limit), Found::Path(_))
    }

    /// Searches from the agent to a node and puts the path ahead, or as much of one as was found.
    fn search(
        &mut self,
        journey: &mut Journey,
        within: &AreaSearch<'_>,
        to: u32,
        limit: u64,
    ) -> Found {
        let mut work = 0;
        let found = within.search(&mut journey.area, self.at, to, limit, &mut work);
        self.pay(work);
        let end = match found {
            Found::Path(_) => to,
            Found::Spent => within.best(&journey.area).unwrap_or(to),
            Found::Nothing => return found,
        };
        journey.ahead.clear();
        within.trace_back(&journey.area, end, &mut journey.ahead);
        journey.ahead.pop();
        journey.ahead.reverse();
        found
    }

    /// Goes to the centre of the start's region, within the sector.
    fn regain(&mut self, journey: &mut Journey) {
        let Some(&centre) = journey.targets.last() else { return };
        journey.phase = Phase::Walk;
        journey.ahead.clear();
        if self.at != centre && !self.head_for(journey, centre) {
            // A step in the right direction now, the rest afterwards.
            journey.ahead.truncate(1);
            journey.phase = Phase::Regain;
        }
    }

    /// Finds a way to the centre of the start's region; false if only part of one.
    fn head_for(&mut self, journey: &mut Journey, centre: u32) -> bool {
        // The straight way, if there is one.
        let direct = self.climber.estimate(self.at, centre);
        if self.climb_from(journey, self.at, centre) == Some(direct) {
            std::mem::swap(&mut journey.ahead, &mut journey.trial);
            return true;
        }
        let layout = &self.planner.sectors.layout;
        let sector = layout.sector(self.start.0, self.start.1);
        let (x, y) = self.grid.rows().coordinates(self.at);
        // The agent may be a step outside, if its region has one cell.
        let margin = u32::from(!layout.area(sector).contains(x, y));
        let area = layout.areas(sector, margin);
        let within = AreaSearch::new(self.grid, self.moves, [area; 2]);
        let limit = self.left.max(1);
        self.search(journey, &within, centre, limit) != Found::Spent
    }

    /// The last leg: inside the goal's sector.
    fn finish(&mut self, journey: &mut Journey) {
        if !journey.ahead.is_empty() {
            return;
        }
        let layout = &self.planner.sectors.layout;
        let area = layout.area(layout.sector(self.goal.0, self.goal.1));
        let within = AreaSearch::new(self.grid, self.moves, [area; 2]);
        let limit = if self.first { self.left.max(1) } else { layout.cells() };
        if self.search(journey, &within, self.goal_node(), limit) == Found::Spent {
            journey.ahead.truncate(1);
        }
    }

    /// Plans a leg towards the next subgoal and says how many of the cells ahead belong to it.
    fn walk(&mut self, journey: &mut Journey) -> usize {
        loop {
            if journey.ahead.is_empty() {
                // The agent is at a subgoal and can climb to the next one.
                while journey.targets.last() == Some(&self.at) {
                    journey.targets.pop();
                }
                self.extend(journey);
                match journey.targets.last() {
                    Some(&next) => {
                        // The agent must have at least one step to make.
                        self.left = self.left.max(1);
                        self.climb_from(journey, self.at, next);
                        std::mem::swap(&mut journey.ahead, &mut journey.trial);
                    }
                    None => {
                        journey.phase = Phase::Final;
                        self.finish(journey);
                        return journey.ahead.len();
                    }
                }
            }
            if journey.ahead.last() != journey.targets.last() {
                return journey.ahead.len(); // a climb that was too long for one leg
            }
            self.extend(journey);
            let last = journey.targets.len() - 1;
            if last == 0 {
                return self.cut_end(journey);
            }
            if self.planner.settings.trim != Trim::All {
                return journey.ahead.len();
            }
            let next = journey.targets[last - 1];
            if !self.cut(journey, next) {
                return journey.ahead.len();
            }
            journey.targets.pop();
            if !journey.ahead.is_empty() {
                return journey.ahead.len();
            }
            // The corner can be cut right here: try the subgoal after that.
            std::mem::swap(&mut journey.ahead, &mut journey.best);
        }
    }

    /// Leaves the way ahead as early as it finds to be possible and climbs straight to `next`, if
    /// that costs no more than going over the subgoal between. Cuts the way ahead off there and
    /// puts the climb into `best`.
    fn cut(&mut self, journey: &mut Journey, next: u32) -> bool {
        let Some(&corner) = journey.ahead.last() else { return false };
        let over = self.climber.estimate(corner, next);
        let mut rest = over + self.length(self.at, &journey.ahead);
        journey.best.clear();
        let try_from = |leg: &mut Self, journey: &mut Journey, from: u32, most: u32| {
            let done = leg.climb_from(journey, from, next).is_some_and(|cost| cost <= most);
            if done {
                std::mem::swap(&mut journey.best, &mut journey.trial);
            }
            done
        };
        if try_from(self, journey, self.at, rest) {
            journey.ahead.clear();
            return true;
        }
        // `failed` was tried; `works` was tried too, or is the subgoal itself.
        let (mut failed, mut works) = (0, journey.ahead.len());
        for _ in 0..HALVINGS {
            if works - failed <= 1 || self.left == 0 {
                break;
            }
            let middle = failed + (works - failed) / 2;
            let from = journey.ahead[middle - 1];
            rest = over + self.length(from, &journey.ahead[middle..]);
            if try_from(self, journey, from, rest) {
                works = middle;
            } else {
                failed = middle;
            }
        }
        let found = works < journey.ahead.len();
        journey.ahead.truncate(works);
        found
    }

    /// With only the centre of the goal's region left, heads for the goal as early as possible.
    fn cut_end(&mut self, journey: &mut Journey) -> usize {
        if self.planner.settings.trim == Trim::None {
            return journey.ahead.len();
        }
        let goal = self.goal_node();
        if self.cut(journey, goal) {
            journey.targets.clear();
            journey.phase = Phase::Final;
            if journey.ahead.is_empty() {
                std::mem::swap(&mut journey.ahead, &mut journey.best);
            }
            return journey.ahead.len();
        }
        // The goal cannot be climbed to: search for it from where the agent enters its sector for
        // good.
        let layout = &self.planner.sectors.layout;
        let area = layout.area(layout.sector(self.goal.0, self.goal.1));
        let inside = |node: u32| {
            let (x, y) = self.grid.rows().coordinates(node);
            area.contains(x, y)
        };
        let outside = journey.ahead.iter().rposition(|&node| !inside(node));
        let entered = outside.map_or(usize::from(!inside(self.at)), |at| at + 2);
        journey.targets.clear();
        journey.phase = Phase::Final;
        journey.ahead.truncate(entered.min(journey.ahead.len()));
        if journey.ahead.is_empty() {
            self.finish(journey);
        }
        journey.ahead.len()
    }

    /// Climbs from the start to the second subgoal, past the centre of the start's region.
    fn skip_first(&mut self, journey: &mut Journey) -> bool {
        let [.., next, centre] = journey.targets[..] else { return false };
        let most = self.climber.estimate(self.at, centre) + self.climber.estimate(centre, next);
        let skipped = self.climb_from(journey, self.at, next).is_some_and(|cost| cost <= most);
        if skipped {
            journey.targets.pop();
            std::mem::swap(&mut journey.ahead, &mut journey.trial);
        }
        skipped
    }

    /// Climbs as far as what is left to spend allows; the cells go into `trial`.
    fn climb_from(&mut self, journey: &mut Journey, from: u32, to: u32) -> Option<u32> {
        journey.trial.clear();
        let cut_off = self.left.min(u32::MAX.into()) as u32;
        let cost = self.climber.climb(from, to, cut_off, |node| journey.trial.push(node));
        self.pay(journey.trial.len() as u64);
        cost
    }

    fn length(&self, mut from: u32, way: &[u32]) -> u32 {
        let mut sum = 0;
        for &node in way {
            sum += self.climber.apart(from, node);
            from = node;
        }
        sum
    }

    /// Looks up hops until two subgoals are known or there are no more.
    fn extend(&mut self, journey: &mut Journey) {
        while journey.targets.len() < 2 && journey.region != journey.goal_region {
            if journey.hops > self.planner.sectors.live() && !journey.searched {
                // A matrix from a file may say anything.
                self.search_route(journey, u64::MAX);
            }
            journey.hops += 1;
            let Some(hop) = self.hop(journey) else {
                if journey.searched {
                    return;
                }
                self.search_route(journey, u64::MAX);
                continue;
            };
            let at = journey.targets.len();
            journey.targets.extend_from_slice(hop.subgoals);
            journey.targets.push(self.planner.sectors.centre(hop.target));
            journey.targets[at..].reverse();
            // The next subgoal is on top of the stack.
            journey.targets.rotate_left(at);
            journey.region = hop.target;
        }
    }

    /// The next base path towards the goal.
    fn hop(&self, journey: &mut Journey) -> Option<Hop<'a>> {
        let planner = self.planner;
        if let Some(tiles) = planner.tiles.as_ref().filter(|_| journey.searched && journey.tiled) {
            return self.hop_by_tile(journey, tiles);
        }
        let mut hops = planner.paths.hops(journey.region);
        match &planner.matrix {
            Some(matrix) if !journey.searched => {
                hops.nth(matrix.hop(journey.region, journey.goal_region)? as usize)
            }
            _ => {
                let here = journey.routes.cost(journey.region)?;
                let on_the_way = hops.filter(|hop| {
                    let there = journey.routes.cost(hop.target);
                    there.is_some_and(|there| there + u64::from(hop.cost) == here)
                });
                // Of several the longest, of these the first, like the matrix.
                on_the_way.reduce(|a, b| if b.cost > a.cost { b } else { a })
            }
        }
    }

    /// The next base path on the way from gate to gate.
    fn hop_by_tile(&self, journey: &mut Journey, tiles: &Tiles) -> Option<Hop<'a>> {
        let (paths, here) = (&self.planner.paths, journey.region);
        let to = |region: u32| paths.hops(here).find(|hop| hop.target == region);
        let Journey { stretch, routes, gate, .. } = journey;
        if let Some(next) = stretch.pop() {
            return to(next);
        }
        if here == *gate {
            *gate = routes.over(here)?;
            if tiles.tile(here) != tiles.tile(*gate) {
                self.cross(journey, tiles)?;
                return to(journey.stretch.pop()?);
            }
        }
        if *gate == journey.goal_region {
            // The tables lead to gates: the way from the goal to the gate here, backwards.
            self.stretch_back(stretch, tiles, *gate, here)?;
            return to(stretch.pop()?);
        }
        paths.hops(here).nth(tiles.outlook(here).way_to(*gate)?.1 as usize)
    }

    /// Crosses from a gate to the tile of the next one, and goes on over the best place to leave
    /// that tile again, if the gate after that is known to its tables.
    fn cross(&self, journey: &mut Journey, tiles: &Tiles) -> Option<()> {
        let Journey { region: here, stretch, routes, gate: next, goal_region, .. } = journey;
        let beyond = tiles.tile(*next);
        // Of the crossings that start here the one that the search has found.
        let out = tiles.outlook(*here);
        let whole = |(cost, way): (u64, Crossing)| {
            Some((cost + tiles.outlook(*next).way_to(way.to)?.0, way.to))
        };
        let ways = out.ways_out().filter(|(_, way)| way.leads(*here, beyond));
        let (_, landing) = ways.filter_map(whole).min_by_key(|way| way.0)?;
        if *next != *goal_region {
            let after = routes.over(*next)?;
            let best = || tiles.best_crossing(landing, after);
            if let Some((leave, enter)) = (after != *goal_region).then(best).flatten() {
                stretch.push(enter);
                self.stretch_back(stretch, tiles, leave, landing)?;
                *next = after;
            }
        }
        stretch.push(landing);
        Some(())
    }

    /// Adds the regions on the way to one from a gate, which is not included, backwards.
    fn stretch_back(
        &self,
        stretch: &mut Vec<u32>,
        tiles: &Tiles,
        mut region: u32,
        gate: u32,
    ) -> Option<()> {
        while region != gate {
            stretch.push(region);
            let (_, first) = tiles.outlook(region).way_to(gate)?;
            region = self.planner.paths.hops(region).nth(first as usize)?.target;
        }
        Some(())
    }

    /// Searches from the goal's region to the agent's, until all shortest ways are known or `limit`
    /// regions are expanded. That counts as spent, but is not taken from what is left.
    fn search_route(&mut self, journey: &mut Journey, limit: u64) {
        let Self { planner, grid, moves, .. } = *self;
        let (from, to) = (journey.goal_region, journey.region);
        let space = RegionSpace { sectors: &planner.sectors, grid, moves, to };
        let rank = |region: u32| {
            let estimate = space.between(region, to);
            let tie = planner.sectors.centre(region);
            Rank { estimate: estimate + estimate / GREED, tie }
        };
        let routes = &mut journey.routes;
        if !std::mem::replace(&mut journey.begun, true) {
            journey.nearby = match &planner.tiles {
                Some(tiles) if tiles.apart(from, to) > 1 => 0,
                // The way inside the tile bounds the search.
                Some(tiles) if !tiles.are_joined(from, to) => NEARBY,
                _ => u64::MAX,
            };
            journey.tiled = false;
            journey.most = u64::MAX;
            space.begin(routes, from);
        }
        for _ in 0..limit {
            let found = journey.most != u64::MAX;
            if journey.nearby == 0 && !found && !std::mem::replace(&mut journey.tiled, true) {
                journey.gate = to;
                routes.begin(planner.sectors.numbers(), from, rank(from));
            }
            let Some((region, g)) = routes.pop(journey.most) else {
                journey.searched = true;
                return;
            };
            self.spent += 1;
            journey.nearby = journey.nearby.saturating_sub(1);
            if region == to {
                journey.most = g;
                if journey.tiled {
                    journey.searched = true;
                    return;
                }
            }
            if let Some(tiles) = planner.tiles.as_ref().filter(|_| journey.tiled) {
                for (cost, way) in tiles.outlook(region).ways_out() {
                    routes.reach(way.to, g + cost, region, || rank(way.to));
                }
                if tiles.are_joined(region, to)
                    && let Some((cost, _)) = tiles.outlook(to).way_to(region)
                {
                    routes.reach(to, g + cost, region, || rank(to));
                }
                continue;
            }
            for hop in planner.paths.hops(region) {
                space.reach(routes, hop.target, g + u64::from(hop.cost), region);
            }
        }
    }
}
