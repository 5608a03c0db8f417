//! Every planner in the registry keeps its promise, on thousands of random maps, against an oracle.

mod support;

use blockstar::random::Random;
use blockstar::{Algorithm, Moves, Promise, Scratch, Status};
use support::{all_cell_moves, all_costs, random_edit, random_free_cell, random_grid};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * b.max(1.0)
}

/// Every planner, cell rule and kind of terrain: legal paths, the promised cost, the right answer
/// about existence; after edits and `update` too, with one scratch memory for everything.
#[test]
fn every_planner_keeps_its_promise_on_random_maps_under_edits() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(2026);
    let mut answers = 0;
    for round in 0..1500 {
        let weighted = round % 3 == 2;
        let mut grid = random_grid(&mut random, weighted);
        for moves in all_cell_moves() {
            let choices = Algorithm::all().iter().filter(|a| a.supports(moves.rule()));
            let mut planners: Vec<_> = choices
                .filter(|a| a.terrain || !grid.has_costs())
                .map(|a| (a, a.choose().prepare(&grid, moves).unwrap()))
                .collect();
            for edit in 0..3 {
                if edit > 0 {
                    for _ in 0..1 + random.below(4) {
                        random_edit(&mut random, &mut grid, weighted);
                    }
                }
                let start = random_free_cell(&mut random, &grid);
                let goal = random_free_cell(&mut random, &grid);
                let oracle = all_costs(&grid, moves, start);
                let best = oracle[(goal.y * grid.width() + goal.x) as usize];
                for (algorithm, planner) in &mut planners {
                    if grid.has_costs() && !algorithm.terrain {
                        continue;
                    }
                    let context = || {
                        let map = blockstar::format::ascii::draw(&grid);
                        format!("{} {moves} {start} -> {goal} on\n{map}", algorithm.name)
                    };
                    planner.update(&grid).unwrap();
                    let query = blockstar::Query::new(start, goal);
                    let status = planner.find(&grid, &query, &mut scratch).unwrap();
                    answers += 1;
                    if best.is_infinite() {
                        assert_eq!(status, Status::NoPath, "{}", context());
                        continue;
                    }
                    assert_eq!(status, Status::Found, "{}", context());
                    let path = scratch.path();
                    if let Err(fault) = path.check(&grid, moves) {
                        panic!("{fault}: {path}\n{}", context());
                    }
                    assert_eq!(path.points().first(), Some(&start.centre()), "{}", context());
                    assert_eq!(path.points().last(), Some(&goal.centre()), "{}", context());
                    let cost = path.cost();
                    let kept = match algorithm.promise {
                        Promise::Optimal => close(cost, best),
                        Promise::Within(factor) => cost <= best * factor + 1e-9,
                        _ => true,
                    };
                    assert!(kept, "cost {cost}, optimum {best}: {}", context());
                }
            }
        }
    }
    assert!(answers > 100_000, "only {answers} answers");
}

#[test]
fn moves_have_the_right_registry_rows() {
    assert!(Algorithm::all().iter().all(|a| !a.rules.is_empty()));
    assert!(Algorithm::named("jps").unwrap().algorithm().supports(Moves::EIGHT.rule()));
}
