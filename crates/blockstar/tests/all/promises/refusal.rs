//! Bad input gets an error that says so.

use crate::support::{all_cell_moves, all_moves, can_work, cases_on};
use blockstar::{Algorithm, Cell, Error, Grid, Moves, Point, Query, Scratch, Slope, Status, Tile};

#[test]
fn numbers_out_of_range_are_refused() {
    let grid = Grid::new(4, 4).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(3, 3));
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_moves()) {
        for weight in [f64::NAN, 0.0, 0.999, -1.0, 1000.001, f64::INFINITY] {
            let answer = case.try_find(&query.clone().weight(weight), &mut scratch);
            // Planners without a weight may say so instead.
            let refused = matches!(
                answer,
                Err(Error::Range { what: "the weight", .. } | Error::Unsupported { .. })
            );
            assert!(refused, "weight {weight}: {answer:?}");
        }
        for limit in [f64::NAN, -1.0, -1e-300, f64::NEG_INFINITY] {
            let answer = case.try_find(&query.clone().max_cost(limit), &mut scratch);
            let refused = matches!(answer, Err(Error::Range { what: "the cost limit", .. }));
            assert!(refused, "limit {limit}: {answer:?}");
        }
        // A weight of 1 is no weight.
        assert_eq!(case.find(&query.clone().weight(1.0), &mut scratch), Status::Found);
        if case.row.weight {
            for weight in [f64::NAN, 0.999, 1000.001] {
                let answer = case.try_find(&query.clone().weight(weight), &mut scratch);
                let text = answer.unwrap_err().to_string();
                assert!(text.contains("must be a number from 1 to 1000"), "{text}");
            }
            assert_eq!(case.find(&query.clone().weight(1000.0), &mut scratch), Status::Found);
        }
    }
}

#[test]
fn ends_outside_the_map_are_refused_and_blocked_ends_have_no_path() {
    let mut grid = Grid::new(5, 4).unwrap();
    grid.set((2, 1), Tile::Blocked).unwrap();
    let (free, blocked) = (Cell::new(0, 0), Cell::new(2, 1));
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_moves()) {
        let mut find = |start, goal| case.try_find(&Query::new(start, goal), &mut scratch);
        for outside in [Cell::new(5, 0), Cell::new(0, 4), Cell::new(1000, 1000)] {
            let is_outside = |answer: &Result<Status, Error>, end: &str| match answer {
                Err(Error::Outside { what, .. } | Error::OutsidePoint { what, .. }) => *what == end,
                _ => false,
            };
            assert!(is_outside(&find(outside, free), "start"));
            assert!(is_outside(&find(free, outside), "goal"));
        }
        assert_eq!(find(blocked, free), Ok(Status::NoPath));
        assert_eq!(find(free, blocked), Ok(Status::NoPath));
        assert_eq!(find(blocked, blocked), Ok(Status::NoPath));
        assert_eq!(find(free, free), Ok(Status::Found));
        assert_eq!(scratch.path().points(), [free.centre()]);
        assert_eq!(scratch.path().cost(), 0.0);
        scratch.path().check(&case.grid, case.moves).unwrap();
        // A blocked start has no reachable cells, so there is no nearest one either.
        let query = Query::new(blocked, free).nearest();
        assert_eq!(case.find(&query, &mut scratch), Status::NoPath);
    }
}

#[test]
fn free_points_under_the_cell_rules_are_refused() {
    let grid = Grid::new(5, 4).unwrap();
    let cell = Cell::new(0, 0);
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_cell_moves()) {
        for point in [Point::new(1.0, 1.0), Point::new(1.5, 1.25), Point::new(-0.5, 0.5)] {
            for query in [Query::new(point, cell), Query::new(cell, point)] {
                let answer = case.try_find(&query, &mut scratch);
                assert!(matches!(answer, Err(Error::Unsupported { .. })), "{answer:?}");
            }
        }
    }
}

/// What a row does not list, it refuses to be prepared for.
#[test]
fn rules_and_terrain_that_a_row_does_not_list_are_refused() {
    let plain = Grid::new(8, 8).unwrap();
    let mut weighted = plain.clone();
    weighted.set_cost((3, 3), 4.0).unwrap();
    for row in Algorithm::all() {
        for moves in all_moves() {
            for grid in [&plain, &weighted] {
                let answer = row.choose().prepare(grid, moves);
                if can_work(row, moves, grid.has_costs()) {
                    assert!(answer.is_ok(), "{} {moves}: {:?}", row.name, answer.err());
                } else {
                    let refused = matches!(answer, Err(Error::Unsupported { .. }));
                    assert!(refused, "{} {moves}", row.name);
                }
            }
        }
    }
}

#[test]
fn slopes_that_a_row_does_not_take_are_refused() {
    let grid = Grid::new(8, 8).unwrap();
    for row in Algorithm::all() {
        for rule in row.rules {
            let moves = Moves::new(*rule).with_slope(Slope::new(10.0));
            let refused = row.choose().prepare(&grid, moves).err().map(|error| error.to_string());
            if can_work(row, moves, false) {
                assert_eq!(refused, None, "{}", row.name);
            } else {
                assert!(refused.unwrap().contains("does not support slopes"), "{}", row.name);
            }
        }
    }
}
