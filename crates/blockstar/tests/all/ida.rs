//! What the game-programming course says of iterative deepening: little memory, strong on almost
//! straight paths, handy when another agent stands in the way for a while.

use crate::support::{all_cell_moves, best_cost, close, prepare, rounds_on_terrain};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Planner, Query, Rect, Scratch, Status, Tile};

/// An open field with a few boxes beside the straight way.
fn field(side: u32) -> Grid {
    let mut grid = Grid::new(side, side).unwrap();
    for i in 1..side / 32 {
        grid.set_rect(Rect::new(i * 32, (i * 32 + 7) % (side - 6), 5, 5), Tile::Blocked).unwrap();
        grid.set_rect(Rect::new((i * 32 + 16) % (side - 6), i * 32, 5, 5), Tile::Blocked).unwrap();
    }
    grid
}

/// Without the table, memory goes with the length of the path and not with the area of the map.
#[test]
fn memory_without_the_table_is_proportional_to_the_path() {
    let used = |name: &str, grid: &Grid, query: &Query| {
        let mut scratch = Scratch::new();
        let status = prepare(name, grid, Moves::EIGHT).find(grid, query, &mut scratch).unwrap();
        assert_eq!(status, Status::Found, "{name}");
        (scratch.memory_usage(), scratch.path().cells().count())
    };
    let grid = Grid::new(512, 512).unwrap();
    let across = Query::new(Cell::new(1, 3), Cell::new(510, 300));
    let (without, cells) = used("ida-star:table=off", &grid, &across);
    let (astar, _) = used("astar", &grid, &across);
    let (with, _) = used("ida-star", &grid, &across);
    // A frame of 16 bytes, a node and a point for each cell, in vectors that double as they grow.
    assert!(without < 100 * cells, "{without} bytes for {cells} cells");
    assert!(without * 20 < astar, "{without} {astar}");
    assert!(with > 16 * 512 * 512, "{with}");
    // The same way on a map 16 times as large takes the same memory; a way a tenth as long, less.
    let large = Grid::new(2048, 2048).unwrap();
    assert_eq!(used("ida-star:table=off", &large, &across).0, without);
    let short = Query::new(Cell::new(1, 3), Cell::new(51, 30));
    assert!(used("ida-star:table=off", &large, &short).0 * 5 < without);
}

/// On an almost straight way it expands about as many cells as the path has.
#[test]
fn almost_straight_paths_take_about_as_many_expansions_as_cells() {
    let corridor = Grid::from_fn(400, 9, |cell| cell.x % 40 != 20 || cell.y != 4).unwrap();
    let field = field(512);
    for (grid, start, goal) in [
        (&corridor, Cell::new(0, 4), Cell::new(399, 4)),
        (&corridor, Cell::new(0, 2), Cell::new(399, 6)),
        (&field, Cell::new(0, 0), Cell::new(511, 511)),
        (&field, Cell::new(3, 500), Cell::new(480, 8)),
        (&field, Cell::new(0, 100), Cell::new(511, 130)),
    ] {
        let query = Query::new(start, goal);
        let mut scratch = Scratch::new();
        let astar = prepare("astar", grid, Moves::EIGHT);
        assert_eq!(astar.find(grid, &query, &mut scratch), Ok(Status::Found));
        let (best, expected) = (scratch.path().cost(), scratch.stats().expanded);
        let ida = prepare("ida-star", grid, Moves::EIGHT);
        assert_eq!(ida.find(grid, &query, &mut scratch), Ok(Status::Found));
        scratch.path().check(grid, Moves::EIGHT).unwrap();
        assert_eq!(scratch.path().cost(), best);
        let (expanded, cells) = (scratch.stats().expanded, scratch.path().cells().count() as u64);
        println!("{start} -> {goal}: IDA* {expanded}, A* {expected}, path {cells} cells");
        assert!(expanded < 40 * cells, "{expanded} expansions for a path of {cells} cells");
        assert!(expanded < 20 * expected, "{expanded} expansions, A* {expected}");
    }
    // In the open it is one.
    let open = Grid::new(300, 300).unwrap();
    let ida = prepare("ida-star:table=off", &open, Moves::EIGHT);
    let mut scratch = Scratch::new();
    for goal in [Cell::new(299, 150), Cell::new(299, 299), Cell::new(0, 299), Cell::new(17, 201)] {
        let query = Query::new(Cell::new(0, 0), goal);
        assert_eq!(ida.find(&open, &query, &mut scratch), Ok(Status::Found));
        let cells = scratch.path().cells().count() as u64;
        assert_eq!((scratch.stats().rounds, scratch.stats().expanded), (1, cells - 1), "{goal}");
    }
}

/// Another agent stands on the path for a while: search again, walk around; when it has left, the
/// way costs what it did.
#[test]
fn an_agent_in_the_way_is_walked_around_and_forgotten() {
    let mut grid = field(128);
    let query = Query::new(Cell::new(2, 10), Cell::new(120, 100));
    let mut random = Random::new(21);
    for name in ["ida-star", "ida-star:table=off"] {
        let mut ida = prepare(name, &grid, Moves::EIGHT);
        let mut scratch = Scratch::new();
        assert_eq!(ida.find(&grid, &query, &mut scratch), Ok(Status::Found));
        let first = scratch.path().clone();
        let cells: Vec<Cell> = first.cells().collect();
        for _ in 0..20 {
            let agent = cells[1 + random.below(cells.len() as u64 - 2) as usize];
            grid.set(agent, Tile::Blocked).unwrap();
            assert!(!first.still_valid(&grid));
            ida.update(&grid).unwrap();
            assert_eq!(ida.find(&grid, &query, &mut scratch), Ok(Status::Found));
            scratch.path().check(&grid, Moves::EIGHT).unwrap();
            assert!(scratch.path().cells().all(|cell| cell != agent));
            assert!(scratch.path().cost() >= first.cost() - 1e-9);
            assert!(scratch.path().cost() <= first.cost() + 4.0);
            grid.set(agent, Tile::Free).unwrap();
            ida.update(&grid).unwrap();
            assert_eq!(ida.find(&grid, &query, &mut scratch), Ok(Status::Found));
            assert_eq!(scratch.path(), &first);
        }
    }
}

/// The table saves work and changes no cost.
#[test]
fn with_and_without_the_table_the_costs_are_equal() {
    let mut scratch = Scratch::new();
    let (mut compared, mut given_up) = (0, 0);
    for mut round in rounds_on_terrain(22, 400, 4) {
        if round.grid.width() * round.grid.height() > 120 {
            continue;
        }
        for moves in all_cell_moves() {
            let (start, goal) = (round.free_cell(), round.free_cell());
            let grid = &round.grid;
            let best = best_cost(grid, moves, start, goal);
            for name in ["ida-star", "ida-star:table=off"] {
                let query = Query::new(start, goal).max_expansions(50_000);
                match prepare(name, grid, moves).find(grid, &query, &mut scratch).unwrap() {
                    Status::LimitReached => {
                        assert_eq!(name, "ida-star:table=off");
                        assert_eq!(scratch.stats().expanded, 50_000);
                        given_up += 1;
                    }
                    Status::NoPath => assert!(best.is_infinite(), "{name} {moves}"),
                    _ => {
                        let cost = scratch.path().cost();
                        assert!(close(cost, best), "{name} {moves}: {cost} not {best}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 1500 && given_up * 4 < compared, "{compared} {given_up}");
}
