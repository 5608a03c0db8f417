//! The overlay with small sectors, on small maps, against A* and against one that is made afresh.

use super::super::Subgoals;
use super::*;
use crate::engine::Driver;
use crate::random::Random;
use crate::{Astar, Budget, Cell, Grid, Jps, Moves, Planner, Query, Scratch, Status, Tile};

/// The planner with sectors of a size that small maps have many of.
fn planner(grid: &Grid, smallest: u32) -> Driver<Subgoals> {
    let mut method = Subgoals::build(grid, Moves::EIGHT);
    method.overlay = Overlay::with_sectors(&method.ground, smallest);
    method.overlay.build(&method.ground, &method.graph, 2);
    assert!(method.overlay.is_done());
    method.renumber();
    Driver::new(method, grid, Moves::EIGHT)
}

/// Maps of each kind, with the size of sectors.
fn maps() -> [(&'static str, Grid, u32); 6] {
    [
        ("caves", crate::generate::caves(128, 128, 3).unwrap(), 4),
        ("rooms", crate::generate::rooms(130, 120, 7, 3).unwrap(), 3),
        ("maze", crate::generate::maze(99, 99, 2, 3).unwrap(), 3),
        ("random", crate::generate::random(100, 70, 25.0, 3).unwrap(), 3),
        ("sparse", crate::generate::random(100, 120, 3.0, 3).unwrap(), 3),
        ("empty", Grid::new(64, 64).unwrap(), 3),
    ]
}

fn any_cell(random: &mut Random, grid: &Grid) -> Cell {
    let [x, y] = [grid.width(), grid.height()].map(|side| random.below(side.into()) as u32);
    Cell::new(x, y)
}

/// A cell on or beside free ground.
fn ground_cell(random: &mut Random, grid: &Grid) -> Cell {
    loop {
        let at = any_cell(random, grid);
        let (x, y) = (at.x.saturating_sub(1), at.y.saturating_sub(1));
        let mut around = (x..at.x + 2).flat_map(|x| (y..at.y + 2).map(move |y| (x, y)));
        if around.any(|cell| grid.is_free(cell)) {
            return at;
        }
    }
}

fn toggle(grid: &mut Grid, cell: Cell) {
    let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
    grid.set(cell, tile).unwrap();
}

/// How many sectors are made, of all levels.
fn made(planner: &Driver<Subgoals>) -> usize {
    planner.method().overlay.made.iter().filter(|&&made| made != NEVER).count()
}

/// Fails unless some random queries are answered as A* answers them; how many have a path that was
/// found with the overlay.
fn expect_shortest(
    planner: &Driver<Subgoals>,
    grid: &Grid,
    random: &mut Random,
    queries: usize,
    scratch: &mut Scratch,
) -> usize {
    let astar = Astar::new(grid, Moves::EIGHT).unwrap();
    let mut found = 0;
    for _ in 0..queries {
        let query = Query::new(any_cell(random, grid), any_cell(random, grid));
        let expected = astar.find(grid, &query, scratch);
        let cost = scratch.path().cost();
        let status = planner.find(grid, &query, scratch);
        assert_eq!(status.as_ref().ok(), expected.as_ref().ok(), "{query:?}");
        if status.is_ok_and(|status| status == Status::Found) {
            assert_eq!(scratch.path().cost(), cost, "{query:?}");
            scratch.path().check(grid, Moves::EIGHT).unwrap();
            found += 1;
        }
    }
    found
}

#[test]
fn paths_over_shortcuts_are_shortest() {
    let mut scratch = Scratch::new();
    for (kind, grid, smallest) in maps() {
        let mut random = Random::new(31);
        let planner = planner(&grid, smallest);
        let levels = planner.method().overlay.levels.len();
        assert!(levels >= 2, "{kind}");
        if kind != "empty" && kind != "sparse" {
            assert!(made(&planner) > 20, "{kind}: {}", made(&planner));
            let largest = planner.method().overlay.levels[levels - 1].first as usize;
            assert!(planner.method().overlay.made[largest..].iter().any(|&made| made != NEVER));
        }
        let found = expect_shortest(&planner, &grid, &mut random, 1000, &mut scratch);
        assert!(found > 100, "{kind}: {found}");
    }
}

/// On maps of any kind and size, with sectors of all sizes.
#[test]
fn paths_on_random_maps_are_shortest() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(32);
    let (mut found, mut sectors) = (0, 0);
    for round in 0..150 {
        let (width, height) = (1 + random.below(50) as u32, 1 + random.below(50) as u32);
        let percent = 2 + round % 45;
        let grid = Grid::from_fn(width, height, |_| !random.chance(percent, 100)).unwrap();
        let planner = planner(&grid, 1 + round as u32 % 4);
        sectors += made(&planner);
        found += expect_shortest(&planner, &grid, &mut random, 60, &mut scratch);
    }
    assert!(found > 2000 && sectors > 500, "{found} {sectors}");
}

/// With the overlay searches expand fewer subgoals.
#[test]
fn shortcuts_save_expansions() {
    let mut scratch = Scratch::new();
    let grid = crate::generate::caves(256, 256, 7).unwrap();
    let plain = Driver::new(Subgoals::build(&grid, Moves::EIGHT), &grid, Moves::EIGHT);
    let planner = planner(&grid, 5);
    let mut expanded = [0; 2];
    for (start, goal) in crate::generate::queries(&grid, 100, 4) {
        for (planner, expanded) in [&plain, &planner].into_iter().zip(&mut expanded) {
            planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
            *expanded += scratch.stats().expanded;
        }
    }
    assert!(4 * expanded[1] < 3 * expanded[0], "{expanded:?}");
}

