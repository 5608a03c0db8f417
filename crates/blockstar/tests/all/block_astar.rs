//! Block A*: the figures of the paper, the cell rules against an oracle for every size of block,
//! edits, and tables that find no room.

use crate::support::{
    Record, all_cell_moves, all_costs, all_moves, best_cost, close, random_cell, random_edit,
    random_free_cell, random_point, record, smoothed, strewn_map,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Event, Grid, Heuristic, Moves, Path, Planner, Point, Query, Rect,
    Scratch, Status, Tile, generate, papers,
};

fn block_astar(grid: &Grid, moves: Moves, parameters: &str) -> Box<dyn Planner> {
    let spec = Algorithm::named(&format!("block-astar:{parameters}")).unwrap();
    spec.prepare(grid, moves).unwrap()
}

/// A cell by its name in the paper: a letter for the column, and the row counted from the bottom.
fn named(column: char, row: i32) -> Cell {
    Cell::new(column as u32 - 'A' as u32, (11 - row) as u32)
}

/// A block that was expanded, its priority, and the cells with their costs that follow.
type Expansion = (Rect, f64, Vec<(Cell, f64)>);

fn expansions(scratch: &Scratch) -> Vec<Expansion> {
    let mut blocks: Vec<Expansion> = Vec::new();
    for event in scratch.trace().unwrap().events() {
        match event {
            Event::Block { rect, f } => blocks.push((rect, f, Vec::new())),
            Event::Improved { at, g, .. } => {
                blocks.last_mut().unwrap().2.push((at.as_centre().unwrap(), g));
            }
            _ => panic!("{event:?}"),
        }
    }
    blocks
}

fn cost_of(cells: &[(Cell, f64)], cell: Cell) -> Option<f64> {
    cells.iter().find(|known| known.0 == cell).map(|known| known.1)
}

/// Figure 2: the order and the priorities of the expansions, and the costs that they bring.
#[test]
fn figure_2_is_searched_as_in_the_paper() {
    let grid = papers::block_astar_example().unwrap().grid;
    let planner = block_astar(&grid, Moves::FOUR, "block=5");
    let mut scratch = Scratch::new();
    scratch.record(1000);
    let query = Query::new(named('D', 0), named('D', 9)).heuristic(Heuristic::Manhattan);
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 23.0);
    scratch.path().check(&grid, Moves::FOUR).unwrap();

    let (start, a, goal) = (Rect::new(0, 10, 5, 5), Rect::new(0, 5, 5, 5), Rect::new(0, 0, 5, 5));
    let (b, c, d) = (Rect::new(5, 10, 5, 5), Rect::new(5, 5, 5, 5), Rect::new(5, 0, 5, 5));
    let run = expansions(&scratch);
    assert_eq!((run[0].0, run[1].0, run[1].1), (start, a, 11.0));
    // The start's own block is queued again, for cells that lead nowhere, and left in the queue.
    assert_eq!(run.iter().filter(|step| step.0 == start).count(), 1);
    assert_eq!(scratch.stats().expanded, 6);
    let mut order: Vec<_> = run[2..].iter().map(|step| (step.0, step.1)).collect();
    // Of equal priorities any may come first, but D is found by way of C and the goal by way of D.
    let place = |block: Rect| order.iter().position(|step| step.0 == block).unwrap();
    assert!(place(c) < place(d) && place(d) < place(goal));
    order.sort_by_key(|step| (step.0.x, step.0.y));
    assert_eq!(order, [(goal, 13.0), (d, 13.0), (c, 13.0), (b, 13.0)]);

    let costs = |block: Rect| &run.iter().find(|step| step.0 == block).unwrap().2;
    let check = |block: Rect, expected: &[(char, i32, f64)]| {
        for &(column, row, cost) in expected {
            let got = cost_of(costs(block), named(column, row));
            assert_eq!(got, Some(cost), "{column}{row}");
        }
    };
    check(start, &[('E', 1, 2.0), ('E', 0, 1.0), ('E', -1, 2.0), ('E', -2, 3.0), ('E', -3, 4.0)]);
    check(a, &[('E', 2, 3.0), ('E', 3, 4.0), ('E', 4, 5.0), ('E', 5, 6.0)]);
    check(a, &[('B', 2, 12.0), ('A', 2, 13.0), ('A', 6, 17.0)]);
    check(b, &[('F', 1, 3.0), ('F', 0, 2.0), ('F', -1, 3.0), ('F', -2, 4.0), ('F', -3, 5.0)]);
    check(c, &[('F', 2, 4.0), ('F', 3, 5.0), ('F', 4, 6.0), ('F', 5, 7.0), ('F', 6, 8.0)]);
    check(d, &[('F', 7, 9.0)]);
    check(goal, &[('E', 7, 10.0), ('A', 7, 18.0)]);

    // Expanding A queues the goal's block with 18 + 5 and the start's with 13 + 10. Without a way
    // over D both are taken out with that.
    let mut grid = grid;
    grid.set_rect(d, Tile::Blocked).unwrap();
    let planner = block_astar(&grid, Moves::FOUR, "block=5");
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 23.0);
    let run: Vec<_> = expansions(&scratch).iter().map(|step| (step.0, step.1)).collect();
    assert!(run[2..].contains(&(start, 23.0)) && run.contains(&(goal, 23.0)), "{run:?}");
}

