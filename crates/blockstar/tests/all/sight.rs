//! Line of sight against a plain reference: every cell, every edge and every vertex near the
//! segment is looked at on its own, with fractions instead of running remainders.

use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Point, Tile};

/// Lattice steps per cell.
const UNITS: i64 = 1024;

/// A number from `low` to `high`, both included.
fn within(random: &mut Random, low: i64, high: i64) -> i64 {
    low + random.below((high - low + 1) as u64) as i64
}

/// A point in lattice steps.
type Spot = (i64, i64);

fn point((x, y): Spot) -> Point {
    Point::new(x as f64 / UNITS as f64, y as f64 / UNITS as f64)
}

fn free(grid: &Grid, x: i64, y: i64) -> bool {
    x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32))
}

/// Whether the segment without its ends meets the square of a cell without its edges.
fn enters(a: Spot, b: Spot, cell: Spot) -> bool {
    // The parts t of the way, 0 < t < 1, at which both coordinates are inside: an open interval.
    // Fractions as (numerator, positive denominator).
    let (mut low, mut high) = ((0i128, 1i128), (1i128, 1i128));
    let less = |p: (i128, i128), q: (i128, i128)| p.0 * q.1 < q.0 * p.1;
    for (from, to, cell) in [(a.0, b.0, cell.0), (a.1, b.1, cell.1)] {
        let (near, far) = (cell * UNITS, (cell + 1) * UNITS);
        let step = to - from;
        if step == 0 {
            if from <= near || from >= far {
                return false;
            }
            continue;
        }
        let (enter, leave) = if step > 0 { (near, far) } else { (far, near) };
        let part = |at: i64| (i128::from((at - from) * step.signum()), i128::from(step.abs()));
        if less(low, part(enter)) {
            low = part(enter);
        }
        if less(part(leave), high) {
            high = part(leave);
        }
    }
    less(low, high)
}

/// Whether some positive length of the segment lies on the edge between two cells: the grid line
/// number `line`, from `along` to `along + 1`. The second coordinate counts across the line.
fn runs_on(a: Spot, b: Spot, along: i64, line: i64) -> bool {
    a.1 == line * UNITS
        && b.1 == line * UNITS
        && a.0.min(b.0).max(along * UNITS) < a.0.max(b.0).min((along + 1) * UNITS)
}

/// The free cells at a vertex that a segment from there to `target` touches right at its start.
fn touched(grid: &Grid, vertex: Spot, target: Spot) -> Vec<Spot> {
    let (dx, dy) = (target.0 - vertex.0 * UNITS, target.1 - vertex.1 * UNITS);
    let mut cells = Vec::new();
    for (sx, sy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let cell = (vertex.0 + (sx - 1) / 2, vertex.1 + (sy - 1) / 2);
        if dx * sx >= 0 && dy * sy >= 0 && free(grid, cell.0, cell.1) {
            cells.push(cell);
        }
    }
    cells
}

/// Whether the segment passes the vertex, which is a double corner, from one side to the other.
fn squeezes(grid: &Grid, a: Spot, b: Spot, vertex: Spot) -> bool {
    let is_free = |dx, dy| free(grid, vertex.0 + dx, vertex.1 + dy);
    let (first, second) = (is_free(-1, -1), is_free(0, -1));
    if first == second || is_free(0, 0) != first || is_free(-1, 0) != second {
        return false;
    }
    let v = (vertex.0 * UNITS, vertex.1 * UNITS);
    let cross = (v.0 - a.0) * (b.1 - a.1) - (v.1 - a.1) * (b.0 - a.0);
    let dot = (v.0 - a.0) * (b.0 - v.0) + (v.1 - a.1) * (b.1 - v.1);
    cross == 0 && dot > 0 && touched(grid, vertex, a) != touched(grid, vertex, b)
}

