//! An updated planner answers like one prepared for the edited map, whatever the edit.

use super::interruption::is_stale;
use crate::support::{
    Case, Record, all_hills, all_moves, at_least, cases, cases_on, close, expect_more,
    for_each_planner, grounds, is_small_enough, random_cell_moves, random_edit, random_query,
    record,
};
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Error, Grid, Planner, Promise, Query, Scratch, Status, generate};

/// How the answers of an updated planner may differ from those of a fresh one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Differs {
    /// Not at all: points, cost and statistics are the same.
    Never,
    /// It may be another path, with the same status; that of an optimal planner has the same cost.
    Path,
}

/// Planners that are not listed never differ.
const EXCEPTIONS: &[(&str, Differs, &str)] = &[
    ("cpd", Differs::Path, "keeps its database and works around the edits"),
    ("hcdps", Differs::Path, "repairs the regions at the edit and keeps the rest"),
    ("visibility-graph", Differs::Path, "keeps labels that fit, which may break ties otherwise"),
    ("subgoal", Differs::Path, "its labels are worn by edits: other estimates, other ties"),
    ("dba-star", Differs::Path, "drops its matrix and walks as it does with `matrix=off`"),
];

fn differs(case: &Case) -> Differs {
    let known = EXCEPTIONS.iter().find(|(name, ..)| *name == case.row.name);
    known.map_or(Differs::Never, |(_, how, _)| *how)
}

/// Compares the answers of an updated and a fresh planner.
fn compare(case: &Case, got: &Record, expected: &Record) {
    if differs(case) == Differs::Never {
        assert_eq!(got, expected);
        return;
    }
    assert_eq!(got.status, expected.status);
    let costs = [got, expected].map(|record| f64::from_bits(record.cost_bits));
    let same = case.promise() == Promise::Optimal;
    assert!(!same || close(costs[0], costs[1]), "{costs:?}");
}

/// Asks the planner of a case and a fresh one the same.
fn compare_with_fresh(case: &mut Case, fresh: &dyn Planner, query: &Query, scratch: &mut Scratch) {
    let got = case.answer(query, scratch);
    let status = fresh.find(&case.grid, query, scratch).unwrap();
    compare(case, &got, &record(status, scratch));
}

#[test]
fn every_exception_is_a_planner() {
    for (name, ..) in EXCEPTIONS {
        assert!(Algorithm::named(name).is_ok(), "{name}");
    }
}

#[test]
fn an_updated_planner_equals_a_fresh_one() {
    let mut scratch = Scratch::new();
    let mut compared = 0;
    let rules = all_moves();
    for mut ground in grounds(32, 60, &rules).chain(all_hills(32, 60)) {
        let floods = ground.numbers.is_some() && ground.moves.rule().is_any_angle();
        let mut grid = ground.grid.clone();
        let script: Vec<Vec<_>> = (0..4)
            .map(|_| {
                let count = 1 + ground.random.below(6);
                (0..count).map(|_| ground.random_edit(&mut grid)).collect()
            })
            .collect();
        for mut case in ground.cases() {
            for edits in &script {
                case.apply(edits);
                if case.is_out_of_its_depth() {
                    let query = case.cell_query();
                    case.expect_refusal(&query, &mut scratch);
                    break;
                }
                case.update();
                let fresh = case.prepare_again();
                for _ in 0..3 {
                    let query = case.cell_query();
                    let query = if floods { query } else { query.nearest() };
                    compare_with_fresh(&mut case, &*fresh, &query, &mut scratch);
                    compared += 1;
                }
            }
        }
    }
    at_least("answers", compared, 30_000);
}

/// `update` takes any grid: of another size, with terrain or heights or without. It then answers
/// like a planner prepared for that grid, or with an error; never a panic, never anything else. An
/// update back to the first map makes it as good as new.
#[test]
fn a_planner_updated_to_any_other_map_answers_for_that_map_or_gives_an_error() {
    let (mut answered, mut refused) = (0, 0);
    let rules = all_moves();
    let mut others: Vec<Grid> = grounds(36, 40, &rules[..1]).map(|g| g.grid).collect();
    others.extend(all_hills(36, 8).map(|ground| ground.grid));
    others.push(Grid::new(1, 1).unwrap());
    others.push(Grid::from_fn(3, 3, |_| false).unwrap());
    // Costs of such heights do not fit.
    let mut abyss = Grid::new(14, 13).unwrap();
    abyss.set_heights(&[3e38, -3e38].repeat(14 * 13 / 2)).unwrap();
    others.push(abyss);
    let grounds = grounds(35, 60, &rules).chain(all_hills(35, 30));
    for_each_planner(grounds.flat_map(|ground| ground.into_cases()), |case, scratch| {
        let home = case.grid.clone();
        for _ in 0..2 {
            let other = &others[case.random.below(others.len() as u64) as usize];
            if !is_small_enough(case.row, other) {
                continue;
            }
            case.grid = other.clone();
            let query = case.cell_query();
            case.note(&query);
            let updated = case.planner.update(&case.grid).map(|_| ());
            let answer = updated.and_then(|()| case.try_find(&query, scratch));
            let got = answer.map(|status| record(status, scratch));
            let fresh = case.spec.prepare(&case.grid, case.moves).and_then(|planner| {
                let status = planner.find(&case.grid, &query, scratch)?;
                Ok(record(status, scratch))
            });
            match (got, fresh) {
                (Ok(got), Ok(expected)) => compare(case, &got, &expected),
                (Ok(got), Err(error)) => panic!("{got:?}, a fresh planner: {error}"),
                (Err(_), _) => refused += 1,
            }
            answered += 1;
        }
        case.grid = home;
        let query = case.cell_query();
        case.update();
        let fresh = case.prepare_again();
        compare_with_fresh(case, &*fresh, &query, scratch);
    });
    expect_more!(answered > 10_000, refused > 100);
}

