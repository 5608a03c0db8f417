//! A crowd on a map: units with goals or tasks that all step at once.

use super::guides::{Guided, Guides};
use super::jam::{Jam, JamPlan};
use super::refine::Walks;
use super::stepper::ROUNDS;
use super::tasks::Tasks;
use super::traffic::Traffic;
use super::{PlaceError, Stepper};
use blockstar::{Cell, Error, Grid, Rule};
use std::cmp::Reverse;
use std::fmt;

/// How units step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// Together: [`Stepper`].
    #[default]
    Cooperative,
    /// Each to its best free neighbour, or it stays: what one would write first, for comparison.
    Greedy,
}

/// Why there can be no such crowd.
#[derive(Clone, Debug, PartialEq)]
pub enum CrowdError {
    /// A unit cannot stand where it should.
    Place {
        /// The unit's number.
        unit: usize,
        /// Why.
        why: PlaceError,
    },
    /// A unit would stand on a blocked cell.
    Blocked {
        /// The unit's number.
        unit: usize,
        /// The cell.
        cell: Cell,
    },
    /// The map or the movement rule is not possible.
    Map(Error),
}

impl std::error::Error for CrowdError {}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place { unit, why } => write!(f, "unit {unit}: {why}"),
            Self::Blocked { unit, cell } => {
                write!(f, "unit {unit} would stand in a wall at {cell}")
            }
            Self::Map(error) => error.fmt(f),
        }
    }
}

impl From<Error> for CrowdError {
    fn from(error: Error) -> Self {
        Self::Map(error)
    }
}

/// The expansions that all units together may spend on planning in a tick: about eighty paths across
/// a map of 1800 x 1912 cells. What is left over is done in the next ticks; until then a unit goes
/// roughly to its goal.
const BUDGET: u64 = 40_000;

/// For how many ticks a unit may come no nearer to its goal before it counts as stuck.
const PATIENCE: u32 = 16;

/// The decisions that the search for a way out of a jam may make, and how far around the stuck unit
/// it looks, the first time; both double each time it was no help.
const JAM_WORK: u64 = 4_000;
const JAM_REACH: u32 = 6;
const MOST_DOUBLINGS: u32 = 5;

/// How often traffic is counted, from how many ticks on a unit counts as one that waits, and how
/// many look for a way around at a time.
const TRAFFIC_EVERY: u32 = 16;
const WAITS: u32 = 4;
const MOST_AROUND: usize = 32;

/// How a unit gets on.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The nearest to its goal that it has been.
    nearest: u32,
    /// How many ticks it has come no nearer since then, those at its goal not counted.
    waited: u32,
    /// How often a way out was looked for, and when to look again.
    tries: u32,
    again: u32,
}

impl Progress {
    /// Whether the unit does not step back for others: every other while, once it has waited long.
    fn insists(&self) -> bool {
        self.waited / (2 * PATIENCE) % 2 == 1
    }

    /// With a new goal.
    fn starting() -> Self {
        Self { nearest: u32::MAX, ..Self::default() }
    }
}

/// A task under way.
#[derive(Clone, Copy, Debug)]
struct Errand {
    task: u32,
    /// The place of the task that the unit goes to.
    place: u32,
}

/// A crowd of units of one cell each, on a map that stays as it is.
pub struct Crowd {
    grid: Grid,
    rule: Rule,
    stepping: Stepping,
    stepper: Stepper,
    guides: Guides,
    /// The units by priority: those longest under way first.
    order: Vec<u32>,
    /// The expansions of a tick.
    budget: u64,
    over_budget_ticks: u32,
    tasks: Option<Tasks>,
    /// How many may have a task at a time.
    most_active: usize,
    errands: Vec<Option<Errand>>,
    progress: Vec<Progress>,
    jams: Vec<JamPlan>,
    /// Ways out of jams that were looked for, and found.
    jam_searches: u64,
    jams_solved: u64,
    /// By unit: the ticks until it stayed at its goal, as far as is known.
    costs: Vec<u32>,
    /// By unit: the tick of its first step, and of its goal.
    first_step: Vec<Option<u32>>,
    ticks: u32,
}