/// Figure 1: the block in the middle is entered at E2 for 3. Without an estimate the block to the
/// right gets 4, the one below 13, because E1 keeps its 2, and the one on top 18.
#[test]
fn figure_1_is_expanded_as_in_the_paper() {
    let mut grid = papers::block_astar_example().unwrap().grid;
    // Of the blocks to the right only what the figure shows of them: nothing else is in the queue.
    grid.set_rect(Rect::new(6, 0, 4, 15), Tile::Blocked).unwrap();
    grid.set_rect(Rect::new(5, 0, 1, 5), Tile::Blocked).unwrap();
    grid.set_rect(Rect::new(5, 10, 1, 5), Tile::Blocked).unwrap();
    let planner = block_astar(&grid, Moves::FOUR, "block=5");
    let mut scratch = Scratch::new();
    scratch.record(1000);
    let query = Query::new(named('D', 0), named('D', 9)).heuristic(Heuristic::Zero);
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let run = expansions(&scratch);
    let priorities: Vec<_> = run.iter().map(|step| (step.0.x, step.0.y, step.1)).collect();
    let (start, middle, right) = ((0, 10, 1.0), (0, 5, 3.0), (5, 5, 4.0));
    assert_eq!(priorities, [start, middle, right, (0, 10, 13.0), (0, 0, 18.0)]);
    let costs = |step: usize, column, row| cost_of(&run[step].2, named(column, row));
    assert_eq!(costs(1, 'A', 6), Some(17.0));
    assert_eq!(costs(4, 'A', 7), Some(18.0));
    assert_eq!([5, 4, 3, 2].map(|row| costs(2, 'F', row).unwrap()), [7.0, 6.0, 5.0, 4.0]);
    assert_eq!([costs(3, 'A', 1), costs(3, 'B', 1)], [Some(14.0), Some(13.0)]);
    assert_eq!(costs(3, 'E', 1), None, "it has not improved");
    assert_eq!(scratch.path().cost(), 23.0);
}

