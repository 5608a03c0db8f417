//! What a planner saves is what it opens.

use crate::support::{Edit, all_moves, at_least, cases, cases_on, expect_more};
use blockstar::{Cell, Database, Error, Grid, Moves, Scratch, Tile, generate};

/// An opened planner gives the same answers to the last bit, saves the same bytes, and still does
/// so after edits. A planner that saves nothing opens nothing.
#[test]
fn an_opened_planner_equals_the_saved_one() {
    let mut scratch = Scratch::new();
    let (mut opened, mut nothing) = (0, 0);
    for mut case in cases(38, 60, &all_moves()) {
        let Some(saved) = case.planner.save() else {
            let refused = case.spec.open(&[1, 2, 3], &case.grid, case.moves).err();
            assert!(matches!(refused, Some(Error::Unsupported { .. })), "{refused:?}");
            nothing += 1;
            continue;
        };
        let mut again = case.spec.open(&saved, &case.grid, case.moves).unwrap();
        assert_eq!(again.save().as_ref(), Some(&saved), "other bytes");
        for edits in 0..3 {
            for _ in 0..edits {
                case.edit();
            }
            case.update();
            again.update(&case.grid).unwrap();
            for _ in 0..2 {
                let query = case.cell_query();
                let expected = case.answer(&query, &mut scratch);
                std::mem::swap(&mut case.planner, &mut again);
                let got = case.answer(&query, &mut scratch);
                std::mem::swap(&mut case.planner, &mut again);
                assert_eq!(got, expected, "after {edits} edits");
                opened += 1;
            }
        }
    }
    expect_more!(opened > 5_000, nothing > 1_000);
}

/// Whatever is not the file of this planner for this map and rule is refused: foreign bytes, files
/// cut off anywhere, damaged ones, those of other planners, rules and maps.
#[test]
fn foreign_damaged_and_wrong_files_are_refused() {
    let grid = generate::random(20, 20, 25.0, 3).unwrap();
    let mut edited = grid.clone();
    Edit::Cell(Cell::new(7, 7), Tile::Blocked).apply(&mut edited);
    assert_ne!(grid.content_hash(), edited.content_hash());
    let mut files = 0;
    for rule in [Moves::EIGHT, Moves::ANY_ANGLE] {
        let saved: Vec<_> = cases_on(&grid, &[rule])
            .filter_map(|case| Some((case.planner.save()?, case.row.name)))
            .collect();
        for mut case in cases_on(&grid, &[rule]) {
            let Some(bytes) = case.planner.save() else { continue };
            files += 1;
            let open = |bytes: &[u8], grid: &Grid, moves| case.spec.open(bytes, grid, moves);
            let message = |bytes: &[u8], grid: &Grid, moves| {
                let refused = open(bytes, grid, moves).err();
                assert!(matches!(refused, Some(Error::Database { .. })), "{refused:?}");
                refused.unwrap().to_string()
            };
            assert!(message(b"#!/bin/sh", &grid, rule).contains("not a file of this library"));
            for length in (0..bytes.len()).step_by(bytes.len() / 20_000 + 1) {
                message(&bytes[..length], &grid, rule);
            }
            let damages = 20_000.min(200_000_000 / bytes.len());
            for _ in 0..damages {
                let damaged = case.random.damage(&bytes);
                if damaged != bytes {
                    message(&damaged, &grid, rule);
                }
            }
            for (other, _) in saved.iter().filter(|(_, name)| *name != case.row.name) {
                message(other, &grid, rule);
            }
            for moves in all_moves().into_iter().filter(|moves| moves.rule() != rule.rule()) {
                if case.row.supports(moves.rule()) {
                    let told = message(&bytes, &grid, moves);
                    assert!(told.contains("made for the rule"), "{told}");
                } else {
                    let refused = open(&bytes, &grid, moves).err();
                    assert!(matches!(refused, Some(Error::Unsupported { .. })), "{refused:?}");
                }
            }
            // Tables of blocks fit every map.
            if Database::inspect(&bytes).unwrap().map().is_some() {
                assert!(message(&bytes, &edited, rule).contains("another map"));
            } else {
                assert!(open(&bytes, &edited, rule).is_ok());
            }
        }
    }
    at_least("files", files, 10);
}
