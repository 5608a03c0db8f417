//! Distances to a goal for all who go there: Dijkstra's algorithm from the goal outwards, a slice
//! each tick, and repaired after edits, a slice each tick.
//!
//! It goes as far as somebody needs it, and a little farther. The library's `DistanceMap` answers
//! the same and runs to the end; a tick has no time for that.
//!
//! **Repair** (G. Ramalingam & T. Reps 1996, as in the library): *raise* takes the distance from
//! every cell that no neighbour supports any more, beginning at the edits; *lower* offers these
//! cells, and those around the edits, what their neighbours have now, and Dijkstra's algorithm goes
//! on from there. Both can stop anywhere, and edits may come at any time: a cell that loses its
//! distance asks all who may have relied on it, so the order of asking costs time and never the
//! result. Where everything has been worked off, distances are those of a new field, and they do not
//! depend on the slices.

use crate::layer::{Layer, grown};
use crate::measure::{DIAGONAL, NONE, STRAIGHT, may_step, stepped, steps};
use crate::pack::{Pack, Reader};
use blockstar::{Cell, Grid, Rect, Rule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How much farther than asked for, so that units that are pushed about still know the way.
const MARGIN: u32 = 16 * STRAIGHT;

type Heap = BinaryHeap<Reverse<(u32, u32)>>;

/// The distances to some sources.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    width: u32,
    /// Sorted.
    sources: Vec<Cell>,
    distances: Vec<u32>,
    open: Heap,
    raise: Heap,
    /// Cells to be offered what their neighbours have.
    lower: Vec<u32>,
    /// Where a distance is needed.
    wanted: Vec<u32>,
    /// How far it is to go.
    reach: u32,
}

impl Field {
    pub fn new(grid: &Grid, sources: &[Cell]) -> Self {
        let width = grid.width();
        let mut field = Self {
            width,
            sources: sources.to_vec(),
            distances: vec![NONE; width as usize * grid.height() as usize],
            open: Heap::new(),
            raise: Heap::new(),
            lower: Vec::new(),
            wanted: Vec::new(),
            reach: 0,
        };
        for &source in sources {
            if grid.is_free(source) {
                let number = field.number(source);
                field.distances[number as usize] = 0;
                field.open.push(Reverse((0, number)));
            }
        }
        field
    }

    /// The distance of a cell as far as it is known, [`NONE`] otherwise.
    #[inline]
    pub fn distance(&self, cell: Cell) -> u32 {
        self.distances[self.number(cell) as usize]
    }

    /// Asks for the distance of a cell.
    pub fn want(&mut self, cell: Cell) {
        let number = self.number(cell);
        if !self.is_known(number) && !self.wanted.contains(&number) {
            self.wanted.push(number);
        }
    }

    /// Whether there is something to do.
    pub fn is_busy(&self) -> bool {
        !self.raise.is_empty()
            || !self.lower.is_empty()
            || self.open.peek().is_some_and(|Reverse((distance, _))| {
                *distance <= self.reach || !self.wanted.is_empty()
            })
    }

    /// Whether the distance of a cell is final, until the next edit.
    pub fn knows(&self, cell: Cell) -> bool {
        self.is_known(self.number(cell))
    }

    fn is_known(&self, number: u32) -> bool {
        let distance = self.distances[number as usize];
        let settled = |least: &Reverse<(u32, u32)>| distance <= least.0.0;
        distance != NONE
            && self.raise.is_empty()
            && self.lower.is_empty()
            && self.open.peek().is_none_or(settled)
    }

    /// The neighbour that is nearest to a source, if it is nearer than the cell.
    pub fn next(&self, grid: &Grid, rule: Rule, cell: Cell) -> Option<Cell> {
        let here = self.distance(cell);
        let places = steps(rule).iter().filter(|&&step| may_step(grid, rule, cell, step));
        let near = places.filter_map(|&step| stepped(cell, step));
        near.min_by_key(|&next| self.distance(next)).filter(|&next| self.distance(next) < here)
    }

    /// Takes note of an edit: what was known around it is in doubt.
    pub fn doubt(&mut self, grid: &Grid, rect: Rect) {
        for cell in grown(rect, 1, grid.width(), grid.height()).cells() {
            let number = self.number(cell);
            let distance = self.distances[number as usize];
            if distance != NONE {
                self.raise.push(Reverse((distance, number)));
            }
            self.lower.push(number);
        }
    }

