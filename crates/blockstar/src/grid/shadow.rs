//! A copy of the map in which the cells that a query [avoids](crate::Query::avoid) are blocked.
//!
//! Searches run on it as on any map and know nothing of masks. It is kept from query to query: the
//! map is copied once, after that only the cells that edits have changed. A new mask writes only
//! its own cells and those of the mask before it; the same mask used again from another start
//! writes two cells.

use super::edit_log::EditLog;
use super::{Grid, Mask};
use crate::{Cell, Rect};

/// The map without the cells of a mask.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    copy: Option<Grid>,
    /// The version of the map that was copied, or followed since.
    version: u64,
    mask: Mask,
    /// The cells that are free on the map and blocked here.
    blocked: Vec<Cell>,
    /// The one of them that was freed again.
    spared: Option<Cell>,
    /// How many cells were written, by copies of the map and by masks.
    #[cfg(test)]
    written: [u64; 2],
}

impl Shadow {
    /// Shows a map without the cells of a mask. Cells outside the map are ignored.
    pub fn cast(&mut self, map: &Grid, mask: &Mask) {
        if self.version == map.version() && self.mask.is_clone_of(mask) && self.copy.is_some() {
            if let Some(cell) = self.spared.take() {
                self.put(cell, false);
            }
        } else {
            let mut blocked = std::mem::take(&mut self.blocked);
            let spared = self.spared.take();
            for &cell in blocked.iter().filter(|&&cell| Some(cell) != spared) {
                self.put(cell, true);
            }
            self.follow(map);
            blocked.clear();
            blocked.extend(mask.cells().filter(|&cell| map.is_free(cell)));
            blocked.iter().for_each(|&cell| self.put(cell, false));
            (self.blocked, self.mask) = (blocked, mask.clone());
        }
        // A new version, so that whatever remembers maps by version sees another map.
        self.copy.iter_mut().for_each(|copy| copy.log = EditLog::new());
    }

    /// Frees a cell of the mask again, which must be free on the map.
    pub fn spare(&mut self, cell: Cell) {
        if self.mask.contains(cell) {
            self.put(cell, true);
            self.spared = Some(cell);
        }
    }

    /// What was cast last.
    pub fn grid(&self) -> Option<&Grid> {
        self.copy.as_ref()
    }

    /// The cells that are free on the map and blocked here, and perhaps one that was spared.
    pub fn blocked(&self) -> &[Cell] {
        &self.blocked
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.copy.as_ref().map_or(0, Grid::memory_usage)
            + self.blocked.capacity() * size_of::<Cell>()
    }

    fn put(&mut self, cell: Cell, free: bool) {
        let Some(copy) = &mut self.copy else { return };
        let before = copy.content_of(Rect::cell(cell));
        copy.put(cell.x, cell.y, free);
        copy.note_content(Rect::cell(cell), before);
        #[cfg(test)]
        (self.written[1] += 1);
    }

    /// Makes the copy, in which nothing is masked, equal to the map.
    fn follow(&mut self, map: &Grid) {
        let area = |rect: Rect| u64::from(rect.width) * u64::from(rect.height);
        let changed = map.changes_since(self.version).map(|rects| rects.map(area).sum::<u64>());
        let known = self.copy.as_mut().zip(map.changes_since(self.version));
        // A full copy works word by word and is faster long before the whole map has changed.
        let few = changed.is_some_and(|changed| changed <= area(map.whole()) / 8);
        match known.filter(|_| few) {
            Some((copy, rects)) => rects.for_each(|rect| copy.copy_rect(map, rect)),
            None => self.copy = Some(map.clone()),
        }
        self.version = map.version();
        #[cfg(test)]
        (self.written[0] += changed.filter(|_| few).unwrap_or(area(map.whole())));
    }
}

