//! The distance map against the oracle, and against itself after edits.

use crate::support::hills::{Numbers, hills};
use crate::support::{
    Edit, Round, all_cell_moves, all_costs, at_least, close, expect_more, random_cell, random_grid,
    rounds_on_terrain, step_cost,
};
use blockstar::random::Random;
use blockstar::{Cell, DistanceMap, Error, Grid, Moves, Rect, Slope, Tile};

fn cells(grid: &Grid) -> impl Iterator<Item = Cell> + use<> {
    Rect::new(0, 0, grid.width(), grid.height()).cells()
}

fn sources(random: &mut Random, grid: &Grid) -> Vec<Cell> {
    (0..1 + random.below(3)).map(|_| random_cell(random, grid)).collect()
}

#[test]
fn distances_equal_the_oracle_and_lead_downhill_to_a_source() {
    let mut count = 0;
    for Round { grid, mut random, .. } in rounds_on_terrain(51, 250, 3) {
        for moves in all_cell_moves() {
            let sources = sources(&mut random, &grid);
            let map = DistanceMap::new(&grid, moves, &sources).unwrap();
            let mut oracle = vec![f64::INFINITY; (grid.width() * grid.height()) as usize];
            for &source in &sources {
                for (best, cost) in oracle.iter_mut().zip(all_costs(&grid, moves, source)) {
                    *best = best.min(cost);
                }
            }
            for (cell, &best) in cells(&grid).zip(&oracle) {
                let context = || format!("{moves} {cell} from {sources:?}");
                count += 1;
                let next = map.next_step(&grid, cell).unwrap();
                assert_eq!(map.distance(&grid, cell), map.distance_to(&grid, cell));
                let Some(distance) = map.distance(&grid, cell).unwrap() else {
                    assert!(best.is_infinite(), "{}", context());
                    assert_eq!(next, None);
                    assert_eq!(map.path_to(&grid, cell), Ok(None));
                    assert_eq!(map.path_from(&grid, cell), Ok(None));
                    continue;
                };
                assert!(close(distance, best), "{distance} {best} {}", context());
                assert_eq!(next.is_none(), sources.contains(&cell), "{}", context());
                if let Some(next) = next {
                    // A legal step that costs exactly the difference.
                    let at = |c: Cell| (i64::from(c.x), i64::from(c.y));
                    let step = step_cost(&grid, moves, at(cell), at(next));
                    let there = map.distance(&grid, next).unwrap().unwrap();
                    assert!(there < distance, "{}", context());
                    assert!(close(there + step.unwrap(), distance), "{}", context());
                }
                if count % 7 == 0 {
                    let there = map.path_from(&grid, cell).unwrap().unwrap();
                    let back = map.path_to(&grid, cell).unwrap().unwrap();
                    assert!(there.cells().eq(back.cells().collect::<Vec<_>>().into_iter().rev()));
                    assert_eq!(there.cells().nth(1), next);
                    for path in [there, back] {
                        path.check(&grid, moves).unwrap();
                        assert!(close(path.cost(), best), "{}", context());
                    }
                }
            }
        }
    }
    assert!(count > 100_000, "{count}");
}