    /// Works on, for at most so many expansions, and returns how many it took.
    pub fn work(&mut self, layer: &Layer, budget: u32) -> u32 {
        let steps = Steps::new(layer);
        let mut spent = 0;
        while spent < budget {
            if let Some(Reverse((distance, number))) = self.raise.pop() {
                spent += 1;
                self.ask(&steps, distance, number);
            } else if let Some(number) = self.lower.pop() {
                spent += 1;
                self.offer(&steps, number);
            } else if !self.expand(&steps, &mut spent) {
                break;
            }
        }
        spent
    }

    /// Takes the distance from a cell that nobody supports.
    fn ask(&mut self, steps: &Steps<'_>, distance: u32, number: u32) {
        if self.distances[number as usize] != distance {
            return;
        }
        let cell = self.cell(number);
        if self.best_offer(steps, cell) == distance {
            return;
        }
        self.distances[number as usize] = NONE;
        self.lower.push(number);
        for &step in steps.steps {
            let Some(next) = stepped(cell, step).filter(|&next| steps.grid.contains(next)) else {
                continue;
            };
            let next = self.number(next);
            let its = self.distances[next as usize];
            if its != NONE && its > distance {
                self.raise.push(Reverse((its, next)));
            }
        }
    }

    /// Gives a cell the best distance that its neighbours offer.
    fn offer(&mut self, steps: &Steps<'_>, number: u32) {
        let offer = self.best_offer(steps, self.cell(number));
        if offer < self.distances[number as usize] {
            self.distances[number as usize] = offer;
            self.open.push(Reverse((offer, number)));
        }
    }

    fn best_offer(&self, steps: &Steps<'_>, cell: Cell) -> u32 {
        if !steps.grid.is_free(cell) {
            return NONE;
        }
        if self.sources.binary_search(&cell).is_ok() {
            return 0;
        }
        let mut best = NONE;
        steps.around(cell, |next, cost| {
            let its = self.distances[self.number(next) as usize];
            // A sum that does not fit is no way; it must not support itself.
            best = best.min(its.checked_add(cost).unwrap_or(NONE));
        });
        best
    }

    /// Settles the nearest open cell; false if there is none that anybody needs.
    fn expand(&mut self, steps: &Steps<'_>, spent: &mut u32) -> bool {
        while let Some(&Reverse((distance, number))) = self.open.peek() {
            if self.distances[number as usize] != distance {
                self.open.pop();
                continue;
            }
            if distance > self.reach {
                let (distances, reach) = (&self.distances, &mut self.reach);
                self.wanted.retain(|&wanted| {
                    let known = distances[wanted as usize];
                    let settled = known <= distance;
                    if settled {
                        *reach = (*reach).max(known.saturating_add(MARGIN));
                    }
                    !settled
                });
                if self.wanted.is_empty() && distance > self.reach {
                    return false;
                }
            }
            self.open.pop();
            *spent += 1;
            let cell = self.cell(number);
            let (width, distances, open) = (self.width, &mut self.distances, &mut self.open);
            steps.around(cell, |next, cost| {
                let number = next.y * width + next.x;
                if let Some(sum) = distance.checked_add(cost)
                    && sum < distances[number as usize]
                {
                    distances[number as usize] = sum;
                    open.push(Reverse((sum, number)));
                }
            });
            return true;
        }
        self.wanted.clear();
        false
    }

    fn number(&self, cell: Cell) -> u32 {
        cell.y * self.width + cell.x
    }

    fn cell(&self, number: u32) -> Cell {
        Cell::new(number % self.width, number / self.width)
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.distances.capacity() * 4 + (self.open.capacity() + self.raise.capacity()) * 8
    }

    /// Refuses what was read and does not belong to a map.
    pub fn check(&self, grid: &Grid) -> Option<()> {
        let cells = grid.width() as usize * grid.height() as usize;
        let inside = |number: u32| (number as usize) < cells;
        let entries = |heap: &Heap| heap.iter().all(|Reverse((_, number))| inside(*number));
        let good = self.width == grid.width()
            && self.distances.len() == cells
            && self.sources.iter().all(|&cell| grid.contains(cell))
            && entries(&self.open)
            && entries(&self.raise)
            && self.lower.iter().chain(&self.wanted).all(|&number| inside(number));
        good.then_some(())
    }
}

/// A heap as a sorted list: which entry comes first does not depend on how it was built.
impl Pack for Heap {
    fn pack(&self, out: &mut Vec<u8>) {
        let mut entries: Vec<(u32, u32)> = self.iter().map(|&Reverse(entry)| entry).collect();
        entries.sort_unstable();
        entries.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some(Vec::<(u32, u32)>::unpack(from)?.into_iter().map(Reverse).collect())
    }
}

