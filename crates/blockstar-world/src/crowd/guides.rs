//! Where each unit wants to go, and how far that is from the cells around it.
//!
//! A table of distances per unit would be 42 GB for ten thousand units on a map of 1800 x 1912
//! cells. Two things take its place:
//!
//! * on large maps each unit has a *trail*, the path that a planner of the library found, at two
//!   bits a step, and a *window* of exact distances to it, which moves along. A unit that was
//!   pushed so far that its trail is out of the window asks for a new path.
//! * on small maps each unit has the exact *field* of its goal, and units with one goal share it.

use super::Ground;
use super::field::{Field, most_cells};
use super::traffic::Traffic;
use super::trail::{Mark, Trail};
use super::window::{StepCost, Window, WindowScratch};
use blockstar::{
    Budget, Cell, Error, Grid, Moves, Planner, PlannerSpec, Query, Rule, Scratch, Status,
};
use std::collections::BTreeMap;

/// The most memory for fields, in bytes.
const MOST_FIELDS: u64 = 64 << 20;

/// What a unit follows.
#[derive(Clone, Debug)]
enum Guide {
    /// It wants to go nowhere: everywhere is as good.
    Nowhere,
    /// A goal without a plan yet: the unit goes roughly there.
    Unplanned,
    /// There is no way to its goal.
    Unreachable,
    Field(u32),
    Trail(Box<TrailGuide>),
}

#[derive(Clone, Debug)]
struct TrailGuide {
    trail: Trail,
    mark: Mark,
    window: Window,
}

/// A field, and how many units use it.
#[derive(Debug)]
struct SharedField {
    field: Field,
    users: u32,
}

/// The goals of a crowd and the ways there.
pub(super) struct Guides {
    rule: Rule,
    planner: Box<dyn Planner>,
    scratch: Scratch,
    windows: WindowScratch,
    /// Whether each goal gets a field.
    pub with_fields: bool,
    /// The prices of traffic, if it counts.
    pub traffic: Option<Traffic>,
    fields: Vec<Option<SharedField>>,
    field_of: BTreeMap<Cell, u32>,
    goals: Vec<Option<Cell>>,
    guides: Vec<Guide>,
    /// Whose search is under way.
    pub searching: Option<u32>,
    /// The expansions that are left for this tick.
    pub allowance: u64,
    /// Whether more was spent than was left.
    pub over_budget: bool,
    /// Paths planned, and those of them that were planned because a unit had lost its trail.
    pub plans: u64,
    pub replans: u64,
}

impl Guides {
    /// For this many units, without goals yet.
    pub fn new(grid: &Grid, rule: Rule, units: usize) -> Result<Self, Error> {
        // Under a rule of four jump points do not exist; of the optimal planners this one is twelve
        // times as fast as A* there (0.22 ms a path of 1,117 steps on a map of 1800 x 1912).
        let spec =
            if rule == Rule::Four || grid.has_costs() { "block-astar:block=16" } else { "jps" };
        let planner = spec.parse::<PlannerSpec>()?.prepare(grid, Moves::new(rule))?;
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        let with_fields = cells <= most_cells(rule) && cells * 2 * units as u64 <= MOST_FIELDS;
        Ok(Self {
            rule,
            planner,
            scratch: Scratch::new(),
            windows: WindowScratch::default(),
            with_fields,
            traffic: None,
            fields: Vec::new(),
            field_of: BTreeMap::new(),
            goals: vec![None; units],
            guides: vec![Guide::Nowhere; units],
            searching: None,
            allowance: u64::MAX,
            over_budget: false,
            plans: 0,
            replans: 0,
        })
    }

    /// Where a unit wants to go.
    pub fn goal(&self, agent: u32) -> Option<Cell> {
        self.goals[agent as usize]
    }

    /// Gives a unit a goal, or none.
    pub fn set_goal(&mut self, agent: u32, goal: Option<Cell>) {
        self.searching = self.searching.filter(|&searching| searching != agent);
        if let Guide::Field(number) = self.guides[agent as usize] {
            let place = &mut self.fields[number as usize];
            if let Some(shared) = place {
                shared.users -= 1;
                if shared.users == 0 {
                    *place = None;
                    if let Some(old) = self.goals[agent as usize] {
                        self.field_of.remove(&old);
                    }
                }
            }
        }
        self.goals[agent as usize] = goal;
        self.guides[agent as usize] = goal.map_or(Guide::Nowhere, |_| Guide::Unplanned);
    }