/// Figure 3: around one blocked cell, inside one block.
#[test]
fn figure_3_has_the_lengths_of_the_paper() {
    // Lines A to E from the left, 1 to 6 from the bottom; the blocked cell is C4 to D5.
    let mut grid = Grid::new(4, 5).unwrap();
    grid.set((2, 1), Tile::Blocked).unwrap();
    let at = |column: char, row: u32| Cell::new(column as u32 - 'A' as u32, 6 - row).corner();
    let (start, goal) = (at('B', 1), at('E', 6));
    let mut scratch = Scratch::new();
    let mut cost = |name: &str, moves: Moves, query: Query| {
        let planner = Algorithm::named(name).unwrap().prepare(&grid, moves).unwrap();
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        (scratch.path().cost(), scratch.path().points().to_vec(), scratch.stats().raw_cost)
    };
    let best = 13f64.sqrt() + 5f64.sqrt();
    for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        for block in 5..=16 {
            let name = format!("block-astar:block={block}");
            for smooth in [true, false] {
                let query = smoothed(Query::new(start, goal), smooth);
                let (cost, points, raw) = cost(&name, moves, query);
                assert!((cost - best).abs() < 1e-12 && (cost - 5.8416).abs() < 5e-5, "{cost}");
                assert_eq!(points, [start, at('D', 4), goal]);
                assert!((raw.unwrap() - best).abs() < 1e-12);
            }
        }
        let octile = 3.0 * 2f64.sqrt() + 2.0;
        let found = cost("astar", moves, Query::new(start, goal)).0;
        assert!((found - octile).abs() < 1e-9 && (found - 6.2426).abs() < 5e-5, "{found}");
        let theta = cost("theta-star", moves, Query::new(start, goal)).0;
        assert!((theta - 6.0).abs() < 1e-12, "{theta}");
    }
    // Four steps: the same figure with cells for corners.
    let mut cells = Grid::new(4, 6).unwrap();
    let four = block_astar(&cells, Moves::FOUR, "block=6");
    let query = Query::new(Cell::new(0, 5), Cell::new(3, 0));
    assert_eq!(four.find(&cells, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 8.0);
    cells.set((1, 2), Tile::Blocked).unwrap();
    let four = block_astar(&cells, Moves::FOUR, "block=6");
    assert_eq!(four.find(&cells, &query, &mut scratch), Ok(Status::Found));
    assert_eq!(scratch.path().cost(), 8.0);
}

/// A random map that has more than one block of most sizes, or is only a line.
fn random_map(random: &mut Random, weighted: bool) -> Grid {
    let side = |random: &mut Random| match random.below(12) {
        0 => 1,
        1 => 20 + random.below(20),
        2 => 16 * (1 + random.below(2)),
        _ => 1 + random.below(20),
    };
    let size = (side(random) as u32, side(random) as u32);
    strewn_map(random, size, 55, weighted.then_some(60))
}

/// A free cell not far from another: mostly in the same block.
fn random_cell_near(random: &mut Random, grid: &Grid, cell: Cell) -> Cell {
    for _ in 0..20 {
        let near = |random: &mut Random, v: u32| (v + random.below(9) as u32).saturating_sub(4);
        let other = Cell::new(near(random, cell.x), near(random, cell.y));
        if grid.is_free(other) {
            return other;
        }
    }
    cell
}

