//! What updates do, and what they report.

use crate::{Algorithm, Cell, Grid, Moves, Query, Scratch, Status, Tile};

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
        let choice = Algorithm::named("block-astar").unwrap();
        let mut planner = choice.prepare(&small, moves).unwrap();
        assert!(planner.update(&large).unwrap().tables_made > 0);
        let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
        let query = Query::new(Cell::new(2, 1), Cell::new(88, 3));
        assert_eq!(planner.find(&large, &query, &mut scratch).unwrap(), Status::Found);
        choice.prepare(&large, moves).unwrap().find(&large, &query, &mut other).unwrap();
        assert_eq!(scratch.path(), other.path());
    }
}
