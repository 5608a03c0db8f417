//! Rectangle expansion A*: worked examples, and real maps if there are any.

use crate::support::maps::{self, Course};
use crate::support::{
    all_costs, at_least, cell_index, close, on, prepare, random_cell, rounds_on, serpentine,
};
use blockstar::format::movingai::Expected;
use blockstar::random::Random;
use blockstar::{Cell, Diagonal, Grid, Moves, Planner, Query, Rect, Scratch, Status, Tile};

fn planner(grid: &Grid) -> Box<dyn Planner> {
    prepare("rea-star", grid, Moves::EIGHT)
}

/// The cost and the number of expansions from `start` to `goal`; the path is checked.
fn ask(grid: &Grid, start: (u32, u32), goal: (u32, u32)) -> (f64, u64) {
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::from(start), Cell::from(goal));
    assert!(on(grid, Moves::EIGHT).has_path(&planner(grid), &query, &mut scratch));
    (scratch.path().cost(), scratch.stats().expanded)
}

/// On open ground the first rectangle holds everything.
#[test]
fn open_ground_is_one_rectangle_each_way() {
    let grid = Grid::new(200, 100).unwrap();
    for (start, goal, cost) in [
        ((0, 0), (199, 99), 100.0 + 99.0 * 2f64.sqrt()),
        ((50, 50), (60, 40), 10.0 * 2f64.sqrt()),
        ((50, 50), (55, 97), 42.0 + 5.0 * 2f64.sqrt()),
        ((50, 50), (50, 0), 50.0),
    ] {
        let (got, expanded) = ask(&grid, start, goal);
        assert!(close(got, cost), "{got} {cost}");
        assert!(expanded <= 2, "{expanded}");
    }
    // In the row of the start there is nothing to expand.
    assert_eq!(ask(&grid, (10, 50), (190, 50)), (180.0, 0));
}

#[test]
fn around_one_wall() {
    let grid = Grid::from_ascii(
        ".......
         .......
         .#####.
         .......
         .......",
    )
    .unwrap();
    // No corner may be cut: down beside the wall.
    let (cost, _) = ask(&grid, (3, 1), (3, 3));
    assert!(close(cost, 3.0 + 2.0 + 3.0), "{cost}");
    let (cost, _) = ask(&grid, (3, 0), (3, 4));
    assert!(close(cost, 2.0 * (2.0 + 2f64.sqrt()) + 2.0), "{cost}");
}

#[test]
fn out_of_a_trap() {
    let grid = Grid::from_ascii(
        ".........
         .#######.
         .......#.
         .......#.
         .......#.
         .#######.
         .........",
    )
    .unwrap();
    let best = all_costs(&grid, Moves::EIGHT, Cell::new(6, 3));
    for goal in [(8, 3), (8, 0), (8, 6), (3, 0), (0, 3)] {
        let (cost, _) = ask(&grid, (6, 3), goal);
        assert!(close(cost, best[(goal.1 * 9 + goal.0) as usize]), "{goal:?}");
    }
}

/// A diagonal step out of a rectangle over its corner, legal or not.
#[test]
fn corners_of_rectangles_are_stepped_over_only_where_both_sides_are_free() {
    let grid = Grid::from_ascii("..#\n...\n#..").unwrap();
    assert!(close(ask(&grid, (0, 0), (2, 2)).0, 2.0 * 2f64.sqrt()));
    let grid = Grid::from_ascii("...\n#..\n#..").unwrap();
    assert!(close(ask(&grid, (0, 0), (1, 1)).0, 2.0));
    let grid = Grid::from_ascii(".#.\n...\n.#.").unwrap();
    assert!(close(ask(&grid, (0, 0), (2, 2)).0, 4.0));
}

#[test]
fn corridors_one_cell_wide() {
    let grid = serpentine(40, 41);
    let (cost, expanded) = ask(&grid, (0, 0), (39, 40));
    assert_eq!(cost, 40.0 * 21.0 + 19.0);
    // A few for each turn, not one for each cell.
    assert!(expanded < 100, "{expanded}");
    assert_eq!(ask(&grid, (39, 40), (0, 0)).0, cost);
}

