//! Island search: it passes islands, expands less for it, and keeps to its bound.

use crate::support::{
    all_cell_moves, at_least, close, on, prepare, random_cell, rounds_on_terrain,
};
use blockstar::{
    Algorithm, Cell, Grid, IslandSearch, Moves, Planner, Query, Scratch, Status, generate,
};

/// Two rooms with one door, far from the straight line.
fn two_rooms() -> (Grid, Query, Cell) {
    let grid = Grid::from_fn(121, 81, |cell| cell.x != 60 || cell.y == 4).unwrap();
    (grid, Query::new((30, 70), (90, 70)), Cell::new(60, 4))
}

/// With random islands, many or few, on several levels, and with doors: the promised bound, and a
/// reported one that is true.
#[test]
fn no_path_costs_more_than_the_bound_and_the_report_is_true() {
    let (mut scratch, mut found, mut longer) = (Scratch::new(), 0, 0);
    for mut round in rounds_on_terrain(1986, 1200, 3) {
        let moves = round.pick(&all_cell_moves());
        let levels: Vec<String> = (0..1 + round.random.below(3))
            .map(|_| {
                let count = 1 + round.random.below(12);
                let cell = |_| random_cell(&mut round.random, &round.grid);
                let cells = (0..count).map(cell).map(|cell| format!("{}x{}", cell.x, cell.y));
                cells.collect::<Vec<_>>().join("+")
            })
            .collect();
        let (text, bound) = round.turn(&[("1.1", 1.1), ("1.5", 1.5), ("3", 3.0), ("off", 1e9)]);
        let named = format!("island:bound={text}:islands={}", levels.join("/"));
        let doors = format!("island:bound={text}:sector=4:span=2");
        for choice in [named, doors] {
            let planner = prepare(&choice, &round.grid, moves);
            let query = round.cell_query();
            let place = on(&round.grid, moves);
            let Some(best) = place.optimum_if_found(&planner, &query, &mut scratch) else {
                continue;
            };
            let cost = scratch.path().cost();
            assert!(cost <= best * bound + 1e-9, "{choice} {moves} {query:?}: {cost} of {best}");
            if let Some(factor) = scratch.stats().proved_factor {
                assert!(cost <= best * factor * (1.0 + 1e-6), "{choice}: {cost} {best} {factor}");
                assert!(factor <= bound * (1.0 + 1e-6), "{factor}");
            }
            found += 1;
            longer += u64::from(cost > best + 1e-6);
        }
    }
    at_least("paths", found, 1_000);
    at_least("paths longer than need be", longer, 50);
}

/// An island at the door: the search heads for it, where A* fills the room first.
#[test]
fn an_island_at_the_door_saves_expansions_and_nothing_is_lost() {
    let (grid, query, door) = two_rooms();
    let mut scratch = Scratch::new();
    let astar = prepare("astar", &grid, Moves::EIGHT);
    assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let (best, filled) = (scratch.path().cost(), scratch.stats().expanded);
    let islands = IslandSearch::builder().islands(&[&[door]]);
    assert_eq!(islands.clone().spec().unwrap().to_string(), "island:islands=60x4");
    // The door is far off the straight line: only without a bound is it insisted on.
    let planner = islands.without_bound().build(&grid, Moves::EIGHT).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert!(close(scratch.path().cost(), best));
    let expanded = scratch.stats().expanded;
    assert!(expanded * 3 < filled, "{expanded} of {filled}");
}

/// Doors that are found by the planner itself: fewer expansions than A*, and what that costs.
#[test]
fn found_doors_save_expansions_in_rooms() {
    let mut scratch = Scratch::new();
    let (mut plain, mut over, mut best, mut cost) = (0, 0, 0.0, 0.0);
    for seed in 0..6 {
        let grid = generate::rooms(160, 140, 12, seed).unwrap();
        let astar = prepare("astar", &grid, Moves::EIGHT);
        let island = prepare("island:bound=off", &grid, Moves::EIGHT);
        for (start, goal) in generate::queries(&grid, 20, seed) {
            let query = Query::new(start, goal);
            astar.find(&grid, &query, &mut scratch).unwrap();
            (plain, best) = (plain + scratch.stats().expanded, best + scratch.path().cost());
            assert_eq!(island.find(&grid, &query, &mut scratch), Ok(Status::Found));
            (over, cost) = (over + scratch.stats().expanded, cost + scratch.path().cost());
        }
    }
    eprintln!("{over} expansions instead of {plain}, {:.4} times as long", cost / best);
    assert!(over * 2 < plain && cost < 1.1 * best, "{over} {plain} {cost} {best}");
}

#[test]
fn islands_off_the_map_are_refused_by_name() {
    let grid = Grid::new(20, 10).unwrap();
    let message = |text: &str| match Algorithm::named(text) {
        Err(error) => error.to_string(),
        Ok(choice) => choice
            .prepare(&grid, Moves::EIGHT)
            .map(|_| "fine".into())
            .unwrap_or_else(|error| error.to_string()),
    };
    assert_eq!(message("island:islands=3x4+19x9/0x0"), "fine");
    assert!(
        message("island:islands=3x10").contains("island"),
        "{}",
        message("island:islands=3x10")
    );
    assert!(message("island:islands=3,4").contains("12x40+80x33"));
    assert!(message("island:bound=1.7").contains("bound=1.7"));
    // A blocked island does not count.
    let mut grid = grid.clone();
    grid.set((3, 4), blockstar::Tile::Blocked).unwrap();
    let planner = prepare("island:islands=3x4:bound=off", &grid, Moves::EIGHT);
    let mut scratch = Scratch::new();
    let query = Query::new((0, 0), (19, 9));
    assert!(on(&grid, Moves::EIGHT).has_path(&planner, &query, &mut scratch));
    assert_eq!(scratch.stats().proved_factor, Some(1.0));
}
