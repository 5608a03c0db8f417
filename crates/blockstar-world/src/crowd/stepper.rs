//! One step of a whole crowd: priority inheritance with backtracking, PIBT (K. Okumura, M. Machida,
//! X. Défago & Y. Tamura, *Priority inheritance with backtracking for iterative multi-agent path
//! finding*, Artificial Intelligence 310, 2022).
//!
//! Units decide in the order of their priority. Each tries its places from the best to the worst.
//! If another stands there that has not decided yet, it is asked to go first and inherits the
//! priority; if it cannot go, it stays, and the next place is tried. So whoever decides first gets
//! its best place, unless a dead end is in the way.
//!
//! Here and not in the paper:
//!
//! * *Units of n x n cells.* A step may have to ask several units. If one of them cannot go, what
//!   the others decided is taken back: one of them may have counted on the place that the large
//!   unit now keeps. Units that could not go keep that decision, so the work stays bounded.
//! * *Eight directions.* Two units also conflict when they cross on two diagonals. In general, two
//!   units conflict if half way through the step they would overlap by more than half a cell in
//!   both directions. Of single cells these are the swap and the crossing; following another around
//!   a corner overlaps by just half a cell and is permitted.
//! * *No recursion.* A chain may be as long as there are units.

use super::Ground;
use super::preference::Choices;
use super::regret::Regrets;
use blockstar::{Cell, Rule};
use std::fmt;

/// No unit, no cell.
pub(super) const NONE: u32 = u32::MAX;

/// The largest side of a unit.
pub(super) const MAX_SIZE: u8 = 16;

/// How often the crowd decides before it goes; all but the last time it learns what choices cost
/// others. On orz900d with 1,800 units the sum of costs is 1.31 times that of the shortest paths
/// with one round, 1.217 with two, 1.209 with three and 1.215 with four.
pub(crate) const ROUNDS: u32 = 3;

/// Why a unit cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// Its side is not 1 to 16 cells.
    Size(u8),
    /// It would stand, in part, outside the map.
    Outside(Cell),
    /// Another unit stands there.
    Taken {
        /// The cell.
        cell: Cell,
        /// Who stands there.
        by: u32,
    },
    /// It is on the map already.
    Twice(Cell),
}

impl std::error::Error for PlaceError {}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => write!(f, "a unit's side is {size} cells, but must be 1 to 16"),
            Self::Outside(cell) => write!(f, "a unit at {cell} would stand outside the map"),
            Self::Taken { cell, by } => write!(f, "unit {by} stands on {cell} already"),
            Self::Twice(cell) => write!(f, "the unit is on the map already, at {cell}"),
        }
    }
}

/// One unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// Its upper left cell, by number; [`NONE`] if it is not on the map.
    pub at: u32,
    /// Where it will be after the step, [`NONE`] until that is decided.
    pub next: u32,
    pub size: u8,
    /// Whether the decision is not its own.
    pub forced: bool,
}

impl Unit {
    const ABSENT: Self = Self { at: NONE, next: NONE, size: 0, forced: false };
}

/// A unit that is deciding.
#[derive(Clone, Copy, Debug)]
struct Frame {
    agent: u32,
    /// How many had decided before the choice under way.
    mark: u32,
    choices: Choices,
    choice: u8,
    /// Whom it changes places with, if anyone.
    partner: u32,
    /// Whether the place of the choice is reserved, and those who stand there are being asked.
    asking: bool,
    /// The distance from its best place.
    least: u32,
    /// What the choice under way costs those who were asked.
    burden: u32,
}

/// Where units are, and how all of them take a step together.
///
/// Units have numbers of the caller's choice, best small ones. After each [`step`](Self::step) no
/// two of them share a cell, none has passed through another, and each stands where its
/// [`Ground`] permits it to be; the same calls lead to the same places, always.
///
/// ```
/// use blockstar::{Cell, Rule};
/// use blockstar_world::crowd::{Ground, Stepper};
///
/// /// Unit 0 walks to the right, unit 1 to the left.
/// struct Hall;
/// impl Ground for Hall {
///     fn may_enter(&self, _: u32, _: Cell) -> bool {
///         true
///     }
///     fn distance(&self, agent: u32, cell: Cell) -> u32 {
///         if agent == 0 { 4 - cell.x } else { cell.x }
///     }
/// }
/// let mut stepper = Stepper::new(5, 2, Rule::Four);
/// stepper.place(0, Cell::new(0, 0), 1)?;
/// stepper.place(1, Cell::new(4, 0), 1)?;
/// for _ in 0..6 {
///     stepper.step(&Hall, &[0, 1]);
/// }
/// assert_eq!(stepper.cell(0).unwrap().x, 4);
/// assert_eq!(stepper.cell(1).unwrap().x, 0);
/// # Ok::<(), blockstar_world::crowd::PlaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stepper {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rule: Rule,
    pub(super) units: Vec<Unit>,
    /// By cell: who stands there.
    pub(super) occupied: Vec<u32>,
    /// By cell: who will stand there after the step.
    pub(super) reserved: Vec<u32>,
    /// Who has decided, in this order.
    decided: Vec<u32>,
    stack: Vec<Frame>,
    pub(super) regrets: Regrets,
    pub(super) ticks: u32,
}

