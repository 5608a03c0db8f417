//! What updates do, and what they report.

use crate::engine::vectors::narrow;
use crate::random::Random;
use crate::{Algorithm, Cell, Grid, Moves, Query, Scratch, Slope, Status, Tile};

#[test]
fn an_update_counts_the_tables_it_makes() {
    for moves in [Moves::EIGHT, Moves::ANY_ANGLE] {
        let mut grid = Grid::new(48, 48).unwrap();
        let mut planner =
            Algorithm::named("block-astar:block=12").unwrap().prepare(&grid, moves).unwrap();
        let mut made = |grid: &Grid| planner.update(grid).unwrap().tables_made;
        assert_eq!(made(&grid), 0, "nothing was edited");
        grid.set((3, 3), Tile::Blocked).unwrap();
        assert_eq!(made(&grid), 1);
        grid.set((15, 3), Tile::Blocked).unwrap();
        assert_eq!(made(&grid), 0, "another block has that content");
        grid.set((3, 3), Tile::Free).unwrap();
        assert_eq!(made(&grid), 0, "the edit was undone");
        grid.set_cost((0, 0), 2.0).unwrap();
        assert_eq!(made(&grid), 3, "terrain: a new kind of distance, and three contents");
    }
}

#[test]
fn a_planner_can_be_updated_for_a_grid_of_another_size() {
    let small = Grid::new(20, 20).unwrap();
    let large = Grid::from_fn(90, 50, |cell| cell.x != 40 || cell.y > 45).unwrap();
    for moves in [Moves::EIGHT, Moves::ANY_ANGLE] {
        let spec = Algorithm::named("block-astar").unwrap();
        let mut planner = spec.prepare(&small, moves).unwrap();
        assert!(planner.update(&large).unwrap().tables_made > 0);
        let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
        let query = Query::new(Cell::new(2, 1), Cell::new(88, 3));
        assert_eq!(planner.find(&large, &query, &mut scratch).unwrap(), Status::Found);
        spec.prepare(&large, moves).unwrap().find(&large, &query, &mut other).unwrap();
        assert_eq!(scratch.path(), other.path());
    }
}

/// Costs of such heights do not fit: tables of them overflowed.
#[test]
fn a_planner_updated_to_heights_that_do_not_fit_says_so() {
    let mut grid = Grid::new(14, 13).unwrap();
    let moves = Moves::EIGHT.with_slope(Slope::new(1.0).penalties(8.0, 2.0));
    let mut planner = Algorithm::named("block-astar").unwrap().prepare(&grid, moves).unwrap();
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(0, 0), Cell::new(13, 12));
    let heights = |height: f32| vec![[height, -height]; 14 * 13 / 2].concat();
    grid.set_heights(&heights(3e38)).unwrap();
    let refused = planner.update(&grid).unwrap_err().to_string();
    assert!(refused.contains("might not fit 64 bits"), "{refused}");
    assert!(planner.find(&grid, &query, &mut scratch).is_err());
    grid.set_heights(&heights(0.5)).unwrap();
    planner.update(&grid).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    scratch.path().check(&grid, moves).unwrap();
}

/// They have less code: none of its own for short sides and few slots.
#[test]
fn machines_without_wide_vectors_find_the_same() {
    let mut random = Random::new(1);
    for side in 2..=16 {
        for moves in [Moves::EIGHT, Moves::FOUR, Moves::ANY_ANGLE] {
            let free: Vec<bool> = (0..50 * 40).map(|_| random.below(4) > 0).collect();
            let mut grid =
                Grid::from_fn(50, 40, |cell| free[(cell.y * 50 + cell.x) as usize]).unwrap();
            if side % 2 == 0 {
                grid.set_cost((25, 20), 3.0).unwrap();
            }
            let spec = Algorithm::named(&format!("block-astar:block={side}")).unwrap();
            let planner = spec.prepare(&grid, moves).unwrap();
            let mut cell = || Cell::new(random.below(50) as u32, random.below(40) as u32);
            for _ in 0..10 {
                let query = Query::new(cell(), cell());
                let [wide, without] = [false, true].map(|is_wanted| {
                    narrow::IS_WANTED.set(is_wanted);
                    let mut scratch = Scratch::new();
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    narrow::IS_WANTED.set(false);
                    (status, scratch.path().clone(), scratch.stats().expanded)
                });
                assert_eq!(wide, without, "block={side} {moves} {query:?}");
            }
        }
    }
}