/// Where a shortcut leads, how, and its parts.
type Shortcut = (Cell, Hop, Vec<(Option<Cell>, u32)>);

/// The shortcuts of all subgoals by cells, level and order: numbers do not matter.
fn shortcuts(method: &Subgoals) -> Vec<(usize, Cell, Vec<Shortcut>)> {
    let Subgoals { graph, overlay, .. } = method;
    let cell = |number: u32| Cell::from(graph.node(number).cell());
    let mut all = Vec::new();
    for level in 0..overlay.levels.len() {
        for number in 0..graph.nodes.len() as u32 {
            let node = graph.node(number);
            let sector = overlay.levels[level].sector(node.cell());
            if node.is_none() || overlay.made[sector as usize] == NEVER {
                continue;
            }
            let Some((shortcuts, range)) = overlay.list(graph, number, level) else { continue };
            let list = range.map(|index| {
                let found = Hop::of_words(shortcuts.hops[index]);
                let hop = Hop { target: 0, ..found };
                let passed = match shortcuts.course(index) {
                    Course::Same(origin) => vec![(None, u32::from(origin))],
                    Course::Passes(passed) => {
                        let course = passed.iter().enumerate();
                        let via = |at, word: u32| (at > 0).then(|| cell(word >> 4));
                        course.map(|(at, &word)| (via(at, word), word & 15)).collect()
                    }
                };
                (cell(found.target), hop, passed)
            });
            all.push((level, cell(number), list.collect()));
        }
    }
    all.sort_by_key(|(level, cell, _)| (*level, cell.x, cell.y));
    all
}

/// After edits queries are right with what is left of the overlay; once refreshed it is what would be
/// made for the map.
#[test]
fn what_edits_undo_is_made_as_it_would_be() {
    let mut scratch = Scratch::new();
    for (kind, mut grid, smallest) in maps() {
        let mut random = Random::new(33);
        let mut planner = planner(&grid, smallest);
        for round in 0..12 {
            for _ in 0..1 + round * 2 {
                let cell = ground_cell(&mut random, &grid);
                toggle(&mut grid, cell);
                planner.update(&grid).unwrap();
                if random.chance(1, 2) {
                    refresh(&mut planner, Budget::expansions(random.below(200)));
                }
                expect_shortest(&planner, &grid, &mut random, 3, &mut scratch);
            }
            if round % 3 == 2 {
                refresh(&mut planner, Budget::UNLIMITED);
                assert!(planner.method().overlay.is_done());
                let fresh = self::planner(&grid, smallest);
                assert!(shortcuts(planner.method()) == shortcuts(fresh.method()), "{kind}");
            }
        }
    }
}

fn refresh(planner: &mut Driver<Subgoals>, budget: Budget) {
    let Subgoals { ground, graph, overlay, .. } = planner.method_mut();
    overlay.refresh(ground, graph, &mut Meter::new(budget));
}

/// An edit undoes the sectors around it and no others, whatever the size of the map.
#[test]
fn an_edit_undoes_few_sectors() {
    let mut grid = crate::generate::caves(512, 512, 5).unwrap();
    let mut planner = planner(&grid, 5);
    let before = made(&planner);
    let mut random = Random::new(34);
    for _ in 0..50 {
        let cell = ground_cell(&mut random, &grid);
        toggle(&mut grid, cell);
        planner.update(&grid).unwrap();
        // At most nine of the smallest, if nothing sees farther than across one.
        assert!(made(&planner) + 9 + 4 + 4 > before, "{} {before}", made(&planner));
        refresh(&mut planner, Budget::UNLIMITED);
    }
}

/// Sectors that are made while a search is under way do not concern it.
#[test]
fn a_search_goes_on_while_sectors_are_made() {
    let mut scratch = Scratch::new();
    let mut compared = 0;
    for (kind, grid, smallest) in maps() {
        let mut random = Random::new(35);
        let whole = planner(&grid, smallest);
        let jps = Jps::new(&grid, Moves::EIGHT).unwrap();
        for _ in 0..40 {
            let mut planner = planner(&grid, smallest);
            let overlay = Overlay::with_sectors(&planner.method().ground, smallest);
            planner.method_mut().overlay = overlay;
            refresh(&mut planner, Budget::expansions(random.below(2000)));
            let query = Query::new(any_cell(&mut random, &grid), any_cell(&mut random, &grid));
            let Ok(Status::Found) = jps.find(&grid, &query, &mut scratch) else { continue };
            let cost = scratch.path().cost();
            planner.begin(&grid, &query, &mut scratch).unwrap();
            let mut status = Status::Working;
            while status == Status::Working {
                status = planner.resume(&grid, &mut scratch, Budget::expansions(3)).unwrap();
                refresh(&mut planner, Budget::expansions(300));
            }
            assert_eq!((status, scratch.path().cost()), (Status::Found, cost), "{kind} {query:?}");
            scratch.path().check(&grid, Moves::EIGHT).unwrap();
            compared += 1;
            // Slices of any size expand the same.
            whole.find(&grid, &query, &mut scratch).unwrap();
            let (points, stats) = (scratch.path().points().to_vec(), *scratch.stats());
            whole.begin(&grid, &query, &mut scratch).unwrap();
            let mut status = Status::Working;
            while status == Status::Working {
                status = whole.resume(&grid, &mut scratch, Budget::expansions(2)).unwrap();
            }
            assert_eq!(scratch.path().points(), points);
            assert_eq!(scratch.stats().expanded, stats.expanded);
        }
    }
    assert!(compared > 60, "{compared}");
}
