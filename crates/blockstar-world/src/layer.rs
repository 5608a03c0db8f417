//! The map as a class sees it: a grid of the places where a unit's upper left cell can be.
//!
//! A unit of n x n cells can be at a cell if all n x n cells from there on can be entered: that is
//! the one clearance that plans, steps and checks go by. Classes that see the same share a layer. An
//! edit changes the places whose square it touches, and no others.

use crate::Error;
use crate::class::{Class, Keys, Terrain};
use crate::map::Map;
use blockstar::{
    Algorithm, Cell, Connectivity, Grid, Moves, Planner, PlannerSpec, Query, Rect, Rule, Scratch,
    Status, Tile,
};

/// A derived map with its planners.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub size: u8,
    pub terrain: Terrain,
    pub keys: Keys,
    planner: String,
    pub moves: Moves,
    pub grid: Grid,
    pub connectivity: Connectivity,
    /// For whole paths.
    pub full: Box<dyn Planner>,
    /// For the first cells; steps from cell to cell whatever the rule.
    pub quick: Box<dyn Planner>,
}

/// What an edit changed in a layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    /// Where places were lost.
    pub blocked: Option<Rect>,
    /// Where places were gained, or became cheaper.
    pub opened: Option<Rect>,
    /// Everywhere.
    pub rects: Vec<Rect>,
}

impl Layer {
    pub fn new(map: &Map, class: &Class, moves: Moves) -> Result<Self, Error> {
        let Class { size, terrain, keys, .. } = *class;
        let mut grid = Grid::from_fn(map.width, map.height, |cell| {
            square_factor(map, terrain, keys, size, cell) > 0
        })?;
        if !terrain.is_plain() || map.has_costs() || keys != Keys::NONE {
            let cells = Rect::new(0, 0, map.width, map.height).cells();
            let factor = |cell| f64::from(square_factor(map, terrain, keys, size, cell)) / 256.0;
            let factors: Vec<f64> = cells.map(factor).collect();
            if factors.iter().any(|&factor| factor != 0.0 && factor != 1.0) {
                grid.set_costs(&factors)?;
            }
        }
        let planner = class.planner.clone();
        Ok(Self {
            size,
            terrain,
            keys,
            moves,
            connectivity: Connectivity::new(&grid, moves),
            full: full_spec(&grid, moves, &planner)?.prepare(&grid, moves)?,
            quick: Algorithm::named("astar")?.prepare(&grid, cell_moves(moves))?,
            planner,
            grid,
        })
    }

    /// Whether a class sees the same.
    pub fn serves(&self, class: &Class) -> bool {
        (self.size, self.terrain, self.keys) == (class.size, class.terrain, class.keys)
            && self.planner == class.planner
    }

    /// The rule by which units step from cell to cell here.
    pub fn rule(&self) -> Rule {
        cell_moves(self.moves).rule()
    }

    /// Whether a unit could be at a cell on a map that is not (yet) this layer's.
    pub fn could_stand(&self, map: &Map, cell: Cell) -> bool {
        square_factor(map, self.terrain, self.keys, self.size, cell) > 0
    }

    /// Follows an edit of the map.
    pub fn follow(&mut self, map: &Map, rects: &[Rect]) -> Result<Change, Error> {
        let mut change = Change::default();
        let had_costs = self.grid.has_costs();
        let reach = u32::from(self.size) - 1;
        for rect in rects {
            let (x, y) = (rect.x.saturating_sub(reach), rect.y.saturating_sub(reach));
            for row in y..rect.y + rect.height {
                self.follow_row(map, row, x..rect.x + rect.width, &mut change)?;
            }
        }
        if change.rects.is_empty() {
            return Ok(change);
        }
        self.connectivity.update(&self.grid);
        // What plans depends on the map alone, not on how it came to be: a world that is loaded from
        // a file has no history.
        if self.grid.has_costs() == had_costs {
            self.full.update(&self.grid)?;
        } else {
            let suitable = full_spec(&self.grid, self.moves, &self.planner)?;
            self.full = suitable.prepare(&self.grid, self.moves)?;
        }
        self.quick.update(&self.grid)?;
        Ok(change)
    }

    /// Brings a row up to date, run by run.
    fn follow_row(
        &mut self,
        map: &Map,
        y: u32,
        columns: std::ops::Range<u32>,
        change: &mut Change,
    ) -> Result<(), Error> {
        let factor = |layer: &Self, x| {
            square_factor(map, layer.terrain, layer.keys, layer.size, Cell::new(x, y))
        };
        let was = |layer: &Self, x| (layer.grid.cost((x, y)) * 256.0) as u16;
        let end = columns.end;
        let mut x = columns.start;
        while x < end {
            let (now, before) = (factor(self, x), was(self, x));
            let first = x;
            x += 1;
            while x < end && factor(self, x) == now && was(self, x) == before {
                x += 1;
            }
            if now == before {
                continue;
            }
            let run = Rect::new(first, y, x - first, 1);
            if now == 0 {
                // A wall has no cost: it would count for the estimates, but not in a new layer.
                if before != Terrain::PLAIN {
                    run.cells().try_for_each(|cell| self.grid.set_cost(cell, 1.0))?;
                }
                self.grid.set_rect(run, Tile::Blocked)?;
            } else if now == Terrain::PLAIN && !self.grid.has_costs() {
                self.grid.set_rect(run, Tile::Free)?;
            } else {
                for cell in run.cells() {
                    self.grid.set_cost(cell, f64::from(now) / 256.0)?;
                }
            }
            let worse = now == 0 || (before != 0 && now > before);
            let side = if worse { &mut change.blocked } else { &mut change.opened };
            *side = Some(side.map_or(run, |rect| union(rect, run)));
            match change.rects.last_mut() {
                Some(last)
                    if (last.x, last.width) == (run.x, run.width) && last.y + last.height == y =>
                {
                    last.height += 1;
                }
                _ => change.rects.push(run),
            }
        }
        Ok(())
    }

