//! A walk of a whole crowd made shorter: large neighbourhood search (J. Li, Z. Chen, D. Harabor,
//! P. J. Stuckey & S. Koenig, *Anytime multi-agent path finding via large neighborhood search*,
//! IJCAI 2021).
//!
//! Again and again a few units forget their ways and find new ones, one after the other in a random
//! order, each the quickest that the ways of all others leave: A* over cells and times. If all of
//! them together are no slower than before, the new ways stay. Which units: one that is late, and
//! those that stand in its way, or now and then any. The work is counted in expansions.
//!
//! Who stands where at which time is a table, so this is for small maps and short walks; there it
//! takes the sum of costs of 400 units on a random map of 64 x 64 cells from 1.304 times that of the
//! shortest paths to 1.087 by 5 million expansions (0.4 s) and to 1.014 by 20 million (1.5 s).

use super::field::{Field, most_cells};
use super::preference::{STEPS, permits_diagonal};
use super::window::StepCost;
use blockstar::random::Random;
use blockstar::{Cell, Grid, Rule};

/// The most entries of the table: 160 MB with what the search keeps beside it.
const MOST_ENTRIES: u64 = 24_000_000;

/// How many units find new ways at a time.
const NEIGHBOURHOOD: usize = 8;

/// The ways of all units.
pub(super) struct Walks<'a> {
    grid: &'a Grid,
    rule: Rule,
    width: u32,
    cells: usize,
    /// The last time of the table.
    horizon: usize,
    goals: Vec<u32>,
    fields: Vec<Field>,
    /// By unit: where it is, from time 0 until it stays.
    ways: Vec<Vec<u32>>,
    /// By time and cell: who is there, counted from 1.
    table: Vec<u16>,
    search: Search,
}

/// What a search for one way keeps.
#[derive(Default)]
struct Search {
    /// By time and cell: the search that was there last, and the step it came by.
    seen: Vec<u32>,
    came_by: Vec<u8>,
    number: u32,
    /// By estimate, less the least: (cell, time).
    open: Vec<Vec<(u32, u32)>>,
}

const STAY: usize = 8;

impl<'a> Walks<'a> {
    /// The ways of a walk, each time a list of places, to these goals. None if they are too long
    /// for the map, or too many.
    pub fn new(grid: &'a Grid, rule: Rule, goals: &[Cell], walk: &[Vec<Cell>]) -> Option<Self> {
        let (width, cells) = (grid.width(), grid.width() as usize * grid.height() as usize);
        let horizon = walk.len();
        let entries = (horizon as u64 + 1) * cells as u64;
        let units = goals.len();
        if entries > MOST_ENTRIES || cells as u64 > most_cells(rule) || units >= u16::MAX.into() {
            return None;
        }
        let number = |cell: Cell| cell.y * width + cell.x;
        let way = |unit: usize| -> Vec<u32> {
            let mut way: Vec<u32> = walk.iter().map(|places| number(places[unit])).collect();
            let goal = number(goals[unit]);
            while way.len() > 1 && way[way.len() - 2..] == [goal, goal] {
                way.pop();
            }
            way
        };
        let mut walks = Self {
            grid,
            rule,
            width,
            cells,
            horizon,
            goals: goals.iter().map(|&goal| number(goal)).collect(),
            fields: goals.iter().map(|&goal| Field::new(grid, rule, goal)).collect(),
            ways: (0..units).map(way).collect(),
            table: vec![0; entries as usize],
            search: Search {
                seen: vec![0; entries as usize],
                came_by: vec![0; entries as usize],
                ..Search::default()
            },
        };
        (0..units).for_each(|unit| walks.write(unit, unit as u16 + 1));
        Some(walks)
    }

    /// The times at which units come to stay, summed.
    pub fn cost(&self) -> u64 {
        self.ways.iter().map(|way| way.len() as u64 - 1).sum()
    }

    /// Where all units are, after each step.
    pub fn steps(&self) -> Vec<Vec<Cell>> {
        let last = self.ways.iter().map(Vec::len).max().unwrap_or(1);
        let cell = |number: u32| Cell::new(number % self.width, number / self.width);
        (1..last)
            .map(|time| self.ways.iter().map(|way| cell(way[time.min(way.len() - 1)])).collect())
            .collect()
    }

