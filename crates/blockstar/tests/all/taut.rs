//! String pulling: taut, legal, never longer, done at once; and where there is but one way round
//! every obstacle, the optimum.

use crate::support::plane::RULES;
use crate::support::{
    Case, Round, all_cell_moves, all_moves, cases, expect_more, for_each_path, prepare,
    random_point, rounds, rounds_on_terrain,
};
use blockstar::random::Random;
use blockstar::{
    Cell, Grid, Moves, Path, Planner, Point, Query, Scratch, Status, Tile, VisibilityGraph,
};

fn units(point: Point) -> (i64, i64) {
    ((point.x() * 1024.0) as i64, (point.y() * 1024.0) as i64)
}

fn cross(a: (i64, i64), b: (i64, i64)) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

fn between(a: Point, b: Point) -> (i64, i64) {
    let (a, b) = (units(a), units(b));
    (b.0 - a.0, b.1 - a.1)
}

/// Whether a path that goes from a over b to c bends around a blocked cell at b.
fn is_taut(grid: &Grid, a: Point, b: Point, c: Point) -> bool {
    let Some((x, y)) = b.as_corner() else { return false };
    let (back, on) = (between(b, a), between(b, c));
    let turn = cross(back, on).signum();
    [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().any(|(dx, dy)| {
        let (cx, cy) = (i64::from(x) + (dx - 1) / 2, i64::from(y) + (dy - 1) / 2);
        let blocked = cx < 0 || cy < 0 || !grid.is_free(Cell::new(cx as u32, cy as u32));
        // Strictly between the two directions.
        blocked && cross(back, (dx, dy)) * turn > 0 && cross((dx, dy), on) * turn > 0
    })
}

/// Pulls a path and holds the result to all promises.
fn pull(grid: &Grid, path: &Path, context: &dyn Fn() -> String) -> Path {
    let taut = path.pulled_taut(grid);
    let context = || {
        let map = blockstar::format::ascii::draw(grid);
        format!("{taut} from {} {path}: {}\n{map}", path.moves(), context())
    };
    let moves = path.moves().any_angle();
    assert_eq!(taut.moves(), moves, "{}", context());
    taut.check(grid, moves).unwrap_or_else(|fault| panic!("{fault}: {}", context()));
    assert_eq!(taut.points().first(), path.points().first(), "{}", context());
    assert_eq!(taut.points().last(), path.points().last(), "{}", context());
    let before = Path::new(grid, moves, path.points().iter().copied()).cost();
    let smoothed = path.smoothed(grid).cost();
    let least = if grid.has_costs() { before } else { before.min(smoothed) };
    assert!(taut.cost() <= least * (1.0 + 1e-11), "{before} {smoothed} {}", context());
    if !grid.has_costs() {
        assert_eq!(taut.pulled_taut(grid).points(), taut.points(), "again: {}", context());
        for bend in taut.points().windows(3) {
            assert!(is_taut(grid, bend[0], bend[1], bend[2]), "{}: {}", bend[1], context());
        }
    }
    taut
}

#[test]
fn the_paths_of_every_planner_are_pulled_taut() {
    let (mut paths, mut shorter) = (0, 0);
    for_each_path(cases(91, 380, &all_moves()), 4, Case::query, |case, _, path| {
        let taut = pull(&case.grid, path, &|| case.spec.to_string());
        let smoothed = path.smoothed(&case.grid).cost();
        paths += 1;
        shorter += u64::from(taut.cost() < smoothed * (1.0 - 1e-9));
        if case.row.name == "visibility-graph" {
            let (taut, best) = (taut.cost(), path.cost());
            assert!((taut - best).abs() <= 1e-9 * best.max(1.0), "{taut} {best}");
        }
    });
    expect_more!(paths > 30_000, shorter > 8_000);
}

/// A walk that no planner would make: detours, turns back and repeats.
fn random_walk(random: &mut Random, grid: &Grid, moves: Moves, steps: u64) -> Option<Path> {
    let any_angle = moves.rule().is_any_angle();
    let mut points = vec![random_point(random, grid, moves, true)];
    let legal = |points: &[Point]| {
        let path = Path::new(grid, moves, points[points.len().saturating_sub(3)..].to_vec());
        path.check(grid, moves).is_ok()
    };
    if !legal(&points) {
        return None;
    }
    for _ in 0..steps {
        let last = points[points.len() - 1];
        let step = |random: &mut Random| random.below(3) as f64 - 1.0;
        let (dx, dy) = (step(random), step(random));
        let next = match random.below(4) {
            0 if any_angle => random_point(random, grid, moves, true),
            1 if any_angle => Point::new((last.x() + dx).round(), (last.y() + dy).round()),
            _ => Point::new(last.x() + dx, last.y() + dy),
        };
        points.push(next);
        if next == last || !legal(&points) {
            points.pop();
        }
    }
    Some(Path::new(grid, moves, points))
}

#[test]
fn random_walks_are_pulled_taut() {
    for Round { number, grid, mut random } in rounds_on_terrain(92, 12_000, 8) {
        let moves = match random.below(3) {
            0 => Moves::ANY_ANGLE,
            1 => Moves::ANY_ANGLE_SQUEEZE,
            _ => all_cell_moves()[random.below(8) as usize],
        };
        let steps = random.below(80);
        if let Some(walk) = random_walk(&mut random, &grid, moves, steps) {
            pull(&grid, &walk, &|| format!("round {number}"));
        }
    }
}

/// The map without islands: blocked cells that are not joined to the border, over edges or (under
/// the strict rule, where nothing passes between them) also over corners, are freed.
fn without_islands(grid: &Grid, moves: Moves) -> Grid {
    let (width, height) = (grid.width(), grid.height());
    let mut joined = Grid::from_fn(width, height, |_| true).unwrap();
    let mut waiting = Vec::new();
    let reach = |joined: &mut Grid, waiting: &mut Vec<Cell>, x: i64, y: i64| {
        if x < 0 || y < 0 || x >= width.into() || y >= height.into() {
            return;
        }
        let cell = Cell::new(x as u32, y as u32);
        if !grid.is_free(cell) && joined.is_free(cell) {
            joined.set(cell, Tile::Blocked).unwrap();
            waiting.push(cell);
        }
    };
    for y in 0..i64::from(height) {
        for x in 0..i64::from(width) {
            if x == 0 || y == 0 || x + 1 == i64::from(width) || y + 1 == i64::from(height) {
                reach(&mut joined, &mut waiting, x, y);
            }
        }
    }
    while let Some(cell) = waiting.pop() {
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            if dx == 0 || dy == 0 || !moves.rule().squeezes() {
                reach(&mut joined, &mut waiting, i64::from(cell.x) + dx, i64::from(cell.y) + dy);
            }
        }
    }
    joined
}

