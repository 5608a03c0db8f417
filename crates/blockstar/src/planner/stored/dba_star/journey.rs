//! An agent under way: from subgoal to subgoal, cutting corners where it can.
//!
//! The walk is planned leg by leg. A leg is a list of cells, and what planning one may take is bounded:
//! for the first leg by the cells of a sector, so the agent is under way after that, for others by the
//! cells of as many sectors as base paths are deep, and one more for the search for the goal.
//!
//! Without a matrix the way through the regions is searched for, which may take more than that. Then the
//! search is put off again and again, and each time the agent makes a step inside its sector, after the
//! first towards the centre of its region. Only when it gets there is the rest of the search done at
//! once: at most one expansion for each region. If the first response has time for the search, the walk is
//! the one that the matrix gives.

use super::paths::Hop;
use super::{DbaStar, Trim};
use crate::Grid;
use crate::engine::scratch::Task;
use crate::regions::climb::Climber;
use crate::regions::sectors::{Found, Labels, NONE, Quest, Reach, Routes, Searcher, units};
use crate::rules::moves::{Direction, step_table};

/// How often what lies ahead is halved in search of a cell to cut a corner from. Each time makes walks
/// a little shorter (the 100 longest problems of the ten maps of the paper, with sectors of 16: 2.1, 1.8,
/// 1.5, 1.3 % above the optimum for none, one, two, three with base paths one region deep, and 0.72, 0.63,
/// 0.58, 0.52 % with two) and takes about a fifth more time.
const HALVINGS: u32 = 1;

/// What part of the first leg is kept for its first steps while the way is searched for: a quarter.
const STEP_SHARE: u64 = 4;

/// The state of an agent.
#[derive(Debug, Default)]
pub(crate) struct Journey {
    phase: Phase,
    /// The subgoals ahead, the last one first.
    targets: Vec<u32>,
    /// The region whose centre is the last of them; that of the start, as long as there are none.
    region: u32,
    /// [`NONE`] if it is not known yet.
    goal_region: u32,
    /// How many hops were taken from the matrix.
    hops: usize,
    /// Whether the search for a way was begun, what a shortest way costs as soon as that is known,
    /// and whether all such ways are: then they are taken from `routes` instead of the matrix.
    begun: bool,
    most: u64,
    searched: bool,
    /// The cells from the agent to the first subgoal, which is included.
    ahead: Vec<u32>,
    trial: Vec<u32>,
    best: Vec<u32>,
    labels: Labels,
    searcher: Searcher,
    routes: Routes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Nothing is known yet.
    #[default]
    Start,
    /// Under way in the start's region, while the goal's or the way there is not known.
    Search,
    /// On the way to the centre of the start's region, which could not be planned to its end at once.
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
        // These three change places, so that each must hold what the largest has held.
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

    pub fn bytes(&self) -> usize {
        let words = [&self.targets, &self.ahead, &self.trial, &self.best];
        words.iter().map(|list| list.capacity() * 4).sum::<usize>()
            + self.labels.bytes()
            + self.searcher.bytes()
            + self.routes.bytes()
    }
}

/// What one leg is planned with.
pub(super) struct Leg<'a> {
    planner: &'a DbaStar,
    grid: &'a Grid,
    climber: Climber<'a>,
    at: u32,
    start: (u32, u32),
    goal: (u32, u32),
    /// Whether this is the first leg.
    first: bool,
    /// What may still be spent on this leg, and what was spent.
    left: u64,
    pub spent: u64,
}

