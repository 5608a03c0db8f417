//! Units that stepping alone cannot part: a few of them, and the cells around, are given to a search
//! ([`lacam`](super::lacam)) of bounded work, and walk as that says.
//!
//! A jam is the unit that is stuck and all units near it, by steps on free cells, up to a number of
//! them. All others are walls. If all of them have their goals in the room, a solution brings all of
//! them there; otherwise it brings the first one as far as it can go. If the work runs out, the best
//! that was found is walked if it is better than nothing. As soon as somebody else stands in the
//! way, the plan is dropped.

use super::lacam::{self, Room};
use super::preference::{STEPS, permits_diagonal};
use super::window::StepCost;
use super::{Ground, Stepper};
use crate::pack::packed;
use blockstar::{Cell, Rule};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// The most units and cells of a jam.
const MOST_UNITS: usize = 100;
const MOST_CELLS: usize = 1024;

/// What the units of a jam are to do.
#[derive(Clone, Debug)]
pub(crate) struct JamPlan {
    pub units: Vec<u32>,
    /// After each step: where they are.
    steps: VecDeque<Vec<Cell>>,
}

packed!(JamPlan { units, steps });

impl JamPlan {
    /// Whether all steps are of all units, and on a map.
    pub fn is_whole(&self, on_map: impl Fn(Cell) -> bool) -> bool {
        let cells = |step: &Vec<Cell>| step.len() == self.units.len();
        self.steps.iter().all(cells) && self.steps.iter().flatten().all(|&cell| on_map(cell))
    }

    /// What all units are to do.
    pub fn of_all(steps: Vec<Vec<Cell>>) -> Self {
        let units = steps.first().map_or(0, Vec::len) as u32;
        Self { units: (0..units).collect(), steps: steps.into() }
    }

    /// The next step; none at the end.
    pub fn next(&mut self) -> Option<Vec<(u32, Cell)>> {
        let places = self.steps.pop_front()?;
        Some(self.units.iter().copied().zip(places).collect())
    }
}

/// A unit that is stuck, and who and what is around it.
pub(crate) struct Jam {
    cells: Vec<Cell>,
    /// The one that is stuck first.
    pub units: Vec<u32>,
}

impl Jam {
    /// The cells within `reach` steps of a unit, and the units there that take part; the others are
    /// walls. None if the unit is large.
    pub fn around(
        ground: &impl Ground,
        stepper: &Stepper,
        first: u32,
        reach: u32,
        takes_part: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let start = stepper.cell(first).filter(|_| stepper.size(first) == 1)?;
        let mut jam = Self { cells: Vec::new(), units: Vec::new() };
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((cell, steps)) = queue.pop_front() {
            if jam.cells.len() == MOST_CELLS {
                break;
            }
            match stepper.occupant(cell) {
                Some(unit)
                    if stepper.size(unit) != 1
                        || jam.units.len() == MOST_UNITS
                        || !takes_part(unit) =>
                {
                    continue;
                }
                Some(unit) => jam.units.push(unit),
                None => {}
            }
            jam.cells.push(cell);
            if steps == reach {
                continue;
            }
            let straight = STEPS[..4].iter().filter_map(|&step| stepper.stepped(cell, step, 1));
            for next in straight.filter(|&next| ground.may_enter(first, next)) {
                if seen.insert(next) {
                    queue.push_back((next, steps + 1));
                }
            }
        }
        Some(jam)
    }

    /// Looks for a way out, with at most so many decisions of single units, which are counted off; with
    /// it, whether it leads to the end.
    pub fn solve(
        self,
        ground: &impl Ground,
        stepper: &Stepper,
        goal_of: impl Fn(u32) -> Option<Cell>,
        work: &mut u64,
    ) -> Option<(JamPlan, bool)> {
        let Self { cells, units } = self;
        let room = JamRoom::new(ground, stepper.rule, cells, &units, goal_of);
        let mut local = Stepper::new(room.width, room.height, stepper.rule);
        for (number, &unit) in (0_u32..).zip(&units) {
            local.place(number, room.local(stepper.cell(unit)?), 1).ok()?;
        }
        let steps = lacam::solve(&room, &mut local, units.len() as u32, work);
        let solved = steps.last().is_some_and(|places| room.is_solved(places));
        let cells = |places: Box<[u16]>| -> Vec<Cell> {
            places.iter().map(|&place| room.cells[usize::from(place)]).collect()
        };
        let steps: VecDeque<Vec<Cell>> = steps.into_iter().map(cells).collect();
        (!steps.is_empty()).then_some((JamPlan { units, steps }, solved))
    }
}

/// The cells of a jam, in a rectangle of their own.
struct JamRoom {
    rule: Rule,
    width: u32,
    height: u32,
    corner: Cell,
    cells: Vec<Cell>,
    /// By cell of the rectangle: the place, or none.
    places: Vec<u16>,
    around: Vec<Vec<u16>>,
    /// By unit and place: how far it is.
    distances: Vec<Vec<u32>>,
    /// By unit: the distance that it is content with.
    least: Vec<u32>,
    /// By unit: whether its goal is one of the places.
    inside: Vec<bool>,
    /// Whether all must be content, or the first alone.
    all: bool,
}

const NO_PLACE: u16 = u16::MAX;

