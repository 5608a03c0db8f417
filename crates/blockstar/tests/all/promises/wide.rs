//! Costs that do not fit 32 bits: the search starts again on wide ones and nothing is lost.

use crate::support::{Case, cases_on, grounds_on, record, serpentine};
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Promise, Query, Scratch, Status};

/// Planners that take too long on a map of a million cells, with reasons.
const TOO_SLOW: &[(&str, &str)] = &[
    ("ida-star", "deepens once for each step of a corridor"),
    ("lrta-star", "learns its way through a corridor step by step"),
];

/// Every planner that can walk a serpentine of a million cells.
fn walkers(grid: &Grid, rules: &[Moves]) -> impl Iterator<Item = Case> {
    let quick = |row: &Algorithm| TOO_SLOW.iter().all(|(name, _)| *name != row.name);
    grounds_on(0, [grid.clone()], rules).flat_map(move |ground| ground.into_cases_of(quick))
}

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
    for mut case in walkers(&grid, &[Moves::FOUR, Moves::EIGHT]) {
        let from = std::time::Instant::now();
        assert_eq!(case.find(&ends(&grid), &mut scratch), Status::Found);
        eprintln!("{} {} {:?}", case.choice, case.moves, from.elapsed());
        assert_eq!(scratch.path().cost(), steps as f64);
        scratch.path().check(&case.grid, case.moves).unwrap();
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
    let query = ends(&grid);
    let mut scratch = Scratch::new();
    for mut case in walkers(&grid, &[Moves::EIGHT]) {
        let whole = case.answer(&query, &mut scratch);
        let cost = f64::from_bits(whole.cost_bits);
        case.planner.begin(&case.grid, &query, &mut scratch).unwrap();
        let status = loop {
            let slice = Budget::expansions(99);
            match case.planner.resume(&case.grid, &mut scratch, slice).unwrap() {
                Status::Working => {}
                status => break status,
            }
        };
        assert!(record(status, &scratch) == whole, "a sliced search differs");
        if case.promise() == Promise::Optimal {
            assert_eq!(case.find(&query.clone().max_cost(cost), &mut scratch), Status::Found);
            let short = query.clone().max_cost(cost - 1.0);
            assert_eq!(case.find(&short, &mut scratch), Status::LimitReached);
        }
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
    for mut case in cases_on(&grid, &[Moves::FOUR, Moves::EIGHT]) {
        let query = match case.row.weight {
            true => query.clone().weight(1000.0),
            false => query.clone(),
        };
        assert_eq!(case.find(&query, &mut scratch), Status::Found);
        let cost = scratch.path().cost();
        assert!((cost - best).abs() < 1e-6, "{cost} {best}");
    }
}
