//! Paths are what they say: legal step by step, valid until blocked, and no longer once smoothed.

use crate::path::any_angle_cost;
use crate::support::{
    Case, all_cell_moves, all_moves, at_least, cases, close, expect_more, for_each_path, step_cost,
};
use blockstar::{Cell, Path, Tile};

/// Smoothing and the removal of points in straight stretches, for the paths of every planner.
#[test]
fn smoothed_paths_are_legal_and_never_longer() {
    let (mut smoothed, mut shorter) = (0, 0);
    for_each_path(cases(61, 106, &all_moves()), 3, Case::query, |case, _, path| {
        let grid = &case.grid;
        let smooth = path.smoothed(grid);
        assert_eq!(smooth.moves(), case.moves.any_angle());
        if let Err(fault) = smooth.check(grid, smooth.moves()) {
            panic!("{fault}: {smooth} from {path}");
        }
        let before = any_angle_cost(grid, path);
        assert!(smooth.cost() <= before * (1.0 + 1e-9), "{smooth} from {path}");
        assert_eq!(smooth.points().first(), path.points().first());
        assert_eq!(smooth.points().last(), path.points().last());
        smoothed += 1;
        shorter += u64::from(smooth.cost() < before - 1e-9);

        assert_eq!(path.turns(), path.points().len().saturating_sub(2), "{path}");
        let again = Path::new(grid, case.moves, path.points().iter().copied());
        assert_eq!(&again, path, "its price is that of its turns");
        if !case.moves.rule().is_any_angle() {
            assert_eq!(&Path::new(grid, case.moves, path.cells()), path);
        }

        let thin = path.without_collinear();
        thin.check(grid, case.moves).unwrap_or_else(|fault| panic!("{fault}: {thin}"));
        assert!(close(thin.cost(), path.cost()));
        assert_eq!(thin.points().first(), path.points().first());
        assert_eq!(thin.points().last(), path.points().last());
        assert_eq!(thin.turns(), thin.points().len().saturating_sub(2));
        assert_eq!(thin.turns(), path.turns());
        assert!(close(thin.length(), path.length()));
    });
    expect_more!(smoothed > 6_000, shorter > 1_500);
}

/// Under the cell rules a path lists every cell it steps on, whatever jumps its points make.
#[test]
fn cells_are_a_legal_walk_step_by_step() {
    let rules = all_cell_moves();
    for_each_path(cases(63, 100, &rules), 3, Case::cell_query, |case, query, path| {
        for path in [path.clone(), path.without_collinear()] {
            let cells: Vec<Cell> = path.cells().collect();
            assert_eq!(cells.first().map(|cell| cell.centre()), Some(query.start()));
            assert_eq!(cells.last().map(|cell| cell.centre()), Some(query.goal()));
            let at = |c: Cell| (i64::from(c.x), i64::from(c.y));
            let mut cost = 0.0;
            for pair in cells.windows(2) {
                let (a, b) = (at(pair[0]), at(pair[1]));
                assert!((a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1, "{path}");
                cost += step_cost(&case.grid, case.moves, a, b).unwrap_or(f64::NAN);
            }
            assert!(close(cost, path.cost()), "{cost} {path}");
        }
    });
}

/// A path is no longer valid exactly when a cell it needs is blocked.
#[test]
fn a_path_is_valid_until_a_cell_on_it_is_blocked() {
    let mut paths = 0;
    for_each_path(cases(64, 75, &all_moves()), 4, Case::cell_query, |case, _, path| {
        paths += 1;
        let mut edited = case.grid.clone();
        let cells: Vec<Cell> = path.cells().collect();
        assert!(path.still_valid(&edited));
        let on = cells[case.random.below(cells.len() as u64) as usize];
        edited.set(on, Tile::Blocked).unwrap();
        assert!(!path.still_valid(&edited), "{on}");
        edited.set(on, Tile::Free).unwrap();
        assert!(path.still_valid(&edited));
        let elsewhere = case.free_cell();
        // Far enough away not to be a cell that a diagonal step needs beside it.
        let near = |c: &Cell| c.x.abs_diff(elsewhere.x) <= 1 && c.y.abs_diff(elsewhere.y) <= 1;
        if !case.moves.rule().is_any_angle() && !cells.iter().any(near) {
            edited.set(elsewhere, Tile::Blocked).unwrap();
            assert!(path.still_valid(&edited), "{elsewhere}");
        }
    });
    at_least("paths", paths, 30_000);
}