crate::pack::packed!(Field { width, sources, distances, open, raise, lower, wanted, reach });

/// The steps of a layer and what they cost.
struct Steps<'a> {
    grid: &'a Grid,
    layer: &'a Layer,
    rule: Rule,
    steps: &'static [(i32, i32)],
    costs: bool,
}

impl<'a> Steps<'a> {
    fn new(layer: &'a Layer) -> Self {
        let rule = layer.rule();
        Self { grid: &layer.grid, layer, rule, steps: steps(rule), costs: layer.grid.has_costs() }
    }

    /// The neighbours that a cell can be left for, with what the step costs.
    #[inline]
    fn around(&self, cell: Cell, mut found: impl FnMut(Cell, u32)) {
        let grid = self.grid;
        let mut free = [false; 4];
        for (direction, &step) in self.steps.iter().enumerate() {
            let Some(next) = stepped(cell, step).filter(|&next| grid.is_free(next)) else {
                continue;
            };
            let cost = if direction < 4 {
                free[direction] = true;
                STRAIGHT
            } else {
                let (left, right) = (free[direction - 4], free[(direction - 3) % 4]);
                let legal = match self.rule {
                    Rule::EightCutOne => left || right,
                    Rule::EightCutAny => true,
                    _ => left && right,
                };
                if !legal {
                    continue;
                }
                DIAGONAL
            };
            let cost = match self.costs {
                false => cost,
                true => cost * (self.layer.factor(cell) + self.layer.factor(next)) / 512,
            };
            found(next, cost.max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;
    use crate::map::Map;
    use crate::{Edit, Kind};
    use blockstar::random::Random;
    use blockstar::{DistanceMap, Moves};

    fn finish(field: &mut Field, layer: &Layer) {
        field.reach = NONE - 1;
        while field.work(layer, 1000) > 0 {}
    }

    #[test]
    fn repaired_in_slices_is_computed_anew() {
        let mut random = Random::new(8);
        for round in 0..24 {
            let grid = Grid::from_fn(50, 40, |_| random.chance(3, 4)).unwrap();
            let mut map = Map::new(&grid);
            let moves = Moves::new(Rule::CELLS[round % 4]);
            let mut layer = Layer::new(&map, &Class::new("x"), moves).unwrap();
            let sources = [Cell::new(3, 3), Cell::new(44, 30)];
            let mut field = Field::new(&layer.grid, &sources);
            field.want(Cell::new(25, 20));
            for _ in 0..40 {
                for _ in 0..random.below(4) {
                    field.work(&layer, random.below(60) as u32);
                }
                let rect = Rect::new(random.below(47) as u32, random.below(37) as u32, 3, 2);
                let kind = if random.chance(1, 2) { Kind::WALL } else { Kind::GROUND };
                let edit = match round % 3 {
                    0 => Edit::Cost(rect, 128 + 128 * random.below(4) as u16),
                    _ => Edit::Rect(rect, kind),
                };
                let rects = map.apply(&edit);
                for rect in layer.follow(&map, &rects).unwrap().rects {
                    field.doubt(&layer.grid, rect);
                }
            }
            finish(&mut field, &layer);
            let mut anew = Field::new(&layer.grid, &sources);
            finish(&mut anew, &layer);
            assert_eq!(field.distances, anew.distances, "round {round}");
            // And it is the library's, but for the length of the unit.
            let library = DistanceMap::new(&layer.grid, moves, sources).unwrap();
            for cell in Rect::new(0, 0, 50, 40).cells() {
                let ours = anew.distance(cell);
                match library.distance(&layer.grid, cell).unwrap() {
                    None => assert_eq!(ours, NONE),
                    Some(theirs) => {
                        let ours = f64::from(ours) / f64::from(STRAIGHT);
                        assert!((ours - theirs).abs() <= 0.01 * theirs + 0.01, "{ours} {theirs}");
                    }
                }
            }
        }
    }

    #[test]
    fn it_goes_as_far_as_is_needed() {
        let map = Map::new(&Grid::new(300, 300).unwrap());
        let layer = Layer::new(&map, &Class::new("x"), Moves::EIGHT).unwrap();
        let mut field = Field::new(&layer.grid, &[Cell::new(150, 150)]);
        assert_eq!(field.work(&layer, 1000), 1, "nobody asks");
        field.want(Cell::new(160, 150));
        let mut spent = 0;
        while field.is_busy() {
            spent += field.work(&layer, 100);
        }
        assert!(field.knows(Cell::new(160, 150)) && !field.knows(Cell::new(200, 150)));
        assert!(spent < 4000, "{spent}");
    }
}
