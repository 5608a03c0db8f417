//! Admissible heuristics keep optimal planners optimal.

use crate::support::{Question, all_cell_moves, at_least, close, grounds};
use blockstar::{Error, Heuristic, Promise, Query, Scratch, Status};

/// Every planner with every heuristic: its promise if it is admissible, a legal path in any case.
#[test]
fn admissible_heuristics_are_optimal() {
    let mut scratch = Scratch::new();
    let mut answers = 0;
    for mut ground in grounds(11, 125, &all_cell_moves()) {
        let questions = ground.questions();
        let asked = questions.iter().flat_map(|question| Heuristic::ALL.map(|h| (*question, h)));
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
                if status != Status::Found {
                    continue;
                }
                scratch.path().check(&case.grid, case.moves).unwrap();
                let cost = scratch.path().cost();
                assert!(cost >= best - 1e-7 * best.max(1.0), "cost {cost}, optimum {best}");
                let kept = match case.promise() {
                    _ if !admissible => true,
                    Promise::Optimal => close(cost, best),
                    Promise::Within(factor) => cost <= best * factor + 1e-9,
                    _ => true,
                };
                assert!(kept, "cost {cost}, optimum {best}");
            }
        }
    }
    at_least("answers", answers, 40_000);
}