/// On slopes the way there is not the way back.
#[test]
fn on_slopes_the_way_to_a_source_is_told_apart_from_the_way_from_it() {
    let mut random = Random::new(52);
    let (mut different, mut one_way, mut asked) = (0, 0, 0);
    for round in 0..120 {
        let grid = hills(&mut random, round % 3 == 0);
        let numbers = Numbers::random(&mut random);
        let moves = all_cell_moves()[round % 8].with_slope(numbers.slope());
        let source = random_cell(&mut random, &grid);
        let map = DistanceMap::new(&grid, moves, [source]).unwrap();
        let oracle = numbers.all_costs(&grid, moves, source);
        for (cell, &best) in cells(&grid).zip(&oracle) {
            let distances = [map.distance(&grid, cell), map.distance_to(&grid, cell)];
            let [there, back] = distances.map(|distance| distance.unwrap());
            assert_eq!(back.is_some(), best.is_finite(), "{moves} {cell}");
            assert!(back.is_none_or(|back| close(back, best)), "{back:?} {best} {moves} {cell}");
            one_way += u64::from(there.is_some() != back.is_some());
            different += u64::from(there != back);
            asked += 1;
            let paths = [map.path_from(&grid, cell), map.path_to(&grid, cell)];
            for (path, distance, ends) in
                [(&paths[0], there, [cell, source]), (&paths[1], back, [source, cell])]
            {
                let Some(path) = path.as_ref().unwrap() else {
                    assert_eq!(distance, None);
                    continue;
                };
                path.check(&grid, moves).unwrap();
                assert!(close(path.cost(), distance.unwrap()), "{moves} {cell}");
                let found = [path.points().first(), path.points().last()];
                assert_eq!(found, [Some(&ends[0].centre()), Some(&ends[1].centre())]);
            }
        }
        // The way to the source, against a search from one cell.
        let from = random_cell(&mut random, &grid);
        let at = (source.y * grid.width() + source.x) as usize;
        let best = numbers.all_costs(&grid, moves, from)[at];
        let there = map.distance(&grid, from).unwrap();
        assert_eq!(there.is_some(), best.is_finite() && grid.is_free(from));
        assert!(there.is_none_or(|there| close(there, best)), "{there:?} {best}");
    }
    expect_more!(asked > 5_000, different > 1_000, one_way > 100);
}

/// Whatever is edited, and however often before an update: an updated map equals one computed from
/// scratch, to the last bit and the last step.
#[test]
fn an_updated_distance_map_equals_a_new_one() {
    let mut random = Random::new(53);
    let mut compared = 0;
    for round in 0..240 {
        let weighted = round % 3 != 0;
        let mut grid = if round % 2 == 0 {
            hills(&mut random, weighted)
        } else {
            random_grid(&mut random, weighted)
        };
        let mut moves = all_cell_moves()[round / 2 % 8];
        if round % 2 == 0 {
            moves = moves.with_slope(Numbers::random(&mut random).slope());
        }
        let sources = sources(&mut random, &grid);
        let mut map = DistanceMap::new(&grid, moves, &sources).unwrap();
        for _ in 0..12 {
            for _ in 0..1 + random.below(3) {
                let edit = match random.below(8) {
                    0 if round % 2 == 0 => Edit::random_height(&mut random, &grid),
                    1 => Edit::Cell(sources[0], Tile::Blocked),
                    2 => Edit::Cell(sources[0], Tile::Free),
                    _ => Edit::random(&mut random, &grid, weighted),
                };
                edit.apply(&mut grid);
            }
            map.update(&grid).unwrap();
            let new = DistanceMap::new(&grid, moves, &sources).unwrap();
            for cell in cells(&grid) {
                let of = |map: &DistanceMap| {
                    let costs = [map.distance(&grid, cell), map.distance_to(&grid, cell)];
                    (costs.map(|cost| cost.unwrap().map(f64::to_bits)), map.next_step(&grid, cell))
                };
                assert_eq!(of(&map), of(&new), "{moves} {cell} of {sources:?}");
                compared += 1;
            }
        }
    }
    at_least("cells", compared, 100_000);
}

/// The cost of an edit depends on what it changes, not on the size of the map.
#[test]
fn an_update_touches_what_an_edit_changed() {
    let mut grid = Grid::new(300, 300).unwrap();
    let mut map = DistanceMap::new(&grid, Moves::EIGHT, [Cell::new(150, 150)]).unwrap();
    let mut edit = |rect: Rect, tile: Tile| {
        grid.set_rect(rect, tile).unwrap();
        map.update(&grid).unwrap().cells_settled
    };
    // One cell: the nine around it, and the few that had their only best way over it.
    let cell = Rect::new(40, 90, 1, 1);
    for tile in [Tile::Blocked, Tile::Free] {
        let settled = edit(cell, tile);
        assert!((9..100).contains(&settled), "{settled}");
    }
    // A wall across a corner of the map has all of the corner behind it.
    let wall = Rect::new(280, 0, 1, 20);
    for tile in [Tile::Blocked, Tile::Free] {
        let settled = edit(wall, tile);
        assert!(settled < 20 * 20 * 12, "{settled}");
    }
    // Walling the source in is an edit of everything.
    assert!(edit(Rect::new(149, 149, 3, 1), Tile::Blocked) > 0);
    let ring = [Rect::new(149, 151, 3, 1), Rect::new(149, 150, 1, 1), Rect::new(151, 150, 1, 1)];
    let settled: u64 = ring.into_iter().map(|rect| edit(rect, Tile::Blocked)).sum();
    assert!(settled > 80_000, "{settled}");
    // An edit in an unreachable place is looked at, and that is all.
    assert!(edit(cell, Tile::Blocked) <= 9);
}