    /// Lets a unit that follows a trail look for a way around traffic; whether it found one.
    pub fn reconsider(&mut self, grid: &Grid, agent: u32, at: Cell) -> Result<bool, Error> {
        let (Guide::Trail(_), Some(goal)) = (&self.guides[agent as usize], self.goal(agent)) else {
            return Ok(false);
        };
        if self.searching.is_some() || self.allowance == 0 {
            return Ok(false);
        }
        let status = self.planner.find(grid, &Query::new(at, goal), &mut self.scratch)?;
        self.pay(self.scratch.stats().expanded);
        let Some(traffic) = self.traffic.as_mut().filter(|_| status == Status::Found) else {
            return Ok(false);
        };
        let (around, expansions) = traffic.way_around(self.scratch.path(), at, goal)?;
        self.pay(expansions);
        let found = around.is_some();
        if let Some(trail) = around {
            self.replans += 1;
            self.follow(grid, agent, at, trail);
        }
        Ok(found)
    }

    /// Whether there is no way to a unit's goal.
    pub fn is_unreachable(&self, agent: u32) -> bool {
        matches!(self.guides[agent as usize], Guide::Unreachable)
    }

    /// Whether a unit has a goal and no way there yet: it waits for its turn to plan.
    pub fn is_unplanned(&self, agent: u32) -> bool {
        matches!(self.guides[agent as usize], Guide::Unplanned)
    }

    /// Takes expansions from what is left for this tick.
    fn pay(&mut self, expansions: u64) {
        if self.allowance != u64::MAX {
            self.over_budget |= expansions > self.allowance;
            self.allowance = self.allowance.saturating_sub(expansions);
        }
    }

    /// Makes the distances round a unit right, if what is left for this tick permits it.
    pub fn refresh(&mut self, grid: &Grid, agent: u32, at: Cell) -> Result<(), Error> {
        let Some(goal) = self.goals[agent as usize] else { return Ok(()) };
        match &mut self.guides[agent as usize] {
            Guide::Nowhere | Guide::Unreachable | Guide::Field(_) => Ok(()),
            Guide::Unplanned if self.with_fields => {
                if self.allowance > 0 {
                    self.share_field(grid, agent, at, goal);
                }
                Ok(())
            }
            Guide::Unplanned => self.plan(grid, agent, at, goal),
            Guide::Trail(guide) => {
                let TrailGuide { trail, mark, window } = &mut **guide;
                if window.serves(at)
                    || window.centre(grid, self.rule, at, trail, mark, &mut self.windows)
                {
                    return Ok(());
                }
                self.replans += 1;
                self.guides[agent as usize] = Guide::Unplanned;
                self.plan(grid, agent, at, goal)
            }
        }
    }

    /// Finds a path for a unit, which becomes its trail.
    fn plan(&mut self, grid: &Grid, agent: u32, at: Cell, goal: Cell) -> Result<(), Error> {
        if self.allowance == 0 || self.searching.is_some_and(|searching| searching != agent) {
            return Ok(());
        }
        if self.searching.is_none() {
            self.plans += 1;
            self.planner.begin(grid, &Query::new(at, goal), &mut self.scratch)?;
        }
        let before = if self.searching.is_some() { self.scratch.stats().expanded } else { 0 };
        let budget = match self.allowance {
            u64::MAX => Budget::UNLIMITED,
            left => Budget::expansions(left),
        };
        let status = self.planner.resume(grid, &mut self.scratch, budget)?;
        self.pay(self.scratch.stats().expanded.saturating_sub(before));
        self.searching = (status == Status::Working).then_some(agent);
        if status == Status::Working {
            self.allowance = 0;
            return Ok(());
        }
        if status != Status::Found {
            self.guides[agent as usize] = Guide::Unreachable;
            return Ok(());
        }
        let around = match &mut self.traffic {
            Some(traffic) => {
                let (around, expansions) = traffic.way_around(self.scratch.path(), at, goal)?;
                self.pay(expansions);
                around
            }
            None => None,
        };
        let shortest = || Trail::new(self.scratch.path(), self.rule != Rule::Four);
        let trail = around.unwrap_or_else(shortest);
        self.follow(grid, agent, at, trail);
        Ok(())
    }

