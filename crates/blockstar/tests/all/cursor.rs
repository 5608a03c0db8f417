//! Following a path, and the cells that it crosses.

use crate::support::{
    all_cell_moves, all_moves, at_least, close, expect_more, random_grid, random_point,
};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Grid, Moves, Path, PathCursor, Point, Query, Rect, Scratch, Slope, Status,
    Tile,
};

/// Random paths on random maps, under every rule.
fn for_each_path(seed: u64, rounds: usize, mut visit: impl FnMut(&mut Random, &mut Grid, &Path)) {
    let mut random = Random::new(seed);
    let mut scratch = Scratch::new();
    for round in 0..rounds {
        let mut grid = random_grid(&mut random, round % 4 == 3);
        for moves in all_moves() {
            let name = if moves.rule().is_any_angle() { "theta-star" } else { "astar" };
            let planner = Algorithm::named(name).unwrap().prepare(&grid, moves).unwrap();
            let mut point = || random_point(&mut random, &grid, moves, true);
            let query = Query::new(point(), point());
            if planner.find(&grid, &query, &mut scratch).unwrap() == Status::Found {
                let path = scratch.path().clone();
                visit(&mut random, &mut grid, &path);
            }
        }
    }
}

#[test]
fn ten_thirty_and_sixty_ticks_a_second_lead_to_the_same_places() {
    let mut places = 0;
    for_each_path(41, 60, |random, _, path| {
        let speed = 0.1 + random.below(1000) as f64 / 137.0;
        let mut cursors = [10, 30, 60].map(|rate| (rate, path.cursor()));
        for _ in 0..40 {
            // A tenth of a second.
            for (rate, cursor) in &mut cursors {
                for _ in 0..*rate / 10 {
                    cursor.advance(path, speed / f64::from(*rate));
                }
            }
            let [ten, thirty, sixty] = cursors.map(|(_, cursor)| {
                let ahead: Vec<Point> = cursor.ahead(path).collect();
                (cursor.position(path), cursor.heading(path), ahead, cursor.is_at_end(path))
            });
            assert_eq!(ten, thirty, "{path} at {speed}");
            assert_eq!(ten, sixty, "{path} at {speed}");
            places += 1;
        }
    });
    at_least("places", places, 10_000);
}

#[test]
fn a_cursor_walks_from_the_start_to_the_end() {
    let mut steps = 0;
    for_each_path(42, 60, |random, _, path| {
        let (points, length) = (path.points(), path.length());
        let mut cursor = path.cursor();
        assert_eq!(cursor.position(path), points.first().copied());
        loop {
            let here = cursor.position(path).unwrap();
            let left = cursor.remaining(path);
            assert!(close(cursor.walked() + left, length));
            let ahead = Path::new(&Grid::new(1, 1).unwrap(), Moves::ANY_ANGLE, cursor.ahead(path));
            assert!((ahead.length() - left).abs() < 0.01, "{path} at {here}");
            assert_eq!(cursor.ahead(path).next(), Some(here));
            assert_eq!(cursor.ahead(path).last(), points.last().copied());
            if cursor.is_at_end(path) {
                break;
            }
            let (x, y) = cursor.heading(path).unwrap();
            assert!(close(x.hypot(y), 1.0));
            let turn = cursor.next_turn(path).unwrap();
            // Straight on is where it turns next, but for the rounding of the place.
            let far = here.distance(turn);
            let (dx, dy) = (here.x() + x * far - turn.x(), here.y() + y * far - turn.y());
            assert!(dx.hypot(dy) < 0.01, "{path} at {here}: {turn}");
            let step = random.below(300) as f64 / 100.0;
            let over = cursor.advance(path, step);
            assert!(close(over, (step - left).max(0.0)), "{over} {step} {left}");
            steps += 1;
        }
        assert_eq!(cursor.position(path), points.last().copied());
        assert_eq!((cursor.remaining(path), cursor.next_turn(path)), (0.0, None));
        // And back again.
        cursor.advance(path, -length / 3.0);
        let mut other = path.cursor();
        other.advance(path, length - length / 3.0);
        assert!(cursor.position(path).unwrap().distance(other.position(path).unwrap()) < 0.01);
        cursor.advance(path, f64::NEG_INFINITY);
        assert_eq!(cursor, path.cursor());
    });
    at_least("steps", steps, 3_000);
}