    /// Makes ways shorter, with at most so many expansions.
    pub fn improve(&mut self, mut expansions: u64) {
        let mut random = Random::new(1);
        while expansions > 0 {
            // Looking for units takes time as well.
            expansions -= 1;
            let mut units = self.neighbourhood(&mut random);
            if units.is_empty() {
                return;
            }
            random.shuffle(&mut units);
            let before: usize = units.iter().map(|&unit| self.ways[unit].len()).sum();
            let old: Vec<Vec<u32>> = units
                .iter()
                .map(|&unit| {
                    self.write(unit, 0);
                    std::mem::take(&mut self.ways[unit])
                })
                .collect();
            let mut after = 0;
            let mut found = 0;
            for (&unit, old) in units.iter().zip(&old) {
                let Some(way) = self.find(unit, old[0], &mut expansions) else { break };
                after += way.len();
                self.ways[unit] = way;
                self.write(unit, unit as u16 + 1);
                found += 1;
                if after > before {
                    break;
                }
            }
            if found < units.len() || after > before {
                units[..found].iter().for_each(|&unit| self.write(unit, 0));
                for (&unit, old) in units.iter().zip(old) {
                    self.ways[unit] = old;
                    self.write(unit, unit as u16 + 1);
                }
            }
        }
    }

    /// Writes a unit's number, or 0, along its way.
    fn write(&mut self, unit: usize, number: u16) {
        let way = &self.ways[unit];
        for time in 0..=self.horizon {
            let cell = way[time.min(way.len() - 1)];
            self.table[time * self.cells + cell as usize] = number;
        }
    }

    /// Some units: one that is late and those in its way, or any. None if nobody is late.
    fn neighbourhood(&self, random: &mut Random) -> Vec<usize> {
        let units = self.ways.len();
        let late = |unit: usize| {
            let shortest = self.least_steps(unit, self.ways[unit][0]);
            (self.ways[unit].len() - 1).saturating_sub(shortest as usize)
        };
        let total: usize = (0..units).map(late).sum();
        if total == 0 {
            return Vec::new();
        }
        let mut pick = random.below(total as u64) as usize;
        let first = (0..units).find(|&unit| {
            let late = late(unit);
            let found = pick < late;
            pick = pick.saturating_sub(late);
            found
        });
        let mut chosen: Vec<usize> = first.into_iter().collect();
        let most = NEIGHBOURHOOD.min(units);
        if random.chance(3, 4) {
            // From some time on, the first one tries to go straight.
            for _ in 0..10 {
                if chosen.len() == most {
                    break;
                }
                self.who_is_in_the_way(chosen[0], most, random, &mut chosen);
            }
        }
        while chosen.len() < most {
            let unit = random.below(units as u64) as usize;
            if !chosen.contains(&unit) {
                chosen.push(unit);
            }
        }
        chosen
    }

    /// Walks from a random place of a unit's way towards its goal, faster than it did, and collects
    /// whom it meets.
    fn who_is_in_the_way(
        &self,
        unit: usize,
        most: usize,
        random: &mut Random,
        met: &mut Vec<usize>,
    ) {
        let way = &self.ways[unit];
        let mut time = random.below(way.len() as u64) as usize;
        let mut at = way[time];
        while time + 1 < way.len() && met.len() < most {
            // A random step after which it could still be earlier than it was.
            let left = (way.len() - 2 - time) as u32;
            let around: Vec<u32> = self
                .steps_from(at)
                .map(|(_, next)| next)
                .filter(|&next| self.least_steps(unit, next) < left)
                .collect();
            if around.is_empty() {
                return;
            }
            at = around[random.below(around.len() as u64) as usize];
            time += 1;
            let other = usize::from(self.table[time * self.cells + at as usize]);
            if other > 0 && !met.contains(&(other - 1)) {
                met.push(other - 1);
            }
        }
    }

    /// The least number of steps from a cell to a unit's goal.
    fn least_steps(&self, unit: usize, cell: u32) -> u32 {
        let cost = StepCost::of(self.rule);
        let cell = Cell::new(cell % self.width, cell / self.width);
        self.fields[unit].distance(cell).div_ceil(cost.straight.max(cost.diagonal))
    }

