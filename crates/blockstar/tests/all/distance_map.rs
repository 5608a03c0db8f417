//! The distance map against the oracle.

use crate::support::{
    Round, all_cell_moves, all_costs, close, random_cell, rounds_on_terrain, step_cost,
};
use blockstar::{Cell, DistanceMap, Error, Grid, Moves, Tile};

#[test]
fn distances_equal_the_oracle_and_lead_downhill_to_a_source() {
    let mut cells = 0;
    for Round { grid, mut random, .. } in rounds_on_terrain(51, 250, 3) {
        for moves in all_cell_moves() {
            let sources: Vec<Cell> =
                (0..1 + random.below(3)).map(|_| random_cell(&mut random, &grid)).collect();
            let map = DistanceMap::new(&grid, moves, &sources).unwrap();
            let mut oracle = vec![f64::INFINITY; (grid.width() * grid.height()) as usize];
            for &source in &sources {
                for (best, cost) in oracle.iter_mut().zip(all_costs(&grid, moves, source)) {
                    *best = best.min(cost);
                }
            }
            for (index, &best) in oracle.iter().enumerate() {
                let cell = Cell::new(index as u32 % grid.width(), index as u32 / grid.width());
                let context = || format!("{moves} {cell} from {sources:?}");
                cells += 1;
                let Some(distance) = map.distance(cell) else {
                    assert!(best.is_infinite(), "{}", context());
                    assert_eq!(map.next(cell), None);
                    assert_eq!(map.path_to(&grid, cell), Ok(None));
                    continue;
                };
                assert!(close(distance, best), "{distance} {best} {}", context());
                let next = map.next(cell);
                assert_eq!(next.is_none(), sources.contains(&cell), "{}", context());
                if let Some(next) = next {
                    // A legal step that costs exactly the difference.
                    let at = |c: Cell| (i64::from(c.x), i64::from(c.y));
                    let step = step_cost(&grid, moves, at(cell), at(next));
                    let there = map.distance(next).unwrap();
                    assert!(there < distance, "{}", context());
                    assert!(close(there + step.unwrap(), distance), "{}", context());
                }
                if index % 7 == 0 {
                    let path = map.path_to(&grid, cell).unwrap().unwrap();
                    path.check(&grid, moves).unwrap();
                    assert!(close(path.cost(), best), "{}", context());
                    let from = path.points()[0].as_centre().unwrap();
                    assert!(sources.contains(&from), "{}", context());
                    assert_eq!(path.points().last(), Some(&cell.centre()));
                }
            }
        }
    }
    assert!(cells > 100_000, "{cells}");
}

#[test]
fn what_a_distance_map_cannot_do_is_refused() {
    let grid = Grid::new(3, 3).unwrap();
    let sources = [Cell::new(0, 0)];
    let any_angle = DistanceMap::new(&grid, Moves::ANY_ANGLE, &sources);
    assert!(matches!(any_angle, Err(Error::Unsupported { .. })));
    let outside = DistanceMap::new(&grid, Moves::FOUR, &[Cell::new(3, 0)]);
    assert!(matches!(outside, Err(Error::Outside { what: "source", .. })));
    let map = DistanceMap::new(&grid, Moves::FOUR, &[]).unwrap();
    assert_eq!(map.distance(Cell::new(1, 1)), None);
    let map = DistanceMap::new(&grid, Moves::FOUR, &sources).unwrap();
    assert_eq!(map.distance(Cell::new(9, 9)), None);
    assert_eq!(map.next(Cell::new(9, 9)), None);
}

#[test]
fn a_path_on_a_changed_map_is_refused() {
    let mut grid = Grid::new(5, 5).unwrap();
    let map = DistanceMap::new(&grid, Moves::EIGHT, &[Cell::new(0, 0)]).unwrap();
    assert!(map.path_to(&grid, Cell::new(4, 4)).unwrap().is_some());
    grid.set((2, 2), Tile::Blocked).unwrap();
    assert!(matches!(map.path_to(&grid, Cell::new(4, 4)), Err(Error::Stale { .. })));
}