impl JamRoom {
    fn new(
        ground: &impl Ground,
        rule: Rule,
        cells: Vec<Cell>,
        units: &[u32],
        goal_of: impl Fn(u32) -> Option<Cell>,
    ) -> Self {
        let (mut least, mut most) = (cells[0], cells[0]);
        for cell in &cells {
            least = Cell::new(least.x.min(cell.x), least.y.min(cell.y));
            most = Cell::new(most.x.max(cell.x), most.y.max(cell.y));
        }
        let (width, height) = (most.x - least.x + 1, most.y - least.y + 1);
        let mut places = vec![NO_PLACE; (width * height) as usize];
        for (place, cell) in (0..).zip(&cells) {
            places[((cell.y - least.y) * width + cell.x - least.x) as usize] = place;
        }
        let mut room = Self {
            rule,
            width,
            height,
            corner: least,
            places,
            around: Vec::new(),
            distances: Vec::new(),
            least: Vec::new(),
            inside: Vec::new(),
            all: false,
            cells,
        };
        room.around = (0..room.cells.len()).map(|place| room.steps_from(place as u16)).collect();
        let steps = if rule == Rule::Four { 4 } else { 8 };
        for &unit in units {
            let goal = goal_of(unit).and_then(|goal| {
                let place = room.place_of(goal);
                (place != NO_PLACE).then_some(place)
            });
            let mut distances = match goal {
                Some(goal) => room.spread([(0, goal)].into()),
                None => {
                    let rim = |place: &u16| room.around[usize::from(*place)].len() <= steps;
                    let seeds = (0..room.cells.len() as u16).filter(rim).map(|place| {
                        (ground.distance(unit, room.cells[usize::from(place)]), place)
                    });
                    room.spread(seeds.filter(|seed| seed.0 < u32::MAX - 1).collect())
                }
            };
            if distances.iter().all(|&distance| distance == u32::MAX) {
                distances.fill(0);
            }
            room.least.push(distances.iter().copied().min().unwrap_or(0));
            room.inside.push(goal.is_some());
            room.distances.push(distances);
        }
        room.all = room.inside.iter().all(|&inside| inside);
        room
    }

    fn local(&self, cell: Cell) -> Cell {
        Cell::new(cell.x - self.corner.x, cell.y - self.corner.y)
    }

    /// The place of a cell of the whole map.
    fn place_of(&self, cell: Cell) -> u16 {
        let x = cell.x.wrapping_sub(self.corner.x);
        let y = cell.y.wrapping_sub(self.corner.y);
        if x < self.width && y < self.height {
            self.places[(y * self.width + x) as usize]
        } else {
            NO_PLACE
        }
    }

    /// The places a step away, and the place itself.
    fn steps_from(&self, place: u16) -> Vec<u16> {
        let cell = self.cells[usize::from(place)];
        let to = STEPS.map(|(dx, dy)| {
            let (x, y) = (cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
            Some(self.place_of(Cell::new(x, y))).filter(|&place| place != NO_PLACE)
        });
        let mut around = vec![place];
        for direction in 0..8 {
            let (a, b) = (to[direction % 4].is_some(), to[(direction + 1) % 4].is_some());
            let permitted = direction < 4 || permits_diagonal(self.rule, a, b);
            around.extend(to[direction].filter(|_| permitted));
        }
        around
    }

    /// Distances over the room from places that have one already.
    fn spread(&self, seeds: Vec<(u32, u16)>) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.cells.len()];
        let cost = StepCost::of(self.rule);
        let mut queue: BinaryHeap<_> = seeds.into_iter().map(Reverse).collect();
        while let Some(Reverse((distance, place))) = queue.pop() {
            if distance >= distances[usize::from(place)] {
                continue;
            }
            distances[usize::from(place)] = distance;
            let from = self.cells[usize::from(place)];
            for &next in &self.around[usize::from(place)] {
                let to = self.cells[usize::from(next)];
                let diagonal = from.x != to.x && from.y != to.y;
                let step = if diagonal { cost.diagonal } else { cost.straight };
                let total = distance.saturating_add(step);
                if total < distances[usize::from(next)] {
                    queue.push(Reverse((total, next)));
                }
            }
        }
        distances
    }
}

impl Ground for JamRoom {
    fn may_enter(&self, _: u32, cell: Cell) -> bool {
        self.places[(cell.y * self.width + cell.x) as usize] != NO_PLACE
    }

    fn distance(&self, unit: u32, cell: Cell) -> u32 {
        let place = self.places[(cell.y * self.width + cell.x) as usize];
        match self.distances[unit as usize].get(usize::from(place)) {
            // A place without a way to the goal is bad, not forbidden.
            Some(&distance) => (distance - self.least[unit as usize]).min(u32::MAX - 1),
            None => u32::MAX,
        }
    }
}

impl Room for JamRoom {
    fn around(&self, place: u16) -> Vec<u16> {
        self.around[usize::from(place)].clone()
    }

    fn cell(&self, place: u16) -> Cell {
        self.local(self.cells[usize::from(place)])
    }

    fn place(&self, cell: Cell) -> u16 {
        self.places[(cell.y * self.width + cell.x) as usize]
    }

    fn is_content(&self, unit: u32, place: u16) -> bool {
        self.distances[unit as usize][usize::from(place)] == self.least[unit as usize]
    }

    fn is_solved(&self, places: &[u16]) -> bool {
        let units = if self.all { places.len() } else { 1 };
        (0..units).all(|unit| self.is_content(unit as u32, places[unit]))
    }
}