impl Crowd {
    /// Units at their starts, without goals.
    pub fn new(
        grid: Grid,
        rule: Rule,
        starts: &[Cell],
        stepping: Stepping,
    ) -> Result<Self, CrowdError> {
        let mut stepper = Stepper::new(grid.width(), grid.height(), rule);
        for (unit, &cell) in starts.iter().enumerate() {
            let placed = stepper.place(unit as u32, cell, 1);
            placed.map_err(|why| CrowdError::Place { unit, why })?;
            if !grid.is_free(cell) {
                return Err(CrowdError::Blocked { unit, cell });
            }
        }
        let guides = Guides::new(&grid, rule, starts.len())?;
        Ok(Self {
            grid,
            rule,
            stepping,
            stepper,
            guides,
            order: (0..starts.len() as u32).collect(),
            budget: BUDGET,
            over_budget_ticks: 0,
            tasks: None,
            most_active: usize::MAX,
            errands: vec![None; starts.len()],
            progress: vec![Progress::default(); starts.len()],
            jams: Vec::new(),
            jam_searches: 0,
            jams_solved: 0,
            costs: vec![0; starts.len()],
            first_step: vec![None; starts.len()],
            ticks: 0,
        })
    }

    /// Gives each unit one goal, in order of their numbers; the far ones go first.
    pub fn set_goals(&mut self, goals: &[Cell]) -> Result<(), Error> {
        for (agent, &goal) in (0..self.units()).zip(goals) {
            self.guides.set_goal(agent, Some(goal));
            self.progress[agent as usize] = Progress::starting();
            self.costs[agent as usize] = u32::from(goal != self.at(agent));
        }
        self.refresh()?;
        let mut order = std::mem::take(&mut self.order);
        blockstar::sort::by_key(&mut order, |&agent| {
            Reverse(self.guides.length(agent, self.at(agent)))
        });
        self.order = order;
        Ok(())
    }

    /// Gives the crowd tasks, for ever.
    pub fn set_tasks(&mut self, tasks: Tasks) -> Result<(), Error> {
        self.tasks = Some(tasks);
        self.give_out();
        self.refresh()
    }

    /// Follows trails and windows even where the map is small enough for exact fields. To be called
    /// before goals are given.
    pub fn follow_trails(&mut self) {
        self.guides.with_fields = false;
    }

    /// Sets how many expansions all units together may spend on planning in a tick, at least one;
    /// the first plans, when goals or tasks are given, are not limited.
    pub fn set_budget(&mut self, expansions: u64) {
        self.budget = expansions.max(1);
    }

    /// Lets steps cost more where units wait, and units look for ways around. Only units that follow
    /// trails do: those on large maps, or after [`follow_trails`](Self::follow_trails).
    pub fn watch_out_for_traffic(&mut self) -> Result<(), Error> {
        self.guides.traffic = Some(Traffic::new(&self.grid, self.rule)?);
        Ok(())
    }

    /// How many paths lead around traffic.
    pub fn detours(&self) -> u64 {
        self.guides.traffic.as_ref().map_or(0, |traffic| traffic.detours)
    }

    /// Lets at most so many units have a task at a time; the others stand by and make way. More
    /// units than a map can take get in each other's way: past that point fewer do more.
    pub fn limit_active(&mut self, most: u32) {
        self.most_active = most as usize;
    }

    /// Walks to the goals on paper, improves the walk by so many expansions, and then walks that for
    /// good: the ticks that follow are its steps. How much all units together save; none if not all
    /// of them arrived within `ticks`, or if the map is too large for this.
    pub fn rehearse(&mut self, ticks: u32, expansions: u64) -> Result<Option<u64>, Error> {
        let order = self.order.clone();
        let mut walk = vec![self.places()];
        while self.arrived() < self.units() && self.ticks < ticks {
            self.tick()?;
            walk.push(self.places());
        }
        let complete = self.arrived() == self.units();
        let cost = self.sum_of_costs();
        // Back to the beginning.
        let starts = walk[0].clone();
        (0..self.units()).for_each(|agent| self.stepper.remove(agent));
        for (agent, &start) in (0..).zip(&starts) {
            // They stood there before.
            let _ = self.stepper.place(agent, start, 1);
            let goal = self.goal(agent);
            self.guides.set_goal(agent, goal);
            self.progress[agent as usize] = Progress::starting();
            self.costs[agent as usize] = u32::from(goal.is_some_and(|goal| goal != start));
            self.first_step[agent as usize] = None;
        }
        (self.order, self.ticks) = (order, 0);
        self.jams.clear();
        self.guides.allowance = u64::MAX;
        self.refresh()?;
        if !complete {
            return Ok(None);
        }
        let goals: Vec<Cell> = starts
            .iter()
            .zip(0..)
            .map(|(&start, agent)| self.goal(agent).unwrap_or(start))
            .collect();
        let Some(mut walks) = Walks::new(&self.grid, self.rule, &goals, &walk) else {
            return Ok(None);
        };
        walks.improve(expansions);
        let saved = cost.saturating_sub(walks.cost());
        self.jams.push(JamPlan::of_all(walks.steps()));
        Ok(Some(saved))
    }