/// Every cell rule, every size of block, with and without terrain, before and after edits: the cost
/// of the oracle, also with a weight, from cells in the same block as the goal and from others.
#[test]
fn cell_paths_are_shortest_for_every_size_of_block() {
    let mut random = Random::new(2011);
    let mut scratch = Scratch::new();
    let all = all_cell_moves();
    let (mut maps, mut found) = (0, 0);
    for round in 0..9_000 {
        let (moves, side) = (all[round % all.len()], 2 + round / all.len() % 15);
        // A third of the blocks are not square.
        let block = match round % 3 {
            0 => format!("{side}x{}", 2 + random.below(15)),
            _ => side.to_string(),
        };
        let weighted = random.chance(1, 3);
        let mut grid = random_map(&mut random, weighted);
        let mut planner = block_astar(&grid, moves, &format!("block={block}"));
        for edits in 0..3 {
            if edits > 0 {
                for _ in 0..1 + random.below(4) {
                    random_edit(&mut random, &mut grid, weighted);
                }
                planner.update(&grid).unwrap();
            }
            maps += 1;
            let start = random_free_cell(&mut random, &grid);
            let costs = all_costs(&grid, moves, start);
            for query in 0..4 {
                let goal = match query {
                    0 | 1 => random_cell_near(&mut random, &grid, start),
                    _ => random_free_cell(&mut random, &grid),
                };
                let context = || {
                    let map = blockstar::format::ascii::draw(&grid);
                    format!("{moves} block={block} {start} -> {goal} on\n{map}")
                };
                let best = costs[(goal.y * grid.width() + goal.x) as usize];
                let weight = if query == 3 { 1.0 + random.below(30) as f64 / 10.0 } else { 1.0 };
                let query = Query::new(start, goal).weight(weight);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                if best.is_infinite() {
                    assert_eq!(status, Status::NoPath, "{}", context());
                    continue;
                }
                found += 1;
                assert_eq!(status, Status::Found, "{}", context());
                let path = scratch.path();
                if let Err(fault) = path.check(&grid, moves) {
                    panic!("{fault}: {path}\n{}", context());
                }
                let ends = (path.points().first(), path.points().last());
                assert_eq!(ends, (Some(&start.centre()), Some(&goal.centre())), "{}", context());
                let cost = path.cost();
                assert!(cost >= best - 1e-7 * best.max(1.0), "{cost} {best} {}", context());
                let limit = weight * best + 1e-7 * best.max(1.0);
                assert!(cost <= limit, "{cost} {best} weight {weight} {}", context());
            }
        }
    }
    assert!(maps >= 27_000 && found > 60_000, "{maps} {found}");
}

/// The way inside the block of start and goal is not the shortest: it must be left and entered
/// again.
#[test]
fn detours_through_other_blocks_are_found() {
    // Blocks of five: the wall ends at the border. To the left it is nine steps, to the right
    // seven.
    let grid = Grid::from_ascii(
        "..........
         .####.....
         ....#.....
         ..........
         ..........",
    )
    .unwrap();
    let query = Query::new(Cell::new(4, 0), Cell::new(3, 2));
    let mut scratch = Scratch::new();
    for (side, blocks) in [(5, 2), (16, 1)] {
        let planner = block_astar(&grid, Moves::FOUR, &format!("block={side}"));
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        assert_eq!(scratch.path().cost(), 7.0);
        assert!(scratch.stats().expanded >= blocks);
    }
    let planner = block_astar(&grid, Moves::ANY_ANGLE, "block=5");
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let around = [(4.5, 0.5), (5.0, 1.0), (5.0, 3.0), (4.0, 3.0), (3.5, 2.5)];
    let around = Path::new(&grid, Moves::ANY_ANGLE, around.map(Point::from));
    assert_eq!(scratch.path().points(), around.points());
}

/// The heuristics that never overestimate find the same cost, for every size of block.
#[test]
fn heuristics_agree() {
    let mut random = Random::new(2012);
    let mut scratch = Scratch::new();
    for round in 0..1_500 {
        let moves = all_cell_moves()[round % 8];
        let grid = random_map(&mut random, round % 3 == 2);
        let planner = block_astar(&grid, moves, &format!("block={}", 2 + round % 15));
        let start = random_free_cell(&mut random, &grid);
        let goal = random_free_cell(&mut random, &grid);
        let best = best_cost(&grid, moves, start, goal);
        for &heuristic in Heuristic::ALL {
            let query = Query::new(start, goal).heuristic(heuristic);
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(status == Status::Found, best.is_finite(), "{moves} {heuristic}");
            if status == Status::Found && heuristic.is_admissible(moves) {
                assert!(close(scratch.path().cost(), best), "{moves} {heuristic}");
            }
        }
    }
}

