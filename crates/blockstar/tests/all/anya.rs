//! ANYA against the oracle of the plane.

use crate::support::maps::{self, Course, courses_below};
use crate::support::plane::{Oracle, RULES, free};
use crate::support::{Round, at_least, prepare, rounds_on};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Event, Grid, Moves, Planner, Point, Query, Rect, Scratch, Status, Tile,
};
use std::collections::VecDeque;

/// Whether two cells are connected: by edges, and by corners too under the permissive rule.
fn connected(grid: &Grid, moves: Moves, from: Cell, to: Cell) -> bool {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut seen = vec![false; width * height];
    let mut queue = VecDeque::from([(i64::from(from.x), i64::from(from.y))]);
    while let Some((x, y)) = queue.pop_front() {
        if !free(grid, x, y) || std::mem::replace(&mut seen[y as usize * width + x as usize], true)
        {
            continue;
        }
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            if moves == Moves::ANY_ANGLE_SQUEEZE || dx == 0 || dy == 0 {
                queue.push_back((x + dx, y + dy));
            }
        }
    }
    seen[to.y as usize * width + to.x as usize]
}

/// A corner, a centre, a point on a grid line or any point; mostly one that touches a free cell.
fn random_point(random: &mut Random, grid: &Grid) -> Point {
    let mut point = Point::default();
    for _ in 0..30 {
        let kind = random.below(8);
        let mut coordinate = |size: u32, kind: u64| {
            let whole = random.below(u64::from(size) + u64::from(kind == 0)) as f64;
            whole
                + match kind {
                    0 => 0.0,
                    1 => 0.5,
                    2 => random.below(5) as f64 / 4.0,
                    _ => random.below(1025) as f64 / 1024.0,
                }
        };
        let kinds = [(0, 0), (0, 0), (1, 1), (0, 3), (3, 0), (2, 2), (3, 3), (0, 2)][kind as usize];
        point = Point::new(coordinate(grid.width(), kinds.0), coordinate(grid.height(), kinds.1));
        if grid.line_of_sight(point, point, Moves::ANY_ANGLE) {
            break;
        }
    }
    point
}

struct Bench {
    scratch: Scratch,
    sliced: Scratch,
    found: u64,
}

impl Bench {
    fn new() -> Self {
        Self { scratch: Scratch::new(), sliced: Scratch::new(), found: 0 }
    }

    /// Random queries under both rules.
    fn check_some(&mut self, grid: &Grid, random: &mut Random, queries: usize) {
        for moves in RULES {
            let planner = prepare("anya", grid, moves);
            let oracle = Oracle::new(grid, moves);
            for _ in 0..queries {
                let [start, goal] = [(); 2].map(|()| random_point(random, grid));
                self.check(&oracle, &*planner, start, goal, 1 + random.below(7));
            }
        }
    }

    /// One query, held against the oracle, run through and in slices.
    fn check(
        &mut self,
        oracle: &Oracle<'_>,
        planner: &dyn Planner,
        start: Point,
        goal: Point,
        slice: u64,
    ) {
        let (grid, moves) = (oracle.grid, oracle.moves);
        let context = || {
            let map = blockstar::format::ascii::draw(grid);
            format!("{moves} {start} -> {goal} on\n{map}")
        };
        let query = Query::new(start, goal);
        let status = planner.find(grid, &query, &mut self.scratch).unwrap();
        let (from, to) = (grid.cell_of(start).unwrap(), grid.cell_of(goal).unwrap());
        let exists = grid.is_free(from) && grid.is_free(to) && connected(grid, moves, from, to);
        let best = oracle.cost(start, goal);
        let expected = if exists { Status::Found } else { Status::NoPath };
        assert_eq!(status, expected, "{}", context());
        if exists {
            let path = self.scratch.path();
            if let Err(fault) = path.check(grid, moves) {
                panic!("{fault}: {path}\n{}", context());
            }
            let ends = (path.points().first(), path.points().last());
            assert_eq!(ends, (Some(&start), Some(&goal)), "{}", context());
            let cost = path.cost();
            assert!(
                (cost - best).abs() <= 1e-9 * best.max(1e-3),
                "cost {cost} by {path}, optimum {best}: {}",
                context()
            );
            self.found += 1;
        }
        planner.begin(grid, &query, &mut self.sliced).unwrap();
        let status = loop {
            let budget = Budget::expansions(slice);
            let status = planner.resume(grid, &mut self.sliced, budget).unwrap();
            if status != Status::Working {
                break status;
            }
        };
        assert_eq!(status, expected, "{}", context());
        assert_eq!(self.sliced.path(), self.scratch.path(), "{}", context());
        assert_eq!(self.sliced.stats(), self.scratch.stats(), "{}", context());
    }
}