#[test]
fn edits_are_seen_after_an_update() {
    let mut grid = Grid::new(9, 9).unwrap();
    let mut planner = planner(&grid);
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(4, 0), Cell::new(4, 8));
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 8.0);
    for x in 0..9 {
        grid.set((x, 4), Tile::Blocked).unwrap();
    }
    planner.update(&grid).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::NoPath));
    grid.set((0, 4), Tile::Free).unwrap();
    planner.update(&grid).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert!(close(scratch.path().cost(), 2.0 * (1.0 + 3.0 * 2f64.sqrt()) + 2.0 + 0.0));
    grid.set_cost((2, 2), 3.0).unwrap();
    planner.update(&grid).unwrap();
    let refused = planner.find(&grid, &query, &mut scratch).unwrap_err().to_string();
    assert!(refused.contains("terrain costs"), "{refused}");
}

/// Larger maps than those of the general tests, of all kinds of obstacles, to every goal.
#[test]
fn every_goal_of_large_maps_costs_what_the_oracle_says() {
    let mut scratch = Scratch::new();
    let boxes = |number, random: &mut Random| {
        let (width, height) = (40 + random.below(60) as u32, 40 + random.below(60) as u32);
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..[3, 15, 40, 120][number % 4] {
            let cell = random_cell(random, &grid);
            let (long, short) = (1 + random.below(25) as u32, 1 + random.below(3) as u32);
            let (w, h) = if random.chance(1, 2) { (long, short) } else { (short, long) };
            let (w, h) = (w.min(width - cell.x), h.min(height - cell.y));
            grid.set_rect(Rect::new(cell.x, cell.y, w, h), Tile::Blocked).unwrap();
        }
        grid
    };
    for mut round in rounds_on(91, 24, boxes) {
        let start = round.free_cell();
        let grid = round.grid;
        for moves in [Moves::EIGHT, Moves::EIGHT.with_diagonal(Diagonal::OnePointFour)] {
            let planner = prepare("rea-star", &grid, moves);
            let costs = all_costs(&grid, moves, start);
            for y in 0..grid.height() {
                for x in (y % 3..grid.width()).step_by(3) {
                    let query = Query::new(start, Cell::new(x, y));
                    let found = on(&grid, moves).has_path(&planner, &query, &mut scratch);
                    let best = costs[cell_index(&grid, Cell::new(x, y))];
                    assert_eq!(found, best.is_finite());
                    if found {
                        let cost = scratch.path().cost();
                        assert!(close(cost, best), "{moves} {start} {x},{y}: {cost} {best}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_trace_tells_of_every_expansion() {
    let grid = serpentine(12, 9);
    let mut scratch = Scratch::new();
    scratch.record(10_000);
    let query = Query::new(Cell::new(0, 0), Cell::new(11, 8));
    assert_eq!(planner(&grid).find(&grid, &query, &mut scratch), Ok(Status::Found));
    let events: Vec<_> = scratch.trace().unwrap().events().collect();
    let expanded = |e: &&blockstar::Event| matches!(e, blockstar::Event::Expanded { .. });
    assert_eq!(events.iter().filter(expanded).count() as u64, scratch.stats().expanded);
    assert!(events.len() as u64 > scratch.stats().expanded);
}

/// A sample of the benchmark scenarios below the folder that `BLOCKSTAR_MAPS` names.
#[test]
fn benchmark_lengths_are_met() {
    let Some(root) = maps::folder() else { return };
    let mut scratch = Scratch::new();
    let mut queries = 0;
    for set in ["dao", "bg512", "sc1", "rooms", "mazes", "random"] {
        let Some(folder) = maps::below(&root, set) else { continue };
        for Course { path, grid, scenarios } in maps::courses_below(&folder) {
            let name = path.display();
            let planner = planner(&grid);
            for scenario in scenarios.iter().step_by(97) {
                let query = Query::new(scenario.start, scenario.goal);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                queries += 1;
                if scenario.expected() == Expected::NoPath {
                    assert_eq!(status, Status::NoPath, "{name} {scenario:?}");
                    continue;
                }
                scratch.path().check(&grid, Moves::EIGHT).unwrap();
                let cost = scratch.path().cost();
                assert!(scenario.agrees(cost), "{name} {scenario:?}: {cost}");
            }
        }
    }
    at_least("queries", queries, 0);
}