impl<'a> Leg<'a> {
    pub fn new(
        planner: &'a DbaStar,
        grid: &'a Grid,
        task: &Task,
        at: u32,
        first: bool,
        left: u64,
    ) -> Self {
        let moves = planner.desk.moves();
        let [start, goal] = [task.start_cell, task.goal_cell].map(|cell| (cell.x, cell.y));
        let climber = Climber::new(grid, moves).with_units(units(moves));
        Self { planner, grid, climber, at, start, goal, first, left, spent: 0 }
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
            // The way on from there was found by the way.
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

    /// Finds out where to go, or at least how to begin.
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
            if near && planner.trim != Trim::None && self.look_nearby(journey, from) {
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
                // Besides what the leg may take: cutting corners must not suffer.
                self.search_route(journey, self.left);
            }
            if !journey.searched && !self.first && self.at == centre {
                // There is no way to put it off any longer.
                self.search_route(journey, u64::MAX);
            }
            if !journey.searched {
                return self.bide_time(journey);
            }
        }
        journey.phase = Phase::Walk;
        journey.targets.push(centre);
        self.extend(journey);
        if planner.trim != Trim::None && self.skip_first(journey) {
            return;
        }
        self.regain(journey);
    }

    /// Finds the region of the goal, if what is left suffices in any case.
    fn find_goal(&mut self, journey: &mut Journey) -> bool {
        let sectors = &self.planner.sectors;
        let layout = &sectors.layout;
        let (x, y) = self.goal;
        let sector = layout.sector(x, y);
        if self.first && layout.sector(self.start.0, self.start.1) == sector {
            // Labelled just now, if it has several.
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

    /// While it is not known where to go: the first step leads towards the goal, if that is possible in
    /// the sector, as it costs less in the end (walks that begin like this are 0.48 % longer than those that
    /// know their way, against 0.57 %); the others to the centre of the own region, the paper's first
    /// response.
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
                // Any other then. The cell may be all that its region has: the next step leads back.
                let legal = step_table(planner.desk.moves().rule())[rows.around(self.at)];
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

    /// Looks for the goal directly, if it can be that near.
    fn look_nearby(&mut self, journey: &mut Journey, from: u32) -> bool {
        let (planner, rows) = (self.planner, self.grid.rows());
        let areas = [from, journey.goal_region]
            .map(|region| planner.sectors.layout.areas(planner.sectors.sector(rows, region), 1));
        let reach = Reach::new(self.grid, planner.desk.moves(), areas);
        let (goal, limit) = (self.goal_node(), self.left / 2);
        matches!(self.search(journey, &reach, goal, limit), Found::Path(_))
    }

    /// Searches from the agent to a node. What lies ahead is then the path, or as much of one as was
    /// found.
    fn search(&mut self, journey: &mut Journey, reach: &Reach<'_>, to: u32, limit: u64) -> Found {
        let mut work = 0;
        let found = reach.search(&mut journey.searcher, self.at, to, limit, &mut work);
        self.pay(work);
        let end = match found {
            Found::Path(_) => to,
            Found::Spent => reach.best(&journey.searcher).unwrap_or(to),
            Found::Nothing => return found,
        };
        journey.ahead.clear();
        reach.trace_back(&journey.searcher, end, &mut journey.ahead);
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
            // A step in the right direction, and the rest when that is made.
            journey.ahead.truncate(1);
            journey.phase = Phase::Regain;
        }
    }

    /// Finds a way to the centre of the start's region, or as much of one as it can: then false.
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
        // It may be a step outside, if its region has one cell.
        let within = u32::from(!layout.area(sector).contains(x, y));
        let area = layout.areas(sector, within);
        let reach = Reach::new(self.grid, self.planner.desk.moves(), [area; 2]);
        let limit = self.left.max(1);
        self.search(journey, &reach, centre, limit) != Found::Spent
    }

    /// The last leg: inside the goal's sector.
    fn finish(&mut self, journey: &mut Journey) {
        if !journey.ahead.is_empty() {
            return;
        }
        let layout = &self.planner.sectors.layout;
        let area = layout.area(layout.sector(self.goal.0, self.goal.1));
        let reach = Reach::new(self.grid, self.planner.desk.moves(), [area; 2]);
        let limit = if self.first { self.left.max(1) } else { layout.cells() };
        if self.search(journey, &reach, self.goal_node(), limit) == Found::Spent {
            journey.ahead.truncate(1);
        }
    }

    /// Plans a leg towards the next subgoal; says how much of what lies ahead belongs to it.
    fn walk(&mut self, journey: &mut Journey) -> usize {
        loop {
            if journey.ahead.is_empty() {
                // At a subgoal, from which the next one can be climbed to.
                while journey.targets.last() == Some(&self.at) {
                    journey.targets.pop();
                }
                self.extend(journey);
                match journey.targets.last() {
                    Some(&next) => {
                        // At least a step: there must be one to make.
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
            if self.planner.trim != Trim::All {
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
            // From here already: try the one after that.
            std::mem::swap(&mut journey.ahead, &mut journey.best);
        }
    }

    /// From the start of what lies ahead, or from as early on it as can be found, climbs to `next`
    /// instead, if that costs no more than over the subgoal between. What is not walked is taken off
    /// what lies ahead, and the new way is put into `best`.
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
        // `failed` was tried, `works` is the subgoal itself or was tried.
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

    /// With the centre of the goal's region next, heads for the goal as early as possible.
    fn cut_end(&mut self, journey: &mut Journey) -> usize {
        if self.planner.trim == Trim::None {
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
        // Not to be climbed to: from where the goal's sector is entered for good, it is searched for.
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

    /// Climbs from the start to the second subgoal, past the centre of the own region.
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

    /// Climbs, within what is left to spend; the cells go into `trial`.
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
            // The stack has the next subgoal on top.
            journey.targets.rotate_left(at);
            journey.region = hop.target;
        }
    }

    /// The next base path towards the goal.
    fn hop(&self, journey: &Journey) -> Option<Hop<'a>> {
        let planner = self.planner;
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
                // Of several the one with the longest way, of these the first: as the matrix does.
                on_the_way.reduce(|a, b| if b.cost > a.cost { b } else { a })
            }
        }
    }

    /// Searches from the goal's region to the agent's, until all shortest ways are known or so many
    /// regions are expanded. What it takes is counted, but not taken from what is left.
    fn search_route(&mut self, journey: &mut Journey, limit: u64) {
        let planner = self.planner;
        let (sectors, moves) = (&planner.sectors, planner.desk.moves());
        let quest = Quest { sectors, grid: self.grid, moves, to: journey.region };
        let routes = &mut journey.routes;
        if !std::mem::replace(&mut journey.begun, true) {
            routes.begin(&quest, journey.goal_region);
            journey.most = u64::MAX;
        }
        for _ in 0..limit {
            let Some((region, g)) = routes.pop(journey.most) else {
                journey.searched = true;
                return;
            };
            self.spent += 1;
            if region == journey.region {
                journey.most = g;
            }
            for hop in planner.paths.hops(region) {
                routes.reach(&quest, hop.target, g + u64::from(hop.cost), region);
            }
        }
    }
}