    /// Puts a unit on a trail.
    fn follow(&mut self, grid: &Grid, agent: u32, at: Cell, trail: Trail) {
        let mut mark = trail.first();
        let mut window = Window::NOWHERE;
        window.centre(grid, self.rule, at, &trail, &mut mark, &mut self.windows);
        let guide = TrailGuide { trail, mark, window };
        self.guides[agent as usize] = Guide::Trail(Box::new(guide));
    }

    /// Gives a unit the field of its goal.
    fn share_field(&mut self, grid: &Grid, agent: u32, at: Cell, goal: Cell) {
        let known = self.field_of.get(&goal).copied();
        let number = known.unwrap_or_else(|| {
            self.plans += 1;
            // A field is made at once, whatever is left. Sixteen of its cells take as long as a
            // block of the planner.
            self.pay(grid.free_cells() as u64 / 16);
            let field = SharedField { field: Field::new(grid, self.rule, goal), users: 0 };
            let free = self.fields.iter().position(Option::is_none);
            let number = free.unwrap_or_else(|| {
                self.fields.push(None);
                self.fields.len() - 1
            });
            self.fields[number] = Some(field);
            self.field_of.insert(goal, number as u32);
            number as u32
        });
        if let Some(shared) = &mut self.fields[number as usize] {
            let reached = shared.field.distance(at) != u32::MAX;
            shared.users += 1;
            self.guides[agent as usize] = Guide::Field(number);
            if !reached {
                let goal = self.goals[agent as usize];
                self.set_goal(agent, goal);
                self.guides[agent as usize] = Guide::Unreachable;
            }
        }
    }

    /// How far a unit has to go from a cell.
    pub fn distance(&self, agent: u32, cell: Cell) -> u32 {
        match &self.guides[agent as usize] {
            Guide::Field(number) => match &self.fields[*number as usize] {
                Some(shared) => shared.field.distance(cell),
                None => 0,
            },
            Guide::Trail(guide) => guide.window.distance(cell),
            // Roughly there, until it is known better.
            Guide::Unplanned => self.goals[agent as usize].map_or(0, |goal| {
                (cell.x.abs_diff(goal.x) + cell.y.abs_diff(goal.y))
                    * StepCost::of(self.rule).straight
            }),
            Guide::Nowhere | Guide::Unreachable => 0,
        }
    }

    /// How far a unit has to go in all, from where its guide was made.
    pub fn length(&self, agent: u32, at: Cell) -> u32 {
        match &self.guides[agent as usize] {
            Guide::Trail(guide) => guide.trail.len(),
            _ => self.distance(agent, at),
        }
    }

    /// Bytes of memory of the goals and ways, without the planner.
    pub fn bytes(&self) -> usize {
        let fields: usize = self.fields.iter().flatten().map(|shared| shared.field.bytes()).sum();
        let trails: usize = self
            .guides
            .iter()
            .map(|guide| match guide {
                Guide::Trail(guide) => size_of::<TrailGuide>() + guide.trail.bytes(),
                _ => 0,
            })
            .sum();
        let each = size_of::<Guide>() + size_of::<Option<Cell>>();
        fields + trails + self.guides.capacity() * each
    }

    /// Bytes of memory of the planner and its searches.
    pub fn planner_bytes(&self) -> usize {
        self.planner.memory_usage().total() + self.scratch.memory_usage()
    }
}

/// The guides on their map.
pub(super) struct Guided<'a> {
    pub grid: &'a Grid,
    pub guides: &'a Guides,
    /// By unit: whether it insists.
    pub insists: &'a dyn Fn(u32) -> bool,
}

impl Ground for Guided<'_> {
    fn may_enter(&self, _: u32, cell: Cell) -> bool {
        self.grid.is_free(cell)
    }

    fn distance(&self, agent: u32, cell: Cell) -> u32 {
        self.guides.distance(agent, cell)
    }

    fn may_swap(&self, agent: u32) -> bool {
        !(self.insists)(agent)
    }
}