/// The reference: whether `a` sees `b` under the strict and under the permissive rule.
fn reference(grid: &Grid, a: Spot, b: Spot) -> (bool, bool) {
    let on_map = |p: Spot| {
        (0..=i64::from(grid.width()) * UNITS).contains(&p.0)
            && (0..=i64::from(grid.height()) * UNITS).contains(&p.1)
    };
    if !on_map(a) || !on_map(b) {
        return (false, false);
    }
    let cells = |p: i64, q: i64| (p.min(q) / UNITS - 1)..=(p.max(q) / UNITS + 1);
    let mut touches = false;
    for y in cells(a.1, b.1) {
        for x in cells(a.0, b.0) {
            if free(grid, x, y) {
                touches |= (x * UNITS..=(x + 1) * UNITS).contains(&a.0)
                    && (y * UNITS..=(y + 1) * UNITS).contains(&a.1);
                continue;
            }
            let between_rows = !free(grid, x, y - 1) && runs_on(a, b, x, y);
            let turned = |p: Spot| (p.1, p.0);
            let between_columns = !free(grid, x - 1, y) && runs_on(turned(a), turned(b), y, x);
            if between_rows || between_columns || (a != b && enters(a, b, (x, y))) {
                return (false, false);
            }
        }
    }
    if a == b {
        return (touches, touches);
    }
    let strict = cells(a.1, b.1).all(|y| cells(a.0, b.0).all(|x| !squeezes(grid, a, b, (x, y))));
    (strict, true)
}

/// Compares both rules in both directions with the reference, and returns its answers.
fn agrees(grid: &Grid, a: Spot, b: Spot) -> (bool, bool) {
    let answers = reference(grid, a, b);
    let (p, q) = (point(a), point(b));
    for (moves, want) in [(Moves::ANY_ANGLE, answers.0), (Moves::ANY_ANGLE_SQUEEZE, answers.1)] {
        assert_eq!(grid.line_of_sight(p, q, moves), want, "{p} to {q}, {moves}: {grid:?}");
        assert_eq!(grid.line_of_sight(q, p, moves), want, "{q} to {p}, {moves}: {grid:?}");
    }
    answers
}

/// A random point near the map: a vertex, a cell centre, a point on a grid line or any point.
fn spot(random: &mut Random, width: i64, height: i64) -> Spot {
    // Now and then off the map, by a cell at most.
    let beyond = i64::from(within(random, 0, 99) == 0);
    let vertex = |random: &mut Random, cells: i64| within(random, -beyond, cells + beyond) * UNITS;
    let any =
        |random: &mut Random, cells: i64| within(random, -beyond * UNITS, (cells + beyond) * UNITS);
    match within(random, 0, 6) {
        0 | 1 => (vertex(random, width), vertex(random, height)),
        2 => (
            within(random, 0, width - 1) * UNITS + UNITS / 2,
            within(random, 0, height - 1) * UNITS + UNITS / 2,
        ),
        3 => (vertex(random, width), any(random, height)),
        4 => (any(random, width), vertex(random, height)),
        // Quarters of a cell, so that oblique lines meet vertices in the middle.
        5 => (within(random, 0, 4 * width) * UNITS / 4, within(random, 0, 4 * height) * UNITS / 4),
        _ => (any(random, width), any(random, height)),
    }
}

#[test]
fn agrees_with_the_reference_on_all_maps_of_nine_cells() {
    // All vertices, edge middles and centres.
    let spots: Vec<Spot> = (0..49).map(|i| (i % 7 * UNITS / 2, i / 7 * UNITS / 2)).collect();
    for map in 0..512 {
        let grid = Grid::from_fn(3, 3, |cell| map >> (3 * cell.y + cell.x) & 1 != 0).unwrap();
        for (i, &a) in spots.iter().enumerate() {
            for &b in &spots[i..] {
                agrees(&grid, a, b);
            }
        }
    }
}

