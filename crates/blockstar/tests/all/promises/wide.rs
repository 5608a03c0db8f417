//! Costs that do not fit 32 bits: the search starts again on wide ones and nothing is lost.

use crate::support::{Case, cases_on, choices, grounds_on, record, serpentine, zigzag};
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Promise, Query, Scratch, Status};

/// Rows that are left out on maps of a million cells, with reasons.
const LEFT_OUT: &[(&str, &str)] = &[
    ("ida-star", "deepens once for each step of a corridor"),
    ("lrta-star", "learns its way through a corridor step by step"),
    ("knn-lrta-star", "solves thousands of such corridors to be prepared"),
    ("subgoal-lrta-star", "takes minutes to be prepared"),
    ("d-lrta-star", "takes minutes to be prepared"),
    ("hcdps", "takes minutes to be prepared"),
];

/// Every other planner at the start of a corridor too long for 32 bits, with the question how to
/// get to its end.
fn long_walks(rules: &[Moves]) -> impl Iterator<Item = (Case, Query)> {
    fn is_quick(row: &Algorithm) -> bool {
        !row.blocks && LEFT_OUT.iter().all(|(name, _)| *name != row.name)
    }
    // Without 32 bits Block A* has no tables in store: a corridor that comes to each block once.
    let (long, blocks) = (serpentine(1299, 1299), zigzag(1301, 96));
    let (long_ends, block_ends) = (ends(&long), Query::new(Cell::new(0, 0), Cell::new(0, 1150)));
    for grid in [&long, &blocks] {
        assert!((grid.free_cells() as u64 - 1) * 5741 > u64::from(u32::MAX));
    }
    let long = grounds_on(0, [long], rules).flat_map(|ground| ground.into_cases_of(is_quick));
    let blocks = grounds_on(0, [blocks], rules);
    let blocks = blocks.flat_map(|ground| ground.into_cases_of(|row| row.blocks));
    let long = long.map(move |case| (case, long_ends.clone()));
    long.chain(blocks.map(move |case| (case, block_ends.clone())))
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

/// 5741 units per step and 750,000 steps: more than 32 bits hold.
#[test]
fn paths_of_a_million_steps_have_exact_costs() {
    let mut scratch = Scratch::new();
    for (mut case, query) in long_walks(&[Moves::FOUR]) {
        assert_eq!(case.find(&query, &mut scratch), Status::Found);
        // All free cells but the first are a step.
        assert_eq!(scratch.path().cost(), (case.grid.free_cells() - 1) as f64);
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
    let mut scratch = Scratch::new();
    for (mut case, query) in long_walks(&[Moves::EIGHT]) {
        let whole = case.answer(&query, &mut scratch);
        let cost = f64::from_bits(whole.cost_bits);
        assert_eq!(cost, (case.grid.free_cells() - 1) as f64);
        scratch.path().check(&case.grid, case.moves).unwrap();
        if case.row.blocks {
            continue; // minutes in slices: without 32 bits it makes its tables over and over
        }
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

/// A search that starts again on wide costs counts from 0, and its limit of expansions is that of
/// the second search alone: `rea-star` added both, 2,430 expansions where 1,300 were made.
///
/// From outside it is seen by comparison: a corridor half again as long takes half again the
/// expansions, give or take a few at its ends, whether 32 bits hold its cost or not.
#[test]
fn a_restart_on_wide_costs_counts_its_own_expansions_alone() {
    let mut scratch = Scratch::new();
    let mut faults = Vec::new();
    let maps = [499, 899, 1299].map(|height| serpentine(1299, height));
    for choice in choices(&maps[2], Moves::EIGHT) {
        let row = choice.algorithm();
        let left_out = LEFT_OUT.iter().any(|(name, _)| *name == row.name);
        if left_out || row.blocks || row.promise == Promise::RealTime {
            continue;
        }
        let [short, middle, long] = [0, 1, 2].map(|at: usize| {
            let (grid, query) = (&maps[at], ends(&maps[at]));
            let planner = choice.prepare(grid, Moves::EIGHT).unwrap();
            assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
            let expanded = scratch.stats().expanded;
            let enough = query.max_expansions(expanded + 1);
            assert_eq!(planner.find(grid, &enough, &mut scratch), Ok(Status::Found), "{choice}");
            expanded
        });
        let growth = [middle - short, long - middle];
        let slack = 2 + long / 100;
        if growth[0].abs_diff(growth[1]) > slack {
            faults.push(format!("{choice}: {short}, {middle}, {long} expansions"));
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}
