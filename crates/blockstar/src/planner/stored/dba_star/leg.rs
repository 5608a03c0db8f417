//! One leg of a journey being planned.
//!
//! A leg is a list of cells, and the work to plan one is bounded: for the first leg by the cells of
//! a sector, so that the agent sets out after that, for others by the cells of as many sectors as
//! base paths are deep, plus one for the search for the goal.
//!
//! Without a matrix the [way through the regions](super::route) must be searched for, which may take
//! more than that. Then the search is put off again and again, and each time the agent makes a step
//! inside its sector, from the second on towards the centre of its region. Only once it gets there
//! is the rest of the search done at once: at most one expansion for each region. If the first
//! response has time for the whole search, the walk is the one that the matrix gives.

use super::journey::{Journey, Phase};
use super::source::Source;
use super::{DbaStar, Trim};
use crate::engine::Problem;
use crate::regions::climb::Climber;
use crate::regions::sectors::{AreaSearch, Found, NONE, units};
use crate::rules::moves::{Direction, step_table};
use crate::{Grid, Moves};

/// The share of the first leg's work kept for its first steps while searching for the way: a
/// quarter.
const STEP_SHARE: u64 = 4;

/// One leg being planned.
pub(super) struct Leg<'a> {
    pub(super) planner: &'a DbaStar,
    pub(super) grid: &'a Grid,
    pub(super) moves: Moves,
    pub(super) source: Source<'a>,
    pub(super) climber: Climber<'a>,
    pub(super) at: u32,
    pub(super) start: (u32, u32),
    pub(super) goal: (u32, u32),
    /// Whether this is the first leg.
    pub(super) first: bool,
    /// How much may still be spent on this leg.
    pub(super) left: u64,
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
        let source = planner.source(grid.rows(), moves);
        Self { planner, grid, moves, source, climber, at, start, goal, first, left, spent: 0 }
    }

    pub(super) fn goal_node(&self) -> u32 {
        self.grid.rows().position(self.goal.0, self.goal.1)
    }

    pub(super) fn pay(&mut self, work: u64) {
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
            let near = self.source.hops(from).any(|hop| hop.target == journey.goal_region);
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
        let within = AreaSearch::new(self.grid.rows(), self.moves, areas);
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
        let within = AreaSearch::new(self.grid.rows(), self.moves, [area; 2]);
        let limit = self.left.max(1);
        self.search(journey, &within, centre, limit) != Found::Spent
    }

    /// The last leg: inside the goal's sector.
    pub(super) fn finish(&mut self, journey: &mut Journey) {
        if !journey.ahead.is_empty() {
            return;
        }
        let layout = &self.planner.sectors.layout;
        let area = layout.area(layout.sector(self.goal.0, self.goal.1));
        let within = AreaSearch::new(self.grid.rows(), self.moves, [area; 2]);
        let limit = if self.first { self.left.max(1) } else { layout.cells() };
        if self.search(journey, &within, self.goal_node(), limit) == Found::Spent {
            journey.ahead.truncate(1);
        }
    }
}
