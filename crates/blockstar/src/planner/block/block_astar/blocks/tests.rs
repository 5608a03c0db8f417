//! Tables kept up to date equal those of a map cut from scratch.

use super::*;
use crate::random::Random;
use crate::{Cell, Tile};

fn settings(size: BlockSize) -> BlockSettings {
    BlockSettings { size: Some(size), memory: 0, source: None }
}

fn random_cell(random: &mut Random, grid: &Grid) -> Cell {
    let (width, height) = (grid.width().into(), grid.height().into());
    Cell::new(random.below(width) as u32, random.below(height) as u32)
}

/// Every block has the table and the doors that it gets when everything is made from scratch.
fn check<D: Distance>(grid: &Grid, blocks: &BlockGrid<D>, tables: &BlockTables<D>) {
    let fresh = BlockTables::new(grid, blocks, usize::MAX / 2);
    assert!(tables.doors == fresh.doors);
    for block in 0..blocks.count() as u32 {
        assert!(tables.get(block) == fresh.get(block), "block {block}");
        let waits = tables.ids[block as usize] == TableId::NO_ROOM;
        assert_eq!(tables.waiting.contains(&block), waits);
    }
}

/// Random edits, one or a few at a time, and now and then more than the grid remembers.
fn edits<D: Distance>(moves: Moves, size: BlockSize, weighted: bool, seed: u64) {
    let mut random = Random::new(seed);
    let (width, height) = (20 + random.below(25) as u32, 20 + random.below(25) as u32);
    let mut grid = Grid::from_fn(width, height, |_| !random.chance(1, 4)).unwrap();
    if weighted {
        grid.set_cost(random_cell(&mut random, &grid), 3.0).unwrap();
    }
    let blocks = BlockGrid::<D>::new(&grid, moves, &settings(size));
    // Small enough that unused tables are dropped, large enough for those in use.
    let mut tables = BlockTables::new(&grid, &blocks, 16 << 20);
    let mut version = grid.version();
    for round in 0..400 {
        for _ in 0..[1, 1, 3, 20][random.below(4) as usize] {
            let cell = random_cell(&mut random, &grid);
            if weighted && random.chance(1, 2) {
                grid.set_cost(cell, 0.25 + random.below(40) as f64 / 4.0).unwrap();
            } else {
                let tile = if random.chance(1, 3) { Tile::Blocked } else { Tile::Free };
                grid.set(cell, tile).unwrap();
            }
        }
        let changes = grid.changes_since(version).filter(|_| round % 50 != 49);
        tables.update(&grid, &blocks, changes);
        version = grid.version();
        if round % 40 == 39 {
            check(&grid, &blocks, &tables);
        }
    }
    assert!(tables.waiting.is_empty());
}

#[test]
fn edited_tables_of_cells_equal_fresh_ones() {
    for (seed, side) in [2, 3, 4, 5, 8, 12, 16].into_iter().enumerate() {
        let seed = seed as u64;
        let (moves, size) = ([Moves::FOUR, Moves::EIGHT][side as usize % 2], side.into());
        edits::<u32>(moves, size, false, seed);
        edits::<u32>(Moves::EIGHT_CUT_ANY, size, false, 100 + seed);
        edits::<u64>(Moves::EIGHT_CUT_ONE, size, side < 9, 200 + seed);
        let oblong = BlockSize { width: side, height: 9 };
        edits::<u32>(moves, oblong, false, 600 + seed);
    }
}

#[test]
fn edited_tables_of_corners_equal_fresh_ones() {
    for (seed, side) in [2, 3, 4, 5, 8, 12, 16].into_iter().enumerate() {
        let seed = seed as u64;
        edits::<f32>(Moves::ANY_ANGLE, side.into(), false, 300 + seed);
        edits::<f32>(Moves::ANY_ANGLE_SQUEEZE, side.into(), false, 400 + seed);
        let oblong = BlockSize { width: 7, height: side };
        edits::<f32>(Moves::ANY_ANGLE, oblong, false, 700 + seed);
    }
    edits::<f64>(Moves::ANY_ANGLE, 7.into(), false, 500);
    edits::<f64>(Moves::ANY_ANGLE, 3.into(), true, 501);
    edits::<f64>(Moves::ANY_ANGLE_SQUEEZE, BlockSize { width: 4, height: 3 }, true, 502);
}

/// The contents that come first get the room, however many threads make the tables.
#[test]
fn which_contents_get_a_table_at_the_limit_does_not_depend_on_threads() {
    let mut random = Random::new(9);
    let grid = Grid::from_fn(300, 300, |_| !random.chance(1, 5)).unwrap();
    let blocks = BlockGrid::<f32>::new(&grid, Moves::ANY_ANGLE, &settings(8.into()));
    let all = BlockTables::new(&grid, &blocks, usize::MAX / 2);
    let limit = all.store().bytes() / 3;
    let some = BlockTables::new(&grid, &blocks, limit);
    assert!(some.store().bytes() <= limit);
    assert!(!some.waiting.is_empty());
    // By hand: block after block, as long as it fits.
    let (mut room, mut seen) = (limit, HashMap::<Box<[u16]>, bool>::new());
    let mut content = Content::default();
    for block in every_block(&blocks, grid.whole()) {
        let (left, top) = blocks.origin(block);
        content.read(&grid, 8, left, top);
        let fits = *seen.entry(content.key().into()).or_insert_with(|| {
            let bytes = Store::bytes_of(&blocks.layout, &blocks.rules, &content);
            let fits = bytes <= room;
            room -= if fits { bytes } else { 0 };
            fits
        });
        let blocked = content.is_blocked();
        assert_eq!(some.get(block).is_some(), fits && !blocked, "block {block}");
    }
    assert_eq!(some.store().bytes(), limit - room, "bytes are known before a table is made");
}

/// Blocks without a table get one when others are given up.
#[test]
fn blocks_that_found_no_room_are_tried_again() {
    let mut random = Random::new(10);
    let mut grid = Grid::from_fn(64, 64, |_| !random.chance(1, 4)).unwrap();
    let blocks = BlockGrid::<u32>::new(&grid, Moves::EIGHT, &settings(8.into()));
    let limit = BlockTables::new(&grid, &blocks, usize::MAX / 2).store().bytes() / 8 * 5;
    let mut tables = BlockTables::new(&grid, &blocks, limit);
    let waiting = tables.waiting.len();
    assert!(waiting > 10);
    // The upper half becomes free, block after block: one content instead of many.
    let mut version = grid.version();
    for cell in (0..64 * 32).map(|i| Cell::new(i % 64, i / 64)) {
        grid.set(cell, Tile::Free).unwrap();
        tables.update(&grid, &blocks, grid.changes_since(version));
        version = grid.version();
        assert!(tables.store().bytes() <= limit);
    }
    assert!(tables.waiting.is_empty(), "{} of {waiting} still wait", tables.waiting.len());
    check(&grid, &blocks, &tables);
}