/// A map of a size, with up to so many percent of walls.
fn random_map(random: &mut Random, width: u32, height: u32, walls: u64) -> Grid {
    let blocked = random.below(walls + 1);
    Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap()
}

/// Some queries on each of many maps, held against the oracle; more than `least` have a path.
fn compare(
    seed: u64,
    rounds: usize,
    map: impl Fn(&mut Random) -> Grid,
    queries: usize,
    least: u64,
) {
    let mut bench = Bench::new();
    for Round { grid, mut random, .. } in rounds_on(seed, rounds, |_, random| map(random)) {
        bench.check_some(&grid, &mut random, queries);
    }
    at_least("paths", bench.found, least);
}

#[test]
fn paths_are_shortest_on_small_maps() {
    let map = |random: &mut Random| {
        let [width, height] = [(); 2].map(|()| 1 + random.below(12) as u32);
        random_map(random, width, height, 60)
    };
    compare(1, 20_000, map, 2, 30_000);
}

#[test]
fn paths_are_shortest_on_medium_maps() {
    compare(2, 40, |random| random_map(random, 30, 30, 60), 20, 600);
}

/// Intervals that are wider than a word.
#[test]
fn paths_are_shortest_on_wide_maps() {
    let map = |random: &mut Random| {
        let (width, height) = (60 + random.below(140) as u32, 2 + random.below(9) as u32);
        random_map(random, width, height, 7)
    };
    compare(4, 80, map, 15, 2_000);
}

/// Walls along lines: many corners in one line of sight, long slides, one-cell corridors.
#[test]
fn paths_are_shortest_among_straight_walls() {
    let map = |random: &mut Random| {
        let (width, height) = (2 + random.below(24) as u32, 2 + random.below(24) as u32);
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..1 + random.below(12) {
            let (x, y) = (random.below(width.into()) as u32, random.below(height.into()) as u32);
            let (long, flat) = (1 + random.below(12) as u32, random.chance(1, 2));
            let (w, h) = if flat { (long, 1) } else { (1, long) };
            let tile = if random.chance(1, 5) { Tile::Free } else { Tile::Blocked };
            let rect = Rect::new(x, y, w.min(width - x), h.min(height - y));
            grid.set_rect(rect, tile).unwrap();
        }
        grid
    };
    compare(3, 400, map, 5, 3_000);
}

/// The answers from every corner, edge and centre of a map with all kinds of corners.
#[test]
fn every_pair_of_points_of_a_small_map() {
    let grid = Grid::from_ascii(
        "..#.
         .#..
         ....
         #.#.",
    )
    .unwrap();
    let mut bench = Bench::new();
    for moves in RULES {
        let planner = prepare("anya", &grid, moves);
        let oracle = Oracle::new(&grid, moves);
        let points: Vec<_> = (0..81)
            .map(|i| Point::new(f64::from(i % 9) / 2.0, f64::from(i / 9) / 2.0))
            .filter(|&point| grid.line_of_sight(point, point, moves))
            .collect();
        for &start in &points {
            for &goal in &points {
                bench.check(&oracle, &*planner, start, goal, 1);
            }
        }
    }
    assert!(bench.found > 5_000, "only {} paths", bench.found);
}