/// Cells behind a unit may be blocked, cells ahead may not.
#[test]
fn only_what_is_ahead_of_a_cursor_must_be_valid() {
    let (mut behind, mut lost) = (0, 0);
    for_each_path(43, 120, |random, grid, path| {
        let mut cursor = path.cursor();
        cursor.advance(path, path.length() * random.below(101) as f64 / 100.0);
        assert!(cursor.still_valid(path, grid), "{path} at {cursor:?}");
        let any_angle = path.moves().rule().is_any_angle();
        let ahead = Path::new(grid, Moves::ANY_ANGLE, cursor.ahead(path));
        let cells: Vec<Cell> = path.cells().collect();
        if cells.is_empty() {
            return; // along a grid line
        }
        let blocked = cells[random.below(cells.len() as u64) as usize];
        let is_ahead = ahead.cells().any(|cell| cell == blocked);
        let near = |c: Cell| c.x.abs_diff(blocked.x) <= 1 && c.y.abs_diff(blocked.y) <= 1;
        let is_far = !ahead.cells().any(near);
        grid.set(blocked, Tile::Blocked).unwrap();
        if is_far && !any_angle {
            assert!(cursor.still_valid(path, grid), "{path} at {cursor:?} without {blocked}");
            assert!(!path.still_valid(grid));
            behind += 1;
        }
        // The cell that a unit is about to leave counts no more.
        let here = cursor.position(path).and_then(|here| grid.cell_of(here));
        if is_ahead && here != Some(blocked) {
            assert!(!cursor.still_valid(path, grid), "{path} at {cursor:?} without {blocked}");
            lost += 1;
        }
        grid.set(blocked, Tile::Free).unwrap();
    });
    expect_more!(behind > 100, lost > 150);
}

/// The place of a unit is rounded, and can be inside the wall whose corner the path touches.
#[test]
fn a_cursor_past_a_corner_is_valid_at_every_place() {
    let mut grid = Grid::new(40, 40).unwrap();
    grid.set_rect(Rect::new(10, 0, 7, 13), Tile::Blocked).unwrap();
    for goal in [(29.0, 0.0), (31.0, 7.0), (39.0, 2.0)] {
        let query = Query::new((1.0, 3.0), goal);
        let mut scratch = Scratch::new();
        let planner = Algorithm::named("anya").unwrap().prepare(&grid, Moves::ANY_ANGLE).unwrap();
        planner.find(&grid, &query, &mut scratch).unwrap();
        let path = scratch.path();
        assert!(path.points().contains(&Point::new(10.0, 13.0)));
        let mut cursor = path.cursor();
        while cursor.advance(path, 0.013) == 0.0 {
            assert!(cursor.still_valid(path, &grid), "{path} at {:?}", cursor.position(path));
        }
        // Behind the unit on the same stretch, and ahead.
        let mut cursor = path.cursor();
        cursor.advance(path, 10.0);
        let mut edited = grid.clone();
        edited.set(path.cells().nth(2).unwrap(), Tile::Blocked).unwrap();
        assert!(cursor.still_valid(path, &edited) && !path.still_valid(&edited));
        edited.set(path.cells().last().unwrap(), Tile::Blocked).unwrap();
        assert!(!cursor.still_valid(path, &edited));
    }
}

#[test]
fn slopes_ahead_of_a_cursor_count() {
    for moves in [Moves::EIGHT, Moves::ANY_ANGLE] {
        let moves = moves.with_slope(Slope::new(1.0).limits(0.5, 0.5));
        let mut grid = Grid::new(9, 3).unwrap();
        let path = Path::new(&grid, moves, [Cell::new(0, 1), Cell::new(8, 1)]);
        let mut cursor = path.cursor();
        cursor.advance(&path, 4.2);
        grid.set_height((2, 1), 3.0).unwrap();
        assert!(!path.still_valid(&grid) && cursor.still_valid(&path, &grid));
        grid.set_height((7, 1), 3.0).unwrap();
        assert!(!cursor.still_valid(&path, &grid));
        // Behind it again.
        cursor.advance(&path, 3.8);
        assert!(cursor.still_valid(&path, &grid));
    }
}