/// What must be equal whether a planner was updated or prepared again, and with tables or without.
fn answer(planner: &dyn Planner, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Record {
    let status = planner.find(grid, query, scratch).unwrap();
    let mut record = record(status, scratch);
    record.stats.tables_made = 0;
    record
}

/// Edits of all kinds, one after the other: at a sample of moments the planner answers like one
/// that was made for the map as it is.
fn edit_and_compare(moves: Moves, weighted: bool, block: &str, edits: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut scratch = Scratch::new();
    let blocked = 25;
    let mut grid = Grid::from_fn(60, 45, |_| !random.chance(blocked, 100)).unwrap();
    if weighted {
        grid.set_cost(Cell::new(0, 0), 2.0).unwrap();
    }
    let parameters = format!("block={block}");
    let mut planner = block_astar(&grid, moves, &parameters);
    let mut done = 0;
    while done < edits {
        // Sometimes many at once, more than the grid remembers one by one.
        let many = if random.chance(1, 50) { 300 } else { 1 + random.below(4) };
        for _ in 0..many {
            random_edit(&mut random, &mut grid, weighted);
        }
        done += many;
        planner.update(&grid).unwrap();
        if !random.chance(1, 150) {
            continue;
        }
        let fresh = block_astar(&grid, moves, &parameters);
        for _ in 0..3 {
            let start = random_point(&mut random, &grid, moves, true);
            let goal = random_point(&mut random, &grid, moves, true);
            let query = Query::new(start, goal);
            let [updated, new] =
                [&planner, &fresh].map(|planner| answer(planner, &grid, &query, &mut scratch));
            assert_eq!(updated, new, "{moves} block={block} {query:?}");
        }
    }
}

#[test]
fn after_a_hundred_thousand_edits_a_planner_equals_a_fresh_one() {
    edit_and_compare(Moves::EIGHT, false, "8", 20_000, 1);
    edit_and_compare(Moves::FOUR, false, "5", 10_000, 2);
    edit_and_compare(Moves::EIGHT_CUT_ANY, true, "7", 20_000, 3);
    edit_and_compare(Moves::ANY_ANGLE, false, "8", 20_000, 4);
    edit_and_compare(Moves::ANY_ANGLE, false, "3", 10_000, 5);
    edit_and_compare(Moves::ANY_ANGLE_SQUEEZE, false, "5", 10_000, 6);
    edit_and_compare(Moves::ANY_ANGLE, true, "3", 10_000, 7);
    edit_and_compare(Moves::EIGHT, true, "6x10", 10_000, 8);
    edit_and_compare(Moves::ANY_ANGLE, false, "12x5", 10_000, 9);
}

/// A map gets a terrain layer while its planner is at work.
#[test]
fn terrain_may_come_later() {
    let mut random = Random::new(8);
    let mut scratch = Scratch::new();
    for moves in all_moves() {
        let mut grid = generate::caves(40, 30, 9).unwrap();
        let mut planner = block_astar(&grid, moves, "block=5");
        for step in 0..6 {
            let cell = random_free_cell(&mut random, &grid);
            if step % 2 == 1 {
                grid.set_cost(cell, 3.0).unwrap();
            } else {
                grid.set(cell, Tile::Blocked).unwrap();
            }
            planner.update(&grid).unwrap();
            let fresh = block_astar(&grid, moves, "block=5");
            for (start, goal) in generate::queries(&grid, 5, step) {
                let query = Query::new(start, goal);
                let updated = answer(&planner, &grid, &query, &mut scratch);
                assert_eq!(updated, answer(&fresh, &grid, &query, &mut scratch), "{moves} {step}");
            }
        }
    }
}

/// Without room for any table the search makes them as it goes: the same answers to the last bit.
#[test]
fn tables_without_room_change_no_answer() {
    let mut random = Random::new(9);
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    for round in 0..40 {
        let weighted = round % 3 == 2;
        let mut grid = random_map(&mut random, weighted);
        for moves in all_moves() {
            let side = 2 + random.below(if weighted { 5 } else { 15 });
            let mut with = block_astar(&grid, moves, &format!("block={side}"));
            let mut without = block_astar(&grid, moves, &format!("block={side}:memory=0"));
            for _ in 0..3 {
                with.update(&grid).unwrap();
                without.update(&grid).unwrap();
                assert_eq!(without.memory_usage().part("tables"), 0);
                let start = random_point(&mut random, &grid, moves, true);
                let goal = random_point(&mut random, &grid, moves, true);
                let query = Query::new(start, goal);
                let expected = answer(&with, &grid, &query, &mut scratch);
                assert_eq!(scratch.stats().tables_made, 0);
                let got = answer(&without, &grid, &query, &mut other);
                assert_eq!(expected, got, "{moves} {side}");
                // Start and goal need none if they are in one cell block and see each other.
                let searched = other.stats().expanded > 0;
                assert!(!searched || other.stats().tables_made > 0);
                random_edit(&mut random, &mut grid, weighted);
            }
        }
    }
}

/// With some room some blocks have tables: the same answers, and never more than the limit.
#[test]
fn memory_stays_below_the_limit_over_a_million_edits() {
    let mut random = Random::new(10);
    let mut grid = Grid::from_fn(200, 160, |_| !random.chance(1, 4)).unwrap();
    let moves = Moves::EIGHT;
    let mut planner = block_astar(&grid, moves, "block=4:memory=1");
    let mut coarse = block_astar(&grid, moves, "block=16:memory=1");
    let limit = 1 << 20;
    let mut scratch = Scratch::new();
    let (mut most, mut made) = (0, 0);
    for edit in 0..1_000_000 {
        let cell = random_cell(&mut random, &grid);
        let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
        grid.set(cell, tile).unwrap();
        if edit % 20 != 0 && edit > 50_000 {
            continue;
        }
        planner.update(&grid).unwrap();
        let tables = planner.memory_usage().part("tables");
        most = most.max(tables);
        assert!(tables <= limit, "{tables} bytes after {edit} edits");
        if edit % 100_000 == 0 {
            coarse.update(&grid).unwrap();
            assert!(coarse.memory_usage().part("tables") <= limit);
            for (limited, side) in [(&planner, 4), (&coarse, 16)] {
                let whole = block_astar(&grid, moves, &format!("block={side}"));
                for (start, goal) in generate::queries(&grid, 3, edit) {
                    let query = Query::new(start, goal);
                    let got = answer(limited, &grid, &query, &mut scratch);
                    made += scratch.stats().tables_made;
                    assert_eq!(got, answer(&whole, &grid, &query, &mut scratch));
                    assert_eq!(scratch.stats().tables_made, 0);
                }
            }
        }
    }
    assert!(most > limit / 2, "{most} bytes: the limit was never near");
    assert!(made > 0, "there was room for all");
}

/// A start or a goal on every kind of point of a block's border.
#[test]
fn points_on_borders_are_in_all_their_blocks() {
    let grid = Grid::new(12, 12).unwrap();
    let mut scratch = Scratch::new();
    for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        let planner = block_astar(&grid, moves, "block=4");
        for (x, y) in [(4.0, 4.0), (4.0, 5.5), (5.25, 8.0), (0.0, 0.0), (12.0, 12.0), (4.0, 12.0)] {
            for (dx, dy) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let start = Point::new(x, y);
                let goal = Point::new((x + dx).clamp(0.0, 12.0), (y + dy).clamp(0.0, 12.0));
                let query = Query::new(start, goal).without_smoothing();
                assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
                let (cost, straight) = (scratch.path().cost(), start.distance(goal));
                assert_eq!(cost, straight, "{start} -> {goal}");
            }
        }
    }
}