#[test]
fn what_a_distance_map_cannot_do_is_refused() {
    let mut grid = Grid::new(3, 3).unwrap();
    let sources = [Cell::new(0, 0)];
    let any_angle = DistanceMap::new(&grid, Moves::ANY_ANGLE, sources);
    assert!(matches!(any_angle, Err(Error::Unsupported { .. })));
    let outside = DistanceMap::new(&grid, Moves::FOUR, [Cell::new(3, 0)]);
    assert!(matches!(outside, Err(Error::Outside { what: "source", .. })));
    let map = DistanceMap::new(&grid, Moves::FOUR, Vec::<Cell>::new()).unwrap();
    assert_eq!(map.distance(&grid, Cell::new(1, 1)), Ok(None));
    let mut map = DistanceMap::new(&grid, Moves::FOUR, [Cell::new(2, 2)]).unwrap();
    assert_eq!(map.distance(&grid, Cell::new(9, 9)), Ok(None));
    assert_eq!(map.next_step(&grid, Cell::new(9, 9)), Ok(None));
    assert_eq!(map.path_from(&grid, Cell::new(u32::MAX, 0)), Ok(None));
    // A map that the source is not on; the old one is still served.
    let small = Grid::new(2, 2).unwrap();
    assert!(matches!(map.update(&small), Err(Error::Outside { .. })));
    assert!(matches!(map.distance(&small, Cell::new(0, 0)), Err(Error::Stale { .. })));
    assert_eq!(map.distance(&grid, Cell::new(0, 0)), Ok(Some(4.0)));
    // Heights that the costs do not hold.
    let moves = Moves::FOUR.with_slope(Slope::new(1e-6).penalties(1e6, 1e6));
    let mut map = DistanceMap::new(&grid, moves, sources).unwrap();
    grid.set_height((1, 1), 1e30).unwrap();
    assert!(matches!(map.update(&grid), Err(Error::Unsupported { .. })));
    assert!(matches!(map.distance(&grid, Cell::new(0, 0)), Err(Error::Stale { .. })));
}

/// Distances and steps used to be answered for a map that had changed, and units walked into its
/// walls.
#[test]
fn a_distance_map_of_a_changed_grid_sends_nobody_into_walls() {
    let mut grid = Grid::new(5, 5).unwrap();
    let mut map = DistanceMap::new(&grid, Moves::EIGHT, [Cell::new(0, 0)]).unwrap();
    let far = Cell::new(4, 4);
    assert_eq!(map.next_step(&grid, far), Ok(Some(Cell::new(3, 3))));
    grid.set((3, 3), Tile::Blocked).unwrap();
    let stale = |result: Result<(), Error>| matches!(result, Err(Error::Stale { .. }));
    let all_stale = |map: &DistanceMap, grid: &Grid| {
        stale(map.next_step(grid, far).map(drop))
            && stale(map.distance(grid, far).map(drop))
            && stale(map.distance_to(grid, far).map(drop))
            && stale(map.path_to(grid, far).map(drop))
            && stale(map.path_from(grid, far).map(drop))
    };
    assert!(all_stale(&map, &grid));
    map.update(&grid).unwrap();
    let next = map.next_step(&grid, far).unwrap().unwrap();
    assert!(grid.is_free(next));
    // Another grid is another map, even if it looks the same.
    assert!(all_stale(&map, &grid.clone()));
}