impl Grid {
    /// Copies the cells of a rectangle from a map of the same size, and the totals that map keeps.
    fn copy_rect(&mut self, map: &Self, rect: Rect) {
        for cell in rect.cells() {
            self.put(cell.x, cell.y, map.is_free(cell));
        }
        self.copy_factors(map, rect);
        self.copy_heights(map, rect);
        (self.free, self.content) = (map.free, map.content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Astar, Jps, Moves, Planner, Query, Scratch, Status, Tile};

    /// Masks, edits of all kinds and changes of map, in turn: the result is always the map without
    /// the mask.
    #[test]
    fn a_shadow_is_the_map_without_the_mask() {
        let mut shadow = Shadow::default();
        for (round, mut random) in Random::rounds(8, 60).enumerate() {
            let (width, height) = (1 + random.below(90) as u32, 1 + random.below(30) as u32);
            let mut map = Grid::from_fn(width, height, |_| random.chance(2, 3)).unwrap();
            let mut mask = Mask::new();
            for _ in 0..20 {
                let mut cell = || {
                    Cell::new(random.below(width.into()) as u32, random.below(height.into()) as u32)
                };
                let (edited, mut masked) = (cell(), cell());
                match random.below(7) {
                    0 => map.set(edited, Tile::Free).unwrap(),
                    1 => map.set(edited, Tile::Blocked).unwrap(),
                    2 if round % 2 == 0 => map.set_cost(edited, 2.0).unwrap(),
                    3 if round % 3 == 0 => map.set_height(edited, 7.0).unwrap(),
                    4 if round % 5 == 0 => map = map.clone(),
                    5 => masked.x += width, // beyond the map
                    _ => {}
                }
                if random.chance(1, 4) {
                    mask = Mask::new();
                }
                if random.chance(1, 2) {
                    mask.extend([edited, masked]);
                }
                let before = shadow.grid().map(Grid::version);
                shadow.cast(&map, &mask);
                let spared = random.chance(1, 2) && map.is_free(edited);
                if spared {
                    shadow.spare(edited);
                }
                let mut expected = map.clone();
                for cell in mask.cells().filter(|&cell| map.contains(cell)) {
                    if !spared || cell != edited {
                        expected.set(cell, Tile::Blocked).unwrap();
                    }
                }
                let grid = shadow.grid().unwrap();
                assert_eq!(grid, &expected);
                assert_eq!(grid.content_hash(), expected.content_hash());
                assert_eq!(grid.height_range(), map.height_range());
                assert_eq!(grid.least_factor(), map.least_factor());
                assert_eq!(grid.largest_factor(), map.largest_factor());
                assert!(expected.whole().cells().all(|cell| {
                    grid.columns.get(grid.columns.position(cell.y, cell.x))
                        == expected.is_free(cell)
                }));
                assert!(Some(grid.version()) != before && grid.version() != map.version());
            }
        }
    }

    /// On a map of 4096 x 4096 cells, only the first masked query looks at all of them.
    #[test]
    fn after_the_first_a_masked_query_writes_as_many_cells_as_the_mask_has() {
        let mut map = Grid::new(4096, 4096).unwrap();
        let mut planner = Jps::new(&map, Moves::EIGHT).unwrap();
        let mut scratch = Scratch::new();
        let wall = |x: u32| (2000..2010).map(|y| Cell::new(x, y)).collect::<Mask>();
        let query = |mask: &Mask| Query::new((2000, 2005), (2020, 2005)).avoid(mask);
        let mut ask = |planner: &dyn Planner, map: &Grid, mask: &Mask| {
            let before = scratch.shadow.written;
            assert_eq!(planner.find(map, &query(mask), &mut scratch), Ok(Status::Found));
            let after = scratch.shadow.written;
            [after[0] - before[0], after[1] - before[1]]
        };
        let cells = 4096 * 4096;
        assert_eq!(ask(&planner, &map, &wall(2010)), [cells, 10]);
        assert_eq!(ask(&planner, &map, &wall(2011)), [0, 20], "one mask off, one on");
        let own = wall(2000);
        assert_eq!(ask(&planner, &map, &own), [0, 21], "and the start spared");
        assert_eq!(ask(&planner, &map, &own), [0, 2], "the same mask again");
        map.set((7, 7), Tile::Blocked).unwrap();
        planner.update(&map).unwrap();
        assert_eq!(ask(&planner, &map, &wall(2010)), [1, 19], "one cell was edited");
        let other = Astar::new(&map, Moves::EIGHT).unwrap();
        assert_eq!(ask(&other, &map, &wall(2012)), [0, 20], "another planner, the same map");
    }
}