/// Two lanes wind through the same blocks, from left to right and back again: a straight one, which
/// comes to an end, and one that goes up and down and is three times as long. They begin together
/// at the first of the cells and the longer one ends at the other.
fn two_lanes(width: u32, strips: u32) -> (Grid, Cell, Cell) {
    let mut grid = Grid::from_fn(width, 8 * strips, |_| false).unwrap();
    let mut carve = |x, y, width, height| {
        grid.set_rect(Rect::new(x, y, width, height), Tile::Free).unwrap();
    };
    for strip in 0..strips {
        let (top, odd) = (8 * strip, strip % 2 == 1);
        // What turns inside at one end turns outside at the other.
        let first = if strip == 0 { 0 } else { 2 };
        let straight = if odd { top + 6 } else { top };
        carve(first, straight, width - first, 1);
        let high = if odd { top } else { top + 2 };
        for x in 0..width - 3 {
            match x % 4 {
                1 => carve(x, high + 4, 1, 1),
                3 => carve(x, high, 1, 1),
                _ => carve(x, high, 1, 5),
            }
        }
        if strip + 1 == strips {
            break;
        }
        if odd {
            carve(0, high, 1, 14);
            carve(2, top + 7, 1, 1);
        } else {
            carve(width - 1, straight, 1, 15);
            carve(width - 4, top + 7, 1, 1);
        }
    }
    carve(0, 1, 1, 1);
    let end = Cell::new(0, 8 * strips - 8);
    (grid, Cell::new(0, 1), end)
}