/// On the largest map, with points that are 1/1024 of a cell off the lines.
#[test]
fn the_largest_map_is_crossed_exactly() {
    let side = Grid::MAX_SIDE;
    let mut grid = Grid::new(side, 40).unwrap();
    // A wall with a gap of one cell, far away, and one that ends far away.
    grid.set_rect(Rect::new(0, 20, side, 1), Tile::Blocked).unwrap();
    grid.set((side - 2, 20), Tile::Free).unwrap();
    grid.set_rect(Rect::new(0, 30, side - 5, 1), Tile::Blocked).unwrap();
    let near = 1.0 / 1024.0;
    let mut scratch = Scratch::new();
    for moves in RULES {
        let planner = prepare("anya", &grid, moves);
        let corners = [(side - 2, 20), (side - 2, 21), (side - 5, 30), (side - 5, 31)];
        let corners = corners.map(|(x, y)| Cell::new(x, y).corner());
        for y in [0.0, near, 0.5, 19.0 + near, 20.0 - near, 20.0] {
            for goal in [Point::new(near, 40.0), Point::new(3.5, 31.0 + near)] {
                let start = Point::new(near, y);
                for (from, to) in [(start, goal), (goal, start)] {
                    let query = Query::new(from, to);
                    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
                    scratch.path().check(&grid, moves).unwrap();
                    // The way around the corners, pulled taut.
                    let mut chain = vec![start];
                    chain.extend(corners);
                    chain.push(goal);
                    let best = blockstar::Path::new(&grid, moves, chain).cost();
                    let cost = scratch.path().cost();
                    assert!(cost <= best * (1.0 + 1e-12), "{cost} {best}");
                    assert!(cost >= 2.0 * f64::from(side - 6));
                }
            }
        }
    }
}

#[test]
fn limits_and_refusals() {
    let mut grid = Grid::from_ascii(
        ".....
         .###.
         .....",
    )
    .unwrap();
    let mut scratch = Scratch::new();
    let planner = prepare("anya", &grid, Moves::ANY_ANGLE);
    let query = Query::new(Cell::new(2, 0), Cell::new(2, 2));
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let cost = scratch.path().cost();
    assert_eq!(cost, 2.0 * 2.5f64.sqrt() + 1.0);
    for (limit, status) in [
        (cost, Status::Found),
        (cost - 1e-6, Status::LimitReached),
        (1.0, Status::LimitReached),
        (0.0, Status::LimitReached),
    ] {
        let query = query.clone().max_cost(limit);
        assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(status), "{limit}");
        assert_eq!(scratch.path().is_empty(), status != Status::Found);
    }
    let few = query.clone().max_expansions(1);
    assert_eq!(planner.find(&grid, &few, &mut scratch), Ok(Status::LimitReached));
    assert_eq!(scratch.stats().expanded, 1);
    assert!(planner.find(&grid, &query.clone().weight(2.0), &mut scratch).is_err());
    let walled = Query::new(Cell::new(0, 0), Cell::new(2, 1));
    assert_eq!(planner.find(&grid, &walled, &mut scratch), Ok(Status::NoPath));
    assert_eq!(planner.find(&grid, &walled.nearest(), &mut scratch), Ok(Status::Nearest));
    assert_eq!(scratch.path().points().last(), Some(&Point::new(2.5, 1.0)));

    grid.set_cost((0, 0), 2.0).unwrap();
    assert!(Algorithm::named("anya").unwrap().prepare(&grid, Moves::ANY_ANGLE).is_err());
    let mut planner = planner;
    planner.update(&grid).unwrap();
    assert!(planner.find(&grid, &query, &mut scratch).is_err());
}

