//! What a planner saves is what it opens.

use crate::support::{all_moves, at_least, cases};
use blockstar::{Error, Moves, Scratch};

/// An opened planner gives the same answers to the last bit, saves the same bytes, and goes on doing so
/// after edits. A planner that saves nothing opens nothing.
#[test]
fn an_opened_planner_equals_the_saved_one() {
    let mut scratch = Scratch::new();
    let (mut opened, mut nothing) = (0, 0);
    for mut case in cases(38, 60, &all_moves()) {
        let Some(saved) = case.planner.save() else {
            let refused = case.choice.open(&[1, 2, 3], &case.grid, case.moves).err();
            assert!(matches!(refused, Some(Error::Unsupported { .. })), "{refused:?}");
            nothing += 1;
            continue;
        };
        let mut again = case.choice.open(&saved, &case.grid, case.moves).unwrap();
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
    at_least("answers of opened planners", opened, 5_000);
    at_least("planners without a file", nothing, 1_000);
}

/// A file belongs to its map and its rule, and a damaged one is noticed.
#[test]
fn a_file_of_another_map_or_rule_is_refused() {
    let mut refused = 0;
    for mut case in cases(39, 20, &all_moves()) {
        let Some(saved) = case.planner.save() else { continue };
        let cut = &saved[..case.random.below(saved.len() as u64) as usize];
        let error = case.choice.open(cut, &case.grid, case.moves).err();
        assert!(matches!(error, Some(Error::Database { .. })), "cut off: {error:?}");
        let mut damaged = saved.clone();
        let at = case.random.below(saved.len() as u64) as usize;
        damaged[at] ^= 1 << case.random.below(8);
        let error = case.choice.open(&damaged, &case.grid, case.moves).err();
        assert!(matches!(error, Some(Error::Database { .. })), "byte {at} damaged: {error:?}");
        let rule = case.row.rules.iter().find(|rule| **rule != case.moves.rule());
        if let Some(rule) = rule {
            let error = case.choice.open(&saved, &case.grid, Moves::new(*rule)).err();
            assert!(matches!(error, Some(Error::Database { .. })), "{rule:?}: {error:?}");
        }
        refused += 1;
    }
    at_least("files", refused, 500);
}