/// A planner that has not seen an edit says so, until it is updated.
#[test]
fn a_planner_that_missed_an_edit_says_so() {
    let mut missed = 0;
    for_each_planner(cases(37, 60, &all_moves()), |case, scratch| {
        let before = case.grid.version();
        case.edit();
        let query = case.cell_query();
        let answer = case.try_find(&query, scratch);
        if case.grid.version() == before {
            assert!(answer.is_ok(), "{answer:?}");
            return;
        }
        missed += 1;
        assert!(is_stale(&answer, "the planner"), "{answer:?}");
        case.update();
        case.find(&query, scratch);
    });
    at_least("missed edits", missed, 5_000);
}

/// Another map of the same size is not an edit of this one, and the planner notices.
#[test]
fn a_map_of_its_own_is_not_taken_for_the_planners() {
    let grid = Grid::new(12, 9).unwrap();
    let other = Grid::from_fn(12, 9, |cell| cell.x != 5).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(11, 8));
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &all_moves()) {
        let stale = case.planner.find(&other, &query, &mut scratch);
        assert!(matches!(stale, Err(Error::Stale { .. })), "{stale:?}");
        case.grid = other.clone();
        case.update();
        assert_eq!(case.find(&query, &mut scratch), Status::NoPath);
    }
}

/// `cpd` may answer with another path after edits than a planner made for the edited map does, but
/// never with a more expensive or a cheaper one. `dba-star` without the matrix that edits have
/// dropped walks exactly like one that was prepared without: mostly, but not always, the same way
/// at the same cost.
#[test]
fn a_repaired_planner_costs_what_a_fresh_one_does() {
    let mut random = Random::new(39);
    let mut scratch = Scratch::new();
    let (mut compared, mut others) = ([0; 2], [0; 2]);
    for round in 0..120 {
        let map = match round % 3 {
            0 => generate::caves(34, 27, round),
            1 => generate::rooms(33, 25, 5, round),
            _ => generate::random(30, 22, 28.0, round),
        };
        let names = ["cpd", "dba-star", "dba-star:sector=6", "dba-star:sector=5:depth=1"];
        let name = names[round as usize / 3 % 4];
        let spec = Algorithm::named(name).unwrap();
        let is_dba = spec.name() == "dba-star";
        let without_matrix = format!("{name}{}", if is_dba { ":matrix=off" } else { "" });
        let without_matrix = Algorithm::named(&without_matrix).unwrap();
        let moves = random_cell_moves(&mut random);
        let mut grid = map.unwrap();
        let mut repaired = spec.prepare(&grid, moves).unwrap();
        for _ in 0..5 {
            for _ in 0..1 + random.below(4) {
                random_edit(&mut random, &mut grid, false);
            }
            repaired.update(&grid).unwrap();
            let fresh = spec.prepare(&grid, moves).unwrap();
            let without = without_matrix.prepare(&grid, moves).unwrap();
            for _ in 0..8 {
                let query = random_query(&mut random, &grid);
                let [got, expected, without] = [&repaired, &fresh, &without].map(|planner| {
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    record(status, &scratch)
                });
                assert_eq!(got.status, expected.status);
                let costs = [&got, &expected].map(|record| f64::from_bits(record.cost_bits));
                if is_dba {
                    assert!([expected.points.clone(), without.points].contains(&got.points));
                } else {
                    assert!(close(costs[0], costs[1]), "{costs:?}");
                }
                let which = usize::from(is_dba);
                compared[which] += 1;
                others[which] += u64::from(got.points != expected.points);
            }
        }
    }
    for which in 0..2 {
        at_least("answers", compared[which], 1_000);
        at_least("other paths", others[which], 50);
    }
}
