//! The cut index: which ways lead through which part of the map.
//!
//! The map is cut into blocks of 16 x 16 cells; each block lists the ways that touch it. An edit
//! looks at the ways of its blocks and at no others, however many units there are elsewhere.
//!
//! A way is never taken off a list one by one: each has a number of its own, and entries with an old
//! number are skipped, and swept out when they are more than half of a list.

use crate::layer::grown;
use crate::route::{PIECE, Route};
use blockstar::{Path, Rect};

/// Cells on each side of a block.
const SIDE: u32 = 16;

#[derive(Clone, Debug, Default)]
struct Block {
    /// Units with the numbers of their ways.
    ways: Vec<(u32, u32)>,
    old: u32,
}

/// The index.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    columns: u32,
    width: u32,
    height: u32,
    blocks: Vec<Block>,
    /// By unit: the number of its way and the blocks that it is listed in.
    listed: Vec<(u32, Vec<u32>)>,
    last: u32,
}

impl Cuts {
    pub fn new(width: u32, height: u32) -> Self {
        let columns = width.div_ceil(SIDE);
        let blocks = vec![Block::default(); (columns * height.div_ceil(SIDE)) as usize];
        Self { columns, width, height, blocks, listed: Vec::new(), last: 0 }
    }

    /// Lists the way of a unit, in place of the one before. An empty one is none.
    pub fn list(&mut self, unit: u32, route: &Route, moves: blockstar::Moves) {
        self.drop(unit);
        if route.len() < 2 {
            return;
        }
        let mut blocks = std::mem::take(&mut self.entry(unit).1);
        for end in 1..route.len() {
            let Some(rect) = route.piece_rect(end) else { continue };
            if rect.width.max(rect.height) <= PIECE + 1 {
                self.blocks_of(rect, &mut blocks);
            } else {
                // A long segment at any angle: its own blocks, not those of its rectangle.
                let ends = [route.points()[end - 1].at.point(), route.points()[end].at.point()];
                let none = blockstar::Grid::new(1, 1);
                let Ok(grid) = none else { continue };
                let path = Path::new(&grid, moves, ends);
                for cell in path.cells() {
                    let around = grown(Rect::cell(cell), 1, self.width, self.height);
                    self.blocks_of(around, &mut blocks);
                }
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        self.last = self.last.wrapping_add(1);
        let number = self.last;
        for &block in &blocks {
            self.blocks[block as usize].ways.push((unit, number));
        }
        *self.entry(unit) = (number, blocks);
    }

    /// Forgets the way of a unit.
    pub fn drop(&mut self, unit: u32) {
        let Some((number, blocks)) = self.listed.get_mut(unit as usize) else { return };
        *number = 0;
        for block in std::mem::take(blocks) {
            let block = &mut self.blocks[block as usize];
            block.old += 1;
            if block.old > 8 && block.old as usize * 2 > block.ways.len() {
                let listed = &self.listed;
                block.ways.retain(|&(unit, number)| listed[unit as usize].0 == number);
                block.old = 0;
            }
        }
    }

    /// The units whose ways touch the blocks of a rectangle, in order.
    pub fn touching(&self, rect: Rect, found: &mut Vec<u32>) {
        let mut blocks = Vec::new();
        self.blocks_of(grown(rect, 1, self.width, self.height), &mut blocks);
        for block in blocks {
            let ways = &self.blocks[block as usize].ways;
            let current =
                ways.iter().filter(|&&(unit, number)| self.listed[unit as usize].0 == number);
            found.extend(current.map(|&(unit, _)| unit));
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let listed =
            self.listed.iter().map(|(_, blocks)| blocks.capacity() * 4 + 32).sum::<usize>();
        self.blocks.iter().map(|block| block.ways.capacity() * 8 + 32).sum::<usize>() + listed
    }

    fn entry(&mut self, unit: u32) -> &mut (u32, Vec<u32>) {
        if self.listed.len() <= unit as usize {
            self.listed.resize(unit as usize + 1, (0, Vec::new()));
        }
        &mut self.listed[unit as usize]
    }

    fn blocks_of(&self, rect: Rect, blocks: &mut Vec<u32>) {
        if rect.width == 0 || rect.height == 0 {
            return;
        }
        for row in rect.y / SIDE..=(rect.y + rect.height - 1).min(self.height - 1) / SIDE {
            for column in rect.x / SIDE..=(rect.x + rect.width - 1).min(self.width - 1) / SIDE {
                blocks.push(row * self.columns + column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Cell, Moves, Rule};

    #[test]
    fn only_ways_near_an_edit_are_found() {
        let mut cuts = Cuts::new(200, 100);
        let route =
            |y: u32| Route::along(&[Cell::new(3, y), Cell::new(90, y)], Rule::Eight, u32::MAX);
        for round in 0..50 {
            for unit in 0..6 {
                cuts.list(unit, &route(unit * 16 + 5), Moves::EIGHT);
            }
            cuts.drop(round % 6);
            let mut found = Vec::new();
            cuts.touching(Rect::new(60, 36, 2, 2), &mut found);
            assert_eq!(found, if round % 6 == 2 { vec![] } else { vec![2] });
        }
        assert!(cuts.blocks.iter().all(|block| block.ways.len() < 20));
        let mut found = Vec::new();
        cuts.touching(Rect::new(150, 0, 20, 100), &mut found);
        assert!(found.is_empty());
    }
}