#[test]
fn a_trace_tells_of_every_cone() {
    let grid = Grid::from_fn(40, 40, |cell| (cell.x * 7 + cell.y * 11) % 13 != 0).unwrap();
    let planner = prepare("anya", &grid, Moves::ANY_ANGLE);
    let mut scratch = Scratch::new();
    scratch.record(usize::MAX);
    let query = Query::new(Cell::new(1, 0), Cell::new(38, 37));
    assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
    let events: Vec<_> = scratch.trace().unwrap().events().collect();
    let stats = scratch.stats();
    let expanded = events.iter().filter(|e| matches!(e, Event::Expanded { .. })).count();
    let opened = events.iter().filter(|e| matches!(e, Event::Opened { .. })).count();
    assert_eq!((expanded as u64, opened as u64), (stats.expanded, stats.opened));
    assert!(expanded > 10);
    let mut last = 0.0;
    for event in events {
        if let Event::Expanded { f, .. } = event {
            assert!(f >= last - 1e-9, "estimates never fall: {f} after {last}");
            last = last.max(f);
        }
    }
}

/// Warm memory is reused: the same queries again take no more of it.
#[test]
fn warm_searches_allocate_nothing() {
    let mut random = Random::new(5);
    let grid = Grid::from_fn(120, 90, |_| !random.chance(1, 4)).unwrap();
    let planner = prepare("anya", &grid, Moves::ANY_ANGLE);
    let mut scratch = Scratch::new();
    let mut memory = 0;
    for round in 0..2 {
        let mut random = Random::new(6);
        for _ in 0..50 {
            let ends = [0; 2].map(|_| random_point(&mut random, &grid));
            planner.find(&grid, &Query::new(ends[0], ends[1]), &mut scratch).unwrap();
        }
        assert!(round == 0 || scratch.memory_usage() == memory);
        memory = scratch.memory_usage();
    }
}

/// On real maps no oracle is fast enough. The cost must be the same in both directions and on the
/// transposed map, not below the straight line and not above the cost on the lattice.
#[test]
fn real_maps_agree_with_what_is_known() {
    let Some(root) = maps::folder() else { return };
    let mut queries = 0;
    let mut scratch = Scratch::new();
    for set in ["dao", "bg512", "sc1", "random", "rooms", "mazes", "cities", "da2"] {
        let Some(folder) = maps::below(&root, set) else { continue };
        for Course { path, grid, scenarios } in courses_below(&folder).step_by(3) {
            let turned = Grid::from_fn(grid.height(), grid.width(), |cell| {
                grid.is_free(Cell::new(cell.y, cell.x))
            });
            let turned = turned.unwrap();
            for moves in RULES {
                let spec = Algorithm::named("anya").unwrap();
                let planner = spec.prepare(&grid, moves).unwrap();
                let turned_planner = spec.prepare(&turned, moves).unwrap();
                let lattice = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
                for scenario in scenarios.iter().step_by(scenarios.len() / 8 + 1) {
                    let ends = [scenario.start, scenario.goal];
                    let mut cost = |planner: &dyn Planner, grid: &Grid, a: Cell, b: Cell| {
                        let status = planner.find(grid, &Query::new(a, b), &mut scratch).unwrap();
                        let path = scratch.path();
                        if status == Status::Found {
                            path.check(grid, moves).unwrap();
                        }
                        (status, path.cost())
                    };
                    let there = cost(&*planner, &grid, ends[0], ends[1]);
                    let back = cost(&*planner, &grid, ends[1], ends[0]);
                    let [start, goal] = ends.map(|cell| Cell::new(cell.y, cell.x));
                    let across = cost(&*turned_planner, &turned, start, goal);
                    let steps = cost(&*lattice, &grid, ends[0], ends[1]);
                    let context = format!("{} {moves} {scenario:?}", path.display());
                    assert!([back.0, across.0, steps.0].iter().all(|s| *s == there.0), "{context}");
                    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.max(1.0);
                    assert!(close(there.1, back.1), "{there:?} {back:?} {context}");
                    assert!(close(there.1, across.1), "{there:?} {across:?} {context}");
                    assert!(there.1 <= steps.1 * (1.0 + 1e-9), "{there:?} {steps:?} {context}");
                    let straight = ends[0].centre().distance(ends[1].centre());
                    assert!(there.0 != Status::Found || there.1 >= straight * (1.0 - 1e-12));
                    queries += 1;
                }
            }
        }
    }
    at_least("queries", queries, 0);
}