    fn places(&self) -> Vec<Cell> {
        (0..self.units()).map(|agent| self.at(agent)).collect()
    }

    /// How many units there are.
    pub fn units(&self) -> u32 {
        self.order.len() as u32
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The movement rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Where a unit is.
    pub fn at(&self, agent: u32) -> Cell {
        self.stepper.cell(agent).unwrap_or_default()
    }

    /// Where a unit goes.
    pub fn goal(&self, agent: u32) -> Option<Cell> {
        self.guides.goal(agent)
    }

    /// How many ticks there were.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Everybody takes a step.
    pub fn tick(&mut self) -> Result<(), Error> {
        self.guides.allowance = self.budget;
        self.watch_traffic()?;
        self.give_out();
        self.refresh()?;
        self.over_budget_ticks += u32::from(std::mem::take(&mut self.guides.over_budget));
        let before = self.places();
        let forced = self.jam_steps();
        let insists = |agent: u32| self.progress[agent as usize].insists();
        let ground = Guided { grid: &self.grid, guides: &self.guides, insists: &insists };
        match self.stepping {
            Stepping::Cooperative => {
                if !self.stepper.step_with(&ground, &self.order, &forced, ROUNDS) {
                    // Two ways out cross: each finds another one later.
                    self.jams.clear();
                    self.stepper.step(&ground, &self.order);
                }
            }
            Stepping::Greedy => self.stepper.step_greedily(&ground, &self.order),
        }
        for (agent, &was) in before.iter().enumerate() {
            if self.first_step[agent].is_none() && self.at(agent as u32) != was {
                self.first_step[agent] = Some(self.ticks);
            }
        }
        self.ticks += 1;
        self.arrive();
        Ok(())
    }

    /// Where units wait, steps cost more; those who have waited long look for a way around.
    fn watch_traffic(&mut self) -> Result<(), Error> {
        if !self.ticks.is_multiple_of(TRAFFIC_EVERY) {
            return Ok(());
        }
        let Some(traffic) = &mut self.guides.traffic else { return Ok(()) };
        let units = 0..self.order.len() as u32;
        let waits = |&agent: &u32| self.progress[agent as usize].waited >= WAITS;
        let places = units.filter(waits).filter_map(|agent| self.stepper.cell(agent));
        if !traffic.count(places)? {
            return Ok(());
        }
        // The last of a queue first: for them a way around is shortest.
        let waits = |agent: &u32| self.progress[*agent as usize].waited >= WAITS;
        let late: Vec<u32> = self.order.iter().rev().copied().filter(waits).collect();
        for agent in late.into_iter().take(MOST_AROUND) {
            let at = self.at(agent);
            if self.guides.reconsider(&self.grid, agent, at)? {
                self.progress[agent as usize] = Progress::starting();
            }
        }
        Ok(())
    }

    /// Where the units of jams go, once a way out is known; looks for one if somebody is stuck.
    fn jam_steps(&mut self) -> Vec<(u32, Cell)> {
        if self.stepping != Stepping::Cooperative {
            return Vec::new();
        }
        self.find_stuck();
        let mut forced = Vec::new();
        let stepper = &self.stepper;
        self.jams.retain_mut(|jam| {
            let Some(steps) = jam.next() else { return false };
            let clear = steps.iter().all(|&(_, cell)| {
                stepper.occupant(cell).is_none_or(|other| jam.units.contains(&other))
            });
            if clear {
                forced.extend(steps);
            }
            clear
        });
        forced
    }

    /// Notes how units get on, and looks for a way out for the first that is stuck.
    fn find_stuck(&mut self) {
        let mut stuck = None;
        for &agent in &self.order {
            let Some(at) = self.stepper.cell(agent) else { continue };
            if self.guides.is_unplanned(agent) {
                continue;
            }
            let distance = self.guides.distance(agent, at);
            let progress = &mut self.progress[agent as usize];
            if distance < progress.nearest {
                (progress.nearest, progress.waited) = (distance, 0);
            } else if distance > 0 {
                progress.waited += 1;
                let stands = progress.waited >= PATIENCE && self.ticks >= progress.again;
                if stands && stuck.is_none() {
                    stuck = Some(agent);
                }
            }
        }
        if let Some(first) = stuck {
            self.solve_jam(first);
        }
    }

    /// Looks for a way out for a unit that is stuck.
    fn solve_jam(&mut self, first: u32) {
        let progress = &mut self.progress[first as usize];
        let doublings = progress.tries.min(MOST_DOUBLINGS);
        // A growing pause: otherwise it would keep in step with two units that take turns.
        progress.again = self.ticks + 7 + (progress.waited / 8).min(4 * PATIENCE);
        let insists = |_| false;
        let ground = Guided { grid: &self.grid, guides: &self.guides, insists: &insists };
        let reach = JAM_REACH << doublings;
        let Some(jam) = Jam::around(&ground, &self.stepper, first, reach, |_| true) else {
            return;
        };
        let mut rank = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &agent)| rank[agent as usize] = place);
        let waits_for = |&agent: &u32| rank[agent as usize] < rank[first as usize];
        let led_out = |agent: &u32| self.jams.iter().any(|jam| jam.units.contains(agent));
        // Whoever waits for one that came before it is in a queue, not in a jam.
        if jam.units.iter().any(|agent| waits_for(agent) || led_out(agent)) {
            return;
        }
        progress.tries += 1;
        progress.again = self.ticks + PATIENCE * progress.tries;
        // Whom it cannot push may only be waiting for its own turn, as in a dead end.
        let backs_off = progress.tries > 1;
        self.jam_searches += 1;
        let goal_of = |agent| self.guides.goal(agent);
        let mut work = JAM_WORK << doublings;
        let plan = jam.solve(&ground, &self.stepper, goal_of, &mut work);
        self.jams_solved += u64::from(plan.is_some());
        self.jams.extend(plan.map(|(plan, _)| plan));
        if backs_off {
            self.order.retain(|&agent| agent != first);
            self.order.push(first);
        }
    }

    /// Those at their goals go on to the next place of their task, and behind all others.
    fn arrive(&mut self) {
        let (mut under_way, mut arrived) = (Vec::new(), Vec::new());
        for agent in std::mem::take(&mut self.order) {
            if self.goal(agent) == Some(self.at(agent)) {
                arrived.push(agent);
            } else {
                if self.goal(agent).is_some() {
                    self.costs[agent as usize] = self.ticks + 1;
                }
                under_way.push(agent);
            }
        }
        if let Some(tasks) = &mut self.tasks {
            for &agent in &arrived {
                let Some(errand) = &mut self.errands[agent as usize] else { continue };
                errand.place += 1;
                let next = tasks.places(errand.task).get(errand.place as usize).copied();
                if next.is_none() {
                    tasks.finish();
                    self.errands[agent as usize] = None;
                }
                self.guides.set_goal(agent, next);
                self.progress[agent as usize] = Progress::starting();
            }
        }
        under_way.append(&mut arrived);
        self.order = under_way;
    }

    /// Gives tasks to those who have none.
    fn give_out(&mut self) {
        let Some(tasks) = &mut self.tasks else { return };
        let free: Vec<(u32, Cell)> = (0..self.order.len() as u32)
            .filter(|&agent| self.errands[agent as usize].is_none())
            .map(|agent| (agent, self.stepper.cell(agent).unwrap_or_default()))
            .collect();
        let active = self.order.len() - free.len();
        if free.is_empty() {
            return;
        }
        for (agent, task) in tasks.give_out(&free, self.most_active.saturating_sub(active)) {
            self.errands[agent as usize] = Some(Errand { task, place: 0 });
            self.guides.set_goal(agent, tasks.places(task).first().copied());
            self.progress[agent as usize] = Progress::starting();
        }
    }

    /// Makes the distances round all units right. Those longest under way plan first, if there is
    /// not enough for all.
    fn refresh(&mut self) -> Result<(), Error> {
        if let Some(agent) = self.guides.searching {
            let at = self.at(agent);
            self.guides.refresh(&self.grid, agent, at)?;
        }
        for index in 0..self.order.len() {
            let agent = self.order[index];
            let at = self.at(agent);
            self.guides.refresh(&self.grid, agent, at)?;
        }
        Ok(())
    }

    /// How many tasks were finished.
    pub fn tasks_finished(&self) -> u64 {
        self.tasks.as_ref().map_or(0, Tasks::finished)
    }

    /// How many units are at their goals.
    pub fn arrived(&self) -> u32 {
        let arrived = |&agent: &u32| self.goal(agent) == Some(self.at(agent));
        (0..self.units()).filter(arrived).count() as u32
    }

    /// How many units have goals that they cannot reach.
    pub fn unreachable(&self) -> u32 {
        (0..self.units()).filter(|&agent| self.guides.is_unreachable(agent)).count() as u32
    }

    /// The ticks that each unit needed until it stayed at its goal, summed.
    pub fn sum_of_costs(&self) -> u64 {
        self.costs.iter().map(|&ticks| u64::from(ticks)).sum()
    }

    /// The sum of the shortest ways from where units are to their goals, each alone.
    pub fn lower_bound(&self) -> u64 {
        let length = |agent| u64::from(self.guides.length(agent, self.at(agent)));
        (0..self.units()).map(length).sum()
    }

    /// The ticks that exceeded their budget: a path that leads around traffic, or the field of a goal
    /// on a small map, is found at once, whatever is left.
    pub fn over_budget_ticks(&self) -> u32 {
        self.over_budget_ticks
    }

    /// Paths planned again because a unit had lost its own.
    pub fn replans(&self) -> u64 {
        self.guides.replans
    }

    /// When the last unit came to stay at its goal.
    pub fn makespan(&self) -> u32 {
        self.costs.iter().copied().max().unwrap_or(0)
    }

    /// The longest that a unit waited for its first step, in ticks; units that never moved and had
    /// somewhere to go have waited till now.
    pub fn first_step_ticks_max(&self) -> u32 {
        let waited = |agent: u32| match self.first_step[agent as usize] {
            Some(tick) => tick + 1,
            None if self.costs[agent as usize] == 0 => 0,
            None => self.ticks,
        };
        (0..self.units()).map(waited).max().unwrap_or(0)
    }

    /// How often a way out of a jam was looked for, and how often one was found.
    pub fn jams(&self) -> (u64, u64) {
        (self.jam_searches, self.jams_solved)
    }

    /// Bytes of memory for all units: where they are and where they go, without the map and the
    /// planner.
    pub fn unit_bytes(&self) -> usize {
        let each = size_of::<Option<Errand>>() + 2 * size_of::<u32>() + size_of::<Option<u32>>();
        self.guides.bytes() + self.stepper.bytes() + self.errands.len() * each
    }

    /// Bytes of memory of the planner and its searches.
    pub fn planner_bytes(&self) -> usize {
        self.guides.planner_bytes()
    }

    /// A number that is the same for two crowds whose units are at the same places, with the same
    /// goals and priorities.
    pub fn state_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |number: u32| {
            hash = (hash ^ u64::from(number)).wrapping_mul(0x0000_0100_0000_01b3);
            hash ^= hash >> 29;
        };
        add(self.ticks);
        for agent in 0..self.units() {
            let at = self.at(agent);
            let goal = self.goal(agent).unwrap_or(Cell::new(u32::MAX, u32::MAX));
            [at.x, at.y, goal.x, goal.y].into_iter().for_each(&mut add);
        }
        self.order.iter().copied().for_each(add);
        hash
    }
}