    /// The time that a place costs, in 1/256.
    pub fn factor(&self, cell: Cell) -> u32 {
        if self.grid.has_costs() {
            (self.grid.cost(cell) * 256.0).max(1.0) as u32
        } else {
            Terrain::PLAIN.into()
        }
    }

    /// A short path towards a goal, with so many expansions at most, which are returned with it.
    pub fn quick_path(
        &self,
        from: Cell,
        to: Cell,
        expansions: u32,
        scratch: &mut Scratch,
    ) -> Result<(Status, u32), Error> {
        let query = Query::new(from, to).max_expansions(expansions.into()).partial();
        let status = self.quick.find(&self.grid, &query, scratch)?;
        Ok((status, scratch.stats().expanded.min(expansions.into()) as u32))
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.grid.memory_usage()
            + self.connectivity.memory_usage()
            + self.full.memory_usage().total()
            + self.quick.memory_usage().total()
    }
}

/// The rule by which units step from cell to cell where paths may run at any angle.
pub(crate) fn cell_moves(moves: Moves) -> Moves {
    match moves.rule() {
        Rule::AnyAngle => Moves::EIGHT,
        Rule::AnyAngleSqueeze => Moves::EIGHT_CUT_ANY,
        _ => moves,
    }
}

/// The planner of whole paths: the chosen one, if it can plan on this map.
fn full_spec(grid: &Grid, moves: Moves, chosen: &str) -> Result<PlannerSpec, Error> {
    let (rule, costs) = (moves.rule(), grid.has_costs());
    if !chosen.is_empty() {
        let spec = Algorithm::named(chosen)?;
        if spec.algorithm().terrain || !costs {
            return Ok(spec);
        }
    }
    Ok(Algorithm::named(match rule {
        _ if rule.is_any_angle() && costs => "theta-star",
        _ if rule.is_any_angle() => "anya",
        _ if rule != Rule::Four && !costs => "jps",
        _ => "block-astar",
    })?)
}

/// The largest factor of the square of a unit at a cell; 0 if it does not fit.
fn square_factor(map: &Map, terrain: Terrain, keys: Keys, size: u8, cell: Cell) -> u16 {
    let side = u32::from(size);
    if cell.x + side > map.width || cell.y + side > map.height {
        return 0;
    }
    let mut largest = 0;
    for y in cell.y..cell.y + side {
        for x in cell.x..cell.x + side {
            match map.factor(terrain, keys, Cell::new(x, y)) {
                0 => return 0,
                factor => largest = largest.max(factor),
            }
        }
    }
    largest
}

/// The smallest rectangle around two.
pub(crate) fn union(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let right = (a.x + a.width).max(b.x + b.width);
    let bottom = (a.y + a.height).max(b.y + b.height);
    Rect::new(x, y, right - x, bottom - y)
}

/// A rectangle and what lies around it, so many cells wide, on a map.
pub(crate) fn grown(rect: Rect, by: u32, width: u32, height: u32) -> Rect {
    let (x, y) = (rect.x.saturating_sub(by), rect.y.saturating_sub(by));
    let right = (rect.x + rect.width + by).min(width);
    let bottom = (rect.y + rect.height + by).min(height);
    Rect::new(x, y, right.saturating_sub(x), bottom.saturating_sub(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edit, Kind};
    use blockstar::random::Random;

    #[test]
    fn a_layer_that_follows_edits_is_the_one_that_would_be_made() {
        let mut random = Random::new(11);
        for round in 0..30 {
            let grid = Grid::from_fn(40, 30, |_| random.chance(9, 10)).unwrap();
            let mut map = Map::new(&grid);
            let class = Class::new("x")
                .size(1 + (round % 4) as u8)
                .terrain(Terrain::GROUND.with(Kind::WATER, if round % 3 == 0 { 512 } else { 256 }))
                .keys(Keys(round % 2));
            let mut layer = Layer::new(&map, &class, Moves::EIGHT).unwrap();
            for _ in 0..60 {
                let (x, y) = (random.below(40) as u32, random.below(30) as u32);
                let most = |at: u32, side: u32| 1 + (side - at - 1).min(3);
                let rect = Rect::new(
                    x,
                    y,
                    1 + random.below(most(x, 40).into()) as u32 % most(x, 40),
                    1 + random.below(most(y, 30).into()) as u32 % most(y, 30),
                );
                let edit = match random.below(6) {
                    0 => Edit::AddDoor(rect, 0),
                    1 if !map.doors().is_empty() => {
                        let door = random.below(map.doors().len() as u64) as u16;
                        Edit::Door(door, random.chance(1, 2))
                    }
                    2 if !map.doors().is_empty() && random.chance(1, 2) => Edit::RemoveDoor,
                    2 => Edit::Cost(rect, 256 + 64 * random.below(3) as u16),
                    _ => Edit::Rect(rect, Kind(random.below(3) as u8)),
                };
                map.check_edit(&edit).unwrap();
                let rects = map.apply(&edit);
                layer.follow(&map, &rects).unwrap();
            }
            let anew = Layer::new(&map, &class, Moves::EIGHT).unwrap();
            assert_eq!(layer.grid, anew.grid, "round {round}");
            for cell in Rect::new(0, 0, 40, 30).cells() {
                let by_cells = anew.grid.is_free(cell);
                assert_eq!(layer.could_stand(&map, cell), by_cells);
                let corner = Cell::new(20, 15);
                let same = layer.connectivity.connected(corner, cell);
                assert_eq!(same, anew.connectivity.connected(corner, cell));
            }
        }
    }
}
