//! Admissible heuristics keep optimal planners optimal.

use crate::support::{Question, all_cell_moves, at_least, grounds};
use blockstar::{Error, Heuristic, Promise, Query, Scratch, Status};

/// Every planner with every heuristic: its promise if it is admissible, a legal path in any case.
#[test]
fn admissible_heuristics_are_optimal() {
    let mut scratch = Scratch::new();
    let mut answers = 0;
    for mut ground in grounds(11, 125, &all_cell_moves()) {
        let questions = ground.questions();
        let asked =
            questions.iter().flat_map(|question| Heuristic::ALL.iter().map(|h| (*question, *h)));
        let asked: Vec<_> = asked.collect();
        for mut case in ground.cases() {
            if case.row.name == "ida-star" && case.grid.width() * case.grid.height() > 60 {
                continue; // deepening with a poor estimate takes its time
            }
            for &(Question { start, goal, best }, heuristic) in &asked {
                let admissible = case.row.admits(heuristic, case.moves);
                let query = Query::new(start, goal).heuristic(heuristic);
                let status = match case.try_find(&query, &mut scratch) {
                    Err(Error::Unsupported { .. }) => {
                        assert!(!admissible);
                        continue;
                    }
                    answer => answer.unwrap(),
                };
                answers += 1;
                assert_eq!(status == Status::Found, best.is_finite());
                if status == Status::Found {
                    case.check_ends(scratch.path(), query.start(), query.goal());
                    // An inadmissible one may cost the planner its promise, but not a path.
                    let promise = if admissible { case.row.promise } else { Promise::Complete };
                    case.check_cost(promise, &scratch, best);
                }
            }
        }
    }
    at_least("answers", answers, 40_000);
}