#[test]
fn agrees_with_the_reference_on_random_maps() {
    let mut random = Random::new(1);
    let (mut segments, mut strict, mut permissive) = (0, 0, 0);
    while segments < 4_000_000 {
        // Mostly small maps; some are wider or higher than one or two words.
        let (width, height) = match within(&mut random, 0, 19) {
            0 => (within(&mut random, 60, 150), within(&mut random, 1, 3)),
            1 => (within(&mut random, 1, 3), within(&mut random, 60, 150)),
            2 => (within(&mut random, 120, 260), within(&mut random, 1, 2)),
            3..=9 => (within(&mut random, 1, 5), within(&mut random, 1, 5)),
            _ => (within(&mut random, 1, 14), within(&mut random, 1, 14)),
        };
        // Wide maps are nearly empty, else nothing is seen across them.
        let wide = width.max(height) > 14;
        let blocked = if wide { within(&mut random, 0, 5) } else { within(&mut random, 5, 60) };
        let draw = |_| within(&mut random, 0, 99) >= blocked;
        let grid = Grid::from_fn(width as u32, height as u32, draw).unwrap();
        for _ in 0..400 {
            let a = spot(&mut random, width, height);
            let b = match within(&mut random, 0, 9) {
                0 => a,
                1 => (a.0, spot(&mut random, width, height).1),
                2 => (spot(&mut random, width, height).0, a.1),
                // A short one.
                3..=5 => {
                    let (dx, dy) = (within(&mut random, -6, 6), within(&mut random, -6, 6));
                    (a.0 + dx * UNITS / 2, a.1 + dy * UNITS / 2)
                }
                _ => spot(&mut random, width, height),
            };
            let want = agrees(&grid, a, b);
            segments += 1;
            strict += u32::from(want.0);
            permissive += u32::from(want.1);
        }
    }
    // The comparison is worth something only if all three outcomes are frequent.
    assert!(strict > segments / 4 && permissive < segments * 3 / 4, "{strict}, {permissive}");
    assert!(permissive - strict > segments / 300, "{strict}, {permissive}");
}

#[test]
fn is_exact_at_the_largest_size() {
    let side = i64::from(Grid::MAX_SIDE);
    let mut grid = Grid::new(Grid::MAX_SIDE, Grid::MAX_SIDE).unwrap();
    let sees = |grid: &Grid, a: Spot, b: Spot| {
        let answer = grid.line_of_sight(point(a), point(b), Moves::ANY_ANGLE);
        assert_eq!(grid.line_of_sight(point(b), point(a), Moves::ANY_ANGLE), answer);
        answer
    };
    let end = side * UNITS;
    assert!(sees(&grid, (0, 0), (end, end)));
    assert!(sees(&grid, (end, 0), (0, end)));
    assert!(sees(&grid, (0, 0), (end, 0)));
    assert!(sees(&grid, (end, 0), (end, end)));
    // One blocked cell on the segment or right beside it.
    let mut random = Random::new(2);
    let mut hits = 0;
    for _ in 0..20_000 {
        let (a, b) = (spot(&mut random, side, side), spot(&mut random, side, side));
        let part = within(&mut random, 0, 1 << 20);
        let near = |from: i64, to: i64, random: &mut Random| {
            let middle = from + (to - from) * part / (1 << 20) + within(random, -900, 900);
            (middle / UNITS).clamp(1, side - 2)
        };
        let cell = (near(a.0, b.0, &mut random), near(a.1, b.1, &mut random));
        let wall = Cell::new(cell.0 as u32, cell.1 as u32);
        let on_map = [a.0, a.1, b.0, b.1].iter().all(|v| (0..=end).contains(v));
        grid.set(wall, Tile::Blocked).unwrap();
        let want = on_map && !enters(a, b, cell);
        assert_eq!(sees(&grid, a, b), want, "{a:?} to {b:?} past {cell:?}");
        grid.set(wall, Tile::Free).unwrap();
        hits += u32::from(!want);
    }
    assert!((5_000..15_000).contains(&hits), "{hits}");
}
