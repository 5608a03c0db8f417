//! The subgoal graph on maps of the size that it is for.

use crate::support::maps::{self, Course, courses_below};
use crate::support::random_cell;
use blockstar::format::movingai::Expected;
use blockstar::random::Random;
use blockstar::{Budget, Grid, Moves, Planner, Query, Scratch, Status, Subgoal, Tile, generate};

/// A sample of the benchmark queries, or every line of every file if `BLOCKSTAR_EVERY_LINE` is set.
#[test]
fn scenarios_have_the_listed_length() {
    let Some(root) = maps::folder() else { return };
    let every = if std::env::var_os("BLOCKSTAR_EVERY_LINE").is_some() { 1 } else { 97 };
    let mut scratch = Scratch::new();
    let mut answers = 0;
    for Course { path, grid, scenarios } in courses_below(&root) {
        let planner = Subgoal::new(&grid, Moves::EIGHT).unwrap();
        for scenario in scenarios.iter().step_by(every) {
            let query = Query::new(scenario.start, scenario.goal);
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            let context = || format!("{}: {scenario:?}", path.display());
            answers += 1;
            if scenario.expected() == Expected::NoPath {
                assert_eq!(status, Status::NoPath, "{}", context());
                continue;
            }
            assert_eq!(status, Status::Found, "{}", context());
            let found = scratch.path();
            assert!(scenario.agrees(found.cost()), "{}: {}", context(), found.cost());
            assert_eq!(found.check(&grid, Moves::EIGHT), Ok(()), "{}", context());
        }
    }
    eprintln!("{answers} answers");
}

/// How many subgoals a planner expands for some queries.
fn expansions(planner: &Subgoal, grid: &Grid) -> u64 {
    let mut scratch = Scratch::new();
    let queries = generate::queries(grid, 200, 3);
    let expanded = queries.into_iter().map(|(start, goal)| {
        planner.find(grid, &Query::new(start, goal), &mut scratch).unwrap();
        scratch.stats().expanded
    });
    expanded.sum()
}

/// A thousand edits all over a small map wear labels out, but not by much; a refresh in slices makes
/// them as good as new.
#[test]
fn a_refresh_makes_labels_as_good_as_new() {
    for (name, mut grid) in [
        ("caves", generate::caves(256, 256, 7).unwrap()),
        ("rooms", generate::rooms(256, 256, 15, 7).unwrap()),
        ("maze", generate::maze(255, 255, 3, 7).unwrap()),
        ("random", generate::random(256, 256, 20.0, 7).unwrap()),
    ] {
        let mut planner = Subgoal::new(&grid, Moves::EIGHT).unwrap();
        let mut random = Random::new(5);
        for _ in 0..1000 {
            let cell = random_cell(&mut random, &grid);
            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
            grid.set(cell, tile).unwrap();
            planner.update(&grid).unwrap();
        }
        let fresh = Subgoal::new(&grid, Moves::EIGHT).unwrap();
        assert_eq!((planner.subgoals(), planner.edges()), (fresh.subgoals(), fresh.edges()));
        let (worn, new) = (expansions(&planner, &grid), expansions(&fresh, &grid));
        eprintln!("{name}: {worn} expansions after 1,000 edits, {new} of a fresh graph");
        assert!(2 * worn <= 3 * new, "{name}: {worn} and {new}");
        while !planner.refresh(&grid, Budget::expansions(1000)).unwrap() {}
        assert_eq!(expansions(&planner, &grid), new, "{name}");
        assert_eq!(planner.lanes(), 16);
    }
}

/// The rules under which corners may be cut have other subgoals: the planner says what it takes, and
/// who takes the rule.
#[test]
fn rules_that_cut_corners_are_refused_with_advice() {
    let grid = Grid::new(8, 8).unwrap();
    for moves in [Moves::EIGHT_CUT_ONE, Moves::EIGHT_CUT_ANY] {
        let error = Subgoal::new(&grid, moves).unwrap_err().to_string();
        let expected = format!(
            "subgoal does not support the movement rule `{}`; it supports eight: use `jps`",
            moves.rule().name()
        );
        assert_eq!(error, expected);
    }
}