    /// The steps from a cell: which, and where to.
    fn steps_from(&self, from: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let (x, y) = (from % self.width, from / self.width);
        let to = STEPS.map(|(dx, dy)| {
            let cell = Cell::new(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            self.grid.is_free(cell).then(|| cell.y * self.width + cell.x)
        });
        let steps = (0..8).filter_map(move |step| {
            let (a, b) = (to[step % 4].is_some(), to[(step + 1) % 4].is_some());
            let permitted = step < 4 || permits_diagonal(self.rule, a, b);
            to[step].filter(|_| permitted).map(|to| (step, to))
        });
        steps.chain([(STAY, from)])
    }

    /// The quickest way for a unit, among those that the others leave.
    fn find(&mut self, unit: usize, start: u32, expansions: &mut u64) -> Option<Vec<u32>> {
        let goal = self.goals[unit];
        let mut search = std::mem::take(&mut self.search);
        let way = self.search(unit, start, &mut search, expansions).then(|| {
            let mut way = Vec::new();
            let (mut at, mut time) = (goal, search.open.len());
            way.push(at);
            while time > 0 {
                let (dx, dy) = match usize::from(search.came_by[time * self.cells + at as usize]) {
                    STAY => (0, 0),
                    step => STEPS[step],
                };
                let x = (at % self.width).wrapping_add_signed(-dx);
                let y = (at / self.width).wrapping_add_signed(-dy);
                at = y * self.width + x;
                time -= 1;
                way.push(at);
            }
            way.reverse();
            way
        });
        self.search = search;
        way
    }

    /// Whether there is a way; its length is that of `open` then.
    fn search(&self, unit: usize, start: u32, search: &mut Search, expansions: &mut u64) -> bool {
        let goal = self.goals[unit];
        // A unit may stay at its goal from when on nobody else is there.
        let busy = (0..=self.horizon).rev();
        let free_from = busy
            .into_iter()
            .find(|time| self.table[time * self.cells + goal as usize] != 0)
            .map_or(0, |time| time + 1);
        search.number += 1;
        search.open.iter_mut().for_each(Vec::clear);
        let least = self.least_steps(unit, start) as usize;
        let push = |search: &mut Search, cell: u32, time: usize, step: usize| {
            let entry = time * self.cells + cell as usize;
            if search.seen[entry] == search.number {
                return;
            }
            search.seen[entry] = search.number;
            search.came_by[entry] = step as u8;
            let total = time + self.least_steps(unit, cell) as usize - least;
            if search.open.len() <= total {
                search.open.resize(total + 1, Vec::new());
            }
            search.open[total].push((cell, time as u32));
        };
        push(search, start, 0, STAY);
        let mut level = 0;
        while level < search.open.len() {
            let Some((at, time)) = search.open[level].pop() else {
                level += 1;
                continue;
            };
            let time = time as usize;
            if at == goal && time >= free_from {
                search.open.clear();
                search.open.resize(time, Vec::new());
                return true;
            }
            if *expansions == 0 {
                return false;
            }
            *expansions -= 1;
            if time == self.horizon {
                continue;
            }
            for (step, next) in self.steps_from(at) {
                if self.is_clear(at, next, time) {
                    push(search, next, time + 1, step);
                }
            }
        }
        false
    }

    /// Whether nobody is there after a step, and nobody is passed through.
    fn is_clear(&self, from: u32, to: u32, time: usize) -> bool {
        let now = |cell: u32| self.table[time * self.cells + cell as usize];
        let then = |cell: u32| self.table[(time + 1) * self.cells + cell as usize];
        if then(to) != 0 {
            return false;
        }
        let passes = |a: u32, b: u32| now(a) != 0 && now(a) == then(b);
        if passes(to, from) {
            return false;
        }
        let (x, y) = (from % self.width, from / self.width);
        let (to_x, to_y) = (to % self.width, to / self.width);
        if x == to_x || y == to_y {
            return true;
        }
        let (a, b) = (y * self.width + to_x, to_y * self.width + x);
        !passes(a, b) && !passes(b, a)
    }
}
