//! The visibility graph against brute force: all corners, all pairs.

use crate::support::maps::dragon_age;
use crate::support::plane::{Oracle, RULES};
use crate::support::{assert_same_answers, refusal, rounds, rounds_on, with_one_cell_changed};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Error, Grid, Moves, Planner, Query, Scratch, Status, Tile,
    VisibilityGraph, generate,
};
use std::sync::{Arc, Mutex};

fn small_grid(random: &mut Random) -> Grid {
    let (width, height) = (1 + random.below(8) as u32, 1 + random.below(8) as u32);
    let blocked = [5, 15, 25, 35, 45, 55][random.below(6) as usize];
    Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap()
}

/// Ten thousand small maps, centres, corners, points on edges and any points: the optimum.
#[test]
fn paths_are_as_short_as_brute_force_finds_them() {
    let mut scratch = Scratch::new();
    let mut found = 0;
    for mut round in rounds_on(2017, 10_500, |_, random| small_grid(random)) {
        for moves in RULES {
            let queries = [(); 3].map(|()| round.query(moves));
            let graph = VisibilityGraph::new(&round.grid, moves).unwrap();
            let oracle = Oracle::new(&round.grid, moves);
            for query in queries {
                let best = oracle.cost(query.start(), query.goal());
                let answered = round.on(moves).has_path(&graph, &query, &mut scratch);
                let path = scratch.path();
                let context = || {
                    let map = blockstar::format::ascii::draw(&round.grid);
                    format!("{moves} {query:?}: {path}, best {best} on\n{map}")
                };
                assert_eq!(answered, best.is_finite(), "{}", context());
                if answered {
                    found += 1;
                    assert!((path.cost() - best).abs() <= 1e-9 * best.max(1.0), "{}", context());
                }
            }
        }
    }
    assert!(found > 40_000, "{found}");
}

#[test]
fn any_number_of_threads_builds_the_same_graph_and_tells_its_progress() {
    let maps = [
        generate::random(120, 90, 25.0, 1).unwrap(),
        generate::caves(150, 100, 2).unwrap(),
        Grid::new(30, 30).unwrap(),
    ];
    for grid in &maps {
        for moves in RULES {
            let mut saved = Vec::new();
            for threads in [1, 2, 3, 8] {
                let heard = Arc::new(Mutex::new(Vec::new()));
                let listener = heard.clone();
                let progress = move |done, of| listener.lock().unwrap().push((done, of));
                let graph = VisibilityGraph::builder()
                    .threads(threads)
                    .on_progress(progress)
                    .build(grid, moves)
                    .unwrap();
                let heard = heard.lock().unwrap().clone();
                let corners = graph.corners();
                assert_eq!(heard.first(), Some(&(0, corners)));
                assert_eq!(heard.last(), Some(&(corners, corners)));
                assert!(heard.is_sorted());
                saved.push(graph.save());
            }
            assert!(saved.iter().all(|bytes| *bytes == saved[0]));
        }
    }
}

#[test]
fn a_saved_graph_answers_like_the_one_it_was() {
    for mut round in rounds(81, 60) {
        for moves in RULES {
            let built = VisibilityGraph::new(&round.grid, moves).unwrap();
            let bytes = built.save().unwrap();
            // Another grid object with the same content will do.
            let mut opened =
                VisibilityGraph::builder().open(&bytes, &round.grid.clone(), moves).unwrap();
            opened.update(&round.grid).unwrap();
            let mut opened = VisibilityGraph::builder().open(&bytes, &round.grid, moves).unwrap();
            assert_eq!(opened.save().as_ref(), Some(&bytes));
            assert_eq!((opened.corners(), opened.edges()), (built.corners(), built.edges()));
            let queries: Vec<_> = (0..20).map(|_| round.query(moves)).collect();
            assert_same_answers(&built, &opened, &round.grid, &queries);
            // After an edit the opened one is repaired like any other.
            round.edit(&mut [&mut opened]);
            let fresh = VisibilityGraph::new(&round.grid, moves).unwrap();
            assert_eq!(opened.save(), fresh.save());
        }
    }
}

#[test]
fn foreign_old_damaged_and_wrong_files_are_refused_with_a_sentence() {
    let grid = generate::random(20, 20, 25.0, 3).unwrap();
    let bytes = VisibilityGraph::new(&grid, Moves::ANY_ANGLE).unwrap().save().unwrap();
    let refused =
        |grid: &Grid, moves| refusal(VisibilityGraph::builder().open(&bytes, grid, moves));
    assert_eq!(
        refused(&grid, Moves::ANY_ANGLE_SQUEEZE),
        "this visibility graph cannot be used: it was made for the rule `any-angle`, not for the \
         rule `any-angle-squeeze`"
    );
    let eight = VisibilityGraph::builder().open(&bytes, &grid, Moves::EIGHT);
    assert!(matches!(eight, Err(Error::Unsupported { .. })));
    assert!(refused(&with_one_cell_changed(&grid), Moves::ANY_ANGLE).contains("another map"));
}