/// Whole maps are too large for the oracle. Windows of about 40 x 40 cells of every one of them,
/// each as a map of its own with nothing around it, are not, and its answers are exact for them.
#[test]
fn paths_are_shortest_in_windows_of_every_real_map() {
    let Some(root) = maps::folder() else { return };
    let mut random = Random::new(7);
    let mut bench = Bench::new();
    let mut maps = 0;
    for Course { grid: map, .. } in courses_below(&root) {
        maps += 1;
        for _ in 0..4 {
            let width = (30 + random.below(16) as u32).min(map.width());
            let height = (30 + random.below(16) as u32).min(map.height());
            // Of a few windows the one with the most walls among free cells.
            let corner = |random: &mut Random| {
                let x = random.below(u64::from(map.width() - width) + 1) as u32;
                (x, random.below(u64::from(map.height() - height) + 1) as u32)
            };
            let crop = |(left, top): (u32, u32)| {
                Grid::from_fn(width, height, |c| map.is_free(Cell::new(left + c.x, top + c.y)))
            };
            let crops = (0..12).map(|_| crop(corner(&mut random)).unwrap());
            let cells = (width * height) as usize;
            let grid = crops.min_by_key(|crop| crop.free_cells().abs_diff(cells * 6 / 10)).unwrap();
            bench.check_some(&grid, &mut random, 6);
        }
    }
    eprintln!("{} paths in windows of {maps} maps", bench.found);
    assert!(maps > 0, "there is no map with scenarios below BLOCKSTAR_MAPS");
    assert!(bench.found > 20 * maps, "only {} paths", bench.found);
}

/// Two planners that have nothing in common but sight: on whole maps the visibility graph has the
/// same costs.
#[test]
fn the_visibility_graph_agrees_on_whole_real_maps() {
    let Some(root) = maps::folder() else { return };
    let mut scratch = Scratch::new();
    let (mut maps, mut queries) = (0, 0);
    for Course { path, grid, scenarios } in courses_below(&root) {
        // The graph's edges grow with the square of its corners.
        let corners = (0..=grid.height())
            .flat_map(|y| (0..=grid.width()).map(move |x| (i64::from(x), i64::from(y))))
            .filter(|&(x, y)| {
                let cells = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
                cells.iter().filter(|&&(x, y)| free(&grid, x, y)).count() == 3
            })
            .count();
        if corners > 2_500 {
            continue;
        }
        maps += 1;
        for moves in RULES {
            let [anya, graph] = ["anya", "visibility-graph"]
                .map(|name| Algorithm::named(name).unwrap().prepare(&grid, moves).unwrap());
            for scenario in scenarios.iter().step_by(scenarios.len() / 6 + 1) {
                for query in [
                    Query::new(scenario.start, scenario.goal),
                    Query::between_corners(scenario.start, scenario.goal),
                ] {
                    let mut cost = |planner: &dyn Planner| {
                        let status = planner.find(&grid, &query, &mut scratch).unwrap();
                        if status == Status::Found {
                            scratch.path().check(&grid, moves).unwrap();
                        }
                        (status, scratch.path().cost())
                    };
                    let (a, b) = (cost(&*anya), cost(&*graph));
                    let context = || format!("{} {moves} {query:?}", path.display());
                    assert_eq!(a.0, b.0, "{}", context());
                    assert!((a.1 - b.1).abs() <= 1e-9 * a.1.max(1.0), "{a:?} {b:?} {}", context());
                    queries += 1;
                }
            }
        }
    }
    eprintln!("{queries} queries on {maps} maps");
    assert!(queries > 100, "only {queries} queries");
}
