//! A real elevation tile, where the benchmark maps are: routes across 1201 x 1201 heights with
//! slope limits.

use crate::support::maps;
use blockstar::format::heights::{HeightMap, Voids};
use blockstar::{Algorithm, Cell, Grid, Moves, Query, Scratch, Slope, Status};

/// The tile, if `BLOCKSTAR_MAPS` has it.
fn tile() -> Option<HeightMap> {
    let file = maps::below(&maps::folder()?, "heights/N44W072.hgt")?;
    Some(HeightMap::parse_hgt(&std::fs::read(file).unwrap()).unwrap())
}

fn costs(grid: &Grid, moves: Moves, planners: &[&str]) -> Vec<f64> {
    let (w, h) = (grid.width(), grid.height());
    let query = Query::new(Cell::new(w / 100, h / 100), Cell::new(w - w / 100, h - h / 100));
    let mut scratch = Scratch::new();
    planners
        .iter()
        .map(|name| {
            let planner = Algorithm::named(name).unwrap().prepare(grid, moves).unwrap();
            assert_eq!(planner.find(grid, &query, &mut scratch).unwrap(), Status::Found, "{name}");
            scratch.path().check(grid, moves).unwrap();
            let smooth = scratch.path().smoothed(grid);
            smooth.check(grid, smooth.moves()).unwrap();
            scratch.path().cost()
        })
        .collect()
}

#[test]
fn the_whole_tile_is_crossed_within_limits_of_slope() {
    let Some(map) = tile() else { return };
    assert_eq!((map.width(), map.height(), map.voids()), (1201, 1201, 0));
    let grid = map.grid(Voids::Blocked).unwrap();
    assert_eq!(grid.height_range(), (115.0, 1908.0));
    let slope = Slope::new(90.0).penalties(8.0, 0.0).limits(0.15, 0.2);
    let moves = Moves::EIGHT.with_slope(slope);
    let found =
        costs(&grid, moves, &["astar", "astar-mod-fixed", "bidirectional-astar", "block-astar"]);
    assert!(found.iter().all(|&cost| cost == found[0]), "{found:?}");
    // As published A*MOD looks at vertices again and again, so on a smaller copy.
    let grid = map.resampled(300, 300).unwrap().grid(Voids::Blocked).unwrap();
    let slope = Slope::new(360.0).penalties(8.0, 0.0).limits(0.15, 0.2);
    let found =
        costs(&grid, Moves::EIGHT.with_slope(slope), &["astar", "astar-mod", "block-astar"]);
    assert!(found[1] >= found[0] && found[1] <= found[0] * 1.4143, "{found:?}");
    assert_eq!(found[0], found[2]);
}