#[test]
fn what_it_cannot_do_is_refused() {
    let mut grid = Grid::new(6, 6).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(5, 3));
    let mut scratch = Scratch::new();
    let mut graph = VisibilityGraph::new(&grid, Moves::ANY_ANGLE).unwrap();
    for &heuristic in blockstar::Heuristic::ALL {
        use blockstar::Heuristic::{Manhattan, Octile};
        let answer = graph.find(&grid, &query.clone().heuristic(heuristic), &mut scratch);
        assert_eq!(answer.is_err(), matches!(heuristic, Octile | Manhattan), "{heuristic}");
    }
    grid.set_cost((2, 2), 3.0).unwrap();
    graph.update(&grid).unwrap();
    let refused = graph.find(&grid, &query, &mut scratch);
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
    let graph = Algorithm::named("visibility-graph").unwrap().prepare(&grid, Moves::ANY_ANGLE);
    assert!(matches!(graph.err(), Some(Error::Unsupported { .. })));
}

/// On a map that changes cell by cell and patch by patch, answers stay as long as those of `anya`,
/// with worn labels, with masked lanes and with fresh ones.
#[test]
fn after_edits_answers_are_as_long_as_those_of_anya() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(77);
    let (mut compared, mut masked, mut refreshed) = (0, 0, 0);
    for round in 0..24 {
        let map = match round % 4 {
            0 => generate::caves(120, 90, round),
            1 => generate::rooms(110, 100, 9, round),
            2 => generate::random(70, 60, 15.0, round),
            _ => generate::random(60, 70, 38.0, round),
        };
        for moves in RULES {
            let mut grid = map.clone().unwrap();
            let mut graph = VisibilityGraph::new(&grid, moves).unwrap();
            let mut anya = Algorithm::named("anya").unwrap().prepare(&grid, moves).unwrap();
            for _ in 0..40 {
                let (width, height) = if random.chance(1, 8) {
                    (random.below(6) + 1, random.below(6) + 1)
                } else {
                    (1, 1)
                };
                let x = random.below(u64::from(grid.width()) - width + 1) as u32;
                let y = random.below(u64::from(grid.height()) - height + 1) as u32;
                let free = !grid.is_free(Cell::new(x, y));
                let tile = if free { Tile::Free } else { Tile::Blocked };
                for y in y..y + height as u32 {
                    for x in x..x + width as u32 {
                        grid.set((x, y), tile).unwrap();
                    }
                }
                graph.update(&grid).unwrap();
                anya.update(&grid).unwrap();
                masked += u64::from(graph.lanes() < 16);
                if random.chance(1, 5) {
                    refreshed += u64::from(graph.refresh(&grid, Budget::expansions(1)).unwrap());
                }
                for (start, goal) in generate::queries(&grid, 4, random.next_u64()) {
                    let query = Query::new(start, goal);
                    let mut cost = |planner: &dyn Planner| {
                        let status = planner.find(&grid, &query, &mut scratch).unwrap();
                        if status.has_path() {
                            scratch.path().check(&grid, moves).unwrap();
                        }
                        (status, scratch.path().cost())
                    };
                    let (got, expected) = (cost(&graph), cost(&*anya));
                    assert_eq!(got.0, expected.0, "{query:?}");
                    let error = (got.1 - expected.1).abs();
                    assert!(error <= 1e-9 * expected.1.max(1.0), "{query:?}: {got:?} {expected:?}");
                    compared += 1;
                }
            }
            while !graph.refresh(&grid, Budget::UNLIMITED).unwrap() {}
            assert_eq!(graph.lanes(), 16);
            let fresh = VisibilityGraph::new(&grid, moves).unwrap();
            assert_eq!(graph.save(), fresh.save());
            let ends = generate::queries(&grid, 10, round);
            let queries: Vec<_> = ends.iter().map(|&(a, b)| Query::new(a, b)).collect();
            assert_same_answers(&graph, &fresh, &grid, &queries);
            refreshed += 1;
        }
    }
    assert!(compared > 7_000 && masked > 50 && refreshed > 40, "{compared} {masked} {refreshed}");
}

/// The published optimum (ANYA) on Dragon Age's arena2 between the corners of the scenario's cells,
/// and what string pulling makes of the lattice paths there.
#[test]
fn lengths_on_arena2_are_the_published_ones() {
    let Some((grid, scenarios)) = dragon_age("arena2") else { return };
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let graph = VisibilityGraph::new(&grid, moves).unwrap();
    let astar = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
    let mut scratch = Scratch::new();
    let mut sums = [0.0; 3];
    for scenario in &scenarios {
        let query = Query::between_corners(scenario.start, scenario.goal);
        assert_eq!(graph.find(&grid, &query, &mut scratch), Ok(Status::Found));
        scratch.path().check(&grid, moves).unwrap();
        sums[0] += scratch.path().cost();
        assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
        sums[1] += scratch.path().cost();
        let taut = scratch.path().pulled_taut(&grid);
        taut.check(&grid, moves).unwrap();
        sums[2] += taut.cost();
    }
    let means = sums.map(|sum| (sum / scenarios.len() as f64 * 1000.0).round());
    assert_eq!(scenarios.len(), 929);
    assert_eq!(means, [176_215.0, 183_778.0, 176_686.0]);
}
