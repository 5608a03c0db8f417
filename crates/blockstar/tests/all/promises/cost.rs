//! The promised cost, a legal path, and the right answer about whether there is one.

use crate::support::{
    CornerOracle, Question, Stage, all_cell_moves, at_least, best_cost, cases_on, expect_more,
    grounds, random_point,
};
use blockstar::{Algorithm, Grid, Moves, Query, Scratch, Status};

/// Every planner, cell rule and kind of terrain, after edits too, with one scratch memory for
/// everything.
#[test]
fn every_planner_keeps_its_promise_on_random_maps_under_edits() {
    let mut scratch = Scratch::new();
    let (mut answers, mut refusals) = (0, 0);
    for mut ground in grounds(2026, 225, &all_cell_moves()) {
        let script = ground.script(3, 4);
        for mut case in ground.cases() {
            for Stage { edits, questions } in &script {
                case.apply(edits);
                if case.is_out_of_its_depth() {
                    let Question { start, goal, .. } = questions[0];
                    case.expect_refusal(&Query::new(start, goal), &mut scratch);
                    refusals += 1;
                    continue;
                }
                case.update();
                for &Question { start, goal, best } in questions {
                    case.keeps_promise(&Query::new(start, goal), best, &mut scratch);
                    answers += 1;
                }
            }
        }
    }
    expect_more!(answers > 45_000, refusals > 100);
}

/// The same for the any-angle rules: between centres, corners, points on edges and any points.
#[test]
fn every_planner_keeps_its_promise_under_the_any_angle_rules() {
    let (mut scratch, mut answers) = (Scratch::new(), 0);
    for mut ground in grounds(1968, 1230, &[Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE]) {
        if ground.grid.width() * ground.grid.height() > 600 {
            continue;
        }
        let moves = ground.moves;
        // Edits, and three questions after each: start, goal, optimum; the first between centres.
        let mut grid = ground.grid.clone();
        let stages: Vec<_> = (0..2)
            .map(|stage| {
                let count = if stage == 0 { 0 } else { 1 + ground.random.below(4) };
                let edits: Vec<_> = (0..count).map(|_| ground.random_edit(&mut grid)).collect();
                let oracle = CornerOracle::new(&grid, moves);
                let questions = [false, true, true].map(|free| {
                    let start = random_point(&mut ground.random, &grid, moves, free);
                    let goal = random_point(&mut ground.random, &grid, moves, free);
                    let [from, to] = [start, goal].map(|point| grid.cell_of(point).unwrap());
                    let best = oracle.cost(start, from, goal, to);
                    // A path exists exactly if cells are connected by edges or, squeezing, corners.
                    let stepping =
                        if moves.rule().squeezes() { Moves::EIGHT_CUT_ANY } else { Moves::FOUR };
                    let connected = best_cost(&grid, stepping, from, to).is_finite();
                    assert_eq!(best.is_finite(), connected, "{start} -> {goal}");
                    (start, goal, best, free)
                });
                (edits, questions)
            })
            .collect();
        for mut case in ground.cases() {
            for (edits, questions) in &stages {
                case.apply(edits);
                if case.is_out_of_its_depth() {
                    let (start, goal, ..) = questions[0];
                    case.expect_refusal(&Query::new(start, goal), &mut scratch);
                    continue;
                }
                case.update();
                for &(start, goal, best, free) in questions {
                    if !free || case.row.free_points {
                        case.keeps_promise(&Query::new(start, goal), best, &mut scratch);
                        answers += 1;
                    }
                }
            }
        }
    }
    at_least("answers", answers, 40_000);
}

/// Two free points in one cell, or on its edge, see each other: no detour over its corners.
#[test]
fn free_points_in_one_cell_are_joined_by_a_straight_segment() {
    let grid = Grid::from_ascii("..#\n.9.\n...").unwrap();
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &[Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE]) {
        if !case.row.free_points {
            continue;
        }
        let mut cost = |start: (f64, f64), goal: (f64, f64)| {
            assert_eq!(case.find(&Query::new(start, goal), &mut scratch), Status::Found);
            scratch.path().check(&case.grid, case.moves).unwrap();
            (scratch.path().points().len(), scratch.path().cost())
        };
        assert_eq!(cost((0.25, 0.25), (0.75, 0.25)), (2, 0.5));
        assert_eq!(cost((0.25, 1.0), (0.75, 1.0)), (2, 0.5));
        assert_eq!(cost((1.5, 1.25), (1.5, 1.5)), (2, 0.25 * 9.0));
        assert_eq!(cost((1.5, 1.5), (1.5, 1.5)), (1, 0.0));
    }
}

#[test]
fn moves_have_the_right_registry_rows() {
    assert!(Algorithm::all().iter().all(|a| !a.rules.is_empty()));
    assert!(Algorithm::named("jps").unwrap().algorithm().supports(Moves::EIGHT.rule()));
}