fn is_double_corner(grid: &Grid, point: Point) -> bool {
    let Some((x, y)) = point.as_corner().filter(|&(x, y)| x > 0 && y > 0) else { return false };
    let free = |dx, dy| grid.is_free(Cell::new(x - dx, y - dy));
    let (nw, ne, sw, se) = (free(1, 1), free(0, 1), free(1, 0), free(0, 0));
    nw == se && ne == sw && nw != ne
}

fn best_cost(grid: &Grid, path: &Path, scratch: &mut Scratch) -> f64 {
    let graph = VisibilityGraph::new(grid, path.moves().any_angle()).unwrap();
    let (start, goal) = (path.points()[0], path.points()[path.points().len() - 1]);
    assert_eq!(graph.find(grid, &Query::new(start, goal), scratch), Ok(Status::Found));
    scratch.path().cost()
}

/// Without islands all ways are of one class, so every one becomes the shortest.
#[test]
fn on_maps_without_islands_every_path_becomes_the_shortest() {
    let mut scratch = Scratch::new();
    let mut pulled = 0;
    for mut round in rounds(93, 4_000) {
        let moves = round.turn(&RULES);
        round.grid = without_islands(&round.grid, moves);
        let steps = round.random.below(120);
        let walk = random_walk(&mut round.random, &round.grid, moves, steps);
        let mut paths: Vec<Path> = walk.into_iter().collect();
        for name in ["astar", "greedy"] {
            let planner = prepare(name, &round.grid, moves);
            let query = round.query(moves);
            if round.on(moves).has_path(&planner, &query, &mut scratch) {
                paths.push(scratch.path().clone());
            }
        }
        let Round { number, grid, .. } = round;
        for path in paths {
            // A walk may begin on the other side of a double corner than a query would.
            let ends = [path.points()[0], path.points()[path.points().len() - 1]];
            if !moves.rule().squeezes() && ends.iter().any(|end| is_double_corner(&grid, *end)) {
                continue;
            }
            let taut = pull(&grid, &path, &|| format!("round {number}"));
            let best = best_cost(&grid, &path, &mut scratch);
            pulled += 1;
            assert!(
                (taut.cost() - best).abs() <= 1e-9 * best.max(1.0),
                "{taut}, not {}, from {path}\n{}",
                scratch.path(),
                blockstar::format::ascii::draw(&grid)
            );
        }
    }
    assert!(pulled > 8_000, "{pulled}");
}

/// A shortest path with excursions that come back the way they went: still of its class, so the
/// excursions vanish.
#[test]
fn excursions_from_a_shortest_path_are_pulled_in() {
    let (mut scratch, mut pulled) = (Scratch::new(), 0);
    for mut round in rounds(94, 3_000) {
        let moves = round.turn(&RULES);
        let planner = prepare("visibility-graph", &round.grid, moves);
        let query = round.query(moves);
        if !round.on(moves).has_path(&planner, &query, &mut scratch) {
            continue;
        }
        let Round { number, grid, mut random } = round;
        let best = scratch.path().clone();
        let mut points = best.points().to_vec();
        for _ in 0..8 {
            let at = random.below(points.len() as u64) as usize;
            let there = random_point(&mut random, &grid, moves, true);
            let mut longer = points.clone();
            longer.splice(at..=at, [points[at], there, points[at]]);
            if Path::new(&grid, moves, longer.clone()).check(&grid, moves).is_ok() {
                points = longer;
            }
        }
        let path = Path::new(&grid, moves, points);
        let taut = pull(&grid, &path, &|| format!("round {number}"));
        assert_eq!(taut.points(), best.points(), "from {path}");
        pulled += 1;
    }
    assert!(pulled > 1_500, "{pulled}");
}

#[test]
fn paths_that_are_empty_or_illegal_are_left_in_peace() {
    let mut grid = Grid::new(6, 6).unwrap();
    let empty = Path::new(&grid, Moves::EIGHT, Vec::<Point>::new());
    assert!(empty.pulled_taut(&grid).is_empty());
    let one = Path::new(&grid, Moves::EIGHT, [Cell::new(2, 2)]);
    assert_eq!(one.pulled_taut(&grid).points(), one.points());
    let across = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 2), Cell::new(5, 2)]);
    grid.set((3, 2), Tile::Blocked).unwrap();
    assert_eq!(across.pulled_taut(&grid), across.smoothed(&grid));
    let outside = Path::new(&grid, Moves::ANY_ANGLE, [(-5.0, 2.0), (9.0, 30.0), (2.0, 99.0)]);
    assert_eq!(outside.pulled_taut(&grid), outside.smoothed(&grid));
}