impl Stepper {
    /// No units yet, on a map of this size. Diagonal steps need both straight ones to be possible
    /// under the rule `eight`, and so on; under an any-angle rule units step as under `eight`.
    pub fn new(width: u32, height: u32, rule: Rule) -> Self {
        let cells = width as usize * height as usize;
        let rule = if rule.is_any_angle() { Rule::Eight } else { rule };
        Self {
            width,
            height,
            rule,
            units: Vec::new(),
            occupied: vec![NONE; cells],
            reserved: vec![NONE; cells],
            decided: Vec::new(),
            stack: Vec::new(),
            regrets: Regrets::default(),
            ticks: 0,
        }
    }

    /// Puts a unit of `size` x `size` cells on the map, its upper left cell at `cell`. Walls are
    /// the caller's business.
    pub fn place(&mut self, agent: u32, cell: Cell, size: u8) -> Result<(), PlaceError> {
        if let Some(cell) = self.cell(agent) {
            return Err(PlaceError::Twice(cell));
        }
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(PlaceError::Size(size));
        }
        if !self.fits(cell, size) {
            return Err(PlaceError::Outside(cell));
        }
        let at = self.number(cell);
        for covered in cells_of(self.width, at, size) {
            let by = self.occupied[covered as usize];
            if by != NONE {
                return Err(PlaceError::Taken { cell: self.cell_of(covered), by });
            }
        }
        if self.units.len() <= agent as usize {
            self.units.resize(agent as usize + 1, Unit::ABSENT);
        }
        self.units[agent as usize] = Unit { at, next: NONE, size, forced: false };
        fill(&mut self.occupied, self.width, at, size, agent);
        Ok(())
    }

    /// Takes a unit off the map; one that is not there is none of its business.
    pub fn remove(&mut self, agent: u32) {
        let Some(unit) = self.units.get_mut(agent as usize) else { return };
        let Unit { at, size, .. } = std::mem::replace(unit, Unit::ABSENT);
        if at != NONE {
            fill(&mut self.occupied, self.width, at, size, NONE);
        }
    }

    /// The upper left cell of a unit; none if it is not on the map.
    pub fn cell(&self, agent: u32) -> Option<Cell> {
        let at = self.units.get(agent as usize)?.at;
        (at != NONE).then(|| self.cell_of(at))
    }

    /// The side of a unit; 0 if it is not on the map.
    pub fn size(&self, agent: u32) -> u8 {
        self.units.get(agent as usize).map_or(0, |unit| unit.size)
    }

    /// Who stands on a cell.
    pub fn occupant(&self, cell: Cell) -> Option<u32> {
        if cell.x >= self.width || cell.y >= self.height {
            return None;
        }
        Some(self.occupied[self.number(cell) as usize]).filter(|&agent| agent != NONE)
    }

    /// All units take a step, or stay. Those of `by_priority` decide in this order; a unit that is
    /// left out moves only if another asks it to.
    pub fn step(&mut self, ground: &(impl Ground + ?Sized), by_priority: &[u32]) {
        self.step_with(ground, by_priority, &[], ROUNDS);
    }

    /// The same, where some units must go to given places. False, and no step, if that is not
    /// possible.
    pub(crate) fn step_with(
        &mut self,
        ground: &(impl Ground + ?Sized),
        by_priority: &[u32],
        forced: &[(u32, Cell)],
        rounds: u32,
    ) -> bool {
        self.regrets.begin(self.units.len());
        for round in 0..rounds {
            if round > 0 {
                self.take_back_all();
            }
            if !self.force(forced) || !self.decide_all(ground, by_priority) {
                self.take_back_all();
                return false;
            }
        }
        self.go();
        true
    }

    /// Decides for some units.
    fn force(&mut self, forced: &[(u32, Cell)]) -> bool {
        forced.iter().all(|&(agent, cell)| {
            let target = self.number(cell);
            let possible = self.units[agent as usize].next == NONE && self.is_open(agent, target);
            if possible {
                self.settle(agent, target);
                self.units[agent as usize].forced = true;
            }
            possible
        })
    }

    /// Lets everybody decide. False if somebody can neither go nor stay, because of those who must
    /// go.
    fn decide_all(&mut self, ground: &(impl Ground + ?Sized), by_priority: &[u32]) -> bool {
        by_priority.iter().all(|&agent| {
            let unit = self.units.get(agent as usize);
            let waits = unit.is_some_and(|unit| unit.at != NONE && unit.next == NONE);
            !waits || self.decide(ground, agent)
        })
    }

    /// Takes back everything that was decided.
    fn take_back_all(&mut self) {
        for agent in self.decided.drain(..) {
            let unit = &mut self.units[agent as usize];
            fill(&mut self.reserved, self.width, unit.next, unit.size, NONE);
            (unit.next, unit.forced) = (NONE, false);
        }
    }

    /// Lets a unit decide, and whomever it has to ask. False if one of them can neither go nor stay.
    fn decide(&mut self, ground: &(impl Ground + ?Sized), first: u32) -> bool {
        let frame = |stepper: &Self, agent| {
            let mut choices = stepper.choices(ground, agent);
            let best = choices.first();
            let partner = stepper.swap_partner(ground, agent, best.place).unwrap_or(NONE);
            if partner != NONE {
                choices.reverse();
            }
            let least = best.distance;
            Frame { agent, mark: 0, choices, choice: 0, partner, asking: false, least, burden: 0 }
        };
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(frame(self, first));
        while let Some(top) = stack.last_mut() {
            let agent = top.agent;
            let Unit { at, size, .. } = self.units[agent as usize];
            if top.asking {
                let target = self.units[agent as usize].next;
                if let Some(other) = self.undecided_at(target, size, agent) {
                    let asked = frame(self, other);
                    stack.push(asked);
                    continue;
                }
                if self.holds(agent) {
                    let mut regret = top.burden;
                    if let Some(chosen) = top.choices.get(top.choice) {
                        self.regrets.learn(agent, chosen.direction, top.burden);
                        regret = regret.saturating_add(chosen.distance.saturating_sub(top.least));
                    }
                    stack.pop();
                    if let Some(parent) = stack.last_mut() {
                        parent.burden = parent.burden.saturating_add(regret);
                    }
                    continue;
                }
                // Somebody in the way could not go.
                self.take_back(top.mark);
                top.asking = false;
                top.burden = 0;
                top.choice += 1;
                continue;
            }
            let Some(target) = top.choices.get(top.choice).map(|choice| choice.place) else {
                if self.is_forced_out(at, size) {
                    stack.clear();
                    self.stack = stack;
                    return false;
                }
                // Whoever reserved this place finds it taken.
                self.settle(agent, at);
                stack.pop();
                continue;
            };
            if self.is_open(agent, target) {
                top.mark = self.decided.len() as u32;
                top.asking = true;
                self.settle(agent, target);
                // Before anybody else is asked: a unit of the chain would take the place.
                if top.choice == 0
                    && top.partner != NONE
                    && self.may_follow(ground, top.partner, at)
                {
                    self.pull(top.partner, at);
                }
            } else {
                top.choice += 1;
            }
        }
        self.stack = stack;
        true
    }

    /// Whether somebody must go to a place.
    fn is_forced_out(&self, at: u32, size: u8) -> bool {
        cells_of(self.width, at, size).any(|cell| {
            let by = self.reserved[cell as usize];
            by != NONE && self.units[by as usize].forced
        })
    }

    /// Decides where a unit will be.
    fn settle(&mut self, agent: u32, target: u32) {
        let unit = &mut self.units[agent as usize];
        unit.next = target;
        fill(&mut self.reserved, self.width, target, unit.size, agent);
        self.decided.push(agent);
    }

    /// Lets a unit follow into a place that is being left, if nobody else does.
    fn pull(&mut self, agent: u32, place: u32) {
        let undecided = self.units[agent as usize].next == NONE;
        if undecided && self.is_open(agent, place) {
            self.settle(agent, place);
        }
    }

    /// Whether a unit next to a place may step there: its own ground decides, not that of the one
    /// who leaves the place.
    fn may_follow(&self, ground: &(impl Ground + ?Sized), agent: u32, place: u32) -> bool {
        let (from, to) = (self.cell_of(self.units[agent as usize].at), self.cell_of(place));
        let may = |x: u32, y: u32| ground.may_enter(agent, Cell::new(x, y));
        may(to.x, to.y)
            && (from.x == to.x
                || from.y == to.y
                || super::preference::permits_diagonal(
                    self.rule,
                    may(to.x, from.y),
                    may(from.x, to.y),
                ))
    }

    /// How many steps have been made: what ties are broken by, so part of the state.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Goes on as after so many steps.
    pub fn set_ticks(&mut self, ticks: u32) {
        self.ticks = ticks;
    }

    /// Takes back what was decided after the first `mark` decisions, except by those who stay.
    fn take_back(&mut self, mark: u32) {
        let mut kept = mark as usize;
        for index in mark as usize..self.decided.len() {
            let agent = self.decided[index];
            let unit = &mut self.units[agent as usize];
            if unit.next == unit.at {
                self.decided[kept] = agent;
                kept += 1;
                continue;
            }
            let target = std::mem::replace(&mut unit.next, NONE);
            for cell in cells_of(self.width, target, unit.size) {
                let who = &mut self.reserved[cell as usize];
                if *who == agent {
                    *who = NONE;
                }
            }
        }
        self.decided.truncate(kept);
    }

    /// Whether all cells that a unit reserved are still its own.
    fn holds(&self, agent: u32) -> bool {
        let Unit { next, size, .. } = self.units[agent as usize];
        cells_of(self.width, next, size).all(|cell| self.reserved[cell as usize] == agent)
    }

    /// Somebody who stands at a place of another and has not decided yet.
    fn undecided_at(&self, target: u32, size: u8, agent: u32) -> Option<u32> {
        cells_of(self.width, target, size).map(|cell| self.occupied[cell as usize]).find(|&other| {
            other != NONE && other != agent && self.units[other as usize].next == NONE
        })
    }

    /// Whether nobody has decided to be at a place or to pass through who goes there.
    fn is_open(&self, agent: u32, target: u32) -> bool {
        let Unit { at, size, .. } = self.units[agent as usize];
        let free = |cell: u32| self.reserved[cell as usize] == NONE;
        if !cells_of(self.width, target, size).all(free) {
            return false;
        }
        if target == at {
            return true;
        }
        // Only who stands within the cells that are passed can pass through.
        let (x, y) = (at % self.width, at / self.width);
        let (to_x, to_y) = (target % self.width, target / self.width);
        let side = u32::from(size);
        let columns = x.min(to_x)..x.max(to_x) + side;
        (y.min(to_y)..y.max(to_y) + side).all(|row| {
            columns.clone().all(|column| {
                let other = self.occupied[(row * self.width + column) as usize];
                other == NONE || other == agent || !self.passes_through(agent, target, other)
            })
        })
    }

    /// Whether a unit that goes to `target` would pass through another that has decided.
    fn passes_through(&self, agent: u32, target: u32, other: u32) -> bool {
        let Unit { at, size, .. } = self.units[agent as usize];
        let Unit { at: from, next: to, size: other_size, .. } = self.units[other as usize];
        if to == NONE || to == from {
            return false;
        }
        let middle = |a: u32, b: u32| {
            let (x, y) = (a % self.width + b % self.width, a / self.width + b / self.width);
            (i64::from(x), i64::from(y))
        };
        // In half cells.
        let (mine, its) = (middle(at, target), middle(from, to));
        let overlap = |a: i64, b: i64| {
            (a + 2 * i64::from(size)).min(b + 2 * i64::from(other_size)) - a.max(b) > 1
        };
        overlap(mine.0, its.0) && overlap(mine.1, its.1)
    }

    /// Everybody goes where it decided to go.
    fn go(&mut self) {
        for &agent in &self.decided {
            let Unit { at, next, size, .. } = self.units[agent as usize];
            fill(&mut self.reserved, self.width, next, size, NONE);
            fill(&mut self.occupied, self.width, at, size, NONE);
        }
        for &agent in &self.decided {
            let unit = &mut self.units[agent as usize];
            unit.at = std::mem::replace(&mut unit.next, NONE);
            unit.forced = false;
            fill(&mut self.occupied, self.width, unit.at, unit.size, agent);
        }
        self.decided.clear();
        self.ticks = self.ticks.wrapping_add(1);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        (self.occupied.capacity() + self.reserved.capacity() + self.decided.capacity())
            * size_of::<u32>()
            + self.units.capacity() * size_of::<Unit>()
            + self.regrets.bytes()
    }

    /// Whether a unit of this size lies within the map.
    pub(super) fn fits(&self, cell: Cell, size: u8) -> bool {
        let end = |at: u32| at.checked_add(size.into());
        end(cell.x).is_some_and(|x| x <= self.width)
            && end(cell.y).is_some_and(|y| y <= self.height)
    }

    pub(super) fn number(&self, cell: Cell) -> u32 {
        cell.y * self.width + cell.x
    }

    pub(super) fn cell_of(&self, number: u32) -> Cell {
        Cell::new(number % self.width, number / self.width)
    }
}

/// The numbers of the cells of a unit.
pub(super) fn cells_of(width: u32, at: u32, size: u8) -> impl Iterator<Item = u32> {
    let side = u32::from(size);
    (0..side).flat_map(move |row| (0..side).map(move |column| at + row * width + column))
}

/// Writes a unit's number, or none, on all of its cells.
fn fill(cells: &mut [u32], width: u32, at: u32, size: u8, agent: u32) {
    for cell in cells_of(width, at, size) {
        cells[cell as usize] = agent;
    }
}