#[test]
fn a_cursor_on_a_path_that_is_not_its_own_ends_with_that_one() {
    let grid = Grid::new(30, 30).unwrap();
    let bends = (0..20).map(|i| Cell::new(i, i / 2 % 2));
    let long = Path::new(&grid, Moves::EIGHT, bends);
    let short = Path::new(&grid, Moves::EIGHT, [Cell::new(1, 1), Cell::new(3, 1)]);
    let one = Path::new(&grid, Moves::EIGHT, [Cell::new(1, 1)]);
    let empty = Path::default();
    let mut cursor = long.cursor();
    cursor.advance(&long, 15.0);
    for (path, end) in
        [(&short, Some(Cell::new(3, 1))), (&one, Some(Cell::new(1, 1))), (&empty, None)]
    {
        let mut cursor = cursor;
        let end = end.map(Cell::centre);
        assert!(cursor.is_at_end(path));
        assert_eq!((cursor.position(path), cursor.next_turn(path)), (end, None));
        assert!(cursor.ahead(path).eq(end));
        assert_eq!(cursor.still_valid(path, &grid), end.is_some());
        assert!(!cursor.still_valid(path, &Grid::new(1, 1).unwrap()));
        cursor.advance(path, f64::INFINITY);
        assert_eq!(cursor.position(path), end);
    }
    let mut cursor = PathCursor::default();
    cursor.advance(&long, f64::NAN);
    assert_eq!(cursor.position(&long), Some(Cell::new(0, 0).centre()));
    assert!(!cursor.still_valid(&long, &Grid::new(3, 3).unwrap()));
    cursor.advance(&long, f64::INFINITY);
    assert_eq!(cursor.position(&long), long.points().last().copied());
}

/// The cells of a segment, against every cell near it and the definition: the interior of the cell
/// meets the line.
#[test]
fn the_cells_of_a_path_are_those_whose_interior_it_crosses() {
    let mut random = Random::new(44);
    let grid = Grid::new(12, 12).unwrap();
    let mut crossed = 0;
    for round in 0..400 {
        let mut points = || random_point(&mut random, &grid, Moves::ANY_ANGLE, round % 2 == 0);
        let (a, b) = (points(), points());
        let path = Path::new(&grid, Moves::ANY_ANGLE, [a, b]);
        let cells: Vec<Cell> = path.cells().collect();
        assert_eq!(path.cell_count(), cells.len(), "{path}");
        let meets = |cell: Cell| {
            // In 1/1024 of a cell, exactly.
            let unit = |v: f64| (v * 1024.0) as i64;
            let (ax, ay, bx, by) = (unit(a.x()), unit(a.y()), unit(b.x()), unit(b.y()));
            let (left, top) = (i64::from(cell.x) * 1024, i64::from(cell.y) * 1024);
            let (right, bottom) = (left + 1024, top + 1024);
            if ax.max(bx) <= left || ax.min(bx) >= right {
                return false;
            }
            if ay.max(by) <= top || ay.min(by) >= bottom {
                return false;
            }
            // Corners of the cell on both sides of the line.
            let side = |x: i64, y: i64| (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
            let sides = corners.map(|(x, y)| side(x, y).signum());
            a == b || (sides.contains(&1) && sides.contains(&-1))
        };
        let mut expected: Vec<Cell> =
            Rect::new(0, 0, 12, 12).cells().filter(|&cell| meets(cell)).collect();
        crossed += cells.len() as u64;
        // In order: each touches the one before.
        for pair in cells.windows(2) {
            assert!(pair[0].x.abs_diff(pair[1].x).max(pair[0].y.abs_diff(pair[1].y)) == 1);
        }
        let mut cells = cells;
        cells.sort_unstable();
        expected.sort_unstable();
        assert_eq!(cells, expected, "{path}");
    }
    at_least("cells", crossed, 2_000);
    for moves in all_cell_moves() {
        let path = Path::new(&grid, moves, [Cell::new(1, 1), Cell::new(5, 1), Cell::new(2, 1)]);
        assert_eq!((path.cell_count(), path.cells().count()), (8, 8));
        assert_eq!(Path::new(&grid, moves, Vec::<Cell>::new()).cell_count(), 0);
        assert_eq!(Path::new(&grid, moves, [Cell::new(1, 1)]).cell_count(), 1);
    }
}
