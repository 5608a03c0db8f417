//! [`Query::reuse`]: a reused search equals a new one.

use crate::support::smoothed;
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Grid, Moves, Planner, Query, Scratch, Status, Tile};

#[test]
fn a_search_used_again_gives_what_a_new_one_gives() {
    let mut random = Random::new(77);
    let (mut reused, mut searched) = (0, 0);
    for round in 0..120 {
        let rules = [
            Moves::FOUR,
            Moves::EIGHT,
            Moves::EIGHT_CUT_ANY,
            Moves::ANY_ANGLE,
            Moves::ANY_ANGLE_SQUEEZE,
        ];
        let moves = rules[round % rules.len()];
        let side = 20 + random.below(60) as u32;
        let blocked = random.below(35);
        let mut grid = Grid::from_fn(side, side, |_| !random.chance(blocked, 100)).unwrap();
        let mut cell =
            || Cell::new(random.below(side.into()) as u32, random.below(side.into()) as u32);
        if round % 3 == 0 {
            grid.set_cost(cell(), 2.5).unwrap();
        }
        let block = 2 + round % 7;
        let spec = Algorithm::named(&format!("block-astar:block={block}")).unwrap();
        let mut planner = spec.prepare(&grid, moves).unwrap();
        let mut scratch = Scratch::new();
        let query = Query::new(cell(), cell()).nearest().reuse();
        let query = smoothed(query, round % 2 == 0);
        for step in 0..40 {
            let edit = cell();
            match step % 8 {
                // Terrain that was not there, or a new cheapest cell, changes all estimates.
                7 => grid.set_cost(edit, [0.5, 1.0, 3.0][step % 3]).unwrap(),
                _ if grid.is_free(edit) => grid.set(edit, Tile::Blocked).unwrap(),
                _ => grid.set(edit, Tile::Free).unwrap(),
            }
            planner.update(&grid).unwrap();
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            let mut other = Scratch::new();
            assert_eq!(status, planner.find(&grid, &query, &mut other).unwrap());
            assert_eq!(scratch.path(), other.path(), "round {round}, step {step}, {moves}");
            assert_eq!(scratch.stats().raw_cost, other.stats().raw_cost);
            assert!(!other.stats().reused);
            if scratch.stats().reused {
                assert_eq!(scratch.stats().expanded, 0);
                reused += 1;
            } else {
                searched += 1;
            }
        }
    }
    assert!(reused > 500 && searched > 500, "{reused} reused, {searched} searched");
}

#[test]
fn nothing_is_reused_unless_asked_for_or_after_another_search() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut planner =
        Algorithm::named("block-astar").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(1, 1), Cell::new(20, 1));
    let other = Query::new(Cell::new(1, 1), Cell::new(21, 1)).reuse();
    let mut ask = |query: &Query, planner: &dyn Planner, grid: &Grid| {
        assert_eq!(planner.find(grid, query, &mut scratch).unwrap(), Status::Found);
        scratch.stats().reused
    };
    assert!(!ask(&query.clone().reuse(), &planner, &grid));
    assert!(ask(&query.clone().reuse(), &planner, &grid), "the map is the same");
    assert!(!ask(&query, &planner, &grid));
    assert!(!ask(&other, &planner, &grid), "another goal");
    assert!(!ask(&query.clone().reuse(), &planner, &grid), "another search was in between");
    grid.set(Cell::new(60, 60), Tile::Blocked).unwrap();
    planner.update(&grid).unwrap();
    assert!(ask(&query.clone().reuse(), &planner, &grid), "the edit is far away");
    grid.set(Cell::new(10, 1), Tile::Blocked).unwrap();
    planner.update(&grid).unwrap();
    assert!(!ask(&query.clone().reuse(), &planner, &grid), "the edit is on the path");
}