/// Blocks are queued for the straight lane, while the costs of the other get far ahead of it:
/// beyond what 32 bits hold.
#[test]
fn a_lane_whose_costs_exceed_32_bits_is_not_lost() {
    let (grid, start, goal) = two_lanes(16_384, 8);
    let query = Query::new(start, goal);
    let mut scratch = Scratch::new();
    let astar = Algorithm::named("astar").unwrap().prepare(&grid, Moves::FOUR).unwrap();
    assert_eq!(astar.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let best = scratch.path().cost();
    assert!(best * 5741.0 > f64::from(u32::MAX / 2), "{best}");
    let planner = block_astar(&grid, Moves::FOUR, "block=8");
    planner.begin(&grid, &query, &mut scratch).unwrap();
    let slice = || Budget::expansions(5_000);
    while planner.resume(&grid, &mut scratch, slice()) == Ok(Status::Working) {}
    assert_eq!(scratch.path().cost(), best);
    scratch.path().check(&grid, Moves::FOUR).unwrap();
}

/// A wall with one gap, in a corner: the estimates lead astray.
fn wall() -> (Grid, Query) {
    let mut grid = Grid::new(1000, 900).unwrap();
    grid.set_rect(Rect::new(500, 1, 1, 899), Tile::Blocked).unwrap();
    (grid, Query::new(Cell::new(3, 890), Cell::new(996, 880)))
}

/// The largest weights times the estimates of a large map are more than 32 bits hold.
#[test]
fn large_weights_on_large_maps_do_not_overflow() {
    let (grid, query) = wall();
    let mut scratch = Scratch::new();
    for moves in [Moves::FOUR, Moves::EIGHT] {
        let planner = block_astar(&grid, moves, "block=16");
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        let best = scratch.path().cost();
        for weight in [1.5, 50.0, 300.0, 1000.0] {
            let query = query.clone().weight(weight);
            assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
            scratch.path().check(&grid, moves).unwrap();
            assert!(scratch.path().cost() <= weight * best + 1e-6);
            assert_eq!(scratch.stats().tables_made, 0, "the tables are of use");
        }
    }
}

/// A weighted search does not expand blocks again and again for ever smaller improvements.
#[test]
fn weights_do_not_multiply_expansions() {
    let (grid, query) = wall();
    let mut scratch = Scratch::new();
    for moves in [Moves::EIGHT, Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
        let planner = block_astar(&grid, moves, "block=8");
        let mut expanded = |weight: f64| {
            let query = query.clone().weight(weight);
            assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
            scratch.stats().expanded
        };
        let plain = expanded(1.0);
        for weight in [1.01, 1.1, 1.5, 2.0, 3.0, 10.0, 1000.0] {
            let weighted = expanded(weight);
            assert!(weighted < 5 * plain, "{moves} {weight}: {weighted}, not {plain}");
        }
    }
}
