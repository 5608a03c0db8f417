//! Costs that do not fit 32 bits: the search starts again on wide ones and nothing is lost.

use crate::support::serpentine;
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Query, Scratch, Status};

/// The number of steps from the first to the last cell of a serpentine of an odd height.
fn steps(grid: &Grid) -> u64 {
    let rows = u64::from(grid.height().div_ceil(2));
    rows * u64::from(grid.width()) + rows - 2
}

/// The two ends of a serpentine of an odd height.
fn ends(grid: &Grid) -> Query {
    let rows = grid.height().div_ceil(2);
    let last = if rows % 2 == 1 { grid.width() - 1 } else { 0 };
    Query::new(Cell::new(0, 0), Cell::new(last, grid.height() - 1))
}

/// 5741 units per step and 800,000 steps: more than 32 bits hold.
#[test]
fn paths_of_a_million_steps_have_exact_costs() {
    let grid = serpentine(1299, 1299);
    let steps = steps(&grid);
    assert!(steps * 5741 > u64::from(u32::MAX) && steps < 900_000);
    let mut scratch = Scratch::new();
    for moves in [Moves::FOUR, Moves::EIGHT] {
        for name in [
            "astar",
            "dijkstra",
            "greedy",
            "weighted-astar",
            "bidirectional-astar",
            "jps",
            "rea-star",
            "block-astar",
        ] {
            let choice = Algorithm::named(name).unwrap();
            if !choice.algorithm().supports(moves.rule()) {
                continue;
            }
            let planner = choice.prepare(&grid, moves).unwrap();
            let status = planner.find(&grid, &ends(&grid), &mut scratch).unwrap();
            assert_eq!(status, Status::Found, "{name}");
            assert_eq!(scratch.path().cost(), steps as f64, "{name} {moves}");
            scratch.path().check(&grid, moves).unwrap();
        }
    }
}

/// A jump may be as long as the map, and it must fit as well.
#[test]
fn long_jumps_near_the_end_of_narrow_costs_fit() {
    let grid = serpentine(16_384, 91);
    assert!(steps(&grid) * 5741 > u64::from(u32::MAX));
    let mut scratch = Scratch::new();
    for moves in [Moves::EIGHT, Moves::EIGHT_CUT_ONE, Moves::EIGHT_CUT_ANY] {
        let planner = Algorithm::named("jps").unwrap().prepare(&grid, moves).unwrap();
        assert_eq!(planner.find(&grid, &ends(&grid), &mut scratch).unwrap(), Status::Found);
        scratch.path().check(&grid, moves).unwrap();
        if moves == Moves::EIGHT {
            assert_eq!(scratch.path().cost(), steps(&grid) as f64);
        }
    }
}

/// The restart is a part of the search like any other: slices and limits see no difference.
#[test]
fn the_restart_on_wide_costs_can_be_sliced() {
    let grid = serpentine(1299, 1299);
    let mut scratch = Scratch::new();
    for name in ["astar", "jps", "bidirectional-astar", "rea-star"] {
        let planner = Algorithm::named(name).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
        planner.find(&grid, &ends(&grid), &mut scratch).unwrap();
        let (path, stats) = (scratch.path().clone(), *scratch.stats());
        planner.begin(&grid, &ends(&grid), &mut scratch).unwrap();
        while planner.resume(&grid, &mut scratch, Budget::expansions(99)).unwrap()
            == Status::Working
        {}
        assert_eq!((scratch.path(), *scratch.stats()), (&path, stats), "{name}");
        let exact = ends(&grid).max_cost(path.cost());
        assert_eq!(planner.find(&grid, &exact, &mut scratch).unwrap(), Status::Found, "{name}");
        let short = ends(&grid).max_cost(path.cost() - 1.0);
        let status = planner.find(&grid, &short, &mut scratch).unwrap();
        assert_eq!(status, Status::LimitReached, "{name}");
    }
}

/// The dearest terrain: every cell costs 255.996.
#[test]
fn the_dearest_terrain_has_exact_costs() {
    let mut grid = serpentine(301, 301);
    let query = ends(&grid);
    let cells: Vec<_> = (0..301 * 301).map(|i| Cell::new(i % 301, i / 301)).collect();
    let factor = |cell: &Cell| if grid.is_free(*cell) { Grid::MAX_FACTOR } else { 0.0 };
    let factors: Vec<f64> = cells.iter().map(factor).collect();
    grid.set_costs(&factors).unwrap();
    let best = steps(&grid) as f64 * Grid::MAX_FACTOR;
    let mut scratch = Scratch::new();
    for moves in [Moves::FOUR, Moves::EIGHT] {
        for (algorithm, planner) in crate::support::planners(&grid, moves) {
            let query = match algorithm.name {
                "weighted-astar" | "block-astar" => query.clone().weight(1000.0),
                _ => query.clone(),
            };
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(status, Status::Found, "{}", algorithm.name);
            let cost = scratch.path().cost();
            assert!((cost - best).abs() < 1e-6, "{}: {cost} {best}", algorithm.name);
        }
    }
}

/// Resident memory of this process in bytes, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// On the largest map a short query touches only the memory it needs.
#[test]
fn a_short_query_on_the_largest_map_is_cheap() {
    let before = resident();
    let mut grid = Grid::new(Grid::MAX_SIDE, Grid::MAX_SIDE).unwrap();
    assert!(grid.memory_usage() < 70_000_000);
    for x in 0..Grid::MAX_SIDE {
        if x % 100 != 99 {
            grid.set((x, 9000), blockstar::Tile::Blocked).unwrap();
        }
    }
    let mut scratch = Scratch::new();
    for name in ["astar", "jps", "bidirectional-astar", "block-astar"] {
        let planner = Algorithm::named(name).unwrap().prepare(&grid, Moves::EIGHT).unwrap();
        let query = Query::new(Cell::new(9010, 8990), Cell::new(9010, 9010));
        assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), Status::Found);
        scratch.path().check(&grid, Moves::EIGHT).unwrap();
        let corner = Query::new(Cell::new(16_383, 16_383), Cell::new(16_370, 16_380));
        assert_eq!(planner.find(&grid, &corner, &mut scratch).unwrap(), Status::Found);
        assert_eq!(scratch.path().points()[0], Cell::new(16_383, 16_383).centre());
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let used = after.saturating_sub(before);
        assert!(used < 1_000_000_000, "{used} bytes");
    }
}
