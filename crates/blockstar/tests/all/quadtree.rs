//! Quadtrees: few nodes where the map is empty, and what that costs.

use crate::support::{at_least, close, prepare};
use blockstar::{Grid, Moves, Quadtree, Query, Scratch, Status, Tile, generate};

/// An empty map is one leaf, a closed cell splits it, and an opened one makes it whole again.
#[test]
fn an_edit_splits_and_merges_only_the_leaves_around_it() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut planner = Quadtree::new(&grid, Moves::EIGHT).unwrap();
    assert_eq!(planner.leaves(&grid), 1);
    grid.set((20, 40), Tile::Blocked).unwrap();
    blockstar::Planner::update(&mut planner, &grid).unwrap();
    // Three quarters on each of six levels; of the last one the cell itself is missing.
    assert_eq!(planner.leaves(&grid), 18);
    grid.set_cost((50, 50), 2.0).unwrap();
    blockstar::Planner::update(&mut planner, &grid).unwrap();
    assert_eq!(planner.leaves(&grid), 17 + 16, "the quarter of 32 cells has fallen into 16");
    grid.set_cost((50, 50), 1.0).unwrap();
    grid.set((20, 40), Tile::Free).unwrap();
    blockstar::Planner::update(&mut planner, &grid).unwrap();
    assert_eq!(planner.leaves(&grid), 1);
    let small = Quadtree::builder().leaf(8).build(&grid, Moves::EIGHT).unwrap();
    assert_eq!(small.leaves(&grid), 64);
}

/// In one leaf both are the octile path; elsewhere the framed tree is optimal, the plain one not far
/// from it, with a small part of A*'s expansions.
#[test]
fn trees_expand_less_than_the_grid_where_it_is_sparse() {
    let mut totals = [(0.0, 0u64); 3];
    let mut asked = 0;
    let mut scratch = Scratch::new();
    for seed in 0..10 {
        let grid = match seed % 2 {
            0 => generate::rooms(150, 130, 30, seed).unwrap(),
            _ => generate::random(128, 128, 0.3, seed).unwrap(),
        };
        let planners =
            ["astar", "quadtree", "framed-quadtree"].map(|name| prepare(name, &grid, Moves::EIGHT));
        for (start, goal) in generate::queries(&grid, 20, seed) {
            let query = Query::new(start, goal);
            for (planner, total) in planners.iter().zip(&mut totals) {
                assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
                total.0 += scratch.path().cost();
                total.1 += scratch.stats().expanded;
            }
            asked += 1;
        }
    }
    at_least("queries", asked, 150);
    let [(best, grid), (plain, leaves), (framed, frames)] = totals;
    eprintln!("length ÷ optimum {:.3}, expansions {grid}, {leaves}, {frames}", plain / best);
    assert!(close(framed, best));
    assert!(plain < 1.15 * best, "{plain} {best}");
    assert!(leaves * 5 < grid && frames < grid, "{grid} {leaves} {frames}");
}
